"""What became of the provisions of the three Indian codes that were replaced on 1 July 2024."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from itertools import pairwise

import pytest

from lexls.citations.concordance.concordance import (
    Concordance,
    Correspondence,
    ends_of_range,
    normal_label,
    words,
)
from lexls.citations.concordance.table import ConcordanceError, Table, read_table
from lexls.citations.grammar import Grammar

IPC = "Indian Penal Code 1860"
CRPC = "Code of Criminal Procedure 1973"
EVIDENCE = "Indian Evidence Act 1872"
BNS = "Bharatiya Nyaya Sanhita 2023"
BNSS = "Bharatiya Nagarik Suraksha Sanhita 2023"
BSA = "Bharatiya Sakshya Adhiniyam 2023"
OLD = (IPC, CRPC, EVIDENCE)

LETTERED = {
    IPC: """29A 52A 53A 55A 108A 120A 120B 121A 124A 138A 153A 153AA 153B 165A 166A 166B 171A 171B 171C 171D
        171E 171F 171G 171H 171I 174A 195A 216A 216B 225A 225B 228A 229A 263A 294A 295A 304A 304B 326A 326B
        354A 354B 354C 354D 363A 364A 366A 366B 370A 376A 376AB 376B 376C 376D 376DA 376DB 376E 477A 489A 489B
        489C 489D 489E 498A""",
    CRPC: """25A 41A 41B 41C 41D 50A 53A 54A 55A 60A 105A 105B 105C 105D 105E 105F 105G 105H 105I 105J 105K
        105L 144A 164A 166A 166B 195A 198A 198B 265A 265B 265C 265D 265E 265F 265G 265H 265I 265J 265K 265L
        291A 311A 357A 357B 357C 433A 436A 437A 441A 446A""",
    EVIDENCE: "22A 45A 47A 53A 65A 65B 67A 73A 81A 85A 85B 85C 88A 90A 111A 113A 113B 114A",
}
LAST = {IPC: (511, 358), CRPC: (484, 531), EVIDENCE: (167, 170)}

PAIRS = [
    (IPC, "34", "3(5)"),
    (IPC, "107", "45"),
    (IPC, "109", "49"),
    (IPC, "120B", "61(2)"),
    (IPC, "124", "151"),
    (IPC, "147", "191(2)"),
    (IPC, "149", "190"),
    (IPC, "153A", "196"),
    (IPC, "186", "221"),
    (IPC, "188", "223"),
    (IPC, "201", "238"),
    (IPC, "279", "281"),
    (IPC, "295A", "299"),
    (IPC, "299", "100"),
    (IPC, "300", "101"),
    (IPC, "302", "103(1)"),
    (IPC, "303", "104"),
    (IPC, "304", "105"),
    (IPC, "304A", "106(1)"),
    (IPC, "304B", "80"),
    (IPC, "306", "108"),
    (IPC, "307", "109"),
    (IPC, "313", "89"),
    (IPC, "323", "115(2)"),
    (IPC, "324", "118(1)"),
    (IPC, "325", "117(2)"),
    (IPC, "326", "118(2)"),
    (IPC, "326A", "124(1)"),
    (IPC, "341", "126(2)"),
    (IPC, "353", "132"),
    (IPC, "354", "74"),
    (IPC, "354D", "78"),
    (IPC, "363", "137(2)"),
    (IPC, "364A", "140(2)"),
    (IPC, "366", "87"),
    (IPC, "375", "63"),
    (IPC, "376(2)", "64(2)"),
    (IPC, "376D", "70(1)"),
    (IPC, "379", "303(2)"),
    (IPC, "384", "308(2)"),
    (IPC, "386", "308(5)"),
    (IPC, "387", "308(4)"),
    (IPC, "392", "309(4)"),
    (IPC, "395", "310(2)"),
    (IPC, "397", "311"),
    (IPC, "406", "316(2)"),
    (IPC, "409", "316(5)"),
    (IPC, "411", "317(2)"),
    (IPC, "415", "318(1)"),
    (IPC, "420", "318(4)"),
    (IPC, "436", "326(g)"),
    (IPC, "447", "329(3)"),
    (IPC, "452", "333"),
    (IPC, "457", "331(4)"),
    (IPC, "467", "338"),
    (IPC, "468", "336(3)"),
    (IPC, "471", "340(2)"),
    (IPC, "494", "82(1)"),
    (IPC, "500", "356(2)"),
    (IPC, "504", "352"),
    (IPC, "509", "79"),
    (IPC, "511", "62"),
    (CRPC, "41A(1)", "35(3)"),
    (CRPC, "57", "58"),
    (CRPC, "82", "84"),
    (CRPC, "91", "94"),
    (CRPC, "100", "103"),
    (CRPC, "102", "106"),
    (CRPC, "125", "144"),
    (CRPC, "144", "163"),
    (CRPC, "154", "173"),
    (CRPC, "154(3)", "173(4)"),
    (CRPC, "156(3)", "175(3)"),
    (CRPC, "161", "180"),
    (CRPC, "164", "183"),
    (CRPC, "167", "187"),
    (CRPC, "173(2)", "193(3)"),
    (CRPC, "173(8)", "193(9)"),
    (CRPC, "190", "210"),
    (CRPC, "195", "215"),
    (CRPC, "197", "218"),
    (CRPC, "200", "223"),
    (CRPC, "202", "225"),
    (CRPC, "204", "227"),
    (CRPC, "207", "230"),
    (CRPC, "216", "239"),
    (CRPC, "227", "250"),
    (CRPC, "239", "262"),
    (CRPC, "265B", "290"),
    (CRPC, "300", "337"),
    (CRPC, "311", "348"),
    (CRPC, "313", "351"),
    (CRPC, "319", "358"),
    (CRPC, "320", "359"),
    (CRPC, "340", "379"),
    (CRPC, "354(3)", "393(3)"),
    (CRPC, "357", "395"),
    (CRPC, "374", "415"),
    (CRPC, "378", "419"),
    (CRPC, "389", "430"),
    (CRPC, "397", "438"),
    (CRPC, "401", "442"),
    (CRPC, "406", "446"),
    (CRPC, "428", "468"),
    (CRPC, "432", "473"),
    (CRPC, "433A", "475"),
    (CRPC, "436", "478"),
    (CRPC, "436A", "479"),
    (CRPC, "437", "480"),
    (CRPC, "438", "482"),
    (CRPC, "439", "483"),
    (CRPC, "451", "497"),
    (CRPC, "468", "514"),
    (CRPC, "482", "528"),
    (EVIDENCE, "6", "4"),
    (EVIDENCE, "17", "15"),
    (EVIDENCE, "25", "23(1)"),
    (EVIDENCE, "30", "24"),
    (EVIDENCE, "32(1)", "26(a)"),
    (EVIDENCE, "45", "39(1)"),
    (EVIDENCE, "45A", "39(2)"),
    (EVIDENCE, "65", "60"),
    (EVIDENCE, "65B", "63"),
    (EVIDENCE, "65B(4)", "63(4)"),
    (EVIDENCE, "73", "72"),
    (EVIDENCE, "101", "104"),
    (EVIDENCE, "106", "109"),
    (EVIDENCE, "112", "116"),
    (EVIDENCE, "113B", "118"),
    (EVIDENCE, "114", "119"),
    (EVIDENCE, "114A", "120"),
    (EVIDENCE, "115", "121"),
    (EVIDENCE, "133", "138"),
    (EVIDENCE, "138", "143"),
    (EVIDENCE, "145", "148"),
    (EVIDENCE, "154", "157"),
    (EVIDENCE, "165", "168"),
]

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


def _table(concordance: Concordance, key: str) -> Table:
    table = concordance.table(key)
    assert table is not None
    return table


@pytest.mark.parametrize(("act", "old", "new"), PAIRS)
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
    assert "was split into sections" in words(found)


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
    assert all(label in words(found) for label in others)


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
    assert "has no successor in the Bharatiya" in words(found)


def test_what_was_repealed_before_is_not_said_to_have_been_omitted_then(successor: Successor) -> None:
    found = successor(IPC, "161")
    assert found.relation == "repealed"
    assert "was no longer in force" in words(found)
    assert "Prevention of Corruption Act" in words(found)


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
    assert f"section {found} of the" in words(answer)
    assert f"to which section {asked} belongs" in words(answer)


@pytest.mark.parametrize(
    ("written", "label"),
    [("498-A", "498A"), ("376 (2)", "376(2)"), ("304b", "304B"), ("164(5a)", "164(5A)"), ("2(wa)", "2(wa)")],
)
def test_a_label_is_found_however_it_is_written(successor: Successor, written: str, label: str) -> None:
    assert normal_label(written) == label
    act = CRPC if label.startswith(("164", "2(")) else IPC
    assert successor(act, written).found == label


def test_a_range_is_no_label_but_has_ends(concordance: Concordance) -> None:
    assert normal_label("56-60") == ""
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
    assert ("is new" in words(found)) == (relation == "new")


def test_the_words_say_to_what_the_new_code_applies(successor: Successor) -> None:
    assert words(successor(IPC, "302")) == (
        "section 302 of the Indian Penal Code is section 103(1) of the Bharatiya Nyaya Sanhita, 2023, for"
        " offences committed on or after 1 July 2024"
    )
    assert words(successor(CRPC, "438")) == (
        "section 438 of the Code of Criminal Procedure, 1973, is section 482 of the Bharatiya Nagarik"
        " Suraksha Sanhita, 2023, from 1 July 2024, except in appeals, applications, trials, inquiries and"
        " investigations then pending"
    )
    assert words(successor(EVIDENCE, "65B")).endswith(
        "from 1 July 2024, except in applications, trials, inquiries, investigations, proceedings and appeals"
        " then pending"
    )


# -- the tables --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", OLD)
def test_every_section_of_the_old_code_is_accounted_for(concordance: Concordance, act: str) -> None:
    table = _table(concordance, act)
    known = {*table.successors, *table.omitted, *table.repealed, *table.uncertain}
    assert table.last_old == LAST[act][0]
    missing = [label for label in _sections(act) if label not in known]
    assert missing == []
    invented = {re.sub(r"\(.*", "", label) for label in known} - set(_sections(act))
    assert invented == set()


@pytest.mark.parametrize("act", OLD)
def test_every_section_of_the_new_code_has_a_predecessor_or_is_new(
    concordance: Concordance, act: str
) -> None:
    table = _table(concordance, act)
    assert table.last_new == LAST[act][1]
    for number in range(1, table.last_new + 1):
        found = concordance.predecessors(table.new, str(number))
        assert found is not None, number
        assert bool(found.labels) != (found.relation == "new"), number


@pytest.mark.parametrize("act", OLD)
def test_no_successor_lies_beyond_the_new_code(concordance: Concordance, act: str) -> None:
    for targets in _table(concordance, act).successors.values():
        for target in targets:
            assert 1 <= int(re.match(r"\d+", target)[0]) <= LAST[act][1]  # type: ignore[index]


@pytest.mark.parametrize("act", OLD)
def test_each_provision_is_the_predecessor_of_its_successors(concordance: Concordance, act: str) -> None:
    table = _table(concordance, act)
    for label, targets in table.successors.items():
        for target in targets:
            back = concordance.predecessors(table.new, target)
            assert back is not None
            named = any(_belongs(label, each) or _belongs(each, label) for each in back.labels)
            assert named, (label, target)
            assert target not in table.created


@pytest.mark.parametrize("act", OLD)
def test_a_subsection_goes_where_its_section_goes(concordance: Concordance, act: str) -> None:
    successors = _table(concordance, act).successors
    for label, targets in successors.items():
        section = re.sub(r"\(.*", "", label)
        if section != label and section in successors:
            whole = {re.sub(r"\(.*", "", target) for target in successors[section]}
            assert {re.sub(r"\(.*", "", target) for target in targets} <= whole, label


@pytest.mark.parametrize("act", [CRPC, EVIDENCE])
def test_the_order_of_the_old_code_is_kept_but_for_what_was_moved(concordance: Concordance, act: str) -> None:
    moved = {"166A", "166B"}
    numbers = [
        int(re.match(r"\d+", targets[0])[0])  # type: ignore[index]
        for label, targets in _table(concordance, act).successors.items()
        if "(" not in label and label not in moved
    ]
    assert [b for a, b in pairwise(numbers) if b < a] == ([] if act == CRPC else [22])


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


def _belongs(part: str, whole: str) -> bool:
    return part == whole or part.startswith(whole + "(")


def _sections(act: str) -> list[str]:
    return [*(str(number) for number in range(1, LAST[act][0] + 1)), *LETTERED[act].split()]


# -- broken files ------------------------------------------------------------------------------------------

HEAD = """
old = "Old Code 1900"
new = "New Code 2000"
old_name = "Old Code"
new_name = "New Code"
applies = "from 1 January 2000"
since = 2000-01-01
last_old = 20
last_new = 10
"""


def test_a_table_is_read() -> None:
    table = read_table(HEAD + '[successors]\n"3A" = ["4(1)"]\n[omitted]\n"5" = "gone"', "old-new.toml")
    assert table.successors == {"3A": ("4(1)",)}
    assert table.omitted == {"5": "gone"}
    assert table.predecessors == {"4(1)": ("3A",)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("old =", "old-new.toml: not a TOML file"),
        (HEAD.replace("since = 2000-01-01", ""), "old-new.toml: `since` must be a day"),
        (HEAD.replace('old = "Old Code 1900"', ""), "old-new.toml: `old` must be a string"),
        (HEAD.replace("last_new = 10", ""), "old-new.toml: `last_new` must be the number"),
        (HEAD + "successors = 3", "old-new.toml: `successors` must be a table"),
        (HEAD + '[successors]\n"3" = ["11"]', "'11' lies beyond the code's last section, 10"),
        (HEAD + '[successors]\n"21" = ["1"]', "'21' lies beyond the code's last section, 20"),
        (HEAD + '[successors]\n"s 3" = ["1"]', "'s 3' is not a label"),
        (HEAD + '[successors]\n"3" = []', "successors of '3' must be a list"),
        (HEAD + '[successors]\n"3" = ["1", "1"]', "successors of '3' must be a list of different labels"),
        (
            HEAD + '[successors]\n"3" = ["1"]\n[omitted]\n"3" = "x"',
            "'3' stands both in successors and in omitted",
        ),
        (HEAD + "[omitted]\n3 = 4", "omitted: the note on '3' must be a string"),
    ],
)
def test_a_broken_table_is_refused_by_name_and_reason(text: str, told: str) -> None:
    with pytest.raises(ConcordanceError) as raised:
        read_table(text, "old-new.toml")
    assert told in str(raised.value)
    assert str(raised.value).startswith("old-new.toml")
