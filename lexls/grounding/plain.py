"""Words of answers and authorities as plain text that can do nothing to what shows it."""

from __future__ import annotations

import re

from lexls.grounding.evidence import Pin
from lexls.grounding.markdown import one_line
from lexls.grounding.place_words import SUBSECTION, label_at
from lexls.grounding.reading import prose
from lexls.text.markup import markup_of

_UNSHOWN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, which steer terminals, and those that turn the direction of writing."""
_PAIRS = {("“", "”"), ('"', '"')}
_STAR = re.compile(r"(?<=[^\W_])\*{1,3}(?![^\W_])|(?<![^\W_])\*{1,3}(?=[^\W_])")
_NUMBER = re.compile(r"\s{0,40}(?:\[(\d{1,5})\]|(\d{1,5})\.)\s{1,40}(?=\S)")


def plain(text: str) -> str:
    """``text`` on one line without characters that steer a terminal or turn the direction of writing."""
    return one_line(_UNSHOWN.sub(" ", text))


def words_of(pin: Pin) -> str:
    """The words of a pin on one line, as they are quoted: without marks of the authority's format, and
    without the number of the paragraph or subsection that they begin, since it is said beside them."""
    text = prose(pin.authority, pin.text)
    number = _NUMBER.match(text)
    if number is not None and pin.label in (number[1], number[2]):
        text = text[number.end() :]
    elif label_at(pin.authority, pin.label, text) != pin.label:
        text = SUBSECTION.sub("", text, count=1)
    return plain(_half_marks(pin, text))


def _half_marks(pin: Pin, text: str) -> str:
    """``text`` without the star of an emphasis whose other star the pin does not hold: a sentence that begins
    with an emphasised name is cut behind it."""
    if markup_of("", pin.authority.path.name) != "markdown" or text.count("*") % 2 == 0:
        return text
    return _STAR.sub("", text, count=1)


def in_marks(text: str) -> str:
    """``text`` between quotation marks, once: what is a quotation from beginning to end has them already."""
    return f"“{without_marks(text)}”"


def without_marks(text: str) -> str:
    """``text`` without the quotation marks around it, if one quotation is all of it."""
    inner = text[1:-1]
    whole = len(text) > 2 and (text[0], text[-1]) in _PAIRS
    return inner if whole and not set(text[0] + text[-1]) & set(inner) else text
