"""Word lists for verification: words that a sentence may add, and words on which its meaning turns.

The lists are in ``vocabulary.toml``, equivalent phrases in ``alike.toml``, and opposites in ``phrases.toml``
of the parent folder.
"""

from __future__ import annotations

import re

from lexls.quotations.speakers import OTHERS, PARTIES
from lexls.quotations.vocabulary import TURNING_PREFIXES, normalize
from lexls.retrieval.relevance import COMMON
from lexls.text.lexicon import split_words
from lexls.text.phrases import compile_pattern, define_parts, load_phrases

_LISTS = load_phrases(__package__, "vocabulary.toml")

REPORTING = split_words(_LISTS["reporting"])
"""Words that report or connect statements, but add no content of their own.

Around what is reported ("The court held that …", "…, the judge said"), a sentence may add them. Every other
content word must be in the evidence or the question.
"""
NAMELESS = split_words(_LISTS["nameless"])
"""Capitalised words that are not names."""
QUANTIFIERS = split_words(_LISTS["quantifiers"])
"""Function words that affect the meaning; a sentence may have them only if its evidence does."""
NEGATIONS = split_words(_LISTS["negations"])
"""Words that negate what follows or precedes them."""
EXCEPTIONS = split_words(_LISTS["exceptions"])
"""Words that limit a statement; some do so only in the phrases of ``EXCEPTION_PHRASES``."""
EXCEPTION_PHRASES: dict[str, frozenset[str]] = {
    word: split_words(following) for word, following in _LISTS["exception_phrases"].items()
}
"""Words that make an exception word limit a statement, for the exception words that do so only in certain
phrases. One of them must follow directly.
"""
HARMLESS: tuple[tuple[str, ...], ...] = tuple(tuple(phrase.split()) for phrase in _LISTS["harmless"])
"""Phrases with a negation that does not change the meaning."""
MODALS: dict[str, str] = {
    verb: meaning for meaning, verbs in _LISTS["modals"].items() for verb in verbs.split()
}
"""Modal verbs by meaning: a duty, a power, advice, or the future."""
COMMANDS = split_words(_LISTS["commands"])
"""Words that impose a duty as a modal verb does."""
LIMITING = split_words(_LISTS["limiting"])
"""Words that restrict a statement to some cases; a sentence may not omit them."""
DECIDING = split_words(_LISTS["deciding"])
"""Words for those who decide, unlike parties, witnesses or other courts, whose statements decide nothing."""
SURE: tuple[str, ...] = tuple(_LISTS["sure"])
"""Phrases that assert what follows."""
ADVERBS = split_words(_LISTS["adverbs"])
"""Words that a sentence may omit anywhere."""
REASONS: tuple[str, ...] = tuple(_LISTS["reasons"])
"""Openings of a part that gives a reason or states a consequence."""
PREPOSITIONS = split_words(_LISTS["prepositions"])
"""Openings of a part that says where, when or with whom something happened."""
AUXILIARIES = split_words(_LISTS["auxiliaries"])
"""Verbs that distinguish a clause from a noun phrase."""
COUNTING = split_words(_LISTS["counting"])
"""Words that state how many things a statement applies to."""
ELEMENTS = split_words(_LISTS["elements"])
"""Verbs before a list of elements that must all be proved."""
EPITHETS = split_words(_LISTS["epithets"])
"""Words before a person's name that may be omitted when an event is reported."""
INSTRUMENTS = split_words(_LISTS["instruments"])
"""Words by which a text refers to itself: "this Agreement"."""
STATIVE = split_words(_LISTS["stative"])
"""Verbs of a state or an effect; "may not" before them is not a prohibition."""
PROCEEDINGS = split_words(_LISTS["proceedings"])
"""Types of proceedings."""
DIRECTIONS = split_words(_LISTS["directions"])
"""Prepositions that show who does what to whom, or where and when."""
POINTING = split_words(_LISTS["pointing"])
"""Pronouns and similar words that a sentence may replace with what they refer to."""
PEOPLE = PARTIES | OTHERS | split_words(_LISTS["people"])
"""Words for persons to whom a pronoun may refer."""
THINGS = split_words(_LISTS["things"])
"""Words that end like words for persons, but are not."""
NEGATIVE = split_words(_LISTS["negative"])
"""Words with a negative prefix, such as "unlawful"."""
OPPOSED: dict[str, tuple[frozenset[str], ...]] = {
    kind: tuple(map(split_words, sides)) for kind, sides in _LISTS["opposed"].items()
}
"""Opposed words by kind; each side is a set of synonyms."""
QUANTITIES: dict[str, frozenset[str]] = {
    kind: split_words(listed) for kind, listed in _LISTS["quantities"].items()
}
"""Words of quantity by kind: all, some, most, only, both."""
_FORM_PARTS = define_parts(_LISTS["form_parts"])
FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_pattern(each["pattern"], _FORM_PARTS), each["form"]) for each in _LISTS["forms"]
)
"""Variants of obligations, permissions, prohibitions and conditions with their normal forms, in the order of
application.
"""
IRREGULAR: dict[str, str] = {
    form: verb for verb, forms in _LISTS["irregular"].items() for form in forms.split()
}
"""Irregular past forms, which stemmers do not reduce to their verbs."""
PROVISIONS: dict[str, str] = {
    word: kind for kind, listed in _LISTS["provisions"].items() for word in listed.split()
}
"""Words and signs before a provision's number, with the kind of provision."""
SCALES: dict[str, float] = _LISTS["scales"]
"""Multipliers of numbers in words: "lakh"."""
FRACTIONS: dict[str, float] = _LISTS["fractions"]
"""Words for fractions and multiples, with their values: "half", "thrice"."""
MEASURES = split_words(_LISTS["measures"])
"""Words for what numbers count: units of measurement, persons and things."""
MARKUP = [re.compile(pattern) for pattern in _LISTS["markup"]]
"""Patterns of text that is not plain: addresses and markup of any kind."""
_ALIKE = load_phrases(__package__, "alike.toml")
_PARTS = define_parts(_ALIKE["parts"])
ALIKE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_pattern(rf"\b(?:{pattern})(?!\w)", _PARTS), said) for pattern, said in _ALIKE["alike"]
)
"""Equivalent phrases, with the normal form that replaces them."""


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OPPOSITES: list[tuple[str, str]] = [
    tuple(pair.split()) for pair in load_phrases("lexls.grounding", "phrases.toml")["opposition"]["opposites"]
]
"""Pairs of opposites."""
_SHORTEST_STEM = 4


def list_words(text: str) -> frozenset[str]:
    """Return the words of a text, normalised for comparison."""
    return frozenset(normalize(each) for each in _WORD.findall(text))


def find_opposite(text: str, evidence: str) -> str:
    """Return a word of ``text`` if ``evidence`` has its opposite but not the word itself. Returns an empty
    string if there is no such word.
    """
    plain = frozenset(each for each in list_words(text) if each not in COMMON)
    said = list_words(evidence)
    for one, other in _OPPOSITES:
        for left, right in ((one, other), (other, one)):
            turned = _begins(plain, left) and _begins(said, right)
            if turned and not _begins(plain, right) and not _begins(said, left):
                return left
    if not (_prefixed(plain, said) or _prefixed(said, plain)):
        return ""
    lone = (frozenset((each,)) for each in sorted(plain))
    return next((min(each) for each in lone if _prefixed(each, said) or _prefixed(said, each)), "")


def has_opposite(said: frozenset[str], plain: frozenset[str]) -> bool:
    """Return whether a text with the words ``said`` has the opposite of a word in ``plain``, but not the word
    itself.
    """
    opposed = any(
        _begins(plain, left)
        and not _begins(plain, right)
        and _begins(said, right)
        and not _begins(said, left)
        for one, other in _OPPOSITES
        for left, right in ((one, other), (other, one))
    )
    return opposed or _prefixed(plain, said) or _prefixed(said, plain)


def _begins(texts: frozenset[str], stem: str) -> bool:
    return any(each.startswith(stem) for each in texts)


def _prefixed(plain: frozenset[str], turned: frozenset[str]) -> bool:
    """Return whether ``turned`` has a word of ``plain`` with a negative prefix, and not the word itself."""
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
