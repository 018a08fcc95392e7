"""The provisions that a sentence names: sections, articles, rules, clauses, down to the last letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lexls.text.spans import Span

_KINDS = {
    "section": "section", "sections": "section", "sec": "section", "secs": "section", "s": "section",
    "ss": "section", "§": "section", "§§": "section", "article": "article", "articles": "article",
    "art": "article", "arts": "article", "rule": "rule", "rules": "rule", "r": "rule", "rr": "rule",
    "regulation": "regulation", "regulations": "regulation", "reg": "regulation", "regs": "regulation",
    "clause": "clause", "clauses": "clause", "cl": "clause", "cls": "clause", "paragraph": "paragraph",
    "paragraphs": "paragraph", "para": "paragraph", "paras": "paragraph", "¶": "paragraph", "¶¶": "paragraph",
    "schedule": "schedule", "sch": "schedule", "chapter": "chapter", "order": "order", "part": "part",
    "title": "title", "exhibit": "exhibit", "annex": "annex", "appendix": "appendix", "item": "item",
    "subsection": "subsection", "subsections": "subsection", "sub-section": "subsection",
    "subclause": "subclause", "sub-clause": "subclause", "sub-clauses": "subclause",
    "subparagraph": "subparagraph", "sub-paragraph": "subparagraph", "sub-paragraphs": "subparagraph",
    "subdivision": "subdivision", "sub-rule": "subrule", "subrule": "subrule", "amendment": "amendment",
}  # fmt: skip
_NUMBER = (
    r"(?:\d{1,5}(?:\.\d{1,4}){0,4}[A-Za-z]{0,2}(?![A-Za-z\d])|\([A-Za-z0-9]{1,5}\)|[IVXLC]{1,7}\b|[A-Z]\b)"
    r"(?:\s?\([A-Za-z0-9]{1,5}\)){0,5}"
)
_JOINED = r"\s?(?:,|;|–|-|—|\band\b|\bor\b|\bto\b|&|\bthrough\b|\bread with\b|,\s?and\b|,\s?or\b)\s?"
_WORDS = "|".join(sorted((re.escape(each) for each in _KINDS if each[0].isalpha()), key=len, reverse=True))
_NAMED = re.compile(
    rf"(?:(?<![\w.'’])(?P<kind>{_WORDS})\.?\s?(?:No\.?\s)?|(?P<sign>§§?|¶¶?)\s?)"
    rf"(?P<numbers>{_NUMBER}(?:{_JOINED}{_NUMBER}){{0,12}})",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.(])\d{1,4}[A-Za-z]{0,2}(?:\([A-Za-z0-9]{1,5}\)){1,5}")
_ONE = re.compile(_NUMBER, re.IGNORECASE)
_PART = re.compile(r"[A-Za-z0-9.]+")
_MARKER = re.compile(r"[ \t>*-]{0,8}((?:\(?[0-9A-Za-z]{1,5}[.)]\s?){1,3})")
_LETTERED = frozenset(("clause", "schedule", "exhibit", "annex", "appendix", "article", "chapter"))
_SUB = frozenset(("subsection", "subclause", "subparagraph", "subrule", "subdivision"))


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision as it is named: its kind ("section", "" if it is not said), its number and subdivisions.

    ``span`` is in code points of the text it was found in.
    """

    kind: str
    path: tuple[str, ...]
    span: Span

    def is_named_by(self, other: Provision) -> bool:
        """Whether ``other`` names the very same, neither a part of it nor what it is a part of."""
        return self.path == other.path and (self.kind == other.kind or not self.kind or not other.kind)


def provisions(text: str) -> list[Provision]:
    """The provisions named in ``text``, in order; "ss 9 and 10(2)" are two."""
    found: list[Provision] = []
    for match in _NAMED.finditer(text):
        kind = _KINDS[(match["kind"] or match["sign"]).casefold()]
        base = match.start("numbers")
        for each in _ONE.finditer(match["numbers"]):
            if not _plausible(match["kind"] or "", each.group()):
                continue
            span = Span(base + each.start(), base + each.end())
            found.append(Provision(kind, _path(each.group()), span))
    taken = [each.span for each in found]
    for match in _BARE.finditer(text):
        span = Span(match.start(), match.end())
        if not any(span.overlaps(other) for other in taken):
            found.append(Provision("", _path(match.group()), span))
    return sorted(found, key=lambda each: each.span)


def without_provisions(text: str) -> str:
    """``text`` without the provisions it names: they are compared by themselves."""
    return _BARE.sub(" ", _NAMED.sub(lambda match: " " if provisions(match.group()) else match.group(), text))


def of_place(label: str, kind: str, before: str) -> Iterator[Provision]:
    """The provision that a place itself is: ``label`` of an authority of ``kind`` ("statute", "contract" …).

    ``before`` is the text between the beginning of that provision and the place, from which the markers of
    subdivisions are read: behind a line that begins with "(2)", section 9 is 9(2).
    """
    named = {"statute": "section", "regulation": "regulation", "contract": "clause", "case": "paragraph"}
    if not label:
        return
    path = _path(label)
    nowhere = Span(0, 0)
    if not path:
        return
    yield Provision(named.get(kind, ""), path, nowhere)
    below: list[str] = []
    for line in before.splitlines()[-60:]:
        match = _MARKER.match(line)
        if match is None:
            continue
        for marker in _PART.findall(match[1]):
            marker = marker.strip(".").casefold()
            if not marker or marker == path[-1]:
                continue
            level = 0 if marker[0].isdigit() else 1
            below = [*below[:level], marker]
    for depth in range(1, len(below) + 1):
        yield Provision(named.get(kind, ""), (*path, *below[:depth]), nowhere)
        for sub in _SUB:
            yield Provision(sub, tuple(below[:depth]), nowhere)


def _path(written: str) -> tuple[str, ...]:
    return tuple(each.casefold().strip(".") for each in _PART.findall(written))


def _plausible(word: str, number: str) -> bool:
    """Whether what follows a word is its number: after "a" or "order" an ordinary word may follow."""
    first = number[0]
    if first.isdigit() or first == "(":
        return True
    return number.isupper() and (word[:1].isupper() or word in _LETTERED) and len(word) > 1
