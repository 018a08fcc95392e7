"""Collect what the draft and the library say about a citation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lexls.citations.courts import abbreviate_court, add_stops, make_court_pattern
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation, fold, join_spaces
from lexls.citations.pinpoints import find_end
from lexls.citations.styles import PinnedPlace, Reference
from lexls.index.records import Authority
from lexls.reading.draft import Draft
from lexls.reading.resolve import find_authority, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.dates import MONTH_START
from lexls.text.lexicon import split_words
from lexls.text.spans import Span

_COURT_YEAR = re.compile(
    r"\((?P<court>[^()]{0,60}?)[\s,]*"
    rf"(?:\b(?P<date>(?:{MONTH_START})[a-z]{{0,6}}\.?\s\d{{1,2}}),\s"
    rf"|\b(?P<day>\d{{1,2}})\s(?P<month>(?:{MONTH_START})[a-z]{{0,6}}\.?)\s)?\b(?P<year>1[6-9]\d\d|20\d\d)\)"
)
_COURT_BEHIND = re.compile(rf",?\s{_COURT_YEAR.pattern},?\Z")
_BEHIND = re.compile(rf"\s?{_COURT_YEAR.pattern}")
# Words before a year in brackets that name the publisher of a code, not a court.
_PUBLISHER = re.compile(r"[“”\"]|\bed\b")
_EDITION = re.compile(r"\((?P<edition>[^()]*\b(?:1[89]|20)\d\d[^()]*)\)\s*\Z")
_RUN_TOGETHER = re.compile(r"(?<=[A-Za-z]{2}\.)(?=[A-Z])|(?<=\.)(?=[A-Z][a-z])")
# The start of a list of pinpoints, and what may precede each of its pages.
_LEAD = re.compile(
    r"\A(?:(?:§+|[Ss]ections?|[Ss]ecs?\.?|ss?\.?|[Aa]rts?\.?|[Aa]rticles?|[Rr]egs?\.?|[Rr]egulations?|[Rr]r?\.?"
    r"|[Rr]ules?|[Ss]chs?\.?|[Ss]chedules?|[Cc]ls?\.?|[Cc]lauses?|at|pp?\.?|pages?|paras?\.?|¶+)\s*)+(?=[\d(*A-Z])"
)
_YEAR_BEFORE = re.compile(r"\A[(\[]\d{4}[)\]]\s?(?=\d)")
_DOCKET = re.compile(r",? (?P<docket>(?:Nos?\. )?[\w:.,& -]*\d[\w-]*),?")
_NUMBERED = re.compile(r"(?:19|20)\d\d [A-Z]{2,4}(?: [A-Z][A-Za-z]{1,3})? \d+")
_PLURAL = re.compile(r"§§|\b[Ss]s\.?\s|\b[Ss]ections\b|\b[Ss]ecs\b")
_WORD = re.compile(r"[^\W_]+")
POINTING = split_words(
    """
    at para paras paragraph paragraphs page pages p pp s ss sec secs section sections art arts article
    articles reg regs regulation regulations r rr rule rules sch schs schedule schedules cl cls clause of the
    and to or c no nos v vs versus reported in also
    """
)
"""Words in a citation that introduce a pinpoint or join parts, but do not identify the authority."""


def read_written(snapshot: Snapshot, citation: Citation, *, whole: bool = True) -> Reference | None:
    """Return what the draft and the library say about a full citation, or None if it is not a full citation
    with a key.

    With ``whole``, also return None if parts of the citation are not understood. Nothing is guessed: a court
    or year is read from the citation's own brackets or from the library.
    """
    draft = snapshot.draft
    if citation.form != "full" or not citation.key:
        return None
    group = draft.group_of(citation)
    pinned = [each for each in group if each.pinpoint is not None]
    first = group[0]
    authority = find_authority(snapshot.library, resolve(snapshot.library, draft, citation))
    mention = find_mention(draft, citation)
    text = mention.of(draft.masked)
    behind = text[max(0, group[-1].core.end - mention.start) :]
    bracket = _COURT_YEAR.search(behind) or _COURT_YEAR.search(text[: first.core.start - mention.start])
    court = day = ""
    if bracket is not None:
        day = bracket["date"] or (f"{bracket['month']} {bracket['day']}" if bracket["day"] else "")
        if citation.kind == "case" and not _PUBLISHER.search(bracket["court"]):
            court = bracket["court"].strip(" ,")
    if not court:
        pattern = make_court_pattern()
        found = pattern.match(draft.masked, mention.end)
        found = found or pattern.search(_without_reports(text, mention, group))
        court = found["court"] if found is not None else ""
    told = bracket is not None or bool(court) or first.year is not None
    court = _RUN_TOGETHER.sub(" ", court or _court_of(authority, first.key))
    if find_jurisdiction(citation.jurisdiction).customs.court_and_year:
        court = add_stops(court)
    year = first.year or (int(bracket["year"]) if bracket else None)
    if citation.kind == "case" and year is None and authority is not None:
        year = authority.year
    edition = _EDITION.search(text) if citation.kind != "case" else None
    pins = [read_place(draft.masked, each) for each in pinned]
    name = _COURT_BEHIND.sub("", next((each.name for each in group if each.name), ""))
    known = Reference(
        kind=citation.kind,
        name=name,
        citations=tuple(dict.fromkeys(_name_report(draft.masked, each) for each in group)),
        jurisdiction=citation.jurisdiction,
        court=court,
        year=year,
        pinpoint=pins[0].pinpoint if pins else "paragraph",
        labels=pins[0].labels if pins else (),
        written=pins[0].written if pins else "",
        pinned=pins[0].report if pins else "",
        more_pinned=tuple(pins[1:]),
        date=day,
        docket=_read_docket(draft.masked[first.span.start : first.core.start], first.name),
        edition=join_spaces(edition["edition"]) if edition is not None else "",
        dateless=not told and (year is None or _is_told_elsewhere(draft, group)),
    )
    if not whole:
        return known
    if citation.kind == "case" and fold(name) not in fold(text):
        known = replace(known, name="")  # it belongs to the short form before a parallel report
    if name.endswith((" and", " &", ",")):
        return None  # the name includes words of the sentence
    if not all(_as_keyed(draft.masked, each) for each in group):
        return None
    if citation.kind == "case":
        text = _without_reports(text, mention, group)
    return known if _accounts_for(text, known, citation) else None


def find_mention(draft: Draft, citation: Citation) -> Span:
    """Return the whole span of a full citation. It includes a bracket that closes after its parallel reports
    ("[76 L. Ed. 2d 1]"), and a court and year that the citation parser missed ("(CA 6, 2003)").
    """
    span = draft.mention_of(citation)
    if citation.kind != "case":
        return span
    text = span.of(draft.masked)
    for opening, closing in ("[]", "()"):
        if text.count(opening) == text.count(closing) + 1:
            bracket = re.compile(rf"\s?{re.escape(closing)}").match(draft.masked, span.end)
            span = Span(span.start, bracket.end()) if bracket is not None else span
    behind = _BEHIND.match(draft.masked, span.end)
    dated = find_jurisdiction(citation.jurisdiction).customs.court_and_year
    if behind is not None and dated and not _BEHIND.search(span.of(draft.masked)):
        span = Span(span.start, behind.end())
    return span


def _without_reports(text: str, mention: Span, group: Sequence[Citation]) -> str:
    """Return the text of a citation with its reports blanked."""
    for each in group:
        start, end = each.core.start - mention.start, each.core.end - mention.start
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _read_docket(written: str, name: str) -> str:
    """Return the docket number between a case's name and its number in a legal database; "" if there
    is none.
    """
    if not name:
        return ""
    docket = _DOCKET.fullmatch(join_spaces(written).partition(name)[2])
    return docket["docket"] if docket is not None else ""


def _is_told_elsewhere(draft: Draft, group: Sequence[Citation]) -> bool:
    """Return whether the draft gives the year of a case elsewhere, in another citation of it."""
    keys = {each.key for each in group}
    years = draft.once("years told", lambda: {each.key for each in draft.citations if each.year is not None})
    return bool(keys & years)


def _name_report(masked: str, citation: Citation) -> str:
    """Return a citation's key, or the draft's spelling of it if the key is a court's own number and the draft
    spells it differently ("2006 ND 65").
    """
    written = join_spaces(citation.core.of(masked))
    return written if _NUMBERED.fullmatch(written) and fold(written) == fold(citation.key) else citation.key


def read_place(masked: str, citation: Citation) -> PinnedPlace:
    """Return the pinpoints of a citation, written as in the draft."""
    pinpoint = citation.pinpoint
    assert pinpoint is not None
    if citation.kind == "constitution":
        return PinnedPlace(citation.key, pinpoint.kind, pinpoint.labels)
    listed = pinpoint.kind not in ("page", "paragraph")
    end = find_end(masked, pinpoint)
    thousands = any(each.isdigit() and len(each) > 4 for each in pinpoint.labels)
    written = ""
    if listed or pinpoint.notes or end > pinpoint.span.end or thousands:
        written = _LEAD.sub("", join_spaces(masked[pinpoint.span.start : end]))
    return PinnedPlace(_name_report(masked, citation), pinpoint.kind, pinpoint.labels, written)


def _as_keyed(masked: str, citation: Citation) -> bool:
    """Return whether a citation is written like its key, and its pinpoint states what it counts (pages or
    paragraphs).

    Other letters ("C.A. No. 140 of 1964") may be how readers know the case, unless they abbreviate the same
    words ("5 Sup. Ct. Rep. 25"). A bare number that was parsed as a paragraph may in fact be a page.
    """
    written = _YEAR_BEFORE.sub("", citation.core.of(masked))
    if citation.kind != "constitution" and (
        not (
            fold(citation.core.of(masked)) == fold(citation.key)
            or _shorten(written) == _shorten(citation.key)
        )
        or ("-" in written and "-" not in citation.key)
    ):
        return False
    pinpoint = citation.pinpoint
    if citation.kind != "case" or pinpoint is None or pinpoint.kind != "paragraph":
        return True
    return re.search(r"\[|para|¶", masked[citation.core.end : pinpoint.span.end]) is not None


def _shorten(written: str) -> list[str]:
    """Return the numbers of a report and the initials of its words, without "Rep"."""
    words = re.findall(r"\d+(?:d|th|st|nd|rd)?\b|[^\W\d_](?:[^\W\d_]|['’])*", written)
    return [each if each[0].isdigit() else each[0].upper() for each in words if each != "Rep"]


def _court_of(authority: Authority | None, cited: str) -> str:
    if authority is None:
        return ""
    citation = authority.citation or cited
    return abbreviate_court(authority.jurisdiction, citation, authority.court, authority.date)


def _accounts_for(text: str, known: Reference, citation: Citation) -> bool:
    """Return whether every word of a citation, as written, is understood, and an Act's title is complete."""
    further = [each for pin in known.more_pinned for each in (*pin.labels, pin.written)]
    listed = [*known.labels, known.written, *further]
    told = (known.court, known.docket, known.date, known.edition, str(known.year or ""), *listed)
    telling = " ".join((known.name, *known.citations, *told))
    letters = fold(telling)
    known_words = {fold(each) for each in _WORD.findall(telling)}
    for word in _WORD.findall(text):
        folded = fold(word)
        if folded in known_words or folded in POINTING or (len(folded) < 5 and folded in letters):
            continue
        if word.isdigit() and any(each.endswith(word) for each in _WORD.findall(" ".join(listed))):
            continue
        if folded not in letters:
            return False
    # "§ 7(a)(1) and (b)": the second pinpoint is ambiguous, so the citation stays unchanged.
    run = "".join(text.split())
    of_section = known.pinpoint not in ("page", "paragraph")
    if of_section and _PLURAL.search(text) and any(map(_unsure, known.labels)):
        return False
    if any(end not in run for label in known.labels for end in re.split("[- ]", label) if end):
        return False
    if citation.kind == "case":
        return True
    # "s 302 IPC" is not a full title, so it stays unchanged.
    return all(fold(each) in fold(text) for key in known.citations[:1] for each in _WORD.findall(key))


def _unsure(label: str) -> bool:
    """Return whether a label with a hyphen could be either a single section ("2-207") or a range
    ("717-717z").
    """
    left, hyphen, right = label.partition("-")
    return bool(hyphen) and not (left.isdigit() and right.isdigit() and len(left) == len(right))
