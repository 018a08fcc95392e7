"""Prepare a paragraph for the resolver: its mentions with all that is known of them beforehand."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
    list_names_said,
)
from lexls.citations.case_names.compare import list_name_words
from lexls.citations.case_names.shorten import list_openings, list_short_names
from lexls.citations.definitions import Definition
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.keys import fold
from lexls.citations.model import CitationForm, CitationKind, CitedPaper, Mention, Pinpoint, PinpointKind
from lexls.citations.record import RecordCitation, stands_alone
from lexls.citations.scan import Scan
from lexls.text.lexicon import VERSUS
from lexls.text.spans import Coverage, Span

_TITLE_YEAR = re.compile(r"[\s,(]{0,40}\d{4}\)?(?:\s{0,40}\([A-Za-z]+\))?$")
_TOKEN = re.compile(r"\S+")
_PAGE = re.compile(r"\d+")
_LAST_NUMBER = re.compile(r"\d+(?=\D*\Z)")
# What parts the citations of one string: "…; see also …", "… (holding that …), … and …".
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
_MOST_SECTIONS = 10  # of an article of a constitution that is not named
_LONGEST_GAP = 500
_PAGED = frozenset({"case", "journal", "book", "other"})
_LONGEST_SAID = 800
_NEAR_ACT = 300


@dataclass(frozen=True, slots=True)
class Source:
    """An authority as a full citation names it: what the short forms for it take over.

    ``keys`` are those of all parallel citations of the mention; ``style`` is what a bare number counts;
    ``paged`` says whether it is cited by pages.
    """

    key: str
    jurisdiction: str
    kind: CitationKind
    name: str
    year: int | None
    style: PinpointKind
    keys: tuple[str, ...]
    paged: bool = False


@dataclass(frozen=True, slots=True)
class Tail:
    """One reading of a short form by name: the words of it that name the authority.

    ``term`` is the name folded, ``key`` the name as cases are compared by it ("" if nothing remains).
    """

    start: int
    end: int
    name: str
    term: str
    key: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """How a mention was resolved. No source: it stands for nothing that was found, or for ``papers`` of the
    record."""

    source: Source | None
    form: CitationForm
    tail: Tail | None = None
    ambiguous: bool = False
    unread: bool = False
    papers: tuple[CitedPaper, ...] = ()


StepKind = Literal[
    "case", "work", "id", "section", "report", "named", "noun", "define", "unread", "foot", "on", "head"
]


@dataclass(slots=True, eq=False)
class ResolverStep:
    """A mention with what the resolver needs to know of it, or a definition, or a case that was not read, or
    where the notes at the foot of a printed page begin and where the next page does.

    Attributes
    ----------
    place: of the mention among the paragraph's; for a definition, of the mention that it defines a term for.
    head: the place of the first of the parallel citations that the mention is one of.
    first: the place of the first citation of the case's history, which *id.* stands for.
    joined: whether the mention stands in one string of citations with the mention before it.
    passed: whether *id.* behind it passes over it: it is cited by another in brackets, or an Act only named.
    inner: whether it is cited by another in brackets.
    beside: the case or short form that stands right behind *id.* ("Id., 531 U.S. at 104"), if one does.
    of_record: whether the place behind *id.* is none that an authority has.
    of_volume: whether a volume before *id.* says that it is another of the same record.
    papers: of what was not read, the papers of the record that are cited last, in one string.
    at: where what was not read begins.
    of_section: whether it stands behind what a section that is named says.
    signed: whether the place behind *id.* counts paragraphs by their sign.
    behind_act: whether an Act is named right before a bare section.
    old: whether a section is of an Act named by its day alone: "the act of March 3, 1891".
    sign: whether a bare section is written with its sign.
    called: what the words right before *id.* may name, as terms and names are compared: "Carrow, id. at 9".
    only_called: whether these words begin the citation, so that it is of nothing else.
    cites: what *id.* cites in brackets.
    report: the volume and the report of a case by its canonical name; ``written`` has it as it is written.
    outer: the *id.* that cites it in brackets.
    unread: whether its words cite something, which is not read if the mention comes to nothing.
    said: whether an Act's noun stands with "said", which points at the Act named last.
    own: whether it stands with "this", as an Act speaks of itself where it is quoted.
    declares: whether the words before an Act say that bare sections are its own.
    page: the first page of a case's report, or that of a short form by its report; -1 if there is none.
    pinned: the first page of the pinpoint; -1 if there is none.
    """

    kind: StepKind
    place: int
    _mention: Mention | None
    _text: str
    source: Source | None = None
    plain: Resolved | None = None
    head: int = field(init=False)
    first: int = field(init=False)
    joined: bool = False
    passed: bool = False
    inner: bool = False
    beside: ResolverStep | None = None
    of_record: bool = False
    of_volume: bool = False
    papers: tuple[CitedPaper, ...] = ()
    at: int = 0
    of_section: bool = False
    signed: bool = False
    behind_act: bool = False
    sign: bool = False
    old: bool = False
    called: tuple[tuple[str, str], ...] = ()
    only_called: bool = False
    cites: list[ResolverStep] | None = None
    outer: ResolverStep | None = None
    names: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    report: tuple[str, str] = ("", "")
    written: tuple[str, str] = ("", "")
    title: str = ""
    term: str = ""
    noun: str = ""
    initials: str = ""
    paged: bool = False
    unread: bool = False
    said: bool = False
    own: bool = False
    declares: bool = False
    page: int = -1
    pinned: int = -1
    _last: Resolved | None = None
    _tails: tuple[Tail, ...] | None = None
    _since: int = 0
    _behind_papers: int = 0
    _said: tuple[tuple[str, str], ...] | None = None
    _cases: tuple[tuple[str, str], ...] | None = None

    def __post_init__(self) -> None:
        self.head = self.first = self.place

    @property
    def mention(self) -> Mention:
        """The mention; definitions and cases that were not read have none."""
        assert self._mention is not None
        return self._mention

    @property
    def tails(self) -> tuple[Tail, ...]:
        """What a short form by name can be read as, the longest name first."""
        if self._tails is None:
            self._tails = _tails(self._text, self.mention)
        return self._tails

    @property
    def said_names(self) -> tuple[tuple[str, str], ...]:
        """What may name cases between *id.* and the citation before it, as terms and names are compared."""
        if self._said is None:
            self._said = _names_said(self._text, self._since, self.mention.start)
        return self._said

    @property
    def said_cases(self) -> tuple[tuple[str, str], ...]:
        """Those of them that the words next to them tell from persons, behind papers of the record."""
        if self._cases is None:
            since = max(self._since, self._behind_papers)
            self._cases = _names_said(self._text, since, self.mention.start, as_cases=True)
        return self._cases

    def reading(
        self,
        source: Source | None,
        form: CitationForm,
        tail: Tail | None = None,
        ambiguous: bool = False,
        unread: bool = False,
        papers: tuple[CitedPaper, ...] = (),
    ) -> Resolved:
        """How the mention is read: the same object as the last time, if that comes to the same."""
        last = self._last
        if (
            last is None
            or (last.form, last.ambiguous, last.unread) != (form, ambiguous, unread)
            or last.source is not source
            or last.tail is not tail
            or last.papers != papers
        ):
            last = self._last = Resolved(source, form, tail, ambiguous, unread, papers)
        return last

    @property
    def effect(self) -> tuple[object, ...]:
        """All that the resolver makes of it, offsets left out."""
        mention = self._mention
        said: tuple[object, ...] = ()
        if mention is not None:
            pinpoint = mention.pinpoint
            said = (
                *(mention.form, mention.kind, mention.name, mention.year, mention.reference, mention.note),
                *(
                    mention.loose,
                    mention.owner,
                    mention.open_end,
                    pinpoint and (pinpoint.kind, pinpoint.labels),
                ),
            )
        names = tuple((tail.term, tail.key) for tail in self.tails) if self.kind == "named" else ()
        if self.kind == "id":
            names = (*self.said_names, *self.said_cases)
        return (
            *(self.kind, self.place, self.head, self.first, self.joined, self.unread, self.said, self.paged),
            *(self.passed, self.inner, self.beside is not None, self.of_record, self.signed),
            *(self.of_volume, self.papers),
            *(self.behind_act, self.of_section, self.called, self.only_called),
            *(len(self.cites or ()), self.own, self.declares, self.sign, self.old),
            *(
                self.source,
                self.names,
                self.openings,
                self.report,
                self.written,
                self.title,
                self.term,
                self.noun,
            ),
            *(said, names),
        )


def prepare_steps(
    scan: Scan,
    mentions: Sequence[Mention],
    defined: Sequence[Definition],
    papers: Sequence[RecordCitation],
    jurisdiction: str,
) -> tuple[ResolverStep, ...]:
    """The steps in the order of their places in the text; ``papers`` are its citations of the record."""
    text = scan.text
    steps: list[ResolverStep] = []
    defining = {id(entry.mention) for entry in defined}
    places = {id(each): place for place, each in enumerate(mentions) if id(each) in defining}
    waiting = deque(entry for entry in defined if id(entry.mention) in places)
    unread = deque(_find_unread(scan, papers))
    string: list[RecordCitation] = []
    turns = deque(find_page_turns(scan))
    keys: dict[int, tuple[str, ...]] = {}
    for mention in mentions:
        if mention.group:
            keys[mention.group] = (*keys.get(mention.group, ()), mention.key)
    heads: dict[int, int] = {}
    asides_end = since = 0
    declares = "eferences" in text
    for place, mention in enumerate(mentions):
        while waiting and waiting[0].span.start <= mention.start:
            steps.append(_definition(waiting.popleft(), places, text))
        while turns and turns[0][0] < mention.start:
            steps.append(ResolverStep(turns.popleft()[1], place, None, text))
        before = -1
        while unread and unread[0].at < mention.start:
            each = unread.popleft()
            if each.at >= asides_end and not (place and _goes_on(text, mentions[place - 1], each.at)):
                before, asides_end = each.at, each.end
                string = _go_on_citing(text, mentions[place - 1] if place else None, string, each.paper)
        if before >= 0:
            steps.append(_unread(text, place, before, string))
        step = _step(text, mention, place, jurisdiction, keys)
        if mention.group:
            step.head = step.first = heads.setdefault(mention.group, place)
            step.first = heads.get(mention.chain, step.head)
        last = mentions[place - 1] if place else None
        previous = next((each for each in reversed(steps) if each.place == place - 1 and each._mention), None)
        step.inner = mention.start < asides_end
        if last is not None and previous is not None:
            near = mention.start - last.end < _LONGEST_GAP and text[last.end] in _BEHIND_CITATION
            step.joined = near and _STRING.fullmatch(text, last.end, mention.start) is not None
            step.inner = step.inner or _is_inner(text, previous, mention)
            if (
                step.kind in ("report", "case")
                and previous.kind == "id"
                and text[last.end : mention.start].strip(" ,\n") == ""
            ):
                previous.beside = step
            outer = previous if previous.kind == "id" and not previous.inner else previous.outer
            if outer is not None and mention.start < end_parentheticals(text, outer.mention.end):
                step.outer = outer
                outer.cites = outer.cites or []
                outer.cites.append(step)
        step.passed = step.inner or is_only_named(text, mention)
        if not step.passed and step.kind != "named":
            asides_end = max(asides_end, end_parentheticals(text, mention.end))
        if step.kind == "section" and previous is not None:
            step.sign = text[mention.core.start] == "§"
            step.behind_act = previous.kind == "work" and mention.start - previous.mention.end < _NEAR_ACT
        if step.kind == "work" and declares and mention.kind == "statute":
            step.declares = is_declared(text, mention)
        if step.kind == "id":
            step._since = max(since, mention.start - _LONGEST_SAID)
            step._behind_papers = string[-1].span.end if string else 0
            step.of_record = is_of_record(text, mention)
            step.of_volume = step.of_record and has_volume(text, mention)
            step.of_section = mention.pinpoint is None and is_quoted_of_section(
                text, step._since, mention.start
            )
            step.signed = "¶" in text[mention.core.end : mention.end]
            named, step.only_called = find_name_before(text, mention.start)
            step.called = _names_said(text, named, mention.start) if named >= 0 else ()
        if step.kind in ("case", "id", "report") or step.paged:
            since = mention.end
        if not step.passed and step.kind != "named":
            string = []
        while unread and unread[0].at < mention.end:
            step.unread, step.at = True, unread[0].at
            string = _go_on_citing(text, last, string, unread.popleft().paper)
            step.papers = tuple(each.paper for each in string)
        steps.append(step)
    before = -1
    for each in unread:
        if each.at >= asides_end:
            before, asides_end = each.at, each.end
            string = _go_on_citing(text, mentions[-1] if mentions else None, string, each.paper)
    if before >= 0:
        steps.append(_unread(text, len(mentions), before, string))
    steps.extend(_definition(entry, places, text) for entry in waiting)
    steps.extend(ResolverStep(kind, len(mentions), None, text) for _, kind in turns)
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class _Unread:
    """What is cited at a place and is no authority that was read; ``end`` is where what that cites in
    brackets ends, ``paper`` what it is if it is a paper of the record."""

    at: int
    end: int
    paper: RecordCitation | None = None


def _find_unread(scan: Scan, papers: Sequence[RecordCitation]) -> list[_Unread]:
    """All that a text cites which is no authority that was read, in order."""
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
    """The papers that *id.* behind ``paper`` can stand for: with those before it in its ``string``; none
    where something else is cited, too."""
    if paper is None or not stands_alone(text, paper):
        return []
    if string and _STRING.fullmatch(text, string[-1].span.end, paper.span.start):
        return [*string, paper]
    start = paper.span.start
    beside = last is not None and last.end <= start and start - last.end < _LONGEST_GAP
    if beside and last is not None and _STRING.fullmatch(text, last.end, start):
        return []
    return [paper]


def _unread(text: str, place: int, at: int, string: Sequence[RecordCitation]) -> ResolverStep:
    papers = tuple(dict.fromkeys(each.paper for each in string))
    return ResolverStep("unread", place, None, text, papers=papers, at=at)


def _goes_on(text: str, last: Mention, at: int) -> bool:
    """Whether a place is but the end of a pinpoint: "18 U.S.C. § 5032 ¶ 5", "S. Rep. No. 5, p. 4 (1950)"."""
    if at - last.end >= _LONGEST_GAP:
        return False
    between = text[last.end : at]
    return between.isspace() or (" Rep. " in last.key and len(between) < _NEAR_PLACE)


def _names_said(text: str, start: int, end: int, as_cases: bool = False) -> tuple[tuple[str, str], ...]:
    """What may name cases between two places, as terms and as names are compared."""
    return tuple((fold(name), make_name_key(name)) for name in list_names_said(text, start, end, as_cases))


def _is_inner(text: str, last: ResolverStep, mention: Mention) -> bool:
    """Whether a citation is cited by the one before it without brackets, or is a parallel of such a one."""
    end = last.mention.end
    if last.inner:
        return not text[end : mention.start].strip(" ,\n")
    return not last.passed and is_cited_by(text, end, mention.start)


def _definition(entry: Definition, places: Mapping[int, int], text: str) -> ResolverStep:
    return ResolverStep("define", places[id(entry.mention)], None, text, term=fold(entry.term))


def _step(
    text: str, mention: Mention, place: int, jurisdiction: str, keys: Mapping[int, tuple[str, ...]]
) -> ResolverStep:
    step = ResolverStep(_kind(mention), place, mention, text)
    if step.kind in ("case", "work"):
        _of_full(step, text, mention, jurisdiction, keys.get(mention.group, (mention.key,)))
    elif step.kind == "report":
        step.report = (mention.volume, fold(mention.report))
    elif step.kind == "noun":
        term = f"{mention.year}{mention.reference}" if mention.year is not None else mention.reference
        step.term = fold(term)
        step.noun = mention.reference
        step.said = "said" in text[mention.start : mention.end]
        step.own = text[mention.core.start : mention.core.start + 5].casefold() == "this "
    if step.kind in ("section", "noun") and mention.pinpoint is not None:
        step.source = _of_provision(mention.pinpoint, jurisdiction)
        step.old = _OLD_ACT.search(mention.owner) is not None
        if mention.owner:
            step.source = _of_constitution(mention.owner, mention.pinpoint, jurisdiction)
        elif mention.pinpoint.kind == "article" and _is_of_other(text, mention):
            step.source = None
    if mention.pinpoint is not None:
        step.paged = mention.pinpoint.kind == "page"
        page = _PAGE.match(mention.pinpoint.labels[0]) if step.paged else None
        step.pinned = int(page[0]) if page is not None else -1
    if step.kind == "report":
        step.page = step.pinned
    return step


def _of_provision(pinpoint: Pinpoint, jurisdiction: str) -> Source | None:
    """What a place is of that drafts of a jurisdiction cite without naming it: an article, "§ 1983"."""
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
    """Whether an article alone is of a state's constitution: by its name behind, or by a high section."""
    assert mention.pinpoint is not None
    section = _LAST_NUMBER.search(text[mention.pinpoint.span.end : mention.end])
    if section is not None and int(section[0]) > _MOST_SECTIONS:
        return True
    return is_of_other_constitution(text, mention.end)


def _of_constitution(owner: str, pinpoint: Pinpoint, jurisdiction: str) -> Source | None:
    """The constitution, of an article or amendment of which a section is: "§ 5 of the 14th Amendment"."""
    place = find_jurisdiction(jurisdiction)
    article = _ARTICLE.match(owner)
    if not place.constitution_articles or (article is None and _AMENDMENT.search(owner) is None):
        return None
    number = _PAGE.match(pinpoint.labels[0])
    if number is None or int(number[0]) > _MOST_SECTIONS:
        return None
    if article is not None and article[1] not in place.constitution_articles:
        return None
    return Source(
        place.constitution, jurisdiction, "constitution", "", None, "article", (place.constitution,)
    )


def _kind(mention: Mention) -> StepKind:
    if mention.form == "full":
        return "case" if mention.kind == "case" else "work"
    if mention.form == "id":
        return "id"
    if mention.form == "section":
        return "section"
    if mention.report:
        return "report"
    return "named" if mention.kind == "case" or mention.form == "supra" else "noun"


def _of_full(
    step: ResolverStep, text: str, mention: Mention, jurisdiction: str, keys: tuple[str, ...]
) -> None:
    place, name = mention.jurisdiction or jurisdiction, mention.name
    paged = mention.kind in _PAGED or (mention.style == "page" and bool(mention.volume))
    step.source = Source(mention.key, place, mention.kind, name, mention.year, mention.style, keys, paged)
    step.plain = Resolved(step.source, "full")
    if step.kind == "case":
        step.report = (mention.volume, fold(mention.report))
        step.written, core = step.report, text[mention.core.start : mention.core.end]
        if mention.report not in core:
            step.written = (mention.volume, fold(_LAST_NUMBER.sub("", core.removeprefix(mention.volume))))
        first = _LAST_NUMBER.search(mention.key)
        step.page = int(first[0]) if first is not None else 0
        if name:
            step.names = _keys((name, *list_short_names(name)))
            step.openings = _keys(list_openings(name))
        return
    if (
        paged
        and mention.volume
        and mention.report
        and (first := _LAST_NUMBER.search(mention.key)) is not None
    ):
        step.page = int(first[0])
    step.title = fold(_TITLE_YEAR.sub("", name))
    step.term = fold(name) if mention.year is None else ""
    step.noun = name.rsplit(" ", 1)[-1]
    step.initials = "".join(word[0] for word in name.split() if word[0].isupper())


def _keys(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(key for key in dict.fromkeys(map(make_name_key, names)) if key)


def _tails(text: str, mention: Mention) -> tuple[Tail, ...]:
    core = mention.core
    tokens = list(_TOKEN.finditer(text, core.start, core.end))
    if mention.open_end:
        # Another case of the first party is none of these: the "v" belongs to the name.
        versus = next(
            (at for at, token in enumerate(tokens) if re.fullmatch(VERSUS, token.group(), re.IGNORECASE)), 0
        )
        ends = [token.end() for token in reversed(tokens[versus + 1 :]) if not token.group().islower()]
        names = [text[core.start : end].rstrip(" ,.;)\n") for end in ends]
        places = [(core.start, core.start + len(name)) for name in names]
    else:
        names = [text[token.start() : core.end].strip(" ,.\"'”’“‘()\n") for token in tokens]
        places = [(token.start(), core.end) for token in tokens]
    return tuple(
        Tail(start, end, " ".join(name.split()), fold(name), make_name_key(name))
        for name, (start, end) in zip(names, places, strict=True)
    )


def make_name_key(name: str) -> str:
    """A case's name as short forms are compared with it."""
    return " ".join(list_name_words(name)) or fold(name)
