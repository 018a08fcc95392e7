"""Make the PDF and DOCX authorities of the sample library from the text files beside this script.

Run ``python examples/sources/build.py`` with ``fpdf2`` and ``python-docx`` installed (the development
dependencies). The same source gives the same bytes. A source begins with ``key: value`` lines and a blank
line; after that every block is a paragraph and its first characters say what it is:

=====  ==============================================================
``=``  the title; ``==`` a centred line under it
``~``  catchwords, in italics
``>``  headnote or order, set in
``#``  a heading; ``##`` a heading below it
``+``  a paragraph numbered by the word processor; ``++``, ``+++`` its levels
=====  ==============================================================

Anything else is a paragraph as it stands. ``*…*`` is italic, and in a DOCX ``^[…]`` is a footnote.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parent / "library"
_MARKS = ("+++", "++", "+", "==", "=", "##", "#", "~", ">")


@dataclass(frozen=True)
class Source:
    """A parsed source: its fields and its blocks as (mark, text), the mark "" for plain paragraphs."""

    fields: dict[str, str]
    blocks: tuple[tuple[str, str], ...]

    @property
    def created(self) -> datetime:
        """The date that the made file carries."""
        return datetime.fromisoformat(self.fields["created"]).replace(tzinfo=UTC)

    @property
    def output(self) -> Path:
        """Where the made file goes."""
        return LIBRARY / self.fields["output"]


def parse(path: Path) -> Source:
    """Read a source file."""
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return Source(fields, tuple(_blocks(body)))


def _blocks(body: str) -> Iterable[tuple[str, str]]:
    for raw in body.split("\n\n"):
        block = " ".join(raw.split())
        if block:
            mark = next((m for m in _MARKS if block.startswith(m + " ")), "")
            yield mark, block[len(mark) :].strip()


def build(path: Path) -> Path:
    """Make one authority and return the file that was written."""
    source = parse(path)
    if source.output.suffix == ".pdf":
        from pdf import write_pdf

        write_pdf(source)
    else:
        from word import write_docx

        write_docx(source)
    return source.output


def main() -> None:
    """Make all of them."""
    for path in sorted(HERE.glob("*.txt")):
        print(build(path).relative_to(LIBRARY), file=sys.stdout)


if __name__ == "__main__":
    main()
