"""Offering the authorities that a citation may have meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.citations.escaping import escape
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.problem import Edit, Fix
from lexls.features.checks.wording import as_cited, title_of
from lexls.features.near_misses import NearMiss, near_misses
from lexls.features.snapshot import Snapshot

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Offer:
    """The citation of a mention that something in the library is near, and what that is, if anything.

    ``question`` is to be added to a message: "; did you mean …?", "" if nothing is likely enough to say so.
    """

    citation: Citation
    near: tuple[NearMiss, ...]
    question: str
    fixes: tuple[Fix, ...]

    @property
    def authority(self) -> int | None:
        """The one authority that is meant in all likelihood."""
        return self.near[0].authority.id if len(self.near) == 1 and self.near[0].named else None


def offer(excerpt: Excerpt, citation: Citation) -> Offer:
    """What may be offered for a mention that names no authority of the library, by any of its citations."""
    snapshot = excerpt.snapshot
    meant: tuple[Citation, Sequence[NearMiss]] = (citation, ())
    for each in excerpt.group(citation):
        near = near_misses(snapshot, each.citation)
        if near and (not meant[1] or (meant[1][0].slip == "name" and near[0].slip != "name")):
            meant = each.citation, near
    found = tuple(meant[1])
    fixes = tuple(_fix(snapshot, meant[0], each, len(found) == 1) for each in found)
    return Offer(meant[0], found, _question(found), fixes)


def _question(near: Sequence[NearMiss]) -> str:
    if near and near[0].slip == "name":
        return f"; it has {title_of(near[0].authority)} as {near[0].citation}"
    words = [each.citation for each in near if each.named and each.slip != "name"]
    if not words:
        return ""
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return f"; did you mean {listed}?"


def _fix(snapshot: Snapshot, citation: Citation, near: NearMiss, alone: bool) -> Fix:
    written = _in_manner_of(as_cited(snapshot, citation), near.citation)
    title = f"Change to {written}"
    if not near.named or near.slip == "name":
        title = f"{title} ({title_of(near.authority)})"
    edit = Edit(citation.core, escape(written, snapshot.draft.markup))
    return Fix(title, (edit,), preferred=alone and near.named and near.slip == "number")


def _in_manner_of(written: str, citation: str) -> str:
    """A citation spaced and punctuated as the draft writes the one that only differs from it in numbers."""
    numbers = _NUMBER.findall(citation)
    if len(numbers) != len(_NUMBER.findall(written)):
        return citation
    values = iter(numbers)
    changed = _NUMBER.sub(lambda _: next(values), written)
    return changed if fold(changed) == fold(citation) else citation
