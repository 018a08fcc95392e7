"""Find what can be folded: sections, parts that lexls writes, and what spans lines in the draft's format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from lexls.features.draft import Draft
from lexls.text.cancel import CancelToken
from lexls.text.format import Fold
from lexls.text.spans import Span

_MARKER = re.compile(
    r"^[ \t]*(?:<!--|%|//)[ \t]*(?P<end>/|end[ \t]+)?(?P<name>lexls:[\w-]+)"
    r"(?:[ \t]+(?P<close>begin|end))?[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)


def folds(draft: Draft, token: CancelToken) -> list[Fold]:
    """What can be folded in the draft, by where it begins, outer before inner; nothing on one line."""
    found: list[Fold] = []
    source = draft.source
    for fold in chain(_sections(draft), _marked(source), _comments(draft), draft.format.find_folds(source)):
        token.raise_if_cancelled()
        text = fold.span.of(source).rstrip()
        if "\n" in text:
            found.append(Fold(Span(fold.span.start, fold.span.start + len(text)), fold.kind))
    found.sort(key=lambda each: (each.span.start, -each.span.end))
    return list(dict.fromkeys(found))


def _sections(draft: Draft) -> Iterator[Fold]:
    """Each heading with all below it, up to the next that is not deeper."""
    limit = draft.format.find_body_end(draft.source)
    open_: list[tuple[int, int]] = []
    for heading in draft.headings:
        while open_ and open_[-1][0] >= heading.level:
            yield Fold(Span(open_.pop()[1], heading.line.start), "section")
        open_.append((heading.level, heading.line.start))
    for _, start in open_:
        yield Fold(Span(start, max(start, limit)), "section")


def _marked(source: str) -> Iterator[Fold]:
    """What stands between the two markers of a part that a command keeps up to date."""
    begun: dict[str, int] = {}
    for match in _MARKER.finditer(source):
        name = match["name"].casefold()
        ends = bool(match["end"]) or (match["close"] or "").casefold() == "end"
        if ends and name in begun:
            yield Fold(Span(begun.pop(name), match.end()), "block")
        elif not ends:
            begun[name] = match.start()


def _comments(draft: Draft) -> Iterator[Fold]:
    """Comments of one line each that follow one another."""
    before, after = draft.format.comment or ("", "")
    if before and not after:
        row = rf"(?:^[ \t]*{re.escape(before.strip())}[^\n]*(?:\n|\Z)){{2,}}"
        for match in re.finditer(row, draft.source, re.MULTILINE):
            yield Fold(Span(*match.span()), "comment")
