"""How well scorers tell whether a passage supports a sentence, on citing sentences and their neighbours.

    python benchmarks/bench_judge.py pairs us.sqlite3 ../shared/benchmarks/support_us.dev.jsonl pairs.tsv \\
        --holdings scotus=scotus.sqlite3 --holdings us-cases=us.sqlite3
    python benchmarks/bench_judge.py score pairs.tsv scores.jsonl --scorer cosine --scorer bearing \\
        --scorer cross-encoder:FOLDER --scorer llama:FILE.gguf [--sentences 60 --each 3]
    python benchmarks/bench_judge.py report pairs.tsv scores.jsonl [--write]

A pair is a citing sentence with the best passage of the authority that it cites, with that of one of its
three neighbours in the order of a search from which the citing document is left out, or with that of an
authority drawn by lot from places 50 to 100 ("far"). Only authorities among the first 16 are taken. The
holdings of ``holdings.tsv``, true and false, stand with the passage of their authority that fits the true one
best. Sentences are parted in two by citing document. ``score`` asks each scorer once and
keeps what it says; a scorer that was asked already goes on where it stopped. ``report`` has AUC, the log-loss
after Platt's calibration (fitted on one half, measured on the other), how often the cited authority comes
first, and what a logistic regression over lexls' own measures gains by the scorer, each on the half it has
not seen.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
from measuring import table, write_results
from numpy.typing import NDArray

from lexls.citations.grammar import Grammar
from lexls.evaluation.asking import name_documents, open_benchmark
from lexls.evaluation.benchmark import DocumentQuestion
from lexls.grounding.verification.bearing import Statement, find_bearing
from lexls.index.embedding import Embedder, open_embedder
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.models.encoder_clients import CrossEncoderClient
from lexls.models.llama_client import LlamaClient
from lexls.models.messages import ChatMessage, LlamaOptions
from lexls.models.process import ModelProcess
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken
from lexls.text.sentences import cut_sentences

SENTENCES = 150
FIRST = 16
FAR = range(50, 100)
KINDS = ("cited", "near", "far", "near", "near")
"""The pairs of a sentence: the cited authority, three beside it, one far away."""
HOLDINGS = Path(__file__).with_name("holdings.tsv")
PASSAGE = 600
"""Characters of a passage that scorers see: sentences, those that share most terms with the citing one."""
OWN = ("order", "bm25", "cosine", "bearing")
"""lexls' own measures; ``order`` is where the search puts the passage, which tells one far away by itself."""
RIDGE = 1.0
SEED = 0
Column = NDArray[np.float64]
Scorer = Callable[[str, Sequence[str]], list[float]]
"""A score for each passage, given a sentence: higher is likelier to support it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence and a passage; ``place`` is the passage's in the search, ``bm25`` its score there.

    ``kind`` is one of ``KINDS``, "true" or "false"; the pairs of one ``sentence_id`` follow each other."""

    sentence_id: str
    half: int
    kind: str
    place: int
    bm25: float
    sentence: str
    passage: str

    @property
    def supported(self) -> bool:
        """Whether the passage is taken to support the sentence."""
        return self.kind in ("cited", "true")


# -- pairs -------------------------------------------------------------------------------------------------


def draw_pairs(library: Library, benchmark: Path) -> list[Pair]:
    """The passages of the cited authority and of three beside it, for each of ``SENTENCES`` sentences."""
    read = open_benchmark(benchmark)
    names = name_documents(read, library)
    searcher = Searcher(library, grammar=Grammar.load(()))
    asked = [each for each in read.questions if isinstance(each, DocumentQuestion)]
    chance = random.Random(SEED)
    chance.shuffle(asked)
    citing = sorted({each.citing for each in asked})
    found: list[Pair] = []
    sentences = 0
    for question in asked:
        document = names.find(question.citing)
        authority = library.catalogue.get(document) if document is not None else None
        excluded = (authority.own_path,) if authority is not None else ()
        query, token = searcher.query(question.text), CancelToken()
        ranked = searcher.rank(query, FAR.stop, Filters(excluded=excluded), token)
        hits = searcher.fetch_hits(ranked, query, token)
        gold = {names.find(name) for name in question.gold}
        place = next((place for place, hit in enumerate(hits[:FIRST]) if hit.authority.id in gold), None)
        others = [at for at, hit in enumerate(hits) if hit.authority.id not in gold]
        distant = [at for at in others if at in FAR]
        if place is None or not distant:
            continue
        near = sorted(others, key=lambda at: abs(at - place))[: KINDS.count("near")]
        for kind, at in zip(KINDS, (place, near[0], chance.choice(distant), *near[1:]), strict=True):
            found.append(
                Pair(
                    question.id,
                    citing.index(question.citing) % 2,
                    kind,
                    at + 1,
                    hits[at].lexical or 0.0,
                    " ".join(query.gist.split()),
                    cut_passage(hits[at].passage.text, frozenset(query.terms), searcher.tokenizer),
                )
            )
        sentences += 1
        if sentences == SENTENCES:
            break
    return found


def draw_holdings(library: Library, name: str) -> list[Pair]:
    """The holdings of the library called ``name``, true and false, with a passage of their authority."""
    searcher, tokenizer = Searcher(library, grammar=Grammar.load(())), Tokenizer()
    by_file = {each.path.stem: each.id for each in library.catalogue.all()}
    found = []
    for number, line in enumerate(HOLDINGS.read_text(encoding="utf-8").splitlines()):
        held_by, file, true, false = line.split("\t")
        if held_by != name:
            continue
        query, token = searcher.query(true), CancelToken()
        within = Filters(within=frozenset({by_file[file]}))
        [hit] = searcher.fetch_hits(searcher.rank(query, 1, within, token), query, token)
        passage = cut_passage(hit.passage.text, frozenset(query.terms), tokenizer)
        for kind, text in (("true", true), ("false", false)):
            found.append(Pair(f"holding {number}", number % 2, kind, 1, hit.lexical or 0.0, text, passage))
    return found


def cut_passage(passage: str, terms: frozenset[str], tokenizer: Tokenizer) -> str:
    """The sentences of a passage, one after the other, that hold most of ``terms`` within ``PASSAGE``."""
    text = " ".join(passage.split())
    cut = cut_sentences(text, [])
    best, most = "", -1
    for first, sentence in enumerate(cut):
        last = max(
            span.end for span in cut[first:] if span.end <= sentence.start + PASSAGE or span == sentence
        )
        window = text[sentence.start : last][:PASSAGE]
        shared = len(terms.intersection(tokenizer.tokenize(window)))
        if shared > most:
            best, most = window, shared
    return best


def write_pairs(path: Path, pairs: Sequence[Pair]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow([field.name for field in fields(Pair)])
        writer.writerows(astuple(pair) for pair in pairs)


def read_pairs(path: Path) -> list[Pair]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [
            Pair(
                row["sentence_id"],
                int(row["half"]),
                row["kind"],
                int(row["place"]),
                float(row["bm25"]),
                row["sentence"],
                row["passage"],
            )
            for row in rows
        ]


# -- scorers -----------------------------------------------------------------------------------------------


def score_by_cosine(sentence: str, passages: Sequence[str]) -> list[float]:
    vectors = _embedder().encode([sentence, *passages])
    return [float(vectors[0] @ vector) for vector in vectors[1:]]


@cache
def _embedder() -> Embedder:
    return open_embedder(threads=1)


VERDICTS = {"contradicted": -1, "not-found": 0, "weakly": 1, "supported": 2}


def score_by_bearing(sentence: str, passages: Sequence[str]) -> list[float]:
    """The verdict of the checks on a citation, and the share of the words behind it."""
    tokens = Tokenizer().tokenize
    scores = []
    for passage in passages:
        statements = [Statement(span, span.of(passage)) for span in cut_sentences(passage, [])]
        bearing = find_bearing(sentence, statements, tokens)
        scores.append(VERDICTS[bearing.verdict] + bearing.share if bearing is not None else 0.0)
    return scores


SYSTEM = "You check legal citations. Answer with one word, yes or no."
QUESTION = (
    "Statement: {sentence}\n\nPassage: {passage}\n\nDoes the passage support the statement? Answer yes or no."
)


def open_llama(path: Path) -> Scorer:
    """A judge that is asked yes or no: the log-odds of yes, as models write it."""
    client = LlamaClient(LlamaOptions(path, context_tokens=2048), ModelProcess())

    def score(sentence: str, passages: Sequence[str]) -> list[float]:
        found = []
        for passage in passages:
            asked = QUESTION.format(sentence=sentence, passage=passage)
            messages = [ChatMessage("system", SYSTEM), ChatMessage("user", asked)]
            told = client.score(messages, ["yes", "Yes", "no", "No"], CancelToken())
            found.append(float(np.logaddexp(*told[:2]) - np.logaddexp(*told[2:])))
        return found

    return score


def open_scorer(name: str) -> Scorer:
    kind, _, path = name.partition(":")
    if kind == "cross-encoder":
        return CrossEncoderClient(path).scores
    if kind == "llama":
        return open_llama(Path(path))
    return {"cosine": score_by_cosine, "bearing": score_by_bearing}[kind]


def short_name(name: str) -> str:
    kind, _, path = name.partition(":")
    return Path(path).stem if path else kind


def ask_scorer(
    name: str, pairs: Sequence[Pair], chosen: Sequence[int], known: dict[str, list[float]], path: Path
) -> None:
    """Have the scorer judge the ``chosen`` pairs, those of one sentence together; ``known`` has score and
    seconds by the number of the pair."""
    score = open_scorer(name)
    score(pairs[0].sentence, [pairs[0].passage])  # loads the model
    waiting = [at for at in chosen if str(at) not in known]
    for _, numbers in groupby(waiting, key=lambda at: (pairs[at].sentence_id, pairs[at].sentence)):
        together = list(numbers)
        started = time.perf_counter()
        scores = score(pairs[together[0]].sentence, [pairs[at].passage for at in together])
        seconds = (time.perf_counter() - started) / len(together)
        known |= {str(at): [value, seconds] for at, value in zip(together, scores, strict=True)}
        with path.open("a", encoding="utf-8") as file:
            for at in together:
                file.write(json.dumps([short_name(name), at, *known[str(at)]]) + "\n")


def choose_pairs(pairs: Sequence[Pair], sentences: int, each: int, holdings: int) -> list[int]:
    """The first ``each`` pairs of the first ``sentences`` sentences, and the first ``holdings``."""
    chosen: list[int] = []
    held = 0
    for number, (name, group) in enumerate(groupby(range(len(pairs)), key=lambda at: pairs[at].sentence_id)):
        together = list(group)
        if name.startswith("holding "):
            held += 1
            chosen += together if held <= holdings else []
        elif number < sentences:
            chosen += together[:each]
    return chosen


def read_scores(path: Path) -> dict[str, dict[str, list[float]]]:
    """What scorers said: by scorer and number of the pair its score and the seconds."""
    scores: dict[str, dict[str, list[float]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        name, at, score, seconds = json.loads(line)
        scores.setdefault(name, {})[str(at)] = [score, seconds]
    return scores


# -- figures -----------------------------------------------------------------------------------------------


def fit_logistic(rows: Column, wanted: Column) -> Callable[[Column], Column]:
    """A logistic regression with a small ridge on standardised columns; Platt's calibration of one column."""
    means, scales = rows.mean(axis=0), np.where(rows.std(axis=0) > 1e-9, rows.std(axis=0), 1.0)

    def widen(given: Column) -> Column:
        return np.column_stack([np.ones(len(given)), (given - means) / scales])

    weights, penalty = np.zeros(rows.shape[1] + 1), RIDGE * np.eye(rows.shape[1] + 1)
    penalty[0, 0] = 1e-6
    wide = widen(rows)
    for _ in range(25):
        chance = 1 / (1 + np.exp(-np.clip(wide @ weights, -30, 30)))
        curvature = (wide * (chance * (1 - chance))[:, None]).T @ wide + penalty
        weights = weights - np.linalg.solve(curvature, wide.T @ (chance - wanted) + penalty @ weights)
    return lambda given: 1 / (1 + np.exp(-np.clip(widen(given) @ weights, -30, 30)))


def predict_unseen(rows: Column, wanted: Column, half: Column) -> Column:
    """The chance of each pair by what was fitted on the other half."""
    chance = np.zeros(len(rows))
    for each in (0, 1):
        chance[half == each] = fit_logistic(rows[half != each], wanted[half != each])(rows[half == each])
    return chance


def measure_auc(scores: Column, wanted: Column) -> float:
    above = scores[wanted == 1][:, None] - scores[wanted == 0][None, :]
    return float((above > 0).mean() + (above == 0).mean() / 2)


def measure_losses(chance: Column, wanted: Column) -> Column:
    kept = np.clip(chance, 1e-6, 1 - 1e-6)
    return -(wanted * np.log(kept) + (1 - wanted) * np.log(1 - kept))


def count_first(scores: Column, pairs: Sequence[Pair]) -> float:
    """How often the cited authority has the highest score of its sentence; a tie counts in part."""
    groups: dict[str, list[int]] = {}
    for at, pair in enumerate(pairs):
        groups.setdefault(pair.sentence_id, []).append(at)
    won = []
    for rows in groups.values():
        best = [at for at in rows if scores[at] == max(scores[rows])]
        won.append(sum(pairs[at].supported for at in best) / len(best))
    return float(np.mean(won))


def report_scorer(
    name: str, pairs: Sequence[Pair], columns: Mapping[str, Column], measures: Sequence[str]
) -> list[object]:
    """A row of the table: alone, and beside lexls' own ``measures``."""
    wanted = np.array([pair.supported for pair in pairs], np.float64)
    half = np.array([pair.half for pair in pairs], np.float64)
    own = np.column_stack([columns[each] for each in measures if each != name])
    given = columns[name]
    alone = predict_unseen(given[:, None], wanted, half)
    before = predict_unseen(own, wanted, half)
    after = predict_unseen(np.column_stack([own, given]), wanted, half)
    gains = measure_losses(before, wanted) - measure_losses(after, wanted)
    by_sentence: dict[str, list[float]] = {}
    for pair, gain in zip(pairs, gains.tolist(), strict=True):
        by_sentence.setdefault(pair.sentence_id, []).append(gain)
    means = np.array([np.mean(each) for each in by_sentence.values()])
    return [
        name,
        len(pairs),
        f"{measure_auc(given, wanted):.3f}",
        f"{measure_losses(alone, wanted).mean():.3f}",
        f"{count_first(given, pairs):.3f}",
        f"{measure_auc(before, wanted):.3f} → {measure_auc(after, wanted):.3f}",
        f"{means.mean():+.4f} ± {means.std() / math.sqrt(len(means)):.4f}",
        f"{count_first(before, pairs):.3f} → {count_first(after, pairs):.3f}",
    ]


def make_tables(pairs: Sequence[Pair], scores: Mapping[str, Mapping[str, list[float]]]) -> list[str]:
    """A table of the scorers: against neighbours, against an authority far away, and of holdings."""
    order = {str(at): [-math.log(each.place), 0.0] for at, each in enumerate(pairs)}
    known = {"order": order, "bm25": {str(at): [each.bm25, 0.0] for at, each in enumerate(pairs)}, **scores}
    rows: dict[str, list[object]] = {name: [name] for name in known}
    head = ["scorer"]
    for title, kinds, own in (
        ("neighbours", ("cited", "near"), OWN),
        ("far", ("cited", "far"), OWN[1:]),
        ("holdings", ("true", "false"), OWN[2:]),
    ):
        head += [f"{title}: pairs, AUC", "log-loss gained", "first"]
        for name, row in rows.items():
            at = [n for n, pair in enumerate(pairs) if pair.kind in kinds and str(n) in known[name]]
            if not at or (name in OWN and name not in own):
                row += ["", "", ""]
                continue
            columns = {each: np.array([known[each][str(n)][0] for n in at]) for each in {*own, name}}
            _, count, auc, _, _, _, gained, first = report_scorer(name, [pairs[n] for n in at], columns, own)
            row += [f"{count}, {auc}", gained, first]
    shown = [[*row, f"{_milliseconds(known[name]):.0f}"] for name, row in rows.items()]
    return [table([*head, "ms a pair"], shown)]


def _milliseconds(known: Mapping[str, list[float]]) -> float:
    return 1000 * float(np.median([seconds for _, seconds in known.values()])) if known else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    actions = parser.add_subparsers(dest="action", required=True)
    drawn = actions.add_parser("pairs")
    for name in ("index", "benchmark", "pairs"):
        drawn.add_argument(name, type=Path)
    drawn.add_argument("--holdings", action="append", default=[], metavar="NAME=INDEX")
    asked = actions.add_parser("score")
    told = actions.add_parser("report")
    for each in (asked, told):
        each.add_argument("pairs", type=Path)
        each.add_argument("scores", type=Path)
    asked.add_argument("--scorer", action="append", required=True)
    asked.add_argument("--sentences", type=int, default=SENTENCES, help="so many sentences only")
    asked.add_argument("--holdings", type=int, default=SENTENCES, help="so many holdings only")
    asked.add_argument("--each", type=int, default=len(KINDS), help="so many pairs of each, the cited first")
    told.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    options = parser.parse_args()
    if options.action == "pairs":
        pairs = draw_pairs(Library(options.index), options.benchmark)
        for each in options.holdings:
            name, _, index = each.partition("=")
            pairs += draw_holdings(Library(Path(index)), name)
        write_pairs(options.pairs, pairs)
        return 0
    pairs = read_pairs(options.pairs)
    scores = read_scores(options.scores)
    if options.action == "score":
        chosen = choose_pairs(pairs, options.sentences, options.each, options.holdings)
        for name in options.scorer:
            ask_scorer(name, pairs, chosen, scores.setdefault(short_name(name), {}), options.scores)
        return 0
    tables = make_tables(pairs, scores)
    print("\n".join(tables))
    if options.write:
        command = "    python benchmarks/bench_judge.py report pairs.tsv scores.jsonl --write\n"
        about = (
            "After `pairs` and `score` (see the script). How well scorers tell whether a passage supports "
            "a sentence: against *neighbours* in a search, against an authority *far* away, and "
            "*holdings*, true against false. Log-loss: what the scorer gains beside lexls' own measures. "
            "*First*: how often the supported one has the highest score, before → after.\n"
        )
        print(write_results("Judges of support", [command, about, *tables]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
