"""What a check has to tell, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
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

    @property
    def spans(self) -> list[Span]:
        """All its spans of the draft, in a fixed order: its own, the related ones, those of the fixes."""
        related = (each.span for each in self.related if each.authority is None)
        return [self.span, *related, *(edit.span for fix in self.fixes for edit in fix.edits)]

    def at(self, spans: Sequence[Span]) -> Problem:
        """The problem with other spans of the draft, in the order of ``spans``."""
        if not self.related and not self.fixes:
            return replace(self, span=spans[0])
        rest = iter(spans)
        return replace(
            self,
            span=next(rest),
            related=tuple(
                each if each.authority is not None else replace(each, span=next(rest))
                for each in self.related
            ),
            fixes=tuple(
                replace(fix, edits=tuple(replace(edit, span=next(rest)) for edit in fix.edits))
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
