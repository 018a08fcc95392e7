"""Find the authorities that a draft cites before an offset, and the names by which its short forms refer to
them.
"""

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
    """The authorities cited before an offset. ``first`` has the first full citation of each, by authority id.
    ``names`` are the short names used anywhere in the draft, by citation key.
    """

    first: Mapping[int, Citation]
    names: Mapping[str, str]


_InParagraph = tuple[Mapping[int, int], Mapping[str, str]]
"""The data of `Cited` for one paragraph; citations are given as their indices in the paragraph."""


def find_cited(snapshot: Snapshot, offset: int) -> Cited:
    """Return the authorities cited before ``offset``. The citations of each paragraph are cached."""
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
    """Return the authorities to which a full citation resolves. The cache key includes everything that
    identifies the citation, so editing a paragraph resolves only its changed citations again.
    """
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
    """Return whether an authority is customarily cited by a short form after its first citation, according to
    its jurisdiction.
    """
    return find_jurisdiction(authority.jurisdiction).customs.court_and_year


def find_name(snapshot: Snapshot, authority: Authority, cited: Cited) -> str:
    """Return the draft's short name for a case in ``cited``, or a suitable one if the draft has none."""
    key = cited.first[authority.id].key
    known = cited.names.get(key)
    if known is not None:
        return known
    found = ""
    reference = make_reference(snapshot, authority, "page", "")
    if reference is not None:  # its own docket is not another case: "No. 10-1293 (U.S. 2012)"
        same = replace(reference, citations=(*reference.citations, key))
        found = find_short_name(snapshot.draft, same)
        # The second party's name loses its company suffix too.
        found = next((each for each in list_short_names(found) if found.startswith(each)), found)
    short = choose_short_name(write_name(snapshot, authority))
    name = short if found.startswith(short) or (not found and not is_regulator(short)) else found
    own = list_short_names(cited.first[authority.id].name)
    return next((each for each in own if _list_letters(each) == _list_letters(name)), name)


def _list_letters(name: str) -> str:
    """Return the letters and digits of a name, case-folded: the same for "NT Bevin" and "N.T. Bevin"."""
    return "".join(filter(str.isalnum, name)).casefold()


def point_back(style: InsertStyle, authority: Authority) -> InsertStyle:
    """Return the pinpoint style for a case that is cited by name alone. It never puts a page after a bare
    comma.

    "*Carrow* at 305" is written, since nobody would recognise a page number in "*Carrow*, 305".
    """
    customs = find_jurisdiction(authority.jurisdiction).customs
    page = style.page or customs.page
    return replace(style, page=" at {}") if page == ", {}" else style
