"""Words that weigh differently when a quotation has another one."""

from __future__ import annotations

from lexls.text.words import words

NEGATIONS = words(
    """
    not no never nor neither none nothing nobody nowhere cannot without unless except excepting excluding
    hardly scarcely barely rarely seldom only solely dont doesnt didnt cant wont wouldnt shouldnt couldnt isnt
    arent wasnt werent hasnt havent hadnt mustnt neednt mightnt shant aint false deny denies denied
    fail fails failed lack lacks lacked refuse refuses refused until
    """
)
"""Words that turn or limit a statement."""

SWALLOWED = words(
    """
    not no never nor neither none nothing cannot without unless except excepting hardly scarcely only dont
    doesnt didnt cant wont wouldnt shouldnt couldnt isnt arent wasnt werent hasnt havent hadnt mustnt neednt
    mightnt shant
    """
)
"""Words that an ellipsis should not leave out of the clause that it stands in."""

MODALS = words("shall may must will should would can could might ought need needs")

TENSES = {"would": "will", "could": "can", "might": "may", "needs": "need"}
"""Modal verbs in reported speech, with the form they stand for."""

FUNCTION = words(
    """
    a an the this that these those such said same
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs who whom
    whose which what there here one ones oneself itself himself herself themselves
    of in on at by for with to from as into onto upon unto about than then thus so too also
    within through throughout during among amongst between toward towards against under concerning
    regarding per via
    is are was were be been being am has have had having do does did doing done
    and but yet hence therefore thereof thereby therein thereto hereby herein hereof wherein whereby
    whereas while when where how why though although however moreover further furthermore indeed
    very just even still again already both
    """
)
"""Words whose change rarely alters what a sentence says; "or", "if", "all" and "any" are not here."""

NUMBER_WORDS: dict[str, str] = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
    "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19",
    "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70",
    "eighty": "80", "ninety": "90", "hundred": "100", "thousand": "1000", "million": "1000000",
    "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th",
    "eighth": "8th", "ninth": "9th", "tenth": "10th", "twice": "twice", "half": "half",
}  # fmt: skip
"""Numbers in words, with the way they are written in figures."""

SAME: dict[str, str] = {
    "§": "section", "§§": "sections", "¶": "paragraph", "¶¶": "paragraphs", "&": "and", "%": "percent",
}  # fmt: skip
"""Signs, with the word that they stand for."""

ABBREVIATED: dict[str, str] = {
    "sec": "section", "secs": "sections", "para": "paragraph", "paras": "paragraphs", "art": "article",
    "s": "section", "ss": "sections", "sect": "section", "sects": "sections", "arts": "articles", "vs": "v",
    "versus": "v", "govt": "government", "dept": "department", "honble": "honourable", "cl": "clause",
    "reg": "regulation", "cmte": "committee", "assn": "association", "ors": "others", "anr": "another",
}  # fmt: skip
"""Abbreviations, with the word that they stand for."""
