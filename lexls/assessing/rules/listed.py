"""Report what the user's catalogue says about cases that are not in the library."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, as_cited, write_alike
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.listing import Listing
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

IN_CATALOGUE = DiagnosticRule(
    code="in-catalogue",
    severity="information",
    order=16,
    said_once=True,
    filing="warning",
    help="A case that is in your catalogue but not in your library.",
    documentation="""\
Your catalogue (`lexls catalogue add`) lists a case with that name, year and court at that place in the
report. The library does not contain its text, so quotations and pinpoints cannot be compared. Add the
text to a library folder, and the message disappears. If this diagnostic is off, the case is reported as
`not-in-library`.""",
)

CATALOGUE_MISMATCH = DiagnosticRule(
    code="catalogue-mismatch",
    severity="warning",
    order=17,
    filing="error",
    help="A citation under which your catalogue lists another case, year or court.",
    documentation="""\
The case is not in the library, and your catalogue (`lexls catalogue add`) disagrees with the draft.
Either it lists a case with another name at that place in the report, or it lists the case there with
another court or with a year that differs by two or more. The catalogue is only as reliable as the lists
that you added. If it lists a case with that name and year elsewhere, a quick fix writes that citation. If
this diagnostic is off, the case is reported as `not-in-library`.""",
)


def check_listed(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each case that is in the catalogue but not in the library, and each citation that disagrees with
    the catalogue.
    """
    for assessment in assess_excerpt(excerpt, token):
        listing = assessment.listing
        if listing is None or assessment.full is not None:
            continue
        if listing.outcome == "same":
            yield Problem(listing.citation.core, IN_CATALOGUE.code, assessment.reason)
        fixes = list_listed_fixes(excerpt.snapshot, listing)
        for each in listing.facts:
            yield Problem(each.span, CATALOGUE_MISMATCH.code, each.reason, fixes=fixes)


def is_told(snapshot: Snapshot, listing: Listing) -> bool:
    """Return whether the catalogue's result is reported by a separate diagnostic that is not "off"."""
    rule = IN_CATALOGUE if listing.outcome == "same" else CATALOGUE_MISMATCH if listing.facts else None
    return rule is not None and snapshot.settings.severities.get(rule.code) != "off"


def list_listed_fixes(snapshot: Snapshot, listing: Listing) -> tuple[Fix, ...]:
    """Return the fixes that replace a citation by the one that the catalogue has for the case with the
    draft's name.
    """
    citation = listing.citation
    written = [write_alike(as_cited(snapshot, citation), each) for each in listing.meant]
    escape = snapshot.draft.format.escape
    return tuple(
        Fix(f"Change to {each}", (Edit(citation.core, escape(each)),), preferred=len(written) == 1)
        for each in written
    )


CHECKS = (LocalCheck((IN_CATALOGUE, CATALOGUE_MISMATCH), check_listed),)
