"""Accept and reject lexls's changes in a Word document as Word does, and tell what is left."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TEXT = re.compile(r"word/(?:document|main|footnotes|endnotes)\.xml")
"""The parts that hold what is written."""
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MADE = ("commentRangeStart", "commentRangeEnd", "commentReference")


def read_parts(data: bytes) -> dict[str, bytes]:
    """The members of an archive in their order."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def find_comments(data: bytes) -> dict[str, str]:
    """The comments that lexls made, by their numbers."""
    for name, content in read_parts(data).items():
        if "comments" in name:
            return {
                each.get(f"{W}id", ""): "\n".join(
                    "".join(str(text) for text in p.itertext()) for p in each.iter(f"{W}p")
                )
                for each in etree.fromstring(content).iter(f"{W}comment")
                if each.get(f"{W}author") == "lexls"
            }
    return {}


def settle(data: bytes, *, accepted: bool) -> bytes:
    """The document without lexls's comments, its changes accepted or rejected."""
    out = io.BytesIO()
    numbers = set(find_comments(data))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in read_parts(data).items():
            settled = TEXT.fullmatch(name) is not None
            archive.writestr(name, _settled(content, numbers, accepted=accepted) if settled else content)
    return out.getvalue()


def _settled(content: bytes, numbers: set[str], *, accepted: bool) -> bytes:
    root = etree.fromstring(content)
    for each in list(root.iter(*(f"{W}{name}" for name in _MADE))):
        if each.get(f"{W}id") in numbers:
            above = each.getparent()
            assert above is not None
            _remove(above if each.tag == f"{W}commentReference" else each, keep=False)
    for each in list(root.iter(f"{W}p")):
        mark = each.find(f"{W}pPr/{W}rPr/{W}ins")
        if not accepted and mark is not None and mark.get(f"{W}author") == "lexls":
            _remove(each, keep=False)
    for each in list(root.iter(f"{W}ins", f"{W}del")):
        if each.get(f"{W}author") == "lexls":
            for text in each.iter(f"{W}delText"):
                text.tag = f"{W}t"
            _remove(each, keep=(each.tag == f"{W}ins") == accepted)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _remove(element: etree._Element, *, keep: bool) -> None:
    parent = element.getparent()
    assert parent is not None
    if keep:
        for child in element:
            element.addprevious(child)
    parent.remove(element)


def normal_form(content: bytes) -> bytes:
    """A part with neighbouring runs of one format, their texts and parts of one insertion put together."""
    root = etree.fromstring(content)
    for each in root.iter("*"):
        # How the source is laid out, which says nothing.
        if each.tail is not None and not each.tail.strip():
            each.tail = None
        if len(each) and each.text is not None and not each.text.strip():
            each.text = None
    for each in list(root.iter(f"{W}ins")):
        _join(each)
    for each in list(root.iter(f"{W}r")):
        _join(each)
    for each in list(root.iter(f"{W}t")):
        before = each.getprevious()
        if before is not None and before.tag == each.tag:
            before.text = (before.text or "") + (each.text or "")
            before.tail = each.tail
            each.getparent().remove(each)  # type: ignore[union-attr]
    for each in root.iter(f"{W}t"):
        if _SPACE in each.attrib:
            del each.attrib[_SPACE]
    return etree.tostring(root, method="c14n")


def _join(element: etree._Element) -> None:
    before = element.getprevious()
    same = before is not None and before.tag == element.tag and before.attrib == element.attrib
    if before is None or not same or (before.tail or "").strip():
        return
    content = list(element)
    if element.tag == f"{W}r":
        formats = [each.find(f"{W}rPr") for each in (before, element)]
        if len({etree.tostring(each) if each is not None else b"" for each in formats}) > 1:
            return
        content = [each for each in content if each.tag != f"{W}rPr"]
    before.extend(content)
    before.tail = element.tail
    parent = element.getparent()
    assert parent is not None
    parent.remove(element)


def commented_words(data: bytes) -> Iterator[tuple[str, str]]:
    """The words that each comment of lexls stands at, notes' marks as "*", and the comment."""
    comments = find_comments(data)
    for name, content in read_parts(data).items():
        if not name.endswith(("document.xml", "main.xml")):
            continue
        open_ones: dict[str, list[str]] = {}
        for each in etree.fromstring(content).iter():
            number = each.get(f"{W}id", "") if isinstance(each.tag, str) else ""
            if each.tag == f"{W}commentRangeStart" and number in comments:
                open_ones[number] = []
            elif each.tag == f"{W}commentRangeEnd" and number in comments:
                yield "".join(open_ones.pop(number)), comments[number]
            else:
                word = {
                    "t": each.text or "",
                    "delText": "",
                    "footnoteReference": "*",
                    "endnoteReference": "*",
                }
                local = str(each.tag).rpartition("}")[2]
                inserted = any(above.get(f"{W}author") == "lexls" for above in each.iterancestors())
                text = (each.text or "") if local == "delText" and inserted else word.get(local, "")
                if local == "t" and inserted:
                    continue
                for parts in open_ones.values():
                    parts.append(text)
        assert not open_ones
