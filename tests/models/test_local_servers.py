"""Servers of language models on this machine: found where they run, and nothing else is taken for one."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from scripted_server import Asked, Handler, Script, ScriptedServer, scripted

from lexls.models.local_servers import LocalServer, find_local_servers

TAGS = {
    "models": [
        {"name": "gpt-oss:120b-cloud", "remote_host": "https://ollama.com:443"},
        {"name": "qwen3:4b-instruct", "details": {"family": "qwen3"}},
        {"name": "someone/model:latest"},
    ]
}
MODELS = {"object": "list", "data": [{"id": "qwen3-4b.gguf", "object": "model", "owned_by": "llamacpp"}]}
NOWHERE = "127.0.0.1:9"


def whole(status: int, body: object) -> Script:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(handler: Handler, asked: Asked) -> None:
        handler.whole(status, text)

    return answer


@pytest.fixture
def neither(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server answers where they usually do."""
    monkeypatch.setenv("OLLAMA_HOST", NOWHERE)
    monkeypatch.setenv("LLAMA_ARG_PORT", "9")


@pytest.fixture
def server(neither: None) -> Iterator[ScriptedServer]:
    with scripted(whole(200, TAGS)) as found:
        yield found


def port(server: ScriptedServer) -> str:
    return str(server.server_address[1])


def test_ollama_is_found_with_the_models_it_runs_itself(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for said in (
        server.url,
        f"127.0.0.1:{port(server)}",
        f"localhost:{port(server)}",
        f"0.0.0.0:{port(server)}",
        f":{port(server)}",
        f"{server.url}/",
    ):
        monkeypatch.setenv("OLLAMA_HOST", said)
        [found] = find_local_servers()
        assert (found.kind, found.models) == ("Ollama", ("qwen3:4b-instruct", "someone/model:latest"))
        assert found.address.endswith(f":{port(server)}/v1")
    assert found.settings == {
        "explain.generator": "openai",
        "openai.baseUrl": f"{server.url}/v1",
        "openai.model": "qwen3:4b-instruct",
    }
    assert {each.path for each in server.asked} == {"/api/tags"}


def test_a_server_of_llama_cpp_is_found(neither: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(whole(200, MODELS)) as found:
        monkeypatch.setenv("LLAMA_ARG_PORT", port(found))
        assert find_local_servers() == [LocalServer("llama-server", f"{found.url}/v1", ("qwen3-4b.gguf",))]


def test_what_runs_nowhere_is_not_found(neither: None) -> None:
    assert find_local_servers() == []


@pytest.mark.parametrize(
    "host", ["192.168.1.5:11434", "ollama.example", "http://10.0.0.1", "https://x", "[", "a b"]
)
def test_other_machines_are_not_asked(host: str, neither: None, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = []

    def look_up(host: str, *more: object) -> list[object]:
        hosts.append(host)
        raise OSError

    monkeypatch.setenv("OLLAMA_HOST", host)
    monkeypatch.setattr("socket.getaddrinfo", look_up)
    assert find_local_servers() == []
    assert hosts == ["127.0.0.1"]  # of llama-server


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, {}),
        (500, TAGS),
        (200, {"models": []}),
        (200, {"models": "none"}),
        (200, {"models": [{"remote_host": "x", "name": "only-elsewhere"}]}),
        (200, {"data": [{"id": "gpt", "owned_by": "somebody"}]}),
        (200, []),
        (200, b"<!doctype html><title>My own site</title>"),
        (200, b"[" * 100_000),
        (200, b" " * 2_000_000),
    ],
)
def test_what_else_listens_there_is_no_server_of_models(
    status: int, body: object, neither: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted(whole(status, body)) as found:
        monkeypatch.setenv("OLLAMA_HOST", found.url)
        monkeypatch.setenv("LLAMA_ARG_PORT", port(found))
        assert find_local_servers() == []


def test_a_redirect_is_not_followed(neither: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(whole(200, TAGS)) as elsewhere:

        def redirect(handler: Handler, asked: Asked) -> None:
            handler.whole(302, b"", Location=f"{elsewhere.url}/api/tags")

        with scripted(redirect) as found:
            monkeypatch.setenv("OLLAMA_HOST", found.url)
            assert find_local_servers() == []
        assert elsewhere.asked == []


def test_one_that_says_nothing_is_not_waited_for(neither: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(handler: Handler, asked: Asked) -> None:
        handler.client_left(5)

    def slow(handler: Handler, asked: Asked) -> None:
        handler.begin("application/json")
        for _ in range(100):
            handler.chunk(b" ")
            if handler.client_left(0.1):
                return

    for script in (silent, slow):
        with scripted(script) as found:
            monkeypatch.setenv("OLLAMA_HOST", found.url)
            assert find_local_servers() == []
