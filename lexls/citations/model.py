"""Define citations as plain data, the mentions from which they are built, and normalised keys."""

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
"""The kind of an authority. A ``record`` citation is of a paper of the record, which is not an authority."""
CitationForm = Literal["full", "short", "supra", "id", "section", "defined"]
"""``full`` is complete by itself; ``short`` is a name or report with a pinpoint ("Carrow at [14]", "531 U.S.,
at 104"); ``supra`` refers back by name or note; ``id`` is *id.*/*ibid.*; ``section`` is a bare section of
the nearest Act; ``defined`` is a defined short title ("the Act", "the *Carrow* case").
"""
PinpointKind = Literal[
    "paragraph", "page", "section", "article", "regulation", "rule", "schedule", "clause", "note"
]


@dataclass(frozen=True, slots=True)
class Pinpoint:
    """The place in an authority that a citation refers to.

    ``labels`` are the places in order, without brackets or signs; a range keeps its hyphen ("12-14").
    Examples: ``("50",)`` for "[50]", ``("6(1)", "8")`` for "ss 6(1) and 8", ``("1A para 2",)`` for "Sch 1A,
    para 2". ``span`` is the pinpoint's position in the text that was searched. ``notes`` are the footnotes of
    the authority that are cited: ``("4",)`` for "103 n.4".
    """

    kind: PinpointKind
    labels: tuple[str, ...]
    span: Span
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPaper:
    """A paper of the record as cited.

    ``keys`` identify its file, the most reliable first. ``label`` is a numbered paper's number as written
    ("Ex. 4"), by which a folder of numbered papers can be checked for it. If an exhibit is cited with its
    owner, ``owned`` is its key without the owner, else "".
    """

    keys: tuple[str, ...]
    label: str = ""
    owned: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A mention of an authority in a text. All spans are code points of the text that was searched.

    ``span`` covers the whole mention: name, citation, pinpoint. ``core`` covers what identifies the authority
    ("531 U.S. 98", "Human Rights Act 1998"). ``key`` is the normalised citation of the authority ("531 U.S.
    98", "[2019] UKSC 41", "Human Rights Act 1998"), the same for every way of writing it. A short form has
    its antecedent's key, or "" if it has no antecedent. ``name`` is the case name or short title as written,
    "" if none. ``jurisdiction`` is a code ("US", "UK", …) or "" if unknown. ``group`` is the same number for
    parallel citations of one mention.

    ``antecedent`` is the index, in the list of citations that includes this one, of the full citation to
    which a short form refers. *Id.* after the history of a case ("…, aff'd, 531 U.S. 98") refers to the first
    citation of the case. ``ambiguous`` marks an *id.* or *ibid.* immediately after several authorities: a
    string of citations, or a footnote that cites them. ``unread`` marks a short form without a key whose
    authority may be cited in a way that lexls does not recognise. Any other short form without a key has no
    antecedent. ``papers`` are the papers of the record to which an *id.* without a key refers: several if
    they are cited in one string. For a citation of the record, ``papers`` has the paper cited.
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
    """A mention found in a text, to be completed by the resolver.

    ``start`` and ``end`` bound the whole mention. ``reference`` is the text by which a short form refers
    back: a name ("Carrow"), an Act's noun ("Act"), for "(n 4)" behind an Act its title, or "". ``style`` is
    the unit of a bare number after the citation. ``volume`` and ``report`` are those of the core, for short
    forms by report ("531 U.S., at 104"). ``acronym`` marks an abbreviation that names an Act only with a
    section, ``open_end`` a name that may end before the mention does. ``note`` is the footnote to which a
    short form refers, as written. A ``loose`` mention is a citation only if it has an antecedent. ``chain``
    is the group of the first case of a history. ``written`` is the mention as in its source, if that is not
    in the text. ``around`` lists what may surround the mention, as its form says. ``owner`` are words next to
    a bare section that name an authority not otherwise recognised.

    ``doubtful`` is a word immediately before the mention that is part of it only if a case has that name:
    "Accord, 607 F.3d at 252". If the mention has no other core, it consists of such a word alone.
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
        """True if the mention consists only of words in italics that may name a case."""
        return self.doubtful == self.core


@dataclass(frozen=True, slots=True, eq=False)
class KeyedCitations:
    """The citations by bibliography key in one paragraph, in order. The masked text is blank where they are.

    Paragraphs are compared by the identity of this object, so the same paragraph must always get the same
    object.
    """

    found: tuple[Mention, ...]

    def mentions(self) -> Iterator[Mention]:
        """Yield a copy of each mention, since the code that reads a paragraph may change mentions."""
        return (replace(mention) for mention in self.found)


_DROPPED = re.compile(r"[\W_]+")
DASHES = {ord(dash): "-" for dash in "‐‑‒–—−"}
"""Table for ``str.translate`` that replaces every kind of dash in a number with a hyphen."""


@lru_cache(maxsize=8192)
def fold(key: str) -> str:
    """Fold a key for comparison: case-folded, with only its letters and digits ("531 U. S. 98" →
    "531us98").
    """
    if key.isascii():
        return "".join(filter(str.isalnum, key.lower()))
    return _DROPPED.sub("", unicodedata.normalize("NFKC", key).casefold())


_DIVIDED: Mapping[str, Sequence[str]] = {"C.C.P.A.": (" (Customs)", " (Patents)")}
"""Reports whose divisions have the same volume numbers. The division may be omitted from a citation."""


def list_divisions(key: str) -> list[str]:
    """Return the other ways of writing a key: without its report's division or, if it has none, with each
    possible division.

    "24 C.C.P.A. (Customs) 74" is also cited as "24 C.C.P.A. 74", and then only the name shows which division
    is meant. Empty for reports without divisions.
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
    """Return the text with each run of whitespace replaced by one space, and none at the ends."""
    return " ".join(text.split())


def make_section_key(key: str, label: str) -> str:
    """Return the key of one section of a code, which identifies a file that contains only that section."""
    return f"{key} § {label}"
