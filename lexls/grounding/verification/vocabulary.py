"""The closed lists of the verification: what a sentence may say in words of its own, what turns sense."""

from __future__ import annotations

from lexls.text.words import words

REPORTING = words(
    """
    according accordingly add added adds answer answers authorities authority because case cases conclude
    concluded concludes conclusion confirm confirmed confirms consequently consider considered considers
    court courts decide decided decides decision evidence explain explained explains find finds found held
    hence hold holding holds judge judges judgment judgments note noted notes observe observed observes
    passage passages proposition provide provides question reason reasoned reasons rule ruled rules say
    saying says said sentence specifically state stated states statement support supported supports text
    therefore thus
    """
)
"""Words of reporting and connecting, which say that something is said and not what. Around what it reports
("The court held that …", "…, the judge said") a sentence may have them though its evidence has not; every
other word that carries meaning must stand in the evidence or the question."""

QUANTIFIERS = words(
    """
    all every each both most some few more fewer less least before after until above below against always
    sometimes often rarely usually once further another other same
    """
)
"""Function words that weigh: a sentence has one only if its evidence has it."""

NEGATIONS = words(
    """
    not no never nor neither none nothing nobody nowhere cannot without hardly scarcely barely rarely seldom
    dont doesnt didnt cant wont wouldnt shouldnt couldnt isnt arent wasnt werent hasnt havent hadnt mustnt
    neednt mightnt shant aint false falsely deny denies denied denying fail fails failed failing lack lacks
    lacked lacking refuse refuses refused refusing reject rejects rejected rejecting prohibit prohibits
    prohibited forbid forbids forbidden prevent prevents prevented preclude precludes precluded
    """
)
"""Words that turn what stands behind them, or before them, into its contrary."""

EXCEPTIONS = words(
    "unless except excepting excluding save saving notwithstanding subject provided only solely merely"
)
"""Words by which a statement is limited; some of them only as in ``EXCEPTION_PHRASES``."""

EXCEPTION_PHRASES = {
    "save": words("that as for where in to by with if"),
    "saving": words("that as for where in to by with if"),
    "subject": words("to"),
    "provided": words("that always however"),
}
"""Words that must follow those that are exceptions only then."""

HARMLESS = (
    ("not", "only"), ("no", "doubt"), ("whether", "or", "not"), ("not", "least"),
    ("not", "merely"), ("if", "not"), ("not", "simply"), ("not", "just"), ("not", "solely"),
)  # fmt: skip
"""Phrases with a negation that turns nothing."""

MODALS = {
    "shall": "duty", "must": "duty", "may": "power", "can": "power", "might": "power", "could": "power",
    "should": "advice", "ought": "advice", "will": "will", "would": "will",
    "cannot": "power", "cant": "power", "mustnt": "duty", "shant": "duty", "couldnt": "power",
    "mightnt": "power", "shouldnt": "advice", "wont": "will", "wouldnt": "will",
}  # fmt: skip
"""Modal verbs by what they say: a duty, a power, advice, or what will be."""

PARTIES = words(
    """
    plaintiff defendant appellant respondent claimant petitioner applicant complainant accused prosecution
    prosecutor landlord tenant lessor lessee buyer seller purchaser vendor lender borrower licensor licensee
    mortgagor mortgagee employer employee insurer insured principal agent carrier shipper consignee consignor
    owner charterer master creditor debtor trustee beneficiary donor donee assignor assignee guarantor
    surety bailor bailee contractor subcontractor client customer supplier distributor company
    government union wife husband parent child father mother son daughter victim driver doctor patient
    """
)
"""Nouns for who stands on which side: it matters who does what to whom."""

IRREGULAR = {
    "paid": "pay", "held": "hold", "left": "leave", "given": "give", "gave": "give", "made": "make",
    "taken": "take", "took": "take", "brought": "bring", "sold": "sell", "bought": "buy", "lost": "lose",
    "found": "find", "kept": "keep", "knew": "know", "known": "know", "borne": "bear", "bore": "bear",
    "arose": "arise", "arisen": "arise", "began": "begin", "begun": "begin", "broke": "break",
    "broken": "break", "chose": "choose", "chosen": "choose", "done": "do", "drew": "draw", "drawn": "draw",
    "fell": "fall", "fallen": "fall", "forbade": "forbid", "forbidden": "forbid", "grew": "grow",
    "led": "lead", "lent": "lend", "meant": "mean", "met": "meet", "rose": "rise", "risen": "rise",
    "sent": "send", "set": "set", "shown": "show", "sought": "seek", "spoke": "speak", "spoken": "speak",
    "stood": "stand", "struck": "strike", "swore": "swear", "sworn": "swear", "taught": "teach",
    "thought": "think", "told": "tell", "understood": "understand", "went": "go", "gone": "go", "won": "win",
    "withdrew": "withdraw", "withdrawn": "withdraw", "wrote": "write", "written": "write",
}  # fmt: skip
"""Past forms that no stemmer takes to their verb."""
