"""Editors on other machines: TLS, tokens, a server for each, and what their paths mean here."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from gatehouse import LEXLS, Gatehouse, write_certificate, write_token
from raw_client import PATIENCE, RawClient, environment, memory
from weir_workspace import CITING, DRAFT, HELD, indexed, told, workspace

from lexls.server import gate

Open = Callable[..., Gatehouse]
ELSEWHERE = Path("/matters of a client/carrow")
"""A folder of the editors' machine."""
LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="finds processes in /proc")


@pytest.fixture
def firm(tmp_path: Path) -> Path:
    """The home of a server whose own settings name the library."""
    library = workspace(tmp_path / "firm") / "library"
    settings = tmp_path / "home/config/lexls/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'library.folders = ["{library.as_posix()}"]\njurisdiction = "UK"\nembeddings.model = ""\n',
        encoding="utf-8",
    )
    return tmp_path / "home"


@pytest.fixture
def open_gate(firm: Path) -> Iterator[Open]:
    houses: list[Gatehouse] = []

    def open_one(*options: str) -> Gatehouse:
        houses.append(Gatehouse.open(firm, *options))
        return houses[-1]

    yield open_one
    for house in houses:
        house.close()


def hover(client: RawClient, uri: str) -> str:
    at = {"textDocument": {"uri": uri}, "position": {"line": CITING, "character": 96}}
    return str(client.result("textDocument/hover", at)["contents"]["value"])


def status(client: RawClient) -> dict[str, Any]:
    found: dict[str, Any] = client.result("workspace/executeCommand", {"command": "lexls.status"})
    return found


def servers(house: Gatehouse) -> set[int]:
    """The processes that the gate has started."""
    return set(
        map(int, Path(f"/proc/{house.process.pid}/task/{house.process.pid}/children").read_text().split())
    )


# -- editing -------------------------------------------------------------------------------------------------


def test_two_editors_at_once_work_on_the_firms_library(open_gate: Open) -> None:
    house = open_gate()
    alice, bob = house.editor("alice"), house.editor("bob")
    for each in (alice, bob):
        each.initialize(ELSEWHERE)
    uris = [each.open(ELSEWHERE / "draft.md", DRAFT) for each in (alice, bob)]
    for client, uri in zip((alice, bob), uris, strict=True):
        indexed(client)
        assert HELD in hover(client, uri)
        while not (found := client.diagnostics(uri)):
            pass
        assert [each["code"] for each in found] == ["not-in-library"]
    change = {"textDocument": {"uri": uris[0], "version": 2}, "contentChanges": [{"text": "Nothing."}]}
    alice.notify("textDocument/didChange", change)
    while alice.diagnostics(uris[0]):
        pass
    assert HELD in hover(bob, uris[1])
    assert (alice.goodbye(), bob.goodbye()) == (0, 0)
    house.wait_for("gone", 2)
    house.process.send_signal(signal.SIGTERM)
    assert house.process.wait(PATIENCE) == 0
    said = "\n".join(house.log)
    assert "alice from 127.0.0.1: connected (" in said
    assert "bob from 127.0.0.1: connected (" in said
    assert "connected (2 of 16)" in said
    assert (house.home / "alice.token").read_text().strip() not in said


def test_large_messages_go_both_ways(open_gate: Open) -> None:
    client = open_gate().editor()
    client.initialize(ELSEWHERE)
    answer = client.answer(client.request("lexls/unheard", {"text": "é" * 5_000_000}))
    assert answer["error"]["code"] == -32601
    text = "\n\n".join(
        f"So it was held in *Nobody v Known* [1999] ASC {n} at [1]." for n in range(1000, 4000)
    )
    uri = client.open(ELSEWHERE / "long.md", text)
    indexed(client)
    while len(found := client.diagnostics(uri)) < 3000:
        pass
    assert len({each["range"]["start"]["line"] for each in found}) == 3000
    assert client.goodbye() == 0


def test_what_is_nested_deep_has_its_answer(open_gate: Open) -> None:
    client = open_gate().editor()
    client.initialize(ELSEWHERE)
    deep = b"[" * 900 + b"]" * 900
    deep = b'{"jsonrpc": "2.0", "id": 99, "method": "lexls/unheard", "params": %s}' % deep
    client.write(b"Content-Length: %d\r\n\r\n%s" % (len(deep), deep))
    assert client.answer(99)["error"]["code"] in (-32600, -32601)  # some Pythons go deeper
    assert client.goodbye() == 0


def test_threads_are_kept_for_each_person(open_gate: Open) -> None:
    house = open_gate()
    settings = house.home / "data/lexls/clients/lexls.toml"  # which holds for both
    settings.parent.mkdir(parents=True)
    settings.write_text('jurisdiction = "UK"\n')
    alice, bob = house.editor("alice"), house.editor("bob")
    for client in (alice, bob):
        client.initialize(ELSEWHERE)
        client.open(ELSEWHERE / "draft.md", DRAFT)
        indexed(client)
    told(alice, "lexls.ask", question="When must the keeper of a weir open the gates?")
    assert len(told(alice, "lexls.threads")) == 1
    assert told(bob, "lexls.threads") == []


def test_a_person_may_have_a_library_of_her_own(open_gate: Open, tmp_path: Path) -> None:
    house = open_gate()
    own = workspace(tmp_path / "own")
    (own / "library/hale.md").unlink()
    settings = house.home / "data/lexls/clients/bob/lexls.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'library.folders = ["{(own / "library").as_posix()}"]\n')
    for name, folder in (("alice", tmp_path / "firm"), ("bob", own)):
        client = house.editor(name)
        client.initialize(ELSEWHERE)
        client.open(ELSEWHERE / "draft.md", DRAFT)
        (library,) = status(client)["libraries"]
        assert library["folders"] == [str(folder / "library")]
        assert client.goodbye() == 0


# -- who may come in -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"lexls/1 " + b"0" * 64 + b"\n", b"the token is none of this server's"),
        (b"lexls/1\n", b"the token is none of this server's"),
        (b"lexls/2 token\n", b"the first line is not lexls/1 and a token"),
        (b"Content-Length: 10\r\n\r\n{}        ", b"the first line is not lexls/1 and a token"),
        (b"lexls/1 " + b"x" * 5000 + b"\n", b"the first line is not lexls/1 and a token"),
        (b"\x00\xff\xfe\n", b"the first line is not lexls/1 and a token"),
    ],
)
def test_who_has_no_token_is_told_so_and_nothing_is_started(
    open_gate: Open, said: bytes, reason: bytes
) -> None:
    house = open_gate()
    with house.reach() as client:
        client.sendall(said)
        answer = b""
        while piece := client.recv(1000):
            answer += piece
    assert answer.startswith(b"lexls/1 refused: ")
    assert reason in answer
    house.wait_for("refused")
    assert not [line for line in house.log if "connected" in line]
    assert "0" * 64 not in "".join(house.log)


def test_who_speaks_no_tls_or_an_old_one_is_let_go(open_gate: Open) -> None:
    house = open_gate()
    with socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as plain:
        plain.sendall(b"Content-Length: 2\r\n\r\n{}" + os.urandom(100_000))
        with suppress(ConnectionError):
            while plain.recv(1000):
                pass
    house.wait_for("refused")
    old = ssl.create_default_context(cafile=house.certificate)
    old.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it is old
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as plain,
        pytest.raises((ssl.SSLError, ConnectionError)),
    ):
        old.wrap_socket(plain, server_hostname="127.0.0.1")
    house.wait_for("refused: UNSUPPORTED_PROTOCOL")
    assert house.editor().initialize(ELSEWHERE)["serverInfo"]["name"] == "lexls"


async def test_who_says_nothing_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import asyncio

    monkeypatch.setattr(gate, "GREETING_SECONDS", 0.05)
    caplog.set_level("INFO")
    (tmp_path / "tokens").write_text(write_token(tmp_path, "alice")[1])
    certificate, key = write_certificate(tmp_path, "127.0.0.1")
    for files in ((certificate, key), (None, None)):
        caplog.clear()
        opened = gate.Gate(gate.Door(("127.0.0.1", 0), tmp_path / "tokens", *files))
        listening = asyncio.create_task(opened.listen())
        while not (said := [each for each in caplog.messages if "listening" in each]):
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", int(said[0].split(",")[0].rsplit(":")[-1])
        )
        assert await reader.read() == b""
        assert any("127.0.0.1: " in each for each in caplog.messages)
        writer.close()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


def test_on_this_machine_it_may_be_plain_text_for_what_speaks_tls_in_front(firm: Path) -> None:
    house = Gatehouse.open(firm, tls=False)
    try:
        assert "in plain text" in house.log[0]
        with socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as client:
            client.sendall(b"lexls/1 " + (house.home / "alice.token").read_bytes())
            assert client.recv(100) == b"lexls/1 ok\n"
            body = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
            client.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert client.recv(100).startswith(b"Content-Length: ")
        house.wait_for("gone")
    finally:
        house.close()


@LINUX
def test_who_is_let_go_leaves_nothing_open(open_gate: Open) -> None:
    house = open_gate()
    with house.reach() as client:  # as what is opened for the first connection stays
        client.sendall(b"?\n")
        client.recv(100)
    house.wait_for("refused")
    opened = Path(f"/proc/{house.process.pid}/fd")
    until = time.monotonic() + PATIENCE
    for said in (b"x" * 200_000, b"?\n", b"half a line", b""):
        with suppress(ConnectionError, ssl.SSLError), house.reach() as client:
            client.sendall(said)
            if len(said) > 100 or said.endswith(b"\n"):
                while client.recv(1000):
                    pass
    socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE).close()
    while len([each for each in opened.iterdir() if each.is_socket()]) > 3:
        assert time.monotonic() < until
        time.sleep(0.1)
    assert [line for line in house.log if line.rstrip().endswith("refused:")] == []


def test_no_more_editors_are_served_than_may_be(open_gate: Open) -> None:
    house = open_gate("--most", "1")
    first = house.editor()
    first.initialize(ELSEWHERE)
    second = house.editor("bob")
    assert second.process.wait(PATIENCE) == 3
    reason = "refused: 1 editors are served already, and no more at a time"
    assert reason in second.notifications.get(timeout=PATIENCE)["params"]["message"]
    assert first.goodbye() == 0
    house.wait_for("gone")
    house.editor("bob").initialize(ELSEWHERE)


def test_a_token_ends_and_a_certificate_is_renewed_while_the_server_runs(open_gate: Open) -> None:
    house = open_gate()
    _, line = write_token(house.home, "carol")
    house.tokens.write_text(line, encoding="utf-8")
    carol, alice = house.editor("carol"), house.editor("alice")
    carol.initialize(ELSEWHERE)
    assert alice.process.wait(PATIENCE) == 3
    assert alice.process.stderr is not None
    assert b"refused: the token is none of this server's" in alice.process.stderr.read()
    with house.reach() as before:
        first = before.getpeercert(binary_form=True)
    write_certificate(house.home, "127.0.0.1")
    with house.reach() as after:
        assert after.getpeercert(binary_form=True) != first
    house.tokens.write_text(f"{line}dave:{line[-20:]}", encoding="utf-8")
    assert house.editor("carol").initialize(ELSEWHERE)
    house.wait_for("tokens: line 2 is not a name, a colon and the SHA-256 of a token; nobody is let in by it")
    house.certificate.write_text("half")
    with socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE):
        house.wait_for("is not a PEM file; the certificate that was read before is used")


# -- what cannot be started ----------------------------------------------------------------------------------


def test_a_door_that_cannot_be_opened_names_the_file_and_the_reason(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(write_token(tmp_path, "alice")[1])
    (tmp_path / "odd").write_text("alice hunter2\n")
    (tmp_path / "empty").write_text("# nobody yet\n")
    good, key = write_certificate(tmp_path, "good")
    expired, expired_key = write_certificate(tmp_path, "expired", days=-1)
    locked, locked_key = write_certificate(tmp_path, "locked", password="secret")
    here = "127.0.0.1:0"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for where, listed, certificate, its_key, reason in (
            (here, tmp_path / "none", good, key, f"{tmp_path / 'none'}: cannot be read: No such file"),
            (here, tmp_path / "odd", good, key, f"{tmp_path / 'odd'}: line 1 is not a name, a colon"),
            (here, tmp_path / "empty", good, key, f"{tmp_path / 'empty'}: there is no token"),
            (here, tokens, tmp_path / "none", key, f"{tmp_path / 'none'}: cannot be read: No such file"),
            (here, tokens, good, tmp_path, f"{tmp_path}: cannot be read: Is a directory"),
            (here, tokens, tokens, key, f"{tokens}: is not a PEM file"),
            (here, tokens, good, expired_key, f"{expired_key}: the key does not belong to the certificate"),
            (here, tokens, locked, locked_key, f"{locked_key}: the key cannot be used"),
            (here, tokens, expired, expired_key, f"{expired}: the certificate has expired"),
            (f"127.0.0.1:{port}", tokens, good, key, f"cannot listen on 127.0.0.1:{port}: "),
            ("0.0.0.0:0", tokens, None, None, "0.0.0.0:0: without --cert this machine alone can be served"),
        ):
            files = [] if certificate is None else ["--cert", str(certificate), "--key", str(its_key)]
            done = subprocess.run(
                [*LEXLS, "serve", "--tcp", where, "--tokens", str(listed), *files],
                stdin=subprocess.DEVNULL,
                text=True,
                capture_output=True,
                timeout=PATIENCE,
            )
            assert done.returncode == 3, reason
            assert f"lexls: {reason}" in done.stderr
            assert len(done.stderr.splitlines()) == 1
            assert "hunter2" not in done.stderr


def test_an_editor_is_told_why_there_is_no_server(open_gate: Open, tmp_path: Path) -> None:
    house = open_gate()
    other, _ = write_certificate(tmp_path, "other")
    (tmp_path / "words").write_text("two words")
    (tmp_path / "wrong").write_text("x" * 64)
    where, token, trusted = f"127.0.0.1:{house.port}", str(house.home / "alice.token"), str(house.certificate)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{closed.getsockname()[1]}"
        for command, reason in (
            ([where, "--ca", trusted], "there is no token: put it into a file (--token-file) or LEXLS_TOKEN"),
            (
                [where, "--ca", trusted, "--token-file", "none"],
                "none: the token cannot be read: No such file",
            ),
            ([where, "--ca", trusted, "--token-file", str(tmp_path / "words")], "words: is not a token"),
            ([where, "--ca", token, "--token-file", token], "alice.token: is no PEM file of certificates"),
            ([where, "--token-file", token], f"{where}: the certificate is not trusted: self-signed"),
            ([where, "--ca", str(other), "--token-file", token], f"{where}: the certificate is not trusted"),
            ([nobody, "--ca", trusted, "--token-file", token], f"{nobody}: cannot be reached: "),
            (
                [f"localhost:{house.port}", "--ca", trusted, "--token-file", token],
                "the certificate is not trusted: Hostname mismatch",
            ),
            (
                [where, "--ca", trusted, "--token-file", str(tmp_path / "wrong")],
                f"{where}: refused: the token is none of this server's",
            ),
        ):
            done = subprocess.run(
                [*LEXLS, "connect", *command],
                stdin=subprocess.DEVNULL,
                text=True,
                capture_output=True,
                timeout=PATIENCE,
                env=environment(tmp_path / "away"),
            )
            assert (done.returncode, len(done.stderr.splitlines())) == (3, 1)
            assert reason in done.stderr
            assert '"method": "window/showMessage"' in done.stdout
            assert reason in done.stdout


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(b"", "the connection was closed"), (b"HTTP/1.1 400 Bad Request\r\n\r\n", "is no lexls server")],
)
def test_what_answers_otherwise_is_told_apart(tmp_path: Path, answer: bytes, reason: str) -> None:
    certificate, key = write_certificate(tmp_path, "127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    token, _ = write_token(tmp_path, "alice")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        client = subprocess.Popen(
            [*LEXLS, "connect", where, "--ca", str(certificate), "--token-file", str(token)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(tmp_path),
        )
        listener.settimeout(PATIENCE)
        plain, _ = listener.accept()
        with context.wrap_socket(plain, server_side=True) as connection:
            assert connection.recv(1000).startswith(b"lexls/1 ")
            connection.sendall(answer)
        assert client.communicate(timeout=PATIENCE)[1] == f"lexls: {where}: {reason}\n"
    assert client.returncode == 3


# -- ends ----------------------------------------------------------------------------------------------------


@LINUX
def test_a_server_that_dies_ends_its_editors_session_alone(open_gate: Open) -> None:
    house = open_gate()
    alice = house.editor("alice")
    alice.initialize(ELSEWHERE)
    (first,) = servers(house)
    bob = house.editor("bob")
    bob.initialize(ELSEWHERE)
    os.kill(first, signal.SIGKILL)
    assert alice.process.wait(PATIENCE) == 3
    assert alice.process.stderr is not None
    assert b"the connection was lost" in alice.process.stderr.read()
    assert bob.goodbye() == 0


@LINUX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_servers_end_with_the_gate_and_editors_hear_of_it(open_gate: Open, number: signal.Signals) -> None:
    house = open_gate()
    client = house.editor()
    client.initialize(ELSEWHERE)
    (server,) = servers(house)
    house.process.send_signal(number)
    assert client.process.wait(PATIENCE) == 3
    assert house.process.wait(PATIENCE) == (0 if number == signal.SIGTERM else -signal.SIGKILL)
    until = time.monotonic() + PATIENCE
    while Path(f"/proc/{server}").exists():
        assert time.monotonic() < until
        time.sleep(0.05)


@LINUX
def test_an_editor_that_vanishes_takes_its_server_along(open_gate: Open) -> None:
    house = open_gate()
    client = house.editor()
    client.initialize(ELSEWHERE)
    client.process.kill()
    house.wait_for("alice from 127.0.0.1: gone")
    assert servers(house) == set()


@LINUX
def test_both_ends_notice_when_the_network_between_them_goes(open_gate: Open) -> None:
    house = open_gate()
    house.editor().initialize(ELSEWHERE)
    port = f"{house.port:04X}"
    until = time.monotonic() + PATIENCE
    while True:  # until neither waits for the other to say that it has heard
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        established = [each for each in lines if port in each[1] + each[2] and each[3] == "01"]
        if len(established) == 2 and all(each[5].startswith("02:") for each in established):  # keepalive
            break
        assert time.monotonic() < until, established
        time.sleep(0.1)


@LINUX
def test_who_reads_nothing_is_not_listened_to(open_gate: Open) -> None:
    house = open_gate()
    token = (house.home / "alice.token").read_bytes()
    with house.reach() as client:
        client.sendall(b"lexls/1 " + token)
        assert client.recv(100) == b"lexls/1 ok\n"
        house.wait_for("connected")
        before = memory(house.process)
        client.settimeout(3)
        body = b'{"jsonrpc": "2.0", "method": "lexls/unheard", "id": "%s"}' % (b"x" * 100_000)
        messages = (b"Content-Length: %d\r\n\r\n%s" % (len(body), body)) * 1500
        with pytest.raises(TimeoutError):
            client.sendall(messages)
        assert memory(house.process) - before < 20 * 2**20


# -- what their paths mean -----------------------------------------------------------------------------------


def test_a_path_of_the_client_means_nothing_on_the_server(open_gate: Open, tmp_path: Path) -> None:
    same = workspace(tmp_path / "same")  # a folder of the server with the path of one of the client's
    (same / "lexls.toml").write_text('jurisdiction = "US"\n')
    (same / "sources.bib").write_text("@misc{key, title = {Private}}")
    (same / "other.md").write_text(DRAFT)
    house = open_gate()
    client = house.editor()
    client.initialize(same)
    named = f"---\nbibliography: [{same}/sources.bib, ../../../../../../../{same}/sources.bib]\n---\n"
    uri = client.open(same / "draft.md", DRAFT)
    keyed = client.open(same / "keyed.md", f"{named}\nSo it was held [@key].\n")
    indexed(client)
    (library,) = status(client)["libraries"]
    assert library["folders"] == [str(tmp_path / "firm/library")]
    at = {"textDocument": {"uri": uri}, "position": {"line": CITING, "character": 96}}
    places = client.result("textDocument/references", {**at, "context": {"includeDeclaration": False}})
    assert {each["uri"] for each in places if "firm" not in each["uri"]} == {uri}
    at = {"textDocument": {"uri": keyed}, "position": {"line": 4, "character": 18}}
    assert "Private" not in str(client.result("textDocument/hover", at))
    argument = {"uri": uri, "check": "not-in-library"}
    request = {"command": "lexls.ignore", "arguments": [argument]}
    refused = client.answer(client.request("workspace/executeCommand", request))["error"]["message"]
    assert "whoever looks after the server" in refused
    up = ".\t./" * 30  # tabs are not read
    for against in (f"{same}/other.md", f"file://{same}/other.md", f"file:///{up}{same}/other.md"):
        request = {"command": "lexls.report", "arguments": [{"uri": uri, "against": [against]}]}
        answer = client.answer(client.request("workspace/executeCommand", request))
        assert answer["error"]["message"].startswith(("other.md: ", "untitled: ")), against
    assert client.goodbye() == 0
    indexes = sorted((house.home / "data/lexls/indexes").glob("*.sqlite3"))
    assert [each.name.startswith("library-") for each in indexes] == [True]
    assert (same / "lexls.toml").read_text() == 'jurisdiction = "US"\n'


def test_a_shared_folder_is_the_same_on_both(open_gate: Open, tmp_path: Path) -> None:
    same = workspace(tmp_path / "same")
    with (same / "lexls.toml").open("a") as settings:
        settings.write('library.folders = ["library"]\n')
    client = open_gate("--shared", os.path.relpath(same)).editor()
    client.initialize(same)
    uri = client.open(same / "draft.md", DRAFT)
    until = time.monotonic() + PATIENCE
    while HELD not in hover(client, uri):
        assert time.monotonic() < until
        time.sleep(0.1)
    (library,) = status(client)["libraries"]
    assert library["folders"] == [str(same / "library")]
    assert client.goodbye() == 0


def test_an_editor_far_away_decides_nothing_about_the_servers_machine(
    open_gate: Open, tmp_path: Path
) -> None:
    other = workspace(tmp_path / "other")
    client = open_gate().editor()
    client.initialize(ELSEWHERE)
    index = tmp_path / "elsewhere.sqlite3"
    settings: dict[str, Any] = {
        "library": {"folders": [str(other / "library")]},
        "index": {"path": str(index)},
        "openai": {"baseUrl": "https://elsewhere.example", "apiKeyEnv": "HOME"},
        "passages": {"maxChars": 300},
        "diagnostics": {"notInLibrary": "hint"},
    }
    client.notify("workspace/didChangeConfiguration", {"settings": {"lexls": settings}})
    uri = client.open(ELSEWHERE / "draft.md", DRAFT)
    indexed(client)
    severities: set[int] = set()
    while severities != {4}:
        severities = {each["severity"] for each in client.diagnostics(uri)}
    told_us = status(client)
    assert [each["folders"] for each in told_us["libraries"]] == [[str(tmp_path / "firm/library")]]
    keys = ("library.folders", "index.path", "openai.baseUrl", "openai.apiKeyEnv", "passages.maxChars")
    for key, problem in zip(keys, told_us["settings"], strict=True):
        assert f"{key}: can only be set where the server runs" in problem
    assert not index.exists()
