"""The citation graph: who cites an authority, how it is treated, and which of its words others quote."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import cast

import apsw

from lexls.citations.keys import fold
from lexls.citations.treatment import ELSEWHERE, NEGATIVE, WORST_FIRST, TreatmentKind
from lexls.index.catalogue import Catalogue
from lexls.index.connection import select
from lexls.index.records import CitingPassage, TreatedIn

_RANK: Mapping[TreatmentKind, int] = {kind: rank for rank, kind in enumerate(WORST_FIRST)}
_EXTENTS = ("", "in part", "on other grounds")


def citing(connection: apsw.Connection, keys: Collection[str], document: int) -> list[CitingPassage]:
    """Every citation of one of ``keys`` outside ``document``, with its treatment, in order.

    A sentence that treats the authority by no more than its name counts as one.
    """
    wanted = json.dumps(list(keys))
    found: dict[tuple[int, int], CitingPassage] = {}
    for source, start, end, pinpoint in select(
        connection,
        """SELECT e.document, e."start", e."end", e.pinpoint FROM json_each(?) AS k
           JOIN edges AS e ON e.key = k.value WHERE e.document != ?""",
        (wanted, document),
    ):
        found.setdefault((source, start), CitingPassage(source, start, end, labels(pinpoint)))
    for source, start, end, kind in select(
        connection,
        """SELECT t.document, t."start", t."end", t.treatment FROM json_each(?) AS k
           JOIN treatments AS t ON t.key = k.value WHERE t.document != ? AND t.by = ''""",
        (wanted, document),
    ):
        found[source, start] = _worse(found.get((source, start)), CitingPassage(source, start, end, (), kind))
    return [found[place] for place in sorted(found)]


def cited(connection: apsw.Connection, document: int) -> list[tuple[CitingPassage, str]]:
    """Every citation in ``document`` with the folded key of what it cites, in order; as in ``citing``."""
    found: dict[tuple[int, str], CitingPassage] = {}
    for start, end, key, pinpoint in select(
        connection, 'SELECT "start", "end", key, pinpoint FROM edges WHERE document = ?', (document,)
    ):
        found.setdefault((start, key), CitingPassage(document, start, end, labels(pinpoint)))
    for start, end, key, kind in select(
        connection,
        """SELECT "start", "end", key, treatment FROM treatments WHERE document = ? AND by = ''""",
        (document,),
    ):
        place = start, key
        found[place] = _worse(found.get(place), CitingPassage(document, start, end, (), kind))
    return [(found[place], place[1]) for place in sorted(found)]


def _worse(known: CitingPassage | None, said: CitingPassage) -> CitingPassage:
    if known is None:
        return said
    if known.treatment != "cited" and _RANK[known.treatment] <= _RANK[said.treatment]:
        return known
    return replace(known, treatment=said.treatment)


def treatments(
    connection: apsw.Connection, catalogue: Catalogue, keys: Collection[str], document: int
) -> list[TreatedIn]:
    """How an authority with these keys is treated by others, worst first."""
    rows = select(
        connection,
        """SELECT t.document, t."start", t."end", t.treatment, t.extent, t.by,
                  t.sentence_start, t.sentence_end
           FROM json_each(?) AS k JOIN treatments AS t ON t.key = k.value""",
        (json.dumps(list(keys)),),
    )
    return _sorted(_treated(rows, catalogue, document), catalogue)


def worst_treatments(connection: apsw.Connection, catalogue: Catalogue) -> dict[int, TreatedIn]:
    """For every authority that is treated badly, the worst of it."""
    rows = select(
        connection,
        """SELECT key, document, "start", "end", treatment, extent, by, sentence_start, sentence_end
           FROM treatments WHERE treatment IN (SELECT value FROM json_each(?))""",
        (json.dumps(sorted(NEGATIVE)),),
    )
    by_document: defaultdict[int, list[tuple[object, ...]]] = defaultdict(list)
    for key, *values in rows:
        for document in catalogue.find_folded(key):
            by_document[document].append(tuple(values))
    worst: dict[int, TreatedIn] = {}
    for document, values_of in by_document.items():
        found = _sorted(_treated(values_of, catalogue, document), catalogue)
        if found:
            worst[document] = found[0]
    return worst


def labels(joined: str) -> tuple[str, ...]:
    """The labels of a pinpoint as an edge holds them."""
    return tuple(joined.split("\n")) if joined else ()


def _treated(rows: Iterable[tuple[object, ...]], catalogue: Catalogue, document: int) -> Iterable[TreatedIn]:
    """The rows as records, one for each sentence and what it says; nothing that a document says of itself."""
    seen: set[tuple[object, ...]] = set()
    for source, start, end, kind, extent, by, sentence_start, sentence_end in rows:
        citing_document, treating, named = cast(int, source), None, cast(str, by)
        if citing_document == document:
            continue
        if not named:
            treating = citing_document
        elif named == ELSEWHERE:
            named = ""
        else:
            held = catalogue.find_folded(fold(named))
            treating = held[0] if held else None
        if treating == document or (source, sentence_start, kind, treating, named) in seen:
            continue
        seen.add((source, sentence_start, kind, treating, named))
        yield TreatedIn(
            treatment=cast(TreatmentKind, kind),
            extent=cast(str, extent),
            treating=treating,
            by=named if treating is None else "",
            citing=citing_document,
            start=cast(int, start),
            end=cast(int, end),
            sentence_start=cast(int, sentence_start),
            sentence_end=cast(int, sentence_end),
        )


def _sorted(found: Iterable[TreatedIn], catalogue: Catalogue) -> list[TreatedIn]:
    """Worst first; of the same kind: wholly before in part, first hand before hearsay, newest first."""

    def order(each: TreatedIn) -> tuple[int, int, int, str, int, int]:
        treating = catalogue.get(each.treating) if each.treating is not None else None
        date = treating.date if treating is not None else ""
        hearsay = (
            0 if each.treating == each.citing else 1 if each.treating is not None else 2 if each.by else 3
        )
        return (
            _RANK[each.treatment],
            _EXTENTS.index(each.extent),
            hearsay,
            _newest_first(date),
            each.citing,
            each.start,
        )

    return sorted(found, key=order)


def _newest_first(date: str) -> str:
    """Sorts ISO dates backwards; authorities without a date come last."""
    return date.translate(_BACKWARDS) if date else "~"


_BACKWARDS = str.maketrans("0123456789", "9876543210")


def citers(
    connection: apsw.Connection, catalogue: Catalogue, keys: Collection[str]
) -> Mapping[int, frozenset[int]]:
    """The documents that cite each authority of the library, itself left out; ``keys`` are all its keys."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for key, document in select(
        connection,
        """SELECT DISTINCT e.key, e.document FROM json_each(?) AS k
           JOIN edges AS e INDEXED BY edges_key ON e.key = k.value""",
        (json.dumps(list(keys)),),
    ):
        for authority in catalogue.find_folded(key)[:1]:
            if authority != document:
                found[authority].add(document)
    return {authority: frozenset(documents) for authority, documents in found.items()}
