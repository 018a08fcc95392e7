"""Derive the verdict on a citation from its assessment, and describe it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from lexls.assessing.assess import Assessment
from lexls.assessing.fact import Fact
from lexls.assessing.quotations import QuotationAssessment
from lexls.assessing.support import SupportVerdict
from lexls.text.phrases import load_phrases

Verdict = Literal[
    "verified", "partly", "identified", "wrong", "in-catalogue", "not-in-library", "not-checkable"
]
"""The verdict on a citation. ``verified``: every element that the draft states was compared and agrees.
``partly``: some elements agree; others could not be compared. ``identified``: the library has a case with
that name, court and year, but nothing confirms the citation. ``wrong``: an element differs, or the
citation cannot exist. ``in-catalogue``: the case is not in the library, but the user's catalogue has it
with that name, year and citation. ``not-checkable``: it is unknown what is cited.
"""
VERDICTS: tuple[Verdict, ...] = (
    *("verified", "partly", "identified", "wrong", "in-catalogue", "not-in-library", "not-checkable"),
)

QuotationVerdict = Literal["verified", "differs", "not-compared"]
QUOTATION_VERDICTS: tuple[QuotationVerdict, ...] = ("verified", "differs", "not-compared")

_PHRASES = load_phrases(__package__, "verdicts.toml")
_COUNTED: Mapping[str, str] = _PHRASES["counted"]


def decide(assessment: Assessment) -> Verdict:
    """Return the verdict on a mention, judging by its facts alone. A short form is wrong if its full citation
    is wrong.
    """
    full = decide(assessment.full) if assessment.full is not None else None
    statuses = {each.status for each in assessment.facts}
    if full == "wrong" or "differs" in statuses:
        return "wrong"
    if assessment.authority is None:
        if assessment.absence != "missing":
            return "not-checkable"
        listed = assessment.listing is not None and assessment.listing.outcome == "same"
        return "in-catalogue" if listed else "not-in-library"
    if not assessment.is_identified:
        return "identified"
    return "verified" if statuses == {"agrees"} else "partly"


def explain(assessment: Assessment) -> str:
    """Return why a mention is not verified; "" if it is verified."""
    verdict = decide(assessment)
    if verdict == "wrong":
        wrong = [each.reason for each in assessment.facts if each.status == "differs"]
        if not wrong:
            return explain(assessment.full) if assessment.full is not None else ""
        numbered = any(each.fault == "misnumbered" for each in assessment.facts)
        asked = assessment.offer.question if not numbered else ""
        return f"{'; '.join(dict.fromkeys(wrong))}{asked}"
    if assessment.authority is None:
        return assessment.reason or _PHRASES["reasons"].get(assessment.absence, "")
    uncompared = [each for each in assessment.facts if each.status in ("not-stated", "not-compared")]
    return "; ".join(
        f"{_name(each)} not {_name_lack(assessment, each)} ({each.reason})" for each in uncompared
    )


def describe(assessment: Assessment) -> str:
    """Return the verdict in one line: "Verified: name and citation agree with the library", "Wrong: …",
    "Carrow v Luff [2014] ASC 12 is not in your library".
    """
    if assessment.absence in ("missing", "reading") and decide(assessment) != "wrong":
        return assessment.reason  # it says so itself
    verdict = decide(assessment)
    words = name_verdict(verdict)
    if verdict == "identified" and assessment.is_bound_by_decision:
        words = _PHRASES["bound"]["decision"]
    parts = [each for each in (describe_agreement(assessment), explain(assessment)) if each]
    return f"{words}: {'; '.join(parts)}" if parts else words


def _name_lack(assessment: Assessment, fact: Fact) -> str:
    """Return the word for what could not be done with an element: "confirmed" for the report citation of a
    case identified by name, court and year, otherwise "compared".
    """
    report = assessment.is_bound_by_decision and (fact.element, fact.status) == ("citation", "not-stated")
    return "confirmed" if report else "compared"


def describe_agreement(assessment: Assessment) -> str:
    """Return which elements agree with the authority, in words; "" if none does or one is wrong."""
    agreeing = list(dict.fromkeys(_name(each) for each in assessment.facts if each.status == "agrees"))
    if not agreeing or decide(assessment) == "wrong":
        return ""
    listed = agreeing[0] if len(agreeing) == 1 else f"{', '.join(agreeing[:-1])} and {agreeing[-1]}"
    return f"{listed} agree{'s' if len(agreeing) == 1 else ''} with the library"


def decide_quotation(assessment: QuotationAssessment) -> QuotationVerdict:
    """Return the verdict on a quotation, judging by its comparison alone."""
    if assessment.outcome == "as-in-authority":
        return "verified" if assessment.misplaced is None else "differs"
    return "differs" if assessment.outcome in ("differs", "absent", "stitched") else "not-compared"


def explain_quotation(assessment: QuotationAssessment) -> str:
    """Return an explanation of a quotation's verdict; "" if the quoted words make it clear."""
    best, outcome = assessment.best, assessment.outcome
    cited = best.authority.name if best is not None else assessment.named
    reason: str = outcome
    if outcome == "as-in-authority":
        lawful = best is not None and best.comparison.verdict == "lawful"
        reason = "elsewhere" if assessment.misplaced is not None else "marked" if lawful else outcome
    attribution = assessment.attribution
    if outcome == "not-in-library" and attribution and attribution.cited[0].citation.kind == "record":
        reason = "not-in-record"
    return str(_PHRASES["quoted"].get(reason, "")).format(cited=cited)


def name_quotation_verdict(verdict: QuotationVerdict) -> str:
    """Return a quotation's verdict in words for users: "Quotation differs"."""
    return str(_PHRASES["quotations"][verdict])


def name_verdict(verdict: Verdict) -> str:
    """Return a citation's verdict in words for users: "Not in your library"."""
    return str(_PHRASES["verdicts"][verdict])


def name_state(assessment: Assessment) -> str:
    """Return the verdict in a word or two, for a list. If only the pinpoint could not be compared, a special
    word is used.
    """
    verdict = decide(assessment)
    uncompared = {each.element for each in assessment.facts if each.status in ("not-stated", "not-compared")}
    place_alone = verdict == "partly" and uncompared == {"pinpoint"}
    return str(_PHRASES["states"]["pinpoint" if place_alone else verdict])


def name_support(verdict: SupportVerdict) -> str:
    """Return a support verdict in words for users."""
    return str(_PHRASES["support"][verdict])


def summarise(citations: Mapping[Verdict, int], quotations: Mapping[QuotationVerdict, int]) -> str:
    """Return the number of verdicts of each kind, in one line: "41 citations: 35 verified, 1 wrong; 12
    quotations: 12 verified".
    """
    quoted = _count("quotation", [(_COUNTED[each], quotations.get(each, 0)) for each in QUOTATION_VERDICTS])
    return f"{summarise_citations(citations)}; {quoted}"


def summarise_citations(citations: Mapping[Verdict, int]) -> str:
    """Return the number of verdicts on citations, in one line: "41 citations: 35 verified, 1 wrong"."""
    return _count("citation", [(_COUNTED[each], citations.get(each, 0)) for each in VERDICTS])


def _count(noun: str, counts: Sequence[tuple[str, int]]) -> str:
    total = sum(count for _, count in counts)
    said = ", ".join(f"{count:,} {words}" for words, count in counts if count)
    return f"{total:,} {noun}{'' if total == 1 else 's'}" + (f": {said}" if said else "")


def _name(fact: Fact) -> str:
    """Return the name of an element for messages: the element as cited for a pinpoint, a note number, or a
    citation that does not agree.
    """
    if fact.element in ("pinpoint", "cross-reference"):
        return fact.stated
    if fact.element == "citation" and fact.status != "agrees":
        return fact.stated
    return str(_PHRASES["elements"][fact.element])
