"""Answers of a model of llama.cpp, whose weights are random: it writes whatever the grammar lets it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_samples import BRIDGE, FERRY, NASTY, evidence, request

pytest.importorskip("lexls.models.llama_conversation")
pytest.importorskip("gguf")

from random_gguf import write_random_model

from lexls.grounding.generator import Claim, GenerationFailed, GeneratorChoice, Insufficient, Part, Usage
from lexls.grounding.generators.llama import LlamaGenerator
from lexls.grounding.keywords import KEYWORDS, find_keywords
from lexls.grounding.prompts.templates import clean_text, read_own_template
from lexls.grounding.request import Request
from lexls.models.llama_client import LlamaClient
from lexls.models.messages import ChatMessage, Ended, LlamaOptions, Sampling
from lexls.models.process import ModelProcess
from lexls.text.cancel import Cancelled, CancelToken

SECRET = b"of these tests"
LONG = " ".join(f"The keeper must mend plank {number} before the flood." for number in range(400))


@pytest.fixture(scope="module")
def models() -> Iterator[ModelProcess]:
    process = ModelProcess()
    yield process
    process.close()


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("llama") / "random.gguf"
    write_random_model(path)
    return path


def generator(
    models: ModelProcess,
    model_file: Path,
    *,
    context: int = 16384,
    tokens: int = 400,
    verbatim: bool = False,
    folder: Path | None = None,
) -> LlamaGenerator:
    client = LlamaClient(LlamaOptions(model_file, context, threads=1), models)
    choice = GeneratorChoice(
        "llama", prompt_folder=folder, answer_tokens=tokens, seconds=60.0, verbatim=verbatim
    )
    return LlamaGenerator(client, choice, SECRET)


def parts(asked: Request, answering: LlamaGenerator) -> list[Part]:
    return list(answering.generate(asked, CancelToken()))


class Answering(LlamaClient):
    """A client whose model cannot say that something is missing, which random weights like to say."""

    def generate(
        self, messages: Sequence[ChatMessage], sampling: Sampling, token: CancelToken | None = None
    ) -> Iterator[str | Ended]:
        root, _, rules = sampling.grammar.partition("\n")
        only = f"{root.rpartition(' | ')[0]}\n{rules}"
        yield from super().generate(messages, replace(sampling, grammar=only), token)


@pytest.mark.parametrize("verbatim", [False, True])
def test_every_claim_names_passages_of_the_request(
    models: ModelProcess, model_file: Path, verbatim: bool
) -> None:
    client = Answering(LlamaOptions(model_file, 16384, threads=1), models)
    # As many tokens as the longest sentence with its quotations could have.
    choice = GeneratorChoice("llama", answer_tokens=4000, seconds=120.0, verbatim=verbatim)
    answering = LlamaGenerator(client, choice, SECRET)
    for number in range(2):
        asked = request(BRIDGE, FERRY, NASTY, question=f"Who keeps plank {number}?", sentences=1)
        claim, usage = parts(asked, answering)
        assert isinstance(usage, Usage)
        assert usage.cut == ""
        assert isinstance(claim, Claim)
        assert claim.text
        assert verbatim <= bool(claim.quoted)
        for quoted in claim.quoted:
            passage = asked.find(quoted.identifier)
            assert passage is not None
            if verbatim:
                assert quoted.quotation in " ".join(clean_text(passage.text).split())


def test_other_answers_say_what_is_missing(models: ModelProcess, model_file: Path) -> None:
    *found, usage = parts(request(" \n "), generator(models, model_file, verbatim=True, tokens=1200))
    assert isinstance(usage, Usage)
    assert usage.cut == ""
    [insufficient] = found
    assert isinstance(insufficient, Insufficient)
    assert len(insufficient.missing) <= 3


def test_follow_up_on_the_same_evidence_reads_only_what_is_new(
    models: ModelProcess, model_file: Path
) -> None:
    answering = generator(models, model_file, tokens=1)
    *_, first = parts(request(BRIDGE * 4, FERRY, question="Who keeps it?"), answering)
    *_, second = parts(request(BRIDGE * 4, FERRY, question="And who pays?"), answering)
    assert isinstance(first, Usage)
    assert isinstance(second, Usage)
    assert second.prompt_tokens - second.cached_tokens < 200
    assert second.cached_tokens > first.prompt_tokens * 0.9


def test_rules_are_read_before_the_first_question(models: ModelProcess, model_file: Path) -> None:
    answering = generator(models, model_file, tokens=1)
    parts(request(NASTY, question="Anything?"), answering)
    *_, usage = parts(request(BRIDGE, FERRY, question="Who keeps it?"), answering)
    assert isinstance(usage, Usage)
    assert usage.cached_tokens > usage.prompt_tokens / 3


def test_answer_that_is_cut_says_by_what(models: ModelProcess, model_file: Path) -> None:
    [usage] = parts(request(BRIDGE), generator(models, model_file, tokens=5))
    assert isinstance(usage, Usage)
    assert usage.tokens == 5
    assert "explain.answerTokens" in usage.cut


def test_evidence_is_cut_to_the_context(models: ModelProcess, model_file: Path) -> None:
    answering = generator(models, model_file, context=8192, tokens=300, verbatim=True)
    core = LONG.index("plank 200 ")
    asked = Request(
        "ask", "Who?", (evidence(1, FERRY), evidence(2, LONG, core=(core, core + 40)), evidence(3, LONG))
    )
    *found, usage = parts(asked, answering)
    assert isinstance(usage, Usage)
    assert 8192 * 0.7 < usage.prompt_tokens <= 8192 - 300
    for part in found:
        for quoted in part.quoted if isinstance(part, Claim) else ():
            assert quoted.identifier in ("P1", "P2")


def test_context_without_room_for_a_passage_is_told(models: ModelProcess, model_file: Path) -> None:
    with pytest.raises(GenerationFailed, match=r"llama\.contextTokens"):
        parts(request(BRIDGE), generator(models, model_file, context=1024))


def test_room_grows_with_the_context(models: ModelProcess, model_file: Path) -> None:
    small, large = (generator(models, model_file, context=tokens).room for tokens in (4096, 32768))
    assert large > 10 * small > 10 * 1000


def test_model_that_is_gone_is_named(models: ModelProcess, tmp_path: Path) -> None:
    with pytest.raises(GenerationFailed, match=r"gone\.gguf"):
        parts(request(BRIDGE), generator(models, tmp_path / "gone.gguf"))


def test_template_that_cannot_be_used_is_named(
    models: ModelProcess, model_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "ask.md").write_text(read_own_template("ask").replace("{{history}}", ""), encoding="utf-8")
    with pytest.raises(GenerationFailed, match=r"ask\.md: missing placeholder \{\{history\}\}"):
        parts(request(BRIDGE), generator(models, model_file, folder=tmp_path))


def test_cancelled_request_ends(models: ModelProcess, model_file: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(generator(models, model_file).generate(request(BRIDGE), token))


def test_keywords_are_asked_of_a_model_that_is_ready(
    models: ModelProcess, model_file: Path, tmp_path: Path
) -> None:
    client = LlamaClient(LlamaOptions(model_file, 4096, threads=1), models)
    question = "Must the trust repay tolls of 2019?"
    client.load()
    found = find_keywords(client, question, CancelToken(), 30.0)
    assert len(found) <= KEYWORDS
    assert found == find_keywords(client, question, CancelToken(), 30.0)
    assert find_keywords(client, "x" * 5000, CancelToken(), 30.0) == ()
    assert find_keywords(client, " \n", CancelToken(), 30.0) == ()
    assert find_keywords(client, question, CancelToken(), 30.0, tmp_path / "gone") == ()
    gone = LlamaClient(LlamaOptions(tmp_path / "gone.gguf"), models)
    assert find_keywords(gone, question, CancelToken(), 30.0) == ()
    cancelled = CancelToken()
    cancelled.cancel()
    with pytest.raises(Cancelled):
        find_keywords(client, question, cancelled, 30.0)
