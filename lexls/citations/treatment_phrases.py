"""Read from a sentence how a court treats an authority.

Phrases are matched in a *line*: one sentence in which each cited authority is replaced by a single character
between ``FIRST`` and ``LAST``, so that "the decision in *Pell v Stark* (1990) 1 AC 5 was overruled by …" is
short. The phrases are in ``treatment_phrases.toml``; every pattern begins with such a character or with its
verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal, get_args

from lexls.text.phrases import PhraseError, compile_pattern, define_parts, fill_pattern, load_phrases

TreatmentKind = Literal[
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
]
"""The kinds of treatment, the strongest warnings first."""
Agent = Literal["this", "other", "sign"]
"""Who treats the authority: the document itself ("this"), another authority that the sentence does not name
("other"), or one that it names ("sign").
"""

FIRST, LAST = "\ue000", "\uf8ff"
"""The first and the last of the characters that represent authorities in a line."""

NEGATIVE: frozenset[TreatmentKind] = frozenset(
    {"overruled", "reversed", "vacated", "superseded", "disapproved", "not followed", "doubted"}
)
"""Treatments that warn against relying on an authority."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A treatment found in a line.

    ``targets`` are the characters of the authorities treated. If ``by`` is "sign", ``agent`` is the character
    of the authority that treats them.
    """

    kind: TreatmentKind
    targets: tuple[str, ...]
    by: Agent
    agent: str
    extent: str


_Reader = Callable[[str, re.Match[str], TreatmentKind], Phrase | None]


@dataclass(frozen=True)
class _Rule:
    """A pattern of one kind of treatment, tried only in lines that contain one of ``stems``."""

    stems: tuple[str, ...]
    source: str
    kind: TreatmentKind
    read: _Reader

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled only when a line first contains one of the stems, since compiling all takes
        half a second.
        """
        return compile_pattern(self.source, {})


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The contents of the phrase file. ``context`` has its patterns of the text around a match."""

    rules: tuple[_Rule, ...]
    context: dict[str, re.Pattern[str]]
    unfavourable: tuple[str, ...]
    favourable: tuple[str, ...]


@lru_cache(maxsize=1)
def load_treatments() -> _Phrases:
    """Load the phrases included in lexls.

    Raises ``PhraseError`` if the file is invalid.
    """
    data = load_phrases(__package__, "treatment_phrases.toml")
    # A case-insensitive range of thousands of characters takes milliseconds to compile.
    parts = define_parts(data["parts"], {"sign": f"(?-i:[{FIRST}-{LAST}])", "first": FIRST, "last": LAST})
    return _Phrases(
        tuple(_rules(data, parts)),
        {name: compile_pattern(pattern, parts) for name, pattern in data["context"].items()},
        tuple(data["unfavourable"]),
        tuple(data["favourable"]),
    )


def _rules(data: dict[str, Any], parts: dict[str, str]) -> Iterator[_Rule]:
    for verb in data["verbs"]:
        forms = {"passive": verb["past"], **verb}
        said = define_parts({form: forms[form] for form in ("present", "past", "passive", "gerund")}, parts)
        kind = verb["kind"]
        for each in data["constructions"]:
            if kind not in each.get("except", ()) and kind in each.get("only", (kind,)):
                yield _rule({**each, "kind": kind, "stems": verb["stems"]}, said)
    for saying in data["sayings"]:
        yield _rule(saying, parts)


def _rule(entry: dict[str, Any], parts: dict[str, str]) -> _Rule:
    kind, read = entry["kind"], _READERS.get(entry["read"])
    if kind not in get_args(TreatmentKind) or read is None:
        raise PhraseError(f"there is no treatment {kind!r} or no reader {entry['read']!r}")
    return _Rule(tuple(entry["stems"]), fill_pattern(entry["pattern"], parts), kind, read)


def find_phrases(line: str) -> list[Phrase]:
    """Return the treatments that a line states as the writer's own knowledge or decision."""
    folded = line.casefold()
    found = _read_list(line)
    if found:
        return found
    for stems, rules in groupby(load_treatments().rules, attrgetter("stems")):
        if not any(stem in folded for stem in stems):
            continue
        for rule in rules:
            phrases = (rule.read(line, match, rule.kind) for match in rule.pattern.finditer(line))
            found.extend(filter(None, phrases))
    # "¤, rev'd, ¤, rev'd, ¤": the second reversal undoes the first.
    undone = {sign for each in found if each.kind in ("reversed", "vacated") for sign in each.targets}
    return [each for each in found if not (each.kind in NEGATIVE and each.agent and each.agent in undone)]


def _read_list(line: str) -> list[Phrase]:
    """Return the treatments in a list at the beginning of a judgment: "¤ applied; ¤ cited", "Applied: ¤; ¤",
    where ¤ stands for an authority.

    Returns an empty list if the line is not such a list. A line with "¤ (overruled)" is not one, since
    another court may have overruled the authority.
    """
    entries = find_context("list_head").sub("", line)
    pieces = find_context("list_verb").split(entries)
    signs = [[char for char in piece if FIRST <= char <= LAST] for piece in pieces[::2]]
    rest = find_context("list_rest").sub("", "".join(pieces[::2]))
    if bool(signs[0]) == bool(signs[-1]) or any(not FIRST <= char <= LAST for char in rest):
        return []
    # "¤. Affirmed." is about the judgment itself; "Applied Genetics, 912 F.2d 1" begins with a name.
    between = find_context("list_joint")
    if not all(between.search(piece) for piece in (pieces[:-1:2] if signs[0] else pieces[2::2])):
        return []
    verbs = (" ".join(verb.casefold().split()) for verb in pieces[1::2])
    listed = [(verb, of) for verb, of in zip(verbs, signs if signs[0] else signs[1:], strict=False) if of]
    if "(" in entries and (len(listed) == 1 or any(verb in (*NEGATIVE, "affirmed") for verb, _ in listed)):
        return []
    return [
        Phrase(kind, tuple(of), "this", "", "")
        for verb, of in listed
        for kind in get_args(TreatmentKind)
        if kind == verb != "cited"
    ]


# -- readers of matches ------------------------------------------------------------------------------------


def _phrase(match: re.Match[str], kind: TreatmentKind, by: Agent, agent: str | None = "") -> Phrase | None:
    agent = agent or ""
    targets = tuple(char for char in match["target"] if FIRST <= char <= LAST and char != agent)
    if not targets or _has("after", match.string[match.end() : match.end() + 90]):
        return None
    return Phrase(kind, targets, by, agent, _extent_of(match))


def _extent_of(match: re.Match[str]) -> str:
    said = (match["extent"] or "").casefold()
    if "ground" in said or "respects" in said:
        return "on other grounds"
    before = match.string[max(0, match.start("target") - 80) : match.start("target")]
    partly = said.strip(" ,") or _has("part", before) or _has("part", match.group())
    return "in part" if partly else ""


def _is_subject(line: str, start: int) -> bool:
    """Return whether the subject is the authority at ``start`` itself, or its decision, rule or view."""
    before = find_context("case_of").sub("", line[max(0, start - 160) : start])
    return not _has("inside", before) or _has("headed", before)


def _is_stated(line: str, match: re.Match[str]) -> bool:
    """Return whether a match is about its target itself and is the writer's own statement."""
    return (
        _is_subject(line, match.start())
        and not _has("not_meant", match["gap"])
        and not _is_reported(line, match.start())
    )


# Outcomes of appeals: in "the order in ¤ was reversed", it was usually ¤ that reversed the order.
_ON_APPEAL = frozenset({"reversed", "vacated", "affirmed"})


def _passive(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """Return the treatment in a passive clause: "¤ was overruled by ¤", where ¤ stands for an authority."""
    if not _is_stated(line, match):
        return None
    if match["agent"]:
        return _phrase(match, kind, "sign", match["agent"])
    if kind in _ON_APPEAL and _has("inside", line[max(0, match.start() - 20) : match.start()]):
        return None
    other = (match["other"] or "").casefold()
    if other.startswith(("us", "this judg", "our ")):
        return _phrase(match, kind, "this")
    past = _has("past", match["gap"]) and not _has("held", match["gap"])
    return _phrase(match, kind, "other" if other or past else "this")


def _active(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """Return the treatment in an active clause: "we overrule ¤", "¤ overruled ¤", "In ¤ the court, overruling
    ¤, held …", where ¤ stands for an authority.
    """
    start = match.start()
    before = line[max(0, start - 120) : start]
    if _is_denied(line, start) or _is_reported(line, start):
        return None
    past = "past" in match.re.groupindex
    if past and (_has("adjective", before) or match["past"][0].isupper()):
        return None  # "the doubted decision"; "Applied Genetics v …"
    said = line[start : match.start("target")]
    shortened = find_context("shortened").match(said)
    if kind in _ON_APPEAL and (shortened or _has("inside", said) or _has("history", before)):
        return None
    if match["agent"]:
        return _phrase(match, kind, "sign", match["agent"])
    subject = _subject(line, start)
    if _has("own_whole", before):
        return _phrase(match, kind, "other" if past and subject is None else "this")
    if subject is not None:
        return _phrase(match, kind, "sign", subject)
    if "present" in match.re.groupindex:
        return _phrase(match, kind, "this") if _has("own", before) else None
    return _phrase(match, kind, "other")


def _subject(line: str, start: int) -> str | None:
    """Return the authority that is the subject of the verb at ``start``, or the judgment "in" which that verb
    is used. Return None if there is neither.
    """
    clause = re.split(r"[;:]", line[max(0, start - 200) : start])[-1]
    for back, char in enumerate(reversed(clause)):
        if FIRST <= char <= LAST:
            between = line[start - back : start]
            place = start - back - 1
            inside = re.search(r"\bin\s+$", line[max(0, place - 6) : place], re.IGNORECASE)
            if inside is None and len(between) > 80:
                return None
            return None if _has("turn", between) else char
    return None


def _chain(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """Return the treatment in a case history: "¤, rev'd, ¤" and "¤ (overruled by ¤)", where ¤ stands for an
    authority.
    """
    if match["agent"] and not match["extent"] and match.start("agent") > match.end("extent") >= 0:
        verb = line[match.end("target") : match.end("extent")]
        beside = not line[match.end("extent") : match.start("agent")].strip()
        if beside and not _has("of_history", verb):
            return None  # "¤, disapproved ¤" says what the first did
    return _phrase(match, kind, "sign" if match["agent"] else "other", match["agent"])


def _judged(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """Return the treatment in a judgment on an authority: "¤ was wrongly decided", where ¤ stands for the
    authority.
    """
    if not _is_stated(line, match):
        return None
    if match["agent"]:
        return _phrase(match, kind, "sign", match["agent"])
    return _phrase(match, kind, "other" if kind == "overruled" else "this")


def _own_doubt(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """Return the treatment in the writer's own doubt: "I doubt whether ¤ was correctly decided", where ¤
    stands for the authority.
    """
    return None if _is_reported(line, match.start()) else _phrase(match, kind, "this")


# -- whose voice a sentence is in ---------------------------------------------------------------------------

_TO = re.compile(r"\bto\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_NEAR = 90


def _is_reported(line: str, start: int) -> bool:
    """Return whether the text at ``start`` is part of a submission, a condition or a question, not of a
    statement.
    """
    before = line[:start]
    return (
        "?" in line[-4:]
        or _has("attributed", before)
        or _has("hypothetical", before[-_NEAR:])
        or _has("denied", before[-75:].rpartition(";")[2])
        or _has("faulted", before[-75:])
    )


def _is_denied(line: str, start: int) -> bool:
    """Return whether the words immediately before ``start`` deny what follows, or only state it as an aim."""
    before = re.split(f"[;{FIRST}-{LAST}]", line[max(0, start - 60) : start])[-1]
    return _has("denied", before[-40:]) or _TO.search(before) is not None


def find_context(name: str) -> re.Pattern[str]:
    """Return the pattern in [context] with this name."""
    return load_treatments().context[name]


def _has(name: str, text: str) -> bool:
    """Return whether the pattern in [context] with this name is found in ``text``."""
    return find_context(name).search(text) is not None


_READERS: dict[str, _Reader] = {
    "passive": _passive, "active": _active, "chain": _chain, "judged": _judged, "own_doubt": _own_doubt,
}  # fmt: skip
