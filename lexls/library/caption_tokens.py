"""Cut the rows of a judgment's caption into tokens: names of parties, roles and separators."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lexls.library.columns import Row
from lexls.library.court_lines import looks_like_court, names_venue
from lexls.library.party_blocks import strip_roles
from lexls.library.party_names import is_upper, trim_name
from lexls.text.dates import is_date
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "captions.toml")
LONGEST_NAME = 200
"""Maximum length, in code points, of a line that names a party."""
_MOST_LINES_OF_ASIDE = 4


@dataclass(frozen=True, slots=True)
class CaptionToken:
    """A token of a caption: a party's name, its role, a separator between parties ("v", "and"), or something
    else.

    ``labelled`` is true for a name that follows its role ("Applicant: …"), and ``whole`` for a name on the
    same line as the "v".
    """

    kind: Literal["name", "number", "role", "versus", "and", "between", "rule", "other"]
    text: str = ""
    labelled: bool = False
    whole: bool = False


def list_tokens(rows: Sequence[Row]) -> tuple[list[CaptionToken], list[int]]:
    """Return the tokens of a caption's rows in order and, for each token, the number of rows up to and
    including its own.
    """
    tokens: list[CaptionToken] = []
    ends: list[int] = []
    heading = False
    for position, column, cell in _list_cells(rows):
        heading = heading or (column > 0 and _PATTERNS["heading"].match(cell) is not None)
        if column and _PATTERNS["judges"].match(cell):
            continue
        if column and (looks_like_court(cell) or (heading and not _PATTERNS["role_alone"].match(cell))):
            continue  # "Order denying motion", then "to compel" below it
        parts = filter(str.strip, _PATTERNS["dashed_and"].split(cell))
        for each in itertools.chain.from_iterable(map(cut_tokens, parts)):
            if tokens and tokens[-1].kind == "other" and _PATTERNS["names_court"].search(tokens[-1].text):
                each = CaptionToken("other", each.text)  # "On appeal from the", then the court
            token = _skip_beside(each, tokens, ends, column) if each.kind == "other" else each
            if token is None:
                continue
            # The role may be in the next column, level with the first line of the name.
            named = len(tokens) - 1 - (len(tokens) > 1 and tokens[-1].kind == "role")
            if token.kind in ("other", "name") and tokens and _goes_on_describing(tokens[named], token.text):
                tokens[named] = replace(tokens[named], text=f"{tokens[named].text} {token.text}")
                continue
            if _repeats_last_word(tokens, token):
                token = CaptionToken("role", token.text)
            if token.text.startswith("AND ") and tokens and tokens[-1].kind == "role":
                tokens.append(CaptionToken("and", "- and -"))
                ends.append(position)
                token = CaptionToken(token.kind, token.text[4:])
            if tokens and tokens[-1].kind == "number":
                token = CaptionToken(token.kind, f"{tokens.pop().text} {token.text}")
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


def list_kinds(line: str) -> list[str]:
    """Return the kinds of the tokens in a line of a caption. A court's name counts as "other"."""
    court = " " in line and looks_like_court(line)
    return ["other"] if court else [token.kind for token in cut_tokens(line)]


def cut_tokens(cell: str) -> Iterator[CaptionToken]:
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
        yield CaptionToken("rule")
        return
    between = _PATTERNS["between"].match(cell)
    if between and (
        between.end() == len(cell) or (cell[between.end() - 1] in ": " and cell[between.end() :].isupper())
    ):
        yield CaptionToken("between")
        cell = cell[between.end() :]
        if not cell:
            return
    if _PATTERNS["versus"].match(cell) or printed == "c.":
        yield CaptionToken("versus", printed)
        return
    if _PATTERNS["and"].match(cell):
        yield CaptionToken("and", cell)
        return
    if _PATTERNS["number"].fullmatch(printed):
        yield CaptionToken("number", printed)
        return
    if not any(map(str.isalpha, cell)):
        return
    if _PATTERNS["cited_as"].match(cell) or names_venue(cell):
        yield CaptionToken("other", cell)
        return
    cell = _PATTERNS["debtor"].sub("", cell)
    if opening := _PATTERNS["and_before"].match(cell):
        yield CaptionToken("and", "- and -")
        cell = cell[opening.end() :]
    if len(cell) > 2 * LONGEST_NAME:
        yield CaptionToken("other")
        return
    if _PATTERNS["judge"].match(cell) or _PATTERNS["cites"].search(cell):
        yield CaptionToken("other", cell)
        return
    if not (sign := _PATTERNS["versus_within"].search(cell)):
        yield from _cut_names(cell)
        return
    if _PATTERNS["sentence"].search(cell, 0, sign.start()):
        yield CaptionToken("other", cell)  # it cites another case
        return
    yield from (replace(token, whole=True) for token in _cut_names(cell[: sign.start()]))
    yield CaptionToken("versus", f"{sign[0]}." if printed.endswith(f"{sign[0].strip()}.") else sign[0])
    yield from _cut_names(cell[sign.end() :])


def _cut_names(text: str) -> Iterator[CaptionToken]:
    text = text.strip(" \t)]")
    if _PATTERNS["applied"].match(bare := text.strip(" -–—")):
        yield CaptionToken("name", bare)  # alone on its line, or with the name, which may continue below
        return
    text = text + ")" * (text.count("(") - text.count(")")) + "]" * (text.count("[") - text.count("]"))
    if not text:
        return
    if _PATTERNS["role_alone"].match(text) and _PATTERNS["role"].search(text):
        yield CaptionToken("role", text)
    elif (label := _PATTERNS["role_before"].match(text)) and label.end() < len(text) <= LONGEST_NAME:
        if _PATTERNS["counsel"].search(text):
            yield CaptionToken("other", text)
            return
        yield CaptionToken("name", text[label.end() :], labelled=True)
        yield CaptionToken("role", label[0])
    elif _PATTERNS["aside"].match(text) or _describes(text):
        return
    elif (
        len(text) > LONGEST_NAME
        or is_date(text)
        or _PATTERNS["other"].search(text)
        or _PATTERNS["for_party"].search(text)
        or _PATTERNS["learned"].search(text)
        or not (_PATTERNS["name"].match(text) or _PATTERNS["goes_on"].match(text))
    ):
        yield CaptionToken("other", text)
    else:
        if within := _PATTERNS["role_within"].search(text):
            yield CaptionToken("name", f"{text[: within.start()]} {text[within.end() :]}")
            yield CaptionToken("role", within[0])
            return
        name = strip_roles(text)
        yield CaptionToken("name", name)
        if name != text:
            yield CaptionToken("role", text[len(name) :])


def _describes(line: str) -> bool:
    """Return whether a line only describes the party above it: "as Trustee of the Tarn Trust,"."""
    opening = " " if line[0] in "([" else ", " if _PATTERNS["description"].match(line) else ""
    return opening != "" and _PATTERNS["described"].match(f"{opening}{line}") is not None


def _goes_on_describing(party: CaptionToken, line: str) -> bool:
    """Return whether a line completes the description of the party above: "Pell, a", then "company". Such a
    line begins with a small letter or is a type of party.
    """
    described = party.kind == "name" and _PATTERNS["described_below"].search(party.text) is not None
    ends = line[:1].islower() or _PATTERNS["kind_of_party"].match(line) is not None
    return described and ends and len(line) <= LONGEST_NAME


def _repeats_last_word(tokens: Sequence[CaptionToken], token: CaptionToken) -> bool:
    """Return whether a line is a single word that repeats the end of the name above: "Pell Commission", then
    "Commission".
    """
    above = tokens[-1] if tokens else CaptionToken("rule")
    repeated = token.text.isalpha() and above.text.endswith(f" {token.text}")
    return repeated and token.kind == above.kind == "name"


def _skip_beside(
    token: CaptionToken, tokens: list[CaptionToken], ends: list[int], column: int
) -> CaptionToken | None:
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
        return CaptionToken("role", role)
    at = -1
    if office:
        at = _find_judge(tokens)
    elif _PATTERNS["clerk"].match(token.text):
        at = _find_clerk(tokens)
    if at >= 0:
        del tokens[at], ends[at]
    return None


def _find_clerk(tokens: Sequence[CaptionToken]) -> int:
    """Return the position of the clerk's name above the office, or -1 if there is none. A role between them
    is ignored.
    """
    at = len(tokens) - 1 - (bool(tokens) and tokens[-1].kind == "role")
    above = at >= 0 and tokens[at].kind == "name" and not any(is_upper(each.text) for each in tokens[at:])
    return at if above else -1


def _find_judge(tokens: Sequence[CaptionToken]) -> int:
    """Return the position of a judge's name above the office, in the column next to the parties; -1 if there
    is none.
    """
    at = len(tokens) - 1
    while at > 0 and tokens[at].kind in ("versus", "role"):
        at -= 1
    return at if at > 0 and tokens[at].kind == "name" and tokens[at - 1].kind == "role" else -1
