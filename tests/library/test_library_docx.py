"""DOCX: automatic numbers, headings, notes, tables; and what is no DOCX."""

from __future__ import annotations

import contextlib
import io
import zipfile
from collections.abc import Callable

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.library.document import SourceDocument, UnreadableFile
from lexls.library.readers.docx import extract

Reader = Callable[[str, str | bytes], SourceDocument]

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
LISTS = f"""<w:numbering {W}>
<w:abstractNum w:abstractNumId="0">
 <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
 <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>
 <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%3)"/></w:lvl>
 <w:lvl w:ilvl="3"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%4)"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
 <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="0"/>
 <w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
</w:numbering>"""
STYLES = f"""<w:styles {W}>
<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="My sub"/><w:basedOn w:val="H2"/></w:style>
<w:style w:type="paragraph" w:styleId="Para"><w:name w:val="Numbered"/>
 <w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
</w:styles>"""
NOTES = f"""<w:footnotes {W}>
<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>---</w:t></w:r></w:p></w:footnote>
<w:footnote w:id="2"><w:p><w:r><w:t>See Carrow.</w:t></w:r></w:p></w:footnote>
</w:footnotes>"""


def numbered(text: str, level: int = 0, number: int = 1) -> str:
    properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return paragraph(text, properties)


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def styled(text: str, style: str) -> str:
    return paragraph(text, f'<w:pStyle w:val="{style}"/>')


def packed(body: str, **parts: str) -> bytes:
    """A DOCX with that body, and other parts of word/ by their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        for name, content in parts.items():
            archive.writestr(f"word/{name}.xml", content)
    return buffer.getvalue()


def pieces(body: str, **parts: str) -> list[str]:
    found = extract(packed(body, numbering=LISTS, styles=STYLES, footnotes=NOTES, **parts))
    return [found.text[piece.start : piece.end] for piece in found.pieces]


def test_automatic_numbers_stand_in_the_text_as_word_prints_them() -> None:
    body = (
        numbered("Terms")
        + numbered("First", 1)
        + numbered("inner", 2)
        + numbered("inner", 2)
        + numbered("deep", 3)
        + paragraph("plain")
        + numbered("Second", 1)
        + numbered("inner again", 2)
        + numbered("Price")
        + numbered("Third", 1)
        + numbered("dot", 0, 2)
    )
    assert pieces(body) == [
        "1. Terms", "1.1 First", "(a) inner", "(b) inner", "I) deep", "plain",
        "1.2 Second", "(a) inner again", "2. Price", "2.1 Third", "dot",
    ]  # fmt: skip


def test_a_style_numbers_paragraphs_and_a_list_may_start_elsewhere() -> None:
    body = styled("One", "Para") + styled("Two", "Para")
    body += paragraph("None", '<w:pStyle w:val="Para"/><w:numPr><w:numId w:val="0"/></w:numPr>')
    body += styled("Three", "Para")
    assert pieces(body) == ["1. One", "2. Two", "None", "3. Three"]
    assert pieces(numbered("Five", 0, 3) + numbered("Six", 0, 3)) == ["5. Five", "6. Six"]


def test_automatically_numbered_paragraphs_get_labels(read_as: Reader) -> None:
    body = styled("Carrow v Meridian", "H2") + "".join(
        numbered(f"Reason {count} is given here.") for count in range(9)
    )
    document = read_as("a.docx", packed(body, numbering=LISTS, styles=STYLES))
    assert [block.label for block in document.blocks] == ["", "1", "2", "3", "4", "5", "6", "7", "8", "9"]


def test_headings_by_style_by_what_it_builds_on_and_by_outline_level() -> None:
    body = (
        styled("A", "H2")
        + styled("B", "Sub")
        + paragraph("C", '<w:outlineLvl w:val="3"/>')
        + styled("D", "N")
    )
    found = extract(packed(body, styles=STYLES))
    assert [piece.heading for piece in found.pieces] == [2, 2, 4, 0]


def test_footnotes_follow_the_paragraph_that_refers_to_them() -> None:
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = f"<w:p><w:r><w:t>Held</w:t></w:r>{reference}<w:r><w:t>.</w:t></w:r></w:p>"
    assert pieces(body + paragraph("Next")) == ["Held [note 1].", "Note 1: See Carrow.", "Next"]


def test_table_rows_text_boxes_breaks_and_tracked_changes() -> None:
    row = f"<w:tr><w:tc>{paragraph('Wheat')}</w:tc><w:tc>{paragraph('61 crowns')}</w:tc></w:tr>"
    mixed = f"<w:tr><w:tc>{paragraph('a')}{paragraph('b')}</w:tc></w:tr>"
    assert pieces(f"<w:tbl>{row}{mixed}</w:tbl>") == ["Wheat\t61 crowns", "a", "b"]
    box = (
        '<w:p><w:r><w:t>Anchor</w:t><mc:AlternateContent xmlns:mc="m"><mc:Choice><w:txbxContent>'
        f"{paragraph('Box')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>{paragraph('Box')}"
        "</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert pieces(box) == ["Anchor", "Box"]
    changed = (
        "<w:p><w:ins><w:r><w:t>new </w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        "<w:r><w:t>end</w:t><w:tab/><w:noBreakHyphen/><w:br/><w:t>line</w:t></w:r>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>"
    )
    assert pieces(changed) == ["new end\t-\nline"]
    control = f"<w:sdt><w:sdtContent>{paragraph('in a control')}</w:sdtContent></w:sdt>"
    assert pieces(control) == ["in a control"]


GONE = ("<w:del/>", "<w:moveFrom/>", "<w:vanish/>", "<w:i/><w:del/>")
KEPT = ("", "<w:ins/>", "<w:vanish w:val='0'/>", "<w:vanish/><w:specVanish/>", "<w:b/>")


def ended(text: str, end: str, style: str = "") -> str:
    """A paragraph whose end has these properties."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}<w:rPr>{end}</w:rPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


@pytest.mark.parametrize("first", GONE + KEPT)
@pytest.mark.parametrize("second", GONE + KEPT)
@pytest.mark.parametrize(
    "wrapped", ["{}", "<w:tbl><w:tr><w:tc>{}<w:p/></w:tc></w:tr></w:tbl>", "<w:ins>{}</w:ins>"]
)
def test_paragraphs_are_one_where_the_end_between_them_is_gone(first: str, second: str, wrapped: str) -> None:
    expected = "Thorn"
    for end, text in ((first, " v Elm [2014]"), (second, " UKSC 71")):
        expected += ("" if end in GONE else "\n") + text.strip() if end in KEPT else text
    body = ended("Thorn", first) + ended(" v Elm [2014]", second) + ended(" UKSC 71", "")
    assert pieces(wrapped.format(body)) == expected.split("\n")


def test_a_paragraph_whose_end_is_gone_is_what_the_next_one_is() -> None:
    body = ended("of the ", "<w:del/>", "H2") + ended("facts", "") + ended("Ab", "<w:del/>")
    found = extract(packed(body + ended("out", "", "H2") + ended("last", "<w:del/>"), styles=STYLES))
    assert [(piece.heading, found.text[piece.start : piece.end]) for piece in found.pieces] == [
        (0, "of the facts"),
        (2, "About"),
        (0, "last"),
    ]


def test_no_end_is_gone_between_a_paragraph_and_a_table_and_notes_follow_what_is_joined() -> None:
    table = f"<w:tbl><w:tr><w:tc>{paragraph('cell')}</w:tc></w:tr></w:tbl>"
    assert pieces(ended("before", "<w:del/>") + table + paragraph("after")) == ["before", "cell", "after"]
    noted = ended("Held</w:t><w:footnoteReference w:id='2'/><w:t>", "<w:del/>") + paragraph(" so.")
    assert pieces(noted) == ["Held [note 1] so.", "Note 1: See Carrow."]


HIDING = """<w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Secret2"><w:basedOn w:val="Secret"/><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Open"><w:basedOn w:val="Secret"/>
 <w:rPr><w:vanish w:val="0"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Hidden"><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Round"><w:basedOn w:val="Round"/></w:style>"""


@pytest.mark.parametrize(
    ("style", "properties", "seen"),
    [
        ("", "<w:vanish/>", False),
        ("", '<w:vanish w:val="false"/>', True),
        ("", '<w:rStyle w:val="Secret"/>', False),
        ("", '<w:rStyle w:val="Secret2"/>', False),
        ("", '<w:rStyle w:val="Open"/>', True),
        ("", '<w:rStyle w:val="Round"/>', True),
        ("", '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>', True),
        ("", "<w:webHidden/>", True),
        ("Hidden", "", False),
        ("Hidden", '<w:vanish w:val="off"/>', True),
        ("Hidden", '<w:rStyle w:val="Secret"/>', True),
    ],
)
def test_hidden_text_is_not_read(style: str, properties: str, seen: bool) -> None:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    body = f"<w:p>{named}<w:r><w:rPr>{properties}</w:rPr><w:t>secret</w:t></w:r></w:p>"
    styles = STYLES.replace("</w:styles>", f"{HIDING}</w:styles>")
    found = extract(packed(body + paragraph("open"), styles=styles))
    assert ("secret" in found.text) == seen


def test_pages_where_word_has_left_marks_of_them() -> None:
    broken = "<w:p><w:r><w:t>one </w:t><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>"
    found = extract(packed(paragraph("zero") + broken))
    assert [found.text[start:].split()[0] for start in found.page_starts] == ["zero", "two"]


def test_a_file_of_python_docx_is_read(read_as: Reader) -> None:
    made = docx.Document()
    made.add_heading("Carrow v Meridian", 0)
    made.add_heading("Facts", 2)
    made.add_paragraph("The goods were wet.")
    made.add_table(1, 2).rows[0].cells[0].text = "cell"
    buffer = io.BytesIO()
    made.save(buffer)
    document = read_as("a.docx", buffer.getvalue())
    assert document.metadata.title == "Carrow v Meridian"
    assert [
        (block.kind, block.level, document.text[block.start : block.end]) for block in document.blocks
    ] == [
        ("heading", 1, "Carrow v Meridian"),
        ("heading", 2, "Facts"),
        ("text", 0, "The goods were wet."),
        ("text", 0, "cell"),
    ]


def zipped(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"words", "not a DOCX file (no ZIP archive)"),
        (packed(paragraph("x" * 5000))[:120], "damaged DOCX file (the ZIP archive is broken or cut off)"),
        (zipped(readme="words"), "not a DOCX file (no word/document.xml in it)"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted: needs a password"),
        (OLE, "an old Word document (.doc) with the suffix .docx; save it as .docx"),
        (
            zipped(**{"word/document.xml": "<a><b></a>"}),
            "damaged DOCX file (word/document.xml is not valid XML)",
        ),
    ],
)
def test_what_is_no_docx_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        extract(data)
    assert str(caught.value) == reason


def test_a_part_that_unpacks_to_gigabytes_is_refused() -> None:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w") as part,
    ):
        for _ in range(201):
            part.write(b" " * 2**20)
    with pytest.raises(UnreadableFile, match="unpacks to more than 64 MB"):
        extract(buffer.getvalue())


def test_a_paragraph_repeated_without_end_is_refused() -> None:
    data = packed(paragraph("again") * 200_000)
    with pytest.raises(UnreadableFile, match="unpacks to more than 100 times its size"):
        extract(data)


def test_entities_that_grow_without_end_are_not_expanded() -> None:
    bomb = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    )
    source = f"{bomb}]><w:document {W}><w:body>{paragraph('text &j;')}</w:body></w:document>"
    data = zipped(**{"word/document.xml": source})
    with pytest.raises(UnreadableFile, match="not valid XML"):
        extract(data)


DAMAGED = packed(numbered("One") + styled("Two", "H2"), numbering=LISTS, styles=STYLES, footnotes=NOTES)


@given(
    st.integers(0, len(DAMAGED)),
    st.integers(0, 40),
    st.lists(st.tuples(st.integers(0, len(DAMAGED) - 1), st.integers(0, 255)), max_size=8),
)
@settings(max_examples=300, deadline=None)
def test_whatever_bytes_are_lost_or_changed_only_a_reason_is_given(
    start: int, lost: int, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(DAMAGED)
    for at, value in changes:
        data[at] = value
    del data[start : start + lost]
    with contextlib.suppress(UnreadableFile):
        extract(bytes(data))
