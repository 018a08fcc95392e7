"""Report case names that are misspelt or another case's."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.assess import Assessment, assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, as_cited, find_beginning
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact
from lexls.assessing.names import correct_name
from lexls.citations.keys import join_spaces
from lexls.index.records import Authority
from lexls.reading.edit import Edit, Fix
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

NAME_MISMATCH = DiagnosticRule(
    code="name-mismatch",
    severity="warning",
    order=20,
    filing="error",
    help="A case name that is not that of the case with this citation.",
    documentation="""\
The library holds an authority with the citation, and it has another name: either the name or the
numbers are wrong. The message gives the authority's name, the quick fix writes it, and the related
information opens the authority.

Names are the same for lexls however courts and reports write them: abbreviated ("Ass'n", "Dep't", "CFTC"),
with initials, in capitals, without accents, with or without "Ltd" and "& Ors", with the parties in the other
order, as "In re", or by one party alone. A wrong letter is `name-spelling`. Where the names share a party,
and the other or a word of it is not the same, it is reported if the year is not that of the decision, or if
neither the text of the authority, but for the names of other cases in it, nor another document that cites it
has the draft's words. An office in place of a party ("State", "Commissioner") is reported if no such office
stands in the text, "State" or "United States" as a party in its beginning; a short text tells nothing of
them. What a file does not name as its citation, and only other documents call so, must be called so by more
of them than agree with the draft.""",
)

NAME_SPELLING = DiagnosticRule(
    code="name-spelling",
    severity="information",
    order=22,
    filing="warning",
    help="A case name that is spelt differently from the title of the case with this citation.",
    documentation="""\
A word of the name differs from the title's by a few letters, or is singular for plural: "Carow" for
"Carrow", "Property" for "Properties". The quick fix writes the title's spelling, and the related information
opens the authority.

Case, accents, punctuation, abbreviations of the citation manuals, initials, company suffixes and courtesies
make no difference. Nothing is reported if the authority's own text names the party as the draft does, or if
two documents of the library cite the authority with that spelling. The name then counts as not compared
unless the authority's own text has it.""",
)


def check_names(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Yield a problem for each full citation of a case whose name is misspelt or that of another case."""
    for assessment in assess_excerpt(excerpt, token):
        for fact in assessment.facts:
            if fact.fault in ("misnamed", "misspelt") and assessment.authority is not None:
                yield _problem(excerpt, fact, assessment, assessment.authority)


def _problem(excerpt: Excerpt, fact: Fact, assessment: Assessment, authority: Authority) -> Problem:
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
    """Yield the edit that writes the title's spelling, or the title itself in place of another case's."""
    draft = excerpt.snapshot.draft
    if join_spaces(fact.span.of(draft.masked)) != fact.stated:
        return
    written = correct_name(fact.stated, authority)
    yield Fix(f"Change the name to {written}", (Edit(fact.span, draft.format.escape(written)),))


CHECKS = (LocalCheck((NAME_MISMATCH, NAME_SPELLING), check_names),)
