"""Find the authority whose pinpoint is being typed, by parsing the draft with a number inserted there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from lexls.citations.insert import render
from lexls.citations.model import Citation, PinpointKind
from lexls.index.records import Authority
from lexls.reading.draft import Draft
from lexls.reading.record import find_papers, is_of_record, see_record
from lexls.reading.resolve import find_authority, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span

_PLACE_WORDS = (
    r"ss?|secs?|sections?|regs?|regulations?|rr?|rules?|cls?|clauses?|arts?|articles?|paras?|paragraphs?|pp?"
)


@dataclass(frozen=True, slots=True)
class _Lead:
    """A form of the text before a pinpoint's label. ``pattern`` matches that text.

    ``written`` are the possible forms of a pinpoint after it. The first form that can be parsed, and for
    which the authority has places, is used. ``whole`` is true if only the label is missing; otherwise a
    paragraph is written with its brackets or sign. ``of_record`` is true if the form occurs in citations of
    the record only.
    """

    name: str
    pattern: re.Pattern[str]
    written: Sequence[str]
    example: str
    whole: bool = True
    of_record: bool = False


_LEADS = (
    _Lead("note", re.compile(r"\((?:above |supra )?nn?\.?\s+$"), ("1)",), "*Carrow* (n |"),
    _Lead("bracket", re.compile(r"(?<!\])\[$"), ("1]",), "[2006] FCA 450, [|"),
    _Lead(
        "word",
        re.compile(rf"(?<![\w.'’])(?:{_PLACE_WORDS})\.?[\s~]+$|[§¶]{{1,2}}[\s~]*$", re.IGNORECASE),
        ("1",),
        "TPA s |",
    ),
    _Lead(
        "at",
        re.compile(r"(?:[^\w\s]|\b[A-Z\d]\S*)\s+at\s+$"),
        ("1", "[1]", "1:1"),
        "627 F.3d at |",
        whole=False,
    ),
    _Lead("comma", re.compile(r"[\w).*_}\]],\s+$"), ("1", "[1]"), "627 F.3d 34, |", whole=False),
    _Lead(
        "ibid",
        re.compile(r"\b(?:id|ibid)\.?[*_}\]]*\s+$", re.IGNORECASE),
        ("at 1", "[1]", "1", "¶ 1", "at 1:1"),
        "*Id.* |",
        whole=False,
    ),
    _Lead("paper", re.compile(r"\b[A-Z][\w’']*\.\s+$"), ("1:1", "1"), "Oakes Dep. |", of_record=True),
)
"""The forms of text before a pinpoint, in the order in which they are tried."""
_WRITTEN = re.compile(r"\d\S*\d|\d")
_ANYWHERE = re.compile("$")
_BEHIND: Sequence[tuple[str, PinpointKind]] = (
    ("case", "paragraph"),
    ("case", "page"),
    ("statute", "section"),
)
"""The kinds of authority and pinpoint tried directly after a citation."""
_NUMBERED: Sequence[PinpointKind] = ("paragraph", "page", "section")
_LABEL = re.compile(r"(?:\d[\w().:/-]*)?$")
_LABEL_ENDS = re.compile(r"[\w().:/-]*")
_LOOK_BACK = 120
_NEAR = 60
"""Maximum number of code points between a citation's end and a comma that introduces its pinpoint."""


@dataclass(frozen=True, slots=True)
class PinpointContext:
    """A pinpoint that is being typed. ``paper`` is its authority (None if the library has no such authority),
    and ``seen`` the snapshot whose library, the draft's or the record, contains it.

    ``citation`` is the citation to which the pinpoint belongs, in the draft parsed with a number inserted.
    ``replace`` is the span of the source with ``typed`` and the rest of its word. A label is written between
    ``before`` and ``after``; if ``signs``, a paragraph is written as cited ("[12]", "¶ 12"). ``sign`` is the
    sign already before the label ("s", "¶"). ``note`` is true if a footnote number is being typed.
    """

    seen: Snapshot
    citation: Citation
    paper: Authority | None
    kind: PinpointKind
    typed: str
    replace: Span
    before: str = ""
    after: str = ""
    signs: bool = False
    sign: str = ""
    note: bool = False


def find_pinpoint_context(snapshot: Snapshot, offset: int, *, behind: bool = False) -> PinpointContext | None:
    """Return the pinpoint being typed at ``offset``, or None if there is none or its authority is unclear.

    If ``behind``, a pinpoint directly after a citation, with nothing between them, is found too.
    """
    source = snapshot.draft.source
    if behind and (context := _find_behind(snapshot, offset)):
        return context
    line = max(source.rfind("\n", 0, offset) + 1, source.rfind("\r", 0, offset) + 1, offset - _LOOK_BACK)
    label = _LABEL.search(source, line, offset)
    start = label.start() if label is not None else offset
    ends = _LABEL_ENDS.match(source, offset)
    replace = Span(start, ends.end() if ends is not None and start < offset else offset)
    after = source[replace.end : replace.end + 1]
    if after.isalnum():
        return None
    for lead in _LEADS:
        found = lead.pattern.search(source, line, start)
        if found is None or (lead.name == "comma" and not _cites_near(snapshot.draft, found.start())):
            continue
        if lead.of_record and snapshot.record is None:
            continue
        read = filter(None, (_read(snapshot, replace, offset, lead, each) for each in lead.written))
        first: PinpointContext | None = None
        for context in read:
            if context.note or _has_labels(context) or not _is_numbered(context):
                return context
            first = first or context
        if first is not None:
            return first
    return None


def _has_labels(context: PinpointContext) -> bool:
    paper = context.paper
    return paper is not None and bool(list_kinds(context, paper))


def _is_numbered(context: PinpointContext) -> bool:
    """Return whether the authority has numbered paragraphs, pages or sections, so that another form of
    pinpoint could match.
    """
    if context.paper is None:
        return False
    labels, paper = context.seen.library.contents.list_labels, context.paper.id
    return any(labels(paper, each) for each in _NUMBERED)


def list_kinds(context: PinpointContext, paper: Authority) -> list[PinpointKind]:
    """Return the kinds of pinpoint that may be typed and that the authority has, likeliest first."""
    kinds: tuple[PinpointKind, ...] = (context.kind,)
    if context.kind == "paragraph" and context.signs:  # "at 35": a bare number may be a page
        kinds = ("paragraph", "page")
    labels = context.seen.library.contents.list_labels
    return [each for each in kinds if any(one.startswith(context.typed) for one in labels(paper.id, each))]


def _cites_near(draft: Draft, offset: int) -> bool:
    return any(
        0 <= offset + 1 - each.core.end <= _NEAR
        for each in draft.citations.between(offset - _NEAR, offset + 1)
    )


def _read(
    snapshot: Snapshot, replace: Span, offset: int, lead: _Lead, written: str
) -> PinpointContext | None:
    """Return the pinpoint in the draft parsed with a label at ``replace``, or None."""
    source = snapshot.draft.source
    placed = _WRITTEN.search(written)
    assert placed is not None
    before, label, after = written[: placed.start()], placed[0], written[placed.end() :]
    if after and source.startswith(after, replace.end):
        after = ""
    number = replace.start + len(before)
    varied = snapshot.vary(f"{source[: replace.start]}{before}{label}{after}{source[replace.end :]}")
    context = partial(
        PinpointContext, typed=source[replace.start : offset], replace=replace, before=before, after=after
    )
    for seen, citation in _list_citations(varied, number) if varied is not None else ():
        pinpoint = citation.pinpoint
        if lead.name == "note" and citation.form == "supra":
            return context(seen, citation, None, "note", note=True)
        if pinpoint is None or not pinpoint.span.touches(number) or pinpoint.labels != (label,):
            continue
        if lead.of_record and not is_of_record(citation):
            continue
        paper = _find_paper(seen, citation)
        if paper is None and not citation.key and not citation.papers:
            continue
        signs = not lead.whole and pinpoint.kind == "paragraph" and not before.endswith(("[", "¶ "))
        found = lead.pattern.search(source, max(0, replace.start - _NEAR), replace.start)
        sign = found[0].strip() if found is not None and lead.name == "word" else ""
        return context(seen, citation, paper, pinpoint.kind, signs=signs, sign=sign)
    return None


def _list_citations(varied: Snapshot, number: int) -> Iterator[tuple[Snapshot, Citation]]:
    """Yield the citations that include a place, those of the record first. Each is yielded with the snapshot
    for its library, the record or the draft's.
    """
    record = see_record(varied)
    for citation in record.draft.citations.between(number - 1, number + 1) if record is not None else ():
        if record is not None and is_of_record(citation):
            yield record, citation
    for citation in varied.draft.citations.between(number - 1, number + 1):
        yield varied, citation


def _find_paper(seen: Snapshot, citation: Citation) -> Authority | None:
    if is_of_record(citation):
        papers = find_papers(seen, citation)
        return papers[0] if len(papers) == 1 else None
    return find_authority(seen.library, resolve(seen.library, seen.draft, citation))


def _find_behind(snapshot: Snapshot, offset: int) -> PinpointContext | None:
    """Return the pinpoint that may be added directly after a citation or a short form, with the text to write
    around it, or None.
    """
    draft = snapshot.draft
    near = draft.citations.between(offset - 1, offset + 1)
    ends = any(each.core.end == offset and each.form == "full" and each.pinpoint is None for each in near)
    last = draft.source[offset - 1 : offset]
    if not ends and (last.isalnum() or last.isspace()):
        return None  # a name may go on
    for kind, pinpoint in _BEHIND:
        before, after = _write_around(snapshot, kind, pinpoint, offset)
        lead = _Lead("behind", _ANYWHERE, (), "")
        context = _read(snapshot, Span(offset, offset), offset, lead, f"{before}1{after}")
        if context is not None and _has_labels(context):
            return context
    return None


def _write_around(snapshot: Snapshot, kind: str, pinpoint: PinpointKind, offset: int) -> tuple[str, str]:
    """Return the text that the draft writes before and after a pinpoint of a citation of this kind: (" at [",
    "]"), (", ", "").
    """
    draft = snapshot.draft
    number, style = "1", draft.habits_near(offset)
    written = render(("0",), "", kind, number, pinpoint, draft.jurisdiction, draft.format, style)
    plain = render(("0",), "", kind, "", pinpoint, draft.jurisdiction, draft.format, style)
    if written.pinpoint is None or not written.text.startswith(plain.text):
        return " ", ""
    return written.text[len(plain.text) : written.pinpoint.start], written.text[written.pinpoint.end :]
