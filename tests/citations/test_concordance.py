"""What became of the provisions of the three Indian codes that were replaced on 1 July 2024."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from lexls.citations.concordance import (
    Concordance,
    Correspondence,
    describe_correspondence,
    ends_of_range,
    normalize_label,
)
from lexls.citations.grammar import Grammar

IPC = "Indian Penal Code 1860"
CRPC = "Code of Criminal Procedure 1973"
EVIDENCE = "Indian Evidence Act 1872"
BNS = "Bharatiya Nyaya Sanhita 2023"
BNSS = "Bharatiya Nagarik Suraksha Sanhita 2023"
BSA = "Bharatiya Sakshya Adhiniyam 2023"

PAIRS = {
    IPC: """
        34→3(5) 107→45 109→49 120B→61(2) 124→151 147→191(2) 149→190 153A→196 186→221 188→223 201→238
        279→281 295A→299 299→100 300→101 302→103(1) 303→104 304→105 304A→106(1) 304B→80 306→108
        307→109 313→89 323→115(2) 324→118(1) 325→117(2) 326→118(2) 326A→124(1) 341→126(2) 353→132
        354→74 354D→78 363→137(2) 364A→140(2) 366→87 375→63 376(2)→64(2) 376D→70(1) 379→303(2)
        384→308(2) 386→308(5) 387→308(4) 392→309(4) 395→310(2) 397→311 406→316(2) 409→316(5)
        411→317(2) 415→318(1) 420→318(4) 436→326(g) 447→329(3) 452→333 457→331(4) 467→338 468→336(3)
        471→340(2) 494→82(1) 500→356(2) 504→352 509→79 511→62
    """,
    CRPC: """
        41A(1)→35(3) 57→58 82→84 91→94 100→103 102→106 125→144 144→163 154→173 154(3)→173(4)
        156(3)→175(3) 161→180 164→183 167→187 173(2)→193(3) 173(8)→193(9) 190→210 195→215 197→218
        200→223 202→225 204→227 207→230 216→239 227→250 239→262 265B→290 300→337 311→348 313→351
        319→358 320→359 340→379 354(3)→393(3) 357→395 374→415 378→419 389→430 397→438 401→442
        406→446 428→468 432→473 433A→475 436→478 436A→479 437→480 438→482 439→483 451→497 468→514
        482→528
    """,
    EVIDENCE: """
        6→4 17→15 25→23(1) 30→24 32(1)→26(a) 45→39(1) 45A→39(2) 65→60 65B→63 65B(4)→63(4) 73→72
        101→104 106→109 112→116 113B→118 114→119 114A→120 115→121 133→138 138→143 145→148 154→157
        165→168
    """,
}

Successor = Callable[[str, str], Correspondence]


@pytest.fixture(scope="module")
def concordance() -> Concordance:
    return Concordance.load()


@pytest.fixture
def successor(concordance: Concordance) -> Successor:
    def successor(key: str, label: str) -> Correspondence:
        found = concordance.successors(key, label)
        assert found is not None
        return found

    return successor


@pytest.mark.parametrize(
    ("act", "old", "new"),
    [(act, *pair.split("→")) for act, pairs in PAIRS.items() for pair in pairs.split()],
)
def test_a_provision_has_its_one_successor_and_is_its_predecessor(
    concordance: Concordance, successor: Successor, act: str, old: str, new: str
) -> None:
    found = successor(act, old)
    assert (found.relation, found.labels, found.asked, found.found) == ("same", (new,), old, old)
    assert found.since == date(2024, 7, 1)
    back = concordance.predecessors(found.other, new)
    assert back is not None
    assert old in back.labels
    assert back.other == act


@pytest.mark.parametrize(
    ("act", "old", "new"),
    [
        (IPC, "10", ("2(19)", "2(35)")),
        (IPC, "152", ("195(1)", "195(2)")),
        (IPC, "228A", ("72", "73")),
        (IPC, "376", ("64", "65(1)")),
        (IPC, "427", ("324(4)", "324(5)")),
        (IPC, "498A", ("85", "86")),
        (IPC, "506", ("351(2)", "351(3)")),
        (CRPC, "41", ("35(1)", "35(2)")),
        (EVIDENCE, "142", ("146(2)", "146(3)")),
    ],
)
def test_a_split_names_every_part(successor: Successor, act: str, old: str, new: tuple[str, ...]) -> None:
    found = successor(act, old)
    assert (found.relation, found.labels) == ("split", new)
    assert found.note.startswith("split into sections ")
    assert all(label in found.note for label in new)
    assert "was split into sections" in describe_correspondence(found)


@pytest.mark.parametrize(
    ("act", "old", "new", "others"),
    [
        (IPC, "142", "189(2)", ("143",)),
        (IPC, "428", "325", ("429",)),
        (IPC, "376DA", "70(2)", ("376DB",)),
        (IPC, "74", "12", ()),
        (IPC, "256", "181", ("233", "234", "235", "257", "489D")),
        (EVIDENCE, "27", "23(2)", ("26",)),
        (EVIDENCE, "28", "22", ("24", "29")),
    ],
)
def test_a_merger_names_what_was_merged(
    successor: Successor, act: str, old: str, new: str, others: tuple[str, ...]
) -> None:
    found = successor(act, old)
    assert (found.labels, found.shared) == ((new,), others)
    assert found.relation == ("merged" if others else "same")
    assert all(label in describe_correspondence(found) for label in others)


@pytest.mark.parametrize(
    ("act", "label", "told"),
    [
        (IPC, "124A", "section 152"),
        (IPC, "309", "section 226"),
        (IPC, "377", "not enacted again"),
        (IPC, "497", "Joseph Shine"),
        (IPC, "310", "thugs"),
        (CRPC, "144A", ""),
        (CRPC, "355", "Metropolitan"),
        (EVIDENCE, "113", ""),
    ],
)
def test_what_was_not_enacted_again_has_no_successor(
    successor: Successor, act: str, label: str, told: str
) -> None:
    found = successor(act, label)
    assert (found.relation, found.labels) == ("omitted", ())
    assert told in found.note
    assert "has no successor in the Bharatiya" in describe_correspondence(found)


def test_what_was_repealed_before_is_not_said_to_have_been_omitted_then(successor: Successor) -> None:
    found = successor(IPC, "161")
    assert found.relation == "repealed"
    assert "was no longer in force" in describe_correspondence(found)
    assert "Prevention of Corruption Act" in describe_correspondence(found)


def test_what_no_source_settles_is_told_to_nobody(concordance: Concordance) -> None:
    assert concordance.successors(IPC, "236") is None


@pytest.mark.parametrize(
    ("act", "asked", "found", "new"),
    [
        (IPC, "376(2)(f)", "376(2)", "64(2)"),
        (IPC, "307(1)", "307", "109"),
        (CRPC, "190(1)(b)", "190", "210"),
        (CRPC, "313(1)(b)", "313", "351"),
        (EVIDENCE, "65B(4)(a)", "65B(4)", "63(4)"),
        (EVIDENCE, "113(1)", "113", ""),
    ],
)
def test_a_subsection_without_an_entry_is_answered_by_its_section_which_is_said(
    successor: Successor, act: str, asked: str, found: str, new: str
) -> None:
    answer = successor(act, asked)
    assert (answer.asked, answer.found, "".join(answer.labels)) == (asked, found, new)
    assert f"section {found} of the" in describe_correspondence(answer)
    assert f"to which section {asked} belongs" in describe_correspondence(answer)


@pytest.mark.parametrize(
    ("written", "label"),
    [("498-A", "498A"), ("376 (2)", "376(2)"), ("304b", "304B"), ("164(5a)", "164(5A)"), ("2(wa)", "2(wa)")],
)
def test_a_label_is_found_however_it_is_written(successor: Successor, written: str, label: str) -> None:
    assert normalize_label(written) == label
    act = CRPC if label.startswith(("164", "2(")) else IPC
    assert successor(act, written).found == label


def test_a_range_is_no_label_but_has_ends(concordance: Concordance) -> None:
    assert normalize_label("56-60") == ""
    assert concordance.successors(CRPC, "56-60") is None
    assert ends_of_range("56-60") == ("56", "60")
    assert ends_of_range("354A-354D") == ("354A", "354D")
    assert ends_of_range("498-A") is None
    assert ends_of_range("Order 39") is None


def test_other_acts_and_the_new_codes_have_no_successors(concordance: Concordance) -> None:
    assert concordance.successors("Companies Act 2013", "302") is None
    assert concordance.successors(BNS, "103") is None
    assert concordance.predecessors(IPC, "302") is None
    assert [concordance.is_replaced(key) for key in (IPC, BNS, "Companies Act 2013")] == [True, False, False]


def test_a_section_no_code_had_is_unknown(concordance: Concordance) -> None:
    assert concordance.successors(IPC, "512") is None
    assert concordance.predecessors(BNS, "359") is None


@pytest.mark.parametrize(
    ("act", "new", "relation", "old"),
    [
        (BNS, "103", "same", ("302",)),
        (BNS, "316", "merged", ("405", "406", "407", "408", "409")),
        (BNS, "65", "merged", ("376", "376AB")),
        (BNS, "86", "split", ("498A",)),
        (BNS, "103(2)", "new", ()),
        (BNS, "111", "new", ()),
        (BNS, "226", "new", ()),
        (BNSS, "8", "same", ("9",)),
        (BNSS, "35(3)", "same", ("41A(1)",)),
        (BNSS, "472", "new", ()),
        (BNSS, "528", "same", ("482",)),
        (BSA, "61", "new", ()),
        (BSA, "23", "merged", ("25", "26", "27")),
    ],
)
def test_predecessors_of_the_new_codes(
    concordance: Concordance, act: str, new: str, relation: str, old: tuple[str, ...]
) -> None:
    found = concordance.predecessors(act, new)
    assert found is not None
    assert (found.relation, found.labels) == (relation, old)
    assert ("is new" in describe_correspondence(found)) == (relation == "new")


def test_the_words_say_to_what_the_new_code_applies(successor: Successor) -> None:
    assert describe_correspondence(successor(IPC, "302")) == (
        "section 302 of the Indian Penal Code is section 103(1) of the Bharatiya Nyaya Sanhita, 2023, for"
        " offences committed on or after 1 July 2024"
    )
    assert describe_correspondence(successor(CRPC, "438")) == (
        "section 438 of the Code of Criminal Procedure, 1973, is section 482 of the Bharatiya Nagarik"
        " Suraksha Sanhita, 2023, from 1 July 2024, except in appeals, applications, trials, inquiries and"
        " investigations then pending"
    )
    assert describe_correspondence(successor(EVIDENCE, "65B")).endswith(
        "from 1 July 2024, except in applications, trials, inquiries, investigations, proceedings and appeals"
        " then pending"
    )


@pytest.mark.parametrize(
    ("text", "key", "label"),
    [
        ("Section 302 of the Indian Penal Code, 1860", IPC, "302"),
        ("s. 302 IPC", IPC, "302"),
        ("Section 482 of the Code of Criminal Procedure, 1973", CRPC, "482"),
        ("Section 482 CrPC", CRPC, "482"),
        ("Section 65B of the Indian Evidence Act, 1872", EVIDENCE, "65B"),
        ("Section 103(1) of the Bharatiya Nyaya Sanhita, 2023", BNS, "103(1)"),
        ("Section 103(1) BNS", BNS, "103(1)"),
        ("Section 528 of the Bharatiya Nagarik Suraksha Sanhita, 2023", BNSS, "528"),
        ("Section 528 BNSS", BNSS, "528"),
        ("Section 63 of the Bharatiya Sakshya Adhiniyam, 2023", BSA, "63"),
        ("Section 63 BSA", BSA, "63"),
    ],
)
def test_the_grammar_reads_the_codes_under_the_concordance_s_keys(
    concordance: Concordance, text: str, key: str, label: str
) -> None:
    cited = [each for each in Grammar.load().find(f"{text} applies.", "IN") if each.key == key]
    assert cited
    assert cited[0].pinpoint is not None
    assert label in cited[0].pinpoint.labels
    assert key in concordance.acts
