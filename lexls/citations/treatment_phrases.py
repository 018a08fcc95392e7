"""The phrases by which courts say how they treat an authority.

They are read in a *line*: one sentence in which each cited authority is a single sign between ``FIRST`` and
``LAST``, so that "the decision in *Pell v Stark* (1990) 1 AC 5 was overruled by …" is a short thing to match.
Every pattern begins with such a sign or with its verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from lexls.citations.treatment_voice import FIRST, LAST, denied, spoken_for_another

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
"""What most warns a reader off comes first."""
Agent = Literal["this", "other", "sign"]
"""Who treats: the document itself, another authority that the sentence does not name, or one it names."""

SIGN = f"[{FIRST}-{LAST}]"

_LIST = rf"{SIGN}(?:(?:\s*[,;]\s*|,?\s+(?:and|or|&|as\s+well\s+as)\s+)(?:(?:also\s+)?in\s+)?{SIGN}){{0,6}}"
_HEAD = (
    r"(?:decisions?|judge?ments?|cases?|rulings?|holdings?|rules?|opinions?|views?|law|principles?|ratio|"
    r"reasoning|dict(?:um|a)|observations?|statements?|propositions?|doctrine|authorit(?:y|ies)|approach|tests?|"
    r"analysis|conclusions?|correctness|soundness|orders?|precedents?|interpretation|construction|discussion|part)"
)
_WORD = r"[\w'’./&-]+\s+"
# A word inside what is treated: no verb of another clause, no other decision.
_INNER = (
    r"(?:(?!(?:has|have|had|was|were|is|are|been|which|who|from|after|before|when|while|"
    r"this\s+(?:decision|judge?ment|view|case))\b)[\w'’./&-]+\s+)"
)
_TAIL = (
    rf"(?:['’]s?\s+{_HEAD}\b|(?:\s+\(supra\))?(?:\s+(?:{_HEAD}|line\s+of\s+(?:cases|authority))\b)?"
    r"(?!['’]|\s+panel))"
)
# "the decision of the Division Bench in ¤", "so much of ¤", "¤ and ¤", "¤'s case".
_OBJECT = (
    rf"(?!(?:by|in|as|to|for|with|on)\s)(?:{_INNER}{{0,5}}?{_HEAD}\s+(?:\([^()]{{0,40}}\)\s+)?{_INNER}{{0,9}}?(?:in|of|by|from|under)\s+"
    rf"(?:the\s+cases?\s+of\s+)?|so\s+much\s+of\s+)?(?P<target>{_LIST}){_TAIL}"
)
_ADVERBS = (
    r"(?:(?:also|since|now|hereby|expressly|specifically|impliedly|implicitly|explicitly|subsequently|later|thus|"
    r"accordingly|therefore|clearly|easily|readily|rightly|in\s+terms|in\s+effect|effectively|largely|"
    r"necessarily|partly|partially|further|however|again|unanimously|recently|in\s+turn|so|to\s+that\s+extent|"
    r"to\s+this\s+extent|of\s+course|then|itself|similarly|correctly|practically|virtually|respectfully)\s+)"
)
_EXTENT = (
    r"(?P<extent>(?:,?\s*(?:on\s+(?:an)?other\s+grounds?|on\s+(?:a\s+)?different\s+grounds?|in\s+other\s+respects|"
    r"in\s+part|partly|partially|on\s+(?:that|this|another)\s+(?:point|ground|issue)|to\s+(?:the|this|that)\s+extent|"
    r"insofar|in\s+so\s+far))*)"
)
_AGENT = (
    rf"(?:[\s,]+(?:by|in)\s+(?:(?:[\w'’./&()-]+,?\s+){{0,12}}?(?P<agent>{SIGN})|"
    rf"(?P<other>[^\s.;{FIRST}-{LAST}]+(?:\s+[^\s.;{FIRST}-{LAST}]+){{0,3}})))?"
)
# A case name that is not part of the citation behind it.
_UNREAD_NAME = rf"(?:(?:[A-Z][^;:{FIRST}-{LAST}]{{0,60}}\sv\.?\s|In\s+re\s)[^;:{FIRST}-{LAST}]{{1,60}},\s+)?"
_IN = rf"(?:\s+in\s+(?P<agent>{SIGN}))?"
# Between an authority and its verb: "has since been", "which was", never another subject.
_GAP_WORD = (
    r"(?:(?!(?:the|this|these|those|an?|it|he|she|they|his|her|its|their|our|we|I|court|judge|but|and|or|that)\b)"
    r"[\w'’]+,?\s+)"
)
_BE = (
    r"(?:is|are|was|were|be|been|being|stands?|stood)\s+"
    r"(?:(?:taken|held|treated|regarded|considered|deemed)\s+(?:as|to\s+be|to\s+have\s+been|as\s+having\s+been)\s+)?"
)
_GAP = rf"(?P<gap>,?\s+(?:which\s+|that\s+|as\s+such\s+)?{_GAP_WORD}{{0,7}}?{_BE}{_ADVERBS}{{0,2}})"


@dataclass(frozen=True, slots=True)
class _Verb:
    """The forms of a verb: present, past or participle, gerund; ``stems`` are in all of them."""

    kind: TreatmentKind
    stems: tuple[str, ...]
    present: str
    past: str
    gerund: str


_NOT_FOLLOW = r"(?:to\s+)?follow"
_VERBS = (
    _Verb(
        "overruled", ("overrul", "over-rul", "abrogat"), "overrules?|abrogates?", "over-?ruled|abrogated",
        "over-?ruling|abrogating",
    ),
    _Verb("reversed", ("revers", "rev'", "rev’"), "reverses?", r"reversed|rev['’]d", r"reversing|rev['’]g"),
    _Verb("vacated", ("vacat",), "vacates?", "vacated", "vacating"),
    _Verb(
        "superseded", ("supersed", "superced"), "supersedes?", "superseded|superceded", "superseding",
    ),
    _Verb(
        "disapproved", ("disapprov",), r"disapproves?(?:\s+of)?", r"disapproved(?:\s+of)?",
        r"disapproving(?:\s+of)?",
    ),
    _Verb(
        "not followed", ("follow", "dissent", "depart"),
        rf"(?:declines?|refuses?|do(?:es)?\s+not|cannot|(?:am|are)\s+unable)\s+{_NOT_FOLLOW}|dissents?\s+from|"
        r"departs?\s+from",
        rf"(?:declined|refused|did\s+not)\s+{_NOT_FOLLOW}|dissented\s+from|departed\s+from",
        rf"(?:declining|refusing)\s+{_NOT_FOLLOW}|dissenting\s+from|departing\s+from|not\s+following",
    ),
    _Verb(
        "doubted", ("doubt", "into question"), r"doubts?(?:\s+whether)?|casts?\s+doubts?\s+(?:up)?on",
        r"doubted|cast\s+(?:\w+\s+)?doubts?\s+(?:up)?on|called\s+into\s+question",
        r"doubting|casting\s+doubts?\s+(?:up)?on",
    ),
    _Verb("distinguished", ("distinguish",), "distinguish(?:es)?", "distinguished", "distinguishing"),
    _Verb("affirmed", ("affirm", "aff'", "aff’"), "affirms?", r"affirmed|aff['’]d", r"affirming|aff['’]g"),
    _Verb(
        "approved", ("approv",), r"(?<!dis)approves?(?:\s+of)?", r"(?<!dis)approved(?:\s+of)?",
        r"(?<!dis)approving(?:\s+of)?",
    ),
    _Verb("applied", ("appl",), "appl(?:y|ies)", "applied", "applying"),
    _Verb("followed", ("follow",), "follows?", "followed", "following"),
    _Verb("considered", ("consider",), "considers?",
        r"considered(?!\s+(?:per|as|to|an?|wrong|good|bad|binding|authority)\b)", "considering"),
)  # fmt: skip
NEGATIVE: frozenset[TreatmentKind] = frozenset(
    {"overruled", "reversed", "vacated", "superseded", "disapproved", "not followed", "doubted"}
)
"""What warns a reader off an authority."""

_FLAGS = re.IGNORECASE
_NO_CHAIN = frozenset({"considered", "applied", "doubted", "approved", "not followed"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A treatment found in a line: the signs it is of, the sign that treats them (``by`` is "sign")."""

    kind: TreatmentKind
    targets: tuple[str, ...]
    by: Agent
    agent: str
    extent: str


_Reader = Callable[[str, re.Match[str], TreatmentKind], Phrase | None]


@dataclass(frozen=True, slots=True)
class _Rule:
    stems: tuple[str, ...]
    pattern: re.Pattern[str]
    kind: TreatmentKind
    read: _Reader


def phrases(line: str) -> list[Phrase]:
    """The treatments that a line states as its writer's own knowledge or decision."""
    folded = line.casefold()
    found: list[Phrase] = []
    for rule in _RULES:
        if not any(stem in folded for stem in rule.stems):
            continue
        for match in rule.pattern.finditer(line):
            phrase = rule.read(line, match, rule.kind)
            if phrase is not None:
                found.append(phrase)
    # "¤, rev'd, ¤, rev'd, ¤": the second reversal undoes the first.
    undone = {sign for each in found if each.kind in ("reversed", "vacated") for sign in each.targets}
    return [each for each in found if not (each.kind in NEGATIVE and each.agent and each.agent in undone)]


# -- readers of matches ------------------------------------------------------------------------------------

_NOT_MEANT = re.compile(
    r"\b(?:may|might|could|would|will|likely|can|if|unless|cannot|not|never|no)\b|n['’]t\b", _FLAGS
)
_PAST = re.compile(r"\b(?:was|were|been|since|later|subsequently)\b", _FLAGS)
_HELD = re.compile(r"\b(?:must|should|ought|stands?|hereby|accordingly|now)\b", _FLAGS)
_CASE_OF = re.compile(r"(?:the\s+)?cases?\s+of\s+$", _FLAGS)
_INSIDE = re.compile(r"\b(?:in|of|by|from|under|at|to|with|on)\s+$", _FLAGS)
_HEADED = re.compile(
    rf"\b{_HEAD}\s+(?:\([^()]{{0,40}}\)\s+)?{_INNER}{{0,9}}?(?:in|of|by|from|under)\s+$|so\s+much\s+of\s+$",
    _FLAGS,
)
_PART = re.compile(r"\b(?:some|that|a)\s+part\s+of\s+(?:the\s+)?[^;]{0,60}$|\bpartly\b|\bpartially\b", _FLAGS)
_ADJECTIVE = re.compile(
    r"\b(?:the|an?|oft|often|off|this|said|same|is|are|was|were|be|been|being|and|to|been\s+\w+ly)\s+(?:\w+ly\s+)?$",
    _FLAGS,
)
_OWN = re.compile(
    rf"\b(?:we|I|this\s+court)\b\s*(?:(?:would|must|do|hereby|shall|will|can(?:not)?|am|are)\s+)?{_ADVERBS}{{0,3}}$",
    _FLAGS,
)
_OWN_WHOLE = re.compile(rf"\b(?:we|I)\b\s*(?:(?:would|must|do|have)\s+)?{_ADVERBS}{{0,3}}$", _FLAGS)
_TURN = re.compile(r"\b(?:but|while|whereas|although|though|however|because|and|that)\b", _FLAGS)
_SHORTENED = re.compile(r"\b(?:rev|aff)['’]d\b", _FLAGS)
_HISTORY = re.compile(rf"{SIGN}\s*[,;]\s*$")
_OF_HISTORY = re.compile(r"\b(?:rev|aff)['’]d\b|\bvacated\b", _FLAGS)
_AFTER = re.compile(r"^[\s,]*(?:if|unless|were\b|or\s+not)|^[^;]{0,60}\breinstated\b", _FLAGS)


def _phrase(match: re.Match[str], kind: TreatmentKind, by: Agent, agent: str | None = "") -> Phrase | None:
    agent = agent or ""
    targets = tuple(char for char in match["target"] if FIRST <= char <= LAST and char != agent)
    if not targets or _AFTER.search(match.string[match.end() : match.end() + 90]):
        return None
    return Phrase(kind, targets, by, agent, _extent_of(match))


def _extent_of(match: re.Match[str]) -> str:
    said = (match["extent"] or "").casefold()
    if "ground" in said or "respects" in said:
        return "on other grounds"
    before = match.string[max(0, match.start("target") - 80) : match.start("target")]
    return "in part" if said.strip(" ,") or _PART.search(before) or _PART.search(match.group()) else ""


def _is_subject(line: str, start: int) -> bool:
    """Whether the authority at ``start`` is itself the subject, or its decision, rule, view …"""
    before = _CASE_OF.sub("", line[max(0, start - 160) : start])
    return _INSIDE.search(before) is None or _HEADED.search(before) is not None


# What an appeal does to a judgment: "the order in ¤ was reversed" is mostly an order that ¤ reversed.
_ON_APPEAL = frozenset({"reversed", "vacated", "affirmed"})


def _passive(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "¤ was overruled by ¤"."""
    if not _is_subject(line, match.start()) or _NOT_MEANT.search(match["gap"]):
        return None
    if spoken_for_another(line, match.start()):
        return None
    if match["agent"]:
        return _phrase(match, kind, "sign", match["agent"])
    if kind in _ON_APPEAL and _INSIDE.search(line[max(0, match.start() - 20) : match.start()]):
        return None
    other = (match["other"] or "").casefold()
    if other.startswith(("us", "this judg", "our ")):
        return _phrase(match, kind, "this")
    past = _PAST.search(match["gap"]) is not None and _HELD.search(match["gap"]) is None
    return _phrase(match, kind, "other" if other or past else "this")


def _active(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "we overrule ¤", "¤ overruled ¤", "In ¤ the court, overruling ¤, held …"."""
    start = match.start()
    before = line[max(0, start - 120) : start]
    if denied(line, start) or spoken_for_another(line, start):
        return None
    if "past" in match.re.groupindex and (_ADJECTIVE.search(before) or match["past"][0].isupper()):
        return None  # "the doubted decision"; "Applied Genetics v …"
    said = line[start : match.start("target")]
    if kind in _ON_APPEAL and (_INSIDE.search(said) or _SHORTENED.match(said) or _HISTORY.search(before)):
        return None
    if match["agent"]:
        return _phrase(match, kind, "sign", match["agent"])
    subject = _subject(line, start)
    if _OWN_WHOLE.search(before):
        past = "past" in match.re.groupindex
        return _phrase(match, kind, "other" if past and subject is None else "this")
    if subject is not None:
        return _phrase(match, kind, "sign", subject)
    if "present" in match.re.groupindex:
        return _phrase(match, kind, "this") if _OWN.search(before) else None
    return _phrase(match, kind, "other")


def _subject(line: str, start: int) -> str | None:
    """The sign that is the subject of what begins at ``start``, or the judgment "in" which it happens."""
    clause = re.split(r"[;:]", line[max(0, start - 200) : start])[-1]
    for back, char in enumerate(reversed(clause)):
        if FIRST <= char <= LAST:
            between = line[start - back : start]
            place = start - back - 1
            inside = re.search(r"\bin\s+$", line[max(0, place - 6) : place], _FLAGS)
            if inside is None and len(between) > 80:
                return None
            return None if _TURN.search(between) else char
    return None


def _chain(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "¤, rev'd, ¤" and "¤ (overruled by ¤)"."""
    if match["agent"] and not match["extent"] and match.start("agent") > match.end("extent") >= 0:
        verb = line[match.end("target") : match.end("extent")]
        if not line[match.end("extent") : match.start("agent")].strip() and not _OF_HISTORY.search(verb):
            return None  # "¤, disapproved ¤" says what the first did
    return _phrase(match, kind, "sign" if match["agent"] else "other", match["agent"])


def _judged(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "¤ was wrongly decided"."""
    if not _is_subject(line, match.start()) or spoken_for_another(line, match.start()):
        return None
    if _NOT_MEANT.search(match["gap"]):
        return None
    if match["agent"]:
        return _phrase(match, kind, "sign", match["agent"])
    return _phrase(match, kind, "other" if kind == "overruled" else "this")


def _own_doubt(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "I doubt whether ¤ was correctly decided"."""
    return None if spoken_for_another(line, match.start()) else _phrase(match, kind, "this")


# -- the rules ---------------------------------------------------------------------------------------------


def _rules_of(verb: _Verb) -> Iterator[tuple[str, _Reader]]:
    kind = verb.kind
    passive = r"not\s+followed|dissented\s+from|departed\s+from" if kind == "not followed" else verb.past
    target = rf"(?P<target>{_LIST}){_TAIL}"
    yield rf"{target}{_GAP}(?:{passive})\b{_EXTENT}{_AGENT}", _passive
    if kind == "superseded":
        yield (
            rf"(?P<target>{SIGN})[\s,(]+{_ADVERBS}?(?:{verb.past})\b(?P<extent>[^{FIRST}-{LAST};]{{0,60}})"
            rf"(?:(?<=by )(?P<agent>{SIGN}))?",
            _chain,
        )
        return
    if kind not in _NO_CHAIN:
        yield (
            rf"(?P<target>{SIGN}(?:\s+and\s+{SIGN})?)\s*[,;(]\s*{_ADVERBS}?"
            rf"(?:aff(?:['’]d|irmed)\s+in\s+part(?:,|,?\s+and)\s+)?(?:{verb.past})\b{_EXTENT}"
            r"(?:[\s,]+(?:(?:by|in|sub\s+nom\.?|per\s+curiam|mem\.?|en\s+banc|(?:and|as)\s+\w+|\w+\s+in\s+part)[\s,]+)"
            rf"{{0,3}}{_UNREAD_NAME}(?=(?P<agent>{SIGN})))",
            _chain,
        )
    yield (
        rf"(?P<target>{SIGN})\s*\(\s*{_ADVERBS}?(?:{passive})\b{_EXTENT}\s+(?:by|in)\s+(?:{_WORD}){{0,6}}?(?P<agent>{SIGN})",
        _chain,
    )
    yield (
        rf"(?P<agent>{SIGN})\s*[,(]\s*{_ADVERBS}?(?:{verb.gerund})\b(?P<extent>)\s+(?:both\s+)?{_OBJECT}",
        _chain,
    )
    whole = r"(?<![\w'’-])"
    noun = r"(?<!the\s)(?<!as\s)(?<!years\s)(?<!\bin\s)(?<!decisions\s)(?<!cases\s)"
    yield rf"{whole}(?P<present>{verb.present})\b(?P<extent>)\s+(?:both\s+)?{_OBJECT}{_IN}", _active
    yield rf"{whole}(?P<past>{verb.past})\b(?P<extent>)\s+(?:both\s+)?{_OBJECT}{_IN}", _active
    yield rf"{whole}{noun}(?:{verb.gerund})\b(?P<extent>)\s+(?:both\s+)?{_OBJECT}{_IN}", _active


def _rules() -> Iterator[_Rule]:
    def rule(stems: tuple[str, ...], pattern: str, kind: TreatmentKind, read: _Reader) -> _Rule:
        return _Rule(stems, re.compile(pattern, _FLAGS), kind, read)

    for verb in _VERBS:
        for pattern, read in _rules_of(verb):
            yield rule(verb.stems, pattern, verb.kind, read)
    target = rf"(?P<target>{_LIST}){_TAIL}"
    gap = rf"(?P<gap>,?\s+(?:which\s+|that\s+)?{_GAP_WORD}{{0,7}}?)"
    be = rf"(?:is|are|was|were|be|been|as|being|remains?)\s+{_ADVERBS}?"
    held = r"(?:(?:held|taken|regarded|treated)\s+(?:as|to\s+be|to\s+have\s+been)\s+)?"
    yield rule(
        ("good law", "good authority"),
        rf"{target}{gap}{be}no\s+longer\s+(?:a\s+)?good\s+(?:law|authority)\b{_EXTENT}{_AGENT}",
        "overruled",
        _judged,
    )
    yield rule(
        ("law", "proposition"),
        rf"{target}{gap}(?:{be}(?:not\s+(?:a\s+)?(?:good|correct)\s+law|bad\s+law)|(?:does|do|did|has|have|had)\s+not\s+"
        r"(?:lay|laid|state|stated)\s+(?:down\s+)?(?:the\s+|a\s+)?(?:correct|good|true|right)\s+"
        r"(?:position\s+(?:of|in)\s+)?(?:law|proposition)|cannot\s+(?:any\s+longer\s+)?be\s+"
        r"(?:regarded|treated|considered|accepted|held)\s+(?:as\s+)?(?:laying\s+down\s+)?(?:to\s+be\s+)?(?:a\s+|the\s+)?"
        rf"(?:good|correct)\s+law)\b{_EXTENT}{_AGENT}",
        "disapproved",
        _judged,
    )
    yield rule(
        ("incuriam", "decided", "wrong in law"),
        rf"{target}{gap}{be}{held}(?:(?:rendered\s+|decided\s+|given\s+|made\s+)?per\s+incuriam|"
        r"(?:wrongly|incorrectly|erroneously)\s+decided|not\s+(?:correctly|rightly)\s+decided|wrong\s+in\s+law)\b"
        rf"{_EXTENT}{_AGENT}",
        "disapproved",
        _judged,
    )
    yield rule(
        ("doubt", "question"),
        rf"\b(?:we|I)\s+{_ADVERBS}?(?P<extent>)(?:doubt|question)\s+(?:whether|if|that|the\s+correctness\s+of)\s+{_OBJECT}"
        r"(?:\s+(?:[\w'’]+\s+){0,5}?(?:correct|right|rightly|correctly|sound|good)\b)",
        "doubted",
        _own_doubt,
    )
    yield rule(
        ("distinguishable",),
        rf"{target}(?P<gap>,?\s+(?:which\s+)?(?:is|are|was|were)\s+){_ADVERBS}{{0,2}}(?:\w+ly\s+)?(?P<extent>)"
        rf"distinguishable\b{_AGENT}",
        "distinguished",
        _judged,
    )
    yield rule(
        ("approval",),
        rf"(?P<target>{SIGN})(?P<gap>[^{FIRST}-{LAST};]{{0,60}}?)\b(?:quoted|cited|referred\s+to|noticed|followed|"
        rf"relied\s+(?:up)?on)\s+with\s+approval\b(?P<extent>){_AGENT}",
        "approved",
        _passive,
    )


_RULES: tuple[_Rule, ...] = tuple(_rules())
