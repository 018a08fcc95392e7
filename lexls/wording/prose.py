"""Read an authority's text as prose: without markup, in sentences, and with the person whose words each
sentence reports.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.index.records import Authority
from lexls.library.speakers import SENTENCES
from lexls.text.formats import format_of
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span

_WORD = re.compile(r"[^\W_]+")
_FINISHED = re.compile(r"[.;:?!…—–][\"'”’)\]]*$|[,;]\s*(?:and|or)$")
_NUMBERED = re.compile(r"[ \t*]{0,20}(?:(?:[IVXLC]{1,6}|[A-Z]|\d{1,3})[.)]?[ \t*]{0,20}){1,3}")
_DASH = re.compile(r"\s[—–-]\s")
_STOP = re.compile(r"[.?!][\"'”’)\]]{0,3}\s+(?=[\"'“‘(\[]{0,3}[A-Z0-9§])|\n[ \t\r]*\n\s*")
_ENDED = re.compile(r"(?:[.?!:;][\"'”’)\]]{0,3}\s*|\n[ \t\r]*\n\s*|\A\s*)\Z")
_STATES = re.compile(r"\b(?:SHALL|MUST|MAY|CAN|WILL|IS|ARE|WAS|WERE|HAS|HAVE|DOES|NOT|AGREES?)\b")
_REACH = 600
"""Number of code points searched before and after a piece of text for the start and end of a sentence that
was cut.
"""
_REST = re.compile(r"\s{0,40}[”’)\]]")
"""Matches the start of the remainder of a quotation or parenthetical, which is not a statement by itself."""
_STRAY = re.compile(
    r"[”’\"')\]]{1,3}\s+|Id[.,]\s+(?=[A-Z])|[-–—•*]\s+(?=[A-Z“\"])|-[A-Z]{4,40}-\s+|"
    r"\((?:emphasis|italics|citations?) \w+\)\s+|"
    r"[A-Z][A-Z’'-]{1,40}, (?:[A-Z][a-z]+ )?(?:Judge|Justice|C?J)[.:]{1,2}\s+"
)
"""Matches remnants of the text before a sentence: closing quotation marks, a one-word citation, the judge's
name.
"""
_MOST_JOINED = 3
"""Maximum number of times a sentence is extended by the adjacent sentences to close a bracket."""
_LABEL = re.compile(r"\A\s*(?:[(\[][0-9A-Za-z]{1,5}[)\]]\.?|\d{1,4}(?:\.\d{1,3})*\.?)\s+(?=[A-Z“\"‘])")
_NEXT_NUMBER = re.compile(r"(?<=[.?!”’\"')\]])\s+\[?\d{1,3}[.\]]$")
"""Matches the next paragraph's number at the end of a sentence."""
_PAGE_NUMBER = re.compile(
    r"(?<=[a-z,])[ \t]{0,9}\n\s{0,9}(?:\d{1,3}|-\s?\d{1,3}\s?-)[ \t]{0,9}\n\s{0,9}(?=[a-z])"
)
_LONGEST_HEADING = 12
"""Maximum number of words in a heading; a longer piece without a full stop is incomplete text."""


def blank_markup(authority: Authority, text: str) -> str:
    """Return ``text``, a piece of the authority, with its markup blanked and its length unchanged.

    Files in a draft format are indexed with their markup; the text of all other files has none. A page number
    in the middle of a sentence is blanked together with its line.
    """
    prose = format_of("", authority.path.name).mask(text)
    return _PAGE_NUMBER.sub(lambda page: " " * len(page[0]), prose)


def find_statements(text: str) -> Sequence[Span]:
    """Return the sentences that are statements, without numbers and without headings, whether separate or at
    the start of a sentence.
    """
    return [span for found in cut_sentences(text) if states((span := remove_headings(text, found)).of(text))]


def remove_headings(text: str, span: Span) -> Span:
    """Return ``span`` without heading lines at its start that run into the sentence with no full stop
    between.
    """
    start = span.start
    while (end := text.find("\n", start, span.end)) >= 0 and _heads(text[start:end]):
        start = end + 1
    return Span(start, span.end) if text[start : span.end].strip() else span


def close_brackets(text: str, span: Span) -> Span:
    """Return the sentence ``span`` of ``text``, extended by adjacent sentences if a bracket extends over
    them.

    "3 Rutkin, Family Law § 4306 (1987)) was before the court" begins within a bracket. If the adjacent
    sentences do not complete the bracket, return the sentence alone.
    """
    if _lack_brackets(span.of(text)) == (0, 0):
        return span
    sentences = cut_sentences(text)
    first = next((at for at, each in enumerate(sentences) if each.end > span.start), 0)
    last = next((at for at, each in enumerate(sentences) if each.end >= span.end), len(sentences) - 1)
    for _ in range(_MOST_JOINED):
        opening, closing = _lack_brackets(Span(sentences[first].start, sentences[last].end).of(text))
        if opening == closing == 0:
            return Span(sentences[first].start, sentences[last].end)
        first, last = max(0, first - bool(opening)), min(len(sentences) - 1, last + bool(closing))
    return span


def _lack_brackets(text: str) -> tuple[int, int]:
    """Return the number of brackets that close in a text but open before it, and the number that open in it
    but close after it.
    """
    before = depth = 0
    for char in text:
        if char in "([":
            depth += 1
        elif char in ")]":
            before, depth = (before, depth - 1) if depth else (before + 1, 0)
    return before, depth


def remove_label(text: str) -> str:
    """Return ``text`` without the number of a paragraph or list item at its start."""
    return _LABEL.sub("", text, count=1)


def remove_strays(text: str, span: Span) -> Span:
    """Return the sentence ``span`` of ``text`` without remnants of adjacent text that are not part of it."""
    said = span.of(text)
    stray, number = _STRAY.match(said), _NEXT_NUMBER.search(said)
    begins = span.start + (stray.end() if stray else 0)
    return Span(begins, span.start + number.start()) if number else Span(begins, span.end)


def _heads(line: str) -> bool:
    """Return whether a line looks like a heading: it is a number ("II. A."), or a few capitalised words."""
    names = [word for word in _WORD.findall(line) if len(word) > 3 and word.isalpha()]
    if len(names) > _LONGEST_HEADING:
        return False
    if not names:
        return _NUMBERED.fullmatch(line) is not None
    unfinished = line.rstrip()[-1:] not in ".,;:?!-–—”\"'’)]"
    return unfinished and all(word[0].isupper() for word in names)


def states(sentence: str) -> bool:
    """Return whether a piece of text is a statement, and not a heading, a number or catchwords between
    dashes.
    """
    count = len(_WORD.findall(sentence))
    if count < 4 or _REST.match(sentence) is not None:
        return False
    if sentence.upper() == sentence and len(sentence) < _REACH and _STATES.search(sentence) is None:
        return False  # a heading in capitals: none of its few words is a finite verb
    if _FINISHED.search(sentence.rstrip()) is not None:
        return True
    return count > _LONGEST_HEADING and len(_DASH.findall(sentence)) < 3


def complete_sentences(text: str, span: Span) -> Span:
    """Return ``span`` of ``text`` extended to whole sentences, except at an end where the sentence is very
    long.
    """
    start, end = span.start, span.end
    before = text[max(0, start - _REACH) : start]
    if not _ENDED.search(before[-8:]):
        # Include one more character, since it decides whether a full stop ends a sentence.
        stops = [each.end() for each in _STOP.finditer(text[start - len(before) : start + 1])]
        whole = [stop for stop in stops if stop <= len(before)]
        if whole:
            start -= len(before) - whole[-1]
        elif len(before) == start:
            start = 0
    last = text[max(start, end - 8) : end].rstrip()
    if last and not _ENDED.search(last):
        stop = _STOP.search(text, end, end + _REACH)
        if stop is not None:
            end = stop.start() + len(stop.group().rstrip())
        elif end + _REACH >= len(text):
            end = len(text.rstrip())
    return Span(start, end)


def _says(what: str, sentence: str) -> bool:
    return SENTENCES[what].search(" ".join(sentence.split())) is not None


def reports_a_party(sentence: str) -> bool:
    """Return whether a sentence reports what a party or counsel says, and not what the court holds.

    A sentence that answers what it reports ("We reject the submission that …") is the court's own. Only the
    sentence's words are examined. A report without such words therefore counts as the court's own view.
    """
    reported = _says("reported", sentence) or _says("institutions", sentence)
    return reported and not _says("answered", sentence)


def reports_another_court(sentence: str) -> bool:
    """Return whether a sentence reports what another court did in the case, which may have been reversed."""
    return _says("elsewhere", sentence)


def reports_another_decision(sentence: str) -> bool:
    """Return whether a sentence reports what another decision held, without expressing the court's own view
    of it.
    """
    return _says("another", sentence) and not _says("answered", sentence)


def holds(sentence: str) -> bool:
    """Return whether a sentence states the court's holding."""
    return _says("holds", sentence)


def asks(sentence: str) -> bool:
    """Return whether a sentence asks a question or states the issue, so that it answers nothing."""
    return _says("asked", sentence) and not holds(sentence)


def asserts(sentence: str) -> bool:
    """Return whether a sentence is the court's own statement. A question is not, nor is a party's statement
    that the sentence does not answer.
    """
    if asks(sentence):
        return False
    told = _says("claimed", sentence) or _says("reported", sentence)
    return not told or _says("answered", sentence)
