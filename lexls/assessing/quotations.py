"""Compare each quotation of a draft with the authority to which it is attributed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Literal

from lexls.assessing.absence import find_unclear
from lexls.assessing.amendments import was_rewritten
from lexls.assessing.check import as_named
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.near_misses import find_misnumbered, find_near_misses
from lexls.assessing.pinpoints import CHECKED_KINDS, find_label, has_pages_cited, is_excerpt, name_cited
from lexls.citations.model import Pinpoint
from lexls.index.records import Authority
from lexls.library.places import list_enclosing
from lexls.quotations.attribution import Attribution, attribute, attribute_block
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.authority_texts import compare_with, prepare_text
from lexls.quotations.block_facts import QuotedBlock, find_blocks
from lexls.quotations.compare import compare, find_places
from lexls.quotations.comparison import VERDICTS, Comparison
from lexls.quotations.introductions import is_of_an_act
from lexls.quotations.paragraph_facts import read_paragraph
from lexls.quotations.quotation import read_items
from lexls.quotations.speakers import lacks_majority
from lexls.quotations.stitched import StitchedPiece, find_stitched
from lexls.reading.draft import Draft
from lexls.reading.quotations import Quotation, find_quotations
from lexls.reading.resolve import Resolution, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span
from lexls.wording.place_words import write_pinpoint

FEWEST = 4
"""Minimum number of words for a quotation to be compared; a shorter one may only be a term of art."""
_FEWEST_ABSENT = 6
"""Minimum number of words for a quotation to be reported as absent from the authority."""
_FEWEST_PIECE = 8
"""Minimum number of words of a fragment of a quotation; shorter ones may match by chance."""
_NOTHING = 0.4
"""Maximum share of a quotation's words that another authority may contain by coincidence."""
_RUN = 4
"""Minimum number of consecutive words shared with an authority for them not to be a coincidence."""
_OFTEN = 8
"""Number of occurrences in an authority from which consecutive words count as a set phrase, which proves
nothing.
"""
_WEAK_SHARE = 0.75
"""Minimum share of a loosely attributed quotation's words that the authority must have."""
_QUOTING = re.compile(r"\b(?:quoting|quoted|citing|cited)\b")
_SEPARATE = re.compile(r"\b(?:dissent|concurr)", re.IGNORECASE)
_NEAR = 160
"""Code points around a quotation and its citation that are searched for words naming the speaker."""
_PIECE = re.compile(r"[^.;:?!…\[\]()\n]{20,400}")
_MOST_PIECES = 40
_LONGEST_PLACE = 20_000
"""Maximum length of a pinpoint's text, in code points, for a quotation to be compared with it directly."""


Outcome = Literal[
    "unattributed",
    "miscited",
    "unconfirmed",
    "not-in-library",
    "as-in-authority",
    "differs",
    "absent",
    "stitched",
    "doubtful",
]
"""The result of checking a quotation. ``miscited``: the citation is wrong, and the authority that was meant
is known. ``unconfirmed``: a file may be the authority, but nothing confirms it. ``stitched``: distant
passages of the authority are joined without an ellipsis. ``doubtful``: the words may not come from the
authority with which they were compared.
"""


@dataclass(frozen=True, slots=True)
class Compared:
    """A quotation compared with one authority. The citation of ``resolution`` attributes the
    quotation to it.
    """

    resolution: Resolution
    authority: Authority
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Words that the authority does not have at the pinpoint, but elsewhere: at ``labels`` (spans ``places``
    of its text).
    """

    authority: Authority
    pinpoint: Pinpoint
    labels: tuple[str, ...]
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class QuotationAssessment:
    """The result of checking a quotation: its attribution, and how its words compare with the authority's.

    ``named`` is the attributed authority, as the draft names it. ``best`` is the comparison with the cited
    authority that agrees most, None if none is in the library. ``misplaced`` is set if the words are not at
    the pinpoint. ``held_in`` are the authorities that have the words, each with the place. ``pieces`` are the
    parts of a stitched quotation.
    """

    quotation: Quotation
    attribution: Attribution | None
    outcome: Outcome
    named: str = ""
    best: Compared | None = None
    misplaced: Misplaced | None = None
    held_in: tuple[tuple[Authority, Span | None], ...] = ()
    pieces: tuple[StitchedPiece, ...] = ()


def assess_quotation(
    snapshot: Snapshot, quotation: Quotation, attribution: Attribution | None
) -> QuotationAssessment:
    """Compare a quotation with its attributed authorities; cached for each version of the draft."""
    key = "quotation", quotation.outer, snapshot.library.path, snapshot.library.generation
    return snapshot.draft.once(key, lambda: _assess(snapshot, quotation, attribution))


def _assess(snapshot: Snapshot, quotation: Quotation, attributed: Attribution | None) -> QuotationAssessment:
    made = partial(QuotationAssessment, quotation, attributed)
    if attributed is None or not attributed.cited:
        return made("unattributed")
    named = as_named(snapshot, attributed.cited[0].citation)
    compared = list(_compared(snapshot, quotation, attributed.cited))
    best = _best(compared)
    if len(compared) > 1 and best is not None and best.comparison.verdict == "absent":
        best = _best(list(_compared(snapshot, quotation, attributed.cited, closely=True)))
    if best is None:
        return made(*_explain_unheld(snapshot, attributed.cited, named))
    unknown = any(not each.is_comparable for each in attributed.cited)
    if best.comparison.verdict in ("verbatim", "lawful"):
        misplaced = None
        if not unknown and not attributed.elsewhere:
            cited = [(each.resolution, each.authority) for each in compared]
            misplaced = _find_misplaced(snapshot, quotation, cited, attributed.others)
        held = [each for each in compared if each.comparison.verdict in ("verbatim", "lawful")]
        places = tuple((each.authority, each.comparison.place) for each in held) if not unknown else ()
        return made("as-in-authority", named, best, misplaced, places)
    if _is_doubtful(snapshot, quotation, attributed, best):
        return made("doubtful", named, best)
    if best.comparison.verdict == "absent":
        text = prepare_text(snapshot.quoted, snapshot.library, best.authority)
        if pieces := find_stitched(text, quotation.text):
            return made("stitched", named, best, pieces=pieces)
        return made(
            "absent" if _is_absent(snapshot, quotation, attributed, best) else "doubtful", named, best
        )
    return made("differs" if _is_told(snapshot, quotation, attributed, best) else "doubtful", named, best)


def _explain_unheld(snapshot: Snapshot, cited: Sequence[Resolution], named: str) -> tuple[Outcome, str]:
    """Return the outcome for a quotation of which no cited authority was compared, and a text about it: the
    error in its citation, or the authority's name.
    """
    draft, library = snapshot.draft, snapshot.library
    fulls = [draft.antecedent_of(each.citation) or each.citation for each in cited]
    resolved = [resolve(library, draft, each) for each in fulls]
    for each in resolved if library.complete else ():
        meant = find_misnumbered(snapshot, each)
        if meant is None and not each.authorities:
            near = find_near_misses(snapshot, each.citation)
            meant = near[0] if len(near) == 1 and near[0].certain else None
        if meant is not None:
            return "miscited", f"{meant.authority.name} is {meant.citation}, not {each.citation.key}"
    unconfirmed = any(each.authorities or each.rivals for each in resolved)
    return "unconfirmed" if unconfirmed or find_unclear(snapshot, resolved) else "not-in-library", named


def _is_doubtful(snapshot: Snapshot, quotation: Quotation, attributed: Attribution, best: Compared) -> bool:
    """Return whether a quotation that differs may not come from the compared authority at all."""
    other = _best(list(_compared(snapshot, quotation, attributed.others)))
    if other is not None and _rank(other) < _rank(best):
        if other.comparison.verdict in ("verbatim", "lawful", "spelling"):
            return True
        if other.comparison.verdict != "absent" and best.comparison.verdict == "absent":
            return True
    return _may_be_anothers(snapshot, quotation, attributed, best) or _lacks_majority(
        snapshot, best.authority
    )


def _lacks_majority(snapshot: Snapshot, authority: Authority) -> bool:
    library = snapshot.library
    key = "lacks majority", authority.id, library.path, library.generation
    return bool(snapshot.quoted.found.recall(key, lambda: lacks_majority(library, authority.id)))


def _is_absent(snapshot: Snapshot, quotation: Quotation, attributed: Attribution, best: Compared) -> bool:
    """Return whether the authority to which the words are attributed certainly does not have them."""
    return (
        (attributed.strong or attributed.alone)
        and all(each.is_comparable for each in attributed.cited)
        and quotation.words >= _FEWEST_ABSENT
        and (
            (attributed.strong and quotation.text.lstrip("‘'[")[:1].isupper())  # a whole sentence
            or not _has_run(snapshot, quotation, best.authority)
            or _shares_nothing(snapshot, quotation, best.authority)
        )
        and not _some_of_it(snapshot, quotation, best.authority)
        and not _may_be_several(snapshot, best.authority)
        and not _may_be_a_judges(snapshot, quotation, best)
        and not _is_said_of_an_act(snapshot, quotation, best)
        and not _may_be_of_former_words(snapshot, best)
        and not is_excerpt(snapshot.library.contents.list_labels(best.authority.id, "section"))
    )


def _is_told(snapshot: Snapshot, quotation: Quotation, attributed: Attribution, best: Compared) -> bool:
    """Return whether the attribution is certain enough to report a difference."""
    weak = best.comparison.share < _WEAK_SHARE
    if weak and (not attributed.strong or _is_said_of_an_act(snapshot, quotation, best)):
        return False
    return quotation.words >= _FEWEST_TOLD or ((attributed.strong or attributed.alone) and not weak)


_FEWEST_TOLD = 7
"""Minimum number of words of a loosely attributed quotation for its differences to be reported."""


def find_attributions(excerpt: Excerpt) -> Iterator[tuple[Quotation, Attribution | None]]:
    """Yield the quotations between marks in a paragraph, each with its attribution or None, if they are long
    enough to compare.
    """
    snapshot = excerpt.snapshot
    found = find_quotations(snapshot.draft, excerpt.paragraph)
    if not any(quotation.words >= FEWEST for quotation in found):
        return
    paragraph = read_paragraph(
        snapshot.draft.masked,
        excerpt.paragraph,
        found,
        excerpt.cited,
        excerpt.marks,
        excerpt.cited_in_notes,
    )
    for quotation in found:
        if quotation.words >= FEWEST:
            yield quotation, attribute(paragraph, quotation)


def list_blocks(draft: Draft) -> tuple[QuotedBlock, ...]:
    """Return the block quotations of a draft; cached for each version of the draft."""
    return draft.once("quoted blocks", lambda: tuple(find_blocks(draft)))


def find_block_attributions(
    snapshot: Snapshot, near: Sequence[Span] | None = None
) -> Iterator[tuple[Quotation, Attribution | None]]:
    """Yield the block quotations, each with its attribution or None. If the spans ``near`` are given, only
    block quotations next to them.
    """
    draft = snapshot.draft
    for block in list_blocks(draft):
        if near is not None and not any(block.region.overlaps(each) for each in near):
            continue
        key = "block", block.place, snapshot.library.path, snapshot.library.generation
        quotation, attributed = draft.once(key, partial(attribute_block, snapshot, block))
        if quotation.words >= FEWEST:
            yield quotation, attributed


_FEWEST_PLACED = 6
"""Minimum number of words for a quotation to identify a single place in an authority."""


def _find_misplaced(
    snapshot: Snapshot,
    quotation: Quotation,
    cited: Sequence[tuple[Resolution, Authority]],
    others: Sequence[Resolution],
) -> Misplaced | None:
    """Return where the cited authorities have the words; None if one of them has the words at its pinpoint,
    or none has them. Also None if a section with the words is cited after them (by one of ``others``),
    since it may be their source.
    """
    if quotation.words < _FEWEST_PLACED:
        return None
    wrong: list[tuple[Authority, Pinpoint, list[Span]]] = []
    for resolution, authority in cited:
        found = find_places(prepare_text(snapshot.quoted, snapshot.library, authority), quotation.text)
        if not found:
            continue
        pinpoint = resolution.citation.pinpoint
        if pinpoint is None or is_at_pinpoint(snapshot, resolution, authority, found):
            return None
        wrong.append((authority, pinpoint, found))
    for authority, pinpoint, found in wrong[:1]:
        known = (find_label(snapshot, authority, pinpoint.kind, span.start) for span in found)
        labels = list(dict.fromkeys(filter(None, known)))
        if not labels or any(each in labels for label in pinpoint.labels for each in list_enclosing(label)):
            return None  # the words that begin or end a section go with each of its parts
        behind = (each for each in others if each.citation.core.start >= quotation.outer.end)
        near = {label for each in behind if authority.id in each.authorities for label in _sections_of(each)}
        if any(label in near or near.intersection(list_enclosing(label)) for label in labels):
            return None
        return Misplaced(authority, pinpoint, tuple(labels), tuple(found))
    return None


def is_at_pinpoint(
    snapshot: Snapshot, resolution: Resolution, authority: Authority, found: Sequence[Span]
) -> bool:
    """Return whether one of the ``found`` spans of an authority is at the citation's pinpoint. True also if
    this cannot be decided.
    """
    pinpoint = resolution.citation.pinpoint
    if pinpoint is None or pinpoint.kind not in CHECKED_KINDS:
        return True
    pages = snapshot.library.contents.list_labels(authority.id, "page")
    if pinpoint.kind == "page" and not has_pages_cited(snapshot, resolution, pages):
        return True
    named = snapshot.library.contents.find_places(authority.id, pinpoint, fallback=True)
    return not named or any(
        place.start < span.end and span.start < place.end for place in named for span in found
    )


def describe_misplaced(misplaced: Misplaced) -> str:
    """Describe where the words are, and where the draft says they are."""
    pinpoint, authority = misplaced.pinpoint, misplaced.authority
    write = partial(write_pinpoint, pinpoint.kind, jurisdiction=authority.jurisdiction)
    right = " and ".join(map(write, misplaced.labels[:3]))
    given = ", ".join(map(write, pinpoint.labels))
    return f"these words are at {right} of {name_cited(authority)}, not at {given}"


def _sections_of(resolution: Resolution) -> Sequence[str]:
    pinpoint = resolution.citation.pinpoint
    return pinpoint.labels if pinpoint is not None and pinpoint.kind == "section" else ()


def _compared(
    snapshot: Snapshot, quotation: Quotation, cited: Sequence[Resolution], *, closely: bool = False
) -> Iterator[Compared]:
    seen: set[int] = set()
    for resolution in cited:
        for document in resolution.authorities if resolution.is_comparable else ():
            authority = snapshot.library.catalogue.get(document)
            if authority is None or document in seen:
                continue
            seen.add(document)
            comparison = compare_with(
                snapshot.quoted, snapshot.library, authority, quotation.text, closely=closely
            )
            if comparison.verdict not in ("verbatim", "lawful", "absent"):
                comparison = _at_pinpoint(snapshot, quotation, resolution, authority, comparison)
            yield Compared(resolution, authority, comparison)


def _at_pinpoint(
    snapshot: Snapshot, quotation: Quotation, cited: Resolution, authority: Authority, found: Comparison
) -> Comparison:
    """Return the comparison with the text at the pinpoint if it is no worse than ``found``; otherwise
    ``found``.
    """
    pinpoint = cited.citation.pinpoint
    if pinpoint is None or pinpoint.kind not in CHECKED_KINDS or found.place is None:
        return found
    places = snapshot.library.contents.find_places(authority.id, pinpoint)
    at = Span(places[0].start, places[0].end) if len(places) == 1 else found.place
    if len(at) > _LONGEST_PLACE or at.overlaps(found.place):
        return found
    text = prepare_text(snapshot.quoted, snapshot.library, authority).source
    there = compare(AuthorityText(at.of(text)), quotation.text)
    if there.verdict == "absent" or there.share < found.share or there.place is None:
        return found
    if len(there.differences) > len(found.differences):
        return found
    moved = tuple(replace(each, original=each.original.shift(at.start)) for each in there.differences)
    return replace(there, differences=moved, place=there.place.shift(at.start))


def _may_be_anothers(
    snapshot: Snapshot, quotation: Quotation, attributed: Attribution, best: Compared
) -> bool:
    """Return whether the words may come from a cited authority that is not in the library. Either it is the
    nearest one cited, or it quotes the one compared: "“…” *Nobody v Someone* [2013] ACA 77, quoting
    *Carrow*".
    """

    def is_anothers(each: Resolution) -> bool:
        mates = each.citation.group and each.citation.group == best.resolution.citation.group
        return not each.authorities and not mates

    nearest = min(attributed.cited, key=lambda each: _distance(each.citation.core, quotation.outer))
    if is_anothers(nearest):
        return True
    first = attributed.cited[0]
    between = snapshot.draft.masked[first.citation.core.end : best.resolution.citation.core.start]
    return is_anothers(first) and _QUOTING.search(between) is not None


def _distance(one: Span, other: Span) -> int:
    """Return the number of code points between two spans."""
    return max(one.start - other.end, other.start - one.end)


def _may_be_a_judges(snapshot: Snapshot, quotation: Quotation, best: Compared) -> bool:
    """Return whether the draft mentions a separate opinion near the quotation. The library's copy may lack
    that opinion.
    """
    start = min(quotation.outer.start, best.resolution.citation.span.start) - _NEAR
    end = max(quotation.outer.end, best.resolution.citation.span.end) + _NEAR
    return _SEPARATE.search(snapshot.draft.masked[max(0, start) : end]) is not None


def _is_said_of_an_act(snapshot: Snapshot, quotation: Quotation, best: Compared) -> bool:
    """Return whether the words near an Act's name may not be the Act's: "valid under § 2: “There are …”".
    They are the Act's if its citation follows them, or if the draft says so: "§ 2 provides that “…”".
    """
    citation = best.resolution.citation
    if citation.kind != "statute" or (citation.span.start >= quotation.outer.end and citation.form != "id"):
        return False
    start = max(quotation.outer.start - _NEAR, min(citation.span.end, quotation.outer.start))
    return not is_of_an_act(snapshot.draft.masked[start : quotation.outer.start])


def _may_be_of_former_words(snapshot: Snapshot, best: Compared) -> bool:
    """Return whether a code's notes say that the cited section was rewritten."""
    pinpoint = best.resolution.citation.pinpoint
    if best.authority.kind != "statute" or pinpoint is None or pinpoint.kind != "section":
        return False
    return any(was_rewritten(snapshot.library, best.authority.id, label) for label in pinpoint.labels)


def _may_be_several(snapshot: Snapshot, authority: Authority) -> bool:
    """Return whether an authority has two numbers of one series, and so may contain two decisions."""
    keys = snapshot.library.catalogue.keys_of(authority.id)
    series = ["".join(filter(str.isalpha, each)) for each in keys]
    return not authority.citations and len(set(series)) < len(series)


def _some_of_it(snapshot: Snapshot, quotation: Quotation, authority: Authority) -> bool:
    """Return whether the authority has a fragment of the quotation. If so, the words are rearranged rather
    than absent.
    """
    text = prepare_text(snapshot.quoted, snapshot.library, authority)
    pieces = [each.group() for each in _PIECE.finditer(quotation.text)]
    long = [each for each in pieces if len(each.split()) >= _FEWEST_PIECE]
    return any(find_places(text, each) for each in long[:_MOST_PIECES])


def _has_run(snapshot: Snapshot, quotation: Quotation, authority: Authority) -> bool:
    """Return whether the authority has some consecutive words of a quotation. Single words and phrases that
    the authority repeats often do not count, since they may be a coincidence.
    """
    text = prepare_text(snapshot.quoted, snapshot.library, authority)
    words = [each.norm for each in read_items(quotation.text) if each.kind == "word"]
    runs = (" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
    return any(0 < len(list(islice(text.find(each), _OFTEN))) < _OFTEN for each in runs)


def _shares_nothing(snapshot: Snapshot, quotation: Quotation, authority: Authority) -> bool:
    """Return whether no place in the authority shares more of the quotation's words than chance would
    explain.
    """
    found = compare_with(snapshot.quoted, snapshot.library, authority, quotation.text, closely=True)
    return found.share <= _NOTHING


def _best(compared: Sequence[Compared]) -> Compared | None:
    return min(compared, key=_rank, default=None)


def _rank(compared: Compared) -> tuple[int, float, int]:
    comparison = compared.comparison
    verdict = VERDICTS.index(comparison.verdict)
    return verdict, -comparison.share, len(comparison.differences)
