"""The names and citations of a library's authorities, ordered for finding them while they are being typed."""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lexls.citations.keys import fold
from lexls.citations.names import short_names
from lexls.index.library import Library
from lexls.index.records import Authority

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
VERSUS = frozenset({"v", "vs", "versus"})
_UNNAMED = frozenset({"the", "of", "and", "a", "an", "in", "re", "ex", "parte", "on", "for", "to", "by"})
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class NameMatch:
    """An authority whose name begins like the words typed; ``quality`` is 1 for its first words, exactly."""

    authority: int
    quality: float


@dataclass(frozen=True, slots=True)
class _Entry:
    authority: int
    tokens: tuple[str, ...]
    second: int
    """Where the second party begins among the tokens (their number, if there is none)."""
    full: bool
    """Whether it is a title or given short title, and not a party's name drawn from it."""


@dataclass(frozen=True, slots=True)
class _Called:
    """What one authority is called, read once: entries, literal names and folded citations with its id."""

    authority: Authority
    entries: tuple[_Entry, ...]
    literal: tuple[tuple[str, int], ...]
    citations: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class AuthorityNames:
    """An index of names and citations for one generation of a library; ``authorities`` by id."""

    generation: int
    authorities: dict[int, Authority]
    _entries: tuple[_Entry, ...] = field(repr=False)
    _vocabulary: tuple[str, ...] = field(repr=False)
    _postings: dict[str, tuple[int, ...]] = field(repr=False)
    _literal: tuple[tuple[str, int], ...] = field(repr=False)
    _citations: tuple[tuple[str, int], ...] = field(repr=False)

    def by_name(self, typed: str, limit: int = 200) -> list[NameMatch]:
        """The authorities whose title or short name begins like ``typed``, best first.

        Words match in order; the last one, if nothing follows it, as a prefix; words of four letters or
        more also with one letter wrong, missing, doubled or swapped. "v", articles and the like may be
        left out.
        """
        read = _read_typed(typed)
        best = self._qualities(read)
        if not best and len(read.tokens) > 1 and not read.complete and _may_be_unnamed(read.tokens[-1]):
            best = self._qualities(_Typed(read.tokens[:-1], True, read.versus))
        ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        return [NameMatch(authority, quality) for authority, quality in ranked[:limit]]

    def _qualities(self, typed: _Typed) -> dict[int, float]:
        best: dict[int, float] = {}
        if not typed.tokens:
            return best
        for entry in self._candidates(typed.tokens, typed.complete):
            quality = _quality(entry, typed)
            if quality > best.get(entry.authority, 0.0):
                best[entry.authority] = quality
        return best

    def begins(self, typed: str) -> bool:
        """Whether a title or short name begins with exactly these words ("In re G", "The Owners of")."""
        prefix = _literal(typed)
        place = bisect_left(self._literal, (prefix, -1))
        return place < len(self._literal) and self._literal[place][0].startswith(prefix)

    def by_citation(self, typed: str, limit: int = 200) -> list[int]:
        """The authorities with a citation that begins like ``typed``, in the order of their citations.

        Spaces, stops and brackets do not matter; an unfinished last number matches longer ones.
        """
        prefix = fold(typed)
        if not prefix:
            return []
        found: dict[int, None] = {}
        place = bisect_left(self._citations, (prefix, -1))
        while place < len(self._citations) and self._citations[place][0].startswith(prefix):
            found.setdefault(self._citations[place][1])
            if len(found) >= limit:
                break
            place += 1
        return list(found)

    def containing(self, query: str, limit: int = 100) -> list[int]:
        """The authorities that a person who types ``query`` into a search box may mean, best first."""
        found: dict[int, None] = dict.fromkeys(self.by_citation(query, limit))
        found.update(dict.fromkeys(match.authority for match in self.by_name(query, limit)))
        words = [word.casefold() for word in _WORD.findall(query)]
        if words and len(found) < limit:
            for name, authority in self._literal:
                if all(word in name for word in words):
                    found.setdefault(authority)
                    if len(found) >= limit:
                        break
        return list(found)[:limit]

    def _candidates(self, tokens: Sequence[str], complete: bool) -> Iterator[_Entry]:
        """Entries that may match: those of the token that narrows most, whole tokens before a prefix."""
        whole = tokens if complete else tokens[:-1]
        if whole:
            anchor = max(whole, key=len)
            numbers = self._postings.get(anchor) or self._fuzzy(anchor)
        else:
            numbers = self._with_prefix(tokens[-1])
            if not numbers and len(tokens[-1]) >= 4:
                numbers = self._fuzzy_prefix(tokens[-1])
        for number in numbers:
            yield self._entries[number]

    def _with_prefix(self, prefix: str) -> Sequence[int]:
        numbers: dict[int, None] = {}
        place = bisect_left(self._vocabulary, prefix)
        while place < len(self._vocabulary) and self._vocabulary[place].startswith(prefix):
            numbers.update(dict.fromkeys(self._postings[self._vocabulary[place]]))
            place += 1
        return list(numbers)

    def _fuzzy(self, token: str) -> Sequence[int]:
        numbers: dict[int, None] = {}
        if len(token) >= 4:
            for word in self._like(token):
                if abs(len(word) - len(token)) <= 1 and _one_apart(word, token):
                    numbers.update(dict.fromkeys(self._postings[word]))
        return list(numbers)

    def _fuzzy_prefix(self, prefix: str) -> Sequence[int]:
        numbers: dict[int, None] = {}
        for word in self._like(prefix):
            if _prefix_one_apart(word, prefix):
                numbers.update(dict.fromkeys(self._postings[word]))
        return list(numbers)

    def _like(self, token: str) -> Iterator[str]:
        """Words that share the first letter: people rarely mistype that one."""
        place = bisect_left(self._vocabulary, token[0])
        while place < len(self._vocabulary) and self._vocabulary[place][0] == token[0]:
            yield self._vocabulary[place]
            place += 1


class NameIndexes:
    """Keeps the name index of a library until the library changes. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._names: AuthorityNames | None = None
        self._called: dict[int, _Called] = {}

    def of(self, library: Library) -> AuthorityNames:
        """The index for the library as it is now; only authorities that changed are read anew."""
        with self._lock:
            generation = library.generation
            if self._names is None or self._names.generation != generation:
                self._names = self._build(library.authorities(), generation)
            return self._names

    def _build(self, authorities: Iterable[Authority], generation: int) -> AuthorityNames:
        current: dict[int, _Called] = {}
        for authority in authorities:
            known = self._called.get(authority.id)
            if known is None or known.authority != authority:
                known = _called(authority)
            current[authority.id] = known
        if self._names is not None and current == self._called:
            kept = self._names
            return AuthorityNames(
                generation,
                kept.authorities,
                kept._entries,
                kept._vocabulary,
                kept._postings,
                kept._literal,
                kept._citations,
            )
        self._called = current
        return _index(current, generation)


def _index(current: dict[int, _Called], generation: int) -> AuthorityNames:
    entries: list[_Entry] = []
    literal: list[tuple[str, int]] = []
    citations: list[tuple[str, int]] = []
    postings: dict[str, list[int]] = {}
    for called in current.values():
        literal.extend(called.literal)
        citations.extend(called.citations)
        for entry in called.entries:
            for token in entry.tokens:
                numbers = postings.setdefault(token, [])
                if not numbers or numbers[-1] != len(entries):
                    numbers.append(len(entries))
            entries.append(entry)
    return AuthorityNames(
        generation=generation,
        authorities={number: called.authority for number, called in current.items()},
        _entries=tuple(entries),
        _vocabulary=tuple(sorted(postings)),
        _postings={token: tuple(numbers) for token, numbers in postings.items()},
        _literal=tuple(sorted(literal)),
        _citations=tuple(sorted(citations)),
    )


def _called(authority: Authority) -> _Called:
    given = [authority.title, authority.short_title]
    literal: dict[str, int] = {}
    entries: list[_Entry] = []
    for place, name in enumerate([*given, *short_names(authority.title)]):
        folded = _literal(name)
        if not folded or folded in literal:
            continue
        literal[folded] = authority.id
        tokens = _tokens(name)
        second = next((n for n, token in enumerate(tokens) if token in VERSUS), len(tokens))
        words = tuple(token for token in tokens if token not in VERSUS)
        if words:
            entries.append(_Entry(authority.id, words, second, place < len(given)))
    citations = tuple((fold(citation), authority.id) for citation in authority.citations)
    return _Called(authority, tuple(entries), tuple(literal.items()), citations)


def _tokens(name: str) -> list[str]:
    return [
        token
        for token in (word.casefold().replace("’", "'") for word in _WORD.findall(name))
        if token not in _UNNAMED
    ]


def name_words(text: str) -> list[str]:
    """The words of a name as they are written, signs dropped."""
    return _WORD.findall(text)


def _may_be_unnamed(beginning: str) -> bool:
    """Whether an unfinished word may become one that does not count: "o" for "of"."""
    return any(word.startswith(beginning) for word in _UNNAMED)


def _literal(name: str) -> str:
    """A name's words with single spaces, case-folded: "A&M Records, Inc." → "a m records inc"."""
    return " ".join(word.casefold().replace("’", "'") for word in _WORD.findall(name))


@dataclass(frozen=True, slots=True)
class _Typed:
    """What was typed: its telling tokens, whether the last one is finished, and whether it has a "v"."""

    tokens: tuple[str, ...]
    complete: bool
    versus: bool


def _read_typed(typed: str) -> _Typed:
    found = [word.casefold().replace("’", "'") for word in _WORD.findall(typed)]
    complete = bool(typed) and not typed[-1].isalnum()
    tokens = tuple(word for word in found if word not in _UNNAMED and word not in VERSUS)
    if found and (found[-1] in VERSUS or found[-1] in _UNNAMED):
        complete = True
    return _Typed(tokens, complete, bool(VERSUS.intersection(found)))


def _quality(entry: _Entry, typed: _Typed) -> float:
    """How well the entry matches, 0 if it does not: where it begins, minus gaps and misspellings.

    From the first party to the second is no gap where a "v" was typed.
    """
    position = -1
    quality = whole = 1.0 if entry.full else 0.85
    for number, token in enumerate(typed.tokens):
        prefix = not typed.complete and number == len(typed.tokens) - 1
        found, exact = _next_match(entry.tokens, position + 1, token, prefix)
        if found < 0:
            return 0.0
        if number == 0:
            quality = whole * (1.0 if found == 0 else 0.8 if found == entry.second else 0.6)
        elif not (typed.versus and found == entry.second):
            quality -= 0.1 * (found - position - 1)
        if not exact:
            quality -= 0.2
        position = found
    return max(quality, 0.0)


def _next_match(words: Sequence[str], start: int, token: str, prefix: bool) -> tuple[int, bool]:
    """The first word from ``start`` on that matches, an exact match before a misspelt one; -1 if none."""
    for place in range(start, len(words)):
        if words[place] == token or (prefix and words[place].startswith(token)):
            return place, True
    if len(token) >= 4:
        for place in range(start, len(words)):
            word = words[place]
            if word[0] == token[0] and (
                _prefix_one_apart(word, token) if prefix else _one_apart(word, token)
            ):
                return place, False
    return -1, False


def _one_apart(one: str, other: str) -> bool:
    """Whether one edit makes the words equal: a letter wrong, missing, too many, or two swapped."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, other_rest = one[start:], other[start:]
    return (
        rest[1:] == other_rest[1:]
        or rest[1:] == other_rest
        or rest == other_rest[1:]
        or (rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:])
    )


def _prefix_one_apart(word: str, prefix: str) -> bool:
    """Whether a beginning of ``word`` is at most one edit from ``prefix``."""
    return any(
        _one_apart(word[:length], prefix) for length in (len(prefix), len(prefix) - 1, len(prefix) + 1)
    )
