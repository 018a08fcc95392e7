"""Invent drafts with footnotes that are inserted, deleted and moved, and write each in five formats."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Literal

AUTHORITIES = (
    ("Carrow", "Carrow v Dunne [2014] UKSC 12", "[2014] UKSC 12"),
    ("Carrow", "Carrow v Pell [2016] UKSC 3", "[2016] UKSC 3"),
    ("Merrow", "Merrow v Poole [2009] UKSC 31", "[2009] UKSC 31"),
    ("Merrow", "Merrow v Gore [2011] UKSC 7", "[2011] UKSC 7"),
    ("Hale", "Hale v Orr [2018] UKSC 44", "[2018] UKSC 44"),
)
"""Each authority's short name, its full citation and its key; two cases have one short name."""
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

Kind = Literal["full", "ibid", "short"]


@dataclass(frozen=True)
class Cited:
    """A citation in a sentence or a footnote.

    ``number`` tells it from all others of the draft, ``words`` are what is written. ``authority`` is the one
    that is cited in full or named in short; ``note`` is the number that a short form gives.
    """

    number: int
    kind: Kind
    words: str
    authority: int = -1
    note: int = 0
    in_note: bool = True

    @property
    def sign(self) -> str:
        """Words that nothing else in the draft has."""
        return f"Sign{self.number}x"


@dataclass
class Paper:
    """A draft: paragraphs of citations, each in a sentence of the text or in a footnote behind one."""

    paragraphs: list[list[Cited]]
    made: int = 0
    also: list[str] = field(default_factory=list)

    def notes(self) -> list[Cited]:
        """Return the footnotes in the order of their marks."""
        return [each for paragraph in self.paragraphs for each in paragraph if each.in_note]

    def cite(self, dice: random.Random, before: list[Cited], *, in_note: bool) -> Cited:
        """Make the next citation as somebody writes it who has the notes ``before`` above."""
        self.made += 1
        authority = dice.randrange(len(AUTHORITIES))
        meant = find_antecedents(self)
        kind: Kind = dice.choice(("full", "full", "ibid", "ibid", "short")) if before else "full"
        if kind == "short":
            full = [(at, each) for at, each in enumerate(before, start=1) if each.kind == "full"]
            note, target = dice.choice(full) if full else (0, before[-1])
            if note and meant[target.number] >= 0 and in_note:
                words = f"{AUTHORITIES[target.authority][0]} (n {note})"
                return Cited(self.made, "short", words, target.authority, note)
        if kind == "ibid":
            return Cited(self.made, "ibid", "Ibid", in_note=in_note)
        return Cited(self.made, "full", AUTHORITIES[authority][1], authority, in_note=in_note)


def find_antecedents(paper: Paper) -> dict[int, int]:
    """Return the authority of each citation as a reader of the print finds it, by the citation's number.

    It is -1 where the print does not tell.
    """
    notes = paper.notes()
    meant: dict[int, int] = {each.number: each.authority for each in notes if each.kind == "full"}
    in_text, before = -1, -1
    for each in (each for paragraph in paper.paragraphs for each in paragraph):
        if not each.in_note:
            meant[each.number] = in_text = each.authority if each.kind == "full" else in_text
            continue
        if each.kind == "ibid":
            meant[each.number] = before
        elif each.kind == "short":
            target = notes[each.note - 1] if 0 < each.note <= len(notes) else None
            found = meant.get(target.number, -1) if target is not None else -1
            named = found >= 0 and AUTHORITIES[found][0] == AUTHORITIES[each.authority][0]
            meant[each.number] = found if named else -1
        before = meant[each.number]
    return meant


def invent_paper(seed: int) -> Paper:
    """Return a draft whose short forms are right when it is written."""
    dice = random.Random(seed)
    paper = Paper([])
    for _ in range(dice.randint(2, 5)):
        paper.paragraphs.append([])
        for _ in range(dice.randint(1, 4)):
            in_note = dice.random() < 0.85
            cited = paper.cite(dice, paper.notes(), in_note=in_note)
            paper.paragraphs[-1].append(cited)
    return paper


def change_paper(paper: Paper, dice: random.Random) -> Paper:
    """Return the draft after a footnote was inserted, deleted or moved, and nothing else was repaired."""
    paper = deepcopy(paper)
    notes = paper.notes()
    change = dice.choice(("insert", "insert", "delete", "move")) if len(notes) > 2 else "insert"
    if change != "insert":
        gone = dice.choice(notes)
        for paragraph in paper.paragraphs:
            if gone in paragraph:
                paragraph.remove(gone)
    paragraph = dice.choice(paper.paragraphs)
    at = dice.randint(0, len(paragraph))
    if change == "move":
        paragraph.insert(at, gone)
    elif change == "insert":
        first = sum(len([each for each in one if each.in_note]) for one in paper.paragraphs)
        paragraph.insert(at, paper.cite(dice, notes[: dice.randint(0, first)], in_note=True))
    return paper


# -- the formats ---------------------------------------------------------------------------------------------


def _sentence(each: Cited) -> str:
    return f"The carrier lost {each.sign}" + ("." if each.in_note else f": {each.words} at [4].")


def _words(each: Cited) -> str:
    return f"{each.words} at [4] ({each.sign})."


def write_markdown(paper: Paper) -> str:
    """Write the draft with its footnotes behind the text, in the order in which they were written."""
    text = [
        " ".join(_sentence(each) + (f"[^{each.number}]" if each.in_note else "") for each in paragraph)
        for paragraph in paper.paragraphs
    ]
    notes = sorted(paper.notes(), key=lambda each: each.number)
    if notes:  # in a comment, in code and twice: none of these counts
        text.insert(0, f"<!-- was[^{notes[-1].number}] -->")
        text.insert(1, f"As `x[^{notes[-1].number}]` and [^none] say.")
    defined = "\n".join(f"[^{each.number}]: {_words(each)}" for each in notes)
    return "\n\n".join([*text, defined, "[^lost]: Not printed.\n"])


def write_markdown_below(paper: Paper) -> str:
    """Write the draft with each footnote below its paragraph, the last one first and of two paragraphs."""
    parts = []
    for paragraph in paper.paragraphs:
        parts.append(" ".join(_sentence(each) + (f"[^n{each.number}]" * each.in_note) for each in paragraph))
        noted = [each for each in paragraph if each.in_note]
        parts += [f"[^n{each.number}]: In short.\n\n    {_words(each)}" for each in reversed(noted)]
    return "\n\n".join(parts) + "\n"


def _inline(paper: Paper, write: Callable[[str], str]) -> str:
    return "\n\n".join(
        " ".join(_sentence(each) + (write(_words(each)) if each.in_note else "") for each in paragraph)
        for paragraph in paper.paragraphs
    )


def write_asciidoc(paper: Paper) -> str:
    """Write the draft in AsciiDoc, with a footnote in a comment."""
    text = _inline(paper, lambda words: f"footnote:[{words.replace(']', chr(92) + ']')}]")
    return f"// was footnote:[Ibid.]\n\n{text}\n"


def write_latex(paper: Paper) -> str:
    """Write the draft in LaTeX, with a footnote in a comment."""
    return f"% was \\footnote{{Ibid.}}\n\n{_inline(paper, lambda words: f'{chr(92)}footnote{{{words}}}')}\n"


def write_typst(paper: Paper) -> str:
    """Write the draft in Typst, with a footnote in a comment."""
    return f"// was #footnote[Ibid.]\n\n{_inline(paper, lambda words: f'#footnote[{words}]')}\n"


WRITERS: Mapping[str, tuple[str, Callable[[Paper], str]]] = {
    "markdown": ("draft.md", write_markdown),
    "markdown below": ("draft.md", write_markdown_below),
    "asciidoc": ("draft.adoc", write_asciidoc),
    "latex": ("draft.tex", write_latex),
    "typst": ("draft.typ", write_typst),
}
"""By format the name of a file, and how a draft is written."""


def write_docx(paper: Paper) -> bytes:
    """Write the draft as a Word document whose footnotes have the ids of the order of their writing."""

    def body() -> Iterator[str]:
        for paragraph in paper.paragraphs:
            runs = (
                _run(_sentence(each) + " ")
                + (f'<w:r><w:footnoteReference w:id="{each.number}"/></w:r>' if each.in_note else "")
                for each in paragraph
            )
            yield f"<w:p>{''.join(runs)}</w:p>"

    notes = "".join(
        f'<w:footnote w:id="{each.number}"><w:p>{_run(" " + _words(each))}</w:p></w:footnote>'
        for each in sorted(paper.notes(), key=lambda each: each.number)
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(
            "word/document.xml", f"<w:document {_W}><w:body>{''.join(body())}</w:body></w:document>"
        )
        archive.writestr("word/footnotes.xml", f"<w:footnotes {_W}>{notes}</w:footnotes>")
    return stream.getvalue()


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'
