"""Find the authorities of a library by id, path, name, title and citation, in memory."""

from __future__ import annotations

import itertools
import re
import threading
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexls.citations.model import fold
from lexls.citations.same_docket import Serial
from lexls.index.bm25 import choose_best
from lexls.index.records import Authority
from lexls.index.title_words import TitleWords
from lexls.index.tokens import Tokenizer
from lexls.index.unclear import list_missing

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """An authority with the folded keys that identify it."""

    authority: Authority
    keys: tuple[str, ...]


class Catalogue:
    """All authorities of one generation. Only ``put`` and ``remove`` add and remove authorities; readers get
    tuples.

    Each query acquires ``lock`` (None: a lock of its own), so queries are safe from any thread. Callers that
    change the catalogue or pass folded keys must acquire the lock themselves.
    """

    def __init__(self, lock: AbstractContextManager[object] | None = None) -> None:
        self._lock = lock or threading.RLock()
        self._entries: dict[int, CatalogueEntry] = {}
        self._paths: dict[Path, int] = {}
        self._keys: defaultdict[str, list[int]] = defaultdict(list)
        self._names: defaultdict[str, list[int]] = defaultdict(list)
        self._words: TitleWords | None = None
        """None until first used."""
        self._unreported: dict[int, Authority] = {}
        self._unclear: dict[int, Authority] = {}
        self._aliases: dict[str, int] = {}
        self._aliases_of: defaultdict[int, set[str]] = defaultdict(set)
        self._touched: set[str] = set()
        self._all: tuple[Authority, ...] | None = None
        self._jurisdictions: Mapping[str, int] | None = None
        self._but_for_a_number: defaultdict[str, set[str]] = defaultdict(set)
        self._unblanked: set[str] = set()

    def put(self, entry: CatalogueEntry) -> None:
        """Add an authority, or replace the one with its id."""
        authority = entry.authority
        self.remove([authority.id])
        self._entries[authority.id] = entry
        self._paths[authority.own_path] = authority.id
        for key in entry.keys:
            insort(self._keys[key], authority.id)  # keeps the ids sorted
        self._touch(entry.keys)
        if not entry.keys:
            self._unreported[authority.id] = authority
        if list_missing(authority):
            self._unclear[authority.id] = authority
        for name in _names(authority):
            insort(self._names[name], authority.id)
        if self._words is not None:
            self._words.put(authority)
        self._forget()

    def remove(self, documents: Iterable[int]) -> None:
        """Remove authorities; unknown ids are ignored."""
        for document in documents:
            entry = self._entries.pop(document, None)
            if entry is None:
                continue
            self._touch([*entry.keys, *self._aliases_of.get(document, ())])
            self._unreported.pop(document, None)
            self._unclear.pop(document, None)
            if self._paths.get(entry.authority.own_path) == document:
                del self._paths[entry.authority.own_path]
            for index, keys in ((self._keys, entry.keys), (self._names, _names(entry.authority))):
                for key in keys:
                    index[key].remove(document)
                    if not index[key]:
                        del index[key]
            if self._words is not None:
                self._words.remove(entry.authority)
            self._forget()

    def _forget(self) -> None:
        """Discard caches computed from all authorities."""
        self._all = self._jurisdictions = None

    def _touch(self, keys: Collection[str]) -> None:
        self._touched.update(keys)
        self._unblanked.update(keys)

    def all(self) -> Sequence[Authority]:
        """Return every authority, in order of id."""
        with self._lock:
            if self._all is None:
                self._all = tuple(self._entries[document].authority for document in sorted(self._entries))
            return self._all

    def find_unreported(self, document: int) -> Authority | None:
        """Return the authority with this id if its file gives no citation; None otherwise."""
        return self._unreported.get(document)

    def list_unclear(self) -> Sequence[Authority]:
        """Return the authorities whose files do not identify their case (see `unclear.py`), in order
        of id.
        """
        with self._lock:
            return tuple(self._unclear[document] for document in sorted(self._unclear))

    @property
    def reported(self) -> Container[str]:
        """The folded keys that files give as their own citations."""
        return self._keys.keys()

    def all_keys(self) -> Collection[str]:
        """Return the folded keys of all citations of any authority."""
        return self._keys.keys() | self._aliases.keys()

    def use_aliases(self, aliases: Mapping[str, int | None]) -> None:
        """Update the folded keys by which other documents cite an authority: each key with the authority's
        id, or with None to remove the key.
        """
        for key, document in aliases.items():
            before = self._aliases.pop(key, None)
            if before is not None:
                self._aliases_of[before].discard(key)
                if not self._aliases_of[before]:
                    del self._aliases_of[before]
            if document is not None:
                self._aliases[key] = document
                self._aliases_of[document].add(key)
        self._touch(aliases.keys())

    def take_touched(self) -> set[str]:
        """Return the folded keys that may refer to a different authority since the last call."""
        touched, self._touched = self._touched, set()
        return touched

    def jurisdictions(self) -> Mapping[str, int]:
        """Return the number of authorities of each jurisdiction, most frequent first; "" counts those without
        one.
        """
        with self._lock:
            if self._jurisdictions is None:
                counts = Counter(entry.authority.jurisdiction for entry in self._entries.values())
                self._jurisdictions = dict(counts.most_common())
            return self._jurisdictions

    def get(self, document: int) -> Authority | None:
        """Return the authority with this id, or None if it is gone."""
        with self._lock:
            entry = self._entries.get(document)
        return entry.authority if entry else None

    def find_path(self, path: Path) -> Authority | None:
        """Return the authority with this ``own_path``, which for a single-document file is the file's
        absolute path.
        """
        with self._lock:
            document = self._paths.get(path)
            return None if document is None else self.get(document)

    def keys_of(self, document: int) -> tuple[str, ...]:
        """Return the folded keys of all citations of an authority."""
        entry = self._entries.get(document)
        return (*entry.keys, *sorted(self._aliases_of.get(document, ()))) if entry else ()

    def own_keys_of(self, document: int) -> tuple[str, ...]:
        """Return the folded keys of the citations given in an authority's own file."""
        entry = self._entries.get(document)
        return tuple(entry.keys) if entry else ()

    def find_key(self, key: str) -> tuple[int, ...]:
        """Return the authorities with this citation, however it is written."""
        with self._lock:
            return self.find_folded(fold(key))

    def find_folded(self, key: str) -> tuple[int, ...]:
        """Return the authorities with this citation, given as a folded key, as in the table of citations."""
        found = self._keys.get(key)
        if found:
            return tuple(found)
        alias = self._aliases.get(key)
        return (alias,) if alias is not None and alias in self._entries else ()

    def find_but_for_a_number(self, key: str) -> list[tuple[str, int]]:
        """Return the folded keys that differ from this one in exactly one number, each with its authority."""
        key = fold(key)
        with self._lock:
            for each in self._unblanked:
                for blank in _blank_numbers(each):
                    if self.find_folded(each):
                        self._but_for_a_number[blank].add(each)
                    else:
                        self._but_for_a_number[blank].discard(each)
            self._unblanked.clear()
            near = [
                (document, self.keys_of(document).index(other), other)
                for blank in _blank_numbers(key)
                for other in self._but_for_a_number.get(blank, ())
                for document in self.find_folded(other)
                if other != key
            ]
        return [(other, document) for document, _, other in sorted(near)]

    def find_name(self, name: str, year: int | None = None) -> tuple[int, ...]:
        """Return the authorities with exactly this title or short title, limited to ``year`` if given."""
        with self._lock:
            found = self._names.get(fold(name), ())
            return tuple(d for d in found if year is None or self._entries[d].authority.year == year)

    def find_sharing_word(self, name: str) -> list[int]:
        """Return the authorities whose title is ``name``, whose titles share a rare word with it, or whose
        initials it contains.
        """
        with self._lock:
            return sorted({*self._names.get(fold(name), ()), *self._title_words().find(name)})

    def find_docket(self, serials: Iterable[Serial]) -> list[int]:
        """Return the authorities whose files give one of these docket numbers."""
        with self._lock:
            return sorted(self._title_words().find_docket(serials))

    def _title_words(self) -> TitleWords:
        if self._words is None:
            self._words = TitleWords(entry.authority for entry in self._entries.values())
        return self._words


def _blank_numbers(key: str) -> Iterator[str]:
    """Yield the folded key once for each of its numbers, with that number blanked. Numbers that folding joins
    ("(2003) 4") count as one.
    """
    for match in _NUMBER.finditer(key):
        yield f"{key[: match.start()]}#{key[match.end() :]}"


def _names(authority: Authority) -> set[str]:
    return {fold(authority.title), fold(authority.short_title)} - {""}


K1 = 1.2
B = 0.75


class TitleIndex:
    """The documents' titles as bags of terms, in memory. Immutable.

    The tokens of unchanged titles are reused from ``previous``, so only a few titles are tokenised again when
    documents change. Titles are short: ten thousand need about 5 MB.
    """

    def __init__(self, authorities: Iterable[Authority] = (), previous: TitleIndex | None = None) -> None:
        self._tokenizer: Tokenizer = previous._tokenizer if previous is not None else Tokenizer()
        known = previous._terms_of if previous is not None else {}
        self._terms_of: dict[int, tuple[str, tuple[str, ...]]] = {}
        for authority in authorities:
            entry = known.get(authority.id)
            if entry is None or entry[0] != authority.title:
                entry = authority.title, tuple(self._tokenizer.tokenize(authority.title))
            self._terms_of[authority.id] = entry
        titles = [terms for _, terms in self._terms_of.values()]
        self._documents = np.fromiter(self._terms_of, np.int64, len(titles))
        self._lengths = np.fromiter(map(len, titles), np.int64, len(titles))
        self._numbers: dict[str, int] = {}
        numbers = self._numbers
        terms = np.fromiter(
            (numbers.setdefault(term, len(numbers)) for title in titles for term in title),
            np.int64,
            int(self._lengths.sum()),
        )
        # A posting is term · titles + row, so that sorting groups them by term.
        rows = np.repeat(np.arange(len(titles), dtype=np.int64), self._lengths)
        postings, counts = np.unique(terms * len(titles) + rows, return_counts=True)
        self._starts = np.searchsorted(postings, np.arange(len(numbers) + 1, dtype=np.int64) * len(titles))
        self._rows = postings % max(len(titles), 1)
        self._counts = counts.astype(np.float64)

    def terms(self, documents: Collection[int] | None = None) -> frozenset[str]:
        """Return every term in the titles of ``documents`` (None: all)."""
        if documents is None:
            return frozenset(self._numbers)
        known = (self._terms_of[document][1] for document in documents if document in self._terms_of)
        return frozenset(itertools.chain.from_iterable(known))

    def top(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Collection[int] | None,
        weights: Sequence[float] | None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the ``k`` documents whose titles best match ``tokens``: ids and scores, best first, ties by
        id.

        Only ``documents`` are ranked (None: all). ``weights`` has one factor per token (None: 1 each). The
        rarity of a token is not considered here, so its weight must include it. The weights of a repeated
        token are added. Raises ``ValueError`` if there are not as many weights as tokens.
        """
        asked: dict[str, float] = {}
        for token, weight in zip(tokens, [1.0] * len(tokens) if weights is None else weights, strict=True):
            asked[token] = asked.get(token, 0.0) + weight
        titles = len(self._documents)
        scores = np.zeros(titles)
        mean = float(self._lengths.mean()) if titles and self._lengths.any() else 1.0
        norms = K1 * (1 - B + B * self._lengths / mean)
        for term, weight in asked.items():
            number = self._numbers.get(term)
            if number is None or not weight:
                continue
            place = slice(int(self._starts[number]), int(self._starts[number + 1]))
            rows, counts = self._rows[place], self._counts[place]
            scores[rows] += weight * counts * (K1 + 1) / (counts + norms[rows])
        matched = scores > 0
        if documents is not None:
            matched &= np.isin(self._documents, np.fromiter(documents, np.int64, len(documents)))
        found = np.flatnonzero(matched)
        return choose_best(self._documents[found], scores[found], k)
