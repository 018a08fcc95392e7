"""Books, known by their edition: "Ryle on Carriage (3rd edn, 2018)", "Law of Ports 12 (2d ed. 1961)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.citations import case_names, pinpoints
from lexls.citations.behind import page_behind_court
from lexls.citations.keys import spaced
from lexls.citations.mention import Mention
from lexls.citations.model import Pinpoint
from lexls.citations.scan import PARAGRAPH_BREAK, Scan
from lexls.text.spans import Span

_EDITION = re.compile(
    r"\((?:[A-Z][^()\d\n]{2,60},\s{1,3})?(?P<number>\d{1,2})(?:st|nd|rd|th|d)\s{1,9}(?:rev(?:ised)?\.?\s{1,9})?"
    r"edi?(?:tio)?n?\b\.?"
    r"(?:[^()\d]{0,60}(?P<year>(?:1[6-9]|20)\d\d))?\)"
)
# "Paul Craig and Gráinne de Búrca, EU Law: Text, Cases, and Materials": what follows the authors' comma.
_AUTHORED = re.compile(
    r"(?<![\w’'-])[A-Z][\w.’'-]{0,20}(?:\s(?:and|&|de|van|von|der|la|[A-Z][\w.’'-]{0,20})){1,8},\s"
    r"(?P<title>[A-Z][^().;\n]{3,120})\Z"
)
_INNER = frozenset({"on", "in", "to", "by", "a", "an", "its"})
_PAGE_BEFORE = re.compile(r"[\s,]{1,9}(?P<page>\d{1,4}(?:-\d{1,4})?)\s{0,9}\Z")


def find_books(scan: Scan) -> Iterator[Mention]:
    """Books with an edition in brackets behind their title; the key is title and edition."""
    text = scan.text
    for match in _EDITION.finditer(text):
        start, end = match.span()
        page = _PAGE_BEFORE.search(text, max(0, start - 16), start)
        title = case_names.words_before(text, page.start() if page is not None else start, _INNER)
        if title is None:
            continue
        authored = _AUTHORED.search(text, max(0, title.start - 160), title.end)
        if authored is not None and PARAGRAPH_BREAK.search(text, authored.start(), title.end) is None:
            title = Span(authored.start("title"), title.end)
        name = spaced(title.of(text))
        if page is not None:
            span = Span(*page.span("page"))
            pinpoint: Pinpoint | None = Pinpoint("page", pinpoints.labels_of(page["page"]), span)
        else:
            after = pinpoints.after_case(text, end, "page") or page_behind_court(text, end)
            pinpoint, end = after if after is not None else (None, end)
        yield Mention(
            title.start,
            end,
            Span(title.start, match.end()),
            "book",
            "full",
            key=f"{name} ({match['number']} ed)",
            name=name,
            year=int(match["year"]) if match["year"] else None,
            pinpoint=pinpoint,
        )
