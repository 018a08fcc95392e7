"""Cutting HTML source into tags, text and entities, each with its exact place.

The standard library's parser tells a line and a column and may take quadratic time on broken markup; the
places are what matters here, and no input may hang, so every search below moves forward only.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

_TAG_NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]{0,60})")
_ATTRIBUTE = re.compile(r"([^\s=/>\"']{1,80})(?:\s{0,50}=\s{0,50}(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
_ENTITY = re.compile(r"&(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};?)")
_LONGEST_TAG = 16_384
RAW_TEXT = frozenset({"script", "style", "noscript", "template", "iframe", "noembed", "noframes", "xmp"})
"""Elements whose content is no text of the document."""


@dataclass(frozen=True, slots=True)
class Token:
    """A tag or a run of text: ``[start, end)`` in code points of the source; a tag's name in lower case."""

    kind: Literal["open", "close", "text"]
    start: int
    end: int
    name: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


def tokens(source: str) -> Iterator[Token]:
    """The tags and the text of HTML source, in order; comments, declarations and raw text are left out."""
    at, length = 0, len(source)
    greater = -1
    while at < length:
        less = source.find("<", at)
        if less < 0:
            yield Token("text", at, length)
            return
        if less > at:
            yield Token("text", at, less)
        if source.startswith("<!--", less):
            end = source.find("-->", less + 4)
            if end < 0:
                return
            at = end + 3
            continue
        if source.startswith("<![CDATA[", less):
            end = source.find("]]>", less + 9)
            stop = end if end >= 0 else length
            yield Token("text", less + 9, stop)
            at = stop + 3
            continue
        name = _TAG_NAME.match(source, less)
        if name is None:
            if source[less + 1 : less + 2] in ("!", "?", "/"):
                end = source.find(">", less)
                at = end + 1 if end >= 0 else length
            else:
                yield Token("text", less, less + 1)
                at = less + 1
            continue
        if greater < name.end():
            greater = source.find(">", name.end())
            if greater < 0:
                yield Token("text", less, length)
                return
        end = _tag_end(source, name.end(), greater)
        if end < 0:
            yield Token("text", less, less + 1)
            at = less + 1
            continue
        at = end
        tag = name[2].lower()
        if name[1]:
            yield Token("close", less, end, tag)
            continue
        yield Token("open", less, end, tag, _attributes(source[name.end() : end - 1]))
        if tag in RAW_TEXT and source[end - 2] != "/":
            closing = re.compile(rf"</{re.escape(tag)}\s{{0,20}}>", re.IGNORECASE).search(source, end)
            if closing is None:
                return
            yield Token("close", closing.start(), closing.end(), tag)
            at = closing.end()


def _tag_end(source: str, start: int, plain: int) -> int:
    """The offset after the ``>`` that ends a tag, quoted attribute values skipped; -1 if there is none near.

    ``plain`` is the first ``>``, quoted or not.
    """
    limit = min(len(source), start + _LONGEST_TAG)
    if plain >= limit:
        return -1
    at = start
    while at < limit:
        end = source.find(">", at, limit)
        if end < 0:
            return plain + 1
        quote = _next_quote(source, at, end)
        if quote < 0:
            return end + 1
        closing = source.find(source[quote], quote + 1, limit)
        if closing < 0:
            return plain + 1
        at = closing + 1
    return plain + 1


def _next_quote(source: str, start: int, end: int) -> int:
    found = [at for at in (source.find('"', start, end), source.find("'", start, end)) if at >= 0]
    return min(found, default=-1)


def _attributes(source: str) -> dict[str, str]:
    if not source.strip("/ \t\r\n"):
        return {}
    return {
        match[1].lower(): html.unescape(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(source)
    }


def decoded_runs(source: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The text of ``source[start:end]`` with its entities decoded: ``(text, source offset, source length)``.

    A run without entities has the length of its text; a decoded entity is a run of its own.
    """
    at = start
    if source.find("&", start, end) >= 0:
        for match in _ENTITY.finditer(source, start, end):
            written = match[0]
            decoded = html.unescape(written)
            if decoded == written:
                continue
            if not written.endswith(";"):
                # Without a semicolon only a prefix may be the entity ("&copy2019").
                kept = 0
                while kept < min(len(written), len(decoded)) and written[-1 - kept] == decoded[-1 - kept]:
                    kept += 1
                decoded = decoded[: len(decoded) - kept]
                written = written[: len(written) - kept]
            if match.start() > at:
                yield source[at : match.start()], at, match.start() - at
            yield decoded, match.start(), len(written)
            at = match.start() + len(written)
    if end > at:
        yield source[at:end], at, end - at
