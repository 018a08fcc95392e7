"""DOCX: headings, numbering done by the word processor, footnotes; the same bytes on every run."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt

if TYPE_CHECKING:
    from build import Source
    from docx.document import Document as WordDocument
    from docx.text.paragraph import Paragraph

_FOOTNOTES = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_LEVELS = {
    "brackets": (("decimal", "[%1]"),),
    "clauses": (("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")),
}
_PIECES = re.compile(r"\*(?P<italic>.+?)\*|\^\[(?P<note>.+?)\]")


def write_docx(source: Source) -> None:
    """Write ``source`` as a Word document."""
    document = Document()
    normal = document.styles["Normal"]
    normal.font.name = "Times New Roman"
    normal.font.size = Pt(11.5)
    notes: list[str] = []
    numbering = _add_numbering(document, source.fields["numbering"]) if "numbering" in source.fields else 0
    for mark, text in source.blocks:
        paragraph = document.add_paragraph()
        match mark:
            case "=":
                paragraph.style = document.styles["Title"]
            case "==":
                paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
            case "#" | "##":
                paragraph.style = document.styles[f"Heading {len(mark)}"]
            case "~":
                text = "*" + text.replace("*", "") + "*"
            case ">":
                paragraph.paragraph_format.left_indent = Cm(1)
            case "+" | "++" | "+++":
                _number(paragraph, numbering, len(mark) - 1)
            case _:
                pass
        _write_runs(paragraph, text, notes)
    if notes:
        _add_footnotes(document, notes)
    properties = document.core_properties
    properties.title = properties.author = properties.comments = ""
    properties.created = properties.modified = source.created.replace(tzinfo=None)
    _save(document, source)


def _write_runs(paragraph: Paragraph, text: str, notes: list[str]) -> None:
    at = 0
    for piece in _PIECES.finditer(text):
        paragraph.add_run(text[at : piece.start()])
        if piece["italic"]:
            paragraph.add_run(piece["italic"]).italic = True
        else:
            notes.append(piece["note"])
            reference = f'<w:footnoteReference {nsdecls("w")} w:id="{len(notes)}"/>'
            run = paragraph.add_run()
            run.font.superscript = True
            run._r.append(parse_xml(reference))
        at = piece.end()
    paragraph.add_run(text[at:])


def _add_numbering(document: WordDocument, kind: str) -> int:
    root = document.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>'
        f'<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{567 * (level + 1)}" w:hanging="567"/></w:pPr></w:lvl>'
        for level, (form, text) in enumerate(_LEVELS[kind])
    )
    abstract = parse_xml(
        f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">'
        f'<w:multiLevelType w:val="multilevel"/>{levels}</w:abstractNum>'
    )
    root.insert(len(root.findall(qn("w:abstractNum"))), abstract)
    root.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    return 90


def _number(paragraph: Paragraph, numbering: int, level: int) -> None:
    properties = paragraph._p.get_or_add_pPr()
    properties.append(
        parse_xml(
            f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="{numbering}"/></w:numPr>'
        )
    )


def _add_footnotes(document: WordDocument, notes: list[str]) -> None:
    bodies = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:footnoteRef/></w:r>'
        f'<w:r><w:t xml:space="preserve"> {note}</w:t></w:r></w:p></w:footnote>'
        for number, note in enumerate(notes, 1)
    )
    separators = (
        '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        '<w:footnote w:type="continuationSeparator" w:id="0">'
        "<w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>"
    )
    root = f"<w:footnotes {nsdecls('w')}>{separators}{bodies}</w:footnotes>"
    xml = f'<?xml version="1.0" encoding="UTF-8"?>{root}'
    part = Part(PackURI("/word/footnotes.xml"), _FOOTNOTES, xml.encode(), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def _save(document: WordDocument, source: Source) -> None:
    """Save with fixed dates in the archive, which ``Document.save`` fills with the time of day."""
    made = BytesIO()
    document.save(made)
    source.output.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(source.output, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), old.read(name), zipfile.ZIP_DEFLATED)
