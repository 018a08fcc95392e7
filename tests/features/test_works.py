"""A draft of several files is read as what they print together; what can't be told is left open."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from lexls.assessing.cross_references import find_note_number
from lexls.citations.grammar import Grammar
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.text.formats import FORMATS

GRAMMAR = Grammar.load()
SUFFIXES = {"latex": ".tex", "typst": ".typ", "asciidoc": ".adoc"}
PUT_IN = {
    "latex": ("\\input{%s}", "\\include{%s}", "\\subfile{%s.tex}", "\\import{.}{%s}"),
    "typst": ('#include "%s.typ"',),
    "asciidoc": ("include::%s.adoc[]", "include::%s.adoc[leveloffset=+1]"),
}
NOTES = {"latex": "\\footnote{%s}", "typst": "#footnote[%s]", "asciidoc": "footnote:[%s]"}
SENTENCES = (
    "The rule is settled: Vane v Rook [2019] UKSC 55.",
    "So did Carrow v Luff [2014] UKSC 3, at [4].",
    "Ibid at [12].",
    "See also Harbours Act 1998, s 5.",
    "By section 7 that is so.",
    "As Carrow at [3] says.",
    "Vane, above, at [8].",
    "The Wharves Act 1972 (“the Wharves Act”) says so.",
    "Under the Wharves Act, s 3, it does.",
    "Nothing is cited here.",
)


def write(folder: Path, format: str, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / f"{name}{SUFFIXES[format]}"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")


def parse(folder: Path, format: str, name: str, parser: DraftParser | None = None) -> Draft:
    path = folder / f"{name}{SUFFIXES[format]}"
    parser = parser or DraftParser(GRAMMAR, "UK")
    return parser.parse(path.as_uri(), path.read_text(encoding="utf-8"), FORMATS[format])


def keys(draft: Draft) -> list[tuple[str, str]]:
    return [(each.text, each.key) for each in draft.citations]


def pairs() -> list[tuple[str, str]]:
    return [(format, mark) for format, marks in PUT_IN.items() for mark in marks]


def divide(chance: random.Random, paragraphs: list[str], format: str) -> tuple[dict[str, str], list[str]]:
    """Paragraphs as files that put one another in, and the names of these in the order of their first
    paragraphs."""
    files: dict[str, list[str]] = {"main": []}
    stack = ["main"]
    for paragraph in paragraphs:
        if len(stack) > 1 and chance.random() < 0.3:
            stack.pop()
        elif len(stack) < 4 and chance.random() < 0.4:
            name = f"part{len(files)}"
            files[stack[-1]].append(chance.choice(PUT_IN[format]) % name)
            files[name] = []
            stack.append(name)
        files[stack[-1]].append(paragraph)
    return {name: "\n\n".join(texts) + "\n" for name, texts in files.items()}, list(files)


@pytest.mark.parametrize("format", PUT_IN)
@pytest.mark.parametrize("seed", range(12))
def test_files_are_read_as_the_one_text_that_they_print(format: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    chosen = [chance.choice(SENTENCES) for _ in range(16)]
    paragraphs = [f"Words.{NOTES[format] % each}" if chance.random() < 0.3 else each for each in chosen]
    write(tmp_path / "one", format, {"main": "\n\n".join(paragraphs) + "\n"})
    whole = keys(parse(tmp_path / "one", format, "main"))
    texts, names = divide(chance, paragraphs, format)
    write(tmp_path / "many", format, texts)
    parser = DraftParser(GRAMMAR, "UK")
    parts = [keys(parse(tmp_path / "many", format, name, parser)) for name in names]
    assert sorted(each for part in parts for each in part) == sorted(whole)
    assert sum(map(bool, parts)) > 1


@pytest.mark.parametrize(("format", "mark"), pairs())
def test_an_ibid_goes_on_behind_a_file_and_in_one(format: str, mark: str, tmp_path: Path) -> None:
    before, inner = "Vane v Rook [2019] UKSC 55.", "Ibid at [1].\n\nCarrow v Luff [2014] UKSC 3."
    write(tmp_path, format, {"main": f"{before}\n\n{mark % 'facts'}\n\nIbid at [9].\n", "facts": inner})
    assert keys(parse(tmp_path, format, "facts"))[0] == ("Ibid at [1]", "[2019] UKSC 55")
    assert keys(parse(tmp_path, format, "main"))[-1] == ("Ibid at [9]", "[2014] UKSC 3")


UNTOLD = {
    "no such file": {"main": "{cited}\n\n{missing}\n\nIbid at [9].\n"},
    "put in twice": {"main": "{cited}\n\n{facts}\n\n{facts}\n\nIbid at [9].\n", "facts": "Words."},
    "puts itself in": {"main": "{cited}\n\n{facts}\n\nIbid at [9].\n", "facts": "{facts}\n"},
    "puts the main file in": {"main": "{cited}\n\n{facts}\n\nIbid at [9].\n", "facts": "{main}\n"},
}


@pytest.mark.parametrize("texts", UNTOLD.values(), ids=UNTOLD)
@pytest.mark.parametrize(("format", "mark"), pairs())
def test_what_cannot_be_told_is_left_open(
    format: str, mark: str, texts: Mapping[str, str], tmp_path: Path
) -> None:
    marks = {name: mark % name for name in ("facts", "main", "missing")}
    cited = "Vane v Rook [2019] UKSC 55."
    write(tmp_path, format, {name: text.format(cited=cited, **marks) for name, text in texts.items()})
    last = parse(tmp_path, format, "main").citations[-1]
    assert (last.text, last.key, last.unread) == ("Ibid at [9]", "", True)


@pytest.mark.parametrize("mark", PUT_IN["latex"])
def test_a_file_within_a_line_is_left_open(mark: str, tmp_path: Path) -> None:
    text = f"Vane v Rook [2019] UKSC 55.\n\nSee {mark % 'facts'} and more. Ibid at [9].\n"
    write(tmp_path, "latex", {"main": text, "facts": "Ibid at [1]."})
    assert parse(tmp_path, "latex", "main").citations[-1].unread
    expect_left_open(parse(tmp_path, "latex", "facts"))


def test_a_file_of_another_folder_than_the_workspace_is_not_read(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    text = "Vane v Rook [2019] UKSC 55.\n\n\\input{../outside/facts}\n\nIbid at [9].\n"
    write(inside, "latex", {"main": text})
    write(outside, "latex", {"facts": "Carrow v Luff [2014] UKSC 3.\n"})
    assert keys(parse(inside, "latex", "main"))[-1][1] == "[2014] UKSC 3"
    fenced = DraftParser(GRAMMAR, "UK", named_in=[inside])
    assert not keys(parse(inside, "latex", "main", fenced))[-1][1]


def expect_left_open(draft: Draft) -> None:
    """Its first citation, an *ibid*, stands for what was not read, and no note is told by its number."""
    first = draft.citations[0]
    assert (first.text, first.key, first.unread) == ("Ibid at [1]", "", True)
    assert all(find_note_number(draft, each) is None for each in draft.citations)


@pytest.mark.parametrize(("format", "mark"), pairs())
def test_the_top_of_a_file_that_two_files_put_in_is_left_open(format: str, mark: str, tmp_path: Path) -> None:
    cited = "Vane v Rook [2019] UKSC 55."
    facts = f"Ibid at [1].\n\n{cited}\n\nIbid at [2].\n\n{mark % 'inner'}\n\nIbid at [3].\n"
    inner = "Carrow v Luff [2014] UKSC 3. Carrow (n 1) [4].\n"
    text = f"{cited}\n\n{mark % 'facts'}\n"
    write(tmp_path, format, {"main": text, "facts": facts, "inner": inner})
    draft = parse(tmp_path, format, "facts")
    assert draft.citations[0].key == "[2019] UKSC 55"
    write(tmp_path, format, {"older": text})
    draft = parse(tmp_path, format, "facts")
    expect_left_open(draft)
    assert [key for _, key in keys(draft)[1:]] == ["[2019] UKSC 55", "[2019] UKSC 55", "[2014] UKSC 3"]
    # What comes before it in the file that puts it in is read.
    assert [key for _, key in keys(parse(tmp_path, format, "inner"))] == ["[2014] UKSC 3"] * 2


@pytest.mark.parametrize(("format", "mark"), pairs())
def test_the_top_of_a_file_that_a_file_puts_in_twice_is_left_open(
    format: str, mark: str, tmp_path: Path
) -> None:
    text = f"Vane v Rook [2019] UKSC 55.\n\n{mark % 'facts'}\n\n{mark % 'facts'}\n"
    write(tmp_path, format, {"main": text, "facts": "Ibid at [1].\n"})
    expect_left_open(parse(tmp_path, format, "facts"))


def test_a_file_that_only_a_comment_puts_in_is_read_alone(tmp_path: Path) -> None:
    text = "Vane v Rook [2019] UKSC 55.\n\n% \\input{facts}\n"
    write(tmp_path, "latex", {"main": text, "facts": "Ibid at [1].\n"})
    draft = parse(tmp_path, "latex", "facts")
    assert draft.work is None
    assert not draft.citations[0].unread


DECLARED = ("% !TEX root = ../brief/whole.tex\n", "\\documentclass[../brief/whole.tex]{subfiles}\n")


@pytest.mark.parametrize("declared", DECLARED)
def test_a_file_that_says_its_main_file_is_read_in_it(declared: str, tmp_path: Path) -> None:
    whole = "Vane v Rook [2019] UKSC 55.\n\n\\subfile{../parts/facts}\n"
    write(tmp_path, "latex", {"brief/whole": whole, "parts/facts": f"{declared}Ibid at [1].\n"})
    assert keys(parse(tmp_path, "latex", "parts/facts")) == [("Ibid at [1]", "[2019] UKSC 55")]


def test_latex_looks_for_a_file_beside_the_main_one_first(tmp_path: Path) -> None:
    texts = {
        "main": "\\input{parts/one}\n\nIbid at [1].\n",
        "parts/one": "\\input{facts}\n",
        "facts": "Vane v Rook [2019] UKSC 55.\n",
        "parts/facts": "Carrow v Luff [2014] UKSC 3.\n",
    }
    write(tmp_path, "latex", texts)
    assert keys(parse(tmp_path, "latex", "main")) == [("Ibid at [1]", "[2019] UKSC 55")]


def test_a_file_that_was_saved_anew_is_read_anew(tmp_path: Path) -> None:
    write(
        tmp_path,
        "latex",
        {"main": "\\input{facts}\n\nIbid at [1].\n", "facts": "Vane v Rook [2019] UKSC 55."},
    )
    parser = DraftParser(GRAMMAR, "UK")
    first = parse(tmp_path, "latex", "main", parser)
    assert parse(tmp_path, "latex", "main", parser) is first
    write(tmp_path, "latex", {"facts": "Carrow v Luff [2014] UKSC 3, here."})
    os.utime(tmp_path / "facts.tex", ns=(1, 1))
    second = parse(tmp_path, "latex", "main", parser)
    assert [keys(each)[-1][1] for each in (first, second)] == ["[2019] UKSC 55", "[2014] UKSC 3"]
    (tmp_path / "facts.tex").unlink()
    assert parse(tmp_path, "latex", "main", parser).citations[-1].unread


def test_an_edit_is_read_as_a_first_reading_is(tmp_path: Path) -> None:
    write(tmp_path, "latex", {"facts": "Carrow v Luff [2014] UKSC 3."})
    parser, uri = DraftParser(GRAMMAR, "UK"), (tmp_path / "main.tex").as_uri()
    before = "Vane v Rook [2019] UKSC 55.\n\nMore.\n\nIbid at [12].\n"
    after = before.replace("More.", "\\input{facts}")
    for source in (before, after, before + "Ibid.\n", after + "Ibid.\n", after):
        found = parser.parse(uri, source, FORMATS["latex"]).citations
        fresh = DraftParser(GRAMMAR, "UK").parse(uri, source, FORMATS["latex"]).citations
        assert list(found) == list(fresh)


COUNTED = {
    "before the other file": ("", "%s\n\n\\input{facts}\n", True),
    "in a main file that names itself": ("", "%% !TEX root = main.tex\n\n%s\n\n\\input{facts}\n", True),
    "behind it": ("", "\\input{facts}\n\n%s\n", False),
    "within the work": ("Vane v Rook [2019] UKSC 55.\n\n\\input{facts}\n", "%s\n", False),
    "in a chapter": ("\\input{facts}\n", "\\chapter{Law}\n\n%s\n", True),
    "in a section": ("\\input{facts}\n", "\\section{Law}\n\n%s\n", False),
}


@pytest.mark.parametrize(("above", "text", "known"), COUNTED.values(), ids=COUNTED)
def test_a_number_tells_a_note_only_where_notes_are_counted(
    above: str, text: str, known: bool, tmp_path: Path
) -> None:
    noted = r"One.\footnote{Carrow v Luff [2014] UKSC 3.} Two.\footnote{Carrow (n 1) [3].}"
    name = "facts" if above else "main"
    write(tmp_path, "latex", {"facts": "Words.\\footnote{Vane v Rook [2019] UKSC 55.}\n", "main": above})
    write(tmp_path, "latex", {name: text % noted})
    draft = parse(tmp_path, "latex", name)
    assert draft.citations[-1].key == "[2014] UKSC 3"
    assert (find_note_number(draft, draft.citations[-1]) is not None) == known


def test_a_key_of_the_main_file_is_cited_in_the_others(tmp_path: Path) -> None:
    (tmp_path / "law.bib").write_text(
        "@jurisdiction{vane, title = {Vane v Rook}, number = {[2019] UKSC 55}}\n"
    )
    main = "\\addbibresource{law.bib}\n\\begin{document}\n\\input{facts}\n\nIbid at [3].\n\\end{document}\n"
    write(tmp_path, "latex", {"main": main, "facts": "As \\autocite[12]{vane} says.\n\nIbid at [2].\n"})
    found = [keys(parse(tmp_path, "latex", name))[-1][1] for name in ("facts", "main")]
    assert found[0] == found[1] != ""
