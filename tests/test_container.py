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

from lexls.cli.main import build_parser

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
FIRM = "packaging/compose.yaml"
Services = Mapping[str, Mapping[str, Any]]


def read_services(file: str) -> Services:
    found: Services = yaml.safe_load((ROOT / file).read_text("utf-8"))["services"]
    return found


SERVICES, FIRMS = read_services("compose.yaml"), read_services(FIRM)


@pytest.mark.skipif(not (BIN / "hadolint").exists(), reason="hadolint has no package for this machine")
def test_the_image_has_no_fault_that_its_linter_knows() -> None:
    done = subprocess.run([BIN / "hadolint", ROOT / "Dockerfile"], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout


def test_compose_has_the_form_that_its_schema_asks_for() -> None:
    files = [ROOT / "compose.yaml", ROOT / FIRM]
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


def test_a_firms_services_open_no_port_and_have_no_root() -> None:
    for name, service in FIRMS.items():
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not {"ports", "expose", "privileged"} & set(service), name
        if name != "milvus":  # its image decides for itself
            assert (service["read_only"], "user" in service) == (True, False), name
            assert service["volumes"][0].endswith(":/library:ro"), name
            assert build_parser().parse_args(service["command"]).command in ("index", "models")
    assert FIRMS["milvus"]["network_mode"] == "service:indexer"
    security = {key: value for key, value in FIRMS["milvus"]["environment"].items() if "SECURITY" in key}
    assert security == {
        "COMMON_SECURITY_AUTHORIZATIONENABLED": "true",
        "COMMON_SECURITY_DEFAULTROOTPASSWORD": "${MILVUS_ROOT_PASSWORD:?choose one}",
    }


def test_the_firms_manual_names_the_files_that_compose_takes() -> None:
    manual = (ROOT / "docs/firm-library.md").read_text("utf-8")
    firm = (ROOT / FIRM).read_text("utf-8")
    assert FIRM in manual
    for name in ("LIBRARY", "MILVUS_ROOT_PASSWORD"):
        assert name in manual
        assert f"${{{name}" in firm
    for file in re.findall(r":-\./([\w.]+)}", firm):
        assert file in manual, file


def test_the_firms_manual_starts_servers_that_there_are() -> None:
    name = yaml.safe_load((ROOT / FIRM).read_text("utf-8"))["name"]
    pages = [
        (ROOT / "docs" / page).read_text("utf-8") for page in ("firm-library.md", "editors.md", "cli.md")
    ]
    called = re.findall(r"lexls (serve --client \w+)", "".join(pages))
    assert len(called) > 5
    for each in called:
        assert build_parser().parse_args(each.split()).client
    assert re.findall(r"docker exec -i (\S+)", pages[0]) == [f"{name}-indexer-1"]
    assert "indexer" in FIRMS


def test_the_script_for_vs_code_has_ssh_start_the_server_alone(tmp_path: Path) -> None:
    (script,) = re.findall(
        r"(?ms)^```sh\n(#!/bin/sh.*?)^```$", (ROOT / "docs/firm-library.md").read_text("utf-8")
    )
    for name in ("ssh", "lexls", "script"):
        (tmp_path / name).write_text(script if name == "script" else f'#!/bin/sh\necho {name} "$@"\n')
        (tmp_path / name).chmod(0o755)
    for arguments, started in (
        (["serve", "--stdio"], "ssh firm lexls serve --client alice\n"),
        (["models", "get", "a b"], "lexls models get a b\n"),
    ):
        command = [tmp_path / "script", *arguments]
        done = subprocess.run(command, env={"PATH": f"{tmp_path}:/bin"}, text=True, capture_output=True)
        assert done.stdout == started
