"""What a draft's markup hides: a masked text of the same length, for everything downstream."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal

from lexls.text import latex, markdown, typst
from lexls.text.generated import without_table

Markup = Literal["markdown", "latex", "typst", "plain"]

_LANGUAGES: dict[str, Markup] = {
    "markdown": "markdown",
    "mdx": "markdown",
    "quarto": "markdown",
    "rmd": "markdown",
    "pandoc": "markdown",
    "latex": "latex",
    "tex": "latex",
    "plaintex": "latex",
    "context": "latex",
    "typst": "typst",
    "plaintext": "plain",
    "text": "plain",
}
_SUFFIXES: dict[str, Markup] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".qmd": "markdown",
    ".rmd": "markdown",
    ".mdx": "markdown",
    ".tex": "latex",
    ".latex": "latex",
    ".ltx": "latex",
    ".typ": "typst",
    ".txt": "plain",
    ".text": "plain",
}


def markup_of(language_id: str, path: str) -> Markup:
    """The markup of a draft by the editor's language id, else by its path's suffix, else plain."""
    known = _LANGUAGES.get(language_id.casefold())
    if known is not None and known != "plain":
        return known
    return _SUFFIXES.get(PurePath(path).suffix.casefold(), "plain")


def mask(source: str, markup: Markup) -> str:
    """``source`` with its markup blanked, code point for code point of the same length.

    What is no prose (code, mathematics, comments, a preamble, front matter, lexls's own table of
    authorities) becomes spaces, line ends kept; marks around prose (emphasis, headings, commands) become
    spaces, the prose stays. So every offset in the masked text is an offset in the source. Lines end in a
    line feed, whatever ends them in the source, and an item of a list begins with ``ITEM``. Unknown or broken
    markup stays as it is.
    """
    if markup == "markdown":
        masked = markdown.mask(source)
    elif markup == "latex":
        masked = latex.mask(source)
    elif markup == "typst":
        masked = typst.mask(source)
    else:
        masked = source
    if "\r" in masked:
        masked = masked.replace("\r\n", " \n").replace("\r", "\n")
    masked = without_table(source, masked, markup)
    if len(masked) != len(source):
        raise AssertionError(f"masking {markup} changed the length from {len(source)} to {len(masked)}")
    return masked
