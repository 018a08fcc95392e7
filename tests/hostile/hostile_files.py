"""Files of each format that lexls reads, around a hostile text."""

from __future__ import annotations

import html
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from email.message import EmailMessage


def _pack(parts: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


_CONTROLS = {number: " " for number in range(32) if chr(number) not in "\t\n\r"}


def _escape(text: str) -> str:
    """What XML can hold of a text."""
    return html.escape(text.translate(_CONTROLS), quote=False)


def make_docx(text: str) -> bytes:
    """A Word document with a paragraph a line."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    lines = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in _escape(text).split("\n"))
    return _pack(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f'<w:document xmlns:w="{space}"><w:body>{lines}</w:body></w:document>',
        }
    )


def make_odt(text: str) -> bytes:
    """An OpenDocument text with a paragraph a line."""
    spaces = "urn:oasis:names:tc:opendocument:xmlns"
    lines = "".join(f"<text:p>{line}</text:p>" for line in _escape(text).split("\n"))
    content = (
        f'<office:document-content xmlns:office="{spaces}:office:1.0" xmlns:text="{spaces}:text:1.0">'
        f"<office:body><office:text>{lines}</office:text></office:body></office:document-content>"
    )
    return _pack({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def make_akn(text: str) -> bytes:
    """A judgment in Akoma Ntoso."""
    lines = "".join(f"<p>{line}</p>" for line in _escape(text).split("\n"))
    return (
        '<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><judgment><judgmentBody>'
        f"<decision>{lines}</decision></judgmentBody></judgment></akomaNtoso>"
    ).encode()


def make_pdf(text: str) -> bytes:
    """A PDF of 50 lines a page, 80 signs a line; what its font has not is a question mark."""
    lines = [line[at : at + 80] for line in text.split("\n") for at in range(0, max(1, len(line)), 80)]
    pages = [lines[at : at + 50] for at in range(0, len(lines), 50)]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F 3 0 R >> >> >>".encode()
        )
        shown = b"".join(b"<%s> Tj T*\n" % line.encode("cp1252", "replace").hex().encode() for line in page)
        stream = b"BT /F 10 Tf 14 TL 50 780 Td\n" + shown + b"ET"
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return bytes(
        out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, end)
    )


def make_mail(text: str) -> bytes:
    """A letter."""
    message = EmailMessage()
    message["Subject"] = "Oats"
    message.set_content(text.translate(_CONTROLS), cte="8bit")
    return message.as_bytes()


def make_rtf(text: str) -> bytes:
    """A text in Rich Text Format, its signs as they are."""
    return b"{\\rtf1\\ansi " + text.encode("cp1252", "replace") + b"}"


FILES: Mapping[str, Callable[[str], bytes]] = {
    "txt": str.encode,
    "md": str.encode,
    "html": lambda text: f"<html><body><p>{text}</p></body></html>".encode(),
    "htm": lambda text: f"<html><body><pre>{html.escape(text)}</pre></body></html>".encode(),
    "xml": lambda text: f"<a><p>{_escape(text)}</p></a>".encode(),
    "akn": make_akn,
    "docx": make_docx,
    "odt": make_odt,
    "pdf": make_pdf,
    "rtf": make_rtf,
    "eml": make_mail,
    "json": lambda text: json.dumps({"title": "Fern v Elm", "text": text}).encode(),
    "csv": lambda text: f'title,text\nFern v Elm,"{text.replace(chr(34), chr(34) * 2)}"\n'.encode(),
}
"""What makes a file of each format of a text."""
