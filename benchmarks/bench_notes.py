"""Compare the order in which lexls reads the footnotes of invented drafts with the order of the print.

    python benchmarks/bench_notes.py [--drafts N]

Each draft is written in five formats, at first and after each of three changes. The printers that are on the
path decide: ``pandoc``, ``asciidoctor`` and ``typst``.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pypdfium2
from note_drafts import WRITERS, change_paper, invent_paper

from lexls.citations.grammar import Grammar
from lexls.reading.draft_parser import DraftParser
from lexls.text.formats import format_of

CHANGES = 4
_SIGN = re.compile(r"\((Sign\d+x)\)")


def _run(command: Sequence[str], source: str) -> str:
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    return done.stdout


def _print_typst(source: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        draft, printed = Path(folder, "draft.typ"), Path(folder, "draft.pdf")
        draft.write_text(source, encoding="utf-8")
        subprocess.run(["typst", "compile", str(draft), str(printed)], check=True, capture_output=True)
        pages = pypdfium2.PdfDocument(printed)
        return "\n".join(page.get_textpage().get_text_range() for page in pages)


_PRINTERS: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "markdown": ("pandoc", lambda source: _run(["pandoc", "-f", "markdown", "-t", "plain"], source)),
    "markdown below": ("pandoc", lambda source: _run(["pandoc", "-f", "markdown", "-t", "plain"], source)),
    "asciidoc": ("asciidoctor", lambda source: _run(["asciidoctor", "-o", "-", "-"], source)),
    "typst": ("typst", _print_typst),
}


def main() -> None:
    """Print how many drafts were numbered as the printer numbers them, by format."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", type=int, default=100)
    drafts = parser.parse_args().drafts
    grammar, agree, total = Grammar.load(), Counter[str](), Counter[str]()
    for seed in range(drafts):
        dice, paper, reader = random.Random(seed), invent_paper(seed), DraftParser(grammar, "UK")
        for _ in range(CHANGES):
            for name, (program, print_draft) in _PRINTERS.items():
                if shutil.which(program) is None:
                    continue
                file, write = WRITERS[name]
                source = write(paper)
                draft = reader.parse(name, source, format_of("", file))
                read = [_SIGN.findall(note.content.of(source)) for note in draft.notes]
                total[name] += 1
                agree[name] += [sign for each in read for sign in each] == _SIGN.findall(print_draft(source))
            paper = change_paper(paper, dice)
    for name, count in total.items():
        print(f"{name} ({_PRINTERS[name][0]}): {agree[name]} of {count} as printed")


if __name__ == "__main__":
    main()
