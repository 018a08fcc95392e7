"""An index that was damaged by hand in each thing it holds: what differs is said, and mended."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest
from small_law import judgment

from lexls.cli.context import RENEWED
from lexls.cli.main import main
from lexls.index import renewal
from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.connection import copy_index, load_vector_extension, migrate, open_writer
from lexls.index.indexer import Indexer
from lexls.index.session import bring_up_to_date
from lexls.index.soundness import check_soundness, find_loose_ends, was_closed
from lexls.index.status import IndexStatus
from lexls.index.store import Store
from lexls.index.vectors import VectorStore
from lexls.index.verify import verify


def make(folder: Path, index: Path) -> IndexerConfig:
    """A library of all kinds of files, and a sound index of it with vectors."""
    folder.mkdir(exist_ok=True)
    (folder / "a.md").write_text(
        judgment(
            1,
            "The pilot ran the lighter aground, and the board applied [2015] UKSC 2 at [1].",
            "A harbour board must find dangers in its channel: [2015] UKSC 2.",
        )
    )
    (folder / "b.md").write_text(judgment(2, "The surveyor valued the orchard.", "The tenant burned it."))
    records = [
        {
            "name": f"Weir v Luff (No {n})",
            "citations": [{"cite": f"{n} U.S. {n}"}],
            "text": f"Eels, {n}. " * 20,
        }
        for n in (1, 2, 3)
    ]
    (folder / "bundle.jsonl").write_text("\n".join(map(json.dumps, records)))
    (folder / "odd.md").write_text("The cottage stood empty.\n")
    (folder / "metadata.csv").write_text("file,title\nodd.md,Cottage Act 1901\n")
    (folder / "torn.json").write_text('{"name": ')
    config = IndexerConfig(index, (folder.resolve(),), (), PrepareOptions(jurisdiction="UK"), "")
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    store = Store(config.index)
    store.use_embedder("invented", 8)
    passages = [passage for passage, _ in store.pending(100)]
    store.put_vectors(passages, np.eye(8, dtype=np.float32)[np.arange(len(passages)) % 8])
    precedents = store.pending_precedents(100)
    assert passages
    assert precedents
    rows = np.eye(8, dtype=np.float32)[np.zeros(len(precedents), int)]
    store.put_precedent_vectors([each[0] for each in precedents], rows, [None] * len(precedents))
    store.close()
    return config


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> IndexerConfig:
    """An index that nobody damages."""
    place = tmp_path_factory.mktemp("sound")
    return make(place / "library", place / "index" / "library.sqlite3")


@pytest.fixture
def config(sound: IndexerConfig, tmp_path: Path) -> IndexerConfig:
    """A copy of the index, of the same files."""
    copy = tmp_path / "index" / "library.sqlite3"
    copy_index(sound.index, copy)
    return replace(sound, index=copy)


@pytest.fixture
def folder(config: IndexerConfig) -> Path:
    """The library's folder."""
    return config.folders[0]


@pytest.fixture
def index(config: IndexerConfig) -> Iterator[apsw.Connection]:
    """The copy, open for damage."""
    connection = open_writer(config.index)
    load_vector_extension(connection)
    yield connection
    connection.close()


def test_nothing_differs_in_a_sound_index(index: apsw.Connection, config: IndexerConfig) -> None:
    result = verify(config)
    assert result.differences == ()
    assert result.documents == 6
    assert [path.name for path in config.index.parent.glob(".*")] == []


A = "(SELECT id FROM documents WHERE relative = 'a.md')"


@pytest.mark.parametrize(
    ("damage", "file", "said"),
    [
        ("UPDATE documents SET title = 'Nobody v Nobody' WHERE relative = 'a.md'", "a.md", "its facts"),
        (f"UPDATE texts SET text = replace(text, 'pilot', 'baker') WHERE document = {A}", "a.md", "its text"),
        (f"UPDATE texts SET text = CAST(x'ff41' AS TEXT) WHERE document = {A}", "a.md", "its text"),
        (f"UPDATE texts SET structure = x'00' WHERE document = {A}", "a.md", "its structure"),
        (f"""UPDATE passages SET "end" = "end" - 1 WHERE document = {A}""", "a.md", "its passages"),
        (f"UPDATE passages SET role = 'facts' WHERE document = {A}", "a.md", "its passages"),
        (
            f"UPDATE postings SET frequencies = zeroblob(length(frequencies)) WHERE document = {A}",
            "a.md",
            "its postings",
        ),
        (f"UPDATE postings SET terms = x'00' WHERE document = {A}", "a.md", "its postings"),
        ("UPDATE terms SET term = 'lighthouse' WHERE term = 'lighter'", "a.md", "its postings"),
        ("DELETE FROM terms WHERE term = 'lighter'", "a.md", "its postings"),
        ("DELETE FROM terms WHERE id = (SELECT max(id) FROM terms)", "", "postings"),
        (f"DELETE FROM edges WHERE document = {A}", "a.md", "its citations"),
        (f"UPDATE edges SET pinpoint = '7' WHERE document = {A}", "a.md", "its citations"),
        (
            f"""INSERT INTO treatments VALUES ({A}, 0, 1, '2015uksc2', 'overruled', '', '', 0, 1)""",
            "a.md",
            "its treatments",
        ),
        (f"UPDATE precedents SET proposition = 'No.' WHERE document = {A}", "a.md", "precedents"),
        ("DELETE FROM precedent_keys", "a.md", "its precedents"),
        ("DELETE FROM precedent_postings", "a.md", "postings of precedents"),
        ("UPDATE record_places SET line = line + 1", "bundle.jsonl", "the place of"),
        ("UPDATE corpora SET problems = '[\"none\"]'", "bundle.jsonl", "several documents"),
        ("DELETE FROM documents WHERE part != '' AND title LIKE '%No 2%'", "bundle.jsonl", "is missing"),
        ("UPDATE descriptions SET facts = '{}'", "metadata.csv", "what it says of other files"),
        ("UPDATE failures SET reason = 'too blue'", "torn.json", "another reason"),
        (
            "INSERT INTO failures SELECT library, relative, size, mtime_ns, 'its reader crashed'"
            " FROM documents WHERE relative = 'b.md'",
            "b.md",
            "says that it cannot be read (its reader crashed), which is wrong",
        ),
        (f"DELETE FROM texts WHERE document = {A}", "a.md", "its text"),
        (f"DELETE FROM postings WHERE document = {A}", "a.md", "postings"),
        ("DELETE FROM passages WHERE id = 1", "", "its passages"),
        ("DELETE FROM vec_passages WHERE rowid = 1", "", "no vectors for 1 of its passages"),
        ("UPDATE passages SET embedded = 0 WHERE id = 1", "", "belong to no passage: 1"),
        (
            "UPDATE vec_passages SET embedding = zeroblob(32) WHERE rowid = 1",
            "",
            "damaged vectors for 1 of",
        ),
        ("DELETE FROM precedent_vectors", "a.md", "of its precedents"),
        ("UPDATE precedent_vectors SET proposition = x'00'", "a.md", "of its precedents"),
    ],
)
def test_what_was_damaged_is_said_and_mended(
    index: apsw.Connection, config: IndexerConfig, folder: Path, damage: str, file: str, said: str
) -> None:
    """Without a change of any file, which a reconciliation would find by itself."""
    index.execute("PRAGMA foreign_keys = ON")
    index.execute(damage)
    assert index.changes() or "vec_passages" in damage
    index.close()
    result = verify(config)
    assert any(
        said in each.reason and (not file or each.path == str(folder / file)) for each in result.differences
    ), result.differences
    assert result.left == ()
    assert verify(config).differences == ()
    assert IndexStatus(config.index).renewed() == 0


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE meta SET value = '[' WHERE key = 'places'", "remembers as places"),
        ("UPDATE documents SET citations = '['", "rows of documents that cannot be read: 6"),
    ],
)
def test_an_index_that_nobody_could_read_is_made_anew(
    index: apsw.Connection, config: IndexerConfig, damage: str, said: str
) -> None:
    index.execute(damage)
    index.close()
    assert said in check_soundness(config.index)
    assert verify(config).left == ()
    assert IndexStatus(config.index).counts()[0] == 6
    assert IndexStatus(config.index).renewed() > 0


def test_a_file_that_was_indexed_as_it_was_before_is_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "law"
    config = make(folder, tmp_path / "law.sqlite3")
    (folder / "b.md").write_text(judgment(2, "The surveyor valued the paddock.", "The tenant burned it."))
    info = (folder / "b.md").stat()
    with closing(open_writer(config.index)) as index:
        index.execute(
            "UPDATE documents SET size = ?, mtime_ns = ? WHERE relative = 'b.md'",
            (info.st_size, info.st_mtime_ns),
        )
    [found] = verify(config).differences
    assert str(found) == f"{folder / 'b.md'}: it was indexed as the file was before"
    assert verify(config).differences == ()


def test_vectors_of_what_did_not_differ_are_kept(
    index: apsw.Connection, config: IndexerConfig, folder: Path
) -> None:
    before = IndexStatus(config.index).counts()
    index.execute(f"UPDATE documents SET title = 'Nobody' WHERE id = {A}")
    assert [each.path for each in verify(config).differences] == [str(folder / "a.md")]
    assert IndexStatus(config.index).counts() == before


def list_names(*kinds: str) -> list[str]:
    """The tables or indexes of an index with vectors."""
    with closing(apsw.Connection(":memory:")) as fresh:
        migrate(fresh)
        VectorStore(fresh, load_vector_extension(fresh)).create(8)
        sql = "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%'"
        return [name for kind in kinds for (name,) in fresh.execute(sql, (kind,))]


@pytest.mark.parametrize(
    "drop",
    [f"DROP TABLE {name}" for name in list_names("table")]
    + [f"DROP INDEX {name}" for name in list_names("index")],
)
def test_an_index_without_any_of_its_tables_is_made_anew_and_that_is_said(
    index: apsw.Connection, config: IndexerConfig, drop: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever closed it, and wherever it lies."""
    Store(config.index).close()
    index.execute("PRAGMA foreign_keys = OFF")
    index.execute(drop)
    index.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    index.close()
    command = ["index", str(config.folders[0]), "--index", str(config.index), "--lexical"]
    assert main([*command, "--jurisdiction", "UK"]) == 0
    assert RENEWED in capsys.readouterr().err
    assert IndexStatus(config.index).counts()[0] == 6
    assert check_soundness(config.index) == ""


def test_rows_of_nothing_in_an_index_that_was_left_open_cost_nothing_else(
    index: apsw.Connection, config: IndexerConfig
) -> None:
    before = IndexStatus(config.index).counts()
    index.execute("PRAGMA foreign_keys = OFF")
    for table in ("edges", "treatments", "texts", "passages", "precedents"):
        columns = [name for (name,) in index.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        names = ", ".join(f'"{name}"' for name in columns)
        values = ", ".join({"document": "999", "id": "NULL"}.get(name, f'"{name}"') for name in columns)
        index.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} LIMIT 1")
    index.execute(f"DELETE FROM texts WHERE document = {A}")
    assert find_loose_ends(config.index)
    result = verify(config)
    assert result.differences == result.left == ()
    assert find_loose_ends(config.index) == ""
    after = IndexStatus(config.index).counts()
    assert after[:2] == before[:2]
    of_a = index.execute(f"SELECT count(*) FROM passages WHERE document = {A}").get
    assert before[2] - after[2] == of_a
    assert IndexStatus(config.index).renewed() == 0


def test_rows_of_nothing_are_mended_while_the_index_is_followed(
    index: apsw.Connection, config: IndexerConfig
) -> None:
    before = IndexStatus(config.index).counts()
    index.execute("PRAGMA foreign_keys = OFF")
    index.execute("INSERT INTO edges SELECT 999, 0, 1, 'x', '', '', 0, 0, '', 0")
    with closing(Store(config.index)) as store:
        store.looked_through = 1  # long ago
    indexer = Indexer(config)
    following = threading.Thread(target=indexer.follow)
    following.start()
    try:
        end = time.monotonic() + 60
        while find_loose_ends(config.index):
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        indexer.stop()
        following.join()
        indexer.close()
    assert IndexStatus(config.index).counts() == before
    assert was_closed(config.index)


def test_an_index_is_looked_through_unless_it_was_closed(
    index: apsw.Connection, config: IndexerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads it meanwhile."""
    looked: list[Path] = []

    def look(path: Path) -> str:
        looked.append(path)
        return check_soundness(path)

    monkeypatch.setattr(renewal, "check_soundness", look)
    bring_up_to_date(config)
    assert index.execute("SELECT count(*) FROM documents").get == 6
    bring_up_to_date(config)
    assert looked == []
    killed = replace(config, index=config.index.with_name("killed.sqlite3"))
    indexer = Indexer(config)
    copy_index(config.index, killed.index)
    indexer.close()
    for _ in range(2):
        bring_up_to_date(killed)
        assert looked == [killed.index]
