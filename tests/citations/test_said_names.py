"""A citation that is a sentence of its own has the name of the one case that the text names before it."""

from __future__ import annotations

import pytest

from lexls.citations.grammar import Grammar

CITED = "425 F.3d 999, 1001 (D.C. Cir. 2005)"
OTHER = "Ash v. Oak, 531 U.S. 98, 99 (2001)"


def name_of(grammar: Grammar, text: str) -> str:
    """The name of the citation in an American text."""
    (found,) = (each for each in grammar.find(text, "US") if each.key == "425 F.3d 999")
    return found.name


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("In Pell v. Ryle, this Court held that “the carrier is liable.”", "Pell v. Ryle"),
        ("In Pell v. Ryle, the court so held.", "Pell v. Ryle"),
        ("Pell v. Ryle held so.", "Pell v. Ryle"),
        ("So it was in Pell v. Ryle. Nobody doubts it.", "Pell v. Ryle"),
        ("Pell v. Ryle was so decided; Pell v. Ryle is the law.", "Pell v. Ryle"),
        ("In Department of Ports v. Ryle, it was so held.", "Department of Ports v. Ryle"),
        (
            "In Pell & Tarn, Inc. v. Ryle Lines, Inc., it was so held.",
            "Pell & Tarn, Inc. v. Ryle Lines, Inc.",
        ),
        ("In United States v. Ryle Steel Corp., the Court reversed.", "United States v. Ryle Steel Corp."),
        (f"See {OTHER}. In Pell v. Ryle, the court disagreed.", "Pell v. Ryle"),
    ],
)
def test_the_case_named_in_the_sentence_before(grammar: Grammar, said: str, name: str) -> None:
    assert name_of(grammar, f"{said} {CITED}. So it is.") == name


@pytest.mark.parametrize(
    "said",
    [
        "So the carrier is liable.",
        "In Pell v. Ryle and Tarn v. Quill, it was so held.",  # either may be meant
        f"In Pell v. Ryle, it was so held. See {OTHER}.",
        "In Pell v. Ryle, it was so held. Id. at 12. The rule is old.",
        "In Pell v. Ryle, it was so held. " + "The carrier was liable for the wool. " * 30,
        "PELL v. RYLE\n\nThe carrier is liable.",
        "In Pell v. Ryle, it was so held, and by",  # no sentence ends here
    ],
)
def test_no_case_is_certainly_meant(grammar: Grammar, said: str) -> None:
    assert name_of(grammar, f"{said} {CITED}. So it is.") == ""


def test_parallel_citations_have_the_name_and_short_forms_find_it(grammar: Grammar) -> None:
    text = "In Pell v. Ryle, it was so. 425 U.S. 999, 120 S. Ct. 12 (2005). It is law. Pell, supra, at 1001."
    found = grammar.find(text, "US")
    assert [(each.name, each.key) for each in found[:2]] == [
        ("Pell v. Ryle", "425 U.S. 999"),
        ("Pell v. Ryle", "120 S. Ct. 12"),
    ]
    assert [(each.form, each.key) for each in found[2:]] == [("supra", "425 U.S. 999")]


def test_elsewhere_names_stand_before_their_citations(grammar: Grammar) -> None:
    found = grammar.find("In Pell v Ryle, the court so held. [2001] UKHL 7.", "UK")
    assert [(each.key, each.name) for each in found if each.form == "full"] == [("[2001] UKHL 7", "")]
