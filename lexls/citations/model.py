"""Hold a citation as plain data: a mention while it is being read, and its key in normal form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from lexls.text.spans import Span

CitationKind = Literal[
    "case", "statute", "regulation", "rule", "constitution", "treaty", "contract", "journal", "book", "other",
    "record",
]  # fmt: skip
"""``record`` is a paper of the record, which is no authority."""
CitationForm = Literal["full", "short", "supra", "id", "section", "defined"]
"""``full`` stands alone; ``short`` is a name or report with a pinpoint ("Carrow at [14]", "531 U.S., at
104"); ``supra`` points back by name or note; ``id`` is *id.*/*ibid.*; ``section`` is a bare section of the
nearest Act; ``defined`` is a defined short title ("the Act", "the *Carrow* case")."""
PinpointKind = Literal[
    "paragraph", "page", "section", "article", "regulation", "rule", "schedule", "clause", "note"
]


@dataclass(frozen=True, slots=True)
class Pinpoint:
    """The place in an authority that a citation points at.

    ``labels`` are the places in order, ranges kept as written with a hyphen ("12-14"), without brackets
    or signs: ``("50",)`` for "[50]", ``("6(1)", "8")`` for "ss 6(1) and 8", ``("1A para 2",)`` for "Sch 1A,
    para 2". ``span`` is the pinpoint in the text that was searched. ``notes`` are the footnotes cited there:
    ``("4",)`` for "103 n.4".
    """

    kind: PinpointKind
    labels: tuple[str, ...]
    span: Span
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPaper:
    """A paper of the record as it is cited.

    ``keys`` are those by which files are known, the surest first. A ``label`` is the number of a numbered
    paper as written ("Ex. 4"), which a whole folder of them either has or has not. ``owned`` is the key of an
    exhibit without whose it is, "" if nobody's is said.
    """

    keys: tuple[str, ...]
    label: str = ""
    owned: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A mention of an authority in a text. All spans are code points of the text that was searched.

    ``span`` covers the whole mention: name, citation, pinpoint. ``core`` covers what identifies the
    authority ("531 U.S. 98", "Human Rights Act 1998"). ``key`` is the normal form of the authority's
    citation ("531 U.S. 98", "[2019] UKSC 41", "Human Rights Act 1998"), the same for every way of
    writing it; a short form has its antecedent's key, or "" when there is none. ``name`` is the case
    name or short title as written, "" if none. ``jurisdiction`` is a code ("US", "UK", …) or "" if open.
    ``group`` is the same number for parallel citations of one mention. ``antecedent`` is the position,
    in the list of citations this one came with, of the full citation a short form stands for; *id.* after
    the history of a case ("…, aff'd, 531 U.S. 98") stands for the first of its citations.

    ``ambiguous`` is an *id.* or *ibid.* right behind several authorities: a string of citations, or a
    footnote that cites them. ``unread`` is a short form without key whose authority the text may well cite,
    but in a way that was not read; without it, a short form without key has nothing to stand for.
    ``papers`` are those of the record that an *id.* without key stands for: several where they are cited in
    one string; of a citation of the record it is the paper cited.
    """

    span: Span
    core: Span
    text: str
    kind: CitationKind
    form: CitationForm
    jurisdiction: str
    key: str
    name: str = ""
    year: int | None = None
    pinpoint: Pinpoint | None = None
    group: int = 0
    antecedent: int | None = None
    ambiguous: bool = False
    unread: bool = False
    papers: tuple[CitedPaper, ...] = ()


@dataclass(slots=True)
class Mention:
    """A mention found in a text, to be finished by the resolver.

    ``start`` and ``end`` bound the whole mention. ``reference`` is what a short form points back with: a
    name ("Carrow"), an Act's noun ("Act"), or "". ``style`` is what a bare number after the citation counts.
    ``volume`` and ``report`` are those of the core, for short forms by them ("531 U.S., at 104").
    ``acronym`` marks an abbreviation that names an Act only with a section, ``open_end`` a name that may end
    before the mention does. ``note`` is the footnote that a short form points at, as written; a ``loose``
    one is a citation only if it stands for one. ``chain`` is the group of the first case of a history.
    ``written`` is the mention as its source has it, where that is not in the text; ``around`` what may stand
    around it, as its form says. ``owner`` are words next to a bare section that say what it is of, where that
    was not read. ``doubtful`` is a word right before it that is its name only if it stands for a case called
    so: "Accord, 607 F.3d at 252"; one that has nothing else is such a word alone.
    """

    start: int
    end: int
    core: Span
    kind: CitationKind
    form: CitationForm
    jurisdiction: str = ""
    key: str = ""
    name: str = ""
    year: int | None = None
    pinpoint: Pinpoint | None = None
    group: int = 0
    reference: str = ""
    style: PinpointKind = "page"
    around: frozenset[str] = frozenset()
    volume: str = ""
    report: str = ""
    acronym: bool = False
    open_end: bool = False
    note: str = ""
    loose: bool = False
    chain: int = 0
    written: str = ""
    owner: str = ""
    doubtful: Span | None = None

    @property
    def is_name_alone(self) -> bool:
        """Return whether it is only words in italics that may name a case."""
        return self.doubtful == self.core


@dataclass(frozen=True, slots=True, eq=False)
class KeyedCitations:
    """The citations by key of one paragraph, in order; where they stand its masked text is blank.

    One paragraph is told from another by this object itself: for the same paragraph it must be the same.
    """

    found: tuple[Mention, ...]

    def mentions(self) -> Iterator[Mention]:
        """The mentions, each a new one: whoever reads a paragraph may change them."""
        return (replace(mention) for mention in self.found)


_DROPPED = re.compile(r"[\W_]+")
DASHES = {ord(dash): "-" for dash in "‐‑‒–—−"}
"""All that is written for a hyphen in a number, for ``str.translate``."""


@lru_cache(maxsize=8192)
def fold(key: str) -> str:
    """The key for comparing: case-folded, only its letters and digits ("531 U. S. 98" → "531us98")."""
    if key.isascii():
        return "".join(filter(str.isalnum, key.lower()))
    return _DROPPED.sub("", unicodedata.normalize("NFKC", key).casefold())


_DIVIDED: Mapping[str, Sequence[str]] = {"C.C.P.A.": (" (Customs)", " (Patents)")}
"""Reports in divisions with volumes of the same numbers, which are cited with or without the division."""


def list_divisions(key: str) -> list[str]:
    """Return the same volume and page without the division of the report, or with each that it has.

    "24 C.C.P.A. (Customs) 74" is cited "24 C.C.P.A. 74" too. Only a name tells which of them is meant.
    """
    found = []
    for report, divisions in _DIVIDED.items():
        begin, named, rest = key.partition(report)
        if not named:
            continue
        division = next((each for each in divisions if rest.startswith(each)), "")
        others = ("",) if division else divisions
        found += [f"{begin}{report}{each}{rest.removeprefix(division)}" for each in others]
    return found


def join_spaces(text: str) -> str:
    """The text with each run of white space made one space and none around it."""
    return " ".join(text.split())


def make_section_key(key: str, label: str) -> str:
    """The key of one section of a code, by which a file is known that holds no more of it."""
    return f"{key} § {label}"
