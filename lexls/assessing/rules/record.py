"""Report citations of the record that match no paper or several papers, and pinpoints that a paper does not
have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lexls.assessing.check import LocalCheck, Problem, is_quoted
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.pinpoints import compare_pinpoints
from lexls.assessing.rules.pinpoints import PINPOINT_NOT_FOUND, report_place
from lexls.assessing.rules.short_forms import AMBIGUOUS_IBID
from lexls.citations.model import Citation, CitedPaper
from lexls.index.records import Authority
from lexls.reading.record import describe_missing_pages, find_papers, holds_file, is_of_record
from lexls.reading.resolve import find_authority
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

EXHIBIT_NOT_FOUND = DiagnosticRule(
    code="exhibit-not-found",
    severity="information",
    order=210,
    said_once=True,
    filing="warning",
    help="A citation of an exhibit or docket entry that has no file in the record folder.",
    documentation="""\
The record folder (`record.folders`) has files of other exhibits, docket entries or tabs, but no file has
the name of the one that the draft cites. Nothing is reported if the folder has none of that kind, for
papers without a number ("Smith Decl. ¶ 7"), or for an exhibit of another paper ("Smith Decl. Ex. A"). A
file that lexls cannot read (a picture, a spreadsheet) counts by its name. If the paper is there, name its
file as the paper is cited: "Ex. 14 - Invoice.pdf", "031-2 Smith Decl.pdf".""",
)

EXHIBIT_AMBIGUOUS = DiagnosticRule(
    code="exhibit-ambiguous",
    severity="information",
    order=220,
    said_once=True,
    help="A citation of the record that fits two files equally well.",
    documentation="""\
Two files of the record have the name of the paper that the draft cites, and nothing distinguishes them.
Therefore neither is shown or compared with quotations. The message names both. Remove one, or add a
detail to the name of a file or to the citation: the volume of a transcript, the first name of a witness,
or whose exhibit it is.""",
)


def check_record(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report what is wrong with a paragraph's citations of the record."""
    for resolution in excerpt.cited:
        token.raise_if_cancelled()
        citation = resolution.citation
        if len(citation.papers) > 1:
            yield from _check_any_of(excerpt, citation)
        if not is_of_record(citation):
            continue
        papers = find_papers(excerpt.snapshot, citation)
        if len(papers) > 1:
            yield _describe_ambiguous(citation, papers)
        elif papers:
            if (pinpoint := citation.pinpoint) is not None:
                for message in describe_missing_pages(excerpt.snapshot, papers[0], pinpoint):
                    yield Problem(pinpoint.span, PINPOINT_NOT_FOUND.code, message, papers[0].id)
        else:
            yield from _describe_missing(excerpt, citation)
        for fact in compare_pinpoints(
            excerpt.snapshot, resolution, find_authority(excerpt.library, resolution)
        ):
            if fact.fault == "no-place":
                yield report_place(fact, resolution.authority)


def _check_any_of(excerpt: Excerpt, citation: Citation) -> Iterator[Problem]:
    """Report an *id.* after several papers cited together if its pinpoint exists in more than one of them."""
    snapshot, pinpoint = excerpt.snapshot, citation.pinpoint
    found = [_only(find_papers(snapshot, replace(citation, papers=(each,)))) for each in citation.papers]
    held = {each.id: each for each in found if each is not None}
    if pinpoint is not None:
        places = {each: excerpt.library.contents.find_places(each, pinpoint) for each in held}
        held = {each: paper for each, paper in held.items() if places[each]}
    if len(held) < 2 or is_quoted(snapshot.draft, citation.span.start):
        return
    written = " ".join(citation.span.of(snapshot.draft.masked).split())
    named = ", ".join(f"“{each.relative}”" for each in held.values())
    message = f"“{written}” may be any of the {len(held)} papers cited before it: {named}"
    yield Problem(citation.span, AMBIGUOUS_IBID.code, message)


def _only(papers: list[Authority]) -> Authority | None:
    return papers[0] if len(papers) == 1 else None


def _describe_ambiguous(citation: Citation, papers: list[Authority]) -> Problem:
    named = " or ".join(f"“{each.relative}”" for each in papers[:2])
    more = f" ({len(papers) - 2} more are called so)" if len(papers) > 2 else ""
    message = f"this may be {named}{more}: say which"
    return Problem(citation.core, EXHIBIT_AMBIGUOUS.code, message)


def _describe_missing(excerpt: Excerpt, citation: Citation) -> Iterator[Problem]:
    library = excerpt.library
    (cited,) = citation.papers
    numbered = cited.label and citation.form == "full"
    if not numbered or not library.complete or not _has_others(excerpt, cited):
        return
    folders = sorted({each.library for each in library.catalogue.all()})
    if holds_file(folders, cited.keys):
        return
    where = " or ".join(f"{folder.name}/" for folder in folders)
    message = f"no file in {where} is called {cited.label}"
    yield Problem(citation.core, EXHIBIT_NOT_FOUND.code, message)


def _has_others(excerpt: Excerpt, cited: CitedPaper) -> bool:
    """Return whether the record has other papers with the same kind of name as the paper cited: others of
    "ex" for "ex 4".
    """
    series = make_series(cited.keys[0])
    held = excerpt.library.catalogue.all()
    return any(make_series(each) == series for paper in held for each in paper.citations[1:])


def make_series(key: str) -> tuple[str, bool]:
    """Return a paper's key without its number, and whether the number begins with a digit: ("pl ex", True)
    for "pl ex 14".
    """
    paper, _, number = key.rpartition(" ")
    return paper, number[:1].isdigit()


_RULES = (EXHIBIT_NOT_FOUND, EXHIBIT_AMBIGUOUS, PINPOINT_NOT_FOUND, AMBIGUOUS_IBID)
CHECKS = (LocalCheck(_RULES, check_record, of="record"),)
