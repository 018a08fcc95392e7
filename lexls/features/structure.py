"""Find the structure of a draft: symbols, folding ranges and selection ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.reading.draft import Draft
from lexls.reading.resolve import find_authority, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.format import Fold, Heading
from lexls.text.lexicon import split_words
from lexls.text.spans import Span
from lexls.wording.place_words import cite_authority

_WITH_SECTION = split_words("section sections s ss s. ss. § §§ reg regulation art article clause")
_MOST = 100
_WRITTEN_LAW = split_words("statute regulation constitution treaty rule")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A heading or a cited authority. ``span`` is everything that belongs to it, and ``words`` the part of
    ``span`` to highlight.
    """

    name: str
    detail: str
    kind: Literal["heading", "case", "statute", "other"]
    span: Span
    words: Span
    children: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class AuthoritySymbol:
    """An authority found by name, citation or section; ``container`` is its court or, for a section,
    its Act.
    """

    name: str
    container: str
    authority: Authority
    start: int = 0
    end: int = 0


def find_document_symbols(snapshot: Snapshot, token: CancelToken, *, headings: bool = True) -> list[Symbol]:
    """Return the draft's headings as a tree, each with the authorities first cited there in full.

    Without ``headings``, only the authorities are returned, for editors that outline the format themselves.
    """
    draft = snapshot.draft
    top: list[Symbol] = []
    open_: list[tuple[Heading, list[Symbol]]] = []

    def add(symbol: Symbol) -> None:
        (open_[-1][1] if open_ else top).append(symbol)

    def close(level: int, at: int) -> None:
        while open_ and open_[-1][0].level >= level:
            heading, below = open_.pop()
            span = Span(heading.line.start, max(at, heading.words.end))
            add(Symbol(heading.title, "", "heading", span, heading.words, tuple(below)))

    seen: set[str] = set()
    marks: list[tuple[int, Heading | Citation]] = [
        (each.line.start, each) for each in (draft.headings if headings else ())
    ]
    marks += [(each.span.start, each) for each in draft.citations]
    for start, each in sorted(marks, key=lambda mark: mark[0]):
        token.raise_if_cancelled()
        if isinstance(each, Heading):
            close(each.level, start)
            open_.append((each, []))
        elif (symbol := _cited(snapshot, each, seen)) is not None:
            add(symbol)
    close(0, len(draft.source))
    return top


def _cited(snapshot: Snapshot, citation: Citation, seen: set[str]) -> Symbol | None:
    """Return the symbol of a full citation of an authority not seen before, or None."""
    if citation.form != "full" or not citation.key:
        return None
    mates = snapshot.draft.group_of(citation)
    resolution = resolve(snapshot.library, snapshot.draft, citation)
    identity = f"#{resolution.authority}" if resolution.authority is not None else citation.key
    known = identity in seen
    seen.add(identity)
    if known or any(mate.key in seen for mate in mates if mate is not citation):
        return None
    seen.update(mate.key for mate in mates)
    authority = find_authority(snapshot.library, resolution)
    if authority is not None:
        name, detail = authority.title or citation.core.of(snapshot.draft.masked), authority.citation
    else:
        name = citation.name or " ".join(citation.core.of(snapshot.draft.masked).split())
        detail = citation.key if citation.name else ""
    return Symbol(
        " ".join(name.split()),
        "" if detail == name else detail,
        "case" if citation.kind == "case" else "statute" if citation.kind in _WRITTEN_LAW else "other",
        citation.span,
        citation.core,
    )


def find_workspace_symbols(snapshot: Snapshot, query: str, token: CancelToken) -> list[AuthoritySymbol]:
    """Return the authorities that ``query`` names: by title, citation, or Act and section ("Sea Carriage s
    12").

    For an empty query, return the first authorities by title.
    """
    library = snapshot.library
    names = snapshot.names.of(library)
    token.raise_if_cancelled()
    if not query.strip():
        everything = sorted(names.authorities.values(), key=lambda each: each.title.casefold())
        return [_symbol(each) for each in everything[:_MOST]]
    found = [_symbol(names.authorities[number]) for number in names.containing(query, _MOST)]
    return [*_find_sections_named(snapshot, query, token), *found][:_MOST]


def _symbol(authority: Authority) -> AuthoritySymbol:
    return AuthoritySymbol(cite_authority(authority), authority.court, authority)


def _find_sections_named(snapshot: Snapshot, query: str, token: CancelToken) -> list[AuthoritySymbol]:
    """Return sections of Acts for a query that ends in a number or in "s 12"."""
    words = query.split()
    if len(words) < 2 or not words[-1][0].isdigit():
        return []
    label = words[-1]
    rest = words[:-2] if len(words) > 2 and words[-2].casefold() in _WITH_SECTION else words[:-1]
    names = snapshot.names.of(snapshot.library)
    found = []
    for number in names.by_name(" ".join(rest), 20):
        token.raise_if_cancelled()
        authority = names.authorities[number]
        if authority.kind == "case":
            continue
        title = authority.name
        for block in snapshot.library.contents.outline(authority.id):
            if block.kind in ("section", "paragraph") and block.label == label:
                found.append(AuthoritySymbol(f"{title}, {label}", title, authority, block.start, block.end))
                break
    return found


# -- what can be folded: sections, parts that lexls writes, and what spans lines in the draft's format -------

_MARKER = re.compile(
    r"^[ \t]*(?:<!--|%|//)[ \t]*(?P<end>/|end[ \t]+)?(?P<name>lexls:[\w-]+)"
    r"(?:[ \t]+(?P<close>begin|end))?[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)


def find_folds(draft: Draft, token: CancelToken) -> list[Fold]:
    """Return the folding ranges of the draft by start, outer before inner; single lines are skipped."""
    found: list[Fold] = []
    source = draft.source
    for fold in chain(
        _fold_sections(draft), _marked(source), _comments(draft), draft.format.find_folds(source)
    ):
        token.raise_if_cancelled()
        text = fold.span.of(source).rstrip()
        if "\n" in text:
            found.append(Fold(Span(fold.span.start, fold.span.start + len(text)), fold.kind))
    found.sort(key=lambda each: (each.span.start, -each.span.end))
    return list(dict.fromkeys(found))


def _fold_sections(draft: Draft) -> Iterator[Fold]:
    """Yield each heading with everything below it, up to the next one of the same or a higher level."""
    limit = draft.format.find_body_end(draft.source)
    open_: list[tuple[int, int]] = []
    for heading in draft.headings:
        while open_ and open_[-1][0] >= heading.level:
            yield Fold(Span(open_.pop()[1], heading.line.start), "section")
        open_.append((heading.level, heading.line.start))
    for _, start in open_:
        yield Fold(Span(start, max(start, limit)), "section")


def _marked(source: str) -> Iterator[Fold]:
    """Yield the ranges between the two markers of a part that a command keeps up to date."""
    begun: dict[str, int] = {}
    for match in _MARKER.finditer(source):
        name = match["name"].casefold()
        ends = bool(match["end"]) or (match["close"] or "").casefold() == "end"
        if ends and name in begun:
            yield Fold(Span(begun.pop(name), match.end()), "block")
        elif not ends:
            begun[name] = match.start()


def _comments(draft: Draft) -> Iterator[Fold]:
    """Yield runs of consecutive one-line comments."""
    before, after = draft.format.comment or ("", "")
    if before and not after:
        row = rf"(?:^[ \t]*{re.escape(before.strip())}[^\n]*(?:\n|\Z)){{2,}}"
        for match in re.finditer(row, draft.source, re.MULTILINE):
            yield Fold(Span(*match.span()), "comment")


# -- from the word at the cursor out to the draft, by way of what citations are made of ----------------------

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_BETWEEN = re.compile(
    r"[\s;,.]{0,6}(?:(?:see|but|and|cf\.?|also|accord|contra|e\.g\.|eg|,)[\s,.]{0,4}){0,4}", re.I
)
"""Match the text between two citations that support one proposition together."""
_MOST_JOINED = 40


def find_selections(draft: Draft, offset: int) -> list[Span]:
    """Return the spans around ``offset``, each inside the next: word, part of the citation (pinpoint, core,
    name), citation, its mention with parallel citations, the string of citations, sentence, paragraph,
    section, draft.

    Absent spans, and those no larger than the one before, are skipped.
    """
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
    yield from _sections_around(draft, offset)
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
    """Return the span of the string of citations around ``citation``, joined by semicolons, commas or
    signals.
    """
    own = draft.mention_of(citation)
    paragraph = draft.paragraph_at(citation.core.start)
    if paragraph is None:
        return own
    spans = [each.span for each in draft.citations_in(paragraph)]
    start, end = own.start, own.end
    for span in [span for span in reversed(spans) if span.end <= start][:_MOST_JOINED]:
        if not _BETWEEN.fullmatch(draft.masked, span.end, start):
            break
        start = span.start
    for span in [span for span in spans if span.start >= end][:_MOST_JOINED]:
        if not _BETWEEN.fullmatch(draft.masked, end, span.start):
            break
        end = span.end
    return Span(start, end)


def _sections_around(draft: Draft, offset: int) -> Iterator[Span]:
    """Yield the sections that contain ``offset``, the innermost first."""
    level = 100
    for place, heading in reversed(list(enumerate(draft.headings))):
        if heading.line.start <= offset and heading.level < level:
            level = heading.level
            after = (each.line.start for each in draft.headings[place + 1 :] if each.level <= level)
            yield Span(heading.line.start, next(after, len(draft.source)))
