"""What a model file says of itself, and the memory it needs by that. Nothing is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("gguf")

from random_gguf import CHAT_TEMPLATE, vocabulary, write_random_model

from lexls.models.gguf_header import (
    GgufHeader,
    UnreadableModel,
    estimate_memory,
    measure_memory,
    read_gguf_header,
    refuse_what_does_not_fit,
)
from lexls.models.messages import JobRefused


def header(size: int = 1_000_000, words: int = 1000, **values: object) -> GgufHeader:
    shape = {"block_count": 10, "embedding_length": 1024, "feed_forward_length": 4096}
    shape |= {"attention.head_count": 16}
    network = {f"llama.{key.replace('__', '.')}": value for key, value in (shape | values).items()}
    known = {"general.architecture": "llama", **network}
    return GgufHeader(Path("m.gguf"), size, known, {"tokenizer.ggml.tokens": words})  # type: ignore[arg-type]


def test_a_file_says_what_it_is(tmp_path: Path) -> None:
    path = write_random_model(tmp_path / "small.gguf", words=6000, layers=3, heads=4, key_heads=2)
    found = read_gguf_header(path)
    assert found.architecture == "llama"
    assert found.size == path.stat().st_size
    assert found.number("block_count") == 3
    assert found.number("attention.head_count_kv") == 2
    assert found.text("tokenizer.chat_template") == CHAT_TEMPLATE
    assert found.values["tokenizer.ggml.add_bos_token"] is True
    assert found.lengths["tokenizer.ggml.tokens"] == len(vocabulary(6000)[0]) == 6000
    assert "tokenizer.ggml.tokens" not in found.values


@pytest.mark.parametrize("cut", [3, 20, 200, 5000])
def test_a_file_that_ends_too_early_is_told(tmp_path: Path, cut: int) -> None:
    whole = write_random_model(tmp_path / "small.gguf", words=6000).read_bytes()
    path = tmp_path / "cut.gguf"
    path.write_bytes(whole[:cut])
    with pytest.raises(UnreadableModel, match=r"cut\.gguf"):
        read_gguf_header(path)


def test_counts_that_cannot_be_are_told(tmp_path: Path) -> None:
    path = tmp_path / "lying.gguf"
    path.write_bytes(b"GGUF" + (3).to_bytes(4, "little") + (1).to_bytes(8, "little") + b"\xff" * 8)
    with pytest.raises(UnreadableModel, match=r"lying\.gguf is damaged"):
        read_gguf_header(path)


def test_the_cache_is_keys_and_values_of_every_layer() -> None:
    # 2 bytes × (64 + 64) numbers × 16 heads × 10 layers × 4096 tokens
    assert estimate_memory(header(), 4096, 64).cache == 2 * 128 * 16 * 10 * 4096
    shared = estimate_memory(header(attention__head_count_kv=4), 4096, 64)
    assert shared.cache == 2 * 128 * 4 * 10 * 4096
    wide = header(attention__head_count_kv=4, attention__key_length=128, attention__value_length=96)
    assert estimate_memory(wide, 4096, 64).cache == 2 * 224 * 4 * 10 * 4096
    by_layer = header(block_count=3, attention__head_count_kv=(4, 0, 2))
    assert estimate_memory(by_layer, 4096, 64).cache == 2 * 128 * 6 * 4096
    assert estimate_memory(header(), 4000, 64).cache == estimate_memory(header(), 4096, 64).cache


def test_more_context_words_and_weights_need_more() -> None:
    least = estimate_memory(header(), 1024, 64).megabytes
    assert estimate_memory(header(), 8192, 64).megabytes > least
    assert estimate_memory(header(words=200_000), 1024, 64).megabytes > least
    assert estimate_memory(header(size=2_000_000_000), 1024, 64).megabytes >= least + 1999


def test_what_does_not_fit_is_refused_with_figures_and_a_remedy() -> None:
    large = header(size=3_000_000_000)
    with pytest.raises(JobRefused, match=r"3,\d{3} MB .*3,000 for its weights.*allows 1,000 MB.*now 2,048"):
        refuse_what_does_not_fit(large, 2048, 64, 1000, 0)
    refuse_what_does_not_fit(large, 2048, 64, 1000, -1)  # all of it in the graphics card's memory
    with pytest.raises(JobRefused, match="allows 1,000 MB"):
        refuse_what_does_not_fit(large, 2048, 64, 1000, 2)
    refuse_what_does_not_fit(header(), 2048, 64, 1000, 0)


def test_more_than_the_machine_has_is_refused() -> None:
    if not measure_memory():
        pytest.skip("this platform does not say how much memory is free")
    with pytest.raises(JobRefused, match="MB are free"):
        refuse_what_does_not_fit(header(size=10**15), 2048, 64, 0, 0)
