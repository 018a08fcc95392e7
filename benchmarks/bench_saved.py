"""From the moment a file of the library is saved until the running server finds its words.

    python benchmarks/bench_saved.py ../shared/data/in-cases in.sqlite3 --jurisdiction IN --other ../before

The index, which needs no vectors, is copied. Judgments of the library, spread evenly over their sizes, are
copied into a second folder and saved again and again, each time with another word in title and text, and a
hover on the judgment's citation is asked until it shows the word: then the library has moved on, its postings
included. After the first save of each start of the server a search must find the word, too. ``--other`` is a
checkout of another version, with which this one takes turns, save by save.

*Committed* is when the indexer had written the document; the rest is the server's. Files are saved in place,
and each second one by a new file that takes the place of the old.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from measuring import Spread, as_row, load, machine, table
from served import Server

from lexls.index.connection import open_reader

LOOK_SECONDS = 0.004
PATIENCE = 60.0
HERE = Path(__file__).resolve().parents[1]


def name_word(number: int) -> str:
    """A word that no judgment holds."""
    return "zyx" + "".join("bcdfghjklm"[int(digit)] + "o" for digit in f"{number:05}") + "n"


def write_judgment(number: int, word: str, body: str) -> str:
    """A judgment of the library under a name and number of its own, with a word in its title and text."""
    head = (
        f'---\ntitle: "Ostler v {word} (No {number})"\ncitation: "[2015] UKSC {number}"\ndate: 2015-01-02\n'
    )
    return f"{head}kind: case\n---\n\n[1] The pilot of the ferry answered for the {word} at once.\n\n{body}"


class CitingServer(Server):
    """The server of a checkout, with a draft that cites the changing files, one in each paragraph."""

    def __init__(self, checkout: Path, matter: Path, files: int) -> None:
        text = "".join(f"The pilot answers: [2015] UKSC {number}.\n\n" for number in range(files))
        environment = os.environ | {"PYTHONPATH": str(checkout)}
        super().__init__(matter, text, environment, {"experimental": {"lexls": {"status": True}}}, PATIENCE)

    def shows(self, number: int, word: str) -> bool:
        """Whether a hover on the citation of a file shows a word."""
        position = {"line": 2 * number, "character": 25}
        found = self.ask("textDocument/hover", {"textDocument": {"uri": self.uri}, "position": position})
        return word in json.dumps(found)

    def finds(self, number: int, word: str) -> bool:
        """Whether a search for a word finds the file."""
        uri = self.uri.replace("draft.md", f"{word}.md")
        self.open(uri, f"The ferry's pilot answered for the {word}.\n")
        place = {"line": 0, "character": 3}
        asked = {"uri": uri, "range": {"start": place, "end": place}}
        hits = self.ask("workspace/executeCommand", {"command": "lexls.findSupport", "arguments": [asked]})
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        return any(word in hit["text"] and f"No {number})" in hit["title"] for hit in hits)


@dataclass(slots=True)
class Version:
    """One version of lexls with a matter of its own, and what was measured of it in milliseconds."""

    name: str
    checkout: Path
    matter: Path
    spent: dict[str, list[float]] = field(default_factory=dict)

    def prepare(self, library: Path, index: Path, jurisdiction: str, bodies: list[str], model: str) -> None:
        """Make the matter, and have the changing files read once."""
        self.matter.mkdir()
        shutil.copy(index, self.matter / "index.sqlite3")
        for number, body in enumerate(bodies):
            self.save(number, "dawn", body, in_place=True)
        (self.matter / "lexls.toml").write_text(
            f"jurisdiction = {json.dumps(jurisdiction)}\nembeddings.model = {json.dumps(model)}\n"
            f"library.folders = {json.dumps([str(library), 'changing'])}\nindex.path = 'index.sqlite3'\n"
        )

    def save(self, number: int, word: str, body: str, *, in_place: bool) -> None:
        """Save one of the changing files."""
        path = self.matter / "changing" / f"{number}.md"
        path.parent.mkdir(exist_ok=True)
        written = path if in_place else path.with_name(f".{path.name}.new")
        written.write_text(write_judgment(number, word, body))
        written.replace(path)

    def measure(
        self, server: CitingServer, number: int, word: str, body: str, kind: str, in_place: bool
    ) -> None:
        """Save one file, and wait until its word is found."""
        with contextlib.closing(open_reader(self.matter / "index.sqlite3")) as index:
            before = index.pragma("data_version")
            committed = threading.Event()
            written: list[float] = []

            def watch() -> None:
                sql = """SELECT 1 FROM texts JOIN documents ON id = document
                         WHERE relative = ? AND instr(text, ?)"""
                seen = before
                while not committed.is_set():
                    if (now := index.pragma("data_version")) != seen:
                        seen = now
                        if index.execute(sql, (f"{number}.md", word)).get:
                            written.append(time.perf_counter())
                            return
                    time.sleep(0.002)

            watching = threading.Thread(target=watch)
            watching.start()
            self.save(number, word, body, in_place=in_place)
            began = time.perf_counter()
            while not server.shows(number, word):
                if time.perf_counter() - began > PATIENCE:
                    sys.exit(f"{self.name}: the word was not found")
                time.sleep(LOOK_SECONDS)
            found = time.perf_counter()
            watching.join(1)
            committed.set()
            watching.join()
        self.spent.setdefault(f"{kind}: committed", []).append((written[0] - began) * 1000)
        self.spent.setdefault(f"{kind}: found", []).append((found - began) * 1000)


def choose(library: Path, count: int) -> list[str]:
    """The texts of so many judgments, spread evenly over their sizes, in a mixed order."""
    files = sorted((each for each in library.rglob("*") if each.suffix in (".txt", ".md")),
                   key=lambda each: each.stat().st_size)  # fmt: skip
    chosen = [files[int((place + 0.5) * len(files) / count)] for place in range(count)]
    bodies = [each.read_text("utf-8", "replace") for each in chosen]
    bodies = [body.split("\n---\n", 1)[-1] for body in bodies]
    return [bodies[place * 7 % count] for place in range(count)] if count % 7 else bodies


def main() -> int:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("index", type=Path, help="its finished index")
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--other", type=Path, help="a checkout of another version")
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--saves", type=int, default=20, help="after the first, in each start")
    parser.add_argument("--model", default="", help="an embedding model, which embeds what was saved")
    options = parser.parse_args()
    bodies = choose(options.library, options.saves + 1)
    before = load()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        versions = [Version("this", HERE, folder / "this")]
        if options.other:
            versions.insert(0, Version("other", options.other.resolve(), folder / "other"))
        for each in versions:
            each.prepare(
                options.library.resolve(), options.index, options.jurisdiction, bodies, options.model
            )
        word = 0
        for start in range(options.starts):
            servers = [CitingServer(each.checkout, each.matter, len(bodies)) for each in versions]
            for server in servers:
                until = time.monotonic() + 600
                while server.phase not in ("ready", "lexical", "embedding") and time.monotonic() < until:
                    time.sleep(0.1)
                for number in range(len(bodies)):
                    server.shows(number, "")
            time.sleep(4)
            for turn in range(options.saves + 1):
                number = (turn + start) % len(bodies)
                word += 1
                for each, server in list(zip(versions, servers, strict=True))[:: 1 if turn % 2 else -1]:
                    kind = "later" if turn else "first"
                    each.measure(server, number, name_word(word), bodies[number], kind, turn % 4 < 2)
                    if not turn and not server.finds(number, name_word(word)):
                        print(f"{each.name}: a search did not find the word")
                    time.sleep(0.3 + 0.07 * (turn % 7))
                    if turn % 5 == 4:
                        time.sleep(1.5)  # so that the indexer rests
            for server in servers:
                server.end()
    rows = [
        (what, each.name, len(spent), *as_row(Spread.of(spent).data(0)))
        for what in versions[0].spent
        for each in versions
        for spent in [each.spent[what]]
    ]
    sizes = Spread.of([len(body) / 1000 for body in bodies]).data(0)
    print(machine(), f"Load average: {before:.1f} and {load():.1f}.", sep="\n")
    print(f"Judgments of {sizes['p50']:g} (at most {sizes['max']:g}) thousand characters.\n")
    print(table(("milliseconds from a save", "version", "n", "p50", "p95", "max"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
