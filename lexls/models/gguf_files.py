"""Manage the model files that the user added, list known models, and find what this machine lacks to
run one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from lexls.models.file_fetch import SPARE_BYTES
from lexls.models.gguf_header import measure_memory
from lexls.models.llama_runtime import find_runtime
from lexls.models.messages import CONTEXT_TOKENS

_HUB = "https://huggingface.co"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model file on the Hugging Face hub.

    ``bytes`` is its size, ``sha256`` its digest and ``context_tokens`` its training context length.
    ``cache_bytes`` is the cache needed per context token: 2 (keys, values) x layers x key-value heads x their
    width x 2 bytes. ``about`` is a line for the user. ``package`` is a package-index requirement whose wheel
    contains the same file ("" if none). ``measured`` summarises what was measured with the model, and how (""
    if nothing was).
    """

    name: str
    repository: str
    file: str
    bytes: int
    sha256: str
    licence: str
    context_tokens: int
    cache_bytes: int
    about: str
    package: str = ""
    measured: str = ""

    @property
    def url(self) -> str:
        """The address of the file."""
        return f"{_HUB}/{self.repository}/resolve/main/{self.file}"

    @property
    def memory_gigabytes(self) -> float:
        """Approximate memory use in GB: the file, the context (``CONTEXT_TOKENS``), and 0.4 GB for
        the rest.
        """
        return round((self.bytes + self.cache_bytes * CONTEXT_TOKENS) / 1e9 + 0.4, 1)


_KNOWN = (resources.files("lexls.models") / "known_models.toml").read_text(encoding="utf-8")
KNOWN_MODELS = tuple(KnownModel(name, **table) for name, table in tomllib.loads(_KNOWN).items())


def find_known_model(name: str) -> KnownModel | None:
    """Return the known model called ``name``, ignoring case; None if there is none."""
    return next((each for each in KNOWN_MODELS if each.name == name.strip().lower()), None)


_LIST = "models.json"
_LOCK_SECONDS = 30.0
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
"""Pattern of valid model names."""


class ModelNotFound(Exception):
    """Raised if no model file has this name; the message says so and gives the remedy."""


class ModelListDamaged(Exception):
    """Raised if the list of models cannot be read or written; the message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class AddedModel:
    """A model file that was added.

    ``path`` is absolute. ``source`` is the address from which it was fetched, "" for the user's own file. If
    ``owned``, the file is in lexls's folder and is deleted with its entry. ``sha256`` is the file's digest
    ("" if never computed). ``verified`` is the source of the digest with which it was compared: "known" (the
    list of known models), "given" (by the user), "server" (announced by the server) or "" (none).
    """

    name: str
    path: Path
    bytes: int
    sha256: str = ""
    verified: str = ""
    source: str = ""
    licence: str = ""
    owned: bool = False


def find_models_folder() -> Path:
    """Return the folder of fetched models, which also contains the list of models; it may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("lexls", appauthor=False) / "models"


def list_models(folder: Path | None = None) -> tuple[AddedModel, ...]:
    """Return the models that were added, sorted by name. Raises ``ModelListDamaged``."""
    path = (folder or find_models_folder()) / _LIST
    try:
        data = json.loads(path.read_text("utf-8"))
        found = [_model(each) for each in data["models"]]
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ModelListDamaged(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ModelListDamaged(f"{path}: is no list of models; delete it and add them again") from None
    return tuple(sorted(found, key=lambda each: each.name))


def record(model: AddedModel, folder: Path | None = None) -> None:
    """Add ``model`` to the list, replacing any model of the same name. Raises ``ModelListDamaged``."""
    with _changing(folder or find_models_folder()) as models:
        models[:] = [*(each for each in models if each.name != model.name), model]


def forget(name: str, folder: Path | None = None) -> AddedModel | None:
    """Remove the model ``name`` from the list, and delete its file if lexls owns it. Return the entry, or
    None if it is not listed.

    An incomplete download or copy under that name is deleted too. Raises ``ModelListDamaged``, also if a file
    cannot be deleted.
    """
    folder = folder or find_models_folder()
    with _changing(folder) as models:
        found = next((each for each in models if each.name == name), None)
        if found is not None:
            if found.owned:
                found.path.unlink(missing_ok=True)
            models.remove(found)
        if NAME.fullmatch(name):
            for ending in ("part", "part.json", "copy"):
                (folder / f"{name}.gguf.{ending}").unlink(missing_ok=True)
    return found


def resolve_model(name_or_path: str) -> Path:
    """Return the file of a model given by name or path. Raises ``ModelNotFound`` with the remedy."""
    wanted = name_or_path.strip()
    if not wanted:
        raise ModelNotFound("no model file is named (llama.model); `lexls models add` adds one")
    try:
        added = {each.name: each for each in list_models()}
    except ModelListDamaged as error:
        raise ModelNotFound(str(error)) from None
    if wanted in added:
        path = added[wanted].path
        if not is_file(path):
            raise ModelNotFound(f"{path}: the file of the model {wanted} is gone; add it again")
        return path
    path = Path(os.path.expanduser(wanted))
    # A bare name is never a file in the current folder, which may contain someone's documents.
    is_path = path.suffix.lower() == ".gguf" or len(path.parts) > 1
    if is_path and is_file(path):
        return path.absolute()
    if is_path:
        raise ModelNotFound(f"{wanted}: there is no such model file (llama.model)")

    if find_known_model(wanted) is not None:
        raise ModelNotFound(f"the model {wanted} is not fetched yet; run `lexls models add {wanted}`")
    raise ModelNotFound(
        f"no model is called {wanted} (llama.model); `lexls models list` shows those there are"
    )


def is_file(path: Path | str) -> bool:
    """Return whether a file exists at this path; False for an impossible path, such as one with a name of a
    thousand letters.
    """
    try:
        return Path(path).expanduser().is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def _model(data: dict[str, Any]) -> AddedModel:
    texts = {key: str(data.get(key, "")) for key in ("sha256", "verified", "source", "licence")}
    return AddedModel(
        name=str(data["name"]),
        path=Path(str(data["path"])),
        bytes=int(data["bytes"]),
        owned=data.get("owned") is True,
        **texts,
    )


@contextlib.contextmanager
def _changing(folder: Path) -> Iterator[list[AddedModel]]:
    """Lock the list of models and yield it for changes. Afterwards, the list is written completely or not at
    all.
    """
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(folder / f"{_LIST}.lock", timeout=_LOCK_SECONDS):
            models = list(list_models(folder))
            yield models
            data = {"models": [asdict(each) | {"path": str(each.path)} for each in models]}
            write_whole(folder / _LIST, json.dumps(data, indent=1).encode("utf-8"))
    except Timeout:
        raise ModelListDamaged(f"{folder / _LIST}: another lexls is changing it; try again") from None
    except OSError as error:
        raise ModelListDamaged(f"{error.filename or folder / _LIST}: {error.strerror or error}") from None


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file's content completely or not at all. Only its owner can read the file. Raises
    ``OSError``.
    """
    number, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


NO_RUNTIME = "no llama.cpp is installed to run it: pip install 'lexls[llama]'"


def find_shortages(model: KnownModel | None, folder: Path) -> Iterator[str]:
    """Yield messages for the user: what is missing to fetch ``model`` to ``folder`` (which need not exist)
    and run it. For an unknown model (None), only check that some runtime is available.
    """
    if not find_runtime():
        yield NO_RUNTIME
    if model is None:
        return
    there = next(each for each in (folder, *folder.parents) if each.is_dir())
    free = shutil.disk_usage(there).free
    if free < model.bytes + SPARE_BYTES:
        yield f"it has {model.bytes / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free on the disk of {there}"
    memory = measure_memory() / 1000
    if 0 < memory < model.memory_gigabytes:
        yield f"it needs about {model.memory_gigabytes} GB of memory, and {memory:.1f} GB are free"
