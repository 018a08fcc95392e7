"""Read what tools are asked with, as several of them share it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from pydantic import Field

from lexls.agents.answer import AgentRecord, tell
from lexls.agents.desk import Desk, Unanswerable
from lexls.citations.model import Pinpoint
from lexls.features.resolve import find_authority, find_place, resolve
from lexls.features.snapshot import Draft, Snapshot
from lexls.grounding.place_words import cite_authority, join_citation
from lexls.index.records import Authority, Place
from lexls.library.document import AuthorityKind
from lexls.retrieval.model import Filters
from lexls.text.cancel import CancelToken

LONGEST = 20_000
"""Code points of a proposition, a quotation or a citation."""
_MOST_NAMED = 8
_JOINTS = (", {}", " at {}", " {}", " at [{}]", ", § {}", ", s {}", ", clause {}", ", page {}")
"""How one country or another writes a place behind a citation."""
_ID = re.compile(r"#?(\d{1,12})|lexls://authority/(\d{1,12})(?:/.{0,60})?")


class AskedAmong(AgentRecord):
    """Which authorities may answer; what is not given lets all through."""

    kinds: tuple[AuthorityKind, ...] = ()
    """Only authorities of these kinds: case, statute, regulation, contract, …."""
    courts: tuple[str, ...] = ()
    """Only of courts with one of these in their name or abbreviation, as in "9th Cir."."""
    jurisdictions: tuple[str, ...] = ()
    """Only of these jurisdictions, by code: US, UK, IN, …."""
    date_from: str = Field("", pattern=r"^$|^\d{4}(-\d\d){0,2}$")
    """Not before this date, as in 1998 or 1998-03-09."""
    date_to: str = Field("", pattern=r"^$|^\d{4}(-\d\d){0,2}$")
    """Not after this date."""

    @property
    def filters(self) -> Filters:
        """The same as searches take it."""
        return Filters(
            kinds=frozenset(self.kinds),
            courts=self.courts,
            jurisdictions=frozenset(self.jurisdictions),
            date_from=self.date_from,
            date_to=self.date_to,
        )


def read_citations(desk: Desk, snapshot: Snapshot, words: str, token: CancelToken) -> Draft | None:
    """A draft that cites what ``words`` name: a citation as it is written, or all authorities of that name;
    None where nothing of the kind is in them that lexls can read."""
    draft = desk.read_text(words)
    if any(each.key for each in draft.citations):
        return draft
    held = find_named(desk, snapshot, words, token)
    written = [join_citation(each.name, each.citation, each.jurisdiction) for each in held]
    draft = desk.read_text("; ".join(written))
    return draft if any(each.key for each in draft.citations) else None


def find_named(desk: Desk, snapshot: Snapshot, words: str, token: CancelToken) -> list[Authority]:
    """The authorities of the library that ``words`` name: by number, citation, title, or words of the
    title."""
    library = snapshot.library
    if number := _ID.fullmatch(words.strip()):
        held = library.catalogue.get(int(number[1] or number[2]))
        return [held] if held is not None else []
    draft = desk.read_text(words)
    for citation in draft.citations:
        if citation.key and (cited := find_authority(library, resolve(library, draft, citation))):
            return [cited]
    known: Sequence[int] = library.catalogue.find_name(words)
    if not known:
        terms = snapshot.tokens(words)
        ids, _ = library.lexical_titles(terms, _MOST_NAMED, None, token)
        known = [each for each in ids.tolist() if library.title_terms([each]).issuperset(terms)]
    return [each for number in known if (each := library.catalogue.get(number)) is not None]


def require_named(desk: Desk, snapshot: Snapshot, words: str, token: CancelToken) -> Authority:
    """The one authority of that name. Raises ``Unanswerable`` where the library holds none, or several."""
    held = find_named(desk, snapshot, words, token)
    if not held:
        so_far = "" if snapshot.library.complete else " as far as it has been read"
        raise Unanswerable(
            f"no authority that these words name is in your library{so_far}; it may exist all the same. "
            "Give its citation, its name, or the number that another answer gave it: `search` finds it"
        )
    if len(held) > 1:
        listed = "; ".join(f"{each.id} is {tell(cite_authority(each))}" for each in held)
        raise Unanswerable(f"several authorities have this name; give the number of one: {listed}")
    return held[0]


def find_pinned(desk: Desk, snapshot: Snapshot, authority: Authority, place: str) -> list[Place]:
    """What an authority has at a place, written in any way a pinpoint is: "[23]", "§ 12(2)", "1202"."""
    name = authority.citation or authority.name
    for joint in _JOINTS:
        for citation in desk.read_text(f"{name}{joint.format(place.strip())}").citations:
            if found := _find_at(snapshot, authority, citation.pinpoint):
                return found
    return []


def _find_at(snapshot: Snapshot, authority: Authority, pinpoint: Pinpoint | None) -> list[Place]:
    if pinpoint is None:
        return []
    found = (find_place(snapshot.library, authority.id, pinpoint, label) for label in pinpoint.labels)
    return list(dict.fromkeys(chain.from_iterable(found)))
