"""Review a whole brief: what it should cite, what stands against it, what an opponent makes of the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from lexls.export.contrary_authority import ContraryAuthority, find_contrary_authority
from lexls.export.missing_authorities import MissingAuthority, find_missing
from lexls.export.opposing_briefs import ComparedBrief, compare_briefs
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken

MOST_MISSING = 10
"""Authorities that are named as missing."""
Tell = Callable[[str, int, int], None]
"""Told what is done, and of how many steps how many are."""


@dataclass(frozen=True, slots=True)
class BriefReview:
    """What the report on a draft says of it as a whole."""

    missing: tuple[MissingAuthority, ...]
    contrary: tuple[ContraryAuthority, ...]
    compared: tuple[ComparedBrief, ...]

    @property
    def uncited(self) -> list[MissingAuthority]:
        """What is missing, but for other decisions in cases that the draft cites."""
        return [each for each in self.missing if each.same_case is None]

    @property
    def of_same_case(self) -> list[MissingAuthority]:
        """Other decisions in cases that the draft cites."""
        return [each for each in self.missing if each.same_case is not None]


def review_brief(
    snapshot: Snapshot,
    opposing: Sequence[Snapshot],
    token: CancelToken,
    tell: Tell = lambda what, done, total: None,
) -> BriefReview:
    """The review of a draft beside the ``opposing`` briefs, which are read with the same library.

    Raises ``Cancelled``.
    """
    missing = find_missing(snapshot, MOST_MISSING, token, partial(tell, "searching for what is not cited"))
    contrary = find_contrary_authority(snapshot, token, partial(tell, "looking for contrary authority"))
    against = tuple(contrary)
    compared = []
    for place, each in enumerate(opposing):
        tell("comparing with the opponent", place, len(opposing))
        compared.append(compare_briefs(snapshot, each, token))
    return BriefReview(tuple(missing), against, tuple(compared))
