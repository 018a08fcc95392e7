"""Write the verification log of a filing, and report what has changed since (``lexls log verify``)."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from lexls.cli.context import Workspace, find_workspace
from lexls.cli.drafts import read_draft
from lexls.cli.libraries import Libraries
from lexls.cli.output import FINDINGS, FINE, USAGE, CommandFailed, emit, using_files
from lexls.export.log.comparison import FilesNow, LogChange, compare_log
from lexls.export.log.file import Log, UnusableLog, read_log, write_log
from lexls.export.log.making import find_state, hash_file_now, make_log
from lexls.export.report import examine
from lexls.export.report_data import ReportedDraft
from lexls.export.ticks import Signature
from lexls.library.document import UnreadableFile
from lexls.library.readers.opening import read_bytes
from lexls.reading.draft_places import describe_places
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken

_MOST_BYTES = 200 * 2**20
"""Maximum size in bytes of a log that is read."""


def run_log(options: argparse.Namespace) -> int:
    """Verify a log; the exit code is 1 if anything has changed."""
    log = _read(options.file)
    changes = _verify(options, log)
    data = {
        "file": str(options.file),
        "written": log["written"],
        "entries": len(log["entries"]),
        "unchanged": not changes,
        "changes": [
            {"kind": each.kind, "entry": each.entry, "about": each.about or None, "message": each.message}
            for each in changes
        ],
    }
    emit(options, data, _tell(options.file, log, changes))
    return FINDINGS if changes else FINE


def _tell(file: Path, log: Log, changes: Sequence[LogChange]) -> Sequence[str]:
    many, written = len(log["entries"]), log["written"]
    head = f"{file}: {many:,} entr{'y' if many == 1 else 'ies'}, written {written} by lexls {log['lexls']}"
    of_pdf = ["Compared was the log attached to the PDF, not what its pages show."] if _is_pdf(file) else []
    if not changes:
        return [head, *of_pdf, "Nothing has changed since."]
    return [
        head,
        *of_pdf,
        f"{len(changes):,} change{'' if len(changes) == 1 else 's'} since:",
        *_list(changes),
    ]


def _list(changes: Sequence[LogChange]) -> Iterator[str]:
    """Yield a line for each change. The changes of an entry are indented below its name."""
    about = ""
    for each in changes:
        if each.about and each.about != about:
            yield f"  {each.about}:"
        about = each.about
        yield f"  {'  ' if about else ''}{each.message} [{each.kind}]"


def _verify(options: argparse.Namespace, log: Log) -> list[LogChange]:
    beside = options.file.parent
    draft = options.draft or beside / log["draft"]["file"]
    place, problems = _find_place(options, draft, log, beside)
    now = None
    try:
        now = _log_now(draft, place, beside, log)
    except CommandFailed as error:
        kind = "unchecked" if draft.exists() else "draft-missing"
        problems.append(LogChange(kind, f"the draft cannot be checked: {error}"))
    record = place.settings.record_folders
    return compare_log(log, FilesNow(now, problems, place.folders, record, hash_file_now))


def _find_place(
    options: argparse.Namespace, draft: Path, log: Log, beside: Path
) -> tuple[Workspace, list[LogChange]]:
    """Return the draft's workspace with the library folders named in the log, and a change for each folder
    that is missing.

    Folders on the command line take precedence. If one of the log's folders is missing, those from the
    settings are used.
    """
    place = find_workspace(options, draft)
    folders = tuple((beside / each).resolve() for each in log["library"]["folders"])
    gone = [] if options.library else [each for each in folders if not each.is_dir()]
    if not options.library and not gone:
        place = replace(place, folders=folders)
    said = [LogChange("library-missing", f"the folder {each} of the library is not there") for each in gone]
    return _complete(place, log, beside), said


def _complete(place: Workspace, log: Log, beside: Path) -> Workspace:
    """Fill in the jurisdiction and the record from the log if the workspace's settings have none."""
    settings = place.settings
    jurisdiction = settings.jurisdiction or log["draft"]["jurisdiction"] or ""
    named = [beside / each for each in (log["record"] or {"folders": ()})["folders"]]
    record = settings.record_folders or tuple(each.resolve() for each in named if each.is_dir())
    return replace(place, settings=replace(settings, jurisdiction=jurisdiction, record_folders=record))


def _log_now(path: Path, place: Workspace, folder: Path, log: Log) -> Log:
    """Return a log of the draft in its current state, without ticks."""
    settings = place.settings.for_filing() if log["draft"]["strict"] else place.settings
    draft = read_draft(path, settings)
    with closing(Libraries()) as opened:
        snapshot = opened.snapshot(place, draft, settings)
        _, report = examine(snapshot, CancelToken(), support=True)
        return log_draft(ReportedDraft(path, describe_places(draft, path), report), snapshot, {}, folder)


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_log(read_bytes(path, _MOST_BYTES))
    except (UnreadableFile, UnusableLog) as error:
        raise CommandFailed(f"{path}: {error}", USAGE) from error


# -- for ``lexls check`` -------------------------------------------------------------------------------------


def read_ticks(options: argparse.Namespace) -> Mapping[str, Signature]:
    """Return the ticks of the log named by ``--ticks``; without that option, return none.

    Raises ``CommandFailed`` if that file is not a log, or if the new log cannot be written.
    """
    if options.log is None:
        if options.ticks is not None:
            raise CommandFailed("--ticks goes with --log", USAGE)
        return {}
    if len(options.files) > 1 or options.files[0].is_dir():
        raise CommandFailed("--log is for one draft at a time", USAGE)
    if options.log.suffix.lower() not in (".json", ".pdf"):
        raise CommandFailed(f"{options.log}: a log is a .json or a .pdf", USAGE)
    if options.log.exists():
        raise CommandFailed(f"{options.log} is there already; it was left as it is", USAGE)
    entries = _read(options.ticks)["entries"] if options.ticks is not None else ()
    ticked = ((each["finding"], each["ticked"]) for each in entries if each["ticked"])
    return {name: Signature(each["by"], each["day"]) for name, each in ticked}


def log_draft(
    made: ReportedDraft, snapshot: Snapshot, ticks: Mapping[str, Signature], folder: Path
) -> dict[str, Any]:
    """Return the log of a draft, made by `make_log`. Raises ``CommandFailed`` if no log can be made."""
    try:
        # A command never refreshes its library, so this is still the state that the report was made with.
        return make_log(made, snapshot, ticks, folder, find_state(snapshot))
    except UnusableLog as error:
        raise CommandFailed(f"{made.path}: {error}") from error


def save_log(path: Path, log: Log) -> str:
    """Write a log as PDF or JSON, and return a description of its contents."""
    from lexls.export.log.pdf import FAMILIES, write_pdf
    from lexls.export.system_fonts import find_font

    with using_files(path, USAGE):
        path.write_bytes(write_pdf(log, find_font(FAMILIES)) if _is_pdf(path) else write_log(log))
    left_out = log["ticks_left_out"]
    ticks = f"{left_out} tick{'' if left_out == 1 else 's'}"
    without = (
        f"; {ticks} of what reads otherwise now {'is' if left_out == 1 else 'are'} not in it"
        if left_out
        else ""
    )
    return f"{path}: {len(log['entries'])} entries, {log['ticked']} ticked{without}"


def _is_pdf(path: Path) -> bool:
    return path.suffix.lower() == ".pdf"
