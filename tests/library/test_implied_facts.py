"""What a file leaves unsaid, its own citation tells: kind, jurisdiction, court."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.jurisdiction import load_jurisdictions
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
