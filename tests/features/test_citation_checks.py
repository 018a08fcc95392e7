"""Citations that name no authority of the library, another one than they say, or none that can be."""

from __future__ import annotations

import pytest


def test_a_digit_wrong_is_offered_right(check_draft, apply_fix) -> None:
    draft = """\
Compare *Carrow v Luff* [2014] ASC 21 at [3].
                        ^^^^^^^^^^^^^ citation-number: Carrow v Luff is [2014] ASC 12, not [2014] ASC 21
"""
    (finding,) = check_draft(draft)
    assert finding.fixes[0].preferred
    fixed = apply_fix(draft.split("\n")[0], finding)
    assert fixed == "Compare *Carrow v Luff* [2014] ASC 12 at [3]."


def test_an_act_in_the_title_of_an_order_is_not_cited_itself(check_draft) -> None:
    check_draft("The Mills Act 1988 (Grain) Order 1989, SI 1989/77, art 1, applies.", jurisdiction="UK")
    check_draft(
        """\
The Mills Act 1988 applies, and SI 1989/77, art 1, too.
    ^^^^^^^^^^^^^^ not-in-library
""",
        jurisdiction="UK",
    )


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("[2004] ASC 12", "[2014] ASC 12"),
        ("[2014] ASC 2", "[2014] ASC 12"),
        ("(2014) 13 AldLR 5", "(2014) 31 AldLR 5"),
        ("(2014) 5 AldLR 31", "(2014) 31 AldLR 5"),
        ("(2014) 31 AldLR 7", "(2014) 31 AldLR 5"),
    ],
)
def test_every_slip_of_the_pen_is_seen(check_draft, wrong: str, meant: str) -> None:
    found = check_draft(f"Carrow v Luff {wrong}.\n{' ' * 14}{'^' * len(wrong)} citation-number")
    assert f"Carrow v Luff is {meant}, not {wrong}" in found[0].message


def test_the_next_judgment_of_a_court_may_be_another_one_between_the_parties(check_draft) -> None:
    (finding,) = check_draft("""\
Carrow v Luff [2014] ASC 13.
              ^^^^^^^^^^^^^ not-in-library: Carrow v Luff [2014] ASC 13 is not in your library; did you mean \
[2014] ASC 12?
""")
    assert finding.fixes[0].preferred


def test_a_volume_or_page_that_is_another_altogether_is_seen_where_both_parties_are_named(
    check_draft,
) -> None:
    for wrong in ("(2014) 31 AldLR 409", "(2014) 77 AldLR 5"):
        check_draft(f"Carrow v Luff {wrong}.\n{' ' * 14}{'^' * len(wrong)} citation-number")
        check_draft(f"Luff {wrong}.\n{' ' * 5}{'^' * len(wrong)} not-in-library")


def test_another_court_of_the_same_series_is_seen(check_draft) -> None:
    (finding,) = check_draft("""\
Carrow & Ors v Luff [2014] ACA 12.
                    ^^^^^^^^^^^^^ citation-number: Carrow v Luff is [2014] ASC 12, not [2014] ACA 12
""")
    assert finding.fixes[0].preferred


def test_the_report_beside_a_right_citation_is_seen_to_be_wrong(check_draft) -> None:
    check_draft("""\
Carrow v Luff [2014] ASC 12, (2014) 31 AldLR 6.
                             ^^^^^^^^^^^^^^^^^ citation-number: Carrow v Luff is (2014) 31 AldLR 5, not \
(2014) 31 AldLR 6
""")


def test_a_pinpoint_that_fits_the_number_in_the_draft_speaks_for_it(check_draft) -> None:
    check_draft("""\
Carrow v Luff (2014) 31 AldLR 409, 411.
              ^^^^^^^^^^^^^^^^^^^ not-in-library
""")


def test_a_case_of_other_years_is_not_meant(check_draft) -> None:
    check_draft("""\
R v Moss, 978 F.2d 171 (5th Cir. 1992).
          ^^^^^^^^^^^^ not-in-library: R v Moss, 978 F.2d 171 is not in your library
""")


def test_a_year_to_come_is_impossible_and_mended(check_draft) -> None:
    (finding,) = check_draft("""\
Carrow v Luff [2041] ASC 12.
              ^^^^^^^^^^^^^ impossible-citation: [2041] ASC 12: 2041 is still to come; did you mean \
[2014] ASC 12?
""")
    assert finding.fixes[0].preferred


def test_a_case_of_another_name_is_not_meant(check_draft) -> None:
    check_draft("""\
Ostrander v Gull [2014] ASC 13.
                 ^^^^^^^^^^^^^ not-in-library: Ostrander v Gull [2014] ASC 13 is not in your library
""")


def test_the_case_of_that_name_and_those_years_is_pointed_at(check_draft) -> None:
    (finding,) = check_draft("""\
Carrow v Luff [2014] ASC 77.
              ^^^^^^^^^^^^^ not-in-library: Carrow v Luff [2014] ASC 77 is not in your library; it has \
Carrow v Luff as [2014] ASC 12
""")
    assert not finding.fixes[0].preferred


def test_an_act_of_another_year_is_offered(check_draft) -> None:
    (finding,) = check_draft("""\
The Carriage of Goods Act 1949, s 12.
    ^^^^^^^^^^^^^^^^^^^^^^^^^^ not-in-library
""")
    assert "did you mean Carriage of Goods Act 1994?" in finding.message


def test_a_bare_citation_is_not_guessed_at_aloud(check_draft) -> None:
    (finding,) = check_draft("""\
This follows from [2014] ASC 13.
                  ^^^^^^^^^^^^^ not-in-library: [2014] ASC 13 is not in your library
""")
    assert [each.title for each in finding.fixes] == ["Change to [2014] ASC 12 (Carrow v Luff)"]
    assert not finding.fixes[0].preferred


def test_an_authority_is_missed_once_in_a_paragraph(check_draft) -> None:
    check_draft("""\
Nobody v Someone [2013] ACA 77 says so, and Nobody v Someone [2013] ACA 77 is clear.
                 ^^^^^^^^^^^^^ not-in-library
""")


def test_a_citation_under_another_name(check_draft, apply_fix) -> None:
    draft = """\
See *Ostrander v. Gull Rock* [2014] ASC 12 at [3].
     ^^^^^^^^^^^^^^^^^^^^^^ name-mismatch: [2014] ASC 12 is Carrow v Luff, not Ostrander v. Gull Rock
"""
    (finding,) = check_draft(draft)
    assert [each.message for each in finding.related] == ["Carrow v Luff [2014] ASC 12"]
    assert apply_fix(draft.split("\n")[0], finding) == "See *Carrow v. Luff* [2014] ASC 12 at [3]."


@pytest.mark.parametrize("name", ["Ostrander v Luff", "Carrow v Ostrander", "In re Ostrander"])
def test_a_party_that_the_whole_judgment_never_names_is_another_cases(check_draft, name: str) -> None:
    check_draft(f"See {name} [2014] ASC 12.\n    {'^' * len(name)} name-mismatch")


def test_the_parties_of_a_case_that_is_cited_are_not_those_of_the_judgment(check_draft) -> None:
    check_draft("""\
See Carrow v Stark [2014] ASC 12.
    ^^^^^^^^^^^^^^ name-mismatch
""")


def test_what_stands_behind_a_name_is_not_changed_with_it(check_draft, apply_fix) -> None:
    draft = """\
See Ostrander v Luff, 2013.8 SCC 25 [2014] ASC 12.
    ^^^^^^^^^^^^^^^^ name-mismatch: [2014] ASC 12 is Carrow v Luff, not Ostrander v Luff
"""
    (finding,) = check_draft(draft)
    assert apply_fix(draft.split("\n")[0], finding) == "See Carrow v Luff, 2013.8 SCC 25 [2014] ASC 12."


def test_a_case_may_go_by_an_appeal_heard_with_it(check_draft) -> None:
    check_draft("See Osterly v Harbour Master (2012) 29 AldLR 40 and Velan (2012) 29 AldLR 40.")


def test_another_opponent_is_another_case(check_draft) -> None:
    check_draft("""\
See Carrow v Ostrander [2014] ASC 12.
    ^^^^^^^^^^^^^^^^^^ name-mismatch
""")


@pytest.mark.parametrize(
    "name",
    [
        "Carrow v. Luff",
        "CARROW v LUFF",
        "Carrow & Ors v Luff",
        "Luff v Carrow",
        "In re Carrow",
        "Carrow Ltd v Luff and Another",
        "Carrow v Registrar",
    ],
)
def test_a_name_written_otherwise_is_no_mismatch(check_draft, name: str) -> None:
    check_draft(f"See {name} [2014] ASC 12 at [3].")


@pytest.mark.parametrize(
    "name", ["Commissioner v. Tidewater Mills", "State v. Tidewater Mills", "Ambrose v. State"]
)
def test_an_office_that_a_long_judgment_never_names_is_another_cases(check_draft, name: str) -> None:
    check_draft(f"See {name}, 88 So. 3d 41.\n    {'^' * len(name)} name-mismatch", jurisdiction="US")


def test_the_end_of_a_name_is_not_the_name(check_draft) -> None:
    check_draft(
        """\
See Ambrose alias Velan v. Tidewater Mills, 88 So. 3d 41.
See Ambrose v. Tidewater Mills, 1975 Loom Plan, 88 So. 3d 41.
See Stark alias Velan v. Tidewater Mills, 88 So. 3d 41.
                ^^^^^^^^^^^^^^^^^^^^^^^^ name-mismatch
""",
        jurisdiction="US",
    )


def test_parallel_citations_of_two_cases(check_draft) -> None:
    (finding,) = check_draft("""\
Carrow v Luff [2014] ASC 12, (2014) 12 AldLR 77.
                             ^^^^^^^^^^^^^^^^^^ parallel-mismatch: (2014) 12 AldLR 77 is Quill v Marten; \
[2014] ASC 12 is another case, Carrow v Luff
""")
    assert [each.message for each in finding.related] == [
        "Quill v Marten (2014) 12 AldLR 77",
        "Carrow v Luff [2014] ASC 12",
    ]


def test_the_first_of_parallel_citations_may_be_the_wrong_one(check_draft) -> None:
    check_draft("""\
Quill v Marten [2014] ASC 12, (2014) 12 AldLR 77.
               ^^^^^^^^^^^^^ parallel-mismatch
""")


def test_parallel_citations_of_one_case(check_draft) -> None:
    check_draft("Carrow v Luff [2014] ASC 12, (2014) 31 AldLR 5 at [3].")


def test_what_a_court_cannot_have(check_draft) -> None:
    check_draft("""\
Roe v Doe [2001] UKSC 7 is cited in Roe v Doe [2011] UKSC 7.
          ^^^^^^^^^^^^^ impossible-citation: [2001] UKSC 7: UKSC citations begin in 2009
                                              ^^^^^^^^^^^^^ not-in-library
""")


def test_the_decision_of_another_court_has_its_own_number(check_draft) -> None:
    check_draft(
        """\
Dunne v. Dock Corp., 769 So. 2d 895 (Ala. Civ. App. 1999).
                     ^^^^^^^^^^^^^^ not-in-library
Dunne v. Dock Corp., 769 So. 2d 993 (Ala. 2000).
                     ^^^^^^^^^^^^^^ citation-number
""",
        jurisdiction="US",
    )


def test_what_a_draft_calls_an_act_is_not_missed(check_draft) -> None:
    check_draft("Under the TN Act and the D.I. Act, and the New Act, he is bound.", jurisdiction="IN")
    check_draft("The Constitution Bench (Constitution Bench) said so.", jurisdiction="IN")


def test_a_page_behind_supra_is_no_other_number(check_draft) -> None:
    check_draft(
        """\
Dunne v. Dock Corp., supra, 769 So. 2d 911 (Ala. 2000).
                            ^^^^^^^^^^^^^^ not-in-library
""",
        jurisdiction="US",
    )


def test_an_appeal_is_not_the_decision_appealed(check_draft) -> None:
    check_draft(
        """\
Ferrier v Dock Co [2008] NSWSC 410 at [25] was not followed.
                  ^^^^^^^^^^^^^^^^ not-in-library
In Ferrier v Dock Co [2009] NSWCA 77 at [25] it was.
                                         ^^ pinpoint-not-found
""",
        jurisdiction="AU",
    )


@pytest.mark.parametrize("paragraph", ["2", "3", "52", "55"])
def test_numbers_of_another_series_are_not_missed(check_draft, paragraph: str) -> None:
    check_draft(f"Sorrel v Dock Co [2011] NSWCA 15 at [{paragraph}] was followed.", jurisdiction="AU")


def test_a_number_of_no_series_is_missed(check_draft) -> None:
    check_draft(
        """\
Sorrel v Dock Co [2011] NSWCA 15 at [77] was followed.
                                     ^^ pinpoint-not-found
""",
        jurisdiction="AU",
    )


def test_a_copy_of_some_sections_lacks_none(check_draft) -> None:
    check_draft("The Wreck Act 1931, s 93, and the Wreck Act 1931, s 6, apply.")


def test_a_time_of_day_is_no_page(check_draft) -> None:
    check_draft("The hearing is on MONDAY, 1 DECEMBER 2020 at 2 O’clock, not on 10 June 2009 at 9:30 am.")


def test_an_act_is_missed_once_in_a_draft(check_draft) -> None:
    check_draft("""\
The Lighthouses Act 1951 is old. A keeper is bound by the Lighthouses Act 1951, s 3.
    ^^^^^^^^^^^^^^^^^^^^ not-in-library: Lighthouses Act 1951 is not in your library

The Lighthouses Act 1951 was never repealed.
""")


def test_statutes_and_rules_that_nobody_keeps_are_one_line(check_draft) -> None:
    found = check_draft(
        """\
See 17 U.S.C. § 107. See also Fed. R. Civ. P. 12(b)(6) and 37 C.F.R. § 1.56.
    ^^^^^^^^^ outside-library: 3 statutes and rules and 1 other work are outside your library

Hale v. Ryle, 611 F.3d 83 (9th Cir. 2010). See 17 U.S.C. § 107 and Restatement (Second) of Torts § 2.
              ^^^^^^^^^^^ not-in-library
""",
        jurisdiction="US",
    )
    assert len(found[0].related) == 5


def test_a_short_form_of_a_report_whose_pages_the_copy_lacks(check_draft) -> None:
    check_draft(
        "Thornby Estates Ltd v Registrar of Tides (1987) 4 AldLR 212. Thus *Thornby* at 900. *Ibid* at 901."
    )


def test_a_paragraph_behind_the_last_is_missed(check_draft) -> None:
    check_draft("""\
Orr v Ryle [2018] ASC 3 at [9].
                            ^ pinpoint-not-found
""")
    check_draft("""\
Orr v Ryle [2018] ASC 3 at [214].
                            ^^^ pinpoint-not-found
""")


@pytest.mark.parametrize(
    "draft",
    [
        "Orr v Ryle [2018] ASC 3 at [3].",  # between those that the copy has: the copy lost it
        "Orr v Ryle [2018] ASC 3 at 214.",  # a page of some report
    ],
)
def test_what_the_copy_may_have_lost_is_not_missed(check_draft, draft: str) -> None:
    check_draft(draft)


@pytest.mark.parametrize(
    ("pinpoint", "ordered"),
    [("[32]–[19]", "[19]–[32]"), ("[32]-[19]", "[19]-[32]"), ("[132–119]", "[119–132]")],
)
def test_a_range_that_ends_before_it_begins_is_put_in_order(
    check_draft, apply_fix, pinpoint: str, ordered: str
) -> None:
    source = f"Nobody v Someone [2013] AHC 77 at {pinpoint}."
    cited = f"{' ' * 17}{'^' * 13} not-in-library"
    found = check_draft(f"{source}\n{cited}\n{' ' * 35}{'^' * (len(pinpoint) - 2)} pinpoint-reversed")
    assert found[1].message == f"the range {pinpoint[1:-1]} ends before it begins"
    assert not found[1].fixes[0].preferred
    assert apply_fix(source, found[1]) == source.replace(pinpoint, ordered)


@pytest.mark.parametrize(
    "pinpoint", ["at [19]–[32]", "at [21]-[21]", "at [112]-[7]", "at [3]-[1]", "at 845-010"]
)
def test_a_range_that_may_be_meant_is_left(check_draft, pinpoint: str) -> None:
    check_draft(f"Nobody v Someone [2013] AHC 77 {pinpoint}.\n{' ' * 17}{'^' * 13} not-in-library")


def test_a_page_of_a_parallel_report_is_no_paragraph(check_draft) -> None:
    check_draft(
        "Ferrier v Dock Co (2009) 75 NSWLR 120; [2009] NSWCA 77 at 127 was followed.", jurisdiction="AU"
    )
    check_draft(
        """\
Ferrier v Dock Co (2009) 75 NSWLR 120; [2009] NSWCA 77 at [7] was followed.
                                                           ^ pinpoint-not-found
""",
        jurisdiction="AU",
    )


def test_a_page_before_the_first_is_none_of_the_case(check_draft) -> None:
    check_draft("""\
Nobody v Someone (2013) 40 AldLR 302 at 219.
                 ^^^^^^^^^^^^^^^^^^^ not-in-library
                                        ^^^ pinpoint-not-found: (2013) 40 AldLR 302 begins on page 302; \
page 219 is before it
""")
    check_draft("""\
Thornby Estates Ltd v Registrar of Tides (1987) 4 AldLR 212 at 112.
                                                               ^^^ pinpoint-not-found
""")


@pytest.mark.parametrize("pinpoint", ["at 302", "at 319", "(14), 319"])
def test_a_page_that_a_case_may_have_and_a_headnote_are_left(check_draft, pinpoint: str) -> None:
    check_draft(f"Nobody v Someone (2013) 40 AldLR 302 {pinpoint}.\n{' ' * 17}{'^' * 19} not-in-library")


@pytest.mark.parametrize(("page", "seen"), [("119", False), ("309", False), ("19", False), ("104", True)])
def test_a_page_before_the_first_may_be_that_of_a_parallel_report(check_draft, page: str, seen: bool) -> None:
    source = f"Nobody v. Someone, 140 U.S. 302, 12 S. Ct. 115, {page} (1891)."
    missed = f"\n{' ' * source.index(page + ' (')}{'^' * len(page)} pinpoint-not-found" if seen else ""
    check_draft(f"{source}\n{' ' * 19}{'^' * 12} not-in-library{missed}", jurisdiction="US")


def test_a_number_beside_a_right_citation_of_another_year_is_its_wrong_one(check_draft) -> None:
    check_draft("""\
Carrow v Luff [2014] ASC 12 (2003) 31 AldLR 5.
                            ^^^^^^^^^^^^^^^^^ citation-number: Carrow v Luff is (2014) 31 AldLR 5, not \
(2003) 31 AldLR 5
""")
    check_draft("""\
Carrow v Luff, (2003) 31 AldLR 5: [2014] ASC 12.
               ^^^^^^^^^^^^^^^^^ citation-number
""")


def test_a_slip_behind_a_party_alone_is_seen(check_draft) -> None:
    for wrong in ("[2004] ASC 12", "(2014) 31 AldLR 6", "(2003) 31 AldLR 5"):
        check_draft(f"Settled in Luff {wrong}.\n{' ' * 16}{'^' * len(wrong)} citation-number")


def test_another_page_of_the_volume_is_seen_where_no_year_is_given(check_draft) -> None:
    check_draft(
        """\
Dunne v. Dock Corp., 769 So. 2d 417, is clear.
                     ^^^^^^^^^^^^^^ citation-number: Dunne v. Dock Corp. is 769 So. 2d 903, not \
769 So. 2d 417
""",
        jurisdiction="US",
    )


def test_a_decision_of_another_court_between_the_parties_hides_no_slip(check_draft) -> None:
    check_draft(
        """\
Dunne v. Dock Corp., 769 So. 2d 998 (Ala. 2000).
                     ^^^^^^^^^^^^^^ citation-number
""",
        jurisdiction="US",
    )


def test_a_page_between_two_reports_is_one_of_the_first(check_draft) -> None:
    check_draft(
        """\
Dunne v. Dock Corp., 769 So. 2d 903, 115, 120 S. Ct. 104 (2000).
                                     ^^^ pinpoint-not-found: 769 So. 2d 903 begins on page 903; page 115 is \
before it
""",
        jurisdiction="US",
    )


def test_a_short_form_of_a_volume_of_which_one_case_is_cited_points_into_it(check_draft) -> None:
    check_draft(
        """\
Dunne v. Dock Corp., 769 So. 2d 903 (Ala. 2000), is clear. 769 So. 2d at 415.
                                                                         ^^^ pinpoint-not-found
Dunne v. Dock Corp., 769 So. 2d 903 (415), is clear.
                                     ^^^ pinpoint-not-found
Dunne v. Dock Corp., 769 So. 2d 903 (41), is clear.
""",
        jurisdiction="US",
    )


def test_cases_of_one_report_that_stand_side_by_side_are_two(check_draft) -> None:
    check_draft("""\
See (2014) 31 AldLR 205, (2014) 31 AldLR 5.
    ^^^^^^^^^^^^^^^^^^^ not-in-library
""")


def test_another_number_under_the_name_and_year_of_a_held_case_is_seen(check_draft) -> None:
    check_draft("""\
Carrow v Luff (2014) 28 AldLR 409.
              ^^^^^^^^^^^^^^^^^^^ citation-number: Carrow v Luff is (2014) 31 AldLR 5, not (2014) 28 AldLR 409
Carrow v Luff (2013) 28 AldLR 409.
              ^^^^^^^^^^^^^^^^^^^ not-in-library
""")


@pytest.mark.parametrize("page", ["11", "911"])
def test_a_page_that_may_lack_its_first_digits_is_left(check_draft, page: str) -> None:
    check_draft(f"Dunne v. Dock Corp., 769 So. 2d 903, {page} (Ala. 2000).", jurisdiction="US")


def test_a_court_has_no_citations_before_it_was(check_draft) -> None:
    check_draft(
        """\
Roe v Doe, AIR 1937 SC 21, was overruled by AIR 1973 SC 1461.
           ^^^^^^^^^^^^^^ impossible-citation: AIR 1937 SC 21: SC citations begin in 1950
                                            ^^^^^^^^^^^^^^^^ not-in-library
""",
        jurisdiction="IN",
    )


def test_a_number_whose_parallel_one_others_cite_beside_the_right_one_is_wrong(check_draft) -> None:
    check_draft(
        """\
So it is. 769 So. 2d 417, 120 S. Ct. 1104 (2000).
          ^^^^^^^^^^^^^^ citation-number: Dunne v. Dock Corp. is 769 So. 2d 903, not 769 So. 2d 417
""",
        jurisdiction="US",
    )


def test_a_short_party_before_a_citation_is_read(check_draft) -> None:
    check_draft("""\
It is no defence. Orr, [2018] ASC 8.
                       ^^^^^^^^^^^^ citation-number
""")


HELD = (
    "*Carrow v Luff* [2014] ASC 12, *Pell v Stark* [2009] ACA 31, *Harrow v Ketch* [2018] ASC 4,"
    " *Orr v Ryle* [2018] ASC 3"
)
MISSING = "*Nobody v Someone* [2013] ACA 77"
MARK = f"{' ' * 19}^^^^^^^^^^^^^"


def test_the_one_case_that_is_missing_stands_out(check_draft) -> None:
    (finding,) = check_draft(f"""\
{HELD}.

{MISSING}. That is *Nobody*.
{MARK} missing-among-held: Nobody v Someone [2013] ACA 77 is not in your library, which holds nearly \
all other cases that the draft cites
""")
    assert finding.severity == "warning"
    check_draft(f"{HELD}.\n\nThe Lighthouses Act 1951 applies.\n    ^^^^^^^^^^^^^^^^^^^^ not-in-library")


def test_a_case_that_is_missing_beside_few_or_with_others_does_not(check_draft) -> None:
    check_draft(f"""\
*Carrow v Luff* [2014] ASC 12, (2014) 31 AldLR 5, *Pell v Stark* [2009] ACA 31, *Harrow v Ketch* [2018] ASC 4.

{MISSING}.
{MARK} not-in-library
""")
    check_draft(f"""\
{HELD}.

{MISSING}.
{MARK} not-in-library

{MISSING.replace("77", "78")}.
{MARK} not-in-library
""")
