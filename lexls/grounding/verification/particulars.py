"""Find the numbers, dates and provisions of a sentence, each of which must be in its evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from lexls.grounding.answer import Fault, FaultKind
from lexls.grounding.verification.evidence_text import ReadEvidence
from lexls.grounding.verification.vocabulary import FRACTIONS, MEASURES, PROVISIONS, SCALES
from lexls.retrieval.relevance import COMMON
from lexls.text.dates import Date, find_mentioned_dates
from lexls.text.lexicon import NUMBERS, ORDINALS
from lexls.text.spans import Span

_PROVISION_NUMBER = (
    r"(?:\d{1,5}(?:\.\d{1,4}){0,4}[A-Za-z]{0,2}(?![A-Za-z\d])|\([A-Za-z0-9]{1,5}\)|[IVXLC]{1,7}\b|[A-Z]\b)"
    r"(?:\s?\([A-Za-z0-9]{1,5}\)){0,5}"
)
_JOINED = r"\s?(?:,|;|–|-|—|\band\b|\bor\b|\bto\b|&|\bthrough\b|\bread with\b|,\s?and\b|,\s?or\b)\s?"
_WORDS = "|".join(
    sorted((re.escape(each) for each in PROVISIONS if each[0].isalpha()), key=len, reverse=True)
)
_NAMED = re.compile(
    rf"(?:(?<![\w.'’])(?P<kind>{_WORDS})\.?\s?(?:No\.?\s)?|(?P<sign>§§?|¶¶?)\s?)"
    rf"(?P<numbers>{_PROVISION_NUMBER}(?:{_JOINED}{_PROVISION_NUMBER}){{0,12}})",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.(])\d{1,4}[A-Za-z]{0,2}(?:\([A-Za-z0-9]{1,5}\)){1,5}")
_ONE = re.compile(_PROVISION_NUMBER, re.IGNORECASE)
_PART = re.compile(r"[A-Za-z0-9.]+")
_MARKER = re.compile(r"[ \t>*-]{0,8}((?:\(?[0-9A-Za-z]{1,5}[.)]\s?){1,3})")
_LETTERED = frozenset(("clause", "schedule", "exhibit", "annex", "appendix", "article", "chapter"))
_SUB = frozenset(("subsection", "subclause", "subparagraph", "subrule", "subdivision"))


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision as named: its kind ("section", or an empty string), its number and its subdivisions.

    ``span`` is in code points of the text in which it was found.
    """

    kind: str
    path: tuple[str, ...]
    span: Span

    def is_named_by(self, other: Provision) -> bool:
        """Return whether ``other`` names exactly this provision, neither a part of it nor a larger one."""
        return self.path == other.path and (self.kind == other.kind or not self.kind or not other.kind)


def find_provisions(text: str) -> list[Provision]:
    """Return the provisions named in ``text``, in order; "ss 9 and 10(2)" are two."""
    found: list[Provision] = []
    for match in _NAMED.finditer(text):
        kind = PROVISIONS[(match["kind"] or match["sign"]).casefold()]
        base = match.start("numbers")
        for each in _ONE.finditer(match["numbers"]):
            if not _plausible(match["kind"] or "", each.group()):
                continue
            span = Span(base + each.start(), base + each.end())
            found.append(Provision(kind, _path(each.group()), span))
    taken = [each.span for each in found]
    for match in _BARE.finditer(text):
        span = Span(match.start(), match.end())
        if not any(span.overlaps(other) for other in taken):
            found.append(Provision("", _path(match.group()), span))
    return sorted(found, key=lambda each: each.span)


def remove_provisions(text: str) -> str:
    """Return ``text`` without the provisions it names, which are compared separately."""
    return _BARE.sub(
        " ", _NAMED.sub(lambda match: " " if find_provisions(match.group()) else match.group(), text)
    )


def read_place(label: str, kind: str, before: str) -> Iterator[Provision]:
    """Yield the provisions that contain a place: the one with this ``label`` in an authority of ``kind``
    ("statute", "contract" …), and its subdivisions.

    ``before`` is the text from the beginning of the provision to the place. It is searched for subdivision
    markers: after a line that begins with "(2)", section 9 is 9(2).
    """
    named = {"statute": "section", "regulation": "regulation", "contract": "clause", "case": "paragraph"}
    path = _path(label)
    nowhere = Span(0, 0)
    if not path:
        return
    yield Provision(named.get(kind, ""), path, nowhere)
    below: list[str] = []
    for line in before.splitlines()[-60:]:
        match = _MARKER.match(line)
        if match is None:
            continue
        for marker in _PART.findall(match[1]):
            marker = marker.strip(".").casefold()
            if marker and marker != path[-1]:
                below = [*below[: 0 if marker[0].isdigit() else 1], marker]
    for depth in range(1, len(below) + 1):
        yield Provision(named.get(kind, ""), (*path, *below[:depth]), nowhere)
        for sub in _SUB:
            yield Provision(sub, tuple(below[:depth]), nowhere)


def _path(written: str) -> tuple[str, ...]:
    return tuple(each.casefold().strip(".") for each in _PART.findall(written))


def _plausible(word: str, number: str) -> bool:
    """Return whether the text after a provision word is plausibly its number; after "a" or "order" it may be
    an ordinary word.
    """
    first = number[0]
    if first.isdigit() or first == "(":
        return True
    return number.isupper() and (word[:1].isupper() or word in _LETTERED) and len(word) > 1


_ANY = "|".join(sorted((*NUMBERS, *ORDINALS, *SCALES, *FRACTIONS), key=len, reverse=True))
_SPELLED = rf"\b(?:{_ANY})\b(?:(?:[\s-]|(?<=hundred)\sand\s|(?<=thousand)\sand\s)(?:{_ANY})\b){{0,6}}"
_FIGURES = (
    r"(?P<sign>[$£€₹]|\bRs\.?\s?|\bUSD\s?|\bUS\$)?\s?"
    r"(?P<figures>(?<![\w.])\d{1,3}(?:,\d{2,3}){1,6}(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?)"
    r"(?P<ordinal>st|nd|rd|th)?(?![A-Za-z]{3})"
)
_NUMBER = re.compile(rf"(?P<spelled>{_SPELLED})|{_FIGURES}", re.IGNORECASE)
_WORD_BEHIND = re.compile(r"\)?[\s-]{0,3}(%|[A-Za-z]{1,20}(?:\scent\b)?)")
_PARENTHESIS = re.compile(r"\s?\(\d{1,9}\)\s?")
_SCALE_BEHIND = re.compile(
    r"[\s-]{1,3}(dozen|hundred|thousand|million|billion|trillion|lakhs?|crores?)\b", re.IGNORECASE
)
_SINGULAR = {"feet": "foot", "inches": "inch", "copies": "copy", "parties": "party", "witnesses": "witness"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number: its value, its unit ("day", "%", "$", or an empty string) and its span."""

    value: float
    unit: str
    span: Span

    def is_supported_by(self, other: Number) -> bool:
        """Return whether ``other`` is the same number and, if both have a unit, in the same unit."""
        return self.value == other.value and (not self.unit or not other.unit or self.unit == other.unit)


def find_numbers(text: str, without: Sequence[Span] = ()) -> list[Number]:
    """Return the numbers of ``text`` in order, except those that overlap the spans ``without``.

    "One" counts only before a measure ("one year"), since elsewhere it is usually a pronoun.
    """
    found: list[Number] = []
    read = 0
    for match in _NUMBER.finditer(text):
        span = Span(match.start(), match.end())
        if match.start() < read or any(span.overlaps(each) for each in without):
            continue
        value = _spelled(match["spelled"]) if match["spelled"] else float(match["figures"].replace(",", ""))
        end = match.end()
        scale = _SCALE_BEHIND.match(text, end) if not match["spelled"] else None
        if scale is not None:
            value *= SCALES[scale[1].casefold()]
            end = read = scale.end()
        unit = _unit(text, end)
        if not unit and match["sign"]:
            dollars = "$" in match["sign"] or "USD" in match["sign"].upper()
            unit = "$" if dollars else match["sign"].strip(" .").casefold()
        # In running text these are words more often than counts.
        if not unit and (match["spelled"] or "").casefold() in ("one", "quarter", "double"):
            continue
        found.append(Number(value, unit, span))
    return found


def _spelled(written: str) -> float:
    """Return the value of a number in words: "two hundred and fifty" is 250."""
    total, current = 0.0, 0.0
    for word in re.split(r"[\s-]+", written.casefold()):
        if word in SCALES:
            current = (current or 1.0) * SCALES[word]
            if SCALES[word] >= 1e3:
                total, current = total + current, 0.0
        else:
            current += NUMBERS.get(word, 0) or ORDINALS.get(word, 0) or FRACTIONS.get(word, 0.0)
    return total + current


def _unit(text: str, end: int) -> str:
    """Return the unit that follows a number ("three (3) days"): a sign or a common measure. Returns an empty
    string if there is none.
    """
    inside = _PARENTHESIS.match(text, end)
    match = _WORD_BEHIND.match(text, inside.end() if inside else end)
    if match is None:
        return ""
    word = match[1].casefold()
    if word == "%" or word.startswith("per cent") or word == "percent":
        return "%"
    if word not in MEASURES:
        return ""
    word = _SINGULAR.get(word, word.removesuffix("s"))
    return {"dollar": "$", "pound": "£", "euro": "€", "rupee": "rs"}.get(word, word)


_Particular = Date | Provision | Number
_LETTERS = re.compile(r"[^\W\d_]+")
_BEFORE = 6000
"""Number of characters before a place that are searched for subdivision markers."""


def find_unsupported_particulars(
    text: str, evidence: str, places: Sequence[tuple[ReadEvidence, Span]]
) -> list[Fault]:
    """Return faults for dates, provisions and numbers of ``text`` that ``evidence`` lacks, or has less often.

    ``evidence`` has the sentences at ``places``; the provision that contains a place counts too.
    """
    said_dates, said_provisions = find_mentioned_dates(evidence), find_provisions(evidence)
    here = [each for read, span in places for each in _provisions_at(read, span)]
    mine_dates, mine_provisions = find_mentioned_dates(text), find_provisions(text)
    said: list[_Particular] = [*said_dates, *said_provisions]
    written: list[_Particular] = [*mine_dates, *mine_provisions]
    counted, mine = (
        find_numbers(where, [each.span for each in known])
        for where, known in ((evidence, said), (text, written))
    )
    mixed = _find_exchanged(text, evidence, [*written, *mine], [*said, *counted])
    # The year of a date also counts as a number; no number may occur more often than in the evidence.
    years = {float(each.year) for each in said_dates if each.year}
    often = _values(mine, mine_dates) - _values(counted, said_dates)
    found: tuple[tuple[FaultKind, Sequence[_Particular], Callable[[Any], bool]], ...] = (
        ("date", mine_dates, lambda each: _is_rarer_date(each, mine_dates, said_dates)),
        ("provision", mine_provisions, lambda each: _is_rarer(each, mine_provisions, said_provisions, here)),
        ("number", mine, lambda each: each.value in often or not _is_counted(each, counted, years)),
    )
    faults = (
        Fault(kind, tuple(each.span.of(text) for each in particulars if wrong(each) or each in mixed))
        for kind, particulars, wrong in found
    )
    return [each for each in faults if each.words]


def _is_rarer_date(date: Date, mine: Sequence[Date], said: Sequence[Date]) -> bool:
    """Return whether the evidence has a date less often than the text."""
    return sum(map(date.is_supported_by, said)) < sum(_same(date, other) for other in mine)


def _is_rarer(
    one: Provision, mine: Sequence[Provision], said: Sequence[Provision], here: Sequence[Provision]
) -> bool:
    """Return whether the evidence names a provision less often than the text and is not itself part of that
    provision.
    """
    return not any(map(one.is_named_by, here)) and sum(map(one.is_named_by, said)) < sum(
        map(one.is_named_by, mine)
    )


def _is_counted(one: Number, counted: Sequence[Number], years: Collection[float]) -> bool:
    return any(map(one.is_supported_by, counted)) or (one.value in years and not one.unit)


def _find_exchanged(
    text: str, evidence: str, mine: Sequence[_Particular], theirs: Sequence[_Particular]
) -> list[_Particular]:
    """Return the particulars in ``mine`` that replace a different one among the same words of ``evidence``:
    "the limit in section 10; section 11 …" sets no limit in section 11.
    """
    if not mine or len(theirs) < 2:
        return []
    left, right = _lay_out(text, mine), _lay_out(evidence, theirs)
    matcher = SequenceMatcher(None, [word for word, _ in left], [word for word, _ in right], autojunk=False)
    found: list[_Particular] = []
    for low, start, size in matcher.get_matching_blocks():
        run = left[low : low + size]
        if all(each is not None or word in COMMON for word, each in run):
            continue
        for (_, one), (_, other) in zip(run, right[start : start + size], strict=True):
            if one is not None and other is not None and not _is_supported(one, other):
                found.append(one)
    return found


def _lay_out(text: str, particulars: Sequence[_Particular]) -> list[tuple[str, _Particular | None]]:
    """Return the words of ``text`` in order, with each particular replaced by its kind. Words such as
    "section" before a provision are skipped.
    """
    placed = [(each.span.start, type(each).__name__.upper(), each) for each in particulars]
    taken = [each.span for each in particulars]
    words: list[tuple[int, str, _Particular | None]] = [
        (match.start(), match.group().casefold(), None)
        for match in _LETTERS.finditer(text)
        if match.group().casefold() not in PROVISIONS
        and not any(span.start <= match.start() < span.end for span in taken)
    ]
    return [(word, each) for _, word, each in sorted([*placed, *words], key=lambda each: each[0])]


def _is_supported(one: _Particular, other: _Particular) -> bool:
    """Return whether ``other`` has the same kind and value as ``one``."""
    match one, other:
        case Provision(), Provision():
            return one.is_named_by(other)
        case Number(), Number():
            return one.is_supported_by(other)
        case Date(), Date():
            return one.is_supported_by(other)
    return False


def _same(one: Date, other: Date) -> bool:
    return (one.year, one.month, one.day) == (other.year, other.month, other.day)


def _values(counted: Sequence[Number], dated: Sequence[Date]) -> Counter[float]:
    """Return how often each number occurs, including the years of dates."""
    return Counter([each.value for each in counted] + [float(each.year) for each in dated if each.year])


def _provisions_at(read: ReadEvidence, span: Span) -> Sequence[Provision]:
    evidence = read.evidence
    segment = evidence.segment_at(evidence.start + span.start)
    begin = max(segment.start - evidence.start, span.start - _BEFORE, 0)
    line = read.prose.find("\n", span.start)
    before = read.prose[begin : span.start]
    # A place that begins with its own marker, "(2) …", is in that subdivision.
    head = read.prose[span.start : span.start + 12 if line < 0 else min(line, span.start + 12)]
    return tuple(read_place(segment.label, evidence.authority.kind, before + head))
