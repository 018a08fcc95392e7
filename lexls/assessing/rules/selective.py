"""Report quotations whose meaning in the authority is different, because of the context: exceptions,
arguments, dissents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lexls.assessing.check import Problem, Related
from lexls.assessing.rules.misquoted import name_place
from lexls.index.records import Authority
from lexls.quotations.authority_texts import prepare_text
from lexls.quotations.compare import find_places
from lexls.quotations.speakers import find_opinion
from lexls.reading.quotations import Quotation
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.phrases import compile_pattern, define_parts, load_phrases
from lexls.text.sentences import find_sentence_at
from lexls.text.spans import Span
from lexls.wording.markdown import fold, shorten

QUOTATION_SELECTIVE = DiagnosticRule(
    code="quotation-selective",
    severity="information",
    order=96,
    filing="warning",
    help="A quotation whose meaning changes in its context in the authority.",
    documentation="""\
The words are quoted correctly, but the authority does not simply say so. It goes on with "unless" or
"except", reports what a party argues, reports what a court below said and does not let that judgment
stand, rejects a view, only asks a question, or has the words in a dissent. The message says which of
these applies, repeats the words there and opens the passage. Only quotations of at least eight words are
checked.

Nothing is reported if the words occur elsewhere in the authority as the court's own. Nor is anything
reported if the draft shows near the quotation that its author knows: it says who argues this, that the
view was rejected, whose dissent it is, or that there is an exception.""",
)

_PHRASES: Mapping[str, Any] = load_phrases(__package__, "selective.toml")
_PARTS = define_parts(_PHRASES["parts"])


def _read(kind: str, name: str, flags: int = 0) -> re.Pattern[str]:
    return compile_pattern(_PHRASES[kind][name], _PARTS, flags)


_AWARE = {kind: _read(kind, "aware", re.IGNORECASE) for kind in _PHRASES if "aware" in _PHRASES[kind]}
_AWARE["refused"] = _AWARE["argument"]
_EXCEPTION = _read("exception", "behind", re.IGNORECASE)
_REJECTED = _read("rejected", "before")
_ARGUMENT = _read("argument", "before")
_ARGUMENT_BEHIND = _read("argument", "behind")
_NO_ARGUMENT = _read("argument", "not_before")
_REFUSED = _read("refused", "behind")
_ACCEPTED = _read("argument", "accepted")
_ASKED = _read("question", "before")
_QUESTION = _read("question", "sentence")
_BELOW = _read("below", "before")
_REVERSED = _read("below", "end")
_NUMBERING = re.compile(r"\[?\d{1,4}[\].]?\s{1,9}(?=[A-Z])")
_LEADS = (_REJECTED, _ARGUMENT, _ASKED, _BELOW)
_FEWEST = 8
"""Minimum number of words for a quotation to be checked."""
_AROUND = 800
"""Code points before a quotation in the authority that are examined."""
_BEFORE, _AFTER = 160, 140
"""Code points around a quotation in the draft that are searched for signs that the author knows its
context.
"""
_LEAD_IN = 20
"""Minimum number of code points before a quotation in its sentence for that sentence to introduce it;
otherwise the previous sentence does.
"""
_END = 1500
"""Length, in code points, of the last part of a judgment that is searched for its order."""
_SHOWN, _BEGINNING = 200, 70
"""Maximum length of a text quoted in a message, and of the beginning of the quotation in it, in code
points.
"""


@dataclass(frozen=True, slots=True)
class _Turn:
    """The way in which the context of a quotation changes its meaning (``kind``), and the words that show
    this (``shown``, a span of the authority's text).
    """

    kind: str
    shown: Span


def report_selective(
    snapshot: Snapshot, quotation: Quotation, held: Iterable[tuple[Authority, Span | None]]
) -> Iterator[Problem]:
    """Report a quotation if its context changes its meaning at every place where the authorities have it, and
    the draft does not say so. ``held`` are the authorities, each with one such place, or None if no place
    is known.
    """
    if quotation.words < _FEWEST:
        return
    found: list[tuple[Authority, str, Span, _Turn]] = []
    for authority, known in held:
        text = prepare_text(snapshot.quoted, snapshot.library, authority)
        if known is not None and _find_turn(snapshot, quotation, authority, text.source, known) is None:
            return  # The usual case: the other places need not be searched.
        for place in find_places(text, quotation.text):
            turn = _find_turn(snapshot, quotation, authority, text.source, place)
            if turn is None:
                return
            found.append((authority, text.source, place, turn))
    if not found or _is_aware(snapshot, quotation, found[0][3].kind):
        return
    authority, source, place, turn = found[0]
    words = shorten(fold(turn.shown.of(source)), _SHOWN)
    if turn.shown.end < place.end:
        words += " …"
    message = f"{name_place(snapshot, authority, place)} {_PHRASES[turn.kind]['message']}: “{words}”"
    related = (Related(f"“{words}”", turn.shown, authority.id),)
    yield Problem(quotation.inner, QUOTATION_SELECTIVE.code, message, authority.id, related)


def _is_aware(snapshot: Snapshot, quotation: Quotation, kind: str) -> bool:
    """Return whether the draft shows, near a quotation, that its author knows the quotation's context in the
    authority.
    """
    draft, outer = snapshot.draft, quotation.outer
    sentence = draft.sentence_at(outer.start)
    within = sentence is not None and outer.start - sentence.start >= _LEAD_IN
    start = max(sentence.start if sentence is not None and within else 0, outer.start - _BEFORE)
    before = draft.prose(Span(start, outer.start))
    behind = draft.prose(Span(outer.end, min(len(draft.masked), outer.end + _AFTER)))
    return any(_AWARE[kind].search(each) for each in (before, behind))


def _find_turn(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, source: str, place: Span
) -> _Turn | None:
    """Return how the context at one place of an authority changes the meaning of a quotation; None if it does
    not, or if this is uncertain.
    """
    if _EXCEPTION.match(source, place.end, place.end + 60) is not None:
        open_end = quotation.text.rstrip().endswith(("…", "...", ". .", "]"))  # More follows.
        return None if open_end else _Turn("exception", _find_rest(source, place.end))
    if authority.kind != "case":
        return None
    low = max(0, place.start - _AROUND)
    tail = _fold(source[max(low, place.start - _AROUND // 2) : place.start])
    if any(each.search(tail) for each in _LEADS):
        around = source[low : place.end + _AFTER]
        sentence = find_sentence_at(around, place.start - low)
        if sentence is not None and sentence.start + low < place.start:
            lead = Span(sentence.start + low, place.start)
            if number := _NUMBERING.match(source, lead.start, lead.end):
                lead = Span(number.end(), lead.end)
            kind = _classify_lead(source, lead, fold(sentence.of(around)))
            if kind:
                return _Turn(
                    kind, _find_words(source, Span(lead.start, min(place.end, lead.end + _BEGINNING)))
                )
    if _ARGUMENT_BEHIND.match(source, place.end, place.end + 60) is not None:
        rest = _find_rest(source, place.end)
        return _Turn("argument", _find_words(source, Span(max(place.start, rest.end - _SHOWN), rest.end)))
    headed = "issent" in source or "ISSENT" in source
    if headed and find_opinion(snapshot.library, authority.id, place.start) == "dissent":
        return _Turn("dissent", place)
    return None


def _find_rest(source: str, end: int) -> Span:
    """Return the rest of the sentence after a quotation."""
    behind = source[end : end + 2 * _SHOWN]
    start = len(behind) - len(behind.lstrip(" ,;:—–-\n”\"’')]"))
    sentence = find_sentence_at(behind, start)
    return Span(end + start, end + (sentence.end if sentence is not None else len(behind)))


def _find_words(source: str, span: Span) -> Span:
    """Return the last words of a span, as many whole words as a message may show."""
    start, end = max(span.start, span.end - _SHOWN), span.end
    while span.start < start < end and not source[start - 1].isspace():
        start += 1
    while end > start and source[end - 1 : end + 1].isalnum() and end < len(source):
        end -= 1
    return Span(start, end)


def _fold(lead: str) -> str:
    """Return the text before a quotation on one line, with a space at the end."""
    return fold(lead) + " "


def _classify_lead(source: str, lead: Span, sentence: str) -> str:
    """Return the kind of change that the beginning of a sentence makes to the meaning of the words after it;
    "" if it makes none.
    """
    before = _fold(lead.of(source))
    if _REJECTED.search(before):
        return "rejected"
    if _ARGUMENT.search(before) and not _NO_ARGUMENT.search(before):
        if _ACCEPTED.match(source, lead.end):
            return ""
        return "refused" if _REFUSED.match(source, lead.end) else "argument"
    if _ASKED.search(before) and _QUESTION.search(sentence):
        return "question"
    if _BELOW.search(before) and _REVERSED.search(source, max(0, len(source) - _END)):
        return "below"
    return ""
