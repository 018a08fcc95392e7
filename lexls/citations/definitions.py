"""Find terms that a text defines for an authority: ("the Act"), (“Carrow”), (hereinafter "the Code"), (FAA).

``Terms`` are the terms defined before a given point of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import itemgetter

from lexls.citations import pinpoints
from lexls.citations.jurisdiction import find_jurisdiction_by_name
from lexls.citations.model import CitationKind, Mention, PinpointKind, fold
from lexls.citations.scan import Scan
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

_PATTERNS = load_patterns("definitions.toml")
_NOUNS = frozenset({"Act", "Code", "Rules", "Regulations", "Order", "Ordinance"})
_WIDEST = 9  # maximum whitespace between the words of a term


@dataclass(frozen=True, slots=True)
class Definition:
    """A term defined for an authority by its mention; ``span`` is the definition, including its brackets."""

    term: str
    mention: Mention
    span: Span


def find_definitions(text: str, mentions: Sequence[Mention]) -> list[Definition]:
    """Return the terms defined immediately after full citations, in order."""
    found: list[Definition] = []
    for index, mention in enumerate(mentions):
        if mention.form != "full":
            continue
        match = _PATTERNS["definition"].match(text, mention.end)
        if match is not None:
            written = match["term"] or match["called"]
        elif match := _PATTERNS["bare"].match(text, mention.end):
            called = " the " in f" {match.group().strip(' ([')}"
            written = (
                match["term"] if _plausible(match["term"], _first_of_group(mentions, index), called) else ""
            )
        if match is None or not written or _cites(mentions[index + 1 : index + 3], match.end()):
            continue
        term = " ".join(written.split()).strip(" ,.")
        if _is_paper(term, mention):
            continue
        if term and term[0].isalnum() and any(letter.isupper() for letter in term):
            named = _act_of_code(text, mentions, index)
            found.append(Definition(term, named or _first_of_group(mentions, index), Span(*match.span())))
            _take_pinpoint(text, mention, match.end(), mentions[index + 1 : index + 2])
    return found


def _is_paper(term: str, mention: Mention) -> bool:
    """Return whether a term defined after a case names a paper filed in it ("Amicus Brief") rather than the
    case.
    """
    return (
        mention.kind == "case"
        and _PATTERNS["paper"].fullmatch(term) is not None
        and fold(term.split()[-1]) not in {fold(word) for word in mention.name.split()}
    )


def _take_pinpoint(text: str, mention: Mention, end: int, following: Sequence[Mention]) -> None:
    """Record the pinpoint after a definition as the pinpoint of the case: "[2009] 2 SLR 332 (“Carrow”) at
    [117]".
    """
    if mention.kind != "case" or mention.pinpoint is not None:
        return
    after = pinpoints.find_after_case(text, end, mention.style)
    if after is not None and all(after[1] <= other.start for other in following):
        mention.pinpoint, mention.end = after


def _cites(following: Sequence[Mention], end: int) -> bool:
    """Return whether an apparent definition contains a citation. The title of an Act without a year does not
    count, since it may be the term.
    """
    return any(entry.start < end and (entry.kind == "case" or entry.year is not None) for entry in following)


def _plausible(term: str, mention: Mention, called: bool) -> bool:
    """Return whether an unquoted term in brackets fits the authority: it is its initials, its noun or part of
    its name.

    ``called`` is true if the term has an article.
    """
    if mention.kind == "case":
        if find_jurisdiction_by_name(term):
            return False  # the country of the court: "AIR 1950 SC 27 (India)"
        words = {fold(word) for word in mention.name.split()}
        if words and all(fold(word) in words for word in term.split()):
            return True
        letters = term.split()[0]  # "(CDT III)", "(PAWS)"
        return len(letters) > 2 and letters.isupper() and _are_initials(letters, mention.name)
    bare = term.replace(".", "")
    *before, noun = term.split()
    if noun in _NOUNS and (not before or before[0].isdigit()):
        return True
    if called and before and noun == mention.name.rsplit(" ", 1)[-1]:  # "(the FCA Act)", "(the Harbours Act)"
        bare = "".join(before).replace(".", "")
        if all(word in mention.name.split() for word in before):
            return True
    return len(bare) > 1 and bare.isupper() and _are_initials(bare, mention.name)


def _are_initials(letters: str, name: str) -> bool:
    """Return whether the letters are initials of a name's words, in order. Words may be skipped."""
    initials = iter("".join(word[0] for word in re.findall(r"[A-Za-z]+", name)).casefold())
    return all(letter in initials for letter in letters.casefold())


def _act_of_code(text: str, mentions: Sequence[Mention], index: int) -> Mention | None:
    """Return the Act before a citation to a code if a term defined after the citation is the Act's: "… Act,
    29 U.S.C. § 201 (“FLSA”)".
    """
    code, act = mentions[index], mentions[index - 1] if index else None
    if act is None or code.kind != "statute" or act.kind != "statute" or code.name or not act.name:
        return None
    return act if _PATTERNS["codified"].fullmatch(text, act.end, code.start) else None


def _first_of_group(mentions: Sequence[Mention], index: int) -> Mention:
    """Return the first of a case's parallel citations, which represents the case in definitions."""
    first = mentions[index]
    while index and first.group and mentions[index - 1].group == first.group:
        index -= 1
        first = mentions[index]
    return first


@dataclass(frozen=True, slots=True)
class Term:
    """A defined term: its text, the kind of its authority, and the unit of a bare number after it."""

    text: str
    kind: CitationKind
    style: PinpointKind
    words: tuple[str, ...]

    @classmethod
    def of(cls, definition: Definition) -> Term:
        """Return the term of a definition."""
        mention = definition.mention
        return cls(definition.term, mention.kind, mention.style, tuple(definition.term.split()))

    def end_at(self, text: str, start: int) -> int:
        """Return the end of the term if it occurs in a text at ``start``, else -1."""
        for number, word in enumerate(self.words):
            if number:
                gap = start
                while start - gap < _WIDEST and text[start : start + 1].isspace():
                    start += 1
                if start == gap:
                    return -1
            if not text.startswith(word, start):
                return -1
            start += len(word)
        behind = text[start : start + 1]
        return -1 if behind.isalnum() or behind == "_" else start

    @property
    def first_word(self) -> str:
        """The capitalised letters with which the term begins, or ""."""
        run = _PATTERNS["first_word"].match(self.text)
        return run.group() if run is not None else ""


class _Candidates:
    """Terms that begin with the same word. The time of a lookup does not depend on their number."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[int, Term]]] = {}
        self._width = 0

    def add(self, known: int, term: Term) -> None:
        """Add a term that applies from an offset on. Terms must be added in the order of these offsets."""
        self._known.setdefault(term.text, []).append((known, term))
        self._width = max(self._width, len(term.text) + _WIDEST * len(term.words))

    @cached_property
    def _lengths(self) -> list[int]:
        return sorted({len(text) for text in self._known}, reverse=True)

    def at(self, text: str, start: int) -> Iterator[tuple[Term, int]]:
        """Yield the terms that occur at ``start`` and already apply there, the longest first, each with its
        end.
        """
        written = " ".join(text[start : start + self._width].split())
        for length in self._lengths:
            known = self._known.get(written[:length], ())
            last = bisect_right(known, start, key=itemgetter(0)) - 1
            if last >= 0 and (end := known[last][1].end_at(text, start)) >= 0:
                yield known[last][1], end


def find_term_uses(
    scan: Scan, terms: Sequence[tuple[int, Term]], taken: Sequence[tuple[int, int]]
) -> Iterator[Mention]:
    """Yield the uses of defined terms outside ``taken``, which are sorted start and end offsets.

    ``terms`` are terms with the offset from which each applies. Of two definitions of the same term, the
    later one applies.
    """
    if not terms:
        return
    text = scan.text
    by_word: dict[str, _Candidates] = {}
    for known, term in sorted(terms, key=lambda entry: entry[0]):
        by_word.setdefault(term.first_word, _Candidates()).add(known, term)
    position = 0
    for start, word in scan.capitals(by_word.keys()):
        for term, end in by_word[word].at(text, start):
            while position < len(taken) and taken[position][1] <= start:
                position += 1
            if position < len(taken) and taken[position][0] < end:
                break
            article = _PATTERNS["article"].search(text, max(0, start - 12), start)
            begin = article.start() if article is not None else start
            core = Span(start, end)
            mention = Mention(
                begin, end, core, term.kind, "defined", reference=text[start:end], style=term.style
            )
            if term.kind == "case":
                after = pinpoints.find_after_case(text, end, term.style)
                if after is not None:
                    mention.pinpoint, mention.end = after
            yield mention
            break


_MOST_RELEVANT = 200
"""Maximum number of terms with the same first word that one paragraph is searched for; the latest terms are
used.
"""
_KEPT_AFTER = 16


class _Definitions:
    """Terms in the order of their definitions. A later definition of a term replaces an earlier one."""

    def __init__(self) -> None:
        self.count = 0
        self.by_word: dict[str, list[tuple[int, Term]]] = {}
        self.by_text: dict[str, list[tuple[int, Term]]] = {}

    def add(self, term: Term) -> None:
        entry = self.count, term
        self.by_word.setdefault(term.first_word, []).append(entry)
        self.by_text.setdefault(term.text, []).append(entry)
        self.count += 1

    def before(self, count: int) -> _Definitions:
        """Return a copy with the first ``count`` definitions."""
        copy = _Definitions()
        entries = (entry for found in self.by_text.values() for entry in found if entry[0] < count)
        for _, term in sorted(entries, key=_number):
            copy.add(term)
        return copy


class Terms:
    """The terms defined before a given point of a text. The same definitions always give the same object."""

    def __init__(self, definitions: _Definitions | None = None) -> None:
        self._definitions = definitions or _Definitions()
        self._count = self._definitions.count
        self._then: dict[tuple[Term, ...], Terms] = {}

    def then(self, defined: tuple[Term, ...]) -> Terms:
        """Return the terms known after a paragraph that defines the terms ``defined``."""
        if all(self._meant(term.text) == term for term in defined):
            return self
        after = self._then.get(defined)
        if after is None:
            known = self._definitions
            # If other terms have been defined after these, another text has continued from here.
            definitions = known if known.count == self._count else known.before(self._count)
            for term in defined:
                definitions.add(term)
            if len(self._then) > _KEPT_AFTER:
                self._then.clear()
            after = self._then[defined] = Terms(definitions)
        return after

    def among(self, words: Set[str]) -> tuple[Term, ...]:
        """Return the terms that a paragraph with these capitalised words may use."""
        by_word = self._definitions.by_word
        if by_word.keys().isdisjoint(words):
            return ()
        found: dict[str, Term] = {}
        for word in sorted(by_word.keys() & words):
            entries = by_word[word]
            last = bisect_left(entries, self._count, key=_number)
            for place in islice(range(last - 1, -1, -1), _MOST_RELEVANT):
                term = entries[place][1]
                found.setdefault(term.text, term)
        return tuple(found.values())

    def _meant(self, text: str) -> Term | None:
        entries = self._definitions.by_text.get(text, ())
        place = bisect_left(entries, self._count, key=_number)
        return entries[place - 1][1] if place else None


def _number(entry: tuple[int, Term]) -> int:
    return entry[0]
