"""PDFs with a text layer in several designs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import fpdf
from fpdf.enums import AccessPermission, PageLabelStyle

from made_documents.invented import (
    CONTRACT,
    CONTRACT_MARKS,
    JUDGMENT,
    JUDGMENT_MARKS,
    LETTER,
    NUMBERS,
    SECTIONS,
    STATUTE,
    STATUTE_MARKS,
    TITLE,
    Parts,
    leave_notes_out,
    repeat_units,
    without_ligatures,
    write_lines,
)
from made_documents.made_document import MadeDocument
from made_documents.typesetter import Design, make_pdf


def _stamp(
    text: str, size: float, angle: float, grey: int, left: float, y: float
) -> Callable[[fpdf.FPDF], None]:
    """A stamp on every page."""

    def draw(pdf: fpdf.FPDF) -> None:
        pdf.set_text_color(grey)
        pdf.set_font("serif", "B", size)
        with pdf.rotation(angle, left, y):
            pdf.text(left, y, text)
        pdf.set_text_color(0)

    return draw


def _lock(user: str | None) -> Callable[[fpdf.FPDF], None]:
    return lambda pdf: pdf.set_encryption("owner", user, permissions=AccessPermission.none())


LOCKED = Design(finish=_lock("oats"))
_LABELS = {"label_style": PageLabelStyle.NUMBER, "label_start": 212}
_DESIGNS = {
    "one-column": Design(),
    "small-pages": Design(size=12, leading=16),
    "two-columns": Design(columns=2, size=9, leading=11.5),
    "divided": Design(columns=2, size=9, leading=11.5, divides=True),
    "double-spaced": Design(leading=26, indented=True),
    "line-numbers": Design(leading=24, line_numbers=True, indented=True),
    "running-heads": Design(
        head=lambda page: f"{TITLE} [2019] EWHC 9412 (Ch)" if page > 1 else "",
        foot=lambda page: f"Page {page}",
    ),
    "labelled": Design(label=_LABELS),
    "rotated-mark": Design(stamp=_stamp("DRAFT – NOT FOR CITATION", 40, 55, 120, 140, 640)),
    "light-mark": Design(stamp=_stamp("Confidential copy", 14, 0, 225, 240, 420)),
    "oversized-mark": Design(stamp=_stamp("DRAFT", 150, 0, 150, 60, 460)),
    "owner-locked": Design(finish=_lock(None)),
}


def list_documents() -> Iterator[MadeDocument]:
    judgment = without_ligatures(JUDGMENT)
    long = repeat_units(leave_notes_out(judgment), 4)

    def pdf(
        name: str,
        parts: Parts,
        marks: Sequence[str],
        labels: Sequence[str] | None,
        design: Design,
        title: str = "",
    ) -> MadeDocument:
        made = partial(make_pdf, parts, marks, design)
        lines = write_lines(parts, marks)
        pages = ("212", "213", "214") if design.label else ()
        return MadeDocument(
            f"{name}.pdf",
            "pdf",
            lambda: made()[0],
            lines,
            labels,
            title,
            boxes=lambda: made()[1],
            pages=pages,
        )

    for name, design in _DESIGNS.items():
        labels = [str(number) for number in range(1, 33)]
        yield pdf(name, long, JUDGMENT_MARKS, labels, design, TITLE)
    for name, design in {"notes": Design(), "notes-in-columns": _DESIGNS["two-columns"]}.items():
        yield pdf(name, judgment, JUDGMENT_MARKS, NUMBERS, design, TITLE)
    statute = without_ligatures(STATUTE)
    yield pdf("act", statute, STATUTE_MARKS, SECTIONS, Design(size=11, leading=14))
    yield pdf("agreement", CONTRACT, CONTRACT_MARKS, None, Design(divides=True))
    yield pdf("letter", LETTER, JUDGMENT_MARKS, None, Design())
