"""The verdicts on everything that drafts cite and quote, as plain data and in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
    """The report on the draft at ``path``; ``places`` tells where its spans stand; ``opposing`` are the
    briefs that its review compares it with."""

    path: Path
    places: Places
    report: DraftReport
    opposing: tuple[NamedDraft, ...] = ()

    def on_page(self) -> PageDraft:
        """The draft as the page of a report has it."""
        return PageDraft(str(self.path), name_places(self.places), self.report, self.opposing)


def write_summaries(reports: Sequence[ReportedDraft]) -> Iterator[str]:
    """A line for each draft, with its name."""
    for each in reports:
        yield f"{each.path}: {each.report.summary}"


def write_outside(reports: Sequence[ReportedDraft]) -> Iterator[str]:
    """What the checks of the drafts could not look at, each once."""
    uncompared = sum(each.report.quotation_verdicts["not-compared"] for each in reports)
    if uncompared:
        yield f"Not checked: {uncompared:,} quotation{'' if uncompared == 1 else 's'}, compared with nothing"
    for said in dict.fromkeys(said for each in reports for said in each.report.outside):
        yield f"Not checked: {said}"


def describe_reports(reports: Sequence[ReportedDraft]) -> dict[str, Any]:
    """All verdicts as plain data, the summary first."""
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
        "citations": [_citation(draft, each) for draft in reports for each in draft.report.cited],
        "record": [_of_record(draft, each) for draft in reports for each in draft.report.of_record],
        "quotations": [
            _quotation(draft, each)
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


def _citation(draft: ReportedDraft, cited: CitedAuthority) -> dict[str, Any]:
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


def _of_record(draft: ReportedDraft, cited: CitedInRecord) -> dict[str, Any]:
    return {
        **_where(draft, cited.span),
        "text": cited.text,
        "verdict": cited.verdict,
        "reason": cited.reason or None,
        "papers": [{"path": each.relative, "title": each.name} for each in cited.papers],
        "found_at": cited.place or None,
    }


def _quotation(draft: ReportedDraft, passage: QuotedPassage) -> dict[str, Any]:
    return {
        **_where(draft, passage.span),
        "text": passage.text,
        "verdict": passage.verdict,
        "reason": passage.reason or None,
        "original": passage.original or None,
        "remarks": list(passage.remarks),
    }
