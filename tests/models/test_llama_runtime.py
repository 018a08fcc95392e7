"""The builds of llama.cpp that can be installed, and that each does what the other does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from real_models import SMALLEST, find_real_model

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ALL = ("llama_cpp", "xllamacpp")
PROGRAM = """
import json, sys, time
only, path, grammar, question = sys.argv[1:]
for name in {"llama_cpp", "xllamacpp"} - {only}:
    sys.modules[name] = None
from lexls.models.llama_handlers import open_handlers
from lexls.models.llama_runtime import find_runtime
from lexls.models.messages import Job
from lexls.text.cancel import Cancelled, CancelToken
assert find_runtime() == only
handlers = open_handlers()
given = {"path": path, "context_tokens": 512, "threads": 1, "gpu_layers": 0, "memory_megabytes": 0}
how = given | {"roles": ["user"], "max_tokens": 60, "seconds": 300}
answers = list(handlers["llama-generate"](Job(how, (grammar, question), CancelToken())))
asked = given | {"roles": ["user"], "options": 2}
(scored,) = list(handlers["llama-score"](Job(asked, ("Yes", "No", question), CancelToken())))[1:]
again = list(handlers["llama-generate"](Job(how, (grammar, question * 8), CancelToken())))
token, stopped = CancelToken(), None
try:
    for answer in handlers["llama-generate"](Job(how | {"max_tokens": 400}, ("", question), token)):
        if answer.payload:
            started = stopped or time.monotonic()
            stopped = started
            token.cancel()
except Cancelled:
    stopped = time.monotonic() - started
print(json.dumps({
    "text": b"".join(each.payload for each in answers).decode(), "ended": answers[-1].fields["ended"],
    "scores": scored.fields["scores"], "longer": b"".join(each.payload for each in again).decode(),
    "stopped": stopped,
}))
"""


def answered(runtime: str, path: Path, grammar: str, question: str) -> dict[str, object]:
    """What a model answers in a process that has only this runtime."""
    if find_spec(runtime) is None or find_spec("jinja2") is None:
        pytest.skip(f"{runtime} is not installed")
    command = [sys.executable, "-c", PROGRAM, runtime, str(path), grammar, question]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def installed_among(folder: Path, *names: str) -> str:
    """Which runtime is used where ``names`` are installed."""
    folder.mkdir()
    for name in names:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
    missing = [name for name in ALL if name not in names]
    program = (
        f"import sys; sys.path.insert(0, {str(folder)!r}); sys.modules.update(dict.fromkeys({missing!r}))\n"
        "from lexls.models.llama_runtime import find_runtime; print(find_runtime())"
    )
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.strip()


def test_what_was_compiled_here_goes_before_what_comes_compiled(tmp_path: Path) -> None:
    assert installed_among(tmp_path / "both", *ALL) == "llama_cpp"
    assert installed_among(tmp_path / "one", "xllamacpp") == "xllamacpp"
    assert installed_among(tmp_path / "none") == ""


def test_another_version_than_the_known_one_is_not_used(tmp_path: Path) -> None:
    record = tmp_path / "xllamacpp-2031.1.1.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: xllamacpp\nVersion: 2031.1.1\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import lexls.models.xllamacpp_interface"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert "ImportError: xllamacpp is 2031.1.1, and lexls knows the structures of 2026." in done.stderr


def test_every_extra_has_the_version_whose_structures_are_known() -> None:
    source = (ROOT / "lexls/models/xllamacpp_interface.py").read_text("utf-8")
    version = re.search(r'^VERSION = "(.+)"$', source, re.M)
    extras = PROJECT["project"]["optional-dependencies"]
    pinned = [
        each for each in [*extras["llama"], *PROJECT["dependency-groups"]["dev"]] if "xllamacpp" in each
    ]
    assert version
    assert len(pinned) == 2
    assert all(each.startswith(f"xllamacpp=={version[1]};") for each in pinned)
    (compiled,) = (each for each in extras["llama-cpp"] if "llama-cpp" in each)
    assert any(each.startswith(f"{compiled};") for each in extras["llama"])


@pytest.mark.parametrize("runtime", ALL)
def test_a_runtime_has_all_that_lexls_names(runtime: str) -> None:
    if find_spec(runtime) is None:
        pytest.skip(f"{runtime} is not installed")
    named: set[str] = set()
    for path in (ROOT / "lexls" / "models").glob("llama_*.py"):
        named |= set(re.findall(r"\bllama\.((?:llama|LLAMA|ggml)_\w+)", path.read_text("utf-8")))
    assert "llama_decode" in named
    program = (
        f"import sys; sys.modules.update(dict.fromkeys(set({ALL!r}) - {{{runtime!r}}}))\n"
        "from lexls.models.llama_runtime import open_interface\n"
        f"print(*(name for name in {sorted(named)!r} if not hasattr(open_interface(), name)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize("runtime", ALL)
def test_a_runtime_answers_scores_and_stops(runtime: str, tmp_path: Path) -> None:
    gguf = pytest.importorskip("random_gguf")
    model = gguf.write_random_model(
        tmp_path / "slow.gguf", width=256, inner=1024, layers=6, heads=8, key_heads=4, context=8192
    )
    found = answered(runtime, model, r'root ::= "{\"held\":\"" [a-z ]{1,20} "\"}"', "the court held " * 12)
    assert re.fullmatch(r'\{"held":"[a-z ]{1,20}"\}', str(found["text"]))
    assert re.fullmatch(r'\{"held":"[a-z ]{1,20}"\}', str(found["longer"]))
    assert [score < 0 for score in found["scores"]] == [True, True]  # type: ignore[attr-defined]
    assert isinstance(found["stopped"], float)
    assert found["stopped"] < 0.2


def test_both_runtimes_write_the_same(tmp_path: Path) -> None:
    gguf = pytest.importorskip("random_gguf")
    model = gguf.write_random_model(tmp_path / "small.gguf", seed=3)
    grammar = r'root ::= "{\"held\":\"" [a-z ]{1,40} "\"}"'
    one, other = (answered(runtime, model, grammar, "What did the court hold? ") for runtime in ALL)
    assert [one[key] for key in ("text", "longer")] == [other[key] for key in ("text", "longer")]


@pytest.mark.parametrize("runtime", ALL)
def test_a_real_model_answers(runtime: str) -> None:
    path = find_real_model(SMALLEST)
    grammar = r'root ::= "The capital of France is " [A-Z] [a-z]+ "."'
    found = answered(runtime, path, grammar, "What is the capital of France? ")
    assert found["text"] == "The capital of France is Paris."
    assert isinstance(found["stopped"], float)
    assert found["stopped"] < 1.0
