"""Automatic numbers of DOCX as Word counts them where lists share their counts."""

from __future__ import annotations

import io
import zipfile

from lexls.library.readers.docx import extract

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
DECIMAL = '<w:start w:val="1"/><w:numFmt w:val="decimal"/>'
LEVELS = (
    f'<w:lvl w:ilvl="0">{DECIMAL}<w:lvlText w:val="%1."/></w:lvl>'
    f'<w:lvl w:ilvl="1">{DECIMAL}<w:lvlText w:val="(%2)"/></w:lvl>'
)
BOTH_ANEW = "".join(
    f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="1"/></w:lvlOverride>' for level in (0, 1)
)


def read(body: str, lists: str, styles: str = "") -> list[str]:
    """The pieces of a DOCX with that body, numbering and styles."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/numbering.xml", f"<w:numbering {W}>{lists}</w:numbering>")
        archive.writestr("word/styles.xml", f"<w:styles {W}>{styles}</w:styles>")
    found = extract(buffer.getvalue())
    return [found.text[piece.start : piece.end] for piece in found.pieces]


def listed(number: int, identifier: int, more: str = "") -> str:
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{identifier}"/>{more}</w:num>'


def abstract(identifier: int, levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{identifier}">{levels}</w:abstractNum>'


def paragraph(text: str, number: int = 0, level: int = 0, more: str = "", run: str = "") -> str:
    numbering = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>' if number else ""
    content = run or f"<w:t>{text}</w:t>"
    return f"<w:p><w:pPr>{numbering}{more}</w:pPr><w:r>{content}</w:r></w:p>"


def test_a_list_that_begins_anew_below_goes_on_above() -> None:
    lists = abstract(0, LEVELS) + listed(1, 0) + listed(2, 0, BOTH_ANEW)
    body = paragraph("One", 1) + paragraph("sub", 1, 1) + paragraph("sub", 2, 1) + paragraph("Two", 2)
    assert read(body, lists) == ["1. One", "(1) sub", "(1) sub", "2. Two"]


def test_a_list_that_begins_anew_where_it_is_first_used() -> None:
    lists = abstract(0, LEVELS) + listed(1, 0) + listed(2, 0, BOTH_ANEW)
    body = paragraph("One", 1) + paragraph("Two", 1) + paragraph("Other", 2) + paragraph("More", 1)
    assert read(body, lists) == ["1. One", "2. Two", "1. Other", "2. More"]


def test_a_list_that_points_at_a_style_has_the_levels_of_that_style() -> None:
    lists = (
        abstract(0, '<w:numStyleLink w:val="Own"/>')
        + abstract(1, f'<w:styleLink w:val="Own"/>{LEVELS}')
        + listed(1, 1)
        + listed(2, 0)
    )
    assert read(paragraph("One", 2) + paragraph("Two", 2), lists) == ["1. One", "2. Two"]


def test_a_list_with_a_level_of_its_own_counts_on() -> None:
    level = f'<w:lvl w:ilvl="0">{DECIMAL}<w:lvlText w:val="[%1]"/></w:lvl>'
    own = f'<w:lvlOverride w:ilvl="0">{level}</w:lvlOverride>'
    lists = abstract(0, LEVELS) + listed(1, 0) + listed(2, 0, own)
    assert read(paragraph("One", 1) + paragraph("Two", 2), lists) == ["1. One", "[2] Two"]


def test_a_styles_level_is_the_one_that_names_it_or_its_own() -> None:
    levels = (
        f'<w:lvl w:ilvl="0">{DECIMAL}<w:pStyle w:val="Para"/><w:lvlText w:val="%1."/></w:lvl>'
        f'<w:lvl w:ilvl="1">{DECIMAL}<w:lvlText w:val="(%2)"/></w:lvl>'
    )
    styles = (
        '<w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/><w:pPr><w:numPr>'
        '<w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Para"><w:name w:val="Para"/><w:basedOn w:val="Base"/>'
        '<w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr></w:style>'
    )
    lists = abstract(0, levels) + listed(1, 0)
    body = paragraph("One", more='<w:pStyle w:val="Para"/>') + paragraph(
        "sub", more='<w:pStyle w:val="Base"/>'
    )
    assert read(body, lists, styles) == ["1. One", "(1) sub"]


def test_a_numbered_picture_keeps_its_number_and_a_removed_paragraph_has_none() -> None:
    lists = abstract(0, LEVELS) + listed(1, 0)
    picture = '<w:drawing><a:blip xmlns:a="urn:drawing"/></w:drawing>'
    removed = "<w:rPr><w:del/></w:rPr>"
    body = (
        paragraph("One", 1)
        + paragraph("", 1, run=picture)
        + paragraph("", 1, more=removed, run="<w:delText>gone</w:delText>")
        + paragraph("Three", 1)
    )
    assert read(body, lists) == ["1. One", "2. [picture]", "3. Three"]
