"""Write what a release is made of: each dependency with its hashes, and their list with their licences.

    make supply   (needs an index of packages)

``requirements.txt`` is for ``pip install --require-hashes -r supply/requirements.txt``, on every platform,
``build-requirements.txt`` for what builds lexls itself, ``mcp-requirements.txt`` for the extra ``mcp``, which
the extension for VS Code installs, ``extras-requirements.txt`` for the extras ``mcp`` and ``milvus``, which
the container has;
``sbom.json`` is CycloneDX. A test holds them against pyproject.toml and each other.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent / "pyproject.toml"
REQUIREMENTS, SBOM = HERE / "requirements.txt", HERE / "sbom.json"
BUILD_REQUIREMENTS, EXTRAS_REQUIREMENTS = HERE / "build-requirements.txt", HERE / "extras-requirements.txt"
MCP_REQUIREMENTS = HERE / "mcp-requirements.txt"
PINNED = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^\s;\\]+)(?P<more>(?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE
)
EVERYWHERE = " ; sys_platform == 'darwin' or sys_platform == 'linux' or sys_platform == 'win32'"
HASH = re.compile(r"sha256:([0-9a-f]{64})")
# Of other platforms than this one, so that their metadata is not at hand.
LICENCES = {"colorama": "BSD-3-Clause"}
CLASSIFIER = "License :: OSI Approved :: "


def resolve(wanted: list[str], file: Path, *, beside: Path | None = None) -> None:
    """Pin in a file what is asked for, on all platforms and versions of Python served.

    What is pinned in ``beside``, too, is the same there, so that both can be installed together.
    """
    command = [
        sys.executable, "-m", "uv", "pip", "compile", "-", "--universal", "--python-version", "3.11",
        "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate", "--upgrade", "--quiet",
        "--output-file", str(file), *(("--constraint", str(beside)) if beside else ()),
    ]  # fmt: skip
    subprocess.run(command, check=True, input="\n".join(wanted), text=True, cwd=PROJECT.parent)
    pinned = file.read_text(encoding="utf-8")
    file.write_text(pinned.replace(EVERYWHERE, ""), encoding="utf-8")


def read_pins(text: str) -> dict[tuple[str, str], list[str]]:
    """The hashes of each name and version that is pinned."""
    return {(each["name"], each["version"]): HASH.findall(each["more"]) for each in PINNED.finditer(text)}


def find_licence(name: str) -> str:
    """What a package says of its licence; raises ``LookupError`` where nothing tells."""
    if name in LICENCES:
        return LICENCES[name]
    found = metadata.metadata(name)
    if expression := found.get("License-Expression"):
        return str(expression)
    named = [each.removeprefix(CLASSIFIER) for each in found.get_all("Classifier", ()) if CLASSIFIER in each]
    said = (found.get("License") or "").strip().partition("\n")[0]
    if not (named or said):
        raise LookupError(f"{name} says nothing of its licence")
    return " AND ".join(named) or said


def make_sbom(pins: dict[tuple[str, str], list[str]]) -> dict[str, object]:
    """The bill of materials as CycloneDX has it."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "lexls"}},
        "components": [
            {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:pypi/{name}@{version}",
                "licenses": [{"license": {"name": find_licence(name)}}],
            }
            for name, version in pins
        ],
    }


if __name__ == "__main__":
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    resolve(project["project"]["dependencies"], REQUIREMENTS)
    resolve(project["build-system"]["requires"], BUILD_REQUIREMENTS, beside=REQUIREMENTS)
    extras = project["project"]["optional-dependencies"]
    resolve([*extras["mcp"], *extras["milvus"]], EXTRAS_REQUIREMENTS, beside=REQUIREMENTS)
    resolve(extras["mcp"], MCP_REQUIREMENTS, beside=EXTRAS_REQUIREMENTS)
    made = make_sbom(read_pins(REQUIREMENTS.read_text(encoding="utf-8")))
    SBOM.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
