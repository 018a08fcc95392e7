"""The user's cache of built graphs: building one, and noticing a damaged one.

A built model is a folder ``models/all-MiniLM-L6-v2-<precision>`` of the cache with ``graph.onnx``,
``tokenizer.json`` and ``manifest.json`` (the format's number and the SHA-256 of both files). It is made
under another name and renamed, so it is there whole or not at all. Only the user can read it (0700, 0600).
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.index.embedding.protocol import EmbedderUnavailable
from lexls.index.embedding.weights import (
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    WeightsNotFound,
    find_weights,
    sha256_of,
)

if TYPE_CHECKING:
    from lexls.models.graph import Precision

MINILM = "all-MiniLM-L6-v2"
GRAPH_FILE = "graph.onnx"
MANIFEST_FILE = "manifest.json"
# Raised whenever ``graph.build_graph`` changes what it builds, so that older graphs are built again.
FORMAT = 1
_HEADS = 12
_BUILDING = ".building-"
# Below this cosine between int8 and fp32 vectors the processor's 8-bit kernels saturate; 0.995 is the worst
# passage of good ones.
_LEAST_COSINE = 0.985
_CHECK_TEXTS = (
    "A carrier who deviates from the agreed route without necessity loses the benefit of the exceptions.",
    "The tenant shall keep the demised premises in repair, and the landlord may enter on reasonable notice.",
    "Notice under section 12(2) was served three days late; the court below had no power to extend time.",
    "A duty of care depends on foreseeability, proximity and whether it is just to impose one.",
    "Costs.",
)


def model_folder(cache: Path, precision: Precision) -> Path:
    """Where the built model lies below the user's cache folder."""
    return cache / "models" / f"{MINILM}-{precision}"


def damage(folder: Path) -> str:
    """Why the built model in ``folder`` cannot be used, "" if it can. Reads and hashes its files."""
    if not folder.is_dir():
        return "it has not been built"
    try:
        manifest = json.loads((folder / MANIFEST_FILE).read_text("utf-8"))
        if manifest["format"] != FORMAT:
            return "it was built by another version of lexls"
        for name, expected in manifest["sha256"].items():
            if sha256_of(folder / name) != expected:
                return f"{name} is damaged"
        if not {GRAPH_FILE, TOKENIZER_FILE} <= manifest["sha256"].keys():
            return f"{MANIFEST_FILE} is damaged"
    except FileNotFoundError as error:
        return f"{Path(error.filename).name} is missing"
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"{MANIFEST_FILE} is damaged"
    return ""


def build_model(
    cache: Path, precision: Precision, folder: Path | None, report: Callable[[str], None]
) -> Path:
    """Finds the weights and builds the model, unless it is there and sound; returns its folder.

    ``folder`` is where the user says the weights are. Raises ``EmbedderUnavailable`` naming the reason.
    """
    target = model_folder(cache, precision)
    reason = damage(target)
    if not reason:
        report(f"{MINILM} ({precision}) is ready: {target}")
        return target
    if target.exists():
        report(f"{MINILM} ({precision}) is built anew: {reason}")
    try:
        _private_folder(target.parent)
        _remove_abandoned(target.parent)
        with tempfile.TemporaryDirectory(prefix=_BUILDING, dir=target.parent) as name:
            scratch = Path(name)
            weights = find_weights(folder, scratch / "weights", report)
            built = scratch / target.name
            built.mkdir(mode=0o700)
            report(f"Building the {precision} graph")
            _write_private(built / GRAPH_FILE, _graph(weights / WEIGHTS_FILE, weights, precision, report))
            _write_private(built / TOKENIZER_FILE, (weights / TOKENIZER_FILE).read_bytes())
            hashes = {name: sha256_of(built / name) for name in (GRAPH_FILE, TOKENIZER_FILE)}
            manifest = {"format": FORMAT, "model": MINILM, "precision": precision, "sha256": hashes}
            _write_private(built / MANIFEST_FILE, json.dumps(manifest, indent=2).encode())
            if target.exists():
                os.replace(target, scratch / "old")
            os.replace(built, target)
    except WeightsNotFound as error:
        raise EmbedderUnavailable(f"the weights of {MINILM} were not found ({error})") from None
    except OSError as error:
        # Another process may have been faster; then its model is as good.
        if damage(target):
            raise EmbedderUnavailable(f"{MINILM} cannot be built: {error}") from None
    report(f"{MINILM} ({precision}) is ready: {target}")
    return target


def _remove_abandoned(folder: Path) -> None:
    """Removes what a build that was killed left behind a day ago or longer."""
    for path in folder.glob(f"{_BUILDING}*"):
        if time.time() - path.stat().st_mtime > 86_400:
            shutil.rmtree(path, ignore_errors=True)


def _graph(path: Path, tokenizer_folder: Path, precision: Precision, report: Callable[[str], None]) -> bytes:
    from lexls.models.graph import BertShape, UnfitWeights, build_graph
    from lexls.models.safetensors_file import DamagedWeights, read_safetensors

    try:
        tensors = read_safetensors(path)
        graph = build_graph(tensors, BertShape(heads=_HEADS), precision)
        if precision == "fp32":
            return graph
        exact = build_graph(tensors, BertShape(heads=_HEADS), "fp32")
        cosine = least_cosine(graph, exact, tokenizer_folder / TOKENIZER_FILE)
        if cosine < _LEAST_COSINE:
            report(f"This processor's 8-bit products saturate (cosine {cosine:.3f}): using 7-bit weights")
            graph = build_graph(tensors, BertShape(heads=_HEADS), precision, weight_bits=7)
            cosine = least_cosine(graph, exact, tokenizer_folder / TOKENIZER_FILE)
            if cosine < _LEAST_COSINE:
                raise EmbedderUnavailable(
                    f"the int8 graph is wrong on this processor (cosine {cosine:.3f}); use {MINILM}:fp32"
                )
    except (DamagedWeights, UnfitWeights) as error:
        raise EmbedderUnavailable(f"{MINILM} cannot be built: {error}") from None
    report(f"The vectors of the {precision} graph agree with the exact ones (cosine at least {cosine:.4f})")
    return graph


def least_cosine(graph: bytes, exact: bytes, tokenizer: Path) -> float:
    """The smallest cosine between the vectors that two graphs give to a few sentences, on this processor."""
    import numpy as np
    from tokenizers import Tokenizer

    from lexls.models.onnx_session import open_session

    words = Tokenizer.from_file(str(tokenizer))
    words.no_padding()
    sessions = [open_session(each) for each in (graph, exact)]
    cosines = []
    for text in _CHECK_TEXTS:
        pieces = {"input_ids": np.array([words.encode(text).ids], dtype=np.int32)}
        one, other = (session.run(["embedding"], pieces)[0][0] for session in sessions)
        cosines.append(float(one @ other))
    return min(cosines)


def _private_folder(folder: Path) -> None:
    for each in (folder.parent, folder):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)


def _write_private(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
