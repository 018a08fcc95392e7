"""Answer a request: generate, verify and report what was omitted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from lexls.grounding.answer import (
    Answer,
    Claim,
    FaultKind,
    GenerationFailed,
    Generator,
    Insufficient,
    Nearest,
    Part,
    Request,
    Sentence,
    Shown,
    Verdict,
)
from lexls.grounding.evidence import Pin
from lexls.grounding.sufficiency import describe_unrecognised
from lexls.text.cancel import CancelToken
from lexls.text.phrases import load_phrases
from lexls.wording.place_words import cite_authority
from lexls.wording.prose import remove_label

if TYPE_CHECKING:
    from lexls.grounding.verification.verifier import EvidenceVerifier

_WORD = re.compile(r"[^\W_]+")
_COPIED = 0.9
"""Minimum share of an extract's words that a sentence repeats if it is a mere copy of the extract. The
remaining words may be only "we hold that".
"""
FAULT_WORDS: dict[FaultKind, str] = load_phrases(__package__, "phrases.toml")["faults"]
"""Description of each kind of fault. In a note it follows "with": "1 sentence with …"."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A request and the evidence found for it.

    ``weak`` is the reason why the evidence is too weak for an answer, or an empty string. If there is a
    reason, nothing is generated and the ``nearest`` authorities are listed instead. ``first`` are extracts
    that begin the answer whichever generator is used, such as how a cited authority was treated.
    """

    request: Request
    nearest: tuple[Nearest, ...] = ()
    weak: str = ""
    first: tuple[Claim, ...] = ()


def write_answer(
    gathered: Gathered,
    generator: Generator,
    verifier: EvidenceVerifier,
    token: CancelToken,
    template: str = "",
    extractor: Generator | None = None,
) -> Iterator[Answer]:
    """Yield the answer as it grows; the last one is ``complete``.

    It starts with the extracts from ``extractor``, if given. As sentences of ``generator`` are verified, they
    replace the extracts on which they rest. If a sentence fails, its extract stays. No unverified word of a
    generator is shown. ``template`` names the prompt. If the generator fails, ``failed`` is the reason.
    Raises ``Cancelled`` if ``token`` is cancelled, and ``GenerationFailed`` if there is not even an extract.
    """
    request = gathered.request
    answer = Answer(request.task, request.question, generator=generator.name, template=template)
    if gathered.weak:
        yield replace(answer, notes=(gathered.weak,), nearest=gathered.nearest, complete=True)
        return
    if extractor is not None:
        for part in chain(gathered.first, extractor.generate(request, token)):
            answer = _grow(answer, part, request, verifier, token)
        yield answer
    extracts = answer.sentences
    try:
        parts = generator.generate(request, token, extracts)
        for part in parts if extractor is not None else chain(gathered.first, parts):
            answer = _grow(answer, part, request, verifier, token)
            yield answer
    except GenerationFailed as error:
        if not extracts:
            raise
        answer = replace(answer, failed=str(error))
    token.raise_if_cancelled()
    if extractor is not None and answer.sentences == extracts and not answer.shown:
        answer = replace(answer, generator=extractor.name, template="")
    notes = (*answer.notes, *_notes(answer, request))
    nearest = gathered.nearest if answer.abstained and not answer.shown else ()
    yield replace(answer, notes=notes, nearest=nearest, complete=True)


def _grow(
    answer: Answer, part: Part, request: Request, verifier: EvidenceVerifier, token: CancelToken
) -> Answer:
    token.raise_if_cancelled()
    if isinstance(part, Claim):
        return _with(answer, verifier.verify(part, request, token), request.sentences)
    if isinstance(part, Insufficient):
        missing = dict.fromkeys((*answer.missing, *verifier.find_missing(part, request)))
        return replace(answer, missing=tuple(missing))
    if isinstance(part, Shown):
        return replace(answer, shown=answer.shown + part.text)
    return replace(answer, usage=part)


def _with(answer: Answer, verdict: Verdict, most: int) -> Answer:
    """Return the answer with a verified sentence added, or with its faults if it was dropped.

    A sentence written by a generator replaces the extracts with which it shares quoted words. If there are
    none, it is placed before all extracts.
    """
    sentence, said = verdict.sentence, answer.sentences
    if sentence is None:
        return replace(answer, dropped=(*answer.dropped, verdict.faults))
    covered = [each for each in said if each.is_extract and _overlap(each, sentence)]
    if sentence.is_extract and sentence.replaced and covered:
        return replace(answer, dropped=(*answer.dropped, verdict.faults))
    written = sum(sentence.is_extract or not each.is_extract for each in said)
    if (
        written >= most
        or any(_says_the_same(sentence, each) for each in said)
        or _repeats(sentence, answer.question, covered)
    ):
        return answer
    if sentence.is_extract:
        return replace(answer, sentences=(*said, sentence))
    place = said.index(covered[0]) if covered else sum(not each.is_extract for each in said)
    kept = [each for each in said if each not in covered]
    kept.insert(place, replace(sentence, pins=_join(covered, sentence)))
    return replace(answer, sentences=tuple(kept))


def _overlap(one: Sentence, other: Sentence) -> bool:
    return any(mine.overlaps(theirs) for mine in one.pins for theirs in other.pins)


def _join(covered: Sequence[Sentence], sentence: Sentence) -> tuple[Pin, ...]:
    """Return the pins for a written sentence: those of the extracts that it replaces, which are whole
    sentences, and its own pins that overlap none of them.
    """
    pins = [pin for each in covered for pin in each.pins]
    return (*pins, *(pin for pin in sentence.pins if not any(map(pin.overlaps, pins))))


def _says_the_same(one: Sentence, other: Sentence) -> bool:
    if one.text == other.text:
        return True
    places = [(each.pins[0].authority.id, each.pins[0].start, each.pins[0].end) for each in (one, other)]
    return one.is_extract and other.is_extract and places[0] == places[1]


def _repeats(sentence: Sentence, question: str, covered: Sequence[Sentence]) -> bool:
    """Return whether a written sentence merely copies an extract that it would replace, or consists almost
    only of the question's words.
    """
    if sentence.is_extract:
        return False
    said = _WORD.findall(sentence.text.casefold())
    asked = _WORD.findall(question.casefold())
    same = (Counter(said) & Counter(asked)).total()
    if same >= _COPIED * max(len(said), len(asked)):
        return True
    for each in covered:
        there = _WORD.findall(remove_label(each.text).casefold())
        copied = f" {' '.join(said)} " in f" {' '.join(there)} "
        if said == there or (copied and len(said) >= _COPIED * len(there)):
            return True
    return False


def _notes(answer: Answer, request: Request) -> Iterator[str]:
    """Yield notes on what was omitted or replaced, and why."""
    replaced = [each.replaced for each in answer.sentences if each.replaced]
    for done, faults in (("Replaced by the passage's own words", replaced), ("Left out", answer.dropped)):
        counts = Counter(each[0].kind for each in faults if each)
        if counts:
            counted = (f"{count} with {FAULT_WORDS[kind]}" for kind, count in counts.items())
            sentences = "1 sentence" if counts.total() == 1 else f"{counts.total()} sentences"
            yield f"{done}: {sentences} of the model ({'; '.join(counted)})."
    if answer.failed:
        yield f"The model gave no more: {answer.failed}"
    if answer.usage is not None and answer.usage.cut:
        yield f"The answer ends early: {answer.usage.cut}."
    if answer.sentences:
        yield from _elsewhere(answer, request)
    elif not answer.shown:
        yield _nothing(request)


def _elsewhere(answer: Answer, request: Request) -> Iterator[str]:
    """Yield a note if no quotation comes from the citation's pinpoint."""
    if not request.pinpoint or any(pin.at_pinpoint for each in answer.sentences for pin in each.pins):
        return
    there = f"Nothing at {request.pinpoint} bears on this sentence"
    if not request.pinpoint_found:
        there = f"The library's copy has no {request.pinpoint} that could be read"
    yield f"{there}; these passages are elsewhere in it."


def _nothing(request: Request) -> str:
    """Return the message for an answer without results."""
    if request.task == "explain" and request.evidence:
        return f"No passage of {cite_authority(request.evidence[0].authority)} bears on this sentence."
    if request.task == "contrary":
        return "Nothing in the passages found contradicts this."
    return describe_unrecognised(request) or "Nothing in the passages found supports this."
