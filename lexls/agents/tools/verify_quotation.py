"""Verify a quotation against its stated source, or find its source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from lexls.agents.answer import (
    NO_RECORD,
    AgentAnswer,
    AgentRecord,
    Marks,
    QuotedWords,
    describe_all,
    describe_outside,
    describe_searched,
    end_sentence,
    find_first_paper,
    find_papers_named,
    name_part,
    quote,
    require_paper,
    see_words,
    tell,
)
from lexls.agents.asked import LONGEST, AgentTool, find_named, read_citations
from lexls.agents.desk import Desk, Unanswerable
from lexls.assessing.quotations import assess_quotation
from lexls.assessing.verdicts import name_quotation_verdict
from lexls.export.report import describe_quotation
from lexls.index.records import Authority
from lexls.quotations.attribution import Attribution
from lexls.quotations.authority_texts import compare_with
from lexls.quotations.comparison import VERDICTS, Comparison
from lexls.reading.quotations import read_quotation
from lexls.reading.record import see_record
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.place_words import join_citation
from lexls.wording.prose import blank_markup

_LOOKED_AT = 12
"""Maximum number of authorities compared with a quotation without a stated source. Those that share the most
words with it are compared.
"""
_LEAST_SHARE = 0.6
"""Minimum share of a quotation's words that an authority must have, in the same order, to count as a possible
source.
"""
_MOST_SOURCES = 3
_LONGEST_PLACE = 3000


class VerifyQuotation(AgentRecord):
    """Compare a quotation, word for word, with the authority that it is said to be from, in the user's own
    library, or with the paper of the record ("Compl. ¶ 12", "Smith Dep. 45:12"): whether it stands there,
    where, and each word that differs. Without a `citation` library and record are searched for where the
    words are from. Words that are not found may stand in an authority that this library does not hold."""

    quotation: str = Field(min_length=1, max_length=LONGEST)
    """The words quoted, without the quotation marks around them."""
    citation: str = Field("", max_length=LONGEST)
    """What they are said to be from: a citation with its pinpoint, a name, an authority's number, or that of
    a paper ("record 7")."""


class WordsDiffering(AgentRecord):
    """A difference in words. ``quotation`` or ``authority`` is "" if words were omitted or added."""

    kind: str
    quotation: str
    authority: str


class QuotedSource(AgentRecord):
    """An authority with the quoted words, or nearly the same words."""

    verdict: Literal["verified", "differs"]
    words: QuotedWords
    """The words in the authority."""
    differences: list[WordsDiffering]


class QuotationAnswer(AgentAnswer):
    """The comparison of a quotation with its source, or its possible sources."""

    quotation: str
    verdict: Literal["verified", "differs", "not-compared"]
    """not-compared: the stated source is not in the library, or no source was found."""
    reason: str
    remarks: list[str]
    """Remarks on faults of the quotation."""
    sources: list[QuotedSource]

    def _lines(self, marks: Marks) -> Iterator[str]:
        verdict = name_quotation_verdict(self.verdict)
        yield end_sentence(f"{verdict}: {self.reason}" if self.reason else verdict)
        yield from map(end_sentence, self.remarks)
        for each in self.sources:
            said = "has these words" if each.verdict == "verified" else "has"
            kind = "Paper of the record" if each.words.of_record else "Authority"
            yield f"\n{kind} {each.words.authority} {said}:"
            yield marks.mark(each.words)
            for one in each.differences:
                there = f"has “{one.authority}”" if one.authority else "has nothing there"
                yield (
                    f"- “{one.quotation}” is quoted; the authority {there}"
                    if one.quotation
                    else (f"- the authority {there}, which the quotation leaves out")
                )
        yield ""


def answer(desk: Desk, asked: VerifyQuotation, token: CancelToken) -> QuotationAnswer:
    """Verify a quotation, or find its source."""
    words = _strip_marks(asked.quotation)
    if not words:
        raise Unanswerable("there are no words in the quotation")
    empty = desk.snapshot(token)
    searched, outside = describe_searched(empty, desk.service), describe_outside(empty)
    if not asked.citation:
        snapshots = (empty, see_record(empty))
        found = [one for each in snapshots if each is not None for one in _find_sources(each, words, token)]
        exact = any(each.verdict == "verified" for each in found)
        return QuotationAnswer(
            searched=searched,
            outside=outside,
            quotation=asked.quotation,
            verdict="verified" if exact else "differs" if found else "not-compared",
            reason="" if found else _describe_nowhere(empty),
            remarks=[],
            sources=found,
        )
    named = see_words(desk, asked.citation, token)
    papers = find_papers_named(named, asked.citation) if named is not None else ()
    if named is not None and papers and find_first_paper(named.draft) < 0:
        paper = require_paper(papers)
        compared = compare_with(named.quoted, named.library, paper, words)
        source = _describe_source(named, paper, compared, words)
        return QuotationAnswer(
            searched=searched,
            outside=outside,
            quotation=asked.quotation,
            verdict=source.verdict if source is not None else "differs",
            reason="" if source is not None else f"the words are not in {name_part(paper)}",
            remarks=[],
            sources=[source] if source is not None else [],
        )
    draft, place = _write_draft(desk, empty, words, asked.citation, token)
    snapshot = desk.snapshot(token, draft)
    inner = Span(place + 1, place + 1 + len(words))
    if find_first_paper(draft) >= 0:
        seen = see_record(snapshot)
        if seen is None:
            raise Unanswerable(f"`citation` cites the record, and {NO_RECORD}")
        snapshot, draft = seen, seen.draft
    quotation = read_quotation(draft, Span(inner.start - 1, inner.end + 1), inner)
    cited = [each for each in draft.citations if each.span.start > inner.end and (each.key or each.papers)]
    attributed = Attribution(
        tuple(resolve(snapshot.library, draft, each) for each in cited), strong=True, others=()
    )
    assessed = assess_quotation(snapshot, quotation, attributed)
    passage, _ = describe_quotation(snapshot, assessed)
    best = assessed.best
    source = (
        _describe_source(snapshot, best.authority, best.comparison, quotation.text)
        if best is not None
        else None
    )
    return QuotationAnswer(
        searched=searched,
        outside=outside,
        quotation=asked.quotation,
        verdict=passage.verdict,
        reason=tell(passage.reason),
        remarks=describe_all(passage.remarks),
        sources=[source] if source is not None else [],
    )


def _describe_nowhere(snapshot: Snapshot) -> str:
    record = " and in no paper of the record" if snapshot.record is not None else ""
    return f"these words are in no authority of the library{record}"


def _strip_marks(text: str) -> str:
    return text.strip().strip('"“”').strip()


def _write_draft(
    desk: Desk, snapshot: Snapshot, words: str, citation: str, token: CancelToken
) -> tuple[Draft, int]:
    """Return a draft that quotes the words and cites their stated source, and the quotation's start offset in
    that draft.
    """
    draft, cited = read_citations(desk, snapshot, citation, token)
    paper = find_first_paper(draft)
    if cited or paper >= 0:
        first = cited[0].span.start if cited else paper
        before, behind = draft.source[:first], draft.source[first:]
    else:
        held = find_named(desk, snapshot, citation, token)
        before = ""
        behind = "; ".join(join_citation(each.name, each.citation, each.jurisdiction) for each in held)
        if not any(each.key for each in desk.read_text(behind).citations):
            raise Unanswerable(
                "no citation can be read in `citation`, and it names no authority of the library; without it "
                "the whole library is searched for the words"
            )
    return desk.read_text(f"{before}“{words}” {behind}"), len(before)


def _describe_source(
    snapshot: Snapshot, authority: Authority, comparison: Comparison, quoted: str
) -> QuotedSource | None:
    place = comparison.place
    if comparison.verdict == "absent" or place is None or len(place) > _LONGEST_PLACE:
        return None
    text = blank_markup(authority, snapshot.library.contents.text(authority.id))
    weighing = comparison.of_grade("harmful", "wording", "altered", "spelling")
    return QuotedSource(
        verdict="differs" if weighing else "verified",
        words=quote(snapshot, authority, place.start, place.end, " ".join(place.of(text).split())),
        differences=[
            WordsDiffering(
                kind=each.kind,
                quotation=tell(each.quoted.of(quoted)),
                authority=tell(each.original.of(text)),
            )
            for each in weighing
        ],
    )


def _find_sources(snapshot: Snapshot, words: str, token: CancelToken) -> list[QuotedSource]:
    """Return the authorities that contain the words, the most exact match first."""
    found: list[tuple[int, float, Authority, Comparison]] = []
    for hit in snapshot.find_passages_on(words, _LOOKED_AT, token):
        token.raise_if_cancelled()
        compared = compare_with(snapshot.quoted, snapshot.library, hit.authority, words)
        if compared.verdict != "absent" and compared.share >= _LEAST_SHARE:
            found.append((VERDICTS.index(compared.verdict), -compared.share, hit.authority, compared))
    found.sort(key=lambda each: each[:2])
    described = (_describe_source(snapshot, each[2], each[3], words) for each in found)
    return [each for each in described if each is not None][:_MOST_SOURCES]


TOOL = AgentTool("verify_quotation", "Verify a quotation", VerifyQuotation, QuotationAnswer, answer)
