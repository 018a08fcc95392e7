"""Files of LibreOffice and RTF, with what writers leave in them."""

from __future__ import annotations

from collections.abc import Iterator

from made_documents.invented import (
    CONTRACT,
    CONTRACT_MARKS,
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
    write_lines,
    write_mark,
)
from made_documents.made_document import MadeDocument
from made_documents.web_files import escape, pack

# -- ODT ---------------------------------------------------------------------------------------------------

_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "style", "table", "draw", "meta")
)


def _odt_text(part: Part, note: int) -> str:
    text = escape(part.text).replace("  ", '<text:s text:c="2"/>')
    body = (
        f'<text:note text:note-class="footnote"><text:note-citation>{note}</text:note-citation>'
        f"<text:note-body><text:p>{escape(part.note)}</text:p></text:note-body></text:note>"
    )
    return text.replace(NOTE, body).replace(" the ", " <text:span>the</text:span>\n ", 1)


def _odt_body(parts: Parts) -> Iterator[str]:
    opened = 0
    rows: list[str] = []
    notes = 0

    def close(ends: int) -> str:
        return "".join("</text:list-item></text:list>" for _ in range(ends))

    for part in parts:
        if part.kind == "row":
            cells = "".join(
                f"<table:table-cell><text:p>{escape(cell)}</text:p></table:table-cell>"
                for cell in part.text.split("\t")
            )
            rows.append(f"<table:table-row>{cells}</table:table-row>")
            continue
        if rows:
            yield f"<table:table>{''.join(rows)}</table:table>"
            rows = []
        notes += bool(part.note)
        words = _odt_text(part, notes)
        if part.kind != "unit":
            yield close(opened)
            opened = 0
            if part.kind == "heading":
                yield f'<text:h text:outline-level="{part.level}">{words}</text:h>'
            else:
                style = "Quotations" if part.kind == "quotation" else "P1"
                yield f'<text:p text:style-name="{style}">{words}</text:p>'
            continue
        while opened > part.level:
            yield "</text:list-item></text:list>"
            opened -= 1
        if opened == part.level:
            yield "</text:list-item>"
        while opened < part.level:
            goes_on = ' text:continue-numbering="true"' if opened == 0 and part.number != "1" else ""
            yield f'<text:list text:style-name="L1"{goes_on}>'
            opened += 1
        heading = f"<text:p>{escape(part.heading)}</text:p>" if part.heading else ""
        yield f"<text:list-item>{heading}" + (f"<text:p>{words}</text:p>" if words else "")
    yield close(opened)


def make_odt(parts: Parts, marks: tuple[str, ...] = JUDGMENT_MARKS, *, revised: bool = False) -> bytes:
    """A text of LibreOffice with lists, notes and tables; ``revised``: with changes that are recorded."""
    levels = "".join(
        f'<text:list-level-style-number text:level="{depth}" style:num-format="{"11a"[depth - 1]}"'
        f' style:num-prefix="{mark.partition("{}")[0]}" style:num-suffix="{mark.partition("{}")[2]}"'
        f"{' text:display-levels=' + chr(34) + '2' + chr(34) if mark == '{}' and depth == 2 else ''}/>"
        for depth, mark in enumerate(marks, start=1)
    )
    lists = f'<text:list-style style:name="L1">{levels}</text:list-style>'
    styles = f"<office:automatic-styles>{lists}</office:automatic-styles>"
    changes = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>'
        "<text:p>We shall sue.</text:p></text:deletion></text:changed-region></text:tracked-changes>"
    )
    body = "".join(_odt_body(parts))
    if revised:
        body = changes + body.replace("</text:p>", '<text:change text:change-id="c1"/></text:p>', 1)
    frame = (
        "<office:master-styles><style:master-page><style:header><text:p>Running head</text:p></style:header>"
        "</style:master-page></office:master-styles>"
    )
    content = (
        f"<office:document-content {_SPACES}>{styles}"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return pack(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": content,
            "styles.xml": f"<office:document-styles {_SPACES}>{frame}</office:document-styles>",
            "META-INF/manifest.xml": "<manifest/>",
        }
    )


# -- RTF ---------------------------------------------------------------------------------------------------


def _rtf_words(text: str) -> str:
    """Text as Word writes it: bytes of Windows where they do, Unicode with a substitute elsewhere."""
    found = []
    for sign in text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}"):
        if sign == SOFT_HYPHEN:
            found.append("\\-")
        elif sign == "\u00a0":
            found.append("\\~")
        elif sign == "—":
            found.append("\\emdash ")
        elif sign.isascii():
            found.append(sign)
        elif sign in "£§éÉü":
            found.append(f"\\'{sign.encode('cp1252').hex()}")
        else:
            found.append(f"\\u{ord(sign)}?")
    return "".join(found)


def make_rtf(parts: Parts, marks: tuple[str, ...] = JUDGMENT_MARKS, *, revised: bool = False) -> bytes:
    """A text with fonts and styles, a head and a foot, notes, a table, and numbers that Word has written."""
    found = [
        r"{\rtf1\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman;}}",
        r"{\colortbl;\red0\green0\blue0;}",
        r"{\stylesheet{\s0\snext0 Normal;}{\s1\b heading 1;}{\s2\b heading 2;}}",
        r"{\info{\title Draft}{\author JP}}{\header\pard Running head\par}{\footer\pard\qc 1\par}",
    ]
    for part in parts:
        if part.kind == "row":
            cells = "".join(rf"\pard\intbl {_rtf_words(cell)}\cell " for cell in part.text.split("\t"))
            found.append(rf"\trowd\cellx3000\cellx6000\cellx9000 {cells}\row")
            continue
        note = rf"{{\super\chftn {{\footnote\pard\plain {{\super\chftn}} {_rtf_words(part.note)}}}}}"
        mark = rf"{{\listtext\pard\plain {write_mark(part, marks)}\tab}}" if part.kind == "unit" else ""
        style = (
            rf"\s{part.level}\b" if part.kind == "heading" else r"\li720" if part.kind == "quotation" else ""
        )
        for text in filter(None, (part.heading, part.text)):
            words = _rtf_words(text).replace(_rtf_words(NOTE), note).replace(" and ", r" {\i and} ", 1)
            gone = r"{\deleted We shall sue. }{\v hidden }" if revised and not mark else ""
            found.append(rf"\pard\plain{style} {mark}{gone}{words}\par")
            mark = ""
    return ("\r\n".join(found) + "}").encode("ascii")


def list_documents() -> Iterator[MadeDocument]:
    judgment, statute = write_lines(JUDGMENT), write_lines(STATUTE, STATUTE_MARKS)
    contract, letter = write_lines(CONTRACT, CONTRACT_MARKS), write_lines(LETTER)
    yield MadeDocument("judgment.odt", "odt", lambda: make_odt(JUDGMENT), judgment, NUMBERS, TITLE)
    yield MadeDocument("act.odt", "odt", lambda: make_odt(STATUTE, STATUTE_MARKS), statute, SECTIONS)
    yield MadeDocument("agreement.odt", "odt", lambda: make_odt(CONTRACT, CONTRACT_MARKS), contract)
    yield MadeDocument("revised.odt", "odt", lambda: make_odt(LETTER, revised=True), letter)
    yield MadeDocument("judgment.rtf", "rtf", lambda: make_rtf(JUDGMENT), judgment, NUMBERS, TITLE)
    yield MadeDocument("act.rtf", "rtf", lambda: make_rtf(STATUTE, STATUTE_MARKS), statute, SECTIONS)
    yield MadeDocument("agreement.doc", "rtf", lambda: make_rtf(CONTRACT, CONTRACT_MARKS), contract)
    yield MadeDocument("revised.rtf", "rtf", lambda: make_rtf(LETTER, revised=True), letter)
