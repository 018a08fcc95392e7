"""``lexls check``: report problems in drafts."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lexls.assessing.check import Related
from lexls.assessing.rules.engine import check_at_once
from lexls.cli.context import find_workspace
from lexls.cli.drafts import find_drafts, read_draft
from lexls.cli.finding_formats import (
    Checked,
    FoundProblem,
    RelatedPlace,
    Unreadable,
    is_at_least,
    write_outside,
    write_summaries,
)
from lexls.cli.libraries import Libraries
from lexls.cli.log import log_draft, read_ticks, save_log
from lexls.cli.output import FINDINGS, FINE, USAGE, CommandFailed, save
from lexls.cli.word_copies import check_copy, write_review
from lexls.export.log.file import Log
from lexls.export.report import make_report
from lexls.export.report_data import ReportedDraft, describe_reports
from lexls.export.ticks import Signature
from lexls.index.records import OpenLocation
from lexls.reading.draft_places import DraftPlace, Places, describe_places, find_place
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.lines import LineIndex
from lexls.text.terminal import note, say, write_json


def run_check(options: argparse.Namespace) -> int:
    """Check every draft. If a draft cannot be read, report it and check the others.

    If the command cannot run at all, raise ``CommandFailed`` with the usage exit code, so that a build can
    distinguish this from findings.
    """
    try:
        return _run(options)
    except CommandFailed as error:
        raise CommandFailed(str(error), USAGE) from error


def _run(options: argparse.Namespace) -> int:
    chosen = _format(options)
    if options.review is not None:
        if len(options.files) > 1:
            raise CommandFailed("--review is for one Word document at a time", USAGE)
        check_copy(options.files[0], options.review)
    ticks = read_ticks(options)
    libraries = find_workspace(options, options.files[0], quiet=True).folders
    with closing(Libraries()) as opened:
        checker = _Checker(options, chosen, opened, ticks)
        for path in find_drafts(options.files, libraries, options.exclude):
            checker.check(path)
    checked = Checked(tuple(checker.found), tuple(checker.unreadable))
    _write(options, _in_format(checked, checker.reports, chosen))
    if options.report is not None:
        from lexls.export.report_page import write_page

        drafts = [each.on_page() for each in checker.reports]
        unreadable = [(str(each.file), each.reason) for each in checker.unreadable]
        save(options.report, write_page(drafts, unreadable, options.report.parent), USAGE)
    if checker.log is not None:
        note(save_log(options.log, checker.log))
    if checked.unreadable:
        return USAGE
    return FINDINGS if checker.failed else FINE


def _format(options: argparse.Namespace) -> str:
    asked = {name for name in ("json", "sarif") if getattr(options, name)} | {options.format} - {None}
    if len(asked) > 1:
        raise CommandFailed(f"the formats {' and '.join(sorted(asked))} exclude each other", USAGE)
    return str(asked.pop()) if asked else "text"


@dataclass(slots=True)
class _Checker:
    """Checks drafts one after another; drafts of one workspace share its library."""

    options: argparse.Namespace
    chosen: str
    libraries: Libraries
    ticks: Mapping[str, Signature]
    failed: bool = False
    log: Log | None = None
    found: list[FoundProblem] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    reports: list[ReportedDraft] = field(default_factory=list)
    _lines: dict[Path, LineIndex] = field(default_factory=dict)

    def check(self, path: Path) -> None:
        """Check the draft at ``path``."""
        place = find_workspace(self.options, path, quiet=True)
        try:
            if path.suffix.lower() == ".pdf":
                raise CommandFailed(f"{path}: a PDF is not a draft; check the document it was made from")
            draft = read_draft(path, place.settings)
        except CommandFailed as error:
            note(str(error))
            self.unreadable.append(Unreadable(path, str(error).removeprefix(f"{path}: ")))
            return
        settings = place.settings.for_filing() if self.options.strict else place.settings
        filing = settings.check_profile == "filing"
        snapshot = self.libraries.snapshot(place, draft, settings)
        places = describe_places(draft, path)
        token = CancelToken()
        logged = self.options.log is not None
        support = filing or logged or self.options.report is not None
        checked = check_at_once(snapshot, token, support=support)
        for finding in checked.findings:
            if filing and is_at_least(finding.severity, "warning"):
                self.failed = True
            if is_at_least(finding.severity, self.options.severity):
                related = (self._related(each, path, snapshot, places) for each in finding.related)
                paragraph = snapshot.draft.paragraph_at(finding.span.start)
                context = " ".join(paragraph.of(draft.source).split()) if paragraph is not None else ""
                told = tuple(each for each in related if each is not None)
                self.failed |= is_at_least(finding.severity, self.options.fail_on)
                self.found.append(FoundProblem(path, finding, places, context, told))
        if self.options.review is not None:
            note(write_review(path, self.options.review, snapshot, [each.finding for each in self.found]))
        if support or self.chosen in ("json", "sarif"):
            report = make_report(snapshot, checked.findings, token, support=support, ignored=checked.ignored)
            self.failed |= filing and report.verdicts["verified"] < len(report.cited)
            self.reports.append(ReportedDraft(path, places, report))
        if logged:
            self.log = log_draft(self.reports[-1], snapshot, self.ticks, self.options.log.parent)

    def _related(
        self, related: Related, path: Path, snapshot: Snapshot, places: Places
    ) -> RelatedPlace | None:
        if related.authority is None:
            return RelatedPlace(related.message, path, places(related.span))
        library = related.hold(snapshot)
        authority = library.catalogue.get(related.authority)
        if authority is None:
            return None
        opened = library.locate_in_file(authority.id, related.span.start, related.span.end)
        return RelatedPlace(related.message, authority.path, self._place(opened) if opened else None)

    def _place(self, opened: OpenLocation) -> DraftPlace:
        lines = self._lines.get(opened.file)
        if lines is None or lines.text != opened.text:
            lines = self._lines[opened.file] = LineIndex(opened.text)
        return find_place(lines, opened.start, opened.end)


# -- formats -------------------------------------------------------------------------------------------------


def _in_format(checked: Checked, reports: Sequence[ReportedDraft], chosen: str) -> Iterable[str]:
    """Return the lines of the output in the chosen format."""
    if chosen == "json":
        described = describe_reports(reports)
        data = {"summary": described.pop("summary"), "findings": [_data(each) for each in checked.found]}
        return [write_json({**data, **described})]
    if chosen == "sarif":
        from lexls.cli.finding_formats import write_sarif

        return [write_json(write_sarif(checked, Path.cwd(), reports), indent=2)]
    if chosen == "github":
        from lexls.cli.finding_formats import write_workflow_commands

        return write_workflow_commands(checked, Path.cwd())
    return [*write_summaries(reports), *_lines(checked), *write_outside(reports)]


def _data(each: FoundProblem) -> Mapping[str, Any]:
    fix = next((fix for fix in each.fixes if fix.preferred), None)
    edits = [(edit.span.start, edit.span.end, edit.text) for edit in fix.edits] if fix else []
    return {
        "file": str(each.file),
        "start": each.finding.span.start,
        "end": each.finding.span.end,
        "line": each.place.line,
        "character": each.place.character,
        "place": each.place.words or None,
        "code": each.finding.code,
        "severity": each.finding.severity,
        "message": each.finding.message,
        "fix": fix
        and {"title": fix.title, "edits": [{"start": a, "end": b, "text": text} for a, b, text in edits]},
    }


def _lines(checked: Checked) -> Iterator[str]:
    for each in checked.found:
        at = each.place
        where = f"{each.file}: {at.words}" if at.words else f"{each.file}:{at.line}:{at.character}"
        yield f"{where}: {each.finding.severity}: {each.finding.message} [{each.finding.code}]"
    if not checked.found and not checked.unreadable:
        yield "Nothing to report."


def _write(options: argparse.Namespace, lines: Iterable[str]) -> None:
    if options.output is None:
        for line in lines:
            say(line)
    else:
        save(options.output, "".join(f"{line}\n" for line in lines), USAGE)
