"""What embedding models expect before a question, where they tell questions and passages apart."""

from __future__ import annotations

import re

_SEARCHING = "Represent this sentence for searching relevant passages: "
_CUES = (
    (re.compile(r"\bbge-[\w.-]*en\b", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\bmxbai-embed-", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\buae-(?:large|base)", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\bsnowflake-arctic-embed-(?!\w+-v2)", re.IGNORECASE), _SEARCHING),
)
"""By the model's name. Models that also want a cue before passages are not among them: passages get none."""


def query_cue(model: str, chosen: str = "") -> str:
    """What is put before a question for ``model``; ``chosen`` is the user's own, "" if none is set."""
    if chosen:
        return chosen if chosen[-1].isspace() else f"{chosen} "
    return next((cue for pattern, cue in _CUES if pattern.search(model)), "")
