"""Report citations that the library does not hold or that cannot be, and offer what was meant."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexls.assessing.check import Excerpt, LocalCheck, Problem, as_cited, as_named, find_beginning
from lexls.assessing.near_misses import NearMiss, find_misnumbered, find_near_misses
from lexls.citations.grammar import find_impossibility
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.wording.descriptions import tell_codified

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

IS_MISSING = "is not in your library"
"""What is said of an authority that the library does not hold."""
_CALLED = re.compile(r"(?:[A-Z][a-z.]|[A-Z.&]+) Act")


def check_held(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each authority that the paragraph cites in full and the library does not hold.

    While the library is being read for the first time, nobody knows what it does not hold. What cannot be a
    citation at all is told by the check of that.
    """
    if not excerpt.library.complete:
        return
    snapshot = excerpt.snapshot
    impossible_told = snapshot.settings.severities.get(IMPOSSIBLE_CITATION.code) != "off"
    reported: set[int] = set()
    told: set[str] = set()
    titles = _held_titles(excerpt)
    for resolution in excerpt.cited:
        citation = resolution.citation
        meant = find_misnumbered(snapshot, resolution)
        if meant is not None:
            yield _misnumbered(snapshot, citation, meant, (_fix(snapshot, citation, meant, alone=True),))
            reported.update({citation.group} - {0})
            continue
        if resolution.authorities or citation.form != "full" or not citation.key:
            continue
        if citation.kind == "statute" and _CALLED.fullmatch(citation.key):  # what the draft calls an Act
            continue
        if citation.kind == "contract":  # an exhibit: the record's, not the law's
            continue
        if _begins_held_title(excerpt, citation, titles) or _is_held_by_number(excerpt, citation):
            continue
        if citation.group:
            if citation.group in reported:
                continue
            reported.add(citation.group)
        if citation.key in told or (impossible_told and explain_impossible(snapshot, citation)):
            continue
        told.add(citation.key)
        token.raise_if_cancelled()
        found = offer(excerpt, citation)
        if found.certain is not None:
            yield _misnumbered(snapshot, found.citation, found.certain, found.fixes)
            continue
        named = as_named(snapshot, citation) if citation.kind == "case" else citation.key
        elsewhere = tell_codified(excerpt.library, citation)
        message = f"{named} {IS_MISSING}{elsewhere or found.question}"
        span = found.citation.core
        yield Problem(span, NOT_IN_LIBRARY.code, message, found.authority, fixes=found.fixes)


def _misnumbered(snapshot: Snapshot, citation: Citation, meant: NearMiss, fixes: tuple[Fix, ...]) -> Problem:
    message = f"{meant.authority.name} is {meant.citation}, not {as_cited(snapshot, citation)}"
    related = find_beginning(snapshot, meant.authority)
    return Problem(citation.core, CITATION_NUMBER.code, message, meant.authority.id, related, fixes)


def _held_titles(excerpt: Excerpt) -> Sequence[str]:
    """The titles of what the paragraph cites and the library holds."""
    held = dict.fromkeys(number for each in excerpt.cited for number in each.authorities[:1])
    found = (excerpt.library.catalogue.get(number) for number in held)
    return [authority.title for authority in found if authority is not None]


def _begins_held_title(excerpt: Excerpt, citation: Citation, titles: Sequence[str]) -> bool:
    """Whether an Act is named in the title of an instrument that is cited here and held.

    "Grain Act 1998 (Commencement) Order 1999, SI 1999/3" cites the Order alone.
    """
    if citation.kind == "case" or not titles:
        return False
    written = excerpt.snapshot.draft.masked[citation.core.start : citation.core.start + _LONGEST_TITLE]
    written = " ".join(written.split())
    for title in titles:
        _, named, rest = title.partition(citation.key)
        if named and rest.strip() and written.startswith(f"{named}{rest}"):
            return True
    return False


def _is_held_by_number(excerpt: Excerpt, citation: Citation) -> bool:
    """Whether an Act's name stands before its number, by which the library has it: "… Act, Pub. L. …"."""
    if citation.kind != "statute":
        return False
    end = citation.span.end
    following = bisect_left(excerpt.cited, end, key=lambda each: each.citation.span.start)
    for place in range(following, len(excerpt.cited)):
        resolution = excerpt.cited[place]
        behind = resolution.citation
        if behind.span.start > end + len(_JOINED):
            return False
        if behind.kind == "statute" and excerpt.snapshot.draft.masked[end : behind.span.start] == _JOINED:
            if resolution.authorities:
                return True
            end = behind.span.end
    return False


_JOINED = ", "
_LONGEST_TITLE = 400
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Offer:
    """The citation of a mention that something in the library is near; ``authority`` is the one meant in all
    likelihood.

    ``certain`` is what was meant if there is no doubt of it. ``question`` is to be added to a message:
    "; did you mean …?", "" if nothing is likely enough to say so.
    """

    citation: Citation
    authority: int | None
    question: str
    fixes: tuple[Fix, ...]
    certain: NearMiss | None = None


def offer(excerpt: Excerpt, citation: Citation) -> Offer:
    """What may be offered for a mention that names no authority of the library, by any of its citations."""
    snapshot = excerpt.snapshot
    meant: tuple[Citation, Sequence[NearMiss]] = (citation, ())
    for each in excerpt.group(citation):
        near = find_near_misses(snapshot, each.citation)
        if near and (not meant[1] or (meant[1][0].slip == "name" and near[0].slip != "name")):
            meant = each.citation, near
    found = tuple(meant[1])
    fixes = tuple(_fix(snapshot, meant[0], each, len(found) == 1) for each in found)
    authority = found[0].authority.id if len(found) == 1 and found[0].named else None
    certain = found[0] if len(found) == 1 and found[0].certain else None
    return Offer(meant[0], authority, _question(found), fixes, certain)


def _question(near: Sequence[NearMiss]) -> str:
    if near and near[0].slip == "name":
        return f"; it has {near[0].authority.name} as {near[0].citation}"
    words = [each.citation for each in near if each.named and each.slip != "name"]
    if not words:
        return ""
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return f"; did you mean {listed}?"


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
    """A problem for each full citation that cannot be, unless the library holds an authority with it."""
    for resolution in excerpt.cited:
        token.raise_if_cancelled()
        citation = resolution.citation
        if resolution.by == "citation":
            continue
        reason = explain_impossible(excerpt.snapshot, citation)
        if reason:
            found = offer(excerpt, citation)
            fixes = found.fixes if found.citation is citation else ()
            message = f"{as_cited(excerpt.snapshot, citation)}: {reason}{found.question if fixes else ''}"
            yield Problem(citation.core, IMPOSSIBLE_CITATION.code, message, fixes=fixes)


def explain_impossible(snapshot: Snapshot, citation: Citation) -> str:
    """Why the report or court cannot have such a citation, "" if nothing certain speaks against it.

    What is known of the years of volumes gives way to what the library shows.
    """
    grammar = snapshot.searcher.grammar
    reason = find_impossibility(citation, grammar) if grammar is not None else ""
    if reason and citation.year is not None and snapshot.library.graph.attests(citation.key, citation.year):
        return ""
    return reason


CHECKS = (
    LocalCheck((NOT_IN_LIBRARY, CITATION_NUMBER), check_held),
    LocalCheck((IMPOSSIBLE_CITATION,), check_possible),
)
