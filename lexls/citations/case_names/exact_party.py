"""Compare two parties exactly: align their words, and judge the words that only one of them has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from lexls.citations.case_names.word_relations import NameWord, list_group_sizes, relate
from lexls.citations.case_names.words import BEGINNINGS, WORDS
from lexls.text.lexicon import PARTICLES

Outcome = Literal["same", "misspelt", "unclear", "other"]
"""The outcome of a comparison.

``same``: equal by declared equivalences alone. ``misspelt``: a word is a few letters apart, or singular for
plural. ``unclear``: one name has words that the other lacks, so nothing is certain. ``other``: a different
party.
"""
_NEAREST: tuple[Outcome, ...] = ("same", "misspelt", "unclear", "other")
_GRAVEST: tuple[Outcome, ...] = ("other", "misspelt", "unclear")
"""Outcomes other than "same", in order of precedence: the first of them that occurs in a comparison
decides.
"""

_LISTED = (
    BEGINNINGS | {f"{word}s" for word in BEGINNINGS} | WORDS["generic"] | WORDS["offices"] | WORDS["bodies"]
)
_BODY_WORDS = frozenset(word for word in _LISTED if len(word) > 1)
"""Words common in the names of bodies. Single letters are excluded, since "R" alone (the Crown) has already
been read as an office.
"""
_PREPOSITIONS = frozenset({"of", "for", "at", "in"})
_STATES = frozenset(
    {"state", "commonwealth", "province", "republic"}
    | {"city", "town", "village", "borough", "township", "county", "municipality"}
)
_JOINING = frozenset({"and", "alias"})


Arrangement = Literal["", "reversed", "alone"]


@dataclass(frozen=True, slots=True)
class NameComparison:
    """How a case name in a draft compares with the case's title.

    ``written`` are the draft's differing words, one string for each difference, and ``recorded`` the title's
    words in their place. Either may be "". ``phrases`` are the draft's differing words with an adjacent word.
    ``arrangement`` is "reversed" if the draft has the title's parties in the other order, and "alone" if it
    has only one of them.
    """

    outcome: Outcome
    written: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    arrangement: Arrangement = ""


@dataclass(frozen=True, slots=True)
class _Gap:
    """A gap in an alignment: adjacent words of each party that match no word of the other, as ranges of word
    positions.
    """

    written: range
    recorded: range


@dataclass(frozen=True, slots=True)
class _Alignment:
    """An alignment of a draft's party with a title's. Words in ``gaps`` do not match, and those in
    ``misspelt`` match only roughly.
    """

    written: tuple[NameWord, ...]
    recorded: tuple[NameWord, ...]
    matched: frozenset[int]
    misspelt: tuple[tuple[range, range], ...]
    gaps: tuple[_Gap, ...]

    @property
    def is_body(self) -> bool:
        """Return whether the party is a company, an institution or an office rather than a person."""
        words = (*self.written, *self.recorded)
        return names_body(words) or any(each.shortened and len(each.folded) > 2 for each in words)


def choose(found: Sequence[NameComparison]) -> NameComparison:
    """Return the comparison with the best outcome, or an "unclear" one if there are none."""
    near = sorted(
        found, key=lambda each: (_NEAREST.index(each.outcome), len(each.written), len(each.arrangement))
    )
    return near[0] if near else NameComparison("unclear")


def join_comparisons(parties: Sequence[NameComparison]) -> NameComparison:
    """Combine the comparisons of the parties: the worst outcome, with the words that caused it."""
    worst = next((each for each in _GRAVEST if any(each == party.outcome for party in parties)), None)
    arrangement: Arrangement = next((each.arrangement for each in parties if each.arrangement), "")
    if worst is None:
        return NameComparison("same", arrangement=arrangement)
    differing = [each for each in parties if each.outcome == worst]
    return NameComparison(
        worst,
        tuple(word for each in differing for word in each.written),
        tuple(word for each in differing for word in each.recorded),
        tuple(word for each in differing for word in each.phrases),
        arrangement,
    )


def compare_words(
    written: tuple[NameWord, ...], recorded: tuple[NameWord, ...], alone: bool = False
) -> NameComparison:
    """Compare the words of two parties.

    With ``alone``, this party alone names the case, so it must have a word that is not common to many names.
    """
    return _judge(_align(written, recorded), alone)


def _align(left: tuple[NameWord, ...], right: tuple[NameWord, ...]) -> _Alignment:
    """Match the words of two parties in order, so that the matched words have as many letters as possible."""
    best: dict[tuple[int, int], tuple[int, tuple[int, int], str]] = {}
    options: list[tuple[int, tuple[int, int], str]]
    for i, j in product(range(len(left), -1, -1), range(len(right), -1, -1)):
        options = []
        for one, other in list_group_sizes(len(left) - i, len(right) - j):
            relation = relate(left[i : i + one], right[j : j + other])
            if relation:
                weight = _weigh(left[i : i + one], right[j : j + other]) * (2 if relation == "same" else 1)
                options.append((best[i + one, j + other][0] + weight, (one, other), relation))
        if i < len(left):
            options.append((best[i + 1, j][0], (1, 0), ""))
        if j < len(right):
            options.append((best[i, j + 1][0], (0, 1), ""))
        options.append((0, (0, 0), ""))
        best[i, j] = max(options, key=lambda each: each[0])
    return _follow(left, right, best)


def _weigh(left: Sequence[NameWord], right: Sequence[NameWord]) -> int:
    """Return the weight of a match between words: their number of letters, but hardly anything for small
    words.
    """
    if left[0].silent or right[0].silent:
        return 1
    return 2 + min(sum(len(each.folded) for each in words) for words in (left, right))


def _follow(
    left: tuple[NameWord, ...],
    right: tuple[NameWord, ...],
    best: dict[tuple[int, int], tuple[int, tuple[int, int], str]],
) -> _Alignment:
    matched: set[int] = set()
    misspelt, gaps = [], []
    i = j = start = low = 0
    while i < len(left) or j < len(right):
        _, (one, other), relation = best[i, j]
        if relation:
            gaps.append(_Gap(range(start, i), range(low, j)))
            start, low = i + one, j + other
            if relation == "misspelt":
                misspelt.append((range(i, start), range(j, low)))
            matched.update(range(j, low))
        elif not (one or other):
            break
        i, j = i + one, j + other
    gaps.append(_Gap(range(start, len(left)), range(low, len(right))))
    return _Alignment(left, right, frozenset(matched), tuple(misspelt), tuple(gaps))


def _judge(found: _Alignment, alone: bool) -> NameComparison:
    """Derive the outcome for two parties from their matched and unmatched words."""
    differences = list(_list_differences(found))
    worst = next((each for each in _GRAVEST if any(each == outcome for outcome, _, _ in differences)), None)
    if worst is None:
        return NameComparison("same" if _is_named(found, alone) else "unclear")
    places = [(mine, its) for outcome, mine, its in differences if outcome == worst]
    return NameComparison(
        worst,
        tuple(_join_words(found.written, mine) for mine, _ in places),
        tuple(_join_words(found.recorded, its) for _, its in places),
        tuple(_join_words(found.written, _widen(mine)) for mine, _ in places),
    )


def _list_differences(found: _Alignment) -> Iterator[tuple[Outcome, Sequence[int], Sequence[int]]]:
    """Yield each difference: its outcome, and the positions of the draft's and the title's differing
    words.
    """
    gaps = [
        (
            gap,
            [place for place in gap.written if not found.written[place].silent],
            [place for place in gap.recorded if not found.recorded[place].silent],
        )
        for gap in found.gaps
    ]
    # A name that is replaced by another is not simply omitted.
    both = any(mine for _, mine, _ in gaps) and any(its for _, _, its in gaps)
    for gap, mine, its in gaps:
        if mine and its:
            yield "other", mine, its
        elif (mine or its) and (both or not _may_differ(found, gap, mine)):
            yield "unclear", mine, its
    for one, other in found.misspelt:
        yield "misspelt", one, other
    yield from _list_differing_forms(found)


def _may_differ(found: _Alignment, gap: _Gap, added: Sequence[int]) -> bool:
    """Return whether a draft may add the unmatched words or, if they are the title's, omit them."""
    return _may_add(found, gap) if added else any(each.allows(found, gap) for each in OMISSIONS)


def _is_named(found: _Alignment, alone: bool) -> bool:
    """Return whether a distinctive word was matched; if ``alone``, it must not be common to many names."""
    telling = [found.recorded[place] for place in found.matched if not found.recorded[place].silent]
    if not alone:
        return bool(telling)
    return any(each.folded not in _BODY_WORDS and len(each.folded) > 1 for each in telling)


def _widen(places: Sequence[int]) -> Sequence[int]:
    """Return the positions and the one before them. If they begin the party, return them and the one
    after.
    """
    if not places:
        return places
    return range(places[0] - 1, places[-1] + 1) if places[0] else range(places[-1] + 2)


def _join_words(words: Sequence[NameWord], places: Sequence[int]) -> str:
    found = " ".join(each.written for place, each in enumerate(words) if place in places)
    return found.replace("UnitedStates", "United States")


def _list_differing_forms(found: _Alignment) -> Iterator[tuple[Outcome, Sequence[int], Sequence[int]]]:
    """Yield one difference, the company suffixes, if each of the two names has a suffix that the
    other lacks.
    """
    mine, its = (
        {each.suffix: place for place, each in enumerate(words) if each.suffix}
        for words in (found.written, found.recorded)
    )
    if not (mine.keys() <= its.keys() or its.keys() <= mine.keys()):
        only, others = mine.keys() - its.keys(), its.keys() - mine.keys()
        yield "unclear", sorted(mine[form] for form in only), sorted(its[form] for form in others)


def _may_add(found: _Alignment, gap: _Gap) -> bool:
    """Return whether the words that only the draft has are given names or, in the name of a body,
    initials.
    """
    if gap.recorded:
        return False
    if found.is_body or gap.written[-1] == len(found.written) - 1:
        return _are_single_letters(found.written[place] for place in gap.written)
    added = [found.written[place] for place in gap.written]
    return not any(each.folded in PARTICLES | _JOINING or each.written.islower() for each in added)


def _are_single_letters(words: Iterator[NameWord]) -> bool:
    return all(each.silent or (each.initials and len(each.folded) <= 3 and each.shortened) for each in words)


# -- what a draft may omit ----------------------------------------------------------------------------------


def _are_given_names(found: _Alignment, gap: _Gap) -> bool:
    last = len(found.recorded) - 1
    return (
        not found.is_body
        and last in found.matched
        and last not in gap.recorded
        and not any(found.recorded[place].folded in PARTICLES | _JOINING for place in gap.recorded)
        and not found.recorded[gap.recorded[-1] + 1].listed
    )


def _are_initials(found: _Alignment, gap: _Gap) -> bool:
    return _are_single_letters(found.recorded[place] for place in gap.recorded)


def _is_coparty(found: _Alignment, gap: _Gap) -> bool:
    first = gap.recorded[0]
    begins = found.recorded[first].folded == "and" or found.recorded[first].listed
    joint = found.is_body and not names_body(found.recorded[:first])
    return begins and not joint and gap.recorded[-1] == len(found.recorded) - 1 and first > 0


def _is_place(found: _Alignment, gap: _Gap) -> bool:
    first = gap.recorded[0]
    begins = found.recorded[first].folded in _PREPOSITIONS or found.recorded[first].listed
    rest = [each for each in found.recorded[:first] if not each.silent]
    office = any(each.folded in WORDS["offices"] for each in rest)
    telling = any(each.folded not in _BODY_WORDS for each in rest)
    return begins and first > 0 and gap.recorded[-1] == len(found.recorded) - 1 and (office or telling)


def _is_state(found: _Alignment, gap: _Gap) -> bool:
    words = {found.recorded[place].folded for place in gap.recorded if not found.recorded[place].silent}
    return gap.recorded[0] == 0 and words <= _STATES and len(gap.recorded) < len(found.recorded)


def _is_country(found: _Alignment, gap: _Gap) -> bool:
    return [found.recorded[place].folded for place in gap.recorded] == ["unitedstates"] and found.is_body


def _is_end_of_body(found: _Alignment, gap: _Gap) -> bool:
    first, rest = gap.recorded[0], [each for each in found.recorded[: gap.recorded[0]] if not each.silent]
    if not found.is_body or not rest or gap.recorded[-1] != len(found.recorded) - 1:
        return False
    return (
        found.recorded[first].folded != "and" and rest[0].folded not in WORDS["no_opening"] | WORDS["offices"]
    )


def names_body(words: Sequence[NameWord]) -> bool:
    """Return whether any of the words is common in the names of bodies: "Shipping", "Board", "Ltd".

    Single letters do not count: the "P." of "Henry P. Luff" is an initial, and in "(P) Ltd" another suffix
    follows.
    """
    return any((each.suffix and len(each.folded) > 1) or each.folded in _BODY_WORDS for each in words)


@dataclass(frozen=True, slots=True)
class Omission:
    """A reason why a draft may omit words of the title."""

    allows: Callable[[_Alignment, _Gap], bool]
    reason: str
    example: tuple[str, str]


OMISSIONS = (
    Omission(
        _are_given_names, "Persons are cited by their surnames.", ("Orrin v Pell", "Jane Ann Orrin v Pell")
    ),
    Omission(_are_initials, "Initials are left out.", ("Carrow & Sons v Pell", "T.R. Carrow & Sons v Pell")),
    Omission(
        _is_coparty,
        "Only the first party on each side is named.",
        ("Orrin v Pell", "Orrin and Kane v Pell"),
    ),
    Omission(_is_place, "Places behind a name are left out.", ("State v Pell", "State of Aldmoor v Pell")),
    Omission(
        _is_state,
        "A state or a city is cited by its name alone.",
        ("Orrin v Aldmoor", "Orrin v State of Aldmoor"),
    ),
    Omission(
        _is_country,
        "The country of a department is left out.",
        ("Orrin v Department of Tides", "Orrin v United States Department of Tides"),
    ),
    Omission(
        _is_end_of_body,
        "Bodies are cited by their first words.",
        ("Carrow v Pell", "Carrow Grain Shipping v Pell"),
    ),
)
"""The reasons why a draft may omit words of the title, in the order tried."""
