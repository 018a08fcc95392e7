"""Code actions that explain, oppose and draft: where they are offered, and that they work as they stand."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import PATIENCE, RawClient
from weir_workspace import BARE, CITING, HELD, UNKNOWN, notified, opened, place, workspace

Start = Callable[[], RawClient]
AUTOMATIC = 2
FIND = "Find supporting authority…"


@pytest.fixture(scope="module")
def editor(shared_start: Start, tmp_path_factory: pytest.TempPathFactory) -> tuple[RawClient, str]:
    """A client, and a draft that none of the tests changes."""
    client = shared_start()
    root = workspace(tmp_path_factory.mktemp("work"))
    return client, opened(client, root, experimental={"lexls": {"answers": True}})


def actions(client: RawClient, uri: str, line: int, character: int = 5, **context: Any) -> list[Any]:
    params = {
        "textDocument": {"uri": uri},
        "range": place(line, character),
        "context": {"diagnostics": [], **context},
    }
    found: list[Any] = client.result("textDocument/codeAction", params)
    return found


def titles(found: list[Any]) -> list[str]:
    return [each["title"] for each in found]


def test_the_menu_at_the_cursor_is_short(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    assert titles(actions(client, uri, CITING)) == [FIND, "Explain this citation", "More…"]
    assert titles(actions(client, uri, BARE)) == [FIND, "More…"]
    assert titles(actions(client, uri, BARE, triggerKind=AUTOMATIC)) == [FIND, "More…"]
    assert titles(actions(client, uri, 0)) == []
    assert titles(actions(client, uri, 1, 0)) == []


def test_more_has_what_the_menu_has_no_room_for(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    for line, expected in (
        (BARE, ["Contrary authority", "Draft a supported sentence"]),
        (CITING, ["Contrary authority"]),
    ):
        (more,) = [each for each in actions(client, uri, line) if each["title"] == "More…"]
        found = client.result("workspace/executeCommand", more["command"])
        assert titles(found) == expected
    assert not [each for each in client.asked if each["method"] == "window/showMessageRequest"]


def test_they_are_offered_by_their_kind(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    cited = titles(actions(client, uri, CITING, only=["explain"]))
    assert cited == ["Explain this citation", "Contrary authority"]
    assert titles(actions(client, uri, BARE, only=["explain"])) == ["Contrary authority"]
    assert "Explain this citation" not in titles(actions(client, uri, UNKNOWN, only=["explain"]))
    assert titles(actions(client, uri, BARE, only=["quickfix"])) == [FIND]


def test_a_sentence_without_a_citation_can_be_drafted(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    (draft,) = actions(client, uri, BARE, only=["refactor"])
    assert (draft["title"], draft["kind"]) == ("Draft a supported sentence", "refactor.rewrite.lexls")
    found = client.result("workspace/executeCommand", draft["command"])
    assert found["edit"]


def test_an_action_runs_as_it_stands_and_its_answer_is_shown(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    (action,) = actions(client, uri, CITING, only=["explain.lexls"])[:1]
    assert action["kind"] == "explain.lexls"
    before = len(notified(client, "lexls/answer"))
    client.result("workspace/executeCommand", action["command"])
    pages = notified(client, "lexls/answer")[before:]
    assert pages[-1]["complete"]
    assert HELD in pages[-1]["markdown"]


def test_a_client_without_a_list_of_its_own_is_asked_which_to_cite(
    shared_start: Start, tmp_path: Path
) -> None:
    client = shared_start()
    client.unanswered.add("window/showMessageRequest")
    uri = opened(client, workspace(tmp_path / "work"))
    (find,) = actions(client, uri, BARE, only=["quickfix"])
    assert client.result("workspace/executeCommand", find["command"])
    question = asked_for(client, "window/showMessageRequest")
    (hale,) = (
        each for each in question["params"]["actions"] if each["title"] == "Hale v Ryle [2019] ASC 41 at [2]"
    )
    client.send({"id": question["id"], "result": hale})
    edit = asked_for(client, "workspace/applyEdit")["params"]["edit"]["changes"][uri]
    assert [each["newText"] for each in edit] == [": *Hale v Ryle* [2019] ASC 41 at [2]"]


def asked_for(client: RawClient, method: str) -> Any:
    """The request of that method that the server made, or will make."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for each in client.asked:
            if each["method"] == method:
                return each
        time.sleep(0.02)
    raise AssertionError(f"{method} was not asked")


def test_the_server_says_of_which_kinds_its_actions_are(tmp_path: Path, start: Start) -> None:
    client = start()
    offered = client.initialize(tmp_path)["capabilities"]
    kinds = set(offered["codeActionProvider"]["codeActionKinds"])
    assert {"quickfix", "explain.lexls", "refactor.rewrite.lexls"} <= kinds
    assert offered["executeCommandProvider"]["workDoneProgress"]
