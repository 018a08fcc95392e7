"""Language models of random weights, asked through the model process as lexls asks any."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

pytest.importorskip("lexls.models.llama_conversation")

from random_gguf import CHAT_TEMPLATE, write_random_model

from lexls.models.llama_client import LlamaClient
from lexls.models.llama_handlers import open_handlers
from lexls.models.messages import (
    ChatMessage,
    Ended,
    Job,
    JobRefused,
    LlamaOptions,
    ModelCrashed,
    ModelUnavailable,
    Sampling,
)
from lexls.models.process import ModelProcess
from lexls.text.cancel import Cancelled, CancelToken

HANDLERS = ("lexls.models.llama_handlers",)
ANSWER = r"""
root ::= "{\"sentences\":[" sentence ("," sentence)* "]}"
sentence ::= "{\"passage\":\"P" [1-3] "\",\"text\":\"" letter+ "\"}"
letter ::= [^"\\\x00-\x1f]
"""
ENDLESS = "root ::= [a-z] root"
QUESTION = [
    ChatMessage("system", "Answer from the passages."),
    ChatMessage("user", "What did the court hold?"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def small(folder: Path) -> Path:
    return write_random_model(folder / "small.gguf")


@pytest.fixture(scope="module")
def slow(folder: Path) -> Path:
    """Takes a millisecond or so for a token."""
    return write_random_model(
        folder / "slow.gguf", width=256, inner=1024, layers=6, heads=8, key_heads=4, context=8192
    )


@pytest.fixture(scope="module")
def process() -> Iterator[ModelProcess]:
    found = ModelProcess(handlers=HANDLERS)
    yield found
    found.close()


@pytest.fixture
def client(small: Path, process: ModelProcess) -> LlamaClient:
    return LlamaClient(LlamaOptions(small, context_tokens=2048), process)


def asked(
    client: LlamaClient, messages: Sequence[ChatMessage], sampling: Sampling, token: CancelToken | None = None
) -> tuple[str, Ended]:
    """The whole answer, and how it ended."""
    *parts, ended = client.generate(messages, sampling, token)
    assert isinstance(ended, Ended)
    texts = [part for part in parts if isinstance(part, str)]
    assert len(texts) == len(parts)
    assert all(texts)
    return "".join(texts), ended


def eventually(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.01)


def test_every_answer_follows_its_grammar(client: LlamaClient) -> None:
    ends = set()
    for number in range(12):
        turns = [*QUESTION[:1], ChatMessage("user", f"What of weir {number}?")]
        text, ended = asked(client, turns, Sampling(400, grammar=ANSWER))
        ends.add(ended.reason)
        if ended.reason == "end":
            for sentence in json.loads(text)["sentences"]:
                assert sentence["passage"] in ("P1", "P2", "P3")
                assert sentence["text"]
        else:
            assert text.startswith('{"sentences":[{"passage":"P')
    assert "end" in ends


def test_a_grammar_that_leaves_no_choice_is_written_as_it_is(client: LlamaClient) -> None:
    text, ended = asked(client, QUESTION, Sampling(100, grammar='root ::= "the weir (tidal), P1"'))
    assert (text, ended.reason) == ("the weir (tidal), P1", "end")


@pytest.mark.parametrize(
    ("grammar", "reason"),
    [
        ('root ::= "open', "unexpected end of input"),
        ("root = [a-z]", "expecting ::="),
        ("root ::= missing", "ndefined rule"),
        ('answer ::= "a"', "root"),
        ('root ::= root "a"', "begins with itself"),
        ('root ::= "a\x00"', "no grammar has"),
    ],
)
def test_a_grammar_that_is_none_is_refused(client: LlamaClient, grammar: str, reason: str) -> None:
    with pytest.raises(ModelUnavailable, match=f"grammar of the answer is none: .*{reason}") as caught:
        asked(client, QUESTION, Sampling(20, grammar=grammar))
    assert not isinstance(caught.value, ModelCrashed)
    assert asked(client, QUESTION, Sampling(20, grammar='root ::= "yes"'))[0] == "yes"


def test_the_reason_quotes_nothing_of_a_grammar(client: LlamaClient) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        asked(client, QUESTION, Sampling(20, grammar='root ::= "privileged words" ) secret'))
    assert "privileged" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_characters_spread_over_tokens_come_whole(client: LlamaClient) -> None:
    text, ended = asked(client, QUESTION, Sampling(100, grammar='root ::= "“é漢🌊”"'))
    assert text == "“é漢🌊”"
    assert ended.tokens > len(text)


def test_a_character_that_was_cut_off_is_left_out(client: LlamaClient) -> None:
    text, ended = asked(client, QUESTION, Sampling(4, grammar='root ::= "漢漢漢"'))
    assert (text, ended.tokens, ended.reason) == ("漢", 4, "length")


def test_the_same_question_has_the_same_answer(client: LlamaClient) -> None:
    first, ended = asked(client, QUESTION, Sampling(80))
    again, _ = asked(client, QUESTION, Sampling(80))
    assert first == again
    assert ended.tokens > 0


def test_what_was_read_before_is_not_read_again_and_changes_nothing(small: Path) -> None:
    evidence = "The court held that the tenant must give notice of the tide. " * 20
    questions = [
        [ChatMessage("user", f"{evidence}\n{question}")] for question in ("Who must?", "When is it?")
    ]
    cold, warm = ModelProcess(handlers=HANDLERS), ModelProcess(handlers=HANDLERS)
    try:
        options = LlamaOptions(small, context_tokens=2048)
        expected, alone = asked(LlamaClient(options, cold), questions[1], Sampling(60, grammar=ANSWER))
        client = LlamaClient(options, warm)
        _, first = asked(client, questions[0], Sampling(60, grammar=ANSWER))
        text, second = asked(client, questions[1], Sampling(60, grammar=ANSWER))
    finally:
        cold.close()
        warm.close()
    assert alone.cached_tokens == first.cached_tokens == 0
    assert second.prompt_tokens == alone.prompt_tokens
    assert second.prompt_tokens - second.cached_tokens < 256
    assert text == expected


def test_reading_alone_prepares_what_comes_after(client: LlamaClient) -> None:
    beginning = [ChatMessage("system", "Rules of answering from passages. " * 30)]
    text, read = asked(client, [*beginning, ChatMessage("user", ".")], Sampling(0))
    assert (text, read.tokens) == ("", 0)
    _, ended = asked(client, [*beginning, ChatMessage("user", "Who?")], Sampling(5))
    assert 0 < ended.cached_tokens < ended.prompt_tokens


def test_an_answer_ends_when_the_context_is_full(small: Path, process: ModelProcess) -> None:
    client = LlamaClient(LlamaOptions(small, context_tokens=256), process)
    _, ended = asked(client, QUESTION, Sampling(10_000, grammar=ENDLESS))
    assert ended.reason == "length"
    assert ended.prompt_tokens + ended.tokens == 256


def test_a_prompt_longer_than_the_context_is_refused_with_both_numbers(client: LlamaClient) -> None:
    long = "the tenant " * 3000
    with pytest.raises(ModelUnavailable, match=r"the prompt has [\d,]+ tokens, .* 2,048 in view") as caught:
        asked(client, [ChatMessage("user", long)], Sampling(10))
    told = int(str(caught.value).split("has ")[1].split()[0].replace(",", ""))
    assert 6000 <= told < 6100
    assert asked(client, QUESTION, Sampling(5))[1].tokens == 5


def test_what_was_written_in_time_is_given(slow: Path, process: ModelProcess) -> None:
    client = LlamaClient(LlamaOptions(slow, context_tokens=8192), process)
    text, ended = asked(client, QUESTION, Sampling(8000, seconds=0.5, grammar=ENDLESS))
    assert ended.reason == "time"
    assert len(text) >= ended.tokens - 1 > 0


def test_time_may_end_while_the_prompt_is_read(slow: Path, process: ModelProcess) -> None:
    client = LlamaClient(LlamaOptions(slow, context_tokens=8192), process)
    text, ended = asked(client, QUESTION, Sampling(100, seconds=0.0))
    assert (text, ended.tokens, ended.reason) == ("", 0, "time")
    assert asked(client, QUESTION, Sampling(3))[1].tokens == 3


def test_cancelling_while_it_writes_stops_it(slow: Path, process: ModelProcess) -> None:
    client = LlamaClient(LlamaOptions(slow, context_tokens=8192), process)
    token = CancelToken()
    answer = client.generate(QUESTION, Sampling(8000, grammar=ENDLESS), token)
    assert isinstance(next(answer), str)
    token.cancel()
    with pytest.raises(Cancelled):
        list(answer)
    life = process.life
    # Requests are done one after the other: this one comes when the one before has stopped.
    assert asked(client, QUESTION, Sampling(3))[1].tokens == 3
    assert process.life == life


def test_cancelling_while_it_reads_stops_it(slow: Path, process: ModelProcess) -> None:
    client = LlamaClient(LlamaOptions(slow, context_tokens=8192), process)
    client.load()
    prompt = [ChatMessage("user", "the tenant of the weir " * 600)]
    token = CancelToken()
    threading.Timer(0.2, token.cancel).start()
    with pytest.raises(Cancelled):
        asked(client, prompt, Sampling(5), token)
    _, ended = asked(client, prompt, Sampling(5))
    assert ended.cached_tokens < ended.prompt_tokens - 256
    assert ended.tokens == 5


def test_nobody_listening_stops_it(slow: Path, process: ModelProcess) -> None:
    client = LlamaClient(LlamaOptions(slow, context_tokens=8192), process)
    answer = client.generate(QUESTION, Sampling(8000, seconds=600, grammar=ENDLESS))
    next(answer)
    answer.close()  # type: ignore[attr-defined]
    assert asked(client, QUESTION, Sampling(3))[1].tokens == 3


def test_a_kill_in_the_middle_costs_the_one_answer(slow: Path) -> None:
    process = ModelProcess(handlers=HANDLERS)
    try:
        client = LlamaClient(LlamaOptions(slow, context_tokens=8192), process)
        answer = client.generate(QUESTION, Sampling(8000, grammar=ENDLESS))
        next(answer)
        assert client.ready
        os.kill(process.life, signal.SIGKILL)
        with pytest.raises(ModelCrashed, match=r"ended by SIGKILL.*the next request starts it again"):
            list(answer)
        assert not client.ready
        assert asked(client, QUESTION, Sampling(3))[1].tokens == 3
        assert client.ready
    finally:
        process.close()


def test_an_idle_model_is_unloaded_and_comes_back(small: Path) -> None:
    process = ModelProcess(handlers=HANDLERS, idle_seconds=0.2)
    try:
        client = LlamaClient(LlamaOptions(small, context_tokens=512), process)
        asked(client, QUESTION, Sampling(3))
        eventually(lambda: process.life == 0)
        assert not client.ready
        assert asked(client, QUESTION, Sampling(3))[1].cached_tokens == 0
    finally:
        process.close()


def test_another_context_or_model_takes_the_place_of_the_first(
    small: Path, folder: Path, process: ModelProcess
) -> None:
    other = write_random_model(folder / "other.gguf", seed=1, template="")
    texts = []
    for path, tokens in ((small, 512), (small, 768), (other, 768), (small, 512)):
        client = LlamaClient(LlamaOptions(path, context_tokens=tokens), process)
        texts.append(asked(client, QUESTION, Sampling(40))[0])
        assert f"{tokens:,} tokens in view" in client.about
        assert ("no chat template" in client.about) == (path == other)
    assert texts[0] == texts[3] != texts[2]


def test_preparing_loads_it(small: Path) -> None:
    process = ModelProcess(handlers=HANDLERS)
    try:
        client = LlamaClient(LlamaOptions(small, context_tokens=2048), process)
        assert not client.ready
        client.prepare()
        eventually(lambda: client.ready)
        assert client.problem == ""
    finally:
        process.close()


def test_preparing_says_what_went_wrong(tmp_path: Path, process: ModelProcess) -> None:
    client = LlamaClient(LlamaOptions(tmp_path / "absent.gguf"), process)
    client.prepare()
    eventually(lambda: bool(client.problem))
    assert "absent.gguf" in client.problem
    assert not client.ready


def damaged(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("empty.gguf", lambda whole: b"", "it is empty"),
        (
            "notes.gguf",
            lambda whole: b"Notes of a meeting\n" * 100,
            "is no GGUF file: it begins with b'Note'",
        ),
        ("old.gguf", lambda whole: b"GGUF\x01" + whole[5:], r"version of GGUF that is not read here \(1\)"),
        ("head.gguf", lambda whole: whole[:3000], "ends too early"),
        ("half.gguf", lambda whole: whole[: len(whole) // 2], "corrupted or incomplete"),
    ],
)
def test_files_that_are_no_models_are_refused_by_name(
    small: Path,
    tmp_path: Path,
    process: ModelProcess,
    name: str,
    change: Callable[[bytes], bytes],
    reason: str,
) -> None:
    path = damaged(tmp_path, name, change(small.read_bytes()))
    with pytest.raises(ModelUnavailable, match=reason) as caught:
        LlamaClient(LlamaOptions(path), process).load()
    assert name in str(caught.value)


def test_a_folder_and_a_model_without_vocabulary_are_refused(tmp_path: Path, process: ModelProcess) -> None:
    with pytest.raises(ModelUnavailable, match="is a folder, not a model file"):
        LlamaClient(LlamaOptions(tmp_path), process).load()
    path = write_random_model(tmp_path / "wordless.gguf", with_vocabulary=False)
    with pytest.raises(ModelUnavailable, match=r"wordless\.gguf cannot be used: it has no vocabulary"):
        LlamaClient(LlamaOptions(path), process).load()


def test_a_missing_file_is_told_with_the_remedy(tmp_path: Path, process: ModelProcess) -> None:
    with pytest.raises(ModelUnavailable, match=r"no model file .*away\.gguf.*lexls models add"):
        LlamaClient(LlamaOptions(tmp_path / "away.gguf"), process).load()


def test_a_model_that_needs_too_much_is_refused_before_it_is_loaded(
    small: Path, process: ModelProcess
) -> None:
    options = LlamaOptions(small, context_tokens=65536, memory_megabytes=50)
    with pytest.raises(ModelUnavailable, match=r"need \d+ MB .*llama\.memoryMegabytes allows 50 MB.*65,536"):
        LlamaClient(options, process).load()
    huge = LlamaOptions(small, context_tokens=2**30)
    with pytest.raises(ModelUnavailable, match=r"need [\d,]+ MB .*[\d,]+ MB are free"):
        LlamaClient(huge, process).load()


def test_without_llama_cpp_the_remedy_is_told(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("llama_cpp", "xllamacpp"):
        monkeypatch.setitem(sys.modules, name, None)
    given = {"path": str(small), "context_tokens": 512, "threads": 0, "gpu_layers": 0, "memory_megabytes": 0}
    with pytest.raises(JobRefused, match=r"needs llama\.cpp; run `pip install 'lexls\[llama\]'`"):
        list(open_handlers()["llama-load"](Job(given, (), CancelToken())))


def test_the_module_of_handlers_alone_imports_nothing_heavy() -> None:
    import subprocess

    program = (
        "import sys, lexls.models.llama_handlers, lexls.models.llama_client\n"
        "print(sorted({'llama_cpp', 'numpy', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("template", [CHAT_TEMPLATE, ""])
def test_many_short_requests_with_a_grammar_all_parse(
    folder: Path, process: ModelProcess, template: str
) -> None:
    path = write_random_model(folder / f"many{bool(template)}.gguf", seed=5, template=template)
    client = LlamaClient(LlamaOptions(path, context_tokens=1024), process)
    short = r'root ::= "{\"missing\":[\"" [^"\\\x00-\x1f]{1,40} "\"]}"'
    for number in range(40):
        text, ended = asked(client, [ChatMessage("user", f"Of {number}?")], Sampling(400, grammar=short))
        assert ended.reason == "end"
        assert json.loads(text)["missing"][0]
