"""Tell agents of the papers of the record: what a citation of one names, and which one is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.agents.answer import AgentRecord, name_part, tell
from lexls.agents.desk import Desk, Unanswerable
from lexls.assessing.papers import CitedInRecord, PaperVerdict, name_paper_verdict
from lexls.citations.record_forms import load_record_forms
from lexls.citations.record_names import find_names
from lexls.citations.scan import Scan
from lexls.index.records import Authority
from lexls.reading.record import find_papers, find_papers_called, is_of_record, see_record
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.cancel import CancelToken

_PAPER = re.compile(r"(?:record|paper)\s+#?(\d{1,12})|lexls://record/(\d{1,12})(?:/.{0,60})?", re.IGNORECASE)
NO_RECORD = "the workspace names no folder of the record (record.folders)"


class PaperCitation(AgentRecord):
    """A citation of a paper of the record, and what answers to it."""

    citation: str
    verdict: PaperVerdict
    """found: the paper, and the place cited in it. place-not-found: the paper alone. not-in-record: no file
    of the record is called so."""
    reason: str
    paper: int | None
    """The number of the paper in the record, null if there is not exactly one: `read_passage` knows it as
    "record 7"."""
    files: list[str]
    """The file of the paper, below the folder of the record, or of all that may be meant."""
    place: str
    """The place that was found, as it is cited."""

    @property
    def told(self) -> str:
        """The same in one line."""
        where = f" at {self.place}" if self.place else ""
        files = f": {' or '.join(self.files)}{where}" if self.files else ""
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.citation}: {name_paper_verdict(self.verdict)}{files}{reason}"


def describe_cited_in_record(cited: CitedInRecord) -> PaperCitation:
    """A citation of the record as agents are told of it."""
    return PaperCitation(
        citation=tell(cited.text),
        verdict=cited.verdict,
        reason=tell(cited.reason),
        paper=cited.papers[0].id if len(cited.papers) == 1 else None,
        files=[name_part(each) for each in cited.papers],
        place=tell(cited.place),
    )


def find_first_paper(draft: Draft) -> int:
    """Where the first citation of the record begins that has a number or a place, -1 if there is none."""
    cited = draft.citations
    found = (
        start + each.span.start
        for piece, start in zip(cited.pieces, cited.starts, strict=True)
        for each in piece.papers
    )
    return next(found, -1)


def see_words(desk: Desk, words: str, token: CancelToken) -> Snapshot | None:
    """The record with words as its draft; None where the workspace has none."""
    return see_record(desk.snapshot(token, desk.read_text(words)))


def require_paper(papers: Sequence[Authority]) -> Authority:
    """The one paper that may be meant. Raises ``Unanswerable`` for several."""
    if len(papers) > 1:
        listed = "; ".join(f"record {each.id} is {name_part(each)}" for each in papers)
        raise Unanswerable(f"several files of the record are called so; give the number of one: {listed}")
    return papers[0]


def find_papers_named(seen: Snapshot, words: str) -> Sequence[Authority]:
    """The papers of the record that ``words`` name: by number ("record 7"), by name ("Compl.", "Smith
    Decl."), or by the file. ``seen`` is a snapshot of the record whose draft are the words."""
    catalogue, words = seen.library.catalogue, words.strip()
    if number := _PAPER.fullmatch(words):
        held = catalogue.get(int(number[1] or number[2]))
        return [held] if held is not None else []
    for citation in seen.draft.citations:
        if is_of_record(citation):
            return find_papers(seen, citation)
    for name in find_names(Scan(words), load_record_forms()):
        if not name.start and name.end == len(words):
            return find_papers_called(seen, tuple(name.keys))
    wanted = words.casefold()
    return [
        each
        for each in catalogue.all()
        if wanted in (each.relative.casefold(), each.path.name.casefold(), each.path.stem.casefold())
    ]
