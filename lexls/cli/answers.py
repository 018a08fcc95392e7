"""Answers as JSON and as text for people."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lexls.cli.output import terminal_width

if TYPE_CHECKING:
    from lexls.grounding.answer import Answer
    from lexls.grounding.evidence import Pin
    from lexls.grounding.render import Warnings
    from lexls.index.library import Library


def answer_data(answer: Answer, warnings: Warnings) -> dict[str, Any]:
    """An answer as the command line's JSON has it; offsets count code points of the authority's text."""
    return {
        "sentences": [
            {
                "text": each.text,
                "extract": each.is_extract,
                "entailment": round(each.entailment, 4),
                "pins": [pin_data(pin, warnings) for pin in each.pins],
            }
            for each in answer.sentences
        ],
        "abstained": answer.abstained,
        "notes": list(answer.notes),
        "missing": list(answer.missing),
        "nearest": [
            {
                "path": each.authority.relative,
                "title": each.authority.title,
                "citation": each.authority.citation,
                "text": each.pin.text if each.pin is not None else None,
                "start": each.pin.start if each.pin is not None else None,
                "end": each.pin.end if each.pin is not None else None,
            }
            for each in answer.nearest
        ],
        "generator": answer.generator,
        "template": answer.template or None,
        "prompt": answer.shown or None,
    }


def pin_data(pin: Pin, warnings: Warnings) -> dict[str, Any]:
    """What a sentence rests on: the authority, the place, the words there."""
    from lexls.grounding.render import place_of

    return {
        "path": pin.authority.relative,
        "title": pin.authority.title,
        "citation": pin.authority.citation,
        "place": place_of(pin) or None,
        "paragraph": pin.label or None,
        "page": pin.page or None,
        "start": pin.start,
        "end": pin.end,
        "at_pinpoint": pin.at_pinpoint,
        "text": pin.text,
        "warning": warnings.get(pin.authority.id) or None,
    }


def warnings_of(library: Library, answer: Answer) -> dict[int, str]:
    """What the library says against the authorities that an answer names, by their ids."""
    from lexls.features.find_support import warning_of

    named = {pin.authority.id: pin.authority for each in answer.sentences for pin in each.pins}
    named |= {each.authority.id: each.authority for each in answer.nearest}
    found = {number: warning_of(library, authority) for number, authority in named.items()}
    return {number: said for number, said in found.items() if said}


def folded(lines: Iterable[str], indent: str = "") -> Iterator[str]:
    """Lines of plain text at the terminal's width, each indented as it was and by ``indent``."""
    for line in lines:
        lead = indent + line[: len(line) - len(line.lstrip(" "))]
        yield from textwrap.wrap(
            line.strip(), terminal_width(), initial_indent=lead, subsequent_indent=lead
        ) or [""]


def print_growing(answers: Iterable[Answer], library: Library) -> None:
    """Print an answer sentence by sentence as they come, and then what is to be said of it."""
    from lexls.grounding.render import ending_text, sentence_text

    printed = 0
    for answer in answers:
        fresh = answer.sentences[printed:]
        warnings = warnings_of(library, answer) if fresh or answer.complete else {}
        for each in fresh:
            for line in folded(
                ["", *sentence_text(each, warnings)] if printed else sentence_text(each, warnings)
            ):
                print(line)
            printed += 1
        sys.stdout.flush()
        if answer.complete:
            for line in folded(ending_text(answer, warnings)):
                print(line)
