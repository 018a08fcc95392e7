"""Sentences of a model of llama.cpp, whose weights are random: it writes whatever the grammar lets it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_samples import BRIDGE, FERRY, evidence, request

from lexls.models.llama_runtime import find_runtime

if not find_runtime():
    pytest.skip("llama.cpp is not installed", allow_module_level=True)
pytest.importorskip("gguf")

from random_gguf import write_random_model

from lexls.grounding.answer import Claim, GenerationFailed, GeneratorChoice, Part, Quoted, Sentence, Usage
from lexls.grounding.generators.llama import (
    KEYWORDS,
    SENTENCE_TOKENS,
    LlamaGenerator,
    fill_sentence_prompt,
    find_keywords,
    find_shared_words,
)
from lexls.grounding.prompts.templates import load_template, read_own_template
from lexls.index.tokens import Tokenizer
from lexls.models.llama_client import LlamaClient
from lexls.models.messages import LlamaOptions
from lexls.models.process import ModelProcess
from lexls.text.cancel import Cancelled, CancelToken


@pytest.fixture(scope="module")
def models() -> Iterator[ModelProcess]:
    process = ModelProcess()
    yield process
    process.close()


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("llama") / "random.gguf"
    write_random_model(path, ends=True)
    return path


def generator(
    models: ModelProcess,
    model_file: Path,
    *,
    context: int = 4096,
    seconds: float = 60.0,
    folder: Path | None = None,
) -> LlamaGenerator:
    client = LlamaClient(LlamaOptions(model_file, context, threads=1), models)
    choice = GeneratorChoice("llama", prompt_folder=folder, seconds=seconds)
    return LlamaGenerator(client, choice, Tokenizer().tokenize)


def extracts(*texts: str) -> list[Sentence]:
    given = [evidence(number, text) for number, text in enumerate(texts, start=1)]
    pins = [each.pin(each.start, each.end) for each in given]
    return [Sentence(pin.text, (pin,), True, 1.0) for pin in pins]


def parts(answering: LlamaGenerator, *texts: str, question: str = "Who keeps it?") -> list[Part]:
    asked = request(*texts, question=question)
    return list(answering.generate(asked, CancelToken(), extracts(*texts)))


def test_there_is_one_sentence_at_most_for_each_extract(models: ModelProcess, model_file: Path) -> None:
    _, *claims, usage = parts(generator(models, model_file), BRIDGE, FERRY)
    assert isinstance(usage, Usage)
    assert 0 < usage.tokens <= 2 * SENTENCE_TOKENS
    assert claims
    for claim in claims:
        assert isinstance(claim, Claim)
        assert claim.text.endswith(".")
        assert "\n" not in claim.text
        assert claim.quoted in ((Quoted("P1", BRIDGE),), (Quoted("P2", FERRY),))


def test_it_is_told_of_the_question_only_what_the_quotation_says_too(
    models: ModelProcess, model_file: Path
) -> None:
    told = [
        find_shared_words(question, BRIDGE, Tokenizer().tokenize)
        for question in ("Must Mr Holm paint the planks that he keeps on a bridge?", "Who pays?")
    ]
    assert told == ["planks, keeps, bridge", "pays"]
    answering, read = generator(models, model_file), []
    for question in ("Who keeps planks on a bridge?", "Whose lorry keeps to the planks of Holm bridge?"):
        *_, usage = parts(answering, BRIDGE, question=question)
        assert isinstance(usage, Usage)
        read.append(usage.prompt_tokens)
    assert read[0] == read[1]


def test_without_an_extract_nothing_is_asked(models: ModelProcess, tmp_path: Path) -> None:
    assert parts(generator(models, tmp_path / "gone.gguf")) == [Usage()]


def test_what_every_question_begins_with_is_read_once(models: ModelProcess, model_file: Path) -> None:
    answering = generator(models, model_file)
    parts(answering, BRIDGE)
    *_, usage = parts(answering, FERRY, question="Who pays?")
    assert isinstance(usage, Usage)
    assert usage.cached_tokens > usage.prompt_tokens * 0.8


def test_what_is_written_does_not_depend_on_what_was_read_before(
    models: ModelProcess, model_file: Path
) -> None:
    _, *first, _ = parts(generator(models, model_file), BRIDGE)
    parts(generator(models, model_file), FERRY * 3)
    _, *again, _ = parts(generator(models, model_file), BRIDGE)
    assert first == again != []


def test_when_the_time_is_up_what_is_there_counts(models: ModelProcess, model_file: Path) -> None:
    _, *claims, usage = parts(generator(models, model_file, seconds=0.001), BRIDGE, FERRY)
    assert isinstance(usage, Usage)
    assert claims == []
    assert "explain.seconds" in usage.cut


def test_context_without_room_is_told(models: ModelProcess, model_file: Path) -> None:
    with pytest.raises(GenerationFailed, match=r"llama\.contextTokens"):
        parts(generator(models, model_file, context=512), BRIDGE)


def test_model_that_is_gone_is_named(models: ModelProcess, tmp_path: Path) -> None:
    with pytest.raises(GenerationFailed, match=r"gone\.gguf"):
        parts(generator(models, tmp_path / "gone.gguf"), BRIDGE)


def test_template_that_cannot_be_used_is_named(
    models: ModelProcess, model_file: Path, tmp_path: Path
) -> None:
    own = read_own_template("sentence").replace("{{quotation}}", "")
    (tmp_path / "sentence.md").write_text(own, encoding="utf-8")
    with pytest.raises(GenerationFailed, match=r"sentence\.md: missing placeholder \{\{quotation\}\}"):
        parts(generator(models, model_file, folder=tmp_path), BRIDGE)


def test_cancelled_request_ends(models: ModelProcess, model_file: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(generator(models, model_file).generate(request(BRIDGE), token, extracts(BRIDGE)))


def test_an_example_is_a_turn_and_only_the_last_turn_changes() -> None:
    template = load_template("sentence")
    first, second = (fill_sentence_prompt(template, "Who?", text) for text in (BRIDGE, FERRY))
    assert [each.role for each in first] == [
        "system",
        *["user", "assistant"] * len(template.examples),
        "user",
    ]
    assert first[:-1] == second[:-1]
    assert BRIDGE in first[-1].content


def test_a_model_says_how_likely_its_beginnings_are(models: ModelProcess, model_file: Path) -> None:
    client = generator(models, model_file).client
    turns = fill_sentence_prompt(load_template("sentence"), "Who?", BRIDGE)
    yes, no = client.score(turns, ("Yes", "No"))
    assert yes < 0
    assert no < 0
    assert client.score(turns, ("No", "Yes")) == pytest.approx([no, yes])
    assert client.score(turns, ()) == []


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
