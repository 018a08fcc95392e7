"""Convert what is found in a draft to diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.assessing.check import Finding, Related
    from lexls.assessing.verdicts import Verdict
    from lexls.server.server import DocumentRequest

MOST_PLACES = 10_000
SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "information": t.DiagnosticSeverity.Information,
    "hint": t.DiagnosticSeverity.Hint,
}


Places = Memory["Related", t.Location | None]
"""Where places of authorities and of the record open, worked out once for a state of both, since a line
number takes a look at the whole text; None for one that is gone."""


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """A document after a check: its diagnostics, and the verdicts on its citations.

    ``stamp`` changes with the diagnostics; it is "" for a document that is no draft. ``verdicts`` counts the
    citations of this ``version`` that have each verdict, and ``summary`` says so in a line.
    """

    items: list[t.Diagnostic]
    stamp: str
    version: int
    verdicts: Mapping[Verdict, int]
    summary: str


def to_diagnostics(asked: DocumentRequest, places: Places | None) -> CheckedDocument:
    """Check a document. Raises ``Cancelled``.

    With ``places`` its diagnostics open the authorities that they point into.
    """
    checked = asked.session.checker.find(asked.snapshot, asked.document, asked.token)
    from lexls.assessing.rules.engine import list_libraries
    from lexls.assessing.verdicts import summarise_citations

    libraries = list_libraries(asked.snapshot)
    if places is not None:
        places.renew(tuple((each.path, each.generation) for each in libraries))
    items = [_to_diagnostic(asked, each, places) for each in checked.findings]
    generations = "-".join(str(each.generation) for each in libraries)
    stamp = f"{generations}.{hash(checked.findings):x}"
    verdicts = checked.verdicts
    return CheckedDocument(items, stamp, asked.document.version, verdicts, summarise_citations(verdicts))


def _locate(asked: DocumentRequest, place: Related) -> t.Location | None:
    assert place.authority is not None
    library = place.hold(asked.snapshot)
    return asked.location(library.locate(place.authority, place.span.start, place.span.end))


def _to_diagnostic(asked: DocumentRequest, finding: Finding, places: Places | None) -> t.Diagnostic:
    related = []
    for each in finding.related if places is not None else ():
        location: t.Location | None
        if each.authority is None:
            location = t.Location(asked.document.uri, asked.range(each.span))
        else:
            assert places is not None
            location = places.recall(each, partial(_locate, asked, each))
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
