"""What a draft that is right is made of, and what it is to make one place of it wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.reading.draft import Draft
from lexls.reading.resolve import Resolution
from lexls.text.spans import Span

NUMBER = re.compile(r"\d+(?![\da-z])")
"""A number as citations have them, none that a letter follows."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a draft that stand verbatim in an authority that the paragraph cites."""

    span: Span
    resolution: Resolution
    authority: Authority


@dataclass(frozen=True, slots=True)
class Base:
    """A draft with all that it cites, before anything is altered.

    ``others`` are authorities of the library that another citation may name, ``words`` words of other texts.
    ``has`` tells whether an authority has words verbatim.
    """

    draft: Draft
    library: Library
    cited: Sequence[Resolution]
    quoted: Sequence[Quoted]
    others: Sequence[Authority]
    words: Sequence[str]
    has: Callable[[Authority, str], bool]

    @property
    def source(self) -> str:
        return self.draft.source

    def full(self, *, named: bool = False) -> Iterator[tuple[Citation, Authority]]:
        """The full citations of cases that are found by their own citation, with what they name."""
        for each in self.cited:
            citation = each.citation
            if citation.kind != "case" or citation.form != "full" or each.by != "citation":
                continue
            authority = self.library.catalogue.get(each.authorities[0])
            if authority is not None and (not named or name_span(self.draft, citation) is not None):
                yield citation, authority

    def cited_beside(self, span: Span) -> Iterator[Authority]:
        """The authorities cited in the paragraph that ``span`` stands in."""
        paragraph = next(each for each in self.draft.paragraphs if each.start <= span.start < each.end)
        for each in self.cited:
            if paragraph.start <= each.citation.core.start < paragraph.end:
                found = map(self.library.catalogue.get, each.authorities)
                yield from filter(None, found)


@dataclass(frozen=True, slots=True)
class Altered:
    """``text`` in place of ``span`` of a draft's source; ``around`` is where it must be noticed.

    ``right`` is what would be right there, as a message may give it.
    """

    span: Span
    text: str
    around: Span
    right: str = ""


Alteration = Callable[[Base, random.Random], Altered | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of making a draft wrong, and the diagnostics whose messages name what is wrong with it then.

    Those of ``codes`` say it by what they are ("… is Smith v. Jones, not Smith v. Brown", "… is not in your
    library"), those of ``giving`` only where their message has what would be right.
    """

    alter: Alteration
    codes: tuple[str, ...] = ()
    giving: tuple[str, ...] = ()

    def is_named(self, altered: Altered, code: str, message: str) -> bool:
        """Whether a finding names what was altered."""
        if code in self.codes:
            return True
        return (
            code in self.giving
            and re.search(rf"(?<!\w){re.escape(altered.right)}(?!\w)", message) is not None
        )


def name_span(draft: Draft, citation: Citation) -> Span | None:
    """Where a citation's name stands."""
    if not citation.name:
        return None
    pattern = r"\s+".join(map(re.escape, citation.name.split()))
    found = re.compile(pattern).search(draft.source, citation.span.start, citation.span.end)
    return Span(*found.span()) if found else None


def choose(chance: random.Random, made: Iterator[Altered]) -> Altered | None:
    """One of the alterations that can be made, None if none can."""
    found = list(made)
    return chance.choice(found) if found else None
