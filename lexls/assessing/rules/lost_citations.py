"""Find the library case that a short form without an antecedent means, and offer its full citation
instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lexls.citations.model import Citation, fold
from lexls.index.records import Authority
from lexls.reading.binding import is_called
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.writing.citing import render_authority
from lexls.writing.convert import find_italics, widen_to_marks

_LAST_NUMBER = re.compile(r"(?P<series>.*\D)(?P<page>\d{1,5})$")
_LONGEST_CASE = 400
"""Maximum length of a decision, in pages, for a page to be taken as part of it when a volume is searched."""


def restore_citation(snapshot: Snapshot, citation: Citation) -> Iterator[Fix]:
    """Yield the fix that replaces a short form without an antecedent by the full citation, if exactly one
    case in the library fits.
    """
    found = list(_list_meant(snapshot, citation))
    if len(found) != 1:
        return
    draft, authority = snapshot.draft, found[0]
    span = widen_to_marks(draft, citation.span)
    if span is None:
        return
    pinpoint = citation.pinpoint
    label = pinpoint.labels[0] if pinpoint is not None and pinpoint.kind in ("page", "paragraph") else ""
    kind = pinpoint.kind if pinpoint is not None else "page"
    habits = replace(draft.habits, italic=find_italics(draft, span) or draft.habits.italic)
    written = render_authority(snapshot, authority, kind, label, span.start, habits, ibid=False)
    yield Fix(f"Write the full citation of {authority.name} here", (Edit(span, written.text),))


def _list_meant(snapshot: Snapshot, citation: Citation) -> Iterator[Authority]:
    catalogue = snapshot.library.catalogue
    volume = " ".join(citation.core.of(snapshot.draft.masked).split()) if citation.form == "short" else ""
    in_volume = volume[:1].isdigit()
    if in_volume:
        near = catalogue.find_but_for_a_number(f"{volume} 0")
        numbers = dict.fromkeys(document for key, document in near if key.startswith(fold(f"{volume} ")[:-1]))
    else:
        numbers = dict.fromkeys(catalogue.find_sharing_word(citation.name) if citation.name else ())
    for number in numbers:
        authority = catalogue.get(number)
        if authority is None or authority.kind != "case":
            continue
        if citation.name and not _is_party(citation.name, authority):
            continue
        if not in_volume or _has_page(authority, volume, citation):
            yield authority


def _is_party(name: str, authority: Authority) -> bool:
    return is_called(name, authority) or fold(name) in fold(authority.title)


def _has_page(authority: Authority, volume: str, citation: Citation) -> bool:
    """Return whether the page cited may be part of a case in the volume."""
    page = citation.pinpoint.labels[0] if citation.pinpoint is not None else ""
    for key in authority.citations:
        found = _LAST_NUMBER.fullmatch(key)
        if found is not None and fold(found["series"]) == fold(volume):
            first = int(found["page"])
            return not page.isdigit() or first <= int(page) <= first + _LONGEST_CASE
    return False
