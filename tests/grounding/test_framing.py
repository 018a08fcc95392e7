"""What stands before and after a statement: what of it may be left out, and what limits the statement."""

from __future__ import annotations

import pytest
from standing import check

STATEMENT = "a ferryman may refuse a horse."
OPENINGS = [
    "On the other hand,",
    "By contrast,",
    "However,",
    "In any event,",
    "Indeed,",
    "As a result,",
    "That being so,",
    "I add that",
    "We note that",
    "We must, therefore, hold that",
    "We are, therefore, of the considered view that",
    "I am satisfied that",
    "It is no doubt true that",
    "It is trite that",
    "It is apparent that",
    "A conjoint reading of sections 4 and 9 of the Ferries Act shows that",
    "A plain reading of the charter makes it clear that",
    "As the court below rightly observed,",
    "As we have said,",
    "Although the charter is headed “Of beasts,”",
    "Although the charter is titled, “Of beasts,”",
    "As to the second issue,",
    "On the first question,",
    "For example,",
    "It is settled by many decisions of this court that",
    "It is clear from the charter that",
    "On a careful perusal of the charter, we hold that",
    "As in Orrin, we hold that",
    "In considering the reach of the charter, we must recognize that",
    "The aforesaid legal position leaves no manner of doubt that",
    "The wording of the charter leaves no doubt that",
    "There can be no doubt that",
    "There is no manner of doubt that",
    "There can be no dispute that",
    "It is beyond doubt that",
    "It is beyond dispute that",
    "It cannot be doubted that",
    "It cannot be gainsaid that",
    "Needless to say that",
    "Needless to say,",
    "It goes without saying that",
    "It needs no emphasis that",
    "Suffice it to say that",
    "Even otherwise,",
    "Again,",
    "Third, as amicus Ropers & Sailors Association highlights,",
    "As amici explain,",
    "As Congress recognized,",
    "By virtue of the provisions of S. 25 of the Ferries Act,",
    "Held, dismissing the appeal, that",
]
LIMITS = [
    "If the river is high,",
    "Where the river is high,",
    "When the river is high,",
    "Until the river falls,",
    "After the river has risen,",
    "Before the river has risen,",
    "After hearing the owner,",
    "After considering its size,",
    "Under this rule,",
    "In such a case,",
    "In that case,",
    "If so,",
    "Otherwise,",
    "On the first day,",
    "On the other bank,",
    "For the purpose of crossing in haste,",
    "Subject to the charter,",
    "At first glance,",
    "Ordinarily,",
    "Generally,",
    "Arguably,",
    "Perhaps",
    "One might think that",
    "It may be that",
    "It is not clear that",
    "We do not hold that",
    "We cannot hold that",
    "We are asked to hold that",
    "We hold that the owner argued that",
    "I would add that it was argued that",
    "We note that the owner says that",
    "A reading of the charter by the owner suggests that",
    "A conjoint reading of the pleadings shows that the owner claimed that",
    "As the owner argued,",
    "As stated by the owner,",
    "As noted in the pleadings of the owner,",
    "As the court below wrongly held,",
    "While the river is high,",
    "While the fare is unpaid,",
    "As the tide is rising,",
    "As long as the river is high,",
    "As soon as the river is high,",
    "As between the owner and the public,",
    "As against a stranger,",
    "Since the first of May,",
    "As a rule, we hold that",
    "As the owner told the judge,",
    "In light of the argument that the rope is worn,",
    "Since the river is low until June,",
    "As the river is falling,",
    "We generally hold that",
    "It is ordinarily clear that",
    "It was held that",
    "The answer comes from Orrin, in which it was held that",
    "In such a case, we hold that",
    "On a Sunday, we hold that",
    "Concerning lame horses, we hold that",
    "For a lame horse, we find that",
    "As long as the rope is sound, we hold that",
    "As to lame horses, we hold that",
    "As to the first,",
    "As to the first ferry,",
    "On the last point of the bank,",
    "As far as mules are concerned, we hold that",
    "In considering a horse,",
    "Third, the owner argues that",
    "Second,",
    "However, it was argued that",
    "For these reasons, the owner asks us to hold that",
    "In our view, it is arguable that",
    "We note that the court below thought that",
    "It must be remembered that the owner swore that",
    "We accept for the sake of argument that",
    "We assume without deciding that",
    "We find no rule that",
    "We find it unnecessary to hold that",
    "We do not agree that",
    "We cannot accept that",
    "We hardly think that",
    "We note the argument that",
    "We note his view that",
    "We recognize the possibility that",
    "There is no doubt that the owner believes that",
    "As the court said in Orrin, which we overrule,",
    "We would hold that, on a Sunday,",
    "We hold that if the river is high",
    "The dissent would hold that",
    "Counsel reminds us that it is settled that",
    "The owner says it is settled law that",
    "The owner leaves no doubt that",
    "The plea of the owner leaves no doubt that",
    "The owner has no doubt that",
    "The letter of the owner leaves no doubt that he thinks that",
    "The charter leaves no manner of doubt that, on a Sunday,",
    "The position of the owner leaves no doubt that",
    "There can be no doubt that, if the river is high,",
    "There can be no doubt that the owner thinks that",
    "There is some doubt that",
    "It is not beyond doubt that",
    "It is hardly beyond dispute that",
    "It was beyond dispute between the owner and the ferryman that",
    "The owner argues that there can be no doubt that",
    "The owner says that it goes without saying that",
    "It cannot be said that",
    "It cannot be argued that",
    "It can be doubted that",
    "Even otherwise, on a Sunday,",
    "Even then,",
    "Again, the owner argues that",
    "Third, as the owner highlights,",
    "As the learned counsel explains,",
    "As the witness Ropers explains,",
    "As Dr. Ropers explains,",
    "As amicus Ropers argues,",
    "As amicus wrongly notes,",
    "As Congress recognized in a Bill that failed,",
    "Given notice by the owner,",
    "Given the consent of the owner,",
    "Given the chance,",
    "Given a high river,",
    "Given that the river is high,",
    "In declining to sail,",
    "In declining to carry a mule, the owner held that",
    "The owner held, dismissing the plea, that",
]
FRAMED = [
    ("As the district court concluded, “a ferryman may refuse a horse.”", "A ferryman may refuse a horse."),
    (
        "On the other hand, as the district court concluded, “a ferryman may refuse a horse.”",
        "A ferryman may refuse a horse.",
    ),
    (
        "Even though the river was low, the ferryman could refuse a horse.",
        "The ferryman could refuse a horse.",
    ),
    (
        "Notwithstanding that the fare was paid, the ferryman could refuse a horse.",
        "The ferryman could refuse a horse.",
    ),
    (
        "While it is true that the fare was paid, the ferryman could refuse a horse.",
        "The ferryman could refuse a horse.",
    ),
    ("Despite the fare, the ferryman could refuse a horse.", "The ferryman could refuse a horse."),
    (
        "As the rope was not sound, we conclude that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "Since the owner argued that the rope was sound only in part, we hold that the ferryman is "
        "liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "Because the rope was worn, the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "In view of the state of the rope, we are of the opinion that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "In light of the risk to the riders while the river was high, we conclude that the ferryman "
        "is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "With regard to the contention that the horse was not freight, we are of the view that the "
        "ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "As to the submission that the rope was sound, I am satisfied that the ferryman is liable for "
        "the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "The ferryman is liable for the horse, taking into consideration the fact that he chose the hour.",
        "The ferryman is liable for the horse.",
    ),
    (
        "A mule is not a horse but merely freight taking into consideration the fact of its owner "
        "staying ashore without a ticket.",
        "A mule is not a horse but merely freight.",
    ),
    (
        "A ferryman may refuse a beast (such as a mule) of any size.",
        "A ferryman may refuse a beast of any size.",
    ),
    ("The ferryman is liable for the horse as discussed above.", "The ferryman is liable for the horse."),
    (
        "The owner or the ferryman, as the case may be, must feed the horse.",
        "The owner or the ferryman must feed the horse.",
    ),
    ("A ferryman may refuse a horse; see Hull v Dask.", "A ferryman may refuse a horse."),
    (
        "As the ferryman was drunk, we hold that he is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    ("But in the present case, the ferryman refused a horse.", "The ferryman refused a horse."),
    (
        "In this case, the court found that the ferryman refused a horse.",
        "The court found that the ferryman refused a horse.",
    ),
    ("In Orrin, we held “that a ferryman may refuse a horse.”", "A ferryman may refuse a horse."),
    (
        "After reviewing the log, the plea of the owner, and the rope, the court hereby denies the "
        "plea of the ferryman.",
        "The court denies the plea of the ferryman.",
    ),
    ("The rope was sound; the ferryman is liable for the horse.", "The ferryman is liable for the horse."),
    ("We hold that the rope was worn; and that the ferryman was drunk.", "The ferryman was drunk."),
    ("We hold that the rope was worn; and that the ferryman was drunk.", "The rope was worn."),
    (
        "From the evidence discussed above, we find that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    ("The ferryman was drunk and rude.", "The ferryman was drunk."),
    ("The rope is old, worn and wet.", "The rope is old."),
    (
        "A ferryman may wait if the river is high, and must warn the owner.",
        "A ferryman may wait if the river is high.",
    ),
    ("The court held that the rope was old and worn.", "The court held that the rope was old."),
    (
        "Third, the owner argues that a ferryman may refuse a horse.",
        "The owner argues that a ferryman may refuse a horse.",
    ),
    (
        "Given the state of the rope, the ferryman was liable for the horse.",
        "The ferryman was liable for the horse.",
    ),
    (
        "Given that the rope was worn, the court found the ferryman liable for the horse.",
        "The court found the ferryman liable for the horse.",
    ),
    (
        "In declining to fix a fare, the court held that a ferryman may refuse a horse.",
        "The court held that a ferryman may refuse a horse.",
    ),
    (
        "In refusing the plea of the owner, the Court of Appeal noted that the rope was worn.",
        "The Court of Appeal noted that the rope was worn.",
    ),
    (
        "The cloth was wet. Held, dismissing the appeal, that the deck was sound; that the ferryman is "
        "liable for the horse; and that the fare was due.",
        "The ferryman is liable for the horse.",
    ),
    (
        "In Orrin v Hull [1999] ASC 4 (at [20] and [21]) this Court held that a ferryman may refuse a horse.",
        "The Court held that a ferryman may refuse a horse.",
    ),
    (
        "In State of Wend v. Orrin Hale & Anr., AIR 2031 SC 2766 2031 Indlaw SC 2270, this Court observed "
        "that a ferryman may refuse a horse.",
        "The Court observed that a ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull [1999] ASC 4 the Court of Appeal upheld the right of a ferryman to refuse a horse.",
        "The Court of Appeal upheld the right of a ferryman to refuse a horse.",
    ),
    (
        "In the case of Orrin (supra), the Supreme Court has held that a ferryman may refuse a horse.",
        "The Supreme Court held that a ferryman may refuse a horse.",
    ),
    (
        "The care of the rope is personal to the ferryman and cannot be delegated, so that the ferryman "
        "answers for the neglect of a skilled roper.",
        "The ferryman answers for the neglect of a skilled roper.",
    ),
    (
        "The rope was worn, so that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "The fare was not paid, with the result that the horse was left behind.",
        "The horse was left behind.",
    ),
]
LIMITED = [
    ("It is true that a ferryman may refuse a horse, but not on a Sunday.", "A ferryman may refuse a horse."),
    (
        "It is no doubt true that a ferryman may refuse a horse but the owner may appeal.",
        "A ferryman may refuse a horse.",
    ),
    ("The court below concluded, “a ferryman may refuse a horse.”", "A ferryman may refuse a horse."),
    (
        "Although the owner argued that the ferryman must wait, the horse was drowned.",
        "The ferryman must wait.",
    ),
    (
        "Although the owner claimed that the rope was worn, the deck was wet, and the horse was lame, "
        "the ferryman is liable.",
        "The deck was wet.",
    ),
    ("Even if the river is low, a ferryman may refuse a horse.", "The river is low."),
    ("As a horse is boarding, a ferryman may refuse it.", "A ferryman may refuse a horse."),
    ("As to a lame horse, the ferryman may refuse it.", "The ferryman may refuse a horse."),
    ("In view of the bank, a ferryman may refuse a horse if it is lame.", "A ferryman may refuse a horse."),
    (
        "With regard to the contention that the ferryman may refuse a horse, we are of the view that "
        "it fails.",
        "The ferryman may refuse a horse.",
    ),
    (
        "With regard to the contention that the ferryman is liable for the horse, we are of the view "
        "that the rope was sound.",
        "The ferryman is liable for the horse.",
    ),
    (
        "As to the contention that in Orrin we held that a ferryman may refuse a horse, the judge was right.",
        "A ferryman may refuse a horse.",
    ),
    (
        "As to the contention that, in Orrin, we held that a ferryman may refuse a horse, we are of "
        "the view that it was wrong.",
        "A ferryman may refuse a horse.",
    ),
    (
        "With regard to horses, we are of the view that a ferryman may refuse the fare.",
        "A ferryman may refuse horses.",
    ),
    (
        "With regard to lame horses, we are of the view that a ferryman may refuse the fare.",
        "A ferryman may refuse the fare.",
    ),
    (
        "A ferryman cannot be dismissed taking into consideration the fact that he is poor.",
        "A ferryman cannot be dismissed.",
    ),
    (
        "A judge must fix the fare, taking into consideration the fact that the river is high.",
        "A judge must fix the fare.",
    ),
    (
        "A ferryman is liable taking into consideration the fact that the rope is his, but only on a Sunday.",
        "A ferryman is liable.",
    ),
    ("A ferryman may refuse a beast such as a mule.", "A ferryman may refuse a beast."),
    (
        "A ferryman may refuse a horse as discussed in the charter with the owner.",
        "A ferryman may refuse a horse.",
    ),
    (
        "That is a matter of the hire of the ferry; it is implied unless the charter clearly excludes it.",
        "The matter of the hire of the ferry is implied unless the charter clearly excludes it.",
    ),
    ("That is a question of the rope; it must be sound.", "The question of the rope must be sound."),
    ("This is the fare of the ferry. It is due on landing.", "The fare of the ferry is due on landing."),
    ("The owner bought the ferry. The rope was worn.", "The owner bought the rope."),
    ("The owner sold the horse; the ferryman fed the mule.", "The owner fed the mule."),
    ("A ferryman who carries a horse must feed it.", "A ferryman must feed a horse."),
    ("A ferryman which proposes to sell a horse must warn its owner.", "A ferryman must warn its owner."),
    (
        "A worn rope does not of itself make the ferryman liable.",
        "A worn rope does not make the ferryman liable.",
    ),
    (
        "A worn rope cannot by itself make the ferryman liable.",
        "A worn rope cannot make the ferryman liable.",
    ),
    (
        "A worn rope alone does not make the ferryman liable.",
        "A worn rope does not make the ferryman liable.",
    ),
    ("A ferryman is ordinarily liable for a horse.", "A ferryman is liable for a horse."),
    ("A ferryman is merely liable for a horse.", "A ferryman is liable for a horse."),
    ("A ferryman is prima facie liable for a horse.", "A ferryman is liable for a horse."),
    ("A ferryman is usually liable for a horse.", "A ferryman is liable for a horse."),
    ("A ferryman is in general liable for a horse.", "A ferryman is liable for a horse."),
    (
        "Because the owner argued that a ferryman may refuse a horse, the case was sent back.",
        "A ferryman may refuse a horse.",
    ),
    (
        "Because a ferryman may, on a Sunday, refuse a horse, the claim fails.",
        "A ferryman may refuse a horse.",
    ),
    (
        "The ferryman is not liable because the rope was worn but because he was drunk.",
        "The ferryman is not liable.",
    ),
    ("The ferryman is not liable because he was drunk.", "The ferryman is not liable."),
    ("Although not every ferryman is bound to carry, some are.", "Every ferryman is bound to carry."),
    (
        "Because the ferryman was drunk, the owner said he is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "Because the owner and the ferryman were drunk, he is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "A ferryman may refuse a horse. However, on a Sunday he must carry it.",
        "A ferryman may refuse a horse.",
    ),
    ("A ferryman may refuse a horse. But on a Sunday he must carry it.", "A ferryman may refuse a horse."),
    (
        "A ferryman may refuse a horse. But in the present case he had to carry it.",
        "A ferryman may refuse a horse.",
    ),
    ("It is true that a ferryman may refuse a horse. But a colt is none.", "A ferryman may refuse a horse."),
    ("But for the rope, the ferryman is liable for the horse.", "The ferryman is liable for the horse."),
    ("In this case, the ferryman may refuse a horse.", "The ferryman may refuse a horse."),
    (
        "The Ferries Act provides penalties that a court may impose on the ferryman.",
        "A court may impose on the ferryman.",
    ),
    ("We may find that the ferryman is liable for the horse.", "The ferryman is liable for the horse."),
    (
        "With regard to the contention that on a Sunday the ferryman is free, we hold that he may "
        "refuse a horse.",
        "The ferryman may refuse a horse.",
    ),
    (
        "Despite his plea, which the owner denied, the ferryman may refuse a horse.",
        "The ferryman may refuse a horse.",
    ),
    ("After considering the plea, the court may refuse a horse.", "The court may refuse a horse."),
    (
        "There are facts which point to neglect: that the rope was worn; that the deck was wet; and "
        "that the ferryman was drunk.",
        "The ferryman was drunk.",
    ),
    (
        "But there are facts which, together, point to neglect: that the rope was worn; that the deck "
        "was wet.",
        "The deck was wet.",
    ),
    (
        "The owner must prove that the rope was worn; and that the ferryman was drunk.",
        "The ferryman was drunk.",
    ),
    (
        "A judge looks to three things: the rope was worn; the deck was wet; the ferryman was drunk.",
        "The ferryman was drunk.",
    ),
    (
        "The owner contends that the rope was worn; and that the ferryman was drunk.",
        "The ferryman was drunk.",
    ),
    (
        "The owner must show that the rope was worn; and that the ferryman was drunk.",
        "The owner must show that the rope was worn.",
    ),
    (
        "The owner must show that the rope was worn; that the deck was wet; and that the ferryman was drunk.",
        "The owner must show that the rope was worn.",
    ),
    (
        "The owner must show that the rope was worn; that the deck was wet; and that the ferryman was drunk.",
        "The owner must show that the rope was worn and that the ferryman was drunk.",
    ),
    (
        "It is not a breach of the charter of the old ferry for a ferryman to refuse a horse.",
        "The ferryman is not a breach of the charter of the old ferry for a ferryman to refuse a horse.",
    ),
    (
        "It is not the official duty of the ferryman of the old town to refuse a horse.",
        "The ferryman is not the official duty of the ferryman of the old town to refuse a horse.",
    ),
    ("A sober and honest ferryman may refuse a horse.", "A sober ferryman may refuse a horse."),
    ("A ferryman must be sober and honest.", "A ferryman must be honest."),
    ("A ferryman is liable if the rope is old and worn.", "A ferryman is liable if the rope is old."),
    ("A ferryman is liable if the rope is old and worn.", "A ferryman is liable if the rope is worn."),
    ("The rope is not old and worn.", "The rope is not old."),
    ("The rope is both old and worn.", "The rope is worn."),
    ("The wager lies between the owner and the ferryman.", "The wager lies between the owner."),
    ("The ferryman and the owner jointly refused a horse.", "The ferryman jointly refused a horse."),
    ("The ferryman and the owner are liable together.", "The ferryman is liable together."),
    ("To be safe, the rope is new and dry.", "To be safe, the rope is dry."),
    ("No rope is old and worn.", "No rope is old."),
    ("A contract consists of offer and acceptance.", "A contract consists of acceptance."),
    (
        "A lawful crossing requires a sober and honest ferryman.",
        "A lawful crossing requires a sober ferryman.",
    ),
    ("Two ropes are old and worn.", "Two ropes are worn."),
    ("A ferryman may refuse a horse that is old and lame.", "A ferryman may refuse a horse that is old."),
    (
        "A ferryman may refuse a horse with a bridle and a saddle.",
        "A ferryman may refuse a horse with a bridle.",
    ),
    (
        "A ferryman is liable if the rope is old, worn, and wet.",
        "A ferryman is liable if the rope is old, worn.",
    ),
    (
        "A ferryman is liable if the horse is on the ferry and in his care.",
        "A ferryman is liable if the horse is on the ferry.",
    ),
    (
        "A ferryman is liable if the rope is old and the deck is wet.",
        "A ferryman is liable if the rope is old.",
    ),
    (
        "A ferryman is liable when the rope is old and has been used.",
        "A ferryman is liable when the rope is old.",
    ),
    (
        "A ferryman must pay an owner who is sober and has a ticket.",
        "A ferryman must pay an owner who is sober.",
    ),
    ("A ferryman may sail only with a mate and a boy.", "A ferryman may sail only with a mate."),
    ("A ferryman is liable for a rope, if old and worn.", "A ferryman is liable for a rope, if old."),
    ("The owner makes two arguments. First, the rope was worn.", "The rope was worn."),
    (
        "The owner must show two things. First, the rope was worn. Second, the deck was wet.",
        "The deck was wet.",
    ),
    (
        "As the ferryman is a common carrier, the owner contends, the horse must be carried.",
        "The horse must be carried.",
    ),
    (
        "Although the rope was worn, it is argued that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    ("I agree with the owner’s opinion that a ferryman may refuse a horse.", "A ferryman may refuse a mule."),
    (
        "Despite the rule that a ferryman may refuse a horse, the mule was carried.",
        "A ferryman may refuse a horse.",
    ),
    ("We hold only that a ferryman may refuse a horse.", "A ferryman may refuse the fare."),
    (
        "He argues as follows. It is settled law that a mule may swim.",
        "It is settled law that a ferryman may refuse a horse.",
    ),
    ("Although, as the owner says, the rope is old, a ferryman may refuse a horse.", "The rope is old."),
    (
        "However, owing to the weather, Dr. Orme stated that K.T. should stay on the ferry.",
        "K.T. should stay on the ferry.",
    ),
    (
        "Owing to the weather, Dr. Orme stated that K.T. should stay on the ferry.",
        "K.T. should stay on the ferry.",
    ),
    ("Dr. Orme stated that K.T. should stay on the ferry.", "K.T. should stay on the ferry."),
    ("Given the right river, the ferryman is liable for the horse.", "The ferryman is liable for the horse."),
    (
        "Given the consent of the owner, the ferryman was free to refuse a horse if it was lame.",
        "The ferryman was free to refuse a horse.",
    ),
    (
        "Given the plea that a ferryman may refuse a horse, the court was right to fix a fare.",
        "A ferryman may refuse a horse.",
    ),
    (
        "In refusing the plea that a ferryman may refuse a horse, the court held that the rope was worn.",
        "A ferryman may refuse a horse.",
    ),
    (
        "In refusing the plea, the lower court held that a ferryman may refuse a horse.",
        "A ferryman may refuse a horse.",
    ),
    (
        "Third, as amicus Ropers notes, a ferryman may refuse a horse if it is lame.",
        "A ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull [1999] ASC 4 the Court of Appeal held that a ferryman may refuse a horse.",
        "A ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull [1999] ASC 4 the owner argued that a ferryman may refuse a horse.",
        "The owner argued that a ferryman may refuse a horse on a Sunday.",
    ),
    (
        "In Orrin v Hull [1999] ASC 4 the Court of Appeal held that a ferryman may refuse a horse if it "
        "is lame.",
        "The Court of Appeal held that a ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull [1999] ASC 4 the Court of Appeal did not hold that a ferryman may refuse a horse.",
        "The Court of Appeal held that a ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull [1999] ASC 4, which we overrule, the Court of Appeal held that a ferryman may "
        "refuse a horse.",
        "The Court of Appeal held that a ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull [1999] ASC 4, on a Sunday, the Court of Appeal held that a ferryman may refuse "
        "a horse.",
        "A ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull the Court of Appeal held that the owner had argued that a ferryman may refuse "
        "a horse.",
        "The Court of Appeal held that a ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull the owner told the Court of Appeal that it had held that a ferryman may refuse "
        "a horse.",
        "The Court of Appeal held that a ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull the lower court held that a ferryman may refuse a horse.",
        "A ferryman may refuse a horse.",
    ),
    (
        "In Orrin v Hull the High Court held that a ferryman may refuse a horse and the Court of Appeal "
        "held that he may not.",
        "The Court of Appeal held that a ferryman may refuse a horse.",
    ),
    (
        "The rope must be sound, so that the horse is safe.",
        "The horse is safe.",
    ),
    (
        "The rope was mended, so that the ferryman may refuse a horse.",
        "The ferryman may refuse a horse.",
    ),
    (
        "The rope was mended, so that the horse could be carried.",
        "The horse could be carried.",
    ),
    (
        "The rope was mended, so that the horse should be safe.",
        "The horse should be safe.",
    ),
    (
        "The ferryman mends the rope so that the horse is safe.",
        "The horse is safe.",
    ),
    (
        "If the rope is worn, the ferry stops, so that the horse stays on the bank.",
        "The horse stays on the bank.",
    ),
    (
        "The ferry stops if the rope is worn, so that the horse stays on the bank.",
        "The horse stays on the bank.",
    ),
    (
        "The ferry stops on a Sunday, so that the horse stays on the bank.",
        "The horse stays on the bank.",
    ),
    (
        "On a Sunday the ferry stops, so that the horse stays on the bank.",
        "The horse stays on the bank.",
    ),
    (
        "The owner argued that the rope was worn, so that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "The owner contends, so that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "The ferryman who drinks is unfit, so that the ferry is unlawful.",
        "The ferry is unlawful.",
    ),
    (
        "A ferryman is then unfit, so that the ferry is unlawful.",
        "The ferry is unlawful.",
    ),
    (
        "The owner had to show that the rope was worn, so that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "The rope was worn, so that the ferryman is liable for the horse if it drowns.",
        "The ferryman is liable for the horse.",
    ),
    (
        "The rope was worn, so that it is unlawful.",
        "The horse is unlawful.",
    ),
    (
        "The rope would be worn, so that the ferryman is liable for the horse.",
        "The ferryman is liable for the horse.",
    ),
    (
        "The rope was so worn, that the ferryman is liable for the horse.",
        "The ferryman is liable for the mule.",
    ),
    (
        "In Orrin v. Hull, AIR 1962 SC 1139, this Court observed that a ferryman may refuse a horse.",
        "A ferryman may refuse a horse.",
    ),
    ("Park stated that he should remain in the hospital.", "He should remain in the hospital."),
    ("Park thus held that he should remain in the hospital.", "He should remain in the hospital."),
]


@pytest.mark.parametrize("opening", OPENINGS)
def test_an_opening_behind_which_the_text_asserts_may_be_left_out(opening: str) -> None:
    check(f"{opening} {STATEMENT}", STATEMENT.capitalize(), stands=True)


@pytest.mark.parametrize("opening", LIMITS)
def test_an_opening_that_limits_or_reports_may_not(opening: str) -> None:
    check(f"{opening} {STATEMENT}", STATEMENT.capitalize(), stands=False)


@pytest.mark.parametrize(("quotation", "sentence"), FRAMED)
def test_reasons_concessions_and_asides_may_be_left_out(quotation: str, sentence: str) -> None:
    check(quotation, sentence, stands=True)


@pytest.mark.parametrize(("quotation", "sentence"), LIMITED)
def test_what_turns_limits_or_belongs_to_another_clause_may_not(quotation: str, sentence: str) -> None:
    check(quotation, sentence, stands=False)
