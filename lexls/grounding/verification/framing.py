"""Find what frames the statement of a sentence and does not bear on it: how courts lead in to it and end it.

"We must, therefore, hold that …", "Although …, …", "…, as noted above": what stands in such a frame the text
says itself. "If …", "Where …" and "In such a case, …" limit what they stand before, and frame nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from lexls.grounding.verification.vocabulary import ADVERBS, DECIDING, LIMITING, MODALS, NEGATIONS, SURE
from lexls.quotations.speakers import ASSERTING, EMBEDDING, names_another
from lexls.text.phrases import compile_pattern, define_parts, load_phrases
from lexls.text.spans import Span

_FRAMING = load_phrases(__package__, "framing.toml")
_PARTS = define_parts(_FRAMING["parts"])
_KINDS = ("openings", "led", "clauses")
_OPENINGS = [
    (kind, compile_pattern(f"(?:{each})(?= )", _PARTS)) for kind in _KINDS for each in _FRAMING[kind]
]
_CASE = compile_pattern(f"{_FRAMING['case']}(?= )", _PARTS)
_OURS = compile_pattern(r"\b«ours»", _PARTS)
_ENDINGS = [compile_pattern(each, _PARTS) for each in _FRAMING["endings"]]
_GIVEN = compile_pattern(_FRAMING["given"], _PARTS)
_CONCEDING = compile_pattern(rf"\b(?:{_FRAMING['conceding']})\b", _PARTS)
_HEDGED = compile_pattern(rf"\b(?:{_FRAMING['hedged']})\b", _PARTS)
_TURNED = re.compile(
    r"\b(?:but|however|yet|nevertheless|nonetheless|still|conversely|instead|on the other hand|"
    r"(?:by|in) contrast)\b",
    re.IGNORECASE,
)
_BEGINNING = re.compile(r"(?:\A|[.;?!][\"'”’)\]]{0,3}\s{1,20}|\n[ \t\r]{0,20}\n\s{0,20})[\"'“‘]{0,2}(?=\w)")
_THAT = re.compile(r"(?:[^\s.;:?!]{1,40} ){1,24}?[“\"‘]?that\b", re.IGNORECASE)
_FURTHER = re.compile(r"(?<=; )(?:and )?that\b")
_CLAUSE, _SENTENCE = re.compile(r"[^.;?!]{1,1600}"), re.compile(r"[^.?!]{1,1600}")
_SCOPE = re.compile(
    r"(?!(?:(?-i:In [A-Z])|(?:we|i|it|this|that|the|there|our)\b))[^,]{1,200},|in such\b", re.IGNORECASE
)
"""What stands before a comma for which alone something may be held."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|,")
_OPEN_STILL = frozenset(("must", "should", "shall", "may", "might", "can", "could", "duty", "required"))
_PLAIN = frozenset(("trite", "clear", "settled", "established", "true"))
_SAID = frozenset(("doubt", "law", "dispute", "principle", "proposition", "position"))
"""Nouns that "that" explains."""
_ARTICLES = frozenset(("a", "an", "any", "every", "such"))
_MOST = 4
"""Openings of one sentence."""


def list_framed(quotation: str) -> Iterator[Sequence[Span]]:
    """The spans of ``quotation`` (code points) that may be left out together: one choice after another, the
    one with the fewest openings first, and none of them empty."""
    beginnings = (match.end() for match in _BEGINNING.finditer(quotation))
    # What turns the sentence before it stays: "However, on a Sunday he must."
    openings = [
        _find_openings(quotation, at) for at in beginnings if not at or not _TURNED.match(quotation, at)
    ]
    endings = [Span(*match.span()) for each in _ENDINGS for match in each.finditer(quotation)]
    endings += _find_reason(quotation)
    most = max(map(len, openings), default=0)
    for count, closing in product(range(most + 1), ([], endings) if endings else ([],)):
        if count or closing:
            yield [*(span for each in openings for spans in each[:count] for span in spans), *closing]


def _find_openings(text: str, at: int) -> Sequence[Sequence[Span]]:
    """The openings of the sentence that begins at a place, in order; each may go on ("; and that")."""
    found: list[Sequence[Span]] = []
    if (case := _CASE.match(text, at)) is not None:
        return [[Span(*case.span())]]
    while len(found) < _MOST and (end := _find_opening(text, at)) is not None:
        further = _FURTHER.finditer(text, end, _find_end(text, end)) if text[:end].endswith("that") else ()
        found.append([Span(at, end), *(Span(*match.span()) for match in further)])
        at = end
        while at < len(text) and text[at] in ' “‘"':
            at += 1
    return found


def _find_opening(text: str, at: int) -> int | None:
    """Where the opening at a place ends."""
    for kind, pattern in _OPENINGS:
        match = pattern.match(text, at)
        if (
            match is None
            or _HEDGED.search(match.group())
            or (_CONCEDING.search(match.group()) and _TURNED.search(text, match.end()))
        ):
            continue
        if kind == "clauses" and _depends(match.group()):
            continue
        if kind == "led" and sum(1 for _ in _OURS.finditer(text, at, _find_end(text, at, _CLAUSE))) > 1:
            continue  # one of them stands in what is only reported
        return match.end()
    frame = _THAT.match(text, at)
    if frame is None or _HEDGED.search(frame.group()) or _SCOPE.match(frame.group()):
        return None
    if _asserts([each.casefold() for each in _WORD.findall(frame.group())[:-1]]):
        return frame.end()
    return None


def _find_end(text: str, at: int, kind: re.Pattern[str] = _SENTENCE) -> int:
    """Where the sentence ends, or its clause, that begins at a place."""
    match = kind.match(text, at)
    return match.end() if match else at


def _depends(opening: str) -> bool:
    """Whether an opening limits what follows the comma, or reports something whose end is not sure."""
    said = {each.casefold() for each in _WORD.findall(opening)[1:]}
    return not (LIMITING | EMBEDDING).isdisjoint(said)


def _find_reason(text: str) -> Iterator[Span]:
    """The reason with which ``text`` ends, if it is one for something neither denied nor commanded."""
    match = _GIVEN.search(text)
    if match is None:
        return
    before = [each.casefold() for each in _WORD.findall(text[: match.start()])]
    if "but" in before:
        before = before[before.index("but") :]
    if NEGATIONS.isdisjoint(before) and MODALS.keys().isdisjoint(before):
        yield Span(*match.span())


def _asserts(frame: Sequence[str]) -> bool:
    """Whether what stands before "that" says that it is so."""
    said = set(frame)
    last = next((each for each in reversed(frame) if each != "," and each not in ADVERBS), "")
    if frame[:1] not in (["it"], ["there"]) and last not in ASSERTING | _SAID:
        return False  # "provides penalties that": what is provided
    if frame[0] in _ARTICLES and len(frame) == 2:
        return False  # "a rule that rewards": which rule
    sure = any(f" {each} " in f" {' '.join(frame)} " for each in SURE)
    plain = " it is " in f" {' '.join(frame)} " and "stated" not in said  # "it is stated": somebody says so
    decided = said & DECIDING or frame[0] in ASSERTING or plain
    lays_down = said & ASSERTING and decided and not said & NEGATIONS and not names_another(said)
    # "It is the duty of the courts to find that …": what somebody is to find is not found.
    open_still = said & _OPEN_STILL or ("to" in said and not said & _PLAIN)
    return bool(lays_down or sure) and not said & (EMBEDDING | LIMITING) and not open_still
