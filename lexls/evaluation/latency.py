"""How long answers took."""

from __future__ import annotations

import math
from collections.abc import Collection


def percentile(values: Collection[float], percent: float) -> float:
    """The smallest value that at least ``percent`` per cent of ``values`` do not exceed (nearest rank).

    Raises ``ValueError`` if there are no values.
    """
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def latency_ms(seconds: Collection[float]) -> dict[str, float]:
    """The median and the 95th percentile of ``seconds``, in milliseconds, as ``p50`` and ``p95``."""
    return {name: round(1000 * percentile(seconds, p), 1) for name, p in (("p50", 50), ("p95", 95))}
