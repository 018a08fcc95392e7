"""Whether a sentence is plain text: no links, images, HTML, code, or characters that nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.grounding.markdown import one_line
from lexls.grounding.verification.evidence_text import hides_characters

_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)([^*\n]{1,400}?)(?<=\S)\1(?![\w*])")
_FAULTS = (
    re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:/{1,3}\S{0,80}"),
    re.compile(r"\b(?:javascript|data|mailto|vbscript|file|command):\S{1,80}", re.IGNORECASE),
    re.compile(r"\bwww\d?\.\S{1,80}", re.IGNORECASE),
    re.compile(r"\b[\w-]{1,60}(?:\.[\w-]{1,60}){0,4}\.[A-Za-z]{2,12}/\S{0,80}"),
    re.compile(r"[^\s@]{1,80}@[^\s@]{1,80}"),
    re.compile(r"!\[[^\]\n]{0,200}\]?"),
    re.compile(r"\]\(|\]\[|(?m:^[ \t]{0,3}\[[^\]\n]{1,200}\]:)"),
    re.compile(r"</?[A-Za-z!?][^\n>]{0,200}>?"),
    re.compile(r"&(?:#x?[0-9A-Fa-f]{1,8}|[A-Za-z][A-Za-z0-9]{1,30});"),
    re.compile(r"`{1,20}|~{2,20}"),
    re.compile(r"(?m)^[ \t]{0,3}(?:#{1,6}\s|>|\||-{3,}|={3,})"),
    re.compile(r"\\[\\`*_{}\[\]()#+.!<>|-]"),
    re.compile(r"<\|[^|\n]{0,40}\|?>|\[/?INST\]|<<SYS>>"),
)


def plain(text: str) -> str:
    """``text`` on one line, without marks of emphasis."""
    return one_line(_EMPHASIS.sub(r"\2", text))


def markup_in(text: str) -> Iterator[str]:
    """What of ``text`` is no plain text. A bracket before a parenthesis is Markdown's link only without a
    space between: "[2014] (no 2)" is a citation."""
    if hides_characters(text):
        yield "hidden characters"
    for pattern in _FAULTS:
        match = pattern.search(text)
        if match is not None:
            yield one_line(match.group())[:80]
