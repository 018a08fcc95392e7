"""Put the opening lines of a court paper into reading order: column by column, without stamps and line
numbers.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from lexls.text.phrases import load_patterns, load_phrases

_PATTERNS = load_patterns(__package__, "columns.toml")
STAMPED_IN: str = load_phrases(__package__, "columns.toml")["stamps"]["jurisdiction"]
"""Code of the jurisdiction whose courts stamp dockets on papers."""
_MARKS = ")", ":", "§", "*", "]", "|", ";"
_BRACES = "}"
"""The mark that represents any brace, bracket or box drawn with single characters."""
_WIDEST_GAP = 3
"""Maximum distance, in lines, between consecutive lines with the mark that divides two columns."""
_FEWEST_MARKED = 3
_RULED = frozenset("-_=─━═")
_FEWEST_LINE_NUMBERS = 8
_FEWEST_BESIDE = 2
"""Number of nearby lines whose second column must begin at the same position as a line that has only a second
column.
"""
_NEAR = 8
_FARTHEST_OFF = 2
_INDENTED = 8
"""Maximum indent, in code points, of a line that is centred in its column."""
_LEFTMOST = 24
"""Minimum offset, in code points from the left, at which a page's second column begins."""
_FAR_RIGHT = 48
"""Offset, in code points from the left, from which a line can only be in the right-hand column. Other lines
that begin there confirm that column.
"""
_ABOVE_INK, _BELOW_INK = 3, 6
"""Number of lines of a stamp that may be above and below its "FILED", including blank ones."""
_OFF_CENTRE = 8
"""Maximum distance, in code points, between the middle of a stamp's line and the middle of its "FILED"."""
_LINES_OF_PAGE = 60
RULE = "* * *"
"""The line inserted between two columns to prevent a name from continuing across them."""
Row = tuple[str, ...]
"""One of a document's opening lines, as a tuple of its cells."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A stamp on a paper, with its docket number as printed ("" if it has none)."""

    docket: str = ""


def arrange(lines: Sequence[str]) -> tuple[list[str], list[Stamp]]:
    """Return the lines in reading order without stamps, and the stamps."""
    lines = blank_line_numbers(lines)
    stamps: list[Stamp] = []
    kept: list[str] = []
    plain = [*chain.from_iterable(map(_write_plainly, lines))]
    for line in _join_right_column([*_part_gutters([*_take_ink(plain, stamps)])]):
        bare = line.strip(" \t*_")
        if found := _PATTERNS["stamp"].match(bare) or _PATTERNS["ink"].match(bare):
            docket = _PATTERNS["stamped_docket"].search(line)
            stamps.append(Stamp(docket["docket"] if docket else ""))
            line = bare[found.end() :]
        if not _RULED.isdisjoint(line):
            line = _PATTERNS["ruled"].sub(f"\n{RULE}\n", line)
        kept += line.splitlines()
    return list(_part_columns(kept)), stamps


def blank_line_numbers(lines: Sequence[str]) -> Sequence[str]:
    """Replace line numbers or letters with spaces if the first page has them.

    The width is kept, since the indent of a line shows its column.
    """
    if _has_line_letters(lines):
        lines = [_PATTERNS["line_letters"].sub(lambda found: " " * len(found[0]), line) for line in lines]
    if _has_line_numbers(lines):
        lines = [_PATTERNS["line_number"].sub(lambda found: " " * len(found[0]), line, 1) for line in lines]
    return lines


def _take_ink(lines: Sequence[str], stamps: list[Stamp]) -> Iterator[str]:
    """Yield the lines without the clerk's ink stamp at the right, and add each stamp to ``stamps``.

    The lines of a stamp are centred above and below its "FILED".
    """
    cells = [_PATTERNS["last_cell"].search(line) for line in lines]
    middles = [(cell.start() + cell.end()) / 2 if cell else 0 for cell in cells]
    alone = [not (cell and line[: cell.start()].strip()) for cell, line in zip(cells, lines, strict=True)]
    inked: set[int] = set()
    for at, cell in enumerate(cells):
        if cell is None or middles[at] < _FAR_RIGHT or not _PATTERNS["inked"].fullmatch(cell[0]):
            continue
        block = [at]
        for step, most in ((-1, _ABOVE_INK), (1, _BELOW_INK)):
            near = range(at + step, at + step * (most + 1), step)
            dated = False
            for other in (each for each in near if 0 <= each < len(lines) and middles[each] >= _FAR_RIGHT):
                if abs(middles[other] - middles[at]) > _OFF_CENTRE:
                    break
                # Below a stamp, the court's name may be in two columns, or the docket next to the parties.
                beside = not alone[other] and lines[other].isupper() and all(alone[each] for each in block)
                numbered = _PATTERNS["docket_below"].search(lines[other]) is not None
                if (dated and beside) or ((dated or step < 0) and numbered):
                    break
                block.append(other)
                dated = dated or (step > 0 and _PATTERNS["ink_day"].search(lines[other]) is not None)
        stamped = (cell for line in block if (cell := cells[line]) is not None)
        if any(_PATTERNS["ink_day"].search(cell[0]) for cell in stamped):
            stamps.append(Stamp())
            inked.update(block)
    for at, line in enumerate(lines):
        cell = cells[at]
        yield line[: cell.start()].rstrip() if at in inked and cell is not None else line


def _write_plainly(line: str) -> Iterator[str]:
    """Yield lines of Markdown or of letter-spaced text as they look in print.

    ``C O U R T O F`` becomes "COURT OF". The cells of a table row are separated by white space. If cells have
    several lines, the columns follow each other from left to right.
    """
    line = html.unescape(_PATTERNS["escaped"].sub(r"\1", line)).replace("\xa0", " ")
    line = _PATTERNS["leaders"].sub("    ", line)
    if boxed := _PATTERNS["boxed"].match(line):
        line = boxed["within"]
    if line.lstrip().startswith("|") and line.count("|") > 2:
        cells = [_PATTERNS["line_break"].split(cell) for cell in line.strip().strip("|").split("|")]
        if all(not cell[0].strip(" -:") for cell in cells):
            return
        if max(map(len, cells)) == 1:
            yield "   ".join(filter(None, (cell[0].strip() for cell in cells)))
            return
        for cell in cells:
            yield from filter(str.strip, cell)
            yield RULE
        return
    if _PATTERNS["spaced_out"].match(line):
        words = re.split(r"\s{2,}", line.strip())
        line = " " * (len(line) - len(line.lstrip())) + " ".join(word.replace(" ", "") for word in words)
    yield line


def _join_right_column(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, appending each line that is only in the right-hand column to the line above.

    The right-hand column is where the second column of several nearby lines begins.
    """
    begins = [found.end() if (found := _PATTERNS["gap"].search(line)) else 0 for line in lines]
    above = room = ""
    for at, line in enumerate(lines):
        start = len(line) - len(line.lstrip())
        near = begins[max(0, at - _NEAR) : at + _NEAR]
        beside = sum(begin > 0 and abs(begin - start) <= _FARTHEST_OFF for begin in near)
        if beside and start >= _FAR_RIGHT:
            # Count other lines that are only in that column, too.
            alone = lines[max(0, at - _NEAR) : at + _NEAR]
            beside += sum(abs(len(each) - len(each.lstrip()) - start) <= _FARTHEST_OFF for each in alone) - 1
        column = begins[at] or _find_known_column(line, near)
        if column and not begins[at]:
            line = f"{line[:column]}   {line[column:]}"
        apart = start >= _LEFTMOST and not line.lstrip().startswith(_MARKS)
        # If the line above has words where this one begins or after it, both are centred lines.
        if above and apart and not (begins[at] or room[start - 2 :].strip()) and beside >= _FEWEST_BESIDE:
            above = f"{above}   {line.strip()}"
            continue
        if above:
            yield above
        above, room = line, "" if column else line
    if above:
        yield above


def _part_gutters(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines. If only white space separates two columns around a "v.", the left column comes first.

    The right-hand column must identify the paper and the court. If it contains the parties' roles, or if a
    mark separates the columns, the lines are unchanged.
    """
    starts = [_list_starts(line) for line in lines]
    done = 0
    for at, line in enumerate(lines):
        if at < done or not (found := _PATTERNS["pivot"].match(line)) or not found[0].strip():
            continue
        gutter = _find_gutter(lines, starts, done, at)
        if gutter is None:
            continue
        first, last, column = gutter
        yield from lines[done:first]
        yield from filter(str.strip, (each[:column].rstrip() for each in lines[first:last]))
        yield RULE
        yield from filter(str.strip, (each[column:] for each in lines[first:last]))
        yield RULE
        done = last
    yield from lines[done:]


def _list_starts(line: str) -> list[int]:
    """Return the offsets in a line at which cells begin that may be in a right-hand column."""
    return [found.end() for found in _PATTERNS["cell_begins"].finditer(line) if found.end() >= _LEFTMOST]


def _find_gutter(
    lines: Sequence[str], starts: Sequence[Sequence[int]], done: int, at: int
) -> tuple[int, int, int] | None:
    """Return the extent of the two columns around the "v." of line ``at``, or None: the first line, the line
    after the last, and the offset of the right-hand column.
    """
    around = range(max(done, at - _NEAR), min(len(lines), at + _NEAR))
    counted = Counter(start for each in around for start in starts[each])
    for column, _ in sorted(counted.items(), key=lambda each: (-each[1], each[0])):
        first = last = at
        while first > done and _keeps_apart(lines[first - 1], column, starts[first - 1]):
            if _PATTERNS["place"].match(lines[first - 1]):
                break  # the state and the county are next to the court's name
            first -= 1
        while last < len(lines) and _keeps_apart(lines[last], column, starts[last]):
            last += 1
        beside = [
            each
            for each in range(first, last)
            if any(0 <= start - column <= _INDENTED for start in starts[each])
        ]
        while beside and not lines[beside[0]][:column].strip() and column not in starts[beside[0]]:
            del beside[0]  # a centred line above the columns
        right = [lines[each][column:].strip() for each in beside]
        lefts = [lines[each][:column].rstrip() for each in beside]
        numbered = any(map(_PATTERNS["numbered"].match, right))
        aligned = [
            each for each in beside if any(0 <= start - column <= _FARTHEST_OFF for start in starts[each])
        ]
        few = numbered and at in beside and len(aligned) >= _FEWEST_BESIDE
        if (
            last <= at
            or not (few or len(beside) >= _FEWEST_MARKED)
            or any(map(_PATTERNS["litigant_alone"].match, right))
        ):
            continue
        marked = any(
            _ends_in_mark(left) or each.startswith(_MARKS) or _PATTERNS["brace"].search(left + each[:1])
            for left, each in zip(lefts, right, strict=True)
        )
        if marked or not any(map(str.strip, lefts)):
            continue
        return min(at, beside[0]), _find_end(lines[:last], at, beside[-1], column), column
    return None


def _ends_in_mark(left: str) -> bool:
    """Return whether a line of the left column ends in a dividing mark, and not in a colon of its own: "In re
    Pell:".
    """
    return left.endswith(_MARKS) and not _PATTERNS["matter_opens"].match(left)


def _find_end(lines: Sequence[str], versus: int, last: int, column: int) -> int:
    """Return the number of the line at which the left column ends.

    It ends after the second party's role, or at a line that is indented further than the "v." and the first
    party but starts left of the right-hand ``column``.
    """
    indents = [len(line) - len(line.lstrip()) for line in lines]
    farthest = max(indents[versus], indents[max(0, versus - 1)])
    for at in range(max(versus, last) + 1, len(lines)):
        if _PATTERNS["litigant_alone"].match(lines[at].strip()):
            return at + 1
        if farthest < indents[at] < column:
            return at
    return len(lines)


def _keeps_apart(line: str, column: int, starts: Sequence[int]) -> bool:
    """Return whether a line ends before ``column`` or has white space there."""
    return len(line.rstrip()) < column or (
        not line[max(0, column - 2) : column].strip() and any(start >= column for start in starts)
    )


def _find_known_column(line: str, near: Sequence[int]) -> int:
    """Return the offset at which a second column begins after two spaces in a line, if nearby lines have a
    column there; otherwise 0.
    """
    ends = (found.end() for found in _PATTERNS["narrow_gap"].finditer(line))
    return next((end for end in ends if end >= _LEFTMOST and near.count(end) >= _FEWEST_BESIDE), 0)


def _has_line_numbers(lines: Sequence[str]) -> bool:
    """Return whether most lines of the first page are numbered from 1, as on American pleading paper."""
    found = [*filter(None, map(_PATTERNS["line_number"].match, lines[:_LINES_OF_PAGE]))]
    numbers = [int(each["number"]) for each in found]
    rising = sum(later == earlier + 1 for earlier, later in pairwise(numbers))
    # The sections of an enactment are numbered, too, but not every line.
    return rising >= _FEWEST_LINE_NUMBERS and numbers[0] == 1 and 2 * len(found) > len(lines[:_LINES_OF_PAGE])


def _has_line_letters(lines: Sequence[str]) -> bool:
    """Return whether the lines of the first page are lettered from A on either side, as in Hong Kong's
    courts.
    """
    found = [*filter(None, map(_PATTERNS["line_letter"].match, lines[:_LINES_OF_PAGE]))]
    rising = sum(ord(later[1]) - ord(earlier[1]) == 1 for earlier, later in pairwise(found))
    return rising >= _FEWEST_LINE_NUMBERS and found[0][1] == "A"


def _part_columns(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines. If a mark separates two columns, the left column comes before the right one."""
    start = 0
    for first, last, mark in _find_columns(lines):
        yield from lines[start:first]
        parted = [_part(line, mark) or (line, "") for line in lines[first:last]]
        # In a table of three columns, "Vs." is alone in the middle.
        middles = [_part(right, mark) if mark == "|" else None for _, right in parted]
        alone = _PATTERNS["versus_alone"]
        versus = [each[0].strip() for each in middles if each and alone.fullmatch(each[0].strip())]
        sign = max(versus, default="")
        if sign:
            three = zip(parted, middles, strict=True)
            parted = [(left, end[1] if end else right) for (left, right), end in three if left != RULE]
        yield from (left for left, _ in parted if left.strip())
        beside = [right for _, right in parted if right.strip()]
        if sign or beside:
            yield sign or RULE
        yield from beside
        start = last
    yield from lines[start:]


def _find_columns(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the parts of the text that a mark divides into columns: the first line, the line after the last,
    and the mark.
    """
    end = 0
    found: list[tuple[int, int, str]] = []
    whole = "\n".join(lines)
    for mark in (_BRACES, *(each for each in _MARKS if whole.count(each) >= _FEWEST_MARKED)):
        parted = {at: columns for at, line in enumerate(lines) if (columns := _part(line, mark))}
        places = [*parted]
        while places:
            run = [places.pop(0)]
            while places and places[0] - run[-1] <= _WIDEST_GAP:
                run.append(places.pop(0))
            # A mark with nothing, or only a "v", before it is not punctuation.
            middles = ((_part(parted[at][1], mark) or (RULE,))[0] for at in run if mark == "|")
            sure = any(_PATTERNS["versus"].fullmatch(parted[at][0].strip()) for at in run) or any(
                _PATTERNS["versus_alone"].fullmatch(middle.strip()) for middle in middles
            )
            if len(run) >= _FEWEST_MARKED and sure:
                found.append((run[0], run[-1] + 1, mark))
    for first, last, mark in sorted(found):
        if first >= end:
            yield first, last, mark
            end = last


def _part(line: str, mark: str) -> tuple[str, str] | None:
    """Return the two columns of a line divided by ``mark``, or None if no such mark divides it. The second
    column may be empty.
    """
    if mark == _BRACES:
        found = _PATTERNS["brace"].search(line)
        return (line[: found.start()], line[found.end() :]) if found else None
    if mark == "|" and line.lstrip().startswith(mark) and line.count(mark) > 1:
        return None  # a row of a Markdown table
    place = line.find(mark)
    while place >= 0:
        left, right = line[:place], line[place + len(mark) :]
        apart = not left.strip() or left[-1] in " \t\xa0"
        if mark == ")" and left.rstrip()[-1:] in ".," and left.count("(") == left.count(")"):
            apart = True
        if apart and (not right.strip() or right[0] in " \t\xa0"):
            return left, right
        place = line.find(mark, place + 1)
    return None
