"""Build the HTML parts of a page about a draft, including its review. Text from drafts and authorities is
escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from lexls.assessing.verdicts import name_support
from lexls.export.missing_authorities import MissingAuthority, describe_ties
from lexls.export.opposing_briefs import ComparedBrief, Saying, SharedAuthority
from lexls.export.report import DraftReport, PinpointText
from lexls.export.review import BriefReview, ContraryAuthority
from lexls.export.ticks import FindingNames, Signature
from lexls.grounding.evidence import Pin, quote_pin
from lexls.grounding.render import place_of
from lexls.index.records import Authority
from lexls.text.dates import write_date
from lexls.text.spans import Span
from lexls.wording.markdown import shorten
from lexls.wording.place_words import add_place, cite_authority, date_authority

_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
"""Control characters, including those that change the direction of writing."""


Address = Callable[[Authority, PinpointText | None], str]
"""Returns the URL of an authority, or of a passage in it if one is given."""


@dataclass(frozen=True, slots=True)
class NamedDraft:
    """A draft's name as shown on a page, and a function that describes the position of a span."""

    name: str
    where: Callable[[Span], str]


@dataclass(frozen=True, slots=True)
class PageDraft(NamedDraft):
    """A draft with the report shown in its section of a page, and the briefs with which its review compares
    it.
    """

    report: DraftReport
    opposing: tuple[NamedDraft, ...] = ()


@dataclass(slots=True)
class DraftPage:
    """The data needed to write a draft's section."""

    draft: PageDraft
    address: Address
    signed: Mapping[str, Signature]
    names: FindingNames = field(default_factory=FindingNames)

    def sign(self, *told: str) -> str:
        """Return the tick box of the finding with the content ``told`` and, if the finding is ticked, the
        initials and the day.
        """
        name = self.names.name(*told)
        signature = self.signed.get(name)
        if signature is None:
            return f'<span class="sign" data-finding="{name}"><span class="box">☐</span> Checked by</span>'
        by = f"{show(signature.initials)}, {show(write_date(signature.day))}"
        return f'<span class="sign" data-finding="{name}"><span class="box">☑</span> Checked by {by}</span>'


def write_authority(authority: Authority, places: Sequence[PinpointText], find: Address) -> str:
    """Return an authority's metadata as HTML, with a link to its file, at the first of ``places`` if there is
    one.
    """
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
    """Return the draft's words next to the authority's, or to those of ``other``. All words are HTML."""
    quoted = (
        f'<div class="quoted"><span class="label">{name}</span> {said}</div>'
        for name, said in ((label, words), (other, authority))
        if said
    )
    return f'<div class="beside">{"".join(quoted)}</div>'


def write_where(page: DraftPage, span: Span, more: str = "") -> str:
    """Return the position of a span in the draft, followed by ``more``, as HTML."""
    return f'<p class="where" data-start="{span.start}">{show(page.draft.where(span) + more)}</p>'


def write_sentence(text: str) -> str:
    """Return the text as HTML, capitalised and ending with a full stop."""
    return show(text[:1].upper() + text[1:]) + ("" if text.endswith(".") else ".")


def show(text: str) -> str:
    """Return text of a draft or an authority escaped for HTML, without invisible characters and with white
    space collapsed.
    """
    return escape(drop_unseen(text))


def drop_unseen(text: str) -> str:
    """Return text without invisible characters and those that change the direction of writing, and with white
    space collapsed.
    """
    return re.sub(r"\s+", " ", _UNSEEN.sub("", text))


_LONGEST = 420


def write_review(page: DraftPage, review: BriefReview) -> Iterator[str]:
    """Yield the sections of a review as HTML."""
    yield "<h2>Not cited, though the argument calls for it</h2>"
    if not review.missing:
        yield "<p>Nothing of the library fits the argument that it does not cite.</p>"
    for number, missing in enumerate(review.uncited, 1):
        yield from _missing(number, missing, page)
    if review.of_same_case:
        yield f"<h3>Other decisions in cases that are cited ({len(review.of_same_case)})</h3>"
    for number, missing in enumerate(review.of_same_case, 1 + len(review.uncited)):
        yield from _missing(number, missing, page)
    yield "<h2>Contrary authority</h2>"
    yield (
        "<p>Told by words alone, so that some of it may not stand against the draft at all.</p>"
        if review.contrary
        else "<p>Nothing was found in the library that stands against what the draft says.</p>"
    )
    for contrary in review.contrary:
        yield from _contrary(contrary, page)
    for compared, opposing in zip(review.compared, page.draft.opposing, strict=True):
        yield from _compared(compared, opposing, page)


def _missing(number: int, missing: MissingAuthority, page: DraftPage) -> Iterator[str]:
    yield '<article class="open">'
    yield (
        f'<p class="head"><span class="number">{number}</span>'
        f'<span class="cited">{show(cite_authority(missing.authority))}</span>'
        '<span class="verdict open">Not cited</span></p>'
    )
    address = escape(page.address(missing.authority, None))
    yield f'<p class="authority"><a href="{address}">{show(missing.authority.relative)}</a></p>'
    for each in filter(None, (describe_ties(missing), missing.warning)):
        style = "treatment warned" if each == missing.warning else "agrees"
        yield f'<p class="{style}">{write_sentence(each)}</p>'
    for call in missing.calls:
        yield write_where(page, call.option.proposition)
        said = show(shorten(call.words, _LONGEST))
        yield write_beside("Draft", said, _pin(call.option.pin, page))
    told = (each.words + each.option.quote for each in missing.calls)
    yield f"{page.sign('missing', cite_authority(missing.authority), *told)}</article>"


def _contrary(contrary: ContraryAuthority, page: DraftPage) -> Iterator[str]:
    yield f'<article class="open">{write_where(page, contrary.sentence)}'
    yield f'<p class="quoted"><span class="label">Draft</span> {show(contrary.proposition)}</p>'
    for each in contrary.against:
        pin = each.pins[0]
        named = show(add_place(cite_authority(pin.authority), place_of(pin)))
        whose = f" ({show(pin.whose)})" if pin.whose else ""
        yield f'<p class="authority">{named}{whose}</p><blockquote>{_pin(pin, page)}</blockquote>'
    told = (each.text for each in contrary.against)
    yield f"{page.sign('contrary', contrary.proposition, *told)}</article>"


def _compared(compared: ComparedBrief, opposing: NamedDraft, page: DraftPage) -> Iterator[str]:
    yield f"<h2>Beside {show(opposing.name)}</h2>"
    yield f"<h3>Cited by both ({len(compared.shared)})</h3>"
    for shared in compared.shared:
        yield from _shared(shared, opposing, page)
    yield f"<h3>Cited only there ({len(compared.missing)})</h3>"
    for each in compared.missing:
        held = "" if each.authority is not None else ' <span class="verdict open">Not in your library</span>'
        yield f'<article class="open"><p class="head"><span class="cited">{show(each.name)}</span>{held}</p>'
        if each.warning:
            yield f'<p class="treatment warned">{write_sentence(each.warning)}</p>'
        yield "".join(_saying(saying, opposing.where(saying.span)) for saying in each.theirs)
        yield f"{page.sign('opposing', opposing.name, each.name)}</article>"
    if compared.only_ours:
        yield f"<h3>Cited only in the draft ({len(compared.only_ours)})</h3><ul>"
        yield f"{''.join(f'<li>{show(each)}</li>' for each in compared.only_ours)}</ul>"


def _shared(shared: SharedAuthority, opposing: NamedDraft, page: DraftPage) -> Iterator[str]:
    style, said = ("wrong", "Characterised differently") if shared.differences else ("fine", "Cited by both")
    yield f'<article class="{style}"><p class="head"><span class="cited">{show(shared.name)}</span>'
    yield f'<span class="verdict {style}">{said}</span></p>'
    for each in shared.differences:
        yield f'<p class="remark">{write_sentence(each)}</p>'
    ours = "".join(_saying(each, page.draft.where(each.span)) for each in shared.ours)
    theirs = "".join(_saying(each, opposing.where(each.span)) for each in shared.theirs)
    yield write_beside("Draft", ours, theirs, "Opponent")
    yield f"{page.sign('shared', opposing.name, shared.name, *shared.differences)}</article>"


def _saying(saying: Saying, where: str) -> str:
    notes = [where, saying.stance]
    if saying.support.verdict not in ("not-judged", "supported"):
        notes.append(name_support(saying.support.verdict).lower())
    said = show("; ".join(each for each in notes if each))
    return f'<p>{show(shorten(saying.text, _LONGEST))} <span class="where">{said}</span></p>'


def _pin(pin: Pin, page: DraftPage) -> str:
    """Return the quoted words of a pinned passage as HTML, linked to the passage's position in its file."""
    label = place_of(pin) or "Open"
    address = page.address(pin.authority, PinpointText(label, "", pin.start, pin.end, pin.page))
    quoted = show(shorten(quote_pin(pin), _LONGEST))
    return f'{quoted} <a class="label" href="{escape(address)}">{show(label)}</a>'
