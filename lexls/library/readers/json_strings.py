"""Find the strings of JSON source and where in it each of their characters stands."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from lexls.library.document import UnreadableFile

Path = tuple[str | int, ...]
"""Where a value stands: the keys and positions that lead to it."""
Run = tuple[str, int, int]
"""Decoded text, where it begins in the source, and how long it is there; it has the length of its text, or is
an escape."""

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]', re.DOTALL)
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")
_SHORT = {"\\n": "\n", '\\"': '"', "\\t": "\t", "\\r": "\r", "\\/": "/", "\\\\": "\\"}
_UNPRINTABLE = re.compile("[\0\ud800-\udfff]")


def read_json(source: str) -> tuple[Any, int]:
    """The value of JSON source, and how many there are: of JSON lines it is the first.

    Raises ``UnreadableFile`` with the line where it is none.
    """
    try:
        return json.loads(source), 1
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and error.lineno > 1:
            # One value a line, as corpora have it.
            first, _ = json.JSONDecoder().raw_decode(source.lstrip())
            return first, sum(1 for line in source.splitlines() if line.strip())
        # The parser's own message may quote the file; only the place may be told.
        raise UnreadableFile(f"not valid JSON (line {error.lineno})") from None
    except (RecursionError, ValueError):
        raise UnreadableFile("JSON that is nested too deeply, or has numbers that are too long") from None


def clean(text: str) -> str:
    """Text as it can be stored: what UTF-8 cannot hold, and the null character, give way to U+FFFD."""
    return _UNPRINTABLE.sub("�", text)


def find_strings(source: str, wanted: Collection[Path]) -> dict[Path, tuple[int, int]]:
    """Return where the strings at the ``wanted`` places stand in valid JSON: within their quotation marks.

    Of a key that is given twice the last counts, as in ``read_json``.
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
    """The text of a JSON string that stands in ``source[start:end]``, in runs."""
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
    """The source map of a text that was made of a string: ``source_map`` leads from the text to the string,
    ``runs`` from the string to the source; ``shift`` is added to places in the text.
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
