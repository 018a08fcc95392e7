"""The quotations of a draft, each compared with the authority that it is attributed to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from lexls.citations.model import Citation
from lexls.features.attribution import Attribution
from lexls.features.checks.engine import excerpts
from lexls.features.checks.misquoted import PINPOINT_ELSEWHERE
from lexls.features.checks.quotations import (
    Compared,
    attributions,
    best_match,
    block_attributions,
    judge,
)
from lexls.features.quotations import Quotation
from lexls.features.snapshot import Snapshot
from lexls.grounding.reading import prose
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

QuotationVerdict = Literal["verbatim", "lawful", "differs", "elsewhere", "absent", "not-compared"]
"""``lawful``: only differences that are allowed or shown, such as an ellipsis or brackets. ``elsewhere``: as
in the authority, but not at the pinpoint. ``not-compared``: nobody can tell what it is compared with."""

_LONGEST = 3000
"""Code points of an authority's words that are shown beside a quotation."""


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A quotation of the draft and how it compares with its authority.

    ``differing`` are the stretches of ``text`` that are not as in the authority, ``original`` what it says
    there, ``original_differing`` the stretches of that. ``remarks`` say what was found wrong.
    """

    span: Span
    text: str
    verdict: QuotationVerdict
    differing: tuple[Span, ...]
    original: str
    original_differing: tuple[Span, ...]
    remarks: tuple[str, ...]


def quoted_passages(
    snapshot: Snapshot, token: CancelToken
) -> Iterator[tuple[QuotedPassage, Citation | None]]:
    """Every quotation that is worth comparing, with the citation that it is attributed to, if one is."""
    blocks = list(block_attributions(snapshot))
    found: list[tuple[Quotation, Attribution | None]] = list(blocks)
    for excerpt in excerpts(snapshot):
        token.raise_if_cancelled()
        found.extend(
            (quotation, attributed)
            for quotation, attributed in attributions(excerpt)
            if not any(quotation.outer.overlaps(block.outer) for block, _ in blocks)
        )
    for quotation, attributed in sorted(found, key=lambda each: each[0].outer):
        yield _passage(snapshot, quotation, attributed)


def _passage(
    snapshot: Snapshot, quotation: Quotation, attributed: Attribution | None
) -> tuple[QuotedPassage, Citation | None]:
    best = best_match(snapshot, quotation, attributed) if attributed is not None else None
    citation = attributed.cited[0].citation if attributed is not None and attributed.cited else None
    uncompared = QuotedPassage(quotation.inner, quotation.text, "not-compared", (), "", (), ())
    if attributed is None or best is None:
        return uncompared, citation
    problems = list(judge(snapshot, quotation, attributed))
    wrong = [each for each in problems if each.code != PINPOINT_ELSEWHERE.code]
    remarks = tuple(dict.fromkeys(each.message for each in problems))
    verdict = best.comparison.verdict
    if wrong and verdict == "absent":
        made = replace(uncompared, verdict="absent", remarks=remarks)
    elif wrong:
        made = _compared(snapshot, quotation, best, remarks)
    elif verdict == "verbatim" or verdict == "lawful":
        made = replace(uncompared, verdict="elsewhere" if problems else verdict, remarks=remarks)
    else:
        made = uncompared
    return made, best.resolution.citation


def _compared(
    snapshot: Snapshot, quotation: Quotation, best: Compared, remarks: tuple[str, ...]
) -> QuotedPassage:
    """A quotation that differs, with the authority's words beside it."""
    comparison = best.comparison
    weighing = comparison.of_grade("harmful", "wording", "altered", "spelling")
    place = comparison.place
    original = ""
    marked: tuple[Span, ...] = ()
    if place is not None and len(place) <= _LONGEST:
        original = place.of(prose(best.authority, snapshot.library.contents.text(best.authority.id)))
        inside = (each.original for each in weighing if len(each.original))
        marked = tuple(
            each.shift(-place.start) for each in inside if place.start <= each.start and each.end <= place.end
        )
    differing = tuple(each.quoted for each in weighing if len(each.quoted))
    return QuotedPassage(quotation.inner, quotation.text, "differs", differing, original, marked, remarks)
