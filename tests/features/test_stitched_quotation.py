"""Quotations put together from distant places of one judgment without an ellipsis: each joint is reported."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.export.report import compare_quotations
from lexls.index.session import open_library
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.stitched import find_stitched
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.lexicon import split_words

CHANCE = random.Random(7)
COMMON = sorted(split_words("the of to and in that a is was it for on by as be this not with which he"))
RARE = ["".join(CHANCE.choices("abcdefghilmnoprstu", k=CHANCE.randint(5, 9))) for _ in range(900)]
WORDS = [CHANCE.choice(COMMON if CHANCE.random() < 0.5 else RARE) for _ in range(12_000)]
PARAGRAPH = 120
"""Words of a paragraph of the judgment."""
CITED = "Pell v Stark [2009] ACA 31"
SETTINGS = Settings(jurisdiction="Aldmoor", embeddings_model="")
Find = Callable[[str], list[Finding]]
Read = Callable[[str], Snapshot]


def write_judgment() -> str:
    head = "---\ntitle: Pell v Stark\ncitation: '[2009] ACA 31'\nkind: case\n---\n\n# Pell v Stark\n"
    cut = [" ".join(WORDS[at : at + PARAGRAPH]) for at in range(0, len(WORDS), PARAGRAPH)]
    return head + "".join(
        f"\n[{number}] {words[0].upper()}{words[1:]}.\n" for number, words in enumerate(cut, 1)
    )


def take_pieces(count: int, length: int, apart: int, *, backward: bool = False) -> list[str]:
    """Pieces of as many words, from places so many words ``apart``; none goes beyond its paragraph."""
    starts = [10 + number * apart // PARAGRAPH * PARAGRAPH for number in range(count)]
    pieces = [" ".join(WORDS[at : at + length]) for at in starts]
    return pieces[::-1] if backward else pieces


def quote(pieces: Sequence[str], joint: str = " ", cited: str = f"{CITED} at [1]") -> str:
    return f"The court held that “{joint.join(pieces)}”: {cited}.\n"


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    """Reads a draft beside a library of one long judgment."""
    folder: Path = tmp_path_factory.mktemp("stitched")
    (folder / "library").mkdir()
    (folder / "library/pell.md").write_text(write_judgment())
    index, grammar = folder / "i.sqlite3", Grammar.load()
    library, _ = open_library([folder / "library"], index, SETTINGS, lexical_only=True)
    searcher = Searcher(library, grammar=grammar)
    parser = DraftParser(grammar, SETTINGS.jurisdiction)
    yield lambda text: Snapshot(
        parser.parse("file:///draft.md", text, FORMATS["markdown"]), library, searcher, SETTINGS
    )
    library.close()


@pytest.fixture
def find(read: Read) -> Find:
    return lambda text: check(read(text), CancelToken())


@pytest.mark.parametrize("joint", [" ", ", ", "\n", ". "])
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize(
    ("count", "length", "apart"),
    [*itertools.product((2, 3, 10), (12, 30), (360, 900)), (6, 9, 1500), (2, 100, 5000)],
)
def test_each_joint_is_reported(
    find: Find, count: int, length: int, apart: int, backward: bool, joint: str
) -> None:
    pieces = take_pieces(count, length, apart, backward=backward)
    draft = quote(pieces, joint)
    found = [each for each in find(draft) if each.code == "misquotation"]
    joints = list(itertools.pairwise(pieces))
    assert len(found) == len(joints)
    for each, (before, after) in zip(found, joints, strict=True):
        assert each.span.of(draft) == f"{before.split()[-1]}{joint}{after.split()[0]}"
        assert f"“… {' '.join(before.split()[-4:])}” and “{' '.join(after.split()[:4])} …”" in each.message
        assert "of [2009] ACA 31, at [" in each.message
        assert each.message.endswith("joined without an ellipsis")
        assert len(each.related) == 2
        assert [fix.title for fix in each.fixes] == (
            ["Put in an ellipsis"] if joint.isspace() and not backward else []
        )


def test_the_fixes_make_the_quotation_lawful(find: Find) -> None:
    draft = quote(take_pieces(10, 30, 900), cited=CITED)
    edits = [edit for each in find(draft) for fix in each.fixes for edit in fix.edits]
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        draft = draft[: edit.span.start] + edit.text + draft[edit.span.end :]
    assert draft.count(" … ") == 9
    assert [each.message for each in find(draft) if each.code == "misquotation"] == []


def test_the_report_says_that_it_differs(read: Read) -> None:
    snapshot = read(quote(take_pieces(10, 30, 900)))
    ((passage, _),) = compare_quotations(snapshot, CancelToken())
    assert passage.verdict == "differs"
    assert passage.reason == "distant passages of Pell v Stark are joined without an ellipsis"
    assert len(passage.remarks) == 9


@pytest.mark.parametrize(
    "words",
    [
        " … ".join(take_pieces(4, 30, 900)),
        " [...] ".join(take_pieces(4, 30, 900)),
        " ".join(WORDS[10:110]),
        " ".join(random.Random(8).sample(WORDS, 90)),
        " ".join(COMMON * 5),
        " ".join((*take_pieces(1, 9, 0), *random.Random(9).sample(WORDS, 40))),
    ],
    ids=["ellipses", "bracketed ellipses", "verbatim", "other words", "small words", "one piece"],
)
def test_no_joint_is_reported_where_there_is_none(find: Find, words: str) -> None:
    assert [each.message for each in find(quote([words])) if "joined" in each.message] == []


def test_a_passage_with_some_other_words_is_no_stitched_one() -> None:
    """What differs, is left out or is put in within one passage is told word by word."""
    authority, chance = AuthorityText(write_judgment()), random.Random(10)
    for start in range(0, 11_000, 500):
        words = WORDS[start : start + 100]
        for _ in range(chance.randrange(8)):
            at = chance.randrange(len(words))
            words[at : at + chance.choice((0, 1, 3))] = [chance.choice(RARE)] * chance.choice((0, 1))
        assert find_stitched(authority, " ".join(words)) == ()
