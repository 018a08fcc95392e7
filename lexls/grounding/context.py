"""Collect the evidence for an answer: passages, and as much of their context as fits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Literal, get_args

from lexls.grounding.evidence import Evidence, find_roles, find_segments
from lexls.index.records import Authority, PassageRecord, Place
from lexls.library.document import Block
from lexls.retrieval.relevance import Tokens, find_terms, score_by_bm25, weigh
from lexls.text.spans import Span
from lexls.wording.prose import complete_sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.retrieval.cited_for import CitedFor
    from lexls.retrieval.model import Hit
    from lexls.text.cancel import CancelToken


ContextWidth = Literal["support", "neighbours", "section", "full"]
"""Values of the setting ``explain.context``: the passages alone; with the adjacent paragraphs; with their
section; or with the whole document and sentences from other documents that cite it for the same
proposition.
"""

PASSAGES_OF_ONE = 12
"""Maximum number of passages read from a single authority, in addition to those of the pinpoint."""
CASES = 2
"""Maximum number of citing sentences added for each authority."""
_PARENT: Mapping[str, ParentWidth] = {
    "support": "passage",
    "neighbours": "neighbours",
    "section": "section",
    "full": "section",
}


@dataclass(slots=True)
class _Piece:
    """A segment of a document used as evidence. ``core`` is the span of its best passage.

    If ``widen`` is true, surrounding text may be added.
    """

    authority: Authority
    span: Span
    core: Span
    rank: int
    widen: bool


def gather_evidence(
    library: SearchableIndex,
    hits: Sequence[Hit],
    width: ContextWidth,
    limit_chars: int,
    most: int,
    *,
    cited: Mapping[int, CitedFor] | None = None,
    token: CancelToken | None = None,
) -> tuple[Evidence, ...]:
    """Return the best ``most`` of ``hits`` as evidence, best first, each with its context.

    ``hits`` may contain several passages of one authority (see ``find_relevant_passages``). The total is
    limited to ``limit_chars`` characters, allotted first to the passages and then to their context, best
    first. Overlapping or adjacent pieces are merged. With width "full", sentences from ``cited`` that cite
    these authorities for the same proposition are added, taken from the citing documents. Sentences cut at
    the edge of a passage are completed. Raises ``Cancelled``.
    """
    gatherer = _Gatherer(library, width, limit_chars, token)
    for hit in hits[:most]:
        gatherer.take(hit.authority, Span(hit.passage.start, hit.passage.end))
    if width == "full" and cited is not None:
        for authority in dict.fromkeys(hit.authority.id for hit in hits[:most]):
            if authority in cited:
                gatherer.take_cases(cited[authority])
    gatherer.widen()
    return gatherer.evidence(())


def gather_from_authority(
    library: SearchableIndex,
    authority: Authority,
    proposition: str,
    tokens: Tokens,
    width: ContextWidth,
    limit_chars: int,
    *,
    places: Sequence[Place] = (),
    most: int = PASSAGES_OF_ONE,
    vector: NDArray[np.float32] | None = None,
    cited: CitedFor | None = None,
    token: CancelToken | None = None,
) -> tuple[Evidence, ...]:
    """Return what one authority says about ``proposition``, as evidence.

    The citation's ``places`` come first, then up to ``most`` passages that share the most words with the
    proposition. If ``vector`` (the proposition's) is given, the most similar passages are included. Then
    context is added: with width "full", the whole authority if ``limit_chars`` allows, and the sentences in
    ``cited``. In all other respects it works like ``gather_evidence``. Raises ``Cancelled``.
    """
    gatherer = _Gatherer(library, width, limit_chars, token)
    passages = library.contents.passages(authority.id)
    ranked = _ranked(passages, proposition, tokens)
    for place in places:
        gatherer.take_place(authority, place, passages, ranked)
    chosen = ranked[:most]
    if vector is not None and passages:
        found, _ = library.nearest(vector, max(1, most // 3), frozenset({authority.id}), token)
        by_id = {each.id: each for each in passages}
        near = [by_id[int(each)] for each in found if int(each) in by_id]
        chosen = chosen[: most - len(near)] + near
    for passage in chosen:
        gatherer.take(authority, Span(passage.start, passage.end))
    if width == "full" and cited is not None:
        gatherer.take_cases(cited)
    gatherer.widen()
    return gatherer.evidence(places)


def _ranked(passages: Sequence[PassageRecord], proposition: str, tokens: Tokens) -> list[PassageRecord]:
    """Return the passages that share words with the proposition, ranked by BM25 with the given passages as
    the whole collection.
    """
    asked = find_terms(proposition, tokens)
    counts = [Counter(tokens(passage.text)) for passage in passages]
    scores = score_by_bm25(weigh(asked, counts), counts)
    order = sorted(range(len(scores)), key=lambda number: -scores[number])
    return [passages[number] for number in order if scores[number] > 0]


class _Gatherer:
    """Collects pieces of documents up to a total length."""

    def __init__(
        self, library: SearchableIndex, width: ContextWidth, limit: int, token: CancelToken | None
    ) -> None:
        if width not in _PARENT:
            raise ValueError(f"unknown width {width!r}: give one of {', '.join(_PARENT)}")
        self._library = library
        self._width = width
        self._limit = limit
        self._token = token
        self._pieces: list[_Piece] = []

    def take(self, authority: Authority, span: Span, *, widen: bool = True) -> None:
        """Add ``span`` if it fits, extended to whole sentences if possible. The first piece is cut to fit."""
        if self._token is not None:
            self._token.raise_if_cancelled()
        text = self._library.contents.text(authority.id)
        whole = complete_sentences(text, Span(max(0, span.start), min(span.end, len(text))))
        if not whole.of(text).strip():
            return
        for candidate in (whole, span):
            if self._length_with(authority, candidate) <= self._limit:
                self._pieces.append(_Piece(authority, candidate, span, len(self._pieces), widen))
                return
        if not self._pieces and self._limit > 0:
            cut = Span(span.start, span.start + self._limit)
            self._pieces.append(_Piece(authority, cut, cut, 0, widen=False))

    def take_place(
        self,
        authority: Authority,
        place: Place,
        passages: Sequence[PassageRecord],
        ranked: Sequence[PassageRecord],
    ) -> None:
        """Add a pinpoint's text. If it is too long, add its best passages or, if none has the proposition's
        words, all its passages.
        """
        span = Span(place.start, place.end)
        if len(span) <= self._limit // 2:
            self.take(authority, span)
            return
        inside, first = (
            [each for each in found if each.start < place.end and place.start < each.end]
            for found in (ranked, passages)
        )
        for passage in inside or first:
            self.take(authority, Span(passage.start, passage.end))

    def take_cases(self, cited: CitedFor) -> None:
        """Add sentences from other documents that cite an authority for the same proposition."""
        for precedent in cited.precedents[:CASES]:
            citing = self._library.catalogue.get(precedent.citing)
            if citing is not None:
                self.take(citing, Span(precedent.start, precedent.end), widen=False)

    def widen(self) -> None:
        """Add context to the pieces, best first."""
        if self._width == "support":
            return
        for piece in [each for each in self._pieces if each.widen]:
            if self._token is not None:
                self._token.raise_if_cancelled()
            piece.span = self._widened(piece)

    def evidence(self, places: Sequence[Place]) -> tuple[Evidence, ...]:
        """Return the pieces as evidence, best first. ``places`` are the pinpoint's places."""
        of_one: defaultdict[int, list[_Piece]] = defaultdict(list)
        for piece in self._pieces:
            of_one[piece.authority.id].append(piece)
        texts = {authority: self._library.contents.text(authority) for authority in of_one}
        merged = chain.from_iterable(_merged(each, texts[authority]) for authority, each in of_one.items())
        return tuple(
            Evidence(
                identifier=f"P{number}",
                authority=piece.authority,
                start=piece.span.start,
                end=piece.span.end,
                text=piece.span.of(texts[piece.authority.id]),
                segments=find_segments(self._library, piece.authority.id, piece.span, places),
                core=(piece.core.start, piece.core.end),
                roles=find_roles(self._library, piece.authority.id, piece.span),
            )
            for number, piece in enumerate(sorted(merged, key=lambda each: each.rank), 1)
        )

    def _length_with(self, authority: Authority, span: Span) -> int:
        """Return the total length of all pieces and ``span`` in code points, counting overlaps once."""
        spans = defaultdict(list, {authority.id: [span]})
        for each in self._pieces:
            spans[each.authority.id].append(each.span)
        return sum(_covered(each, self._library.contents.text(document)) for document, each in spans.items())

    def _widened(self, piece: _Piece) -> Span:
        document = piece.authority.id
        text = self._library.contents.text(document)
        used = self._length_with(piece.authority, piece.span)
        room = len(piece.span) + max(0, self._limit - used)
        if self._width == "full" and self._length_with(piece.authority, Span(0, len(text))) <= self._limit:
            return Span(0, len(text))
        most = room if self._width in ("section", "full") else min(room, MAX_CONTEXT)
        outline = self._library.contents.outline(document)
        wide = find_parent(outline, len(text), piece.span.start, piece.span.end, _PARENT[self._width], most)
        if len(wide) >= most:
            wide = self._at_passages(document, wide, piece.span)
        whole = complete_sentences(text, wide)
        return whole if self._length_with(piece.authority, whole) <= self._limit else wide

    def _at_passages(self, document: int, wide: Span, core: Span) -> Span:
        """Return ``wide``, which was cut to fit, reduced to the boundaries of the passages inside it. The
        result always includes ``core``.
        """
        inside = [
            each
            for each in self._library.contents.passages(document)
            if each.start >= wide.start and each.end <= wide.end
        ]
        start = min((each.start for each in inside if each.start <= core.start), default=core.start)
        end = max((each.end for each in inside if each.end >= core.end), default=core.end)
        return Span(start, end)


def _covered(spans: Sequence[Span], text: str) -> int:
    """Return the number of code points covered by ``spans``. Spans separated only by whitespace count as
    joined.
    """
    length = reach = 0
    for span in sorted(spans):
        touches = reach and span.start > reach and not text[reach : span.start].strip()
        length += max(0, span.end - (reach if touches else max(span.start, reach)))
        reach = max(reach, span.end)
    return length


def _merged(pieces: Sequence[_Piece], text: str) -> list[_Piece]:
    """Merge pieces of one document that overlap or are separated only by whitespace."""
    found: list[_Piece] = []
    for piece in sorted(pieces, key=lambda each: each.span):
        if found and not text[found[-1].span.end : piece.span.start].strip():
            last = found.pop()
            span = Span(last.span.start, max(last.span.end, piece.span.end))
            piece = replace(min(last, piece, key=lambda each: each.rank), span=span)
        found.append(piece)
    return found


ParentWidth = Literal["passage", "paragraph", "neighbours", "section"]
"""How much of a document is shown with a passage: the passage itself; its whole numbered paragraph or section
(with subsections); the same with its neighbours before and after it under the same heading; or everything
under its heading, including the heading.
"""

MAX_CONTEXT = 12_000
"""Maximum length of a context in characters. A longer one is cut to the text nearest to the passage."""


def find_parent(
    blocks: Sequence[Block], length: int, start: int, end: int, width: ParentWidth, limit: int = MAX_CONTEXT
) -> Span:
    """Return the context of the passage ``[start, end)`` in a document with these ``blocks``
    (``Library.outline``).

    ``length`` is the document's length. ``limit`` is the maximum number of code points returned, but the
    passage itself is never cut. If no blocks cover the passage, only the passage is returned. Raises
    ``ValueError`` for an unknown width.
    """
    if width not in get_args(ParentWidth):
        raise ValueError(f"unknown width {width!r}: give one of {', '.join(get_args(ParentWidth))}")
    passage = Span(max(0, start), min(end, length))
    touched = [number for number, block in enumerate(blocks) if block.start < end and start < block.end]
    if width == "passage" or not touched:
        return passage
    # A passage may begin with the headings above its first paragraph; its context is that of the paragraph.
    text = [number for number in touched if blocks[number].kind != "heading"] or touched
    first, last = _unit(blocks, text[0], text[-1])
    if width == "neighbours":
        first, last = _widened(blocks, first, last)
    elif width == "section":
        first, last = _under_heading(blocks, first, last)
    whole = Span(min(blocks[first].start, passage.start), max(blocks[last].end, passage.end))
    return _limited(whole, passage, limit)


def _unit(blocks: Sequence[Block], first: int, last: int) -> tuple[int, int]:
    """Return the first and last block of the numbered paragraph, section or plain text that contains these
    blocks.
    """
    while first > 0 and _continues(blocks[first - 1], blocks[first]):
        first -= 1
    while last + 1 < len(blocks) and _continues(blocks[last], blocks[last + 1]):
        last += 1
    return first, last


def _continues(before: Block, block: Block) -> bool:
    """Return whether ``block`` belongs to the same paragraph or section as ``before``."""
    if "heading" in (before.kind, block.kind):
        return False
    if block.kind == "section":
        return before.kind == "section" and block.level > 1
    # Unnumbered text after a numbered paragraph or a section continues it: a quotation, a table, a proviso.
    return block.kind == "text" and before.kind in ("paragraph", "section")


def _widened(blocks: Sequence[Block], first: int, last: int) -> tuple[int, int]:
    """Extend the range by one paragraph or section on each side, unless a heading intervenes."""
    if first > 0 and blocks[first - 1].kind != "heading":
        first, _ = _unit(blocks, first - 1, first - 1)
    if last + 1 < len(blocks) and blocks[last + 1].kind != "heading":
        _, last = _unit(blocks, last + 1, last + 1)
    return first, last


def _under_heading(blocks: Sequence[Block], first: int, last: int) -> tuple[int, int]:
    """Extend the range from the heading above it to the next heading of the same or a higher level."""
    while first > 0 and blocks[first].kind != "heading":
        first -= 1
    level = blocks[first].level if blocks[first].kind == "heading" else 0
    while last + 1 < len(blocks):
        following = blocks[last + 1]
        if following.kind == "heading" and following.level <= max(level, 1):
            break
        last += 1
    return first, last


def _limited(whole: Span, passage: Span, limit: int) -> Span:
    """Return ``whole`` cut to ``limit``, with the passage as close to the middle as possible."""
    room = max(limit, len(passage))
    if len(whole) <= room:
        return whole
    before = min(passage.start - whole.start, (room - len(passage)) // 2)
    end = min(whole.end, passage.start - before + room)
    return Span(max(whole.start, end - room), end)
