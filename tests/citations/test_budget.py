"""A paragraph that takes longer than its budget is read in part, and said to be so."""

from __future__ import annotations

import pytest

from lexls.assessing.rules.unverified import check_read
from lexls.citations import scan
from lexls.citations.grammar import Grammar
from lexls.citations.scan import Budget, read_within
from lexls.index.library import Library
from lexls.reading.draft_block import LONGEST_PARAGRAPH
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.format import Format
from lexls.text.formats import FORMATS, PLAIN

LONG = "".join(f"Fern v Elm [2014] UKSC {number}; " for number in range(1, 200))
TEXT = f"See Fern v Elm [2014] UKSC 1.\n\n{LONG}\n\nSee Rye v Oat [2015] UKSC 2."


class CountedBudget(Budget):
    """A budget of steps, so that no clock decides."""

    __slots__ = ("_left",)

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self._left = 100

    def step(self) -> bool:
        self._left -= 1
        self.is_spent = self.is_spent or self._left < 0
        return not self.is_spent


@pytest.mark.parametrize("place", ["UK", ""])
def test_a_paragraph_past_its_budget_is_read_in_part(
    monkeypatch: pytest.MonkeyPatch, sample_index: object, place: str
) -> None:
    monkeypatch.setattr(scan, "Budget", CountedBudget)
    grammar = Grammar.load()
    draft = DraftParser(grammar, place).parse("file:///x", TEXT, PLAIN)
    pieces = draft.citations.pieces
    assert [each.is_whole for each in pieces] == [True, False, True]
    assert 0 < len(pieces[1].citations) < 199
    assert [citation.key for citation in pieces[2].citations] == ["[2015] UKSC 2"]
    library = Library(sample_index)  # type: ignore[arg-type]
    snapshot = Snapshot(draft, library, Searcher(library, grammar=grammar), Settings())
    (problem,) = check_read(snapshot, CancelToken())
    assert problem.span.of(TEXT) == LONG.strip()
    assert problem.code == "not-fully-read"


def test_what_is_read_in_time_is_whole() -> None:
    draft = DraftParser(Grammar.load(), "UK").parse("file:///x", TEXT, PLAIN)
    assert all(each.is_whole for each in draft.citations.pieces)
    assert len(draft.citations.pieces[1].citations) == 199


def test_a_budget_that_is_spent_stays_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "SECONDS", -1e9)
    spent = Budget(10)
    assert not any(spent.step() for _ in range(100))
    assert spent.is_spent


@pytest.mark.parametrize(("held_up", "is_whole"), [(0, True), (1, True), (2, False)])
def test_a_reading_that_is_held_up_once_is_repeated(
    monkeypatch: pytest.MonkeyPatch, held_up: int, is_whole: bool
) -> None:
    monkeypatch.setattr(scan, "Budget", CountedBudget)
    readings = 0

    def read(allowed: Budget) -> int:
        nonlocal readings
        readings += 1
        steps = 1_000 if readings <= held_up else 10
        return sum(allowed.step() for _ in range(steps))

    found, whole = read_within(5, read)
    assert whole is is_whole
    assert found == (10 if is_whole else 100)
    assert readings == min(held_up, 1) + 1


SENTENCE = "The harbour was closed, see Fern v Elm [2014] UKSC 12 at [3], and nobody asked why. "


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_a_paragraph_without_end_is_read_in_parts(format: Format, sample_index: object) -> None:
    count = 3 * LONGEST_PARAGRAPH // len(SENTENCE)
    text = SENTENCE * count + "\n\nSee Rye v Oat [2015] UKSC 2."
    parser = DraftParser(Grammar.load(), "UK")
    draft = parser.parse("file:///x", text, format)
    assert "".join(block.source for block in draft.blocks) == text
    assert max(len(block.source) for block in draft.blocks) <= LONGEST_PARAGRAPH
    assert len(draft.citations) == count + 1
    library = Library(sample_index)  # type: ignore[arg-type]
    snapshot = Snapshot(draft, library, Searcher(library, grammar=parser.grammar), Settings())
    (problem,) = check_read(snapshot, CancelToken())
    assert problem.span.start == 0
    assert "more than 100,000 characters" in problem.message
    changed = text.replace("12 at [3]", "14 at [3]", 1)
    again, anew = (each.parse("x", changed, format) for each in (parser, DraftParser(parser.grammar, "UK")))
    assert [block.source for block in again.blocks] == [block.source for block in anew.blocks]
    assert again.citations == anew.citations
