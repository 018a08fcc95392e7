"""Report names, years, courts, dockets and parallel citations that do not match the case cited."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.assess import Assessment, assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, as_cited, find_beginning
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact
from lexls.assessing.names import correct_name
from lexls.assessing.parallels import find_cases
from lexls.citations.model import join_spaces
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
    help="A year, court or docket number that differs from that of the case with this citation.",
    documentation="""\
For example, the draft cites "531 U.S. 98 (2003)" and the library has the case as decided in 2000, or it
cites "(5th Cir. 2016)" for a case of the Sixth Circuit, or "No. 11-cv-454" for a case with another docket
number. The quick fix writes what the authority says.

A year is compared if it is the year of the decision: in brackets after an American citation, or before
it. A year that is part of one of the authority's own citations is correct. Before 1900, the year next to
that of the decision is also correct, since cases were cited by terms.

Abbreviations of courts ("C.A.5", "5th Cir.") make no difference. Outside America, the court is read from
the brackets after the report ("[1932] AC 562 (HL)"). Dockets are compared by year and number. An Indian
docket ("Civil Appeal No. 12 of 1999") is correct if the judgment mentions it anywhere.

Nothing is reported if the court is unknown, or if an abbreviation leaves open which court of a state is
meant. Nor is anything reported if it is not certain when and where the authority was decided. It is
certain if the authority's mark-up or front matter says so, or another file does.""",
)


def check_decisions(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each year, court and docket that differs from the library's case. Citations with another case's
    name are reported by `check_names` alone.
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
    """Yield the edit that changes the draft to the authority's value, unless there are several values."""
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


NAME_MISMATCH = DiagnosticRule(
    code="name-mismatch",
    severity="warning",
    order=20,
    filing="error",
    help="A case name that differs from that of the case with this citation.",
    documentation="""\
The library has an authority with this citation, but with another name. Either the name or the numbers are
wrong. The message gives the authority's name, the quick fix writes it, and the related information opens
the authority.

lexls accepts the ways in which courts and reports write names: abbreviated ("Ass'n", "Dep't", "CFTC"),
with initials, in capitals, without accents, with or without "Ltd" and "& Ors", with the parties in the
other order, as "In re", or with one party alone. A wrong letter is reported as `name-spelling`.

If the names share a party and the other party, or a word of it, differs, the name is reported if the year
is not that of the decision. It is also reported if the draft's words occur neither in the authority's
text nor in another document that cites it. Names of other cases in the text do not count.

A public office as a party ("State", "Commissioner") is reported if the text does not mention that office.
"State" and "United States" are reported if they are not a party at the beginning of the text. This is not
decided from a short text.

If the authority's file does not give this citation, and only other documents connect it with the
authority, more of them must use the authority's name than the draft's.""",
)

NAME_SPELLING = DiagnosticRule(
    code="name-spelling",
    severity="information",
    order=22,
    filing="warning",
    help="A case name spelt differently from the title of the case with this citation.",
    documentation="""\
A word of the name differs from the title's by a few letters, or is singular instead of plural: "Carow"
for "Carrow", "Property" for "Properties". The quick fix writes the title's spelling, and the related
information opens the authority.

Case, accents, punctuation, abbreviations in citation manuals, initials, company suffixes and courtesy
titles make no difference. Nothing is reported if the authority's own text spells the party like the
draft, or if two documents of the library cite the authority with that spelling. The name then counts as
not compared, unless the authority's own text contains it.""",
)


def check_names(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each full citation of a case that misspells its name or has another case's name."""
    for assessment in assess_excerpt(excerpt, token):
        for fact in assessment.facts:
            if fact.fault in ("misnamed", "misspelt") and assessment.authority is not None:
                yield _problem_of_name(excerpt, fact, assessment, assessment.authority)


def _problem_of_name(excerpt: Excerpt, fact: Fact, assessment: Assessment, authority: Authority) -> Problem:
    snapshot = excerpt.snapshot
    named = next((each.citation for each in assessment.cited if each.by == "citation"), assessment.citation)
    cited = as_cited(snapshot, named)
    related = find_beginning(snapshot, authority)
    if fact.fault == "misspelt":
        code, message = NAME_SPELLING.code, f"{cited}: {fact.reason}"
    else:
        code, message = NAME_MISMATCH.code, fact.reason
    return Problem(
        fact.span, code, message, authority.id, related, tuple(_list_fixes(excerpt, fact, authority))
    )


def _list_fixes(excerpt: Excerpt, fact: Fact, authority: Authority) -> Iterator[Fix]:
    """Yield the edit that corrects the name: it corrects the spelling, or replaces another case's name with
    the title.
    """
    draft = excerpt.snapshot.draft
    if join_spaces(fact.span.of(draft.masked)) != fact.stated:
        return
    written = correct_name(fact.stated, authority)
    yield Fix(f"Change the name to {written}", (Edit(fact.span, draft.format.escape(written)),))


PARALLEL_MISMATCH = DiagnosticRule(
    code="parallel-mismatch",
    severity="warning",
    order=40,
    filing="error",
    help="Parallel citations of one case that belong to different cases.",
    documentation="""\
The draft gives two citations side by side as those of one case, but in the library they belong to two
cases with different names. The citation that does not belong to the name in the draft is reported. The
related information opens both cases.""",
)


def check_parallels(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each mention whose parallel citations belong to different cases."""
    for assessment in assess_excerpt(excerpt, token):
        for fact in assessment.facts:
            if fact.fault == "parallel":
                found = dict(find_cases(excerpt.snapshot, assessment.cited, 1)).values()
                cases = sorted(found, key=lambda each: each.name != fact.recorded)
                opened = tuple(one for case in cases for one in find_beginning(excerpt.snapshot, case))
                yield Problem(fact.span, PARALLEL_MISMATCH.code, fact.reason, cases[0].id, opened)


CHECKS = (
    LocalCheck((DECISION_MISMATCH,), check_decisions),
    LocalCheck((NAME_MISMATCH, NAME_SPELLING), check_names),
    LocalCheck((PARALLEL_MISMATCH,), check_parallels),
)
