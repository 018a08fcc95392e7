"""Readable copies of authorities that an editor cannot open as text."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from lexls.index.library import write_copy
from lexls.index.records import Authority


def authority(number: int, path: Path) -> Authority:
    return Authority(
        id=number,
        path=path,
        library=path.parent,
        relative=path.name,
        title="Ash v Tern",
        short_title="",
        citations=(),
        court="",
        date="",
        kind="case",
        jurisdiction="",
        is_text=False,
    )


def test_requests_that_want_the_same_copy_at_once_all_get_it(tmp_path: Path) -> None:
    text = "The board is liable. " * 20_000
    together = Barrier(8)

    def ask(number: int) -> Path:
        together.wait(timeout=60)
        return write_copy(authority(number, tmp_path / "ash.pdf"), text, tmp_path / "views")

    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            files = set(pool.map(ask, [number] * 8))
            assert len(files) == 1
            [file] = files
            assert file.read_text(encoding="utf-8") == text
            assert [each.name for each in file.parent.iterdir()] == [file.name]
