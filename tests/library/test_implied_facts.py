"""What a file leaves unsaid, its own citation tells: kind, jurisdiction, court."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.jurisdiction import load_jurisdictions
from lexls.citations.model import fold
from lexls.library.document import SourceDocument

Reader = Callable[[str, str | bytes], SourceDocument]

GRAMMAR = Grammar.load()
KINDS = {each: each for each in ("case", "statute", "regulation", "treaty")} | {"journal": "article"}
EXAMPLES = [
    (form, example.key)
    for form in GRAMMAR.forms
    for example in form.examples
    if form.kind in KINDS and example.key and len(GRAMMAR.places_of(example.key)) == 1
]
NEUTRAL = [
    (code, written, court)
    for code, place in load_jurisdictions().items()
    for letters, court in place.courts.neutral.items()
    for name, _, division in [letters.partition(" (")]
    for year in ("[2014]", "2014")
    if (written := f"{year} {name} 41{' (' if division else ''}{division}")
    and GRAMMAR.places_of(written) == {code}
]


def write_file(citation: str, *facts: str) -> str:
    head = ["---", "title: Tarn and Vail", f'citation: "{citation}"', *facts, "---"]
    return "\n".join([*head, "", "It is so.", ""])


@pytest.mark.parametrize("facts", [(), ("date: 2014-05-06",)], ids=["undated", "dated"])
def test_the_form_of_a_citation_tells_kind_and_jurisdiction(read_as: Reader, facts: tuple[str, ...]) -> None:
    assert len(EXAMPLES) > 100
    wrong = []
    for form, key in EXAMPLES:
        found = read_as("tarn.md", write_file(key, *facts))
        told = found.metadata.kind, found.metadata.jurisdiction
        if told != (KINDS[form.kind], form.jurisdiction) or found.sources["kind"] != "front matter":
            wrong.append((form.id, key, *told))
    assert wrong == []


def test_a_neutral_citation_tells_the_court(read_as: Reader) -> None:
    assert len(NEUTRAL) > 100
    wrong = []
    for code, written, court in NEUTRAL:
        found = read_as("tarn.md", write_file(written)).metadata
        if (found.jurisdiction, found.court) != (code, court):
            wrong.append((written, found.jurisdiction, found.court, court))
    assert wrong == []


@pytest.mark.parametrize("citation", ["Cap 50", "Tarn's Diary 4", "see [2014] EWCA Civ 41 and [2015] UKSC 9"])
def test_what_several_places_may_mean_stays_open(read_as: Reader, citation: str) -> None:
    metadata = read_as("tarn.md", write_file(citation)).metadata
    assert (metadata.jurisdiction, metadata.court) == ("", "")


def test_what_the_file_says_stands(read_as: Reader) -> None:
    told = write_file("[2014] EWCA Civ 41", "kind: article", "jurisdiction: IE", "court: Moot Court of Tarn")
    metadata = read_as("tarn.md", told).metadata
    assert (metadata.kind, metadata.jurisdiction, metadata.court) == ("article", "IE", "Moot Court of Tarn")


NUMBERED = [
    (form, example.key)
    for form in GRAMMAR.forms
    for example in form.examples
    if form.kind == "case" and form.jurisdiction and example.key[:1].isalpha()
    and not form.around & {"needs-name", "needs-name-or-date"}
]  # fmt: skip


COURTS = {
    "ECHR": "European Court of Human Rights",
    "EU": "Court of Justice of the European Union",
    "US": "United States Tax Court",
}
"""A court of each place whose citations name none."""


def write_judgment(*numbers: str) -> str:
    parts = ["Tarn v Vail", *numbers, "Date: 6 May 2014", "Before: Mr Justice Orrin", "1. The claim fails."]
    return "\n\n".join([*parts, "2. Costs follow.", "3. It is so ordered."])


def test_a_citation_that_begins_with_a_word_is_read_in_the_head(read_as: Reader) -> None:
    assert len(NUMBERED) > 15
    wrong = []
    for form, key in NUMBERED:
        court = COURTS.get(form.jurisdiction) or next(
            iter(load_jurisdictions()[form.jurisdiction].courts.neutral.values())
        )
        found = read_as("tarn.txt", write_judgment(court, key)).metadata
        if found.kind == "case" and fold(found.citation) != fold(key):
            wrong.append((form.id, key, found.citation))
    assert wrong == []


@pytest.mark.parametrize("first", ["Case C-131/12", "Suit No 123 of 2019"])
def test_a_neutral_citation_comes_before_the_number_of_the_case(read_as: Reader, first: str) -> None:
    found = read_as("tarn.txt", write_judgment("High Court", first, "[2014] EWHC 77 (Ch)")).metadata
    assert (found.citation, found.date) == ("[2014] EWHC 77 (Ch)", "2014-05-06")
