"""Write a supported sentence into the draft, with its citations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.grounding.answer import Answer, Sentence
from lexls.grounding.evidence import Pin, quote_pin
from lexls.grounding.opposition import DENIES, Proposition, measure_opposition
from lexls.index.records import Authority
from lexls.reading.edit import Edit
from lexls.reading.propositions import find_proposition
from lexls.reading.snapshot import Draft, Snapshot
from lexls.retrieval.relevance import find_terms
from lexls.text.spans import Span
from lexls.wording.place_words import INNER_MARKS, close_marks, find_label, remove_marks, strip_controls
from lexls.writing.citing import attach
from lexls.writing.note_repairs import repair_notes
from lexls.writing.placement import (
    CitationPlace,
    Habit,
    find_ends,
    find_habit,
    find_place,
    find_supporting,
    is_whole,
)
from lexls.writing.prescribed_form import write_citation

_LEAST_SHARED = 0.4
"""Minimum share of a sentence's content words in an extract that supports it."""


def draft_sentence(snapshot: Snapshot, span: Span, answer: Answer) -> tuple[Edit, ...]:
    """Return the edits that write an answer to the task "draft" at ``span``, or none if the answer abstains.

    A model's sentences replace the drafter's sentence, with a citation for each authority on which they rest.
    If the drafter's sentence has markup or citations, or is only partly selected, the model's sentences are
    inserted after it, so that no text of the drafter is lost. An extract keeps the drafter's sentence and
    adds a citation with a quotation, in a footnote or in brackets. It is rejected if it shares few words with
    the drafter's sentence or contradicts it.
    """
    target = find_proposition(snapshot.draft, span)
    if target is None or not answer.sentences:
        return ()
    written = [each for each in answer.sentences if not each.is_extract]
    if written:
        return _written(snapshot, target, written)
    best = _best_extract(snapshot, answer)
    return quote(snapshot, target, best.pins[0]) if best is not None else ()


def insert_sentence(
    snapshot: Snapshot, offset: int, authority: Authority, source: Span, words: str = ""
) -> tuple[Edit, ...]:
    """Return the edits that insert ``words``, based on ``source`` in an authority's text, at ``offset`` of
    the draft, with a citation in the draft's style. Without ``words``, the source is quoted.
    """
    draft, contents = snapshot.draft, snapshot.library.contents
    passage = contents.find_passage(authority.id, source.start)
    label, page = (passage.paragraph, passage.page) if passage is not None else ("", 0)
    text = source.of(contents.text(authority.id))
    pin = Pin("", authority, source.start, source.end, text, label, page, at_pinpoint=False)
    habit = find_habit(draft)
    if habit.where == "footnote" and draft.format.find_note_at(draft.source, offset) is not None:
        habit = replace(habit, where="inside")
    in_note = habit.where == "footnote"
    # After words that cite something themselves, *id.* would be ambiguous.
    citing = any(map(str.isdigit, words or text))
    citation = _citation(snapshot, CitationPlace(offset, new_note=in_note, citing=citing), pin)
    if words:
        sentence = _write_words(strip_controls(words), draft)
    else:
        sentence = _write_quotation(" ".join(quote_pin(pin).split()), draft, stop=habit.where == "after")
    if offset and not draft.source[offset - 1].isspace():
        sentence = f" {sentence}"
    behind = " " if draft.source[offset : offset + 1].strip() else ""
    shifted = repair_notes(snapshot, offset, authority.citations, new_note=in_note)
    if not in_note:
        return (Edit(Span(offset, offset), _with_citations(sentence, citation, habit) + behind), *shifted)
    mark, *notes = draft.format.insert_note(draft.source, offset, citation)
    written = (offset, _stopped(sentence) + mark[1] + behind)
    return (*(Edit(Span(at, at), new) for at, new in (written, *notes)), *shifted)


def _best_extract(snapshot: Snapshot, answer: Answer) -> Sentence | None:
    """Return the extract with most of the drafter's words, or None. It must have enough of the words, not
    contradict the drafter's sentence, and be the court's own.
    """
    held = Proposition.of(answer.question, snapshot.tokens)
    asked = find_terms(answer.question, snapshot.tokens).keys()
    best, most = None, _LEAST_SHARED * len(asked)
    for each in answer.sentences:
        if each.pins[0].whose:
            continue
        shared = len(asked & set(snapshot.tokens(each.text)))
        if shared >= most and measure_opposition(each.text, held, snapshot.tokens) < DENIES:
            best, most = each, shared + 1
    return best


def quote(snapshot: Snapshot, target: Span, pin: Pin) -> tuple[Edit, ...]:
    """Return the edits that cite an authority for the sentence ``target``, with a quotation: after a colon in
    a footnote, otherwise in brackets.
    """
    draft = snapshot.draft
    habit = find_habit(draft)
    place = find_place(draft, target, habit)
    citation = _citation(snapshot, place, pin)
    parenthetical = find_jurisdiction(draft.jurisdiction).customs.parenthetical_quotations
    quotation = _write_quotation(quote_pin(pin), draft, stop=parenthetical)
    in_note = habit.where == "footnote" or draft.format.find_note_at(draft.source, target.start) is not None
    text = f"{citation}: {quotation}" if in_note and not parenthetical else f"{citation} ({quotation})"
    shifted = repair_notes(snapshot, place.offset, pin.authority.citations, new_note=place.new_note)
    return (*attach(draft, place, text), *shifted)


def _written(snapshot: Snapshot, target: Span, sentences: Sequence[Sentence]) -> tuple[Edit, ...]:
    """Return the edits that insert a model's sentences with their citations in place of the drafter's
    sentence or after it.
    """
    draft = snapshot.draft
    habit = find_habit(draft)
    around = draft.format.find_note_at(draft.source, target.start)
    if around is not None and habit.where == "footnote":
        habit = replace(habit, where="inside")
    first, behind = find_ends(draft, target)
    marked = draft.source[first:behind] != draft.masked[first:behind]
    replaces = is_whole(draft, target) and not find_supporting(draft, target) and not marked
    at = first if replaces else behind
    text = "" if replaces or not draft.source[:behind].strip() else " "
    notes: list[tuple[int, str]] = []
    place = find_place(draft, target, find_habit(draft))
    for number, each in enumerate(sentences):
        text += " " if number else ""
        citations = "; ".join(_citations(snapshot, place, each))
        words = _write_words(strip_controls(each.text), draft)
        if habit.where == "footnote" and number == 0:
            mark, *rest = draft.format.insert_note(draft.source, behind, citations)
            text += _stopped(words) + mark[1]
            notes += rest
        else:
            text += _with_citations(words, citations, habit)
    span = Span(at, behind)
    cited = {key for each in sentences for pin in each.pins for key in pin.authority.citations}
    shifted = repair_notes(snapshot, behind, cited, new_note=bool(notes) or habit.where == "footnote")
    return (Edit(span, text), *(Edit(Span(at, at), note) for at, note in notes), *shifted)


def _with_citations(words: str, citations: str, habit: Habit) -> str:
    if habit.where == "after":
        return f"{_stopped(words)} {_stopped(citations)}"
    opening, closing = (": ", "") if habit.where == "footnote" else (habit.opening, habit.closing)
    return f"{words.rstrip('.')}{opening}{citations}{closing}."


def _stopped(text: str) -> str:
    return text if text.endswith((".", "?", "!", "”", "’")) else f"{text}."


def _citations(snapshot: Snapshot, place: CitationPlace, sentence: Sentence) -> list[str]:
    """Return a citation for each authority on which a sentence rests, with the pinpoint of its first
    quotation.
    """
    first: dict[int, Pin] = {}
    for pin in sentence.pins:
        first.setdefault(pin.authority.id, pin)
    return [_citation(snapshot, place, pin) for pin in first.values()]


def _citation(snapshot: Snapshot, place: CitationPlace, pin: Pin) -> str:
    passage = snapshot.library.contents.find_passage(pin.authority.id, pin.start)
    if passage is not None:
        label = find_label(pin.authority, pin.label or passage.paragraph, pin.text)
        passage = replace(passage, paragraph=label, page=pin.page or passage.page)
    return write_citation(snapshot, place, pin.authority, passage)


# -- words of an authority or a model, in the draft's quotation marks and markup ----------------------------

_STRAIGHT = str.maketrans('“”‘’"', "'''''")
_DOUBLE = ("“", "”")
_MARKS = (
    ("“", *_DOUBLE),
    (r"(?m)(?:(?<=[\s(\[])|^)‘(?=\w)", "‘", "’"),
    (r"(?m)(?:(?<=[\s(\[])|^)\"(?=\w)", '"', '"'),
)


def _find_marks(draft: Draft) -> tuple[str, str]:
    """Return the quotation marks that the draft uses most; “ and ” if it quotes nothing."""
    known = (*_MARKS, *draft.format.quotation_marks)
    counts = [(len(re.findall(sign, draft.source)), marks) for sign, *marks in known]
    most, (opening, closing) = max(counts, key=lambda each: each[0])
    return (opening, closing) if most else _DOUBLE


def _write_words(text: str, draft: Draft) -> str:
    """Return ``text`` on one line, escaped for the draft's markup."""
    return draft.format.write_words(strip_controls(text))


def _write_quotation(text: str, draft: Draft, *, stop: bool) -> str:
    """Return ``text`` in the draft's quotation marks; ``stop`` keeps its final full stop."""
    opening, closing = marks = _find_marks(draft)
    text = close_marks(remove_marks(strip_controls(text)))
    if not stop and text.endswith(".") and not text.endswith(".."):
        text = text[:-1]
    if marks == _DOUBLE:
        text = text.translate(INNER_MARKS)
    elif marks == ('"', '"'):
        text = text.translate(_STRAIGHT)
    return f"{opening}{_write_words(text, draft)}{closing}"
