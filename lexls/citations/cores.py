"""Find citations by their forms, with names, pinpoints, courts and years. Find books by their editions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lexls.citations import behind, pinpoints, templates
from lexls.citations.behind import find_page
from lexls.citations.case_names.alone import find_name_alone, find_title_before, find_words_before
from lexls.citations.case_names.parse import find_name_before
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Mention, Pinpoint, join_spaces, make_section_key
from lexls.citations.registry import CoreMatch, Registry
from lexls.citations.scan import PARAGRAPH_BREAK, Budget, Scan
from lexls.citations.sections import extend_label
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

_PATTERNS = load_patterns("cores.toml")
# Kinds cited by pages and paragraphs.
_CITED_BY_PLACE = frozenset({"case", "journal", "book", "treaty", "other"})
_MOST_REPORTS = 30
"""Maximum number of parallel reports of one case."""
_INNER = frozenset({"on", "in", "to", "by", "a", "an", "its"})


def find_cores(scan: Scan, registry: Registry, jurisdiction: str, budget: Budget) -> list[list[CoreMatch]]:
    """Return the readings of each core citation, in order. A citation has several readings only if they are
    from several jurisdictions.

    The search stops when the ``budget`` is spent.
    """
    text = scan.text
    starts = registry.starts((*scan.words, "no"), jurisdiction)
    words = ((start, "word") for start in scan.starts(starts))
    found: list[list[CoreMatch]] = []
    position = 0
    for start, opening in sorted([*scan.numerals(), *words]):
        if start < position:
            continue
        if not budget.step():
            break
        matches = registry.match(text, start, opening, jurisdiction)
        if not matches:
            continue
        longest = max(match.span.end for match in matches)
        if PARAGRAPH_BREAK.search(text, start, longest):
            continue
        readings = [match for match in matches if match.span.end == longest]
        readings = [match for match in readings if not match.form.at_home] or readings
        readings = [match for match in readings if not match.needs_name] or readings
        if len({match.form.jurisdiction for match in readings}) < 2:
            del readings[1:]
        elif not jurisdiction:
            readings.sort(key=lambda match: not match.as_listed(text))
        found.append(readings)
        position = longest
    return found


def read_mentions(text: str, matches: Sequence[CoreMatch], budget: Budget) -> list[Mention]:
    """Return the mentions for core citations, in order, with the names, pinpoints and years next to them."""
    mentions: list[Mention] = []
    previous: CoreMatch | None = None
    floor = 0
    group = reports = 0
    named = _Names()
    limits = [*(match.span.start for match in matches[1:]), len(text)]
    for match, limit in zip(matches, limits, strict=False):
        if not budget.step():
            break
        mention = _Core(text, match, limit).read()
        last = mentions[-1] if mentions else None
        if last and previous and reports < _MOST_REPORTS and _parallel(text, last, previous, mention, match):
            _add_report(mention, mentions[-reports:])
        else:
            group += 1
            mention.group = group
            _take_title(text, mention, floor, limit, named)
            if last is not None and _goes_on(text, last, mention):
                mention.chain = last.chain or last.group
        if _is_of_party(text, match) or (not mention.name and _needs_name(text, match, mention)):
            continue
        if "key-by-name" in mention.around:
            mention.key = f"{mention.key} ({mention.name})"
        if "strasbourg" in mention.around:
            _close_strasbourg(text, mention, mentions[-_MOST_REPORTS:])
        previous = match
        floor = mention.end
        reports = reports + 1 if last is not None and last.group == mention.group else 1
        named.add(mention.name)
        mentions.append(mention)
    return mentions


def _close_strasbourg(text: str, mention: Mention, before: Sequence[Mention]) -> None:
    """Extend a mention to a closing bracket after it if the mention, or one of its parallel citations,
    contains the opening one.
    """
    opened = next((other.start for other in before if other.group == mention.group), mention.start)
    whole = text[opened : mention.end]
    mention.end += text.startswith(")", mention.end) and whole.count("(") > whole.count(")")


def _add_report(mention: Mention, others: Sequence[Mention]) -> None:
    """Record that a mention is another report of the case that ``others`` cite. It gets their name, and the
    year is shared if either has one.
    """
    last = others[-1]
    mention.group, mention.chain, mention.name = last.group, last.chain, last.name
    mention.year = mention.year or last.year
    for other in others:
        other.year = other.year or mention.year


def _take_title(text: str, mention: Mention, floor: int, limit: int, named: _Names) -> None:
    """Set a mention's name to the case name before it, or to the title of the article, Act or treaty
    there.
    """
    if mention.kind == "case":
        end = mention.end
        _take_name(text, mention, floor, named)
        after = pinpoints.find_after_case(text, mention.end, mention.style) if mention.end > end else None
        if after is not None and mention.pinpoint is None and after[1] <= limit:
            mention.pinpoint, mention.end = after
        return
    if mention.kind == "journal":
        title = behind.find_quoted_title(text, mention.start, floor)
        marks = 1
    elif not mention.around.isdisjoint(("long-title", "title")):
        find = behind.find_long_title if "long-title" in mention.around else behind.find_title
        title, marks = find(text, mention.start, floor), 0
    else:
        return
    if title is not None:
        written = Span(title.start + marks, title.end - marks).of(text)
        mention.start, mention.name = title.start, join_spaces(written.rstrip(" ,") if marks else written)


def _is_of_party(text: str, match: CoreMatch) -> bool:
    """Return whether an apparent docket number is part of a party's name: "Reclamation Dist. No. 1001"."""
    start = match.span.start
    numbered = "uscase" in match.values and "year" not in match.values
    return numbered and _PATTERNS["numbered_party"].search(text, max(0, start - 12), start) is not None


def _needs_name(text: str, match: CoreMatch, mention: Mention) -> bool:
    """Return whether an apparent citation counts only if a case name precedes it."""
    if match.needs_name or "needs-name" in mention.around:
        return True
    if "needs-name-or-date" in mention.around:
        return mention.end == match.span.end or _PATTERNS["decided"].match(text, match.span.end) is None
    # A single letter without a full stop, and no year after it, is not a report: "rows 1 A 2".
    if mention.year is not None or "volume" not in match.values:
        return False
    report = match.find("report", text)
    return report is not None and len(report) == 1


def _parallel(text: str, last: Mention, previous: CoreMatch, mention: Mention, match: CoreMatch) -> bool:
    """Return whether a citation gives another report of the case cited immediately before it."""
    if last.kind != "case" or mention.kind != "case":
        return False
    if previous.form.id == match.form.id and last.report == mention.report:
        return False
    if last.year and mention.year and abs(last.year - mention.year) > 3:
        return False
    # A semicolon usually separates two cases. Citations of one case both give the same year, or the first
    # contains it, or only the last gives it.
    if ";" in text[last.end : mention.start]:
        within = mention.year is None and previous.year is not None and last.pinpoint is None
        dated = bool(last.year) and (mention.year == last.year or within)
        behind_all = last.year is None and last.jurisdiction == mention.jurisdiction
        if not (dated and (last.pinpoint is None or last.name)) and not (
            behind_all and find_jurisdiction(mention.jurisdiction).customs.court_and_year
        ):
            return False
    return _are_parted_by("parallel_gap", text, last, mention)


def _goes_on(text: str, last: Mention, mention: Mention) -> bool:
    """Return whether a citation continues the history of the case cited before it ("…, aff'd, …")."""
    if last.kind != "case" or mention.kind != "case" or mention.start - last.end > 200:
        return False
    return _are_parted_by("history", text, last, mention)


def _are_parted_by(gap: str, text: str, last: Mention, mention: Mention) -> bool:
    """Return whether the text between two citations matches a pattern and has no paragraph break."""
    return (
        _PATTERNS[gap].fullmatch(text, last.end, mention.start) is not None
        and PARAGRAPH_BREAK.search(text, last.end, mention.start) is None
    )


class _Names:
    """The names of the cases cited so far, found by the words with which they begin or end."""

    def __init__(self) -> None:
        self._ends: set[str] = set()

    def add(self, name: str) -> None:
        """Record a name; "" is ignored."""
        for place, sign in enumerate(name):
            if sign == " ":
                self._ends.update((name[:place], name[place + 1 :]))

    def have(self, words: str) -> bool:
        """Return whether a name begins or ends with ``words`` and also has other words."""
        return words in self._ends


def _short_name(text: str, start: int, floor: int, named: _Names) -> Span | None:
    """Return the short name immediately before a citation of a case named earlier: "Love (2020) 270
    CLR 152".
    """
    short = find_words_before(text, start)
    if short is None or short.start < floor or short.end < start - 2:
        return None
    return short if named.have(short.of(text)) else None


def _take_name(text: str, mention: Mention, floor: int, named: _Names) -> None:
    if mention.name:
        return
    start = mention.start
    if "strasbourg" in mention.around:
        start, paragraphs = behind.find_before_strasbourg_report(text, start, floor)
        page = mention.pinpoint is None or mention.pinpoint.kind == "page"
        if paragraphs is not None and page and start > floor:
            mention.pinpoint = paragraphs
    before, paged = text[max(floor, start - 2) : start].rstrip()[-1:], False
    if before == "," and (
        page_before := _PATTERNS["page_before_report"].search(text, max(floor, start - 70), start)
    ):
        start, paged = page_before.start() + 1, True
    elif before == ")" and mention.year is None:
        dated = _PATTERNS["year_before"].search(text, max(floor, start - 60), start)
        if dated is not None:
            start, mention.year = dated.start(), int(dated["year"])
    between = _PATTERNS["between"].search(text, max(floor, start - 60), start)
    start = between.start() if between is not None else start
    name = _find_name(text, mention, start, floor, named)
    if name is None:
        if mention.pinpoint is not None and mention.pinpoint.span.end <= mention.start:
            mention.pinpoint = None
        return
    mention.name = join_spaces(name.of(text))
    if not paged:
        # "Carrow v Dean (HCMP 2345/2014, 5 June 2015)": the closing bracket belongs to the mention.
        opened = text[name.end : mention.start]
        if "(" in opened and ")" not in opened and text.startswith(")", mention.end):
            mention.end += 1
        mention.start = name.start


def _find_name(text: str, mention: Mention, start: int, floor: int, named: _Names) -> Span | None:
    """Return the case name that ends immediately before ``start``."""
    name = find_name_before(text, start, floor)
    if name is None and "name-without-versus" in mention.around:
        name = find_title_before(text, start, floor)
    return name or _short_name(text, start, floor, named) or find_name_alone(text, start, floor)


class _Core:
    """A core citation and the text after it, read step by step up to ``limit``, where the next core
    begins.
    """

    def __init__(self, text: str, match: CoreMatch, limit: int) -> None:
        self._text = text
        self._match = match
        self._form = match.form
        self._limit = limit
        self._core = match.span
        self._begin = match.span.start
        self._end = match.span.end
        self._pinpoint: Pinpoint | None = None
        self._key = match.key
        self._year = match.year
        self._name = ""

    def read(self) -> Mention:
        """Read the core and the text after it, and return the mention."""
        for take in _BEHIND_CORE:
            take(self)
        match, form = self._match, self._form
        return Mention(
            self._begin,
            self._end,
            self._core,
            form.kind,
            "full",
            form.jurisdiction,
            self._key,
            year=self._year,
            name=self._name,
            pinpoint=self._pinpoint,
            style=form.pinpoint,
            around=form.around,
            volume=match.values.get("volume", ""),
            report=match.values.get("report", ""),
        )

    def _pass(self, stop: int) -> None:
        """Move the end of the mention to ``stop``, unless ``stop`` is beyond the limit."""
        if stop <= self._limit:
            self._end = stop

    def _take_docket(self) -> None:
        """Remove from the core a docket number before a year: the core of "No. 22-cv-1461 (PKC), 2023 WL
        4114965" begins with "2023".
        """
        dated = self._match.find("year", self._text) if "uscase" in self._match.values else None
        if dated is not None:
            self._core = Span(dated.start, self._end)

    def _take_tokens(self) -> None:
        """Read the pinpoint that is part of the form ("1981" in "42 U.S.C. § 1981"), and any list that
        continues it.
        """
        text = self._text
        within = self._match.find("inpage", text)
        if within is not None:
            self._pinpoint = Pinpoint("page", pinpoints.read_labels(within.of(text)), within)
        for token in templates.PINPOINT_TOKENS:
            span = self._match.find(token, text)
            if span is None:
                continue
            if token == "provision":
                self._pinpoint = Pinpoint("article", (join_spaces(span.of(text).replace(",", " ")),), span)
            else:
                self._pinpoint = Pinpoint(self._form.pinpoint, (span.of(text).replace(" ", ""),), span)
                longer, stop = extend_label(self._pinpoint, text, self._end)
                if stop <= self._limit:
                    self._pinpoint, self._end = longer, stop
            head = text[self._core.start : span.start].rstrip(" \t\r\n§")
            self._core = Span(self._core.start, self._core.start + len(head))

    def _take_note(self) -> None:
        """Read "note" after a section. The note is separate law, so it becomes part of the key: "8 U.S.C. §
        1157 note".
        """
        if "note" not in self._form.around or self._pinpoint is None:
            return
        stop = behind.skip("note", self._text, self._end)
        if self._end < stop <= self._limit:
            self._key = f"{make_section_key(self._key, ', '.join(self._pinpoint.labels))} note"
            self._core, self._pinpoint, self._end = Span(self._core.start, stop), None, stop

    def _take_name_behind(self) -> None:
        """Read the case name after a case number: "Case C-621/18 Wightman and Others"."""
        if "name-behind" in self._form.around:
            named = behind.find_name(self._text, self._end, self._limit)
            self._name, self._end = named if named is not None else ("", self._end)

    def _pass_date(self) -> None:
        """Skip a date, the rest of a page range or the body that made the law, if the form allows it here."""
        text, end, around = self._text, self._end, self._form.around
        if "date" in around:
            self._pass(behind.skip("date-or-opinion", text, end))
        elif "page-range" in around:
            pages = _PATTERNS["range_of_pages"].match(text, end)
            self._pass(pages.end() if pages is not None else end)
        elif "makers" in around:
            passed = _PATTERNS["legislators"].match(text, end) or _PATTERNS["of_date"].match(text, end)
            self._pass(passed.end() if passed is not None else end)

    def _take_place(self) -> None:
        """Read the court and date after a citation, and its page or paragraph: "(CA) at 104", "at [7]"."""
        text, form, limit = self._text, self._form, self._limit
        by_place = form.kind in _CITED_BY_PLACE or form.pinpoint in ("paragraph", "page")
        if self._pinpoint is not None or not by_place:
            return
        court, before = _PATTERNS["court"].match(text, self._end), self._end
        closed = self._find_closed()
        start, stop = court.end() if court and closed == before else closed, limit
        if "strasbourg" in form.around:
            if text.startswith("(", self._match.span.start - 1) and text.startswith(")", before):
                self._end += 1
            start = self._end = behind.skip("strasbourg-date", text, self._end)
            stop = min(limit, max(start, behind.find_strasbourg_limit(text, start)))
        else:
            self._end = closed
        after = None
        if form.pinpoint != "page" or _PATTERNS["square_year"].match(text, start) is None:
            signs = "section-signs" not in form.around
            after = pinpoints.find_after_case(text, start, form.pinpoint, signs)
        if after is not None and after[1] > stop and start < stop:
            # The apparent next item of a list ("¶ 12, 410 P.3d 1") is the next citation's first number.
            after = pinpoints.find_between(text, start, stop, form.pinpoint)
        if after is None and closed > self._match.span.end and form.pinpoint == "page":
            after = behind.find_page(text, closed)
        if after is not None and after[1] <= limit:
            self._pinpoint, self._end = after
            self._pass_behind_place(self._pinpoint)

    def _find_closed(self) -> int:
        """Return the end of the brackets after the citation that contain a court, a date or a paper's number
        ("(Cm 123, 1987)").
        """
        text, form, end = self._text, self._form, self._end
        kind = (
            "court"
            if form.kind == "case"
            else {"treaty": "in-force", "other": "closing-bracket"}.get(form.kind)
        )
        if "bracketed-date" in form.around:
            kind = "date"
        start = self._match.span.start
        if kind is None or (kind == "closing-bracket" and text[start - 1 : start] != "("):
            return end
        closed = behind.skip(kind, text, end)
        if kind == "closing-bracket":
            self._begin -= closed > end
        return closed if closed <= self._limit else end

    def _pass_behind_place(self, pinpoint: Pinpoint) -> None:
        text, form = self._text, self._form
        if form.kind == "case":
            self._pass(behind.skip("court", text, self._end))
        if form.pinpoint == "page":
            self._pass(behind.skip("paragraph-behind-page", text, self._end))
        elif "strasbourg" in form.around:
            more = (
                pinpoints.find_after_case(text, self._end, "paragraph") if pinpoint.kind == "page" else None
            )
            if more is not None and more[1] <= self._limit and more[0].kind == "paragraph":
                self._pinpoint, self._end = more
            self._pass(behind.skip("strasbourg-date", text, self._end))

    def _pass_blank_pages(self) -> None:
        """Skip the blanks for pages of a report that has not been printed yet: "558 U.S. ___, ___–___
        (2010)".
        """
        blank = _PATTERNS["blank_pages"].match(self._text, self._end)
        if "key-by-name" in self._form.around and self._pinpoint is None and blank is not None:
            self._pass(blank.end())

    def _take_slip_page(self) -> None:
        """Read the page of the slip opinion after the year: "558 U.S. ___ (2010) (slip op., at 12)"."""
        slip = _PATTERNS["slip_page"].match(self._text, self._end)
        if slip is not None and slip.end() <= self._limit and "court-and-year" in self._form.around:
            self._pinpoint = self._pinpoint or pinpoints.read_group(slip, "pages")
            self._end = slip.end()

    def _pass_court(self) -> None:
        """Skip the court after a page: "531 U.S. 98, 104 (CA)"."""
        form = self._form
        if form.kind == "case" and form.pinpoint == "page" and "no-court-behind" not in form.around:
            self._pass(behind.skip("court-behind-page", self._text, self._end))

    def _pass_edition(self) -> None:
        """Skip a comment and an edition after a section: "42 U.S.C. § 1983 cmt. b (West 2015)"."""
        if self._form.kind not in _CITED_BY_PLACE or self._form.pinpoint == "section":
            comment = behind.skip("comment", self._text, self._end)
            self._pass(behind.skip("edition", self._text, comment))

    def _take_year(self) -> None:
        """Read the court and year in brackets: "819 F.3d 880 (6th Cir. 2016)", "44 AD3d 212 [2d Dept
        2007]".
        """
        form = self._form
        reported = form.kind in ("case", "journal") or form.pinpoint == "page"
        if not reported or (self._year is not None and "court-and-year" not in form.around):
            return
        patterns = _PATTERNS["court_year"], _PATTERNS["square_year"]
        court = next(filter(None, (each.match(self._text, self._end) for each in patterns)), None)
        if court is not None and court.end() <= self._limit:
            self._year, self._end = int(court["year"]), court.end()

    def _close_bracket(self) -> None:
        """Extend the mention to the bracket that closes after an instrument's number: "… Regulations 2006 (SI
        2006/246)".
        """
        form, start = self._form, self._match.span.start
        if form.kind in ("regulation", "statute") and self._pinpoint is None and form.pinpoint != "page":
            self._end += self._text[start - 1 : start] == "(" and self._text.startswith(")", self._end)

    def _take_case_word(self) -> None:
        """Extend the mention to the word before a case number: "Case T-604/18"."""
        if "case-word" in self._form.around:
            word = _PATTERNS["case_word"].search(self._text, max(0, self._begin - 16), self._begin)
            self._begin = word.start() if word is not None else self._begin


_BEHIND_CORE: Sequence[Callable[[_Core], None]] = (
    _Core._take_docket,
    _Core._take_tokens,
    _Core._take_note,
    _Core._take_name_behind,
    _Core._pass_date,
    _Core._take_place,
    _Core._pass_blank_pages,
    _Core._pass_court,
    _Core._pass_edition,
    _Core._take_year,
    _Core._take_slip_page,
    _Core._close_bracket,
    _Core._take_case_word,
)
"""The steps that read a core and the text after it, in this order."""


@dataclass(frozen=True, slots=True)
class CourtAndYear:
    """The contents of the brackets after a citation: the court as written ("" if none) and the year."""

    court: Span
    year: Span


def find_court_and_year(text: str, start: int, end: int) -> CourtAndYear | None:
    """Return the court and year in the first brackets in a range of ``text`` that contain a year, with or
    without a court before it.
    """
    patterns = _PATTERNS["court_year"], _PATTERNS["square_year"]
    match = next(filter(None, (each.search(text, start, end) for each in patterns)), None)
    return _read_brackets(match) if match is not None else None


def find_court_and_number(text: str, end: int) -> CourtAndYear | None:
    """Return the brackets immediately after ``end`` that contain four digits, which need not be a year."""
    match = _PATTERNS["court_number"].match(text, end)
    return _read_brackets(match) if match is not None else None


def _read_brackets(match: re.Match[str]) -> CourtAndYear:
    written = _PATTERNS["day_of_year"].sub("", match["court"]).rstrip(" ,")
    begin = match.start("court")
    return CourtAndYear(Span(begin, begin + len(written)), Span(*match.span("year")))


def take_titles(text: str, cited: list[Mention], acts: list[Mention]) -> list[Mention]:
    """Give each statute cited by volume or chapter the Act's title before it, and return the other Acts.

    "Criminal Code, RSC 1985, c C-46" and "Companies Act (Cap 50, 2006 Rev Ed)" are one citation each.
    """
    ends = {act.end: act for act in acts if act.form == "full" and act.year is None}
    titled: set[int] = set()
    for mention in cited:
        if mention.kind != "statute" or mention.report == "U.S.C.":
            continue
        for end in range(mention.start, max(0, mention.start - 6), -1):
            act = ends.get(end)
            if act is None:
                continue
            if _PATTERNS["titled"].fullmatch(text, end, mention.start):
                mention.start, mention.name = act.start, act.name
                if act.kind in ("rule", "regulation"):
                    mention.kind, mention.key = act.kind, act.key if act.kind == "rule" else mention.key
                if "(" in text[end : mention.core.start] and text.startswith(")", mention.end):
                    mention.end += 1
                titled.add(id(act))
            break
    titled.update(_named_again(text, cited, acts))
    return [act for act in acts if id(act) not in titled]


def _named_again(text: str, cited: list[Mention], acts: list[Mention]) -> Iterator[int]:
    """Yield the id of each Act mention that only repeats the name of the Act just cited, in brackets:
    "Regulation (EU) 2016/679 (GDPR)".

    The citation is extended to the closing bracket.
    """
    opened = {act.start: act for act in acts if text[act.start - 1 : act.start] == "("} if acts else {}
    for mention in cited if opened else ():
        act = opened.get(mention.end + 2) or opened.get(mention.end + 1)
        if act is None or (act.key != mention.key and "makers" not in mention.around):
            continue
        if text.startswith(")", act.end) and text[mention.end : act.start].strip() == "(":
            mention.end = act.end + 1
            yield id(act)


def find_books(scan: Scan) -> Iterator[Mention]:
    """Yield books with an edition in brackets after their title. The key consists of title and edition."""
    text = scan.text
    for match in _PATTERNS["edition"].finditer(text):
        start, end = match.span()
        page = _PATTERNS["page_before"].search(text, max(0, start - 16), start)
        title = find_words_before(text, page.start() if page is not None else start, _INNER)
        if title is None:
            continue
        authored = _PATTERNS["authored"].search(text, max(0, title.start - 160), title.end)
        if authored is not None and PARAGRAPH_BREAK.search(text, authored.start(), title.end) is None:
            title = Span(authored.start("title"), title.end)
        name = join_spaces(title.of(text))
        if page is not None:
            pinpoint: Pinpoint | None = pinpoints.read_group(page, "page")
        else:
            after = pinpoints.find_after_case(text, end, "page") or find_page(text, end)
            pinpoint, end = after if after is not None else (None, end)
        yield Mention(
            title.start,
            end,
            Span(title.start, match.end()),
            "book",
            "full",
            key=f"{name} ({match['number']} ed)",
            name=name,
            year=int(match["year"]) if match["year"] else None,
            pinpoint=pinpoint,
        )
