"""Read the caption of a judgment (its parties and their roles) and name the case as it is cited."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from lexls.library.caption_tokens import LONGEST_NAME, CaptionToken, cut_tokens, list_kinds, list_tokens
from lexls.library.columns import Row
from lexls.library.court_lines import looks_like_court
from lexls.library.head import LINE_OF_PAGE, breaks_off, is_running
from lexls.library.party_blocks import (
    find_first_party,
    is_plural,
    join_names,
    join_parties,
    pair_roles,
    strip_roles,
    unwrap_caption,
)
from lexls.library.party_names import (
    is_upper,
    name_goes_on,
    name_party,
    name_side,
    opens_with_form,
)
from lexls.library.title_case import in_capitals, write_title_case
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "captions.toml")
_NO_MATTERS = "no_matter", "heading", "other"
_MATTERS = ("person_matter", "matter")
_MOST_LINES_OF_SIDE = 40
_BESIDE = 2
"""Maximum number of tokens of a party whose role is printed in the next column. Any further token continues
the party's name.
"""
_AT_TRIAL = frozenset(("plaintiff", "defendant"))


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
    tokens, ends = list_tokens(
        join_names(join_parties(unwrap_caption(pair_roles(rows), list_kinds), list_kinds))
    )
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


def _read_around(
    tokens: Sequence[CaptionToken], ends: Sequence[int], middle: int, start: int
) -> Caption | None:
    """Return the caption around the "v" at token ``middle``, or None. Its first party begins at token
    ``start``.
    """
    if all(each.kind != "name" for each in tokens[start:middle]):
        return None
    sides, at = _read_sides(tokens, start, trusted=False, first_until=middle)
    title = _name_marriage(_name_case(sides, tokens[middle : middle + 1]), tokens[max(0, start - 1) : start])
    sure = _is_sure(title, sides)
    return Caption(title, sure, ends[at if sure else min(middle + 1, at)]) if title else None


def _read_by_roles(tokens: Sequence[CaptionToken], ends: Sequence[int], start: int) -> Caption | None:
    """Return the caption from token ``start`` that separates its sides by roles instead of a "v", or None."""
    sides, at = _read_sides(tokens, start, trusted=True)
    title = _name_marriage(_name_case(sides, ()), tokens[max(0, start - 1) : start])
    return Caption(title, _is_sure(title, sides), ends[at]) if title else None


def _name_marriage(title: str, above: Sequence[CaptionToken]) -> str:
    """Return the case's name, changed to "In re Marriage of …" with both parties if a token ``above``
    announces a marriage.
    """
    if not (title and any(_PATTERNS["marriage"].match(each.text) for each in above)):
        return title
    return f"In re Marriage of {' and '.join(BETWEEN_PARTIES.split(title, maxsplit=1)[::2])}"


def _find_party(tokens: Sequence[CaptionToken]) -> int | None:
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
            if len(cell) > LONGEST_NAME:
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
        kinds = [token.kind for token in cut_tokens(line)]
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


def _walk_back(tokens: Sequence[CaptionToken], middle: int) -> int:
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
            above = tokens[at - 2] if at > 1 else CaptionToken("rule")
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


def _find_first_numbered(tokens: Sequence[CaptionToken], start: int, middle: int) -> int:
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
    tokens: Sequence[CaptionToken], start: int, *, trusted: bool, first_until: int = 0
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


def _find_role(tokens: Sequence[CaptionToken], at: int) -> str:
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


def _name_case(sides: Sequence[_Side], tokens: Sequence[CaptionToken]) -> str:
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
