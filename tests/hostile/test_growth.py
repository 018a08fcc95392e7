"""A text that is sixteen times as long may not cost the two hundred and fifty times that a square would."""

from __future__ import annotations

import gc
import re
import tracemalloc
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from growth import (
    FILES,
    JURISDICTION,
    Job,
    Taken,
    Work,
    check,
    cite,
    list_suspects,
    measure,
    read,
    take_seconds,
)
from hostile_texts import HostileText, load_texts

from lexls.assessing.excerpt import list_excerpts
from lexls.assessing.rules.quotations import find_attributions
from lexls.citations.grammar import Grammar
from lexls.citations.known import CasePages
from lexls.index.library import Library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS

SIZES = (2_000, 32_000)
STEEPEST = 64.0
"""How much longer the long text may take: four times what its length explains, a quarter of its square."""
NOTICED = 0.002
"""Processor seconds: what takes less is taken for as much, since so little cannot be measured."""
MOST_SECONDS = 60
PASSAGE, AROUND = 60_000, 1_000_000
DEAREST = 1.5
"""How much more a passage may take between two long texts than alone; measuring errs by a part of that."""
MEASURABLE = 0.2
"""Processor seconds: a passage that takes less alone is taken for as much.

The same long text differs by a tenth of a second from one time to the next. To copy half of it takes a
fifth of a millisecond, so a passage of three thousand pieces for each of which that is done still shows.
"""
MOST_TIMES = 15
"""How often a passage is measured that took more between two long texts, until it took no more."""


def is_steep(taken: Taken) -> bool:
    if len(taken.seconds) < len(SIZES):
        return True
    short, long = (max(each, NOTICED) for each in taken.seconds)
    return long / short > STEEPEST


def list_steep(work: Work) -> list[str]:
    """The texts that are steep: all are tried in one process, those suspected there each in its own."""

    def suspect(text: HostileText) -> bool:
        short, long = SIZES
        taken = take_seconds(work, text.make(long))
        # However little the short one takes, it counts as ``NOTICED``.
        return taken > STEEPEST * NOTICED and is_steep(
            Taken((take_seconds(work, text.make(short)), taken), memory=0)
        )

    suspects = list_suspects(suspect, tuple(load_texts().values()), MOST_SECONDS)
    return [each.name for each in suspects if is_steep(measure(work, each, SIZES, MOST_SECONDS, rounds=3))]


def list_dear(work: Work, texts: Sequence[HostileText]) -> list[str]:
    """The texts for each piece of which all that stands around them is gone through or copied.

    That is done so fast that it shows beside the rest only where the text around is long.
    """
    # A letter of four bytes and a joined line, so that no passage makes all others wider or read once more.
    around = load_texts()["words"].make(AROUND) + " 𝔸\u2028"

    def is_dear(text: HostileText, times: int = 1) -> bool:
        # A busy machine only adds: of each the least is compared, measured in turn, until it is not dear.
        passage = text.make(PASSAGE)
        alone = without = within = float("inf")
        for _ in range(times):
            alone = min(alone, take_seconds(work, passage))
            without = min(without, take_seconds(work, around + around))
            within = min(within, take_seconds(work, f"{around} {passage} {around}"))
            if within - without <= DEAREST * max(MEASURABLE, alone):
                return False
        return True

    suspects = list_suspects(is_dear, texts, MOST_SECONDS)
    dear = list_suspects(partial(is_dear, times=MOST_TIMES), suspects, MOST_SECONDS)
    return [each.name for each in dear]


@pytest.mark.slow
def test_citations_are_found_no_slower_in_a_long_text() -> None:
    assert list_dear(cite(JURISDICTION), tuple(load_texts().values())) == []


def test_a_passage_that_takes_longer_in_a_long_text_is_noticed() -> None:
    def copying(text: str) -> int:
        return sum(len(text[: match.start()]) for match in re.finditer("¶", text))

    texts = [HostileText("marks", "¶ " + 3 * "oats "), HostileText("letters", "a")]
    assert list_dear(lambda text: lambda: copying(text), texts) == ["marks"]


@pytest.mark.slow
@pytest.mark.parametrize("jurisdiction", [JURISDICTION, "US"])
def test_citations_are_found_in_the_time_that_a_text_is_long(jurisdiction: str) -> None:
    assert list_steep(cite(jurisdiction)) == []


@pytest.mark.slow
@pytest.mark.parametrize("pressed", [False, True])
@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_drafts_are_checked_in_the_time_that_they_are_long(
    sample_index: Path, format: str, pressed: bool
) -> None:
    assert list_steep(check(sample_index, format, pressed=pressed)) == []


@pytest.mark.slow
@pytest.mark.parametrize("suffix", FILES)
def test_files_are_read_in_the_time_that_they_are_long(suffix: str) -> None:
    assert list_steep(read(suffix)) == []


def test_what_grows_with_its_square_is_noticed() -> None:
    def slowly(text: str) -> int:
        return sum(text[at:].count("a") for at in range(len(text)))

    letters = HostileText("letters", "a")
    assert is_steep(measure(lambda text: lambda: slowly(text), letters, SIZES, MOST_SECONDS))
    assert not is_steep(measure(lambda text: lambda: text.count("a"), letters, SIZES, MOST_SECONDS))


@pytest.mark.parametrize(
    "name",
    [
        "footnote marks alone",
        "reporters",
        "defined terms",
        "acts",
        "images",
        "sections",
        "heads of slip opinions",
    ],
)
def test_texts_that_were_read_too_slowly_once_are_read_in_time(sample_index: Path, name: str) -> None:
    for work in (cite(JURISDICTION), check(sample_index, "markdown", pressed=False), read("txt")):
        assert not is_steep(measure(work, load_texts()[name], SIZES, MOST_SECONDS))


def test_the_case_of_a_page_is_found_in_the_time_that_a_text_is_long() -> None:
    def find_all(text: str) -> Job:
        pages, report = CasePages(), ("1", "u.s.")
        for place in range(len(text)):
            pages.report(report, place, place)
        return lambda: [pages.find(report, place) for place in range(len(text))]

    assert not is_steep(measure(find_all, HostileText("letters", "a"), SIZES, MOST_SECONDS))


@pytest.mark.slow
def test_quotations_are_attributed_in_the_time_that_a_paragraph_is_long(sample_index: Path) -> None:
    grammar, library = Grammar.load(), Library(sample_index)
    searcher = Searcher(library, grammar=grammar)

    def attribute_all(text: str) -> Job:
        draft = DraftParser(grammar, JURISDICTION).parse("file:///x", text, FORMATS["markdown"])
        excerpts = list(list_excerpts(Snapshot(draft, library, searcher, Settings())))
        return lambda: [each for excerpt in excerpts for each in find_attributions(excerpt)]

    text = load_texts()["quotations and citations in brackets"]
    assert not is_steep(measure(attribute_all, text, (32_000, 512_000), MOST_SECONDS))


@pytest.mark.parametrize(("name", "most"), [("reporters", 1_800), ("sections", 1_200), ("ibid", 1_200)])
def test_a_mention_costs_little_memory_and_only_its_citation_stays(name: str, most: int) -> None:
    text, grammar = load_texts()[name].make(60_000), Grammar.load()
    grammar.find(text, JURISDICTION)
    gc.disable()
    tracemalloc.start()
    try:
        found = grammar.find(text, JURISDICTION)
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    assert peak < most * len(found)
    assert left < 700 * len(found)
