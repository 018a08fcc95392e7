"""Complete sections of Acts, paragraphs behind a citation, and keys of a bibliography."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lexls.citations.bibliography import Record
from lexls.features.authority_names import AuthorityNames
from lexls.features.completion_context import (
    CompletionItem,
    Context,
    ItemKind,
    paragraph_fit,
    place_of,
    style_of,
    terms_around,
    write_citation,
)
from lexls.features.draft import Draft
from lexls.features.resolve import find_authority, resolve
from lexls.features.snapshot import Snapshot
from lexls.grounding.markdown import shortened
from lexls.grounding.place_words import pinpoint_kind, pinpoint_words
from lexls.grounding.reading import prose
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


def sections(
    snapshot: Snapshot, names: AuthorityNames, context: Context, offset: int, token: CancelToken, most: int
) -> list[CompletionItem]:
    """Sections of Acts for "s 12|": Acts that the draft cites first, then those that fit the paragraph."""
    acts = [each.id for each in names.authorities.values() if each.kind in ("statute", "regulation")]
    if not acts:
        return []
    cited = _cited(snapshot)
    fits = paragraph_fit(snapshot, offset, acts, token)
    ordered = sorted(acts, key=lambda each: -(fits.get(each, 0.0) + (1.0 if each in cited else 0.0)))
    style = style_of(snapshot, offset)
    items: list[CompletionItem] = []
    for number in ordered[:most]:
        token.raise_if_cancelled()
        authority = names.authorities[number]
        labels = _labels_like(
            snapshot.library.contents.labels(number, pinpoint_kind(authority)), context.typed
        )
        if context.typed and not labels:
            continue
        for label in labels[:3] if context.typed else [""]:
            written = write_citation(snapshot, authority, context, style, label or "n")
            words = pinpoint_words(pinpoint_kind(authority), label) if label else ""
            items.append(
                CompletionItem(
                    label=f"{authority.title}, {words}" if words else authority.title,
                    description=authority.citation if authority.citation != authority.title else "",
                    kind="statute",
                    replace=context.replace,
                    text=written.text,
                    stop=None if label else written.pinpoint,
                    plain=written.text
                    if label
                    else write_citation(snapshot, authority, context, style, "").text,
                    filter=snapshot.draft.source[context.replace.start : offset],
                    order=f"{len(items):04}",
                    authority=number,
                    label_of_place=label,
                )
            )
    return items[:most]


def pinpoints(
    snapshot: Snapshot, context: Context, offset: int, token: CancelToken, most: int
) -> list[CompletionItem]:
    """The places of the authority cited, those first that fit the paragraph being written."""
    assert context.citation is not None
    authority = find_authority(snapshot.library, resolve(snapshot.library, snapshot.draft, context.citation))
    if authority is None:
        return []
    labels = _labels_like(snapshot.library.contents.labels(authority.id, context.pinpoint), context.typed)
    passages, _ = snapshot.library.lexical(terms_around(snapshot, offset), 50, [authority.id], token)
    fitting = [
        each.paragraph for each in snapshot.library.contents.passage_records(passages.tolist()[:most], token)
    ]
    ordered = list(dict.fromkeys([*(each for each in fitting if each in set(labels)), *labels]))[:most]
    items = []
    for number, label in enumerate(ordered):
        token.raise_if_cancelled()
        place = place_of(snapshot, authority, label)
        text = label + context.closing
        items.append(
            CompletionItem(
                label=pinpoint_words(context.pinpoint, label),
                description=shortened(" ".join(prose(authority, place.text).split()), 60)
                if place is not None
                else "",
                kind="place",
                replace=context.replace,
                text=text,
                stop=None,
                plain=text,
                filter=context.typed or label,
                order=f"{number:04}",
                authority=authority.id,
                label_of_place=label,
            )
        )
    return items


def _labels_like(labels: Iterable[str], typed: str) -> list[str]:
    """The labels that begin like ``typed``: the one that equals it first, sections before their parts."""
    found = [label for label in labels if label.startswith(typed)]
    return sorted(found, key=lambda label: (label != typed, label.count("("), len(label) if typed else 0))


def _cited(snapshot: Snapshot) -> set[int]:
    found: set[int] = set()
    for citation in snapshot.draft.citations:
        if citation.form == "full":
            found.update(resolve(snapshot.library, snapshot.draft, citation).authorities)
    return found


_BEHIND = re.compile(r"[\w:.-]{0,200}")
_LOOKED_BACK = 600
_NO_AUTHORITY = -1


def typed_key(draft: Draft, offset: int) -> Span | None:
    """The key that is being typed at ``offset``, as far as it stands there; None where none is.

    Nothing is found in a draft without a bibliography.
    """
    pattern = draft.format.typed_key
    if draft.bibliography is None or pattern is None:
        return None
    start = max(draft.source.rfind("\n", 0, offset) + 1, offset - _LOOKED_BACK)
    match = pattern.search(draft.source[start:offset])
    if match is None:
        return None
    behind = _BEHIND.match(draft.source, offset)
    return Span(start + match.start("key"), behind.end() if behind is not None else offset)


def keys(snapshot: Snapshot, typed: Span, offset: int) -> list[CompletionItem]:
    """The entries whose key begins like what is typed, or has it, or whose title has a word like it."""
    draft = snapshot.draft
    assert draft.bibliography is not None
    written = draft.source[typed.start : offset]
    ranked = sorted(
        (rank, record.key)
        for record in draft.bibliography.records.values()
        if (rank := _rank(written.casefold(), record)) is not None
    )
    most = snapshot.settings.completion_max_items
    return [_item(snapshot, key, typed, written, place) for place, (_, key) in enumerate(ranked[:most])]


def _rank(typed: str, record: Record) -> int | None:
    key = record.key.casefold()
    if key.startswith(typed):
        return 0
    if any(word.startswith(typed) for word in record.title.casefold().split()):
        return 1
    return 2 if typed in key else None


def _item(snapshot: Snapshot, key: str, typed: Span, written: str, place: int) -> CompletionItem:
    draft = snapshot.draft
    assert draft.bibliography is not None
    entry = draft.bibliography.entry(key, draft.jurisdiction)
    assert entry is not None
    held = snapshot.library.catalogue.find_key(entry.key)
    kind: ItemKind = "case" if entry.kind == "case" else "statute" if entry.kind == "statute" else "other"
    return CompletionItem(
        label=key,
        description=entry.name if entry.key.startswith(entry.name) else f"{entry.name} {entry.key}".strip(),
        kind=kind,
        replace=typed,
        text=key,
        stop=None,
        plain=key,
        filter=written or key,
        order=f"{place:04}",
        authority=held[0] if held else _NO_AUTHORITY,
    )
