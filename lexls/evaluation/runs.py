"""Store and load runs of a benchmark.

A JSON file has one line for the header and one for each question, with names and offsets but no texts. A file
for TREC tools has only the ranked lists.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, astuple, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

Figures = Mapping[str, float]
"""The value of each measure."""


@dataclass(frozen=True, slots=True)
class RankedItem:
    """An item of a ranked list: a document, a passage (``[start, end)`` of the document's text), the number
    of a sentence, or the id of a case.
    """

    name: str
    score: float
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class RankedAnswer:
    """The ranked list for one question, best first, and the time it took in seconds."""

    id: str
    items: tuple[RankedItem, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class RunHeader:
    """A description of a run. It shows how the run was made, and whether it can be compared with another.

    ``benchmark_hash`` is the SHA-256 of the benchmark file. ``kind`` is what the benchmark's questions ask
    for (``documents``, ``spans``, ``terms`` or ``cases``). ``index`` is the fingerprint of the index
    searched. ``settings`` are those that affect a ranked list.
    """

    lexls: str
    benchmark: str
    benchmark_hash: str
    kind: str
    index: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """All answers to a benchmark and the measures of each question, in the order of the benchmark's lines."""

    header: RunHeader
    answers: tuple[RankedAnswer, ...]
    figures: tuple[Figures, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """Return the names of the measures."""
        return tuple(self.figures[0]) if self.figures else ()


FORMAT = 1
TREC_SUFFIX = ".run"
TREC_TAG = "lexls"


class RunFileError(Exception):
    """Raised if a file is not a run, or cannot be read or written. The message names the file and gives the
    reason.
    """


def save_run(path: Path, run: Run) -> None:
    """Write ``run`` in TREC's format if the name ends in ``.run``, else in full. Raises ``RunFileError``."""
    lines = write_trec_lines(run) if path.suffix.lower() == TREC_SUFFIX else _lines(run)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            with open(beside, "w", encoding="utf-8", newline="\n") as stream:
                stream.writelines(line + "\n" for line in lines)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise RunFileError(f"{path}: cannot be written: {error.strerror or error}") from None


def check_folder(path: Path) -> None:
    """Raise ``RunFileError`` if a run cannot be saved at ``path``, because it is a folder or its parent
    folder is missing.
    """
    if path.is_dir() or not path.parent.is_dir():
        reason = "is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        raise RunFileError(f"{path}: cannot be written: {reason}")


def load_run(path: Path) -> Run:
    """Load a run that ``save_run`` wrote in full. Raises ``RunFileError``."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise RunFileError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise RunFileError(f"{path}: not a run saved by `lexls eval --save`") from None
    try:
        head, *rest = (json.loads(line) for line in lines if line.strip())
        if head["format"] != FORMAT:
            raise RunFileError(f"{path}: saved by another version of lexls (format {head['format']})")
        names = ("lexls", "benchmark", "benchmark_hash", "kind", "index")
        header = RunHeader(**{name: str(head[name]) for name in names}, settings=dict(head["settings"]))
        answers = tuple(_answer(each) for each in rest)
        figures = tuple(_figures(each["figures"]) for each in rest)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RunFileError(f"{path}: not a run saved by `lexls eval --save`") from None
    if not answers or any(each.keys() != figures[0].keys() for each in figures):
        raise RunFileError(f"{path}: the run is not complete")
    return Run(header, answers, figures)


def write_trec_lines(run: Run) -> Iterator[str]:
    """Yield the ranked lists in TREC's format: question, Q0, item, rank, score, tag.

    A passage is written ``document:start-end``. White space, which separates fields, is percent-encoded
    (``%20``).
    """
    for answer in run.answers:
        scores = _falling([item.score for item in answer.items])
        for rank, (item, score) in enumerate(zip(answer.items, scores, strict=True), 1):
            name = item.name if item.start < 0 else f"{item.name}:{item.start}-{item.end}"
            yield f"{_word(answer.id)} Q0 {_word(name)} {rank} {score!r} {TREC_TAG}"


def _falling(scores: list[float]) -> list[float]:
    """Return the scores if they strictly decrease, or else other numbers that do, since TREC tools order
    items by score and then by name.
    """
    if all(above > below for above, below in pairwise(scores)):
        return scores
    return [float(len(scores) - number) for number in range(len(scores))]


def _word(text: str) -> str:
    return "".join(quote(letter, safe="") if letter.isspace() or letter == "%" else letter for letter in text)


def _lines(run: Run) -> Iterator[str]:
    yield json.dumps({"format": FORMAT, **asdict(run.header)}, ensure_ascii=False)
    for answer, figures in zip(run.answers, run.figures, strict=True):
        yield json.dumps(
            {
                "id": answer.id,
                "seconds": round(answer.seconds, 6),
                "figures": dict(figures),
                "items": [astuple(item)[: 2 if item.start < 0 else 4] for item in answer.items],
            },
            ensure_ascii=False,
        )


def _answer(data: Mapping[str, Any]) -> RankedAnswer:
    items = (RankedItem(str(name), float(score), *map(int, where)) for name, score, *where in data["items"])
    return RankedAnswer(str(data["id"]), tuple(items), float(data["seconds"]))


def _figures(data: Mapping[str, Any]) -> dict[str, float]:
    figures = {str(name): float(value) for name, value in data.items()}
    if not figures or not all(math.isfinite(value) for value in figures.values()):
        raise ValueError
    return figures
