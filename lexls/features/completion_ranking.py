"""Rank the authorities that the typed text may refer to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from lexls.features.completion_request import CompletionRequest, fit_documents
from lexls.index.records import Authority

_CANDIDATES = 300
_BY_NAME, _CITING, _CITED = 2.0, 0.1, 0.3
"""Weights relative to the match with the paragraph: of the name, of citations in the library, and of being
cited in the draft.
"""
_FEW = 5
"""Number of matching names below which names that match only the last typed words are added."""
_BY_LAST_WORDS = 0.4
"""Weight of a match of the last typed words, relative to a match of all typed words."""


def rank_authorities(asked: CompletionRequest, cited: Iterable[int]) -> list[int]:
    """Return the candidates ranked by name match, match with the paragraph, and number of citations.

    ``cited`` are the authorities that the draft cites before the offset; after "in" and the like they come
    first. If nothing, or only a courtesy title, has been typed after emphasis or a signal, other authorities
    fill the list. Otherwise an editor would close the empty list and not reopen it as letters are typed.
    """
    names, context = asked.names, asked.context
    known = [each for each in cited if each in names.authorities]
    matched: dict[int, float] = {}
    if context.kind == "name":
        matched = _match_names(asked)
    elif context.kind == "citation":
        matched = dict.fromkeys(names.by_citation(context.typed, _CANDIDATES), 1.0)
    if context.of_act:
        acts = {each: quality for each, quality in matched.items() if names.authorities[each].kind != "case"}
        matched = acts or matched
    fits = fit_documents(asked, list(matched) if matched else None)
    if context.kind == "mention":
        matched = dict.fromkeys([*_list_beginning(asked, fits), *known], 0.0)
    elif context.kind in ("any", "name") and not matched:
        fills = context.fills or context.kind == "name"
        wanted = itertools.chain(fits, known, names.authorities) if fills else fits
        matched = dict.fromkeys(_list_beginning(asked, wanted), 0.0)
    asked.token.raise_if_cancelled()
    first = set(known)

    def score(each: int) -> float:
        return _BY_NAME * matched[each] + fits.get(each, 0.0) + _CITED * (each in first)

    leading = sorted(matched, key=lambda each: -score(each))[: 2 * asked.most]
    scores = {
        each: score(each) + _CITING * math.log1p(asked.snapshot.library.graph.count_citing(each))
        for each in leading
    }
    ranked = sorted(scores, key=lambda each: (-scores[each], names.authorities[each].title.casefold()))
    if context.kind == "mention":
        ranked.sort(key=lambda each: each not in first)
    return ranked


def _match_names(asked: CompletionRequest) -> dict[int, float]:
    """Return how well names match the typed text, slightly better if they begin with exactly these words.

    If there are few, names that match the last words are added, since a name may be typed with initials or a
    party missing from its title.
    """
    typed = asked.context.typed
    matched = asked.names.by_name(typed, _CANDIDATES)
    for each, quality in asked.names.beginning(typed).items():
        matched[each] = max(matched.get(each, 0.0), quality) + _CITING
    if len(matched) < _FEW:
        for each, quality in asked.names.by_last_words(typed, _CANDIDATES).items():
            matched.setdefault(each, _BY_LAST_WORDS * quality)
    return matched


def _list_beginning(asked: CompletionRequest, among: Iterable[int]) -> list[int]:
    """Return the distinct authorities in ``among`` that can follow the opening, up to the maximum number of
    candidates.
    """
    found: dict[int, None] = {}
    for each in among:
        if len(found) >= _CANDIDATES:
            break
        if _begins_like(asked.names.authorities.get(each), asked):
            found.setdefault(each)
    return list(found)


def _begins_like(authority: Authority | None, asked: CompletionRequest) -> bool:
    """Return whether an authority can follow the opening. After a square bracket, its citation must begin
    with one.
    """
    if authority is None:
        return False
    start = asked.context.replace.start
    opening = asked.snapshot.draft.source[start : start + 1]
    return opening != "[" or authority.citation.startswith("[")
