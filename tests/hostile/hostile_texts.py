"""Texts made to be hard, of any length: what they repeat is data (``hostile_texts.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path


@dataclass(frozen=True, slots=True)
class HostileText:
    """A text that repeats ``piece``; ``front`` says that it stands in a head of YAML."""

    name: str
    piece: str
    front: bool = False

    def make(self, size: int) -> str:
        """The text with ``size`` code points."""
        text = self._repeat(size)
        return f"---\n{text[: max(0, size - 20)]}\n---\n\nThe oats.\n"[:size] if self.front else text[:size]

    def _repeat(self, size: int) -> str:
        if "{n}" not in self.piece and "{ticks}" not in self.piece:
            return self.piece * (size // len(self.piece) + 1)
        made = (self.piece.replace("{n}", str(n)).replace("{ticks}", "`" * (n % 100)) for n in count(1))
        pieces = []
        for piece in made:
            pieces.append(piece)
            size -= len(piece)
            if size <= 0:
                return "".join(pieces)
        raise AssertionError("a count has no end")


@lru_cache(maxsize=1)
def load_texts() -> Mapping[str, HostileText]:
    """All of them, by their names."""
    path = Path(__file__).with_suffix(".toml")
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: HostileText(name, piece.replace("{blank}", "\n" * 60), kind == "nested")
        for kind, pieces in tables.items()
        for name, piece in pieces.items()
    }
