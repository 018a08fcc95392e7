"""What a completion is asked for: a place of a draft, what is typed there, and its paragraph's subject."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lexls.citations.insert import InsertStyle
from lexls.features.completion_context import Context
from lexls.reading.authority_names import AuthorityNames
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.relevance import COMMON
from lexls.text.cancel import CancelToken

_DOCUMENTS = 300
_QUERY_TERMS = 48
_WORD = re.compile(r"(?<!\w)\w")


@dataclass(frozen=True)
class CompletionRequest:
    """Authorities asked for at an offset of a version of a draft, and what stands there."""

    snapshot: Snapshot
    names: AuthorityNames
    context: Context
    offset: int
    token: CancelToken

    @cached_property
    def style(self) -> InsertStyle:
        """How the draft cites near the place."""
        return self.snapshot.draft.habits_near(self.offset)

    @property
    def most(self) -> int:
        """The largest number of proposals."""
        return self.snapshot.settings.completion_max_items

    def write_filter(self, name: str) -> str:
        """What stands at the place, with the rest of ``name`` if its last words begin a word of it.

        Editors compare a proposal with what is typed until the next answer comes; a stop or an apostrophe
        between the two must not close the list. "" where nothing stands there.
        """
        typed = self.snapshot.draft.source[self.context.replace.start : self.offset]
        words = typed.lstrip("*_[({").rstrip()
        for start in [match.start() for match in _WORD.finditer(words)]:
            begins = re.compile(rf"(?<!\w){re.escape(words[start:])}", re.IGNORECASE)
            if found := begins.search(name):
                return typed.rstrip() + name[found.end() :]
        return typed + name if typed and not words else typed


def fit_documents(asked: CompletionRequest, among: Sequence[int] | None) -> dict[int, float]:
    """How well whole documents fit the paragraph being written: BM25, as a share of the best one's score."""
    terms = terms_around(asked.snapshot, asked.offset)
    if not terms:
        return {}
    documents, scores = asked.snapshot.library.lexical_documents(terms, _DOCUMENTS, among, asked.token)
    best = float(scores[0]) if len(scores) else 0.0
    if best <= 0:
        return {}
    return {int(each): float(score) / best for each, score in zip(documents, scores, strict=True)}


def words_around(snapshot: Snapshot, offset: int) -> str:
    """The words of the paragraph being written, without its citations; while it is short, also the last."""
    draft = snapshot.draft
    here = draft.paragraph_at(offset)
    text = draft.prose(here) if here is not None else ""
    if len(text.split()) < 6:
        earlier = [each for each in draft.paragraphs if each.end <= offset and each != here]
        if earlier:
            text = f"{draft.prose(earlier[-1])} {text}"
    return text


def terms_around(snapshot: Snapshot, offset: int) -> list[str]:
    """The last terms of the paragraph being written that carry meaning, as the index counts them."""
    words = [
        word
        for word in words_around(snapshot, offset).split()
        if word.casefold().strip(".,;:()") not in COMMON
    ]
    terms = list(dict.fromkeys(snapshot.tokens(" ".join(words))))
    return terms[-_QUERY_TERMS:]
