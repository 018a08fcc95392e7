"""Learn the weights of the classifier of rhetorical roles (``lexls/library/roles/weights.npz``).

1. Sentences of judgments without a label by hand are labelled where the indicators leave no doubt: one role
   alone has a strong indicator and leads by two points; sentences between two such ones of a role that comes
   in runs; sentences under a heading that names a role; early sentences that sound like facts and late ones
   that sound like discussion. Half of those labelled by an indicator of their own lose the indicators'
   features, so that words are learnt and not only the indicators.
2. A multinomial logistic regression over words, pairs of words and the other features is fitted to them.
3. On the sentences labelled by hand the weights of the other features (not of words) are corrected, with a
   penalty that keeps the correction small. ``--validate`` does this in nine folds by judgment, for several
   mixtures of classifier and rules. ``--labels development`` leaves the held-out half out.

The judgments labelled by hand are not among those of step 1.

    python benchmarks/train_roles.py --data ../shared/data --out lexls/library/roles/weights.npz

Needs scikit-learn and SciPy.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from labelled_roles import FOLDER, Judgment, Labelled, labelled, read_judgment
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression

from lexls.citations.grammar import Grammar
from lexls.library.document import UnreadableFile
from lexls.library.roles.indicators import (
    NAMES,
    FeatureReader,
    IndicatorFile,
    SentenceFeatures,
    load_indicators,
)
from lexls.library.roles.reader import (
    RoleWeights,
    classify_by_rules,
    make_pair_keys,
    score_by_rules,
    smooth,
)
from lexls.library.roles.role import ROLES
from lexls.library.roles.words import Vocabulary, find_sentence_spans

SAMPLES = (("in-cases", 550), ("us-cases", 500), ("scotus", 40))
LARGEST_FILE = 150_000
WORDS = 5_000
FEWEST_JUDGMENTS = 25
PAIRS = 6_000
MOST_OF_A_ROLE = 6_000
REGULARISATION = 0.3
CORRECTION = 10.0
"""The weight of the square of the corrections in step 3."""
SCALE, RULES, SMOOTHING = 0.5, 0.5, 0.3
"""What the classifier and the rules count together, and the neighbours; chosen by ``--validate``."""
FOLDS = 9
SEED = 7
COUNT = len(ROLES)
AT = {role: place for place, role in enumerate(ROLES)}
SINGLE = ("RPC", "NONE", "ISSUE", "PREAMBLE", "RATIO")
"""Roles that do not come in runs."""

Labels = NDArray[np.int64]


def sample(data: Path) -> list[Judgment]:
    """Judgments without a label by hand."""
    known = {
        json.loads(line)["file"]
        for half in ("development", "heldout")
        for line in (FOLDER / f"{half}.jsonl").read_text("utf-8").splitlines()
    }
    chooser, grammar = random.Random(SEED), Grammar.load()
    found = []
    for folder, count in SAMPLES:
        names = sorted(
            f"{folder}/{path.name}"
            for path in (data / folder).iterdir()
            if path.suffix in (".txt", ".md") and path.stat().st_size < LARGEST_FILE
        )
        for name in chooser.sample([each for each in names if each not in known], count):
            try:
                found.append(read_judgment(data, name, grammar))
            except UnreadableFile:
                continue
    return found


def vocabulary(judgments: Sequence[Judgment], indicators: IndicatorFile) -> tuple[str, ...]:
    """The words of the indicators, and those in most judgments."""
    counted: Counter[str] = Counter()
    for each in judgments:
        counted.update({word.lower() for word in _words(each.text)})
    frequent = [word for word, count in counted.most_common(WORDS) if count >= FEWEST_JUDGMENTS]
    return tuple(dict.fromkeys([*indicators.words(), *frequent]))


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z\u00c0-\u024f]+", text)


def doubtless(features: SentenceFeatures) -> tuple[Labels, NDArray[np.bool_]]:
    """A role for the sentences that leave no doubt (-1 for others), and whether an own indicator gave it."""
    count = len(features.sentences)
    indicators, rows = features.indicators, np.arange(count)
    best = indicators.argmax(axis=1)
    ordered = np.sort(indicators, axis=1)
    margin = ordered[:, -1] - ordered[:, -2]
    roles = np.full(count, -1)
    sure = (features.strong.sum(axis=1) == 1) & (margin >= 2) & features.strong[rows, best]
    roles[sure] = best[sure]
    own = sure.copy()
    place = rows / count
    roles[(roles == AT["RPC"]) & (place < 0.3)] = -1
    roles[(roles == AT["PREAMBLE"]) & (rows > 15)] = -1
    roles[:2] = AT["PREAMBLE"]
    own[:2] = False
    last = -1
    for row in range(count):
        if roles[row] < 0:
            continue
        if (
            last >= 0
            and roles[last] == roles[row]
            and 1 < row - last <= 4
            and ROLES[roles[row]] not in SINGLE
        ):
            for between in range(last + 1, row):
                if margin[between] < 2.5 or best[between] == roles[row]:
                    roles[between] = roles[row]
        last = row
    for role in ("FAC", "ANALYSIS", "ARG_PETITIONER", "ARG_RESPONDENT"):
        roles[(roles < 0) & (features.headings == AT[role]) & (margin < 2.5)] = AT[role]
    sounds = ordered[:, -1] >= 1.5
    early = (roles < 0) & (place < 0.2) & (features.headings < 0) & sounds & (best == AT["FAC"])
    roles[early] = AT["FAC"]
    late = (roles < 0) & (place > 0.45) & sounds & (margin >= 1) & (best == AT["ANALYSIS"])
    roles[late] = AT["ANALYSIS"]
    return roles, own & (roles >= 0)


def frequent_pairs(features: Sequence[SentenceFeatures], size: int) -> NDArray[np.int64]:
    """The sorted keys of the pairs of words that stand in most judgments."""
    counted: Counter[int] = Counter()
    for each in features:
        counted.update(np.unique(make_pair_keys(each.sentences, size)[0]).tolist())
    return np.array(sorted(key for key, _ in counted.most_common(PAIRS)), np.int64)


def matrix(features: SentenceFeatures, pairs: NDArray[np.int64], size: int) -> sparse.csr_matrix:
    """The features of sentences as the classifier sees them: words, pairs, the others."""
    sentences = features.sentences
    count = len(sentences)
    lengths = np.diff(sentences.starts)
    share = 1 / np.sqrt(lengths)
    owner = np.repeat(np.arange(count), lengths)
    words = sparse.csr_matrix((share[owner], (owner, sentences.numbers)), shape=(count, size))
    keys, owners = make_pair_keys(sentences, size)
    at = np.minimum(np.searchsorted(pairs, keys), len(pairs) - 1)
    known = pairs[at] == keys
    joined = sparse.csr_matrix((share[owners[known]], (owners[known], at[known])), shape=(count, len(pairs)))
    return sparse.hstack([words, joined, sparse.csr_matrix(features.dense)]).tocsr()


def fitted(
    x: sparse.csr_matrix, roles: Labels, own: NDArray[np.bool_], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Step 2: the weights, a row a feature and a column a role."""
    rows = np.concatenate(
        [generator.permutation(np.flatnonzero(roles == role))[:MOST_OF_A_ROLE] for role in range(COUNT)]
    )
    dropped = own[rows] & (generator.random(len(rows)) < 0.5)
    first = x.shape[1] - len(NAMES)
    chosen = x[rows].tocsc()
    indicators = sparse.diags((~dropped).astype(float)) @ chosen[:, first : first + COUNT]
    chosen = sparse.hstack([chosen[:, :first], indicators, chosen[:, first + COUNT :]]).tocsr()
    model = LogisticRegression(C=REGULARISATION, max_iter=60, fit_intercept=False).fit(chosen, roles[rows])
    learnt = np.zeros((x.shape[1], COUNT))
    learnt[:, model.classes_] = model.coef_.T
    return learnt


@dataclass(frozen=True, slots=True)
class Example:
    """A judgment labelled by hand: its features, and the rows and roles of what is labelled."""

    features: SentenceFeatures
    x: sparse.csr_matrix
    rows: list[int]
    roles: Labels


def example(each: Labelled, reader: FeatureReader, pairs: NDArray[np.int64]) -> Example:
    judgment = each.judgment
    features = reader.read(judgment.texts, judgment.headings)
    sentences = [
        span.shift(passage.start)
        for passage, text in zip(judgment.passages, judgment.texts, strict=True)
        for span in find_sentence_spans(text, reader.vocabulary)
    ]
    roles = np.array([AT[role] for role in each.roles])
    x = matrix(features, pairs, len(reader.vocabulary.words))
    return Example(features, x, each.rows(sentences), roles)


def logits(each: Example, learnt: NDArray[np.float64], scale: float, rules: float) -> NDArray[np.float64]:
    return np.asarray(scale * (each.x @ learnt) + rules * score_by_rules(each.features))


def correction(
    examples: Sequence[Example], learnt: NDArray[np.float64], scale: float, rules: float
) -> NDArray[np.float64]:
    """Step 3: what to add to the weights of the features that are no words."""
    dense = np.vstack([each.features.dense[each.rows] for each in examples])
    given = np.vstack([logits(each, learnt, scale, rules)[each.rows] for each in examples])
    roles = np.concatenate([each.roles for each in examples])
    wanted = np.eye(COUNT)[roles]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        added = flat.reshape(-1, COUNT)
        total = given + dense @ added
        normal = logsumexp(total, axis=1, keepdims=True)
        value = -(total - normal)[np.arange(len(roles)), roles].sum() + 0.5 * CORRECTION * (flat @ flat)
        gradient = dense.T @ (np.exp(total - normal) - wanted) + CORRECTION * added
        return float(value), gradient.ravel()

    start = np.zeros(dense.shape[1] * COUNT)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 60})
    return np.asarray(found.x.reshape(-1, COUNT))


def validate(examples: Sequence[Example], learnt: NDArray[np.float64]) -> None:
    """Print accuracy and macro-F1 of rules alone and of several mixtures, in nine folds by judgment."""
    gold = np.concatenate([each.roles for each in examples])
    alone = [classify_by_rules(each.features)[each.rows].argmax(axis=1) for each in examples]
    print(f"rules alone: {_figures(gold, np.concatenate(alone))}", flush=True)
    for scale, rules in ((1.0, 0.0), (0.7, 0.3), (0.5, 0.5), (0.3, 0.7), (0.0, 1.0)):
        scored = []
        for fold in range(FOLDS):
            train = [each for place, each in enumerate(examples) if place % FOLDS != fold]
            added = correction(train, learnt, scale, rules)
            for each in examples[fold::FOLDS]:
                scored.append((each, logits(each, learnt, scale, rules) + each.features.dense @ added))
        gold = np.concatenate([each.roles for each, _ in scored])
        for smoothing in (0.0, 0.3, 1.0):
            found = [
                smooth(total, np.eye(COUNT), smoothing)[each.rows].argmax(axis=1) for each, total in scored
            ]
            figures = _figures(gold, np.concatenate(found))
            print(f"classifier {scale}, rules {rules}, smoothing {smoothing}: {figures}", flush=True)


def _figures(gold: Labels, found: Labels) -> str:
    f1 = [
        2 * ((found == role) & (gold == role)).sum() / ((found == role).sum() + (gold == role).sum())
        for role in np.unique(gold)
    ]
    return f"accuracy {(gold == found).mean():.3f}, macro-F1 {np.mean(f1):.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder that holds in-cases and us-cases"
    )
    parser.add_argument("--out", type=Path, help="where to write the weights")
    parser.add_argument("--validate", action="store_true", help="compare mixtures in cross-validation")
    parser.add_argument("--labels", choices=("development", "all"), default="all")
    options = parser.parse_args()
    generator = np.random.default_rng(SEED)
    judgments, indicators = sample(options.data), load_indicators()
    words = vocabulary(judgments, indicators)
    reader = FeatureReader(indicators, Vocabulary(words))
    size = len(reader.vocabulary.words)
    features = [reader.read(each.texts, each.headings) for each in judgments]
    pairs = frequent_pairs(features[::3], size)
    labels = [doubtless(each) for each in features]
    roles = np.concatenate([each for each, _ in labels])
    own = np.concatenate([each for _, each in labels])
    print(
        f"{len(judgments)} judgments, {len(roles)} sentences, {(roles >= 0).sum()} labelled by the indicators"
    )
    x = sparse.vstack([matrix(each, pairs, size) for each in features]).tocsr()
    learnt = fitted(x, roles, own, generator)
    halves = ("development", "heldout") if options.labels == "all" else ("development",)
    examples = [example(each, reader, pairs) for half in halves for each in labelled(half, options.data)]
    if options.validate:
        validate(examples, learnt)
    if options.out:
        learnt_dense = SCALE * learnt[-len(NAMES) :] + correction(examples, learnt, SCALE, RULES)
        weights = RoleWeights(
            words=words,
            by_word=(SCALE * learnt[:size]).astype(np.float32),
            pairs=pairs,
            by_pair=(SCALE * learnt[size : size + len(pairs)]).astype(np.float32),
            by_feature=learnt_dense,
            transitions=np.eye(COUNT),
            rules=RULES,
            smoothing=SMOOTHING,
        )
        with options.out.open("wb") as stream:
            weights.save(stream)
        print(f"{options.out}: {options.out.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
