"""Put a table of authorities that Word itself keeps into a copy of a document: TA and TOA fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lexls.citations.styles import TableForm
from lexls.export.table_of_authorities import TableEntry
from lexls.export.word_copy import UnwritableCopy, WordCopy
from lexls.export.word_edits import Names, PartEdits

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
_TABLE = re.compile(rb"(?:instrText[^<>]*>|instr=[\"'])\s*TOA\b")


def put_table(copy: WordCopy, found: Sequence[TableEntry], form: TableForm, before: int) -> None:
    """Put a table of ``found`` before the paragraph that holds the offset ``before`` of the document's text.

    Each mention becomes a TA field and each group a TOA field, which Word fills with pages when it opens the
    file; until then the places stand there. All of it is tracked. Raises ``UnwritableCopy`` where there is a
    table already.
    """
    if copy.main is None:
        raise UnwritableCopy("no text in it")
    if _TABLE.search(copy.main.source.text):
        raise UnwritableCopy("it has a table of authorities, which Word updates (F9)")
    text = copy.extract.text
    for entry in found:
        for end in entry.mentions:
            at = end
            while at > 0 and not text[at - 1].isalnum() and text[at - 1] not in ")]":
                at -= 1
            copy.put_behind(at, _entry_field(copy.names, entry, whole=end == min(entry.mentions)))
    copy.put_before(before, "".join(_table(copy.main, found, form)))


def _run(names: Names, content: str, *marks: str) -> str:
    """A run with marks: "b", "i", "vanish", in this order."""
    return names.run(content, names.element("rPr", "".join(map(names.element, marks))) if marks else "")


def _name(entry: TableEntry) -> tuple[str, str]:
    """The name of a case, which is italic, and what follows it; of other authorities all follows."""
    name = _NAME.match(entry.text) if entry.group == "cases" else None
    return (name["name"], entry.text[name.end() :]) if name is not None else ("", entry.text)


def _entry_field(names: Names, entry: TableEntry, *, whole: bool) -> str:
    """The runs of a TA field: at the first mention with the authority in full, later by its short name."""
    short = entry.text.replace('"', "”")
    codes = [(f' TA \\s "{short}" ', False)]
    if whole:
        name, rest = (each.replace('"', "”") for each in _name(entry))
        category = _CATEGORIES.get(entry.group, 3)
        codes = [(' TA \\l "', False), (name, True), (f'{rest}" \\s "{short}" \\c {category} ', False)]
    written = [
        _run(names, names.text(code, "instrText"), *(["i"] if italic else []), "vanish")
        for code, italic in codes
        if code
    ]
    begin, end = (
        _run(names, names.element("fldChar", fldCharType=kind), "vanish") for kind in ("begin", "end")
    )
    return "".join([begin, *written, end])


def _table(edits: PartEdits, found: Sequence[TableEntry], form: TableForm) -> Iterator[str]:
    """The paragraphs of the table: its title, then for each group a heading and a TOA field."""
    names, passim = edits.names, " \\p" if form.passim else ""
    tab = names.element("tab", val="right", leader="dot", pos="9026")
    lined = names.element("tabs", tab)  # Word gives the entries its own style
    yield edits.paragraph(_run(names, names.text(form.title), "b"))
    for group, title in form.groups:
        listed = [entry for entry in found if entry.group == group]
        if listed:
            yield edits.paragraph(_run(names, names.text(title), "b"))
        for number, entry in enumerate(listed):
            runs = []
            if number == 0:
                code = f' TOA \\c "{_CATEGORIES.get(group, 3)}"{passim} '
                runs = [
                    names.run(names.element("fldChar", fldCharType="begin", dirty="true")),
                    names.run(names.text(code, "instrText")),
                    names.run(names.element("fldChar", fldCharType="separate")),
                ]
            name, rest = _name(entry)
            if name:
                runs.append(_run(names, names.text(name), *(["i"] if form.italic else [])))
            runs += [names.run(each) for each in (names.text(rest), names.element("tab"))]
            runs.append(names.run(names.text(entry.places)))
            if number == len(listed) - 1:
                runs.append(names.run(names.element("fldChar", fldCharType="end")))
            yield edits.paragraph("".join(runs), lined)
