"""What checking drafts found, as plain data for the formats it is told in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.cli.draft_places import DraftPlace
from lexls.settings.diagnostics import SEVERITIES, Severity

if TYPE_CHECKING:
    from lexls.features.checks.problem import Finding


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    """A place that explains a finding. ``place`` is None where ``file`` has no lines to show."""

    message: str
    file: Path
    place: DraftPlace | None


@dataclass(frozen=True, slots=True)
class TextEdit:
    """``text`` in place of the draft's code points from ``start`` to ``end``, which stand at ``place``."""

    start: int
    end: int
    text: str
    place: DraftPlace


@dataclass(frozen=True, slots=True)
class OfferedFix:
    """A change of the draft that mends a finding; ``preferred`` where it is the one answer there is."""

    title: str
    edits: tuple[TextEdit, ...]
    preferred: bool


@dataclass(frozen=True, slots=True)
class FoundProblem:
    """A finding in the draft ``file`` (as the command line names it).

    ``context`` is the paragraph it stands in. Fixes are none for Word documents: their text is not a file
    that can be edited.
    """

    file: Path
    finding: Finding
    place: DraftPlace
    context: str
    related: tuple[RelatedPlace, ...]
    fixes: tuple[OfferedFix, ...]

    @property
    def message(self) -> str:
        """The finding's message, behind its place where the file has no lines."""
        said = self.finding.message
        return f"{self.place.words}: {said}" if self.place.words else said


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be checked, and why."""

    file: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """All that was found in the drafts of one call, in the order of the files."""

    found: tuple[FoundProblem, ...]
    unreadable: tuple[Unreadable, ...]


def at_least(severity: Severity, lowest: str) -> bool:
    """Whether a severity is ``lowest`` or worse; none is worse than "never"."""
    return lowest in SEVERITIES and SEVERITIES.index(severity) <= [str(each) for each in SEVERITIES].index(
        lowest
    )
