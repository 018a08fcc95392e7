"""Report footnote marks without their footnotes, and footnotes without a mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
        if (
            note is not None
            and note.label.casefold() not in marked
            and not _find_code(draft, block, [Span(0, 2)])
        ):
            token.raise_if_cancelled()
            span = Span(start, start + block.source.index(after) + len(after))
            message = f"no mark refers to footnote {before}{note.label}{after}, so it will not be printed"
            yield Problem(span, MISSING_FOOTNOTE.code, message)
        lone = [mark for mark in block.marks if mark.label.casefold() not in noted]
        code = _find_code(draft, block, [mark.span for mark in lone]) if lone else set()
        for mark in lone:
            if mark.span in code:
                continue
            token.raise_if_cancelled()
            new = f"\n\n{before}{mark.label}{after}{draft.format.definition}"
            fix = Fix(f"Write footnote {before}{mark.label}{after}", (Edit(Span(end, end), new),))
            message = f"there is no footnote {before}{mark.label}{after}"
            yield Problem(mark.span.shift(start), MISSING_FOOTNOTE.code, message, fixes=(fix,))


def _find_code(draft: Draft, block: DraftBlock, spans: Sequence[Span]) -> set[Span]:
    """Those of ``spans``, in order, at which a block has code: words in their place would be masked too."""
    if not len(block.words):
        return set(spans)
    ends = [0, *(span.end for span in spans)]
    parts = [
        f"{block.source[end : span.start]}{'x' * len(span)}" for end, span in zip(ends, spans, strict=False)
    ]
    masked = draft.format.mask("".join((*parts, block.source[ends[-1] :])))
    return {span for span in spans if not span.of(masked).strip()}


CHECKS = (WholeCheck((MISSING_FOOTNOTE,), check_footnotes),)
