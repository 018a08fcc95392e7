"""From process start to the answer of ``initialize``: ``lexls serve`` against a bare pygls server.

Both are started alternately in the same Python, so that whatever else the machine does meets both alike.
With ``--commands`` what ``lexls cite`` costs for one sentence, and for no file, against ``lexls --version``.

    python benchmarks/bench_startup.py [--commands]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import lexls, listing, load, machine, table, write_results

BARE = """
from pygls.lsp.server import LanguageServer

LanguageServer("bare", "1").start_io()
"""
SENTENCES = {
    "UK": "The rule is settled: Vane v Rook [2019] UKSC 55.",
    "IN": "Section 73 applies: Vane v State of Kerala, (1973) 4 SCC 225, at 230.",
    "US": "The point is settled. Vane v. Rook, 410 U.S. 113 (1973).",
    "no citation": "The harbour was closed while the storm lasted.",
}
PARAMETERS = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}


def seconds_to_initialize(command: list[str], folder: str) -> float:
    """Start a server and ask for ``initialize`` at once; the seconds until the whole answer is there."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": PARAMETERS}).encode()
    started = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    process.stdin.flush()
    length = 0
    while (line := process.stdout.readline().strip()) != b"":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    answer = json.loads(process.stdout.read(length))
    seconds = time.perf_counter() - started
    assert "capabilities" in answer["result"]
    process.stdin.close()
    process.stdout.close()
    process.kill()
    process.wait()
    return seconds


def measure(pairs: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "bare.py")
        script.write_text(BARE, encoding="utf-8")
        commands = {"lexls": lexls("serve"), "bare": [sys.executable, str(script)]}
        for command in commands.values():  # read everything from the disk and compile it once
            seconds_to_initialize(command, folder)
        before = load()
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(pairs):
            for name, command in commands.items():
                times[name].append(seconds_to_initialize(command, folder))
    medians = {name: statistics.median(values) for name, values in times.items()}
    ratios = [ours / bare for ours, bare in zip(times["lexls"], times["bare"], strict=True)]
    return {
        "pairs": pairs,
        "lexls_ms": round(medians["lexls"] * 1000, 1),
        "bare_ms": round(medians["bare"] * 1000, 1),
        "ratio": round(medians["lexls"] / medians["bare"], 3),
        "median_ratio_of_pairs": round(statistics.median(ratios), 3),
        "fastest_ms": {name: round(min(values) * 1000, 1) for name, values in times.items()},
        "load": [round(before, 1), round(load(), 1)],
    }


def measure_commands(rounds: int) -> list[list[str]]:
    """Measure each command's least time in some rounds, and its ratio to that of ``lexls --version``."""
    with tempfile.TemporaryDirectory() as folder:
        commands = {"`lexls --version`": ["--version"]}
        for number, (name, sentence) in enumerate(SENTENCES.items()):
            draft = Path(folder, f"{number}.md")
            draft.write_text(f"{sentence}\n", encoding="utf-8")
            commands[f"`lexls cite`, {name}"] = ["cite", str(draft)]
        commands["`lexls cite`, no such file"] = ["cite", str(Path(folder, "none.md"))]
        least = dict.fromkeys(commands, float("inf"))
        for _ in range(rounds):
            for name, arguments in commands.items():
                least[name] = min(least[name], processor_seconds(lexls(*arguments), folder))
    version = least["`lexls --version`"]
    return [[name, f"{1000 * each:.0f} ms", f"{each / version:.1f}"] for name, each in least.items()]


def processor_seconds(command: list[str], folder: str) -> float:
    """The processor time of a command, with the compiled modules of Python where the last one left them."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: each for name, each in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, capture_output=True, cwd=folder, env=environment, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--note", default="", help="what a reader of the results must know of this run")
    parser.add_argument("--json", action="store_true", help="print JSON and write no results")
    parser.add_argument("--commands", action="store_true", help="measure `lexls cite` instead")
    options = parser.parse_args()
    if options.commands:
        rows = measure_commands(options.pairs)
        print(table(("", "processor time", "ratio"), rows))
        if not options.json:
            head = f"    python benchmarks/bench_startup.py --commands --pairs {options.pairs}\n"
            said = "Processor time from process start to its end for a sentence, the least of the rounds.\n"
            commands = [head, said, listing(("", "processor time", "ratio"), rows), options.note]
            write_results("Start of a command", commands)
        return 0
    found = measure(options.pairs)
    if options.json:
        print(json.dumps({"machine": machine(), **found}, indent=2))
        return 0
    fastest = found["fastest_ms"]
    assert isinstance(fastest, dict)
    rows = [
        ["`lexls serve`", f"{found['lexls_ms']} ms", f"{fastest['lexls']} ms"],
        ["bare pygls", f"{found['bare_ms']} ms", f"{fastest['bare']} ms"],
        ["ratio", f"**{found['ratio']}**", f"{fastest['lexls'] / fastest['bare']:.3f}"],
    ]
    parts = [
        f"    python benchmarks/bench_startup.py --pairs {options.pairs}\n",
        options.note + "\n",
        "From process start to the answer of `initialize`, both servers started alternately.\n",
        listing(["", "median", "fastest"], rows),
        f"Median of the ratios of the pairs: {found['median_ratio_of_pairs']}. "
        "Load average before and after: {} and {}.\n".format(*found["load"]),
    ]
    print(write_results("Start", parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
