"""The log of who checked what as the command ``lexls.filingLog`` gives it, with the ticks of the page."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient, environment
from test_report_page import FINDING
from weir_workspace import DRAFT, ask, opened, told, workspace

from lexls.export.log.file import read_log

Start = Callable[[], RawClient]
SIGNATURE = {"initials": "R<P", "day": "2036-11-24"}


def verify(client: RawClient, log: Path) -> tuple[int, str]:
    """What ``lexls log verify`` makes of a log, in the home of the server."""
    found = subprocess.run(
        [sys.executable, "-m", "lexls", "log", "verify", str(log)],
        capture_output=True,
        text=True,
        env=environment(client.home),
        timeout=120,
        check=False,
    )
    return found.returncode, found.stdout


@pytest.mark.parametrize("format", ["json", "pdf"])
def test_the_log_has_the_ticks_of_the_page_and_verifies(start: Start, tmp_path: Path, format: str) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    uri = opened(client, root)
    names = [name for name, _ in FINDING.findall(told(client, "lexls.report", uri=uri)["page"])]
    signed = {names[0]: SIGNATURE, "0123456789abcdef": SIGNATURE}
    asked: dict[str, Any] = {"uri": uri, "signed": signed, "folder": str(root), "format": format}
    written = b64decode(told(client, "lexls.filingLog", **asked)["content"])
    log = read_log(written)
    assert [each["finding"] for each in log["entries"]] == names
    assert [each["ticked"] for each in log["entries"]] == [{"by": "R<P", "day": "2036-11-24"}, None]
    assert (log["ticked"], log["ticks_left_out"]) == (1, 1)
    assert log["draft"]["file"] == "draft.md"
    kept = root / f"log.{format}"
    kept.write_bytes(written)
    code, said = verify(client, kept)
    assert (code, said.splitlines()[-1]) == (0, "Nothing has changed since.")
    (root / "library" / "hale.md").unlink()
    code, said = verify(client, kept)
    assert code == 1
    assert "the file hale.md is not there or cannot be read (entry 1) [file-missing]" in said


def test_what_is_only_in_the_editor_verifies_too(start: Start, tmp_path: Path) -> None:
    """The jurisdiction of the editor's own settings is the log's."""
    client = start()
    root = workspace(tmp_path / "work")
    (root / "lexls.toml").write_text('embeddings.model = ""\n', encoding="utf-8")
    client.initialize(root)
    client.notify("workspace/didChangeConfiguration", {"settings": {"lexls": {"jurisdiction": "UK"}}})
    uri = client.open(root / "draft.md", DRAFT)
    asked = {"uri": uri, "signed": {}, "folder": str(root), "format": "json"}
    log = None
    while log is None or not log["library"]["complete"] or log["draft"]["jurisdiction"] != "UK":
        # While the library is read there is none, or it changes while the draft is checked.
        answer = client.answer(ask(client, "lexls.filingLog", **asked)).get("result")
        log = answer and read_log(b64decode(answer["content"]))
    (root / "log.json").write_bytes(b64decode(answer["content"]))
    code, said = verify(client, root / "log.json")
    assert (code, said.splitlines()[-1]) == (0, "Nothing has changed since."), said


def test_a_draft_that_is_not_saved_has_no_log(start: Start, tmp_path: Path) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    opened(client, root)
    (root / "draft.md").write_text(DRAFT + "\nMore.\n", encoding="utf-8")
    for path, said in (
        (root / "draft.md", "draft.md: the file is not what was checked: it is not saved, or has changed"),
        (root / "new.md", "new.md: no such file"),
    ):
        uri = client.open(path, DRAFT)
        asked = {"uri": uri, "signed": {}, "folder": str(root), "format": "json"}
        assert said in client.answer(ask(client, "lexls.filingLog", **asked))["error"]["message"]


@pytest.mark.parametrize("wrong", [{"folder": None}, {"format": "xml"}, {"signed": {"a": 1}}, {"uri": 3}])
def test_wrong_arguments_are_refused(start: Start, tmp_path: Path, wrong: dict[str, Any]) -> None:
    client = start()
    root = workspace(tmp_path / "work")
    client.initialize(root)
    uri = client.open(root / "draft.md", DRAFT)
    asked: dict[str, Any] = {"uri": uri, "signed": {}, "folder": str(root), "format": "json", **wrong}
    assert "error" in client.answer(ask(client, "lexls.filingLog", **asked))
