"""``lexls models get``: fetch and prepare the embedding model."""

from __future__ import annotations

import argparse
from pathlib import Path

from lexls.cli.failure import FINE, USAGE, CommandFailed
from lexls.cli.output import emit, note
from lexls.settings.load import load


def run(options: argparse.Namespace) -> int:
    """Make the model ready; each step is told on standard error."""
    from lexls.index.embedding import EmbedderUnavailable, models_get

    settings, problems = load(Path.cwd())
    for problem in problems:
        note(f"warning: {problem}")
    name = options.name or settings.embeddings_model
    if not name:
        raise CommandFailed("embeddings.model is empty in the settings; name the model to get", USAGE)
    try:
        folder = models_get(options.source, note, name)
    except EmbedderUnavailable as error:
        raise CommandFailed(str(error)) from error
    emit(
        options,
        {"model": name, "folder": str(folder) if folder else None},
        [f"{name} is ready" + (f": {folder}" if folder else "")],
    )
    return FINE
