"""An index that comes to harm while editors are open, and a command line beside them."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from raw_client import PATIENCE, RawClient, environment

from lexls.cli.context import RENEWED
from lexls.index.config import make_indexer_config
from lexls.index.connection import SCHEMA_VERSION, load_vector_extension, migrate, open_writer
from lexls.index.library import Library
from lexls.index.process import make_environment
from lexls.index.vectors import VectorStore
from lexls.index.wanted import RENEW, WantedReader
from lexls.server.library_service import REOPENED, LibraryService, explain_failure
from lexls.server.main import make_server
from lexls.server.status import describe_library, describe_service
from lexls.settings.declaration import Settings

Start = Callable[[], RawClient]


def status(client: RawClient) -> dict[str, Any]:
    [library] = client.result("workspace/executeCommand", {"command": "lexls.status"})["libraries"]
    return dict(library)


def eventually(condition: Callable[[], bool], seconds: float = 2 * PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.2)


def run(sample: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "lexls", *arguments],
        cwd=sample,
        env=environment(home) | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )


def overwrite(index: Path, pages: range) -> None:
    noise = random.Random(3)
    with open(index, "r+b") as file:
        for page in pages:
            file.seek(4096 * page)
            file.write(noise.randbytes(4096))


def is_told(client: RawClient) -> bool:
    """Whether the user was told that the index is being rebuilt."""
    client.result("workspace/executeCommand", {"command": "lexls.status"})
    messages = [each for each in client.passed_over if each["method"] == "window/showMessage"]
    while not client.notifications.empty():
        messages.append(client.notifications.get())
    shown = [each["params"]["message"] for each in messages if each["method"] == "window/showMessage"]
    return any("was damaged and is being rebuilt" in each for each in shown)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the indexer in /proc")
@pytest.mark.parametrize("pages", [range(5, 60), range(1)])
def test_an_index_damaged_under_an_editor_is_made_anew_and_the_user_is_told(
    start: Start, sample: Path, tmp_path: Path, pages: range
) -> None:
    client = start()
    client.open_sample(sample)
    before = status(client)
    overwrite(Path(before["index"]), pages)
    tasks = Path(f"/proc/{client.process.pid}/task")
    [child] = [each for path in tasks.glob("*/children") for each in path.read_text().split()]
    os.kill(int(child), signal.SIGKILL)
    eventually(lambda: is_told(client))
    eventually(lambda: status(client)["documents"] == before["documents"])
    eventually(lambda: status(client)["phase"] in ("ready", "lexical", "embedding"))
    assert client.goodbye() == 0
    verified = json.loads(run(sample, tmp_path / "home", "doctor", "--verify", "--json").stdout)
    assert verified["verified"]["differences"] == []


def test_a_status_that_meets_damage_says_so_and_has_the_index_made_anew(
    sample_index: Path, tmp_path: Path
) -> None:
    index = tmp_path / "index.sqlite3"
    shutil.copy(sample_index, index)
    service = LibraryService(make_indexer_config([tmp_path / "library"], Settings(), index))
    service.library = Library(index)
    try:
        assert describe_library(service)["phase"] != "failed"
        overwrite(index, range(1, index.stat().st_size // 4096))
        with closing(apsw.Connection(str(index))) as connection:
            [version] = connection.execute("PRAGMA user_version").fetchall()[0]
            connection.execute(f"PRAGMA user_version = {version}")  # readers forget the pages that they have
        found = describe_library(service)
        assert (found["phase"], found["documents"]) == ("failed", 0)
        assert str(index) in found["message"]
        assert describe_service(service).phase == "failed"
        assert RENEW in WantedReader(index).take()
    finally:
        service.close()


@pytest.mark.parametrize("table", ["vec_passages", "meta", "documents"])
def test_an_index_without_a_table_is_made_anew_when_a_server_or_a_command_starts(
    start: Start, sample: Path, tmp_path: Path, table: str
) -> None:
    """``tests/index/test_verify.py`` drops each of them."""
    client = start()
    client.open_sample(sample)
    before = status(client)
    assert client.goodbye() == 0

    def drop() -> None:
        with closing(open_writer(Path(before["index"]))) as connection:
            load_vector_extension(connection)
            if table == "vec_passages":
                VectorStore(connection, True).create(8)
            connection.execute(f"PRAGMA foreign_keys = OFF; DROP TABLE {table}")

    drop()
    verified = run(sample, tmp_path / "home", "doctor", "--verify", "--json")
    assert json.loads(verified.stdout)["verified"]["differences"] == []
    assert RENEWED in verified.stderr
    drop()
    client = start()
    client.initialize(sample)
    eventually(lambda: is_told(client))
    eventually(lambda: status(client)["documents"] == before["documents"])
    assert client.goodbye() == 0


OLDER = """
import sys
from pathlib import Path
from lexls.index.beside import lock_index
with lock_index(Path(sys.argv[1])):
    print("has it", flush=True)
    sys.stdin.read()
"""


def test_an_index_that_an_older_lexls_works_with_is_said_to_be(
    start: Start, sample: Path, tmp_path: Path
) -> None:
    client = start()
    client.open_sample(sample)
    before = status(client)
    index = Path(before["index"])
    assert client.goodbye() == 0
    index.unlink()
    with closing(open_writer(index)) as connection:
        migrate(connection, to=SCHEMA_VERSION - 1)
    pipe = subprocess.PIPE
    command = [sys.executable, "-P", "-c", OLDER, str(index)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=make_environment()) as older:
        assert older.stdout is not None
        assert older.stdout.readline() == b"has it\n"
        client = start()
        client.initialize(sample)
        eventually(lambda: status(client)["phase"] == "failed")
        said = "made by an older lexls, with which another process has it open; close or update the editor"
        assert said in status(client)["message"]
        refused = run(sample, tmp_path / "home", "index")
        assert refused.returncode == 3
        assert said in refused.stderr
        older.communicate(b"")
    eventually(lambda: status(client)["documents"] == before["documents"])
    assert client.goodbye() == 0


@pytest.mark.parametrize(
    "moved",
    [lambda index: index, lambda index: index.parent],
    ids=["alone", "with its folder"],
)
def test_an_index_that_goes_from_under_an_editor_is_made_again(
    start: Start, sample: Path, tmp_path: Path, moved: Callable[[Path], Path]
) -> None:
    client = start()
    client.open_sample(sample)
    before = status(client)
    index = Path(before["index"])
    moved(index).rename(moved(index).with_name("elsewhere"))
    eventually(lambda: index.exists() and status(client)["documents"] == before["documents"])
    assert client.goodbye() == 0
    verified = json.loads(run(sample, tmp_path / "home", "doctor", "--verify", "--json").stdout)
    assert verified["verified"]["differences"] == []


def test_two_editors_and_commands_at_once_leave_the_index_right(
    start: Start, sample: Path, tmp_path: Path
) -> None:
    for client in (start(), start()):
        client.open_sample(sample)
    cases = sample / "library" / "cases"
    for number in range(5):
        (cases / f"new-{number}.md").write_text(f"---\ntitle: A v B{number}\nkind: case\n---\n\n[1] So.\n")
    commands = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", "lexls", *words],
            cwd=sample,
            env=environment(tmp_path / "home") | {"PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
        )
        for words in (["index", "--lexical", "--json"], ["doctor", "--verify", "--json"], ["search", "weir"])
    ]
    outputs = [command.communicate()[0] for command in commands]
    assert commands[0].returncode == 0
    assert json.loads(outputs[1])["verified"]["differences"] == []
    assert commands[2].returncode == 0
    forgotten = run(sample, tmp_path / "home", "forget", str(sample))
    assert forgotten.returncode == 3
    assert "close it first" in forgotten.stderr


POSITION = {"line": 4, "character": 40}
RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 40, "character": 0}}
OF_POSITION = """definition hover completion documentHighlight prepareRename rename references
    prepareCallHierarchy inlineCompletion"""
OF_RANGE = "codeAction inlayHint semanticTokens/range"
OF_DOCUMENT = """codeLens diagnostic documentLink documentSymbol foldingRange selectionRange
    semanticTokens/full semanticTokens/full/delta"""
MORE: dict[str, Any] = {
    "newName": "the Weir",
    "context": {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1},
    "positions": [POSITION],
    "previousResultId": "1",
}


def list_requests(uri: str) -> dict[str, Any]:
    """Every request that reads the index, with its parameters."""
    place = {"textDocument": {"uri": uri}, **MORE}
    words = [("", OF_DOCUMENT), ("position", OF_POSITION), ("range", OF_RANGE)]
    values = {"": None, "position": POSITION, "range": RANGE}
    asked = {
        f"textDocument/{name}": place | ({kind: values[kind]} if kind else {})
        for kind, names in words
        for name in names.split()
    }
    return asked | {
        "workspace/symbol": {"query": "weir"},
        "workspace/executeCommand": {"command": "lexls.status"},
    }


def test_all_requests_are_listed() -> None:
    features = make_server().protocol.fm.features
    reading = {
        name
        for name in features
        if name.startswith(("textDocument/", "workspace/symbol")) and "/did" not in name
    }
    assert reading <= set(list_requests(""))


def replace_by_garbage(index: Path) -> None:
    other = index.with_name("garbage")
    other.write_bytes(random.Random(4).randbytes(300_000))
    other.replace(index)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda index: overwrite(index, range(60)),
        lambda index: overwrite(index, range(5, 60)),
        lambda index: os.truncate(index, index.stat().st_size // 2),
        replace_by_garbage,
    ],
    ids=["head", "pages", "half", "garbage"],
)
def test_no_request_calls_a_damaged_index_a_fault_of_lexls(
    start: Start, sample: Path, spoil: Callable[[Path], None]
) -> None:
    client = start()
    uri = client.open_sample(sample)
    before = status(client)
    index = Path(before["index"])
    for wait in (0.0, 0.3):
        spoil(index)
        asked = {}
        for method, parameters in list_requests(uri).items():
            asked[client.request(method, parameters)] = method
            time.sleep(wait / 10)
        for number, method in asked.items():
            error = client.answer(number).get("error", {"message": ""})
            assert "a fault in lexls" not in error["message"], (method, error)
        eventually(lambda: status(client)["documents"] == before["documents"])
    eventually(lambda: status(client)["phase"] in ("ready", "lexical", "embedding"))
    assert client.goodbye() == 0


def test_an_error_is_explained_by_the_index_that_it_is_of(sample_index: Path, tmp_path: Path) -> None:
    services = []
    for name in ("sound", "damaged"):
        index = tmp_path / name / "index.sqlite3"
        index.parent.mkdir()
        shutil.copy(sample_index, index)
        services.append(LibraryService(make_indexer_config([tmp_path / "library"], Settings(), index)))
    overwrite(index, range(1, 60))
    for error in (apsw.CorruptError("x"), apsw.NotADBError("x"), UnicodeDecodeError("utf-8", b"", 0, 1, "x")):
        assert str(index) in explain_failure(error, services)
        assert RENEW in WantedReader(index).take()
    assert not services[0].problem
    assert str(index) in explain_failure(apsw.ConnectionClosedError("x"), services)
    assert explain_failure(apsw.ConnectionClosedError("x"), services[:1]) == REOPENED
    assert explain_failure(ValueError("x"), services) == ""
    assert RENEW not in WantedReader(services[0].config.index).take()
    for each in services:
        each.close()
