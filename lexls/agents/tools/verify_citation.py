"""Verify a citation against the library."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from lexls.agents.answer import (
    NO_RECORD,
    AgentAnswer,
    AgentRecord,
    Marks,
    PaperCitation,
    QuotedWords,
    describe_all,
    describe_cited_in_record,
    describe_outside,
    describe_searched,
    end_sentence,
    find_first_paper,
    name_cited,
    quote,
    tell,
)
from lexls.agents.asked import LONGEST, AgentTool, find_named, read_citations
from lexls.agents.desk import Desk, Unanswerable
from lexls.assessing.fact import Status
from lexls.assessing.papers import CitedInRecord, list_cited_in_record
from lexls.assessing.rules.engine import check
from lexls.assessing.support import SupportVerdict, judge_proposition
from lexls.assessing.verdicts import Verdict, name_support, name_verdict
from lexls.export.report import CitedAuthority, make_report
from lexls.index.records import Authority
from lexls.reading.record import see_record
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken

_MOST_PLACES = 40
"""Maximum number of places quoted from a paper, slightly more than the number of lines on a page."""


class VerifyCitation(AgentRecord):
    """Verify a citation against the user's own library: whether each part of it (name, report, year, court,
    pinpoint) agrees with the authority held, what stands at the pinpoint, how the library treats the
    authority, and with a `proposition` whether its words bear that out. "not-in-library" says nothing about
    whether the authority exists; "in-catalogue" is a case that only a list of the user's has. A citation of
    the record ("Compl. ¶ 12", "Smith Dep. 45:12-18") is looked up among the papers of the case: which file it
    is, and what stands at the place."""

    citation: str = Field(min_length=1, max_length=LONGEST)
    """The citation as it is written, with its pinpoint."""
    proposition: str = Field("", max_length=LONGEST)
    """What it is cited for, if that is to be judged."""


class ComparedElement(AgentRecord):
    """One part of a citation, compared with the authority."""

    element: str
    status: Status
    """"not-stated" means that the authority's file does not say it."""
    draft: str
    authority: str
    """The value of this part for the authority, or "" if unknown."""
    reason: str
    """The difference, or the reason why it could not be compared."""


class SupportJudged(AgentRecord):
    """Verdict on whether the authority supports the proposition it is cited for. Only cases are judged, and
    only by their words.
    """

    verdict: SupportVerdict
    reasons: list[str]
    """The differences between the proposition and the authority's words."""
    words: QuotedWords | None
    """The authority's closest passage."""


class CitationVerified(AgentRecord):
    """A citation with its verdict."""

    citation: str
    verdict: Verdict
    """"verified": every part was compared and agrees. "partly": some parts could not be compared.
    "identified": there is a case of that name, court and year, but nothing confirms the citation. "wrong":
    a part differs.
    """
    reason: str
    elements: list[ComparedElement]
    authority: int | None
    """The authority's number in the other tools, or null if it is not in the library."""
    title: str
    pinpoint: list[QuotedWords]
    """The text at the pinpoint."""
    treatment: list[str]
    """How other texts in the library treat the authority."""
    remarks: list[str]
    support: SupportJudged | None


class PaperVerified(PaperCitation):
    """A citation of the record with the text at its pinpoint."""

    words: list[QuotedWords]
    """The text at the pinpoint."""


class CitationAnswer(AgentAnswer):
    """The verdicts on one or several citations."""

    citations: list[CitationVerified]
    record: list[PaperVerified]
    """The citations of papers of the record."""
    named: list[str]
    """The authorities of the library with the given name, if the text is a name instead of a citation."""

    def _lines(self, marks: Marks) -> Iterator[str]:
        if self.named:
            yield "These words are a name and no citation that could be verified. The library holds:"
            yield from (f"- authority {each}" for each in self.named)
        elif not self.citations and not self.record:
            yield "No citation can be read in these words, and they name no authority of the library."
        for each in self.citations:
            verdict = name_verdict(each.verdict)
            yield end_sentence(f"{each.citation}: {verdict}" + (f": {each.reason}" if each.reason else ""))
            if each.authority is not None:
                yield end_sentence(f"Authority {each.authority}: {each.title}")
            agreeing = [one.element for one in each.elements if one.status == "agrees"]
            if agreeing:
                yield f"Agreeing: {', '.join(agreeing)}."
            yield from (end_sentence(f"Treatment: {said}") for said in each.treatment)
            yield from (end_sentence(said) for said in each.remarks if said not in each.reason)
            if each.pinpoint:
                yield "At the pinpoint:"
                yield from map(marks.mark, each.pinpoint)
            if each.support is not None:
                of_cases = ", as it is of cases alone" if each.support.verdict == "not-judged" else ""
                yield f"What it is cited for: {name_support(each.support.verdict)}{of_cases}."
                if each.support.reasons:
                    yield f"They part on: {'; '.join(each.support.reasons)}."
                if each.support.words is not None:
                    yield marks.mark(each.support.words)
            yield ""
        for paper in self.record:
            yield end_sentence(paper.told)
            yield from map(marks.mark, paper.words)


def answer(desk: Desk, asked: VerifyCitation, token: CancelToken) -> CitationAnswer:
    """Verify each citation in the given text."""
    empty = desk.snapshot(token)
    draft, written = read_citations(desk, empty, asked.citation, token)
    cited: list[CitationVerified] = []
    named: list[Authority] = []
    papers: list[PaperVerified] = []
    if find_first_paper(draft) >= 0:
        if empty.record is None:
            raise Unanswerable(f"these words cite the record, and {NO_RECORD}")
        record = list_cited_in_record(desk.snapshot(token, draft), token)
        papers = [_describe_paper(empty, each) for each in record]
    if written:
        snapshot, first = desk.snapshot(token, draft), written[0].span.start
        report = make_report(snapshot, check(snapshot, token), token)
        told = [each for each in report.cited if each.span.end > first]
        cited = [_describe(snapshot, each, asked.proposition, token) for each in told]
    elif not papers:
        named = find_named(desk, empty, asked.citation, token)
    return CitationAnswer(
        searched=describe_searched(empty, desk.service),
        outside=describe_outside(empty),
        citations=cited,
        record=papers,
        named=[f"{each.id}: {name_cited(each)}" for each in named],
    )


def _describe_paper(snapshot: Snapshot, cited: CitedInRecord) -> PaperVerified:
    seen = see_record(snapshot)
    assert seen is not None
    words = [
        quote(seen, cited.papers[0], each.start, each.end, each.text, cited.place)
        for each in cited.places[:_MOST_PLACES]
    ]
    return PaperVerified(**dict(describe_cited_in_record(cited)), words=words)


def _describe(
    snapshot: Snapshot, cited: CitedAuthority, proposition: str, token: CancelToken
) -> CitationVerified:
    authority = cited.authority
    return CitationVerified(
        citation=tell(cited.text),
        verdict=cited.verdict,
        reason=tell(cited.reason),
        elements=[
            ComparedElement(
                element=each.element,
                status=each.status,
                draft=tell(each.stated),
                authority=tell(each.recorded),
                reason=tell(each.reason),
            )
            for each in cited.assessment.facts
        ],
        authority=authority.id if authority is not None else None,
        title=tell(authority.name) if authority is not None else "",
        pinpoint=[
            quote(snapshot, authority, each.start, each.end, each.text, each.label) for each in cited.places
        ]
        if authority is not None
        else [],
        treatment=describe_all(cited.treatment),
        remarks=describe_all(cited.remarks),
        support=_judge(snapshot, cited, proposition, token) if proposition else None,
    )


def _judge(
    snapshot: Snapshot, cited: CitedAuthority, proposition: str, token: CancelToken
) -> SupportJudged | None:
    authority = cited.authority
    citation = snapshot.draft.citation_at(cited.span.start) or snapshot.draft.citations_in(cited.span)[0]
    if authority is None:
        return None
    if authority.kind != "case":
        return SupportJudged(verdict="not-judged", reasons=[], words=None)
    resolution = resolve(snapshot.library, snapshot.draft, citation)
    found = judge_proposition(snapshot, proposition, resolution, authority, token)
    span = found.span
    return SupportJudged(
        verdict=found.verdict,
        reasons=describe_all(found.reasons),
        words=quote(snapshot, authority, span.start, span.end, found.text) if span is not None else None,
    )


TOOL = AgentTool("verify_citation", "Verify a citation", VerifyCitation, CitationAnswer, answer)
