"""Tell whether a sentence of an authority stands against a proposition, from its words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from lexls.grounding.quotations.vocabulary import NEGATIONS, TURNING_PREFIXES, normalize
from lexls.grounding.relevance import COMMON, Tokens
from lexls.text.lexicon import split_words
from lexls.text.phrases import compile_pattern, load_phrases

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PHRASES = load_phrases(__package__, "phrases.toml")["opposition"]
_CLAUSE = compile_pattern(_PHRASES["clause"], {})
_HARMLESS = compile_pattern(_PHRASES["harmless"], {})
_TURNING = NEGATIONS - split_words(_PHRASES["limiting"])
"""Words that deny the clause they stand in; an exception limits it and stands against it otherwise."""
_DUTY, _LEAVE = split_words(_PHRASES["duty"]), split_words(_PHRASES["leave"])
_OPPOSITES: list[tuple[str, str]] = [tuple(pair.split()) for pair in _PHRASES["opposites"]]
"""Words of which one says the contrary of the other."""
_SHORTEST_STEM = 4
_AGAINST = compile_pattern(_PHRASES["against"], {})
"""What courts write of decisions and views that they do not accept, and before what stands against them."""
_CONTRAST = compile_pattern(_PHRASES["contrast"], {})

DENIES = 1.0
SAID_AGAINST = 0.8
LIMITS = 0.5


@dataclass(frozen=True, slots=True)
class Proposition:
    """A proposition as sentences are held against it."""

    terms: frozenset[str]
    plain: frozenset[str]
    denied: bool
    duty: bool
    leave: bool

    @classmethod
    def of(cls, text: str, tokens: Tokens) -> Proposition:
        """What ``text`` says, denies, requires and allows."""
        said = _words(text)
        plain = frozenset(each for each in said if each not in COMMON)
        return cls(frozenset(tokens(text)), plain, _denied(text), bool(said & _DUTY), bool(said & _LEAVE))


def measure_opposition(sentence: str, proposition: Proposition, tokens: Tokens) -> float:
    """How much a sentence that shares words with ``proposition`` stands against it, from 0 to 1.

    ``DENIES``: the clause that shares most words denies what the proposition says or says what it denies,
    leaves open what it requires, or has the opposite of one of its words. ``SAID_AGAINST``: it says that
    something is not followed or accepted. ``LIMITS``: it makes an exception or a contrast.
    """
    clause = _nearest_clause(sentence, proposition, tokens)
    said = _words(clause)
    denied = _denied(clause)
    # Who denies the opposite says the same.
    if (denied != proposition.denied) != _has_opposite(said, proposition.plain):
        return DENIES
    if proposition.duty and not said & _DUTY and said & _LEAVE and not proposition.leave:
        return DENIES
    if _AGAINST.search(sentence):
        return SAID_AGAINST
    return LIMITS if _CONTRAST.search(sentence) else 0.0


def _nearest_clause(sentence: str, proposition: Proposition, tokens: Tokens) -> str:
    """The clause of the sentence with most of the proposition's words; the first of equals."""
    edges = [0, *(match.start() for match in _CLAUSE.finditer(sentence)), len(sentence)]
    clauses = [sentence[start:end] for start, end in pairwise(edges)]
    return max(clauses, key=lambda each: len(proposition.terms.intersection(tokens(each))), default=sentence)


def _words(text: str) -> frozenset[str]:
    return frozenset(normalize(each) for each in _WORD.findall(text))


def _denied(text: str) -> bool:
    """Whether a piece of text denies: an odd number of denials (what is "not invalid" is valid)."""
    plain = _HARMLESS.sub(" ", text)
    return sum(normalize(each) in _TURNING for each in _WORD.findall(plain)) % 2 == 1


def find_opposite(text: str, evidence: str) -> str:
    """A word of ``text`` in whose place ``evidence`` has only its opposite, "" if there is none."""
    plain = frozenset(each for each in _words(text) if each not in COMMON)
    said = _words(evidence)
    for one, other in _OPPOSITES:
        for left, right in ((one, other), (other, one)):
            turned = _begins(plain, left) and _begins(said, right)
            if turned and not _begins(plain, right) and not _begins(said, left):
                return left
    if not (_prefixed(plain, said) or _prefixed(said, plain)):
        return ""
    lone = (frozenset((each,)) for each in sorted(plain))
    return next((min(each) for each in lone if _prefixed(each, said) or _prefixed(said, each)), "")


def _has_opposite(said: frozenset[str], plain: frozenset[str]) -> bool:
    opposed = any(
        _begins(plain, left) and not _begins(plain, right) and _begins(said, right)
        for one, other in _OPPOSITES
        for left, right in ((one, other), (other, one))
    )
    return opposed or _prefixed(plain, said) or _prefixed(said, plain)


def _begins(texts: frozenset[str], stem: str) -> bool:
    return any(each.startswith(stem) for each in texts)


def _prefixed(plain: frozenset[str], turned: frozenset[str]) -> bool:
    """Whether ``turned`` has a word of ``plain`` with a prefix that turns it, without the word itself."""
    for word in turned:
        for prefix in TURNING_PREFIXES:
            rest = word[len(prefix) :]
            if (
                word.startswith(prefix)
                and len(rest) >= _SHORTEST_STEM
                and rest in plain
                and rest not in turned
            ):
                return word not in plain
    return False
