"""A matrix of case names: each written in ways that are declared the same, and altered so that it is not.

The names are invented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NAMES: tuple[tuple[str, ...], ...] = (
    # A title, and what else it may be called beside what `list_equivalents` derives from every name.
    ("Brackwell v Tormond", "Brackwell", "In re Tormond"),
    ("Jane Alice Brackwell v Tormond", "J.A. Brackwell v Tormond", "Brackwell v Tormond"),
    (
        "Hestermoor Shipping Company Limited v Quillfeather Brothers",
        "Hestermoor Shipping Co. v Quillfeather Bros.",
    ),
    ("Gannock Properties Ltd v Wenlow Industries plc", "Gannock Props. v Wenlow Indus.", "Gannock v Wenlow"),
    ("Pellworth & Sons Ltd v The Mayor of Stannick", "Pellworth and Sons v Mayor of Stannick"),
    (
        "National Grain Association v Department of Tides",
        "Nat'l Grain Ass'n v Dep't of Tides",
        "NGA v Department of Tides",
    ),
    (
        "In re Estate of Orwin Talbreck",
        "Re Estate of Orwin Talbreck",
        "In the matter of the Estate of Orwin Talbreck",
    ),
    ("Ex parte Mellowby", "Re Mellowby", "Mellowby"),
    ("Re Hollanby (A Child)", "In re Hollanby", "Hollanby (A Child)"),
    ("Marriage of Tessimond", "In re Marriage of Tessimond", "In re the Marriage of Tessimond"),
    ("State of Aldmoor v Rendalson", "State v Rendalson", "State of Aldmoor v. Rendalson and Others"),
    ("United States of America v Corvanek", "United States v Corvanek", "U.S. v. Corvanek", "US v Corvanek"),
    ("R v Lathbridge", "Regina v Lathbridge", "The Queen v Lathbridge", "Rex v Lathbridge"),
    (
        "R (on the application of Tolverne) v Harbour Board",
        "R (Tolverne) v Harbour Board",
        "R v Harbour Board, ex p Tolverne",
    ),
    ("State ex rel. Vickerman v Dolbear", "State on relation of Vickerman v Dolbear"),
    ("Secretary of State for the Home Department v Zeldin", "SSHD v Zeldin", "Home Secretary v Zeldin"),
    ("Commissioner of Internal Revenue v Fanthorpe", "Commissioner v Fanthorpe", "Comm'r v Fanthorpe"),
    ("Director of Public Prosecutions v Ickworth", "DPP v Ickworth"),
    ("Ferrandine et al. v Castlemayne", "Ferrandine v Castlemayne"),
    ("Skelbrooke, Hartwith & Dunmow v Orlestone", "Skelbrooke v Orlestone", "Skelbrooke et al. v Orlestone"),
    (
        "Venkatappan Iyengar Murthy v State of Tollen",
        "V. I. Murthy v State of Tollen",
        "Venkatappan Iyengar Murthy vs. State of Tollen & Anr.",
    ),
    (
        "Smt. Kalavanti Bhosale v Union of Indra",
        "Kalavanti Bhosale v Union of Indra",
        "Kalavanti Bhosale v U.O.I.",
    ),
    ("M/s. Jeevanram Textiles Pvt. Ltd. v Collector of Customs", "Jeevanram Textiles v Collector of Customs"),
    (
        "Ramaswari @ Ponnathal v Gurubasappa",
        "Ponnathal v Gurubasappa",
        "Ramaswari alias Ponnathal v Gurubasappa",
    ),
    ("Sivaraman (dead) by LRs v Thangavelu", "Sivaraman v Thangavelu"),
    ("Oakshott-Perrin v Lindqvist", "Oakshott Perrin v Lindqvist"),
    ("O'Callister v D'Amberley", "O’Callister v D’Amberley", "OCallister v D'Amberley"),
    ("McAllendine v St. Orrin's Hospital Trust", "M'Allendine v Saint Orrin's Hosp. Trust"),
    ("Müllerhoff v Dvořáček", "Mullerhoff v Dvoracek"),
    ("T.R. Wexcombe v B. K. Nordelph", "T R Wexcombe v BK Nordelph", "Wexcombe v Nordelph"),
    ("Grimsdyke, Executor of the Estate of Parlow v Etherow", "Grimsdyke v Etherow"),
    ("Commodity Tides Trading Commission v Blenkarne", "CTTC v Blenkarne", "C.T.T.C. v Blenkarne"),
    ("Eastern Wolverton Railway v Pacific Salt Corporation", "E. Wolverton Ry. v Pac. Salt Corp."),
    (
        "Reed, Michael Anselm v Bellhanger, Alexis",
        "Michael Anselm Reed v Alexis Bellhanger",
        "Reed v Bellhanger",
    ),
    ("Tannerbrook (No 2) v Coldharbour", "Tannerbrook v Coldharbour"),
    ("Fenwither v Attorney General", "Fenwither v Attorney-General", "Fenwither v Att'y Gen."),
    ("Penhallow's Application", "Re Penhallow", "In re Penhallow's Application"),
    (
        "First Meridian Bank of Stannick v Lowther",
        "First Meridian Bank v Lowther",
        "1st Meridian Bank v Lowther",
    ),
    ("Wraxford Chemical Works Inc. v Nantucket Fisheries, LLC", "Wraxford Chem. Works v Nantucket Fisheries"),
    ("People of the State of Aldmoor v Quennell", "People v Quennell"),
    ("Hazelrigg v Transport Workers Union, Local 838", "Hazelrigg v Transp. Workers Union, Local 838"),
    (
        "Isadora Kettlewell v Margate Theatre Co",
        "Isadora Kettlewell v Margate Theatre",
        "I. Kettlewell v Margate Theatre Co.",
    ),
    ("Dungannon Engineering (P) Ltd v Zaverchand", "Dungannon Eng'g v Zaverchand"),
    ("Wilberfoss Insurance Society v Amherst Pension Fund", "Wilberfoss Ins. Soc. v Amherst Pension Fund"),
    ("The Sarvanta Star", "Sarvanta Star"),
    (
        "Thistlemead Dredging Co Ltd v Yarborough Harbour Commissioners",
        "Thistlemead Dredging Co v Yarborough Harbour Commissioners",
        "Thistlemead v Yarborough Harbour Comm'rs",
    ),
    (
        "Quorndale v. International Brotherhood of Ferrymen",
        "Quorndale v. Int'l Bhd. of Ferrymen",
        "Quorndale v. International Brotherhood of Ferrymen, et al.",
    ),
    (
        "In re Guardianship of Wendeline Ashcombe",
        "Re Guardianship of Wendeline Ashcombe",
        "Guardianship of Wendeline Ashcombe",
    ),
    (
        "United States ex rel. Brockhurst v. Telmont Laboratories, Inc.",
        "U.S. ex rel. Brockhurst v. Telmont Labs.",
        "United States ex rel. Brockhurst v. Telmont Laboratories",
    ),
    ("Attorney General of Aldmoor v Pemberwick", "Attorney General v Pemberwick", "Att'y Gen. v Pemberwick"),
    (
        "Lakshminarasimhan Pillai (D) by LRs & Ors. v State of Tollen & Anr.",
        "Lakshminarasimhan Pillai v State of Tollen",
        "Lakshminarasimhan Pillai v Tollen",
    ),
    (
        "Khurshid Mehrabani v Municipal Corporation of Greater Velpur",
        "Khurshid Mehrabani v Mun. Corp. of Greater Velpur",
        "K. Mehrabani v Municipal Corporation of Greater Velpur",
    ),
    (
        "D'Arblaymont & Co v O'Hennessey-Vance",
        "D’Arblaymont and Co v O’Hennessey Vance",
        "D'Arblaymont v O'Hennessey-Vance",
    ),
    (
        "Trustees of St. Wilfred's College v Inland Revenue Commissioners",
        "Trustees of Saint Wilfred's College v IRC",
    ),
    ("R v Crispin Hallworthy", "R v Hallworthy", "Rex v C. Hallworthy", "The King v Hallworthy"),
    (
        "Environmental Harbour Agency v Strickland Petroleum Refining Corp",
        "EHA v Strickland Petroleum Refining Corp",
        "E.H.A. v Strickland Petrol. Ref. Corp.",
    ),
    ("Nørgaardsen v Société Bélanger", "Norgaardsen v Societe Belanger"),
    ("Ng Wei Ling v Tanjong Rubber Estates Sdn", "Ng Wei Ling v Tanjong Rubber Estates"),
    (
        "Southern Pacific Lumber Company v Wm. Dunstable & Sons",
        "S. Pac. Lumber Co. v William Dunstable & Sons",
    ),
    ("Ex parte The Marchwood Friendly Society", "Re Marchwood Friendly Society", "Marchwood Friendly Soc'y"),
)

_SIDES = re.compile(r"\s(?:v|vs\.?)\s")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SUFFIXES = {
    "Limited": "Ltd",
    "Ltd": "Limited",
    "Company": "Co.",
    "Corporation": "Corp.",
    "Inc.": "Incorporated",
}
_OFFICES = frozenset({"State", "R", "People", "Commissioner", "Regina", "DPP", "SSHD"})
_PARTY = "Zimmerlaken"
"""A party of none of the names."""


@dataclass(frozen=True, slots=True)
class Alteration:
    """A name that is not that of the title, and what was changed."""

    kind: str
    written: str
    title: str


def list_equivalents(name: tuple[str, ...]) -> Iterator[str]:
    """Ways of writing a name that are declared the same."""
    for each in name:
        yield each
        yield each.upper()
        yield each.replace("'", "’")
        yield each.replace(" and ", " & ") if " & " not in each else each.replace(" & ", " and ")
        for versus in ("v.", "vs", "versus", "-against-"):
            yield _SIDES.sub(f" {versus} ", each)
        if not each.startswith(("In ", "Re ", "Ex ", "R ", "The ")):
            yield f"The {each}"
    title = name[0]
    for long, short in _SUFFIXES.items():
        yield re.sub(rf"\b{re.escape(long)}(?!\w)", short, title)
    sides = _SIDES.split(title)
    if len(sides) == 2 and not title.startswith("R ("):
        yield f"{sides[1]} v {sides[0]}"
        yield f"{title} & Ors"
        yield f"{sides[0]} and another v {sides[1]}, et al."


def list_misspellings(title: str) -> Iterator[Alteration]:
    """The name with one word spelt otherwise: a letter dropped, doubled, swapped or replaced, the number."""
    for found in _WORD.finditer(title):
        word = found[0]
        if word == "LRs":  # one representative or several
            continue
        spellings = {("number", _change_number(word))}
        for at in sorted({0, 1, len(word) // 2, len(word) - 2, len(word) - 1}):
            before, letter, after = word[:at], word[at], word[at + 1 :]
            spellings.add(("dropped", before + after))
            spellings.add(("doubled", before + letter + letter + after))
            spellings.add(("replaced", before + "x" + after))
            if after and letter.casefold() != after[0].casefold():
                spellings.add(("swapped", before + after[0] + letter + after[1:]))
        for kind, spelling in sorted(each for each in spellings if each[1] != word):
            yield Alteration(kind, title[: found.start()] + spelling + title[found.end() :], title)


def list_other_names(title: str) -> Iterator[Alteration]:
    """The name with another party, without one that it needs, or with another given name."""
    sides = _SIDES.split(title)
    if len(sides) == 1:
        yield Alteration("party", re.sub(r"\w+(?=\W*(?:\(.*\))?\Z)", _PARTY, title), title)
        return
    first, second = sides
    yield Alteration("party", f"{_PARTY} v {second}", title)
    yield Alteration("party", f"{first} v {_PARTY}", title)
    yield Alteration("parties", f"{_PARTY} v {_PARTY[::-1].capitalize()}", title)
    yield Alteration("added", f"{title} and {_PARTY}", title)
    for side in sides:
        word = max(_WORD.findall(side), key=len, default="")
        if word:
            one, other = (each.replace(word, _double(word)) for each in sides)
            yield Alteration("turned and misspelt", f"{other} v {one}", title)
        if side in _OFFICES:
            yield Alteration("office alone", side, title)
    for given in ("Jane", "Michael", "Venkatappan", "Kalavanti", "Isadora", "Orwin", "J.A.", "T.R."):
        if given in title:
            other = "Q.X." if "." in given else "Wolfgang"
            yield Alteration("given name", title.replace(given, other), title)
    if title.startswith("Skelbrooke"):
        yield Alteration("first of several", title.removeprefix("Skelbrooke, "), title)


def _change_number(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _double(word: str) -> str:
    return word[:2] + word[1:]
