"""Name a citation that is a sentence of its own by the case that the text before it names.

American drafts name a case in a sentence and cite it behind: "In Pell v. Ryle, the court so held. 425 F.3d
999, 1001 (D.C. Cir. 2005)."
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from lexls.citations.case_names.parse import find_name_before
from lexls.citations.case_names.words import is_abbreviated
from lexls.citations.model import Mention, join_spaces
from lexls.citations.scan import Scan
from lexls.citations.tables import load_patterns

_PATTERNS = load_patterns("said_names.toml")
_LONGEST_SAID = 700
"""Maximum distance of the name from its citation, in code points."""
_BEFORE = 6
_WORD = re.compile(r"\S+")


def take_said_names(scan: Scan, cited: Sequence[Mention]) -> None:
    """Set the name of each nameless citation of a case that follows a sentence, if its form allows this, the
    text names exactly one case since the citation before it, and refers back to none ("Id. at 12").

    ``cited`` are the citations in order. One of several cases named might be meant, so none is taken then.
    Parallel citations get the same name.
    """
    floor = 0
    last: Mention | None = None
    for mention in cited:
        if last is not None and last.group == mention.group:
            mention.name = mention.name or last.name
        elif _may_follow_name(scan.text, mention):
            start = max(floor, mention.start - _LONGEST_SAID)
            back = [match.end() for match in _PATTERNS["back"].finditer(scan.text, start, mention.start)]
            names = _list_names(scan, max([start, *back]), mention.start)
            mention.name = names[0] if len(names) == 1 else ""
        floor, last = mention.end, mention


def _may_follow_name(text: str, mention: Mention) -> bool:
    """Return whether a mention is a nameless citation of a case with a year, right behind a sentence, in a
    form whose names are said in sentences.
    """
    return (
        mention.kind == "case"
        and not mention.name
        and "name-said" in mention.around
        and mention.year is not None
        and _PATTERNS["sentence_end"].search(text, max(0, mention.start - _BEFORE), mention.start) is not None
    )


def _list_names(scan: Scan, start: int, end: int) -> list[str]:
    """Return the different names with a "v" between two offsets, except in headings."""
    found: dict[str, None] = {}
    for versus in scan.versus[bisect_left(scan.versus, start) : bisect_left(scan.versus, end)]:
        party = _PATTERNS["second_party"].match(scan.text, versus, end)
        if party is None or versus in scan.headings:
            continue
        name = find_name_before(scan.text, _end_party(party), start)
        if name is not None and name.start < versus:
            found[join_spaces(name.of(scan.text))] = None
    return list(found)


def _end_party(party: re.Match[str]) -> int:
    """Return the end of the second party, which may be that of a sentence: "in Pell v. Ryle. Nobody …"."""
    for word in _WORD.finditer(party.string, party.start() + len("v. "), party.end()):
        if len(word[0]) > len("J.") and word[0][-1] == "." and not is_abbreviated(word[0]):
            return word.end() - 1
    return party.end()
