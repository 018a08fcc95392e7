"""Try what no draft and no editor does on purpose: each trial on a server of its own.

    python benchmarks/bench_trials.py [--trial documents] [--write]

A row says what was tried, what went wrong (nothing, as a rule), how long a hover in another document took
before (95th percentile), how long meanwhile and after (95th percentile and at most; their number), and the
most memory of the server's process. Beside documents that are opened, hovers are asked every 50 ms until all
are closed, or until the huge draft was checked.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from bench_durability import make_environment, wait_until
from measuring import machine, table, write_results
from served import SERVE, Server

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "hostile"))
from composed_texts import compose, list_vocabulary

from lexls.citations.grammar import Grammar

JUDGMENTS = 20
CITED = "Vane v Rook 3 [2019] UKSC 3"
DRAFT = f"The rule is settled: *{CITED}*. *Ibid* at [2].\n"
METHODS = (
    "hover",
    "documentSymbol",
    "foldingRange",
    "codeLens",
    "semanticTokens/full",
    "inlayHint",
    "definition",
)
MEMORY = 6 * 2**30
"""Bytes of address space of a server that opens huge drafts."""
PATIENCE = 120.0
HUGE_SECONDS = 60.0
"""Seconds for which a huge draft stays open at most."""
COMPOSED = 1_000
"""Number of composed texts that are opened one after another."""
COMPOSED_LENGTH = 40_000
"""Code points of a composed text."""
QUIET = 40
"""Number of hovers that tell how the server answers with nothing else to do."""
IN_NAMESPACE = "echo "
"""How a limit begins that is set in a user namespace of the server's own."""
SOAK_SECONDS = 1800.0
SETTLED_SECONDS = 300.0
"""Seconds of a soak after which memory grows no more."""
PAUSE = 0.05
"""Seconds between two hovers."""


class Trial:
    """A matter with a library, and a server with a draft open."""

    def __init__(self, folder: Path, limit: str = "") -> None:
        self.matter = folder / "matter"
        self.library = self.matter / "library"
        self.library.mkdir(parents=True)
        for number in range(JUDGMENTS):
            self.add(number)
        (self.matter / "lexls.toml").write_text(
            'library.folders = ["library"]\njurisdiction = "UK"\nembeddings.model = ""\n'
        )
        (self.matter / "draft.md").write_text(DRAFT)
        environment = make_environment() | {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
        command = ("/bin/sh", "-c", f'{limit}; exec "$@"', "sh", *SERVE) if limit else SERVE
        if limit.startswith(IN_NAMESPACE):
            command = ("unshare", "--user", "--map-root-user", *command)
        self.server = Server(self.matter, DRAFT, environment, {}, PATIENCE, command)
        self.wrong: list[str] = []
        self.said = ""
        """A remark for the row of the table."""
        self.hovers: list[float] = []
        """The seconds that each hover took."""
        if not wait_until(lambda: self.names_case(self.hover()), PATIENCE):
            self.wrong.append("the library is never read")

    def add(self, number: int, words: str = "It stood.") -> None:
        """Write a judgment into the library."""
        title = f"Vane v Rook {number}"
        head = f'---\ntitle: "{title}"\ncitation: "[2019] UKSC {number}"\n---\n'
        (self.library / f"{number}.md").write_text(f"{head}\n# {title}\n\n1. {words}\n\n2. So.\n")

    @property
    def index(self) -> Path:
        """The file of the library's index."""
        return next(self.matter.parent.glob("data/**/*.sqlite3"))

    def hover(self, uri: str = "") -> str:
        """Hover over a draft's citation; what is shown, "" if nothing is."""
        document = {"uri": uri or self.server.uri}
        where = {"textDocument": document, "position": {"line": 0, "character": 28}}
        began = time.perf_counter()
        try:
            answer = self.server.ask("textDocument/hover", where)
        except TimeoutError:
            self.wrong.append("a hover is not answered")
            answer = None
        self.hovers.append(time.perf_counter() - began)
        return str(answer["contents"]["value"]) if answer else ""

    def hover_until(self, is_over: Callable[[], bool]) -> None:
        """Hover again and again until something is over."""
        while not is_over() and self.server.process.poll() is None:
            self.hover()
            time.sleep(PAUSE)

    @staticmethod
    def names_case(shown: str) -> bool:
        return "Vane" in shown and "not in your library" not in shown

    def expect_case(self, when: str) -> None:
        """Take down what is wrong if the hover does not show the case within a while."""
        if not wait_until(lambda: self.names_case(self.hover()), PATIENCE):
            self.wrong.append(f"{when} the case is not found")

    def take_memory(self, name: str) -> float:
        """The server's memory in MB: ``VmRSS`` now, or ``VmHWM`` at most so far."""
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        return next(
            (int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(name)), 0.0
        )

    def open(self, name: str, text: str) -> str:
        uri = (self.matter / name).as_uri()
        self.server.open(uri, text)
        return uri

    def close(self, uri: str) -> None:
        self.server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def ask_of(method: str, uri: str) -> dict[str, object]:
    """Parameters that fit a method of a text document."""
    asked: dict[str, object] = {"textDocument": {"uri": uri}}
    if method in ("hover", "definition"):
        asked["position"] = {"line": 0, "character": 28}
    if method == "inlayHint":
        asked["range"] = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    return asked


def cancel_at_random(trial: Trial) -> None:
    """5,000 requests at once, half of them cancelled."""
    chance, server = random.Random(1), trial.server
    asked = []
    for _ in range(5_000):
        method = chance.choice(METHODS)
        asked.append(server.begin(f"textDocument/{method}", ask_of(method, server.uri)))
        if chance.random() < 0.5:
            server.tell("$/cancelRequest", {"id": chance.choice(asked[-50:])})
    for each in asked:
        try:
            server.wait(each)
        except TimeoutError:
            trial.wrong.append(f"request {each} is not answered")
            return


def stop_reading(trial: Trial) -> None:
    """A client that reads nothing for 20 seconds, with 3,000 requests sent."""
    server = trial.server
    os.kill(server.process.pid, 0)
    stream = server.process.stdout
    assert stream is not None
    reading = threading.Event()
    original = stream.readline

    def readline(*given: int) -> bytes:
        reading.wait(20)
        return original(*given)

    stream.readline = readline  # type: ignore[method-assign, assignment]
    asked: list[int] = []

    def send() -> None:
        for _ in range(3_000):
            asked.append(server.begin("textDocument/documentSymbol", ask_of("documentSymbol", server.uri)))

    sender = threading.Thread(target=send)
    sender.start()
    time.sleep(20)
    reading.set()
    sender.join(PATIENCE)
    for each in asked:
        server.wait(each)


def open_and_close(trial: Trial) -> None:
    """10,000 documents opened and closed."""
    early, over = 0.0, threading.Event()
    hovering = threading.Thread(target=trial.hover_until, args=[over.is_set])
    hovering.start()
    for number in range(10_000):
        uri = trial.open(f"draft-{number}.md", DRAFT.replace("settled", f"settled {number}"))
        trial.close(uri)
        if number == 2_500:
            early = trial.take_memory("VmRSS")
    over.set()
    hovering.join()
    late = trial.take_memory("VmRSS")
    if late > 1.25 * early + 20:
        trial.wrong.append(f"memory grew from {early:.0f} to {late:.0f} MB")


def open_beside(trial: Trial, name: str, text: str) -> None:
    """A draft opened beside the small one until it is checked; hovers in the small one meanwhile."""
    uri = trial.open(name, text)
    until = time.monotonic() + HUGE_SECONDS
    trial.hover_until(lambda: uri in trial.server.published or time.monotonic() > until)
    if uri not in trial.server.published:
        trial.wrong.append(f"{name} is not checked")
    trial.close(uri)
    if trial.server.process.poll() is not None:
        trial.wrong.append("the server has ended")


def open_composed(trial: Trial) -> None:
    """Texts composed of the grammar's own words, one after another."""
    grammar = Grammar.load()
    vocabulary = cache(lambda place: list_vocabulary(grammar, place))
    for seed in range(COMPOSED):
        text = compose(seed, [*sorted(grammar.jurisdictions), ""], vocabulary)
        open_beside(trial, f"composed-{seed}.md", text.make(COMPOSED_LENGTH))


def break_index(trial: Trial, work: Callable[[Path], object]) -> None:
    """The index broken under the open draft, and then a judgment that comes."""
    work(trial.index)
    trial.add(99)
    uri = trial.open("new.md", DRAFT.replace("Rook 3", "Rook 99").replace("UKSC 3", "UKSC 99"))
    if not wait_until(lambda: trial.names_case(trial.hover(uri)), PATIENCE):
        trial.wrong.append("what came into the library is not found")


def move_library(trial: Trial) -> None:
    """The library's folder moved away and back."""
    away = trial.matter / "elsewhere"
    trial.library.rename(away)
    time.sleep(5)
    trial.hover()
    away.rename(trial.library)
    trial.expect_case("after the folder came back")


def set_clock_back(trial: Trial) -> None:
    """Judgments that change while their files' times go to the year 2099 and back to 1970."""
    for number, when in enumerate((4_070_908_800, 0, 4_070_908_800, 86_400), 50):
        changed = trial.library / "3.md"
        changed.write_text(
            f'---\ntitle: "Vane v Rook {number}"\ncitation: "[2019] UKSC {number}"\n---\n\n1. So.\n'
        )
        os.utime(changed, (when, when))
        uri = trial.open(
            f"{number}.md", DRAFT.replace("Rook 3", f"Rook {number}").replace("UKSC 3", f"UKSC {number}")
        )
        if not wait_until(lambda uri=uri: trial.names_case(trial.hover(uri)), PATIENCE):  # type: ignore[misc]
            trial.wrong.append(f"a file of the time {when} is not read")
        trial.close(uri)
    trial.add(3)


CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *now) {
    static int (*ask)(clockid_t, struct timespec *);
    if (!ask) ask = dlsym(RTLD_NEXT, "clock_gettime");
    int failed = ask(id, now);
    if (id == CLOCK_REALTIME && access(getenv("CLOCK_BACK"), F_OK) == 0) now->tv_sec -= 400L * 86400;
    return failed;
}
"""
"""A clock that is 400 days behind while the file CLOCK_BACK is there."""


def make_clock(folder: Path) -> str:
    """Compile the clock; what a shell does for processes to read it."""
    (folder / "clock.c").write_text(CLOCK)
    made = [folder / "clock.so", folder / "clock.c"]
    subprocess.run(["cc", "-shared", "-fPIC", "-o", *made, "-ldl"], check=True)
    return f"export CLOCK_BACK={folder / 'back'} LD_PRELOAD={made[0]}"


def turn_clock_back(trial: Trial) -> None:
    """Judgments that come, and an index that is damaged, while the clock is set back and when it is right."""
    back = trial.matter.parent / "back"
    for number in range(60, 64):
        back.unlink() if back.exists() else back.touch()
        trial.add(number)
        uri = trial.open(
            f"{number}.md", DRAFT.replace("Rook 3", f"Rook {number}").replace("UKSC 3", f"UKSC {number}")
        )
        if not wait_until(lambda uri=uri: trial.names_case(trial.hover(uri)), PATIENCE):  # type: ignore[misc]
            trial.wrong.append(f"with the clock {'back' if back.exists() else 'right'} nothing new is read")
        trial.close(uri)
        if number in (60, 61):
            break_index(trial, write_garbage)


def fill_disk(trial: Trial) -> None:
    """More judgments than the index has room for: what it has stays, and the status says why."""
    for number in range(100, 1_500):
        trial.add(number, "It stood at the weir beside the mill, as the keeper had said. " * 40)
    said: list[str] = []

    def is_told() -> bool:
        [library] = trial.server.ask("workspace/executeCommand", {"command": "lexls.status"})["libraries"]
        said[:] = [library["phase"], library["message"]]
        trial.hover()
        return bool(library["phase"] == "failed")

    if not wait_until(is_told, PATIENCE):
        trial.wrong.append(f"the status says {' '.join(said)}")
    trial.said = f" ({said[1].rpartition('sqlite3: ')[2]})"


def soak(trial: Trial) -> None:
    """Edits, requests, saved judgments and cancellations at random; memory after the first five minutes."""
    chance, server, began = random.Random(7), trial.server, time.monotonic()
    version, early = 1, 0.0
    uri = trial.open("soak.md", DRAFT * 40)
    while (passed := time.monotonic() - began) < SOAK_SECONDS:
        version += 1
        where = {"line": chance.randrange(40), "character": chance.randrange(20)}
        typed = chance.choice(["x", " Ibid.", "\n\n", f" Vane v Rook {chance.randrange(30)} [2019] UKSC 3."])
        change = {"range": {"start": where, "end": where}, "text": typed}
        if version % 200 == 0:  # so that the draft stays as long as it is
            change = {"text": DRAFT * 40}
        identifier = {"uri": uri, "version": version}
        server.tell("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
        asked = [
            server.begin(f"textDocument/{each}", ask_of(each, uri)) for each in chance.sample(METHODS, 3)
        ]
        server.tell("$/cancelRequest", {"id": asked[0]})
        for each in asked:
            server.wait(each)
        if version % 500 == 0:
            trial.add(chance.randrange(JUDGMENTS, 40))
        if version % 10 == 0:
            trial.hover()
        early = trial.take_memory("VmRSS") if passed < SETTLED_SECONDS else early
        time.sleep(0.02)
    trial.close(uri)
    late = trial.take_memory("VmRSS")
    trial.said = f"; {version:,} edits, memory {early:.0f} MB after five minutes, {late:.0f} MB in the end"
    if late > 1.05 * early:
        trial.wrong.append(f"memory grew from {early:.0f} to {late:.0f} MB")


def write_garbage(index: Path) -> None:
    replacement = index.with_name("garbage")
    replacement.write_bytes(random.Random(2).randbytes(200_000))
    replacement.replace(index)


PARAGRAPH = "The harbour was closed while the storm lasted, and nobody asked the harbour master why. "
TRIALS: dict[str, tuple[str, Callable[[Trial], None], str]] = {
    "cancel": ("5,000 pipelined requests, half of them cancelled", cancel_at_random, ""),
    "reading": ("a client that reads nothing for 20 s, 3,000 requests sent", stop_reading, ""),
    "documents": ("10,000 documents opened and closed", open_and_close, ""),
    "draft": (
        "a draft of 50 MB",
        lambda trial: open_beside(
            trial, "huge.md", (PARAGRAPH * 6 + "\n\n") * (50_000_000 // (6 * len(PARAGRAPH) + 2))
        ),
        "memory",
    ),
    "line": (
        "a line of 10 MB",
        lambda trial: open_beside(trial, "huge.md", PARAGRAPH * (10_000_000 // len(PARAGRAPH))),
        "memory",
    ),
    "composed": (f"{COMPOSED:,} composed texts of {COMPOSED_LENGTH:,} characters", open_composed, ""),
    "files": ("`ulimit -n 64`", lambda trial: trial.expect_case("with few files"), "ulimit -n 64"),
    "garbage": ("the index replaced by garbage", lambda trial: break_index(trial, write_garbage), ""),
    "truncated": (
        "the index cut to half",
        lambda trial: break_index(trial, lambda index: os.truncate(index, index.stat().st_size // 2)),
        "",
    ),
    "gone": ("the index deleted", lambda trial: break_index(trial, Path.unlink), ""),
    "full": ("files of at most 4 MB", fill_disk, "ulimit -f 8192"),
    "inotify": (
        "no inotify, and a judgment that comes",
        lambda trial: break_index(trial, lambda index: None),
        f"{IN_NAMESPACE}0 > /proc/sys/user/max_inotify_instances",
    ),
    "clock-back": ("a clock that is set back and right again", turn_clock_back, "clock"),
    "clock": ("files whose times are of 2099 and 1970", set_clock_back, ""),
    "soak": ("30 minutes of edits, requests, cancellations and saved judgments", soak, ""),
    "moved": ("the library's folder moved and moved back", move_library, ""),
}


def run(name: str) -> tuple[str, ...]:
    """Run one trial; its row."""
    said, work, limit = TRIALS[name]
    folder = Path(tempfile.mkdtemp(prefix="lexls-trial-"))
    if limit == "clock":
        limit = make_clock(folder)
    trial = Trial(folder, f"ulimit -v {MEMORY // 1024}" if limit == "memory" else limit)
    trial.hovers.clear()
    trial.hover_until(lambda: len(trial.hovers) >= QUIET)
    quiet, trial.hovers = trial.hovers, []
    began = time.monotonic()
    try:
        work(trial)
        trial.expect_case("in the end")
        most = f"{trial.take_memory('VmHWM'):.0f}"
    except (TimeoutError, OSError) as error:
        trial.wrong.append(repr(error))
        most = "–"
    took = time.monotonic() - began
    with contextlib.suppress(Exception):
        trial.server.end()
    if trial.server.process.poll() is None:
        trial.server.process.kill()
    shutil.rmtree(folder, ignore_errors=True)
    wrong = "; ".join(dict.fromkeys(trial.wrong)) or "nothing"
    beside = trial.hovers or [0.0]
    times = (find_p95(quiet), find_p95(beside), max(beside))
    return (
        said + trial.said,
        wrong,
        *(f"{1000 * each:.0f}" for each in times),
        f"{len(beside)}",
        f"{took:.0f}",
        most,
    )


def find_p95(times: Sequence[float]) -> float:
    """The time that 95 of 100 do not exceed."""
    return sorted(times)[int(0.95 * (len(times) - 1))]


def rows(names: list[str]) -> Iterator[tuple[str, ...]]:
    for name in names:
        row = run(name)
        print(*row, sep=" | ", flush=True)
        yield row


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trial", choices=TRIALS, action="append", help="only this one (may be repeated)")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    found = list(rows(options.trial or list(TRIALS)))
    hovers = ("hover alone, p95, ms", "beside, p95, ms", "at most, ms", "hovers")
    head = ("trial", "wrong", *hovers, "s", "MB at most")
    print(machine(), table(head, found), sep="\n")
    if options.write:
        command = "    python benchmarks/bench_trials.py --write\n"
        about = (
            "What no editor does on purpose, each on a server of its own: what went wrong, and how long "
            "hovers in another document take before (*alone*) and meanwhile (*beside*).\n"
        )
        write_results("Trials", [command, about, table(head, found)])
    return any(row[1] != "nothing" for row in found)


if __name__ == "__main__":
    sys.exit(main())
