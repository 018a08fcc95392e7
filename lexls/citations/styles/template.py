"""Fill the templates of a style: ``{token}``, ``<left out if a token in it is empty>``, ``*italic*``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

_PART = re.compile(r"\{(?P<token>[a-z_]+)\}|(?P<mark>[<>*])|(?P<text>[^{}<>*]+)")


class TemplateError(ValueError):
    """A template that cannot be read; the message says where it goes wrong."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a filled template: its words, whether they are italic, their token ("" if none)."""

    text: str
    italic: bool
    token: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    kind: str
    text: str


@lru_cache(maxsize=512)
def parse(template: str) -> tuple[_Part, ...]:
    """The parts of a template; raises TemplateError where brackets do not match."""
    parts: list[_Part] = []
    position = depth = stars = 0
    while position < len(template):
        match = _PART.match(template, position)
        if match is None:
            raise TemplateError(f"{template!r} goes wrong at {template[position:]!r}")
        if match["token"]:
            parts.append(_Part("token", match["token"]))
        elif match["mark"]:
            depth += {"<": 1, ">": -1}.get(match["mark"], 0)
            stars += match["mark"] == "*"
            if depth not in (0, 1):
                raise TemplateError(
                    f"{template!r}: an optional part in another, or one that was never opened"
                )
            parts.append(_Part(match["mark"], ""))
        else:
            parts.append(_Part("text", match["text"]))
        position = match.end()
    if depth or stars % 2:
        raise TemplateError(f"{template!r}: something is not closed")
    return tuple(parts)


def list_tokens(parts: Sequence[_Part]) -> set[str]:
    """The names of a template's tokens."""
    return {part.text for part in parts if part.kind == "token"}


def list_missing(parts: Sequence[_Part], values: Mapping[str, str]) -> tuple[str, ...]:
    """The tokens outside optional parts that have no value."""
    found = []
    optional = False
    for part in parts:
        if part.kind in "<>":
            optional = part.kind == "<"
        elif part.kind == "token" and not optional and not values.get(part.text):
            found.append(part.text)
    return tuple(found)


def fill(parts: Sequence[_Part], values: Mapping[str, str]) -> Iterator[Piece]:
    """The runs of a template with its values in place; what has none is empty."""
    italic = False
    index = 0
    while index < len(parts):
        part = parts[index]
        if part.kind == "<":
            end = next(at for at in range(index, len(parts)) if parts[at].kind == ">")
            if any(not values.get(name) for name in list_tokens(parts[index:end])):
                index = end
        elif part.kind == "*":
            italic = not italic
        elif part.kind == "token":
            yield Piece(values.get(part.text, ""), italic, part.text)
        elif part.kind == "text":
            yield Piece(part.text, italic)
        index += 1
