"""Terms that a draft defines for its authorities and never uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lexls.features.checks.problem import Edit, Fix, Problem
from lexls.features.checks.wording import quoted_there
from lexls.features.defined_terms import DefinedTerm, defined_in
from lexls.features.draft import Draft
from lexls.features.snapshot import Snapshot
from lexls.settings.diagnostics import UNUSED_DEFINITION
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

# Where a definition may begin: a bracket with a quoted term, "hereinafter", "(the Act)".
_OPENINGS = re.compile(
    r"[(\[]\s{0,3}(?:the\s)?[\"“”‘'’][A-Za-z]|\b[Hh]ere(?:in)?after\b|\b[Hh]enceforth\b|[(\[]the\s[A-Z]"
)
_MOST_WORDS = 4
# "(“Clorox” bleach)": what the bracket says of the case, no term for it.
_GOES_ON = re.compile(r"[”’\"']{1,2},? (?!(?:or|and|collectively|hereinafter|for short|in short)\b)[a-z]")
_NO_TERM = re.compile(r"—|\bNo\.|\d-\d")
_SMALL = frozenset(("of", "the", "and", "for", "on", "in", "to", "case", "rule", "decision", "judgment"))


def check(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """A problem for each term that the draft defines and whose words it has nowhere else, however written.

    Only terms in quotation marks, behind "hereinafter" or with an article: a word alone in brackets may be
    something else. Nor is a case's own name a term, which nobody misses.
    """
    draft = snapshot.draft
    told: set[Span] = set()
    for piece, start in zip(draft.citations.pieces, draft.citations.starts, strict=True):
        if not piece.citations:
            continue
        for opening in _openings(piece.text):
            token.raise_if_cancelled()
            for term in defined_in(draft, Span(start + opening, start + opening + 2)):
                if term.span not in told and _is_term(draft, term) and not _used(draft, term):
                    told.add(term.span)
                    yield _problem(draft, term)


@lru_cache(maxsize=20_000)
def _openings(paragraph: str) -> tuple[int, ...]:
    """Where definitions may begin in a paragraph. Remembered, since most paragraphs stay as they are."""
    return tuple(match.start() for match in _OPENINGS.finditer(paragraph))


def _is_term(draft: Draft, term: DefinedTerm) -> bool:
    """Whether the words can be a term: neither a sentence in quotation marks nor a heading of the authority,
    and not defined by somebody whom the draft quotes.
    """
    found = term.term.split()
    if _GOES_ON.match(draft.masked, term.words.end):
        return False
    telling = [word for word in found if word not in _SMALL]
    if _NO_TERM.search(term.term):
        return False
    if len(telling) > _MOST_WORDS or not all(word[:1].isupper() or word[:1].isdigit() for word in telling):
        return False
    if len(telling) > 2 and term.citation.pinpoint is not None:
        return False
    return not quoted_there(draft, term.span.start)


def _used(draft: Draft, term: DefinedTerm) -> bool:
    """Whether the words stand anywhere outside of definitions; as a part of longer words too."""
    # "Cr.P.C." is used where "CrPC" is.
    spelled = (r"\.?\s?".join(map(re.escape, word.replace(".", ""))) for word in term.term.split())
    pattern = re.compile(r"[\s~.]+".join(spelled), re.IGNORECASE)
    for match in pattern.finditer(draft.masked, term.span.end):
        if not _cited_in_full(draft, match.start()):
            return True
    return any(
        not _cited_in_full(draft, match.start())
        for match in pattern.finditer(draft.masked, 0, term.citation.span.start)
    )


def _cited_in_full(draft: Draft, offset: int) -> bool:
    """Whether the words are but a part of the authority's full title ("… Act 1994")."""
    return any(
        each.form == "full" and each.kind != "case" and each.core.start <= offset < each.core.end
        for each in draft.citations_in(Span(offset, offset + 1))
    )


def _problem(draft: Draft, term: DefinedTerm) -> Problem:
    message = f"the term “{term.term}” is defined here and not used"
    start = term.span.start
    while start > 0 and draft.source[start - 1] in " \t":
        start -= 1
    edit = Edit(Span(start, term.span.end), "")
    fix = Fix(f"Remove the definition of “{term.term}”", (edit,))
    return Problem(term.words, UNUSED_DEFINITION.code, message, fixes=(fix,))
