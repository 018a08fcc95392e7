"""Sentences whose rhetorical roles were labelled by hand, beside the judgments they stand in.

``roles/development.jsonl`` and ``roles/heldout.jsonl`` name a file below the data folder, a range of its
text as lexls reads it, the role, and the first twelve digits of the SHA-256 of the range's text, so that a
file that changed is noticed. No text is kept here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lexls.citations.grammar import Grammar
from lexls.library.passages import cut_passages
from lexls.library.readers import read
from lexls.library.roles.role import ROLES, Role
from lexls.text.spans import Span

FOLDER = Path(__file__).resolve().parent / "roles"


class ChangedText(Exception):
    """A labelled range whose text is not the one that was labelled; the message names the file."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """A judgment as its passages (spans of ``text``) with the headings above them."""

    name: str
    text: str
    passages: tuple[Span, ...]
    headings: tuple[str, ...]

    @property
    def texts(self) -> list[str]:
        return [each.of(self.text) for each in self.passages]


def read_judgment(data: Path, name: str, grammar: Grammar) -> Judgment:
    """A judgment in the file ``name`` below ``data``. Raises ``UnreadableFile``."""
    source = read(data / name, grammar)
    pieces = cut_passages(source)
    return Judgment(
        name,
        source.text,
        tuple(Span(each.start, each.end) for each in pieces),
        tuple(each.heading for each in pieces),
    )


@dataclass(frozen=True, slots=True)
class Labelled:
    """A judgment with labelled ranges, in order: their spans and their roles."""

    judgment: Judgment
    spans: tuple[Span, ...]
    roles: tuple[Role, ...]

    def rows(self, sentences: list[Span]) -> list[int]:
        """For each labelled range the sentence (of the judgment's text) that shares most with it."""
        starts = np.array([each.start for each in sentences])
        ends = np.array([each.end for each in sentences])
        return [
            int(np.argmax(np.minimum(ends, span.end) - np.maximum(starts, span.start))) for span in self.spans
        ]


def labelled(half: str, data: Path) -> Iterator[Labelled]:
    """The labelled judgments of "development" or "heldout". Raises ``ChangedText``."""
    grammar = Grammar.load()
    by_file: dict[str, list[dict[str, object]]] = {}
    for line in (FOLDER / f"{half}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        by_file.setdefault(row["file"], []).append(row)
    for name, rows in by_file.items():
        judgment = read_judgment(data, name, grammar)
        spans, roles = [], []
        for row in sorted(rows, key=lambda each: each["start"]):  # type: ignore[arg-type, return-value]
            span = Span(int(str(row["start"])), int(str(row["end"])))
            if hashlib.sha256(span.of(judgment.text).encode()).hexdigest()[:12] != row["sha"]:
                raise ChangedText(f"{name}: the text at {span.start} is not the one that was labelled")
            spans.append(span)
            roles.append(ROLES[ROLES.index(row["role"])])  # type: ignore[arg-type]
        yield Labelled(judgment, tuple(spans), tuple(roles))
