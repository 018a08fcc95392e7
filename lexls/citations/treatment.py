"""How a text treats the authorities it cites, as its citing sentences say it.

What counts is what the writer knows or decides: "we overrule", "was overruled in", "rev'd". Counsel's
submissions, conditions, questions, denials and dissents do not. Rather nothing than a wrong warning.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.citations.names import openings, short_names
from lexls.citations.treatment_phrases import FIRST, NEGATIVE, Phrase, TreatmentKind, phrases
from lexls.text.paragraphs import paragraphs
from lexls.text.sentences import sentences
from lexls.text.spans import Span

__all__ = ["ELSEWHERE", "NEGATIVE", "WORST_FIRST", "Treatment", "TreatmentKind", "treatments"]

ELSEWHERE = "?"
"""``Treatment.by`` where another authority treats, and the sentence does not say which."""

WORST_FIRST: tuple[TreatmentKind, ...] = (
    "overruled",
    "reversed",
    "vacated",
    "superseded",
    "disapproved",
    "not followed",
    "doubted",
    "distinguished",
    "considered",
    "cited",
    "approved",
    "affirmed",
    "applied",
    "followed",
)
"""All treatments, what most warns a reader off first."""

_CUE = re.compile(
    r"over-?rul|disapprov|doubt|good\s+law|bad\s+law|incuriam|follow|distinguish|revers|rev['’][dg]|aff['’][dg]"
    r"|affirm|approv|\bappl(?:y|ied|ies)|consider|supersed|supercede|abrogat|vacat|correctly\s+decided|"
    r"(?:wrong|erroneous)ly\s+decided|(?:correct|true|right)\s+law|dissent(?:ed|s|ing)?\s+from|depart(?:ed|s|ing)?\s+from"
    r"|into\s+question",
    re.IGNORECASE,
)
_NEAR = 500
"""A cue further than this from any name or citation of an authority tells nothing."""
_LONGEST = 4000
"""Code points of the longest sentence that is read."""
_MOST_SIGNS = 200
# "cert. denied, 531 U.S. 98": a refusal to hear says nothing, and what follows is of the citation before it.
_REFUSED = re.compile(
    rf"[\s,(]*(?:cert(?:\.|iorari)\s+(?:denied|dismissed|granted)|reh(?:['’]g|earing)\s+(?:en\s+banc\s+)?denied|"
    rf"(?:appeal|petition|review|writ)\s+(?:denied|dismissed|ref['’]?d[^,;{FIRST}-\uf8ff]{{0,20}})|"
    rf"leave\s+to\s+appeal\s+(?:denied|refused))\s*(?:sub\s+nom\.?[^,;{FIRST}-\uf8ff]{{0,60}})?"
    rf"(?:,\s*[{FIRST}-\uf8ff])?\)?",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]{0,300}[)\]]")
_DISSENT = re.compile(
    r"^(?:#{1,6}\s*)?[^\n]{0,80}\b(?:dissent(?:ing|s|ed)?|minority)\b[^\n]{0,60}$",
    re.IGNORECASE | re.MULTILINE,
)
_OPINION = re.compile(
    r"^(?:#{1,6}\s[^\n]{0,120}|[^\n]{0,80}\b(?:concurring|majority|J\.|JA|CJ|LJ)[^\n]{0,20})$", re.MULTILINE
)
_LONGEST_HEADING = 120


@dataclass(frozen=True, slots=True)
class Treatment:
    """What a text says about one authority.

    ``key`` is the authority's, ``span`` its citation or name in the text, ``sentence`` the citing sentence.
    ``by`` is the key of the authority that treats it, "" for the text's own document, ``ELSEWHERE`` for one
    that is not named. ``extent`` is "", "in part" or "on other grounds".
    """

    kind: TreatmentKind
    key: str
    by: str
    extent: str
    span: Span
    sentence: Span


@dataclass(frozen=True, slots=True)
class _Cited:
    """One authority in a sentence: where it stands, and the keys it has there (parallel citations)."""

    span: Span
    members: tuple[tuple[str, Span], ...]
    kind: str
    year: int | None
    is_name: bool


def treatments(text: str, citations: Sequence[Citation]) -> tuple[Treatment, ...]:
    """The treatments other than mere citing that ``text`` states, in order.

    ``citations`` are those that the grammar found in ``text``. An authority that is cited by parallel
    citations has one treatment for each of their keys.
    """
    known = [each for each in citations if each.key]
    cues = [match.start() for match in _CUE.finditer(text)]
    if not known or not cues:
        return ()
    names = _Names(known)
    starts = [each.span.start for each in known]
    dissents = _dissents(text)
    found: dict[tuple[str, TreatmentKind, str, int], Treatment] = {}
    for paragraph in paragraphs(text):
        low, high = bisect_left(cues, paragraph.start), bisect_left(cues, paragraph.end)
        if low == high or any(paragraph.overlaps(each) for each in dissents):
            continue
        first = max(0, bisect_right(starts, paragraph.start) - 1)
        inside = [
            each
            for each in known[first:][: bisect_left(starts, paragraph.end) - first]
            if each.span.overlaps(paragraph)
        ]
        if not inside and not names.any_in(text, paragraph):
            continue
        for sentence in _sentences(text, paragraph, inside):
            at = bisect_left(cues, sentence.start, low, high)
            if at >= high or cues[at] >= sentence.end or len(sentence) > _LONGEST:
                continue
            for each in _in_sentence(text, sentence, inside, names):
                found.setdefault((each.key, each.kind, each.by, sentence.start), each)
    return tuple(sorted(found.values(), key=lambda each: (each.span.start, each.key)))


def _sentences(text: str, paragraph: Span, inside: Sequence[Citation]) -> list[Span]:
    spans = [each.span.shift(-paragraph.start) for each in inside]
    local = sentences(paragraph.of(text), [span for span in spans if span.start >= 0])
    return [span.shift(paragraph.start) for span in local]


def _in_sentence(text: str, sentence: Span, inside: Sequence[Citation], names: _Names) -> Iterator[Treatment]:
    cited = _authorities(text, sentence, inside, names)
    if not cited or len(cited) > _MOST_SIGNS:
        return
    line = _line(text, sentence, cited)
    for phrase in phrases(line):
        yield from _read(phrase, cited, sentence)


def _read(phrase: Phrase, cited: Sequence[_Cited], sentence: Span) -> Iterator[Treatment]:
    agent = cited[ord(phrase.agent) - ord(FIRST)] if phrase.by == "sign" else None
    if agent is not None and not any(key for key, _ in agent.members):
        return
    by = {"this": "", "other": ELSEWHERE}.get(phrase.by, "") if agent is None else agent.members[0][0]
    own = {key for key, _ in agent.members} if agent is not None else set()
    for sign in phrase.targets:
        target = cited[ord(sign) - ord(FIRST)]
        if target.kind != "case" or own & {key for key, _ in target.members}:
            continue
        if target.is_name and phrase.kind in ("followed", "considered", "applied", "approved", "affirmed"):
            continue  # "the officers followed Carrow": a party, not the case
        if agent is not None and agent.kind != "case" and phrase.kind != "superseded":
            continue
        if agent is not None and agent.year and target.year and agent.year < target.year:
            continue
        for key, span in target.members:
            yield Treatment(phrase.kind, key, by, phrase.extent, span, sentence)


# -- the line ----------------------------------------------------------------------------------------------


def _authorities(text: str, sentence: Span, inside: Sequence[Citation], names: _Names) -> list[_Cited]:
    """The authorities of a sentence in order, parallel citations as one."""
    found: list[_Cited] = []
    group = 0
    for each in inside:
        if not sentence.start <= each.span.start < sentence.end:
            continue
        member = (each.key, each.span)
        if found and each.group and each.group == group:
            last = found[-1]
            found[-1] = _Cited(
                Span(last.span.start, max(last.span.end, each.span.end)),
                (*last.members, member),
                last.kind,
                last.year or each.year,
                False,
            )
        else:
            found.append(_Cited(each.span, (member,), each.kind, each.year, False))
        group = each.group
    bare = names.find(text, sentence, [each.span for each in found])
    return sorted([*found, *bare], key=lambda each: each.span.start)


def _line(text: str, sentence: Span, cited: Sequence[_Cited]) -> str:
    pieces = []
    position = sentence.start
    for number, each in enumerate(cited):
        pieces.append(text[position : each.span.start])
        pieces.append(chr(ord(FIRST) + number))
        position = max(position, min(each.span.end, sentence.end))
    pieces.append(text[position : sentence.end])
    line = " ".join("".join(pieces).replace("*", " ").replace("_", " ").split())
    line = _REFUSED.sub("", line)
    return _ASIDE.sub(_kept_aside, line)


def _kept_aside(match: re.Match[str]) -> str:
    """A parenthesis that neither treats nor is part of a citation is left out of the line."""
    return match.group() if _CUE.search(match.group()) else " "


# -- names without a citation ------------------------------------------------------------------------------


class _Names:
    """The names by which a text calls the cases it has cited, for sentences with no more than that."""

    def __init__(self, citations: Sequence[Citation]) -> None:
        self._by_word: dict[str, list[tuple[str, Citation]]] = {}
        known: dict[str, Citation | None] = {}
        for each in citations:
            if each.form != "full" or each.kind != "case" or not each.name:
                continue
            for name in {*short_names(each.name), *openings(each.name), each.name}:
                other = known.get(name, each)
                same = other is not None and (other.key == each.key or other.name == each.name)
                known[name] = other if same else None
        for name, citation in known.items():
            if citation is not None and len(name) > 3 and name[0].isupper():
                self._by_word.setdefault(name.split()[0], []).append((name, citation))
        for entries in self._by_word.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    def any_in(self, text: str, span: Span) -> bool:
        """Whether a name may stand in ``span``."""
        return any(word in self._by_word for word in re.findall(r"[^\W\d_][\w.&'’-]*", span.of(text)))

    def find(self, text: str, span: Span, taken: Sequence[Span]) -> list[_Cited]:
        """The bare names in ``span`` of cases that were cited before it, outside ``taken``."""
        found: list[_Cited] = []
        for match in re.finditer(r"(?<!\w)[A-Z][\w.&'’-]*", span.of(text)):
            start = span.start + match.start()
            if (found and start < found[-1].span.end) or any(start in each for each in taken):
                continue
            for name, citation in self._by_word.get(
                match.group().removesuffix("'s").removesuffix("’s").rstrip(".,"), ()
            ):
                end = start + len(name)
                if citation.span.start > start or not text.startswith(name, start):
                    continue
                if text[end : end + 1].isalnum() or any(
                    each.start < end and start < each.end for each in taken
                ):
                    continue
                member = (citation.key, Span(start, end))
                found.append(_Cited(Span(start, end), (member,), citation.kind, citation.year, True))
                break
        return found


# -- opinions that are not the court's ---------------------------------------------------------------------


def _dissents(text: str) -> list[Span]:
    """Where dissenting opinions stand: from a short line that says so to the next opinion's."""
    found: list[Span] = []
    for match in _DISSENT.finditer(text):
        line = match.group()
        heading = line.startswith("#")
        if len(line) > _LONGEST_HEADING or not (
            heading or re.search(r"dissent\w*[.:)\]]?\s*$", line, re.IGNORECASE)
        ):
            continue
        if found and match.start() < found[-1].end:
            continue
        end = len(text)
        level = len(line) - len(line.lstrip("#"))
        for other in _OPINION.finditer(text, match.end()):
            depth = len(other.group()) - len(other.group().lstrip("#"))
            if (heading and 0 < depth <= level) or (not heading and not _DISSENT.match(other.group())):
                end = other.start()
                break
        found.append(Span(match.start(), end))
    return found
