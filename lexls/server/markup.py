"""Markdown for the clients that show it, plain text for the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types as t

_LINK = re.compile(r"!?\[((?:\\.|[^\]\\])*)\]\(<?[^)>]*>?\)")
_EMPHASIS = re.compile(r"(?<!\\)(\*\*|__|\*|_|`)")
_BREAK = re.compile(r"\\\n")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def content(markdown: str, formats: Sequence[t.MarkupKind | str] | None) -> t.MarkupContent:
    """``markdown`` in the first format that the client lists, as plain text where it lists none."""
    if formats and t.MarkupKind.Markdown in [t.MarkupKind(each) for each in formats]:
        return t.MarkupContent(t.MarkupKind.Markdown, markdown)
    return t.MarkupContent(t.MarkupKind.PlainText, plain(markdown))


def plain(markdown: str) -> str:
    """The words of ``markdown`` as lexls writes it: links and emphasis undone, quoted lines marked."""
    text = _BREAK.sub("\n", markdown)
    text = _LINK.sub(r"\1", text)
    text = _EMPHASIS.sub("", text)
    return _ESCAPE.sub(r"\1", text)
