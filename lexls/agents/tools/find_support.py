"""Find authorities that support a sentence."""

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
    name_resource,
    quote_sentence,
    tell,
)
from lexls.agents.asked import LONGEST, AgentTool, AskedAmong
from lexls.agents.desk import Desk
from lexls.features.cited_for import count_in_words
from lexls.features.find_support import SupportOption, describe_distance, find_support
from lexls.features.support_edits import write_support
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


class AskSupport(AskedAmong):
    """Find the authorities of the user's own library that may support a sentence of a draft, best first, each
    with its nearest sentence, how others cite it, and the citation to write. An authority is likely, not
    certain, to bear the sentence out: read the passage (`read_passage`) before citing it, and cite nothing
    that no answer of lexls has shown."""

    proposition: str = Field(min_length=1, max_length=LONGEST)
    """The sentence to be supported, as the draft has it. What it cites already is left out."""
    most: int = Field(5, ge=1, le=30)
    """How many authorities."""


class SupportFound(AgentRecord):
    """An authority that may support the sentence."""

    words: QuotedWords
    """The authority's sentence closest to the proposition."""
    passage: str
    """The resource of the passage that contains it."""
    role: str
    """The discourse role of the passage in its judgment, or "" if unknown."""
    cited_for: str
    """How many documents cite the authority for the same proposition, in words; "" if none does."""
    treated: str
    """Negative treatment of the authority in the library, or ""."""
    citation: str
    """The citation in the draft's style."""


class SupportAnswer(AgentAnswer):
    """The authorities that may support a sentence."""

    proposition: str
    distance: str
    """The reason why no result is close enough to the sentence to be cited for it, or "" if one is."""
    found: list[SupportFound]

    def _lines(self, marks: Marks) -> Iterator[str]:
        if not self.found:
            yield "No authority of the library supports this sentence as far as its words tell."
        elif self.distance:
            yield f"{self.distance} Cite none of these for it without reading them:"
        for number, each in enumerate(self.found, 1):
            role = f" ({each.role})" if each.role else ""
            yield f"\n{number}. Authority {each.words.authority}{role}. Cite as: {each.citation}"
            if each.cited_for:
                yield end_sentence(each.cited_for)
            if each.treated:
                yield end_sentence(f"Warning: {each.treated}")
            yield marks.mark(each.words)
            yield f"The passage around it: {each.passage}"
        yield ""


def answer(desk: Desk, asked: AskSupport, token: CancelToken) -> SupportAnswer:
    """Find authorities that may support a proposition."""
    draft = desk.read_text(asked.proposition)
    snapshot = desk.snapshot(token, draft)
    span = Span(0, len(draft.source))
    found = find_support(snapshot, span, asked.most, token, asked.filters)
    return SupportAnswer(
        searched=describe_searched(snapshot, desk.service),
        outside=describe_outside(snapshot),
        proposition=asked.proposition,
        distance=tell(describe_distance(snapshot, found)),
        found=[_describe(snapshot, each) for each in found],
    )


def _describe(snapshot: Snapshot, option: SupportOption) -> SupportFound:
    passage = option.hit.passage
    return SupportFound(
        words=quote_sentence(snapshot, option.pin),
        passage=name_resource(option.hit.authority, passage.start, passage.end),
        role=option.role,
        cited_for=tell(count_in_words(snapshot.library, option.cited_for)) if option.cited_for else "",
        treated=tell(option.warning),
        citation=tell(write_support(snapshot, option).citation),
    )


TOOL = AgentTool("find_support", "Find supporting authority", AskSupport, SupportAnswer, answer)
