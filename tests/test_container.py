"""The image and what Compose makes of it: no root, nothing to write but the state, and no network."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from lexls.cli.options import build_parser

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
SERVICES: Mapping[str, Mapping[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))[
    "services"
]


@pytest.mark.skipif(not (BIN / "hadolint").exists(), reason="hadolint has no package for this machine")
def test_the_image_has_no_fault_that_its_linter_knows() -> None:
    done = subprocess.run([BIN / "hadolint", ROOT / "Dockerfile"], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout


def test_compose_has_the_form_that_its_schema_asks_for() -> None:
    files = [ROOT / "compose.yaml", ROOT / "packaging" / "milvus.compose.yaml"]
    command = [BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", *files]
    done = subprocess.run(command, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout


def test_the_image_runs_without_root_and_takes_only_what_has_hashes() -> None:
    last = DOCKERFILE.rsplit("FROM ", 1)[1]
    assert re.findall(r"^USER (.+)$", last, re.MULTILINE) == ["10001:10001"]
    installs = re.findall(r"pip [^&]*?install [^&]*", DOCKERFILE.replace("\\\n", " "))
    assert len(installs) == 3
    for each in installs:
        assert "--require-hashes" in each or "--no-index --" in each or "--no-index /wheels" in each, each


def test_what_is_copied_into_the_image_is_let_through() -> None:
    allowed = {
        line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")
    }
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    assert sources == allowed
    for each in sources:
        assert list(ROOT.glob(each)), each


def test_services_can_neither_listen_nor_write_and_one_alone_has_a_network() -> None:
    for name, service in SERVICES.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not {"ports", "expose", "privileged", "user"} & set(service), name
        assert [each.split(":", 1)[1] for each in service["volumes"][1:]] == ["/state"], name
        assert service["volumes"][0].endswith(":/matter:ro"), name
    assert [name for name, service in SERVICES.items() if service["network_mode"] != "none"] == ["models"]


def test_compose_and_its_manual_call_what_lexls_has() -> None:
    manual = (ROOT / "docs/containers.md").read_text("utf-8")
    workflow = (ROOT / ".github/workflows/checks.yml").read_text("utf-8")
    called = re.findall(r"docker compose run (?:--build )?--rm (?:-T )?(\w+) ?([^#\n]*)", manual + workflow)
    assert {name for name, _ in called} == set(SERVICES)
    commands = [arguments.split() for _, arguments in called if arguments.strip()]
    for each in (*commands, *(service["command"] for service in SERVICES.values())):
        assert build_parser().parse_args(each).command == each[0]


def test_milvus_listens_on_its_machine_alone_and_asks_for_a_token() -> None:
    text = (ROOT / "packaging" / "milvus.compose.yaml").read_text("utf-8")
    (milvus,) = yaml.safe_load(text)["services"].values()
    assert all(port.startswith("127.0.0.1:") for port in milvus["ports"])
    security = {key: value for key, value in milvus["environment"].items() if "SECURITY" in key}
    assert security == {
        "COMMON_SECURITY_AUTHORIZATIONENABLED": "true",
        "COMMON_SECURITY_DEFAULTROOTPASSWORD": "${MILVUS_ROOT_PASSWORD:?choose one}",
    }
