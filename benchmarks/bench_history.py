"""Open indexes that earlier versions of lexls have made with the present one.

    python benchmarks/bench_history.py --commits 30

So many commits of this repository, evenly spread over its history, each index an invented library with the
packages that are installed now (older ones need pebble, too), and give its passages invented vectors. The
present lexls then opens a copy of that index and brings it up to date; what it holds must be what the files
say, and vectors of passages that are the same must be there still. Then files change and more of them come,
and the commit is killed while it reads them; the present lexls opens what that left.
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
import tarfile
import tempfile
import time
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from bench_durability import ChangingLibrary
from measuring import table

from lexls.index.beside import find_beside
from lexls.index.config import IndexerConfig, make_indexer_config
from lexls.index.connection import copy_index
from lexls.index.session import bring_up_to_date
from lexls.index.status import IndexStatus
from lexls.index.verify import verify
from lexls.settings.declaration import Settings

ROOT = Path(__file__).resolve().parents[1]
FILES, MORE = 12, 60
LARGEST_LOG = 800_000
"""Bytes of the log with which an indexer is killed at the latest, a while before it has read all files."""
EMBED = """
import sys
from pathlib import Path
import numpy as np
from lexls.index.store import Store
store = Store(Path(sys.argv[1]))
store.use_embedder("invented", 8)
waiting = [each[0] for each in store.pending(10_000)]
store.put_vectors(waiting, np.eye(8, dtype=np.float32)[np.arange(len(waiting)) % 8])
store.close()
"""


def choose_commits(count: int) -> list[str]:
    """So many commits of the history, the oldest first."""
    every = subprocess.check_output(["git", "rev-list", "--reverse", "HEAD"], cwd=ROOT, text=True).split()
    return [every[(len(every) - 1) * n // max(1, count - 1)] for n in range(count)]


def unpack(commit: str, folder: Path) -> None:
    """Lay out the code of a commit; nothing where it had none."""
    packed = subprocess.run(["git", "archive", commit, "lexls"], cwd=ROOT, capture_output=True).stdout
    if packed:
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")


def index_with(code: Path, config: IndexerConfig) -> str:
    """Index a library with the code of a commit; why that was not possible, "" if it was."""
    environment = os.environ | {"PYTHONPATH": str(code)}
    python = [sys.executable, "-P"]
    arguments = ["index", str(config.folders[0]), "--index", str(config.index)]
    for command in (
        [*python, "-m", "lexls", *arguments],
        [*python, "-c", EMBED, str(config.index)],
    ):
        run = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=config.folders[0])
        if run.returncode:
            return (run.stderr.strip().splitlines() or ["no reason given"])[-1][:80]
    return ""


def kill_within(code: Path, config: IndexerConfig, size: int) -> bool:
    """Have the code of a commit index a library, and kill it when its log has so many bytes; whether it still
    ran.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "lexls", "index", str(config.folders[0]), "--index", str(config.index)],
        env=os.environ | {"PYTHONPATH": str(code)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=config.folders[0],
        start_new_session=True,
    )
    while process.poll() is None and measure_log(config) < size:
        time.sleep(0.002)
    ran = process.poll() is None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return ran


def measure_log(config: IndexerConfig) -> int:
    """The bytes of an index' write-ahead log."""
    log = find_beside(config.index, "-wal")
    return log.stat().st_size if log.exists() else 0


def open_now(config: IndexerConfig, left: str) -> tuple[str, int, tuple[str, ...]]:
    """What becomes of an index that a commit has left as it is said: kept or made anew, how much of it is
    wrong, and both with its figures for the table.
    """
    log = measure_log(config)
    copy = config.index.with_suffix(".copy")  # whoever looks at the index itself might fold its log in
    for suffix in ("", "-wal") if log else ("",):
        shutil.copy(f"{config.index}{suffix}", f"{copy}{suffix}")
    with contextlib.closing(IndexStatus(copy)) as status:
        schema, before = status.schema(), status.counts()
    bring_up_to_date(config, lexical_only=True)
    with contextlib.closing(IndexStatus(config.index)) as status:
        outcome, after = "made anew" if status.renewed() else "kept", status.counts()
    differences = verify(config).differences
    files = sum(1 for path in config.folders[0].rglob("*.md"))
    wrong = len(differences) + abs(after[0] - files)
    figures = (str(schema), left, f"{log // 1000}", outcome, f"{after[2]} of {before[2]}", str(wrong))
    return outcome, wrong, figures


def main() -> int:
    """Print what became of each index; 1 if anything was lost or is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=30)
    options = parser.parse_args()
    rows: list[tuple[str, ...]] = []
    outcomes, all_wrong, noise = Counter[str](), 0, random.Random(1)
    settings = Settings(embeddings_model="", jurisdiction="UK")
    with tempfile.TemporaryDirectory(prefix="lexls-history-") as place:
        for variable in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(Path(place, "home"))
        for number, commit in enumerate(choose_commits(options.commits)):
            code = Path(place, "code", commit)
            code.mkdir(parents=True)
            unpack(commit, code)
            library = ChangingLibrary(Path(place, str(number)), random.Random(1))
            library.grow(FILES)
            (library.folder / "lexls.toml").write_text('embeddings.model = ""\njurisdiction = "UK"\n')
            config = make_indexer_config([library.folder], settings, Path(place, f"{number}.sqlite3"))
            reason = index_with(code, config)
            if not config.index.exists():
                outcomes["no index"] += 1
                rows.append((commit[:8], "-", reason, "-", "-", "-", "-"))
                continue
            closed = replace(config, index=Path(place, f"{number}-closed.sqlite3"))
            copy_index(config.index, closed.index)
            found = {"closed": open_now(closed, "closed")}
            library.change(FILES)
            library.grow(MORE)
            if kill_within(code, config, noise.randint(1, LARGEST_LOG)):
                found["killed"] = open_now(config, "killed")
            for left, (outcome, wrong, figures) in found.items():
                outcomes[f"{left}: {outcome}"] += 1
                all_wrong += wrong
                rows.append((commit[:8], *figures))
            print(*rows[-1], f"after {number + 1}", flush=True)
    print(table(("commit", "schema", "left", "log kB", "index", "vectors kept", "differences"), rows))
    print(f"{dict(outcomes)}; wrong: {all_wrong}")
    return int(all_wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
