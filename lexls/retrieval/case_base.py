"""A case base in memory, searched as the precedents of a library are (see ``precedents``)."""

from __future__ import annotations

import hashlib
import io
import os
import threading
import zipfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.retrieval.cases import Case
from lexls.retrieval.precedents import CaseWeights, PrecedentMatch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.embedding.protocol import Embedder
    from lexls.index.tokens import Tokenizer
    from lexls.text.cancel import CancelToken

_BATCH = 32
"""Texts embedded between two looks at whether somebody gave up."""


class CaseBase:
    """Cases with the vectors of their parts. Safe from any thread.

    Without vectors (before ``embed``, or without an embedder) words alone are compared. ``cache`` is a folder
    where vectors are kept for the next time, readable by its owner only; None keeps them in memory.
    """

    def __init__(self, cases: Sequence[Case], tokenizer: Tokenizer, cache: Path | None = None) -> None:
        from lexls.index.bm25 import IncrementalBM25

        self.cases = tuple(cases)
        self._tokenizer = tokenizer
        self._cache = cache
        self._lock = threading.Lock()
        self._bm25 = IncrementalBM25([tokenizer.tokenize(each.question) for each in self.cases])
        self._parts: tuple[NDArray[np.float32], ...] | None = None
        self._embedder = ""

    def __len__(self) -> int:
        return len(self.cases)

    def embed(self, embedder: Embedder, token: CancelToken | None = None) -> None:
        """Make the vectors of all cases, or read them from the cache. Raises ``Cancelled``."""
        if self._embedder == embedder.name:
            return
        file = self._cache / f"{self._digest(embedder.name)}.npz" if self._cache is not None else None
        parts = _read_vectors(file, len(self.cases), embedder.dimension) if file is not None else None
        if parts is None:
            columns = (
                [each.question for each in self.cases],
                [each.support for each in self.cases],
                [each.entities for each in self.cases],
            )
            parts = tuple(_encoded(column, embedder, token) for column in columns)
            if file is not None:
                _write_vectors(file, parts)
        with self._lock:
            self._parts, self._embedder = parts, embedder.name

    def likeness(
        self, terms: Sequence[str], vector: NDArray[np.float32] | None, cued: NDArray[np.float32] | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Of each case: the cosines of question, support and entities, not a number where there is none,
        and the BM25 score of its question.
        """
        import numpy as np

        lexical = np.zeros(len(self.cases))
        with self._lock:
            parts = self._parts
            # As whole documents: their idf is never negative, also in a base of three cases.
            found, scores = self._bm25.top_documents(self._bm25.numbers(terms), len(self.cases))
        lexical[found] = scores
        none = np.full(len(self.cases), np.nan)
        if parts is None or vector is None or vector.shape != (parts[0].shape[1],):
            return none, none, none, lexical
        cued = vector if cued is None else cued
        question, support, entities = (
            np.where(part.any(axis=1), part @ asked, np.nan).astype(np.float64)
            for part, asked in zip(parts, (vector, cued, cued), strict=True)
        )
        return question, support, entities, lexical

    def _digest(self, embedder: str) -> str:
        digest = hashlib.sha256(embedder.encode())
        for each in self.cases:
            for text in (each.question, each.support, each.entities):
                digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:32]


def match_case_base(
    base: CaseBase,
    terms: Sequence[str],
    vector: NDArray[np.float32] | None,
    k: int,
    options: CaseWeights,
    token: CancelToken,
    *,
    cued: NDArray[np.float32] | None = None,
    authorities: Callable[[Case], Collection[int]] = lambda case: (),
    excluded: Collection[Path] = (),
) -> list[PrecedentMatch]:
    """The ``k`` cases most like a sentence or question, best first; ``precedent`` is a case's place in
    ``base.cases``.

    ``terms`` are its index terms, ``vector`` is f of it and ``cued`` g of it, as in ``match_precedents``.
    ``authorities`` tells the documents that a case names: each makes a match of its own, none makes one with
    authority 0. Cases from ``excluded`` files are left out.
    """
    import numpy as np

    token.raise_if_cancelled()
    if not len(base):
        return []
    question, support, entities, lexical = base.likeness(terms, vector, cued)
    parts = np.stack([question, support, entities])
    weights = np.asarray(options.used)[:, None] * np.isfinite(parts)
    total = weights.sum(axis=0)
    best = lexical.max(initial=0.0)
    by_words = lexical / best if best > 0 else lexical
    if np.isfinite(parts).any():
        scores = np.where(
            total > 0, (weights * np.nan_to_num(parts)).sum(axis=0) / np.maximum(total, 1e-9), -1
        )
        found = np.flatnonzero(total > 0)
    else:
        scores, found = by_words, np.flatnonzero(lexical > 0)
    matches: list[PrecedentMatch] = []
    for case in found[np.argsort(-scores[found], kind="stable")].tolist():
        if len(matches) >= k:
            break
        if base.cases[case].path in excluded:
            continue
        for authority in authorities(base.cases[case]) or (0,):
            matches.append(
                PrecedentMatch(
                    case,
                    0,
                    authority,
                    float(scores[case]),
                    _known(question[case]),
                    _known(support[case]),
                    _known(entities[case]),
                    float(lexical[case]) if lexical[case] else None,
                )
            )
    return matches[:k]


def _known(value: float) -> float | None:
    return float(value) if value == value else None


def _encoded(texts: Sequence[str], embedder: Embedder, token: CancelToken | None) -> NDArray[np.float32]:
    """A row a text, of zeros for an empty one; texts that come again are read once."""
    import numpy as np

    distinct = list(dict.fromkeys(text for text in texts if text))
    row_of = {text: row for row, text in enumerate(distinct, 1)}
    rows = [np.zeros((1, embedder.dimension), np.float32)]
    for start in range(0, len(distinct), _BATCH):
        if token is not None:
            token.raise_if_cancelled()
        rows.append(embedder.encode(distinct[start : start + _BATCH]))
    return np.concatenate(rows)[[row_of.get(text, 0) for text in texts]]


def _read_vectors(file: Path, count: int, dimension: int) -> tuple[NDArray[np.float32], ...] | None:
    import numpy as np

    try:
        with np.load(file, allow_pickle=False) as found:
            parts = tuple(found[name].astype(np.float32) for name in ("question", "support", "entities"))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return parts if all(part.shape == (count, dimension) for part in parts) else None


def _write_vectors(file: Path, parts: Sequence[NDArray[np.float32]]) -> None:
    import numpy as np

    data = io.BytesIO()
    question, support, entities = (part.astype(np.float16) for part in parts)
    np.savez(data, question=question, support=support, entities=entities)
    temporary = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(data.getvalue())
        os.replace(temporary, file)
    except OSError:
        temporary.unlink(missing_ok=True)  # a disk that is full costs time, not the answer
