"""Latency of ``lexls mcp`` as an agent feels it, beside the editor's own requests: real clients over stdio.

sh ../shared/matters/streamlocker/lay-out MATTER python benchmarks/bench_mcp.py MATTER --jurisdiction US
--index matter.sqlite3

MATTER has ``brief.md`` beside ``library/``. The index (made if it is not given) is copied. Sentences and
citations are drawn from the library's judgments, the same for both: the editor has them in a draft. What
agents and editors ask is asked in turn, all of it in one run, while the indexer is idle. Each check of the
brief follows a change of a word."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench_server import Client as Editor
from bench_server import prepare
from invented_draft import InventedDraft
from mcp import Client, StdioServerParameters, stdio_client
from measuring import Spread, as_row, lexls, load, machine, write_results

from lexls.index.library import Library
from lexls.wording.place_words import join_citation
from lexls.wording.prose import blank_markup, find_statements

SEED = 18
WARM = 5
WORDS = range(12, 40)
"""Words of a sentence that is drawn."""


@dataclass(frozen=True)
class Drawn:
    """A sentence of a judgment: its words, the citation of the judgment, its number, and where it stands."""

    text: str
    cited: str
    authority: int
    start: int


def draw(library: Library, count: int) -> list[Drawn]:
    """So many sentences, each of another place, spread over the judgments."""
    chance = random.Random(SEED)
    cases = [each for each in library.catalogue.all() if each.kind == "case" and each.citation]
    found: list[Drawn] = []
    while len(found) < count:
        authority = chance.choice(cases)
        passage = chance.choice(library.contents.passages(authority.id))
        text = blank_markup(authority, passage.text)
        for span in find_statements(text):
            words = " ".join(span.of(text).split())
            if len(words.split()) in WORDS and words not in {each.text for each in found}:
                cited = join_citation(authority.name, authority.citation, authority.jurisdiction)
                found.append(Drawn(words, cited, authority.id, passage.start + span.start))
                break
    return found


def compose(drawn: Sequence[Drawn]) -> InventedDraft:
    """A draft that says each sentence, and cites each judgment, in a paragraph of its own."""
    text, prose, citations = "", [], []
    for each in drawn:
        prose.append(len(text) + 4)
        text += f"{each.text}\n\n"
        citations.append(len(text) + 6 + each.cited.rindex(" "))
        text += f"See {each.cited}.\n\n"
    return InventedDraft(text, citations, prose, prose, [each.cited for each in drawn])


class Conversation:
    """An agent and an editor that ask in turn; milliseconds of each question, and how many had an answer."""

    def __init__(self, agent: Client, editor: Editor, brief: Editor, source: str) -> None:
        self._agent = agent
        self._editor = editor
        self._brief = brief
        self._source = source
        self.spent: dict[str, list[float]] = {}
        self.answered: dict[str, int] = {}

    async def ask(self, number: int, drawn: Drawn) -> None:
        words = drawn.text.split()
        misquoted = " ".join([*words[:5], "never", *words[6:]])
        at = self._source.index(" the ", (37 * number) % (len(self._source) // 2)) + 1
        text = f"{self._source[:at]}any{self._source[at + 3 :]}"
        editor, brief, draft = self._editor, self._brief, self._editor.draft
        place, cited = draft.prose[number], draft.citations[number]
        await self._tool("library_status", {})
        await self._tool("check_draft", {"text": text})
        await self._editors("diagnostics", brief.diagnosed(at, "any", 3))
        await self._editors("authorities", brief.command("lexls.authorities", at))
        await self._editors("(typed back)", brief.diagnosed(at, "the", 3))
        await self._tool("verify_citation", {"citation": drawn.cited, "proposition": drawn.text})
        await self._editors("hover on a citation", editor.hover(cited))
        quotation = misquoted if number % 2 else drawn.text
        await self._tool("verify_quotation", {"quotation": quotation, "citation": drawn.cited})
        await self._tool("find_support", {"proposition": drawn.text})
        await self._editors("findSupport", editor.command("lexls.findSupport", place))
        await self._tool("contrary_authority", {"proposition": drawn.text})
        await self._editors("contrary", editor.command("lexls.contrary", place))
        await self._tool("search", {"query": " ".join(words[:8])})
        await self._tool("read_passage", {"authority": str(drawn.authority), "start": drawn.start})
        await self._editors("definition", editor.definition(cited))

    async def _tool(self, name: str, arguments: dict[str, Any]) -> None:
        async def ask() -> bool:
            result = await self._agent.call_tool(name, arguments)
            return not result.is_error

        await self._time(f"agent: {name}", ask())

    async def _editors(self, name: str, answer: Awaitable[bool]) -> None:
        await self._time(f"editor: {name}", answer)

    async def _time(self, kind: str, answer: Awaitable[bool]) -> None:
        started = time.perf_counter()
        found = await asyncio.wait_for(answer, 120)
        self.spent.setdefault(kind, []).append((time.perf_counter() - started) * 1000)
        self.answered[kind] = self.answered.get(kind, 0) + bool(found)


async def converse(workspace: Path, drawn: Sequence[Drawn]) -> dict[str, Any]:
    """Ask everything once for each sentence."""
    source = (workspace / "submissions.md").read_text(encoding="utf-8")
    program, *arguments = lexls("mcp", "--workspace", str(workspace))
    started = StdioServerParameters(command=program, args=arguments)
    editor, brief = Editor(compose(drawn)), Editor(InventedDraft(source, [], [], [], []))
    await editor.start(workspace)
    await brief.start(workspace)
    begun = time.perf_counter()
    async with Client(stdio_client(started)) as agent:
        connected = time.perf_counter() - begun
        for each in (editor, brief):
            await each.until("ready", "lexical")
        await Conversation(agent, editor, brief, source).ask(0, drawn[0])
        for number in range(1, WARM):
            await Conversation(agent, editor, brief, source).ask(number, drawn[number])
        measured = Conversation(agent, editor, brief, source)
        before = load()
        for number in range(WARM, len(drawn)):
            await measured.ask(number, drawn[number])
        after = load()
    await editor.stop()
    await brief.stop()
    return {
        "connected_seconds": round(connected, 2),
        "requests": {
            kind: {**Spread.of(spent).data(1), "answered": measured.answered[kind]}
            for kind, spent in measured.spent.items()
            if "(" not in kind
        },
        "load": [round(before, 1), round(after, 1)],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("matter", type=Path)
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--index", type=Path, help="a finished index of the library, which is copied")
    parser.add_argument("--calls", type=int, default=200, help="of each tool")
    parser.add_argument("--note", default="", help="what a reader of the results must know of this run")
    parser.add_argument("--json", action="store_true", help="print JSON and write no results")
    options = parser.parse_args()
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        library = (options.matter / "library").resolve()
        workspace, index = prepare(folder, library, options.jurisdiction, options.index)
        brief = (options.matter / "brief.md").read_text(encoding="utf-8")
        (workspace / "submissions.md").write_text(brief, encoding="utf-8")
        reader = Library(index)
        drawn = draw(reader, options.calls + WARM)
        counts = reader.status.counts()
        reader.close()
        found = asyncio.run(converse(workspace, drawn))
    found["documents"], found["passages"], found["vectors"] = counts
    if options.json:
        print(json.dumps({"machine": machine(), **found}, indent=2))
        return 0
    command = f"    python benchmarks/bench_mcp.py MATTER --jurisdiction {options.jurisdiction}\n"
    print(write_results("Agents", [command, f"{options.note}\n", *_parts(found)]))
    return 0


def _parts(found: dict[str, Any]) -> list[str]:
    requests = dict(sorted(found["requests"].items()))
    spreads = "; ".join(f"{kind} {', '.join(as_row(figures))}" for kind, figures in requests.items())
    partly = ", ".join(
        f"{kind} {figures['answered']}"
        for kind, figures in requests.items()
        if figures["answered"] < figures["n"]
    )
    before, after = found["load"]
    return [
        f"{found['documents']:,} authorities, {found['passages']:,} passages, {found['vectors']:,} with a "
        "vector. An agent and an editor ask in turn about the same sentences and citations, each once. The "
        "brief is checked after each change of a word. Milliseconds at the client; diagnostics include the "
        f"server's pause. {max(figures['n'] for figures in requests.values())} requests of each kind were "
        f"answered with content{f', but of {partly}' if partly else ''}. Load average before and after: "
        f"{before}, {after}. The agent was connected after {found['connected_seconds']} s. p50, p95, max: "
        f"{spreads}.\n",
    ]


if __name__ == "__main__":
    sys.exit(main())
