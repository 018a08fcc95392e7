"""No generator opens a socket but those that ask a model behind an address, once they are set up and allowed.

Each request is answered in a process of its own where, and in whose model process, every socket is refused
and noted; and again in one that the kernel ends for a socket of the network, whoever opens it.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from prompt_samples import BRIDGE
from real_models import SMALLEST, find_real_model
from scripted_server import scripted

HERE = Path(__file__).parent
KERNEL = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"), reason="a filter of Linux"
)
WRITTEN = {
    "answer": [{"evidence": [{"passage": "P1", "quotation": "keep its planks sound"}], "sentence": "x"}]
}


@dataclass(frozen=True)
class Done:
    """What came of one process: what it printed of each request, which sockets were asked for, how many
    processes were watched, and whether the kernel watched too."""

    code: int
    answers: tuple[dict[str, Any], ...]
    sockets: tuple[str, ...]
    processes: int
    filtered: bool

    @property
    def printed(self) -> dict[str, Any]:
        """What it printed of its one request."""
        [answer] = self.answers
        return answer


def environment(folder: Path, *, refused: bool, kill: bool) -> dict[str, str]:
    """Of processes that are watched, as are those that they start; the user's own folders are elsewhere."""
    paths = [HERE / "refusing_sockets", HERE, HERE.parent / "models", HERE.parents[1]]
    homes = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    return dict(os.environ) | {
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "SOCKETS_SEEN": str(folder / "sockets.txt"),
        "SOCKETS_REFUSED": "yes" if refused else "no",
        "SOCKETS_KILL": "yes" if kill else "",
        **{name: str(folder / "home") for name in homes},
    }


def ask(folder: Path, *described: Mapping[str, Any], refused: bool = True, kill: bool = False) -> Done:
    done = subprocess.run(
        [sys.executable, str(HERE / "asking_process.py"), json.dumps(described)],
        env=environment(folder, refused=refused, kill=kill),
        capture_output=True,
        text=True,
        timeout=300,
    )
    seen = folder / "sockets.txt"
    lines = seen.read_text(encoding="utf-8").splitlines()
    started = {line.split()[1] for line in lines if line.startswith("started")}
    return Done(
        done.returncode,
        tuple(map(json.loads, done.stdout.splitlines())),
        tuple(line.split()[0] for line in lines if line.startswith("socket.")),
        len(started),
        kill and not any(line.startswith("no filter") for line in lines),
    )


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("lexls.models.llama_conversation")
    pytest.importorskip("gguf")
    from random_gguf import write_random_model

    path = tmp_path_factory.mktemp("llama") / "random.gguf"
    write_random_model(path)
    return path


def test_a_socket_in_the_process_is_caught(tmp_path: Path) -> None:
    done = ask(tmp_path, {"control": "here"})
    assert done.code != 0
    assert done.sockets == ("socket.__new__",)


def test_a_socket_in_the_model_process_is_caught(tmp_path: Path) -> None:
    done = ask(tmp_path, {"control": "models"})
    assert "PermissionError" in done.printed["failed"]
    assert (done.sockets, done.processes) == (("socket.__new__",), 2)


@KERNEL
def test_the_kernel_ends_a_process_for_a_socket(tmp_path: Path) -> None:
    done = ask(tmp_path, {"control": "here"}, refused=False, kill=True)
    if not done.filtered:
        pytest.skip("this system allows no filter")
    assert done.code == -signal.SIGSYS
    (tmp_path / "sockets.txt").unlink()
    assert "SIGSYS" in ask(tmp_path, {"control": "models"}, refused=False, kill=True).printed["failed"]


@pytest.mark.parametrize("kill", [False, pytest.param(True, marks=KERNEL)])
def test_extracts_need_no_socket(tmp_path: Path, kill: bool) -> None:
    done = ask(tmp_path, {"kind": "extractive"}, kill=kill)
    assert done.printed["sentences"] > 0
    assert (done.code, done.sockets) == (0, ())


@pytest.mark.parametrize("kill", [False, pytest.param(True, marks=KERNEL)])
def test_a_dry_run_needs_no_socket(tmp_path: Path, kill: bool) -> None:
    done = ask(tmp_path, {"kind": "dry-run"}, kill=kill)
    assert done.printed["shown"]
    assert (done.code, done.sockets) == (0, ())


@pytest.mark.parametrize("kill", [False, pytest.param(True, marks=KERNEL)])
def test_a_model_on_this_machine_needs_no_socket(tmp_path: Path, model_file: Path, kill: bool) -> None:
    described = {"kind": "llama", "model": str(model_file), "threads": 1}
    done = ask(tmp_path, described, kill=kill)
    assert done.printed["failed"] == ""
    assert done.printed["tokens"] > 0
    assert (done.code, done.sockets, done.processes) == (0, (), 2)


@pytest.mark.slow
def test_a_real_model_needs_no_socket(tmp_path: Path) -> None:
    pytest.importorskip("lexls.models.llama_conversation")
    done = ask(tmp_path, {"kind": "llama", "model": str(find_real_model(SMALLEST)), "threads": 1})
    assert (done.code, done.printed["failed"], done.sockets, done.processes) == (0, "", (), 2)
    assert done.printed["tokens"] > 0


def test_what_is_not_set_up_or_not_allowed_opens_none(tmp_path: Path) -> None:
    elsewhere = "https://models.example/v1"
    cases: list[tuple[str, dict[str, Any]]] = [
        ("openai.baseUrl is empty", {"kind": "openai"}),
        ("openai.model is empty", {"kind": "openai", "base_url": "http://127.0.0.1:9/v1"}),
        ("remote.allowed", {"kind": "openai", "base_url": elsewhere, "model": "m"}),
        ("openai.baseUrl", {"kind": "openai", "base_url": "http://localhost@x.example/", "model": "m"}),
        ("anthropic.model is empty", {"kind": "anthropic", "base_url": elsewhere}),
        ("remote.allowed", {"kind": "anthropic", "base_url": elsewhere, "model": "m"}),
        (
            "NO_SUCH_KEY",
            {"kind": "anthropic", "base_url": elsewhere, "model": "m", "allow_remote": True}
            | {"api_key_env": "NO_SUCH_KEY"},
        ),
    ]
    done = ask(tmp_path, *(described for _, described in cases))
    for (words, _), answer in zip(cases, done.answers, strict=True):
        assert words in answer["failed"]
    assert (done.code, done.sockets) == (0, ())


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_what_is_set_up_opens_one(tmp_path: Path, kind: str) -> None:
    text = json.dumps(WRITTEN)
    bodies = {
        "openai": {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]},
        "anthropic": {
            "type": "message",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
        },
    }
    body = json.dumps(bodies[kind]).encode()
    with scripted(lambda handler, _: handler.whole(200, body)) as server:
        described = {"kind": kind, "base_url": server.url, "model": "m"}
        done = ask(tmp_path, described, refused=False)
        assert len(server.asked) == 1
        assert done.printed["failed"] == ""
        assert "socket.connect" in done.sockets
        (tmp_path / "sockets.txt").unlink()
        assert ask(tmp_path, described).printed["failed"]
        assert len(server.asked) == 1


@KERNEL
@pytest.mark.parametrize("generator", ["extractive", "dry-run"])
def test_the_whole_program_answers_without_a_network(tmp_path: Path, generator: str) -> None:
    """From indexing a library to the printed answer, in all processes that this takes."""
    library = tmp_path / "library"
    library.mkdir()
    (library / "bridge.md").write_text(f"# Wend Carriers v Holm Bridge Trust [2041] UKSC 7\n\n[1] {BRIDGE}\n")
    (tmp_path / "lexls.toml").write_text('jurisdiction = "UK"\nembeddings.model = ""\n')
    question = "Must the keeper of a toll bridge keep its planks sound?"
    done = subprocess.run(
        [sys.executable, "-m", "lexls", "ask", question, "--generator", generator, "--json"],
        env=environment(tmp_path, refused=False, kill=True),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    lines = (tmp_path / "sockets.txt").read_text(encoding="utf-8").splitlines()
    if any(line.startswith("no filter") for line in lines):
        pytest.skip("this system allows no filter")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["sentences"] if generator == "extractive" else "keep its planks sound" in done.stdout
    assert not [line for line in lines if line.startswith(("socket.connect", "socket.getaddrinfo"))]
