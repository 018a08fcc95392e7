"""``lexls check --log``: what is in a log, who ticked it, and what cannot be written or read."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from filing_logs import edit, tick
from word_documents import write_word

from lexls.export.log.file import ATTACHED

Run = Any
"""``Run`` of conftest.py."""


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


def test_a_word_document_has_paragraphs_for_lines(lexls: Run, logged: Path) -> None:
    cited = "The board knew: Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [2]."
    write_word(logged / "draft.docx", "Skeleton argument", cited, "A mark.^[[2033] EWCA Civ 210.]]")
    lexls("check", "draft.docx", "--log", "word.json")
    log = json.loads((logged / "word.json").read_text(encoding="utf-8"))
    assert log["draft"]["sha256"] == sha256((logged / "draft.docx").read_bytes()).hexdigest()
    assert [each["place"].split(",")[0] for each in log["entries"]] == ["paragraph 2", "footnote 1"]
    assert lexls("log", "verify", "word.json").code == 0
    write_word(logged / "draft.docx", "Skeleton", "New.", cited, "A mark.^[[2033] EWCA Civ 210.]]")
    changes = lexls("log", "verify", "word.json", "--json").json["changes"]
    assert [each["kind"] for each in changes] == ["draft", "shifted"]
    assert changes[1]["message"] == "it is at paragraph 3 now"


def test_a_file_of_several_documents_has_the_hash_of_its_bytes(lexls: Run, logged: Path) -> None:
    cases = (
        {
            "id": f"c{number}",
            "title": f"Smew v Teal (No {number})",
            "citation": f"[2015] UKSC {number}",
            "kind": "case",
            "text": f"1. The mooring of buoy {number} was laid by the harbour board.\n\n"
            f"2. A board that lays mooring {number} must keep its chain from rusting through.\n\n"
            "3. The appeal is allowed.",
        }
        for number in (11, 12, 13)
    )
    lines = map(json.dumps, cases)
    (logged / "library" / "cases.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (logged / "draft.md").write_text("See *Smew v Teal (No 12)* [2015] UKSC 12 at [2].\n", encoding="utf-8")
    lexls("check", "draft.md", "--log", "parts.json")
    [entry] = json.loads((logged / "parts.json").read_text(encoding="utf-8"))["entries"]
    authority = entry["authority"]
    assert (authority["path"], authority["part"]) == ("cases.jsonl", "c12")
    assert authority["sha256"] == sha256((logged / "library" / "cases.jsonl").read_bytes()).hexdigest()
    assert lexls("log", "verify", "parts.json").code == 0
    edit("library/cases.jsonl", "buoy 11", "buoy eleven")(logged)
    changes = lexls("log", "verify", "parts.json", "--json").json["changes"]
    assert {each["kind"] for each in changes} == {"file-changed", "library-files"}


def test_every_hash_is_that_of_a_file(lexls: Run, logged: Path) -> None:
    log = json.loads((logged / "log.json").read_text(encoding="utf-8"))
    assert log["draft"]["sha256"] == sha256((logged / "draft.md").read_bytes()).hexdigest()
    files = [(logged / "library", each["authority"]) for each in log["entries"] if each.get("authority")]
    files += [(logged / "exhibits", each) for entry in log["entries"] for each in entry.get("papers", ())]
    assert len(files) == 5
    for folder, each in files:
        assert each["sha256"] == sha256((folder / each["path"]).read_bytes()).hexdigest()


@pytest.mark.parametrize("folders", ['["library"]', '["library", "empty"]', '["library", "more"]'])
@pytest.mark.parametrize("arguments", [(), ("--library", "more"), ("--library", "library")])
def test_the_library_of_the_log_is_found_again(
    lexls: Run, logged: Path, folders: str, arguments: tuple[str, ...]
) -> None:
    for name in ("empty", "more"):
        (logged / name).mkdir()
    (logged / "more" / "note.md").write_text("# A note\n\nOn boards.\n", encoding="utf-8")
    edit("lexls.toml", "embeddings", f"library.folders = {folders}\nembeddings")(logged)
    lexls("check", "draft.md", "--log", "again.json", *arguments)
    assert lexls("log", "verify", "again.json").code == 0


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
