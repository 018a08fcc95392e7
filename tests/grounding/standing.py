"""Whether a sentence stands above the quotation that it was written on."""

from __future__ import annotations

from pathlib import Path

from lexls.grounding.answer import Claim, Quoted, Request, Verdict
from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer
from lexls.text.cancel import CancelToken

FERRY = "May the ferryman refuse a horse?"


def check(quotation: str, sentence: str, stands: bool, question: str = FERRY) -> None:
    verdict = judge(quotation, sentence, question)
    assert stood(verdict) is stands, verdict


def judge(quotation: str, sentence: str, question: str, title: str = "") -> Verdict:
    case = Authority(1, Path("a.txt"), Path(), "a.txt", title, "", (), "", "", "case", "", True)
    evidence = Evidence("P1", case, 0, len(quotation), quotation, (TextSegment(0),), (0, len(quotation)))
    claim = Claim(sentence, (Quoted("P1", quotation),))
    verifier = EvidenceVerifier(Tokenizer().tokenize, 0.6)
    return verifier.verify(claim, Request("ask", question, (evidence,)), CancelToken())


def stood(verdict: Verdict) -> bool:
    return verdict.sentence is not None and not verdict.sentence.is_extract
