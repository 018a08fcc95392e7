"""An entry of a bibliography as its file gives it, the same for all formats."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.citations.model import CitationKind

_YEAR = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)(?!\d)")


class UnreadableBibliography(Exception):
    """A bibliography that is not in its format; the message is the reason, for the user."""


@dataclass(frozen=True, slots=True)
class Record:
    """One entry; what it does not say is "".

    ``container`` is the report or journal. ``number`` is a neutral citation or a number of the court's,
    ``authority`` the court that gave it. ``year`` is None if there is none.
    """

    key: str
    kind: CitationKind
    title: str = ""
    short_title: str = ""
    container: str = ""
    volume: str = ""
    page: str = ""
    number: str = ""
    authority: str = ""
    year: int | None = None
    jurisdiction: str = ""
    note: str = ""


def year_in(text: str) -> int | None:
    """The first year in a date as written, None if there is none."""
    match = _YEAR.search(text)
    return int(match.group()) if match is not None else None
