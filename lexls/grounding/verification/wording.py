"""Compare the words of a sentence with those of its evidence, and measure how far the evidence supports it.

A sentence may name its quoted authorities in words that the quotation lacks.
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
"""Match the start of a sentence that may introduce a report: the words up to "that", or up to five words
before a comma, or else the first three words.
"""
_SAYS = re.compile(r"\s{0,40}(?:[^\s,]{1,80}\s{1,40}){0,10}?([^\s,]{1,80})\s{1,40}that\b", re.IGNORECASE)
_TAIL = re.compile(r",(?:\s+[^\s,]+){1,5}$")
_TITLES = split_words("mr mrs ms miss dr sir lord lady justice judge hon honourable j cj jj")
_COURTS = split_words("court courts judge judges judgment judgments passage passages")
_NAMELESS = NAMELESS.union(month.casefold() for month in MONTHS)


def say_alike(text: str) -> str:
    """Return ``text`` with equivalent phrases in normal form, such as "can not" for "has no right to"."""
    return read_as(text, ALIKE)


def read_forbidden(text: str, evidence: str) -> str:
    """Return ``text`` with "must not sell" for "may not sell" if ``evidence`` forbids it.

    Verbs of a state ("shall not apply") are not changed, since "may not" would leave the matter open. Both
    texts must be in normal form.
    """
    for verb in {match[1].casefold() for match in _FORBIDDEN.finditer(evidence)} - STATIVE:
        stem = verb.removesuffix("e")
        text = re.sub(rf"\b(?:may|can) not ({stem}(?:e|{stem[-1]}?ing)?)\b", r"must not \1", text)
    return text


def find_unsupported_words(
    text: str, evidence: str, question: Collection[str], tokens: Tokens
) -> tuple[str, ...]:
    """Return the content words of ``text`` found in neither ``evidence`` nor the question's terms
    (``question``).

    Reporting words around what is reported are allowed; numbers are compared elsewhere.
    """
    have = set(_terms(evidence, tokens))
    return tuple(
        word
        for term, word in find_terms(_regular(_reported(text, tokens)), tokens).items()
        if term not in have and term not in question and not is_number(word.casefold())
    )


def find_unsupported_names(text: str, evidence: str, titles: str, beyond: str) -> tuple[str, ...]:
    """Return the names in ``text`` that are in neither ``evidence`` nor ``titles`` (those of its
    authorities).

    ``beyond`` is the rest of the passages: a word capitalised there is a name even at the start of a
    sentence. Adjacent parts of a name must be adjacent in the evidence too.
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
    """Return the party words ("lessor") that the evidence lacks in this form. Stems are not compared, since
    they do not distinguish "lessor" from "lessee".
    """
    unsupported = list_parties(sentence) - list_parties(evidence)
    return tuple(sorted(each for each in sentence.said if _singular(each) in unsupported))


def list_parties(reading: Reading) -> frozenset[str]:
    """Return the party words of a text, in the singular."""
    return PARTIES.intersection(map(_singular, reading.said))


def measure_entailment(
    text: str, sentence: Reading, evidence: Reading, weights: Weights, tokens: Tokens
) -> float:
    """Return how far the words of its evidence support ``text``, from 0 to 1.

    This is the share of the weighted terms of ``text`` that the evidence has. It is reduced by up to a third
    if their order differs, in proportion to the share of terms outside the longest common runs. Reporting
    words and numbers do not count. ``weights`` must have every term of ``text``.
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
    """Return the names or parties that a sentence exchanges compared with its evidence.

    Two are exchanged if the evidence has them only in the other order. A passive ("was sued by") in one of
    the texts only reverses the expected order.
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
        # One of the two is passive, so some pair must be in reverse order.
        backward = [] if backward else pairs
    return tuple(dict.fromkeys(side for pair in backward for side in pair))


def _agents(text: str, sides: Collection[str]) -> int:
    """Return how many of ``sides`` follow a "by" in ``text``."""
    return sum(_side(match[1]) in sides for match in _BY.finditer(text))


def _sides(reading: Reading) -> list[str]:
    """Return the names (capitalised words) and party words of a text, in order."""
    sides = ((word.written[:1].isupper(), _side(word.written)) for word in reading.words)
    nameless = _NAMELESS | _TITLES
    return [side for capital, side in sides if side in PARTIES or (capital and side not in nameless)]


def _side(word: str) -> str:
    folded = _bare(word)
    return _singular(folded) if _singular(folded) in PARTIES else folded


def _bare(word: str) -> str:
    """Return a word folded, without a possessive ending."""
    return word.casefold().removesuffix("’s").removesuffix("'s")


def _singular(word: str) -> str:
    return word.removesuffix("s") if word not in PARTIES else word


def _is_nameless(word: str, own: Collection[str]) -> bool:
    """Return whether a capitalised word is not a name: "Section", "Mr", "The" (but "US" is one)."""
    folded = _bare(word)
    common = folded in COMMON and not (len(word) > 1 and word.isupper())
    return common or folded in _NAMELESS or folded in _TITLES or folded in own


def _without_frame(text: str, tokens: Tokens) -> str:
    """Return ``text`` without its attribution ("The trial judge found that …"), which evidence need not
    support.
    """
    said = cut_saying(text, tokens)
    return said if said != text else _reported(text, tokens)


def cut_saying(text: str, tokens: Tokens) -> str:
    """Return the text after an opening such as "the court held that".

    Returns all of ``text`` if there is no such opening or it is negated.
    """
    match = _SAYS.match(text)
    if match is None or NEGATIONS.intersection(match.group().casefold().split()):
        return text
    return text[match.end() :] if any(each in _own_terms(tokens) for each in tokens(match[1])) else text


def _reported(text: str, tokens: Tokens) -> str:
    """Return ``text`` without the reporting words that introduce a report (up to "that" or a comma) or follow
    it (after the last comma).
    """
    own = _own_terms(tokens)
    head = _HEAD.match(text)
    low = head.end() if head else 0
    tail = _TAIL.search(text, low)
    high = tail.start() if tail else len(text)

    def drop(match: re.Match[str]) -> str:
        return " " if any(each in own for each in tokens(match.group())) else match.group()

    return _WORD.sub(drop, text[:low]) + text[low:high] + _WORD.sub(drop, text[high:])


def _beside(text: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of adjacent capitalised words, separated only by a space or an initial's full stop."""
    last: re.Match[str] | None = None
    for match in _CAPITAL.finditer(text):
        if last is not None and text[last.end() : match.start()] in (" ", ". ", "\n", "  "):
            yield _bare(last.group()), _bare(match.group())
        last = match


def _terms(text: str, tokens: Tokens) -> Iterator[str]:
    yield from tokens(text)
    yield from tokens(_regular(text))


def _regular(text: str) -> str:
    """Return ``text`` with irregular past forms replaced by their verbs."""
    return _WORD.sub(lambda match: IRREGULAR.get(match.group().casefold(), match.group()), text)


@lru_cache(maxsize=4)
def _own_terms(tokens: Tokens) -> frozenset[str]:
    return frozenset(term for word in REPORTING for term in tokens(word))


def find_weighed_terms(text: str, tokens: Tokens) -> Sequence[str]:
    """Return the terms of ``text`` that ``measure_entailment`` weighs."""
    return tuple(find_terms(_regular(text), tokens))


Readings = Sequence[tuple[re.Pattern[str], str]]
"""Patterns with their replacements."""
_SHORTEST = 4
"""Minimum length in characters of a title searched for as a whole."""
_SMALL = SMALL_WORDS | PARTICLES | split_words("v vs between ex parte re a an by other others anr ors")
_TITLE_TURNING = NEGATIONS | EXCEPTIONS | QUANTIFIERS | (MODALS.keys() - {"will"})
_LETTERS = re.compile(r"[^\W\d_]+")
_TITLE_WORD = re.compile(r"[\w’'-]+")
_ACCORDING = "according to|pursuant to|by virtue of"


def collect_titles(authorities: Iterable[Authority]) -> tuple[str, ...]:
    """Return the titles, citations and courts of ``authorities``, without duplicates, longest first.

    Only text that looks like a name is included. Otherwise a document called "never" would cause this word to
    be removed from sentences.
    """
    found: dict[str, None] = {}
    for each in authorities:
        for name in (each.title, each.short_title, *each.citations, each.court):
            if len(name.strip()) >= _SHORTEST and _is_name(name):
                found[" ".join(name.split())] = None
    return tuple(sorted(found, key=lambda name: -len(name)))


def _is_name(title: str) -> bool:
    """Return whether a title is a name: it has a digit or two words, all capitalised except function words,
    and no word that negates or limits.
    """
    said = _LETTERS.findall(title)
    if any(word.casefold() in _TITLE_TURNING for word in said):
        return False
    plain = [word for word in said if word[0].islower() and word not in _SMALL]
    return not plain and (len(said) > 1 or any(map(str.isdigit, title)))


def remove_titles(text: str, titles: Iterable[str]) -> str:
    """Return ``text`` without complete ``titles``, ignoring spacing and case."""
    for title in titles:
        words = r"\.?\s+".join(re.escape(each).replace(r"\.", r"\.?") for each in title.split())
        text = re.sub(rf"(?<!\w){words}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def find_own_names(authorities: Iterable[Authority], quotation: str) -> Readings:
    """Return replacements for the names of the quotation's authority, if there is only one.

    The instrument's name in its title is replaced with "this lease" if the quotation says "this Lease". An
    opening "under the lease," is removed.
    """
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
    """Return ``text`` with the replacements applied."""
    for pattern, said in readings:
        text = pattern.sub(said, text)
    return text
