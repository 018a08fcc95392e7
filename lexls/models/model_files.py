"""Where the files of a model lie that is named as on the Hugging Face hub, or by a folder."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_SECONDS = 1800
# Run in a process of its own, so that a hub that never answers can be given up. Weights in other formats than
# safetensors are left where they are: unpickling them would run code.
_DOWNLOAD = (
    "import sys\n"
    "from huggingface_hub import snapshot_download\n"
    "allow = ['*.json', '*.safetensors', '*.txt', '*.model']\n"
    "ignore = ['onnx/*', 'openvino/*', 'coreml/*']\n"
    "print(snapshot_download(sys.argv[1], allow_patterns=allow, ignore_patterns=ignore, etag_timeout=10))\n"
)


class ModelNotFetched(Exception):
    """A model could not be had from the hub; the message is the reason."""


def local_model(name: str) -> Path | None:
    """The folder of the model ``name``: itself a folder, or in the hub's cache; None if it is in neither."""
    if not name.strip():
        return None
    try:
        folder = Path(name).expanduser()
        if folder.is_dir():
            return folder
    except (OSError, RuntimeError):
        return None  # no name of a file, such as one of a thousand letters
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError, HfHubHTTPError, HFValidationError):
        return None


def is_cross_encoder(folder: Path) -> bool:
    """Whether the model in ``folder`` scores texts, rather than giving them vectors."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        architectures = config.get("architectures") or []
        return any(str(each).endswith("ForSequenceClassification") for each in architectures)
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def fetch_model(name: str) -> Path:
    """Downloads the model ``name`` from the hub into its cache, unless it is a folder or there already.

    Returns its folder. Raises ``ModelNotFetched``.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    printed = fetched_by([sys.executable, "-P", "-c", _DOWNLOAD, name], _SECONDS)
    return Path(printed.splitlines()[-1])


def fetched_by(command: Sequence[str], seconds: int) -> str:
    """What a program that downloads something prints. Raises ``ModelNotFetched`` with its last words if it
    fails, or takes longer than ``seconds`` and is stopped."""
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
