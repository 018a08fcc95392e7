"""Verify every sentence against its evidence; a failed sentence is replaced with the evidence's words.

If an answer begins with "yes" or "no", this must agree with the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from lexls.grounding.answer import Claim, Fault, FaultKind, Insufficient, Quoted, Request, Sentence, Verdict
from lexls.grounding.evidence import Pin
from lexls.grounding.injection import gives_orders
from lexls.grounding.verification.clauses import (
    Reading,
    find_moved,
    find_turned,
    find_unsupported_quantifiers,
    read_clauses,
)
from lexls.grounding.verification.conditions import turn_round
from lexls.grounding.verification.evidence_text import (
    LONGEST,
    ReadEvidence,
    ReadRequest,
    find_quotation,
    hides_characters,
    is_too_short,
)
from lexls.grounding.verification.omissions import derive
from lexls.grounding.verification.particulars import find_unsupported_particulars, remove_provisions
from lexls.grounding.verification.vocabulary import AUXILIARIES, EXCEPTIONS, MARKUP, NEGATIONS
from lexls.grounding.verification.wording import (
    collect_titles,
    find_own_names,
    find_swapped,
    find_unsupported_names,
    find_unsupported_parties,
    find_unsupported_words,
    find_weighed_terms,
    measure_entailment,
    read_as,
    read_forbidden,
    remove_titles,
    say_alike,
)
from lexls.models.encoder_clients import EntailmentClient
from lexls.models.messages import ModelUnavailable
from lexls.models.process import ModelProcess
from lexls.retrieval.relevance import Tokens, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.dates import remove_dates
from lexls.text.lexicon import split_words
from lexls.text.spans import Span
from lexls.wording.markdown import fold
from lexls.wording.prose import remove_label

_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)([^*\n]{1,400}?)(?<=\S)\1(?![\w*])")


def remove_emphasis(text: str) -> str:
    """Return ``text`` on one line without emphasis markup."""
    return fold(_EMPHASIS.sub(r"\2", text))


def find_markup(text: str) -> Iterator[str]:
    """Yield the parts of ``text`` that are not plain text.

    Brackets followed by a parenthesis are a Markdown link only without a space between them: "[2014] (no 2)"
    is a citation.
    """
    if hides_characters(text):
        yield "hidden characters"
    for pattern in MARKUP:
        match = pattern.search(text)
        if match is not None:
            yield fold(match.group())[:80]


_LONGEST_SENTENCE = 1200
"""Maximum length of a sentence in characters."""
_MOST_QUOTED = 12
"""Maximum number of quotations checked per claim."""
_MOST_MISSING = 40
"""Maximum number of missing items that a generator may list."""
_LONGEST_MISSING = 200
"""Maximum length of a missing item in characters."""
_TURNING = (
    NEGATIONS | EXCEPTIONS | frozenset(("if", "whether", "argued", "contended", "submitted", "claimed"))
)
"""Words that can reverse or qualify the meaning of a part of a sentence."""
_FEW_WORDS = 0.2
"""Minimum share of the question's weighted words in an extract that replaces a failed sentence."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A located quotation: ``span`` in code points of the passage's text, and ``wide``, the span of the
    sentences that contain it.
    """

    read: ReadEvidence
    span: Span
    wide: Span

    @property
    def whole(self) -> Span | None:
        """Return the span that can be shown on its own, or None.

        It is the whole sentences, since a part of a sentence may have another meaning. If they are too long,
        it is the quotation itself, provided that nothing else in them qualifies or reverses it.
        """
        if len(self.wide) <= LONGEST:
            return self.wide
        rest = (
            self.read.prose[self.wide.start : self.span.start]
            + self.read.prose[self.span.end : self.wide.end]
        )
        said = {word.strip(".,;:()[]“”\"'").casefold() for word in rest.split()}
        return None if said & _TURNING else self.span


class EvidenceVerifier:
    """Verifies claims; thread-safe.

    ``entailment`` is the minimum score, from 0 to 1, of an accepted sentence. The score comes from the
    ``judge`` if there is one and it is available, and otherwise from the words. All other checks are made in
    either case.
    """

    def __init__(self, tokens: Tokens, entailment: float, judge: EntailmentClient | None = None) -> None:
        self._tokens = tokens
        self._least = entailment
        self._judge = judge
        self._last: ReadRequest | None = None

    def verify(self, claim: Claim, request: Request, token: CancelToken) -> Verdict:
        """Return the verdict on ``claim``: its sentence with pins; or the words of its first valid quotation,
        if relevant to the question; or nothing. Raises ``Cancelled``.
        """
        token.raise_if_cancelled()
        read = self._read(request)
        placed, faults = _placed(claim, read)
        if claim.text and placed:
            found, score = self._sentence_faults(claim.text, placed, read, token)
            faults += found
            if not faults:
                pins = tuple(each.read.pin(each.span) for each in placed)
                return Verdict(Sentence(remove_emphasis(claim.text), pins, False, score), ())
        elif claim.text:
            faults += _markup(claim.text[:_LONGEST_SENTENCE])
        for each in placed:
            token.raise_if_cancelled()
            if each.whole is not None and (claim.text == "" or _bears(each, read)):
                return Verdict(_extract(each, placed, tuple(faults)), tuple(faults))
        return Verdict(None, tuple(faults) or (Fault("quotation"),))

    def find_missing(self, said: Insufficient, request: Request) -> tuple[str, ...]:
        """Return the missing items that use only words of the question. Items with other words are dropped,
        since a passage could have dictated them to the model.
        """
        asked = self._read(request).asked
        kept: dict[str, None] = {}
        for each in said.missing[:_MOST_MISSING]:
            text = remove_emphasis(each)
            terms = find_terms(text, self._tokens)
            if len(text) <= _LONGEST_MISSING and not _markup(each) and terms and terms.keys() <= asked.keys():
                kept[text] = None
        return tuple(kept)

    def _read(self, request: Request) -> ReadRequest:
        last = self._last
        if last is None or last.request is not request:
            last = self._last = ReadRequest(request, self._tokens)
        return last

    def _sentence_faults(
        self, written: str, placed: list[_Placed], read: ReadRequest, token: CancelToken
    ) -> tuple[list[Fault], float]:
        """Return the faults of a sentence, the most serious first, and how far its pins support it."""
        if len(written) > _LONGEST_SENTENCE:
            return [Fault("words")], 0.0
        faults = _markup(written)
        tokens = self._tokens
        titles = collect_titles(each.read.evidence.authority for each in placed)
        read_wide = [each.read.shown(each.wide) for each in placed]
        shown = "\n\n".join(read_wide)
        names = find_own_names((each.read.evidence.authority for each in placed), shown)
        answer, text = cut_answer(remove_emphasis(written))
        said = say_alike(read_as("\n".join(read_wide), names))
        quotation = remove_label(read_as(shown, names))
        text = turn_round(remove_titles(read_as(text, names), titles), quotation)
        text = read_forbidden(say_alike(text), said)
        exact = all(each.span == each.wide for each in placed)
        near = [each.read.shown(each.span) for each in placed]
        pinned = said if exact else say_alike(read_as("\n".join(near), names))
        around = say_alike("\n".join(each.read.around(each.span) for each in placed))
        undated, dateless = remove_dates(text), remove_dates(said)
        bare = remove_provisions(undated)
        sentence, witness = read_clauses(undated, tokens), read_clauses(dateless, tokens)
        pin = witness if exact else read_clauses(remove_dates(pinned), tokens)
        faults += find_unsupported_particulars(text, said, [(each.read, each.span) for each in placed])
        derivation, kept = derive(
            text,
            say_alike(remove_titles(quotation, titles)),
            read.request.question,
            " ".join((around, *titles)),
            tokens,
        )
        whole = not (*derivation.lost, *derivation.added)
        stated = f"{said}\n{kept}"
        faults += _fault("name", find_unsupported_names(text, stated, "\n".join(titles), around))
        if answer and not is_answer(answer, read.request.question, sentence, tokens):
            faults += _fault("negation", (answer,))
        if whole:
            faults += _find_denials(read_clauses(bare, tokens), read_clauses(remove_dates(kept), tokens))
        else:
            faults += _fault("negation", find_turned(sentence, witness))
        strange = find_unsupported_words(bare, said if whole else around, read.asked, tokens)
        faults += _fault("words", tuple(dict.fromkeys((*derivation.added, *strange))))
        faults += _fault("entailment", derivation.lost)
        parties = find_unsupported_parties(sentence, witness)
        faults += _fault("words", (*find_unsupported_quantifiers(sentence, witness), *parties))
        faults += _fault("entailment", find_swapped(text, said, sentence, witness))
        moved = find_moved(sentence, pin, derivation.pointed)
        faults += _fault("entailment", (*find_swapped(text, pinned, sentence, pin), *moved))
        if faults:
            return faults, 0.0
        token.raise_if_cancelled()
        there = {word.term for word in witness.words}
        terms = find_weighed_terms(bare, tokens)
        weights = read.weigh([term for term in terms if term in there or term not in read.asked])
        score = measure_entailment(bare, sentence, pin, weights, tokens)
        return self._judged(score, said, text, token)

    def _judged(self, score: float, said: str, text: str, token: CancelToken) -> tuple[list[Fault], float]:
        """Return a fault if a sentence's score is too low (otherwise None), and the score. The score is the
        judge's if available, or else computed from words.
        """
        if self._judge is not None:
            with suppress(ModelUnavailable):  # else the words alone
                score = self._judge.entails(" ".join(said.split()), text, token)
        return ([] if score >= self._least and score > 0 else [Fault("entailment")]), score


def _find_denials(mine: Reading, theirs: Reading) -> list[Fault]:
    """Return the faults of a sentence that uses only its quotation's words, but has more or fewer
    negations.
    """
    denied = len(mine.negations) != len(theirs.negations)
    words = (mine.negations or theirs.negations) if denied else ()
    return [*_fault("negation", find_turned(mine, theirs)), *_fault("negation", words)]


def _placed(claim: Claim, read: ReadRequest) -> tuple[list[_Placed], list[Fault]]:
    """Return the valid quotations, and the faults of the others."""
    placed: list[_Placed] = []
    faults: list[Fault] = []
    short = False
    for quoted in claim.quoted[:_MOST_QUOTED]:
        passage = read.find(quoted.identifier)
        span = find_quotation(passage, quoted.quotation) if passage is not None else None
        if passage is None or span is None:
            faults.append(Fault("quotation" if passage is not None else "identifier"))
            continue
        wide = passage.widened(span)
        if _is_ordered(passage, wide, quoted):
            faults.append(Fault("instruction"))
        elif is_too_short(passage, span):
            short = True
        else:
            placed.append(_Placed(passage, span, wide))
    if short and not placed and not faults:
        faults.append(Fault("quotation"))
    return placed, faults


def _is_ordered(passage: ReadEvidence, wide: Span, quoted: Quoted) -> bool:
    """Return whether the sentences of a quotation, or the one before them, address a language model."""
    said = wide.of(passage.evidence.text)
    before = passage.before(wide)
    return gives_orders(said) or gives_orders(quoted.quotation) or bool(before and gives_orders(before))


def _extract(first: _Placed, placed: list[_Placed], faults: tuple[Fault, ...]) -> Sentence | None:
    """Return an extract that replaces a claim: the whole sentences of its quotations."""
    pins: list[Pin] = []
    for each in [first, *(other for other in placed if other is not first)]:
        if each.whole is None:
            continue
        pin = each.read.pin(each.whole)
        if all((pin.authority.id, pin.start) != (other.authority.id, other.start) for other in pins):
            pins.append(pin)
    return Sentence(first.read.shown(first.whole or first.span), tuple(pins), True, 1.0, faults)


def _bears(placed: _Placed, read: ReadRequest) -> bool:
    """Return whether the sentences of a quotation are relevant to the question."""
    asked = read.asked
    if not asked:
        return False
    present = set(read.tokens(placed.read.shown(placed.wide)))
    shared = [term for term in asked if term in present]
    return len(shared) >= min(2, len(asked)) and read.weigh(tuple(asked)).coverage(present) >= _FEW_WORDS


def _markup(text: str) -> list[Fault]:
    return _fault("markup", tuple(find_markup(text)))


def _fault(kind: FaultKind, words: tuple[str, ...]) -> list[Fault]:
    return [Fault(kind, words)] if words else []


def open_judge(model: str, process: ModelProcess) -> EntailmentClient:
    """Return a judge with the model of this name or folder, which is loaded on first use."""
    return EntailmentClient(model, process)


_ANSWER = re.compile(r"(yes|no)[,.;:—–]\s+", re.IGNORECASE)
_DENIALS = split_words("not no never nor neither none nothing nobody")
_ANSWERED = 0.6
"""Minimum share of the question's words that its answer repeats."""


def cut_answer(text: str) -> tuple[str, str]:
    """Return the "yes" or "no" at the start of ``text`` (or an empty string), and the rest."""
    match = _ANSWER.match(text)
    if match is None:
        return "", text
    rest = text[match.end() :]
    return match[1].casefold(), rest[:1].upper() + rest[1:]


def is_answer(answer: str, question: str, sentence: Reading, tokens: Tokens) -> bool:
    """Return whether the sentence after "yes" or "no" agrees with it as an answer to the question."""
    asked = read_clauses(question, tokens)
    if not question.rstrip().endswith("?") or asked.pieces[:1] == () or asked.pieces[0] not in AUXILIARIES:
        return False
    terms = {word.term for word in asked.words}
    shared = terms & {word.term for word in sentence.words}
    mine, theirs = Counter(sentence.negations), Counter(asked.negations)
    denied = sum(mine[each] for each in _DENIALS) % 2 == 1
    same = all(mine[each] == theirs[each] for each in (mine | theirs) if each not in _DENIALS)
    asserted = not any(theirs[each] for each in _DENIALS)
    return same and asserted and denied == (answer == "no") and len(shared) >= _ANSWERED * len(terms)
