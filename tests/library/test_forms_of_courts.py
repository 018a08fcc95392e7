"""First pages on the forms of courts and tribunals, whose labels tell what the rest is."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from lexls.library.document import SourceDocument
from tests.library.drawn_pdfs import draw_page

Reader = Callable[[str, str | bytes], SourceDocument]

BODY = "\n\nThe carrier answers for the goods that it was given. So it was held in Ash v Oak [2001] UKHL 7.\n"
FORMS = tomllib.loads((Path(__file__).parent / "forms_of_courts.toml").read_text(encoding="utf-8"))


def check(document: SourceDocument, form: Mapping[str, str]) -> None:
    """Compare what was read with what the form's table says of it."""
    found = document.metadata
    read = {"docket": next(iter(found.docket), "")}
    expected = {field: value for field, value in form.items() if field != "page"}
    assert {field: read.get(field, getattr(found, field)) for field in expected} == expected


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_by_its_labels(read_as: Reader, form: str) -> None:
    check(read_as("paper.txt", FORMS[form]["page"] + BODY), FORMS[form])


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_the_same_as_pdf(read_as: Reader, form: str) -> None:
    check(read_as("paper.pdf", draw_page(FORMS[form]["page"] + BODY)), FORMS[form])


@pytest.mark.parametrize("label", ["Hearing", "Trial", "Motion"])
def test_no_other_day_is_the_decisions(read_as: Reader, label: str) -> None:
    page = FORMS["Queensland"]["page"] + f"\n{label} Date: 11 March 2024\n"
    assert read_as("paper.txt", page + BODY).metadata.date == ""


def test_a_name_in_another_script_below_is_no_part_of_the_name(read_as: Reader) -> None:
    page = """
                        IN THE HIGH COURT OF THE
              HONG KONG SPECIAL ADMINISTRATIVE REGION
                        COURT OF FIRST INSTANCE

                        ACTION NO 1184 OF 2018

BETWEEN

             TARN GARMENTS LIMITED                        Plaintiff
                       (\u91d1\u6e2f\u88fd\u8863\u6709\u9650\u516c\u53f8)

                               and

             PELL PUI SHAN (\u5289\u4f69\u73ca)                     Defendant

Date of Judgment:  20 August 2021
"""
    found = read_as("paper.txt", page + BODY).metadata
    assert (found.title, found.date) == ("Tarn Garments Limited v Pell Pui Shan", "2021-08-20")
