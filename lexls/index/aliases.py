"""Citations that the library's own documents give to a judgment whose file names none.

A file of a judgment may know its name and date and no report. Others cite it by name, report and year: where
name and year are those of one such judgment alone, the report's citation is its own. A name that no judgment
has as it is written may be one's name shortened (``loose_names``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache

import apsw

from lexls.citations.names import name_tokens
from lexls.index.connection import select
from lexls.index.loose_names import LooseNames, Name
from lexls.index.records import Authority

LATER = 1
"""A report may appear the year after the judgment."""
_APART = 3
"""Two judgments of one name must be so many years apart to be told by them."""
_KEPT = 65_536


@lru_cache(maxsize=_KEPT)
def party_key(name: str) -> str:
    """A case name as its words alone, in order; "" for what does not name two parties."""
    tokens = name_tokens(name)
    if "v" not in tokens[1:-1] or sum(len(token) > 1 for token in tokens) < 2:
        return ""
    return " ".join(tokens)


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
            if authority.kind == "case" and year is not None and (name := party_key(authority.title)):
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
