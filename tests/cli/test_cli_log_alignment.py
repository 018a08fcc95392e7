"""Which entries of a log are which of a later one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from lexls.export.log.alignment import align

NAMES = (
    "Ibid",
    "Hale v Ryle [2019] ASC 41",
    "Pell v Orr [2018] ASC 7",
    "Gull v Heron [1987] UKHL 3",
    "@key, 4",
)


def items(texts: list[str]) -> list[dict[str, Any]]:
    return [{"kind": "citation", "text": each, "number": at} for at, each in enumerate(texts, 1)]


@pytest.mark.parametrize("seed", range(60))
def test_every_entry_of_both_is_there_once(seed: int) -> None:
    random = Random(seed)
    then = [random.choice(NAMES) for _ in range(random.randrange(12))]
    now = list(then)
    for _ in range(random.randrange(6)):
        at = random.randrange(len(now) + 1)
        change = random.choice(("add", "remove", "alter", "swap"))
        if change == "add":
            now.insert(at, random.choice(NAMES))
        elif now and change == "remove":
            now.pop(at - 1)
        elif now and change == "alter":
            now[at - 1] += " at [9]"
        elif len(now) > 1:
            now[at - 1], now[at - 2] = now[at - 2], now[at - 1]
    before, after = items(then), items(now)
    pairs = align(before, after)
    assert [
        each.then for each in sorted((p for p in pairs if p.then), key=lambda p: p.then["number"])
    ] == before
    assert sorted(p.now["number"] for p in pairs if p.now) == [each["number"] for each in after]
    for pair in pairs:
        assert (pair.then is None) == (pair.fate == "added")
        assert (pair.now is None) == (pair.fate == "removed")
        if pair.fate in ("same", "moved"):
            assert pair.then["text"] == pair.now["text"]
    same = [pair for pair in pairs if pair.fate == "same"]
    assert [pair.now["number"] for pair in same] == sorted(pair.now["number"] for pair in same)
    if then == now:
        assert len(same) == len(then) == len(pairs)


@pytest.mark.parametrize(
    ("now", "fates"),
    [
        ("abc", ["same", "same", "same"]),
        ("bac", ["moved", "same", "same"]),
        ("ac", ["same", "same", "removed"]),
        ("abxc", ["same", "same", "same", "added"]),
        ("aBc", ["same", "altered", "same"]),
        ("", ["removed", "removed", "removed"]),
    ],
)
def test_each_fate(now: str, fates: list[str]) -> None:
    names = {"a": NAMES[1], "b": NAMES[2], "c": NAMES[3], "x": NAMES[4], "B": f"{NAMES[2]} at [3]"}
    pairs = align(items([names[each] for each in "abc"]), items([names[each] for each in now]))
    assert sorted(pair.fate for pair in pairs) == sorted(fates)
