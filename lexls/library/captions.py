"""Read the caption of a judgment (its parties and their roles) and name the case as it is cited."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from lexls.library.columns import Row
from lexls.library.court_lines import looks_like_court, names_venue
from lexls.library.head import LINE_OF_PAGE, breaks_off, is_running
from lexls.library.party_blocks import (
    find_first_party,
    is_plural,
    join_names,
    join_parties,
    pair_roles,
    strip_roles,
)
from lexls.library.party_names import (
    is_upper,
    name_goes_on,
    name_party,
    name_side,
    opens_with_form,
    trim_name,
)
from lexls.library.title_case import in_capitals, write_title_case
from lexls.text.dates import is_date
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "captions.toml")
_NO_MATTERS = "no_matter", "heading", "other"
_MATTERS = ("person_matter", "matter")
_LONGEST_NAME = 200
_MOST_LINES_OF_SIDE = 40
_MOST_LINES_OF_ASIDE = 4
_BESIDE = 2
"""Maximum number of tokens of a party whose role is printed in the next column. Any further token continues
the party's name.
"""
_AT_TRIAL = frozenset(("plaintiff", "defendant"))


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of a caption: a party's name, its role, a separator between parties ("v", "and"), or something
    else.

    ``labelled`` is true for a name that follows its role ("Applicant: …"), and ``whole`` for a name on the
    same line as the "v".
    """

    kind: Literal["name", "number", "role", "versus", "and", "between", "rule", "other"]
    text: str = ""
    labelled: bool = False
    whole: bool = False


@dataclass(slots=True)
class _Side:
    """One side of a case: the lines that name its parties, and its role as printed, or "" if none is
    given.
    """

    names: list[str] = field(default_factory=list)
    role: str = ""


@dataclass(frozen=True, slots=True)
class Caption:
    """The parties of a case, as the caption names them.

    ``title`` is the case's name. ``sure`` is true if the caption gives roles that only courts assign, or
    begins with the Crown. ``end`` is the number of the judgment's opening rows up to the end of the caption.
    """

    title: str
    sure: bool
    end: int


def read_caption(rows: Sequence[Row]) -> Caption | None:
    """Return the caption among the opening rows of a judgment, or None.

    These forms are tried in order: a caption that begins with "Between"; one with roles before the names,
    above the first "v"; the parties around a "v"; and parties with roles but no "v".
    """
    tokens, ends = _list_tokens(join_names(join_parties(pair_roles(rows), _list_kinds)))
    for start in [at for at, token in enumerate(tokens) if token.kind == "between"]:
        sides, at = _read_sides(tokens, start + 1, trusted=True)
        if title := _name_case(sides, tokens[start : at + 1]):
            return Caption(title, _is_sure(title, sides), ends[at])
    related = next((at for at, each in enumerate(tokens) if relates_to_others(each.text)), len(tokens))
    middles = [
        at
        for at, token in enumerate(tokens[:related])
        if token.kind == "versus" and not _is_cited(rows, ends[at] - 1)
    ]
    labelled = next((at for at, token in enumerate(tokens) if token.labelled), None)
    first_middle = middles[0] if middles else 0
    if (
        labelled is not None
        and labelled < first_middle
        and (by_roles := _read_by_roles(tokens, ends, labelled))
    ):
        return by_roles
    found: Caption | None = None
    for middle in middles:
        caption = _read_around(tokens, ends, middle, _walk_back(tokens, middle))
        if caption is not None and caption.sure:
            return caption
        if found is None and caption is None and middle and not tokens[middle - 1].whole:
            # The lines above the first party may be something else: the judges, the date.
            caption = _read_around(tokens, ends, middle, middle - 1)
        found = found or caption
    if found is not None:
        return found
    first = min((at for at in (_find_party(tokens), labelled) if at is not None), default=None)
    first = next((at + 1 for at, each in enumerate(tokens) if _PATTERNS["marriage"].match(each.text)), first)
    return None if first is None else _read_by_roles(tokens, ends, first)


def _is_cited(rows: Sequence[Row], at: int) -> bool:
    """Return whether the "v" in a row belongs to running text, which names other cases."""
    above, line, below = (
        " ".join(rows[each]) if 0 <= each < len(rows) else "" for each in (at - 1, at, at + 1)
    )
    before = BETWEEN_PARTIES.split(f" {line} ", maxsplit=1)[0]
    if is_running(strip_roles(before)):  # "We review it for abuse of discretion. Pell v. Ryle"
        return True
    if before.strip() and is_running(above) and is_running(below):
        return True
    goes_on = line[:1].islower() or len(line) > LINE_OF_PAGE or breaks_off(above)
    return len(above) > LINE_OF_PAGE and goes_on and above[-1] not in ":;)" and not line.isupper()


def _read_around(tokens: Sequence[_Token], ends: Sequence[int], middle: int, start: int) -> Caption | None:
    """Return the caption around the "v" at token ``middle``, or None. Its first party begins at token
    ``start``.
    """
    if all(each.kind != "name" for each in tokens[start:middle]):
        return None
    sides, at = _read_sides(tokens, start, trusted=False, first_until=middle)
    title = _name_marriage(_name_case(sides, tokens[middle : middle + 1]), tokens[max(0, start - 1) : start])
    sure = _is_sure(title, sides)
    return Caption(title, sure, ends[at if sure else min(middle + 1, at)]) if title else None


def _list_kinds(line: str) -> list[str]:
    """Return the kinds of the tokens in a line of a caption. A court's name counts as "other"."""
    court = " " in line and looks_like_court(line)
    return ["other"] if court else [token.kind for token in _tokens(line)]


def _read_by_roles(tokens: Sequence[_Token], ends: Sequence[int], start: int) -> Caption | None:
    """Return the caption from token ``start`` that separates its sides by roles instead of a "v", or None."""
    sides, at = _read_sides(tokens, start, trusted=True)
    title = _name_marriage(_name_case(sides, ()), tokens[max(0, start - 1) : start])
    return Caption(title, _is_sure(title, sides), ends[at]) if title else None


def _name_marriage(title: str, above: Sequence[_Token]) -> str:
    """Return the case's name, changed to "In re Marriage of …" with both parties if a token ``above``
    announces a marriage.
    """
    if not (title and any(_PATTERNS["marriage"].match(each.text) for each in above)):
        return title
    return f"In re Marriage of {' and '.join(BETWEEN_PARTIES.split(title, maxsplit=1)[::2])}"


def _find_party(tokens: Sequence[_Token]) -> int | None:
    """Return the position of the first party whose role shows that it began the case (claimant, appellant,
    …), or None.
    """
    for at, (party, role) in enumerate(itertools.pairwise(tokens)):
        if party.kind == "name" and _PATTERNS["began"].search(role.text):
            return _find_first_numbered(tokens, at, at + 1)
    return None


def relates_to_others(line: str) -> bool:
    """Return whether a line introduces a list of other cases in which the paper is also filed."""
    return _PATTERNS["relates"].match(line) is not None


def _list_tokens(rows: Sequence[Row]) -> tuple[list[_Token], list[int]]:
    """Return the tokens of a caption's rows in order and, for each token, the number of rows up to and
    including its own.
    """
    tokens: list[_Token] = []
    ends: list[int] = []
    heading = False
    for position, column, cell in _list_cells(rows):
        heading = heading or (column > 0 and _PATTERNS["heading"].match(cell) is not None)
        if column and _PATTERNS["judges"].match(cell):
            continue
        if column and (looks_like_court(cell) or (heading and not _PATTERNS["role_alone"].match(cell))):
            continue  # "Order denying motion", then "to compel" below it
        parts = filter(str.strip, _PATTERNS["dashed_and"].split(cell))
        for each in itertools.chain.from_iterable(map(_tokens, parts)):
            if tokens and tokens[-1].kind == "other" and _PATTERNS["names_court"].search(tokens[-1].text):
                each = _Token("other", each.text)  # "On appeal from the", then the court
            token = _leave_out_beside(each, tokens, ends, column) if each.kind == "other" else each
            if token is None:
                continue
            # The role may be in the next column, level with the first line of the name.
            named = len(tokens) - 1 - (len(tokens) > 1 and tokens[-1].kind == "role")
            if token.kind in ("other", "name") and tokens and _goes_on_describing(tokens[named], token.text):
                tokens[named] = replace(tokens[named], text=f"{tokens[named].text} {token.text}")
                continue
            if _repeats_last_word(tokens, token):
                token = _Token("role", token.text)
            if token.text.startswith("AND ") and tokens and tokens[-1].kind == "role":
                tokens.append(_Token("and", "- and -"))
                ends.append(position)
                token = _Token(token.kind, token.text[4:])
            if tokens and tokens[-1].kind == "number":
                token = _Token(token.kind, f"{tokens.pop().text} {token.text}")
                ends.pop()
            tokens.append(token)
            ends.append(position)
    return tokens, ends


def _list_cells(rows: Sequence[Row]) -> Iterator[tuple[int, int, str]]:
    """Yield the cells that may name parties, each with its row number (from 1) and column.

    Text that covers several rows but names no party is skipped: a parenthetical, the list of judges, the
    lawyers listed below a party. A role above a name, or a number to its left, is put in front of the name.
    """
    panel = counsel = False
    aside = above = 0
    role = ""
    for position, row in enumerate(rows, start=1):
        for column, cell in enumerate(row):
            counsel = counsel and _PATTERNS["versus"].match(cell) is None
            if column and position == above:
                yield position, column, cell
            elif column:
                if not counsel:
                    yield position, column, f"{role}{cell}"
                    role = ""
            elif aside or _opens_aside(cell):
                # "(in her capacity as executrix", then "of the late Ada Tarn)" below it
                aside = 0 if ")" in cell or aside > _MOST_LINES_OF_ASIDE else aside + 1
            elif panel or (cell[-1] in ",;" and _PATTERNS["panel"].match(cell)):
                panel = cell[-1] in ",;"
            elif cell[-1] == ":" and _PATTERNS["role_above"].match(cell):
                role, counsel, above = f"{cell} ", False, position
            elif counsel or _PATTERNS["counsel_below"].match(cell):
                counsel = True
            elif len(row) > 1 and cell.isdecimal():
                if not role:
                    yield position, column, f"{cell}."
            else:
                yield position, column, f"{role}{cell}"
                role = ""


def _opens_aside(cell: str) -> bool:
    """Return whether a cell opens a parenthetical that continues on the next line."""
    opens = cell[0] == "(" and _PATTERNS["aside_opens"].match(cell) is not None
    return opens and _PATTERNS["applied"].match(cell) is None


def _goes_on_describing(party: _Token, line: str) -> bool:
    """Return whether a line completes the description of the party above: "Pell, a", then "company". Such a
    line begins with a small letter or is a type of party.
    """
    described = party.kind == "name" and _PATTERNS["described_below"].search(party.text) is not None
    ends = line[:1].islower() or _PATTERNS["kind_of_party"].match(line) is not None
    return described and ends and len(line) <= _LONGEST_NAME


def _repeats_last_word(tokens: Sequence[_Token], token: _Token) -> bool:
    """Return whether a line is a single word that repeats the end of the name above: "Pell Commission", then
    "Commission".
    """
    above = tokens[-1] if tokens else _Token("rule")
    repeated = token.text.isalpha() and above.text.endswith(f" {token.text}")
    return repeated and token.kind == above.kind == "name"


def _leave_out_beside(token: _Token, tokens: list[_Token], ends: list[int], column: int) -> _Token | None:
    """Return a token unless it comes from the column next to the parties. In that case, return only the role
    at its end, or None if it has none.

    Any text in a later column, a judge's or clerk's office, and words usual in that column count as part of
    it. The name of the judge or clerk above the office is removed from ``tokens`` and ``ends``. A line about
    an appeal ("on appeal from …") is dropped unless it comes after a "v".
    """
    office = _PATTERNS["office"].match(token.text) is not None
    if not office and _PATTERNS["appealed"].match(token.text):
        return token if any(each.kind == "versus" for each in tokens) else None
    if not (office or column or _PATTERNS["beside"].match(token.text)):
        return token
    if role := token.text[len(strip_roles(token.text)) :]:
        return _Token("role", role)
    at = -1
    if office:
        at = _find_judge(tokens)
    elif _PATTERNS["clerk"].match(token.text):
        at = _find_clerk(tokens)
    if at >= 0:
        del tokens[at], ends[at]
    return None


def _find_clerk(tokens: Sequence[_Token]) -> int:
    """Return the position of the clerk's name above the office, or -1 if there is none. A role between them
    is ignored.
    """
    at = len(tokens) - 1 - (bool(tokens) and tokens[-1].kind == "role")
    above = at >= 0 and tokens[at].kind == "name" and not any(is_upper(each.text) for each in tokens[at:])
    return at if above else -1


def _find_judge(tokens: Sequence[_Token]) -> int:
    """Return the position of a judge's name above the office, in the column next to the parties; -1 if there
    is none.
    """
    at = len(tokens) - 1
    while at > 0 and tokens[at].kind in ("versus", "role"):
        at -= 1
    return at if at > 0 and tokens[at].kind == "name" and tokens[at - 1].kind == "role" else -1


def _is_sure(title: str, sides: Sequence[_Side]) -> bool:
    """Return whether the title and roles are certainly those of a case: a side has a role that only courts
    give, or the Crown is the first party.
    """
    return title.startswith(("R v", "R (")) or any(
        side.role and not _PATTERNS["weak"].search(side.role) for side in sides
    )


def read_matter(rows: Sequence[Row]) -> str:
    """Return the name of a case without parties ("Re K (A Child)", "In the matter of …"), or "" if there is
    none.
    """
    for at, row in enumerate(rows):
        for position, cell in enumerate(row):
            match = _PATTERNS["matter"].match(cell)
            if len(cell) > _LONGEST_NAME:
                continue
            if match is None:
                if len(row) == 1 and _PATTERNS["person_matter"].match(cell):
                    name = _PATTERNS["note_mark"].sub("", cell)
                    return write_title_case(name) if in_capitals(name) else name
                continue
            match = _PATTERNS["matter"].match(cell, match.end()) or match  # "RE: In re Pell"
            named = cell[match.end() :].strip()
            beside = row[position + 1] if position + 1 < len(row) else ""
            if not named and not any(_PATTERNS[each].search(beside) for each in _NO_MATTERS):
                named = beside.strip()
            below = [each[0] for each in rows[at + 1 : at + _MOST_LINES_OF_SIDE]]
            below = [*itertools.dropwhile(_PATTERNS["number_beside"].match, below)]
            if not named and below and any(_PATTERNS[each].match(below[0]) for each in _MATTERS):
                continue  # the next line names the case by itself
            named = _join_matter(_PATTERNS["matter_ends"].sub("", named), below)
            if (
                named
                and _PATTERNS["name"].match(named)
                and not _PATTERNS["no_matter"].search(named)
                and not _PATTERNS["sentence"].search(named)
                and named[-1] not in ":;"
            ):
                opening = match["opening"].lower()
                # Within the title, "an application by" begins with a small letter.
                name = write_title_case(f"of {named}")[3:] if in_capitals(named) else named
                return f"{opening[0].upper()}{opening[1:]} {name.strip(' .,;')}"
    return ""


def _join_matter(named: str, below: Sequence[str]) -> str:
    """Return the name of a matter, including the lines below that continue it. If there are several debtors,
    only the first is named.
    """
    lines = [named] if named else []
    if strip_roles(named) != named:
        return name_party([strip_roles(named)])
    for line in below:
        if _PATTERNS["next_matter"].match(line) or _PATTERNS["heading"].fullmatch(line):
            break
        kinds = [token.kind for token in _tokens(line)]
        if lines and kinds[:1] == ["role"]:
            first = find_first_party(" ".join(lines), plural=is_plural(line))
            return name_party([first]) or first
        unfinished = lines and (_PATTERNS["unfinished"].search(lines[-1]) or _PATTERNS["of_name"].match(line))
        capitals = is_upper(line) and (not lines or is_upper(lines[-1]))
        if kinds != ["name"] or (lines and not (capitals or unfinished)):
            break
        lines.append(line)
    return " ".join(lines)


def is_mere_matter(line: str) -> bool:
    """Return whether a line names only the subject of a case, not the case itself: "In the matter of the
    Harbours Act 1988".
    """
    match = _PATTERNS["matter"].match(line)
    return match is not None and _PATTERNS["no_matter"].search(line, match.end()) is not None


def _tokens(cell: str) -> Iterator[_Token]:
    """Yield the tokens of a cell in order; none if it only names a court in the right-hand column."""
    printed = " ".join(cell.replace("_", " ").split())
    cell = printed.strip(" .·•*)")
    if _PATTERNS["right_column"].match(printed) and looks_like_court(cell.lstrip("]|:§ ").strip(" ,")):
        return
    if printed.endswith(".") and cell[-1:].isalpha() and trim_name(f"{cell}.")[-1] == ".":
        cell = f"{cell}."
    spaced = _PATTERNS["spaced"].match(cell)
    if spaced:
        cell = spaced[0].replace(" ", "") + cell[spaced.end() :]
    if not any(character.isalnum() for character in cell):
        yield _Token("rule")
        return
    between = _PATTERNS["between"].match(cell)
    if between and (
        between.end() == len(cell) or (cell[between.end() - 1] in ": " and cell[between.end() :].isupper())
    ):
        yield _Token("between")
        cell = cell[between.end() :]
        if not cell:
            return
    if _PATTERNS["versus"].match(cell) or printed == "c.":
        yield _Token("versus", printed)
        return
    if _PATTERNS["and"].match(cell):
        yield _Token("and", cell)
        return
    if _PATTERNS["number"].fullmatch(printed):
        yield _Token("number", printed)
        return
    if not any(map(str.isalpha, cell)):
        return
    if _PATTERNS["cited_as"].match(cell) or names_venue(cell):
        yield _Token("other", cell)
        return
    cell = _PATTERNS["debtor"].sub("", cell)
    if opening := _PATTERNS["and_before"].match(cell):
        yield _Token("and", "- and -")
        cell = cell[opening.end() :]
    if len(cell) > 2 * _LONGEST_NAME:
        yield _Token("other")
        return
    if _PATTERNS["judge"].match(cell) or _PATTERNS["cites"].search(cell):
        yield _Token("other", cell)
        return
    if not (sign := _PATTERNS["versus_within"].search(cell)):
        yield from _named(cell)
        return
    if _PATTERNS["sentence"].search(cell, 0, sign.start()):
        yield _Token("other", cell)  # it cites another case
        return
    yield from (replace(token, whole=True) for token in _named(cell[: sign.start()]))
    yield _Token("versus", f"{sign[0]}." if printed.endswith(f"{sign[0].strip()}.") else sign[0])
    yield from _named(cell[sign.end() :])


def _named(text: str) -> Iterator[_Token]:
    text = text.strip(" \t)]")
    if _PATTERNS["applied"].match(bare := text.strip(" -–—")):
        yield _Token("name", bare)  # alone on its line, or with the name, which may continue below
        return
    text = text + ")" * (text.count("(") - text.count(")")) + "]" * (text.count("[") - text.count("]"))
    if not text:
        return
    if _PATTERNS["role_alone"].match(text) and _PATTERNS["role"].search(text):
        yield _Token("role", text)
    elif (label := _PATTERNS["role_before"].match(text)) and label.end() < len(text) <= _LONGEST_NAME:
        if _PATTERNS["counsel"].search(text):
            yield _Token("other", text)
            return
        yield _Token("name", text[label.end() :], labelled=True)
        yield _Token("role", label[0])
    elif _PATTERNS["aside"].match(text) or _describes(text):
        return
    elif (
        len(text) > _LONGEST_NAME
        or is_date(text)
        or _PATTERNS["other"].search(text)
        or _PATTERNS["for_party"].search(text)
        or _PATTERNS["learned"].search(text)
        or not (_PATTERNS["name"].match(text) or _PATTERNS["goes_on"].match(text))
    ):
        yield _Token("other", text)
    else:
        if within := _PATTERNS["role_within"].search(text):
            yield _Token("name", f"{text[: within.start()]} {text[within.end() :]}")
            yield _Token("role", within[0])
            return
        name = strip_roles(text)
        yield _Token("name", name)
        if name != text:
            yield _Token("role", text[len(name) :])


def _describes(line: str) -> bool:
    """Return whether a line only describes the party above it: "as Trustee of the Tarn Trust,"."""
    opening = " " if line[0] in "([" else ", " if _PATTERNS["description"].match(line) else ""
    return opening != "" and _PATTERNS["described"].match(f"{opening}{line}") is not None


def _walk_back(tokens: Sequence[_Token], middle: int) -> int:
    """Return the position at which the party before a "v" begins, going back over its names and roles to the
    first token of another kind.
    """
    at = middle
    named = False
    while at > 0 and middle - at < _MOST_LINES_OF_SIDE:
        kind, text = tokens[at - 1].kind, tokens[at - 1].text
        if kind not in ("name", "role", "and") or _PATTERNS["marriage"].match(text):
            break
        if kind == "role" and named:
            if tokens[at].whole:
                break  # the line with the "v" has both sides
            # Another party of the side is above, with its own role.
            above = tokens[at - 2] if at > 1 else _Token("rule")
            if above.kind != "name" or not in_capitals(above.text) or _PATTERNS["weak"].match(text):
                break
            named = False
        if kind == "name":
            # Lines directly above the parties may be something else: the court, a term, a citation.
            below = tokens[at]
            parted = not (
                _PATTERNS["unfinished"].search(text)
                or _PATTERNS["goes_on"].match(below.text)
                or _PATTERNS["description"].match(below.text)
            )
            first, second = (each.partition(",")[0] for each in (text, below.text))
            unlike = parted and below.kind == "name" and is_upper(first) != is_upper(second)
            if named and (looks_like_court(text) or unlike):
                break
            # A line with the "v" contains the whole name, unless it continues the line above.
            if named and parted and below.whole and text[-1] not in ",;":
                break
            named = True
        at -= 1
    return _find_first_numbered(tokens, at, middle)


def _find_first_numbered(tokens: Sequence[_Token], start: int, middle: int) -> int:
    """Return the position of the first numbered party of a side, even if it is further up and separated by
    descriptions: "1. Pell, a society". Return ``start`` if the parties have no numbers.
    """
    side = tokens[start:middle]
    if not any(each.kind == "name" and _PATTERNS["number"].match(each.text) for each in side):
        return start
    above = range(max(0, middle - _MOST_LINES_OF_SIDE), start)
    first = (at for at in above if _PATTERNS["first"].match(tokens[at].text))
    return next((at for at in first if not _PATTERNS["sentence"].search(tokens[at].text)), start)


def _read_sides(
    tokens: Sequence[_Token], start: int, *, trusted: bool, first_until: int = 0
) -> tuple[list[_Side], int]:
    """Return the sides of a caption from ``start``, and the position of the last token of its parties.

    "And" separates two sides if the first side already has its role, or if the word is between dashes. Unless
    ``trusted``, the caption ends at a rule or at a line that names nobody, if that comes at or after the
    token ``first_until``.
    """
    sides = [_Side()]
    last, other = start, start - _BESIDE
    for at in range(start, len(tokens)):
        token = tokens[at]
        side = sides[-1]
        if token.kind == "name":
            if (
                side.role
                and not token.labelled
                and tokens[at - 1].kind == "role"
                and name_goes_on(side.names[-1], token.text, 0)
                and (opens_with_form(token.text) or not (is_plural(side.role) or _find_role(tokens, at)))
            ):
                # The role is in the next column, level with the first line of the name.
                side.names[-1] = f"{side.names[-1]} {token.text}"
                continue
            if _is_court_behind(side, token.text):
                if len(sides) > 1:
                    break
                continue
            if side.role:
                if len(sides) > 1 and not trusted:
                    break
                following = _find_role(tokens, at)
                if following and not _share_role(side.role, following):
                    side = _Side()
                    sides.append(side)
                elif following and tokens[at - 1].kind in ("role", "and"):
                    last = other = at  # another party of the side, with the role above it
                    continue
                elif not following and len(sides) > 1 and not token.text.isupper():
                    break
                elif not (following or tokens[start].labelled or _PATTERNS["number"].match(token.text)):
                    # The role is in the next column, level with the first line of the name of this party.
                    if at - other > _BESIDE and not _PATTERNS["heading"].match(token.text):
                        side.names[-1] = f"{side.names[-1]} {token.text}"
                    continue
            if len(side.names) < _MOST_LINES_OF_SIDE:
                side.names.append(token.text)
        elif token.kind == "role":
            if not side.role and side.names:
                side.role = token.text
        elif token.kind == "versus" or (
            token.kind == "and" and (side.role or "-" in token.text or "–" in token.text)
        ):
            if side.names:
                sides.append(_Side())
        elif token.kind == "and":
            side.names.append("and")
        elif side.names and (
            len(sides) > 1
            or (token.kind == "other" and at >= first_until and not (trusted and _find_role(tokens, at)))
        ):
            break
        if token.kind in ("name", "role"):
            last = at
    sides = [side for side in sides if side.names]
    if trusted and len(sides) == 1 and not sides[0].role and sides[0].names.count("and") == 1:
        middle = sides[0].names.index("and")
        sides = [_Side(sides[0].names[:middle]), _Side(sides[0].names[middle + 1 :])]
    return [side for side in sides if side.names], last


def _is_court_behind(side: _Side, line: str) -> bool:
    """Return whether a line below a party's name is a court's name and not the rest of the party's name."""
    if not side.names or _PATTERNS["unfinished"].search(side.names[-1]):
        return False
    return looks_like_court(line)


def _find_role(tokens: Sequence[_Token], at: int) -> str:
    """Return the role of the party named at token ``at``, or "" if no role follows its name."""
    for token in tokens[at + 1 : at + _MOST_LINES_OF_SIDE]:
        if token.kind != "name":
            return token.text if token.kind == "role" else ""
    return ""


def _share_role(one: str, other: str) -> bool:
    """Return whether two roles are the same apart from their rank: "First Appellant", "Second Appellant".

    If both parties were at the trial, their roles there decide: "Plaintiff-Respondent" and
    "Defendant-Respondent" are opponents.
    """
    nouns = [
        {noun.rstrip("s") for noun in _PATTERNS["role"].findall(role.casefold())} for role in (one, other)
    ]
    at_trial = [each & _AT_TRIAL for each in nouns]
    first, second = at_trial if all(at_trial) else nouns
    return not first.isdisjoint(second)


def _name_case(sides: Sequence[_Side], tokens: Sequence[_Token]) -> str:
    """Return the case's name from the first parties of two opposing sides; "" if there is only one side or
    one of them has no name.
    """
    # The only party on the other side may be an intervener: the Director of the Patent Office.
    others = [side for side in sides[1:] if not _PATTERNS["third"].search(side.role)] or sides[1:2]
    others = [side for side in others if not _PATTERNS["later"].match(side.names[0])] or others
    against = [side for side in others if not _share_role(sides[0].role, side.role)] or others
    if not against:
        return ""
    names = [name_side(side.names) for side in (sides[0], against[0])]
    if not all(names):
        return ""
    sign = next((token.text for token in tokens if token.kind == "versus"), "v")
    return f" {'v.' if '.' in sign else 'v'} ".join(names)
