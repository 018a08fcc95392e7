"""Names, dockets and quotations as lexls writes them, from what heads of judgments print."""

from __future__ import annotations

import pytest

from lexls.citations.case_names.shorten import choose_short_name
from lexls.citations.case_names.tidy import tidy_title
from lexls.citations.grammar import Grammar
from lexls.citations.same_docket import read_serials, tidy_docket
from lexls.wording.place_words import close_marks


@pytest.mark.parametrize(
    ("printed", "cited", "key"),
    [
        ("CRIMINAL APPEAL NO. 40 OF 2009", "Criminal Appeal No. 40 of 2009", "Criminal Appeal 40/2009"),
        ("CRIMINAL APPEAL NO.1192 OF 1995", "Criminal Appeal No. 1192 of 1995", "Criminal Appeal 1192/1995"),
        ("Appeal (Crl.) 797 of 2002", "Appeal (Crl.) No. 797 of 2002", "Criminal Appeal 797/2002"),
        ("Appeal (civil) 3734 of 2002", "Appeal (Civil) No. 3734 of 2002", "Civil Appeal 3734/2002"),
        ("Cr.As. Nos. 824-25 of 1998", "Cr.A. Nos. 824-25 of 1998", "Criminal Appeal 824/1998"),
        ("W.P. (Cr.) 166 of 1999", "W.P. (Cr.) No. 166 of 1999", "WP(Crl) 166/1999"),
        ("S.L.Ps. (C) Nos. 2930-31 of 2000", "S.L.P. (C) Nos. 2930-31 of 2000", "SLP(C) 2930/2000"),
        ("Civil Appeal No, 69 of 1969.", "Civil Appeal No. 69 of 1969", "Civil Appeal 69/1969"),
        ("Civil Appeals Nos. 12, 14 and 19 of 1972", "Civil Appeal No. 12 of 1972", "Civil Appeal 12/1972"),
        (
            "Civil Appellate Jurisdiction Civil Appeal No. 118 of 2016",
            "Civil Appeal No. 118 of 2016",
            "Civil Appeal 118/2016",
        ),
    ],
)
def test_a_docket_is_cited_as_it_is_read(printed: str, cited: str, key: str) -> None:
    assert tidy_docket(printed) == cited
    assert read_serials(cited) <= read_serials(printed)
    [found] = Grammar.load().find(f"Rao v. Das, {cited}.", "IN")
    assert found.key == key


@pytest.mark.parametrize("docket", ["11-cv-454", "No. 20-1507", "2339", "T-12-04", "No. 133 of 1968"])
def test_a_docket_of_another_kind_stays(docket: str) -> None:
    assert tidy_docket(docket) == docket


@pytest.mark.parametrize(
    ("title", "name", "short"),
    [
        ("Orrin (Deceased) Through His Heirs and Lrs v State of Pell", "Orrin v State of Pell", "Orrin"),
        (
            "Harbour Authority, through Secretary and another v Kane",
            "Harbour Authority v Kane",
            "Harbour Authority",
        ),
        ("Orrin, Executor of the Estate of Moss v Kane", "Orrin v Kane", "Orrin"),
        ("Spindle and Company v State of Pell", "Spindle and Company v State of Pell", "Spindle"),
        ("Through v Kane", "Through v Kane", "Through"),
    ],
)
def test_a_name_is_written_without_who_represents_whom(title: str, name: str, short: str) -> None:
    assert tidy_title(title) == name
    assert choose_short_name(name) == short


@pytest.mark.parametrize(
    ("cut", "closed"),
    [
        ('It held: "There is a duty to look', "It held: “There is a duty to look”"),
        ('a duty to look" is clear', "“a duty to look” is clear"),
        ('the "duty" of a keeper', "the “duty” of a keeper"),
        ("``a duty'' of care", "“a duty” of care"),
    ],
)
def test_quotations_in_what_is_quoted_are_closed(cut: str, closed: str) -> None:
    assert close_marks(cut) == closed
