"""Pages of publishers: what their mark-up says of an authority, and what of them is its text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.citations.model import Pinpoint
from lexls.library.document import SourceDocument
from lexls.library.pages import PageMark, sort_pages
from lexls.library.places import NumberedPlaces, find_places, list_labels
from lexls.library.report_heads import read_caption, read_decision_date, read_dockets
from lexls.text.spans import Span

Reader = Callable[[str, str | bytes], SourceDocument]

CASE_OF_CASELAW_ACCESS = """<section class="casebody" data-case-id="FC:A3d/310/310a3d40.xml"
    data-firstpage="40" data-lastpage="43">
  <section class="head-matter">
    <p class="parties" id="p-1">Wilma T. CARROW<br> v.<br> MERIDIAN FREIGHT COMPANY, INC., et al.</p>
    <p class="docketnumber" id="p-2">No. 20771.</p>
    <p class="court" id="p-3">Supreme Court of Vermont.</p>
    <p class="decisiondate" id="p-4">Argued May 9, 2019.<br> Decided Sept. 3, 2019.</p>
    <p class="attorneys"><a id="p41" href="#p41" data-label="41" data-citation-index="1"
      class="page-label">*41</a>Otto Brandt, for the appellant.</p>
  </section>
  <article class="opinion" data-type="majority">
    <p class="author" id="p-5">QUILL, J.</p>
    <p id="p-6"><a data-label="512" data-citation-index="1" class="page-label">*512</a>The carrier kept the
      grain<a class="footnotemark" href="#footnote_1_1" id="ref_footnote_1_1">1</a> dry.
      It <a data-label="42" data-citation-index="1" class="page-label">*42</a>was paid.</p>
    <p id="p-7">We <a data-label="513" class="page-label">*513</a>affirm the
      <a data-label="43" class="page-label">*43</a>judgment.</p>
    <aside data-label="1" class="footnote" id="footnote_1_1">
      <a href="#ref_footnote_1_1">1</a><p id="p-8">It was rye.</p></aside>
  </article>
</section>"""


def test_mark_up_of_the_caselaw_access_project_is_believed(read_as: Reader) -> None:
    found = read_as("x.html", CASE_OF_CASELAW_ACCESS)
    assert (found.format, found.metadata.kind, found.metadata.jurisdiction) == ("cap", "case", "US")
    assert found.metadata.title == "Carrow v. Meridian Freight Company, Inc."
    assert found.metadata.citation == "310 A.3d 40"
    assert found.metadata.court == "Supreme Court of Vermont"
    assert (found.metadata.date, found.metadata.docket) == ("2019-09-03", ("20771",))
    assert set(found.sources.values()) == {"mark-up"}
    assert "kept the grain [note 1] dry. It was paid." in found.text
    assert "Note 1: It was rye." in found.text


def test_star_pages_of_both_reports_are_kept_apart(read_as: Reader) -> None:
    found = read_as("x.html", CASE_OF_CASELAW_ACCESS)
    labels = list_labels(found.blocks, found.page_starts, found.page_numbers, "page")
    assert labels == ("40", "41", "42", "43", "512", "513")

    def page(label: str) -> list[str]:
        pinpoint = Pinpoint("page", (label,), Span(0, 0))
        places = find_places(
            NumberedPlaces(found.blocks), found.page_starts, found.page_numbers, len(found.text), pinpoint
        )
        return [" ".join(found.text[start:end].split()) for _, start, end in places]

    assert page("42") == ["was paid. We affirm the"]
    assert page("512") == ["The carrier kept the grain [note 1] dry. It was paid. We"]
    assert page("512-13")[1].startswith("affirm the judgment.")
    assert page("511") == []


@pytest.mark.parametrize(
    ("numbers", "first", "last", "expected"),
    [
        ([], 7, 9, []),
        ([], 7, 7, ["7"]),
        ([8, 9], 7, 9, ["7", "8", "9"]),
        ([9, 10], 7, 0, ["7", "9", "10"]),
        ([101, 102, 103], 0, 0, ["100", "101", "102", "103"]),
        ([8, 301, 9, 302, 10], 7, 10, ["7", "8", "9", "10", "", "301", "302"]),
        # The second series runs into the numbers of the first.
        ([8, 6, 9, 7, 10, 8, 11], 7, 11, ["7", "8", "9", "10", "11", "", "6", "7", "8"]),
        # A single mark out of sequence is a slip.
        ([8, 999, 9], 7, 0, ["7", "8", "9"]),
    ],
)
def test_series_of_pages(numbers: list[int], first: int, last: int, expected: list[str]) -> None:
    marks = [PageMark(10 * place, number) for place, number in enumerate(numbers, start=1)]
    starts, found = sort_pages(marks, first, last)
    assert list(found) == expected
    assert len(starts) == len(found)


def test_many_marks_out_of_sequence_take_no_time() -> None:
    marks = [PageMark(place, 7 * (place % 4001) + 9 * place % 13) for place in range(60_000)]
    assert sort_pages(marks)


@pytest.mark.parametrize(
    ("caption", "title"),
    [
        ("Wilma T. CARROW,\nPlaintiff, Appellant,\nv.\nOtto BRANDT, Jr., Sheriff", "Carrow v. Brandt"),
        ("STATE of Vermont v. Ida McQUILL.", "State v. McQuill"),
        ("UNITED STATES of America, Appellee, v. Rosa DE LA TOUR", "United States v. De la Tour"),
        ("IN RE: The HARBOR BOARD OF MERIDIAN, as trustee, Debtor", "In re Harbor Board of Meridian"),
        ("In re J.W., Appellant.", "In re J.W."),
        ("In the Interest of A. B. F., a child.", "In re A. B. F."),
        ("Foster Grain Co., Inc., plaintiff in error, v. Lane", "Foster Grain Co., Inc. v. Lane"),
        ("Carrow, individually and as guardian v. Meridian Corp. et al.", "Carrow v. Meridian Corp."),
        ("NOTICE: This opinion is not final.\nAda FERN, v.\nCITY OF ELM", "Fern v. City of Elm"),
        ("PETITION FOR REVIEW", ""),
        ("", ""),
    ],
)
def test_names_by_which_captions_are_cited(caption: str, title: str) -> None:
    assert read_caption(caption) == title


def test_what_the_opinion_writes_in_capitals_stays_so() -> None:
    assert (
        read_caption("Ada FERN v. DHX BANK, N.A.", "DHX paid. DHX knew. DHX sued.")
        == "Fern v. DHX Bank, N.A."
    )


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("Argued May 9, 2019. Decided Sept. 3, 2019.", "2019-09-03"),
        ("Submitted Aug. 2, 2003.Decided Oct. 14, 2003.", "2003-10-14"),
        ("March 5, 1988.", "1988-03-05"),
        ("Heard 11 April 1997.", ""),
        ("Opinion filed May 3, 1999. Rehearing denied June 4, 1999.", "1999-05-03"),
        ("Argued May 9, 2019.", ""),
    ],
)
def test_the_date_of_the_decision_alone_is_taken(written: str, date: str) -> None:
    assert read_decision_date(written) == date


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("Nos. 51-9001, 51-9002 and 52-1.", ["51-9001", "51-9002", "52-1"]),
        ("Case No. 61 BK 4400-QRS (Jointly Administered)", ["61 BK 4400-QRS"]),
        ("Docket No. 988123.", ["988123"]),
        ("A990011", ["A990011"]),
        ("The People, Plaintiff, v. A.V.", []),
    ],
)
def test_dockets(written: str, numbers: list[str]) -> None:
    assert list(read_dockets(written)) == numbers
