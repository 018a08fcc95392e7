"""Prepare a paragraph for the resolver: its mentions, with everything about them that does not depend on
other paragraphs.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.citations.asides import (
    end_parentheticals,
    find_name_before,
    find_page_turns,
    find_records,
    has_volume,
    is_cited_by,
    is_declared,
    is_of_other_constitution,
    is_of_record,
    is_only_named,
    is_quoted_of_section,
)
from lexls.citations.case_names.shorten import list_openings, list_short_names
from lexls.citations.definitions import Definition
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Mention, Pinpoint, fold
from lexls.citations.record import RecordCitation, stands_alone
from lexls.citations.scan import Scan
from lexls.citations.steps import (
    Around,
    CaseStep,
    CitedReport,
    IdStep,
    MentionStep,
    NamedStep,
    NounStep,
    PageTurn,
    ReportStep,
    Resolved,
    SectionStep,
    Source,
    Step,
    Tail,
    TermDefined,
    TextInserted,
    UnreadCited,
    Volume,
    WorkStep,
    find_names_said,
    make_name_key,
    read_pinned_page,
)
from lexls.text.lexicon import VERSUS
from lexls.text.spans import Coverage, Span

_TITLE_YEAR = re.compile(r"[\s,(]{0,40}\d{4}\)?(?:\s{0,40}\([A-Za-z]+\))?$")
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"\d+")
_LAST_NUMBER = re.compile(r"\d+(?=\D*\Z)")
# The text between citations of one string: "…; see also …", "… (holding that …), … and …".
_STRING = re.compile(
    r"(?:[\s,.]{0,9}\([^()]{0,300}\)){0,3}[\s)\].,”\"’]{0,9}(?:;|,|\band\b|&)[\s,]{0,9}"
    r"(?:(?:see|also|but|cf|e\.?g|accord|compare|with|contra|generally|and|in|the|to|both)\b[.,]?[\s,]{1,9}){0,6}",
    re.IGNORECASE,
)
_BEHIND_CITATION = frozenset(';, \n\t\r\xa0.)](”"’&')
_ARTICLE = re.compile(r"[Aa]rt(?:icle|s?\.)\s([IVX]+)")
_AMENDMENT = re.compile(
    r"\b[Aa]m(?:dts?|dn|end(?:ment|\.))\.?\s(?:\d|[IVX])|(?:[a-z](?:th|st|nd|rd)\s|\A)Amendment\b(?!\s[A-Z])"
)
_NEAR_PLACE = 60
_OLD_ACT = re.compile(r"(?:\A|[a-z]\s)act\b")
_MOST_SECTIONS = 10  # in an article of an unnamed constitution
_LONGEST_GAP = 500
_PAGED = frozenset({"case", "journal", "book", "other"})
_LONGEST_SAID = 800
_NEAR_ACT = 300

_Sort = Literal["case", "work", "id", "section", "report", "named", "noun"]


def prepare_steps(
    scan: Scan,
    mentions: Sequence[Mention],
    defined: Sequence[Definition],
    papers: Sequence[RecordCitation],
    jurisdiction: str,
) -> tuple[Step, ...]:
    """Return the resolver's steps in the order of the text. ``papers`` are the text's citations of the
    record.
    """
    starts = [mention.start for mention in mentions]
    places = {id(mention): place for place, mention in enumerate(mentions)} if defined else {}
    between: dict[int, list[Step]] = {}  # by the index of the following mention
    for entry in defined:
        if (place := places.get(id(entry.mention), -1)) >= 0:
            term = TermDefined(place, fold(entry.term))
            between.setdefault(bisect_left(starts, entry.span.start), []).append(term)
    for at, kind in find_page_turns(scan):
        between.setdefault(bisect_right(starts, at), []).append(PageTurn(kind))
    for at in scan.inserted:
        between.setdefault(bisect_right(starts, at), []).append(TextInserted())
    walk = _MentionWalk(scan.text, mentions, _find_unread(scan, papers))
    arranged: list[Step | Around] = []
    for place in range(len(mentions)):
        arranged.extend(between.get(place, ()))
        arranged.extend(walk.pass_unread(place))
        arranged.append(walk.stand(place))
    arranged.extend(walk.pass_unread(len(mentions)))
    arranged.extend(between.get(len(mentions), ()))
    read = _Mentions(walk, jurisdiction)
    return tuple(read.step(each) if isinstance(each, Around) else each for each in arranged)


@dataclass(frozen=True, slots=True)
class _Unread:
    """A source cited at offset ``at`` that lexls does not read as an authority.

    ``end`` is the end of the parentheticals after it. ``paper`` is the citation if the source is a paper of
    the record.
    """

    at: int
    end: int
    paper: RecordCitation | None = None


def _find_unread(scan: Scan, papers: Sequence[RecordCitation]) -> list[_Unread]:
    """Return all sources cited in a text that are not recognised authorities, in order."""
    text = scan.text
    cited = Coverage([each.span for each in papers])
    found = [_Unread(at, at) for at in scan.unread]
    found += [_Unread(*each) for each in find_records(scan) if not cited.overlaps(Span(each[0], each[0] + 1))]
    for paper in papers:
        end = end_parentheticals(text, paper.span.end)
        found.append(_Unread(paper.span.start, end if end > paper.span.end else paper.span.start, paper))
    return sorted(found, key=lambda each: each.at)


def _go_on_citing(
    text: str, last: Mention | None, string: Sequence[RecordCitation], paper: RecordCitation | None
) -> list[RecordCitation]:
    """Return the papers to which an *id.* after ``paper`` may refer: ``paper``, and those before it in the
    same ``string``.

    The list is empty if ``paper`` is in one string with another authority.
    """
    if paper is None or not stands_alone(text, paper):
        return []
    if string and _STRING.fullmatch(text, string[-1].span.end, paper.span.start):
        return [*string, paper]
    start = paper.span.start
    beside = last is not None and last.end <= start and start - last.end < _LONGEST_GAP
    if beside and last is not None and _STRING.fullmatch(text, last.end, start):
        return []
    return [paper]


class _MentionWalk:
    """A single pass over the mentions of a paragraph that determines how each relates to the others."""

    def __init__(self, text: str, mentions: Sequence[Mention], unread: Sequence[_Unread]) -> None:
        self.text = text
        self.mentions = mentions
        self.sorts = [_sort(mention) for mention in mentions]
        self.said: dict[int, tuple[int, int]] = {}
        """For each *id.*, the ends of the citation and of the paper before it."""
        self.cites: dict[int, list[int]] = {}
        """For each *id.*, the indexes of the mentions that it cites in brackets."""
        self._unread = deque(unread)
        self._string: list[RecordCitation] = []  # the papers cited last
        self._asides_end = 0  # end of what the last citation cites in brackets
        self._since = 0  # end of the last citation to which *id.* may refer
        self._heads: dict[int, int] = {}
        self._last: Around | None = None
        self._before = -1  # the last mention that is not just a name
        self._outer = -1  # the *id.* that cites the last mention in brackets

    def pass_unread(self, place: int) -> Iterator[UnreadCited]:
        """Yield the unrecognised source cited last between the mention at index ``place`` and the one before
        it, if any.
        """
        mentions, before = self.mentions, -1
        end = mentions[place].start if place < len(mentions) else len(self.text) + 1
        last = mentions[place - 1] if place else None
        while self._unread and self._unread[0].at < end:
            each = self._unread.popleft()
            goes_on = last is not None and place < len(mentions) and _goes_on(self.text, last, each.at)
            if each.at >= self._asides_end and not goes_on:
                before, self._asides_end = each.at, each.end
                self._string = _go_on_citing(self.text, last, self._string, each.paper)
        if before >= 0:
            yield UnreadCited(before, tuple(dict.fromkeys(each.paper for each in self._string)))

    def stand(self, place: int) -> Around:
        """Return how the next mention, which has the index ``place``, relates to the mentions around it."""
        text, mention, sort = self.text, self.mentions[place], self.sorts[place]
        last = self.mentions[self._before] if self._before >= 0 else None
        head = self._heads.setdefault(mention.group, place) if mention.group else place
        inner = mention.start < self._asides_end or self._is_cited_by_last(mention)
        passed = inner or is_only_named(text, mention)
        self._take_to_outer(place)
        if not passed and sort != "named":
            self._asides_end = max(self._asides_end, end_parentheticals(text, mention.end))
        if sort == "id":
            self.said[place] = self._since, self._string[-1].span.end if self._string else 0
        if sort in ("case", "id", "report") or (
            mention.pinpoint is not None and mention.pinpoint.kind == "page"
        ):
            self._since = mention.end
        if not passed and sort != "named":
            self._string = []
        around = Around(
            place,
            head,
            self._heads.get(mention.chain, head) if mention.group else place,
            last is not None and _are_joined(text, last, mention),
            passed,
            inner,
            self._unread_within(mention, last),
        )
        if not mention.is_name_alone:  # which usually names no case
            self._before, self._last = place, around
        return around

    def _is_cited_by_last(self, mention: Mention) -> bool:
        """Return whether the previous mention cites this one without brackets, or this one is a parallel
        citation of a mention so cited.
        """
        if self._last is None:
            return False
        end = self.mentions[self._last.place].end
        if self._last.inner:
            return not self.text[end : mention.start].strip(" ,\n")
        return not self._last.passed and is_cited_by(self.text, end, mention.start)

    def _take_to_outer(self, place: int) -> None:
        """Record, for the *id.* whose parenthetical cites the mention at index ``place``, that it does. Do
        nothing if there is no such *id.*.
        """
        if self._last is None:
            return
        opens = self.sorts[place - 1] == "id" and not self._last.inner
        outer = place - 1 if opens else self._outer
        self._outer = -1
        if outer >= 0 and self.mentions[place].start < end_parentheticals(
            self.text, self.mentions[outer].end
        ):
            self._outer = outer
            self.cites.setdefault(outer, []).append(place)

    def _unread_within(self, mention: Mention, last: Mention | None) -> UnreadCited | None:
        """Return the unrecognised source cited last within a mention's words, or None."""
        found = None
        while self._unread and self._unread[0].at < mention.end:
            each = self._unread.popleft()
            self._string = _go_on_citing(self.text, last, self._string, each.paper)
            found = UnreadCited(each.at, tuple(each.paper for each in self._string))
        return found


def _are_joined(text: str, last: Mention, mention: Mention) -> bool:
    """Return whether two mentions are in the same string of citations."""
    near = mention.start - last.end < _LONGEST_GAP and text[last.end] in _BEHIND_CITATION
    return near and _STRING.fullmatch(text, last.end, mention.start) is not None


def _goes_on(text: str, last: Mention, at: int) -> bool:
    """Return whether an apparent source at offset ``at`` only continues the pinpoint before it: "18 U.S.C. §
    5032 ¶ 5", "S. Rep. No. 5, p. 4 (1950)".
    """
    if at - last.end >= _LONGEST_GAP:
        return False
    between = text[last.end : at]
    return between.isspace() or (" Rep. " in last.key and len(between) < _NEAR_PLACE)


class _Mentions:
    """Converts each mention of a paragraph into a step of the resolver."""

    def __init__(self, walk: _MentionWalk, jurisdiction: str) -> None:
        self._walk = walk
        self._text = walk.text
        self._jurisdiction = jurisdiction
        self._declares = "eferences" in walk.text
        self._keys: dict[int, tuple[str, ...]] = {}
        for mention in walk.mentions:
            if mention.group:
                self._keys[mention.group] = (*self._keys.get(mention.group, ()), mention.key)

    def step(self, around: Around) -> MentionStep:
        """Return the step for the mention with these relations."""
        return _STEPS[self._walk.sorts[around.place]](self, self._walk.mentions[around.place], around)

    def _source(self, mention: Mention) -> Source:
        place = mention.jurisdiction or self._jurisdiction
        paged = mention.kind in _PAGED or (mention.style == "page" and bool(mention.volume))
        keys = self._keys.get(mention.group, (mention.key,))
        return Source(
            mention.key, place, mention.kind, mention.name, mention.year, mention.style, keys, paged
        )

    def _case(self, mention: Mention, around: Around) -> CaseStep:
        source, report, name = self._source(mention), _report(mention), mention.name
        written, core = report, mention.core.of(self._text)
        if mention.report not in core:
            written = (mention.volume, fold(_LAST_NUMBER.sub("", core.removeprefix(mention.volume))))
        return CaseStep(
            mention=mention,
            around=around,
            source=source,
            plain=Resolved(source, "full"),
            page=_first_page(mention, 0),
            report=report,
            written=written,
            names=_name_keys((name, *list_short_names(name))) if name else (),
            openings=_name_keys(list_openings(name)) if name else (),
        )

    def _work(self, mention: Mention, around: Around) -> WorkStep:
        source, name = self._source(mention), mention.name
        reported = source.paged and mention.volume and mention.report
        return WorkStep(
            mention=mention,
            around=around,
            source=source,
            plain=Resolved(source, "full"),
            page=_first_page(mention, -1) if reported else -1,
            title=fold(_TITLE_YEAR.sub("", name)),
            term=fold(name) if mention.year is None else "",
            noun=name.rsplit(" ", 1)[-1],
            initials="".join(word[0] for word in name.split() if word[0].isupper()),
            declares=self._declares and mention.kind == "statute" and is_declared(self._text, mention),
        )

    def _id(self, mention: Mention, around: Around) -> IdStep:
        text, place = self._text, around.place
        before, behind_papers = self._walk.said[place]
        since = max(before, mention.start - _LONGEST_SAID)
        of_record = is_of_record(text, mention)
        named, only_called = find_name_before(text, mention.start)
        return IdStep(
            mention=mention,
            around=around,
            beside=self._beside(place),
            cites=tuple(filter(None, map(self._cited_report, self._walk.cites.get(place, ())))),
            of_record=of_record,
            of_volume=of_record and has_volume(text, mention),
            of_section=mention.pinpoint is None and is_quoted_of_section(text, since, mention.start),
            signed="¶" in text[mention.core.end : mention.end],
            called=find_names_said(text, named, mention.start) if named >= 0 else (),
            only_called=only_called,
            _text=text,
            _since=since,
            _behind_papers=behind_papers,
        )

    def _beside(self, place: int) -> CitedReport | None:
        """Return the case cited immediately after the *id.* at index ``place`` ("Id., 531 U.S. at 104"), or
        None.
        """
        mention, *behind = self._walk.mentions[place : place + 2]
        if not behind or self._text[mention.end : behind[0].start].strip(" ,\n"):
            return None
        return self._cited_report(place + 1)

    def _cited_report(self, place: int) -> CitedReport | None:
        mention, sort = self._walk.mentions[place], self._walk.sorts[place]
        if sort == "case":
            return CitedReport(_report(mention), _first_page(mention, 0), mention.key)
        return CitedReport(_report(mention), read_pinned_page(mention)) if sort == "report" else None

    def _section(self, mention: Mention, around: Around) -> SectionStep:
        last = self._walk.mentions[around.place - 1] if around.place else None
        behind_work = last is not None and self._walk.sorts[around.place - 1] == "work"
        return SectionStep(
            mention=mention,
            around=around,
            source=self._source_of_place(mention),
            old=_OLD_ACT.search(mention.owner) is not None,
            sign=last is not None and self._text[mention.core.start] == "§",
            behind_act=behind_work and last is not None and mention.start - last.end < _NEAR_ACT,
        )

    def _report(self, mention: Mention, around: Around) -> ReportStep:
        tails = _tails(self._text, mention) if mention.name or mention.doubtful is not None else ()
        return ReportStep(mention=mention, around=around, report=_report(mention), tails=tails)

    def _named(self, mention: Mention, around: Around) -> NamedStep:
        return NamedStep(mention=mention, around=around, tails=_tails(self._text, mention))

    def _noun(self, mention: Mention, around: Around) -> NounStep:
        term = f"{mention.year}{mention.reference}" if mention.year is not None else mention.reference
        return NounStep(
            mention=mention,
            around=around,
            source=self._source_of_place(mention),
            term=fold(term),
            noun=mention.reference,
            said="said" in self._text[mention.start : mention.end],
            own=self._text[mention.core.start : mention.core.start + 5].casefold() == "this ",
        )

    def _source_of_place(self, mention: Mention) -> Source | None:
        """Return the authority of a provision that drafts usually cite without naming the authority,
        or None.
        """
        pinpoint = mention.pinpoint
        if pinpoint is None:
            return None
        if mention.owner:
            return _of_constitution(mention.owner, pinpoint, self._jurisdiction)
        if pinpoint.kind == "article" and _is_of_other(self._text, mention):
            return None
        return _of_provision(pinpoint, self._jurisdiction)


_STEPS: Mapping[_Sort, Callable[[_Mentions, Mention, Around], MentionStep]] = {
    "case": _Mentions._case,
    "work": _Mentions._work,
    "id": _Mentions._id,
    "section": _Mentions._section,
    "report": _Mentions._report,
    "named": _Mentions._named,
    "noun": _Mentions._noun,
}


def _sort(mention: Mention) -> _Sort:
    if mention.form == "full":
        return "case" if mention.kind == "case" else "work"
    if mention.form == "id":
        return "id"
    if mention.form == "section":
        return "section"
    if mention.report:
        return "report"
    return "named" if mention.kind == "case" or mention.form == "supra" else "noun"


def _report(mention: Mention) -> Volume:
    return mention.volume, fold(mention.report)


def _first_page(mention: Mention, otherwise: int) -> int:
    """Return the last number of a key, which is the first page of the case, or ``otherwise``."""
    first = _LAST_NUMBER.search(mention.key)
    return int(first[0]) if first is not None else otherwise


def _of_provision(pinpoint: Pinpoint, jurisdiction: str) -> Source | None:
    """Return the authority of an article or section that is usually cited without it in this jurisdiction ("§
    1983"), or None.
    """
    place, label = find_jurisdiction(jurisdiction), pinpoint.labels[0]
    if pinpoint.kind == "article":
        key = place.constitution
        if key and (not place.constitution_articles or label in place.constitution_articles):
            return Source(key, jurisdiction, "constitution", "", None, "article", (key,))
    if pinpoint.kind == "section":
        key = place.keys_of_provisions.get(label.partition("(")[0], "")
        if key:
            return Source(key, jurisdiction, "statute", "", None, "section", (key,))
    return None


def _is_of_other(text: str, mention: Mention) -> bool:
    """Return whether a bare article belongs to a state's constitution, judging by a name after it or a high
    section number.
    """
    assert mention.pinpoint is not None
    section = _LAST_NUMBER.search(text[mention.pinpoint.span.end : mention.end])
    if section is not None and int(section[0]) > _MOST_SECTIONS:
        return True
    return is_of_other_constitution(text, mention.end)


def _of_constitution(owner: str, pinpoint: Pinpoint, jurisdiction: str) -> Source | None:
    """Return the constitution of a section that is cited with its article or amendment: "§ 5 of the 14th
    Amendment".
    """
    place = find_jurisdiction(jurisdiction)
    article = _ARTICLE.match(owner)
    if not place.constitution_articles or (article is None and _AMENDMENT.search(owner) is None):
        return None
    number = _NUMBER.match(pinpoint.labels[0])
    if number is None or int(number[0]) > _MOST_SECTIONS:
        return None
    if article is not None and article[1] not in place.constitution_articles:
        return None
    return Source(
        place.constitution, jurisdiction, "constitution", "", None, "article", (place.constitution,)
    )


def _name_keys(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(key for key in dict.fromkeys(map(make_name_key, names)) if key)


def _trim_name(written: str, signs: str) -> str:
    """Remove the ``signs`` around a name, but keep a closing bracket that matches an opening one: "R
    (Miller)".
    """
    name = written.strip(signs)
    closed = f"{name})"
    return closed if name.count("(") > name.count(")") and closed in written else name


def _tails(text: str, mention: Mention) -> tuple[Tail, ...]:
    if mention.doubtful is not None:
        return (_tail(mention.doubtful.of(text), mention.doubtful),)
    core = mention.core
    if mention.report:
        return (_tail(mention.name, Span(mention.start, core.start)),)
    tokens = list(_TOKEN.finditer(text, core.start, core.end))
    if mention.open_end:
        # Another case of the first party does not match: the "v" is part of the name.
        versus = next(
            (at for at, token in enumerate(tokens) if re.fullmatch(VERSUS, token.group(), re.IGNORECASE)), 0
        )
        ends = [token.end() for token in reversed(tokens[versus + 1 :]) if not token.group().islower()]
        names = [_trim_name(text[core.start : end], " ,.;)\n") for end in ends]
        places = [(core.start, core.start + len(name)) for name in names]
    else:
        names = [_trim_name(text[token.start() : core.end], " ,.\"'”’“‘()\n") for token in tokens]
        places = [(token.start(), core.end) for token in tokens]
    return tuple(_tail(name, Span(*place)) for name, place in zip(names, places, strict=True))


def _tail(name: str, span: Span) -> Tail:
    """Return a reading of a short form in which ``name``, at ``span``, is its name."""
    return Tail(span.start, span.end, " ".join(name.split()), fold(name), make_name_key(name))
