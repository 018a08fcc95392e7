"""``lexls ask`` and ``explain``: answer a question, say why what is cited on a line supports it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from lexls.citations.model import Citation
from lexls.cli.answers import (
    describe_answer,
    describe_pin,
    find_warnings,
    fold_lines,
    open_answering,
    print_growing,
)
from lexls.cli.context import find_workspace, list_excluded
from lexls.cli.drafts import find_offset, read_draft
from lexls.cli.output import FINE, CommandFailed, emit, wrap
from lexls.features.build import Writer
from lexls.features.gathering import gather_answer, gather_explanation
from lexls.grounding.render import write_text
from lexls.reading.propositions import find_citation_near, find_words_supported
from lexls.reading.resolve import find_authority, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.lines import LineIndex
from lexls.wording.descriptions import name_file
from lexls.wording.place_words import cite_authority, strip_controls


def run_ask(options: argparse.Namespace) -> int:
    """Answer one question; text grows sentence by sentence as they are verified, JSON comes at the end."""
    place = find_workspace(options)
    token = CancelToken()
    with open_answering(options, place) as (snapshot, writer, _):
        left_out = list_excluded(options, place)
        gathered = gather_answer(snapshot, options.question, (), token, left_out, writer.keywords)
        growing = writer.write(gathered, token)
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
    """Explain each citation of the line; where it has none, the first one of the sentence that lies on it."""
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
    """Each citation that begins or goes on in a line, parallel citations counted once."""
    span = LineIndex(snapshot.draft.source).line_span(line - 1)
    groups: dict[int, Citation] = {}
    for citation in snapshot.draft.citations_in(span):
        groups.setdefault(citation.group, citation)
    return list(groups.values())


def _explain(snapshot: Snapshot, citation: Citation, writer: Writer) -> tuple[dict[str, Any], Iterator[str]]:
    """The explanation of one citation: what ``--json`` prints, and lines for people.

    ``statements`` are the words that the sentences rest on, one by one.
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
