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
from lexls.text.spans import Span

_DOCUMENTS = 300
_TERMS_BEFORE, _TERMS_AFTER = 36, 12
_SHORT = 6
"""Words below which a paragraph does not tell what it is about."""
_WORD = re.compile(r"(?<!\w)\w")
_SIGNS = ".,'’&/-@)"
"""Signs within a name after which editors do not ask again."""
_LONGEST_REST = 60
"""Editors look no further than about 128 characters."""


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
        """Return how the draft cites near the place."""
        return self.snapshot.draft.habits_near(self.offset)

    @property
    def most(self) -> int:
        """The largest number of proposals."""
        return self.snapshot.settings.completion_max_items

    def write_filter(self, name: str) -> str:
        """Return what stands at the place, with the rest of ``name`` if its last words begin a word of it.

        Editors compare a proposal with what is typed until the next answer comes. A sign may be typed that
        the name does not have ("S." for "Satish", "A&" for "A and B"), so signs stand at the end. "" where
        nothing stands there.
        """
        typed = self.snapshot.draft.source[self.context.replace.start : self.offset]
        words = typed.lstrip("*_[({").rstrip()
        rest = name if not words else ""
        for start in [match.start() for match in _WORD.finditer(words)]:
            begins = re.compile(rf"(?<!\w){re.escape(words[start:])}", re.IGNORECASE)
            if found := begins.search(name):
                rest = name[found.end() :]
                break
        rest = rest.lstrip() if typed[-1:].isspace() else rest
        return f"{typed}{rest[:_LONGEST_REST]}{_SIGNS}" if typed else ""


def fit_documents(asked: CompletionRequest, among: Sequence[int] | None) -> dict[int, float]:
    """Return how well whole documents fit the paragraph being written: BM25, as a share of the best one's
    score.

    What is being typed does not count: it is not what the paragraph is about.
    """
    terms = terms_around(asked.snapshot, asked.offset, asked.context.replace.start)
    if not terms:
        return {}
    library = asked.snapshot.library
    if among is None:
        documents, scores = library.lexical_documents(terms, _DOCUMENTS, None, asked.token)
        fits = dict(zip(documents.tolist(), scores.tolist(), strict=True))
    else:
        # Each key press narrows the names: what was scored for the last one is not scored again.
        known: dict[int, float] = asked.snapshot.judged.recall(
            ("fits", library.path, asked.names.generation, tuple(terms)), dict
        )
        if missing := [each for each in among if each not in known]:
            documents, scores = library.lexical_documents(terms, len(missing), missing, asked.token)
            found = dict(zip(documents.tolist(), scores.tolist(), strict=True))
            known.update((each, found.get(each, 0.0)) for each in missing)
        fits = {each: score for each in among if (score := known[each]) > 0}
    best = max(fits.values(), default=0.0)
    return {each: score / best for each, score in fits.items()} if best > 0 else {}


def words_around(snapshot: Snapshot, offset: int, typed: int | None = None) -> tuple[str, str]:
    """The words of the paragraph being written before and behind ``offset``, without its citations; while it
    is short, also those of the last one.

    What stands from ``typed`` to ``offset`` is left out (None: nothing).
    """
    draft = snapshot.draft
    here = draft.paragraph_at(offset)
    before = after = ""
    if here is not None:
        end = offset if typed is None else typed
        before = draft.prose(Span(here.start, max(here.start, min(end, here.end))))
        after = draft.prose(Span(min(max(offset, here.start), here.end), here.end))
    if len(before.split()) + len(after.split()) < _SHORT:
        earlier = [each for each in draft.paragraphs if each.end <= offset and each != here]
        if earlier:
            before = f"{draft.prose(earlier[-1])} {before}"
    return before, after


def terms_around(snapshot: Snapshot, offset: int, typed: int | None = None) -> list[str]:
    """The terms that carry meaning in the paragraph being written, as the index counts them: the last before
    ``offset``, or before ``typed`` (None: ``offset``), and fewer behind it."""
    before, after = (_find_terms(snapshot, each) for each in words_around(snapshot, offset, typed))
    return list(dict.fromkeys([*after[:_TERMS_AFTER], *before[-_TERMS_BEFORE:]]))


def _find_terms(snapshot: Snapshot, text: str) -> list[str]:
    def find() -> list[str]:
        words = [word for word in text.split() if word.casefold().strip(".,;:()") not in COMMON]
        return list(dict.fromkeys(snapshot.tokens(" ".join(words))))

    # What is typed is not in it: at the next key press it is the same.
    found: list[str] = snapshot.judged.recall(("terms", text), find)
    return found
