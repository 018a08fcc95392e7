"""The index of a record: apart from the library's, with papers known by the names of their files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lexls.citations.model import fold
from lexls.citations.record import make_record_key
from lexls.index.config import make_indexer_config, make_record_config
from lexls.index.library import Library
from lexls.index.session import bring_up_to_date
from lexls.settings.declaration import Settings

CASE = """\
---
title: Carrow v Luff
citation: "[2014] UKSC 12"
kind: case
---

[1] As was said in Pell v Stark [2009] UKSC 31 at [2], a carrier keeps his route.
"""


def test_a_record_has_an_index_of_its_own_and_is_no_part_of_the_library(tmp_path: Path) -> None:
    library, exhibits = tmp_path / "matter", tmp_path / "matter" / "exhibits"
    exhibits.mkdir(parents=True)
    (library / "carrow.md").write_text(CASE, encoding="utf-8")
    (exhibits / "Ex. 4.md").write_text(CASE, encoding="utf-8")
    settings = Settings(record_folders=(exhibits,), embeddings_model="")
    own = make_indexer_config([library], settings, tmp_path / "library.sqlite3")
    record = make_record_config(settings)
    assert record is not None
    assert record.index not in (own.index, make_indexer_config([library], settings).index)
    assert record.embedder == ""
    record = replace(record, index=tmp_path / "record.sqlite3")
    for config in (own, record):
        bring_up_to_date(config)
    held, papers = Library(own.index), Library(record.index)
    assert [each.relative for each in held.catalogue.all()] == ["carrow.md"]
    (paper,) = papers.catalogue.all()
    assert (paper.relative, paper.title, paper.kind) == ("Ex. 4.md", "Ex. 4", "exhibit")
    assert papers.catalogue.find_key("[2014] UKSC 12") == ()
    assert papers.catalogue.find_folded(fold(make_record_key("ex 4"))) == (paper.id,)
    assert papers.graph.find_cited(paper.id) == []
    held.close()
    papers.close()


def test_without_a_folder_there_is_no_record() -> None:
    assert make_record_config(Settings(record_folders=())) is None


def test_a_file_that_comes_is_a_paper_and_one_that_goes_is_none(tmp_path: Path) -> None:
    exhibits = tmp_path / "exhibits"
    exhibits.mkdir()
    config = make_record_config(Settings(record_folders=(exhibits,)))
    assert config is not None
    config = replace(config, index=tmp_path / "record.sqlite3")
    (exhibits / "Ex. 4.txt").write_text("A receipt for two ropes.\n", encoding="utf-8")
    bring_up_to_date(config)
    papers = Library(config.index)
    (exhibits / "Ex. 4.txt").rename(exhibits / "Ex. 5.txt")
    bring_up_to_date(config)
    papers.refresh()
    found = [papers.catalogue.find_folded(fold(make_record_key(key))) for key in ("ex 4", "ex 5")]
    papers.close()
    assert [len(each) for each in found] == [0, 1]
