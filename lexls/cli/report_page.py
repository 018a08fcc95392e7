"""The report on drafts as one HTML page for reading, printing and signing, without network and scripts."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from urllib.parse import quote

from lexls import __version__
from lexls.cli.checked import Unreadable
from lexls.cli.output import read_tables
from lexls.cli.reported import ReportedDraft, summarise
from lexls.features.ignoring import tell_ignored
from lexls.features.quotation_verdicts import QuotationVerdict, QuotedPassage, name_quotation_verdict
from lexls.features.report import CitedAuthority, DraftReport, PinpointText
from lexls.features.support import Support, SupportVerdict
from lexls.features.verdicts import Verdict, name_support, name_verdict, tell_agreement
from lexls.features.wording import tell_absence
from lexls.grounding.place_words import date_authority
from lexls.index.records import Authority
from lexls.text.dates import write_date
from lexls.text.spans import Span

_TABLES = read_tables("tables.toml")
_VERDICTS: Mapping[Verdict, str] = _TABLES["verdicts"]
"""How each verdict is set; what most needs a look first."""
_QUOTED: Mapping[QuotationVerdict, str] = _TABLES["quotations"]
_SUPPORT: Mapping[SupportVerdict, str] = _TABLES["support"]
_SAID = tell_absence(complete=True)
"""How a remark ends that says no more than the verdict does."""
_WARNED = '<span class="verdict wrong">Treated badly</span>'
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of writing around."""


def write_page(drafts: Sequence[ReportedDraft], unreadable: Sequence[Unreadable], folder: Path) -> str:
    """The page; links to authorities are relative to ``folder``, in which it will lie."""
    template = Template(files("lexls.cli").joinpath("report.html").read_text(encoding="utf-8"))
    names = ", ".join(each.path.name for each in drafts)
    parts = [part for each in drafts for part in _draft(each, folder)]
    parts.extend(
        f'<p class="unreadable">{_text(str(each.file))} could not be checked: {_text(each.reason)}</p>'
        for each in unreadable
    )
    return template.substitute(
        title=_text(f"Citations of {names}" if names else "Citations"),
        date=_text(write_date(date.today().isoformat())),
        version=_text(__version__),
        body="\n".join(parts),
    )


def _draft(draft: ReportedDraft, folder: Path) -> Iterator[str]:
    report = draft.report
    yield '<section class="draft">'
    yield f'<p class="name">{_text(str(draft.path))}</p>'
    yield f'<p class="counted">{_text(summarise(report))}</p>'
    yield from _summary(report)
    if report.cited:
        yield "<h2>Citations</h2>"
    for number, cited in enumerate(report.cited, start=1):
        yield from _cited(number, cited, draft, folder)
    if report.quotations:
        yield "<h2>Quotations that belong to none of these citations</h2>"
        for passage in report.quotations:
            yield f'<article><p class="where">{_text(_where(draft, passage.span))}</p>'
            yield from _quotation(passage)
            yield "</article>"
    if report.others:
        yield "<h2>Other findings</h2><ul>"
        for finding in report.others:
            where = _text(_where(draft, finding.span))
            yield f'<li><span class="where">{where}</span> {_text(finding.message)}</li>'
        yield "</ul>"
    if report.ignored:
        yield "<h2>Ignored findings</h2><ul>"
        for each in report.ignored:
            where, said = _text(_where(draft, each.finding.span)), _text(each.finding.message)
            yield f'<li><span class="where">{where}</span> {said}: {_text(tell_ignored(each))}</li>'
        yield "</ul>"
    yield "<h2>Outside this check</h2><ul>"
    for said in report.outside:
        yield f"<li>{_text(said[:1].upper() + said[1:])}</li>"
    yield "</ul></section>"


def _summary(report: DraftReport) -> Iterator[str]:
    counts, quoted = report.verdicts, report.quotation_verdicts
    warned = sum(each.warned for each in report.cited)
    yield '<table class="summary"><tbody>'
    yield _row("", "Citations", len(report.cited))
    for verdict, style in _VERDICTS.items():
        if counts[verdict]:
            yield _row(style, name_verdict(verdict), counts[verdict])
    if warned:
        yield _row("wrong", "Citations of authorities that were treated badly", warned)
    if report.quoted:
        yield _row("", "Quotations", len(report.quoted))
    for kind, style in _QUOTED.items():
        if quoted[kind]:
            yield _row(style, name_quotation_verdict(kind), quoted[kind])
    supported = Counter(each.support.verdict for each in report.cited if each.support is not None)
    if supported:
        yield _row("", "Cited for what the authority says", supported.total() - supported["not-judged"])
    for support, style in _SUPPORT.items():
        if supported[support]:
            yield _row(style, name_support(support), supported[support])
    yield "</tbody></table>"
    if not report.complete:
        yield '<p class="note">The library has not been read to its end: more may be in it.</p>'


def _row(style: str, words: str, count: int) -> str:
    return f'<tr class="{style or "total"}"><td>{_text(words)}</td><td class="count">{count}</td></tr>'


def _cited(number: int, cited: CitedAuthority, draft: ReportedDraft, folder: Path) -> Iterator[str]:
    judgement = cited.judgement
    words, style = name_verdict(judgement.verdict), _VERDICTS[judgement.verdict]
    yield f'<article class="{style}">'
    yield (
        f'<p class="head"><span class="number">{number}</span><span class="cited">{_text(cited.text)}</span>'
        f'<span class="verdict {style}">{_text(words)}</span>{_WARNED if cited.warned else ""}</p>'
    )
    where = _text(_where(draft, cited.span))
    behind = f", for {_text(cited.stands_for)}" if cited.stands_for else ""
    yield f'<p class="where">{where}{behind}</p>'
    told = {remark for passage in cited.quotations for remark in passage.remarks}
    remarks = [
        each
        for each in cited.remarks
        if each not in told and each not in judgement.reason and not each.endswith(_SAID)
    ]
    if judgement.reason and not any(each.startswith(judgement.reason) for each in remarks):
        yield f'<p class="remark">{_sentence(judgement.reason)}</p>'
    if agreeing := tell_agreement(judgement):
        yield f'<p class="agrees">{_sentence(agreeing)}</p>'
    if cited.authority is not None:
        yield f'<p class="authority">{_authority(cited.authority, cited.places, folder)}</p>'
    if cited.treatment:
        warned = "treatment warned" if cited.warned else "treatment"
        yield f'<p class="{warned}">{_sentence("; ".join(cited.treatment))}</p>'
    for place in cited.places:
        yield f'<blockquote><span class="label">{_text(place.label)}</span> {_text(place.text)}</blockquote>'
    for remark in remarks:
        yield f'<p class="remark">{_sentence(remark)}</p>'
    if cited.support is not None and cited.support.verdict != "not-judged":
        yield from _support(cited.support)
    for passage in cited.quotations:
        yield from _quotation(passage)
    yield "</article>"


def _authority(authority: Authority, places: Sequence[PinpointText], folder: Path) -> str:
    title = authority.name
    named = [_text(each) for each in authority.citations if each != title]
    known = [_text(each) for each in (authority.court, date_authority(authority)) if each]
    address = _address(authority, places, folder)
    parts = [
        f"<strong>{_text(title)}</strong>",
        "; ".join(named),
        ", ".join(known),
        f'<a href="{escape(address)}">{_text(authority.relative)}</a>',
    ]
    return " · ".join(part for part in parts if part)


def _address(authority: Authority, places: Sequence[PinpointText], folder: Path) -> str:
    """Where the page finds the authority's file: relative where that is possible, at the page of a PDF."""
    try:
        relative = os.path.relpath(authority.path, os.path.abspath(folder))
        # A colon in the first part would be read as the name of a scheme.
        address = "./" + quote(Path(relative).as_posix())
    except ValueError:
        address = authority.path.as_uri()
    if authority.path.suffix.lower() == ".pdf" and places and places[0].page:
        address += f"#page={places[0].page}"
    return address


def _quotation(passage: QuotedPassage) -> Iterator[str]:
    words, style = name_quotation_verdict(passage.verdict), _QUOTED[passage.verdict]
    yield f'<div class="quotation"><p><span class="verdict {style}">{_text(words)}</span></p>'
    yield f'<p class="quoted"><span class="label">Draft</span> {_marked(passage.text, passage.differing)}</p>'
    if passage.original:
        original = _marked(passage.original, passage.original_differing)
        yield f'<p class="quoted"><span class="label">Authority</span> {original}</p>'
    for remark in (passage.reason, *passage.remarks):
        if remark:
            yield f'<p class="remark">{_sentence(remark)}</p>'
    yield "</div>"


def _support(support: Support) -> Iterator[str]:
    words, style = name_support(support.verdict), _SUPPORT[support.verdict]
    yield f'<div class="quotation"><p><span class="verdict {style}">{_text(words)}</span></p>'
    yield f'<p class="quoted"><span class="label">Cited for</span> {_text(support.proposition)}</p>'
    if support.text:
        yield f'<p class="quoted"><span class="label">Authority</span> {_text(support.text)}</p>'
    if support.reasons:
        yield f'<p class="remark">{_sentence("they part on: " + ", ".join(support.reasons))}</p>'
    yield "</div>"


def _marked(text: str, spans: Sequence[Span]) -> str:
    """The text with these segments of it marked."""
    parts = []
    at = 0
    for span in sorted(spans):
        if span.start < at:
            continue
        parts.append(_text(text[at : span.start]))
        parts.append(f"<mark>{_text(span.of(text))}</mark>")
        at = span.end
    return "".join([*parts, _text(text[at:])])


def _where(draft: ReportedDraft, span: Span) -> str:
    place = draft.places(span)
    return place.words.split(", character")[0] if place.words else f"line {place.line}"


def _sentence(text: str) -> str:
    """Text as a sentence of its own."""
    return _text(text[:1].upper() + text[1:]) + ("" if text.endswith(".") else ".")


def _text(text: str) -> str:
    """Text of drafts and authorities as HTML that shows just that, white space folded."""
    return escape(re.sub(r"\s+", " ", _UNSEEN.sub("", text)))
