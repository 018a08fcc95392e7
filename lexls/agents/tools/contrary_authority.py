"""Find authority against a proposition."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from lexls.agents.answer import (
    AgentAnswer,
    AgentRecord,
    Marks,
    QuotedWords,
    describe_all,
    describe_outside,
    describe_searched,
    end_sentence,
    quote_sentence,
    tell,
)
from lexls.agents.asked import LONGEST, AgentTool
from lexls.agents.desk import Desk, Unanswerable
from lexls.features.build import build_writer
from lexls.features.find_support import describe_warning
from lexls.features.gathering import gather_contrary
from lexls.index.embedding.protocol import encode_alike
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


class AskContrary(AgentRecord):
    """Find what in the user's own library stands against a sentence: passages that deny or limit it, and how
    the authorities that the sentence cites were treated badly. That nothing is found says only that this
    library shows nothing against it, never that nothing stands against it."""

    proposition: str = Field(min_length=1, max_length=LONGEST)
    """The sentence, with the citations it has."""


class AgainstWords(AgentRecord):
    """A sentence that may contradict or limit the proposition."""

    words: QuotedWords
    whose: str
    """The speaker, if not the court ("dissenting opinion of Souter J."); "" for the court."""
    treated: str
    """Negative treatment of the authority in the library, or ""."""


class ContraryAnswer(AgentAnswer):
    """Authority against a sentence."""

    proposition: str
    found: list[AgainstWords]
    notes: list[str]
    """lexls's remarks on the search."""

    def _lines(self, marks: Marks) -> Iterator[str]:
        if not self.found and not self.notes:
            yield "Nothing that was found in the library contradicts this sentence."
        for number, each in enumerate(self.found, 1):
            yield f"\n{number}. Authority {each.words.authority}" + (f" ({each.whose})" if each.whose else "")
            if each.treated:
                yield end_sentence(f"Warning: {each.treated}")
            yield marks.mark(each.words)
        yield from (*self.notes, "")


def answer(desk: Desk, asked: AskContrary, token: CancelToken) -> ContraryAnswer:
    """Find sentences in the library against a proposition, and return them as quotations."""
    draft = desk.read_text(asked.proposition)
    snapshot = desk.snapshot(token, draft)
    gathered = gather_contrary(snapshot, Span(0, len(draft.source)), token)
    if gathered is None:
        raise Unanswerable("there is no sentence in the proposition")
    service = desk.service
    encode = encode_alike(service.embedder)
    writer = build_writer(snapshot.settings, snapshot.tokens, lambda: service.models, encode, "extractive")
    *_, last = writer.write(gathered, token)
    pins = list(dict.fromkeys(pin for each in last.sentences for pin in each.pins))
    return ContraryAnswer(
        searched=describe_searched(snapshot, service),
        outside=describe_outside(snapshot),
        proposition=asked.proposition,
        found=[
            AgainstWords(
                words=quote_sentence(snapshot, pin),
                whose=tell(pin.whose),
                treated=tell(describe_warning(snapshot.library, pin.authority)),
            )
            for pin in pins
        ],
        notes=describe_all(last.notes),
    )


TOOL = AgentTool("contrary_authority", "Find contrary authority", AskContrary, ContraryAnswer, answer)
