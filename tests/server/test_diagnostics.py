"""Diagnostics that the editor asks for, what explains them, and what mends them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import PATIENCE, RawClient
from weir_workspace import workspace

Start = Callable[[], RawClient]
DRAFT = """# Note

The rule was settled in *Carrow Shipping Ltd v Meridian Grain Traders Ltd* [2014] ASC 12 at [99].

It was said there: “an unjustified deviation is not a breach of the contract of carriage and no more”
([2014] ASC 12 at [23]).
"""
PULL = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


@pytest.fixture(scope="module")
def sample(shared_sample: tuple[RawClient, Path]) -> Path:
    return shared_sample[1]


@pytest.fixture(scope="module")
def announced(shared_sample: tuple[RawClient, Path]) -> dict[str, Any]:
    """What the server can do, as it says when the client of all tests of the sample begins."""
    client, sample = shared_sample
    found: dict[str, Any] = client.initialize(sample, **PULL)["capabilities"]
    return found


@pytest.fixture
def asking(
    shared_sample: tuple[RawClient, Path], announced: dict[str, Any], tmp_path: Path
) -> tuple[RawClient, str]:
    """A client that asks for diagnostics, and a draft that it has open for this test."""
    client, sample = shared_sample
    client.forget()
    return client, client.open(sample / f"drafts/{tmp_path.name}.md", DRAFT)


def pulled(client: RawClient, uri: str, previous: str | None = None) -> dict[str, Any]:
    params: dict[str, Any] = {"textDocument": {"uri": uri}}
    if previous is not None:
        params["previousResultId"] = previous
    report: dict[str, Any] = client.result("textDocument/diagnostic", params)
    return report


def until(client: RawClient, uri: str, code: str) -> dict[str, Any]:
    """Ask until a diagnostic with that code is there; its report."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        report = pulled(client, uri)
        if any(each["code"] == code for each in report["items"]):
            return report
        time.sleep(0.1)
    raise AssertionError(f"no {code}")


def words(text: str, range_: dict[str, Any]) -> str:
    """What an editor that counts UTF-16 units has in a range of one line."""
    line = text.split("\n")[range_["start"]["line"]].encode("utf-16-le")
    return line[2 * range_["start"]["character"] : 2 * range_["end"]["character"]].decode("utf-16-le")


def test_an_editor_that_asks_is_answered_and_sent_nothing(
    asking: tuple[RawClient, str], announced: dict[str, Any]
) -> None:
    assert announced["diagnosticProvider"]["interFileDependencies"] is True
    client, uri = asking
    report = until(client, uri, "pinpoint-not-found")
    assert report["kind"] == "full"
    shown = {each["code"]: words(DRAFT, each["range"]) for each in report["items"]}
    assert shown["pinpoint-not-found"] == "99"
    again = pulled(client, uri, report["resultId"])
    assert again == {"kind": "unchanged", "resultId": report["resultId"]}
    time.sleep(0.5)
    sent = [each for each in _all(client) if each["method"] == "textDocument/publishDiagnostics"]
    assert all(not each["params"]["diagnostics"] for each in sent[-1:])


def test_what_is_asked_follows_each_change(asking: tuple[RawClient, str]) -> None:
    client, uri = asking
    before = until(client, uri, "pinpoint-not-found")
    change = {
        "range": next(each["range"] for each in before["items"] if each["code"] == "pinpoint-not-found"),
        "text": "23",
    }
    client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]},
    )
    after = pulled(client, uri, before["resultId"])
    assert after["kind"] == "full"
    assert "pinpoint-not-found" not in {each["code"] for each in after["items"]}


def test_a_new_authority_makes_the_editor_ask_again(start: Start, tmp_path: Path) -> None:
    root = workspace(tmp_path / "work")
    client = start()
    client.initialize(root, **PULL)
    uri = client.open(root / "note.md", "See *Quill v Tarn* [2015] ASC 77.\n")
    until(client, uri, "not-in-library")
    client.asked.clear()
    (root / "library/quill.md").write_text(
        '---\ntitle: Quill v Tarn\ncitation: "[2015] ASC 77"\nkind: case\n---\n\n[1] Appeal allowed.\n',
        encoding="utf-8",
    )
    end = time.monotonic() + PATIENCE
    asked = len(client.asked)
    while True:  # each time it is told to ask again, it does
        if any(each["method"] == "workspace/diagnostic/refresh" for each in client.asked[asked:]):
            asked = len(client.asked)
            if pulled(client, uri)["items"] == []:
                break
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_finding_points_into_the_authority_and_is_mended(
    asking: tuple[RawClient, str], sample: Path
) -> None:
    client, uri = asking
    report = until(client, uri, "misquotation")
    (finding,) = [each for each in report["items"] if each["code"] == "misquotation"]
    related = finding["relatedInformation"][0]["location"]
    path = next((sample / "library/cases").glob("2014-ASC-12-*"))
    assert related["uri"] == path.as_uri()
    line = path.read_text(encoding="utf-8").split("\n")[related["range"]["start"]["line"]]
    assert "breach of the contract" in line
    actions = client.result(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": finding["range"],
            "context": {"diagnostics": [finding], "only": ["quickfix"], "triggerKind": 1},
        },
    )
    (fix,) = [each for each in actions if each.get("isPreferred")]
    assert fix["diagnostics"] == [finding]
    assert "an unjustified deviation is a breach" in _applied(DRAFT, fix["edit"], uri)


def test_everything_with_one_answer_is_mended_at_once(asking: tuple[RawClient, str]) -> None:
    client, uri = asking
    until(client, uri, "misquotation")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    params = {
        "textDocument": {"uri": uri},
        "range": whole,
        "context": {"diagnostics": [], "only": ["source.fixAll"]},
    }
    (action,) = client.result("textDocument/codeAction", params)
    assert action["kind"] == "source.fixAll.lexls"
    mended = _applied(DRAFT, action["edit"], uri)
    assert "an unjustified deviation is a breach" in mended
    assert "at [99]" in mended  # where nobody can tell what was meant, nothing is changed


def _applied(text: str, edit: dict[str, Any], uri: str) -> str:
    lines = text.split("\n")
    for change in sorted(edit["changes"][uri], key=lambda each: -each["range"]["start"]["line"]):
        start, end = change["range"]["start"], change["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        lines[start["line"]] = line[: start["character"]] + change["newText"] + line[end["character"] :]
    return "\n".join(lines)


def _all(client: RawClient) -> list[dict[str, Any]]:
    found = []
    while not client.notifications.empty():
        found.append(client.notifications.get())
    return found


def test_a_wrong_form_of_the_users_is_named_and_costs_no_other(start: Start, tmp_path: Path) -> None:
    root = workspace(tmp_path / "work")
    settings = root / "lexls.toml"
    settings.write_text(
        settings.read_text(encoding="utf-8")
        + '\n[[citations.forms]]\nid = "broken"\njurisdiction = "Aldmoor"\npattern = "{nonsense"\n',
        encoding="utf-8",
    )
    client = start()
    client.initialize(root, **PULL)
    uri = client.open(root / "note.md", "See *Hale v Ryle* [2019] ASC 41 at [99].\n")
    until(client, uri, "pinpoint-not-found")
    said = [each["params"]["message"] for each in _all(client) if each["method"] == "window/showMessage"]
    assert any("broken" in message and "pattern" in message for message in said)
