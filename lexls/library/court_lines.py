"""Read the court's name, with its division, in the caption of a judgment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lexls.citations.courts import find_american_jurisdiction
from lexls.library.columns import Row
from lexls.library.title_case import in_capitals, write_title_case
from lexls.text.dates import find_dates
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_patterns, load_phrases

_PATTERNS = load_patterns(__package__, "court_lines.toml")
_SMALL = split_words(load_phrases(__package__, "court_lines.toml")["words"]["small"])
_NAMED = tuple(
    (re.compile(pattern, re.IGNORECASE), name)
    for pattern, name in load_phrases(__package__, "court_lines.toml")["named"].items()
)
_ANY_NAMED = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _NAMED), re.IGNORECASE)
_IN_SHORT = "districtless", "placeless"
"""Patterns of court names that a stamp may have abbreviated. If one matches, the full name is searched for
further down.
"""
_LONGEST = 120
_MOST_LINES = 6
_LINES_OF_NAME = 4
"""Maximum number of lines that a sentence naming the court may span: "At an IAS Term …"."""
_NATION = re.compile(r"^U\.\s?S\.\s")
_OWN_WORDS = split_words("the of for in and at")


@dataclass(frozen=True, slots=True)
class CourtLines:
    """A court as named in the caption, in rows ``start`` to ``end`` (exclusive). ``column`` is the index of
    the column that contains the name.

    ``sure`` is true if "In the" or a label precedes the name, or if the name can only be a court's.
    """

    name: str
    sure: bool
    start: int
    end: int
    column: int = 0


def names_venue(line: str) -> bool:
    """Return whether a line is the county that is printed below the state's name: "SUFFOLK, ss."."""
    return _PATTERNS["venue"].match(line) is not None


def read_court(rows: Sequence[Row]) -> CourtLines | None:
    """Return the first court that a caption names as its own, including the lines that continue its name.

    The first column is searched first, then the other columns.
    """
    found = _find_court(rows)
    if found is not None and _PATTERNS["trial_court"].match(found.name):
        # Maryland's appellate courts print the court below at the top.
        higher = _find_court(rows[found.end :])
        if higher is not None and _PATTERNS["higher"].match(higher.name):
            found = replace(higher, start=found.end + higher.start, end=found.end + higher.end)
    short = found.name.partition(",")[0] if found is not None else ""
    if found is not None and any(_PATTERNS[each].search(short) for each in _IN_SHORT):
        # A stamp abbreviates the court's name.
        whole = _find_court(rows[found.end :])
        told = whole is not None and _words(whole.name) <= _words(found.name)
        if whole is not None and not told and _words(short) < _words(whole.name.partition(",")[0]):
            found = replace(whole, start=found.end + whole.start, end=found.end + whole.end)
    if (found is None or not found.sure) and any(len(row) > 1 for row in rows):
        cells = [(at, cell) for at, row in enumerate(rows) for cell in row[1:]]
        beside = _find_court([(cell,) for _, cell in cells])
        if beside is not None and (found is None or (beside.sure and cells[beside.start][0] < found.start)):
            start, end = cells[beside.start][0], cells[beside.end - 1][0] + 1
            # Next to line numbers the rows are the court's own; next to parties they are not.
            numbered = all(row[0].isdecimal() for row in rows[start:end])
            place = (start, end, 1) if numbered else (0, 0, beside.column)
            found = CourtLines(beside.name, beside.sure, *place)
    return None if found is None else _add_place(found, rows)


def _add_place(found: CourtLines, rows: Sequence[Row]) -> CourtLines:
    """Return a court with its state added, which is named at the top of the caption or in the line below the
    county.
    """
    if _PATTERNS["placeless"].match(found.name.partition(",")[0]):
        top = [row[0] for row in rows[:_LINES_OF_NAME]]
        state = next(filter(_PATTERNS["state"].match, top), "")
        if state and write_title_case(state.partition(" of ")[2].upper() or state.upper()) in found.name:
            return found
        cells = [cell for row in rows for cell in row]
        if found.name == "Superior Court" and (
            district := next(filter(None, map(_PATTERNS["connecticut"].match, _join_pairs(cells))), None)
        ):
            name = f"{found.name} of Connecticut, Judicial District of {write_title_case(district['place'])}"
            return replace(found, name=name)
        if not state and (told := _find_in_notice(found.name, " ".join(cells))):
            return replace(found, name=told, sure=True)
        county = next(filter(None, map(_PATTERNS["venue"].match, top)), None)
        return replace(found, name=_add_state(found.name, state, county["county"] if county else ""))
    below = _PATTERNS["state"].match(rows[found.end][0]) if found.end < len(rows) else None
    if below is None or not _PATTERNS["of_county"].search(found.name):
        return found
    state = write_title_case(below["state"].upper())
    return found if state in found.name else replace(found, name=f"{found.name}, {state}")


def _join_pairs(cells: Sequence[str]) -> Iterator[str]:
    """Yield each cell, joined with the next cell if its text is unfinished (for example, if it ends
    in "of").
    """
    for cell, below in zip(cells, (*cells[1:], ""), strict=True):
        yield f"{cell} {below}" if _PATTERNS["unfinished"].search(cell) else cell


def _find_in_notice(name: str, text: str) -> str:
    """Return a court's name with its state as given in the text of a notice ("Supreme Court of
    Pell"), or "".
    """
    state, court = r"((?:(?:New|North|South|West|Rhode) )?[A-Z][a-z]+)", re.escape(name)
    found = (re.search(pattern, text) for pattern in (rf"{court} of {state}\b", rf"\b{state} {court}\b"))
    full = (f"{name} of {named[1]}" for named in found if named)
    return next(filter(find_american_jurisdiction, full), "")


def _find_court(rows: Sequence[Row]) -> CourtLines | None:
    below = False
    for position, row in enumerate(rows):
        venue = _PATTERNS["venue"].match(row[0]) if len(row) > 1 else None
        beside = venue or (len(row) > 1 and _PATTERNS["state"].match(row[0]) and looks_like_court(row[1]))
        column = 1 if beside else next((at for at, each in enumerate(row) if at and _is_own(each)), 0)
        line = _PATTERNS["composition"].sub("", row[column])
        below_it = " ".join(each[0] for each in rows[position : position + _LINES_OF_NAME])
        if called := next(filter(None, map(find_full_name, (line, below_it, *row[1:]))), ""):
            return CourtLines(called, True, position, position + 1)
        if _PATTERNS["below"].match(line):
            below = True
            continue
        opening = _PATTERNS["opening"].match(line)
        label = _PATTERNS["label"].match(line)
        above = _PATTERNS["before_the"].match(rows[position - 1][0]) if position else None
        named = label or opening
        before = named or above
        name = _NATION.sub("United States ", line[named.end() :] if named else line)
        if below and not opening:
            continue
        unfinished = " " in name and _PATTERNS["unfinished"].search(name) is not None
        goes_on = unfinished and (opening is not None or name.isupper())
        following = rows[position + 1][0] if goes_on and position + 1 < len(rows) else ""
        if not looks_like_court(f"{name} {following}") or _PATTERNS["unnamed"].match(name):
            continue
        lines, end = _read_on(rows, position, column, name, opened=before is not None)
        name = _join(lines)
        above_it = row[0] if column and not venue else rows[position - 1][0] if position else ""
        whole = _add_state(name, above_it, venue["county"] if venue else "")
        third = row[2] if beside and len(row) > 2 else ""
        if any(_PATTERNS[each].match(third) for each in ("county", "part_of_court")):
            whole = f"{whole}, {write_title_case(third)}"
        sure = before is not None or _PATTERNS["sure"].match(whole) is not None
        return CourtLines(whole, sure, position, end, 0 if venue or whole != name else column)
    return None


def _read_on(
    rows: Sequence[Row], position: int, column: int, name: str, *, opened: bool
) -> tuple[list[str], int]:
    """Return the lines that name the court, starting with ``name`` in row ``position``, and the index of the
    row after them.

    If a later line repeats the name in full, the result begins with that line. ``opened`` is true if "in the"
    or a label precedes the first line.
    """
    lines = [name]
    for end in range(position + 1, min(len(rows), position + _MOST_LINES)):
        following = _PATTERNS["composition"].sub("", rows[end][min(column, len(rows[end]) - 1)])
        names_it = _PATTERNS["in_the"].match(following) is not None and not opened
        repeated = fold_line(following) == fold_line(lines[0])
        if repeated and len(lines) > 1:
            return lines, end  # the stamp next to a complete name
        begins_it = fold_line(following).startswith(fold_line(lines[0]))
        if repeated or begins_it or (names_it and _words(lines[0]) <= _words(following)):
            lines = []  # a stamp or a running head repeats the name
        elif _PATTERNS["stamped"].match(following):
            continue
        elif (not column and len(rows[end]) > 1 and not _stands_beside(rows[end][1])) or not (
            _goes_on(lines[-1], following) or _is_county(*rows[end : end + 2])
        ):
            return lines, end
        elif column and not _goes_on(lines[-1], following) and _is_county(*rows[end : end + 2]):
            following = rows[end][0]  # the docket number stands beside it
        again = _PATTERNS["opening"].match(following)
        plain = following[again.end() :] if again else ""
        lines.append(plain if looks_like_court(plain) else following)
    return lines, min(len(rows), position + _MOST_LINES)


def _add_state(name: str, above: str, county: str) -> str:
    """Return a court's name with the state named in the line ``above`` it and the ``county``, if any. A name
    that already includes a place is unchanged.
    """
    state = _PATTERNS["state"].match(above)
    plain, comma, division = name.partition(",")
    if state is None or not _PATTERNS["placeless"].match(plain):
        return name
    place = f", {county.title()} County" if county else ""
    return f"{plain} of {write_title_case(state['state'].upper())}{place}{comma}{division}"


def find_full_name(line: str) -> str:
    """Return the full name of a court that its own papers call by a different name; "" if the line names no
    such court.
    """
    if _ANY_NAMED.match(line) is None:
        return ""
    named = ((pattern.match(line), name) for pattern, name in _NAMED)
    called = next((found.expand(name) for found, name in named if found), "")
    return " ".join(word.capitalize() if word.isupper() else word for word in called.split())


def _stands_beside(cell: str) -> bool:
    """Return whether a cell in the same row as the court's name is unrelated to the name: a stamp, a number,
    another court.
    """
    return looks_like_court(cell) or _PATTERNS["beside"].match(cell) is not None


def _is_own(cell: str) -> bool:
    """Return whether a cell of a later column names the court itself: "IN THE SUPERIOR COURT OF
    PENNSYLVANIA".
    """
    opening = _PATTERNS["in_court"].match(cell)
    return opening is not None and in_capitals(cell) and looks_like_court(cell[opening.end() :])


def looks_like_court(line: str) -> bool:
    """Return whether a line is a court's name: a noun for a court among capitalised words, but not a
    sentence.
    """
    return (
        len(line) <= _LONGEST
        and _PATTERNS["noun"].search(line) is not None
        and _PATTERNS["no_court"].search(line) is None
        and not find_dates(line)
        and all(not word[:1].islower() or word.strip("(),.&") in _SMALL for word in line.split())
    )


def fold_line(line: str) -> str:
    """Return only the letters of a line, in lower case."""
    return "".join(filter(str.isalpha, line.casefold()))


def choose_court(printed: str, cited: str) -> str:
    """Return the better of two names of a court: the name printed in the caption, or the name given by the
    case's neutral citation.

    The printed name is used if it agrees with the citation's and is more precise, or if there is no citation.
    """
    if not cited or not printed:
        return printed or cited
    words, own = _words(printed), _words(cited)
    if words <= own:
        return cited
    base = _words(cited.partition(",")[0].partition("(")[0])
    return printed if base <= words or own <= words else cited


def _words(name: str) -> set[str]:
    plain = "".join(character if character.isalnum() else " " for character in name.casefold())
    return set(plain.split()) - _OWN_WORDS


def _goes_on(before: str, line: str) -> bool:
    """Return whether a line continues the court's name in the line before it."""
    if len(line) > _LONGEST or _PATTERNS["below"].match(line) or _PATTERNS["no_court"].search(line):
        return False
    if _PATTERNS["division"].match(line):
        return True
    return _PATTERNS["unfinished"].search(before) is not None or (
        _PATTERNS["goes_on"].match(line) is not None
        and _PATTERNS["court_or_district"].search(before) is not None
    )


def _is_county(row: Row, below: Row = ("",)) -> bool:
    """Return whether a row is the county of the court above it ("MONTGOMERY COUNTY") and not a party.
    ``below`` is the next row.
    """
    return _PATTERNS["county"].match(row[0]) is not None and _PATTERNS["party_above"].match(below[0]) is None


def _join(lines: list[str]) -> str:
    """Return the lines as one name: "High Court of Justice, Family Division", "Upper Tribunal (Lands
    Chamber)".
    """
    kept = [line for line in lines if not _PATTERNS["umbrella"].match(line)]
    if not any(map(_PATTERNS["noun"].search, kept)):
        kept = lines
    name = ""
    for line in kept:
        line = line.strip(" .,;")
        if line.count("(") > line.count(")"):
            line = line.replace("(", "", 1) if line[0] == "(" else f"{line})"
        if sum(map(str.isupper, line)) > len(line) // 2:
            written = write_title_case(line)
        else:
            written = _PATTERNS["state_in_capitals"].sub(lambda state: write_title_case(state[0]), line)
        joining = _PATTERNS["joining"].match(written)
        if not name:
            name = written
        elif joining:
            name = f"{name} {joining[0].lower()}{written[joining.end() :]}"
        elif written[0] in "([" or _PATTERNS["unfinished"].search(name):
            name = (
                f"{name} {written[0].lower()}{written[1:]}"
                if written.startswith("The ")
                else f"{name} {written}"
            )
        else:
            name = f"{name}, {written}"
    return name[4:] if name.casefold().startswith("the ") else name
