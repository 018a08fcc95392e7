"""Titles that are code somewhere: whatever shows them shows them as text."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
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
