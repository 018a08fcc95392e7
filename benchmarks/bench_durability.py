"""What an index withstands: processes killed at any moment, a full disk, a torn log, overwritten pages.

    python benchmarks/bench_durability.py --kills 300 --full 50 --torn 50 --damaged 50

A library of invented judgments is changed all the time. After each blow the index that then stands must be
the same as one that is made of the files without any, the files that cannot be read included; what differs is
printed, and the exit status is 1. A full disk needs the right to mount a tmpfs. Processes are killed while
llama.cpp writes with a model of random weights and, with ``--model``, the indexer makes vectors with an
embedding model that is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from lexls.cli.context import find_cache_folder
from lexls.index.config import IndexerConfig, make_indexer_config
from lexls.index.process import make_environment, start_indexer
from lexls.index.reconcile import FileKey
from lexls.index.session import bring_up_to_date
from lexls.index.soundness import describe_exit
from lexls.index.status import IndexStatus
from lexls.index.store import Store
from lexls.index.verify import Look, reading_anew
from lexls.settings.declaration import Settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "hostile"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "models"))
from hostile_files import make_docx
from random_gguf import write_random_model
from served import Server

PATIENCE = 600.0
"""Seconds after which an index that still differs is wrong, and what is asked counts as never answered."""
FILES = 300
PAGE = 4096
WORDS = ("pilot", "lighter", "reef", "harbour", "orchard", "surveyor", "tenant", "weir", "miller", "eel")
DRAFT = "The pilot ran aground: [2015] UKSC 1 at [2].\n"
KINDS = ("indexer", "worker", "server", "model")
STAYING = """\
---
title: Hale v Ryle
citation: "[2014] UKSC 1"
---

[1] The weir at Ennis is kept by the respondent for the mill below it.

[2] The keeper of a weir must open its gates when the river rises above the mark.
"""
QUESTION = "When must the keeper of a weir open its gates?"


class ChangingLibrary:
    """A folder of invented judgments that are added, changed, renamed and deleted at random.

    Those in Word are read by workers however few there are; some of them are damaged for a while.
    """

    def __init__(self, folder: Path, noise: random.Random, suffixes: Sequence[str] = (".md",)) -> None:
        self.folder = folder
        self._noise = noise
        self._suffixes = suffixes
        self._made = 0
        self.counts = Counter[str]()
        self._works = (
            *(self._add, self._add, self._save, self._save),
            *(self._rename, self._delete, self._move),
        )
        folder.mkdir(parents=True)

    def grow(self, count: int) -> None:
        """Add so many files."""
        for _ in range(count):
            self._add()

    def change(self, count: int) -> None:
        """Do so many things to the files."""
        for _ in range(count):
            work = self._noise.choice(self._works)
            work()
            self.counts[work.__name__.strip("_")] += 1

    def _text(self, number: int) -> str:
        words = (" ".join(self._noise.choices(WORDS, k=30)) for _ in range(self._noise.randint(2, 12)))
        paragraphs = "\n\n".join(
            f"[{n}] The {each} stood: [2015] UKSC {self._noise.randint(1, 400)}."
            for n, each in enumerate(words, start=1)
        )
        head = f'title: "Ostler v Board (No {number})"\ncitation: "[2015] UKSC {number}"'
        return f"---\n{head}\n---\n\n{paragraphs}\n"

    def _any(self) -> Path | None:
        files = sorted(each for each in self.folder.rglob("*/*") if each.is_file())
        return self._noise.choice(files) if files else None

    def _add(self) -> None:
        self._made += 1
        name = f"{self._made}{self._noise.choice(self._suffixes)}"
        path = self.folder / f"volume {self._noise.randint(1, 9)}" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(self._make(path, self._text(self._made)))

    def _make(self, path: Path, text: str) -> bytes:
        return make_docx(text) if path.suffix == ".docx" else text.encode()

    def _save(self) -> None:
        """Change a file as editors do: in place or by a new file, often without changing its size."""
        if path := self._any():
            if path.suffix == ".docx":
                content = self._make(path, self._text(self._noise.randint(1, 400)))
                content = content[: len(content) // (2 if self._noise.random() < 0.2 else 1)]
            elif self._noise.random() < 0.5:
                content = path.read_bytes().replace(b"pilot", b"baker")
            else:
                content = path.read_bytes() + b"\n[90] Dismissed.\n"
            if self._noise.random() < 0.5:
                path.write_bytes(content)
            else:
                beside = path.with_name(f".{path.name}.tmp")
                beside.write_bytes(content)
                beside.replace(path)

    def _rename(self) -> None:
        if path := self._any():
            path.rename(path.with_name(f"r{path.name}"))

    def _delete(self) -> None:
        if path := self._any():
            path.unlink()

    def _move(self) -> None:
        folders = sorted(each for each in self.folder.iterdir() if each.is_dir())
        if folders:
            chosen = self._noise.choice(folders)
            with contextlib.suppress(OSError):
                chosen.rename(chosen.with_name(f"volume {self._noise.randint(1, 99)}"))


class HitServer(Server):
    """The server of this lexls with one draft open, whose processes can be killed."""

    def __init__(self, matter: Path) -> None:
        super().__init__(matter, DRAFT, make_environment(), {}, PATIENCE)
        self._below: list[int] = []

    def kill(self) -> None:
        """End it at once, and wait until its indexer, which notices, has ended too."""
        self.hit("server", 0)
        self.is_gone()

    def is_gone(self) -> bool:
        """Whether all its processes have ended within a while, once it was hit."""
        self.process.wait()
        return wait_until(lambda: not any(map(is_alive, self._below)))

    def find(self, kind: str) -> list[int]:
        """The processes of a kind that run now."""
        if kind == "server":
            return [self.process.pid]
        return [pid for pid, what in find_descendants(self.process.pid).items() if what == kind]

    def hit(self, kind: str, delay: float) -> bool:
        """Kill a process of a kind so many seconds after one is there; whether there still was one."""
        wait_until(lambda: bool(self.find(kind)), 30)
        time.sleep(delay)
        self._below = list(find_descendants(self.process.pid))
        for pid in self.find(kind)[:1]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                return True
        return False


def find_descendants(root: int) -> dict[int, str]:
    """The processes below one, and what each is."""
    parents, commands = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                status = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(entry.name)] = int(status[1])
                commands[int(entry.name)] = (entry / "cmdline").read_bytes().decode(errors="replace")
    found: dict[int, str] = {}
    todo = [root]
    while todo:
        above = todo.pop()
        for pid, parent in parents.items():
            if parent == above:
                command = commands[pid]
                in_indexer = found.get(above) == "indexer"
                found[pid] = (
                    "indexer" if "lexls.index.process" in command
                    else "worker" if in_indexer and "spawn_main" in command
                    else "model" if "lexls.models" in command
                    else "other"
                )  # fmt: skip
                todo.append(pid)
    return found


def is_alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether a condition holds within some seconds."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True


def judge(what: str, look: Look) -> int:
    """Whether the index is right, or becomes so within a while; prints what differs. 1 if it is wrong."""
    found = look()
    until = time.monotonic() + PATIENCE
    while found and time.monotonic() < until:
        time.sleep(1)
        found = look()
    if found:
        print(f"{what}: {len(found)} differences", *found[:5], sep="\n  ", flush=True)
    return int(bool(found))


def judge_files(what: str, config: IndexerConfig) -> int:
    """Whether the index holds each file that is whole once, and says of no other that it cannot be read."""
    files = {each for folder in config.folders for each in folder.rglob("*") if each.is_file()}
    damaged = {each for each in files if each.suffix == ".docx" and not zipfile.is_zipfile(each)}
    status = read_status(config)
    held = sorted(FileKey(library, relative).path for library, relative, _ in status.document_ids())
    failed = sorted(each.path for each in status.failed())
    if held != sorted(files - damaged) or failed != sorted(damaged):
        print(
            f"{what}: of {len(files)} files, {len(damaged)} damaged, {len(held)} held, {len(failed)} failed"
        )
        return 1
    return 0


def run_kills(config: IndexerConfig, matter: Path, library: ChangingLibrary, count: int, changes: int) -> int:
    """Kill processes of a server while files change; how often the index was wrong."""
    wrong, killed, missed = 0, Counter[str](), Counter[str]()
    noise = random.Random(count)
    library.grow(FILES)
    (library.folder / "staying.md").write_text(STAYING)
    question = {"question": QUESTION, "uri": (matter / "draft.md").as_uri()}
    ask: dict[str, object] = {"command": "lexls.ask", "arguments": [question]}
    kinds = [kind for _ in range(0, count, len(KINDS)) for kind in noise.sample(KINDS, len(KINDS))]
    server = HitServer(matter)
    wait_until(config.index.exists)
    with reading_anew(config) as look:
        wait_until(lambda: read_status(config).reconciled() > 0)
        for blow, kind in enumerate(kinds[:count]):
            done = changes * (blow + 1) // count - changes * blow // count
            library.change(done - done // 2)
            asked: list[int] = []
            while killed.total() == blow and missed.total() < count:
                if kind == "model":
                    asked.append(server.begin("workspace/executeCommand", ask))
                elif kind == "worker" or noise.random() < 0.15:
                    library.grow(noise.choice((1, 30)))
                hit = server.hit(kind, noise.random() * noise.choice((0.1, 1.0, 3.0)))
                (killed if hit else missed)[kind] += 1
            library.change(done // 2)
            for each in asked:
                server.wait(each)
            if kind == "server":
                before, server = server, HitServer(matter)
                if not before.is_gone():
                    print(f"blow {blow}: a process outlived its server")
                    wrong += 1
            wrong += judge(f"blow {blow} ({kind})", look) or judge_files(f"blow {blow} ({kind})", config)
    server.kill()
    with reading_anew(config) as look:
        wrong += judge("in the end, from scratch", look)
    done = f"none there any more: {dict(missed)}; changes: {dict(library.counts)}"
    print(f"kills: {dict(killed)}, wrong {wrong} times; {done}")
    return wrong


def read_status(config: IndexerConfig) -> IndexStatus:
    """The status of an index that may be written just now."""
    return IndexStatus(config.index)


def run_torn(config: IndexerConfig, library: ChangingLibrary, count: int) -> int:
    """Kill an indexer, then cut off its log or write over some of it; how often the index was wrong."""
    wrong, torn = 0, 0
    noise = random.Random(count)
    library.grow(60)
    bring_up_to_date(config)
    log = config.index.with_name(config.index.name + "-wal")
    with reading_anew(config) as look:
        for blow in range(count):
            library.change(20)
            process = start_indexer(config)
            wait_until(lambda: log.exists() and log.stat().st_size > 0, 30)
            time.sleep(noise.random())
            process.kill()
            process.wait()
            if log.exists() and (size := log.stat().st_size):
                torn += 1
                with open(log, "r+b") as file:
                    if noise.random() < 0.5:
                        file.truncate(noise.randrange(size))
                    else:
                        file.seek(noise.randrange(size))
                        file.write(noise.randbytes(noise.randint(1, 20_000)))
            bring_up_to_date(config)
            wrong += judge(f"torn log {blow}", look)
    print(f"torn logs: {torn} of {count} runs had one, wrong {wrong} times")
    return wrong


def run_damaged(config: IndexerConfig, library: ChangingLibrary, count: int) -> int:
    """Write over random pages of an index that was looked through a day ago; how often it was wrong after its
    indexer ran.
    """
    wrong, renewed = 0, 0
    noise = random.Random(count)
    library.grow(60)
    bring_up_to_date(config)
    with reading_anew(config) as look:
        for blow in range(count):
            before = read_status(config).renewed()
            with contextlib.closing(Store(config.index)) as store:
                store.looked_through = 1
            pages = config.index.stat().st_size // PAGE
            with open(config.index, "r+b") as file:
                for _ in range(noise.randint(1, 4)):
                    file.seek(PAGE * noise.randrange(pages))
                    file.write(noise.randbytes(PAGE))
            process = start_indexer(config)
            wrong += judge(f"damage {blow}", look)
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
            renewed += read_status(config).renewed() > before
    print(f"overwritten pages: {count} runs, made anew {renewed} times, wrong {wrong} times")
    return wrong


@contextlib.contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Callable[[], None]]:
    """A file system of this size in ``folder``; what is called gives it room."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)], check=True)

    def give_room() -> None:
        subprocess.run(["mount", "-o", "remount,size=500m", str(folder)], check=True)

    try:
        yield give_room
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def run_full(config: IndexerConfig, library: ChangingLibrary, count: int) -> int:
    """Let an index run out of disk, then give it room; how often it was wrong, or said something else."""
    wrong, said = 0, Counter[str]()
    noise = random.Random(count)
    library.grow(60)
    for blow in range(count):
        with small_disk(config.index.parent / f"disk {blow}", noise.randint(40, 3000)) as give_room:
            full = replace(config, index=config.index.parent / f"disk {blow}" / "library.sqlite3")
            process = start_indexer(full)
            ended = wait_until(partial(_has_ended, process, full), 60)
            if process.poll() is None:
                said["there was room" if ended else "nothing within a minute"] += 1
                assert process.stdin is not None
                process.stdin.close()
                process.wait()
            else:
                words = describe_exit(process.returncode, full.index).rpartition(": ")[2]
                said[words or f"status {process.returncode}"] += 1
            give_room()
            library.change(3)
            bring_up_to_date(full)
            with reading_anew(full) as look:
                wrong += judge(f"full disk {blow}", look)
    print(f"full disks: {count} runs, wrong {wrong} times; said: {dict(said)}")
    return wrong


def _has_ended(process: subprocess.Popen[str], config: IndexerConfig) -> bool:
    return process.poll() is not None or _is_done(config)


def _is_done(config: IndexerConfig) -> bool:
    with contextlib.suppress(Exception):
        return read_status(config).reconciled() > 0
    return False


RUNS = {"full": run_full, "torn": run_torn, "damaged": run_damaged}


def main() -> int:
    """Do what the command line asks; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("kills", "full", "torn", "damaged"):
        parser.add_argument(f"--{name}", type=int, default=0)
    parser.add_argument(
        "--changes", type=int, default=2000, help="how many files change while processes are killed"
    )
    parser.add_argument("--model", default="", help="an embedding model that is installed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    for name in ("kills", "full", "torn", "damaged"):
        count = getattr(options, name)
        if not count:
            continue
        place = Path(tempfile.mkdtemp(prefix="lexls-durability-"))
        (place / "home/lexls").mkdir(parents=True)
        (place / "home/lexls/models").symlink_to(find_cache_folder() / "models")
        for variable in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(place / "home")
        matter = place / "matter"
        suffixes = (".md", ".md", ".docx") if name == "kills" else (".md",)
        library = ChangingLibrary(matter / "library", random.Random(options.seed), suffixes)
        model = write_random_model(
            place / "random.gguf", width=512, inner=1408, layers=6, heads=8, key_heads=8
        )
        (place / "home/lexls/config.toml").write_text(
            f'explain.generator = "llama"\nllama.model = "{model}"\nexplain.seconds = 20\n'
        )
        settings = (
            'library.folders = ["library"]',
            'jurisdiction = "UK"',
            f'embeddings.model = "{options.model}"',
        )
        (matter / "lexls.toml").write_text("\n".join(settings))
        config = make_indexer_config(
            [matter / "library"], Settings(jurisdiction="UK", embeddings_model=options.model)
        )
        began = time.monotonic()
        try:
            if name == "kills":
                wrong += run_kills(config, matter, library, count, options.changes)
            else:
                wrong += RUNS[name](config, library, count)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
