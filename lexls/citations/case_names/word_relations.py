"""Compare words of case names: the same word, an abbreviation, initials, or a misspelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from lexls.citations.case_names.compare import are_close
from lexls.citations.case_names.words import ABBREVIATIONS, BEGINNINGS, abbreviates
from lexls.text.phrases import load_phrases, load_words

Relation = Literal["same", "misspelt", ""]
"""How words of one name relate to words of another; "" if they are different words."""

_DATA = load_phrases(__package__, "equivalences.toml")
_SHORT_FOR: Mapping[str, frozenset[str]] = {
    short: frozenset(words.split())
    for short, words in _DATA["short_for"].items()
    if short not in ("reason", "example")
}
_SILENT = frozenset(
    word for kind, each in _DATA["silent"].items() if kind != "articles" for word in each["words"].split()
)
_ARTICLES = frozenset(_DATA["silent"]["articles"]["words"].split())
_SUFFIXES: Mapping[str, str] = {
    word: form for form, words in _DATA["suffixes"].items() if form not in ("reason", "example")
    for word in words.split()
}  # fmt: skip
_PLACES = frozenset(_DATA["places"]["words"].split())
_ABBREVIATED = BEGINNINGS | _PLACES
_CONTRACTIONS = load_words(__package__, "abbreviations.toml")["written"]
_FOLDED = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_JOINED = ".."
"""Suffix that marks initials joined into one word."""
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*(?:'(?!\w)|\.{1,2}(?![^\W_])|\.\.)?")
_INITIALS = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.\s?){1,7}[^\W\d_](?:\.|(?![^\W_]))")
_SPACED = re.compile(r"(?<![^\W_'])[A-Z](?:\s[A-Z]){1,4}(?![^\W_.'])")
_LONGEST_ACRONYM = 8
_SHARE_ABBREVIATED = 0.6
"""Maximum length of an abbreviation without a full stop, as a share of the word's letters."""
_LETTERS_MISSPELT = ((10, 3), (6, 2), (3, 1))
"""Pairs of the shorter word's minimum length and the maximum number of edits that still count as a
misspelling.
"""


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word of a party: as written, folded to letters and digits, and with its features.

    ``shortened`` words end with a full stop or have an apostrophe inside or at the end. ``initials`` words
    may be initials or an acronym, ``listed`` words follow a comma, and ``joined`` words are several initials.
    """

    written: str
    folded: str
    shortened: bool = False
    initials: bool = False
    listed: bool = False
    joined: bool = False

    @property
    def suffix(self) -> str:
        """The company form that the word means, such as "Ltd"; "" for other words."""
        return "" if self.joined else _SUFFIXES.get(self.folded, "")

    @property
    def silent(self) -> bool:
        """True if a name may omit the word."""
        article = self.folded in _ARTICLES and not self.shortened
        return article or (self.folded in _SILENT and not self.joined) or bool(self.suffix)


def strip_accents(text: str) -> str:
    """Return the text without accents, and with ligatures as two letters."""
    plain = unicodedata.normalize("NFKD", text.translate(_FOLDED))
    return "".join(each for each in plain if not unicodedata.combining(each))


def split_words(party: str) -> tuple[NameWord, ...]:
    """Return the words of a party in order; consecutive initials form one word."""
    mixed = party != party.upper()
    text = _INITIALS.sub(_join_initials, party)
    text = _SPACED.sub(_join_initials, text) if mixed else text
    found = []
    for match in _TOKEN.finditer(text):
        written = match[0]
        folded = "".join(filter(str.isalnum, written.casefold()))
        body = written.rstrip(".'")
        capitals = mixed and len(body) > 1 and body.isupper()
        contracted = "'" in re.sub(r"'s$", "", body)[2:] or written.endswith("'")
        found.append(
            NameWord(
                written.replace(_JOINED, ""),
                folded,
                shortened=written.endswith(".") or contracted,
                initials=capitals or len(folded) == 1 or (not mixed and len(folded) <= _LONGEST_ACRONYM),
                listed=text[: match.start()].rstrip().endswith(","),
                joined=written.endswith(_JOINED),
            )
        )
    return tuple(found)


def _join_initials(found: re.Match[str]) -> str:
    return re.sub(r"[.\s]", "", found[0]) + _JOINED


def _are_equal(left: Sequence[NameWord], right: Sequence[NameWord]) -> bool:
    return "".join(each.folded for each in left) == "".join(each.folded for each in right)


def _are_abbreviated(left: Sequence[NameWord], right: Sequence[NameWord]) -> bool:
    if not len(left) == len(right) == 1 or left[0].silent or right[0].silent:
        return False
    one, other = left[0], right[0]
    spelt, given = _expand(one), _expand(other)
    return (
        any(_abbreviates(one, word) for word in given)
        or any(_abbreviates(other, word) for word in spelt)
        or (_is_known(one) and _is_known(other) and bool(_list_meanings(one) & _list_meanings(other)))
        or one.folded in _SHORT_FOR.get(other.folded, ())
        or other.folded in _SHORT_FOR.get(one.folded, ())
    )


def _are_initials(left: Sequence[NameWord], right: Sequence[NameWord]) -> bool:
    return _spell(left, right) or _spell(right, left)


def _spell(short: Sequence[NameWord], long: Sequence[NameWord]) -> bool:
    """Return whether one word consists of the initials of the others, with or without those of small
    words.
    """
    if len(short) != 1 or len(long) < 2 or not short[0].initials or len(short[0].folded) < 2:
        return False
    telling = [each for each in long if not each.silent or each.suffix]
    if long[0] not in telling or long[-1] not in telling:
        return False
    letters = short[0].folded
    return letters in ("".join(each.folded[0] for each in words) for words in (long, telling))


def _are_one_initial(left: Sequence[NameWord], right: Sequence[NameWord]) -> bool:
    """Return whether one word is the initial of the other. If both are initials, one may have fewer."""
    if not len(left) == len(right) == 1 or left[0].suffix or right[0].suffix:
        return False
    one, other = sorted((left[0], right[0]), key=lambda each: len(each.folded))
    if not one.initials or len(one.folded) > 2:
        return False
    if other.initials or len(one.folded) == 1:
        return other.folded.startswith(one.folded) and (len(one.folded) == 1 or len(other.folded) <= 4)
    return False


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A difference in writing that changes neither the party named nor the spelling of its name."""

    holds: Callable[[Sequence[NameWord], Sequence[NameWord]], bool]
    reason: str
    example: tuple[str, str]


EQUIVALENCES = (
    Equivalence(_are_equal, "Case, accents, hyphens and spaces do not count.", ("Orrin-Kant", "ORRINKANT")),
    Equivalence(
        _are_abbreviated,
        "Abbreviations of citation manuals.",
        ("Nat'l Grain Ass'n", "National Grain Association"),
    ),
    Equivalence(_are_initials, "Bodies are cited by initials.", ("TGC", "Tollen Grain Commission")),
    Equivalence(_are_one_initial, "Given names are cited by initials.", ("J. Orrin", "Jane Orrin")),
)
"""The ways in which words of two names count as the same, in the order tried."""


def relate(left: Sequence[NameWord], right: Sequence[NameWord]) -> Relation:
    """Return how a few words of one name relate to a few words of another."""
    if any(each.holds(left, right) for each in EQUIVALENCES):
        return "same"
    one, other = ("".join(each.folded for each in words) for words in (left, right))
    return "misspelt" if is_misspelt(one, other) else ""


def list_group_sizes(left: int, right: int) -> list[tuple[int, int]]:
    """Return how many words of each side may be matched with each other, given the number of words left on
    each side.
    """
    most = min(_LONGEST_ACRONYM, max(left, right))
    sizes = [(1, 1), *((1, size) for size in range(2, most + 1)), *((size, 1) for size in range(2, most + 1))]
    return [(one, other) for one, other in sizes if one <= left and other <= right]


@lru_cache(maxsize=16384)
def is_misspelt(one: str, other: str) -> bool:
    """Return whether two case-folded words differ by a few letters, or are the singular and plural of one
    word.
    """
    if not (one.isalpha() and other.isalpha()) or one == other:
        return False
    if one in _list_plurals(other) or other in _list_plurals(one):
        return True
    shorter = min(len(one), len(other))
    most = next((edits for letters, edits in _LETTERS_MISSPELT if shorter >= letters), 0)
    return most > 0 and are_close(one, other, most)


def _list_plurals(word: str) -> frozenset[str]:
    plural = {f"{word}s", f"{word}es"}
    return frozenset(plural | ({f"{word[:-1]}ies"} if word.endswith("y") else set()))


def _expand(word: NameWord) -> frozenset[str]:
    """Return the word in a set if it is a listed word, or its plural, and can thus be abbreviated. Otherwise
    return an empty set.
    """
    singular = {
        word.folded,
        word.folded.removesuffix("s"),
        re.sub("ies$", "y", word.folded),
        word.folded.removesuffix("es"),
    }
    return frozenset({word.folded}) if singular & _ABBREVIATED else frozenset()


def _abbreviates(short: NameWord, long: str) -> bool:
    """Return whether a word abbreviates a listed one: by its beginning, or by its first and last letters and
    some between.
    """
    letters = short.folded
    missing = len(long) - len(letters)
    if missing < 2 or letters[0] != long[0]:
        return False
    begins = letters if not (letters.endswith("s") and long.endswith("s")) else letters[:-1]
    if long.startswith(letters) or (len(begins) > 2 and long.startswith(begins)):
        if short.shortened:
            return len(letters) > 1
        known = letters in ABBREVIATIONS or (long in _PLACES and len(letters) > 2)
        return known and missing > 2 and len(letters) <= _SHARE_ABBREVIATED * len(long)
    if letters[-1] != long[-1] or not (short.shortened or letters in _BARE_CONTRACTIONS):
        return False
    return len(letters) * 2 <= len(long) + 4 and abbreviates(letters, long)


_BARE_CONTRACTIONS = frozenset("".join(filter(str.isalnum, word)) for word in _CONTRACTIONS)


def _is_known(word: NameWord) -> bool:
    """Return whether a word is a listed abbreviation."""
    return word.folded in ABBREVIATIONS or word.folded in _BARE_CONTRACTIONS or word.folded in _SHORT_FOR


@lru_cache(maxsize=4096)
def _list_meanings(word: NameWord) -> frozenset[str]:
    """Return the words for which an abbreviation may be short."""
    found = frozenset(long for long in _ABBREVIATED if _abbreviates(word, long))
    return found | _SHORT_FOR.get(word.folded, frozenset())
