"""Finding what a pinpoint names."""

from __future__ import annotations

import pytest

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.library.document import AuthorityKind
from lexls.library.lines import split_pieces
from lexls.library.places import NumberedPlaces, find_places, list_labels
from lexls.library.structure import find_structure
from lexls.text.spans import Span

JUDGMENT = "".join(f"[{number}] Paragraph {number}.\n\n" for number in range(1, 21))
ACT = (
    "1 Title\n\nThis is the Act of that title, and it binds whoever reads it.\n\n"
    "5 Care\n\n(1) The carrier shall -\n\n(a) man her;\n\n(b) equip her.\n\n(2) It shall pay.\n\n"
    "5A Costs\n\nEach party bears its own costs, whatever the court may think of it.\n\n"
    "6 End\n\nThis section is the last one of all the sections that there are.\n\n"
    "SCHEDULE 2\n\n1. The form of a bill of lading is the form that carriers like.\n\n2. It is signed.\n"
)
CONTRACT = "1. Terms\n\n1.1 First.\n\n1.2 Second:\n\n(a) inner.\n\n2. Price\n\n2.1 It is high.\n"


def check(
    source: str, kind: AuthorityKind, wanted: PinpointKind, labels: str, *, fallback: bool = False
) -> list[str]:
    """What a pinpoint with these labels (separated by semicolons) finds, as "label|text on one line"."""
    blocks = find_structure(source, split_pieces(source), kind, "")
    pinpoint = Pinpoint(wanted, tuple(labels.split(";")), Span(0, 0))
    found = find_places(NumberedPlaces(blocks), (), (), len(source), pinpoint, fallback=fallback)
    return [f"{label}|{' '.join(source[start:end].split())}" for label, start, end in found]


def test_a_numbered_paragraph_and_a_range() -> None:
    assert check(JUDGMENT, "case", "paragraph", "12") == ["12|[12] Paragraph 12."]
    assert [line[:2] for line in check(JUDGMENT, "case", "paragraph", "12-14;3")] == ["12", "13", "14", "3|"]
    assert check(JUDGMENT, "case", "paragraph", "99") == []
    assert [line[:2] for line in check(JUDGMENT, "case", "paragraph", "19-25")] == ["19", "20"]


def test_a_section_holds_its_subsections() -> None:
    assert check(ACT, "statute", "section", "5") == [
        "5|5 Care (1) The carrier shall - (a) man her; (b) equip her. (2) It shall pay."
    ]
    assert check(ACT, "statute", "section", "5(1)") == [
        "5(1)|(1) The carrier shall - (a) man her; (b) equip her."
    ]
    assert check(ACT, "statute", "section", "5(1)(b)") == ["5(1)(b)|(b) equip her."]
    assert [line.partition("|")[0] for line in check(ACT, "statute", "section", "5-6")] == ["5", "5A", "6"]


def test_a_place_that_a_wrapped_sentence_speaks_of_is_none_of_its_own() -> None:
    wrapped = (
        "7 Deposit\n\n  (b) Copies that were kept for the harbour library under subsection\n"
        "(e) of section 5 may be used, as the rules may\nprovided they are whole, and as\n"
        "section 6 has it.\n  (c) The registrar keeps a list of\n  (1) copies; and\n  (2) loans.\n\n"
        "8 End\n\nThis section is the last one.\n"
    )
    assert check(wrapped, "statute", "section", "7(e)") == []
    assert check(wrapped, "statute", "section", "7(b)")[0].endswith("as section 6 has it.")
    assert check(wrapped, "statute", "section", "7(c)(2)") == ["7(c)(2)|(2) loans."]


def test_what_is_not_there_is_answered_by_what_encloses_it_only_when_told() -> None:
    assert check(ACT, "statute", "section", "5(2)(c)") == []
    assert check(ACT, "statute", "section", "5(2)(c)", fallback=True) == ["5(2)|(2) It shall pay."]
    assert check(ACT, "statute", "section", "5(7)", fallback=True)[0].startswith("5|5 Care")
    assert check(ACT, "statute", "section", "77(1)", fallback=True) == []


def test_schedules_and_clauses() -> None:
    assert check(ACT, "statute", "schedule", "2")[0].endswith("2. It is signed.")
    assert check(ACT, "statute", "schedule", "2 para 2") == ["Sch 2 para 2|2. It is signed."]
    annexed = ACT.replace("SCHEDULE 2", "ANNEX B")
    assert check(annexed, "treaty", "schedule", "B")[0].startswith("Annex B|ANNEX B 1. The form")
    assert check(CONTRACT, "contract", "clause", "1.2") == ["1.2|1.2 Second: (a) inner."]
    assert check(CONTRACT, "contract", "clause", "1.2(a)") == ["1.2(a)|(a) inner."]
    assert check(CONTRACT, "contract", "clause", "1") == ["1|1. Terms 1.1 First. 1.2 Second: (a) inner."]


@pytest.mark.parametrize(
    ("label", "expected"),
    [("99", ["99"]), ("99-100", ["99", "100"]), ("99-01", ["99", "100", "101"]), ("7", [])],
)
def test_pages_by_their_printed_numbers(label: str, expected: list[str]) -> None:
    pinpoint = Pinpoint("page", (label,), Span(0, 0))
    found = find_places(NumberedPlaces(()), (0, 10, 20, 30), ("98", "99", "100", "101"), 44, pinpoint)
    assert [name for name, _, _ in found] == expected
    if label == "99-100":
        assert found == [("99", 10, 20), ("100", 20, 30)]


def test_labels_tell_what_numbering_an_authority_has() -> None:
    act = find_structure(ACT, split_pieces(ACT), "statute", "")
    assert list_labels(act, (), (), "section")[:4] == ("1", "5", "5(1)", "5(1)(a)")
    assert list_labels(act, (), (), "paragraph") == ()
    assert list_labels(act, (), (), "page") == ()
    assert list_labels((), (0, 10), (), "page") == ("1", "2")


def test_a_label_in_a_table_of_contents_and_in_the_text_is_found_in_the_text() -> None:
    from lexls.library.document import Block

    blocks = (
        Block(0, 5, "section", "1", 1),
        Block(6, 11, "section", "2", 1),
        Block(20, 90, "section", "1", 1),
        Block(91, 99, "section", "2", 1),
    )
    pinpoint = Pinpoint("section", ("1", "2"), Span(0, 0))
    assert find_places(NumberedPlaces(blocks), (), (), 99, pinpoint) == [("1", 20, 90), ("2", 91, 99)]
