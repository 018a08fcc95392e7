"""Find what a draft cites: the authority behind each citation, and every mention of one authority."""

from __future__ import annotations

from collections.abc import Callable

from lexls.citations.model import Citation
from lexls.features.resolve import resolve
from lexls.features.snapshot import Draft, Snapshot
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_EVERY = 256
"""How many citations are looked at between two looks at the token."""


def find_authorities(snapshot: Snapshot, citation: Citation) -> tuple[int, ...]:
    """The authorities of the library that ``citation`` names, as `resolve` finds them; often remembered."""
    return find_authorities_in(snapshot.library, snapshot.draft, citation)


def find_authorities_in(library: Library, draft: Draft, citation: Citation) -> tuple[int, ...]:
    """As `find_authorities`, for a citation of any draft.

    A citation that the library has by its own key is found by that key alone.
    """
    found = library.catalogue.find_key(citation.key) if citation.key else ()
    if found or not citation.key:
        return found
    full = draft.antecedent_of(citation)
    return _by_group(library, draft, full if full is not None and full.key == citation.key else citation)


def _by_group(library: Library, draft: Draft, citation: Citation) -> tuple[int, ...]:
    """What a citation without a key of the library's names: by its parallel citations, or by its name."""
    mates = tuple(each.key for each in draft.group_of(citation))
    return draft.once(
        ("authorities", library.generation, mates, citation.name, citation.year, citation.kind),
        lambda: resolve(library, draft, citation).authorities,
    )


def find_authority_cited(snapshot: Snapshot, citation: Citation) -> Authority | None:
    """The first authority of the library that ``citation`` names, None if it holds none."""
    found = find_authorities(snapshot, citation)
    return snapshot.library.catalogue.get(found[0]) if found else None


def same_authority(snapshot: Snapshot, citation: Citation) -> Callable[[Citation], bool]:
    """A test for citations of this draft: whether one names the authority that ``citation`` does.

    Where the library does not hold the authority, its own citations in the draft tell.
    """
    wanted = frozenset(find_authorities(snapshot, citation))
    if wanted:
        return lambda other: bool(wanted.intersection(find_authorities(snapshot, other)))
    full = snapshot.draft.antecedent_of(citation) or citation
    keys = frozenset(each.key for each in snapshot.draft.group_of(full) if each.key)
    return lambda other: other.key in keys


def find_mentions(snapshot: Snapshot, citation: Citation, token: CancelToken) -> list[Span]:
    """Every mention in the draft of the authority that ``citation`` names, in order, its own included.

    A mention is a name with its citation and pinpoint, parallel citations as one. Only the citation's own
    mention where it is not known what it names.
    """
    if not citation.key:
        return [snapshot.draft.mention_of(citation)]
    same = same_authority(snapshot, citation)
    found: list[Span] = []
    group = 0
    for place, each in enumerate(snapshot.draft.citations):
        if place % _EVERY == 0:
            token.raise_if_cancelled()
        if not (group and each.group == group) and same(each):
            group = each.group
            found.append(snapshot.draft.mention_of(each))
    return found
