"""What a question is about: without the words of asking, and with the questions before it that it needs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.grounding.relevance import Tokens, content_terms
from lexls.grounding.request import Turn

_FEW = 4
"""A question of fewer words with a meaning than this is read with the one before it."""
_GOES_ON = re.compile(
    r"\s*(?:and|or|but|so|then|also|what\s+(?:about|if)|how\s+about|why(?:\s+(?:is|was)\s+that|\s+not)?\s*\?)\b",
    re.IGNORECASE,
)
_UP_TO = 9
"""A question that goes on ("and if …") says itself what it is about if it has more such words."""
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|she|his|her|this|these|those|that\s+(?:case|rule|clause|section|party"
    r"|right|duty|agreement|contract|decision|judgment)|the\s+(?:same|former|latter|other\s+party)|such)\b",
    re.IGNORECASE,
)
_UP_TO_POINTING = 6
"""The same for one that points back: in a longer question "it" is mostly something said in it."""
_OF = r"(?:about|of|on|as\s+to|regarding|concerning|that|whether)\b"
_ASKING = re.compile(
    rf"^\s*(?:please\s+)?(?:tell\s+me|explain|describe|summari[sz]e|list|find|show\s+me|give\s+me)\b(?:\s+{_OF})?"
    rf"|\b(?:say|says|said|hold|decide|decided|state|tell\s+us)\s+{_OF}"
    rf"|\b(?:is|are|was|were)\s+(?:said|held|decided)\s+{_OF}"
    r"|\b(?:what|which)\s+(?:is\s+the\s+law|authorit(?:y|ies)|cases?|judgments?)\s+(?:is\s+|are\s+)?(?:there\s+)?"
    r"(?:on|of|about|for|that|which|say|says|hold|holds|deals?\s+with)\b"
    r"|\b(?:is|are)\s+there\s+(?:an?y?\s+)?(?:authorit(?:y|ies)|cases?|judgments?)\s+(?:on|for|about|that|which)\b"
    r"|\bwhat\s+happens\b|\bwhat\s+(?:does|do|did)\s+(?:it|they|the\s+courts?)\s+(?:say|hold|decide)\b"
    r"|(?<=\s)(?:say|says|hold|mean|provide)\s*\?\s*$",
    re.IGNORECASE,
)
_FURTHEST = 3
"""So many questions back at most."""


def searched(question: str, history: Sequence[Turn], tokens: Tokens) -> str:
    """What to search for: the question, with the ones before it as far as it needs them to be understood.

    A question needs them if it has few words of its own, or points back ("and if it was late?"). Of the
    questions before, the last is taken, and further ones only while these need others themselves.
    """
    asked = [question]
    for turn in reversed(history[-_FURTHEST:]):
        if not _needs_more(asked[0], tokens):
            break
        asked.insert(0, turn.question)
    return " ".join(" ".join(each.split()) for each in asked)


def matter(question: str) -> str:
    """The words of a question without those that only ask ("what does it say about …", "is there a case on").

    The question as it is where nothing else would be left.
    """
    rest = " ".join(_ASKING.sub(" ", question).split())
    return rest if re.search(r"[^\W\d_]{3}", rest) else question


def _needs_more(question: str, tokens: Tokens) -> bool:
    count = len(content_terms(question, tokens))
    if count < _FEW or (count <= _UP_TO and _GOES_ON.match(question)):
        return True
    return count <= _UP_TO_POINTING and _POINTS_BACK.search(question) is not None
