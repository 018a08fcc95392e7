from dataclasses import replace

from lexls.features.navigation import find_references

DRAFT = """First *Carrow v Luff* [2014] A|SC 12 at [3]. Then Pell v Stark [2009] ACA 31.

Again (2014) 31 AldLR 5, and Nobody v Someone [2013] ACA 77.
"""


def spans_of(found, sources: dict[str, str]) -> list[str]:  # type: ignore[no-untyped-def]
    return [each.span.of(sources[each.uri]) for each in found.drafts]


def test_references_are_found_in_this_draft_other_drafts_and_authorities(read, token) -> None:
    marked = read(DRAFT)
    other = read("And also [2014] ASC 12 at [1].|").draft
    other = replace(other, uri="file:///other")
    found = find_references(marked.snapshot, marked.start, [other], token)
    sources = {marked.draft.uri: marked.draft.source, other.uri: other.source}
    shown = spans_of(found, sources)
    assert len(shown) == 3
    assert "ASC 12 at [3]" in shown[0]
    assert "31 AldLR 5" in shown[1]
    assert "ASC 12 at [1]" in shown[2]
    assert [each.file.name for each in found.authorities] == ["owners.md"]
    location = found.authorities[0]
    assert "[2014] ASC 12" in location.text[location.start : location.end]
    assert found.declaration is not None
    assert found.declaration.file.name == "carrow.md"


def test_a_citation_outside_the_library_is_still_found_in_drafts(read, token) -> None:
    marked = read("Nobody v Someone [2013] AC|A 77 at [2]. Later [2013] ACA 77 at [9].")
    found = find_references(marked.snapshot, marked.start, [], token)
    assert len(found.drafts) == 2
    assert found.authorities == ()
    assert found.declaration is None


def test_short_forms_are_references_too(read, token) -> None:
    marked = read(
        "Carrow v Luff [2014] A|SC 12 at [3] (“Carrow”). Ibid at [4]. Pell v Stark [2009] ACA 31. "
        "Carrow at [5].\n\nAgain (2014) 31 AldLR 5. Ibid."
    )
    found = find_references(marked.snapshot, marked.start, [], token)
    assert spans_of(found, {marked.draft.uri: marked.draft.source}) == [
        "Carrow v Luff [2014] ASC 12 at [3]",
        "Ibid at [4]",
        "Carrow at [5]",
        "(2014) 31 AldLR 5",
        "Ibid.",
    ]


def test_nothing_is_found_where_there_is_no_citation(read, token) -> None:
    marked = read("Plain wor|ds. Carrow v Luff [2014] ASC 12.")
    assert find_references(marked.snapshot, marked.start, [], token).drafts == ()
