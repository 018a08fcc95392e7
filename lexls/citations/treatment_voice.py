"""Whose voice a sentence about an authority is in: the writer's, counsel's, a condition, a denial."""

from __future__ import annotations

import re

FIRST, LAST = "\ue000", "\uf8ff"
"""The signs that stand for authorities in a line (see `lexls.citations.treatment_phrases`)."""

_FLAGS = re.IGNORECASE
_ATTRIBUTED = re.compile(
    r"\b(?:counsel|submi(?:t|ts|tted|tting|ssions?)|conten(?:d|ds|ded|tions?|ding)|argu(?:e|es|ed|ing|ments?)|"
    r"urg(?:e|es|ed|ing)|invit(?:e|es|ed|ing|ation)|ask(?:s|ed|ing)?|request(?:s|ed)?|claim(?:s|ed)?|"
    r"maintain(?:s|ed)?|assert(?:s|ed|ion)?|suggest(?:s|ed|ion|ing)?|insist(?:s|ed)?|seeks?|sought|allege[sd]?|"
    r"believe[sd]?|plead(?:s|ed)?|according\s+to|appellants?|respondents?|petitioners?|plaintiffs?|defendants?|"
    r"government|solicitor|advocate|attorney\s+general|amici|commentators?|minority|impugned|saying\s+that|stand\s+(?:is|was)\s+that|intimated|"
    r"reasons?\s+(?:\w+\s+){0,6}to\s+hold|dissent(?!(?:s|ed|ing)?\s+from)\w*|"
    r"(?:district|trial|lower|circuit|sessions|single|learned|magistrate|hearing)\s+(?:single\s+)?(?:courts?|judges?)|"
    r"court\s+below|learned)\b",
    _FLAGS,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|unless|whether|assuming|suppos\w+|may|might|could|hypothe\w+|would\s+have|had\s+been|possib\w+|"
    r"as\s+though|question|perhaps|reconsider|rehearing|predict\w*|should\s+(?:we|this|the)|arguabl[ey]|until|purport\w*)\b",
    _FLAGS,
)
_DENIED = re.compile(
    r"\b(?:not|never|nor|neither|cannot|without|hardly|nothing|no|none|(?:refus|declin)\w+\s+to|unable\s+to|"
    r"need\s+not|rather\s+than|far\s+from|instead\s+of|nowhere)\b|n['’]t\b",
    _FLAGS,
)
_TO = re.compile(r"\bto\s+(?:\w+ly\s+)?$", _FLAGS)
_NEAR = 90


def spoken_for_another(line: str, start: int) -> bool:
    """Whether what begins at ``start`` is a submission, a condition or a question, not a statement."""
    before = line[:start]
    return (
        "?" in line[-4:]
        or _ATTRIBUTED.search(before) is not None
        or _HYPOTHETICAL.search(before[-_NEAR:]) is not None
        or _DENIED.search(before[-75:].rpartition(";")[2]) is not None
    )


def denied(line: str, start: int) -> bool:
    """Whether the words right before ``start`` deny, or merely intend, what follows."""
    before = re.split(f"[;{FIRST}-{LAST}]", line[max(0, start - 60) : start])[-1]
    return _DENIED.search(before[-40:]) is not None or _TO.search(before) is not None
