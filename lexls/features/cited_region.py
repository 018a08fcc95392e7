"""The piece of a draft's source that a citation is replaced in: its marks of emphasis included."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from lexls.citations.escaping import ITALICS
from lexls.citations.insert import detect_style
from lexls.citations.styles.courts import WRITTEN_COURT
from lexls.features.snapshot import Draft
from lexls.text.markup import mask
from lexls.text.spans import Span

_SPACING = re.compile(r"(\s+|~)")
_SIGNS = re.compile(r"[.,]")


def whole(draft: Draft, span: Span) -> Span | None:
    """``span`` with the marks of emphasis that open right before it and close right behind.

    None if the marks inside do not match: then it cannot be replaced by itself.
    """
    source = draft.source
    start, end = span.start, span.end
    grown = True
    while grown:
        grown = False
        for opening, closing in ITALICS:
            if source.endswith(opening, 0, start) and not draft.masked[start - len(opening) : start].strip():
                inside = source[start:end]
                if closing in inside or source.startswith(closing, end):
                    start -= len(opening)
                    if closing not in inside:
                        end += len(closing)
                    grown = True
                    break
        if not grown:
            for _, closing in ITALICS:
                inner = source[start:end]
                if (
                    source.startswith(closing, end)
                    and not draft.masked[end : end + len(closing)].strip()
                    and not _balanced(inner)
                ):
                    end += len(closing)
                    grown = True
                    break
    if any(source.count(each[0], start, end) != source.count(each[1], start, end) for each in ("()", "[]")):
        return None
    if source[end - 1 : end].isalnum() and source[end : end + 1].isalnum():
        return None  # words that have run together
    piece = source[start:end]
    if not _balanced(piece) or " ".join(mask(piece, draft.markup).split()) != " ".join(
        draft.masked[start:end].split()
    ):
        return None
    return Span(start, end)


def with_spacing_of(old: str, new: str) -> str:
    """``new`` with the line ends and ties of ``old`` between the words that follow one another in both."""
    pieces = _SPACING.split(old)
    words, gaps = pieces[::2], pieces[1::2]
    fresh = new.split(" ")
    before: dict[int, int] = {}
    # A word is the same with and without a stop or comma.
    bare, fresh_bare = ([_SIGNS.sub("", word) for word in each] for each in (words, fresh))
    for block in SequenceMatcher(None, bare, fresh_bare, autojunk=False).get_matching_blocks():
        before.update({block.b + step: block.a + step for step in range(block.size)})
    text = fresh[0]
    for number in range(1, len(fresh)):
        left, right = before.get(number - 1), before.get(number)
        kept = left is not None and right == left + 1
        text += (gaps[left] if kept and left is not None else " ") + fresh[number]
    return text


def _balanced(text: str) -> bool:
    return (
        text.count("{") == text.count("}")
        and text.replace("\\*", "").count("*") % 2 == 0
        and len(re.findall(r"(?<![\\\w])_|(?<!\\)_(?!\w)", text)) % 2 == 0
    )


def italic_of(draft: Draft, region: Span, *, local: bool = False) -> tuple[str, str] | None:
    """The marks of italics that the citation has already, else those that the draft is seen to use.

    With ``local`` only the citation itself is looked at; one without italics stays so.
    """
    text = region.of(draft.source)
    for opening, closing in ITALICS:
        at = text.find(opening)
        if at >= 0 and closing in text[at + len(opening) :] and not draft.masked[region.start + at].strip():
            return opening, closing
    if local:
        return "", ""
    habit = draft.once("style", lambda: detect_style(draft.masked, draft.source, draft.citations))
    return habit.italic if habit.italic is not None and any(habit.italic) else None


def with_tail(draft: Draft, region: Span, text: str) -> Span:
    """The region with what stands behind it already of the brackets that the new text ends in: " (HL)"."""
    for at in (text.rfind(" ("), text.find(" (")):
        tail = text[at:] if at >= 0 else ""
        if tail and draft.source.startswith(tail, region.end) and not region.of(draft.source).endswith(tail):
            return Span(region.start, region.end + len(tail))
    written = WRITTEN_COURT.match(draft.source, region.end)
    if written is not None and f"({written['court']})" in text:
        return Span(region.start, written.end())
    return region
