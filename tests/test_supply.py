"""What a release installs is what pyproject.toml asks for, pinned with hashes and listed with its licence."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from bill_of_materials import REQUIREMENTS, SBOM, read_pins
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PINS = read_pins(REQUIREMENTS.read_text(encoding="utf-8"))
PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED = [Requirement(line) for line in PROJECT["dependencies"]]


def test_each_dependency_is_pinned_to_a_version_that_it_allows() -> None:
    pinned: dict[str, list[str]] = {}
    for name, version in PINS:
        pinned.setdefault(canonicalize_name(name), []).append(version)
    for each in DECLARED:
        versions = pinned.get(canonicalize_name(each.name), [])
        assert versions, f"{each.name} is not pinned: run `make supply`"
        assert all(each.specifier.contains(version) for version in versions), (each, versions)


def test_each_pin_has_its_hashes_and_nothing_else_is_installed() -> None:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if re.match(r"\S", line)]) == len(PINS)
    assert all(PINS.values())
    assert not any("://" in line or line.startswith("-") for line in lines)


def test_the_bill_of_materials_lists_the_pins_with_their_licences() -> None:
    components = json.loads(SBOM.read_text(encoding="utf-8"))["components"]
    assert [(each["name"], each["version"]) for each in components] == list(PINS)
    for each in components:
        assert each["licenses"][0]["license"]["name"] not in ("", "UNKNOWN"), each["name"]
