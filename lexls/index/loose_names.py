"""Finding a judgment by a case name that is written another way than its own.

Citations shorten parties ("Ayub v State of U.P." for "Ayya Alias Ayub v State of Uttar Pradesh"), drop or
spell out initials. A name fits where each party's words are all among the other's, in order. That is said of
a name with a year nearby only, and counts only where it fits a single judgment.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache

from lexls.index.records import Authority
from lexls.text.words import words

Party = tuple[str, ...]
Parties = tuple[Party, Party]

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
    """Judgments by the words of their parties. ``named`` are pairs of a ``party_key`` and the judgment, whose
    year is known."""

    def __init__(self, named: Iterable[tuple[str, int, Authority]]) -> None:
        self._counts: Counter[str] = Counter()
        self._of: defaultdict[tuple[str, int], list[tuple[Authority, Parties]]] = defaultdict(list)
        for key, year, authority in named:
            parties = parties_of(key)
            if parties is None:
                continue
            for word in {word for party in parties for word in _telling(party)}:
                self._counts[word] += 1
                self._of[word, year].append((authority, parties))

    def near(self, key: str, year: int, apart: int) -> list[Authority]:
        """The judgments whose parties fit those of ``key``, decided at most ``apart`` years from ``year``."""
        parties = parties_of(key)
        if parties is None:
            return []
        found: dict[int, Authority] = {}
        for party in parties:
            held = sorted((w for w in _telling(party) if w in self._counts), key=self._counts.__getitem__)
            for word in [word for word in held if self._counts[word] <= _FREQUENT] or held[:1]:
                for near in range(year - apart, year + apart + 1):
                    for authority, its in self._of.get((word, near), ()):
                        if same_party(parties[0], its[0]) and same_party(parties[1], its[1]):
                            found[authority.id] = authority
        return list(found.values())


def _telling(party: Party) -> Iterable[str]:
    if party and party[0] in _OFFICES:
        return ()
    return (word for word in party if len(word) > 2)
