"""Answer a request: generate, verify, and say what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from lexls.grounding.answer import Answer, FaultKind, Nearest, Sentence, Verdict
from lexls.grounding.generator import Claim, Generator, Insufficient, Shown, Usage
from lexls.grounding.place_words import cite_authority
from lexls.grounding.request import Request
from lexls.text.cancel import CancelToken
from lexls.text.phrases import load_phrases

if TYPE_CHECKING:
    from lexls.grounding.verification.verifier import EvidenceVerifier

FAULT_WORDS: dict[FaultKind, str] = load_phrases(__package__, "phrases.toml")["faults"]
"""What was wrong with a sentence, after "because it"."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A request with all that was found for it. ``weak`` says why it is not worth asking ("" if it is):
    then nothing is generated, and the ``nearest`` authorities are named instead. ``first`` are extracts that
    the answer begins with, whatever writes the rest (how an authority that is cited was treated)."""

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
) -> Iterator[Answer]:
    """The answer as it grows; the last one is ``complete``.

    No word of a generator is in it that was not verified. ``template`` names the prompt. Raises
    ``GenerationFailed``, and ``Cancelled`` when ``token`` says so.
    """
    request = gathered.request
    answer = Answer(request.task, request.question, generator=generator.name, template=template)
    if gathered.weak:
        yield replace(answer, notes=(gathered.weak,), nearest=gathered.nearest, complete=True)
        return
    for part in chain(gathered.first, generator.generate(request, token)):
        token.raise_if_cancelled()
        if isinstance(part, Claim):
            answer = _with(answer, verifier.verify(part, request, token), request.sentences)
        elif isinstance(part, Insufficient):
            answer = replace(answer, missing=(*answer.missing, *verifier.find_missing(part, request)))
        elif isinstance(part, Shown):
            answer = replace(answer, shown=answer.shown + part.text)
        elif isinstance(part, Usage):
            answer = replace(answer, usage=part)
        yield answer
    token.raise_if_cancelled()
    notes = (*answer.notes, *_notes(answer, request))
    nearest = gathered.nearest if answer.abstained and not answer.shown else ()
    yield replace(answer, notes=notes, nearest=nearest, complete=True)


def _with(answer: Answer, verdict: Verdict, most: int) -> Answer:
    sentence = verdict.sentence
    if sentence is None:
        return replace(answer, dropped=(*answer.dropped, verdict.faults))
    if len(answer.sentences) >= most or any(_says_the_same(sentence, each) for each in answer.sentences):
        return answer
    return replace(answer, sentences=(*answer.sentences, sentence))


def _says_the_same(one: Sentence, other: Sentence) -> bool:
    if one.text == other.text:
        return True
    places = [(each.pins[0].authority.id, each.pins[0].start, each.pins[0].end) for each in (one, other)]
    return one.is_extract and other.is_extract and places[0] == places[1]


def _notes(answer: Answer, request: Request) -> Iterator[str]:
    """What was left out or replaced, and why."""
    replaced = [each.replaced for each in answer.sentences if each.replaced]
    for done, faults in (("replaced by the passage's own words", replaced), ("left out", answer.dropped)):
        for kind, count in Counter(each[0].kind for each in faults if each).items():
            sentences = "A sentence was" if count == 1 else f"{count} sentences were"
            yield f"{sentences} {done} because it {FAULT_WORDS[kind]}."
    if answer.usage is not None and answer.usage.cut:
        yield f"The answer ends early: {answer.usage.cut}."
    if answer.sentences:
        yield from _elsewhere(answer, request)
    elif not answer.shown:
        yield _nothing(request)


def _elsewhere(answer: Answer, request: Request) -> Iterator[str]:
    """Whether what is quoted stands where the citation points."""
    if not request.pinpoint or any(pin.at_pinpoint for each in answer.sentences for pin in each.pins):
        return
    there = f"Nothing at {request.pinpoint} bears on this sentence"
    if not request.pinpoint_found:
        there = f"The library's copy has no {request.pinpoint} that could be read"
    yield f"{there}; these passages stand elsewhere."


def _nothing(request: Request) -> str:
    """What is said where nothing was found."""
    if request.task == "explain" and request.evidence:
        return f"No passage of {cite_authority(request.evidence[0].authority)} bears on this sentence."
    if request.task == "contrary":
        return "Nothing in the passages found stands against this."
    return "Nothing in the passages found bears this out."
