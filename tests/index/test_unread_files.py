"""Files of kinds that nothing reads: named, and not drowned in what lies beside them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from small_law import judgment

from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.unread import describe_kinds

Open = Callable[[], Library]


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\x00\x01")


def told(library: Library, folder: Path) -> list[tuple[str, int, list[str]]]:
    return [
        (
            kind.suffix,
            kind.count,
            [Path(path).relative_to(folder.resolve()).as_posix() for path in kind.paths],
        )
        for kind in library.status.unread()
    ]


def test_kinds_are_counted_and_their_first_files_named(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    write(folder, *(f"advice {number}.wpd" for number in range(7)), "old/lease.XYW", "decision")
    write(
        folder,
        "a.png",
        "b.png",
        "c.zip",
        "lexls.toml",
        "brief.aux",
        ".hidden/x.wpd",
        "~$advice.wpd",
        "Thumbs.db",
    )
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    indexer.reconcile()
    library = open_library()
    assert told(library, folder) == [
        (".wpd", 7, [f"advice {number}.wpd" for number in range(5)]),
        ("", 1, ["decision"]),
        (".xyw", 1, ["old/lease.XYW"]),
        (".png", 2, []),
        (".zip", 1, []),
    ]
    assert describe_kinds(library.status.unread()) == "7 .wpd, 1 without a suffix, 1 .xyw, 2 .png, 1 .zip"
    assert library.status.counts()[0] == 1


def test_files_that_come_and_go_are_told_at_once(folder: Path, indexer: Indexer, open_library: Open) -> None:
    write(folder, "one.wpd", "more/two.wpd")
    indexer.reconcile()
    library = open_library()
    write(folder, "three.xyw", "new/four.xyw")
    (folder / "one.wpd").unlink()
    shutil.rmtree(folder / "more")
    root = folder.resolve()
    indexer.update_paths(frozenset(str(root / name) for name in ("three.xyw", "one.wpd", "more", "new")))
    assert told(library, folder) == [(".xyw", 2, ["new/four.xyw", "three.xyw"])]
    shutil.rmtree(folder / "new")
    (folder / "three.xyw").unlink()
    indexer.reconcile()
    assert told(library, folder) == []


def test_files_that_hold_no_authority_are_told_with_them(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    (folder / "library.json").write_text('[{"id": "fern", "title": "Fern v Elm"}]')
    (folder / "list.csv").write_text("file,title\na.md,Fern v Elm\n")
    (folder / "broken.json").write_text('{"title": ')
    write(folder, "a.wpd")
    indexer.reconcile()
    library = open_library()
    assert told(library, folder) == [
        (".wpd", 1, ["a.wpd"]),
        (".csv", 1, ["list.csv"]),
        (".json", 1, ["library.json"]),
    ]
    assert [each.path.name for each in library.status.failed()] == ["broken.json"]


def test_the_parts_of_a_saved_page_are_no_authorities(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    (folder / "Carrow.html").write_text("<p>The carrier lost the grain.</p>")
    write(folder, "Carrow_files/frame.asp", "Carrow_files/a.css", "loose_files/b.wpd")
    (folder / "Carrow_files" / "banner.html").write_text("<p>Advertisement for grain.</p>")
    (folder / "loose_files" / "b.html").write_text("<p>The miller lost the grain.</p>")
    indexer.reconcile()
    library = open_library()
    assert told(library, folder) == [(".wpd", 1, ["loose_files/b.wpd"])]
    assert sorted(each.relative for each in library.catalogue.all()) == ["Carrow.html", "loose_files/b.html"]
