"""A proposal, and how its authority is written in the draft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.citations.insert import InsertStyle, Rendered, detect_style, escape, render
from lexls.citations.model import Pinpoint
from lexls.features.completion_context import Context
from lexls.features.snapshot import Snapshot
from lexls.features.styled import written_in_style
from lexls.features.wording import court_note, usual_pinpoint
from lexls.grounding.place_words import pinpoint_kind
from lexls.index.records import Authority, Place
from lexls.text.spans import Span

ItemKind = Literal["case", "statute", "other", "place"]


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One proposal.

    ``text`` takes the place of ``replace`` (a span of the source, on one line, around the cursor);
    ``stop`` is the part of ``text`` that the person fills in (None: nothing), for clients with snippets.
    ``plain`` is what to insert where there are none. ``filter`` begins like what is typed, ``order`` sorts.
    ``authority`` and ``label`` are for ``documentation``.
    """

    label: str
    description: str
    kind: ItemKind
    replace: Span
    text: str
    stop: Span | None
    plain: str
    filter: str
    order: str
    authority: int
    label_of_place: str = ""

    def snippet(self) -> str:
        """``text`` as an LSP snippet, its stop a placeholder."""
        if self.stop is None:
            return snippet_escape(self.text)
        before, inner, after = (
            self.text[: self.stop.start],
            self.stop.of(self.text),
            self.text[self.stop.end :],
        )
        return f"{snippet_escape(before)}${{1:{snippet_escape(inner)}}}{snippet_escape(after)}$0"


def snippet_escape(text: str) -> str:
    """``text`` with the characters escaped that snippets give a meaning."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def style_of(snapshot: Snapshot, offset: int) -> InsertStyle:
    """The habits of the draft, without what is being typed."""
    draft = snapshot.draft
    finished = [each for each in draft.citations if not each.span.touches(offset)]
    return detect_style(draft.masked, draft.source, finished)


def write_citation(
    snapshot: Snapshot, authority: Authority, context: Context, style: InsertStyle, pinpoint: str
) -> Rendered:
    """The citation in the draft's form; only what is not there yet."""
    draft = snapshot.draft
    title = authority.title
    citations: Sequence[str] = authority.citations
    if context.of_act:
        return Rendered(escape(title, draft.markup), None)
    if context.kind == "citation" and _named_before(authority, context.before):
        title = ""
    else:
        styled = written_in_style(
            snapshot,
            authority,
            pinpoint_kind(authority) if pinpoint.isdigit() else usual_pinpoint(authority),
            pinpoint,
            context.replace.start,
            style.italic,
        )
        if styled is not None:
            return styled
    rendered = render(
        citations,
        title,
        authority.kind,
        pinpoint,
        pinpoint_kind(authority) if pinpoint.isdigit() else usual_pinpoint(authority),
        authority.jurisdiction or draft.jurisdiction,
        draft.markup,
        style,
    )
    return Rendered(rendered.text + court_note(authority), rendered.pinpoint)


def _named_before(authority: Authority, before: str) -> bool:
    text = before.rstrip(" ,:;([").casefold()
    return any(
        name and text.endswith(" ".join(name.split()).casefold())
        for name in (authority.title, authority.short_title)
    )


def place_of(snapshot: Snapshot, authority: Authority, label: str) -> Place | None:
    """The place of the authority with this label, None if it has none."""
    kind = pinpoint_kind(authority)
    places = snapshot.library.places(authority.id, Pinpoint(kind, (label,), Span(0, 0)))
    return places[0] if places else None
