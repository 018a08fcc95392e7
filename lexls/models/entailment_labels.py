"""Which output of a model says that one text follows from another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class EntailmentLabels:
    """How many outputs a model has (``count``) and which of them means entailment (``place``, from 0)."""

    count: int
    place: int

    @classmethod
    def read(cls, folder: Path) -> EntailmentLabels:
        """From ``config.json`` of a model's folder.

        ``id2label`` names the outputs; a model of a single one (a cross-encoder) needs no name. Raises
        ``ValueError`` where several are named and none, or more than one, means entailment.
        """
        try:
            config = json.loads((folder / "config.json").read_text("utf-8"))
            named = config.get("id2label") or {}
            labels = {int(number): str(label).casefold() for number, label in named.items()}
        except (OSError, ValueError, AttributeError) as error:
            raise ValueError(f"its config.json cannot be read ({error})") from None
        count = len(labels) or int(config.get("num_labels", 1))
        if count == 1:
            return cls(1, 0)
        meaning = [
            number
            for number, label in labels.items()
            if "entail" in label and not any(each in label for each in ("not", "non", "no_", "un"))
        ]
        if len(meaning) != 1 or not 0 <= meaning[0] < count:
            raise ValueError(f"none of its {count} labels, or more than one, is named entailment")
        return cls(count, meaning[0])

    def probabilities(self, outputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """How likely entailment is for each row of ``outputs`` (rows × count, as the classifier gives them):
        softmax over several outputs, the logistic function of a single one."""
        rows = np.asarray(outputs, dtype=np.float64).reshape(-1, self.count)
        if self.count == 1:
            return np.asarray(1.0 / (1.0 + np.exp(-np.clip(rows[:, 0], -60.0, 60.0))), dtype=np.float32)
        weights = np.exp(rows - rows.max(axis=1, keepdims=True))
        return np.asarray(weights[:, self.place] / weights.sum(axis=1), dtype=np.float32)
