"""Find mismatched parties: parties of a name that the title lacks, judging by their distinctive words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import product

from lexls.citations.case_names.compare import (
    are_close,
    fold_word,
    is_matter,
    is_office,
    list_sides,
    list_written_words,
    read_party,
    same_party,
    same_word,
)
from lexls.citations.case_names.words import WORDS
from lexls.citations.model import fold
from lexls.text.lexicon import BETWEEN_PARTIES

_EVERYWHERE = WORDS["offices_everywhere"]
_APOSTROPHE = re.compile(r"[’']")
_INITIALS = re.compile(r"\b(?:[A-Z]\.\s?){2,}")
_ACRONYM = re.compile(r"\A\W*([A-Z]{3,}(?:-[A-Z]{2,})?)\b(?!\.)")
_TELLING = 4
"""Minimum length, in letters, of a word that two parties rarely have in common by chance."""
_OPENING = 1500
"""Number of code points at the beginning of a judgment in which its parties are named."""
_APART = 120
"""Maximum distance in code points between the words of one party."""
_MOST = 12
_AGAIN = 4
_LETTERS_RESPELT = 3
"""Number of letters of a word for each wrong letter allowed, since transliterations differ."""
_RESPELT = 2
"""Number of wrong letters allowed in any word, however short."""
_TOKEN = re.compile(r"[^\W_]{2,}")
_WHOLE = 2000
"""Minimum length, in code points, of a text whose silence about an office is significant."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A mismatched party: the ``words``, as written, of a party in a name that the title lacks.

    For an ``office`` without words of its own, ``words`` are the case-folded words for the office ("state").
    """

    words: tuple[str, ...]
    office: bool = False

    def is_named_in(self, text: str) -> bool:
        """Return whether a judgment's text mentions the party: more than half of its words occur close
        together.

        A common office must be named as a party in the opening. For an office, the result is always true if
        the text is short.
        """
        if self.office:
            return len(text) < _WHOLE or any(_is_party(word, text) for word in self.words)
        needed = len(self.words) // 2 + 1
        places = sorted(
            (found.start(), word) for word in self.words for found in _compile(word).finditer(text)
        )
        return any(
            len({word for start, word in places[at : at + _MOST] if start < first + _APART}) >= needed
            for at, (first, _) in enumerate(places)
        )

    def is_spoken_of_in(self, text: str) -> bool:
        """Return whether one of the words occurs in a text at least four times outside names with two
        parties.
        """
        return any(
            sum(
                BETWEEN_PARTIES.search(text, max(0, found.start() - _APART), found.end() + _APART) is None
                for found in _compile(word).finditer(text)
            )
            >= _AGAIN
            for word in self.words
        )


@lru_cache(maxsize=4096)
def find_strangers(name: str, title: str) -> tuple[Stranger, ...]:
    """Return the parties of a name that the title certainly lacks, in the order of the name.

    Nothing is certain about abbreviations, words that only one of the two has in addition, and a single party
    that is not a matter ("the Coal Control Case").
    """
    left, right = list_sides(name), list_sides(title)
    if not (left and right) or (len(left) == 1 and not is_matter(name)):
        return ()
    if len(left) == 2 == len(right):
        shared = [_count_shared(left, turned) for turned in (right, right[::-1])]
        orders = [
            turned for turned, each in zip((right, right[::-1]), shared, strict=True) if each == max(shared)
        ]
        aligned = (tuple(map(_compare, left, turned)) for turned in orders)
        return min((tuple(filter(None, each)) for each in aligned), key=_count)
    if any(same_party(read_party(one), read_party(other)) for one, other in product(left, right)):
        return ()
    compared = [_compare(one, other) for one, other in product(left, right)]
    if len(left) == 1 and None in compared:
        return ()
    return (
        min(((each,) for each in compared if each), key=_count)
        if len(left) == 1
        else tuple(filter(None, compared))
    )


def _count_shared(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the number of words shared by parties in the same position."""
    pairs = ((read_party(one), read_party(other)) for one, other in zip(left, right, strict=True))
    return sum(any(same_word(word, each) for each in given) for party, given in pairs for word in party)


def _count(found: Sequence[Stranger]) -> tuple[int, int]:
    """Return the number of mismatched parties, and the total number of their words."""
    return len(found), sum(len(each.words) for each in found)


def shares_party(name: str, title: str) -> bool:
    """Return whether the name and the title share a party other than an office."""
    return any(
        not is_office(one) and same_party(one, other)
        for one in map(read_party, list_sides(name))
        for other in map(read_party, list_sides(title))
    )


def _compare(one: str, other: str) -> Stranger | None:
    """Return the words of a party that show that it is not the other party, or None if both may be
    the same.
    """
    party, given = read_party(one), read_party(other)
    if not (party and given):
        return None
    written = list_written_words(one)
    strange = tuple(word for word in written if not _is_among(word, other, given))
    if replaced := {*_list_replaced(one, other)}.intersection(map(fold, strange)):
        return Stranger(tuple(word for word in strange if fold(word) in replaced))
    if is_office(party):
        return _compare_office(one, party, given, strange) if strange or not written else None
    if not written and not same_party(party, given):
        return _compare_initials(one, other, given)
    alike = same_party(party, given) or any(len(word) >= _TELLING and word in given for word in party)
    return Stranger(strange) if strange and (not alike or _lacks(one, given, party, strange)) else None


def _compare_office(
    one: str, party: Sequence[str], given: Sequence[str], strange: tuple[str, ...]
) -> Stranger | None:
    """Return the words of an office that do not match another party (``strange``) or, if all match, the
    office itself.

    Returns None if both may be the same party.
    """
    shared = any(same_word(word, each) for word in party for each in given)
    if strange:
        known = is_office(given) and shared and not _lacks(one, given, party, strange)
        return None if known else Stranger(strange)
    return None if shared else Stranger(tuple(word for word in party if is_office((word,))), office=True)


def _compare_initials(one: str, other: str, given: Sequence[str]) -> Stranger | None:
    """Return the initials or acronym of a party that has no other words. Return None if they may be short for
    the other party.
    """
    initials = [each.strip() for each in _INITIALS.findall(one)]
    initials = initials or [each for each in _ACRONYM.findall(one) if not _is_among(each, other, given)]
    return Stranger(tuple(initials)) if initials and not _initials_of(fold(initials[0]), other) else None


def _list_replaced(one: str, other: str) -> Iterator[str]:
    """Yield the case-folded words of a party that differ from the words in the same place of the other, next
    to equal words.
    """
    left, right = ([fold(word) for word in _TOKEN.findall(party)] for party in (one, other))
    for tag, start, end, low, high in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "replace" and end - start == high - low < min(len(left), len(right)):
            yield from (
                mine for mine, its in zip(left[start:end], right[low:high], strict=True)
                if len(mine) >= _TELLING and not same_word(mine, its) and not is_respelt(mine, its)
            )  # fmt: skip


def is_respelt(word: str, other: str) -> bool:
    """Return whether a case-folded word may be a different transliteration or a bad scan of the other."""
    letters = max(len(word), len(other))
    return word[0] == other[0] and are_close(word, other, max(_RESPELT, letters // _LETTERS_RESPELT))


def _initials_of(letters: str, party: str) -> bool:
    """Return whether the letters are the initials of consecutive words of a party: "U.O.I."."""
    words = [word[0] for word in re.findall(r"[^\W_]+", party.casefold())]
    return letters in "".join(words) or letters in fold(party)


def _is_among(word: str, other: str, given: Sequence[str]) -> bool:
    """Return whether a party contains a word: whole, abbreviated, divided or as its initials."""
    folded = fold_word(word)
    return (
        folded in fold(other)
        or any(same_word(folded, each) or (word.isupper() and are_close(folded, each)) for each in given)
        or same_party((folded,), given)
    )


def _lacks(one: str, given: Sequence[str], party: Sequence[str], strange: Sequence[str]) -> bool:
    """Return whether ``one`` lacks a word of ``given``, and none of the ``strange`` words is a variant
    spelling of such a word.
    """
    written = fold(one)
    left = [
        each
        for each in given
        if len(each) > 2
        and each not in written
        and not any(same_word(word, each) for word in party if word not in given)
        and not is_office((each,))
    ]
    return bool(left) and not any(is_respelt(word, each) for word in map(fold_word, strange) for each in left)


@lru_cache(maxsize=1024)
def _compile(word: str) -> re.Pattern[str]:
    """Return a pattern that finds a name's word or initials in a text, as written or in capitals."""
    written = "|".join(re.escape(each).replace(r"\ ", r"\s?") for each in (word, word.upper()))
    written = _APOSTROPHE.sub("[’']", written)
    return re.compile(rf"\b(?:{written})(?![a-z]{{3}})")


def _is_party(office: str, text: str) -> bool:
    """Return whether a text names an office as a party. A common office does not count if it is part of
    another name or a citation.
    """
    if office not in _EVERYWHERE:
        return re.search(rf"\b{office}", text, re.IGNORECASE) is not None
    word = "United States" if office == "unitedstates" else office.capitalize()
    pattern = (
        rf"(?<!v\. )(?<!United )(?i:(?<!of the )(?<!in the ))\b(?:{word}|{word.upper()})\b"
        r"(?!,? (?!OF )[A-Z]| v\b)"
    )
    return re.search(pattern, text[:_OPENING]) is not None
