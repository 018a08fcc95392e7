"""Review copies that follow the saves of a folder's Word documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from word_briefs import CITED, WRONG, make, paragraph, run
from word_changes import find_comments

from lexls.cli.main import parse
from lexls.cli.word_copies import ReviewCopies, hear_saves

Run = Any
"""``Run`` of conftest.py."""
RIGHT = make(paragraph(run(WRONG.replace("every", "each")), CITED))
FALSE = make(paragraph(run(WRONG), CITED))


def test_a_save_writes_the_copy_again_and_only_that(matter: Path) -> None:
    drafts = matter / "drafts"
    (drafts / "old").mkdir(parents=True)
    for name in ("brief.docx", "old/first.docx", "~$brief.docx"):
        (drafts / name).write_bytes(FALSE)
    copies = ReviewCopies(parse(["watch", "drafts"]))
    copies.renew()
    out = drafts / "lexls-review"
    assert {each.relative_to(out).as_posix() for each in out.rglob("*.docx")} == {
        "brief.docx",
        "old/first.docx",
    }
    assert find_comments((out / "brief.docx").read_bytes())
    other = (out / "old" / "first.docx").stat()
    with hear_saves(drafts) as saved:
        (drafts / "brief.docx").write_bytes(RIGHT)
        while find_comments((out / "brief.docx").read_bytes()):
            copies.renew(saved.get(timeout=60))
    assert (out / "old" / "first.docx").stat().st_mtime_ns == other.st_mtime_ns
    assert not list(out.rglob("*kept*"))
    assert (drafts / "brief.docx").read_bytes() == RIGHT


def test_a_copy_that_somebody_worked_in_is_kept(matter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (matter / "drafts").mkdir()
    draft, copy = matter / "drafts" / "brief.docx", matter / "drafts" / "lexls-review" / "brief.docx"
    draft.write_bytes(FALSE)
    ReviewCopies(parse(["watch", "drafts"])).renew()
    written = copy.read_bytes()
    # Started again, nothing has changed.
    again = ReviewCopies(parse(["watch", "drafts"]))
    again.renew()
    assert copy.read_bytes() == written
    copy.write_bytes(b"mine")
    draft.write_bytes(RIGHT)
    again.renew()
    assert copy.with_name("brief (kept 1).docx").read_bytes() == b"mine"
    assert copy.read_bytes() != written
    draft.write_bytes(b"PK\x03\x04 half")
    again.renew()
    assert "brief.docx: damaged DOCX file" in capsys.readouterr().err
    assert copy.exists()


def test_a_copy_tells_what_the_record_lacks(matter: Path) -> None:
    for name in ("drafts", "exhibits"):
        (matter / name).mkdir()
    (matter / "exhibits" / "Ex. 1 - Berth plan.txt").write_text("The plan shows nine berths.")
    (matter / "drafts" / "brief.docx").write_bytes(make(paragraph(run("The plan shows ten. Ex. 7."))))
    ReviewCopies(parse(["watch", "drafts"])).renew()
    (comment,) = find_comments((matter / "drafts" / "lexls-review" / "brief.docx").read_bytes()).values()
    assert "No file in exhibits/ is called" in comment


def test_copies_are_no_drafts_and_a_file_is_no_folder(lexls: Run, matter: Path) -> None:
    (matter / "drafts").mkdir()
    (matter / "drafts" / "brief.docx").write_bytes(FALSE)
    ReviewCopies(parse(["watch", "drafts"])).renew()
    found = lexls("check", "drafts", "--json").json["findings"]
    assert {Path(each["file"]).as_posix() for each in found} == {"drafts/brief.docx"}
    result = lexls("watch", "draft.md")
    assert (result.code, result.err) == (2, "lexls: draft.md: not a folder\n")
