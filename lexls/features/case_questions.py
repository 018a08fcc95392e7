"""Answer questions about the facts, issue, holding, reasons or order of a named case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from lexls.citations.case_names.shorten import list_openings, list_short_names
from lexls.citations.case_names.word_relations import strip_accents
from lexls.index.records import Authority, PassageRecord
from lexls.library.roles.role import find_roles
from lexls.library.speakers import COURTS_OWN
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.model import Filters, select_documents
from lexls.retrieval.relevance import find_terms
from lexls.text.cancel import CancelToken
from lexls.text.lexicon import split_words
from lexls.text.phrases import compile_pattern, define_parts, load_phrases
from lexls.wording.prose import (
    asks,
    blank_markup,
    find_statements,
    holds,
    reports_a_party,
    reports_another_court,
    reports_another_decision,
)

_FILE = load_phrases(__package__, "case_questions.toml")
_PARTS = define_parts(_FILE["parts"])
_WAYS = tuple((each["part"], compile_pattern(each["asks"], _PARTS)) for each in _FILE["part_of_case"])
"""The parts of a case that questions ask for, with their patterns."""
_ORDERS, _CONCLUDES, _REASONS, _LEANS, _BELOW = (
    compile_pattern(_FILE["says"][each], _PARTS)
    for each in ("orders", "concludes", "reasons", "leans", "below")
)
_NAME_WORD = re.compile(r"[^\W_]+")
_INITIALS = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_SAYING_LITTLE = split_words(_FILE["names"]["common"])
_OPENING = 4000
"""Number of characters at a case's beginning that are searched for its parties."""
_LATE = 0.85
"""Share of a case after which its conclusion is expected."""
_FEWEST_TERMS = 6
"""Minimum number of terms in a sentence that can be understood on its own, unlike "We hold that it does."."""
_WEIGHTS = {
    "holds": 1.0,
    "role": 0.5,
    "concludes": 0.4,
    "late": 0.3,
    "orders": 0.4,
    "reasons": 0.5,
}
"""Score weights for sentences that state a case's holding or reasons."""
_TOPIC, _MOST_TOPIC, _LEAST_TOPIC = 1.5, 0.7, 0.4
"""Weight of the share of a topic's words in a sentence, the maximum share that counts, and the minimum share
required.
"""
_LEANING, _OF_COURT_BELOW, _SHORT = 0.3, 0.5, 0.8
"""Deductions for a sentence that depends on the one before it, that reports a lower court's decision, or that
is short.
"""


@dataclass(frozen=True, slots=True)
class PartAsked:
    """A question about a case: the ``part`` ("holding", "order" …), the ``case`` as named, and the ``topic``,
    or an empty string for the whole case.
    """

    part: str
    case: str
    topic: str


def read_case_question(question: str) -> PartAsked | None:
    """Parse a question about a named case. Returns None for other questions."""
    asked = question.strip(" ?.!").replace("*", "").replace("_", "")
    for part, pattern in _WAYS:
        if match := pattern.search(asked):
            found = match.groupdict()
            return PartAsked(part, found["case"], found.get("topic") or "")
    return None


def find_case(snapshot: Snapshot, name: str, cited: frozenset[int], filters: Filters) -> Authority | None:
    """Return the library's case with this name, or None.

    The case is one of ``cited``, has this name or short name, or has all words of the name in its title. Of
    several with the same title, the latest is returned, since the decisions in one litigation share a title.
    If several with different titles match, None is returned.
    """
    known = snapshot.library.catalogue.all()
    allowed = select_documents(known, filters)
    cases = [each for each in known if each.kind == "case" and (allowed is None or each.id in allowed)]
    folded, words = name.casefold(), _list_words(name)
    ways: tuple[Callable[[Authority], bool], ...] = (
        lambda each: each.id in cited,
        lambda each: folded in map(str.casefold, (each.title, *list_short_names(each.title))),
        lambda each: folded in map(str.casefold, list_openings(each.title)),
        lambda each: len(words) > 1 and _has_words(each.title, words),
    )
    found = next(filter(None, ([each for each in cases if way(each)] for way in ways)), [])
    if not found and len(words) > 1:
        plain = " ".join(_NAME_WORD.findall(name))
        asked = f"what was held in the {plain} case?"
        named = snapshot.searcher.find_named(asked, filters, CancelToken()).documents
        opening = snapshot.library.contents.text
        found = [
            each for each in cases if each.id in named and words <= _list_words(opening(each.id)[:_OPENING])
        ]
    latest = max(found, key=lambda each: each.date, default=None)
    if latest is None or (
        len(found) > 1 and any(_list_words(each.title) != _list_words(latest.title) for each in found)
    ):
        return None
    return latest


def _list_words(name: str) -> frozenset[str]:
    """Return the distinctive words of a case name without accents, initials ("U.P.") as one word."""
    plain = _INITIALS.sub(lambda match: match[0].replace(".", "") + " ", strip_accents(name))
    return frozenset(word for word in _NAME_WORD.findall(plain.casefold()) if word not in _SAYING_LITTLE)


def _has_words(title: str, words: frozenset[str]) -> bool:
    """Return whether a title has all ``words``; initials ("UP") also match the words of a name."""
    written = [word.casefold() for word in _NAME_WORD.findall(title)]
    initials = {first[0] + second[0] for first, second in pairwise(written)}
    initials |= {"".join(word[0] for word in written[n : n + 3]) for n in range(len(written) - 2)}
    return words <= _list_words(title) | initials


def list_sentences(
    snapshot: Snapshot, case: Authority, asked: PartAsked, most: int
) -> list[tuple[PassageRecord, str]]:
    """Return the court's own sentences that answer a question about a case, each with its passage, best
    first.
    """
    passages = snapshot.library.contents.passages(case.id)
    if asked.part in ("holding", "reasons") or asked.topic:
        return _rank(snapshot, case, passages, asked)[:most]
    found = list(islice(_list_sentences_of_part(case, passages, asked.part), most))
    if not found and asked.part == "order":
        return _rank(snapshot, case, passages, asked)[:most]
    return found


def _list_own_sentences(
    case: Authority, passages: Iterable[PassageRecord]
) -> Iterator[tuple[PassageRecord, str, str]]:
    """Yield the court's own sentences: passage, text without markup, and text as written."""
    for passage in passages:
        if passage.speaker not in COURTS_OWN:
            continue
        text = blank_markup(case, passage.text)
        for span in find_statements(text):
            sentence = span.of(text)
            if not (reports_a_party(sentence) or reports_another_decision(sentence)):
                yield passage, sentence, span.of(passage.text).strip()


def _list_sentences_of_part(
    case: Authority, passages: Sequence[PassageRecord], part: str
) -> Iterator[tuple[PassageRecord, str]]:
    """Yield the court's own sentences in a part of a case, in order. For orders, only the sentences of the
    last passage that contains any are yielded.
    """
    roles, ordered = find_roles(part), None
    sought = [each for each in passages if part == "order" or each.role in roles]
    for passage, sentence, written in _list_own_sentences(
        case, reversed(sought) if part == "order" else sought
    ):
        if ordered is not None and passage is not ordered:
            return
        if part == "order":
            said = _ORDERS.search(sentence) is not None and not reports_another_court(sentence)
            ordered = passage if said else ordered
        else:
            said = asks(sentence) == (part == "issue")
        if said:
            yield passage, written


def _rank(
    snapshot: Snapshot, case: Authority, passages: Sequence[PassageRecord], asked: PartAsked
) -> list[tuple[PassageRecord, str]]:
    """Return the sentences that state a case's holding or reasons, best first; for a topic, only those with
    its words.
    """
    topic = frozenset(find_terms(asked.topic, snapshot.tokens))
    rarity = dict(zip(topic, snapshot.library.rarity(list(topic)), strict=True))
    total = sum(rarity.values()) or 1.0
    end = max((each.end for each in passages), default=1)
    scored = []
    for passage, sentence, written in _list_own_sentences(case, passages):
        terms = frozenset(snapshot.tokens(sentence))
        on_topic = sum(rarity[term] for term in topic & terms) / total
        met = {
            "holds": holds(sentence),
            "role": passage.role in find_roles("holding"),
            "concludes": _CONCLUDES.search(sentence) is not None,
            "late": passage.start >= _LATE * end,
            "orders": asked.part != "reasons" and _ORDERS.search(sentence) is not None,
            "reasons": asked.part == "reasons" and _REASONS.search(sentence) is not None,
        }
        if asks(sentence) or not any(
            met[each] for each in ("holds", "role", "concludes", "orders", "reasons")
        ):
            continue
        if reports_another_court(sentence) and not met["orders"]:
            continue
        score = sum(_WEIGHTS[name] for name, is_met in met.items() if is_met)
        score += _TOPIC * min(on_topic, _MOST_TOPIC)
        score -= _SHORT * (len(terms) < _FEWEST_TERMS) + _LEANING * (_LEANS.search(sentence) is not None)
        score -= _OF_COURT_BELOW * (_BELOW.search(sentence) is not None)
        if not topic or on_topic >= _LEAST_TOPIC:
            scored.append((score, passage, written))
    scored.sort(key=lambda each: -each[0])
    return [(passage, written) for _, passage, written in scored]
