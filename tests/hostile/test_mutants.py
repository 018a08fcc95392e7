"""Damaged files of every format: no reader crashes, goes on for ever, eats memory or wavers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from made_documents import list_documents
from mutants import find_sources, read_mutants

from lexls.index.config import PrepareOptions
from lexls.index.prepare import Preparer

COUNT = 8
FORMATS = sorted({Path(document.name).suffix.lower() for document in list_documents()})
Sources = Mapping[str, Sequence[bytes]]


@pytest.fixture(scope="module")
def sources() -> Sources:
    return find_sources()


@pytest.fixture(scope="module")
def preparer() -> Preparer:
    return Preparer(PrepareOptions(jurisdiction="UK"))


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_damaged_file_is_read_or_refused(preparer: Preparer, sources: Sources, suffix: str) -> None:
    assert list(read_mutants(preparer, sources, suffix, range(COUNT), seed=1)) == []


@pytest.mark.slow
@pytest.mark.parametrize("suffix", FORMATS)
def test_many_damaged_files_are_read_or_refused(preparer: Preparer, sources: Sources, suffix: str) -> None:
    assert list(read_mutants(preparer, sources, suffix, range(COUNT, 200), seed=1)) == []
