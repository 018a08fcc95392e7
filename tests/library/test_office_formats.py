"""RTF, ODT, EPUB, e-mail and text in older encodings: what is read, and what is refused with which reason."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.library.document import Extract, SourceDocument, UnreadableFile
from lexls.library.readers import find_format, odt, page_bundles, rtf
from lexls.library.readers.decoding import decode_stating

Reader = Callable[[str, str | bytes], SourceDocument]


def lines(found: Extract) -> list[str]:
    return [found.text[piece.start : piece.end] for piece in found.pieces]


def packed(parts: dict[str, str | bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in parts.items():
            stored = zipfile.ZIP_STORED if name == "mimetype" else method
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=stored)
    return stream.getvalue()


RTF = r"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fnil\fcharset204 Kurier;}}
{\stylesheet{\s0 Normal;}{\s1\b\fs32 \sbasedon0 heading 1;}}{\info{\title Lease of the mill}}
{\header\pard Left out\par}
\pard\s1\b Carrow v Meridian\par\pard\plain
{\listtext\pard\plain 1.\tab}The \'93carrier\'94 \u8212- lost \'a312 of rye{\footnote\pard
\plain {\super\chftn} It was wet.}.\par
{\field{\*\fldinst HYPERLINK "http://x.test"}{\fldrslt See the deed}} at \'a7\~4
{\v hidden}{\deleted gone}.\par
{\f1 \'cf\'f0\'e8}\line next \{line\}\par
\trowd\cellx10\cellx20\intbl Wheat\cell 12 tons\cell\row\pard
{\*\unknown no}{\pict 0102ab}\uc2\u233??t\u233?? end\par}"""


def test_rtf() -> None:
    found = rtf.extract(RTF.encode("latin-1"))
    assert lines(found) == [
        "Carrow v Meridian",
        "1.\tThe “carrier” — lost £12 of rye [note 1].",
        "Note 1: It was wet.",
        "See the deed at § 4.",
        "При\nnext {line}",
        "Wheat\t12 tons",
        "été end",
    ]
    assert [piece.heading for piece in found.pieces] == [1, 0, 0, 0, 0, 0, 0]
    assert found.declared == {"title": "Lease of the mill"}


def test_rtf_numbers_are_paragraphs_whatever_the_file_is_called(read_as: Reader) -> None:
    body = "".join(
        rf"{{\listtext\pard {number}.\tab}}The carrier lost the grain in the harbour that day.\par "
        for number in range(1, 6)
    )
    found = read_as("judgment.doc", rf"{{\rtf1\ansi Carrow v Meridian\par {body}}}")
    assert found.format == "rtf"
    assert [block.label for block in found.blocks if block.label] == ["1", "2", "3", "4", "5"]


@given(st.text(alphabet="{}\\'*abufrtpn 0123456789\n;", max_size=200))
@settings(max_examples=300)
def test_any_rtf_ends(body: str) -> None:
    found = rtf.extract(("{\\rtf1 " + body).encode("latin-1"))
    for piece in found.pieces:
        assert found.text[piece.start : piece.end].strip() == found.text[piece.start : piece.end]


@pytest.mark.parametrize(
    "unit", ["{", "}", "{\\*\\x ", "\\u1 ", "{\\stylesheet{", "{\\fonttbl{\\f1", "{\\footnote "]
)
def test_much_broken_rtf_ends(unit: str) -> None:
    rtf.extract(("{\\rtf1 " + unit * 60_000).encode("latin-1"))


ODT_SPACES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
ODT_CONTENT = f"""<office:document-content {ODT_SPACES}><office:automatic-styles>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>
<text:list-style style:name="L1">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/>
</text:list-style></office:automatic-styles><office:body><office:text>
<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
<text:h text:outline-level="2">Facts</text:h>
<text:list text:style-name="L1"><text:list-item><text:p>The <text:span>carrier</text:span><text:s
   text:c="2"/>lost
   it<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>
   <text:p>It was wet.</text:p></text:note-body></text:note>.</text:p>
   <text:list><text:list-item><text:p>on Monday</text:p></text:list-item></text:list>
   </text:list-item></text:list>
<text:p text:style-name="P1">Quoted.</text:p>
<text:list text:style-name="L1" text:continue-numbering="true">
<text:list-item><text:p>So.</text:p></text:list-item></text:list>
<text:p>Page<text:soft-page-break/> two</text:p>
<table:table><table:table-row><table:table-cell><text:p>Wheat</text:p></table:table-cell>
<table:table-cell><text:p>12 tons</text:p></table:table-cell></table:table-row></table:table>
</office:text></office:body></office:document-content>"""
ODT_META = f"""<office:document-meta {ODT_SPACES}><office:meta><dc:title>A note</dc:title></office:meta>
</office:document-meta>"""
ODT = packed(
    {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": ODT_CONTENT, "meta.xml": ODT_META}
)


def test_odt() -> None:
    found = odt.extract(ODT)
    assert lines(found) == [
        "Facts",
        "1. The carrier  lost it [note 1].",
        "Note 1: It was wet.",
        "(a) on Monday",
        "Quoted.",
        "2. So.",
        "Page two",
        "Wheat\t12 tons",
    ]
    assert [piece.heading for piece in found.pieces][:2] == [2, 0]
    assert [piece.quoted for piece in found.pieces] == [False, False, True, False, True, False, False, False]
    assert [found.text[start:].split()[0] for start in found.page_starts] == ["Facts", "two"]
    assert found.declared == {"title": "A note"}


CONTAINER = (
    '<container xmlns="urn:x"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>Carriage of Grain</dc:title></metadata><manifest>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="../one.xhtml" media-type="application/xhtml+xml"/>
<item id="p" href="p.png" media-type="image/png"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/><itemref idref="p"/>
<itemref idref="no"/></spine></package>"""
EPUB = packed(
    {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": PACKAGE,
        "OEBPS/nav.xhtml": "<p>Contents</p>",
        "one.xhtml": "<h1>One</h1><p>Wheat &amp; rye.</p>",
        "OEBPS/two b.xhtml": "<p>Second.</p>",
    }
)


def test_epub() -> None:
    found = page_bundles.extract_book(EPUB)
    assert lines(found) == ["One", "Wheat & rye.", "Second."]
    assert found.declared == {"title": "Carriage of Grain"}


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("a.odt", ODT, "odt"),
        ("a.txt", ODT, "odt"),
        ("a.zip.bin", EPUB, "epub"),
        ("a.doc", b"{\\rtf1 x}", "rtf"),
        ("a.doc", packed({"[Content_Types].xml": "x"}), "docx"),
        ("a.txt", b'{"title": "x"}', "json"),
        ("a.md", b"{notes}", "markdown"),
    ],
)
def test_files_are_known_by_what_they_hold(name: str, data: bytes, format: str) -> None:
    assert find_format(Path(name), data) == format


@pytest.mark.parametrize(("extract", "whole"), [(odt.extract, ODT), (page_bundles.extract_book, EPUB)])
def test_archives_that_are_broken_or_too_large_are_refused(
    extract: Callable[[bytes], Extract], whole: bytes
) -> None:
    for data, reason in (
        (b"no", "no ZIP archive"),
        (whole[:200], "broken or cut off"),
        (packed({"x": "y"}), "not an"),
        (packed({"content.xml": "<a>", "META-INF/container.xml": "<a>"}), "not valid XML"),
        (
            packed({"content.xml": b" " * 20_000_000, "META-INF/container.xml": b" " * 20_000_000}),
            "100 times",
        ),
        (packed({"content.xml": b"0" * 70_000_000, "META-INF/container.xml": b"0" * 70_000_000}), "64 MB"),
    ):
        with pytest.raises(UnreadableFile, match=reason):
            extract(data)


def test_entities_of_xml_are_not_followed() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + ODT_CONTENT.replace("Quoted.", "Qu&b;.")
    assert "aaaa" not in odt.extract(packed({"content.xml": bomb})).text


def make_mail(html: bool = False) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ada Fern <ada@fern.test>"
    message["To"] = "otto@brandt.test"
    message["Date"] = "Tue, 05 Mar 2019 10:00:00 +0100"
    message["Subject"] = "Réplique of the carrier"
    if html:
        message.set_content("<p>The grain was <b>dry</b>.</p>", subtype="html")
    else:
        message.set_content("The grain was dry.\n\nWe shall not pay.\n", charset="iso-8859-1")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="lease.pdf")
    return message


@pytest.mark.parametrize("html", [False, True])
def test_mail(read_as: Reader, html: bool) -> None:
    found = read_as("a.eml", make_mail(html).as_bytes())
    assert found.text.startswith(
        "From: Ada Fern <ada@fern.test>\nTo: otto@brandt.test\nDate: Tue, 05 Mar 2019"
    )
    assert "The grain was dry." in found.text
    assert (found.metadata.title, found.metadata.date) == ("E-mail: Réplique of the carrier", "2019-03-05")
    assert (found.metadata.kind, found.metadata.court) == ("other", "")
    assert found.warnings == ("1 attachment is not read: lease.pdf",)


def test_a_page_saved_as_one_file(read_as: Reader) -> None:
    page = (
        "From: <Saved by Blink>\r\nSubject: x\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/related; boundary=B\r\n\r\n"
        "--B\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        "<p>The grain =C2=A74 was d=\r\nry.</p>\r\n--B\r\nContent-Type: text/css\r\n\r\nb{}\r\n--B--\r\n"
    )
    assert read_as("a.mhtml", page).text == "The grain §4 was dry."


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"no mail at all", "not an e-mail"),
        (b"From: a\n" * 3 + b"Content-Type: multipart/mixed; boundary=", ""),
    ],
)
def test_odd_mail_does_no_harm(data: bytes, reason: str) -> None:
    if reason:
        with pytest.raises(UnreadableFile, match=reason):
            page_bundles.extract(data)
    else:
        page_bundles.extract(data)


@pytest.mark.parametrize("charset", ["oats", "utf\0-8", "hex"])
def test_mail_in_no_charset_is_read_as_it_seems(charset: str) -> None:
    head = f'From: a@b.test\nSubject: Oats\nContent-Type: text/plain; charset="{charset}"\n\n'
    assert "The oats were damp." in page_bundles.extract(f"{head}The oats were damp.\n".encode()).text


def test_mail_nested_without_end_ends() -> None:
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (depth, depth) for depth in range(3000)
    )
    with pytest.raises(UnreadableFile, match="damaged"):
        page_bundles.extract(b"From: a@b.test\nSubject: x\n" + nested)


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("cp1252", "Windows-1252"),
        ("utf-16-le", "UTF-16-LE"),
        ("utf-16-be", "UTF-16-BE"),
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "Carrow’s claim – £12, “wet” rye (§ 4, café).",
        "CARROW v MERIDIAN\r\n\r\n1. The carrier’s case is hopeless.",
        "Décision n° 4 du 5 mars : l’appel est rejeté.",
        "Die Klägerin verlangt 12 €.",
    ],
)
def test_text_of_older_programs(text: str, encoding: str, said: str) -> None:
    read, warnings = decode_stating(text.encode(encoding))
    assert read == text
    assert said in warnings[0]


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x00\x02", b"ab\x00cd\x00", b"\x00" * 100, b"PK\x03\x04" + bytes(99)]
)
def test_other_bytes_are_no_wide_text(data: bytes) -> None:
    with pytest.raises(UnreadableFile):
        decode_stating(data)


def test_an_old_word_document_is_refused_with_the_reason(read_as: Reader) -> None:
    with pytest.raises(UnreadableFile, match=r"old Word document; save it as \.docx"):
        read_as("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    assert read_as("b.doc", "<html><p>Grain.</p></html>").text == "Grain."
