"""Report quotations that are not as in the authority, or not at the place, that the draft gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from lexls.assessing.amendments import was_rewritten
from lexls.assessing.check import Excerpt, LocalCheck, Problem, WholeCheck
from lexls.assessing.rules.misquoted import (
    MISQUOTATION,
    PINPOINT_ELSEWHERE,
    QUOTATION_ALTERED,
    QUOTATION_SPELLING,
    QUOTATION_WORDING,
    report_absence,
    report_differences,
    report_elsewhere,
)
from lexls.assessing.rules.pinpoints import CHECKED_KINDS, is_excerpt
from lexls.assessing.rules.selective import QUOTATION_SELECTIVE, report_selective
from lexls.index.records import Authority
from lexls.quotations.attribution import Attribution, Paragraph, is_of_an_act
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.authority_texts import compare_with, prepare_text
from lexls.quotations.block_attribution import QuotedBlock, attribute_block, find_blocks
from lexls.quotations.compare import compare, find_places
from lexls.quotations.comparison import VERDICTS, Comparison
from lexls.quotations.quotation import read_items
from lexls.quotations.voices import lacks_the_courts
from lexls.reading.quotations import Quotation, find_quotations
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

RULES = (
    *(MISQUOTATION, QUOTATION_WORDING, QUOTATION_ALTERED, QUOTATION_SPELLING),
    *(QUOTATION_SELECTIVE, PINPOINT_ELSEWHERE),
)
"""What both checks may report."""
_FEWEST = 4
"""Words from which on a quotation is more than a term of art."""
_FEWEST_ABSENT = 6
"""Words from which on a quotation that is not in the authority at all is reported."""
_FEWEST_PIECE = 8
"""Words of a piece of a quotation that are no chance."""
_NOTHING = 0.4
"""The share of its words up to which a quotation has nothing in common with an authority but chance."""
_RUN = 4
"""Words side by side that an authority has of a quotation of which it has more than chance gives."""
_OFTEN = 8
"""Places from which on such words are a phrase of the authority's, and tell nothing."""
_WEAK_SHARE = 0.75
"""The share of its words that a quotation must have in common with an authority it is loosely tied to."""
_QUOTING = re.compile(r"\b(?:quoting|quoted|citing|cited)\b")
_SEPARATE = re.compile(r"\b(?:dissent|concurr)", re.IGNORECASE)
_NEAR = 160
"""Code points around a quotation and its citation in which the draft says whose words they are."""
_PIECE = re.compile(r"[^.;:?!…\[\]()\n]{20,400}")
_MOST_PIECES = 40
_LONGEST_PLACE = 20_000
"""Code points of a place that a pinpoint names in which its quotation is looked for first."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A quotation compared with an authority that it is attributed to by the citation of ``resolution``."""

    resolution: Resolution
    authority: Authority
    comparison: Comparison


def check_quotations(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each difference of a quotation between marks from the authority it is attributed to."""
    if not excerpt.cited and not any(excerpt.cited_in_notes):
        return
    for quotation, attributed in find_attributions(excerpt):
        token.raise_if_cancelled()
        if attributed is not None:
            yield from judge(excerpt.snapshot, quotation, attributed)


def find_attributions(excerpt: Excerpt) -> Iterator[tuple[Quotation, Attribution | None]]:
    """The quotations between marks in a paragraph worth comparing, with what each is attributed to."""
    snapshot = excerpt.snapshot
    found = find_quotations(snapshot.draft, excerpt.paragraph)
    if not any(quotation.words >= _FEWEST for quotation in found):
        return
    paragraph = Paragraph(
        snapshot.draft.masked,
        excerpt.paragraph,
        found,
        excerpt.cited,
        excerpt.marks,
        excerpt.cited_in_notes,
    )
    for quotation in found:
        if quotation.words >= _FEWEST:
            yield quotation, paragraph.attribute(quotation)


def check_blocks(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """The same for quotations set off as blocks, whose citation stands in, before or behind the block.

    What was found is remembered while the block and the paragraphs around it stay: this runs at every key
    press.
    """
    for block in find_blocks(snapshot.draft):
        token.raise_if_cancelled()
        start = block.region.start

        def find(block: QuotedBlock = block, start: int = start) -> tuple[Problem, ...]:
            return tuple(_moved(each, -start) for each in _in_block(snapshot, block))

        for problem in snapshot.quoted.found.recall((block.key, snapshot.library.generation), find):
            yield _moved(problem, start)


def _moved(problem: Problem, by: int) -> Problem:
    return problem.at([span.shift(by) for span in problem.spans])


def _in_block(snapshot: Snapshot, block: QuotedBlock) -> Iterator[Problem]:
    quotation, attributed = attribute_block(snapshot, block)
    if attributed is not None and quotation.words >= _FEWEST:
        yield from judge(snapshot, quotation, attributed)


def find_block_attributions(snapshot: Snapshot) -> Iterator[tuple[Quotation, Attribution | None]]:
    """The quotations set off as blocks, with what each is attributed to."""
    for block in find_blocks(snapshot.draft):
        quotation, attributed = attribute_block(snapshot, block)
        if quotation.words >= _FEWEST:
            yield quotation, attributed


def find_best_match(snapshot: Snapshot, quotation: Quotation, attributed: Attribution) -> Compared | None:
    """The authority cited for a quotation that agrees with it most; None if the library holds none."""
    return _best(list(_compared(snapshot, quotation, attributed.cited)))


def judge(snapshot: Snapshot, quotation: Quotation, attributed: Attribution) -> Iterator[Problem]:
    """What is wrong with a quotation, given what it is attributed to; nothing if any of that holds it."""
    compared = list(_compared(snapshot, quotation, attributed.cited))
    best = _best(compared)
    if best is None:
        return
    unknown = any(not each.is_sure for each in attributed.cited)
    if best.comparison.verdict in ("verbatim", "lawful"):
        if not unknown and not attributed.elsewhere:
            cited = [(each.resolution, each.authority) for each in compared]
            yield from report_elsewhere(snapshot, quotation, cited, attributed.others)
        if not unknown:
            held = (each for each in compared if each.comparison.verdict in ("verbatim", "lawful"))
            places = [(each.authority, each.comparison.place) for each in held]
            yield from report_selective(snapshot, quotation, places)
        return
    other = _best(list(_compared(snapshot, quotation, attributed.others)))
    if other is not None and _rank(other) < _rank(best):
        if other.comparison.verdict in ("verbatim", "lawful", "spelling"):
            return
        if other.comparison.verdict != "absent" and best.comparison.verdict == "absent":
            return
    if _may_be_anothers(snapshot, quotation, attributed, best):
        return
    comparison = best.comparison
    if lacks_the_courts(snapshot.library, best.authority.id):
        return
    tied = attributed.strong or attributed.alone
    if comparison.verdict == "absent":
        if (
            tied
            and not unknown
            and quotation.words >= _FEWEST_ABSENT
            and (
                comparison.share <= _NOTHING
                or (attributed.strong and quotation.text.lstrip("‘'[")[:1].isupper())  # a whole sentence
                or not _has_run(snapshot, quotation, best.authority)
            )
            and not _some_of_it(snapshot, quotation, best.authority)
            and not _may_be_several(snapshot, best.authority)
            and not _may_be_a_judges(snapshot, quotation, best)
            and not _is_said_of_an_act(snapshot, quotation, best)
            and not _may_be_of_former_words(snapshot, best)
            and not is_excerpt(snapshot.library.contents.list_labels(best.authority.id, "section"))
        ):
            yield report_absence(snapshot, quotation, best.authority)
        return
    if comparison.share < _WEAK_SHARE and (
        not attributed.strong or _is_said_of_an_act(snapshot, quotation, best)
    ):
        return
    if quotation.words < 7 and (not tied or comparison.share < _WEAK_SHARE):
        return
    yield from report_differences(snapshot, quotation, best.authority, comparison)


def _compared(snapshot: Snapshot, quotation: Quotation, cited: Sequence[Resolution]) -> Iterator[Compared]:
    seen: set[int] = set()
    for resolution in cited:
        for document in resolution.authorities if resolution.is_sure else ():
            authority = snapshot.library.catalogue.get(document)
            if authority is None or document in seen:
                continue
            seen.add(document)
            comparison = compare_with(snapshot.quoted, snapshot.library, authority, quotation.text)
            if comparison.verdict not in ("verbatim", "lawful", "absent"):
                comparison = _at_pinpoint(snapshot, quotation, resolution, authority, comparison)
            yield Compared(resolution, authority, comparison)


def _at_pinpoint(
    snapshot: Snapshot, quotation: Quotation, cited: Resolution, authority: Authority, found: Comparison
) -> Comparison:
    """The comparison with the words at the pinpoint of a citation, where they differ as little as others."""
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
    """Whether the words may be those of an authority cited that the library lacks, not of the one compared.

    It stands nearest to them, or quotes the one compared: "“…” *Nobody v Someone* [2013] ACA 77, quoting
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
    """Code points between two spans."""
    return max(one.start - other.end, other.start - one.end)


def _may_be_a_judges(snapshot: Snapshot, quotation: Quotation, best: Compared) -> bool:
    """Whether the draft speaks of a separate opinion near a quotation, and the copy may lack that."""
    start = min(quotation.outer.start, best.resolution.citation.span.start) - _NEAR
    end = max(quotation.outer.end, best.resolution.citation.span.end) + _NEAR
    return _SEPARATE.search(snapshot.draft.masked[max(0, start) : end]) is not None


def _is_said_of_an_act(snapshot: Snapshot, quotation: Quotation, best: Compared) -> bool:
    """Whether an Act is only named near words, which need not be its own: "valid under § 2: “There are …”".

    They are where it stands behind them, or is said to speak: "§ 2 provides that “…”".
    """
    citation = best.resolution.citation
    if citation.kind != "statute" or (citation.span.start >= quotation.outer.end and citation.form != "id"):
        return False
    start = max(quotation.outer.start - _NEAR, min(citation.span.end, quotation.outer.start))
    return not is_of_an_act(snapshot.draft.masked[start : quotation.outer.start])


def _may_be_of_former_words(snapshot: Snapshot, best: Compared) -> bool:
    """Whether the notes of a code say that the section cited had quite other words before."""
    pinpoint = best.resolution.citation.pinpoint
    if best.authority.kind != "statute" or pinpoint is None or pinpoint.kind != "section":
        return False
    return any(was_rewritten(snapshot.library, best.authority.id, label) for label in pinpoint.labels)


def _may_be_several(snapshot: Snapshot, authority: Authority) -> bool:
    """Whether an authority has two numbers of one series, that others may have given to two decisions."""
    keys = snapshot.library.catalogue.keys_of(authority.id)
    series = ["".join(filter(str.isalpha, each)) for each in keys]
    return not authority.citations and len(set(series)) < len(series)


def _some_of_it(snapshot: Snapshot, quotation: Quotation, authority: Authority) -> bool:
    """Whether a piece of a quotation stands in the authority: pieces put together anew are no other words."""
    text = prepare_text(snapshot.quoted, snapshot.library, authority)
    pieces = [each.group() for each in _PIECE.finditer(quotation.text)]
    long = [each for each in pieces if len(each.split()) >= _FEWEST_PIECE]
    return any(find_places(text, each) for each in long[:_MOST_PIECES])


def _has_run(snapshot: Snapshot, quotation: Quotation, authority: Authority) -> bool:
    """Whether the authority has some words of a quotation side by side; single ones it has by chance, and
    those that it repeats again and again."""
    text = prepare_text(snapshot.quoted, snapshot.library, authority)
    words = [each.norm for each in read_items(quotation.text) if each.kind == "word"]
    runs = (" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
    return any(0 < len(list(islice(text.find(each), _OFTEN))) < _OFTEN for each in runs)


def _best(compared: Sequence[Compared]) -> Compared | None:
    return min(compared, key=_rank, default=None)


def _rank(compared: Compared) -> tuple[int, float, int]:
    comparison = compared.comparison
    verdict = VERDICTS.index(comparison.verdict)
    return verdict, -comparison.share, len(comparison.differences)


CHECKS = (
    LocalCheck(RULES, check_quotations, of="each"),
    WholeCheck(RULES, check_blocks, of="each"),
)
