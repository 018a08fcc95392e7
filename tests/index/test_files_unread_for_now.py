"""A file that is there and cannot be read for a while stays in the index as it was, and that is said."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from small_law import judgment

from lexls.index.config import IndexerConfig
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.verify import verify

NAMES = ("a.md", "b.docx.md", "metadata.csv", "reports.jsonl")
NOON = datetime(2031, 5, 4, 12, tzinfo=UTC).timestamp()
SAYS = "could not be read just now ({}), and is shown as it was on 4 May 2031"


@pytest.fixture
def full(folder: Path, indexer: Indexer) -> Indexer:
    """An indexer that has read two judgments, a table that describes one, and a file of two more."""
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    (folder / "b.docx.md").write_text("The cottage stood empty.\n")
    (folder / "metadata.csv").write_text("file,title\nb.docx.md,Cottage Act 1901\n")
    records = [{"name": f"Weir v Luff (No {n})", "text": f"Eels, {n}. " * 20} for n in (1, 2)]
    (folder / "reports.jsonl").write_text("\n".join(map(json.dumps, records)))
    for name in NAMES:
        os.utime(folder / name, (NOON, NOON))
    assert indexer.reconcile().added == 4
    return indexer


def fail_to_read(path: Path) -> None:
    """What is read at its beginning is an input/output error of the system."""
    path.symlink_to("/proc/self/mem")


def fail_to_look(path: Path) -> None:
    """The system cannot even say whether there is anything."""
    path.symlink_to("x" * 300)


def forbid(path: Path) -> None:
    path.touch()
    path.chmod(0)


@pytest.mark.parametrize(
    ("befall", "reason"),
    [
        pytest.param(
            fail_to_read,
            "input/output error",
            marks=pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="there is no /proc"),
        ),
        (fail_to_look, "file name too long"),
        pytest.param(
            forbid,
            "permission denied",
            marks=pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="all may be read"),
        ),
    ],
)
@pytest.mark.parametrize("at_start", [False, True])
def test_what_is_known_of_a_file_is_kept_until_it_can_be_read(
    full: Indexer,
    folder: Path,
    config: IndexerConfig,
    open_library: Callable[[], Library],
    befall: Callable[[Path], None],
    reason: str,
    at_start: bool,
) -> None:
    library = open_library()
    before = library.status.counts()
    for name in NAMES:
        (folder / name).rename(folder.parent / name)
        befall(folder / name)
    changed = frozenset(str(folder.resolve() / name) for name in NAMES)
    assert (full.reconcile() if at_start else full.update_paths(changed)).removed == 0
    assert library.status.counts() == before
    assert {each.path.name: each.reason for each in library.status.failed()} == dict.fromkeys(
        NAMES, SAYS.format(reason)
    )
    library.refresh()
    assert "Cottage Act 1901" in {each.title for each in library.catalogue.all()}
    assert verify(config).differences == ()
    for name in NAMES:
        (folder.parent / name).replace(folder / name)
    full.reconcile()
    assert library.status.failed() == []
    assert library.status.counts() == before


def test_a_file_that_is_gone_is_gone(
    full: Indexer, folder: Path, open_library: Callable[[], Library]
) -> None:
    for name in NAMES:
        (folder / name).unlink()
        fail_to_look(folder / name)
    full.reconcile()
    (folder / "a.md").unlink()
    (folder / "b.docx.md").unlink()
    (folder / "b.docx.md").symlink_to("nothing there")
    full.reconcile()
    library = open_library()
    assert {each.relative for each in library.catalogue.all()} == {"reports.jsonl"}
    failed = {each.path.name: each.reason for each in library.status.failed()}
    assert failed.keys() == {"b.docx.md", "metadata.csv", "reports.jsonl"}
    assert failed["b.docx.md"] == "broken symbolic link"
