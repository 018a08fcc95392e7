"""Files of several documents in the index: each record an authority, and only what changed is read."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lexls.index.config import IndexerConfig
from lexls.index.corpus_update import NAMED_PROBLEMS, CorpusUpdate
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.reconcile import FileKey, FileState
from lexls.index.rows import FailedDocument
from lexls.index.store import Store
from lexls.library.readers import find_corpus

Open = Callable[[], Library]
FILLER = "The harbour keeps its own accounts of tolls, and the carrier pays what they say. " * 3


def case(number: int, words: str = "The pilot answers for the lighter.") -> dict[str, Any]:
    return {
        "id": f"c{number}",
        "title": f"Ostler v Harbour Board (No {number})",
        "citation": f"[2015] UKSC {number}",
        "text": f"{words}\n\n{FILLER}",
    }


def as_lines(*records: dict[str, Any] | str) -> str:
    return "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in records)


def as_table(*records: dict[str, Any]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue()


def parts(library: Library) -> dict[str, int]:
    library.refresh()
    return {authority.part: authority.id for authority in library.catalogue.all()}


def find(library: Library, citation: str) -> Any:
    (number,) = library.catalogue.find_key(citation)
    return library.catalogue.get(number)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("cases.jsonl", as_lines),
        ("cases.json", lambda *records: json.dumps(records, indent=2)),
        ("cases.json", lambda *records: json.dumps(records)),
        ("page.json", lambda *records: json.dumps({"count": 3, "next": None, "results": records}, indent=1)),
        ("cases.csv", as_table),
    ],
)
def test_each_record_is_an_authority(
    folder: Path, indexer: Indexer, open_library: Open, name: str, write: Callable[..., str]
) -> None:
    (folder / name).write_text(write(case(1), case(2, "A “barge” é is no ship."), case(3)))
    tally = indexer.reconcile()
    assert (tally.added, tally.failed) == (3, [])
    library = open_library()
    assert list(parts(library)) == ["c1", "c2", "c3"]
    second = find(library, "[2015] UKSC 2")
    assert (second.title, second.relative) == ("Ostler v Harbour Board (No 2)", name)
    assert library.catalogue.find_path(second.path) is None
    text = library.contents.text(second.id)
    start = text.index("barge")
    shown = library.locate(second.id, start, start + 5)
    assert shown is not None
    assert shown.text[shown.start : shown.end] == "barge"
    assert shown.file.read_text() == shown.text
    source = (folder / name).read_text()
    place = library.locate_in_file(second.id, start, start + 5)
    if place is not None:
        # Lines count as in the file, of which only the record's are there.
        assert place.text[place.start : place.end] == "barge"
        assert place.text.count("\n", 0, place.start) == source.count("\n", 0, source.index("barge"))
    else:
        assert name.endswith(".csv") or "\n" not in source


def test_only_the_records_that_changed_are_read_again(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    path = folder / "cases.jsonl"
    path.write_text(as_lines(*map(case, range(1, 6))))
    indexer.reconcile()
    library = open_library()
    before = parts(library)
    path.write_text(as_lines(case(9), case(1), case(2), case(3, "A buoy is no ship."), case(5)))
    tally = indexer.reconcile()
    assert (tally.added, tally.changed, tally.removed) == (1, 1, 1)
    after = parts(library)
    assert sorted(after) == ["c1", "c2", "c3", "c5", "c9"]
    assert {part for part in after if after[part] == before.get(part)} == {"c1", "c2", "c5"}
    # What was only moved opens where it stands now.
    place = library.locate_in_file(after["c5"], 0, 3)
    assert place is not None
    assert place.text.count("\n", 0, place.start) == 4
    assert indexer.reconcile().changed == 0


def test_records_without_a_name_are_named_by_their_lines(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    path = folder / "cases.jsonl"
    records = [{key: value for key, value in case(n).items() if key != "id"} for n in range(1, 5)]
    path.write_text(as_lines(*records))
    indexer.reconcile()
    library = open_library()
    before = parts(library)
    assert list(before) == ["line 1", "line 2", "line 3", "line 4"]
    path.write_text(as_lines(records[2], "", records[0], {**records[1], "text": FILLER}, records[3]))
    tally = indexer.reconcile()
    assert (tally.added, tally.changed, tally.removed) == (1, 0, 1)
    after = parts(library)
    assert after["line 1"] == before["line 3"]
    assert after["line 3"] == before["line 1"]
    assert after["line 5"] == before["line 4"]
    assert sorted(after) == ["line 1", "line 3", "line 4", "line 5"]


def test_a_name_that_two_records_have_is_the_first_ones(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    (folder / "cases.jsonl").write_text(as_lines(case(1), {**case(2), "id": "c1"}, case(1)))
    assert indexer.reconcile().added == 3
    assert sorted(parts(open_library())) == ["c1", "line 2", "line 3"]


def test_broken_records_are_named_and_the_others_read(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    path = folder / "cases.jsonl"
    path.write_text(as_lines("{broken", case(1), case(2), '{"id": 7, "note": "no text"}', "[1, 2]", case(3)))
    tally = indexer.reconcile()
    assert tally.added == 3
    reasons = ["line 1: not valid JSON", "2 records: no text of an authority in it"]
    assert [each.reason for each in tally.failed] == reasons
    library = open_library()
    assert [(each.path.name, each.reason) for each in library.status.failed()] == [
        ("cases.jsonl", reason) for reason in reasons
    ]
    path.write_text(as_lines(case(1), case(2), *["{"] * 50))
    tally = indexer.reconcile()
    assert len(tally.failed) == NAMED_PROBLEMS + 1
    assert tally.failed[-1].reason == "30 more records cannot be read"
    path.write_text(as_lines(case(1), case(2)))
    assert indexer.reconcile().failed == []
    assert library.status.failed() == []


def test_one_object_over_several_lines_is_one_document(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    for name in ("a.jsonl", "b.json"):
        (folder / name).write_text(json.dumps(case(1), indent=1))
    assert indexer.reconcile().added == 2
    assert list(parts(open_library())) == [""]


def test_a_file_becomes_one_document_and_several_again(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    path = folder / "cases.jsonl"
    library = None
    for count, added, removed in ((1, 1, 0), (3, 3, 1), (1, 0, 0), (2, 2, 1), (0, 0, 2)):
        path.write_text(as_lines(*map(case, range(count))))
        tally = indexer.reconcile()
        library = library or open_library()
        assert len(parts(library)) == count, count
        if added and removed:
            assert (tally.added, tally.removed) == (added, removed)
    path.unlink()
    indexer.reconcile()
    assert indexer._store.known_files() == {}


def test_a_moved_corpus_is_not_read_again(folder: Path, indexer: Indexer, open_library: Open) -> None:
    path = folder / "cases.jsonl"
    path.write_text(as_lines(case(1), case(2)))
    indexer.reconcile()
    library = open_library()
    before = parts(library)
    (folder / "old").mkdir()
    shutil.move(path, folder / "old" / "cases.jsonl")
    indexer.reconcile()
    assert parts(library) == before
    assert {each.relative for each in library.catalogue.all()} == {"old/cases.jsonl"}
    os.utime(folder / "old" / "cases.jsonl", (1, 1))
    assert indexer.reconcile().changed == 0
    shutil.rmtree(folder / "old")
    assert indexer.reconcile().removed == 2
    assert parts(library) == {}


def test_vectors_of_a_changed_record_are_kept(folder: Path, indexer: Indexer) -> None:
    path = folder / "cases.jsonl"
    path.write_text(as_lines(case(1, f"{FILLER * 8}\n\nOne."), case(2)))
    indexer.reconcile()
    store = indexer._store
    store.use_embedder("test", 8)
    batch = store.pending(100)
    vectors = np.random.default_rng(3).normal(size=(len(batch), 8)).astype(np.float32)
    store.put_vectors([passage for passage, _ in batch], vectors)
    path.write_text(as_lines(case(1, f"{FILLER * 8}\n\nTwo."), case(2)))
    indexer.reconcile()
    embedded, passages = store.embedding_counts()
    assert passages - 2 <= embedded < passages


def test_an_interrupted_reading_goes_on(folder: Path, config: IndexerConfig) -> None:
    path = folder / "cases.jsonl"
    path.write_text(as_lines(*map(case, range(40))))
    indexer = Indexer(config)
    put = indexer._store.put_document
    written: list[str] = []

    def put_some(rows: Any) -> Any:
        written.append(rows.part)
        if len(written) == 15:
            indexer.stop()
        return put(rows)

    indexer._store.put_document = put_some  # type: ignore[method-assign]
    indexer.reconcile()
    indexer.close()
    assert len(written) == 15
    indexer = Indexer(config)
    assert indexer.reconcile().added == 25
    assert indexer.reconcile().added == 0
    indexer.close()


def test_tables_and_lists_of_data_are_no_corpora(folder: Path, indexer: Indexer, open_library: Open) -> None:
    (folder / "a.csv").write_text("day,tons\n1,20\n2,30\n")
    (folder / "b.json").write_text(json.dumps([{"day": 1}, {"day": 2}]))
    (folder / "c.jsonl").write_text('{"day": 1}\n{"day": 2}\n')
    assert indexer.reconcile().added == 0
    library = open_library()
    assert library.status.failed() == []
    assert sorted((kind.suffix, kind.count) for kind in library.status.unread()) == [
        (".csv", 1),
        (".json", 1),
        (".jsonl", 1),
    ]


def test_a_record_may_be_as_large_as_a_file(folder: Path, config: IndexerConfig) -> None:
    large = replace(config, options=replace(config.options, max_bytes=4000))
    (folder / "cases.jsonl").write_text(as_lines(*map(case, range(50)), case(99, FILLER * 30)))
    indexer = Indexer(large)
    tally = indexer.reconcile()
    indexer.close()
    assert tally.added == 50
    assert [each.reason.partition(" than")[0] for each in tally.failed] == ["line 51: larger"]


def test_a_layout_of_the_users_own(folder: Path, config: IndexerConfig, open_library: Open) -> None:
    table = {
        "files": ["corpora/*.jsonl", "*.csv"],
        "text": ["meta.headnote", "words"],
        "title": "meta.parties",
        "citation": ["cites.*", "neutral"],
        "date": "day",
        "identity": "number",
        "values": {"kind": "case", "court": "Harbour Court"},
    }
    mapped = replace(config, options=replace(config.options, records=json.dumps([table])))
    records = [
        {
            "number": number,
            "meta": {"parties": f"Smew v Teal (No {number})", "headnote": "Of moorings."},
            "cites": [f"[2015] UKSC {number}"],
            "neutral": f"[2015] EWCA Civ {number}",
            "words": "The mooring held.",
        }
        for number in (1, 2)
    ]
    (folder / "corpora").mkdir()
    (folder / "corpora" / "a.jsonl").write_text(as_lines(*records))
    (folder / "b.csv").write_text("number,words,day\n8,No body at all.,2015-01-02\n9,Others are not.,\n")
    (folder / "c.jsonl").write_text(as_lines(*records))
    (folder / "d.csv").write_text("number,wording\n8,No text.\n9,Nor here.\n")
    indexer = Indexer(mapped)
    indexer.reconcile()
    indexer.close()
    library = open_library()
    first = find(library, "[2015] EWCA Civ 1")
    assert (first.part, first.title, first.citation) == ("1", "Smew v Teal (No 1)", "[2015] UKSC 1")
    assert (first.kind, first.court) == ("case", "Harbour Court")
    assert library.contents.text(first.id) == "Of moorings.\n\nThe mooring held."
    assert sorted(parts(library)) == ["1", "2", "8", "9"]
    where = "in the first records, where library.records in lexls.toml has the"
    assert {(each.path.name, each.reason) for each in library.status.failed()} == {
        ("a.jsonl", f'no "day" {where} date'),
        ("b.csv", f'no "meta.parties" {where} title'),
        ("b.csv", f'no "cites.*", "neutral" {where} citation'),
        ("d.csv", 'no text in "meta.headnote", "words", where library.records in lexls.toml says it is'),
    }


def test_a_file_with_a_record_whose_reader_was_killed_is_read_again(
    folder: Path, config: IndexerConfig
) -> None:
    path = folder / "cases.jsonl"
    path.write_text(as_lines(case(1), case(2)))
    found = path.stat()
    state = FileState(FileKey(str(folder), path.name), found.st_size, found.st_mtime_ns)
    corpus = find_corpus(path, 2**20, None)
    assert corpus is not None
    with closing(Store(config.index)) as store:
        for retry in (False, True):
            reading = CorpusUpdate(store, state, corpus)
            reading.begin()
            for record in reading.list_fresh():
                reading.put(FailedDocument(record.file, "it cannot be read", retry, record.record.place))
            reading.end()
            assert (store.known_at(state.key)[state.key][0] < 0) is retry
