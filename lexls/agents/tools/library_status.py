"""Describe the contents of the library, and whether it has been read completely."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.agents.answer import (
    AgentAnswer,
    AgentRecord,
    Marks,
    describe_all,
    describe_outside,
    describe_searched,
    tell,
)
from lexls.agents.asked import AgentTool
from lexls.agents.desk import Desk
from lexls.features.library_tree import list_facets
from lexls.server.library_service import LibraryService
from lexls.server.status import describe_service
from lexls.text.cancel import CancelToken

_MOST_COURTS = 12


class AskStatus(AgentRecord):
    """Say which library lexls answers from: its folders, how many authorities of which kinds, courts and
    years it holds, whether it has been read to its end, which files in it cannot be read, and whether there
    is a record (exhibits, pleadings, transcripts of the case) beside it. Ask it first."""


class StatusAnswer(AgentAnswer):
    """The state and the contents of the library."""

    workspace: str
    """The folder in which drafts may be read, with its subfolders."""
    state: str
    record: str
    """The state of the record, or "" if the workspace has none."""
    kinds: dict[str, int]
    """Number of authorities of each kind."""
    courts: list[str]
    """The courts with the most authorities."""
    jurisdictions: list[str]
    years: str
    """The first and last year of the authorities, or "" if no year is known."""
    problems: list[str]
    """Problems in the settings."""

    def _lines(self, marks: Marks) -> Iterator[str]:
        yield f"Library: {self.state}."
        if self.record:
            yield f"Record: {self.record}."
        if self.kinds:
            yield f"Kinds: {', '.join(f'{count:,} {kind}' for kind, count in self.kinds.items())}."
        if self.courts:
            yield f"Courts, most authorities first: {'; '.join(self.courts)}."
        if self.jurisdictions:
            yield f"Jurisdictions: {', '.join(self.jurisdictions)}."
        if self.years:
            yield f"Years: {self.years}."
        yield f"Drafts are read below {self.workspace}."
        yield from (f"Settings: {each}" for each in self.problems)


def answer(desk: Desk, asked: AskStatus, token: CancelToken) -> StatusAnswer:
    """Report the state and the contents of the library."""
    snapshot = desk.snapshot(token)
    facets = list_facets(snapshot.library)
    return StatusAnswer(
        searched=describe_searched(snapshot, desk.service),
        outside=describe_outside(snapshot),
        workspace=str(desk.workspace),
        state=tell(describe_service(desk.service).message),
        record=tell(_describe_record(desk.session.record)),
        kinds={each.value: each.count for each in facets.kinds},
        courts=describe_all(each.typed for each in facets.courts[:_MOST_COURTS]),
        jurisdictions=[each.value for each in facets.jurisdictions],
        years=f"{facets.first}–{facets.last}" if facets.first is not None else "",
        problems=describe_all(map(str, desk.session.problems)),
    )


def _describe_record(service: LibraryService | None) -> str:
    if service is None:
        return ""
    if service.problem or service.library is None:
        return service.problem or "not read yet"
    count = len(service.library.catalogue.all())
    return (
        f"{count:,} {'paper' if count == 1 else 'papers'}{'' if service.complete else ', still being read'}"
    )


TOOL = AgentTool("library_status", "How the library stands", AskStatus, StatusAnswer, answer)
