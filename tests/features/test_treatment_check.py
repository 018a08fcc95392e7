"""Authorities cited without the judgment of the library that overruled them."""

from __future__ import annotations

import pytest


def test_an_overruled_judgment_is_told_of_once(check_draft) -> None:
    (finding,) = check_draft("""\
A ferryman owes the price of a bed: *Stark v Dunmore* [2003] ACA 8 at [1].
                                                      ^^^^^^^^^^^^ negative-treatment: Stark v Dunmore \
[2003] ACA 8 was overruled in Harrow v Ketch [2018] ASC 4 at [2]

The passenger need not ask twice: *Stark v Dunmore* [2003] ACA 8 at [2].
""")
    assert [each.message for each in finding.related] == ["Where it says so"]


def test_the_related_place_is_the_sentence_that_overrules(check_draft, reported) -> None:
    (finding,) = check_draft("""\
A ferryman owes the price of a bed: *Stark v Dunmore* [2003] ACA 8 at [1].
                                                      ^^^^^^^^^^^^ negative-treatment
""")
    (related,) = finding.related
    assert "We overrule" in related.span.of(reported.contents.text(related.authority))


@pytest.mark.parametrize(
    "draft",
    [
        "A ferryman owed a bed: *Stark v Dunmore* [2003] ACA 8, until *Harrow v Ketch* [2018] ASC 4.",
        "*Stark v Dunmore* [2003] ACA 8 has been overruled.",
        "*Stark v Dunmore* [2003] ACA 8 is no longer good law.",
        "See *Stark v Dunmore* [2003] ACA 8; but see the later cases.",
        "See *Stark v Dunmore* [2003] ACA 8.\n\nIt was overruled by *Harrow v Ketch* [2018] ASC 4.",
        "See *Carrow v Luff* [2014] ASC 12 at [3].",
    ],
)
def test_a_draft_that_knows_is_left_alone(check_draft, draft: str) -> None:
    check_draft(draft)
