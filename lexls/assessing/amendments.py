"""Find in the notes of a code how its sections were formerly numbered and worded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.citations.model import Pinpoint
from lexls.index.library import Library
from lexls.library.places import list_enclosing
from lexls.text.spans import Span

_HEADING = re.compile(r"^[ \t]*amendments[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_NEXT = re.compile(
    r"^(?:-\w+-|[ \t]{6,}[A-Z][A-Z0-9 ,.'\-]{5,}|[ \t]*Effective Date\b.{0,60})\r?$", re.MULTILINE
)
_ENTRY = re.compile(
    r"(?<=[.\")]\s)(?=(?:\d{4}\s[-–—]\s)?(?:Subsecs?|Pars?|Cls?)\.\s[^.]{1,80}\.\sPub\."
    r"|\d{4}\s[-–—]\sPub\.)"
)
_REARRANGED = re.compile(
    r"\bamended (?:[\w().]+ ){1,6}generally\b|\bgeneral amendment\b|\bredesignated\b|\bdesignated existing\b"
    r"|\bstruck out (?:former |existing )?(?:subsec|par|subpar|cl)s?\."
)
_REWRITTEN = re.compile(
    r"\b(?:amended (?:section|text) generally|general amendment|substituted provisions?)\b"
)
_REPLACED = re.compile(r"(?:\bfor|\bstruck out|\bstriking out)\s[\"“](?P<words>[^\"”]{1,400})[\"”]")
_INSERTED = re.compile(r"\b(?:inserted|substituted|adding)\s[\"“](?P<words>[^\"”]{1,400})[\"”]")
_SECTION = re.compile(r"\b(?:[Ss]ections?|[Ss]ecs?\.) \Z")
_FORMER = r"(?:, (?:Pub\. L\.|acts?\b|added\b)| (?:was|were) (?:re|trans|om))"
"""Pattern of the text after a section number in a note about a former section: ", added", " was repealed"."""
_LONGEST = 60_000
"""Maximum length of a section with its notes, in code points."""


def may_have_had(library: Library, document: int, label: str) -> bool:
    """Return whether a code's notes mention that the section once existed, or that its parts were formerly
    numbered differently.
    """
    section = _section_of(label)
    if section == label and _tells_of(library.contents.text(document), section):
        return True
    first = label[len(section) :].split(")")[0] + ")"
    for entry in _entries(library, document, section):
        places = entry.partition("Pub.")[0]
        if ("(" not in places or first in places or " to " in places) and _REARRANGED.search(entry):
            return True
    return False


def _tells_of(text: str, section: str) -> bool:
    """Return whether a code's notes report what became of a former section. The number is searched for first,
    since it is rare.
    """
    numbered = re.finditer(re.escape(section) + _FORMER, text)
    return any(_SECTION.search(text, max(0, each.start() - 10), each.start()) for each in numbered)


def was_rewritten(library: Library, document: int, label: str) -> bool:
    """Return whether a code's notes say that a section was rewritten."""
    return any(_REWRITTEN.search(entry) for entry in _entries(library, document, _section_of(label)))


def was_worded_so(library: Library, document: int, label: str, written: str, original: str) -> bool:
    """Return whether a section's notes show that it was formerly worded as quoted. They must show that
    ``written`` was replaced or struck out, or, if ``written`` is empty, that ``original`` was inserted.
    """
    if not written:
        return bool(original) and _has_words(library, document, label, _INSERTED, original)
    return _has_words(library, document, label, _REPLACED, written)


def _has_words(library: Library, document: int, label: str, pattern: re.Pattern[str], words: str) -> bool:
    wanted = re.compile(rf"(?<!\w){re.escape(' '.join(words.split()))}(?!\w)", re.IGNORECASE)
    return any(
        wanted.search(found["words"])
        for entry in _entries(library, document, _section_of(label))
        for found in pattern.finditer(entry)
    )


def _section_of(label: str) -> str:
    return [label, *list_enclosing(label)][-1]


def _entries(library: Library, document: int, section: str) -> Iterator[str]:
    """Yield each entry of the amendment notes after a section, with whitespace collapsed."""
    places = library.contents.find_places(document, Pinpoint("section", (section,), Span(0, 0)))
    if not places:
        return
    start = places[-1].start
    later = (
        block.start
        for block in library.contents.outline(document)
        if block.start > start and block.kind == "section" and block.level == 1
    )
    notes = library.contents.text(document)[start : min(next(later, start + _LONGEST), start + _LONGEST)]
    heading = _HEADING.search(notes)
    if heading is not None:
        following = _NEXT.search(notes, heading.end())
        end = following.start() if following is not None else len(notes)
        yield from _ENTRY.split(" ".join(notes[heading.end() : end].split()))
