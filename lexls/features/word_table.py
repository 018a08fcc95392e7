"""Write a copy of a Word document with a table of authorities that Word itself keeps: TA and TOA fields."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from io import BytesIO

from lxml import etree

from lexls.citations.styles import TableForm
from lexls.features.draft import Draft
from lexls.features.table_of_authorities import TableEntry
from lexls.library.readers.archive import Archive
from lexls.library.readers.office_xml import read_local_name

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
# Word's own numbers of the categories.
_CATEGORIES: Mapping[str, int] = {
    "cases": 1,
    "statutes": 2,
    "other": 3,
    "rules": 4,
    "regulations": 6,
    "constitution": 7,
}
_NAME = re.compile(r"(?P<name>.+?)(?=,? [\[(]?\d)")
_NOTE_MARK = re.compile(r"\[note \d{1,6}\]|\ANote \d{1,6}:")


class UnwritableTable(ValueError):
    """A document in which no table can be written; the message says why."""


def write_word_table(
    data: bytes, draft: Draft, found: Sequence[TableEntry], form: TableForm, before: int
) -> bytes:
    """The document ``data`` with a table of ``found`` before the offset ``before`` of the draft read from it.

    Each mention becomes a TA field and each group a TOA field, which Word fills with pages when it opens the
    file; until then the places stand there. Raises ``UnwritableTable`` where there is a table already.
    """
    archive = Archive.open(data, "DOCX", together=False)
    with archive.archive:
        read = {name: archive.read_xml(name) for name in _PARTS}
        parts = {name: part for name, part in read.items() if part is not None}
        main = parts.get(_PARTS[0])
        if main is None:
            raise UnwritableTable("not a DOCX file (no word/document.xml in it)")
        if any(re.match(r"\s*TOA\b", code.text or "") for code in main.iter(f"{{{_W}}}instrText")):
            raise UnwritableTable("it has a table of authorities, which Word updates (F9)")
        placed = dict(_match(draft, parts.values()))
        target = placed.get(draft.block_at(before))
        _mark(draft, placed, found)
        body = main.find(f"{{{_W}}}body")
        assert body is not None
        top = target if target is not None and target.getparent() is body else body[0]
        for paragraph in _table(found, form):
            top.addprevious(paragraph)
        out = BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
            for info in archive.archive.infolist():
                part = parts.get(info.filename)
                if part is None:
                    copy.writestr(info, archive.archive.read(info))
                    continue
                copy.writestr(
                    info, etree.tostring(part, xml_declaration=True, encoding="UTF-8", standalone=True)
                )
    return out.getvalue()


# -- the paragraphs of the document that the blocks of the draft were read from ------------------------------


def _match(draft: Draft, parts: Iterable[etree._Element]) -> Iterator[tuple[int, etree._Element]]:
    """The paragraph of each block: the first not taken that has its words, but for numbers before them."""
    paragraphs = [(_squeeze(_text(p)), p) for part in parts for p in part.iter(f"{{{_W}}}p")]
    for place, block in enumerate(draft.blocks):
        words = _squeeze(_NOTE_MARK.sub("", block.source.strip()))
        for number, (text, paragraph) in enumerate(paragraphs):
            if text and words.endswith(text) and len(words) - len(text) < 12:
                yield place, paragraph
                del paragraphs[number]
                break


def _text(paragraph: etree._Element) -> str:
    return "".join(each.text or "" for each in paragraph.iter(f"{{{_W}}}t"))


def _squeeze(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _mark(draft: Draft, placed: Mapping[int, etree._Element], found: Sequence[TableEntry]) -> None:
    """Put a TA field behind each mention, the last of a paragraph first."""
    mentions = sorted(
        ((end, entry, end == min(entry.mentions)) for entry in found for end in entry.mentions),
        key=lambda each: -each[0],
    )
    for end, entry, first in mentions:
        place = draft.block_at(end - 1)
        paragraph = placed.get(place)
        if paragraph is None:
            continue
        rest = _NOTE_MARK.sub("", draft.blocks[place].source[end - draft.starts[place] :])
        _insert(paragraph, len(_squeeze(rest)), _entry_field(entry, whole=first))


def _insert(paragraph: etree._Element, behind: int, runs: list[etree._Element]) -> None:
    """Put runs into a paragraph so that ``behind`` letters and digits follow them."""
    runs_of = ((each, each.getparent()) for each in paragraph.iter(f"{{{_W}}}t"))
    texts = [(text, run) for text, run in runs_of if run is not None and read_local_name(run) == "r"]
    for text, run in reversed(texts):
        inside = len(_squeeze(text.text or ""))
        if behind >= inside and text is not texts[0][0]:
            behind -= inside
            continue
        words = text.text or ""
        cut = len(words)
        while behind > 0 and cut > 0:
            cut -= 1
            behind -= words[cut].isalnum()
        while cut > 0 and not words[cut - 1].isalnum() and words[cut - 1] not in ")]":
            cut -= 1
        rest = deepcopy(run)
        following = list(run)[list(run).index(text) + 1 :]
        for each in list(rest)[: list(run).index(text)]:
            if read_local_name(each) != "rPr":
                rest.remove(each)
        for each in following:
            run.remove(each)
        text.text = words[:cut]
        text.set(_SPACE, "preserve")
        tail = next(each for each in rest if read_local_name(each) == "t")
        tail.text = words[cut:]
        tail.set(_SPACE, "preserve")
        for each in reversed([*runs, rest]):
            run.addnext(each)
        return


# -- fields --------------------------------------------------------------------------------------------------


def _make(tag: str, *children: etree._Element, **attributes: str) -> etree._Element:
    element = etree.Element(f"{{{_W}}}{tag}", {f"{{{_W}}}{key}": value for key, value in attributes.items()})
    element.extend(children)
    return element


def _run(
    child: etree._Element, *, hidden: bool = False, italic: bool = False, bold: bool = False
) -> etree._Element:
    marks = [("vanish", hidden), ("i", italic), ("b", bold)]
    wanted = [_make(tag) for tag, on in sorted(marks) if on]
    return _make("r", *([_make("rPr", *wanted)] if wanted else []), child)


def _written(tag: str, text: str) -> etree._Element:
    element = _make(tag)
    element.text = text
    element.set(_SPACE, "preserve")
    return element


def _name(entry: TableEntry) -> tuple[str, str]:
    """The name of a case, which is italic, and what follows it; of other authorities all follows."""
    name = _NAME.match(entry.text) if entry.group == "cases" else None
    return (name["name"], entry.text[name.end() :]) if name is not None else ("", entry.text)


def _entry_field(entry: TableEntry, *, whole: bool) -> list[etree._Element]:
    """The runs of a TA field: at the first mention with the authority in full, later by its short name."""
    short = entry.text.replace('"', "”")
    codes = [_run(_written("instrText", f' TA \\s "{short}" '), hidden=True)]
    if whole:
        name, rest = (each.replace('"', "”") for each in _name(entry))
        category = _CATEGORIES.get(entry.group, 3)
        codes = [
            _run(_written("instrText", ' TA \\l "'), hidden=True),
            *([_run(_written("instrText", name), hidden=True, italic=True)] if name else []),
            _run(_written("instrText", f'{rest}" \\s "{short}" \\c {category} '), hidden=True),
        ]
    ends = (_run(_make("fldChar", fldCharType=kind), hidden=True) for kind in ("begin", "end"))
    begin, end = ends
    return [begin, *codes, end]


def _table(found: Sequence[TableEntry], form: TableForm) -> Iterator[etree._Element]:
    """The paragraphs of the table: its title, then for each group a heading and a TOA field."""
    yield _make("p", _run(_written("t", form.title), bold=True))
    for group, title in form.groups:
        listed = [entry for entry in found if entry.group == group]
        if not listed:
            continue
        yield _make("p", _run(_written("t", title), bold=True))
        passim = " \\p" if form.passim else ""
        for number, entry in enumerate(listed):
            tab = _make("tab", val="right", leader="dot", pos="9026")
            paragraph = _make(
                "p", _make("pPr", _make("pStyle", val="TableofAuthorities"), _make("tabs", tab))
            )
            if number == 0:
                code = f' TOA \\c "{_CATEGORIES.get(group, 3)}"{passim} '
                paragraph.extend(
                    [
                        _run(_make("fldChar", fldCharType="begin", dirty="true")),
                        _run(_written("instrText", code)),
                        _run(_make("fldChar", fldCharType="separate")),
                    ]
                )
            name, rest = _name(entry)
            if name:
                paragraph.append(_run(_written("t", name), italic=form.italic))
            paragraph.append(_run(_written("t", rest)))
            paragraph.append(_run(_make("tab")))
            paragraph.append(_run(_written("t", entry.places)))
            if number == len(listed) - 1:
                paragraph.append(_run(_make("fldChar", fldCharType="end")))
            yield paragraph
