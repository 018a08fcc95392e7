"""Documents that are unlike most: odd line ends, never saved, very long, or an authority of the library."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from raw_client import RawClient


@pytest.fixture(scope="module")
def sample(shared_sample: tuple[RawClient, Path]) -> Path:
    return shared_sample[1]


@pytest.fixture(scope="module")
def client(shared_sample: tuple[RawClient, Path]) -> RawClient:
    client, sample = shared_sample
    client.initialize(sample)
    return client


@pytest.mark.parametrize("separator", ["\f", "\u2028", "\x0b", "\x85"])
def test_only_line_ends_end_lines(client: RawClient, sample: Path, separator: str) -> None:
    text = f"Page one.{separator}Page two.\n\nSee [2014] ASC 12 at [99].\n"
    uri = client.open(sample / f"drafts/{ord(separator)}.md", text)
    while not (found := client.diagnostics(uri)):
        pass
    assert [each["range"]["start"]["line"] for each in found] == [2]


def test_a_draft_that_was_never_saved_is_served(client: RawClient) -> None:
    uri = "untitled:Untitled-1"
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "See [2014] ASC 12 at [99]."}
    client.notify("textDocument/didOpen", {"textDocument": item})
    while not (found := client.diagnostics(uri)):
        pass
    assert [each["code"] for each in found] == ["pinpoint-not-found"]


def test_a_judgment_opened_from_the_library_is_not_diagnosed(client: RawClient, sample: Path) -> None:
    path = next((sample / "library/cases").glob("*.md"))
    uri = client.open(path, path.read_text(encoding="utf-8") + "\nSee [1999] ASC 999.\n")
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    assert client.result("textDocument/hover", place) is None
    time.sleep(1.0)
    while not client.notifications.empty():
        message = client.notifications.get()
        assert message["method"] != "textDocument/publishDiagnostics" or message["params"]["uri"] != uri


def test_a_document_of_a_few_megabytes_is_served(client: RawClient, sample: Path) -> None:
    text = (
        "The carrier must proceed by the customary route. " * 30 + "\n\n"
    ) * 1000 + "[2014] ASC 12 at [99]\n"
    uri = client.open(sample / "drafts/long.md", text)
    while not (found := client.diagnostics(uri)):
        pass
    assert [each["range"]["start"]["line"] for each in found] == [2000]
