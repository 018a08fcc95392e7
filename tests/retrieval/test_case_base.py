"""Case bases and past drafts as precedents."""

from __future__ import annotations

import json
import os
import stat
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.models.messages import NO_PROMPTS, Prompts
from lexls.retrieval.cases import Case, read_case_base, read_draft_cases
from lexls.retrieval.past_cases import CaseBase, PastCases
from lexls.retrieval.precedents import CaseWeights
from lexls.text.cancel import CancelToken

FERRY = {
    "question": "Who answers for luggage on a ferry?",
    "support": "A ferryman answers for the trunks that he takes aboard.",
    "entities": ["Barrow", "Quenby"],
    "answer": "The ferryman does: 412 U.S. 55.",
}
HEDGE = {
    "question": "When may a hedge be burned?",
    "support": "Nobody shall burn a hedge between March and August.",
    "entities": "Hedges Act 1951",
    "answer": "Never in spring.",
    "citation": "Rook v. Vale, 398 U.S. 12 (1970)",
}


class ByWords:
    """An embedder whose texts lie close when they share words."""

    name, dimension = "words", 1024

    def __init__(self, prompts: Prompts = NO_PROMPTS) -> None:
        self.prompts = prompts
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str], prompt: str = "") -> np.ndarray:
        texts = [prompt + text for text in texts]
        self.encoded += texts
        found = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(found, texts, strict=True):
            for word in Tokenizer().tokenize(text):
                row[zlib.crc32(word.encode()) % self.dimension] += 1
            row /= np.linalg.norm(row) or 1.0
        return found


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load()


def write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines) + "\n")
    return path


def ask(base: CaseBase, text: str, embedder: ByWords | None, options: CaseWeights | None = None) -> list[str]:
    vector = embedder.encode([text])[0] if embedder else None
    found = base.match(Tokenizer().tokenize(text), vector, 5, options or CaseWeights(), CancelToken())
    return [base.cases[each.precedent].question for each in found]


def test_a_case_has_the_authorities_that_it_names(tmp_path: Path, grammar: Grammar) -> None:
    cases, problems = read_case_base(write(tmp_path / "own.jsonl", FERRY, "", HEDGE), grammar)
    assert problems == []
    assert [(each.keys, each.line) for each in cases] == [(("412us55",), 1), (("398us12",), 3)]
    assert [each.entities for each in cases] == ["Barrow Quenby", "Hedges Act 1951"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"question": "Who', "not JSON"),
        ('["question"]', "not an object"),
        ('{"support": "A ferryman answers."}', "no question"),
        ('{"question": 7}', "question must be a string"),
        ('{"question": "Who?", "entities": [7]}', "entities must be"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_malformed_line_is_named_and_costs_itself_alone(tmp_path: Path, line: str, reason: str) -> None:
    path = write(tmp_path / "own.jsonl", FERRY, line, HEDGE)
    cases, (problem,) = read_case_base(path)
    assert [each.line for each in cases] == [1, 3]
    assert str(problem).startswith(f"{path}:2: {reason}")


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path, grammar: Grammar) -> None:
    missing = tmp_path / "none.jsonl"
    assert [str(each) for each in read_case_base(missing)[1]] == [f"{missing}: no such file"]
    assert [str(each) for each in read_draft_cases(missing, grammar)[1]] == [f"{missing}: no such file"]


def made(tmp_path: Path, grammar: Grammar, cache: Path | None = None) -> CaseBase:
    cases, _ = read_case_base(write(tmp_path / "own.jsonl", FERRY, HEDGE), grammar)
    return CaseBase(cases, Tokenizer(), cache)


def test_cases_are_found_by_words_alone(tmp_path: Path, grammar: Grammar) -> None:
    cases = [Case(f"Filler number {n}", "", "", "", (), tmp_path, n) for n in range(6)]
    base = CaseBase([*made(tmp_path, grammar).cases, *cases], Tokenizer())
    assert ask(base, "the burned hedge", None) == [HEDGE["question"]]
    assert ask(CaseBase((), Tokenizer()), "the burned hedge", None) == []


def test_each_mode_compares_its_part(tmp_path: Path, grammar: Grammar) -> None:
    embedder, base = ByWords(), made(tmp_path, grammar)
    base.embed(embedder)
    asked = "Who answers, under the Hedges Act 1951, for trunks?"
    for mode, first in (("question", FERRY), ("support", FERRY), ("entities", HEDGE)):
        assert ask(base, asked, embedder, CaseWeights(mode))[0] == first["question"]  # type: ignore[arg-type]
    assert ask(base, asked, embedder, CaseWeights(weights=(0, 0, 1)))[0] == HEDGE["question"]


def test_a_missing_part_leaves_its_weight_to_the_others(tmp_path: Path) -> None:
    embedder = ByWords()
    base = CaseBase([Case("Who answers for luggage?", "", "", "", (), tmp_path, 1)], Tokenizer())
    base.embed(embedder)
    text = "Who answers for luggage?"
    (found,) = base.match(
        Tokenizer().tokenize(text), embedder.encode([text])[0], 5, CaseWeights(), CancelToken()
    )
    assert found.score == pytest.approx(1)
    assert found.support is found.entities is None
    assert (found.citing, found.authority) == (0, 0)


def test_a_part_is_encoded_as_what_it_is_compared_with_expects(tmp_path: Path) -> None:
    said = "A ferryman answers for luggage."
    base = CaseBase([Case(said, said, "Quenby", "", (), tmp_path, 1)], Tokenizer(), tmp_path / "kept")
    embedder = ByWords(Prompts("ask ", "tell "))
    base.embed(embedder)
    assert sorted(embedder.encoded) == [f"ask {said}", "tell A ferryman answers for luggage.", "tell Quenby"]
    question = embedder.encode([said], "ask ")[0]
    (found,) = base.match([], question, 5, CaseWeights(), CancelToken())
    assert found.question == pytest.approx(1)
    assert found.support is not None
    assert found.support < 0.9
    again = ByWords(Prompts("ask ", "tell "))
    CaseBase(base.cases, Tokenizer(), tmp_path / "kept").embed(again)
    assert again.encoded == []


def test_the_cue_stands_before_the_question_only_where_parts_of_another_kind_are_compared(
    tmp_path: Path, grammar: Grammar
) -> None:
    embedder, base = ByWords(), made(tmp_path, grammar)
    base.embed(embedder)
    plain, cued = embedder.encode(["hedge burned when", "ferryman trunks aboard"])
    terms = Tokenizer().tokenize("hedge")

    def first(mode: str) -> int:
        options = CaseWeights(mode)  # type: ignore[arg-type]
        return base.match(terms, plain, 1, options, CancelToken(), prefixed=cued)[0].precedent

    assert first("question") == 1
    assert first("support") == 0


def test_vectors_are_kept_for_the_next_time_and_for_their_owner_alone(
    tmp_path: Path, grammar: Grammar
) -> None:
    cache = tmp_path / "vectors"
    made(tmp_path, grammar, cache).embed(ByWords())
    (file,) = cache.iterdir()
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = ByWords()
    base = made(tmp_path, grammar, cache)
    base.embed(again)
    assert again.encoded == []
    cases, _ = read_case_base(write(tmp_path / "own.jsonl", {**FERRY, "question": "Who pays?"}), grammar)
    CaseBase(cases, Tokenizer(), cache).embed(again)
    assert again.encoded == ["Who pays?"]
    file.write_bytes(b"damaged")
    made(tmp_path, grammar, cache).embed(again)
    assert FERRY["question"] in again.encoded


def test_a_draft_is_a_case_for_each_proposition_that_it_supports(tmp_path: Path, grammar: Grammar) -> None:
    draft = tmp_path / "brief.md"
    draft.write_text(
        "# Argument\n\nA *ferryman* answers for luggage that he takes aboard.[^1] "
        "See Barrow v. Quenby, 412 U.S. 55 (1973).\n\nNothing is cited for this sentence here.\n\n"
        "Nobody burns hedges in the spring months. But see Rook v. Vale, 398 U.S. 12 (1970).\n\n"
        "[^1]: Nothing.\n"
    )
    (case,), problems = read_draft_cases(draft, grammar, "US")
    assert problems == []
    assert case.question.startswith("A ferryman answers for luggage")
    assert (case.keys, case.line) == (("412us55",), 3)


def past(library: Library, grammar: Grammar, bases: list[Path], drafts: list[Path]) -> PastCases:
    return PastCases(library, grammar, Tokenizer(), bases, drafts, jurisdiction="US")


def matches(cases: PastCases, text: str, **options: object) -> list[tuple[int, str]]:
    found = cases.match(
        Tokenizer().tokenize(text), None, 5, CaseWeights(), CancelToken(), **options  # type: ignore[arg-type]
    )  # fmt: skip
    return [(match.authority, case.path.name) for match, case in found]


def test_past_cases_follow_their_files(tmp_path: Path, library: Library, grammar: Grammar) -> None:
    (rookery,) = library.catalogue.find_key("412 U.S. 55")
    own, drafts = tmp_path / "own.jsonl", tmp_path / "drafts"
    drafts.mkdir()
    cases = past(library, grammar, [own], [drafts])
    cases.refresh()
    assert [str(each) for each in cases.problems] == [f"{own}: no such file"]
    assert matches(cases, "luggage on a ferry") == []
    write(own, FERRY, HEDGE)
    assert cases.refresh()
    assert not cases.refresh()
    assert cases.problems == ()
    assert matches(cases, "luggage on a ferry") == [(rookery, "own.jsonl")]
    assert matches(cases, "when may a hedge be burned") == []  # its authority is not in the library
    draft = drafts / "brief.md"
    draft.write_text("A boatman answers for umbrellas he forgets: Rookery v. Vale, 412 U.S. 55 (1973).\n")
    assert cases.refresh()
    assert matches(cases, "umbrellas of the boatman") == [(rookery, "brief.md")]
    assert matches(cases, "umbrellas of the boatman", excluded=[draft]) == []
    assert matches(cases, "umbrellas of the boatman", answering={rookery + 100}) == []
    draft.unlink()
    assert cases.refresh()
    assert matches(cases, "umbrellas of the boatman") == []
