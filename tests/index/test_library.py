"""The library that readers see: one generation at a time, equal to one read from scratch."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from small_law import judgment

import lexls.index
from lexls.citations.model import Pinpoint
from lexls.index import arrays
from lexls.index.config import IndexerConfig
from lexls.index.connection import SCHEMA_VERSION, IndexTooNew, SchemaNotReady, open_writer
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.matrix import VectorMatrix
from lexls.index.store import Store
from lexls.index.tokens import Tokenizer
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.spans import Span

WORDS = ["anchor", "berth", "cargo", "draught", "ebb", "freight", "gale", "harbour", "island", "jetty"]


def test_moving_on_gives_what_loading_anew_gives(
    folder: Path, config: IndexerConfig, open_library: Callable[[], Library]
) -> None:
    """The state after many small steps equals a rebuild, passage by passage and score by score."""
    chance = random.Random(7)
    indexer = Indexer(config)
    indexer.reconcile()
    followed = open_library()
    store = None
    for _ in range(12):
        for _ in range(chance.randint(1, 4)):
            path = folder / f"{chance.randint(1, 9)}.md"
            if path.exists() and chance.random() < 0.4:
                path.unlink()
            else:
                text = " ".join(chance.choices(WORDS, k=chance.randint(5, 40)))
                path.write_text(judgment(int(path.stem), text, text[::2] + " shoal"))
        indexer.reconcile()
        indexer.close()
        store = Store(config.index)
        store.use_embedder("test", 8)
        batch = store.pending(chance.randint(1, 5))
        vectors = (
            np.random.default_rng(chance.randint(0, 9999)).normal(size=(len(batch), 8)).astype(np.float32)
        )
        store.put_vectors([passage for passage, _ in batch], vectors)
        store.close()
        followed.refresh()
        fresh = Library(config.index)
        query = Tokenizer().tokenize(" ".join(chance.choices(WORDS, k=6)))
        for search in ("lexical", "lexical_documents"):
            ids, scores = getattr(followed, search)(query, 100)
            wanted_ids, wanted = getattr(fresh, search)(query, 100)
            assert sorted(ids.tolist()) == sorted(wanted_ids.tolist())
            assert np.allclose(np.sort(scores), np.sort(wanted))
        probe = np.ones(8, dtype=np.float32) / np.sqrt(8)
        assert followed.nearest(probe, 100)[0].tolist() == fresh.nearest(probe, 100)[0].tolist()
        assert followed.catalogue.all() == fresh.catalogue.all()
        fresh.close()
        indexer = Indexer(config)
    indexer.close()


def test_pinpoints_name_places(folder: Path, indexer: Indexer, open_library: Callable[[], Library]) -> None:
    (folder / "a.md").write_text(judgment(1, "The facts.", "The rule is this.", "Appeal allowed."))
    indexer.reconcile()
    library = open_library()
    (document,) = library.catalogue.find_key("[2015]  UKSC 1")
    (place,) = library.contents.find_places(document, Pinpoint("paragraph", ("2",), Span(0, 1)))
    assert "The rule is this." in place.text
    assert library.contents.text(document)[place.start : place.end] == place.text
    assert library.contents.find_places(document, Pinpoint("paragraph", ("9",), Span(0, 1))) == []
    assert library.contents.list_labels(document, "paragraph") == ("1", "2", "3")
    location = library.locate(document, place.start, place.end)
    assert location is not None
    assert location.file == folder / "a.md"
    assert location.text[location.start : location.end] == place.text


LONG = "The keeper of a lighter answers for the damp that spoils what he was given to keep dry. " * 6
HTML = f"<html><head><title>Ash v Tern</title></head><body><p>[2014] UKSC 7</p><p>{LONG}</p></body></html>"


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("ash.html", HTML),
        ("ash.json", json.dumps({"title": "Ash v Tern", "citation": "[2014] UKSC 7", "text": LONG})),
        ("ash.jsonl", json.dumps({"id": "a", "citation": "[2014] UKSC 7", "text": LONG}) + "\n"),
        ("ash.txt", f"Ash v Tern\n\n[2014] UKSC 7\n\n{LONG}\n"),
    ],
)
def test_what_does_not_read_well_is_shown_as_its_text_wrapped_with_the_address_of_its_file(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library], name: str, source: str
) -> None:
    (folder / name).write_text(source, encoding="utf-8")
    indexer.reconcile()
    library = open_library()
    (authority,) = library.catalogue.all()
    text = library.contents.text(authority.id)
    start = text.index("answers for the damp that spoils", len(LONG) // 2)
    end = start + len("answers for the damp that spoils what he was given")
    place = library.locate(authority.id, start, end)
    assert place is not None
    assert place.text[place.start : place.end].replace("\n", " ") == text[start:end]
    assert place.file.read_text(encoding="utf-8") == place.text
    assert (folder / name).as_uri() in place.text.splitlines()
    assert max(map(len, place.text.splitlines())) <= max(100, len((folder / name).as_uri()))
    assert not {"<", "{", "\\"} & set(place.text)
    assert library.find_in_text(authority.id, place.start, place.end) == (start, end)
    assert library.find_shown(place.file) == authority


def test_a_section_of_xml_is_found_in_its_source(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    source = """<Statute xmlns:lims="http://justice.gc.ca/lims"><Identification>
<ShortTitle>Café Act</ShortTitle><Chapter><ConsolidatedNumber>L-61</ConsolidatedNumber></Chapter>
</Identification><Body>
<Section><MarginalNote>Where</MarginalNote><Label>1</Label><Text>On quays &amp; piers.</Text>
</Section></Body></Statute>"""
    (folder / "a.xml").write_text(source, encoding="utf-8")
    indexer.reconcile()
    library = open_library()
    (document,) = library.catalogue.find_key("R.S.C. 1985, c. L-61")
    (place,) = library.contents.find_places(document, Pinpoint("section", ("1",), Span(0, 1)))
    assert place.text == "1 Where\nOn quays & piers."
    location = library.locate_in_file(document, place.start, place.end)
    assert location is not None
    assert location.text[location.start : location.end] == "1</Label><Text>On quays &amp; piers."
    heading = library.locate_in_file(document, place.start, place.start + len("1 Where"))
    assert heading is not None
    assert heading.text[heading.start : heading.end].startswith("Where")


def test_the_citation_graph_follows_the_files(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot answers for the lighter."))
    (folder / "b.md").write_text(judgment(2, "We follow Ostler v Harbour Board (No 1) [2015] UKSC 1 at [1]."))
    (folder / "c.md").write_text(judgment(3, "See [2015] UKSC 1. See again [2015] UKSC 1 at [1]."))
    indexer.reconcile()
    library = open_library()
    (cited,) = library.catalogue.find_key("[2015] UKSC 1")
    assert library.graph.count_citing(cited) == 2
    assert {each.pinpoint for each in library.graph.find_citing(cited)} == {("1",), ()}
    (citing,) = library.catalogue.find_key("[2015] UKSC 2")
    assert [target for _, target in library.graph.find_cited(citing)] == [cited]
    (folder / "c.md").unlink()
    indexer.reconcile()
    library.refresh()
    assert library.graph.count_citing(cited) == 1


def test_a_search_can_be_limited_to_documents(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    for number in range(1, 60):
        (folder / f"{number}.md").write_text(judgment(number, f"The harbour of case {number}."))
    indexer.reconcile()
    library = open_library()
    tokens = Tokenizer().tokenize("harbour")
    few = [authority.id for authority in library.catalogue.all()[:3]]
    many = [authority.id for authority in library.catalogue.all()[:40]]
    for wanted in (few, many, []):
        ids, _ = library.lexical(tokens, 100, wanted)
        assert sorted(library.documents_of(ids)) == sorted(wanted)
        assert sorted(library.lexical_documents(tokens, 100, wanted)[0].tolist()) == sorted(wanted)


def test_codes_give_the_first_places_to_the_vectors_in_the_file(
    folder: Path, config: IndexerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library too large for all vectors in memory answers as one that is not, in its first places."""
    for number in range(1, 80):
        (folder / f"{number}.md").write_text(judgment(number, f"The harbour of case {number}."))
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    store = Store(config.index)
    store.use_embedder("test", 384)
    pending = [passage for passage, _ in store.pending(1_000)]
    rows = np.random.default_rng(4).normal(size=(len(pending), 384))
    # All of them near each other, so that rounding to bytes alone would mix them up.
    rows = 12 * rows[0] + rows
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    store.put_vectors(pending, rows.astype(np.float32))
    store.close()
    exact = Library(config.index)
    monkeypatch.setattr(arrays, "VectorMatrix", partial(VectorMatrix, coded_from=10))
    coded = Library(config.index)
    probe = rows[5].astype(np.float32)
    held = exact.catalogue.all()[0].id
    for documents in (None, [held]):
        wanted = exact.nearest(probe, 60, documents)
        found = coded.nearest(probe, 60, documents)
        assert len(found[0]) == len(wanted[0])
        assert found[0][:5].tolist() == wanted[0][:5].tolist()
        np.testing.assert_allclose(found[1][:5], wanted[1][:5], rtol=1e-6)
        assert coded.nearest(probe, 3, documents)[0].tolist() == wanted[0][:3].tolist()
    assert len(coded.nearest(probe, 0)[0]) == 0
    close = coded.vector(pending[7])
    assert close is not None
    assert float(close @ rows[7]) == pytest.approx(1, abs=1e-3)
    store = Store(config.index)
    path = folder / "81.md"
    path.write_text(judgment(81, "The harbour of another case."))
    store.close()
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    store = Store(config.index)
    ((new, _),) = store.pending(1)
    store.put_vectors([new], probe[None, :])
    store.close()
    coded.refresh()
    assert coded.nearest(probe, 1)[0].tolist() == [min(new, pending[5])]
    assert {*coded.nearest(probe, 2)[0].tolist()} == {new, pending[5]}
    exact.close()
    coded.close()


def test_a_cancelled_search_stops(
    folder: Path, indexer: Indexer, open_library: Callable[[], Library]
) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot."))
    indexer.reconcile()
    library = open_library()
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        library.lexical(["pilot"], 5, None, token)


def test_the_library_is_complete_once_its_folders_were_read(folder: Path, config: IndexerConfig) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot."))
    indexer = Indexer(config)
    library = Library(config.index)
    assert not library.complete
    indexer.update_paths(frozenset({str(folder / "a.md")}))
    library.refresh()
    assert len(library.catalogue.all()) == 1
    assert not library.complete
    indexer.reconcile()
    assert library.refresh()
    assert library.complete
    library.close()
    indexer.close()


def test_a_file_of_a_later_version_is_refused(config: IndexerConfig) -> None:
    store = Store(config.index)
    store._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    store.close()
    with pytest.raises(IndexTooNew, match="schema version"):
        Library(config.index)
    with pytest.raises(IndexTooNew):
        Store(config.index)


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_a_file_of_an_earlier_version_keeps_its_documents_and_reads_them_again(
    version: int, config: IndexerConfig
) -> None:
    connection = open_writer(config.index)
    for step in range(1, version + 1):
        connection.execute(
            Path(lexls.index.__file__).with_name("migrations").joinpath(f"{step}.sql").read_text()
        )
    connection.execute(f"PRAGMA user_version = {version}")
    names, values = (", part, docket, sources", ", '', '[]', '{}'") if version > 5 else ("", "")
    connection.execute(
        "INSERT INTO documents (id, generation, library, relative, size, mtime_ns, hash, title, short_title,"
        f" citations, keys, court, date, kind, jurisdiction, warnings{names})"
        f" VALUES (1, 1, 'law', 'a.md', 9, 9, x'aa', 'A', 'A', '[]', '[]', '', '', '', '', '[]'{values})"
    )
    connection.execute("INSERT INTO texts VALUES (1, 'The pilot steered.', x'')")
    connection.close()
    Store(config.index).close()
    connection = open_writer(config.index)
    assert connection.execute("SELECT size, hash FROM documents").fetchall() == [(-1, b"")]
    assert connection.execute("SELECT text FROM texts").fetchall() == [("The pilot steered.",)]
    assert connection.execute("PRAGMA user_version").fetchall() == [(SCHEMA_VERSION,)]


def test_an_index_without_tables_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "empty.sqlite3").write_bytes(b"")
    with pytest.raises(SchemaNotReady):
        Library(tmp_path / "empty.sqlite3")


def test_the_index_is_its_owners_alone(config: IndexerConfig) -> None:
    Store(config.index).close()
    assert config.index.stat().st_mode & 0o077 == 0


def test_vectors_of_another_model_take_the_place_of_those_before(
    folder: Path, config: IndexerConfig, open_library: Callable[[], Library]
) -> None:
    (folder / "a.md").write_text(judgment(1, "An anchor drags.", "A berth is let."))
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()

    def embed(name: str, dimension: int) -> None:
        store = Store(config.index)
        store.use_embedder(name, dimension)
        batch = [passage for passage, _ in store.pending(100)]
        store.put_vectors(batch, np.eye(len(batch), dimension, dtype=np.float32))
        store.close()

    embed("first", 8)
    library = open_library()
    eight, four = np.eye(1, 8, dtype=np.float32)[0], np.eye(1, 4, dtype=np.float32)[0]
    found, _ = library.nearest(eight, 1)
    assert len(found) == 1
    assert len(library.nearest(four, 1)[0]) == 0
    embed("second", 4)
    assert library.refresh()
    assert len(library.nearest(eight, 1)[0]) == 0
    assert library.nearest(four, 1)[0].tolist() == found.tolist()
    assert library.status.embedder == "second"
    assert library.vector_share == 1.0
