"""Report citations that are not in the library or are impossible, and suggest what was meant. Cases missing
from a nearly complete library get a separate diagnostic. If a library file may be the case cited, the user
can confirm that it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from lexls.assessing.absence import describe_unclear, find_unclear
from lexls.assessing.assess import Assessment, assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, Review, as_cited, as_named, find_beginning, write_alike
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.near_misses import NearMiss
from lexls.assessing.rules.listed import is_told, list_listed_fixes
from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.index.unclear import list_missing
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.wording.descriptions import describe_absence

NOT_IN_LIBRARY = DiagnosticRule(
    code="not-in-library",
    severity="information",
    order=10,
    said_once=True,
    filing="warning",
    help="A citation of an authority that is not in your library.",
    documentation="""\
lexls understood the citation, but no document in your library has it. lexls knows only your library, so
this says nothing about whether the authority exists. Add its text to a library folder, and the message
usually disappears within a second.

Each authority is reported once, at its first full citation in the draft. Short forms (*supra*, *id.*, a
bare section) follow the full citation to which they refer and are not reported again. If the authority is
in the library and the message stays, the document's own citation was not recognised. Add the citation to
the front matter (`citation:`, `parallel_citations:`), or declare its form in `lexls.toml` under
`[[citations.forms]]`.

If the library may contain what was meant, the message asks, and a quick fix inserts it: an Act of another
year, or another number of a judgment between the same parties. For a citation without a name, quick fixes
are offered, but the message does not mention them. If only the name and the year agree, the message says
what the library has under that name. It may be another decision between the same parties.""",
)

CITATION_NUMBER = DiagnosticRule(
    code="citation-number",
    severity="warning",
    order=15,
    filing="error",
    help="A case in the library that is cited with a wrong number.",
    documentation="""\
The library has a case with that name and matching years, and its citation is the draft's except for a
slip. A slip is a wrong, missing or swapped digit, a page a few pages off, numbers in the wrong order, or
a wrong report or series. The message gives the citation of the case, and a quick fix inserts it.

Some larger differences are reported too. If the name has both parties of the case, or no year is given,
volume or page may be completely different. A citation right next to a correct citation of the case is
reported if it differs from the case's other citation in a single number, or has the right numbers under
another year.

Two decisions between the same parties are not confused. Nothing is reported if the numbers are those that
courts give to their judgments of a year, one after another, and are close together. Such a citation is
treated as one that is not in the library, and the message asks whether the other was meant.""",
)

IMPOSSIBLE_CITATION = DiagnosticRule(
    code="impossible-citation",
    severity="warning",
    order=30,
    filing="error",
    help="A year, volume or court that the report or neutral citation cannot have.",
    documentation="""\
The court gave no neutral citations in that year, the report had not begun or had already ended, the
volume belongs to other years, or the year is in the future. This is reported only if the years of the
report are known. It is never reported for a citation that is in the library, or for a volume and year
that several of its documents cite. If the library has an authority whose citation differs only by a slip,
it is offered as for a citation that is not in the library.""",
)


def check_held(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each authority cited in full that is not in the library, and each citation with a wrong number.
    Nothing is reported while the library is being indexed for the first time. An impossible citation is
    reported by `check_possible` alone.
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
            listing = assessment.listing
            if cited.key in told or (listing is not None and is_told(snapshot, listing)):
                continue
            told.add(cited.key)
            fixes = _list_fixes(snapshot, cited, assessment.offer.near)
            fixes += list_listed_fixes(snapshot, listing) if listing is not None else ()
            meant_id = assessment.offer.authority
            yield Problem(cited.core, NOT_IN_LIBRARY.code, assessment.reason, meant_id, fixes=fixes)


def _list_fixes(snapshot: Snapshot, citation: Citation, near: Sequence[NearMiss]) -> tuple[Fix, ...]:
    return tuple(_fix(snapshot, citation, each, len(near) == 1) for each in near if each.citation)


def _fix(snapshot: Snapshot, citation: Citation, near: NearMiss, alone: bool) -> Fix:
    written = write_alike(as_cited(snapshot, citation), near.citation)
    title = f"Change to {written}"
    if not near.named or near.slip == "name":
        title = f"{title} ({near.authority.name})"
    edit = Edit(citation.core, snapshot.draft.format.escape(written))
    return Fix(title, (edit,), preferred=alone and (near.certain or (near.named and near.slip == "number")))


def check_possible(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each full citation that is impossible, with suggestions of what was meant."""
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


MISSING_AMONG_HELD = DiagnosticRule(
    code="missing-among-held",
    severity="warning",
    order=11,
    said_once=True,
    filing="warning",
    help="A case that is not in your library, although nearly all other cases in the draft are.",
    documentation="""\
Your library has nearly every other case this draft cites. A missing one was probably forgotten, or its
name, its number or its very existence is wrong. Look it up before you rely on it. lexls knows only your
library and does not say that there is no such case.

This finding replaces `not-in-library` in two situations. Either only one of the cases cited in full is
missing and at least four are in the library, or at least five times as many are in the library as are
missing. If it is off, such a case is reported like any other that is not in the library.""",
)

_MISSING = describe_absence(complete=True)
_HELD_BESIDE_ONE = 4
_HELD_FOR_EACH = 5
"""Number of cited cases in the library needed for each missing case, if several are missing, for them to
stand out.
"""
_OTHERS = "which holds nearly all other cases that the draft cites"


def tell_missing(snapshot: Snapshot, problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the problems. If the library has nearly all other cases of the draft, the message for each
    missing case says so, under another code.
    """
    draft = snapshot.draft
    missing: dict[Problem, str] = {}
    for each in problems:
        if each.code == NOT_IN_LIBRARY.code:
            citation = draft.citation_at(each.span.start)
            if citation is not None and citation.kind == "case":
                missing[each] = citation.key
    cases = len(set(missing.values()))
    needed = _HELD_BESIDE_ONE if cases == 1 else _HELD_FOR_EACH * cases
    stand_out = cases > 0 and _count_held(snapshot, needed) >= needed
    for each in problems:
        if stand_out and each in missing:
            said = each.message.replace(_MISSING, f"{_MISSING}, {_OTHERS}", 1)
            yield replace(each, code=MISSING_AMONG_HELD.code, message=said)
        else:
            yield each


def _count_held(snapshot: Snapshot, enough: int) -> int:
    """Return the number of cases cited in full that are in the library, at most ``enough``."""
    held: set[int] = set()
    seen: set[str] = set()
    for citation in chain.from_iterable(piece.citations for piece in snapshot.draft.citations.pieces):
        if citation.kind == "case" and citation.form == "full" and citation.key not in seen:
            seen.add(citation.key)
            held.update(snapshot.library.catalogue.find_key(citation.key)[:1])
            if len(held) >= enough:
                break
    return len(held)


WHICH_FILE = DiagnosticRule(
    code="which-file",
    severity="information",
    filing="warning",
    order=13,
    said_once=True,
    help="A case whose library file cannot be identified with certainty.",
    documentation="""\
Either two files fit the name, court and year given in the draft and are different decisions, or a file
has the name but its title, court or date could not be read. In both situations, lexls does not compare
the citation with any of these files.

Each file has a quick fix that confirms it as the case cited. The fix writes the draft's citation into the
front matter of a text or Markdown file. For any other file, it writes it into `metadata.csv` in the same
folder. lexls then reads the file again and finds it by that citation in every draft. To undo this, delete
the line.""",
)


def check_files(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each full citation that several files fit equally well, or that may belong to a file that does
    not identify its case.
    """
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
    """Return the library files that may be the case that a mention cites, if none of them certainly is."""
    if assessment.absence == "several":
        rivals = next(each.rivals for each in assessment.cited if each.rivals)
        found = map(excerpt.library.catalogue.get, rivals)
        return [each for each in found if each is not None]
    if assessment.absence == "unclear":
        return find_unclear(excerpt.snapshot, assessment.cited)
    authority = assessment.authority
    unclear = authority is not None and not assessment.is_identified and list_missing(authority)
    return [authority] if authority is not None and unclear else []


CHECKS = (
    LocalCheck((NOT_IN_LIBRARY, CITATION_NUMBER), check_held),
    LocalCheck((IMPOSSIBLE_CITATION,), check_possible),
    Review((MISSING_AMONG_HELD,), tell_missing),
    LocalCheck((WHICH_FILE,), check_files),
)
