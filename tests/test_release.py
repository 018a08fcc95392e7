"""What `make release` makes of a commit: the same bytes each time, each file with what it says it holds."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from release import ENTRIES, read_notes, write_index_page

from lexls import __version__

ROOT = Path(__file__).parents[1]
ADDRESS = "https://forge.invalid/people/lexls"
TAG = f"v{__version__}"
MADE = {f"lexls-{__version__}{end}" for end in ("-py3-none-any.whl", ".tar.gz", ".cdx.json")}


def make(clone: Path, out: Path, *more: str, **environment: str) -> str:
    command = [sys.executable, clone / "supply" / "release.py", "--out", out, *more]
    done = subprocess.run(
        command, env={**os.environ, **environment}, text=True, capture_output=True, umask=0o27
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=lexls", "-c", "user.email=lexls@invalid"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository as it will be: with this tree's files, an address, notes of the version and its tag."""
    folder = tmp_path_factory.mktemp("clone") / "lexls"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    declare_address(folder / "pyproject.toml", ADDRESS)
    changes = folder / "CHANGELOG.md"
    notes = changes.read_text("utf-8").replace("## Unreleased", f"## {__version__}", 1)
    changes.write_text(notes, "utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Release")
    git(folder, "tag", TAG)
    (folder / "lexls" / "left_behind.py").write_text("raise SystemExit\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def released(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("released") / "dist"
    make(clone, out, TAG, "--no-extension")
    return out


def index_page(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as files:
        (name,) = (each for each in files.namelist() if each.endswith(".dist-info/METADATA"))
        _, _, page = files.read(name).decode("utf-8").partition("\n\n")
    return page


def declare_address(project: Path, address: str | None) -> None:
    text = re.sub(r"^\[project\.urls\]\n(?:(?!\[).*\n)*", "", project.read_text("utf-8"), flags=re.MULTILINE)
    urls = f'[project.urls]\nRepository = "{address}"\n\n' if address else ""
    project.write_text(text.replace("[project.scripts]", urls + "[project.scripts]"), "utf-8")


@pytest.mark.slow
def test_a_commit_gives_the_same_bytes_in_another_folder_at_another_time(
    clone: Path, released: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere"
    shutil.copytree(clone, other)
    os.utime(other / "lexls" / "__init__.py", (0, 0))
    make(
        other, tmp_path / "again", TAG, "--no-extension", TZ="Pacific/Chatham", LC_ALL="C", PYTHONHASHSEED="7"
    )
    files = sorted(each.relative_to(released) for each in released.rglob("*") if each.is_file())
    assert files == sorted(
        each.relative_to(tmp_path / "again") for each in (tmp_path / "again").rglob("*") if each.is_file()
    )
    assert {each.name for each in files} == MADE | {"SHA256SUMS", "notes.md", *ENTRIES}
    for each in files:
        assert (released / each).read_bytes() == (tmp_path / "again" / each).read_bytes(), each


@pytest.mark.slow
def test_the_sums_are_those_of_the_files(released: Path) -> None:
    lines = [line.split("  ") for line in (released / "SHA256SUMS").read_text("utf-8").splitlines()]
    assert {name for _, name in lines} == MADE
    for digest, name in lines:
        assert hashlib.sha256((released / name).read_bytes()).hexdigest() == digest


@pytest.mark.slow
def test_only_what_is_committed_and_belongs_there_is_packed(released: Path) -> None:
    with zipfile.ZipFile(next(released.glob("*.whl"))) as files:
        wheel = {name for name in files.namelist() if ".dist-info/" not in name}
    with tarfile.open(next(released.glob("*.tar.gz"))) as files:
        sdist = {name.partition("/")[2] for name in files.getnames()}
    assert wheel == {name for name in sdist if name.startswith("lexls/")}
    assert "lexls/server/main.py" in wheel
    assert "lexls/left_behind.py" not in wheel
    assert {name for name in sdist - wheel if not name.endswith(".gitignore")} == {
        "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml",
        "supply/build-requirements.txt", "supply/extras-requirements.txt", "supply/mcp-requirements.txt",
        "supply/requirements.txt",
    }  # fmt: skip


@pytest.mark.slow
def test_the_bill_of_materials_has_the_version_and_what_the_extension_bundles(released: Path) -> None:
    sbom = json.loads(next(released.glob("*.cdx.json")).read_text("utf-8"))
    assert sbom["metadata"]["component"]["version"] == __version__
    bundled = {each["name"] for each in sbom["components"] if each["purl"].startswith("pkg:npm/")}
    sources = [each.read_text("utf-8") for each in (ROOT / "editors/vscode/src").rglob("*.ts")]
    imported = {found[1] for text in sources for found in re.finditer(r'from "([a-z][\w-]*)[/"]', text)}
    assert bundled >= imported - {"vscode"} >= {"pdfjs-dist", "vscode-languageclient"}
    assert "esbuild" not in bundled


@pytest.mark.slow
def test_the_index_page_shows_pictures_and_links_by_addresses_of_the_tag(released: Path) -> None:
    page = index_page(next(released.glob("*.whl")))
    targets = re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", page)
    assert len([target for picture, target in targets if picture]) > 3
    for picture, target in targets:
        start = f"{ADDRESS}/{'raw' if picture else 'blob'}/{TAG}/"
        assert target.startswith(start), target
        assert (ROOT / target.removeprefix(start).partition("#")[0]).exists(), target


@pytest.mark.slow
def test_entries_for_others_name_this_release(released: Path) -> None:
    submit = released / "submit"
    formula = (submit / "homebrew.rb").read_text("utf-8")
    (address,) = re.findall(r'^  url "(.+)"$', formula, re.MULTILINE)
    assert address == f"{ADDRESS}/releases/download/{TAG}/lexls-{__version__}.tar.gz"
    (digest,) = re.findall(r'^  sha256 "(.+)"$', formula, re.MULTILINE)
    assert digest == hashlib.sha256((released / Path(address).name).read_bytes()).hexdigest()
    with tarfile.open(released / Path(address).name) as files:
        packed = {name.partition("/")[2] for name in files.getnames()}
    pins = re.findall(r'"(supply/\S+)"', formula)
    assert pins
    assert packed >= set(pins)
    mason = yaml.safe_load((submit / "mason.yaml").read_text("utf-8"))
    assert mason["source"] == {"id": f"pkg:pypi/lexls@{__version__}"}
    assert mason["homepage"] == ADDRESS
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert mason["bin"] == {name: f"pypi:{name}" for name in project["scripts"]}
    for each in ENTRIES:
        text = (submit / each).read_text("utf-8")
        assert ADDRESS in text
        assert "${" not in text, each


@pytest.mark.slow
def test_without_an_address_nothing_is_made_up(clone: Path, tmp_path: Path) -> None:
    other = tmp_path / "lexls"
    subprocess.run(["git", "clone", "--quiet", clone, other], check=True)
    declare_address(other / "pyproject.toml", None)
    git(other, "commit", "--quiet", "--all", "--message", "Without an address")
    assert "names no Repository" in make(other, tmp_path / "dist", "--no-extension")
    assert not list((tmp_path / "dist" / "submit").iterdir())
    page = index_page(next((tmp_path / "dist").glob("*.whl")))
    assert page == (ROOT / "README.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="the extension needs Node and npm")
def test_the_extension_carries_the_wheel_of_the_release_and_has_the_same_bytes_again(
    clone: Path, released: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere"
    shutil.copytree(clone, other)
    make(clone, tmp_path / "one", TAG)
    make(other, tmp_path / "two", TAG, TZ="Pacific/Chatham", LC_ALL="C")
    (extension,) = (tmp_path / "one").glob("*.vsix")
    assert extension.read_bytes() == (tmp_path / "two" / extension.name).read_bytes()
    wheel = next(released.glob("*.whl"))
    with zipfile.ZipFile(extension) as files:
        assert files.read(f"extension/server/{wheel.name}") == wheel.read_bytes()
        assert json.loads(files.read("extension/package.json"))["repository"]["url"] == ADDRESS
    assert f"  {extension.name}\n" in (tmp_path / "one" / "SHA256SUMS").read_text("utf-8")


@pytest.mark.parametrize("tag", ["v9.9.9", TAG])
def test_a_tag_that_is_not_the_version_or_has_no_notes_is_refused(tag: str, tmp_path: Path) -> None:
    clone = tmp_path / "lexls"
    clone.mkdir()
    for name in ("supply", "pyproject.toml", "CHANGELOG.md", "lexls/__init__.py"):
        (clone / name).parent.mkdir(exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, clone / name)
    changes = re.sub(
        rf"^## {re.escape(__version__)}\b.*", "## Before", (clone / "CHANGELOG.md").read_text("utf-8")
    )
    (clone / "CHANGELOG.md").write_text(changes, "utf-8")
    git(clone, "init", "--quiet")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "Release")
    git(clone, "tag", tag)
    command = [sys.executable, clone / "supply" / "release.py", tag, "--out", tmp_path / "dist"]
    done = subprocess.run(command, text=True, capture_output=True)
    assert done.returncode == 1
    expected = (
        f"CHANGELOG.md says nothing of {__version__}"
        if tag == TAG
        else f"{tag} has the version {__version__}"
    )
    assert done.stderr.strip() == expected


def test_notes_are_those_of_the_version_alone() -> None:
    changelog = (
        "# Changes\n\n## Unreleased\n\n- Later.\n\n## 1.2.0 (2030-01-02)\n\n- Now.\n\n## 1.1.0\n\n- Before.\n"
    )
    assert read_notes(changelog, "1.2.0") == "- Now.\n"
    assert read_notes(changelog, "1.1.0") == "- Before.\n"
    with pytest.raises(LookupError):
        read_notes(changelog, "1.2")


def test_addresses_that_hold_everywhere_are_left() -> None:
    page = "![a](docs/a.png) [b\nc](docs/b.md#c) [d](#d) [e](https://forge.invalid/e) `[f]` (g)"
    assert write_index_page(page, ADDRESS, "1.0") == (
        f"![a]({ADDRESS}/raw/v1.0/docs/a.png) [b\nc]({ADDRESS}/blob/v1.0/docs/b.md#c) [d](#d) "
        "[e](https://forge.invalid/e) `[f]` (g)"
    )
