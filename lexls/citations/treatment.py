"""Find how a text treats the authorities that it cites, from its citing sentences.

Only what the writer knows or decides counts: "we overrule", "was overruled in", "rev'd". Counsel's
submissions, conditions, questions, denials and dissents do not count. Missing a treatment is better than a
false warning.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from lexls.citations.case_names.shorten import list_openings, list_short_names
from lexls.citations.model import Citation
from lexls.citations.treatment_phrases import (
    FIRST,
    LAST,
    NEGATIVE,
    Phrase,
    TreatmentKind,
    find_context,
    find_phrases,
    load_treatments,
)
from lexls.text.spans import Span

__all__ = ["ELSEWHERE", "NEGATIVE", "WORST_FIRST", "Treatment", "TreatmentKind", "find_treatments"]

ELSEWHERE = "?"
"""Value of ``Treatment.by`` if the treating authority is another one that the sentence does not name."""

WORST_FIRST: tuple[TreatmentKind, ...] = get_args(TreatmentKind)
"""All kinds of treatment, the strongest warnings first."""

_NEAR = 400
_NEAR_FAVOUR = 120
"""Maximum distances in code points between a trigger (unfavourable or favourable) and a name or citation of
an authority.
"""
_WINDOW = 1200
"""Number of code points before and after a trigger that are split into sentences."""
_LONGEST = 4000
"""Maximum length of a sentence in code points."""
_SAID_OF_PARTIES = frozenset({"followed", "considered", "applied", "approved", "affirmed"})
_MOST_SIGNS = 200
_ASIDE = re.compile(r"\s{0,40}[(\[][^()\[\]]{0,600}[)\]]")
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
    """A text's statement about one authority.

    ``key`` is the key of this authority, ``span`` its citation or name in the text, and ``sentence`` the
    citing sentence. ``by`` is the key of the authority that treats it, "" for the text's own document,
    ``ELSEWHERE`` for one that is not named. ``extent`` is "", "in part" or "on other grounds".
    """

    kind: TreatmentKind
    key: str
    by: str
    extent: str
    span: Span
    sentence: Span


@dataclass(frozen=True, slots=True)
class _CitedInSentence:
    """One authority in a sentence: its span and its keys, several for parallel citations."""

    span: Span
    members: tuple[tuple[str, Span], ...]
    kind: str
    year: int | None
    is_name: bool


def find_treatments(text: str, citations: Sequence[Citation], cut: Sequence[Span]) -> tuple[Treatment, ...]:
    """Return the treatments, other than mere citing, that ``text`` states, in order.

    ``citations`` are those that the grammar found in ``text``. ``cut`` are the text's sentences, none of
    which ends inside a citation. An authority with parallel citations has one treatment for each of their
    keys.
    """
    known = [each for each in citations if each.key]
    if not known:
        return ()
    names = _NamesOfCases(known)
    starts = [each.span.start for each in known]
    lowered = text.lower()
    # A few letters of other scripts become longer in lower case.
    folded = lowered if len(lowered) == len(text) else text
    triggers = _find_triggers(text, folded, [each.span for each in known], names)
    dissents = _dissents(text) if triggers and ("dissent" in lowered or "minority" in lowered) else []
    found: dict[tuple[str, TreatmentKind, str, int], Treatment] = {}
    for window, sentence in _telling_sentences(text, cut, triggers):
        if any(sentence.overlaps(each) for each in dissents):
            continue
        # Citations do not overlap, so those of a window are consecutive.
        low = max(0, bisect_left(starts, window.start) - 1)
        inside = [each for each in known[low : bisect_left(starts, window.end)] if each.span.overlaps(window)]
        for each in _in_sentence(text, sentence, inside, names):
            found.setdefault((each.key, each.kind, each.by, sentence.start), each)
    return tuple(sorted(found.values(), key=lambda each: (each.span.start, each.key)))


def _telling_sentences(
    text: str, cut: Sequence[Span], triggers: Sequence[int]
) -> Iterator[tuple[Span, Span]]:
    """Yield each sentence with a trigger, unless it is too long, together with the window that contains it
    (first).
    """
    ends = [each.end for each in cut]
    for window in _windows(text, triggers):
        for sentence in cut[bisect_right(ends, window.start) : bisect_right(ends, window.end)]:
            at = bisect_left(triggers, sentence.start)
            tells = at < len(triggers) and triggers[at] < sentence.end
            if tells and sentence.start >= window.start and len(sentence) <= _LONGEST:
                yield window, sentence


def _find_triggers(text: str, folded: str, cited: Sequence[Span], names: _NamesOfCases) -> list[int]:
    """Return the offsets of words that may state a treatment of an authority nearby; ``folded`` is the text
    in lower case.
    """
    starts = [span.start for span in cited]
    ends = [span.end for span in cited]  # spans do not overlap, so their ends are sorted too

    def near(at: int, reach: int) -> bool:
        place = bisect_right(ends, at - reach)
        return place < len(starts) and starts[place] < at + reach

    words = load_treatments()
    found = [at for at in _places(folded, words.favourable) if near(at, _NEAR_FAVOUR)]
    for at in _places(folded, words.unfavourable):
        if near(at, _NEAR) or names.any_in(text, Span(max(0, at - _NEAR), at + _NEAR)):
            found.append(at)
    return sorted(found)


def _places(folded: str, triggers: Sequence[str]) -> Iterator[int]:
    for trigger in triggers:
        at = folded.find(trigger)
        while at >= 0:
            yield at
            at = folded.find(trigger, at + 1)


def _windows(text: str, triggers: Sequence[int]) -> list[Span]:
    """Return ranges of the text around the triggers, none of which extends over a blank line."""
    found: list[Span] = []
    for trigger in triggers:
        if found and trigger < found[-1].end - _WINDOW // 2:
            continue
        gap = text.rfind("\n\n", max(0, trigger - _WINDOW), trigger)
        start = gap + 2 if gap >= 0 else max(0, trigger - _WINDOW)
        gap = text.find("\n\n", trigger, trigger + _WINDOW)
        end = gap if gap >= 0 else min(len(text), trigger + _WINDOW)
        if found and start < found[-1].end:
            found[-1] = Span(found[-1].start, max(end, found[-1].end))
        else:
            found.append(Span(start, end))
    return found


def _in_sentence(
    text: str, sentence: Span, inside: Sequence[Citation], names: _NamesOfCases
) -> Iterator[Treatment]:
    cited = _authorities(text, sentence, inside, names)
    if not cited or len(cited) > _MOST_SIGNS:
        return
    for phrase in find_phrases(_line(text, sentence, cited)):
        yield from _read(phrase, cited, sentence)


def _read(phrase: Phrase, cited: Sequence[_CitedInSentence], sentence: Span) -> Iterator[Treatment]:
    agent = cited[ord(phrase.agent) - ord(FIRST)] if phrase.by == "sign" else None
    if agent is not None and not any(key for key, _ in agent.members):
        return
    by = {"this": "", "other": ELSEWHERE}.get(phrase.by, "") if agent is None else agent.members[0][0]
    for sign in phrase.targets:
        target = cited[ord(sign) - ord(FIRST)]
        # "the officers followed Carrow": a party, not the case.
        party = target.is_name and phrase.kind in _SAID_OF_PARTIES
        if target.kind == "case" and not party and (agent is None or _can_treat(agent, target, phrase.kind)):
            for key, span in target.members:
                yield Treatment(phrase.kind, key, by, phrase.extent, span, sentence)


def _can_treat(agent: _CitedInSentence, target: _CitedInSentence, kind: TreatmentKind) -> bool:
    """Return whether one authority can treat the other: they must differ, the other must not be later, and an
    Act can only supersede.
    """
    if not {key for key, _ in agent.members}.isdisjoint(key for key, _ in target.members):
        return False
    if agent.kind != "case" and kind != "superseded":
        return False
    return not (agent.year and target.year and agent.year < target.year)


# -- the line ----------------------------------------------------------------------------------------------


def _authorities(
    text: str, sentence: Span, inside: Sequence[Citation], names: _NamesOfCases
) -> list[_CitedInSentence]:
    """Return the authorities in a sentence, in order. Parallel citations count as one authority."""
    found: list[_CitedInSentence] = []
    group = 0
    for each in inside:
        if not sentence.start <= each.span.start < sentence.end:
            continue
        member = (each.key, each.span)
        if found and each.group and each.group == group:
            last = found[-1]
            span = Span(last.span.start, max(last.span.end, each.span.end))
            members, year = (*last.members, member), last.year or each.year
            found[-1] = replace(last, span=span, members=members, year=year)
        else:
            found.append(_CitedInSentence(each.span, (member,), each.kind, each.year, False))
        group = each.group
    bare = names.find(text, sentence, [each.span for each in found])
    return sorted([*found, *bare], key=lambda each: each.span.start)


def _line(text: str, sentence: Span, cited: Sequence[_CitedInSentence]) -> str:
    pieces = []
    position = sentence.start
    for number, each in enumerate(cited):
        pieces.append(text[position : each.span.start])
        pieces.append(chr(ord(FIRST) + number))
        position = max(position, min(each.span.end, sentence.end))
    pieces.append(text[position : sentence.end])
    line = " ".join("".join(pieces).replace("*", " ").replace("_", " ").split())
    line = find_context("refused").sub("", line)
    for _ in range(2):  # the second pass removes what surrounded an inner parenthesis
        line = _ASIDE.sub(_kept_aside, line)
    return line


def _kept_aside(match: re.Match[str]) -> str:
    """Return the text that replaces a parenthetical in the line: the parenthetical if it states a treatment,
    its content if it consists of citations, else a space.
    """
    inside = match.group().strip()[1:-1]
    if find_context("treats").match(inside):
        return match.group()
    bare = inside.strip()
    return f" {bare}" if bare and all(FIRST <= char <= LAST or char in " ,;:=" for char in bare) else " "


# -- names without a citation ------------------------------------------------------------------------------


class _NamesOfCases:
    """The names that a text uses for the cases it has cited, to find them in sentences without a citation."""

    def __init__(self, citations: Sequence[Citation]) -> None:
        self._by_word: dict[str, list[tuple[str, Citation]]] = {}
        known: dict[str, Citation | None] = {}
        for each in citations:
            if each.form != "full" or each.kind != "case" or not each.name:
                continue
            for name in {*list_short_names(each.name), *list_openings(each.name), each.name}:
                other = known.get(name, each)
                same = other is not None and (other.key == each.key or other.name == each.name)
                known[name] = other if same else None
        for name, citation in known.items():
            if citation is not None and len(name) > 3 and name[0].isupper():
                self._by_word.setdefault(name.split()[0], []).append((name, citation))
        for entries in self._by_word.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    def any_in(self, text: str, span: Span) -> bool:
        """Return whether a name may occur in ``span`` of the text."""
        return any(word in self._by_word for word in re.findall(r"[^\W\d_][\w.&'’-]*", span.of(text)))

    def find(self, text: str, span: Span, taken: Sequence[Span]) -> list[_CitedInSentence]:
        """Return the names in ``span`` that have no citation, outside ``taken``, of cases cited earlier in
        the text.
        """
        found: list[_CitedInSentence] = []
        for match in re.finditer(r"(?<!\w)[A-Z][\w.&'’-]*", span.of(text)):
            start = span.start + match.start()
            if (found and start < found[-1].span.end) or any(start in each for each in taken):
                continue
            word = match.group().removesuffix("'s").removesuffix("’s").rstrip(".,")
            for name, citation in self._by_word.get(word, ()):
                if citation.span.start > start or not text.startswith(name, start):
                    continue
                place = Span(start, start + len(name))
                if find_context("another_name").search(text, max(span.start, start - 20), start):
                    break
                if not text[place.end : place.end + 1].isalnum() and not any(map(place.overlaps, taken)):
                    member = (citation.key, place)
                    found.append(_CitedInSentence(place, (member,), citation.kind, citation.year, True))
                    break
        return found


# -- opinions that are not the court's ---------------------------------------------------------------------


def _dissents(text: str) -> list[Span]:
    """Return the spans of dissenting opinions. Each runs from a short line that announces it to the next
    opinion.
    """
    found: list[Span] = []
    for match in _DISSENT.finditer(text):
        line = match.group()
        heading = line.startswith("#")
        if len(line) > _LONGEST_HEADING or (found and match.start() < found[-1].end):
            continue
        if not (heading or re.search(r"dissent\w*[.:)\]]?\s{0,40}$", line, re.IGNORECASE)):
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
