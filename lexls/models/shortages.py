"""What this machine lacks for a language model, known before any of it is fetched."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from lexls.models.file_fetch import SPARE_BYTES
from lexls.models.gguf_files import KnownModel
from lexls.models.gguf_header import measure_memory
from lexls.models.llama_runtime import find_runtime

NO_RUNTIME = "no llama.cpp is installed to run it: pip install 'lexls[llama]'"


def find_shortages(model: KnownModel | None, folder: Path) -> Iterator[str]:
    """What is missing here to fetch ``model`` into ``folder`` (it need not exist yet) and to run it, for the
    user. Of a model that is not a known one (None) nothing can be said but whether anything could run it."""
    if not find_runtime():
        yield NO_RUNTIME
    if model is None:
        return
    there = next(each for each in (folder, *folder.parents) if each.is_dir())
    free = shutil.disk_usage(there).free
    if free < model.bytes + SPARE_BYTES:
        yield f"it has {model.bytes / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free on the disk of {there}"
    memory = measure_memory() / 1000
    if 0 < memory < model.memory_gigabytes:
        yield f"it needs about {model.memory_gigabytes} GB of memory, and {memory:.1f} GB are free"
