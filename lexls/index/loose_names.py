"""Finding a judgment by a case name that is written another way than its own.

Citations shorten parties ("Ayub v State of U.P." for "Ayya Alias Ayub v State of Uttar Pradesh"), drop or
spell out initials. A name fits where each party's words are all among the other's, in order. That is said of
a name with a year nearby only, and counts only where it fits a single judgment.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache

from lexls.text.words import words

Party = tuple[str, ...]
Parties = tuple[Party, Party]
Name = tuple[str, int]
"""A ``party_key`` and a year."""

_OFFICES = words(
    "state union government govt commissioner cit collector unitedstates us u people commonwealth secretary "
    "minister director registrar superintendent inspector regina queen king crown"
)
"""What begins a party that thousands of cases have: the place behind it must fit too."""
_FREQUENT = 60
"""A word of more judgments than this ("Singh", "Kumar") is not looked up where there is a rarer one."""
_KEPT = 65_536


@lru_cache(maxsize=_KEPT)
def parties_of(key: str) -> Parties | None:
    """The two parties of a ``party_key``; None for what does not name two."""
    tokens = key.split()
    if "v" not in tokens[1:-1]:
        return None
    middle = tokens.index("v", 1)
    return tuple(tokens[:middle]), tuple(tokens[middle + 1 :])


def same_party(one: Party, other: Party) -> bool:
    """Whether the words of the shorter of two parties are all in the longer, in order.

    Of offices and states an initial stands for a word ("State of U." for "State of Uttar Pradesh"), and
    what it is the state of must be said by both; of names initials tell nothing and one whole word is needed.
    """
    if one == other:
        return True
    office = one[0] in _OFFICES or other[0] in _OFFICES
    if not office:
        one = tuple(word for word in one if len(word) > 1)
        other = tuple(word for word in other if len(word) > 1)
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if not short:
        return False
    rest = iter(long)
    if not all(any(_fits(word, each, office) for each in rest) for word in short):
        return False
    return not office or len(short) == len(long) or len(short) > 1


def _fits(one: str, other: str, initials: bool) -> bool:
    if one == other:
        return True
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return initials and len(short) < 3 and long.startswith(short)


class LooseNames:
    """Names of judgments by the words of their parties. A name is a ``party_key`` with the judgment's year.

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
            parties = parties_of(name[0]) if more else None
            if parties is None:
                continue
            for word in {word for party in parties for word in _telling(party)}:
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
            parties = parties_of(key)
            known = self._known[question] = (
                () if parties is None else tuple(self._fitting(parties, year, apart))
            )
            for word in {word for party in parties or () for word in _telling(party)}:
                self._asked[word].add(question)
        return known

    def _fitting(self, parties: Parties, year: int, apart: int) -> Iterable[Name]:
        found: dict[Name, None] = {}
        for party in parties:
            held = sorted((w for w in _telling(party) if self._counts[w]), key=self._counts.__getitem__)
            for word in [word for word in held if self._counts[word] <= _FREQUENT] or held[:1]:
                for near in range(year - apart, year + apart + 1):
                    for name, its in self._of.get((word, near), {}).items():
                        if same_party(parties[0], its[0]) and same_party(parties[1], its[1]):
                            found[name] = None
        return found


def _telling(party: Party) -> Iterable[str]:
    if party and party[0] in _OFFICES:
        return ()
    return (word for word in party if len(word) > 2)
