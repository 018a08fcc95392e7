"""Findings as SARIF 2.1.0 (OASIS), for code scanning and for viewers of results."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import Any

from lexls import __version__
from lexls.cli.checked import Checked, FoundProblem, OfferedFix, RelatedPlace
from lexls.cli.draft_places import DraftPlace
from lexls.settings.diagnostics import DIAGNOSTICS, DiagnosticRule, Severity

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS: dict[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "information": "note",
    "hint": "note",
    "off": "none",
}
_FINGERPRINT = "lexlsFinding/v1"
"""Of the code, the words marked and the paragraph: the same wherever the paragraph moves to."""


def sarif(checked: Checked, root: Path) -> dict[str, Any]:
    """The log of one run. Paths below ``root`` are relative to it; columns count code points."""
    places = {declared.code: number for number, declared in enumerate(DIAGNOSTICS)}
    seen: Counter[str] = Counter()
    results = [_result(each, places, root, seen) for each in checked.found]
    notifications = [
        {
            "level": "error",
            "message": {"text": each.reason},
            "locations": [{"physicalLocation": {"artifactLocation": _artifact(each.file, root)}}],
        }
        for each in checked.unreadable
    ]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "lexls",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(declared) for declared in DIAGNOSTICS],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": not checked.unreadable,
                        "toolExecutionNotifications": notifications,
                    }
                ],
                "originalUriBaseIds": {_ROOT: {"uri": root.as_uri().rstrip("/") + "/"}},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }


def _rule(declared: DiagnosticRule) -> dict[str, Any]:
    return {
        "id": declared.code,
        "name": "".join(word.capitalize() for word in declared.code.split("-")),
        "shortDescription": {"text": declared.help},
        "fullDescription": {"text": _line(declared.documentation)},
        "help": {"text": _line(declared.documentation), "markdown": declared.documentation},
        "defaultConfiguration": {
            "enabled": declared.severity != "off",
            "level": _LEVELS[declared.severity],
        },
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
            _related(each, number, root) for number, each in enumerate(found.related)
        ]
    if found.fixes:
        result["fixes"] = [_fix(each, found.file, root) for each in found.fixes]
    return result


def _related(related: RelatedPlace, number: int, root: Path) -> dict[str, Any]:
    return {
        "id": number,
        **_location(related.file, related.place, root),
        "message": {"text": related.message},
    }


def _fix(fix: OfferedFix, file: Path, root: Path) -> dict[str, Any]:
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(file, root),
                "replacements": [
                    {"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.text}}
                    for edit in fix.edits
                ],
            }
        ],
    }


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
        # A URI of its own, so that blanks and other signs are written as URIs have them.
        base = root.as_uri().rstrip("/") + "/"
        return {"uri": absolute.as_uri().removeprefix(base), "uriBaseId": _ROOT}
    return {"uri": absolute.as_uri()}


def _line(text: str) -> str:
    return " ".join(text.split())
