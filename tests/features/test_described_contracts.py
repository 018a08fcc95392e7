"""Questions about a contract that the draft cites and the question only describes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.gathering import gather_answer
from lexls.grounding.answering import write_answer
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

LICENCE = """\
---
title: {title}
kind: contract
---

1. Grant. {owner} lets the Licensee show the lantern slides named in the Schedule at its fairs.

2. Term. {term}

3. Notices. Notices are sent to the mill of {owner} and are read there on market days.
"""
CONTRACTS = {
    "slides.md": LICENCE.format(
        title="Joint Lantern Slide License Agreement",
        owner="Quenby",
        term="This Agreement will be in effect for three (3) years from the Effective Date.",
    ),
    "fair.md": LICENCE.format(
        title="Fairground Lantern Slide License Agreement",
        owner="Tarn",
        term="The initial term of this Agreement shall commence on the Effective Date and continue for a "
        "period of ten (10) years.",
    ),
    "opinion.md": "---\ntitle: Vale v. Orr\nkind: case\njurisdiction: US\ncitation: 12 F.4th 34\n---\n\n"
    "A license of slides runs as long as its term says. How long the term of a license is, is a question of "
    "fact, and a lantern slide is content.\n",
}
QUESTION = "How long is the term of the lantern slide license?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    for name, text in CONTRACTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    opened, report = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    assert not report.failed
    yield opened
    opened.close()


def ask(library: Library, draft: str, question: str) -> list[tuple[str, str]]:
    """The titles and sentences of the answer."""
    grammar, settings, token = Grammar.load(), Settings(), CancelToken()
    parsed = DraftParser(grammar, "US").parse("file:///brief.md", draft, FORMATS["markdown"])
    snapshot = Snapshot(parsed, library, Searcher(library, grammar=grammar), settings)
    gathered = gather_answer(snapshot, question, (), token)
    verifier = EvidenceVerifier(snapshot.tokens, 0.6)
    *_, answer = write_answer(gathered, ExtractiveGenerator(snapshot.tokens), verifier, token)
    return [(each.pins[0].authority.title, each.text) for each in answer.sentences]


def test_each_contract_that_is_described_says_its_term(library: Library) -> None:
    found = dict(ask(library, "", QUESTION))
    assert "three (3) years" in found["Joint Lantern Slide License Agreement"]
    assert "ten (10) years" in found["Fairground Lantern Slide License Agreement"]
    assert "Vale v. Orr" not in found


@pytest.mark.parametrize("question", [QUESTION, "How long does the license last?"])
def test_what_the_draft_cites_is_meant(library: Library, question: str) -> None:
    draft = "The slides were licensed for three years. Joint Lantern Slide License Agreement § 2.\n"
    found = ask(library, draft, question)
    assert {title for title, _ in found} == {"Joint Lantern Slide License Agreement"}
    assert "three (3) years" in found[0][1]
