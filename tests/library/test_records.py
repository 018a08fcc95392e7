"""Records that hold an authority: JSON objects and rows of tables, with the place of their text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.library.document import SourceDocument, UnreadableFile
from lexls.library.readers.json_strings import decode_string, find_strings, map_through
from lexls.library.readers.records import extract, extract_table

Reader = Callable[[str, str | bytes], SourceDocument]

CASE = {
    "id": 77,
    "name": "Wilma T. CARROW v. MERIDIAN FREIGHT COMPANY",
    "name_abbreviation": "Carrow v. Meridian Freight Co.",
    "decision_date": "1899-03-14",
    "docket_number": "No. 12",
    "first_page": "40",
    "last_page": "44",
    "citations": [{"type": "official", "cite": "9 Vt. 40"}, {"type": "parallel", "cite": "31 A. 7"}],
    "court": {"name_abbreviation": "Vt.", "name": "Vermont Supreme Court"},
    "jurisdiction": {"name_long": "Vermont", "name": "Vt."},
    "casebody": {
        "head_matter": "Carrow\nv.\nMeridian Freight Company",
        "opinions": [
            {"type": "majority", "text": 'QUILL, J.\nThe carrier said: "We keep grain dry."\nWe affirm.'},
            {"type": "dissent", "text": "LOAM, J., dissenting.\nI would reverse, é \U0001f33e and all."},
        ],
    },
}
PAGE = (
    "<div>\n<center><b>88 F.3d 12 (2011)</b></center>\n<center><h1>Ada FERN, Petitioner,<br>\nv.<br>\n"
    "CITY OF ELM, Respondent.</h1></center>\n<center>No. 10-8801.</center>\n"
    "<center><p><b>United States Court of Appeals, First Circuit.</b></p></center>\n"
    "<center>Heard May 2, 2011.</center>\n<center>Decided July 5, 2011.</center>\n"
    '<p>The <span class="star-pagination">*13</span> city paid &sect; 4 fees, and so it loses.</p>\n'
    '<p>We <span class="star-pagination">*14</span> affirm.</p></div>'
)
OPINION: dict[str, Any] = {
    "resource_uri": "https://www.courtlistener.com/api/rest/v4/opinions/1/",
    "absolute_url": "/opinion/1/fern-v-city-of-elm/",
    "cluster": "https://www.courtlistener.com/api/rest/v4/clusters/1/",
    "type": "010combined",
    "download_url": "http://www.ca1.uscourts.gov/pdf.opinions/10-8801P-01A.pdf",
    "local_path": "pdf/2011/07/05/Fern_v._Elm.pdf",
    "plain_text": "",
    "html": "",
    "html_lawbox": PAGE,
    "html_with_citations": PAGE,
}


def check_map(source: str, document: SourceDocument) -> None:
    end = 0
    for text_start, source_start, length in document.source_map:
        assert text_start >= end
        end = text_start + length
        shown, written = document.text[text_start:end], source[source_start : source_start + length]
        # An entity or an escape stands for one character; it may end a run of others.
        assert shown == written or (shown[:-1] == written[:-1] and written[-1] in "\\&")


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_case_of_the_caselaw_access_project(read_as: Reader, ascii_only: bool) -> None:
    source = json.dumps(CASE, indent=2, ensure_ascii=ascii_only)
    found = read_as("x.json", source)
    assert (found.format, found.metadata.kind, found.metadata.jurisdiction) == ("cap", "case", "US")
    assert found.metadata.title == "Carrow v. Meridian Freight Co."
    assert (found.metadata.citation, found.metadata.parallel_citations) == ("9 Vt. 40", ("31 A. 7",))
    assert (found.metadata.court, found.metadata.date) == ("Vermont Supreme Court", "1899-03-14")
    assert found.metadata.docket == ("12",)
    assert found.text.endswith("I would reverse, é \U0001f33e and all.")
    assert found.page_starts == ()
    check_map(source, found)
    at = found.text.index("affirm")
    run = max(run for run in found.source_map if run[0] <= at)
    assert source[run[1] + at - run[0] :].startswith("affirm")


def test_an_opinion_of_courtlistener(read_as: Reader) -> None:
    source = json.dumps(OPINION)
    found = read_as("1.json", source)
    assert found.format == "courtlistener"
    assert (found.metadata.title, found.metadata.citation) == ("Fern v. City of Elm", "88 F.3d 12")
    assert found.metadata.court == "United States Court of Appeals, First Circuit"
    assert (found.metadata.date, found.metadata.docket) == ("2011-07-05", ("10-8801",))
    assert found.page_numbers == ("12", "13", "14")
    assert "The city paid § 4 fees" in found.text
    check_map(source, found)


def test_what_the_mark_up_of_the_text_does_not_tell_comes_from_addresses(read_as: Reader) -> None:
    typed = (
        "      Court\n\n    ADA FERN,\n        v.\n  CITY OF ELM\n\n  Fern &amp; Sons sued. DRX paid. " * 3
    )
    record = {
        **OPINION,
        "html_lawbox": "",
        "html_with_citations": f'<pre class="inline">{typed}</pre>',
        "plain_text": typed,
        "absolute_url": "/opinion/1/fern-v-drx/",
    }
    found = read_as("1.json", json.dumps(record))
    assert found.metadata.title == "Fern v. DRX"
    assert found.metadata.court == "United States Court of Appeals for the First Circuit"
    assert (found.metadata.date, found.metadata.docket) == ("2011-07-05", ("10-8801",))
    assert "Fern & Sons" in found.text
    check_map(json.dumps(record), found)


def test_a_cluster_with_its_opinion(read_as: Reader) -> None:
    record = {
        "case_name": "Fern v. Elm",
        "date_filed": "2011-07-05",
        "citations": [{"volume": 88, "reporter": "F.3d", "page": "12", "type": 1}],
        "court_id": "ca2",
        "sub_opinions": [{"html_with_citations": "", "plain_text": "The city paid the fees. " * 9}],
    }
    found = read_as("1.json", json.dumps(record)).metadata
    assert (found.title, found.citation, found.date) == ("Fern v. Elm", "88 F.3d 12", "2011-07-05")
    assert found.court == "United States Court of Appeals for the Second Circuit"


@pytest.mark.parametrize("escaped", [True, False])
def test_a_row_of_courtlisteners_bulk_table(read_as: Reader, escaped: bool) -> None:
    names = [
        "id",
        "type",
        "download_url",
        "local_path",
        "plain_text",
        "html",
        "html_lawbox",
        "html_with_citations",
    ]
    row = ["1", "010combined", OPINION["download_url"], OPINION["local_path"], "", "", "", PAGE]
    quote = '\\"' if escaped else '""'
    source = "\n".join(
        ",".join('"' + cell.replace('"', quote) + '"' for cell in line) for line in (names, row)
    )
    found = read_as("opinions.csv", source)
    assert (found.metadata.title, found.metadata.citation) == ("Fern v. City of Elm", "88 F.3d 12")
    assert found.page_numbers == ("12", "13", "14")
    assert found.source_map == ()


def test_records_of_anybodys(read_as: Reader) -> None:
    record = {
        "title": "Carrow v Meridian",
        "citation": "[2014] UKSC 914",
        "court": "Supreme Court",
        "date": "2014-03-09",
        "type": "decision",
        "jurisdiction": "uk",
        "text": "[1] The carrier lost grain. \n\n[2] It must pay for what it lost.\n\n[3] So we order it.",
    }
    for name, source in (("a.json", json.dumps(record)), ("a.jsonl", json.dumps(record) + "\n")):
        found = read_as(name, source)
        assert (found.metadata.title, found.metadata.citation) == ("Carrow v Meridian", "[2014] UKSC 914")
        assert (found.metadata.kind, found.metadata.jurisdiction) == ("case", "UK")
        assert [block.label for block in found.blocks] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('{"name": "x",\n"version": "1.0.0"}', "no text of an authority"),
        ('{"title": "x", "text": "short"}', "no text of an authority"),
        ("[]", "no text of an authority"),
        ("[1, 2]", "no text of an authority"),
        ('"words"', "no text of an authority"),
        ('{"title": "x",\n"text": }', r"not valid JSON \(line 2\)"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "nested too deeply"),
        (json.dumps([CASE, CASE]), "2 documents in one file"),
    ],
)
def test_other_json_is_refused_with_the_reason(source: str, reason: str) -> None:
    with pytest.raises(UnreadableFile, match=reason):
        extract(source.encode())


def test_several_lines_and_rows_are_refused_with_their_number() -> None:
    with pytest.raises(UnreadableFile, match="3 documents in one file"):
        extract((json.dumps(CASE) + "\n").encode() * 3)
    with pytest.raises(UnreadableFile, match="2 documents in one file"):
        extract_table(b"title,text\nFern v Elm,It paid.\nElm v Fern,It did not.\n")
    with pytest.raises(UnreadableFile, match="no text of an authority"):
        extract_table(b"file,title\na.txt,Fern v Elm\n")


def test_what_utf_8_cannot_hold_gives_way() -> None:
    source = '{"title": "Fern v Elm \\ud800", "text": "%s \\udc00 \\u0000 end"}' % ("words " * 30)
    found = extract(source.encode())
    assert found.text.endswith("words  � � end")
    assert found.declared["title"] == "Fern v Elm �"


@given(
    st.recursive(
        st.text(max_size=30),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    ),
    st.booleans(),
)
@settings(max_examples=200)
def test_every_string_is_found_where_it_stands(value: Any, ascii_only: bool) -> None:
    wanted: dict[tuple[str | int, ...], str] = {}

    def walk(at: Any, path: tuple[str | int, ...]) -> None:
        if isinstance(at, str):
            wanted[path] = at
        elif isinstance(at, list):
            for place, item in enumerate(at):
                walk(item, (*path, place))
        else:
            for key, item in at.items():
                walk(item, (*path, key))

    walk(value, ())
    source = json.dumps(value, ensure_ascii=ascii_only)
    places = find_strings(source, wanted)
    for path, text in wanted.items():
        runs = list(decode_string(source, *places[path]))
        assert "".join(run[0] for run in runs) == text.replace("\0", "�")
        mapped = list(map_through([(0, 0, len(text))] if text else [], runs, 5))
        assert sum(length for _, _, length in mapped) == len(text)
