"""How fast a long draft is checked: 300 pages from cold, and after each key press.

    python benchmarks/bench_checks.py ../shared/data/in-cases --jurisdiction IN --index in-cases.sqlite3

The draft (1 MB, 3,000 citations, several hundred quotations) is composed of invented prose that cites and
quotes the library's own authorities. "Cold" begins in a new process with the library just opened: the forms
of citations are loaded, the draft is read, every check is run. A key press changes one character: in prose,
in a citation, in a quotation, or types a whole citation, in random places; what follows until all findings
of the new version are known is timed, in the process and over the wire (from the change to the answer with
the diagnostics, as an editor that asks for them sees it).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from long_draft import LongDraft, compose
from lsprotocol import types as t
from measuring import Spread, as_row, lexls, load, run_json, transpose, write_results
from pygls.lsp.client import LanguageClient
from pytest_lsp import client_capabilities

from lexls.index.library import Library
from lexls.text.formats import FORMATS
from lexls.text.lines import LineIndex

PATIENCE = 300.0
PRESSES = 300
TYPED = " *Ibid* at 7."


@dataclass(frozen=True, slots=True)
class Press:
    """A change of the draft: ``text`` in place of the code points from ``start`` to ``end``."""

    kind: str
    start: int
    end: int
    text: str


def presses(text: str, count: int, seed: int = 2) -> Iterator[Press]:
    """Key presses in random places, each in the text that the one before left."""
    chance = random.Random(seed)
    while count > 0:
        at = chance.randrange(len(text))
        kind = chance.choice(["prose", "prose", "citation", "quotation", "typing a citation"])
        made: list[Press] = []
        if kind == "prose":
            place = text.find(" the ", at)
            made = [Press(kind, place + 4, place + 4, chance.choice("aeiou"))]
        elif kind == "citation":
            place = text.find("*, ", at)
            digit = next((n for n in range(place, min(place + 80, len(text))) if text[n].isdigit()), -1)
            made = [Press(kind, digit, digit + 1, chance.choice("123456789"))] if digit >= 0 else []
        elif kind == "quotation":
            place = text.find("“", at)
            made = [Press(kind, place + 20, place + 21, "x")] if place >= 0 else []
        else:
            place = text.find(". ", at) + 1
            made = [Press(kind, place + n, place + n, sign) for n, sign in enumerate(TYPED)]
        for each in made[:count]:
            if each.start < 10:
                continue
            yield each
            text = text[: each.start] + each.text + text[each.end :]
            count -= 1


def cold(draft: LongDraft, index: Path, jurisdiction: str) -> dict[str, Any]:
    """Check the draft from cold, then after key presses; run in a process of its own."""
    library = Library(index)
    started = time.perf_counter()

    from lexls.assessing.rules.engine import FoundBefore, check
    from lexls.citations.grammar import Grammar
    from lexls.reading.draft_parser import DraftParser
    from lexls.reading.snapshot import Snapshot
    from lexls.retrieval.search import Searcher
    from lexls.settings.declaration import Settings
    from lexls.text.cancel import CancelToken

    settings = Settings(jurisdiction=jurisdiction)
    grammar = Grammar.load()
    parser = DraftParser(grammar, jurisdiction)
    text = draft.text
    read = parser.parse("draft", text, FORMATS["markdown"])
    parsed = time.perf_counter() - started
    snapshot = Snapshot(read, library, Searcher(library, grammar=grammar), settings)
    before, token = FoundBefore(), CancelToken()
    findings = check(snapshot, token, before)
    seconds = time.perf_counter() - started
    spent: dict[str, list[float]] = {}
    for press in presses(text, PRESSES):
        text = text[: press.start] + press.text + text[press.end :]
        started = time.perf_counter()
        read = parser.parse("draft", text, FORMATS["markdown"])
        check(replace(snapshot, draft=read), token, before)
        spent.setdefault(press.kind, []).append((time.perf_counter() - started) * 1000)
    return {
        "cold_s": round(seconds, 2),
        "read_s": round(parsed, 2),
        "citations": len(snapshot.draft.citations),
        "findings": dict(Counter(each.code for each in findings)),
        "presses": {kind: Spread.of(each).data() for kind, each in spent.items()},
        "all": Spread.of([value for each in spent.values() for value in each]).data(),
    }


async def wire(draft: LongDraft, folder: Path, index: Path, jurisdiction: str) -> dict[str, Any]:
    """The same key presses in an editor that asks for diagnostics after each."""
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name)
        (workspace / "lexls.toml").write_text(
            f"jurisdiction = {json.dumps(jurisdiction)}\n[library]\nfolders = [{json.dumps(str(folder))}]\n"
            '[embeddings]\nmodel = ""\n',
            encoding="utf-8",
        )
        client = LanguageClient("lexls-benchmark", "1")

        @client.feature(t.WORKSPACE_CONFIGURATION)
        def on_configuration(params: t.ConfigurationParams) -> list[Any]:
            return [{"index": {"path": str(index)}} for _ in params.items]

        phases: list[str] = []

        @client.feature("lexls/status")
        def on_status(params: Any) -> None:
            phases.append(params["phase"] if isinstance(params, dict) else params.phase)

        quiet = (t.CLIENT_REGISTER_CAPABILITY, t.WINDOW_WORK_DONE_PROGRESS_CREATE, t.PROGRESS,
                 t.WINDOW_LOG_MESSAGE, t.WINDOW_SHOW_MESSAGE, t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
                 t.WORKSPACE_DIAGNOSTIC_REFRESH, t.WORKSPACE_INLAY_HINT_REFRESH,
                 t.WORKSPACE_SEMANTIC_TOKENS_REFRESH, t.WORKSPACE_CODE_LENS_REFRESH)  # fmt: skip
        for method in quiet:
            client.feature(method)(lambda params: None)
        await client.start_io(*lexls("serve"), cwd=workspace)
        capabilities = client_capabilities("visual_studio_code")
        capabilities.experimental = {"lexls": {"status": True}}
        assert capabilities.workspace is not None
        capabilities.workspace.diagnostics = t.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        parameters = t.InitializeParams(
            capabilities=capabilities,
            root_uri=workspace.as_uri(),
            workspace_folders=[t.WorkspaceFolder(workspace.as_uri(), "bench")],
        )
        await client.initialize_async(parameters)
        client.initialized(t.InitializedParams())
        while not phases or phases[-1] not in ("ready", "lexical"):
            await asyncio.sleep(0.1)
        uri = (workspace / "submissions.md").as_uri()
        document = t.TextDocumentIdentifier(uri)
        started = time.perf_counter()
        client.text_document_did_open(
            t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, "markdown", 1, draft.text))
        )
        await client.text_document_diagnostic_async(t.DocumentDiagnosticParams(document))
        opened = time.perf_counter() - started
        lines, spent, version = LineIndex(draft.text), [], 1
        for press in presses(draft.text, PRESSES):
            range_ = t.Range(
                t.Position(*lines.position(press.start, "utf-16")),
                t.Position(*lines.position(press.end, "utf-16")),
            )
            lines = lines.edit(press.start, press.end, press.text)
            version += 1
            started = time.perf_counter()
            client.text_document_did_change(
                t.DidChangeTextDocumentParams(
                    t.VersionedTextDocumentIdentifier(version, uri),
                    [t.TextDocumentContentChangePartial(range_, press.text)],
                )
            )
            await client.text_document_diagnostic_async(t.DocumentDiagnosticParams(document))
            spent.append((time.perf_counter() - started) * 1000)
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
        return {"opened_s": round(opened, 2), "all": Spread.of(spent).data()}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--index", type=Path, help="an index of the library; made if it is not given")
    parser.add_argument("--cold", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.cold is not None:
        text = json.loads(arguments.cold.read_text(encoding="utf-8"))
        print(json.dumps(cold(LongDraft(**text), arguments.index, arguments.jurisdiction)))
        return 0
    with tempfile.TemporaryDirectory() as name:
        index = arguments.index or Path(name) / "index.sqlite3"
        run_json(
            "index", str(arguments.library), "--index", str(index), "--lexical",
            "--jurisdiction", arguments.jurisdiction,
        )  # fmt: skip
        library = Library(index)
        draft = compose(library)
        library.close()
        written = Path(name) / "draft.json"
        fields = {each: getattr(draft, each) for each in ("text", "citations", "quotations", "authorities")}
        written.write_text(json.dumps(fields), encoding="utf-8")
        command = [sys.executable, __file__, str(arguments.library), "--jurisdiction", arguments.jurisdiction]
        before = load()
        done = subprocess.run(
            [*command, "--index", str(index), "--cold", str(written)],
            capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip
        if done.returncode != 0:
            sys.exit(done.stderr)
        inside = json.loads(done.stdout)
        outside = asyncio.run(
            asyncio.wait_for(
                wire(draft, arguments.library.resolve(), index.resolve(), arguments.jurisdiction), PATIENCE
            )
        )
    rows = [[kind, *as_row(figures)] for kind, figures in sorted(inside["presses"].items())]
    rows += [["all, in the process", *as_row(inside["all"])], ["all, over the wire", *as_row(outside["all"])]]
    found = ", ".join(f"{count} {code}" for code, count in sorted(inside["findings"].items()))
    parts = [
        f"    python benchmarks/bench_checks.py {arguments.library} --jurisdiction "
        f"{arguments.jurisdiction}\n",
        f"Load average before: {before:.1f}. The draft: {len(draft.text):,} characters, "
        f"{inside['citations']:,} citations of {draft.authorities} authorities, {draft.quotations} "
        f"quotations. Found: {found or 'nothing'}. From cold: read in {inside['read_s']} s, fully checked "
        f"in {inside['cold_s']} s (at most 3 wanted); in a server just started {outside['opened_s']} s from "
        f"opening to the diagnostics. Milliseconds from a key press to all findings, {PRESSES} presses (p95 "
        "of at most 30 wanted).\n",
        transpose(["key press in", "p50", "p95", "max"], rows),
    ]
    write_results(f"Checking a long draft: {arguments.library.name}", parts)
    print("\n".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
