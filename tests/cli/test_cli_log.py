"""``lexls check --log`` and ``lexls log verify``: what was checked by whom, and what has changed since."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from lexls.export.log_file import ATTACHED, hash_data, read_log
from lexls.export.log_pdf import find_font, write_pdf

Run = Any
"""``Run`` of conftest.py."""
Change = Callable[[Path], None]

DRAFT = """# Skeleton argument

The board knew of the pontoon: *Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12 at [2].

It “must take reasonable care to find dangers there”: *Ash Mooring* at [1].

The expert owed a duty: *Lorne v Petrel Survey Co* [2033] EWCA Civ 210 at [1].

The rule is old: *Gull v Heron* [1987] UKHL 3.

The dredger was paid: *Rook Dredging Ltd v Curlew* [2034] EWHC 18 (Comm) at [1].

The licence was for six weeks: Ex. 4 at 1.

Counsel said that “the pontoon had been there for years and years”.
"""
LICENCE = "The licence lets the north quay to the barge Lapwing for six weeks at nine pounds a night.\n"


@pytest.fixture
def logged(lexls: Run, matter: Path) -> Path:
    """A matter whose draft has a log, in log.json."""
    (matter / "draft.md").write_text(DRAFT, encoding="utf-8")
    (matter / "exhibits").mkdir()
    (matter / "exhibits" / "Ex. 4 - Licence.txt").write_text(LICENCE, encoding="utf-8")
    made = lexls("check", "draft.md", "--library", "library", "--log", "log.json")
    assert "log.json: 7 entries, 0 ticked" in made.err
    return matter


def edit(name: str, before: str, after: str) -> Change:
    def change(matter: Path) -> None:
        text = (matter / name).read_text(encoding="utf-8")
        assert text.count(before) >= 1, (name, before)
        (matter / name).write_text(text.replace(before, after), encoding="utf-8")

    return change


def move(name: str, to: str) -> Change:
    return lambda matter: (matter / name).rename(matter / to) and None


def remove(name: str) -> Change:
    return lambda matter: (matter / name).unlink()


def write(name: str, text: str) -> Change:
    return lambda matter: (matter / name).write_text(text, encoding="utf-8") and None


def alter_log(alter: Callable[[dict[str, Any]], Any]) -> Change:
    def change(matter: Path) -> None:
        log = json.loads((matter / "log.json").read_text(encoding="utf-8"))
        alter(log)
        (matter / "log.json").write_text(json.dumps(log), encoding="utf-8")

    return change


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


def both(*changes: Change) -> Change:
    def change(matter: Path) -> None:
        for each in changes:
            each(matter)

    return change


def seal_again(log: dict[str, Any]) -> None:
    for entry in log["entries"]:
        entry["sha256"] = hash_data(entry)
    log["sha256"] = hash_data(log)


def alter_and_seal(alter: Callable[[dict[str, Any]], Any]) -> Change:
    """What another lexls, or the same one elsewhere, would have written."""
    return alter_log(lambda log: (alter(log), seal_again(log)))


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


@pytest.mark.parametrize("suffix", ["json", "pdf"])
@pytest.mark.parametrize("strict", [(), ("--strict",)])
def test_a_log_of_an_unchanged_draft_verifies(
    lexls: Run, logged: Path, suffix: str, strict: tuple[str, ...]
) -> None:
    lexls("check", "draft.md", "--log", f"again.{suffix}", *strict)
    found = lexls("log", "verify", f"again.{suffix}")
    assert found.code == 0
    assert found.out.endswith("Nothing has changed since.\n")
    assert ("not what its pages show" in found.out) == (suffix == "pdf")


def test_a_moved_folder_verifies_but_for_its_index(lexls: Run, logged: Path, monkeypatch: Any) -> None:
    away = logged.with_name("elsewhere")
    logged.rename(away)
    monkeypatch.chdir(away)
    found = lexls("log", "verify", "log.json", "--json").json
    assert {each["kind"] for each in found["changes"]} == {"library-index", "record-index"}


def test_a_log_kept_apart_is_told_where_draft_and_library_are(
    lexls: Run, logged: Path, tmp_path: Path
) -> None:
    apart = tmp_path / "apart.json"
    (logged / "log.json").rename(apart)
    assert lexls("log", "verify", str(apart)).code == 1
    assert lexls("log", "verify", str(apart), "--draft", "draft.md", "--library", "library").code == 0


# -- ticks ---------------------------------------------------------------------------------------------------


def tick(matter: Path, *numbers: int) -> None:
    """Tick these entries, as the page of an editor would."""
    log = json.loads((matter / "log.json").read_text(encoding="utf-8"))
    for number in numbers:
        log["entries"][number - 1]["ticked"] = {"by": "RP", "day": "2036-05-04"}
    seal_again(log)
    (matter / "log.json").write_text(json.dumps(log), encoding="utf-8")


def test_ticks_are_kept_for_what_reads_as_it_did(lexls: Run, logged: Path) -> None:
    tick(logged, 1, 3, 4)
    assert lexls("log", "verify", "log.json").code == 0
    edit("draft.md", "EWCA Civ 210 at [1]", "EWCA Civ 210 at [2]")(logged)
    edit("draft.md", "# Skeleton", "Opening.\n\n# Skeleton")(logged)
    made = lexls("check", "draft.md", "--log", "new.json", "--ticks", "log.json")
    assert "new.json: 7 entries, 2 ticked; 1 tick of what reads otherwise now is not in it" in made.err
    entries = json.loads((logged / "new.json").read_text(encoding="utf-8"))["entries"]
    ticked = [each["number"] for each in entries if each["ticked"] == {"by": "RP", "day": "2036-05-04"}]
    assert ticked == [1, 4]


# -- what cannot be written or read --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("draft.md", "--log", "log.txt"), "log.txt: a log is a .json or a .pdf"),
        (("draft.md", "--log", "log.json"), "log.json is there already; it was left as it is"),
        (("draft.md", "draft.md", "--log", "new.json"), "--log is for one draft at a time"),
        ((".", "--log", "new.json"), "--log is for one draft at a time"),
        (("draft.md", "--ticks", "log.json"), "--ticks goes with --log"),
        (("draft.md", "--log", "new.json", "--ticks", "draft.md"), "draft.md: not a log"),
        (("draft.md", "--log", "nowhere/new.json"), "nowhere/new.json: No such file or directory"),
    ],
)
def test_what_cannot_be_a_log_is_refused(
    lexls: Run, logged: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = (logged / "log.json").read_bytes()
    found = lexls("check", *arguments)
    assert found.code == 2
    assert said in found.err
    assert (logged / "log.json").read_bytes() == before


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def without(*fields: str) -> Callable[[bytes], bytes]:
    """A log in which the last of these fields is missing."""

    def change(data: bytes) -> bytes:
        log = json.loads(data)
        below = log
        for field in fields[:-1]:
            below = below[int(field) if field.isdigit() else field]
        del below[fields[-1]]
        return json.dumps(log).encode()

    return change


def with_field(field: str, value: Any) -> Callable[[bytes], bytes]:
    return lambda data: json.dumps(json.loads(data) | {field: value}).encode()


BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda data: b"", "empty file"),
    "prose": (lambda data: b"To whom it may concern", "not a log: not JSON, or cut off"),
    "cut off": (cut, "not a log: not JSON, or cut off"),
    "not UTF-8": (lambda data: b"\xff\xfe" + data, "not a log: not JSON, or cut off"),
    "a field twice": (lambda data: data.replace(b"{", b'{"format": "x",', 1), "a field is there twice"),
    "nested": (lambda data: b"[" * 100_000, "not a log"),
    "other JSON": (lambda data: b'{"findings": []}', 'its "format" is not "lexls filing log"'),
    "a list": (lambda data: b"[1]", 'its "format" is not "lexls filing log"'),
    "newer": (with_field("version", 2), "format version 2: lexls"),
    "no entries": (without("entries"), 'the log has no "entries"'),
    "entries of words": (with_field("entries", ["a"]), '"entries" of the log (1) is not as this version'),
    "no draft's hash": (without("draft", "sha256"), '"draft" of the log has no "sha256"'),
    "no verdict": (without("entries", "2", "verdict"), '"entries" of the log (3) has no "verdict"'),
    "no authority": (without("entries", "2", "authority"), 'entry 3 has no "authority"'),
    "broken PDF": (lambda data: b"%PDF-1.7 and no more", "the PDF cannot be read"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_log_is_an_error_that_names_file_and_reason(lexls: Run, logged: Path, name: str) -> None:
    change, reason = BROKEN[name]
    (logged / "log.json").write_bytes(change((logged / "log.json").read_bytes()))
    found = lexls("log", "verify", "log.json")
    assert found.code == 2
    assert found.err.startswith("lexls: log.json: ")
    assert reason in found.err


def test_a_log_that_is_not_there_is_an_error(lexls: Run, logged: Path) -> None:
    found = lexls("log", "verify", "gone.json")
    assert (found.code, found.err) == (2, "lexls: gone.json: no such file\n")


def test_a_pdf_without_a_log_is_an_error(lexls: Run, logged: Path) -> None:
    from fpdf import FPDF

    page = FPDF()
    page.add_page()
    page.output(str(logged / "plain.pdf"))
    found = lexls("log", "verify", "plain.pdf")
    assert found.code == 2
    assert f"plain.pdf: not a log: the PDF has no one attachment {ATTACHED}" in found.err


# -- the PDF -------------------------------------------------------------------------------------------------


def read_pages(data: bytes) -> str:
    """The words of a PDF's pages, white space folded."""
    with pypdfium2.PdfDocument(data) as document:
        return " ".join("".join(page.get_textpage().get_text_range() for page in document).split())


@pytest.mark.parametrize("fonts", [find_font(), None], ids=["system", "core"])
def test_the_pdf_shows_every_entry_and_has_the_log_attached(logged: Path, fonts: Any) -> None:
    tick(logged, 2)
    log = read_log((logged / "log.json").read_bytes())
    data = write_pdf(log, fonts)
    assert read_log(data) == log
    said = read_pages(data)
    for entry in log["entries"]:
        assert entry["text"] in said
        for each in filter(None, [entry.get("authority"), *entry.get("papers", ())]):
            assert each["path"] in said
            assert each["sha256"] in said
    assert said.count("Not ticked") == 6
    assert "Ticked by RP, 4 May 2036" in said
    assert log["draft"]["sha256"] in said


SCRIPTS = {
    "Greek": "Νικολάου κατά Δήμου",
    "Cyrillic": "Иванов против Порта",
    "Vietnamese": "Nguyễn kiện Cảng vụ",
    "Hebrew": "לוי נגד הנמל",
    "Arabic": "سالم ضد الميناء",
    "Armenian": "Պետրոսյան",
    "Chinese": "王诉港务局",
    "Hindi": "राम बनाम बंदरगाह",
    "emoji": "Gull 🐦 v Heron",
    "controls": "Gull\u202e v\x07 Heron\n\t",
    "long": "A" * 3000,
    "lone half": "Gull \ud83d v Heron",
    "nothing": "",
}


@pytest.mark.parametrize("fonts", [find_font(), None], ids=["system", "core"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_names_of_any_script_are_shown_or_visibly_replaced(logged: Path, script: str, fonts: Any) -> None:
    name = SCRIPTS[script]
    log = read_log((logged / "log.json").read_bytes())
    log["draft"]["file"] = f"{name}.md"
    for entry in log["entries"]:
        entry["text"] = name
        if entry.get("authority"):
            entry["authority"]["title"] = name
    seal_again(log)
    data = write_pdf(log, fonts)
    assert read_log(data) == log
    said = read_pages(data)
    if script not in ("controls", "lone half"):
        signs = [sign for sign in name if not sign.isspace()]
        assert all(sign in said or f"U+{ord(sign):04X}" in said for sign in signs)
    if script in ("Greek", "Cyrillic", "Vietnamese", "Armenian") and fonts is not None:
        assert name in said
    if script == "emoji":
        assert "Gull [U+1F426] v Heron" in said
        assert "Signs that the font of this PDF lacks" in said
