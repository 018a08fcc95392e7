"""The findings of a check with their places in the drafts, as plain data for every format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lexls.assessing.check import Finding
from lexls.reading.draft_files import is_word
from lexls.reading.draft_places import DraftPlace, Places
from lexls.reading.edit import Fix
from lexls.settings.diagnostics import SEVERITIES, Severity


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    """A place that explains a finding. ``place`` is None where ``file`` has no lines to show."""

    message: str
    file: Path
    place: DraftPlace | None


@dataclass(frozen=True, slots=True)
class FoundProblem:
    """A finding in the draft ``file`` (as the command line names it).

    ``context`` is the paragraph it stands in. Fixes are none for Word documents: their text is not a file
    that can be edited.
    """

    file: Path
    finding: Finding
    places: Places
    context: str
    related: tuple[RelatedPlace, ...]

    @property
    def place(self) -> DraftPlace:
        """Where it stands."""
        return self.places(self.finding.span)

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """The changes of the draft that mend it."""
        return () if is_word(self.file) else tuple(each for each in self.finding.fixes if each.edits)

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


def is_at_least(severity: Severity, lowest: str) -> bool:
    """Whether a severity is ``lowest`` or worse; none is worse than "never"."""
    ranks = {str(each): rank for rank, each in enumerate(SEVERITIES)}
    return lowest in ranks and ranks[severity] <= ranks[lowest]
