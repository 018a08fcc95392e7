"""Read the citations of a changing text without rereading unchanged paragraphs.

Resolved short forms that an edit cannot affect are reused.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import overload

from lexls.citations.definitions import Terms
from lexls.citations.footnotes import Footnotes, ReadingOrder, find_reading_order
from lexls.citations.found_mentions import CitedParagraph, FoundMentions
from lexls.citations.model import Citation, KeyedCitations, Pinpoint
from lexls.citations.paragraph import Finders, ParagraphReader
from lexls.citations.resolve import resolve
from lexls.citations.steps import FullStep, MentionStep, NamedStep, Resolved
from lexls.text.memory import Memory
from lexls.text.spans import Span

_NO_NOTES: Mapping[str, Span] = MappingProxyType({})
_NO_MARKS: Mapping[str, int] = MappingProxyType({})
_NO_KEYS: Mapping[int, KeyedCitations] = MappingProxyType({})


class Citations(Sequence[Citation]):
    """The citations of a text in order, with spans of that text. Each is built on first access.

    Attributes
    ----------
    pieces: the text's paragraphs; together they are the text.
    starts: the offset of each piece in the text.
    firsts: the index of each piece's first citation among all (of the next citation, if it has none).
    """

    __slots__ = ("_antecedents", "_keys", "_made", "firsts", "pieces", "starts")

    def __init__(
        self, pieces: Sequence[CitedParagraph], starts: tuple[int, ...], antecedents: tuple[int, ...]
    ) -> None:
        """``antecedents`` has the index of each citation's antecedent, or -1."""
        self.pieces = tuple(pieces)
        self.starts = starts
        self.firsts = tuple(accumulate((len(piece.citations) for piece in pieces), initial=0))[:-1]
        self._antecedents = antecedents
        self._made: dict[int, Citation] = {}
        self._keys: frozenset[str] | None = None

    def __len__(self) -> int:
        return len(self._antecedents)

    @overload
    def __getitem__(self, index: int) -> Citation: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Citation, ...]: ...
    def __getitem__(self, index: int | slice) -> Citation | tuple[Citation, ...]:
        if isinstance(index, slice):
            return tuple(self._at(place) for place in range(*index.indices(len(self._antecedents))))
        place = index + len(self._antecedents) if index < 0 else index
        if not 0 <= place < len(self._antecedents):
            raise IndexError(index)
        return self._at(place)

    def __iter__(self) -> Iterator[Citation]:
        made = self._made
        for number, piece in enumerate(self.pieces):
            if piece.citations:
                first = self.firsts[number]
                for local in range(len(piece.citations)):
                    yield made.get(first + local) or self._make(number, local)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Citations | tuple | list):
            return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Citations({list(self)!r})"

    def between(self, start: int, end: int) -> list[Citation]:
        """Return the citations that share a code point with ``[start, end)``, without building others."""
        found = []
        first = max(0, bisect_right(self.starts, start) - 1)
        for number in range(first, bisect_left(self.starts, end)):
            piece, shift = self.pieces[number], self.starts[number]
            low = bisect_right(piece.reaches, start - shift)
            high = bisect_left(piece.citations, end - shift, key=lambda each: each.span.start)
            for local in range(low, high):
                if piece.citations[local].span.end + shift > start:
                    found.append(self._at(self.firsts[number] + local))
        return found

    def cites_record(self, start: int, end: int) -> bool:
        """Return whether a paper of the record is cited by its name in the range ``[start, end)``."""
        first = max(0, bisect_right(self.starts, start) - 1)
        return any(
            start <= self.starts[number] + each.span.start < end
            for number in range(first, bisect_left(self.starts, end))
            for each in self.pieces[number].papers
        )

    def around(self, offset: int, most: int) -> tuple[Citation, ...]:
        """Return up to ``most`` citations before the first citation in the piece at ``offset``, and up to
        ``most`` from that one on. No others are built.
        """
        middle = self.firsts[max(0, bisect_right(self.starts, offset) - 1)] if self.firsts else 0
        return self[max(0, middle - most) : middle + most]

    def choose(self, numbers: Sequence[int]) -> Citations:
        """Return the citations of some pieces, in order, as if these pieces were the whole text.

        A citation whose antecedent is in another piece keeps its key but has no antecedent here.
        """
        pieces = [self.pieces[number] for number in numbers]
        kept = [
            self.firsts[number] + local
            for number, piece in zip(numbers, pieces, strict=True)
            for local in range(len(piece.citations))
        ]
        places = {place: at for at, place in enumerate(kept)}
        antecedents = tuple(places.get(self._antecedents[place], -1) for place in kept)
        return Citations(pieces, _starts([piece.text for piece in pieces]), antecedents)

    def list_antecedents(self) -> Iterator[tuple[int, int]]:
        """Yield the index of each short form together with the index of its antecedent, without building
        citations.
        """
        return ((place, full) for place, full in enumerate(self._antecedents) if full >= 0)

    def list_pieces(self) -> Sequence[int]:
        """Return, for each citation, the number of the piece that contains it."""
        return [number for number, piece in enumerate(self.pieces) for _ in piece.citations]

    def stand_as(self, other: Citations) -> bool:
        """Return whether two readings have the same number of citations in each piece, and the same
        antecedents.
        """
        return self.firsts == other.firsts and self._antecedents == other._antecedents

    def keys(self) -> frozenset[str]:
        """Return the key of every cited authority, without building citation objects."""
        if self._keys is None:
            self._keys = frozenset().union(*(piece.keys for piece in self.pieces if piece.citations))
        return self._keys

    def of(self, keys: frozenset[str]) -> Iterator[Citation]:
        """Yield the citations that have one of these keys, in order, without building others."""
        for number, piece in enumerate(self.pieces):
            if not keys.isdisjoint(piece.keys):
                for local, citation in enumerate(piece.citations):
                    if citation.key in keys:
                        yield self._at(self.firsts[number] + local)

    def in_piece(self, number: int) -> list[Citation]:
        """Return the citations of piece number ``number``, with spans of the text."""
        first = self.firsts[number]
        return [self._at(first + local) for local in range(len(self.pieces[number].citations))]

    def place_of(self, citation: Citation) -> int:
        """Return the index of a citation among these, or -1 if it is not one of them."""
        number = bisect_right(self.starts, citation.span.start) - 1
        if number < 0:
            return -1
        here, start = self.pieces[number].citations, citation.span.start - self.starts[number]
        local = bisect_left(here, start, key=lambda each: each.span.start)
        place = self.firsts[number] + local
        return place if local < len(here) and self._at(place) == citation else -1

    def _at(self, place: int) -> Citation:
        made = self._made.get(place)
        if made is None:
            number = bisect_right(self.firsts, place) - 1
            made = self._make(number, place - self.firsts[number])
        return made

    def _make(self, number: int, local: int) -> Citation:
        first = self.firsts[number]
        antecedent = self._antecedents[first + local]
        made = _moved(self.pieces[number].citations[local], self.starts[number], first, antecedent)
        # Another thread may have built it meanwhile; all must get the same object, since identity matters.
        return self._made.setdefault(first + local, made)


def _moved(citation: Citation, start: int, first: int, antecedent: int) -> Citation:
    """Convert a citation of a piece to a citation of the text; ``first`` is the index of the piece's first
    citation.
    """
    pinpoint = citation.pinpoint
    if pinpoint is not None:
        pinpoint = Pinpoint(pinpoint.kind, pinpoint.labels, pinpoint.span.shift(start), pinpoint.notes)
    return Citation(
        citation.span.shift(start),
        citation.core.shift(start),
        citation.text,
        citation.kind,
        citation.form,
        citation.jurisdiction,
        citation.key,
        citation.name,
        citation.year,
        pinpoint,
        citation.group + first if citation.group else 0,
        antecedent if antecedent >= 0 else None,
        citation.ambiguous,
        citation.unread,
        citation.papers,
    )


def _starts(pieces: Sequence[str]) -> tuple[int, ...]:
    return tuple(accumulate(map(len, pieces), initial=0))[:-1]


class CitationReader:
    """Reads one text repeatedly as it changes; results do not depend on earlier readings.

    The mentions in a paragraph are cached by its text; only the antecedents of short forms are resolved
    again. Not thread-safe.
    """

    def __init__(self, finders: Finders) -> None:
        self._finders = finders
        self._known = Memory[str | tuple[str, KeyedCitations], ParagraphReader]()
        self._no_terms = Terms()
        self._last: tuple[ResolvedText, list[CitedParagraph]] | None = None

    def read(
        self,
        pieces: Sequence[str],
        notes: Mapping[str, Span] = _NO_NOTES,
        keyed: Mapping[int, KeyedCitations] = _NO_KEYS,
        *,
        marks: Mapping[str, int] = _NO_MARKS,
    ) -> Citations:
        """Return the citations of a masked text.

        ``pieces`` are the text's paragraphs in order, including the text between them, so that together they
        are the whole text. No unit (a name, a list of sections) may span two pieces. ``notes`` maps footnote
        numbers as written ("3") to the spans of their text, in printed order, for short forms that refer to
        them. If a footnote's text is in separate pieces, ``marks`` gives the offset of its mark. The footnote
        is then read as if its text were at that mark. ``keyed`` maps piece numbers to the pieces' citations
        by key, which are not in the text.
        """
        starts = _starts(pieces)
        order = find_reading_order(starts, notes, marks)
        found = self._found(pieces, keyed, order)
        before = self._last
        now = resolve_text(found, starts, notes, order, before[0] if before is not None else None)
        if before is not None and now.carried:
            was, same = before[0].found, before[1]
            made = [
                piece if each is old else each.piece(how)
                for each, old, piece, how in zip(found, was, same, now.resolved, strict=True)
            ]
        else:
            made = [each.piece(how) for each, how in zip(found, now.resolved, strict=True)]
        self._last = now, made
        return Citations(made, starts, now.antecedents)

    def read_once(self, pieces: Sequence[str]) -> list[Citation]:
        """Return the citations of a text that will not be read again, without caching anything for another
        reading.
        """
        starts = _starts(pieces)
        order = find_reading_order(starts, _NO_NOTES, _NO_MARKS)
        found = self._found(pieces, _NO_KEYS, order, again=False)
        self._known.forget()
        now = resolve_text(found, starts, _NO_NOTES, order)
        made: list[Citation] = []
        for each, how, start in zip(found, now.resolved, starts, strict=True):
            each.steps = ()  # for a long text, they take more memory than the citations built next
            made.extend(each.citations(how, start, now.antecedents, len(made)))
        return made

    def _found(
        self,
        pieces: Sequence[str],
        keyed: Mapping[int, KeyedCitations],
        order: ReadingOrder,
        *,
        again: bool = True,
    ) -> list[FoundMentions]:
        """Return the mentions found in each piece. A defined term applies to the pieces read after it."""
        known, finders = self._known, self._finders
        paragraphs: list[ParagraphReader] = []
        for number, text in enumerate(pieces):
            own = keyed.get(number)
            name = text if own is None else (text, own)
            paragraphs.append(known.get(name) or known.keep(name, ParagraphReader(text, finders, own)))
        known.sweep()
        votes = dict(finders.preferences)
        if any(paragraph.open for paragraph in paragraphs):
            for paragraph in paragraphs:
                for place in paragraph.votes:
                    votes[place] = votes.get(place, 0) + 1
        terms = self._no_terms
        found: dict[int, FoundMentions] = {}
        last = {} if again else {paragraph: number for number, paragraph in enumerate(paragraphs)}
        for number in order.paragraphs:
            if number in found:
                continue
            each = paragraphs[number].read(votes, terms, again=last.get(paragraphs[number]) != number)
            found[number] = each
            if each.terms:
                terms = terms.then(each.terms)
        return [found[number] for number in range(len(pieces))]


_FEW = 8
"""Maximum number of paragraphs that an edit may change for earlier resolutions to be reused."""


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """The reading of each mention by paragraph, and the antecedent of each citation (-1: none).

    ``asked`` are the words of names that were looked up in earlier paragraphs. ``carried`` is true if
    everything was copied from before an edit, except the readings of changed paragraphs.
    """

    found: Sequence[FoundMentions]
    notes: Footnotes
    resolved: tuple[tuple[Resolved | None, ...], ...]
    antecedents: tuple[int, ...]
    asked: frozenset[str]
    carried: bool = False


def resolve_text(
    found: Sequence[FoundMentions],
    starts: Sequence[int],
    notes: Mapping[str, Span],
    order: ReadingOrder,
    before: ResolvedText | None = None,
) -> ResolvedText:
    """Resolve the mentions of a text.

    ``starts`` are the offsets of its paragraphs, ``notes`` the spans of its footnotes by number, and
    ``order`` is the reading order. ``before`` is the resolution before an edit; it is reused if the edit does
    not affect it.
    """
    footnotes = Footnotes(found, starts, notes, order)
    carried = _carried(before, found, footnotes) if before is not None else None
    if carried is not None:
        return carried
    return ResolvedText(found, footnotes, *resolve(found, footnotes), frozenset(footnotes.asked))


def _carried(before: ResolvedText, found: Sequence[FoundMentions], notes: Footnotes) -> ResolvedText | None:
    """Return the resolution before an edit, with the changed paragraphs updated. Return None if the edit may
    change how anything is resolved.
    """
    if len(found) != len(before.found):
        return None
    changed = [number for number, new in enumerate(found) if new is not before.found[number]]
    if len(changed) > _FEW or not notes.alike(before.notes, frozenset(changed)):
        return None
    resolved = list(before.resolved)
    for number in changed:
        old, new = before.found[number], found[number]
        if old.effect is None or old.effect != new.effect:
            return None
        if any(word in old.words or word in new.words for word in before.asked):
            return None
        how = _again(before.resolved[number], old, new)
        if how is None:
            return None
        resolved[number] = how
    return ResolvedText(found, notes, tuple(resolved), before.antecedents, before.asked, carried=True)


def _again(
    resolved: Sequence[Resolved | None], old: FoundMentions, new: FoundMentions
) -> tuple[Resolved | None, ...] | None:
    """Return readings for a changed paragraph that are equivalent to its earlier ones, or None if they may
    differ.
    """
    again: list[Resolved | None] = [None] * len(resolved)
    for one, other in zip(old.steps, new.steps, strict=True):
        if not isinstance(one, MentionStep) or not isinstance(other, MentionStep):
            continue
        each = resolved[one.around.place]
        if each is None:
            continue
        if isinstance(one, FullStep) and isinstance(other, FullStep) and each is one.plain:
            each = other.plain
        elif each.form == "supra" and each.source is None:
            return None
        elif each.tail is not None and isinstance(one, NamedStep) and isinstance(other, NamedStep):
            each = each._replace(tail=other.tails[one.tails.index(each.tail)])
        again[other.around.place] = each
    return tuple(again)
