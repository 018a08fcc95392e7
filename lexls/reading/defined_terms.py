"""Find the terms that a draft defines for its authorities, and where they are defined and used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.citations.definitions import find_definitions
from lexls.citations.model import Citation, Mention, fold
from lexls.reading.draft import Draft
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_ARTICLE = re.compile(r"[Tt]he\s{1,9}")
# "An Act of mercy" and "any Act" are not the defined Act.
_INDEFINITE = re.compile(r"\b(?:an?|any|another|each|every|no|some|other)\s{1,9}\Z", re.IGNORECASE)
_FORMS = frozenset({"short", "supra", "section", "defined"})
_MAY_BEGIN = re.compile(r"[\s,.)]{0,9}(?:[(\[]|here|hence)", re.IGNORECASE)
_PARALLEL = 5
"""Maximum number of parallel citations before a definition that are considered."""
_LONGEST_DEFINITION = 240
"""Maximum distance from the end of a citation to the end of its definition, in code points."""


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    """A term defined after a full citation. Spans are in the draft's source. ``term`` is the term as defined,
    and ``words`` its span, without article and quotation marks. ``span`` is the whole definition with its
    brackets. ``citation`` is the authority's citation, the first one if there are parallel citations.
    """

    term: str
    words: Span
    span: Span
    citation: Citation


def find_defined_terms(draft: Draft) -> tuple[DefinedTerm, ...]:
    """Return every definition of the draft, in order."""
    return draft.once("defined terms", lambda: tuple(_defined(draft, draft.citations)))


def find_terms_in(draft: Draft, span: Span) -> list[DefinedTerm]:
    """Return the definitions that overlap ``span``, in order. Only this part of the draft is read."""
    around = Span(max(0, span.start - _LONGEST_DEFINITION), span.end + _LONGEST_DEFINITION)
    return [each for each in _defined(draft, draft.citations_in(around)) if each.span.overlaps(span)]


def find_term_at(draft: Draft, offset: int) -> DefinedTerm | None:
    """Return the definition whose term contains the cursor at ``offset`` or touches it; else None."""
    near = find_terms_in(draft, Span(max(0, offset - 1), offset + 1))
    return next((each for each in near if each.words.touches(offset)), None)


def find_uses(draft: Draft, defined: DefinedTerm, token: CancelToken) -> list[Span]:
    """Return the uses of a defined term for its authority, in order. Definitions are not included."""
    wanted, length = fold(defined.term), len(defined.term)
    found: list[Span] = []
    for citation in draft.citations:
        if citation.key != defined.citation.key or citation.form not in _FORMS:
            continue
        token.raise_if_cancelled()
        article = _ARTICLE.match(draft.masked, citation.core.start, citation.core.end)
        start = article.end() if article is not None else citation.core.start
        if _INDEFINITE.search(draft.masked, max(0, start - 12), start):
            continue
        # A short form of a case may be shorter than the term: "Carrow" of "the Carrow case".
        for end in (citation.core.end, *_word_ends(draft.masked, start, length, citation.span.end)):
            if fold(draft.masked[start:end]) == wanted:
                found.append(Span(start, end))
                break
    return found


def _word_ends(text: str, start: int, length: int, most: int) -> list[int]:
    """Return the offsets where words end in the text, at least ``length`` code points after ``start`` and not
    after ``most``.
    """
    return [
        start + match.end()
        for match in re.finditer(r"\S+", text[start : min(most, start + 2 * length + 8)])
        if match.end() >= length
    ]


def _defined(draft: Draft, citations: Sequence[Citation]) -> list[DefinedTerm]:
    text = draft.masked
    full = [each for each in citations if each.form == "full"]
    found: dict[Span, DefinedTerm] = {}
    for place, each in enumerate(full):
        # A definition follows the pinpoint of a case, and is between an Act and its sections.
        for end in dict.fromkeys((each.core.end, each.span.end)):
            if _MAY_BEGIN.match(text, end) is None:
                continue
            first = max(0, place - _PARALLEL)
            near = [*full[first:place], each, *full[place + 1 : place + 3]]
            mentions = [_mention(other, end if other is each else other.span.end) for other in near]
            for entry in find_definitions(text, mentions):
                words = _words_of(text, entry.term, entry.span) if entry.span.start == end else None
                if words is not None:
                    named = next(n for n, mention in enumerate(mentions) if mention is entry.mention)
                    found.setdefault(words, DefinedTerm(entry.term, words, entry.span, near[named]))
    return sorted(found.values(), key=lambda each: each.span)


def _mention(citation: Citation, end: int) -> Mention:
    return Mention(
        citation.span.start,
        end,
        citation.core,
        citation.kind,
        citation.form,
        key=citation.key,
        name=citation.name,
        year=citation.year,
        group=citation.group,
    )


def _words_of(text: str, term: str, definition: Span) -> Span | None:
    """Return the span of a term in its definition, or None. If it occurs more than once, return the last
    occurrence, since the definition may begin with "hereinafter".
    """
    pattern = re.compile(r"\s{1,9}".join(re.escape(word) for word in term.split()))
    places = [Span(*match.span()) for match in pattern.finditer(text, definition.start, definition.end)]
    return places[-1] if places else None
