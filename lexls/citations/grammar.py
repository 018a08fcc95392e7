"""Find the citations in a text, guess the text's jurisdiction, and find impossible citations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import islice
from typing import Any

from lexls.citations import statutes
from lexls.citations.form import Form
from lexls.citations.jurisdiction import load_jurisdictions
from lexls.citations.model import Citation, join_spaces
from lexls.citations.paragraph import Finders
from lexls.citations.reading import CitationReader
from lexls.citations.registry import CoreMatch, Registry
from lexls.text.memory import Memory

# Code points of a long text examined to guess its jurisdiction, in evenly spaced parts.
_LOOKED_AT = 30_000
_PIECES = 5
# The winner needs at least this score, and this many times the score of the next.
_ENOUGH = 2
_CLEAR = 2.0
# Volumes appear some months before or after their year, and anchors are between two volumes.
_SLACK = 2
# Decisions of lower courts are sometimes printed years later, but never before they are made.
_LATE = 3
_NAMED = ("report", "court")
_CORES_KEPT = 10_000
# Blank lines, with the whitespace after them.
_BETWEEN = re.compile(r"\n[^\S\n]*\n\s*")


class Grammar:
    """All citation forms. Immutable for callers, so one instance serves every thread."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._cores: Memory[tuple[str, str], CoreMatch | None] = Memory(_CORES_KEPT)

    @classmethod
    def load(cls, extra_forms: Sequence[Mapping[str, Any]] = ()) -> Grammar:
        """Load lexls's own forms and the user's; raise FormError naming the field of a faulty form."""
        return cls(Registry.load(extra_forms))

    @property
    def forms(self) -> tuple[Form, ...]:
        """All forms, the user's first."""
        return self._registry.forms

    @cached_property
    def jurisdictions(self) -> frozenset[str]:
        """The codes of the jurisdictions that have forms."""
        return frozenset(form.jurisdiction for form in self.forms) - {""}

    @cached_property
    def _act_names(self) -> statutes.ActNames:
        return statutes.ActNames(self._registry.acts)

    def reader(self, jurisdiction: str = "", also: Sequence[str] = ()) -> CitationReader:
        """Return a reader for a text that is read repeatedly as it changes; see `find` for the arguments."""
        return CitationReader(Finders(self._registry, self._act_names, jurisdiction, also))

    def find(self, text: str, jurisdiction: str = "", also: Sequence[str] = ()) -> tuple[Citation, ...]:
        """Return the citations of a masked text (or an authority's text) in order, with short forms resolved.

        ``jurisdiction`` is the draft's code ("IN", "US", …; "" if unknown). It decides between reporters that
        share an abbreviation, and which forms of other jurisdictions are read at all. If it does not decide
        between reporters, the other citations of the text do. If these are balanced, ``also`` decides: the
        library's jurisdictions, the most frequent first. Spans do not overlap.
        """
        return tuple(self.reader(jurisdiction, also).read_once(cut(text)))

    def core_of(self, key: str, jurisdiction: str = "") -> CoreMatch | None:
        """Return the parts of a normalised key (report, volume, year …), or None if the key matches
        no form.
        """
        return self._cores.recall((key, jurisdiction), lambda: self._read_core(key, jurisdiction))

    def places_of(self, citation_text: str) -> frozenset[str]:
        """Return the jurisdictions with a form that matches the whole text."""
        text = join_spaces(citation_text)
        return frozenset(match.form.jurisdiction for match in self._read_whole(text, "")) - {""}

    def _read_core(self, key: str, jurisdiction: str) -> CoreMatch | None:
        whole = self._read_whole(key, jurisdiction)
        return whole[0] if whole else None

    def _read_whole(self, text: str, jurisdiction: str) -> list[CoreMatch]:
        opening = "bracket" if text[:1] in "[(" else "digit" if text[:1].isdigit() else "word"
        matches = self._registry.match(text, 0, opening, jurisdiction)
        return [match for match in matches if match.span.end == len(text)]

    def key_of(self, citation_text: str, jurisdiction: str = "") -> str:
        """Return the normalised key of a citation in metadata. If it is not a citation, return its text with
        single spaces.

        ``jurisdiction`` is the authority's, since "Evidence Act" alone may name several Acts.
        """
        text = join_spaces(citation_text)
        alone = (place.code for place in load_jurisdictions().values() if "reporters-db" in place.databases)
        for place in dict.fromkeys((jurisdiction, "", *alone)):
            full = [citation for citation in self.find(text, place) if citation.form == "full"]
            if full and sum(len(citation.span) for citation in full) * 5 >= len(text.strip("() .")) * 4:
                return full[0].key
        return text


def cut(text: str) -> list[str]:
    """Split a text into paragraphs, each including the blank lines after it."""
    pieces = []
    start = 0
    for match in _BETWEEN.finditer(text):
        pieces.append(text[start : match.end()])
        start = match.end()
    if start < len(text):
        pieces.append(text[start:])
    return pieces


def guess_jurisdiction(text: str, grammar: Grammar) -> str:
    """Return the jurisdiction that the citations and courts in a draft indicate, or "" if none clearly leads.

    ``text`` is the masked draft; only parts of a long one are examined. A jurisdiction known only from the
    user's forms is recognised by these forms.
    """
    sample = _sample(text)
    scores: Counter[str] = Counter()
    known = load_jurisdictions()
    for place in known.values():
        for pattern, weight in place.mark_patterns:
            found = {match.group() for match in islice(pattern.finditer(sample), 60)}
            scores[place.code] += weight * min(len(found), 12)
    for code in grammar.jurisdictions - {place.code for place in known.values() if place.marks}:
        keys = {citation.key for citation in grammar.find(sample, code) if citation.jurisdiction == code}
        scores[code] += 3 * min(len(keys), 12)
    ranked = scores.most_common(2)
    if not ranked or ranked[0][1] < _ENOUGH:
        return ""
    if len(ranked) > 1 and ranked[0][1] < ranked[1][1] * _CLEAR:
        return ""
    return ranked[0][0]


def _sample(text: str) -> str:
    """Return the text, or evenly spaced parts of it if it is long."""
    if len(text) <= _LOOKED_AT:
        return text
    size = _LOOKED_AT // _PIECES
    step = (len(text) - size) // (_PIECES - 1)
    return "\n\n".join(text[start : start + size] for start in range(0, step * _PIECES, step))


def find_impossibility(citation: Citation, grammar: Grammar, today: date | None = None) -> str:
    """Return the reason why a citation cannot exist ("UKSC citations begin in 2009"), or "".

    Only certain reasons are given: a year outside a report's or court's years, a running volume from other
    years, more volumes or judgments than any year has had, or a year in the future (``today`` is the day of
    the check). Short forms and statutes are never reported as impossible.
    """
    if citation.form != "full" or citation.kind not in ("case", "journal") or not citation.key:
        return ""
    match = grammar.core_of(citation.key, citation.jurisdiction)
    if match is None:
        return ""
    year = match.year or citation.year
    if year is not None and year > (today or date.today()).year:
        return f"{year} is still to come"
    for token in _NAMED:
        name = match.values.get(token, "")
        reason = _reason(match, match.form, name, year) if name else ""
        if reason:
            return reason
    return ""


def _reason(match: CoreMatch, form: Form, name: str, year: int | None) -> str:
    first, last = form.years.get(name, (None, None))
    # The first volumes of reports include some older cases; a neutral citation has the judgment's year.
    slack = _SLACK if match.year is None or "-" in match.values.get("year", "") else 0
    if year is not None and first is not None and year < first - slack:
        return f"{name} citations begin in {first}"
    if year is not None and last is not None and year > last + slack:
        return f"{name} citations end in {last}"
    volume = match.values.get("volume", "")
    anchors = form.volumes.get(name)
    if anchors and year is not None and volume.isdigit():
        return _of_volume(int(volume), year, name, anchors)
    most = form.most.get(name)
    if most is None:
        return ""
    if volume:
        if match.year is not None and volume.isdigit() and int(volume) > most:
            return f"no year of {name} has {volume} volumes"
        return ""
    number = match.values.get("number", "")
    if number.isdigit() and int(number) > most:
        return f"no year of {name} has {number} judgments"
    return ""


def _of_volume(volume: int, year: int, name: str, anchors: tuple[tuple[int, int, int], ...]) -> str:
    """Return the reason why a running volume cannot report a case of this year, judging by volumes whose
    years are known; "" if it can.

    If the volume's own years are known, they decide. Otherwise the volumes before and after it limit its
    years, but not those that collect cases of many years.
    """
    own = [(first, last) for number, first, last in anchors if number == volume]
    earliest = max((first for number, first, _ in anchors if number <= volume), default=None)
    latest = min((last for number, _, last in anchors if number >= volume), default=None)
    if own:
        earliest, latest = own[0]
    if (earliest is None or earliest - _LATE <= year) and (latest is None or year <= latest + _SLACK):
        return ""
    if earliest is None:
        return f"{volume} {name} is of {latest} or earlier, not of {year}"
    if latest is None:
        return f"{volume} {name} is of {earliest} or later, not of {year}"
    if earliest == latest:
        return f"{volume} {name} is of about {earliest}, not of {year}"
    return f"{volume} {name} is of {earliest} to {latest}, not of {year}"
