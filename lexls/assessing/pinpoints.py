"""Compare the pinpoints of a citation with the pages, paragraphs and sections of its authority."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lexls.assessing.amendments import may_have_had
from lexls.assessing.fact import Fact
from lexls.assessing.page_bounds import read_page_bounds
from lexls.citations.model import Citation, Pinpoint, PinpointKind, fold, make_section_key
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.library.marks import list_readings
from lexls.library.places import is_schedule, list_enclosing
from lexls.library.slip_pages import number_slip_pages
from lexls.reading.resolve import Resolution, find_place
from lexls.reading.snapshot import Snapshot
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span
from lexls.wording.descriptions import choose_pinpoint
from lexls.wording.place_words import cite_authority, write_pinpoint

_REASONS: Mapping[str, str] = load_phrases(__package__, "verdicts.toml")["uncompared"]
_MARKED = re.compile(r"(?:\[|¶|¶¶|\bpara(?:graph)?s?\b\.?|\bpp?ara\.?)\s*$", re.IGNORECASE)
_LONG = 150
"""Length that hardly any decision exceeds, in pages."""
_MANY_TIMES = 4
"""Multiple of the last paragraph's number beyond which a number without a paragraph sign is a page."""
_TAIL = 4000
"""Minimum length, in code points, of the text after a judgment's last numbered paragraph for it to contain
unnumbered paragraphs. It must also be more than a third of the whole text.
"""
_NUMBER = re.compile(r"\d+")
_PAGE = re.compile(r"\*?(?P<page>\d+)")
_RANGE = re.compile(r"\s*[-–—]\s*")
_EDITION = re.compile(r"[\w(),\s]{0,12}\((?P<year>(?:1[89]|20)\d\d)(?P<edition> ed\b|\))")
"""Pattern of a code's edition after a section. It may not be the edition of the library's copy."""
_CODE = re.compile(r"\d+ [A-Z]")
"""Pattern of the name of a code that is cited by the number of its title: "42 U.S.C."."""
_REVISED = 30
"""Number of years after which a code may have been re-enacted."""
_MARK = re.compile(r"\((\w+)\)")
_HEADNOTES = 3
"""Minimum number of digits of a page number in brackets; a shorter number may be a headnote's."""
CHECKED_KINDS = frozenset(("paragraph", "page", "section", "article", "regulation", "rule", "clause"))
"""The kinds of pinpoint that are checked."""
_ENACTED = frozenset(("section", "article", "regulation", "rule"))


def compare_pinpoints(
    snapshot: Snapshot, resolution: Resolution, authority: Authority | None
) -> Iterator[Fact]:
    """Compare each of a citation's pinpoints with the authority's text and yield the facts. If the library
    lacks the authority, the only certain error is a page that no report of the case can have.
    """
    pinpoint = resolution.citation.pinpoint
    if pinpoint is None:
        return
    jurisdiction = (authority.jurisdiction if authority is not None else "") or snapshot.draft.jurisdiction
    lacking = list(_find_lacking(snapshot, resolution, authority))
    if authority is None:
        yield from (fact for _, fact in lacking)
        return
    wrong = dict(lacking)
    for label in pinpoint.labels:
        stated = write_pinpoint(pinpoint.kind, label, jurisdiction)
        if label in wrong:
            yield replace(wrong[label], stated=stated)
        elif reason := _explain_unnumbered(snapshot, resolution, authority, pinpoint, label):
            yield Fact("pinpoint", "not-stated", stated, "", pinpoint.span, reason)
        else:
            yield Fact("pinpoint", "agrees", stated, stated, pinpoint.span)
    for note in pinpoint.notes:
        stated = write_pinpoint("note", note, jurisdiction)
        yield Fact("pinpoint", "not-compared", stated, "", pinpoint.span, _REASONS["notes"])


def find_lacking(snapshot: Snapshot, resolution: Resolution, authority: Authority) -> list[Fact]:
    """Return a fact for each pinpoint that the authority lacks, although it numbers such places."""
    return [fact for _, fact in _find_lacking(snapshot, resolution, authority)]


def describe_missing_place(snapshot: Snapshot, resolution: Resolution, authority: Authority) -> str:
    """Return the message for a pinpoint that the authority does not have; "" if it has every pinpoint of the
    citation.
    """
    return next((fact.reason for fact in find_lacking(snapshot, resolution, authority)), "")


def _find_lacking(
    snapshot: Snapshot, resolution: Resolution, authority: Authority | None
) -> Iterator[tuple[str, Fact]]:
    """Yield each pinpoint label that the authority does not have, with the fact about it."""
    citation = resolution.citation
    pinpoint = citation.pinpoint
    if authority is None:
        if citation.form == "full":
            yield from _find_outside(snapshot, resolution, None)
        return
    if pinpoint is None or pinpoint.kind not in CHECKED_KINDS or not resolution.is_comparable:
        return
    labels = snapshot.library.contents.list_labels(authority.id, pinpoint.kind)
    if pinpoint.kind == "page" and not has_pages_cited(snapshot, resolution, labels):
        yield from _find_outside(snapshot, resolution, authority, labels)
        return
    if not labels or _is_of_another_edition(snapshot.draft.masked, pinpoint.span.end, authority):
        return
    if pinpoint.kind == "paragraph" and _of_something_else(snapshot, citation, authority, pinpoint, labels):
        return
    own = snapshot.library.catalogue.keys_of(authority.id)
    place = citation.jurisdiction or snapshot.draft.jurisdiction
    for label in pinpoint.labels:
        key = make_section_key(citation.key, label)
        if label not in labels and (fold(key) in own or snapshot.library.catalogue.find_key(key)):
            continue  # of another Act that enacts it ("SC 2022, c 10, s 294, s 7"), or in another file
        missing = _missing(snapshot.library, authority.id, pinpoint, label, labels, place)
        if missing is not None:
            has, wanted, written = missing
            reason = f"{_name_edition(authority)} has {has}; there is no {wanted}"
            span = _span_of(snapshot.draft.source, pinpoint.span, written)
            yield label, Fact("pinpoint", "differs", written, has, span, reason, "no-place")


def _explain_unnumbered(
    snapshot: Snapshot, resolution: Resolution, authority: Authority, pinpoint: Pinpoint, label: str
) -> str:
    """Return why a pinpoint could not be checked; "" if the authority has it."""
    contents = snapshot.library.contents
    if not resolution.is_comparable:
        return _REASONS["unsure"]
    if pinpoint.kind == "page" and (
        _is_first_page(resolution, label) or _is_slip_page(snapshot, resolution, authority, label)
    ):
        return ""
    labels = contents.list_labels(authority.id, pinpoint.kind)
    paged = pinpoint.kind != "page" or has_pages_cited(snapshot, resolution, labels)
    if labels and paged and contents.find_places(authority.id, replace(pinpoint, labels=(label,))):
        return ""
    if not labels:
        return _REASONS["unnumbered"].format(kind=pinpoint.kind)
    if not paged:
        return _REASONS["pages"]
    content = contents.get(authority.id)
    if content is not None and (empty := content.count_empty_pages()):
        return _REASONS["scan"].format(empty=empty, pages=len(content.page_starts))
    above = find_place(snapshot.library, authority.id, pinpoint, label)
    where = write_pinpoint(pinpoint.kind, above[0].label, authority.jurisdiction) if above else ""
    return _REASONS["depth"].format(where=where) if above else _REASONS["unfound"]


def _is_first_page(resolution: Resolution, label: str) -> bool:
    """Return whether the case begins on this page of the report cited, so that the page exists."""
    numbers = _NUMBER.findall(resolution.citation.key)
    return resolution.by == "citation" and len(numbers) > 1 and numbers[-1] == label


def _is_slip_page(
    snapshot: Snapshot, resolution: Resolution, authority: Authority | None, label: str
) -> bool:
    """Return whether a slip opinion, cited by its docket, has this printed page number."""
    if authority is None or resolution.by != "docket":
        return False
    content = snapshot.library.contents.get(authority.id)
    return content is not None and label in map(str, number_slip_pages(content.text, content.page_starts))


def _is_of_another_edition(masked: str, end: int, authority: Authority) -> bool:
    """Return whether the pinpoint that ends at ``end`` is followed by an edition, or by a year long before
    the year of the copy.
    """
    found = _EDITION.match(masked, end)
    if found is None:
        return False
    return found["edition"] != ")" or (
        authority.year is not None and int(found["year"]) < authority.year - _REVISED
    )


def _name_edition(authority: Authority) -> str:
    """Return the authority's name; for a code, with the year of the copy, since later editions may have more
    sections.
    """
    name = name_cited(authority)
    return f"{name} ({authority.year})" if _CODE.match(name) and authority.year is not None else name


def _find_outside(
    snapshot: Snapshot, resolution: Resolution, authority: Authority | None, labels: Sequence[str] = ()
) -> Iterator[tuple[str, Fact]]:
    """Yield the pinpoint's first page, with a fact, if no report of the case can have that page."""
    pinpoint = resolution.citation.pinpoint
    if resolution.citation.kind != "case" or pinpoint is None or pinpoint.kind != "page":
        return
    # Only the first: after it may come a note mark, or a page number of the draft itself.
    found = _PAGE.match(pinpoint.labels[0]) if pinpoint.labels else None
    if found is None:
        return
    source = snapshot.draft.source
    span = _span_of(source, pinpoint.span, found.group())
    if source[span.start - 1 : span.start] == "(" and len(span) < _HEADNOTES:  # "11 Ga. 159 (14), 177"
        return
    page = int(found["page"])
    bounds = read_page_bounds(snapshot, resolution, authority, labels, page)
    said = bounds.tell_outside(page, starred=found.group() != found["page"])
    if said:
        yield pinpoint.labels[0], Fact("pinpoint", "differs", found.group(), "", span, said, "no-place")


def _of_something_else(
    snapshot: Snapshot, citation: Citation, authority: Authority, pinpoint: Pinpoint, labels: Sequence[str]
) -> bool:
    """Return whether an apparent paragraph may be a page of a report, or a paragraph of a paper in the
    record. In "1970 Indlaw SC 277, 488", the bare number is beyond the last paragraph, so it is a page.
    "Id. ¶ 102" after a case cited by page refers to a pleading that was not read.
    """
    numbers = [int(each) for each in labels if each.isdigit()]
    source = snapshot.draft.source
    if citation.form == "id" and choose_pinpoint(authority) != "paragraph":
        return True
    written = pinpoint.span.of(source)
    around = source[max(0, pinpoint.span.start - 8) : pinpoint.span.start]
    if not written[:1].isdigit() or _MARKED.search(around) or not numbers:
        return False
    found = _NUMBER.match(written)
    if found is None or int(found[0]) <= max(numbers):
        return False
    # Of "[1975] 3 SCC 219, 1974 Indlaw SC 121 at 227" too: what has volume and page is a report.
    others = [_NUMBER.findall(each.key) for each in snapshot.draft.group_of(citation) if each is not citation]
    pages = [int(each[-1]) for each in others if len(each) > 1 + (str(citation.year) in each)]
    return int(found[0]) > _MANY_TIMES * max(numbers) or any(
        page <= int(found[0]) <= page + _LONG for page in pages
    )


def name_cited(authority: Authority) -> str:
    """Return the name of an authority for messages."""
    return authority.citation or cite_authority(authority)


def has_pages_cited(snapshot: Snapshot, resolution: Resolution, labels: Sequence[str]) -> bool:
    """Return whether the page numbers in the library's copy are those of the report cited: they include the
    citation's last number. False for papers of the record, whose pages may be cited as printed, stamped or
    counted. Also false for a file found by docket or decision, since slip opinions count their pages from
    1.
    """
    citation = resolution.citation
    if citation.kind == "record" or resolution.by in ("decision", "docket"):
        return False
    full = citation.form == "full" and snapshot.draft.key_of(citation) is None
    cited = citation.core.of(snapshot.draft.masked) if full else citation.key
    numbers = _NUMBER.findall(cited) or _NUMBER.findall(citation.key)
    return bool(numbers) and numbers[-1] in labels


def _missing(
    library: Library, authority: int, pinpoint: Pinpoint, label: str, labels: Sequence[str], jurisdiction: str
) -> tuple[str, str, str] | None:
    """Return three texts about a pinpoint that does not exist: what the authority has, the missing place in
    the same style, and the missing place as the draft writes it. None if it exists or may exist. A missing
    subsection counts only if the library's copy numbers the section's subsections.
    """

    def has(place: str) -> bool:
        return bool(library.contents.find_places(authority, Pinpoint(pinpoint.kind, (place,), pinpoint.span)))

    def write(place: str) -> str:
        return write_pinpoint(pinpoint.kind, place, jurisdiction)

    dashed = (each for each in (label, *list_enclosing(label)) if "-" in each)
    for end in [label] if any(each in labels for each in dashed) else _RANGE.split(label):
        if not end or has(end) or has(end.replace("(l)", "(1)")):  # "(l)" is how scanners read "(1)"
            continue
        if pinpoint.kind == "page" and not _NUMBER.fullmatch(end):
            continue
        if pinpoint.kind == "paragraph" and _is_uncertain(library, authority, end, labels):
            continue
        whole = _full_range_end(label, end)
        if whole != end and has(whole):
            continue
        lacking = whole
        for above in list_enclosing(whole):
            if has(above):
                below = _children(labels, above)
                if not below or not _may_lack(below, lacking[len(above) :]):
                    return None
                if pinpoint.kind == "section" and may_have_had(library, authority, lacking):
                    return None
                return f"{write(above)} with {_extent(below)}", write(lacking), end
            lacking = above
        top = [each for each in labels if not any(True for _ in list_enclosing(each))] or list(labels)
        top = [each for each in top if is_schedule(each) == is_schedule(lacking)] or top
        if pinpoint.kind in _ENACTED and is_excerpt(top):
            return None
        if pinpoint.kind == "section" and may_have_had(library, authority, lacking):
            return None
        if pinpoint.kind == "clause" and not _NUMBER.search(lacking):  # "ch. 1"
            return None
        kind = "line" if pinpoint.kind == "paragraph" and ":" in top[0] else pinpoint.kind
        noun = kind + ("" if len(top) == 1 else "s")
        return f"{noun} {_extent(top)}", write(lacking), end
    return None


def _may_lack(below: Sequence[str], lacking: str) -> bool:
    """Return whether the labels ``below`` a place are complete enough to show that ``lacking`` is missing.
    They are not if there is only one, if some are skipped, or if they have several styles, since some were
    then not read.
    """
    marks = [_MARK.fullmatch(each) for each in (*below, lacking)]
    written = [mark[1] for mark in marks if mark is not None]
    if len(written) < len(marks):
        return True
    first = next((each for each in list_readings(written[0]) if each.ordinal == 1), None)
    if first is None or len(below) == 1:
        return False
    highest = 1
    for each in written[1:-1]:
        ordinals = [step.ordinal for step in list_readings(each) if step.type == first.type]
        if not ordinals or (
            len(each) > 1 and each.isalpha() and first.type == "lower" and ordinals[0] > highest
        ):
            return False
        highest = max(highest, ordinals[0])
    wanted = {step.type: step.ordinal for step in list_readings(written[-1])}
    if first.type in wanted:
        return wanted[first.type] > highest
    return first.type in ("number", "lower") or wanted.keys().isdisjoint(("number", "lower"))


def is_excerpt(labels: Sequence[str]) -> bool:
    """Return whether the library's copy of an Act has only some of its sections: after most of them, the next
    number is missing.
    """
    numbers = {int(each[0]) for each in map(_NUMBER.match, labels) if each}
    following = sum(number + 1 in numbers for number in numbers)
    return bool(numbers) and 2 * following < len(numbers)


def _is_uncertain(library: Library, authority: int, label: str, labels: Sequence[str]) -> bool:
    """Return whether the authority may have a paragraph that the library's copy does not number. The
    paragraph is between numbered ones; or a line begins with its number, in a series that was read as part
    of a quotation, an order or another judge's opinion; or the copy's numbers end long before its text.
    """
    numbers = [int(each) for each in labels if each.isdigit()]
    if not label.isdigit() or not numbers:
        return False
    if min(numbers) < int(label) < max(numbers):
        return True
    text = library.contents.text(authority)
    if re.search(rf"^\W{{0,6}}{label}(?:\W|$)", text, re.MULTILINE) is not None:
        return True
    last = next(
        (each for each in library.contents.outline(authority) if each.label == str(max(numbers))), None
    )
    tail = len(text) - last.start if last is not None and int(label) > max(numbers) else 0
    return tail > max(_TAIL, len(text) / 3)


def _full_range_end(label: str, end: str) -> str:
    """Return the end of a range with its omitted digits: "217" for the 7 of "212-7"."""
    ends = _RANGE.split(label)
    if len(ends) == 2 and end == ends[1] and ends[0].isdigit() and end.isdigit() and len(end) < len(ends[0]):
        return ends[0][: len(ends[0]) - len(end)] + end
    return end


def _children(labels: Sequence[str], above: str) -> list[str]:
    """Return the labels one level below ``above``, without the part that they share with it: "(1)", "(2)";
    ".1", ".2".
    """
    found: dict[str, None] = {}
    for label in labels:
        chain = [label, *list_enclosing(label)]
        if above in chain[1:]:
            child = chain[chain.index(above) - 1]
            found.setdefault(child[len(above) :])
    return list(found)


def _extent(labels: Sequence[str]) -> str:
    """Return the range that labels cover, "1–31"; the label itself if there is only one."""
    if len(labels) == 1:
        return labels[0]
    ordered = sorted(labels, key=int) if all(label.isdigit() for label in labels) else labels
    return f"{ordered[0]}–{ordered[-1]}"


def _span_of(source: str, pinpoint: Span, label: str) -> Span:
    """Return the span of a label within the pinpoint, or the whole pinpoint if the draft writes the label
    differently.
    """
    place = source.find(label, pinpoint.start, pinpoint.end)
    return Span(place, place + len(label)) if place >= 0 else pinpoint


def find_label(snapshot: Snapshot, authority: Authority, kind: PinpointKind, offset: int) -> str:
    """Return the label of the place of this kind that contains ``offset`` of the text, or ""."""
    library = snapshot.library
    if kind == "page":
        labels = library.contents.list_labels(authority.id, "page")

        def start_of(page: str) -> int:
            found = library.contents.find_places(authority.id, Pinpoint("page", (page,), Span(0, 0)))
            return found[0].start if found else 0

        place = bisect_right(labels, offset, key=start_of)
        return labels[place - 1] if place else ""
    wanted = "paragraph" if kind == "paragraph" else "section"
    for block in library.contents.outline(authority.id):
        if block.start > offset:
            break
        if block.end > offset and block.kind == wanted and block.label:
            return block.label
    return ""
