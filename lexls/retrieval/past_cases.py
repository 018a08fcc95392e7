"""The user's own cases, kept current with their files: case bases and past drafts."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.retrieval.case_base import CaseBase, match_case_base
from lexls.retrieval.cases import (
    CASE_FILE_SUFFIXES,
    DRAFT_SUFFIXES,
    Case,
    CaseProblem,
    read_case_base,
    read_draft_cases,
)
from lexls.retrieval.precedents import CaseWeights, PrecedentMatch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.citations.grammar import Grammar
    from lexls.index.embedding.protocol import Embedder
    from lexls.index.searchable import SearchableIndex
    from lexls.index.tokens import Tokenizer
    from lexls.text.cancel import CancelToken

MOST_DRAFTS = 2000
"""Files below the folders of drafts that are read; a folder named by mistake is not read for hours."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as it was read: the stamp it had then, its cases and its problems."""

    stamp: tuple[int, int]
    cases: tuple[Case, ...]
    problems: tuple[CaseProblem, ...]


class PastCases:
    """Cases of files that may change. Safe from any thread.

    ``case_bases`` are JSONL files (or folders of them), ``drafts`` drafts or folders of them; vectors are
    kept below the folder ``cache``, as in ``CaseBase``. ``refresh`` reads what changed and makes vectors; it
    may take long, and matching answers with what there is meanwhile.
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
        self._files: dict[Path, _Read] = {}
        self._base = CaseBase((), tokenizer)
        self._refreshing = threading.Lock()

    @property
    def problems(self) -> tuple[CaseProblem, ...]:
        """What could not be read, by file and line."""
        return tuple(problem for file in self._files.values() for problem in file.problems)

    @property
    def base(self) -> CaseBase:
        """The cases as they were read last."""
        return self._base

    def refresh(self, embedder: Embedder | None = None, token: CancelToken | None = None) -> bool:
        """Read files that came or changed, forget those that went, make missing vectors; whether cases
        changed. Raises ``Cancelled``.
        """
        with self._refreshing:
            wanted: dict[Path, bool] = dict.fromkeys(_below(self._case_bases, CASE_FILE_SUFFIXES), False)
            for path in _below(self._drafts, DRAFT_SUFFIXES, MOST_DRAFTS):
                wanted.setdefault(path, True)
            files: dict[Path, _Read] = {}
            for path, is_draft in wanted.items():
                if token is not None:
                    token.raise_if_cancelled()
                stamp, known = _stamp(path), self._files.get(path)
                files[path] = known if known and known.stamp == stamp else self._read(path, stamp, is_draft)
            changed = files != self._files
            if changed:
                self._files = files
                cases = [case for file in files.values() for case in file.cases]
                self._base = CaseBase(cases, self._tokenizer, self._cache)
            if embedder is not None and len(self._base):
                self._base.embed(embedder, token)
            return changed

    def authorities(self, case: Case) -> tuple[int, ...]:
        """The authorities of the library that a case names."""
        found = (document for key in case.keys for document in self._library.find_key(key)[:1])
        return tuple(dict.fromkeys(found))

    def matches(
        self,
        terms: Sequence[str],
        vector: NDArray[np.float32] | None,
        k: int,
        options: CaseWeights,
        token: CancelToken,
        *,
        cued: NDArray[np.float32] | None = None,
        answering: Collection[int] | None = None,
        excluded: Collection[Path] = (),
    ) -> list[tuple[PrecedentMatch, Case]]:
        """The ``k`` cases most like a sentence that name an authority which may answer, best first.

        ``answering`` are the documents that may answer (None: all of the library), ``excluded`` files, such
        as the draft itself, whose cases do not count. The other arguments are those of ``match_case_base``.
        """
        base = self._base

        def named(case: Case) -> tuple[int, ...]:
            return tuple(a for a in self.authorities(case) if answering is None or a in answering)

        found = match_case_base(
            base, terms, vector, 4 * k, options, token, cued=cued, authorities=named, excluded=excluded
        )
        return [(match, base.cases[match.precedent]) for match in found if match.authority][:k]

    def _read(self, path: Path, stamp: tuple[int, int], is_draft: bool) -> _Read:
        if is_draft:
            cases, problems = read_draft_cases(path, self._grammar, self._jurisdiction)
        else:
            cases, problems = read_case_base(path, self._grammar)
        return _Read(stamp, tuple(cases), tuple(problems))


def _below(places: Sequence[Path], suffixes: Collection[str], most: int = 10_000) -> Iterator[Path]:
    """The files named and those of these suffixes below the folders named, without hidden ones."""
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


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, -1
    return status.st_mtime_ns, status.st_size
