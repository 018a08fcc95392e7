"""Write findings and verdicts as plain data, SARIF 2.1.0 (OASIS), GitHub workflow commands or single
lines.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexls import __version__
from lexls.assessing.check import Finding
from lexls.cli.output import read_tables
from lexls.export.report_data import ReportedDraft, describe_reports
from lexls.reading.draft_files import is_word
from lexls.reading.draft_places import DraftPlace, Places
from lexls.reading.edit import Fix
from lexls.settings.diagnostics import DIAGNOSTICS, SEVERITIES, DiagnosticRule, Severity

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_TABLES = read_tables("tables.toml")
_LEVELS: Mapping[Severity, str] = _TABLES["sarif_levels"]
_FINGERPRINT = "lexlsFinding/v1"
"""Name of the fingerprint of a finding. The fingerprint is made from the code, the message and the
paragraph's text, so it does not change if the paragraph moves.
"""


def write_sarif(checked: Checked, root: Path, reports: Sequence[ReportedDraft] = ()) -> dict[str, Any]:
    """Return the SARIF log of one run. Paths of files below ``root`` are relative to it; columns count code
    points.

    The verdicts are properties of the run. Each has the kind that it would have as a SARIF result. They are
    not written as results, since viewers show every result as a problem.
    """
    places = {declared.code: number for number, declared in enumerate(DIAGNOSTICS)}
    seen: Counter[str] = Counter()
    notifications = [
        {"level": "error", "message": {"text": each.reason}, "locations": [_location(each.file, None, root)]}
        for each in checked.unreadable
    ]
    driver: dict[str, Any] = {"name": "lexls", "version": __version__, "semanticVersion": __version__}
    driver["rules"] = [_rule(declared) for declared in DIAGNOSTICS]
    finished = not checked.unreadable
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": finished, "toolExecutionNotifications": notifications}],
        "originalUriBaseIds": {_ROOT: {"uri": root.as_uri().rstrip("/") + "/"}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, places, root, seen) for each in checked.found],
        "properties": _verdicts(reports),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _verdicts(reports: Sequence[ReportedDraft]) -> dict[str, Any]:
    described = describe_reports(reports)
    for each in (*described["citations"], *described["quotations"]):
        each["kind"] = _TABLES["sarif_kinds"][each["verdict"]]
    return described


def _rule(declared: DiagnosticRule) -> dict[str, Any]:
    return {
        "id": declared.code,
        "name": "".join(word.capitalize() for word in declared.code.split("-")),
        "shortDescription": {"text": declared.help},
        "fullDescription": {"text": _line(declared.documentation)},
        "help": {"text": _line(declared.documentation), "markdown": declared.documentation},
        "defaultConfiguration": {"enabled": declared.severity != "off", "level": _LEVELS[declared.severity]},
    }


def _result(found: FoundProblem, places: dict[str, int], root: Path, seen: Counter[str]) -> dict[str, Any]:
    location = _location(found.file, found.place, root)
    if found.place.words:
        location["logicalLocations"] = [{"fullyQualifiedName": found.place.words, "kind": "element"}]
    print_of = hashlib.sha256(
        "\0".join((found.finding.code, found.finding.message, found.context)).encode("utf-8", "replace")
    ).hexdigest()[:32]
    seen[print_of] += 1
    result: dict[str, Any] = {
        "ruleId": found.finding.code,
        "ruleIndex": places[found.finding.code],
        "level": _LEVELS[found.finding.severity],
        "message": {"text": found.message},
        "locations": [location],
        "partialFingerprints": {_FINGERPRINT: f"{print_of}:{seen[print_of]}"},
    }
    if found.related:
        result["relatedLocations"] = [
            {"id": number, **_location(each.file, each.place, root), "message": {"text": each.message}}
            for number, each in enumerate(found.related)
        ]
    if found.fixes:
        result["fixes"] = [_fix(each, found, root) for each in found.fixes]
    return result


def _fix(fix: Fix, found: FoundProblem, root: Path) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(found.places(edit.span)), "insertedContent": {"text": edit.text}}
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(found.file, root), "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _location(file: Path, place: DraftPlace | None, root: Path) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(file, root)}
    if place is not None:
        physical["region"] = _region(place)
    return {"physicalLocation": physical}


def _region(place: DraftPlace) -> dict[str, int]:
    return {
        "startLine": place.line,
        "startColumn": place.character,
        "endLine": place.end_line,
        "endColumn": place.end_character,
    }


def _artifact(file: Path, root: Path) -> dict[str, str]:
    absolute = Path(os.path.abspath(file))
    if absolute.is_relative_to(root):
        # Converted to a URI first, so that spaces and other characters are escaped.
        base = root.as_uri().rstrip("/") + "/"
        return {"uri": absolute.as_uri().removeprefix(base), "uriBaseId": _ROOT}
    return {"uri": absolute.as_uri()}


def _line(text: str) -> str:
    return " ".join(text.split())


def write_workflow_commands(checked: Checked, root: Path) -> Iterator[str]:
    """Yield a workflow command for each finding and each unreadable file. File names are relative to
    ``root``.
    """
    for each in checked.unreadable:
        yield f"::error file={_property(_relative(each.file, root))},title=lexls::{_data(each.reason)}"
    for found in checked.found:
        yield _command(found, root)


def _command(found: FoundProblem, root: Path) -> str:
    at = found.place
    properties = {
        "file": _relative(found.file, root),
        "line": str(at.line),
        "endLine": str(at.end_line),
        "col": str(at.character),
        "endColumn": str(at.end_character),
        "title": f"lexls: {found.finding.code}",
    }
    if at.line != at.end_line:
        # Columns are only understood within one line.
        del properties["col"], properties["endColumn"]
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_TABLES['github_commands'][found.finding.severity]} {written}::{_data(found.message)}"


def _relative(path: Path, root: Path) -> str:
    absolute = Path(os.path.abspath(path))
    inside = absolute.is_relative_to(root)
    return (absolute.relative_to(root) if inside else absolute).as_posix()


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    """A place that explains a finding. ``place`` is None if ``file`` has no lines to show."""

    message: str
    file: Path
    place: DraftPlace | None


@dataclass(frozen=True, slots=True)
class FoundProblem:
    """A finding in the draft ``file`` (as named on the command line).

    ``context`` is the text of its paragraph. Findings in Word documents have no fixes, since their text
    cannot be edited as a file.
    """

    file: Path
    finding: Finding
    places: Places
    context: str
    related: tuple[RelatedPlace, ...]

    @property
    def place(self) -> DraftPlace:
        """The finding's position in the draft."""
        return self.places(self.finding.span)

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """The fixes that edit the draft."""
        return () if is_word(self.file) else tuple(each for each in self.finding.fixes if each.edits)

    @property
    def message(self) -> str:
        """The finding's message, preceded by its position if the file has no lines."""
        said = self.finding.message
        return f"{self.place.words}: {said}" if self.place.words else said


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be checked, and the reason."""

    file: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """All findings of one run, in the order of the files, and the files that could not be checked."""

    found: tuple[FoundProblem, ...]
    unreadable: tuple[Unreadable, ...]


def is_at_least(severity: Severity, lowest: str) -> bool:
    """Return whether a severity is at least as severe as ``lowest``; always false for "never"."""
    ranks = {str(each): rank for rank, each in enumerate(SEVERITIES)}
    return lowest in ranks and ranks[severity] <= ranks[lowest]


def write_summaries(reports: Sequence[ReportedDraft]) -> Iterator[str]:
    """Yield a line for each draft, with its name and its summary."""
    for each in reports:
        yield f"{each.path}: {each.report.summary}"


def write_outside(reports: Sequence[ReportedDraft]) -> Iterator[str]:
    """Yield the limits of the drafts' checks ("Not checked: …"), without duplicates."""
    uncompared = sum(each.report.quotation_verdicts["not-compared"] for each in reports)
    if uncompared:
        yield f"Not checked: {uncompared:,} quotation{'' if uncompared == 1 else 's'}, compared with nothing"
    for said in dict.fromkeys(said for each in reports for said in each.report.outside):
        yield f"Not checked: {said}"
