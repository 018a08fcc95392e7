"""How a text treats the authorities it cites, as its citing sentences say it.

What counts is what the writer knows or decides: "we overrule", "was overruled in", "rev'd". Counsel's
submissions, conditions, questions, denials and dissents do not. Rather nothing than a wrong warning.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from lexls.citations.model import Citation
from lexls.citations.names import openings, short_names
from lexls.citations.treatment_phrases import NEGATIVE, Phrase, TreatmentKind, phrases
from lexls.citations.treatment_voice import FIRST, LAST
from lexls.text.sentences import sentences
from lexls.text.spans import Span

__all__ = ["ELSEWHERE", "NEGATIVE", "WORST_FIRST", "Treatment", "TreatmentKind", "treatments"]

ELSEWHERE = "?"
"""``Treatment.by`` where another authority treats, and the sentence does not say which."""

WORST_FIRST: tuple[TreatmentKind, ...] = get_args(TreatmentKind)
"""All treatments, what most warns a reader off first."""

_CUES = (
    "overrul", "over-rul", "disapprov", "doubt", "good law", "good auth", "bad law", "incuriam", "to follow",
    "not follow", "distinguish", "revers", "rev'd", "rev’d", "rev'g", "rev’g", "supersed", "superced",
    "abrogat", "vacat", "ly decided", "wrong in law", "correct law", "true law", " right law", "correct prop",
    "dissented from", "dissent from", "dissents from", "dissenting from",
    "departed from", "depart from", "departs from", "departing from", "into question",
)  # fmt: skip
_FAVOURS = (
    "followed", "following", "follows ", "we follow ", "i follow ", "aff'd", "aff’d", "aff'g", "aff’g",
    "affirm", "approv", "applied", "applying", "apply ", "applies ", "considered", "considering",
)  # fmt: skip
_NEAR = 400
_NEAR_FAVOUR = 120
"""A cue further than this from any name or citation of an authority tells nothing (code points)."""
_WINDOW = 1200
"""Around a cue so much is cut into sentences."""
_LONGEST = 4000
"""Code points of the longest sentence that is read."""
_MOST_SIGNS = 200
# "cert. denied, 531 U.S. 98": a refusal to hear says nothing, and what follows is of the citation before it.
_REFUSED = re.compile(
    rf"[\s,(]{{0,40}}(?:cert(?:\.|iorari)\s{{1,40}}(?:denied|dismissed|granted)|reh(?:['’]g|earing)\s{{1,40}}(?:en\s{{1,40}}banc\s{{1,40}})?denied|"
    rf"(?:appeal|petition|review|writ)\s{{1,40}}(?:denied|dismissed|ref['’]?d[^,;{FIRST}-{LAST}]{{0,20}})|"
    rf"leave\s{{1,40}}to\s{{1,40}}appeal\s{{1,40}}(?:denied|refused))\s{{0,40}}(?:sub\s{{1,40}}nom\.?[^,;{FIRST}-{LAST}]{{0,60}})?"
    rf"(?:,\s{{0,40}}[{FIRST}-{LAST}])?\)?",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s{0,40}[(\[][^()\[\]]{0,600}[)\]]")
_TREATS = re.compile(
    r"\s{0,40}(?:\w{1,30}ly\s{1,40})?(?:over-?rul|disapprov|distinguish|revers|rev['’][dg]|aff['’][dg]|affirm|approv|appl(?:y|ied)|"
    r"consider(?:ed|ing)|supersed|supercede|abrogat|vacat|declin\w+\s{1,40}to\s{1,40}follow|follow(?:ed|ing)|supra\b|not\s{1,40}follow)",
    re.IGNORECASE,
)
_DISSENT = re.compile(
    r"^(?:#{1,6}\s{0,40})?[^\n]{0,80}\b(?:dissent(?:ing|s|ed)?|minority)\b[^\n]{0,60}$",
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
    if not known:
        return ()
    names = _Names(known)
    starts = [each.span.start for each in known]
    cues = _cues(text, [each.span for each in known], names)
    if not cues:
        return ()
    dissents = _dissents(text)
    found: dict[tuple[str, TreatmentKind, str, int], Treatment] = {}
    for window in _windows(text, cues):
        # Citations do not overlap, so that those of a window stand together.
        low = max(0, bisect_left(starts, window.start) - 1)
        inside = [each for each in known[low : bisect_left(starts, window.end)] if each.span.overlaps(window)]
        for sentence in _sentences(text, window, inside):
            at = bisect_left(cues, sentence.start)
            if at >= len(cues) or cues[at] >= sentence.end or len(sentence) > _LONGEST:
                continue
            if any(sentence.overlaps(each) for each in dissents):
                continue
            for each in _in_sentence(text, sentence, inside, names):
                found.setdefault((each.key, each.kind, each.by, sentence.start), each)
    return tuple(sorted(found.values(), key=lambda each: (each.span.start, each.key)))


def _cues(text: str, cited: Sequence[Span], names: _Names) -> list[int]:
    """Where words stand that may treat an authority near them."""
    starts = [span.start for span in cited]
    ends = [span.end for span in cited]  # spans do not overlap, so that their ends are in order too

    def near(at: int, reach: int) -> bool:
        place = bisect_right(ends, at - reach)
        return place < len(starts) and starts[place] < at + reach

    folded = text.lower()
    if len(folded) != len(text):  # a few letters of other scripts are longer in lower case
        folded = text
    found = [
        at
        for at in _places(folded, _CUES)
        if near(at, _NEAR) or names.any_in(text, Span(max(0, at - _NEAR), at + _NEAR))
    ]
    found += [at for at in _places(folded, _FAVOURS) if near(at, _NEAR_FAVOUR)]
    return sorted(found)


def _places(folded: str, cues: Sequence[str]) -> Iterator[int]:
    for cue in cues:
        at = folded.find(cue)
        while at >= 0:
            yield at
            at = folded.find(cue, at + 1)


def _windows(text: str, cues: Sequence[int]) -> Iterator[Span]:
    """The pieces of the text around cues, none beyond a blank line or, where one is near, a line's end."""
    window: Span | None = None
    for cue in cues:
        if window is not None and cue < window.end - _WINDOW // 2:
            continue
        gap = text.rfind("\n\n", max(0, cue - _WINDOW), cue)
        start = gap + 2 if gap >= 0 else max(0, cue - _WINDOW)
        gap = text.find("\n\n", cue, cue + _WINDOW)
        end = gap if gap >= 0 else min(len(text), cue + _WINDOW)
        if window is not None and start < window.end:
            window = Span(window.start, max(end, window.end))
            continue
        if window is not None:
            yield window
        window = Span(start, end)
    if window is not None:
        yield window


def _sentences(text: str, window: Span, inside: Sequence[Citation]) -> list[Span]:
    """The sentences of a window but those that its edges cut."""
    spans = [Span(max(each.span.start, window.start), each.span.end).shift(-window.start) for each in inside]
    found = [span.shift(window.start) for span in sentences(window.of(text), spans)]
    if found and window.start > 0 and text[window.start - 1] != "\n":
        del found[0]
    if found and window.end < len(text) and text[window.end] != "\n":
        del found[-1]
    return found


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
    for _ in range(2):  # the second time for what stood around an inner parenthesis
        line = _ASIDE.sub(_kept_aside, line)
    return line


def _kept_aside(match: re.Match[str]) -> str:
    """What the line keeps of a parenthesis: a treatment, or a citation in brackets; else nothing."""
    inside = match.group().strip()[1:-1]
    if _TREATS.match(inside):
        return match.group()
    bare = inside.strip()
    return f" {bare}" if bare and all(FIRST <= char <= LAST or char in " ,;:=" for char in bare) else " "


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
            heading or re.search(r"dissent\w*[.:)\]]?\s{0,40}$", line, re.IGNORECASE)
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
