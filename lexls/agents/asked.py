"""Declare tools, and parse the arguments that several tools share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from lexls.agents.answer import AgentAnswer, AgentRecord, find_first_paper, name_cited
from lexls.agents.desk import Desk, Unanswerable
from lexls.citations.model import Citation, Pinpoint, PinpointKind
from lexls.index.records import Authority, Place
from lexls.library.document import AuthorityKind
from lexls.reading.resolve import find_authority, find_place, resolve
from lexls.reading.snapshot import Draft, Snapshot
from lexls.retrieval.model import Filters
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.place_words import join_citation

LONGEST = 20_000
"""Maximum length of a proposition, a quotation or a citation in code points."""
_MOST_NAMED = 8
KINDS: tuple[PinpointKind, ...] = ("paragraph", "section", "clause", "article", "page")
"""Kinds of numbered places in authorities."""
_TELLING = 4
"""Number of letters by which the kind of a place is recognised ("para 4", "page 4")."""
_BEHIND_NAME = re.compile(r",|\sat\s|\s(?=\[|\d)")
"""Pattern of the text that separates a name from the rest of a short form ("Carrow at [14]")."""
_LABEL = re.compile(r"\d[\w.]*(?:\(\w{1,5}\))*")
_JOINTS = (", {}", " at {}", " {}", " at [{}]", ", § {}", ", s {}", ", clause {}", ", page {}")
"""Formats that add a pinpoint to a citation, as written in different countries."""
_ID = re.compile(r"#?(\d{1,12})|lexls://authority/(\d{1,12})(?:/.{0,60})?")


class AskedAmong(AgentRecord):
    """Filters for the authorities an answer may use; a field that is not set does not restrict it."""

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
        """The filters in the form used by searches."""
        return Filters(
            kinds=frozenset(self.kinds),
            courts=self.courts,
            jurisdictions=frozenset(self.jurisdictions),
            date_from=self.date_from,
            date_to=self.date_to,
        )


def read_citations(
    desk: Desk, snapshot: Snapshot, words: str, token: CancelToken
) -> tuple[Draft, Sequence[Citation]]:
    """Parse ``words`` as citations; return a draft and its citations.

    If ``words`` is only a short form ("Carrow at [14]"), full citations of the library's authorities of that
    name are inserted before it, so that it can be resolved.
    """
    draft = desk.read_text(words)
    found = [each for each in draft.citations if each.key]
    if find_first_paper(draft) >= 0:
        return draft, found
    name, *place = _BEHIND_NAME.split(words, maxsplit=1)
    if found or not place:
        return draft, found
    held = find_named(desk, snapshot, name, token)
    full = "; ".join(join_citation(each.name, each.citation, each.jurisdiction) for each in held)
    draft = desk.read_text(f"{full}.\n\n{words}")
    return draft, [each for each in draft.citations if each.key and each.span.start > len(full)]


def find_named(desk: Desk, snapshot: Snapshot, words: str, token: CancelToken) -> list[Authority]:
    """Return the authorities that ``words`` identify: by number, citation, title, or words of the title."""
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
    """Return the one authority that ``words`` identify. Raises ``Unanswerable`` if the library has none or
    several.
    """
    held = find_named(desk, snapshot, words, token)
    if not held:
        raise Unanswerable(describe_none_named(snapshot))
    if len(held) > 1:
        listed = "; ".join(f"{each.id} is {name_cited(each)}" for each in held)
        raise Unanswerable(f"several authorities have this name; give the number of one: {listed}")
    return held[0]


def describe_none_named(snapshot: Snapshot) -> str:
    """Return the message that the library has no authority of the given name."""
    so_far = "" if snapshot.library.complete else " as far as it has been read"
    return (
        f"no authority that these words name is in your library{so_far}; it may exist all the same. "
        "Give its citation, its name, or the number that another answer gave it: `search` finds it"
    )


def find_pinned(
    desk: Desk, snapshot: Snapshot, authority: Authority, place: str
) -> tuple[Place, PinpointKind] | None:
    """Return the text at a pinpoint of an authority, and the kind of the pinpoint. Returns None if there is
    no text. ``place`` may be written in any usual way ("[23]", "§ 12(2)", "page 4").
    """
    place = place.strip()
    cited = authority.citation or authority.title
    texts = [f"{cited}{joint.format(place)}" for joint in _JOINTS] if cited else []
    read = [each.pinpoint for text in texts for each in desk.read_text(text).citations]
    if label := _LABEL.search(place):
        named = [kind for kind in KINDS if place.casefold().startswith(kind[:_TELLING])]
        read += [Pinpoint(kind, (label[0],), Span(0, 0)) for kind in named or KINDS]
    for pinpoint in filter(None, read):
        for number in pinpoint.labels:
            for found in find_place(snapshot.library, authority.id, pinpoint, number):
                if found.text.strip():
                    return found, pinpoint.kind
    return None


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A tool that agents may call.

    ``asked`` declares the arguments; its docstring is the description sent to the model. ``answer`` runs on a
    worker thread and returns an instance of ``answered``. It raises ``Unanswerable`` and ``Cancelled``.
    """

    name: str
    title: str
    asked: type[AgentRecord]
    answered: type[AgentAnswer]
    answer: Callable[[Desk, Any, CancelToken], AgentAnswer]

    @property
    def description(self) -> str:
        """The description sent to the model."""
        return " ".join((self.asked.__doc__ or "").split())
