"""Complete the places of an authority that is cited: paragraphs, pages, sections."""

from __future__ import annotations

from collections.abc import Iterable

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.features.completion_item import CompletionItem
from lexls.features.completion_request import CompletionRequest, terms_around
from lexls.index.records import Authority, Place
from lexls.reading.resolve import find_authority, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span
from lexls.wording.descriptions import choose_pinpoint
from lexls.wording.markdown import shorten
from lexls.wording.place_words import find_pinpoint_kind, write_pinpoint
from lexls.wording.prose import blank_markup


def complete_pinpoints(asked: CompletionRequest) -> list[CompletionItem]:
    """The places of the authority cited, those first that fit the paragraph being written."""
    snapshot, context = asked.snapshot, asked.context
    assert context.citation is not None
    authority = find_authority(snapshot.library, resolve(snapshot.library, snapshot.draft, context.citation))
    if authority is None:
        return []
    contents = snapshot.library.contents
    kind = context.pinpoint
    if kind == "paragraph" and choose_pinpoint(authority) == "page":
        kind = "page"
    labels = labels_like(contents.list_labels(authority.id, kind), context.typed)
    passages, _ = snapshot.library.lexical(
        terms_around(snapshot, asked.offset), 50, [authority.id], asked.token
    )
    fitting = (
        str(each.page) if kind == "page" else each.paragraph
        for each in contents.passage_records(passages.tolist()[: asked.most], asked.token)
    )
    ordered = list(dict.fromkeys([*(each for each in fitting if each in labels), *labels]))[: asked.most]
    items = []
    for number, label in enumerate(ordered):
        asked.token.raise_if_cancelled()
        place = find_place(snapshot, authority, label, kind)
        words = " ".join(blank_markup(authority, place.text).split()) if place is not None else ""
        written = write_pinpoint(kind, label, authority.jurisdiction)
        # *Id.* needs "at" before it.
        text = f"at {label if kind == 'page' else written}" if context.leads else label
        items.append(
            CompletionItem(
                label=written,
                description=shorten(words, 60),
                kind="place",
                replace=context.replace,
                text=text + context.closing,
                filter=context.typed or label,
                order=f"{number:04}",
                authority=authority.id,
                label_of_place=label,
            )
        )
    return items


def labels_like(labels: Iterable[str], typed: str) -> list[str]:
    """The labels that begin like ``typed``: the one that equals it first, sections before their parts."""
    found = [label for label in labels if label.startswith(typed)]
    return sorted(found, key=lambda label: (label != typed, label.count("("), len(label) if typed else 0))


def find_place(
    snapshot: Snapshot, authority: Authority, label: str, kind: PinpointKind | None = None
) -> Place | None:
    """The place of the authority with this label, None if it has none; of its usual ``kind`` without one."""
    pinpoint = Pinpoint(kind or find_pinpoint_kind(authority), (label,), Span(0, 0))
    places = snapshot.library.contents.find_places(authority.id, pinpoint)
    return places[0] if places else None
