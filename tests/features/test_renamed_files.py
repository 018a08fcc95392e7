"""A renamed file is followed in everything that names it, in each format and spelling."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from lexls.features.renamed_files import RenamedFiles, find_edits, find_edits_of_tables
from lexls.reading.edit import apply_edits
from lexls.text.formats import format_of

FILES = (
    "library/carrow.md",
    "library/Carrow v Luff (2014).pdf",
    "exhibits/Ex 3.pdf",
    "parts/facts.tex",
    "parts/law.typ",
    "parts/note.adoc",
    "refs.bib",
    "main.tex",
    "drafts/memo.md",
    "plan.png",
)


def renamed(root: Path, draft: str, text: str, renames: Mapping[str, str]) -> str:
    for name in (*FILES, draft):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    files = RenamedFiles([(root / old, root / new) for old, new in renames.items()])
    path = root / draft
    return apply_edits(text, find_edits(text, path, format_of("", path.name), files))


CASES = [
    # A link of Markdown, with a place in the file, a title, brackets, encoded or not.
    (
        "a.md",
        "See [it](library/carrow.md#L4).",
        {"library/carrow.md": "library/luff.md"},
        "See [it](library/luff.md#L4).",
    ),
    (
        "a.md",
        '[it](./library/carrow.md "Carrow")',
        {"library/carrow.md": "old/carrow.md"},
        '[it](./old/carrow.md "Carrow")',
    ),
    (
        "a.md",
        "[it]: library/carrow.md\n",
        {"library/carrow.md": "library/luff.md"},
        "[it]: library/luff.md\n",
    ),
    (
        "a.md",
        "![x](<exhibits/Ex 3.pdf>) and [y](exhibits/Ex%203.pdf#page=2)",
        {"exhibits/Ex 3.pdf": "exhibits/Ex 4 (new).pdf"},
        "![x](<exhibits/Ex 4 (new).pdf>) and [y](exhibits/Ex%204%20%28new%29.pdf#page=2)",
    ),
    (
        "a.md",
        "[it](library/Carrow%20v%20Luff%20(2014).pdf)",
        {"library": "authorities"},
        "[it](authorities/Carrow%20v%20Luff%20%282014%29.pdf)",
    ),
    # What is no such file stays.
    ("a.md", "[it](https://example.com/library/carrow.md)", {"library/carrow.md": "x.md"}, None),
    ("a.md", "[it](library/other.md) library/carrow.md", {"library/carrow.md": "x.md"}, None),
    ("a.txt", "[it](library/carrow.md)", {"library/carrow.md": "x.md"}, None),
    # The draft itself moves, alone and with its folder.
    (
        "drafts/memo.md",
        "[it](../library/carrow.md)",
        {"drafts/memo.md": "memo.md"},
        "[it](library/carrow.md)",
    ),
    (
        "drafts/memo.md",
        "[it](../library/carrow.md)",
        {"drafts": "old/drafts"},
        "[it](../../library/carrow.md)",
    ),
    ("drafts/memo.md", "[it](memo.md)", {"drafts": "old"}, None),
    # Inclusions, with the suffix and without, below the folder of the main file.
    ("main.tex", "\\input{parts/facts}", {"parts/facts.tex": "parts/history.tex"}, "\\input{parts/history}"),
    ("main.tex", "\\include{ parts/facts.tex }", {"parts/facts.tex": "facts.tex"}, "\\include{ facts.tex }"),
    ("main.tex", "\\import{parts/}{facts}", {"parts": "chapters"}, "\\import{chapters/}{facts}"),
    (
        "parts/two.tex",
        "\\input{parts/facts}",
        {"parts/facts.tex": "parts/history.tex"},
        "\\input{parts/history}",
    ),
    (
        "parts/two.tex",
        "% !TeX root = ../main.tex\n\\input{parts/facts}",
        {"main.tex": "brief.tex"},
        "% !TeX root = ../brief.tex\n\\input{parts/facts}",
    ),
    ("a.typ", '#include "parts/law.typ"', {"parts/law.typ": "law.typ"}, '#include "law.typ"'),
    ("a.adoc", "include::parts/note.adoc[]", {"parts": "pieces"}, "include::pieces/note.adoc[]"),
    # Links of the other formats.
    (
        "main.tex",
        "\\href{library/carrow.md}{it}",
        {"library/carrow.md": "library/a_b.md"},
        "\\href{library/a\\_b.md}{it}",
    ),
    (
        "main.tex",
        "\\includegraphics[width=2cm]{plan.png}",
        {"plan.png": "site.png"},
        "\\includegraphics[width=2cm]{site.png}",
    ),
    ("a.typ", '#link("library/carrow.md")[it]', {"library/carrow.md": "x.md"}, '#link("x.md")[it]'),
    (
        "a.adoc",
        "link:exhibits/Ex%203.pdf[it]",
        {"exhibits/Ex 3.pdf": "exhibits/Ex 5.pdf"},
        "link:exhibits/Ex%205.pdf[it]",
    ),
    # Bibliographies.
    (
        "a.md",
        "---\nbibliography: refs.bib\n---\n",
        {"refs.bib": "library/all.bib"},
        "---\nbibliography: library/all.bib\n---\n",
    ),
    ("main.tex", "\\bibliography{refs}", {"refs.bib": "all.bib"}, "\\bibliography{all}"),
    ("main.tex", "\\addbibresource{refs.bib}", {"refs.bib": "all.bib"}, "\\addbibresource{all.bib}"),
]


@pytest.mark.parametrize(("draft", "text", "renames", "expected"), CASES)
def test_drafts(tmp_path: Path, draft: str, text: str, renames: dict[str, str], expected: str | None) -> None:
    assert renamed(tmp_path, draft, text, renames) == (expected if expected is not None else text)


TABLES = [
    (
        "file,title\ncarrow.md,Carrow v Luff\nother.md,X\n",
        {"library/carrow.md": "library/luff.md"},
        "file,title\nluff.md,Carrow v Luff\nother.md,X\n",
    ),
    (
        'title;file\r\n"A; B";carrow\r\n',
        {"library/carrow.md": "library/luff.md"},
        'title;file\r\n"A; B";luff\r\n',
    ),
    (
        "file\tnote\nold/vane.md\t",
        {"library/old/vane.md": "library/new/vane.md"},
        "file\tnote\nnew/vane.md\t",
    ),
    ("file,title\nvane.md,V\n", {"library/old/vane.md": "library/old/rook.md"}, "file,title\nrook.md,V\n"),
    ("file,title\ncarrow.md,C\n", {"library/old/vane.md": "library/old/carrow.md"}, None),
    ("file,title\ncarrow.md,C\n", {"library/carrow.md": "elsewhere/carrow.md"}, None),
    ("file,title\ncarrow.md,C\n", {"library": "authorities"}, None),
    ("title\ncarrow.md\n", {"library/carrow.md": "library/luff.md"}, None),
]


@pytest.mark.parametrize(("text", "renames", "expected"), TABLES)
def test_tables(tmp_path: Path, text: str, renames: dict[str, str], expected: str | None) -> None:
    library = tmp_path / "library"
    (library / "old").mkdir(parents=True)
    for name in ("carrow.md", "old/vane.md", "metadata.csv"):
        (library / name).touch()
    files = RenamedFiles([(tmp_path / old, tmp_path / new) for old, new in renames.items()])
    changed = text
    for table, rows in find_edits_of_tables([library], files):
        assert table == library / "metadata.csv"
        changed = apply_edits(changed, rows.find(changed))
    assert changed == (expected if expected is not None else text)
