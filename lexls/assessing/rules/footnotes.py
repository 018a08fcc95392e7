"""Report footnote marks without a footnote, footnotes without a mark, and short forms that refer to the wrong
note. The number in a short form may be that of a note that does not cite its authority. An *ibid.* may
follow a footnote that was inserted later, as the footnotes' labels show.
"""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, WholeCheck
from lexls.assessing.cross_references import find_note_number, list_named
from lexls.assessing.excerpt import Excerpt
from lexls.citations.model import Citation
from lexls.reading.citation_order import list_keys
from lexls.reading.draft import Draft
from lexls.reading.draft_block import DraftBlock
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.writing.note_repairs import write_name

MISSING_FOOTNOTE = DiagnosticRule(
    code="missing-footnote",
    severity="warning",
    order=150,
    help="A footnote mark without its footnote, or a footnote without a mark.",
    documentation="""\
Either a mark such as `[^4]` has no footnote in the draft, or a footnote has no mark. Without a footnote,
the text will show the mark itself, and the quick fix begins the footnote. Without a mark, the footnote
will be lost. In LaTeX, this concerns a `\\footnotemark` without its `\\footnotetext`, or the reverse. In
Typst, it concerns a `#footnote(<label>)` whose label does not exist.""",
)


def check_footnotes(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each mark without a footnote, and each footnote without a mark. Inline footnotes need no
    mark.
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
    """Return whether a block that begins like a footnote is really code or a comment."""
    return not len(block.words) or not draft.format.mask(f"xx{block.source[2:]}")[:2].strip()


_MOST_FIXES = 4
"""Maximum number of other notes that are suggested for a wrong note number."""

NOTE_NUMBER = DiagnosticRule(
    code="note-number",
    severity="warning",
    filing="error",
    order=125,
    help="A short form that refers to a note in which its authority is not cited.",
    documentation="""\
"*Carrow* (n 3)" or "*supra* note 3" should refer to the note that cites *Carrow* in full, but note 3 does
not. This happens when notes are inserted or moved. The message gives the first note that cites the
authority, and the quick fix writes its number. If several cases have the name, there is a quick fix for
each. Nothing is reported if the authority is first cited in the text.""",
)

SHIFTED_IBID = DiagnosticRule(
    code="shifted-ibid",
    severity="information",
    filing="warning",
    order=127,
    help="An ibid after a footnote that seems to have been inserted before it later.",
    documentation="""\
Footnotes are printed in the order of their marks. If `[^18]` comes between `[^8]` and `[^9]`, it was
written after them. An *ibid* that opens `[^9]` now refers to what `[^18]` cites, and no longer to what
`[^8]` cites. The quick fix writes the name that `[^8]` cites. Nothing is reported if the labels are words
or are in order, or if both footnotes cite the same authority.""",
)


def check_note_numbers(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each note number in a short form whose note does not cite the authority in full."""
    for assessment in assess_excerpt(excerpt, token):
        for fact in assessment.facts:
            if fact.fault == "other-note":
                fix = Fix(f"Change the note to {fact.recorded}", (Edit(fact.span, fact.recorded),))
                yield Problem(fact.span, NOTE_NUMBER.code, fact.reason, fixes=(fix,))


def check_named_notes(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each note number in a short form if several cases have the name in the short form and the note
    cites none of them.
    """
    draft = snapshot.draft
    for number, piece in enumerate(draft.citations.pieces if draft.notes else ()):
        for local, each in enumerate(piece.citations):
            if each.form != "supra" or each.key:
                continue
            token.raise_if_cancelled()
            citation = draft.citations[draft.citations.firsts[number] + local]
            stated = find_note_number(draft, citation)
            named = list_named(draft, citation.name) if stated is not None else []
            if stated is None or not named or any(int(stated["number"]) == note for note, _ in named):
                continue
            span = Span(*stated.span("number"))
            cited = "; ".join(f"note {note} cites {full.name or full.key}" for note, full in named)
            message = f"note {stated['number']} does not cite {citation.name}: {cited}"
            fixes = (
                Fix(f"Change the note to {note}", (Edit(span, str(note)),), preferred=len(named) == 1)
                for note, _ in named[:_MOST_FIXES]
            )
            yield Problem(span, NOTE_NUMBER.code, message, fixes=tuple(fixes))


def check_shifted_ids(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each *ibid.* at the start of a footnote if the preceding footnote has a higher label and cites
    another authority. It probably refers to the footnote with the next lower label.
    """
    draft = snapshot.draft
    labels = [int(note.label) if note.label.isdecimal() else -1 for note in draft.notes]
    for place, note in enumerate(draft.notes):
        if place == 0 or not 0 <= labels[place] < labels[place - 1]:
            continue
        token.raise_if_cancelled()
        first = next(iter(draft.citations_in(note.content)), None)
        full = draft.antecedent_of(first) if first is not None and first.form == "id" else None
        earlier = [at for at in range(place) if 0 <= labels[at] < labels[place]]
        meant = _find_only(draft, draft.notes[earlier[-1]].content) if earlier else None
        if first is None or full is None or meant is None or list_keys(draft, full) & list_keys(draft, meant):
            continue
        was, now = (each.name or each.key for each in (meant, full))
        fix = write_name(snapshot, first, meant)
        message = (
            f"this stands for {now}, which note {place} cites ([^{labels[place - 1]}]);"
            f" the note written before it, [^{labels[earlier[-1]]}], cites {was}"
        )
        title = f"Replace it with {was}"
        fixes = (Fix(title, (fix,), preferred=False),) if fix is not None else ()
        yield Problem(first.span, SHIFTED_IBID.code, message, fixes=fixes)


def _find_only(draft: Draft, note: Span) -> Citation | None:
    """Return the full citation of the only authority in a footnote; None if the footnote cites several
    authorities or none.
    """
    cited = draft.citations_in(note)
    meant = [draft.antecedent_of(each) or each for each in cited]
    keys = {key for each in meant for key in list_keys(draft, each)}
    alone = bool(meant) and all(each.form == "full" and each.key for each in meant)
    return meant[0] if alone and keys == list_keys(draft, meant[0]) else None


CHECKS = (
    WholeCheck((MISSING_FOOTNOTE,), check_footnotes),
    LocalCheck((NOTE_NUMBER,), check_note_numbers),
    WholeCheck((NOTE_NUMBER,), check_named_notes),
    WholeCheck((SHIFTED_IBID,), check_shifted_ids),
)
