"""Write a citation in the style of the draft's own citations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from lexls.citations.case_names.shorten import set_versus
from lexls.citations.jurisdiction import Customs, find_jurisdiction
from lexls.citations.model import Citation, fold, join_spaces
from lexls.citations.styles.shapes import Rendered
from lexls.text.format import Format
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.spans import Span

__all__ = ["InsertStyle", "Rendered", "detect_style", "render"]

_Habit = TypeVar("_Habit")


@dataclass(frozen=True, slots=True)
class InsertStyle:
    """How a draft writes citations. None means that it shows no habit; the custom of its jurisdiction is then
    used.

    ``italic`` is the pair of marks around case names, two empty strings for none. ``name_comma`` is true if a
    comma follows the name before citations that begin with a bracket or word, ``volume_comma`` if it does
    before those that begin with a number, as US ones do; a draft may have both. ``paragraph``, ``page`` and
    ``section`` are the text between citation and pinpoint, with "{}" for the labels (" at [{}]", ", {}", ", s
    {}"). ``section_first`` writes "section 9 of the … Act". ``parallel`` gives all citations of a case.
    """

    italic: tuple[str, str] | None = None
    name_comma: bool | None = None
    volume_comma: bool | None = None
    versus: str | None = None
    paragraph: str | None = None
    page: str | None = None
    section: str | None = None
    section_first: bool | None = None
    parallel: bool | None = None


_UNITS = {"article": "art", "regulation": "reg", "rule": "r", "schedule": "Sch", "note": "n"}


def detect_style(masked: str, source: str, citations: Sequence[Citation], format: Format) -> InsertStyle:
    """Return the most frequent habits in a draft's full citations. If two are equally frequent, the one that
    occurs first wins.
    """
    italic: Counter[tuple[str, str]] = Counter()
    commas: Counter[bool] = Counter()
    volume_commas: Counter[bool] = Counter()
    versus: Counter[str] = Counter()
    pinpoints: dict[str, Counter[str]] = {"paragraph": Counter(), "page": Counter(), "section": Counter()}
    first: Counter[bool] = Counter()
    groups: Counter[int] = Counter()
    for citation in citations:
        if citation.form != "full":
            continue
        if citation.kind == "case":
            groups[citation.group] += 1
            if citation.name and citation.span.start < citation.core.start:
                _observe_name(masked, source, citation, format, italic, commas, volume_commas, versus)
        if citation.pinpoint is None:
            continue
        before = citation.pinpoint.span.start < citation.core.start
        if citation.pinpoint.kind == "section":
            first[before] += 1
        written = None if before else _pinpoint_style(masked, citation)
        if written is not None and citation.pinpoint.kind in pinpoints:
            pinpoints[citation.pinpoint.kind][written] += 1
    parallels = Counter(count > 1 for group, count in groups.items() if group)
    return InsertStyle(
        italic=_most(italic),
        name_comma=_most(commas),
        volume_comma=_most(volume_commas),
        versus=_most(versus),
        paragraph=_most(pinpoints["paragraph"]),
        page=_most(pinpoints["page"]),
        section=_most(pinpoints["section"]),
        section_first=_most(first),
        parallel=_most(parallels),
    )


def _most(counter: Counter[_Habit]) -> _Habit | None:
    return counter.most_common(1)[0][0] if counter else None


def _observe_name(
    masked: str,
    source: str,
    citation: Citation,
    format: Format,
    italic: Counter[tuple[str, str]],
    commas: Counter[bool],
    volume_commas: Counter[bool],
    versus: Counter[str],
) -> None:
    start = citation.span.start
    between = masked[start : citation.core.start]
    name = between.rstrip(" ,\t\r\n(")
    (volume_commas if masked[citation.core.start].isdigit() else commas)["," in between[len(name) :]] += 1
    found = BETWEEN_PARTIES.search(name)
    if found:
        versus[found[1]] += 1
    end = start + len(name)
    for opening, closing in format.italics:
        # A word before the marks may have been read as the name's first ("First *Pell v Stark*").
        inside = source.find(opening, start, end)
        if inside >= 0 and not masked[inside : inside + len(opening)].strip():
            start = inside + len(opening)
        if source.endswith(opening, 0, start) and source.startswith(closing, end):
            # Two stars mean bold, which is a habit too.
            doubled = opening == closing and source.endswith(opening * 2, 0, start)
            italic[(opening * 2, closing * 2) if doubled else (opening, closing)] += 1
            return
    italic[("", "")] += 1


def _pinpoint_style(masked: str, citation: Citation) -> str | None:
    """Return the text between a citation and its pinpoint's label as a template, or None if the text is
    unusual.
    """
    assert citation.pinpoint is not None
    span = citation.pinpoint.span
    label = span.of(masked)
    lead = re.match(r"[^\dIVXLC*]*", label)
    between = masked[citation.core.end : span.start] + (lead.group() if lead else "")
    template = re.sub(r"\s+", " ", between)
    if not re.fullmatch(
        r"[ ,:]*(?:at )?(?:para(?:graph)?\.? ?|p\.? ?|page |s\.? ?|section |sec\. ?|§ ?|¶ ?)?\[?", template
    ):
        return None
    return template + ("{}]" if template.endswith("[") else "{}")


def render(
    citations: Sequence[str],
    title: str,
    kind: str,
    pinpoint: str,
    pinpoint_kind: str,
    jurisdiction: str,
    format: Format,
    style: InsertStyle,
) -> Rendered:
    """Write a full citation of an authority in ``style``, or by the custom of ``jurisdiction`` where the
    style is None.

    ``citations`` are the authority's, the preferred one first; ``kind`` is its kind ("case", "statute", …).
    ``pinpoint`` is the label without signs ("12", "12(2)", "99-100"; "" for none) and ``pinpoint_kind`` its
    unit. Names and citations are escaped for ``format``.
    """
    custom = find_jurisdiction(jurisdiction).customs
    if kind == "case":
        text = _case(citations, title, format, style, custom)
    else:
        text = format.escape(_titled(citations, title))
    if not pinpoint:
        return Rendered(text, None)
    label = format.escape(pinpoint.replace("-", custom.dash) if format.typeset else pinpoint)
    if pinpoint_kind == "section" and kind != "case":
        section_first = custom.section_first if style.section_first is None else style.section_first
        if section_first and not text.endswith("U.S.C."):
            head = f"section {label}"
            article = "" if text.casefold().startswith("the ") else "the "
            return Rendered(f"{head} of {article}{text}", Span(len("section "), len(head)))
    template = _template(pinpoint_kind, kind, text, style, custom)
    before, _, after = template.partition("{}")
    before, after = format.write_signs(before), format.write_signs(after)
    start = len(text) + len(before)
    return Rendered(f"{text}{before}{label}{after}", Span(start, start + len(label)))


def _template(pinpoint_kind: str, kind: str, text: str, style: InsertStyle, custom: Customs) -> str:
    if pinpoint_kind == "paragraph":
        return (style.paragraph or custom.paragraph) if kind == "case" else ", para {}"
    if pinpoint_kind == "page":
        return style.page or custom.page
    if pinpoint_kind == "section":
        if text.endswith(("U.S.C.", "C.F.R.")):
            return " § {}"
        return style.section or custom.section
    if pinpoint_kind == "clause":
        return custom.clause
    return f", {_UNITS.get(pinpoint_kind, pinpoint_kind)} {{}}"


def _case(citations: Sequence[str], title: str, format: Format, style: InsertStyle, custom: Customs) -> str:
    parallel = bool(style.parallel)
    chosen = list(citations) if parallel else list(citations[:1])
    cited = custom.parallel.join(format.escape(citation) for citation in chosen)
    name = join_spaces(title)
    if not name or fold(name) in {fold(citation) for citation in citations}:
        return cited or format.escape(name)
    name = set_versus(name, style.versus or custom.versus)
    marks = style.italic if style.italic is not None else format.italic
    name = f"{marks[0]}{format.escape(name)}{marks[1]}"
    if not cited:
        return name
    habit = style.volume_comma if cited[0].isdigit() else style.name_comma
    comma = custom.name_comma if habit is None else habit
    return f"{name}{',' if comma else ''} {cited}"


def _titled(citations: Sequence[str], title: str) -> str:
    """Return the citation of an authority other than a case if it contains a name, else its title followed by
    the citation in brackets.
    """
    name = join_spaces(title)
    if not citations:
        return name
    first = join_spaces(citations[0])
    if not name or fold(name) in fold(first) or re.search(r"[A-Za-z]{3}|U\.S\.C\.|C\.F\.R\.", first):
        return first
    return f"{name} ({first})"
