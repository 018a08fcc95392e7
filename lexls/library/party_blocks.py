"""Join the lines that name one side of a case, and find the side's first party.

The columns of a caption are narrow, so line breaks can divide names and descriptions anywhere. Only the whole
block, up to the role below it, shows where the first name ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from lexls.citations.courts import load_abbreviations
from lexls.library.columns import RULE, Row
from lexls.library.party_names import name_goes_on
from lexls.text.lexicon import COMPANY_FORMS
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "party_blocks.toml")
_CAPTIONS = load_patterns(__package__, "captions.toml")
_MOST_LINES = 14
_LONGEST_LINE = 80
"""Maximum length of a line in a block, in code points; longer lines are running text."""
_SIGNS = frozenset(("versus", "and", "between"))
_NEAR = 3
"""Maximum number of rows between the first side's role and the "v"."""


@dataclass(frozen=True)
class _Line:
    """A row of a caption, treated as a line of a text block. ``text`` includes a number to its left, but not
    a party's role in the next column.
    """

    row: Row
    list_kinds: Callable[[str], Collection[str]]

    @cached_property
    def text(self) -> str:
        number = self.row[0].rstrip(".")
        return f"{number}. {self.row[1]}" if number.isdecimal() and len(self.row) > 1 else self.row[0]

    @cached_property
    def kinds(self) -> Collection[str]:
        """The kinds of tokens in the line according to ``list_kinds``: "name", "role", "versus" …"""
        return self.list_kinds(self.text)

    @cached_property
    def role(self) -> str:
        """The role, if a cell of the row contains nothing else; otherwise ""."""
        cells = (self.row[-1], self.row[0]) if len(self.row) <= 2 else ()
        alone = (cell for cell in cells if _CAPTIONS["role_alone"].match(cell))
        return next(filter(_CAPTIONS["role"].search, alone), "")

    @property
    def parts(self) -> bool:
        """Return whether the line has a word that separates two parties: "v", "and", "between"."""
        return not _SIGNS.isdisjoint(self.kinds)

    @property
    def runs(self) -> bool:
        """Return whether the line is a rule or running text, and thus not part of a caption."""
        return self.text == RULE or len(self.text) > _LONGEST_LINE

    @property
    def alone(self) -> bool:
        """Return whether the cell to the right of the text, if any, does not contain a name."""
        return len(self.row) == 1 or self.text != self.row[0] or "name" not in self.list_kinds(self.row[1])

    @property
    def aside(self) -> bool:
        """Return whether the line is an address, a number or a parenthetical and not part of a name."""
        text = self.text
        bracketed = text[0] == "(" and text[-1] == ")" and not _CAPTIONS["applied"].match(text)
        return bracketed or _CAPTIONS["aside"].match(text) is not None

    @property
    def named(self) -> bool:
        """Return whether the line may be the beginning of a name."""
        begins = any(_PATTERNS[each].search(self.text) for each in ("figure_first", "initial_last"))
        return begins or ("name" in self.kinds and not self.aside)

    @property
    def heading(self) -> bool:
        return _PATTERNS["heading_alone"].match(self.text) is not None

    @property
    def outside(self) -> bool:
        return any(each.match(self.text) for each in (_PATTERNS["outside"], _CAPTIONS["above_party"]))


def pair_roles(rows: Sequence[Row]) -> list[Row]:
    """Move two roles printed on one line next to the names on the line below ("Claimant Respondent"). The
    number of rows does not change.
    """
    paired = list(rows)
    for at, (roles, below) in enumerate(itertools.pairwise(rows)):
        signs = [cell for cell in below if any(_CAPTIONS[each].match(cell) for each in ("and", "versus"))]
        names = [cell for cell in below if cell not in signs]
        if len(roles) == len(names) == 2 and all(map(_CAPTIONS["role_alone"].match, roles)):
            paired[at : at + 2] = [(names[0], roles[0]), (*signs, names[1], roles[1])]
    return paired


def join_names(rows: Sequence[Row]) -> list[Row]:
    """Join a line that contains a "v" with the next line if that line completes the last name. The number of
    rows does not change.
    """
    joined = list(rows)
    for at, below in enumerate(rows[1:]):
        row = joined[at]
        alone = len(row) == len(below) == 1
        if alone and _CAPTIONS["versus_within"].search(row[0]) and name_goes_on(row[0], below[0]):
            joined[at : at + 2] = [(), (f"{row[0]} {below[0]}",)]
    return joined


def unwrap_caption(rows: Sequence[Row], list_kinds: Callable[[str], Collection[str]]) -> list[Row]:
    """Return the rows, with a caption printed as one sentence replaced by its two sides and the "v.".

    Hawaii prints "PELL TRUST, by its trustee, TARN", "BANK, Plaintiff-Appellee, v. ADA QUILL,", "and RYLE,
    Defendants-Appellants." The number of rows does not change. ``list_kinds`` is as in ``join_parties``.
    """
    unwrapped = list(rows)
    lines = [row[0] if len(row) == 1 else "" for row in rows]
    for at, line in enumerate(lines):
        sign = _CAPTIONS["versus_within"].search(line)
        if sign is None:
            continue
        start = at
        while start and lines[start - 1] and [*list_kinds(lines[start - 1])] == ["name"]:
            start -= 1
        below = [*itertools.takewhile(lambda each: each not in ("", RULE), lines[at + 1 : at + _MOST_LINES])]
        last = next((place for place, each in enumerate(below) if each.endswith(".")), len(below) - 1)
        sides = (
            " ".join((*lines[start:at], line[: sign.start()])),
            " ".join((line[sign.end() :], *below[: last + 1])),
        )
        if start < at and below and all(parted := [*map(_PATTERNS["role_of_side"].search, sides)]):
            named = (find_first_party(each.string[: each.start()], plural=True) for each in parted if each)
            roles = (each["role"] for each in parted if each)
            one, other = zip(named, roles, strict=True)
            unwrapped[start : at + 2 + last] = [()] * (at + 2 + last - start)
            unwrapped[start : start + 3] = [one, ("v.",), other]
    return unwrapped


def join_parties(rows: Sequence[Row], list_kinds: Callable[[str], Collection[str]]) -> list[Row]:
    """Return the rows, with each block of lines above a role reduced to a rule and the first party.

    The number of rows does not change, so some become empty. ``list_kinds`` returns the kinds of the tokens
    in a line: names, roles, separators between parties or "other". A line of kind "other" ends a block unless
    it continues the line above.
    """
    joined = list(rows)
    lines = [_Line(row or (RULE,), list_kinds) for row in rows]
    for at, line in enumerate(lines):
        if len(line.row) == 1 and _CAPTIONS["role_above"].match(line.text):
            role, start, last = line.text, at + 1, _find_last(lines, at + 1)
        elif line.role:
            role, last = line.role, at if line.role != line.row[0] else at - 1
            start = _find_start(lines, last, beside=last == at)
            if not _stands_by_sign(lines, start, at):
                continue
        else:
            continue
        block = lines[start : last + 1]
        plural = is_plural(role)
        if len(block) < 2 or _lists_parties(block, plural=plural):
            continue
        named = itertools.takewhile(lambda each: each.kinds and not (each.aside or each.heading), block[1:])
        if name := find_first_party(" ".join(each.text for each in (block[0], *named)), plural=plural):
            if honour := _CAPTIONS["honour"].match(name):
                name = name[honour.end() :]
            joined[start:last] = [(RULE,) if start < at else (), *[()] * (last - start - 1)]
            joined[last] = (name, role) if last == at else (name,)
    return joined


def is_plural(role: str) -> bool:
    """Return whether a role, as printed, is that of several parties: "Defendants"."""
    return any(noun.endswith(("s", "S")) for noun in _CAPTIONS["role"].findall(role))


def _lists_parties(block: Sequence[_Line], *, plural: bool) -> bool:
    """Return whether each line of a block names another party.

    It does if some line ends with its own role. It also does if the side has several parties (``plural``) and
    no line has a comma or semicolon, as is usual in England.
    """
    own = any(strip_roles(line.text) != line.text for line in block)
    return own or (plural and not any(mark in line.text for line in block for mark in ",;"))


def strip_roles(name: str) -> str:
    """Return a party's name without the role after it: "McKee" for "McKee (AP) (Appellant)"."""
    match = _CAPTIONS["role_behind"].search(name) or _CAPTIONS["role_last"].search(name)
    named = match is not None and match.start() and _CAPTIONS["role"].search(match[0])
    return name[: match.start()].strip() if match and named else name


def _find_start(lines: Sequence[_Line], last: int, *, beside: bool) -> int:
    """Return the index of the first line of the block that ends with the line ``last``; ``beside`` is true if
    the role is in that row.

    If ``last`` is not in a block, the index is greater than ``last``. All text between a "v" and a role
    belongs to the party, whatever its form.
    """
    for above in range(last, max(-1, last - _MOST_LINES), -1):
        if lines[above].kinds == ["versus"]:
            return _leave_out_beside(lines, above + 1, last)
        if lines[above].runs or (above < last and lines[above].role):
            break
    start = last + 1
    while start > 0 and last + 1 - start < _MOST_LINES:
        if _ends_block(lines, start - 1, own_role=beside and start > last):
            break
        start -= 1
    return next((at for at in range(start, last) if lines[at].named), max(start, last))


def _ends_block(lines: Sequence[_Line], at: int, *, own_role: bool) -> bool:
    """Return whether a line ends the block below it and does not belong to it. If ``own_role``, a role may be
    printed on this line.
    """
    line = lines[at]
    return (
        line.runs
        or line.parts
        or line.outside
        or not any(map(str.isalpha, line.text))
        or not (own_role or (line.alone and not line.role))
        or _PATTERNS["aside_closes"].match(line.text) is not None
        or ("other" in line.kinds and not (line.aside or line.named or _goes_on(lines, at)))
    )


def _leave_out_beside(lines: Sequence[_Line], start: int, last: int) -> int:
    """Return the index of the first line below a "v" that belongs to the party, skipping lines of the next
    column ("ORDER", "Hon.:", a docket number).
    """
    for at in range(start, last):
        line = lines[at]
        docket = any(map(str.isdecimal, line.text)) and not (line.kinds or line.named)
        if not (docket or line.heading or line.outside or line.aside):
            return at
    return max(start, last)


def _find_last(lines: Sequence[_Line], start: int) -> int:
    """Return the index of the last line of the block below a role with a colon; ``start`` - 1 if there is no
    block.
    """
    for at in range(start, min(len(lines), start + _MOST_LINES)):
        line = lines[at]
        goes_on = at == start or _goes_on(lines, at) or _PATTERNS["goes_on_number"].match(line.text)
        if line.runs or line.parts or line.outside or ("other" in line.kinds and not goes_on):
            return at - 1
    return start


def _stands_by_sign(lines: Sequence[_Line], start: int, role: int) -> bool:
    """Return whether a block belongs to a caption: it follows a separator such as "v", or a separator is next
    to its role or soon after it.
    """
    beside = not _SIGNS.isdisjoint(lines[role].list_kinds(lines[role].row[-1]))
    near = (*lines[max(0, start - 1) : start], *lines[role + 1 : role + 1 + _NEAR])
    return beside or any(line.parts for line in near)


def _goes_on(lines: Sequence[_Line], at: int) -> bool:
    """Return whether a line continues the one above: it begins with a small letter, or the line above is
    unfinished.
    """
    above = lines[at - 1].row[0] if at else RULE
    return lines[at].text[0].islower() or _CAPTIONS["unfinished"].search(above) is not None


def find_first_party(text: str, *, plural: bool) -> str:
    """Return the name with which the text of one side begins; if ``plural``, the first of several parties."""
    text = _CAPTIONS["described"].sub("", text.partition(";")[0]).rstrip(" ,")
    if _CAPTIONS["number"].match(text):
        return _PATTERNS["next_number"].split(text, maxsplit=1)[0]
    if not plural:
        return text
    if relation := _PATTERNS["relation"].search(text):
        sovereign, relator = text[: relation.start()].rstrip(" ,"), text[relation.end() :]
        sides = (find_first_party(each, plural=True) for each in (sovereign, relator))
        return relation[0].join(sides)
    for comma in _PATTERNS["comma"].finditer(text):
        if not _is_of_name(text[comma.end() :]):
            return text[: comma.start()]
    found = [*_PATTERNS["and_party"].finditer(text)]
    return text[: found[-1].start()] if found else text


def _is_of_name(rest: str) -> bool:
    """Return whether the text after a comma belongs to the name before the comma: "Inc.", "Jr.", a state."""
    item = rest.partition(",")[0]
    form = item.replace(".", "").casefold().partition(" ")[0]
    state = item.strip(" .").title() in load_abbreviations()["states"]
    return form in COMPANY_FORMS or state or _PATTERNS["of_name"].match(item) is not None
