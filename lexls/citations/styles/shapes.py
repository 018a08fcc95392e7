"""What a citation's normal key tells a style: how its authority is identified."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.citations.keys import spaced
from lexls.citations.styles.reference import Reference
from lexls.citations.styles.reports import Report

_ACT = re.compile(r"(?P<title>.{0,200}?\S),?\s(?P<year>1[2-9]\d\d|20\d\d)(?:\s\((?P<state>[A-Za-z]{2,5})\))?")
_CODE = re.compile(
    r"\d{1,3}\s(?:U\.S\.C\.|C\.F\.R\.|Fed\. Reg\.)|[A-Z][A-Za-z. ]{0,80}(?:Code|Stat\.|Laws|R\.)[A-Za-z. ]*"
)
_CHAPTER = re.compile(r"(?:[A-Z]{2,6}|CQLR) (?:\d{4}, )?c [\w.-]+.*")
ROUND = re.compile(r"\((?P<year>\d{4})\)\s(?P<rest>.*)")


def shape_of(reference: Reference, chosen: Sequence[Report]) -> str:
    """How an authority is identified, as far as it decides the template: "undated", "round", "act", …

    ``chosen`` are the citations that are given, in order.
    """
    if reference.kind in ("case", "journal"):
        if not chosen:
            return "uncited"
        if all(each.year is None and not each.neutral for each in chosen):
            return "undated"
        if ROUND.fullmatch(chosen[0].key):
            return "round"
        return "plain" if all(each.neutral and each.key[0].isdigit() for each in chosen) else ""
    if reference.kind in ("statute", "regulation", "rule"):
        first = reference.citations[0] if reference.citations else ""
        if _CHAPTER.fullmatch(first):
            return "chapter"
        if act_of(reference) is not None:
            return "act"
        if _CODE.fullmatch(first):
            return "code"
        return "instrument" if first else "uncited"
    return ""


def pinned(reference: Reference, chosen: Sequence[Report]) -> int:
    """The place of the citation with the pinpoint: a page belongs to a report, a paragraph to the first."""
    for place, each in enumerate(chosen):
        if each.key == reference.pinned:
            return place
    if reference.labels and reference.pinpoint == "page":
        return next((place for place, each in enumerate(chosen) if not each.neutral), 0)
    return 0


def act_of(reference: Reference) -> re.Match[str] | None:
    """Title, year and state of an Act cited by its title."""
    if reference.kind not in ("statute", "regulation", "rule") or not reference.citations:
        return None
    first = reference.citations[0]
    found = _ACT.fullmatch(first)
    return (
        found
        if found is not None and re.search(r"[A-Za-z]{3}", found["title"]) and not _CHAPTER.fullmatch(first)
        else None
    )


def series(key: str) -> str:
    """The series of a report: what is left of its citation without numbers and brackets."""
    return spaced(re.sub(r"[\[(]\d{4}[\])]|(?<![A-Za-z.])\d+[A-Z]?(?![A-Za-z])", " ", key))
