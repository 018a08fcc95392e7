"""Web pages: clean ones, and ones that a browser has saved with all that stands around the text; EPUB."""

from __future__ import annotations

import html
import io
import string
import zipfile
from collections.abc import Iterator, Sequence
from email import policy
from email.message import EmailMessage
from functools import partial
from pathlib import Path

from made_documents.invented import (
    JUDGMENT,
    JUDGMENT_MARKS,
    LETTER,
    LETTER_TITLE,
    NOTE,
    NUMBERS,
    SECTIONS,
    SOFT_HYPHEN,
    STATUTE,
    STATUTE_MARKS,
    STATUTE_TITLE,
    TITLE,
    Part,
    Parts,
    leave_notes_out,
    nest,
    write_lines,
    write_mark,
)
from made_documents.made_document import MadeDocument


def escape(text: str) -> str:
    """Text as HTML and XML have it, some of its characters as references."""
    written = html.escape(text, quote=False)
    return written.replace("£", "&#163;").replace("\u00a0", "&#xA0;").replace(SOFT_HYPHEN, "&#173;")


def write_body(parts: Parts, marks: Sequence[str] = JUDGMENT_MARKS) -> str:
    """The text as paragraphs, headings, quotations and tables of HTML."""
    found: list[str] = []
    before = ""
    for part in parts:
        if (part.kind == "row") != (before == "row"):
            found.append("<table>" if part.kind == "row" else "</table>")
        before = part.kind
        text = escape(part.text).replace("—", "&mdash;")
        mark = write_mark(part, marks)
        if part.kind == "row":
            cells = "".join(f"<td>{cell}</td>" for cell in text.split("\t"))
            found.append(f"<tr>{cells}</tr>")
        elif part.kind == "heading":
            found.append(f"<h{part.level}>{text}</h{part.level}>")
        elif part.kind == "quotation":
            found.append(f"<blockquote><p>{text}</p></blockquote>")
        else:
            if part.heading:
                found.append(f"<h3>{mark} {escape(part.heading)}</h3>")
                mark = ""
            if text:
                # Editors break lines and emphasise words within them.
                words = f"{mark} {text}".strip().replace(" the ", " <em>the</em>\n    ", 1)
                found.append(f'<p class="k{part.level}">{words}</p>')
    return "\n".join(found)


def fill(name: str, **values: str) -> str:
    """A file of the folder ``frames`` with its placeholders filled."""
    frame = (Path(__file__).parent / "frames" / name).read_text("utf-8")
    return string.Template(frame).substitute(values)


def write_html(
    parts: Parts, marks: Sequence[str] = JUDGMENT_MARKS, title: str = "", charset: str = "utf-8"
) -> str:
    """A page without anything around the text."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="{charset}"><title>{escape(title)}</title>\n'
        "<style>p { margin: 1em }</style></head>\n"
        f"<body>\n{write_body(parts, marks)}\n</body></html>\n"
    )


NOTED = {
    "word": (
        '<a href="#_ftn{0}" name="_ftnref{0}"><span class="MsoFootnoteReference">[{0}]</span></a>',
        '<div id="ftn{0}"><p><a href="#_ftnref{0}" name="_ftn{0}">[{0}]</a> {1}</p></div>',
        "<div><hr>{}</div>",
    ),
    "pandoc": (
        '<a href="#fn{0}" class="footnote-ref" id="fnref{0}" role="doc-noteref"><sup>{0}</sup></a>',
        '<li id="fn{0}"><p>{1}<a href="#fnref{0}" class="footnote-back" role="doc-backlink">↩</a></p></li>',
        '<section class="footnotes" role="doc-endnotes"><hr><ol>{}</ol></section>',
    ),
    "epub": (
        '<a epub:type="noteref" href="#n{0}"><sup>{0}</sup></a>',
        '<aside epub:type="footnote" id="n{0}"><p>{1}</p></aside>',
        "{}",
    ),
}
"""How programs write the marks of notes, the notes, and what stands around these."""


def write_notes(parts: Parts, mark: str, note: str, around: str = "{}") -> str:
    """The text with the marks of its notes, and these below it."""
    body, notes = write_body(parts), []
    for number, part in enumerate((part for part in parts if part.note), start=1):
        body = body.replace(NOTE, mark.format(number), 1)
        notes.append(note.format(number, escape(part.note)))
    return body + around.format("\n".join(notes))


def put_notes_last(lines: Sequence[str]) -> list[str]:
    """The lines of a text whose notes stand at its end."""
    return sorted(lines, key=lambda line: line.startswith("Note "))


def write_lists(parts: Parts) -> str:
    """A statute as lists within lists, whose numbers the browser writes."""
    lists = ("", '<ol type="1">', '<ol type="a">')

    def opens(part: Part, holds: bool) -> str:
        return f"<li>{escape(part.heading or part.text)}{lists[part.level] if holds else ''}"

    units = [part for part in parts if part.kind == "unit"]
    listed = nest(units, opens, lambda _, held: f"{'</ol>' if held else ''}</li>")
    before = "".join(f"<p>{escape(part.text)}</p>" for part in parts if part.kind != "unit")
    return f"<html><title>{STATUTE_TITLE}</title><body>{before}<ol>{listed}</ol></body></html>"


def write_saved_page(parts: Parts) -> str:
    """A judgment as a browser saves it from a court's site, with menus, banners and scripts around it."""
    return fill("saved.html", title=escape(TITLE), body=write_body(parts))


def make_mhtml(kind: str, parts: Parts = JUDGMENT) -> bytes:
    """A page saved as one file, "quoted-printable" or in "base64", a picture and a style beside it."""
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = "<Saved by Blink>"
    message["Subject"] = TITLE
    message["MIME-Version"] = "1.0"
    message.set_content(
        write_saved_page(leave_notes_out(parts)), subtype="html", cte=kind, disposition="inline"
    )
    message.make_related()
    message.add_related(b"\x89PNG no", maintype="image", subtype="png", cid="<p@x>")
    message.add_related("p { margin: 0 }", subtype="css")
    return message.as_bytes()


def make_epub(parts: Parts = JUDGMENT) -> bytes:
    """A book of a statute and a judgment with a page of contents."""
    pages = {
        "text/act.xhtml": write_html(STATUTE, STATUTE_MARKS, STATUTE_TITLE),
        "text/case one.xhtml": write_html(leave_notes_out(parts), JUDGMENT_MARKS, TITLE),
    }
    items = "".join(
        f'<item id="p{place}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>'
        for place, name in enumerate(pages)
    )
    package = fill("book.opf", items=items)
    container = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
    parts = {
        "META-INF/container.xml": container,
        "OEBPS/book.opf": package,
        "OEBPS/nav.xhtml": "<html><body><nav><ol><li>Contents</li></ol></nav></body></html>",
        **{f"OEBPS/{name}": page for name, page in pages.items()},
    }
    return pack({"mimetype": "application/epub+zip", **parts})


def pack(parts: dict[str, str | bytes]) -> bytes:
    """A ZIP archive; its first part is stored as it is, as open formats ask for."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, (name, content) in enumerate(parts.items()):
            method = zipfile.ZIP_DEFLATED if place else zipfile.ZIP_STORED
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=method)
    return stream.getvalue()


def list_documents() -> Iterator[MadeDocument]:
    judgment = leave_notes_out(JUDGMENT)
    lines = write_lines(judgment)
    page, saved = write_html(judgment, title=TITLE), write_saved_page(judgment)
    windows = write_html(judgment, title=TITLE, charset="windows-1252").encode("cp1252", "xmlcharrefreplace")
    letter = write_html(LETTER, title=LETTER_TITLE, charset="utf-16")
    statute = write_lines(STATUTE, STATUTE_MARKS)
    listed = write_lines(STATUTE, ("{}.", "{}.", "{}."))
    yield MadeDocument("clean.html", "html", page.encode, lines, NUMBERS, TITLE)
    yield MadeDocument("clean.xhtml", "html", f'<?xml version="1.0"?>\n{page}'.encode, lines, NUMBERS, TITLE)
    yield MadeDocument("windows.htm", "html", lambda: windows, lines, NUMBERS, TITLE)
    yield MadeDocument("saved.html", "html", saved.encode, lines, NUMBERS, TITLE)
    yield MadeDocument("letter.html", "html", lambda: letter.encode("utf-16"), write_lines(LETTER))
    act = write_html(STATUTE, STATUTE_MARKS)
    yield MadeDocument("act.html", "html", act.encode, statute, SECTIONS)
    yield MadeDocument("lists.html", "html", write_lists(STATUTE).encode, listed)
    for kind in ("quoted-printable", "base64"):
        yield MadeDocument(f"{kind}.mhtml", "mhtml", partial(make_mhtml, kind), lines, NUMBERS, TITLE)
    noted = put_notes_last(write_lines(JUDGMENT))
    for program, forms in NOTED.items():
        source = f"<html><title>{TITLE}</title><body>{write_notes(JUDGMENT, *forms)}</body></html>"
        yield MadeDocument(f"{program}-notes.html", "html", source.encode, noted, NUMBERS, TITLE)
    yield MadeDocument("book.epub", "epub", make_epub, [*statute, *lines], title="Weirs and Mills")
