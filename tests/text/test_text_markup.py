from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexls.text.formats import FORMATS, format_of
from lexls.text.sentences import find_paragraphs

MARKUPS = tuple(FORMATS)


def check(markup: str, source: str, visible: str) -> None:
    """The masked source has the source's length and lines, and ``visible`` is what can be read in it."""
    masked = FORMATS[markup].mask(source)
    assert len(masked) == len(source)
    assert [i for i, c in enumerate(masked) if c == "\n"] == [i for i, c in enumerate(source) if c == "\n"]
    assert " ".join(masked.split()) == visible


@pytest.mark.parametrize(
    ("language", "path", "markup"),
    [
        ("markdown", "x.txt", "markdown"),
        ("", "a/b.md", "markdown"),
        ("", "a.TEX", "latex"),
        ("latex", "untitled:1", "latex"),
        ("typst", "", "typst"),
        ("", "memo.typ", "typst"),
        ("plaintext", "memo.md", "markdown"),
        ("plaintext", "memo.txt", "plain"),
        ("python", "x.py", "plain"),
    ],
)
def test_markup_is_known_by_language_or_suffix(language: str, path: str, markup: str) -> None:
    assert format_of(language, path).name == markup


@pytest.mark.parametrize(
    ("source", "visible"),
    [
        ("See _Carrow v Dunne_, [2014] ASC 12.", "See Carrow v Dunne , [2014] ASC 12."),
        ("**bold *and both***", "bold and both"),
        ("***all***", "all"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("135 *355 Mass. 147 then *356 more", "135 *355 Mass. 147 then *356 more"),
        ("a [link](http://x.example/a_(b)) b", "a link b"),
        ("![alt](x.png)", "alt"),
        ("[2014] ASC 12 (Comm)", "[2014] ASC 12 (Comm)"),
        ("text[^1] and\n\n[^1]: the note", "text and the note"),
        ("as said [@carrow, 12]", "as said [@carrow, 12]"),
        ("`[2014] ASC 1` out ``a ` b`` end", "out end"),
        ("one ` tick", "one ` tick"),
        ("```\n[2014] ASC 1\n```\nafter", "after"),
        ("~~~~ python\n~~~\n~~~~\nafter", "after"),
        ("```\nnever closed", ""),
        ("a <!-- gone\n\n[2014] ASC 1 --> b", "a b"),
        ("a <br/> b <span class='x'>c</span>", "a b c"),
        ("<https://x.example/[2014]> d", "d"),
        ("# Title\n\n> quoted\n\n- item", "Title quoted item"),
        ("Title\n=====\n\n---\n", "Title"),
        (r"\[2014\] ASC 12 \*", "[2014 ] ASC 12 *"),
        ("A&nbsp;B &sect; 5 &amp; C", "A B § 5 & C"),
        ("~~old~~ new", "old new"),
    ],
)
def test_markdown_marks_are_blanked(source: str, visible: str) -> None:
    check("markdown", source, visible)


def test_markdown_front_matter_is_blanked_and_a_rule_is_not_taken_for_it() -> None:
    check("markdown", "---\ntitle: X v Y\ncitation: '[2014] ASC 1'\n---\n\nBody", "Body")
    check("markdown", "Body\n\n---\ntitle: kept\n---\n", "Body title: kept")
    check("markdown", "---\ntitle: never closed\n", "title: never closed")


def test_emphasis_does_not_reach_over_a_blank_line() -> None:
    check("markdown", "a *b\n\nc* d", "a *b c* d")


@pytest.mark.parametrize(
    ("source", "visible"),
    [
        (r"\textit{Carrow v Dunne} [2014] ASC~12", "Carrow v Dunne [2014] ASC 12"),
        (r"\emph{a \textbf{b}} c", "a b c"),
        (r"text\footnote{See [2014] ASC 12.} more", "text See [2014] ASC 12. more"),
        (r"\S 12, \S12 and \P~3", "§ 12, § 12 and ¶ 3"),
        (r"Smith \& Sons, 5\% of \$100 \#1 \_", "Smith & Sons, 5 % of $100 #1 _"),
        (r"a % [2014] ASC 1" + "\nb", "a b"),
        (r"100\% sure % no", "100 % sure"),
        (r"\begin{quote}words\end{quote}", "words"),
        ("\\begin{verbatim}\n[2014] ASC 1\n\\end{verbatim}\nout", "out"),
        (r"a $x_1^2$ b \(y\) c \[z\] d $$w$$ e", "a b c d e"),
        (r"it costs $5 only", "it costs $5 only"),
        (r"\cite[12]{carrow} \label{s:1} \href{http://x}{shown} end", "shown end"),
        (r"``quoted'' words", "“quoted” words"),
        ("ss 18--19, 20---21", "ss 18--19, 20---21"),
        (r"\section{Facts} \item one", "Facts one"),
        (r"one \\[2pt] two", "one two"),
        (r"\includegraphics[width=3cm]{x.png} after", "after"),
    ],
)
def test_latex_commands_are_blanked_and_prose_kept(source: str, visible: str) -> None:
    check("latex", source, visible)


def test_a_latex_preamble_and_what_follows_the_document_are_blanked() -> None:
    source = "\\documentclass{article}\n\\newcommand{\\x}{y}\n\\begin{document}\nbody\n\\end{document}\nrest"
    check("latex", source, "body")


@pytest.mark.parametrize(
    ("source", "visible"),
    [
        ("See _Carrow v Dunne_ [2014] ASC 12 and *this*", "See Carrow v Dunne [2014] ASC 12 and this"),
        (
            "#emph[Carrow] [2014] ASC 12 #footnote[_R v Poole_ [2009] ACA 31.]",
            "Carrow [2014] ASC 12 R v Poole [2009] ACA 31.",
        ),
        ("a // [2014] ASC 1\nb http://x.example c", "a b http://x.example c"),
        ("a /* [2014]\n\nASC 1 */ b", "a b"),
        ("= Head\n== Sub\n- item\n+ one", "Head Sub item one"),
        ("`[2014] ASC 1` and ```\nraw\n``` end", "and end"),
        ('#import "x.typ": *\n#set page(\n  width: 3cm,\n)\n#let a = [b]\nbody', "body"),
        ("price $x^2$ and \\$5", "price and $5"),
        ('#link("http://x(")[text] <lab> @key', "text @key"),
        ("snake_case stays, a~b", "snake_case stays, a b"),
    ],
)
def test_typst_marks_are_blanked(source: str, visible: str) -> None:
    check("typst", source, visible)


def test_plain_text_stays_as_it_is() -> None:
    source = "_a_ *b* # c \\S % d"
    assert FORMATS["plain"].mask(source) == source


@pytest.mark.parametrize("markup", MARKUPS)
@given(source=st.text(alphabet=st.sampled_from("ab \n\r*_`~[](){}<>!-#\\$%&\"'/=@^1§.S"), max_size=120))
def test_masking_keeps_length_and_line_ends_of_any_text(markup: str, source: str) -> None:
    masked = FORMATS[markup].mask(source)
    assert len(masked) == len(source)
    ends = source.replace("\r\n", " \n").replace("\r", "\n")
    assert [i for i, c in enumerate(masked) if c in "\r\n"] == [i for i, c in enumerate(ends) if c == "\n"]


@pytest.mark.parametrize("markup", MARKUPS)
@pytest.mark.parametrize(
    "piece",
    [
        "*",
        "_",
        "`",
        "[",
        "](",
        "<!--",
        "<a ",
        "{",
        "$",
        "\\emph{",
        "#emph[",
        "(",
        "/*",
        "~~~",
        "\\begin{x}",
        "- ",
        "> ",
    ],
)
def test_long_runs_of_marks_are_masked_without_end(markup: str, piece: str) -> None:
    source = piece * (100_000 // len(piece))
    assert len(FORMATS[markup].mask(source)) == len(source)
    source = (piece + "a ") * (100_000 // (len(piece) + 2))
    assert len(FORMATS[markup].mask(source)) == len(source)


@pytest.mark.parametrize("markup", MARKUPS)
def test_every_line_end_becomes_a_line_feed(markup: str) -> None:
    assert FORMATS[markup].mask("one\r\ntwo\rthree\n") == "one \ntwo\nthree\n"


@pytest.mark.parametrize(
    ("source", "visible"),
    [
        ("<ftp://x.example> <a@c.example> a <b", "a <b"),
        (
            'a [text][Ref] b [ref] [ref][] [2014] c\n\n[ref]: http://x.example "T"',
            "a text b ref ref [2014] c",
        ),
        ("a [text][none] b [2014][12]", "a [text][none] b [2014][12]"),
        ("Before\n\n    [2014] ASC 1\n\n\tmore\n\nafter", "Before after"),
        ("Before\n    goes on", "Before goes on"),
        ("- item\n\n    goes on\n\nafter\n\n    code", "item goes on after"),
        ("1. one\n\n   two\n\n    three", "1. one two three"),
        ("[^1]: note\n\n    more of it", "note more of it"),
    ],
)
def test_addresses_defined_links_and_indented_code(source: str, visible: str) -> None:
    check("markdown", source, visible)


MARKDOWN = FORMATS["markdown"]


@pytest.mark.parametrize("mark", ["[!quote]", "[!QUOTE]+", "[!quote|aside]-", "[!cite]"])
@pytest.mark.parametrize("title", ["The oats", "**Vane v Rook** [2019] UKSC 55", ""])
@pytest.mark.parametrize("gap", ["\n> ", "\n>\n> ", "\n>"])
def test_the_title_of_a_callout_is_a_paragraph_and_no_quotation(mark: str, title: str, gap: str) -> None:
    source = f"Before:\n\n> {mark} {title}{gap}Quoted words\n> go on.\n\nAfter."
    masked = MARKDOWN.mask(source)
    found = find_paragraphs(masked)
    words = [" ".join(each.of(masked).split()) for each in found]
    titles = [" ".join(title.replace("*", " ").split())] if title else []
    assert words == ["Before:", *titles, "Quoted words go on.", "After."]
    quoted = list(MARKDOWN.find_block_quotations(source, lambda: found))
    assert [words[place] for place in quoted] == ["Quoted words go on."]
    assert [MARKDOWN.is_block_title(source, each.start) for each in found] == [
        each in titles for each in words
    ]


@pytest.mark.parametrize(
    ("source", "quoted"),
    [
        ("> [!note] Title\n> words\n>\n> more\n", []),
        ("> [!note] Title\n> words\n\n> quoted\n", ["quoted"]),
        ("> [!note] Title\n> words\n>\n>> quoted\n>\n> more\n", ["quoted"]),
        ("> [!note] Title\n>> [!quote] Title\n>> quoted\n>\n> words\n", ["quoted"]),
        ("> [!quote] Title\n>> [!tip]\n>> words\n>\n> quoted\n", ["quoted"]),
        ("> [2019] UKSC 55\n> [! no callout]\n", ["[2019] UKSC 55 [! no callout]"]),
    ],
)
def test_only_callouts_that_quote_hold_quotations(source: str, quoted: list[str]) -> None:
    masked = MARKDOWN.mask(source)
    found = find_paragraphs(masked)
    places = MARKDOWN.find_block_quotations(source, lambda: found)
    assert [" ".join(found[place].of(masked).split()) for place in places] == quoted
