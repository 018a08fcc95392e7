"""What a user says of an authority is written where lexls reads it, and nothing else changes."""

from __future__ import annotations

import csv
import io

import pytest

from lexls.library.readers.plain import read_front_matter
from lexls.library.written_facts import add_front_matter, add_row, change_bytes

BODY = "ORDER\n\n---\n\nThe motion is denied.\n"
SAID = {"title": "", "citation": "612 U.S. 34", "parallel_citations": ["[2024] ASC 3", 'x "y"']}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "front",
    [
        "",
        "---\nnote: kept\n---\n",
        "---\nCitation: old\nparallel-citations:\n  - a\n  - b\nkind: case # said\n---\n",
        "---\nparallel citations:\n- a\n- b\nnote: |\n  title: no\n---\n\n",
        "---\ntitle: Quill\\1 v Marr\ndate: 2019-03-02\n...\n",
    ],
)
def test_front_matter_says_the_facts_and_all_it_said_before(front: str, end: str) -> None:
    text = (front + BODY).replace("\n", end)
    changed = add_front_matter(text, SAID)
    assert changed is not None
    before, _, _ = read_front_matter(text)
    values, body, warnings = read_front_matter(changed)
    assert (changed[body:].lstrip(), warnings) == (text[len(front.replace("\n", end)) :], ())
    folded = {key.lower().replace(" ", "_").replace("-", "_"): value for key, value in values.items()}
    assert [folded[name] for name in SAID] == [None, "612 U.S. 34", SAID["parallel_citations"]]
    kept = {key: value for key, value in before.items() if key in ("note", "kind", "date")}
    assert kept.items() <= values.items()
    assert changed.count("\n") == changed.count(end)


@pytest.mark.parametrize("front", ["---\ncitation: [2014] ASC 12\n---\n", "---\nlist: [a, b\n---\n"])
def test_front_matter_that_is_no_yaml_is_left_to_its_owner(front: str) -> None:
    assert add_front_matter(front + BODY, SAID) is None


def rows(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def test_a_new_table_has_a_row_with_empty_cells_to_fill_in() -> None:
    table = add_row(
        "", "order, signed.pdf", {"title": 'Quill "Q" v. Marr', "court": "", "citation": ["1 U.S. 2"]}
    )
    assert table is not None
    assert rows(table) == [
        ["file", "title", "citation", "court", "date"],
        ["order, signed.pdf", 'Quill "Q" v. Marr', "1 U.S. 2", "", ""],
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rows_of_others_stay_as_they_are_written(delimiter: str, end: str) -> None:
    lines = [
        delimiter.join(['"File name"', "Note", "Date"]),
        delimiter.join(["other.pdf", '"two\nlines, ""quoted"""', "2019"]),
        "",
        delimiter.join(["order", "mine"]),
        delimiter.join(["last.pdf", "no end"]),
    ]
    text = end.join(lines)
    table = add_row(text, "order.pdf", {"date": "2020", "citation": "1 U.S. 2"})
    assert table is not None
    head = [*rows(text, delimiter)[0], "citation"]
    expected = [
        head,
        *rows(text, delimiter)[1:3],
        ["order", "mine", "2020", "1 U.S. 2"],
        ["last.pdf", "no end"],
    ]
    assert rows(table, delimiter) == expected
    assert lines[1] + end in table
    again = add_row(table, "order.pdf", {"date": "1999", "citation": ["1 U.S. 2", "3 L. Ed. 4"]})
    assert again is not None
    assert rows(again, delimiter)[3] == ["order", "mine", "2020", "1 U.S. 2; 3 L. Ed. 4"]
    added = add_row(table, "new.pdf", {"citation": "9 U.S. 9"})
    assert added is not None
    assert rows(added, delimiter) == [*expected, ["new.pdf", "", "", "9 U.S. 9"]]


@pytest.mark.parametrize("text", ["title,citation\na,b\n", 'file,title\n"open,b\n'])
def test_a_table_with_faults_is_left_to_its_owner(text: str) -> None:
    assert add_row(text, "order.pdf", {"citation": "1 U.S. 2"}) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_keeps_its_encoding(encoding: str) -> None:
    text = "file,title\nü.pdf,Müller v. Marr\n"
    changed = change_bytes(text.encode(encoding), text, text + "ä\n")
    assert changed == (text + "ä\n").encode(encoding)


def test_what_an_encoding_lacks_is_not_written() -> None:
    text = "file,title\nü.pdf,Müller v. Marr\n"
    assert change_bytes(text.encode("cp1252"), text, text + "ł\n") is None
