"""The passage of an authority that other documents point at most: what it is cited for."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import apsw

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.index.connection import select
from lexls.index.graph import labels
from lexls.index.records import MostQuoted, Place
from lexls.text.sentences import sentences
from lexls.text.spans import Span

MOST_CITATIONS = 2000
"""Of an authority cited more often, this many citations decide."""
MOST_QUOTATIONS = 40
MOST_SENTENCES = 10
"""Of so many citing documents the words are read: that is what takes time."""
LONGEST = 600
"""Code points of the words shown."""
_WORD = re.compile(r"[^\W_]+")
_BEFORE = 300
"""Code points before a citation that tell what it is cited for."""
_AROUND = 1000
"""Code points around a quotation in which its sentence is looked for."""
_PROBE = 36
"""Code points of a quotation that are looked for at once."""


@dataclass(frozen=True, slots=True)
class _Edge:
    """A citation of the document: by whom, where, the place it names and the quotation before it."""

    source: int
    start: int
    kind: str
    labels: tuple[str, ...]
    quote: tuple[int, int]


def most_quoted(
    connection: apsw.Connection,
    keys: Collection[str],
    document: int,
    text: Callable[[], str],
    places: Callable[[Pinpoint], list[Place]],
) -> MostQuoted | None:
    """The words of ``document`` that others point at most; None if nobody points at a place of it.

    The place is the one that most documents' pinpoints name, without pinpoints the sentence that most quote;
    in a place the sentence that is quoted most, else the one most like what it is cited for. ``text`` gives
    the document's, ``places`` finds what a pinpoint names in it.
    """
    edges = [
        _Edge(source, start, kind, labels(pinpoint), (first, last))
        for source, start, kind, pinpoint, first, last in select(
            connection,
            """SELECT e.document, e."start", e.pinpoint_kind, e.pinpoint, e.quote_start, e.quote_end
               FROM json_each(?) AS k JOIN edges AS e ON e.key = k.value
               WHERE e.document != ? AND (e.pinpoint != '' OR e.quote_end > 0) LIMIT ?""",
            (json.dumps(list(keys)), document, MOST_CITATIONS),
        )
    ]
    if not edges:
        return None
    place = _most_named(edges, places)
    whole = text()
    if place is None:
        return _by_quotations(document, whole, _quoted(connection, edges, whole))
    kind, label, count, found = place
    inside = _sentences(whole, found.start, found.end)
    if not inside:
        return None
    there = [each for each in edges if each.kind == kind and label in each.labels]
    votes = Counter[Span]()
    for at, sources in _quoted(connection, there, whole).items():
        for sentence in inside:
            if at in sentence:
                votes[sentence] += len(sources)
    if votes:
        best = votes.most_common(1)[0][0]
    else:
        before = (
            _slice(connection, each.source, max(0, each.start - _BEFORE), each.start)
            for each in there[:MOST_SENTENCES]
        )
        best = _most_like(whole, inside, " ".join(before))
    return _of(document, whole, best, kind, label, count)


def _of(
    document: int, text: str, span: Span, kind: PinpointKind | Literal[""], label: str, count: int
) -> MostQuoted:
    end = min(span.end, span.start + LONGEST)
    return MostQuoted(document, span.start, end, text[span.start : end], kind, label, count)


def _slice(connection: apsw.Connection, document: int, start: int, end: int) -> str:
    row = connection.execute(
        "SELECT substr(text, ?, ?) FROM texts WHERE document = ?", (start + 1, end - start, document)
    ).fetchone()
    return str(row[0]) if row is not None else ""


def _quoted(connection: apsw.Connection, edges: Sequence[_Edge], text: str) -> dict[int, set[int]]:
    """Where the quotations before citations stand in ``text``, with the documents that quote them."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    quoting = [each for each in edges if each.quote[1]][:MOST_QUOTATIONS]
    plain = _plain(text) if quoting else ""
    for each in quoting:
        at = _find(plain, _slice(connection, each.source, *each.quote))
        if at is not None:
            found[at].add(each.source)
    return found


def _most_named(
    edges: Sequence[_Edge], places: Callable[[Pinpoint], list[Place]]
) -> tuple[PinpointKind, str, int, Place] | None:
    """The place that most documents name: what it is called, how many name it, and where it is."""
    naming: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for each in edges:
        for label in each.labels:
            naming[each.kind, label].add(each.source)
    for (kind, label), sources in sorted(naming.items(), key=lambda each: (-len(each[1]), each[0]))[:8]:
        found = places(Pinpoint(cast(PinpointKind, kind), (label,), Span(0, 0)))
        if found:
            return cast(PinpointKind, kind), label, len(sources), found[0]
    return None


def _by_quotations(document: int, text: str, quoted: dict[int, set[int]]) -> MostQuoted | None:
    if not quoted:
        return None
    votes: defaultdict[Span, set[int]] = defaultdict(set)
    for at, sources in quoted.items():
        first, last = max(0, at - _AROUND), min(len(text), at + _AROUND)
        start, end = text.rfind("\n", first, at) + 1, text.find("\n", at, last)
        for sentence in _sentences(text, start or first, last if end < 0 else end):
            if at in sentence:
                votes[sentence] |= sources
    if not votes:
        return None
    best, by = max(votes.items(), key=lambda each: (len(each[1]), -each[0].start))
    return _of(document, text, best, "", "", len(by))


def _sentences(text: str, start: int, end: int) -> list[Span]:
    inside = (span.shift(start) for span in sentences(text[start:end]) if len(span) > 20)
    return [span for span in inside if not text.startswith("#", span.start)]


def _most_like(text: str, inside: Sequence[Span], said: str) -> Span:
    """The sentence that shares most of its rarer words with what is said where the place is cited."""
    wanted = Counter(word for word in _folded(said) if len(word) > 3)

    def likeness(sentence: Span) -> float:
        own = {word for word in _folded(sentence.of(text)) if len(word) > 3}
        return sum(wanted[word] for word in own) / (len(own) + 6)

    return max(inside, key=lambda each: (likeness(each), -each.start))


def _folded(text: str) -> list[str]:
    return [match.group().casefold() for match in _WORD.finditer(text)]


def _plain(text: str) -> str:
    """The text, as long as it was, with straight quotation marks and plain spaces."""
    for sign, plain in (
        ("’", "'"),
        ("‘", "'"),
        ("“", '"'),
        ("”", '"'),
        ("\n", " "),
        ("\r", " "),
        ("\xa0", " "),
    ):
        text = text.replace(sign, plain)
    return text


def _find(plain: str, quote: str) -> int | None:
    """Where a run of a quotation stands in a plain text; None if nowhere."""
    wanted = _plain(quote)
    for first in range(0, max(1, len(wanted) - _PROBE + 1), _PROBE):
        at = plain.find(wanted[first : first + _PROBE])
        if at >= 0:
            return at
    return None
