"""``make bench``: run every benchmark that the data at hand allow, and write RESULTS.md.

The library is ../shared/data/in-cases beside the project, or what the variable LEXLS_BENCH_LIBRARY names
(its jurisdiction in LEXLS_BENCH_JURISDICTION). Without one only the start is measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def run(script: str, *arguments: str) -> None:
    """Run one benchmark; the whole ends with it if it fails."""
    print(f"== {script} {' '.join(arguments)}", flush=True)
    done = subprocess.run([sys.executable, str(HERE / script), *arguments], cwd=ROOT, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)


def main() -> int:
    library = os.environ.get("LEXLS_BENCH_LIBRARY", os.path.join("..", "shared", "data", "in-cases"))
    jurisdiction = os.environ.get("LEXLS_BENCH_JURISDICTION", "IN")
    run("bench_startup.py")
    if Path(ROOT, library).is_dir():
        with tempfile.TemporaryDirectory() as folder:
            index = str(Path(folder, "index.sqlite3"))
            run("bench_index.py", library, "--jurisdiction", jurisdiction, "--index", index)
            run("bench_server.py", library, "--jurisdiction", jurisdiction, "--index", index)
    else:
        print(f"no library at {library}: index and server are not measured", flush=True)
    run("make_results.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
