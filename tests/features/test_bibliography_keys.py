"""Citations by key: every feature answers on them as on any other citation, in the three markups."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.features.completion import complete
from lexls.features.hover import hover
from lexls.features.inlays import find_hints
from lexls.features.navigation import find_definitions, find_references
from lexls.features.semantic_tokens import find_tokens
from lexls.index.library import Library
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from lexls.writing.convert import convert_in

BIB = """
@jurisdiction{carrow, title = {Carrow v Luff}, number = {[2014] ASC 12}, date = {2014-03-09}}
@jurisdiction{thornby, title = {Thornby Estates Ltd v Registrar of Tides}, reporter = {AldLR}, volume = {4},
  pages = {212}, year = {1987}}
@jurisdiction{absent, title = {Gannet v Skua}, number = {[2011] ASC 2}, year = {2011}}
@legislation{carriage, title = {Carriage of Goods Act 1994}}
"""
MARKDOWN = "---\ntitle: Opinion\nbibliography: refs.bib\n---\n\n"
LATEX = "\\documentclass{article}\n\\addbibresource{refs.bib}\n\\begin{document}\n\n"
TYPST = '#bibliography("refs.bib")\n\n'
HEADS: dict[str, str] = {"markdown": MARKDOWN, "latex": LATEX, "typst": TYPST}


class Drafts:
    """Reads and checks drafts that lie in one folder beside ``refs.bib``."""

    def __init__(self, folder: Path, grammar: Grammar, library: Library) -> None:
        self.folder = folder
        self.grammar = grammar
        self.library = library
        self.parser = DraftParser(grammar, "Aldmoor")

    def read(self, source: str, markup: str = "markdown") -> Draft:
        return self.parser.parse((self.folder / "draft").as_uri(), source, FORMATS[markup])

    def snapshot(self, source: str, markup: str = "markdown", **settings: object) -> Snapshot:
        current = replace(Settings(jurisdiction="Aldmoor"), **settings)  # type: ignore[arg-type]
        return Snapshot(
            self.read(source, markup), self.library, Searcher(self.library, grammar=self.grammar), current
        )

    def check(self, source: str, markup: str = "markdown", **settings: object) -> list[Finding]:
        return check(self.snapshot(source, markup, **settings), CancelToken())


@pytest.fixture
def drafts(tmp_path: Path, grammar: Grammar, library: Library) -> Drafts:
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    return Drafts(tmp_path, grammar, library)


CITED: list[tuple[str, str]] = [
    ("markdown", "So it was held [@carrow, para 3]."),
    ("latex", "So it was held \\autocite[para 3]{carrow}."),
    ("typst", "So it was held @carrow[para 3]."),
]


@pytest.mark.parametrize(("markup", "text"), CITED)
def test_hover_definition_and_references_answer_on_a_key(drafts: Drafts, markup: str, text: str) -> None:
    source = HEADS[markup] + text + "\n"
    snapshot = drafts.snapshot(source, markup)
    at = source.rindex("carrow") + 2
    shown = hover(snapshot, at, CancelToken())
    assert shown is not None
    assert "Carrow v Luff" in shown.markdown
    assert "A carrier who leaves the agreed route" in shown.markdown
    (citation,) = snapshot.draft.citations
    assert citation.text == citation.span.of(source)
    found = find_definitions(snapshot, at, CancelToken())
    assert found
    own, *others = find_references(snapshot, at, (), CancelToken()).drafts
    assert (own.span, others) == (citation.span, [])


@pytest.mark.parametrize(("markup", "text"), CITED)
def test_a_wrong_place_is_told_at_the_locator(drafts: Drafts, markup: str, text: str) -> None:
    source = HEADS[markup] + text.replace("para 3", "para 52") + "\n"
    (found,) = drafts.check(source, markup)
    assert (found.code, found.span.of(source)) == ("pinpoint-not-found", "52")
    assert drafts.check(HEADS[markup] + text + "\n", markup) == []


@pytest.mark.parametrize(("markup", "text"), CITED)
def test_an_authority_that_is_not_held_is_told_by_its_citation(
    drafts: Drafts, markup: str, text: str
) -> None:
    source = HEADS[markup] + text.replace("carrow", "absent") + "\n"
    (found,) = drafts.check(source, markup)
    assert (found.code, found.span.of(source)) == ("not-in-library", "absent")
    assert found.message == "Gannet v Skua [2011] ASC 2 is not in your library"
    shown = hover(drafts.snapshot(source, markup), source.rindex("absent"), CancelToken())
    assert shown is not None
    assert "[2011] ASC 2" in shown.markdown


def test_short_forms_stand_for_what_a_key_cites(drafts: Drafts) -> None:
    draft = drafts.read(
        MARKDOWN + "Held [@carrow]. *Ibid* at [4]. Later *Carrow* at [5]; s 12(1) [@carriage].\n"
    )
    keyed, ibid, short, *_ = draft.citations
    assert [each.key for each in (keyed, ibid, short)] == ["[2014] ASC 12"] * 3
    assert (ibid.antecedent, short.antecedent) == (0, 0)


def test_a_bare_section_is_of_the_act_that_a_key_cites(drafts: Drafts) -> None:
    draft = drafts.read(MARKDOWN + "See [@carriage, s 12(1)]. By section 13 it is too late.\n")
    act, section = draft.citations
    assert (act.kind, act.pinpoint and act.pinpoint.labels) == ("statute", ("12(1)",))
    assert (section.form, section.key) == ("section", act.key)


def test_a_key_is_explained_by_a_hint_and_coloured(drafts: Drafts) -> None:
    source = MARKDOWN + "So it was held [@carrow, para 3].\n"
    snapshot = drafts.snapshot(source)
    whole = Span(0, len(source))
    (hint,) = find_hints(snapshot, whole, CancelToken())
    assert (hint.label, source[: hint.offset].endswith("@carrow")) == ("= Carrow [2014] ASC 12", True)
    words = {token.span.of(source) for token in find_tokens(snapshot, whole, CancelToken())}
    assert {"carrow", "3"} <= words


def test_a_quotation_is_compared_with_what_its_key_cites(drafts: Drafts) -> None:
    (found,) = drafts.check(
        MARKDOWN + "“Necessity is judged at the time of the return from the route” [@carrow, para 4].\n"
    )
    assert found.code == "misquotation"


def test_keys_are_not_written_out_by_fixes_and_styles(drafts: Drafts) -> None:
    source = MARKDOWN + "So it was held [@carrow, para 3].\n"
    assert drafts.check(source, citations_style="oscola") == []
    from lexls.citations.styles import Style

    snapshot = drafts.snapshot(source, citations_style="oscola")
    assert convert_in(snapshot, Span(0, len(source)), Style.load("oscola"), CancelToken()) == []


# -- keys that are not there ---------------------------------------------------------------------------------


def test_an_unknown_key_is_told_with_the_one_that_is_meant(drafts: Drafts) -> None:
    source = MARKDOWN + "So it was held [@carow, para 3].\n"
    (found,) = drafts.check(source)
    assert (found.code, found.severity, found.span.of(source)) == ("unknown-key", "warning", "carow")
    assert found.message == "carow is not in refs.bib; did you mean carrow?"
    (fix,) = found.fixes
    (edit,) = fix.edits
    assert drafts.check(source[: edit.span.start] + edit.text + source[edit.span.end :]) == []


def test_an_unknown_key_that_is_like_none_is_told_too(drafts: Drafts) -> None:
    (found,) = drafts.check(MARKDOWN + "So it was held [@zebra].\n")
    assert found.message == "zebra is not in refs.bib"
    assert not found.fixes


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("markdown", "Ask @zebra or write to a@zebra.example. See [@fig:one] and @tbl-two."),
        ("typst", "See @map and @fig:one. <map>"),
        ("latex", "See \\nocite{*} and % \\cite{zebra}"),
    ],
)
def test_what_may_be_no_citation_is_not_told(drafts: Drafts, markup: str, text: str) -> None:
    assert drafts.check(HEADS[markup] + text + "\n", markup) == []


def test_without_a_bibliography_keys_are_not_looked_at(drafts: Drafts) -> None:
    draft = drafts.read("So it was held [@carow, para 3].\n")
    assert draft.bibliography is None
    assert not any(block.keys for block in draft.blocks)
    assert drafts.check("So it was held [@carow].\n") == []


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("gone.bib", None, "there is no such file"),
        ("odd.json", "{", "not JSON"),
        ("odd.yaml", "a: [b", "not YAML"),
        ("odd.xml", "<a/>", 'no reader for ".xml" files'),
        ("empty.bib", "", "empty file"),
    ],
)
def test_a_bibliography_that_cannot_be_read_is_told_where_it_is_named(
    drafts: Drafts, name: str, content: str | None, reason: str
) -> None:
    if content is not None:
        (drafts.folder / name).write_text(content, encoding="utf-8")
    source = f"---\nbibliography: [refs.bib, {name}]\n---\n\nHeld [@carow] and [@carrow].\n"
    (found,) = drafts.check(source)
    assert (found.code, found.span.of(source)) == ("bibliography-unreadable", name)
    assert found.message.startswith(f"{name}: {reason}")


# -- where it is declared and how it changes -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "head"),
    [
        ("markdown", "---\nbibliography:\n  - refs.bib\n---\n\n"),
        ("markdown", "---\nbibliography: sub/../refs.bib\n---\n\n"),
        ("latex", "\\bibliography{other,refs}\n\n"),
        ("typst", '#show: paper.with(bibliography: bibliography("refs.bib", title: none))\n\n'),
        ("typst", '#bibliography(("refs.bib", "more.yml"))\n\n'),
    ],
)
def test_a_bibliography_is_found_however_it_is_declared(drafts: Drafts, markup: str, head: str) -> None:
    (drafts.folder / "sub").mkdir()
    cited = {"markdown": "[@carrow]", "latex": "\\cite{carrow}", "typst": "@carrow"}[markup]
    (citation,) = drafts.read(head + cited + "\n", markup).citations
    assert citation.key == "[2014] ASC 12"


def test_front_matter_that_would_fill_the_stack_names_no_bibliography(drafts: Drafts) -> None:
    assert drafts.check("---\nbibliography: " + "[" * 30_000 + "\n---\n\nSee [@kestrel].\n") == []


def test_references_in_the_front_matter_are_a_bibliography(drafts: Drafts) -> None:
    source = (
        "---\nreferences:\n- id: luff\n  type: legal_case\n  title: Carrow v Luff\n"
        "  number: '[2014] ASC 12'\n---\n\nHeld [@luff, para 3].\n"
    )
    (citation,) = drafts.read(source).citations
    assert (citation.key, citation.name) == ("[2014] ASC 12", "Carrow v Luff")


def test_a_chapter_names_the_bibliography_of_its_book(drafts: Drafts) -> None:
    (drafts.folder / "chapters").mkdir()
    uri = (drafts.folder / "chapters" / "one.tex").as_uri()
    (citation,) = drafts.parser.parse(uri, LATEX + "\\cite{carrow}", FORMATS["latex"]).citations
    assert citation.key == "[2014] ASC 12"


def test_a_change_of_the_file_is_picked_up(drafts: Drafts) -> None:
    source = MARKDOWN + "Held [@carrow].\n"
    before = drafts.read(source)
    assert drafts.read(source) is before
    file = drafts.folder / "refs.bib"
    file.write_text(BIB.replace("ASC 12", "ASC 77"), encoding="utf-8")
    os.utime(file, (1, 1))
    assert drafts.read(source) is not before
    (citation,) = drafts.read(source).citations
    assert citation.key == "[2014] ASC 77"
    file.unlink()
    assert not list(drafts.read(source).citations)


PIECES = [
    "[@carrow, para 3]",
    "@carow",
    "[",
    "]",
    "@",
    ";",
    "para 4",
    "\n\n",
    " ",
    "*Ibid*",
    "---\n",
    "b",
    "s 12",
]
START = MARKDOWN + (
    "Held [@carrow, para 3]. *Ibid* at [4].\n\nAnd [see @thornby; @carriage, s 12(1)].\n\n"
    "Section 13 bars it.\n"
)


@pytest.mark.parametrize("seed", range(20))
def test_reading_on_from_the_last_version_gives_what_reading_anew_gives(drafts: Drafts, seed: int) -> None:
    chance = random.Random(seed)
    source = START
    drafts.read(source)
    for _ in range(25):
        at = chance.randrange(len(source) + 1)
        source = source[:at] + chance.choice(PIECES) + source[at + chance.choice([0, 0, 1, 3, 12]) :]
        again = drafts.read(source)
        uri = (drafts.folder / "draft").as_uri()
        anew = DraftParser(drafts.grammar, "Aldmoor").parse(uri, source, FORMATS["markdown"])
        assert (again.masked, tuple(again.citations)) == (anew.masked, tuple(anew.citations))
        assert [block.keys for block in again.blocks] == [block.keys for block in anew.blocks]


def test_what_was_not_touched_is_not_read_again(drafts: Drafts) -> None:
    before = drafts.read(START)
    after = drafts.read(START.replace("Section 13", "But section 13"))
    pieces = zip(before.citations.pieces, after.citations.pieces, strict=True)
    assert [one is other for one, other in pieces].count(False) == 1


# -- completion ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "text", "proposed"),
    [
        ("markdown", "So it was held [@ca|rr, para 3].", ["carriage", "carrow"]),
        ("markdown", "So it was held by @tides|", ["thornby"]),
        ("markdown", "Mail a@ca|", []),
        ("latex", "So it was held \\autocite[3]{thornby, carrow|}", ["carrow"]),
        ("typst", "So it was held #cite(<abs|>)", ["absent"]),
    ],
)
def test_keys_are_completed(drafts: Drafts, markup: str, text: str, proposed: list[str]) -> None:
    marked = HEADS[markup] + text + "\n"
    offset = marked.index("|")
    source = marked.replace("|", "")
    found = complete(drafts.snapshot(source, markup), offset, CancelToken())
    assert [each.label for each in found if each.replace.start < offset] == proposed
    for each in found if proposed else ():
        after = source[: each.replace.start] + each.text + source[each.replace.end :]
        (use, *_) = [use for block in drafts.read(after, markup).blocks for use in block.keys][-1:]
        assert use.key == each.label


def test_a_proposed_key_tells_what_it_stands_for(drafts: Drafts) -> None:
    source = MARKDOWN + "Held [@carro\n"
    (found,) = complete(drafts.snapshot(source), len(source) - 1, CancelToken())
    assert (found.description, found.kind) == ("Carrow v Luff [2014] ASC 12", "case")
    assert found.authority >= 0
