"""From process start to the answer of ``initialize``: ``lexls serve`` against a bare pygls server.

Both are started alternately in the same Python, so that whatever else the machine does meets both alike.

    python benchmarks/bench_startup.py
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import lexls, load, machine, table, write_results

BARE = """
from pygls.lsp.server import LanguageServer

LanguageServer("bare", "1").start_io()
"""
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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--note", default="", help="what a reader of the results must know of this run")
    parser.add_argument("--json", action="store_true", help="print JSON and write no results")
    options = parser.parse_args()
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
        "From process start to the answer of `initialize`, both servers started alternately. "
        f"Median of the ratios of the pairs: {found['median_ratio_of_pairs']}. "
        "Load average before and after: {} and {}.\n".format(*found["load"]),
        table(["", "median", "fastest"], rows),
    ]
    print(write_results("Start", parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
