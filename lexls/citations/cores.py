"""Find citations by their forms, with names, pinpoints, courts and years, and books by their editions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexls.citations import behind, pinpoints, templates
from lexls.citations.behind import find_page
from lexls.citations.case_names.alone import find_name_alone, find_title_before, find_words_before
from lexls.citations.case_names.parse import find_name_before
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.keys import join_spaces
from lexls.citations.model import Mention, Pinpoint
from lexls.citations.registry import CoreMatch, Registry
from lexls.citations.scan import PARAGRAPH_BREAK, Scan
from lexls.citations.sections import extend_label
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

_PATTERNS = load_patterns("cores.toml")
# What is cited by pages and paragraphs.
_CITED_BY_PLACE = frozenset({"case", "journal", "book", "treaty", "other"})
_MOST_REPORTS = 30
"""No case is reported in more places."""
_INNER = frozenset({"on", "in", "to", "by", "a", "an", "its"})


def find_cores(scan: Scan, registry: Registry, jurisdiction: str) -> list[list[CoreMatch]]:
    """Every core in order with its readings; several only if they are of several jurisdictions."""
    text = scan.text
    words = ((start, "word") for start in scan.starts(registry.starts(jurisdiction)))
    found: list[list[CoreMatch]] = []
    position = 0
    for start, opening in sorted([*scan.numerals(), *words]):
        if start < position:
            continue
        matches = registry.match(text, start, opening, jurisdiction)
        if not matches:
            continue
        longest = max(match.span.end for match in matches)
        if PARAGRAPH_BREAK.search(text, start, longest):
            continue
        readings = [match for match in matches if match.span.end == longest]
        readings = [match for match in readings if not match.needs_name] or readings
        if len({match.form.jurisdiction for match in readings}) < 2:
            del readings[1:]
        elif not jurisdiction:
            readings.sort(key=lambda match: not match.as_listed(text))
        found.append(readings)
        position = longest
    return found


def read_mentions(text: str, matches: Sequence[CoreMatch]) -> list[Mention]:
    """The mentions of cores, in order, the names, pinpoints and years next to them included."""
    mentions: list[Mention] = []
    previous: CoreMatch | None = None
    floor = 0
    group = reports = 0
    named = _Names()
    limits = [*(match.span.start for match in matches[1:]), len(text)]
    for match, limit in zip(matches, limits, strict=False):
        mention = _mention(text, match, limit)
        last = mentions[-1] if mentions else None
        if (
            last is not None
            and previous is not None
            and reports < _MOST_REPORTS
            and _parallel(text, last, previous, mention, match)
        ):
            mention.group = last.group
            mention.name = last.name
            mention.year = mention.year or last.year
            for other in mentions[-reports:]:
                other.year = other.year or mention.year
            mention.chain = last.chain
        else:
            group += 1
            mention.group = group
            if mention.kind == "case":
                end = mention.end
                _take_name(text, mention, floor, named)
                after = (
                    pinpoints.find_after_case(text, mention.end, mention.style) if mention.end > end else None
                )
                if after is not None and mention.pinpoint is None and after[1] <= limit:
                    mention.pinpoint, mention.end = after
            elif mention.kind == "journal":
                title = behind.find_quoted_title(text, mention.start, floor)
                if title is not None:
                    mention.start, mention.name = title.start, join_spaces(title.of(text)[1:-1].rstrip(" ,"))
            elif not mention.around.isdisjoint(("long-title", "title")):
                find = behind.find_long_title if "long-title" in mention.around else behind.find_title
                title = find(text, mention.start, floor)
                if title is not None:
                    mention.start, mention.name = title.start, join_spaces(title.of(text))
            if last is not None and _goes_on(text, last, mention):
                mention.chain = last.chain or last.group
        if _is_of_party(text, match):
            continue
        if not mention.name and _needs_name(text, match, mention):
            continue
        if "key-by-name" in mention.around:
            mention.key = f"{mention.key} ({mention.name})"
        if "strasbourg" in mention.around and text.startswith(")", mention.end):
            grouped = [other for other in mentions[-_MOST_REPORTS:] if other.group == mention.group]
            opened = (grouped or [mention])[0].start
            whole = text[opened : mention.end]
            mention.end += whole.count("(") > whole.count(")")
        previous = match
        floor = mention.end
        reports = reports + 1 if last is not None and last.group == mention.group else 1
        named.add(mention.name)
        mentions.append(mention)
    return mentions


def _is_of_party(text: str, match: CoreMatch) -> bool:
    """Whether what looks like a docket number is a party's: "Reclamation Dist. No. 1001"."""
    start = match.span.start
    numbered = "uscase" in match.values and "year" not in match.values
    return numbered and _PATTERNS["numbered_party"].search(text, max(0, start - 12), start) is not None


def _needs_name(text: str, match: CoreMatch, mention: Mention) -> bool:
    """Whether what is read as a citation is none without the name of a case."""
    if match.needs_name or "needs-name" in mention.around:
        return True
    if "needs-name-or-date" in mention.around:
        return mention.end == match.span.end or _PATTERNS["decided"].match(text, match.span.end) is None
    # A mere letter, without its point and with no year behind, is no report: "rows 1 A 2".
    if mention.year is not None or "volume" not in match.values:
        return False
    report = match.find("report", text)
    return report is not None and len(report) == 1


def _parallel(text: str, last: Mention, previous: CoreMatch, mention: Mention, match: CoreMatch) -> bool:
    """Whether a citation is another report of the case cited right before it."""
    if last.kind != "case" or mention.kind != "case":
        return False
    if previous.form.id == match.form.id and last.report == mention.report:
        return False
    if last.year and mention.year and abs(last.year - mention.year) > 3:
        return False
    # A semicolon mostly parts two cases; of one case both citations give the same year, or the first within
    # itself, or only the last.
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
    """Whether a citation belongs to the history of the case cited right before it ("…, aff'd, …")."""
    if last.kind != "case" or mention.kind != "case" or mention.start - last.end > 200:
        return False
    return _are_parted_by("history", text, last, mention)


def _are_parted_by(gap: str, text: str, last: Mention, mention: Mention) -> bool:
    """Whether only what a pattern describes stands between two citations of one paragraph."""
    return (
        _PATTERNS[gap].fullmatch(text, last.end, mention.start) is not None
        and PARAGRAPH_BREAK.search(text, last.end, mention.start) is None
    )


class _Names:
    """The names of the cases cited so far, found by the words that they begin or end with."""

    def __init__(self) -> None:
        self._ends: set[str] = set()

    def add(self, name: str) -> None:
        """Take note of a name; "" is none."""
        for place, sign in enumerate(name):
            if sign == " ":
                self._ends.update((name[:place], name[place + 1 :]))

    def have(self, words: str) -> bool:
        """Whether a name begins or ends with ``words`` and has others too."""
        return words in self._ends


def _short_name(text: str, start: int, floor: int, named: _Names) -> Span | None:
    """The short name right before a citation, of a case that was named before: "Love (2020) 270 CLR 152"."""
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
    paged = dated = None
    before = text[max(floor, start - 2) : start].rstrip()[-1:]
    if before == ",":
        paged = _PATTERNS["page_before_report"].search(text, max(floor, start - 70), start)
        start = paged.start() + 1 if paged is not None else start
    elif before == ")" and mention.year is None:
        dated = _PATTERNS["year_before"].search(text, max(floor, start - 60), start)
        start = dated.start() if dated is not None else start
    name = find_name_before(text, start, floor)
    if name is None and "name-without-versus" in mention.around:
        name = find_title_before(text, start, floor)
    name = name or _short_name(text, start, floor, named) or find_name_alone(text, start, floor)
    if dated is not None:
        mention.year = int(dated["year"])
    if name is None and mention.pinpoint is not None and mention.pinpoint.span.end <= mention.start:
        mention.pinpoint = None
    if name is not None and paged is not None:
        mention.name = join_spaces(name.of(text))
    elif name is not None:
        # "Carrow v Dean (HCMP 2345/2014, 5 June 2015)": the bracket behind the name closes the mention.
        opened = text[name.end : mention.start]
        if "(" in opened and ")" not in opened and text.startswith(")", mention.end):
            mention.end += 1
        mention.start = name.start
        mention.name = join_spaces(name.of(text))


def _mention(text: str, match: CoreMatch, limit: int) -> Mention:
    """The mention of a core with what stands behind it, up to ``limit`` (where the next core begins)."""
    form = match.form
    core, begin, end = match.span, match.span.start, match.span.end
    pinpoint: Pinpoint | None = None
    dated = match.find("year", text) if "uscase" in match.values else None
    if dated is not None:
        # "No. 22-cv-1461 (PKC), 2023 WL 4114965": the docket number stands before what identifies the case.
        core = Span(dated.start, end)
    for token in templates.PINPOINT_TOKENS:
        span = match.find(token, text)
        if span is None:
            continue
        if token == "provision":
            pinpoint = Pinpoint("article", (join_spaces(span.of(text).replace(",", " ")),), span)
        else:
            pinpoint = Pinpoint(form.pinpoint, (span.of(text).replace(" ", ""),), span)
            longer, stop = extend_label(pinpoint, text, end)
            if stop <= limit:
                pinpoint, end = longer, stop
        head = text[core.start : span.start].rstrip(" \t\r\n§")
        core = Span(core.start, core.start + len(head))
    year = match.year
    name = ""
    if "name-behind" in form.around:
        named = behind.find_name(text, end, limit)
        name, end = named if named is not None else ("", end)
    if "date" in form.around:
        end = _within(behind.skip("date-or-opinion", text, end), end, limit)
    elif "page-range" in form.around:
        pages = _PATTERNS["range_of_pages"].match(text, end)
        end = _within(pages.end(), end, limit) if pages is not None else end
    elif "makers" in form.around:
        passed = _PATTERNS["legislators"].match(text, end) or _PATTERNS["of_date"].match(text, end)
        end = _within(passed.end(), end, limit) if passed is not None else end
    if pinpoint is None and (form.kind in _CITED_BY_PLACE or form.pinpoint in ("paragraph", "page")):
        court_after = _PATTERNS["court"].match(text, end)
        stop = limit
        closed = behind.skip("court", text, end) if form.kind == "case" else end
        if "bracketed-date" in form.around:
            closed = behind.skip("date", text, end)
        elif form.kind == "treaty":
            closed = behind.skip("in-force", text, end)
        elif form.kind == "other":
            # The brackets around a paper's number: "(Cm 123, 1987)".
            bracketed = text[match.span.start - 1 : match.span.start] == "("
            closed = behind.skip("closing-bracket", text, end) if bracketed else end
            begin -= closed > end
        if closed > limit:
            closed = end
        start = court_after.end() if court_after and closed == end else closed
        if "strasbourg" in form.around:
            if text.startswith("(", match.span.start - 1) and text.startswith(")", end):
                end += 1
            start = end = behind.skip("strasbourg-date", text, end)
            stop = min(limit, max(end, behind.find_strasbourg_limit(text, end)))
        else:
            end = closed
        after = pinpoints.find_after_case(text, start, form.pinpoint, "section-signs" not in form.around)
        if after is not None and after[1] > stop and start < stop:
            # What seemed to go on in a list ("¶ 12, 410 P.3d 1") is the next citation's first number.
            after = pinpoints.find_between(text, start, stop, form.pinpoint)
        if after is None and closed > match.span.end and form.pinpoint == "page":
            after = behind.find_page(text, closed)
        if after is not None and after[1] <= limit:
            pinpoint, end = after
            if form.kind == "case":
                end = _within(behind.skip("court", text, end), end, limit)
            if form.pinpoint == "page":
                end = _within(behind.skip("paragraph-behind-page", text, end), end, limit)
            elif "strasbourg" in form.around:
                more = pinpoints.find_after_case(text, end, "paragraph") if pinpoint.kind == "page" else None
                if more is not None and more[1] <= limit and more[0].kind == "paragraph":
                    pinpoint, end = more
                end = _within(behind.skip("strasbourg-date", text, end), end, limit)
    if form.kind == "case" and form.pinpoint == "page" and "no-court-behind" not in form.around:
        end = _within(behind.skip("court-behind-page", text, end), end, limit)
    if form.kind not in _CITED_BY_PLACE or form.pinpoint == "section":
        end = _within(behind.skip("edition", text, behind.skip("comment", text, end)), end, limit)
    if (form.kind in ("case", "journal") or form.pinpoint == "page") and (
        year is None or "court-and-year" in form.around
    ):
        court = _PATTERNS["court_year"].match(text, end)
        if court is not None and court.end() <= limit:
            year = int(court["year"])
            end = court.end()
    if form.kind in ("regulation", "statute") and pinpoint is None:
        # An instrument's number in brackets behind its title: "… Regulations 2006 (SI 2006/246)".
        bracketed = text[match.span.start - 1 : match.span.start] == "(" and text.startswith(")", end)
        end += form.pinpoint != "page" and bracketed
    if "case-word" in form.around:
        word = _PATTERNS["case_word"].search(text, max(0, begin - 16), begin)
        begin = word.start() if word is not None else begin
    return Mention(
        begin,
        end,
        core,
        form.kind,
        "full",
        form.jurisdiction,
        match.key,
        year=year,
        name=name,
        pinpoint=pinpoint,
        style=form.pinpoint,
        around=form.around,
        volume=match.values.get("volume", ""),
        report=match.values.get("report", ""),
    )


def _within(stop: int, end: int, limit: int) -> int:
    return stop if stop <= limit else end


@dataclass(frozen=True, slots=True)
class CourtAndYear:
    """What stands in brackets behind a citation: its court as written (empty if none), its year."""

    court: Span
    year: Span


def find_court_and_year(text: str, start: int, end: int) -> CourtAndYear | None:
    """The first brackets in a part of ``text`` that hold a year, and a court before it or not."""
    match = _PATTERNS["court_year"].search(text, start, end)
    return _read_brackets(match) if match is not None else None


def find_court_and_number(text: str, end: int) -> CourtAndYear | None:
    """The brackets right behind ``end`` that hold four digits, whatever these are."""
    match = _PATTERNS["court_number"].match(text, end)
    return _read_brackets(match) if match is not None else None


def _read_brackets(match: re.Match[str]) -> CourtAndYear:
    written = _PATTERNS["day_of_year"].sub("", match["court"]).rstrip(" ,")
    begin = match.start("court")
    return CourtAndYear(Span(begin, begin + len(written)), Span(*match.span("year")))


def take_titles(text: str, cited: list[Mention], acts: list[Mention]) -> list[Mention]:
    """The Acts that are not just the title of a statute cited by volume or chapter, which takes their name.

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
    """The Acts whose name stands in brackets behind their citation: "Regulation (EU) 2016/679 (GDPR)"."""
    opened = {act.start: act for act in acts if text[act.start - 1 : act.start] == "("} if acts else {}
    for mention in cited if opened else ():
        act = opened.get(mention.end + 2) or opened.get(mention.end + 1)
        if act is None or (act.key != mention.key and "makers" not in mention.around):
            continue
        if text.startswith(")", act.end) and text[mention.end : act.start].strip() == "(":
            mention.end = act.end + 1
            yield id(act)


def find_books(scan: Scan) -> Iterator[Mention]:
    """Books with an edition in brackets behind their title; the key is title and edition."""
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
