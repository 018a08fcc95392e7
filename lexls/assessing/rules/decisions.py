"""Report years, courts and dockets that are not those of the case that the library holds."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, as_cited, find_beginning
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact
from lexls.citations.same_docket import find_docket_numbers
from lexls.index.records import Authority
from lexls.reading.edit import Edit, Fix
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

DECISION_MISMATCH = DiagnosticRule(
    code="decision-mismatch",
    severity="warning",
    order=25,
    filing="error",
    help="A year, court or docket number that is not that of the case with this citation.",
    documentation="""\
"531 U.S. 98 (2003)" of a case that the library holds as one of 2000, "(5th Cir. 2016)" of one of the Sixth
Circuit, or "No. 11-cv-454" of one that has another docket number. The fix writes what the authority says.

A year is compared that stands for the decision, in brackets behind an American citation or before it; one
that is part of one of the authority's own citations is right, and before 1900 so is the year next to that
of the decision, as cases were cited by terms. Courts are the same for lexls however they are abbreviated
("C.A.5", "5th Cir."), dockets by their year and number; outside America the court is read in brackets behind
the report ("[1932] AC 562 (HL)"). An Indian docket ("Civil Appeal No. 12 of 1999") that the judgment names
anywhere is right. Nothing is reported of a court that is not known,
where an abbreviation leaves open which court of a state is meant, and where the authority's file does not
say for certain (in mark-up or front matter, or in what another file says of it) when and where it was
decided.""",
)


def check_decisions(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each year, court and docket of a case in the library that is another one's.

    A citation under the name of another case is reported by its name alone.
    """
    snapshot = excerpt.snapshot
    for assessment in assess_excerpt(excerpt, token):
        authority = assessment.authority
        wrong = [each for each in assessment.facts if each.status == "differs"]
        if authority is None or any(each.fault == "misnamed" for each in wrong):
            continue
        named = next((each.citation for each in assessment.cited if each.by == "citation"), None)
        cited = as_cited(snapshot, named if named is not None else assessment.citation)
        for fact in wrong:
            if fact.element in ("year", "court", "docket"):
                yield _problem(excerpt, cited, fact, authority)


def _problem(excerpt: Excerpt, cited: str, wrong: Fact, authority: Authority) -> Problem:
    of = {"year": "of ", "court": "of the "}.get(wrong.element, "No. " * wrong.recorded[:1].isdigit())
    other = of.removeprefix("of ").removeprefix("No. ")
    held = "Supreme Court" if wrong.recorded == "U.S." else wrong.recorded
    message = f"{cited}, {authority.name}, is {of}{held}, not {other}{wrong.stated}"
    related = find_beginning(excerpt.snapshot, authority)
    return Problem(
        wrong.span, DECISION_MISMATCH.code, message, authority.id, related, tuple(_fixes(excerpt, wrong))
    )


def _fixes(excerpt: Excerpt, wrong: Fact) -> Iterator[Fix]:
    """What writes the authority's own, if that is one."""
    draft = excerpt.snapshot.draft
    if "; " in wrong.recorded:
        return
    span = wrong.span
    written = find_docket_numbers(wrong.recorded) if wrong.element == "docket" else wrong.recorded
    if written == "U.S.":
        # The court that a report of its own names is not written.
        rest = draft.masked[span.end : span.end + 2]
        span, written = Span(span.start, span.end + len(rest) - len(rest.lstrip())), ""
    title = f"Change the {wrong.element} to {written}" if written else f"Remove {wrong.stated}"
    yield Fix(title, (Edit(span, draft.format.escape(written)),))


CHECKS = (LocalCheck((DECISION_MISMATCH,), check_decisions),)
