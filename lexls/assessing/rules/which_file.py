"""Report citations that a file of the library may be, and let the user say which file it is."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.absence import describe_unclear, find_unclear
from lexls.assessing.assess import Assessment, assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, as_named
from lexls.assessing.excerpt import Excerpt
from lexls.index.records import Authority
from lexls.index.unclear import list_missing
from lexls.reading.edit import Fix
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

WHICH_FILE = DiagnosticRule(
    code="which-file",
    severity="information",
    filing="warning",
    order=13,
    said_once=True,
    help="A case that a file of the library may be, which lexls cannot tell.",
    documentation="""\
Two files fit the name, court and year that the draft gives, and they are different decisions. Or a file has
the name, and its title, court or date could not be read. lexls compares the citation with neither.

A quick fix for each file says that it is the case cited. It writes the draft's citation into the front matter
of a text or Markdown file, and into `metadata.csv` in the folder of any other. The file is read again and is
found by that citation from then on, in every draft. Take the line out to undo it.""",
)


def check_files(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each full citation that several files fit, or one that does not say which case it is."""
    snapshot = excerpt.snapshot
    for assessment in assess_excerpt(excerpt, token):
        if assessment.full is not None:
            continue
        files = _list_files(excerpt, assessment)
        if not files:
            continue
        reason = assessment.reason if assessment.authority is None else describe_unclear(files)
        keys = tuple(dict.fromkeys(each.citation.key for each in assessment.cited if each.citation.key))
        fixes = tuple(
            Fix(f"Say that {each.relative} is {keys[0]}", (), False, (each.id, keys))
            for each in files
            if not each.part
        )
        message = f"{as_named(snapshot, assessment.citation)}: {reason}"
        yield Problem(assessment.citation.core, WHICH_FILE.code, message, fixes=fixes)


def _list_files(excerpt: Excerpt, assessment: Assessment) -> list[Authority]:
    """Return the files that may be the case of a mention, if lexls cannot tell."""
    if assessment.absence == "several":
        rivals = next(each.rivals for each in assessment.cited if each.rivals)
        found = map(excerpt.library.catalogue.get, rivals)
        return [each for each in found if each is not None]
    if assessment.absence == "unclear":
        return find_unclear(excerpt.snapshot, assessment.cited)
    authority = assessment.authority
    unclear = authority is not None and not assessment.is_identified and list_missing(authority)
    return [authority] if authority is not None and unclear else []


CHECKS = (LocalCheck((WHICH_FILE,), check_files),)
