"""Report citations that the library does not hold or that cannot be, and offer what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, as_cited, find_beginning
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.near_misses import NearMiss
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

NOT_IN_LIBRARY = DiagnosticRule(
    code="not-in-library",
    severity="information",
    order=10,
    said_once=True,
    filing="warning",
    help="A citation of an authority that your library does not hold.",
    documentation="""\
The citation was read and understood, but no document of the library carries it. lexls knows only the
library it was given, so this says nothing about whether the authority exists: add its text to a library
folder and the message goes away, usually within a second.

It is reported once for each authority, where the draft cites it in full first. Short forms (*supra*, *id.*,
a bare section) follow the full citation they stand for and are not reported again. If the authority is in
the library and the message stays, the document's own citation was not recognised: give it in the front
matter (`citation:`, `parallel_citations:`), or declare the citation's form in `lexls.toml` under
`[[citations.forms]]`.

Where the library may hold what was meant, the message asks, and a quick fix puts it in: an Act of another
year, another number of a judgment between the same parties. For a citation without a name the fixes are
offered, and the message stays silent. Where only the name and the year agree, the message says what the
library has under that name: it may be another decision between the same parties.""",
)

CITATION_NUMBER = DiagnosticRule(
    code="citation-number",
    severity="warning",
    order=15,
    filing="error",
    help="A case that the library holds, cited with a number that is not its own.",
    documentation="""\
The library holds a case of that name and those years, and its citation is the one in the draft but for a
slip: a digit wrong, missing or swapped, a few pages off, the numbers in the wrong order, the report or its
series. Where the name has both parties of the case, or no year is given, it is also reported if volume or
page is another one altogether; and so is what stands right beside a correct citation of the case and differs
from its other one in a single number, or has the right numbers under another year. The message gives the
citation that the case has, and a quick fix puts it in.

Two decisions between the same parties are not confused: nothing is reported where the numbers are those that
courts give their judgments of a year, one after another, and lie that close together; that is asked as of a
citation that is not in the library.""",
)

IMPOSSIBLE_CITATION = DiagnosticRule(
    code="impossible-citation",
    severity="warning",
    order=30,
    filing="error",
    help="A year, volume or court that the report or neutral citation cannot have.",
    documentation="""\
The court gave no neutral citations in that year, the report had not begun or had ended, the volume
belongs to other years, or the year is still to come. It is reported only where the report's own years are
known, and never of a citation that the library holds, or of a volume and year that several of its documents
cite. Where the library has an authority a slip away, it is offered as for a citation that is not in the
library.""",
)

_NUMBER = re.compile(r"\d+")


def check_held(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each authority that the paragraph cites in full and the library does not have, and each citation
    of one that it has whose number is another.

    While the library is being read for the first time, nobody knows what it does not have. What cannot be a
    citation at all is reported as that.
    """
    if not excerpt.library.complete:
        return
    snapshot = excerpt.snapshot
    impossible_told = snapshot.settings.severities.get(IMPOSSIBLE_CITATION.code) != "off"
    told: set[str] = set()
    for assessment in assess_excerpt(excerpt, token):
        faults = {fact.fault for fact in assessment.facts}
        if impossible_told and "impossible" in faults and assessment.absence:
            continue
        if (meant := assessment.misnumbered) is not None:
            citation, near = meant
            fix = _fix(snapshot, citation, near, alone=True)
            related = find_beginning(snapshot, near.authority)
            message = f"{near.authority.name} is {near.citation}, not {as_cited(snapshot, citation)}"
            yield Problem(citation.core, CITATION_NUMBER.code, message, near.authority.id, related, (fix,))
        elif assessment.absence == "missing" and (cited := assessment.offer.citation) is not None:
            if cited.key in told:
                continue
            told.add(cited.key)
            fixes = _list_fixes(snapshot, cited, assessment.offer.near)
            meant_id = assessment.offer.authority
            yield Problem(cited.core, NOT_IN_LIBRARY.code, assessment.reason, meant_id, fixes=fixes)


def _list_fixes(snapshot: Snapshot, citation: Citation, near: Sequence[NearMiss]) -> tuple[Fix, ...]:
    return tuple(_fix(snapshot, citation, each, len(near) == 1) for each in near if each.citation)


def _fix(snapshot: Snapshot, citation: Citation, near: NearMiss, alone: bool) -> Fix:
    written = _in_manner_of(as_cited(snapshot, citation), near.citation)
    title = f"Change to {written}"
    if not near.named or near.slip == "name":
        title = f"{title} ({near.authority.name})"
    edit = Edit(citation.core, snapshot.draft.format.escape(written))
    return Fix(title, (edit,), preferred=alone and (near.certain or (near.named and near.slip == "number")))


def _in_manner_of(written: str, citation: str) -> str:
    """A citation spaced and punctuated as the draft writes the one that only differs from it in numbers."""
    numbers = _NUMBER.findall(citation)
    if len(numbers) != len(_NUMBER.findall(written)):
        return citation
    values = iter(numbers)
    changed = _NUMBER.sub(lambda _: next(values), written)
    return changed if fold(changed) == fold(citation) else citation


def check_possible(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each full citation that cannot be, unless the library has an authority with it."""
    snapshot = excerpt.snapshot
    for assessment in assess_excerpt(excerpt, token):
        found = assessment.offer
        for fact in assessment.facts:
            if fact.fault != "impossible":
                continue
            fixes: tuple[Fix, ...] = ()
            if found.citation is not None and found.citation.core == fact.span:
                fixes = _list_fixes(snapshot, found.citation, found.near)
            message = f"{fact.reason}{found.question if fixes else ''}"
            yield Problem(fact.span, IMPOSSIBLE_CITATION.code, message, fixes=fixes)


CHECKS = (
    LocalCheck((NOT_IN_LIBRARY, CITATION_NUMBER), check_held),
    LocalCheck((IMPOSSIBLE_CITATION,), check_possible),
)
