# ruff: noqa: E501 (drafts and messages stand on one line)
"""Quotations that the words around them turn in the authority: what is told, and where nothing is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check
from lexls.assessing.rules.selective import QUOTATION_SELECTIVE
from lexls.export.report import QuotedPassage, compare_quotations
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS

PELL = """\
---
title: Pell v Stark
citation: '[2009] ACA 31'
kind: case
---

# Pell v Stark

## Majority (Judge Yard)

[1] A miller must grind the grain of every tenant who brings it to him, unless the wheel is under repair.

[2] The appellant argues that a miller may send away whoever has not paid for the last sack. He says no more.

[3] Stark contends that a miller may keep a tenth of the flour as his own reward. We do not agree.

[4] We reject the view that the owner of a mill answers for whatever the stream may carry off.

[5] The question is whether a tenant may bring the grain of his neighbours as his own.

[6] The respondent submits that the dues of the mill were fixed by the charter of the town. We accept that.

[7] Counsel asserts that a sack once weighed is never to be weighed again. And a sack once weighed is never to be weighed
again, as every miller knows.

[8] The trial judge held that the wheel of the mill was part of the land and not of the trade. That was in point.

[9] Nobody may take water from the stream above the mill between dusk and dawn, the respondent insists.

[10] The miller who grinds at night must keep a lamp at the door. The order below is set aside; it is reversed.

## Dissent (Judge Luff)

[11] A tenant who finds the mill closed may carry his grain to whichever other he likes.
"""
SETTINGS = Settings(jurisdiction="Aldmoor", embeddings_model="")
Read = Callable[[str], Snapshot]
Found = Callable[[str], list[Finding]]


@pytest.fixture
def read(tmp_path, grammar) -> Iterator[Read]:  # type: ignore[no-untyped-def]
    """Reads a draft beside a library of one case."""
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "pell.md").write_text(PELL, encoding="utf-8")
    library, _ = open_library([folder], tmp_path / "i.sqlite3", SETTINGS, lexical_only=True)

    def read(draft: str) -> Snapshot:
        parsed = DraftParser(grammar, "Aldmoor").parse("file:///draft", draft, FORMATS["markdown"])
        return Snapshot(parsed, library, Searcher(library, grammar=grammar), SETTINGS)

    yield read
    library.close()


@pytest.fixture
def found(read: Read, token) -> Found:  # type: ignore[no-untyped-def]
    """The selective quotations of a draft."""
    return lambda draft: [each for each in check(read(draft), token) if each.code == QUOTATION_SELECTIVE.code]


CITED = "*Pell v Stark* [2009] ACA 31"


@pytest.mark.parametrize(
    ("quoted", "message"),
    [
        (
            "A miller must grind the grain of every tenant who brings it to him.",
            "the judgment ([2009] ACA 31 at [1]) goes on: “unless the wheel is under repair.”",
        ),
        (
            "a miller may send away whoever has not paid for the last sack",
            "the judgment ([2009] ACA 31 at [2]) reports here what a party argues: “The appellant argues that "
            "a miller may send away whoever has not paid for the last sack”",
        ),
        (
            "a miller may keep a tenth of the flour as his own reward",
            "the judgment ([2009] ACA 31 at [3]) reports here what a party argues, and rejects it: “Stark "
            "contends that a miller may keep a tenth of the flour as his own reward”",
        ),
        (
            "the owner of a mill answers for whatever the stream may carry off",
            "the judgment ([2009] ACA 31 at [4]) rejects this: “We reject the view that the owner of a mill "
            "answers for whatever the stream may carry off”",
        ),
        (
            "a tenant may bring the grain of his neighbours as his own",
            "the judgment ([2009] ACA 31 at [5]) only asks here: “The question is whether a tenant may bring "
            "the grain of his neighbours as his own”",
        ),
        (
            "the wheel of the mill was part of the land and not of the trade",
            "the judgment ([2009] ACA 31 at [8]) reports here what the court below said, and does not let it "
            "stand: “The trial judge held that the wheel of the mill was part of the land and not of the trade”",
        ),
        (
            "Nobody may take water from the stream above the mill between dusk and dawn",
            "the judgment ([2009] ACA 31 at [9]) reports here what a party argues: “Nobody may take water from the "
            "stream above the mill between dusk and dawn, the respondent insists.”",
        ),
        (
            "A tenant who finds the mill closed may carry his grain to whichever other he likes",
            "the judgment ([2009] ACA 31 at [11]) has these words in a dissent: “A tenant who finds the mill closed "
            "may carry his grain to whichever other he likes”",
        ),
    ],
)
def test_what_stands_around_the_words_is_told(found: Found, quoted: str, message: str) -> None:
    (finding,) = found(f"The law is old. “{quoted}”: {CITED}.")
    assert (finding.message, finding.severity) == (message, "information")
    (related,) = finding.related
    assert related.authority is not None
    assert related.message.strip("“” …") in message


@pytest.mark.parametrize(
    "draft",
    [
        # The words are the court's own at another place.
        f"The law is old. “a sack once weighed is never to be weighed again”: {CITED}.",
        # The court accepts what was argued.
        f"The law is old. “the dues of the mill were fixed by the charter of the town”: {CITED}.",
        # The draft says how the words stand.
        f"“A miller must grind the grain of every tenant who brings it to him”, save for repairs: {CITED}.",
        f"It was argued there that “a miller may send away whoever has not paid for the last sack”: {CITED}.",
        f"That “the owner of a mill answers for whatever the stream may carry off” was rejected in {CITED}.",
        f"The court considered whether “a tenant may bring the grain of his neighbours as his own”: {CITED}.",
        f"“A tenant who finds the mill closed may carry his grain to whichever other he likes”: {CITED} (Luff J, dissenting).",
        # More is said to follow.
        f"The law is old. “A miller must grind the grain of every tenant who brings it to him …”: {CITED}.",
        # The sentence is quoted with what turns it.
        f"“The appellant argues that a miller may send away whoever has not paid for the last sack”: {CITED}.",
        # Nothing turns them.
        f"The law is old. “The miller who grinds at night must keep a lamp at the door”: {CITED}.",
        # So few words are a term.
        f"The law is old. “a tenth of the flour”: {CITED}.",
    ],
)
def test_nothing_is_told_of_other_words(found: Found, draft: str) -> None:
    assert found(draft) == []


def test_a_block_quotation_is_looked_at_too(found: Found) -> None:
    (finding,) = found(
        f"The law is old, as the court has it in {CITED}:\n\n"
        "> a miller may keep a tenth of the flour as his own reward\n\nNothing else is known of it."
    )
    assert "and rejects it" in finding.message


def test_the_verdict_on_the_quotation_has_the_remark(read: Read, token) -> None:  # type: ignore[no-untyped-def]
    snapshot = read(f"The law is old. “a tenant may bring the grain of his neighbours as his own”: {CITED}.")
    passages: list[QuotedPassage] = [passage for passage, _ in compare_quotations(snapshot, token)]
    assert [passage.verdict for passage in passages] == ["verified"]
    assert "only asks here" in passages[0].remarks[0]


def test_it_is_a_warning_where_a_draft_is_filed() -> None:
    assert SETTINGS.severities.get(QUOTATION_SELECTIVE.code, QUOTATION_SELECTIVE.severity) == "information"
    assert SETTINGS.for_filing().severities[QUOTATION_SELECTIVE.code] == "warning"
