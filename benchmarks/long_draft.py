"""A draft of 300 pages for benchmarks: invented prose that cites and quotes a library's own authorities."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from invented_draft import CONDITIONS, DUTIES, SUBJECTS

from lexls.index.library import Library
from lexls.index.records import Authority

LENGTH = 1_000_000
CITATIONS = 3_000
AUTHORITIES = 700
"""How many authorities the draft cites at most; it cites most of them more than once."""
SENTENCES = 3
_REPORTED = re.compile(r"(\d+ [A-Z][A-Za-z0-9. ]*) (\d+)$")
"""A report's volume, name and first page."""
_WORDS = re.compile(r"[A-Z][a-z][^\n\"“”‘’()\[\]{}<>*_`#|\\.]{90,260}\.(?=\s)")


@dataclass(frozen=True, slots=True)
class LongDraft:
    """Markdown text, how many citations and quotations were written into it, and how many authorities."""

    text: str
    citations: int
    quotations: int
    authorities: int


def compose(library: Library, seed: int = 1, length: int = LENGTH, citations: int = CITATIONS) -> LongDraft:
    """A draft on this library. Three in ten citations are full, the others short forms of those before.

    Every third full citation follows a quotation of a sentence of the authority.
    """
    chance = random.Random(seed)
    authorities = _citable(library, chance)
    prose = _prose(chance)
    parts = ["# Submissions\n\n"]
    size, cited, quoted, paragraph = len(parts[0]), 0, 0, 0
    last: Authority | None = None
    while size < length:
        paragraph += 1
        sentences = [f"## Part {paragraph // 20 + 1}\n\n"] if paragraph % 20 == 0 else []
        for _ in range(SENTENCES):
            sentence = next(prose)
            # As many sentences cite as make up the number over the whole length.
            if cited * length < citations * size:
                cited += 1
                drawn = chance.random()
                if last is None or drawn < 0.3:
                    last = authorities[chance.randrange(len(authorities))]
                    quotation = _quotation(library, last, chance) if drawn < 0.1 else ""
                    if quotation:
                        quoted += 1
                        sentence = f"The court said: “{quotation}”"
                    sentence += f" {_full(library, last, chance)}."
                elif drawn < 0.6:
                    sentence += f" *Ibid*{_pinpoint(library, last, chance)}."
                else:
                    sentence += f" {_short(library, last, chance)}."
            sentences.append(sentence + " ")
        parts.append("".join(sentences).rstrip() + "\n\n")
        size += len(parts[-1])
    return LongDraft("".join(parts), cited, quoted, len(authorities))


def _prose(chance: random.Random) -> Iterator[str]:
    while True:
        subject, duty = chance.choice(SUBJECTS), chance.choice(DUTIES)
        first, second = chance.sample(CONDITIONS, 2)
        yield f"{subject} {duty} {first}, and {second} the same is true of those who claim through him."


def _citable(library: Library, chance: random.Random) -> Sequence[Authority]:
    found = [each for each in library.catalogue.all() if each.kind == "case" and each.year and each.title]
    return chance.sample(found, min(len(found), AUTHORITIES))


def _full(library: Library, authority: Authority, chance: random.Random) -> str:
    if not library.contents.list_labels(authority.id, "paragraph") and _REPORTED.match(authority.citation):
        year = f" ({authority.year})" if authority.jurisdiction == "US" else ""
        return f"*{authority.title}*, {authority.citation}, {_page(authority, chance)}{year}"
    citation = authority.citation or f"AIR {authority.year} SC {chance.randrange(1, 2000)}"
    return f"*{authority.title}*, {citation}{_pinpoint(library, authority, chance)}"


def _short(library: Library, authority: Authority, chance: random.Random) -> str:
    """A short form by name and, where paragraphs are not numbered, by volume and report."""
    party = re.split(r"\s+(?:v|vs|versus)\.?\s+", authority.title, flags=re.IGNORECASE)[0]
    reported = _REPORTED.match(authority.citation)
    if library.contents.list_labels(authority.id, "paragraph") or reported is None:
        return f"*{party}*{_pinpoint(library, authority, chance)}"
    return f"*{party}*, {reported[1]} at {_page(authority, chance)}"


def _pinpoint(library: Library, authority: Authority, chance: random.Random) -> str:
    labels = library.contents.list_labels(authority.id, "paragraph")
    if labels:
        return f" at [{chance.choice(labels)}]"
    return f" at {_page(authority, chance)}" if _REPORTED.match(authority.citation) else ""


def _page(authority: Authority, chance: random.Random) -> int:
    reported = _REPORTED.match(authority.citation)
    assert reported is not None
    return int(reported[2]) + chance.randrange(12)


def _quotation(library: Library, authority: Authority, chance: random.Random) -> str:
    sentences = _WORDS.findall(library.contents.text(authority.id) or "")
    return " ".join(chance.choice(sentences).split()) if sentences else ""
