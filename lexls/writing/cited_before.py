"""What a draft cites before a place, and what it calls that, for short forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lexls.citations.case_names.shorten import choose_short_name, is_regulator, list_short_names
from lexls.citations.insert import InsertStyle
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.writing.cited_names import write_name
from lexls.writing.citing import find_short_name, make_reference


@dataclass(frozen=True, slots=True)
class Cited:
    """What a draft cites before a place: each authority with where it is cited in full ``first``; and the
    ``names`` that short forms anywhere in it give what is cited, by key."""

    first: Mapping[int, Citation]
    names: Mapping[str, str]


_InParagraph = tuple[Mapping[int, int], Mapping[str, str]]
"""As `Cited`, but a citation by its place among those of the paragraph."""


def find_cited(snapshot: Snapshot, offset: int) -> Cited:
    """Return what the draft cites before ``offset``; what a paragraph cites is looked for once."""
    citations, known = snapshot.draft.citations, snapshot.cited
    known.renew((snapshot.library.path, snapshot.library.generation))
    first: dict[int, int] = {}
    names: dict[str, str] = {}
    for number, piece in enumerate(citations.pieces):
        if not piece.citations:
            continue
        here: _InParagraph = known.get(piece) or known.keep(piece, _find_in_piece(snapshot, number))
        for key, name in here[1].items():
            names.setdefault(key, name)
        if citations.starts[number] <= offset:
            for authority, place in here[0].items():
                first.setdefault(authority, citations.firsts[number] + place)
    found = {authority: citations[place] for authority, place in first.items()}
    return Cited({each: citation for each, citation in found.items() if citation.span.end <= offset}, names)


def _find_in_piece(snapshot: Snapshot, number: int) -> _InParagraph:
    full: dict[int, int] = {}
    names: dict[str, str] = {}
    for place, citation in enumerate(snapshot.draft.citations.in_piece(number)):
        if citation.form == "full":
            for authority in _resolve_full(snapshot, citation):
                full.setdefault(authority, place)
        elif citation.form == "short" and citation.name:
            names.setdefault(citation.key, " ".join(citation.name.split()))
    return full, names


def _resolve_full(snapshot: Snapshot, citation: Citation) -> tuple[int, ...]:
    """The authorities of a full citation, by all that tells of them: of the paragraph in which somebody types
    only what changed is looked for again."""
    draft, library = snapshot.draft, snapshot.library
    told = tuple(
        (each.kind, each.jurisdiction, each.key, each.name, each.year, each.core.start - each.span.start,
         each.span.of(draft.masked))
        for each in (citation, *draft.group_of(citation))
    )  # fmt: skip
    key = ("cited", library.path, library.generation, told)
    found: tuple[int, ...] = snapshot.judged.recall(
        key, lambda: resolve(library, draft, citation).authorities
    )
    return found


def wants_short(authority: Authority) -> bool:
    """Return whether what was cited once is cited by its short form from then on, where the authority is
    from."""
    return find_jurisdiction(authority.jurisdiction).customs.court_and_year


def find_name(snapshot: Snapshot, authority: Authority, cited: Cited) -> str:
    """Return what the draft calls a case that is among ``cited``, else what it may call it."""
    key = cited.first[authority.id].key
    known = cited.names.get(key)
    if known is not None:
        return known
    found = ""
    reference = make_reference(snapshot, authority, "page", "")
    if reference is not None:  # its own docket is no other case: "No. 10-1293 (U.S. 2012)"
        same = replace(reference, citations=(*reference.citations, key))
        found = find_short_name(snapshot.draft, same)
        # The second party, too, is called by its name without company suffix.
        found = next((each for each in list_short_names(found) if found.startswith(each)), found)
    short = choose_short_name(write_name(snapshot, authority))
    name = short if found.startswith(short) or (not found and not is_regulator(short)) else found
    own = list_short_names(cited.first[authority.id].name)
    return next((each for each in own if _list_letters(each) == _list_letters(name)), name)


def _list_letters(name: str) -> str:
    """The letters and figures of a name: "NT Bevin" and "N.T. Bevin" have the same."""
    return "".join(filter(str.isalnum, name)).casefold()


def point_back(style: InsertStyle, authority: Authority) -> InsertStyle:
    """Return how a draft writes the place of a case that it cites by name alone: a page never behind a bare
    comma.

    "*Carrow* at 305": in "*Carrow*, 305" nobody reads a page.
    """
    customs = find_jurisdiction(authority.jurisdiction).customs
    page = style.page or customs.page
    return replace(style, page=" at {}") if page == ", {}" else style
