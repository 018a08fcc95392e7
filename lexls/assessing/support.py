"""Judge whether the library's text of an authority supports the sentence that cites it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from lexls.grounding.verification.bearing import Bearing, Statement, find_bearing
from lexls.index.records import Authority
from lexls.reading.propositions import find_cited_part
from lexls.reading.resolve import Resolution, find_authority, find_places
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.relevance import find_terms
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.prose import blank_markup, find_statements

SupportVerdict = Literal["supported", "weakly", "not-found", "contradicted", "not-judged"]
"""The verdict on whether an authority supports a sentence. ``not-judged``: the authority's text is not in the
library, or the citation has no proposition to support.
"""

_LOOKED_AT = 8
"""Maximum number of passages of the authority that are examined. The ones that share most words with the
sentence are chosen.
"""
_FEWEST_TERMS = 8
"""Minimum number of terms for a sentence's subject to be clear."""
_RIVAL = 5
"""Rank of the authority used for comparison, among those that fit a sentence best. Authorities that rank
higher may be copies of the draft or of its sources.
"""
_RIVALS = 2 * _RIVAL
_FOREIGN = 0.6
"""Fit (see `measure_fit`) below which an authority does not discuss a sentence's subject. The value was
measured in ``benchmarks/bench_holdings.py``.
"""
_CASE_NAME = re.compile(r"\bvs?\b\.?\s{1,3}[A-Z]")


@dataclass(frozen=True, slots=True)
class Support:
    """The result of judging whether an authority supports what it is cited for.

    ``proposition`` is what the draft cites it for, on one line. ``span`` is the closest part of the
    authority's text (None if there is none), and ``text`` its words on one line. ``reasons`` are the words on
    which the two differ. ``elsewhere`` is true if no support was found in the authority, but other
    authorities in the library discuss the subject.
    """

    verdict: SupportVerdict
    proposition: str = ""
    authority: int | None = None
    span: Span | None = None
    text: str = ""
    reasons: tuple[str, ...] = ()
    elsewhere: bool = False


_NOT_JUDGED = Support("not-judged")


def judge_support(snapshot: Snapshot, resolution: Resolution, token: CancelToken) -> Support:
    """Return whether a cited authority supports the sentence or parenthetical that it is cited for. Reading
    its passages takes some milliseconds. Raises ``Cancelled``.
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
    """Return whether an authority supports a proposition. ``resolution`` gives the pinpoint at which it is
    cited. Cached until the library changes.
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
    if bearing is not None and (bearing.doubted or bearing.verdict in ("supported", "contradicted")):
        return _written(bearing, proposition, authority)
    fit = measure_fit(snapshot, proposition, authority, token)
    if fit is not None and fit < _FOREIGN:
        return Support("not-found", proposition, authority.id, elsewhere=True)
    if bearing is None:
        return Support("not-found", proposition, authority.id)
    return _written(bearing, proposition, authority)


def measure_fit(
    snapshot: Snapshot, proposition: str, authority: Authority, token: CancelToken
) -> float | None:
    """Return how well an authority fits a proposition, compared with others in the library: 0 or more; about
    2 is as well as the best.

    The result is the sum of two ratios: the score of its best passage, and the score of its whole text, each
    divided by the fifth-best score among the other authorities. None if the proposition has too few words or
    names cases, or if few others share its words.
    """
    terms = list(find_terms(proposition, snapshot.tokens))
    if len(terms) < _FEWEST_TERMS or _CASE_NAME.search(proposition):
        return None
    library, among = snapshot.library, [authority.id]
    hits = snapshot.find_passages_on(proposition, _RIVALS, token)
    passages = [hit.score for hit in hits if hit.authority.id != authority.id]
    ids, scores = library.lexical_documents(terms, _RIVAL + 1, None, token)
    texts = scores[ids != authority.id].tolist()
    if min(len(passages), len(texts)) < _RIVAL:
        return None
    best = snapshot.find_passages_on(proposition, 1, token, within=authority.id)
    passage = best[0].score if best else 0.0
    whole = sum(library.lexical_documents(terms, 1, among, token)[1].tolist())
    return float(passage / passages[_RIVAL - 1] + whole / texts[_RIVAL - 1])


def _written(bearing: Bearing, proposition: str, authority: Authority) -> Support:
    text = " ".join(bearing.text.split())
    return Support(bearing.verdict, proposition, authority.id, bearing.span, text, bearing.reasons)


def _find_statements(
    snapshot: Snapshot, proposition: str, resolution: Resolution, authority: Authority, token: CancelToken
) -> list[Statement]:
    """Return the sentences at the pinpoint and those of the passages that share most words with the
    proposition, in order.
    """
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
