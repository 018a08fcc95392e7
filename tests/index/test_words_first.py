"""The words of many documents are there before what they cite was read, once; then nothing is missing."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from small_law import judgment

from lexls.index import update
from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.records import IndexProgress
from lexls.index.rows import CitationRows, UncitedText
from lexls.index.store import Store
from lexls.index.tokens import Tokenizer
from lexls.index.update import POOL_FROM_FILES
from lexls.index.verify import compare_indexes
from lexls.index.worker import find_citations
from lexls.text.cancel import CancelToken

FILES = 2 * POOL_FROM_FILES + 12


def write(folder: Path, number: int, what: str = "lighter") -> None:
    cited = f"[2015] UKSC {number % FILES + 1}"
    text = f"The pilot who ran the {what} aground was liable for it: {cited} at [1]. We follow {cited}."
    (folder / f"{number}.md").write_text(judgment(number, text, f"The board must mark its channel: {cited}."))


@pytest.fixture(autouse=True)
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update, "BATCH_BYTES", 1)  # each alone, so that most wait while the first are read
    for number in range(1, FILES + 1):
        write(folder, number)


def read_one_by_one(config: IndexerConfig, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another index of the same files, each of which was read as a whole."""
    other = replace(config, index=config.index.with_name("other.sqlite3"))
    with monkeypatch.context() as patched, closing(Indexer(other)) as indexer:
        patched.setattr(update, "POOL_FROM_FILES", 10 * FILES)
        assert indexer.reconcile().added == len(list(config.folders[0].iterdir()))
    return other.index


def at_first_citations(act: Callable[[], object]) -> Callable[[IndexProgress], None]:
    """What hears of progress and acts once, when the first citations have been read."""
    acted: list[IndexProgress] = []

    def hear(progress: IndexProgress) -> None:
        if progress.phase == "citations" and not acted:
            acted.append(progress)
            act()

    return hear


def count_uncited(index: Path) -> int:
    with closing(Store(index)) as store:
        return sum(size < 0 for size, _ in store.known_files().values())


def test_words_can_be_searched_before_citations_are_read(
    config: IndexerConfig, open_library: Callable[[], Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[object, ...]] = []

    def look() -> None:
        library = open_library()
        cited = [library.graph.count_citing(each.id) for each in library.catalogue.all()]
        found = library.lexical(Tokenizer().tokenize("pilot"), 10 * FILES)[0]
        seen.append((len(cited), len(found), sum(cited) < FILES, library.complete, library.status.progress()))

    with closing(Indexer(config, at_first_citations(look))) as indexer:
        tally = indexer.reconcile()
    assert seen == [(FILES, FILES, True, False, IndexProgress("citations", 1, FILES))]
    assert (tally.added, tally.changed, tally.removed, tally.failed) == (FILES, 0, 0, [])
    library = open_library()
    assert library.complete
    assert [library.graph.count_citing(each.id) for each in library.catalogue.all()] == [1] * FILES
    assert compare_indexes(config.index, read_one_by_one(config, monkeypatch)) == []


def test_a_reader_moves_on_to_the_citations(
    config: IndexerConfig, open_library: Callable[[], Library]
) -> None:
    opened: list[Library] = []

    def open_and_search() -> None:
        opened.append(open_library())
        assert len(opened[0].lexical(Tokenizer().tokenize("pilot"), 10 * FILES)[0]) == FILES

    with closing(Indexer(config, at_first_citations(open_and_search))) as indexer:
        indexer.reconcile()
    [library] = opened
    assert library.refresh()
    assert [library.graph.count_citing(each.id) for each in library.catalogue.all()] == [1] * FILES
    # Each document once, and no precedent is missing.
    assert library.passage_count == 2 * FILES
    terms = Tokenizer().tokenize("the board must mark its channel")
    assert len(library.precedents.lexical(terms, 10 * FILES, None, CancelToken())[0]) == FILES


def begin(config: IndexerConfig, end: str) -> None:
    """Read until the first citations are there, as a process that then is stopped or killed."""
    killed = lambda: os.kill(os.getpid(), signal.SIGKILL)  # noqa: E731
    indexer = Indexer(config, at_first_citations(killed if end == "killed" else lambda: indexer.stop()))
    with closing(indexer):
        indexer.reconcile()


@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_what_an_interrupted_run_left_is_read_by_the_next(
    config: IndexerConfig, open_library: Callable[[], Library], monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    process = multiprocessing.get_context("spawn").Process(target=begin, args=(config, end))
    process.start()
    process.join()
    assert process.exitcode == (-signal.SIGKILL if end == "killed" else 0)
    assert 0 < count_uncited(config.index) < FILES
    assert not open_library().complete
    with closing(Indexer(config)) as again:
        again.reconcile()
    assert count_uncited(config.index) == 0
    assert compare_indexes(config.index, read_one_by_one(config, monkeypatch)) == []


def test_of_very_many_the_first_do_not_wait_for_the_last(
    config: IndexerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "MOST_UNCITED", POOL_FROM_FILES)
    phases: list[str] = []
    with closing(Indexer(config, lambda progress: phases.append(progress.phase))) as indexer:
        indexer.reconcile()
    told = [phase for phase, _ in itertools.groupby(phases)]
    # What is left in the end are few, which are read as a whole.
    assert told == ["scanning", "reading", "citations", "reading", "citations", "reading"]
    assert compare_indexes(config.index, read_one_by_one(config, monkeypatch)) == []


def test_what_comes_later_is_there_with_its_citations(
    config: IndexerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    phases: set[str] = set()
    with closing(Indexer(config, lambda progress: phases.add(progress.phase))) as indexer:
        indexer.reconcile()
        phases.clear()
        for number in range(FILES + 1, 2 * FILES + 1):
            write(config.folders[0], number)
        assert indexer.reconcile().added == FILES
    assert phases == {"scanning", "reading"}
    assert compare_indexes(config.index, read_one_by_one(config, monkeypatch)) == []


def test_what_is_saved_or_removed_meanwhile_is_right(
    config: IndexerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = config.folders[0]

    def save() -> None:
        write(folder, FILES, "barge")
        write(folder, FILES + 1)
        os.remove(folder / f"{FILES - 1}.md")
        indexer._hear(frozenset(str(folder / f"{each}.md") for each in (FILES - 1, FILES, FILES + 1)))

    indexer = Indexer(config, at_first_citations(save))
    with closing(indexer):
        indexer.reconcile()
    assert count_uncited(config.index) == 0
    assert compare_indexes(config.index, read_one_by_one(config, monkeypatch)) == []


def test_workers_that_are_killed_cost_nothing(config: IndexerConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    def kill() -> None:
        for child in multiprocessing.active_children():
            child.kill()

    with closing(Indexer(config, at_first_citations(kill))) as indexer:
        assert indexer.reconcile().failed == []
    assert compare_indexes(config.index, read_one_by_one(config, monkeypatch)) == []


def lack_six(options: PrepareOptions, documents: Sequence[UncitedText]) -> list[CitationRows | None]:
    found = find_citations(options, documents)
    return [
        None if document.name == "6.md" else rows for document, rows in zip(documents, found, strict=True)
    ]


def crash_at_six(options: PrepareOptions, documents: Sequence[UncitedText]) -> list[CitationRows | None]:
    if any(document.name == "6.md" for document in documents):
        os.kill(os.getpid(), signal.SIGSEGV)
    return find_citations(options, documents)


@pytest.mark.parametrize("find", [lack_six, crash_at_six])
def test_a_document_whose_citations_cannot_be_read_is_read_as_a_whole(
    config: IndexerConfig, monkeypatch: pytest.MonkeyPatch, find: Callable[..., object]
) -> None:
    monkeypatch.setattr(update, "find_citations", find)
    with closing(Indexer(config)) as indexer:
        tally = indexer.reconcile()
    assert (tally.added, tally.changed, tally.removed, tally.failed) == (FILES, 0, 0, [])
    assert count_uncited(config.index) == 0
    assert compare_indexes(config.index, read_one_by_one(config, monkeypatch)) == []
