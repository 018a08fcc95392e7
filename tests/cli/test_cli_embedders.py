"""``lexls eval --embedders`` end to end, with a small model of random weights in MiniLM's place."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from bert_reference import random_weights, write_safetensors
from small_models import small_tokenizer

from lexls.cli.embedders import find_hub_name
from lexls.index.embedding import get_model, model_cache
from lexls.index.embedding.model_cache import TOKENIZER_FILE, WEIGHTS_FILE

Run = Any
"""``Run`` of conftest.py."""
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "board", "expert", "court", "gift", "pontoon", "a", "."]
SMALL = "all-MiniLM-L6-v2:fp32"
QUESTIONS = (
    {"id": "pontoon", "text": "The board knew of the sunken pontoon.", "gold": ["ash-mooring"]},
    {"id": "expert", "text": "An expert owes a duty to the court.", "gold": ["lorne"]},
)


@pytest.fixture
def benchmark(matter: Path) -> str:
    (matter / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), encoding="utf-8")
    return "questions.jsonl"


@pytest.fixture
def small_model(matter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The model's name; it lies built in the user's cache folder of ``matter``."""
    tensors = random_weights(len(WORDS), hidden=48, inner=96, layers=2, positions=300, seed=3)
    files = {
        WEIGHTS_FILE: write_safetensors(tensors),
        TOKENIZER_FILE: small_tokenizer(WORDS).to_str().encode(),
    }
    folder = tmp_path / "weights"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    monkeypatch.setattr(model_cache, "SHA256", hashes)
    get_model(folder, lambda line: None, SMALL)
    return SMALL


def indexes(matter: Path) -> list[Path]:
    return sorted((matter.parent / "home" / "lexls" / "embedders").rglob("*.sqlite3"))


def test_models_stand_side_by_side(
    lexls: Run, benchmark: str, small_model: str, matter: Path, tmp_path: Path
) -> None:
    arguments = ["eval", benchmark, "--embedders", small_model, "all-MiniLM-L6-v2:int8"]
    result = lexls(*arguments, "--json", "--save", "run.jsonl", "--plot", "run.png")
    assert result.code == 0, result.err
    told = result.json
    assert (told["documents"], told["sampled"]) == (4, False)
    words, small, missing = told["embedders"]
    assert words["model"] == "words alone"
    assert words["all"]["figures"]["mrr"] == 1.0
    assert small["dimension"] == 48
    assert small["passages_a_second"] > 0
    assert small["query_ms"] > 0
    assert 0 < small["alone"]["figures"]["mrr"] <= 1.0, "random vectors rank too"
    assert set(small["all"]) == {"figures", "intervals", "latency_ms"}
    assert missing["unavailable"].endswith("run `lexls models get all-MiniLM-L6-v2:int8`")
    assert "figures" not in missing
    [index] = indexes(matter)
    assert (matter / "run.png").is_file()
    saved = json.loads(
        (matter / "run.all-MiniLM-L6-v2-fp32-alone.jsonl").read_text(encoding="utf-8").splitlines()[0]
    )
    assert saved["settings"]["embedder"] == small_model
    assert saved["settings"]["vectors"] == 1.0
    before = index.stat().st_ino
    text = lexls(*arguments).out
    assert index.stat().st_ino == before, "what was embedded is used again"
    assert "questions.jsonl: 2 queries, 4 documents" in text
    assert f"{small_model}, vectors alone" in text
    assert "all-MiniLM-L6-v2:int8: the model" in text


def test_a_sample_has_what_is_asked_for_and_what_is_mistaken_for_it(
    lexls: Run, benchmark: str, small_model: str, matter: Path
) -> None:
    result = lexls("eval", benchmark, "--embedders", small_model, "--sample", "3", "--json")
    assert result.code == 0, result.err
    assert "3 of 4 documents are embedded: 2 that are asked for, 1 that words mistake" in result.err
    assert (result.json["documents"], result.json["sampled"]) == (3, True)
    names = {path.stem for path in (matter.parent / "home").rglob("*.md")}
    # "board" and "pontoon" are also in the dredging case; nothing of the will fits.
    assert names == {"ash-mooring", "lorne", "rook"}
    assert [path.name for path in indexes(matter)] == ["all-MiniLM-L6-v2-fp32.sqlite3", "words.sqlite3"]
    again = lexls("eval", benchmark, "--embedders", small_model, "--sample", "1", "--json")
    assert again.json["documents"] == 2, "what is asked for is never left out"


def test_models_of_a_benchmark_of_terms_need_no_index(lexls: Run, matter: Path, small_model: str) -> None:
    graded = [
        {"file": "lorne.md", "text": "A weir was passed.", "grade": "no value"},
        {"file": "lorne.md", "text": "“Weir” means a low dam.", "grade": "high value"},
    ]
    (matter / "terms.jsonl").write_text(json.dumps({"id": "t", "term": "weir", "sentences": graded}))
    rows = lexls("eval", "terms.jsonl", "--embedders", small_model, "--json").json["embedders"]
    assert [row["model"] for row in rows] == ["words alone", small_model]
    assert "alone" not in rows[1]
    assert rows[1]["all"]["figures"]["ndcg@10"] > 0
    assert indexes(matter) == []


def test_options_that_do_not_go_together_are_refused(lexls: Run, benchmark: str) -> None:
    for arguments, message in (
        (["--sample", "3"], "--sample goes with --embedders"),
        (["--embedders", "a", "--stages"], "exclude each other"),
        (["--embedders", "a", "--lexical"], "leaves nothing to compare"),
    ):
        result = lexls("eval", benchmark, *arguments)
        assert result.code == 2
        assert message in result.err


def test_short_names_are_those_people_use() -> None:
    assert find_hub_name("gte-large") == "thenlper/gte-large"
    assert find_hub_name("BGE-large-en-v1.5") == "BAAI/bge-large-en-v1.5"
    assert find_hub_name("all-mpnet-base-v2") == "sentence-transformers/all-mpnet-base-v2"
    assert find_hub_name("legal-ft-1") == "llm-wizard/legal-ft-1"
    assert find_hub_name("InLegalBERT") == "law-ai/InLegalBERT"
    assert find_hub_name("./models/my-own") == "./models/my-own"
