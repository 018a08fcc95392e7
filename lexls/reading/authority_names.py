"""Index the names and citations of a library's authorities, to look them up while a user is typing."""

from __future__ import annotations

import itertools
import re
import threading
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile
from typing import TypeVar

from lexls.citations.case_names.compare import are_close
from lexls.citations.case_names.shorten import list_short_names
from lexls.citations.case_names.words import abbreviates, begins_abbreviation, is_abbreviated
from lexls.citations.model import fold
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.text.lexicon import OTHER_PARTIES, SMALL_WORDS, VERSUS_WORDS, split_words
from lexls.text.memory import Memory

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+|/[^\W_](?![^\W_]))*")
"""Pattern of a word, including parts joined by an apostrophe, and "M/s"."""
_UNNAMED = (
    SMALL_WORDS
    | OTHER_PARTIES
    | split_words("a an re ex parte by mr mrs ms miss dr smt shri sri shrimati messrs m/s")
)
"""Words that may be missing from a typed name: articles, other parties ("and Others") and courtesy titles
("Smt.").
"""
_SHORT_NAME = 0.85
"""Score of a match with the first words of a short name. For a title, the score is 1."""
_FEW = 8
"""Number of matches below which misspelt and abbreviated words are also matched."""
_KEPT = 64
"""Maximum number of typed texts whose matches are cached."""
_Ordered = TypeVar("_Ordered", str, tuple[str, int])


@dataclass(frozen=True, slots=True)
class _NamedAuthority:
    authority: int
    tokens: tuple[str, ...]
    second: int
    """Index of the second party's first token, or the number of tokens if there is no second party."""
    full: bool
    """True for a title or a short title that the authority gives, false for a party's name taken from it."""


@dataclass(frozen=True, slots=True)
class _Called:
    """The index entries of one authority. ``entries`` are its names as tokens, ``literal`` its names word for
    word, and ``citations`` its folded citations, each with the authority's id.
    """

    authority: Authority
    entries: tuple[_NamedAuthority, ...]
    literal: tuple[tuple[str, int], ...]
    citations: tuple[tuple[str, int], ...]

    @property
    def tokens(self) -> set[str]:
        """The tokens of all entries."""
        return {token for entry in self.entries for token in entry.tokens}


@dataclass(frozen=True)
class AuthorityNames:
    """An index of names and citations for one generation of a library. ``authorities`` maps ids to
    authorities.
    """

    generation: int
    authorities: Mapping[int, Authority]
    _vocabulary: Sequence[str] = field(repr=False, default=())
    _postings: dict[str, tuple[_NamedAuthority, ...]] = field(repr=False, default_factory=dict)
    _literal: Sequence[tuple[str, int]] = field(repr=False, default=())
    _citations: Sequence[tuple[str, int]] = field(repr=False, default=())
    _found: Memory[str, list[tuple[int, float]]] = field(
        repr=False, compare=False, default_factory=lambda: Memory(_KEPT)
    )
    """Cached results of ``by_name``, by typed text."""

    def by_name(self, typed: str, limit: int = 200) -> dict[int, float]:
        """Return the authorities whose title or short name starts with ``typed``, best first, with match
        scores; 1 is an exact match of the first words.

        The typed words must match in order. The last one may be the beginning of a word, unless something
        follows it. A word of four or more letters may have one letter wrong, missing, doubled or swapped.
        "v", articles and the like may be omitted. Words typed after a "v" belong to the second party if any
        name has them there.
        """
        return dict(itertools.islice(self._found.recall(typed, lambda: self._find_names(typed)), limit))

    def _find_names(self, typed: str) -> list[tuple[int, float]]:
        read = _read_typed(typed)
        best = self._qualities(read)
        if not best and len(read.tokens) > 1 and not read.complete:
            *before, last = read.tokens
            if any(word.startswith(last) for word in _UNNAMED):  # "o" for "of", which does not count
                best = self._qualities(_Typed(tuple(before), True, read.second))
        if not best and (last := _find_unfinished(typed)):  # "in" for "interest", which counts
            best = self._qualities(_Typed((*read.tokens, last), False, read.second))
        return sorted(best.items(), key=lambda item: (-item[1], item[0]))

    def _qualities(self, typed: _Typed) -> dict[int, float]:
        best = self._rate(typed)
        if not best and typed.second is not None:
            best = self._rate(replace(typed, second=None))
        return best

    def _rate(self, typed: _Typed) -> dict[int, float]:
        best: dict[int, float] = {}
        for loosely in (False, True) if typed.tokens else ():
            for entry in self._candidates(typed, loosely=loosely) if len(best) < _FEW else ():
                quality = _quality(entry, typed, loosely=loosely)
                if quality > best.get(entry.authority, 0.0):
                    best[entry.authority] = quality
        return best

    def by_last_words(self, typed: str, limit: int = 200) -> dict[int, float]:
        """Return the authorities that match the longest possible end of ``typed``, with match scores: "In
        Interest of Kupp" → "Dayap v. Kupperion", "Grace Scripps" → "Appeal of Scripps". The end must begin
        with a capital letter and follow other words.
        """
        for start in [match.start() for match in _WORD.finditer(typed)][1:]:
            if typed[start].isupper() and (found := self.by_name(typed[start:], limit)):
                return found
        return {}

    def begins(self, typed: str) -> bool:
        """Return whether a title or short name begins with exactly these words ("In re G", "The Owners of").
        If they end in a space, the last word must be complete.
        """
        return any(True for each in _list_prefixes(typed) for _ in _beginning(self._literal, each))

    def beginning(self, typed: str) -> dict[int, float]:
        """Return the authorities with a title or short name that begins with exactly these words, including
        articles and the like ("A", "In re", "The"). The match score is 1 for a title and lower for a short
        name. Empty if ``typed`` has no word.
        """
        found: dict[int, float] = {}
        for prefix in _list_prefixes(typed):
            for authority in _beginning(self._literal, prefix):
                begins = _literal(self.authorities[authority].title).startswith(prefix.rstrip())
                found[authority] = 1.0 if begins else _SHORT_NAME
        return found

    def first_words(self, prefix: str) -> set[str]:
        """Return the first words of titles and short names that begin with ``prefix``, case-folded."""
        folded = _literal(prefix)
        ordered = _from(self._literal, (folded, -1))
        return {
            name.partition(" ")[0] for name, _ in takewhile(lambda each: each[0].startswith(folded), ordered)
        }

    def by_citation(self, typed: str, limit: int = 200) -> list[int]:
        """Return the authorities with a citation that starts with ``typed``, in the order of their citations.
        Spaces, full stops and brackets are ignored. A number at the end also matches longer numbers.
        """
        prefix = fold(typed)
        if not prefix:
            return []
        found: dict[int, None] = {}
        for authority in _beginning(self._citations, prefix):
            found.setdefault(authority)
            if len(found) >= limit:
                break
        return list(found)

    def containing(self, query: str, limit: int = 100) -> list[int]:
        """Return the authorities that match the text of a search box, best first."""
        found: dict[int, None] = dict.fromkeys(self.by_citation(query, limit))
        found.update(dict.fromkeys(self.by_name(query, limit)))
        words = [word.casefold() for word in _WORD.findall(query)]
        for name, authority in self._literal if words else ():
            if len(found) >= limit:
                break
            if all(word in name for word in words):
                found.setdefault(authority)
        return list(found)[:limit]

    def _candidates(self, typed: _Typed, *, loosely: bool) -> Iterable[_NamedAuthority]:
        """Return the entries that may match: the ones with all complete tokens or, if ``loosely`` is true,
        with a word similar to the longest token.
        """
        whole = typed.tokens if typed.complete else typed.tokens[:-1]
        if loosely:
            token = max(whole or typed.tokens, key=len)
            is_like = _make_alike(token, not whole)
            # People rarely mistype the first letter.
            alike = takewhile(lambda word: word[0] == token[0], _from(self._vocabulary, token[0]))
            words = [word for word in alike if is_like(word)]
        elif whole:
            token = min(whole, key=lambda token: len(self._postings.get(token, ())))
            found = self._postings.get(token, ())
            return [entry for entry in found if all(token in entry.tokens for token in whole)]
        else:
            token = typed.tokens[-1]
            words = list(takewhile(lambda word: word.startswith(token), _from(self._vocabulary, token)))
        return {id(entry): entry for word in words for entry in self._postings[word]}.values()


class NameIndexes:
    """Caches a library's name index until the library changes. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._names: AuthorityNames | None = None
        self._called: dict[int, _Called] = {}

    def of(self, library: Library) -> AuthorityNames:
        """Return the index of the library in its present state. Only changed authorities are indexed
        again.
        """
        with self._lock:
            generation = library.generation
            if self._names is None or self._names.generation != generation:
                self._names = self._build(library.catalogue.all(), generation)
            return self._names

    def _build(self, authorities: Iterable[Authority], generation: int) -> AuthorityNames:
        before = self._names or AuthorityNames(generation, {})
        current = {authority.id: authority for authority in authorities}
        come = {
            number: _called(authority)
            for number, authority in current.items()
            if (known := before.authorities.get(number)) is not authority and known != authority
        }
        gone = {
            number: self._called.pop(number)
            for number in before.authorities
            if number not in current or number in come
        }
        self._called.update(come)
        return replace(_exchange(before, gone, come), generation=generation, authorities=current)


def _exchange(
    names: AuthorityNames, gone: Mapping[int, _Called], come: Mapping[int, _Called]
) -> AuthorityNames:
    """Return ``names`` without the entries of the removed authorities and with those of the added ones. Both
    are given by id.
    """
    literal, citations, vocabulary = list(names._literal), list(names._citations), list(names._vocabulary)
    postings = dict(names._postings)
    for called in gone.values():
        for each in called.literal:
            del literal[bisect_left(literal, each)]
        for each in called.citations:
            del citations[bisect_left(citations, each)]
    for called in come.values():
        for each in called.literal:
            insort(literal, each)
        for each in called.citations:
            insort(citations, each)
    fresh: dict[str, list[_NamedAuthority]] = {token: [] for each in gone.values() for token in each.tokens}
    for called in come.values():
        for entry in called.entries:
            for token in dict.fromkeys(entry.tokens):
                fresh.setdefault(token, []).append(entry)
    for token, added in fresh.items():
        kept = (entry for entry in names._postings.get(token, ()) if entry.authority not in gone)
        if entries := (*kept, *added):
            postings[token] = entries
        else:
            del postings[token]
        if (token in postings) > (token in names._postings):
            insort(vocabulary, token)
        elif (token in postings) < (token in names._postings):
            del vocabulary[bisect_left(vocabulary, token)]
    return replace(
        names,
        _vocabulary=vocabulary,
        _postings=postings,
        _literal=literal,
        _citations=citations,
        _found=Memory(_KEPT),
    )


def _from(ordered: Sequence[_Ordered], first: _Ordered) -> Iterator[_Ordered]:
    """Return the items of a sorted sequence that are not before ``first``, which need not be in it."""
    return map(ordered.__getitem__, range(bisect_left(ordered, first), len(ordered)))


def _beginning(named: Sequence[tuple[str, int]], prefix: str) -> Iterator[int]:
    """Yield the authorities whose names begin with ``prefix``, in the order of the names."""
    found = takewhile(lambda each: each[0].startswith(prefix), _from(named, (prefix, -1)))
    return (authority for _, authority in found)


def _called(authority: Authority) -> _Called:
    given = [authority.title, authority.short_title]
    literal: dict[str, int] = {}
    entries: list[_NamedAuthority] = []
    for place, name in enumerate([*given, *list_short_names(authority.title)]):
        folded = _literal(name)
        if not folded or folded in literal:
            continue
        literal[folded] = authority.id
        tokens = [token for token in folded.split() if token not in _UNNAMED]
        second = next((n for n, token in enumerate(tokens) if token in VERSUS_WORDS), len(tokens))
        if words := list_name_words(folded):
            entries.append(_NamedAuthority(authority.id, words, second, place < len(given)))
    citations = tuple((fold(citation), authority.id) for citation in authority.citations)
    return _Called(authority, tuple(entries), tuple(literal.items()), citations)


def list_name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, case-folded, without optional words and without "v"."""
    words = _literal(name).split()
    return tuple(word for word in words if word not in _UNNAMED and word not in VERSUS_WORDS)


def list_words(text: str) -> list[str]:
    """Return the words of a name as they are written, without punctuation."""
    return _WORD.findall(text)


def is_without_name(typed: str) -> bool:
    """Return whether the typed text does not name anything yet, since it is only a courtesy title, an
    article, or the beginning of one.
    """
    read = _read_typed(typed)
    begun = len(read.tokens) == 1 and not read.complete
    return not read.tokens or (begun and any(word.startswith(read.tokens[0]) for word in _UNNAMED))


@lru_cache(maxsize=16_384)
def _literal(name: str) -> str:
    """Return a name's words, case-folded and separated by single spaces: "a m records inc" for "A&M Records,
    Inc.".
    """
    return " ".join(word.casefold().replace("’", "'") for word in _WORD.findall(name))


def _list_prefixes(typed: str) -> list[str]:
    """Return the prefixes of folded names that match the typed words; [] if there is no word. A sign at the
    end completes the last word ("In " → "in "), but may also be part of it ("O'" → "o'", "M/" → "m/").
    """
    folded = _literal(typed)
    if not folded or typed[-1].isalnum():
        return [folded] if folded else []
    joined = {"'": "'", "’": "'", "/": "/"}.get(typed[-1])
    return [f"{folded} ", f"{folded}{joined}"] if joined else [f"{folded} "]


@dataclass(frozen=True, slots=True)
class _Typed:
    """The beginning of a name, as typed. ``tokens`` are its words without articles and courtesy titles.
    ``complete`` is true if the last word is finished. ``second`` is the number of tokens before a "v";
    None if there is no "v".
    """

    tokens: tuple[str, ...]
    complete: bool
    second: int | None


def _read_typed(typed: str) -> _Typed:
    found, tokens = _literal(typed).split(), list_name_words(typed)
    ends = bool(typed) and not typed[-1].isalnum() and typed[-1] not in "'’"  # "Comm'" for "Comm'n"
    complete = ends or (bool(found) and found[-1] not in tokens)
    versus = next((place for place, word in enumerate(found) if word in VERSUS_WORDS), None)
    second = None if versus is None else sum(word not in _UNNAMED for word in found[:versus])
    return _Typed(tokens, complete, second)


def _find_unfinished(typed: str) -> str:
    """Return the optional word at the end of ``typed`` if other words precede it and it may be the beginning
    of a longer word; otherwise "".
    """
    found = _literal(typed).split()
    small = len(found) > 1 and typed[-1].isalnum() and found[-1] in _UNNAMED | VERSUS_WORDS
    return found[-1] if small else ""


def _quality(entry: _NamedAuthority, typed: _Typed, *, loosely: bool) -> float:
    """Return how well the entry matches the typed name; 0 if it does not. The score depends on the word at
    which the match begins. Gaps and, if ``loosely`` is true, misspellings reduce it. Words typed after a
    "v" are matched with the second party; words skipped before that party are not a gap.
    """
    words, middle, last_token = entry.tokens, typed.second, len(typed.tokens) - 1
    before: dict[int, float] = {}  # how well the tokens so far match, by the place of the last one
    for number, token in enumerate(typed.tokens):
        prefix = number == last_token and not typed.complete
        behind = middle is not None and number >= middle
        start = max(entry.second if behind else 0, min(before, default=-1) + 1)
        end = entry.second if middle is not None and not behind else len(words)
        here: dict[int, float] = {}
        is_like = _make_alike(token, prefix) if loosely else None
        for place in range(start, end):
            word = words[place]
            if word == token or (prefix and word.startswith(token)):
                worth = 0.0
            elif is_like is not None and is_like(word):
                worth = -0.2
            else:
                continue
            if not number:
                here[place] = _rate_beginning(entry, place) + worth
                continue
            gap = 0.0 if behind and place == entry.second else 0.1
            reached = [quality - gap * (place - last - 1) for last, quality in before.items() if last < place]
            if reached:
                here[place] = max(reached) + worth
        if not here:
            return 0.0
        before = here
    return max(0.0, *before.values())


def _rate_beginning(entry: _NamedAuthority, place: int) -> float:
    """Return the score of a match that begins at the word with index ``place`` of an entry."""
    whole = 1.0 if entry.full else _SHORT_NAME
    if not place:
        return whole
    if all(len(word) == 1 for word in entry.tokens[:place]):
        return 0.9 * whole  # "Rajendran" for "P. Rajendran"
    return (0.8 if place == entry.second else 0.6) * whole


@lru_cache(maxsize=256)
def _make_alike(token: str, prefix: bool) -> Callable[[str], bool]:
    """Return a predicate that decides whether the token (or the beginning of a word, if ``prefix`` is true)
    is a misspelling or abbreviation of a given word ("Cmty", "U."). The first letter must be right.
    """
    half, size = len(token) // 2, len(token)
    bare = token.replace("'", "")
    shortens = begins_abbreviation(token) if prefix else is_abbreviated(token)

    def is_like(word: str) -> bool:
        if word[0] != token[0]:
            return False
        # One edit leaves either the first half or the text after the middle unchanged.
        if size >= 4 and (word.startswith(token[:half]) or token[half + 1 :] in word[half : size + 1]):
            if prefix and any(are_close(word[:length], token) for length in (size, size - 1, size + 1)):
                return True
            if not prefix and abs(len(word) - size) < 2 and are_close(word, token):
                return True
        return shortens and abbreviates(bare, word)

    return is_like
