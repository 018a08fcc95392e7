"""Parse a quotation as its author marked it up, into words, ellipses and brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from lexls.quotations.vocabulary import EDITORIAL, WORD, normalize
from lexls.text.blanking import LINE
from lexls.text.spans import Span

ItemKind = Literal["word", "bracket", "ellipsis"]

_ELLIPSIS = (
    r"\[\s{0,3}(?:…|(?:\.\s{0,3}){2,6}|(?:\*\s{0,3}){1,6})\s{0,3}\]"
    r"|…|(?:\.[ \t\n\r\u00a0]{0,3}){2,8}|(?:\*[ \t\n\r]{0,3}){2,8}"
    r"|\b[Xx]x{0,4}(?:[ \t\n]{1,3}x{1,5}){1,7}\b|(?<=[a-z])_(?=[A-Z])|\bX{1,5}(?:[ \t\n]{1,3}X{1,5}){2,7}\b"
)
_INSIDE = r"\[\s{0,2}[^\W\d_]{0,20}\s{0,2}\]"
_PARTIAL = rf"[^\W\d_]+(?:{_INSIDE}[^\W\d_]*)+|(?:{_INSIDE}[^\W\d_]+)+(?:{_INSIDE})?"
# "(T)he" for "[T]he".
_ROUND = r"(?<!\w)\([A-Z]\)[a-z]+"
# "th[e Copyright]": a bracket that begins within a word replaces the whole word.
_BRACKET = r"(?:[^\W\d_]{1,20}(?=\[[^\W\d_]{1,20}\s))?\[[^\[\]]{0,400}\](?:['’]s\b)?"
# Broken brackets in scanned words: "[tjhe", "[therefore", "determinfed]", "ft]he".
_BROKEN = r"\[[^\W\d_]+(?!\w|\s{0,2}\]|[^\[\]]{0,400}\])|(?<!\w)[^\W\d_]+\](?:(?<=\w{2}\])[a-z]+)?"
_ITEM = re.compile(
    rf"(?P<ellipsis>{_ELLIPSIS})|(?P<partial>{_PARTIAL}|{_ROUND})|(?P<bracket>{_BRACKET})|(?P<broken>{_BROKEN})|(?P<word>{WORD})"
)
_DIVIDED = re.compile(rf"\u00ad(?:[ \t{LINE}]?\r?\n?[ \t]{{0,400}}(?=[a-z]))?")
_ANYTHING = r"\w+"
_BRACKETED = re.compile(_INSIDE)
_ANY_WORD = re.compile(WORD)


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a quotation: a word, an ellipsis or a bracket. ``span`` is in code points of the quotation's
    text. ``norm`` is a word's normal form without brackets: "[t]he" is "the". For a word with brackets,
    ``pattern`` matches the words that the original may have. For a bracket that replaces words, ``words``
    are the normal forms of the words in it.
    """

    kind: ItemKind
    span: Span
    norm: str = ""
    pattern: re.Pattern[str] | None = None
    words: tuple[str, ...] = ()

    @property
    def any_word(self) -> bool:
        """True if the original may be any word, since half of this word's bracket is missing."""
        return self.pattern is not None and self.pattern.pattern == _ANYTHING

    def same(self, word: str) -> bool:
        """Return whether the item may represent ``word`` of the original."""
        return word == self.norm or (self.pattern is not None and self.pattern.fullmatch(word) is not None)


def read_items(text: str) -> tuple[Item, ...]:
    """Return the items of a quotation's text. Editorial notes ("[sic]") are omitted."""
    if "\u00ad" in text:
        return _without_soft_hyphens(text)
    notes = [match.span() for match in EDITORIAL.finditer(text)]
    if notes:
        for start, end in notes:
            text = text[:start] + " " * (end - start) + text[end:]
    found: list[Item] = []
    for match in _ITEM.finditer(text):
        kind = match.lastgroup
        span = Span(match.start(), match.start() + len(match.group().rstrip()))
        if kind == "word":
            norm = normalize(match.group())
            if norm:
                found.append(Item("word", span, norm))
        elif kind == "partial":
            found.append(_partial(match.group(), span))
        elif kind == "broken":
            # Any word matches, since half of the bracket is missing.
            found.append(Item("word", span, normalize(match.group()), re.compile(_ANYTHING)))
        elif kind == "bracket":
            whole = match.group() if match.group()[0] == "[" else match.group().replace("[", "", 1)
            inside = [normalize(word) for word in _ANY_WORD.findall(whole)]
            found.append(Item("bracket", span, words=tuple(word for word in inside if word)))
        elif not (found and found[-1].kind == "ellipsis"):
            found.append(Item("ellipsis", span))
        else:
            found[-1] = Item("ellipsis", Span(found[-1].span.start, span.end))
    return tuple(found)


def _without_soft_hyphens(text: str) -> tuple[Item, ...]:
    r"""Return the items of a text whose words are divided by soft hyphens at line ends, with the words
    joined: "war\u00ad ranted".
    """
    gone = {at for match in _DIVIDED.finditer(text) for at in range(*match.span())}
    kept = [at for at in range(len(text)) if at not in gone]
    return tuple(
        replace(item, span=Span(kept[item.span.start], kept[item.span.end - 1] + 1))
        for item in read_items("".join(text[at] for at in kept))
    )


def _partial(written: str, span: Span) -> Item:
    outside = _BRACKETED.sub("\0", re.sub(r"\A\((\w)\)", r"[\1]", written))
    # A bracket may replace letters: a capital, an ending, a whole prefix.
    pattern = "".join(
        r"[^\W\d_]{0,12}" if piece == "\0" else re.escape(normalize(piece))
        for piece in re.split("(\0)", outside)
        if piece
    )
    return Item("word", span, normalize(written), re.compile(pattern))
