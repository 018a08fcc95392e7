"""Saying how a quotation differs from its authority, and restoring the authority's words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.citations.escaping import escape
from lexls.citations.model import Pinpoint, PinpointKind
from lexls.features.checks.problem import Edit, Fix, Problem, Related
from lexls.features.draft import Draft
from lexls.features.quotations import Quotation
from lexls.features.snapshot import Snapshot
from lexls.features.wording import usual_pinpoint
from lexls.grounding.place_words import named, pinpoint_words
from lexls.grounding.quotations.comparison import Comparison, Difference, Verdict
from lexls.index.records import Authority
from lexls.library.places import enclosing
from lexls.settings.diagnostics import (
    MISQUOTATION,
    QUOTATION_ALTERED,
    QUOTATION_SPELLING,
    QUOTATION_WORDING,
    DiagnosticRule,
)
from lexls.text.spans import Span

_CODES: dict[Verdict, DiagnosticRule] = {
    "harmful": MISQUOTATION,
    "wording": QUOTATION_WORDING,
    "altered": QUOTATION_ALTERED,
    "spelling": QUOTATION_SPELLING,
}
_MANY = 5
"""Differences from which on the quotation is reported as a whole."""
_SHOWN = 160
"""Code points of an authority that a message repeats."""
_NOUNS = {
    "case": "the judgment",
    "statute": "the Act",
    "regulation": "the regulation",
    "contract": "the contract",
    "treaty": "the treaty",
}
_SPACE = re.compile(r"\s+")


def cited_as(authority: Authority) -> str:
    """How messages name an authority."""
    return authority.citation or named(authority)


def absent(quotation: Quotation, authority: Authority) -> Problem:
    """The passage is not in the authority at all."""
    message = f"this passage is not in your library’s copy of {cited_as(authority)}"
    return Problem(quotation.inner, MISQUOTATION.code, message, authority.id)


def differing(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, comparison: Comparison
) -> Iterator[Problem]:
    """A problem for each difference that matters; one for all where they are many."""
    weighing = comparison.of_grade("harmful", "wording", "altered", "spelling")
    harmful = comparison.of_grade("harmful", "wording")
    if len(harmful) >= _MANY and comparison.place is not None:
        said = f"these words differ in {len(harmful)} places from {cited_as(authority)}"
        place = _where(snapshot, authority, comparison.place)
        worst = MISQUOTATION if comparison.of_grade("harmful") else QUOTATION_WORDING
        related = (Related("What it says", comparison.place, authority.id),)
        yield Problem(quotation.inner, worst.code, said + place, authority.id, related)
        return
    for difference in weighing:
        yield _problem(snapshot, quotation, authority, difference)


def _problem(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, difference: Difference
) -> Problem:
    span = quotation.in_source(difference.quoted)
    written = _line(difference.quoted.of(quotation.text))
    text = snapshot.library.text(authority.id)
    original = _line(difference.original.of(text))
    noun = _NOUNS.get(authority.kind, "the authority")
    source = f"({cited_as(authority)}{_where(snapshot, authority, difference.original)})"
    marked = span
    if difference.kind == "ellipsis-sense":
        left = ", ".join(f"“{word}”" for word in difference.words)
        message = f"the ellipsis leaves out {left}: {noun} has “{_cut(original)}” {source}"
    elif difference.kind == "bracket-sense" and not original:
        message = f"“{written}” changes the sense: {noun} has no such word here {source}"
    elif not written:
        marked = _around(quotation, difference.quoted)
        message = f"{noun} has “{_cut(original)}” here {source}"
    elif not original:
        message = f"“{_cut(written)}” is not in {noun} here {source}"
    else:
        verb = "has" if difference.grade == "spelling" else "says"
        message = f"“{_cut(written)}” — {noun} {verb} “{_cut(original)}” {source}"
    around = _widened(text, difference.original)
    related = (Related(f"“{_cut(_line(around.of(text)), 200)}”", around, authority.id),)
    fix = _fix(snapshot, quotation, difference, original)
    code = _CODES[difference.grade].code
    return Problem(marked, code, message, authority.id, related, (fix,) if fix is not None else ())


def _fix(snapshot: Snapshot, quotation: Quotation, difference: Difference, original: str) -> Fix | None:
    """Restoring the authority's words; None where the draft's markup or brackets would suffer."""
    if difference.kind == "ellipsis-sense":
        return None
    draft = snapshot.draft
    span = quotation.in_source(difference.quoted)
    if span.of(draft.source) != span.of(draft.masked):
        return None
    words = escape(original, draft.markup)
    if not len(span):
        if not words:
            return None
        before = draft.source[span.start - 1 : span.start]
        after = draft.source[span.start : span.start + 1]
        left = "" if span.start == quotation.inner.start or before.isspace() else " "
        right = " " if not left and after and not after.isspace() else ""
        return Fix(f"Put in “{_cut(original)}”", (Edit(span, left + words + right),))
    if not words:
        if _in_markup(draft, span):
            return None
        end = span.end
        if draft.source[end : end + 1] == " " and end < quotation.inner.end:
            span = Span(span.start, end + 1)
        elif draft.source[span.start - 1 : span.start] == " " and span.start > quotation.inner.start:
            span = Span(span.start - 1, end)
        return Fix(f"Take out “{_cut(_line(difference.quoted.of(quotation.text)))}”", (Edit(span, ""),))
    return Fix(f"Restore “{_cut(original)}”", (Edit(span, words),))


def _in_markup(draft: Draft, span: Span) -> bool:
    """Whether markup touches a stretch of the source: without its words the marks would stand alone."""
    return any(
        draft.masked[at : at + 1].isspace() and not draft.source[at : at + 1].isspace()
        for at in (span.start - 1, span.end)
    )


def _around(quotation: Quotation, gap: Span) -> Span:
    """The word before a place in the quotation and the one behind it."""
    text = quotation.text
    start = gap.start
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    end = gap.end
    while end < len(text) and text[end].isspace():
        end += 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return quotation.in_source(Span(start, end)) if end > start else quotation.inner


def _widened(text: str, span: Span) -> Span:
    """The span with some words of its paragraph on either side, for showing."""
    before = text.rfind("\n\n", 0, span.start)
    behind = text.find("\n\n", span.end)
    start = max(before + 2 if before >= 0 else 0, span.start - 60)
    end = min(behind if behind >= 0 else len(text), span.end + 60)
    while 0 < start < span.start and not text[start - 1].isspace():
        start += 1
    while end < len(text) and end > span.end and not text[end].isspace():
        end -= 1
    return Span(start, max(end, start))


def _line(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _cut(text: str, limit: int = _SHOWN) -> str:
    if len(text) <= limit:
        return text
    space = text.rfind(" ", 0, limit)
    return text[: space if space > 0 else limit] + " …"


# -- places --------------------------------------------------------------------------------------------------


def _where(snapshot: Snapshot, authority: Authority, span: Span) -> str:
    """Where a stretch of an authority is, as it is cited behind the authority; "" if nobody numbered it."""
    kind = usual_pinpoint(authority)
    label = label_at(snapshot, authority, kind, span.start)
    if not label:
        return ""
    if kind == "page":
        return f", {label}"
    if kind == "paragraph":
        return f" at [{label}]"
    return f", {pinpoint_words(kind, label)}"


def label_at(snapshot: Snapshot, authority: Authority, kind: PinpointKind, offset: int) -> str:
    """The label of the smallest place of this kind that holds ``offset`` of the text, "" if none."""
    library = snapshot.library
    if kind == "page":
        labels = library.labels(authority.id, "page")
        low, high = 0, len(labels)
        while low < high:
            middle = (low + high) // 2
            found = library.places(authority.id, Pinpoint("page", (labels[middle],), Span(0, 0)))
            if not found:
                return ""
            if found[0].start <= offset:
                low = middle + 1
            else:
                high = middle
        return labels[low - 1] if low else ""
    wanted = "paragraph" if kind == "paragraph" else "section"
    for block in library.outline(authority.id):
        if block.start > offset:
            break
        if block.end > offset and block.kind == wanted and block.label:
            return block.label
    return ""


def holds(outer: str, label: str) -> bool:
    """Whether a place with one label is, or holds, that with the other: "5" holds "5(1)"."""
    return outer == label or outer in enclosing(label)
