"""Lists of sections, articles, regulations and rules, and the Acts that they stand next to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lexls.citations.mention import Mention
from lexls.citations.model import CitationKind, Pinpoint, PinpointKind
from lexls.citations.scan import PARAGRAPH_BREAK
from lexls.text.spans import Span

_DASH = "[-‐‑‒–—−]{1,3}"
_PREFIX = r"""(?:
    (?P<section>[Ss]ections?\b|SECTIONS?\b|[Ss]ecs?\b\.?|(?:[Uu]/)?[Ss]{1,2}\.|(?:[Uu]/)?ss?(?=\s?\d|\s[A-Z]{2}\s\d)
      |[Ss]{1,2}(?=\s?-?\d)|§{1,2}|[Ss]ub-?sections?\b)
  | (?P<article>[Aa]rticles?\b|[Aa]rts?\b\.?|ARTICLES?\b)
  | (?P<regulation>[Rr]egulations?\b|[Rr]egs?\b\.?)
  | (?P<rule>(?:O(?:rder|\.|(?=\s\d))\s{0,9}(?:[IVXLC]{1,8}|\d{1,3}[A-Z]?),?\s{0,9})?
      (?:[Rr]ules?\b|(?<![.\w])[Rr]{1,2}\.?(?=\s?\d)))
  | (?P<schedule>[Ss]chedules?\b|[Ss]chs?\b\.?)
)"""
_LABEL = (
    r"(?:\d{1,5}(?:-?[A-Z]{1,3}(?![A-Za-z])|[a-z]{1,2}(?![A-Za-z]))?(?:[.:–-]\d{1,5}[A-Z]?)*|[IVXLC]{1,8}(?![A-Za-z]))"
    r"(?:\s?\((?!(?:1[6-9]|20)\d\d\))\s?[0-9A-Za-z]{1,5}(?:\.\d{1,2})?\s?\))*"
)
# New Zealand's income tax: "s CB 4", "s BG 1(1)".
_TAX = r"[A-Z]{2}\s\d{1,3}[A-Z]{0,2}(?![A-Za-z])(?:\([0-9a-z]{1,4}\)){0,4}"
# Where a list can begin; the whole is looked at only there.
_STARTS = re.compile(
    r"[SsAaRrOUu§](?<![\w'’/&-].)(?<!\.S)(?<!U\.\sS)(?:(?<=[Ss])(?:ec|EC|ub-?s|ch|[Ss]?\.|[Ss]?\s?-?\s?\d|s?\s[A-Z]{2}\s\d)|(?<=[Aa])(?:rt|RT)"
    r"|(?<=[Rr])(?:eg|ule|[Rr]?\.?\s?\d)|(?<=O)(?:rder\s|\.|\s\d)|(?<=[Uu])/s|(?<=§))"
)
_SECTIONS = re.compile(
    rf"(?<![\w'’/&-])(?<!\bc\s)(?<!\bc\.\s){_PREFIX}\s{{0,9}}-?\s{{0,3}}(?P<first>{_LABEL}|{_TAX})(?!\w|\.\d|,\d)",
    re.VERBOSE,
)
_JOINING = re.compile(_DASH)
_MORE = re.compile(
    rf"""\s{{0,9}}(?P<join>{_DASH}|,\s{{0,9}}(?:and|or)\b|,|/(?=\d)|&|\band\b|\bor\b|\bto\b|\bet\b|\bà\b
        |,?\s{{0,9}}(?:read\s{{1,9}}with|r/w\.?))
        \s{{0,9}}(?P<prefix>{_PREFIX}\s{{0,9}})?
        (?P<label>{_LABEL}|(?:\(\s?[0-9A-Za-z]{{1,5}}\s?\)){{1,4}})(?!\w|\.\d)""",
    re.VERBOSE,
)
_TO_ACT = re.compile(
    r"[\s,(]{0,40}(?:of|under|in|to|from)?\s{0,40}(?:(?:the|this|an?)\s{1,40})?(?:(?:said|same|above)\s{1,40})?"
)
_FROM_ACT = re.compile(r"[\s,()]{0,40}(?P<and>(?:and|&)\s{1,9})?")
# The paragraphs of a schedule: "Sch 1A, para 2", "paragraph 2 of Schedule 1A".
_ITS_PARAGRAPH = re.compile(
    rf"(?:,?\s{{1,3}}(?:[Pp](?:ar)?t|[Dd]iv)\.?\s(?:[IVX]{{1,5}}|\d{{1,3}}))?,?\s{{0,9}}(?P<unit>[Pp]aras?\b\.?|[Pp]aragraphs?\b|(?:ss?|[Ss]ections?|cls?|[Cc]lauses?|arts?|[Aa]rticles?"
    rf"|items?|pts?|[Pp]arts?|rules?|rr?)\b\.?)\s{{0,9}}(?P<label>{_LABEL})(?!\w|\.\d)"
)
_UNITS = {
    "s": "s",
    "ss": "s",
    "se": "s",
    "cl": "cl",
    "ar": "art",
    "it": "item",
    "pt": "pt",
    "ru": "r",
    "r": "r",
}
_PARAGRAPH_OF = re.compile(
    rf"(?<!\w)(?P<lead>(?:[Pp]aras?\b\.?|[Pp]aragraphs?\b)\s{{0,9}}(?P<label>{_LABEL})"
    r"\s{1,9}(?:of|to|in)\s{1,9}(?:the\s{1,9})?)\Z"
)
_DIVISION_LABEL = rf"(?:[IVX]{{1,6}}[A-Z]{{1,2}}(?![A-Za-z])|{_LABEL})"
_DIVISION = (
    r"(?:[Pp]ts?|[Pp]arts?|[Dd]ivs?|[Dd]ivisions?|[Cc]hs?|[Cc]hapters?|[Tt]itles?|[Cc]ls?|[Cc]lauses?)\b\.?"
    rf"\s{{1,3}}{_DIVISION_LABEL}"
)
_PART = re.compile(
    rf",?\s{{1,3}}(?P<part>{_DIVISION}(?:,?\s{{1,3}}(?:[Ss]ub-?)?{_DIVISION}){{0,3}})(?!\w|\.\d)"
)
_OTHER_OWNER = re.compile(
    r"\s{0,9},?\s{0,9}(?:of|to|under|in)\s{1,9}(?:this|the|that|such|an?|said|its|their)\s{1,9}(?:said\s{1,9})?"
    r"(?:\w{1,30}\s{1,9}){0,3}?(?i:agreement|bill|contract|lease|deed|policy|charter-?party|bye?-?laws?|articles|"
    r"memorandum|will|plaint|complaint|award|report)\b|\s{0,9},?\s{0,9}(?:hereof|thereof|herein)\b"
)
# The abbreviations of Indian codes, before which numbers are sections; nothing else is called so there.
_CODE = re.compile(
    r"[ICBN](?<= .)(?:(?<=I)\.?\s?P\.?\s?C\b|(?<=C)(?:r\.?\s?P|\.?\s?P)\.?\s?C\b"
    r"|(?<=B)(?:\.?N\.?S\.?S?|\.?S\.?A)\b|(?<=N)(?:DPS\b|\.?I\.?\sAct\b))"
)
_NUMBERS_BEFORE = re.compile(
    r"(?<![\w/.,()-])(?<!No\. )(?<!page )(?<!para )"
    r"(?P<numbers>\d{1,3}(?:-?[A-Z]{1,2})?(?:\([0-9a-z]{1,4}\)){0,3}"
    r"(?:\s?(?:/|,|&|\band\b|\br/w\.?|\bread\s{1,3}with)\s?\d{1,3}(?:-?[A-Z]{1,2})?(?:\([0-9a-z]{1,4}\)){0,3}){0,8})"
    r"\s{1,3}(?:of\s{1,3}(?:the\s{1,3})?)?\Z"
)
_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)
# What else is cited of an Act: recitals, annexes, entries of the lists, schedules by their ordinals.
_THE = re.compile(r"(?<!\w)the\s\Z")
_PLACE = re.compile(
    r"[RrAaEOFSTN](?<!\w.)(?:(?<=[Rr])ecitals?\s{1,3}\(?(?P<recital>\d{1,3})\)?(?!\w)"
    r"|(?P<annex>(?<=[Aa])nnex\s{1,3}(?:[IVXL]{1,6}|\d{1,2}|[A-H])[A-Z]?(?!\w)(?:,?\s{1,3}(?:[Pp]art|[Pp]oint|[Ss]ection|para\.?|[Aa]rt\.?)"
    r"\s{1,3}\d{1,3}(?:\([a-z0-9]{1,3}\)){0,2}(?!\w)){0,2})"
    r"|(?<=E)ntr(?:y|ies)\s{1,3}(?P<entry>\d{1,3}[A-Z]?(?:,?\s(?:and\s)?\d{1,3}[A-Z]?){0,4}),?\s{1,3}(?:of|in)\s{1,3}(?:the\s)?List[\s-]{1,3}"
    r"(?P<list>I{1,3})(?:,|\sof|\sin|\sto)\s(?:the\s)?(?:(?:Seventh|7th|VIIth|VII)\sSchedule)?"
    r"|(?<=O)(?:rder|\.)\s{0,3}(?P<order>[IVXLC]{1,6}|\d{1,3}[A-Z]?)(?=,?\s{1,3}(?:of\s(?:the\s)?)?(?:C\.?P\.?C|RHC|RDC|ROC|Code|Rules)\b)"
    r"|(?P<ordinal>(?<=F)(?:irst|ourth|ifth)|(?<=S)(?:econd|ixth|eventh)|(?<=T)(?:hird|enth|welfth)"
    r"|(?<=E)(?:ighth|leventh)|(?<=N)inth)\sSchedule(?!\w))"
)
_DASHES = {ord(dash): "-" for dash in "‐‑‒–—−"}
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
# What makes a number after a comma the volume of a citation or the day of a date.
_CITED = re.compile(
    r"\s{1,3}[A-Z][A-Za-z.]{0,12}\s{0,3}(?:[A-Z0-9][A-Za-z0-9.]{0,9}\s{0,3}){0,3}(?:§{1,2}\s{0,3})?\d"
)
_FOLLOWING = re.compile(r"\s{0,3}et\s{1,3}seqq?\b\.?")
_GROUP = re.compile(r"\([^()]*\)")
_ORDER = re.compile(r"O(?:rder|\.|(?=\s\d))\s{0,40}([IVXLC]+|\d+[A-Z]?)")


@dataclass(frozen=True, slots=True)
class SectionList:
    """A list of sections in a text with the span of the whole of it, prefix included."""

    span: Span
    pinpoint: Pinpoint
    dependent: bool = False  # whether it is one only next to an Act


def find_sections(text: str) -> list[SectionList]:
    """Every list of sections, articles, regulations, rules or schedules, in order."""
    found: list[SectionList] = []
    position = 0
    for start in _STARTS.finditer(text):
        if start.start() < position:
            continue
        match = _SECTIONS.match(text, start.start())
        if match is None:
            continue
        kind = _kind(match)
        first = match["first"]
        if first[0] in "IVXLC" and " " not in first and kind not in ("article", "schedule"):
            continue
        if kind in ("regulation", "rule") and _YEAR.fullmatch(first):  # "Regulations 2003" is a title's end
            continue
        label = _label(first)
        order = _ORDER.match(match.group()) if kind == "rule" else None
        if order is not None:
            label = f"{order[1]}:{label}"
        if PARAGRAPH_BREAK.search(text, match.start(), match.end()):
            continue
        begin = match.start()
        if kind == "schedule":
            begin, labels, position = _in_schedule(text, begin, match.end(), label)
        else:
            labels, position = continued(text, match.end(), label, kind)
        span = Span(begin, position)
        found.append(SectionList(span, Pinpoint(kind, labels, span)))
    places = [place for find in (_bare_numbers, _other_places) for place in find(text)]
    if not places:
        return found
    # "Entry 54 … of the Seventh Schedule" holds no list; a list holds what looks like bare numbers.
    kept = [place for place in places if not any(place.span.overlaps(other.span) for other in found)]
    return sorted([*found, *kept], key=lambda entry: entry.span.start)


def _bare_numbers(text: str) -> Iterator[SectionList]:
    """The sections of an Indian code that stand before its abbreviation without a word: "302/34 IPC"."""
    for code in _CODE.finditer(text):
        match = _NUMBERS_BEFORE.search(text, max(0, code.start() - 60), code.start())
        if match is None or _YEAR.fullmatch(match["numbers"]):
            continue
        start, end = match.span("numbers")
        labels = tuple(_label(label) for label in re.findall(_LABEL, match["numbers"]))
        span = Span(start, end)
        yield SectionList(span, Pinpoint("section", labels, span), dependent=True)


def _other_places(text: str) -> Iterator[SectionList]:
    """Recitals, annexes, entries and schedules by their ordinals, which name nothing without an Act."""
    for match in _PLACE.finditer(text):
        span = Span(*match.span())
        kind: PinpointKind = "schedule" if match["entry"] or match["ordinal"] else "clause"
        if match["recital"]:
            more, stop = continued(text, match.end(), match["recital"], "clause")
            labels = tuple(f"recital {label}" for label in more)
            span = Span(match.start(), stop)
        elif match["annex"]:
            labels = (" ".join(match.group().replace(",", " ").split()),)
        elif match["order"]:
            kind, labels = "rule", (match["order"],)
        elif match["entry"]:
            entries = re.findall(r"\d{1,3}[A-Z]?", match["entry"])
            labels = tuple(f"7 List {match['list']} entry {entry}" for entry in entries)
        else:
            labels = (str(_ORDINALS.index(match.group().split()[0].casefold()) + 1),)
            article = _THE.search(text, max(0, match.start() - 5), match.start())
            span = Span(article.start() if article is not None else match.start(), match.end())
        yield SectionList(span, Pinpoint(kind, labels, span), dependent=True)


def _in_schedule(text: str, start: int, end: int, label: str) -> tuple[int, tuple[str, ...], int]:
    """Where a schedule's pinpoint begins, its labels with their paragraphs ("1A para 2"), where it ends."""
    before = _PARAGRAPH_OF.search(text, max(0, start - 60), start)
    if before is not None and PARAGRAPH_BREAK.search(before.group()) is None:
        return before.start("lead"), (f"{label} para {_label(before['label'])}",), end
    behind = _ITS_PARAGRAPH.match(text, end)
    if behind is None or PARAGRAPH_BREAK.search(behind.group()):
        return start, *continued(text, end, label, "schedule")
    labels, stop = continued(text, behind.end(), _label(behind["label"]), "section")
    unit = _UNITS.get(behind["unit"][:2].casefold(), "para")
    return start, tuple(f"{label} {unit} {each}" for each in labels), stop


def continued(text: str, end: int, first: str, kind: PinpointKind) -> tuple[tuple[str, ...], int]:
    """The labels of a list whose first label ends at ``end``, and where the list ends."""
    labels = [first]
    while len(labels) < 60:
        more = _MORE.match(text, end)
        if more is None or not _goes_on(more, labels[-1], kind):
            break
        if not more["label"].startswith("(") and _CITED.match(text, more.end()):
            break
        if PARAGRAPH_BREAK.search(text, more.start(), more.end()):
            break
        label, join = _label(more["label"]), more["join"]
        if label.startswith("("):
            label = _within(labels[-1].rsplit("-", 1)[-1], label)
        if join == "to" or _JOINING.fullmatch(join):
            labels[-1] = f"{labels[-1]}-{label}"
        else:
            labels.append(label)
        end = more.end()
    following = _FOLLOWING.match(text, end)
    return tuple(labels), following.end() if following is not None else end


def _within(before: str, brackets: str) -> str:
    """What brackets alone stand for behind another label: "(c)(2)" behind "362(a)(1)" is "362(c)(2)"."""
    groups = _GROUP.findall(before)
    stem = before[: len(before) - sum(map(len, groups))]
    sort = _sort(brackets)
    same = [index for index, group in enumerate(groups) if _sort(group) == sort]
    return stem + "".join(groups[: same[-1] if same else -1]) + brackets


def _sort(bracket: str) -> str:
    sign = bracket[1]
    return "1" if sign.isdigit() else "A" if sign.isupper() else "a"


def _goes_on(more: re.Match[str], before: str, kind: PinpointKind) -> bool:
    """Whether the next number still belongs to the list, and is no year, date or Roman numeral."""
    label = more["label"]
    if more["prefix"]:
        return _kind(more) == kind and (label[0] not in "IVXLC" or kind == "article")
    if label.startswith("("):
        return before.endswith(")")
    if more["join"] == "/" and (kind != "section" or len(label) > 6):
        return False
    if label[0] in "IVXLC":
        return before[0] in "IVXLC"
    return _YEAR.fullmatch(label) is None or (before.isdigit() and len(before) > 3)


def _kind(match: re.Match[str]) -> PinpointKind:
    kinds: tuple[PinpointKind, ...] = ("section", "article", "regulation", "rule", "schedule")
    return next(kind for kind in kinds if match[kind] is not None)


def _label(text: str) -> str:
    return "".join(text.translate(_DASHES).split())


def join_sections(
    text: str, acts: list[Mention], lists: list[SectionList], defined: Mapping[int, Mention]
) -> list[Mention]:
    """The mentions of Acts with the sections cited of them; sections that stand alone become mentions.

    A list of sections belongs to the Act behind it ("section 9 of the … Act") or else right before it
    ("… Act 1994, s 9"); one of another document ("clause 4 of this Agreement") is left out. ``defined`` maps
    the end of a definition ('… Act 1994 ("the Act")') to the Act that it follows.
    """
    starts = {act.start: act for act in acts}
    ends = {**defined, **{act.end: act for act in acts}}
    bare: list[Mention] = []
    for entry in lists:
        span, pinpoint = entry.span, entry.pinpoint
        behind, before = _act_behind(text, span.end, starts), _act_before(text, span.start, ends)
        # "Pub. L. 94-553, § 401(a), 90 Stat. 2541": a comma alone joins less than what stands before.
        if behind is not None and before is not None and before.pinpoint is None:
            joined = text[span.end : behind.start].strip(" ,\t\r\n")
            behind = behind if joined or before.end == span.start else None
        behind, before = _having(behind, pinpoint), _having(before, pinpoint)
        if behind is not None and behind.pinpoint is None:
            behind.start, behind.pinpoint = span.start, pinpoint
            continue
        if before is not None and before.pinpoint is not None and before.end > before.pinpoint.span.start:
            if behind is None and before.pinpoint.kind != pinpoint.kind:
                before.end = span.end  # "s 8, art 16": the more precise place goes with the first
                ends[before.end] = before
                continue
            before = None
        if before is not None and before.pinpoint is None:
            gap = text[before.end : span.start]
            before.end, before.pinpoint = span.end, pinpoint
            ends[before.end] = before
            if gap.count("(") > gap.count(")") and text.startswith(")", span.end):
                before.end += 1
            continue
        if entry.dependent or _OTHER_OWNER.match(text, span.end):
            continue
        if bare and text[span.start] == "§":
            article = bare[-1]
            place = article.pinpoint
            if (
                place is not None
                and place.kind == "article"
                and text[article.end : span.start] in (" ", "\u00a0", ", ")
            ):
                article.end = span.end  # "Article 5 § 1 (f)"
                continue
        kind: CitationKind = "statute"
        if pinpoint.kind in ("regulation", "rule"):
            kind = "regulation" if pinpoint.kind == "regulation" else "rule"
        bare.append(Mention(span.start, span.end, span, kind, "section", pinpoint=pinpoint))
    for act in acts:
        if act.pinpoint is None and act.form == "full":
            _take_part(text, act)
    return sorted([*acts, *bare], key=lambda mention: mention.start)


def _take_part(text: str, act: Mention) -> None:
    """The part or division behind an Act as its pinpoint: "pt 2 div 3"."""
    behind = _PART.match(text, act.end)
    if behind is None:
        return
    span = Span(behind.start("part"), behind.end())
    act.end = span.end
    label = " ".join(span.of(text).replace(",", " ").split())
    if label[:1] in "Cc" and label.count(" ") == 1 and not label.casefold().startswith("ch"):
        label = label.split()[1]  # "cl 5.1": the kind says what the number counts
    act.pinpoint = Pinpoint("clause", (label,), span)


def _having(act: Mention | None, pinpoint: Pinpoint) -> Mention | None:
    """The Act, unless it cannot have what is cited: an Act has no rules, but a code by orders has."""
    if act is None or pinpoint.kind not in ("rule", "regulation") or act.kind != "statute":
        return act
    return act if "Code" in act.key or act.form in ("id", "supra") else None


def _act_behind(text: str, end: int, starts: dict[int, Mention]) -> Mention | None:
    gap = _TO_ACT.match(text, end)
    assert gap is not None
    # "the said Act" is a mention with its article, "the Human Rights Act" one without.
    if PARAGRAPH_BREAK.search(gap.group()):
        return None
    for position in range(gap.end(), end, -1):
        if position in starts:
            return starts[position]
    return None


def _act_before(text: str, start: int, ends: dict[int, Mention]) -> Mention | None:
    for position in range(start, max(-1, start - 12), -1):
        if position in ends:
            gap = _FROM_ACT.fullmatch(text, position, start)
            if gap is None or PARAGRAPH_BREAK.search(gap.group()):
                return None
            # "… Ordinance, s 3 and Sch 8", but not "the Ordinance and section 3".
            return ends[position] if gap["and"] is None or ends[position].pinpoint is not None else None
    return None


def with_label(pinpoint: Pinpoint, text: str, end: int) -> tuple[Pinpoint, int]:
    """A pinpoint read by a form ("42 U.S.C. § 1981"), continued by the list behind it (", 1983")."""
    labels, stop = continued(text, end, pinpoint.labels[-1], pinpoint.kind)
    return replace(pinpoint, labels=labels, span=Span(pinpoint.span.start, stop)), stop
