"""Footnotes are read, numbered and pointed at as they are printed, in every format."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from note_drafts import (
    AUTHORITIES,
    WRITERS,
    Paper,
    change_paper,
    find_antecedents,
    invent_paper,
    write_docx,
    write_markdown,
    write_markdown_below,
)

from lexls.citations.grammar import Grammar
from lexls.library.readers.docx import extract
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.word_draft import read_word_draft
from lexls.text.formats import format_of

CHANGES = 4
KEYS = {key: number for number, (_, _, key) in enumerate(AUTHORITIES)}


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load()


def read_versions(grammar: Grammar, seed: int) -> Iterator[tuple[str, Paper, Draft]]:
    """Each version of an invented draft in each format, read by a parser that saw the versions before."""
    dice = random.Random(seed)
    paper, parser = invent_paper(seed), DraftParser(grammar, "UK")
    for _ in range(CHANGES):
        for name, (file, write) in WRITERS.items():
            yield name, paper, parser.parse(name, write(paper), format_of("", file))
        yield "word", paper, read_word_draft("word", extract(write_docx(paper)), grammar, "UK")
        paper = change_paper(paper, dice)


def find_meant(draft: Draft, paper: Paper) -> dict[int, int]:
    """What lexls takes each citation of an invented draft for, by the citation's number; -1 for nothing."""
    found = {}
    for each in (each for paragraph in paper.paragraphs for each in paragraph):
        if each.in_note:
            at = draft.source.index(f"({each.sign})")
            citation = [one for one in draft.citations if one.span.start < at][-1]
        else:
            at = draft.source.index(f"{each.sign}:")
            citation = next(one for one in draft.citations if one.span.start > at)
        full = draft.antecedent_of(citation) or citation
        found[each.number] = KEYS.get(full.key, -1) if full.form == "full" else -1
    return found


@pytest.mark.parametrize("seed", range(40))
def test_short_forms_stand_for_what_the_print_says(grammar: Grammar, seed: int) -> None:
    for name, paper, draft in read_versions(grammar, seed):
        expected = {number: at for number, at in find_antecedents(paper).items() if at >= 0}
        meant = find_meant(draft, paper)
        assert {number: meant[number] for number in expected} == expected, (name, draft.source)


@pytest.mark.parametrize("seed", range(40))
def test_notes_have_the_numbers_of_the_print(grammar: Grammar, seed: int) -> None:
    for name, paper, draft in read_versions(grammar, seed):
        signs = [each.sign for each in paper.notes()]
        assert [note.number for note in draft.notes] == list(range(1, len(signs) + 1)), name
        words = [note.content.of(draft.source) for note in draft.notes]
        assert all(f"({sign})" in each for sign, each in zip(signs, words, strict=True)), (name, words)


@pytest.mark.skipif(shutil.which("pandoc") is None, reason="no pandoc here")
@pytest.mark.parametrize("seed", range(20))
def test_pandoc_numbers_them_so(seed: int) -> None:
    paper = invent_paper(seed)
    for source in (write_markdown(paper), write_markdown_below(paper)):
        printed = subprocess.run(
            ["pandoc", "-f", "markdown", "-t", "plain"],
            input=source,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        at = [printed.index(f"({each.sign})") for each in paper.notes()]
        assert at == sorted(at)
