"""Search the library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import Field

from lexls.agents.answer import (
    AgentAnswer,
    AgentRecord,
    Marks,
    QuotedWords,
    describe_outside,
    describe_searched,
    end_sentence,
    quote,
    tell,
)
from lexls.agents.asked import LONGEST, AgentTool, AskedAmong, describe_none_named, find_named
from lexls.agents.desk import Desk, Unanswerable
from lexls.features.find_support import describe_warning
from lexls.reading.resolve import settle_hits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.model import Hit
from lexls.text.cancel import CancelToken
from lexls.wording.markdown import fold, shorten
from lexls.wording.prose import blank_markup

_LONGEST_SHOWN = 700


class SearchFor(AskedAmong):
    """Search the user's own library of judgments, Acts and contracts for a question, words or the name of an
    authority. Each hit is an authority with its best passage, or with `passages` one of the best passages.
    What it does not find is not in this library, and may exist all the same. `find_support` is for a sentence
    that needs an authority."""

    query: str = Field(min_length=1, max_length=LONGEST)
    """What to look for, in words."""
    most: int = Field(8, ge=1, le=50)
    """How many hits."""
    passages: bool = False
    """Passages, several of one authority."""
    authority: str = ""
    """Look into this authority alone, or all of a name: citation, name, or number of another answer."""


class SearchHit(AgentRecord):
    """A passage that was found."""

    words: QuotedWords
    role: str
    """The discourse role of the passage in its judgment (holding, facts, argument, …), or "" if unknown."""
    treated: str
    """Negative treatment of the authority in the library, or ""."""


class SearchAnswer(AgentAnswer):
    """The hits, best first."""

    hits: list[SearchHit]

    def _lines(self, marks: Marks) -> Iterator[str]:
        if not self.hits:
            yield "Nothing in the library fits."
        for number, hit in enumerate(self.hits, 1):
            role = f" ({hit.role})" if hit.role else ""
            yield f"\n{number}. Authority {hit.words.authority}{role}"
            if hit.treated:
                yield end_sentence(f"Warning: {hit.treated}")
            yield marks.mark(hit.words)
        yield ""


def answer(desk: Desk, asked: SearchFor, token: CancelToken) -> SearchAnswer:
    """Search the library and return the best hits."""
    snapshot = desk.snapshot(token)
    searcher, chosen = snapshot.searcher, asked.filters
    if asked.authority:
        named = find_named(desk, snapshot, asked.authority, token)
        if not named:
            raise Unanswerable(describe_none_named(snapshot))
        chosen = replace(chosen, within=frozenset(each.id for each in named))
    search = searcher.search_passages if asked.passages or asked.authority else searcher.search
    found = settle_hits(
        snapshot.library, search(asked.query, asked.most, chosen, token), desk.session.settings.jurisdiction
    )
    return SearchAnswer(
        searched=describe_searched(snapshot, desk.service),
        outside=describe_outside(snapshot),
        hits=[describe_hit(snapshot, each) for each in found],
    )


def describe_hit(snapshot: Snapshot, hit: Hit) -> SearchHit:
    """Describe a hit; a long passage is shortened."""
    passage = hit.passage
    shown = shorten(fold(blank_markup(hit.authority, passage.text)), _LONGEST_SHOWN)
    return SearchHit(
        words=quote(snapshot, hit.authority, passage.start, passage.end, shown),
        role=passage.label,
        treated=tell(describe_warning(snapshot.library, hit.authority)),
    )


TOOL = AgentTool("search", "Search the library", SearchFor, SearchAnswer, answer)
