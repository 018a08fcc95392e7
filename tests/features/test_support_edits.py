"""What find-support writes: in full, with the authority's words, in short."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lexls.features.find_support import find_support
from lexls.features.library_tree import list_facets
from lexls.features.support_edits import SupportEdits, write_support
from lexls.reading.edit import Edit
from lexls.retrieval.model import Filters
from lexls.text.spans import Span

DAMP = "A warehouse keeper must guard against damp and vermin"
PELL = "*Pell v Stark* [2009] ACA 31"


def offered(marked, token, title: str = "Pell v Stark") -> SupportEdits:  # type: ignore[no-untyped-def]
    options = find_support(marked.snapshot, Span(marked.start, marked.end), 5, token)
    by_title = {option.hit.authority.title: option for option in options}
    return write_support(marked.snapshot, by_title[title])


def applied(marked, edits: Sequence[Edit]) -> str:  # type: ignore[no-untyped-def]
    source: str = marked.draft.source
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    return source


def test_the_quotation_is_the_sentence_that_bears_most_without_its_number(read, token) -> None:
    marked = read(f"Wool burns, *Carrow v Luff* [2014] ASC 12 at [1].\n\n{DAMP}|.")
    written = offered(marked, token)
    assert written.citation == f"{PELL} at [2]"
    assert applied(marked, written.full).endswith(f"{DAMP}, {PELL} at [2].")
    assert applied(marked, written.quotation).endswith(
        f"{DAMP}, {PELL} at [2] (“A warehouse keeper must guard against damp and vermin, and bears the"
        " burden of showing that he did”)."
    )


def test_a_quotation_within_straight_marks_has_single_marks_inside(read, token) -> None:
    marked = read('He said "wool" and "hay". The master had left the customary "route" for a passenger|.')
    written = offered(marked, token, "Carrow v Luff")
    assert "“" not in applied(marked, written.quotation)


def test_no_short_form_where_the_authority_is_not_cited_before(read, token) -> None:
    assert not offered(read(f"{DAMP}|."), token).short
    behind = read(f"{DAMP}|. Charges fail, {PELL} at [3].")
    assert not offered(behind, token).short


@pytest.mark.parametrize(
    ("before", "short"),
    [
        (f"Charges fail, {PELL} at [3].", "*Pell* at [2]"),
        (f"Charges fail, {PELL} at [3]. So do they in *Stark* at [3].", "*Stark* at [2]"),
    ],
)
def test_the_short_form_is_the_draft_s_own(read, token, before: str, short: str) -> None:
    marked = read(f"{before}\n\n{DAMP}|.")
    assert applied(marked, offered(marked, token).short).endswith(f"{DAMP}, {short}.")


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        (Filters(courts=("court of appeal",)), True),
        (Filters(courts=("supreme",)), False),
        (Filters(jurisdictions=frozenset({"Aldmoor"})), True),
        (Filters(jurisdictions=frozenset({"UK"})), False),
        (Filters(kinds=frozenset({"statute"})), False),
        (Filters(date_from="2009-05", date_to="2009"), True),
        (Filters(date_from="2010"), False),
    ],
)
def test_only_authorities_that_are_wanted_are_offered(read, token, chosen: Filters, found: bool) -> None:
    marked = read(f"{DAMP}|.")
    options = find_support(marked.snapshot, Span(marked.start, marked.end), 5, token, chosen)
    assert ("Pell v Stark" in [option.hit.authority.title for option in options]) is found


def test_facets_count_what_the_library_holds(library) -> None:
    facets = list_facets(library)
    assert [(each.value, each.count) for each in facets.kinds] == [("case", 4), ("statute", 1)]
    assert [(each.value, each.count) for each in facets.jurisdictions] == [("Aldmoor", 5)]
    assert ("High Court of Aldmoor", 2) in [(each.value, each.count) for each in facets.courts]
    assert (facets.first, facets.last) == (1987, 2016)
