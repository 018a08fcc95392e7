"""Patterns are compiled when a text needs them: all of them are compiled here, and what stands before it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import lexls.citations
from lexls.citations import behind, tables
from lexls.citations.record_names import load_record_forms

FOLDER = Path(lexls.citations.__file__).parent
FILES = sorted(
    path.relative_to(FOLDER).as_posix()
    for path in FOLDER.rglob("*.toml")
    if "jurisdictions" not in path.parts and path.name != "record.toml"
)


@pytest.mark.parametrize(
    "name", [each for each in FILES if "patterns" in tomllib.loads((FOLDER / each).read_text("utf-8"))]
)
def test_every_pattern_of_a_file_can_be_compiled(name: str) -> None:
    patterns = tables.load_patterns(name)
    assert all(patterns[each].pattern for each in patterns)


def test_every_pattern_behind_citations_and_of_the_record_can_be_compiled() -> None:
    forms = load_record_forms()
    for patterns in (behind.load_patterns(), forms.patterns, forms.files, forms.owners, forms.qualifiers):
        assert all(patterns[each].pattern for each in patterns)
    assert all(paper.names.pattern for paper in forms.papers.values())


@pytest.mark.parametrize("kind", sorted(behind._BEGINNINGS))
@pytest.mark.parametrize("court", ["CA", "HL", "Ont. C.A.", "ICJ", "SC) (FB", "12 May 2010", "PC"])
def test_what_names_a_court_begins_as_it_is_said_to(kind: str, court: str) -> None:
    pattern = behind.load_patterns()[kind]
    for spaces in range(14):
        for opening in ("(", ",", ", ", "[", ""):
            text = f"562{' ' * spaces}{opening}{court}), and"
            match = pattern.match(text, 3)
            assert behind.skip(kind, text, 3) == (match.end() if match is not None else 3)
