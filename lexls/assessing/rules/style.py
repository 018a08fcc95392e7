"""Report citations that do not follow the style guide in the settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lexls.assessing.check import LocalCheck, Problem
from lexls.assessing.excerpt import Excerpt
from lexls.citations.model import Citation, fold, join_spaces
from lexls.citations.styles import Reference, Style
from lexls.reading.draft import Draft
from lexls.reading.edit import Fix
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.spans import Span
from lexls.writing.citing import load_style
from lexls.writing.convert import convert_at
from lexls.writing.written_reference import read_written

CITATION_STYLE = DiagnosticRule(
    code="citation-style",
    severity="hint",
    order=170,
    help="A citation that does not follow the style guide in `citations.style`.",
    documentation="""\
This is reported only if `citations.style` names a style guide. The quick fix writes the citation as the
guide requires. It changes how an authority is cited, never which authority is cited.""",
)


_STOPPED = re.compile(r"[A-Za-z]\.(?=[\sA-Za-z0-9)]|$)")
_HYPHEN = re.compile(r"(?<=[\d\])])-(?=[\d\[(])")
_SPACES = re.compile(r"\s+")
_COURT = re.compile(r"\s?\([A-Za-z][A-Za-z ]{0,20}\)")


def check_style(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each full citation that breaks a rule of the style; the fix rewrites the whole citation. Only
    explicit rules are checked, not italics, optional courts, additional parallel citations or short forms.
    Nothing is reported if the style needs details that are unknown.
    """
    style = load_style(excerpt.snapshot)
    if style is None:
        return
    draft = excerpt.snapshot.draft
    seen: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if citation.form != "full" or not citation.key or citation.group in seen:
            continue
        if draft.key_of(citation) is not None:
            continue
        token.raise_if_cancelled()
        if citation.group:
            seen.add(citation.group)
        known = read_written(excerpt.snapshot, citation)
        broken = _broken(draft, citation, known, style) if known is not None else None
        if broken is None:
            continue
        fix = convert_at(excerpt.snapshot, citation, style, local=True)
        if fix is not None and excerpt.paragraph.start <= fix.span.start:
            span, rule = broken
            yield Problem(
                span,
                CITATION_STYLE.code,
                f"{style.title} {rule}",
                resolution.authority,
                fixes=(Fix(f"Write it as {style.title} does", (fix,)),),
            )


def _broken(draft: Draft, citation: Citation, known: Reference, style: Style) -> tuple[Span, str] | None:
    """Return the span where a written citation first breaks a rule of the style, and the rule in words; None
    if it breaks none.
    """
    masked = draft.masked
    group = draft.group_of(citation)
    first = group[0]
    plain = style.render(known, "full", PLAIN)
    if plain is None:
        return None
    if citation.kind == "case":
        name = BETWEEN_PARTIES.search(masked, first.span.start, first.core.start) if first.name else None
        if name is not None and name[1] != style.versus:
            return Span(*name.span(1)), f"writes “{style.versus}” between the parties"
        comma = _comma(draft, first, plain.text)
        if comma is not None:
            return comma
        for each in group:
            written = each.core.of(masked)
            if not style.stops and _STOPPED.search(written):
                return each.core, "writes abbreviations without full stops"
            fewer = fold(written) == fold(each.key) and written.count(".") < each.key.count(".")
            if style.stops and fewer:
                return each.core, "writes abbreviations with full stops"
        ordered = _ordered(group, plain.text)
        if ordered is not None:
            return ordered
    pinned = next((each for each in group if each.pinpoint is not None), None)
    return _pinpoint(draft, pinned, known, style) if pinned is not None else None


def _comma(draft: Draft, first: Citation, plain: str) -> tuple[Span, str] | None:
    """Return where the style forbids or requires a comma before the citation but the draft does otherwise,
    with the rule in words; else None.
    """
    if not first.name or first.span.start >= first.core.start:
        return None
    between = draft.masked[first.span.start : first.core.start]
    name = between.rstrip(" ,\t\r\n")
    gap = Span(first.span.start + len(name), first.core.start)
    if between[len(name) :].strip() not in ("", ",") or name.endswith("("):
        return None
    begins = re.search(r"[\[(]?\d", draft.masked[first.core.start : first.core.end])
    if begins is None or begins.start() > 0:
        return None
    core = join_spaces(first.core.of(draft.masked))
    at = next((plain.find(start) for start in (core[:4], core[:3]) if start in plain), -1)
    if at < 2:
        return None
    wants, has = plain[:at].rstrip().endswith(","), "," in gap.of(draft.masked)
    if wants == has:
        return None
    return Span(gap.start, first.core.end), f"writes {'a' if wants else 'no'} comma before the citation"


def _ordered(group: list[Citation], plain: str) -> tuple[Span, str] | None:
    """Return the span of parallel citations that are not in the style's order, with the rule in words; else
    None. Citations that the style omits are ignored.
    """
    letters = fold(plain)
    places = [letters.find(fold(each.key)) for each in group]
    kept = [place for place in places if place >= 0]
    if len(kept) < 2 or kept == sorted(kept):
        return None
    wanted = min((place, each.key) for place, each in zip(places, group, strict=True) if place >= 0)
    return Span(group[0].core.start, group[-1].core.end), f"puts {wanted[1]} first"


def _pinpoint(draft: Draft, citation: Citation, known: Reference, style: Style) -> tuple[Span, str] | None:
    """Return where the introduction of a pinpoint, or the sign in a range, differs from the style's, with the
    rule in words; else None.
    """
    assert citation.pinpoint is not None
    masked, pinpoint = draft.masked, citation.pinpoint
    leads = style.leads(known)
    if leads is None or pinpoint.span.start < citation.core.end:
        return None
    text = masked[citation.core.end : pinpoint.span.end]
    lead = re.match(r"[^\dIVXLC*]*", _COURT.sub("", text, count=1))
    if lead is None or "[" in lead.group()[:-1]:
        return None
    written = _bare(lead.group())
    kind = f"{known.kind}.{known.pinpoint}"
    accepted = [leads[0], *(each.partition("{}")[0] for each in style.accepts.get(kind, ()))]
    if known.kind == "case" and not style.comma_after_bracket:
        accepted.append(leads[0].lstrip(","))
    if written not in {_bare(each) for each in accepted}:
        rendered = style.render(replace(known, pinned=""), "full", PLAIN)
        if rendered is None or rendered.pinpoint is None:
            return None
        shown = (
            (leads[0] + rendered.pinpoint.of(rendered.text) + leads[1]).replace("[[", "[").replace("]]", "]")
        )
        return pinpoint.span, f"writes this pinpoint as “{shown.strip(' ,')}”{_after(leads[0], written)}"
    hyphen = _HYPHEN.search(masked, pinpoint.span.start, pinpoint.span.end)
    ranged = known.pinpoint in ("page", "paragraph") and any("-" in label for label in known.labels)
    if style.dash == "–" and hyphen is not None and ranged and not draft.format.hyphens:
        return pinpoint.span, "joins the ends of a range by an en dash"
    return None


def _after(wanted: str, written: str) -> str:
    """Return " after a comma" or " without a comma" if the comma before the pinpoint is the difference, or
    "".
    """
    if wanted.startswith(",") and not written.startswith(","):
        return " after a comma"
    return " without a comma" if written.startswith(",") and not wanted.startswith(",") else ""


def _bare(lead: str) -> str:
    """Return the introduction of a pinpoint, stripped and with whitespace collapsed."""
    return _SPACES.sub(" ", lead).strip()


CHECKS = (LocalCheck((CITATION_STYLE,), check_style),)
