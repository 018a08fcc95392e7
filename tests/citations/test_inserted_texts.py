"""Behind the text of another file, which is not read, a short form stands for nothing that came before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lexls.assessing.cross_references import find_note_number
from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.text.formats import FORMATS

GRAMMAR = Grammar.load()
CITED = "The rule is settled: Vane v Rook [2019] UKSC 55 and the Harbours Act 1998, s 5."
INSERTED = {
    "latex": (
        r"\input{facts}",
        r"\include{facts}",
        r"\subfile{sections/facts.tex}",
        r"\import{sections/}{facts}",
        "See\n\\input{facts}\nfurther.",
    ),
    "typst": ('#include "facts.typ"',),
    "asciidoc": ("include::facts.adoc[]", "include::sections/facts.adoc[tag=law]"),
}
NOT_INSERTED = {
    "latex": (r"% \input{facts}", r"\label{input}", r"\begin{verbatim}\input{facts}\end{verbatim}"),
    "typst": ('// #include "facts.typ"', '#import "style.typ": brief'),
    "asciidoc": ("// include::facts.adoc[]", "image::facts.png[]"),
}
OPEN = ("Ibid at [12].", "See ibid.", "Ibid.\n\nIbid at [3].")


def parse(format: str, *paragraphs: str) -> Draft:
    source = "\n\n".join(paragraphs) + "\n"
    draft = DraftParser(GRAMMAR, "UK").parse("file:///draft", source, FORMATS[format])
    assert len(draft.masked) == len(source)
    return draft


def read(format: str, *paragraphs: str) -> Sequence[Citation]:
    return parse(format, *paragraphs).citations


def cases(listed: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(format, mark) for format, marks in listed.items() for mark in marks]


@pytest.mark.parametrize("short", OPEN)
@pytest.mark.parametrize(("format", "mark"), cases(INSERTED))
def test_an_ibid_behind_an_inserted_file_is_left_open(format: str, mark: str, short: str) -> None:
    for citation in read(format, CITED, mark, short)[2:]:
        assert citation.antecedent is None
        assert not citation.key
        assert citation.unread


@pytest.mark.parametrize(("format", "mark"), cases(NOT_INSERTED))
def test_what_inserts_nothing_leaves_ibid_its_antecedent(format: str, mark: str) -> None:
    citation = read(format, "Vane v Rook [2019] UKSC 55.", mark, "Ibid at [12].")[-1]
    assert citation.key == "[2019] UKSC 55"


@pytest.mark.parametrize(("format", "mark"), cases(INSERTED))
def test_what_is_named_or_cited_again_stands_for_it(format: str, mark: str) -> None:
    named = read(
        format, CITED, mark, "As *Vane* at [12] says.", "Carrow v Luff [2014] UKSC 3.", "Ibid at [4]."
    )
    assert named[-1].key == "[2014] UKSC 3"
    assert all(each.key in ("[2019] UKSC 55", "") for each in named if each.form == "short")


@pytest.mark.parametrize(("format", "mark"), cases(INSERTED))
def test_a_short_form_that_nothing_before_it_explains_is_no_fault(format: str, mark: str) -> None:
    citations = read(format, "Intro.", mark, "Harrow, above, at [12]. Ibid at [3].")
    assert all(each.unread or each.key for each in citations)


@pytest.mark.parametrize(("format", "mark"), cases(INSERTED))
def test_a_bare_section_behind_an_inserted_file_is_of_no_act_before_it(format: str, mark: str) -> None:
    before = read(format, CITED, "By section 7 that is so.")[-1]
    behind = read(format, CITED, mark, "By section 7 that is so.")[-1]
    assert before.key
    assert before.span.start < behind.span.start
    assert not behind.key


def test_a_footnote_behind_an_inserted_file_does_not_go_on_with_the_note_before_it() -> None:
    def draft(mark: str) -> tuple[str, ...]:
        return (r"One.\footnote{Vane v Rook [2019] UKSC 55.}", mark, r"Two.\footnote{Ibid at [3].}")

    assert read("latex", *draft("More."))[-1].key
    assert not read("latex", *draft(r"\input{facts}"))[-1].key


@pytest.mark.parametrize("mark", ["More.", *INSERTED["latex"]])
def test_a_number_behind_an_inserted_file_tells_no_note_of_the_draft(mark: str) -> None:
    first, second = r"One.\footnote{Vane v Rook [2019] UKSC 55.}", r"Two.\footnote{Vane (n 5) [3].}"
    draft = parse("latex", first, mark, second)
    assert (find_note_number(draft, draft.citations[-1]) is None) == (mark != "More.")


def test_an_edit_that_inserts_a_file_is_read_as_a_first_reading_is() -> None:
    parser = DraftParser(GRAMMAR, "UK")
    before = f"{CITED}\n\nMore.\n\nIbid at [12].\n"
    after = before.replace("More.", r"\input{facts}")
    for source in (before, after, before, after):
        found = parser.parse("file:///draft", source, FORMATS["latex"]).citations
        fresh = DraftParser(GRAMMAR, "UK").parse("file:///other", source, FORMATS["latex"]).citations
        assert list(found) == list(fresh)
