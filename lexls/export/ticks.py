"""Identify the findings of a report by their content, so that a finding keeps its tick when its position
changes.

A finding whose content changes gets a new name, and must be checked again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field

from lexls.assessing.papers import CitedInRecord
from lexls.export.report import CitedAuthority, QuotedPassage
from lexls.wording.descriptions import describe_absence

_SAID = describe_absence(complete=True)
"""The ending of a remark that only repeats the verdict."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The initials of the person who checked a finding, and the day (ISO 8601)."""

    initials: str
    day: str


@dataclass(slots=True)
class FindingNames:
    """A generator of names for the findings of one report, in order. ``seen`` counts findings with the same
    content.
    """

    seen: Counter[str] = field(default_factory=Counter)

    def name(self, *told: str) -> str:
        """Return the name of the next finding with the content ``told``: 16 hexadecimal digits."""
        said = "\0".join(told)
        self.seen[said] += 1
        return hashlib.sha256(f"{said}\0{self.seen[said]}".encode()).hexdigest()[:16]


def list_remarks(cited: CitedAuthority) -> list[str]:
    """Return the remarks on a citation that are not already part of its verdict or its quotations."""
    told = {remark for passage in cited.quotations for remark in passage.remarks}
    return [
        each
        for each in cited.remarks
        if each not in told and each not in cited.reason and not each.endswith(_SAID)
    ]


def tell_citation(cited: CitedAuthority) -> tuple[str, ...]:
    """Return the content that identifies a citation's finding and that a tick confirms."""
    verdicts = (each.verdict for each in cited.quotations)
    support = cited.support.verdict if cited.support is not None else ""
    said = ("citation", cited.text, cited.stands_for, cited.verdict, cited.reason, support)
    return *said, *verdicts, *list_remarks(cited)


def tell_paper(cited: CitedInRecord) -> tuple[str, ...]:
    """Return the content that identifies the finding on a citation of the record."""
    named = (each.relative for each in cited.papers)
    return "record", cited.text, cited.verdict, cited.place, *named


def tell_quotation(passage: QuotedPassage) -> tuple[str, ...]:
    """Return the content that identifies the finding on a quotation that belongs to no citation."""
    return "quotation", passage.verdict, passage.text, passage.original
