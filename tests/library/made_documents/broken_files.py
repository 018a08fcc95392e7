"""Files that cannot be read, or not as what their names say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from made_documents.invented import JUDGMENT, LETTER, NUMBERS, TITLE, leave_notes_out, write_lines
from made_documents.law_files import make_akn_act, make_cap_json
from made_documents.made_document import MadeDocument
from made_documents.office_files import make_odt, make_rtf
from made_documents.pdf_files import LOCKED
from made_documents.typesetter import make_pdf
from made_documents.web_files import make_epub, pack, write_html
from made_documents.word_files import make_docx, save

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(64)
_MOST = 4000


def _make_bomb() -> bytes:
    """An ODT of some kilobytes that unpacks to a hundred megabytes."""
    return pack(
        {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<a>" + " " * 100_000_000}
    )


def _make_entities() -> bytes:
    """XML whose entities double twenty times."""
    doubled = "".join(f'<!ENTITY e{place} "&e{place - 1};&e{place - 1};">' for place in range(1, 20))
    act = make_akn_act().partition("?>")[2].replace("in the quantity", "&e19;")
    return f'<?xml version="1.0"?><!DOCTYPE akomaNtoso [<!ENTITY e0 "weir">{doubled}]>{act}'.encode()


def _make_deep(opened: str, closed: str, words: str = "oats") -> bytes:
    return (opened * _MOST + words + closed * _MOST).encode()


def _make_pdf_without_pages() -> bytes:
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"]
    body, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj{content}endobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer<</Size 3/Root 1 0 R>>\nstartxref\n{len(body)}\n%%EOF"
    return f"{body}xref\n0 3\n0000000000 65535 f \n{table}{trailer}".encode()


def list_documents() -> Iterator[MadeDocument]:
    plain = leave_notes_out(JUDGMENT)
    lines, letter = write_lines(plain), write_lines(LETTER)
    word, page = partial(save, make_docx(plain)), write_html(plain, title=TITLE)
    for name, make, reason in (
        ("empty.pdf", bytes, "empty file"),
        ("blank.txt", lambda: b" \r\n\t\r\n", "no text in it"),
        ("nul.txt", lambda: "\n".join(letter).encode().replace(b"hay", b"h\x00y"), "0x00 at offset"),
        ("picture.pdf", lambda: _PNG, "not a PDF file"),
        ("picture.docx", lambda: _PNG, "not a DOCX file"),
        ("picture.txt", lambda: _PNG, "not UTF-8 text"),
        ("old.docx", lambda: _OLE + bytes(600), "old Word document"),
        ("locked.docx", lambda: _OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted: needs a password"),
        ("cut-off.docx", lambda: word()[:4000], "broken or cut off"),
        ("cut-off.odt", lambda: make_odt(plain)[:1500], "broken or cut off"),
        ("cut-off.epub", lambda: make_epub()[:900], "broken or cut off"),
        ("cut-off.akn", lambda: make_akn_act().encode()[:1500], "not well-formed XML"),
        ("cut-off.json", lambda: make_cap_json().encode()[:900], "not valid JSON"),
        ("cut-off.pdf", lambda: make_pdf(plain)[0][:1200], "cut off before its end"),
        ("no-pages.pdf", _make_pdf_without_pages, "damaged PDF"),
        ("locked.pdf", lambda: make_pdf(plain, design=LOCKED)[0], "encrypted: needs a password"),
        ("bomb.odt", _make_bomb, "unpacks to more than"),
        ("entities.akn", _make_entities, "declares an entity of its own"),
        ("deep.akn", lambda: _make_deep("<akomaNtoso>", "</akomaNtoso>"), "elements deep"),
        ("deep.json", lambda: _make_deep('{"a":', "}", "1"), "nested too deeply"),
    ):
        yield MadeDocument(name, "", make, reason=reason)
    yield MadeDocument("word-as.pdf", "docx", word, lines, NUMBERS, TITLE)
    yield MadeDocument("page-as.docx", "html", page.encode, lines, NUMBERS, TITLE)
    yield MadeDocument("page-as.txt", "html", page.encode, lines, NUMBERS, TITLE)
    yield MadeDocument("rtf-as.docx", "rtf", lambda: make_rtf(LETTER), letter)
    yield MadeDocument("deep.html", "html", lambda: _make_deep("<div><b>", "</b></div>"), ["oats"])
    cut = page[: page.index("</table>")]
    left = lines[: lines.index("Fencing\t£2,304.75\t£2,304.75") + 1]
    yield MadeDocument("cut-off.html", "html", cut.encode, left)
