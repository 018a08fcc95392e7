"""What local checks found in a draft's paragraphs, kept while the paragraphs stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexls.features.checks.problem import Problem
from lexls.features.draft import Draft
from lexls.text.spans import Span

_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class State:
    """What local checks depend on besides the paragraph: the library's state, and what is looked for."""

    generation: int
    complete: bool
    wanted: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Kept:
    """A problem whose spans of the draft count from the beginnings of blocks.

    ``anchors`` has for each of its spans which of the blocks that it was kept with.
    """

    problem: Problem
    anchors: tuple[int, ...]


class Memory:
    """The findings of one draft's last version. For one thread at a time.

    A paragraph is known by its block and its piece of the citations, which stay the same objects while
    neither its text nor what its short forms stand for changes; so are the footnotes it refers to.
    """

    def __init__(self) -> None:
        self._state: State | None = None
        self._found: dict[_Key, tuple[_Kept, ...]] = {}
        self._now: dict[_Key, tuple[_Kept, ...]] = {}

    def begin(self, state: State) -> None:
        """A check of a version begins; what was found in another state counts no longer."""
        if state != self._state:
            self._state = state
            self._found = {}
        self._now = {}

    def end(self) -> None:
        """The check is done: what belongs to no paragraph of this version is forgotten."""
        self._found, self._now = self._now, {}

    def recall(self, draft: Draft, places: Sequence[int]) -> Sequence[Problem] | None:
        """What was found in the block at the first of ``places``, whose footnotes are the others."""
        key = _key(draft, places)
        known = self._found.get(key)
        if known is None:
            return None
        self._now[key] = known
        return [_restored(each, draft, places) for each in known] if known else ()

    def keep(self, draft: Draft, places: Sequence[int], found: Sequence[Problem]) -> Sequence[Problem]:
        """Remember what was found there; gives it back."""
        kept = [_anchored(each, draft, places) for each in found]
        sure = tuple(each for each in kept if each is not None)
        if len(sure) == len(found):
            key = _key(draft, places)
            self._found[key] = self._now[key] = sure
        return found


def _key(draft: Draft, places: Sequence[int]) -> _Key:
    pieces = draft.citations.pieces
    if len(places) == 1:
        return draft.blocks[places[0]], pieces[places[0]]
    return tuple(each for place in places for each in (draft.blocks[place], pieces[place]))


def _anchored(problem: Problem, draft: Draft, places: Sequence[int]) -> _Kept | None:
    """The problem by the beginnings of its blocks; None if a span of it lies in none of them."""
    anchors = []
    spans = []
    for span in problem.spans:
        for anchor, place in enumerate(places):
            start = draft.starts[place]
            if start <= span.start <= span.end <= start + len(draft.blocks[place].source):
                anchors.append(anchor)
                spans.append(span.shift(-start))
                break
        else:
            return None
    return _Kept(problem.at(spans), tuple(anchors))


def _restored(kept: _Kept, draft: Draft, places: Sequence[int]) -> Problem:
    spans: list[Span] = []
    for span, anchor in zip(kept.problem.spans, kept.anchors, strict=True):
        spans.append(span.shift(draft.starts[places[anchor]]))
    return kept.problem.at(spans)
