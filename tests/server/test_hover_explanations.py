"""Hovers show the explanation of a citation once it is ready, and never wait for one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from scripted_server import scripted
from weir_workspace import SlowModel, draft_of_its_own, eventually, opened, told, use_model, workspace

Start = Callable[[], RawClient]
MEADOWS = "A keeper who leaves the gates shut answers to the owners of the flooded meadows for their hay."
DRAFT = """\
# Note

A keeper who leaves the gates shut answers to the owners of flooded meadows: *Hale v Ryle* [2019] ASC 41.

A ferry must carry every passenger who offers the fare: *Pell v Orr* [2018] ASC 7.
"""
WEIR, FERRY = 2, 4


@pytest.fixture(scope="module")
def shared(
    shared_start: Start, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RawClient, Path, count[int]]:
    """A client, its workspace, and lengths of answers that no test has set before."""
    client, root = shared_start(), workspace(tmp_path_factory.mktemp("work"))
    opened(client, root, experimental={"lexls": {"answers": True}})
    return client, root, count(500)


@pytest.fixture
def editor(shared: tuple[RawClient, Path, count[int]], tmp_path: Path) -> Iterator[tuple[RawClient, str]]:
    """A client and a draft that it has open for this test.

    The settings are new, so nothing that was explained under others is ready.
    """
    client, root, lengths = shared
    with draft_of_its_own(client, root / f"{tmp_path.name}.md", DRAFT) as uri:
        use(client, explain={"answerTokens": next(lengths)})
        yield client, uri


def hover(client: RawClient, uri: str, line: int) -> str:
    at = {"line": line, "character": DRAFT.splitlines()[line].index(" ASC") + 2}
    found = client.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
    return str(found["contents"]["value"])


def use(client: RawClient, **settings: Any) -> None:
    client.notify("workspace/didChangeConfiguration", {"settings": {"lexls": settings}})


def test_the_explanation_is_there_at_a_later_hover(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    first = hover(client, uri, WEIR)
    assert "Hale v Ryle" in first
    assert MEADOWS not in first
    assert MEADOWS in eventually(lambda: found if MEADOWS in (found := hover(client, uri, WEIR)) else "")


def test_what_was_explained_by_command_is_ready_at_once(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    at = {"line": WEIR, "character": DRAFT.splitlines()[WEIR].index(" ASC") + 2}
    assert told(client, "lexls.explain", uri=uri, position=at)["sentences"]
    assert MEADOWS in hover(client, uri, WEIR)


def test_the_newest_wish_wins(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    fare = "must carry every passenger who offers the fare"
    hover(client, uri, WEIR)
    assert fare not in hover(client, uri, FERRY)
    eventually(lambda: fare in hover(client, uri, FERRY))


def test_nothing_is_explained_where_the_setting_is_off(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    use(client, explain={"onHover": False})
    hover(client, uri, WEIR)
    time.sleep(1.0)
    assert MEADOWS not in hover(client, uri, WEIR)


def test_a_model_behind_an_address_is_not_asked_unasked(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    model = SlowModel([("answers to the owners of the flooded meadows", "A keeper answers to the owners.")])
    with scripted(model) as server:
        use_model(client, server.url)
        hover(client, uri, WEIR)
        hover(client, uri, WEIR)
        assert not model.begun.wait(1.0)


def test_an_explanation_of_another_text_is_not_shown(editor: tuple[RawClient, str]) -> None:
    client, uri = editor
    hover(client, uri, WEIR)
    eventually(lambda: MEADOWS in hover(client, uri, WEIR))
    text = DRAFT.replace("A keeper who leaves the gates shut answers to", "The mill is let together with")
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]}
    client.notify("textDocument/didChange", change)
    at = {"line": WEIR, "character": text.splitlines()[WEIR].index(" ASC") + 2}
    found = client.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
    assert MEADOWS not in found["contents"]["value"]
