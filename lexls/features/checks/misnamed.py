"""Case names that are not that of the case with the citation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.citations.comparing_names import other_name
from lexls.citations.escaping import escape
from lexls.citations.model import Citation
from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.problem import Edit, Fix, Problem
from lexls.features.checks.wording import as_cited, its_beginning, title_of
from lexls.index.records import Authority
from lexls.settings.diagnostics import NAME_MISMATCH
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_NAME_REACH = 160
"""Code points before a citation in which its name stands."""
_WORD = re.compile(r"[A-Z][\w’'-]{3,}")
_VERSUS = re.compile(r"\s(v\.?|vs\.?|V\.?|VS\.?|[Vv]ersus)\s")


def check(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each full citation of a case under a name that its authority does not have.

    Where one of the parallel citations belongs to a case of that name, the name is right.
    """
    seen: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if citation.form != "full" or citation.kind != "case" or not citation.name:
            continue
        if citation.group:
            if citation.group in seen:
                continue
            seen.add(citation.group)
        token.raise_if_cancelled()
        held = [(each, authority) for each, authority in _held(excerpt, citation)]
        if (
            held
            and all(_differs(citation.name, authority) for _, authority in held)
            and not any(_stands_before(excerpt, citation, authority) for _, authority in held)
        ):
            yield _problem(excerpt, citation, *held[0])


def _held(excerpt: Excerpt, citation: Citation) -> Iterator[tuple[Citation, Authority]]:
    """The cases that the library holds under one of the mention's citations."""
    for each in excerpt.group(citation):
        for document in excerpt.library.find_key(each.citation.key) if each.citation.key else ():
            authority = excerpt.library.authority(document)
            if authority is not None and authority.kind == "case" and authority.title:
                yield each.citation, authority


def _differs(name: str, authority: Authority) -> bool:
    return all(other_name(name, title) for title in (authority.title, authority.short_title) if title)


def _stands_before(excerpt: Excerpt, citation: Citation, authority: Authority) -> bool:
    """Whether the authority's name stands before a citation of whose name only an end was read.

    "*Carrow v Luff and Pell v Stark*", "*Carrow v. Luff, 1975 Retirement Plan*".
    """
    before = excerpt.snapshot.draft.masked[
        max(excerpt.paragraph.start, citation.core.start - _NAME_REACH) : citation.core.start
    ]
    before = before[before.rfind(";") + 1 :]
    return (
        all(
            any(word.casefold() in before.casefold() for word in _WORD.findall(party))
            for party in _VERSUS.split(authority.title, maxsplit=1)[::2]
        )
        and _VERSUS.search(authority.title) is not None
    )


def _problem(excerpt: Excerpt, citation: Citation, found: Citation, authority: Authority) -> Problem:
    snapshot = excerpt.snapshot
    span = _name_span(snapshot.draft.masked, citation)
    name = " ".join(citation.name.split())
    message = f"{as_cited(snapshot, found)} is {title_of(authority)}, not {name}"
    fixes: tuple[Fix, ...] = ()
    if span is not None:
        written = in_manner_of(authority.title, name)
        edit = Edit(span, escape(written, snapshot.draft.markup))
        fixes = (Fix(f"Change the name to {written}", (edit,)),)
    related = its_beginning(snapshot, authority)
    return Problem(span or citation.core, NAME_MISMATCH.code, message, authority.id, related, fixes)


def _name_span(masked: str, citation: Citation) -> Span | None:
    """Where the name stands in the draft; None if it is broken up there."""
    pattern = r"\s+".join(re.escape(word) for word in citation.name.split())
    match = re.compile(pattern).search(masked, citation.span.start, citation.span.end)
    return Span(*match.span()) if match is not None else None


def in_manner_of(title: str, name: str) -> str:
    """An authority's title with the "v" that a draft's name has."""
    versus = _VERSUS.search(name)
    return _VERSUS.sub(f" {versus[1]} ", title, count=1) if versus is not None else title
