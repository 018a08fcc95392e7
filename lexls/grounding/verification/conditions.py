"""Move a sentence's condition to its position in the quotation, for comparison."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from lexls.grounding.verification.vocabulary import (
    AUXILIARIES,
    LIMITING,
    NEGATIONS,
    PEOPLE,
    QUANTIFIERS,
    THINGS,
)
from lexls.quotations.speakers import EMBEDDING
from lexls.text.lexicon import split_words

_WHEN = "if|when|where|unless|once|until|after|before|while"
_CONDITION = re.compile(rf"({_WHEN})\b", re.IGNORECASE)
_OPENING = re.compile(
    rf"({_WHEN}|(?:for|on|in|within|under|from|during|at|upon) \w{{1,40}} \w{{1,40}})\b", re.IGNORECASE
)
"""Match the opening of a sentence that states a time or condition. Group 1 is its first word ("if"), or its
first three ("on the day").
"""
_ONE_SENTENCE = re.compile(r"(?:[^.;?!]|\.(?!\s{1,9}[A-Z]|$)){1,600}\.?")
_COMMA = re.compile(r",\s")
_MOST_COMMAS = 6
_JOINED = re.compile(
    r"(?:but|and|yet|so|thus|hence|therefore|however|accordingly|similarly|indeed),?\s", re.IGNORECASE
)
"""Match a connective such as "but" or "therefore", which links a sentence to the previous one and comes
before the condition.
"""
_VERB = re.compile(
    r"((?:[^\s,;]{1,40} ){0,9}?[^\s,;]{1,40}) "
    rf"((?:{'|'.join(sorted(AUXILIARIES - {'cannot'}))})(?: not)?)\b",
    re.IGNORECASE,
)
"""Match a subject and its auxiliary verb."""
_INSIDE = re.compile(rf"((?:[^\s,;]{{1,40}} ){{0,12}}?[^\s,;]{{1,40}}),\s({_WHEN})\s", re.IGNORECASE)
"""Match a condition inside a sentence; group 1 is the text before it."""
_SUBORDINATE = split_words(
    "who which that whose whom where if when unless once until after before while whether and or"
)
_PERSONAL = frozenset(("he", "she", "it"))
_ARTICLES = frozenset(("the", "a", "an", "any", "such", "this", "that"))
_DETERMINERS = _ARTICLES | split_words(
    "its his her their our every each all some no another both one those these"
)
_MOST_NAMED = 6
"""Maximum number of words in a name or description of a party."""
_NO_NAME = (
    AUXILIARIES
    | EMBEDDING
    | LIMITING
    | NEGATIONS
    | QUANTIFIERS
    | split_words("he she it they who which or and")
)
_HUMAN = re.compile(r"\w{2,30}(?:er|or|ee|ant|ist|man|ian|smith|king|ess)s?")


def turn_round(text: str, evidence: str) -> str:
    """Return ``text`` with its condition, or its opening words, in the position they have in ``evidence``:
    "if he delays, he must pay" for "he must pay if he delays".

    A pronoun is exchanged with its antecedent ("if the tenant delays, he must pay" for "the tenant must pay
    if he delays"), unless in ``evidence`` it might refer to another person.
    """
    evidence = _JOINED.sub("", evidence, count=1) if _JOINED.match(evidence) else evidence
    opening, folded = _OPENING.match(evidence), text.casefold()
    begun = _CONDITION.match(text)
    ways = [text]
    words = evidence.casefold().split()
    if opening is not None and not folded.startswith(opening[1].casefold()):
        at = folded.find(f" {opening[1].casefold()} ")
        if at > 0:
            condition, rest = text[at:].strip().rstrip("."), text[:at].rstrip(" ,")
            ways.append(f"{condition}, {rest}.")
            ways += (f"{one}, {other}." for one, other in _exchange(condition, rest, evidence))
    elif opening is None and begun and re.search(rf"\s{begun[1]}\s", evidence, re.IGNORECASE):
        for at in [match.end() for match in _COMMA.finditer(text)][:_MOST_COMMAS]:
            condition, rest = text[:at].rstrip(" ,"), text[at:].strip().rstrip(".")
            ways.append(f"{rest} {condition}.")
            ways += (f"{one} {other}." for one, other in _exchange(rest, condition, evidence))
    ways += _move_inside(text, evidence)
    if len(ways) == 1 or not _ONE_SENTENCE.fullmatch(text):
        return text
    return max(ways, key=lambda each: _measure_order(each, words))


def _move_inside(text: str, evidence: str) -> Iterator[str]:
    """Yield ``text`` with its final condition moved between subject and verb, if ``evidence`` has it there:
    "he may, if it rains, wait" for "he may wait if it rains".
    """
    inside = _INSIDE.match(evidence)
    if inside is None or not _SUBORDINATE.isdisjoint(inside[1].casefold().split()):
        return
    joining, text = inside[2], text.rstrip(". ")
    parts = re.split(rf"\s{joining}\s", text, flags=re.IGNORECASE)
    if len(parts) == 2:
        rest, condition = parts[0].rstrip(","), parts[1]
        verb = _VERB.match(rest)
        if verb is not None and _SUBORDINATE.isdisjoint(rest.casefold().split()):
            yield f"{verb[1]}, {joining} {condition}, {verb[2]}{rest[verb.end() :]}."
            yield f"{verb[1]} {verb[2]}, {joining} {condition},{rest[verb.end() :]}."


def _measure_order(text: str, words: Sequence[str]) -> int:
    """Return how many words of ``text`` occur in the same order in ``words``."""
    matcher = SequenceMatcher(None, text.casefold().rstrip(".").split(), words, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


def _exchange(first: str, second: str, evidence: str) -> Iterator[tuple[str, str]]:
    """Yield the two clauses, given in the order of ``evidence``, with a pronoun and its antecedent exchanged:
    the pronoun that begins the first, and the subject that begins the second.
    """
    (opening, pronoun, *one), (joining, *other) = _cut(first), _cut(second)
    if pronoun.casefold() not in _PERSONAL or not one or not other:
        return
    start, *there = _cut(evidence)
    if start.casefold() != opening.casefold():
        return
    for count in range(1, min(_MOST_NAMED, len(other) - 1, len(there) - 1) + 1):
        named, theirs = other[:count], there[:count]
        same = _bare(named) == _bare(theirs) and _bare(named) and _fold(there[count]) == _fold(one[0])
        if same and _may_name(named) and _is_clear(there[count:], pronoun.casefold(), joining):
            yield (
                " ".join((opening, *named, *one)).strip(),
                " ".join((joining, pronoun, *other[count:])).strip(),
            )
            return


def _cut(clause: str) -> Sequence[str]:
    """Return the conjunction that begins a condition (or an empty string), followed by its other words, at
    least one.
    """
    words = clause.split()
    return words if words and _CONDITION.fullmatch(words[0]) else ["", *(words or [""])]


def _fold(word: str) -> str:
    return word.casefold().rstrip(",;:.")


def _bare(words: Sequence[str]) -> list[str]:
    return [each.casefold() for each in words if each.casefold() not in _ARTICLES]


def _may_name(words: Sequence[str]) -> bool:
    return _NO_NAME.isdisjoint(each.casefold() for each in words) and not any(
        not each[-1].isalnum() for each in words
    )


def _is_clear(rest: Sequence[str], pronoun: str, joining: str) -> bool:
    """Return whether the pronoun can only refer to the subject. ``rest`` has the evidence's words after the
    subject; those before the pronoun's clause must not mention anybody else to whom it could refer.
    """
    words = [each.casefold().strip("“”\"'()") for each in rest]
    for at in range(1, len(words)):
        if words[at] != pronoun:
            continue
        begins = words[at - 1] == joining.casefold() if joining else words[at - 1].endswith(",")
        clause = words[: at - 1] if joining else words[:at]
        if not begins or not clause:
            return False
        bare = [each.strip(".,;:") for each in clause]
        if pronoun == "it":
            return _DETERMINERS.isdisjoint(bare)
        human = any(each in PEOPLE or (_HUMAN.fullmatch(each) and each not in THINGS) for each in bare)
        return not human and not any(each[:1].isupper() for each in rest[: len(clause)])
    return False
