"""Gather what is known of a citation from the draft that writes it and from the library."""

from __future__ import annotations

import re

from lexls.citations.courts import abbreviate_court, make_court_pattern
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.citations.styles import Reference
from lexls.features.resolve import find_authority, resolve
from lexls.features.snapshot import Snapshot
from lexls.index.records import Authority
from lexls.text.lexicon import split_words

_COURT_YEAR = re.compile(
    r"\((?P<court>[^()\d]{0,20}(?:\d{1,2}(?:d|st|nd|rd|th)[^()\d]{0,20})?)\s?(?P<year>\d{4})\)"
)
_RUN_TOGETHER = re.compile(r"\.(?=[A-Z][a-z])")
_PLURAL = re.compile(r"§§|\b[Ss]s\.?\s|\b[Ss]ections\b|\b[Ss]ecs\b")
_WORD = re.compile(r"[^\W_]+")
POINTING = split_words(
    """
    at para paras paragraph paragraphs page pages p pp s ss sec secs section sections art arts article
    articles reg regs regulation regulations r rr rule rules sch schs schedule schedules cl cls clause of the
    and to or c no nos v vs versus reported in also
    """
)
"""Words of a citation that say how it points, and nothing of what is cited."""


def read_written(snapshot: Snapshot, citation: Citation, *, whole: bool = True) -> Reference | None:
    """What is known of a full citation from the draft and the library.

    None if more is written than is known, where the ``whole`` of it matters. Nothing is guessed: a court or
    year is taken from the citation's own brackets or from the library.
    """
    draft = snapshot.draft
    if citation.form != "full" or not citation.key:
        return None
    group = draft.group_of(citation)
    pinned = [each for each in group if each.pinpoint is not None]
    if len(pinned) > 1:
        return None
    first = group[0]
    authority = find_authority(snapshot.library, resolve(snapshot.library, draft, citation))
    mention = draft.mention_of(citation)
    text = mention.of(draft.masked)
    bracket = _COURT_YEAR.search(text, max(0, group[-1].core.end - mention.start))
    behind = make_court_pattern().match(draft.masked, mention.end)
    court = (bracket["court"].strip(" ,") if bracket else "") or (behind["court"] if behind else "")
    inside = make_court_pattern().search(text)
    court = court or (inside["court"] if inside else "") or _court_of(authority, first.key)
    court = _RUN_TOGETHER.sub(". ", court)
    year = first.year or (int(bracket["year"]) if bracket else None)
    if citation.kind == "case" and year is None and authority is not None:
        year = authority.year
    pinpoint = pinned[0].pinpoint if pinned else None
    name = next((each.name for each in group if each.name), "")
    known = Reference(
        kind=citation.kind,
        name=name,
        citations=tuple(dict.fromkeys(each.key for each in group)),
        jurisdiction=citation.jurisdiction,
        court=court,
        year=year,
        pinpoint=pinpoint.kind if pinpoint is not None else "paragraph",
        labels=pinpoint.labels if pinpoint is not None else (),
        pinned=pinned[0].key if pinned else "",
    )
    if not whole:
        return known
    if not all(_as_keyed(draft.masked, each) for each in group):
        return None
    return known if _accounts_for(text, known, citation) else None


def _as_keyed(masked: str, citation: Citation) -> bool:
    """Whether a citation is written in the letters of its key, and its pinpoint says what it counts.

    Other letters ("C.A. No. 140 of 1964") may be what a reader knows it by; a bare number behind what counts
    paragraphs may be a page all the same.
    """
    written = citation.core.of(masked)
    if citation.kind != "constitution" and (
        fold(written) != fold(citation.key) or ("-" in written and "-" not in citation.key)
    ):
        return False
    pinpoint = citation.pinpoint
    if citation.kind != "case" or pinpoint is None or pinpoint.kind != "paragraph":
        return True
    return re.search(r"\[|para|¶", masked[citation.core.end : pinpoint.span.end]) is not None


def _court_of(authority: Authority | None, cited: str) -> str:
    if authority is None:
        return ""
    citation = authority.citation or cited
    return abbreviate_court(authority.jurisdiction, citation, authority.court, authority.date)


def _accounts_for(text: str, known: Reference, citation: Citation) -> bool:
    """Whether every word of a written citation is part of what is known, and an Act's title is all there."""
    telling = " ".join((known.name, *known.citations, known.court, str(known.year or ""), *known.labels))
    letters = fold(telling)
    known_words = {fold(each) for each in _WORD.findall(telling)}
    for word in _WORD.findall(text):
        folded = fold(word)
        if folded in known_words or folded in POINTING or (len(folded) < 5 and folded in letters):
            continue
        if word.isdigit() and any(each.endswith(word) for each in _WORD.findall(" ".join(known.labels))):
            continue
        if folded not in letters:
            return False
    # "§ 7(a)(1) and (b)": what the second means is not written, so it stays as it is.
    run = "".join(text.split())
    of_section = known.pinpoint not in ("page", "paragraph")
    if of_section and _PLURAL.search(text) and any(map(_unsure, known.labels)):
        return False
    if any(end not in run for label in known.labels for end in re.split("[- ]", label) if end):
        return False
    if citation.kind == "case":
        return True
    # "s 302 IPC" is no full title: what stands there is left alone.
    return all(fold(each) in fold(text) for key in known.citations[:1] for each in _WORD.findall(key))


def _unsure(label: str) -> bool:
    """Whether a label with a hyphen may be one section ("2-207") or the ends of several ("717-717z")."""
    left, hyphen, right = label.partition("-")
    return bool(hyphen) and not (left.isdigit() and right.isdigit() and len(left) == len(right))
