"""Write the short form of an authority that the draft has already cited, for a completion."""

from __future__ import annotations

import re

from lexls.citations.insert import InsertStyle, Rendered
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.index.records import Authority
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span
from lexls.wording.descriptions import choose_pinpoint
from lexls.wording.place_words import is_slip_opinion
from lexls.writing.cited_before import Cited, find_name, point_back, wants_short

_IN_VOLUME = re.compile(r"(?P<volume>\d{1,4} [A-Z].*\S) \d+")


def write_short(
    snapshot: Snapshot, authority: Authority, cited: Cited, style: InsertStyle
) -> tuple[Rendered, str] | None:
    """Return the short form of a case in ``cited``, with "n" for its pinpoint, and the form without a
    pinpoint.

    Returns None if the authority is not a case or has no unique short name.
    """
    full = cited.first[authority.id]
    name = find_name(snapshot, authority, cited)
    if authority.kind != "case" or not name:
        return None
    draft = snapshot.draft
    marks = style.italic or (draft.format.italics[0] if draft.format.italics else ("", ""))
    head = f"{marks[0]}{draft.format.escape(name)}{marks[1]}"
    in_volume = _IN_VOLUME.fullmatch(full.key)
    of_slip = is_slip_opinion(authority)
    if wants_short(authority) and (of_slip or in_volume is not None):
        report = "slip op." if in_volume is None else in_volume["volume"]
        head = f"{head}, {draft.format.escape(report)} at "
        return Rendered(f"{head}n", Span(len(head), len(head) + 1)), head
    customs = find_jurisdiction(authority.jurisdiction or draft.jurisdiction).customs
    paged = choose_pinpoint(authority) == "page"
    style = point_back(style, authority)
    template = (style.page or customs.page) if paged else (style.paragraph or customs.paragraph)
    before, _, after = (draft.format.write_signs(each) for each in template.partition("{}"))
    start = len(head) + len(before)
    return Rendered(f"{head}{before}n{after}", Span(start, start + 1)), head
