"""Find the passage of an authority to which a pinpoint refers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.library.document import Block

_RANGE = re.compile(r"\s*[-–—]\s*")
_SCHEDULES = ("Sch", "Annex", "Annexure", "Appendix", "Exhibit")
"""The words with which labels of schedules, annexes and the like begin."""


@dataclass(frozen=True)
class NumberedPlaces:
    """The start and end of each label in a document, including everything nested under it. They are computed
    on first use.
    """

    blocks: Sequence[Block]

    @cached_property
    def paragraphs(self) -> Mapping[str, tuple[int, int]]:
        """The start and end of each numbered paragraph."""
        return _table(self.blocks, "paragraph")

    @cached_property
    def sections(self) -> Mapping[str, tuple[int, int]]:
        """The start and end of each section, clause, schedule and the like."""
        return _table(self.blocks, "section")


def find_places(
    numbered: NumberedPlaces,
    page_starts: Sequence[int],
    page_numbers: Sequence[str],
    text_length: int,
    pinpoint: Pinpoint,
    *,
    fallback: bool = False,
) -> list[tuple[str, int, int]]:
    """Return the passages that ``pinpoint`` names, as ``(label, start, end)`` in code points of the
    document's text.

    Passages are in the order of the pinpoint; a range ("12-14") gives every passage in it. A section includes
    its subsections. With ``fallback``, a missing passage is replaced by the nearest one that encloses it
    ("5(1)(a)" by "5(1)", else by "5"). The result is empty if no passage is found.
    """
    if pinpoint.kind == "page":
        pages = (_pages(label, page_starts, page_numbers, text_length) for label in pinpoint.labels)
        return [place for places in pages for place in places]
    table = numbered.paragraphs if pinpoint.kind == "paragraph" else numbered.sections
    if fallback and not table:
        table = numbered.sections
    return [place for label in pinpoint.labels for place in _labelled(label, pinpoint.kind, table, fallback)]


def list_labels(
    blocks: Sequence[Block], page_starts: Sequence[int], page_numbers: Sequence[str], kind: PinpointKind
) -> tuple[str, ...]:
    """Return all labels to which a pinpoint of ``kind`` can refer, in document order; empty if there are
    none.
    """
    if kind == "page":
        printed = tuple(number for number in page_numbers if number)
        return printed or tuple(str(number) for number in range(1, len(page_starts) + 1))
    if kind == "note":
        return ()
    wanted = "paragraph" if kind == "paragraph" else "section"
    return tuple(dict.fromkeys(block.label for block in blocks if block.kind == wanted and block.label))


def is_schedule(label: str) -> bool:
    """Return whether a label belongs to a schedule, an annex or the like, or to a part of one."""
    return label.startswith(_SCHEDULES)


def _table(blocks: Sequence[Block], kind: str) -> dict[str, tuple[int, int]]:
    """Return the start and end of each label, for one kind of block.

    If a label occurs twice (in a table of contents and in the text), the longer occurrence is used.
    """
    table: dict[str, tuple[int, int]] = {}
    runs: dict[str, tuple[int, int]] = {}

    def finish(label: str) -> None:
        run, known = runs.pop(label), table.get(label)
        if known is None or run[1] - run[0] > known[1] - known[0]:
            table[label] = run

    for block in blocks:
        if block.kind != kind or not block.label:
            continue
        labels = (block.label, *list_enclosing(block.label))
        for ended in [label for label in runs if label not in labels]:
            finish(ended)
        for label in labels:
            table.setdefault(label, (block.start, block.start))
            runs[label] = (runs[label][0] if label in runs else block.start, block.end)
    for label in list(runs):
        finish(label)
    return table


def list_enclosing(label: str) -> Iterator[str]:
    """Yield the labels that enclose ``label``, innermost first: "5(1)" and "5" for "5(1)(a)", "7" for
    "7.2".
    """
    while True:
        mark = "(" if label.endswith(")") and "(" in label else " para " if " para " in label else "."
        label = label.rpartition(mark)[0]
        if not label:
            return
        yield label


def _labelled(
    label: str, kind: PinpointKind, table: Mapping[str, tuple[int, int]], fallback: bool
) -> Iterator[tuple[str, int, int]]:
    exact = _exact(label, kind, table, fallback)
    if exact is not None:
        yield exact
        return
    ends = _RANGE.split(label)
    if len(ends) != 2:
        return
    first, last = _exact(ends[0], kind, table, False), _exact(ends[1], kind, table, False)
    if first is None and last is None:
        return
    low, high = _order(ends[0]), _order(ends[1])
    depth = ends[0].count("(")
    for known, (start, end) in table.items():
        if known.count("(") == depth and low <= _order(known) <= high:
            yield known, start, end


def _exact(
    label: str, kind: PinpointKind, table: Mapping[str, tuple[int, int]], fallback: bool
) -> tuple[str, int, int] | None:
    if kind == "schedule":
        label = " ".join(label.split())
        named = is_schedule(label)
        labels = [label] if named else [f"{name} {label}".strip() for name in _SCHEDULES]
    else:
        labels = ["".join(label.split()).rstrip(".")]
    for wanted in labels:
        for candidate in (wanted, *(list_enclosing(wanted) if fallback else ())):
            if found := table.get(candidate):
                return candidate, *found
    return None


def _order(label: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts labels in document order: "9" < "12" < "12A" < "12B"."""
    steps = re.findall(r"(\d*)([A-Za-z]*)", label)
    return tuple((int(number or 0), letters) for number, letters in steps if number or letters)


def _pages(
    label: str, starts: Sequence[int], numbers: Sequence[str], text_length: int
) -> Iterator[tuple[str, int, int]]:
    if not starts:
        return
    names = list(numbers) or [str(number) for number in range(1, len(starts) + 1)]
    low, high = _read_page_range(label)
    begin = 0
    while begin < len(names):
        end = names.index("", begin + 1) if "" in names[begin + 1 :] else len(names)
        found = list(_pages_of_series(low, high, starts[begin:end], names[begin:end], text_length))
        if found:
            yield from found
            return
        begin = end


def _read_page_range(label: str) -> tuple[str, str]:
    """Return the first and the last page of a pinpoint: "562" and "563" for "562-63"."""
    ends = _RANGE.split(label.strip())
    first = ends[0]
    last = first
    if len(ends) == 2:
        last = ends[1]
        if last.isdigit() and first.isdigit() and int(last) < int(first):
            # "562-63" omits the unchanged digits; "99-01" rolls over.
            step = 10 ** len(last)
            end = int(first) // step * step + int(last)
            last = str(end if end >= int(first) else end + step)
    return first, last


def _pages_of_series(
    first: str, last: str, starts: Sequence[int], names: Sequence[str], text_length: int
) -> Iterator[tuple[str, int, int]]:
    low = names.index(first) if first in names else -1
    high = names.index(last) if last in names else -1
    if low < 0 and high < 0:
        return
    low = high if low < 0 else low
    high = low if high < low else high
    for position in range(low, high + 1):
        end = starts[position + 1] if position + 1 < len(starts) else text_length
        yield names[position], starts[position], end
