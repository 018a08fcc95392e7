"""A case base in memory, searched as the precedents of a library are (see ``precedents``)."""

from __future__ import annotations

import hashlib
import io
import os
import threading
import zipfile
from collections.abc import Callable, Collection, Mapping, Sequence
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
    for this base alone where vectors are kept for the next time, so that only new texts are encoded; its
    owner alone can read it. None keeps them in memory.
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
        name = hashlib.sha256(embedder.name.encode()).hexdigest()[:16]
        file = self._cache / f"{name}.npz" if self._cache is not None else None
        known = _read_vectors(file, embedder.dimension) if file is not None else {}
        columns = (
            [each.question for each in self.cases],
            [each.support for each in self.cases],
            [each.entities for each in self.cases],
        )
        texts = dict.fromkeys(text for column in columns for text in column if text)
        digests = {text: _digest(text) for text in texts}
        missing = [text for text in texts if digests[text] not in known]
        for start in range(0, len(missing), _BATCH):
            if token is not None:
                token.raise_if_cancelled()
            batch = missing[start : start + _BATCH]
            known.update(zip((digests[text] for text in batch), embedder.encode(batch), strict=True))
        if file is not None and (missing or len(known) > len(texts)):
            _write_vectors(file, {digest: known[digest] for digest in digests.values()})
        parts = tuple(
            _rows([known.get(digests.get(text, b"")) for text in column], embedder.dimension)
            for column in columns
        )
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


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def _rows(found: Sequence[NDArray[np.float32] | None], dimension: int) -> NDArray[np.float32]:
    """A row each, of zeros where there is none."""
    import numpy as np

    rows = np.zeros((len(found), dimension), np.float32)
    for row, vector in zip(rows, found, strict=True):
        if vector is not None:
            row[:] = vector
    return rows


def _read_vectors(file: Path, dimension: int) -> dict[bytes, NDArray[np.float32]]:
    """The vectors kept by the digest of their text; none where the file is missing, damaged or of another
    dimension.
    """
    import numpy as np

    try:
        with np.load(file, allow_pickle=False) as found:
            digests, vectors = found["digests"], found["vectors"].astype(np.float32)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}
    if digests.shape != (len(vectors), 16) or vectors.shape[1:] != (dimension,):
        return {}
    return {digest.tobytes(): vector for digest, vector in zip(digests, vectors, strict=True)}


def _write_vectors(file: Path, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
    import numpy as np

    data = io.BytesIO()
    digests = np.frombuffer(b"".join(vectors), np.uint8).reshape(len(vectors), 16)
    np.savez(data, digests=digests, vectors=np.asarray(list(vectors.values()), np.float16))
    temporary = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(data.getvalue())
        os.replace(temporary, file)
    except OSError:
        temporary.unlink(missing_ok=True)  # a disk that is full costs time, not the answer
