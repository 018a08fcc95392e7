"""Make what a release consists of, from a commit and nothing else.

    make release REV=v0.1.0     (needs git, an index of packages and, for the extension, Node 20)

``dist/`` then has the wheel, the sdist, the extension for VS Code with that wheel in it, the bill of
materials and ``SHA256SUMS``; ``dist/submit/`` what others are sent: the entries for Homebrew, mason and
nvim-lspconfig, and the notes. The commit is taken out of git into a folder of its own, times are those of the
commit, what builds it is pinned: the same commit gives the same bytes, with the same Python, zlib and Node.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import shutil
import string
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
ENTRIES = ("homebrew.rb", "mason.yaml", "nvim-lspconfig.lua")
RELATIVE = re.compile(r"(?P<picture>!?)(?P<text>\[[^\]]*\])\((?P<path>(?!\w+:|#)[^)\s]+)\)")


def take_out(commit: str, folder: Path) -> int:
    """Write the files of a commit into a folder; its time, in seconds of Unix."""
    archive = _git("archive", "--format=tar", commit)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return int(_git("log", "-1", "--format=%ct", commit))


def read_notes(changelog: str, version: str) -> str:
    """What the changelog says of a version; raises ``LookupError`` where it says nothing of it."""
    found = re.search(rf"^## {re.escape(version)}(?:\s.*)?\n((?:(?!## ).*\n?)*)", changelog, re.MULTILINE)
    if not found or not found[1].strip():
        raise LookupError(f"CHANGELOG.md says nothing of {version}")
    return found[1].strip() + "\n"


def write_index_page(page: str, repository: str, version: str) -> str:
    """The README as an index of packages shows it: pictures and links with absolute addresses."""

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if found["picture"] else "blob"
        address = f"{repository}/{kind}/v{version}/{found['path']}"
        return f"{found['picture']}{found['text']}({address})"

    return RELATIVE.sub(absolute, page)


def write_sbom(sbom: dict[str, Any], lock: Mapping[str, Any], version: str) -> str:
    """The bill of materials of a version: the packages of Python's that are pinned, then the extension's."""
    sbom["metadata"]["component"]["version"] = version
    sbom["components"] += [
        {
            "type": "library",
            "name": path.removeprefix("node_modules/"),
            "version": each["version"],
            "purl": f"pkg:npm/{path.removeprefix('node_modules/')}@{each['version']}",
            "licenses": [{"license": {"name": each["license"]}}],
        }
        for path, each in lock["packages"].items()
        if path == "node_modules/pdfjs-dist" or (path and not each.get("dev") and not each.get("optional"))
    ]
    return json.dumps(sbom, indent=2) + "\n"


def write_sums(folder: Path) -> str:
    """The hashes of a folder's files as ``sha256sum --check`` reads them."""
    files = sorted(each for each in folder.iterdir() if each.is_file())
    return "".join(f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files)


def build(source: Path, out: Path, environment: Mapping[str, str]) -> tuple[Path, Path]:
    """The wheel and the sdist of a folder, built with what is pinned for that alone."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        python = Path(place) / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        pins = source / "supply" / "build-requirements.txt"
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "-r", pins], check=True)
        hatchling = [python, "-m", "hatchling", "build", "-d", out]
        subprocess.run(hatchling, check=True, cwd=source, env=environment, stdout=subprocess.DEVNULL)
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, sdist


def build_extension(source: Path, wheel: Path, file: Path, environment: Mapping[str, str]) -> None:
    """The extension for VS Code with the wheel in it."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise LookupError("the extension needs Node and npm")
    folder = source / "editors" / "vscode"
    quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run([npm, "ci", *quietly], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    environment = {**environment, "PYTHON": sys.executable}
    script = [node, folder / "scripts" / "package.mjs", file, wheel]
    subprocess.run(script, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)


def release(revision: str, out: Path, *, extension: bool = True) -> Iterator[str]:
    """Make the files of a release; what is left out, and why.

    A revision that is named as a tag of a version (``v1.2.3``) must be that version and have its notes:
    otherwise ``LookupError`` is raised, before anything is built.
    """
    commit = _git("rev-parse", "--verify", revision + "^{commit}").decode().strip()
    shutil.rmtree(out, ignore_errors=True)
    submit = out / "submit"
    submit.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        source = Path(place)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(take_out(commit, source))}
        project = tomllib.loads(_read(source / "pyproject.toml"))["project"]
        (version,) = re.findall(
            r'^__version__ = "(.+)"$', _read(source / "lexls" / "__init__.py"), re.MULTILINE
        )
        if re.match(r"v\d", revision):
            if revision != f"v{version}":
                raise LookupError(f"{revision} has the version {version}")
            _write(submit / "notes.md", read_notes(_read(source / "CHANGELOG.md"), version))
        urls = project.get("urls", {})
        repository = urls.get("Repository", "").rstrip("/")
        if repository:
            _write(source / "README.md", write_index_page(_read(source / "README.md"), repository, version))
        wheel, sdist = build(source, out, environment)
        if extension:
            build_extension(source, wheel, out / f"lexls-{version}.vsix", environment)
        else:
            yield "the extension for VS Code"
        sbom = json.loads(_read(source / "supply" / "sbom.json"))
        lock = json.loads(_read(source / "editors" / "vscode" / "package-lock.json"))
        _write(out / f"lexls-{version}.cdx.json", write_sbom(sbom, lock, version))
        facts = {
            "version": version,
            "description": project["description"],
            "title": project["description"].removeprefix("A ").capitalize(),
            "license": project["license"],
            "repository": repository,
            "homepage": urls.get("Homepage", repository),
            "sha256": hashlib.sha256(sdist.read_bytes()).hexdigest(),
        }
        for name in ENTRIES if repository else ():
            template = string.Template(_read(source / "packaging" / name))
            _write(submit / name, template.substitute(facts))
    if not repository:
        yield f"{', '.join(ENTRIES)}: [project.urls] of pyproject.toml names no Repository"
    _write(out / "SHA256SUMS", write_sums(out))


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], check=True, cwd=REPOSITORY, stdout=subprocess.PIPE).stdout


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision", nargs="?", default="HEAD", help="a commit or tag (HEAD)")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "dist", help="the folder made anew (dist)")
    parser.add_argument("--no-extension", action="store_true", help="leave the extension for VS Code out")
    options = parser.parse_args()
    try:
        for left_out in release(options.revision, options.out.resolve(), extension=not options.no_extension):
            print(f"left out: {left_out}")
    except LookupError as problem:
        sys.exit(str(problem))
    print((options.out / "SHA256SUMS").read_text(encoding="utf-8"), end="")
