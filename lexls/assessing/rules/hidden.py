"""Report invisible and lookalike characters in citations, names and quotations."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

from lexls.assessing.check import LocalCheck, Problem
from lexls.assessing.excerpt import Excerpt
from lexls.reading.draft import Draft
from lexls.reading.edit import Edit, Fix
from lexls.reading.quotations import find_block_paragraphs, find_quotations
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.blanking import OVERRIDES, Disguise, find_disguises
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

HIDDEN_CHARACTER = DiagnosticRule(
    code="hidden-character",
    severity="information",
    filing="warning",
    order=26,
    help="An invisible or look-alike character in a citation, a name or a quotation.",
    documentation="""\
Examples are a zero-width space, a soft hyphen, a direction mark, a Cyrillic "С" instead of a "C", and a
letter written as an HTML entity. The draft looks right, but a search for "UKSC" does not find it, and a
reader who copies the citation finds nothing. Such characters come with text pasted from PDFs and web
pages. lexls ignores them, so the citation is still checked. The quick fix writes what the reader sees.

Nothing is reported if a script needs the character: joiners in Hindi and Persian, direction marks next to
Arabic and Hebrew, the parts of an emoji. Characters that reverse the direction of the text are always
reported.""",
)

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_MOST_NAMED = 3
"""Maximum number of characters named in a message."""


def check_hidden(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each citation and quotation of a paragraph that contains invisible or lookalike characters, and
    each character that reverses the text direction.
    """
    draft, paragraph = excerpt.snapshot.draft, excerpt.paragraph
    found = sorted(_find(draft, paragraph), key=lambda each: each.span)
    if not found:
        return
    spans = [draft.mention_of(each.citation) for each in excerpt.cited]
    spans += [each.outer for each in find_quotations(draft, paragraph)]
    if any(draft.paragraphs[place] == paragraph for place in find_block_paragraphs(draft)):
        spans.append(paragraph)
    starts = [each.span.start for each in found]
    for span in _list_apart(
        [*spans, *(each.span for each in found if each.span.of(draft.source) in OVERRIDES)]
    ):
        token.raise_if_cancelled()
        if inside := found[bisect_left(starts, span.start) : bisect_left(starts, span.end)]:
            yield _report(draft, span, inside)


def _find(draft: Draft, paragraph: Span) -> Iterator[Disguise]:
    """Yield the invisible and lookalike characters in a paragraph's source, including characters written as
    HTML entities.
    """
    source = paragraph.of(draft.source)
    for each in find_disguises(source):
        yield Disguise(each.span.shift(paragraph.start), each.plain)
    for match in _ENTITY.finditer(source) if "&" in source else ():
        span = Span(*match.span()).shift(paragraph.start)
        printed = html.unescape(match.group())
        # The entity is printed as a letter only if the format's mask replaces it.
        if span.of(draft.masked) != match.group() and len(printed) == 1:
            if printed.isascii() and printed.isalnum():
                yield Disguise(span, printed)
            elif inside := find_disguises(f"a{printed}a"):
                yield Disguise(span, inside[0].plain)


def _list_apart(spans: Sequence[Span]) -> list[Span]:
    """Return the spans, with overlapping ones merged."""
    apart: list[Span] = []
    for span in sorted(spans):
        if apart and span.start < apart[-1].end:
            apart[-1] = Span(apart[-1].start, max(span.end, apart[-1].end))
        else:
            apart.append(span)
    return apart


def _report(draft: Draft, span: Span, found: Sequence[Disguise]) -> Problem:
    named = dict.fromkeys(each.describe(draft.source) for each in found)
    more = ", …" if len(named) > _MOST_NAMED else ""
    kinds = {"Look-alike" if each.plain else "Invisible" for each in found}
    hidden, what = kinds == {"Invisible"}, " or ".join(sorted(kinds)).capitalize()
    fix = Fix(
        "Remove the hidden characters" if hidden else "Write the letters that are seen",
        tuple(Edit(each.span, each.plain) for each in found),
        preferred=True,
    )
    words = f"{what} characters here: {', '.join(islice(named, _MOST_NAMED))}{more}"
    where = Span(found[0].span.start, found[-1].span.end) if len(span) == 1 else span
    return Problem(where, HIDDEN_CHARACTER.code, words, fixes=(fix,))


CHECKS = (LocalCheck((HIDDEN_CHARACTER,), check_hidden, of="each"),)
