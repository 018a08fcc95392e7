"""Latency of ``lexls serve`` as an editor feels it: a real client over stdio, from send to answer.

    python benchmarks/bench_server.py ../shared/data/in-cases --jurisdiction IN --index in-cases.sqlite3

The index (made if it is not given) is copied; the library is only read. The draft is composed of invented
prose that cites the library's own authorities. All requests are made in turn while the indexer is idle,
while it makes vectors of judgments that came into a second folder, and while it reads judgments that
change there all the time. Every completion follows a keystroke at once, and the reading of the draft that it
makes necessary is in its time; diagnostics are timed from the keystroke and hold the pause that the server
waits for. The others are asked when the draft has come to rest, as people do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import apsw
from invented_draft import InventedDraft, compose
from lsprotocol import types as t
from measuring import Spread, TreeWatch, as_row, lexls, load, machine, run_json, table, write_results
from pygls.lsp.client import LanguageClient
from pytest_lsp import client_capabilities

from lexls.index.library import Library
from lexls.server.checking import QUIET_SECONDS
from lexls.text.lines import LineIndex

PATIENCE = 120.0
EMBEDDED = 500
"""Judgments that come in to keep the indexer embedding."""
READ = 150
"""Judgments that are rewritten at a time to keep the indexer reading."""
WARM = 5
TARGETS = {
    "hover on a citation": 20,
    "hover on prose": 20,
    "definition": 20,
    "completion": 50,
    "findSupport": 150,
}


class Client:
    """An editor with one draft open."""

    def __init__(self, draft: InventedDraft) -> None:
        self.draft = draft
        self.phase = ""
        self.version = 1
        self.uri = ""
        self._published: dict[int, asyncio.Event] = {}
        self._lines = LineIndex(draft.text)
        self._client = LanguageClient("lexls-benchmark", "1")
        self._answer_the_server()

    def _answer_the_server(self) -> None:
        client = self._client

        @client.feature("lexls/status")
        def on_status(params: Any) -> None:
            self.phase = params["phase"] if isinstance(params, dict) else params.phase

        @client.feature(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def on_diagnostics(params: t.PublishDiagnosticsParams) -> None:
            if params.version is not None and params.version in self._published:
                self._published.pop(params.version).set()

        @client.feature(t.WORKSPACE_CONFIGURATION)
        def on_configuration(params: t.ConfigurationParams) -> list[Any]:
            return [{} for _ in params.items]

        for method in (t.CLIENT_REGISTER_CAPABILITY, t.WINDOW_WORK_DONE_PROGRESS_CREATE, t.PROGRESS,
                       t.WINDOW_LOG_MESSAGE):  # fmt: skip
            client.feature(method)(lambda params: None)

        @client.feature(t.WINDOW_SHOW_MESSAGE)
        def on_message(params: t.ShowMessageParams) -> None:
            print(f"lexls says: {params.message}", file=sys.stderr)

    async def start(self, workspace: Path) -> int:
        """Start the server in ``workspace`` and open the draft there; the server's process."""
        await self._client.start_io(*lexls("serve"), cwd=workspace)
        folder = t.WorkspaceFolder(workspace.as_uri(), workspace.name)
        capabilities = client_capabilities("visual_studio_code")
        capabilities.experimental = {"lexls": {"status": True}}
        parameters = t.InitializeParams(
            capabilities=capabilities, root_uri=workspace.as_uri(), workspace_folders=[folder]
        )
        await _in_time(self._client.initialize_async(parameters))
        self._client.initialized(t.InitializedParams())
        self.uri = (workspace / "submissions.md").as_uri()
        item = t.TextDocumentItem(self.uri, "markdown", self.version, self.draft.text)
        self._client.text_document_did_open(t.DidOpenTextDocumentParams(item))
        process = self._client._server
        assert process is not None
        return int(process.pid)

    async def stop(self) -> None:
        await _in_time(self._client.shutdown_async(None))
        self._client.exit(None)
        await self._client.stop()

    async def until(self, *phases: str) -> None:
        """Wait until the indexer is in one of these phases."""

        async def wait() -> None:
            while self.phase not in phases:
                await asyncio.sleep(0.05)

        await _in_time(wait(), 900)

    # -- what a person does --------------------------------------------------------------------------------

    def type(self, offset: int, text: str, replaced: int = 0) -> None:
        """Replace ``replaced`` characters of the first draft's line behind ``offset`` by ``text``."""
        start = self._position(offset)
        end = t.Position(start.line, start.character + replaced)
        self.version += 1
        change = t.TextDocumentContentChangePartial(t.Range(start, end), text)
        identifier = t.VersionedTextDocumentIdentifier(self.version, self.uri)
        self._client.text_document_did_change(t.DidChangeTextDocumentParams(identifier, [change]))

    async def hover(self, offset: int) -> bool:
        params = t.HoverParams(self._document(), self._position(offset))
        return await self._client.text_document_hover_async(params) is not None

    async def definition(self, offset: int) -> bool:
        params = t.DefinitionParams(self._document(), self._position(offset))
        return bool(await self._client.text_document_definition_async(params))

    async def complete(self, offset: int, typed: int) -> bool:
        at = self._position(offset)
        place = t.Position(at.line, at.character + typed)
        found = await self._client.text_document_completion_async(t.CompletionParams(self._document(), place))
        return bool(found and found.items)

    async def command(self, name: str, offset: int) -> bool:
        at = self._position(offset)
        place = {"line": at.line, "character": at.character}
        argument = {"uri": self.uri, "position": place, "show": False}
        params = t.ExecuteCommandParams(name, [argument])
        return bool(await self._client.workspace_execute_command_async(params))

    async def diagnosed(self, offset: int, text: str, replaced: int = 0) -> bool:
        """Type and wait for the diagnostics of that version."""
        published = asyncio.Event()
        self._published[self.version + 1] = published
        self.type(offset, text, replaced)
        await published.wait()
        return True

    def _document(self) -> t.TextDocumentIdentifier:
        return t.TextDocumentIdentifier(self.uri)

    def _position(self, offset: int) -> t.Position:
        return t.Position(*self._lines.position(offset, "utf-16"))


class Round:
    """Milliseconds of every kind of request, made in turn; and how many had an answer that says something."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.spent: dict[str, list[float]] = {}
        self.answered: dict[str, int] = {}
        self.phases: dict[str, int] = {}

    async def run(self, first: int, count: int) -> None:
        client, draft = self._client, self._client.draft
        for number in range(first, first + count):
            cited = draft.citations[number % len(draft.citations)]
            sentence = draft.prose[number % len(draft.prose)]
            end = draft.ends[number % len(draft.ends)]
            words = draft.titles[number % len(draft.titles)]
            typed = f" See {words[: 3 + number % 6]}"
            self.phases[client.phase] = self.phases.get(client.phase, 0) + 1
            await self._time("hover on a citation", client.hover(cited))
            await self._time("hover on prose", client.hover(sentence))
            await self._time("definition", client.definition(cited))
            client.type(end, typed)
            await self._time("completion", client.complete(end, len(typed)))
            await self._time("diagnostics", client.diagnosed(end, "", len(typed)))
            await self._time("findSupport", client.command("lexls.findSupport", sentence))

    async def _time(self, kind: str, answer: Awaitable[bool]) -> None:
        started = time.perf_counter()
        found = await _in_time(answer)
        self.spent.setdefault(kind, []).append((time.perf_counter() - started) * 1000)
        self.answered[kind] = self.answered.get(kind, 0) + bool(found)

    def data(self) -> dict[str, Any]:
        return {
            "requests": {
                kind: {**Spread.of(spent).data(1), "answered": self.answered[kind]}
                for kind, spent in self.spent.items()
            },
            "phases": self.phases,
        }


class Newcomers:
    """Puts changed copies of the library's files into a folder, once or again and again."""

    def __init__(self, files: list[Path], folder: Path) -> None:
        self._files = files
        self._folder = folder
        self._stopped = threading.Event()
        self._turn = 0
        self._thread = threading.Thread(target=self._run, daemon=True)

    def put(self, count: int) -> None:
        """Write ``count`` files whose passages are in no index."""
        self._turn += 1
        step = max(1, len(self._files) // count)
        for file in self._files[::step][:count]:
            lines = file.read_text("utf-8", errors="replace").split("\n")
            changed = "\n".join(f"{line} (copy {self._turn})" if len(line) > 80 else line for line in lines)
            (self._folder / f"new-{file.name}").write_text(changed, encoding="utf-8")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(1.0):
            self.put(READ)


async def session(
    workspace: Path, draft: InventedDraft, newcomers: Newcomers, requests: int, say: Callable[[str], None]
) -> dict[str, Any]:
    client = Client(draft)
    pid = await client.start(workspace)
    found: dict[str, Any] = {}
    with TreeWatch(pid) as watch:
        say("waiting for the library")
        await client.until("ready", "lexical")
        await Round(client).run(0, WARM)

        async def measure(name: str) -> None:
            say(f"indexer: {name}")
            before = load()
            measured = Round(client)
            await measured.run(WARM, requests)
            found[name] = {**measured.data(), "load": [round(before, 1), round(load(), 1)]}

        await measure("idle")
        newcomers.put(EMBEDDED)
        await client.until("reading", "embedding")
        await client.until("embedding")
        await measure("embedding")
        newcomers.start()
        try:
            await client.until("reading")
            await measure("reading")
        finally:
            newcomers.stop()
    found["peak_pss_mb"], found["peak_rss_mb"] = watch.pss // 2**20, watch.rss // 2**20
    say("closing")
    await client.stop()
    return found


async def _in_time(answer: Awaitable[Any], seconds: float = PATIENCE) -> Any:
    return await asyncio.wait_for(answer, seconds)


def prepare(folder: Path, library: Path, jurisdiction: str, index: Path | None) -> tuple[Path, Path]:
    """A workspace whose library is ``library`` and an empty second folder; its index, finished."""
    workspace, extra = folder / "workspace", folder / "extra"
    workspace.mkdir()
    extra.mkdir()
    own = workspace / "index.sqlite3"
    if index is not None:
        with apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY) as source:
            target = apsw.Connection(str(own))
            with target.backup("main", source, "main") as backup:
                backup.step()
            target.close()
    (workspace / "lexls.toml").write_text(
        f"jurisdiction = {json.dumps(jurisdiction)}\n"
        f"[library]\nfolders = {json.dumps([str(library), str(extra)])}\n"
        f"[index]\npath = {json.dumps(str(own))}\n",
        encoding="utf-8",
    )
    run_json("index", str(library), str(extra), "--index", str(own), "--jurisdiction", jurisdiction)
    return workspace, own


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--index", type=Path, help="a finished index of the library, which is copied")
    parser.add_argument("--requests", type=int, default=200, help="of each kind, in each state")
    parser.add_argument("--note", default="", help="what a reader of the results must know of this run")
    parser.add_argument("--json", action="store_true", help="print JSON and write no results")
    options = parser.parse_args()
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    library = options.library.resolve()
    say = lambda text: print(text, file=sys.stderr, flush=True)  # noqa: E731
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        say("preparing the index")
        workspace, index = prepare(folder, library, options.jurisdiction, options.index)
        reader = Library(index)
        draft = compose(reader)
        counts = reader.status.counts()
        reader.close()
        files = sorted(each for each in library.rglob("*") if each.suffix in (".txt", ".md"))
        newcomers = Newcomers(files, folder / "extra")
        found = asyncio.run(session(workspace, draft, newcomers, options.requests, say))
    found["documents"], found["passages"], found["vectors"] = counts
    found["draft_characters"] = len(draft.text)
    if options.json:
        print(json.dumps({"machine": machine(), "library": library.name, **found}, indent=2))
        return 0
    command = f"bench_server.py {options.library} --jurisdiction {options.jurisdiction}"
    section = write_results(
        "Server", [f"    python benchmarks/{command}\n", options.note + "\n", *_parts(found)]
    )
    print(section)
    return 0


def _parts(found: dict[str, Any]) -> list[str]:
    states = ("idle", "embedding", "reading")
    rows = []
    for kind in found["idle"]["requests"]:
        each = [found[state]["requests"][kind] for state in states]
        spreads = [as_row(figures) for figures in each]
        answered = list(dict.fromkeys(str(figures["answered"]) for figures in each))
        rows.append(
            [
                kind,
                ", ".join(answered if len(answered) == 1 else [str(figures["answered"]) for figures in each]),
                *(f"{p50}, **{p95}**, {largest}" for p50, p95, largest in spreads),
                str(TARGETS.get(kind, "")),
            ]
        )
    loads = "; ".join("{}: {}, {}".format(s, *found[s]["load"]) for s in states)
    most = max(figures["n"] for figures in found["idle"]["requests"].values())
    return [
        f"{found['documents']:,} judgments, {found['passages']:,} passages, {found['vectors']:,} with a "
        f"vector; a draft of {found['draft_characters']:,} characters; {most} requests of each kind while "
        "the indexer is idle, makes vectors (*embedding*) or reads. *Answered* counts answers with "
        "content. Milliseconds at the client: p50, p95, max. Diagnostics include the pause of "
        f"{QUIET_SECONDS * 1000:.0f} ms. Load average before and after: {loads}. Peak memory of server, "
        f"indexer and workers together: {found['peak_pss_mb']} MB (PSS; {found['peak_rss_mb']} MB by RSS).\n",
        table(["request", "answered", *states, "p95 wanted"], rows),
    ]


if __name__ == "__main__":
    sys.exit(main())
