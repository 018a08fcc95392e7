"""Find terms a text defines for an authority: ("the Act"), (“Carrow”), (hereinafter "the Code"), (FAA).

``Terms`` keeps those that are defined up to some place of the text.
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
_WIDEST = 9  # white space between the words of a term


@dataclass(frozen=True, slots=True)
class Definition:
    """A term defined for the authority of a mention; ``span`` is the definition, brackets included."""

    term: str
    mention: Mention
    span: Span


def find_definitions(text: str, mentions: Sequence[Mention]) -> list[Definition]:
    """The terms that stand defined right behind full citations, in order."""
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
    """Return whether a term behind a case is that of a paper in it ("Amicus Brief") and not of the case."""
    return (
        mention.kind == "case"
        and _PATTERNS["paper"].fullmatch(term) is not None
        and fold(term.split()[-1]) not in {fold(word) for word in mention.name.split()}
    )


def _take_pinpoint(text: str, mention: Mention, end: int, following: Sequence[Mention]) -> None:
    """Takes the place behind a definition as that of the case: "[2009] 2 SLR 332 (“Carrow”) at [117]"."""
    if mention.kind != "case" or mention.pinpoint is not None:
        return
    after = pinpoints.find_after_case(text, end, mention.style)
    if after is not None and all(after[1] <= other.start for other in following):
        mention.pinpoint, mention.end = after


def _cites(following: Sequence[Mention], end: int) -> bool:
    """Return whether what looks like a definition holds a citation itself; an Act's bare title may be the
    term."""
    return any(entry.start < end and (entry.kind == "case" or entry.year is not None) for entry in following)


def _plausible(term: str, mention: Mention, called: bool) -> bool:
    """Return whether a term in bare brackets can stand for the authority: its initials, noun or part of its
    name.

    ``called`` says that it stands with its article.
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
    """Return whether letters are those that words of a name begin with, in their order."""
    initials = iter("".join(word[0] for word in re.findall(r"[A-Za-z]+", name)).casefold())
    return all(letter in initials for letter in letters.casefold())


def _act_of_code(text: str, mentions: Sequence[Mention], index: int) -> Mention | None:
    """The Act that a term behind its place in a code is defined for: "… Act, 29 U.S.C. § 201 (“FLSA”)"."""
    code, act = mentions[index], mentions[index - 1] if index else None
    if act is None or code.kind != "statute" or act.kind != "statute" or code.name or not act.name:
        return None
    return act if _PATTERNS["codified"].fullmatch(text, act.end, code.start) else None


def _first_of_group(mentions: Sequence[Mention], index: int) -> Mention:
    """Parallel citations define a term for the case, which its first citation stands for."""
    first = mentions[index]
    while index and first.group and mentions[index - 1].group == first.group:
        index -= 1
        first = mentions[index]
    return first


@dataclass(frozen=True, slots=True)
class Term:
    """A defined term where it is used: what it is written as, and what a place behind it counts."""

    text: str
    kind: CitationKind
    style: PinpointKind
    words: tuple[str, ...]

    @classmethod
    def of(cls, definition: Definition) -> Term:
        """The term of a definition."""
        mention = definition.mention
        return cls(definition.term, mention.kind, mention.style, tuple(definition.term.split()))

    def end_at(self, text: str, start: int) -> int:
        """Return where the term that is written at ``start`` of a text ends, -1 if it is not written
        there."""
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
        """The capitalised letters that it begins with, "" if it begins otherwise."""
        run = _PATTERNS["first_word"].match(self.text)
        return run.group() if run is not None else ""


class _Candidates:
    """Terms that begin with the same word, found by how they are written, however many they are."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[int, Term]]] = {}
        self._width = 0

    def add(self, known: int, term: Term) -> None:
        """Add a term that is known from an offset on; the offsets only grow."""
        self._known.setdefault(term.text, []).append((known, term))
        self._width = max(self._width, len(term.text) + _WIDEST * len(term.words))

    @cached_property
    def _lengths(self) -> list[int]:
        return sorted({len(text) for text in self._known}, reverse=True)

    def at(self, text: str, start: int) -> Iterator[tuple[Term, int]]:
        """The terms that are written at ``start`` and known there, the longest first, each with its end."""
        written = " ".join(text[start : start + self._width].split())
        for length in self._lengths:
            known = self._known.get(written[:length], ())
            last = bisect_right(known, start, key=itemgetter(0)) - 1
            if last >= 0 and (end := known[last][1].end_at(text, start)) >= 0:
                yield known[last][1], end


def find_term_uses(
    scan: Scan, terms: Sequence[tuple[int, Term]], taken: Sequence[tuple[int, int]]
) -> Iterator[Mention]:
    """Return where defined terms are used, outside ``taken`` (starts and ends, sorted).

    ``terms`` are terms with the offset from which each is known; of two that read the same the later counts.
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
"""Terms that begin with the same word and are looked for in one paragraph: those defined last."""
_KEPT_AFTER = 16


class _Definitions:
    """Terms in the order in which they are defined; a later one replaces what reads the same."""

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
        """A copy with the first ``count``."""
        copy = _Definitions()
        entries = (entry for found in self.by_text.values() for entry in found if entry[0] < count)
        for _, term in sorted(entries, key=_number):
            copy.add(term)
        return copy


class Terms:
    """The terms that are defined up to some place of a text; the same object for the same definitions."""

    def __init__(self, definitions: _Definitions | None = None) -> None:
        self._definitions = definitions or _Definitions()
        self._count = self._definitions.count
        self._then: dict[tuple[Term, ...], Terms] = {}

    def then(self, defined: tuple[Term, ...]) -> Terms:
        """The terms once those of a paragraph are defined too."""
        if all(self._meant(term.text) == term for term in defined):
            return self
        after = self._then.get(defined)
        if after is None:
            known = self._definitions
            # Once others were defined behind these, it is another text that goes on here.
            definitions = known if known.count == self._count else known.before(self._count)
            for term in defined:
                definitions.add(term)
            if len(self._then) > _KEPT_AFTER:
                self._then.clear()
            after = self._then[defined] = Terms(definitions)
        return after

    def among(self, words: Set[str]) -> tuple[Term, ...]:
        """The terms that a paragraph with these capitalised words can use."""
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
