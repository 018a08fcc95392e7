"""Convert what is found in a draft to diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.features.checks.check import Finding, Related
    from lexls.server.server import DocumentRequest

MOST_PLACES = 10_000
SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "information": t.DiagnosticSeverity.Information,
    "hint": t.DiagnosticSeverity.Hint,
}


class RelatedPlaces:
    """Where the related places of findings are opened, worked out once for a state of the library.

    A line number takes a look at the whole text of an authority. Safe from several threads.
    """

    def __init__(self) -> None:
        self._known = Memory[tuple[int, int, int], t.Location | None](MOST_PLACES)

    def find(self, related: Related, asked: DocumentRequest) -> t.Location | None:
        """The place of an authority's text that ``related`` points at; None if the authority is gone."""
        assert related.authority is not None
        library, key = asked.snapshot.library, (related.authority, related.span.start, related.span.end)
        self._known.renew(library.generation)
        return self._known.recall(key, lambda: asked.location(library.locate(*key)))


def to_diagnostics(asked: DocumentRequest, places: RelatedPlaces | None) -> tuple[list[t.Diagnostic], str]:
    """The diagnostics of a document, and a stamp that changes with them. Raises ``Cancelled``.

    With ``places`` they open the authorities that they point into.
    """
    findings = asked.session.checker.find(asked.snapshot, asked.document, asked.token)
    items = [_to_diagnostic(asked, each, places) for each in findings]
    return items, f"{asked.snapshot.library.generation}.{hash(findings):x}"


def _to_diagnostic(asked: DocumentRequest, finding: Finding, places: RelatedPlaces | None) -> t.Diagnostic:
    related = []
    for each in finding.related if places is not None else ():
        location: t.Location | None
        if each.authority is None:
            location = t.Location(asked.document.uri, asked.range(each.span))
        else:
            assert places is not None
            location = places.find(each, asked)
        if location is not None:
            related.append(t.DiagnosticRelatedInformation(location, each.message))
    return t.Diagnostic(
        range=asked.range(finding.span),
        message=finding.message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source="lexls",
        tags=[t.DiagnosticTag.Unnecessary] if finding.rule.unnecessary else None,
        related_information=related or None,
    )
