"""``lexls models``: ``get`` fetches and prepares the embedding model or a cross-encoder, the rest is of model
files for explanations."""

from __future__ import annotations

import argparse
from pathlib import Path

from lexls.cli.failure import FINE, USAGE, CommandFailed
from lexls.cli.output import emit, note
from lexls.settings.load import load


def run(options: argparse.Namespace) -> int:
    """Do what the second word says; each step is told on standard error."""
    if options.action == "get":
        return _get(options)
    from lexls.cli import model_files

    actions = {"add": model_files.add, "list": model_files.show, "remove": model_files.remove}
    return actions[options.action](options)


def _get(options: argparse.Namespace) -> int:
    from lexls.index.embedding import EmbedderUnavailable, models_get

    settings, problems = load(Path.cwd())
    for problem in problems:
        note(f"warning: {problem}")
    name = options.name or settings.embeddings_model
    if not name:
        raise CommandFailed("embeddings.model is empty in the settings; name the model to get", USAGE)
    if options.source is None and _names_cross_encoder(name, settings.rerank_model):
        _get_cross_encoder(options, name)
        return FINE
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


def _names_cross_encoder(name: str, configured: str) -> bool:
    from lexls.models.model_files import is_cross_encoder, local_model

    if name == configured or name.startswith("cross-encoder/"):
        return True
    folder = local_model(name)
    return folder is not None and is_cross_encoder(folder)


def _get_cross_encoder(options: argparse.Namespace, name: str) -> None:
    from lexls.models.cross_encoder import CrossEncoderClient
    from lexls.models.handlers import EXACT
    from lexls.models.model_files import ModelNotFetched, fetch_model
    from lexls.models.unavailable import ModelUnavailable

    note(f"Fetching the cross-encoder {name}")
    client = CrossEncoderClient(name)
    try:
        folder = fetch_model(name.removesuffix(EXACT))
        client.load()
    except ModelNotFetched as error:
        raise CommandFailed(f"the model {name} could not be fetched: {error}") from error
    except ModelUnavailable as error:
        raise CommandFailed(error.reason) from error
    finally:
        client.close()
    lines = [f"{name} is ready ({client.kind}): {folder}", f'To use it: rerank.model = "{name}"']
    emit(options, {"model": name, "folder": str(folder)}, lines)
