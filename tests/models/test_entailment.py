"""Judging entailment with real models of random weights, in the real model process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from bert_reference import pair_logits, random_weights
from small_models import HEADS, POSITIONS, WORDS, small_tokenizer, write_cross_encoder

from lexls.models.encoder_clients import EntailmentClient
from lexls.models.messages import ModelUnavailable
from lexls.models.process import ModelProcess
from lexls.text.cancel import Cancelled, CancelToken

PAIRS = [
    ("the sea covers the weir twice a day .", "the weir is tidal ."),
    ("notice of lien", "the carrier is barrier"),
    ("a barrier is a weir .", "a weir is a barrier ."),
    ("", "tenant"),
    ("tidal " * 200, "day"),
]
LABELS = {"0": "CONTRADICTION", "1": "entailment", "2": "neutral"}


@pytest.fixture(scope="module")
def process() -> Iterator[ModelProcess]:
    made = ModelProcess()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def empty_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))


def model(folder: Path, labels: dict[str, str]) -> Path:
    written = write_cross_encoder(folder, labels=len(labels))
    config = json.loads((written / "config.json").read_text())
    config["id2label"] = labels
    (written / "config.json").write_text(json.dumps(config))
    return written


def logits(labels: int) -> np.ndarray:
    weights = random_weights(len(WORDS), 32, 64, 2, POSITIONS, 5, labels)
    tokenizer = small_tokenizer()
    tokenizer.enable_truncation(POSITIONS)
    encoded = [tokenizer.encode(*pair) for pair in PAIRS]
    return np.array([pair_logits(weights, each.ids, each.type_ids, HEADS) for each in encoded])


def test_of_three_labels_the_one_named_entailment_counts(tmp_path: Path, process: ModelProcess) -> None:
    client = EntailmentClient(f"{model(tmp_path / 'nli', LABELS)}:fp32", process)
    found = client.probabilities(PAIRS)
    exponents = np.exp(logits(3))
    expected = exponents / exponents.sum(axis=1, keepdims=True)
    assert client.kind == "onnxruntime, fp32"
    assert found == pytest.approx(expected[:, 1].tolist(), abs=1e-4)
    assert max(found) - min(found) > 0.01
    assert client.probabilities([]) == []


def test_one_label_gives_its_logistic(tmp_path: Path, process: ModelProcess) -> None:
    client = EntailmentClient(f"{model(tmp_path / 'single', {'0': 'LABEL_0'})}:fp32", process)
    expected = 1 / (1 + np.exp(-logits(1)[:, 0]))
    assert client.probabilities(PAIRS) == pytest.approx(expected.tolist(), abs=1e-4)


def test_int8_is_nearly_as_exact(tmp_path: Path, process: ModelProcess) -> None:
    folder = model(tmp_path / "nli", LABELS)
    exact = EntailmentClient(f"{folder}:fp32", process).probabilities(PAIRS)
    client = EntailmentClient(str(folder), process)
    assert client.probabilities(PAIRS) == pytest.approx(exact, abs=0.05)
    assert client.kind.startswith("onnxruntime, int8")


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
        {"0": "not_entailment", "1": "neutral"},
        {"0": "entailment", "1": "entailment"},
    ],
)
def test_labels_that_do_not_say_entailment_are_refused(
    tmp_path: Path, process: ModelProcess, labels: dict[str, str]
) -> None:
    with pytest.raises(ModelUnavailable, match="cannot judge entailment"):
        EntailmentClient(str(model(tmp_path / "other", labels)), process).probabilities(PAIRS)


def test_two_labels_are_enough(tmp_path: Path, process: ModelProcess) -> None:
    folder = model(tmp_path / "two", {"0": "entailment", "1": "not_entailment"})
    exponents = np.exp(logits(2))
    expected = (exponents / exponents.sum(axis=1, keepdims=True))[:, 0]
    assert EntailmentClient(f"{folder}:fp32", process).probabilities(PAIRS) == pytest.approx(
        expected.tolist(), abs=1e-4
    )


def test_weights_that_do_not_fit_the_labels_are_named(tmp_path: Path, process: ModelProcess) -> None:
    folder = model(tmp_path / "wrong", LABELS)
    config = json.loads((folder / "config.json").read_text())
    config["id2label"] = {**LABELS, "3": "other"}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelUnavailable, match=r"3 outputs|cannot be opened|pip install"):
        EntailmentClient(str(folder), process).probabilities(PAIRS)


def test_the_judge_asks_the_model(tmp_path: Path, process: ModelProcess) -> None:
    folder = f"{model(tmp_path / 'nli', LABELS)}:fp32"
    judge, token = EntailmentClient(folder, process), CancelToken()
    exponents = np.exp(logits(3))
    expected = (exponents / exponents.sum(axis=1, keepdims=True))[0, 1]
    assert judge.entails(*PAIRS[0], token) == pytest.approx(expected, abs=1e-4)
    token.cancel()
    with pytest.raises(Cancelled):
        judge.entails(*PAIRS[0], token)


def test_a_judge_that_is_not_there_says_why(process: ModelProcess) -> None:
    judge = EntailmentClient("law/no-such-judge", process)
    with pytest.raises(ModelUnavailable, match="not on this machine"):
        judge.entails("a", "b", CancelToken())
    assert "lexls models get law/no-such-judge" in judge.problem
