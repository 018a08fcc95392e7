"""Complete the keys of a draft's bibliography."""

from __future__ import annotations

import re

from lexls.citations.bibliography import Record
from lexls.features.completion_item import NO_AUTHORITY, CompletionItem
from lexls.reading.draft import Draft
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span

_BEHIND = re.compile(r"[\w:.-]{0,200}")
_LOOKED_BACK = 600


def find_typed_key(draft: Draft, offset: int) -> Span | None:
    """Return the span of the key being typed at ``offset``. Returns None if no key is being typed or the
    draft has no bibliography.
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


def complete_keys(snapshot: Snapshot, typed: Span, offset: int) -> list[CompletionItem]:
    """Return the entries whose key begins with or contains the typed text, or whose title has a word that
    begins with it.
    """
    draft = snapshot.draft
    assert draft.bibliography is not None
    written = draft.source[typed.start : offset]
    ranked = sorted(
        (rank, record.key)
        for record in draft.bibliography.records.values()
        if (rank := _rank(written.casefold(), record)) is not None
    )
    items: list[CompletionItem] = []
    for _, key in ranked[: snapshot.settings.completion_max_items]:
        entry = draft.bibliography.entry(key, draft.jurisdiction)
        assert entry is not None
        held = snapshot.library.catalogue.find_key(entry.key)
        more = "" if entry.key.startswith(entry.name) else entry.key
        items.append(
            CompletionItem(
                label=key,
                description=f"{entry.name} {more}".strip(),
                kind="case" if entry.kind == "case" else "statute" if entry.kind == "statute" else "other",
                replace=typed,
                text=key,
                filter=written or key,
                order=f"{len(items):04}",
                authority=held[0] if held else NO_AUTHORITY,
            )
        )
    return items


def _rank(typed: str, record: Record) -> int | None:
    key = record.key.casefold()
    if key.startswith(typed):
        return 0
    if any(word.startswith(typed) for word in record.title.casefold().split()):
        return 1
    return 2 if typed in key else None
