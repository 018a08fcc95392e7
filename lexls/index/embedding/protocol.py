"""Define the interface of an embedding model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.models.messages import Prompts


@runtime_checkable
class Embedder(Protocol):
    """A model that maps a text to a vector."""

    @property
    def name(self) -> str:
        """The model, its precision and its passage prompt, such as ``all-MiniLM-L6-v2:int8``.

        Vectors of two embedders are comparable only if their names are equal, so the index stores the name
        with its vectors.
        """
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    @property
    def prompts(self) -> Prompts:
        """The prompts that this model expects before a text."""
        ...

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        """Return one unit vector of ``dimension`` numbers per text, in order. ``prompt`` is prepended to each
        text.

        ``prompt`` is the one of ``prompts`` for this kind of text. Models read only the beginning of a long
        text (MiniLM: 256 word pieces, about 1,100 characters) and ignore the rest, so passages must be cut to
        fit first. Safe to call from several threads.
        """
        ...


def encode_alike(embedder: Embedder | None) -> Callable[[Sequence[str]], NDArray[np.float32]] | None:
    """Return a function that encodes sentences for comparison with each other; None without an embedder."""
    return None if embedder is None else partial(embedder.encode, prompt=embedder.prompts.sentence)
