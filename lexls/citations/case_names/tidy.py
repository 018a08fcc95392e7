"""Take out of a title what its file says beside the parties: numbers of companies, notes of publishers."""

from __future__ import annotations

from lexls.citations.tables import load_patterns

_PATTERNS = load_patterns("case_names/patterns.toml")


def tidy_title(title: str) -> str:
    """Return a title without registered numbers and notes.

    "Traxon Ltd v Elm" for "Traxon Ltd (ACN 006 123 456) v Elm (includes corrigendum dated 2 May 2006)".

    A title that is nothing else stays.
    """
    tidied = _PATTERNS["beside_parties"].sub("", title.replace("`", "'"))
    return " ".join(tidied.split()).strip(" ,") or title
