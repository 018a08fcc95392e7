"""Short forms that stand for nothing or for several authorities, and terms defined for nothing."""

from __future__ import annotations

import pytest


def test_ibid_before_any_citation(check_draft) -> None:
    check_draft("""\
The carrier is liable. *Ibid* at [3].
                        ^^^^^^^^^^^^ no-antecedent: “Ibid at [3]” stands for nothing that is cited before it
""")


def test_supra_of_a_case_that_is_cited_nowhere(check_draft) -> None:
    check_draft("""\
Carrow v Luff [2014] ASC 12 at [3]. See also Ostrander, supra, at [4].
                                             ^^^^^^^^^^^^^^^^^^^^^^^^ no-antecedent
""")


@pytest.mark.parametrize(
    "draft",
    [
        "A carrier is liable under section 9.",
        "The Act was passed in haste. Section 9 is short, and the said Act is long.",
        "Carrow v Luff [2014] ASC 12 at [3]. *Ibid* at [4].",
        "Carrow v Luff [2014] ASC 12. Thus *Carrow*, supra, at [4].",
        "As was said in Part II, supra, the carrier is liable.",
        "Ostrander is a good book. See Ostrander, supra, at [4].",
        "The supra-national court sat in Tollen.",
        "An id is a number. Ids are numbers.",
        "The easement is in Pl.’s SMF, Ex. E. Id. at [14].",
        "The court said: “Ostrander, supra, at [4], is to the contrary.”",
        "The court said:\n\n> Ostrander, supra, at [4], is to the contrary.",
    ],
)
def test_what_may_be_ordinary_words_is_left_alone(check_draft, draft: str) -> None:
    check_draft(draft)


def test_ibid_behind_a_string_of_citations(check_draft) -> None:
    (finding,) = check_draft("""\
See *Carrow v Luff* [2014] ASC 12 at [3]; *Pell v Stark* [2009] ACA 31 at [2]. *Ibid*.
                                                                                ^^^^ ambiguous-ibid: \
“Ibid” may be any of the 2 authorities cited before it
""")
    assert [each.message for each in finding.related] == ["[2009] ACA 31", "[2014] ASC 12"]


@pytest.mark.parametrize(
    "draft",
    [
        "See *Carrow v Luff* [2014] ASC 12, (2014) 31 AldLR 5 at 6. *Ibid*.",
        "See *Carrow v Luff* [2014] ASC 12 at [3]; (2014) 31 AldLR 5 at 6. *Ibid*.",
        "See *Carrow v Luff* [2014] ASC 12 at [3]. And *Pell v Stark* [2009] ACA 31 at [2]. *Ibid*.",
        "See *Carrow v Luff* [2014] ASC 12 (citing *Pell v Stark* [2009] ACA 31; *Quill v Marten* (2014) 12 "
        "AldLR 77). *Ibid*.",
    ],
)
def test_ibid_behind_one_authority(check_draft, draft: str) -> None:
    check_draft(draft)


def test_a_term_that_is_never_used(check_draft, apply_fix) -> None:
    draft = """\
The Carriage of Goods Act 1994 (“the Wool Act”) is old. The carrier is liable.
                                     ^^^^^^^^ unused-definition: the term “Wool Act” is defined here \
and not used
"""
    (finding,) = check_draft(draft)
    fixed = apply_fix(draft.split("\n")[0], finding)
    assert fixed == "The Carriage of Goods Act 1994 is old. The carrier is liable."


@pytest.mark.parametrize(
    "draft",
    [
        "The Carriage of Goods Act 1994 (“the Wool Act”) is old. Section 12 of the Wool Act is older.",
        "The wool act is old. The Carriage of Goods Act 1994 (“the Wool Act”) is older.",
        "The Carriage of Goods Act 1994 (“a carrier is liable for loss of goods”) is old.",
        "Carrow v Luff [2014] ASC 12 (“Roach Motel” traps).",
        "Carrow v Luff [2014] ASC 12 (“Nobody on shore knew of it”) is old.",
        "He said: “The Carriage of Goods Act 1994 (‘the Wool Act’) is old.”",
    ],
)
def test_what_is_used_or_no_term_is_left_alone(check_draft, draft: str) -> None:
    check_draft(draft)


def test_an_ibid_behind_a_printed_page_goes_back_before_its_notes(check_draft) -> None:
    notes = "2 See Carrow v Luff [2014] ASC 12; Pell v Stark [2009] ACA 31."
    ends = ("\n\n5\n\nOpinion\n\nship. Ibid.\n", "\fship. Ibid.\n")
    for end in ends:
        check_draft(f"The pilot answers, Carrow v Luff [2014] ASC 12, for the\n——————\n{notes}{end}", "plain")


def test_a_name_may_be_divided_by_a_page(check_draft) -> None:
    check_draft(
        "As was said in Ostran\n\n6\n\nOpinion of Roe, J.\n\nder, at sea. See Ostrander, supra, at [4].",
        "plain",
    )


def test_the_page_tells_which_of_a_string_an_id_is(check_draft) -> None:
    string = "Hall v. Orr, 432 U.S. 98, 112 (1977); Bell v. Orr, 409 U.S. 100, 198 (1972)"
    found = check_draft(
        f"""\
See {string}. Id., at 201.
{" " * 17}^^^^^^^^^^^ not-in-library
{" " * 55}^^^^^^^^^^^^ not-in-library
""",
        jurisdiction="US",
    )
    assert len(found) == 2
    found = check_draft(
        f"""\
See {string}. Id., at 150.
{" " * 17}^^^^^^^^^^^ not-in-library
{" " * 55}^^^^^^^^^^^^ not-in-library
{" " * 81}^^^^^^^^^^^ ambiguous-ibid
""",
        jurisdiction="US",
    )
    assert len(found) == 3
