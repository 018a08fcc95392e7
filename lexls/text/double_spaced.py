"""Join the lines of double-spaced text, as pasted from a court's PDF, into paragraphs.

In such text a blank line separates every two lines, and page numbers and headers appear among them. The text
between the lines of a paragraph becomes whitespace of the same length, so offsets do not change. Whether a
line continues in the next one depends only on the few lines around it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from lexls.text.blanking import LINE, find_disguises
from lexls.text.spans import Coverage, Span

_LONGEST = 240
"""Maximum length of a line of double-spaced text in code points. It is generous because viewers join lines
that end with a hyphen.
"""
_NEAR = 4
"""Number of lines before and after a line break that are checked for double spacing."""
_REACH = _NEAR + 4
"""Number of lines before and after a change whose joins it can affect."""
_FAR = 6000
"""Number of code points that always contain ``_REACH`` lines, even long ones."""
# A page number, the header of the Supreme Court's slip opinions, and the stamp of electronic filing.
_FURNITURE = (
    r"(?:(?:[-–—]\s?)?(?:[Pp]age\s)?\d{1,4}(?:\s?[-–—])?"
    r"|(?:Case|USCA)\b[^\n]{0,90}\b(?:Page|Filed|Document)\b[^\n]{0,80}"
    r"|Cite as: \d[^\n]{0,60}|\d{1,3} [^a-z\n]{3,60} v\. [^a-z\n]{3,60}"
    r"|[^a-z\d\n]{3,60} v\. [^a-z\d\n]{3,60}|Syllabus|Opinion of the Court"
    r"|Opinion of [A-Z]{3,20}, (?:C\. )?J\.|[A-Z]{3,20}, (?:C\. )?J\., [a-z]{4,12}[^\n]{0,40})"
)
_BLANK = r"(?:[^\S\n]*\n)"
_GAP = re.compile(rf"\n{_BLANK}{{1,9}}+(?:[^\S\n]*{_FURNITURE}[^\S\n]*\n{_BLANK}{{0,9}}+){{0,4}}")
_STOP = re.compile(r"[.?!:;][\"”’')\]]*\Z")
# A full stop that does not end a sentence: "v.", "U.S.", "F. Supp.", "Cir.", "Ass'n.", "id.".
_SHORT = re.compile(
    r"(?:\b[A-Z][\w’']{0,5}|\b(?:id|nn?|pp?|seq|al|e\.g|i\.e|cf|vs?|cl|art|para)|\.\s?\w{1,4})\.\Z"
)
_ENUMERATED = re.compile(r",\Z|\b(?:and|or)\Z")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_BULLET = re.compile(r"[-*•#>|_=~]|o\s")
_RULE = re.compile(r"[-_=*]{3}\Z")
_OPENING = re.compile(r"\(?(?:(?:\d{1,3}|[A-Ha-h]|[IVXivx]{1,5})[.)]|[A-Z]?\d{1,3}(?:\.\d{1,3}){1,8}\.?)\s")
_NOTE = re.compile(r"\d{1,3}\s{0,3}(?:(?:[A-Z][\w’'-]*|A|I)\s[a-z]{2}|(?:See|Id\.|Ibid|Cf\.|But|Accord)\s)")
_DANGLING = re.compile(r"\b(?:an?|as|at|by|for|from|in|is|of|on|[Ss]ee|that|the|this|to|under|was|with)\Z")
_REPORT = re.compile(r"(?:[A-Z][\w’']{0,5}\.\s?){1,4}(?:\d|\Z)")
_CITING = re.compile(r"\d|\bv\.?\s|,\Z")
_STAR_PAGE = re.compile(r"\[\*\d{1,4}\]\s")
_NUMBER = re.compile(r"[^\S\n]{0,8}(\d{1,2})(?=[^\S\n]{1,16}[^\s\d.)])")
_SHORTEST = 30
"""Minimum length, in code points, of a line that may continue in a line beginning with a capital or a
digit.
"""
_FULL = 0.85
"""Minimum length of a line that may continue in the next one although a sentence ends with it, as a share of
the usual length of nearby lines.
"""


def join_double_spaced(text: str) -> str:
    """Return ``text``, of the same length, with the lines of each double-spaced paragraph joined by ``LINE``.

    A hyphen that divides a word at a join becomes a soft hyphen; line numbers are blanked.
    """
    gaps = [match.span() for match in _GAP.finditer(text)]
    lines = _Lines(text, gaps)
    pieces: list[str] = []
    done = 0
    for place in range(len(gaps) + 1):
        number = lines.find_number(place)
        if number is not None and (lines.goes_on(place - 1) or lines.goes_on(place)):
            pieces += (text[done : number.start], " " * len(number))
            done = number.end
        if lines.goes_on(place):
            start, end = gaps[place]
            last = start - 1
            while text[last] == " ":
                last -= 1
            divided = text[last] == "-" and text[last - 1].isalpha() and lines.words(place + 1)[:1].islower()
            pieces += (text[done : last + 1 - divided], "\u00ad" * divided, LINE, " " * (end - last - 2))
            done = end
    return "".join((*pieces, text[done:])) if pieces else text


def widen(text: str, span: Span) -> Span | None:
    """Extend ``span``, which begins and ends after gaps, to the surrounding lines that affect joins in it.

    Returns None if these lines cannot be determined.
    """
    low, high = max(0, span.start - _FAR), min(len(text), span.end + _FAR)
    start, end = span.start, span.end
    gaps = [match.span() for match in _GAP.finditer(text, low, span.start)]
    for count, (_, behind) in enumerate(reversed(gaps)):
        start = behind
        above = gaps[-count - 2][1] if count + 1 < len(gaps) else low
        if count > _REACH or not _is_line(text[above : gaps[-count - 1][0]]):
            break
    else:
        if low > 0:
            return None
        start = 0
    for count, (before, behind) in enumerate([match.span() for match in _GAP.finditer(text, span.end, high)]):
        if count > _REACH or not _is_line(text[end:before]):
            break
        end = behind
    else:
        if high < len(text):
            return None
        end = len(text)
    return Span(start, end)


class _Lines:
    """The lines between the gaps of a text; results for each line are cached."""

    def __init__(self, text: str, gaps: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._gaps = gaps
        cuts = [0, *(cut for gap in gaps for cut in gap), len(text)]
        spans = [Span(cuts[at], cuts[at + 1]) for at in range(0, len(cuts), 2)]
        self._spans = [span if _is_line(span.of(text)) else Span(span.start, span.start) for span in spans]
        self._numbers = [_read_number(text, span) for span in self._spans]
        self._words: dict[int, str] = {}
        self._flows: dict[int, bool] = {}

    def words(self, place: int) -> str:
        """Return the text of the line before gap number ``place``, without its line number. Return "" if it
        is not a line.
        """
        words = self._words.get(place)
        if words is None:
            if not 0 <= place < len(self._spans):
                return ""
            span, number = self._spans[place], self.find_number(place)
            words = span.of(self._text) if number is None else self._text[number.end : span.end]
            self._words[place] = words = _STAR_PAGE.sub("", words.strip(), count=1)
        return words

    def find_number(self, place: int) -> Span | None:
        """Return the span of a line's number, or None. A number counts only if the line before or after has
        the adjacent number.
        """
        number = self._numbers[place]
        if number is None:
            return None
        for other, by in ((place - 1, -1), (place + 1, 1)):
            near = self._numbers[other] if 0 <= other < len(self._numbers) else None
            if near is not None and int(near.of(self._text)) == int(number.of(self._text)) + by:
                return number
        return None

    def goes_on(self, place: int) -> bool:
        """Return whether the line before a gap continues in the line after the gap."""
        above, below = self.words(place), self.words(place + 1)
        if not above or not below or _BULLET.match(below) or _RULE.search(above):
            return False
        if self._flows_on(place):
            return True
        if not self._is_double_spaced(place) or _NOTE.match(below):
            return False
        short = _SHORT.search(above) is not None
        if short and (below[0].isdigit() or below[0] in "§¶"):
            return True
        if len(above) < _SHORTEST:
            return False
        if _STOP.search(above) is None:
            return not _is_heading(above)
        if _OPENING.match(below) is not None:
            return False
        if short or above[-1] in ";:":
            return True
        if not self._text[slice(*self._gaps[place])].isspace():
            return False  # After the notes of the previous page.
        near = sorted(len(self.words(at)) for at in range(place - _NEAR, place + _NEAR + 1) if self.words(at))
        return len(above) >= _FULL * near[len(near) // 2]

    def _flows_on(self, place: int) -> bool:
        """Return whether a line certainly continues in the next one, because a sentence is unfinished."""
        known = self._flows.get(place)
        if known is None:
            above, below = self.words(place), self.words(place + 1)
            known = (below[:1].islower() and _OPENING.match(below) is None) or _DANGLING.search(
                above
            ) is not None
            known = known or (above[-1:].isdigit() and _REPORT.match(below) is not None)
            known = known and (
                len(above) >= _SHORTEST or (above[:1].islower() and self.words(place - 1) != "")
            )
            known = known and below != "" and _NOTE.match(below) is None
            known = known and _STOP.search(above) is None and _ENUMERATED.search(above) is None
            self._flows[place] = known
        return known

    def _is_double_spaced(self, place: int) -> bool:
        """Return whether any line near the one at ``place`` certainly continues in the next line."""
        for step in (-1, 1):
            for at in range(place, place + step * (_NEAR + 1), step):
                if not self.words(at if step < 0 else at + 1):
                    break
                if self._flows_on(at):
                    return True
        return False


def _read_number(text: str, line: Span) -> Span | None:
    match = _NUMBER.match(text, line.start, line.end) if len(line) else None
    return Span(*match.span(1)) if match is not None else None


def _is_line(piece: str) -> bool:
    """Return whether the text between two gaps may be a line of double-spaced text."""
    return len(piece) <= 2 * _LONGEST and len(piece.strip()) <= _LONGEST and "\n" not in piece.strip("\n")


def _is_heading(line: str) -> bool:
    """Return whether a line is capitalised like a heading and has no sign of a citation."""
    if line[0].islower() or _CITING.search(line):
        return False
    return all(word[0].isupper() for word in _LONG_WORD.findall(line))


# -- as it is read -------------------------------------------------------------------------------------------

_JOIN = re.compile(rf"(?:\u00ad|(?<=\w)[-–](?={LINE}\s*\w))?{LINE}\s*")


class ClosedText:
    """A text as it looks: the text between two lines of double-spaced text is replaced with a line feed.

    ``original`` is the text before these replacements.
    """

    __slots__ = ("_places", "_shifts", "original", "text")

    def __init__(self, original: str, edits: Iterable[tuple[Span, str]]) -> None:
        """``edits`` are the replacements for parts of the original, in order."""
        self.original = original
        pieces: list[str] = []
        self._places = [0]
        self._shifts = [0]
        done = length = 0
        for gone, kept in edits:
            pieces += (original[done : gone.start], kept)
            length += gone.start - done + len(kept)
            done = gone.end
            if len(gone) != len(kept):
                self._places.append(length)
                self._shifts.append(done - length)
        self.text = "".join((*pieces, original[done:]))

    def in_original(self, span: Span) -> Span:
        """Return the position in the original of a span of the closed text."""
        start = self._place(span.start)
        return Span(start, self._place(span.end - 1) + 1 if len(span) else start)

    def in_closed(self, span: Span) -> Span:
        """Return the position in the closed text of a span of the original."""
        behind = [place + shift for place, shift in zip(self._places, self._shifts, strict=True)]
        start, end = (at - self._shifts[bisect_right(behind, at) - 1] for at in (span.start, span.end))
        return Span(start, max(start, end))

    def _place(self, at: int) -> int:
        return at + self._shifts[bisect_right(self._places, at) - 1]


def close_gaps(text: str) -> ClosedText | None:
    """Return a masked text with double-spaced lines made adjacent and disguises removed; None if it has
    neither.
    """
    joins = _JOIN.finditer(text) if LINE in text else ()
    edits = [
        (Span(*gap.span()), {"\u00ad": "", "-": "-", "–": "–"}.get(gap.group()[0], "\n")) for gap in joins
    ]
    joined = Coverage([span for span, _ in edits])
    disguises = find_disguises(text)
    edits += ((each.span, each.plain) for each in disguises if not joined.overlaps(each.span))
    return ClosedText(text, sorted(edits)) if edits else None
