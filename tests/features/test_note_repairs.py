"""A new footnote leaves every short form pointing at what it pointed at."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from note_drafts import WRITERS, invent_paper

from lexls.citations.grammar import Grammar
from lexls.features.completion import complete, list_repairs
from lexls.features.find_support import find_support
from lexls.features.support_edits import write_support
from lexls.reading.citation_order import find_earlier
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.edit import Edit, apply_edits
from lexls.text.formats import format_of
from lexls.text.spans import Span
from lexls.writing.note_repairs import repair_notes

NEW = ("Ryle v Thorne [2020] UKSC 5", "[2020] UKSC 5")
SIGNED = re.compile(r"\((Sign\d+x)\)")


@pytest.fixture(scope="module")
def uk() -> Grammar:
    return Grammar.load()


def meant(draft: Draft) -> dict[str, str]:
    """The key that the citation before each sign of a footnote stands for."""
    found = {}
    for match in SIGNED.finditer(draft.source):
        before = [each for each in draft.citations if each.span.start < match.start()]
        full = draft.antecedent_of(before[-1]) or before[-1]
        found[match[1]] = full.key if full.form == "full" else ""
    return found


def pointed(draft: Draft) -> dict[str, str]:
    """The sign of the footnote that each footnote's number points at, by the sign of the latter."""
    signs = [
        match[1] if (match := SIGNED.search(note.content.of(draft.source))) else "" for note in draft.notes
    ]
    found = {}
    for note, sign in zip(draft.notes, signs, strict=True):
        number = re.search(r"\(n (\d+)\)", note.content.of(draft.source))
        if number is not None:
            found[sign] = signs[int(number[1]) - 1]
    return found


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("seed", range(30))
def test_a_new_footnote_shifts_nothing(read, uk: Grammar, name: str, seed: int) -> None:
    paper, (file, write) = invent_paper(seed), WRITERS[name]
    dice, parser, format = random.Random(seed), DraftParser(uk, "UK"), format_of("", file)
    source = write(paper)
    draft = parser.parse("before", source, format)
    snapshot = replace(read("|").snapshot, draft=draft)
    for _ in range(3):
        sentence = dice.choice([each for paragraph in paper.paragraphs for each in paragraph])
        at = source.index(sentence.sign) + len(sentence.sign)
        made = [Edit(Span(place, place), text) for place, text in format.insert_note(source, at, NEW[0])]
        repairs = repair_notes(snapshot, at, (NEW[1],), new_note=True)
        after = parser.parse("after", apply_edits(source, [*made, *repairs]), format)
        assert meant(after) == meant(draft), after.source
        was, now = pointed(draft), pointed(after)
        assert {sign: now[sign] for sign in was} == was, after.source


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("seed", range(30))
def test_a_citation_added_to_a_footnote_shifts_nothing(read, uk: Grammar, name: str, seed: int) -> None:
    paper, (file, write) = invent_paper(seed), WRITERS[name]
    dice, parser, format = random.Random(seed), DraftParser(uk, "UK"), format_of("", file)
    source = write(paper)
    draft = parser.parse("before", source, format)
    snapshot = replace(read("|").snapshot, draft=draft)
    for note in dice.sample(draft.notes, min(3, len(draft.notes))):
        at = note.content.start + len(note.content.of(source).rstrip(" .\n"))
        text = format.write_at(source, at, f"; {NEW[0]}")
        repairs = repair_notes(snapshot, at, (NEW[1],), new_note=False)
        after = parser.parse("after", apply_edits(source, [Edit(Span(at, at), text), *repairs]), format)
        now, was = meant(after), meant(draft)
        assert now == was, after.source


@pytest.mark.parametrize(
    ("draft", "repaired"),
    [
        ("*Ibid* [14].", "*Carrow* (n 1) [14]."),
        ("Ibid, at [14].", "*Carrow* (n 1), at [14]."),
        ("See ibid at [4] and *Merrow* (n 9).", "See *Carrow* (n 1) at [4] and *Merrow* (n 9)."),
        ("Text.", "Text."),
        ("*Carrow* (n 1) [4]; above n 2; nn 1–2 above.", "*Carrow* (n 1) [4]; above n 3; nn 1–3 above."),
    ],
)
def test_what_is_written_for_an_ibid(read, uk: Grammar, draft: str, repaired: str) -> None:
    source = f"One.[^1] Two. Three.[^2]\n\n[^1]: *Carrow v Dunne* [2014] UKSC 12.\n[^2]: {draft}\n"
    parsed = DraftParser(uk, "UK").parse("draft", source, format_of("", "draft.md"))
    snapshot = replace(read("|").snapshot, draft=parsed)
    edits = repair_notes(snapshot, source.index(" Three"), (NEW[1],), new_note=True)
    assert apply_edits(source, edits) == source.replace(draft, repaired)
    assert not [
        edit
        for edit in repair_notes(snapshot, source.index(" Three"), ("[2014] UKSC 12",), new_note=True)
        if "Carrow" in edit.text
    ]


def test_a_footnote_in_american_style_points_back_by_its_report(read, uk: Grammar) -> None:
    source = (
        "One.[^1] Two. Three.[^2]\n\n[^1]: *Carrow v. Dunne*, 531 U.S. 98, 99 (2000).\n[^2]: *Id.* at 101.\n"
    )
    parsed = DraftParser(uk, "US").parse("draft", source, format_of("", "draft.md"))
    snapshot = replace(read("|").snapshot, draft=parsed)
    (edit,) = repair_notes(snapshot, source.index(" Three"), ("540 U.S. 1",), new_note=True)
    assert apply_edits(source, [edit]).endswith("[^2]: *Carrow*, 531 U.S. at 101.\n")


NOTED = """\
Wool burns.[^1] A warehouse keeper must guard against damp and vermin|. Charges fail.[^2] So it is.[^3]

[^1]: *Carrow v Luff* [2014] ASC 12.
[^2]: Ibid [4].
[^3]: *Carrow* (n 1) [2]; above n 2.
"""


def test_find_support_repairs_in_one_edit(read, token) -> None:
    marked = read(NOTED)
    options = find_support(marked.snapshot, Span(marked.start, marked.end), 5, token)
    option = next(each for each in options if each.hit.authority.title == "Pell v Stark")
    written = write_support(marked.snapshot, option)
    for edits in (written.full, written.quotation):
        after = apply_edits(marked.draft.source, edits)
        assert "vermin.[^4] Charges" in after
        assert "[^2]: *Carrow* (n 1) [4]." in after
        assert "[^3]: *Carrow* (n 1) [2]; above n 3." in after
        assert "[^4]: *Pell v Stark* [2009] ACA 31" in after


def test_an_accepted_completion_repairs_the_next_ibid(read, token) -> None:
    source = NOTED.replace("vermin|.", "vermin.[^4]") + "[^4]: *Pell|\n"
    marked = read(source)
    items = complete(marked.snapshot, marked.start, token)
    repairs = dict(zip((each.label for each in items), list_repairs(marked.snapshot, items), strict=True))
    (edit,) = repairs["Pell v Stark"]
    assert edit.text == "*Carrow* (n 1)"
    assert edit.span.of(marked.draft.source) == "Ibid"
    behind = read(source.replace("*Pell|", "*Carrow v Luff* [2014] ASC 12; *Pell|"))
    items = complete(behind.snapshot, behind.start, token)
    assert items
    assert not any(list_repairs(behind.snapshot, items))


def test_id_in_the_text_goes_on_with_the_text(read, uk: Grammar) -> None:
    source = (
        "The carrier lost. *Carrow v. Dunne*, 531 U.S. 98, 99 (2000).[^1] *Id.* at 101.\n\n"
        "[^1]: *Merrow v. Poole*, 540 U.S. 1 (2003).\n"
    )
    draft = DraftParser(uk, "US").parse("draft", source, format_of("", "draft.md"))
    short = next(each for each in draft.citations if each.form == "id")
    assert short.key == "531 U.S. 98"
    assert find_earlier(draft, ["531 U.S. 98"], short.span.start).last
    assert not find_earlier(draft, ["540 U.S. 1"], short.span.start).last
