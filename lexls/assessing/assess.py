"""Assess each citation of a draft: what it names, and how each element that it states compares with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexls.assessing.absence import Absence, Offer, explain_absence, explain_impossible, offer
from lexls.assessing.check import as_cited, as_named
from lexls.assessing.cross_references import compare_note_number
from lexls.assessing.decisions import compare_decision
from lexls.assessing.excerpt import Excerpt, excerpt_at
from lexls.assessing.fact import Fact
from lexls.assessing.names import compare_names
from lexls.assessing.near_misses import NearMiss, find_misnumbered
from lexls.assessing.parallels import compare_citations
from lexls.assessing.pinpoints import compare_pinpoints
from lexls.assessing.words_cited import compare_words_cited
from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.reading.resolve import Resolution, find_authorities
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.descriptions import tell_absence, tell_codified
from lexls.wording.place_words import write_pinpoint

_NO_OFFER = Offer()


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is known of one mention: parallel citations of one authority, one citation, or a short form.

    ``span`` is the mention in the draft's source. ``facts`` has one for each element that the draft states.
    ``authority`` is None where the library has none that is meant: then ``absence`` and ``reason`` say why,
    and ``offer`` what may have been meant. ``misnumbered`` is a citation whose number is another in the
    authority.
    ``full`` is the assessment of the full citation that a short form stands for.
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

    @property
    def citation(self) -> Citation:
        """The first citation of the mention."""
        return self.cited[0].citation

    @property
    def is_identified(self) -> bool:
        """Whether the authority is certainly the one cited, and not another of the same name and year."""
        own = any(each.is_sure for each in self.cited)
        return own and (self.full is None or self.full.authority is None or self.full.is_identified)

    @property
    def is_bound_by_decision(self) -> bool:
        """Whether only name, court and year tie the mention to the authority, and no other file fits."""
        return any(each.by == "decision" for each in self.cited)


def assess_excerpt(excerpt: Excerpt, token: CancelToken) -> list[Assessment]:
    """Assess the mentions of a paragraph, in order; a defined term without a pinpoint is none of its own."""
    return [assess_mention(excerpt, each, token) for each in list_mentions(excerpt)]


def list_mentions(excerpt: Excerpt) -> Iterator[tuple[Resolution, ...]]:
    """The mentions of a paragraph that name authorities: parallel citations as one."""
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
    """Assess the mention that a citation of the draft belongs to."""
    excerpt = excerpt_at(snapshot, citation.core.start)
    return assess_mention(excerpt, excerpt.group(citation), token)


def assess_mention(excerpt: Excerpt, mention: Sequence[Resolution], token: CancelToken) -> Assessment:
    """Assess one mention of a paragraph; worked out once for a version of the draft. Raises ``Cancelled``."""
    library = excerpt.library
    first = mention[0].citation
    key = "assessment", first.core, library.path, library.generation, library.complete

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
    """Why the library has no authority that a citation names; None if it has one.

    As its assessment says, without comparing anything: for what is shown of all citations of a draft at every
    key press.
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
    """Why nobody knows what a short form stands for."""
    return "ambiguous" if citation.ambiguous else "unread" if citation.unread else "no-antecedent"


def find_authority_named(snapshot: Snapshot, mention: Sequence[Resolution]) -> Authority | None:
    """The authority that a mention names, by a citation rather than by name; None if the library has none."""
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
        return Assessment(mention, span, None, stale, absence=full.absence, reason=full.reason, full=full)
    absence, reason = explain_absence(excerpt, mention)
    found = _NO_OFFER
    if absence in ("missing", "reading") and citation.form == "full":
        found = offer(excerpt, mention)
    if absence == "missing" and misnumbered is None and not wrong and found.citation and found.certain:
        misnumbered = found.citation, found.certain
        wrong.append(_differ_in_number(snapshot, *misnumbered))
    named = as_named(snapshot, citation) if citation.kind == "case" else _name_provision(citation)
    if absence == "missing":
        reason = f"{named} {tell_absence(True)}{tell_codified(excerpt.library, citation) or found.question}"
    elif absence == "reading":
        reason = f"{named} {tell_absence(False)}"
    facts = [*wrong, *(fact for each in mention for fact in compare_pinpoints(snapshot, each, None))]
    return Assessment(mention, span, None, tuple(facts), absence, reason, found, misnumbered, full)


def _name_provision(citation: Citation) -> str:
    """An enactment by its key; one of a code, of which a file may have a single section, with the section."""
    pinpoint = citation.pinpoint
    if not citation.key[:1].isdigit() or pinpoint is None or pinpoint.kind != "section":
        return citation.key
    return f"{citation.key} {write_pinpoint('section', pinpoint.labels[0], citation.jurisdiction)}"


def _find_misnumbered(snapshot: Snapshot, mention: Sequence[Resolution]) -> tuple[Citation, NearMiss] | None:
    """The citation of a mention whose number is another in the authority, and that authority."""
    for each in mention:
        if (meant := find_misnumbered(snapshot, each)) is not None:
            return each.citation, meant
    return None


def _differ_in_number(snapshot: Snapshot, citation: Citation, near: NearMiss) -> Fact:
    stated = as_cited(snapshot, citation)
    reason = f"{near.authority.name} is {near.citation}, not {stated}"
    return Fact("citation", "differs", stated, near.citation, citation.core, reason, "misnumbered")


def _find_impossible(snapshot: Snapshot, mention: Sequence[Resolution]) -> Iterator[Fact]:
    """The citations of a mention that no report or court can have."""
    for each in mention:
        if each.by != "citation" and (reason := explain_impossible(snapshot, each.citation)):
            stated = as_cited(snapshot, each.citation)
            said = f"{stated}: {reason}"
            yield Fact("citation", "differs", stated, "", each.citation.core, said, "impossible")
