from __future__ import annotations

from pathlib import Path

import pytest
from genuine_tables import Entry, TableError, faults, tables

from lexls.citations.grammar import Grammar

TABLES = tables(Path(__file__).parent / "genuine")
ENTRIES = [entry for entries in TABLES.values() for entry in entries]


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
def test_a_genuine_citation_is_read_as_its_table_says(grammar: Grammar, entry: Entry) -> None:
    assert faults(entry, grammar) == []


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_table_has_at_least_twenty_entries(table: str) -> None:
    assert len(TABLES[table]) >= 20


def test_there_is_a_table_for_each_of_twelve_jurisdictions() -> None:
    assert sorted(TABLES) == sorted(
        ["us", "uk", "au", "in", "ca", "eu", "echr", "nz", "sg", "hk", "ie", "za"]
    )


TRUTH = 'text = "In ‹Donoghue v Stevenson [1932] AC 562, 580›."\nkind = "case"\nkey = "[1932] AC 562"\n'
PINPOINT = 'pinpoint = ["580"]\npinpoint_kind = "page"\n'


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (TRUTH + PINPOINT, None),
        (TRUTH.replace("‹Donoghue v ", "Donoghue v ‹") + PINPOINT, "the span is"),
        (TRUTH.replace("case", "statute") + PINPOINT, "the kind is case"),
        (TRUTH + PINPOINT + 'form = "short"\n', "the form is full"),
        (TRUTH.replace('"[1932] AC 562"', '"[1932] AC 563"') + PINPOINT, "the key is"),
        (TRUTH, "where there is none"),
        (TRUTH + PINPOINT.replace("580", "581"), "the pinpoint is"),
        (TRUTH + PINPOINT.replace("page", "paragraph"), "the pinpoint's kind is page"),
        (TRUTH.replace("[1932] AC 562, 580", "nothing at all") + PINPOINT, "does not read"),
        (TRUTH.replace("In", "In [2019] UKSC 41 and") + PINPOINT, "where nothing is cited"),
    ],
)
def test_what_is_read_otherwise_than_a_table_says_is_a_fault(
    tmp_path: Path, grammar: Grammar, entry: str, fault: str | None
) -> None:
    (tmp_path / "uk.toml").write_text(f'jurisdiction = "UK"\n[[citation]]\n{entry}', encoding="utf-8")
    found = faults(tables(tmp_path)["uk"][0], grammar)
    if fault is None:
        assert found == []
    else:
        assert any(fault in one for one in found), found


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no tables"),
        ("= 3", "uk.toml: "),
        ("", "no `jurisdiction`"),
        ('jurisdiction = "UK"\n[[citation]]\ntext = "In [1932] AC 562."', "entry 1: no mark"),
        ('jurisdiction = "UK"\n[[citation]]\ntext = "In ‹[1932] AC 562."', "not closed"),
        ('jurisdiction = "UK"\n[[citation]]\ntext = "In ‹[1932] AC 562›."', "entry 1: 'kind'"),
    ],
)
def test_a_wrong_table_is_named_with_its_entry(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "uk.toml").write_text(content, encoding="utf-8")
    with pytest.raises(TableError) as raised:
        tables(tmp_path)
    assert message in str(raised.value)
