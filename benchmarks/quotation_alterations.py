"""Changes that make one correct quotation of a draft wrong, and what is said of an authority."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from alterations import NUMBER, Alteration, Altered, Base, Kind, choose
from quotation_edits import MODALS, modal_swapped, negation_dropped, number_changed, reordered
from sentence_edits import TURNED, Edit, foreign_word, itself, negation_added, word_added

from lexls.text.spans import Span

_WORDS = ("misquotation", "quotation-wording", "quotation-altered", "quotation-spelling")


def _quotation(change: Callable[[str, random.Random, Sequence[str]], str | None]) -> Alteration:
    def alter(base: Base, chance: random.Random) -> Altered | None:
        for each in chance.sample(list(base.quoted), len(base.quoted)):
            said = each.span.of(base.source)
            text = change(said, chance, base.words)
            if text is not None and text != said:
                return Altered(each.span, text, each.span)
        return None

    return alter


def word_changed(quotation: str, chance: random.Random, others: Sequence[str]) -> str | None:
    return foreign_word(quotation, chance, others)


def words_left_out(quotation: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """One to three words less, and nothing that says so."""
    words = quotation.split(" ")
    length = chance.randint(1, 3)
    if len(words) < length + 6:
        return None
    place = chance.randrange(2, len(words) - length - 2)
    if not any(word.isalpha() and len(word) > 4 for word in words[place : place + length]):
        return None
    return " ".join(words[:place] + words[place + length :])


def may_for_shall(quotation: str, chance: random.Random, others: Sequence[str]) -> str | None:
    return modal_swapped(quotation, chance, others) if set(quotation.split()) & set(MODALS) else None


def quotation_moved(base: Base, chance: random.Random) -> Altered | None:
    """Words of another authority stand where this one's stood, which nothing cited in the paragraph has."""
    pairs = [
        (one, other)
        for one in base.quoted
        for other in base.quoted
        if one.authority.id != other.authority.id and one.span != other.span
    ]
    for one, other in chance.sample(pairs, len(pairs)):
        words = other.span.of(base.source)
        if not any(base.has(each, words) for each in base.cited_beside(one.span)):
            return Altered(one.span, words, one.span)
    return None


def quotation_pinpoint(base: Base, chance: random.Random) -> Altered | None:
    """Another place of the same authority, which it has, beside a quotation."""

    def made() -> Iterator[Altered]:
        for each in base.quoted:
            citation = each.resolution.citation
            pinpoint = citation.pinpoint
            if pinpoint is None or pinpoint.kind not in ("page", "paragraph"):
                continue
            labels = base.library.contents.list_labels(each.authority.id, pinpoint.kind)
            found = NUMBER.search(base.source, pinpoint.span.start, pinpoint.span.end)
            if found is None or found[0] not in labels:
                continue
            far = [one for one in labels if one.isdigit() and abs(int(one) - int(found[0])) > 2]
            if far:
                span = Span(*found.span())
                around = Span(
                    min(each.span.start, citation.span.start), max(each.span.end, citation.span.end)
                )
                yield Altered(span, chance.choice(far), around, found[0])

    return choose(chance, made())


QUOTATIONS: Mapping[str, Kind] = {
    "quotation: word changed": Kind(_quotation(word_changed), _WORDS),
    "quotation: negation dropped": Kind(_quotation(negation_dropped), _WORDS),
    "quotation: negation added": Kind(_quotation(negation_added), _WORDS),
    "quotation: word inserted": Kind(_quotation(word_added), _WORDS),
    "quotation: words left out": Kind(_quotation(words_left_out), _WORDS),
    "quotation: two words swapped": Kind(_quotation(reordered), _WORDS),
    "quotation: number changed": Kind(_quotation(number_changed), _WORDS),
    "quotation: modality changed": Kind(_quotation(may_for_shall), _WORDS),
    "quotation: of another authority": Kind(quotation_moved, _WORDS),
    "quotation: wrong pinpoint": Kind(quotation_pinpoint, (), ("pinpoint-elsewhere",)),
}
_NEGATED = ("negation added", "negation dropped")
HOLDINGS: Mapping[str, Sequence[Edit]] = {
    "holding negated": [TURNED[each] for each in _NEGATED],
    "holding turned": [edit for name, edit in TURNED.items() if name not in _NEGATED],
    "authority of another topic": [itself],
}
"""What is done to a sentence that an authority bears out; the last is put beside another authority."""
