"""A short form that footnotes inserted, deleted or moved by hand have shifted is reported with its repair."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from note_drafts import AUTHORITIES, WRITERS, Paper, change_paper, find_antecedents, invent_paper, write_docx

from lexls.assessing.check import Problem
from lexls.assessing.excerpt import list_excerpts
from lexls.assessing.rules.footnotes import check_named_notes, check_note_numbers, check_shifted_ids
from lexls.citations.grammar import Grammar
from lexls.library.readers.docx import extract
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.word_draft import read_word_draft
from lexls.text.formats import format_of


@pytest.fixture(scope="module")
def uk() -> Grammar:
    return Grammar.load()


def check(read, token, draft: Draft) -> list[Problem]:  # type: ignore[no-untyped-def]
    snapshot = replace(read("|").snapshot, draft=draft)
    local = [problem for each in list_excerpts(snapshot) for problem in check_note_numbers(each, token)]
    return [*local, *check_named_notes(snapshot, token), *check_shifted_ids(snapshot, token)]


def parse(uk: Grammar, source: str, file: str = "draft.md") -> Draft:
    return DraftParser(uk, "UK").parse("draft", source, format_of("", file))


def parse_paper(uk: Grammar, name: str, paper: Paper) -> Draft:
    if name == "word":
        return read_word_draft("word", extract(write_docx(paper)), uk, "UK")
    file, write = WRITERS[name]
    return parse(uk, write(paper), file)


@pytest.mark.parametrize("name", [*WRITERS, "word"])
@pytest.mark.parametrize("seed", range(20))
def test_a_number_that_points_at_another_authority_is_reported(
    read, token, uk: Grammar, name: str, seed: int
) -> None:
    dice, paper = random.Random(seed), invent_paper(seed)
    for _ in range(3):
        paper = change_paper(paper, dice)
        draft, meant, notes = parse_paper(uk, name, paper), find_antecedents(paper), paper.notes()
        source, problems = draft.source, check(read, token, draft)
        for each in (each for each in notes if each.kind == "short"):
            target = notes[each.note - 1] if each.note <= len(notes) else None
            elsewhere = target is None or 0 <= meant[target.number] != each.authority
            cited = [one for one in notes if one.kind == "full" and _name(one) == _name(each)]
            if meant[each.number] >= 0 or not elsewhere or not cited:
                continue
            end = source.index(f"({each.sign})")
            start = source.rindex(each.words, 0, end)
            found = [one for one in problems if start <= one.span.start < end]
            assert found, source
            assert found[0].fixes, source


def _name(cited) -> str:  # type: ignore[no-untyped-def]
    return AUTHORITIES[cited.authority][0]


INSERTED = """\
One.[^1] Two.[^3] Three.[^2]

[^1]: *Carrow v Dunne* [2014] UKSC 12.
[^2]: {second}
[^3]: {third}
"""


@pytest.mark.parametrize(
    ("second", "third", "written"),
    [
        ("Ibid [14].", "*Merrow v Poole* [2009] UKSC 31.", "*Carrow* (n 1) [14]."),
        ("*Ibid*.", "*Merrow v Poole* [2009] UKSC 31.", "*Carrow* (n 1)."),
        ("Ibid [14].", "*Carrow* (n 1) [3].", None),
        ("*Carrow* (n 1).", "*Merrow v Poole* [2009] UKSC 31.", None),
        ("*Hale v Orr* [2018] UKSC 44. Ibid [2].", "*Merrow v Poole* [2009] UKSC 31.", None),
    ],
)
def test_an_ibid_behind_a_footnote_with_a_later_label(
    read, token, uk: Grammar, second: str, third: str, written: str | None
) -> None:
    source = INSERTED.format(second=second, third=third)
    problems = [each for each in check(read, token, parse(uk, source)) if each.code == "shifted-ibid"]
    assert [each.code for each in problems] == ["shifted-ibid"] * (written is not None)
    for problem in problems:
        (edit,) = problem.fixes[0].edits
        repaired = source[: edit.span.start] + edit.text + source[edit.span.end :]
        assert repaired == INSERTED.format(second=written, third=third)
        assert not check(read, token, parse(uk, repaired))


def test_labels_that_are_words_or_in_order_say_nothing(read, token, uk: Grammar) -> None:
    source = INSERTED.format(second="Ibid.", third="*Merrow v Poole* [2009] UKSC 31.")
    for one, other in (("^2", "^4"), ("^3", "^x")):
        assert not check(read, token, parse(uk, source.replace(one, other)))
