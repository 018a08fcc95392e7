"""The indexer against real folders: what changes on the disk is what changes in the index."""

from __future__ import annotations

import hashlib
import itertools
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_law import judgment

from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.prepare import Preparer
from lexls.index.reconcile import FileKey, FileState
from lexls.index.records import IndexProgress
from lexls.index.rows import DocumentRows
from lexls.index.store import Store
from lexls.index.tokens import Tokenizer
from lexls.index.wanted import RESCAN, append_wishes


def found(library: Library, words: str) -> list[str]:
    """The files with a passage that holds a word, best first."""
    library.refresh()
    ids, _ = library.lexical(Tokenizer().tokenize(words), 50)
    names = []
    for document in library.documents_of(ids):
        authority = library.catalogue.get(document)
        assert authority is not None
        if authority.relative not in names:
            names.append(authority.relative)
    return names


def test_documents_come_change_and_go(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    (folder / "b.md").write_text(judgment(2, "The surveyor valued the orchard."))
    tally = indexer.reconcile()
    assert (tally.added, tally.changed, tally.removed, tally.failed) == (2, 0, 0, [])
    library = open_library()
    assert found(library, "lighter") == ["a.md"]

    (folder / "a.md").write_text(judgment(1, "The pilot ran the trawler aground."))
    (folder / "b.md").unlink()
    (folder / "c.md").write_text(judgment(3, "The tenant burned the orchard."))
    tally = indexer.reconcile()
    assert (tally.added, tally.changed, tally.removed) == (1, 1, 1)
    assert found(library, "lighter") == []
    assert found(library, "trawler") == ["a.md"]
    assert found(library, "orchard") == ["c.md"]


def test_nothing_changed_means_nothing_read(folder: Path, indexer: Indexer, config: IndexerConfig) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    indexer.reconcile()
    before = Library(config.index).generation
    tally = indexer.reconcile()
    assert (tally.added, tally.changed, tally.removed) == (0, 0, 0)
    assert Library(config.index).generation == before


def test_a_touched_file_keeps_its_document(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    path = folder / "a.md"
    path.write_text(judgment(1, "The pilot ran the lighter aground."))
    indexer.reconcile()
    library = open_library()
    document = library.catalogue.all()[0].id
    os.utime(path, ns=(1, 1))
    assert indexer.reconcile().changed == 0
    library.refresh()
    assert library.catalogue.all()[0].id == document


def test_a_change_of_the_same_size_is_seen(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    path = folder / "a.md"
    path.write_text(judgment(1, "The pilot ran the lighter aground."))
    indexer.reconcile()
    path.write_text(judgment(1, "The pilot ran the trawler aground."))
    os.utime(path, ns=(5, 5))
    assert indexer.reconcile().changed == 1
    assert found(open_library(), "trawler") == ["a.md"]


def test_a_save_of_the_same_length_while_a_file_is_read_is_never_lost(folder: Path) -> None:
    """The hash is that of the bytes that were read, however often the file is saved meanwhile."""
    path = folder / "a.md"
    filler = [
        f"The pilot ran aground on day {n} of that voyage, as the log of the vessel shows."
        for n in range(200)
    ]
    texts = [judgment(1, f"The {vessel} was lost.", *filler) for vessel in ("lighter", "trawler")]
    assert len(texts[0]) == len(texts[1])
    path.write_text(texts[0])
    preparer = Preparer(PrepareOptions(jurisdiction="UK"))
    done = threading.Event()

    def save_again_and_again() -> None:
        for text in itertools.cycle(texts):
            saved = folder / ".a.md"
            saved.write_text(text)
            os.replace(saved, path)
            if done.wait(0.0005):
                return

    saving = threading.Thread(target=save_again_and_again)
    saving.start()
    try:
        prepared = [preparer.prepare(FileState(FileKey(str(folder), "a.md"), 1, 1)) for _ in range(12)]
    finally:
        done.set()
        saving.join()
    assert len(prepared) == 12
    for each in prepared:
        assert isinstance(each, DocumentRows)
        assert each.hash == hashlib.sha256(each.text.encode()).digest()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="every file can be read")
def test_a_file_that_becomes_readable_is_read_though_it_did_not_change(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    path = folder / "a.md"
    path.write_text(judgment(1, "The pilot ran the lighter aground."))
    path.chmod(0)
    assert [failed.reason for failed in indexer.reconcile().failed] == ["permission denied"]
    path.chmod(0o600)
    indexer.reconcile()
    assert found(open_library(), "lighter") == ["a.md"]


def test_a_moved_folder_keeps_documents_and_vectors(
    folder: Path, indexer: Indexer, config: IndexerConfig, open_library: Callable[[], Library]
) -> None:
    (folder / "old").mkdir()
    (folder / "old" / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    indexer.reconcile()
    library = open_library()
    document = library.catalogue.all()[0].id
    (folder / "old").rename(folder / "new")
    indexer.update_paths(frozenset({str(folder / "old"), str(folder / "new")}))
    assert found(library, "lighter") == ["new/a.md"]
    assert library.catalogue.all()[0].id == document
    assert library.catalogue.find_path(folder / "new" / "a.md") is not None
    assert library.catalogue.find_path(folder / "old" / "a.md") is None


def test_a_large_folder_is_moved_without_reading_it_again(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    (folder / "old").mkdir()
    for number in range(120):
        (folder / "old" / f"{number}.md").write_text(judgment(number, f"Case number {number}."))
    indexer.reconcile()
    library = open_library()
    before = {authority.path.name: authority.id for authority in library.catalogue.all()}
    (folder / "old").rename(folder / "new")
    tally = indexer.reconcile()
    assert (tally.added, tally.changed, tally.removed) == (0, 120, 0)
    library.refresh()
    assert {authority.path.name: authority.id for authority in library.catalogue.all()} == before
    assert all(authority.relative.startswith("new/") for authority in library.catalogue.all())


def test_vectors_of_unchanged_passages_are_kept(folder: Path, config: IndexerConfig) -> None:
    path = folder / "a.md"
    path.write_text(judgment(1, "The pilot ran the lighter aground.", "The owner sued the pilot."))
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    store = Store(config.index)
    store.use_embedder("test", 4)
    pending = store.pending(10)
    assert len(pending) >= 2
    vectors = np.eye(4, dtype=np.float32)[: len(pending)]
    assert store.put_vectors([passage for passage, _ in pending], vectors) == len(pending)
    store.close()

    path.write_text(judgment(1, "The pilot ran the lighter aground.", "The owner forgave the pilot."))
    indexer = Indexer(config)
    assert indexer.reconcile().changed == 1
    indexer.close()
    store = Store(config.index)
    texts = [text for _, text in store.pending(10)]
    store.close()
    assert len(texts) == 1
    assert "forgave" in texts[0]
    library = Library(config.index)
    ids, cosines = library.nearest(np.eye(4, dtype=np.float32)[0], 1)
    assert cosines[0] == pytest.approx(1.0)
    assert "aground" in library.contents.passage_records(ids)[0].text
    library.close()


def test_passages_that_were_asked_for_are_embedded_first(folder: Path, config: IndexerConfig) -> None:
    for number in range(1, 6):
        (folder / f"{number}.md").write_text(judgment(number, f"Proposition number {number} is stated."))
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    store = Store(config.index)
    every = [passage for passage, _ in store.pending(100)]
    assert [passage for passage, _ in store.pending(2, wanted=[every[-1]])] == [every[-1]]
    assert [passage for passage, _ in store.pending(2)] == every[:2]
    store.close()


def test_another_model_starts_the_vectors_anew(folder: Path, config: IndexerConfig) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    store = Store(config.index)
    store.use_embedder("one", 4)
    ((passage, _),) = store.pending(10)
    store.put_vectors([passage], np.eye(4, dtype=np.float32)[:1])
    library = Library(config.index)
    assert library.has_vectors
    store.use_embedder("two", 8)
    library.refresh()
    assert not library.has_vectors
    assert [p for p, _ in store.pending(10)] == [passage]
    store.put_vectors([passage], np.eye(8, dtype=np.float32)[:1])
    library.refresh()
    assert library.nearest(np.eye(8, dtype=np.float32)[0], 1)[0].tolist() == [passage]
    library.close()
    store.close()


def test_every_bad_file_is_named_and_the_rest_is_indexed(folder: Path, config: IndexerConfig) -> None:
    (folder / "good.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    (folder / "empty.txt").write_text("")
    (folder / "blank.txt").write_text(" \n\t\n")
    (folder / "latin.txt").write_bytes(b"The caf\xe9 was closed.")  # not UTF-8, but read
    (folder / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (folder / "broken.docx").write_bytes(b"this is no archive")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    (folder / "large.txt").write_bytes(b"word " * 300_000)
    os.mkfifo(folder / "pipe.txt")
    (folder / "nowhere.txt").symlink_to(folder / "missing.txt")
    (folder / "self.txt").symlink_to(folder / "self.txt")
    (folder / "sub").mkdir()
    (folder / "sub" / "up").symlink_to(folder, target_is_directory=True)
    small = replace(config, options=replace(config.options, max_bytes=2**20))
    indexer = Indexer(small)
    tally = indexer.reconcile()
    again = indexer.reconcile()
    indexer.close()
    reasons = {each.path.name: each.reason for each in tally.failed}
    assert set(reasons) == {
        "empty.txt", "blank.txt", "picture.txt", "broken.docx", "broken.pdf", "large.txt", "pipe.txt",
        "nowhere.txt", "self.txt", "up",
    }  # fmt: skip
    assert "empty" in reasons["empty.txt"]
    assert "UTF-8" in reasons["picture.txt"]
    assert "limit" in reasons["large.txt"]
    assert reasons["pipe.txt"] == "not a regular file"
    assert reasons["nowhere.txt"] == "broken symbolic link"
    assert reasons["self.txt"] == reasons["up"] == "symbolic link loop"
    assert not any("fault in lexls" in reason for reason in reasons.values())
    assert (again.added, again.changed, again.removed) == (0, 0, 0)
    library = Library(config.index)
    assert sorted(authority.relative for authority in library.catalogue.all()) == ["good.md", "latin.txt"]
    assert {each.path.name for each in library.status.failed()} == set(reasons)
    library.close()


def test_a_file_that_is_mended_is_no_failure_any_more(folder: Path, indexer: Indexer) -> None:
    path = folder / "a.md"
    path.write_text("")
    assert len(indexer.reconcile().failed) == 1
    path.write_text(judgment(1, "The pilot ran the lighter aground."))
    tally = indexer.update_paths(frozenset({str(path)}))
    assert tally.failed == []
    assert indexer.reconcile().failed == []


def test_a_linked_folder_is_indexed_once_through_its_link(
    tmp_path: Path, folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    (folder / "link").symlink_to(elsewhere, target_is_directory=True)
    assert indexer.reconcile().added == 1
    assert found(open_library(), "lighter") == ["link/a.md"]


def test_documents_of_a_missing_folder_are_not_thrown_away(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    indexer.reconcile()
    folder.rename(folder.with_name("unmounted"))
    assert indexer.reconcile().removed == 0
    assert found(open_library(), "lighter") == ["a.md"]


def test_what_is_excluded_is_left_out(folder: Path, config: IndexerConfig) -> None:
    (folder / "drafts" / "deep").mkdir(parents=True)
    (folder / "drafts" / "deep" / "a.md").write_text(judgment(1, "The pilot ran aground."))
    (folder / "b.bak.md").write_text(judgment(2, "The pilot ran aground."))
    (folder / ".hidden.md").write_text(judgment(3, "The pilot ran aground."))
    (folder / "~$c.md").write_text(judgment(4, "The pilot ran aground."))
    (folder / "kept.md").write_text(judgment(5, "The pilot ran aground."))
    (folder / "private.md").write_text(judgment(6, "The pilot ran aground."))
    excluded = ("drafts/", "*.bak.md", str(folder / "private.md"))
    indexer = Indexer(replace(config, excluded=excluded))
    assert indexer.reconcile().added == 1
    indexer.close()
    library = Library(config.index)
    assert [authority.relative for authority in library.catalogue.all()] == ["kept.md"]
    library.close()


def test_other_options_read_everything_again(folder: Path, config: IndexerConfig) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground. " * 30))
    first = Indexer(config)
    first.reconcile()
    first.close()
    before = Library(config.index).status.counts()[1]
    second = Indexer(replace(config, options=replace(config.options, max_chars=300)))
    assert second.reconcile().changed == 1
    second.close()
    assert Library(config.index).status.counts()[1] > before


def test_a_path_that_is_no_utf8_is_named_and_the_rest_is_indexed(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    odd = os.fsencode(folder) + b"/caf\xe9.txt"
    try:
        os.mkdir(os.fsencode(folder) + b"/d\xff")
        for path in (odd, os.fsencode(folder) + b"/d\xff/inner.txt"):
            with open(path, "w") as file:
                file.write("The pilot ran the trawler aground.")
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    tally = indexer.reconcile()
    assert tally.added == 1
    library = open_library()
    reason = "its path is not UTF-8; rename it"
    assert [(f.path, f.reason) for f in library.status.failed()] == [
        (folder / r"caf\xe9.txt", reason),
        (folder / r"d\xff" / "inner.txt", reason),
    ]
    assert found(library, "lighter") == ["a.md"]

    os.unlink(odd)
    indexer.update_paths(frozenset({os.fsdecode(odd)}))
    assert [f.path.name for f in library.status.failed()] == ["inner.txt"]


def test_a_wish_heard_while_nothing_else_happens_is_not_lost(indexer: Indexer, config: IndexerConfig) -> None:
    append_wishes(config.index, [7, RESCAN])
    indexer._hear_wishes()
    append_wishes(config.index, [9])
    indexer._hear_wishes()
    assert indexer._wanted == [7, 9]


def test_an_interrupted_run_is_taken_up_where_it_ended(folder: Path, config: IndexerConfig) -> None:
    for number in range(3):
        (folder / f"{number}.md").write_text(judgment(number, "The pilot ran the lighter aground."))

    def stop_after_one(progress: IndexProgress) -> None:
        if progress.done:
            interrupted.stop()

    interrupted = Indexer(config, stop_after_one)
    first = interrupted.reconcile()
    interrupted.close()
    assert first.added in (1, 2)
    resumed = Indexer(config)
    second = resumed.reconcile()
    resumed.close()
    assert (second.added, second.changed) == (3 - first.added, 0)
