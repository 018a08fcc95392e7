"""Read a draft's citations of the record, and what the papers of the record answer to them.

The record is a library of its own: what is asked of it is asked with a snapshot of the same draft whose
citations are those of the record. Those of authorities stand there too, without keys: what is near them is
theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from lexls.citations.found_mentions import CitedParagraph
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.citations.reading import Citations
from lexls.citations.record import RecordCitation, find_record_citations, make_record_key
from lexls.citations.record_files import name_papers
from lexls.features.draft import Draft
from lexls.features.resolve import Resolution, find_places
from lexls.features.snapshot import CaseRecord, Snapshot
from lexls.index.library import Library
from lexls.index.records import Authority, Place
from lexls.text.memory import Memory

_MOST_FILES = 20_000
"""Files of a record whose names are looked at."""


def see_record(snapshot: Snapshot) -> Snapshot | None:
    """The draft with its citations of the record, and the record as its library; None without a record.

    A citation that two papers answer to has no key and is ambiguous, one that none answers to has the key of
    the paper cited. One that is ``unread`` may be of a paper that has another name in the record: it is no
    number alone.
    """
    record = snapshot.record
    if record is None:
        return None
    library = record.library

    def see() -> Snapshot:
        return replace(
            snapshot,
            draft=_as_citing_record(snapshot.draft, record),
            library=library,
            quoted=record.quoted,
            record=None,
            warnings=Memory(),
            judged=Memory(),
            cited=Memory(),
        )

    return snapshot.draft.once(("record", library.path, library.generation), see)


def find_papers(seen: Snapshot, citation: Citation) -> list[Authority]:
    """The papers that a citation of the record may mean: one, none, or those among which nothing tells."""
    catalogue = seen.library.catalogue
    key = citation.name if citation.ambiguous else citation.key
    found = catalogue.find_key(key) if key else ()
    papers = (catalogue.get(number) for number in found)
    return [paper for paper in papers if paper is not None]


def find_record_places(seen: Snapshot, resolution: Resolution) -> list[Place]:
    """What a paper has at the place cited; lines of a transcript that numbers none are answered by the
    page."""
    found = find_places(seen.library, resolution)
    pinpoint = resolution.citation.pinpoint
    if found or pinpoint is None or resolution.authority is None:
        return found
    if pinpoint.kind == "paragraph":
        pages = tuple(dict.fromkeys(each.partition(":")[0] for each in pinpoint.labels if ":" in each))
        if not pages:
            return []
        pinpoint = replace(pinpoint, kind="page", labels=pages)
    if pinpoint.kind != "page":
        return []
    places = seen.library.contents.find_places(resolution.authority, pinpoint)
    return list(places) or _by_position(seen.library, resolution.authority, pinpoint.labels)


def _by_position(library: Library, paper: int, labels: Sequence[str]) -> list[Place]:
    """The pages of a file by their positions, where others are printed on them."""
    content = library.contents.get(paper)
    if content is None or not content.page_numbers:
        return []
    found = []
    for label in labels:
        first = label.partition("-")[0]
        position = int(first) if first.isdigit() else 0
        if 0 < position <= len(content.page_starts):
            start = content.page_starts[position - 1]
            following = content.page_starts[position:]
            end = following[0] if following else len(content.text)
            found.append(Place(paper, start, end, first, position, content.text[start:end]))
    return found


def is_of_record(citation: Citation) -> bool:
    """Whether a citation of a snapshot of the record cites the record, and no authority."""
    return citation.kind == "record"


def holds_file(folders: Iterable[Path], keys: Iterable[str]) -> bool:
    """Whether a file in the folders of the record, read or not, is called as one of these papers is."""
    wanted = {fold(make_record_key(key)) for key in keys}
    for folder in folders:
        for place, path in enumerate(folder.rglob("*")):
            if place >= _MOST_FILES:
                return True
            if not wanted.isdisjoint(_list_names(path.relative_to(folder).as_posix())):
                return True
    return False


@lru_cache(maxsize=_MOST_FILES)
def _list_names(file: str) -> frozenset[str]:
    """The papers that the name of a file tells. Remembered, since each key press beside the citation asks."""
    return frozenset(fold(make_record_key(each)) for each in name_papers(file, ""))


# -- the draft ---------------------------------------------------------------------------------------------


def _as_citing_record(draft: Draft, record: CaseRecord) -> Draft:
    found = [record.found.recall(block.masked, partial(_find, block.masked)) for block in draft.blocks]
    owners: dict[str, set[str]] = {}
    for each in (each for block in found for each in block if each.owned):
        owners.setdefault(each.owned, set()).add(each.keys[0])
    pieces = []
    for here, main in zip(found, draft.citations.pieces, strict=True):
        settled = tuple(_settle(record.library, each, owners) for each in here)
        pieces.append(record.pieces.recall((main, settled), partial(_piece, main, here, settled)))
    count = sum(len(piece.citations) for piece in pieces)
    return replace(draft, citations=Citations(pieces, draft.starts, [-1] * count))


def _find(masked: str) -> tuple[RecordCitation, ...]:
    return tuple(find_record_citations(masked))


def _settle(library: Library, cited: RecordCitation, owners: dict[str, set[str]]) -> tuple[str, bool]:
    """The key that a citation is known by, and whether several papers are known by it.

    An exhibit of a paper is one of its own name where the draft speaks of no other paper's exhibit so called.
    """
    keys = list(cited.keys)
    if cited.owned and len(owners.get(cited.owned, ())) == 1:
        keys.append(cited.owned)
    key, found = _lookup(library, keys)
    return make_record_key(key), len(found) > 1


def _lookup(library: Library, keys: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    for key in keys:
        if found := library.catalogue.find_folded(fold(make_record_key(key))):
            return key, found
    return keys[0], ()


def _piece(
    main: CitedParagraph, found: Sequence[RecordCitation], settled: Sequence[tuple[str, bool]]
) -> CitedParagraph:
    """A paragraph with its citations of the record, and those of authorities without keys."""
    others = [replace(each, key="", antecedent=None) for each in main.citations]
    taken = [each.span for each in others if each.form in ("full", "short", "section")]
    own = [
        Citation(
            span=each.span,
            core=each.core,
            text=each.span.of(main.text),
            kind="record",
            form="full",
            jurisdiction="",
            key="" if ambiguous else key,
            name=key if ambiguous else "",
            pinpoint=each.pinpoint,
            ambiguous=ambiguous,
            unread=not each.label,
        )
        for each, (key, ambiguous) in zip(found, settled, strict=True)
        if not any(each.core.overlaps(span) for span in taken)
    ]
    kept = [each for each in others if not any(each.span.overlaps(mine.span) for mine in own)]
    return CitedParagraph(main.text, tuple(sorted([*kept, *own], key=lambda each: each.span)))
