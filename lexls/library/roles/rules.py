"""Roles by rules alone: cues, headings, the place in the judgment, and neighbours that agree."""

from __future__ import annotations

import numpy as np

from lexls.library.roles.cues import Scores
from lexls.library.roles.features import SentenceFeatures
from lexls.library.roles.role import ROLES
from lexls.library.roles.smoothing import smooth

_HEADING = 1.5
_PREAMBLE, _FACTS, _ANALYSIS, _ORDER, _NONE = (
    ROLES.index(role) for role in ("PREAMBLE", "FAC", "ANALYSIS", "RPC", "NONE")
)
_STAY = 1.0
_SMOOTHING = 1.0


def rule_scores(features: SentenceFeatures) -> Scores:
    """What the rules say of each sentence alone: a row a sentence, a column a role, as logits."""
    count = len(features.sentences)
    scores = features.cues.copy()
    if not count:
        return scores
    rows = np.arange(count)
    named = features.headings >= 0
    scores[rows[named], features.headings[named]] += _HEADING
    place = rows / count
    # A judgment begins with its head, tells the facts in its first third and then discusses them.
    scores[:, _FACTS] += 1.0 * (place < 0.35)
    scores[:, _ANALYSIS] += 0.4 + 0.6 * (place >= 0.35)
    scores[:2, _PREAMBLE] += 3.0
    scores[2:, _PREAMBLE] -= 2.0 + 4.0 * (place[2:] > 0.1)
    scores[-2:, _ORDER] += 1.0
    scores[:, _ORDER] -= 1.0 * (place < 0.3)
    scores[:, _NONE] += 0.2
    return scores


def rule_roles(features: SentenceFeatures) -> Scores:
    """The probabilities of each role by the rules, after the neighbours were heard."""
    return smooth(rule_scores(features), _STAY * np.eye(len(ROLES)), _SMOOTHING)
