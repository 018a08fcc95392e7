"""Models behind an address, against a server on this machine that speaks their protocols."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scripted_server import Asked, Handler, ScriptedServer, scripted

from lexls.grounding.answer import (
    Claim,
    GenerationFailed,
    GeneratorChoice,
    Insufficient,
    Part,
    Quoted,
    Request,
    Usage,
)
from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.generators.chat_models import AnthropicGenerator, OpenAIGenerator
from lexls.index.records import Authority
from lexls.text.cancel import Cancelled, CancelToken

TEXT = "[7] The harbour board must buoy every wreck in its fairway — “without delay”."
AUTHORITY = Authority(
    1, Path("wreck.txt"), Path(), "wreck.txt", "Orrin v Salt Board", "", ("[2029] ACA 3",), "", "2029",
    "case", "Aldmoor", True,
)  # fmt: skip
EVIDENCE = Evidence("P1", AUTHORITY, 0, len(TEXT), TEXT, (TextSegment(0, "7"),), (0, len(TEXT)))
REQUEST = Request("ask", "Must a wreck be buoyed?", (EVIDENCE,))
CLAIM = Claim(
    "The board must buoy every wreck.",
    (Quoted("P1", "must buoy every wreck in its fairway — “without delay”"),),
)
WRITTEN = json.dumps(
    {
        "answer": [
            {
                "evidence": [{"passage": "P1", "quotation": CLAIM.quoted[0].quotation}],
                "sentence": CLAIM.text,
            },
            {"evidence": [{"passage": "P1", "quotation": "The harbour board"}], "sentence": "It is a board."},
        ],
        "insufficient": [],
    },
    ensure_ascii=False,
)
KEY = "sesame-open-1234"
Make = Callable[..., OpenAIGenerator | AnthropicGenerator]
Script = Callable[[Handler, Asked], None]


def openai(url: str, secret: bytes = b"s" * 32, **other: Any) -> OpenAIGenerator:
    return OpenAIGenerator(settings(url, **other), secret)


def anthropic(url: str, secret: bytes = b"s" * 32, **other: Any) -> AnthropicGenerator:
    return AnthropicGenerator(settings(url, **other), secret)


def settings(url: str, **other: Any) -> GeneratorChoice:
    choice = GeneratorChoice(base_url=url, model="small-model", answer_tokens=300, seconds=20.0)
    return replace(choice, **other)


def completion(text: str, **other: Any) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None} | other
    return event({"object": "chat.completion.chunk", "choices": [choice]})


def event(data: Any, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def writes_openai(text: str, reason: str = "stop", usage: Any = None) -> Script:
    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        handler.chunk(event({"choices": [{"delta": {"role": "assistant", "content": ""}}]}))
        stream = b"".join(completion(text[at : at + 7]) for at in range(0, len(text), 7))
        stream += event({"choices": [{"delta": {}, "finish_reason": reason}]})
        if usage:
            stream += event({"choices": [], "usage": usage})
        stream += b"data: [DONE]\n\n"
        for at in range(0, len(stream), 11):  # cuts characters of several bytes
            handler.chunk(stream[at : at + 11])
        handler.end()

    return script


def writes_anthropic(text: str, reason: str = "end_turn") -> Script:
    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        usage = {"input_tokens": 40, "cache_read_input_tokens": 60, "output_tokens": 1}
        handler.chunk(event({"type": "message_start", "message": {"usage": usage}}, "message_start"))
        handler.chunk(event({"type": "ping"}, "ping"))
        for at in range(0, len(text), 9):
            delta = {"type": "text_delta", "text": text[at : at + 9]}
            handler.chunk(event({"type": "content_block_delta", "index": 0, "delta": delta}))
        ending = {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 33}}
        handler.chunk(event(ending))
        handler.chunk(event({"type": "message_stop"}))
        handler.end()

    return script


def run(generator: OpenAIGenerator | AnthropicGenerator, token: CancelToken | None = None) -> list[Part]:
    return list(generator.generate(REQUEST, token or CancelToken()))


def why(generator: OpenAIGenerator | AnthropicGenerator) -> str:
    """Why it fails; neither key nor question nor passage is in that."""
    with pytest.raises(GenerationFailed) as raised:
        run(generator)
    for private in (KEY, REQUEST.question, "harbour board", "fairway"):
        assert private not in str(raised.value)
    return str(raised.value)


def refuses(status: int, error: Any = None, **headers: str) -> Script:
    body = json.dumps({"error": {"message": f"you said {TEXT} with {KEY}"} | (error or {})}).encode()
    return lambda handler, asked: handler.whole(status, body, **headers)


PROTOCOLS = pytest.mark.parametrize(
    ("make", "writes"),
    [(openai, writes_openai), (anthropic, writes_anthropic)],
    ids=["openai", "anthropic"],
)


@PROTOCOLS
def test_claims_come_out_of_a_streamed_answer(make: Make, writes: Callable[[str], Script]) -> None:
    with scripted(writes(WRITTEN)) as server:
        first, second, usage = run(make(server.url))
    assert first == CLAIM
    assert isinstance(second, Claim)
    assert isinstance(usage, Usage)
    assert usage.cut == ""
    assert 0 < usage.first_seconds <= usage.seconds


@PROTOCOLS
def test_what_is_missing_is_told(make: Make, writes: Callable[[str], Script]) -> None:
    with scripted(writes('{"insufficient": ["who owns the wreck"]}')) as server:
        missing, usage = run(make(server.url))
    assert missing == Insufficient(("who owns the wreck",))
    assert isinstance(usage, Usage)


def test_openai_is_asked_for_json_under_the_schema_of_the_request() -> None:
    usage = {"prompt_tokens": 90, "completion_tokens": 12, "prompt_tokens_details": {"cached_tokens": 64}}
    with scripted(writes_openai(WRITTEN, usage=usage)) as server:
        last = run(openai(server.url + "/v1"))[-1]
        [asked] = server.asked
    assert asked.path == "/v1/chat/completions"
    assert "authorization" not in asked.headers
    sent = asked.json
    assert (sent["model"], sent["stream"], sent["temperature"], sent["max_tokens"]) == (
        "small-model",
        True,
        0,
        300,
    )
    assert [each["role"] for each in sent["messages"]] == ["system", "user"]
    assert TEXT in sent["messages"][1]["content"]
    assert REQUEST.question in sent["messages"][1]["content"]
    schema = sent["response_format"]["json_schema"]["schema"]
    claim = schema["properties"]["answer"]["items"]["properties"]
    assert list(claim) == ["evidence", "sentence"]
    assert claim["evidence"]["items"]["properties"]["passage"]["enum"] == ["P1"]
    assert isinstance(last, Usage)
    assert (last.prompt_tokens, last.cached_tokens, last.tokens) == (90, 64, 12)


def test_anthropic_is_asked_as_its_protocol_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEXLS_TEST_KEY", KEY)
    with scripted(writes_anthropic(WRITTEN)) as server:
        last = run(anthropic(server.url, api_key_env="LEXLS_TEST_KEY"))[-1]
        [asked] = server.asked
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"]
    sent = asked.json
    assert (sent["model"], sent["max_tokens"], sent["stream"], sent["temperature"]) == (
        "small-model",
        300,
        True,
        0,
    )
    assert sent["system"]
    assert [each["role"] for each in sent["messages"]] == ["user"]
    assert TEXT in sent["messages"][0]["content"]
    assert isinstance(last, Usage)
    assert (last.prompt_tokens, last.cached_tokens, last.tokens) == (100, 60, 33)


def test_the_key_of_openai_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEXLS_TEST_KEY", f" {KEY}\n")
    with scripted(writes_openai(WRITTEN)) as server:
        run(openai(server.url, api_key_env="LEXLS_TEST_KEY"))
        assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


@PROTOCOLS
def test_claims_come_before_the_answer_is_whole(make: Make, writes: Callable[[str], Script]) -> None:
    first_read = threading.Event()
    pieces = WRITTEN.split(', {"evidence"', 1)

    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        for piece, wait in ((pieces[0], True), (', {"evidence"' + pieces[1], False)):
            if make is openai:
                handler.chunk(completion(piece))
            else:
                if wait:
                    handler.chunk(event({"type": "message_start", "message": {}}))
                delta = {"type": "text_delta", "text": piece}
                handler.chunk(event({"type": "content_block_delta", "delta": delta}))
            assert not wait or first_read.wait(20)
        handler.end()

    with scripted(script) as server:
        parts = make(server.url).generate(REQUEST, CancelToken())
        assert next(parts) == CLAIM
        first_read.set()
        rest = list(parts)
    assert isinstance(rest[0], Claim)


@PROTOCOLS
def test_an_answer_that_breaks_off_keeps_what_was_whole(make: Make, writes: Callable[[str], Script]) -> None:
    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        cut = WRITTEN[: WRITTEN.index("It is a board")]
        if make is openai:
            handler.chunk(completion(cut))
        else:
            handler.chunk(event({"type": "message_start", "message": {}}))
            delta = {"type": "text_delta", "text": cut}
            handler.chunk(event({"type": "content_block_delta", "delta": delta}))
        handler.hang_up()

    with scripted(script) as server:
        claim, usage = run(make(server.url))
    assert claim == CLAIM
    assert isinstance(usage, Usage)
    assert "broke off" in usage.cut


@PROTOCOLS
def test_a_connection_that_breaks_before_any_claim_is_a_failure(make: Make, writes: Any) -> None:
    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        handler.hang_up()

    with scripted(script) as server:
        assert "broke off" in why(make(server.url))


@pytest.mark.parametrize(
    ("make", "script", "cut"),
    [
        (openai, writes_openai(WRITTEN, "length"), "explain.answerTokens"),
        (openai, writes_openai(WRITTEN, "content_filter"), "filter"),
        (anthropic, writes_anthropic(WRITTEN, "max_tokens"), "explain.answerTokens"),
        (anthropic, writes_anthropic(WRITTEN, "refusal"), "refuses"),
    ],
)
def test_why_an_answer_ends_early_is_told(make: Make, script: Script, cut: str) -> None:
    with scripted(script) as server:
        usage = run(make(server.url))[-1]
    assert isinstance(usage, Usage)
    assert cut in usage.cut


@PROTOCOLS
def test_the_time_is_over_the_whole_answer(make: Make, writes: Callable[[str], Script]) -> None:
    def script(handler: Handler, asked: Asked) -> None:
        handler.client_left(20)
        handler.close_connection = True

    with scripted(script) as server:
        assert "explain.seconds" in why(make(server.url, seconds=0.4))


@PROTOCOLS
def test_cancelling_while_the_model_reads_closes_the_connection(make: Make, writes: Any) -> None:
    left: list[bool] = []
    token = CancelToken()

    def script(handler: Handler, asked: Asked) -> None:
        token.cancel()
        left.append(handler.client_left(20))
        handler.close_connection = True

    with scripted(script) as server:
        with pytest.raises(Cancelled):
            run(make(server.url), token)
        assert server.done.acquire(timeout=20)
    assert left == [True]


@PROTOCOLS
@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (401, {}, "does not accept"),
        (403, {}, "may not use small-model"),
        (404, {"code": "model_not_found"}, "no model small-model"),
        (413, {}, "too long"),
        (429, {"type": "rate_limit_error"}, "try again in 21 s"),
        (429, {"code": "insufficient_quota"}, "no credit"),
        (500, {}, "the fault is the server's"),
        (503, {}, "loads its model"),
        (529, {}, "overloaded"),
        (302, {}, "not followed"),
        (418, {}, "418"),
    ],
)
def test_refusals_are_clear(
    make: Make, writes: Any, status: int, error: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXLS_TEST_KEY", KEY)
    with scripted(refuses(status, error, Retry_After="21")) as server:
        assert words in why(make(server.url, api_key_env="LEXLS_TEST_KEY"))
        # Some servers say 500 to a form of answer that they do not know, so another is tried.
        assert len(server.asked) == (2 if status == 500 and make is openai else 1)


def test_a_prompt_that_is_too_long_is_not_sent_again() -> None:
    with scripted(refuses(400, {"code": "context_length_exceeded"})) as server:
        assert "explain.passages" in why(openai(server.url))
        assert len(server.asked) == 1


@PROTOCOLS
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html>Welcome</html>", "text/html"),
        (b"not json", "application/json"),
        (b'{"hello": 1}', "application/json"),
        (b"[1, 2]", "application/json"),
        (b'{"choices": 5}', "application/json"),
        (b"data: \xff\xfe{{{\n\n", "text/event-stream"),
        (b"data: " + b"[" * 100_000 + b"\n\n", "text/event-stream"),
        (b"", "text/event-stream"),
    ],
)
def test_what_is_no_answer_at_all(make: Make, writes: Any, body: bytes, kind: str) -> None:
    with scripted(lambda handler, _: handler.whole(200, body, kind)) as server:
        assert "something else than" in why(make(server.url))


@PROTOCOLS
@pytest.mark.parametrize(("written", "words"), [("I cannot help.", "of the form"), ("", "nothing")])
def test_a_model_that_writes_no_answer(make: Make, writes: Any, written: str, words: str) -> None:
    with scripted(writes(written)) as server:
        assert words in why(make(server.url))


@pytest.mark.parametrize(
    ("make", "failing"),
    [
        (openai, {"error": {"message": TEXT, "code": 500}}),
        (anthropic, {"type": "error", "error": {"type": "overloaded_error", "message": TEXT}}),
    ],
)
def test_an_error_in_the_middle_of_a_stream(make: Make, failing: Any) -> None:
    with scripted(lambda handler, _: handler.whole(200, event(failing), "text/event-stream")) as server:
        assert "reports an error while small-model writes" in why(make(server.url))


@pytest.mark.parametrize("content", ["5", '"text"', '{"text": "text"}', "[5, null]"])
def test_a_message_whose_content_is_none(content: str) -> None:
    body = f'{{"type": "message", "content": {content}, "stop_reason": "end_turn"}}'.encode()
    with scripted(lambda handler, _: handler.whole(200, body)) as server:
        assert "wrote nothing" in why(anthropic(server.url))


def test_a_whole_answer_of_a_server_that_does_not_stream() -> None:
    message = {"message": {"role": "assistant", "content": WRITTEN}, "finish_reason": "stop"}
    body = json.dumps({"choices": [message], "usage": {"prompt_tokens": 5, "completion_tokens": 6}}).encode()
    with scripted(lambda handler, _: handler.whole(200, body)) as server:
        first, _, usage = run(openai(server.url))
    assert first == CLAIM
    assert isinstance(usage, Usage)
    assert (usage.prompt_tokens, usage.tokens) == (5, 6)


def test_forms_that_a_server_refuses_are_left_out_and_not_tried_again() -> None:
    def script(handler: Handler, asked: Asked) -> None:
        sent = asked.json
        if "max_tokens" in sent:
            refuses(400, {"param": "max_tokens", "code": "unsupported_parameter"})(handler, asked)
        elif "temperature" in sent:
            refuses(400, {"param": "temperature", "code": "unsupported_value"})(handler, asked)
        elif sent.get("response_format", {}).get("type") in ("json_schema", "json_object"):
            refuses(400)(handler, asked)
        else:
            writes_openai(WRITTEN)(handler, asked)

    with scripted(script) as server:
        generator = openai(server.url)
        assert run(generator)[0] == CLAIM
        assert len(server.asked) == 6
        assert server.asked[-1].json["max_completion_tokens"] == 300
        assert run(generator)[0] == CLAIM
        assert len(server.asked) == 7


@pytest.mark.parametrize("refused", ["response_format", "stream_options", "temperature"])
def test_a_refusal_without_a_name_leads_to_what_a_server_takes(refused: str) -> None:
    def script(handler: Handler, asked: Asked) -> None:
        (refuses(422) if refused in asked.json else writes_openai(WRITTEN))(handler, asked)

    with scripted(script) as server:
        assert run(openai(server.url))[0] == CLAIM


def test_a_server_that_takes_a_schema_in_another_way() -> None:
    def script(handler: Handler, asked: Asked) -> None:
        form = asked.json["response_format"]
        if form["type"] == "json_object" and form["schema"]["type"] == "object":
            writes_openai(WRITTEN)(handler, asked)
        else:
            refuses(500)(handler, asked)

    with scripted(script) as server:
        assert run(openai(server.url))[0] == CLAIM


def test_a_fault_that_passes_is_not_taken_for_a_refusal() -> None:
    faults = iter([refuses(500), refuses(500)])

    def script(handler: Handler, asked: Asked) -> None:
        next(faults, writes_openai(WRITTEN))(handler, asked)

    with scripted(script) as server:
        generator = openai(server.url)
        why(generator)
        run(generator)
        assert server.asked[-1].json["response_format"]["type"] == "json_schema"


def test_a_server_that_refuses_everything_is_given_up() -> None:
    with scripted(refuses(400)) as server:
        assert "does not take the question" in why(openai(server.url))
        assert "does not take the question" in why(anthropic(server.url))
        assert len(server.asked) < 9


@PROTOCOLS
def test_a_server_that_is_not_running_is_named(make: Make, writes: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    reason = why(make(f"http://127.0.0.1:{port}"))
    assert "Ollama" in reason
    assert f"http://127.0.0.1:{port}" in reason


@PROTOCOLS
@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"base_url": ""}, ".baseUrl is empty"),
        ({"model": " "}, ".model is empty"),
        ({"base_url": "localhost:11434"}, ".baseUrl"),
        ({"base_url": "http://192.168.1.20:11434/v1", "allow_remote": True}, "not encrypted"),
        ({"base_url": "https://api.example/v1"}, "remote.allowed"),
        ({"model": "some-model:120b-cloud"}, "remote.allowed"),
        ({"model": "some-model:Cloud "}, "remote.allowed"),
        ({"base_url": "http://localhost@api.example/v1"}, ".baseUrl"),
    ],
)
def test_what_is_not_set_up_or_not_allowed_is_never_opened(
    make: Make, writes: Any, other: dict[str, Any], words: str
) -> None:
    with pytest.raises(GenerationFailed) as raised:
        make("http://127.0.0.1:9", **other)
    assert words in str(raised.value)


def test_a_model_that_a_local_server_has_computed_elsewhere_is_asked_where_that_is_allowed() -> None:
    with scripted(writes_openai(WRITTEN)) as server:
        assert CLAIM in run(openai(server.url, model="some-model:120b-cloud", allow_remote=True))
        assert CLAIM in run(openai(server.url, model="cloud-chamber:4b"))


@PROTOCOLS
@pytest.mark.parametrize("value", ["", "  ", "two words", "schlüssel", "a\nb"])
def test_a_variable_without_a_key_is_named_before_anything_is_sent(
    make: Make, writes: Any, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXLS_TEST_KEY", value)
    with scripted(writes(WRITTEN)) as server:
        assert "LEXLS_TEST_KEY" in why(make(server.url, api_key_env="LEXLS_TEST_KEY"))
        assert server.asked == []


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Everything that anything logs, at any level."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage() + repr(record.exc_info))

    root, handler = logging.getLogger(), Keep(0)
    level = root.level
    root.addHandler(handler)
    root.setLevel(1)
    yield lines
    root.removeHandler(handler)
    root.setLevel(level)


@PROTOCOLS
def test_nothing_private_is_logged(
    make: Make, writes: Callable[[str], Script], logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXLS_TEST_KEY", KEY)
    with scripted(writes(WRITTEN)) as server:
        run(make(server.url, api_key_env="LEXLS_TEST_KEY"))
    with scripted(refuses(500)) as server:
        why(make(server.url, api_key_env="LEXLS_TEST_KEY"))
    assert logged, "httpx2 logs that it asks; if it no longer does, this test looks in the wrong place"
    for line in logged:
        for private in (KEY, REQUEST.question, "harbour board", CLAIM.text, "fairway"):
            assert private not in line


def test_delimiters_differ_with_the_secret() -> None:
    def users_message(server: ScriptedServer) -> str:
        return str(server.asked[-1].json["messages"][-1]["content"])

    with scripted(writes_openai(WRITTEN)) as server:
        run(openai(server.url, secret=b"a" * 32))
        one = users_message(server)
        run(openai(server.url, secret=b"b" * 32))
        assert users_message(server) != one
        run(openai(server.url, secret=b"a" * 32))
        assert users_message(server) == one


def test_names() -> None:
    assert openai("http://localhost/v1").name == "openai (small-model)"
    assert anthropic("http://localhost").name == "anthropic (small-model)"
