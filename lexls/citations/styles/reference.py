"""Hold what a style works with: all that is known of a citation, and what it makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.citations.model import CitationKind, PinpointKind
from lexls.text.spans import Span

WrittenAs = Literal["full", "short", "ibid"]
"""``full`` stands alone, ``short`` points back by name (and note), ``ibid`` to what is cited right before."""


@dataclass(frozen=True, slots=True)
class PinnedPlace:
    """The places that a citation names in one of several parallel reports, as `Reference` has its own.

    ``report`` is the key of that report, "" where it is not known which.
    """

    report: str
    pinpoint: PinpointKind
    labels: tuple[str, ...]
    written: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """All that is known of one citation; what is not known is empty.

    ``name`` is a case's name or an Act's title without its year. ``citations`` are normal keys, parallel ones
    in any order. ``court`` is the court as citations abbreviate it ("6th Cir.", "HL"), ``year`` that of the
    decision or enactment, ``date`` its month and day where the citation tells them ("July 17"); ``dateless``
    says that a citation leaves court and year to another one. ``edition`` is what a code is cited by beside
    its year ("2006", "West 2010"), ``docket`` the number that a court gave the case, as written.

    ``labels`` are the pinpoint's, as in `Pinpoint`, ``pinpoint`` what they count, ``written`` how a draft
    lists the places ("745 n. 1", "6(1) and (3)"), "" where the labels tell all. ``pinned`` is the key of
    the citation they belong to, where that is known; ``more_pinned`` are the places in parallel reports.
    ``short_name`` is what the draft calls the authority; ``note`` the number of the footnote that cites it
    in full. ``author``, ``source`` (a journal, a publisher) are those of writings.
    """

    kind: CitationKind
    name: str = ""
    citations: tuple[str, ...] = ()
    jurisdiction: str = ""
    court: str = ""
    year: int | None = None
    pinpoint: PinpointKind = "paragraph"
    labels: tuple[str, ...] = ()
    pinned: str = ""
    more_pinned: tuple[PinnedPlace, ...] = ()
    written: str = ""
    date: str = ""
    edition: str = ""
    docket: str = ""
    dateless: bool = False
    short_name: str = ""
    note: int | None = None
    author: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class TableForm:
    """A table of authorities: its title, its groups in order with theirs, whether names are italic there, and
    at how many places "passim" stands for them (0: never).

    What has no group of its own ("constitution", "regulations", "rules") is among the "statutes".
    """

    title: str = "Table of Authorities"
    groups: tuple[tuple[str, str], ...] = (
        ("cases", "Cases"),
        ("statutes", "Statutes and regulations"),
        ("other", "Other authorities"),
    )
    italic: bool = True
    passim: int = 0


@dataclass(frozen=True, slots=True)
class Rendered:
    """A citation ready to insert; ``pinpoint`` is the span of the pinpoint's labels in ``text``."""

    text: str
    pinpoint: Span | None
