"""Judge whether the library's text of an authority bears out the sentence that cites it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.features.cited_part import find_cited_part
from lexls.features.resolve import Resolution, find_authority, find_places
from lexls.features.snapshot import Snapshot
from lexls.grounding.reading import blank_markup, find_statements
from lexls.grounding.verification.bearing import Bearing, Statement, find_bearing
from lexls.index.records import Authority
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

SupportVerdict = Literal["supported", "weakly", "not-found", "contradicted", "not-judged"]
"""``not-judged``: the authority's text is not in the library, or nothing is said that it could bear out."""

_LOOKED_AT = 8
"""Passages of the authority that share most words with the sentence."""


@dataclass(frozen=True, slots=True)
class Support:
    """Whether an authority bears out what it is cited for.

    ``proposition`` is what the draft cites it for, on one line, ``span`` the words of the authority's text
    that come nearest to it, None where none do, and ``text`` these words on one line. ``reasons`` are the
    words on which they part.
    """

    verdict: SupportVerdict
    proposition: str = ""
    authority: int | None = None
    span: Span | None = None
    text: str = ""
    reasons: tuple[str, ...] = ()


_NOT_JUDGED = Support("not-judged")


def judge_support(snapshot: Snapshot, resolution: Resolution, token: CancelToken) -> Support:
    """Whether the authority that a citation names bears out the sentence or parenthesis it is cited for.

    It reads passages of the authority, some milliseconds for a citation. Raises ``Cancelled``.
    """
    authority = find_authority(snapshot.library, resolution)
    if authority is None or authority.kind != "case":
        return _NOT_JUDGED
    part = find_cited_part(snapshot.draft, resolution.citation)
    if part is None or part.against:
        return _NOT_JUDGED
    return judge_proposition(snapshot, part.text, resolution, authority, token)


def judge_proposition(
    snapshot: Snapshot, proposition: str, resolution: Resolution, authority: Authority, token: CancelToken
) -> Support:
    """Whether an authority bears out a proposition; ``resolution`` says at which place it is cited.

    What was judged is remembered until the library changes.
    """
    pinpoint = resolution.citation.pinpoint
    place = (pinpoint.kind, pinpoint.labels) if pinpoint is not None else None
    key = (snapshot.library.path, snapshot.library.generation, authority.id, place, proposition)
    judged: Support = snapshot.judged.recall(
        key, lambda: _judge(snapshot, proposition, resolution, authority, token)
    )
    return judged


def _judge(
    snapshot: Snapshot, proposition: str, resolution: Resolution, authority: Authority, token: CancelToken
) -> Support:
    statements = _find_statements(snapshot, proposition, resolution, authority, token)
    bearing = find_bearing(proposition, statements, snapshot.tokens)
    if bearing is None:
        return Support("not-found", proposition, authority.id)
    return _written(bearing, proposition, authority)


def _written(bearing: Bearing, proposition: str, authority: Authority) -> Support:
    text = " ".join(bearing.text.split())
    return Support(bearing.verdict, proposition, authority.id, bearing.span, text, bearing.reasons)


def _find_statements(
    snapshot: Snapshot, proposition: str, resolution: Resolution, authority: Authority, token: CancelToken
) -> list[Statement]:
    """The sentences at the place that is cited and of the passages that share most words, in order."""
    passages = {
        hit.passage.start: hit.passage.text
        for hit in snapshot.find_passages_on(proposition, _LOOKED_AT, token, within=authority.id)
    }
    for place in find_places(snapshot.library, resolution):
        if place.document == authority.id:
            passages.setdefault(place.start, place.text)
    found: dict[Span, str] = {}
    for start, text in passages.items():
        token.raise_if_cancelled()
        prose = blank_markup(authority, text)
        found.update((each.shift(start), each.of(prose)) for each in find_statements(prose))
    return [Statement(span, found[span]) for span in sorted(found)]
