"""Codes whose sections lie in a file each, and Acts that a section of another Act enacts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import find_places, resolve
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

SECTION = """<section xmlns="https://code.dccouncil.us/schemas/dc-library"><num>{number}</num>
<heading>Lamps {number}.</heading><para><num>(a)</num><text>A quay has lamps.</text></para></section>"""
ACT = """<Statute xmlns:lims="http://justice.gc.ca/lims"><Identification><ShortTitle>Lamps Act</ShortTitle>
<Chapter><AnnualStatuteId><AnnualStatuteNumber>10, s. 294</AnnualStatuteNumber><YYYY>2022</YYYY>
</AnnualStatuteId></Chapter></Identification><Body><Section><Label>1</Label><Text>On quays.</Text></Section>
<Section><Label>2</Label><Text>On piers.</Text></Section></Body></Statute>"""
HALF_READ = """---
title: Wharf Act 1990
citation: Wharf Act 1990
kind: statute
jurisdiction: UK
---

### 1 Wharves

(a) A wharf is dry.

(b) A wharf is lit.

(e) A wharf is free.

### 2 Keepers

(A) A keeper wakes.

(B) A keeper watches.

### 3 Dues

(1) Dues are paid.

(2) Dues are kept.
"""
Read = Callable[[str, str], tuple[list[str], list[str], list[str]]]


@pytest.fixture
def opened(tmp_path: Path) -> tuple[Library, Searcher]:
    folder = tmp_path / "library"
    folder.mkdir()
    for number in ("61-204", "61-204.03", "7-11"):
        (folder / f"{number}.xml").write_text(SECTION.format(number=number))
    (folder / "act.xml").write_text(ACT)
    (folder / "wharf.md").write_text(HALF_READ)
    library, _ = open_library(
        [folder], tmp_path / "i.sqlite3", Settings(embeddings_model=""), lexical_only=True
    )
    return library, Searcher(library)


@pytest.fixture
def read(opened: tuple[Library, Searcher]) -> Read:
    """Reads a draft: what its first citation resolves to, the text at its pinpoint, the codes of findings."""
    library, searcher = opened
    grammar = Grammar.load()

    def read(text: str, jurisdiction: str) -> tuple[list[str], list[str], list[str]]:
        draft = DraftParser(grammar, jurisdiction).parse("file:///d.md", text, FORMATS["markdown"])
        resolution = resolve(library, draft, draft.citations[0])
        authorities = [library.catalogue.get(number) for number in resolution.authorities]
        titles = [authority.title for authority in authorities if authority is not None]
        places = [place.text for place in find_places(library, resolution)]
        settings = Settings(jurisdiction=jurisdiction, embeddings_model="")
        found = check(Snapshot(draft, library, searcher, settings), CancelToken())
        return titles, places, [finding.code for finding in found]

    return read


def test_a_section_is_found_in_the_file_that_holds_it(read: Read) -> None:
    titles, places, codes = read("See D.C. Code § 61-204.03(a).", "US")
    assert titles == ["§ 61-204.03. Lamps 61-204.03"]
    assert places == ["(a) A quay has lamps."]
    assert codes == []
    assert read("See D.C. Code § 7-11.", "US")[0] == ["§ 7-11. Lamps 7-11"]


def test_a_section_that_no_file_holds_is_not_sought_in_another(read: Read) -> None:
    titles, _, codes = read("See D.C. Code § 8-12.", "US")
    assert titles == []
    assert codes == ["not-in-library"]


def test_the_section_that_enacts_an_act_is_no_pinpoint_of_it(read: Read) -> None:
    titles, places, codes = read("See Lamps Act, SC 2022, c 10, s 294, s 2.", "CA")
    assert (titles, codes) == (["Lamps Act"], [])
    assert places == ["2 On piers."]
    assert "pinpoint-not-found" in read("See Lamps Act, SC 2022, c 10, s 294, s 9.", "CA")[2]


@pytest.mark.parametrize(
    ("place", "missed"),
    [
        ("1(c)", False),  # between those that the copy has
        ("1(f)", True),
        ("2(1)", False),  # a level that the copy's marks have lost
        ("3(l)", False),  # as scanners read "(1)"
        ("3(3)", True),
        ("3(a)", True),
        ("9", True),
        ("9 (1946 ed.)", False),
    ],
)
def test_a_place_whose_mark_may_not_have_been_read_is_not_missed(
    read: Read, place: str, missed: bool
) -> None:
    assert ("pinpoint-not-found" in read(f"See Wharf Act 1990, s {place}.", "UK")[2]) is missed
