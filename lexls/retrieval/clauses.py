"""Recognise the clause types that a question asks for, and score passages by how likely they are such
clauses.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lexls.index.tokens import Tokenizer
from lexls.text.phrases import compile_pattern, define_parts, load_phrases
from lexls.text.spans import Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_FUNCTION_WORD = 0.25
"""Weight of a function word such as "who" or "how", relative to other words."""
_MORE_TRIGGERS = 0.1
_TIE = 0.05
_LEAST = 0.35
"""Minimum score of a clause type that a question asks for."""

_CIRCUMSTANCE = 0.5
"""Factor for the scores of triggers that may only state a circumstance; see ``ClauseType.circumstance``."""
_PLAINLY = 1.3
"""Score of an everyday phrase that asks for a clause type."""

Trigger = tuple[frozenset[str], ...]
"""Words that name a clause type in a question: at least one stem of each set must occur."""


@dataclass(frozen=True, slots=True)
class ClauseType:
    """A clause type.

    ``asks`` are the triggers that name it in a question. ``plainly`` matches everyday ways of asking for it
    (None if unknown). ``says`` has phrases of such clauses (index terms joined by spaces) with their weights.
    ``headings`` has the terms of their usual headings. ``circumstance`` is true if the triggers may only
    state when something else applies ("after it ends").
    """

    name: str
    asks: tuple[Trigger, ...]
    says: Mapping[str, float]
    headings: frozenset[tuple[str, ...]]
    circumstance: bool = False
    plainly: re.Pattern[str] | None = None


class ClauseTypes:
    """The clause types. Recognises those that a question asks for."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        table = load_phrases("lexls.retrieval", "data/clause_types.toml")
        plain = load_phrases("lexls.retrieval", "data/plain_questions.toml")
        parts = define_parts(plain["parts"])
        plainly = {name: compile_pattern(pattern, parts) for name, pattern in plain["plainly"].items()}
        self.types = tuple(self._type(entry, plainly.get(entry["name"])) for entry in table["type"])
        asked = (
            {stem for trigger in each.asks for stems in trigger for stem in stems} for each in self.types
        )
        self._used = Counter(stem for stems in asked for stem in stems)

    def recognise(self, question: str) -> tuple[ClauseType, ...]:
        """Return the clause types that ``question`` asks for. It must not contain words that name a document.

        There is usually one type. There are several if their scores are about equal, and none if no trigger
        matches. A trigger scores higher the more words of the question it needs, and the fewer other types
        use these words.
        """
        words, line = self._stems(question), " ".join(question.split())
        scores: list[tuple[float, ClauseType]] = []
        for each in self.types:
            share = _CIRCUMSTANCE if each.circumstance else 1.0
            met = [told * share for trigger in each.asks if (told := self._tells(trigger, words))]
            if each.plainly is not None and each.plainly.search(line):
                met.append(_PLAINLY)
            if met:
                scores.append((max(met) + _MORE_TRIGGERS * (len(met) - 1), each))
        best = max((score for score, _ in scores), default=0.0)
        if best < _LEAST:
            return ()
        return tuple(each for score, each in scores if score >= best - _TIE)

    def _tells(self, trigger: Trigger, words: frozenset[str]) -> float:
        """Return the score of a trigger for a question with these words, or 0 if it does not match."""
        met = [stems & words for stems in trigger]
        return sum(max(map(self._weigh, stems)) for stems in met) if all(met) else 0.0

    def _weigh(self, stem: str) -> float:
        return (1.0 if self._tokenizer.tokenize(stem) else _FUNCTION_WORD) / math.sqrt(self._used[stem])

    def _stems(self, words: str) -> frozenset[str]:
        found: set[str] = set()
        for match in _WORD.finditer(words):
            found.update(self._stem(part) for part in match[0].split("-"))
            found.add(self._stem(match[0]))
        return frozenset(found)

    def _stem(self, word: str) -> str:
        word = word.replace("-", "")
        # Stop words of the index ("who", "how") can show what is asked for.
        return next(iter(self._tokenizer.tokenize(word)), word.casefold())

    def _type(self, entry: Mapping[str, Any], plainly: re.Pattern[str] | None) -> ClauseType:
        steps = ([step.split("|") for step in line.split()] for line in entry["asks"])
        phrases = {" ".join(self._tokenizer.tokenize(phrase)): each for phrase, each in entry["says"].items()}
        return ClauseType(
            entry["name"],
            tuple(tuple(frozenset(map(self._stem, words)) for words in trigger) for trigger in steps),
            {term: weight for term, weight in phrases.items() if term},
            frozenset(tuple(self._tokenizer.tokenize(heading)) for heading in entry["headings"]),
            entry.get("circumstance", False),
            plainly,
        )


WEIGHTS = "clause_weights.json"
Source = Literal["spans", "headings"]
"""What a clause type was learned from: clauses that a person marked, or sections under a heading of
the type.
"""
DECLARED = 4.0
"""Factor for the weights of declared phrases if a clause type has no learned weights."""
BESIDE: Mapping[Source, float] = MappingProxyType({"spans": 2.0, "headings": 6.0})
"""Factors for the weights of declared phrases if a clause type has learned weights, by their source."""
DECLARED_BIAS = -5.0


@dataclass(frozen=True, slots=True)
class LearnedClause:
    """The learned weights of a clause type: a logistic regression over the features of a window.

    ``terms`` are the weights of features (see ``find_features``). Their sum over a window, divided by its
    norm, plus ``bias`` is the log-odds that the window is such a clause.
    """

    source: Source
    bias: float
    terms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CountedWindows:
    """The windows of a document's passages, with their features as numbers.

    ``features[offsets[w]:offsets[w + 1]]`` are the features of window ``w`` that have a weight for any clause
    type, ``norms[w]`` is its norm and ``passage[w]`` the index of its passage. ``passages`` is the number of
    passages.
    """

    features: NDArray[np.int32]
    offsets: NDArray[np.int64]
    norms: NDArray[np.float64]
    passage: NDArray[np.int64]
    passages: int


class ClauseModel:
    """Scores passages by clause type. Immutable except for the tokenizer's cache; thread-safe."""

    def __init__(
        self, types: Sequence[ClauseType], learned: Mapping[str, LearnedClause], tokenizer: Tokenizer
    ) -> None:
        self._tokenizer = tokenizer
        self._row = {each.name: row for row, each in enumerate(types)}
        self._biases = np.zeros(len(types))
        self._vocabulary: dict[str, int] = {}
        rows: list[dict[str, float]] = []
        for row, each in enumerate(types):
            known = learned.get(each.name)
            weights = dict(known.terms) if known is not None else {}
            counts = BESIDE[known.source] if known is not None else DECLARED
            for term, weight in _declared(each).items():
                weights[term] = weights.get(term, 0.0) + weight * counts
            self._biases[row] = known.bias if known is not None else DECLARED_BIAS
            rows.append(weights)
            for term in weights:
                self._vocabulary.setdefault(term, len(self._vocabulary))
        self._weights = np.zeros((len(types), len(self._vocabulary)), dtype=np.float32)
        for row, weights in enumerate(rows):
            for term, weight in weights.items():
                self._weights[row, self._vocabulary[term]] = weight

    @classmethod
    def load(cls, types: ClauseTypes, tokenizer: Tokenizer) -> ClauseModel:
        """Return the model with the weights included in lexls."""
        content = files("lexls.retrieval").joinpath("data", WEIGHTS).read_text(encoding="utf-8")
        learned = json.loads(content).items()
        found = {name: LearnedClause(each["source"], each["bias"], each["terms"]) for name, each in learned}
        return cls(types.types, found, tokenizer)

    def count(self, passages: Sequence[str]) -> tuple[CountedWindows, list[list[str]]]:
        """Return the windows of passages, given as texts, and the terms of each passage in order."""
        numbers: list[int] = []
        offsets = [0]
        norms: list[float] = []
        owner: list[int] = []
        terms: list[list[str]] = []
        vocabulary = self._vocabulary
        for position, text in enumerate(passages):
            all_terms: list[str] = []
            for start, end in cut_windows(text):
                tokens = self._tokenizer.tokenize(text[start:end])
                all_terms += tokens
                # As ``find_features``: no clause type gives a weight to features with digits.
                found = {*tokens, *map(" ".join, pairwise(tokens))}
                numbers += [vocabulary[feature] for feature in found if feature in vocabulary]
                offsets.append(len(numbers))
                norms.append(compute_norm(tokens))
                owner.append(position)
            terms.append(all_terms)
        counted = CountedWindows(
            np.asarray(numbers, dtype=np.int32),
            np.asarray(offsets, dtype=np.int64),
            np.asarray(norms, dtype=np.float64),
            np.asarray(owner, dtype=np.int64),
            len(passages),
        )
        return counted, terms

    def scores(self, kind: ClauseType, counted: CountedWindows) -> NDArray[np.float64]:
        """Return, for each passage, the log-odds that its best window is a clause of type ``kind``."""
        row = self._row[kind.name]
        weights = self._weights[row, counted.features].astype(np.float64)
        sums = np.diff(np.concatenate(([0.0], np.cumsum(weights)))[counted.offsets])
        logits = sums / counted.norms + self._biases[row]
        best = np.full(counted.passages, self._biases[row])
        np.maximum.at(best, counted.passage, logits)
        return best


def _declared(kind: ClauseType) -> dict[str, float]:
    """Return the declared phrases as features; a phrase of several words is split into pairs of words."""
    found: dict[str, float] = {}
    for phrase, weight in kind.says.items():
        terms = phrase.split()
        parts = [f"{a} {b}" for a, b in pairwise(terms)] or terms
        for part in parts:
            found[part] = max(found.get(part, 0.0), weight / len(parts))
    return found


SHORT = 60
"""Length in characters below which a sentence (a heading, a number) is joined to the next one."""
LONG = 700
"""Approximate length in characters at which longer sentences are cut."""
_END = re.compile(r"(?<=[.;:?!])[\"”’)\]]*\s+|\n\s*\n")
_DIGIT = re.compile(r"\d")


def cut_windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield the windows of ``text`` as ``[start, end)`` in code points; together they cover all of it."""
    start = 0
    for end in (*(match.end() for match in _END.finditer(text)), len(text)):
        if end - start < SHORT and end != len(text):
            continue
        while end - start > LONG * 1.4:
            cut = text.find(" ", start + LONG, end) + 1
            if not cut:
                break
            yield start, cut
            start = cut
        if end > start:
            yield start, end
        start = end


def find_features(terms: Sequence[str]) -> set[str]:
    """Return the features of a window: its terms and pairs of consecutive terms, without numbers."""
    found = {term for term in terms if not _DIGIT.search(term)}
    found.update(f"{a} {b}" for a, b in pairwise(terms) if a in found and b in found)
    return found


def compute_norm(terms: Sequence[str]) -> float:
    """Return the number by which the sum of a window's weights is divided, so that long windows are not
    preferred.
    """
    return math.sqrt(max(len(set(terms)), 6))


LONGEST = 3000
"""Maximum length in characters of a section, in case its end is not recognised."""
_HEADED = re.compile(
    # No unbounded run of spaces: a page of nothing but these would take minutes.
    r"(?:^|\n|[.;:]\s|\s{2})\s{0,8}(?:(?:ARTICLE|Article|SECTION|Section)\s+)?"
    r"(?:\d{1,2}(?:\.\d{1,2}){0,2}\.?|[IVX]{1,5}\.|[A-Z]\.)[ \t]{1,8}\n?\s{0,8}"
    r"([A-Z][A-Za-z’'&,/-]*(?:[ ][A-Za-z’'&,/-]+){0,6})(?:\.|:|\s?[-—–]|[ ]?\n|\s{2})"
)


def find_headed_spans(text: str) -> list[tuple[str, Span]]:
    """Return the headings of numbered sections in ``text``, each with the span from it to the next one."""
    found = [(match[1], match.start(1)) for match in _HEADED.finditer(text)]
    starts = [start for _, start in found]
    return [
        (heading, Span(start, min(end, start + LONGEST)))
        for (heading, start), end in zip(found, [*starts[1:], len(text)], strict=False)
    ]
