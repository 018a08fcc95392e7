"""``lexls explain``: why the authorities cited on a line support it, in their own words."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lexls.cli.answers import answer_data, folded, pin_data, warnings_of
from lexls.cli.context import open_embedder_if_ready, open_for_search, searcher, workspace
from lexls.cli.drafts import offset_of, read_draft
from lexls.cli.failure import FINE
from lexls.cli.generators import Writer, open_writer
from lexls.cli.output import emit, wrapped

if TYPE_CHECKING:
    from lexls.citations.model import Citation
    from lexls.features.snapshot import Snapshot
    from lexls.grounding.answer import Answer
    from lexls.index.records import Authority


def run(options: argparse.Namespace) -> int:
    """Explain each citation of the line; where it has none, the first one of the sentence that lies on it."""
    from lexls.features.explain import citation_near
    from lexls.features.snapshot import Snapshot

    place = workspace(options, options.file)
    draft = read_draft(options.file, place.settings)
    start = offset_of(draft, options.file, options.line, options.character)
    library = open_for_search(place)
    embedder = open_embedder_if_ready(place.settings)
    snapshot = Snapshot(draft, library, searcher(library, place, embedder=embedder), place.settings)
    encode = embedder.encode if embedder is not None else None
    on_line = [] if options.character is not None else _citations_on_line(snapshot, options.line)
    near = citation_near(snapshot, start)
    citations = on_line or ([near] if near is not None else [])
    with open_writer(place.settings, options.generator, snapshot.tokenizer, encode) as writer:
        found = [_Explained(snapshot, each, writer) for each in citations]
    emit(options, {"explanations": [each.data() for each in found]}, _lines(found))
    return FINE


def _citations_on_line(snapshot: Snapshot, line: int) -> list[Citation]:
    """Each citation that begins or goes on in a line, parallel citations counted once."""
    from lexls.text.lines import LineIndex

    span = LineIndex(snapshot.draft.source).line_span(line - 1)
    groups: dict[int, Citation] = {}
    for citation in snapshot.draft.citations_in(span):
        groups.setdefault(citation.group, citation)
    return list(groups.values())


class _Explained:
    """The explanation of one citation, as JSON and as text."""

    def __init__(self, snapshot: Snapshot, citation: Citation, writer: Writer) -> None:
        from lexls.features.explain import proposition_of
        from lexls.features.gathering import gather_explanation
        from lexls.features.resolve import authority_of, resolve
        from lexls.text.cancel import CancelToken

        token = CancelToken()
        self._draft = snapshot.draft
        self._span = citation.span
        self._proposition = proposition_of(snapshot, citation)
        resolution = resolve(snapshot.library, snapshot.draft, citation)
        self._authority: Authority | None = authority_of(snapshot.library, resolution)
        at = citation.core.start
        gathered = gather_explanation(snapshot, at, writer.generator.room, token)
        assert gathered is not None  # a citation stands there
        *_, answer = writer.answers(gathered, token)
        self._answer: Answer = answer
        self._warnings = warnings_of(snapshot.library, answer)

    def data(self) -> dict[str, Any]:
        """What ``--json`` prints; ``statements`` are the words that the sentences rest on, one by one."""
        authority, answer = self._authority, self._answer
        span = self._span
        pins = [pin_data(pin, self._warnings) for each in answer.sentences for pin in each.pins]
        shown = ("text", "paragraph", "page", "start", "end", "at_pinpoint")
        return {
            "citation": {"start": span.start, "end": span.end, "text": span.of(self._draft.source)},
            "proposition": self._proposition,
            "authority": {
                "path": authority.relative,
                "title": authority.title,
                "citation": authority.citation,
                "kind": authority.kind,
            }
            if authority
            else None,
            "statements": [{name: pin[name] for name in shown} for pin in pins],
            **answer_data(answer, self._warnings),
        }

    def lines(self) -> Iterator[str]:
        """The explanation for people."""
        from lexls.grounding.place_words import named
        from lexls.grounding.plain import plain
        from lexls.grounding.render import answer_text

        yield " ".join(self._span.of(self._draft.masked).split())
        if self._proposition:
            yield from wrapped(f"on: “{self._proposition}”", "  ", 3)
        if self._authority is not None:
            warning = self._warnings.get(self._authority.id)
            said = f" (warning: {warning})" if warning else ""
            yield f"  {plain(named(self._authority) + said)}"
        yield from folded(answer_text(self._answer, self._warnings), "    ")


def _lines(found: list[_Explained]) -> Iterator[str]:
    for number, each in enumerate(found):
        if number:
            yield ""
        yield from each.lines()
    if not found:
        yield "No citation there."
