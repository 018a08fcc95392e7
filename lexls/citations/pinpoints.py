"""Read pinpoints: the paragraph, page or section after (or before) a core citation."""

from __future__ import annotations

import re
from dataclasses import replace

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.citations.scan import PARAGRAPH_BREAK
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

_PATTERNS = load_patterns("pinpoints.toml")

# The characters that can begin a pinpoint, and "" for the end of the text.
_OPENING = frozenset(["", *", \t\r\n\f\v\xa0\u2002\u2003\u2009\u202f(;[apP¶§"])


def read_labels(text: str) -> tuple[str, ...]:
    """Return the labels in a list as written ("[12]–[14], [20]" → "12-14", "20"), without brackets
    and signs.
    """
    bare = text.translate({ord(sign): " " for sign in "[]¶§"})
    ranges = (_PATTERNS["range"].split(piece) for piece in _PATTERNS["split"].split(bare))
    labels = ("-".join(filter(None, map(str.strip, each))) for each in ranges)
    return tuple(filter(None, labels))


def read_group(match: re.Match[str], group: str, kind: PinpointKind = "page") -> Pinpoint:
    """Return the pinpoint in one group of a match."""
    return Pinpoint(kind, read_labels(match[group]), Span(*match.span(group)))


def read_pages(text: str, match: re.Match[str]) -> tuple[Pinpoint, int]:
    """Return the pinpoint in the group ``pages`` of a match, with the pages listed after it, and its end."""
    listed = Span(match.start("pages"), _more_pages(text, match.end("pages")))
    return Pinpoint("page", read_labels(listed.of(text)), listed), listed.end


def find_end(text: str, pinpoint: Pinpoint) -> int:
    """Return the end of a pinpoint, including any footnotes and "et seq." after it."""
    return _noted(text, pinpoint, pinpoint.span.end)[1]


def find_after_case(
    text: str, end: int, style: PinpointKind, signs: bool = False
) -> tuple[Pinpoint, int] | None:
    """Return the pinpoint after a case citation that ends at ``end``, and the pinpoint's end; or None.

    ``style`` is the unit of a bare number after this form of citation. With ``signs``, "§" marks paragraphs
    even if a bare number would be a page.
    """
    if text[end : end + 1] not in _OPENING:
        return None
    found = _after(text, end, style, signs)
    if found is not None and PARAGRAPH_BREAK.search(text, end, found[1]):
        return None
    return found


def find_between(text: str, start: int, stop: int, style: PinpointKind) -> tuple[Pinpoint, int] | None:
    """Find a pinpoint after ``start`` as `find_after_case` does, as if the text ended at ``stop``."""
    found = find_after_case(text[start:stop], 0, style)
    if found is None:
        return None
    return replace(found[0], span=found[0].span.shift(start)), start + found[1]


def _after(text: str, end: int, style: PinpointKind, signs: bool) -> tuple[Pinpoint, int] | None:
    if _PATTERNS["plain_number"].match(text, end) is not None:
        return _bare(text, end, style)
    match = _PATTERNS["after"].match(text, end)
    if match is not None and match["paras"] and "§" in match.group() and not match["at"]:
        match = match if signs or style == "paragraph" else None
    kind: PinpointKind = "paragraph"
    if match is not None:
        group = "brackets" if match["brackets"] else "paras" if match["paras"] else "pages"
        kind = "page" if group == "pages" else "paragraph"
    else:
        shelled = _PATTERNS["shelled"].match(text, end)
        if shelled is not None:
            return read_group(shelled, "pages", style), shelled.end()
        match = _PATTERNS["at_number"].match(text, end)
        group = "pages"
        kind = "page" if match is not None and "slip" in match.group() else style
    if match is not None:
        start, stop = match.span(group)
        if match["shell"]:
            closing = _PATTERNS["closing"].match(text, stop)
            return (read_group(match, group, kind), closing.end()) if closing is not None else None
        if group == "pages":
            return _pages(text, start, _more_pages(text, stop), kind)
        return _noted(text, read_group(match, group, kind), stop)
    return _bare(text, end, style)


def _bare(text: str, end: int, style: PinpointKind) -> tuple[Pinpoint, int] | None:
    """Return the pages after a comma alone, and their end: ", 99-100", ", 580G". Return None if there are
    none.
    """
    match = _PATTERNS["comma_number"].match(text, end)
    if match is None or not _ends_page(text, match.end("pages")):
        return None
    return _pages(text, match.start("pages"), _more_pages(text, match.end("pages")), style)


def _pages(text: str, start: int, stop: int, kind: PinpointKind) -> tuple[Pinpoint, int]:
    """Return the pages from ``start`` to ``stop`` with the footnotes cited there, any pages after these ("99
    n.4, 103"), and the end.
    """
    pinpoint, end = _noted(text, Pinpoint(kind, read_labels(text[start:stop]), Span(start, stop)), stop)
    further = _more_pages(text, end) if pinpoint.notes else end
    if further == end:
        return pinpoint, end
    labels = (*pinpoint.labels, *read_labels(text[end:further]))
    return _noted(text, replace(pinpoint, labels=labels, span=Span(start, further)), further)


def _more_pages(text: str, stop: int) -> int:
    """Return the end of the pages listed after commas from ``stop`` on."""
    while (more := _PATTERNS["more_pages"].match(text, stop)) and _ends_page(text, more.end()):
        stop = more.end()
    return stop


def _ends_page(text: str, stop: int) -> bool:
    return _PATTERNS["page_end"].match(text, stop) is not None or stop >= len(text)


def _noted(text: str, pinpoint: Pinpoint, stop: int) -> tuple[Pinpoint, int]:
    """Return the pinpoint with the footnotes cited after it, and the end of the footnotes."""
    following = _PATTERNS["following"].match(text, stop)
    stop = following.end() if following is not None else stop
    note = _PATTERNS["note"].match(text, stop)
    if note is None:
        return pinpoint, stop
    notes = read_labels((note["notes"] or note["note"]).lstrip("n. "))
    return replace(pinpoint, notes=(*pinpoint.notes, *notes)), note.end()
