"""What a draft has cited is known alike, however often the draft was changed before."""

from dataclasses import replace

from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.text.formats import FORMATS
from lexls.writing.cited_before import find_cited

VERSIONS = (
    "First *Carrow v Luff* [2014] ASC 12 at [2].\n\nThen *Pell v Stark* [2009] ACA 31.\n\n*Carrow* at [3].",
    "Then *Pell v Stark* [2009] ACA 31.\n\nFirst *Carrow v Luff* [2014] ASC 12 at [2].\n\n*Carrow* at [3].",
    "Then *Pell v Stark* [2009] ACA 31.\n\n*Luff* at [4]. Then *Carrow v Luff* [2014] ASC 12.",
    "*Carrow v Luff* (2014) 31 AldLR 5, *Carrow v Luff* [2014] ASC 12, *Pell v Stark* [2009] ACA 31.",
)


def cited_one_by_one(snapshot, offset):  # type: ignore[no-untyped-def]
    found = {}
    for citation in snapshot.draft.citations:
        if citation.form == "full" and citation.span.end <= offset:
            for authority in resolve(snapshot.library, snapshot.draft, citation).authorities:
                found.setdefault(authority, citation)
    return found


def test_what_is_cited_before_a_place_is_known_alike_after_each_edit(read, grammar) -> None:
    snapshot = read("|").snapshot
    parser = DraftParser(grammar, "Aldmoor")
    counts = set()
    for version in (*VERSIONS, *reversed(VERSIONS)):
        draft = parser.parse("file:///draft", version, FORMATS["markdown"])
        snapshot = replace(snapshot, draft=draft)  # what was found stays with it
        for offset in range(len(version) + 1):
            found = find_cited(snapshot, offset).first
            assert found == cited_one_by_one(snapshot, offset)
            counts.add(len(found))
    assert counts == {0, 1, 2}


def test_the_name_that_a_short_form_gives_a_case_is_the_first_of_the_whole_draft(read) -> None:
    text = "|Then *Carrow v Luff* [2014] ASC 12.\n\nSo *Carrow* at [2].\n\nAnd *Luff* at [3]."
    found = find_cited(read(text).snapshot, 0)
    assert (found.first, found.names) == ({}, {"[2014] ASC 12": "Carrow"})
