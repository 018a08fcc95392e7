"""Resolve a citation in a draft: find its authorities in the library, the passages at its pinpoint, and its
other mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from lexls.citations.case_names.compare import is_other_name, same_name
from lexls.citations.model import Citation, Pinpoint, list_divisions, make_section_key
from lexls.index.library import Library
from lexls.index.records import Authority, Place
from lexls.library.places import list_enclosing
from lexls.reading.binding import bind, is_of_year
from lexls.reading.snapshot import Draft, Snapshot
from lexls.retrieval.model import Hit
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Resolution:
    """The authorities in the library that a citation names, and how they were found. If there are none,
    ``authorities`` is empty and ``by`` is "". There are several only if the library has the same authority
    more than once. ``rivals`` are different decisions that fit the citation equally well by name, court
    and year, so that none was chosen.
    """

    citation: Citation
    authorities: tuple[int, ...]
    by: Literal["citation", "parallel", "docket", "decision", "name", ""]
    rivals: tuple[int, ...] = ()

    @property
    def authority(self) -> int | None:
        """The authority's id; the first if the library has it more than once."""
        return self.authorities[0] if self.authorities else None

    @property
    def is_by_name(self) -> bool:
        """True if the authority was found by its name, not by a citation or a docket number."""
        return self.by in ("decision", "name")

    @property
    def is_sure(self) -> bool:
        """True if the authority is certainly the one cited, and not a different decision between the same
        parties.
        """
        return bool(self.authorities) and not (self.is_by_name and self.citation.kind == "case")

    @property
    def is_comparable(self) -> bool:
        """True if pinpoints and quotations can be compared: the authority is certain, or no other file has
        its name, court and year.
        """
        return self.is_sure or self.by == "decision"


def resolve(library: Library, draft: Draft, citation: Citation) -> Resolution:
    """Resolve ``citation`` by its own key, by its parallel citations or, if these fail, by name (see
    `binding.py`). Reports of several countries may share an abbreviation ("[1985] 1 SCR 295"). Of several
    authorities with the same citation, the one that fits best is first; one with a different country and
    name is excluded.
    """
    mention = _mention(draft, citation)
    for each in (citation, *mention):
        if each.key:
            found = _fitting(library, each, _find_by_key(library, each) or _find_by_division(library, each))
            if found:
                return Resolution(citation, found, "citation" if each is citation else "parallel")
    bound = bind(library, draft, citation, mention)
    return Resolution(citation, bound.authorities, bound.by, bound.rivals)


def find_authority(library: Library, resolution: Resolution) -> Authority | None:
    """Return the first authority of a resolution, with the jurisdiction set for a contract (see `settle`);
    None if there is none.
    """
    found = library.catalogue.get(resolution.authority) if resolution.authority is not None else None
    country = find_country(library, resolution.citation.jurisdiction)
    return settle(found, country) if found is not None else None


def settle(authority: Authority, jurisdiction: str) -> Authority:
    """Return a contract with the given jurisdiction, which decides the style of its citations ("§ 3",
    "February 1, 2018"), if it has none. Other authorities are returned unchanged.
    """
    if authority.kind != "contract" or authority.jurisdiction:
        return authority
    return replace(authority, jurisdiction=jurisdiction)


def find_country(library: Library, jurisdiction: str = "") -> str:
    """Return the jurisdiction whose customs are used to cite papers that have none: the given one (the
    draft's or the workspace's) or, if that is empty, the most frequent one in the library.
    """
    return jurisdiction or next(filter(None, library.catalogue.jurisdictions()), "")


def settle_hits(library: Library, hits: Iterable[Hit], jurisdiction: str) -> list[Hit]:
    """Return search hits with the jurisdiction of contracts set as in `settle`. ``jurisdiction`` is the
    draft's.
    """
    country = find_country(library, jurisdiction)
    return [replace(hit, authority=settle(hit.authority, country)) for hit in hits]


def find_places(library: Library, resolution: Resolution) -> list[Place]:
    """Return the passages at the citation's pinpoint; empty if the citation has none, or the authority lacks
    it. For a subsection that the library's copy does not number, return the section.
    """
    pinpoint = resolution.citation.pinpoint
    if resolution.authority is None or pinpoint is None:
        return []
    found = list(library.contents.find_places(resolution.authority, pinpoint))
    if found:
        return found
    read = (find_place(library, resolution.authority, pinpoint, label) for label in pinpoint.labels)
    return list(dict.fromkeys(chain.from_iterable(read)))


def find_place(library: Library, authority: int, pinpoint: Pinpoint, label: str) -> Sequence[Place]:
    """Return the passages at a pinpoint label. If the authority does not number deeply enough, return those
    at the nearest enclosing label.
    """
    asked = (replace(pinpoint, labels=(each,)) for each in (label, *list_enclosing(label)))
    return next(filter(None, (library.contents.find_places(authority, each) for each in asked)), ())


def _find_by_key(library: Library, citation: Citation) -> tuple[int, ...]:
    """Return the authorities with a citation's key. If there are files with only the cited section, return
    these.
    """
    if not citation.key:
        return ()
    pinpoint = citation.pinpoint
    if pinpoint is not None and pinpoint.kind == "section" and citation.kind == "statute":
        for label in pinpoint.labels[:1]:
            for each in (label, *list_enclosing(label)):
                if found := library.catalogue.find_key(make_section_key(citation.key, each)):
                    return found
    return library.catalogue.find_key(citation.key)


def _find_by_division(library: Library, citation: Citation) -> tuple[int, ...]:
    """Return the authorities that have the citation's name and its citation, except that they omit or add a
    division of the report.
    """
    found = (number for key in list_divisions(citation.key) for number in library.catalogue.find_key(key))
    held = ((number, library.catalogue.get(number)) for number in dict.fromkeys(found))
    return tuple(number for number, each in held if each and same_name(citation.name, each.title))


def _mention(draft: Draft, citation: Citation) -> list[Citation]:
    """Return the other citations of the same authority: parallel ones and, for a short form, its full
    citation with the parallel citations.
    """
    found = [each for each in draft.group_of(citation) if each is not citation]
    full = draft.antecedent_of(citation)
    if full is not None:
        found.append(full)
        found.extend(each for each in draft.group_of(full) if each is not full)
    return found


def _fitting(library: Library, citation: Citation, found: tuple[int, ...]) -> tuple[int, ...]:
    """Return the authorities that a citation may mean; the ones that fit its name, country and year are
    first.
    """
    if citation.kind != "case":
        return found
    ranked: list[tuple[int, int]] = []
    for number in found:
        authority = library.catalogue.get(number)
        if authority is None:
            continue
        # They certainly differ only if both are codes, rather than a file's own name for its country.
        codes = {citation.jurisdiction, authority.jurisdiction}
        abroad = len(codes) == 2 and all(map(str.isupper, codes))
        if len(found) == 1 and not abroad:
            return found
        other = bool(citation.name) and is_other_name(citation.name, authority.title)
        if not (abroad and other):
            ranked.append(
                (2 * other + abroad + (not is_of_year(citation.year, authority, report=True)), number)
            )
    return tuple(number for _, number in sorted(ranked, key=lambda each: each[0]))


_EVERY = 256
"""Number of citations processed between two checks for cancellation."""


def find_authorities(snapshot: Snapshot, citation: Citation) -> tuple[int, ...]:
    """Return the authorities that ``citation`` names, as in `resolve`, usually from a cache."""
    return find_authorities_in(snapshot.library, snapshot.draft, citation)


def find_authorities_in(library: Library, draft: Draft, citation: Citation) -> tuple[int, ...]:
    """Return the authorities that a citation of any draft names, as in `find_authorities`. If the library has
    the citation's own key, parallel citations and names are ignored.
    """
    found = _find_by_key(library, citation)
    if found or not citation.key:
        return found
    full = draft.antecedent_of(citation)
    return _by_group(library, draft, full if full is not None and full.key == citation.key else citation)


def _by_group(library: Library, draft: Draft, citation: Citation) -> tuple[int, ...]:
    """Return the authorities of a citation whose own key is not in the library, by its parallel citations or
    its name; cached.
    """
    mates = tuple(each.key for each in draft.group_of(citation))
    return draft.once(
        ("authorities", library.generation, mates, citation.name, citation.year, citation.kind),
        lambda: resolve(library, draft, citation).authorities,
    )


def find_authority_cited(snapshot: Snapshot, citation: Citation) -> Authority | None:
    """Return the first library authority that ``citation`` names, or None."""
    found = find_authorities(snapshot, citation)
    return snapshot.library.catalogue.get(found[0]) if found else None


def find_cited_documents(snapshot: Snapshot) -> frozenset[int]:
    """Return the library authorities that the draft cites anywhere."""
    citations = snapshot.draft.citations
    return frozenset(document for each in citations for document in find_authorities(snapshot, each))


def match_authority(snapshot: Snapshot, citation: Citation) -> Callable[[Citation], bool]:
    """Return a predicate that decides whether a citation of this draft names the same authority as
    ``citation``. If the library does not have the authority, the keys of ``citation`` and of its parallel
    citations in the draft decide.
    """
    wanted = frozenset(find_authorities(snapshot, citation))
    if wanted:
        return lambda other: bool(wanted.intersection(find_authorities(snapshot, other)))
    full = snapshot.draft.antecedent_of(citation) or citation
    keys = frozenset(each.key for each in snapshot.draft.group_of(full) if each.key)
    return lambda other: other.key in keys


def find_mentions(snapshot: Snapshot, citation: Citation, token: CancelToken) -> list[Span]:
    """Return every mention in the draft of the authority that ``citation`` names, in order, including this
    one. A mention is a name with its citation and pinpoint; parallel citations are one mention. If the
    citation is unresolved, return only its own mention.
    """
    if not citation.key:
        return [snapshot.draft.mention_of(citation)]
    same = match_authority(snapshot, citation)
    found: list[Span] = []
    group = 0
    for place, each in enumerate(snapshot.draft.citations):
        if place % _EVERY == 0:
            token.raise_if_cancelled()
        if not (group and each.group == group) and same(each):
            group = each.group
            found.append(snapshot.draft.mention_of(each))
    return found
