"""How the pages of a book are set: words and emphasis of each format, lines, pages, core fonts."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from fpdf import FPDF

from lexls.export.book.authority_text import choose_extract, set_authority
from lexls.export.book.binding import BookPage, bind
from lexls.export.book.fonts import FAMILIES, Fonts
from lexls.export.book.source_words import SourceWords
from lexls.export.book.typesetting import A4, SetParagraph, Setter, SetWord, find_on_sheets, list_runs
from lexls.export.system_fonts import find_font
from lexls.index.contents import Content
from lexls.index.records import Authority
from lexls.library.document import AuthorityKind, Block, BlockKind
from lexls.text.formats import FORMATS
from lexls.text.spans import Span


def mark(words: list[SetWord]) -> str:
    """Words as they are set: those in bold between stars, those in italics between slashes."""
    signs = {"": "", "B": "*", "I": "/", "BI": "*/"}
    said = ""
    for each in words:
        sign = signs[each.style]
        said += ("" if each.glued or not said else " ") + sign + each.text + sign[::-1]
    return said


@pytest.mark.parametrize(
    ("format", "source", "said"),
    [
        ("markdown", "See *Carrow v Luff* (at [2]).", "See /Carrow/ /v/ /Luff/ (at [2])."),
        ("markdown", "(_Carrow_’s rule) **not** followed", "(/Carrow/’s rule) *not* followed"),
        ("markdown", "***both*** and 2 * 3 * 4", "*/both/* and 2 * 3 * 4"),
        ("markdown", "a [link](https://example.test) here", "a link here"),
        ("markdown", "one\ntwo&nbsp;three", "one two three"),
        ("latex", r"See \textit{Carrow v \textbf{Luff}}, at~2.", "See /Carrow/ /v/ */Luff/*, at 2."),
        ("latex", r"the \emph{very} rule", "the /very/ rule"),
        ("latex", r"Re: \client{} -- loss", r"Re: \client{} -- loss"),
        ("typst", "_Carrow_ *is* #emph[good] law", "/Carrow/ *is* /good/ law"),
        ("asciidoc", "*bold* and _slanted_", "*bold* and /slanted/"),
        ("plain", "*as it is* _written_", "*as it is* _written_"),
    ],
)
def test_words_are_set_without_marks_and_with_their_emphasis(format: str, source: str, said: str) -> None:
    style = FORMATS[format]
    words = SourceWords(source, style.mask(source), style)
    assert mark(list(words.cut(Span(0, len(source))))) == said


def test_a_note_written_in_the_text_is_only_its_number() -> None:
    style = FORMATS["latex"]
    source = r"the rule\footnote{\textit{Carrow} at 2.} stands"
    note = Span(source.index(r"\textit"), source.index("} stands"))
    words = SourceWords(source, style.mask(source), style, [(note, "¹")])
    assert mark(list(words.cut(Span(0, len(source))))) == "the rule¹ stands"
    assert mark(list(words.cut(note))) == "/Carrow/ at 2."


@pytest.mark.parametrize("core", [True, False])
def test_every_word_is_on_a_page_and_within_its_margins(core: bool) -> None:
    fonts = Fonts.load(FPDF(unit="pt"), () if core else find_font(FAMILIES))
    setter = Setter(fonts, A4)
    long = "w" * 400
    text = [f"word{number}" for number in range(2000)] + [long]
    setter.put([SetParagraph(tuple(SetWord(each, Span(at, at + 1)) for at, each in enumerate(text)))])
    assert setter.page >= 2
    said = "".join(each.word.text for each in setter.placed)
    assert said == "".join(text)
    for each in setter.placed:
        left, top, right, bottom = each.box
        assert A4.side - 0.01 <= left < right <= A4.width - A4.side + 0.01
        assert A4.top - 0.01 <= top < bottom <= A4.height - A4.bottom + 0.01
    assert (
        len(find_on_sheets(setter.placed, Span(len(text) - 1, len(text)))) > 1
    )  # the long one on many lines


def test_a_heading_is_not_the_last_line_of_a_page() -> None:
    fonts = Fonts.load(FPDF(unit="pt"), ())
    for lines in range(30, 60):
        setter = Setter(fonts, A4)
        setter.put(SetParagraph((SetWord("line"),), above=0) for _ in range(lines))
        heading = SetParagraph((SetWord("heading", style="B"),), above=10, keeps=True)
        setter.put([heading, SetParagraph((SetWord("behind"),))])
        pages = {each.word.text: each.page for each in setter.placed}
        assert pages["heading"] == pages["behind"]


def test_a_sign_that_a_core_font_lacks_is_seen_as_its_number() -> None:
    fonts = Fonts.load(FPDF(unit="pt"), ())
    setter = Setter(fonts, A4)
    setter.put([SetParagraph(tuple(map(SetWord, ("“Señor” –", "→", "法", "rule³"))))])
    data = bind(fonts, "brief", [BookPage(A4, placed=setter.placed)], [], 0)
    said = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
    assert said == '"Señor" - [U+2192] [U+6CD5] rule^3'


def test_what_is_copied_from_a_line_has_its_spaces() -> None:
    fonts = Fonts.load(FPDF(unit="pt"), ())
    setter = Setter(fonts, A4)
    words = (
        SetWord("one"),
        SetWord("two"),
        SetWord(",", glued=True),
        SetWord("three", style="I"),
        SetWord("four"),
    )
    setter.put([SetParagraph(words, label="7", tail="12")])
    assert [text for _, text in list_runs(setter.placed)] == ["7", "12", "one two,", "three", "four"]


def write_act(sections: int) -> Content:
    """An Act of so many sections, each with its heading and two subsections."""
    text, blocks = "", []
    for number in range(1, sections + 1):
        for label, level, words in (
            (f"{number}", 1, f"{number} Heading of section {number}\n"),
            (
                f"{number}(1)",
                2,
                f"(1) The keeper of weir {number} must open its gates when the river rises.\n",
            ),
            (f"{number}(2)", 2, f"(2) Subsection (1) of section {number} binds the Crown.\n"),
        ):
            blocks.append(Block(len(text), len(text) + len(words) - 1, "section", label, level))
            text += words
    return Content(text, tuple(blocks), (), (), (), {})


@pytest.mark.parametrize(("sections", "whole"), [(10, True), (1000, False)])
def test_of_a_long_act_only_the_sections_cited_are_set_and_these_whole(sections: int, whole: bool) -> None:
    act, content = make_authority("statute"), write_act(sections)
    cited = [block for block in content.blocks if block.label in ("3(2)", "7(1)")]
    extract = choose_extract(act, content, [Span(each.start, each.end) for each in cited])
    assert (extract == ()) == whole
    said = [" ".join(word.text for word in each.words) for each in set_authority(act, content, extract)]
    assert len(said) == (3 * sections if whole else 6)
    for number in (3, 7):
        assert f"{number} Heading of section {number}" in said
        assert f"(2) Subsection (1) of section {number} binds the Crown." in said


def test_a_long_judgment_is_set_whole() -> None:
    assert choose_extract(make_authority("case"), write_act(1000), [Span(0, 10)]) == ()


@pytest.mark.parametrize(
    ("label", "kind", "text", "beside"),
    [
        ("12", "paragraph", "[12] The appeal is allowed.", ""),
        ("12", "paragraph", "12. The appeal is allowed.", ""),
        ("12", "paragraph", "The appeal is allowed.", "[12]"),
        ("5(2)", "section", "(2) It binds the Crown.", ""),
        ("5(2)", "section", "It binds the Crown.", "5(2)"),
        ("1201", "section", "Sec. 1201. Circumvention", ""),
        ("", "text", "It binds the Crown.", ""),
    ],
)
def test_a_number_that_the_text_lacks_stands_beside_it(
    label: str, kind: BlockKind, text: str, beside: str
) -> None:
    content = Content(text, (Block(0, len(text), kind, label, 2),), (), (), (), {})
    [paragraph] = set_authority(make_authority("case"), content)
    assert paragraph.label == beside


def make_authority(kind: AuthorityKind) -> Authority:
    folder = Path("/library")
    names = ("Weirs Act 1990", "", ("Weirs Act 1990",), "", "1990", kind, "UK", True)
    return Authority(1, folder / "weirs.txt", folder, "weirs.txt", *names)


def test_a_sign_that_the_systems_font_lacks_is_seen_as_its_number() -> None:
    files = find_font(FAMILIES)
    if not files:
        pytest.skip("this system has none of the fonts")
    fonts = Fonts.load(FPDF(unit="pt"), files)
    assert fonts.show("Señor → Žižek") == "Señor → Žižek"
    assert fonts.show("v \ua66e\u4e2d\u6587 Ltd") in (
        "v [U+A66E U+4E2D U+6587] Ltd",
        "v \ua66e[U+4E2D U+6587] Ltd",
    )
