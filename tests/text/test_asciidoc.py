"""AsciiDoc as Asciidoctor reads it: what is masked, found and written."""

from __future__ import annotations

import pytest

from lexls.text.blanking import FILLER
from lexls.text.formats import FORMATS, format_of
from lexls.text.sentences import find_paragraphs

ASCIIDOC = FORMATS["asciidoc"]


def visible(source: str) -> str:
    """What can be read in the masked source, which has the source's length and lines."""
    masked = ASCIIDOC.mask(source)
    assert len(masked) == len(source)
    assert masked.count("\n") == source.count("\n")
    return " ".join(masked.replace(FILLER, "").split())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("See _Carrow v Dunne_, [2014] ASC 12.", "See Carrow v Dunne , [2014] ASC 12."),
        ("a *bold _and both_* **un**constrained", "a bold and both unconstrained"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("a `code` and ``co``de", "a and de"),
        ("#marked# [.role]#text# H~2~O x^2^", "marked text H 2 O x 2"),
        ("text.footnote:[See _R v Poole_ [2009\\] ACA 31.] More", "text. See R v Poole [2009 ] ACA 31. More"),
        ("again.footnote:one[]", "again."),
        ("see link:https://x.example/a[the text,window=_blank] end", "see the text end"),
        ("see https://x.example[shown^] and https://x.example/b", "see shown and https://x.example/b"),
        ("<<id,words>> <<id>> [[anchor]]x xref:b.adoc#c[there]", "words x there"),
        ("((term)) and (((hidden, too))) image:a.png[seal]", "term and"),
        ("\"`quoted`\" and '`single`'", "“quoted” and ‘single’"),
        ("A{nbsp}B &sect; 5 {asterisk} &#167; {own-attribute} end", "A B § 5 * § end"),
        (r"\*not* \{a} \footnote:[b] \<<c>>", "*not* {a} footnote:[b] <<c>>"),
        ("+*as it is*+ and pass:[<u>x</u>] and +++<b>y</b>+++", "*as it is* and x and y"),
        ("R (C) v Ryle [2014] ASC 12 (Comm)", "R (C) v Ryle [2014] ASC 12 (Comm)"),
    ],
)
def test_marks_inside_of_lines_are_blanked(source: str, expected: str) -> None:
    assert visible(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("= Title\nJane Doe <j@x.example>\n:toc:\n\nBody", "Title Body"),
        ("== Facts ==\n\n.A title\nText", "Facts A title Text"),
        ("Title\n-----\n\nText", "Title Text"),
        (":note: value \\\n  goes on\n\nText\n:no: entry", "Text :no: entry"),
        ("----\n[2014] ASC 1\n----\nafter", "after"),
        ("....\nliteral\n....\n\n    literal too\n\nafter", "after"),
        ("++++\n<b>raw</b>\n++++\nafter", "after"),
        ("```python\ncode\n```\nafter", "after"),
        ("----\nnever closed", ""),
        ("////\ngone\n\ntoo\n////\n// [2014] ASC 1\nkept", "kept"),
        (
            "[quote, Lord Hale, Hale v Orr [2014] ASC 12]\n____\nWords.\n____",
            "Lord Hale, Hale v Orr [2014] ASC 12 Words.",
        ),
        ("[source,python]\n[[id]]\nText", "Text"),
        ("[12] at the beginning", "[12] at the beginning"),
        ("* one\n** two\n. three\n- four\nterm:: five", "one two three four term five"),
        ("|===\n|a |b *c*\n\n2+|d\n|===\nout", "a b c d out"),
        ("image::x.png[alt]\ninclude::b.adoc[]\n\n'''\n\n<<<\nText +\nmore", "Text more"),
        ("====\nExample\n====\n\n****\nSidebar\n****\n--\nopen\n--", "Example Sidebar open"),
        ("> quoted\n> so", "quoted so"),
    ],
)
def test_marks_of_blocks_are_blanked(source: str, expected: str) -> None:
    assert visible(source) == expected


def test_items_and_cells_are_paragraphs_of_their_own() -> None:
    masked = ASCIIDOC.mask("* one\n* two\n\n|===\n|a |b\n|===\n")
    assert [span.of(masked).strip() for span in find_paragraphs(masked)] == ["one", "two", "a", "b"]


def test_headings_have_their_depths_and_code_has_none() -> None:
    source = "= Skeleton\n\n== Facts\n\n----\n== no heading\n----\n\nLaw\n~~~\n\ntext\n== none either\n"
    found = ASCIIDOC.find_headings(source, ASCIIDOC.mask(source))
    assert [(each.level, each.title) for each in found] == [(1, "Skeleton"), (2, "Facts"), (3, "Law")]


def test_the_first_bracket_that_is_not_escaped_ends_a_footnote() -> None:
    source = "Liable.footnote:[Hale [2014\\] ASC 12.] And.footnote:two[Orr.] Again.footnote:two[]"
    notes = list(ASCIIDOC.find_notes(source))
    assert [note.content.of(source) for note in notes] == ["Hale [2014\\] ASC 12.", "Orr."]
    behind = ASCIIDOC.find_note_behind(source, len("Liable."))
    assert behind == notes[0]


def test_a_new_footnote_and_words_written_into_one_escape_its_bracket() -> None:
    assert ASCIIDOC.insert_note("Liable.", 7, "[2014] ASC 12") == [(7, "footnote:[[2014\\] ASC 12.]")]
    source = "Liable.footnote:[Hale.] End."
    assert ASCIIDOC.write_at(source, source.index("Hale"), "[2014] ASC 12") == "[2014\\] ASC 12"
    assert ASCIIDOC.write_at(source, len(source), "[2014] ASC 12") == "[2014] ASC 12"


def test_a_label_without_words_is_missed() -> None:
    source = "One.footnote:a[Words.] Two.footnote:a[] Three.footnote:b[]"
    ((span, wrong),) = ASCIIDOC.find_lone_notes(source)
    assert span.of(source) == "footnote:b[]"
    assert wrong == "there is no footnote labelled b"


@pytest.mark.parametrize(
    ("source", "quoted"),
    [
        ("Before:\n\n____\nOne.\n\nTwo.\n____\n\nAfter.", ["One.", "Two."]),
        ("Before:\n\n[quote]\nOne.\n\nAfter.", ["One."]),
        ("> One.\n\nAfter.", ["One."]),
    ],
)
def test_block_quotations_are_found(source: str, quoted: list[str]) -> None:
    masked = ASCIIDOC.mask(source)
    found = find_paragraphs(masked)
    assert [
        found[place].of(masked) for place in ASCIIDOC.find_block_quotations(source, lambda: found)
    ] == quoted


@pytest.mark.parametrize(
    "text", ["A*B_C `d` #1 {x} a+b c~d e^f <g> &amp; R (C) v Q \\x", "((a)) [[b]] -- ... ::"]
)
def test_what_is_escaped_reads_as_it_was(text: str) -> None:
    words = visible(f"Words {ASCIIDOC.write_words(text)} end")
    assert words.replace(" ", "") == f"Words {text} end".replace(" ", "")


def test_blocks_comments_and_the_header_fold() -> None:
    source = "= Title\n:toc:\n\n----\ncode\n----\n\n////\nnote\n////\n\n____\nquoted\n____\n"
    found = {(each.kind, each.span.of(source).split("\n")[0]) for each in ASCIIDOC.find_folds(source)}
    assert found == {("block", "= Title"), ("block", "----"), ("comment", "////"), ("block", "____")}


def test_it_is_known_by_language_and_suffix() -> None:
    assert {format_of("", name) for name in ("a.adoc", "a.asciidoc", "a.ASC")} == {ASCIIDOC}
    assert format_of("asciidoc", "x.txt") is ASCIIDOC
