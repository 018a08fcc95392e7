"""``lexls check``: what is wrong in drafts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.cli.context import Workspace, open_for_search, searcher, workspace
from lexls.cli.drafts import read_draft
from lexls.cli.failure import FAILURE, FINDINGS, FINE, CommandFailed
from lexls.cli.output import emit, note

if TYPE_CHECKING:
    from lexls.features.snapshot import Draft
    from lexls.index.library import Library


def run(options: argparse.Namespace) -> int:
    """Check every file; one that cannot be read is told, and the others are checked all the same."""
    findings: list[dict[str, Any]] = []
    opened: list[tuple[Workspace, Library]] = []
    failed = False
    for path in options.files:
        place = workspace(options, path, quiet=True)
        try:
            draft = read_draft(path, place.settings)
        except CommandFailed as error:
            note(str(error))
            failed = True
            continue
        library = next((library for known, library in opened if known == place), None)
        if library is None:
            for problem in place.problems:
                note(f"warning: {problem}")
            library = open_for_search(place, lexical=True)
            opened.append((place, library))
        findings += _check(path, draft, place, library)
    for _, library in opened:
        library.close()
    emit(options, {"findings": findings}, _lines(findings, quiet=failed))
    return FAILURE if failed else FINDINGS if findings else FINE


def _check(path: Path, draft: Draft, place: Workspace, library: Library) -> Iterator[dict[str, Any]]:
    from lexls.features.checks.engine import check
    from lexls.features.snapshot import Snapshot
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import LineIndex

    lines = LineIndex(draft.source)
    snapshot = Snapshot(draft, library, searcher(library, place, lexical=True), place.settings)
    for finding in check(snapshot, CancelToken()):
        line, character = lines.position(finding.span.start)
        yield {
            "file": str(path),
            "start": finding.span.start,
            "end": finding.span.end,
            "line": line + 1,
            "character": character + 1,
            "code": finding.code,
            "severity": finding.severity,
            "message": finding.message,
            "fix": None,
        }


def _lines(findings: list[dict[str, Any]], *, quiet: bool) -> Iterator[str]:
    for each in findings:
        where = f"{each['file']}:{each['line']}:{each['character']}"
        yield f"{where}: {each['severity']}: {each['message']} [{each['code']}]"
    if not findings and not quiet:
        yield "Nothing to report."
