"""Keep the user's own cases, from case bases and past drafts, up to date with their files, and match them."""

from __future__ import annotations

import hashlib
import io
import os
import threading
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.retrieval.cases import (
    CASE_FILE_SUFFIXES,
    PAST_DRAFT_SUFFIXES,
    Case,
    CaseProblem,
    read_case_base,
    read_draft_cases,
)
from lexls.retrieval.precedents import CaseWeights, PrecedentMatch, to_part
from lexls.text.paths import stamp_file

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.citations.grammar import Grammar
    from lexls.index.embedding.protocol import Embedder
    from lexls.index.searchable import SearchableIndex
    from lexls.index.tokens import Tokenizer
    from lexls.text.cancel import CancelToken


_PARTS = ("question", "support", "entities")
_BATCH = 32
"""Number of texts embedded between two checks for cancellation."""


class CaseBase:
    """Cases with the vectors of their parts. Thread-safe.

    Without vectors (before ``embed``, or without an embedder) only words are compared. ``cache`` is a folder
    for this base only, where vectors are stored so that only new texts are encoded. Only its owner can read
    it. If it is None, vectors are kept in memory.
    """

    def __init__(self, cases: Sequence[Case], tokenizer: Tokenizer, cache: Path | None = None) -> None:
        from lexls.index.bm25 import IncrementalBM25

        self.cases = tuple(cases)
        self._tokenizer = tokenizer
        self._cache = cache
        self._lock = threading.Lock()
        self._bm25 = IncrementalBM25([tokenizer.tokenize(each.question) for each in self.cases])
        self._parts: NDArray[np.float32] | None = None
        self._embedder = ""

    def __len__(self) -> int:
        return len(self.cases)

    def embed(self, embedder: Embedder, token: CancelToken | None = None) -> None:
        """Compute the vectors of all cases, or read them from the cache. Raises ``Cancelled``."""
        import numpy as np

        if self._embedder == embedder.name:
            return
        name = hashlib.sha256(embedder.name.encode()).hexdigest()[:16]
        file = self._cache / f"{name}.npz" if self._cache is not None else None
        known = _read_vectors(file, embedder.dimension) if file is not None else {}
        prompts = embedder.prompts
        columns = [
            (prompt, [getattr(case, part) for case in self.cases])
            for part, prompt in zip(_PARTS, (prompts.sentence, prompts.passage, prompts.passage), strict=True)
        ]
        digests = {
            (prompt, text): _digest(prompt + text) for prompt, column in columns for text in column if text
        }
        missing = [each for each, digest in digests.items() if digest not in known]
        for batch, encoded in _encode(embedder, missing, token):
            known.update(zip((digests[each] for each in batch), encoded, strict=True))
        if file is not None and (missing or len(known) > len(digests)):
            _write_vectors(file, {digest: known[digest] for digest in digests.values()})
        # A row each, of zeros where a case lacks the part.
        parts = np.zeros((len(columns), len(self.cases), embedder.dimension), np.float32)
        for rows, (prompt, column) in zip(parts, columns, strict=True):
            for row, text in zip(rows, column, strict=True):
                row[:] = known[digests[prompt, text]] if text else 0
        with self._lock:
            self._parts, self._embedder = parts, embedder.name

    def match(
        self,
        terms: Sequence[str],
        vector: NDArray[np.float32] | None,
        k: int,
        options: CaseWeights,
        token: CancelToken,
        *,
        prefixed: NDArray[np.float32] | None = None,
        authorities: Callable[[Case], Collection[int]] = lambda case: (),
        excluded: Collection[Path] = (),
    ) -> list[PrecedentMatch]:
        """Return the ``k`` cases most similar to a sentence or question, best first. ``precedent`` of a match
        is the index in ``cases``.

        ``terms`` are the index terms of the sentence. ``vector`` and ``prefixed`` are its vectors without and
        with the query prefix (f and g in ``lexls.retrieval.precedents``). ``authorities`` returns the
        documents that a case names: each gives a separate match; if there are none, the match has authority
        0. Cases from ``excluded`` files are skipped.
        """
        import numpy as np

        token.raise_if_cancelled()
        lexical = np.zeros(len(self.cases))
        with self._lock:
            stored = self._parts
            # As whole documents: their idf is never negative, also in a base of three cases.
            found, scores = self._bm25.top_documents(self._bm25.numbers(terms), len(self.cases))
        lexical[found] = scores
        # The cosines of question, support and entities, not a number where there is none.
        parts = np.full((len(_PARTS), len(self.cases)), np.nan)
        if stored is not None and vector is not None and vector.shape == stored.shape[2:]:
            cued = vector if prefixed is None else prefixed
            for row, held, asked in zip(parts, stored, (vector, cued, cued), strict=True):
                row[:] = np.where(held.any(axis=1), held @ asked, np.nan)
        if np.isfinite(parts).any():
            weights = np.asarray(options.used)[:, None] * np.isfinite(parts)
            total = weights.sum(axis=0)
            sums = (weights * np.nan_to_num(parts)).sum(axis=0)
            scores, found = np.where(total > 0, sums / np.maximum(total, 1e-9), -1), np.flatnonzero(total > 0)
        else:
            scores, found = lexical / (lexical.max(initial=0.0) or 1.0), np.flatnonzero(lexical > 0)
        matches: list[PrecedentMatch] = []
        for case in found[np.argsort(-scores[found], kind="stable")].tolist():
            if len(matches) >= k:
                break
            if self.cases[case].path in excluded:
                continue
            question, support, entities = map(to_part, parts[:, case].tolist())
            score, by_words = float(scores[case]), float(lexical[case]) or None
            matches += [
                PrecedentMatch(case, 0, authority, score, question, support, entities, by_words)
                for authority in authorities(self.cases[case]) or (0,)
            ]
        return matches[:k]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def _encode(
    embedder: Embedder, texts: Sequence[tuple[str, str]], token: CancelToken | None
) -> Iterator[tuple[Sequence[tuple[str, str]], NDArray[np.float32]]]:
    """Yield ``texts`` in batches with their vectors. Each text is given with its prompt. Raises
    ``Cancelled``.
    """
    for prompt, group in groupby(texts, key=itemgetter(0)):
        waiting = iter(group)
        while batch := list(islice(waiting, _BATCH)):
            if token is not None:
                token.raise_if_cancelled()
            yield batch, embedder.encode([text for _, text in batch], prompt)


def _read_vectors(file: Path, dimension: int) -> dict[bytes, NDArray[np.float32]]:
    """Return the stored vectors by the digest of their text; none if the file is missing, damaged or of
    another dimension.
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


MOST_DRAFTS = 2000
"""Maximum number of files read in the folders of drafts, in case a folder was named by mistake."""


@dataclass(frozen=True, slots=True)
class _ReadFile:
    """A file as last read: its stamp then, its cases and its problems."""

    stamp: tuple[int, int] | None
    cases: tuple[Case, ...]
    problems: tuple[CaseProblem, ...]


class PastCases:
    """Cases from files that may change. Thread-safe.

    ``case_bases`` are JSONL files (or folders of them), ``drafts`` are drafts or folders of them. Vectors are
    stored in the folder ``cache``, as in ``CaseBase``. ``refresh`` reads changed files and computes vectors.
    It may take long; until it is done, matching uses the previous cases.
    """

    def __init__(
        self,
        library: SearchableIndex,
        grammar: Grammar,
        tokenizer: Tokenizer,
        case_bases: Sequence[Path],
        drafts: Sequence[Path],
        *,
        jurisdiction: str = "",
        cache: Path | None = None,
    ) -> None:
        self._library = library
        self._grammar = grammar
        self._tokenizer = tokenizer
        self._case_bases = tuple(case_bases)
        self._drafts = tuple(drafts)
        self._jurisdiction = jurisdiction
        sources = hashlib.sha256(
            "\0".join(map(str, (*case_bases, *drafts))).encode("utf-8", "surrogateescape")
        )
        self._cache = cache / sources.hexdigest()[:16] if cache is not None else None
        self._files: dict[Path, _ReadFile] = {}
        self._base = CaseBase((), tokenizer)
        self._refreshing = threading.Lock()

    @property
    def problems(self) -> tuple[CaseProblem, ...]:
        """Return what could not be read, by file and line."""
        return tuple(problem for file in self._files.values() for problem in file.problems)

    @property
    def base(self) -> CaseBase:
        """Return the cases as last read."""
        return self._base

    def refresh(self, embedder: Embedder | None = None, token: CancelToken | None = None) -> bool:
        """Read new or changed files, drop the cases of removed files, and compute missing vectors. Returns
        whether cases changed. Raises ``Cancelled``.
        """
        with self._refreshing:
            wanted: dict[Path, bool] = dict.fromkeys(_below(self._case_bases, CASE_FILE_SUFFIXES), False)
            for path in _below(self._drafts, PAST_DRAFT_SUFFIXES, MOST_DRAFTS):
                wanted.setdefault(path, True)
            files: dict[Path, _ReadFile] = {}
            for path, is_draft in wanted.items():
                if token is not None:
                    token.raise_if_cancelled()
                stamp, known = stamp_file(path), self._files.get(path)
                files[path] = known if known and known.stamp == stamp else self._read(path, stamp, is_draft)
            changed = files != self._files
            if changed:
                self._files = files
                cases = [case for file in files.values() for case in file.cases]
                self._base = CaseBase(cases, self._tokenizer, self._cache)
            if embedder is not None and len(self._base):
                self._base.embed(embedder, token)
            return changed

    def find_authorities(self, case: Case) -> tuple[int, ...]:
        """Return the authorities of the library that a case names."""
        found = (document for key in case.keys for document in self._library.catalogue.find_key(key)[:1])
        return tuple(dict.fromkeys(found))

    def match(
        self,
        terms: Sequence[str],
        vector: NDArray[np.float32] | None,
        k: int,
        options: CaseWeights,
        token: CancelToken,
        *,
        prefixed: NDArray[np.float32] | None = None,
        answering: Collection[int] | None = None,
        excluded: Collection[Path] = (),
    ) -> list[tuple[PrecedentMatch, Case]]:
        """Return the ``k`` cases most similar to a sentence that name an allowed authority, best first.

        ``answering`` are the documents allowed (None: all of the library). Cases in ``excluded`` files, such
        as the draft itself, do not count. The other arguments are those of ``CaseBase.match``.
        """
        base = self._base

        def named(case: Case) -> tuple[int, ...]:
            return tuple(a for a in self.find_authorities(case) if answering is None or a in answering)

        found = base.match(
            terms, vector, 4 * k, options, token, prefixed=prefixed, authorities=named, excluded=excluded
        )
        return [(match, base.cases[match.precedent]) for match in found if match.authority][:k]

    def _read(self, path: Path, stamp: tuple[int, int] | None, is_draft: bool) -> _ReadFile:
        if is_draft:
            cases, problems = read_draft_cases(path, self._grammar, self._jurisdiction)
        else:
            cases, problems = read_case_base(path, self._grammar)
        return _ReadFile(stamp, tuple(cases), tuple(problems))


def _below(places: Sequence[Path], suffixes: Collection[str], most: int = 10_000) -> Iterator[Path]:
    """Yield the given files, and the files in the given folders that have one of the ``suffixes``. Hidden
    files in folders are skipped.
    """
    count = 0
    for place in places:
        if not place.is_dir():
            yield place
            continue
        for name, folders, files in os.walk(place):
            folders[:] = sorted(each for each in folders if not each.startswith("."))
            for each in sorted(files):
                if Path(each).suffix.lower() in suffixes and not each.startswith((".", "~$")):
                    count += 1
                    if count > most:
                        return
                    yield Path(name) / each
