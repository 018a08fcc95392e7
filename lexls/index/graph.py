"""The citation graph: who cites an authority, how it is treated, and which of its words others quote."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
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
    """Every citation of one of ``keys`` outside ``document``, with its treatment."""
    rows = select(
        connection,
        """SELECT e.document, e."start", e."end", e.pinpoint, t.treatment FROM json_each(?) AS k
           JOIN edges AS e ON e.key = k.value
           LEFT JOIN treatments AS t
             ON t.document = e.document AND t."start" = e."start" AND t.key = e.key AND t.by = ''
           WHERE e.document != ? ORDER BY e.document, e."start" """,
        (json.dumps(list(keys)), document),
    )
    found: dict[tuple[int, int], CitingPassage] = {}
    for source, start, end, pinpoint, treatment in rows:
        each = CitingPassage(source, start, end, labels(pinpoint), treatment or "cited")
        known = found.get((source, start))
        if known is None or _RANK[each.treatment] < _RANK[known.treatment]:
            found[source, start] = each
    return list(found.values())


def said_in(connection: apsw.Connection, document: int) -> dict[tuple[int, str], TreatmentKind]:
    """How ``document`` itself treats what it cites, by where it cites it and the key; the worst of each."""
    found: dict[tuple[int, str], TreatmentKind] = {}
    rows = select(
        connection,
        """SELECT "start", key, treatment FROM treatments WHERE document = ? AND by = ''""",
        (document,),
    )
    for start, key, kind in rows:
        known = found.get((start, key))
        if known is None or _RANK[cast(TreatmentKind, kind)] < _RANK[known]:
            found[start, key] = cast(TreatmentKind, kind)
    return found


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
