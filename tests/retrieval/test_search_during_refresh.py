"""Searches while documents come and go: no error, nothing of a document that is gone, no half documents."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.store import Store
from lexls.models.messages import NO_PROMPTS
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken

ROUNDS = 14
MOST_SEARCHES = 5_000
SAID = "The keeper of a lighthouse answers for a lamp that goes out in a storm"
STAYS = "stays.md"


class _ByLength:
    """Vectors that need no model: a search for likeness has something to compare."""

    name, dimension, prompts = "by-length", 8, NO_PROMPTS

    def encode(self, texts: list[str], prompt: str = "") -> np.ndarray:
        rows = np.array([[1 + (len(text) >> bit & 1) for bit in range(8)] for text in texts], np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


@pytest.fixture
def config(tmp_path: Path) -> IndexerConfig:
    folder = tmp_path / "library"
    folder.mkdir()
    index = tmp_path / "index" / "library.sqlite3"
    return IndexerConfig(index, (folder.resolve(),), (), PrepareOptions(jurisdiction="UK"), "")


@pytest.fixture(autouse=True)
def threads_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def _judgment(number: int, version: int) -> str:
    return (
        f'---\ntitle: "Beacon v Lamplighter (No {number})"\ncitation: "[2014] UKSC {number}"\nkind: case\n'
        f"jurisdiction: UK\n---\n\n[1] {SAID}: Stays v Goes [2013] UKSC 9.\n\n"
        f"[2] {'Oil is no excuse. ' * (version % 5 + 1)}\n\n[3] {SAID}, were it so or not.\n"
    )


def _index(config: IndexerConfig) -> None:
    """Take in what the folder holds, and give half of what has no vector one."""
    with closing(Indexer(config)) as indexer:
        indexer.reconcile()
    embedder = _ByLength()
    with closing(Store(config.index)) as store:
        store.use_embedder(embedder.name, embedder.dimension)
        batch = store.pending(20)[::2]
        if batch:
            store.put_vectors([passage for passage, _ in batch], embedder.encode([text for _, text in batch]))


def _change(folder: Path, step: int) -> None:
    """Add a judgment, change one, and remove one."""
    (folder / f"{step % 4}.md").write_text(_judgment(step % 4 + 1, step), encoding="utf-8")
    (folder / f"{(step + 1) % 4}.md").unlink(missing_ok=True)
    (folder / f"new-{step}.md").write_text(_judgment(20 + step, step), encoding="utf-8")
    (folder / f"new-{step - 2}.md").unlink(missing_ok=True)


def test_searches_go_on_while_documents_come_and_go(config: IndexerConfig) -> None:
    folder = config.folders[0]
    stays = f'---\ntitle: Stays v Goes\ncitation: "[2013] UKSC 9"\nkind: case\n---\n\n[1] {SAID}.\n'
    (folder / STAYS).write_text(stays, encoding="utf-8")
    _change(folder, 0)
    _index(config)
    library = Library(config.index)
    searcher = Searcher(library, lambda: _ByLength())  # type: ignore[arg-type, return-value]
    gone: set[int] = set()
    searched: list[int] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def follow() -> None:
        for step in range(1, ROUNDS):
            before = {each.id for each in library.catalogue.all()}
            _change(folder, step)
            _index(config)
            assert library.refresh()
            gone.update(before - {each.id for each in library.catalogue.all()})

    def ask(search: Callable[[str, int, Filters, CancelToken], list[Hit]]) -> None:
        count = 0
        while count < MOST_SEARCHES and not (done.is_set() and count):
            left = set(gone)
            hits = search(f"{SAID} when its oil is spent", 30, Filters(), CancelToken())
            assert STAYS in {hit.authority.relative for hit in hits}
            for hit in hits:
                assert hit.authority.id not in left
                assert hit.passage.document == hit.authority.id
                text = library.contents.text(hit.authority.id)
                assert text[hit.passage.start : hit.passage.end] in (hit.passage.text, "")
            count += 1
        searched.append(count)

    def ask_precedents() -> None:
        count = 0
        while count < MOST_SEARCHES and not (done.is_set() and count):
            left = set(gone)
            found = searcher.find_cited_for(SAID, Filters(), CancelToken())
            for authority, cited in found.items():
                assert authority not in left
                assert not left & {record.citing for record in cited.precedents}
            library.graph.citers(min(each.id for each in library.catalogue.all()))
            library.title_terms()
            count += 1
        searched.append(count)

    def noting(work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except BaseException as error:  # a thread's failure is the test's
                errors.append(error)
            finally:
                if work is follow:
                    done.set()

        return run

    asking = [lambda: ask(searcher.search), lambda: ask(searcher.search_passages), ask_precedents]
    threads = [threading.Thread(target=noting(work)) for work in (*asking, follow)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    library.close()
    if errors:
        raise errors[0]
    assert len(gone) >= ROUNDS
    assert len(searched) == 3
    assert min(searched) > 0
