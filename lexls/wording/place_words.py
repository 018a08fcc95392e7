"""Format authorities and pinpoints as they are cited, and quoted words as plain text."""

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
"""Matches the number with which a subsection begins."""


def write_pinpoint(kind: PinpointKind, label: str, jurisdiction: str = "") -> str:
    """Return a pinpoint as it is cited: "[23]", "page 5", "s 12(2)" ("§ 12(2)" in America), "reg 4", "clause
    7". A label that names its own kind is unchanged: "Sch 2", "Appendix A".
    """
    if kind in ("section", "regulation", "clause") and _NAMED.match(label):
        return label
    if kind == "paragraph" and ":" in label:  # the line of a transcript
        return label
    forms: dict[str, str] = {**_PHRASES["places"], **find_jurisdiction(jurisdiction).places}
    return forms.get(kind, "{}").format(label)


def find_pinpoint_kind(authority: Authority) -> PinpointKind:
    """Return the kind of pinpoint by which an authority's passages are labelled."""
    return cast("PinpointKind", _PHRASES["labels"].get(authority.kind, "paragraph"))


def cite_place(authority: Authority, label: str, page: int) -> str:
    """Return the pinpoint of a piece of an authority; "" if the piece has neither a number nor a page.

    ``label`` is the number of the paragraph or section ("" if none), ``page`` the page (0 if none).
    """
    if label and not (authority.kind == "case" and is_cited_by_page(authority)):
        return write_pinpoint(find_pinpoint_kind(authority), label, authority.jurisdiction)
    return f"page {page}" if page else ""


_VOLUME = re.compile(r"(?!(?:1[89]|20)\d\d\s)\d{1,4}\s+[A-Z]")


def is_cited_by_page(authority: Authority) -> bool:
    """Return whether a case is cited by page even if its copy numbers paragraphs. A case is cited by page if
    it is in a volume of reports and its jurisdiction does not number paragraphs: "641 F. Supp. 2d 913",
    but not "2018 CO 3, ¶ 12".
    """
    numbered = find_jurisdiction(authority.jurisdiction).numbers_paragraphs
    return not numbered and _VOLUME.match(authority.citation) is not None


def find_label(authority: Authority, label: str, text: str) -> str:
    """Return the pinpoint label of ``text``, which begins in the section ``label``. The label includes the
    subsection if ``text`` begins with the subsection's number.
    """
    if authority.kind not in ("statute", "regulation") or not label or "(" in label:
        return label
    number = SUBSECTION.match(text)
    return f"{label}({number[1]})" if number is not None else label


def join_citation(name: str, citation: str, jurisdiction: str) -> str:
    """Return a name followed by its citation, with a comma between them if the jurisdiction's citations end
    with court and year ("Carrow v. Luff, 12 F.3d 34"). If the name contains the citation, return the name
    alone.
    """
    if not citation or citation in name:
        return name
    comma = name and citation[0].isdigit() and find_jurisdiction(jurisdiction).customs.court_and_year
    return f"{name}{',' if comma else ''} {citation}".strip()


def ends_in_court(authority: Authority) -> bool:
    """Return whether a citation of the authority ends with court and year after the pinpoint, as in American
    cases.
    """
    return authority.kind == "case" and find_jurisdiction(authority.jurisdiction).customs.court_and_year


def is_slip_opinion(authority: Authority) -> bool:
    """Return whether a case has only a docket number and a date, in a jurisdiction that cites slip opinions
    by these.
    """
    return ends_in_court(authority) and not authority.citations and bool(authority.docket and authority.date)


def write_court(authority: Authority) -> str:
    """Return the court and year that end an authority's citation; "" if its citation does not end with court
    and year.
    """
    if not ends_in_court(authority):
        return ""
    return write_court_and_year(authority.citation, authority.court, authority.date)


def cite_authority(authority: Authority, place: str = "") -> str:
    """Return an authority's title and preferred citation, as far as they are known, with a pinpoint.

    Examples are "Carrow v Luff [2014] ASC 12 at [23]", "Carriage of Goods Act 1994, s 12" and, with court and
    year, the American "Carrow v. Luff, 12 F.3d 34, page 36 (9th Cir. 1994)".
    """
    name = " ".join(authority.name.split())
    if authority.citation and authority.citation not in name:
        name = f"{name}{',' if ends_in_court(authority) else ''} {authority.citation}"
    return add_place(name, place) + write_court(authority)


def cite_behind_title(authority: Authority, place: str = "") -> str:
    """Return the part of `cite_authority`'s result after the title: "[2014] ASC 12 at [23]", "s 12", "12 F.3d
    34, page 36 (9th Cir. 1994)"; "" if nothing is known.
    """
    citation = authority.citation if authority.citation not in authority.name else ""
    placed = add_place(citation, place) if citation else place
    return f"{placed}{write_court(authority)}".strip()


def date_authority(authority: Authority) -> str:
    """Return the authority's date as its country writes it: "9 March 2014", "March 9, 2014"; "" if
    unknown.
    """
    return write_date(authority.date, find_jurisdiction(authority.jurisdiction).customs.month_first)


def add_place(name: str, place: str) -> str:
    """Return ``name`` followed by a pinpoint, as in "17 U.S.C. § 1201"; the name alone if ``place`` is ""."""
    if not place:
        return name
    return f"{name}{' at' if place[0] == '[' else '' if place[0] == '§' else ','} {place}"


_UNSHOWN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
"""Matches control characters, which affect terminals, and characters that change the direction of writing."""
_PAIRS = {("“", "”"), ('"', '"')}
INNER_MARKS = str.maketrans("“”", "‘’")
"""A table for ``str.translate`` that turns double quotation marks into single ones, for a quotation within a
quotation.
"""


def strip_controls(text: str) -> str:
    """Return ``text`` on one line, without characters that control a terminal or change the direction of
    writing.
    """
    return fold(_UNSHOWN.sub(" ", text))


def put_in_marks(text: str) -> str:
    """Return ``text`` in quotation marks, without doubling existing marks around it. Quotations inside get
    single marks.
    """
    return f"“{remove_marks(text).translate(INNER_MARKS)}”"


_SOFT_HYPHEN = re.compile(r"\u00ad\s*")
_TYPED_MARKS = (("``", "“"), ("''", "”"), ("`", "‘"))
_STRAIGHT_OPENING = re.compile(r'(?:(?<=[\s(\[—–-])|\A)"(?=\S)')


def close_marks(text: str) -> str:
    """Return ``text``, cut from an authority, with missing quotation marks added at its ends.

    A mark is missing if a quotation begins before ``text`` or ends after it. Straight marks and those typed
    as backticks become curly, and hyphenated words are joined.
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
    """Return ``text`` without the quotation marks around it, if it is a single quotation. A mark may be
    missing at one end because the text was cut there.
    """
    inner = text[1:-1]
    if len(text) > 2 and (text[0], text[-1]) in _PAIRS:
        return inner if not set(text[0] + text[-1]) & set(inner) else text
    text = text[1:] if text.startswith("“") and "”" not in text else text
    return text[:-1] if text.endswith("”") and "“" not in text else text
