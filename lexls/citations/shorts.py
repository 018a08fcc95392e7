"""Short forms as they stand in a text: id., ibid., supra, "Carrow at [14]", "531 U.S., at 104"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lexls.citations import case_names, pinpoints
from lexls.citations.keys import spaced
from lexls.citations.mention import Mention
from lexls.citations.scan import Scan
from lexls.text.spans import Span

_ID = re.compile(r"[Ii](?<![\w.-].)(?:d\.|D\.|bid\b\.?|BID\b\.?)(?!\w)")
_SUPRA = re.compile(r"[sS](?<!\w.)(?:upra|UPRA)\b(?:\s{0,3}\))?")
_ABOVE = re.compile(r"above\s{1,3}(?=nn?\.?\s?\d)")
_NOTE = re.compile(r",?\s{0,9}(?:at\s{1,9})?(?:nn?\.?|notes?|fn\.?)\s{0,9}\d{1,4}")
# What can only begin a pinpoint; a short name may stand before it.
_PLACES = (
    re.compile(r"at\s{1,9}(?=\[\s?\d|para|¶|pp?\.?\s?\d|page|\*?\d)"),
    re.compile(r"\[(?=\s?\d{1,4}\s?[\]–-])"),
    re.compile(r"para(?=(?:graph)?s?\b\.?\s?\[?\d)"),
    re.compile(r"¶(?=¶?\s?\d)"),
)
_CASE_WORD = re.compile(r"(?:case|decision|principle)\b(?!\s+(?:law|no\b))")
_REPORT = re.compile(
    r"(?<![\w*.,/§-])(?:[(\[](?P<year>\d{4})[)\]]\s{1,9})?(?P<volume>\d{1,4})\s{1,9}"
    r"(?P<report>[A-Z][A-Za-z0-9.'’& ]{0,24}?),?\s{1,9}\Z"
)
_CLOSING = re.compile(r"[^()]{0,40}\)")
_PARTY = re.compile(
    r"[vV](?:s|S|ersus)?\.?\s{1,9}(?:the\s)?[A-Z][\w.'’&-]{0,40}"
    r"(?:[ \t\n,]{1,9}(?:of|and|the|for|&|in|re|[A-Z(][\w.'’&)-]{0,40})){0,10}"
)


def find_ids(scan: Scan) -> Iterator[Mention]:
    """*Id.*, *ibid.* with their pinpoints; "83 id. 154" is another page of the reporter before, not these."""
    text = scan.text
    for match in _ID.finditer(text):
        start, end = match.span()
        if text[max(0, start - 6) : start].rstrip()[-1:].isdigit():
            continue
        after = pinpoints.after_case(text, end, "page")
        pinpoint, stop = after if after is not None else (None, end)
        yield Mention(start, stop, Span(start, end), "other", "id", pinpoint=pinpoint)


def find_supras(scan: Scan) -> Iterator[Mention]:
    """*Supra* (and "above n 12") with the name before it; without a name it refers to the text itself."""
    text = scan.text
    for pattern in (_SUPRA, _ABOVE):
        for match in pattern.finditer(text):
            name = case_names.name_before(text, match.start()) or case_names.words_before(text, match.start())
            if name is None:
                continue
            end = match.end()
            note = _NOTE.match(text, end)
            stop = note.end() if note else end
            after = pinpoints.after_case(text, stop, "page")
            pinpoint, stop = after if after is not None else (None, stop)
            opened = "(" in text[name.end : match.start()] and ")" not in match.group()
            closing = _CLOSING.match(text, stop) if opened else None
            reference = spaced(name.of(text))
            yield Mention(
                name.start,
                closing.end() if closing is not None else stop,
                name,
                "other",
                "supra",
                name=reference,
                pinpoint=pinpoint,
                reference=reference,
            )


def find_named(scan: Scan) -> Iterator[Mention]:
    """Words with a pinpoint or "case" behind them that may be an authority's short name."""
    text = scan.text
    for pattern in _PLACES:
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - 3) : match.start()]
            if (
                not before[-1:]
                or before[-1] not in " (\n\t"
                or (not before.strip(" (,\n\t") and len(before) < 3)
            ):
                continue
            name = case_names.words_before(text, match.start())
            after = pinpoints.after_case(text, name.end, "page") if name is not None else None
            if name is None or after is None:
                continue
            reference = spaced(name.of(text))
            yield Mention(
                name.start,
                after[1],
                name,
                "case",
                "short",
                name=reference,
                pinpoint=after[0],
                reference=reference,
            )
    for match in _CASE_WORD.finditer(text):
        if not text[match.start() - 1 : match.start()].isspace():
            continue
        name = case_names.words_before(text, match.start())
        if name is not None:
            reference = spaced(name.of(text))
            yield Mention(name.start, match.end(), name, "case", "short", name=reference, reference=reference)


def find_by_report(scan: Scan, taken: Callable[[Span], bool]) -> Iterator[Mention]:
    """A volume and reporter with a page only as pinpoint: "531 U.S., at 104"; none where a span is taken."""
    text = scan.text
    for match in _PLACES[0].finditer(text):
        if taken(Span(*match.span())):
            continue
        cited = _REPORT.search(text, max(0, match.start() - 50), match.start())
        after = pinpoints.after_case(text, cited.end("report"), "page") if cited is not None else None
        if cited is None or after is None:
            continue
        core = Span(cited.start(), cited.end("report"))
        name = case_names.name_before(text, core.start) or case_names.words_before(text, core.start)
        yield Mention(
            name.start if name is not None else core.start,
            after[1],
            core,
            "case",
            "short",
            pinpoint=after[0],
            volume=cited["volume"],
            report=spaced(cited["report"]),
            name=spaced(name.of(text)) if name is not None else "",
        )


def find_versus(scan: Scan) -> Iterator[Mention]:
    """Every "X v Y" without a citation of its own; the second party may end before the mention does."""
    text = scan.text
    for versus in scan.versus:
        behind = _PARTY.match(text, versus)
        start = case_names.first_party(text, versus) if behind is not None else None
        if start is None or behind is None:
            continue
        core = Span(start, behind.end())
        name = spaced(core.of(text))
        yield Mention(start, core.end, core, "case", "short", name=name, reference=name, open_end=True)
