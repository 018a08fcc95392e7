"""Code lens: above a paragraph, how many authorities support it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.features.fitting import fitting
from lexls.features.propositions import bare
from lexls.features.resolve import find_authorities
from lexls.features.snapshot import Draft, Snapshot
from lexls.grounding.reading import states
from lexls.text.cancel import CancelToken
from lexls.text.format import Mark
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.text.spans import Span

_FEWEST_WORDS = 8
_LOOKED_FOR = 12
_LAW = compile_pattern(load_phrases(__package__, "code_lens.toml")["law"], {})


@dataclass(frozen=True, slots=True)
class Lens:
    """What is said above a paragraph, and the words that support is looked for with when it is chosen."""

    title: str
    wanted: Span


def find_lenses(snapshot: Snapshot, token: CancelToken) -> list[Span]:
    """The paragraphs that get a lens, in order: those that cite something, or seem to say what the law is.

    Headings, footnotes and citations alone get none. `describe_lens` finds what is said, for those shown.
    """
    draft = snapshot.draft
    found = []
    for paragraph in _prose(draft):
        token.raise_if_cancelled()
        words = paragraph.of(draft.masked)
        if len(words.split()) < _FEWEST_WORDS:
            continue
        cites = draft.citations_in(paragraph) or _marks(draft, paragraph)
        if cites or (_LAW.search(words) and states(words)):
            found.append(paragraph)
    return found


def describe_lens(snapshot: Snapshot, start: int, token: CancelToken) -> Lens | None:
    """What is said above the paragraph that begins at ``start``; None if there is none any more.

    Where it cites nothing, the authorities of the library are counted that bear on its sentences.
    """
    draft = snapshot.draft
    paragraph = draft.paragraph_at(start)
    if paragraph is None or paragraph.start != start:
        return None
    known, missing = _cited(snapshot, paragraph)
    if known or missing:
        return Lens(_counted(known, missing), paragraph)
    wanted, count = paragraph, 0
    bearing: set[int] = set()
    for sentence in draft.sentences_of(paragraph):
        words = bare(draft, sentence)
        if not states(words) or not _LAW.search(words):
            continue
        token.raise_if_cancelled()
        hits = snapshot.passages_on(words, _LOOKED_FOR, token)
        fits = {fit.hit.authority.id for fit in fitting(words, hits, snapshot.tokens)}
        if len(fits) > count:
            wanted, count = sentence, len(fits)
        bearing |= fits
    if not bearing:
        return Lens("no authority", paragraph)
    return Lens(f"no authority · {len(bearing)} of your library may support it", wanted)


def _prose(draft: Draft) -> Iterator[Span]:
    """The paragraphs that are neither headings nor footnotes."""
    headings = {heading.words.start for heading in draft.headings}
    notes = [note.content for note in draft.footnotes if note.label]
    starts = [note.start for note in notes]
    for paragraph in draft.paragraphs:
        place = bisect_right(starts, paragraph.end) - 1
        inside = place >= 0 and notes[place].start <= paragraph.end <= notes[place].end + 1
        if not inside and paragraph.start not in headings:
            yield paragraph


def _marks(draft: Draft, paragraph: Span) -> list[Mark]:
    """The marks of footnotes in a paragraph; one behind its last word is blank where the paragraph is cut."""
    end = draft.source.find("\n", paragraph.end)
    line = Span(paragraph.start, end if end >= 0 else len(draft.source))
    return draft.format.find_note_marks(draft.source, line)


def _cited(snapshot: Snapshot, paragraph: Span) -> tuple[int, int]:
    """How many authorities a paragraph and its footnotes cite: in the library, and not in it."""
    draft = snapshot.draft
    known: set[int] = set()
    missing: set[str] = set()
    for citation in _citations(draft, paragraph):
        found = find_authorities(snapshot, citation)
        if found:
            known.add(found[0])
        elif citation.key:
            missing.add(draft.group_of(citation)[0].key)
    return len(known), len(missing)


def _citations(draft: Draft, paragraph: Span) -> Iterator[Citation]:
    yield from draft.citations_in(paragraph)
    marks = _marks(draft, paragraph)
    if marks:
        notes = {note.label: note for note in draft.footnotes if note.label}
        for label in dict.fromkeys(mark.label for mark in marks):
            if label in notes:
                yield from draft.citations_in(notes[label].content)


def _counted(known: int, missing: int) -> str:
    total = known + missing
    words = f"{total} authorit{'y' if total == 1 else 'ies'}"
    if not missing:
        return words
    return f"{words} · {'not' if total == 1 else f'{missing} not'} in your library"
