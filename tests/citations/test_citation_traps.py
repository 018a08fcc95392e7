from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.text.formats import FORMATS

Check = Callable[..., tuple[Citation, ...]]
SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"


def test_a_star_page_is_no_volume(check: Check) -> None:
    check("⟦135 *355 Mass. 147⟧ was followed", "US", ["135 Mass. 147"])
    check("the rule *355 Mass. 147 people", "US", [])


def test_a_volume_before_id_is_no_id(check: Check) -> None:
    check("⟦Hale v. Ryle, 80 Mass. 12⟧; 83 id. 154", "US", ["80 Mass. 12"])


def test_a_series_number_is_no_page(check: Check) -> None:
    check("cited as 658 F.3d, whatever", "US", [])
    check("⟦658 F.3d 100⟧", "US", ["658 F.3d 100"])


def test_the_page_of_a_parallel_citation_is_no_pinpoint(check: Check) -> None:
    first, second = check("⟦489 U.S. 602, 614⟧, ⟦109 S.Ct. 1402⟧", "US")
    assert first.pinpoint is not None
    assert first.pinpoint.labels == ("614",)
    assert second.pinpoint is None


def test_a_statute_page_is_no_section(check: Check) -> None:
    marked = "⟦Pub.L. No. 94-553, § 401(a)⟧, ⟦90 Stat. 2541⟧"
    first, second = check(marked, "US", ["Pub. L. 94-553", "90 Stat. 2541"])
    assert first.pinpoint is not None
    assert second.pinpoint is None


@pytest.mark.parametrize(
    "text",
    [
        "He was born on 12 March 1995 and left in 2014.",
        "They paid Rs. 300 and $ 12.50 for 25 acres of land.",
        "The Act was quick. Code red. Rules were rules.",
        "It was at 10 A.M. on 21.07.1998.",
        "The court sat at 4 Main Street (2nd floor).",
        "See part 3, chapter 4, and note 5.",
        "Central Act and State Act",
        "The ship’s 12 holds were full.",
        "It was sold to U.S. 98 workers.",
    ],
)
def test_plain_prose_has_no_citations(grammar: Grammar, text: str) -> None:
    for jurisdiction in ("", "US", "IN", "UK"):
        assert grammar.find(text, jurisdiction) == ()


@pytest.mark.slow
@pytest.mark.parametrize("jurisdiction", ["", "US"])
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "1 ",
            "[",
            "[2014] ",
            "(1973) 4 ",
            "A. ",
            "Act ",
            "the ",
            "s 1, ",
            "1, ",
            "12 F. Supp. ",
            "531 U.S. 98, ",
        ),
        *(
            "at [1] ",
            "[1]-",
            "para 1, ",
            "A v B ",
            "X v Y, ",
            "supra ",
            "Id. at 1, ",
            "(the ",
            '("',
            "Act 1998 ",
        ),
        *(
            "of the ",
            "AIR 1973 ",
            "(1)",
            "s 1(1)",
            "¶ 1 ",
            "Case C-",
            "ECLI:EU:",
            "\n",
            " ",
            "A\n",
            "“",
            "((",
            "...",
            "A & ",
        ),
        *(
            "[2014] UKSC 1 ('A') ",
            "Order 1 Rule ",
            "Article I, ",
            "12 A. L. Rev. ",
            "In re ",
            "A's case ",
            "12 Abc, at 3 ",
        ),
        *(
            "9" * 50,
            "A" * 200 + " ",
            "No. 1 of ",
            "U.S. Const. art. I, ",
            "Carrow supra ",
            "Human Rights Act 1998 (the Act) ",
        ),
    ],
)
def test_long_repetitive_texts_are_read_to_their_end(grammar: Grammar, jurisdiction: str, piece: str) -> None:
    text = (piece * (100_000 // len(piece) + 1))[:100_000]
    end = 0
    for citation in grammar.find(text, jurisdiction):
        assert citation.span.start >= end
        end = citation.span.end
    assert end <= len(text)


PIECES = st.sampled_from(
    [
        *(
            "Carrow v Dunne",
            "Ryle v. Pell Line Ltd.",
            "[2014] UKSC 12",
            "531 U.S. 98",
            "AIR 1973 P and H 12",
            "(1973) 4 SCC 225",
        ),
        *(
            "Pilotage Act 1988",
            "the said Act",
            "the Act",
            "section 9",
            "ss 4-6 of",
            "s. 302 r/w s. 34 IPC",
            "Article 21",
        ),
        *(
            "at [14]",
            ", 99",
            "para 3",
            "(2000)",
            '("the Act")',
            "(“Carrow”)",
            "Carrow",
            "supra",
            "Id.",
            "id. at 5",
            "case",
        ),
        *(
            ".",
            ",",
            ";",
            "(",
            ")",
            "\n",
            "\n\n",
            "and",
            "See",
            "*",
            "§ 1983",
            "42 U.S.C. § 1",
            "1990",
            "v",
            "In re Orr",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@example(pieces=["[2014] UKSC 12", '("the Act")', "§ 1983"], jurisdiction="")
@given(pieces=st.lists(PIECES, max_size=25), jurisdiction=st.sampled_from(["", "UK", "US", "IN", "AU"]))
def test_any_mixture_of_pieces_is_read_in_order(
    grammar: Grammar, pieces: list[str], jurisdiction: str
) -> None:
    text = " ".join(pieces)
    found = grammar.find(text, jurisdiction)
    end = 0
    for citation in found:
        assert end <= citation.span.start <= citation.core.start < citation.core.end <= citation.span.end
        assert "\n\n" not in citation.text.replace(" ", "")
        assert citation.text == citation.span.of(text)
        if citation.pinpoint is not None:
            assert citation.span.start <= citation.pinpoint.span.start
            assert citation.pinpoint.span.end <= citation.span.end
        if citation.antecedent is not None:
            assert found[citation.antecedent].form == "full"
            assert found[citation.antecedent].key == citation.key
        end = citation.span.end


@pytest.mark.skipif(not (SHARED / "us-cases").is_dir(), reason="the American cases are not here")
def test_citations_of_american_cases_are_american(grammar: Grammar) -> None:
    import yaml

    missed = []
    count = 0
    for path in sorted((SHARED / "us-cases").glob("*.md")):
        with path.open(encoding="utf-8") as file:
            head = file.read(4000).split("---")[1]
        citation = yaml.safe_load(head)["citation"]
        count += 1
        found = [entry for entry in grammar.find(citation, "US") if entry.form == "full"]
        if len(found) != 1 or found[0].jurisdiction != "US" or grammar.key_of(citation) != found[0].key:
            missed.append(citation)
    assert count > 1000
    assert len(missed) <= count // 100, missed


@pytest.mark.skipif(not (SHARED / "in-cases").is_dir(), reason="the Indian judgments are not here")
def test_indian_judgments_hold_few_american_citations(grammar: Grammar) -> None:
    indian = american = 0
    for path in sorted((SHARED / "in-cases").glob("*.txt"))[:40]:
        for citation in grammar.find(path.read_text(encoding="utf-8", errors="replace"), "IN"):
            if citation.form == "full" and citation.kind == "case":
                indian += citation.jurisdiction == "IN"
                american += citation.jurisdiction == "US"
    assert indian > 200
    assert american <= indian // 50


@pytest.mark.parametrize(
    ("marked", "jurisdiction", "label"),
    [
        ("⟦People v. Hale, 2018 CO 3, ¶ 12⟧, ⟦410 P.3d 1⟧", "US", "12"),
        ("⟦Hale v. Union of India, (2017) 10 SCC 1, para 168⟧ and ⟦2023 INSC 1043⟧", "IN", "168"),
    ],
)
def test_a_pinpoint_ends_where_the_next_citation_begins(
    check: Check, marked: str, jurisdiction: str, label: str
) -> None:
    first, second = check(marked, jurisdiction)
    assert first.pinpoint is not None
    assert first.pinpoint.labels == (label,)
    assert first.pinpoint.span.of(marked.replace("⟦", "").replace("⟧", "")) == label
    assert second.pinpoint is None


def test_section_signs_of_latex_belong_to_their_citation(grammar: Grammar) -> None:
    source = r"A claim under 42 U.S.C. \S\S~1983 and 1985(3) fails, as \S\,4 does."
    first, second = grammar.find(FORMATS["latex"].mask(source), "US")
    assert first.span.of(source) == r"42 U.S.C. \S\S~1983 and 1985(3)"
    assert first.pinpoint is not None
    assert first.pinpoint.labels == ("1983", "1985(3)")
    assert second.span.of(source) == r"\S\,4"


@pytest.mark.parametrize(
    ("text", "jurisdiction"),
    [
        ("rows 1 A 2 and 12 F 345 of the list", "US"),
        ("bus 12 P 345 goes there", "US"),
        ("Carrow v. Dunne, 395 U.S. 5O6", "US"),
        ("Carrow v. Dunne, 395 U.S. 5l6", "US"),
        ("On 10 June 2009 at 9:30 am it met.", "US"),
        ("On 10 June 2009 at 9:30 am it met.", "AU"),
        ("as section 8 of the Scheme Booklet says", "AU"),
        ("The Constitution Bench held so.", "IN"),
    ],
)
def test_what_only_looks_like_a_citation(grammar: Grammar, text: str, jurisdiction: str) -> None:
    assert [each.text for each in grammar.find(text, jurisdiction) if each.form != "short"] == []


def test_a_section_with_a_letter_and_a_point_is_no_volume(check: Check) -> None:
    check("under ⟦§ 402A⟧. 12 of them came; Pell ⟦§ 12A.02⟧", "US")


def test_a_report_of_one_letter_without_its_point_needs_a_year(check: Check) -> None:
    check("⟦Carrow v. Dunne, 12 F 345 (2d Cir. 1926)⟧", "US", ["12 F. 345"])


def test_a_paragraph_of_an_article_as_strasbourg_writes_it(check: Check) -> None:
    (found,) = check("⟦Article 6 § 1 of the Convention⟧ was engaged", "ECHR")
    assert found.pinpoint is not None
    assert found.pinpoint.labels == ("6(1)",)


def test_a_paragraph_behind_the_page_of_ibid(check: Check) -> None:
    check("⟦Carrow v Dunne (1936) 55 CLR 499⟧. ⟦Ibid 45 [101]⟧.", "AU")
