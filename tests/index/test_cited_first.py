"""What drafts cite is read first, wherever its file stands in the order of names."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from small_law import judgment

from lexls.index.config import IndexerConfig
from lexls.index.indexer import Indexer
from lexls.index.reconcile import FileKey, FileState
from lexls.index.status import IndexStatus
from lexls.index.wanted import append_wishes, put_cited_first

NAMES = [
    "cases/Arden-v-Port-Authority_411-F-2d-12.md",
    "cases/Bell-Harbour-Inc-v-Orr_869-F-3d-848.md",
    "cases/Bell-Harbour-Inc-v-Stone_12-F-3d-7.md",
    "cases/Carrow-v-Meridian_12-F-3d-848.md",
    "contracts/LinnetRose_2018_EX-10_Content Licence Agreement.pdf",
    "contracts/LinnetRose_2019_EX-11_Supply Agreement.pdf",
]


def order(*cited: str, said: dict[str, str] | None = None, names: list[str] = NAMES) -> list[str]:
    files = [FileState(FileKey("/library", name), 1, 1) for name in names]
    describe = lambda key: (said or {}).get(key.relative, "")  # noqa: E731
    return [file.key.relative for file in put_cited_first(files, cited, describe)]


def test_a_name_with_the_citation_comes_before_one_that_is_like_it() -> None:
    assert order("Bell Harbour, Inc. v. Orr 869 F.3d 848")[0] == NAMES[1]
    assert order("Bell Harbour, Inc. v. Stone 12 F.3d 7")[0] == NAMES[2]


def test_citations_keep_their_order_and_the_rest_keeps_its_own() -> None:
    found = order("Linnet Content Licence Agreement", "Carrow v. Meridian 12 F.3d 848")
    assert found[:2] == [NAMES[4], NAMES[3]]
    assert sorted(found) == NAMES
    assert [name for name in NAMES if name not in found[:2]] == found[2:]


def test_what_no_name_is_like_changes_nothing() -> None:
    assert order("Nobody v. Known 1 U.S. 1") == NAMES
    assert order() == NAMES


def test_a_catalogue_names_files_whose_own_names_say_nothing() -> None:
    numbered = [f"{number:04}.txt" for number in range(9)]
    said = {"0007.txt": '{"title": "Fair Isobel v Pilot Board", "citation": "[2010] ASC 6"}'}
    assert order("Fair Isobel v Pilot Board [2010] ASC 6", said=said, names=numbered)[0] == "0007.txt"


def read_order(config: IndexerConfig) -> list[str]:
    with closing(Indexer(config)) as indexer:
        indexer.reconcile()
    with closing(IndexStatus(config.index)) as status:
        ids = status.document_ids()
    return [relative for _, relative, _ in sorted(ids, key=lambda place: ids[place])]


def test_the_indexer_reads_first_what_was_wished(folder: Path, config: IndexerConfig) -> None:
    for number in range(40):
        (folder / f"2015-UKSC-{number}-ostler.md").write_text(judgment(number, "The pilot ran aground."))
    append_wishes(config.index, ["Ostler v Harbour Board (No 33) [2015] UKSC 33"])
    found = read_order(config)
    assert found[0] == "2015-UKSC-33-ostler.md"
    assert len(found) == 40


def test_the_indexer_reads_catalogues_before_it_looks_for_what_was_wished(
    folder: Path, config: IndexerConfig
) -> None:
    for number in range(40):
        (folder / f"{number:03}.txt").write_text("1. The pilot ran the lighter aground at the bar.\n")
    rows = [f'{number:03}.txt,"Pell v Orr (No {number})",[2015] UKSC {number}' for number in range(40)]
    (folder / "metadata.csv").write_text("\n".join(["file,title,citation", *rows]) + "\n")
    append_wishes(config.index, ["Pell v Orr (No 33) [2015] UKSC 33"])
    assert read_order(config)[0] == "033.txt"
