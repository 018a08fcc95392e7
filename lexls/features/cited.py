"""What a draft cites: the authority behind each citation, and every mention of one authority."""

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


def authorities_cited(snapshot: Snapshot, citation: Citation) -> tuple[int, ...]:
    """The authorities of the library that ``citation`` names, as `resolve` finds them; often remembered."""
    return authorities_in(snapshot.library, snapshot.draft, citation)


def authorities_in(library: Library, draft: Draft, citation: Citation) -> tuple[int, ...]:
    """As `authorities_cited`, for a citation of any draft.

    A citation that the library has by its own key is found by that key alone, so that a draft asks once for
    each key, and not for each citation.
    """
    known: dict[tuple[int, str], tuple[int, ...]] = draft.once("authorities by key", dict)
    key = (library.generation, citation.key)
    if key not in known:
        known[key] = tuple(library.find_key(citation.key)) if citation.key else ()
    if known[key] or not citation.key:
        return known[key]
    full = _antecedent(draft, citation)
    return _by_group(library, draft, full if full is not None and full.key == citation.key else citation)


def _by_group(library: Library, draft: Draft, citation: Citation) -> tuple[int, ...]:
    """What a citation without a key of the library's names: by its parallel citations, or by its name."""
    mates = tuple(each.key for each in draft.group_of(citation))
    return draft.once(
        ("authorities", library.generation, mates, citation.name, citation.year, citation.kind),
        lambda: resolve(library, draft, citation).authorities,
    )


def authority_cited(snapshot: Snapshot, citation: Citation) -> Authority | None:
    """The first authority of the library that ``citation`` names, None if it holds none."""
    found = authorities_cited(snapshot, citation)
    return snapshot.library.authority(found[0]) if found else None


def antecedent_of(snapshot: Snapshot, citation: Citation) -> Citation | None:
    """The full citation that a short form stands for; None for a full one, or without an antecedent."""
    return _antecedent(snapshot.draft, citation)


def _antecedent(draft: Draft, citation: Citation) -> Citation | None:
    place = citation.antecedent
    if place is None or not 0 <= place < len(draft.citations):
        return None
    return draft.citations[place]


def same_authority(snapshot: Snapshot, citation: Citation) -> Callable[[Citation], bool]:
    """A test for citations of this draft: whether one names the authority that ``citation`` does.

    Where the library does not hold the authority, its own citations in the draft tell.
    """
    wanted = frozenset(authorities_cited(snapshot, citation))
    if wanted:
        return lambda other: bool(wanted.intersection(authorities_cited(snapshot, other)))
    full = antecedent_of(snapshot, citation) or citation
    keys = frozenset(each.key for each in snapshot.draft.group_of(full) if each.key)
    return lambda other: other.key in keys


def mentions(snapshot: Snapshot, citation: Citation, token: CancelToken) -> list[Span]:
    """Every mention in the draft of the authority that ``citation`` names, in order, its own included.

    A mention is a name with its citation and pinpoint, parallel citations as one. Only the citation's own
    mention where it is not known what it names.
    """
    own = snapshot.draft.mention_of(citation)
    if not citation.key:
        return [own]
    same = same_authority(snapshot, citation)
    found: list[Span] = []
    group = 0
    for place, each in enumerate(snapshot.draft.citations):
        if place % _EVERY == 0:
            token.raise_if_cancelled()
        if group and each.group == group:
            continue
        if same(each):
            group = each.group
            found.append(snapshot.draft.mention_of(each))
    return found
