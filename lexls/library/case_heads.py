"""Read the captions of judgments: title, court, date and docket number."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from lexls.citations.courts import find_american_jurisdiction
from lexls.citations.jurisdiction import find_court_of_citation, find_jurisdiction_of_court
from lexls.library.captions import (
    is_mere_matter,
    read_caption,
    read_matter,
)
from lexls.library.columns import RULE, Row
from lexls.library.court_lines import choose_court, looks_like_court, read_court
from lexls.library.dockets import read_docket
from lexls.library.document import Metadata
from lexls.library.head import LINE_OF_PAGE, Head, breaks_off, is_running, lists_cases
from lexls.library.party_blocks import strip_roles
from lexls.library.party_names import is_upper, name_goes_on, trim_name
from lexls.library.title_case import write_title_case
from lexls.text.dates import is_date
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_patterns, load_phrases

_PATTERNS = load_patterns(__package__, "case_heads.toml")
_DOCKETS = load_patterns(__package__, "dockets.toml")
_WORDS = load_phrases(__package__, "case_heads.toml")["words"]
_HANGING = (
    (_PATTERNS, "titled"),
    (_DOCKETS, "docket_before"),
    (_PATTERNS, "docket_behind"),
    (_PATTERNS, "cited_behind"),
    (_PATTERNS, "registered_behind"),
    (_PATTERNS, "appealed_behind"),
    (_PATTERNS, "others_behind"),
    (_PATTERNS, "noted"),
)
"""Patterns of text to remove around a case's name on the same line, in this order. They are compiled at their
first use.
"""
_TITLE_WITHIN = 9
_REPORTED_WITHIN = 3
"""Number of lines at the top in which a name with a neutral citation counts as the case's own. Further down,
it may be a cited case.
"""
_LONGEST_LINE = 200
_AUTHOR_WITHIN = 14
"""Number of lines below the heading of a filing that are searched for a judge's name or an outcome, which
would show that it is an opinion.
"""
_FEWEST_LABELS = 2
"""Number of labels above a heading with a colon that make it another label of the same list."""
_LINES_OF_NAME = 5
"""Maximum number of lines that the name after "CITATION:" may span."""


def read_slip_opinion(head: Head, stem: str) -> Metadata | None:
    """Return the metadata of a slip opinion of the Supreme Court of the United States, or None if the text is
    not one.

    The caption is in capitals and includes the parties' public offices. If the file's name is a case's name
    that the text confirms, it is used as the title instead.
    """
    opening = head.opening.replace("**", "")
    federal = _PATTERNS["federal"].search(opening) is not None
    if not _PATTERNS["slip"].search(opening if federal else opening[:400]):
        return None
    if not federal and _PATTERNS["elsewhere"].search(opening):
        return None
    title = read_file_name(head, stem)
    if not title:
        caption = _PATTERNS["caption"].search(opening)
        title = _parties(caption[1]) if caption else ""
    if not title:
        return None
    court = "Supreme Court of the United States"
    jurisdiction = find_jurisdiction_of_court(court)
    docket = _PATTERNS["slip_docket"].search(opening)
    return Metadata(
        title=title,
        court=court,
        kind="case",
        jurisdiction=jurisdiction,
        docket=tuple(re.split(r",?\s+and\s+|,\s+(?=\d)", docket[1].replace("–", "-"))) if docket else (),
    )


def read_file_name(head: Head, stem: str) -> str:
    """Return the file's name if it is a case's name and the opening text contains at least half of its longer
    words; otherwise "".
    """
    if not (BETWEEN_PARTIES.search(f" {stem} ") or _PATTERNS["case_title"].match(stem)):
        return ""
    stem = _PATTERNS["site_behind"].sub("", stem)
    seen = _letters(head.opening)
    words = re.findall(r"[^\W\d_]{4,}", stem)
    agrees = sum(_letters(word) in seen for word in words) * 2 >= len(words)
    return stem.replace("_", " ") if agrees else ""


def is_reported_name(line: str) -> bool:
    """Return whether a line may be a reported case's name and neutral citation: "Carrow (costs) [2014] ASC
    12".
    """
    return (
        line[:1].isupper()
        and _PATTERNS["neutral"].search(line) is not None
        and not _PATTERNS["sentence"].search(line)
        and not _PATTERNS["no_title"].search(line)
        and not is_no_name(line)
    )


def is_no_name(title: str) -> bool:
    """Return whether a line at the top of a judgment does not name a case: "Introduction", a label, a
    court.
    """
    return (
        _PATTERNS["no_name"].match(title) is not None
        or _PATTERNS["reasons"].match(_PATTERNS["outline"].sub("", title)) is not None
        or looks_like_court(title)
    )


def is_no_title(line: str) -> bool:
    """Return whether a line at the top cannot be a title: a judge's name, a stamp, or no letters at all."""
    named = any(map(str.isalpha, line)) and _PATTERNS["stamped"].search(line) is None
    return not named or _PATTERNS["judge"].match(line) is not None


def names_court_or_state(title: str) -> bool:
    """Return whether a line names a court or a state, as the first line of a court paper does."""
    return looks_like_court(title) or _PATTERNS["state"].match(title) is not None


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _parties(caption: str) -> str:
    """Convert a caption in capitals ("BILSKI ET AL. v. KAPPOS, UNDER SECRETARY …") to the short name by which
    the case is cited.
    """
    short: list[str] = []
    sides = BETWEEN_PARTIES.split(f" {caption} ", maxsplit=1)[::2]
    if BETWEEN_PARTIES.search(sides[-1]):
        # Another case is in the lines below.
        sides[-1] = sides[-1].strip().partition("\n")[0]
    for side in (" ".join(side.split()) for side in sides):
        first, *others = (part.strip() for part in re.sub(r"\bET (?:AL|UX|VIR)\b\.?", "", side).split(","))
        name = ", ".join([first, *itertools.takewhile(_PATTERNS["company"].match, others)])
        short.append(write_title_case(name.strip(" _*")))
    return " v. ".join(filter(None, short))


def read_judgment(head: Head) -> Metadata | None:
    """Return a judgment's metadata: its title and, usually, its court, date and docket number. Return None if
    the document is not a judgment.

    Only lines above a heading such as "Judgment" are read, if there is one below the caption. The title is
    empty if those lines name no parties and no matter.
    """
    line = _find_title_line(head.printed)
    in_columns = any(len(row) > 1 and " ".join(row) == line for row in head.rows)
    on_top = line in head.printed[:3] and BETWEEN_PARTIES.search(line) is not None
    on_top = on_top and not (in_columns or _names_roles(line))
    opening = head.opening.casefold()
    parties = _holds("litigation", opening) or _PATTERNS["against"].search(opening) is not None
    if not line and not parties and not _holds("court", opening):
        return None
    rows: Sequence[Row] = head.rows
    court = read_court(rows)
    if court:
        kept = (_leave_out_court(row, court.column) for row in rows[court.start : court.end])
        rows = (*rows[: court.start], *kept, *rows[court.end :])
    caption = read_caption(_leave_out_cited(rows)) if parties else None
    labelled = _read_labelled_name(rows)
    own_name = next(
        filter(None, map(_PATTERNS["reported_name"].match, head.printed[:_REPORTED_WITHIN])), None
    )
    if caption is None and not (line or labelled or own_name) and not (court and court.sure):
        return None
    rows = cut_at_reasons(rows, max(caption.end if caption else 0, court.end if court else 0))
    if labelled:
        title = labelled
    elif (
        on_top
        or is_reported_name(line)
        or (line and not (caption and caption.sure) and not _names_roles(line))
    ):
        title = read_case_name(_join_title(head, line))
    else:
        title = caption.title if caption else ""
    named = BETWEEN_PARTIES.search(f" {title} ") and not _PATTERNS["unnamed_parties"].match(title)
    if not (labelled or named or _PATTERNS["married"].match(title)):
        title = read_matter(_leave_out_cited(rows)) or title
    if not title and own_name:
        title = read_case_name(own_name["name"])
    own = any(map(_PATTERNS["neutral"].match, head.printed[:_REPORTED_WITHIN]))
    judged = bool(court or (caption and caption.sure) or own or line in head.printed[:3])
    if not (judged or labelled or _PATTERNS["regarding"].match(line)):
        return None
    name = court.name if court else ""
    jurisdiction = find_jurisdiction_of_court(name) or find_american_jurisdiction(name)
    return Metadata(
        title=title,
        court=name,
        kind="case" if judged and not is_filing(head.rows) else "other",
        jurisdiction=jurisdiction,
        docket=read_docket(head.rows[: len(rows)]),
    )


def _leave_out_cited(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows above a list of other cases ("Cases cited:")."""
    return [*itertools.takewhile(lambda row: not lists_cases(row[0]), rows)]


def _leave_out_court(row: Row, column: int) -> Row:
    """Return what a row with the court's name, from ``column`` on, says of the parties: the columns before
    it, or a "v" in front of it.
    """
    if len(row) > column > 0:
        return row[:column]
    return (row[0].partition(" ")[0],) if _PATTERNS["versus_first"].match(f"{row[0]} ") else (RULE,)


def _read_labelled_name(rows: Sequence[Row]) -> str:
    """Return the case's name after a label, or "" if there is none. "Case Name:" precedes the name alone, and
    "CITATION:" the name with its citation.
    """
    for at, row in enumerate(rows):
        if labelled := _find_labelled(rows, at):
            name, below = labelled
            broken = _PATTERNS["versus_first"].match(below) or name.endswith((" v", " v."))
            if broken or name_goes_on(name, below):
                name = f"{name} {below}"
            sides = (_PATTERNS["registered_behind"].sub("", side) for side in name.split(" v "))
            return read_case_name(" v ".join(sides))
        label = _PATTERNS["cited_name"].match(row[0])
        lines = [each[0] for each in rows[at : at + _LINES_OF_NAME]]
        above = rows[at - 1][0] if at else RULE
        within_text = is_running(above) and above[-1] not in ".:"
        if label is None and (within_text or not any("Case" in line for line in lines)):
            continue
        own = itertools.takewhile(lambda line: not is_running(line), lines)
        for joined in itertools.accumulate(own, _join_lines):
            if label is None:
                reported = _PATTERNS["numbered_name"].match(joined)
            else:
                reported = _PATTERNS["reported_name"].match(joined, label.end())
            if reported and not _PATTERNS["sentence"].search(reported["name"]):
                return read_case_name(reported["name"].strip(" ,"))
    return ""


def _find_labelled(rows: Sequence[Row], at: int) -> tuple[str, str] | None:
    """Return what follows a label of the case's name in a row, with the line below that, or None.

    "Re:" is such a label only if the line below begins with a "v".
    """
    line, below, further = (rows[each][0] if each < len(rows) else "" for each in (at, at + 1, at + 2))
    if _PATTERNS["name_below"].match(" ".join(rows[at])):
        return below, further
    if label := _PATTERNS["case_name"].match(line):
        return line[label.end() :], below
    label = _PATTERNS["regarding"].match(line)
    broken = _PATTERNS["versus_first"].match(below)
    return (line[label.end() :], below) if label and broken else None


def _join_lines(above: str, below: str) -> str:
    """Join two lines, rejoining a word that was hyphenated at the end of the first."""
    return f"{above[:-1]}{below}" if above[-1:] == "-" and below[:1].islower() else f"{above} {below}"


def is_filing(rows: Sequence[Row]) -> bool:
    """Return whether a captioned paper was written by a party or the clerk, judging by its heading or
    salutation.
    """
    lines = ["", "", *itertools.chain.from_iterable(rows)]
    for at, (*above, line) in enumerate(zip(lines, lines[1:], lines[2:], strict=False), start=3):
        own = any(_PATTERNS[each].match(line) for each in ("ruling", "author"))
        if own or len(line) > _LONGEST_LINE or all(map(breaks_off, above)):
            return False  # the court's words, or running text has begun
        if (not line[:1].islower() and _PATTERNS["filing"].match(line)) or _PATTERNS["letter"].match(line):
            below = lines[at : at + _AUTHOR_WITHIN]
            return not any(_PATTERNS[each].match(line) for line in below for each in ("author", "outcome"))
    return False


def _holds(words: str, folded: str) -> bool:
    # Many times as fast as a case-insensitive pattern, which would slow down every contract.
    return any(word in folded for word in _WORDS[words])


def settle(found: Metadata) -> Metadata:
    """Return a case's metadata, with its court corrected by the neutral citation and a missing jurisdiction
    added.
    """
    court = find_court_of_citation(found.citation, found.jurisdiction)
    return replace(
        found,
        court=choose_court(found.court, court),
        jurisdiction=found.jurisdiction or find_american_jurisdiction(found.court),
    )


def list_years(citation: str) -> frozenset[int]:
    """Return the years in which a decision with this citation may have been given; empty if it could be any
    year.
    """
    year = None if is_case_number(citation) else re.search(r"\b(?:1[6-9]|20)\d\d\b", citation)
    return frozenset(range(int(year[0]) - 1, int(year[0]) + 2)) if year else frozenset()


def is_case_number(citation: str) -> bool:
    """Return whether a citation is the number given to a case when it began, so that its year need not be the
    decision's.
    """
    return _PATTERNS["case_number"].search(citation) is not None


def _find_title_line(lines: Sequence[str]) -> str:
    """Return the line near the top that names a case by itself, or "" if there is none."""
    labelled = (line for line in lines if _PATTERNS["titled"].match(line) and BETWEEN_PARTIES.search(line))
    if titled := next(labelled, ""):
        return titled
    own = [*itertools.takewhile(lambda line: not lists_cases(line), lines[:_TITLE_WITHIN])]
    for above, line, below in zip(("", *own), own, (*own[1:], ""), strict=False):
        if (
            # After "administratrix of the", the line names the estate.
            not _PATTERNS["unfinished"].search(above)
            and is_case_title(line)
            and not is_no_title(line)
            and not _PATTERNS["office"].match(below)
            and not _PATTERNS["no_title"].search(line)
            and (BETWEEN_PARTIES.search(line) or not is_mere_matter(line))
        ):
            return line
    return ""


def _join_title(head: Head, line: str) -> str:
    """Return a line that names a case, joined with the next line if the name continues there."""
    following = next((below for above, below in itertools.pairwise(head.printed) if above == line), "")
    broken = len(line) > LINE_OF_PAGE or (following and name_goes_on(line, following))
    lines = (" ".join(each.split()) for each in head.opening.splitlines())
    wrapped = bool(broken) and (line, following) in itertools.pairwise(lines)
    wrapped = wrapped or _PATTERNS["unfinished"].search(line) is not None
    own = any(each.match(following) for each in (_PATTERNS["label"], _DOCKETS["docket"]))
    own = own or looks_like_court(following) or is_date(following)
    return f"{line} {following}" if wrapped and not own else line


def _names_roles(line: str) -> bool:
    return any(strip_roles(side) != side for side in BETWEEN_PARTIES.split(f" {line} ", maxsplit=1)[::2])


def cut_at_reasons(rows: Sequence[Row], after: int = 0) -> Sequence[Row]:
    """Return the rows above the first heading such as "Judgment" at or after row ``after``; all rows if there
    is no such heading.
    """
    for position in range(after, len(rows)):
        if (
            len(rows[position]) == 1
            and _PATTERNS["reasons"].match(rows[position][0])
            and not _is_label(rows, position)
        ):
            # In a second column, the number may be below "Order".
            following = next((row[0] for row in rows[position + 1 : position + 3] if row[0] != RULE), "")
            if not any(each.match(following) for each in (_DOCKETS["docket"], _PATTERNS["cause_below"])):
                return rows[:position]
    return rows


def _is_label(rows: Sequence[Row], position: int) -> bool:
    """Return whether a row is one of several labels, each printed above its value: "Decision:",
    "Catchwords:".
    """
    labels = (row[0].endswith(":") for row in rows[:position])
    return rows[position][0].endswith(":") and sum(labels) >= _FEWEST_LABELS


def is_case_title(line: str) -> bool:
    """Return whether one of a document's opening lines names the parties of a case or its matter."""
    if not line or len(line) > 250 or line[-1] == ":":
        return False
    if line[-1] == "." and _PATTERNS["sentence"].search(line):
        return False
    if sign := BETWEEN_PARTIES.search(line):
        # Within a sentence, another case is cited.
        return not _PATTERNS["cited_within"].search(line[: sign.start()])
    return line[:1].isupper() and _PATTERNS["case_title"].match(line) is not None


def read_case_name(line: str) -> str:
    """Return a case's name without a label before it. A name in capitals is converted to title case."""
    label = _PATTERNS["label"].match(line)
    if label and not BETWEEN_PARTIES.search(label[0]):
        line = line[label.end() :]
    if named := _PATTERNS["case_of"].match(line):
        line = line[named.end() :]
    if BETWEEN_PARTIES.search(line):
        for patterns, name in _HANGING:
            line = patterns[name].sub("", line, count=1)
    line = _PATTERNS["others_before"].sub("", _PATTERNS["people"].sub("People", trim_name(line)))
    return write_title_case(line) if is_upper(line) else line
