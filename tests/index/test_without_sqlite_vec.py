"""Where sqlite-vec has no wheel: a process that cannot import it indexes and searches with vectors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from small_law import judgment

from lexls.index.library import Library

SCRIPT = """
import json, sys
from pathlib import Path

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "sqlite_vec":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())

import numpy as np
from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.store import Store
from lexls.index.tokens import Tokenizer

folder, index = Path(sys.argv[1]), Path(sys.argv[2])
indexer = Indexer(IndexerConfig(index, (folder,), (), PrepareOptions(jurisdiction="UK"), ""))
indexer.reconcile()
indexer.close()
store = Store(index)
store.use_embedder("test", 4)
kind = store.vectors.kind()
pending = [passage for passage, _ in store.pending(10, [])]
store.put_vectors(pending, np.eye(4, dtype=np.float32)[: len(pending)])
store.close()
library = Library(index)
best, cosines = library.nearest(np.eye(4, dtype=np.float32)[1], 1)
words, _ = library.lexical(Tokenizer().tokenize("orchard"), 5)
counts = library.status.counts()
library.close()
# A file that is read again keeps the vectors of what did not change.
file = sorted(folder.iterdir())[0]
file.write_text(file.read_text() + "\\n[2] Costs follow the event of this appeal.\\n")
indexer = Indexer(IndexerConfig(index, (folder,), (), PrepareOptions(jurisdiction="UK"), ""))
indexer.reconcile()
indexer.close()
print(json.dumps({
    "loaded": "sqlite_vec" in sys.modules, "kind": kind, "pending": pending, "best": best.tolist(),
    "cosine": cosines.tolist(), "words": words.tolist(), "counts": counts,
}))
"""


def test_vectors_are_kept_and_searched_as_blobs(folder: Path, tmp_path: Path) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot ran the lighter aground."))
    (folder / "b.md").write_text(judgment(2, "The surveyor valued the orchard."))
    index = tmp_path / "blobs.sqlite3"
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder.resolve()), str(index)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["loaded"] is False
    assert found["kind"] == "blob"
    assert len(found["pending"]) == found["counts"][1] == found["counts"][2] == 2
    assert found["best"] == [found["pending"][1]]
    assert found["cosine"] == [1.0]
    assert len(found["words"]) == 1
    # Such a file opens where there is a wheel, too: words answer, and vectors wait for that embedder.
    library = Library(index)
    assert library.status.counts()[0] == 2
    library.close()
