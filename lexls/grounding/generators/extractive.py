"""Answer without a model: with sentences of the evidence itself, the best first."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from lexls.grounding.answer import Claim, Insufficient, Part, Quoted, Request, Sentence
from lexls.grounding.clause_selection import ENOUGH, rank_clauses
from lexls.grounding.injection import gives_orders
from lexls.grounding.opposition import (
    DENIES,
    LEAST_SHARED,
    Proposition,
    is_against,
    measure_opposition,
    says_the_same,
)
from lexls.grounding.selection import (
    ENCODED,
    ENCODED_FOR_ANSWER,
    Candidate,
    Encode,
    add_similarity,
    asks_for_clause,
    choose_best,
    find_candidates,
    is_convincing,
    is_relevant,
)
from lexls.library.speakers import COURTS_OWN, SpeakerKind
from lexls.retrieval.named_documents import CONTRACTS
from lexls.retrieval.relevance import Tokens, Weights, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.lexicon import split_words
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.wording.prose import asks, asserts, holds, reports_another_court

_FILE = load_phrases("lexls.grounding", "phrases.toml")
_PHRASES = _FILE["leaning"]
_LEANS = compile_pattern(_PHRASES["leans"], {})
"""A sentence that leans on the one before it, or that only its own court can say."""
_LONGEST_DRAFTED = 450
_LEANING = 0.5
"""What a leaning sentence counts when one is wanted that can stand in a draft."""
_POINTS_BACK = compile_pattern(_PHRASES["points_back"], {})
_POINTING_BACK = 0.75
"""What a sentence counts whose subject stands in the one before it, or that only cites: alone it says less
than its words."""
_SAYING_NOTHING = split_words(
    "become becomes became happen happens happened make makes made get gets got need needs use uses long"
)
"""Words of questions that no reader looks for in an answer ("how long")."""
_LEAST_OF_ALL = 0.45
"""The share of a proposition's words that contrary authority needs, with those that no sentence has."""
_LEAST_SAID, _NEARLY_SAID = 0.4, 0.65
"""The share of a proposition's words that a drafted sentence may rest on: where the sentence says the same of
its subject, and where it says it in other words."""
_ALIKE = 0.65
"""The cosine from which on it may have fewer."""
_ROLES: Mapping[str, float] = {
    "RATIO": 1.4,
    "FAC": 0.8,
    "RLC": 0.7,
    "ARG_PETITIONER": 0.7,
    "ARG_RESPONDENT": 0.7,
}
"""What a sentence of an explanation counts by what its passage does in the judgment: the rule comes first."""
_FACTS = "FAC"
_LONGEST_FACT, _FEWEST_OF_FACT = 400, 5
"""Characters, and words with a meaning, of a sentence that tells facts."""
_LEAST_OF_FACT = 0.6
"""What a sentence of the facts must share with the rule: its words over the root of their number."""
_PARTIES_COUNT = 0.4
_FACT_PHRASES = _FILE["facts"]
_PAST, _WHO = (compile_pattern(_FACT_PHRASES[each], {}) for each in ("past", "who"))
_LAW = compile_pattern(_FACT_PHRASES["law"], {}, re.NOFLAG)
_OTHER_COURTS = 0.75
"""What one counts that tells what a court below did: it may not have stood."""
_WEIGHTS: Mapping[SpeakerKind, float] = {
    "dissent": 0.5,
    "counsel": 0.5,
    "cited": 0.7,
    "concurrence": 0.85,
    "headnote": 0.9,
}
"""What a sentence counts that is not the court's own: the court may well have held the opposite."""

_SAYING = 1.4
"""What a sentence counts that says what is asked for: a time where the question is how long."""
_ASKED_OF = compile_pattern(_FILE["asking"]["speakers"], {})
"""A question about what a judge of another mind, a party or a headnote said."""
_AFTER_THE_RULE = tuple(
    (
        compile_pattern(each["sentence"], {}),
        compile_pattern(each["unless"], {}),
        float(each["counts"]),
        bool(each.get("contracts")),
    )
    for each in _FILE["after_the_rule"]
)
"""Sentences that a rule comes before, the questions that ask for them, what they count otherwise, and whether
they do so in contracts, whose clauses are often exceptions."""
_PARTICULAR = compile_pattern(_FILE["opposition"]["particular"], {})
_HAPPENED = 0.7
"""What a sentence counts that tells what happened in one case."""
_ASKING = 0.5
"""What a sentence of a case counts that puts the question: the answer stands elsewhere."""
_CLAIMING = 0.6
"""What one counts that tells what somebody else says, whoever it is, without the court's answer."""


class ExtractiveGenerator:
    """Answers with sentences of the evidence, word for word, by words and, with ``encode``, by similarity.

    For a drafted sentence it prefers those that can stand alone;
    for contrary authority it gives only those that deny, limit or do not follow what the question says.
    """

    name = "extractive"

    def __init__(self, tokens: Tokens, encode: Encode | None = None) -> None:
        self._tokens = tokens
        self._encode = encode

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        """An extract for each sentence chosen, then the words of the question that none of them has.

        Those of the place that a citation points at come first. Where nothing bears, only words that the
        evidence lacks are named. Raises ``Cancelled``.
        """
        asked = find_terms(request.subject, self._tokens)
        if not asked or not request.evidence:
            return
        found, weights = find_candidates(request, tuple(asked), self._tokens, token)
        token.raise_if_cancelled()
        bearing = self._select_relevant(request, found, weights, token)
        said: set[str] = set()
        chosen = list(choose_best(bearing, weights, request.sentences))
        if request.task == "explain":
            chosen = _add_facts(chosen, found, request.sentences)
        # Those of the pinpoint come first, and the rule before the facts it was applied to.
        for each in sorted(
            chosen, key=lambda each: (not each.at_pinpoint, _find_role(each) == _FACTS, -each.score)
        ):
            said |= each.terms.keys()
            yield Claim("", (Quoted(each.evidence.identifier, each.text),))
        if not said:
            said = {term for each in found for term in each.terms}
        missing = tuple(
            word
            for term, word in asked.items()
            if term not in said and word.casefold() not in _SAYING_NOTHING
        )
        # What contrary authority does not speak of stands against nothing.
        if missing and request.task != "contrary":
            yield Insufficient(missing)

    def _select_relevant(
        self, request: Request, found: list[Candidate], weights: Weights, token: CancelToken
    ) -> list[Candidate]:
        if request.task == "draft":
            found = [each for each in found if len(each.text) <= _LONGEST_DRAFTED and "?" not in each.text]
        if request.task == "contrary":
            found = self._against(request, found, weights)
        if request.task == "ask" and asks_for_clause(request):
            clauses = rank_clauses(request.subject, found, weights, self._encode)
            weighed = ((each, _weigh_after_rule(each, request)) for each in clauses if each.clause)
            return [
                replace(each, score=each.score * share)
                for each, share in weighed
                if not gives_orders(each.text) and (share == 1.0 or each.score * share >= ENOUGH)
            ]
        if self._encode is not None and found:
            most = ENCODED_FOR_ANSWER if request.task == "ask" else ENCODED
            found = add_similarity(request.subject, found, self._encode, most)
            token.raise_if_cancelled()
        if request.task == "draft":
            found = self._saying_it(request, found, weights)
        bearing = [each for each in found if is_relevant(each, weights) and not gives_orders(each.text)]
        own = [each for each in bearing if each.at_pinpoint or self._is_courts_own(each)]
        if any(is_convincing(each) for each in own) and not _ASKED_OF.search(request.subject):
            bearing = own
        if not any(is_convincing(each) for each in bearing):
            return []
        return [replace(each, score=each.score * self._weigh(each, request)) for each in bearing]

    def _weigh(self, candidate: Candidate, request: Request) -> float:
        """Return what a sentence counts by how it begins, who says it, whether it states a rule or an
        exception (in an answer) and its role (in an explanation)."""
        task = request.task
        leans, share = (_LEANS, _LEANING) if task == "draft" else (_POINTS_BACK, _POINTING_BACK)
        leaning = leans.search(candidate.text) is not None or candidate.text[:1].islower()
        counts = self._weigh_speaker(candidate) * (share if leaning else 1.0)
        counts *= _SAYING if candidate.says else 1.0
        if task == "ask":
            counts *= _weigh_after_rule(candidate, request) * _weigh_particular(candidate, request)
        return counts * _weigh_role(candidate) if task == "explain" else counts

    def _is_courts_own(self, candidate: Candidate) -> bool:
        """Return whether a sentence is the court's own, and no party's, headnote's or other judge's."""
        return candidate.evidence.find_speaker(candidate.span.start, candidate.text).kind in COURTS_OWN

    def _weigh_speaker(self, candidate: Candidate) -> float:
        """Return what a sentence counts by whose words it is."""
        if candidate.evidence.authority.kind != "case":
            return 1.0
        own = _ASKING if asks(candidate.text) else 1.0 if asserts(candidate.text) else _CLAIMING
        if reports_another_court(candidate.text):
            own = min(own, _OTHER_COURTS)
        speaker = candidate.evidence.find_speaker(candidate.span.start, candidate.text)
        return min(own, _WEIGHTS.get(speaker.kind, 1.0))

    def _saying_it(self, request: Request, found: list[Candidate], weights: Weights) -> list[Candidate]:
        """The candidates that say what the question says: a sentence is cited for nothing less."""
        proposition = Proposition.of(request.subject, self._tokens)
        said = []
        for each in found:
            share = proposition.measure_share(each.text, each.terms, weights)
            alike = each.similarity is not None and each.similarity >= _ALIKE
            least = _LEAST_SAID if says_the_same(each.text, proposition, self._tokens) else _NEARLY_SAID
            if not (share >= least or alike) or not asserts(each.text):
                continue
            if measure_opposition(each.text, proposition, self._tokens) < DENIES:
                said.append(replace(each, score=each.score + share))
        return said

    def _against(self, request: Request, found: list[Candidate], weights: Weights) -> list[Candidate]:
        """The candidates that stand against the question, their scores by how much they do."""
        proposition = Proposition.of(request.subject, self._tokens)
        # What no sentence speaks of says little of how they stand to the rest.
        spoken = frozenset().union(*(each.terms for each in found))
        known = Weights({term: weight for term, weight in weights.terms.items() if term in spoken})
        against = []
        for each in found:
            share = proposition.measure_share(each.text, each.terms, known)
            if share < LEAST_SHARED or proposition.limit_share(each.terms, weights) < _LEAST_OF_ALL:
                continue
            strength = measure_opposition(each.text, proposition, self._tokens)
            if is_against(each.text, strength, share):
                against.append(replace(each, score=each.score * strength))
        return against


def _weigh_after_rule(candidate: Candidate, request: Request) -> float:
    """Return what a sentence counts in an answer, less for an exception and for what states no rule."""
    text, counts = " ".join(candidate.text.split()), 1.0
    contract = candidate.evidence.authority.kind in CONTRACTS
    for sentence, asked, share, in_contracts in _AFTER_THE_RULE:
        if (in_contracts or not contract) and sentence.search(text) and not asked.search(request.question):
            counts *= share
    return counts


def _weigh_particular(candidate: Candidate, request: Request) -> float:
    """Return what a sentence of a case counts where the question names no case: what happened in one answers
    less than what holds in all, unless it says the time or the amount that is asked for."""
    if request.named or candidate.says or candidate.evidence.authority.kind != "case":
        return 1.0
    told = _find_role(candidate) == _FACTS or _PARTICULAR.search(candidate.text) is not None
    return _HAPPENED if told and not holds(candidate.text) else 1.0


def _find_role(candidate: Candidate) -> str:
    """Return what the passage of a sentence does in its judgment, "" for what is no judgment."""
    evidence = candidate.evidence
    return evidence.find_role(candidate.span.start) if evidence.authority.kind == "case" else ""


def _weigh_role(candidate: Candidate) -> float:
    """Return what a sentence counts by what its passage does in the judgment, or by what it does itself."""
    role = _find_role(candidate)
    return _ROLES["RATIO"] if role and holds(candidate.text) else _ROLES.get(role, 1.0)


def _add_facts(chosen: Sequence[Candidate], found: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return what explains a case, with the facts to which its rule was applied where none are among it.

    They are the sentence of its facts that has most of the rule's words, in the place of the last one where
    there is no more room.
    """
    if not chosen or any(_find_role(each) in ("", _FACTS) for each in chosen):
        return list(chosen)
    rule = {term for each in chosen for term in each.terms}
    facts = [each for each in found if _find_role(each) == _FACTS and _reports_what_happened(each)]
    if not facts or most < 2:
        return list(chosen)
    best = max(facts, key=lambda each: _rate_fact(each, rule))
    return [*chosen[: most - 1], best] if _rate_fact(best, rule) >= _LEAST_OF_FACT else list(chosen)


def _rate_fact(candidate: Candidate, rule: Container[str]) -> float:
    """Return how well a sentence of the facts goes with a rule: the share of its words that the rule has."""
    share = sum(term in rule for term in candidate.terms) / math.sqrt(len(candidate.terms))
    return share + (_PARTIES_COUNT if _WHO.search(candidate.text) else 0.0)


def _reports_what_happened(candidate: Candidate) -> bool:
    """Return whether a sentence tells what happened, in words of its own."""
    text = candidate.text
    if len(text) > _LONGEST_FACT or len(candidate.terms) < _FEWEST_OF_FACT or gives_orders(text):
        return False
    told = _PAST.search(text) is not None and _LAW.search(text) is None
    return told and asserts(text) and _POINTS_BACK.search(text) is None
