"""What an editor on another machine pays: ``lexls connect`` over TLS beside ``lexls serve`` over stdio.

sh ../shared/matters/streamlocker/lay-out MATTER
python benchmarks/bench_remote.py MATTER/library --jurisdiction US

The library is indexed first, without vectors. Two editors have the same draft open, whose sentences and
citations are drawn from the library's judgments, one over stdio, one through the gate on loopback; both ask
the same, which of them first by lot, while the indexer is idle. Then more editors come in, and each asks.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from measuring import Spread, descendants, lexls, load, table, write_results
from served import SERVE, Server

from lexls.index.library import Library
from lexls.wording.place_words import join_citation
from lexls.wording.prose import blank_markup

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/server"))
from gatehouse import Gatehouse
from raw_client import environment

SEED = 18
WARM = 5
EDITORS = 4
PATIENCE = 300.0
KINDS = (
    "what the server does not know",
    "hover on a citation",
    "findSupport",
    "a word, then all tokens",
)
CAPABILITIES = {"experimental": {"lexls": {"status": True}}}


def draw(index: Path, count: int) -> list[str]:
    """So many paragraphs: a sentence of a judgment with the judgment's citation."""
    chance = random.Random(SEED)
    library = Library(index)
    cases = [each for each in library.catalogue.all() if each.kind == "case" and each.citation]
    drawn: list[str] = []
    while len(drawn) < count:
        authority = chance.choice(cases)
        passage = chance.choice(library.contents.passages(authority.id))
        words = blank_markup(authority, passage.text).split()[:30]
        named = join_citation(authority.name, authority.citation, authority.jurisdiction)
        drawn.append(f"{' '.join(words)}. {named}.")
    library.close()
    return drawn


def pss(process: int) -> int:
    """Bytes of a process; pages that it shares count a part."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def runs(process: int, words: str) -> bool:
    return words in Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()


class Asker:
    """An editor with the draft open, and how long it has waited for what it asked, in milliseconds."""

    def __init__(self, matter: Path, paragraphs: Sequence[str], home: Path, command: Sequence[str]) -> None:
        self.paragraphs = paragraphs
        text = "\n\n".join(paragraphs)
        self.server = Server(matter, text, environment(home), CAPABILITIES, PATIENCE, command)
        self.waited: dict[str, list[float]] = {}
        self.largest = 0
        """Characters of the longest answer."""

    def wait_until_ready(self) -> None:
        until = time.monotonic() + PATIENCE
        while self.server.phase not in ("ready", "lexical"):
            assert time.monotonic() < until, self.server.phase
            time.sleep(0.1)

    def ask(self, number: int, kind: str) -> None:
        document = {"uri": self.server.uri}
        line, column = 2 * number, len(self.paragraphs[number]) - 4
        place = {"line": line, "character": 20}
        methods = {
            "hover on a citation": (
                "textDocument/hover",
                {"textDocument": document, "position": {"line": line, "character": column}},
            ),
            "findSupport": (
                "workspace/executeCommand",
                {
                    "command": "lexls.findSupport",
                    "arguments": [{"uri": self.server.uri, "range": {"start": place, "end": place}}],
                },
            ),
            "what the server does not know": ("lexls/unheard", {}),
            "a word, then all tokens": ("textDocument/semanticTokens/full", {"textDocument": document}),
        }
        began = time.perf_counter()
        if kind == "a word, then all tokens":
            change = {"range": {"start": place, "end": place}, "text": "word "}
            versioned = {**document, "version": number + 2}
            self.server.tell(
                "textDocument/didChange", {"textDocument": versioned, "contentChanges": [change]}
            )
        answer = self.server.ask(*methods[kind])
        if number >= WARM:
            self.waited.setdefault(kind, []).append(1000 * (time.perf_counter() - began))
        self.largest = max(self.largest, len(json.dumps(answer)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), options)


def measure(folder: Path, options: argparse.Namespace) -> None:
    index, home, matter = folder / "index.sqlite3", folder / "home", folder / "matter"
    settings = home / "config/lexls/config.toml"
    settings.parent.mkdir(parents=True)
    matter.mkdir()
    settings.write_text(
        f'library.folders = ["{options.library.resolve()}"]\nindex.path = "{index}"\n'
        f'jurisdiction = "{options.jurisdiction}"\nembeddings.model = ""\n'
    )
    subprocess.run(lexls("index", "--lexical"), cwd=matter, env=environment(home), check=True)
    paragraphs = draw(index, options.count + WARM)
    before = load()
    house = Gatehouse.open(home)
    askers = {
        "stdio": Asker(matter, paragraphs, home, SERVE),
        "TLS": Asker(matter, paragraphs, home, house.command()),
    }
    for each in askers.values():
        each.wait_until_ready()
    chance = random.Random(SEED)
    for number in range(len(paragraphs)):
        for kind in KINDS:
            for each in chance.sample(list(askers.values()), 2):
                each.ask(number, kind)
    rows = []
    for kind in askers["stdio"].waited:
        for name, each in askers.items():
            spread = Spread.of(each.waited[kind])
            figures = (f"{each:.1f}" for each in (spread.p50, spread.p95, spread.largest))
            rows.append((kind, name, spread.count, *figures))
    askers.pop("stdio").server.end()
    more = [Asker(matter, paragraphs, home, house.command("bob")) for _ in range(EDITORS - 1)]
    for number, each in enumerate(more):
        each.wait_until_ready()
        each.ask(WARM + number, "hover on a citation")
        each.ask(WARM + number, "findSupport")
    time.sleep(2)
    tree = descendants(house.process.pid)
    servers = [pss(each) for each in tree if runs(each, "lexls serve --client")]
    memory = [
        ("the gate", 1, pss(house.process.pid)),
        ("a server, its indexer aside", len(servers), sum(servers) // len(servers)),
        ("lexls connect, at the editor's machine", 1, pss(more[0].server.process.pid)),
    ]
    for each in (*more, *askers.values()):
        each.server.end()
    house.close()
    parts = [
        f"    python benchmarks/bench_remote.py MATTER/library --jurisdiction {options.jurisdiction}\n",
        "On a machine of two cores that others worked on, too; the matter is that of StreamLocker.\n",
        f"Milliseconds at the editor, the two asking the same in turn in one run, on a draft of "
        f"{sum(map(len, paragraphs)):,} characters; the longest answer has {askers['TLS'].largest:,}. "
        f"Load average before and after: {before:.1f}, {load():.1f}.\n",
        table(("request", "over", "n", "p50", "p95", "max"), rows),
        f"Memory (PSS) with {EDITORS} editors connected, each of which has asked:\n",
        table(("process", "how many", "MB each"), ((a, b, f"{c / 2**20:.0f}") for a, b, c in memory)),
    ]
    print("\n".join(parts))
    if options.write:
        write_results("Editors on other machines", parts)


if __name__ == "__main__":
    main()
