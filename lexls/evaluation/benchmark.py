"""Read benchmarks: files with one JSON question per line.

There are four kinds of lines, recognised by their fields:

- ``{"id", "text", "gold": [document, …], "citing"?: document}``: the documents that ``text`` calls for. The
  citing document is excluded from the search. A document is named by its file name, with or without suffix.
- ``{"id", "file", "text", "spans": [[start, end], …]}``: the position of the answer in the document; offsets
  are code points of its text.
- ``{"id", "term", "sentences": [{"file", "text", "grade"}, …]}``: how well each sentence explains the term;
  the grades are those of ``GRADES``.
- ``{"id", "question", "gold": [case, …]}``: the cases of a case base that answer the question; a case is
  named by its id.

Questions whose answers are measured have a different kind of line: ``{"id", "text", "gold"?: [document, …],
"citing"?: document, "reference"?: text, "answerable"?: bool}``. The library is asked ``text``, excluding
``citing``. ``gold`` are documents that should support an answer, and ``reference`` is an answer to compare
with. ``answerable`` is whether the library can answer at all; true by default. ``question`` may be used
instead of ``text``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from lexls.text.spans import Span

GRADES: Mapping[str, int] = {"no value": 0, "potential value": 1, "certain value": 2, "high value": 3}
"""The gain of each grade, on the scale of Savelka and Ashley, "Discovering explanatory sentences in legal
case decisions using pre-trained language models" (Findings of EMNLP 2021).
"""


T = TypeVar("T")


class BenchmarkError(Exception):
    """Raised if a benchmark cannot be read or its questions cannot be asked. The message names the file and
    the line.
    """


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question asking for the documents that ``text`` calls for; ``citing`` ("" if none) is excluded."""

    kind: ClassVar[str] = "documents"
    line: int
    id: str
    text: str
    gold: tuple[str, ...]
    citing: str


@dataclass(frozen=True, slots=True)
class SpanQuestion:
    """A question asking for the position of the answer to ``text`` in the document ``file``."""

    kind: ClassVar[str] = "spans"
    line: int
    id: str
    text: str
    file: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class GradedSentence:
    """A sentence of the document ``file`` with its grade, a value of ``GRADES``."""

    file: str
    text: str
    grade: int


@dataclass(frozen=True, slots=True)
class TermQuestion:
    """A question asking how well each of the sentences explains the term."""

    kind: ClassVar[str] = "terms"
    line: int
    id: str
    term: str
    sentences: tuple[GradedSentence, ...]


@dataclass(frozen=True, slots=True)
class CaseQuestion:
    """A question asking which cases of a case base answer it."""

    kind: ClassVar[str] = "cases"
    line: int
    id: str
    question: str
    gold: tuple[str, ...]


Question = DocumentQuestion | SpanQuestion | TermQuestion | CaseQuestion


def read_benchmark(path: Path) -> list[Question]:
    """Return the questions of a benchmark file, which must all be of one kind; blank lines are skipped.

    Raises ``BenchmarkError`` if the file cannot be read or is empty, or if a line is malformed or of a
    different kind.
    """
    questions = read_lines(path, _question)
    for question in questions:
        if type(question) is not type(questions[0]):
            raise BenchmarkError(
                f"{path}:{question.line}: another kind of question than line {questions[0].line} asks"
            )
    return questions


def read_lines(path: Path, read: Callable[[int, Any], T]) -> list[T]:
    """Return the result of ``read`` for each line of a file; blank lines are skipped.

    ``read`` is called with the line's number, from 1, and the line's JSON value. Raises ``BenchmarkError`` if
    the file cannot be read or is empty, if a line is not JSON, or if ``read`` raises ``Malformed``.
    """
    questions: list[T] = []
    number = 0
    try:
        with open(path, encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    questions.append(read(number, json.loads(line)))
    except OSError as error:
        raise BenchmarkError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise BenchmarkError(f"{path}: not UTF-8 text (byte offset {error.start})") from None
    except json.JSONDecodeError as error:
        raise BenchmarkError(f"{path}:{number}: not JSON: {error.msg} (column {error.colno})") from None
    except Malformed as error:
        raise BenchmarkError(f"{path}:{number}: {error}") from None
    if not questions:
        raise BenchmarkError(f"{path}: no questions in it")
    return questions


class Malformed(Exception):
    """Raised if a line is malformed. The message gives the reason."""


def _question(line: int, data: Any) -> Question:
    if not isinstance(data, dict):
        raise Malformed("not a JSON object")
    name = _text(data, "id")
    if "gold" in data:
        gold = _list(data, "gold")
        if not all(isinstance(each, str) and each for each in gold):
            raise Malformed("`gold` must be a list of file names, or of ids of cases")
        if "question" in data:
            return CaseQuestion(line, name, _text(data, "question"), tuple(dict.fromkeys(gold)))
        citing = _text(data, "citing") if "citing" in data else ""
        return DocumentQuestion(line, name, _text(data, "text"), tuple(dict.fromkeys(gold)), citing)
    if "spans" in data:
        spans = tuple(_span(each) for each in _list(data, "spans"))
        return SpanQuestion(line, name, _text(data, "text"), _text(data, "file"), spans)
    if "sentences" in data:
        sentences = tuple(_sentence(each) for each in _list(data, "sentences"))
        return TermQuestion(line, name, _text(data, "term"), sentences)
    raise Malformed("has none of the fields `gold`, `spans`, `sentences`")


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise Malformed(f"`{key}` must be a text that is not empty")
    return value


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data[key]
    if not isinstance(value, list) or not value:
        raise Malformed(f"`{key}` must be a list that is not empty")
    return value


def _span(value: Any) -> Span:
    numbers = isinstance(value, list) and all(isinstance(n, int) and not isinstance(n, bool) for n in value)
    if not numbers or len(value) != 2 or not 0 <= value[0] < value[1]:
        raise Malformed("each of `spans` must be two numbers [start, end] with 0 <= start < end")
    return Span(value[0], value[1])


def _sentence(value: Any) -> GradedSentence:
    if not isinstance(value, dict):
        raise Malformed("each of `sentences` must be an object")
    grade = value.get("grade")
    if not isinstance(grade, str) or grade not in GRADES:
        raise Malformed(f"`grade` must be one of {', '.join(GRADES)}")
    return GradedSentence(_text(value, "file"), _text(value, "text"), GRADES[grade])


@dataclass(frozen=True, slots=True)
class ExplainedQuestion:
    """A question and what is known about its answer. ``line`` is the line's number, from 1; the other fields
    are those of the line.
    """

    line: int
    id: str
    text: str
    gold: tuple[str, ...] = ()
    citing: str = ""
    reference: str = ""
    answerable: bool = True


def read_explained(path: Path) -> list[ExplainedQuestion]:
    """Return the questions of a file; blank lines are skipped.

    Raises ``BenchmarkError`` if the file cannot be read or is empty, or if a line is malformed.
    """
    return read_lines(path, _explained_question)


def _explained_question(line: int, data: Any) -> ExplainedQuestion:
    if not isinstance(data, dict):
        raise Malformed("not a JSON object")
    text = data.get("text") or data.get("question")
    if not isinstance(text, str) or not text.strip():
        raise Malformed("`text` (or `question`) must be a text that is not empty")
    known = {key: data[key] for key in ("gold", "citing", "reference", "answerable") if key in data}
    for key in ("citing", "reference"):
        if not isinstance(known.get(key, ""), str):
            raise Malformed(f"`{key}` must be a text")
    gold = known.get("gold", [])
    if not isinstance(gold, list) or not all(isinstance(each, str) and each for each in gold):
        raise Malformed("`gold` must be a list of file names")
    if not isinstance(known.get("answerable", True), bool):
        raise Malformed("`answerable` must be true or false")
    return ExplainedQuestion(
        line, str(data.get("id") or line), text, **known | {"gold": tuple(dict.fromkeys(gold))}
    )
