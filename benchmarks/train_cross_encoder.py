"""Fine-tune a cross-encoder on citing sentences, and measure it in countries that it was not tuned on.

    pip install 'lexls[models]'
    python benchmarks/train_cross_encoder.py us=us.sqlite3 in=in.sqlite3 scotus=scotus.sqlite3 \\
        --benchmark us=../shared/benchmarks/support_us.dev.jsonl --embedder FOLDER \\
        --model FOLDER [--layers 6] --tune us+scotus --tune in

It reads the best passages, by similarity and by words, of the first documents of words and similarity
together, and is tuned on the passages that ``train_embedder.py`` chooses by the embedder as it is. Its
score, in standard deviations above the mean of a question's documents, is added to the reciprocal rank with
each of ``WEIGHTS``; the last is its own order.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as functional
from citing_pairs import fuse_with_words, measure, read_corpus
from measuring import table
from train_embedder import (
    DEVICE,
    HALF,
    SEED,
    Chosen,
    Training,
    choose,
    descend,
    draw,
    encode,
    rank_nearest,
)
from train_reranker import read_pair
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

DEPTH = 32
"""So many documents are read."""
MOST_OF_QUESTION, MOST_PIECES = 96, 320
QUESTIONS, OTHERS = 24, 7
"""Questions a step, and passages beside the one that supports it."""
EPOCHS, RATE = 3, 3e-5
AT_A_TIME = 512
WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.4, 1e3)

Pair = tuple[int, int]


def score_pairs(model: Any, training: Training, pairs: Sequence[Pair]) -> torch.Tensor:
    """What the model makes of (question, passage) pairs."""
    rows = []
    for question, passage in pairs:
        asked = training.questions.flat[slice(*training.questions.offsets[question : question + 2])]
        if len(asked) > MOST_OF_QUESTION:
            asked = np.concatenate([asked[: MOST_OF_QUESTION - 1], asked[-1:]])
        read = training.passages.flat[slice(*training.passages.offsets[passage : passage + 2])][1:]
        rows.append((asked, read[: MOST_PIECES - len(asked)]))
    longest = max(len(asked) + len(read) for asked, read in rows)
    ids, held, types = (np.zeros((len(rows), longest), np.int64) for _ in range(3))
    for number, (asked, read) in enumerate(rows):
        end = len(asked) + len(read)
        ids[number, :end] = np.concatenate([asked, read])
        held[number, :end] = 1
        types[number, len(asked) : end] = 1
    ids_, held_, types_ = (torch.from_numpy(each).to(DEVICE) for each in (ids, held, types))
    with torch.autocast(DEVICE, dtype=HALF):
        scores = model(input_ids=ids_, attention_mask=held_, token_type_ids=types_).logits[:, 0]
    found: torch.Tensor = scores.float()
    return found


def tune(base: Any, trainings: Sequence[Training], chosen: Sequence[Sequence[Chosen]]) -> Any:
    """A copy of ``base`` that prefers what supports a question to the passages beside it."""
    torch.manual_seed(SEED)
    chance = np.random.default_rng(SEED)
    model = copy.deepcopy(base)
    steps = EPOCHS * max(1, sum(map(len, chosen)) // QUESTIONS)

    def lose(step: int) -> torch.Tensor:
        at, drawn = draw(chance, chosen, QUESTIONS)
        pairs: list[Pair] = []
        for each in (chosen[at][number] for number in drawn):
            others = chance.choice(each.others, OTHERS, replace=len(each.others) < OTHERS)
            pairs += [(each.question, int(chance.choice(each.supporting, p=each.chances)))]
            pairs += [(each.question, int(row)) for row in others]
        scores = score_pairs(model, trainings[at], pairs).view(len(drawn), -1)
        return functional.cross_entropy(scores, torch.zeros(len(drawn), dtype=torch.long, device=DEVICE))

    return descend(model, steps, RATE, lose)


def find_first(training: Training, embedder: Any) -> list[tuple[list[int], dict[int, list[int]]]]:
    """For each question the documents in their fused order, and the passages of the first that are read."""
    corpus, found = training.corpus, []
    passages, questions = encode(embedder, training.passages), encode(embedder, training.questions)
    rows_of = [np.flatnonzero(corpus.documents == each) for each in range(corpus.document_count)]
    for number, question in enumerate(corpus.questions):
        cosines = passages @ questions[number]
        fused = fuse_with_words(corpus, question, rank_nearest(training, question, cosines))[:100]
        by_words: dict[int, int] = {}
        for row in question.by_words.tolist():
            by_words.setdefault(int(corpus.documents[row]), row)
        read = {}
        for document in fused[:DEPTH]:
            rows = rows_of[document]
            nearest_row = int(rows[int(cosines[torch.from_numpy(rows).to(DEVICE)].argmax())])
            read[document] = list(dict.fromkeys([nearest_row, by_words.get(document, nearest_row)]))
        found.append((fused, read))
    return found


@torch.no_grad()
def measure_model(
    model: Any, training: Training, first: Sequence[tuple[list[int], dict[int, list[int]]]]
) -> list[tuple[float, ...]]:
    """The mean reciprocal rank and recall@10 with each of ``WEIGHTS``."""
    pairs = [(q, row) for q, (_, read) in enumerate(first) for rows in read.values() for row in rows]
    order = sorted(range(len(pairs)), key=lambda at: -int(np.diff(training.passages.offsets)[pairs[at][1]]))
    scores = np.zeros(len(pairs))
    for at in range(0, len(order), AT_A_TIME):
        part = order[at : at + AT_A_TIME]
        scores[part] = score_pairs(model, training, [pairs[n] for n in part]).cpu().numpy()
    told = iter(scores.tolist())
    best = [{document: max(next(told) for _ in rows) for document, rows in read.items()} for _, read in first]
    measured = []
    for weight in WEIGHTS:
        figures = []
        for question, (fused, _), scored in zip(training.corpus.questions, first, best, strict=True):
            mean, spread = np.mean([*scored.values()]), np.std([*scored.values()]) + 1e-6
            worth = {
                document: 1 / (1 + 0.2 * place)
                + weight * (scored.get(document, mean - 3 * spread) - mean) / spread
                for place, document in enumerate(fused)
            }
            figures.append(measure(sorted(fused, key=lambda each: -worth[each]), question)[:2])
        measured.append(tuple(np.mean(figures, axis=0).round(3).tolist()))
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", nargs="+", type=read_pair, help="NAME=INDEX")
    parser.add_argument("--benchmark", action="append", default=[], type=read_pair, help="NAME=FILE")
    parser.add_argument("--embedder", required=True, help="as --model of train_embedder.py")
    parser.add_argument("--model", required=True, help="a BERT of the same vocabulary with one label")
    parser.add_argument("--layers", type=int, help="keep so many of its layers")
    parser.add_argument("--tune", action="append", default=[], help="libraries to learn from, as in us+in")
    options = parser.parse_args()
    benchmarks = dict(options.benchmark)
    tokenizer = AutoTokenizer.from_pretrained(options.embedder)
    embedder = AutoModel.from_pretrained(options.embedder, add_pooling_layer=False, dtype=torch.float32)
    embedder = embedder.to(DEVICE).eval()
    base = AutoModelForSequenceClassification.from_pretrained(options.model, dtype=torch.float32).to(DEVICE)
    if options.layers:
        layers = base.bert.encoder.layer
        kept = np.linspace(0, len(layers) - 1, options.layers).round().astype(int)
        base.bert.encoder.layer = torch.nn.ModuleList([layers[place] for place in kept])
    trainings = {
        name: Training.of(tokenizer, read_corpus(name, index, benchmarks.get(name)))
        for name, index in options.library
    }
    first = {name: find_first(each, embedder) for name, each in trainings.items()}
    rows = []

    def report(tuned: str, model: Any, names: Sequence[str]) -> None:
        for name in names:
            measured = measure_model(model, trainings[name], first[name])
            rows.append((name, tuned, *(f"{mrr:.3f} / {recall:.3f}" for mrr, recall in measured)))

    report("nothing", base.eval(), list(trainings))
    for tuned in options.tune:
        names = tuned.split("+")
        chosen = [choose(trainings[name], embedder) for name in names]
        model = tune(base, [trainings[name] for name in names], chosen)
        report(tuned, model, [each for each in trainings if each not in names])
    print(table(("scored on", "tuned on", *(f"× {weight:g}" for weight in WEIGHTS)), rows))


if __name__ == "__main__":
    main()
