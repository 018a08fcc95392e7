"""Put text of authorities and drafts into Markdown that an editor renders.

Authority text is untrusted: it must never become a link, an image, HTML or a heading of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.text.formats.markdown import as_markdown

_SPACES = re.compile(r"\s+")
_NOT_IN_ADDRESS = re.compile(r"[<>\\\[\]\x00-\x20]")


def fold(text: str) -> str:
    """``text`` with every run of white space (line breaks too) made one space."""
    return _SPACES.sub(" ", text).strip()


def quote(text: str) -> str:
    """``text`` as a Markdown quotation, its paragraphs kept."""
    parts = [as_markdown(part) for part in re.split(r"\n[ \t]*\r?\n", text)]
    return "\n>\n".join("> " + part for part in parts if part)


def shorten(text: str, limit: int) -> str:
    """``text`` cut to about ``limit`` characters, at the end of a sentence where there is one, with " …".

    A sentence end is a stop, question or exclamation mark, with closing quotation marks or brackets,
    before white space; one in the first third is not taken, since too little would be left. Text that is
    not longer than ``limit`` comes back as it is.
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
    """Such as "a, b or c"; with ``more`` (what is beyond them) "a, b and 3 more"."""
    if more:
        return f"{', '.join(items)} and {more}"
    return " or ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def write_link(text: str, address: str) -> str:
    """Markdown ``text`` (escaped already) as a link, or as it is without an ``address``."""
    if not address:
        return text
    safe = _NOT_IN_ADDRESS.sub(lambda match: f"%{ord(match.group()):02X}", address)
    inner = text.replace("[", "\\[").replace("]", "\\]").replace("\\\\[", "\\[").replace("\\\\]", "\\]")
    return f"[{inner}](<{safe}>)"
