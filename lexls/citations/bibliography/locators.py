"""Locators behind a key: "para 14", "pp. 33-35", "s 5(1)", "[12]", a bare number."""

from __future__ import annotations

import re

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.citations.pinpoints import labels_of
from lexls.text.spans import Span

_TERMS: dict[str, PinpointKind] = {
    "para": "paragraph", "paras": "paragraph", "paragraph": "paragraph", "paragraphs": "paragraph",
    "¶": "paragraph", "¶¶": "paragraph",
    "p": "page", "pp": "page", "page": "page", "pages": "page", "pg": "page",
    "s": "section", "ss": "section", "sec": "section", "secs": "section", "section": "section",
    "sections": "section", "§": "section", "§§": "section",
    "art": "article", "arts": "article", "article": "article", "articles": "article",
    "reg": "regulation", "regs": "regulation", "regulation": "regulation", "regulations": "regulation",
    "r": "rule", "rr": "rule", "rule": "rule", "rules": "rule",
    "cl": "clause", "cls": "clause", "clause": "clause", "clauses": "clause",
    "sch": "schedule", "schedule": "schedule",
    "n": "note", "nn": "note", "note": "note", "notes": "note", "fn": "note",
}  # fmt: skip
_TERM = re.compile(
    r"(?:at\s{1,3})?(?P<term>[A-Za-z]{1,11}|¶{1,2}|§{1,2})\.?(?:\s|~|\\,|(?=[\d\[(§¶]))\s{0,3}"
)
_LABEL = r"\d{1,5}[A-Za-z]{0,2}(?:\.\d{1,4}){0,3}(?:\s?\([0-9A-Za-z]{1,5}\)){0,4}"
_LABELS = re.compile(
    rf"(?:at\s{{1,3}})?\[?\s?{_LABEL}\]?(?:\s{{0,3}}(?:[-–—]{{1,3}}|,|;|&|\band\b|\bto\b)\s{{0,3}}\[?\s?{_LABEL}\]?){{0,30}}"
)
_AT = re.compile(r"at\s{1,3}")


def pinpoint_of(text: str, span: Span, style: PinpointKind) -> Pinpoint | None:
    """The place that the locator ``span`` of ``text`` names; None if it names none.

    ``style`` is what a bare number counts. Brackets always count paragraphs.
    """
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    kind = style
    term = _TERM.match(text, start, end)
    if term is not None and term["term"].casefold() == "at":
        term = None
    if term is not None:
        named = _TERMS.get(term["term"].casefold())
        if named is None:
            return None
        kind, start = named, term.end()
    labels = _LABELS.match(text, start, end)
    if labels is None:
        return None
    if term is None:
        at = _AT.match(text, start, end)
        start = at.end() if at is not None else start
        if text[start] == "[":
            kind = "paragraph"
    words = text[start : labels.end()]
    found = labels_of(re.sub(r"(?<=\d)\s(?=\()", "", words).replace("–", "-").replace("--", "-"))
    return Pinpoint(kind, found, Span(start, labels.end())) if found else None
