"""What a release installs is pinned with hashes, listed with its licence, and what pyproject.toml asks for."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "supply"))
from generate import REQUIREMENTS, SBOM, read_pins

PINS = read_pins(REQUIREMENTS.read_text(encoding="utf-8"))
DECLARED = [
    Requirement(line)
    for line in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "dependencies"
    ]
]


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
