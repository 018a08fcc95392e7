"""Footnote marks without their footnotes, and footnotes without a mark."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.features.blocks import Block
from lexls.features.checks.problem import Edit, Fix, Problem
from lexls.features.draft import Draft
from lexls.features.snapshot import Snapshot
from lexls.settings.diagnostics import MISSING_FOOTNOTE
from lexls.text.cancel import CancelToken
from lexls.text.markup import mask
from lexls.text.spans import Span

_LATEX = re.compile(r"\\footnote(?P<kind>mark|text)(?![A-Za-z])(?:\[(?P<number>\d{1,5})\])?")
_TYPST = re.compile(r"#footnote\(\s*<(?P<label>[\w.:-]{1,80})>\s*\)")


def check(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """A problem for each mark that refers to no footnote, and each footnote that no mark refers to.

    Footnotes whose words stand at their mark cannot be missing.
    """
    draft = snapshot.draft
    if draft.markup == "markdown" and "[^" in draft.source:
        yield from _markdown(draft, token)
    elif draft.markup == "latex" and "\\footnote" in draft.source:
        yield from _latex(draft)
    elif draft.markup == "typst" and "#footnote(" in draft.source:
        yield from _typst(draft)


def _markdown(draft: Draft, token: CancelToken) -> Iterator[Problem]:
    marked: set[str] = set()
    noted: set[str] = set()
    for block in draft.blocks:
        if block.marks:
            marked.update(mark.label.casefold() for mark in block.marks)
        if block.note is not None:
            noted.add(block.note.label.casefold())
    end = len(draft.source.rstrip())
    for block, start in zip(draft.blocks, draft.starts, strict=True):
        note = block.note
        if note is not None and note.label.casefold() not in marked and not _is_code(block, Span(0, 2)):
            token.raise_if_cancelled()
            span = Span(start, start + block.source.index("]:") + 1)
            message = f"no mark refers to footnote [^{note.label}], so it will not be printed"
            yield Problem(span, MISSING_FOOTNOTE.code, message)
        for mark in block.marks:
            if mark.label.casefold() in noted or _is_code(block, mark.span):
                continue
            token.raise_if_cancelled()
            new = f"\n\n[^{mark.label}]: "
            fix = Fix(f"Write footnote [^{mark.label}]", (Edit(Span(end, end), new),))
            message = f"there is no footnote [^{mark.label}]"
            yield Problem(mark.span.shift(start), MISSING_FOOTNOTE.code, message, fixes=(fix,))


def _is_code(block: Block, span: Span) -> bool:
    """Whether what stands there in a block is code: words in its place would be masked too."""
    if not len(block.words):
        return True
    words = block.source[: span.start] + "x" * len(span) + block.source[span.end :]
    return not span.of(mask(words, "markdown")).strip()


def _latex(draft: Draft) -> Iterator[Problem]:
    """LaTeX: ``\\footnotemark`` and ``\\footnotetext`` come in pairs, in order or by number."""
    found = [each for each in _LATEX.finditer(draft.source) if not _commented(draft.source, each.start())]
    for number in dict.fromkeys(each["number"] for each in found):
        marks = [each for each in found if each["number"] == number and each["kind"] == "mark"]
        texts = [each for each in found if each["number"] == number and each["kind"] == "text"]
        if number is not None:
            marks, texts = (marks, []) if not texts else ([], texts) if not marks else ([], [])
            lone = [*marks, *texts]
        elif any(each["number"] is not None for each in found):
            lone = []  # \\footnotetext[3] may belong to the third \\footnotemark
        else:
            lone = marks[len(texts) :] or texts[len(marks) :]
        for each in lone:
            if number is not None and any(other["number"] is None for other in found):
                continue
            there = "text" if each["kind"] == "mark" else "mark"
            message = f"{each.group()} has no \\footnote{there}"
            yield Problem(Span(*each.span()), MISSING_FOOTNOTE.code, message)


def _commented(source: str, offset: int) -> bool:
    line = source[source.rfind("\n", 0, offset) + 1 : offset]
    return re.search(r"(?<!\\)%", line) is not None


def _typst(draft: Draft) -> Iterator[Problem]:
    """Typst: ``#footnote(<label>)`` repeats the footnote that carries the label."""
    for match in _TYPST.finditer(draft.source):
        if draft.source.count(f"<{match['label']}>") == len(
            re.findall(rf"#footnote\(\s*<{re.escape(match['label'])}>", draft.source)
        ):
            message = f"there is no footnote labelled <{match['label']}>"
            yield Problem(Span(*match.span()), MISSING_FOOTNOTE.code, message)
