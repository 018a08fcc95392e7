"""Compare the words of a sentence with those of its evidence, and measure how much they support it.

What a sentence calls the authorities of its quotation need not stand in it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from lexls.citations.entities import find_names
from lexls.grounding.verification.clauses import Reading, align_words
from lexls.grounding.verification.vocabulary import (
    ALIKE,
    EXCEPTIONS,
    INSTRUMENTS,
    IRREGULAR,
    MODALS,
    NAMELESS,
    NEGATIONS,
    QUANTIFIERS,
    REPORTING,
    STATIVE,
)
from lexls.index.records import Authority
from lexls.quotations.speakers import PARTIES
from lexls.quotations.vocabulary import is_number
from lexls.retrieval.relevance import COMMON, Tokens, Weights, find_terms
from lexls.text.dates import MONTHS
from lexls.text.lexicon import PARTICLES, SMALL_WORDS, split_words

_CAPITAL = re.compile(r"(?<![^\W_])[A-Z][^\W_]*(?:[’'-][^\W_]+)*")
_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_FORBIDDEN = re.compile(r"\bmust not ([a-z]{2,30})\b", re.IGNORECASE)
_BY = re.compile(r"\bby\s(?:(?:the|a|an|Mr|Mrs|Ms|Dr)\.?\s)?([^\W\d_]+)")
_HEAD = re.compile(
    r"\s{0,40}(?:(?:[^\s,]{1,80}\s{1,40}){0,11}?that\b|(?:[^\s,]{1,80}\s{1,40}){0,4}[^\s,]{1,80},"
    r"|(?:[^\s,]{1,80}\s{1,40}){0,3})",
    re.IGNORECASE,
)
"""The first words up to "that", the first five up to a comma, else the first three."""
_SAYS = re.compile(r"\s{0,40}(?:[^\s,]{1,80}\s{1,40}){0,10}?([^\s,]{1,80})\s{1,40}that\b", re.IGNORECASE)
_TAIL = re.compile(r",(?:\s+[^\s,]+){1,5}$")
_TITLES = split_words("mr mrs ms miss dr sir lord lady justice judge hon honourable j cj jj")
_COURTS = split_words("court courts judge judges judgment judgments passage passages")
_NAMELESS = NAMELESS.union(month.casefold() for month in MONTHS)


def say_alike(text: str) -> str:
    """``text`` with one phrase for all that say the same: "can not" for "has no right to"."""
    return read_as(text, ALIKE)


def read_forbidden(text: str, evidence: str) -> str:
    """``text`` with "must not sell" for its "may not sell" where that is what ``evidence`` forbids; of what
    does nothing ("shall not apply") it would leave the matter open. Both are read alike."""
    for verb in {match[1].casefold() for match in _FORBIDDEN.finditer(evidence)} - STATIVE:
        stem = verb.removesuffix("e")
        text = re.sub(rf"\b(?:may|can) not ({stem}(?:e|{stem[-1]}?ing)?)\b", r"must not \1", text)
    return text


def find_unsupported_words(
    text: str, evidence: str, question: Collection[str], tokens: Tokens
) -> tuple[str, ...]:
    """The words of ``text`` that carry meaning and that neither ``evidence`` nor the terms ``question`` have.

    Words of reporting are lexls' own where they stand around what is reported; numbers are compared
    elsewhere.
    """
    have = set(_terms(evidence, tokens))
    return tuple(
        word
        for term, word in find_terms(_regular(_reported(text, tokens)), tokens).items()
        if term not in have and term not in question and not is_number(word.casefold())
    )


def find_unsupported_names(text: str, evidence: str, titles: str, beyond: str) -> tuple[str, ...]:
    """The names in ``text`` that stand in neither ``evidence`` nor ``titles`` (those of its authorities).

    ``beyond`` is the rest of the passages: a word that is written with a capital there is a name also at the
    beginning of a sentence. Parts of a name that stand beside each other must do so in the evidence.
    """
    written = f"{evidence}\n{titles}"
    known = {_bare(each) for each in _CAPITAL.findall(written)}
    pairs = set(_beside(written))
    plain = {each for each in _WORD.findall(evidence) if each.islower()}
    folded = " ".join(evidence.casefold().split())
    found: dict[str, None] = {}
    for _, name in find_names(text):
        parts = [each for each in _CAPITAL.findall(name) if not _is_nameless(each, ())]
        if all(_is_nameless(each, _COURTS) for each in parts):
            continue
        found |= dict.fromkeys(part for part in parts if _bare(part) not in known | plain)
        for pair in _beside(name):
            inside = set(pair) <= {_bare(each) for each in parts}
            if inside and pair not in pairs and " ".join(pair) not in folded:
                found[name] = None
    elsewhere = {_bare(each) for each in _CAPITAL.findall(beyond)} - known - plain - COMMON
    first = _CAPITAL.match(text)
    if first is not None and _bare(first.group()) in elsewhere and not _is_nameless(first.group(), REPORTING):
        found[first.group()] = None
    return tuple(found)


def find_unsupported_parties(sentence: Reading, evidence: Reading) -> tuple[str, ...]:
    """The nouns of sides ("lessor") that the evidence does not have in this very form: stems would confuse
    them ("lessee")."""
    unsupported = list_parties(sentence) - list_parties(evidence)
    return tuple(sorted(each for each in sentence.said if _singular(each) in unsupported))


def list_parties(reading: Reading) -> frozenset[str]:
    """The nouns of sides that a text has, in the singular."""
    return PARTIES.intersection(map(_singular, reading.said))


def measure_entailment(
    text: str, sentence: Reading, evidence: Reading, weights: Weights, tokens: Tokens
) -> float:
    """Return how much of ``text`` the words of its evidence bear out, from 0 to 1.

    The share of its weighted terms that the evidence has, less up to a third where these stand there in
    another order (the share of them outside the longest common runs). Words of reporting and numbers do not
    count. ``weights`` must have every term of ``text``.
    """
    wanted = [
        term
        for term, word in find_terms(_regular(_without_frame(text, tokens)), tokens).items()
        if not is_number(word.casefold())
    ]
    have = {each.term for each in evidence.words}
    total = sum(weights.terms.get(term, 0.0) for term in wanted)
    if not total:
        return 0.0
    shared = [term for term in wanted if term in have]
    covered = sum(weights.terms.get(term, 0.0) for term in shared) / total
    in_order = {one.term for one, _ in align_words(sentence, evidence)}
    order = sum(term in in_order for term in shared) / len(shared) if shared else 0.0
    return round(covered * (2 + order) / 3, 4)


def find_swapped(text: str, evidence: str, sentence: Reading, witness: Reading) -> tuple[str, ...]:
    """The names or sides of which a sentence says of one what its evidence says of the other.

    Two of them are swapped if the evidence has them in the other order only; a passive ("was sued by") in
    one of the texts and not in the other turns the order itself.
    """
    mine, theirs = _sides(sentence), _sides(witness)
    order: defaultdict[str, list[int]] = defaultdict(list)
    for place, side in enumerate(theirs):
        order[side].append(place)
    agents = _agents(text, mine), _agents(evidence, mine)
    if agents[0] == agents[1] and mine != theirs and Counter(mine) == Counter(theirs):
        return tuple(dict.fromkeys(one for one, other in zip(mine, theirs, strict=True) if one != other))
    pairs = [
        (one, other) for one, other in pairwise(mine) if one != other and one in order and other in order
    ]
    backward = [
        pair for pair in pairs if not any(low < high for low in order[pair[0]] for high in order[pair[1]])
    ]
    if agents[0] != agents[1]:
        # One of the two is passive: something must stand the other way round.
        backward = [] if backward else pairs
    return tuple(dict.fromkeys(side for pair in backward for side in pair))


def _agents(text: str, sides: Collection[str]) -> int:
    """Return how many of ``sides`` stand behind a "by" in ``text``."""
    return sum(_side(match[1]) in sides for match in _BY.finditer(text))


def _sides(reading: Reading) -> list[str]:
    """The names and sides of a text in order; a name is what has a capital."""
    sides = ((word.written[:1].isupper(), _side(word.written)) for word in reading.words)
    nameless = _NAMELESS | _TITLES
    return [side for capital, side in sides if side in PARTIES or (capital and side not in nameless)]


def _side(word: str) -> str:
    folded = _bare(word)
    return _singular(folded) if _singular(folded) in PARTIES else folded


def _bare(word: str) -> str:
    """A word folded, without the ending of the genitive."""
    return word.casefold().removesuffix("’s").removesuffix("'s")


def _singular(word: str) -> str:
    return word.removesuffix("s") if word not in PARTIES else word


def _is_nameless(word: str, own: Collection[str]) -> bool:
    """Return whether a word with a capital names nothing: "Section", "Mr", "The" (but "US" does)."""
    folded = _bare(word)
    common = folded in COMMON and not (len(word) > 1 and word.isupper())
    return common or folded in _NAMELESS or folded in _TITLES or folded in own


def _without_frame(text: str, tokens: Tokens) -> str:
    """``text`` without who says it ("The trial judge found that …"): that is not what evidence bears out."""
    said = cut_saying(text, tokens)
    return said if said != text else _reported(text, tokens)


def cut_saying(text: str, tokens: Tokens) -> str:
    """Return what stands behind "the court held that" at the beginning of ``text``; all of it without such
    words, or where they deny it."""
    match = _SAYS.match(text)
    if match is None or NEGATIONS.intersection(match.group().casefold().split()):
        return text
    return text[match.end() :] if any(each in _own_terms(tokens) for each in tokens(match[1])) else text


def _reported(text: str, tokens: Tokens) -> str:
    """``text`` without words of reporting in what stands around its report: at the beginning up to "that" or
    a comma, and behind the last comma."""
    own = _own_terms(tokens)
    head = _HEAD.match(text)
    low = head.end() if head else 0
    tail = _TAIL.search(text, low)
    high = tail.start() if tail else len(text)

    def drop(match: re.Match[str]) -> str:
        return " " if any(each in own for each in tokens(match.group())) else match.group()

    return _WORD.sub(drop, text[:low]) + text[low:high] + _WORD.sub(drop, text[high:])


def _beside(text: str) -> Iterator[tuple[str, str]]:
    """Capitalised words that stand next to each other, with nothing but a space or initial's stop between."""
    last: re.Match[str] | None = None
    for match in _CAPITAL.finditer(text):
        if last is not None and text[last.end() : match.start()] in (" ", ". ", "\n", "  "):
            yield _bare(last.group()), _bare(match.group())
        last = match


def _terms(text: str, tokens: Tokens) -> Iterator[str]:
    yield from tokens(text)
    yield from tokens(_regular(text))


def _regular(text: str) -> str:
    """``text`` with irregular past forms as their verbs."""
    return _WORD.sub(lambda match: IRREGULAR.get(match.group().casefold(), match.group()), text)


@lru_cache(maxsize=4)
def _own_terms(tokens: Tokens) -> frozenset[str]:
    return frozenset(term for word in REPORTING for term in tokens(word))


def find_weighed_terms(text: str, tokens: Tokens) -> Sequence[str]:
    """The terms of ``text`` that ``measure_entailment`` weighs."""
    return tuple(find_terms(_regular(text), tokens))


Readings = Sequence[tuple[re.Pattern[str], str]]
"""Patterns, each with what is read in its place."""
_SHORTEST = 4
"""Characters of a title that is looked for as a whole."""
_SMALL = SMALL_WORDS | PARTICLES | split_words("v vs between ex parte re a an by other others anr ors")
_TITLE_TURNING = NEGATIONS | EXCEPTIONS | QUANTIFIERS | (MODALS.keys() - {"will"})
_LETTERS = re.compile(r"[^\W\d_]+")
_TITLE_WORD = re.compile(r"[\w’'-]+")
_ACCORDING = "according to|pursuant to|by virtue of"


def collect_titles(authorities: Iterable[Authority]) -> tuple[str, ...]:
    """Titles, citations and courts of ``authorities``, each once, the longest first.

    Only what looks like a name: a document could be called "never", and no sentence may lose that word.
    """
    found: dict[str, None] = {}
    for each in authorities:
        for name in (each.title, each.short_title, *each.citations, each.court):
            if len(name.strip()) >= _SHORTEST and _is_name(name):
                found[" ".join(name.split())] = None
    return tuple(sorted(found, key=lambda name: -len(name)))


def _is_name(title: str) -> bool:
    """Return whether a title has a figure or two words, all of them with capitals but for the small ones,
    and none that turns or limits what is said."""
    said = _LETTERS.findall(title)
    if any(word.casefold() in _TITLE_TURNING for word in said):
        return False
    plain = [word for word in said if word[0].islower() and word not in _SMALL]
    return not plain and (len(said) > 1 or any(map(str.isdigit, title)))


def remove_titles(text: str, titles: Iterable[str]) -> str:
    """``text`` without the ``titles`` that stand in it as a whole, however they are spaced or capitalised."""
    for title in titles:
        words = r"\.?\s+".join(re.escape(each).replace(r"\.", r"\.?") for each in title.split())
        text = re.sub(rf"(?<!\w){words}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def find_own_names(authorities: Iterable[Authority], quotation: str) -> Readings:
    """Return how the one authority of a ``quotation`` is named: "this lease" is read for what its title
    calls the instrument that the quotation calls "this Lease", and nothing for "under the lease," at the
    beginning."""
    found: list[tuple[re.Pattern[str], str]] = []
    own = {each.id: each for each in authorities}
    folded = " ".join(quotation.split()).casefold()
    for title in (name for each in own.values() if len(own) == 1 for name in (each.title, each.short_title)):
        words = _TITLE_WORD.findall(title.casefold())
        known = "|".join(re.escape(each) for each in sorted({*words, "and", "of"}))
        year = "|".join(each for each in words if each.isdigit()) or "(?!)"
        for noun in sorted(INSTRUMENTS.intersection(words)):
            named = rf"(?:the|this)\s(?:(?:{known})\s){{0,12}}{noun}(?:,?\s(?:of\s)?(?:{year}))?(?!\w)"
            if not re.search(rf"\b(?:under|in|to) this {noun}", folded):
                found.append((re.compile(rf"\A(?:under|in|{_ACCORDING}) {named},\s", re.IGNORECASE), ""))
            if f"this {noun}" in folded:
                found.append((re.compile(rf"\b{named}", re.IGNORECASE), f"this {noun}"))
    return found


def read_as(text: str, readings: Readings) -> str:
    """``text`` with what is to be read in place of its phrases."""
    for pattern, said in readings:
        text = pattern.sub(said, text)
    return text
