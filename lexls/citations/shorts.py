"""Short forms as they stand in a text: id., ibid., supra, "Carrow at [14]", "531 U.S., at 104"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.citations import case_names, pinpoints
from lexls.citations.keys import spaced
from lexls.citations.mention import Mention
from lexls.text.spans import Span

_ID = re.compile(r"(?<![\w.-])(?:[Ii]d\.|[Ii]bid\b\.?|IBID\b\.?|ID\.)(?!\w)")
_SUPRA = re.compile(r"\(?\s{0,3}\b(?:[Ss]upra|SUPRA)\b\s{0,3}\)?|(?<=[\s(])above\s{1,3}(?=nn?\s?\d)")
_NOTE = re.compile(r",?\s{0,9}(?:at\s{1,9})?(?:nn?\.?|notes?|fn\.?)\s{0,9}\d{1,4}")
# A place that can only be a pinpoint, after a word that may be a short name.
_PLACED = re.compile(
    r"(?<=[A-Za-z.’')”\"\]])[\s,]{1,20}\(?(?=(?:at\s{1,9})(?:\[\s?\d|paras?\b|paragraphs?\b|¶|pp?\.?\s?\d|\*?\d)"
    r"|\[\s?\d{1,4}\s?[\]–-]|(?:paras?\b|¶)\s?\.?\s?\[?\d)"
)
_CASE_WORD = re.compile(
    r"(?<=[A-Za-z.’')”\"])(?:[’']s)?\s{1,9}(?:[Cc]ase|decision|ruling|principle|rule|test)\b(?!\s+(?:law|no\b))"
)
_REPORT = re.compile(
    r"(?<![\w*.,/§-])(?:[(\[](?P<year>\d{4})[)\]]\s{1,9})?(?P<volume>\d{1,4})\s{1,9}(?P<report>[A-Z][A-Za-z0-9.'’& ]{0,24}?),?\s{1,9}"
    r"at\s{1,9}(?=\*?\d|\[|p)"
)
_PARTY = re.compile(
    r"\s{1,9}(?:the\s)?[A-Z][\w.'’&-]{0,40}(?:[ \t\n,]{1,9}(?:of|and|the|for|&|in|re|[A-Z(][\w.'’&)-]{0,40})){0,10}"
)
_TRAILING = " \t\r\n,.\"'”’“‘("


def find_ids(text: str) -> Iterator[Mention]:
    """*Id.*, *ibid.* with their pinpoints; "83 id. 154" is another page of the reporter before, not these."""
    for match in _ID.finditer(text):
        start, end = match.span()
        if re.compile(r"\d\s{0,3}\Z").search(text, max(0, start - 6), start):
            continue
        core = Span(start, end)
        after = pinpoints.after_case(text, end, "page")
        pinpoint, stop = after if after is not None else (None, end)
        yield Mention(start, stop, core, "other", "id", pinpoint=pinpoint)


def find_supras(text: str) -> Iterator[Mention]:
    """*Supra* (and "above n 12") with the name before it; without a name and note it refers to the text itself."""
    for match in _SUPRA.finditer(text):
        end = match.end()
        if "(" in match.group() and ")" not in match.group():
            closing = re.compile(r"[^()]{0,40}\)").match(text, end)
        else:
            closing = None
        note = _NOTE.match(text, end)
        stop = note.end() if note else end
        name = _name_ending(text, match.start())
        if name is None:
            continue
        after = pinpoints.after_case(text, stop, "page")
        pinpoint, stop = after if after is not None else (None, stop)
        if closing is not None and closing.end() > stop:
            stop = closing.end()
        reference = spaced(name.of(text))
        yield Mention(
            name.start, stop, name, "other", "supra", name=reference, pinpoint=pinpoint, reference=reference
        )


def find_named(text: str) -> Iterator[Mention]:
    """Words with a pinpoint or "case" behind them that may be an authority's short name."""
    for pattern in (_PLACED, _CASE_WORD):
        for match in pattern.finditer(text):
            name = _name_ending(text, match.start())
            if name is None:
                continue
            end = name.end
            pinpoint = None
            if pattern is _PLACED:
                after = pinpoints.after_case(text, end, "page") or pinpoints.after_case(
                    text, match.end(), "page"
                )
                if after is None:
                    continue
                pinpoint, end = after
            else:
                end = match.end()
            reference = spaced(name.of(text))
            yield Mention(
                name.start, end, name, "case", "short", name=reference, pinpoint=pinpoint, reference=reference
            )


def find_by_report(text: str) -> Iterator[Mention]:
    """A volume and reporter with a page only as pinpoint: "531 U.S., at 104"."""
    for match in _REPORT.finditer(text):
        after = pinpoints.after_case(text, match.end("report"), "page")
        if after is None:
            continue
        pinpoint, end = after
        core = Span(match.start(), match.end("report"))
        name = _name_ending(text, core.start)
        start = name.start if name is not None and "v" not in name.of(text).split() else core.start
        yield Mention(
            start,
            end,
            core,
            "case",
            "short",
            pinpoint=pinpoint,
            volume=match["volume"],
            report=spaced(match["report"]),
            name=spaced(name.of(text)) if name is not None and start < core.start else "",
        )


def find_versus(text: str) -> Iterator[Mention]:
    """Every "X v Y" without a citation of its own; the second party may end before the mention does."""
    for match in case_names.VERSUS.finditer(text):
        start = case_names.first_party(text, match.start())
        behind = _PARTY.match(text, match.end())
        if start is None or behind is None:
            continue
        core = Span(start, behind.end())
        name = spaced(core.of(text))
        yield Mention(start, core.end, core, "case", "short", name=name, reference=name, open_end=True)


def _name_ending(text: str, end: int) -> Span | None:
    """The capitalised words that end right before ``end``, signals and sentence starts left out."""
    low = max(0, end - 120)
    window = text[low:end].rstrip(_TRAILING)
    cut = max(window.rfind("\n\n"), window.rfind("; "), window.rfind(": "))
    base = low + cut + 1
    window = window[cut + 1 :]
    # A company's commas and points belong to its name, so words are walked back one by one.
    begin = len(window)
    for match in reversed(list(re.finditer(r"\S+", window))):
        token = match.group()
        bare = token.strip("()[],.;:\"'“”‘’").casefold()
        upper = token.lstrip("\"'“‘([")[:1].isupper()
        if begin < len(window) and token.endswith((".", "?", "!", ",")) and not case_names.abbreviated(token):
            break
        if bare in case_names.SIGNALS and not (bare in ("of", "for") and begin < len(window)):
            break
        if not upper and bare not in ("of", "and", "the", "for", "v", "vs", "&", "re", "parte", "de", "la"):
            break
        if upper:
            begin = match.start() + len(token) - len(token.lstrip("\"'“‘(["))
    if begin >= len(window):
        return None
    return Span(base + begin, base + len(window))
