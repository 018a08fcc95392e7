"""The input of a completion: a place in a draft, the text typed there, and the subject of its paragraph."""

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
"""Number of words below which a paragraph does not show its subject."""
_WORD = re.compile(r"(?<!\w)\w")
_SIGNS = ".,'’&/-@)"
"""Punctuation within a name after which editors do not request completion again."""
_LONGEST_REST = 60
"""Maximum number of characters added to the typed text in a filter; editors compare only about 128
characters.
"""


@dataclass(frozen=True)
class CompletionRequest:
    """A request to complete authorities at an offset in one version of a draft."""

    snapshot: Snapshot
    names: AuthorityNames
    context: Context
    offset: int
    token: CancelToken

    @cached_property
    def style(self) -> InsertStyle:
        """Return the draft's citation style near the offset."""
        return self.snapshot.draft.habits_near(self.offset)

    @property
    def most(self) -> int:
        """Return the maximum number of items."""
        return self.snapshot.settings.completion_max_items

    def write_filter(self, name: str) -> str:
        """Return the filter text of an item: the typed text, completed with the rest of ``name``. The rest
        follows the part of ``name`` that matches the last typed words.

        Editors compare an item with the typed text until the next answer arrives. The user may type
        punctuation that the name lacks ("S." for "Satish", "A&" for "A and B"), so punctuation is added at
        the end. Returns an empty string if nothing is typed.
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
    """Return how well whole documents match the paragraph being written: BM25 scores relative to the best.

    The text being typed is ignored, since it is not the paragraph's subject.
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
    """Return the words of the current paragraph before and after ``offset``, without citations. While it is
    short, the preceding paragraph is included.

    The text from ``typed`` to ``offset`` is skipped (None: nothing).
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
    """Return the index terms of the current paragraph: the last ones before ``offset``, or before ``typed``
    if given, and fewer after it.
    """
    before, after = (_find_terms(snapshot, each) for each in words_around(snapshot, offset, typed))
    return list(dict.fromkeys([*after[:_TERMS_AFTER], *before[-_TERMS_BEFORE:]]))


def _find_terms(snapshot: Snapshot, text: str) -> list[str]:
    def find() -> list[str]:
        words = [word for word in text.split() if word.casefold().strip(".,;:()") not in COMMON]
        return list(dict.fromkeys(snapshot.tokens(" ".join(words))))

    # What is typed is not in it: at the next key press it is the same.
    found: list[str] = snapshot.judged.recall(("terms", text), find)
    return found
