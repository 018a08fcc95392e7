"""Declare checks: their diagnostics, what they inspect, and the problems that they report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from lexls.assessing.excerpt import Excerpt
from lexls.citations.model import Citation, fold
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.reading.draft import Draft
from lexls.reading.edit import Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule, Severity, find_rule
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.place_words import join_citation

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Related:
    """A passage that explains a problem. ``span`` is in the text of ``authority``, or in the draft if that is
    None. ``of_record`` is true if ``authority`` is a paper of the record, not of the library.
    """

    message: str
    span: Span
    authority: int | None = None
    of_record: bool = False

    def hold(self, snapshot: Snapshot) -> Library:
        """Return the library that contains ``authority``: the record's or the user's."""
        return snapshot.record.library if self.of_record and snapshot.record else snapshot.library


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem to report at ``span`` of a draft's source. ``code`` is a declared diagnostic, whose setting
    decides the severity. ``authority`` is the id of the authority concerned, if any.
    """

    span: Span
    code: str
    message: str
    authority: int | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()

    @property
    def spans(self) -> list[Span]:
        """All spans of the problem in the draft: its own, then those of related passages, then those of the
        fixes' edits.
        """
        related = (each.span for each in self.related if each.authority is None)
        return [self.span, *related, *(edit.span for fix in self.fixes for edit in fix.edits)]

    def at(self, spans: Sequence[Span]) -> Problem:
        """Return a copy of the problem with other spans in the draft, given in the order of ``spans``."""
        if not self.related and not self.fixes:
            return replace(self, span=spans[0])
        rest = iter(spans)
        return replace(
            self,
            span=next(rest),
            related=tuple(
                each if each.authority is not None else replace(each, span=next(rest))
                for each in self.related
            ),
            fixes=tuple(
                replace(fix, edits=tuple(replace(edit, span=next(rest)) for edit in fix.edits))
                for fix in self.fixes
            ),
        )


@dataclass(frozen=True, slots=True)
class Finding(Problem):
    """A problem with the severity set for its code, which is never "off"."""

    severity: Severity = field(kw_only=True)

    @classmethod
    def of(cls, problem: Problem, severity: Severity) -> Finding:
        """Return the finding for a problem and a severity."""
        span, code, message = problem.span, problem.code, problem.message
        return cls(span, code, message, problem.authority, problem.related, problem.fixes, severity=severity)

    @property
    def rule(self) -> DiagnosticRule:
        """The diagnostic declared for the problem's code."""
        return find_rule(self.code)


def as_cited(snapshot: Snapshot, citation: Citation) -> str:
    """Return the citation as the draft writes it, on one line. For a citation key of a bibliography, return
    the citation that it represents.
    """
    if snapshot.draft.key_of(citation) is not None:
        return citation.key
    return " ".join(citation.core.of(snapshot.draft.masked).split())


def write_alike(written: str, citation: str) -> str:
    """Return ``citation`` with the spacing and punctuation of ``written`` if the two differ only in numbers;
    otherwise return it unchanged.
    """
    numbers = _NUMBER.findall(citation)
    if len(numbers) != len(_NUMBER.findall(written)):
        return citation
    values = iter(numbers)
    changed = _NUMBER.sub(lambda _: next(values), written)
    return changed if fold(changed) == fold(citation) else citation


def as_named(snapshot: Snapshot, citation: Citation) -> str:
    """Return the draft's name for the authority and its citation, on one line. A short form ("Id.", "Carrow",
    "the Act") is replaced by its full citation.
    """
    citation = snapshot.draft.antecedent_of(citation) or citation
    cited, name = as_cited(snapshot, citation), " ".join(citation.name.split())
    return cited if not name or name in cited else join_citation(name, cited, citation.jurisdiction)


def is_quoted(draft: Draft, offset: int) -> bool:
    """Return whether an offset is within quoted text: between quotation marks or in a block quotation."""
    line = draft.source.rfind("\n", 0, offset) + 1
    if draft.format.is_quoted_line(draft.source, offset):
        return True
    paragraph = draft.paragraph_at(offset)
    before = draft.masked[paragraph.start if paragraph is not None else line : offset]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def find_beginning(snapshot: Snapshot, authority: Authority) -> tuple[Related, ...]:
    """Return a link to the first line of an authority, or () if the library has no text of it."""
    text = snapshot.library.contents.text(authority.id)
    first = next((line for line in text[:400].split("\n") if line.strip()), "")
    if not first:
        return ()
    start = text.index(first)
    words = join_citation(authority.name, authority.citation, authority.jurisdiction)
    return (Related(words, Span(start, start + len(first)), authority.id),)


@dataclass(frozen=True, slots=True)
class LocalCheck:
    """A check of one paragraph, which may inspect only what `Excerpt` provides. ``rules`` are the diagnostics
    that it may report; it does not run if all of them are off. A slow check (``late``) runs when the
    server is idle, or when a complete check is requested. ``of`` selects the citations inspected: of
    library authorities, of the record (`reading/record.py`), or each in turn.
    """

    rules: tuple[DiagnosticRule, ...]
    find: Callable[[Excerpt, CancelToken], Iterator[Problem]]
    late: bool = False
    of: Literal["library", "record", "each"] = "library"


@dataclass(frozen=True, slots=True)
class WholeCheck:
    """A check of the whole draft, run at every keystroke: it must take only a few milliseconds in a long
    draft. ``of`` is as in `LocalCheck`.
    """

    rules: tuple[DiagnosticRule, ...]
    find: Callable[[Snapshot, CancelToken], Iterator[Problem]]
    of: Literal["library", "record", "each"] = "library"


@dataclass(frozen=True, slots=True)
class Review:
    """A pass over the problems that all other checks have found. It may change, combine or drop them."""

    rules: tuple[DiagnosticRule, ...]
    tell: Callable[[Snapshot, Sequence[Problem]], Iterator[Problem]]
