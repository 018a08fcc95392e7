"""``lexls log verify``: every kind of change since a log was written is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from filing_logs import Change, alter_and_seal, alter_log, both, edit, move, remove, write

from lexls.export.log.comparison import FilesNow, compare_log
from lexls.export.log.file import UnusableLog, read_log
from lexls.export.log.making import hash_file_now

Run = Any
"""``Run`` of conftest.py."""
ASH, LORNE, ROOK = "library/cases/ash-mooring.md", "library/cases/lorne.md", "library/cases/rook.md"
OVERRULING = (
    '---\ntitle: Shag v Eider\ncitation: "[2036] UKSC 5"\nkind: case\ndate: 2036-01-02\n'
    "jurisdiction: UK\n---\n\n# Shag v Eider\n\n"
    "[1] We overrule *Lorne v Petrel Survey Co* [2033] EWCA Civ 210.\n"
)
GULL = (
    '---\ntitle: Gull v Heron\ncitation: "[1987] UKHL 3"\ncourt: House of Lords\nkind: case\n'
    "date: 1987-02-02\njurisdiction: UK\n---\n\n# Gull v Heron\n\n[1] The rule is old.\n"
)


def drop_entry(log: dict[str, Any]) -> None:
    del log["entries"][2]


MATRIX: dict[str, tuple[Change, set[str]]] = {
    # The draft.
    "draft gone": (remove("draft.md"), {"draft-missing"}),
    "draft no text": (write("draft.md", ""), {"unchecked"}),
    "words without a citation": (edit("draft.md", "Skeleton argument", "Skeleton"), {"draft"}),
    "line above": (
        edit("draft.md", "# Skeleton argument\n", "# Skeleton argument\n\nOpening.\n"),
        {"draft", "shifted"},
    ),
    "citation added": (
        edit("draft.md", "The rule is old:", "See *Re Dunlin's Will* [2029] EWHC 611 (Ch). The rule is old:"),
        {"added", "draft", "remarks"},
    ),
    "citation removed": (edit("draft.md", ": *Gull v Heron* [1987] UKHL 3", ""), {"draft", "removed"}),
    "pinpoint altered": (
        edit("draft.md", "UKSC 12 at [2]", "UKSC 12 at [9]"),
        {"altered", "draft", "element", "verdict"},
    ),
    "name altered": (
        edit("draft.md", "*Lorne v Petrel Survey Co*", "*Lorne v Petrel Surveys Co*"),
        {"altered", "draft", "element", "remarks", "verdict"},
    ),
    "year altered": (
        edit("draft.md", "[2033] EWCA Civ 210", "[2032] EWCA Civ 210"),
        {"altered", "authority-lost", "draft", "element", "verdict"},
    ),
    "court altered": (
        edit("draft.md", "EWHC 18 (Comm)", "EWHC 18 (Ch)"),
        {"altered", "authority-lost", "draft", "element", "verdict"},
    ),
    "citations swapped": (
        both(
            edit("draft.md", "The rule is old: *Gull v Heron* [1987] UKHL 3.\n\n", ""),
            edit(
                "draft.md", "Counsel said", "The rule is old: *Gull v Heron* [1987] UKHL 3.\n\nCounsel said"
            ),
        ),
        {"draft", "moved", "shifted"},
    ),
    "quotation altered": (
        edit("draft.md", "must take reasonable", "may take reasonable"),
        {"draft", "quotation-altered", "quotation-verdict"},
    ),
    "quotation added": (
        edit("draft.md", "*Lorne v", "“overrides any obligation to whoever pays”: *Lorne v"),
        {"draft", "quotation-added"},
    ),
    "quotation removed": (
        edit("draft.md", "“must take reasonable care to find dangers there”", "is liable"),
        {"draft", "quotation-removed"},
    ),
    "free quotation altered": (edit("draft.md", "years and years", "many years"), {"altered", "draft"}),
    "short form stands for another": (
        edit("draft.md", "*Ash Mooring* at [1]", "*Ibid* at [1]"),
        {"added", "draft", "removed"},
    ),
    "paper cited altered": (
        edit("draft.md", "Ex. 4 at 1", "Ex. 5 at 1"),
        {"altered", "draft", "paper", "verdict"},
    ),
    # Authorities.
    "file changed": (
        edit(ASH, "is liable for the loss", "is liable for all loss"),
        {"file-changed", "library-files"},
    ),
    "pinpoint gone": (
        edit(ROOK, "[1] A contractor", "A contractor"),
        {"element", "file-changed", "library-files", "verdict"},
    ),
    "title changed": (
        edit(LORNE, "title: Lorne v Petrel Survey Co", "title: Lorne v Curlew"),
        {"authority-title", "element", "file-changed", "library-files"},
    ),
    "year in file changed": (
        edit(LORNE, "date: 2033-10-11", "date: 2035-10-11"),
        {"file-changed", "library-files"},
    ),
    "court in file changed": (
        edit(LORNE, "court: Court of Appeal", "court: High Court"),
        {"file-changed", "library-files"},
    ),
    "citation in file changed": (
        edit(ROOK, "[2034] EWHC 18 (Comm)", "[2034] EWHC 81 (Comm)"),
        {"authority-lost", "element", "file-changed", "library-files", "verdict"},
    ),
    "quoted words changed": (
        edit(ASH, "must take reasonable care", "should take reasonable care"),
        {"file-changed", "library-files", "quotation-verdict"},
    ),
    "file missing": (
        remove(ROOK),
        {"authority-lost", "element", "file-missing", "library-documents", "verdict"},
    ),
    "file moved": (
        move(ROOK, "library/rook dredging.md"),
        {"authority-other", "file-moved", "library-files"},
    ),
    "file unreadable": (
        lambda matter: (matter / ROOK).write_bytes(b""),
        {"authority-lost", "element", "file-changed", "library-documents", "verdict"},
    ),
    "authority found": (
        write("library/gull.md", GULL),
        {"authority-found", "element", "library-documents", "verdict"},
    ),
    "second file for it": (
        write(
            "library/another.md",
            GULL.replace("Gull v Heron", "Rook Dredging Ltd v Curlew")
            .replace("[1987] UKHL 3", "[2034] EWHC 18 (Comm)")
            .replace("1987-02-02", "2034-01-20"),
        ),
        {"library-documents"},
    ),
    "overruled": (write("library/shag.md", OVERRULING), {"library-documents", "remarks", "treatment"}),
    "support": (
        edit(
            ASH,
            "The knowledge of each servant whose task is to receive reports is the knowledge",
            "The board did not know of any pontoon and had no knowledge",
        ),
        {"file-changed", "library-files", "support"},
    ),
    # The record.
    "paper changed": (
        edit("exhibits/Ex. 4 - Licence.txt", "six weeks", "five weeks"),
        {"file-changed", "record-files"},
    ),
    "paper missing": (
        remove("exhibits/Ex. 4 - Licence.txt"),
        {"file-missing", "paper", "record-documents", "verdict"},
    ),
    "paper moved": (
        move("exhibits/Ex. 4 - Licence.txt", "exhibits/Ex 4.txt"),
        {"file-moved", "paper", "record-files"},
    ),
    "second paper": (
        write("exhibits/Exhibit 4.txt", "Another licence.\n"),
        {"paper", "record-documents", "verdict"},
    ),
    # The library, settings, lexls.
    "document added": (write("library/more.md", "# A note\n\nNothing.\n"), {"library-documents"}),
    "document exchanged": (
        both(remove("library/dunlin.md"), write("library/more.md", "# A note\n\nNothing.\n")),
        {"library-files"},
    ),
    "library missing": (move("library", "elsewhere"), {"unchecked", "file-missing", "library-missing"}),
    "jurisdiction": (
        edit("lexls.toml", '"UK"', '"AU"'),
        {"jurisdiction", "library-generation", "record-generation"},
    ),
    "file rewritten": (lambda matter: (matter / "library/dunlin.md").touch(), set()),
    # The log.
    "verdict in the log": (
        alter_log(lambda log: log["entries"][3].update(verdict="verified")),
        {"log", "log-entry", "verdict"},
    ),
    "tick in the log": (
        alter_log(lambda log: log["entries"][0].update(ticked={"by": "XY", "day": "2031-01-01"})),
        {"log", "log-entry"},
    ),
    "head of the log": (alter_log(lambda log: log.update(written="2020-01-01T00:00:00Z")), {"log"}),
    "entry of the log gone": (alter_log(drop_entry), {"added", "log", "log-entries"}),
    "other lexls": (alter_and_seal(lambda log: log.update(lexls="0.0.1")), {"lexls"}),
    "other index": (alter_and_seal(lambda log: log["library"].update(index="a.sqlite3")), {"library-index"}),
    "half-read library": (
        alter_and_seal(lambda log: log["library"].update(complete=False)),
        {"library-complete"},
    ),
    "same documents, other generation": (
        alter_and_seal(lambda log: log["library"].update(generation=1)),
        {"library-generation"},
    ),
    "other reason": (
        alter_and_seal(lambda log: log["entries"][3].update(reason="nobody knows")),
        {"reason"},
    ),
    "stood for another": (
        alter_and_seal(lambda log: log["entries"][1].update(stands_for="Gull v Heron")),
        {"stands-for"},
    ),
    "no record then": (alter_and_seal(lambda log: log.update(record=None)), {"record"}),
}


@pytest.mark.parametrize("name", MATRIX)
def test_each_change_since_is_named(lexls: Run, logged: Path, name: str) -> None:
    change, kinds = MATRIX[name]
    change(logged)
    found = lexls("log", "verify", "log.json", "--json")
    assert {each["kind"] for each in found.json["changes"]} == kinds
    assert found.code == (1 if kinds else 0)
    assert found.json["unchanged"] is not bool(kinds)


def test_the_matrix_makes_more_than_twenty_kinds_of_change() -> None:
    assert len(set().union(*(kinds for _, kinds in MATRIX.values()))) > 20


def test_every_kind_is_in_the_manual() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    for kind in set().union(*(kinds for _, kinds in MATRIX.values())):
        assert f"`{kind.replace('record-', 'library-')}`" in manual


def test_changes_of_an_entry_are_told_below_its_name(lexls: Run, logged: Path) -> None:
    edit("draft.md", "UKSC 12 at [2]", "UKSC 12 at [9]")(logged)
    found = lexls("log", "verify", "log.json")
    assert found.code == 1
    name, altered, verdict, element = found.out.splitlines()[3:7]
    assert name == "  entry 1 (Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [2], line 3):"
    assert altered.startswith(
        "    it now reads Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [9], line 3"
    )
    assert (
        "the verdict was Verified, and is Wrong ([2031] UKSC 12 has paragraphs 1–3; there is no [9])"
        in verdict
    )
    assert element == "    pinpoint “[2]” (agrees) is “[9]” (differs) now [element]"


VALUES = (None, "", "x", 0, -1, True, [], ["x"], {}, {"x": 1})
"""What is put in the place of each value of a log."""


def list_places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value below another."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in below:
        yield (*path, key)
        yield from list_places(each, (*path, key))


def replace_at(log: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy of a log with another value at a place."""
    copied = deepcopy(log)
    below: Any = copied
    for key in path[:-1]:
        below = below[key]
    below[path[-1]] = value
    return copied


def test_any_value_of_a_log_that_was_altered_is_noticed(logged: Path) -> None:
    log = json.loads((logged / "log.json").read_text(encoding="utf-8"))
    now = FilesNow(log, (), (logged / "library",), (logged / "exhibits",), hash_file_now)
    assert compare_log(log, now) == []
    for path in list_places(log):
        for value in VALUES:
            altered = replace_at(log, path, value)
            if altered != log:
                try:
                    read = read_log(json.dumps(altered).encode())
                except UnusableLog:
                    continue
                assert "log" in {each.kind for each in compare_log(read, now)}, (path, value)
