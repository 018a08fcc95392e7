"""Find where to insert a citation in a sentence, and with what punctuation, following the draft's habits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation
from lexls.reading.draft import Draft
from lexls.reading.propositions import find_opening, is_attached
from lexls.text.format import Footnote
from lexls.text.spans import Span

Where = Literal["inside", "after", "footnote"]
"""Where a draft puts its citations. ``inside``: before the sentence's final full stop; ``after``: in a
citation sentence after the sentence; ``footnote``: in a footnote.
"""

_SIGNAL = re.compile(
    r"(?:see(?:,? (?:also|e\.g\.|eg|generally))?,?|cf\.?|accord|contra|but|and|per|[\s.,;:()\[\]])*",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"[\s.,;:)\]\"'”’]*")
_CLOSING_QUOTES = "\"'”’)]»"
_STOPS = ".?!…"
_MARKS = "*_}]"
"""Closing markup after which a citation is inserted."""
_MOST_MENTIONS = 60


@dataclass(frozen=True, slots=True)
class Habit:
    """How a draft attaches citations to its sentences.

    ``opening`` and ``closing`` surround a citation within a sentence: ": " and "", or " (see " and ")".
    """

    where: Where
    opening: str
    closing: str


def find_habit(draft: Draft) -> Habit:
    """Return the draft's most common habit or, if it has no citations, the custom of its jurisdiction.

    American drafts put a citation in a separate sentence. Others put it after a colon, before the final full
    stop.
    """
    return draft.once("habit", lambda: _learn_habit(draft))


def _learn_habit(draft: Draft) -> Habit:
    places: Counter[Where] = Counter()
    openings: Counter[tuple[str, str]] = Counter()
    notes = list(draft.format.find_notes(draft.source))
    for mention in _mentions(draft):
        if any(mention.start in note.content for note in notes):
            places["footnote"] += 1
            continue
        sentence = draft.sentence_at(mention.start)
        if sentence is None:
            continue
        before = draft.masked[sentence.start : mention.start]
        if _SIGNAL.fullmatch(before):
            if sentence.start > 0 and draft.sentence_at(max(0, sentence.start - 2)) not in (None, sentence):
                places["after"] += 1
        elif _TRAILING.fullmatch(draft.masked[mention.end : sentence.end]):
            found = find_opening(before)
            if found is not None:
                places["inside"] += 1
                openings[found] += 1
    customs = find_jurisdiction(draft.jurisdiction).customs
    default: Where = "after" if customs.citation_sentences else "inside"
    where = max(places, key=lambda each: (places[each], each == default)) if places else default
    opening, closing = openings.most_common(1)[0][0] if openings else (": ", "")
    return Habit(where, opening, closing)


@dataclass(frozen=True, slots=True)
class CitationPlace:
    """Where to insert a citation: at ``offset`` of the draft's source, between ``opening`` and ``closing``.

    ``stopped``: a full stop is added unless the citation ends with one. ``new_note``: the citation goes into
    a new footnote there. ``citing``: text inserted before it may cite another authority, so *ibid.* is not
    allowed.
    """

    offset: int
    opening: str = ""
    closing: str = ""
    stopped: bool = False
    new_note: bool = False
    citing: bool = False


def find_place(draft: Draft, span: Span, habit: Habit) -> CitationPlace:
    """Return where to insert a citation that supports ``span``.

    ``span`` is a sentence, a selection, or an empty span (a cursor, which stands for its sentence). If a
    selection ends within a sentence, the citation is inserted at the end of the selection. If a sentence
    already ends with a citation, has a footnote, or is followed by a citation sentence, the citation is added
    there after a semicolon.
    """
    end = _visible_end(draft.masked, span)
    sentence = draft.sentence_at(end)
    if sentence is None:
        return CitationPlace(span.end)
    if len(span) and not _TRAILING.fullmatch(draft.masked[end : sentence.end]):
        return CitationPlace(_behind_word(draft, end), " (", ")")
    joined = _behind_citation(draft, sentence)
    if joined is not None:
        return CitationPlace(joined, "; ")
    around = draft.format.find_note_at(draft.source, sentence.start)
    stop, behind = _ending(draft, sentence, around)
    note = draft.format.find_note_behind(draft.source, behind) if around is None else None
    if note is not None:
        return _in_footnote(draft, note)
    following = _citation_sentence(draft, sentence)
    if following is not None:
        return CitationPlace(following, "; ")
    where = "inside" if habit.where == "footnote" and around is not None else habit.where
    if where == "footnote":
        return CitationPlace(behind, new_note=True)
    if stop is None:
        if where == "after":
            return CitationPlace(behind, " (", ")")
        return CitationPlace(behind, habit.opening, habit.closing)
    if where == "inside" and behind == stop + 1 and draft.masked[stop] in ".…":
        return CitationPlace(stop, habit.opening, habit.closing)
    return CitationPlace(behind, " ", stopped=True)


def is_whole(draft: Draft, span: Span) -> bool:
    """Return whether ``span`` consists of whole sentences, ignoring the final full stop and white space."""
    end = _visible_end(draft.masked, span)
    first, last = draft.sentence_at(span.start), draft.sentence_at(end)
    if first is None or last is None:
        return False
    start = span.start + len(span.of(draft.masked)) - len(span.of(draft.masked).lstrip())
    return start <= first.start and bool(_TRAILING.fullmatch(draft.masked[end : last.end]))


def find_ends(draft: Draft, span: Span) -> tuple[int, int]:
    """Return the start of the first sentence that ``span`` touches, and the offset after the closing marks
    and footnotes of the last one.
    """
    first, _, around, at = _touched(draft, span)
    while around is None and (behind := draft.format.skip_note_mark(draft.source, at)) > at:
        at = behind
    return first.start, at


def find_supporting(draft: Draft, span: Span) -> list[Citation]:
    """Return the citations that already support ``span``: in its sentences, in their footnotes, and in a
    citation sentence after them.
    """
    first, last, around, behind = _touched(draft, span)
    found = draft.citations_in(Span(min(first.start, span.start), max(last.end, span.end)))
    note = draft.format.find_note_behind(draft.source, behind) if around is None else None
    if note is not None:
        found.extend(draft.citations_in(note.content))
    following = _sentence_behind(draft, last)
    if following is not None and _only_citations(draft, following):
        found.extend(draft.citations_in(following))
    return found


def _mentions(draft: Draft) -> Iterable[Span]:
    """Return the spans of full case citations, each with its parallel citations, up to the number needed to
    learn a habit.
    """
    spans: dict[int, Span] = {}
    for citation in draft.citations:
        if citation.form == "full" and citation.kind == "case":
            span = citation.span
            known = spans.get(citation.group, span)
            spans[citation.group] = Span(min(known.start, span.start), max(known.end, span.end))
            if len(spans) >= _MOST_MENTIONS:
                break
    return spans.values()


def _touched(draft: Draft, span: Span) -> tuple[Span, Span, Footnote | None, int]:
    """Return the first and the last sentence that ``span`` touches, the footnote that contains the last one
    (None if none does), and the offset after the last sentence's closing marks.
    """
    first = draft.sentence_at(span.start) or span
    last = draft.sentence_at(_visible_end(draft.masked, span)) or span
    around = draft.format.find_note_at(draft.source, last.start)
    return first, last, around, _ending(draft, last, around)[1]


def _visible_end(masked: str, span: Span) -> int:
    """Return the end of the span, excluding trailing white space."""
    text = span.of(masked)
    return span.start + len(text.rstrip()) if text.strip() else span.end


def _behind_word(draft: Draft, end: int) -> int:
    """Return the offset after the word in which a selection ends and after the word's closing markup."""
    if draft.masked[max(0, end - 1) : end].isalnum():
        while draft.masked[end : end + 1].isalnum():
            end += 1
    return draft.skip_marks(end, _MARKS)


def _ending(draft: Draft, sentence: Span, around: Footnote | None) -> tuple[int | None, int]:
    """Return the offset of the sentence's final full stop (None if there is none), and the offset after the
    sentence's closing marks.

    The second offset stays within ``around``, the footnote that contains the sentence, if any.
    """
    masked = draft.masked
    at = sentence.end
    while at > sentence.start and (masked[at - 1] in _CLOSING_QUOTES or masked[at - 1].isspace()):
        at -= 1
    stop = at - 1 if at > sentence.start and masked[at - 1] in _STOPS else None
    behind = draft.skip_marks(sentence.end, _MARKS)
    return stop, min(behind, around.content.end) if around is not None else behind


def _behind_citation(draft: Draft, sentence: Span) -> int | None:
    """Return the offset after the citation that ends a sentence, or None if the sentence does not end with
    one.
    """
    inside = (each for each in draft.citations_in(sentence) if each.span.start >= sentence.start)
    last = max(inside, key=lambda each: each.span.end, default=None)
    if last is None or not _TRAILING.fullmatch(draft.masked[min(last.span.end, sentence.end) : sentence.end]):
        return None
    return draft.skip_marks(last.span.end, _MARKS) if is_attached(draft, sentence, last) else None


def _sentence_behind(draft: Draft, sentence: Span) -> Span | None:
    paragraph = draft.paragraph_at(sentence.start)
    found = draft.sentences_of(paragraph) if paragraph is not None else ()
    return next((each for each in found if each.start >= sentence.end), None)


def _only_citations(draft: Draft, sentence: Span) -> bool:
    """Return whether a sentence is a citation sentence: nothing but citations, signals and punctuation."""
    citations = draft.citations_in(sentence)
    return bool(citations) and bool(_SIGNAL.fullmatch(draft.prose(sentence)))


def _citation_sentence(draft: Draft, sentence: Span) -> int | None:
    """Return the end of the last citation in the citation sentence after ``sentence``, or None if there is
    none.
    """
    following = _sentence_behind(draft, sentence)
    if following is None or not _only_citations(draft, following):
        return None
    return draft.skip_marks(max(each.span.end for each in draft.citations_in(following)), _MARKS)


def _in_footnote(draft: Draft, note: Footnote) -> CitationPlace:
    """Return the place for a citation at the end of a footnote's text."""
    kept = note.content.of(draft.source).rstrip()
    if not kept:
        return CitationPlace(note.content.start, closing=".")
    return CitationPlace(note.content.start + len(kept.removesuffix(".")), "; ")
