"""Report propositions of law for which a draft gives no authority."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.assessing.check import LocalCheck, Problem
from lexls.assessing.excerpt import Excerpt
from lexls.reading.propositions import write_bare
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.phrases import compile_pattern, load_phrases

NO_AUTHORITY = DiagnosticRule(
    code="no-authority",
    severity="off",
    order=160,
    help="A proposition of law without any authority.",
    documentation="""\
The sentence says what the law is ("must", "is liable unless"), and nothing is cited in it, in the next
sentence, in a footnote of either or at the end of the paragraph. Sentences about the parties, and
conclusions, are left out. Off by default; set it to "hint" to see the propositions that want support.""",
)


_PHRASES = load_phrases(__package__, "unsupported.toml")
_LAW = compile_pattern(_PHRASES["law"], {})
_OF_THE_CASE = compile_pattern(_PHRASES["of_the_case"], {})
_NAMED = compile_pattern(_PHRASES["named"], {}, re.NOFLAG)
_POINTING = compile_pattern(_PHRASES["pointing"], {})
_FEWEST = 8
"""Words from which on a sentence may be a proposition of law."""


def check_propositions(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each sentence that says what the law is where nothing near is cited for it.

    What is cited in the sentence, in the next one, in a footnote of either, or in the paragraph's last
    sentence supports it.
    """
    draft = excerpt.snapshot.draft
    if draft.heading_at(excerpt.paragraph.start) is not None:
        return
    sentences = draft.sentences_of(excerpt.paragraph)
    supported = [
        any(each.citation.span.overlaps(sentence) for each in excerpt.cited)
        or any(sentence.touches(mark.start) for mark in excerpt.marks)
        or _has_inner_note(excerpt, sentence.start, sentence.end)
        for sentence in sentences
    ]
    for place, sentence in enumerate(sentences):
        token.raise_if_cancelled()
        if any(supported[place : place + 2]) or (supported and supported[-1]):
            continue
        text = write_bare(draft, sentence)
        if len(text.split()) < _FEWEST or _OF_THE_CASE.search(text) or _POINTING.search(text):
            continue
        if text.rstrip(") ").endswith(".") and text[:1].isupper() and _is_general(text) and _LAW.search(text):
            yield Problem(sentence, NO_AUTHORITY.code, "nothing is cited for this proposition of law")


def _is_general(text: str) -> bool:
    """Whether a sentence names nobody and quotes nothing, as what holds for everyone does."""
    return not any(sign in text for sign in '“”"') and _NAMED.search(text, 1) is None


def _has_inner_note(excerpt: Excerpt, start: int, end: int) -> bool:
    source = excerpt.snapshot.draft.source[start : end + 2]
    return any(sign in source for sign in excerpt.snapshot.draft.format.supports)


CHECKS = (LocalCheck((NO_AUTHORITY,), check_propositions),)
