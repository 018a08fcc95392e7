"""Fine-tune an embedder on citing sentences, and measure it in countries that it was not tuned on.

    pip install 'lexls[models]'
    python benchmarks/train_embedder.py us=us.sqlite3 in=in.sqlite3 scotus=scotus.sqlite3 \\
        --benchmark us=../shared/benchmarks/support_us.dev.jsonl \\
        --model sentence-transformers/all-MiniLM-L6-v2 --tune us+scotus --tune in [--alike 0.5]

The indexes may be without vectors. Each ``--tune`` names libraries to learn from; the result is measured on
the others. A question is drawn to the passages of what it cites that it fits best (by similarity and words,
chosen anew every second epoch) and away from the other passages of its batch and the hardest of the library;
with ``--alike`` sentences of two documents that cite the same are drawn together besides. The cosines between
passages are held near those of the model as it was. A GPU takes about a minute a library, two processor
cores some hours.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as functional
from citing_pairs import Corpus, Question, Rows, fuse_with_words, measure, read_corpus
from measuring import table
from train_reranker import read_pair
from transformers import AutoModel, AutoTokenizer

MOST_PIECES = 256
TOKENS = 131_072
"""Word pieces of a batch that is only encoded."""
SCALE = 20.0
"""What a cosine counts in the loss (a temperature of 0.05)."""
BATCH, HARD, ALIKE = 48, 4, 192
"""Questions, hard negatives of each, and pairs of sentences citing alike a step."""
HELD = 20.0
"""What squared differences of cosines between passages count."""
SEED = 0

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HALF = torch.float16 if DEVICE == "cuda" else torch.bfloat16


@dataclass(frozen=True, slots=True)
class Pieces:
    """The word pieces of texts, one after the other."""

    flat: Rows
    offsets: Rows

    @classmethod
    def of(cls, tokenizer: Any, texts: Sequence[str]) -> Pieces:
        read = tokenizer(list(texts), truncation=True, max_length=MOST_PIECES)["input_ids"]
        offsets = np.concatenate([[0], np.cumsum([len(each) for each in read])])
        return cls(np.concatenate([np.asarray(each, np.int64) for each in read]), offsets)

    def batch(self, rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
        """The ids of some texts (rows × longest) and which of them are there."""
        lengths = self.offsets[rows + 1] - self.offsets[rows]
        ids = np.zeros((len(rows), int(lengths.max())), np.int64)
        for number, (row, length) in enumerate(zip(rows, lengths, strict=True)):
            ids[number, :length] = self.flat[self.offsets[row] : self.offsets[row] + length]
        held = np.arange(ids.shape[1]) < lengths[:, None]
        return torch.from_numpy(ids).to(DEVICE), torch.from_numpy(held.astype(np.int64)).to(DEVICE)


@dataclass(frozen=True, slots=True)
class Training:
    """A corpus in word pieces."""

    corpus: Corpus
    passages: Pieces
    questions: Pieces
    alike: Pieces
    owners: torch.Tensor = field(repr=False)

    @classmethod
    def of(cls, tokenizer: Any, corpus: Corpus) -> Training:
        return cls(
            corpus,
            Pieces.of(tokenizer, corpus.passages),
            Pieces.of(tokenizer, [each.text for each in corpus.questions]),
            Pieces.of(tokenizer, [each.text for each in corpus.alike] or [""]),
            torch.from_numpy(corpus.documents).to(DEVICE),
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """Passages that a question is drawn to, with their chances, and passages that it is driven from."""

    question: int
    supporting: Rows
    chances: np.ndarray[Any, np.dtype[np.float64]]
    others: Rows


def pool(model: Any, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Unit vectors: the mean over the word pieces."""
    ids, held = batch
    with torch.autocast(DEVICE, dtype=HALF):
        states = model(input_ids=ids, attention_mask=held).last_hidden_state
    mask = held[..., None].to(states.dtype)
    return functional.normalize(((states * mask).sum(1) / mask.sum(1)).float(), dim=-1)


@torch.no_grad()
def encode(model: Any, pieces: Pieces) -> torch.Tensor:
    """The vectors of all texts (texts × dimension), long ones first in batches of like lengths."""
    model.eval()
    lengths = np.diff(pieces.offsets)
    order = np.argsort(-lengths, kind="stable")
    vectors = torch.empty((len(lengths), model.config.hidden_size), device=DEVICE)
    at = 0
    while at < len(order):
        rows = order[at : at + max(1, TOKENS // int(lengths[order[at]]))]
        vectors[torch.from_numpy(rows).to(DEVICE)] = pool(model, pieces.batch(rows))
        at += len(rows)
    return vectors


def choose(training: Training, model: Any) -> list[Chosen]:
    """For each question what it is drawn to and driven from, by the model as it is now."""
    corpus, found = training.corpus, []
    passages, questions = encode(model, training.passages), encode(model, training.questions)
    for number, question in enumerate(corpus.questions):
        if not question.cites:
            continue
        cosines = passages @ questions[number]
        own = torch.from_numpy(np.flatnonzero(np.isin(corpus.documents, list(question.cites)))).to(DEVICE)
        fitting = cosines.clone()
        if len(question.cited_by_words):
            bonus = torch.linspace(0.15, 0.0, len(question.cited_by_words), device=DEVICE)
            fitting[torch.from_numpy(question.cited_by_words).to(DEVICE)] += bonus
        best = fitting[own].topk(min(4, len(own)))
        barred = torch.from_numpy(np.isin(corpus.documents, list(question.barred))).to(DEVICE)
        near = cosines.masked_fill(barred, -9).topk(30).indices[3:].cpu().numpy()
        by_words = [row for row in question.by_words.tolist() if corpus.documents[row] not in question.barred]
        others = np.array(list(dict.fromkeys([*by_words[:15], *near.tolist()])), np.int64)
        chances = torch.softmax(best.values / 0.03, 0).double().cpu().numpy()
        supporting = own[best.indices].cpu().numpy()
        found.append(Chosen(number, supporting, chances / chances.sum(), others))
    return found


def pair_up(training: Training, model: Any) -> Rows:
    """Sentences of two documents that cite the same, each with the three most like it (pairs × 2)."""
    alike = training.corpus.alike
    if not alike:
        return np.empty((0, 2), np.int64)
    vectors = encode(model, training.alike)
    citing: defaultdict[str, list[int]] = defaultdict(list)
    for number, sentence in enumerate(alike):
        for key in sentence.keys:
            citing[key].append(number)
    documents = np.array([each.document for each in alike])
    pairs = []
    for numbers in citing.values():
        rows = np.array(numbers)
        cosines = vectors[torch.from_numpy(rows).to(DEVICE)] @ vectors[torch.from_numpy(rows).to(DEVICE)].T
        same = documents[rows][:, None] == documents[rows][None]
        best = cosines.masked_fill(torch.from_numpy(same).to(DEVICE), -9).topk(min(3, len(rows)), dim=1)
        for row, values, places in zip(rows, best.values.tolist(), best.indices.tolist(), strict=True):
            pairs += [
                (row, rows[to]) for cosine, to in zip(values, places, strict=True) if 0.35 < cosine < 0.97
            ]
    return np.array(pairs, np.int64).reshape(-1, 2)


def lose_questions(
    training: Training, chosen: Sequence[Chosen], model: Any, base: torch.Tensor, chance: np.random.Generator
) -> torch.Tensor:
    """How far questions are from what they cite, and passages from where they were."""
    corpus = training.corpus
    supporting = [int(chance.choice(each.supporting, p=each.chances)) for each in chosen]
    hard = [chance.choice(each.others, HARD, replace=len(each.others) < HARD) for each in chosen]
    rows = np.concatenate([supporting, *hard]).astype(np.int64)
    questions = pool(model, training.questions.batch(np.array([each.question for each in chosen])))
    passages = pool(model, training.passages.batch(rows))
    barred = np.stack(
        [np.isin(corpus.documents[rows], list(corpus.questions[each.question].barred)) for each in chosen]
    )
    barred[np.arange(len(chosen)), np.arange(len(chosen))] = False
    logits = (SCALE * questions @ passages.T).masked_fill(torch.from_numpy(barred).to(DEVICE), -1e4)
    before = base[torch.from_numpy(rows).to(DEVICE)]
    moved = ((passages @ passages.T - before @ before.T) ** 2).mean()
    return functional.cross_entropy(logits, torch.arange(len(chosen), device=DEVICE)) + HELD * moved


def lose_alike(training: Training, pairs: Rows, model: Any) -> torch.Tensor:
    """How far sentences are from those that cite the same."""
    one, other = (pool(model, training.alike.batch(column)) for column in pairs.T)
    keys = [training.corpus.alike[row].keys for row in pairs[:, 0]]
    others = [training.corpus.alike[row].keys for row in pairs[:, 1]]
    same = np.array([[bool(a & b) for b in others] for a in keys])
    np.fill_diagonal(same, False)
    logits = (SCALE * one @ other.T).masked_fill(torch.from_numpy(same).to(DEVICE), -1e4)
    right = torch.arange(len(pairs), device=DEVICE)
    return (functional.cross_entropy(logits, right) + functional.cross_entropy(logits.T, right)) / 2


def tune(base: Any, trainings: Sequence[Training], options: argparse.Namespace) -> Any:
    """A copy of ``base``, fine-tuned."""
    torch.manual_seed(SEED)
    chance = np.random.default_rng(SEED)
    model = copy.deepcopy(base)
    before = [encode(base, each.passages) for each in trainings]
    pairs = [pair_up(each, base) for each in trainings] if options.alike else []
    chosen = [choose(each, base) for each in trainings]
    steps = options.epochs * max(1, sum(map(len, chosen)) // BATCH)

    def lose(step: int) -> torch.Tensor:
        nonlocal chosen
        if step and step % (2 * (steps // options.epochs)) == 0:
            chosen = [choose(each, model) for each in trainings]
            model.train()
        at, drawn = draw(chance, chosen, BATCH)
        loss = lose_questions(trainings[at], [chosen[at][n] for n in drawn], model, before[at], chance)
        if any(map(len, pairs)):
            at, drawn = draw(chance, pairs, ALIKE)
            loss = loss + options.alike * lose_alike(trainings[at], pairs[at][drawn], model)
        return loss

    return descend(model, steps, options.rate, lose)


def draw(chance: np.random.Generator, of: Sequence[Sized], most: int) -> tuple[int, Rows]:
    """One of several collections, by their sizes, and ``most`` places in it by lot."""
    sizes = np.array([len(each) for each in of], float)
    at = int(chance.choice(len(of), p=sizes / sizes.sum()))
    return at, chance.choice(len(of[at]), min(most, len(of[at])), replace=False)


def descend(model: Any, steps: int, rate: float, lose: Callable[[int], torch.Tensor]) -> Any:
    """``model`` after so many steps (from 0) down what it is to ``lose``: a tenth of them to warm up, then
    ever slower.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    warm = 0.1 * steps + 1
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / warm) * max(0.02, 1 - step / steps)
    )
    scaler = torch.amp.GradScaler(DEVICE, enabled=DEVICE == "cuda")
    model.train()
    for step in range(steps):
        loss = lose(step)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        schedule.step()
    return model.eval()


def rank_nearest(training: Training, question: Question, cosines: torch.Tensor) -> list[int]:
    """The documents by their passage most like ``question``, whose cosine with each passage is given."""
    count = training.corpus.document_count
    best = torch.full((count,), -2.0, device=DEVICE)
    best.scatter_reduce_(0, training.owners, cosines, "amax")
    order = best.topk(min(200, count)).indices.tolist()
    return [each for each in order if each not in question.barred or each in question.cites][:150]


def score(training: Training, model: Any) -> Mapping[str, list[float]]:
    """The measures of each ranking over all questions."""
    corpus = training.corpus
    passages, questions = encode(model, training.passages), encode(model, training.questions)
    found: dict[str, list[tuple[float, float, float]]] = {"words": [], "similarity": [], "both": []}
    for number, question in enumerate(corpus.questions):
        nearest = rank_nearest(training, question, passages @ questions[number])
        found["words"].append(measure(fuse_with_words(corpus, question, []), question))
        found["similarity"].append(measure(nearest, question))
        found["both"].append(measure(fuse_with_words(corpus, question, nearest), question))
    return {name: np.mean(rows, axis=0).round(3).tolist() for name, rows in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", nargs="+", type=read_pair, help="NAME=INDEX")
    parser.add_argument("--benchmark", action="append", default=[], type=read_pair, help="NAME=FILE")
    parser.add_argument("--model", required=True, help="a BERT whose vectors are means, by name or folder")
    parser.add_argument("--tune", action="append", default=[], help="libraries to learn from, as in us+in")
    parser.add_argument("--alike", type=float, default=0.0, help="what sentences citing alike count")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--save", type=Path, help="a folder for the models")
    options = parser.parse_args()
    benchmarks = dict(options.benchmark)
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    base = AutoModel.from_pretrained(options.model, add_pooling_layer=False, dtype=torch.float32).to(DEVICE)
    trainings = {
        name: Training.of(tokenizer, read_corpus(name, index, benchmarks.get(name)))
        for name, index in options.library
    }
    rows = []

    def report(tuned: str, model: Any, names: Sequence[str], seconds: float) -> None:
        for name in names:
            for ranking, figures in score(trainings[name], model).items():
                rows.append((name, tuned, ranking, *(f"{each:.3f}" for each in figures), f"{seconds:.0f}"))

    report("nothing", base, list(trainings), 0.0)
    for tuned in options.tune:
        names = tuned.split("+")
        began = time.perf_counter()
        model = tune(base, [trainings[name] for name in names], options)
        report(tuned, model, [each for each in trainings if each not in names], time.perf_counter() - began)
        if options.save:
            model.save_pretrained(options.save / tuned)
            tokenizer.save_pretrained(options.save / tuned)
    print(table(("scored on", "tuned on", "ranking", "MRR", "recall@10", "recall@100", "s"), rows))


if __name__ == "__main__":
    main()
