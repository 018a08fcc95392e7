"""Citations by their forms: cores with names, pinpoints, courts and years, parallel ones grouped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexls.citations import behind, case_names, pinpoints, templates
from lexls.citations.keys import spaced
from lexls.citations.mention import Mention
from lexls.citations.model import Pinpoint
from lexls.citations.registry import CoreMatch, Registry
from lexls.citations.scan import PARAGRAPH_BREAK, Scan
from lexls.citations.sections import with_label
from lexls.text.spans import Span

_COURT_YEAR = re.compile(
    r"\s{0,40}\((?P<court>[^()\d]{0,50}?(?:\b\d{1,2}(?:d|st|nd|rd|th)[^()\d]{0,20})?(?:\b\w{3,5}\.?\s\d{1,2},\s)?)"
    r"(?P<year>(?:1[6-9]|20)\d\d)(?:,\s(?:no\s|writ\s|pet\.)[^()]{0,40})?\)"
)
_PARALLEL_GAP = re.compile(
    r"[\s,;:=()\[\]/]{0,40}(?:(?<=[)\]])\.\s{0,40})?(?:\b(?:equivalent\s{1,40}to|also\s{1,40}reported\s{1,40}(?:in|as)|reported\s{1,40}in)\b[\s,]{0,40})?"
)
# The court in brackets between a report and its page: "[1999] 2 NZLR 1 (CA) at 12".
_COURT = re.compile(r"\s{1,9}\([A-Z][A-Za-z]{0,5}\)(?=,?\s{1,9}(?:at\s|\[?\d|para))")
_DOCKETS = frozenset({"eu-case", "eu-docket", "eu-ecli", "hk-actions", "in-dockets", "sg-dockets"})
# The word before a case's number, and the page that ends a range of pages of the journal.
_CASE_WORD = re.compile(r"(?:(?<!\w)[Jj]oined\s{1,3})?(?<!\w)[Cc]ases?\s{1,3}\Z")
_RANGE_OF_PAGES = re.compile(r"\s?[-–]\s?\d{1,4}(?![\w/])")
_LEGISLATORS = re.compile(
    r"\sof\sthe\sEuropean\sParliament\sand\sof\sthe\sCouncil(?:\sof\s\d{1,2}\s[A-Z][a-z]{2,8}\s\d{4})?"
)
_OF_DATE = re.compile(r"\sof\s\d{1,2}\s[A-Z][a-z]{2,8}\s\d{4}(?!\w)")
# A docket's number is a citation only behind a case's name.
_BY_NAME_ONLY = frozenset({"in-dockets", "us-dockets"})
# What is cited by a number behind its title.
_BY_NUMBER = frozenset({"treaty-series", "ca-regulations", "ca-revised-regulations"})
# Before these a name without "v" is likely; elsewhere the words before are mostly the sentence's.
_TITLED_CASES = frozenset(
    {"uk-neutral", "uk-neutral-division", "au-neutral", "nz-neutral", "uk-reports", "au-reports"}
    | {
        "nz-reports",
        "uk-scottish-reports",
        "us-supreme",
        "uk-nominate-reports",
        "au-reports-by-paragraph",
        "au-reports-square",
    }
)
# A database's number holds the year, and the court with its date still follows.
_DATED_BEHIND = frozenset({"us-databases"})
_STRASBOURG = frozenset({"echr-application", "echr-application-bare", "echr-reports", "echr-series-a"})
# What a court did to a case, between the citations of its history.
_HISTORY = re.compile(
    r"(?:\s{0,9}\([^()]{0,60}\)){0,2}[\s,;.]{0,9}(?:(?:and|but)\s{1,9})?"
    r"(?:aff|rev|aff['’]?[dg]|rev['’]?[dg]|affirm(?:ed|ing)|revers(?:ed|ing)|vacat(?:ed|ing)|modif(?:ied|ying)|remanded|"
    r"cert(?:\.|iorari)\s{1,9}(?:denied|granted|dismissed)|(?:rehearing|reh['’]g)\s{1,9}(?:denied|granted)|"
    r"(?:leave\s{1,9}to\s{1,9})?appeal\s{1,9}(?:dismissed|denied|refused|allowed|granted)|"
    r"review\s{1,9}(?:denied|granted)|writ\s{1,9}(?:denied|ref['’]d)|overruled|abrogated|superseded|enforced|sub\s{1,9}nom)\b\.?"
    r"(?:[\s,]{1,9}(?:in|part|on|other|another|different|grounds?|and|by|per|curiam|mem|sub|nom|an?|equally|divided|"
    r"court|en|banc|with|remanded|as|the|aff['’]?d|rev['’]?d|cert|denied|granted|vacated|reh['’]g|appeal)\b\.?){0,9}[\s,:]{0,9}",
    re.IGNORECASE,
)
# What is cited by pages and paragraphs.
_CITED_BY_PLACE = frozenset({"case", "journal", "book", "treaty", "other"})
_TITLED = re.compile(r"[\s,(]{1,6}")


class CoreFinder:
    """Finds what the forms of a registry describe."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def cores(self, scan: Scan, jurisdiction: str) -> list[list[CoreMatch]]:
        """Every core in order with its readings; several only if they are of several jurisdictions."""
        text = scan.text
        anchors = [
            *scan.numerals(),
            *((start, "word") for start in scan.starts(self._registry.starts(jurisdiction))),
        ]
        anchors.sort()
        found: list[list[CoreMatch]] = []
        position = 0
        for start, opening in anchors:
            if start < position:
                continue
            matches = self._registry.match(text, start, opening, jurisdiction)
            if not matches:
                continue
            longest = max(match.span.end for match in matches)
            if PARAGRAPH_BREAK.search(text, start, longest):
                continue
            readings = [match for match in matches if match.span.end == longest]
            if len({match.form.jurisdiction for match in readings}) < 2:
                del readings[1:]
            elif not jurisdiction:
                readings.sort(key=lambda match: not match.as_listed(text))
            found.append(readings)
            position = longest
        return found


def mentions_of(text: str, matches: Sequence[CoreMatch]) -> list[Mention]:
    """The mentions of cores, in order, the names, pinpoints and years next to them included."""
    mentions: list[Mention] = []
    previous: CoreMatch | None = None
    floor = 0
    group = 0
    limits = [*(match.span.start for match in matches[1:]), len(text)]
    for match, limit in zip(matches, limits, strict=False):
        mention = _mention(text, match, limit)
        last = mentions[-1] if mentions else None
        if last is not None and previous is not None and _parallel(text, last, previous, mention, match):
            mention.group = last.group
            mention.name = last.name
            mention.year = mention.year or last.year
            for other in reversed(mentions):
                if other.group != mention.group:
                    break
                other.year = other.year or mention.year
            mention.chain = last.chain
        else:
            group += 1
            mention.group = group
            if mention.kind == "case":
                end = mention.end
                _take_name(text, mention, floor, [other.name for other in mentions if other.name])
                after = pinpoints.after_case(text, mention.end, mention.style) if mention.end > end else None
                if after is not None and mention.pinpoint is None and after[1] <= limit:
                    mention.pinpoint, mention.end = after
            elif mention.kind == "journal":
                title = behind.quoted_title(text, mention.start, floor)
                if title is not None:
                    mention.start, mention.name = title.start, spaced(title.of(text)[1:-1].rstrip(" ,"))
            elif mention.form_id == "ca-statutes":
                title = behind.long_title(text, mention.start, floor)
                if title is not None:
                    mention.start, mention.name = title.start, spaced(title.of(text))
            elif mention.form_id in _BY_NUMBER:
                title = behind.title_before(text, mention.start, floor)
                if title is not None:
                    mention.start, mention.name = title.start, spaced(title.of(text))
            if last is not None and _goes_on(text, last, mention):
                mention.chain = last.chain or last.group
        if mention.form_id in _BY_NAME_ONLY and not mention.name:
            continue
        if mention.form_id in _STRASBOURG and text.startswith(")", mention.end):
            opened = next(other.start for other in [*mentions, mention] if other.group == mention.group)
            whole = text[opened : mention.end]
            mention.end += whole.count("(") > whole.count(")")
        previous = match
        floor = mention.end
        mentions.append(mention)
    return mentions


def _parallel(text: str, last: Mention, previous: CoreMatch, mention: Mention, match: CoreMatch) -> bool:
    """Whether a citation is another report of the case cited right before it."""
    if last.kind != "case" or mention.kind != "case":
        return False
    if previous.form.id == match.form.id and last.report == mention.report:
        return False
    if last.year and mention.year and abs(last.year - mention.year) > 3:
        return False
    # A semicolon mostly parts two cases; of one case both citations give the same year.
    if ";" in text[last.end : mention.start] and (
        last.pinpoint is not None or last.year != mention.year or not last.year
    ):
        return False
    return (
        _PARALLEL_GAP.fullmatch(text, last.end, mention.start) is not None
        and PARAGRAPH_BREAK.search(text, last.end, mention.start) is None
    )


def _goes_on(text: str, last: Mention, mention: Mention) -> bool:
    """Whether a citation belongs to the history of the case cited right before it ("…, aff'd, …")."""
    if last.kind != "case" or mention.kind != "case" or mention.start - last.end > 200:
        return False
    return (
        _HISTORY.fullmatch(text, last.end, mention.start) is not None
        and PARAGRAPH_BREAK.search(text, last.end, mention.start) is None
    )


def _short_name(text: str, start: int, floor: int, names: Sequence[str]) -> Span | None:
    """The short name right before a citation, of a case that was named before: "Love (2020) 270 CLR 152"."""
    short = case_names.words_before(text, start) if names else None
    if short is None or short.start < floor or short.end < start - 2:
        return None
    word = short.of(text)
    return short if any(name.startswith(word + " ") or name.endswith(" " + word) for name in names) else None


def _take_name(text: str, mention: Mention, floor: int, names: Sequence[str]) -> None:
    if mention.name:
        return
    start = mention.start
    if mention.form_id in _STRASBOURG:
        start, paragraphs = behind.before_strasbourg_report(text, start, floor)
        page = mention.pinpoint is None or mention.pinpoint.kind == "page"
        if paragraphs is not None and page and start > floor:
            mention.pinpoint = paragraphs
    name = case_names.name_before(text, start, floor)
    if name is None and mention.form_id in _TITLED_CASES:
        name = case_names.titled_before(text, start, floor)
    name = name or _short_name(text, start, floor, names)
    if name is None and mention.pinpoint is not None and mention.pinpoint.span.end <= mention.start:
        mention.pinpoint = None
    if name is not None:
        # "Carrow v Dean (HCMP 2345/2014, 5 June 2015)": the bracket behind the name closes the mention.
        opened = text[name.end : mention.start]
        if "(" in opened and ")" not in opened and text.startswith(")", mention.end):
            mention.end += 1
        mention.start = name.start
        mention.name = spaced(name.of(text))


def _mention(text: str, match: CoreMatch, limit: int) -> Mention:
    """The mention of a core with what stands behind it, up to ``limit`` (where the next core begins)."""
    form = match.form
    core, begin, end = match.span, match.span.start, match.span.end
    pinpoint: Pinpoint | None = None
    for token in templates.PINPOINT_TOKENS:
        span = match.value_spans.get(token)
        if span is None:
            continue
        if token == "provision":
            pinpoint = Pinpoint("article", (spaced(span.of(text).replace(",", " ")),), span)
        else:
            pinpoint = Pinpoint(form.pinpoint, (span.of(text).replace(" ", ""),), span)
            longer, stop = with_label(pinpoint, text, end)
            if stop <= limit:
                pinpoint, end = longer, stop
        head = text[core.start : span.start].rstrip(" \t\r\n§")
        core = Span(core.start, core.start + len(head))
    year = match.year
    name = ""
    if form.id in ("eu-case", "eu-docket"):
        named = behind.name_behind(text, end, limit)
        name, end = named if named is not None else ("", end)
    if form.id in _DOCKETS:
        end = _within(behind.dated(text, end), end, limit)
    elif form.id == "eu-official-journal":
        pages = _RANGE_OF_PAGES.match(text, end)
        end = _within(pages.end(), end, limit) if pages is not None else end
    elif form.id == "eu-legislation":
        passed = _LEGISLATORS.match(text, end) or _OF_DATE.match(text, end)
        end = _within(passed.end(), end, limit) if passed is not None else end
    if pinpoint is None and (form.kind in _CITED_BY_PLACE or form.pinpoint in ("paragraph", "page")):
        court_after = _COURT.match(text, end)
        stop = limit
        closed = behind.court(text, end) if form.kind == "case" else end
        if form.id == "nz-file-numbers":
            closed = behind.date(text, end)
        elif form.kind == "treaty":
            closed = behind.in_force(text, end)
        elif form.kind == "other":
            closed = behind.boxed(text, match.span.start, end)
            begin -= closed > end
        if closed > limit:
            closed = end
        start = court_after.end() if court_after and closed == end else closed
        if form.id in _STRASBOURG:
            if text.startswith("(", match.span.start - 1) and text.startswith(")", end):
                end += 1
            start = end = behind.strasbourg_date(text, end)
            stop = min(limit, max(end, behind.strasbourg_limit(text, end)))
        else:
            end = closed
        after = pinpoints.after_case(text, start, form.pinpoint, form.jurisdiction != "US")
        if after is not None and after[1] > stop and start < stop:
            # What seemed to go on in a list ("¶ 12, 410 P.3d 1") is the next citation's first number.
            after = pinpoints.after_case(text[start:stop], 0, form.pinpoint)
            after = (replace(after[0], span=after[0].span.shift(start)), start + after[1]) if after else None
        if after is None and closed > match.span.end and form.pinpoint == "page":
            after = behind.page_behind_court(text, closed)
        if after is not None and after[1] <= limit:
            pinpoint, end = after
            if form.kind == "case":
                end = _within(behind.court(text, end), end, limit)
            if form.pinpoint == "page":
                end = _within(behind.paragraph_behind_page(text, end), end, limit)
            elif form.id in _STRASBOURG:
                more = pinpoints.after_case(text, end, "paragraph") if pinpoint.kind == "page" else None
                if more is not None and more[1] <= limit and more[0].kind == "paragraph":
                    pinpoint, end = more
                end = _within(behind.strasbourg_date(text, end), end, limit)
    if form.kind == "case" and form.pinpoint == "page" and form.jurisdiction not in ("US", "ECHR"):
        end = _within(behind.court_behind(text, end), end, limit)
    if form.kind not in _CITED_BY_PLACE or form.pinpoint == "section":
        end = _within(behind.edition(text, behind.comment(text, end)), end, limit)
    if (form.kind in ("case", "journal") or form.pinpoint == "page") and (
        year is None or form.id in _DATED_BEHIND
    ):
        court = _COURT_YEAR.match(text, end)
        if court is not None and court.end() <= limit:
            year = int(court["year"])
            end = court.end()
    if form.kind in ("regulation", "statute") and pinpoint is None:
        # An instrument's number in brackets behind its title: "… Regulations 2006 (SI 2006/246)".
        end += (
            form.pinpoint != "page" and text[match.span.start - 1 :][:1] == "(" and text.startswith(")", end)
        )
    if form.id == "eu-docket":
        word = _CASE_WORD.search(text, max(0, begin - 16), begin)
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
        form_id=form.id,
        volume=match.values.get("volume", ""),
        report=match.values.get("report", ""),
    )


def _within(stop: int, end: int, limit: int) -> int:
    return stop if stop <= limit else end


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
            if _TITLED.fullmatch(text, end, mention.start):
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
        if (
            act is None
            or (act.key != mention.key and mention.form_id != "eu-legislation")
            or not text.startswith(")", act.end)
        ):
            continue
        if text[mention.end : act.start].strip() == "(":
            mention.end = act.end + 1
            yield id(act)
