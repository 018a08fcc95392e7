"""A Milvus server finds of an index what memory finds, whatever became of index, mirror and server."""

from __future__ import annotations

import contextlib
import random
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest
from milvus_server import MirroredLibrary
from small_law import judgment

from lexls.index import mirror as mirroring
from lexls.index.beside import find_beside, list_beside
from lexls.index.config import IndexerConfig, MilvusAddress
from lexls.index.connection import open_reader
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.milvus import (
    KINDS,
    Limit,
    MilvusIndex,
    MilvusUnavailable,
    list_places,
    read_name,
    remove_collections,
)
from lexls.index.mirror import Mirror, MirrorRows, read_counts
from lexls.index.mirrored import MirroredWords
from lexls.index.process import start_indexer
from lexls.index.session import open_library as open_library_once
from lexls.index.store import Store
from lexls.settings.load import load

WORDS = ["anchor", "berth", "cargo", "draught", "ebb", "freight", "gale", "harbour", "island", "jetty"]
DIMENSION = 8


def write(folder: Path, chance: random.Random, numbers: Iterable[int]) -> None:
    for number in numbers:
        paragraphs = [" ".join(chance.choices(WORDS, k=chance.randint(3, 40))) for _ in range(3)]
        (folder / f"{number}.md").write_text(judgment(number, *paragraphs))


def index(config: IndexerConfig, vectors: bool = True) -> None:
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    store = Store(config.index)
    store.use_embedder("test", DIMENSION)
    if vectors and (pending := store.pending(10_000)):
        rows = np.random.default_rng(len(pending)).normal(size=(len(pending), DIMENSION))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        store.put_vectors([passage for passage, _ in pending], rows.astype(np.float32))
    store.close()


def catch_up(config: IndexerConfig, address: MilvusAddress) -> None:
    with contextlib.closing(Mirror(config.index, address)) as mirror:
        mirror.catch_up()


def check(config: IndexerConfig, address: MilvusAddress, seed: int = 1) -> None:
    """Every question has the same answer from memory and from the server, as it is."""
    chance = random.Random(seed)
    memory, server = Library(config.index), Library(config.index, address)
    ids = [authority.id for authority in memory.catalogue.all()]
    some = chance.sample(ids, len(ids) // 2)
    assert server.passage_count == memory.passage_count
    assert server.vector_share == memory.vector_share
    assert server.passage_counts([*ids, 999]) == memory.passage_counts([*ids, 999])
    assert server.rarity([*WORDS, "unheard"]) == pytest.approx(memory.rarity([*WORDS, "unheard"]))
    for _ in range(4):
        terms = chance.choices([*WORDS, "unheard"], k=chance.randint(1, 7))
        weights = [chance.choice([0.0, 0.5, 1.0, 3.0]) for _ in terms]
        for k in (5, 400):
            for among in (None, some, some[:1], ids[1:], ids, [999], []):
                ours = server.lexical(terms, k, among, weights=weights)
                same(ours, memory.lexical(terms, k, among, weights=weights))
                for k1, b in ((1.5, 0.75), (2.0, 0.9), (6.0, 0.8), (5.0, 1.0)):
                    how = {"k1": k1, "b": b, "weights": weights}
                    ours = server.lexical_documents(terms, k, among, **how)  # type: ignore[arg-type]
                    same(ours, memory.lexical_documents(terms, k, among, **how))  # type: ignore[arg-type]
        probe = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
        probe /= np.linalg.norm(probe)
        for among in (None, some, ids[1:], ids, [999], []):
            ours, theirs = server.nearest(probe, 20, among), memory.nearest(probe, 20, among)
            # Which of those comes last that are equally near, neither promises.
            last = int((theirs[1] > theirs[1].min(initial=2) + 1e-6).sum())
            same((ours[0][:last], ours[1][:last]), (theirs[0][:last], theirs[1][:last]))
            np.testing.assert_allclose(ours[1], theirs[1], atol=1e-6)
    found, _ = memory.lexical(WORDS, 50)
    assert server.documents_of(found) == memory.documents_of(found)
    for passage in found[:3].tolist():
        ours, theirs = server.vector(passage), memory.vector(passage)
        assert (ours is None) == (theirs is None)
        assert ours is None or theirs is None or ours.tolist() == theirs.tolist()
    memory.close()
    server.close()


@contextlib.contextmanager
def open_rows(config: IndexerConfig) -> Iterator[MirrorRows]:
    """What is remembered of the server."""
    with contextlib.closing(MirrorRows(find_beside(config.index, "-mirror"))) as rows:
        yield rows


def same(ours: tuple[np.ndarray, np.ndarray], theirs: tuple[np.ndarray, np.ndarray]) -> None:
    """The same scores, and the same ids wherever no other has that score."""
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-6, atol=1e-6)
    for first, second, score in zip(ours[0].tolist(), theirs[0].tolist(), theirs[1].tolist(), strict=True):
        assert first == second or np.isclose(theirs[1], score, rtol=1e-6, atol=1e-6).sum() > 1


def test_a_server_answers_as_memory_does_while_documents_come_change_and_go(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    chance = random.Random(3)
    for step in range(6):
        write(folder, chance, chance.sample(range(1, 40), 8))
        for path in chance.sample(sorted(folder.iterdir()), 2):
            path.unlink()
        index(config, vectors=step % 3 < 2)
        catch_up(config, milvus)
        check(config, milvus, step)


def test_a_search_goes_deeper_until_nothing_else_can_come_first(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights on the server that are far from those of now change no answer."""
    chance = random.Random(5)
    write(folder, chance, range(1, 60))
    index(config)
    catch_up(config, milvus)
    monkeypatch.setattr(mirroring, "DRIFT", 1e9)
    monkeypatch.setattr("lexls.index.mirrored.MORE", 1)
    monkeypatch.setattr("lexls.index.mirrored.FEW", 0)
    for number in range(1, 40):
        text = " ".join(chance.choices(WORDS, k=200))
        (folder / f"{100 + number}.md").write_text(judgment(100 + number, text, text[::2] + " shoal"))
    index(config)
    catch_up(config, milvus)
    with open_rows(config) as rows:
        counts = rows.counts()
        assert counts.averages["passages"] > 2 * counts.made_for["passages"]
    check(config, milvus)
    monkeypatch.setattr(mirroring, "DRIFT", 0.1)
    catch_up(config, milvus)
    with open_rows(config) as rows:
        assert rows.counts().averages == rows.counts().made_for


class Killed(Exception):
    """What ends a mirror in the middle."""


def test_a_mirror_that_was_killed_goes_on_where_it_was(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it ends, before or behind a step that changes the server or the file beside the index."""
    monkeypatch.setattr(mirroring, "BATCH_DOCUMENTS", 3)
    chance = random.Random(9)
    steps: list[tuple[type, str]] = [(MilvusIndex, name) for name in ("make", "drop", "put", "remove")]
    steps += [(MirrorRows, name) for name in ("forget", "begin", "put", "remove", "remember")]
    left = [0]

    def failing(method: Callable[..., object]) -> Callable[..., object]:
        def run(*given: object, **named: object) -> object:
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            result = method(*given, **named)
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return result

        return run

    for owner, name in steps:
        monkeypatch.setattr(owner, name, failing(getattr(owner, name)))
    for number in range(1, 26):
        left[0] = 0
        write(folder, chance, chance.sample(range(1, 20), 3))
        for path in chance.sample(sorted(folder.iterdir()), min(1, number // 3)):
            path.unlink()
        index(config)
        for wait in (2 * number, number, 3):
            mirror = Mirror(config.index, milvus)
            left[0] = wait
            with contextlib.suppress(Killed):
                mirror.catch_up()
            left[0] = 0
            mirror.close()
        if number % 4 == 0:
            catch_up(config, milvus)
            check(config, milvus, number)
            compare_rows(config, milvus)
    catch_up(config, milvus)
    check(config, milvus)
    compare_rows(config, milvus)


def compare_rows(config: IndexerConfig, address: MilvusAddress) -> None:
    """The server has exactly the rows of the index, and the file beside it counts them."""
    with contextlib.closing(Mirror(config.index, address)) as mirror:
        assert mirror.find_differences() == []


def test_a_server_that_lost_what_it_had_gets_it_again(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    write(folder, random.Random(2), range(1, 12))
    index(config)
    for kind in KINDS:
        catch_up(config, milvus)
        with open_rows(config) as rows:
            server = MilvusIndex(milvus, rows.get("name"))
        server.drop(kind)
        catch_up(config, milvus)
        check(config, milvus)
        server.close()


def test_what_differs_on_the_server_is_found_and_mended(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    write(folder, random.Random(2), range(1, 12))
    index(config)
    catch_up(config, milvus)
    with open_rows(config) as rows:
        server = MilvusIndex(milvus, rows.get("name"))
    server.put("passages", [(1, 1, {3: 9.0})])
    server.put("vectors", [(2, 1, np.ones(DIMENSION, np.float32))])
    server.remove([4])
    server.put("documents", [(4_000, 4_000, {3: 1.0})])
    with contextlib.closing(Mirror(config.index, milvus)) as mirror:
        found = mirror.find_differences()
        assert [words.split(" are ")[0] for words in found] == [
            "4 of its passages",
            "1 of its documents",
            "4 of its vectors",
            "1 documents there",
        ]
        mirror.make_anew()
        mirror.catch_up()
        assert mirror.find_differences() == []
    check(config, milvus)
    server.close()


def test_a_collection_that_is_half_made_is_made_again(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is killed between making one and its index leaves one that cannot be searched."""
    pymilvus = pytest.importorskip("pymilvus")
    write(folder, random.Random(2), range(1, 12))
    index(config)
    whole = pymilvus.MilvusClient.create_index
    for number in range(1, 4):
        left = [number]

        def fail(*given: object, left: list[int] = left, **named: object) -> object:
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return whole(*given, **named)

        monkeypatch.setattr(pymilvus.MilvusClient, "create_index", fail)
        with contextlib.closing(Mirror(config.index, milvus)) as mirror:
            mirror.make_anew()
            with pytest.raises(Killed):
                mirror.catch_up()
            mirror.catch_up()
        check(config, milvus)


def test_a_server_that_is_named_again_gets_all_that_it_missed(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress, tmp_path: Path
) -> None:
    chance = random.Random(2)
    other = MilvusAddress(str(tmp_path / "firm.db"))
    for number, address in enumerate((milvus, other, milvus)):
        write(folder, chance, range(5 * number, 5 * number + 8))
        index(config)
        catch_up(config, address)
        compare_rows(config, address)
        check(config, address)
    assert {(place.url, place.index) for place in list_places()} == {
        (milvus.url, config.index),
        (other.url, config.index),
    }


def test_a_copy_of_an_index_has_collections_of_its_own_and_one_that_moved_keeps_its(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress, tmp_path: Path
) -> None:
    write(folder, random.Random(2), range(1, 12))
    index(config)
    catch_up(config, milvus)
    copied, moved = (replace(config, index=tmp_path / f"{name}.sqlite3") for name in ("copied", "moved"))
    name = read_name(config.index)
    for path in (config.index, *list_beside(config.index)):
        shutil.copy(path, copied.index.with_name(path.name.replace(config.index.name, copied.index.name)))
    write(folder, random.Random(3), range(12, 14))
    index(copied)
    catch_up(copied, milvus)
    assert read_name(copied.index) != name
    for each in (config, copied):
        compare_rows(each, milvus)
        check(each, milvus)
    for path in (config.index, *list_beside(config.index)):
        path.rename(moved.index.with_name(path.name.replace(config.index.name, moved.index.name)))
    catch_up(moved, milvus)
    assert read_name(moved.index) == name
    compare_rows(moved, milvus)
    assert {(place.name, place.index) for place in list_places()} == {
        (name, moved.index),
        (read_name(copied.index), copied.index),
    }


def test_collections_that_cannot_be_removed_are_named_until_they_are(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    write(folder, random.Random(2), range(1, 5))
    index(config)
    catch_up(config, milvus)
    (place,) = list_places()
    assert remove_collections({folder}, milvus) == ([], [])
    gone, left = remove_collections({config.index}, replace(milvus, token_env="LEXLS_NO_SUCH_TOKEN"))
    assert gone == []
    assert [(each.name, "LEXLS_NO_SUCH_TOKEN" in reason) for each, reason in left] == [(place.name, True)]
    assert [each.index for each in list_places()] == [None]
    assert remove_collections((), None)[0] == []
    gone, left = remove_collections((), milvus)
    assert ([each.name for each in gone], left) == ([place.name], [])
    server = MilvusIndex(milvus, place.name)
    assert not any(server.exists(kind) for kind in KINDS)
    server.close()
    assert list_places() == []


def test_a_collection_that_the_server_let_go_of_is_loaded_again(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    pymilvus = pytest.importorskip("pymilvus")
    write(folder, random.Random(2), range(1, 12))
    index(config)
    catch_up(config, milvus)
    client = pymilvus.MilvusClient(uri=milvus.url)
    for _ in range(2):
        for kind in KINDS:
            client.release_collection(f"{read_name(config.index)}_{kind}")
        check(config, milvus)
    client.close()


def test_a_server_without_sparse_vectors_is_told_apart(
    config: IndexerConfig, milvus: MilvusAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(config)
    monkeypatch.setattr("lexls.index.milvus.OLDEST", (99, 4))
    with pytest.raises(MilvusUnavailable, match=r"version .*lexls needs 99\.4 or newer"):
        catch_up(config, milvus)


def test_a_search_is_limited_by_the_shorter_list_of_documents(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    write(folder, random.Random(2), range(1, 12))
    index(config)
    catch_up(config, milvus)
    library = Library(config.index, milvus)
    ids = [authority.id for authority in library.catalogue.all()]
    library.lexical(WORDS, 1)
    words = library._arrays.bm25
    assert isinstance(words, MirroredWords)
    assert words.limit(None) is None
    assert words.limit(frozenset(ids)) is None
    assert words.limit([*ids[1:], 999]) == Limit([ids[0]], others=True)
    assert words.limit(ids[:2]) == Limit(ids[:2])
    library.close()


def test_no_word_goes_to_the_server(folder: Path, config: IndexerConfig, milvus: MilvusAddress) -> None:
    write(folder, random.Random(2), range(1, 4))
    index(config)
    catch_up(config, milvus)
    with open_rows(config) as rows:
        server = MilvusIndex(milvus, rows.get("name"))
    for kind in KINDS:
        rows_there = server.read(kind, range(1, 50))
        assert rows_there
        for document, value in rows_there.values():
            numbers: Sequence[object] = [*value, *value.values()] if isinstance(value, dict) else [*value]
            assert all(isinstance(each, int | float) for each in [document, *numbers])
    server.close()


def test_before_there_is_a_mirror_nothing_is_found_and_all_else_answers(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    write(folder, random.Random(2), range(1, 4))
    index(config)
    library = Library(config.index, milvus)
    assert len(library.catalogue.all()) == 3
    assert library.passage_count == 0
    assert len(library.lexical(["anchor"], 5)[0]) == 0
    catch_up(config, milvus)
    assert library.refresh()
    assert len(library.lexical(["anchor", "berth"], 5)[0])
    assert find_beside(config.index, "-mirror") in set(list_beside(config.index))
    library.close()


def test_a_server_that_is_not_there_is_told_and_hinders_nothing_else(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    write(folder, random.Random(2), range(1, 4))
    index(config)
    catch_up(config, milvus)
    library = Library(config.index, MilvusAddress("http://127.0.0.1:1"))
    assert library.catalogue.find_key("[2015] UKSC 1")
    with pytest.raises(MilvusUnavailable, match=r"index\.url"):
        library.lexical(["anchor", "berth"], 5)
    library.close()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (MilvusAddress("http://milvus.example:19530"), "not encrypted"),
        (MilvusAddress("ftp://milvus.example"), "https"),
        (MilvusAddress("https://milvus.example", "LEXLS_NO_SUCH_TOKEN"), "LEXLS_NO_SUCH_TOKEN"),
    ],
)
def test_an_address_that_is_not_asked_is_told(address: MilvusAddress, words: str) -> None:
    pytest.importorskip("pymilvus")
    with pytest.raises(MilvusUnavailable, match=words):
        MilvusIndex(address, "any")


def test_a_database_of_milvus_lite_is_opened_here(
    folder: Path, config: IndexerConfig, tmp_path: Path
) -> None:
    pytest.importorskip("milvus_lite")
    write(folder, random.Random(2), range(1, 6))
    index(config)
    for _ in range(2):  # closed and opened again
        library = MirroredLibrary(config.index, MilvusAddress(str(tmp_path / "firm.db")))
        assert len(library.lexical(["anchor", "berth"], 5)[0])
        library.close()


def test_an_indexer_keeps_the_server_current_and_may_be_killed(
    folder: Path, config: IndexerConfig, milvus: MilvusAddress
) -> None:
    chance = random.Random(4)
    write(folder, chance, range(1, 30))
    config = replace(config, milvus=milvus)
    assert IndexerConfig.from_json(config.to_json()) == config
    first = start_indexer(config)
    wait_until(lambda: read_documents(config) > 0 or first.poll() is not None)
    first.kill()
    first.communicate()
    write(folder, chance, range(30, 34))
    second = start_indexer(config)
    wait_until(lambda: read_documents(config) == 33)
    library = Library(config.index, milvus)
    write(folder, chance, [40])
    wait_until(lambda: library.refresh() and len(library.lexical_documents(WORDS, 50)[0]) == 34)
    library.close()
    assert second.stdin is not None
    second.stdin.close()
    assert second.wait() == 0
    catch_up(config, milvus)
    compare_rows(config, milvus)


def read_documents(config: IndexerConfig) -> int:
    if not find_beside(config.index, "-mirror").exists():
        return 0
    with contextlib.closing(open_reader(find_beside(config.index, "-mirror"))) as connection:
        try:
            return read_counts(connection).documents
        except apsw.SQLError:  # its tables are not there yet
            return 0


def wait_until(done: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not done():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_the_command_line_puts_a_library_on_the_users_server_and_no_workspace_names_one(
    folder: Path, tmp_path: Path, milvus: MilvusAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, random.Random(2), range(1, 6))
    monkeypatch.setenv("LEXLS_TEST_TOKEN", "secret")
    own = tmp_path / "user.toml"
    own.write_text(f'index.url = "{milvus.url}"\nindex.tokenEnv = "LEXLS_TEST_TOKEN"\n')
    settings, problems = load(tmp_path, None, own)
    assert problems == []
    library, report = open_library_once([folder], tmp_path / "i.sqlite3", settings, lexical_only=True)
    assert report.documents == 5
    assert len(library.lexical_documents(WORDS, 50)[0]) == 5
    library.close()
    assert b"secret" not in (tmp_path / "i.sqlite3-mirror").read_bytes()
    (folder / "lexls.toml").write_text('index.url = "https://elsewhere.example"\n')
    settings, problems = load(folder, None, tmp_path / "none.toml")
    assert settings.index_url == ""
    assert [problem.key for problem in problems] == ["index.url"]
