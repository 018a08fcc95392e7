"""Text of authorities and drafts inside Markdown that an editor renders.

Authority text is untrusted: it must never become a link, an image, HTML or a heading of an answer. What is
escaped is exactly what CommonMark and GitHub's additions would read as markup, since not every editor hides
the backslashes.
"""

from __future__ import annotations

import re

_SPACES = re.compile(r"\s+")
_ALWAYS = re.compile(r"[\\`*~]")
_EDGE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_ANGLE = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#|[A-Za-z][A-Za-z0-9]*;)")
_AFTER_BRACKET = re.compile(r"\](?=[(\[:])")
_OPEN_BRACKET = re.compile(r"\[(?=\^| \]|[xX]\])")
_SCHEME = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]{1,31}):(?=\S)")
_WWW = re.compile(r"\b(www)\.", re.IGNORECASE)
_AT = re.compile(r"(?<=\S)@(?=\S)")
_LINE_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_NOT_IN_ADDRESS = re.compile(r"[<>\\\[\]\x00-\x20]")
_LINE_START_SIGN = re.compile(r"^([#>+=-])")


def one_line(text: str) -> str:
    """``text`` with every run of white space (line breaks too) made one space."""
    return _SPACES.sub(" ", text).strip()


def escape(text: str) -> str:
    """``text`` on one line, as Markdown that renders to exactly these characters and nothing else.

    It may stand anywhere in a line; brackets of citations ("[2014] ASC 12") stay readable, since a bracket
    is markup only before ``(``, ``[`` or ``:``.
    """
    line = _ALWAYS.sub(r"\\\g<0>", one_line(text))
    line = _EDGE_UNDERSCORE.sub(r"\\_", line)
    line = _ANGLE.sub(r"\\<", line)
    line = _ENTITY.sub(r"\\&", line)
    line = _AFTER_BRACKET.sub(r"\\]", line)
    line = _OPEN_BRACKET.sub(r"\\[", line)
    line = _SCHEME.sub(r"\1\\:", line)
    line = _WWW.sub(r"\1\\.", line)
    line = _AT.sub(r"\\@", line)
    line = _LINE_START.sub(r"\1\\\2", line)
    return _LINE_START_SIGN.sub(r"\\\1", line)


def quoted(text: str) -> str:
    """``text`` as a Markdown quotation, its paragraphs kept."""
    parts = [escape(part) for part in re.split(r"\n[ \t]*\r?\n", text)]
    return "\n>\n".join("> " + part for part in parts if part)


def shortened(text: str, limit: int) -> str:
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


def linked(text: str, address: str) -> str:
    """Markdown ``text`` (escaped already) as a link, or as it is without an ``address``."""
    if not address:
        return text
    safe = _NOT_IN_ADDRESS.sub(lambda match: f"%{ord(match.group()):02X}", address)
    inner = text.replace("[", "\\[").replace("]", "\\]").replace("\\\\[", "\\[").replace("\\\\]", "\\]")
    return f"[{inner}](<{safe}>)"
