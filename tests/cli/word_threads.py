"""Do with the comments of a Word document what a lawyer does in Word: answer one, mark one as resolved."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from lxml import etree
from word_changes import W, read_parts

_OFFICE = "http://schemas.microsoft.com/office"
SPACES = {
    "commentsExtended": (f"{_OFFICE}/word/2012/wordml", f"{_OFFICE}/2011/relationships/commentsExtended"),
    "commentsIds": (f"{_OFFICE}/word/2016/wordml/cid", f"{_OFFICE}/2016/09/relationships/commentsIds"),
    "commentsExtensible": (
        f"{_OFFICE}/word/2018/wordml/cex",
        f"{_OFFICE}/2018/08/relationships/commentsExtensible",
    ),
}
"""What Word tells more of comments, by the names of the parts: the namespace and the kind of relation."""
_PARA = f"{{{_OFFICE}/word/2010/wordml}}paraId"


def write_parts(parts: Mapping[str, bytes]) -> bytes:
    """An archive of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def save_in_word(
    data: bytes, *, answers: Mapping[str, str] | None = None, resolved: frozenset[str] = frozenset()
) -> bytes:
    """The document as Word saves it once the comments of these numbers have been answered by Wren, or marked
    as resolved: each paragraph of a comment is named, and three more parts tell of them."""
    parts = read_parts(data)
    comments = etree.fromstring(parts["word/comments.xml"])
    main = etree.fromstring(parts["word/document.xml"])
    told: list[tuple[str, str, bool]] = []
    for comment in list(comments):
        number = comment.get(f"{W}id", "")
        for place, paragraph in enumerate(comment.iter(f"{W}p")):
            paragraph.set(_PARA, f"{int(number) + 1:04X}{place:04X}")
        told.append((_name(comment), "", number in resolved))
        if number in (answers or {}):
            told.append((_answer(comments, main, comment, (answers or {})[number]), _name(comment), False))
    parts["word/comments.xml"] = etree.tostring(comments, xml_declaration=True, encoding="UTF-8")
    parts["word/document.xml"] = etree.tostring(main, xml_declaration=True, encoding="UTF-8")
    rows = {
        "commentsExtended": [
            f'<x:commentEx x:paraId="{name}" x:done="{int(done)}"'
            + (f' x:paraIdParent="{parent}"/>' if parent else "/>")
            for name, parent, done in told
        ],
        "commentsIds": [f'<x:commentId x:paraId="{name}" x:durableId="D{name[1:]}"/>' for name, _, _ in told],
        "commentsExtensible": [f'<x:commentExtensible x:durableId="D{name[1:]}"/>' for name, _, _ in told],
    }
    for part, (space, kind) in SPACES.items():
        root = "commentsEx" if part == "commentsExtended" else part
        written = f'<x:{root} xmlns:x="{space}">{"".join(rows[part])}</x:{root}>'
        parts[f"word/{part}.xml"] = written.encode()
        link = f'<Relationship Id="r{part}" Type="{kind}" Target="{part}.xml"/></Relationships>'
        rels = "word/_rels/document.xml.rels"
        parts[rels] = parts[rels].replace(b"</Relationships>", link.encode())
        content = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{part}+xml"
        override = f'<Override PartName="/word/{part}.xml" ContentType="{content}"/></Types>'
        parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", override.encode())
    return write_parts(parts)


def _name(comment: etree._Element) -> str:
    return [each.get(_PARA, "") for each in comment.iter(f"{W}p")][-1]


def _answer(comments: etree._Element, main: etree._Element, comment: etree._Element, text: str) -> str:
    """Put an answer behind a comment, at the same words; how it is named."""
    number = str(max(int(each.get(f"{W}id", "0")) for each in comments) + 1)
    made = etree.SubElement(comments, f"{W}comment")
    for name, value in (("id", number), ("author", "Wren"), ("initials", "W")):
        made.set(f"{W}{name}", value)
    paragraph = etree.SubElement(made, f"{W}p")
    paragraph.set(_PARA, f"{int(number) + 1:04X}0000")
    etree.SubElement(etree.SubElement(paragraph, f"{W}r"), f"{W}t").text = text
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        [old] = [each for each in main.iter(f"{W}{name}") if each.get(f"{W}id") == comment.get(f"{W}id")]
        mark = etree.Element(f"{W}{name}")
        mark.set(f"{W}id", number)
        if name == "commentReference":
            run = old.getparent()
            assert run is not None
            new = etree.Element(f"{W}r")
            new.append(mark)
            run.addnext(new)
        else:
            old.addnext(mark)
    return _name(made)
