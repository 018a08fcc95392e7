"""Titles that are code somewhere: whatever shows them shows them as text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from zipfile import ZipFile

import pytest
from docx import Document
from lxml import etree
from markdown_it import MarkdownIt

from lexls.citations.grammar import Grammar
from lexls.cli.main import main
from lexls.features.hover import hover
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TITLES = (
    "<img src=x onerror=alert(1)> v Rook",
    "[Vane](command:workbench.action.quit) v Rook",
    "Vane v </script><script>alert(1)</script>",
    "Vane v [Rook](javascript:alert(1))",
    "=cmd|'/C calc'!A0 v Rook",
    'Vane" onmouseover="alert(1) v Rook',
    "Vane v `Rook` ![x](https://example.test/x.png)",
    "Vane v Rook \x1b]0;owned\x07 \x1b[31m",
    "Vane v </title></style><svg/onload=alert(1)>",
)
CITATION = "[2019] UKSC 55"
DRAFT = (
    f"The rule is settled: Vane v Rook {CITATION} at [9]. “It never stood where the quay ended” {CITATION}.\n"
)


class Tags(HTMLParser):
    """What an HTML page has besides text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def make_matter(folder: Path, title: str) -> Path:
    (folder / "library").mkdir()
    head = f'---\ntitle: {json.dumps(title)}\ncitation: "{CITATION}"\nkind: case\n---\n'
    (folder / "library" / "a.md").write_text(f"{head}\n1. It stood where the quay ended.\n\n2. So it is.\n")
    draft = folder / "draft.md"
    draft.write_text(DRAFT)
    return draft


@pytest.mark.parametrize("title", TITLES)
def test_a_hover_shows_it_as_text(tmp_path: Path, title: str) -> None:
    make_matter(tmp_path, title)
    settings = Settings(jurisdiction="UK", embeddings_model="")
    library, _ = open_library([tmp_path / "library"], tmp_path / "x.sqlite3", settings, lexical_only=True)
    draft = DraftParser(Grammar.load(), "UK").parse("file:///draft", DRAFT, FORMATS["markdown"])
    shown = hover(Snapshot(draft, library, Searcher(library), settings), DRAFT.index("Vane"), CancelToken())
    library.close()
    assert shown is not None
    assert "Vane" in shown.markdown or "img" in shown.markdown
    for token in MarkdownIt("commonmark").parse(shown.markdown):
        kinds = {child.type for child in token.children or ()}
        assert not kinds & {"image", "html_inline"}
        assert token.type != "html_block"
        links = [child.attrs.get("href") for child in token.children or () if child.type == "link_open"]
        assert not any(str(each).startswith(("command:", "javascript:", "http")) for each in links)
    assert "\x1b" not in shown.markdown


@pytest.mark.parametrize("title", TITLES)
def test_a_report_shows_it_as_text(tmp_path: Path, title: str, capsys: pytest.CaptureFixture[str]) -> None:
    found: list[tuple[list[str], set[str]]] = []
    for number, name in enumerate((title, "Vane v Rook")):
        matter = tmp_path / str(number)
        matter.mkdir()
        draft, page = make_matter(matter, name), matter / "report.html"
        library = ["--library", str(matter / "library"), "--jurisdiction", "UK"]
        main(["check", *library, "--report", str(page), str(draft)])
        tags = Tags()
        tags.feed(page.read_text(encoding="utf-8"))
        found.append((tags.tags, {name for name, _ in tags.attributes}))
        assert not any(
            value.strip().casefold().startswith(("javascript:", "command:")) for _, value in tags.attributes
        )
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err
    (tags, attributes), (plain_tags, plain) = found
    assert not {each for each in attributes - plain if each.startswith("on")}
    assert {"img", "svg"}.isdisjoint(set(tags) - set(plain_tags))
    assert tags.count("script") == plain_tags.count("script")


FIELD_TITLES = (
    *TITLES,
    "Vane v Rook\\",
    'Vane\\" \\s "x v Rook',
    "Vane v { INCLUDETEXT c:/secret.txt } Rook",
    'Vane v Rook" } { DDEAUTO cmd "/C calc" } {',
)


def read_fields(document: Path) -> list[list[str]]:
    """The field codes of a Word document, each in its words as Word reads them: quoted ones whole."""
    root = etree.fromstring(ZipFile(document).read("word/document.xml"))
    found: list[str] = []
    inside = False
    for node in root.iter(f"{{{_WORD}}}fldChar", f"{{{_WORD}}}instrText", f"{{{_WORD}}}fldSimple"):
        kind = etree.QName(node).localname
        assert kind != "fldSimple"
        if kind == "instrText":
            assert inside
            found[-1] += node.text or ""
        else:
            inside = node.get(f"{{{_WORD}}}fldCharType") == "begin"
            found.extend([""] * inside)
    read = []
    for code in found:
        words = re.findall(r'\s*("(?:[^"\\]|\\.)*"|\\?[^\s"\\]+)', code)
        assert "".join(words) == re.sub(r'\s+(?=(?:[^"]*"[^"]*")*[^"]*$)', "", code), code
        read.append([re.sub(r"\\(.)", r"\1", each[1:-1]) if each[0] == '"' else each for each in words])
    return read


@pytest.mark.parametrize("title", FIELD_TITLES)
def test_a_field_of_a_word_copy_holds_it_as_text(tmp_path: Path, title: str) -> None:
    make_matter(tmp_path, title)
    brief, copy = tmp_path / "brief.docx", tmp_path / "copy.docx"
    written = Document()
    shown = "".join(sign for sign in title if sign.isprintable())
    written.add_paragraph(f"The rule is settled: {shown} {CITATION} at [2]. So {CITATION} at [1].")
    written.save(str(brief))
    library = ["--library", str(tmp_path / "library"), "--jurisdiction", "UK"]
    assert main(["table", *library, str(brief), "--output", str(copy)]) == 0
    whole, *later = read_fields(copy)
    assert [each[0] for each in (whole, *later)] == ["TOA", "TA", "TA"]
    assert later[0][2].count("\\") == title.count("\\")
