"""Read and write plain text, in which every character is literal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from lexls.text.format import Format
from lexls.text.spans import Span

_INDENTED = re.compile(r"(?: {3,}|\t)\S")


class _Plain(Format):
    def find_block_quotations(
        self, source: str, read_paragraphs: Callable[[], Sequence[Span]]
    ) -> Iterator[int]:
        """Yield the indexes of indented paragraphs after an unindented one that ends in a colon."""
        if ":" not in source:
            return
        paragraphs = read_paragraphs()
        for place in range(1, len(paragraphs)):
            before, paragraph = paragraphs[place - 1], paragraphs[place]
            if not before.of(source).endswith(":"):
                continue
            lines = [each for each in _from_line(source, paragraph).split("\n") if each.strip()]
            if all(_INDENTED.match(each) for each in lines) and not _INDENTED.match(
                _from_line(source, before)
            ):
                yield place


def _from_line(source: str, paragraph: Span) -> str:
    return source[source.rfind("\n", 0, paragraph.start) + 1 : paragraph.end]


FORMAT = _Plain.load("plain")
