"""Reranking with real cross-encoders of random weights, in the real model process."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from bert_reference import pair_score, random_weights
from small_models import HEADS, POSITIONS, WORDS, small_tokenizer, write_cross_encoder, write_tokenizer

from lexls.models.encoder_clients import CrossEncoderClient
from lexls.models.messages import ModelCrashed, ModelUnavailable
from lexls.models.process import ModelProcess
from lexls.text.cancel import Cancelled, CancelToken

QUERY = "is a tidal weir a barrier"
PASSAGES = [
    "the sea covers the weir twice a day .",
    "notice of lien",
    "the tenants of the carrier",
    "a barrier is a weir .",
    "",
    "tidal " * 200,
    "weir unknown words",
    "day",
    "the lien of a carrier is a lien . the lien of a tenant is of a day .",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cross_encoder(tmp_path_factory.mktemp("models") / "cross-encoder")


@pytest.fixture(scope="module")
def process() -> Iterator[ModelProcess]:
    made = ModelProcess()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def empty_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))


def reference(passages: list[str]) -> list[float]:
    weights = random_weights(len(WORDS), 32, 64, 2, POSITIONS, 5, 1)
    tokenizer = small_tokenizer()
    tokenizer.enable_truncation(POSITIONS)
    pairs = [tokenizer.encode(QUERY, passage) for passage in passages]
    return [pair_score(weights, pair.ids, pair.type_ids, HEADS) for pair in pairs]


def test_scores_are_those_of_the_model_in_order(folder: Path, process: ModelProcess) -> None:
    client = CrossEncoderClient(f"{folder}:fp32", process)
    scores = client.scores(QUERY, PASSAGES)
    assert client.kind == "onnxruntime, fp32"
    assert scores == pytest.approx(reference(PASSAGES), abs=1e-4)
    assert max(scores) - min(scores) > 0.1
    assert client.scores(QUERY, []) == []
    assert client.scores(QUERY, PASSAGES[::-1]) == scores[::-1]


def test_int8_is_the_default_and_nearly_as_exact(folder: Path, process: ModelProcess) -> None:
    client = CrossEncoderClient(str(folder), process)
    scores = client.scores(QUERY, PASSAGES)
    assert client.kind.startswith("onnxruntime, int8")
    assert scores == pytest.approx(reference(PASSAGES), abs=0.1)


def test_a_kill_costs_one_request_and_the_model_is_loaded_again(folder: Path, process: ModelProcess) -> None:
    client = CrossEncoderClient(str(folder), process)
    assert not client.ready
    before = client.scores(QUERY, PASSAGES)
    assert client.ready
    threading.Timer(0.3, os.kill, (process.life, signal.SIGKILL)).start()
    with pytest.raises(ModelCrashed, match="SIGKILL"):
        client.scores(QUERY, PASSAGES * 3_000)
    assert not client.ready
    assert client.scores(QUERY, PASSAGES) == before


def test_cancelling_stops_between_batches(folder: Path, process: ModelProcess) -> None:
    client, token = CrossEncoderClient(str(folder), process), CancelToken()
    client.load()
    life = process.life
    threading.Timer(0.1, token.cancel).start()
    with pytest.raises(Cancelled):
        client.scores(QUERY, PASSAGES * 3_000, token)
    assert len(client.scores(QUERY, PASSAGES)) == len(PASSAGES)
    assert process.life == life


def test_the_model_can_be_loaded_in_the_background(folder: Path, process: ModelProcess) -> None:
    client = CrossEncoderClient(str(folder), process)
    client.prepare()
    until = time.monotonic() + 60
    while not client.ready:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert client.problem == ""


def test_why_it_could_not_be_loaded_is_kept(process: ModelProcess) -> None:
    client = CrossEncoderClient("law/no-such-model", process)
    client.prepare()
    until = time.monotonic() + 60
    while not client.problem:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert (
        "law/no-such-model is not on this machine; run `lexls models get law/no-such-model`" in client.problem
    )
    assert not client.ready


@pytest.mark.parametrize("name", ["law/no-such-model", "no/such/folder", "x" * 300, "../up", ""])
def test_a_model_that_is_not_there_says_how_to_get_it(process: ModelProcess, name: str) -> None:
    with pytest.raises(ModelUnavailable, match="is not on this machine; run `lexls models get"):
        CrossEncoderClient(name, process).scores(QUERY, PASSAGES)


def test_a_model_with_several_outputs_is_refused(tmp_path: Path, process: ModelProcess) -> None:
    several = write_cross_encoder(tmp_path / "several", labels=3)
    with pytest.raises(ModelUnavailable, match="has 3 outputs, and a reranker has one"):
        CrossEncoderClient(str(several), process).scores(QUERY, PASSAGES)


def test_damaged_weights_are_named(tmp_path: Path, process: ModelProcess) -> None:
    damaged = write_cross_encoder(tmp_path / "damaged")
    data = (damaged / "model.safetensors").read_bytes()
    (damaged / "model.safetensors").write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelUnavailable, match=r"cannot be opened: |model\.safetensors: .*pip install"):
        CrossEncoderClient(str(damaged), process).scores(QUERY, PASSAGES)


@pytest.mark.parametrize("token_types", [True, False])
def test_sentence_transformers_itself_gives_the_same_scores(
    tmp_path: Path, process: ModelProcess, token_types: bool
) -> None:
    folder = write_cross_encoder(tmp_path / "model", token_types=token_types)
    sentence_transformers = pytest.importorskip("sentence_transformers")
    torch = pytest.importorskip("torch")
    direct = sentence_transformers.CrossEncoder(str(folder), local_files_only=True, device="cpu")
    pairs = [(QUERY, passage) for passage in PASSAGES]
    theirs = direct.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False)
    ours = CrossEncoderClient(f"{folder}:fp32", process).scores(QUERY, PASSAGES)
    assert ours == pytest.approx(theirs.tolist(), abs=1e-4)
    assert np.argsort(ours).tolist() == np.argsort(theirs).tolist()


def test_a_model_of_another_shape_is_run_by_sentence_transformers(
    tmp_path: Path, process: ModelProcess
) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    other = tmp_path / "distilbert"
    torch.manual_seed(3)
    config = transformers.DistilBertConfig(
        vocab_size=len(WORDS), dim=32, hidden_dim=64, n_layers=2, n_heads=4,
        max_position_embeddings=POSITIONS, num_labels=1, initializer_range=0.5,
    )  # fmt: skip
    transformers.DistilBertForSequenceClassification(config).save_pretrained(other)
    write_tokenizer(other)
    direct = sentence_transformers.CrossEncoder(str(other), local_files_only=True, device="cpu")
    pairs = [(QUERY, passage) for passage in PASSAGES]
    theirs = direct.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False)
    client = CrossEncoderClient(str(other), process)
    ours = client.scores(QUERY, PASSAGES)
    assert client.kind == "sentence-transformers"
    assert ours == pytest.approx(theirs.tolist(), abs=1e-4)
    assert np.argsort(ours).tolist() == np.argsort(theirs).tolist()


def test_a_model_of_another_shape_without_sentence_transformers_names_the_extra(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lexls.models import handlers
    from lexls.models.messages import Job, JobRefused

    other = tmp_path / "other"
    other.mkdir()
    for path in folder.iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps(config | {"hidden_act": "relu"}))
    monkeypatch.setattr(handlers.importlib.util, "find_spec", lambda name: None)
    job = Job({"model": str(other), "word_pieces": 64}, (QUERY, *PASSAGES), CancelToken())
    with pytest.raises(JobRefused, match=r"its hidden_act is 'relu'.*pip install 'lexls\[models\]'"):
        list(handlers.open_handlers()["score"](job))
