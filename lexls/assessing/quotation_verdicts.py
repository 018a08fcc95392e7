"""Give each quotation of a draft a verdict: as in its authority, different, or compared with nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from lexls.assessing.check import as_named
from lexls.assessing.rules.misquoted import PINPOINT_ELSEWHERE
from lexls.assessing.rules.quotations import Compared, find_best_match, judge
from lexls.assessing.rules.selective import QUOTATION_SELECTIVE
from lexls.citations.model import Citation
from lexls.quotations.attribution import Attribution
from lexls.reading.quotations import Quotation
from lexls.reading.snapshot import Snapshot
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span
from lexls.wording.prose import blank_markup

QuotationVerdict = Literal["verified", "differs", "not-compared"]
QUOTATION_VERDICTS: tuple[QuotationVerdict, ...] = ("verified", "differs", "not-compared")
_PHRASES = load_phrases(__package__, "verdicts.toml")
_REASONS: Mapping[str, str] = _PHRASES["quoted"]

_LONGEST = 3000
"""Code points of an authority's words that are shown beside a quotation."""


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A quotation of the draft and how it compares with its authority.

    ``reason`` says more of the verdict: how it may differ, why it is not compared. ``differing`` are
    the segments of ``text`` that are not as in the authority, ``original`` what it says there,
    ``original_differing`` the segments of that. ``remarks`` say what was found wrong.
    """

    span: Span
    text: str
    verdict: QuotationVerdict
    reason: str
    differing: tuple[Span, ...]
    original: str
    original_differing: tuple[Span, ...]
    remarks: tuple[str, ...]


def compare_quotation(
    snapshot: Snapshot, quotation: Quotation, attributed: Attribution | None
) -> tuple[QuotedPassage, Citation | None]:
    """A quotation beside the authority that it is attributed to, and the citation that says so."""
    best = find_best_match(snapshot, quotation, attributed) if attributed is not None else None
    citation = attributed.cited[0].citation if attributed is not None and attributed.cited else None
    uncompared = QuotedPassage(
        quotation.inner, quotation.text, "not-compared", _REASONS["unattributed"], (), "", (), ()
    )
    if attributed is None or not attributed.cited:
        return uncompared, citation
    if best is None:
        named = as_named(snapshot, attributed.cited[0].citation)
        reason = "not-in-record" if attributed.cited[0].citation.kind == "record" else "not-held"
        return replace(uncompared, reason=_REASONS[reason].format(cited=named)), citation
    problems = list(judge(snapshot, quotation, attributed))
    codes = {each.code for each in problems}
    wrong = codes - {PINPOINT_ELSEWHERE.code, QUOTATION_SELECTIVE.code}
    remarks = tuple(dict.fromkeys(each.message for each in problems))
    verdict = best.comparison.verdict
    if wrong and verdict == "absent":
        made = replace(uncompared, verdict="differs", reason=_REASONS["absent"], remarks=remarks)
    elif wrong:
        made = _compared(snapshot, quotation, best, remarks)
    elif PINPOINT_ELSEWHERE.code in codes:
        made = replace(uncompared, verdict="differs", reason=_REASONS["elsewhere"], remarks=remarks)
    elif verdict == "verbatim" or verdict == "lawful":
        reason = _REASONS["marked"] if verdict == "lawful" else ""
        made = replace(uncompared, verdict="verified", reason=reason, remarks=remarks)
    else:
        made = replace(uncompared, reason=_REASONS["doubtful"].format(cited=best.authority.name))
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
        original = place.of(blank_markup(best.authority, snapshot.library.contents.text(best.authority.id)))
        inside = (each.original for each in weighing if len(each.original))
        marked = tuple(
            each.shift(-place.start) for each in inside if place.start <= each.start and each.end <= place.end
        )
    differing = tuple(each.quoted for each in weighing if len(each.quoted))
    return QuotedPassage(quotation.inner, quotation.text, "differs", "", differing, original, marked, remarks)


def name_quotation_verdict(verdict: QuotationVerdict) -> str:
    """A verdict as readers are told it: "Quotation differs"."""
    return str(_PHRASES["quotations"][verdict])
