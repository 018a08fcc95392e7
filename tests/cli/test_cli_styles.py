"""``lexls convert``, ``lexls table`` and the styles of ``lexls cite``."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from word_documents import write_word

Run = Any
"""``Run`` of conftest.py."""


def test_convert_prints_the_draft_in_the_style_and_leaves_the_file(lexls: Run, matter: Path) -> None:
    before = (matter / "draft.md").read_text(encoding="utf-8")
    result = lexls("convert", "draft.md", "--style", "mcgill")
    assert result.code == 0
    assert result.out == before.replace(
        "Tern Harbour Board* [2031] UKSC 12 at [2]", "Tern Harbour Board*, [2031] UKSC 12 at para 2"
    ).replace("*Gull v Heron* [1987]", "*Gull v Heron*, [1987]")
    assert "2 of 3 citations" in result.err
    assert (matter / "draft.md").read_text(encoding="utf-8") == before


def test_convert_changes_the_file_when_asked_to(lexls: Run, matter: Path) -> None:
    path = matter / "draft.md"
    path.write_bytes(b"\xef\xbb\xbfSee *Gull v. Heron*, [1987] UKHL 3 at [9].\r\n")
    result = lexls("convert", "draft.md", "--style", "oscola", "--write")
    assert (result.code, result.out) == (0, "")
    assert path.read_bytes() == b"\xef\xbb\xbfSee *Gull v Heron* [1987] UKHL 3 [9].\r\n"
    assert "0 of 1 citations" in lexls("convert", "draft.md", "--style", "oscola", "--write").err


def test_convert_takes_the_style_of_the_settings(lexls: Run, matter: Path) -> None:
    result = lexls("convert", "draft.md")
    assert (result.code, result.out) == (2, "")
    assert "no style" in result.err
    settings = matter / "lexls.toml"
    settings.write_text(
        settings.read_text(encoding="utf-8") + 'citations.style = "oscola"\n', encoding="utf-8"
    )
    assert "[2031] UKSC 12 [2]." in lexls("convert", "draft.md").out


def test_convert_needs_no_library(lexls: Run, tmp_path: Path, matter: Path) -> None:
    draft = tmp_path / "alone" / "draft.md"
    draft.parent.mkdir()
    draft.write_text("See *Bush v. Gore*, 531 U.S. 98 (2000).\n", encoding="utf-8")
    for name in ("lexls.toml",):
        (matter / name).unlink()
    (matter / "library").rename(matter / "elsewhere")
    result = lexls("convert", str(draft), "--style", "oscola", "--jurisdiction", "US")
    assert result.out == "See *Bush v Gore* 531 US 98 (2000).\n"


@pytest.mark.parametrize("command", [("convert", "--style", "oscola"), ("table",)])
def test_what_is_no_text_is_refused(lexls: Run, matter: Path, command: tuple[str, ...]) -> None:
    (matter / "brief.docx").write_bytes(b"PK")
    result = lexls(command[0], "brief.docx", *command[1:])
    assert result.code == 2
    assert "brief.docx" in result.err


def test_a_word_document_gets_a_copy_with_fields(lexls: Run, matter: Path) -> None:
    write_word(
        matter / "brief.docx",
        "Brief",
        "It binds: Weir v. Orr, 384 U.S. 4, 9 (1966). So Id. at 9.^[By 5 U.S.C. § 702.]]",
        "Again Weir, 384 U.S. at 7 (so held).",
    )
    before = (matter / "brief.docx").read_bytes()
    result = lexls("table", "brief.docx", "--output", "copy.docx", "--jurisdiction", "US")
    assert (result.code, result.out) == (0, "")
    assert (matter / "brief.docx").read_bytes() == before
    with zipfile.ZipFile(matter / "copy.docx") as archive:
        main = archive.read("word/document.xml").decode()
        notes = archive.read("word/footnotes.xml").decode()
    plain = re.sub(r"<w:instrText[^>]*>(.*?)</w:instrText>", r"{\1}", main)
    plain = re.sub(r"<[^>]+>", "", plain).replace("}{", "")
    whole, short = "Weir v. Orr, 384 U.S. 4 (1966)", '{ TA \\s "Weir v. Orr, 384 U.S. 4 (1966)" }'
    assert f'(1966){{ TA \\l "{whole}" \\s "{whole}" \\c 1 }}. So Id. at 9{short}.' in plain
    assert f"384 U.S. at 7{short} (so held)." in plain
    assert '{ TOA \\c "1" \\p }Weir v. Orr, 384 U.S. 4 (1966)' in plain
    assert '\\s "5 U.S.C. § 702" \\c 2 ' in notes
    assert "is there already" in lexls("table", "brief.docx", "--output", "copy.docx").err
    again = lexls("table", "copy.docx", "--output", "more.docx")
    assert again.code != 0
    assert not (matter / "more.docx").exists()


def test_a_table_of_pages_is_written_where_there_are_pages(lexls: Run, matter: Path) -> None:
    path = matter / "brief.typ"
    path.write_text("= Brief\n\n_Weir v. Orr_, 384 U.S. 4 (1966).\n", encoding="utf-8")
    assert lexls("table", "brief.typ", "--write", "--pages", "--jurisdiction", "US").code == 0
    assert "(1966).#metadata(none)<lexls-1>" in path.read_text(encoding="utf-8")
    assert lexls("table", "draft.md", "--write", "--pages").code == 0


def test_a_style_that_is_not_there_is_named(lexls: Run, matter: Path) -> None:
    result = lexls("convert", "draft.md", "--style", "chicago")
    assert result.code == 2
    assert "oscola" in result.err


def test_table_is_printed_and_written_once(lexls: Run, matter: Path) -> None:
    printed = lexls("table", "draft.md")
    assert printed.code == 0
    path = matter / "draft.md"
    before = path.read_text(encoding="utf-8")
    assert lexls("table", "draft.md", "--write").code == 0
    written = path.read_text(encoding="utf-8")
    assert written.startswith("# Skeleton argument\n\n<!-- lexls:table-of-authorities -->\n")
    assert printed.out.rstrip("\n") in written
    assert written.replace(printed.out.rstrip("\n") + "\n\n", "") == before
    assert "up to date" in lexls("table", "draft.md", "--write").err
    assert path.read_text(encoding="utf-8") == written
    entries = lexls("table", "draft.md", "--json").json["entries"]
    assert [each["authority"] for each in entries] == [
        "*Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12",
        "*Gull v Heron* [1987] UKHL 3",
    ]
    assert {each["group"] for each in entries} == {"cases"}


def test_a_table_with_one_mark_fails(lexls: Run, matter: Path) -> None:
    path = matter / "draft.md"
    path.write_text("Text.\n\n<!-- lexls:table-of-authorities -->\n", encoding="utf-8")
    result = lexls("table", "draft.md", "--write")
    assert result.code == 3
    assert "both its marks" in result.err


def test_cite_tells_how_a_style_writes_each_citation(lexls: Run, matter: Path) -> None:
    styled = [
        each["styled"] for each in lexls("cite", "draft.md", "--style", "oscola", "--json").json["citations"]
    ]
    assert styled[:2] == [
        "*Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12 [2]",
        "*Gull v Heron* [1987] UKHL 3",
    ]
    assert {each["styled"] for each in lexls("cite", "draft.md", "--json").json["citations"]} == {None}
    assert "    *Gull v Heron*, [1987] UKHL 3\n" in lexls("cite", "draft.md", "--style", "mcgill").out
