"""Renaming defined terms: what changes, and what is refused."""

from __future__ import annotations

import pytest

from lexls.features.rename import NotRenamable, find_renamable, rename


def renamed(marked, name: str, token) -> str:  # type: ignore[no-untyped-def]
    text = marked.draft.source
    for edit in reversed(rename(marked.snapshot, marked.start, name, token)):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


ACT = """The Carriage of Goods Act 1994 (“the {}”), s 12(1), says so. The {} is plain.

Under section 13 of the {} no claim lies; the {}, s 12(2), is an exception. An Act of mercy is none of these.
"""


@pytest.mark.parametrize("cursor", range(4))
@pytest.mark.parametrize("typed", ["Statute", "the Statute", "“the Statute”", ' "Statute" '])
def test_a_term_is_renamed_everywhere_from_anywhere(read, token, cursor: int, typed: str) -> None:
    marked = read(ACT.format(*("A|ct" if place == cursor else "Act" for place in range(4))))
    assert find_renamable(marked.snapshot, marked.start, token).defined.term == "Act"
    assert find_renamable(marked.snapshot, marked.start, token).span.of(marked.draft.source) == "Act"
    assert renamed(marked, typed, token) == ACT.format(*["Statute"] * 4)


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        (
            "*Carrow v Luff* [2014] ASC 12 at [3] (“*Car|row*”). In *Carrow* at [4], and Carrow’s case.",
            "Luff",
            "*Carrow v Luff* [2014] ASC 12 at [3] (“*Luff*”). In *Luff* at [4], and Luff’s case.",
        ),
        (
            'Carriage of Goods Act 1994 (hereinafter "the Act"). Section 13 of the A|ct.',
            "1994 Act",
            'Carriage of Goods Act 1994 (hereinafter "the 1994 Act"). Section 13 of the 1994 Act.',
        ),
        (
            "Carriage of Goods Act 1994 (C|GA). s 13 CGA; CGA s 12.",
            "CG Act",
            "Carriage of Goods Act 1994 (“CG Act”). s 13 CG Act; CG Act s 12.",
        ),
        (
            "Carriage of Goods Act 1994 (C|GA). s 13 CGA; CGA s 12.",
            "CG",
            "Carriage of Goods Act 1994 (CG). s 13 CG; CG s 12.",
        ),
        (
            "Carrow v Luff [2014] ASC 12 (the “Wool case”). The Wool c|ase at [3]. The Wool\ncase again.",
            "Heron case",
            "Carrow v Luff [2014] ASC 12 (the “Heron case”). The Heron case at [3]. The Heron case again.",
        ),
    ],
)
def test_definitions_and_uses_keep_what_is_around_them(
    read, token, before: str, name: str, after: str
) -> None:
    assert renamed(read(before), name, token) == after


def test_full_citations_and_other_authorities_stay(read, token) -> None:
    marked = read(
        "Carrow v Luff [2014] ASC 12 (“Carr|ow”). Carrow at [3]. Again Carrow v Luff [2014] ASC 12. "
        "The Owners of the Grey Gull v Harbour Board [2016] AHC 88."
    )
    assert renamed(marked, "Heron", token) == (
        "Carrow v Luff [2014] ASC 12 (“Heron”). Heron at [3]. Again Carrow v Luff [2014] ASC 12. "
        "The Owners of the Grey Gull v Harbour Board [2016] AHC 88."
    )


def test_the_article_belongs_to_the_term(read, token) -> None:
    marked = read("Carriage of Goods Act 1994 (“the Act”). Section 13 of t|he Act.")
    assert find_renamable(marked.snapshot, marked.start, token).span.of(marked.draft.source) == "Act"


def test_one_term_for_two_acts_in_turn_is_renamed_for_one_of_them(read, token) -> None:
    marked = read(
        "Carriage of Goods Act 1994 (“the Act”). The Act, s 12.\n\n"
        "Limitation Act 1979 (“the Act”). The A|ct, s 4."
    )
    assert renamed(marked, "1979 Act", token) == (
        "Carriage of Goods Act 1994 (“the Act”). The Act, s 12.\n\n"
        "Limitation Act 1979 (“the 1979 Act”). The 1979 Act, s 4."
    )


def test_latex_keeps_its_commands(read, token) -> None:
    before = r"\textit{Carrow v Luff} [2014] ASC~12 (``\textit{Carrow}''). In \textit{Carr|ow} at~[3]."
    after = r"\textit{Carrow v Luff} [2014] ASC~12 (``\textit{Heron}''). In \textit{Heron} at~[3]."
    assert renamed(read(before, "latex"), "Heron", token) == after


def test_the_same_name_changes_nothing(read, token) -> None:
    marked = read("Carrow v Luff [2014] ASC 12 (“Carr|ow”). Carrow at [3].")
    assert rename(marked.snapshot, marked.start, "Carrow", token) == []


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        ("The brig w|as lost. Carrow v Luff [2014] ASC 12 (“Carrow”).", "no defined term here"),
        ("Carrow v Luff [2014] AS|C 12 (“Carrow”). Carrow at [3].", "this is a citation"),
        ("Carrow v Luff [2014] ASC 12 at [3]. Carr|ow at [4].", "not defined in this draft"),
        ("Carrow v Luff [2014] ASC 12 at [3] (“Carrow”). Ib|id at [4].", "not defined in this draft"),
        ("Carriage of Goods Act 1994, s 12. Secti|on 13 says so.", "not defined in this draft"),
    ],
)
def test_what_is_no_defined_term_is_refused(read, token, draft: str, reason: str) -> None:
    marked = read(draft)
    with pytest.raises(NotRenamable, match=reason):
        find_renamable(marked.snapshot, marked.start, token)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "needs a name"),
        ("the", "capital"),
        ("carrow", "capital letter"),
        ("X" * 61, "at most 60"),
        ("Ca(rrow", "leave out brackets"),
        ("*Luff*", "leave out brackets"),
        ("Stark rule", "already defined, for .2009. ACA 31"),
        ("The Owners of the Grey Gull", r"already means \[2016\] AHC 88"),
        ("Harbour Board", r"already means \[2016\] AHC 88"),
        ("Thornby Estates", "name of another authority cited, Thornby Estates Ltd v Registrar of Tides"),
    ],
)
def test_a_name_that_cannot_be_or_is_taken_is_refused(read, token, name: str, reason: str) -> None:
    marked = read(
        "Carrow v Luff [2014] ASC 12 (“Carr|ow”). Pell v Stark [2009] ACA 31 (the “Stark rule”). "
        "The Owners of the Grey Gull v Harbour Board [2016] AHC 88. See (1987) 4 AldLR 212. Carrow at [3]."
    )
    with pytest.raises(NotRenamable, match=reason):
        rename(marked.snapshot, marked.start, name, token)
