"""Know what an embedding model expects before a text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompts:
    """What is put before a ``question`` and before a ``passage`` that may answer it, "" for nothing."""

    question: str = ""
    passage: str = ""

    @property
    def sentence(self) -> str:
        """What is put before a sentence that is compared with its like, as propositions are.

        Both are questions to a model that wants something before every text (the cards of e5 say so), and
        bare to one that wants it before questions alone.
        """
        return self.question if self.passage else ""

    def identify(self, model: str) -> str:
        """``model``, with the prompts where the vectors of passages and sentences depend on them."""
        if not self.passage:
            return model
        return f"{model} ({json.dumps(self.question)}, {json.dumps(self.passage)})"


NO_PROMPTS = Prompts()


_SEARCHING = Prompts("Represent this sentence for searching relevant passages: ")
_KNOWN = (
    (re.compile(r"\bbge-[\w.-]*en\b", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\bmxbai-embed-", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\buae-(?:large|base)", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\bsnowflake-arctic-embed-(?!\w+-v2)", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\be5-(?:small|base|large)\b(?!-instruct)", re.IGNORECASE), Prompts("query: ", "passage: ")),
    (re.compile(r"\bnomic-embed-text-v", re.IGNORECASE), Prompts("search_query: ", "search_document: ")),
)
"""By the model's name, as their cards say, for those that bring no prompts of their own."""


def find_prompts(model: str, brought: Prompts = NO_PROMPTS, chosen: Prompts = NO_PROMPTS) -> Prompts:
    """What is put before texts for ``model``: what the user has ``chosen``, each for itself, otherwise what
    the model has ``brought``, otherwise what it is known to expect."""
    expected = brought
    if brought == NO_PROMPTS:
        expected = next((prompts for pattern, prompts in _KNOWN if pattern.search(model)), NO_PROMPTS)
    return Prompts(_spaced(chosen.question) or expected.question, _spaced(chosen.passage) or expected.passage)


def _spaced(chosen: str) -> str:
    return chosen if not chosen or chosen[-1].isspace() else f"{chosen} "
