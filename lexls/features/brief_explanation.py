"""An explanation that is ready, in the few lines that a hover has for it."""

from __future__ import annotations

from dataclasses import replace

from lexls.features.wording import OpenLink
from lexls.grounding.answer import Answer, Sentence
from lexls.grounding.evidence import Pin
from lexls.grounding.markdown import escape
from lexls.grounding.plain import words_of
from lexls.grounding.render import remarks, sentences_markdown

_SENTENCES = 2
_LONGEST = 280


def explained_briefly(answer: Answer, shown: str, link: OpenLink | None) -> list[str]:
    """The first sentences of an explanation as Markdown paragraphs, or that there is no support.

    ``shown`` is the Markdown above it: an extract that stands there already is not said again.
    """
    if answer.abstained:
        return [f"_{escape(each)}_" for each in remarks(answer)[:1]]
    fresh = tuple(each for each in answer.sentences if not _stands_in(shown, each))
    if not fresh:
        return []

    def to_pin(pin: Pin) -> str:
        return link(pin.authority.id, pin.start, pin.end) if link is not None else ""

    brief = sentences_markdown(replace(answer, sentences=fresh), _SENTENCES, _LONGEST, to_pin)
    return [f"Bears on the sentence:\n\n{brief}"]


def _stands_in(shown: str, sentence: Sentence) -> bool:
    return sentence.is_extract and escape(words_of(sentence.pins[0])) in shown
