"""A small model of the user's as the judge of entailment."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lexls.grounding.verification.verifier import JudgeUnavailable
from lexls.models.entailment import EntailmentClient
from lexls.models.unavailable import ModelUnavailable
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.models.process import ModelProcess

log = logging.getLogger(__name__)


class ModelJudge:
    """Judges with the model of ``client``. ``problem`` says why it last could not ("" if it could)."""

    def __init__(self, client: EntailmentClient) -> None:
        self._client = client
        self.problem = ""

    def entails(self, premise: str, hypothesis: str, token: CancelToken) -> float:
        """How surely ``hypothesis`` follows from ``premise``, from 0 to 1. Raises ``JudgeUnavailable``,
        ``Cancelled``."""
        try:
            found = self._client.probabilities([(premise, hypothesis)], token)[0]
        except ModelUnavailable as error:
            if error.reason != self.problem:  # every sentence tries again
                log.warning("%s", error.reason)
            self.problem = error.reason
            raise JudgeUnavailable(error.reason) from error
        self.problem = ""
        return found


def open_judge(model: str, process: ModelProcess) -> ModelJudge:
    """The judge with the model of that name or folder; it is loaded when it is first asked."""
    return ModelJudge(EntailmentClient(model, process))
