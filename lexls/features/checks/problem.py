"""What a check has to tell, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lexls.settings.diagnostics import Severity
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """``text`` in place of ``span`` of the draft's source."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the draft that mends a problem.

    ``title`` says what it does ("Change the pinpoint to [23]"). ``preferred`` says that it is the one answer
    there is, so that an editor may offer it first or apply it for a whole draft.
    """

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = True


@dataclass(frozen=True, slots=True)
class Related:
    """A place that explains a problem: ``span`` of the authority's text, or of the draft if that is None."""

    message: str
    span: Span
    authority: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to tell about ``span`` of a draft's source.

    ``code`` is that of a declared diagnostic, whose setting decides the severity. ``authority`` is the one
    concerned, if any.
    """

    span: Span
    code: str
    message: str
    authority: int | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()

    def moved(self, by: int) -> Problem:
        """The problem with all its spans of the draft ``by`` code points further on."""
        if by == 0:
            return self
        return replace(
            self,
            span=self.span.shift(by),
            related=tuple(
                each if each.authority is not None else replace(each, span=each.span.shift(by))
                for each in self.related
            ),
            fixes=tuple(
                replace(fix, edits=tuple(replace(edit, span=edit.span.shift(by)) for edit in fix.edits))
                for fix in self.fixes
            ),
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with the severity that the settings give its code; never "off"."""

    problem: Problem
    severity: Severity

    @property
    def span(self) -> Span:
        """Where in the draft's source."""
        return self.problem.span

    @property
    def code(self) -> str:
        """The diagnostic's code."""
        return self.problem.code

    @property
    def message(self) -> str:
        """What there is to tell."""
        return self.problem.message

    @property
    def authority(self) -> int | None:
        """The authority concerned, if any."""
        return self.problem.authority

    @property
    def related(self) -> tuple[Related, ...]:
        """The places that explain it."""
        return self.problem.related

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """The changes that mend it, the best first."""
        return self.problem.fixes
