"""Match paths against patterns as in a ``.gitignore``, in linear time whatever the pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pathspec import PathSpec
from pathspec.pattern import RegexPattern

# In pathspec's regular expressions: a star, folders in the middle ("/**/"), what stands between two of them.
_STAR, _FOLDERS = r"\[\^/\]\*", r"\(\?:/\.\+\)\?/"
_STARS = re.compile(f"(?:{_STAR}){{2,}}")
_PIECE = re.compile(rf"{_STAR}((?:\\.|\[\^/\](?!\*)|(?!{_STAR})[^/(\\])+)(?={_STAR})")
_PART = re.compile(rf"{_FOLDERS}((?:\\.|(?!{_FOLDERS})[^\\])+?)(?={_FOLDERS})")


def read_globs(patterns: Iterable[str]) -> PathSpec[Any]:
    """Return what matches relative paths, with "/" in them, as a ``.gitignore`` of these lines does.

    Behind a star the first place where the next piece stands is as good as any later one. So none is looked
    for again: twenty stars cost as much as one.
    """
    found = PathSpec.from_lines("gitignore", patterns).patterns
    return PathSpec(
        RegexPattern(re.compile(_make_linear(each.regex.pattern)), each.include)
        for each in found
        if each.regex is not None
    )


def _make_linear(pattern: str) -> str:
    pattern = _STARS.sub("[^/]*", pattern)
    pattern = _PIECE.sub(r"(?>[^/]*?\1)", pattern)
    return _PART.sub(r"(?>(?:/.+?)?/\1(?=/))", pattern)
