"""``lexls ask`` with a model behind an address: what it writes is checked as what any other writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_server import Asked, Handler, scripted

from lexls.settings.load import find_user_settings

Run = Any
"""``Run`` of conftest.py."""
QUESTION = "Is the knowledge of a servant who receives reports the knowledge of the harbour board?"
QUOTED = (
    "The knowledge of each servant whose task is to receive reports is the knowledge of the board itself."
)
SENTENCE = "Knowledge of each servant whose task is to receive the reports is knowledge of the board."
INVENTED = "The board must pay 400 crowns to whoever reports a wreck."


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))


def configure(kind: str, url: str) -> None:
    path = find_user_settings()
    path.parent.mkdir(parents=True, exist_ok=True)
    key = f'{kind}.apiKeyEnv = ""\n'
    path.write_text(f'{kind}.baseUrl = "{url}"\n{kind}.model = "small-model"\n{key}', encoding="utf-8")


def identifiers(prompt: str) -> list[str]:
    return [name for name in (f"P{number}" for number in range(1, 30)) if name in prompt]


def writing(make: Callable[[list[str]], list[dict[str, Any]]]) -> Callable[[Handler, Asked], None]:
    """A server, of either protocol, whose model answers with what ``make`` makes of the identifiers."""

    def script(handler: Handler, asked: Asked) -> None:
        prompt = asked.json["messages"][-1]["content"]
        text = json.dumps({"answer": make(identifiers(prompt)), "insufficient": []})
        handler.begin()
        if asked.path.endswith("/messages"):
            handler.chunk(b'data: {"type": "message_start", "message": {}}\n\n')
            event: dict[str, Any] = {
                "type": "content_block_delta",
                "delta": {"type": "text_delta", "text": text},
            }
            handler.chunk(f"data: {json.dumps(event)}\n\n".encode())
            handler.chunk(b'data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\n\n')
        else:
            event = {"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}
            handler.chunk(f"data: {json.dumps(event)}\n\ndata: [DONE]\n\n".encode())
        handler.end()

    return script


def claim(passage: str, quotation: str, sentence: str) -> dict[str, Any]:
    return {"evidence": [{"passage": passage, "quotation": quotation}], "sentence": sentence}


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_what_the_model_writes_is_pinned_to_the_library(lexls: Run, matter: Path, kind: str) -> None:
    with scripted(writing(lambda names: [claim(name, QUOTED, SENTENCE) for name in names])) as server:
        configure(kind, server.url)
        answer = lexls("ask", QUESTION, "--generator", kind, "--json").json
        assert len(server.asked) == 1
    assert answer["generator"] == f"{kind} (small-model)"
    [sentence] = [each for each in answer["sentences"] if not each["extract"]]
    assert sentence["text"] == SENTENCE
    [pin] = sentence["pins"]
    assert QUOTED in pin["text"]


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_what_the_model_makes_up_is_not_shown(lexls: Run, matter: Path, kind: str) -> None:
    def make(names: list[str]) -> list[dict[str, Any]]:
        return [claim(name, quoted, INVENTED) for name in names for quoted in (QUOTED, INVENTED)]

    with scripted(writing(make)) as server:
        configure(kind, server.url)
        done = lexls("ask", QUESTION, "--generator", kind, "--json")
        assert len(server.asked) == 1
    assert done.json["notes"]
    assert "crowns" not in done.out


def test_failures_are_told_and_hold_nothing_of_the_question(lexls: Run, matter: Path) -> None:
    body = json.dumps({"error": {"message": QUESTION}}).encode()
    with scripted(lambda handler, _: handler.whole(404, body)) as server:
        configure("openai", server.url)
        done = lexls("ask", QUESTION, "--generator", "openai")
    assert done.code == 3
    assert "no model small-model" in done.err
    assert "servant" not in done.err


def test_a_workspace_cannot_say_where_text_is_sent(lexls: Run, matter: Path) -> None:
    with scripted(writing(lambda names: [])) as server:
        toml = matter / "lexls.toml"
        lines = f'[openai]\nbaseUrl = "{server.url}"\nmodel = "m"\n[explain]\ngenerator = "openai"\n'
        lines += "[remote]\nallowed = true\n"
        toml.write_text(toml.read_text(encoding="utf-8") + lines, encoding="utf-8")
        assert lexls("ask", QUESTION, "--json").json["generator"] == "extractive"
        assert "openai.baseUrl is empty" in lexls("ask", QUESTION, "--generator", "openai").err
        assert server.asked == []
