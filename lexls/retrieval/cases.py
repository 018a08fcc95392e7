"""Read cases from outside the library: case bases (JSONL files), and past drafts with the authorities that
they cite.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.citations.citing_sentences import AGAINST, find_citing_sentences
from lexls.citations.entities import find_entities
from lexls.citations.model import fold
from lexls.library.document import UnreadableFile
from lexls.library.readers import read
from lexls.library.readers.decoding import decode
from lexls.library.readers.opening import read_bytes
from lexls.text.formats import DRAFT_SUFFIXES, format_of
from lexls.text.sentences import cut_sentences

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar

CASE_FILE_SUFFIXES = frozenset({".jsonl", ".ndjson"})
PAST_DRAFT_SUFFIXES = DRAFT_SUFFIXES | {".docx"}
"""File name suffixes of drafts."""
_MAX_BYTES = 100 * 2**20
_TEXTS = ("question", "support", "answer")
_NAMES = ("citation", "authority")


@dataclass(frozen=True, slots=True)
class Case:
    """A case ⟨question, support, entities, answer⟩ and its source: ``path``, and ``line`` counted from 1.

    ``support`` and ``entities`` may be empty. ``keys`` are the folded keys of the authorities that the case
    names in its field ``citation`` or ``authority``, or else in its answer.
    """

    question: str
    support: str
    entities: str
    answer: str
    keys: tuple[str, ...]
    path: Path
    line: int


@dataclass(frozen=True, slots=True)
class CaseProblem:
    """A problem in a file of cases; ``line`` counts from 1, or is 0 for the whole file."""

    path: Path
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}" if self.line else f"{self.path}: {self.reason}"


def read_case_base(path: Path, grammar: Grammar | None = None) -> tuple[list[Case], list[CaseProblem]]:
    """Return the cases in a JSONL file, and the invalid lines with the reason; blank lines are skipped.

    A line is an object with ``question`` (required), ``support``, ``entities`` (a string or a list of
    strings), ``answer``, ``citation`` or ``authority``; other fields are ignored. ``grammar`` parses the
    authorities that a case names; if it is None, there are none.
    """
    try:
        text = decode(read_bytes(path, _MAX_BYTES))
    except UnreadableFile as error:
        return [], [CaseProblem(path, 0, str(error))]
    cases: list[Case] = []
    problems: list[CaseProblem] = []
    # Not splitlines(): a JSON string may hold U+2028 as it is.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            cases.append(_case(json.loads(line), path, number, grammar))
        except json.JSONDecodeError as error:
            problems.append(CaseProblem(path, number, f"not JSON: {error.msg} (column {error.colno})"))
        except RecursionError:
            problems.append(CaseProblem(path, number, "nested too deeply"))
        except ValueError as error:
            problems.append(CaseProblem(path, number, str(error)))
    return cases, problems


def read_draft_cases(
    path: Path, grammar: Grammar, jurisdiction: str = ""
) -> tuple[list[Case], list[CaseProblem]]:
    """Return a case for each citing sentence of a draft, and the problem if the file is unreadable."""
    try:
        if path.suffix.lower() == ".docx":
            text = read(path, grammar, _MAX_BYTES).text
        else:
            text = format_of("", path.name).mask(decode(read_bytes(path, _MAX_BYTES)))
    except UnreadableFile as error:
        return [], [CaseProblem(path, 0, str(error))]
    cases = []
    line, counted = 1, 0
    citations = grammar.find(text, jurisdiction)
    for sentence in find_citing_sentences(
        text, citations, cut_sentences(text, [each.span for each in citations])
    ):
        keys = tuple(
            dict.fromkeys(fold(each.citation.key) for each in sentence.cited if each.signal not in AGAINST)
        )
        if keys:
            line += text.count("\n", counted, sentence.span.start)
            counted = sentence.span.start
            words = sentence.proposition
            cases.append(Case(words, "", " ".join(find_entities(words)), "", keys, path, line))
    return cases, []


def _case(found: Any, path: Path, number: int, grammar: Grammar | None) -> Case:
    if not isinstance(found, Mapping):
        raise ValueError("not an object with question, support, entities and answer")
    texts = {name: _text(found, name) for name in (*_TEXTS, *_NAMES)}
    if not texts["question"]:
        raise ValueError("no question")
    entities = _text(found, "entities", listed=True)
    named = texts["citation"] or texts["authority"]
    keys: list[str] = []
    if grammar is not None:
        keys = [each.key for each in grammar.find(named or texts["answer"]) if each.key]
        if named and not keys:
            keys = [grammar.key_of(named, "")]
    folded = tuple(dict.fromkeys(key for each in keys if (key := fold(each))))
    return Case(texts["question"], texts["support"], entities, texts["answer"], folded, path, number)


def _text(found: Mapping[str, Any], name: str, *, listed: bool = False) -> str:
    """Return the words of a field on one line; ``listed`` also allows a list of strings."""
    value = found.get(name)
    if listed and isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = " ".join(value)
    if not isinstance(value, str | None):
        raise ValueError(f"{name} must be a string{' or a list of strings' if listed else ''}")
    return " ".join((value or "").split())
