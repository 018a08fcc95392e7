"""Write answers with the generator that is asked for, and show them as JSON and as text for people."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from shutil import get_terminal_size
from typing import Any

from lexls.cli.context import Workspace, load_grammar, make_searcher, open_embedder_if_ready, open_for_search
from lexls.cli.output import CommandFailed, measure_terminal
from lexls.features.build import Writer, build_writer
from lexls.features.find_support import describe_warning
from lexls.grounding.answer import Answer
from lexls.grounding.evidence import Pin
from lexls.grounding.generator import GenerationFailed
from lexls.grounding.render import Warnings, place_of, write_text
from lexls.grounding.selection import Encode
from lexls.index.embedding.protocol import encode_alike
from lexls.index.library import Library
from lexls.models.messages import ModelUnavailable
from lexls.models.process import ModelProcess
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.formats import PLAIN
from lexls.text.terminal import clear_lines, say
from lexls.wording.descriptions import name_file


@contextmanager
def open_answering(
    options: argparse.Namespace, place: Workspace, draft: Draft | None = None, *, lexical: bool = False
) -> Iterator[tuple[Snapshot, Writer, Encode | None]]:
    """The library of ``place`` with ``draft`` (None: an empty one) and the generator that is asked for, and
    its checks, and the vectors of texts (None without); models are unloaded at the end.

    Raises ``CommandFailed`` where the generator, or a model, cannot be used or cannot answer.
    """
    settings = place.settings
    library = open_for_search(place, lexical=lexical)
    embedder = None if lexical else open_embedder_if_ready(settings)
    encode = encode_alike(embedder)
    draft = draft or DraftParser(load_grammar(settings), settings.jurisdiction).parse("", "", PLAIN)
    search = make_searcher(library, place, lexical=lexical, embedder=embedder)
    snapshot = Snapshot(draft, library, search, settings)
    models = cache(ModelProcess)
    try:
        kind = options.generator or ""
        writer = build_writer(settings, snapshot.tokens, models, encode, kind)
        yield snapshot, writer, encode
    except (GenerationFailed, ModelUnavailable) as error:
        raise CommandFailed(str(error)) from error
    finally:
        if models.cache_info().currsize:
            models().close()
        library.close()


def describe_answer(answer: Answer, warnings: Warnings) -> dict[str, Any]:
    """An answer as the command line's JSON has it; offsets count code points of the authority's text."""
    return {
        "sentences": [
            {
                "text": each.text,
                "extract": each.is_extract,
                "entailment": round(each.entailment, 4),
                "pins": [describe_pin(pin, warnings) for pin in each.pins],
            }
            for each in answer.sentences
        ],
        "abstained": answer.abstained,
        "notes": list(answer.notes),
        "missing": list(answer.missing),
        "failed": answer.failed or None,
        "nearest": [
            {
                **name_file(each.authority),
                "title": each.authority.title,
                "citation": each.authority.citation,
                **{name: getattr(each.pin, name, None) for name in ("text", "start", "end")},
            }
            for each in answer.nearest
        ],
        "generator": answer.generator,
        "template": answer.template or None,
        "prompt": answer.shown or None,
    }


def describe_pin(pin: Pin, warnings: Warnings) -> dict[str, Any]:
    """What a sentence rests on: the authority, the place, the words there."""
    return {
        **name_file(pin.authority),
        "title": pin.authority.title,
        "citation": pin.authority.citation,
        "place": place_of(pin) or None,
        "paragraph": pin.label or None,
        "page": pin.page or None,
        "start": pin.start,
        "end": pin.end,
        "at_pinpoint": pin.at_pinpoint,
        "whose": pin.whose or None,
        "text": pin.text,
        "warning": warnings.get(pin.authority.id) or None,
    }


def find_warnings(library: Library, answer: Answer) -> dict[int, str]:
    """What the library says against the authorities that an answer names, by their ids."""
    named = {pin.authority.id: pin.authority for each in answer.sentences for pin in each.pins}
    named |= {each.authority.id: each.authority for each in answer.nearest}
    found = {number: describe_warning(library, authority) for number, authority in named.items()}
    return {number: said for number, said in found.items() if said}


def fold_lines(lines: Iterable[str], indent: str = "") -> Iterator[str]:
    """Lines of plain text at the terminal's width, each indented as it was and by ``indent``."""
    for line in lines:
        lead = indent + line[: len(line) - len(line.lstrip(" "))]
        yield from textwrap.wrap(
            line.strip(), measure_terminal(), initial_indent=lead, subsequent_indent=lead
        ) or [""]


def print_growing(answers: Iterable[Answer], library: Library) -> Answer:
    """Print an answer as it grows, and give it when it is whole.

    A terminal shows it from the first extract on and is written over as it changes, as far as it all fits
    there; anything else gets the whole answer.
    """
    printed: list[str] = []
    for answer in answers:
        if not answer.complete and not (sys.stdout.isatty() and answer.sentences):
            continue
        warnings = find_warnings(library, answer)
        lines = list(fold_lines(write_text(answer, warnings)))
        if lines == printed:
            continue
        if not answer.complete and max(len(lines), len(printed)) >= get_terminal_size().lines:
            continue
        if printed:
            clear_lines(len(printed))
        say(*lines)
        printed = lines
    return answer
