"""Declare what lexls asks of any embedding model, and the prefix that some expect before a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """A model that maps a text to a vector.

    ``name`` identifies model and precision: vectors of two embedders are comparable only if their names are
    equal, so the index keeps the name beside its vectors.
    """

    @property
    def name(self) -> str:
        """Model and precision, such as ``all-MiniLM-L6-v2:int8``."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of ``dimension`` numbers and unit length for each text, in order.

        Models read only the beginning of a long text (MiniLM: 256 word pieces, about 1,100 characters); the
        rest is not seen, so passages are cut to fit before they come here. Safe to call from several threads.
        """
        ...


_SEARCHING = "Represent this sentence for searching relevant passages: "
_PREFIXES = (
    (re.compile(r"\bbge-[\w.-]*en\b", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\bmxbai-embed-", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\buae-(?:large|base)", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\bsnowflake-arctic-embed-(?!\w+-v2)", re.IGNORECASE), _SEARCHING),
)
"""By the model's name. Models that also want a prefix before passages are not here: passages get none."""


def query_prefix(model: str, chosen: str = "") -> str:
    """What is put before a question for ``model``; ``chosen`` is the user's own, "" if none is set."""
    if chosen:
        return chosen if chosen[-1].isspace() else f"{chosen} "
    return next((prefix for pattern, prefix in _PREFIXES if pattern.search(model)), "")
