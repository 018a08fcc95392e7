"""Drafts in Word: places by paragraph and character, and footnotes read as footnotes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from word_documents import write_word

Run = Any
"""``Run`` of conftest.py."""


@pytest.fixture
def findings(lexls: Run, matter: Path) -> Any:
    """What checking a Word document of these paragraphs finds, as the JSON has it."""

    def check(*paragraphs: str) -> list[Any]:
        write_word(matter / "brief.docx", *paragraphs)
        found: list[Any] = lexls("check", "brief.docx", "--json").json["findings"]
        return found

    return check


def test_a_finding_stands_at_its_paragraph_and_character(findings: Any) -> None:
    text = "The board is liable: Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [9]."
    [found] = findings("Skeleton argument", "", text)
    at = text.index("9]") + 1
    assert found["code"] == "pinpoint-not-found"
    assert found["place"] == f"paragraph 2, character {at}"
    assert (found["line"], found["character"]) == (2, at)
    assert found["fix"] is None


def test_the_mark_of_a_footnote_counts_as_one_character(findings: Any) -> None:
    [found] = findings("So it is.^[A note.]] See Gull v Heron [1987] UKHL 3.")
    assert found["place"] == f"paragraph 1, character {len('So it is.* See Gull v Heron ') + 1}"


def test_a_finding_in_a_footnote_names_the_footnote_and_stands_at_its_mark(findings: Any) -> None:
    note = "See Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [9]."
    [found] = findings("First.^[A note.]]", f"The board is liable.^[{note}]]")
    assert found["place"] == f"footnote 2, character {note.index('9]') + 1}"
    assert (found["line"], found["character"]) == (2, len("The board is liable.") + 1)


def test_short_forms_in_footnotes_stand_for_what_earlier_footnotes_cite(findings: Any) -> None:
    found = findings(
        "The board is liable.^[Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12.]]",
        "It knew of the pontoon.^[Ibid at [2].]]",
        "There is more.^[Ibid at [8].]]",
    )
    assert [(each["code"], each["place"]) for each in found] == [
        ("pinpoint-not-found", "footnote 3, character 10")
    ]


def test_a_quotation_is_compared_with_what_its_footnote_cites(findings: Any) -> None:
    quoted = (
        "“knowledge of every servant whose duty is to receive reports is the knowledge of the board itself”"
    )
    found = findings(f"The {quoted}.^[Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [2].]]")
    assert {each["code"] for each in found} & {"misquotation", "quotation-wording"}
    assert all(each["place"].startswith("paragraph 1, ") for each in found)


def test_a_paragraph_in_a_style_for_quotations_is_a_quotation(findings: Any) -> None:
    found = findings(
        "The Supreme Court held in Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [1]:",
        "> A harbour board that invites vessels into its channel may take reasonable care to find dangers.",
    )
    assert [(each["code"], each["line"]) for each in found] == [("misquotation", 2)]


def test_lines_for_people_and_annotations_name_the_paragraph(lexls: Run, matter: Path) -> None:
    write_word(matter / "brief.docx", "See Gull v Heron [1987] UKHL 3.")
    place = f"paragraph 1, character {len('See Gull v Heron ') + 1}"
    assert lexls("check", "brief.docx").out.startswith(f"brief.docx: {place}: information: ")
    assert f"::{place}: Gull v Heron" in lexls("check", "brief.docx", "--format", "github").out
    [result] = lexls("check", "brief.docx", "--sarif").json["runs"][0]["results"]
    assert result["message"]["text"].startswith(place)
    [location] = result["locations"]
    assert location["logicalLocations"] == [{"fullyQualifiedName": place, "kind": "element"}]
    assert location["physicalLocation"]["region"]["startLine"] == 1
    assert "fixes" not in result


def test_a_pdf_is_refused_with_the_reason(lexls: Run, matter: Path) -> None:
    (matter / "brief.pdf").write_bytes(b"%PDF-1.7\n")
    result = lexls("check", "brief.pdf")
    assert result.code == 2
    assert result.err == "lexls: brief.pdf: a PDF is not a draft; check the document it was made from\n"


def test_a_damaged_document_is_refused_with_the_reason(lexls: Run, matter: Path) -> None:
    (matter / "brief.docx").write_bytes(b"PK\x03\x04 and no more")
    result = lexls("check", "brief.docx", "draft.md", "--json")
    assert result.code == 2
    assert "brief.docx: damaged DOCX file" in result.err
    assert {each["file"] for each in result.json["findings"]} == {"draft.md"}


def test_cite_reads_a_word_document_with_its_notes(lexls: Run, matter: Path) -> None:
    write_word(
        matter / "brief.docx",
        "It is liable.^[Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12.]]",
        "It is.^[Ibid.]]",
    )
    full, ibid = lexls("cite", "brief.docx", "--json").json["citations"]
    assert (ibid["antecedent"], ibid["key"]) == (0, full["key"])
