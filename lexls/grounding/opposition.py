"""Decide by its words alone whether a sentence of an authority opposes a proposition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lexls.grounding.verification.clauses import NEGATED, Reading, Word, normalize_forms, read_clauses
from lexls.grounding.verification.vocabulary import NEGATIONS, has_opposite, list_words
from lexls.quotations.vocabulary import normalize
from lexls.retrieval.relevance import COMMON, Tokens, Weights, find_terms
from lexls.text.lexicon import split_words
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.wording.prose import asserts

_PHRASES = load_phrases(__package__, "phrases.toml")["opposition"]
_VERBS = split_words(_PHRASES["verbs"])
"""Verbs followed by what a proposition says about its subject."""
_PRESENT = split_words(_PHRASES["present"])
_FINITE = _PRESENT - {"be", "being"}
_ENDING = split_words(_PHRASES["ending"])
"""Words that negate what follows, as "not" does, unless they are negated themselves."""
_DENYING = split_words(_PHRASES["denying"])
"""Words that negate a sentence outright."""
_DUTY, _LEAVE = split_words(_PHRASES["duty"]), split_words(_PHRASES["leave"])
_WITHOUT = frozenset(("without", "unless"))
_DENYING_SUBJECTS = frozenset(("no", "neither", "nor", "none", "nothing", "nobody"))
_ONLY = frozenset(("only", "solely"))
_WHOSE = 3
"""Maximum number of words between "whose" and the verb of its clause."""
_COMMANDING = frozenset(("must", "shall"))
_CONDITIONS = _WITHOUT | {"if", "because"}
_STOPS = frozenset(";:!?")
_REACH = 5
"""Maximum number of words and commas between a word of ``_ENDING`` and the word that it negates."""
_BEFORE = 7
"""Maximum distance, in words and commas, from a word to the verb that asserts it, or to an "only" that
restricts it.
"""
_BESIDE = 18
"""Maximum distance, in words and punctuation marks, from the key word to the other words that a sentence
shares with the proposition.
"""
_TOGETHER = 0.6
"""Minimum share of the shared words that must be within this distance."""
_AGAINST = compile_pattern(_PHRASES["against"], {})
"""Match phrases with which courts reject decisions and views, or introduce a contrary statement."""
_CONTRAST = compile_pattern(_PHRASES["contrast"], {})
_ASKS = compile_pattern(_PHRASES["asks"], {})
"""Match a sentence that states the question to be decided, but not the answer."""

_CLAIMED = compile_pattern(_PHRASES["claimed"], {})
"""Match a sentence that reports what a party asks the court to hold."""

_PARTICULAR = compile_pattern(_PHRASES["particular"], {})

DENIES = 1.0
SAID_AGAINST = 0.8
LIMITS = 0.5
LEAST_SHARED = 0.55
_SHARES = {DENIES: LEAST_SHARED, SAID_AGAINST: 0.6, LIMITS: 0.9}
"""Minimum share of a proposition's words, weighted by rarity, that a sentence opposed to it has, by the
strength of the opposition.
"""


@dataclass(frozen=True, slots=True)
class Proposition:
    """A proposition prepared for comparison with sentences: its words, and what it says about its subject.

    ``said`` are the terms of its key word ("enforceable") and of that word's synonyms. ``told`` are the terms
    of the key word and the next two content words, and ``plain`` are the same words unstemmed. ``denied`` is
    true if the key word is negated. ``pieces`` are all words and punctuation marks.
    """

    terms: frozenset[str]
    said: frozenset[str]
    told: frozenset[str]
    plain: frozenset[str]
    denied: bool
    duty: bool
    leave: bool
    pieces: Sequence[str]

    @classmethod
    def of(cls, text: str, tokens: Tokens) -> Proposition:
        """Analyse what ``text`` says, denies, requires and allows."""
        text = normalize_forms(text)
        reading = read_clauses(text, tokens)
        told = _find_told(reading)
        words = list_words(text)
        return cls(
            frozenset(each.term for each in reading.words),
            _find_alike(told[0].term, tokens) if told else frozenset(),
            frozenset(each.term for each in told[:3]),
            frozenset(normalize(each.written) for each in told[:3]) - COMMON,
            bool(told) and _is_denied(reading, told[0]),
            bool(words & _DUTY),
            bool(words & _LEAVE),
            reading.pieces,
        )

    def measure_share(self, sentence: str, there: Iterable[str], weights: Weights) -> float:
        """Return the weighted share of the proposition's words that a sentence covers, from 0 to 1.

        ``there`` are the sentence's terms. Synonyms and opposites of the key word count as the word.
        """
        terms = set(there)
        if not terms.isdisjoint(self.said):
            terms |= self.said
        share = weights.coverage(terms)
        most = weights.coverage(terms | self.told)
        opposed = share < LEAST_SHARED <= most and has_opposite(list_words(sentence), self.plain)
        return most if opposed else share

    def limit_share(self, there: Iterable[str], weights: Weights) -> float:
        """Return the highest value that ``measure_share`` can have for sentences with the terms ``there``."""
        return weights.coverage({*there, *self.told})


@lru_cache(maxsize=1000)
def _find_alike(term: str, tokens: Tokens) -> frozenset[str]:
    """Return the terms of a term's synonyms, including the term itself."""
    groups = (frozenset(tokens(each)) for each in _PHRASES["alike"])
    return next((each for each in groups if term in each), frozenset((term,)))


def measure_opposition(sentence: str, proposition: Proposition, tokens: Tokens) -> float:
    """Return how strongly a sentence that shares words with ``proposition`` opposes it, from 0 to 1.

    ``DENIES``: on the same subject, it denies what the proposition says, asserts what it denies, or uses an
    opposite. ``SAID_AGAINST``: it says that something is not followed or accepted. ``LIMITS``: it makes an
    exception, or makes optional what the proposition requires.
    """
    # "[N]or shall" is "nor shall".
    sentence = normalize_forms(sentence.replace("[", "").replace("]", ""))
    against = _AGAINST.search(sentence) is not None
    if _ASKS.search(sentence) or (_CLAIMED.search(sentence) and not against):
        return 0.0
    reading = read_clauses(sentence, tokens)
    word = _find_word(reading, proposition)
    before = reading.pieces[: word.place if word is not None else None]
    if reading.pieces == proposition.pieces or _is_asked(before):
        return 0.0
    opposed = has_opposite(list_words(sentence), proposition.plain)
    if word is not None and (_is_denied(reading, word) != proposition.denied) != opposed:
        affirmed = not proposition.denied or opposed or _affirms(reading, word)
        return DENIES if affirmed and not _says_both(reading, word) else 0.0
    if word is None and opposed:
        return 0.0 if _denies_all(reading) != proposition.denied else DENIES
    if against:
        return SAID_AGAINST
    return LIMITS if word is not None and _limits(sentence, reading, word, proposition) else 0.0


def _limits(sentence: str, reading: Reading, word: Word, proposition: Proposition) -> bool:
    """Return whether a sentence makes an exception, or makes optional what the proposition requires."""
    required = proposition.duty and not proposition.leave
    return (required and _leaves_open(reading, word)) or _CONTRAST.search(sentence) is not None


def says_the_same(sentence: str, proposition: Proposition, tokens: Tokens) -> bool:
    """Return whether a sentence makes the same statement about its subject as ``proposition``: both assert
    it, or both deny it.
    """
    sentence = normalize_forms(sentence)
    reading = read_clauses(sentence, tokens)
    word = _find_word(reading, proposition)
    if word is None:
        opposed = has_opposite(list_words(sentence), proposition.plain)
        return opposed and _denies_all(reading) != proposition.denied
    return _is_denied(reading, word) == proposition.denied and not _is_supposed(reading, word)


def states_what_is_rejected(sentence: str) -> bool:
    """Return whether a sentence says that a decision or a view is not followed or accepted."""
    return _AGAINST.search(sentence) is not None


def is_against(sentence: str, strength: float, share: float) -> bool:
    """Return whether a sentence with this ``share`` of a proposition's words, by weight, may be shown as
    contrary.

    A particular event ("the prosecution failed to …") contradicts no rule.
    """
    if share < _SHARES.get(strength, 2.0):
        return False
    return strength == SAID_AGAINST or (asserts(sentence) and _PARTICULAR.search(sentence) is None)


def denies(
    sentence: str, proposition: str, tokens: Tokens, rarity: Callable[[Sequence[str]], Sequence[float]]
) -> bool:
    """Return whether a sentence denies a proposition, or asserts what the proposition denies.

    ``rarity`` returns the weight of each term, such as its rarity in the library.
    """
    held = Proposition.of(proposition, tokens)
    terms = list(find_terms(proposition, tokens))
    weights = Weights(dict(zip(terms, rarity(terms), strict=True)))
    strength = measure_opposition(sentence, held, tokens)
    share = held.measure_share(sentence, tokens(sentence), weights)
    return strength >= DENIES and is_against(sentence, strength, share)


def _is_asked(before: Sequence[str]) -> bool:
    """Return whether the words only raise a question: they contain "whether", but not "whether or not"."""
    return any(
        piece == "whether" and before[at + 1 : at + 2] not in (("or",), (",",))
        for at, piece in enumerate(before)
    )


def _find_told(reading: Reading) -> list[Word]:
    """Return the words that describe the subject: those after the first verb or, if no verb is found, all
    except the first word.
    """
    pieces, words = reading.pieces, reading.words
    for place, piece in enumerate(pieces):
        if piece in _VERBS and not _is_relative(pieces, place):
            behind = [each for each in words if each.place > place]
            if behind:
                return behind
    for number, each in enumerate(words[1:-1], 1):
        if _is_verb(each.written) and pieces[each.place - 1] not in COMMON:
            return list(words[number:])
    return list(words[1:] or words)


def _is_verb(word: str) -> bool:
    """Return whether a word looks like a third-person verb ("conveys")."""
    return word[-1:] == "s" and word[-2:-1] not in "sui"


def _is_relative(pieces: Sequence[str], place: int) -> bool:
    """Return whether a verb belongs to a relative clause that identifies the subject ("who deviates")."""
    before = pieces[max(0, place - _WHOSE) : place]
    return before[-1:] in (("who",), ("which",), ("that",)) or "whose" in before


def _find_word(reading: Reading, proposition: Proposition) -> Word | None:
    """Return the word that expresses the proposition's key word, if most of the other shared words are near
    it.

    Returns None if they are elsewhere, since the word then has another context.
    """
    terms = proposition.terms | proposition.said
    shared = [each for each in reading.words if each.term in terms]
    least = _TOGETHER * len({each.term for each in shared})
    best, most = None, 0
    for word in shared:
        if word.term in proposition.said:
            near = len({each.term for each in shared if abs(each.place - word.place) <= _BESIDE})
            if near > most and near >= least:
                best, most = word, near
    return best


def _is_denied(reading: Reading, word: Word) -> bool:
    """Return whether a word is negated an odd number of times."""
    return sum(1 for _ in _list_denials(reading, word)) % 2 == 1


def _list_denials(reading: Reading, word: Word) -> Iterator[str]:
    pieces = reading.pieces
    start = word.place
    while start and pieces[start - 1] not in _STOPS:
        start -= 1
    before = pieces[start : word.place]
    place = _find_condition(reading, before, word)
    if place is not None:
        # What is not allowed without a thing needs it: all that denies in the sentence counts.
        yield from (each for each in before if each in _DENYING)
        yield from (each for each in before[place : place + 1] if each in _WITHOUT)
        return
    governing = {cue for kind, cue in word.governed if kind == NEGATED and _reaches(pieces, cue, word)}
    yield from (pieces[each] for each in governing)
    subject = _find_denied_subject(pieces, start, word.place)
    if subject is not None and subject not in governing:
        yield pieces[subject]
    for at in range(max(start, word.place - _REACH), word.place):
        denied = not NEGATIONS.isdisjoint(pieces[max(0, at - 2) : at])
        if pieces[at] in _ENDING and at not in governing and not denied:
            yield pieces[at]


def _find_denied_subject(pieces: Sequence[str], start: int, place: int) -> int | None:
    """Return the place of a negation in the subject ("no ship … shall be moved"), if the subject's verb
    governs the word at ``place``; otherwise return None.
    """
    verb = next((at for at in range(place - 1, start - 1, -1) if pieces[at] in _FINITE), None)
    if verb is None:
        return None
    for at in range(verb - 1, start - 1, -1):
        if pieces[at] in _FINITE or pieces[at] in _VERBS:
            return None
        if pieces[at] in _DENYING_SUBJECTS and pieces[at + 1] != "doubt":
            return at
    return None


def _reaches(pieces: Sequence[str], cue: int, word: Word) -> bool:
    """Return whether the negation at ``cue`` applies to ``word``. In "not barred survives" and "refuses a
    licence must say", it does not apply to the last word.
    """
    if _is_verb(word.written) and pieces[cue] == "not":
        return word.place - cue == 1
    return pieces[cue] in _DENYING or _FINITE.isdisjoint(pieces[cue + 1 : word.place])


def _find_condition(reading: Reading, before: Sequence[str], word: Word) -> int | None:
    """Return the place of the word ("without", "if") that makes ``word`` a condition or reason for what
    precedes it, or None.
    """
    place = next((at for at in range(len(before) - 1, -1, -1) if before[at] in _CONDITIONS), None)
    if place is None or before[place] != "without":
        return place
    start = word.place - len(before)
    between = sum(start + place < each.place < word.place for each in reading.words)
    return place if between == 0 or (between == 1 and not _is_verb(word.written)) else None


def _is_supposed(reading: Reading, word: Word) -> bool:
    """Return whether a sentence only supposes what it says: "If the clause is not valid, …"."""
    before = list(reading.pieces[: word.place])
    if "if" not in before:
        return False
    place = len(before) - 1 - before[::-1].index("if")
    inside = _COMMANDING.isdisjoint(before[place:]) and "," not in before[place:]
    return inside and _DENYING.isdisjoint(before[:place])


def _says_both(reading: Reading, word: Word) -> bool:
    """Return whether a sentence does not clearly assert or deny a word: it only supposes the word, restricts
    it with "only", or both asserts and denies it.
    """
    behind = reading.pieces[word.place + 1 : word.place + _BEFORE]
    others = [each for each in reading.words if each.term == word.term and each is not word]
    denied = _is_denied(reading, word)
    mixed = any(_is_denied(reading, each) != denied for each in others)
    return mixed or _is_supposed(reading, word) or (not denied and not _ONLY.isdisjoint(behind))


def _affirms(reading: Reading, word: Word) -> bool:
    """Return whether a verb in the present tense asserts the word, not a party's wish or a past event."""
    before = reading.pieces[max(0, word.place - _BEFORE) : word.place]
    said = _is_verb(word.written) and not _is_relative(reading.pieces, word.place)
    return said or not _PRESENT.isdisjoint(before)


def _denies_all(reading: Reading) -> bool:
    return sum(each in _DENYING for each in reading.negations) % 2 == 1


def _leaves_open(reading: Reading, word: Word) -> bool:
    """Return whether a word is only permitted, not required, in its context."""
    around = frozenset(reading.pieces[max(0, word.place - _REACH) : word.place + _REACH])
    return not around & _DUTY and bool(around & _LEAVE)
