"""Who judges whether a text bears a statement out: words alone, or a model that the user configured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

from lexls.grounding.relevance import Tokens, content_terms, weigh


class Judge(Protocol):
    """Says how much of a statement a text bears out."""

    @property
    def name(self) -> str:
        """What it is, for the report."""
        ...

    @property
    def enough(self) -> float:
        """The score from which a statement counts as borne out."""
        ...

    def score(self, text: str, statement: str) -> float:
        """From 0 (not at all) to 1 (wholly)."""
        ...


class WordJudge:
    """The built-in judge: the share of the statement's content words, rare ones weighing more, that the text
    has. ``corpus`` are texts in which words are counted as rare or frequent.
    """

    name = "built-in entailment score"
    enough = 0.6

    def __init__(self, tokens: Tokens, corpus: Sequence[str]) -> None:
        self._tokens = tokens
        self._corpus = [Counter(tokens(text)) for text in corpus]

    def score(self, text: str, statement: str) -> float:
        """The share of the weight of the statement's words; 0 for a statement without content words."""
        weights = weigh(content_terms(statement, self._tokens), self._corpus)
        return weights.coverage(self._tokens(text))


class ModelJudge:
    """A model that reads text and statement together; ``likelihood`` gives its probability that the first
    entails the second, ``model`` is its name.
    """

    enough = 0.5

    def __init__(self, model: str, likelihood: Callable[[str, str], float]) -> None:
        self.name = model
        self._likelihood = likelihood

    def score(self, text: str, statement: str) -> float:
        """The model's probability."""
        return self._likelihood(text, statement)
