"""Make a draft's filing log: what was compared for each citation, who ticked it, and the hashes of
the files.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lexls import __version__
from lexls.assessing.papers import CitedInRecord
from lexls.export.log.file import FORMAT, FORMAT_VERSION, LibraryChanged, UnusableLog, hash_data
from lexls.export.report import CitedAuthority, QuotedPassage
from lexls.export.report_data import (
    ReportedDraft,
    describe_citation,
    describe_paper_cited,
    describe_quotation_compared,
)
from lexls.export.ticks import (
    FindingNames,
    Signature,
    list_remarks,
    tell_citation,
    tell_paper,
    tell_quotation,
)
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.library.document import UnreadableFile
from lexls.library.readers.opening import open_file
from lexls.reading.draft_files import read_draft_source
from lexls.reading.snapshot import Snapshot
from lexls.wording.descriptions import name_file

NOTES = (
    "The hashes are SHA-256. They show whether a file or this log has changed since. They are not a "
    "signature: anyone who changes this log on purpose can write new ones.",
    "A tick gives the initials typed on the page “Check before filing” and the day. It is kept only while "
    "the entry says what it said then. The files were read for this log, which may be later than the tick.",
    "“Verified” says that all that the citation states was compared with the library’s copy and agrees. "
    "Whether an authority supports the draft is for the reader; lexls knows nothing beyond the library.",
)
"""Explanatory notes included in every log."""


@dataclass(frozen=True, slots=True)
class LoggedFiles:
    """The hashes of an index's files. Paths are written relative to ``folder``."""

    library: Library
    hashes: Mapping[tuple[str, str, str], str]
    folder: Path

    @classmethod
    def read(cls, library: Library, folder: Path) -> LoggedFiles:
        """Return the file hashes recorded in a library's index."""
        return cls(library, library.status.file_hashes(), folder)

    @property
    def is_current(self) -> bool:
        """Return whether nothing has been written to the index since the library was opened or refreshed."""
        return int(self.library.status.meta("generation") or 0) == self.library.generation

    def describe(self, authority: Authority) -> dict[str, Any]:
        """Return an authority's file and the hash of the bytes that were indexed.

        If the file contains several documents, the hash is computed from the current file, or null if it
        cannot be read.
        """
        key = str(authority.library), authority.relative, authority.part
        digest = hash_file_now(authority.path) if authority.part else self.hashes.get(key)
        return {**name_file(authority), "title": authority.name, "sha256": digest}

    def describe_state(self) -> dict[str, Any]:
        """Return the library's folders, its index, its number of documents, and a hash of their names and
        hashes.
        """
        listed = "\n".join(sorted("\0".join((*key[1:], digest)) for key, digest in self.hashes.items()))
        return {
            "folders": [write_path(each, self.folder) for each in self.library.status.folders()],
            "index": self.library.path.name,
            "generation": self.library.generation,
            "documents": len(self.hashes),
            "complete": self.library.complete,
            "sha256": hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest(),
        }


LibraryState = tuple[tuple[int, bool], ...]
"""The generations of the library and of the record, if any, and whether each has been indexed completely."""


def find_state(snapshot: Snapshot) -> LibraryState:
    """Return the current state of the library and the record. A log describes a single state."""
    libraries = [snapshot.library, *([snapshot.record.library] if snapshot.record is not None else [])]
    return tuple((each.generation, each.complete) for each in libraries)


def make_log(
    made: ReportedDraft,
    snapshot: Snapshot,
    signed: Mapping[str, Signature],
    folder: Path,
    state: LibraryState,
) -> dict[str, Any]:
    """Return the log of a draft, to be stored in ``folder``. ``made`` is the report on the draft, including
    the verdicts on support.

    ``signed`` has the signature on each finding; ``state`` is the library's state before the draft was
    checked. Raises ``LibraryChanged`` or ``UnusableLog`` if the library or the draft's file has changed since
    then.
    """
    digest = _hash_draft(made.path, snapshot)
    library = LoggedFiles.read(snapshot.library, folder)
    record = LoggedFiles.read(snapshot.record.library, folder) if snapshot.record is not None else None
    if state != find_state(snapshot) or not library.is_current or (record and not record.is_current):
        raise LibraryChanged
    entries = list(_list_entries(made, library, record, signed))
    for number, entry in enumerate(entries, 1):
        entry["number"] = number
        entry["sha256"] = hash_data(entry)
    ticked = sum(entry["ticked"] is not None for entry in entries)
    log = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "written": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "lexls": __version__,
        "notes": list(NOTES),
        "draft": {
            "file": write_path(made.path, folder),
            "sha256": digest,
            "jurisdiction": snapshot.settings.jurisdiction or None,
            "strict": snapshot.settings.check_profile == "filing",
        },
        "library": library.describe_state(),
        "record": record.describe_state() if record is not None else None,
        "outside": list(made.report.outside),
        "summary": made.report.summary,
        "ticked": ticked,
        "ticks_left_out": len(signed) - ticked,
        "entries": entries,
    }
    return {**log, "sha256": hash_data(log)}


def _hash_draft(path: Path, snapshot: Snapshot) -> str:
    try:
        most = snapshot.settings.index_max_file_megabytes * 2**20
        source, digest = read_draft_source(path, most).text, hash_file_now(path)
    except UnreadableFile as error:
        raise UnusableLog(str(error)) from error
    if digest is None or source != snapshot.draft.source:
        raise UnusableLog("the file is not what was checked: it is not saved, or has changed meanwhile")
    return digest


# -- entries -------------------------------------------------------------------------------------------------


def _list_entries(
    made: ReportedDraft, library: LoggedFiles, record: LoggedFiles | None, signed: Mapping[str, Signature]
) -> Iterator[dict[str, Any]]:
    names, report = FindingNames(), made.report
    for cited in report.cited:
        yield _finish(_describe_cited(made, cited, library), names.name(*tell_citation(cited)), signed)
    for paper in report.of_record:
        yield _finish(_describe_paper(made, paper, record), names.name(*tell_paper(paper)), signed)
    for passage in report.quotations:
        data = {"kind": "quotation", **_describe_quotation(made, passage)}
        yield _finish(data, names.name(*tell_quotation(passage)), signed)


def _finish(data: dict[str, Any], name: str, signed: Mapping[str, Signature]) -> dict[str, Any]:
    signature = signed.get(name)
    ticked = {"by": signature.initials, "day": signature.day} if signature is not None else None
    return {"number": 0, **data, "finding": name, "ticked": ticked}


def _describe_cited(made: ReportedDraft, cited: CitedAuthority, library: LoggedFiles) -> dict[str, Any]:
    data = {"kind": "citation", **describe_citation(made, cited)}
    del data["file"]
    if cited.authority is not None:
        data["authority"] |= library.describe(cited.authority)
    return {
        **data,
        "treatment": list(cited.treatment),
        "remarks": list_remarks(cited),
        "quotations": [_describe_quotation(made, each) for each in cited.quotations],
    }


def _describe_paper(made: ReportedDraft, cited: CitedInRecord, record: LoggedFiles | None) -> dict[str, Any]:
    data = {"kind": "record", **describe_paper_cited(made, cited)}
    del data["file"]
    data["papers"] = [record.describe(each) for each in cited.papers] if record is not None else []
    return data


def _describe_quotation(made: ReportedDraft, passage: QuotedPassage) -> dict[str, Any]:
    data = describe_quotation_compared(made, passage)
    del data["file"]
    return data


# -- files and hashes ----------------------------------------------------------------------------------------


def hash_file_now(path: Path) -> str | None:
    """Return the SHA-256 of a file's bytes in hexadecimal, or None if it cannot be read."""
    try:
        with open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    except UnreadableFile:
        return None


def write_path(path: Path, folder: Path) -> str:
    """Return a path relative to ``folder``, with "/" as separator. If there is no relative path, as to
    another drive, return it absolute.
    """
    absolute = os.path.abspath(path)
    try:
        return Path(os.path.relpath(absolute, os.path.abspath(folder))).as_posix()
    except ValueError:
        return Path(absolute).as_posix()
