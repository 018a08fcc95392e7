"""Write Word documents for tests."""

from __future__ import annotations

import re
from pathlib import Path

from docx import Document
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
CONTENT = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"


def write_word(path: Path, *paragraphs: str) -> None:
    """A Word document of these paragraphs; ``^[…]`` is a footnote, ``> `` begins a quotation."""
    document = Document()
    notes: list[str] = []
    for text in paragraphs:
        style = "Intense Quote" if text.startswith("> ") else None
        paragraph = document.add_paragraph(style=style)
        for piece in re.split(r"(\^\[.+?\]\])", text.removeprefix("> ")):
            if piece.startswith("^["):
                notes.append(piece[2:-2])
                reference = f'<w:footnoteReference {nsdecls("w")} w:id="{len(notes)}"/>'
                paragraph.add_run()._r.append(parse_xml(reference))
            else:
                paragraph.add_run(piece)
    body = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:footnoteRef/></w:r><w:r>'
        f'<w:t xml:space="preserve"> {note}</w:t></w:r></w:p></w:footnote>'
        for number, note in enumerate(notes, start=1)
    )
    xml = f"<?xml version='1.0' encoding='UTF-8'?><w:footnotes {nsdecls('w')}>{body}</w:footnotes>"
    package = document.part.package
    assert package is not None
    part = Part(PackURI("/word/footnotes.xml"), CONTENT, xml.encode(), package)
    document.part.relate_to(part, RELATION)
    document.save(str(path))
