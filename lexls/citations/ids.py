"""Find the antecedent of an *id.* by rules that are tried in order. No rule changes any state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lexls.citations.known import NEAR_CASES, Known, OpenParagraph
from lexls.citations.model import CitationKind, CitedPaper
from lexls.citations.steps import CitedReport, IdStep

WITH_SECTIONS: frozenset[CitationKind] = frozenset({"statute", "regulation"})


class Meant(NamedTuple):
    """The antecedent of an *id.*: the citation at position ``place`` (-1: none), or ``papers`` of the record.

    ``ambiguous`` and ``unread`` mean the same as in `Citation`. ``shared`` is true if the case cited
    immediately after the *id.* is its antecedent, so that both have the same one.
    """

    place: int
    unread: bool = False
    ambiguous: bool = False
    papers: tuple[CitedPaper, ...] = ()
    shared: bool = False


def find_meant(known: Known, here: OpenParagraph, step: IdStep) -> Meant:
    """Return the antecedent of an *id.* in the paragraph ``here``, from the first rule that gives one."""
    if step.beside is not None or step.called or here.note > 0 or known.last.papers:  # rarely true
        for rule in (_by_report_beside, _by_note, _by_call, _by_papers):
            meant = rule(known, here, step)
            if meant is not None:
                return meant
    return _by_what_was_last(known, here, step)


def _by_report_beside(known: Known, here: OpenParagraph, step: IdStep) -> Meant | None:
    """Return the case whose report immediately follows the *id.* ("Id., 531 U.S. at 104"), or None."""
    beside = step.beside
    if beside is None:
        return None
    if not beside.key:
        place = known.find_case(beside.report, beside.page)
        return Meant(place, unread=place < 0)
    place = known.places.first(known.pages.find_first(beside.report, beside.page))
    return Meant(place, shared=True) if place >= 0 else None


def _by_note(known: Known, here: OpenParagraph, step: IdStep) -> Meant | None:
    """Return the authority cited last in the previous footnote if the *id.* comes first in its own footnote,
    or None.

    If that footnote cites nothing that was recognised, no authority of a footnote further above is meant.
    """
    if here.note <= 0 or not known.notes.opens(here.note) or known.last.unread:
        return None
    before = known.notes.string(here.note - 1)
    if not before and 0 <= known.last.note < here.note - 1:
        return Meant(-1, unread=True)
    if not before or before[-1] < 0:
        return None
    return Meant(before[-1], ambiguous=_are_several(known, before, step))


def _by_call(known: Known, here: OpenParagraph, step: IdStep) -> Meant | None:
    """Return the case named immediately before the *id.* ("Carrow, id. at 9"), or None."""
    if not step.called:
        return None
    found = (known.names.find(term, key) for term, key in step.called)
    place = known.places.first(next((place for place in found if place >= 0), -1))
    return Meant(place, unread=place < 0) if place >= 0 or step.only_called else None


def _by_papers(known: Known, here: OpenParagraph, step: IdStep) -> Meant | None:
    """Return the papers of the record cited since the last authority ("Compl. ¶ 4; id. ¶ 5"), or None.

    They must be in the same footnote (or the main text) as the *id.*. If the *id.* comes first in a footnote,
    they may be in the footnote before it.
    """
    last, pinpoint = known.last, step.mention.pinpoint
    if not last.papers:
        return None
    opens = here.note > 0 and known.notes.opens(here.note) and here.note == last.papers_note + 1
    if not (opens or here.note == last.papers_note) or step.of_volume:
        return None
    if (pinpoint is not None and pinpoint.kind not in ("page", "paragraph")) or _by_page(known, step) >= 0:
        return None
    return Meant(-1, unread=True, papers=last.papers)


def _by_what_was_last(known: Known, here: OpenParagraph, step: IdStep) -> Meant:
    """Return the authority cited last, unless the pinpoint shows that *id.* refers to another or an
    unrecognised one.
    """
    last, place = known.last, known.last.place
    for rule in _PLACES:
        said = rule(known, here, step)
        if said is not None:
            place = said
            break
    unread = place < 0 and (last.kind is not None or last.unread or step.of_record)
    again = place >= 0 and place == last.place and not step.around.joined
    return Meant(place, unread, again and _are_several(known, last.string, step))


# -- the antecedent instead of the authority cited last; None: the rule does not apply ----------------------


def _of_record(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """Return -1 (no authority) if the pinpoint is a page of the record ("Id. at 47a"), else None."""
    return -1 if step.of_record else None


def _with_section(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """Return the Act that last had the section, if another Act was cited last ("… § 1983 … § 1985; id. §
    1983"), else None.
    """
    place = known.last.place
    had = _find_had(known, step) if place >= 0 else None
    other = had is not None and had != place
    return had if other and known.places.source(place).kind in WITH_SECTIONS else None


def _act_named_since(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """Return the Act mentioned since the last citation if the pinpoint fits an Act, or if nothing was cited
    before. Otherwise return None.

    The Act is also returned if a case was cited last and the Act has been quoted since.
    """
    last, pinpoint = known.last, step.mention.pinpoint
    if last.kind is None:
        return last.named_act if not last.unread else None
    if last.named_act < 0:
        return None
    if step.of_section and last.kind == "case" and not last.unread:
        return last.named_act
    if pinpoint is None or pinpoint.kind in ("page", "paragraph", "note"):
        return None
    return last.named_act if last.place < 0 or known.places.source(last.place).paged else None


def _case_named_since(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """If an unrecognised source was cited last, return a case that the text has named since and that can have
    the page, or -1. Otherwise return None.
    """
    return _by_page(known, step) if known.last.unread or known.last.place < 0 else None


def _section_of_case(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """Return -1 (no authority) if the pinpoint is a section, but a case cited by pages was cited last
    ("Carrow …; id. § 5"), else None.
    """
    last, pinpoint = known.last, step.mention.pinpoint
    section = pinpoint is not None and pinpoint.kind == "section" and last.kind == "case"
    return -1 if section and last.place in known.pages and _find_had(known, step) is None else None


def _paragraph_of_pages(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """Return -1 (no authority) if the pinpoint is a paragraph, but the case cited last has only pages
    ("Carrow, 531 U.S. 98; id. ¶ 5"), else None.
    """
    return -1 if step.signed and known.pages.has_pages_only(known.last.place) else None


def _page_of_act(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """If the pinpoint is a page, but the authority cited last has no pages, return a case nearby that can
    have the page, or -1. Otherwise return None.
    """
    if not _is_paged(step) or known.places.source(known.last.place).paged:
        return None
    near = reversed(here.here[-NEAR_CASES:])
    place = next((target for kind, target in near if kind == "case" and target >= 0), -1)
    place = place if place >= 0 and known.pages.can_have(place, step.pinned) else _by_page(known, step)
    return place if place >= 0 else known.pages.find_only(known.last.recent, step.pinned)


def _quoted_and_named(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """Return the authority that the last citation cites in brackets at this very page, if the text has named
    it since, else None.
    """
    place = known.last.quoted_at(step.pinned) if known.last.inner and step.pinned >= 0 else -1
    return place if place >= 0 and _by_page(known, step) == place else None


def _with_page(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """If the case cited last cannot have the page, return one that can: a case named since, one that the last
    citation quotes, or the only one among the last few. If there is none, return None, or the case cited
    last if it is in the same paragraph.
    """
    last, page = known.last, step.pinned
    if known.pages.can_have(last.place, page):
        return None
    place = _by_page(known, step)
    place = place if place >= 0 else last.quoted_at(page)
    place = place if place >= 0 else known.pages.find_only(last.recent, page)
    return place if place >= 0 or not here.here else last.place


def _quoting_itself(known: Known, here: OpenParagraph, step: IdStep) -> int | None:
    """Return -1 (no authority) if the *id.* would otherwise cite itself ("Id. at 9 (quoting Carrow, 531 U.S.,
    at 104)"), else None.
    """
    return -1 if any(_stands_for(known, known.last.place, each) for each in step.cites) else None


_PLACES: Sequence[Callable[[Known, OpenParagraph, IdStep], int | None]] = (
    _of_record,
    _with_section,
    _act_named_since,
    _case_named_since,
    _section_of_case,
    _paragraph_of_pages,
    _page_of_act,
    _quoted_and_named,
    _with_page,
    _quoting_itself,
)


def _find_had(known: Known, step: IdStep) -> int | None:
    """Return the Act that last had the provision in the pinpoint. Return -1 if that Act was not recognised,
    None if no Act had it.
    """
    pinpoint = step.mention.pinpoint
    return known.acts.numbers.find(pinpoint) if pinpoint is not None else None


def _is_paged(step: IdStep) -> bool:
    pinpoint = step.mention.pinpoint
    return pinpoint is not None and pinpoint.kind == "page"


def _by_page(known: Known, step: IdStep) -> int:
    """Return the case named since the last citation that can have the page of *id.*, or -1."""
    page = step.pinned
    if page < 0:
        return -1
    for term, key in step.said_cases if known.last.unread else step.said_names:
        place = known.places.first(known.names.find(term, key))
        if place in known.pages and known.pages.can_have(place, page):
            return place
    return -1


def _stands_for(known: Known, place: int, cited: CitedReport) -> bool:
    """Return whether a report that the *id.* cites in brackets belongs to the supposed antecedent at
    ``place``.
    """
    if cited.key:
        return cited.key == known.places.source(place).key
    named = known.find_case(cited.report, cited.page)
    return named >= 0 and named == place


def _are_several(known: Known, cited: Sequence[int], step: IdStep) -> bool:
    """Return whether the *id.*, with its pinpoint, may refer to more than one of the authorities
    ``cited``.
    """
    if len(cited) < 2:
        return False
    pinpoint = step.mention.pinpoint
    by_page = pinpoint is not None and pinpoint.kind in ("page", "paragraph")
    sources = [known.places.source(place) for place in cited if place >= 0]
    return len({each.key for each in sources if pinpoint is None or each.paged == by_page}) > 1
