"""Convert reports to plain data: the verdicts on everything that drafts cite and quote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexls.assessing.papers import CitedInRecord
from lexls.assessing.verdicts import QUOTATION_VERDICTS, VERDICTS
from lexls.export.page_parts import NamedDraft, PageDraft
from lexls.export.report import CitedAuthority, DraftReport, QuotedPassage
from lexls.reading.draft_places import Places, name_places
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class ReportedDraft:
    """The report on the draft at ``path``. ``places`` finds the positions of spans in the draft; ``opposing``
    are the briefs with which its review compares it.
    """

    path: Path
    places: Places
    report: DraftReport
    opposing: tuple[NamedDraft, ...] = ()

    def on_page(self) -> PageDraft:
        """Return the draft as the report page needs it."""
        return PageDraft(str(self.path), name_places(self.places), self.report, self.opposing)


def describe_reports(reports: Sequence[ReportedDraft]) -> dict[str, Any]:
    """Return all verdicts as plain data, the summary first."""
    citations: Counter[str] = Counter()
    quotations: Counter[str] = Counter()
    for each in reports:
        citations.update(each.report.verdicts)
        quotations.update(each.report.quotation_verdicts)
    return {
        "summary": {
            "citations": {verdict: citations[verdict] for verdict in VERDICTS},
            "quotations": {verdict: quotations[verdict] for verdict in QUOTATION_VERDICTS},
        },
        "citations": [describe_citation(draft, each) for draft in reports for each in draft.report.cited],
        "record": [describe_paper_cited(draft, each) for draft in reports for each in draft.report.of_record],
        "quotations": [
            describe_quotation_compared(draft, each)
            for draft in reports
            for each in sorted(draft.report.quoted, key=lambda each: each.span)
        ],
        "ignored": [
            {
                **_where(draft, each.finding.span),
                "code": each.finding.code,
                "message": each.finding.message,
                "reason": each.reason or None,
                "by": each.where,
            }
            for draft in reports
            for each in draft.report.ignored
        ],
        "outside": list(dict.fromkeys(said for each in reports for said in each.report.outside)),
    }


def _where(draft: ReportedDraft, span: Span) -> dict[str, Any]:
    place = draft.places(span)
    return {
        "file": str(draft.path),
        "start": span.start,
        "end": span.end,
        "line": place.line,
        "character": place.character,
        "place": place.words or None,
    }


def describe_citation(draft: ReportedDraft, cited: CitedAuthority) -> dict[str, Any]:
    """Return a citation in the draft as plain data: its verdict and each compared element."""
    authority, support = cited.authority, cited.support
    return {
        **_where(draft, cited.span),
        "text": cited.text,
        "stands_for": cited.stands_for or None,
        "verdict": cited.verdict,
        "reason": cited.reason or None,
        "elements": [
            {
                "element": each.element,
                "status": each.status,
                "draft": each.stated,
                "authority": each.recorded or None,
                "reason": each.reason or None,
            }
            for each in cited.assessment.facts
        ],
        "authority": authority
        and {"path": authority.relative, "title": authority.title, "citation": authority.citation},
        "support": support
        and {
            "verdict": support.verdict,
            "proposition": support.proposition or None,
            "passage": support.text or None,
            "reasons": list(support.reasons),
        },
    }


def describe_paper_cited(draft: ReportedDraft, cited: CitedInRecord) -> dict[str, Any]:
    """Return a citation of the record as plain data."""
    return {
        **_where(draft, cited.span),
        "text": cited.text,
        "verdict": cited.verdict,
        "reason": cited.reason or None,
        "papers": [{"path": each.relative, "title": each.name} for each in cited.papers],
        "found_at": cited.place or None,
    }


def describe_quotation_compared(draft: ReportedDraft, passage: QuotedPassage) -> dict[str, Any]:
    """Return a quotation and how it compares with its authority, as plain data."""
    return {
        **_where(draft, passage.span),
        "text": passage.text,
        "verdict": passage.verdict,
        "reason": passage.reason or None,
        "original": passage.original or None,
        "remarks": list(passage.remarks),
    }
