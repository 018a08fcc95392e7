"""Copies of Word briefs with their citations converted, and with a table of authorities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from word_briefs import CITED, WRONG, make, paragraph, run, write_briefs
from word_changes import TEXT, commented_words, normal_form, read_parts, settle

from lexls.library.readers.docx import extract

Run = Any
"""``Run`` of conftest.py."""
BRIEFS = write_briefs()


@pytest.fixture(params=sorted(BRIEFS))
def name(request: Any, matter: Path) -> str:
    """The name of a brief, which lies in the folder as brief.docx."""
    (matter / "brief.docx").write_bytes(BRIEFS[request.param])
    return str(request.param)


def assert_rejected_is(data: bytes, copy: bytes) -> None:
    """Rejected, a copy is the document."""
    rejected = settle(copy, accepted=False)
    assert extract(rejected).text == extract(data).text
    old, new, back = read_parts(data), read_parts(copy), read_parts(rejected)
    for part, content in old.items():
        if TEXT.fullmatch(part):
            assert normal_form(back[part]) == normal_form(content)
        elif "word/comments.xml" not in new or not part.endswith((".rels", "[Content_Types].xml")):
            assert new[part] == content


def test_a_converted_copy_changes_nothing_but_its_citations(name: str, lexls: Run, matter: Path) -> None:
    result = lexls("convert", "brief.docx", "--style", "oscola", "--output", "out.docx", "--json")
    assert result.code == 0, result.err
    copy = (matter / "out.docx").read_bytes()
    assert_rejected_is(BRIEFS[name], copy)
    text = extract(BRIEFS[name]).text
    changes = result.json["changes"]
    assert changes
    for each in reversed(changes):
        assert text[each["start"] : each["end"]] == each["before"]
        text = text[: each["start"]] + each["after"] + text[each["end"] :]
    assert extract(settle(copy, accepted=True)).text == text


def test_a_table_is_put_in_as_an_insertion(name: str, lexls: Run, matter: Path) -> None:
    result = lexls("table", "brief.docx", "--output", "out.docx")
    assert result.code == 0, result.err
    copy = (matter / "out.docx").read_bytes()
    assert_rejected_is(BRIEFS[name], copy)
    accepted = extract(settle(copy, accepted=True)).text
    assert accepted.startswith("Table of ")
    without = accepted[accepted.index("Skeleton argument") :]
    assert without == extract(BRIEFS[name]).text


def test_propositions_without_authority_get_the_best_as_a_comment(lexls: Run, matter: Path) -> None:
    duty = "An expert witness owes a duty to the court that overrides any obligation to whoever pays."
    far = "A baker must feed a sourdough starter with rye flour before the duty of kneading begins."
    data = make(paragraph(run(duty)), paragraph(run(far)), paragraph(run(WRONG), CITED))
    (matter / "brief.docx").write_bytes(data)
    result = lexls("support", "--file", "brief.docx", "--output", "out.docx", "--lexical", "--json")
    assert result.code == 0, result.err
    copy = (matter / "out.docx").read_bytes()
    assert_rejected_is(data, copy)
    [(words, comment)] = commented_words(copy)
    assert words == duty
    assert "Lorne v Petrel Survey Co [2033] EWCA Civ 210 at [1]: “An expert witness owes a duty" in comment
    told, nothing = result.json["propositions"]
    assert (nothing["proposition"], nothing["hits"]) == (far, [])
    assert told["proposition"] == duty
    assert told["hits"][0]["citation"] == "[2033] EWCA Civ 210"
    assert lexls("support", "A duty.", "--output", "more.docx").code == 2


def test_a_copy_is_refused_where_it_cannot_be(lexls: Run, matter: Path) -> None:
    (matter / "brief.docx").write_bytes(BRIEFS["plain"])
    for command in (("convert", "--style", "oscola"), ("table",)):
        same = lexls(command[0], "brief.docx", *command[1:], "--output", "brief.docx")
        text = lexls(command[0], "draft.md", *command[1:], "--output", "out.docx")
        assert (same.code, text.code) == (2, 2)
        assert "is the draft itself" in same.err
        assert "draft.md: not a Word document" in text.err
    assert (matter / "brief.docx").read_bytes() == BRIEFS["plain"]
