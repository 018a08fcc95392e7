"""Report quotations that are not as in the authority, or not at the place, that the draft gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexls.features.attribution import Attribution, Paragraph
from lexls.features.checks.check import Excerpt, LocalCheck, Problem, WholeCheck
from lexls.features.checks.misquoted import (
    MISQUOTATION,
    PINPOINT_ELSEWHERE,
    QUOTATION_ALTERED,
    QUOTATION_SPELLING,
    QUOTATION_WORDING,
    report_absence,
    report_differences,
    report_elsewhere,
)
from lexls.features.draft import Draft
from lexls.features.quotations import Quotation, find_block_paragraphs, find_quotations, read_quotation
from lexls.features.resolve import Resolution, resolve
from lexls.features.snapshot import Snapshot
from lexls.grounding.quotations.compare import find_places
from lexls.grounding.quotations.comparison import VERDICTS, Comparison
from lexls.index.records import Authority
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

RULES = (MISQUOTATION, QUOTATION_WORDING, QUOTATION_ALTERED, QUOTATION_SPELLING, PINPOINT_ELSEWHERE)
"""What both checks may report."""
_FEWEST = 4
"""Words from which on a quotation is more than a term of art."""
_FEWEST_ABSENT = 8
"""Words from which on a quotation that is not in the authority at all is reported."""
_NOTHING = 0.4
"""The share of its words up to which a quotation has nothing in common with an authority but chance."""
_WEAK_SHARE = 0.75
"""The share of its words that a quotation must have in common with an authority it is loosely tied to."""
_OPENING_MARKS = "“‘«\"'`"
_CLOSING_MARKS = "”’»\"'"
_CLOSED = re.compile(r"(?:[.?!…”’\"'—–-]|\n)[\s(\[—–-]{0,8}$")
"""The end of a block quotation before the citation that stands in the block."""
_QUOTING = re.compile(r"\b(?:quoting|quoted|citing|cited)\b")
_PIECE = re.compile(r"[^.;:?!…\[\]()\n]{20,400}")
_MOST_PIECES = 40
_MOST_NEAR = 2
"""Paragraphs around a block quotation in which its citation may stand."""


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
    draft = snapshot.draft
    blocks = frozenset(find_block_paragraphs(draft))
    for place in sorted(blocks):
        token.raise_if_cancelled()
        before, behind = _neighbours(place, blocks)
        first, last = max(0, before), min(behind, len(draft.paragraphs) - 1)
        region = Span(draft.paragraphs[first].start, draft.paragraphs[last].end)
        cited = tuple((each.key, each.form) for each in draft.citations_in(region))
        key = (place - before, region.of(draft.source), cited, draft.format, snapshot.library.generation)

        def find(place: int = place, start: int = region.start) -> tuple[Problem, ...]:
            return tuple(_moved(each, -start) for each in _in_block(snapshot, place, blocks))

        for problem in snapshot.quoted.found.recall(key, find):
            yield _moved(problem, region.start)


def _moved(problem: Problem, by: int) -> Problem:
    return problem.at([span.shift(by) for span in problem.spans])


def _in_block(snapshot: Snapshot, place: int, blocks: frozenset[int]) -> Iterator[Problem]:
    quotation, attributed = _block(snapshot, place, blocks)
    if attributed is not None and quotation.words >= _FEWEST:
        yield from judge(snapshot, quotation, attributed)


def find_block_attributions(snapshot: Snapshot) -> Iterator[tuple[Quotation, Attribution | None]]:
    """The quotations set off as blocks, with what each is attributed to."""
    blocks = frozenset(find_block_paragraphs(snapshot.draft))
    for place in sorted(blocks):
        quotation, attributed = _block(snapshot, place, blocks)
        if quotation.words >= _FEWEST:
            yield quotation, attributed


def _neighbours(place: int, blocks: frozenset[int]) -> tuple[int, int]:
    """The paragraphs before and behind a block, that are no blocks."""
    before, behind = place - 1, place + 1
    while before in blocks:
        before -= 1
    while behind in blocks:
        behind += 1
    return before, behind


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
            yield from report_elsewhere(
                snapshot, quotation, [(each.resolution, each.authority) for each in compared]
            )
        return
    other = _best(list(_compared(snapshot, quotation, attributed.others)))
    if other is not None and _rank(other) < _rank(best):
        if other.comparison.verdict in ("verbatim", "lawful", "spelling"):
            return
        if other.comparison.verdict != "absent" and best.comparison.verdict == "absent":
            return
    if _only_quoted(snapshot, attributed, best):
        return
    comparison = best.comparison
    if comparison.verdict == "absent":
        if (
            attributed.strong
            and not unknown
            and quotation.words >= _FEWEST_ABSENT
            and comparison.share <= _NOTHING
            and best.resolution.citation.form not in ("id", "supra")
            and not _some_of_it(snapshot, quotation, best.authority)
        ):
            yield report_absence(snapshot, quotation, best.authority)
        return
    if not attributed.strong and comparison.share < _WEAK_SHARE:
        return
    if quotation.words < 7 and (not attributed.strong or comparison.share < _WEAK_SHARE):
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
            comparison = snapshot.quoted.compare(snapshot.library, authority, quotation.text)
            yield Compared(resolution, authority, comparison)


def _only_quoted(snapshot: Snapshot, attributed: Attribution, best: Compared) -> bool:
    """Whether the words are those of an authority the library lacks, which quotes the one compared.

    "“…” *Nobody v Someone* [2013] ACA 77, quoting *Carrow*": Nobody's words need not be Carrow's.
    """
    first = attributed.cited[0]
    between = snapshot.draft.masked[first.citation.core.end : best.resolution.citation.core.start]
    return (
        _QUOTING.search(between) is not None
        and not first.authorities
        and best.resolution.citation.group != (first.citation.group or -1)
    )


def _some_of_it(snapshot: Snapshot, quotation: Quotation, authority: Authority) -> bool:
    """Whether a piece of a quotation stands in the authority: pieces put together anew are no other words."""
    text = snapshot.quoted.of(snapshot.library, authority)
    pieces = [each.group() for each in _PIECE.finditer(quotation.text)]
    long = [each for each in pieces if len(each.split()) >= _FEWEST_ABSENT]
    return any(find_places(text, each) for each in long[:_MOST_PIECES])


def _best(compared: Sequence[Compared]) -> Compared | None:
    return min(compared, key=_rank, default=None)


def _rank(compared: Compared) -> tuple[int, float, int]:
    comparison = compared.comparison
    verdict = VERDICTS.index(comparison.verdict)
    return verdict, -comparison.share, len(comparison.differences)


# -- blocks --------------------------------------------------------------------------------------------------


def _block(snapshot: Snapshot, place: int, blocks: frozenset[int]) -> tuple[Quotation, Attribution | None]:
    """One paragraph of a block quotation, and what it is attributed to."""
    draft = snapshot.draft
    paragraph = draft.paragraphs[place]
    before, behind = _neighbours(place, blocks)
    introducing = _introducing(snapshot, before)
    following = _following(snapshot, behind)
    around = [*following, *introducing]
    start = _own_citations(draft, paragraph)
    if start is not None:
        cited = [
            resolve(snapshot.library, draft, each) for each in draft.citations_in(Span(start, paragraph.end))
        ]
        if any(each.authorities for each in cited) or not around:
            return _written(draft, paragraph, start), Attribution(tuple(cited), True, tuple(around))
    quotation = _written(draft, paragraph, paragraph.end)
    if not around:
        return quotation, None
    chosen = following or introducing
    others = [] if chosen is introducing else introducing
    return quotation, Attribution(tuple(chosen), bool(following), tuple(others))


def _own_citations(draft: Draft, paragraph: Span) -> int | None:
    """Where the citations begin that end a block quotation, None if it ends in words."""
    own = draft.citations_in(paragraph)
    if not own or draft.masked[own[-1].span.end : paragraph.end].strip(" \t\n.,;)]"):
        return None
    first = own[-1]
    for each in reversed(own[:-1]):
        if draft.masked[each.span.end : first.span.start].strip(" \t\n.,;:()"):
            break
        first = each
    return first.span.start if _CLOSED.search(draft.masked, paragraph.start, first.span.start) else None


def _written(draft: Draft, paragraph: Span, end: int) -> Quotation:
    """The words of a block up to ``end``, without quotation marks around all of them."""
    words = draft.masked[paragraph.start : end].rstrip(" \t\n—–-(")
    inner = Span(paragraph.start, paragraph.start + len(words))
    bare = words.rstrip(".,")
    if words[:1] in _OPENING_MARKS and bare[-1:] in _CLOSING_MARKS:
        inner = Span(inner.start + 1, inner.start + len(bare) - 1)
    return read_quotation(draft, paragraph, inner)


def _introducing(snapshot: Snapshot, place: int) -> list[Resolution]:
    """What the last sentence of the paragraph before a block cites."""
    draft = snapshot.draft
    if not 0 <= place < len(draft.paragraphs):
        return []
    sentences = draft.sentences_of(draft.paragraphs[place])
    if not sentences:
        return []
    cited = draft.citations_in(sentences[-1])
    return [resolve(snapshot.library, draft, each) for each in cited[-_MOST_NEAR:]]


def _following(snapshot: Snapshot, place: int) -> list[Resolution]:
    """What the paragraph behind a block begins with, if that is a citation."""
    draft = snapshot.draft
    if not 0 <= place < len(draft.paragraphs):
        return []
    paragraph = draft.paragraphs[place]
    cited = draft.citations_in(paragraph)
    if not cited or draft.masked[paragraph.start : cited[0].span.start].strip(" \t\n(—–-"):
        return []
    behind = draft.masked[cited[0].span.end : cited[0].span.end + 3].lstrip(" ")
    if behind[:1] not in ("", ".", ")", ";", "\n", "("):
        return []  # the citation is the subject of a new sentence
    chain = [cited[0]]
    for each in cited[1:_MOST_NEAR]:
        if draft.masked[chain[-1].span.end : each.span.start].strip(" \t\n.,;:()"):
            break
        chain.append(each)
    return [resolve(snapshot.library, draft, each) for each in chain]


CHECKS = (
    LocalCheck(RULES, check_quotations),
    WholeCheck(RULES, check_blocks),
)
