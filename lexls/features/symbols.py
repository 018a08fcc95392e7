"""Document symbols (headings with the authorities cited below) and workspace symbols (authorities)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.citations.model import Citation
from lexls.features.resolve import find_authority, resolve
from lexls.features.snapshot import Snapshot
from lexls.grounding.place_words import cite_authority
from lexls.index.records import Authority
from lexls.text.cancel import CancelToken
from lexls.text.format import Heading
from lexls.text.lexicon import words
from lexls.text.spans import Span

_WITH_SECTION = words("section sections s ss s. ss. § §§ reg regulation art article clause")
_MOST = 100
_WRITTEN_LAW = words("statute regulation constitution treaty rule")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A heading or an authority cited; ``span`` is all that belongs to it, ``words`` lies inside it."""

    name: str
    detail: str
    kind: Literal["heading", "case", "statute", "other"]
    span: Span
    words: Span
    children: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class AuthoritySymbol:
    """An authority found by name, citation or section; ``container`` is its court or the Act of a section."""

    name: str
    container: str
    authority: Authority
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class _Open:
    level: int
    name: str
    words: Span
    start: int
    children: list[Symbol]


def document_symbols(snapshot: Snapshot, token: CancelToken) -> list[Symbol]:
    """The draft's headings as a tree; below each the authorities first cited there in full."""
    draft = snapshot.draft
    root = _Open(0, "", Span(0, 0), 0, [])
    stack = [root]
    seen: set[str] = set()
    marks: list[tuple[int, Heading | Citation]] = [(each.line.start, each) for each in draft.headings]
    marks += [(each.span.start, each) for each in draft.citations]
    for start, each in sorted(marks, key=lambda mark: mark[0]):
        token.raise_if_cancelled()
        if isinstance(each, Heading):
            _close(stack, each.level, start)
            stack.append(_Open(each.level, each.title, each.words, start, []))
        elif (symbol := _cited(snapshot, each, seen)) is not None:
            stack[-1].children.append(symbol)
    _close(stack, 1, len(draft.source))
    return root.children


def _close(stack: list[_Open], level: int, at: int) -> None:
    while len(stack) > 1 and stack[-1].level >= level:
        done = stack.pop()
        span = Span(done.start, max(at, done.words.end))
        stack[-1].children.append(Symbol(done.name, "", "heading", span, done.words, tuple(done.children)))


def _cited(snapshot: Snapshot, citation: Citation, seen: set[str]) -> Symbol | None:
    """The symbol of a full citation of an authority not seen yet, None otherwise."""
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


def workspace_symbols(snapshot: Snapshot, query: str, token: CancelToken) -> list[AuthoritySymbol]:
    """The authorities that ``query`` names: by title, citation, or Act and section ("Sea Carriage s 12").

    An empty query gives the first authorities by title.
    """
    library = snapshot.library
    names = snapshot.names.of(library)
    token.raise_if_cancelled()
    if not query.strip():
        everything = sorted(names.authorities.values(), key=lambda each: each.title.casefold())
        return [_symbol(each) for each in everything[:_MOST]]
    found = [_symbol(names.authorities[number]) for number in names.containing(query, _MOST)]
    return [*_sections(snapshot, query, token), *found][:_MOST]


def _symbol(authority: Authority) -> AuthoritySymbol:
    return AuthoritySymbol(cite_authority(authority), authority.court, authority)


def _sections(snapshot: Snapshot, query: str, token: CancelToken) -> list[AuthoritySymbol]:
    """Sections of Acts for a query that ends in a number, or in "s 12"."""
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
        title = authority.title
        for block in snapshot.library.contents.outline(authority.id):
            if block.kind in ("section", "paragraph") and block.label == label:
                found.append(AuthoritySymbol(f"{title}, {label}", title, authority, block.start, block.end))
                break
    return found
