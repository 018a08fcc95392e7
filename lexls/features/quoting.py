"""Words of an authority or a model written into a draft: quotation marks of the draft, no markup."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.citations.escaping import escape
from lexls.features.draft import Draft
from lexls.grounding.markdown import escape as escape_markdown
from lexls.grounding.plain import plain, without_marks

_TYPST = re.compile(r"[\[\]]|/(?=[/*])|(?<=\*)/")
_MARKDOWN = re.compile(r"(?<!\\)(?:[$@]|\^(?=\[))")
_BRACKETS = re.compile(r"(?<!\\)[\[\]]")
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
_LATEX_MARKS = (
    (re.compile(r"``"), QuotationMarks("``", "''")),
    (re.compile(r"(?<!`)`(?!`)"), QuotationMarks("`", "'")),
    (re.compile(r"\\enquote\{"), QuotationMarks(r"\enquote{", "}")),
)


def marks_of(draft: Draft) -> QuotationMarks:
    """The quotation marks that the draft uses most; “ and ” where it quotes nothing."""
    return draft.once("quotation marks", lambda: _marks_of(draft))


def _marks_of(draft: Draft) -> QuotationMarks:
    known = _MARKS + (_LATEX_MARKS if draft.markup == "latex" else ())
    counts = [(sum(1 for _ in pattern.finditer(draft.source)), marks) for pattern, marks in known]
    most, marks = max(counts, key=lambda each: each[0])
    return marks if most else _DOUBLE


def as_words(text: str, draft: Draft) -> str:
    """``text`` on one line in the draft's markup, in which it is these words and nothing else."""
    text = plain(text)
    if draft.markup == "markdown":
        # More than CommonMark has: drafts have notes, formulas and keys of a bibliography.
        written = _MARKDOWN.sub(r"\\\g<0>", escape_markdown(text))
        return written if _balanced(written) else _BRACKETS.sub(r"\\\g<0>", written)
    if draft.markup == "typst":
        return _TYPST.sub(r"\\\g<0>", escape(text, "typst"))
    return escape(text, draft.markup)


def as_quotation(text: str, draft: Draft, *, stop: bool) -> str:
    """``text`` between the draft's quotation marks; ``stop`` keeps the full stop that it ends in."""
    marks = marks_of(draft)
    text = without_marks(plain(text))
    if not stop and text.endswith(".") and not text.endswith(".."):
        text = text[:-1]
    if marks == _DOUBLE:
        text = text.translate(_INNER)
    return f"{marks.opening}{as_words(text, draft)}{marks.closing}"


def _balanced(text: str) -> bool:
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += 1 if match.group() == "[" else -1
        if depth < 0:
            return False
    return depth == 0
