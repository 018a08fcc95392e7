"""Where in a sentence a citation goes, and what stands around it, as the draft does it elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lexls.citations.model import Citation
from lexls.features.checks.problem import Edit
from lexls.features.footnotes import (
    Footnote,
    footnote_at,
    footnote_behind,
    footnotes,
    new_footnote,
)
from lexls.features.propositions import attached, opening_before
from lexls.features.snapshot import Draft
from lexls.text.spans import Span

Where = Literal["inside", "after", "footnote"]
"""``inside``: before the sentence's final stop; ``after``: a citation sentence behind it; ``footnote``."""

_SIGNAL = re.compile(
    r"(?:see(?:,? (?:also|e\.g\.|eg|generally))?,?|cf\.?|accord|contra|but|and|per|[\s.,;:()\[\]])*",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"[\s.,;:)\]\"'”’]*")
_CLOSING_QUOTES = "\"'”’)]»"
_STOPS = ".?!…"
_MOST_MENTIONS = 60


@dataclass(frozen=True, slots=True)
class Habit:
    """How a draft attaches citations to its sentences.

    ``opening`` and ``closing`` stand around a citation inside a sentence: ": " and "", " (see " and ")".
    """

    where: Where
    opening: str
    closing: str


def habit_of(draft: Draft) -> Habit:
    """The draft's commonest way; without citations to learn from, the usual way of its jurisdiction.

    American drafts put a citation in a sentence of its own, others after a colon before the final stop.
    """
    places: Counter[Where] = Counter()
    openings: Counter[tuple[str, str]] = Counter()
    notes = footnotes(draft.source, draft.markup)
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
            found = opening_before(before)
            if found is not None:
                places["inside"] += 1
                openings[found] += 1
    default: Where = "after" if draft.jurisdiction == "US" else "inside"
    where = max(places, key=lambda each: (places[each], each == default)) if places else default
    opening, closing = openings.most_common(1)[0][0] if openings else (": ", "")
    return Habit(where, opening, closing)


def edits(draft: Draft, span: Span, text: str, habit: Habit) -> tuple[Edit, ...]:
    """The edits that attach the citation ``text`` (in the draft's markup) to what ``span`` covers.

    ``span`` is a sentence, a selection, or an empty span (a cursor: its sentence). A selection that ends in
    the middle of a sentence gets the citation there. A sentence that already ends in a citation, has a
    footnote, or is followed by a citation sentence gets it added to those, after a semicolon.
    """
    end = _visible_end(draft.masked, span)
    sentence = draft.sentence_at(end)
    if sentence is None:
        return (Edit(Span(span.end, span.end), text),)
    if len(span) and not _TRAILING.fullmatch(draft.masked[end : sentence.end]):
        return (Edit(*_after_words(draft, end, text)),)
    joined = _joined_to_citation(draft, sentence, text)
    if joined is not None:
        return (joined,)
    around = footnote_at(draft.source, draft.markup, sentence.start)
    stop, behind = _ending(draft, sentence, around)
    note = footnote_behind(draft.source, draft.markup, behind) if around is None else None
    if note is not None:
        return (_into_footnote(draft, note, text),)
    following = _citation_sentence(draft, sentence)
    if following is not None:
        return (Edit(Span(following, following), "; " + text),)
    where = "inside" if habit.where == "footnote" and around is not None else habit.where
    if where == "footnote":
        return tuple(
            Edit(Span(at, at), new) for at, new in new_footnote(draft.source, draft.markup, behind, text)
        )
    if stop is None:
        if where == "after":
            return (Edit(Span(behind, behind), f" ({text})"),)
        return (Edit(Span(behind, behind), habit.opening + text + habit.closing),)
    if where == "inside" and behind == stop + 1 and draft.masked[stop] in ".…":
        return (Edit(Span(stop, stop), habit.opening + text + habit.closing),)
    closing = "" if text.endswith(".") else "."
    return (Edit(Span(behind, behind), f" {text}{closing}"),)


def goes_to(draft: Draft, span: Span, habit: Habit) -> tuple[int, bool]:
    """Where `edits` puts a citation for ``span``: the offset, and whether a new footnote is made there."""
    first = min(edits(draft, span, "x", habit), key=lambda each: each.span.start)
    return first.span.start, first.text.startswith(("[^", "\\footnote", "#footnote"))


def whole_sentences(draft: Draft, span: Span) -> bool:
    """Whether ``span`` begins with a sentence and ends with one, its final stop and blanks left aside."""
    end = _visible_end(draft.masked, span)
    first, last = draft.sentence_at(span.start), draft.sentence_at(end)
    if first is None or last is None:
        return False
    start = span.start + len(span.of(draft.masked)) - len(span.of(draft.masked).lstrip())
    return start <= first.start and bool(_TRAILING.fullmatch(draft.masked[end : last.end]))


def ends_of(draft: Draft, span: Span) -> tuple[int, int]:
    """Where the sentences that ``span`` touches begin, and the place behind all that closes the last one, its
    footnotes among them."""
    end = _visible_end(draft.masked, span)
    first = draft.sentence_at(span.start) or span
    last = draft.sentence_at(end) or span
    around = footnote_at(draft.source, draft.markup, last.start)
    behind = _ending(draft, last, around)[1]
    return first.start, _past_notes(draft, behind) if around is None else behind


def supporting(draft: Draft, span: Span) -> list[Citation]:
    """The citations that already support ``span``: in its sentences, their footnotes, and behind them."""
    end = _visible_end(draft.masked, span)
    first = draft.sentence_at(span.start) or span
    last = draft.sentence_at(end) or span
    found = draft.citations_in(Span(min(first.start, span.start), max(last.end, span.end)))
    around = footnote_at(draft.source, draft.markup, last.start)
    _, behind = _ending(draft, last, around)
    note = footnote_behind(draft.source, draft.markup, behind) if around is None else None
    if note is not None:
        found.extend(draft.citations_in(note.content))
    following = _sentence_behind(draft, last)
    if following is not None and _only_citations(draft, following):
        found.extend(draft.citations_in(following))
    return found


def _mentions(draft: Draft) -> Iterator[Span]:
    """The spans of full citations, parallel ones as one, as many as it takes to know a habit."""
    spans: dict[int, Span] = {}
    for citation in draft.citations:
        if citation.form == "full" and citation.kind == "case":
            known = spans.get(citation.group)
            span = citation.span
            spans[citation.group] = (
                span if known is None else Span(min(known.start, span.start), max(known.end, span.end))
            )
            if len(spans) >= _MOST_MENTIONS:
                break
    yield from spans.values()


def _visible_end(masked: str, span: Span) -> int:
    """The end of the span without the blanks at it."""
    text = span.of(masked)
    return span.start + len(text.rstrip()) if text.strip() else span.end


def _after_words(draft: Draft, end: int, text: str) -> tuple[Span, str]:
    """In the middle of a sentence: in brackets behind the word that the selection ends in."""
    while (
        end < len(draft.masked)
        and draft.masked[end].isalnum()
        and end > 0
        and draft.masked[end - 1].isalnum()
    ):
        end += 1
    end = _past_marks(draft, end)
    return Span(end, end), f" ({text})"


def _past_marks(draft: Draft, at: int) -> int:
    """The place behind closing marks of markup ("*", "}") that stand at ``at``."""
    source, masked = draft.source, draft.masked
    while at < len(source) and masked[at] == " " and source[at] in "*_}]" and not source.startswith("[^", at):
        at += 1
    return at


def _past_notes(draft: Draft, at: int) -> int:
    """The place behind the footnotes, or their marks, that stand at ``at``."""
    source = draft.source
    while (note := footnote_behind(source, draft.markup, at)) is not None:
        if source.startswith("[^", at):
            at = source.index("]", at) + 1
        elif source.startswith(("^[", "\\footnote", "#footnote"), at):
            at = note.content.end + 1
        else:
            break
    return at


def _ending(draft: Draft, sentence: Span, around: Footnote | None) -> tuple[int | None, int]:
    """Where the sentence's final stop stands (None without one), and the place behind all that closes it.

    The latter does not leave the footnote ``around`` the sentence.
    """
    masked = draft.masked
    at = sentence.end
    while at > sentence.start and (masked[at - 1] in _CLOSING_QUOTES or masked[at - 1].isspace()):
        at -= 1
    stop = at - 1 if at > sentence.start and masked[at - 1] in _STOPS else None
    behind = _past_marks(draft, sentence.end)
    return stop, min(behind, around.content.end) if around is not None else behind


def _joined_to_citation(draft: Draft, sentence: Span, text: str) -> Edit | None:
    """The edit for a sentence that ends in a citation."""
    inside = [each for each in draft.citations_in(sentence) if each.span.start >= sentence.start]
    if not inside:
        return None
    last = max(inside, key=lambda each: each.span.end)
    if not _TRAILING.fullmatch(draft.masked[min(last.span.end, sentence.end) : sentence.end]):
        return None
    if not attached(draft, sentence, last):
        return None
    at = _past_marks(draft, last.span.end)
    return Edit(Span(at, at), "; " + text)


def _sentence_behind(draft: Draft, sentence: Span) -> Span | None:
    paragraph = draft.paragraph_at(sentence.start)
    if paragraph is None:
        return None
    for each in draft.sentences_of(paragraph):
        if each.start >= sentence.end:
            return each
    return None


def _only_citations(draft: Draft, sentence: Span) -> bool:
    """Whether a sentence is a citation sentence: nothing but citations, signals and punctuation."""
    citations = draft.citations_in(sentence)
    return bool(citations) and bool(_SIGNAL.fullmatch(draft.prose(sentence)))


def _citation_sentence(draft: Draft, sentence: Span) -> int | None:
    """The end of the last citation in the citation sentence behind ``sentence``, None if there is none."""
    following = _sentence_behind(draft, sentence)
    if following is None or not _only_citations(draft, following):
        return None
    return _past_marks(draft, max(each.span.end for each in draft.citations_in(following)))


def _into_footnote(draft: Draft, note: Footnote, text: str) -> Edit:
    content = note.content.of(draft.source)
    kept = content.rstrip()
    at = note.content.start + len(kept)
    if not kept:
        return Edit(Span(at, at), f"{text}.")
    if kept.endswith("."):
        return Edit(Span(at - 1, at - 1), "; " + text)
    return Edit(Span(at, at), "; " + text)
