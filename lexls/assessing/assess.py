"""Assess each citation of a draft: find the authority that it names, and compare each stated element with it.
The words that a citation is given for are also compared with the text at its pinpoint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lexls.assessing.absence import Absence, Offer, explain_absence, explain_impossible, offer
from lexls.assessing.check import as_cited, as_named
from lexls.assessing.cross_references import compare_note_number
from lexls.assessing.decisions import compare_decision, is_enacted
from lexls.assessing.excerpt import Excerpt, excerpt_at, list_referring
from lexls.assessing.fact import Fact
from lexls.assessing.listing import Listing, find_listing
from lexls.assessing.names import compare_names
from lexls.assessing.near_misses import NearMiss, find_misnumbered
from lexls.assessing.parallels import compare_citations
from lexls.assessing.pinpoints import CHECKED_KINDS, compare_pinpoints, find_label, name_cited
from lexls.assessing.quotations import (
    assess_quotation,
    describe_misplaced,
    find_attributions,
    find_block_attributions,
    is_at_pinpoint,
)
from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.quotations.attribution import Attribution
from lexls.quotations.authority_texts import prepare_text
from lexls.quotations.compare import find_places
from lexls.reading.propositions import find_cited_part
from lexls.reading.quotations import Quotation
from lexls.reading.resolve import Resolution, find_authorities
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.descriptions import describe_absence, describe_codified
from lexls.wording.place_words import write_pinpoint

_NO_OFFER = Offer()


@dataclass(frozen=True, slots=True)
class Assessment:
    """The assessment of one mention: parallel citations of one authority, a single citation, or a short form.

    ``span`` is the mention in the draft's source. ``facts`` has one entry for each element that the draft
    states. If the library does not have the authority, ``authority`` is None, ``absence`` and ``reason``
    explain why, and ``offer`` has suggestions. ``misnumbered`` is a citation with a wrong number, and the
    authority with the right one. ``full`` is the assessment of a short form's full citation. ``listing`` is
    the result of looking up a case in the user's catalogue if the library does not have it.
    """

    cited: tuple[Resolution, ...]
    span: Span
    authority: Authority | None
    facts: tuple[Fact, ...] = ()
    absence: Absence | None = None
    reason: str = ""
    offer: Offer = _NO_OFFER
    misnumbered: tuple[Citation, NearMiss] | None = None
    full: Assessment | None = None
    listing: Listing | None = None

    @property
    def citation(self) -> Citation:
        """The first citation of the mention."""
        return self.cited[0].citation

    @property
    def is_identified(self) -> bool:
        """True if the authority is certainly the one cited, and not another of the same name and year."""
        own = any(each.is_sure for each in self.cited)
        return own and (self.full is None or self.full.authority is None or self.full.is_identified)

    @property
    def is_bound_by_decision(self) -> bool:
        """True if the authority was found only by name, court and year, and no other file fits."""
        return any(each.by == "decision" for each in self.cited)


def assess_excerpt(excerpt: Excerpt, token: CancelToken) -> list[Assessment]:
    """Assess the mentions of a paragraph, in order. A defined term without a pinpoint is not a mention."""
    return [assess_mention(excerpt, each, token) for each in list_mentions(excerpt)]


def list_mentions(excerpt: Excerpt) -> Iterator[tuple[Resolution, ...]]:
    """Yield the mentions of a paragraph that name authorities, with parallel citations grouped together."""
    groups: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if citation.papers or (citation.form == "defined" and citation.pinpoint is None):
            continue
        if citation.group:
            if citation.group in groups:
                continue
            groups.add(citation.group)
        yield excerpt.group(citation)


def assess(snapshot: Snapshot, citation: Citation, token: CancelToken) -> Assessment:
    """Return the assessment of the mention to which a citation of the draft belongs."""
    excerpt = excerpt_at(snapshot, citation.core.start)
    return assess_mention(excerpt, excerpt.group(citation), token)


def assess_mention(excerpt: Excerpt, mention: Sequence[Resolution], token: CancelToken) -> Assessment:
    """Return the assessment of one mention of a paragraph, cached for each version of the draft. Raises
    ``Cancelled``.
    """
    library = excerpt.library
    first = mention[0].citation
    cases = excerpt.snapshot.cases
    listed = cases.generation if cases is not None else 0
    key = "assessment", first.core, library.path, library.generation, library.complete, listed

    def make() -> Assessment:
        token.raise_if_cancelled()
        return _assess(excerpt, tuple(mention), token)

    return excerpt.snapshot.draft.once(key, make)


def _assess(excerpt: Excerpt, mention: tuple[Resolution, ...], token: CancelToken) -> Assessment:
    snapshot = excerpt.snapshot
    first = mention[0].citation
    span = snapshot.draft.mention_of(first)
    if not first.key:
        return Assessment(mention, span, None, absence=_explain_unread(first))
    antecedent = snapshot.draft.antecedent_of(first)
    full = assess(snapshot, antecedent, token) if antecedent is not None and antecedent is not first else None
    authority = find_authority_named(snapshot, mention)
    misnumbered = _find_misnumbered(snapshot, mention) if excerpt.library.complete else None
    wrong = [*_find_impossible(snapshot, mention)]
    if misnumbered is not None and not wrong:
        wrong.append(_differ_in_number(snapshot, *misnumbered))
    if authority is None:
        return _assess_absent(excerpt, mention, span, wrong, misnumbered, full)
    told = {each.span for each in wrong}
    facts = [*compare_names(excerpt, mention, authority, token), *wrong]
    facts += (each for each in compare_citations(snapshot, mention, authority) if each.span not in told)
    facts += compare_decision(snapshot, mention, authority)
    facts += compare_note_number(snapshot, mention)
    places = [fact for each in mention for fact in compare_pinpoints(snapshot, each, authority)]
    facts += compare_words_cited(excerpt, mention, authority, places)
    return Assessment(mention, span, authority, tuple(facts), misnumbered=misnumbered, full=full)


def find_absence(snapshot: Snapshot, citation: Citation) -> Absence | None:
    """Return why the library has no authority for a citation, or None if it has one. The result equals that
    of the full assessment, but elements are not compared, so this is fast enough to run for every citation
    at each keystroke.
    """
    if not citation.key:
        return _explain_unread(citation)
    if find_authorities(snapshot, citation):
        return None
    full = snapshot.draft.antecedent_of(citation)
    if full is not None and full is not citation:
        return find_absence(snapshot, full)
    excerpt = excerpt_at(snapshot, citation.core.start)
    return explain_absence(excerpt, excerpt.group(citation))[0]


def _explain_unread(citation: Citation) -> Absence:
    """Return why a short form could not be resolved."""
    return "ambiguous" if citation.ambiguous else "unread" if citation.unread else "no-antecedent"


def find_authority_named(snapshot: Snapshot, mention: Sequence[Resolution]) -> Authority | None:
    """Return the authority that a mention names, or None if the library has none. A match by citation is
    preferred to a match by name.
    """
    found = sorted((each for each in mention if each.authorities), key=lambda each: each.is_by_name)
    return snapshot.library.catalogue.get(found[0].authorities[0]) if found else None


def _assess_absent(
    excerpt: Excerpt,
    mention: tuple[Resolution, ...],
    span: Span,
    wrong: list[Fact],
    misnumbered: tuple[Citation, NearMiss] | None,
    full: Assessment | None,
) -> Assessment:
    snapshot = excerpt.snapshot
    citation = mention[0].citation
    if full is not None and full.authority is None:
        # The draft itself says which of its notes cites the authority.
        stale = tuple(fact for fact in compare_note_number(snapshot, mention) if fact.status == "differs")
        known = full.absence, full.reason
        return Assessment(mention, span, None, stale, *known, full=full, listing=full.listing)
    absence, reason = explain_absence(excerpt, mention)
    found = _NO_OFFER
    if absence in ("missing", "reading") and citation.form == "full":
        found = offer(excerpt, mention)
    if absence == "missing" and misnumbered is None and not wrong and found.citation and found.certain:
        misnumbered = found.citation, found.certain
        wrong.append(_differ_in_number(snapshot, *misnumbered))
    named = as_named(snapshot, citation) if citation.kind == "case" else _name_provision(citation)
    listing = find_listing(excerpt, mention) if absence == "missing" and not wrong else None
    if absence == "missing":
        codified = describe_codified(excerpt.library, citation)
        reason = f"{named} {describe_absence(True)}{codified or found.question}"
        reason = _describe_listed(named, reason, listing)
        wrong += listing.facts if listing is not None else ()
    elif absence == "reading":
        reason = f"{named} {describe_absence(False)}"
    facts = [*wrong, *(fact for each in mention for fact in compare_pinpoints(snapshot, each, None))]
    return Assessment(mention, span, None, tuple(facts), absence, reason, found, misnumbered, full, listing)


def _describe_listed(named: str, reason: str, listing: Listing | None) -> str:
    """Return the message for a missing case, including the result from the user's catalogue."""
    if listing is None:
        return reason
    if listing.outcome == "same":
        return f"{named} is in your catalogue, but its text {describe_absence(True)}"
    return f"{reason}; {listing.said}"


def _name_provision(citation: Citation) -> str:
    """Return the name of an enactment: its key. For a code, the section is added, since a file may have only
    one section.
    """
    pinpoint = citation.pinpoint
    if not citation.key[:1].isdigit() or pinpoint is None or pinpoint.kind != "section":
        return citation.key
    return f"{citation.key} {write_pinpoint('section', pinpoint.labels[0], citation.jurisdiction)}"


def _find_misnumbered(snapshot: Snapshot, mention: Sequence[Resolution]) -> tuple[Citation, NearMiss] | None:
    """Return the citation of a mention that has a wrong number, and the authority with the right one; None if
    there is none.
    """
    for each in mention:
        if (meant := find_misnumbered(snapshot, each)) is not None:
            return each.citation, meant
    return None


def _differ_in_number(snapshot: Snapshot, citation: Citation, near: NearMiss) -> Fact:
    stated = as_cited(snapshot, citation)
    reason = f"{near.authority.name} is {near.citation}, not {stated}"
    return Fact("citation", "differs", stated, near.citation, citation.core, reason, "misnumbered")


def _find_impossible(snapshot: Snapshot, mention: Sequence[Resolution]) -> Iterator[Fact]:
    """Yield a fact for each citation of a mention that cannot exist, because no such report or court could
    have it.
    """
    for each in mention:
        if each.by != "citation" and (reason := explain_impossible(snapshot, each.citation)):
            stated = as_cited(snapshot, each.citation)
            said = f"{stated}: {reason}"
            yield Fact("citation", "differs", stated, "", each.citation.core, said, "impossible")


_RUN = 10
"""Minimum number of consecutive words of a proposition that an authority must also have. Shorter runs may be
common phrases.
"""
_SHARE = 0.5
"""Minimum share of a proposition's words that must be in the run that it shares with an authority."""


def compare_words_cited(
    excerpt: Excerpt, mention: Sequence[Resolution], authority: Authority, places: Sequence[Fact]
) -> Iterator[Fact]:
    """Yield the facts about a mention's pinpoints (``places``). If the words that it is cited for are
    elsewhere in the authority, a pinpoint that agreed differs.
    """
    agreeing = any(each.status == "agrees" for each in places)
    moved = _find_misplaced(excerpt, mention, authority) if agreeing else None
    for fact in places:
        if moved is not None and fact.status == "agrees" and fact.element == "pinpoint":
            recorded, reason, place = moved
            yield replace(
                fact, status="differs", recorded=recorded, reason=reason, fault="words-elsewhere", place=place
            )
        else:
            yield fact


def _find_misplaced(
    excerpt: Excerpt, mention: Sequence[Resolution], authority: Authority
) -> tuple[str, str, Span] | None:
    """Return where the words for which a mention is cited occur, as (label, reason, span); None if they are
    at its pinpoint or nowhere.
    """
    pinned = [each for each in mention if each.citation.pinpoint is not None]
    if not pinned or all(
        each.citation.pinpoint.kind not in CHECKED_KINDS for each in pinned if each.citation.pinpoint
    ):
        return None
    for quotation, attributed in _find_quotations(excerpt, mention):
        found = assess_quotation(excerpt.snapshot, quotation, attributed).misplaced
        if found is not None and any(each.citation.pinpoint is found.pinpoint for each in pinned):
            return found.labels[0], describe_misplaced(found), found.places[0]
    return _find_misplaced_proposition(excerpt.snapshot, pinned[0], authority)


def _find_quotations(
    excerpt: Excerpt, mention: Sequence[Resolution]
) -> Iterator[tuple[Quotation, Attribution]]:
    """Yield the quotations attributed to a mention: in its paragraph, in paragraphs with its footnote mark,
    and in adjacent block quotations.
    """
    snapshot = excerpt.snapshot
    cores = {each.citation.core for each in mention}
    referring = list_referring(snapshot, excerpt.paragraph.start)
    around = [excerpt, *(excerpt_at(snapshot, each) for each in referring)]
    blocks = find_block_attributions(snapshot, [each.paragraph for each in around])
    for source in (*map(find_attributions, around), blocks):
        for quotation, attributed in source:
            if attributed is not None and any(each.citation.core in cores for each in attributed.cited):
                yield quotation, attributed


def _find_misplaced_proposition(
    snapshot: Snapshot, resolution: Resolution, authority: Authority
) -> tuple[str, str, Span] | None:
    """Return where an authority has the exact words of the sentence citing it, as (label, reason, span); None
    if they are at the pinpoint or nowhere.
    """
    pinpoint = resolution.citation.pinpoint
    if pinpoint is None or not resolution.is_comparable or is_enacted(authority):
        return None
    part = find_cited_part(snapshot.draft, resolution.citation)
    if part is None or part.against:
        return None
    found = _find_run(snapshot, authority, part.text)
    if not found or is_at_pinpoint(snapshot, resolution, authority, found):
        return None
    label = find_label(snapshot, authority, pinpoint.kind, found[0].start)
    if not label or label in pinpoint.labels:
        return None
    right = write_pinpoint(pinpoint.kind, label, authority.jurisdiction)
    given = ", ".join(write_pinpoint(pinpoint.kind, each, authority.jurisdiction) for each in pinpoint.labels)
    return label, f"these words are at {right} of {name_cited(authority)}, not at {given}", found[0]


_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_STAR_PAGE = re.compile(r"\*\d+")
_NEAR = 400
"""Code points on either side of the longest word that are searched for the other words."""
_MOST_OCCURRENCES = 20


def _find_run(snapshot: Snapshot, authority: Authority, proposition: str) -> list[Span]:
    """Return where an authority has a long run of a proposition's words (at least half of them, and at least
    ten), or [].

    Every such run contains a complete block of half its length. Most texts lack the longest word of each
    block, so this is tested first; the text is tokenised only if one is found.
    """
    words = [match.span() for match in _WORD.finditer(proposition)]
    length = max(_RUN, int(_SHARE * len(words)))
    if len(words) < length:
        return []
    source = snapshot.library.contents.text(authority.id)
    half = length // 2
    starts = range(0, len(words) - half + 1, half)
    written = [proposition[start:end] for start, end in words]
    if not any(_has_words(source, written[at : at + half]) for at in starts):
        return []
    text = prepare_text(snapshot.quoted, snapshot.library, authority)
    for first in range(len(words) - length + 1):
        found = find_places(text, proposition[words[first][0] : words[first + length - 1][1]])
        if found:
            return found
    return []


def _has_words(source: str, words: Sequence[str]) -> bool:
    """Return whether the words occur consecutively in a text, ignoring markup and star pages."""
    longest, wanted = max(words, key=len), f" {' '.join(words)} "
    at = source.find(longest)
    for _ in range(_MOST_OCCURRENCES):
        if at < 0:
            return False
        around = _STAR_PAGE.sub(" ", source[max(0, at - _NEAR) : at + _NEAR])
        if wanted in f" {' '.join(_WORD.findall(around))} ":
            return True
        at = source.find(longest, at + 1)
    return False
