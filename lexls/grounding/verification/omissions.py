"""Find what a sentence omits from its quotation, or adds to it, so that its meaning changes.

A sentence rests on a quotation if it only omits parts that neither limit nor reverse the rest, and only adds
what the quotation refers to ("it", "this Agreement"). Short connectives ("who", a full stop, "and it",
"would") must not be omitted, and must not be added where they would join what the quotation keeps apart.
Provisions in one list belong together. The Act after a provision may be omitted. The provision under which a
party applies to the court may be omitted too, unless the question asks about another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lexls.grounding.verification.additions import find_added
from lexls.grounding.verification.clauses import locate_pieces, read_clauses
from lexls.grounding.verification.cuts import find_cut, find_numbers_aside, list_framed
from lexls.grounding.verification.gaps import (
    ASIDE,
    CUES,
    ENDS,
    JOINING,
    RELATIVE,
    Alignment,
    Gap,
    find_missing_items,
    lay_beside,
)
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
    NEGATIONS,
    PREPOSITIONS,
    PROCEEDINGS,
)
from lexls.retrieval.relevance import Tokens
from lexls.text.dates import find_mentioned_dates
from lexls.text.lexicon import split_words
from lexls.text.spans import Span
from lexls.wording.prose import remove_label

_PARTING = ENDS | ASIDE | JOINING | {"or"}
_ALL = frozenset(("all", "every", "each"))
_DANGLING = split_words("and or but the a an when how as than which who whose if unless because")
"""Words that cannot end a sentence."""
_SPACES = re.compile(r"[ \t]{2,}")
_LISTED = re.compile(r"[(\[]\s?\d{1,4}\s?[)\]]")
"""Match the number of a list item, which does not count as a number stated by the quotation."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a sentence is derived from its quotation.

    ``dropped`` are the places of the quotation's omitted pieces. ``lost`` are omitted words that limit or
    reverse the rest, and ``added`` the added words. ``pointed`` are terms that replace a pronoun of the
    quotation.
    """

    dropped: frozenset[int]
    lost: tuple[str, ...]
    added: tuple[str, ...]
    pointed: frozenset[str]


def derive(
    sentence: str, quotation: str, question: str, around: str, tokens: Tokens
) -> tuple[Derivation, str]:
    """Return how ``sentence`` is derived from ``quotation``, and the part of the quotation that it keeps.

    It may replace a pronoun with words of the ``question`` that also occur ``around`` the quotation, and omit
    the quotation's framing words.
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
    """Return how ``sentence`` is derived from ``quotation`` as written, and the part of the quotation that it
    keeps.
    """
    sentence = remove_label(sentence)
    dates = find_mentioned_dates(sentence)
    told = [
        each for each in find_mentioned_dates(quotation) if any(date.is_supported_by(each) for date in dates)
    ]
    application = find_application(quotation, sentence)
    kept_back = application is not None and not is_asked_for(application, question)
    if application is not None and not kept_back:
        quotation = _blank(quotation, [Span(*application.span())])
    lost = list(find_missing_provisions(sentence, quotation))
    if application is not None and kept_back:
        lost.append(application[1])
    sentence = remove_provisions(_blank(sentence, [each.span for each in dates]))
    quotation = remove_provisions(_blank(quotation, [each.span for each in told]))
    sentence, quotation = remove_acts(sentence, quotation), remove_acts(quotation, sentence)
    mine, theirs = read_clauses(sentence, tokens), read_clauses(quotation, tokens)
    alignment = lay_beside(mine, theirs, read_clauses(question, tokens), frozenset(tokens(around)))
    derivation = _compare(alignment)
    pieces = locate_pieces(quotation)
    kept = _SPACES.sub(" ", _blank(quotation, [pieces[place] for place in derivation.dropped]))
    joints = find_lost_joints(alignment)
    numbers = () if alignment.tells else _find_missing_numbers(sentence, kept)
    return replace(derivation, lost=(*derivation.lost, *joints, *numbers, *lost)), kept


def _blank(text: str, spans: Sequence[Span]) -> str:
    """Return ``text`` with ``spans`` replaced by spaces."""
    for span in spans:
        text = f"{text[: span.start]}{' ' * len(span)}{text[span.end :]}"
    return text


def _find_missing_numbers(sentence: str, kept: str) -> Iterator[str]:
    """Yield the numbers in the kept part of the quotation that the sentence does not state."""
    said = {each.value for each in find_numbers(sentence)}
    there = _LISTED.sub(" ", kept)
    return (each.span.of(there).strip() for each in find_numbers(there) if each.value not in said)


def _compare(alignment: Alignment) -> Derivation:
    """Compare the texts gap by gap and as a whole. Returns what the sentence drops, loses and adds, and what
    it puts in place of pronouns.
    """
    quotation = alignment.quotation
    lost: dict[str, None] = {}
    added: dict[str, None] = {}
    dropped: set[int] = set()
    pointed: set[str] = set()
    for gap in alignment.gaps:
        said = alignment.read_said(gap)
        words, terms = find_added(alignment, gap)
        added |= dict.fromkeys(words)
        pointed |= terms
        lost |= dict.fromkeys(_find_run_together(alignment, gap))
        for low, high in _cut(quotation.pieces, gap):
            left = alignment.list_left(low, high)
            if not left:
                lost |= dict.fromkeys(() if terms else _find_missed(alignment, low, high, said))
                dropped |= find_numbers_aside(quotation.pieces, low, high, said)
            elif places := find_cut(alignment, low, high, left, said):
                dropped |= set(range(*places))
            else:
                cues = [each for each in quotation.pieces[low:high] if each in CUES or each in NEGATIONS]
                lost |= dict.fromkeys(cues or [alignment.left[left[0]].written])
    last = next((each for each in reversed(alignment.sentence.pieces) if each not in ASIDE | ENDS), "")
    if last in _DANGLING:
        added[last] = None
    lost |= dict.fromkeys(find_missing_items(alignment))
    if not alignment.said_at:
        lost = dict.fromkeys(word.written for word in quotation.words)
    return Derivation(frozenset(dropped), tuple(lost), tuple(added), frozenset(pointed))


def _find_run_together(alignment: Alignment, gap: Gap) -> Iterator[str]:
    """Yield the last piece of a gap if the sentence runs two clauses together there, so that the verb of one
    follows the subject of the other. Also yield an omitted "by".
    """
    first, last = alignment.gaps[0], alignment.gaps[-1]
    said, there = alignment.read_said(gap), alignment.read_there(gap)
    if gap not in (first, last) and not ENDS.isdisjoint(there) and _PARTING.isdisjoint(said):
        yield from there[-1:]
    if gap is first or alignment.list_left(*gap.there) or (alignment.moves and alignment.extra):
        return
    if there[:1] == ("by",) and said[:1] != ("by",):
        yield "by"  # "was paid by" is not "was paid"


def _cut(pieces: Sequence[str], gap: Gap) -> Iterator[tuple[int, int]]:
    """Split the quotation's part of a gap at the ends of sentences and clauses, and yield the range of each
    piece.
    """
    low, high = gap.there
    for place in range(low, high):
        if pieces[place] in ENDS:
            yield low, place + 1
            low = place + 1
    if low < high:
        yield low, high


def _find_missed(alignment: Alignment, low: int, high: int, said: Sequence[str]) -> Iterator[str]:
    """Yield the omitted words between two places that limit the statement or say how many things it applies
    to.
    """
    denied = bool(alignment.sentence.negations)
    for piece in alignment.quotation.pieces[low:high]:
        if piece not in said and (piece in CUES or piece in COUNTING or (denied and piece in _ALL)):
            yield piece


_DETERMINERS = split_words("the a an any every each no some such this these those his her its their all")
_SUBJECTS = _DETERMINERS | split_words(
    "he she it they we i you one there if when where in on at by for to of as"
)
"""Words that begin a clause after "that" or "which" if it has its own subject."""
_BEING = split_words("is are was were be being been")
_STOPS = frozenset(";?!")
_JOINING = frozenset((*";?!.:,—–()", "and", "but", "or", "so", "yet", "nor", "while", "whereas"))
_PRONOUNS = split_words("it he she they this that these those")
_FACT = split_words("is are will shall must was were")
"""Verbs of fact, which may not replace "would"."""
_SHORTEST_END = 4
"""Minimum number of letters in a word before a full stop that ends a sentence; a shorter one may be an
abbreviation.
"""


def find_lost_joints(alignment: Alignment) -> Iterator[str]:
    """Yield the function words and punctuation of the quotation whose omission changes the sentence's
    meaning.
    """
    quotation = alignment.quotation
    alone = {word.place for word in quotation.words if word.place not in alignment.said_at}
    for gap in alignment.gaps[:-1]:
        low, high = gap.there
        said, there = alignment.read_said(gap), alignment.read_there(gap)
        left = [place for place in range(low, high) if place in alone]
        if RELATIVE.isdisjoint(said):
            verb = alignment.sentence.pieces[gap.said[1]]
            yield from _find_lost_relative(quotation.pieces, low, high, left, verb, said)
        if low and _JOINING.isdisjoint(said) and RELATIVE.isdisjoint(said):
            yield from _find_welded(quotation.pieces, low, high, bool(left))
        if "would" in there and not _FACT.isdisjoint(said) and not {"would", "should"}.intersection(said):
            yield "would"


def _find_lost_relative(
    pieces: Sequence[str], low: int, high: int, left: Sequence[int], verb: str, said: Sequence[str]
) -> Iterator[str]:
    """Yield an omitted "who" or "which" before ``verb``. Without it, the sentence asserts what the quotation
    only uses as a description.
    """
    for place in range(max(low, 1), high):
        relative, before = pieces[place], pieces[place - 1]
        if relative not in RELATIVE or not ADVERBS.issuperset(pieces[each] for each in left if place < each):
            continue
        if before in PREPOSITIONS and relative != "that":
            yield relative
            continue
        behind = [each for each in pieces[place + 1 : high] if each not in ADVERBS]
        if before == "," or not _SUBJECTS.isdisjoint(behind[:1]) or relative in ("whom", "whose"):
            continue
        helping = [each for each in behind if each in AUXILIARIES]
        described = helping or not _DETERMINERS.isdisjoint(pieces[max(place - 4, 0) : place])
        if relative == "that" and (not described or min(left, default=place) < place):
            continue
        if not _is_reduced(verb, helping, said):
            yield relative


def _is_reduced(verb: str, helping: Sequence[str], said: Sequence[str]) -> bool:
    """Return whether the verb is still a description without its relative pronoun: "the bales [that were]
    lost".
    """
    return (not _BEING.isdisjoint(helping) and AUXILIARIES.isdisjoint(said)) or (
        verb.endswith("ing") and not helping
    )


def _find_welded(pieces: Sequence[str], low: int, high: int, left: bool) -> Iterator[str]:
    """Yield what separates two clauses: punctuation, and "and" or "but" before another subject. The
    conjunctions are yielded only if no other word is omitted there (``left`` is false).
    """
    for place in range(low, high):
        piece = pieces[place]
        full = piece == "." and len(pieces[place - 1]) >= _SHORTEST_END and pieces[place - 1].isalpha()
        if piece in _STOPS or full:
            yield piece
        apart = pieces[place - 1] == "," or pieces[place + 1] in _PRONOUNS
        if apart and piece in ("and", "but") and not left:
            yield piece


_ACT = re.compile(
    r"\b(?:of|in|under) the (?:(?:[A-Z][\w’']+|and|of) ){1,8}(?:Act|Code|Rules|Regulations|Constitution)"
    r"\b(?: \d{4})?"
)
_APPLICATION = re.compile(
    rf"(?:On|In|For|Upon) (?:an?|any|the|every) ({'|'.join(sorted(PROCEEDINGS))}) (?:brought |made )?under "
    r"(?:section|s\.|rule|article|regulation|clause|paragraph|order) \d+[\w()]*"
    r"(?: of (?:the (?:[A-Z][\w’']+ ){1,6}(?:Act|Code|Rules|Regulations)(?: \d{4})?|this Act))?,? ",
)
"""Match an opening that names the provision under which a party applies to the court; group 1 is the type of
proceedings.
"""
_LIST = re.compile(r"\s?(?:,|;|\band\b|,\s?and\b)\s?")


def find_missing_provisions(sentence: str, quotation: str) -> tuple[str, ...]:
    """Return the provisions that ``sentence`` omits from a list in ``quotation`` although it names others of
    the list: section 9, if it has "sections 4 and 5" for "sections 4, 5 and 9".
    """
    said = find_provisions(sentence)
    lists: list[list[Provision]] = []
    for each in find_provisions(quotation) if said else ():
        if lists and _LIST.fullmatch(quotation, lists[-1][-1].span.end, each.span.start):
            lists[-1].append(each)
        else:
            lists.append([each])
    missed: list[str] = []
    for listed in lists:
        left = [each for each in listed if not any(each.path == other.path for other in said)]
        missed += [each.span.of(quotation) for each in left if len(left) < len(listed)]
    return tuple(missed)


def find_application(quotation: str, sentence: str) -> re.Match[str] | None:
    """Match the opening of ``quotation`` that only names the provision under which a party applies to the
    court. Returns None if there is none, or if ``sentence`` has such an opening too.
    """
    return None if _APPLICATION.match(sentence) else _APPLICATION.match(quotation)


def is_asked_for(application: re.Match[str], question: str) -> bool:
    """Return whether the question concerns this application: ``question`` mentions no provision or
    proceedings other than those in ``application``, a match of ``find_application``.
    """
    named = find_provisions(application.group())
    asked = {each.removesuffix("s") for each in question.casefold().rstrip("?.").split()} & PROCEEDINGS
    known = (any(each.is_named_by(other) for other in named) for each in find_provisions(question))
    return asked <= {application[1].casefold()} and all(known)


def remove_acts(text: str, other: str) -> str:
    """Return ``text`` without the Acts that follow its provisions, except those that ``other`` names too."""
    return _ACT.sub(lambda match: match.group() if match.group() in other else "", text)
