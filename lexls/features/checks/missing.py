"""Citations of authorities that the library does not hold, and those that may have been meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lexls.citations.escaping import escape
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.impossible import why_impossible
from lexls.features.checks.problem import Edit, Fix, Problem
from lexls.features.checks.wording import as_cited, as_named, title_of
from lexls.features.near_misses import NearMiss, near_misses
from lexls.features.snapshot import Snapshot
from lexls.settings.diagnostics import IMPOSSIBLE_CITATION, NOT_IN_LIBRARY
from lexls.text.cancel import CancelToken

_NUMBER = re.compile(r"\d+")


def check(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each authority that the paragraph cites in full and the library does not hold.

    While the library is being read for the first time, nobody knows what it does not hold. What cannot be a
    citation at all is told by the check of that.
    """
    if not excerpt.library.complete:
        return
    snapshot = excerpt.snapshot
    impossible_told = snapshot.settings.severities.get(IMPOSSIBLE_CITATION.code) != "off"
    reported: set[int] = set()
    told: set[str] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if resolution.authorities or citation.form != "full" or not citation.key:
            continue
        if citation.group:
            if citation.group in reported:
                continue
            reported.add(citation.group)
        if citation.key in told:
            continue
        told.add(citation.key)
        token.raise_if_cancelled()
        meant, near = _meant(excerpt, citation)
        if not near and impossible_told and why_impossible(snapshot, citation):
            continue
        message = f"{as_named(snapshot, citation)} is not in your library{_question(near)}"
        yield Problem(
            meant.core if near else citation.core,
            NOT_IN_LIBRARY.code,
            message,
            near[0].authority.id if len(near) == 1 and near[0].named else None,
            fixes=tuple(_fix(snapshot, meant, each, len(near) == 1) for each in near),
        )


def _meant(excerpt: Excerpt, citation: Citation) -> tuple[Citation, list[NearMiss]]:
    """The first of the parallel citations that something in the library is near, and what that is."""
    best: tuple[Citation, list[NearMiss]] = (citation, [])
    for each in excerpt.group(citation):
        near = near_misses(excerpt.snapshot, each.citation)
        if near and (not best[1] or (best[1][0].slip == "name" and near[0].slip != "name")):
            best = each.citation, near
    return best


def _question(near: Sequence[NearMiss]) -> str:
    if not near:
        return ""
    if near[0].slip == "name":
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
