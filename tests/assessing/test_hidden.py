"""Characters that nobody sees, and letters that look Latin, hide nothing from a check."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft import Draft
from lexls.reading.draft_files import read_brief_file
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.blanking import FILLER, find_disguises, reveal
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

PLAIN = "Vane v Rook [2019] UKSC 55 at [4]: “the cargo of oats was good”."
AUTHORITY = """---
title: Vane v Rook
citation: "[2019] UKSC 55"
date: 2019-03-09
jurisdiction: UK
kind: case
---

[4] On the evidence the cargo of oats was good and the price was due.
"""
# What is written within a word, by the place in PLAIN behind which it stands.
PLACES = {"citation": "UK", "name": "Va", "number": "UKSC 5", "quotation": "car"}
HIDDEN = {
    f"U+{ord(each):04X}": each
    for each in (
        *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e",
        *"\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u2800\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffc",
        *"\x08\x1b\x7f\x9f\U000e0001\U000e0041\U0001d173",
    )
}
# Letters by what they look like, for the citation, the name and the quotation; digits for the number.
LOOKALIKES = {
    "Cyrillic": {"UKSC": "UKЅС", "Vane": "Vаnе", "cargo": "саrgо"},
    "Greek": {"UKSC": "UΚSC", "Vane": "Vαne", "cargo": "cargο"},
    "Greek nu": {"Vane v Rook": "Vane ν Rook"},
    "Armenian": {"UKSC": "ՍKSC", "cargo": "cargօ"},
    "Cherokee": {"UKSC": "UᏦᏚᏟ", "Vane": "Ꮩane"},
    "Lisu": {"UKSC": "ꓴꓗꓢꓚ", "Vane": "ꓦane"},
    "fullwidth": {
        "UKSC": "ＵＫＳＣ",
        "Vane": "Ｖane",
        "55": "５５",
        "[2019]": "［２０１９］",
        "cargo": "ｃargo",
    },
    "mathematical": {"UKSC": "𝐔𝐊𝐒𝐂", "Vane": "𝑉ane", "55": "𝟓𝟓", "cargo": "𝖼argo"},
    "Latin of phonetics": {"Vane": "Vɑne", "cargo": "cɑrgo"},
}
ENTITIES = {"&#8203;": "", "&#x2060;": "", "&shy;": "", "&zwj;": "", "&zwnj;": "", "&lrm;": "", "&#75;": "K"}
GENUINE = (
    "“the bank\u00ad\nruptcy court” in Vane v Rook [2019] UKSC 55",
    "محمد بن علی می\u200cخواهد که [2019] UKSC 55 \u200fرا بخواند",
    "\u200fבית המשפט ציטט\u200f את Vane v Rook [2019] UKSC 55\u200f בפסק הדין",
    "राजेश क्\u200dषेत्री v Rook [2019] UKSC 55",
    "श्री\u200cमान v State (2014) 5 SCC 1",
    "See 👨\u200d👩\u200d👧 “the family ❤\ufe0f of oats” in Vane v Rook [2019] UKSC 55 1\ufe0f\u20e3",
    "Vane v Rook [2019] UKSC 55\u202f; «\u00a0la question\u202f: oui\u202f!\u00a0»",
    "“La règle\u2009: l’État” in Vane v Rook [2019] UKSC\u00a055",
    "ООО «Ромашка» против России [2019] UKSC 55",
    "“the value of α is β” in Vane v Rook [2019] UKSC 55",
    "日本（２０１９）年 “東京（１９９９）高裁” Vane v Rook [2019] UKSC 55",
    "김\u3164철수 v Rook [2019] UKSC 55",
    "O’Hara v Müller-Łoś [2019] UKSC 55",
    "Kılıç v Türkiye [2019] UKSC 55",
)


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    (folder / "vane.md").write_text(AUTHORITY, encoding="utf-8")
    pasted = "THОRN v ELM\u200b\n\n[2020] UK\u00adSC 9\n\nBefore Lord Rye\n\n1. The price was due.\n"
    (folder / "pasted.txt").write_text(pasted, encoding="utf-8")
    index = tmp_path_factory.mktemp("index") / "index.sqlite"
    opened, report = open_library(
        [folder], index, Settings(jurisdiction="UK", embeddings_model=""), lexical_only=True
    )
    assert not report.failed
    yield opened
    opened.close()


@pytest.fixture
def read(grammar: Grammar, tmp_path: Path) -> Callable[[str, str], Draft]:
    def read(text: str, format: str) -> Draft:
        parser = DraftParser(grammar, "UK")
        if format not in ("word", "html"):
            return parser.parse("file:///draft", text, FORMATS[format])
        if format == "html":
            path = tmp_path / "draft.html"
            path.write_text(f"<html><body><p>{text}</p></body></html>", encoding="utf-8")
            return read_brief_file(path, parser, 2**24)[0]
        path = tmp_path / "draft.docx"
        words = f"<w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>"
        space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(
                "word/document.xml", f'<w:document xmlns:w="{space}"><w:body>{words}</w:body></w:document>'
            )
        return read_brief_file(path, parser, 2**24)[0]

    return read


@pytest.fixture
def report(
    read: Callable[[str, str], Draft], library: Library, grammar: Grammar
) -> Callable[[str, str], tuple[Draft, list[Finding]]]:
    def report(text: str, format: str) -> tuple[Draft, list[Finding]]:
        draft = read(text, format)
        settings = Settings(jurisdiction="UK").for_filing()
        return draft, check(
            Snapshot(draft, library, Searcher(library, grammar=grammar), settings), CancelToken()
        )

    return report


Report = Callable[[str, str], tuple[Draft, list[Finding]]]
PASTES = ("plain", "markdown", "latex", "word")


def list_disguised(format: str) -> Iterator[tuple[str, str]]:
    """PLAIN in each disguise that the format can hold, with the disguise's name and its place."""
    within = dict(HIDDEN)
    within |= {each: each for each, plain in ENTITIES.items() if not plain} if format == "markdown" else {}
    for name, hidden in within.items():
        if format == "word" and ord(hidden) < 32:
            continue  # XML has none of these
        for place, before in PLACES.items():
            yield f"{name} in the {place}", PLAIN.replace(before, before + hidden, 1)
    for name, pairs in LOOKALIKES.items():
        for seen, written in pairs.items():
            yield f"{name} for {seen}", PLAIN.replace(seen, written)
    if format == "markdown":
        yield "letters as entities", PLAIN.replace("UKSC", "U&#75;S&#x43;").replace("cargo", "c&#97;rgo")


def mend(draft: Draft, finding: Finding) -> str:
    """The source with the finding's fix applied."""
    source = draft.source
    for edit in sorted(finding.fixes[0].edits, key=lambda edit: edit.span, reverse=True):
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    return source


@pytest.mark.parametrize("format", PASTES)
def test_each_disguise_is_read_through_and_reported_for_filing(report: Report, format: str) -> None:
    expected, plain = report(PLAIN, format)
    assert [each.key for each in expected.citations] == ["[2019] UKSC 55"]
    assert not plain
    seen = 0
    for name, text in list_disguised(format):
        draft, found = report(text, format)
        assert [(each.key, each.name) for each in draft.citations] == [
            (each.key, each.name) for each in expected.citations
        ], name
        hidden = [each for each in found if each.code == "hidden-character"]
        if format == "word" and draft.source.strip() == PLAIN:
            continue  # its reader leaves soft hyphens out
        assert hidden, name
        assert all(each.severity == "warning" for each in hidden)
        # Nothing else is wrong with what a reader sees.
        assert found == hidden, name
        mended = draft.source
        while hidden:
            mended = mend(draft, hidden[0])
            draft, found = report(mended, format)
            hidden = [each for each in found if each.code == "hidden-character"]
        assert mended.strip() == PLAIN, name
        seen += 1
    assert seen >= 160


@pytest.mark.parametrize("format", PASTES)
def test_what_a_script_needs_is_not_reported(report: Report, format: str) -> None:
    for text in GENUINE:
        _, found = report(text, format)
        assert not [each for each in found if each.code == "hidden-character"], text


@pytest.mark.parametrize("nothing", [r"\-", r"\/", "{}"])
def test_what_latex_prints_as_nothing_hides_nothing(report: Report, nothing: str) -> None:
    draft, found = report(PLAIN.replace("UK", f"UK{nothing}").replace("car", f"car{nothing}"), "latex")
    assert [each.key for each in draft.citations] == ["[2019] UKSC 55"]
    assert not found


MARKS_WITHIN = {
    "markdown": (
        ("**", "**"),
        ("*", "*"),
        ("~~", "~~"),
        ("<b>", "</b>"),
        ("<span class=x>", "</span>"),
        ("<!-- oats -->", ""),
        ("[", "](https://example.org)"),
    ),
    "latex": (
        (r"\textbf{", "}"),
        (r"\textit{\textbf{", "}}"),
        (r"\textcolor{red}{", "}"),
        (r"\href{https://example.org}{", "}"),
        (r"\label{oats}", ""),
        (r"\index{oats}\textsc{\bf ", "}"),
        (r"\bf ", ""),
        ("{", "}"),
        ("{}{", "}"),
    ),
    "asciidoc": (
        ("**", "**"),
        ("__", "__"),
        ("[.oats]##", "##"),
        ("++", "++"),
        ("+++<b>", "</b>+++"),
        ("pass:[", "]"),
        ("link:oats[", "]"),
        ("<<oats,", ">>"),
        ("((", "))"),
        ("[[oats]]", ""),
        ("{empty}", ""),
    ),
    "typst": (
        ("#strong[", "]"),
        ("#emph[#strong[", "]]"),
        ("#text(red)[", "]"),
        ("/* oats */", ""),
        ("#link(oats)[", "]"),
    ),
    "html": (
        ("<b>", "</b>"),
        ("<i><b class=oats>", "</b></i>"),
        ("<span style='color: red'>", "</span>"),
        ("<a href='oats'>", "</a>"),
        ("<!-- oats -->", ""),
        ("<wbr>", ""),
    ),
}


@pytest.mark.parametrize(
    ("format", "opening", "closing"),
    [(format, *marks) for format, pairs in MARKS_WITHIN.items() for marks in pairs],
)
@pytest.mark.parametrize("place", PLACES)
def test_a_mark_within_a_word_hides_nothing(
    report: Report, format: str, opening: str, closing: str, place: str
) -> None:
    before, expected = PLACES[place], report(PLAIN, format)[0].citations
    letter = PLAIN[PLAIN.index(before) + len(before)]
    draft, found = report(
        PLAIN.replace(f"{before}{letter}", f"{before}{opening}{letter}{closing}", 1), format
    )
    assert [(each.key, each.name) for each in draft.citations] == [(each.key, each.name) for each in expected]
    assert [each.key for each in expected] == ["[2019] UKSC 55"]
    assert not found


@pytest.mark.parametrize(
    ("format", "gap"),
    [
        *(("markdown", gap) for gap in ("<br>", "<sup>1</sup>", "[^1]", "`x`")),
        *(("latex", gap) for gap in (r"\\", r"\,", r"\footnote{x}", r"\textsuperscript{1}", r"\quad ", "~")),
        *(("latex", gap) for gap in (r"\newline{}", r"\ref{x}", r"\cite{x}", r"\enquote{x}", "$x$")),
        *(("asciidoc", gap) for gap in ("footnote:[x]", "^1^", "~1~", "``x``", "{nbsp}", "{x}", "kbd:[x]")),
        *(("typst", gap) for gap in ("#footnote[x]", "#super[1]", "#h(1em)", "~", "`x`")),
    ],
)
def test_what_prints_a_gap_parts_words(format: str, gap: str) -> None:
    words = FORMATS[format].mask(f"oats{gap}rye").split()
    assert (words[0], words[-1].lstrip(FILLER)) == ("oats", "rye")


@pytest.mark.parametrize(
    "written",
    [r"M\"uller", r"M\"{u}ller", r"M{\"u}ller", r"M\" uller", r"{\bf M}{\"{u}}ller", r"M\"u{}ller"],
)
def test_accents_of_latex_are_letters(written: str) -> None:
    masked = FORMATS["latex"].mask(f"{written} v Ko\\v{{s}}ice and Ma\\'{{\\i}}n \\c Cay\\H ok")
    assert " ".join(reveal(masked).split()) == "Müller v Košice and Maín Çayők"


def test_an_invented_authority_in_a_disguise_is_missed_by_nobody(report: Report) -> None:
    _, found = report("Vane v Rook [2019] UKSC 55. See Thorn v Elm [2020] UK\u2060SC 7.", "plain")
    codes = {each.code for each in found}
    assert "hidden-character" in codes
    assert codes & {"not-in-library", "missing-among-held"}


def test_offsets_are_those_of_the_source(report: Report) -> None:
    draft, _ = report(
        "The oats.\n\nSee Va\u200bne v Rook [2019] UK\u00ad\u200bSC 55 at [4], and Rye.", "markdown"
    )
    (citation,) = draft.citations
    assert citation.span.of(draft.source) == "Va\u200bne v Rook [2019] UK\u00ad\u200bSC 55 at [4]"
    assert citation.core.of(draft.source) == "[2019] UK\u00ad\u200bSC 55"


def test_an_override_of_the_direction_is_reported_wherever_it_stands(report: Report) -> None:
    _, found = report(
        "Vane v Rook [2019] UKSC 55.\n\nThe oats \u202e55 CSKU ]9102[\u202c were good.", "plain"
    )
    assert [each.code for each in found] == ["hidden-character"]


def test_the_head_of_an_authority_is_read_through_disguises(report: Report) -> None:
    draft, found = report("See Thorn v Elm [2020] UKSC 9.", "plain")
    assert [each.key for each in draft.citations] == ["[2020] UKSC 9"]
    assert not found


def test_the_library_is_read_through_disguises(grammar: Grammar) -> None:
    (citation,) = grammar.find("See Vаne v Rook [2019] U\u00adKSC 55.", "UK")
    assert (citation.key, citation.name) == ("[2019] UKSC 55", "Vane v Rook")


def test_long_runs_are_read_in_one_pass() -> None:
    assert len(find_disguises("a\u2060" * 20_000)) == 20_000
    assert reveal("\u200b" * 5_000) == ""
    assert reveal("plain, “curly” and — dashed") == "plain, “curly” and — dashed"
