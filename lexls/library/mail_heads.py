"""Read the header lines of an e-mail that was saved as text, so that they are not mistaken for a title."""

from __future__ import annotations

from collections.abc import Mapping
from email.errors import MessageError
from email.header import decode_header, make_header
from email.utils import parsedate_to_datetime

from lexls.text.dates import find_dates
from lexls.text.phrases import load_patterns, load_phrases

_PATTERNS = load_patterns(__package__, "mail_heads.toml")
_NAMES: Mapping[str, str] = load_phrases(__package__, "mail_heads.toml")["names"]
_LONGEST = 16_384
"""Maximum length of the header lines, in code points."""
_FEWEST = 3
"""Minimum number of different header fields in an e-mail, counting the sender."""


def read_mail_head(text: str) -> Mapping[str, str] | None:
    """Return the ``title`` and ``date`` of a text that begins like an e-mail (each "" if not given); None for
    any other text.

    A memorandum, whose first field is the addressee, is not an e-mail.
    """
    said: dict[str, str] = {}
    last, goes_on = "", False  # the previous line's field, and whether an indented line continues it
    for line in text[:_LONGEST].splitlines():
        words = line.strip().strip("\ufeff")
        found = _PATTERNS["line"].fullmatch(words)
        name = found["name"].lower() if found else ""
        if not words:
            goes_on = False
        elif found and name in _NAMES:
            last, goes_on = _NAMES[name], True
            said.setdefault(last, found["value"].strip())
        elif found and _PATTERNS["other"].fullmatch(name):
            last, goes_on = "", True
        elif goes_on and line[:1].isspace():
            said |= {last: f"{said[last]} {words}".strip()} if last else {}
        elif said or not _PATTERNS["opening"].match(words):
            break
    memorandum = next(iter(said), "") == "to" and "@" not in said.get("from", "")
    if "from" not in said or len(said) < _FEWEST or memorandum:
        return None
    return {"title": entitle(_decode(said.get("subject", ""))), "date": _read_date(said.get("sent", ""))}


def entitle(subject: str) -> str:
    """Return the title of an e-mail, marked to avoid confusion with a case: "E-mail: Smith v Jones"."""
    return f"E-mail: {subject}" if subject else ""


def _decode(value: str) -> str:
    """Decode an encoded header value such as "=?utf-8?q?...?="; return other values unchanged."""
    try:
        return " ".join(str(make_header(decode_header(value))).split())
    except (MessageError, ValueError, LookupError):
        return value


def _read_date(value: str) -> str:
    try:
        return parsedate_to_datetime(value).date().isoformat()
    except (ValueError, TypeError, IndexError):
        return next((date for *_, date in find_dates(value, None)), "")
