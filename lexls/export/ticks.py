"""Name what a report says of each finding, so that a tick is kept for what was read, wherever it stands.

Once a finding says something else, it has another name and is to be checked again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field

from lexls.assessing.papers import CitedInRecord
from lexls.export.report import CitedAuthority, QuotedPassage
from lexls.wording.descriptions import describe_absence

_SAID = describe_absence(complete=True)
"""How a remark ends that says no more than the verdict does."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who has checked a finding, by initials, and on which day (ISO 8601)."""

    initials: str
    day: str


@dataclass(slots=True)
class FindingNames:
    """Names the findings of one report in order. ``seen`` counts what reads the same."""

    seen: Counter[str] = field(default_factory=Counter)

    def name(self, *told: str) -> str:
        """The name of the next finding that says ``told``: 16 hexadecimal digits."""
        said = "\0".join(told)
        self.seen[said] += 1
        return hashlib.sha256(f"{said}\0{self.seen[said]}".encode()).hexdigest()[:16]


def list_remarks(cited: CitedAuthority) -> list[str]:
    """The remarks on a citation that neither its verdict nor its quotations say already."""
    told = {remark for passage in cited.quotations for remark in passage.remarks}
    return [
        each
        for each in cited.remarks
        if each not in told and each not in cited.reason and not each.endswith(_SAID)
    ]


def tell_citation(cited: CitedAuthority) -> tuple[str, ...]:
    """Return what is ticked with a citation."""
    verdicts = (each.verdict for each in cited.quotations)
    support = cited.support.verdict if cited.support is not None else ""
    said = ("citation", cited.text, cited.stands_for, cited.verdict, cited.reason, support)
    return *said, *verdicts, *list_remarks(cited)


def tell_paper(cited: CitedInRecord) -> tuple[str, ...]:
    """Return what is ticked with a citation of the record."""
    named = (each.relative for each in cited.papers)
    return "record", cited.text, cited.verdict, cited.place, *named


def tell_quotation(passage: QuotedPassage) -> tuple[str, ...]:
    """Return what is ticked with a quotation that belongs to no citation."""
    return "quotation", passage.verdict, passage.text, passage.original
