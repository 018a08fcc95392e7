"""Say of files that end in ".doc" what they are: few of them need Word's old binary format."""

from __future__ import annotations

import re

from lexls.library.document import Extract, UnreadableFile
from lexls.library.readers import html
from lexls.library.readers.docx import OLE

_PAGE = re.compile(rb"\s*(?:<!--.{0,400}?-->\s*)?<(?:!doctype|html|\?xml|head|meta|body)\b", re.I | re.S)


def extract(data: bytes) -> Extract:
    """Read a page that was saved as ".doc"; raises ``UnreadableFile`` for Word's own old format.

    RTF and newer Word documents of that suffix are known by how they begin.
    """
    if _PAGE.match(data):
        return html.extract(data)
    if data.startswith(OLE):
        raise UnreadableFile("an old Word document; save it as .docx")
    raise UnreadableFile("not a Word document")
