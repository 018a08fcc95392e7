"""Answers as they are kept in threads, and how kept ones are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lexls.grounding.answer import Answer
from lexls.grounding.evidence import Pin
from lexls.grounding.markdown import escape, linked
from lexls.grounding.plain import in_marks, plain, words_of
from lexls.grounding.render import made_by, place_of, remarks, title_of
from lexls.grounding.threads import StoredPin, StoredSentence, StoredTurn

StoredLink = Callable[[StoredPin], str]
"""The address at which an editor opens a stored pin; "" if what it cites is not there any more."""


def to_turn(question: str, answer: Answer) -> StoredTurn:
    """A whole answer as the turn of a thread that asks ``question``."""
    return StoredTurn(
        question=question,
        sentences=tuple(
            StoredSentence(plain(each.text), each.is_extract, tuple(_stored(pin) for pin in each.pins))
            for each in answer.sentences
        ),
        notes=tuple(remarks(answer)),
        missing=answer.missing,
        nearest=tuple(_stored(each.pin) for each in answer.nearest if each.pin is not None),
        generator=answer.generator,
        closing=made_by(answer),
    )


def turns_markdown(branch: Sequence[StoredTurn], link: StoredLink | None = None) -> str:
    """A branch of a thread as Markdown: each question a heading with its answer below it."""
    return "\n\n".join(part for turn in branch for part in _turn(turn, link))


def _stored(pin: Pin) -> StoredPin:
    path, words = str(pin.authority.path), words_of(pin)
    return StoredPin(path, title_of(pin), place_of(pin), pin.start, pin.end, pin.text, words)


def _turn(turn: StoredTurn, link: StoredLink | None) -> list[str]:
    parts = [f"## {escape(plain(turn.question))}"]
    for each in turn.sentences:
        if not each.extract:
            parts.append(escape(plain(each.text)))
        parts.append("\n>\n".join(_quotation(pin, link) for pin in each.pins))
    parts.extend(f"_{escape(plain(each))}_" for each in turn.notes)
    if turn.nearest:
        parts.append("Nearest in your library:")
        parts.append("\n".join(f"- {_cited(each, link)}" for each in turn.nearest))
    if turn.closing:
        parts.append(f"_{escape(plain(turn.closing))}_")
    return parts


def _quotation(pin: StoredPin, link: StoredLink | None) -> str:
    return f"> {escape(in_marks(plain(pin.words)))}\n>\n> — {_cited(pin, link)}"


def _cited(pin: StoredPin, link: StoredLink | None) -> str:
    return linked(escape(plain(pin.title)), link(pin) if link is not None else "")
