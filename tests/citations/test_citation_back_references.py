"""Short forms that point back over footnotes, strings of citations and the history of a case."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.citations.reading import Citations
from lexls.text.spans import Span

Check = Callable[..., tuple[Citation, ...]]
NOTE = "^"


@pytest.fixture
def read(grammar: Grammar) -> Callable[..., Citations]:
    """Reads paragraphs, of which those that begin with ``^`` and a number are the words of footnotes."""

    def run(*paragraphs: str, jurisdiction: str = "UK") -> Citations:
        pieces: list[str] = []
        notes: dict[str, Span] = {}
        for paragraph in paragraphs:
            words = paragraph.removeprefix(NOTE)
            start = sum(map(len, pieces))
            if words != paragraph:
                number, _, words = words.partition(" ")
                notes[number] = Span(start, start + len(words))
            pieces.append(words + "\n\n")
        return grammar.reader(jurisdiction).read(pieces, notes)

    return run


CARROW = "Carrow v Dunne [2014] UKSC 12"
PELL = "Pell v Ryle [2009] UKSC 31"
LATER = "Carrow v Dunne (No 2) [2016] UKSC 3"


@pytest.mark.parametrize(
    ("short", "pinpoint"),
    [
        ("Carrow, supra note 2, at [14]", "14"),
        ("Carrow (n 2) [14]", "14"),
        ("Carrow (n 2) 14", "14"),
        ("Carrow, above n 2, [14]", "14"),
        ("Carrow, n 2 above, at [14]", "14"),
        ("Carrow, supra at n 2", ""),
        ("Carrow (above n 2)", ""),
        ("Supra note 2, at [14]", "14"),
        ("above n 2, [14]", "14"),
        ("(n 2) [14]", "14"),
    ],
)
def test_a_short_form_that_points_at_a_footnote(
    read: Callable[..., Citations], short: str, pinpoint: str
) -> None:
    found = read("Text.", f"^1 {PELL}.", f"^2 See {CARROW}.", f"^3 {PELL}.", f"^4 See {short}.")
    last = found[-1]
    assert (last.text, last.form, last.key, last.antecedent) == (short, "supra", "[2014] UKSC 12", 1)
    assert (last.pinpoint.labels if last.pinpoint else ()) == ((pinpoint,) if pinpoint else ())


def test_of_two_cases_with_a_name_the_footnotes_is_meant(read: Callable[..., Citations]) -> None:
    found = read(f"^1 {CARROW}.", f"^2 {LATER}.", "^3 Carrow (n 1) [4].", "^4 Carrow (n 2) [4].")
    assert [each.antecedent for each in found] == [None, None, 0, 1]


def test_a_footnote_that_comes_later_in_the_text(read: Callable[..., Citations]) -> None:
    found = read("By Carrow (n 2) the rule stands.", f"^1 {PELL}.", f"^2 {CARROW}; {PELL}.")
    first = found[0]
    assert (first.text, first.key, first.antecedent) == ("Carrow (n 2)", "[2014] UKSC 12", 2)


def test_a_footnote_of_several_authorities_needs_a_name(read: Callable[..., Citations]) -> None:
    found = read(f"^1 {CARROW}; {PELL}.", "^2 Pell (n 1) [3]. See above n 1, [5].")
    assert [each.text for each in found[2:]] == ["Pell (n 1) [3]"]


def test_a_footnote_that_is_followed_to_what_its_short_form_stands_for(
    read: Callable[..., Citations],
) -> None:
    found = read(f"^1 {CARROW}.", f"^2 {PELL}.", "^3 Carrow (n 1) [3].", "^4 Above n 3, [5].")
    assert (found[-1].form, found[-1].antecedent) == ("supra", 0)


@pytest.mark.parametrize(
    "prose",
    [
        "See supra note 1 and accompanying text.",
        "See supra note 7.",
        "The sample (n 30) was small.",
        "The Group (n 30) was small.",
        "As noted above, the cit of loc.",
        "See note 1 above.",
    ],
)
def test_words_about_the_text_itself_are_no_citations(read: Callable[..., Citations], prose: str) -> None:
    found = read(f"^1 {CARROW}; {PELL}.", prose)
    assert len(found) == 2


def test_a_name_in_a_footnote_that_points_at_none_has_no_antecedent(read: Callable[..., Citations]) -> None:
    last = read(f"^1 {CARROW}.", "^2 Merrow (n 9) [4].")[-1]
    assert (last.text, last.form, last.key, last.unread) == ("Merrow (n 9) [4]", "supra", "", False)


@pytest.mark.parametrize(
    ("short", "form"),
    [
        ("Carrow, op. cit., at [14]", "supra"),
        ("Carrow, op cit", "supra"),
        ("Carrow, loc. cit.", "supra"),
        ("loc. cit.", "id"),
        ("Loc cit", "id"),
    ],
)
def test_op_cit_and_loc_cit(check: Check, short: str, form: str) -> None:
    last = check(f"⟦{CARROW}⟧. So ⟦{short}⟧", "UK")[-1]
    assert (last.form, last.key) == (form, "[2014] UKSC 12")


# -- what id. stands for -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "ambiguous"),
    [
        (f"{CARROW}.", False),
        (f"{PELL}. {CARROW}.", False),
        (f"{PELL}; {CARROW}.", True),
        (f"{PELL}; see also {CARROW}.", True),
        (f"{PELL} (holding that ships are ships); {CARROW}.", True),
        (f"{PELL} and {CARROW}.", True),
        (f"{PELL} was followed where the ship sank, in {CARROW}.", False),
        ("Carrow v Dunne [2014] UKSC 12; [2014] AC 90.", False),
        (f"{CARROW}; Carrow at [9].", False),
        (f"Pilotage Act 1988, s 4; {CARROW}.", False),
    ],
)
def test_ibid_behind_several_authorities_is_ambiguous(grammar: Grammar, before: str, ambiguous: bool) -> None:
    found = grammar.find(f"{before} Ibid at [14].", "UK")
    last = found[-1]
    assert (last.form, last.key, last.ambiguous) == ("id", "[2014] UKSC 12", ambiguous)
    assert not any(each.ambiguous for each in found[:-1])


def test_ibid_in_a_footnote_is_what_the_footnote_before_cites(read: Callable[..., Citations]) -> None:
    found = read(f"{PELL}.", f"^1 {CARROW}.", f"Then {PELL} again.", "^2 Ibid at [3].")
    assert (found[-1].key, found[-1].ambiguous) == ("[2014] UKSC 12", False)


def test_ibid_after_a_footnote_of_several_authorities_is_ambiguous(read: Callable[..., Citations]) -> None:
    found = read(f"^1 {PELL} is old. {CARROW} is not.", "^2 Ibid at [3].", "^3 Ibid.")
    assert [each.ambiguous for each in found[2:]] == [True, False]
    found = read(f"^1 {PELL} is old. {CARROW} is not. Ibid.")
    assert not found[-1].ambiguous


@pytest.mark.parametrize(
    "history",
    [
        ", aff'd, ⟦12 F.3d 3 (9th Cir. 1999)⟧",
        ", rev’d on other grounds, ⟦531 U.S. 98 (2000)⟧",
        ", aff'd in part and rev'd in part, ⟦12 F.3d 3 (9th Cir. 1999)⟧, cert. denied, ⟦531 U.S. 98 (2000)⟧",
        " (en banc), cert. denied, ⟦531 U.S. 98 (2000)⟧",
        ", aff'd sub nom. ⟦Poole v. Gore, 531 U.S. 98 (2000)⟧",
        ", vacated and remanded, ⟦531 U.S. 98⟧, ⟦121 S. Ct. 525 (2000)⟧",
    ],
)
def test_id_after_the_history_of_a_case_is_the_case(check: Check, history: str) -> None:
    found = check(f"⟦Hale v. Orr, 10 F. Supp. 2d 5 (D. Mass. 1998)⟧{history}. ⟦Id. at 7⟧.", "US")
    assert (found[-1].key, found[-1].antecedent, found[-1].ambiguous) == ("10 F. Supp. 2d 5", 0, False)


def test_a_case_that_another_case_reversed_is_not_its_history(check: Check) -> None:
    marked = "⟦Hale v. Orr, 10 F.3d 5⟧, reversed the rule of ⟦Poole v. Gore, 12 F.3d 3⟧. ⟦Id. at 4⟧."
    assert check(marked, "US")[-1].key == "12 F.3d 3"


def test_a_short_name_after_a_history_is_the_case_of_that_name(check: Check) -> None:
    marked = "⟦Hale v. Orr, 10 F.3d 5 (1st Cir. 1998)⟧, aff'd, ⟦531 U.S. 98 (2000)⟧. ⟦Hale at 7⟧."
    assert check(marked, "US")[-1].antecedent == 0


# -- what was not read -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Ibid at [3].", False),
        ("Smith v. Jones, 12 Xyz. Q. 3. Ibid at [3].", True),
        (f"{CARROW}. Smith v. Jones, 12 Xyz. Q. 3. Ibid at [3].", True),
        (f"{CARROW}. In Jones, 83 id. 154, it was so. Ibid.", True),
        ("Merrow, supra, at 12.", False),
        ("See Merrow’s treatise. Merrow, supra, at 12.", True),
        ("Merrow wrote it.\n\nMerrow, supra, at 12.", True),
        (f"{CARROW}. Ibid.", False),
    ],
)
def test_what_may_only_not_have_been_read(grammar: Grammar, text: str, unread: bool) -> None:
    last = grammar.find(text, "UK")[-1]
    assert last.unread == unread
    assert not last.key or not last.unread


# -- pinpoints ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "labels", "notes"),
    [
        ("531 U.S. 98, 99-100, 103 n.4", ("99-100", "103"), ("4",)),
        ("531 U.S. 98, 99 & n.4, 103", ("99", "103"), ("4",)),
        ("531 U.S. 98, 103 nn. 4-5", ("103",), ("4-5",)),
        ("531 U.S. 98, 103 nn.4 & 6", ("103",), ("4", "6")),
        ("531 U.S. 98, 103 n 4", ("103",), ("4",)),
        ("[2014] UKSC 12 at [12]–[14], [20]", ("12-14", "20"), ()),
        ("[2014] UKSC 12, paras 3, 5 and 7", ("3", "5", "7"), ()),
        ("[2014] UKSC 12 at para 3.2", ("3.2",), ()),
        ("Pilotage Act 1988, Sch 1A, para 2", ("1A para 2",), ()),
        ("Pilotage Act 1988, Sch 1A, paras 2(1) and 5", ("1A para 2(1)", "1A para 5"), ()),
        ("paragraph 2 of Schedule 1A to the Pilotage Act 1988", ("1A para 2",), ()),
    ],
)
def test_lists_of_pinpoints(check: Check, text: str, labels: tuple[str, ...], notes: tuple[str, ...]) -> None:
    (citation,) = check(f"See ⟦{text}⟧.", "US" if "U.S." in text else "UK")
    assert citation.pinpoint is not None
    assert (citation.pinpoint.labels, citation.pinpoint.notes) == (labels, notes)


def test_a_section_of_a_bill_is_no_citation(check: Check) -> None:
    check("By the ⟦Pilotage Act 1988⟧. S. 98 of the bill and section 4 of the Bill say nothing.", "UK")
