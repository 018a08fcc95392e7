"""Selection ranges: from the word at the cursor out to the draft, by way of what citations are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.citations.model import Citation
from lexls.features.draft import Draft
from lexls.text.spans import Span

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_BETWEEN = re.compile(
    r"[\s;,.]{0,6}(?:(?:see|but|and|cf\.?|also|accord|contra|e\.g\.|eg|,)[\s,.]{0,4}){0,4}", re.I
)
"""What may stand between two citations that support one proposition together."""
_MOST_JOINED = 40


def selection_at(draft: Draft, offset: int) -> list[Span]:
    """What a cursor at ``offset`` stands in, each span inside the next: word, part of the citation (pinpoint,
    core, name), citation, its mention with parallel citations, the string of citations, sentence, paragraph,
    section, draft. What is not there, or no larger than the one before, is left out."""
    spans: list[Span] = []
    for each in _candidates(draft, min(max(offset, 0), len(draft.source))):
        if not each.touches(offset):
            continue
        if not spans or (each != spans[-1] and each.start <= spans[-1].start and spans[-1].end <= each.end):
            spans.append(each)
    return spans


def _candidates(draft: Draft, offset: int) -> Iterator[Span]:
    word = _word_at(draft.source, offset)
    if word is not None:
        yield word
    citation = draft.citation_at(offset)
    if citation is not None:
        yield from _parts(draft, citation)
        yield citation.span
        yield draft.mention_of(citation)
        yield _string_of(draft, citation)
    around = (draft.sentence_at(offset), draft.paragraph_at(offset))
    yield from (each for each in around if each is not None)
    heading = draft.heading_at(offset)
    if heading is not None:
        yield heading.words
        yield heading.line
    yield from _sections(draft, offset)
    yield Span(0, len(draft.source))


def _word_at(source: str, offset: int) -> Span | None:
    start = max(0, source.rfind("\n", 0, offset) + 1, offset - 200)
    end = source.find("\n", offset)
    limit = min(len(source) if end < 0 else end, offset + 200)
    found = (Span(*match.span()) for match in _WORD.finditer(source, start, limit))
    return next((word for word in found if word.touches(offset)), None)


def _parts(draft: Draft, citation: Citation) -> Iterator[Span]:
    if citation.pinpoint is not None:
        yield citation.pinpoint.span
    yield citation.core
    if citation.name:
        name = Span(citation.span.start, citation.core.start)
        words = name.of(draft.masked)
        yield Span(name.start, name.start + len(words.rstrip(" \t\r\n,(")))


def _string_of(draft: Draft, citation: Citation) -> Span:
    """The citations in a row that ``citation`` stands in, joined by semicolons, commas or signals."""
    own = draft.mention_of(citation)
    paragraph = draft.paragraph_at(citation.core.start)
    if paragraph is None:
        return own
    spans = [each.span for each in draft.citations_in(paragraph)]
    start, end = own.start, own.end
    before = [span for span in spans if span.end <= start][-_MOST_JOINED:]
    for span in reversed(before):
        if not _BETWEEN.fullmatch(draft.masked, span.end, start):
            break
        start = span.start
    for span in [span for span in spans if span.start >= end][:_MOST_JOINED]:
        if not _BETWEEN.fullmatch(draft.masked, end, span.start):
            break
        end = span.end
    return Span(start, end)


def _sections(draft: Draft, offset: int) -> Iterator[Span]:
    """The sections that ``offset`` stands in, the innermost first."""
    level = 100
    for place, heading in reversed(list(enumerate(draft.headings))):
        if heading.line.start <= offset and heading.level < level:
            level = heading.level
            after = (each.line.start for each in draft.headings[place + 1 :] if each.level <= level)
            yield Span(heading.line.start, next(after, len(draft.source)))
