"""Report short forms that point at another note than the one that cites their authority."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem
from lexls.assessing.excerpt import Excerpt
from lexls.reading.edit import Edit, Fix
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

NOTE_NUMBER = DiagnosticRule(
    code="note-number",
    severity="warning",
    filing="error",
    order=125,
    help="A short form that points at a note which does not cite its authority.",
    documentation="""\
"*Carrow* (n 3)" or "*supra* note 3" points at the note that cites *Carrow* in full, and note 3 does not. It
happens when notes are inserted or moved. The message gives the first note that cites it, and the quick fix
writes its number. Nothing is reported of an authority that is first cited in the text.""",
)


def check_note_numbers(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each number of a note that is not that of a note which cites the authority in full."""
    for assessment in assess_excerpt(excerpt, token):
        for fact in assessment.facts:
            if fact.fault == "other-note":
                fix = Fix(f"Change the note to {fact.recorded}", (Edit(fact.span, fact.recorded),))
                yield Problem(fact.span, NOTE_NUMBER.code, fact.reason, fixes=(fix,))


CHECKS = (LocalCheck((NOTE_NUMBER,), check_note_numbers),)
