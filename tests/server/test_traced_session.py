"""What a session does to the machine, as strace sees it: the server, its indexer, workers and models."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from raw_client import SERVE, RawClient, environment

from lexls.settings.commands import SERVER_COMMANDS

pytest.importorskip("lexls.models.llama_conversation")
pytest.importorskip("gguf")

SECRET = "Zanzibarquux"
DRAFT = f"""\
---
title: Note
---

The {SECRET} must proceed with care, as was held in [2014] ASC 12 at [99]. *Ibid*.

A carrier of {SECRET} that deviates from its route loses the protection of the bill of lading.
"""
A_CALL = re.compile(r"\d+ +(?P<name>\w+)\((?P<arguments>.*)")
A_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<folder>[^>]*)>, )?"(?P<path>(?:[^"\\]|\\.)*)"')
A_FILE = re.compile(r"^\d+<(?P<path>/[^>]*)>(?:\(deleted\))?, ")
OPENING = ("open", "openat", "openat2", "creat")
CHANGING = (
    "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat",
    "rmdir", "mkdir", "mkdirat", "mknod", "mknodat", "truncate", "chmod", "fchmodat", "chown", "lchown",
    "fchownat", "utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "mount",
)  # fmt: skip
WRITING = ("write", "pwrite64", "writev", "pwritev", "pwritev2")
SOCKETS = ("socket", "connect", "bind", "listen")
"""What a socket takes; a pair of them, of which one process has both, is a pipe."""


@dataclass(frozen=True)
class Call:
    """A system call: its name, and its arguments as strace writes them."""

    name: str
    arguments: str

    @property
    def changed(self) -> list[str]:
        """The absolute paths that it makes, opens for writing, renames or removes."""
        opens = self.name in OPENING
        if (
            opens
            and self.name != "creat"
            and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE", self.arguments)
        ):
            return []
        if not opens and self.name not in CHANGING:
            return []
        found = [
            os.path.normpath(os.path.join(each["folder"] or os.getcwd(), each["path"]))
            for each in A_PATH.finditer(self.arguments)
        ]
        # What a symbolic link leads to is no path that is made.
        return found[1:] if self.name.startswith("symlink") else found

    @property
    def written(self) -> str:
        """The file that it writes to, "" for a pipe and for what writes nothing."""
        found = A_FILE.search(self.arguments) if self.name in WRITING else None
        return found["path"] if found else ""


def read_trace(trace: Path) -> Iterator[Call]:
    for line in trace.read_text(encoding="utf-8", errors="replace").splitlines():
        if found := A_CALL.match(line):
            yield Call(found["name"], found["arguments"])


class Session:
    """A client with a draft, and what of it is asked about."""

    def __init__(self, client: RawClient, sample: Path, uri: str) -> None:
        self.client = client
        self.sample = sample
        self.uri = uri
        self.place = {"textDocument": {"uri": uri}, "position": {"line": 4, "character": 75}}
        self.document = {"textDocument": {"uri": uri}}
        self.range = {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 90}}
        self.here = {"uri": uri, "range": self.range}

    def command(self, name: str, argument: Any = None) -> Any:
        arguments = [] if argument is None else [argument]
        return self.client.result("workspace/executeCommand", {"command": name, "arguments": arguments})

    def saved(self) -> dict[str, str]:
        """A draft of the sample that lies on the disk as it is open, and its folder."""
        path = self.sample / "drafts/skeleton-argument.md"
        uri = self.client.open(path, path.read_text(encoding="utf-8"))
        return {"uri": uri, "folder": str(path.parent)}

    def asked(self, question: str) -> dict[str, Any]:
        return dict(self.command("lexls.ask", {"question": question, "uri": self.uri}))


QUESTION = "When does a carrier that deviates lose the protection of the bill of lading?"
COMMANDS: Mapping[str, Callable[[Session], Any]] = {
    "lexls.findSupport": lambda s: s.command("lexls.findSupport", s.here | {"show": True}),
    "lexls.facets": lambda s: s.command("lexls.facets", {"uri": s.uri}),
    "lexls.authorities": lambda s: s.command("lexls.authorities", {"uri": s.uri}),
    "lexls.graph": lambda s: s.command("lexls.graph", {"uri": s.uri, "position": s.place["position"]}),
    "lexls.explain": lambda s: s.command("lexls.explain", {"uri": s.uri, "position": s.place["position"]}),
    "lexls.ask": lambda s: s.asked(QUESTION),
    "lexls.draft": lambda s: s.command("lexls.draft", s.here | {"apply": True}),
    "lexls.contrary": lambda s: s.command("lexls.contrary", s.here),
    "lexls.insertSentence": lambda s: s.command(
        "lexls.insertSentence",
        {
            "uri": s.uri,
            "position": s.range["end"],
            "source": s.command("lexls.findSupport", s.here)[0]["target"],
        },
    ),
    "lexls.threads": lambda s: s.command("lexls.threads", {"uri": s.uri}),
    "lexls.thread": lambda s: s.command(
        "lexls.thread", {"uri": s.uri, "thread": s.command("lexls.threads", {"uri": s.uri})[0]["thread"]}
    ),
    "lexls.deleteThread": lambda s: s.command(
        "lexls.deleteThread", {"uri": s.uri, "thread": s.asked("What is a bill of lading?")["thread"]}
    ),
    "lexls.convertCitations": lambda s: s.command(
        "lexls.convertCitations", {"uri": s.uri, "style": "oscola"}
    ),
    "lexls.tableOfAuthorities": lambda s: s.command(
        "lexls.tableOfAuthorities", {"uri": s.uri, "apply": True}
    ),
    "lexls.evidence": lambda s: s.command(
        "lexls.evidence", s.command("lexls.findSupport", s.here)[0]["target"]
    ),
    "lexls.more": lambda s: s.command("lexls.more", s.here | {"show": True}),
    "lexls.ignore": lambda s: s.command(
        "lexls.ignore", {"uri": s.uri, "check": "pinpoint-not-found", "words": "with care"}
    ),
    "lexls.describeFile": lambda s: s.command(
        "lexls.describeFile", {"file": next((s.sample / "library").rglob("*.md")).as_uri(), "citations": []}
    ),
    "lexls.report": lambda s: s.command(
        "lexls.report", {"uri": s.uri, "signed": {}, "folder": str(s.sample / "drafts")}
    ),
    "lexls.book": lambda s: s.command("lexls.book", {"uri": s.uri}),
    "lexls.filingLog": lambda s: s.command("lexls.filingLog", s.saved() | {"signed": {}, "format": "pdf"}),
    "lexls.reindex": lambda s: s.command("lexls.reindex"),
    "lexls.pauseIndexing": lambda s: s.command("lexls.pauseIndexing"),
    "lexls.resumeIndexing": lambda s: s.command("lexls.resumeIndexing"),
    "lexls.listLibrary": lambda s: s.command("lexls.listLibrary"),
    "lexls.addFolders": lambda s: s.command(
        "lexls.addFolders", {"uri": s.uri, "folders": [str(s.sample / "drafts")]}
    ),
    "lexls.status": lambda s: s.command("lexls.status"),
}
"""How each command of the server is asked once, in this order."""


def of_document(method: str, **more: Any) -> Callable[[Session], Any]:
    return lambda s: s.client.result(f"textDocument/{method}", s.document | more)


def at_place(method: str, **more: Any) -> Callable[[Session], Any]:
    return lambda s: s.client.result(f"textDocument/{method}", s.place | more)


def ask_for_actions(session: Session) -> None:
    """Ask for the actions on every line, each of which is an edit or a command."""
    for line in range(DRAFT.count("\n")):
        here = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 60}}
        asked = session.document | {"range": here, "context": {"diagnostics": []}}
        for action in session.client.result("textDocument/codeAction", asked) or ():
            assert "edit" in action or action["command"]["command"] in SERVER_COMMANDS


def resolve_first(method: str, resolve: str, items: str = "") -> Callable[[Session], Any]:
    """What lists things, and the first of them in full."""

    def ask(session: Session) -> None:
        found = session.client.result(f"textDocument/{method}", session.place | {"range": session.range})
        found = found[items] if items and found else found
        for each in (found or ())[:1]:
            session.client.result(resolve, each)

    return ask


PROVIDERS: Mapping[str, Callable[[Session], Any]] = {
    "completionProvider": resolve_first("completion", "completionItem/resolve", "items"),
    "hoverProvider": at_place("hover"),
    "definitionProvider": at_place("definition"),
    "referencesProvider": at_place("references", context={"includeDeclaration": True}),
    "documentHighlightProvider": at_place("documentHighlight"),
    "documentSymbolProvider": of_document("documentSymbol"),
    "codeActionProvider": ask_for_actions,
    "codeLensProvider": resolve_first("codeLens", "codeLens/resolve"),
    "documentLinkProvider": resolve_first("documentLink", "documentLink/resolve"),
    "workspaceSymbolProvider": lambda s: s.client.result("workspace/symbol", {"query": "carrier"}),
    "renameProvider": lambda s: s.client.answer(
        s.client.request("textDocument/rename", s.place | {"newName": "Other"})
    ),
    "foldingRangeProvider": of_document("foldingRange"),
    "selectionRangeProvider": lambda s: s.client.result(
        "textDocument/selectionRange", s.document | {"positions": [s.place["position"]]}
    ),
    "callHierarchyProvider": at_place("prepareCallHierarchy"),
    "semanticTokensProvider": of_document("semanticTokens/full"),
    "inlayHintProvider": lambda s: s.client.result("textDocument/inlayHint", s.document | {"range": s.range}),
    "inlineCompletionProvider": at_place("inlineCompletion", context={"triggerKind": 1}),
}
"""How each feature that the server says it has is asked once."""


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_session_opens_no_socket_and_writes_only_where_it_may(sample: Path, tmp_path: Path) -> None:
    """In which everything that a user can ask is asked, with a model of random weights that writes."""
    allowed = subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True, check=False)
    if allowed.returncode:
        pytest.skip("processes may not be traced here")
    from random_gguf import write_random_model

    model = write_random_model(tmp_path / "random.gguf")
    trace, home = tmp_path / "trace", tmp_path / "home"
    for folder in ("config/lexls", "cache"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    (home / "config" / "lexls" / "config.toml").write_text(
        f'explain.generator = "llama"\nllama.model = "{model}"\nllama.contextTokens = 2048\n'
        "explain.seconds = 20\ncompletion.inline = true\n"
    )
    calls = ",".join((*OPENING, *CHANGING, *WRITING, *SOCKETS))
    tracing = ["strace", "-f", "-y", "-A", "-s", "65536", "-o", str(trace), "-e", f"trace={calls}"]
    client = RawClient(home, command=[*tracing, *SERVE])
    try:
        offered = client.initialize(sample)["capabilities"]
        uri = client.open(sample / "drafts/note.md", DRAFT)
        while not client.diagnostics(uri):
            pass
        session = Session(client, sample, uri)
        assert set(offered["executeCommandProvider"]["commands"]) == set(SERVER_COMMANDS) == set(COMMANDS)
        assert {each for each in offered if each.endswith("Provider")} == {
            *PROVIDERS,
            "executeCommandProvider",
        }
        for ask in (*PROVIDERS.values(), *COMMANDS.values()):
            ask(session)
        (sample / "library/cases/new.md").write_text("---\ntitle: New v Old\n---\n\n[1] It is so.\n")
        client.result("textDocument/foldingRange", {"textDocument": {"uri": uri}})
        client.goodbye()
    finally:
        client.process.kill()
    data, cache = home / "data/lexls", home / "cache/lexls"
    answers = (data / "threads", cache / "answers")
    assert all(any(each.rglob("*")) for each in answers)
    forget = [*tracing, sys.executable, "-m", "lexls", "forget", str(sample)]
    subprocess.run(forget, env=environment(home), stdout=subprocess.DEVNULL, check=True)
    made = list(read_trace(trace))
    assert any("llama-generate" in each.arguments for each in made)
    assert [each for each in made if each.name in SOCKETS] == []
    changed = {path for each in made for path in each.changed if "__pycache__" not in path}
    for written in (data / "indexes", *answers, sample / "lexls.toml"):
        assert any(path.startswith(str(written)) for path in changed), written
    places = (str(data), str(cache), str(sample), "/dev/null")
    assert sorted(path for path in changed if not path.startswith(places)) == []
    # Words of the draft go by pipes to the client and to the server's other processes; into a file they go
    # only with the answers that were asked for.
    told = [each for each in made if SECRET in each.arguments]
    assert told
    kept = {each.written for each in told if each.written and not each.written.startswith("/memfd:")}
    assert sorted(path for path in kept if not path.startswith(tuple(map(str, answers)))) == []
