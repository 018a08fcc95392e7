"""Why a model gives no answer."""

from __future__ import annotations


class ModelUnavailable(Exception):
    """A model gives no answer; ``reason`` says why and what to do about it, for the user."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ModelCrashed(ModelUnavailable):
    """The process ended in the middle of the request; the same request may well be answered next time."""
