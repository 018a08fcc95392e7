"""Learn the reranker's weights from the citing sentences of a library, and measure them in cross-validation.

A question is what a document says before it cites an authority of the library in full: the sentence up to the
citation, or the one before where that is shorter than 65 characters, without citations of cases. It is asked
with that document left out altogether, as in ``support_us``, and what it cites is to come first. Texts of
fewer than 6 distinct terms are left out; an authority whose name the text speaks is neither cited nor a rival
there. The candidates are the first of the fused
ranking, once with similarity and, for every third question, once by words alone. The model is linear: see
``learning_to_rank``.

``--benchmark`` is measured in folds by citing document: the weights that rank a question never saw a sentence
of the document it is taken from. Its questions themselves are not learnt from. The weights that are written
are learnt from all sentences.

    lexls index ../shared/data/us-cases --index us.sqlite3
    python benchmarks/train_reranker.py us.sqlite3 --benchmark ../shared/benchmarks/support_us.dev.jsonl \\
        --output lexls/retrieval/data/reranking_weights.json --cache features.pickle
"""

from __future__ import annotations

import argparse
import json
import pickle
import re
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from learning_to_rank import learn
from numpy.typing import NDArray

from lexls.citations.grammar import Grammar
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.query import build_query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.reranking.candidates import Asked
from lexls.retrieval.reranking.features import compute_features
from lexls.retrieval.reranking.reranker import DEPTH, Reranker, RerankerWeights, take_candidates
from lexls.retrieval.stages import Scope, run_stages
from lexls.text.cancel import CancelToken
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span

FEWEST_CHARACTERS = 65
FEWEST_TERMS = 6
MOST_CHARACTERS = 600
FULL = re.compile(r"\d+ [A-Z][^\d]{0,25} ?\d+|\(\d{4}\)|\[\d{4}\]|AIR", re.DOTALL)
"""What a citation in full has: volume, report and page, or a year."""
SHORT = re.compile(r"\bat\b")
STATUTE = re.compile(r"§|U\.? ?S\.? ?C|[Ss]ection|Code|\bAct\b|Rule|Const|C\.F\.R|Stat|Reg\.|Art")
SIGNAL = re.compile(
    r"^\W*(?:(?:but\s+)?see(?:\s*,?\s*(?:also|e\.?\s?g\.?))*|cf\.|accord|compare|quoting|citing|id\.?|ibid\.?"
    r"|supra|at|\d+|and|[;,.()\[\]])(?!\w)\W*",
    re.IGNORECASE,
)
NAMING = 5.0
"""The idf from which on a word of a title names its authority."""
BY_WORDS_EVERY = 3
FOLDS = 5
SEED = 0
SAMPLES = 10_000

GROUPS: Mapping[str, tuple[str, ...]] = {
    "BM25 over passages": ("passage_",),
    "BM25 over documents": ("document_",),
    "similarity of passages": ("similarity_",),
    "what the best passages cite": ("cited_",),
    "precedents like the query": ("precedent_",),
    "all that a candidate is cited for": ("cited_for_",),
    "citation graph": ("citers", "related_", "first_", "relevance", "uncited"),
    "courts, length": ("court_", "length"),
    "the court named": ("named_court",),
    "the words quoted": ("quoted",),
    "court named and words quoted": ("named_court", "quoted"),
    "words in order and close together": ("pairs", "triples", "window", "words_"),
    "fused score": ("fused",),
}
"""The features by the beginnings of their names."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text of the document ``citing``, the authorities that it ``cites``, and those that it ``names``."""

    citing: int
    text: str
    cites: frozenset[int]
    names: frozenset[int]
    asked: bool
    """Whether it is a line of the benchmark, and so not learnt from."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The candidates of a question in their fused order, with their features (candidates × names)."""

    question: Question
    with_vectors: bool
    documents: tuple[int, ...]
    rows: NDArray[np.float32]

    @property
    def cited(self) -> NDArray[np.bool_]:
        """Which candidates were cited."""
        return np.array([document in self.question.cites for document in self.documents], np.bool_)


def sentences(library: Library, tokenizer: Tokenizer) -> Iterator[Question]:
    """The questions that the library's own citations make, one for each distinct text of a document."""
    naming: dict[int, frozenset[str]] = {}
    for document in (authority.id for authority in library.catalogue.all()):
        edges = library.graph.find_cited(document)
        if not any(cited is not None and cited != document for _, cited in edges):
            continue
        text = library.contents.text(document)
        spans = [Span(edge.start, edge.end) for edge, _ in edges]
        cut = cut_sentences(text, spans)
        cases = [span for span in spans if not STATUTE.search(span.of(text))]
        found: dict[str, tuple[set[int], set[int]]] = {}
        for edge, cited in edges:
            if cited is None or cited == document or not in_full(text[edge.start : edge.end]):
                continue
            said = before(text, cut, cases, edge.start)
            terms = frozenset(tokenizer.tokenize(said))
            if len(said) < FEWEST_CHARACTERS or len(terms) < FEWEST_TERMS:
                continue
            if cited not in naming:
                title = sorted(library.title_terms([cited]))
                rare = zip(title, library.rarity(title), strict=True)
                naming[cited] = frozenset(term for term, idf in rare if idf > NAMING)
            cites, names = found.setdefault(said, (set(), set()))
            (names if terms & naming[cited] else cites).add(cited)
        for said, (cites, names) in found.items():
            if cites:
                yield Question(document, said, frozenset(cites), frozenset(names), False)


def in_full(citation: str) -> bool:
    """Whether a citation is not a short form."""
    return FULL.search(citation) is not None and SHORT.search(citation) is None


def before(text: str, cut: Sequence[Span], cases: Sequence[Span], start: int) -> str:
    """What stands before the citation at ``start`` in its sentence, without citations of cases; where that is
    too short the sentence before, at most three back.
    """
    number = bisect_right([sentence.start for sentence in cut], start) - 1
    if number < 0:
        return ""
    said = without(text, Span(cut[number].start, start), cases)
    for back in range(1, 4):
        if len(said) >= FEWEST_CHARACTERS or number - back < 0:
            break
        said = without(text, cut[number - back], cases)
    return said[-MOST_CHARACTERS:]


def without(text: str, span: Span, cases: Sequence[Span]) -> str:
    """The words of a span without citations of cases and the signals before them."""
    pieces, position = [], span.start
    for case in cases[bisect_right(cases, Span(span.start, -1)) :]:
        if case.start >= span.end:
            break
        pieces.append(text[position : max(position, case.start)])
        position = max(position, case.end)
    pieces.append(text[position : max(position, span.end)])
    said = " ".join(" ".join(pieces).split())
    while (shorter := SIGNAL.sub("", said)) != said:
        said = shorter
    return said.strip(" ;,")


def benchmark(path: Path, library: Library) -> Iterator[Question]:
    """The questions of a benchmark file."""
    ids = {PurePosixPath(each.relative).name: each.id for each in library.catalogue.all()}
    for line in path.read_text("utf-8").splitlines():
        read = json.loads(line)
        cites = frozenset(ids[name] for name in read["gold"] if name in ids)
        yield Question(ids[read["citing"]], read["text"], cites, frozenset(), True)


def answers(library: Library, questions: Sequence[Question]) -> tuple[list[str], list[Answer]]:
    """The names of the features, and each question's candidates with theirs."""
    tokenizer, grammar, embedder = Tokenizer(), Grammar.load(()), open_embedder(threads=1)
    ranking, token = Ranking(), CancelToken()
    everything = frozenset(authority.id for authority in library.catalogue.all())
    found: list[Answer] = []
    names: list[str] = []
    started = time.monotonic()
    for number, question in enumerate(questions):
        query = build_query(question.text, tokenizer, grammar.find(question.text))
        others = everything - {question.citing}
        vector = embedder.encode([query.text])[0]
        sequence = tuple(tokenizer.tokenize(query.text))
        for each in (vector, None) if number % BY_WORDS_EVERY == 0 else (vector,):
            stages = run_stages(library, query, each, ranking, Scope(others, others), token)
            best = stages.find_best_passages(ranking)
            first = stages.fuse(ranking)[:DEPTH]
            asked = Asked(query.text, query.terms, sequence, each, others, tokenizer.tokenize)
            columns = compute_features(library, asked, stages, take_candidates(first, best), token)
            names = list(columns)
            kept = [
                row
                for row, (document, _) in enumerate(first)
                if document not in question.names or document in question.cites
            ]
            rows = np.stack([columns[name] for name in names], axis=1).astype(np.float32)
            documents = tuple(first[row][0] for row in kept)
            found.append(Answer(question, each is not None, documents, rows[kept]))
        if number % 100 == 99:
            print(f"{number + 1}/{len(questions)}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    return names, found


def learnt(
    names: Sequence[str], given: Sequence[Answer], columns: Sequence[int], ridge: float
) -> RerankerWeights:
    """The weights of these columns."""
    return learn(
        [names[column] for column in columns],
        [each.rows[:, columns].astype(np.float64) for each in given],
        [each.cited for each in given],
        ridge,
    )


def cross_validated(
    names: Sequence[str], given: Sequence[Answer], columns: Sequence[int], ridge: float
) -> list[NDArray[np.float64]]:
    """The figures of each question (see ``figures``), ranked by weights that never saw its document."""
    documents = np.unique([each.question.citing for each in given])
    np.random.default_rng(SEED).shuffle(documents)
    fold = {int(document): number % FOLDS for number, document in enumerate(documents)}
    measured: dict[int, NDArray[np.float64]] = {}
    for held in range(FOLDS):
        seen = [each for each in given if fold[each.question.citing] != held and not each.question.asked]
        weights = learnt(names, seen, columns, ridge)
        for number, each in enumerate(given):
            if fold[each.question.citing] == held:
                found = dict(zip(names, each.rows.T.astype(np.float64), strict=True))
                measured[number] = figures(each, weights.scores(found))
    return [measured[number] for number in range(len(given))]


def figures(answer: Answer, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Reciprocal rank, recall@1, recall@5 and recall@10 of the candidates in the order of ``scores``."""
    cited = answer.cited[np.argsort(-scores, kind="stable")]
    places = np.flatnonzero(cited)
    count = len(answer.question.cites)
    recalls = [cited[:k].sum() / count for k in (1, 5, 10)]
    return np.array([1 / (places[0] + 1) if len(places) else 0.0, *recalls])


def unranked(answer: Answer) -> NDArray[np.float64]:
    """The figures of the fused order."""
    return figures(answer, -np.arange(len(answer.documents), dtype=np.float64))


def interval(citing: Sequence[int], gains: NDArray[np.float64]) -> tuple[float, float]:
    """The 95% interval of the mean of ``gains``, citing documents drawn anew."""
    documents, group = np.unique(citing, return_inverse=True)
    sums = np.bincount(group, gains)
    counts = np.bincount(group)
    drawn = np.random.default_rng(SEED).integers(0, len(documents), (SAMPLES, len(documents)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)


def report(name: str, given: Sequence[Answer], measured: Sequence[NDArray[np.float64]]) -> dict[str, object]:
    """The means over the benchmark's questions and over the sentences, with intervals of the gains."""
    said: dict[str, object] = {"ranking": name}
    for label, asked in (("benchmark", True), ("sentences", False)):
        chosen = [number for number, each in enumerate(given) if each.question.asked == asked]
        if not chosen:
            continue
        rows = np.stack([measured[number] for number in chosen])
        plain = np.stack([unranked(given[number]) for number in chosen])
        citing = [given[number].question.citing for number in chosen]
        said[label] = {
            measure: [
                round(float(rows[:, column].mean()), 4),
                round(float((rows - plain)[:, column].mean()), 4),
                interval(citing, (rows - plain)[:, column]),
            ]
            for column, measure in enumerate(("mrr", "recall@1", "recall@5", "recall@10"))
        }
    return said


def worth(
    group: str,
    given: Sequence[Answer],
    columns: Sequence[int],
    whole: Sequence[NDArray[np.float64]],
    without: Sequence[NDArray[np.float64]],
) -> dict[str, object]:
    """What ``columns`` add, with the interval, over all questions and over those that they tell something of
    (a court is named, words are quoted).
    """
    said: dict[str, object] = {"worth of": group}
    told = [bool(each.rows[:, columns].any()) for each in given]
    for label, asked in (("benchmark", True), ("sentences", False)):
        for of, chosen in (
            (label, [n for n, each in enumerate(given) if each.question.asked == asked]),
            (
                f"{label} concerned",
                [n for n, each in enumerate(given) if each.question.asked == asked and told[n]],
            ),
        ):
            if not chosen:
                continue
            rows = np.stack([whole[n] for n in chosen])
            gains = rows - np.stack([without[n] for n in chosen])
            citing = [given[n].question.citing for n in chosen]
            said[of] = {"questions": len(chosen)} | {
                measure: [
                    round(float(rows[:, column].mean()), 4),
                    round(float(gains[:, column].mean()), 4),
                    interval(citing, gains[:, column]),
                ]
                for column, measure in ((0, "mrr"), (3, "recall@10"))
            }
    return said


def write_weights(path: Path, reranker: Reranker) -> None:
    """Write ``reranker`` to the file ``path``, a line a feature."""
    written = {
        "format": 1,
        "recipe": reranker.recipe,
        "with_vectors": listed(reranker.with_vectors),
        "by_words": listed(reranker.by_words),
    }
    path.write_text(json.dumps(written, indent=1) + "\n", "utf-8", newline="\n")


def listed(weights: RerankerWeights) -> dict[str, list[float]]:
    rows = zip(weights.names, weights.means, weights.scales, weights.weights, strict=True)
    return {name: [round(float(each), 6) for each in numbers] for name, *numbers in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("index", type=Path, help="an index with vectors and precedents")
    parser.add_argument("--benchmark", type=Path, required=True)
    parser.add_argument("--output", type=Path, help="where the weights are written")
    parser.add_argument("--cache", type=Path, help="features, read if the file is there, else written")
    parser.add_argument("--ridge", type=float, default=20.0)
    parser.add_argument("--ablate", action="store_true", help="measure also without each group of features")
    options = parser.parse_args()
    if options.cache and options.cache.is_file():
        names, given = pickle.loads(options.cache.read_bytes())
    else:
        library = Library(options.index)
        asked = [*sentences(library, Tokenizer()), *benchmark(options.benchmark, library)]
        names, given = answers(library, asked)
        library.close()
        if options.cache:
            options.cache.write_bytes(pickle.dumps((names, given)))
    results = []
    models = {}
    for with_vectors in (True, False):
        chosen = [each for each in given if each.with_vectors == with_vectors]
        kind = "with vectors" if with_vectors else "by words"
        columns = [
            column for column, name in enumerate(names) if any(each.rows[:, column].any() for each in chosen)
        ]
        results.append(report(f"{kind}, fused", chosen, [unranked(each) for each in chosen]))
        whole = cross_validated(names, chosen, columns, options.ridge)
        results.append(report(f"{kind}, reranked", chosen, whole))
        for group, beginnings in (GROUPS if options.ablate else {}).items():
            left_out = [column for column in columns if names[column].startswith(beginnings)]
            if not left_out:
                continue
            kept = [column for column in columns if column not in left_out]
            figures_without = cross_validated(names, chosen, kept, options.ridge)
            results.append(report(f"{kind}, without {group}", chosen, figures_without))
            results.append(worth(f"{kind}, {group}", chosen, left_out, whole, figures_without))
        seen = [each for each in chosen if not each.question.asked]
        models[with_vectors] = learnt(names, seen, columns, options.ridge)
        known = [
            figures(
                each, models[with_vectors].scores(dict(zip(names, each.rows.T.astype(float), strict=True)))
            )
            for each in chosen
        ]
        results.append(report(f"{kind}, reranked by weights that saw the sentences", chosen, known))
    for result in results:
        print(json.dumps(result))
    if options.output:
        learnt_from = [each.question for each in given if each.with_vectors and not each.question.asked]
        recipe = (
            f"benchmarks/train_reranker.py: ListNet, linear, ridge {options.ridge:g}, on"
            f" {len(learnt_from)} citing sentences of {len({each.citing for each in learnt_from})} opinions,"
            " their document left out"
        )
        write_weights(options.output, Reranker(recipe, models[True], models[False]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
