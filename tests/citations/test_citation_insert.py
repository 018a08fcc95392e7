from __future__ import annotations

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.insert import InsertStyle, detect_style, render
from lexls.text.formats import FORMATS, PLAIN

MARKDOWN, LATEX = FORMATS["markdown"], FORMATS["latex"]
NO_HABIT = InsertStyle()


def style_of(source: str, markup: str, jurisdiction: str = "UK") -> InsertStyle:
    masked = FORMATS[markup].mask(source)
    return detect_style(masked, source, Grammar.load().find(masked, jurisdiction), FORMATS[markup])


@pytest.mark.parametrize(
    ("jurisdiction", "expected"),
    [
        ("UK", "_Carrow v Dunne_ [2014] ASC 12 at [23]"),
        ("AU", "_Carrow v Dunne_ [2014] ASC 12 at [23]"),
        ("IN", "_Carrow v. Dunne_, [2014] ASC 12, para 23"),
        ("US", "_Carrow v. Dunne_, [2014] ASC 12, ¶ 23"),
        ("CA", "_Carrow v Dunne_, [2014] ASC 12 at para 23"),
        ("Aldmoor", "_Carrow v Dunne_, [2014] ASC 12 at [23]"),
    ],
)
def test_a_case_is_written_as_is_the_custom(jurisdiction: str, expected: str) -> None:
    rendered = render(
        ["[2014] ASC 12"],
        "Carrow v Dunne",
        "case",
        "23",
        "paragraph",
        jurisdiction,
        FORMATS["markdown"],
        NO_HABIT,
    )
    assert rendered.text == expected
    assert rendered.pinpoint is not None
    assert rendered.pinpoint.of(rendered.text) == "23"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("markdown", "_Carrow v Dunne & Co_ (1987) 4 AldLR 212, 219"),
        ("typst", "_Carrow v Dunne & Co_ (1987) 4 AldLR 212, 219"),
        ("latex", r"\textit{Carrow v Dunne \& Co} (1987) 4 AldLR 212, 219"),
        ("plain", "Carrow v Dunne & Co (1987) 4 AldLR 212, 219"),
    ],
)
def test_a_case_is_written_in_the_drafts_markup(markup: str, expected: str) -> None:
    rendered = render(
        ["(1987) 4 AldLR 212"], "Carrow v Dunne & Co", "case", "219", "page", "UK", FORMATS[markup], NO_HABIT
    )
    assert rendered.text == expected


@pytest.mark.parametrize(
    ("citations", "title", "pinpoint", "kind", "jurisdiction", "expected"),
    [
        (["Pilotage Act 1988"], "Pilotage Act 1988", "12(2)", "section", "UK", "Pilotage Act 1988, s 12(2)"),
        (
            ["Pilotage Act 1988"],
            "Pilotage Act 1988",
            "12(2)",
            "section",
            "IN",
            "section 12(2) of the Pilotage Act 1988",
        ),
        (["42 U.S.C."], "42 U.S.C.", "1983", "section", "US", "42 U.S.C. § 1983"),
        (["9 U.S.C."], "Title 9 – Arbitration", "10", "section", "US", "9 U.S.C. § 10"),
        ([], "Harbour Rules 2003", "4", "rule", "UK", "Harbour Rules 2003, r 4"),
        ([], "Supply Agreement", "7.1", "clause", "UK", "Supply Agreement, cl 7.1"),
        ([], "Supply Agreement", "7.1", "clause", "US", "Supply Agreement § 7.1"),
        (["1988 No 4"], "Pilotage Act", "", "section", "UK", "Pilotage Act (1988 No 4)"),
    ],
)
def test_other_authorities(
    citations: list[str], title: str, pinpoint: str, kind: str, jurisdiction: str, expected: str
) -> None:
    rendered = render(citations, title, "statute", pinpoint, kind, jurisdiction, PLAIN, NO_HABIT)
    assert rendered.text == expected
    assert (rendered.pinpoint.of(rendered.text) if rendered.pinpoint else "") == pinpoint


def test_a_section_sign_is_a_command_in_latex() -> None:
    rendered = render(["42 U.S.C."], "", "statute", "1983", "section", "US", LATEX, NO_HABIT)
    assert LATEX.mask(rendered.text).split() == ["42", "U.S.C.", "§", "1983"]
    assert rendered.pinpoint is not None
    assert rendered.pinpoint.of(rendered.text) == "1983"


def test_a_case_without_name_or_citation_is_what_there_is() -> None:
    assert render(["[2014] ASC 12"], "", "case", "", "", "UK", MARKDOWN, NO_HABIT).text == "[2014] ASC 12"
    assert render([], "Carrow v Dunne", "case", "", "", "UK", PLAIN, NO_HABIT).text == "Carrow v Dunne"
    assert (
        render(["[2014] ASC 12"], "[2014] ASC 12", "case", "", "", "UK", PLAIN, NO_HABIT).text
        == "[2014] ASC 12"
    )


def test_the_drafts_habits_win_over_custom() -> None:
    style = style_of(
        "See *Hale v. Ryle*, [2019] UKSC 41, para 7 and *Pell v. Orr*, [2019] UKSC 42, para 9.", "markdown"
    )
    rendered = render(["[2014] ASC 12"], "Carrow v Dunne", "case", "23", "paragraph", "UK", MARKDOWN, style)
    assert rendered.text == "*Carrow v. Dunne*, [2014] ASC 12, para 23"


def test_habits_are_read_from_every_markup() -> None:
    assert style_of(r"See \emph{Hale v Ryle} [2019] UKSC 41.", "latex").italic == (r"\emph{", "}")
    assert style_of("See #emph[Hale v Ryle] [2019] UKSC 41.", "typst").italic == ("#emph[", "]")
    assert style_of("See **Hale v Ryle** [2019] UKSC 41.", "markdown").italic == ("**", "**")
    assert style_of("See Hale v Ryle [2019] UKSC 41.", "markdown").italic == ("", "")


def test_habits_of_pinpoints() -> None:
    style = style_of(
        "Hale v Ryle [1932] AC 562 at 580; Pell v Orr [2019] UKSC 42 at [9]; Pilotage Act 1988 s 4.", "plain"
    )
    assert (style.page, style.paragraph, style.section) == (" at {}", " at [{}]", " s {}")
    assert style.name_comma is False
    assert style_of("section 4 of the Pilotage Act 1988", "plain").section_first is True


def test_a_comma_before_a_volume_is_a_habit_of_its_own() -> None:
    style = style_of("See Hale v Ryle [1932] AC 562 and Pell v Orr [2019] UKSC 42.", "plain")
    rendered = render(["384 U.S. 436"], "Miranda v. Arizona", "case", "", "", "US", PLAIN, style)
    assert rendered.text == "Miranda v Arizona, 384 U.S. 436"
    style = style_of("See Hale v Ryle 410 U.S. 113 (1973).", "plain", "US")
    rendered = render(["384 U.S. 436"], "Miranda v. Arizona", "case", "", "", "US", PLAIN, style)
    assert rendered.text == "Miranda v Arizona 384 U.S. 436"


def test_parallel_citations_are_given_where_the_draft_gives_them() -> None:
    style = style_of("Hale v Ryle [1992] HCA 23; (1992) 175 CLR 1.", "plain", "AU")
    rendered = render(["[2014] HCA 3", "(2014) 250 CLR 1"], "Pell v Orr", "case", "", "", "AU", PLAIN, style)
    assert rendered.text == "Pell v Orr [2014] HCA 3; (2014) 250 CLR 1"


def test_a_draft_without_citations_has_no_habits() -> None:
    assert style_of("Nothing is cited here.", "markdown") == NO_HABIT


@pytest.mark.parametrize("markup", FORMATS)
def test_escaped_text_reads_as_it_was(markup: str) -> None:
    text = "A*B_C & D 5% $6 #7 `e` <f @g h~i"
    masked = " ".join(FORMATS[markup].mask(FORMATS[markup].escape(text)).split())
    assert masked.replace(" ", "") == text.replace(" ", "")


def test_what_is_rendered_is_read_back() -> None:
    grammar = Grammar.load()
    for markup in FORMATS:
        rendered = render(
            ["[2019] UKSC 41"],
            "Carrow & Co v Dunne",
            "case",
            "23-25",
            "paragraph",
            "UK",
            FORMATS[markup],
            NO_HABIT,
        )
        (citation,) = grammar.find(FORMATS[markup].mask(rendered.text), "UK")
        assert citation.key == "[2019] UKSC 41"
        assert citation.pinpoint is not None
        assert citation.pinpoint.labels == ("23-25",)
        assert "".join(citation.name.split()) == "Carrow&CovDunne"
