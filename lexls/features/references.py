"""References: every draft and authority that cites what the citation at the cursor cites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lexls.features.cited import authorities_in
from lexls.features.resolve import resolve
from lexls.features.snapshot import Draft, Snapshot
from lexls.index.library import Library
from lexls.index.records import OpenLocation
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_EVERY = 256
"""How many citations are looked at between two looks at the token."""


@dataclass(frozen=True, slots=True)
class DraftReference:
    """A citation in a draft; ``uri`` is that of the draft, ``span`` in its source."""

    uri: str
    span: Span


@dataclass(frozen=True, slots=True)
class AuthorityReference:
    """A citation in an authority of the library."""

    authority: int
    location: OpenLocation


@dataclass(frozen=True, slots=True)
class References:
    """Who cites an authority; ``declaration`` is itself, None if the library does not hold it."""

    drafts: tuple[DraftReference, ...]
    authorities: tuple[AuthorityReference, ...]
    declaration: OpenLocation | None


def references(
    snapshot: Snapshot, offset: int, others: Iterable[Draft], token: CancelToken, most: int = 1000
) -> References:
    """Who cites the authority named at ``offset``: this draft, ``others``, then up to ``most`` authorities.

    A citation that the library does not hold is still looked for in the drafts, by its own citation.
    Nothing is found where there is no citation.
    """
    citation = snapshot.draft.citation_at(offset)
    if citation is None:
        return References((), (), None)
    library = snapshot.library
    found = resolve(library, snapshot.draft, citation)
    wanted = frozenset(found.authorities)
    drafts: list[DraftReference] = []
    for draft in (snapshot.draft, *(each for each in others if each.uri != snapshot.draft.uri)):
        token.raise_if_cancelled()
        drafts.extend(_in_draft(library, draft, wanted, citation.key, token))
    authorities: list[AuthorityReference] = []
    for number in found.authorities:
        for citing in library.citing(number):
            if len(authorities) >= most:
                break
            token.raise_if_cancelled()
            location = library.locate(citing.citing, citing.start, citing.end)
            if location is not None:
                authorities.append(AuthorityReference(citing.citing, location))
    declaration = library.locate(found.authority, 0, 0) if found.authority is not None else None
    return References(tuple(drafts), tuple(authorities), declaration)


def _in_draft(
    library: Library, draft: Draft, wanted: frozenset[int], key: str, token: CancelToken
) -> list[DraftReference]:
    """Every citation of the draft, short forms too, that names one of ``wanted``; without these, ``key``."""
    found: list[DraftReference] = []
    seen: set[Span] = set()
    for place, each in enumerate(draft.citations):
        if place % _EVERY == 0:
            token.raise_if_cancelled()
        same = (
            not wanted.isdisjoint(authorities_in(library, draft, each))
            if wanted
            else bool(key) and each.key == key
        )
        if same and each.span not in seen:
            seen.add(each.span)
            found.append(DraftReference(draft.uri, each.span))
    return found
