"""The numbers of a text by value and unit: "1,000", "three", "21 days", "5 per cent"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.text.spans import Span
from lexls.text.words import words

_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
    "thirtieth": 30,
}  # fmt: skip
_SCALES = {
    "dozen": 12.0, "hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "lakh": 1e5, "lakhs": 1e5, "crore": 1e7, "crores": 1e7,
}  # fmt: skip
_OTHERS = {"half": 0.5, "twice": 2.0, "thrice": 3.0, "double": 2.0, "treble": 3.0, "quarter": 0.25}
_ANY = "|".join(sorted((*_UNITS, *_ORDINALS, *_SCALES, *_OTHERS), key=len, reverse=True))
_SPELLED = rf"\b(?:{_ANY})\b(?:(?:[\s-]|(?<=hundred)\sand\s|(?<=thousand)\sand\s)(?:{_ANY})\b){{0,6}}"
_FIGURES = (
    r"(?P<sign>[$£€₹]|\bRs\.?\s?|\bUSD\s?|\bUS\$)?\s?"
    r"(?P<figures>(?<![\w.])\d{1,3}(?:,\d{2,3}){1,6}(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?)"
    r"(?P<ordinal>st|nd|rd|th)?(?![A-Za-z]{3})"
)
_NUMBER = re.compile(rf"(?P<spelled>{_SPELLED})|{_FIGURES}", re.IGNORECASE)
_WORD_BEHIND = re.compile(r"\)?[\s-]{0,3}(%|[A-Za-z]{1,20}(?:\scent\b)?)")
_PARENTHESIS = re.compile(r"\s?\(\d{1,9}\)\s?")
_SCALE_BEHIND = re.compile(
    r"[\s-]{1,3}(dozen|hundred|thousand|million|billion|trillion|lakhs?|crores?)\b", re.IGNORECASE
)
_MEASURES = words(
    """
    day days week weeks month months year years hour hours minute minutes second seconds percent per-cent
    dollar dollars pound pounds euro euros rupee rupees cent cents mile miles metre metres meter meters foot
    feet inch inches acre acres hectare hectares ton tons tonne tonnes kilogram kilograms kilometre kilometres
    copy copies person persons member members judge judges witness witnesses party parties share shares
    """
)
_SINGULAR = {"feet": "foot", "inches": "inch", "copies": "copy", "parties": "party", "witnesses": "witness"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number: its value, what it counts ("day", "%", "$"; "" if that is not said), where it stands."""

    value: float
    unit: str
    span: Span

    def is_borne_by(self, other: Number) -> bool:
        """Whether ``other`` is the same number, of the same unit where both have one."""
        return self.value == other.value and (not self.unit or not other.unit or self.unit == other.unit)


def numbers(text: str, without: Sequence[Span] = ()) -> list[Number]:
    """The numbers of ``text`` in order, but for those that stand in one of the spans ``without``.

    "One" counts only before a measure ("one year"): elsewhere it is a pronoun more often than a number.
    """
    found: list[Number] = []
    read = 0
    for match in _NUMBER.finditer(text):
        span = Span(match.start(), match.end())
        if match.start() < read or any(span.overlaps(each) for each in without):
            continue
        value = _spelled(match["spelled"]) if match["spelled"] else _figures(match["figures"])
        end = match.end()
        scale = _SCALE_BEHIND.match(text, end) if not match["spelled"] else None
        if scale is not None and value is not None:
            value *= _SCALES[scale[1].casefold()]
            end = read = scale.end()
        unit = _unit(text, end)
        if not unit and match["sign"]:
            unit = (
                "$"
                if "$" in match["sign"] or "USD" in match["sign"].upper()
                else match["sign"].strip(" .").casefold()
            )
        if value is None or (match["spelled"] and _is_word_only(match["spelled"], unit)):
            continue
        found.append(Number(value, unit, span))
    return found


def _is_word_only(spelled: str, unit: str) -> bool:
    """Whether it is "one" or "first" or "second" in running text, not a count."""
    return spelled.casefold() in ("one", "quarter", "double") and not unit


def _figures(written: str) -> float | None:
    try:
        return float(written.replace(",", ""))
    except ValueError:
        return None


def _spelled(written: str) -> float | None:
    """The value of a number in words: "two hundred and fifty" is 250."""
    total, current = 0.0, 0.0
    for word in re.split(r"[\s-]+", written.casefold()):
        if word in _SCALES:
            current = (current or 1.0) * _SCALES[word]
            if _SCALES[word] >= 1e3:
                total, current = total + current, 0.0
        elif word in _UNITS:
            current += _UNITS[word]
        elif word in _ORDINALS:
            current += _ORDINALS[word]
        elif word in _OTHERS:
            current += _OTHERS[word]
    return total + current


def _unit(text: str, end: int) -> str:
    """What is counted: a sign or one of the usual measures behind the number ("three (3) days" too)."""
    inside = _PARENTHESIS.match(text, end)
    match = _WORD_BEHIND.match(text, inside.end() if inside else end)
    if match is None:
        return ""
    word = match[1].casefold()
    if word == "%" or word.startswith("per cent") or word == "percent":
        return "%"
    if word not in _MEASURES:
        return ""
    word = _SINGULAR.get(word, word.removesuffix("s"))
    return {"dollar": "$", "pound": "£", "euro": "€", "rupee": "rs"}.get(word, word)
