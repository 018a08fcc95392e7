"""Structure of plain text and Markdown: numbered paragraphs, sections, clauses, headings, pages."""

from __future__ import annotations

import pytest

from lexls.library.document import AuthorityKind
from lexls.library.lines import split_pieces
from lexls.library.pages import find_pages
from lexls.library.structure import find_structure


def outline(
    source: str, kind: AuthorityKind = "case", title: str = "", *, markdown: bool = False
) -> list[str]:
    """Blocks as "label|first words", headings as "#level|words", other text as "-|first words"."""
    shown = []
    for block in find_structure(source, split_pieces(source, markdown=markdown), kind, title):
        words = " ".join(source[block.start : block.end].split())[:24].rstrip()
        label = f"#{block.level}" if block.kind == "heading" else block.label or "-"
        shown.append(f"{label}|{words}")
    return shown


LONG = (
    "The carrier took the goods in good order and delivered them wet and spoiled to the consignee at the quay"
    ", who refused them on the same day."
)


@pytest.mark.parametrize(
    "mark", ["{}. ", "[{}] ", "{}) ", "({}) ", "¶ {} ", "[¶ {}] ", "{}\t", "{} ", "**{}.** ", "\\[{}\\] "]
)
def test_numbered_paragraphs_in_every_style(mark: str) -> None:
    source = "Carrow v Meridian\n" + "\n".join(mark.format(number) + LONG for number in range(1, 9))
    labels = [line.partition("|")[0] for line in outline(source)]
    assert labels == ["-", "1", "2", "3", "4", "5", "6", "7", "8"]


def test_a_paragraph_holds_what_follows_it_up_to_the_next() -> None:
    source = (
        f'1. {LONG}\n"It is trite that carriers answer for servants."\n(a) first;\n2. {LONG}\n3. {LONG}\n'
    )
    assert [line[:1] for line in outline(source)] == ["1", "2", "3"]


def test_numbers_of_quoted_paragraphs_do_not_restart_the_sequence() -> None:
    source = "\n".join(
        [
            *(f"{number}. {LONG}" for number in range(1, 8)),
            f'"26. {LONG}',
            f"27. {LONG}",
            f'28. {LONG}"',
            *(f"{number}. {LONG}" for number in range(8, 12)),
            f"1. {LONG}",
            f"2. {LONG}",
            *(f"{number}. {LONG}" for number in range(12, 15)),
        ]
    )
    assert [line.partition("|")[0] for line in outline(source)] == [str(number) for number in range(1, 15)]


def test_of_a_quoted_and_a_real_paragraph_with_the_same_number_the_real_one_counts() -> None:
    source = "\n".join(
        [f"{n}. {LONG}" for n in range(1, 6)]
        + [f'"5. {LONG}', f"6. QUOTED {LONG}", f'7. {LONG}"', f"6. REAL {LONG}", f"7. {LONG}", f"8. {LONG}"]
    )
    assert "6|6. REAL The carrier took" in outline(source)


def test_a_number_that_the_scan_lost_leaves_a_gap() -> None:
    source = "\n".join(f"{number}. {LONG}" for number in (1, 2, 3, 5, 6, 7))
    assert [line.partition("|")[0] for line in outline(source)] == ["1", "2", "3", "5", "6", "7"]


def test_a_list_inside_an_unnumbered_text_is_no_numbering() -> None:
    source = f"{LONG}\n" * 30 + "1. wheat\n2. barley\n3. oats\n" + f"{LONG}\n" * 30
    assert all(line.startswith("-|") for line in outline(source))


def test_a_list_of_four_is_no_numbering_where_more_text_follows() -> None:
    source = "\n".join([*(f"{number}. {LONG}" for number in range(1, 5)), *[LONG] * 40])
    assert all(line.startswith("-|") for line in outline(source))


def test_a_short_judgment_below_a_long_head_is_numbered() -> None:
    head = "\n".join(f"Mr Orrin {number} for the respondent harbour board" for number in range(40))
    source = f"{head}\n" + "\n".join(f"{number}. {LONG}" for number in range(1, 5))
    assert [line.partition("|")[0] for line in outline(source)][-4:] == ["1", "2", "3", "4"]


def test_a_short_judgment_may_quote_at_length_in_one_paragraph() -> None:
    quoted = "\n".join(f"({letter}) {LONG}" for letter in "abcdefghijklmnop")
    source = f"Carrow v Meridian\n1. {LONG}\n2. {LONG}\n3. {LONG}\n{quoted}\n4. {LONG}\n5. {LONG}"
    assert [line.partition("|")[0] for line in outline(source)] == ["-", "1", "2", "3", "4", "5"]


def test_years_and_dates_at_the_start_of_lines_are_no_numbers() -> None:
    source = "\n".join([f"12 March 2014 {LONG}", f"1994. {LONG}", f"1.5 {LONG}", f"14.2.1990 {LONG}"])
    assert all(line.startswith("-|") for line in outline(source))


def test_headings_stand_between_numbered_paragraphs_only_where_one_follows() -> None:
    source = f"1. {LONG}\nNOTIFICATION\n{LONG}\n2. {LONG}\nThe facts\n3. {LONG}\nCOSTS\n4. {LONG}\n"
    assert outline(source) == [
        "1|1. The carrier took the",
        "2|2. The carrier took the",
        "#4|The facts",
        "3|3. The carrier took the",
        "#3|COSTS",
        "4|4. The carrier took the",
    ]


def test_wrapped_lines_make_one_paragraph() -> None:
    source = "Carrow v Meridian\n\nThe goods were shipped in March\nand came in April,\nwet.\n\nThe end.\n"
    assert outline(source) == ["-|Carrow v Meridian", "-|The goods were shipped i", "-|The end."]


def test_markdown_headings_keep_their_depth_and_quotations_give_no_numbers() -> None:
    source = f"# Title\n\n## Part\n\n[1] {LONG}\n\n> [2] {LONG}\n\n### Deeper\n\n[2] {LONG}\n\n[3] {LONG}\n"
    assert outline(source, title="Title", markdown=True) == [
        "#1|# Title",
        "#2|## Part",
        "1|[1] The carrier took the",
        "#3|### Deeper",
        "2|[2] The carrier took the",
        "3|[3] The carrier took the",
    ]


ACT = """\
Pilotage Act 1988

An Act to license pilots.

PART 1: PRELIMINARY

1 Short title

This Act may be cited as the Pilotage Act 1988 and comes into force at once.

2 Definitions

(1) In this Act -
(a) "pilot" means a person who -
(i) holds a licence; and
(ii) does not belong to the ship;
(b) "ship" includes a barge.
(2) A barge under tow is a ship.
Provided that a barge without a crew is not.
(2A) A raft is not a ship.

PART 2: LICENCES

12 Grant of licences

(1) The Tribunal may grant a licence.
(2) It must give reasons if it -
(a) refuses; or
(b) revokes.

SCHEDULE 1: FORMS

1. The form of an application is whatever the Tribunal directs it to be.
2. (1) The form of a licence is set out here in full.
(2) It must be signed.
"""


def test_an_act_has_parts_sections_and_what_is_nested_in_them() -> None:
    assert outline(ACT, "statute") == [
        "-|Pilotage Act 1988",
        "-|An Act to license pilots",
        "#2|PART 1: PRELIMINARY",
        "1|1 Short title This Act m",
        "2|2 Definitions",
        "2(1)|(1) In this Act -",
        '2(1)(a)|(a) "pilot" means a pers',
        "2(1)(a)(i)|(i) holds a licence; and",
        "2(1)(a)(ii)|(ii) does not belong to",
        '2(1)(b)|(b) "ship" includes a ba',
        "2(2)|(2) A barge under tow is",
        "2(2)|Provided that a barge wi",
        "2(2A)|(2A) A raft is not a shi",
        "#2|PART 2: LICENCES",
        "12|12 Grant of licences",
        "12(1)|(1) The Tribunal may gra",
        "12(2)|(2) It must give reasons",
        "12(2)(a)|(a) refuses; or",
        "12(2)(b)|(b) revokes.",
        "Sch 1|SCHEDULE 1: FORMS",
        "Sch 1 para 1|1. The form of an applic",
        "Sch 1 para 2(1)|2. (1) The form of a lic",
        "Sch 1 para 2(2)|(2) It must be signed.",
    ]


def test_subsections_on_one_line_are_told_apart() -> None:
    source = (
        f"12. Duty of carrier.—(1) The carrier shall man the ship. (2) It shall equip her. (3) {LONG}\n"
        f"13. Burden.—{LONG} under section 12(1) of this Act.\n14. Costs.—{LONG}\n"
    )
    assert [line.partition("|")[0] for line in outline(source, "statute")] == [
        "12", "12(1)", "12(2)", "12(3)", "13", "14",
    ]  # fmt: skip


def test_a_table_of_contents_is_not_taken_for_the_sections() -> None:
    contents = "1. Short title\n2. Definitions\n3. Licences\nSCHEDULE 1\n\n"
    body = "".join(f"{number}. {LONG}\n\n" for number in (1, 2, 3)) + f"SCHEDULE 1\n\n1. {LONG}\n"
    labels = [
        line for line in outline(contents + body, "statute") if line[0].isdigit() or line.startswith("Sch")
    ]
    assert labels == [
        "1|1. The carrier took the",
        "2|2. The carrier took the",
        "3|3. The carrier took the",
        "Sch 1|SCHEDULE 1",
        "Sch 1 para 1|1. The carrier took the",
    ]


def test_a_code_leaves_gaps_between_its_sections() -> None:
    source = "".join(
        f"Sec. {number}. Of goods\n\n(a) {LONG}\n\nSection 9 of Pub. L. 1 was repealed.\n\n"
        for number in (101, 102, 201)
    )
    assert [line.partition("|")[0] for line in outline(source, "statute")] == [
        "101", "101(a)", "102", "102(a)", "201", "201(a)",
    ]  # fmt: skip


def test_articles_of_a_treaty_number_their_own_paragraphs() -> None:
    source = f"Article 1\n\n1. {LONG}\n\n2. {LONG}\n\nArticle 2\n\n1. {LONG}\n\nArticle III\n\n{LONG}\n"
    assert [line.partition("|")[0] for line in outline(source, "treaty")] == [
        "1",
        "1(1)",
        "1(2)",
        "2",
        "2(1)",
        "3",
    ]


def test_clauses_of_a_contract_count_decimally() -> None:
    source = (
        f"Berth Agreement\n\n1. Words\n\n1.1 {LONG}\n\n(a) one;\n\n(b) two.\n\n1.2 {LONG}\n\n2. Term\n\n"
        f"2.1 {LONG}\n\n2.1.1 {LONG}\n\nSCHEDULE\n\n1. {LONG}\n"
    )
    assert [line.partition("|")[0] for line in outline(source, "contract", "Berth Agreement")] == [
        "#1", "1", "1.1", "1.1(a)", "1.1(b)", "1.2", "2", "2.1", "2.1.1", "Sch", "Sch para 1",
    ]  # fmt: skip


def test_the_number_under_which_a_contract_was_filed_is_no_exhibit_of_it() -> None:
    source = (
        f"Page 1. {LONG}\n\n1. {LONG}\n\nExhibit 10.2\n\n2. {LONG}\n\n3. {LONG}\n\nEXHIBIT A\n\n1. {LONG}\n\n"
        f"Schedule 4.7\n\n{LONG}\n"
    )
    assert [line.partition("|")[0] for line in outline(source, "contract")][1:] == [
        "1", "#2", "2", "3", "Exhibit A", "Exhibit A para 1", "Sch 4.7",
    ]  # fmt: skip


def test_the_ninth_letter_is_a_letter_and_one_in_roman_is_roman() -> None:
    items = "".join(f"({letter}) item {letter};\n" for letter in "abcdefghijk")
    source = f"1. {LONG}\n{items}2. {LONG}\n(a) first;\n(i) inner;\n(ii) inner;\n(b) second.\n3. {LONG}\n"
    labels = [line.partition("|")[0] for line in outline(source, "statute")]
    assert labels[1:12] == [f"1({letter})" for letter in "abcdefghijk"]
    assert labels[12:] == ["2", "2(a)", "2(a)(i)", "2(a)(ii)", "2(b)", "3"]


@pytest.mark.parametrize(
    ("source", "starts", "numbers"),
    [
        ("one\ftwo\fthree", (0, 4, 8), ()),
        ("one\n[Page 2]\ntwo\n[Page 3]\nthree", (0, 4, 17), ()),
        (
            "Opinion. *355 It is so. *356 It is not. *357 Affirmed.",
            (0, 9, 24, 40),
            ("354", "355", "356", "357"),
        ),
        ("See 2012 WL 4122813, at *19, and at *20.", (), ()),
        ("no pages at all", (), ()),
    ],
)
def test_pages(source: str, starts: tuple[int, ...], numbers: tuple[str, ...]) -> None:
    assert find_pages(source) == (starts, numbers)
