"""Write a log as a readable PDF, with the JSON attached for verification."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from fpdf import FPDF
from fpdf.bidi import BidiParagraph
from fpdf.enums import TextDirection, XPos, YPos

from lexls.export.log.file import ATTACHED, Log, write_log
from lexls.export.log.wording import name_support_of, name_verdict_of, where
from lexls.export.page_parts import drop_unseen
from lexls.export.system_fonts import CORE_ENCODING, find_signs, write_lacking
from lexls.text.dates import write_date

FAMILIES = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
    ("arial.ttf", "arialbd.ttf"),
)
"""Font files (regular and bold); fonts that cover most scripts come first."""
_LACKING = (
    "Signs that the font of this PDF lacks are shown by their Unicode numbers, as in [U+4E2D]; the attached "
    "JSON has them as they are."
)
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
"""Brackets and their mirror images, used for right-to-left text."""
_GREY, _BLACK = 90, 17
_LINE = 4.6
"""Line height in millimetres."""


class _Page(FPDF):
    """A PDF document in A4 with a footer. Characters that its font lacks are replaced by their codes."""

    def __init__(self, footer: str, files: Sequence[Path]) -> None:
        super().__init__()
        self.core_fonts_encoding = CORE_ENCODING
        self.lacking = False
        self._said = footer
        self._family = "Helvetica"
        if files:
            self._family = "text"
            self.add_font("text", fname=files[0])
            self.add_font("text", style="B", fname=files[1])
        self._has = find_signs(self)
        self.set_margins(18, 18)
        self.set_auto_page_break(True, 20)
        self.alias_nb_pages()

    def footer(self) -> None:
        """Write the name of the log and the page number."""
        self.set_y(-14)
        self._choose(7, "", _GREY)
        self.cell(0, 4, self._fit(self._said), new_x=XPos.LEFT, new_y=YPos.TOP)
        self.cell(0, 4, f"{self.page_no()}/{{nb}}", align="R")

    def write_line(
        self, text: str, size: float = 9, style: str = "", grey: int = _BLACK, indent: float = 0
    ) -> None:
        """Write a paragraph; right-to-left text is put into visual order."""
        self._choose(size, style, grey)
        self.set_x(self.l_margin + indent)
        height = _LINE * size / 9
        fit = self._fit(text)
        if not self.is_ttf_font:  # a core font has no right-to-left characters
            self.multi_cell(0, height, fit, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
            return
        lines = self.multi_cell(0, height, fit, align="L", dry_run=True, output="LINES")
        for line in lines if isinstance(lines, list) else ():
            self.set_x(self.l_margin + indent)
            self.cell(0, height, _reorder(line), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _choose(self, size: float, style: str, grey: int) -> None:
        self.set_font(self._family, style, size)
        self.set_text_color(grey)

    def _fit(self, text: str) -> str:
        """Return the text with each character that the font lacks replaced by its code."""
        text = unicodedata.normalize("NFC", drop_unseen(text))
        fit = write_lacking(text, self._has)
        self.lacking = self.lacking or fit != text
        return fit


def _reorder(line: str) -> str:
    """Return a line of left-to-right text with its characters in visual order."""
    if not any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in line):
        return line
    seen = BidiParagraph(line, base_direction=TextDirection.LTR).get_reordered_characters()
    return "".join(
        each.character.translate(_MIRRORED) if each.embedding_level % 2 else each.character for each in seen
    )


# -- the log -------------------------------------------------------------------------------------------------


def write_pdf(log: Log, font: Sequence[Path]) -> bytes:
    """Return the log as a PDF, in a system font (given by its regular and bold files) or in a core font."""
    draft = drop_unseen(Path(log["draft"]["file"]).name)
    page = _Page(f"{draft} · SHA-256 of the log {log['sha256']}", font)
    page.set_title(f"Log of citations checked: {draft}")
    page.set_creator(f"lexls {log['lexls']}")
    page.set_creation_date(datetime.fromisoformat(log["written"]))
    page.add_page()
    _write_head(page, log)
    for entry in log["entries"]:
        _write_entry(page, entry)
    _write_end(page, log)
    page.embed_file(
        bytes=write_log(log), basename=ATTACHED, mime_type="application/json", desc="The log as JSON"
    )
    return bytes(page.output())


def _write_head(page: _Page, log: Log) -> None:
    draft, library = log["draft"], log["library"]
    page.write_line("Log of citations checked", 16, "B")
    page.write_line(draft["file"], 11, "B")
    page.write_line(
        f"Written {log['written'].replace('T', ' ').replace('Z', ' UTC')} by lexls {log['lexls']}",
        9,
        grey=_GREY,
    )
    page.ln(2)
    page.write_line(log["summary"])
    many = len(log["entries"])
    page.write_line(f"{log['ticked']} of {many} entr{'y' if many == 1 else 'ies'} ticked")
    if log["ticks_left_out"]:
        left_out = f"{log['ticks_left_out']} ticks are not in this log"
        page.write_line(f"{left_out}: of other findings, or of what reads otherwise now")
    page.write_line(f"SHA-256 of the draft: {draft['sha256']}", 8, grey=_GREY)
    for name, state in (("Library", library), ("Record", log["record"])):
        if state is not None:
            whole = "" if state["complete"] else "; not read to its end"
            index = f"index {state['index']}, generation {state['generation']}"
            said = f"{', '.join(state['folders'])}; {state['documents']:,} documents; {index}{whole}"
            page.write_line(f"{name}: {said}", 8, grey=_GREY)
            page.write_line(
                f"SHA-256 of the names and hashes of its documents: {state['sha256']}", 8, grey=_GREY
            )
    page.ln(2)
    for note in log["notes"]:
        page.write_line(note, 8, grey=_GREY)


def _write_entry(page: _Page, entry: Log) -> None:
    page.ln(3)
    if page.will_page_break(6 * _LINE):
        page.add_page()
    page.set_draw_color(190)
    page.line(page.l_margin, page.get_y(), page.w - page.r_margin, page.get_y())
    page.ln(1.5)
    text = f"“{entry['text']}”" if entry["kind"] == "quotation" else entry["text"]
    page.write_line(f"{entry['number']}. {text}", 10, "B")
    for line, bold in _describe(entry):
        page.write_line(line, 9, "B" if bold else "", indent=6)
    ticked = entry["ticked"]
    said = f"Ticked by {ticked['by']}, {write_date(ticked['day'])}" if ticked else "Not ticked"
    page.write_line(said, 9, "B" if ticked else "", grey=_BLACK if ticked else _GREY, indent=6)


def _describe(entry: Log) -> Iterator[tuple[str, bool]]:
    """Yield the lines that describe an entry; each comes with True if it is bold."""
    reason = f": {entry['reason']}" if entry["reason"] else ""
    yield f"{name_verdict_of(entry)}{reason}", True
    stands_for = entry.get("stands_for")
    yield _capitalise(where(entry)) + (f", for {stands_for}" if stands_for else ""), False
    if entry["kind"] == "citation":
        yield from ((line, False) for line in _describe_citation(entry))
    elif entry["kind"] == "record":
        found = f", {entry['found_at']}" if entry["found_at"] else ""
        for each in entry["papers"]:
            yield f"Paper: {each['path']}{found}", False
            yield _describe_hash(each), False
    elif entry["original"]:
        yield f"Its source has: “{entry['original']}”", False


def _describe_citation(entry: Log) -> Iterator[str]:
    for each in entry["elements"]:
        told = each["authority"] if each["authority"] != each["draft"] else ""
        whose = "draft" if each["element"] == "cross-reference" else "library"
        recorded = f" (the {whose} has: {told})" if told else ""
        status = each["status"].replace("-", " ")
        yield f"{_capitalise(each['element'])} “{each['draft']}”: {status}{recorded}"
    if (authority := entry["authority"]) is not None:
        part = f", {authority['part']}" if authority.get("part") else ""
        yield f"Authority: {authority['title']}; file {authority['path']}{part}"
        yield _describe_hash(authority)
    if entry["treatment"]:
        yield f"Treatment in the library: {'; '.join(entry['treatment'])}"
    yield from (f"Remark: {each}" for each in entry["remarks"])
    support = entry["support"]
    if support is not None and support["verdict"] != "not-judged":
        yield f"{name_support_of(support['verdict'])}, as far as words tell"
    for each in entry["quotations"]:
        yield f"{name_verdict_of({'kind': 'quotation', **each})}: “{each['text']}”"
        if each.get("original"):
            yield f"The authority has: “{each['original']}”"
        yield from (f"Remark: {one}" for one in each.get("remarks", ()))


def _describe_hash(authority: Log) -> str:
    return (
        f"SHA-256 {authority['sha256']}" if authority["sha256"] else "Its file could not be read for a hash"
    )


def _write_end(page: _Page, log: Log) -> None:
    page.ln(4)
    if log["outside"]:
        page.write_line("Outside this check", 10, "B")
    for each in log["outside"]:
        page.write_line(_capitalise(each), 9)
    if page.lacking:
        page.write_line(_LACKING, 8, grey=_GREY)


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
