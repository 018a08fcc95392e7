"""How the sentences of a model take the places of extracts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from prompt_samples import BRIDGE, FERRY, request

from lexls.grounding.answer import (
    Answer,
    Claim,
    GenerationFailed,
    Insufficient,
    Part,
    Quoted,
    Request,
    Sentence,
)
from lexls.grounding.answering import Gathered, write_answer
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.tokens import Tokenizer
from lexls.text.cancel import CancelToken

SOUND = "The keeper of a toll bridge must keep its planks sound."
CLOSE = (
    "He may close it in a flood, if he gives notice at both ends; a carrier who crosses against the notice "
    "does so at his own risk."
)
LANDING = (
    "Its master answers for the landing stage only where the charter says so, and he must refuse animals "
    "that are not led."
)


@dataclass
class Scripted:
    """Gives these parts, whatever it is asked; fails behind them where there is a reason."""

    name: str
    parts: Sequence[Part]
    reason: str = ""

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        yield from self.parts
        if self.reason:
            raise GenerationFailed(self.reason)


def quote(text: str) -> Quoted:
    return Quoted("P1" if text in BRIDGE else "P2", text)


EXTRACTS = tuple(Claim("", (quote(text),)) for text in (CLOSE, SOUND, LANDING))


def grown(*parts: Part, extracts: Sequence[Part] = EXTRACTS, reason: str = "") -> list[Answer]:
    asked = request(BRIDGE, FERRY, question="Must the keeper of a toll bridge keep its planks sound?")
    verifier = EvidenceVerifier(Tokenizer().tokenize, 0.6)
    model, extractor = Scripted("model", parts, reason), Scripted("extractive", extracts)
    return list(write_answer(Gathered(asked), model, verifier, CancelToken(), "ask 1", extractor))


def told(answer: Answer) -> list[str]:
    return [f"{'x' if each.is_extract else 'm'} {each.text}" for each in answer.sentences]


def test_extracts_come_first_and_all_at_once() -> None:
    first, *_ = grown(Claim("The keeper must keep the planks sound.", (quote(SOUND),)))
    assert told(first) == [f"x {CLOSE}", f"x {SOUND}", f"x {LANDING}"]
    assert not first.complete


def test_a_sentence_takes_the_place_of_the_extract_that_it_rests_on() -> None:
    *_, last = grown(Claim("The keeper must keep the planks sound.", (quote("must keep its planks sound"),)))
    assert told(last) == [f"x {CLOSE}", "m The keeper must keep the planks sound.", f"x {LANDING}"]
    assert [pin.text for pin in last.sentences[1].pins] == [SOUND]
    assert (last.generator, last.template) == ("model", "ask 1")


def test_a_sentence_on_other_words_comes_before_the_extracts() -> None:
    *_, last = grown(
        Claim("The keeper must keep the planks sound.", (quote(SOUND),)), extracts=EXTRACTS[:1] + EXTRACTS[2:]
    )
    assert told(last)[0] == "m The keeper must keep the planks sound."
    assert len(last.sentences) == 3


@pytest.mark.parametrize(
    "claim",
    [
        Claim("The keeper need not keep the planks sound.", (quote(SOUND),)),
        Claim("The keeper must keep nine planks sound.", (quote(SOUND),)),
        Claim(SOUND, (quote(SOUND),)),
        Claim("The keeper of a toll bridge must keep the planks sound.", (quote(SOUND),)),
        Claim("A carrier who crosses against the notice does so at his own risk.", (quote("own risk"),)),
    ],
)
def test_what_fails_or_only_copies_leaves_the_extract(claim: Claim) -> None:
    *_, last = grown(claim)
    assert told(last) == [f"x {CLOSE}", f"x {SOUND}", f"x {LANDING}"]
    assert (last.generator, last.template) == ("extractive", "")


def test_a_model_that_fails_takes_nothing_away() -> None:
    *_, last = grown(Claim("The keeper must keep the planks sound.", (quote(SOUND),)), reason="no memory")
    assert len(last.sentences) == 3
    assert last.failed == "no memory"
    assert any("no memory" in note for note in last.notes)


def test_a_model_that_fails_where_nothing_was_extracted_is_an_error() -> None:
    with pytest.raises(GenerationFailed, match="no memory"):
        grown(extracts=(), reason="no memory")


def test_a_model_that_abstains_does_not_unsay_the_extracts() -> None:
    *_, last = grown(Insufficient(("planks",)))
    assert len(last.sentences) == 3
    assert not last.abstained
