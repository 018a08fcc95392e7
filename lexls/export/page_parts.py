"""The pieces of a page about a draft: HTML in which what drafts and authorities say is text."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from lexls.export.report import DraftReport, PinpointText
from lexls.index.records import Authority
from lexls.text.dates import write_date
from lexls.text.spans import Span
from lexls.wording.place_words import date_authority

_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of writing around."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who has checked a finding, by initials, and on which day (ISO 8601)."""

    initials: str
    day: str


Address = Callable[[Authority, PinpointText | None], str]
"""Where a page finds an authority, at a place in it if one is given."""


@dataclass(frozen=True, slots=True)
class NamedDraft:
    """What a page calls a draft, and how it names the place of a span."""

    name: str
    where: Callable[[Span], str]


@dataclass(frozen=True, slots=True)
class PageDraft(NamedDraft):
    """A draft's part of the page, and the briefs that its review compares it with."""

    report: DraftReport
    opposing: tuple[NamedDraft, ...] = ()


@dataclass(slots=True)
class DraftPage:
    """What is needed to write a draft's part. ``seen`` counts what reads the same."""

    draft: PageDraft
    address: Address
    signed: Mapping[str, Signature]
    seen: Counter[str] = field(default_factory=Counter)

    def sign(self, *told: str) -> str:
        """The box of a finding that says ``told``, and the initials of whoever has checked it.

        What is ticked is known by what it says: once that changes, it is to be checked anew.
        """
        said = "\0".join(told)
        self.seen[said] += 1
        name = hashlib.sha256(f"{said}\0{self.seen[said]}".encode()).hexdigest()[:16]
        signature = self.signed.get(name)
        if signature is None:
            return f'<span class="sign" data-finding="{name}"><span class="box">☐</span> Checked by</span>'
        by = f"{show(signature.initials)}, {show(write_date(signature.day))}"
        return f'<span class="sign" data-finding="{name}"><span class="box">☑</span> Checked by {by}</span>'


def write_authority(authority: Authority, places: Sequence[PinpointText], find: Address) -> str:
    """What is known of an authority, with a link to the first of ``places`` in its file."""
    title = authority.name
    named = [show(each) for each in authority.citations if each != title]
    known = [show(each) for each in (authority.court, date_authority(authority)) if each]
    address = find(authority, places[0] if places else None)
    parts = [
        f"<strong>{show(title)}</strong>",
        "; ".join(named),
        ", ".join(known),
        f'<a href="{escape(address)}">{show(authority.relative)}</a>',
    ]
    return " · ".join(part for part in parts if part)


def write_beside(label: str, words: str, authority: str, other: str = "Authority") -> str:
    """The draft's words and the authority's, or those of ``other``, side by side; both are HTML."""
    quoted = (
        f'<div class="quoted"><span class="label">{name}</span> {said}</div>'
        for name, said in ((label, words), (other, authority))
        if said
    )
    return f'<div class="beside">{"".join(quoted)}</div>'


def write_where(page: DraftPage, span: Span, more: str = "") -> str:
    """Where a span of the draft stands, and ``more``."""
    return f'<p class="where" data-start="{span.start}">{show(page.draft.where(span) + more)}</p>'


def write_sentence(text: str) -> str:
    """Text as a sentence of its own."""
    return show(text[:1].upper() + text[1:]) + ("" if text.endswith(".") else ".")


def show(text: str) -> str:
    """Text of drafts and authorities as HTML that shows just that, white space folded."""
    return escape(re.sub(r"\s+", " ", _UNSEEN.sub("", text)))
