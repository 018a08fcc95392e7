"""The model files that the user added, the models that are known, and what this machine lacks for one."""

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

    ``bytes`` is its size, ``sha256`` its digest, ``context_tokens`` what it was trained to keep in view.
    ``cache_bytes`` is what one token of context takes: 2 (keys, values) x layers x heads of them x their
    width x 2 bytes. ``about`` is a line for the user. ``package`` is a requirement for the package index
    whose wheel holds the same file ("" if there is none); ``measured`` says in a line what was measured with
    the model, and how ("" if nothing was).
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
        """Return where the file is fetched."""
        return f"{_HUB}/{self.repository}/resolve/main/{self.file}"

    @property
    def memory_gigabytes(self) -> float:
        """Return what it takes in memory, about: the file, the context (``CONTEXT_TOKENS``), 0.4 GB for
        the rest."""
        return round((self.bytes + self.cache_bytes * CONTEXT_TOKENS) / 1e9 + 0.4, 1)


_KNOWN = (resources.files("lexls.models") / "known_models.toml").read_text(encoding="utf-8")
KNOWN_MODELS = tuple(KnownModel(name, **table) for name, table in tomllib.loads(_KNOWN).items())


def find_known_model(name: str) -> KnownModel | None:
    """The known model called ``name``, whatever the case of its letters; None if there is none."""
    return next((each for each in KNOWN_MODELS if each.name == name.strip().lower()), None)


_LIST = "models.json"
_LOCK_SECONDS = 30.0
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
"""What a model may be called."""


class ModelNotFound(Exception):
    """No model file has this name; the message says so, and what to do about it."""


class ModelListDamaged(Exception):
    """The list of models cannot be read or written; the message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class AddedModel:
    """A model file that was added.

    ``path`` is absolute. ``source`` is the address it was fetched from, "" for a file of the user's own;
    ``owned`` says that the file lies in lexls' folder and is deleted with its entry. ``sha256`` is the digest
    of its bytes ("" if it was never taken) and ``verified`` says what that was compared with: "known" (the
    list of known models), "given" (by the user), "server" (what the server announced), "" (nothing).
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
    """Return where fetched models and the list of all are kept, whether it exists or not."""
    from platformdirs import user_data_path

    return user_data_path("lexls", appauthor=False) / "models"


def list_models(folder: Path | None = None) -> tuple[AddedModel, ...]:
    """The models that were added, by name. Raises ``ModelListDamaged``."""
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
    """Add ``model`` to the list, in place of one of its name. Raises ``ModelListDamaged``."""
    with _changing(folder or find_models_folder()) as models:
        models[:] = [*(each for each in models if each.name != model.name), model]


def forget(name: str, folder: Path | None = None) -> AddedModel | None:
    """Take the model ``name`` off the list and delete its file if lexls fetched it; None if it is not there.

    What is there of a file of that name that was never fetched to its end is deleted too. Raises
    ``ModelListDamaged``, also where a file cannot be deleted.
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
    """Find the file of a model by name or path. Raises ``ModelNotFound`` with what to do about it."""
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
    # A name is no file of the folder that lexls was started in: that may hold somebody else's documents.
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
    """Return whether there is such a file; not what is no name of one, such as a thousand letters."""
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
    """The list for changing: alone, and written as a whole or not at all."""
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
    """Write a file that is there as a whole or as it was, readable by its owner only. Raises ``OSError``."""
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
    """Yield what is missing here to fetch ``model`` into ``folder`` (it need not exist yet) and to run it,
    for the user. Of a model that is not a known one (None) nothing can be said but whether anything could
    run it."""
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
