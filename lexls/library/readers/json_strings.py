"""Find the strings in JSON source, and the source offset of each of their characters."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from lexls.library.document import UnreadableFile

Path = tuple[str | int, ...]
"""The path to a value: the keys and list positions that lead to it."""
Run = tuple[str, int, int]
"""Decoded text, its start in the source and its length there. That length equals the text's unless the run is
an escape sequence.
"""

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]', re.DOTALL)
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")
_SHORT = {"\\n": "\n", '\\"': '"', "\\t": "\t", "\\r": "\r", "\\/": "/", "\\\\": "\\"}
_UNPRINTABLE = re.compile("[\0\ud800-\udfff]")


def read_json(source: str) -> tuple[Any, int]:
    """Return the value in JSON source and 1. For JSON Lines, return the first value and the number of lines
    that are not blank.

    Raises ``UnreadableFile`` with the line number if the source is not valid.
    """
    try:
        return json.loads(source), 1
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and error.lineno > 1:
            # One value per line, as in corpora.
            first, _ = json.JSONDecoder().raw_decode(source.lstrip())
            return first, sum(1 for line in source.splitlines() if line.strip())
        # The parser's own message may quote the file; only the line may be reported.
        raise UnreadableFile(f"not valid JSON (line {error.lineno})") from None
    except (RecursionError, ValueError):
        raise UnreadableFile("JSON that is nested too deeply, or has numbers that are too long") from None


def clean(text: str) -> str:
    """Replace characters that cannot be stored (null, and those that UTF-8 cannot encode) with U+FFFD."""
    return _UNPRINTABLE.sub("�", text)


def find_strings(source: str, wanted: Collection[Path]) -> dict[Path, tuple[int, int]]:
    """Return the start and end of the strings at the ``wanted`` paths of valid JSON, without quotation marks.

    If a key is repeated, the last one counts, as in ``read_json``.
    """
    found: dict[Path, tuple[int, int]] = {}
    depths = {len(path) for path in wanted}
    steps: list[str | int] = []
    kinds: list[str] = []
    key = ""
    key_next = False
    for token in _TOKEN.finditer(source):
        first = source[token.start()]
        if first == '"':
            if key_next:
                key, key_next = token[0], False
                steps[-1] = ""
            elif len(steps) in depths:
                if kinds and kinds[-1] == "{":
                    steps[-1] = json.loads(key)
                if (path := tuple(steps)) in wanted:
                    found[path] = token.start() + 1, token.end() - 1
        elif first in "{[":
            if kinds and kinds[-1] == "{" and len(steps) < max(depths, default=0):
                steps[-1] = json.loads(key)
            kinds.append(first)
            steps.append("" if first == "{" else 0)
            key_next = first == "{"
        elif first in "}]":
            if kinds:
                kinds.pop()
                steps.pop()
            key_next = False
        elif first == "," and kinds:
            key_next = kinds[-1] == "{"
            if kinds[-1] == "[":
                steps[-1] = int(steps[-1]) + 1
    return found


def decode_string(source: str, start: int, end: int) -> Iterator[Run]:
    """Yield the text of the JSON string in ``source[start:end]``, in runs."""
    at = start
    for match in _ESCAPE.finditer(source, start, end):
        if match.start() > at:
            yield source[at : match.start()], at, match.start() - at
        written = match[0]
        yield _SHORT.get(written) or clean(json.loads(f'"{written}"')), match.start(), len(written)
        at = match.end()
    if end > at:
        yield source[at:end], at, end - at


def map_through(
    source_map: Sequence[tuple[int, int, int]], runs: Sequence[Run], shift: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the source map of a text made from a string. ``source_map`` maps the text to the string, and
    ``runs`` map the string to the source; ``shift`` is added to offsets in the text.
    """
    starts: list[int] = []
    length = 0
    for text, _, _ in runs:
        starts.append(length)
        length += len(text)
    place = 0
    for text_start, string_start, count in source_map:
        string_end = string_start + count
        while place and starts[place] > string_start:
            place -= 1
        while place + 1 < len(runs) and starts[place + 1] <= string_start:
            place += 1
        while string_start < string_end and place < len(runs):
            words, at, in_source = runs[place]
            inside = string_start - starts[place]
            covered = min(len(words) - inside, string_end - string_start)
            escaped = len(words) != in_source
            yield text_start + shift, at if escaped else at + inside, covered
            text_start += covered
            string_start += covered
            if string_start < string_end:
                place += 1
