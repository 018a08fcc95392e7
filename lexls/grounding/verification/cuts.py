"""Decide which parts of a quotation may be omitted without changing the meaning of the rest.

These are whole sentences, adverbs, words of the question, an opening on which the rest does not depend, an
ending or aside that neither limits nor reverses what precedes it, and one of two alternatives if the
statement is true of each.

Words that only frame a statement may be omitted too, since the text itself asserts the statement: "We must,
therefore, hold that …", "Although …, …", "…, as noted above". "If …", "Where …" and "In such a case, …" are
limits, not frames.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from lexls.grounding.verification.gaps import (
    ASIDE,
    CONDITIONS,
    CUES,
    ENDS,
    JOINING,
    RELATIVE,
    Alignment,
    find_alternative,
    find_beginning,
    is_clause,
    is_further_duty,
    is_listed,
    is_name,
    lists_elements,
)
from lexls.grounding.verification.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    DECIDING,
    EPITHETS,
    LIMITING,
    MODALS,
    NEGATIONS,
    PREPOSITIONS,
    REASONS,
    SURE,
)
from lexls.quotations.speakers import ASSERTING, EMBEDDING, names_another, names_speaker
from lexls.text.phrases import compile_pattern, define_parts, load_phrases
from lexls.text.spans import Span

_TURNING_BACK = frozenset(("but", "however", "unless", "except", "yet", "provided", "save", "nor"))
"""Words that qualify or withdraw what precedes them."""
_CONCEDING = frozenset(("although", "though", "while", "whilst", "even"))
"""Words that begin a concession, which does not limit the statement after it."""
_WITH_WHAT_MIND = frozenset(("knowing", "intending", "meaning", "believing", "suspecting"))
"""Words that state the mental element of an act mentioned before."""
_AIMING = frozenset(("to", "so"))
_WEIGHING = frozenset(("taking", "having", "bearing", "considering", "giving"))
"""Participles that say how an act must be done: "having regard to …"."""


def find_cut(
    alignment: Alignment, low: int, high: int, left: Sequence[int], said: Sequence[str]
) -> tuple[int, int] | None:
    """Return the range of the quotation, within ``low`` to ``high``, that may be cut to omit the places
    ``left``, or None.

    ``said`` are the words and punctuation marks that the sentence has between the same aligned words.
    """
    pieces = alignment.quotation.pieces
    begins = low == 0 or pieces[low - 1] in ENDS
    ends = high == len(pieces) or pieces[high - 1] in ENDS
    if begins and ends:
        return None if is_listed(pieces, low, high) or pieces[low] in _TURNING_BACK else (low, high)
    if all(pieces[place] in ADVERBS for place in left) or _is_asked(alignment, low, high, left):
        return left[0], left[-1] + 1
    if set(pieces[left[0] : high]) <= EPITHETS and _is_named(alignment, high):
        return left[0], high
    if (places := find_alternative(alignment, low, high, left, said)) is not None:
        return places
    if begins:
        return _cut_beginning(pieces, low, high, left[-1])
    if (second := _cut_first_verb(pieces, low, high, left)) is not None:
        return second
    low = _skip_said(pieces, low, left[0], said)
    if ends:
        return (low, high) if _is_loose_end(alignment, low, pieces[low:high]) else None
    return _cut_aside(alignment, low, high, left)


def _skip_said(pieces: Sequence[str], low: int, high: int, said: Sequence[str]) -> int:
    """Skip leading numbers, and words that the sentence has too. Return the place after them."""
    while low < high and (pieces[low][0].isdigit() or (said and pieces[low] == said[0])):
        low, said = low + 1, said[1:]
    return low


def find_numbers_aside(pieces: Sequence[str], low: int, high: int, said: Sequence[str]) -> set[int]:
    """Return the places of numbers between commas or in brackets, such as a year or a page, if none of them
    is in ``said``.
    """
    numbers = [place for place in range(low, high) if pieces[place][0].isdigit()]
    if not numbers or any(pieces[place] in said for place in numbers):
        return set()
    opened = not ASIDE.isdisjoint(pieces[low : numbers[0]])
    closed = not (ASIDE | ENDS).isdisjoint(pieces[numbers[-1] + 1 : high])
    return set(numbers) if opened and closed else set()


def _is_asked(alignment: Alignment, low: int, high: int, left: Sequence[int]) -> bool:
    """Return whether all omitted words are in the question. Returns False if the question, the sentence or
    this part of the quotation has a negation.
    """
    inside = alignment.quotation.pieces[low:high]
    turning = (
        NEGATIONS.intersection(inside)
        or alignment.asked.negations
        or alignment.sentence.negations  # what is denied of a part is not denied of the whole
    )
    if turning or not EMBEDDING.isdisjoint(inside) or alignment.asked.pieces[-1:] != ("?",):
        return False
    return all(alignment.left[place].term in alignment.terms for place in left)


def _is_named(alignment: Alignment, place: int) -> bool:
    """Return whether the quotation has a name at this place that the sentence repeats."""
    named = (word for word in alignment.quotation.words if word.place == place)
    return place in alignment.said_at and any(is_name(word, alignment.quotation) for word in named)


def _cut_beginning(pieces: tuple[str, ...], low: int, high: int, last: int) -> tuple[int, int] | None:
    """Return the range of an opening that includes at least ``last``, if the rest does not depend on it, or
    None.
    """
    before, after = pieces[low : last + 1], pieces[last + 1 : high]
    if "that" in after and not (after[0] == "," and EMBEDDING.intersection(before)):
        return None
    if LIMITING.intersection(after) or EMBEDDING.intersection(before + after):
        return None
    joined = [place for place, each in enumerate(after) if each in JOINING]
    apart = joined and (after[0] == "," or AUXILIARIES.intersection(before))
    return (low, last + 2 + joined[0]) if apart and not LIMITING.intersection(before) else None


def _cut_first_verb(
    pieces: Sequence[str], low: int, high: int, left: Sequence[int]
) -> tuple[int, int] | None:
    """Return the range of the first of two predicates of one subject ("may refuse, and" before "must warn"),
    or None.
    """
    joined = [place for place in range(left[-1], high - 1) if pieces[place] == "and"]
    if pieces[low] not in AUXILIARIES or not joined or pieces[joined[0] + 1] not in AUXILIARIES:
        return None
    return None if CUES.intersection(pieces[low:high]) else (low, joined[0] + 1)


def _is_loose_end(alignment: Alignment, low: int, pieces: Sequence[str]) -> bool:
    """Return whether the end of a sentence, which begins at ``low``, does not limit what precedes it."""
    first, before = pieces[0], alignment.quotation.pieces[:low]
    sentence = alignment.sentence
    if "," in pieces[1:] and _is_only_condition(before):
        return False  # what holds on the condition
    if first == "," and before[find_beginning(before, low)] in _CONCEDING:
        return False  # what is held against what was conceded
    if "duty" in sentence.modals and pieces[1:2] and pieces[1] in _WEIGHING:
        return False  # how it is to be done
    if first in ASIDE or first == "and":
        return _is_loose_aside(before, pieces, bool(sentence.negations))
    if any(" ".join(pieces).startswith(each) for each in REASONS):
        return not sentence.negations
    return first in (PREPOSITIONS if alignment.tells else ("from",)) and not LIMITING.intersection(pieces)


def _is_loose_aside(before: Sequence[str], pieces: Sequence[str], denies: bool) -> bool:
    """Return whether the part after a comma, a bracket or "and" does not limit what precedes it."""
    if pieces[0] == "," and pieces[1:2] and pieces[1] in AUXILIARIES:
        return False  # what the whole sentence says
    if denies and not is_clause(pieces):
        return False  # who denies less denies more
    return (
        pieces[0] in (",", "and", "(") and not lists_elements(before, pieces) and not _limits(pieces, denies)
    )


def _is_only_condition(before: Sequence[str]) -> bool:
    """Return whether the sentence up to a place consists only of a condition, without a comma."""
    begin = find_beginning(before, len(before))
    return "," not in before[begin:] and not CONDITIONS.isdisjoint(before[begin : begin + 2])


def _cut_aside(alignment: Alignment, low: int, high: int, left: Sequence[int]) -> tuple[int, int] | None:
    """Return the range of an aside between two places, or of words that state an event's place or time.
    Returns None if there is neither.
    """
    pieces = alignment.quotation.pieces
    opening = [place for place in range(low, left[0]) if pieces[place] in ASIDE]
    closing = [place for place in range(left[-1], high) if pieces[place] in ASIDE]
    if opening and closing:
        first, before = pieces[opening[-1] + 1], pieces[find_beginning(pieces, low) : opening[-1]]
        if first.endswith(("ing", "ed")) and not CUES.isdisjoint(pieces[:low]):
            return None  # "if a party, knowing of it, …"
        # "a house, to count against the owner, must …", "who has a horse, and a cart, must …"
        if first in _AIMING or (first in ("and", "or") and not (CUES | RELATIVE).isdisjoint(before)):
            return None
        limited = _limits(pieces[opening[-1] : closing[0]], "duty" not in alignment.sentence.modals)
        return None if limited else (opening[-1], closing[0] + 1)
    starts = pieces[low] in PREPOSITIONS or alignment.left[left[0]].written[:1].isupper()
    stops = PREPOSITIONS | ASIDE
    if alignment.tells and starts and stops.intersection(pieces[left[-1] + 1 : high]):
        return None if LIMITING.intersection(pieces[low:high]) else (left[0], left[-1] + 1)
    return None


def _limits(pieces: Sequence[str], either: bool) -> bool:
    """Return whether a part that begins with a comma or "and" limits what precedes it.

    ``either`` is true if what the sentence says of "A or B" is true of A and of B.
    """
    words = [each for each in pieces if each not in ASIDE]
    if not words:
        return False
    if names_speaker(words):
        return True
    if words[:2] in (["even", "if"], ["even", "though"]):
        words = ["and", *words[2:]]
    if words[0] in LIMITING | _TURNING_BACK | _WITH_WHAT_MIND or (words[0] == "or" and not either):
        return True
    if is_further_duty(tuple(words)):
        return False
    # A condition of another clause begins directly after "and".
    inner = words[2:] if words[0] == "and" and words[1:2] != ["only"] else words[1:]
    turned = next((at for at, each in enumerate(inner) if each in NEGATIONS), len(inner))
    other = words[0] == "and" and AUXILIARIES.intersection(words[: turned + len(words) - len(inner)])
    return bool(LIMITING.intersection(inner) or (turned < len(inner) and not other))


_FRAMING = load_phrases(__package__, "framing.toml")
_PARTS = define_parts(_FRAMING["parts"])
_KINDS = ("openings", "led", "clauses")
_OPENINGS = [
    (kind, compile_pattern(f"(?:{each})(?= )", _PARTS)) for kind in _KINDS for each in _FRAMING[kind]
]
_CASE = compile_pattern(f"{_FRAMING['case']}(?= )", _PARTS)
_OURS = compile_pattern(r"\b«ours»", _PARTS)
_ENDINGS = [compile_pattern(each, _PARTS) for each in _FRAMING["endings"]]
_GIVEN = compile_pattern(_FRAMING["given"], _PARTS)
_CONCEDED = compile_pattern(rf"\b(?:{_FRAMING['conceding']})\b", _PARTS)
_HEDGED = compile_pattern(rf"\b(?:{_FRAMING['hedged']})\b", _PARTS)
_TURNED = re.compile(
    r"\b(?:but|however|yet|nevertheless|nonetheless|still|conversely|instead|on the other hand|"
    r"(?:by|in) contrast)\b",
    re.IGNORECASE,
)
_BEGINNING = re.compile(r"(?:\A|[.;?!][\"'”’)\]]{0,3}\s{1,20}|\n[ \t\r]{0,20}\n\s{0,20})[\"'“‘]{0,2}(?=\w)")
_THAT = re.compile(r"(?:[^\s.;:?!]{1,40} ){1,24}?[“\"‘]?that\b", re.IGNORECASE)
_FURTHER = re.compile(r"(?<=; )(?:and )?that\b")
_CLAUSE, _SENTENCE = re.compile(r"[^.;?!]{1,1600}"), re.compile(r"[^.?!]{1,1600}")
_SCOPE = re.compile(
    r"(?!(?:(?-i:In [A-Z])|(?:we|i|it|this|that|the|there|our)\b))[^,]{1,200},|in such\b", re.IGNORECASE
)
"""Match an opening, up to its comma, to which the statement after it may be restricted."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|,")
_OPEN_STILL = frozenset(("must", "should", "shall", "may", "might", "can", "could", "duty", "required"))
_PLAIN = frozenset(("trite", "clear", "settled", "established", "true"))
_SAID = frozenset(("doubt", "law", "dispute", "principle", "proposition", "position"))
"""Nouns that can be followed by a "that" clause with their content."""
_ARTICLES = frozenset(("a", "an", "any", "every", "such"))
_MOST = 4
"""Maximum number of openings per sentence."""


def list_framed(quotation: str) -> Iterator[Sequence[Span]]:
    """Yield lists of spans of ``quotation`` (code points) that may be omitted together, fewest openings
    first. None of the lists is empty.
    """
    beginnings = (match.end() for match in _BEGINNING.finditer(quotation))
    # A sentence that contrasts with the one before it keeps its opening: "However, on a Sunday he must."
    openings = [
        _find_openings(quotation, at) for at in beginnings if not at or not _TURNED.match(quotation, at)
    ]
    endings = [Span(*match.span()) for each in _ENDINGS for match in each.finditer(quotation)]
    endings += _find_reason(quotation)
    most = max(map(len, openings), default=0)
    for count, closing in product(range(most + 1), ([], endings) if endings else ([],)):
        if count or closing:
            yield [*(span for each in openings for spans in each[:count] for span in spans), *closing]


def _find_openings(text: str, at: int) -> Sequence[Sequence[Span]]:
    """Return the openings of the sentence at ``at``, in order. An opening may have further parts later in the
    sentence ("; and that").
    """
    found: list[Sequence[Span]] = []
    if (case := _CASE.match(text, at)) is not None:
        return [[Span(*case.span())]]
    while len(found) < _MOST and (end := _find_opening(text, at)) is not None:
        further = _FURTHER.finditer(text, end, _find_end(text, end)) if text[:end].endswith("that") else ()
        found.append([Span(at, end), *(Span(*match.span()) for match in further)])
        at = end
        while at < len(text) and text[at] in ' “‘"':
            at += 1
    return found


def _find_opening(text: str, at: int) -> int | None:
    """Return the end of the opening at ``at``, or None."""
    for kind, pattern in _OPENINGS:
        match = pattern.match(text, at)
        if (
            match is None
            or _HEDGED.search(match.group())
            or (_CONCEDED.search(match.group()) and _TURNED.search(text, match.end()))
        ):
            continue
        if kind == "clauses" and _depends(match.group()):
            continue
        if kind == "led" and sum(1 for _ in _OURS.finditer(text, at, _find_end(text, at, _CLAUSE))) > 1:
            continue  # one of them may only be reported
        return match.end()
    frame = _THAT.match(text, at)
    if frame is None or _HEDGED.search(frame.group()) or _SCOPE.match(frame.group()):
        return None
    if _asserts([each.casefold() for each in _WORD.findall(frame.group())[:-1]]):
        return frame.end()
    return None


def _find_end(text: str, at: int, kind: re.Pattern[str] = _SENTENCE) -> int:
    """Return the end of the sentence or clause that begins at ``at``."""
    match = kind.match(text, at)
    return match.end() if match else at


def _depends(opening: str) -> bool:
    """Return whether an opening limits what follows its comma, or contains a report that may continue after
    it.
    """
    said = {each.casefold() for each in _WORD.findall(opening)[1:]}
    return not (LIMITING | EMBEDDING).isdisjoint(said)


def _find_reason(text: str) -> Iterator[Span]:
    """Yield the span of the reason that ends ``text``, unless it is a reason for something negated or
    commanded.
    """
    match = _GIVEN.search(text)
    if match is None:
        return
    before = [each.casefold() for each in _WORD.findall(text[: match.start()])]
    if "but" in before:
        before = before[before.index("but") :]
    if NEGATIONS.isdisjoint(before) and MODALS.keys().isdisjoint(before):
        yield Span(*match.span())


def _asserts(frame: Sequence[str]) -> bool:
    """Return whether the words before "that" assert what follows."""
    said = set(frame)
    last = next((each for each in reversed(frame) if each != "," and each not in ADVERBS), "")
    if frame[:1] not in (["it"], ["there"]) and last not in ASSERTING | _SAID:
        return False  # "provides penalties that": what is provided
    if frame[0] in _ARTICLES and len(frame) == 2:
        return False  # "a rule that rewards": which rule
    sure = any(f" {each} " in f" {' '.join(frame)} " for each in SURE)
    plain = " it is " in f" {' '.join(frame)} " and "stated" not in said  # "it is stated": somebody says so
    decided = said & DECIDING or frame[0] in ASSERTING or plain
    lays_down = said & ASSERTING and decided and not said & NEGATIONS and not names_another(said)
    # "It is the duty of the courts to find that …" finds nothing.
    open_still = said & _OPEN_STILL or ("to" in said and not said & _PLAIN)
    return bool(lays_down or sure) and not said & (EMBEDDING | LIMITING) and not open_still
