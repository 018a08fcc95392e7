"""Pinpoints: the paragraph, page or section after (or before) a citation's core."""

from __future__ import annotations

import re
from dataclasses import replace

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.citations.scan import PARAGRAPH_BREAK
from lexls.text.spans import Span

_TO = r"(?:\s{0,9}(?:[-‐‑‒–—−]{1,3}|,|;|&|\band\b|\bto\b|\bor\b|\bet\b|\bà\b)\s{0,9})"
_NUMBER = r"\d{1,5}(?:\.\d{1,3}){0,3}[A-Za-z]?(?![\w/])"
_NUMBERS = rf"{_NUMBER}(?:{_TO}{_NUMBER})*"
_BRACKET = (
    r"\[\s{0,3}\d{1,4}(?:\.\d{1,3}){0,2}[A-Za-z]?(?:\([a-z0-9]{1,4}\)){0,2}"
    r"(?:\s{0,3}[-‐‑‒–—−,]{1,3}\s{0,3}\d{1,4}[A-Za-z]?)*\s{0,3}\]"
)
_BRACKETS = rf"{_BRACKET}(?:{_TO}{_BRACKET})*"
_PAGE = (
    r"(?:\*{0,2}|I{1,2}-)(?:\d{1,3},\d{3}(?!\d)|\d{1,5})(?:[A-J](?:\s?[-–]\s?[A-J])?)?(?![\w/.]*[A-Za-z0-9/])"
)
_PAGES = rf"{_PAGE}(?:\s{{0,9}}(?:[-‐‑‒–—−]{{1,3}}|&|\band\b)\s{{0,9}}{_PAGE})*"

_AFTER = re.compile(
    rf"""
    (?:\s{{0,40}}(?:,\s{{0,40}})?|\s?;\s{{1,9}}(?=at\s|\[\d{{1,3}}\]))
    (?P<shell>\(\s{{0,3}}|\[\s{{0,3}}(?=[aApP]))?
    (?P<at>(?:(?:slip\s{{1,3}}op\.,?\s{{1,3}})?at|aux?)\s{{1,40}})?
    (?:
        (?P<brackets>{_BRACKETS})
      | (?:[Pp]ar(?:a|as|s)?\b\.?|[Pp]aragraphs?\b|[Pp]oints?\b|¶{{1,2}}|§{{1,2}})
        \s{{0,9}}(?:nos?\.?\s{{0,9}})?
        (?P<paras>{_BRACKETS}|{_NUMBERS})
      | (?:pp?\.|pp?\b|pages?\b|pg\.?|cols?\b\.?)\s{{0,9}}(?P<pages>{_PAGES})
    )
    """,
    re.VERBOSE,
)
_SHELLED = re.compile(
    r"\s{0,9}\((?P<pages>\d{1,5}\s?[-–]\s?\d{1,5}|(?!(?:1[5-9]|20)\d\d\))\d{2,4})\)(?!\s?[\w(\[])"
)
_AT_NUMBER = re.compile(
    rf"\s{{0,40}}(?:,\s{{0,40}})?(?P<shell>\(\s{{0,3}})?(?:slip\s{{1,3}}op\.,?\s{{1,3}})?at\s{{1,40}}(?P<pages>{_PAGES})"
)
_COMMA_NUMBER = re.compile(
    r"\s{0,40},\s{0,40}(?P<pages>" + _PAGE + r"(?:\s{0,9}[-‐‑‒–—−]{1,3}\s{0,9}" + _PAGE + r")?)"
)
_MORE_PAGES = re.compile(r"\s{0,9},\s{0,9}(" + _PAGE + r"(?:\s{0,9}[-‐‑‒–—−]{1,3}\s{0,9}" + _PAGE + r")?)")
# What may stand behind a page after a bare comma; a capital or a month means that it was none.
_PAGE_END = re.compile(
    r"\s{0,40}(?:[,.;:)\]\"”’—–-]|[(\[]|$|(?:&\s{0,3})?(?:nn?|fn)\.?\s{0,3}\d|(?:and|per|where|in|but|which|that|as|for|the|that|if|to|holding|is|was)\b)|\s{0,40}\n"
)
_NOTE = re.compile(
    r",?\s{0,40}(?:(?:&|and)\s{0,3})?(?:(?P<notes>nn\.?\s{0,9}\d{1,4}(?:\s?(?:[-–,&]|and)\s?\d{1,4}){0,6})"
    r"|(?:n\.?|fn\.?|notes?|footnotes?)\s{0,9}(?P<note>\d{1,4}(?:\s?[-–]\s?\d{1,4})?))(?![\w/])"
)
# "and what follows": belongs to the place before.
_FOLLOWING = re.compile(r"\s{0,3}(?:et\s{1,3}seqq?\b\.?|ff\b\.?)")
# What a pinpoint can begin with, and the end of the text.
_OPENING = frozenset(["", *", \t\r\n\f\v\xa0\u2002\u2003\u2009\u202f(;[apP¶§"])
# Where only a page behind a comma can stand.
_PLAIN_NUMBER = re.compile(r"\s{0,9},\s{0,9}[*\d]")
_CLOSING = re.compile(r"\s{0,3}[)\]]")
_RANGE = re.compile(r"\s{0,40}(?:[-‐‑‒–—−]{1,3}|\bto\b|\bà\b)\s{0,40}")
_SPLIT = re.compile(r"\s{0,40}(?:[,;&]|\band\b|\bor\b|\bet\b)\s{0,40}")


def labels_of(text: str) -> tuple[str, ...]:
    """The labels in a list as written ("[12]–[14], [20]" → "12-14", "20"), brackets and signs dropped."""
    bare = text.translate({ord(sign): " " for sign in "[]¶§"})
    labels = []
    for piece in _SPLIT.split(bare):
        label = "-".join(part.strip() for part in _RANGE.split(piece.strip()) if part.strip())
        if label:
            labels.append(label)
    return tuple(labels)


def after_case(text: str, end: int, style: PinpointKind, signs: bool = False) -> tuple[Pinpoint, int] | None:
    """The pinpoint that follows a case citation ending at ``end`` and where it ends, or None.

    ``style`` is what a bare number means for this form of citation; ``signs`` says that "§" counts
    paragraphs where a bare number is a page, too.
    """
    if text[end : end + 1] not in _OPENING:
        return None
    found = _after(text, end, style, signs)
    if found is not None and PARAGRAPH_BREAK.search(text, end, found[1]):
        return None
    return found


def _after(text: str, end: int, style: PinpointKind, signs: bool) -> tuple[Pinpoint, int] | None:
    if _PLAIN_NUMBER.match(text, end) is not None:
        return _bare(text, end, style)
    match = _AFTER.match(text, end)
    if (
        match is not None
        and match["paras"]
        and style != "paragraph"
        and not signs
        and "§" in match.group()
        and not match["at"]
    ):
        match = None
    kind: PinpointKind = "paragraph"
    if match is not None:
        group = "brackets" if match["brackets"] else "paras" if match["paras"] else "pages"
        kind = "page" if group == "pages" else "paragraph"
    else:
        shelled = _SHELLED.match(text, end)
        if shelled is not None:
            return Pinpoint(style, labels_of(shelled["pages"]), Span(*shelled.span("pages"))), shelled.end()
        match = _AT_NUMBER.match(text, end)
        group = "pages"
        kind = style
    if match is not None:
        start, stop = match.span(group)
        if match["shell"]:
            closing = _CLOSING.match(text, stop)
            if closing is None:
                return None
            return Pinpoint(kind, labels_of(text[start:stop]), Span(start, stop)), closing.end()
        if group == "pages":
            return _pages(text, start, _more_pages(text, stop), kind)
        return _noted(text, Pinpoint(kind, labels_of(text[start:stop]), Span(start, stop)), stop)
    return _bare(text, end, style)


def _bare(text: str, end: int, style: PinpointKind) -> tuple[Pinpoint, int] | None:
    """Pages after a bare comma: ", 99-100", ", 580G"."""
    match = _COMMA_NUMBER.match(text, end)
    if match is None:
        return None
    start, stop = match.span("pages")
    if not _ends_page(text, stop):
        return None
    return _pages(text, start, _more_pages(text, stop), style)


def _pages(text: str, start: int, stop: int, kind: PinpointKind) -> tuple[Pinpoint, int]:
    """Pages from ``start`` to ``stop`` with their footnotes, and the pages after these ("99 n.4, 103")."""
    pinpoint, end = _noted(text, Pinpoint(kind, labels_of(text[start:stop]), Span(start, stop)), stop)
    further = _more_pages(text, end) if pinpoint.notes else end
    if further == end:
        return pinpoint, end
    labels = (*pinpoint.labels, *labels_of(text[end:further]))
    return _noted(text, replace(pinpoint, labels=labels, span=Span(start, further)), further)


def _more_pages(text: str, stop: int) -> int:
    """The end of the pages listed after commas from ``stop`` on."""
    while True:
        more = _MORE_PAGES.match(text, stop)
        if more is None or not _ends_page(text, more.end()):
            return stop
        stop = more.end()


def _ends_page(text: str, stop: int) -> bool:
    return _PAGE_END.match(text, stop) is not None or stop >= len(text)


def _noted(text: str, pinpoint: Pinpoint, stop: int) -> tuple[Pinpoint, int]:
    """The pinpoint with the footnotes that are cited behind it, and where these end."""
    following = _FOLLOWING.match(text, stop)
    stop = following.end() if following is not None else stop
    note = _NOTE.match(text, stop)
    if note is None:
        return pinpoint, stop
    return replace(
        pinpoint, notes=(*pinpoint.notes, *labels_of((note["notes"] or note["note"]).lstrip("n. ")))
    ), note.end()
