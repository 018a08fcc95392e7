"""Patterns that leave files out match as in a .gitignore, however many stars they have."""

from __future__ import annotations

import random

from pathspec import PathSpec

from lexls.text.paths import read_globs

PIECES = ("a", "b", "*", "**", "/", "?", "[ab]", "\\*", "a(b)", ".", "*a", "**/", "/**", "!a")


def test_a_pattern_matches_what_git_would_match() -> None:
    chance = random.Random(4)
    matched = 0
    for _ in range(3_000):
        pattern = "".join(chance.choices(PIECES, k=chance.randint(1, 7)))
        path = "/".join(
            "".join(chance.choices("aab*(.)", k=chance.randint(1, 5))) for _ in range(chance.randint(1, 5))
        )
        expected = PathSpec.from_lines("gitignore", [pattern]).match_file(path)
        assert read_globs([pattern]).match_file(path) == expected, (pattern, path)
        matched += expected
    assert matched > 300


def test_many_stars_cost_no_more_than_one() -> None:
    # Each of these would not end in a lifetime if every star tried every place.
    for pattern in ("*a" * 30 + "*b", "*" * 60 + "b", "**/a*" * 12 + "/c", "x/**/" + "a/**/" * 20 + "b"):
        assert not read_globs([pattern]).match_file("x/" + "a/" * 40 + "a" * 200)
