"""What a person is typing: a case name, a citation, a section, a pinpoint, or none of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from lexls.citations.model import Citation, PinpointKind
from lexls.features.authority_names import AuthorityNames
from lexls.features.snapshot import Draft
from lexls.features.typed_names import typed_name
from lexls.text.spans import Span

ContextKind = Literal["name", "citation", "section", "pinpoint", "any"]
"""``any``: an opening with nothing behind it yet."""

_OPENING = re.compile(r"(?:\*{1,2}|(?<!\w)_|\\(?:textit|emph|textsl)\{|#emph\[|[(\[“\"])$")
_EMPHASIS_OPENED = re.compile(r"(?<![\w*])\*(?=\w)|(?<![\w_])_(?=\w)|\\(?:textit|emph|textsl)\{|#emph\[")
_EMPHASIS = re.compile(r"(?:(?<!\*)\*|(?<![\w_])_|\\(?:textit|emph|textsl)\{|#emph\[)$")
_AT = re.compile(r"[\s*_}\]]*,?\s*(?:\bat\s+)(?P<open>\[)?(?P<label>[\w()]*)$")
_COMMA = re.compile(
    r"[\s*_}\]]*,?\s*(?P<word>ss?|sections?|regs?|regulations?|cl|clauses?|arts?|articles?|paras?|paragraphs?|pp?|§{1,2}|¶{1,2})\.?"
    r"[\s~]*(?P<label>\d[\w()]*|)$"
)
_SECTION = re.compile(
    r"(?<![\w.])(?:ss?|sec|sections?|§{1,2})\.?[ \t]+(?P<label>\d[\w()]*|)$|§{1,2}(?P<bare>\d[\w()]*)$"
)
_OF_ACT = re.compile(
    r"(?<!\w)(?:ss?|sections?|regs?|regulations?|arts?|articles?|clauses?)\.?\s+\d[\w()]*(?:\s*(?:,|and|to|[-–])\s*\d[\w()]*)*\s+of\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_KINDS: dict[str, PinpointKind] = {
    "s": "section",
    "r": "regulation",
    "c": "clause",
    "a": "article",
    "p": "paragraph",
    "§": "section",
    "¶": "paragraph",
}
_CLOSERS = {"*": "*", "_": "_", "{": "}", "[": "]"}
_LOOK_BACK = 120


@dataclass(frozen=True, slots=True)
class Context:
    """What is being typed.

    ``typed`` is the text that is completed, ``replace`` the span of the source that an item takes the place
    of (markup around it included, if items bring their own). ``citation`` is the citation before a pinpoint,
    ``pinpoint`` what kind its label is. ``before`` is the text before ``replace``; ``of_act`` says that it
    ends in "section 12 of the". ``closing`` is what a pinpoint still needs behind it.
    """

    kind: ContextKind
    typed: str
    replace: Span
    citation: Citation | None = None
    pinpoint: PinpointKind = "paragraph"
    before: str = ""
    of_act: bool = False
    closing: str = ""


def context_at(draft: Draft, names: AuthorityNames, offset: int) -> Context | None:
    """What is being typed at ``offset``; None in code, mathematics and comments, and where nothing fits."""
    source = draft.source
    line = max(source.rfind("\n", 0, offset), source.rfind("\r", 0, offset)) + 1
    line = max(line, offset - _LOOK_BACK)
    if _hidden(draft, line, offset):
        return None
    before = source[line:offset]
    pinpoint = _pinpoint(draft, offset)
    if pinpoint is not None:
        return pinpoint
    typed = _authority(draft, names, line, offset)
    if typed is not None:
        return typed
    section = _SECTION.search(before)
    if section is not None:
        label = section["label"] or section["bare"] or ""
        start = line + section.start()
        return Context("section", label, Span(start, _end(source, offset)))
    opening = _OPENING.search(before)
    if opening is not None and not before[: opening.start()].strip("> \t"):
        return None  # a list item, a link, a heading: the line has no words yet
    if opening is not None:
        return _after_opening(draft, line + opening.start(), offset)
    return None


def _after_opening(draft: Draft, start: int, offset: int) -> Context | None:
    mark = draft.source[start:offset]
    after = draft.source[offset : offset + 1]
    if after and not after.isspace() and after not in '*_}])”".,;:':
        return None  # the opening of words that are there already
    if mark in ("**", '"', "“") or (mark == "*" and draft.source[start - 1 : start].isalnum()):
        return None
    begin = start if _EMPHASIS.fullmatch(mark) or mark == "[" else offset
    return Context("any", "", Span(begin, _past_closer(draft.source, mark, offset)))


def _hidden(draft: Draft, line: int, offset: int) -> bool:
    """Whether the last visible character before ``offset`` is in something that is no prose."""
    at = offset - 1
    while at >= line and draft.source[at].isspace():
        at -= 1
    if at < line:
        return True
    start = at
    while start > line and not draft.source[start].isspace():
        start -= 1
    piece = draft.source[start : at + 1]
    blanked = not draft.masked[start : at + 1].strip()
    return blanked and any(char.isalnum() for char in piece) and _OPENING.search(piece) is None


# -- pinpoints ---------------------------------------------------------------------------------------------


def _pinpoint(draft: Draft, offset: int) -> Context | None:
    """A pinpoint behind a citation: "[2014] ASC 12 at [2|", "Carriage of Goods Act 1994, s |"."""
    source = draft.source
    for citation in reversed(draft.citations):
        if citation.core.end > offset or offset - citation.core.end > 60 or not citation.key:
            continue
        gap = source[citation.core.end : offset]
        at = _AT.fullmatch(gap)
        comma = _COMMA.fullmatch(gap) if at is None else None
        match = at or comma
        if match is None:
            continue
        kind: PinpointKind
        if at is not None:
            kind = "paragraph" if citation.kind == "case" else "section"
        else:
            assert comma is not None
            word = comma["word"].casefold()
            kind = "page" if word in ("p", "pp") else _KINDS[word[0]]
        start = citation.core.end + match.start("label")
        end = _end(source, offset)
        closing = "]" if at is not None and at["open"] and source[end : end + 1] != "]" else ""
        return Context("pinpoint", match["label"], Span(start, end), citation, kind, closing=closing)
    return None


# -- names and citations -----------------------------------------------------------------------------------


def _authority(draft: Draft, names: AuthorityNames, line: int, offset: int) -> Context | None:
    """The beginning of a name or citation that ends at ``offset``, with the marks around it."""
    source = draft.source
    openings = [match.end() for match in _EMPHASIS_OPENED.finditer(source, line, offset)]
    found = typed_name(draft, names, line, offset, openings[-1] if openings else None)
    if found is None:
        return None
    before = source[line : found.start]
    emphasis = _EMPHASIS.search(before)
    begin = line + emphasis.start() if emphasis is not None else found.start
    opening = _OPENING.search(before)
    mark = opening.group() if opening is not None else ""
    if source[found.start] == "[" and not mark:
        mark = "["
    plain = draft.masked[max(0, begin - _LOOK_BACK) : begin]
    return Context(
        found.kind,
        found.typed,
        Span(begin, _past_closer(source, mark, _end(source, offset))),
        before=" ".join(plain.split()),
        of_act=_OF_ACT.search(plain) is not None,
    )


def _end(source: str, offset: int) -> int:
    """The end of the word that the cursor stands in."""
    while offset < len(source) and (source[offset].isalnum() or source[offset] in "'’"):
        offset += 1
    return offset


def _past_closer(source: str, mark: str, offset: int) -> int:
    """The place behind the closing mark that the editor put in by itself, if it stands at ``offset``."""
    closer = _CLOSERS.get(mark[-1:], "")
    return offset + len(closer) if closer and source.startswith(closer, offset) else offset
