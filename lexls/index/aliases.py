"""Find judgments whose file names no report by the citations that other documents give them.

A file of a judgment may know its name and date and no report. Others cite it by name, report and year: where
name and year are those of one such judgment alone, the report's citation is its own. A name that no judgment
has as it is written may be one's name shortened ("Ayub v State of U.P." for "Ayya Alias Ayub v State of Uttar
Pradesh"): it counts only with a year nearby, and where it fits a single judgment.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping

import apsw

from lexls.citations.case_names.compare import (
    Parties,
    is_shortened_party,
    list_telling_words,
    make_party_key,
    split_party_key,
)
from lexls.index.connection import select
from lexls.index.records import Authority

LATER = 1
"""A report may appear the year after the judgment."""
_APART = 3
"""Two judgments of one name must be so many years apart to be told by them."""
_FREQUENT = 60
"""A word of more judgments than this ("Singh", "Kumar") is not looked up where there is a rarer one."""
_KEPT = 65_536

Name = tuple[str, int]
"""A party key and a year."""


class Aliases:
    """Learns by which citations such judgments go, again and again as documents change."""

    def __init__(self) -> None:
        self._loose = LooseNames()

    def learn(
        self, connection: apsw.Connection, unreported: Iterable[Authority], reported: Container[str]
    ) -> Mapping[str, int]:
        """The folded keys by which documents cite judgments of ``unreported``, those in ``reported`` left
        out.
        """
        named: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        names: Counter[Name] = Counter()
        for authority in unreported:
            year = authority.year
            if authority.kind == "case" and year is not None and (name := make_party_key(authority.title)):
                named[name].append((year, authority.id))
                names[name, year] += 1
        self._loose.become(names)
        if not named:
            return {}
        votes: defaultdict[str, Counter[int]] = defaultdict(Counter)
        # Straight through the table: by its index on keys every row would be looked up, thirty times as slow.
        rows = select(
            connection,
            """SELECT key, name, year, count(*) FROM edges NOT INDEXED
               WHERE name != '' GROUP BY key, name, year""",
        )
        for key, name, year, count in rows:
            if key in reported:
                continue
            near = [(of, document) for of, document in named.get(name, ()) if abs(of - year) <= _APART]
            if not near and year:
                near = [
                    (of, document)
                    for other, when in self._loose.near(name, year, _APART)
                    for of, document in named[other]
                    if of == when
                ]
            if len(near) == 1 and near[0][0] <= year <= near[0][0] + LATER:
                votes[key][near[0][1]] += count
        return {key: found.most_common(1)[0][0] for key, found in votes.items() if len(found) == 1}


class LooseNames:
    """Names of judgments by the words of their parties. A name is a party key with the judgment's year.

    What a name fits is remembered until a name with one of its words comes or goes.
    """

    def __init__(self) -> None:
        self._named: Counter[Name] = Counter()
        self._counts: Counter[str] = Counter()
        self._of: defaultdict[tuple[str, int], dict[Name, Parties]] = defaultdict(dict)
        self._known: dict[tuple[str, int, int], tuple[Name, ...]] = {}
        self._asked: defaultdict[str, set[tuple[str, int, int]]] = defaultdict(set)

    def become(self, names: Counter[Name]) -> None:
        """Hold these names and no others; ``names`` counts the judgments of each."""
        for name in names.keys() | self._named.keys():
            more = names[name] - self._named[name]
            parties = split_party_key(name[0]) if more else None
            if parties is None:
                continue
            for word in {word for party in parties for word in list_telling_words(party)}:
                self._counts[word] += more
                if names[name]:
                    self._of[word, name[1]][name] = parties
                else:
                    self._of[word, name[1]].pop(name, None)
                for question in self._asked.pop(word, ()):
                    self._known.pop(question, None)
        self._named = Counter(names)

    def near(self, key: str, year: int, apart: int) -> tuple[Name, ...]:
        """The names whose parties fit those of ``key``, of judgments decided at most ``apart`` years from
        ``year``.
        """
        question = (key, year, apart)
        known = self._known.get(question)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
                self._asked.clear()
            parties = split_party_key(key)
            known = self._known[question] = (
                () if parties is None else tuple(self._fitting(parties, year, apart))
            )
            for word in {word for party in parties or () for word in list_telling_words(party)}:
                self._asked[word].add(question)
        return known

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
