"""Authorities cited without the decision of the library that overruled, reversed or disapproved them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.citations.treatment import TreatmentKind
from lexls.features.checks.problem import Problem, Related
from lexls.features.checks.wording import as_named
from lexls.features.draft import Draft
from lexls.features.snapshot import Snapshot
from lexls.features.treatment_words import statement
from lexls.index.records import TreatedIn
from lexls.settings.diagnostics import NEGATIVE_TREATMENT
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_WARNED_OF: frozenset[TreatmentKind] = frozenset(
    ("overruled", "reversed", "vacated", "superseded", "disapproved", "not followed")
)
# Words by which a draft shows that it knows how the authority was treated.
_ACKNOWLEDGED = re.compile(
    r"overrul|over-rul|revers|rev['’]d|vacat|disapprov|supersed|superced|abrogat|bad law|but see|contra\b|"
    r"(?:no longer|not|never)\s(?:\w+\s){0,2}(?:good|law|followed|binding|follow)|"
    r"(?:has|have|is|are|was|were)\s(?:now\s)?gone|depart(?:ed|s|ing)?\sfrom|declin\w+\sto\sfollow|doubt|"
    r"per incuriam|wrongly decided|set aside|old (?:rule|law|view)|former(?:ly)?\b|until\b|historical",
    re.IGNORECASE,
)
_MOST_MENTIONS = 50


def check(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """A problem for each authority treated badly by another that the draft nowhere cites, where it is first.

    Where a paragraph that cites the authority shows that its author knows, nothing is told.
    """
    library, draft = snapshot.library, snapshot.draft
    cited = snapshot.known.cited(library, draft)
    documents = {document for found in cited.values() for document in found}
    folded: set[str] | None = None
    for document in sorted(documents):
        warnings = [
            each
            for each in snapshot.known.warnings(library, document)
            if each.treatment in _WARNED_OF
            and each.extent != "on other grounds"
            and each.treating not in documents
            and each.citing not in documents
            and _later(snapshot, each, document)
        ]
        if not warnings:
            continue
        token.raise_if_cancelled()
        if folded is None:
            folded = {fold(key) for key in cited}
        worst = next((each for each in warnings if not each.by or fold(each.by) not in folded), None)
        if worst is None:
            continue
        keys = {key for key, found in cited.items() if document in found}
        mentions = list(_mentions(draft, keys))
        first = next((each for each in mentions if each.form == "full"), None)
        if first is not None and not _acknowledged(draft, mentions):
            yield _problem(snapshot, first, document, worst)


def _later(snapshot: Snapshot, treated: TreatedIn, document: int) -> bool:
    """Whether the dates allow one to treat the other."""
    authority, treating = (
        snapshot.library.authority(each) for each in (document, treated.treating or treated.citing)
    )
    if authority is None or treating is None:
        return False
    return authority.year is None or treating.year is None or authority.year <= treating.year


def _mentions(draft: Draft, keys: Iterable[str]) -> Iterator[Citation]:
    """The citations of an authority, in order."""
    wanted = frozenset(keys)
    for number, piece in enumerate(draft.citations.pieces):
        for local, citation in enumerate(piece.citations):
            if citation.key in wanted:
                yield draft.citations[draft.citations.firsts[number] + local]


def _acknowledged(draft: Draft, mentions: list[Citation]) -> bool:
    paragraphs: set[Span] = set()
    for each in mentions[:_MOST_MENTIONS]:
        paragraph = draft.paragraph_at(each.core.start)
        if paragraph is not None:
            paragraphs.add(paragraph)
    return any(_ACKNOWLEDGED.search(draft.masked, each.start, each.end) for each in paragraphs)


def _problem(snapshot: Snapshot, citation: Citation, document: int, treated: TreatedIn) -> Problem:
    message = f"{as_named(snapshot, citation)} was {statement(snapshot.library, treated)}"
    sentence = Span(treated.sentence_start, treated.sentence_end)
    related = (Related("Where it says so", sentence, treated.citing),)
    return Problem(citation.core, NEGATIVE_TREATMENT.code, message, document, related)
