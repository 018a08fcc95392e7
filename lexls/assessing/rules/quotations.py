"""Report quotations that differ from the authority, or that are not at the pinpoint stated in the draft."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.check import LocalCheck, Problem, WholeCheck
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.quotations import (
    FEWEST,
    QuotationAssessment,
    assess_quotation,
    find_attributions,
    list_blocks,
)
from lexls.assessing.rules.misquoted import (
    MISQUOTATION,
    PINPOINT_ELSEWHERE,
    QUOTATION_ALTERED,
    QUOTATION_SPELLING,
    QUOTATION_WORDING,
    report_absence,
    report_differences,
    report_misplaced,
)
from lexls.assessing.rules.selective import QUOTATION_SELECTIVE, report_selective
from lexls.assessing.rules.stitched import report_stitched
from lexls.quotations.attribution import attribute_block
from lexls.quotations.block_facts import QuotedBlock
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken

RULES = (
    *(MISQUOTATION, QUOTATION_WORDING, QUOTATION_ALTERED, QUOTATION_SPELLING),
    *(QUOTATION_SELECTIVE, PINPOINT_ELSEWHERE),
)
"""The diagnostics that both checks may report."""


def check_quotations(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each difference between an inline quotation and the authority to which it is attributed."""
    if not excerpt.cited and not any(excerpt.cited_in_notes):
        return
    for quotation, attributed in find_attributions(excerpt):
        token.raise_if_cancelled()
        yield from report_quotation(
            excerpt.snapshot, assess_quotation(excerpt.snapshot, quotation, attributed)
        )


def report_quotation(snapshot: Snapshot, assessed: QuotationAssessment) -> Iterator[Problem]:
    """Report what is wrong with a quotation. Nothing is reported if it agrees with the authority, or if it is
    uncertain whether it does.
    """
    quotation, best = assessed.quotation, assessed.best
    if best is None or assessed.outcome == "doubtful":
        return
    if assessed.misplaced is not None:
        yield report_misplaced(snapshot, assessed.misplaced)
    if assessed.held_in:
        yield from report_selective(snapshot, quotation, assessed.held_in)
    if assessed.outcome == "absent":
        yield report_absence(snapshot, quotation, best.authority)
    if assessed.outcome == "stitched":
        yield from report_stitched(snapshot, quotation, best.authority, assessed.pieces)
    if assessed.outcome == "differs":
        yield from report_differences(snapshot, quotation, best.authority, best.comparison)


def check_blocks(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report differences in block quotations, whose citation may be in, before or after the block. Since this
    runs at every keystroke, results are cached while the block and the paragraphs around it are unchanged.
    """
    for block in list_blocks(snapshot.draft):
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
    if attributed is not None and quotation.words >= FEWEST:
        yield from report_quotation(snapshot, assess_quotation(snapshot, quotation, attributed))


CHECKS = (
    LocalCheck(RULES, check_quotations, of="each"),
    WholeCheck(RULES, check_blocks, of="each"),
)
