"""Reading questions whose answers are measured: JSON, one question a line.

``{"id", "text", "gold"?: [document, …], "citing"?: document, "reference"?: text, "answerable"?: bool}``: the
library is asked ``text`` without ``citing``; ``gold`` are documents that an answer should rest on,
``reference`` is an answer to compare with, and ``answerable`` (true unless said) whether the library can
answer at all. ``question`` may stand for ``text``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexls.evaluation.benchmark import Malformed, read_lines


@dataclass(frozen=True, slots=True)
class ExplainedQuestion:
    """A question with what is known of its answer; ``line`` counts from 1, the fields are those of a line."""

    line: int
    id: str
    text: str
    gold: tuple[str, ...] = ()
    citing: str = ""
    reference: str = ""
    answerable: bool = True


def read_explained(path: Path) -> list[ExplainedQuestion]:
    """The questions of a file; blank lines are skipped.

    Raises ``BenchmarkError`` if the file cannot be read, is empty, or a line is malformed.
    """
    return read_lines(path, _question)


def _question(line: int, data: Any) -> ExplainedQuestion:
    wrong = _wrong(data)
    if wrong:
        raise Malformed(wrong)
    return ExplainedQuestion(
        line=line,
        id=str(data.get("id") or line),
        text=str(data.get("text") or data["question"]),
        gold=tuple(dict.fromkeys(data.get("gold", ()))),
        citing=data.get("citing", ""),
        reference=data.get("reference", ""),
        answerable=data.get("answerable", True),
    )


def _wrong(data: Any) -> str:
    """What is wrong with a line, "" if nothing is."""
    if not isinstance(data, dict):
        return "not a JSON object"
    text = data.get("text") or data.get("question")
    if not isinstance(text, str) or not text.strip():
        return "`text` (or `question`) must be a text that is not empty"
    for key in ("citing", "reference"):
        if not isinstance(data.get(key, ""), str):
            return f"`{key}` must be a text"
    gold = data.get("gold", [])
    if not isinstance(gold, list) or not all(isinstance(each, str) and each for each in gold):
        return "`gold` must be a list of file names"
    if not isinstance(data.get("answerable", True), bool):
        return "`answerable` must be true or false"
    return ""
