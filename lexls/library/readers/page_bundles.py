"""Read files that contain pages: e-mail, pages saved by browsers as MHTML, and EPUB books.

A book's pages are read in the order of its spine.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy, Policy
from itertools import count
from typing import Any
from urllib.parse import unquote

from lexls.library.document import Extract, ExtractedPiece, UnreadableFile
from lexls.library.lines import split_pieces
from lexls.library.mail_heads import entitle
from lexls.library.readers.archive import Archive
from lexls.library.readers.decoding import decode_marked_up, decode_stating
from lexls.library.readers.html import extract_source
from lexls.library.readers.json_strings import clean
from lexls.library.readers.opening import MAIL_CONTAINERS, MAIL_HEADER, MAIL_PARTS
from lexls.text.dates import normalise_date

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_MOST_NAMED = 5


class _ReadingPolicy(EmailPolicy):
    """A policy that parses only the first ``MAIL_HEADER`` characters of each header, since the standard
    library's parser is slow.
    """

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return super().header_fetch_parse(name, value[:MAIL_HEADER])


def extract(data: bytes) -> Extract:
    """Read an e-mail: sender, recipients, date and subject, then its text. Attachments are only named.

    Raises ``UnreadableFile`` if it is not an e-mail.
    """
    message = _parse(data)
    headers = {name: _header(message, name) for name in _SHOWN}
    if not (headers["From"] or headers["Subject"]):
        raise UnreadableFile("not an e-mail (it has no sender and no subject)")
    top = "\n".join(f"{name}: {value}" for name, value in headers.items() if value)
    body, warnings = _find_body(message)
    text = f"{top}\n\n{body.text}" if body.text else top
    moved = len(text) - len(body.text) if body.text else 0
    later = (each.shift(moved) for each in body.pieces)
    date = getattr(message["Date"], "datetime", None)
    return Extract(
        text=text,
        pieces=(*split_pieces(text, 0, len(top)), *later),
        declared={
            "title": entitle(headers["Subject"]),
            "date": date.date().isoformat() if date else normalise_date(headers["Date"]),
        },
        declared_is_all=True,
        warnings=(*warnings, *_warn_of_long_headers(message), *_name_attachments(message)),
    )


def extract_page(data: bytes) -> Extract:
    """Read a page that a browser saved as one file (MHTML). Raises ``UnreadableFile`` if it contains
    no page.
    """
    for part in _walk(_parse(data)):
        if part.get_content_type() in ("text/html", "application/xhtml+xml"):
            return replace(extract_source(_decode(part, html=True)[0]), source_map=())
    raise UnreadableFile("no page in it")


def _parse(data: bytes) -> EmailMessage:
    """Parse a message. Raises ``UnreadableFile`` if it is damaged or has too many parts."""
    MAIL_CONTAINERS.check(data.lower().count(b"multipart/"))
    counted = count(1)

    def make_part(policy: Policy | None = None) -> EmailMessage:
        MAIL_PARTS.check(next(counted))
        return EmailMessage(policy)

    try:
        parser = BytesParser(make_part, policy=_ReadingPolicy())
        message = parser.parsebytes(data.removeprefix(b"\xef\xbb\xbf"))
    except (RecursionError, ValueError, LookupError):
        raise UnreadableFile("damaged e-mail") from None
    if not isinstance(message, EmailMessage):
        raise UnreadableFile("damaged e-mail")
    return message


def _header(message: EmailMessage, name: str) -> str:
    try:
        return clean(" ".join(str(message[name] or "").split()))
    except (ValueError, IndexError, LookupError, AttributeError, RecursionError):
        return ""  # the header parser fails on some malformed headers


def _warn_of_long_headers(message: EmailMessage) -> Iterator[str]:
    for name, value in message.raw_items():
        if name.title() in _SHOWN and len(value) > MAIL_HEADER:
            yield f"only the first {MAIL_HEADER:,} characters of its {name.title()} header are read"


def _walk(message: EmailMessage) -> Iterator[EmailMessage]:
    waiting = [message]
    while waiting:
        part = waiting.pop()
        if part.is_multipart() and not _is_message(part):
            waiting.extend(reversed([each for each in part.iter_parts() if isinstance(each, EmailMessage)]))
        else:
            yield part


def _is_message(part: EmailMessage) -> bool:
    """Return whether a part is an attached e-mail."""
    return part.get_content_type() == "message/rfc822"


def _find_body(message: EmailMessage) -> tuple[Extract, tuple[str, ...]]:
    """Return the body of a message (its plain text, or else its HTML) and warnings about its encoding."""
    texts = [part for part in _walk(message) if not part.is_attachment()]
    for part in texts:
        if part.get_content_type() == "text/plain":
            text, warnings = _decode(part, html=False)
            if text.strip():
                text = text.strip("\r\n")
                return Extract(text, split_pieces(text)), warnings
    for part in texts:
        if part.get_content_type() == "text/html":
            source, warnings = _decode(part, html=True)
            return extract_source(source), warnings
    return Extract("", ()), ()


def _decode(part: EmailMessage, *, html: bool) -> tuple[str, tuple[str, ...]]:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return "", ()
    charset = part.get_content_charset("")
    if charset:
        try:
            return clean(content.decode(charset)), ()
        except (LookupError, ValueError):  # unknown charset, or one with a null character in its name
            pass
    if html:
        return decode_marked_up(content)
    return decode_stating(content)


def _name_attachments(message: EmailMessage) -> Iterator[str]:
    names = [_name(part) for part in _walk(message) if part.is_attachment() or _is_message(part)]
    if names:
        shown = ", ".join(clean(name) for name in names[:_MOST_NAMED] if name)
        more = ", …" if len(names) > _MOST_NAMED else ""
        count = "1 attachment is" if len(names) == 1 else f"{len(names)} attachments are"
        yield f"{count} not read" + (f": {shown}{more}" if shown else "")


def _name(part: EmailMessage) -> str:
    """Return the name of an attachment: its file name, or the subject of an attached e-mail."""
    inner = part.get_payload() if _is_message(part) else ()
    attached = inner[0] if isinstance(inner, list) and inner else None
    subject = _header(attached, "Subject") if isinstance(attached, EmailMessage) else ""
    return part.get_filename() or subject


_PAGES = frozenset({"application/xhtml+xml", "text/html"})


def extract_book(data: bytes) -> Extract:
    """Read an EPUB, without its table of contents. Raises ``UnreadableFile`` if it is not an EPUB."""
    archive = Archive.open(data, "EPUB")
    with archive.archive:
        title, names = _read_package(archive)
        pages = [content for name in names if (content := archive.read(name))]
        texts = [extract_source(decode_marked_up(content)[0]) for content in pages]
    parts: list[str] = []
    pieces: list[ExtractedPiece] = []
    length = 0
    for found in texts:
        if not found.pieces:
            continue
        if parts:
            parts.append("\n\n")
            length += 2
        parts.append(found.text)
        pieces += [piece.shift(length) for piece in found.pieces]
        length += len(found.text)
    return Extract("".join(parts), tuple(pieces), declared={"title": title} if title else {})


def _read_package(archive: Archive) -> tuple[str, list[str]]:
    """Return the title of the book and the names of its pages, in order."""
    container = archive.read_xml("META-INF/container.xml")
    paths = [] if container is None else [each.get("full-path") for each in container.iter("{*}rootfile")]
    package = archive.read_xml(paths[0] or "") if paths else None
    if package is None:
        raise UnreadableFile("not an EPUB file (it names no package)")
    folder = posixpath.dirname(paths[0] or "")
    pages = {
        each.get("id", ""): posixpath.normpath(posixpath.join(folder, unquote(each.get("href", ""))))
        for each in package.iter("{*}item")
        if each.get("media-type") in _PAGES and "nav" not in each.get("properties", "").split()
    }
    title = next((each.text or "" for each in package.iter("{*}title")), "")
    order = [each.get("idref", "") for each in package.iter("{*}itemref")]
    return " ".join(title.split()), [pages[each] for each in order if each in pages]
