"""Filter out the findings that a comment in the draft, or the workspace's settings file, says to ignore."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lexls.assessing.check import Finding
from lexls.reading.edit import Edit
from lexls.reading.resolve import find_authority_cited
from lexls.reading.snapshot import Snapshot
from lexls.settings.values import IgnoredFindings, read_tables
from lexls.text.format import Format
from lexls.text.spans import Span
from lexls.wording.markdown import fold

MARK = "lexls: ignore"
_BREAK = re.compile(r"\n(?:[ \t\r]*\n)+")


@dataclass(frozen=True, slots=True)
class Ignored:
    """An ignored finding. ``reason`` is the reason given, or "". ``where`` says whether the draft or the
    workspace's file ignores it.
    """

    finding: Finding
    reason: str
    where: str


def describe_ignored(ignored: Ignored) -> str:
    """Describe where a finding is ignored, and why."""
    return f"ignored by {ignored.where}" + (f" ({ignored.reason})" if ignored.reason else "")


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment that makes lexls ignore findings in ``span`` of the source: those with one of ``codes``, or
    all if there are none.
    """

    span: Span
    codes: frozenset[str]
    reason: str


def leave_out(snapshot: Snapshot, findings: Iterable[Finding]) -> tuple[list[Finding], list[Ignored]]:
    """Return the findings to report and the findings to ignore, both in their order."""
    comments = list(_find_comments(snapshot.draft.source, snapshot.draft.format))
    tables = read_tables(snapshot.settings.check_ignore)
    if not comments and not tables:
        return list(findings), []
    told, ignored = [], []
    for each in findings:
        found = _by_comment(comments, each) or _by_table(snapshot, tables, each)
        if found is None:
            told.append(each)
        else:
            ignored.append(Ignored(each, *found))
    return told, ignored


def _by_comment(comments: Iterable[_Comment], finding: Finding) -> tuple[str, str] | None:
    for each in comments:
        if finding.span.start in each.span and (not each.codes or finding.code in each.codes):
            return each.reason, "a comment of the draft"
    return None


def _by_table(
    snapshot: Snapshot, tables: Iterable[IgnoredFindings], finding: Finding
) -> tuple[str, str] | None:
    for each in tables:
        if (
            (not each.check or each.check == finding.code)
            and (not each.words or fold(each.words) == _words(snapshot, finding))
            and (not each.authority or fold(each.authority) in _names(snapshot, finding))
        ):
            return each.reason, "lexls.toml"
    return None


def _words(snapshot: Snapshot, finding: Finding) -> str:
    return fold(finding.span.of(snapshot.draft.masked))


def _names(snapshot: Snapshot, finding: Finding) -> set[str]:
    """Return the case-folded names and citations of the authority that a finding concerns."""
    held = snapshot.library.catalogue.get(finding.authority) if finding.authority is not None else None
    names = {held.name, held.title, *held.citations} if held is not None else set()
    for citation in snapshot.draft.citations_in(finding.span):
        names.add(citation.key)
        if finding.authority is None and (cited := find_authority_cited(snapshot, citation)) is not None:
            names.update((cited.name, cited.title, *cited.citations))
    return {fold(name) for name in names if name}


def name_authority(snapshot: Snapshot, finding: Finding) -> str:
    """Return the name to write in the workspace's file for the authority that a finding concerns; "" if there
    is none.
    """
    held = snapshot.library.catalogue.get(finding.authority) if finding.authority is not None else None
    if held is not None:
        return held.citation or held.name
    return next((each.key for each in snapshot.draft.citations_in(finding.span) if each.key), "")


def _find_comments(source: str, format: Format) -> Iterator[_Comment]:
    """Yield each ignore comment with the part of the source to which it applies: its paragraph or, if it is a
    paragraph of its own, also the next one.
    """
    if format.comment is None or MARK not in source:
        return
    before, after = (each.strip() for each in format.comment)
    close = rf"[ \t]*{re.escape(after)}" if after else r"[ \t\r]*$"
    pattern = re.compile(
        rf"{re.escape(before)}[ \t]*{MARK}\b[ \t]*(?P<codes>[a-z, \t-]*)"
        rf"(?::[ \t]*(?P<reason>[^\n]*?))?{close}",
        re.MULTILINE,
    )
    breaks = [0, *(match.end() for match in _BREAK.finditer(source)), len(source)]
    for match in pattern.finditer(source):
        place = bisect_right(breaks, match.start()) - 1
        start, end = breaks[place], breaks[min(place + 1, len(breaks) - 1)]
        if source[start:end].strip() == match.group().strip() and place + 2 < len(breaks):
            end = breaks[place + 2]
        codes = frozenset(match["codes"].replace(",", " ").split())
        yield _Comment(Span(start, end), codes, (match["reason"] or "").strip())


def ignore_here(snapshot: Snapshot, finding: Finding) -> tuple[Edit, int] | None:
    """Return an edit that inserts a comment ignoring the finding, and the position in its text where ":
    reason" can be added. None if the format has no comments.
    """
    draft = snapshot.draft
    if draft.format.comment is None:
        return None
    before, after = draft.format.comment
    end = draft.source.find("\n", max(finding.span.start, finding.span.end - 1))
    end = len(draft.source) if end < 0 else end - (draft.source[end - 1 : end] == "\r")
    start = draft.source.rfind("\n", 0, end) + 1
    indent = draft.source[start:end][: len(draft.source[start:end]) - len(draft.source[start:end].lstrip())]
    # A comment that only the line's end closes has a line of its own: AsciiDoc knows no other.
    lead = f" {before}" if after else f"\n{indent}{before}"
    said = f"{lead}{MARK} {finding.code}"
    return Edit(Span(end, end), f"{said}{after}"), len(said)
