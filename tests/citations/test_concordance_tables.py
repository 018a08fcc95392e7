"""The concordances' data: complete, consistent, and refused where they are broken."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from lexls.citations.concordance import Concordance, ConcordanceError, Table, read_table

IPC = "Indian Penal Code 1860"
CRPC = "Code of Criminal Procedure 1973"
EVIDENCE = "Indian Evidence Act 1872"
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


@pytest.fixture(scope="module")
def concordance() -> Concordance:
    return Concordance.load()


def _table(concordance: Concordance, key: str) -> Table:
    table = concordance.table(key)
    assert table is not None
    return table


# -- complete and consistent -------------------------------------------------------------------------------


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
