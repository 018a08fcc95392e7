"""Put the lines that name one side of a case together, and find its first party in them.

A caption's columns are narrow: a name, what is said of it and the next name are broken where the line ends.
Only the whole block, up to the role below it, tells where the first name ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence

from lexls.library.columns import RULE
from lexls.text.phrases import load_patterns

Row = tuple[str, ...]
"""A line of a head, cut into the cells of its table."""

_PATTERNS = load_patterns(__package__, "captions.toml")
_MOST_LINES = 14
_LONGEST_LINE = 80
"""Maximum length of a line in a block, in code points: longer ones are running text."""
_BETWEEN = frozenset(("versus", "and", "between"))
_NEAR = 3
"""Number of rows within which a "v" follows the role of the first side."""


def join_parties(rows: Sequence[Row], list_kinds: Callable[[str], Collection[str]]) -> list[Row]:
    """Return the rows with each block of lines above a role put together: a rule, then the first party.

    As many rows stay, some of them empty. ``list_kinds`` tells what a line holds by itself: a name, a role,
    a sign between parties or "other". What is "other" ends a block where it does not go on with the line
    above.
    """
    joined = list(rows)
    for at, row in enumerate(rows):
        if len(row) == 1 and _PATTERNS["role_above"].match(row[0]):
            role, start = row[0], at + 1
            last = _find_last(rows, start, list_kinds)
        else:
            role = _find_role(row)
            last = at if len(row) > 1 else at - 1
            start = _find_start(rows, last, list_kinds, beside=last == at) if role and last > 0 else last
            if start < last and not _stands_by_sign(rows, start, at, list_kinds):
                continue
        block = [*map(_write, rows[start : last + 1])]
        if start >= last or _lists_parties(block, plural=_is_plural(role)):
            continue
        lines = (block[0], *itertools.takewhile(lambda line: not _ends_name(line), block[1:]))
        if name := find_first_party(" ".join(lines), plural=_is_plural(role)):
            joined[start:last] = [(RULE,) if start < at else (), *[()] * (last - start - 1)]
            joined[last] = (name, role) if last == at else (name,)
    return joined


def _find_role(row: Row) -> str:
    """The role that a row gives below a block or beside its last line; "" if it gives none."""
    cell = row[-1]
    alone = len(row) <= 2 and _PATTERNS["role_alone"].match(cell) and _PATTERNS["role"].search(cell)
    return cell if alone else ""


def _lists_parties(lines: Sequence[str], *, plural: bool) -> bool:
    """Return whether each line of a block names another party, as in England: no comma ends it."""
    own = any(_PATTERNS["role_behind"].search(line) or _PATTERNS["role_last"].search(line) for line in lines)
    return own or (plural and not any(mark in line for line in lines for mark in ",;"))


def _write(row: Row) -> str:
    """The line of a row in a block, without the role beside it, with a number in a column before it."""
    number = row[0].rstrip(".")
    return f"{number}. {row[1]}" if number.isdecimal() and len(row) > 1 else row[0]


def _is_plural(role: str) -> bool:
    return any(noun.endswith(("s", "S")) for noun in _PATTERNS["role"].findall(role))


def _is_beside(line: str) -> bool:
    """Return whether a line in a block is no part of a name: an address, a number, an aside in brackets."""
    if _begins_with_figure(line):
        return False
    bracketed = line[0] == "(" and line[-1] == ")" and not _PATTERNS["applied"].match(line)
    return bracketed or _PATTERNS["aside"].match(line) is not None


def _find_start(
    rows: Sequence[Row], last: int, list_kinds: Callable[[str], Collection[str]], *, beside: bool
) -> int:
    """The first row of the block whose last row, with a role ``beside`` it or not, is given; or ``last`` + 1.

    What stands between a "v" and a role names the party, whatever it looks like.
    """
    for above in range(last, max(-1, last - _MOST_LINES), -1):
        line = rows[above][0]
        if "versus" in (kinds := list_kinds(line)) and len(kinds) == 1:
            return _leave_out_beside(rows, above + 1, last, list_kinds)
        if line == RULE or len(line) > _LONGEST_LINE or (above < last and _find_role(rows[above])):
            break
    start = last + 1
    while start > 0 and last + 1 - start < _MOST_LINES:
        row = rows[start - 1]
        line = _write(row)
        kinds = list_kinds(line)
        own_role = beside and start > last
        if (
            not (len(row) == 1 or line != row[0] or own_role or "name" not in list_kinds(row[1]))
            or not any(map(str.isalpha, line))
            or _PATTERNS["aside_closes"].search(line)
            or line == RULE
            or len(line) > _LONGEST_LINE
            or (_find_role(row) and not own_role)
            or not _BETWEEN.isdisjoint(kinds)
            or _PATTERNS["outside"].match(line)
            or ("other" in kinds and not _belongs(rows, start - 1))
        ):
            break
        start -= 1
    while start < last and not _begins_with_figure(line := _write(rows[start])):
        if _leaves_open(line) or ("name" in list_kinds(line) and not _is_beside(line)):
            break
        start += 1
    return start


def _leave_out_beside(
    rows: Sequence[Row], start: int, last: int, list_kinds: Callable[[str], Collection[str]]
) -> int:
    """The first row of a block below a "v" that is not from the next column: "ORDER", "Hon.:", a docket."""
    while start < last:
        line = rows[start][0]
        numbered = any(map(str.isdecimal, line)) and not (list_kinds(line) or _begins_with_figure(line))
        if not (numbered or any(_PATTERNS[each].match(line) for each in ("heading_alone", "outside"))):
            break
        start += 1
    return start


def _find_last(rows: Sequence[Row], start: int, list_kinds: Callable[[str], Collection[str]]) -> int:
    """The last row of the block below a role with a colon; ``start`` if that is its only one."""
    for at in range(start, min(len(rows), start + _MOST_LINES)):
        line = rows[at][0]
        ends = (
            line == RULE or line[-1] == ":" or len(line) > _LONGEST_LINE or _PATTERNS["outside"].match(line)
        )
        kinds = list_kinds(line)
        goes_on = _goes_on(rows, at) or _PATTERNS["goes_on_number"].match(line)
        stranger = at > start and "other" in kinds and not goes_on
        if ends or stranger or not _BETWEEN.isdisjoint(kinds):
            return at - 1
    return start


def _stands_by_sign(
    rows: Sequence[Row], start: int, role: int, list_kinds: Callable[[str], Collection[str]]
) -> bool:
    """Return whether a block stands below a "v", or its role above one."""
    around = [row[0] for row in (*rows[max(0, start - 1) : start], *rows[role + 1 : role + 1 + _NEAR])]
    return any(not _BETWEEN.isdisjoint(list_kinds(line)) for line in around)


def _belongs(rows: Sequence[Row], at: int) -> bool:
    """Return whether a row that names nobody by itself is of a block: an address, a part of a longer name."""
    line = _write(rows[at])
    return _is_beside(line) or _goes_on(rows, at) or _leaves_open(line)


def _ends_name(line: str) -> bool:
    """Return whether a line behind a name is no part of it: an address, an aside, a heading beside it."""
    return _is_beside(line) or _PATTERNS["heading_alone"].match(line) is not None


def _begins_with_figure(line: str) -> bool:
    """Return whether a line may begin a name with a figure: "1180 PELL AVENUE", then "HOUSING FUND" below."""
    return _PATTERNS["figure_first"].match(line) is not None


def _leaves_open(line: str) -> bool:
    """Return whether a line breaks off at an initial, as a judge's name does not: "PELL, CHIEF PETER J."."""
    return _PATTERNS["initial_last"].search(line) is not None


def _goes_on(rows: Sequence[Row], at: int) -> bool:
    """Return whether a row goes on with the one above, by a small letter or a name that breaks off there."""
    above = rows[at - 1][0] if at else RULE
    described = above[-1].isalpha() and ("," in above or above[0].islower())
    return rows[at][0][0].islower() or described or _PATTERNS["unfinished"].search(above) is not None


def find_first_party(text: str, *, plural: bool) -> str:
    """Return the name with which the text of one side begins; of ``plural`` parties the first."""
    text = _PATTERNS["described"].sub("", text.partition(";")[0]).rstrip(" ,")
    if _PATTERNS["number"].match(text):
        return _PATTERNS["next_number"].split(text, maxsplit=1)[0]
    if not plural:
        return text
    for comma in _PATTERNS["comma"].finditer(text):
        if not _PATTERNS["after_comma"].match(text, comma.end()):
            return text[: comma.start()]
    small = text.partition(" and ")
    if small[1] and small[0].isupper():
        return small[0]  # "PELL AND RYLE FUND and ADA TARN"
    found = [*_PATTERNS["and_party"].finditer(text)]
    return text[: found[-1].start()] if found else text
