"""Resolve the mentions of a text, and carry over what an edit cannot change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexls.citations.footnotes import Footnotes
from lexls.citations.found_mentions import FoundMentions
from lexls.citations.reading_order import ReadingOrder
from lexls.citations.resolve import resolve
from lexls.citations.steps import FullStep, MentionStep, NamedStep, Resolved
from lexls.text.spans import Span

_FEW = 8
"""Paragraphs that an edit changes, at most, for what was resolved to be carried over."""


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """How the mentions of each paragraph are to be read, and the antecedent of each citation (-1: none).

    ``asked`` are the names that were looked for in the paragraphs before an unknown one. ``carried`` says
    that all but the readings of the paragraphs that changed is from before an edit.
    """

    found: Sequence[FoundMentions]
    notes: Footnotes
    resolved: tuple[tuple[Resolved | None, ...], ...]
    antecedents: tuple[int, ...]
    asked: frozenset[str]
    carried: bool = False


def resolve_text(
    found: Sequence[FoundMentions],
    starts: Sequence[int],
    notes: Mapping[str, Span],
    order: ReadingOrder,
    before: ResolvedText | None = None,
) -> ResolvedText:
    """Resolve the mentions of a text.

    ``starts`` are the offsets of the paragraphs in the text, ``notes`` the spans of its footnotes by number,
    ``order`` is how its paragraphs are read. ``before`` is what was resolved before an
    edit, which is carried over if that comes to the same.
    """
    footnotes = Footnotes(found, starts, notes, order)
    carried = _carried(before, found, footnotes) if before is not None else None
    if carried is not None:
        return carried
    return ResolvedText(found, footnotes, *resolve(found, footnotes), frozenset(footnotes.asked))


def _carried(before: ResolvedText, found: Sequence[FoundMentions], notes: Footnotes) -> ResolvedText | None:
    """The resolution before an edit for the text behind it, None if the edit may change it."""
    if len(found) != len(before.found):
        return None
    changed = [number for number, new in enumerate(found) if new is not before.found[number]]
    if len(changed) > _FEW or not notes.alike(before.notes, frozenset(changed)):
        return None
    resolved = list(before.resolved)
    for number in changed:
        old, new = before.found[number], found[number]
        if old.effect is None or old.effect != new.effect:
            return None
        if any(word in old.words or word in new.words for word in before.asked):
            return None
        how = _again(before.resolved[number], old, new)
        if how is None:
            return None
        resolved[number] = how
    return ResolvedText(found, notes, tuple(resolved), before.antecedents, before.asked, carried=True)


def _again(
    resolved: Sequence[Resolved | None], old: FoundMentions, new: FoundMentions
) -> tuple[Resolved | None, ...] | None:
    """The same readings for the mentions of another paragraph with the same effect."""
    again: list[Resolved | None] = [None] * len(resolved)
    for one, other in zip(old.steps, new.steps, strict=True):
        if not isinstance(one, MentionStep) or not isinstance(other, MentionStep):
            continue
        each = resolved[one.around.place]
        if each is None:
            continue
        if isinstance(one, FullStep) and isinstance(other, FullStep) and each is one.plain:
            each = other.plain
        elif each.form == "supra" and each.source is None:
            return None
        elif each.tail is not None and isinstance(one, NamedStep) and isinstance(other, NamedStep):
            each = each._replace(tail=other.tails[one.tails.index(each.tail)])
        again[other.around.place] = each
    return tuple(again)
