"""Find the opening lines of a document, and read those of contracts and enactments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lexls.citations.jurisdiction import (
    find_jurisdiction_of_court,
    find_jurisdiction_of_enactment,
    find_jurisdiction_of_state,
)
from lexls.library.columns import RULE, Row, Stamp, arrange
from lexls.library.document import ExtractedPiece, Metadata
from lexls.library.headings import read_heading
from lexls.library.lines import split_pieces
from lexls.library.title_case import in_capitals, write_title_case
from lexls.text.dates import MONTH_START, find_date, is_date
from lexls.text.phrases import load_patterns, load_phrases

_PATTERNS = load_patterns(__package__, "head.toml", {"month_start": MONTH_START})

_MOST_PIECES = 40
_MOST_CHARACTERS = 6000
_LINE = 300
_SHORTEST_RUNNING = 40
_LONG_WORD = 5
_RUNNING_LINES = 2
"""Number of lines of running text after which a line without a label no longer counts as the document's own
citation.
"""
_LONGEST_DATE = 40
_TOP = 4
_NUMBERED_WITHIN = 8
"""Number of lines at the top in which a citation that begins with a word is recognised."""
_LONGEST_NUMBER = 80
_MOST_ROWS = 120
_LONGEST_ROW = 600
_MOST_LONG = 6
LINE_OF_PAGE = 70
"""Minimum length, in code points, of a line that may have been broken only because it filled the width of the
page.
"""
_LONGEST_OF_CAPTION = 60
"""Maximum length, in code points, of a caption's line; a longer line counts as running text."""


@dataclass(frozen=True, eq=False)
class Head:
    """The first lines of a document, before its reasons, text or clauses begin.

    ``lines`` have no markup and no white space at the edges, and are cut to 300 code points.
    ``citation_lines`` are the lines that may contain the document's own citations; each is paired with
    whether a label ("Neutral Citation Number:") says so. ``heading`` is the first top-level heading that the
    format declares. ``opening`` is the first 6,000 code points, unchanged. ``rows`` are the lines up to the
    first numbered paragraph, divided into table cells; they include lines after a heading "Judgment".
    """

    lines: tuple[str, ...]
    citation_lines: tuple[tuple[str, bool], ...]
    opening: str
    text: str = field(repr=False)
    pieces: Sequence[ExtractedPiece] = field(repr=False)
    heading: str = ""
    edges: Sequence[str] = ()
    first_page: str = field(default="", repr=False)

    @cached_property
    def _arranged(self) -> tuple[list[str], list[Stamp]]:
        text = self.first_page or self.text
        return arrange(list(_take_lines(text, split_pieces(text) if self.first_page else self.pieces)))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a judgment's caption in reading order, computed on first use."""
        return tuple(_cut_rows(self._arranged[0]))

    @cached_property
    def printed(self) -> tuple[str, ...]:
        """The lines as printed on the first pages, whereas ``lines`` may be joined into paragraphs."""
        if not self.first_page:
            return self.lines
        plain = (read_heading(" ".join(line.split())) for line in self._arranged[0] if line != RULE)
        return tuple(filter(None, plain))

    @property
    def stamps(self) -> Sequence[Stamp]:
        """The stamps on the first page, in order."""
        return [*self._arranged[1], *arrange(self.edges)[1]]

    def find_numbers(self) -> Iterator[tuple[str, bool]]:
        """Yield those of the first lines that may be a docket number, or a citation that begins with
        a word.
        """
        for line in self.lines[:_NUMBERED_WITHIN]:
            if len(line) <= _LONGEST_NUMBER and any(map(str.isdecimal, line)) and not is_date(line):
                yield line, False

    def find_printed_citations(self) -> Iterator[tuple[str, bool]]:
        """Yield the citation lines of the first page as printed, since ``lines`` may join them with other
        text. Nothing is yielded if the printed page is not known.
        """
        return _find_citation_lines(self.printed) if self.first_page else iter(())

    def find_neutral_citations(self) -> Iterator[tuple[str, bool]]:
        """Yield the text of each opening line after the label "Neutral citation", with True."""
        for row in self.rows:
            line = " ".join(row)
            if (label := _PATTERNS["neutral_citation"].match(line)) and len(line) <= _LINE:
                yield line[label.end() :], True


def take_head(
    text: str, pieces: Sequence[ExtractedPiece], edges: Sequence[str] = (), first_page: str = ""
) -> Head:
    """Return the opening lines of a text. ``edges`` are lines of the first page that are not part of the
    text, such as a stamp.

    If ``first_page`` (the lines as printed) is not empty, the rows are made from it.
    """
    raw_lines: list[str] = []
    total = 0
    for piece in pieces[:_MOST_PIECES]:
        raw = text[piece.start : min(piece.end, piece.start + _LINE)]
        if _PATTERNS["reasons_begin"].match(raw):
            break
        raw_lines += raw.splitlines()
        total += len(raw)
        if total > _MOST_CHARACTERS:
            break
    lines = [*filter(None, map(read_heading, arrange(raw_lines)[0]))]
    opening = text[pieces[0].start : pieces[0].start + _MOST_CHARACTERS] if pieces else ""
    titles = (text[each.start : each.end][:_LINE] for each in pieces[:_MOST_PIECES] if each.heading == 1)
    return Head(
        tuple(lines),
        tuple(_find_citation_lines(lines)),
        opening,
        text,
        pieces,
        read_heading(next(titles, "")),
        edges,
        first_page,
    )


def breaks_off(line: str) -> bool:
    """Return whether a line of running text ends within a sentence. The next line is then not a heading or a
    date.

    In running text most of the longer words are in lower case; in a title most are capitalised.
    """
    return (line[-1:].isalpha() or line[-1:] == ",") and is_running(line)


def lists_cases(line: str) -> bool:
    """Return whether a line is the label of a list of other cases: "Cases cited:", "Review of:"."""
    return _PATTERNS["lists_cited"].match(line) is not None


def is_running(line: str) -> bool:
    """Return whether a line is running text, judging by its lower-case words."""
    if len(line) <= _SHORTEST_RUNNING:
        return False
    words = [word for word in line.split() if len(word) >= _LONG_WORD and word[0].isalpha()]
    return sum(word[0].islower() for word in words) * 2 > len(words)


def _find_citation_lines(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield the lines that may contain the document's own citations, each with whether a label says so.

    A citation on a line of its own may still be part of running text, if a link or the end of a page has
    broken the line.
    """
    below, running = False, 0
    around = zip(("", *lines), lines, (*lines[1:], ""), strict=False)
    for position, (above, line, following) in enumerate(around):
        below = below or lists_cases(line) or _PATTERNS["court_below"].match(line) is not None
        running += breaks_off(above)
        if len(line) > 200 or not any(map(str.isdecimal, line)):
            continue
        label = _PATTERNS["labelled_citation"].match(line)
        if label or _PATTERNS["label_of_citation"].match(above):
            yield line[label.end() if label else 0 :], True
        elif (
            not (below or breaks_off(above) or _PATTERNS["continues"].match(following))
            and running < _RUNNING_LINES
            and (
                "[" in line
                or "(" in line
                or line[0].isdigit()
                or (position < _TOP and _PATTERNS["report"].match(line))
            )
            and not (len(line) <= _LONGEST_DATE and is_date(line))
        ):
            yield line, False


def _take_lines(text: str, pieces: Sequence[ExtractedPiece]) -> Iterator[str]:
    """Yield the opening lines of a judgment, up to its first numbered paragraph or its first few long
    pieces.
    """
    total = long = 0
    above = ""
    for piece in pieces[:_MOST_ROWS]:
        raw = _cut_running(text[piece.start : min(piece.end, piece.start + 2 * _MOST_CHARACTERS)])
        indent = text[text.rfind("\n", 0, piece.start) + 1 : piece.start]
        listed = _PATTERNS["parties_follow"].match(above) or _PATTERNS["listed_party"].match(
            raw.partition("\n")[0]
        )
        listed = listed or _PATTERNS["role_led"].search(text, piece.start, piece.start + _PARTIES_WITHIN)
        numbered = _PATTERNS["numbered"].match(raw) and not (listed or len(indent) >= _FAR_IN)
        if numbered or _PATTERNS["delivered"].match(raw):
            return
        above = raw
        long += len(raw) >= _LONGEST_ROW
        total += len(raw)
        if long > _MOST_LONG or total > 2 * _MOST_CHARACTERS:
            return
        # The white space before a line shows its column.
        yield from (raw if indent.strip() else indent + raw).splitlines()


def _cut_running(raw: str) -> str:
    """Return one of the opening pieces of a text, cut off after a limit unless its lines are short."""
    end = _LONGEST_ROW
    while end < len(raw):
        line = raw[raw.rfind("\n", 0, end) + 1 :].partition("\n")[0]
        if max(map(len, _PATTERNS["column"].split(line.strip()))) > _LONGEST_OF_CAPTION:
            return raw[:end]
        end = raw.rfind("\n", 0, end) + len(line) + 2
    return raw


def _cut_rows(lines: Iterable[str]) -> Iterator[Row]:
    """Yield each line as its table cells."""
    form = False
    for line in _join_values([*lines]):
        line = line.strip()
        form = form or (line.isupper() and _PATTERNS["form"].match(line) is not None)
        if " :" in line or "   " in line:
            line = _PATTERNS["apart"].sub(r"\g<label>\g<plain>: ", line)
        cells = _cut_cells(line)
        if form and len(cells) > 1 and _PATTERNS["form_label"].match(cells[0]):
            cells = (f"{cells[0]}:", *cells[1:])
        if len(cells) > 1 and _PATTERNS["party_label"].match(cells[0]):
            cells = (" ".join(cells),)
        if len(cells) > 1 and _PATTERNS["field"].match(cells[0]) and not _is_field(cells[1]):
            first, *others = (" ".join(cells[:2]), *cells[2:])
            yield (first,)
            yield from ((other,) for other in others)
            continue
        if len(cells) == 1:
            yield from ((field,) for field in _PATTERNS["fields"].split(cells[0]))
        elif cells:
            yield cells


def _is_of_notice(cell: str) -> bool:
    """Return whether a cell is part of the notice that is printed in a column next to the court's name."""
    said = cell.casefold().removeprefix("notice:").strip()
    return said in _NOTICE and (len(said) >= _SHORTEST_OF_NOTICE or _NOTICE.endswith(said))


def _join_values(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines. If the labels have their colons aligned in a column, each label is joined with its
    value.

    A line that begins to the right of that column continues the value above it.
    """
    found = [_PATTERNS["colon_apart"].match(line) for line in lines]
    colons = Counter(label.end() for label in found if label)
    column, count = colons.most_common(1)[0] if colons else (0, 0)
    if count < _FEWEST_LABELS:
        yield from lines
        return
    above = ""
    for label, line in zip(found, lines, strict=True):
        if above and line.strip() and not line[:column].strip():
            above = f"{above} {line.strip()}"
            continue
        if above:
            yield above
        above = ""
        if label and label.end() == column:
            above = f"{label['label'].strip()}: {line[column:].strip()}"
        else:
            yield line
    if above:
        yield above


def _is_field(cell: str) -> bool:
    """Return whether a cell is a label or begins with one, and so is not the value of the label before it."""
    return cell[-1] == ":" or _PATTERNS["own_field"].match(cell) is not None


def _cut_cells(line: str) -> Row:
    """Return the cells of a line, split at white space and between a party and the text in the column to its
    right.

    A label is joined with its value. Cells that contain only the marks between columns are skipped.
    """
    if line == RULE:
        return (line,)
    line = _PATTERNS["braces"].sub("   ", line)
    cells: list[str] = []
    for cell in filter(None, map(read_heading, _PATTERNS["column"].split(line))):
        if _PATTERNS["marks"].fullmatch(cell) or _is_of_notice(cell):
            continue
        if cell.endswith(" )") and cell.count("(") < cell.count(")"):
            cell = cell[:-2].rstrip()  # the mark between the columns, after a line that fills its column
        if cells and _PATTERNS["label_alone"].fullmatch(cells[-1]):
            cells[-1] = f"{cells[-1]} {cell}"
        elif len(cell) <= _LONGEST_CUT:
            cells += _PATTERNS["beside"].split(cell)
        else:
            cells.append(cell)
    return tuple(cells)


_NOTICE: str = load_phrases(__package__, "head.toml")["notices"]["illinois"]
_SHORTEST_OF_NOTICE = 20
_FEWEST_LABELS = 4
"""Minimum number of labels with aligned colons."""
_PARTIES_WITHIN = 500
"""Maximum distance, in code points, from the first numbered party to the parties' role: "...Petitioners"."""
_FAR_IN = 36
"""Minimum indent, in code points, of a numbered line in the right-hand column: "1. Breach of contract"."""
_LONGEST_CUT = 160
"""Maximum length, in code points, of a cell that is searched for a second column."""
_LINES = 14


def read_contract(head: Head, stem: str) -> Metadata | None:
    """Return the metadata of a contract, recognised by its heading and usual opening words; None if it is not
    one.

    The title is its heading. A contract without a heading is given the name that it uses for itself ("This
    Supply Agreement"), or its file's name if that says that it is an agreement.
    """
    filed = _PATTERNS["filed_as"].search(stem) is not None
    if not filed and not _PATTERNS["evidence"].search(head.opening):
        return None
    title = _title(head)
    if not title:
        if not filed:
            return None
        exhibit = _PATTERNS["exhibit"].search(stem)
        title = " ".join((exhibit[1] if exhibit else stem).replace("_", " ").split()).rstrip("0123456789")
        title = write_title_case(title) if title.isupper() else title
    return Metadata(title=title, date=_date(head.opening), kind="contract")


def _title(head: Head) -> str:
    before = plain = ""
    for line in (head.heading, *head.lines[:_LINES]):
        line = _PATTERNS["numbered_as"].sub("", line.strip(" -=_*"))
        if printed := _PATTERNS["printed_as"].match(line):
            line = line[printed.end() :]
        if line and len(before) + len(line) < 120 and _PATTERNS["title_line"].match(before + line):
            if not _PATTERNS["goes_on"].search(line):
                line = before + line
                title = write_title_case(line) if in_capitals(line) else line
                if " " in title:
                    return title
                plain = plain or title
            before = f"{before}{line} " if _PATTERNS["goes_on"].search(line) else ""
        else:
            before = ""
    start = head.opening[:600]
    for pattern in (_PATTERNS["capitals"], _PATTERNS["this"]):
        match = pattern.search(start)
        if match is not None:
            title = " ".join(match["title"].split())
            return write_title_case(title) if title.isupper() else title
    return plain


def _date(opening: str) -> str:
    match = _PATTERNS["dated"].search(opening)
    return find_date(opening[match.start() : match.end() + 40]) if match else ""


_ENACTMENT_LINES = 8


def read_section_file(head: Head) -> Metadata | None:
    """Return the metadata of a file that contains one section as "Title: …" and "Desc: …"; None if it does
    not.
    """
    match = _PATTERNS["section_file"].match(head.opening)
    if match is None:
        return None
    return Metadata(title=match["title"], kind="statute")


def read_united_states_code(head: Head) -> Metadata | None:
    """Return the metadata of a title of the United States Code in its official plain text; None if it is not
    one.
    """
    match = _PATTERNS["code_head"].search(head.opening[:600])
    date = ""
    if match is not None:
        if match["year"]:
            date = f"{match['year']}-{match['month']}-{match['day']}"
    elif "United States Code" in head.opening[:1500]:
        match = _PATTERNS["code_title"].search(head.opening[:1500])
    if match is None:
        return None
    name = match["name"].strip()
    return Metadata(
        title=f"Title {match['number']} – {write_title_case(name) if name.isupper() else name}",
        citation=f"{match['number']} U.S.C.",
        date=date,
        kind="statute",
        jurisdiction=find_jurisdiction_of_court("United States"),
    )


def read_enactment(head: Head) -> Metadata | None:
    """Return the metadata of an Act, a code or regulations; None if it is not one. It is identified by a
    title line together with a long title or a year.
    """
    for position, line in enumerate((head.heading, *head.lines[:_ENACTMENT_LINES])):
        if not line or len(line) > 180 or line.casefold().startswith(("an act ", "this ", "in the ")):
            continue
        act = _PATTERNS["act"].match(line)
        match = act or _PATTERNS["regulation"].match(line)
        # Near the top a year suffices, as do words of enactment without a year.
        if match is None or not (
            (match["year"] and position <= 2)
            or (_PATTERNS["enacts"].search(head.opening) and (match["year"] or position <= 3))
        ):
            continue
        year = match["year"] or ""
        title = write_title_case(line) if in_capitals(line) else line
        if title.lower().startswith("the ") and act and year:
            title = title[4:]
        others = head.lines[: 2 * _ENACTMENT_LINES]
        dates = (find_date(other) for other in others if _PATTERNS["enactment_dated"].match(other))
        return Metadata(
            title=title,
            citation=title if year else "",
            parallel_citations=tuple(other for other in others if _PATTERNS["number"].match(other)),
            date=next(filter(None, dates), year),
            kind="statute" if act else "regulation",
            jurisdiction=find_jurisdiction_of_state(match["place"] or "")
            or find_jurisdiction_of_enactment(head.opening),
        )
    return None
