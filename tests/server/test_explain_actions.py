"""Code actions that explain, oppose and draft: where they are offered, and that they work as they stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from weir_workspace import BARE, CITING, HELD, UNKNOWN, notified, opened, place, workspace

Start = Callable[[], RawClient]
AUTOMATIC = 2


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


def ours(found: list[Any]) -> list[str]:
    return [each["title"] for each in found if each.get("command")]


def test_they_are_offered_where_they_make_sense(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    cited = ours(actions(client, uri, CITING, only=["explain"]))
    assert cited[-2:] == ["Explain this citation", "Contrary authority"]
    bare = ours(actions(client, uri, BARE, only=["explain"]))
    assert "Explain this citation" not in bare
    assert bare[0] == "Explain how Hale v Ryle [2019] ASC 41 supports the sentence"
    assert bare[-1] == "Contrary authority"
    assert "Explain this citation" not in ours(actions(client, uri, UNKNOWN, only=["explain"]))
    assert ours(actions(client, uri, 0)) == []
    assert ours(actions(client, uri, 1, 0)) == []


def test_a_sentence_without_a_citation_can_be_drafted(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    (draft,) = actions(client, uri, BARE, only=["refactor"])
    assert (draft["title"], draft["kind"]) == ("Draft a supported sentence", "refactor.rewrite.lexls")
    found = client.result("workspace/executeCommand", draft["command"])
    assert found["edit"]
    assert "Draft a supported sentence" not in titles(actions(client, uri, CITING))


def test_a_menu_that_wants_fixes_only_has_none_of_them(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    found = actions(client, uri, BARE, only=["quickfix"])
    assert found
    assert ours(found) == []


def test_what_the_editor_asks_unasked_names_no_authority(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    found = titles(actions(client, uri, BARE, triggerKind=AUTOMATIC))
    assert "Draft a supported sentence" in found
    assert not any("Hale" in each for each in found)


def test_an_action_runs_as_it_stands_and_its_answer_is_shown(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    for line, title in (
        (BARE, "Explain how Hale v Ryle [2019] ASC 41 supports the sentence"),
        (CITING, "Explain this citation"),
    ):
        (action,) = [each for each in actions(client, uri, line) if each["title"] == title]
        assert action["kind"] == "explain.lexls"
        before = len(notified(client, "lexls/answer"))
        client.result("workspace/executeCommand", action["command"])
        pages = notified(client, "lexls/answer")[before:]
        assert pages[-1]["complete"]
        assert HELD in pages[-1]["markdown"]


def test_the_server_says_of_which_kinds_its_actions_are(tmp_path: Path, start: Start) -> None:
    client = start()
    offered = client.initialize(tmp_path)["capabilities"]
    kinds = set(offered["codeActionProvider"]["codeActionKinds"])
    assert {"quickfix", "explain.lexls", "refactor.rewrite.lexls"} <= kinds
    assert offered["executeCommandProvider"]["workDoneProgress"]
