"""Write the short form of an authority that the draft has cited already, for a completion."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lexls.citations.insert import InsertStyle, Rendered
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation
from lexls.features.citing import find_short_name, make_reference
from lexls.features.inlays import shorten_name
from lexls.features.resolve import resolve
from lexls.features.snapshot import Snapshot
from lexls.features.wording import choose_pinpoint
from lexls.index.records import Authority
from lexls.text.spans import Span

_IN_VOLUME = re.compile(r"(?P<volume>\d{1,4} [A-Z].*\S) \d+")


def find_cited(snapshot: Snapshot, offset: int) -> Mapping[int, Citation]:
    """The authorities that the draft cites in full before ``offset``, each with where it does so first."""
    found: dict[int, Citation] = {}
    for citation in snapshot.draft.citations:
        if citation.span.end > offset:
            break
        if citation.form == "full":
            for number in resolve(snapshot.library, snapshot.draft, citation).authorities:
                found.setdefault(number, citation)
    return found


def wants_short(authority: Authority) -> bool:
    """Whether what was cited once is cited by its short form from then on, where the authority is from."""
    return find_jurisdiction(authority.jurisdiction).customs.court_and_year


def write_short(
    snapshot: Snapshot, authority: Authority, full: Citation, style: InsertStyle
) -> tuple[Rendered, str] | None:
    """The short form of a case, with "n" for its pinpoint, and how it is written without one.

    None where the case has no name that stands for it alone.
    """
    name = find_name(snapshot, authority, full)
    if authority.kind != "case" or not name:
        return None
    draft = snapshot.draft
    marks = style.italic or (draft.format.italics[0] if draft.format.italics else ("", ""))
    head = f"{marks[0]}{draft.format.escape(name)}{marks[1]}"
    in_volume = _IN_VOLUME.fullmatch(full.key)
    if wants_short(authority) and in_volume is not None:
        head = f"{head}, {draft.format.escape(in_volume['volume'])} at "
        return Rendered(f"{head}n", Span(len(head), len(head) + 1)), head
    customs = find_jurisdiction(authority.jurisdiction or draft.jurisdiction).customs
    paged = choose_pinpoint(authority) == "page"
    template = (style.page or customs.page) if paged else (style.paragraph or customs.paragraph)
    before, _, after = (draft.format.write_signs(each) for each in template.partition("{}"))
    start = len(head) + len(before)
    return Rendered(f"{head}{before}n{after}", Span(start, start + 1)), head


def find_name(snapshot: Snapshot, authority: Authority, full: Citation) -> str:
    """What the draft calls a case already, else what it may call it; ``full`` is where it cites it first."""
    draft = snapshot.draft
    for citation in draft.citations:
        if citation.form == "short" and citation.name and citation.key == full.key:
            return " ".join(citation.name.split())
    reference = make_reference(authority, "page", "")
    found = find_short_name(draft, reference) if reference is not None else ""
    short = shorten_name(authority.title)
    return short if found.startswith(short) else found or short
