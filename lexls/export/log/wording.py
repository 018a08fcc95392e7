"""Describe the entries of a log for readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lexls.assessing.papers import name_paper_verdict
from lexls.assessing.verdicts import name_quotation_verdict, name_support, name_verdict
from lexls.export.log.file import Log
from lexls.wording.markdown import shorten

_LONGEST = 120
_NAMES: Mapping[str, Callable[..., str]] = {
    "citation": name_verdict,
    "record": name_paper_verdict,
    "quotation": name_quotation_verdict,
}


def name_entry(entry: Log) -> str:
    """Return an entry's number, text and position: "entry 3 (Carrow v Luff [2014] ASC 12, line 8)"."""
    return f"entry {entry['number']} ({name_place(entry)})"


def name_place(entry: Log) -> str:
    """Return an entry's text and its position in the draft."""
    return f"{shorten(entry['text'], _LONGEST)}, {where(entry)}"


def where(entry: Log) -> str:
    """Return the position of an entry in the draft: "line 8", "paragraph 3"."""
    return entry["place"].split(", character")[0] if entry["place"] else f"line {entry['line']}"


def name_verdict_of(entry: Log) -> str:
    """Return the wording of an entry's verdict. A verdict that this version of lexls does not know is
    returned unchanged.
    """
    try:
        return _NAMES[entry["kind"]](entry["verdict"])
    except KeyError:
        return str(entry["verdict"])


def name_support_of(verdict: str) -> str:
    """Return the wording of a support verdict. A verdict that this version of lexls does not know is returned
    unchanged.
    """
    try:
        return name_support(verdict)  # type: ignore[arg-type]
    except KeyError:
        return verdict or "not judged"
