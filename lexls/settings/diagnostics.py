"""The diagnostics that lexls publishes, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "information", "hint", "off"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint", "off")


@dataclass(frozen=True, slots=True)
class DiagnosticRule:
    """A diagnostic: its code, its default severity, one line of help and the text of its manual page."""

    code: str
    severity: Severity
    help: str
    documentation: str

    @property
    def key(self) -> str:
        """The setting that changes its severity: ``not-in-library`` → ``diagnostics.notInLibrary``."""
        first, *rest = self.code.split("-")
        return "diagnostics." + first + "".join(word.capitalize() for word in rest)


NOT_IN_LIBRARY = DiagnosticRule(
    code="not-in-library",
    severity="information",
    help="A citation of an authority that your library does not hold.",
    documentation="""\
The citation was read and understood, but no document of the library carries it. lexls knows only the
library it was given, so this says nothing about whether the authority exists: add its text to a library
folder and the message goes away, usually within a second.

It is reported once for each full citation. Short forms (*supra*, *id.*, a bare section) follow the full
citation they stand for and are not reported again. If the authority is in the library and the message
stays, the document's own citation was not recognised: give it in the front matter (`citation:`,
`parallel_citations:`), or declare the citation's form in `lexls.toml` under `[[citations.forms]]`.""",
)

PINPOINT_NOT_FOUND = DiagnosticRule(
    code="pinpoint-not-found",
    severity="warning",
    help="A pinpoint to a paragraph, page or section that the authority does not have.",
    documentation="""\
The authority is in the library, its paragraphs (or pages, or sections) are numbered, and none of them
carries the number that the citation points at: a judgment that ends at paragraph 41 is cited "at [52]",
say, or a section that was never enacted is relied on.

Nothing is reported where the library's copy has no numbering of that kind, since then nobody can tell: a
page of a report series is not checked against a text that keeps no pages.""",
)

DIAGNOSTICS: tuple[DiagnosticRule, ...] = (NOT_IN_LIBRARY, PINPOINT_NOT_FOUND)


def rule(code: str) -> DiagnosticRule:
    """The diagnostic with that code; KeyError if there is none."""
    for declared in DIAGNOSTICS:
        if declared.code == code:
            return declared
    raise KeyError(code)
