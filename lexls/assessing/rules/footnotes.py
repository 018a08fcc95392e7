"""Report footnote marks without their footnotes, and footnotes without a mark."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.check import Problem, WholeCheck
from lexls.reading.draft import Draft
from lexls.reading.draft_block import DraftBlock
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

MISSING_FOOTNOTE = DiagnosticRule(
    code="missing-footnote",
    severity="warning",
    order=150,
    help="A footnote mark without its footnote, or a footnote without a mark.",
    documentation="""\
A mark such as `[^4]` has no footnote in the draft, so the text will show the mark itself, and the quick
fix begins the footnote; or a footnote is written that no mark points at, so it will be lost. In LaTeX it is a
`\\footnotemark` without its `\\footnotetext` or the other way about, in Typst a `#footnote(<label>)` whose
label nothing has.""",
)


def check_footnotes(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """A problem for each mark that refers to no footnote, and each footnote that no mark refers to.

    Footnotes whose words stand at their mark cannot be missing.
    """
    draft = snapshot.draft
    for span, wrong in draft.format.find_lone_notes(draft.source):
        yield Problem(span, MISSING_FOOTNOTE.code, wrong)
    if draft.format.note_reference is not None:
        yield from _by_label(draft, token)


def _by_label(draft: Draft, token: CancelToken) -> Iterator[Problem]:
    before, after = draft.format.label_marks
    marked = {mark.label.casefold() for block in draft.blocks for mark in block.marks}
    noted = {block.note.label.casefold() for block in draft.blocks if block.note is not None}
    end = len(draft.source.rstrip())
    for block, start in zip(draft.blocks, draft.starts, strict=True) if marked or noted else ():
        note = block.note
        if note is not None and note.label.casefold() not in marked and not _is_code(draft, block):
            token.raise_if_cancelled()
            span = Span(start, start + block.source.index(after) + len(after))
            message = f"no mark refers to footnote {before}{note.label}{after}, so it will not be printed"
            yield Problem(span, MISSING_FOOTNOTE.code, message)
        for mark in (each for each in block.marks if each.label.casefold() not in noted):
            token.raise_if_cancelled()
            new = f"\n\n{before}{mark.label}{after}{draft.format.definition}"
            fix = Fix(f"Write footnote {before}{mark.label}{after}", (Edit(Span(end, end), new),))
            message = f"there is no footnote {before}{mark.label}{after}"
            yield Problem(mark.span.shift(start), MISSING_FOOTNOTE.code, message, fixes=(fix,))


def _is_code(draft: Draft, block: DraftBlock) -> bool:
    """Whether a block that begins with a footnote's label is code or a comment."""
    return not len(block.words) or not draft.format.mask(f"xx{block.source[2:]}")[:2].strip()


CHECKS = (WholeCheck((MISSING_FOOTNOTE,), check_footnotes),)
