"""Read and write a log file: JSON, or a PDF with the JSON attached.

Hashes reveal accidental changes to a log. They do not protect against deliberate changes, since anyone who
changes a log can also write new hashes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from lexls import __version__

FORMAT = "lexls filing log"
FORMAT_VERSION = 1
ATTACHED = "lexls-filing-log.json"
"""The name of the JSON attachment in the PDF."""

Log = Mapping[str, Any]

_NAME_OR_NULL = (str, type(None))
_QUOTATION = {"text": str, "verdict": str}
_AUTHORITY = {"path": str, "title": str, "sha256": _NAME_OR_NULL}
_STATE = {
    "folders": [str],
    "index": str,
    "generation": int,
    "documents": int,
    "complete": bool,
    "sha256": str,
}
_ENTRY = {
    "number": int,
    "kind": str,
    "text": str,
    "line": int,
    "place": _NAME_OR_NULL,
    "verdict": str,
    "reason": _NAME_OR_NULL,
    "finding": str,
    "ticked": ({"by": str, "day": str}, type(None)),
    "sha256": str,
}
_OF_KIND: Mapping[str, Mapping[str, Any]] = {
    "citation": {
        "stands_for": _NAME_OR_NULL,
        "elements": [{"element": str, "status": str, "draft": str, "authority": _NAME_OR_NULL}],
        "authority": (_AUTHORITY, type(None)),
        "support": ({"verdict": str}, type(None)),
        "treatment": [str],
        "remarks": [str],
        "quotations": [_QUOTATION],
    },
    "record": {"papers": [_AUTHORITY], "found_at": _NAME_OR_NULL},
    "quotation": {"original": _NAME_OR_NULL},
}
_LOG = {
    "written": str,
    "lexls": str,
    "notes": [str],
    "draft": {"file": str, "sha256": str, "jurisdiction": _NAME_OR_NULL, "strict": bool},
    "library": _STATE,
    "record": (_STATE, type(None)),
    "outside": [str],
    "summary": str,
    "ticked": int,
    "ticks_left_out": int,
    "entries": [_ENTRY],
    "sha256": str,
}
"""The fields that readers of a log rely on. A list contains the shape of its items; a tuple means that null
is also allowed.
"""


class UnusableLog(Exception):
    """Raised if a log cannot be written or read. The message gives the user the reason, without the file's
    name.
    """


class LibraryChanged(UnusableLog):
    """Raised if the library has changed while a log was being made, which may therefore be tried again."""

    def __init__(self) -> None:
        super().__init__("the library has changed meanwhile; write the log again")


def hash_data(data: Mapping[str, Any]) -> str:
    """Return the SHA-256, in hexadecimal, of data as canonical JSON without its top-level field ``sha256``.

    Canonical JSON has sorted keys, no white space, and every non-ASCII character escaped.
    """
    hashed = {key: value for key, value in data.items() if key != "sha256"}
    written = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def write_log(log: Log) -> bytes:
    """Return the log as JSON for a file."""
    return json.dumps(log, indent=2, ensure_ascii=True).encode("ascii") + b"\n"


def read_log(data: bytes) -> dict[str, Any]:
    """Return the log in the bytes of a JSON or PDF file, even if it has been altered. Raises ``UnusableLog``
    if there is no log.
    """
    if data.startswith(b"%PDF-"):
        data = _find_attached(data)
    try:
        log = json.loads(data.decode("utf-8"), object_pairs_hook=_take_once)
    except RecursionError as error:
        raise UnusableLog("not a log: its JSON is nested too deeply") from error
    except ValueError as error:
        raise UnusableLog(f"not a log: not JSON, or cut off ({error})") from error
    if not isinstance(log, dict) or log.get("format") != FORMAT:
        raise UnusableLog(f'not a log: its "format" is not "{FORMAT}"')
    if log.get("version") != FORMAT_VERSION:
        raise UnusableLog(
            f"format version {log.get('version')!r}: lexls {__version__} reads version {FORMAT_VERSION}"
        )
    _check(log, _LOG, "the log")
    for at, entry in enumerate(log["entries"], 1):
        if entry["kind"] not in _OF_KIND:
            raise UnusableLog(f'not a whole log: entry {at} is of no known "kind"')
        _check(entry, _OF_KIND[entry["kind"]], f"entry {at}")
    return log


def _find_attached(data: bytes) -> bytes:
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(data) as document:
            attached = (document.get_attachment(at) for at in range(document.count_attachments()))
            found = [bytes(each.get_data()) for each in attached if each.get_name() == ATTACHED]
    except (pypdfium2.PdfiumError, ValueError) as error:
        raise UnusableLog(f"not a log: the PDF cannot be read ({error})") from error
    if len(found) != 1:
        raise UnusableLog(f"not a log: the PDF has no one attachment {ATTACHED}")
    return found[0]


def _take_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is there twice")
    return found


def _check(data: Any, shape: Any, name: str) -> None:
    """Raise ``UnusableLog`` if data lacks a field that its shape requires or has a value of the wrong
    type.
    """
    if isinstance(shape, tuple):
        shape = type(None) if data is None else shape[0]
    if not isinstance(data, _find_type(shape)):
        raise UnusableLog(f"not a whole log: {name} is not as this version has it")
    if isinstance(shape, dict):
        for field, below in shape.items():
            if field not in data:
                raise UnusableLog(f'not a whole log: {name} has no "{field}"')
            _check(data[field], below, f'"{field}" of {name}')
    elif isinstance(shape, list):
        for at, each in enumerate(data, 1):
            _check(each, shape[0], f"{name} ({at})")


def _find_type(shape: Any) -> Any:
    return shape if isinstance(shape, type) else type(shape)
