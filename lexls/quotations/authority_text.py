"""Prepare an authority's text for searching it for quotations."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, compress, islice

from lexls.quotations.vocabulary import EDITORIAL, GROWN, WORD, normalize
from lexls.text.blanking import blank
from lexls.text.spans import Span

# A court's own brackets within a word ("[t]he", "hold[s]") do not split it.
# The most frequent cases come first (between words, plain words), since the general patterns are slower.
_TOKEN = re.compile(
    r"(?![\s.,;])((?:[a-z]|[A-Z][a-z])[a-z]*+(?![\w'’‘ʼ\u00ad\[-])"
    rf"|[^\W\d_]*\[[^\W\d_]{{1,12}}\][^\W\d_]+|[^\W\d_]+\[[^\W\d_]{{1,12}}\](?![^\W_])"
    rf"|(?<!\w)\([^\W\d_]\)[^\W\d_]+|{WORD})"
)
# Page and note numbers in the text that are not the court's words.
_MARKS = re.compile(
    r"\[?\*{1,2}\d{1,5}\]?(?!\w)"
    r"|\[\s?\d{1,4}\s[A-Z][\w.]{0,8}(?:\s[\w.]{1,6}){0,2}\s\d{1,4}(?:,\s?\d{1,4})?\s?\]"
    r"|\[\s?(?:page|p\.?|pg\.?)\s?\d{1,5}\s?\]"
    r"|\[(?:\^|FN|n\.?|note)\s?\d{1,4}\]"
    r"|(?m:^[ \t]*(?:\d{1,3}"
    r"|(?:-{1,9}[ \t]{0,9})?page[ \t]+\d{1,5}(?:[ \t]+of[ \t]+\d{1,5})?[ \t-]{0,9})[ \t]*\r?$)"
    rf"|{GROWN}",
    re.IGNORECASE,
)
_BROKEN = re.compile(r"\[([A-Za-z][jJlI1])[a-z]{2,}(?![\w\]])")
"""Pattern of a bracketed capital whose closing bracket was misread as a letter: "[Wjhen"."""
_NUMBER = re.compile(r"\d{1,3}[A-Za-z]?")
_NUMBERING_BEFORE = re.compile(r"(?:^|[\n\r])[ \t]*[\[(]?$")
_NOTE_BEFORE = re.compile(r"[.,;:!?”’\"')\]]$")


class AuthorityText:
    """The words of a text in order, with their offsets, in code points of ``source``. Immutable.

    ``source`` is the text with its markup masked. ``joined`` has all words in their normal form, each with a
    space before and after it; ``begins`` are the offsets of the words in ``joined``. ``starts`` and ``ends``
    are the offsets of the words in ``source``.
    """

    __slots__ = ("_notes", "_places", "_text", "begins", "ends", "joined", "source", "starts")

    def __init__(self, source: str) -> None:
        self.source = source
        self._text = _MARKS.sub(lambda match: blank(match.group()), source)
        self._notes: list[tuple[int, int]] | None = None
        self._places: Mapping[str, array[int]] | None = None
        # Alternately separators and words, to avoid a Python loop over the words.
        pieces = _TOKEN.split(self._text)
        edges = list(accumulate(map(len, pieces)))
        self.starts, self.ends = array("L", edges[:-1:2]), array("L", edges[1::2])
        words = pieces[1::2]
        for match in _BROKEN.finditer(self._text):
            at = bisect_left(self.starts, match.start(1))
            if at < len(words) and self.starts[at] == match.start(1):
                words[at] = words[at][0] + words[at][2:]
        normal = {word: normalize(word) for word in set(words)}
        words = [normal[word] for word in words]
        if "" in normal.values():
            kept = [bool(word) for word in words]
            self.starts = array("L", compress(self.starts, kept))
            self.ends = array("L", compress(self.ends, kept))
            words = list(filter(None, words))
        self.joined = f" {' '.join(words)} " if words else " "
        self.begins = array("L", accumulate((len(word) + 1 for word in words[:-1]), initial=1))
        if not words:
            del self.begins[:]

    def __len__(self) -> int:
        return len(self.begins)

    def may_go(self, index: int) -> bool:
        """Return whether a quotation may omit a word without marking the omission: the number of a paragraph
        or a footnote, a word of a note such as "(emphasis added)", or a stray letter from a scan.
        """
        start, end = self.starts[index], self.ends[index]
        if end - start == 1 and self._text[start].isalpha() and self._text[start] not in "aAIO":
            return True
        if self._text[start].isdigit() and _may_be_mark(self._text, start, end):
            return True
        if self._notes is None:
            self._notes = [match.span() for match in EDITORIAL.finditer(self._text)]
        place = bisect_left(self._notes, (start, 0)) - 1
        return place >= 0 and start < self._notes[place][1]

    def word(self, index: int) -> str:
        """Return the normal form of the word at an index."""
        begin = self.begins[index]
        return self.joined[begin : self.joined.index(" ", begin)]

    def words(self, low: int, high: int) -> list[str]:
        """Return the normal forms of the words ``[low, high)``, given by index."""
        if low >= high:
            return []
        end = self.begins[high] if high < len(self.begins) else len(self.joined)
        return self.joined[self.begins[low] : end].split()

    def word_at(self, offset: int) -> int:
        """Return the index of the first word that ends after ``offset`` of ``source``."""
        return bisect_right(self.ends, offset)

    def span(self, low: int, high: int) -> Span:
        """Return the span of the words ``[low, high)`` in the source. If there are none, return an empty span
        at word ``low``.
        """
        if low >= high:
            at = self.starts[low] if low < len(self.starts) else len(self.source)
            return Span(at, at)
        return Span(self.starts[low], self.ends[high - 1])

    def between(self, low: int, high: int) -> Span:
        """Return the span from the end of the word before ``low`` to the start of word ``high``, including
        spaces and punctuation at both ends.
        """
        start = self.ends[low - 1] if low else 0
        return Span(start, self.starts[high] if high < len(self) else len(self.source))

    def find(self, words: str, low: int = 0, high: int | None = None) -> Iterator[int]:
        """Yield the index of the first word of each occurrence of ``words`` (normal forms, separated by
        single spaces). Only occurrences that begin at words ``low`` to ``high`` are returned.
        """
        if low >= len(self.begins):
            return
        wanted = f" {words} "
        at = self.begins[low] - 1
        limit = len(self.joined)
        if high is not None and high < len(self.begins):
            limit = self.begins[high] + len(wanted) - 1
        while (at := self.joined.find(wanted, at, limit)) >= 0:
            yield bisect_left(self.begins, at + 1)
            at += 1

    def find_run(self, words: Sequence[str], low: int = 0, high: int | None = None) -> Iterator[int]:
        """Return the same as `find`, for a list of words. The rarest word is looked up in an index, so that
        searching for many runs is fast.
        """
        places = self._places
        if places is None:
            made: defaultdict[str, array[int]] = defaultdict(partial(array, "L"))
            for at, word in enumerate(self.joined.split()):
                made[word].append(at)
            self._places = places = dict(made)
        run = f" {' '.join(words)} "
        rarest, found = min(enumerate(places.get(word, ()) for word in words), key=lambda each: len(each[1]))
        for at in islice(found, bisect_left(found, low + rarest), None):
            start = at - rarest
            if high is not None and start > high:
                return
            if self.joined.startswith(run, self.begins[start] - 1):
                yield start

    def last(self, words: str, low: int, high: int) -> int:
        """Return the index of the last occurrence of ``words`` between word ``low`` and word ``high``; they
        must occur there.
        """
        limit = self.begins[high] if high < len(self.begins) else len(self.joined)
        return bisect_left(self.begins, self.joined.rfind(f" {words} ", self.begins[low] - 1, limit) + 1)

    def has(self, word: str, times: int = 1) -> bool:
        """Return whether a word occurs at least ``times`` times in the text."""
        return next(islice(self.find(word), times - 1, None), None) is not None


def _may_be_mark(text: str, start: int, end: int) -> bool:
    """Return whether a number may be a paragraph number, or a footnote mark directly after a word."""
    if not _NUMBER.fullmatch(text, start, end):
        return False
    before = text[max(0, start - 8) : start]
    after = text[end : end + 1]
    if before.endswith("[") and after == "]":
        return True
    if _NUMBERING_BEFORE.search(before) and after in (".", ")", "]", " ", "\t", ""):
        return True
    return bool(_NOTE_BEFORE.search(before)) and (not after or after.isspace())
