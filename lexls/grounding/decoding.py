"""Parse a model's answer while it is being written.

Nothing is trusted: every claim is parsed and checked again, whatever grammar was used to generate it. Text
around the answer (prose, code fences, a model's reasoning) is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal

from lexls.grounding.answer import Claim, Insufficient, Quoted

CLAIMS = 50
"""Maximum number of claims read from an answer."""
SENTENCE_CHARS = 2000
QUOTATION_CHARS = 8000
MISSING_CHARS = 400
_QUOTATIONS = 10
_MISSING = 10
_IDENTIFIER_CHARS = 20
_ELEMENT_CHARS = 40_000
"""Maximum length of a list element in characters; longer ones are dropped."""

_LIST = re.compile(r'"(answer|insufficient)"[ \t\r\n]{0,40}:[ \t\r\n]{0,40}\[\Z')
_TAIL = 120
"""Number of characters before a "[" that are checked for the name of a list (see ``_LIST``)."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# Direction marks and Unicode tags, which make a sentence look different from its characters.
_UNSEEN = re.compile(r"[\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")

_State = Literal["outside", "thinking", "between", "inside", "skipping"]


class AnswerReader:
    """Parses an answer incrementally and returns each claim as soon as it is complete.

    The result does not depend on how the text is split into pieces. It never raises: anything unreadable is
    skipped, so a truncated answer yields its complete claims.
    """

    def __init__(self) -> None:
        self._state: _State = "outside"
        self._tail = ""
        self._list = ""
        self._element: list[str] = []
        self._kept = 0
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._missing: list[str] = []
        self._claims = 0
        self.found = False
        """True once a list of claims or of missing items has begun."""

    def feed(self, text: str) -> list[Claim | Insufficient]:
        """Return the parts completed by this piece of the answer."""
        return [found for character in text for found in self._take(character)]

    def finish(self) -> list[Claim | Insufficient]:
        """Return what remains at the end of input: the missing items of a list that was cut off."""
        return list(self._close()) if self._state in ("between", "inside", "skipping") else []

    def _take(self, character: str) -> Iterator[Claim | Insufficient]:
        if self._state == "inside":
            yield from self._inside(character)
        elif self._state == "outside" or self._state == "thinking":
            self._outside(character)
        elif character == "]":
            yield from self._close()
        elif character == ",":
            self._state = "between"
        elif self._state == "between" and character in '{["':
            self._state = "inside"
            self._element, self._kept, self._depth = [], 0, 0
            self._in_string = self._escaped = False
            yield from self._inside(character)
        elif not character.isspace():
            self._state = "skipping"

    def _outside(self, character: str) -> None:
        self._tail = (self._tail + character)[-_TAIL:]
        if self._state == "thinking":
            if character == ">" and self._tail.endswith("</think>"):
                self._state = "outside"
        elif character == ">" and self._tail.endswith("<think>"):
            self._state = "thinking"
        elif character == "[" and (match := _LIST.search(self._tail)):
            self._list, self._tail, self._state, self.found = match[1], "", "between", True

    def _inside(self, character: str) -> Iterator[Claim | Insufficient]:
        """Add a character to the current element: an object, a list or a string."""
        self._kept += 1
        if self._kept <= _ELEMENT_CHARS:
            self._element.append(character)
        if self._escaped:
            self._escaped = False
        elif self._in_string:
            self._escaped = character == "\\"
            self._in_string = character != '"'
        elif character == '"':
            self._in_string = True
        elif character in "{[":
            self._depth += 1
        elif character in "}]":
            self._depth -= 1
        if self._depth <= 0 and not self._in_string and not self._escaped:
            self._state = "skipping"
            if self._kept <= _ELEMENT_CHARS:
                yield from self._whole("".join(self._element))
            self._element = []

    def _whole(self, element: str) -> Iterator[Claim | Insufficient]:
        try:
            value = json.loads(element, strict=False)
        except (ValueError, RecursionError):
            return
        if self._list == "insufficient":
            if (text := _line(value, MISSING_CHARS)) and len(self._missing) < _MISSING:
                self._missing.append(text)
        elif self._claims < CLAIMS and (claim := _claim(value)) is not None:
            self._claims += 1
            yield claim

    def _close(self) -> Iterator[Insufficient]:
        missing, self._missing = tuple(self._missing), []
        self._state, self._element = "outside", []
        if self._list == "insufficient":
            yield Insufficient(missing)


def _claim(value: object) -> Claim | None:
    """Return the claim in a JSON value, or None. Invalid quotations are skipped."""
    if not isinstance(value, dict):
        return None
    text = _line(value.get("sentence"), SENTENCE_CHARS)
    evidence = value.get("evidence")
    if not text or not isinstance(evidence, list):
        return None
    return Claim(text, tuple(quoted for each in evidence[:_QUOTATIONS] if (quoted := _quoted(each))))


def _quoted(value: object) -> Quoted | None:
    if not isinstance(value, dict):
        return None
    identifier = _line(value.get("passage"), _IDENTIFIER_CHARS).strip("[]() ")
    quotation = _line(value.get("quotation"), QUOTATION_CHARS)
    return Quoted(identifier, quotation) if identifier and quotation else None


def _line(value: object, most: int) -> str:
    """Return a string of at most ``most`` characters on one line, without invisible characters. Other values
    give an empty string.
    """
    if not isinstance(value, str) or len(value) > most:
        return ""
    return " ".join(_UNSEEN.sub("", _CONTROL.sub(" ", value)).split())
