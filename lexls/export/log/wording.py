"""Word the entries of a log for people."""

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
    """An entry as a person finds it: "entry 3 (Carrow v Luff [2014] ASC 12, line 8)"."""
    return f"entry {entry['number']} ({name_place(entry)})"


def name_place(entry: Log) -> str:
    """The words of an entry and where they stand in the draft."""
    return f"{shorten(entry['text'], _LONGEST)}, {where(entry)}"


def where(entry: Log) -> str:
    """Return where an entry stands in the draft: "line 8", "paragraph 3"."""
    return entry["place"].split(", character")[0] if entry["place"] else f"line {entry['line']}"


def name_verdict_of(entry: Log) -> str:
    """The verdict of an entry as people read it; as it is if this lexls knows no such verdict."""
    try:
        return _NAMES[entry["kind"]](entry["verdict"])
    except KeyError:
        return str(entry["verdict"])


def name_support_of(verdict: str) -> str:
    """Return whether an authority supports a citation as people read it; as it is if this lexls does not
    know it."""
    try:
        return name_support(verdict)  # type: ignore[arg-type]
    except KeyError:
        return verdict or "not judged"
