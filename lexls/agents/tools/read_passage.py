"""Read a passage of an authority."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from lexls.agents.answer import (
    AgentAnswer,
    AgentRecord,
    Marks,
    QuotedWords,
    describe_outside,
    describe_searched,
    end_sentence,
    find_papers_named,
    quote,
    require_paper,
    see_words,
    tell,
)
from lexls.agents.asked import KINDS, LONGEST, AgentTool, find_pinned, require_named
from lexls.agents.desk import Desk, Unanswerable
from lexls.assessing.papers import write_places
from lexls.citations.model import Citation
from lexls.citations.record import find_place_behind
from lexls.features.find_support import describe_warning
from lexls.index.records import Authority, Place
from lexls.reading.record import find_record_places, is_of_record
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.place_words import write_pinpoint

_LONGEST_READ = 6000


class ReadPassage(AgentRecord):
    """Read an authority of the user's own library, or a paper of the record: a numbered place ("[23]",
    "§ 1201(a)(1)", "page 863", "45:12-18"), a range of its text that another answer named, or its beginning.
    The words come as they stand there."""

    authority: str = Field(min_length=1, max_length=LONGEST)
    """The authority: its citation, its name, or the number that another answer gave it. For a paper of the
    record: its citation ("Compl. ¶ 12", "Ex. 4"), its file, or its number with the word ("record 7")."""
    place: str = Field("", max_length=200)
    """The place as it is cited."""
    start: int = Field(0, ge=0)
    """Without a place: the code point of the authority's text to begin at."""
    end: int = Field(0, ge=0)
    """And the one to end before; 0 for as much as one answer holds."""


class PassageAnswer(AgentAnswer):
    """A passage of an authority."""

    words: QuotedWords
    treated: str
    """Negative treatment of the authority in the library, or ""."""
    length: int
    """Length of the authority's whole text in code points."""
    goes_on: int
    """Offset at which to continue reading, or 0 if the requested text is complete."""

    def _lines(self, marks: Marks) -> Iterator[str]:
        if self.treated:
            yield end_sentence(f"Warning: {self.treated}")
        yield marks.mark(self.words)
        if self.goes_on:
            kind = "Paper of the record" if self.words.of_record else "Authority"
            yield f"{kind} {self.words.authority} goes on at {self.goes_on} of {self.length}."


def answer(desk: Desk, asked: ReadPassage, token: CancelToken) -> PassageAnswer:
    """Return the requested passage of an authority or a paper of the record."""
    asked_of = snapshot = desk.snapshot(token)
    seen = see_words(desk, asked.authority, token)
    papers = find_papers_named(seen, asked.authority) if seen is not None else ()
    if seen is not None and papers:
        asked_of, authority = seen, require_paper(papers)
        whole = seen.library.contents.text(authority.id)
        span, place = _find_span_of_paper(seen, authority, asked, len(whole))
    else:
        authority = require_named(desk, snapshot, asked.authority, token)
        whole = snapshot.library.contents.text(authority.id)
        span, place = _find_span(desk, snapshot, authority, asked, len(whole))
    end = _cut(asked_of, authority, span)
    return PassageAnswer(
        searched=describe_searched(snapshot, desk.service),
        outside=describe_outside(snapshot),
        words=quote(asked_of, authority, span.start, end, place=place),
        treated=tell(describe_warning(asked_of.library, authority)),
        length=len(whole),
        goes_on=end if end < span.end else 0,
    )


def _find_span(
    desk: Desk, snapshot: Snapshot, authority: Authority, asked: ReadPassage, length: int
) -> tuple[Span, str]:
    """Return the span to read, and the pinpoint to cite ("" if no place was requested). Raises
    ``Unanswerable`` if the authority has no text at the place.
    """
    if asked.place:
        found = find_pinned(desk, snapshot, authority, asked.place)
        if found is None:
            raise Unanswerable(
                f"{tell(authority.name)} has nothing at {tell(asked.place)} in this copy; "
                f"{_describe_numbers(snapshot, authority)}"
            )
        place, kind = found
        return Span(place.start, place.end), write_pinpoint(kind, place.label, authority.jurisdiction)
    return _find_range(authority, asked, length), ""


def _find_range(authority: Authority, asked: ReadPassage, length: int) -> Span:
    if asked.start >= length:
        raise Unanswerable(f"the text of {tell(authority.name)} has {length} code points")
    return Span(asked.start, min(length, max(asked.end, asked.start + 1)) if asked.end else length)


def _find_span_of_paper(
    seen: Snapshot, paper: Authority, asked: ReadPassage, length: int
) -> tuple[Span, str]:
    """Return the span to read in a paper of the record, and the pinpoint to cite. The place may also be given
    in the citation of the paper: "Compl. ¶ 12".
    """
    cited = next((each for each in seen.draft.citations if is_of_record(each)), None)
    pinpoint = cited.pinpoint if cited is not None else None
    if asked.place:
        read = find_place_behind(f" {asked.place}", 0) or find_place_behind(f" at {asked.place}", 0)
        pinpoint = read[0] if read is not None else None
    if pinpoint is None and not asked.place:
        return _find_range(paper, asked, length), ""
    places: list[Place] = []
    if pinpoint is not None:
        span = Span(0, 0)
        citation = Citation(span, span, "", "record", "full", "", "", pinpoint=pinpoint)
        resolution = Resolution(citation, (paper.id,), "citation")
        places = find_record_places(seen, resolution)
    if not places:
        said = asked.place or asked.authority
        raise Unanswerable(
            f"{tell(paper.name)} has nothing at {tell(said)} in this copy; {_describe_numbers(seen, paper)}"
        )
    return Span(places[0].start, places[-1].end), write_places(seen, resolution, places)


def _describe_numbers(snapshot: Snapshot, authority: Authority) -> str:
    """Return a description of the numbered places that an authority's text has ("it has pages 1 to 9")."""
    found = []
    for kind in KINDS:
        labels = snapshot.library.contents.list_labels(authority.id, kind)
        if labels:
            found.append(f"{kind}s {labels[0]} to {labels[-1]}")
    return (
        f"it has {', '.join(found)}" if found else "it numbers neither paragraphs nor pages: search within it"
    )


def _cut(snapshot: Snapshot, authority: Authority, span: Span) -> int:
    """Return the offset at which to stop reading: the end of the span or, if the span is too long, the end of
    the last passage that fits.
    """
    if len(span) <= _LONGEST_READ:
        return span.end
    limit = span.start + _LONGEST_READ
    ends = (each.end for each in snapshot.library.contents.passages(authority.id))
    return max((each for each in ends if span.start < each <= limit), default=limit)


TOOL = AgentTool("read_passage", "Read a passage", ReadPassage, PassageAnswer, answer)
