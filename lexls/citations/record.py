"""Find citations of papers in a record: "Compl. ¶ 12", "Smith Decl. Ex. A", "Tr. 45:12–18", "[B/2/45]".

The result depends only on the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lexls.citations.model import CitedPaper, Pinpoint
from lexls.citations.pinpoints import find_after_case
from lexls.citations.record_names import PaperName, RecordForms, find_names, load_record_forms, write_person
from lexls.citations.scan import Scan
from lexls.text.spans import Span

_MARKED = re.compile(r"at|p|¶|§|\[|P")
_DASH = re.compile(r"\s?[-‐‑–—]\s?")
_ATTACHED = frozenset(("ROA", "Appx", "JA", "SPA", "ER", "SER"))
"""Names of papers to which a page number is joined: "ROA.123"."""
_TRANSCRIPT = frozenset("T")
_ATTACHMENT = re.compile(r"(?<=\d)[-./](?=\d)")


@dataclass(frozen=True, slots=True)
class RecordCitation:
    """A citation of a paper of the record. Spans refer to the text that was searched.

    ``core`` covers the paper's name, ``span`` also the pinpoint.
    """

    span: Span
    core: Span
    paper: CitedPaper
    pinpoint: Pinpoint | None


def find_record_citations(scan: Scan) -> list[RecordCitation]:
    """Return the citations of the record in a masked text, in order and without overlaps."""
    text, forms = scan.text, load_record_forms()
    names = list(find_names(scan, forms))
    found = [
        *_find_bracketed(text, forms),
        *_find_numbered_witnesses(text, forms),
        *_find_attached(scan, forms),
        *_find_lettered_transcripts(scan, forms),
    ]
    place = 0
    while place < len(names):
        group = [names[place]]
        gaps: list[str] = []
        while place + 1 < len(names) and (gap := _gap(text, group, names[place + 1], forms)) is not None:
            place += 1
            group.append(names[place])
            gaps.append(gap)
        place += 1
        if (citation := _cite(text, group, gaps, forms)) is not None:
            if place < len(names) and (filed := _as_filed(text, citation, names[place], forms)) is not None:
                citation, place = filed, place + 1
            found.append(citation)
    kept: list[RecordCitation] = []
    for each in sorted(found, key=lambda each: each.span):
        if kept and each.span.start < kept[-1].span.end:
            continue
        kept.append(_annexed(text, kept[-1], each, forms) if kept else each)
    return kept


def _annexed(text: str, last: RecordCitation, citation: RecordCitation, forms: RecordForms) -> RecordCitation:
    """Return the citation of an exhibit cited after a paper as an exhibit to that paper: "Smith Decl. ¶ 4,
    Ex. B". Return other citations unchanged.
    """
    if forms.patterns["exhibit_behind"].fullmatch(text, last.span.end, citation.span.start) is None:
        return citation
    paper, (key, *_) = citation.paper, citation.paper.keys
    if not paper.label or not key.startswith("ex ") or " ex " in f" {last.paper.keys[0]}":
        return replace(citation, paper=replace(paper, label=""))
    keys = tuple(f"{each} {key}" for each in last.paper.keys)
    return replace(citation, paper=CitedPaper(keys, owned=key))


def make_record_key(key: str) -> str:
    """Return a paper's key as indexes use it, in a form that no authority's key can have."""
    return f"record {_ATTACHMENT.sub(' att ', key)}"


# -- citations ---------------------------------------------------------------------------------------------


def _gap(text: str, group: Sequence[PaperName], name: PaperName, forms: RecordForms) -> str | None:
    """Return the text between a paper's name and the names before it, or None if the name is of a separate
    paper.
    """
    last = group[-1]
    gap = text[last.end : name.start]
    if len(gap) > 12 or forms.patterns["joined"].fullmatch(gap) is None:
        return None
    annexed = forms.patterns["annexed"].fullmatch(gap) is not None
    if annexed != (annexed and last.paper.is_exhibit) or name.paper in [each.paper for each in group]:
        return None
    return gap


def _cite(
    text: str, group: Sequence[PaperName], gaps: Sequence[str], forms: RecordForms
) -> RecordCitation | None:
    first, last = group[0], group[-1]
    end = last.end + (any("(" in gap for gap in gaps) and text.startswith(")", last.end))
    pinpoint, stop = _find_place(text, end, last, forms) or (None, last.end)
    numbered = next((each for each in reversed(group) if each.paper.numbered), None)
    if pinpoint is None and numbered is None:
        return None
    if first.paper.numbered == "docket" and _is_series(text, first, forms):
        return None
    if pinpoint is None and any(_is_annexed_here(text, each, forms) for each in group):
        return None
    if _is_weak(first, pinpoint, len(group)) and not _stands_as_citation(text, first.start, stop, forms):
        return None
    keys, owned = _join_keys(group, gaps, forms)
    alone = numbered is not None and len(group) == 1 and numbered.owner != "another"
    label = text[numbered.word : numbered.end] if numbered is not None and alone else ""
    paper = CitedPaper(keys, " ".join(label.split()), owned)
    return RecordCitation(Span(first.start, stop), Span(first.start, last.end), paper, pinpoint)


def _as_filed(
    text: str, citation: RecordCitation, name: PaperName, forms: RecordForms
) -> RecordCitation | None:
    """Return the citation with the docket entry after its pinpoint added ("Compl. ¶ 8, ECF No. 1"), or None
    if there is none.
    """
    paper = citation.paper
    if citation.pinpoint is None or paper.keys[0].startswith("dkt ") or name.paper.numbered != "docket":
        return None
    if text[citation.span.end : name.start] != ", " or _find_place(text, name.end, name, forms) is not None:
        return None
    filed = replace(paper, keys=tuple(dict.fromkeys((*name.keys, *paper.keys))), label="")
    return replace(citation, span=Span(citation.span.start, name.end), paper=filed)


def _is_weak(name: PaperName, pinpoint: Pinpoint | None, names: int) -> bool:
    if names > 1 or name.person or name.owner or not name.paper.weak:
        return False
    return name.paper.weak == "all" or pinpoint is None or pinpoint.kind == "page"


def _is_annexed_here(text: str, name: PaperName, forms: RecordForms) -> bool:
    """Return whether an exhibit is described as attached to the draft itself: "Exhibit A hereto"."""
    return name.paper.is_exhibit and forms.patterns["hereto"].match(text, name.end) is not None


def _is_series(text: str, name: PaperName, forms: RecordForms) -> bool:
    """Return whether an apparent docket entry is a document in a series: "S. Doc. No. 99"."""
    return (
        not name.owner
        and forms.patterns["series"].search(text, max(0, name.start - 24), name.start) is not None
    )


def _join_keys(
    group: Sequence[PaperName], gaps: Sequence[str], forms: RecordForms
) -> tuple[tuple[str, ...], str]:
    """Return the keys of a paper with these names. For an exhibit with an owner, also return its key without
    the owner, else "".
    """
    keys, exhibit = list(group[0].keys), group[0].paper.is_exhibit
    first = replace(group[0], owner="", person="")
    owned = first.key if exhibit and first != group[0] else ""
    for gap, name in zip(gaps, group[1:], strict=True):
        if forms.patterns["annexed"].fullmatch(gap) is not None:
            owned = owned or keys[0]
            keys = [f"{other} {key}" for other in name.keys for key in keys]
        elif name.paper.is_exhibit and not exhibit:
            owned, exhibit = replace(name, owner="", person="").key, True
            keys = [f"{key} {other}" for key in keys for other in name.keys]
        elif name.paper.numbered == "docket":
            keys = [*name.keys, *keys]
        elif name.paper.numbered == "tab":
            tabs = [key_of_tab(key, name) for key in keys]
            keys = [*tabs, *name.keys]
        else:
            keys = [*keys, *name.keys]
    return tuple(dict.fromkeys(keys)), owned


def key_of_tab(key: str, tab: PaperName) -> str:
    """Return the key of a tab in a bundle or a record: "bundle a 4", "ar tab 3"."""
    return f"{key} {tab.label if key.startswith('bundle ') else tab.key}"


def _find_place(text: str, end: int, name: PaperName, forms: RecordForms) -> tuple[Pinpoint, int] | None:
    """Return the pinpoint after a name that ends at ``end``, and the end of the pinpoint."""
    if name.page:
        return Pinpoint("page", (name.page,), Span(end - len(name.page), end)), end
    found = find_place_behind(text, end)
    if found is not None:
        return found
    bare = forms.patterns["bare"].match(text, end) if name.paper.bare else None
    if bare is None or forms.patterns["not_behind"].match(text, bare.end()):
        return None
    return Pinpoint("page", _read_pages(bare["labels"]), Span(*bare.span("labels"))), bare.end()


def find_place_behind(text: str, end: int) -> tuple[Pinpoint, int] | None:
    """Return the pinpoint after ``end``, and its end, if the pinpoint has a sign or "at": "¶ 12", "at 3",
    "45:12–18". Otherwise return None.
    """
    forms = load_record_forms()
    lines = forms.patterns["lines"].match(text, end)
    if lines is not None:
        return _as_lines(lines), lines.end()
    found = find_after_case(text, end, "page")
    if found is None or not _MARKED.search(text, end, found[0].span.start):
        return None
    if found[0].kind == "page" and forms.patterns["not_behind"].match(text, found[1]):
        return None
    pinpoint, stop = found
    behind = forms.patterns["lines_behind"].match(text, stop)
    if behind is None or pinpoint.kind != "page" or not "".join(pinpoint.labels).isdigit():
        return found
    label = _write_lines(pinpoint.labels[0], behind["first"], behind["last"])
    return Pinpoint("paragraph", (label,), Span(pinpoint.span.start, behind.end())), behind.end()


def stands_alone(text: str, citation: RecordCitation) -> bool:
    """Return whether a paper is cited. It may be only mentioned, as in "He signed Exhibit 4"."""
    if citation.pinpoint is not None:
        return True
    patterns, start = load_record_forms().patterns, citation.span.start
    return patterns["cited"].search(text, max(0, start - 24), start) is not None and (
        patterns["ends"].match(text, citation.span.end) is not None
    )


def _read_pages(written: str) -> tuple[str, ...]:
    return tuple(_DASH.sub("-", each.strip()) for each in written.split(","))


def _write_lines(page: str, first: str, last: str | None, until: str | None = None) -> str:
    """Write lines of a page as a paragraph label, up to a line on page ``until`` if given: "45:12-45:18"."""
    return f"{page}:{first}" + (f"-{until or page}:{last}" if last else "")


def _as_lines(match: re.Match[str]) -> Pinpoint:
    """Return the lines of a transcript as a pinpoint of paragraphs: "45:12–18" becomes "45:12-45:18"."""
    labels = []
    for each in re.split(r"[,;]\s?", match["labels"]):
        first, _, last = _DASH.sub("-", each).partition("-")
        page = first.partition(":")[0]
        labels.append(f"{first}-{last if ':' in last else f'{page}:{last}'}" if last else first)
    return Pinpoint("paragraph", tuple(labels), Span(*match.span("labels")))


# -- bundles -----------------------------------------------------------------------------------------------


def _find_bracketed(text: str, forms: RecordForms) -> Iterator[RecordCitation]:
    if "[" not in text and "{" not in text:
        return
    for name in ("bracketed", "lettered"):
        for match in forms.patterns[name].finditer(text):
            bundle = f"bundle {match['bundle'].lower()}"
            tab = match["tab"] if name == "bracketed" else None
            keys = (f"{bundle} {tab.lower()}", bundle) if tab else (bundle,)
            span = Span(match.start() + 1, match.end())
            pinpoint = Pinpoint("page", _read_pages(match["pages"]), Span(*match.span("pages")))
            yield RecordCitation(Span(span.start, pinpoint.span.end), span, CitedPaper(keys), pinpoint)
    for match in forms.patterns["day"].finditer(text):
        span = Span(match.start() + 1, match.end() - 1)
        lines = ":" in match["labels"]
        pages = Pinpoint("page", (match["labels"],), Span(*match.span("labels")))
        paper = CitedPaper((f"tr day {match['day']}",))
        yield RecordCitation(span, span, paper, _as_lines(match) if lines else pages)


def _find_attached(scan: Scan, forms: RecordForms) -> Iterator[RecordCitation]:
    text = scan.text
    for start, _ in scan.capitals(_ATTACHED):
        match = forms.patterns["attached"].match(text, start)
        if match is None:
            continue
        before = forms.patterns["attached_volume"].search(text, max(0, start - 4), start)
        if before is not None and match["joint"] == "-":
            start = before.start()
        elif text[start - 1 : start] in ("-", "."):
            continue
        if not _stands_as_citation(text, start, match.end(), forms):
            continue
        paper = next(each.key for each in forms.papers.values() if each.names.fullmatch(match["paper"]))
        volumes = (f"{paper} vol {before['volume']}", f"{paper} vol any") if before is not None else ()
        span, pinpoint = Span(start, match.end()), Span(*match.span("pages"))
        place = Pinpoint("page", _read_pages(match["pages"]), pinpoint)
        yield RecordCitation(span, span, CitedPaper((*volumes, paper)), place)


def _find_lettered_transcripts(scan: Scan, forms: RecordForms) -> Iterator[RecordCitation]:
    for start, _ in scan.capitals(_TRANSCRIPT):
        match = forms.patterns["lettered_transcript"].match(scan.text, start)
        if match is not None and _stands_as_citation(scan.text, start, match.end(), forms):
            label = _write_lines(match["page"], match["first"], match["last"], match["until"])
            pinpoint = Pinpoint("paragraph", (label,), Span(match.start("page"), match.end()))
            yield RecordCitation(Span(*match.span()), Span(*match.span()), CitedPaper(("tr",)), pinpoint)


def _stands_as_citation(text: str, start: int, end: int, forms: RecordForms) -> bool:
    """Return whether the text before and after ``[start, end)`` allows a citation there."""
    return forms.patterns["begins"].search(text, max(0, start - 24), start) is not None and (
        forms.patterns["ends"].match(text, end) is not None
    )


def _find_numbered_witnesses(text: str, forms: RecordForms) -> Iterator[RecordCitation]:
    for match in forms.patterns["numbered_witness"].finditer(text):
        found = find_after_case(text, match.end("number"), "page")
        if found is not None and found[0].kind == "paragraph":
            paper = CitedPaper((f"ws {write_person(match['person'])} {match['number']}",))
            yield RecordCitation(Span(match.start(), found[1]), Span(*match.span()), paper, found[0])
