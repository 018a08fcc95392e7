"""Answers over the wire: streamed or in a file, cancelled in two ways, failing in words, never logged."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest
from raw_client import RawClient
from scripted_server import Asked, Handler, scripted
from weir_workspace import (
    BARE,
    CITING,
    DRAFT,
    HELD,
    QUESTION,
    UNKNOWN,
    SlowModel,
    ask,
    draft_of_its_own,
    eventually,
    notified,
    opened,
    place,
    told,
    use_model,
    workspace,
)

Start = Callable[[], RawClient]
SHOWS = {"experimental": {"lexls": {"answers": True}}}
PROGRESS = {"window": {"workDoneProgress": True}}
REQUEST_CANCELLED = -32800
CLAIMS = [
    (
        "must open its gates when the river rises above the mark",
        "The keeper of a weir must open the gates when the river rises above the mark.",
    ),
    (
        "A keeper who leaves the gates shut answers to the owners of the flooded meadows",
        "A keeper who leaves gates shut answers to owners of flooded meadows for their hay.",
    ),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path / "work")


@pytest.fixture(scope="module")
def plain_client(shared_start: Start, tmp_path_factory: pytest.TempPathFactory) -> tuple[RawClient, Path]:
    client, root = shared_start(), workspace(tmp_path_factory.mktemp("plain"))
    opened(client, root)
    return client, root


@pytest.fixture
def plain(plain_client: tuple[RawClient, Path], tmp_path: Path) -> Iterator[tuple[RawClient, str]]:
    """A client that shows no answers, and a draft that it has open for this test."""
    client, root = plain_client
    with draft_of_its_own(client, root / f"{tmp_path.name}.md") as uri:
        yield client, uri


@pytest.fixture(scope="module")
def showing_client(shared_start: Start, tmp_path_factory: pytest.TempPathFactory) -> tuple[RawClient, Path]:
    client, root = shared_start(), workspace(tmp_path_factory.mktemp("showing"))
    opened(client, root, **SHOWS, **PROGRESS, workspace={"workspaceEdit": {"documentChanges": True}})
    return client, root


@pytest.fixture
def showing(showing_client: tuple[RawClient, Path], tmp_path: Path) -> Iterator[tuple[RawClient, str]]:
    """A client that shows answers, and a draft that it has open for this test."""
    client, root = showing_client
    with draft_of_its_own(client, root / f"{tmp_path.name}.md") as uri:
        yield client, uri


def test_a_question_is_answered_with_places_in_the_library(plain: tuple[RawClient, str]) -> None:
    client, uri = plain
    found = told(client, "lexls.ask", question=QUESTION, uri=uri)
    assert not found["abstained"]
    assert found["generator"] == "extractive"
    (pin,) = [pin for each in found["sentences"] for pin in each["pins"] if pin["text"] == HELD]
    assert (pin["title"], pin["place"]) == ("Hale v Ryle [2019] ASC 41", "[2]")
    assert pin["target"]["uri"] == f"{uri.rpartition('/')[0]}/library/hale.md"
    assert HELD in found["markdown"]
    assert found["failed"] == ""


def test_what_the_library_does_not_answer_is_not_answered(plain: tuple[RawClient, str]) -> None:
    client, uri = plain
    found = told(client, "lexls.ask", question="Does copyright subsist in a typeface?", uri=uri)
    assert found["abstained"]
    assert found["sentences"] == []
    assert found["notes"]


def test_an_answer_grows_in_a_client_that_shows_answers(showing: tuple[RawClient, str]) -> None:
    model = SlowModel(CLAIMS)
    client, uri = showing
    with scripted(model) as server:
        use_model(client, server.url)
        number = ask(client, "lexls.ask", question=QUESTION, uri=uri, id="mine")
        assert model.begun.wait(60)
        model.go_on.release(1)
        first = eventually(lambda: notified(client, "lexls/answer"))[0]
        assert HELD in first["markdown"]
        assert CLAIMS[0][1] not in first["markdown"]
        grown = eventually(lambda: notified(client, "lexls/answer")[1:])[0]
        assert not first["complete"]
        assert not grown["complete"]
        assert CLAIMS[0][1] in grown["markdown"]
        assert CLAIMS[1][1] not in grown["markdown"]
        model.go_on.release(1000)  # however often it is asked
        result = client.answer(number)["result"]
    pages = notified(client, "lexls/answer")
    assert {each["id"] for each in pages} == {"mine"}
    assert {each["title"] for each in pages} == {QUESTION}
    assert [each["complete"] for each in pages] == [False] * (len(pages) - 1) + [True]
    assert pages[-1]["markdown"] == result["markdown"]
    written = [each["text"] for each in result["sentences"] if not each["extract"]]
    assert written == [each[1] for each in CLAIMS]
    assert not (client.home / "cache/lexls/answers").exists()


def test_other_clients_are_shown_a_file_of_the_users_own(start: Start, root: Path) -> None:
    model = SlowModel(CLAIMS)
    client = start()
    uri = opened(client, root, window={"showDocument": {"support": True}})
    with scripted(model) as server:
        use_model(client, server.url)
        number = ask(client, "lexls.ask", question=QUESTION, uri=uri)
        assert model.begun.wait(60)
        model.go_on.release(1)
        (shown,) = eventually(lambda: asked_for(client, "window/showDocument"))
        path = Path(unquote(urlparse(shown["uri"]).path))
        assert path.read_text(encoding="utf-8").startswith(f"# {QUESTION}\n")
        eventually(lambda: CLAIMS[0][1] in path.read_text(encoding="utf-8"))
        assert CLAIMS[1][1] not in path.read_text(encoding="utf-8")
        model.go_on.release(1000)  # however often it is asked
        assert client.answer(number)["result"]
        eventually(lambda: CLAIMS[1][1] in path.read_text(encoding="utf-8"))
    assert path.is_relative_to(client.home / "cache")
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
    assert len(asked_for(client, "window/showDocument")) == 1
    assert notified(client, "lexls/answer") == []


def test_a_client_that_opens_no_documents_is_told_the_path(plain: tuple[RawClient, str]) -> None:
    client, uri = plain
    assert told(client, "lexls.ask", question=QUESTION, uri=uri)["sentences"]
    messages = eventually(
        lambda: [m for m in notified(client, "window/showMessage") if ".md" in m["message"]]
    )
    path = Path(messages[0]["message"].rpartition(" in ")[2])
    assert HELD in path.read_text(encoding="utf-8")


def asked_for(client: RawClient, method: str) -> list[dict[str, Any]]:
    return [each["params"] for each in client.asked if each["method"] == method]


def test_cancelling_the_request_reaches_the_model_and_the_next_one_works(
    showing: tuple[RawClient, str],
) -> None:
    model = SlowModel(CLAIMS)
    client, uri = showing
    with scripted(model) as server:
        use_model(client, server.url)
        number = ask(client, "lexls.ask", question=QUESTION, uri=uri, id="one")
        assert model.begun.wait(60)
        model.go_on.release(1)
        eventually(lambda: notified(client, "lexls/answer"))
        client.notify("$/cancelRequest", {"id": number})
        assert client.answer(number)["error"]["code"] == REQUEST_CANCELLED
        assert model.left.wait(60)
        last = notified(client, "lexls/answer")[-1]
        assert last["complete"]
        assert "cancelled" in last["markdown"]
        assert told(client, "lexls.threads", uri=uri) == []
        model.go_on.release(100)
        again = told(client, "lexls.ask", question=QUESTION, uri=uri)
        assert sum(not each["extract"] for each in again["sentences"]) == 2
    assert len(client.answers[number]) == 1


def test_cancelling_the_progress_reaches_the_model(showing: tuple[RawClient, str]) -> None:
    model = SlowModel(CLAIMS)
    client, uri = showing
    with scripted(model) as server:
        use_model(client, server.url)
        number = ask(client, "lexls.ask", question=QUESTION, uri=uri)
        assert model.begun.wait(60)
        (begin,) = eventually(lambda: progress(client, "begin", "Asking"))
        assert begin["value"]["cancellable"]
        client.notify("window/workDoneProgress/cancel", {"token": begin["token"]})
        assert client.answer(number)["error"]["code"] == REQUEST_CANCELLED
        assert model.left.wait(60)
        eventually(lambda: [e for e in progress(client, "end") if e["token"] == begin["token"]])
    assert len(client.answers[number]) == 1


def test_the_clients_own_token_carries_the_progress(plain: tuple[RawClient, str]) -> None:
    client, uri = plain
    params = {
        "command": "lexls.ask",
        "arguments": [{"question": QUESTION, "uri": uri}],
        "workDoneToken": "client-7",
    }
    assert client.result("workspace/executeCommand", params)["sentences"]
    assert [e["token"] for e in progress(client, "begin", "Asking")] == ["client-7"]
    assert [e["token"] for e in progress(client, "end")] == ["client-7"]


def progress(client: RawClient, kind: str, title: str = "") -> list[dict[str, Any]]:
    found = [each for each in notified(client, "$/progress") if each["value"]["kind"] == kind]
    return [each for each in found if title in each["value"].get("title", "")]


def test_slow_answers_take_no_thread_from_other_requests(start: Start, root: Path) -> None:
    model = SlowModel(CLAIMS)
    client = start()
    uri = opened(client, root, **SHOWS)
    with scripted(model) as server:
        use_model(client, server.url)
        asked = [ask(client, "lexls.ask", question=QUESTION, uri=uri) for _ in range(8)]
        assert model.begun.wait(60)
        at = {"line": CITING, "character": DRAFT.splitlines()[CITING].index("[2019]") + 2}
        shown = client.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
        assert "Hale v Ryle" in shown["contents"]["value"]
        assert not any(number in client.answers for number in asked)
        for number in asked:
            client.notify("$/cancelRequest", {"id": number})
        for number in asked:
            assert client.answer(number)["error"]["code"] == REQUEST_CANCELLED
        assert client.goodbye() == 0
    assert all(len(answers) == 1 for answers in client.answers.values())


def test_the_server_ends_while_a_model_writes(start: Start, root: Path) -> None:
    model = SlowModel(CLAIMS)
    client = start()
    uri = opened(client, root, **SHOWS)
    with scripted(model) as server:
        use_model(client, server.url)
        number = ask(client, "lexls.ask", question=QUESTION, uri=uri)
        assert model.begun.wait(60)
        assert client.goodbye() == 0
        assert client.answer(number)["error"]["code"] == REQUEST_CANCELLED
        assert model.left.wait(60)


def test_a_client_that_vanishes_does_not_leave_the_model_writing(start: Start, root: Path) -> None:
    model = SlowModel(CLAIMS)
    client = start()
    uri = opened(client, root, **SHOWS)
    with scripted(model) as server:
        use_model(client, server.url)
        ask(client, "lexls.ask", question=QUESTION, uri=uri)
        assert model.begun.wait(60)
        assert client.process.stdin is not None
        client.process.stdin.close()
        client.process.wait(timeout=60)
        assert model.left.wait(60)


def test_what_fails_is_told_in_words_and_once(showing: tuple[RawClient, str]) -> None:
    def refuses(handler: Handler, asked: Asked) -> None:
        handler.whole(401, b"{}")

    client, uri = showing
    with scripted(refuses) as server:
        use_model(client, server.url)
        found = told(client, "lexls.ask", question=QUESTION, uri=uri)
    assert [each["extract"] for each in found["sentences"]] == [True] * len(found["sentences"]) != []
    assert "does not accept" in found["failed"]
    (message,) = [m for m in notified(client, "window/showMessage") if "does not accept" in m["message"]]
    assert message["type"] == 1
    page = notified(client, "lexls/answer")[-1]
    assert page["complete"]
    assert "does not accept" in page["markdown"]
    assert found["thread"] is not None


def test_a_generator_that_is_not_set_up_says_what_to_do(showing: tuple[RawClient, str]) -> None:
    client, uri = showing
    settings = {"lexls": {"explain": {"generator": "llama"}}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    found = told(client, "lexls.ask", question=QUESTION, uri=uri)
    assert "llama.model" in found["failed"]
    client.notify("workspace/didChangeConfiguration", {"settings": {"lexls": {}}})
    assert told(client, "lexls.ask", question=QUESTION, uri=uri)["sentences"]


def test_a_dry_run_shows_the_prompt_and_keeps_nothing(showing: tuple[RawClient, str]) -> None:
    client, uri = showing
    settings = {"lexls": {"explain": {"generator": "dry-run"}}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    found = told(client, "lexls.ask", question=QUESTION, uri=uri)
    assert QUESTION in found["markdown"]
    assert HELD in found["markdown"]
    assert found["thread"] is None
    assert told(client, "lexls.threads", uri=uri) == []


def test_a_citation_is_explained_as_clients_know_it_and_more(plain: tuple[RawClient, str]) -> None:
    client, uri = plain
    line = DRAFT.splitlines()[CITING]
    at = {"line": CITING, "character": line.index("[2019]") + 2}
    found = told(client, "lexls.explain", uri=uri, position=at)
    (statement,) = [each for each in found["statements"] if each["text"].endswith(HELD)]
    assert (statement["paragraph"], statement["at_pinpoint"]) == ("2", True)
    assert statement["target"]["range"]["start"]["line"] == 9
    covered = found["range"]
    assert line[covered["start"]["character"] : covered["end"]["character"]].endswith("[2019] ASC 41 at [2]")
    assert found["sentences"][0]["extract"]
    assert not found["abstained"]
    assert not asked_for(client, "window/showDocument")
    assert told(client, "lexls.explain", uri=uri, position={"line": 0, "character": 3}) is None
    unknown = told(client, "lexls.explain", uri=uri, position={"line": UNKNOWN, "character": 40})
    assert unknown["abstained"]
    assert "not in your library" in unknown["markdown"]


def test_an_authority_that_was_found_is_explained(plain: tuple[RawClient, str]) -> None:
    client, uri = plain
    hits = told(client, "lexls.findSupport", uri=uri, range=place(BARE, 5))
    found = told(client, "lexls.explain", uri=uri, range=place(BARE, 5), authority=hits[0]["authority"])
    assert found["statements"][0]["text"].endswith(HELD)
    answer = client.answer(ask(client, "lexls.explain", uri=uri, range=place(BARE, 5), authority="Hale"))
    assert answer["error"]["code"] == -32602


def test_contrary_authority_is_looked_for(showing: tuple[RawClient, str]) -> None:
    client, uri = showing
    found = told(client, "lexls.contrary", uri=uri, range=place(BARE, 5), id="c")
    assert {"markdown", "sentences", "abstained", "nearest"} <= found.keys()
    assert [each["id"] for each in notified(client, "lexls/answer")] == ["c"] * len(
        notified(client, "lexls/answer")
    )
    assert notified(client, "lexls/answer")[-1]["complete"]


def test_a_supported_sentence_is_drafted_with_its_citation(showing: tuple[RawClient, str]) -> None:
    client, uri = showing
    found = told(client, "lexls.draft", uri=uri, range=place(BARE, 5), apply=False)
    assert not found["applied"]
    assert found["reason"] == ""
    (change,) = found["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert "[2019] ASC 41" in "".join(each["newText"] for each in change["edits"])


def test_a_draft_that_was_changed_meanwhile_is_left_alone(start: Start, root: Path) -> None:
    model = SlowModel(CLAIMS[:1])
    client = start()
    uri = opened(client, root, workspace={"applyEdit": True})
    with scripted(model) as server:
        use_model(client, server.url)
        number = ask(client, "lexls.draft", uri=uri, range=place(BARE, 5))
        assert model.begun.wait(60)
        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "New.\n" + DRAFT}]}
        client.notify("textDocument/didChange", change)
        model.go_on.release(1000)  # however often it is asked
        found = client.answer(number)["result"]
    assert (found["applied"], found["edit"]) == (False, None)
    assert "changed" in found["reason"]
    assert asked_for(client, "workspace/applyEdit") == []


@pytest.mark.parametrize(
    ("command", "argument"),
    [
        ("lexls.ask", {}),
        ("lexls.ask", {"question": "  "}),
        ("lexls.ask", {"question": "x" * 5000}),
        ("lexls.ask", {"question": "Why?", "after": "first"}),
        ("lexls.explain", {"uri": "file:///x"}),
        ("lexls.draft", {}),
        ("lexls.thread", {}),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    plain: tuple[RawClient, str], command: str, argument: dict[str, Any]
) -> None:
    client, _ = plain
    answer = client.answer(ask(client, command, **argument))
    assert answer["error"]["code"] == -32602


def test_nothing_of_a_question_or_an_answer_reaches_the_log(start: Start, root: Path) -> None:
    def breaks(handler: Handler, asked: Asked) -> None:
        handler.begin()
        handler.chunk(b"data: {Zanzibarquux\n\n")
        handler.hang_up()

    client = start()
    uri = opened(client, root, **SHOWS)
    secret = "Zanzibarquux"
    question = f"When must {secret} open the gates of a weir?"
    assert told(client, "lexls.ask", question=question, uri=uri)["thread"]
    client.answer(ask(client, "lexls.ask", question=question, thread=secret))
    client.answer(ask(client, "lexls.ask", question=[secret]))
    client.answer(ask(client, "lexls.thread", thread=secret))
    with scripted(breaks) as server:
        use_model(client, server.url)
        assert told(client, "lexls.ask", question=QUESTION, uri=uri)["failed"]
    time.sleep(0.2)
    client.goodbye()
    assert client.process.stderr is not None
    said = client.process.stderr.read()
    assert secret.encode() not in said
    assert b"open its gates" not in said
    assert b"open the gates" not in said
