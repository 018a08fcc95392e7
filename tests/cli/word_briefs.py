"""Twenty Word briefs that are written as Word and its users write them, for what puts changes into a copy.

Each holds a sentence that quotes *Ash Mooring* at [2] wrongly ("every" for "each"), which has one answer, or
a pinpoint that is not there ([9]), or both; somewhere in what the brief is named for.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape

from docx import Document
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_KINDS = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_MORE = (
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
)
_OTHER = 'w:author="Wren" w:date="2031-01-02T03:04:05Z"'
CASE = "Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12"
FIRST, SECOND = (
    "“The knowledge of ",
    " servant whose task is to receive reports is the knowledge of the board itself”",
)
WRONG = f"{FIRST}every{SECOND}"


def run(text: str, properties: str = "") -> str:
    """A run of text in a format."""
    format = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{format}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*content: str, properties: str = "") -> str:
    """A paragraph of runs."""
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{''.join(content)}</w:p>"


def sign(name: str) -> str:
    """A run of one sign: a tab, a break."""
    return f"<w:r><w:{name}/></w:r>"


def mark(number: int, kind: str = "footnote") -> str:
    """The mark of a note."""
    return f'<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:{kind}Reference w:id="{number}"/></w:r>'


def begin(code: str) -> str:
    """What stands before the result of a field."""
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {escape(code)} </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    )


END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
OPENING = paragraph(run("Skeleton argument", "<w:b/>"))
CLOSING = paragraph(
    run("The claim should succeed. "),
    '<w:bookmarkStart w:id="90" w:name="end"/>',
    run("So it is submitted."),
    '<w:bookmarkEnd w:id="90"/>',
)
CITED = run(f": {CASE} at [2].")


def make(
    *paragraphs: str,
    footnotes: tuple[str, ...] = (),
    endnotes: tuple[str, ...] = (),
    change: Callable[[str, bytes], bytes] | None = None,
    rename: Mapping[str, str] | None = None,
    comment: str = "",
) -> bytes:
    """A brief of these paragraphs; ``change`` rewrites its parts, ``comment`` is on its first words."""
    document = Document()
    body = document.element.body
    for text in reversed([OPENING, *paragraphs, CLOSING]):
        wrapped = f"<w:body {nsdecls('w', 'r', 'wp', 'a')}{_MORE}>{text}</w:body>"
        for element in reversed(list(parse_xml(wrapped))):
            body.insert(0, element)
    for kind, notes in (("footnote", footnotes), ("endnote", endnotes)):
        if notes:
            _add_notes(document, kind, notes)
    if comment:
        document.add_comment(document.paragraphs[1].runs, text=comment, author="Wren", initials="W")
    out = io.BytesIO()
    document.save(out)
    return _rewrite(out.getvalue(), change, rename or {})


def _add_notes(document: object, kind: str, notes: tuple[str, ...]) -> None:
    body = f'<w:{kind} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:{kind}>'
    for number, content in enumerate(notes, start=1):
        written = paragraph(f"<w:r><w:{kind}Ref/></w:r>", run(" "), content)
        body += f'<w:{kind} w:id="{number}">{written}</w:{kind}>'
    xml = f"<?xml version='1.0' encoding='UTF-8'?><w:{kind}s {nsdecls('w')}>{body}</w:{kind}s>"
    package = document.part.package  # type: ignore[attr-defined]
    part = Part(PackURI(f"/word/{kind}s.xml"), f"{_KINDS}.{kind}s+xml", xml.encode(), package)
    document.part.relate_to(part, f"{_OFFICE}/relationships/{kind}s")  # type: ignore[attr-defined]


def _rewrite(data: bytes, change: Callable[[str, bytes], bytes] | None, rename: Mapping[str, str]) -> bytes:
    if change is None:
        return data
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(rename.get(name, name), change(name, old.read(name)))
    return out.getvalue()


def _in_utf16(name: str, content: bytes) -> bytes:
    if name != "word/document.xml":
        return content
    return re.sub(r"encoding=(['\"]).*?\1", "encoding='UTF-16'", content.decode()).encode("utf-16")


def _with_prefix(name: str, content: bytes) -> bytes:
    if name != "word/document.xml":
        return content
    text = re.sub(rb"(</?)w:", rb"\1x:", content).replace(b"xmlns:w=", b"xmlns:x=")
    return re.sub(rb" w:(?=[A-Za-z]+=)", b" x:", text).replace(b"<x:p>", b"\n  <x:p>\n    ")


def _elsewhere(name: str, content: bytes) -> bytes:
    return (
        content.replace(b"word/document.xml", b"word/main.xml") if not name.startswith("word/") else content
    )


_INSERTED = f'<w:ins w:id="31" {_OTHER}>{{}}</w:ins>'
_DELETED = f'<w:del w:id="32" {_OTHER}><w:r><w:delText xml:space="preserve">{{}}</w:delText></w:r></w:del>'
_SHAPES = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
_BOX = (
    "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:inline>"
    "<wp:extent cx='3000000' cy='900000'/><wp:docPr id='7' name='Box'/><a:graphic>"
    f"<a:graphicData uri='{_SHAPES}'><wps:wsp><wps:cNvSpPr txBox='1'/><wps:spPr><a:xfrm><a:off x='0' y='0'/>"
    "<a:ext cx='3000000' cy='900000'/></a:xfrm><a:prstGeom prst='rect'><a:avLst/></a:prstGeom></wps:spPr>"
    "<wps:txbx><w:txbxContent>{0}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic>"
    "</wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>{0}"
    "</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)
_CONTROL = "<w:sdt><w:sdtPr>{}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
_CELL = "<w:tc><w:tcPr><w:tcW w:w='4000' w:type='dxa'/></w:tcPr>{}</w:tc>"
_TABLE = (
    "<w:tbl><w:tblPr><w:tblW w:w='0' w:type='auto'/></w:tblPr><w:tblGrid><w:gridCol w:w='4000'/>"
    "<w:gridCol w:w='4000'/></w:tblGrid>{}</w:tbl>"
)
_EQUATION = "<m:oMath><m:r><m:t>x</m:t></m:r><m:r><m:t>=2</m:t></m:r></m:oMath>"
_BINDING = '<w:dataBinding w:xpath="/a/b" w:storeItemID="{00000000-0000-0000-0000-000000000000}"/>'
_END_DELETED = f'<w:rPr><w:del w:id="33" {_OTHER}/></w:rPr>'
_NUMBERED = '<w:pStyle w:val="ListNumber"/>'


def write_briefs() -> dict[str, bytes]:
    """The briefs by their names."""
    quoted = paragraph(run(WRONG), CITED)
    absent = paragraph(run(f"The board is liable: {CASE} at [9]."))
    return {
        "plain": make(quoted, absent),
        "formatted": make(
            paragraph(
                run(f"{FIRST}ev", "<w:b/>"),
                run("er", "<w:i/>"),
                run("y", "<w:u w:val='single'/>"),
                run(SECOND),
                CITED,
            ),
            paragraph(
                run("See "),
                run("Ash Mooring Ltd v Tern Harbour Board", "<w:i/>"),
                run(" [2031] UKSC 12 at ["),
                run("9", "<w:b/>"),
                run("]."),
            ),
        ),
        "footnotes": make(
            paragraph(run("So it was held."), mark(1), run(" And the board is liable."), mark(2)),
            paragraph(run("There is more.")),
            footnotes=(f"{run(WRONG)}{CITED}", run(f"{CASE} at [9].")),
        ),
        "endnotes": make(
            paragraph(run("So it was held."), mark(1, "endnote"), run(" It is settled law.")),
            absent,
            endnotes=(f"{run(WRONG)}{CITED}",),
        ),
        "tables": make(
            _TABLE.format(
                f"<w:tr>{_CELL.format(paragraph(run('Issue 1')))}{_CELL.format(quoted)}</w:tr>"
                f"<w:tr>{_CELL.format(quoted + absent)}{_CELL.format(paragraph())}</w:tr>"
            ),
            absent,
        ),
        "changes": make(
            paragraph(
                run("It was held that "), _DELETED.format("perhaps "), _INSERTED.format(run(WRONG)), CITED
            ),
            paragraph(
                run(f"{FIRST}"),
                _DELETED.format("each"),
                _INSERTED.format(run("every", "<w:i/>")),
                run(SECOND),
                CITED,
            ),
            paragraph(_INSERTED.format(run("The board is liable: ")), run(f"{CASE} at [9].")),
        ),
        "comments": make(quoted, absent, comment="Is this right? — W."),
        "right-to-left": make(
            paragraph(run("בית המשפט פסק כך: ", "<w:rtl/>"), run(WRONG), CITED, properties="<w:bidi/>"),
            paragraph(
                run("המועצה אחראית: ", "<w:rtl/>"),
                run(f"{CASE} at [9]."),
                run(" סוף דבר.", "<w:rtl/>"),
                properties="<w:bidi/>",
            ),
        ),
        "equations": make(
            paragraph(run("The loss is "), _EQUATION, run(f", as said in {CASE} at [9].")),
            f"<w:p><m:oMathPara>{_EQUATION}</m:oMathPara></w:p>",
            paragraph(run(WRONG), CITED, _EQUATION),
        ),
        "fields": make(
            paragraph(run("As said above "), begin("REF x \\h"), run(WRONG), END, CITED),
            paragraph(
                begin("PAGEREF x"),
                run("4"),
                END,
                run(f" See {CASE}"),
                begin('TA \\s "Ash"'),
                END,
                run(" at [9]."),
            ),
            quoted,
        ),
        "links": make(
            paragraph(
                run("It says "),
                f'<w:hyperlink w:anchor="end">{run(WRONG, "<w:i/>")}</w:hyperlink>',
                CITED,
            ),
            paragraph(run("It says "), begin('HYPERLINK "https://example.org/"'), run(WRONG), END, CITED),
            paragraph(
                f'<w:fldSimple w:instr=" REF y ">{run(f"{CASE} at [9]")}</w:fldSimple>', run(" is plain.")
            ),
        ),
        "text boxes": make(paragraph(run("Beside this: "), _BOX.format(quoted + absent)), quoted),
        "controls": make(
            _CONTROL.format("<w:tag w:val='a'/>", quoted),
            paragraph(run("Bound: "), _CONTROL.format(_BINDING, run(WRONG)), CITED),
            paragraph(run("Free: "), _CONTROL.format("", run(WRONG)), CITED),
        ),
        "numbered": make(
            paragraph(run(WRONG), CITED, properties=_NUMBERED),
            paragraph(run(f"Compare {CASE} at [9]."), properties=_NUMBERED),
        ),
        "signs": make(
            paragraph(
                run("It says:"),
                sign("tab"),
                run(FIRST),
                sign("lastRenderedPageBreak"),
                run("every"),
                run(" servant whose"),
                sign("br"),
                run("task is to receive re\u00adports is the knowledge of the board itself”"),
                CITED,
            ),
            paragraph(f"<w:r><w:tab/><w:t>See {CASE} at [9].</w:t><w:br/><w:t>That is all.</w:t></w:r>"),
        ),
        "characters": make(
            paragraph(run(f"Smith & Sons <say> “so” — 𝔄: {WRONG}"), CITED),
            paragraph(run(f"A & B: {CASE} at [9] & more.")),
            change=lambda name, content: content.replace("—".encode(), b"&#x2014;").replace(
                "𝔄".encode(), b"&#120068;"
            ),
        ),
        "moved": make(
            paragraph(
                '<w:moveFromRangeStart w:id="40" w:name="m" w:author="Wren"/>',
                f'<w:moveFrom w:id="41" {_OTHER}>{run("It was moved. ")}</w:moveFrom>',
                '<w:moveFromRangeEnd w:id="40"/>',
                run(WRONG),
                CITED,
            ),
            paragraph(
                '<w:moveToRangeStart w:id="42" w:name="m" w:author="Wren"/>',
                f'<w:moveTo w:id="43" {_OTHER}>{run(WRONG)}{CITED}</w:moveTo>',
                '<w:moveToRangeEnd w:id="42"/>',
            ),
        ),
        "joined": make(
            paragraph(run("So it was held: "), properties=_END_DELETED),
            paragraph(run(f"{FIRST}every serv"), properties=_END_DELETED),
            paragraph(run(SECOND[5:]), CITED),
            paragraph(run("The board is li"), properties="<w:rPr><w:vanish/></w:rPr>"),
            paragraph(run("not ", "<w:vanish/>"), run(f"able: {CASE} at [9].")),
        ),
        "utf-16": make(quoted, absent, change=_in_utf16),
        "another prefix": make(quoted, absent, change=_with_prefix),
        "another main part": make(
            quoted,
            absent,
            paragraph(run("A section."), properties='<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'),
            change=_elsewhere,
            rename={
                "word/document.xml": "word/main.xml",
                "word/_rels/document.xml.rels": "word/_rels/main.xml.rels",
            },
        ),
    }
