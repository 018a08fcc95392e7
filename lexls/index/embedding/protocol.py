"""Declare what lexls asks of any embedding model."""

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
        """Model and precision, such as ``all-MiniLM-L6-v2:int8``, and what is put before passages.

        Vectors of two embedders are comparable only if their names are equal, so the index keeps the name
        beside its vectors.
        """
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    @property
    def prompts(self) -> Prompts:
        """Return what this model expects before a text."""
        ...

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        """One row of ``dimension`` numbers and unit length for each text, in order, read after ``prompt``.

        ``prompt`` is that one of ``prompts`` which says what the texts are. Models read only the beginning of
        a long text (MiniLM: 256 word pieces, about 1,100 characters); the rest is not seen, so passages are
        cut to fit before they come here. Safe to call from several threads.
        """
        ...


def encode_alike(embedder: Embedder | None) -> Callable[[Sequence[str]], NDArray[np.float32]] | None:
    """Return how ``embedder`` encodes sentences that are compared with one another; None without one."""
    return None if embedder is None else partial(embedder.encode, prompt=embedder.prompts.sentence)
