"""Format text of authorities and drafts as Markdown that an editor renders.

Authority text is untrusted: it must never become a link, an image, HTML or a heading in an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.text.formats.markdown import as_markdown

_SPACES = re.compile(r"\s+")
_NOT_IN_ADDRESS = re.compile(r"[<>\\\[\]\x00-\x20]")


def fold(text: str) -> str:
    """Return ``text`` with each run of white space, including line breaks, replaced by one space."""
    return _SPACES.sub(" ", text).strip()


def quote(text: str) -> str:
    """Return ``text`` as a Markdown block quotation, keeping its paragraphs."""
    parts = [as_markdown(part) for part in re.split(r"\n[ \t]*\r?\n", text)]
    return "\n>\n".join("> " + part for part in parts if part)


def shorten(text: str, limit: int) -> str:
    """Return ``text`` cut to about ``limit`` characters, at the end of a sentence if possible, followed by
    "…".

    A sentence ends with a full stop, question or exclamation mark, and any closing quotation marks or
    brackets, before white space. An end in the first third is ignored, since too little text would remain.
    Text not longer than ``limit`` is returned without white space at its ends, but otherwise unchanged.
    """
    text = text.strip()
    if len(text) <= limit:
        return text
    head = text[:limit]
    ends = [match.end() for match in re.finditer(r"[.?!][\"'”’)\]]*(?=\s)", text[: limit + 1])]
    good = [end for end in ends if end >= limit // 3]
    if good:
        return head[: good[-1]].rstrip() + " …"
    space = head.rfind(" ")
    return (head[:space] if space > 0 else head).rstrip(" ,;:") + " …"


def list_choices(items: Sequence[str], more: str = "") -> str:
    """Return a list such as "a, b or c". ``more`` describes further choices that are not listed: "a, b and 3
    more".
    """
    if more:
        return f"{', '.join(items)} and {more}"
    return " or ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def write_link(text: str, address: str) -> str:
    """Return escaped Markdown ``text`` as a link to ``address``, or unchanged if ``address`` is ""."""
    if not address:
        return text
    safe = _NOT_IN_ADDRESS.sub(lambda match: f"%{ord(match.group()):02X}", address)
    inner = text.replace("[", "\\[").replace("]", "\\]").replace("\\\\[", "\\[").replace("\\\\]", "\\]")
    return f"[{inner}](<{safe}>)"
