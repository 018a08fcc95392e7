"""What can be tuned, declared once: names, ranges, and the points of a grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Literal

from lexls.retrieval.ranking import RANKINGS, Ranking

Value = int | float
Values = Mapping[str, Value]
"""Parameter → value."""
Where = Literal["index", "ranking"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that may be chosen from ``low`` to ``high`` in steps of ``step``; ``grid`` are the points
    that a grid has of it. ``index``: passages are cut anew for it; ``ranking``: a field of ``Ranking``."""

    name: str
    low: Value
    high: Value
    step: Value
    grid: tuple[Value, ...]
    where: Where = "ranking"

    @property
    def whole(self) -> bool:
        """Whether it takes whole numbers only."""
        return isinstance(self.step, int)


INDEX_PARAMETERS = (
    Parameter("max_chars", 500, 3000, 100, (500, 1000, 1500, 2000), "index"),
    Parameter("overlap", 0, 400, 50, (0, 200, 400), "index"),
)
_DEPTHS = tuple(
    Parameter(name, 50, 1000, 50, (50, 200, 500, 1000))
    for name in ("passage_depth", "document_depth", "vector_depth", "citing_depth", "precedent_depth")
)
_WEIGHTS = tuple(Parameter(stage, 0.0, 2.0, 0.1, (0.0, 0.5, 1.0, 2.0)) for stage in RANKINGS)
_OTHERS = (
    Parameter("rrf_k", 5, 120, 5, (10, 30, 60, 100)),
    Parameter("k1", 0.5, 4.0, 0.1, (1.2, 2.0, 3.0)),
    Parameter("b", 0.3, 1.0, 0.05, (0.6, 0.75, 0.9, 1.0)),
    Parameter("prior", 0.0, 1.0, 0.05, (0.0, 0.1, 0.3)),
    Parameter("diversity", 0.0, 0.5, 0.05, (0.0, 0.1, 0.3)),
)
PARAMETERS: Mapping[str, Parameter] = MappingProxyType(
    {each.name: each for each in (*INDEX_PARAMETERS, *_DEPTHS, *_WEIGHTS, *_OTHERS)}
)
"""Every parameter by its name: length and overlap of passages in characters, how deep each stage looks, what
each counts (by the stage's name), the constant of reciprocal rank fusion, k1 and b of BM25 over documents."""
USUAL = ("rrf_k", *RANKINGS)
"""The parameters that are tuned unless others are named."""


def defaults(names: Sequence[str], ranking: Ranking, max_chars: int, overlap: int) -> dict[str, Value]:
    """The values in force of these parameters, moved into their ranges."""
    index = {"max_chars": max_chars, "overlap": overlap}
    found: dict[str, Value] = {}
    for name in names:
        parameter = PARAMETERS[name]
        value = index[name] if parameter.where == "index" else getattr(ranking, name)
        found[name] = min(parameter.high, max(parameter.low, value))
    return found


def ranking_with(ranking: Ranking, values: Values) -> Ranking:
    """``ranking`` with those of ``values`` that are fields of it."""
    known = {each.name for each in fields(ranking)}
    return replace(ranking, **{name: value for name, value in values.items() if name in known})  # type: ignore[arg-type]
