"""The citation graph with its treatments: kept current with the files and through an upgrade."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from small_law import judgment

from lexls.index.config import READING, IndexerConfig
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.records import TreatedIn
from lexls.index.store import Store

FIRST = "Ostler v Harbour Board (No 1) [2015] UKSC 1"
Open = Callable[[], Library]


def treated(library: Library, key: str) -> list[tuple[str, str, str]]:
    """Of the authority with a citation: how, by which file, as which file says."""
    library.refresh()
    (document,) = library.catalogue.find_key(key)
    return [(each.treatment, _file(library, each.treating), _file(library, each.citing)) for each in
            library.graph.find_treatments(document)]  # fmt: skip


def worst(library: Library, key: str) -> TreatedIn | None:
    library.refresh()
    (document,) = library.catalogue.find_key(key)
    return library.graph.find_worst_treatment(document)


def _file(library: Library, document: int | None) -> str:
    authority = library.catalogue.get(document) if document is not None else None
    return authority.relative if authority is not None else ""


def test_treatments_come_change_and_go_with_the_files(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot answers for the lighter."))
    (folder / "b.md").write_text(judgment(2, f"We follow {FIRST}."))
    indexer.reconcile()
    library = open_library()
    assert treated(library, "[2015] UKSC 1") == [("followed", "b.md", "b.md")]
    assert worst(library, "[2015] UKSC 1") is None

    (folder / "c.md").write_text(judgment(3, f"We overrule {FIRST}."))
    indexer.reconcile()
    assert treated(library, "[2015] UKSC 1") == [("overruled", "c.md", "c.md"), ("followed", "b.md", "b.md")]
    found = worst(library, "[2015] UKSC 1")
    assert found is not None
    said = library.contents.text(found.citing)[found.sentence_start : found.sentence_end]
    assert said == f"[1] We overrule {FIRST}."
    assert library.contents.text(found.citing)[found.start : found.end] == FIRST

    (folder / "c.md").write_text(judgment(3, f"We distinguish {FIRST}."))
    indexer.reconcile()
    assert treated(library, "[2015] UKSC 1")[0] == ("distinguished", "c.md", "c.md")
    assert worst(library, "[2015] UKSC 1") is None

    (folder / "c.md").unlink()
    indexer.reconcile()
    assert treated(library, "[2015] UKSC 1") == [("followed", "b.md", "b.md")]


def test_a_treatment_is_by_the_authority_that_the_sentence_names(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot answers for the lighter."))
    (folder / "d.md").write_text(judgment(4, f"{FIRST} was overruled in Orme v Luff [2016] UKSC 9."))
    indexer.reconcile()
    library = open_library()
    found = worst(library, "[2015] UKSC 1")
    assert found is not None
    assert (found.treating, found.by) == (None, "[2016] UKSC 9")
    later = judgment(9, "We heard argument.").replace("[2015] UKSC 9", "[2016] UKSC 9")
    (folder / "e.md").write_text(later)
    indexer.reconcile()
    assert treated(library, "[2015] UKSC 1") == [("overruled", "e.md", "d.md")]


def test_what_a_document_says_of_itself_is_no_treatment(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    (folder / "a.md").write_text(judgment(1, f"Our decision in {FIRST} is overruled in part."))
    indexer.reconcile()
    assert treated(open_library(), "[2015] UKSC 1") == []


def test_who_cites_is_told_with_the_treatment(folder: Path, indexer: Indexer, open_library: Open) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot answers for the lighter."))
    (folder / "b.md").write_text(judgment(2, f"See {FIRST} at [1].", "I would overrule Ostler."))
    indexer.reconcile()
    library = open_library()
    (first,), (second,) = (
        library.catalogue.find_key("[2015] UKSC 1"),
        library.catalogue.find_key("[2015] UKSC 2"),
    )
    assert [(each.pinpoint, each.treatment) for each in library.graph.find_citing(first)] == [
        (("1",), "cited"),
        ((), "overruled"),
    ]
    assert [(each.treatment, target) for each, target in library.graph.find_cited(second)] == [
        ("cited", first),
        ("overruled", first),
    ]


def test_the_words_most_quoted_are_those_that_pinpoints_and_quotations_lead_to(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    rule = "A lighter that has no lights by night answers for every vessel that strikes her."
    (folder / "a.md").write_text(
        judgment(1, "The facts are these.", f"I pass on. {rule} So it is.", "Dismissed.")
    )
    (folder / "b.md").write_text(judgment(2, f"It was said: “{rule}”: {FIRST} at [2]."))
    (folder / "c.md").write_text(judgment(3, f"A barge must carry lights: {FIRST} at [2]."))
    (folder / "d.md").write_text(judgment(4, f"The appeal was dismissed: {FIRST} at [3]."))
    indexer.reconcile()
    library = open_library()
    (document,) = library.catalogue.find_key("[2015] UKSC 1")
    found = library.graph.find_most_quoted(document)
    assert found is not None
    assert library.contents.text(document)[found.start : found.end] == rule
    assert found.text == rule
    assert (found.kind, found.label, found.count) == ("paragraph", "2", 2)
    (nobody,) = library.catalogue.find_key("[2015] UKSC 4")
    assert library.graph.find_most_quoted(nobody) is None


def test_without_pinpoints_the_sentence_most_quoted_is_found(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    rule = "A lighter that has no lights by night answers for every vessel that strikes her."
    (folder / "a.md").write_text(judgment(1, f"I pass on. {rule} So it is."))
    (folder / "b.md").write_text(judgment(2, f"‘{rule}’ {FIRST}."))
    indexer.reconcile()
    library = open_library()
    (document,) = library.catalogue.find_key("[2015] UKSC 1")
    found = library.graph.find_most_quoted(document)
    assert found is not None
    assert library.contents.text(document)[found.start : found.end] == rule
    assert (found.kind, found.count) == ("", 1)


def test_jurisdictions_are_counted(folder: Path, indexer: Indexer, open_library: Open) -> None:
    for number in (1, 2):
        (folder / f"{number}.md").write_text(judgment(number, "The harbour."))
    (folder / "3.md").write_text(judgment(3, "The harbour.").replace("jurisdiction: UK", "jurisdiction: AU"))
    indexer.reconcile()
    library = open_library()
    assert list(library.catalogue.jurisdictions().items()) == [("UK", 2), ("AU", 1)]
    (folder / "1.md").unlink()
    (folder / "2.md").unlink()
    indexer.reconcile()
    library.refresh()
    assert dict(library.catalogue.jurisdictions()) == {"AU": 1}


def index_with_vectors(folder: Path, config: IndexerConfig) -> tuple[Store, np.ndarray]:
    """An index of two judgments, of which one overrules the other, and the vectors of their passages."""
    (folder / "a.md").write_text(judgment(1, "The pilot answers for the lighter."))
    (folder / "b.md").write_text(judgment(2, f"We overrule {FIRST}."))
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    store = Store(config.index)
    store.use_embedder("test", 8)
    batch = store.pending(100)
    vectors = np.random.default_rng(3).normal(size=(len(batch), 8)).astype(np.float32)
    store.put_vectors([passage for passage, _ in batch], vectors)
    return store, vectors


def test_an_older_index_gets_its_treatments_and_keeps_its_vectors(
    folder: Path, config: IndexerConfig
) -> None:
    store, vectors = index_with_vectors(folder, config)
    # Back to the first version of the file, as an older lexls left it.
    connection = store._connection
    for table in (
        "treatments", "precedent_vectors", "precedent_postings", "precedent_keys", "precedents",
        "corpora", "record_places", "scanned_pages", "catalogues", "descriptions",
    ):  # fmt: skip
        connection.execute(f"DROP TABLE {table}")
    for column in ("role", "speaker", "label"):
        connection.execute(f"ALTER TABLE passages DROP COLUMN {column}")
    for column in ("docket", "sources"):
        connection.execute(f"ALTER TABLE documents DROP COLUMN {column}")
    for column in ("pinpoint_kind", "quote_start", "quote_end", "name", "year"):
        connection.execute(f"ALTER TABLE edges DROP COLUMN {column}")
    connection.execute("PRAGMA user_version = 1")
    store.close()

    indexer = Indexer(config)
    assert indexer._store.embedding_counts() == (len(vectors), len(vectors))
    tally = indexer.reconcile()
    assert tally.changed == 2
    assert indexer._store.embedding_counts() == (len(vectors), len(vectors))
    indexer.close()
    library = Library(config.index)
    assert treated(library, "[2015] UKSC 1") == [("overruled", "b.md", "b.md")]
    probe = vectors[0] / np.linalg.norm(vectors[0])
    assert len(library.nearest(probe, 100)[0]) == len(vectors)
    library.close()


def test_a_judgment_without_a_citation_is_found_by_the_one_that_others_give_it(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    bare = judgment(7, "The pilot answers for the lighter.").replace(
        'citation: "[2015] UKSC 7"\n', "date: 2015-03-02\n"
    )
    (folder / "a.md").write_text(bare)
    said = "Ostler v. The Harbour Board (No. 7) [2015] 2 WLR 30"
    (folder / "b.md").write_text(judgment(2, f"We overrule {said}.", "See [2015] 2 WLR 30 at 31."))
    (folder / "c.md").write_text(judgment(3, "See Ostler v Harbour Board (No 7) [2009] 1 WLR 8."))
    indexer.reconcile()
    library = open_library()
    (document,) = library.catalogue.find_key("[2015] 2 WLR 30")
    assert _file(library, document) == "a.md"
    assert treated(library, "[2015] 2 WLR 30") == [("overruled", "b.md", "b.md")]
    assert library.graph.count_citing(document) == 1
    assert len(library.graph.find_citing(document)) == 2
    assert library.catalogue.find_key("[2009] 1 WLR 8") == ()
    (folder / "b.md").unlink()
    indexer.reconcile()
    library.refresh()
    assert library.catalogue.find_key("[2015] 2 WLR 30") == ()


def test_two_judgments_of_one_name_get_no_citation_by_it(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    bare = judgment(7, "The pilot.").replace('citation: "[2015] UKSC 7"\n', "date: 2015-03-02\n")
    (folder / "a.md").write_text(bare)
    (folder / "again.md").write_text(bare.replace("2015-03-02", "2014-03-02").replace("pilot", "tug"))
    (folder / "b.md").write_text(judgment(2, "See Ostler v Harbour Board (No 7) [2015] 2 WLR 30."))
    indexer.reconcile()
    assert open_library().catalogue.find_key("[2015] 2 WLR 30") == ()


def test_a_volume_that_several_judgments_cite_is_one_that_there_is(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    (folder / "a.md").write_text(judgment(1, "See Merle v Dask (1931) 180 CLR 266."))
    (folder / "b.md").write_text(judgment(2, "See Merle v Dask [1931] UKSC 4."))
    indexer.reconcile()
    library = open_library()
    library.refresh()
    assert not library.graph.attests("(1931) 180 CLR 7", 1931)

    (folder / "c.md").write_text(
        judgment(3, "See Orme v Roe (1931) 180 CLR 300; Merle v Dask [1931] UKSC 4.")
    )
    indexer.reconcile()
    library.refresh()
    assert library.graph.attests("(1931) 180 CLR 7", 1931)
    assert not library.graph.attests("(1932) 180 CLR 7", 1932)
    assert library.graph.attests("[1931] UKSC 4", 1931)
    assert library.graph.count_citing_key("[1931] UKSC 4", 1931) == 2
    assert library.graph.count_citing_key("[1931] UKSC 4", 1932) == 0
    (third,) = library.catalogue.find_key("[2015] UKSC 3")
    assert library.graph.cites(third, "(1931) 180 CLR 300")
    assert not library.graph.cites(third, "(1931) 180 CLR 266")
    assert not library.graph.attests("[1931] UKSC 5", 1931)


def test_an_index_of_another_reading_is_read_again_and_keeps_its_vectors(
    folder: Path, config: IndexerConfig
) -> None:
    store, vectors = index_with_vectors(folder, config)
    # As an earlier reading, which knew less, left it.
    store._connection.execute("DELETE FROM treatments; UPDATE edges SET name = '', year = 0")
    store.set_meta("fingerprint", config.fingerprint(READING - 1))
    store.close()

    library = Library(config.index)
    assert treated(library, "[2015] UKSC 1") == []
    indexer = Indexer(config)
    assert indexer.reconcile().changed == 2
    assert indexer._store.embedding_counts() == (len(vectors), len(vectors))
    assert treated(library, "[2015] UKSC 1") == [("overruled", "b.md", "b.md")]
    assert indexer.reconcile().changed == 0
    indexer.close()
