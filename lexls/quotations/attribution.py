"""Attribute a quotation of the draft, inline or block, to the citations from which it may come."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Generic, TypeVar

from lexls.quotations.block_facts import BlockFacts, QuotedBlock, read_block
from lexls.quotations.introductions import FAR, PATTERNS, introduces, names_other_speaker
from lexls.quotations.paragraph_facts import MOST_CHAINED, CitedInParagraph, ParagraphFacts
from lexls.reading.quotations import Quotation
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span

_QUOTING = re.compile(r"\b(?:quoting|quoted|citing|cited)\b", re.IGNORECASE)
_QUOTED_THERE = re.compile(r"\b(?:quoting|citing|quoted in)\s[^();]{0,80}$")
_RECORD = re.compile(
    r"[\s,.;(]{0,4}[^.;”“]{0,60}(?:\bat|\bp\.|\bpp\.|¶|§|\bTr\.|\bEx\.|\bDkt\.?|\bDoc\.|\bNo\.)\s?\d"
)
"""Pattern of a reference to the record after a quotation. It does not cite an authority."""
_REFERENCE = re.compile(r"[\s.,;:!?…”’\"']{0,6}[(\[][^()]{0,80}\d")
"""Pattern of a reference in brackets after a quotation, to an authority or anything else."""
_OWNED = re.compile(r"[^();]{0,40}(?:\([^()]{0,60}\)[\s,.]{0,3}){0,3}")
"""Pattern of the text that may come between a citation and its parenthetical: pages, "(per curiam)"."""
_MOST_OTHERS = 60
"""Maximum number of other citations, before and after a quotation, that are recorded as its possible
sources.
"""
_MOST_SENTENCES = 3
"""Maximum number of sentence ends between a citation and a later quotation from the same authority."""
_MOST_RUN_ON = 60
"""Maximum number of words of a quotation in the middle of a sentence; a longer one probably lacks its closing
mark.
"""
_NEAR = 40
"""Maximum distance, in code points, between the end of a quotation's sentence and a later citation that may
belong to the next quotation.
"""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The citations from which a quotation may come.

    ``cited`` are the citations to which it is attributed. ``strong``: there is no doubt, since the citation
    follows immediately or introduces the words. ``alone``: it is less clear, but the sentence cites nothing
    else and nothing separates the two. ``others`` are nearby citations that may be the source instead.
    ``elsewhere``: the citation is in an earlier sentence ("… at [14]. The court went on: “…”"), so the
    quotation need not be at its pinpoint.
    """

    cited: tuple[Resolution, ...]
    strong: bool
    others: tuple[Resolution, ...]
    elsewhere: bool = False
    alone: bool = False


Facts = TypeVar("Facts")


@dataclass(frozen=True, slots=True)
class AttributionRule(Generic[Facts]):
    """A rule for attributing a quotation, with an example; ``find`` returns None if it does not apply."""

    reason: str
    example: str
    find: Callable[[Facts, Quotation], Attribution | None]


def attribute(facts: ParagraphFacts | BlockFacts, quotation: Quotation) -> Attribution | None:
    """Return the attribution of a quotation in a paragraph or a block; None if its source is not stated."""
    if isinstance(facts, BlockFacts):
        return _attribute(BLOCK_RULES, facts, quotation)
    return _attribute(RULES, facts, quotation)


def attribute_block(snapshot: Snapshot, block: QuotedBlock) -> tuple[Quotation, Attribution | None]:
    """Return a block quotation without the citations at its end, and its attribution or None."""
    facts = read_block(snapshot, block)
    return facts.quotation, attribute(facts, facts.quotation)


def _attribute(
    rules: Iterable[AttributionRule[Facts]], facts: Facts, quotation: Quotation
) -> Attribution | None:
    found = (rule.find(facts, quotation) for rule in rules)
    return next((each for each in found if each is not None), None)


def _make(
    facts: ParagraphFacts,
    chosen: Sequence[CitedInParagraph | Resolution],
    *,
    strong: bool = False,
    alone: bool = False,
    elsewhere: bool = False,
) -> Attribution:
    """Return the attribution to the chosen citations, with nearby citations as ``others``."""
    cited = tuple(each.resolution if isinstance(each, CitedInParagraph) else each for each in chosen)
    chosen_ids = {id(each) for each in cited}
    others: dict[tuple[tuple[int, ...], tuple[str, ...]], Resolution] = {}
    first = cited[0].citation.core.start
    place = bisect_left(facts.cores, first)
    near = facts.cited[max(0, place - _MOST_OTHERS) : place + _MOST_OTHERS]
    noted = islice(chain.from_iterable(each for _, each in facts.notes), _MOST_OTHERS)
    for each in chain((one.resolution for one in near), noted):
        if id(each) not in chosen_ids and each.authorities:
            pinpoint = each.citation.pinpoint
            others.setdefault((each.authorities, pinpoint.labels if pinpoint is not None else ()), each)
    return Attribution(cited, strong, tuple(others.values()), elsewhere, alone)


# -- rules of paragraphs -------------------------------------------------------------------------------------


def _in_parenthetical(facts: ParagraphFacts, quotation: Quotation) -> Attribution | None:
    """Attribute a quotation in a parenthetical to the citation before the parenthetical, and to a citation in
    it that is introduced by "quoting".
    """
    outer = quotation.outer
    before = facts.cited_before(outer.end)
    for bracket in reversed(facts.brackets_around(outer)):
        last = next((each for each in reversed(before) if each.end <= bracket.start), None)
        if last is None:
            return None
        gap = facts.between(last.end, bracket.start)
        if not _OWNED.fullmatch(gap) or facts.ends_between(last.end, bracket.start):
            continue
        holder = facts.with_parallels(last)
        inside = [each for each in facts.cited_after(outer.end) if each.start < bracket.end]
        between = facts.between(outer.end, inside[0].start) if inside else ""
        quoted = facts.chain(inside) if _QUOTING.search(between) and len(between) < FAR else []
        words = facts.between(bracket.start + 1, outer.start).strip()
        says = not words or (introduces(words) and not names_other_speaker(words, _resolutions(holder)))
        plain = re.search("[A-Za-z]", gap) is None and not inside
        alone = plain and PATTERNS["holds"].match(words) is not None
        return _make(facts, [*holder, *quoted], strong=plain and says, alone=alone)
    return None


def _directly_before(facts: ParagraphFacts, quotation: Quotation) -> Attribution | None:
    outer = quotation.outer
    after = facts.cited_after(outer.end)
    if not after:
        return None
    start = after[0].start
    gap = facts.between(outer.end, start)
    if len(gap) >= FAR or facts.quotes_between(outer.end, after[0].core):
        return None
    match = PATTERNS["behind"].fullmatch(gap) or PATTERNS["name_behind"].fullmatch(gap)
    if match is None or facts.is_out_of_brackets(outer, start):
        return None
    said = match.groupdict().get("said")
    if not said and PATTERNS["other_sentence"].search(facts.between(outer.end - 2, start)):
        return None
    if _begins_own_sentence(facts, outer.end, gap, after):
        return None
    strung = facts.chain(after)
    return _make(facts, strung, strong=not match["signal"] and not _is_partys(facts, quotation, strung))


def _noted_directly_after(facts: ParagraphFacts, quotation: Quotation) -> Attribution | None:
    first = bisect_left(facts.notes, quotation.inner.start + 1, key=lambda each: each[0].start)
    for mark, noted in islice(facts.notes, first, None):
        if mark.start >= quotation.outer.end:
            gap = facts.between(quotation.outer.end, mark.start)
            return _make(facts, noted, strong=True) if len(gap) <= 4 and not gap.strip(" .,;:!?)") else None
        if mark.end >= quotation.inner.end - 2:
            return _make(facts, noted, strong=True)
    return None


def _introduced(facts: ParagraphFacts, quotation: Quotation) -> Attribution | None:
    outer = quotation.outer
    before = facts.cited_before(outer.end)
    own = [each for each in before if not facts.ends_between(each.end, outer.start)]
    if not own or own[-1] is not before[-1] or _is_named_act(facts, own, outer):
        return None
    near = own[-1].end
    words = facts.between(max(near, outer.start - FAR), outer.start)
    says = introduces(words) and not names_other_speaker(words, _resolutions(own))
    of_record = _RECORD.match(facts.between(outer.end, outer.end + FAR)) is not None
    # "The tribunal, relying on *Carrow*, held: “…”": someone else is speaking and only relies on it.
    leaning = PATTERNS["leaning"].search(facts.sentence_before(own[0].start)) is not None
    ruled = not of_record and not leaning
    return _make(
        facts,
        own,
        strong=ruled and says and outer.start - near < FAR,
        alone=ruled and quotation.words <= _MOST_RUN_ON and _is_alone(facts, own, near, outer.start),
    )


def _noted_in_sentence(facts: ParagraphFacts, quotation: Quotation) -> Attribution | None:
    outer = quotation.outer
    first = bisect_left(facts.notes, outer.start, key=lambda each: each[0].start)
    noted: list[Resolution] = []
    for mark, each in islice(facts.notes, first, None):
        if len(noted) >= MOST_CHAINED or facts.ends_between(outer.end, mark.start - 1):
            break
        noted.extend(each)
    return _make(facts, noted[:MOST_CHAINED]) if noted else None


def _cited_in_sentence(facts: ParagraphFacts, quotation: Quotation) -> Attribution | None:
    outer = quotation.outer
    after = facts.cited_after(outer.end)
    if not after or facts.is_closed_off(outer, after[0].start):
        return None
    if facts.ends_between(outer.end - 2, after[0].start):
        return None
    return _make(facts, facts.chain(after))


def _citation_sentence(facts: ParagraphFacts, quotation: Quotation) -> Attribution | None:
    outer = quotation.outer
    after = facts.cited_after(outer.end)
    if not _has_citation_sentence(facts, outer, after):
        return None
    strung, start = facts.chain(after), after[0].start
    alone = (
        _is_alone(facts, strung, outer.end, start)
        and facts.ends_between(outer.end - 2, start)[0] > outer.end
        and not _is_partys(facts, quotation, strung)
    )
    return _make(facts, strung, alone=alone)


def _goes_on(facts: ParagraphFacts, quotation: Quotation) -> Attribution | None:
    """Attribute a quotation to an authority cited up to a few sentences before, and to any authority cited
    there as quoting it.
    """
    outer = quotation.outer
    before = facts.cited_before(outer.end)
    if not before or not 0 < len(facts.ends_between(before[-1].end, outer.start)) <= _MOST_SENTENCES:
        return None
    behind = facts.between(outer.end, outer.end + FAR)
    last = (facts.ends_between(outer.end, outer.end + FAR) or [outer.end + FAR])[0]
    after = facts.cited_after(outer.end)
    if after and after[0].core < last + _NEAR:
        return None  # that of the next quotation
    if _REFERENCE.match(behind) is not None or _RECORD.match(behind) is not None:
        return None
    first = len(before) - 1
    while _QUOTED_THERE.search(facts.between(before[first].start - FAR, before[first].start)):
        if not first or facts.ends_between(before[first - 1].end, before[first].start):
            return None
        first -= 1
    cited = before[first:]
    return None if _is_partys(facts, quotation, cited) else _make(facts, cited, elsewhere=True)


RULES: tuple[AttributionRule[ParagraphFacts], ...] = (
    AttributionRule(
        "a parenthetical says what its citation holds", "*Carrow* (holding that “…”)", _in_parenthetical
    ),
    AttributionRule("the citation directly follows", "“…”: *Carrow* at [4].", _directly_before),
    AttributionRule("a footnote that cites directly follows", "“…”[^1]", _noted_directly_after),
    AttributionRule("the sentence introduces it", "In *Carrow* the court said: “…”", _introduced),
    AttributionRule(
        "a footnote later in the sentence cites", "It held “…” in terms.[^1]", _noted_in_sentence
    ),
    AttributionRule("the sentence cites after it", "That “…” is the rule in *Carrow*.", _cited_in_sentence),
    AttributionRule(
        "the next sentence is a citation", "The test is “…” in law. *Carrow* at [4].", _citation_sentence
    ),
    AttributionRule("it goes on from a sentence before", "*Carrow* at [4]. It went on: “…”", _goes_on),
)
"""Rules for attributing an inline quotation; the first that applies decides."""


def _resolutions(cited: Iterable[CitedInParagraph]) -> Sequence[Resolution]:
    return [each.resolution for each in cited]


def _is_named_act(facts: ParagraphFacts, named: Sequence[CitedInParagraph], outer: Span) -> bool:
    """Return whether the sentence names an Act that was not found in the library by this name, and the Act is
    cited after the quotation.
    """
    if any(each.resolution.authorities or each.citation.kind != "statute" for each in named):
        return False
    after = facts.cited_after(outer.end)
    return _has_citation_sentence(facts, outer, after) and any(
        each.citation.kind == "statute" for each in facts.chain(after)
    )


def _has_citation_sentence(facts: ParagraphFacts, outer: Span, after: Sequence[CitedInParagraph]) -> bool:
    """Return whether the sentence of a quotation is followed by a sentence that consists only of a
    citation.
    """
    if not after or facts.is_closed_off(outer, after[0].start):
        return False
    ends = facts.ends_between(outer.end - 2, after[0].start)
    head = facts.between(ends[0], after[0].start) if ends else ""
    return (
        bool(ends)
        and len(head) < FAR
        and any(PATTERNS[name].fullmatch(head) for name in ("citation_sentence", "name_behind"))
    )


def _is_alone(facts: ParagraphFacts, chosen: Sequence[CitedInParagraph], start: int, end: int) -> bool:
    """Return whether all chosen citations name one authority, and no clause, bracket, quotation or other
    speaker comes between it and the quotation.
    """
    between = facts.between(start, end)
    return (
        len({each.citation.group or each.citation.core for each in chosen}) == 1
        and len(between) < FAR
        and not facts.quotes_between(start, end)
        and not re.search(r"[;()]", between)
        and PATTERNS["party_speaks"].search(between) is None
        and PATTERNS["other_sentence"].search(facts.between(start - 2, end)) is None
    )


def _is_partys(facts: ParagraphFacts, quotation: Quotation, cited: Sequence[CitedInParagraph]) -> bool:
    """Return whether the words before a quotation name a speaker other than the cited authorities."""
    words = facts.sentence_before(quotation.outer.start)
    return names_other_speaker(words, _resolutions(cited), "party_speaks")


def _begins_own_sentence(
    facts: ParagraphFacts, end: int, gap: str, after: Sequence[CitedInParagraph]
) -> bool:
    """Return whether the citation after a quotation begins a sentence as its subject: "“… of the route.”
    *Carrow* at [4] held otherwise."
    """
    if facts.between(end - 2, end)[:1] not in (".", "?", "!") and not re.search("[.?!]", gap):
        return False
    group = after[0].citation.group
    last = next((each for each in reversed(after) if group and each.citation.group == group), after[0])
    return PATTERNS["goes_on"].match(facts.between(last.end, last.end + 40)) is not None


# -- rules of blocks -----------------------------------------------------------------------------------------


def _introduced_before(facts: BlockFacts, _: Quotation) -> Attribution | None:
    if not facts.introducing:
        return None
    one = len({each.citation.group or -1 - at for at, each in enumerate(facts.introducing)}) == 1
    says = introduces(facts.words) and not names_other_speaker(facts.words, facts.introducing)
    strong = facts.adjacent and one and says
    return Attribution(facts.introducing, strong, (), elsewhere=not facts.adjacent)


BLOCK_RULES: tuple[AttributionRule[BlockFacts], ...] = (
    AttributionRule(
        "the block ends with its citation",
        "> … of the route. *Carrow* at [4]",
        lambda facts, _: Attribution(facts.own, True, facts.around) if facts.own else None,
    ),
    AttributionRule(
        "a footnote at its end cites",
        "> … of the route.[^1]",
        lambda facts, _: Attribution(facts.noted, True, facts.around) if facts.noted else None,
    ),
    AttributionRule(
        "the paragraph after it begins with a citation",
        "> … of the route.\n\n*Carrow* at [4].",
        lambda facts, _: Attribution(facts.following, True, facts.introducing) if facts.following else None,
    ),
    AttributionRule("a sentence before it cites", "In *Carrow* the court said:\n\n> …", _introduced_before),
)
"""Rules for attributing a block quotation; the first that applies decides."""
