"""Find report citations for judgments whose own files have none, using the documents that cite them.

A judgment's file may give its name and date but no report citation. Other documents cite the judgment by
name, report and year. If that name and year fit only one such judgment, it receives the report citation. A
cited name that no judgment has in full may be a shortened one ("Ayub v State of U.P." for "Ayya Alias Ayub v
State of Uttar Pradesh"). A shortened name counts only if it is cited with a year close to the judgment's, and
only if it fits a single judgment.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeVar

import apsw

from lexls.citations.case_names.compare import (
    Parties,
    is_shortened_party,
    list_telling_words,
    make_party_key,
    split_party_key,
)
from lexls.index.catalogue import Catalogue
from lexls.index.connection import select

LATER = 1
"""Maximum number of years by which a report may be later than the judgment in it."""
_APART = 3
"""A cited name is ambiguous if several judgments of that name are at most this many years from the cited
year.
"""
_FREQUENT = 60
"""Words in the names of more judgments than this ("Singh", "Kumar") are looked up only if the cited name has
no rarer word.
"""

Name = tuple[str, int]
"""A party key and a year."""
K = TypeVar("K")
V = TypeVar("V")


class Aliases:
    """The report citations learnt for judgments, updated when documents change."""

    def __init__(self) -> None:
        self._loose = LooseNames()
        self._name_of: dict[int, Name] = {}
        """The name of each judgment whose file gives no report citation."""
        self._named: defaultdict[str, dict[int, int]] = defaultdict(dict)
        """The same judgments by party key, each with its year."""
        self._cited_in: dict[int, frozenset[tuple[str, Name]]] = {}
        """The keys and names that each document cites."""
        self._times: Counter[tuple[str, Name]] = Counter()
        """Number of documents that cite each key by each name."""
        self._names_with: defaultdict[str, set[Name]] = defaultdict(set)
        self._keys_with: defaultdict[Name, set[str]] = defaultdict(set)
        self._cited_as: defaultdict[str, set[Name]] = defaultdict(set)
        """The names that documents cite, by party key."""
        self._meant: dict[Name, int | None] = {}
        """The judgment that each cited name refers to, cached until it may refer to another."""
        self._meaning: defaultdict[int, set[Name]] = defaultdict(set)
        self._aliases: dict[str, int] = {}

    def learn(
        self,
        connection: apsw.Connection,
        catalogue: Catalogue,
        documents: Collection[int],
        keys: Iterable[str],
    ) -> Mapping[str, int | None]:
        """Return the folded keys whose judgment has changed, each with its new judgment, or None if it no
        longer has one.

        Keys that files give as their own citations never get a judgment here. ``documents`` were added,
        changed or removed since the last call (at first: all documents). ``keys`` are those that files may
        have begun or ceased to give as their own citations since then.
        """
        doubtful = {*keys, *self._read(connection, catalogue, documents)}
        for name in self._name(catalogue, documents):
            self._unlearn(name)
            doubtful |= self._keys_with.get(name, set())
        reported = catalogue.reported
        learnt: dict[str, int | None] = {}
        for key in doubtful:
            meant = {self._mean(name) for name in self._names_with.get(key, ())} - {None}
            alias = meant.pop() if len(meant) == 1 and key not in reported else None
            if alias != self._aliases.pop(key, None):
                learnt[key] = alias
            if alias is not None:
                self._aliases[key] = alias
        return learnt

    def _read(
        self, connection: apsw.Connection, catalogue: Catalogue, documents: Collection[int]
    ) -> Iterator[str]:
        """Update which names cite which keys. Yield each key that gained or lost a name."""
        times: Counter[tuple[str, Name]] = Counter()
        for document in documents:
            times.subtract(self._cited_in.pop(document, ()))
        there = [document for document in documents if catalogue.get(document) is not None]
        self._cited_in.update(_list_cited(connection, there, everything=not self._cited_in))
        for document in there:
            times.update(self._cited_in.get(document, ()))
        for cited, more in times.items():
            if not more:
                continue
            key, name = cited
            self._times[cited] += more
            if self._times[cited] == more:
                self._names_with[key].add(name)
                self._keys_with[name].add(key)
                self._cited_as[name[0]].add(name)
                yield key
            elif not self._times[cited]:
                self._forget(key, name)
                yield key

    def _forget(self, key: str, name: Name) -> None:
        """Remove ``name`` from the names of ``key``, because no document cites ``key`` by that name
        any more.
        """
        del self._times[key, name]
        _discard(self._names_with, key, name)
        _discard(self._keys_with, name, key)
        if name not in self._keys_with:
            _discard(self._cited_as, name[0], name)
            self._loose.forget(name)
            self._unlearn(name)

    def _unlearn(self, name: Name) -> None:
        """Discard the cached judgment that a name refers to."""
        if (judgment := self._meant.pop(name, None)) is not None:
            _discard(self._meaning, judgment, name)

    def _name(self, catalogue: Catalogue, documents: Iterable[int]) -> set[Name]:
        """Update the names of these judgments. Return the cited names that may now refer to another
        judgment.
        """
        more: Counter[Name] = Counter()
        doubtful: set[Name] = set()
        for document in documents:
            before = self._name_of.pop(document, None)
            if before is not None:
                del self._named[before[0]][document]
                more[before] -= 1
                doubtful |= self._cited_as.get(before[0], set()) | self._meaning.get(document, set())
            authority = catalogue.find_unreported(document)
            if authority is None or authority.kind != "case" or authority.year is None:
                continue
            if party_key := make_party_key(authority.title):
                self._name_of[document] = name = party_key, authority.year
                self._named[party_key][document] = authority.year
                more[name] += 1
                doubtful |= self._cited_as.get(party_key, set())
        return doubtful | self._loose.change(more)

    def _mean(self, cited: Name) -> int | None:
        """Return the judgment that a name cited with the year of its report must refer to; None if there is
        none or more than one.
        """
        if cited in self._meant:
            return self._meant[cited]
        name, year = cited
        near = [
            (of, document) for document, of in self._named.get(name, {}).items() if abs(of - year) <= _APART
        ]
        if not near and year:
            near = [
                (of, document)
                for other, when in self._loose.near(cited, _APART)
                for document, of in self._named[other].items()
                if of == when
            ]
        meant = near[0][1] if len(near) == 1 and near[0][0] <= year <= near[0][0] + LATER else None
        self._meant[cited] = meant
        if meant is not None:
            self._meaning[meant].add(cited)
        return meant


def _list_cited(
    connection: apsw.Connection, documents: Collection[int], *, everything: bool
) -> Mapping[int, frozenset[tuple[str, Name]]]:
    """Return, for each of ``documents``, the keys it cites and the names it cites them by. ``everything``
    means that ``documents`` are all documents of the index.
    """
    sql = "SELECT document, key, name, year FROM edges {} name != ''"
    # Scan the whole table: looking up each row through an index is thirty times as slow.
    rows = (
        select(connection, sql.format("NOT INDEXED WHERE"))
        if everything
        else (
            row
            for document in documents
            for row in list(select(connection, sql.format("WHERE document = ? AND"), (document,)))
        )
    )
    found: defaultdict[int, set[tuple[str, Name]]] = defaultdict(set)
    same: dict[object, tuple[str, Name]] = {}
    for document, key, name, year in rows:
        cited = key, (name, year)
        found[document].add(same.setdefault(cited, cited))
    return {document: frozenset(cited) for document, cited in found.items()}


class LooseNames:
    """An index of judgments' names by the words of their parties. A name is a party key and a year."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._of: defaultdict[tuple[str, int], dict[Name, Parties]] = defaultdict(dict)
        self._held: Counter[Name] = Counter()
        self._asked: defaultdict[str, set[Name]] = defaultdict(set)

    def change(self, more: Mapping[Name, int]) -> set[Name]:
        """Add ``more`` to the number of judgments that have each name. Return the cited names, of those
        looked up before, that may now fit other judgments.
        """
        doubtful: set[Name] = set()
        for name, count in more.items():
            parties = split_party_key(name[0]) if count else None
            if parties is None:
                continue
            self._held[name] += count
            for word in _list_words(parties):
                self._counts[word] += count
                if self._held[name]:
                    self._of[word, name[1]][name] = parties
                else:
                    self._of[word, name[1]].pop(name, None)
                doubtful |= self._asked.pop(word, set())
            if not self._held[name]:
                del self._held[name]
        return doubtful

    def forget(self, asked: Name) -> None:
        """Stop tracking a cited name, so that ``change`` no longer returns it."""
        for word in _list_words(split_party_key(asked[0]) or ()):
            _discard(self._asked, word, asked)

    def near(self, asked: Name, apart: int) -> tuple[Name, ...]:
        """Return the judgments' names whose parties fit those of ``asked`` and whose years differ from its
        year by at most ``apart``.
        """
        parties = split_party_key(asked[0])
        if parties is None:
            return ()
        for word in _list_words(parties):
            self._asked[word].add(asked)
        return tuple(self._fitting(parties, asked[1], apart))

    def _fitting(self, parties: Parties, year: int, apart: int) -> Iterable[Name]:
        found: dict[Name, None] = {}
        for party in parties:
            held = sorted(
                (w for w in list_telling_words(party) if self._counts[w]), key=self._counts.__getitem__
            )
            for word in [word for word in held if self._counts[word] <= _FREQUENT] or held[:1]:
                for near in range(year - apart, year + apart + 1):
                    for name, its in self._of.get((word, near), {}).items():
                        if is_shortened_party(parties[0], its[0]) and is_shortened_party(parties[1], its[1]):
                            found[name] = None
        return found


def _list_words(parties: Iterable[tuple[str, ...]]) -> set[str]:
    return {word for party in parties for word in list_telling_words(party)}


def _discard(index: dict[K, set[V]], key: K, value: V) -> None:
    """Remove ``value`` from the set stored under ``key``, and delete the set if it is then empty."""
    held = index.get(key, set())
    held.discard(value)
    if not held:
        index.pop(key, None)
