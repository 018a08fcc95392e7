"""Ask a library all questions of a benchmark, and measure the answers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from lexls import __version__
from lexls.evaluation.benchmark import (
    BenchmarkError,
    DocumentQuestion,
    Question,
    SpanQuestion,
    TermQuestion,
    read_benchmark,
)
from lexls.evaluation.explaining_sentences import rank_sentences
from lexls.evaluation.measures import DOCUMENT_MEASURES, TERM_MEASURES, measure_rankings, measure_spans
from lexls.evaluation.runs import Figures, RankedAnswer, RankedItem, Run, RunHeader
from lexls.index.library import Library
from lexls.index.reconcile import hash_file
from lexls.index.records import Authority
from lexls.index.status import IndexStatus
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken


class DocumentNames:
    """A mapping between documents and their names in a benchmark. A benchmark may name a document by its path
    in the library, its file name, or its file name without suffix. If a file contains several documents,
    each is named by its part, with or without the file. ``called`` uses the form that is most common among
    ``used``, the benchmark's names, or the path if a name would be ambiguous.
    """

    def __init__(self, authorities: Iterable[Authority], used: Iterable[str] = ()) -> None:
        self._ids: dict[str, int] = {}
        spellings: dict[int, tuple[str, str, str]] = {}
        for authority in authorities:
            path = PurePosixPath(authority.relative)
            names = (path.stem, path.name, authority.relative)
            if authority.part:
                names = (authority.part, f"{path.name}/{authority.part}", f"{path}/{authority.part}")
            spellings[authority.id] = names
            for name in reversed(names):
                self._ids.setdefault(name, authority.id)
        way = Counter(
            spellings[self._ids[name]].index(name) for name in used if name in self._ids
        ).most_common(1)
        chosen = way[0][0] if way else 1
        bearers = Counter(each[chosen] for each in spellings.values())
        self._called = {
            document: each[chosen] if bearers[each[chosen]] == 1 else each[2]
            for document, each in spellings.items()
        }

    def __contains__(self, name: str) -> bool:
        return name in self._ids

    def find(self, name: str) -> int | None:
        """Return the id of the document with this name, or None if the library has none."""
        return self._ids.get(name)

    def called(self, document: int) -> str:
        """Return the benchmark's name for a document. Raises ``KeyError`` if the library has no document with
        this id.
        """
        return self._called[document]

    def same(self, name: str) -> str:
        """Return the name that ``called`` gives to the document with the name ``name``. An unknown name is
        returned unchanged, and scored as a document that was not retrieved.
        """
        document = self._ids.get(name)
        return name if document is None else self._called[document]


DOCUMENTS = 1000
"""Number of documents measured per ranking, the usual number with trec_eval."""
PASSAGES = 64
"""Number of passages measured per ranking."""
SHOWN = 10
"""Number of hits fetched with their texts, as in a search by a user; the measured latency includes this."""


MeasuredAnswer = tuple[RankedAnswer, Mapping[str, int], Figures]
"""A ranked answer, the grades of the judged items (empty for spans), and the measures computed from spans."""


@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks a library the questions of ``benchmark``, whose file name appears in messages. The other fields
    are as in ``evaluate``.
    """

    benchmark: Path
    searcher: Searcher
    names: DocumentNames
    token: CancelToken
    corpus: bool
    filters: Filters
    shown: int

    def ask(self, question: Question) -> MeasuredAnswer:
        """Return the measured answer to a question. Raises ``BenchmarkError`` for a file that is not in the
        library, and ``Cancelled``.
        """
        self.token.raise_if_cancelled()
        if isinstance(question, DocumentQuestion):
            return self._documents(question)
        if isinstance(question, SpanQuestion):
            return self._spans(question)
        if isinstance(question, TermQuestion):
            return self._term(question)
        raise BenchmarkError(f"{self.benchmark}:{question.line}: a question for a case base")

    def _documents(self, question: DocumentQuestion) -> MeasuredAnswer:
        filters = self.filters
        citing = self.names.find(question.citing)
        authority = self.searcher.library.catalogue.get(citing) if citing is not None else None
        if authority is not None:
            filters = replace(filters, excluded=(*filters.excluded, authority.own_path))
        start = time.perf_counter()
        query = self.searcher.query(question.text)
        ranked = self.searcher.rank(query, DOCUMENTS, filters, self.token)
        self.searcher.fetch_hits(ranked[: self.shown], query, self.token)
        seconds = time.perf_counter() - start
        items = tuple(RankedItem(self.names.called(each.document), each.score) for each in ranked)
        judged = dict.fromkeys((self.names.same(name) for name in question.gold), 1)
        return RankedAnswer(question.id, items, seconds), judged, {}

    def _spans(self, question: SpanQuestion) -> MeasuredAnswer:
        file = self.names.find(question.file)
        if file is None:
            raise BenchmarkError(f"{self.benchmark}:{question.line}: {question.file} is not in the library")
        filters = self.filters if self.corpus else replace(self.filters, within=frozenset({file}))
        start = time.perf_counter()
        query = self.searcher.query(question.text)
        ranked = self.searcher.rank_passages(query, PASSAGES, filters, self.token)
        hits = self.searcher.fetch_hits(ranked[: self.shown], query, self.token)
        seconds = time.perf_counter() - start
        hits += self.searcher.fetch_hits(ranked[self.shown :], query, self.token)
        found = [(each.authority.id, each.passage.start, each.passage.end) for each in hits]
        text = self.searcher.library.contents.text(file)
        items = tuple(
            RankedItem(self.names.called(each.authority.id), each.score, each.passage.start, each.passage.end)
            for each in hits
        )
        figures = measure_spans(found, file, question.spans, text)
        return RankedAnswer(question.id, items, seconds), {}, figures

    def _term(self, question: TermQuestion) -> MeasuredAnswer:
        start = time.perf_counter()
        ranking = rank_sentences(
            question.term,
            [each.text for each in question.sentences],
            self.searcher.tokenizer,
            self.searcher.embedder(),
        )
        seconds = time.perf_counter() - start
        items = tuple(RankedItem(str(number), -float(rank)) for rank, number in enumerate(ranking, 1))
        judged = {str(number): each.grade for number, each in enumerate(question.sentences)}
        return RankedAnswer(question.id, items, seconds), judged, {}


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark: its path, the SHA-256 of its file, and its questions, all of one kind."""

    path: Path
    hash: str
    questions: tuple[Question, ...]

    @property
    def kind(self) -> str:
        """Return the kind of question: ``documents``, ``spans``, ``terms`` or ``cases``."""
        return self.questions[0].kind


def open_benchmark(path: Path) -> Benchmark:
    """Return the benchmark in a file. Raises ``BenchmarkError`` if the file cannot be read."""
    questions = tuple(read_benchmark(path))
    return Benchmark(path, hash_file(path).hex(), questions)


def evaluate(
    benchmark: Benchmark,
    searcher: Searcher,
    token: CancelToken,
    *,
    corpus: bool = False,
    filters: Filters | None = None,
    shown: int = SHOWN,
    on_question: Callable[[int, int], None] = lambda done, total: None,
) -> Run:
    """Ask every question of ``benchmark`` and measure the results. For case bases use ``evaluate_cases``.

    With ``corpus``, the whole library is searched even if a question names a file. ``filters`` apply to every
    question. ``shown`` hits per ranking are fetched with their texts; a question's ``seconds`` include this.
    ``on_question`` is called with the number of finished questions and their total. The measures are
    ``DOCUMENT_MEASURES`` over the first 1,000 documents, ``measure_spans`` over the first 64 passages, or
    ``TERM_MEASURES`` over the graded sentences.

    Raises ``BenchmarkError`` for a ``file`` that is not in the library, or if the library has none of the
    benchmark's documents; also ``Cancelled``.
    """
    library = searcher.library
    names = name_documents(benchmark, library)
    filters = filters or Filters()
    asker = _Asker(benchmark.path, searcher, names, token, corpus, filters, shown)
    asked = []
    for done, question in enumerate(benchmark.questions, 1):
        asked.append(asker.ask(question))
        on_question(done, len(benchmark.questions))
    settings = {
        "ranking": make_plain(searcher.ranking),
        "corpus": corpus,
        "filters": make_plain(filters),
        "embedder": library.status.embedder,
        "vectors": round(library.vector_share, 4),
    }
    name, kind = benchmark.path.name, benchmark.kind
    header = RunHeader(__version__, name, benchmark.hash, kind, identify_index(library), settings)
    answers, judged, measured = zip(*asked, strict=True)
    figures: Sequence[Figures] = measured
    if kind != "spans":
        ranked = [[item.name for item in answer.items] for answer in answers]
        figures = measure_rankings(judged, ranked, TERM_MEASURES if kind == "terms" else DOCUMENT_MEASURES)
    return Run(header, answers, tuple(figures))


def identify_index(library: Library) -> str:
    """Return a fingerprint of a library's index, computed from its files, how they were read, and the
    embedding model.
    """
    with closing(IndexStatus(library.path)) as status:
        return status.fingerprint()


def name_documents(benchmark: Benchmark, library: Library) -> DocumentNames:
    """Return the mapping between the documents of ``library`` and the names that the benchmark uses.

    Raises ``BenchmarkError`` if the library has none of the documents that the benchmark asks for.
    """
    used = [
        name
        for each in benchmark.questions
        for name in (each.gold if isinstance(each, DocumentQuestion) else [getattr(each, "file", "")])
        if name
    ]
    names = DocumentNames(library.catalogue.all(), used)
    if benchmark.kind == "documents" and not any(name in names for name in used):
        raise BenchmarkError(f"{benchmark.path}: the library has none of its documents, such as {used[0]}")
    return names


def make_plain(value: Any) -> Any:
    """Convert a value, such as a dataclass, to plain JSON data."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: make_plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): make_plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((make_plain(each) for each in value), key=str)
    if isinstance(value, list | tuple):
        return [make_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
