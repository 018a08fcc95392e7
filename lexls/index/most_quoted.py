"""The passage of an authority that other documents point at most: what it is cited for."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import cast

import apsw

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.index.connection import select
from lexls.index.graph import labels
from lexls.index.records import MostQuoted, Place
from lexls.text.sentences import sentences
from lexls.text.spans import Span

MOST_CITATIONS = 2000
"""Of an authority cited more often, this many citations decide."""
LONGEST = 600
"""Code points of the words shown."""
_WORD = re.compile(r"[^\W_]+")
_PROBE = 36
"""Code points of a quotation that are looked for at once."""


def most_quoted(
    connection: apsw.Connection,
    keys: Collection[str],
    document: int,
    text: str,
    places: Callable[[Pinpoint], list[Place]],
) -> MostQuoted | None:
    """The words of ``document`` that others point at most; None if nobody points at a place of it.

    The place is the one that most documents' pinpoints name, without pinpoints the sentence that most quote;
    in a place the sentence that is quoted most, else the one most like what it is cited for. ``text`` is
    the document's, ``places`` finds what a pinpoint names in it.
    """
    rows = list(
        select(
            connection,
            """SELECT e.document, e.pinpoint, e.pinpoint_kind,
                      CASE WHEN e.quote_end > 0
                           THEN substr(x.text, e.quote_start + 1, e.quote_end - e.quote_start) ELSE '' END,
                      CASE WHEN e.quote_end = 0 AND e.pinpoint != ''
                           THEN substr(x.text, max(1, e."start" - 299), min(300, e."start")) ELSE '' END
               FROM json_each(?) AS k JOIN edges AS e ON e.key = k.value
               JOIN texts AS x ON x.document = e.document
               WHERE e.document != ? AND (e.pinpoint != '' OR e.quote_end > 0) LIMIT ?""",
            (json.dumps(list(keys)), document, MOST_CITATIONS),
        )
    )
    if not rows:
        return None
    plain = _plain(text) if any(row[3] for row in rows) else ""
    quoted: defaultdict[int, set[int]] = defaultdict(set)
    for source, _, _, quote, _ in rows:
        at = _find(plain, cast(str, quote)) if quote else None
        if at is not None:
            quoted[at].add(cast(int, source))
    place = _most_named(rows, places)
    if place is None:
        return _by_quotations(document, text, quoted)
    kind, label, count, found = place
    said = " ".join(cast(str, row[4]) for row in rows if label in labels(cast(str, row[1])))
    inside = _sentences(text, found.start, found.end)
    if not inside:
        return None
    votes = Counter[Span]()
    for at, sources in quoted.items():
        for sentence in inside:
            if at in sentence:
                votes[sentence] += len(sources)
    best = votes.most_common(1)[0][0] if votes else _most_like(text, inside, said)
    return MostQuoted(document, best.start, min(best.end, best.start + LONGEST), kind, label, count)


def _most_named(
    rows: Sequence[tuple[object, ...]], places: Callable[[Pinpoint], list[Place]]
) -> tuple[PinpointKind, str, int, Place] | None:
    """The place that most documents name: what it is called, how many name it, and where it is."""
    naming: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for source, pinpoint, kind, _, _ in rows:
        for label in labels(cast(str, pinpoint)):
            naming[cast(str, kind), label].add(cast(int, source))
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
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        for sentence in _sentences(text, start, len(text) if end < 0 else end):
            if at in sentence:
                votes[sentence] |= sources
    if not votes:
        return None
    best, by = max(votes.items(), key=lambda each: (len(each[1]), -each[0].start))
    return MostQuoted(document, best.start, min(best.end, best.start + LONGEST), "", "", len(by))


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
