"""Completion of the keys of a draft's bibliography."""

from __future__ import annotations

import re

from lexls.citations.bibliography.record import Record
from lexls.features.completion_item import CompletionItem, ItemKind
from lexls.features.draft import Draft
from lexls.features.snapshot import Snapshot
from lexls.text.markup import Markup
from lexls.text.spans import Span

_KEY = r"[\w:.#$&+?<>~/-]{0,200}"
_BEFORE: dict[Markup, re.Pattern[str]] = {
    "markdown": re.compile(rf"(?<![\w.@\\/])@\{{?(?P<key>{_KEY})\Z"),
    "typst": re.compile(r"(?:(?<![\w.@\\/])@|#cite\(\s{0,9}<)(?P<key>[\w:.-]{0,200})\Z"),
    "latex": re.compile(
        r"\\[A-Za-z]{0,12}[cC]ite[A-Za-z]{0,12}\*?(?:\[[^\[\]\n]{0,100}\]){0,2}"
        r"\{(?:[^{},\n]{1,80},){0,20}\s{0,9}(?P<key>[^\s{},]{0,200})\Z"
    ),
}
_BEHIND = re.compile(r"[\w:.-]{0,200}")
_LOOKED_BACK = 600
_NO_AUTHORITY = -1


def typed_key(draft: Draft, offset: int) -> Span | None:
    """The key that is being typed at ``offset``, as far as it stands there; None where none is.

    Nothing is found in a draft without a bibliography.
    """
    pattern = _BEFORE.get(draft.markup)
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
    held = snapshot.library.find_key(entry.key)
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
