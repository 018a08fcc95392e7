"""A storm of files over a watching server: what hover takes meanwhile, and whether the index is right after.

    python benchmarks/bench_storm.py --files 20000

So many judgments are copied in at once, `git checkout` then swaps half of them, and at last one of them is
saved every 100 ms for a minute, each time as a new file in the place of the old one. Hover on the draft's
citation is asked every 100 ms all the while. In the end the index must be the same as one that is made of the
files without any.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from bench_durability import ChangingLibrary, HitServer, judge, read_status, wait_until
from measuring import Spread, TreeWatch, machine, table
from served import Server

from lexls.index.config import make_indexer_config
from lexls.index.connection import open_reader, select
from lexls.index.verify import reading_anew
from lexls.index.wanted import find_wishes_file
from lexls.settings.declaration import Settings

GIT = ["git", "-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
EVERY = 0.1
"""Seconds between two hovers, and between two saves."""
SETTLING = 3600.0
"""Seconds that the indexer may take to read everything."""


class Asker:
    """Hovers over the draft's citation again and again, and keeps how long each answer took."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.seconds: list[float] = []

    def __enter__(self) -> Asker:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        where = {"textDocument": {"uri": self._server.uri}, "position": {"line": 0, "character": 28}}
        while not self._stopped.wait(EVERY):
            began = time.perf_counter()
            self._server.ask("textDocument/hover", where)
            self.seconds.append(time.perf_counter() - began)


def save_again_and_again(path: Path, seconds: float) -> None:
    """Save a file every 100 ms, each time as a new one in the place of the old."""
    text = path.read_text()
    until = time.monotonic() + seconds
    count = 0
    while time.monotonic() < until:
        count += 1
        beside = path.with_name(f".{path.name}.new")
        beside.write_text(text.replace("stood", f"stood {count % 10}", 1))
        beside.replace(path)
        time.sleep(EVERY)


def main() -> int:
    """Print what was measured; 1 if the index is wrong in the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long one file is saved")
    options = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="lexls-storm-"))
    for variable in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        os.environ[variable] = str(place / "home")
    matter = place / "matter"
    folder = matter / "library"
    prepared = ChangingLibrary(place / "prepared", random.Random(1))
    prepared.grow(options.files)
    library = ChangingLibrary(folder, random.Random(2))
    library.grow(5)
    (matter / "lexls.toml").write_text(
        'library.folders = ["library"]\njurisdiction = "UK"\nembeddings.model = ""\n'
    )
    config = make_indexer_config([folder], Settings(jurisdiction="UK", embeddings_model=""))

    def settled() -> bool:
        status = read_status(config)
        if status.progress().phase != "idle":
            return False
        # Idle it is, too, before it hears of a change.
        with contextlib.closing(open_reader(config.index)) as index:
            held = dict(select(index, "SELECT relative, mtime_ns FROM documents"))
        files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.md")}
        return held == {relative: path.stat().st_mtime_ns for relative, path in files.items()}

    def copy() -> None:
        shutil.copytree(prepared.folder, folder, dirs_exist_ok=True)

    def swap() -> None:
        subprocess.run([*GIT, "checkout", "-q", "other"], cwd=folder, check=True)

    def save() -> None:
        save_again_and_again(next(folder.rglob("7.md")), options.seconds)

    def prepare_swap() -> None:
        subprocess.run([*GIT, "init", "-q"], cwd=folder, check=True)
        subprocess.run([*GIT, "add", "."], cwd=folder, check=True)
        subprocess.run([*GIT, "commit", "-qm", "one"], cwd=folder, check=True)
        subprocess.run([*GIT, "checkout", "-qb", "other"], cwd=folder, check=True)
        for path in sorted(folder.rglob("*.md"))[::2]:
            path.write_text(path.read_text().replace("stood", "fell"))
        subprocess.run([*GIT, "commit", "-qam", "two"], cwd=folder, check=True)
        subprocess.run([*GIT, "checkout", "-q", "-"], cwd=folder, check=True)
        time.sleep(5)
        wait_until(settled, SETTLING)

    server = HitServer(matter)
    wait_until(config.index.exists)
    wait_until(lambda: read_status(config).reconciled() > 0)
    rows = []
    phases: tuple[tuple[str, Callable[[], None]], ...] = (
        (f"{options.files:,} files copied in", copy),
        ("git checkout of half", swap),
        ("a save every 100 ms", save),
    )
    wishes = find_wishes_file(config.index)
    largest = 0
    for name, work in phases:
        if work is swap:
            prepare_swap()
        with (
            TreeWatch(server.process.pid) as watch,
            Asker(server) as asker,
        ):
            began = time.monotonic()
            work()
            worked = time.monotonic() - began
            time.sleep(1)
            wait_until(settled, SETTLING)
            took = time.monotonic() - began - worked
        largest = max(largest, wishes.stat().st_size if wishes.exists() else 0)
        spread = Spread.of([1000 * each for each in asker.seconds])
        times = (f"{spread.p50:.0f}", f"{spread.p95:.0f}", f"{spread.largest:.0f}")
        rows.append((name, f"{worked:.0f}", f"{took:.0f}", spread.count, *times, f"{watch.pss / 2**20:.0f}"))
        print(*rows[-1], sep=" | ", flush=True)
    with reading_anew(config) as look:
        wrong = judge("after the storm", look)
    server.kill()
    shutil.rmtree(place, ignore_errors=True)
    head = ("storm", "s", "s until read", "hovers", "p50 ms", "p95 ms", "max ms", "MB, all processes")
    print(machine(), table(head, rows), f"wishes: at most {largest} bytes; wrong: {wrong}", sep="\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
