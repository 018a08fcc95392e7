"""Running a benchmark: all its questions are asked and measured."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls import __version__
from lexls.evaluation.answers import Figures, Run, RunHeader
from lexls.evaluation.asking import SHOWN, Asked, Asker
from lexls.evaluation.benchmark import (
    BenchmarkError,
    CaseQuestion,
    DocumentQuestion,
    Question,
    SpanQuestion,
    TermQuestion,
    read_benchmark,
)
from lexls.evaluation.document_names import DocumentNames
from lexls.evaluation.ranking_measures import DOCUMENT_MEASURES, TERM_MEASURES, measure_rankings
from lexls.index.status import IndexStatus
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.text.cancel import CancelToken

KINDS = {DocumentQuestion: "documents", SpanQuestion: "spans", TermQuestion: "terms", CaseQuestion: "cases"}


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark file that was read: its path, the SHA-256 of its bytes, its questions (all of one kind)."""

    path: Path
    hash: str
    questions: tuple[Question, ...]

    @property
    def kind(self) -> str:
        """``documents``, ``spans``, ``terms`` or ``cases``."""
        return KINDS[type(self.questions[0])]


def open_benchmark(path: Path) -> Benchmark:
    """Read a benchmark. Raises ``BenchmarkError`` if it cannot be read."""
    questions = tuple(read_benchmark(path))
    return Benchmark(path, file_hash(path), questions)


def file_hash(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal digits."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def evaluate(
    benchmark: Benchmark,
    library: Library,
    searcher: Searcher,
    token: CancelToken,
    *,
    corpus: bool = False,
    filters: Filters | None = None,
    shown: int = SHOWN,
    on_question: Callable[[int, int], None] = lambda done, total: None,
) -> Run:
    """Ask every question of ``benchmark`` (but of cases, see ``evaluate_cases``) and measure the answers.

    ``corpus``: search the whole library where a line names a file. ``filters`` hold for every question.
    ``shown`` hits of a ranking are fetched with their texts; a question's ``seconds`` are those until then.
    ``on_question`` is told how many of how many questions are done. What is measured: documents, the
    ``DOCUMENT_MEASURES`` over the first 1,000; spans, what ``span_figures`` measures over the first 64
    passages; terms, the ``TERM_MEASURES`` over the graded sentences.

    Raises ``BenchmarkError`` for a ``file`` that is not in the library, or a benchmark of documents of which
    the library has none; ``Cancelled``.
    """
    names = names_for(benchmark, library)
    asker = Asker(benchmark.path, searcher, names, token, corpus=corpus, filters=filters, shown=shown)
    asked = []
    for done, question in enumerate(benchmark.questions, 1):
        asked.append(asker.ask(question))
        on_question(done, len(benchmark.questions))
    settings = {
        "ranking": plain(searcher.ranking),
        "corpus": corpus,
        "filters": plain(filters or Filters()),
        "embedder": library.embedder,
        "vectors": round(library.vector_share, 4),
    }
    header = RunHeader(
        __version__,
        benchmark.path.name,
        benchmark.hash,
        benchmark.kind,
        fingerprint(library),
        settings,
    )
    return Run(header, tuple(each.answer for each in asked), tuple(figures_of(benchmark.kind, asked)))


def fingerprint(library: Library) -> str:
    """Names the content of a library's index: its files, how they were read, the model of the vectors."""
    with closing(IndexStatus(library.path)) as status:
        return status.fingerprint()


def names_for(benchmark: Benchmark, library: Library) -> DocumentNames:
    """What ``benchmark`` calls the documents of ``library``.

    Raises ``BenchmarkError`` if it asks for documents of which the library has none.
    """
    used = [
        name
        for each in benchmark.questions
        for name in (each.gold if isinstance(each, DocumentQuestion) else [getattr(each, "file", "")])
        if name
    ]
    names = DocumentNames(library.authorities(), used)
    if benchmark.kind == "documents" and not any(name in names for name in used):
        raise BenchmarkError(f"{benchmark.path}: the library has none of its documents, such as {used[0]}")
    return names


def figures_of(kind: str, asked: Sequence[Asked]) -> list[Figures]:
    """The measures of each answer to questions of one kind."""
    if kind == "spans":
        return [each.figures for each in asked]
    return measure_rankings(
        [each.judged for each in asked],
        [[item.name for item in each.answer.items] for each in asked],
        TERM_MEASURES if kind == "terms" else DOCUMENT_MEASURES,
    )


def plain(value: Any) -> Any:
    """A value of a dataclass as JSON can hold it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(each) for each in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
