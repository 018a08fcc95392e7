"""List what a sentence may say in words of its own, and what turns its sense, as the verification needs it.

The closed lists are in ``vocabulary.toml``, phrases that say the same in ``alike.toml``, and words that say
the contrary of each other in ``phrases.toml`` of the folder above.
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
"""Words of reporting and connecting, which say that something is said and not what. Around what it reports
("The court held that …", "…, the judge said") a sentence may have them though its evidence has not; every
other word that carries meaning must stand in the evidence or the question."""
NAMELESS = split_words(_LISTS["nameless"])
"""Words that are written with a capital and name nobody."""
QUANTIFIERS = split_words(_LISTS["quantifiers"])
"""Function words that weigh: a sentence has one only if its evidence has it."""
NEGATIONS = split_words(_LISTS["negations"])
"""Words that turn what stands behind them, or before them, into its contrary."""
EXCEPTIONS = split_words(_LISTS["exceptions"])
"""Words by which a statement is limited; some of them only as in ``EXCEPTION_PHRASES``."""
EXCEPTION_PHRASES: dict[str, frozenset[str]] = {
    word: split_words(following) for word, following in _LISTS["exception_phrases"].items()
}
"""Words that must follow those that are exceptions only then."""
HARMLESS: tuple[tuple[str, ...], ...] = tuple(tuple(phrase.split()) for phrase in _LISTS["harmless"])
"""Phrases with a negation that turns nothing."""
MODALS: dict[str, str] = {
    verb: meaning for meaning, verbs in _LISTS["modals"].items() for verb in verbs.split()
}
"""Modal verbs by what they say: a duty, a power, advice, or what will be."""
COMMANDS = split_words(_LISTS["commands"])
"""Words that command as a modal verb does."""
LIMITING = split_words(_LISTS["limiting"])
"""Words by which something holds only in some cases: a sentence may not leave them out."""
DECIDING = split_words(_LISTS["deciding"])
"""Words for who decides: that parties, witnesses or other courts say something does not make it so."""
SURE: tuple[str, ...] = tuple(_LISTS["sure"])
"""Phrases which say that something is so."""
ADVERBS = split_words(_LISTS["adverbs"])
"""Words that a sentence may leave out anywhere."""
REASONS: tuple[str, ...] = tuple(_LISTS["reasons"])
"""How a part begins that gives a reason, or says what follows from something."""
PREPOSITIONS = split_words(_LISTS["prepositions"])
"""How a part begins that says where, when or with whom something happened."""
AUXILIARIES = split_words(_LISTS["auxiliaries"])
"""Verbs by which a clause is told from a noun."""
COUNTING = split_words(_LISTS["counting"])
"""Words that say of how many something is so."""
ELEMENTS = split_words(_LISTS["elements"])
"""Verbs before a list of what belongs together: all of it must be shown."""
EPITHETS = split_words(_LISTS["epithets"])
"""Words before somebody's name that may be left out where it is told what happened."""
INSTRUMENTS = split_words(_LISTS["instruments"])
"""What a text calls itself: "this Agreement"."""
STATIVE = split_words(_LISTS["stative"])
"""Verbs of what is so or has an effect: who "may not" do them is not forbidden to."""
PROCEEDINGS = split_words(_LISTS["proceedings"])
"""What somebody comes to court with."""
DIRECTIONS = split_words(_LISTS["directions"])
"""Words that tell who gives from who gets."""
POINTING = split_words(_LISTS["pointing"])
"""Words in whose place a sentence may say what they stand for."""
PEOPLE = PARTIES | OTHERS | split_words(_LISTS["people"])
"""Whom a pronoun may stand for."""
THINGS = split_words(_LISTS["things"])
"""Words that end as those for people do, and name none."""
NEGATIVE = split_words(_LISTS["negative"])
"""Words that deny by their first letters, as "unlawful" does."""
OPPOSED: dict[str, tuple[frozenset[str], ...]] = {
    kind: tuple(map(split_words, sides)) for kind, sides in _LISTS["opposed"].items()
}
"""Words that oppose each other, by kind: each side has those that say the same."""
QUANTITIES: dict[str, frozenset[str]] = {
    kind: split_words(listed) for kind, listed in _LISTS["quantities"].items()
}
"""Words for how much is so, by kind: all of it, some, most, that alone, both."""
_FORM_PARTS = define_parts(_LISTS["form_parts"])
FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_pattern(each["pattern"], _FORM_PARTS), each["form"]) for each in _LISTS["forms"]
)
"""Other words for a duty, a leave, a ban or a condition, and their normal form, in the order of use."""
IRREGULAR: dict[str, str] = {
    form: verb for verb, forms in _LISTS["irregular"].items() for form in forms.split()
}
"""Past forms that no stemmer takes to their verb."""
PROVISIONS: dict[str, str] = {
    word: kind for kind, listed in _LISTS["provisions"].items() for word in listed.split()
}
"""Words and signs before the number of a provision, with what they call it."""
SCALES: dict[str, float] = _LISTS["scales"]
"""What a number in words is multiplied by: "lakh"."""
FRACTIONS: dict[str, float] = _LISTS["fractions"]
"""Parts and multiples in words, with their values: "half", "thrice"."""
MEASURES = split_words(_LISTS["measures"])
"""What numbers count."""
MARKUP = [re.compile(pattern) for pattern in _LISTS["markup"]]
"""What is no plain text: addresses, and markup of any kind."""
_ALIKE = load_phrases(__package__, "alike.toml")
_PARTS = define_parts(_ALIKE["parts"])
ALIKE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_pattern(rf"\b(?:{pattern})(?!\w)", _PARTS), said) for pattern, said in _ALIKE["alike"]
)
"""Phrases that say the same, with what is read in their place."""


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OPPOSITES: list[tuple[str, str]] = [
    tuple(pair.split()) for pair in load_phrases("lexls.grounding", "phrases.toml")["opposition"]["opposites"]
]
"""Words of which one says the contrary of the other."""
_SHORTEST_STEM = 4


def list_words(text: str) -> frozenset[str]:
    """The words of a text as they are compared."""
    return frozenset(normalize(each) for each in _WORD.findall(text))


def find_opposite(text: str, evidence: str) -> str:
    """A word of ``text`` in whose place ``evidence`` has only its opposite, "" if there is none."""
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
    """Return whether a text with the words ``said`` has the opposite of one of the words ``plain``, and
    not it."""
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
    """Return whether ``turned`` has a word of ``plain`` with a prefix that turns it, without the word
    itself."""
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
