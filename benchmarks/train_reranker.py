"""Learn the reranker's weights from the citing sentences of libraries, and measure them across countries.

Each library's sentences are ranked by weights learnt on every other library alone, on all others, and, in
folds by citing document, on its own and all others. With ``--count`` a sentence of a library counts as
several, so that no country is learnt at another's cost. A model is linear, with the loss of
``lexls.evaluation.order_learning``. The lines of a benchmark are measured and never learnt from. What is
written is learnt from all sentences.

    lexls index ../shared/data/us-cases --jurisdiction US --index us.sqlite3
    lexls index ../shared/data/in-cases --jurisdiction IN --index in.sqlite3
    lexls index ../shared/data/scotus --jurisdiction US --index scotus.sqlite3
    python benchmarks/train_reranker.py us=us.sqlite3 in=in.sqlite3 scotus=scotus.sqlite3 \\
        --benchmark us=../shared/benchmarks/support_us.dev.jsonl --cache features \\
        --count us=3 --count scotus=3 --output weights.json
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from answered_sentences import (
    MEASURES,
    SEED,
    Answer,
    AnsweredSentences,
    Figures,
    compute_interval,
    open_answers,
)
from measuring import table

from lexls.evaluation.order_learning import learn
from lexls.retrieval.reranking.reranker import Reranker, RerankerWeights, load_learnt, write_weights

FOLDS = 5
GROUPS: Mapping[str, tuple[str, ...]] = {
    "BM25 over passages": ("passage_",),
    "BM25 over documents": ("document_",),
    "similarity of passages": ("similarity_",),
    "what the best passages cite": ("cited_lexical", "cited_nearest"),
    "precedents like the query": ("precedent_",),
    "all that a candidate is cited for": ("cited_for_",),
    "citation graph": ("citers", "related_", "first_", "relevance", "uncited"),
    "courts, length": ("court_", "length"),
    "the court named": ("named_court",),
    "the words quoted": ("quoted",),
    "words in order and close together": ("pairs", "triples", "window", "words_"),
    "fused score": ("fused",),
}
"""The features by the beginnings of their names."""


class Training:
    """The answers of several libraries, all with similarity or all by words, and what is learnt from them."""

    def __init__(
        self,
        libraries: Mapping[str, AnsweredSentences],
        with_vectors: bool,
        ridge: float,
        counts: Mapping[str, int],
    ) -> None:
        self.answers = {
            name: [each for each in library.answers if each.with_vectors == with_vectors]
            for name, library in libraries.items()
        }
        self._names = next(iter(libraries.values())).names
        self._ridge = ridge
        self._counts = counts

    def find_columns(self, without: tuple[str, ...] = ()) -> list[int]:
        """The features that are ever anything, but for those that begin so."""
        told = [each.rows.any(axis=0) for answers in self.answers.values() for each in answers]
        used = np.any(told, axis=0)
        return [
            column
            for column, name in enumerate(self._names)
            if used[column] and not (without and name.startswith(without))
        ]

    def learn(self, given: Mapping[str, Iterable[Answer]], columns: Sequence[int]) -> RerankerWeights:
        """The weights learnt from the sentences of libraries."""
        taught = [
            each
            for name, answers in given.items()
            for each in answers
            for _ in range(self._counts.get(name, 1))
            if not each.asked
        ]
        return learn(
            [self._names[column] for column in columns],
            [each.rows[:, columns].astype(np.float64) for each in taught],
            [each.cited for each in taught],
            self._ridge,
        )

    def score(self, model: RerankerWeights, answer: Answer) -> Figures:
        """The ``MEASURES`` of an answer in the order of a model."""
        found = dict(zip(self._names, answer.rows.T.astype(np.float64), strict=True))
        return answer.measure(model.scores(found))

    def cross_validate(self, home: str, others: Sequence[str], columns: Sequence[int]) -> list[Figures]:
        """The figures of a library's answers by weights that never saw their document, but the rest of the
        library and all of ``others``."""
        answers = self.answers[home]
        documents = np.unique([each.question.citing for each in answers])
        np.random.default_rng(SEED).shuffle(documents)
        fold = {int(document): number % FOLDS for number, document in enumerate(documents)}
        measured: dict[int, Figures] = {}
        for held in range(FOLDS):
            given: dict[str, Iterable[Answer]] = {name: self.answers[name] for name in others}
            given[home] = [each for each in answers if fold[each.question.citing] != held]
            model = self.learn(given, columns)
            for number, each in enumerate(answers):
                if fold[each.question.citing] == held:
                    measured[number] = self.score(model, each)
        return [measured[number] for number in range(len(answers))]

    def rank(
        self, home: str, columns: Sequence[int], today: RerankerWeights
    ) -> Iterator[tuple[str, list[Figures]]]:
        """Each way of ranking a library's answers, with their figures."""
        answers, others = self.answers[home], [name for name in self.answers if name != home]
        yield "fused", [each.measure_fused() for each in answers]
        yield "today's weights", [self.score(today, each) for each in answers]
        ways = [[name] for name in others] + ([others] if len(others) > 1 else [])
        for names in ways:
            model = self.learn({name: self.answers[name] for name in names}, columns)
            yield f"learnt on {' and '.join(names)}", [self.score(model, each) for each in answers]
        yield f"learnt on {home}, in folds", self.cross_validate(home, [], columns)
        yield "learnt on all, in folds", self.cross_validate(home, others, columns)


def report(answers: Sequence[Answer], ways: Iterable[tuple[str, list[Figures]]]) -> Iterator[tuple[str, ...]]:
    """A row a way of ranking: its means, and the gain over the fused order with its interval."""
    for asked in (True, False):
        chosen = [number for number, each in enumerate(answers) if each.asked == asked]
        if not chosen:
            continue
        citing = [answers[number].question.citing for number in chosen]
        fused = np.stack([answers[number].measure_fused() for number in chosen])
        for way, figures in ways:
            rows = np.stack([figures[number] for number in chosen])
            cells = []
            for column in (MEASURES.index("MRR"), MEASURES.index("recall@10")):
                low, high = compute_interval(citing, (rows - fused)[:, column])
                cells.append(f"{rows[:, column].mean():.3f} ({low:+.3f} to {high:+.3f})")
            yield ("benchmark" if asked else "sentences", str(len(chosen)), way, *cells)


def read_pair(text: str) -> tuple[str, Path]:
    """``name=path`` as the command line has it."""
    name, _, path = text.partition("=")
    return name, Path(path)


def read_count(text: str) -> tuple[str, int]:
    """``name=3`` as the command line has it."""
    name, _, times = text.partition("=")
    return name, int(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", nargs="+", type=read_pair, help="NAME=INDEX, with vectors")
    parser.add_argument("--benchmark", action="append", default=[], type=read_pair, help="NAME=FILE")
    parser.add_argument("--output", type=Path, help="where the weights are written")
    parser.add_argument("--cache", type=Path, help="a folder of features, read if they are there")
    parser.add_argument("--by-words", action="store_true", help="indexes without vectors; nothing is written")
    parser.add_argument("--count", action="append", default=[], type=read_count, help="NAME=TIMES")
    parser.add_argument("--ridge", type=float, default=60.0)
    parser.add_argument("--ablate", action="store_true", help="measure also without each group of features")
    options = parser.parse_args()
    benchmarks = dict(options.benchmark)
    counts = dict(options.count)
    if options.cache:
        options.cache.mkdir(exist_ok=True)
    libraries = {
        name: open_answers(
            index,
            benchmarks.get(name),
            options.cache and options.cache / f"{name}.pickle",
            by_words=options.by_words,
        )
        for name, index in options.library
    }
    models = {}
    for with_vectors in (False,) if options.by_words else (True, False):
        training = Training(libraries, with_vectors, options.ridge, counts)
        columns = training.find_columns()
        today = load_learnt().with_vectors if with_vectors else load_learnt().by_words
        print(f"\n{'with vectors' if with_vectors else 'by words'}\n")
        rows: list[tuple[str, ...]] = []
        for name, answers in training.answers.items():
            ways = list(training.rank(name, columns, today))
            for group, beginnings in (GROUPS if options.ablate else {}).items():
                others = [each for each in libraries if each != name]
                kept = training.find_columns(beginnings)
                ways.append((f"… without {group}", training.cross_validate(name, others, kept)))
            rows += [(name, *row) for row in report(answers, ways)]
        print(table(("library", "", "n", "ranking", "MRR", "recall@10"), rows), flush=True)
        models[with_vectors] = training.learn(training.answers, columns)
    if options.output and not options.by_words:
        taught = {
            name: sum(each.with_vectors and not each.asked for each in library.answers)
            for name, library in libraries.items()
        }
        told = ", ".join(
            f"{count} citing sentences of {name}"
            + (f", each counted {counts[name]} times" if name in counts else "")
            for name, count in taught.items()
        )
        recipe = (
            f"benchmarks/train_reranker.py: ListNet, linear, ridge {options.ridge:g}, on {told};"
            " their document left out"
        )
        reranker = Reranker(recipe, models[True], models[False])
        options.output.write_text(write_weights(reranker), "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
