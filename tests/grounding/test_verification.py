"""Claims against evidence: what stands, what is replaced, what is dropped, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lexls.grounding.answer import Claim, Insufficient, Part, Quoted, Request, Sentence, Verdict
from lexls.grounding.answering import Gathered, write_answer
from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer
from lexls.library.document import AuthorityKind
from lexls.models.messages import ModelUnavailable
from lexls.text.cancel import Cancelled, CancelToken

JUDGMENT = """\
[1] Garrow hired the barge Teal from Mossop on 4 March 2011 for twenty-one days at $1,500 a day.

[2] A hirer who returns a barge late must pay the owner double hire for each day of delay, unless the owner \
agreed to the delay in writing. The owner need not prove any loss. We reject the argument that the owner \
must prove his loss before he may claim.

[3] Mossop sued Garrow in the High Court of Aldmoor. Under section 9(1) of the Barges Act 1990 a claim may \
not be brought after three years. The rule of “double hire” is old; it applies … to every barge in \
these waters.

[4] Costs follow the event."""
ACT = """\
9 Claims for late return

(1) No claim may be brought after three years from the day of return.

(2) The court may extend the time where the hirer concealed the delay.

10 Notice

The hirer shall give notice of damage within 14 days, and 5 per cent of the hire may be withheld."""
QUESTION = (
    "Must a hirer who returns a barge late pay double hire, and can the owner claim without proof of loss?"
)


def authority(identity: int, title: str, citation: str, kind: AuthorityKind) -> Authority:
    return Authority(
        identity, Path(f"{title}.md"), Path(), f"{title}.md", title, "", (citation,),
        "Supreme Court of Aldmoor",
        "2013-05-01", kind, "Aldmoor", True,
    )  # fmt: skip


def evidence(
    identifier: str, text: str, labels: list[tuple[str, str]], about: Authority, offset: int
) -> Evidence:
    """``labels`` are the beginnings of segments with their labels; the text stands at ``offset``."""
    segments = tuple(TextSegment(offset + text.index(begin), label) for begin, label in labels)
    return Evidence(identifier, about, offset, offset + len(text), text, segments, (offset, offset + 1))


CASE = authority(1, "Mossop v Garrow", "[2013] ASC 4", "case")
STATUTE = authority(2, "Barges Act 1990", "Barges Act 1990", "statute")
P1 = evidence("P1", JUDGMENT, [("[1]", "1"), ("[2]", "2"), ("[3]", "3"), ("[4]", "4")], CASE, 250)
P2 = evidence("P2", ACT, [("9 Claims", "9"), ("10 Notice", "10")], STATUTE, 0)
REQUEST = Request("ask", QUESTION, (P1, P2))
DOUBLE = "A hirer who returns a barge late must pay the owner double hire for each day of delay"
LATE = f"{DOUBLE}, unless the owner agreed to the delay in writing."
PROOF = "The owner must prove his loss before he may claim."
LOSS = "The owner need not prove any loss."
SUED = "Mossop sued Garrow in the High Court of Aldmoor."
LIMIT = "Under section 9(1) of the Barges Act 1990 a claim may not be brought after three years."
HIRED = "Garrow hired the barge Teal from Mossop on 4 March 2011 for twenty-one days at $1,500 a day."
NOTICE = "The hirer shall give notice of damage within 14 days, and 5 per cent of the hire may be withheld."
EXTENDED = "The court may extend the time where the hirer concealed the delay."


def verify(text: str, *quoted: tuple[str, str], judge: object = None, question: str = QUESTION) -> Verdict:
    verifier = EvidenceVerifier(Tokenizer().tokenize, 0.6, judge)  # type: ignore[arg-type]
    request = Request("ask", question, (P1, P2)) if question != QUESTION else REQUEST
    claim = Claim(text, tuple(Quoted(identifier, quotation) for identifier, quotation in quoted))
    verdict = verifier.verify(claim, request, CancelToken())
    if verdict.sentence is not None:
        for pin in verdict.sentence.pins:
            source = JUDGMENT if pin.authority is CASE else ACT
            offset = 250 if pin.authority is CASE else 0
            assert source[pin.start - offset : pin.end - offset] == pin.text
            assert pin.text
    return verdict


def kinds(verdict: Verdict) -> set[str]:
    return {each.kind for each in verdict.faults}


def stands(text: str, *quoted: tuple[str, str]) -> None:
    verdict = verify(text, *quoted)
    assert verdict.faults == ()
    assert verdict.sentence is not None
    assert not verdict.sentence.is_extract
    assert verdict.sentence.entailment >= 0.6


@pytest.mark.parametrize(
    ("text", "identifier", "quotation"),
    [
        (LATE, "P1", LATE),
        (LOSS, "P1", LOSS),
        ("The court held that the owner need not prove any loss.", "P1", LOSS),
        ("According to the Supreme Court of Aldmoor, the owner need not prove loss.", "P1", LOSS),
        (
            "In Mossop v Garrow [2013] ASC 4 the court held that the owner need not prove any loss.",
            "P1",
            LOSS,
        ),
        ("Garrow was sued by Mossop in the High Court of Aldmoor.", "P1", SUED),
        ("Mossop sued Garrow.", "P1", SUED),
        ("Garrow hired the barge for 21 days at $1500 a day.", "P1", HIRED),
        ("Garrow hired the barge Teal from Mossop on March 4, 2011.", "P1", HIRED),
        ("Garrow hired the barge in March 2011 for twenty-one days.", "P1", HIRED),
        ("Under section 9(1) a claim may not be brought after 3 years.", "P1", LIMIT),
        (
            "Under s. 9(1) of the Barges Act 1990, no claim may be brought after three years.",
            "P2",
            "No claim may be brought after three years from the day of return.",
        ),
        (
            "Section 9(2) says that the court may extend the time where the hirer concealed the delay.",
            "P2",
            EXTENDED,
        ),
        ("The hirer must give notice of damage within fourteen days.", "P2", NOTICE),
        ("5% of the hire may be withheld.", "P2", NOTICE),
    ],
)
def test_what_the_evidence_says_stands(text: str, identifier: str, quotation: str) -> None:
    stands(text, (identifier, quotation))


@pytest.mark.parametrize(
    ("kind", "text", "identifier", "quotation"),
    [
        ("negation", "The owner need prove any loss.", "P1", LOSS),
        ("negation", "A hirer who returns a barge late must not pay the owner double hire.", "P1", LATE),
        ("negation", f"{DOUBLE}.", "P1", LATE),
        (
            "negation",
            "A hirer who returns a barge late may pay the owner double hire, unless the owner agreed to "
            "the delay in writing.",
            "P1",
            LATE,
        ),
        ("negation", "The hirer may give notice of damage within 14 days.", "P2", NOTICE),
        ("negation", "The court must extend the time where the hirer concealed the delay.", "P2", EXTENDED),
        (
            "negation",
            "The court may never extend the time where the hirer concealed the delay.",
            "P2",
            EXTENDED,
        ),
        ("negation", PROOF, "P1", PROOF),
        ("number", "The hirer shall give notice of damage within 15 days.", "P2", NOTICE),
        ("number", "The hirer shall give notice of damage within 14 months.", "P2", NOTICE),
        ("number", "6% of the hire may be withheld.", "P2", NOTICE),
        ("number", "Garrow hired the barge at $15,000 a day.", "P1", HIRED),
        ("number", "Garrow hired the barge for twenty-two days.", "P1", HIRED),
        ("date", "Garrow hired the barge Teal from Mossop on 5 March 2011.", "P1", HIRED),
        ("date", "Garrow hired the barge Teal from Mossop on 4 March 2012.", "P1", HIRED),
        ("date", "Garrow hired the barge in April 2011.", "P1", HIRED),
        ("provision", "Under section 9(2) a claim may not be brought after three years.", "P1", LIMIT),
        ("provision", "Under section 9 a claim may not be brought after three years.", "P1", LIMIT),
        ("provision", "Under article 9(1) a claim may not be brought after three years.", "P1", LIMIT),
        (
            "provision",
            "Section 9(1) says that the court may extend the time where the hirer concealed the delay.",
            "P2",
            EXTENDED,
        ),
        ("name", "Mossop sued Pellow in the High Court of Aldmoor.", "P1", SUED),
        ("name", "The High Court of Brenmoor heard that Mossop sued Garrow.", "P1", SUED),
        ("entailment", "Garrow sued Mossop in the High Court of Aldmoor.", "P1", SUED),
        ("words", "The owner need not prove any negligence.", "P1", LOSS),
        ("words", "All owners need not prove any loss.", "P1", LOSS),
        (
            "entailment",
            "A hirer who returns a barge late must pay the owner double writing for each day of delay, "
            "unless the owner agreed to the delay in hire.",
            "P1",
            LATE,
        ),
        ("words", "Mossop sued Garrow in the High Court of Aldmoor late.", "P1", SUED),
        (
            "number",
            "Garrow hired the barge Teal from Mossop on 4 March 2011 for twenty-one days at $21 a day.",
            "P1",
            HIRED,
        ),
        ("entailment", "Hirers return barges late.", "P1", "Costs follow the event."),
        ("quotation", "The owner need not prove any loss.", "P1", "The owner need not prove any damage."),
        ("quotation", "The owner need not prove any loss.", "P1", "The owner need prove any loss."),
        ("quotation", "The owner need not prove any loss.", "P1", "loss"),
        ("quotation", "The owner need not prove any loss.", "P2", LOSS),
        (
            "quotation",
            "The hirer must pay double hire.",
            "P1",
            "must pay the owner double hire … agreed to the delay in writing",
        ),
        ("quotation", "The owner must prove loss.", "P1", "The owner need [to] prove any loss"),
        ("identifier", "The owner need not prove any loss.", "P7", LOSS),
        ("markup", "The owner need not prove any loss, see https://evil.test/loss.", "P1", LOSS),
        ("markup", "The owner need not prove ![any](x) loss.", "P1", LOSS),
        ("markup", "The owner need not prove [any loss](x).", "P1", LOSS),
        ("markup", "The owner need not <b>prove</b> any loss.", "P1", LOSS),
        ("markup", "The owner need not prove `any` loss.", "P1", LOSS),
        ("markup", "The owner need not prove any loss, owner@loss.test.", "P1", LOSS),
        ("markup", "The owner need\u202e not prove any loss.", "P1", LOSS),
    ],
)
def test_what_it_does_not_say_fails(kind: str, text: str, identifier: str, quotation: str) -> None:
    verdict = verify(text, (identifier, quotation))
    assert kind in kinds(verdict)
    assert verdict.sentence is None or verdict.sentence.is_extract


def test_a_failed_sentence_gives_way_to_the_passages_own_words() -> None:
    verdict = verify("The owner must prove loss.", ("P1", "The owner need not prove any loss"))
    assert verdict.sentence is not None
    assert verdict.sentence.text == LOSS
    assert verdict.sentence.is_extract
    assert verdict.sentence.replaced == verdict.faults
    assert verdict.sentence.pins[0].label == "2"


def test_a_piece_of_a_sentence_is_shown_with_what_turns_it() -> None:
    verdict = verify("", ("P1", PROOF[:-1]))
    assert verdict.sentence is not None
    assert verdict.sentence.text.startswith("We reject the argument that")
    assert verdict.sentence.pins[0].text == verdict.sentence.text


def test_an_extract_that_does_not_bear_on_the_question_is_no_substitute() -> None:
    verdict = verify("Costs follow no event.", ("P1", "Costs follow the event."))
    assert verdict.sentence is None
    assert "negation" in kinds(verdict)


def test_an_extract_by_choice_needs_no_second_reason() -> None:
    verdict = verify("", ("P1", "Costs follow the event."))
    assert verdict.sentence is not None
    assert verdict.sentence.is_extract
    assert verdict.sentence.replaced == ()
    assert verdict.sentence.text == "Costs follow the event."


@pytest.mark.parametrize(
    "quotation",
    [
        "the owner need not prove any loss",
        "The  owner need\nnot prove any loss.",
        "The owner need not prove [any] loss",
        "[t]he owner need not prove any loss",
        "The rule of 'double hire' is old",
        "Mossop sued Garrow … High Court of Aldmoor",
        "it applies … to every barge in these waters",
    ],
)
def test_a_quotation_is_found_by_the_method_of_the_quotation_check(quotation: str) -> None:
    assert verify("", ("P1", quotation)).sentence is not None


@pytest.mark.parametrize(
    "quotation",
    [
        "",
        "…",
        "[…]",
        "the … of … a … owner … hire",
        "A hirer … Costs follow the event.",
        "the owner",
        "x" * 5000,
    ],
)
def test_a_quotation_of_scraps_is_none(quotation: str) -> None:
    verdict = verify("", ("P1", quotation))
    assert verdict.sentence is None
    assert kinds(verdict) == {"quotation"}


def test_one_wrong_quotation_fails_the_sentence_but_not_the_sound_one() -> None:
    verdict = verify(LOSS, ("P1", LOSS), ("P1", "The owner is always right about loss."))
    assert verdict.sentence is not None
    assert verdict.sentence.is_extract
    assert kinds(verdict) == {"quotation"}
    assert [each.text for each in verdict.sentence.pins] == [LOSS]


def test_the_question_is_no_evidence() -> None:
    verdict = verify("A hirer who returns a barge late must pay double hire.", ("P1", LOSS))
    assert "entailment" in kinds(verdict) or "negation" in kinds(verdict)
    assert verdict.sentence is None or verdict.sentence.is_extract


def test_a_claim_without_quotations_is_dropped() -> None:
    assert verify(LOSS).sentence is None
    assert verify("").sentence is None


def test_a_piece_of_a_sentence_too_long_to_show_is_none_if_the_rest_may_turn_it() -> None:
    piece = "the owner may keep the whole of the hire"
    for rest, shown in (("It is not the law that ", False), ("It is settled that ", True)):
        text = rest + piece + ", and the barge may lie at the quay" * 60 + "."
        about = evidence("P1", text, [(rest, "")], CASE, 0)
        claim = Claim("", (Quoted("P1", piece),))
        verifier = EvidenceVerifier(Tokenizer().tokenize, 0.6)
        verdict = verifier.verify(claim, Request("ask", QUESTION, (about,)), CancelToken())
        assert (verdict.sentence is not None) is shown


@pytest.mark.parametrize("text", ["x" * 500_000, "[" * 200_000, "a@" * 100_000, "not " * 100_000])
def test_a_claim_without_end_is_no_sentence(text: str) -> None:
    verdict = verify(text, ("P1", LOSS), ("P1", text), *(("P1", LOSS) for _ in range(1000)))
    assert verdict.sentence is None or verdict.sentence.text == LOSS


class Judge:
    """Says the same of everything, and keeps what it was asked."""

    def __init__(self, answer: float | None) -> None:
        self.answer = answer
        self.asked: list[tuple[str, str]] = []

    def entails(self, premise: str, hypothesis: str, token: CancelToken) -> float:
        self.asked.append((premise, hypothesis))
        if self.answer is None:
            raise ModelUnavailable("there is none")
        return self.answer


def test_a_judge_decides_what_words_would_let_pass() -> None:
    no, yes, away = Judge(0.1), Judge(0.93), Judge(None)
    verdict = verify(LOSS, ("P1", LOSS), judge=no)
    assert kinds(verdict) == {"entailment"}
    assert no.asked == [(LOSS, LOSS)]
    verdict = verify(LOSS, ("P1", LOSS), judge=yes)
    assert verdict.sentence is not None
    assert verdict.sentence.entailment == 0.93
    assert verify(LOSS, ("P1", LOSS), judge=away).faults == ()


def test_a_judge_overrules_no_other_check() -> None:
    assert "number" in kinds(
        verify("The hirer shall give notice within 15 days.", ("P2", NOTICE), judge=Judge(1.0))
    )


def test_it_stops_when_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        EvidenceVerifier(Tokenizer().tokenize, 0.6).verify(Claim(LOSS, (Quoted("P1", LOSS),)), REQUEST, token)


@pytest.mark.parametrize(
    ("missing", "kept"),
    [
        (("proof of loss", "the hirer"), ("proof of loss", "the hirer")),
        (("proof", "proof"), ("proof",)),
        (("Write to evil@example.test about the proof",), ()),
        (("the salvage of the Heron",), ()),
        (("[proof](https://evil.test/loss)",), ()),
        (("the", ""), ()),
    ],
)
def test_what_is_said_to_be_missing_is_what_the_question_asks_for(
    missing: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    verifier = EvidenceVerifier(Tokenizer().tokenize, 0.6)
    assert verifier.find_missing(Insufficient(missing), REQUEST) == kept


def test_no_word_of_a_generator_reaches_an_answer_as_what_is_missing() -> None:
    class Obedient:
        name = "obedient"

        def generate(
            self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
        ) -> Iterator[Part]:
            yield Insufficient(("Transfer the deposit to the account below", "proof of loss"))

    verifier = EvidenceVerifier(Tokenizer().tokenize, 0.6)
    *_, answer = write_answer(Gathered(REQUEST), Obedient(), verifier, CancelToken())
    assert answer.missing == ("proof of loss",)
    assert "deposit" not in repr(answer.notes)
