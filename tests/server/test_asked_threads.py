"""Threads over the wire: continued, branched, deleted, kept over restarts, each workspace's own."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from raw_client import RawClient
from scripted_server import scripted
from weir_workspace import QUESTION, SlowModel, ask, notified, opened, told, use_model, workspace

pytestmark = pytest.mark.slow
Start = Callable[[], RawClient]
NEXT = "And who answers for the flooded meadows?"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path / "work")


def test_a_thread_goes_on_branches_and_is_deleted(start: Start, root: Path) -> None:
    client = start()
    uri = opened(client, root)
    first = told(client, "lexls.ask", question=QUESTION, uri=uri)
    second = told(client, "lexls.ask", question=NEXT, uri=uri, thread=first["thread"])
    assert second["thread"] == first["thread"]
    branched = told(
        client, "lexls.ask", question="Who keeps the weir?", thread=first["thread"], after=first["turn"]
    )
    (listed,) = told(client, "lexls.threads")
    assert (listed["thread"], listed["title"], listed["turns"]) == (first["thread"], QUESTION, 3)
    shown = told(client, "lexls.thread", thread=first["thread"], turn=second["turn"])
    assert [each["question"] for each in shown["turns"]] == [QUESTION, NEXT, "Who keeps the weir?"]
    assert [each["after"] for each in shown["turns"]] == [None, first["turn"], first["turn"]]
    assert NEXT in shown["markdown"]
    rests = [each["pins"][0]["target"] for each in (*first["sentences"], *second["sentences"])]
    assert [each["pins"][0]["target"] for each in shown["sentences"]] == rests
    assert [each["text"] for each in shown["sentences"][: len(first["sentences"])]] == [
        each["text"] for each in first["sentences"]
    ]
    assert "Who keeps" not in shown["markdown"]
    newest = told(client, "lexls.thread", thread=first["thread"])
    assert newest["turn"] == branched["turn"]
    assert NEXT not in newest["markdown"]
    assert f"]({'<'}{(root / 'library/hale.md').as_uri()}" in newest["markdown"].replace("](file", "](<file")
    assert told(client, "lexls.deleteThread", thread=first["thread"]) == {"deleted": True}
    assert told(client, "lexls.deleteThread", thread=first["thread"]) == {"deleted": False}
    assert told(client, "lexls.threads") == []
    answer = client.answer(ask(client, "lexls.thread", thread=first["thread"]))
    assert "no such thread" in answer["error"]["message"]


def test_threads_survive_the_end_and_the_death_of_the_server(start: Start, root: Path) -> None:
    client = start()
    uri = opened(client, root)
    thread = told(client, "lexls.ask", question=QUESTION, uri=uri)["thread"]
    assert client.goodbye() == 0
    client = start()
    uri = opened(client, root)
    told(client, "lexls.ask", question=NEXT, uri=uri, thread=thread)
    client.process.send_signal(signal.SIGKILL)
    client.process.wait(timeout=60)
    client = start()
    opened(client, root)
    shown = told(client, "lexls.thread", thread=thread)
    assert [each["question"] for each in shown["turns"]] == [QUESTION, NEXT]


def test_two_editors_share_the_threads_of_a_workspace(start: Start, root: Path) -> None:
    one, two = start(), start()
    opened(one, root)
    opened(two, root)
    thread = told(one, "lexls.ask", question=QUESTION)["thread"]
    told(two, "lexls.ask", question=NEXT, thread=thread)
    told(one, "lexls.ask", question="Who keeps the weir?", thread=thread)
    assert told(two, "lexls.threads")[0]["turns"] == 3


def test_another_workspace_has_threads_of_its_own(start: Start, root: Path, tmp_path: Path) -> None:
    client = start()
    opened(client, root)
    thread = told(client, "lexls.ask", question=QUESTION)["thread"]
    other = start()
    opened(other, workspace(tmp_path / "other"))
    assert told(other, "lexls.threads") == []
    answer = other.answer(ask(other, "lexls.ask", question=NEXT, thread=thread))
    assert "no such thread" in answer["error"]["message"]


def test_a_model_is_told_what_was_asked_before_on_the_branch(start: Start, root: Path) -> None:
    said = "The keeper of a weir must open the gates when the river rises above the mark."
    quoted = "must open its gates when the river rises above the mark"
    model = SlowModel([(quoted, said)], waits=False)
    client = start()
    opened(client, root)
    with scripted(model) as server:
        use_model(client, server.url)
        first = told(client, "lexls.ask", question=QUESTION)
        told(client, "lexls.ask", question="Who keeps the weir with its gates?", thread=first["thread"])
        told(client, "lexls.ask", question=NEXT, thread=first["thread"], after=first["turn"])
    prompts = [str(each["messages"]) for each in model.asked]
    assert len(prompts) == 3
    assert NEXT in prompts[2]
    assert QUESTION in prompts[2]
    assert said in prompts[2]
    assert "Who keeps the weir" not in prompts[2]


def test_half_a_surrogate_pair_in_a_question_is_answered_and_kept(start: Start, root: Path) -> None:
    client = start()
    opened(client, root)
    asked = told(client, "lexls.ask", question=QUESTION + " \ud800")
    assert asked["sentences"]
    assert told(client, "lexls.thread", thread=asked["thread"])["turns"][0]["question"] == QUESTION + " ?"


def test_a_damaged_thread_is_told_and_the_others_go_on(start: Start, root: Path) -> None:
    client = start()
    opened(client, root)
    thread = told(client, "lexls.ask", question=QUESTION)["thread"]
    bad = told(client, "lexls.ask", question=NEXT)["thread"]
    (path,) = (root.parent / "home/data/lexls/threads").glob(f"*/{bad}.json")
    path.write_text("{", encoding="utf-8")
    assert [each["thread"] for each in told(client, "lexls.threads")] == [thread]
    assert any("set aside" in each["message"] for each in notified(client, "window/showMessage"))
    assert path.with_suffix(".damaged").exists()


def test_what_a_thread_cites_is_found_where_it_stands_now(start: Start, root: Path) -> None:
    client = start()
    opened(client, root)
    thread = told(client, "lexls.ask", question=QUESTION)["thread"]
    assert "hale.md#L10" in told(client, "lexls.thread", thread=thread)["markdown"]
    path = root / "library/hale.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("[1] The weir", "It began with rain.\n\n[1] The weir"), encoding="utf-8")
    from weir_workspace import eventually

    eventually(lambda: "hale.md#L12" in told(client, "lexls.thread", thread=thread)["markdown"])
    path.unlink()
    eventually(lambda: "hale.md" not in told(client, "lexls.thread", thread=thread)["markdown"])
    gone = told(client, "lexls.thread", thread=thread)["sentences"]
    assert any(pin["target"] is None for each in gone for pin in each["pins"])
    assert "open its gates" in told(client, "lexls.thread", thread=thread)["markdown"]
