"""What a release installs is what pyproject.toml asks for, pinned with hashes and listed with its licence."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from bill_of_materials import (
    BUILD_REQUIREMENTS,
    EXTRAS_REQUIREMENTS,
    MCP_REQUIREMENTS,
    REQUIREMENTS,
    SBOM,
    read_pins,
)
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
DECLARED = {
    REQUIREMENTS: PROJECT["project"]["dependencies"],
    BUILD_REQUIREMENTS: PROJECT["build-system"]["requires"],
    MCP_REQUIREMENTS: PROJECT["project"]["optional-dependencies"]["mcp"],
    EXTRAS_REQUIREMENTS: [
        each for extra in ("mcp", "milvus") for each in PROJECT["project"]["optional-dependencies"][extra]
    ],
}
PINS = {file: read_pins(file.read_text(encoding="utf-8")) for file in DECLARED}


@pytest.mark.parametrize("file", DECLARED)
def test_each_dependency_is_pinned_to_a_version_that_it_allows(file: Path) -> None:
    pinned: dict[str, list[str]] = {}
    for name, version in PINS[file]:
        pinned.setdefault(canonicalize_name(name), []).append(version)
    for each in map(Requirement, DECLARED[file]):
        versions = pinned.get(canonicalize_name(each.name), [])
        assert versions, f"{each.name} is not pinned: run `make supply`"
        assert all(each.specifier.contains(version) for version in versions), (each, versions)


@pytest.mark.parametrize("file", DECLARED)
def test_each_pin_has_its_hashes_and_nothing_else_is_installed(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if re.match(r"\S", line)]) == len(PINS[file])
    assert all(PINS[file].values())
    assert not any("://" in line or line.startswith("-") for line in lines)


@pytest.mark.parametrize("file", [BUILD_REQUIREMENTS, MCP_REQUIREMENTS, EXTRAS_REQUIREMENTS])
def test_what_goes_beside_what_lexls_needs_has_the_same_pins(file: Path) -> None:
    shared = {name for name, _ in PINS[REQUIREMENTS]} & {name for name, _ in PINS[file]}
    assert shared
    for name in shared:
        both = [[each for each in PINS[pinned] if each[0] == name] for pinned in (REQUIREMENTS, file)]
        assert both[0] == both[1], name


def test_the_bill_of_materials_lists_the_pins_with_their_licences() -> None:
    components = json.loads(SBOM.read_text(encoding="utf-8"))["components"]
    assert [(each["name"], each["version"]) for each in components] == list(PINS[REQUIREMENTS])
    for each in components:
        assert each["licenses"][0]["license"]["name"] not in ("", "UNKNOWN"), each["name"]
