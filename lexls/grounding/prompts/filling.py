"""From a request and a template to what a model reads."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lexls.grounding.evidence import Evidence
from lexls.grounding.place_words import named, where
from lexls.grounding.prompts.templates import Template, substituted
from lexls.grounding.request import Request, Turn

TURNS = 4
"""So many earlier turns are told at most, the latest."""
TURN_CHARS = 1200
"""Characters of each turn's question, and of its answer."""
_SIGN_CHARS = 20
_PLACES = 8
"""Labels of one passage that are told at most."""

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Controls, halves of surrogate pairs, and characters nobody sees: marks of direction (which make a text read
# otherwise than it is written) and tags (in which whole sentences can be hidden).
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to a model. ``template`` is the label of the template it was made by."""

    system: str
    user: str
    template: str


def fill(request: Request, template: Template, secret: bytes) -> Prompt:
    """The prompt of a request.

    ``secret`` keys the sign of the lines around the evidence: nobody without it can write such a line into a
    document, and the same evidence has the same sign, so that a model's memory of the prompt holds.
    """
    sign = delimiter(request.evidence, secret)
    values = {
        "delimiter": sign,
        "evidence": "\n\n".join(evidence_block(each, sign) for each in request.evidence) or "(none)",
        "history": _history(request.history, sign),
        "pinpoint": _pinpoint(request),
        "question": shown_line(request.question),
        "sentences": str(request.sentences),
    }
    return Prompt(substituted(template.system, values), substituted(template.user, values), template.label)


def delimiter(evidence: Sequence[Evidence], secret: bytes) -> str:
    """The sign of the lines between which this evidence stands; no text of it holds the sign."""
    digest = hmac.new(secret, digestmod=hashlib.sha256)
    for each in evidence:
        for part in (each.identifier, str(each.authority.id), named(each.authority), each.text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big") + data)
    sign = digest.hexdigest()[:_SIGN_CHARS]
    while any(sign in each.text or sign in named(each.authority) for each in evidence):
        digest.update(b"again")
        sign = digest.hexdigest()[:_SIGN_CHARS]
    return sign


def evidence_block(evidence: Evidence, sign: str) -> str:
    """A passage between its two lines: what it is from, where it stands there, its text."""
    lines = [f"<<<{sign} {evidence.identifier} begins>>>", f"From: {shown_line(named(evidence.authority))}"]
    place = _place(evidence)
    if place:
        lines.append(f"Place: {place}")
    lines += ["Text:", shown_text(evidence.text).strip(), f"<<<{sign} {evidence.identifier} ends>>>"]
    return "\n".join(lines)


def shown_text(text: str) -> str:
    """``text`` as a model may read it: its words as they are, nothing unseen, one kind of line end."""
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))


def shown_line(text: str) -> str:
    """The same on one line."""
    return " ".join(shown_text(text).split())


def _place(evidence: Evidence) -> str:
    """The numbers of the passage as they are cited; those that the citation points at are told apart."""
    found: dict[str, bool] = {}
    for each in evidence.stretches:
        place = where(evidence.authority, each.label, each.page)
        if place:
            found[place] = found.get(place, False) or each.at_pinpoint
    pointed = [place for place, at_pinpoint in found.items() if at_pinpoint]
    words = _few(found)
    if pointed:
        words += (
            " (the citation points at this place)"
            if len(found) == 1
            else (f" (the citation points at {_few(pointed)})")
        )
    return shown_line(words)


def _few(places: Iterable[str]) -> str:
    listed = list(places)
    if len(listed) > _PLACES:
        return f"{listed[0]} to {listed[-1]}"
    return ", ".join(listed)


def _history(turns: Sequence[Turn], sign: str) -> str:
    """The latest turns between two lines, like a passage: answers are made of words of documents, too."""
    if not turns:
        return ""
    told = [f"<<<{sign} earlier questions and answers begin>>>"]
    for turn in turns[-TURNS:]:
        answer = _cut(shown_line(" ".join(turn.answer))) or "(not answered)"
        told.append(f"Earlier question: {_cut(shown_line(turn.question))}\nEarlier answer: {answer}")
    return "\n".join([*told, f"<<<{sign} earlier questions and answers end>>>"])


def _cut(line: str) -> str:
    if len(line) <= TURN_CHARS:
        return line
    return line[:TURN_CHARS].rpartition(" ")[0] + " …"


def _pinpoint(request: Request) -> str:
    if not request.pinpoint:
        return ""
    place = shown_line(request.pinpoint)
    if request.pinpoint_found:
        return f"The citation points at {place}: what stands there matters most."
    return f"The citation points at {place}, which the authority does not have."
