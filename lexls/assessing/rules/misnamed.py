"""Report case names that are misspelt or another case's, and parallel citations of different cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from lexls.assessing.check import Excerpt, LocalCheck, Problem, as_cited, find_beginning
from lexls.assessing.fact import Fact
from lexls.assessing.names import are_apart, compare_names, correct_name, list_cases
from lexls.citations.case_names.compare import is_other_name, is_plainly_same_name, same_name
from lexls.citations.keys import join_spaces
from lexls.citations.model import Citation
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

PARALLEL_MISMATCH = DiagnosticRule(
    code="parallel-mismatch",
    severity="warning",
    order=40,
    filing="error",
    help="Parallel citations of one case that belong to different cases.",
    documentation="""\
Two citations stand side by side as those of one case, and the library holds them as two of different names.
It is reported at the citation that the name in the draft does not belong to. The related information opens
both.""",
)


def check_names(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Yield a problem for each full citation of a case whose name is misspelt or that of another case."""
    seen: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if citation.form != "full" or citation.kind != "case" or citation.group in seen:
            continue
        if citation.group:
            seen.add(citation.group)
        mention = excerpt.group(citation)
        held = next(((each, case) for each, case in list_cases(excerpt, mention) if case.title), None)
        if held is not None:
            for fact in compare_names(excerpt, mention, held[1], token):
                if fact.status == "differs":
                    yield _problem(excerpt, fact, *held)


def _problem(excerpt: Excerpt, fact: Fact, found: Citation, authority: Authority) -> Problem:
    snapshot = excerpt.snapshot
    cited = as_cited(snapshot, found)
    related = find_beginning(snapshot, authority)
    if fact.fault == "misspelt":
        code, message = NAME_SPELLING.code, f"{cited}: {fact.reason}"
    else:
        code, message = NAME_MISMATCH.code, f"{cited} is {authority.name}, not {fact.stated}"
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


def check_parallels(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each mention whose parallel citations are those of different cases.

    It stands at the citation that the name in the draft does not belong to, at the later of the two if that
    does not tell. A case that the library holds twice, under one citation each, is not two.
    """
    seen: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if not citation.group or citation.group in seen or citation.form != "full":
            continue
        seen.add(citation.group)
        token.raise_if_cancelled()
        mention = excerpt.group(citation)
        held = [(each, case) for each, case in list_cases(excerpt, mention, 1) if each.kind == "case"]
        for (first, authority), (second, other) in pairwise(held):
            names = [each.name for each, _ in held if each.name]
            if _different(authority, other) or _tell_apart(names, authority, other):
                if _named(held, other) and not _named(held, authority):
                    yield _parallels_problem(excerpt, first, authority, second, other)
                else:
                    yield _parallels_problem(excerpt, second, other, first, authority)
                break


def _different(one: Authority, other: Authority) -> bool:
    """Whether two authorities are certainly two cases."""
    if one.id == other.id or same_name(one.title, other.title):
        return False
    return is_other_name(one.title, other.title) or are_apart(one.year, other)


def _tell_apart(names: Sequence[str], one: Authority, other: Authority) -> bool:
    """Whether a name in the draft is that of one of two authorities, and not the other's."""
    return one.id != other.id and any(
        is_plainly_same_name(name, here.title) and not same_name(name, there.title)
        for name in names
        for here, there in ((one, other), (other, one))
    )


def _named(held: list[tuple[Citation, Authority]], authority: Authority) -> bool:
    return any(each.name and same_name(each.name, authority.title) for each, _ in held)


def _parallels_problem(
    excerpt: Excerpt, wrong: Citation, authority: Authority, right: Citation, other: Authority
) -> Problem:
    snapshot = excerpt.snapshot
    cited, parallel = as_cited(snapshot, wrong), as_cited(snapshot, right)
    message = f"{cited} is {authority.name}; {parallel} is another case, {other.name}"
    related = (*find_beginning(snapshot, authority), *find_beginning(snapshot, other))
    return Problem(wrong.core, PARALLEL_MISMATCH.code, message, authority.id, related)


CHECKS = (
    LocalCheck((NAME_MISMATCH, NAME_SPELLING), check_names),
    LocalCheck((PARALLEL_MISMATCH,), check_parallels),
)
