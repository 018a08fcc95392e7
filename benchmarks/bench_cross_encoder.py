"""How long a cross-encoder of MiniLM-L6's size takes over the best passages, in the model process.

    python benchmarks/bench_cross_encoder.py --library ../shared/data/us-cases [--torch | --model FOLDER]

The model has the shape of ``cross-encoder/ms-marco-MiniLM-L-6-v2`` (6 layers, 384 hidden, 30,522 word
pieces) and random weights, so that nothing is downloaded: times are those of the real one, scores say
nothing. It needs the tokenizer of the built embedding model (``lexls models get``). ``--torch`` measures
sentence-transformers with the same weights and batches of 8 besides. ``--model`` prints the times of a real
one in its place, at the depths of ``rerank.depth``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import platformdirs
from measuring import Spread, load, table, write_results

from lexls.index.embedding import DEFAULT_PRECISION
from lexls.index.embedding.model_cache import find_model_folder
from lexls.models.encoder_clients import CrossEncoderClient

WORDS, HIDDEN, INNER, LAYERS, POSITIONS, HEADS = 30_522, 384, 1536, 6, 512, 12
DEPTHS = (10, 20, 50)
PASSAGE = 1500
"""Characters: the most a passage has by default."""


def write_model(folder: Path) -> None:
    """A cross-encoder of random weights, as transformers saves one."""
    chance = np.random.default_rng(1)
    tensors: dict[str, np.ndarray] = {}

    def dense(name: str, rows: int, columns: int) -> None:
        tensors[f"{name}.weight"] = chance.normal(0, columns**-0.5, (rows, columns)).astype(np.float32)
        tensors[f"{name}.bias"] = np.zeros(rows, np.float32)

    def norm(name: str) -> None:
        tensors[f"{name}.weight"] = np.ones(HIDDEN, np.float32)
        tensors[f"{name}.bias"] = np.zeros(HIDDEN, np.float32)

    for name, rows in (("word", WORDS), ("position", POSITIONS), ("token_type", 2)):
        table_ = chance.normal(0, 1, (rows, HIDDEN)).astype(np.float32)
        tensors[f"bert.embeddings.{name}_embeddings.weight"] = table_
    norm("bert.embeddings.LayerNorm")
    for layer in range(LAYERS):
        prefix = f"bert.encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            dense(f"{prefix}.attention.self.{part}", HIDDEN, HIDDEN)
        dense(f"{prefix}.attention.output.dense", HIDDEN, HIDDEN)
        norm(f"{prefix}.attention.output.LayerNorm")
        dense(f"{prefix}.intermediate.dense", INNER, HIDDEN)
        dense(f"{prefix}.output.dense", HIDDEN, INNER)
        norm(f"{prefix}.output.LayerNorm")
    dense("bert.pooler.dense", HIDDEN, HIDDEN)
    dense("classifier", 1, HIDDEN)
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [at, at + tensor.nbytes]}
        at += tensor.nbytes
    encoded = json.dumps(header).encode()
    with (folder / "model.safetensors").open("wb") as file:
        file.write(len(encoded).to_bytes(8, "little") + encoded)
        for tensor in tensors.values():
            file.write(tensor.tobytes())
    config = {
        "architectures": ["BertForSequenceClassification"], "model_type": "bert", "hidden_act": "gelu",
        "vocab_size": WORDS, "hidden_size": HIDDEN, "intermediate_size": INNER, "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "max_position_embeddings": POSITIONS, "type_vocab_size": 2,
        "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0},
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    built = find_model_folder(Path(platformdirs.user_cache_dir("lexls", appauthor=False)), DEFAULT_PRECISION)
    shutil.copy(built / "tokenizer.json", folder)
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "BertTokenizer", "model_max_length": POSITIONS})
    )


def read_texts(library: Path, count: int) -> list[str]:
    """Passages, each from another document."""
    texts = []
    for path in sorted(library.glob("*.md"))[:count]:
        text = path.read_text(encoding="utf-8", errors="replace")
        texts.append(" ".join(text[4000 : 4000 + PASSAGE].split()))
    return texts


@dataclass(frozen=True, slots=True)
class Taken:
    """Wall time of each run, and processor time of all, in milliseconds."""

    wall: Spread
    processor: float


def measure(client: CrossEncoderClient, texts: Sequence[str], depth: int, runs: int) -> Taken:
    """The time for ``depth`` passages, with other ones in every run."""
    wall = []
    before = processor_ms(client.process.life)
    for run in range(runs):
        chosen = [texts[(run * depth + number) % len(texts)] for number in range(depth)]
        query = texts[(run * 7 + 3) % len(texts)][:180]
        started = time.perf_counter()
        client.scores(query, chosen)
        wall.append((time.perf_counter() - started) * 1000)
    return Taken(Spread.of(wall), (processor_ms(client.process.life) - before) / runs)


def processor_ms(process: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def resident_megabytes(process: int) -> float:
    fields = Path(f"/proc/{process}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--model", help="a cross-encoder, by name or folder")
    options = parser.parse_args()
    texts = read_texts(options.library, 400)
    if options.model:
        client = CrossEncoderClient(options.model)
        client.load()
        for depth in (8, 16, 32):
            taken = measure(client, texts, depth, options.runs)
            print(
                f"{depth}: {taken.processor:.0f} ms of processor, {taken.wall.p50:.0f} {taken.wall.p95:.0f}"
            )
        client.close()
        return 0
    before = load()
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_model(folder)
        kinds = [("", 256), ("", 128), (":fp32", 256)]
        for suffix, pieces in [*kinds, ("torch", 256)] if options.torch else kinds:
            if suffix == "torch":
                # What its configuration says of the shape is not what our graph asks for.
                config = (folder / "config.json").read_text()
                (folder / "config.json").write_text(config.replace('"gelu"', '"gelu_python"'))
            client = CrossEncoderClient(f"{folder}{suffix.removeprefix('torch')}", word_pieces=pieces)
            started = time.perf_counter()
            client.load()
            seconds = time.perf_counter() - started
            processor = processor_ms(client.process.life) / 1000
            cells = []
            for depth in DEPTHS:
                taken = measure(client, texts, depth, options.runs)
                cells.append(f"{taken.processor:.0f}; {taken.wall.p50:.0f}, {taken.wall.p95:.0f}")
            resident = resident_megabytes(client.process.life)
            loaded = f"{seconds:.1f} s ({processor:.1f} s), {resident:.0f} MB"
            rows.append([client.kind, pieces, *cells, loaded])
            client.close()
    head = ["run by", "word pieces a pair", *(f"{each} passages" for each in DEPTHS)]
    head.append("loaded in (processor time), resident")
    command = (
        f"    python benchmarks/bench_cross_encoder.py --library {options.library} --runs {options.runs}"
    )
    command += " --torch\n" if options.torch else "\n"
    explained = (
        "A model of the shape of `cross-encoder/ms-marco-MiniLM-L-6-v2` with random weights, "
        f"{options.runs} runs each on other passages of {PASSAGE} characters. In each cell: processor ms of "
        f"both cores; wall p50, p95 ms. Load average before and after: {before:.1f} and {load():.1f}.\n"
    )
    section = write_results("Cross-encoder", [command, explained, table(head, rows)])
    print(section)
    return 0


if __name__ == "__main__":
    sys.exit(main())
