"""A jurisdiction that nobody but its own folder of data knows: cited, resolved, checked and inserted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.jurisdiction import JurisdictionError, find_jurisdiction, load_jurisdictions
from lexls.features.find_support import find_support
from lexls.features.hover import hover
from lexls.features.navigation import find_definitions
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from tests.features.proposition_edits import find_edits

VARN = Path(__file__).parent / "jurisdictions" / "VARN"
JUDGMENT = """\
---
title: Orrin v Pell
citation: VAssz 14/1998
court: High Assize of Varn
date: 1998-05-03
kind: case
jurisdiction: VARN
---

[1] The respondent moored a barge across the mouth of the harbour for a week.

[2] A toll collector who sleeps at his post owes the crown the toll of every ship that passed him.

[3] The appeal is dismissed.
"""
OTHER = """\
# Hale v Ryle

High Court of Varn

4 June 1999

1. The respondent sold a lantern that was no lantern.

2. The claim is allowed with the costs of the voyage.
"""
STATUTE = """\
---
title: Harbour Tolls Handfast 1995
kind: statute
date: 1995
jurisdiction: VARN
---

# Harbour Tolls Handfast 1995

### 9 Barges

A barge pays half the toll of a ship.

### 10 Ferries

A ferry pays nothing.
"""
SLEEPS = "A toll collector who sleeps at his post owes the crown the toll"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder with the jurisdiction in it, which lexls is told of."""
    shutil.copytree(VARN, tmp_path / "places" / "VARN")
    monkeypatch.setenv("LEXLS_JURISDICTIONS", os.pathsep.join([str(tmp_path / "places"), ""]))
    return tmp_path / "places" / "VARN"


Read = Callable[..., tuple[Snapshot, int]]


@pytest.fixture
def library(place: Path, tmp_path: Path) -> Iterator[Library]:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "orrin.md").write_text(JUDGMENT, encoding="utf-8")
    (folder / "hale.md").write_text(OTHER, encoding="utf-8")
    (folder / "tolls.md").write_text(STATUTE, encoding="utf-8")
    settings = Settings(embeddings_model="")
    library, report = open_library([folder], tmp_path / "i.sqlite", settings, lexical_only=True)
    assert not report.failed
    yield library
    library.close()


@pytest.fixture
def read(library: Library) -> Read:
    """``read("… | …")``: the draft, whose jurisdiction the settings may name, and the cursor."""

    def read(marked: str, **settings: str) -> tuple[Snapshot, int]:
        current = Settings(**settings)  # type: ignore[arg-type]
        source = marked.replace("|", "")
        draft = DraftParser(Grammar.load(), current.jurisdiction).parse(
            "file:///draft", source, FORMATS["plain"]
        )
        return Snapshot(draft, library, Searcher(library), current), marked.index("|")

    return read


def test_its_judgments_are_known_by_the_names_of_its_courts(library: Library) -> None:
    assert {each.title: each.jurisdiction for each in library.catalogue.all()} == {
        "Orrin v Pell": "VARN",
        "Hale v Ryle": "VARN",
        "Harbour Tolls Handfast 1995": "VARN",
    }


def test_its_citations_lead_to_the_library(read: Read) -> None:
    snapshot, cursor = read("So it is: Orrin v Pell, VAs|sz 14/1998, para 2; see also the Handfast.")
    assert snapshot.draft.jurisdiction == "VARN"
    targets = find_definitions(snapshot, cursor, CancelToken())
    assert [Path(each.location.file).name for each in targets] == ["orrin.md"]


def test_a_place_in_a_statute_is_called_as_it_says(read: Read) -> None:
    snapshot, cursor = read("A ferry pays nothing: Harbour Tolls Hand|fast 1995, s 10.", jurisdiction="VARN")
    found = hover(snapshot, cursor, CancelToken())
    assert found is not None
    assert "chapter 10" in found.markdown


def test_an_authority_is_inserted_by_its_customs(read: Read) -> None:
    snapshot, cursor = read(f"{SLEEPS}|.", jurisdiction="VARN")
    hit = find_support(snapshot, Span(cursor, cursor), 5, CancelToken())[0].hit
    [edit] = find_edits(snapshot, Span(cursor, cursor), hit.authority, hit.passage)
    assert edit.text == ": Orrin contra Pell, VAssz 14/1998 clausula 2"


def test_an_authority_is_inserted_in_a_style_as_its_folder_says(read: Read) -> None:
    snapshot, cursor = read(f"{SLEEPS}|.", jurisdiction="VARN", citations_style="oscola")
    hit = find_support(snapshot, Span(cursor, cursor), 5, CancelToken())[0].hit
    [edit] = find_edits(snapshot, Span(cursor, cursor), hit.authority, hit.passage)
    assert edit.text == ": Orrin v Pell: VAssz 14/1998 [2], Assz, 1998"


def test_a_provision_of_a_code_that_was_replaced_is_said_to_be(read: Read) -> None:
    snapshot, cursor = read("He owes it under section 7 of the Old Tol|ls.", jurisdiction="VARN")
    found = hover(snapshot, cursor, CancelToken())
    assert found is not None
    assert "section 9 of the Harbour Tolls Handfast" in found.markdown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rankk = 3", "VARN: unknown field `rankk`"),
        ("rank = 'low'", "VARN: `rank` is no int"),
        ("[customs]\nversus = 3", "VARN: customs: `versus` is no str"),
    ],
)
def test_a_folder_that_says_something_else_is_refused_by_name(place: Path, text: str, message: str) -> None:
    (place / "jurisdiction.toml").write_text(text, encoding="utf-8")
    with pytest.raises(JurisdictionError) as raised:
        load_jurisdictions()
    assert str(raised.value) == message


def test_without_its_folder_nothing_is_known_of_it() -> None:
    assert "VARN" not in load_jurisdictions()
    assert find_jurisdiction("VARN").title == ""
