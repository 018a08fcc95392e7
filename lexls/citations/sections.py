"""Find lists of sections, articles, regulations and rules, and attach them to the Acts next to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lexls.citations.model import DASHES, CitationKind, Mention, Pinpoint, PinpointKind
from lexls.citations.scan import PARAGRAPH_BREAK, Scan
from lexls.citations.tables import load_patterns
from lexls.text.lexicon import ORDINALS, split_words
from lexls.text.phrases import load_phrases
from lexls.text.spans import Coverage, Span

_PATTERNS = load_patterns("sections.toml")
_UNITS = {
    "s": "s", "ss": "s", "se": "s", "cl": "cl", "ar": "art", "it": "item", "pt": "pt", "ru": "r", "r": "r",
}  # fmt: skip
# The letters with which abbreviations of Indian codes begin.
_CODES = split_words("I IP IPC C CP CPC Cr CrP CrPC B BN BNS BNSS BS BSA N NI NDPS")
_NO_OWNER = split_words(load_phrases("lexls.citations", "sections.toml")["words"]["no_owner"])
_KINDS: Mapping[PinpointKind, CitationKind] = {"regulation": "regulation", "rule": "rule"}
_OPENS = frozenset(["", *'.;:!?("“”'])


@dataclass(frozen=True, slots=True)
class SectionList:
    """A list of sections in a text; ``span`` covers all of it, including the prefix."""

    span: Span
    pinpoint: Pinpoint
    dependent: bool = False  # whether it counts only next to an Act


def find_sections(scan: Scan) -> list[SectionList]:
    """Return every list of sections, articles, regulations, rules or schedules, in order."""
    text = scan.text
    found: list[SectionList] = []
    position = 0
    for start in _PATTERNS["starts"].finditer(text):
        if start.start() < position:
            continue
        match = _PATTERNS["sections"].match(text, start.start())
        if match is None:
            continue
        kind, first = _kind(match), match["first"]
        if first[0] in "IVXLC" and " " not in first and kind not in ("article", "schedule"):
            continue
        if kind in ("regulation", "rule") and _PATTERNS["year"].fullmatch(
            first
        ):  # "Regulations 2003" ends a title
            continue
        label = _label(first)
        order = _PATTERNS["order"].match(match.group()) if kind == "rule" else None
        if order is not None:
            label = f"{order[1]}:{label}"
        if PARAGRAPH_BREAK.search(text, match.start(), match.end()):
            continue
        begin = match.start()
        if kind == "schedule":
            begin, labels, position = _in_schedule(text, begin, match.end(), label)
        else:
            labels, position = continue_list(text, match.end(), label, kind)
        span = Span(begin, position)
        # "(R. 14)" cites the record, unlike "Fed. R. Civ. P.".
        dependent = kind == "rule" and order is None and text[begin : begin + 2] in ("R.", "R ")
        found.append(SectionList(span, Pinpoint(kind, labels, span), dependent))
    places = [*_bare_numbers(scan), *_other_places(text)]
    # "Entry 54 … of the Seventh Schedule" contains no list; a list may contain apparent bare numbers.
    covered = Coverage(entry.span for entry in found)
    kept = [place for place in places if not covered.overlaps(place.span)]
    return sorted([*found, *kept], key=lambda entry: entry.span.start)


def _bare_numbers(scan: Scan) -> Iterator[SectionList]:
    """Yield the sections of an Indian code before its abbreviation, without a word for "section": "302/34
    IPC".
    """
    text = scan.text
    for start in scan.starts(_CODES):
        code = _PATTERNS["code"].match(text, start)
        match = (
            _PATTERNS["numbers_before"].search(text, max(0, start - 60), start) if code is not None else None
        )
        if match is None or _PATTERNS["year"].fullmatch(match["numbers"]):
            continue
        labels = tuple(map(_label, _PATTERNS["label"].findall(match["numbers"])))
        span = Span(*match.span("numbers"))
        yield SectionList(span, Pinpoint("section", labels, span), dependent=True)


def _other_places(text: str) -> Iterator[SectionList]:
    """Yield recitals, annexes, orders, entries and schedules. They mean nothing without an Act."""
    end = 0
    for start, sort, match in sorted(_places(text)):
        if start < end:
            continue
        end = stop = match.end()
        kind: PinpointKind = "schedule" if sort in ("entry", "schedule") else "clause"
        if sort == "recital":
            more, stop = continue_list(text, end, match["recital"], "clause")
            labels = tuple(f"recital {label}" for label in more)
        elif sort == "annex":
            labels = (" ".join(text[start:end].replace(",", " ").split()),)
        elif sort == "order_of_code":
            kind, labels = "rule", (match["order"],)
        elif sort == "entry":
            entries = re.findall(r"\d{1,3}[A-Z]?", match["entry"])
            labels = tuple(f"7 List {match['list']} entry {entry}" for entry in entries)
        else:
            labels = (str(ORDINALS[text[start:end].split()[0].casefold()]),)
            article = _PATTERNS["the"].search(text, max(0, start - 5), start)
            start = article.start() if article is not None else start
        yield SectionList(Span(start, stop), Pinpoint(kind, labels, Span(start, stop)), dependent=True)


def _places(text: str) -> Iterator[tuple[int, str, re.Match[str]]]:
    """Yield the start of each recital, annex, order, entry or schedule, the name of its pattern, and the
    match with which it ends.
    """
    for sort, cut in (("recital", 1), ("annex", 1), ("entry", 0), ("order_of_code", 0)):
        for match in _PATTERNS[sort].finditer(text):
            yield match.start() - cut, sort, match
    for match in _PATTERNS["schedule"].finditer(text):
        ordinal = _PATTERNS["ordinal"].search(text, max(0, match.start() - 9), match.start())
        if ordinal is not None:
            yield ordinal.start(), "schedule", match


def _in_schedule(text: str, start: int, end: int, label: str) -> tuple[int, tuple[str, ...], int]:
    """Return the start of a schedule's pinpoint, its labels including paragraphs ("1A para 2"), and
    its end.
    """
    before = _PATTERNS["paragraph_of"].search(text, max(0, start - 60), start)
    if before is not None and PARAGRAPH_BREAK.search(before.group()) is None:
        return before.start("lead"), (f"{label} para {_label(before['label'])}",), end
    behind = _PATTERNS["its_paragraph"].match(text, end)
    if behind is None or PARAGRAPH_BREAK.search(behind.group()):
        return start, *continue_list(text, end, label, "schedule")
    labels, stop = continue_list(text, behind.end(), _label(behind["label"]), "section")
    unit = _UNITS.get(behind["unit"][:2].casefold(), "para")
    return start, tuple(f"{label} {unit} {each}" for each in labels), stop


def continue_list(text: str, end: int, first: str, kind: PinpointKind) -> tuple[tuple[str, ...], int]:
    """Return the labels of a list whose first label ends at ``end``, and the end of the list."""
    labels, end = _divide(text, end, first, kind)
    while len(labels) < 60:
        more = _PATTERNS["more"].match(text, end)
        if more is None or not _goes_on(more, labels[-1], kind):
            break
        if not more["label"].startswith("(") and _PATTERNS["cited"].match(text, more.end()):
            break
        # "33 U.S.C. § 2718(c), § 1018 grants": the last section begins a new clause.
        if more["prefix"] and more["join"] == "," and _PATTERNS["grants"].match(text, more.end()):
            break
        if PARAGRAPH_BREAK.search(text, more.start(), more.end()):
            break
        if _is_mark_of_note(text, more, labels[-1]):
            break
        label, join = _label(more["label"]), more["join"]
        if label.startswith("("):
            label = _within(labels[-1].rsplit("-", 1)[-1], label)
        if join == "to" or _PATTERNS["joining"].fullmatch(join):
            labels[-1], end = f"{labels[-1]}-{label}", more.end()
        else:
            divided, end = _divide(text, more.end(), label, kind)
            labels += divided
    following = _PATTERNS["following"].match(text, end)
    return tuple(labels), following.end() if following is not None else end


def _divide(text: str, end: int, label: str, kind: PinpointKind) -> tuple[list[str], int]:
    """Return the paragraphs of an article in Strasbourg style ("5 §§ 1 and 4"), and their end."""
    parts = _PATTERNS["strasbourg_parts"].match(text, end) if kind == "article" else None
    if parts is None:
        return [label], end
    found = _PATTERNS["strasbourg_part"].finditer(parts.group())
    return [f"{label}({each['number']}){_label(each['letter'] or '')}" for each in found], parts.end()


def _is_mark_of_note(text: str, more: re.Match[str], before: str) -> bool:
    """Return whether a number after a single section is a footnote mark rather than another section: "§
    506(a), 1".
    """
    label = more["label"]
    if more["join"] != "," or not label.isdigit() or len(label) > 2 or not before[:3].isdigit():
        return False
    sign = text.rfind("§", max(0, more.start() - len(before) - 4), more.start())
    return sign >= 0 and text[sign - 1 : sign] != "§"


def _within(before: str, brackets: str) -> str:
    """Complete a label that consists only of brackets: "(c)(2)" after "362(a)(1)" becomes "362(c)(2)"."""
    groups = _PATTERNS["group"].findall(before)
    stem = before[: len(before) - sum(map(len, groups))]
    sort = _sort(brackets)
    same = [index for index, group in enumerate(groups) if _sort(group) == sort]
    return stem + "".join(groups[: same[-1] if same else -1]) + brackets


def _sort(bracket: str) -> str:
    sign = bracket[1]
    return "1" if sign.isdigit() else "A" if sign.isupper() else "a"


def _goes_on(more: re.Match[str], before: str, kind: PinpointKind) -> bool:
    """Return whether the next number belongs to the list. It may instead be a year, a date or a Roman
    numeral.
    """
    label = more["label"]
    if more["prefix"]:
        return _kind(more) == kind and (label[0] not in "IVXLC" or kind == "article")
    if label.startswith("("):
        return before.endswith(")")
    if more["join"] == "/" and (kind != "section" or len(label) > 6):
        return False
    if label[0] in "IVXLC":
        return before[0] in "IVXLC"
    return _PATTERNS["year"].fullmatch(label) is None or (before.isdigit() and len(before) > 3)


def _kind(match: re.Match[str]) -> PinpointKind:
    kinds: tuple[PinpointKind, ...] = ("section", "article", "regulation", "rule", "schedule")
    return next(kind for kind in kinds if match[kind] is not None)


def _label(text: str) -> str:
    return "".join(text.translate(DASHES).split())


def join_sections(
    text: str, acts: list[Mention], lists: list[SectionList], defined: Mapping[int, Mention]
) -> list[Mention]:
    """Return the mentions of Acts with their sections, and a mention for each list of bare sections.

    A list of sections belongs to the Act after it ("section 9 of the … Act") or else immediately before it
    ("… Act 1994, s 9"). Sections of other documents ("clause 4 of this Agreement") are marked as loose.
    ``defined`` maps the end of a definition ('… Act 1994 ("the Act")') to the Act before it.
    """
    starts = {act.start: act for act in acts}
    ends = {**defined, **{act.end: act for act in acts}}
    bare: list[Mention] = []
    for entry in lists:
        behind, before = _acts_beside(text, entry, starts, ends)
        if behind is not None and behind.pinpoint is None:
            behind.start, behind.pinpoint = entry.span.start, entry.pinpoint
            if bare and _is_in_article(text, bare[-1], entry):  # "Article I, Section 8 of the Constitution"
                article = bare.pop()
                behind.start, behind.pinpoint = article.start, article.pinpoint
        elif before is not None and _goes_to_act(text, before, behind, entry):
            ends[before.end] = before
        elif entry.dependent:
            continue
        elif bare and _is_in_article(text, bare[-1], entry):
            bare[-1].end = entry.span.end  # "Article 5 § 1 (f)", "Article I, Section 8"
        else:
            bare.append(_bare(text, entry))
    for act in acts:
        if act.pinpoint is None and act.form == "full":
            _take_part(text, act)
    return sorted([*acts, *bare], key=lambda mention: mention.start)


def _acts_beside(
    text: str, entry: SectionList, starts: dict[int, Mention], ends: dict[int, Mention]
) -> tuple[Mention | None, Mention | None]:
    """Return the Act immediately after a list of sections, and the Act immediately before it. Each is None
    unless it can have these sections.
    """
    span, pinpoint = entry.span, entry.pinpoint
    behind, before = _act_behind(text, span.end, starts), _act_before(text, span.start, ends)
    # "Pub. L. 94-553, § 401(a), 90 Stat. 2541": a comma alone binds less than the text before.
    if behind is not None and before is not None and before.pinpoint is None:
        joined = text[span.end : behind.start].strip(" ,\t\r\n")
        behind = behind if joined or before.end == span.start else None
    return _having(behind, pinpoint), _having(before, pinpoint)


def _goes_to_act(text: str, act: Mention, behind: Mention | None, entry: SectionList) -> bool:
    """Return whether a list of sections belongs to the Act before it. If so, extend the Act's mention to the
    end of the list.
    """
    span, pinpoint = entry.span, entry.pinpoint
    if act.pinpoint is not None:
        further = act.end > act.pinpoint.span.start and behind is None and act.pinpoint.kind != pinpoint.kind
        act.end = (
            span.end if further else act.end
        )  # "s 8, art 16": the more precise place goes with the first
        return further
    gap = text[act.end : span.start]
    act.end, act.pinpoint = span.end, pinpoint
    act.end += gap.count("(") > gap.count(")") and text.startswith(")", span.end)
    return True


def _bare(text: str, entry: SectionList) -> Mention:
    """Return a mention for a list of sections without an Act next to it."""
    span = entry.span
    kind = _KINDS.get(entry.pinpoint.kind, "statute")
    mention = Mention(span.start, span.end, span, kind, "section", pinpoint=entry.pinpoint)
    mention.loose = _of_other(text, span)
    mention.owner = "" if mention.loose else _find_owner(text, span)
    return mention


def _of_other(text: str, span: Span) -> bool:
    """Return whether a list of sections belongs to a document that is not an authority: "clause 4 of this
    Agreement".
    """
    if _PATTERNS["other_owner"].match(text, span.end):
        return True
    return _PATTERNS["owner_before"].search(text, max(0, span.start - 30), span.start) is not None


def _is_in_article(text: str, article: Mention, entry: SectionList) -> bool:
    """Return whether a section belongs to the article immediately before it."""
    place, start = article.pinpoint, entry.span.start
    if place is None or place.kind != "article" or entry.pinpoint.kind != "section":
        return False
    return _PATTERNS["in_article"].fullmatch(text, article.end, start) is not None


def _find_owner(text: str, span: Span) -> str:
    """Return the words next to a bare section that name its Act, or ""."""
    behind = _PATTERNS["owner_behind"].match(text, span.end)
    if behind is not None:
        return str(next(filter(None, behind.groups())))
    if text[span.start] in "uU":  # "the accused u/s 302"
        return ""
    if ")" in text[max(0, span.start - 3) : span.start]:
        edition = _PATTERNS["edition"].search(text, max(0, span.start - 80), span.start)
        return edition.group().strip() if edition is not None else ""
    before = _PATTERNS["owner"].search(text, max(0, span.start - 40), span.start)
    if before is None:
        titled = _PATTERNS["titled"].search(text, max(0, span.start - 40), span.start)
        return titled.group() if titled is not None else ""
    word = before["word"] or ""
    if (word == "Federal" and text[span.start] == "R") or (word == "Article" and text[span.start] == "§"):
        return word  # "Criminal Procedure Article § 1-203"
    return "" if word and _is_no_owner(text, word, before.start(), span) else before.group().strip(" ,\u00a0")


def _is_no_owner(text: str, word: str, start: int, span: Span) -> bool:
    """Return whether a word before a section is not part of the title of an Act: "(d) Construing § 4",
    "Kane's § 1983 claim".
    """
    if word.casefold() in _NO_OWNER or word.endswith(("'s", "’s", "s'", "s’")):
        return True
    if word.isupper():
        return False
    # The first word of a sentence is a name only in capitals ("ERISA § 502") or before the section sign.
    signed = text[span.start] == "§" and not word.endswith(("ly", "ed"))
    opens = text[max(0, start - 3) : start].rstrip()[-1:] in _OPENS
    return word.endswith("ing") or (opens and not signed)


def _take_part(text: str, act: Mention) -> None:
    """Record the part or division after an Act as its pinpoint: "pt 2 div 3"."""
    behind = _PATTERNS["part"].match(text, act.end)
    if behind is None:
        return
    span = Span(behind.start("part"), behind.end())
    act.end = span.end
    label = " ".join(span.of(text).replace(",", " ").split())
    if label[:1] in "Cc" and label.count(" ") == 1 and not label.casefold().startswith("ch"):
        label = label.split()[1]  # "cl 5.1": the kind already gives the unit
    act.pinpoint = Pinpoint("clause", (label,), span)


def _having(act: Mention | None, pinpoint: Pinpoint) -> Mention | None:
    """Return the Act, or None if it cannot have the provision. An Act has no rules or regulations; a code
    may.
    """
    if act is None or pinpoint.kind not in ("rule", "regulation") or act.kind != "statute":
        return act
    return act if "Code" in act.key or act.form in ("id", "supra") else None


def _act_behind(text: str, end: int, starts: dict[int, Mention]) -> Mention | None:
    gap = _PATTERNS["to_act"].match(text, end)
    assert gap is not None
    # The mention of "the said Act" includes the article, that of "the Human Rights Act" does not.
    if PARAGRAPH_BREAK.search(gap.group()):
        return None
    act = next((starts[place] for place in range(gap.end(), end, -1) if place in starts), None)
    # "In section 9, the Act says": a comma alone does not join an unnamed Act.
    told = act is None or act.form not in ("defined", "short") or text[end : act.start].strip() != ","
    return act if told else None


def _act_before(text: str, start: int, ends: dict[int, Mention]) -> Mention | None:
    end = next((place for place in range(start, max(-1, start - 12), -1) if place in ends), -1)
    gap = _PATTERNS["from_act"].fullmatch(text, end, start) if end >= 0 else None
    if gap is None or PARAGRAPH_BREAK.search(gap.group()):
        return None
    # "… Ordinance, s 3 and Sch 8", but not "the Ordinance and section 3".
    return ends[end] if gap["and"] is None or ends[end].pinpoint is not None else None


def extend_label(pinpoint: Pinpoint, text: str, end: int) -> tuple[Pinpoint, int]:
    """Return the pinpoint of a form ("42 U.S.C. § 1981") extended by the list after it (", 1983"), and its
    end.
    """
    labels, stop = continue_list(text, end, pinpoint.labels[-1], pinpoint.kind)
    return replace(pinpoint, labels=labels, span=Span(pinpoint.span.start, stop)), stop
