"""The declared kinds of clauses: by what a question names each, and what such a clause usually says."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from lexls.index.tokens import Tokenizer

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_TABLE = "clause_types.toml"
_FUNCTION_WORD = 0.25
"""What a word such as "who" or "how" tells, beside others."""
_MORE_CUES = 0.1
_TIE = 0.05
_LEAST = 0.35
"""What the cues of a kind must tell to be believed."""

Cue = tuple[frozenset[str], ...]
"""What names a kind of clause in a question: of each set of word stems one must stand in it."""


@dataclass(frozen=True, slots=True)
class ClauseType:
    """A kind of clause.

    ``asks`` are the cues by which a question names it, ``says`` phrases of such clauses (terms of the index
    joined by spaces) with what each counts, ``headings`` the terms of headings under which they stand.
    """

    name: str
    asks: tuple[Cue, ...]
    says: Mapping[str, float]
    headings: frozenset[tuple[str, ...]]


class ClauseTypes:
    """The kinds of clauses, and telling which one a question asks for.

    Raises ``ValueError`` where the table is not as it should be.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        table = tomllib.loads(files(__package__).joinpath(_TABLE).read_text(encoding="utf-8"))
        self.types = tuple(self._type(entry) for entry in table["type"])
        self._used = Counter(
            stem for each in self.types for stem in frozenset().union(*(s for cue in each.asks for s in cue))
        )
        if len({each.name for each in self.types}) != len(self.types):
            raise ValueError(f"{_TABLE}: two kinds of clauses have the same name")

    def recognise(self, question: str) -> tuple[ClauseType, ...]:
        """The kinds of clauses that ``question`` asks for, without the words that name a document.

        Mostly one; several where their cues are equally telling, none where no cue fits. A cue tells the
        more, the more words of the question it needs and the fewer other kinds are asked for by them.
        """
        words = self._stems(question)
        scores: list[tuple[float, ClauseType]] = []
        for each in self.types:
            met = [sum(self._tells(stems & words) for stems in cue) for cue in each.asks if _fits(cue, words)]
            if met:
                scores.append((max(met) + _MORE_CUES * (len(met) - 1), each))
        best = max((score for score, _ in scores), default=0.0)
        if best < _LEAST:
            return ()
        return tuple(each for score, each in scores if score >= best - _TIE)

    def _tells(self, stems: frozenset[str]) -> float:
        return max(
            (1.0 if self._tokenizer.tokenize(stem) else _FUNCTION_WORD) / math.sqrt(self._used[stem])
            for stem in stems
        )

    def _stems(self, words: str) -> frozenset[str]:
        found: set[str] = set()
        for match in _WORD.finditer(words):
            found.update(self._stem(part) for part in match[0].split("-"))
            found.add(self._stem(match[0]))
        return frozenset(found)

    def _stem(self, word: str) -> str:
        word = word.replace("-", "")
        # Words that the index leaves out ("who", "how") do name what is asked for.
        return next(iter(self._tokenizer.tokenize(word)), word.casefold())

    def _type(self, entry: Mapping[str, object]) -> ClauseType:
        name, asks, says, headings = (entry.get(key) for key in ("name", "asks", "says", "headings"))
        if not isinstance(name, str) or not isinstance(asks, list) or not asks:
            raise ValueError(f"{_TABLE}: a kind of clause without a name or cues")
        if not isinstance(says, dict) or not isinstance(headings, list):
            raise ValueError(f"{_TABLE}: {name} must have phrases and headings")
        return ClauseType(
            name,
            tuple(self._cue(line) for line in asks),
            {term: float(weight) for phrase, weight in says.items() if (term := self._phrase(phrase))},
            frozenset(tuple(self._tokenizer.tokenize(heading)) for heading in headings),
        )

    def _cue(self, line: str) -> Cue:
        return tuple(frozenset(self._stem(word) for word in step.split("|")) for step in line.split())

    def _phrase(self, phrase: str) -> str:
        return " ".join(self._tokenizer.tokenize(phrase))


def _fits(cue: Cue, words: frozenset[str]) -> bool:
    return all(stems & words for stems in cue)
