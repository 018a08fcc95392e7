"""Open indexes that earlier versions of lexls have made with the present one.

    python benchmarks/bench_history.py --commits 30

So many commits of this repository, evenly spread over its history, each index the same invented library with
the packages that are installed now, and give its passages invented vectors. The present lexls then opens that
index and brings it up to date; what it holds must be what the files say, and vectors of passages that are the
same must be there still.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from io import BytesIO
from pathlib import Path

from bench_durability import ChangingLibrary
from measuring import table

from lexls.index.config import IndexerConfig, make_indexer_config
from lexls.index.session import bring_up_to_date
from lexls.index.status import IndexStatus
from lexls.index.verify import verify
from lexls.settings.declaration import Settings

ROOT = Path(__file__).resolve().parents[1]
FILES = 12
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


def count(config: IndexerConfig) -> tuple[int, int, int]:
    """Documents, passages, and passages with a vector."""
    with contextlib.closing(IndexStatus(config.index)) as status:
        return status.counts()


def main() -> int:
    """Print what became of each index; 1 if anything was lost or is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=30)
    options = parser.parse_args()
    rows, outcomes, wrong = [], Counter[str](), 0
    with tempfile.TemporaryDirectory(prefix="lexls-history-") as place:
        for variable in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(Path(place, "home"))
        library = ChangingLibrary(Path(place, "library"), random.Random(1))
        library.grow(FILES)
        (library.folder / "lexls.toml").write_text('embeddings.model = ""\njurisdiction = "UK"\n')
        settings = Settings(embeddings_model="", jurisdiction="UK")
        for number, commit in enumerate(choose_commits(options.commits)):
            code = Path(place, "code", commit)
            code.mkdir(parents=True)
            unpack(commit, code)
            config = make_indexer_config([library.folder], settings, Path(place, f"{number}.sqlite3"))
            reason = index_with(code, config)
            if not config.index.exists():
                outcomes["that version made no index here"] += 1
                rows.append((commit[:8], "-", reason, "-", "-"))
                continue
            with contextlib.closing(IndexStatus(config.index)) as status:
                schema, before = status.schema(), status.counts()
            bring_up_to_date(config, lexical_only=True)
            after = count(config)
            with contextlib.closing(IndexStatus(config.index)) as status:
                outcome = "made anew" if status.renewed() else "kept"
            differences = verify(config).differences
            wrong += bool(differences) or after[0] != FILES
            outcomes[outcome] += 1
            vectors = f"{after[2]} of {before[2]}"
            rows.append((commit[:8], schema, outcome, vectors, len(differences)))
    print(table(("commit", "schema", "index", "vectors kept", "differences"), rows))
    print(f"{dict(outcomes)}; wrong: {wrong}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
