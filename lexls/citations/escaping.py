"""Text in a draft's markup: special characters escaped, italics marked."""

from __future__ import annotations

import re

from lexls.text.markup import Markup

_SPECIAL = {
    "latex": re.compile(r"[\\{}&%$#_~^]"),
    "typst": re.compile(r"[\\*_#$@<`~]"),
    "markdown": re.compile(r"[\\*_`<]"),
}
_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ITALIC: dict[Markup, tuple[str, str]] = {
    "markdown": ("_", "_"),
    "typst": ("_", "_"),
    "latex": (r"\textit{", "}"),
    "plain": ("", ""),
}

ITALICS = (("_", "_"), ("*", "*"), (r"\textit{", "}"), (r"\emph{", "}"), ("{\\it ", "}"), ("#emph[", "]"))
"""How words are set in italics in some markup: what stands right before them, what right behind."""


def escape(text: str, markup: Markup) -> str:
    """``text`` with the characters that mean something in ``markup`` escaped."""
    special = _SPECIAL.get(markup)
    if special is None:
        return text
    return special.sub(lambda match: _escaped(match.group(), markup), text)


def _escaped(character: str, markup: Markup) -> str:
    if markup == "latex" and character in _LATEX:
        return _LATEX[character]
    return "\\" + character


def italic_marks(markup: Markup) -> tuple[str, str]:
    """The marks around italics that are usual in ``markup``; two empty strings where it has none."""
    return _ITALIC[markup]
