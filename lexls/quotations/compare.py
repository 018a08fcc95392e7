"""Compare quotations with the authority's words, and classify the differences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rapidfuzz.distance import OSA

from lexls.quotations.alignment import Step
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.comparison import (
    GRADES,
    VERDICTS,
    Comparison,
    Difference,
    DifferenceKind,
    Verdict,
)
from lexls.quotations.locate import Placed, find_exact, find_similar
from lexls.quotations.quotation import Item, read_items
from lexls.quotations.sense import find_changed_brackets, find_changed_ellipses
from lexls.quotations.vocabulary import (
    ABBREVIATED,
    FUNCTION,
    MODALS,
    NEGATIONS,
    NUMBER_WORDS,
    PATTERNS,
    USUAL_PAIRS,
    is_number,
)
from lexls.quotations.word_likeness import are_opposites, compare_words, is_misread
from lexls.text.dates import find_dates
from lexls.text.lexicon import VERSUS_WORDS, split_words
from lexls.text.phrases import compile_pattern
from lexls.text.spans import Span

_ORDER_REACH = 10
"""Maximum number of steps between the old and the new position of a moved word."""
_CITED = compile_pattern(PATTERNS["cited"], {}, re.NOFLAG)
_STOP = re.compile(r"[.;:?!]|\n\s*\n")
_STOP_BEFORE = re.compile(r"[.,;:?!”\"’')\]—–(\[]\s*$")
_REPORTED = compile_pattern(PATTERNS["reported"], {}, re.NOFLAG)
"""Pattern of a report citation anywhere in a text. Publishers insert such citations into judgments."""
_OTHER_PARTIES = re.compile(r"(?:(?:and|&)\s{1,3})?(?:Ors|Anr|Others|Another)\b[.,]{0,2}(?:\s{1,3}etc\.?)?")
_AROUND = 80
"""Code points around words that are searched for a citation to which the words belong."""
_FRACTIONS = "½¼¾⅛⅜⅝⅞⅓⅔"
"""Characters that OCR may read instead of small words."""
_SHORT = 4
"""Maximum length, in letters, of a joined word that is too short to identify its parts. A shorter word may be
misread as a fraction ("½" for "of").
"""
_LONG = 8
"""Minimum number of letters in joined words for most of their letters to identify them."""
_FEW, _FOOT = 3, 400
"""Minimum number of words needed to find a passage again, and maximum number of words in the footnotes of a
page.
"""
_RULE = re.compile(r"\n[ \t]{0,8}(?:[—_-]{5,}|\* ?\* ?\*)[ \t]{0,8}\n")
_DATE = 24
"""Maximum length of a date, in code points."""
_NUMBERED = re.compile(r"\d{1,3}[A-Za-z]?[.)\]]")
_BACK_REFERENCES = frozenset(("id", "ibid", "supra", "see"))
_PLACE_WORDS = frozenset(ABBREVIATED.values())
_PAGE_WORDS = frozenset(("at", "p", "pp", "page", "pages"))
_NAME_WORDS = split_words("of and the for v vs in re alias ors anr others another etc d/o s/o w/o & @")
_AT = ["at", "the", "rate", "of"]
"""The words that "@" abbreviates."""
_NAME_REACH = 8
"""Number of preceding words that are searched for the "v." of a case name."""
_DOUBLED = frozenset(("that", "had"))
"""Words that may correctly occur twice in a row."""
_WEIGHING: dict[DifferenceKind, frozenset[str]] = {"negation": NEGATIONS, "modal": MODALS}
_WEIGHT = {verdict: place for place, verdict in enumerate(VERDICTS)}


def find_differences(
    authority: AuthorityText, quotation: str, items: Sequence[Item], placed: Placed
) -> Iterator[Difference]:
    """Yield the differences, word by word. Brackets and ellipses are not compared here."""
    steps = [_at_edge(authority, items, step) for step in placed.steps if step.kind != "bracket"]
    block: list[Step] = []
    moved = _moved(authority, items, steps)
    for place, step in enumerate(steps):
        inside = any(low <= place <= high for low, high in moved)
        ends = any(low == place for low, _ in moved)
        # A bracket or an ellipsis separates two steps.
        if block and (ends or (step.kind == "same" and not inside) or step.q_low > block[-1].q_high):
            yield from _difference(authority, quotation, items, block)
            block = []
        if step.kind != "same" or inside:
            block.append(step)
        if any(high == place for _, high in moved):
            yield from _difference(authority, quotation, items, block, order=True)
            block = []
    if block:
        yield from _difference(authority, quotation, items, block)


def _at_edge(authority: AuthorityText, items: Sequence[Item], step: Step) -> Step:
    """Return the step for a different word at the edge of a quotation. If the word would replace a word of
    the neighbouring sentence, it counts as added.
    """
    if step.kind != "other" or 0 < step.q_low < len(items) - 1:
        return step
    first = step.q_low == 0
    start, stop = (step.a_low, step.a_low + 1) if first else (step.a_low - 1, step.a_low)
    if start < 0 or stop >= len(authority):
        return step
    stops = _STOP.search(authority.source, authority.ends[start], authority.starts[stop])
    if not stops or _cut_initials(authority, items, step):
        return step
    return Step("added", step.q_low, step.q_high, step.a_low, step.a_low)


def _moved(authority: AuthorityText, items: Sequence[Item], steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Return the ranges of steps in which words are in a different order: omitted in one place and added in
    another.
    """
    omitted = [
        (place, authority.word(step.a_low)) for place, step in enumerate(steps) if step.kind == "omitted"
    ]
    ranges: list[tuple[int, int]] = []
    for place, step in enumerate(steps):
        if step.kind != "added":
            continue
        for other, word in omitted:
            if abs(other - place) <= _ORDER_REACH and items[step.q_low].same(word):
                ranges.append((min(other, place), max(other, place)))
                break
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


@dataclass(frozen=True, slots=True)
class _Segment:
    """Consecutive steps that form one difference. ``quoted`` are the quotation's items; the authority's words
    are ``[low, high)``.
    """

    authority: AuthorityText
    quotation: str
    items: Sequence[Item]
    steps: Sequence[Step]
    quoted: Sequence[Item]
    low: int
    high: int
    span: Span
    original: Span

    @property
    def norms(self) -> list[str]:
        """The normal forms of the quotation's words."""
        return [item.norm for item in self.quoted]

    @property
    def words(self) -> Sequence[str]:
        """The normal forms of the authority's words."""
        return self.authority.words(self.low, self.high)

    @property
    def every(self) -> tuple[str, ...]:
        """The normal forms of the words on both sides."""
        return (*self.norms, *self.words)

    @property
    def step(self) -> Step:
        """The first step."""
        return self.steps[0]

    @property
    def replaces(self) -> bool:
        """True if one word replaces one word."""
        return self.step.kind == "other"

    @property
    def sign(self) -> str:
        """The first code point of the quotation's words, or ""."""
        return self.quotation[self.span.start] if self.quoted else ""

    @property
    def between(self) -> str:
        """The authority's text between two words, where the quotation has additional ones."""
        return self.authority.between(self.low, self.low).of(self.authority.source)


def _read_segment(
    authority: AuthorityText, quotation: str, items: Sequence[Item], steps: Sequence[Step]
) -> _Segment:
    quoted = [items[at] for step in steps for at in range(step.q_low, step.q_high)]
    taken = [step for step in steps if step.a_high > step.a_low]
    low = min((step.a_low for step in taken), default=steps[0].a_low)
    high = max((step.a_high for step in taken), default=low)
    at = min(step.q_low for step in steps)
    end = items[at - 1].span.end if at else 0
    span = Span(quoted[0].span.start, quoted[-1].span.end) if quoted else Span(end, end)
    return _Segment(authority, quotation, items, steps, quoted, low, high, span, authority.span(low, high))


def _difference(
    authority: AuthorityText,
    quotation: str,
    items: Sequence[Item],
    steps: Sequence[Step],
    *,
    order: bool = False,
) -> Iterator[Difference]:
    """Yield the differences in some consecutive steps: usually one, none if they only omit what may be
    omitted.
    """
    part = _read_segment(authority, quotation, items, steps)
    if (order or len(part.quoted) > 1) and sorted(part.norms) == sorted(part.words):
        moved = tuple(items[step.q_low].norm for step in steps if step.kind in ("added", "other"))
        kind: DifferenceKind = "function" if all(word in FUNCTION for word in moved) else "order"
        yield Difference(kind, part.span, part.original, moved)
        return
    outcome: _Outcome = next((outcome for outcome, applies in _SEGMENTS if applies(part)), "words")
    if outcome == "words":
        yield from _weigh_words(part)
    elif outcome != "nothing":
        yield Difference(outcome, part.span, part.original)


def _weigh_words(part: _Segment) -> Iterator[Difference]:
    """Yield one difference for a segment; its kind is that of the most serious step."""
    authority, quotation, items = part.authority, part.quotation, part.items
    found = [
        _kind(authority, quotation, items, step)
        for step in part.steps
        if step.kind != "same"
        and not (step.kind == "omitted" and authority.may_go(step.a_low))
        and not _is_numbering(authority, quotation, items, step)
    ]
    if found:
        worst = max(found, key=lambda each: (_WEIGHT[GRADES[each[0]]], _RANK.get(each[0], 0)))
        words = tuple(word for kind, said in found if kind == worst[0] for word in said)
        yield Difference(worst[0], part.span, part.original, words)


def _may_go(part: _Segment) -> bool:
    """Return whether the segment only omits insignificant words, or a word that the copy repeats by
    mistake.
    """
    if part.quoted:
        return False
    may_go = part.authority.may_go
    return all(may_go(step.a_low) for step in part.steps) or _is_written_twice(
        part.authority, part.low, part.high
    )


def _is_rate(part: _Segment) -> bool:
    return part.quotation[part.span.end : part.span.end + 3].strip() == "@" and part.words == _AT


def _leaves_out_citation(part: _Segment) -> bool:
    others = _OTHER_PARTIES.fullmatch(part.original.of(part.authority.source))
    return others is not None or _is_citation(part.authority, part.low, part.high)


def _adds_others(part: _Segment) -> bool:
    return part.low == part.high and _OTHER_PARTIES.fullmatch(part.span.of(part.quotation)) is not None


def _adds_number(part: _Segment) -> bool:
    return part.low == part.high and all(norm.isdigit() for norm in part.norms)


_Outcome = DifferenceKind | Literal["nothing", "words"]
_SEGMENTS: tuple[tuple[_Outcome, Callable[[_Segment], bool]], ...] = (
    ("nothing", _may_go),
    # The notes at the foot of a page.
    ("typographic", lambda part: not part.quoted and _RULE.search(part.between) is not None),
    # "10 @ 5" for "10 at the rate of 5".
    ("nothing", lambda part: not part.quoted and _is_rate(part)),
    # "See Carrow v Luff [2014] ASC 12." after a stop; "& Ors".
    ("citation", lambda part: not part.quoted and _leaves_out_citation(part)),
    ("words", lambda part: not part.quoted),
    # "Carrow v Luff and Others" for "Carrow v Luff".
    ("citation", _adds_others),
    # A paragraph, page or note number that was not read as a word.
    ("nothing", lambda part: _adds_number(part) and all(norm in part.between for norm in part.norms)),
    ("words", _adds_number),
    ("typographic", lambda part: _is_before_page_foot(part.authority, part.norms, part.low)),
    # "can not" for "cannot"; "H.P." for "Himachal Pradesh".
    ("scan", lambda part: len(part.steps) > 1 and _same_letters(part.authority, part.quoted, part.words)),
    # "3rd May 2014" for "May 3, 2014".
    ("typographic", lambda part: _same_date(part.authority, part.quotation, part.span, part.original)),
)
"""Rules for the kind of a segment of several steps; the first that applies decides. "words": the most serious
step decides. "nothing": there is no difference.
"""

_RANK: dict[DifferenceKind, int] = {
    "negation": 6,
    "modal": 5,
    "number": 4,
    "name": 3,
    "order": 2,
    "content": 1,
}


def _is_written_twice(authority: AuthorityText, low: int, high: int) -> bool:
    """Return whether the omitted word is one that the authority's copy repeats by mistake: "of the the
    route".
    """
    return (
        high == low + 1
        and authority.word(low) in authority.words(max(0, low - 1), low) + authority.words(high, high + 1)
        and authority.word(low) not in _DOUBLED
    )


def _is_before_page_foot(authority: AuthorityText, quoted: Sequence[str], low: int) -> bool:
    """Return whether the words are at the end of the previous page, separated from the following words by
    footnotes.
    """
    if len(quoted) < _FEW or low >= len(authority.starts):
        return False
    for at in authority.find(" ".join(quoted), max(0, low - _FOOT), low):
        if _RULE.search(authority.source, authority.ends[at + len(quoted) - 1], authority.starts[low]):
            return True
    return False


def _same_letters(authority: AuthorityText, quoted: Sequence[Item], words: Sequence[str]) -> bool:
    """Return whether several words are several others whose letters are divided differently and perhaps
    misread, or are the initials of the others: "H.P." for "Himachal Pradesh".
    """
    one, other = "".join(item.norm for item in quoted), "".join(words)
    if one == other or any(
        _abbreviates(*pair) for pair in ((one, words), (other, [item.norm for item in quoted]))
    ):
        return True
    if len(quoted) == 1 and len(one) > _SHORT and not authority.has(one, 1) and OSA.distance(one, other) == 1:
        return True  # "ofbhe": words that a scan has run together
    weighing = NEGATIONS.union(MODALS).intersection([*words, *(item.norm for item in quoted)])
    return len(one) > _LONG and not weighing and compare_words(one, other) == "lookalike"


def _abbreviates(letters: str, words: Sequence[str]) -> bool:
    """Return whether letters are the initials of words, with or without an "I" for India in front: "IPC" for
    "Penal Code".
    """
    first = "".join(word[0] for word in words if word not in _NAME_WORDS)
    return len(first) > 1 and letters in (first, f"i{first}")


def _same_date(authority: AuthorityText, quotation: str, span: Span, original: Span) -> bool:
    """Return whether two spans contain the same date in different notations."""
    if not any(map(str.isdigit, span.of(quotation) + original.of(authority.source))):
        return False
    dates = [_dates_at(text, at) for text, at in ((quotation, span), (authority.source, original))]
    return not dates[0].isdisjoint(dates[1])


def _dates_at(text: str, span: Span) -> set[str]:
    start, end = max(0, span.start - _DATE), min(len(text), span.end + _DATE)
    return {
        date
        for low, high, date in find_dates(text[start:end])
        if start + low < span.end and span.start < start + high
    }


def _is_numbering(authority: AuthorityText, quotation: str, items: Sequence[Item], step: Step) -> bool:
    """Return whether the words are a paragraph number that the library's copy lacks or has differently."""
    if step.kind not in ("added", "other") or not items[step.q_low].norm[0].isdigit():
        return False
    start = items[step.q_low].span.start
    before = quotation[max(0, start - 8) : start].strip(" \t\"“‘'([")
    ellipsis = before.rstrip().endswith(("...", ". .", "…"))
    if before and not ellipsis and not before.endswith("\n"):
        return False
    return _NUMBERED.match(quotation, start) is not None and (
        step.kind == "added"
        or ellipsis
        or authority.may_go(step.a_low)
        or [each.kind for each in items[step.q_low + 1 : step.q_low + 2]] == ["ellipsis"]
    )


def _in_citation(authority: AuthorityText, quotation: str, quoted: Sequence[Item], step: Step) -> bool:
    """Return whether the words of a step are part of a report citation both in the quotation and in the
    authority. Publishers add reports and shorten or extend names, so such differences do not count. But a
    name that replaces another one does.
    """
    written = Span(quoted[0].span.start, quoted[-1].span.end) if quoted else None
    original = authority.span(step.a_low, step.a_high)
    here = _place_in_citation(quotation, written) if written is not None else "report"
    if not here:
        return False
    if _BACK_REFERENCES.issuperset(authority.words(step.a_low, step.a_high)):
        return True  # a report in the place of "supra", or of nothing
    there = _place_in_citation(authority.source, original) if len(original) else "report"
    return bool(there) and (written is None or not len(original) or "report" in (here, there))


def _place_in_citation(text: str, span: Span) -> Literal["report", "name", ""]:
    """Return how words belong to a report citation: as part of it, as part of the name before it, or not at
    all ("").
    """
    low = max(0, span.start - _AROUND)
    for match in _REPORTED.finditer(text, low, min(len(text), span.end + 2 * _AROUND)):
        if match.start() <= span.start and span.end <= match.end():
            return "report"
        if span.end <= match.start():
            return "name" if _is_name_between(text, span, match.start()) else ""
    return ""


def _is_name_between(text: str, span: Span, end: int) -> bool:
    """Return whether the words from the start of ``span`` to ``end``, with the words before, form a case
    name.
    """
    words = [each.strip(",.()") for each in text[span.start : end].split()]
    if not all(each[:1].isupper() or each.casefold() in _NAME_WORDS for each in words if each):
        return False
    before = [each.strip(",.()") for each in text[max(0, span.start - _AROUND) : span.start].split()]
    return any(each.casefold() in VERSUS_WORDS for each in [*before[-_NAME_REACH:], *words])


def _is_citation(authority: AuthorityText, low: int, high: int) -> bool:
    """Return whether the words ``[low, high)`` are a citation that the quotation omits after the end of a
    sentence or clause.
    """
    if high - low < 3:
        return False
    text = authority.between(low, high).of(authority.source)
    before = authority.between(low, low).of(authority.source)
    return bool(_STOP_BEFORE.search(before.rstrip() + " ")) and _CITED.search(text) is not None


def _kind(
    authority: AuthorityText, quotation: str, items: Sequence[Item], step: Step
) -> tuple[DifferenceKind, tuple[str, ...]]:
    """Return the kind of the difference that one step makes, and its significant words."""
    part = _read_segment(authority, quotation, items, (step,))
    if step.kind == "joined":
        return _joined(authority, quotation, part.quoted, step), ()
    if step.kind == "alike":
        return _alike(authority, part.norms[0], part.words[0])
    kind, weighing, _ = next(rule for rule in _CHANGES if rule[2](part))
    return kind, tuple(word for word in part.every if weighing is None or word in weighing)


def _is_sign(part: _Segment) -> bool:
    """Return whether the only difference is a sign that was omitted or added: "§ 12"."""
    if part.step.kind == "omitted":
        return part.authority.source[part.authority.starts[part.step.a_low]] in "§¶"
    return part.step.kind == "added" and part.sign in "§¶"


def _is_place_word(part: _Segment) -> bool:
    """Return whether a word for a kind of provision replaces an abbreviation or another form of it: "Art. 14
    or 16" for "Articles 14 or 16".
    """
    singular = {ABBREVIATED.get(each, each).removesuffix("s") for each in part.every}
    return part.replaces and singular <= {part.words[0].removesuffix("s")}.intersection(_PLACE_WORDS)


def _is_page(part: _Segment) -> bool:
    """Return whether the only difference is in the words before a page number: "at 12" for "p 12"."""
    end = part.step.a_high
    after = part.authority.words(end, min(end + 2, len(part.authority)))
    return all(word in _PAGE_WORDS for word in part.every) and any(word[0].isdigit() for word in after)


def _is_named(part: _Segment) -> bool:
    return _is_name(part.authority, part.step) or (
        bool(part.quoted) and _is_capital(part.quotation, part.quoted[0].span)
    )


def _as_figure(word: str) -> str:
    return NUMBER_WORDS.get(word, word)


_NONE: frozenset[str] = frozenset()
_CHANGES: tuple[tuple[DifferenceKind, frozenset[str] | None, Callable[[_Segment], bool]], ...] = (
    ("bracket", _NONE, lambda part: bool(part.quoted) and all(item.any_word for item in part.quoted)),
    ("citation", _NONE, lambda part: _in_citation(part.authority, part.quotation, part.quoted, part.step)),
    # "supra", "ibid"
    ("citation", _NONE, lambda part: not part.replaces and _BACK_REFERENCES.issuperset(part.every)),
    ("typographic", _NONE, _is_sign),
    (
        "typographic",
        _NONE,
        lambda part: part.replaces and _cut_initials(part.authority, part.items, part.step),
    ),
    # "two" for "2"
    ("typographic", _NONE, lambda part: part.replaces and len(set(map(_as_figure, part.every))) == 1),
    ("negation", NEGATIONS, lambda part: not NEGATIONS.isdisjoint(part.every)),
    ("modal", MODALS, lambda part: not MODALS.isdisjoint(part.every)),
    # "unlawful" for "lawful"
    ("negation", None, lambda part: part.replaces and are_opposites(part.norms[0], part.words[0])),
    ("typographic", _NONE, _is_place_word),
    # "½" for "of"
    ("scan", _NONE, lambda part: part.replaces and part.sign in _FRACTIONS and len(part.words[0]) < _SHORT),
    ("number", None, lambda part: any(map(is_number, part.every))),
    ("citation", _NONE, _is_page),
    ("function", None, lambda part: FUNCTION.issuperset(part.every)),
    ("name", None, _is_named),
    ("content", None, lambda _: True),
)
"""Rules for a single step: the kind, its significant words (None: all), and the condition. The first that
applies decides.
"""


def _cut_initials(authority: AuthorityText, items: Sequence[Item], step: Step) -> bool:
    """Return whether the difference comes from a quotation that begins or ends within initials: "S. v.
    Klingen" from "U. S. v. Klingen".
    """
    said, word = items[step.q_low].norm, authority.word(step.a_low)
    if "." not in authority.span(step.a_low, step.a_high).of(authority.source):
        return False
    return (step.q_low == 0 and word.endswith(said)) or (
        step.q_low == len(items) - 1 and word.startswith(said)
    )


def _joined(authority: AuthorityText, quotation: str, quoted: Sequence[Item], step: Step) -> DifferenceKind:
    """Return the kind of difference if one word is written as two, or two as one: "typographic" if
    punctuation, a usual spelling, or the authority's spelling elsewhere explains it; otherwise "scan".
    """
    written = quotation[quoted[0].span.start : quoted[-1].span.end]
    original = authority.span(step.a_low, step.a_high).of(authority.source)
    if len(quoted) == 1 and authority.has(quoted[0].norm, 1):
        return "typographic"  # the slip is the copy's: elsewhere it has the word undivided
    two = written if len(quoted) > 1 else original
    one, other = "".join(item.norm for item in quoted), "".join(authority.words(step.a_low, step.a_high))
    if one != other:
        return "typographic" if compare_words(one, other) == "same" else "scan"
    return (
        "typographic"
        if re.search(r"[-‐‑–.,'’]", two) or " ".join(two.casefold().split()) in USUAL_PAIRS
        else "scan"
    )


def _alike(authority: AuthorityText, quoted: str, original: str) -> tuple[DifferenceKind, tuple[str, ...]]:
    how = compare_words(quoted, original)
    weighing = (quoted, original)
    if how == "spelling":
        return "spelling", weighing
    if how == "inflexion":
        return "inflexion", weighing
    if authority.has(quoted, 2) and not authority.has(original, 2) and not _short(original):
        return "typographic", ()  # the slip is the copy's: elsewhere it has the word as it is quoted
    if is_misread(quoted, original):
        return "scan", weighing
    if how == "lookalike" and not (_short(quoted) and _short(original)):
        return "scan", weighing
    if _known(authority, quoted, 1) and _known(authority, original, 2):
        # Both are known words, so OCR does not explain the difference.
        for kind, listed in _WEIGHING.items():
            if quoted in listed or original in listed:
                return kind, weighing
        if is_number(quoted) or is_number(original):
            return "number", weighing
        if quoted in FUNCTION and original in FUNCTION:
            return "function", weighing
        return "content", weighing
    return "scan", weighing


def _known(authority: AuthorityText, word: str, times: int) -> bool:
    return _short(word) or authority.has(word, times)


def _short(word: str) -> bool:
    """Return whether a word is a common function word, modal verb or negation."""
    return word in FUNCTION or word in MODALS or word in NEGATIONS


def _is_name(authority: AuthorityText, step: Step) -> bool:
    return any(
        _is_capital(authority.source, Span(authority.starts[at], authority.ends[at]))
        for at in range(step.a_low, step.a_high)
    )


def _is_capital(text: str, span: Span) -> bool:
    """Return whether a word is capitalised although it does not begin a sentence."""
    if not text[span.start : span.start + 1].isupper():
        return False
    before = text[max(0, span.start - 8) : span.start].rstrip(" \t\r\n\"“”‘’'([")
    return bool(before) and before[-1] not in ".?!:;"


ENOUGH = 0.62
"""Minimum share of a quotation's words that one place of an authority must have for the quotation to come
from there.
"""
_LEAST = 0.55
"""Share that a place must be able to have for it to be examined. A place with less always ranks below one
with ``ENOUGH``, since shares are compared in tenths.
"""
_MOST_PLACES = 12


def compare(authority: AuthorityText, quotation: str, *, closely: bool = False) -> Comparison:
    """Compare ``quotation`` (without its marks) with an authority. If the passage occurs more than once, the
    most faithful place counts. Places that cannot have enough of its words are examined only if
    ``closely`` is true; otherwise ``share`` may be too low for a quotation that is absent.
    """
    items = read_items(quotation)
    if not any(item.kind == "word" for item in items):
        return Comparison("verbatim", (), None, 1.0, 0)
    exact = [_judged(authority, quotation, items, each) for each in find_exact(authority, items, most=3)]
    if exact:
        return min(exact, key=_badness)
    best = Comparison("absent", (), None, 0.0, 0)
    shares = (0.0, 0.0) if closely else (ENOUGH, _LEAST)
    for number, placed in enumerate(find_similar(authority, items, *shares)):
        found = _judged(authority, quotation, items, placed)
        if not number or _badness(found) < _badness(best):
            best = found
        if best.verdict in ("verbatim", "lawful", "spelling"):
            break
    return best if best.share >= ENOUGH else replace(best, verdict="absent", differences=())


def find_places(authority: AuthorityText, quotation: str) -> list[Span]:
    """Return the spans where the authority has the quotation word for word, apart from brackets and ellipses;
    at most 12. Words that were adapted at either end ("circumvent[ing] a measure") may have another form
    there.
    """
    items = read_items(quotation)
    whole = [at for at, item in enumerate(items) if item.kind == "word" and item.pattern is None]
    if len(whole) > _FEW:
        items = items[whole[0] : whole[-1] + 1]
    return [authority.span(each.low, each.high) for each in find_exact(authority, items, _MOST_PLACES)]


def _judged(authority: AuthorityText, quotation: str, items: Sequence[Item], placed: Placed) -> Comparison:
    found: list[Difference] = [
        *find_differences(authority, quotation, items, placed),
        *find_changed_brackets(authority, items, placed),
        *find_changed_ellipses(authority, items, placed),
    ]
    found.sort(key=lambda each: (each.quoted, each.original))
    grades: list[Verdict] = ["verbatim", *(each.grade for each in found)]
    verdict = max(grades, key=_WEIGHT.__getitem__)
    words = sum(item.kind == "word" for item in items)
    matched = sum(
        step.q_high - step.q_low for step in placed.steps if step.kind in ("same", "joined", "alike")
    )
    # Words in another order count as present.
    matched = min(words, matched + sum(len(each.words) for each in found if each.kind == "order"))
    return Comparison(
        verdict, tuple(found), authority.span(placed.low, placed.high), matched / words, matched
    )


def _badness(comparison: Comparison) -> tuple[float, float]:
    weights = sum(_WEIGHT[each.grade] ** 2 for each in comparison.differences)
    return (-round(comparison.share, 1), float(weights))
