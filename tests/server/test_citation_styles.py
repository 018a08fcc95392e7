"""Over the wire: "Convert to …", the conversion of a whole draft, and the table of authorities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient

DRAFT = """\
# Skeleton

So it was held in *Hale v. Ryle*, [2019] UKSC 41 at [3], and in *Pell v Orr* [2018] UKSC 7 at [5].
"""
CASE = """\
---
title: Hale v Ryle
citation: "[2019] UKSC 41"
kind: case
jurisdiction: UK
---

[1] The keeper must guard against damp.
"""


@pytest.fixture(scope="module")
def shared(
    shared_start: Callable[[], RawClient], tmp_path_factory: pytest.TempPathFactory
) -> tuple[RawClient, Path]:
    root = tmp_path_factory.mktemp("work")
    (root / "library").mkdir()
    (root / "library" / "hale.md").write_text(CASE, encoding="utf-8")
    (root / "lexls.toml").write_text(
        'jurisdiction = "UK"\ncitations.style = "oscola"\nembeddings.model = ""\n', encoding="utf-8"
    )
    client = shared_start()
    client.initialize(root, workspace={"workspaceEdit": {"documentChanges": True}})
    return client, root


@pytest.fixture
def editor(shared: tuple[RawClient, Path], tmp_path: Path) -> tuple[RawClient, str]:
    """A client and a draft that it has open for this test."""
    client, root = shared
    return client, client.open(root / f"{tmp_path.name}.md", DRAFT)


def applied(edit: Any, source: str = DRAFT) -> str:
    """A draft after the edits of one document, whose lines are short and plain."""
    lines = source.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    (change,) = edit["documentChanges"]

    def offset(place: dict[str, int]) -> int:
        return starts[place["line"]] + place["character"]

    for each in sorted(change["edits"], key=lambda edit: offset(edit["range"]["start"]), reverse=True):
        start, end = offset(each["range"]["start"]), offset(each["range"]["end"])
        source = source[:start] + each["newText"] + source[end:]
    return source


def command(client: RawClient, name: str, **argument: Any) -> Any:
    return client.result("workspace/executeCommand", {"command": name, "arguments": [argument]})


def test_a_citation_is_converted_by_an_action_for_each_style(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    place = {"line": 2, "character": 25}
    actions = client.result(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "only": ["refactor"]},
        },
    )
    assert [each["title"] for each in actions] == [
        "Convert to OSCOLA",
        "Convert to AGLC4",
        "Convert to McGill",
        "Convert to SILC",
    ]
    assert {each["kind"] for each in actions} == {"refactor.rewrite.lexls"}
    assert "*Hale v Ryle* [2019] UKSC 41 [3], and in *Pell v Orr* [2018] UKSC 7 at [5]" in applied(
        actions[0]["edit"]
    )


RESOLVES = {"textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}}}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}


def test_who_resolves_edits_is_given_that_of_the_chosen_action(
    shared: tuple[RawClient, Path], shared_start: Callable[[], RawClient]
) -> None:
    documents = {"workspaceEdit": {"documentChanges": True}}
    at_once, root = shared
    client = shared_start()
    client.initialize(root, **RESOLVES, workspace=documents)
    uri = client.open(root / "resolved.md", DRAFT)
    assert at_once.open(root / "resolved.md", DRAFT) == uri
    asked = {
        "textDocument": {"uri": uri},
        "range": WHOLE,
        "context": {"diagnostics": [], "only": ["refactor"]},
    }
    for one, other in zip(
        client.result("textDocument/codeAction", asked),
        at_once.result("textDocument/codeAction", asked),
        strict=True,
    ):
        assert "edit" not in one
        resolved = client.result("codeAction/resolve", one)
        assert (resolved["title"], resolved["edit"]) == (other["title"], other["edit"])
    assert "data" not in other
    refusals = {"style": "chicago", "version": 7, "start": "a"}
    for field, value in refusals.items():
        changed = {**one, "data": {**one["data"], field: value}}
        answer = client.answer(client.request("codeAction/resolve", changed))
        assert answer["error"]["code"] == (-32803 if field == "version" else -32602), field


def test_a_whole_draft_is_converted(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    answer = command(client, "lexls.convertCitations", uri=uri, style="mcgill", apply=False)
    assert (answer["converted"], answer["citations"], answer["applied"]) == (2, 2, False)
    assert (
        "*Hale v Ryle*, [2019] UKSC 41 at para 3, and in *Pell v Orr*, [2018] UKSC 7 at para 5."
        in applied(answer["edit"])
    )
    oscola = command(client, "lexls.convertCitations", uri=uri)
    assert "*Pell v Orr* [2018] UKSC 7 [5]." in applied(oscola["edit"])


def test_a_style_that_is_not_there_is_refused(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    params = {"command": "lexls.convertCitations", "arguments": [{"uri": uri, "style": "chicago"}]}
    assert client.answer(client.request("workspace/executeCommand", params))["error"]["code"] == -32602


def test_the_table_is_inserted_where_the_cursor_is_and_then_kept(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    place = {"line": 2, "character": 4}
    answer = command(client, "lexls.tableOfAuthorities", uri=uri, position=place, apply=False)
    text = applied(answer["edit"])
    assert text.startswith("# Skeleton\n\n<!-- lexls:table-of-authorities -->\n")
    assert "- Hale v Ryle [2019] UKSC 41: Skeleton\n- Pell v Orr [2018] UKSC 7: Skeleton\n" in text
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]}
    client.notify("textDocument/didChange", change)
    again = command(client, "lexls.tableOfAuthorities", uri=uri, position=place, apply=False)
    assert (again["edit"], again["reason"]) == (None, "")
