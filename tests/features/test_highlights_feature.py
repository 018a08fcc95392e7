"""Which mentions light up, and which of them define."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lexls.features.navigation import find_highlights


def lit(marked, token) -> list[str]:  # type: ignore[no-untyped-def]
    found = find_highlights(marked.snapshot, marked.start, token)
    return [("= " if each.defines else "") + each.span.of(marked.draft.source) for each in found]


def test_every_form_of_one_authority_lights_up(read, token) -> None:
    marked = read(
        "Carrow v Luff [2014] A|SC 12 at [3] says so. *Pell v Stark* [2009] ACA 31. Carrow at [4].\n\n"
        "Again (2014) 31 AldLR 5. Ibid at 6. Carrow v Luff, supra, at [2].\n"
    )
    assert lit(marked, token) == [
        "Carrow v Luff [2014] ASC 12 at [3]",
        "Carrow at [4]",
        "(2014) 31 AldLR 5",
        "Ibid at 6",
        "Carrow v Luff, supra, at [2]",
    ]


def test_parallel_citations_are_one_mention(read, token) -> None:
    marked = read("Carrow v Luff [2014] ASC 12, (2014) 31 Ald|LR 5. Carrow at [2].")
    assert lit(marked, token) == ["Carrow v Luff [2014] ASC 12, (2014) 31 AldLR 5", "Carrow at [2]"]


@pytest.mark.parametrize(
    "draft",
    [
        "The Carriage of Goods Act 1994 (“the A|ct”), s 12(1). Under section 13 of the Act.",
        "The Carriage of Goods Act 1994 (“the Act”), s 12(1). Under section 13 of the A|ct.",
        "The Carriage of Go|ods Act 1994 (“the Act”), s 12(1). Under section 13 of the Act.",
    ],
)
def test_a_definition_is_where_the_term_is_written(read, token, draft: str) -> None:
    assert lit(read(draft), token) == [
        "Carriage of Goods Act 1994 (“the ",
        "= Act",
        "”), s 12(1)",
        "section 13 of the Act",
    ]


def test_a_definition_behind_a_citation_lights_up_with_it(read, token) -> None:
    marked = read("Carrow v Luff [2014] ASC 12 at [3] (“Carrow”) was plain. In Carr|ow it was said.")
    assert lit(marked, token) == ["Carrow v Luff [2014] ASC 12 at [3]", "= Carrow", "Carrow"]


def test_what_the_library_does_not_hold_lights_up_by_its_citation(read, token) -> None:
    marked = read("Nobody v Someone [2013] ACA 77. Then Pell v Stark [2009] ACA 31. [2013] AC|A 77 at [2].")
    assert lit(marked, token) == ["Nobody v Someone [2013] ACA 77", "[2013] ACA 77 at [2]"]


def test_prose_and_dangling_short_forms_do_not_light_up(read, token) -> None:
    assert lit(read("The bri|g was lost. Carrow v Luff [2014] ASC 12."), token) == []
    assert lit(read("Ib|id at [2]. Carrow v Luff [2014] ASC 12. Nothing else."), token) == ["Ibid at [2]"]


def test_highlights_do_not_overlap(read, token) -> None:
    marked = read(
        "The Carriage of Goods Act 1994 (“the Act”), ss 12 and 13, and the A|ct, s 11. The Act (“the Act”)."
    )
    found = find_highlights(marked.snapshot, marked.start, token)
    assert len(found) > 3
    assert all(one.span.end <= two.span.start for one, two in pairwise(found))
