"""Write the report on drafts as one HTML page to read, print and sign, without network access or scripts.

Editors show the same page as a panel in which findings can be ticked and initialled.
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote

from lexls import __version__
from lexls.assessing.ignoring import describe_ignored
from lexls.assessing.papers import CitedInRecord, PaperVerdict, name_paper_verdict
from lexls.assessing.support import Support, SupportVerdict
from lexls.assessing.verdicts import (
    QuotationVerdict,
    Verdict,
    describe_agreement,
    name_quotation_verdict,
    name_support,
    name_verdict,
)
from lexls.export.page_parts import (
    Address,
    DraftPage,
    PageDraft,
    show,
    write_authority,
    write_beside,
    write_review,
    write_sentence,
    write_where,
)
from lexls.export.report import CitedAuthority, DraftReport, PinpointText, QuotedPassage
from lexls.export.ticks import Signature, list_remarks, tell_citation, tell_paper, tell_quotation
from lexls.index.records import Authority
from lexls.text.dates import write_date
from lexls.text.spans import Span

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_VERDICTS: Mapping[Verdict, str] = _TABLES["verdicts"]
"""The style of each verdict, in the order in which they need attention."""
_PAPERS: Mapping[PaperVerdict, str] = _TABLES["papers"]
_QUOTED: Mapping[QuotationVerdict, str] = _TABLES["quotations"]
_SUPPORT: Mapping[SupportVerdict, str] = _TABLES["support"]
_WARNED = '<span class="verdict wrong">Treated badly</span>'


def write_page(
    drafts: Sequence[PageDraft],
    unreadable: Sequence[tuple[str, str]],
    folder: Path,
    signed: Mapping[str, Signature] | None = None,
) -> str:
    """Return the page as HTML. Its links to authorities are relative to ``folder``, where the page will be
    stored.

    ``unreadable`` are files that could not be checked, with the reasons; ``signed`` has the signature on each
    finding.
    """
    template = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))
    names = ", ".join(Path(each.name).name for each in drafts)

    def address(authority: Authority, place: PinpointText | None) -> str:
        return _address(authority, place, folder)

    parts = [write_draft(each, address, signed or {}) for each in drafts]
    parts.extend(
        f'<p class="unreadable">{show(file)} could not be checked: {show(reason)}</p>'
        for file, reason in unreadable
    )
    return template.substitute(
        title=show(f"Citations of {names}" if names else "Citations"),
        date=show(write_date(date.today().isoformat())),
        version=show(__version__),
        body="\n".join(parts),
    )


def write_draft(draft: PageDraft, address: Address, signed: Mapping[str, Signature]) -> str:
    """Return the page's section on a draft, as HTML."""
    return "\n".join(_draft(DraftPage(draft, address, signed)))


def _draft(page: DraftPage) -> Iterator[str]:
    report = page.draft.report
    yield '<section class="draft">'
    yield f'<p class="name">{show(page.draft.name)}</p>'
    yield f'<p class="counted">{show(report.summary)}</p>'
    yield from _summary(report)
    if report.cited:
        yield "<h2>Citations</h2>"
    for number, cited in enumerate(report.cited, start=1):
        yield from _cited(number, cited, page)
    if report.of_record:
        yield "<h2>Citations of the record</h2>"
    for paper in report.of_record:
        yield from _of_record(paper, page)
    if report.quotations:
        yield "<h2>Quotations that belong to none of these citations</h2>"
        for passage in report.quotations:
            yield f'<article class="{_QUOTED[passage.verdict]}">{write_where(page, passage.span)}'
            yield from _quotation(passage)
            yield f"{page.sign(*tell_quotation(passage))}</article>"
    if report.others:
        yield "<h2>Other findings</h2>"
        for finding in report.others:
            yield f'<article class="open">{write_where(page, finding.span)}<p>{show(finding.message)}</p>'
            yield f"{page.sign(finding.code, finding.message)}</article>"
    if report.ignored:
        yield "<h2>Ignored findings</h2>"
        for ignored in report.ignored:
            message, why = ignored.finding.message, describe_ignored(ignored)
            yield f'<article class="open">{write_where(page, ignored.finding.span)}'
            yield f"<p>{show(f'{message}: {why}')}</p>"
            yield f"{page.sign(ignored.finding.code, message, why)}</article>"
    if report.review is not None:
        yield from write_review(page, report.review)
    yield '<h2>Outside this check</h2><ul class="outside">'
    uncompared = report.quotation_verdicts["not-compared"]
    if uncompared:
        yield f"<li>{uncompared:,} quotation{'' if uncompared == 1 else 's'}, compared with nothing</li>"
    for each in report.outside:
        yield f"<li>{show(each[:1].upper() + each[1:])}</li>"
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
    if report.review is not None:
        yield _row("", "Not cited, though the argument calls for it", len(report.review.uncited))
        yield _row("", "Sentences with contrary authority, as far as words tell", len(report.review.contrary))
    if report.of_record:
        yield _row("", "Citations of the record", len(report.of_record))
    papers = Counter(each.verdict for each in report.of_record)
    for each, style in _PAPERS.items():
        if papers[each]:
            yield _row(style, name_paper_verdict(each), papers[each])
    yield "</tbody></table>"
    if not report.complete:
        yield '<p class="note">The library has not been read to its end: more may be in it.</p>'


def _row(style: str, words: str, count: int) -> str:
    return f'<tr class="{style or "total"}"><td>{show(words)}</td><td class="count">{count}</td></tr>'


def _cited(number: int, cited: CitedAuthority, page: DraftPage) -> Iterator[str]:
    verdict, reason = cited.verdict, cited.reason
    words, style = name_verdict(verdict), _VERDICTS[verdict]
    yield f'<article class="{style}">'
    yield (
        f'<p class="head"><span class="number">{number}</span><span class="cited">{show(cited.text)}</span>'
        f'<span class="verdict {style}">{show(words)}</span>{_WARNED if cited.warned else ""}</p>'
    )
    yield write_where(page, cited.span, f", for {cited.stands_for}" if cited.stands_for else "")
    remarks = list_remarks(cited)
    if reason and not any(each.startswith(reason) for each in remarks):
        yield f'<p class="remark">{write_sentence(reason)}</p>'
    if agreeing := describe_agreement(cited.assessment):
        yield f'<p class="agrees">{write_sentence(agreeing)}</p>'
    if cited.authority is not None:
        yield f'<p class="authority">{write_authority(cited.authority, cited.places, page.address)}</p>'
    if cited.treatment:
        warned = "treatment warned" if cited.warned else "treatment"
        yield f'<p class="{warned}">{write_sentence("; ".join(cited.treatment))}</p>'
    for place in cited.places:
        address = page.address(cited.authority, place) if cited.authority is not None else ""
        label = f'<a class="label" href="{escape(address)}">{show(place.label)}</a>'
        yield f"<blockquote>{label} {show(place.text)}</blockquote>"
    for remark in remarks:
        yield f'<p class="remark">{write_sentence(remark)}</p>'
    if cited.support is not None and cited.support.verdict != "not-judged":
        yield from _support(cited.support)
    for passage in cited.quotations:
        yield from _quotation(passage)
    yield f"{page.sign(*tell_citation(cited))}</article>"


def _of_record(cited: CitedInRecord, page: DraftPage) -> Iterator[str]:
    words, style = name_paper_verdict(cited.verdict), _PAPERS[cited.verdict]
    yield f'<article class="{style}">'
    yield (
        f'<p class="head"><span class="cited">{show(cited.text)}</span>'
        f'<span class="verdict {style}">{show(words)}</span></p>'
    )
    yield write_where(page, cited.span)
    files = " or ".join(
        f'<a href="{escape(page.address(each, None))}">{show(each.relative)}</a>' for each in cited.papers
    )
    if files:
        yield f'<p class="authority">{files}{show(f", {cited.place}") if cited.place else ""}</p>'
    if cited.reason:
        yield f'<p class="remark">{write_sentence(cited.reason)}</p>'
    yield f"{page.sign(*tell_paper(cited))}</article>"


def _address(authority: Authority, place: PinpointText | None, folder: Path) -> str:
    """Return the URL of the authority's file, relative if possible. For a PDF it includes the page."""
    try:
        relative = os.path.relpath(authority.path, os.path.abspath(folder))
        # Without "./", a colon in the first part would be parsed as a URL scheme.
        address = "./" + quote(Path(relative).as_posix())
    except ValueError:
        address = authority.path.as_uri()
    if authority.is_pdf and place is not None and place.page:
        address += f"#page={place.page}"
    return address


def _quotation(passage: QuotedPassage) -> Iterator[str]:
    words, style = name_quotation_verdict(passage.verdict), _QUOTED[passage.verdict]
    yield f'<div class="quotation"><p><span class="verdict {style}">{show(words)}</span></p>'
    original = _marked(passage.original, passage.original_differing)
    yield write_beside("Draft", _marked(passage.text, passage.differing), original)
    for remark in (passage.reason, *passage.remarks):
        if remark:
            yield f'<p class="remark">{write_sentence(remark)}</p>'
    yield "</div>"


def _support(support: Support) -> Iterator[str]:
    words, style = name_support(support.verdict), _SUPPORT[support.verdict]
    yield f'<div class="quotation"><p><span class="verdict {style}">{show(words)}</span></p>'
    yield write_beside("Cited for", show(support.proposition), show(support.text))
    if support.reasons:
        yield f'<p class="remark">{write_sentence("they part on: " + ", ".join(support.reasons))}</p>'
    yield "</div>"


def _marked(text: str, spans: Sequence[Span]) -> str:
    """Return the text as HTML with the given segments marked."""
    parts = []
    at = 0
    for span in sorted(spans):
        if span.start < at:
            continue
        parts.append(show(text[at : span.start]))
        parts.append(f"<mark>{show(span.of(text))}</mark>")
        at = span.end
    return "".join([*parts, show(text[at:])])
