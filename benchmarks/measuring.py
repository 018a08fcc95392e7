"""What all benchmarks share: percentiles, the machine in words, tables, and the memory of processes."""

from __future__ import annotations

import json
import math
import os
import platform
import re
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
RSS_SECONDS = 0.05
PSS_SECONDS = 0.25
"""PSS costs the kernel a walk through all pages: asked less often, so that it takes no processor time."""


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` (0 to 1) of the values do not exceed; NaN of none."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered) - 1e-9) - 1)]


@dataclass(frozen=True, slots=True)
class Spread:
    """How a set of measurements lies; in the unit of the measurements."""

    count: int
    p50: float
    p95: float
    largest: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(
            len(values), statistics.median(values), percentile(values, 0.95), max(values)
        ) if values else cls(0, float("nan"), float("nan"), float("nan"))  # fmt: skip

    def data(self, digits: int = 1) -> dict[str, float]:
        return {
            "n": self.count,
            "p50": round(self.p50, digits),
            "p95": round(self.p95, digits),
            "max": round(self.largest, digits),
        }


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def listing(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A short table as a sentence: "First row (column: figure, column: figure); second row (…)"."""
    said = []
    for row in rows:
        cells = zip(head[1:], (str(cell).replace("**", "") for cell in row[1:]), strict=True)
        figures = ", ".join(f"{name}: {cell}" for name, cell in cells if cell)
        said.append(f"{row[0]} ({figures})")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}.\n"


def transpose(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table whose columns are the rows."""
    first, *others = zip(head, *rows, strict=True)
    return table(first, others)


def machine() -> str:
    """The machine in words, without names or paths of it."""
    return (
        f"Machine: {_cpu()}, {_processors()} cores, {_memory_gigabytes():.0f} GB of memory, "
        f"{platform.system()}, Python {platform.python_version()}, SQLite {_sqlite()}."
    )


def load() -> float:
    """The load average of the last minute; 0 where the platform has none."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def write_results(title: str, parts: Iterable[str]) -> str:
    """Write a section of RESULTS.md in place of the one with its title, or at the end; return it.

    Text before the first table becomes one paragraph, with commands in code marks. The machine is named if it
    is not the usual one, which the page's head names. The old section's line of limits is kept.
    """
    head, *blocks = re.split(r"^(?=###? )", RESULTS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = (n for n, block in enumerate(blocks) if block.startswith(f"### {title}\n"))
    at = next(found, len(blocks))
    limits = re.findall(r"^\*\*Limits:.*\n", "".join(blocks[at : at + 1]), flags=re.MULTILINE)
    lead = [] if machine().partition(": ")[2] in head else [machine()]
    tables: list[str] = []
    for part in filter(str.strip, parts):
        if tables or part.startswith("|"):
            tables.append(f"\n{part.strip()}\n")
        else:
            lead.append(" ".join(_mark_commands(part).split()))
    section = "".join([f"### {title}\n", " ".join(lead) + "\n", *limits, *tables])
    blocks[at : at + 1] = [section + "\n"]
    page = head.partition("\n- [")[0].rstrip() + "\n" + _list_contents(blocks) + "\n\n" + "".join(blocks)
    RESULTS.write_text(page.rstrip() + "\n", encoding="utf-8")
    return section


def _mark_commands(part: str) -> str:
    """Put a block of commands, which is indented, in code marks."""
    if not part.startswith("    "):
        return part
    lines = (" ".join(line.split()) for line in part.replace("\\\n", "").splitlines())
    return "; ".join(f"`{line}`" for line in lines if line) + "."


def _list_contents(blocks: Iterable[str]) -> str:
    """The table of contents: a line for each theme, with links to its sections."""
    lines: list[str] = []
    for block in blocks:
        level, _, title = block.partition("\n")[0].partition(" ")
        link = f"[{title}](#{_anchor(title)})"
        if level == "##":
            lines.append(f"\n- {link}:")
        else:
            lines.append(f" {link}" if lines[-1].endswith(":") else f", {link}")
    return "".join(lines)


def _anchor(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.casefold()).replace(" ", "-")


def lexls(*arguments: str) -> list[str]:
    """The command line of ``lexls`` in this Python."""
    return [sys.executable, "-m", "lexls", *arguments]


def run_json(*arguments: str) -> tuple[dict[str, Any], float]:
    """Run a command of lexls with ``--json``: its answer, and the seconds from start to end."""
    started = time.perf_counter()
    done = subprocess.run(lexls(*arguments, "--json"), capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode != 0:
        sys.exit(done.stderr or done.stdout)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer, seconds


# -- processes ---------------------------------------------------------------------------------------------


class TreeWatch:
    """Watches a process and all its descendants: peak memory of all together, and processor time.

    Reads /proc, so it measures nothing where there is none. ``rss`` counts pages that processes share once
    for each of them, ``pss`` once for all; both in bytes.
    """

    def __init__(self, root: int) -> None:
        self._root = root
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._seconds: dict[int, float] = {}
        self.rss = 0
        self.pss = 0
        self.processes = 0

    def __enter__(self) -> TreeWatch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def processor_seconds(self) -> float:
        """Processor time of all processes seen so far."""
        return sum(self._seconds.values())

    def _run(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        tick = os.sysconf("SC_CLK_TCK")
        pss_at = 0.0
        while not self._stop.wait(RSS_SECONDS):
            tree = descendants(self._root)
            self.processes = max(self.processes, len(tree))
            self.rss = max(self.rss, sum(_resident_pages(each) for each in tree) * page)
            for each in tree:
                self._seconds[each] = max(self._seconds.get(each, 0.0), _ticks(each) / tick)
            if time.monotonic() >= pss_at:
                pss_at = time.monotonic() + PSS_SECONDS
                self.pss = max(self.pss, sum(_proportional_bytes(each) for each in tree))


def descendants(root: int) -> list[int]:
    """``root`` and the processes below it, as far as they still run."""
    found, waiting = [], [root]
    while waiting:
        process = waiting.pop()
        found.append(process)
        for task in _listed(f"/proc/{process}/task"):
            waiting += [int(child) for child in _read(f"/proc/{process}/task/{task}/children").split()]
    return found


def _resident_pages(process: int) -> int:
    fields = _read(f"/proc/{process}/statm").split()
    return int(fields[1]) if len(fields) > 1 else 0


def _proportional_bytes(process: int) -> int:
    for line in _read(f"/proc/{process}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _ticks(process: int) -> int:
    fields = _read(f"/proc/{process}/stat").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12]) if len(fields) > 12 else 0


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError:
        return ""


def _listed(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []


# -- the machine -------------------------------------------------------------------------------------------


def _cpu() -> str:
    for line in _read("/proc/cpuinfo").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory_gigabytes() -> float:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemTotal"):
            return int(line.split()[1]) / 2**20
    return 0.0


def _sqlite() -> str:
    try:
        import apsw

        return apsw.sqlite_lib_version()
    except ImportError:
        return sqlite3.sqlite_version


def as_row(figures: Mapping[str, float], unit: str = "") -> list[str]:
    """p50, p95 and the largest of ``Spread.data`` as cells."""
    return [f"{figures[key]:g}{unit}" for key in ("p50", "p95", "max")]
