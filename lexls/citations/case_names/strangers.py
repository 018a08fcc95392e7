"""Find the parties of a name that a title does not have, by the words that tell them."""

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
"""Letters of a word that two parties hardly share by chance."""
_OPENING = 1500
"""Code points of a judgment in which its parties are named."""
_APART = 120
"""Code points in which the words of one party stand."""
_MOST = 12
_AGAIN = 4
_LETTERS_RESPELT = 3
"""Letters of a word of which one may be another as somebody else transliterates it."""
_RESPELT = 2
"""Letters of the shortest word that may be others."""
_TOKEN = re.compile(r"[^\W_]{2,}")
_WHOLE = 2000
"""Code points of a text from which on it tells something that an office is never named."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A party of a name, or a word of it, that a title does not have: ``words``, as the name writes them.

    Of an ``office`` they are what it is called by, folded ("state"), where it has no words of its own.
    """

    words: tuple[str, ...]
    office: bool = False

    def is_named_in(self, text: str) -> bool:
        """Return whether the text of a judgment speaks of the party: more than half of the words stand side
        by side.

        Of an office that many speak of, its beginning must, as one speaks of a party; what a short text does
        not say of an office tells nothing.
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
        """Return whether a text has one of the words again and again outside of names with two parties."""
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
    """The parties of a name that a title does not have, in the order of the name; only what can be known.

    Nothing is known of abbreviations, of words that one of the two adds, and of a single party that is not
    called a matter ("the Coal Control Case").
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
    """Return how many words the parties that stand at the same place have in common."""
    pairs = ((read_party(one), read_party(other)) for one, other in zip(left, right, strict=True))
    return sum(any(same_word(word, each) for each in given) for party, given in pairs for word in party)


def _count(found: Sequence[Stranger]) -> tuple[int, int]:
    """Return how many parties are strange, and how many words of them."""
    return len(found), sum(len(each.words) for each in found)


def shares_party(name: str, title: str) -> bool:
    """Return whether a name and a title have a party in common that is no office."""
    return any(
        not is_office(one) and same_party(one, other)
        for one in map(read_party, list_sides(name))
        for other in map(read_party, list_sides(title))
    )


def _compare(one: str, other: str) -> Stranger | None:
    """Return what of a party another one is not called; None if it can be the same, or if nobody knows."""
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
    """Return what of an office another party is not called: its ``strange`` words, or the office itself."""
    shared = any(same_word(word, each) for word in party for each in given)
    if strange:
        known = is_office(given) and shared and not _lacks(one, given, party, strange)
        return None if known else Stranger(strange)
    return None if shared else Stranger(tuple(word for word in party if is_office((word,))), office=True)


def _compare_initials(one: str, other: str, given: Sequence[str]) -> Stranger | None:
    """The initials or acronym of a party without other words, if another one cannot be shortened to it."""
    initials = [each.strip() for each in _INITIALS.findall(one)]
    initials = initials or [each for each in _ACRONYM.findall(one) if not _is_among(each, other, given)]
    return Stranger(tuple(initials)) if initials and not _initials_of(fold(initials[0]), other) else None


def _list_replaced(one: str, other: str) -> Iterator[str]:
    """The words of a party, folded, that stand where another one has as many others, beside equal words."""
    left, right = ([fold(word) for word in _TOKEN.findall(party)] for party in (one, other))
    for tag, start, end, low, high in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "replace" and end - start == high - low < min(len(left), len(right)):
            yield from (
                mine for mine, its in zip(left[start:end], right[low:high], strict=True)
                if len(mine) >= _TELLING and not same_word(mine, its) and not is_respelt(mine, its)
            )  # fmt: skip


def is_respelt(word: str, other: str) -> bool:
    """Return whether a folded word may be another one, transliterated by somebody else or scanned badly."""
    letters = max(len(word), len(other))
    return word[0] == other[0] and are_close(word, other, max(_RESPELT, letters // _LETTERS_RESPELT))


def _initials_of(letters: str, party: str) -> bool:
    """Return whether letters are the initials of words of a party that follow one another: "U.O.I."."""
    words = [word[0] for word in re.findall(r"[^\W_]+", party.casefold())]
    return letters in "".join(words) or letters in fold(party)


def _is_among(word: str, other: str, given: Sequence[str]) -> bool:
    """Return whether a party has a word, whole, abbreviated, divided or as its initials."""
    folded = fold_word(word)
    return (
        folded in fold(other)
        or any(same_word(folded, each) or (word.isupper() and are_close(folded, each)) for each in given)
        or same_party((folded,), given)
    )


def _lacks(one: str, given: Sequence[str], party: Sequence[str], strange: Sequence[str]) -> bool:
    """Return whether a word of the given party is left out for a strange one, and that is no way of
    writing it."""
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
    """A pattern for a name's word or initials in a text, which may have it in capitals."""
    written = "|".join(re.escape(each).replace(r"\ ", r"\s?") for each in (word, word.upper()))
    written = _APOSTROPHE.sub("[’']", written)
    return re.compile(rf"\b(?:{written})(?![a-z]{{3}})")


def _is_party(office: str, text: str) -> bool:
    """Return whether an office stands in a text as a party may: not as a part of another name, nor of a
    citation."""
    if office not in _EVERYWHERE:
        return re.search(rf"\b{office}", text, re.IGNORECASE) is not None
    word = "United States" if office == "unitedstates" else office.capitalize()
    pattern = (
        rf"(?<!v\. )(?<!United )(?i:(?<!of the )(?<!in the ))\b(?:{word}|{word.upper()})\b"
        r"(?!,? (?!OF )[A-Z]| v\b)"
    )
    return re.search(pattern, text[:_OPENING]) is not None
