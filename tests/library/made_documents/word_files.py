"""Word's documents, with what writers leave in them."""

from __future__ import annotations

import html
import io
from collections.abc import Iterator
from copy import deepcopy

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part as PackagePart
from docx.oxml import parse_xml

from made_documents.invented import (
    CONTRACT,
    CONTRACT_MARKS,
    CONTRACT_TITLE,
    JUDGMENT,
    JUDGMENT_MARKS,
    LETTER,
    NOTE,
    NUMBERS,
    SECTIONS,
    SOFT_HYPHEN,
    STATUTE,
    STATUTE_MARKS,
    TITLE,
    Part,
    Parts,
    leave_notes_out,
    write_lines,
    write_mark,
)
from made_documents.made_document import MadeDocument

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_FORMATS = {JUDGMENT_MARKS: ("decimal",), STATUTE_MARKS: ("decimal", "decimal", "lowerLetter")}
_FORMATS[CONTRACT_MARKS] = ("decimal", "decimal", "lowerLetter")
_PLACES = {JUDGMENT_MARKS: ("%1.",), STATUTE_MARKS: ("%1", "(%2)", "(%3)")}
_PLACES[CONTRACT_MARKS] = ("%1.", "%1.%2", "(%3)")


def _run(text: str) -> str:
    """Runs of text as Word writes them: broken where it likes, with signs of its own."""
    cut = len(text) // 3
    runs = "".join(
        f'<w:r><w:t xml:space="preserve">{html.escape(half, quote=False)}</w:t></w:r>'
        for half in (text[:cut], text[cut:])
    )
    signs = {SOFT_HYPHEN: "<w:softHyphen/>", "\t": "<w:tab/>"}
    for sign, element in signs.items():
        runs = runs.replace(sign, f'</w:t></w:r><w:r>{element}</w:r><w:r><w:t xml:space="preserve">')
    return runs


def _paragraph(runs: str, properties: str = "") -> str:
    return f"<w:p {W}><w:pPr>{properties}</w:pPr>{runs}</w:p>"


def _docx_part(part: Part, numbered: bool, marks: tuple[str, ...], note: int) -> list[str]:
    """The paragraphs of a part; units are ``numbered`` by Word itself, or their number is typed."""
    properties = {
        "heading": f'<w:pStyle w:val="Heading{part.level}"/>',
        "quotation": '<w:pStyle w:val="Quote"/>',
    }
    style = properties.get(part.kind, "")
    typed = ""
    if part.kind == "unit":
        own = f'<w:numPr><w:ilvl w:val="{part.level - 1}"/><w:numId w:val="91"/></w:numPr>'
        style, typed = (own, "") if numbered else ("", f"{write_mark(part, marks)}\t")
    texts = [text for text in (part.heading, part.text) if text]
    texts[0] = typed + texts[0]
    found = [_paragraph(_run(text), style if place == 0 else "") for place, text in enumerate(texts)]
    reference = f'<w:r><w:footnoteReference w:id="{note + 1}"/></w:r>'
    return [each.replace(NOTE, f'</w:t></w:r>{reference}<w:r><w:t xml:space="preserve">') for each in found]


def make_docx(parts: Parts, marks: tuple[str, ...] = JUDGMENT_MARKS, *, numbered: bool = True) -> Document:
    """A Word document with styles, numbering and notes."""
    document = docx.Document()
    body = document.element.body
    end = body[-1]
    if numbered:
        _add_numbering(document, marks)
    notes: list[str] = []
    table = None
    for part in parts:
        if part.kind == "row":
            cells = part.text.split("\t")
            if table is None:
                table = document.add_table(rows=0, cols=len(cells))
            for cell, text in zip(table.add_row().cells, cells, strict=True):
                cell.text = text
            continue
        table = None
        for source in _docx_part(part, numbered, marks, len(notes)):
            end.addprevious(parse_xml(source))
        if part.note:
            notes.append(part.note)
    if notes:
        _add_notes(document, notes)
    return document


def _add_numbering(document: Document, marks: tuple[str, ...]) -> None:
    levels = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{format}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for depth, (format, text) in enumerate(zip(_FORMATS[marks], _PLACES[marks], strict=True))
    )
    lists = document.part.numbering_part.element
    first = lists.find(f"{{{lists.nsmap['w']}}}num")
    first.addprevious(parse_xml(f'<w:abstractNum {W} w:abstractNumId="90">{levels}</w:abstractNum>'))
    lists.append(parse_xml(f'<w:num {W} w:numId="91"><w:abstractNumId w:val="90"/></w:num>'))


def _add_notes(document: Document, notes: list[str]) -> None:
    mark = "<w:r><w:footnoteRef/></w:r>"
    own = "".join(
        f'<w:footnote w:id="{number}">{_paragraph(mark + _run(f" {note}"))}</w:footnote>'
        for number, note in enumerate(notes, start=1)
    )
    separator = '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
    part = PackagePart(
        PackURI("/word/footnotes.xml"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
        f"<w:footnotes {W}>{separator}{own}</w:footnotes>".encode(),
        document.part.package,
    )
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def save(document: Document) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def make_revised_docx() -> bytes:
    """A letter under revision: insertions, deletions, moves, a comment's range, hidden words, fields."""
    document = make_docx(LETTER)
    paragraphs = [each for each in document.element.body.iterchildren() if each.tag.endswith("}p")]
    who = 'w:id="5" w:author="ZT" w:date="2016-12-01T10:00:00Z"'
    last = paragraphs[-1]
    for source in (
        f"<w:del {W} {who}><w:r><w:delText>Miss </w:delText></w:r></w:del>",
        f"<w:r {W}><w:rPr><w:vanish/></w:rPr><w:t>not to be shown</w:t></w:r>",
        f"<w:moveFrom {W} {who}><w:r><w:t>moved away</w:t></w:r></w:moveFrom>",
        f'<w:commentRangeStart {W} w:id="3"/>',
    ):
        last.insert(1, parse_xml(source))
    insertion = parse_xml(f"<w:ins {W} {who}></w:ins>")
    for run in [each for each in paragraphs[0] if each.tag.endswith("}r")]:
        insertion.append(deepcopy(run))
        paragraphs[0].remove(run)
    paragraphs[0].append(insertion)
    gone = f"<w:rPr><w:del {who}/></w:rPr>"
    deleted = f"<w:del {who}><w:r><w:delText>We shall sue.</w:delText></w:r></w:del>"
    paragraphs[-2].addprevious(parse_xml(_paragraph(deleted, gone)))
    for type, text in (("begin", ""), ("", "<w:instrText>DATE</w:instrText>"), ("end", "")):
        field = f'<w:fldChar w:fldCharType="{type}"/>' if type else text
        paragraphs[3].append(parse_xml(f"<w:r {W}>{field}</w:r>"))
    return save(document)


def make_boxed_docx() -> bytes:
    """A judgment with a running head and foot, a text box at its second line, and a content control."""
    document = make_docx(leave_notes_out(JUDGMENT), numbered=False)
    section = document.sections[0]
    section.header.paragraphs[0].text = "Ardwell v Pennock – draft"
    section.footer.paragraphs[0].text = "Page 1 of 9"
    inner = _paragraph(_run("Approved judgment"))
    drawing = f"""<w:r {W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
xmlns:v="urn:schemas-microsoft-com:vml"><mc:AlternateContent>
<mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>{inner}</w:txbxContent></wps:txbx></w:drawing>
</mc:Choice>
<mc:Fallback><w:pict><v:textbox><w:txbxContent>{inner}</w:txbxContent></v:textbox></w:pict></mc:Fallback>
</mc:AlternateContent></w:r>"""
    body = document.element.body
    body[1].append(parse_xml(drawing))
    control = parse_xml(f"<w:sdt {W}><w:sdtPr/><w:sdtContent/></w:sdt>")
    third = body[2]
    third.addprevious(control)
    control[1].append(third)
    return save(document)


def list_documents() -> Iterator[MadeDocument]:
    judgment, statute = write_lines(JUDGMENT), write_lines(STATUTE, STATUTE_MARKS)
    contract, letter = write_lines(CONTRACT, CONTRACT_MARKS), write_lines(LETTER)
    plain = write_lines(leave_notes_out(JUDGMENT))
    boxed = [plain[0], plain[1], "Approved judgment", *plain[2:]]

    def word(
        name: str, document: Document, lines: list[str], labels: object, title: str = ""
    ) -> MadeDocument:
        return MadeDocument(f"{name}.docx", "docx", lambda: save(document), lines, labels, title)

    yield word("judgment", make_docx(JUDGMENT), judgment, NUMBERS, TITLE)
    yield word("typed-numbers", make_docx(JUDGMENT, numbered=False), judgment, NUMBERS, TITLE)
    yield word("act", make_docx(STATUTE, STATUTE_MARKS), statute, SECTIONS)
    yield word("agreement", make_docx(CONTRACT, CONTRACT_MARKS), contract, None, CONTRACT_TITLE)
    yield MadeDocument("revised.docx", "docx", make_revised_docx, letter)
    yield MadeDocument("boxed.docx", "docx", make_boxed_docx, boxed, NUMBERS)
