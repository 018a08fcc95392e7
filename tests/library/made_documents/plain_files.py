"""Plain text and Markdown in several encodings, and e-mail."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from email import policy
from email.message import EmailMessage
from functools import partial

from made_documents.invented import (
    CONTRACT,
    CONTRACT_MARKS,
    CONTRACT_TITLE,
    JUDGMENT,
    LETTER,
    LETTER_TITLE,
    NUMBERS,
    SECTIONS,
    STATUTE,
    STATUTE_MARKS,
    TITLE,
    Parts,
    without_ligatures,
    write_lines,
)
from made_documents.made_document import MadeDocument
from made_documents.web_files import write_html

SENDER, RECEIVER = "Zoë Tremlett <zt@tremlett.example>", "Josiah Pennock <jp@pennock.example>"


def _text(lines: Sequence[str], encoding: str = "utf-8", between: str = "\n\n") -> bytes:
    return (between.join(lines) + "\n").encode(encoding)


def make_markdown(parts: Parts) -> tuple[str, list[str]]:
    """A contract in Markdown with front matter: the source, and its lines."""
    front = ["---", "title: Agreement for the Supply of Oats", "kind: contract", "date: 2020-06-12", "---"]
    body = []
    for line, part in zip(write_lines(parts, CONTRACT_MARKS), parts, strict=True):
        body.append(f"## {line}" if part.heading else f"# {line}" if part.kind == "line" else line)
    return "\n".join(front) + "\n\n" + "\n\n".join(body) + "\n", [*front, *body]


MAIL_TITLE = f"E-mail: {LETTER_TITLE}"


def _message(**headers: str) -> EmailMessage:
    message = EmailMessage(policy=policy.SMTP)
    for name, value in {"From": SENDER, "To": RECEIVER, "Subject": LETTER_TITLE, **headers}.items():
        message[name] = value
    message["Date"] = "Fri, 02 Dec 2016 16:40:00 +0000"
    return message


def _headers(subject: str = LETTER_TITLE) -> list[str]:
    date = "Fri, 02 Dec 2016 16:40:00 +0000"
    return [f"From: {SENDER}", f"To: {RECEIVER}", f"Date: {date}", f"Subject: {subject}"]


def make_mail(kind: str, parts: Parts = LETTER) -> bytes:
    """A letter as e-mail: "quoted", "base64", "alternative", "page", "attached", "forwarded" or "windows"."""
    text, page = "\n\n".join(write_lines(parts)), write_html(parts)
    message = _message()
    if kind in ("quoted", "base64"):
        message.set_content(text, cte={"quoted": "quoted-printable"}.get(kind, kind))
    elif kind == "windows":
        message.set_content(text, charset="cp1252", cte="quoted-printable")
    elif kind == "page":
        message.set_content(page, subtype="html", cte="quoted-printable")
    elif kind == "forwarded":
        message.set_content("Please see below.")
        inner = _message(Subject="An inner letter")
        inner.set_content(text)
        message.add_attachment(inner)
    else:
        message.set_content(text)
        message.add_alternative(page, subtype="html")
        if kind == "attached":
            message.add_attachment(b"%PDF-1.4 no", maintype="application", subtype="pdf", filename="form.pdf")
            message.add_attachment("oats\n", filename="log-book.txt")
    return message.as_bytes()


def list_documents() -> Iterator[MadeDocument]:
    judgment, windows = write_lines(JUDGMENT), write_lines(without_ligatures(JUDGMENT))
    for name, lines, encoding, between, warning in (
        ("utf-8", judgment, "utf-8", "\n\n", ""),
        ("bom-and-crlf", judgment, "utf-8-sig", "\r\n\r\n", ""),
        ("one-line-each", judgment, "utf-8", "\n", ""),
        ("utf-16", judgment, "utf-16", "\n\n", ""),
        ("utf-16-without-mark", judgment, "utf-16-be", "\r\n\r\n", "read as UTF-16-BE"),
        ("windows", windows, "cp1252", "\r\n\r\n", "read as Windows-1252"),
    ):
        make = partial(_text, lines, encoding, between)
        yield MadeDocument(f"{name}.txt", "text", make, lines, NUMBERS, TITLE, warning=warning)
    statute = write_lines(STATUTE, STATUTE_MARKS)
    wrapped = [row for line in statute for row in ["", *textwrap.wrap(line, 60)]]
    make = partial(_text, wrapped, between="\n")
    yield MadeDocument("wrapped.txt", "text", make, statute, SECTIONS, exactly=False)
    source, lines = make_markdown(CONTRACT)
    yield MadeDocument("agreement.md", "markdown", source.encode, lines, title=CONTRACT_TITLE)
    letter = [*_headers(), *write_lines(LETTER)]
    for kind in ("quoted", "base64", "alternative", "attached", "page", "windows"):
        warning = "2 attachments are not read: form.pdf, log-book.txt" if kind == "attached" else ""
        make = partial(make_mail, kind)
        yield MadeDocument(f"{kind}.eml", "e-mail", make, letter, title=MAIL_TITLE, warning=warning)
    outer = [*_headers(), "Please see below."]
    warning = "1 attachment is not read: An inner letter"
    make = partial(make_mail, "forwarded")
    yield MadeDocument("forwarded.eml", "e-mail", make, outer, title=MAIL_TITLE, warning=warning)
