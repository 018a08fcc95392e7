"""Lists in provisions: the words that open one and its items say something only together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.text.spans import Span

LONGEST = 900
"""Characters of an enumeration that is read as one statement; a longer one is read item by item."""
_OPENS = re.compile(r"[—–:]\s*$|,\s*-\s*$")
_ITEM = re.compile(r"^\W{0,2}\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s")
_NEXT = re.compile(r"\s{0,9}\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s[^\n]{1,200}")
_ENDS = re.compile(r"\.[\"”’)\]]{0,3}\s*$")
_MOST_SHORT = 6
"""Items too short to state anything that may follow the last one read."""
_GAP = 400
"""Characters that may lie between two items: one that states nothing by itself."""


def enumerations_joined(statements: Sequence[Span], text: str) -> list[Span]:
    """``statements`` of ``text``, in order, with what opens a list and its items made one where it is short.

    A list goes from a statement that ends with a dash or a colon to the item that ends with a full stop, or
    to the last item before something else.
    """
    joined: list[Span] = []
    place = 0
    while place < len(statements):
        last = _last_item(statements, text, place)
        whole = Span(statements[place].start, _end(statements[last].end, text) if last > place else 0)
        if last > place and whole.end - whole.start <= LONGEST:
            joined.append(whole)
            place = last + 1
        else:
            joined.append(statements[place])
            place += 1
    return joined


def _end(end: int, text: str) -> int:
    """Where the list ends whose last item read ends at ``end``: a last one may be too short to be read."""
    for _ in range(_MOST_SHORT):
        following = _NEXT.match(text, end) if _ENDS.search(text, max(0, end - 6), end) is None else None
        if following is None:
            break
        end = following.end()
    return end


def _last_item(statements: Sequence[Span], text: str, opening: int) -> int:
    """The last item of the list that statement ``opening`` opens; itself if it opens none."""
    last = opening
    if _OPENS.search(statements[opening].of(text)[-4:]) is None:
        return last
    for number in range(opening + 1, len(statements)):
        here = statements[number]
        if here.start - statements[number - 1].end > _GAP or _ITEM.match(here.of(text)) is None:
            break
        last = number
        if _ENDS.search(here.of(text)[-6:]) is not None:
            break
    return last
