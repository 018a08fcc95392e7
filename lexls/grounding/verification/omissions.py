"""Find what a sentence leaves out of its quotation, or brings into it, so that it says something else.

A sentence rests on a quotation if it is the quotation with parts left out that neither limit nor turn the
rest, and with nothing brought in but what the quotation points to ("it", "this Agreement").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lexls.grounding.quotations.vocabulary import NUMBER_WORDS
from lexls.grounding.reading import remove_label
from lexls.grounding.relevance import Tokens
from lexls.grounding.verification.attribution import is_attribution
from lexls.grounding.verification.clauses import Reading, Word, align_words, locate_pieces, read_clauses
from lexls.grounding.verification.framing import list_framed
from lexls.grounding.verification.joints import find_lost_joints
from lexls.grounding.verification.particulars import (
    Provision,
    find_numbers,
    find_provisions,
    remove_provisions,
)
from lexls.grounding.verification.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    COUNTING,
    DIRECTIONS,
    ELEMENTS,
    EMBEDDING,
    EPITHETS,
    IRREGULAR,
    LIMITING,
    NAMELESS,
    NEGATIONS,
    PARTIES,
    POINTING,
    PREPOSITIONS,
    PROCEEDINGS,
    REASONS,
    REPORTING,
)
from lexls.text.dates import find_mentioned_dates
from lexls.text.lexicon import split_words
from lexls.text.spans import Span

_ENDS = frozenset((*".;?!", "\n\n"))
_ASIDE = frozenset(",()[]—–")
_JOINING = frozenset(("and", "but", "so", "yet"))
_PARTING = _ENDS | _ASIDE | _JOINING | {"or"}
_TURNING_BACK = frozenset(("but", "however", "unless", "except", "yet", "provided", "save", "nor"))
_OFFICES = split_words(
    "act code court courts high supreme district appeals agreement contract party parties section state"
)
"""Words with a capital that name nobody who does anything."""
_STATUTE = re.compile(
    r"\b(?:of|in|under) the (?:(?:[A-Z][\w’']+|and|of) ){1,8}(?:Act|Code|Rules|Regulations|Constitution)"
    r"\b(?: \d{4})?"
)
_APPLIED = re.compile(
    rf"(?:On|In|For|Upon) (?:an?|any|the|every) ({'|'.join(sorted(PROCEEDINGS))}) (?:brought |made )?under "
    r"(?:section|s\.|rule|article|regulation|clause|paragraph|order) \d+[\w()]*"
    r"(?: of (?:the (?:[A-Z][\w’']+ ){1,6}(?:Act|Code|Rules|Regulations)(?: \d{4})?|this Act))?,? ",
)
"""An opening that says under which provision somebody comes to court; group 1 is with what."""
_LIST = re.compile(r"\s?(?:,|;|\band\b|,\s?and\b)\s?")
_PAST = frozenset(("was", "were", "had", "did"))
_NOW, _THEN = frozenset(("is", "are")), frozenset(("was", "were"))
_PRESENT = frozenset(("is", "are", "be", "has", "have", "does", "do"))
_CUES = LIMITING | EMBEDDING
_ALL = frozenset(("all", "every", "each"))
_DANGLING = split_words("and or but the a an when how as than which who whose if unless because")
"""Words with which no sentence ends."""
_RELATIVE = frozenset(("who", "which", "that", "whose", "whom", "other", "than", "but", "both"))
"""Words behind which "or" may join parts of what is only described, or of what is excepted."""
_OF_EACH = frozenset((("liable", "for"), ("does", "survive")))
"""What is so of each of two things if it is so of "one or the other"."""
_CONDITIONS = frozenset(("if", "when", "where", "unless", "once", "until", "provided", "whenever"))
_SUBORDINATE = frozenset(("that", *_CONDITIONS))
"""How another condition begins, or another part of what must be shown."""
_DUTIES = frozenset(("must", "shall", "may", "can", "will", "should", "need"))
_PERSONAL = frozenset(("it", "he", "she", "they"))
_OF_SOMEBODY = frozenset(
    ("satisfied", "convinced", "sure", "aware", "able", "entitled", "liable", "prepared")
)
"""What somebody is, so that "it is" speaks of a court or a company."""
_WITH_WHAT_MIND = frozenset(("knowing", "intending", "meaning", "believing", "suspecting"))
_LOOSE = frozenset(("of", "in", "on", "by"))
"""Words of direction that a sentence may have where its quotation has none."""
_SPACES = re.compile(r"[ \t]{2,}")
_LISTING = frozenset(("that", "whether", "to", "which", "who"))
"""Words with which a further part begins of what was announced: "three facts: that …; and that …"."""
_LISTED = re.compile(r"[(\[]\s?\d{1,4}\s?[)\]]")
_COUNTING = frozenset(("per", "cent", "percent", "st", "nd", "rd", "th"))
_ANY = frozenset(("a", "an", "any", "every", "each", "no"))
_NARROWING = LIMITING | frozenset(
    split_words("between both together jointly joint combined who whose whom which with")
)
"""Words behind which two things belong together, or say of which something is so."""
_WEIGHING = frozenset(("taking", "having", "bearing", "considering", "giving"))
"""What somebody does in doing something else."""
_LONGEST_MARK = 4
"""Characters of an item's number: "viii"."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a sentence comes from its quotation: the pieces of the quotation that it ``dropped``, by their
    places; the words that are ``lost`` though they limit or turn the rest, and those ``added`` to it; the
    terms that it says where the quotation has a pronoun (``pointed``)."""

    dropped: frozenset[int]
    lost: tuple[str, ...]
    added: tuple[str, ...]
    pointed: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between two aligned words: of the sentence and of the quotation, from a place up to
    another one."""

    said: tuple[int, int]
    there: tuple[int, int]


def derive(
    sentence: str, quotation: str, question: str, around: str, tokens: Tokens
) -> tuple[Derivation, str]:
    """How ``sentence`` comes from ``quotation``, and what it kept of that.

    In place of a pronoun it may have words of the ``question`` that stand ``around`` the quotation too. What
    frames the quotation may be left out of it.
    """
    derivation, kept = _derive(sentence, quotation, question, around, tokens)
    if derivation.lost or derivation.added:
        for framed in list_framed(quotation):
            bare = _derive(sentence, _blank(quotation, framed), question, around, tokens)
            if not bare[0].lost and not bare[0].added:
                return bare
    return derivation, kept


def _derive(
    sentence: str, quotation: str, question: str, around: str, tokens: Tokens
) -> tuple[Derivation, str]:
    """How ``sentence`` comes from ``quotation`` as it is written, and what it kept of that."""
    sentence = remove_label(sentence)
    dates = find_mentioned_dates(sentence)
    told = [
        each for each in find_mentioned_dates(quotation) if any(date.is_supported_by(each) for date in dates)
    ]
    opening = _find_opening(quotation, sentence)
    lone = opening if opening is None or _is_asked_for(opening, question) else None
    quotation = _blank(quotation, [Span(*lone.span())] if lone else ())
    parts = _find_missing_provisions(sentence, quotation)
    sentence = remove_provisions(_blank(sentence, [each.span for each in dates]))
    quotation = remove_provisions(_blank(quotation, [each.span for each in told]))
    sentence, quotation = _remove_acts(sentence, quotation), _remove_acts(quotation, sentence)
    mine, theirs = read_clauses(sentence, tokens), read_clauses(quotation, tokens)
    asked, tells = read_clauses(question, tokens), _tells(mine, theirs)
    derivation = _Deriving(mine, theirs, asked, frozenset(tokens(around)), tells).derive()
    derivation = replace(derivation, lost=(*derivation.lost, *find_lost_joints(mine, theirs)))
    pieces = locate_pieces(quotation)
    kept = _SPACES.sub(" ", _blank(quotation, [pieces[place] for place in derivation.dropped]))
    if not tells:
        said = {each.value for each in find_numbers(sentence)}
        there = _LISTED.sub(" ", kept)
        missed = (each.span.of(there).strip() for each in find_numbers(there) if each.value not in said)
        derivation = replace(derivation, lost=(*derivation.lost, *missed))
    if opening is not None and lone is None:
        parts = (*parts, opening[1])
    derivation = replace(derivation, lost=(*derivation.lost, *parts))
    return derivation, kept


def _find_missing_provisions(sentence: str, quotation: str) -> tuple[str, ...]:
    """The provisions of which ``sentence`` names others that stand in one list with them in ``quotation``:
    "sections 4 and 5" for "sections 4, 5 and 9"."""
    said = find_provisions(sentence)
    lists: list[list[Provision]] = []
    for each in find_provisions(quotation) if said else ():
        joined = lists and _LIST.fullmatch(quotation, lists[-1][-1].span.end, each.span.start)
        if joined:
            lists[-1].append(each)
        else:
            lists.append([each])
    missed: list[str] = []
    for listed in lists:
        left = [each for each in listed if not any(each.path == other.path for other in said)]
        missed += [each.span.of(quotation) for each in left if len(left) < len(listed)]
    return tuple(missed)


def _find_opening(quotation: str, sentence: str) -> re.Match[str] | None:
    """The opening of ``quotation`` that only names the provision applied for, if ``sentence`` has none."""
    return None if _APPLIED.match(sentence) else _APPLIED.match(quotation)


def _is_asked_for(opening: re.Match[str], question: str) -> bool:
    """Whether a question asks about no other provision or proceedings than an opening names."""
    named = find_provisions(opening.group())
    asked = {each.removesuffix("s") for each in question.casefold().rstrip("?.").split()} & PROCEEDINGS
    known = (any(each.is_named_by(other) for other in named) for each in find_provisions(question))
    return asked <= {opening[1].casefold()} and all(known)


def _remove_acts(text: str, other: str) -> str:
    """``text`` without the Acts behind its provisions that ``other`` does not name."""
    return _STATUTE.sub(lambda match: match.group() if match.group() in other else "", text)


def _blank(text: str, spans: Sequence[Span]) -> str:
    """``text`` with spaces in place of ``spans``."""
    for span in spans:
        text = f"{text[: span.start]}{' ' * len(span)}{text[span.end :]}"
    return text


class _Deriving:
    def __init__(
        self, mine: Reading, theirs: Reading, asked: Reading, around: frozenset[str], tells: bool
    ) -> None:
        self._mine, self._theirs, self._asked = mine, theirs, asked
        self._terms = {word.term for word in asked.words}
        self._known = self._terms & around
        pairs = align_words(mine, theirs)
        self._said_at = {other.place: mine.pieces[one.place] for one, other in pairs}
        self._aligned = self._said_at.keys()
        placed = {one.place for one, _ in pairs}
        self._extra = [word for word in mine.words if word.place not in placed]
        self._moves = tells and ("by" in mine.said) != ("by" in theirs.said)
        moved = (word for word in self._extra if tells and (self._moves or word.written[:1].isupper()))
        elsewhere = {word.term for word in moved}
        self._left = {
            word.place: word
            for word in theirs.words
            if word.place not in self._aligned
            and theirs.pieces[word.place] not in _COUNTING
            and word.term not in elsewhere
        }
        edges = [(-1, -1), *((one.place, other.place) for one, other in pairs)]
        edges.append((len(mine.pieces), len(theirs.pieces)))
        self._gaps = [_Gap((low[0] + 1, high[0]), (low[1] + 1, high[1])) for low, high in pairwise(edges)]
        self._tells = tells

    def derive(self) -> Derivation:
        lost: dict[str, None] = {}
        added: dict[str, None] = {}
        dropped: set[int] = set()
        names: set[str] = set()
        for gap in self._gaps:
            own = REPORTING if gap in (self._gaps[0], self._gaps[-1]) else frozenset()
            extra = [word for word in self._extra if gap.said[0] <= word.place < gap.said[1]]
            if not self._replaces_pronoun(gap):
                extra = [word for word in extra if word.written.casefold() not in own]
            pointed = bool(extra) and self._is_pointed_to(gap, extra)
            if pointed:
                names |= {word.term for word in extra}
            if extra and not pointed and not self._may_add(gap, extra):
                added |= dict.fromkeys(word.written for word in extra)
            said = self._mine.pieces[gap.said[0] : gap.said[1]]
            there = self._theirs.pieces[gap.there[0] : gap.there[1]]
            added |= dict.fromkeys(each for each in said if each in _CUES - own and each not in there)
            if _NOW.isdisjoint(there) and not _THEN.isdisjoint(there):
                added |= dict.fromkeys(_NOW.intersection(said))
            inner = gap not in (self._gaps[0], self._gaps[-1])
            if inner and not _ENDS.isdisjoint(there) and _PARTING.isdisjoint(said):
                lost |= dict.fromkeys(there[-1:])  # the subject of one clause with the verb of another
            if gap is not self._gaps[0]:
                added |= dict.fromkeys(self._turn(said, there, bool(extra)))
                whole = not any(place in self._left for place in range(*gap.there))
                if whole and there[:1] == ("by",) != said[:1] and not (self._moves and self._extra):
                    lost["by"] = None  # who is paid pays nobody
            for low, high in self._cut(gap):
                left = [place for place in range(low, high) if place in self._left]
                if not left:
                    lost |= dict.fromkeys(() if pointed else self._miss(low, high, said))
                    dropped |= self._find_numbers_aside(low, high, said)
                    continue
                places = self._drop(low, high, left, said)
                if places:
                    dropped |= set(range(*places))
                else:
                    cues = [self._theirs.pieces[place] for place in range(low, high)]
                    cues = [each for each in cues if each in _CUES or each in NEGATIONS]
                    lost |= dict.fromkeys(cues or [self._left[left[0]].written])
        last = next((each for each in reversed(self._mine.pieces) if each not in _ASIDE | _ENDS), "")
        if last in _DANGLING:
            added[last] = None
        lost |= dict.fromkeys(self._find_missing_items())
        if not self._aligned:
            lost = dict.fromkeys(word.written for word in self._theirs.words)
        return Derivation(frozenset(dropped), tuple(lost), tuple(added), frozenset(names))

    def _find_missing_items(self) -> Iterator[str]:
        """The numbers of items of a list of which the sentence has others: conditions stand together."""
        pieces = self._theirs.pieces
        marks = [
            place
            for place in range(len(pieces) - 2)
            if (pieces[place], pieces[place + 2]) == ("(", ")")
            and len(pieces[place + 1]) <= _LONGEST_MARK
            and (not place or pieces[place - 1] not in NUMBER_WORDS)
        ]
        said = [
            any(place in self._aligned for place in range(low + 3, high))
            for low, high in pairwise([*marks, len(pieces)])
        ]
        if len(marks) > 1 and any(said) and not all(said):
            yield from (pieces[mark + 1] for mark, each in zip(marks, said, strict=True) if not each)

    def _miss(self, low: int, high: int, said: Sequence[str]) -> Iterator[str]:
        """The small words between two places that limit or count and are not ``said``."""
        pieces = self._theirs.pieces
        denied = bool(self._mine.negations)
        for place in range(low, high):
            piece = pieces[place]
            if piece in said:
                continue
            if piece in _CUES or piece in COUNTING or (denied and piece in _ALL):
                yield piece

    def _find_numbers_aside(self, low: int, high: int, said: Sequence[str]) -> set[int]:
        """The places of numbers between commas or in brackets that are not ``said``: a year, a page."""
        pieces = self._theirs.pieces
        numbers = [place for place in range(low, high) if pieces[place][0].isdigit()]
        if not numbers or any(pieces[place] in said for place in numbers):
            return set()
        opened = not _ASIDE.isdisjoint(pieces[low : numbers[0]])
        closed = not (_ASIDE | _ENDS).isdisjoint(pieces[numbers[-1] + 1 : high])
        return set(numbers) if opened and closed else set()

    def _turn(self, said: Sequence[str], there: Sequence[str], more: bool) -> Iterator[str]:
        """The words of direction in whose place the quotation has others."""
        mine, theirs = DIRECTIONS.intersection(said), DIRECTIONS.intersection(there)
        if mine and theirs and not mine & theirs:
            yield min(mine)
        if "or" in said and "or" not in there:
            yield "or"
        if "and" in said and "or" in there and "and" not in there:
            yield "and"
        if not theirs and not more and mine - _LOOSE:
            yield min(mine - _LOOSE)
        if "by" in mine - theirs and not self._extra:
            yield "by"

    def _cut(self, gap: _Gap) -> Iterator[tuple[int, int]]:
        """The parts of the quotation in a gap: up to the end of a sentence or a clause in it, the sentences
        after it, and from the end of the last."""
        low, high = gap.there
        for place in range(low, high):
            if self._theirs.pieces[place] in _ENDS:
                yield low, place + 1
                low = place + 1
        if low < high:
            yield low, high

    def _drop(self, low: int, high: int, left: Sequence[int], said: Sequence[str]) -> tuple[int, int] | None:
        """From where to where the quotation may be cut between two places, so that what is ``left`` out there
        goes; None if it must stay."""
        all_pieces = self._theirs.pieces
        begins = low == 0 or all_pieces[low - 1] in _ENDS
        ends = high == len(all_pieces) or all_pieces[high - 1] in _ENDS
        if begins and ends:
            listed = all_pieces[high - 1] == ";" and (
                ":" in all_pieces[low:high] or _goes_on(all_pieces[high : high + 3])
            )
            if _goes_on(all_pieces[low : low + 3]) and all_pieces[low - 1] == ";":
                listed = listed or not ELEMENTS.isdisjoint(all_pieces[:low])
            return None if listed or all_pieces[low] in _TURNING_BACK else (low, high)
        if all(all_pieces[place] in ADVERBS for place in left) or self._is_asked(low, high, left):
            return left[0], left[-1] + 1
        if set(all_pieces[left[0] : high]) <= EPITHETS and self._is_named(high):
            return left[0], high
        if (places := self._find_alternative(low, high, left, said)) is not None:
            return places
        if begins:
            return self._drop_head(low, high, left[-1])
        if (second := self._find_second_verb(low, high, left)) is not None:
            return second
        while low < left[0] and (all_pieces[low][0].isdigit() or (said and all_pieces[low] == said[0])):
            low, said = low + 1, said[1:]
        if ends:
            return (low, high) if self._is_tail(low, all_pieces[low:high]) else None
        return self._drop_aside(low, high, left)

    def _is_named(self, place: int) -> bool:
        """Whether the name of somebody that the sentence says stands at a place."""
        named = (word for word in self._theirs.words if word.place == place)
        return place in self._aligned and any(_is_name(word, self._theirs) for word in named)

    def _find_second_verb(self, low: int, high: int, left: Sequence[int]) -> tuple[int, int] | None:
        """The first of two things that are said of one subject: "may refuse, and" before "must warn"."""
        pieces = self._theirs.pieces
        joined = [place for place in range(left[-1], high - 1) if pieces[place] == "and"]
        if pieces[low] not in AUXILIARIES or not joined or pieces[joined[0] + 1] not in AUXILIARIES:
            return None
        return None if _CUES.intersection(pieces[low:high]) else (low, joined[0] + 1)

    def _find_alternative(
        self, low: int, high: int, left: Sequence[int], said: Sequence[str]
    ) -> tuple[int, int] | None:
        """Where one of two stands that "or" joins, if what is so of either is so of each: of what is denied,
        and of what somebody may do."""
        pieces = self._theirs.pieces
        if pieces[left[0] - 1] == "or" or "or" in pieces[low : left[0]]:
            first, last = low + pieces[low : left[0]].index("or"), left[-1] + 1
            rest = pieces[last:high]
            ended = not rest or rest[0] in _ENDS
            apart = pieces[low:first] == (",",) and ended and "," not in pieces[first:last]
            alone = first == low and (len(left) == 1 if ended else rest == tuple(said))
            first, fits = (low, True) if apart else (first, alone)
        elif "or" in pieces[left[-1] : high]:
            first, last = left[0], high
            head, joined = pieces[low:first], left[-1] + 1 + pieces[left[-1] + 1 : high].index("or")
            # "of a thing or of another", "of a thing or another"
            repeated = head[len(head) - (high - joined - 1) :] == pieces[joined + 1 : high]
            plain = not (PREPOSITIONS - {"of"}).intersection(pieces[first:joined])
            same = pieces[high : high + 1] == (self._said_at.get(high, ""),)
            fits = repeated and plain and same and tuple(said) == head
        else:
            return None
        inside = pieces[first:last]
        if not fits or _CUES.intersection(inside) or (NEGATIONS | AUXILIARIES | _ENDS).intersection(inside):
            return None
        return (first, last) if self._is_so_of_each(first) else None

    def _is_so_of_each(self, place: int) -> bool:
        """Whether what stands at a place is denied once, or allowed, with nothing that turns or limits it."""
        pieces = self._theirs.pieces
        begin = max((at + 1 for at in range(place) if pieces[at] in _ENDS), default=0)
        before = pieces[begin:place]
        if not (_CUES | _RELATIVE).isdisjoint(before) or "whichever" in pieces:
            return False
        denials = [at for at, each in enumerate(before) if each in NEGATIONS]
        if denials:
            at = denials[0]
            plain = before[at] in ("not", "no") and before[max(0, at - 1)] in AUXILIARIES
            return len(denials) == 1 and (plain or (before[at] == "neither" and not at))
        if not _OF_EACH.isdisjoint(pairwise(before)):
            return True
        allowed = [at for at, each in enumerate(before) if each in AUXILIARIES]
        return (
            len(allowed) == 1
            and before[allowed[0]] in ("may", "can")
            and set(self._theirs.modals) == {"power"}
        )

    def _is_asked(self, low: int, high: int, left: Sequence[int]) -> bool:
        """Whether all that is left out stands in the question, and turns nothing there."""
        turning = (
            NEGATIONS.intersection(self._theirs.pieces[low:high])
            or self._asked.negations
            or self._mine.negations  # what is denied of a part is not denied of the whole
        )
        if (
            turning
            or not EMBEDDING.isdisjoint(self._theirs.pieces[low:high])
            or self._asked.pieces[-1:] != ("?",)
        ):
            return False
        return all(self._left[place].term in self._terms for place in left)

    def _drop_head(self, low: int, high: int, last: int) -> tuple[int, int] | None:
        """The beginning of a sentence, if the rest does not depend on it."""
        pieces = self._theirs.pieces
        before, after = pieces[low : last + 1], pieces[last + 1 : high]
        if "that" in after and not (after[0] == "," and EMBEDDING.intersection(before)):
            return None
        if LIMITING.intersection(after) or EMBEDDING.intersection(before + after):
            return None
        joined = [place for place, each in enumerate(after) if each in _JOINING]
        if (
            joined
            and (after[0] == "," or AUXILIARIES.intersection(before))
            and not LIMITING.intersection(before)
        ):
            return low, last + 2 + joined[0]
        return None

    def _is_tail(self, low: int, pieces: Sequence[str]) -> bool:
        """Whether the end of a sentence limits nothing before it."""
        first = pieces[0]
        if "," in pieces[1:] and self._only_conditions(low):
            return False  # what holds on the condition
        if "duty" in self._mine.modals and pieces[1:2] and pieces[1] in _WEIGHING:
            return False  # how it is to be done
        if first in _ASIDE or first == "and":
            if first == "," and pieces[1:2] and pieces[1] in AUXILIARIES:
                return False  # what the whole sentence says
            if self._mine.negations and not _is_clause(pieces):
                return False  # who denies less denies more
            if self._lists_elements(low, pieces):
                return False
            return first in (",", "and", "(") and not _limits(pieces, bool(self._mine.negations))
        if any(" ".join(pieces).startswith(each) for each in REASONS):
            return not self._mine.negations
        return first in (PREPOSITIONS if self._tells else ("from",)) and not LIMITING.intersection(pieces)

    def _only_conditions(self, low: int) -> bool:
        """Whether a sentence has nothing but a condition without a comma up to a place."""
        before = self._theirs.pieces[:low]
        begin = max((place + 1 for place, each in enumerate(before) if each in _ENDS), default=0)
        return "," not in before[begin:] and not _CONDITIONS.isdisjoint(before[begin : begin + 2])

    def _lists_elements(self, low: int, pieces: Sequence[str]) -> bool:
        """Whether the end of a sentence goes on with what must all be shown, be so, or belongs together."""
        before = self._theirs.pieces[:low]
        begin = max((place + 1 for place, each in enumerate(before) if each in _ENDS), default=0)
        if "and" not in pieces[:2] or _is_further_duty(pieces[1:]):
            return "and" in pieces and not ELEMENTS.isdisjoint(before[begin:]) and not _is_clause(pieces)
        joined = pieces[pieces.index("and") + 1 :]
        if joined[:1] and joined[0] in _SUBORDINATE:
            return not (ELEMENTS | _CONDITIONS).isdisjoint(before[begin:])
        if not _DUTIES.isdisjoint(joined):
            return False  # another rule
        commas = [
            at for at in range(begin, low) if before[at] == "," and AUXILIARIES.intersection(before[at:])
        ]
        if not _CONDITIONS.isdisjoint(before[begin + 1 :]) or not _NARROWING.isdisjoint(
            before[commas[-1] if commas else begin :]
        ):
            return True
        listed = joined[:1] and joined[0] not in PREPOSITIONS and AUXILIARIES.isdisjoint(joined)
        shown = any(one in ELEMENTS and other == "that" for one, other in pairwise(before[begin:]))
        return shown or bool(listed and not ELEMENTS.isdisjoint(before[begin:]))

    def _drop_aside(self, low: int, high: int, left: Sequence[int]) -> tuple[int, int] | None:
        """What stands between two places: an aside, or where and when something happened."""
        pieces = self._theirs.pieces
        opening = [place for place in range(low, left[0]) if pieces[place] in _ASIDE]
        closing = [place for place in range(left[-1], high) if pieces[place] in _ASIDE]
        if opening and closing:
            commanded = "duty" in self._mine.modals
            if pieces[opening[-1] + 1].endswith(("ing", "ed")) and not _CUES.isdisjoint(pieces[:low]):
                return None  # "if a party, knowing of it, …"
            return (
                None
                if _limits(pieces[opening[-1] : closing[0]], not commanded)
                else (opening[-1], closing[0] + 1)
            )
        starts = pieces[low] in PREPOSITIONS or self._left[left[0]].written[:1].isupper()
        stops = PREPOSITIONS | _ASIDE
        if self._tells and starts and stops.intersection(pieces[left[-1] + 1 : high]):
            return None if LIMITING.intersection(pieces[low:high]) else (left[0], left[-1] + 1)
        return None

    def _is_pointed_to(self, gap: _Gap, extra: Sequence[Word]) -> bool:
        """Whether the words stand where the quotation has a pronoun, or "this" before a noun."""
        there = self._theirs.pieces[gap.there[0] : gap.there[1]]
        said = self._mine.pieces[gap.said[0] : gap.said[1]]
        if not POINTING.intersection(there) or POINTING.intersection(said):
            return False
        if any(place in self._left for place in range(*gap.there)):
            return False
        if self._is_expletive(gap):
            return False
        before = {word.term for word in self._theirs.words if word.place < gap.there[0]}
        known = self._known
        if not _PERSONAL.isdisjoint(there):
            # What "it" stands for goes before: "it is lawful under the custom".
            known = known - (
                {word.term for word in self._theirs.words if word.place >= gap.there[1]} - before
            )
        return all(word.term in known or word.term in before for word in extra)

    def _replaces_pronoun(self, gap: _Gap) -> bool:
        """Whether a sentence begins with other words than "it", and leaves out nothing else there."""
        there = self._theirs.pieces[slice(*gap.there)]
        said = self._mine.pieces[slice(*gap.said)]
        left = any(place in self._left for place in range(*gap.there))
        return (
            gap is self._gaps[0]
            and not left
            and not _PERSONAL.isdisjoint(there)
            and _PERSONAL.isdisjoint(said)
        )

    def _is_expletive(self, gap: _Gap) -> bool:
        """Whether an "it" in a gap stands for what follows: "it is not a breach to deviate"."""
        for place in range(*gap.there):
            rest = self._theirs.pieces[place + 1 :]
            end = next((at for at, each in enumerate(rest) if each in _ENDS), len(rest))
            following = rest[: end if rest[:1] in (("is",), ("was",)) else 9]
            if following[1:2] and following[1] in _OF_SOMEBODY:
                continue
            if self._theirs.pieces[place] == "it" and following[:1] and following[0] in AUXILIARIES:
                return "to" in following or "that" in following
        return False

    def _may_add(self, gap: _Gap, extra: Sequence[Word]) -> bool:
        """Whether added words are those of the quotation in another order, of what happened once; or narrow
        what is said of anything of a kind."""
        have = {word.term for word in self._theirs.words}
        named = self._moves or (self._tells and all(word.written[:1].isupper() for word in extra))
        if named and all(word.term in have for word in extra):
            return True
        there = self._theirs.pieces[gap.there[0] : gap.there[1]]
        general = self._mine.modals or _PRESENT.intersection(self._mine.said)
        if (
            not general
            or not all(word.term in self._terms for word in extra)
            or gap.said[1] != extra[-1].place + 1
        ):
            return False
        before = self._theirs.pieces[: gap.there[1]]
        last = max((place for place, each in enumerate(before) if each in _ENDS), default=-1)
        subject = not AUXILIARIES.intersection(before[last + 1 :]) or before[-2:-1] == ("that",)
        return subject and (not there or there[-1] in _ANY or not set(there) - _ENDS)


def _goes_on(pieces: Sequence[str]) -> bool:
    """Whether a part behind a semicolon is a further one of what was announced: "; and that he …"."""
    words = pieces[1:] if pieces[:1] == ("and",) else pieces
    return bool(words[:1] and words[0] in _LISTING and words[1:2] and words[1] not in AUXILIARIES)


def _is_clause(pieces: Sequence[str]) -> bool:
    """Whether the end of a sentence says something by itself: ", and the master must …", ", which must …"."""
    joined = any(each in _JOINING for each in pieces[:2]) and not AUXILIARIES.isdisjoint(pieces)
    return joined or (pieces[0] == "," and _is_further_duty(pieces[1:]))


def _is_further_duty(pieces: Sequence[str]) -> bool:
    """Whether a part lays another duty on what stands before it: consent, "which must not be withheld"."""
    return pieces[:1] == ("which",) and not {*pieces[1:2]}.isdisjoint(("must", "shall", "can"))


def _limits(pieces: Sequence[str], either: bool) -> bool:
    """Whether a part that a comma or "and" begins limits what stands before it; ``either`` says that what is
    so of one of two things is so of each."""
    words = [each for each in pieces if each not in _ASIDE]
    if not words:
        return False
    if is_attribution(words):
        return True
    if words[:2] in (["even", "if"], ["even", "though"]):
        words = ["and", *words[2:]]
    if words[0] in LIMITING | _TURNING_BACK | _WITH_WHAT_MIND or (words[0] == "or" and not either):
        return True
    if _is_further_duty(tuple(words)):
        return False
    # A condition of another clause begins right behind "and".
    inner = words[2:] if words[0] == "and" and words[1:2] != ["only"] else words[1:]
    turned = next((at for at, each in enumerate(inner) if each in NEGATIONS), len(inner))
    other = words[0] == "and" and AUXILIARIES.intersection(words[: turned + len(words) - len(inner)])
    return bool(LIMITING.intersection(inner) or (turned < len(inner) and not other))


def _tells(sentence: Reading, quotation: Reading) -> bool:
    """Whether a sentence tells what somebody with a name did, rather than what is so of all of a kind."""
    past = any(each in IRREGULAR or each in _PAST or each.endswith("ed") for each in sentence.said)
    general = sentence.modals or sentence.negations or sentence.said & _PRESENT
    return bool(past and not general and any(_is_name(word, quotation) for word in quotation.words))


def _is_name(word: Word, reading: Reading) -> bool:
    inside = word.place and reading.pieces[word.place - 1] not in _ENDS
    folded = word.written.casefold()
    return bool(inside) and word.written[:1].isupper() and folded not in NAMELESS | PARTIES | _OFFICES
