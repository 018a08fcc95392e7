"""Words of an authority or a model written into a draft: quotation marks of the draft, no markup."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.features.draft import Draft
from lexls.grounding.place_words import plain, without_marks

_INNER = str.maketrans("“”", "‘’")


@dataclass(frozen=True, slots=True)
class QuotationMarks:
    """What stands before and behind a quotation."""

    opening: str
    closing: str


_DOUBLE = QuotationMarks("“", "”")
_MARKS = (
    (re.compile(r"“"), _DOUBLE),
    (re.compile(r"(?:(?<=[\s(\[])|^)‘(?=\w)", re.MULTILINE), QuotationMarks("‘", "’")),
    (re.compile(r"(?:(?<=[\s(\[])|^)\"(?=\w)", re.MULTILINE), QuotationMarks('"', '"')),
)


def marks_of(draft: Draft) -> QuotationMarks:
    """The quotation marks that the draft uses most; “ and ” where it quotes nothing."""
    return draft.once("quotation marks", lambda: _marks_of(draft))


def _marks_of(draft: Draft) -> QuotationMarks:
    others = ((re.compile(each[0]), QuotationMarks(*each[1:])) for each in draft.format.quotation_marks)
    known = (*_MARKS, *others)
    counts = [(sum(1 for _ in pattern.finditer(draft.source)), marks) for pattern, marks in known]
    most, marks = max(counts, key=lambda each: each[0])
    return marks if most else _DOUBLE


def as_words(text: str, draft: Draft) -> str:
    """``text`` on one line in the draft's markup, in which it is these words and nothing else."""
    return draft.format.write_words(plain(text))


def as_quotation(text: str, draft: Draft, *, stop: bool) -> str:
    """``text`` between the draft's quotation marks; ``stop`` keeps the full stop that it ends in."""
    marks = marks_of(draft)
    text = without_marks(plain(text))
    if not stop and text.endswith(".") and not text.endswith(".."):
        text = text[:-1]
    if marks == _DOUBLE:
        text = text.translate(_INNER)
    return f"{marks.opening}{as_words(text, draft)}{marks.closing}"
