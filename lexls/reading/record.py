"""Read a draft's citations of the record, and find the papers that match them.

The record is a separate library. It is searched with a second snapshot of the draft, in which the citations
are those of the record. Citations of authorities are in this snapshot too, but without keys, so that the text
near them is not attributed to a paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from lexls.citations.found_mentions import CitedParagraph
from lexls.citations.model import Citation, CitedPaper, Pinpoint, fold
from lexls.citations.reading import Citations
from lexls.citations.record import make_record_key
from lexls.citations.record_files import name_papers
from lexls.index.library import Library
from lexls.index.records import Authority, Place
from lexls.reading.draft import Draft
from lexls.reading.resolve import Resolution, find_places
from lexls.reading.snapshot import CaseRecord, Snapshot
from lexls.text.memory import Memory

_NUMBER = re.compile(r"\d+")
_MOST_FILES = 20_000
"""Maximum number of files of a record whose names are examined."""


def see_record(snapshot: Snapshot) -> Snapshot | None:
    """Return the snapshot for the record: the draft with its citations of the record, and the record as its
    library. None without a record. A citation that matches two papers has no key and is ambiguous. A
    citation that matches none has the key of the cited paper. An *id.* that refers to several papers
    remains as in the draft.
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
            judged=Memory(),
            cited=Memory(),
        )

    return snapshot.draft.once(("record", library.path, library.generation), see)


def find_papers(seen: Snapshot, citation: Citation) -> list[Authority]:
    """Return the papers that a citation of the record may mean: none, one, or several if they cannot be
    distinguished.
    """
    return find_papers_called(seen, citation.papers[0].keys)


def find_papers_called(seen: Snapshot, keys: Sequence[str]) -> list[Authority]:
    """Return the papers with the first of ``keys`` that any paper has."""
    papers = (seen.library.catalogue.get(number) for number in _lookup(seen.library, keys)[1])
    return [paper for paper in papers if paper is not None]


def find_pinpoint(seen: Snapshot, citation: Citation) -> Pinpoint | None:
    """Return the pinpoint of a citation of the record. An *id.* without a pinpoint has the pinpoint of the
    citation before it.
    """
    citations = seen.draft.citations
    if citation.pinpoint is not None or citation.antecedent is None:
        return citation.pinpoint
    place = citations.place_of(citation)
    before = (citations[each] for each in range(place - 1, citation.antecedent - 1, -1))
    last = next((each for each in before if each.papers == citation.papers), None)
    return find_pinpoint(seen, last) if last is not None else None


def find_record_places(seen: Snapshot, resolution: Resolution) -> list[Place]:
    """Return the passages of a paper at the pinpoint. For a page of a transcript, return its lines. For lines
    of a transcript that has no line numbers, return the page.
    """
    pinpoint, paper, contents = resolution.citation.pinpoint, resolution.authority, seen.library.contents
    if pinpoint is None or paper is None:
        return []
    if pinpoint.kind == "page":
        lines = tuple(line for page in pinpoint.labels for line in list_lines(seen.library, paper, page))
        if lines:
            return contents.find_places(paper, replace(pinpoint, kind="paragraph", labels=lines))
    if found := find_places(seen.library, resolution):
        return found
    if pinpoint.kind == "paragraph":
        pages = tuple(dict.fromkeys(each.partition(":")[0] for each in pinpoint.labels if ":" in each))
        if not pages:
            return []
        pinpoint = replace(pinpoint, kind="page", labels=pages)
    if pinpoint.kind != "page":
        return []
    return contents.find_places(paper, pinpoint) or _by_position(seen.library, paper, pinpoint.labels)


def list_lines(library: Library, paper: int, page: str) -> list[str]:
    """Return the labels of the numbered lines on a page of a transcript, or on several pages ("45",
    "45-46").
    """
    first, _, last = page.partition("-")
    if not first.isdigit() or not (last or first).isdigit():
        return []
    wanted = range(int(first), int(last or first) + 1)
    labels = library.contents.list_labels(paper, "paragraph")
    return [
        each
        for each in labels
        if (number := each.partition(":"))[1] and number[0].isdigit() and int(number[0]) in wanted
    ]


def describe_missing_pages(seen: Snapshot, paper: Authority, pinpoint: Pinpoint) -> Iterator[str]:
    """Yield a message for each page cited that is after the end of a file. Pages may be counted, printed, or
    stamped by a court or a party. So there is no message if the number occurs anywhere in the file's text.
    """
    content = seen.library.contents.get(paper.id)
    if pinpoint.kind != "page" or content is None or not content.page_starts or content.count_empty_pages():
        return
    printed = [int(each) for each in content.page_numbers if each.isdigit()]
    count = len(content.page_starts)
    for label in pinpoint.labels:
        found = _NUMBER.fullmatch(label.partition("-")[0])
        if found is None or int(found[0]) <= max(count, *printed, 0):
            continue
        if list_lines(seen.library, paper.id, found[0]):  # several pages of a transcript on a sheet
            continue
        if re.search(rf"(?<!\d)0*{int(found[0])}(?!\d)", content.text) is None:
            pages = f"{count} page{'s' if count > 1 else ''}"
            yield f"“{paper.relative}” has {pages}; there is no page {found[0]}"


def _by_position(library: Library, paper: int, labels: Sequence[str]) -> list[Place]:
    """Return the pages at given positions in a file whose pages have other numbers printed on them."""
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
    """Return whether a citation in the record's snapshot cites the record rather than an authority."""
    return citation.kind == "record"


def holds_file(folders: Iterable[Path], keys: Iterable[str]) -> bool:
    """Return whether a file in the record's folders has the name of one of these papers, even if the file
    cannot be read. Also true if there are too many files to examine.
    """
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
    """Return the keys of the papers that a file's name may name. Cached, since this is called at every
    keystroke next to the citation.
    """
    return frozenset(fold(make_record_key(each)) for each in name_papers(file, ""))


# -- the draft ---------------------------------------------------------------------------------------------


def _as_citing_record(draft: Draft, record: CaseRecord) -> Draft:
    mains = draft.citations.pieces
    owners: dict[str, set[str]] = {}
    for piece in mains:
        for each in piece.papers:
            if each.paper.owned:
                owners.setdefault(each.paper.owned, set()).add(each.paper.keys[0])
    alone = frozenset(owned for owned, whose in owners.items() if len(whose) == 1)
    state = record.library.generation
    pieces = [
        record.pieces.recall(
            (main, state, alone.intersection(each.owned for each in main.cited_papers)),
            partial(_piece, record.library, main, alone),
        )
        for main in mains
    ]
    return replace(draft, citations=Citations(pieces, draft.starts, tuple(_antecedents(pieces))))


def _antecedents(pieces: Iterable[CitedParagraph]) -> Iterator[int]:
    """Yield a number for each citation: for an *id.* that refers to the record, the index of its antecedent;
    otherwise -1.
    """
    last: dict[tuple[CitedPaper, ...], int] = {}
    place = 0
    for piece in pieces:
        for each in piece.citations:
            yield last.get(each.papers, -1) if each.papers and each.form == "id" else -1
            if each.papers and each.form == "full":
                last[each.papers] = place
            place += 1


def _piece(library: Library, main: CitedParagraph, alone: Set[str]) -> CitedParagraph:
    """Return a paragraph with its citations of the record, and with its citations of authorities without
    their keys. ``alone`` are the names of exhibits that the draft cites as exhibits of one paper only.
    Such an exhibit also matches by its name without the name of that paper.
    """
    if not main.citations and not main.papers:
        return CitedParagraph(main.text, ())
    others = [replace(each, key="", antecedent=None) for each in main.citations if not _is_paper(each)]
    taken = [each.span for each in others if each.form in ("full", "short", "section")]
    own = [
        _settle(library, each, alone)
        for each in _list_cited(main)
        if not any(each.core.overlaps(span) for span in taken)
    ]
    kept = [each for each in others if not any(each.span.overlaps(mine.span) for mine in own)]
    return CitedParagraph(main.text, tuple(sorted([*kept, *own], key=lambda each: each.span)))


def _list_cited(main: CitedParagraph) -> Iterator[Citation]:
    """Yield the paragraph's citations of papers, before they are matched with the record."""
    for each in main.papers:
        text, papers = each.span.of(main.text), (each.paper,)
        yield Citation(
            each.span, each.core, text, "record", "full", "", "", pinpoint=each.pinpoint, papers=papers
        )
    for one in main.citations:
        if _is_paper(one) and not any(each.span.overlaps(one.span) for each in main.papers):
            yield replace(one, kind="record", unread=False)


def _is_paper(citation: Citation) -> bool:
    """Return whether a citation is an *id.* that refers to exactly one paper of the record."""
    return len(citation.papers) == 1


def _settle(library: Library, citation: Citation, alone: Set[str]) -> Citation:
    """Return a citation of a paper with the key of the matching paper in the record. If several papers match,
    return it without a key and as ambiguous.
    """
    (paper,) = citation.papers
    if paper.owned in alone:
        paper = replace(paper, keys=(*paper.keys, paper.owned))
    key, found = _lookup(library, paper.keys)
    several = len(found) > 1
    return replace(citation, key="" if several else make_record_key(key), ambiguous=several, papers=(paper,))


def _lookup(library: Library, keys: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    for key in keys:
        if found := library.catalogue.find_key(make_record_key(key)):
            return key, found
    return keys[0], ()
