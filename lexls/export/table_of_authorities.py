"""Write the table of authorities: the authorities a draft cites, in groups, and where it cites each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from lexls.assessing.rules.decisions import (
    DECISION_MISMATCH,
    NAME_MISMATCH,
    NAME_SPELLING,
    PARALLEL_MISMATCH,
)
from lexls.assessing.rules.engine import check
from lexls.assessing.rules.missing import CITATION_NUMBER, IMPOSSIBLE_CITATION
from lexls.citations.insert import InsertStyle, render
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation, fold, join_spaces
from lexls.citations.styles import Reference, Style, TableForm
from lexls.export.cited_words import find_work, is_code, list_provisions, read_closing, read_words_of_code
from lexls.index.records import Authority
from lexls.reading.citation_order import note_at
from lexls.reading.draft import Draft
from lexls.reading.edit import Edit
from lexls.reading.resolve import find_authority, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.format import Format
from lexls.text.formats import PLAIN
from lexls.text.lexicon import read_roman
from lexls.text.spans import Span
from lexls.writing.citing import load_style, load_table_style
from lexls.writing.written_reference import read_written

# Words ignored in sorting, since no reader looks for an authority under them.
_UNSORTED = re.compile(r"(?:(?:in\s+re|re|ex\s+parte|ex\s+p|in\s+the\s+matter\s+of|the)\s+)+", re.IGNORECASE)
_OF_YEAR = re.compile(r" of (?=\d{4}\Z)")
_GROUPS: Mapping[str, str] = {
    "case": "cases",
    "statute": "statutes",
    "regulation": "regulations",
    "rule": "rules",
    "constitution": "constitution",
}
_NUMBER_AT = re.compile(r"\d+")
_PARTS_OF_CONSTITUTION = {"amend": 1, "art": 0}

# Findings about the citation itself, whose error the table would repeat.
_WRONG = frozenset(
    rule.code
    for rule in (
        CITATION_NUMBER,
        DECISION_MISMATCH,
        IMPOSSIBLE_CITATION,
        NAME_MISMATCH,
        NAME_SPELLING,
        PARALLEL_MISMATCH,
    )
)
DOUBTED = " [check]"
"""Mark added to an entry if a check reports its citation as wrong."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """An entry of the table of authorities. ``places`` describes where the draft cites the authority;
    ``mentions`` are the offsets after each citation. ``doubt`` is the message of a check about the
    citation, or "". ``spans`` are the citations in the draft. ``authority`` is None if it is not in the
    library.
    """

    group: str
    text: str
    places: str
    mentions: tuple[int, ...] = ()
    doubt: str = ""
    spans: tuple[Span, ...] = ()
    authority: Authority | None = None


@dataclass(slots=True)
class _CitedAuthority:
    """A cited authority while its citations are being collected."""

    keys: dict[str, None] = field(default_factory=dict)
    full: Citation | None = None
    label: str = ""
    words: str = ""
    authority: Authority | None = None
    offsets: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)


def list_entries(snapshot: Snapshot, token: CancelToken) -> list[TableEntry]:
    """Return every authority that the draft cites, in the order of the table.

    Parallel citations count as one authority; short forms, *supra* and *ibid.* count for the authority they
    refer to. An authority that is not in the library is listed as the draft cites it.
    """
    wrong = [finding for finding in check(snapshot, token) if finding.code in _WRONG]
    style, form = load_style(snapshot), choose_form(snapshot)
    order = [group for group, _ in form.groups]
    found = []
    for cited in _gathered(snapshot, token):
        text, plain = _written(snapshot, cited, style, form)
        if text:
            group = _group(cited)
            group = group if group in order else "statutes" if group != "other" else "other"
            places = write_places(snapshot.draft, cited.offsets, form.passim)
            doubts = (each.message for each in wrong if any(map(each.span.overlaps, cited.spans)))
            doubt, spans = next(doubts, ""), tuple(cited.spans)
            entry = TableEntry(group, text, places, tuple(cited.ends), doubt, spans, cited.authority)
            found.append((order.index(group), _sort(plain, group), entry))
    found.sort(key=lambda each: each[:2])
    return [entry for _, _, entry in found]


def choose_form(snapshot: Snapshot) -> TableForm:
    """Return the form of the table in the configured style, or else the customary form in the draft's
    jurisdiction.
    """
    style = load_style(snapshot) or load_table_style(snapshot.draft.jurisdiction)
    return style.table if style is not None else TableForm()


def edit_table(snapshot: Snapshot, at: int | None, token: CancelToken) -> Edit | None:
    """Return the edit that inserts the table at the offset ``at``, or updates the existing table.

    Returns None if nothing would change, or if there is no table yet and ``at`` is None. Raises
    ``UnclosedTable`` if only one of a table's two marks is in the draft.
    """
    written = write_table(list_entries(snapshot, token), snapshot.draft.format, choose_form(snapshot))
    return _placed(snapshot.draft, at, written)


def edit_draft(
    snapshot: Snapshot, at: int | None, token: CancelToken, *, pages: bool = False
) -> tuple[Edit, ...]:
    """Return the edits of ``edit_table`` and those for the page marks in the text. Page marks are written
    only if the format has them, and either ``pages`` is true or the existing table lists pages.
    """
    draft = snapshot.draft
    there = draft.format.find_table(draft.source)
    lead = draft.format.page_list.partition("«")[0]
    if not draft.format.page_mark or not (pages or (there is not None and lead in there.of(draft.source))):
        edit = edit_table(snapshot, at, token)
        return (edit,) if edit is not None else ()
    found = list_entries(snapshot, token)
    inside = [each.line for each in draft.headings]
    ends = sorted({end for entry in found for end in entry.mentions})
    ends = [end for end in ends if not any(line.touches(end) for line in inside)]
    numbers = {end: number for number, end in enumerate(ends, start=1)}
    written = write_table(found, draft.format, choose_form(snapshot), numbers)
    edit = _placed(draft, at, written)
    marks = list(_mark_pages(draft, numbers, there))
    return tuple(sorted([*marks, *([edit] if edit is not None else [])], key=lambda each: each.span))


def _mark_pages(draft: Draft, numbers: Mapping[int, int], table: Span | None) -> Iterator[Edit]:
    """Yield the edits that insert or renumber the mark after each citation, and those that remove marks no
    longer needed.
    """
    old = {span.start: span for span in draft.format.find_page_marks(draft.source)}
    for end, number in numbers.items():
        span = old.pop(end, Span(end, end))
        if span.of(draft.source) != (mark := draft.format.mark_page(number)):
            yield Edit(span, mark)
    for span in old.values():
        if table is None or not table.overlaps(span):
            yield Edit(span, "")


def _placed(draft: Draft, at: int | None, written: str) -> Edit | None:
    """Return the edit that inserts the table at the offset ``at`` or replaces the existing one; None if there
    is nothing to change.
    """
    there = draft.format.find_table(draft.source)
    if there is None and at is None:
        return None
    if "\r\n" in draft.source:
        written = written.replace("\n", "\r\n")
    if there is not None:
        return Edit(there, written) if there.of(draft.source) != written else None
    assert at is not None
    return _inserted(draft, at, written)


def find_usual_place(draft: Draft) -> int:
    """Return the default offset for a new table: before the first paragraph, after the draft's title."""
    prose = (each.start for each in draft.paragraphs if draft.heading_at(each.start) is None)
    first = next(prose, len(draft.source))
    above = [each for each in draft.headings if each.line.start < first]
    return above[1].line.start if len(above) > 1 else first


def _inserted(draft: Draft, at: int, written: str) -> Edit:
    """Return the edit that inserts the table as a separate paragraph, before the line that contains
    ``at``.
    """
    newline = "\r\n" if "\r\n" in draft.source else "\n"
    line = draft.source.rfind("\n", 0, at) + 1
    before = draft.source[:line].rstrip(" \t")
    lead = "" if not before or before.endswith((newline * 2, "\n\n")) else newline
    return Edit(Span(line, line), lead + written + newline * 2)


def write_table(
    found: list[TableEntry], format: Format, form: TableForm, marked: Mapping[int, int] | None = None
) -> str:
    """Return the table, including the marks at its start and end, in ``format``, with line feeds as line
    ends.

    ``marked`` maps offsets after citations to page mark numbers; if given, the table lists pages instead of
    places.
    """
    opening, closing = format.table_marks
    lines = [opening]
    if format.comment is not None:
        lines += ["", format.write_heading(form.title, 1)]
    if marked:
        lines += format.page_definition.strip("\n").split("\n")
    for group, title in form.groups:
        listed = [entry for entry in found if entry.group == group]
        if not listed:
            continue
        lines += ["", format.write_heading(title, 2), ""]
        doubted = format.escape(DOUBTED)
        texts = (f"{entry.text}{doubted if entry.doubt else ''}" for entry in listed)
        places = (_describe_places(entry, format, form, marked) for entry in listed)
        lines += list(format.write_list(list(zip(texts, places, strict=True))))
    if not found:
        lines += ["", format.escape("No authorities are cited.")]
    return "\n".join([*lines, "", closing])


def _describe_places(
    entry: TableEntry, format: Format, form: TableForm, marked: Mapping[int, int] | None
) -> str:
    """Return where an authority is cited, in ``format``: as places in words or as pages."""
    numbers = [marked[end] for end in entry.mentions if end in marked] if marked is not None else []
    return format.list_pages(numbers, form.passim) if numbers else format.escape(entry.places)


def _gathered(snapshot: Snapshot, token: CancelToken) -> list[_CitedAuthority]:
    """Return the authorities of the draft, each with all its citations."""
    draft = snapshot.draft
    by_key: dict[str, _CitedAuthority] = {}
    found: list[_CitedAuthority] = []
    groups: set[int] = set()
    for citation in draft.citations:
        token.raise_if_cancelled()
        if not citation.key or (citation.form == "defined" and citation.pinpoint is None):
            continue
        group = draft.group_of(citation) if citation.form == "full" else [citation]
        again = citation.form == "full" and citation.group > 0 and citation.group in groups
        groups.add(citation.group)
        resolution = resolve(snapshot.library, draft, citation)
        keys = [fold(each.key) for each in group]
        if resolution.authority is not None:
            keys.append(f"#{resolution.authority}")
        base = draft.antecedent_of(citation)
        for label in list_provisions(citation, base):
            names = [f"{key}§{label}" if label else key for key in keys]
            cited = next((by_key[name] for name in names if name in by_key), None)
            if cited is None:
                words = read_words_of_code(draft, base or citation, label)
                cited = _CitedAuthority(full=base if label else None, label=label, words=words)
                found.append(cited)
            for name in names:
                by_key.setdefault(name, cited)
            cited.keys.update(dict.fromkeys(each.key for each in group))
            cited.spans.append(draft.mention_of(citation))
            cited.authority = cited.authority or find_authority(snapshot.library, resolution)
            if citation.form == "full" and (cited.full is None or _tells(citation) > _tells(cited.full)):
                cited.full = citation
            if not again:
                cited.offsets.append(citation.core.start)
                cited.ends.append(_find_end(draft, citation))
    return [each for each in found if each.full is not None or each.authority is not None]


def _find_end(draft: Draft, citation: Citation) -> int:
    """Return the offset after a citation and a following full stop or comma, where a mark can be inserted."""
    end = draft.skip_marks(draft.mention_of(citation).end)
    return end + (draft.source[end : end + 1] in tuple(".,;:"))


def _tells(citation: Citation) -> tuple[bool, bool]:
    """Return the sort key for the completeness of a full citation: whether it has a name, then whether it has
    a year.
    """
    return bool(citation.name), citation.year is not None


def _group(cited: _CitedAuthority) -> str:
    kind = cited.full.kind if cited.full is not None else (cited.authority.kind if cited.authority else "")
    return _GROUPS.get(kind, "other")


def _written(
    snapshot: Snapshot, cited: _CitedAuthority, style: Style | None, form: TableForm
) -> tuple[str, str]:
    """Return an authority's entry in the table, in the draft's format and as plain text."""
    draft = snapshot.draft
    habit = draft.habits
    italic = habit.italic if habit.italic is not None and any(habit.italic) else None
    if not form.italic:
        italic = ("", "")
    known = _reference(snapshot, cited)
    if style is None and _group(cited) in ("constitution", "rules"):
        style = load_table_style(draft.jurisdiction)
    if style is not None and known is not None:
        rendered = style.render(known, "full", draft.format, italic)
        plain = style.render(known, "full", PLAIN)
        if rendered is not None and plain is not None:
            return rendered.text, plain.text
    if (own := _write_provision(draft, cited) or _write_work(draft, cited)) is not None:
        return own
    keys = _list_readable_keys(snapshot, cited)
    return _as_cited(draft, cited, keys, known, replace(habit, italic=italic)), _as_cited(
        draft, cited, keys, known, replace(habit, italic=("", "")), PLAIN
    )


def _write_provision(draft: Draft, cited: _CitedAuthority) -> tuple[str, str] | None:
    """Return a section of a code as the draft writes it, and its sort key; None if the draft's wording is
    unknown.
    """
    full = cited.full
    if not cited.words or full is None:
        return None
    closing = read_closing(draft, full)
    source = draft.format.write_signs(draft.format.escape(f"{cited.words}{cited.label}{closing}"))
    return source, f"{full.key} {cited.label}"


def _write_work(draft: Draft, cited: _CitedAuthority) -> tuple[str, str] | None:
    """Return an article as the draft cites it, with author and title, and its sort key, which starts with the
    surname.
    """
    full = cited.full
    work = find_work(draft, full) if full is not None and full.kind == "journal" else None
    if full is None or work is None:
        return None
    closing = read_closing(draft, full)
    written = Span(work.start, full.core.end)
    source = join_spaces(written.of(draft.source)) + draft.format.escape(closing)
    return source, f"{work.surname} {join_spaces(written.of(draft.masked))}{closing}".strip()


def _list_readable_keys(snapshot: Snapshot, cited: _CitedAuthority) -> list[str]:
    """Return an authority's keys. A key that is unclear without context is replaced by the draft's own words.

    "5493/72" becomes "App no 5493/72"; "Clean Air Act 1970" becomes "Clean Air Act of 1970" again if the
    draft has it.
    """
    full, grammar = cited.full, snapshot.searcher.grammar
    keys = list(cited.keys)
    if full is None or grammar is None:
        return keys
    written = join_spaces(full.core.of(snapshot.draft.masked))
    if _OF_YEAR.sub(" ", written) == full.key:
        return [written if key == full.key else key for key in keys]
    by_number = full.kind in ("case", "journal", "regulation")
    if not by_number or grammar.core_of(full.key, full.jurisdiction) is not None:
        return keys
    named = f" ({full.name})"
    own = full.key.removesuffix(named) if full.key.endswith(named) else written
    return [own if key == full.key else key for key in keys]


def _as_cited(
    draft: Draft,
    cited: _CitedAuthority,
    keys: Sequence[str],
    known: Reference | None,
    habit: InsertStyle,
    format: Format | None = None,
) -> str:
    """Return an authority with all its citations, in the draft's own manner. If no style is configured,
    nothing is omitted.
    """
    format = format or draft.format
    full, authority = cited.full, cited.authority
    name = known.name if known is not None else ""
    if authority is not None:
        name, keys = name or authority.title, keys or list(authority.citations)
    text = render(
        keys,
        name,
        "case" if _group(cited) == "cases" else "statute",
        cited.label,
        full.pinpoint.kind if full is not None and full.pinpoint is not None else "section",
        full.jurisdiction if full is not None else draft.jurisdiction,
        format,
        replace(habit, parallel=True, section_first=False),
    ).text
    if full is not None and full.kind != "case":
        if name and not cited.label and full.kind in ("statute", "regulation") and is_code(full):
            return format.escape(f"{name}, {keys[0]}")
        return text + format.escape(read_closing(draft, full))
    ends = known is not None and find_jurisdiction(known.jurisdiction).customs.court_and_year
    if known is None or known.kind != "case" or known.year is None:
        return text
    # Add the year if no report contains it, as in American reports.
    undated = not any(str(known.year) in key for key in keys)
    if not undated and not (known.court and ends):
        return text
    date = f"{known.date}, {known.year}" if known.date else str(known.year)
    return text + format.escape(f" ({known.court} {date})" if known.court else f" ({date})")


def _reference(snapshot: Snapshot, cited: _CitedAuthority) -> Reference | None:
    full = cited.full
    if full is None:
        return None
    known = read_written(snapshot, full, whole=False)
    if known is None:
        known = Reference(full.kind, full.name, jurisdiction=full.jurisdiction, year=full.year)
    name = known.name or (cited.authority.title if cited.authority is not None else "")
    labels = (cited.label,) if cited.label else ()
    kind = full.pinpoint.kind if labels and full.pinpoint is not None else "section"
    return replace(
        known,
        name=join_spaces(name),
        citations=tuple(cited.keys),
        labels=labels,
        pinpoint=kind,
        pinned="",
        more_pinned=(),
        written="",
        dateless=False,
        edition=known.edition if full.kind == "regulation" else "",
    )


def _sort(plain: str, group: str) -> tuple[str, str]:
    """Return an entry's sort key: its letters without punctuation, with numbers in numerical order."""
    bare = plain[match.end() :] if (match := _UNSORTED.match(plain)) is not None else plain
    if group == "constitution":
        # Sort articles before amendments, each by number.
        bare = re.sub(r"\b(amend|art)s?\b\.?", lambda found: f"{_PARTS_OF_CONSTITUTION[found[1]]}", bare)
        bare = re.sub(r"\b[IVXL]+\b", lambda found: str(read_roman(found.group())), bare)
    letters = "".join(char if char.isalnum() or char.isspace() else " " for char in bare.casefold())
    padded = _NUMBER_AT.sub(lambda found: found.group().zfill(9), letters)
    return " ".join(padded.split()), plain


# -- where something is cited: paragraph, footnote or section -------------------------------------------

_NUMBER = re.compile(r"[ \t>*_]{0,8}(?:\[(\d{1,4})\]|(\d{1,4})[.)])[ \t]")
_FEWEST = 3
"""Minimum number of numbered paragraphs; fewer are taken for a list, not for the draft's numbering."""


def number_paragraphs(draft: Draft) -> tuple[tuple[int, int], ...]:
    """Return the start and number of each numbered paragraph; nothing unless the draft's paragraphs are
    numbered from 1.
    """
    return draft.once("numbered paragraphs", lambda: tuple(_numbered(draft)))


def _numbered(draft: Draft) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for paragraph in draft.paragraphs:
        match = _NUMBER.match(draft.source, draft.source.rfind("\n", 0, paragraph.start) + 1)
        if match is None:
            continue
        number = int(match[1] or match[2])
        if number == (found[-1][1] + 1 if found else 1):
            found.append((paragraph.start, number))
    # They must contain much of the text: three items somewhere in a long draft are only a list.
    inside = sum(each.start >= found[0][0] for each in draft.paragraphs) if found else 0
    return found if len(found) >= _FEWEST and len(found) * 3 >= inside else []


def write_places(draft: Draft, offsets: Sequence[int], passim: int = 0) -> str:
    """Return where the offsets are in the draft, in order, each place once: "[3], [7]", "nn 1, 4",
    "Argument".

    If there are at least ``passim`` places, return "passim" instead (0: never).
    """
    paragraphs = number_paragraphs(draft)
    starts = [start for start, _ in paragraphs]
    notes = draft.notes
    numbered: set[int] = set()
    noted: set[int] = set()
    sections: dict[str, None] = {}
    for offset in sorted(offsets):
        note = note_at(draft, offset)
        at = note.mark if note is not None else offset
        place = bisect_right(starts, at) - 1
        if place >= 0:
            numbered.add(paragraphs[place][1])
        elif note is not None and notes:
            noted.add(note.number)
        elif section := _name_section(draft, at):
            sections.setdefault(section)
    if passim and len(numbered) + len(noted) + len(sections) >= passim:
        return "passim"
    parts = []
    if numbered:
        parts.append(", ".join(f"[{each}]" for each in _ranges(numbered, "]–[")))
    if noted:
        parts.append(("n " if len(noted) == 1 else "nn ") + ", ".join(_ranges(noted, "–")))
    return "; ".join([*parts, *sections])


_LONGEST_TITLE = 40
_NUMBERED_TITLE = re.compile(r"(?P<number>[IVXLC]+|[A-Za-z]|\d{1,2}(?:\.\d{1,2})*)[.)]\s")


def _name_section(draft: Draft, at: int) -> str:
    """Return the name of the section that contains ``at``, or "".

    A short heading is given in full. A long one is named by the nearest short heading above it and the
    numbers below that ("Argument I.A"), or else by its numbers and first words ("I.A. The court below
    erred…"). The title of the whole draft is ignored.
    """
    above = [each for each in draft.headings if each.line.start <= at]
    first = draft.headings[0] if draft.headings else None
    whole = first is not None and all(each.level > first.level for each in draft.headings[1:])
    if not above:
        return ""
    last = above[-1]
    title, level = last.title, last.level
    numbers: list[str] = []
    if len(title) <= _LONGEST_TITLE:
        return title
    for each in reversed(above):
        if each is not last and each.level >= level:
            continue
        level = each.level
        number = _NUMBERED_TITLE.match(each.title)
        if number is None:
            if numbers and len(each.title) <= _LONGEST_TITLE and not (whole and each is first):
                return f"{each.title} {'.'.join(reversed(numbers))}"
            break
        numbers.append(number["number"])
    words = _NUMBERED_TITLE.sub("", title, count=1) if numbers else title
    path = f"{'.'.join(reversed(numbers))}. " if numbers else ""
    words = words[: _LONGEST_TITLE - 1]
    cut = words[: words.rfind(" ")].rstrip(" ,;:.") if " " in words else words
    return f"{path}{cut}…"


def _ranges(numbers: Iterable[int], dash: str) -> list[str]:
    """Return the numbers in order, with three or more in a row written as a range."""
    written = []
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        row = [str(number) for _, number in run]
        written += [f"{row[0]}{dash}{row[-1]}"] if len(row) > 2 else row
    return written
