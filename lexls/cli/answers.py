"""``lexls ask`` and ``lexls explain``: answer a question, or explain how the citations on a line support
their sentence.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from lexls.citations.model import Citation
from lexls.cli.context import (
    Workspace,
    find_workspace,
    list_excluded,
    load_grammar,
    make_searcher,
    open_embedder_if_ready,
    open_for_search,
)
from lexls.cli.drafts import find_offset, read_draft
from lexls.cli.output import FINE, CommandFailed, emit, measure_terminal, wrap
from lexls.features.build import Writer, build_writer
from lexls.features.find_support import describe_warning
from lexls.features.gathering import gather_answer, gather_explanation
from lexls.grounding.answer import Answer, GenerationFailed
from lexls.grounding.evidence import Pin
from lexls.grounding.render import Warnings, place_of, write_text
from lexls.grounding.selection import Encode
from lexls.index.embedding.protocol import encode_alike
from lexls.index.library import Library
from lexls.models.messages import ModelUnavailable
from lexls.models.process import ModelProcess
from lexls.reading.draft_parser import DraftParser
from lexls.reading.propositions import find_citation_near, find_words_supported
from lexls.reading.resolve import find_authority, resolve
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN
from lexls.text.lines import LineIndex
from lexls.text.terminal import clear_lines, say
from lexls.wording.descriptions import name_file
from lexls.wording.place_words import cite_authority, strip_controls


@contextmanager
def open_answering(
    options: argparse.Namespace, place: Workspace, draft: Draft | None = None, *, lexical: bool = False
) -> Iterator[tuple[Snapshot, Writer, Encode | None]]:
    """Open the library of ``place`` with ``draft`` (None: an empty draft), and provide a snapshot of both,
    the writer of answers, and the text encoder (None without vectors). The writer uses the requested
    generator and verifies its answers.

    Models are unloaded at the end. Raises ``CommandFailed`` if the generator or a model cannot be used or
    fails.
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
    """Return an answer in the command line's JSON format; offsets are in code points of the
    authority's text.
    """
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
    """Return a sentence's pinned passage as JSON data: the authority, the pinpoint and the quoted text."""
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
    """Return the library's warnings about the authorities in an answer, by authority id."""
    named = {pin.authority.id: pin.authority for each in answer.sentences for pin in each.pins}
    named |= {each.authority.id: each.authority for each in answer.nearest}
    found = {number: describe_warning(library, authority) for number, authority in named.items()}
    return {number: said for number, said in found.items() if said}


def fold_lines(lines: Iterable[str], indent: str = "") -> Iterator[str]:
    """Yield plain text wrapped to the terminal's width. Each line keeps its indentation and is indented
    further by ``indent``.
    """
    for line in lines:
        lead = indent + line[: len(line) - len(line.lstrip(" "))]
        yield from textwrap.wrap(
            line.strip(), measure_terminal(), initial_indent=lead, subsequent_indent=lead
        ) or [""]


def print_growing(answers: Iterable[Answer], library: Library) -> Answer:
    """Print an answer as it grows, and return the complete answer.

    On a terminal, the answer is shown from the first extract on and is updated as it changes, as long as it
    fits on the screen. Any other output gets only the complete answer.
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


def answer_question(
    snapshot: Snapshot, writer: Writer, question: str, token: CancelToken, excluded: Sequence[Path] = ()
) -> Iterator[Answer]:
    """Yield the answer to a question about the library as it grows, ignoring ``excluded`` files."""
    gathered = gather_answer(snapshot, question, (), token, excluded, writer.keywords)
    return writer.write(gathered, token)


def run_ask(options: argparse.Namespace) -> int:
    """Answer one question. Text appears as sentences are verified; JSON is printed at the end."""
    place = find_workspace(options)
    token = CancelToken()
    with open_answering(options, place) as (snapshot, writer, _):
        growing = answer_question(snapshot, writer, options.question, token, list_excluded(options, place))
        if options.json:
            *_, last = growing
            data = describe_answer(last, find_warnings(snapshot.library, last))
            emit(options, {"question": last.question, **data}, ())
        else:
            last = print_growing(growing, snapshot.library)
    if last.failed and not options.json:
        raise CommandFailed(last.failed)
    return FINE


def run_explain(options: argparse.Namespace) -> int:
    """Explain each citation on the given line. If the line has none, or if a character is given, explain the
    citation at that position or else the first one of its sentence.
    """
    place = find_workspace(options, options.file)
    draft = read_draft(options.file, place.settings)
    start = find_offset(draft, options.file, options.line, options.character)
    with open_answering(options, place, draft) as (snapshot, writer, _):
        on_line = [] if options.character is not None else _citations_on_line(snapshot, options.line)
        near = find_citation_near(snapshot.draft, start)
        citations = on_line or ([near] if near is not None else [])
        found = [_explain(snapshot, each, writer) for each in citations]
    lines = _explanation_lines([lines for _, lines in found])
    emit(options, {"explanations": [data for data, _ in found]}, lines)
    return FINE


def _citations_on_line(snapshot: Snapshot, line: int) -> list[Citation]:
    """Return the citations that begin or continue on a line, but only the first of each group of parallel
    citations.
    """
    span = LineIndex(snapshot.draft.source).line_span(line - 1)
    groups: dict[int, Citation] = {}
    for citation in snapshot.draft.citations_in(span):
        groups.setdefault(citation.group, citation)
    return list(groups.values())


def _explain(snapshot: Snapshot, citation: Citation, writer: Writer) -> tuple[dict[str, Any], Iterator[str]]:
    """Return the explanation of one citation: the ``--json`` data, and the lines to print.

    ``statements`` in the data lists the quotations that support the explanation's sentences.
    """
    token, draft, span = CancelToken(), snapshot.draft, citation.span
    proposition = find_words_supported(draft, citation)
    authority = find_authority(snapshot.library, resolve(snapshot.library, draft, citation))
    gathered = gather_explanation(snapshot, citation.core.start, token)
    assert gathered is not None  # a citation stands there
    *_, answer = writer.write(gathered, token)
    warnings = find_warnings(snapshot.library, answer)
    pins = [describe_pin(pin, warnings) for each in answer.sentences for pin in each.pins]
    shown = ("text", "paragraph", "page", "start", "end", "at_pinpoint")
    data = {
        "citation": {"start": span.start, "end": span.end, "text": span.of(draft.source)},
        "proposition": proposition,
        "authority": authority
        and name_file(authority) | {name: getattr(authority, name) for name in ("title", "citation", "kind")},
        "statements": [{name: pin[name] for name in shown} for pin in pins],
        **describe_answer(answer, warnings),
    }

    def lines() -> Iterator[str]:
        yield " ".join(span.of(draft.masked).split())
        if proposition:
            yield from wrap(f"on: “{proposition}”", "  ", 3)
        if authority is not None:
            warning = warnings.get(authority.id)
            said = f" (warning: {warning})" if warning else ""
            yield f"  {strip_controls(cite_authority(authority) + said)}"
        yield from fold_lines(write_text(answer, warnings), "    ")

    return data, lines()


def _explanation_lines(found: list[Iterator[str]]) -> Iterator[str]:
    for number, lines in enumerate(found):
        if number:
            yield ""
        yield from lines
    if not found:
        yield "No citation there."
