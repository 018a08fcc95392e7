import pytest

from lexls.reading.resolve import find_places, resolve


def check(marked, expected: str) -> None:  # type: ignore[no-untyped-def]
    """The authority that the citation at the cursor resolves to, as "title by …"; "" for none."""
    citation = marked.draft.citation_at(marked.start)
    assert citation is not None, "no citation at the cursor"
    library = marked.snapshot.library
    found = resolve(library, marked.draft, citation)
    titles = [library.catalogue.get(each).title for each in found.authorities]
    assert (f"{' + '.join(titles)} by {found.by}" if titles else "") == expected


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("It is so: *Carrow v Luff* [2014] AS|C 12 at [3].", "Carrow v Luff by citation"),
        ("It is so: *Carrow v Luff* (2014) 31 Ald|LR 5.", "Carrow v Luff by citation"),
        ("It is so: Pell v Stark [2009] A|CA 31.", "Pell v Stark by citation"),
        ("It is so: Nobody v Someone [2013] A|CA 77.", ""),
        ("The Carriage of Goods Act 1994, s 1|2(1) says so.", "Carriage of Goods Act 1994 by citation"),
    ],
)
def test_a_citation_is_found_by_what_identifies_it(read, draft: str, expected: str) -> None:
    check(read(draft), expected)


def test_a_parallel_citation_finds_what_the_first_one_does_not(read) -> None:
    check(
        read("It is so: *Carrow v Luff* [2014] Aldm SC 3, (2014) 31 Ald|LR 5."), "Carrow v Luff by citation"
    )


def test_a_name_is_enough_where_only_the_series_is_not_in_the_library(read) -> None:
    draft = "It is so: Thornby Estates Ltd v Registrar of Tides [1987] A|HC 9."
    check(read(draft), "Thornby Estates Ltd v Registrar of Tides by name")


def test_the_same_name_with_another_number_of_the_same_series_is_another_case(read) -> None:
    check(read("It is so: Carrow v Luff [2014] A|SC 13."), "")


def test_a_short_form_finds_the_authority_of_its_full_citation(read) -> None:
    draft = "The Carriage of Goods Act 1994, s 11 is plain. So is section 1|3."
    check(read(draft), "Carriage of Goods Act 1994 by citation")


def test_a_section_is_found_with_its_own_text(read) -> None:
    marked = read("See the Carriage of Goods Act 1994, s 1|3.")
    citation = marked.draft.citation_at(marked.start)
    places = find_places(marked.snapshot.library, resolve(marked.snapshot.library, marked.draft, citation))
    assert [place.label for place in places] == ["13"]
    assert "one year from delivery" in places[0].text


def test_a_subsection_that_is_not_numbered_is_answered_by_its_section(read) -> None:
    marked = read("See the Carriage of Goods Act 1994, s 1|3(4).")
    library = marked.snapshot.library
    found = resolve(library, marked.draft, marked.draft.citation_at(marked.start))
    assert [place.label for place in find_places(library, found)] == ["13"]
