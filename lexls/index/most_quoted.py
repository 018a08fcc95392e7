"""Find the passage of an authority that other documents cite most."""

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
from lexls.index.records import MostQuoted, Place
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span

MOST_CITATIONS = 2000
"""Maximum number of citations considered for an authority."""
MOST_QUOTATIONS = 40
MOST_SENTENCES = 10
"""Maximum numbers of quotations and of citing sentences that are read, since reading them takes most of the
time.
"""
LONGEST = 600
"""Maximum length of the words shown, in code points."""
_WORD = re.compile(r"[^\W_]+")
_BEFORE = 300
"""Number of code points before a citation that are assumed to say what it is cited for."""
_AROUND = 1000
"""Number of code points on each side of a quotation that are searched for its sentence."""
_PROBE = 36
"""Length in code points of the pieces into which a quotation is cut to search for it."""


@dataclass(frozen=True, slots=True)
class _Edge:
    """A citation of the document: the citing document, the offset, the pinpoint and the preceding
    quotation.
    """

    source: int
    start: int
    kind: str
    labels: tuple[str, ...]
    quote: tuple[int, int]


def find_most_quoted(
    connection: apsw.Connection,
    keys: Collection[str],
    document: int,
    text: Callable[[], str],
    places: Callable[[Pinpoint], list[Place]],
) -> MostQuoted | None:
    """Return the words of ``document`` that other documents cite most; None if none of them cites a
    particular place in it.

    The place is the one that the pinpoints of most documents name. Within it, the sentence quoted most is
    returned, or else the sentence most similar to what the place is cited for. Without pinpoints, the
    sentence that most documents quote is returned. ``text`` returns the document's text, and ``places`` finds
    what a pinpoint names in it.
    """
    edges = [
        _Edge(source, start, kind, split_labels(pinpoint), (first, last))
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
    sql = "SELECT substr(text, ?, ?) FROM texts WHERE document = ?"
    rows = select(connection, sql, (start + 1, end - start, document))
    return next((str(text) for (text,) in rows), "")


def _quoted(connection: apsw.Connection, edges: Sequence[_Edge], text: str) -> dict[int, set[int]]:
    """Return the offsets in ``text`` of the words that other documents quote before their citations, each
    with the documents that quote them.
    """
    found: defaultdict[int, set[int]] = defaultdict(set)
    quoting = [each for each in edges if each.quote[1]][:MOST_QUOTATIONS]
    plain = text.translate(_PLAIN) if quoting else ""
    for each in quoting:
        at = _find(plain, _slice(connection, each.source, *each.quote))
        if at is not None:
            found[at].add(each.source)
    return found


def _most_named(
    edges: Sequence[_Edge], places: Callable[[Pinpoint], list[Place]]
) -> tuple[PinpointKind, str, int, Place] | None:
    """Return the pinpoint that most documents give and that can be found: its kind, its label, the number of
    these documents, and its place.
    """
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
    inside = (span.shift(start) for span in cut_sentences(text[start:end]) if len(span) > 20)
    return [span for span in inside if not text.startswith("#", span.start)]


def _most_like(text: str, inside: Sequence[Span], said: str) -> Span:
    """Return the sentence most similar, by the longer words they share, to the text before the citations of
    the place.
    """
    wanted = Counter(_long_words(said))

    def similarity(sentence: Span) -> float:
        own = set(_long_words(sentence.of(text)))
        return sum(wanted[word] for word in own) / (len(own) + 6)

    return max(inside, key=lambda each: (similarity(each), -each.start))


def _long_words(text: str) -> list[str]:
    return [word for match in _WORD.finditer(text) if len(word := match[0].casefold()) > 3]


_PLAIN = str.maketrans("’‘“”\n\r\xa0", "''\"\"   ")

"""Translation table to straight quotation marks and plain spaces; it keeps the text's length."""


def _find(plain: str, quote: str) -> int | None:
    """Return the offset in ``plain`` of the first piece of a quotation that occurs there; None if no piece
    does.
    """
    wanted = quote.translate(_PLAIN)
    firsts = range(0, max(1, len(wanted) - _PROBE + 1), _PROBE)
    found = (plain.find(wanted[first : first + _PROBE]) for first in firsts)
    return next((at for at in found if at >= 0), None)


def split_labels(joined: str) -> tuple[str, ...]:
    """Split the labels of a pinpoint, as stored in the table of citations."""
    return tuple(joined.split("\n")) if joined else ()
