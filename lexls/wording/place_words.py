"""Name authorities and places in them as they are cited, and show their words as plain text."""

from __future__ import annotations

import re
from typing import cast

from lexls.citations.courts import write_court_and_year
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import PinpointKind
from lexls.index.records import Authority
from lexls.text.dates import write_date
from lexls.text.phrases import load_phrases
from lexls.wording.markdown import fold

_PHRASES = load_phrases(__package__, "phrases.toml")
_NAMED = re.compile(r"Sch|[A-Z][a-z]{3}")
SUBSECTION = re.compile(r"\s{0,40}\((\d{1,3}[A-Z]?)\)\s{1,40}(?=\S)")
"""The number that a subsection begins with."""


def write_pinpoint(kind: PinpointKind, label: str, jurisdiction: str = "") -> str:
    """A place as it is cited: "[23]", "page 5", "s 12(2)" ("§ 12(2)" in America), "reg 4", "clause 7"; what
    has a name of its own by that: "Sch 2", "Appendix A"."""
    if kind in ("section", "regulation", "clause") and _NAMED.match(label):
        return label
    if kind == "paragraph" and ":" in label:  # the line of a transcript
        return label
    forms: dict[str, str] = {**_PHRASES["places"], **find_jurisdiction(jurisdiction).places}
    return forms.get(kind, "{}").format(label)


def find_pinpoint_kind(authority: Authority) -> PinpointKind:
    """Return what the labels of an authority's passages are called when they are cited."""
    return cast("PinpointKind", _PHRASES["labels"].get(authority.kind, "paragraph"))


def cite_place(authority: Authority, label: str, page: int) -> str:
    """Return where a piece of an authority stands, as it is cited; "" if it has neither number nor page.

    ``label`` is the numbered paragraph or section ("" if none), ``page`` the page (0 if none).
    """
    if label and not (authority.kind == "case" and is_cited_by_page(authority)):
        return write_pinpoint(find_pinpoint_kind(authority), label, authority.jurisdiction)
    return f"page {page}" if page else ""


_VOLUME = re.compile(r"(?!(?:1[89]|20)\d\d\s)\d{1,4}\s+[A-Z]")


def is_cited_by_page(authority: Authority) -> bool:
    """Return whether nobody cites paragraphs of a case though its copy numbers some: one in a volume of a
    report, where courts do not number them ("641 F. Supp. 2d 913", but "2018 CO 3, ¶ 12")."""
    numbered = find_jurisdiction(authority.jurisdiction).numbers_paragraphs
    return not numbered and _VOLUME.match(authority.citation) is not None


def find_label(authority: Authority, label: str, text: str) -> str:
    """The label of the place where ``text``, in the section ``label``, begins: with its subsection, if that
    begins there with its number."""
    if authority.kind not in ("statute", "regulation") or not label or "(" in label:
        return label
    number = SUBSECTION.match(text)
    return f"{label}({number[1]})" if number is not None else label


def join_citation(name: str, citation: str, jurisdiction: str) -> str:
    """A name and its citation in words: with a comma between them where a place's cases end in court and year
    ("Carrow v. Luff, 12 F.3d 34"); the name alone where it has the citation."""
    if not citation or citation in name:
        return name
    comma = name and citation[0].isdigit() and find_jurisdiction(jurisdiction).customs.court_and_year
    return f"{name}{',' if comma else ''} {citation}".strip()


def ends_in_court(authority: Authority) -> bool:
    """Return whether a citation of the authority ends in court and year, behind its pinpoint: American
    cases."""
    return authority.kind == "case" and find_jurisdiction(authority.jurisdiction).customs.court_and_year


def is_slip_opinion(authority: Authority) -> bool:
    """Return whether a case is known by its docket and date alone, in a place that cites slip opinions by
    these."""
    return ends_in_court(authority) and not authority.citations and bool(authority.docket and authority.date)


def write_court(authority: Authority) -> str:
    """The court and year in which a citation of the authority ends, "" where it ends in neither."""
    if not ends_in_court(authority):
        return ""
    return write_court_and_year(authority.citation, authority.court, authority.date)


def cite_authority(authority: Authority, place: str = "") -> str:
    """The authority in words, as far as it is known: title and preferred citation, and a place in it.

    "Carrow v Luff [2014] ASC 12 at [23]", "Carriage of Goods Act 1994, s 12"; American cases with court and
    year, "Carrow v. Luff, 12 F.3d 34, page 36 (9th Cir. 1994)".
    """
    name = " ".join(authority.name.split())
    if authority.citation and authority.citation not in name:
        name = f"{name}{',' if ends_in_court(authority) else ''} {authority.citation}"
    return add_place(name, place) + write_court(authority)


def cite_behind_title(authority: Authority, place: str = "") -> str:
    """Return what `cite_authority` says of an authority behind its title: "[2014] ASC 12 at [23]", "s 12",
    "12 F.3d 34, page 36 (9th Cir. 1994)"; "" if nothing is known."""
    citation = authority.citation if authority.citation not in authority.name else ""
    placed = add_place(citation, place) if citation else place
    return f"{placed}{write_court(authority)}".strip()


def date_authority(authority: Authority) -> str:
    """The authority's date as its country writes it: "9 March 2014", "March 9, 2014"; "" if none is known."""
    return write_date(authority.date, find_jurisdiction(authority.jurisdiction).customs.month_first)


def add_place(name: str, place: str) -> str:
    """A place in what is called ``name``, as in "17 U.S.C. § 1201"; the name alone where ``place`` is ""."""
    if not place:
        return name
    return f"{name}{' at' if place[0] == '[' else '' if place[0] == '§' else ','} {place}"


_UNSHOWN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, which steer terminals, and those that turn the direction of writing."""
_PAIRS = {("“", "”"), ('"', '"')}
INNER_MARKS = str.maketrans("“”", "‘’")
"""The marks of a quotation within a quotation, for ``str.translate``."""


def strip_controls(text: str) -> str:
    """``text`` on one line without characters that steer a terminal or turn the direction of writing."""
    return fold(_UNSHOWN.sub(" ", text))


def put_in_marks(text: str) -> str:
    """``text`` between quotation marks, once: what is a quotation from beginning to end has them already.
    Quotations in it have single marks."""
    return f"“{remove_marks(text).translate(INNER_MARKS)}”"


_SOFT_HYPHEN = re.compile(r"\u00ad\s*")
_TYPED_MARKS = (("``", "“"), ("''", "”"), ("`", "‘"))
_STRAIGHT_OPENING = re.compile(r'(?:(?<=[\s(\[—–-])|\A)"(?=\S)')


def close_marks(text: str) -> str:
    """``text`` with the marks that a quotation cut out of it lacks.

    Those are the marks of a quotation in it that begins before it or ends behind it. Straight marks and those
    typed as backticks become quotation marks, broken words are joined.
    """
    text = _SOFT_HYPHEN.sub("", text)
    for typed, mark in _TYPED_MARKS:
        text = text.replace(typed, mark)
    text = _STRAIGHT_OPENING.sub("“", text).replace('"', "”")
    opened = before = 0
    for char in text:
        if char == "“":
            opened += 1
        elif char == "”":
            opened, before = (opened - 1, before) if opened else (0, before + 1)
    return "“" * before + text + "”" * opened


def remove_marks(text: str) -> str:
    """``text`` without the quotation marks around it, if one quotation is all of it, or is cut at one end."""
    inner = text[1:-1]
    if len(text) > 2 and (text[0], text[-1]) in _PAIRS:
        return inner if not set(text[0] + text[-1]) & set(inner) else text
    text = text[1:] if text.startswith("“") and "”" not in text else text
    return text[:-1] if text.endswith("”") and "“" not in text else text
