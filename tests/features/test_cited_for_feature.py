"""What an authority was cited for before, in hovers and in find-support."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lexls.features.build import make_past_cases, make_ranking
from lexls.features.cited_for import count_in_words
from lexls.features.find_support import find_support
from lexls.features.hover import hover
from lexls.index.session import open_library
from lexls.index.tokens import Tokenizer
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from lexls.wording.descriptions import link_nothing

SAID = "A ferryman who refuses a passenger at night owes him the price of a bed"
CITED = "Stark v Dunmore [2003] UKSC 8"


def judgment(title: str, citation: str, *paragraphs: str) -> str:
    body = "\n\n".join(f"[{n}] {text}" for n, text in enumerate(paragraphs, 1))
    return f'---\ntitle: {title}\ncitation: "{citation}"\nkind: case\njurisdiction: UK\n---\n\n{body}\n'


AUTHORITIES = {
    "stark.md": judgment("Stark v Dunmore", "[2003] UKSC 8", "Whoever keeps a ferry keeps it for all."),
    "one.md": judgment("Harrow v Ketch", "[2018] UKSC 4", f"{SAID}: {CITED}.", f"Again: {SAID}. {CITED}."),
    "two.md": judgment("Quill v Marten", "[2019] UKSC 9", f"{SAID}. See {CITED} at [1]. The wind was high."),
    "other.md": judgment("Rook v Vale", "[2020] UKSC 3", f"Boats are painted green in spring: {CITED}."),
    "against.md": judgment("Pell v Luff", "[2021] UKSC 2", f"{SAID}. But see {CITED}."),
}

Make = Callable[..., Snapshot]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    folder = tmp_path / "library"
    folder.mkdir()
    for name, text in AUTHORITIES.items():
        (folder / name).write_text(text, encoding="utf-8")
    settings = Settings(jurisdiction="UK", embeddings_model="")
    library, report = open_library([folder], tmp_path / "index.sqlite", settings, lexical_only=True)
    assert not report.failed

    def made(text: str, uri: str = "file:///nowhere/draft.md", **changes: object) -> Snapshot:
        from lexls.citations.grammar import Grammar

        current = replace(settings, **changes)  # type: ignore[arg-type]
        grammar, tokenizer = Grammar.load(), Tokenizer()
        past = make_past_cases(current, library, grammar, tokenizer)
        if past is not None:
            past.refresh()
        searcher = Searcher(library, ranking=make_ranking(current), grammar=grammar, past=past)
        draft = DraftParser(grammar, "UK").parse(uri, text, FORMATS["markdown"])
        return Snapshot(draft, library, searcher, current)

    yield made
    library.close()


def shown(snapshot: Snapshot, word: str, token, link=link_nothing) -> str:  # type: ignore[no-untyped-def]
    found = hover(snapshot, snapshot.draft.source.index(word) + 1, token, link)
    return found.markdown if found is not None else ""


def test_a_citation_says_in_how_many_judgments_it_was_cited_for_the_same(make: Make, token) -> None:
    def link(document: int, start: int, end: int) -> str:
        return f"open:{document}:{start}"

    text = shown(make(f"{SAID}. See {CITED}."), "Stark", token, link)
    assert "Cited for this in 2 judgments of your library: [" in text
    assert "[Harrow v Ketch](<open:" in text
    assert "[Quill v Marten](<open:" in text
    assert "Rook v Vale" not in text
    assert "Pell v Luff" not in text


def test_a_citation_for_something_else_says_nothing(make: Make, token) -> None:
    text = shown(make(f"The moon is made of green cheese and old bread: {CITED}."), "Stark", token)
    assert "Cited by 4 documents" in text
    assert "ited for this" not in text


def test_a_sentence_without_citation_shows_what_was_cited_for_it(make: Make, token) -> None:
    text = shown(make(f"{SAID}."), "passenger", token)
    assert "**Stark v Dunmore**" in text
    assert "cited for this in 2 judgments of your library" in text


def test_find_support_offers_what_was_cited_for_the_same_and_says_so(make: Make, token) -> None:
    snapshot = make(f"{SAID}.")
    found = {each.hit.authority.title: each for each in find_support(snapshot, Span(5, 5), 8, token)}
    same = found["Stark v Dunmore"].cited_for
    assert same is not None
    assert count_in_words(snapshot.library, same) == "cited for this in 2 judgments of your library"
    assert count_in_words(snapshot.library, same, briefly=True) == "cited for this in 2 judgments"
    assert all(each.cited_for is None for title, each in found.items() if title != "Stark v Dunmore")


def test_the_draft_itself_does_not_count(make: Make, token) -> None:
    snapshot = make(f"{SAID}. See {CITED}.")
    own = next(each.path for each in snapshot.library.catalogue.all() if each.relative == "one.md")
    text = shown(make(f"{SAID}. See {CITED}.", own.as_uri()), "Stark", token)
    assert "Cited for this in 1 judgment of your library: Quill v Marten." in text


def test_switched_off_nothing_is_said(make: Make, token) -> None:
    snapshot = make(f"{SAID}. See {CITED}.", precedents_enabled=False)
    assert "ited for this" not in shown(snapshot, "Stark", token)
    assert snapshot.searcher.ranking.precedents == 0


def test_own_cases_and_drafts_count_beside_the_library(make: Make, token, tmp_path: Path) -> None:
    base, drafts = tmp_path / "own.jsonl", tmp_path / "drafts"
    drafts.mkdir()
    base.write_text(json.dumps({"question": f"{SAID}.", "answer": "It does.", "citation": CITED}) + "\n")
    (drafts / "brief.md").write_text(f"Intro.\n\n{SAID}: {CITED}.\n")
    settings = {"precedents_case_bases": (base,), "precedents_drafts": (drafts,), "precedents_count": 9}
    text = shown(make(f"{SAID}. See {CITED}.", **settings), "Stark", token)
    assert "in 2 judgments of your library and in 2 files of your own cases and drafts" in text
    assert "brief.md, line 3" in text
    assert "own.jsonl, line 1" in text
    again = make(f"{SAID}. See {CITED}.", (drafts / "brief.md").as_uri(), **settings)
    assert "in 1 file of your own" in shown(again, "Stark", token)
