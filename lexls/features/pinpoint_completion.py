"""Complete the pinpoints of a cited authority: paragraphs, pages, sections, footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.features.completion_item import NO_AUTHORITY, CompletionItem
from lexls.features.completion_request import terms_around
from lexls.features.pinpoint_context import PinpointContext, list_kinds
from lexls.index.library import Library
from lexls.index.records import Authority, Place
from lexls.library.slip_pages import number_slip_pages
from lexls.reading.citation_order import list_keys
from lexls.reading.draft_block import Note
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.markdown import shorten
from lexls.wording.place_words import find_pinpoint_kind, is_slip_opinion, write_pinpoint
from lexls.wording.prose import blank_markup

_FIRST_WORDS = 60
"""Maximum number of code points of a place's text that are shown next to its pinpoint."""
_FITTING = 50


def complete_pinpoints(
    snapshot: Snapshot, context: PinpointContext, offset: int, token: CancelToken
) -> list[CompletionItem]:
    """Return the pinpoints that may be cited at the offset, best matches with the current paragraph first."""
    if context.note:
        return _complete_notes(snapshot, context)
    paper, library = context.paper, context.seen.library
    kind = next(iter(list_kinds(context, paper)), None) if paper is not None else None
    if paper is None or kind is None:
        return []
    printed = number_slip(library, paper) if kind == "page" else ()
    known_labels = tuple(map(str, sorted(set(printed)))) or library.contents.list_labels(paper.id, kind)
    labels = labels_like(known_labels, context.typed)
    most = snapshot.settings.completion_max_items
    passages, _ = library.lexical(terms_around(snapshot, offset), _FITTING, [paper.id], token)
    fitting = (
        str(printed[each.page - 1] if each.page <= len(printed) else each.page)
        if kind == "page"
        else each.paragraph
        for each in library.contents.passage_records(passages.tolist()[:most], token)
    )
    known = set(labels)
    ordered = list(dict.fromkeys([*(each for each in fitting if each in known), *labels]))[:most]
    items: list[CompletionItem] = []
    for number, label in enumerate(ordered):
        token.raise_if_cancelled()
        place = find_place(context.seen, paper, label, kind) if not printed else None
        written = write_pinpoint(kind, label, paper.jurisdiction)
        text = f"{context.before}{written if context.signs and kind == 'paragraph' else label}{context.after}"
        items.append(
            CompletionItem(
                label=f"{context.sign} {label}" if context.sign else written,
                description=_write_first_words(paper, place, label),
                kind="place",
                replace=context.replace,
                text=text,
                filter=context.typed + label.removeprefix(context.typed) if context.typed else text,
                order=f"{number:04}",
                authority=paper.id if library is snapshot.library else NO_AUTHORITY,
                label_of_place=label,
                place_kind=kind,
            )
        )
    return items


def number_slip(library: Library, paper: Authority) -> tuple[int, ...]:
    """Return the page numbers printed in a slip opinion, or an empty tuple for any other authority."""
    content = library.contents.get(paper.id) if is_slip_opinion(paper) else None
    return number_slip_pages(content.text, content.page_starts) if content is not None else ()


def _write_first_words(paper: Authority, place: Place | None, label: str) -> str:
    """Return the first words of a place, without its own number."""
    if place is None:
        return ""
    words = " ".join(blank_markup(paper, place.text).split())
    return shorten(re.sub(rf"^[\[(¶§]*\s*{re.escape(label)}[\]).]*\s+", "", words), _FIRST_WORDS)


def _complete_notes(snapshot: Snapshot, context: PinpointContext) -> list[CompletionItem]:
    """Return the footnotes that cite the short form's authority in full, or any authority if it names
    none.
    """
    keys = list_keys(context.seen.draft, context.citation)
    named = bool(context.citation.name) and bool(keys)
    items: list[CompletionItem] = []
    for note, words in _list_citing_notes(snapshot, context.replace.start, keys if named else frozenset()):
        number = str(note.number)
        if not number.startswith(context.typed):
            continue
        items.append(
            CompletionItem(
                label=f"n {number}",
                description=shorten(words, _FIRST_WORDS),
                kind="place",
                replace=context.replace,
                text=f"{number}{context.after}",
                filter=number,
                order=f"{len(items):04}",
                authority=NO_AUTHORITY,
            )
        )
    return items[: snapshot.settings.completion_max_items]


def _list_citing_notes(snapshot: Snapshot, before: int, keys: frozenset[str]) -> Iterator[tuple[Note, str]]:
    """Yield the notes before a place that cite an authority in full. If ``keys`` is not empty, the authority
    must have one of these keys.
    """
    draft = snapshot.draft
    here = next((each for each in draft.notes if each.content.touches(before)), None)
    for note in draft.notes:
        earlier = note.number < here.number if here is not None else note.mark < before
        full = (each for each in draft.citations_in(note.content) if each.form == "full")
        if earlier and any(not keys or list_keys(draft, each) & keys for each in full):
            yield note, " ".join(note.content.of(draft.masked).split())


def labels_like(labels: Iterable[str], typed: str) -> list[str]:
    """Return the labels that begin with ``typed``: an exact match first, and sections before their
    subdivisions.
    """
    found = [label for label in labels if label.startswith(typed)]
    return sorted(found, key=lambda label: (label != typed, label.count("("), len(label) if typed else 0))


def find_place(
    snapshot: Snapshot, authority: Authority, label: str, kind: PinpointKind | None = None
) -> Place | None:
    """Return the authority's place with this label and ``kind`` (None: its usual kind), or None."""
    pinpoint = Pinpoint(kind or find_pinpoint_kind(authority), (label,), Span(0, 0))
    places = snapshot.library.contents.find_places(authority.id, pinpoint)
    return places[0] if places else None
