"""An embedder of sentence-transformers in the model process: the real library, a tiny random model."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from small_models import POSITIONS, WORDS, write_tokenizer

from lexls.evaluation.answering import compute_bert_score
from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.embedding import Embedder, open_embedder
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.store import Store
from lexls.models.encoder_clients import SentenceEncoderClient
from lexls.models.messages import NO_PROMPTS, ModelUnavailable, Prompts
from lexls.models.process import ModelProcess

sentence_transformers = pytest.importorskip("sentence_transformers")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
TEXTS = [
    "the lien of a carrier",
    "a tidal weir .",
    "",
    "notice " * 300,
    "the sea covers the weir twice a day",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("models")
    torch.manual_seed(2)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, max_position_embeddings=POSITIONS, initializer_range=0.5,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(built)
    write_tokenizer(built)
    return built


@pytest.fixture(scope="module")
def process() -> Iterator[ModelProcess]:
    made = ModelProcess()
    yield made
    made.close()


def test_vectors_are_those_of_the_library_itself(folder: Path, process: ModelProcess) -> None:
    embedder = open_embedder(str(folder), process=process)
    assert isinstance(embedder, Embedder)
    assert (embedder.name, embedder.dimension) == (str(folder), 32)
    direct = sentence_transformers.SentenceTransformer(str(folder), local_files_only=True, device="cpu")
    vectors = embedder.encode(TEXTS * 20)
    assert vectors.dtype == np.float32
    theirs = direct.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    np.testing.assert_allclose(vectors[: len(TEXTS)], theirs, atol=1e-4)
    np.testing.assert_allclose(vectors[-len(TEXTS) :], theirs, atol=1e-4)
    assert embedder.encode([]).shape == (0, 32)


@pytest.mark.parametrize(
    ("configured", "prompts", "default"),
    [
        ({"query": "the weir: ", "document": "a lien: "}, Prompts("the weir: ", "a lien: "), None),
        ({"query": "the weir: ", "passage": "a lien: "}, Prompts("the weir: ", "a lien: "), None),
        ({"query": "the weir: "}, Prompts("the weir: "), None),
        ({"sea": "the sea: "}, Prompts("the sea: ", "the sea: "), "sea"),
        ({}, NO_PROMPTS, None),
    ],
)
def test_the_prompts_that_a_model_brings_are_used(
    folder: Path,
    process: ModelProcess,
    tmp_path: Path,
    configured: dict[str, str],
    prompts: Prompts,
    default: str | None,
) -> None:
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    config = {"prompts": configured, "default_prompt_name": default}
    made = sentence_transformers.SentenceTransformer(str(folder), local_files_only=True, device="cpu")
    made.save_pretrained(str(own))
    saved = json.loads((own / "config_sentence_transformers.json").read_text("utf-8"))
    (own / "config_sentence_transformers.json").write_text(json.dumps({**saved, **config}), encoding="utf-8")
    embedder = open_embedder(str(own), process=process)
    assert embedder.prompts == prompts
    assert embedder.name == prompts.identify(str(own))
    assert (embedder.name == str(own)) == (not prompts.passage)
    direct = sentence_transformers.SentenceTransformer(str(own), local_files_only=True, device="cpu")
    plain = made.encode([prompts.passage + text for text in TEXTS], normalize_embeddings=True)
    np.testing.assert_allclose(embedder.encode(TEXTS, embedder.prompts.passage), plain, atol=1e-4)
    if default is None and "passage" not in configured:
        theirs = direct.encode_document(TEXTS, normalize_embeddings=True)
        np.testing.assert_allclose(embedder.encode(TEXTS, embedder.prompts.passage), theirs, atol=1e-4)
        theirs = direct.encode_query(TEXTS, normalize_embeddings=True)
        np.testing.assert_allclose(embedder.encode(TEXTS, embedder.prompts.question), theirs, atol=1e-4)
    bare = made.encode(TEXTS, normalize_embeddings=True)
    np.testing.assert_allclose(embedder.encode(TEXTS), bare, atol=1e-4)
    chosen = open_embedder(str(own), process=process, chosen=Prompts(passage="notice"))
    assert chosen.prompts == Prompts(prompts.question, "notice ")
    assert chosen.name not in (str(own), embedder.name)


def test_weights_in_half_precision_are_computed_in_full_on_a_cpu(
    folder: Path, process: ModelProcess, tmp_path: Path
) -> None:
    half = Path(shutil.copytree(folder, tmp_path / "half"))
    transformers.BertModel.from_pretrained(folder).half().save_pretrained(half)
    direct = sentence_transformers.SentenceTransformer(str(half), local_files_only=True, device="cpu")
    exact = direct.float().encode(TEXTS, normalize_embeddings=True)
    rough = direct.half().encode(TEXTS, normalize_embeddings=True)
    vectors = open_embedder(str(half), process=process).encode(TEXTS)
    np.testing.assert_allclose(vectors, exact, atol=2e-6)
    assert np.abs(rough - exact).max() > 1e-5


def test_tokens_have_vectors_of_their_own(folder: Path, process: ModelProcess) -> None:
    client = SentenceEncoderClient(str(folder), process)
    vectors = client.encode_tokens("the lien of a carrier")
    assert vectors.shape == (5, 32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert compute_bert_score("the lien", "the lien", client.encode_tokens) == pytest.approx(1.0, abs=1e-5)
    assert compute_bert_score("the lien", "a tidal weir", client.encode_tokens) < 1.0
    assert client.encode_tokens(" ").shape == (0, 32)


def test_a_kill_between_two_batches_is_not_noticed(folder: Path, process: ModelProcess) -> None:
    embedder = open_embedder(str(folder), process=process)
    before = embedder.encode(TEXTS)
    os.kill(process.life, signal.SIGKILL)
    np.testing.assert_array_equal(embedder.encode(TEXTS), before)


def test_a_model_that_is_not_there_is_unavailable_with_the_remedy(
    process: ModelProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelUnavailable, match=r"cannot be opened.*run `lexls models get law/no-such-model`"):
        open_embedder("law/no-such-model", process=process)


def test_the_library_is_not_imported_where_the_embedder_is_used(folder: Path) -> None:
    program = (
        "import sys\n"
        "from lexls.index.embedding import open_embedder\n"
        "print(open_embedder(sys.argv[1]).encode(['the weir']).shape)\n"
        "print([name for name in ('torch', 'sentence_transformers') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.splitlines() == ["(1, 32)", "[]"]


def test_a_folder_with_code_of_its_own_is_not_opened(tmp_path: Path, process: ModelProcess) -> None:
    module = {"idx": 0, "name": "0", "path": "", "type": "weir.Sluice"}
    (tmp_path / "modules.json").write_text(json.dumps([module]), encoding="utf-8")
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    sign = tmp_path / "it was run"
    (tmp_path / "weir.py").write_text(f"open({str(sign)!r}, 'w').close()\n", encoding="utf-8")
    with pytest.raises(ModelUnavailable, match=r"weir\.Sluice, and code that a model names is not run"):
        open_embedder(str(tmp_path), process=process)
    assert not sign.exists()


def test_vectors_are_made_anew_when_what_stands_before_passages_changes(folder: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "weir.md").write_text(f"# The weir\n\n[1] {TEXTS[4].capitalize()}.\n", encoding="utf-8")
    config = IndexerConfig(
        tmp_path / "library.sqlite3", (library.resolve(),), (), PrepareOptions(), str(folder)
    )

    def index(prompts: Prompts) -> tuple[str, int, NDArray[np.float32]]:
        """The embedder's name in the index, the generation since which it has vectors, and those."""
        with closing(Indexer(replace(config, prompts=prompts))) as indexer:
            indexer.reconcile()
            assert indexer.embed() == ""
        with closing(Store(config.index)) as store:
            since = int(store.meta("vectors_since"))
        with closing(Library(config.index)) as opened:
            found = [opened.vector(each.id) for each in opened.contents.passages(1)]
            status = opened.status
            assert status.counts()[1:] == (len(found), len(found))
            return status.embedder, since, np.array(found)

    plain = index(NO_PROMPTS)
    assert plain[0] == str(folder)
    asking = index(Prompts("the sea"))
    assert asking[:2] == plain[:2]
    told = index(Prompts("the sea", "a carrier"))
    assert told[0] == f'{folder} ("the sea ", "a carrier ")'
    assert told[1] > plain[1]
    assert np.abs(told[2] - plain[2]).max() > 0.01
    direct = sentence_transformers.SentenceTransformer(str(folder), local_files_only=True, device="cpu")
    with closing(Library(config.index)) as opened:
        texts = [f"a carrier {each.text}" for each in opened.contents.passages(1)]
    np.testing.assert_allclose(told[2], direct.encode(texts, normalize_embeddings=True), atol=1e-2)
