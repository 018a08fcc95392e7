"""Answer without a model, using sentences of the evidence, best first."""

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
"""Match a sentence that depends on the one before it, or that only the deciding court can say ("we hold")."""
_LONGEST_DRAFTED = 450
_LEANING = 0.5
"""Weight of a sentence that matches ``_LEANS``, if the result must be usable on its own in a draft."""
_POINTS_BACK = compile_pattern(_PHRASES["points_back"], {})
_POINTING_BACK = 0.75
"""Weight of a sentence whose subject is in the preceding one, or that only contains a citation. On its own it
says less than its words suggest.
"""
_SAYING_NOTHING = split_words(
    "become becomes became happen happens happened make makes made get gets got need needs use uses long"
)
"""Words that are common in questions but not expected in their answers, such as "long" in "how long"."""
_LEAST_OF_ALL = 0.45
"""Minimum share of a proposition's words in a sentence of contrary authority. The share is of all its words,
including those that occur nowhere in the evidence.
"""
_LEAST_SAID, _NEARLY_SAID = 0.4, 0.65
"""Minimum shares of a proposition's words in a sentence cited for it. The first applies if the sentence makes
the same statement about its subject, the second if it is worded in another way.
"""
_ALIKE = 0.65
"""Minimum cosine with the proposition at which a sentence needs no minimum share of its words."""
_ROLES: Mapping[str, float] = {
    "RATIO": 1.4,
    "FAC": 0.8,
    "RLC": 0.7,
    "ARG_PETITIONER": 0.7,
    "ARG_RESPONDENT": 0.7,
}
"""Weight of a sentence in an explanation by the role of its passage in the judgment; the rule comes first."""
_FACTS = "FAC"
_LONGEST_FACT, _FEWEST_OF_FACT = 400, 5
"""Maximum number of characters and minimum number of content words in a statement of fact."""
_LEAST_OF_FACT = 0.6
"""Minimum overlap between a fact and the rule: shared words divided by the square root of the fact's word
count.
"""
_PARTIES_COUNT = 0.4
_FACT_PHRASES = _FILE["facts"]
_PAST, _WHO = (compile_pattern(_FACT_PHRASES[each], {}) for each in ("past", "who"))
_LAW = compile_pattern(_FACT_PHRASES["law"], {}, re.NOFLAG)
_OTHER_COURTS = 0.75
"""Weight of a sentence about a lower court's decision, which may have been overturned."""
_WEIGHTS: Mapping[SpeakerKind, float] = {
    "dissent": 0.5,
    "counsel": 0.5,
    "cited": 0.7,
    "concurrence": 0.85,
    "headnote": 0.9,
}
"""Weight of a sentence by its speaker if it is not the court's own, since the court may have held the
opposite.
"""

_SAYING = 1.4
"""Weight of a sentence that states what is asked for, such as a time if the question is "how long"."""
_ASKED_OF = compile_pattern(_FILE["asking"]["speakers"], {})
"""Match a question about what a dissenting judge, a party or a headnote said."""
_AFTER_THE_RULE = tuple(
    (
        compile_pattern(each["sentence"], {}),
        compile_pattern(each["unless"], {}),
        float(each["counts"]),
        bool(each.get("contracts")),
    )
    for each in _FILE["after_the_rule"]
)
"""Kinds of sentences that rank below a rule.

Each entry has a pattern for the sentences, a pattern for the questions that ask for them, the weight of the
sentences for all other questions, and whether the entry applies to contracts too. Exceptions do not count
less in contracts, whose clauses are often exceptions.
"""
_PARTICULAR = compile_pattern(_FILE["opposition"]["particular"], {})
_HAPPENED = 0.7
"""Weight of a sentence about what happened in a single case."""
_ASKING = 0.5
"""Weight of a case's sentence that raises the question, since the answer is elsewhere."""
_CLAIMING = 0.6
"""Weight of a sentence that reports another person's statement without the court's answer."""


class ExtractiveGenerator:
    """Answer with verbatim sentences of the evidence, ranked by words and, if ``encode`` is given, by
    similarity.

    For a draft it prefers self-contained sentences. For contrary authority it returns only sentences that
    deny, limit or decline to follow the proposition.
    """

    name = "extractive"

    def __init__(self, tokens: Tokens, encode: Encode | None = None) -> None:
        self._tokens = tokens
        self._encode = encode

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        """Yield an extract for each chosen sentence, then the question's words that no extract contains.

        Sentences at the citation's pinpoint come first. If nothing is relevant, only words missing from the
        evidence are listed. Raises ``Cancelled``.
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
        # Sentences at the pinpoint come first, and the rule before the facts to which it was applied.
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
        # Words that contrary authority does not mention are not missing from it.
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
        """Return a sentence's weight by how it begins and who says it. For an answer it also depends on
        whether it states a rule or an exception, and for an explanation on its role.
        """
        task = request.task
        leans, share = (_LEANS, _LEANING) if task == "draft" else (_POINTS_BACK, _POINTING_BACK)
        leaning = leans.search(candidate.text) is not None or candidate.text[:1].islower()
        counts = self._weigh_speaker(candidate) * (share if leaning else 1.0)
        counts *= _SAYING if candidate.says else 1.0
        if task == "ask":
            counts *= _weigh_after_rule(candidate, request) * _weigh_particular(candidate, request)
        return counts * _weigh_role(candidate) if task == "explain" else counts

    def _is_courts_own(self, candidate: Candidate) -> bool:
        """Return whether a sentence is the court's own, not that of a party, a headnote or another judge."""
        return candidate.evidence.find_speaker(candidate.span.start, candidate.text).kind in COURTS_OWN

    def _weigh_speaker(self, candidate: Candidate) -> float:
        """Return a sentence's weight by its speaker."""
        if candidate.evidence.authority.kind != "case":
            return 1.0
        own = _ASKING if asks(candidate.text) else 1.0 if asserts(candidate.text) else _CLAIMING
        if reports_another_court(candidate.text):
            own = min(own, _OTHER_COURTS)
        speaker = candidate.evidence.find_speaker(candidate.span.start, candidate.text)
        return min(own, _WEIGHTS.get(speaker.kind, 1.0))

    def _saying_it(self, request: Request, found: list[Candidate], weights: Weights) -> list[Candidate]:
        """Return the candidates that state the whole proposition. A sentence that states only a part of it
        must not be cited for it.
        """
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
        """Return the candidates against the proposition, scored by how strongly they oppose it."""
        proposition = Proposition.of(request.subject, self._tokens)
        # Terms that no sentence has do not show how the sentences relate to the others.
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
    """Return a sentence's weight in an answer, lower for an exception or if it states no rule."""
    text, counts = " ".join(candidate.text.split()), 1.0
    contract = candidate.evidence.authority.kind in CONTRACTS
    for sentence, asked, share, in_contracts in _AFTER_THE_RULE:
        if (in_contracts or not contract) and sentence.search(text) and not asked.search(request.question):
            counts *= share
    return counts


def _weigh_particular(candidate: Candidate, request: Request) -> float:
    """Return the weight of a case's sentence if the question names no case.

    What happened in one case answers less than a general rule, unless it states the time or amount asked for.
    """
    if request.named or candidate.says or candidate.evidence.authority.kind != "case":
        return 1.0
    told = _find_role(candidate) == _FACTS or _PARTICULAR.search(candidate.text) is not None
    return _HAPPENED if told and not holds(candidate.text) else 1.0


def _find_role(candidate: Candidate) -> str:
    """Return the role of a sentence's passage in its judgment, or an empty string if it is not in a case."""
    evidence = candidate.evidence
    return evidence.find_role(candidate.span.start) if evidence.authority.kind == "case" else ""


def _weigh_role(candidate: Candidate) -> float:
    """Return a sentence's weight by the role of its passage in the judgment. A sentence that states a holding
    is weighted as a holding, whatever the role of its passage.
    """
    role = _find_role(candidate)
    return _ROLES["RATIO"] if role and holds(candidate.text) else _ROLES.get(role, 1.0)


def _add_facts(chosen: Sequence[Candidate], found: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return the chosen sentences of an explanation with a fact of the case to which the rule was applied.
    They are returned unchanged if they already include a fact or no fact fits.

    The fact is the one that shares the most words with the rule. If there is no more room, it replaces the
    last sentence.
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
    """Return how well a fact matches a rule: the shared terms over the square root of the fact's term count,
    plus a bonus if it names the parties.
    """
    share = sum(term in rule for term in candidate.terms) / math.sqrt(len(candidate.terms))
    return share + (_PARTIES_COUNT if _WHO.search(candidate.text) else 0.0)


def _reports_what_happened(candidate: Candidate) -> bool:
    """Return whether a sentence reports an event and can be understood on its own."""
    text = candidate.text
    if len(text) > _LONGEST_FACT or len(candidate.terms) < _FEWEST_OF_FACT or gives_orders(text):
        return False
    told = _PAST.search(text) is not None and _LAW.search(text) is None
    return told and asserts(text) and _POINTS_BACK.search(text) is None
