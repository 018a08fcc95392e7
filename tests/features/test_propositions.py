import pytest

from lexls.reading.propositions import find_citation_near, write_bare, write_query, write_shown
from lexls.text.spans import Span


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("4. The carrier pays: *Carrow v Luff* [2014] ASC 12 at [3].", "The carrier pays."),
        ("The carrier pays (see *Carrow v Luff* [2014] ASC 12 at [3]).", "The carrier pays."),
        ("The carrier pays, *Carrow v Luff* [2014] ASC 12 at [3].", "The carrier pays."),
        (
            "The rule in *Carrow v Luff* [2014] ASC 12 binds.",
            "The rule in Carrow v Luff [2014] ASC 12 binds.",
        ),
        (
            "It is barred by the Carriage of Goods Act 1994, s 13.",
            "It is barred by the Carriage of Goods Act 1994, s 13.",
        ),
        ("(a) It is barred: Carriage of Goods Act 1994, s 13.", "It is barred."),
        ("Carriage of Goods Act 1994, s 13 bars it.", "Carriage of Goods Act 1994, s 13 bars it."),
    ],
)
def test_what_a_sentence_says_to_people(read, draft: str, expected: str) -> None:
    marked = read(draft + "|")
    assert write_shown(marked.draft, Span(0, len(marked.draft.source))) == expected


def test_cases_are_not_searched_for_but_statutes_are(read) -> None:
    marked = read(
        "By the Carriage of Goods Act 1994, s 13 claims are barred: *Carrow v Luff* [2014] ASC 12 at [3].|"
    )
    whole = Span(0, len(marked.draft.source))
    assert write_query(marked.draft, whole) == "By the Carriage of Goods Act 1994, s 13 claims are barred."
    assert write_bare(marked.draft, whole) == "By the claims are barred."


def test_a_bracket_of_a_section_stays_at_the_end_of_a_sentence(read) -> None:
    draft = read("The claim was late under the Carriage of Goods Act 1994, s 13(1).|").draft
    assert write_shown(draft, draft.sentence_at(3)).endswith("Act 1994, s 13(1).")


def test_the_mark_before_a_name_belongs_to_the_citation(read) -> None:
    marked = read("Luff lost in *Hale v Reed* [2011] ASC 3. |*Carrow v Luff* [2014] ASC 12 says so.")
    found = find_citation_near(marked.draft, marked.start)
    assert found is not None
    assert found.key == "[2014] ASC 12"
