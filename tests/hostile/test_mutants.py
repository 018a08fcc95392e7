"""Damaged files of every format: no reader crashes, goes on for ever, eats memory or wavers."""

from __future__ import annotations

import pytest
from mutants import find_sources, read_mutants

from lexls.index.config import PrepareOptions
from lexls.index.prepare import Preparer

COUNT = 8
SOURCES = find_sources()


@pytest.fixture(scope="module")
def preparer() -> Preparer:
    return Preparer(PrepareOptions(jurisdiction="UK"))


@pytest.mark.parametrize("suffix", SOURCES)
def test_a_damaged_file_is_read_or_refused(preparer: Preparer, suffix: str) -> None:
    assert list(read_mutants(preparer, SOURCES, suffix, range(COUNT), seed=1)) == []


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SOURCES)
def test_many_damaged_files_are_read_or_refused(preparer: Preparer, suffix: str) -> None:
    assert list(read_mutants(preparer, SOURCES, suffix, range(COUNT, 200), seed=1)) == []
