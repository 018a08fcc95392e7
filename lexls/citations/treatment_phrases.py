"""The phrases by which courts say how they treat an authority.

They are read in a *line*: one sentence in which each cited authority is a single sign between ``FIRST`` and
``LAST``, so that "the decision in *Pell v Stark* (1990) 1 AC 5 was overruled by …" is a short thing to match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

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
    "approved",
    "affirmed",
    "applied",
    "followed",
    "cited",
]
Agent = Literal["this", "other", "sign"]
"""Who treats: the document itself, another authority that the sentence does not name, or one it names."""

FIRST, LAST = "\ue000", "\uf8ff"
SIGN = f"[{FIRST}-{LAST}]"

_LIST = rf"{SIGN}(?:(?:\s*[,;]\s*|,?\s+(?:and|or|&|as\s+well\s+as)\s+)(?:(?:also\s+)?in\s+)?{SIGN}){{0,6}}"
_HEAD = (
    r"(?:decisions?|judge?ments?|cases?|rulings?|holdings?|rules?|opinions?|views?|law|principles?|ratio|reasoning|"
    r"dict(?:um|a)|observations?|statements?|propositions?|doctrine|authorit(?:y|ies)|approach|tests?|analysis|"
    r"conclusions?|correctness|soundness|orders?|precedents?|interpretation|construction)"
)
_WORDS = r"(?:[\w'’./&-]+\s+)"
# "the decision of the Division Bench in ¤", "so much of ¤", "¤ and ¤", "¤'s case".
_OBJECT = (
    rf"(?:(?:{_WORDS}{{0,5}}?{_HEAD}\s+(?:\([^()]{{0,40}}\)\s+)?{_WORDS}{{0,9}}?(?:in|of|by|from|under)\s+"
    rf"(?:the\s+cases?\s+of\s+)?|so\s+much\s+of\s+)?(?P<target>{_LIST})"
    rf"(?:['’]s?)?(?:\s+(?:\(supra\)|{_HEAD}(?!\w)))?)(?!['’]s)"
)
_ADVERBS = (
    r"(?:(?:also|since|now|hereby|expressly|specifically|impliedly|implicitly|explicitly|subsequently|later|thus|"
    r"accordingly|therefore|clearly|easily|readily|rightly|in\s+terms|in\s+effect|effectively|largely|"
    r"necessarily|partly|partially|further|however|again|unanimously|recently|in\s+turn|so|to\s+that\s+extent|"
    r"to\s+this\s+extent|in\s+so\s+far|of\s+course|then|itself|,)\s+)"
)
_EXTENT = (
    r"(?P<extent>(?:,?\s*(?:on\s+(?:an)?other\s+grounds?|on\s+(?:a\s+)?different\s+grounds?|in\s+part|partly|partially|"
    r"on\s+(?:that|this|another)\s+(?:point|ground|issue)|to\s+(?:the|this|that)\s+extent|insofar|in\s+so\s+far))*)"
)
_AGENT = (
    rf"(?:[\s,]+(?:by|in)\s+(?P<by>(?:[\w'’./&,()-]+\s+){{0,12}}?(?:(?:in|of)\s+)?(?P<agent>{SIGN})|"
    r"(?P<other>[^\s.;]+(?:\s+[^\s.;]+){0,3})))?"
)

# A verb's forms: (base, third person, past, participle and gerund as regular expressions).
_VERBS: dict[TreatmentKind, tuple[str, str, str]] = {
    "overruled": ("overrules?|abrogates?", "over-?ruled|abrogated", "over-?ruling|abrogating"),
    "reversed": ("reverses?", r"reversed|rev['’]d", r"reversing|rev['’]g"),
    "vacated": ("vacates?", "vacated", "vacating"),
    "superseded": ("supersedes?", "superseded|superceded", "superseding"),
    "disapproved": (
        r"disapproves?(?:\s+of)?",
        r"disapproved(?:\s+of)?",
        r"disapproving(?:\s+of)?",
    ),
    "not followed": (
        r"(?:declines?|refuses?|do(?:es)?\s+not|cannot|am\s+unable|are\s+unable)\s+(?:to\s+)?follow|dissents?\s+from|"
        r"departs?\s+from",
        r"(?:declined|refused|did\s+not)\s+(?:to\s+)?follow|dissented\s+from|departed\s+from",
        r"(?:declining|refusing)\s+to\s+follow|dissenting\s+from|departing\s+from|not\s+following",
    ),
    "doubted": (
        r"doubts?(?:\s+whether)?|casts?\s+doubts?\s+(?:up)?on",
        r"doubted|cast\s+(?:some\s+|serious\s+|grave\s+|considerable\s+)?doubts?\s+(?:up)?on|called\s+into\s+question",
        r"doubting|casting\s+doubts?\s+(?:up)?on",
    ),
    "distinguished": (r"distinguish(?:es)?", "distinguished", "distinguishing"),
    "affirmed": (r"affirms?", r"affirmed|aff['’]d", r"affirming|aff['’]g"),
    "approved": (
        r"approves?(?:\s+of)?",
        r"approved(?:\s+of)?",
        r"approving(?:\s+of)?",
    ),
    "applied": (r"appl(?:y|ies)", "applied", "applying"),
    "followed": ("follows?", "followed", "following"),
    "considered": ("considers?", "considered", "considering"),
}
NEGATIVE: frozenset[TreatmentKind] = frozenset(
    {"overruled", "reversed", "vacated", "superseded", "disapproved", "not followed", "doubted"}
)
"""What warns a reader off an authority."""

_FLAGS = re.IGNORECASE
_DIRECT = r"(?:both\s+|all\s+|expressly\s+|in\s+terms\s+)?"
_OWN = r"(?:we|I|this\s+court|the\s+court|their\s+lordships|this\s+bench)"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A treatment found in a line: the signs it is of, the sign that treats them (``by`` is "sign").

    ``[start, end)`` is the phrase in the line.
    """

    kind: TreatmentKind
    targets: tuple[str, ...]
    by: Agent
    agent: str
    extent: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    kind: TreatmentKind
    read: Callable[[str, re.Match[str], TreatmentKind], Phrase | None]


def phrases(line: str) -> Iterator[Phrase]:
    """The treatments that a line states as its writer's own knowledge or decision."""
    for rule in _RULES:
        for match in rule.pattern.finditer(line):
            found = rule.read(line, match, rule.kind)
            if found is not None:
                yield found


# -- what does not count -----------------------------------------------------------------------------------

_ATTRIBUTED = re.compile(
    r"\b(?:counsel|submi(?:t|ts|tted|tting|ssions?)|conten(?:d|ds|ded|tions?|ding)|argu(?:e|es|ed|ing|ments?)|"
    r"urg(?:e|es|ed|ing)|invit(?:e|es|ed|ing|ation)|ask(?:s|ed|ing)?|request(?:s|ed)?|claim(?:s|ed)?|"
    r"maintain(?:s|ed)?|assert(?:s|ed|ion)?|suggest(?:s|ed|ion|ing)?|insist(?:s|ed)?|seeks?|sought|allege[sd]?|"
    r"believe[sd]?|plead(?:s|ed)?|according\s+to|appellants?|respondents?|petitioners?|plaintiffs?|defendants?|"
    r"government|solicitor|advocate|amici|commentators?|dissent(?!(?:s|ed|ing)?\s+from)\w*|minority|"
    r"learned\s+(?:single\s+)?judge)\b",
    _FLAGS,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|unless|whether|assuming|suppos\w+|may|might|could|hypothe\w+|would\s+have|had\s+been|possib\w+|"
    r"as\s+though|question|perhaps|arguabl[ey]|until|purport\w*)\b",
    _FLAGS,
)
_DENIED = re.compile(
    r"\b(?:not|never|nor|neither|cannot|can['’]t|without|n['’]t|hardly|nothing|no|none|refus\w+\s+to|declin\w+\s+to|unable\s+to|"
    r"need\s+not|rather\s+than|far\s+from|instead\s+of|nowhere)\b",
    _FLAGS,
)
_TO = re.compile(r"\bto\s+(?:\w+ly\s+)?$", _FLAGS)
_NOT_MODAL = re.compile(r"\b(?:may|might|could|would|can|if|unless|cannot|not|never|n['’]t|no)\b", _FLAGS)


def _spoken_for_another(line: str, start: int) -> bool:
    """Whether what begins at ``start`` is a submission, a condition or a question."""
    before = line[:start]
    return (
        line.rstrip().endswith("?")
        or _ATTRIBUTED.search(before) is not None
        or _HYPOTHETICAL.search(before[-90:]) is not None
    )


def _denied(line: str, start: int) -> bool:
    """Whether the words right before ``start`` deny or merely intend what follows."""
    before = re.split(f"[;{FIRST}-{LAST}]", line[max(0, start - 60) : start])[-1]
    return _DENIED.search(before[-40:]) is not None or _TO.search(before) is not None


# -- readers of matches ------------------------------------------------------------------------------------


def _targets(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(char for char in match["target"] if FIRST <= char <= LAST)


def _extent_of(match: re.Match[str]) -> str:
    said = (match["extent"] or "").casefold()
    if "ground" in said:
        return "on other grounds"
    if said.strip(" ,"):
        return "in part"
    return "in part" if re.search(r"\b(?:partly|partially|in\s+part)\b", match.group(), _FLAGS) else ""


def _phrase(
    match: re.Match[str], kind: TreatmentKind, by: Agent, agent: str = "", *, targets: tuple[str, ...] = ()
) -> Phrase | None:
    wanted = tuple(sign for sign in (targets or _targets(match)) if sign != agent)
    if not wanted:
        return None
    return Phrase(kind, wanted, by, agent, _extent_of(match), match.start(), match.end())


def _passive(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "¤ was overruled by ¤"."""
    if _spoken_for_another(line, match.start()) or _NOT_MODAL.search(match["gap"]):
        return None
    agent = match["agent"]
    if agent:
        # "overruled in this case as ¤ shows": only what stands right behind "by" or "in" is the agent.
        return _phrase(match, kind, "sign", agent)
    before = _subject(line, match.start(), near=True)
    if before and re.search(r"\b(?:in|by)\s+$", line[: before[1]][-12:], _FLAGS):
        return _phrase(match, kind, "sign", before[0])
    gap = match["gap"].casefold()
    other = (match["other"] or "").casefold()
    past = re.search(r"\b(?:was|were|been|since|later|subsequently)\b", gap) is not None
    held = re.search(r"\b(?:must|should|ought|stands?|hereby|accordingly)\b", gap) is not None
    if other.startswith(("us ", "this judg", "our judg")):
        return _phrase(match, kind, "this")
    return _phrase(match, kind, "other" if other or (past and not held) else "this")


def _active(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "we overrule ¤", "¤ overruled ¤", "In ¤ the court, overruling ¤, held …"."""
    if _denied(line, match.start()) or _spoken_for_another(line, match.start()):
        return None
    if re.search(r"\b(?:was|were|is|are|be|been|being|and)\s+$", line[: match.start()], _FLAGS) and (
        "past" in match.re.groupindex
    ):
        return None  # "the motion was overruled", "was cited and followed"
    agent = match["agent"]
    if agent:
        return _phrase(match, kind, "sign", agent)
    before = _subject(line, match.start())
    if before is not None:
        sign, end = before
        between = line[end : match.start()]
        if re.search(rf"\b{_OWN.replace('the', 'xx')}\b\s*{_ADVERBS}{{0,3}}$", between, _FLAGS) is None:
            return _phrase(match, kind, "sign", sign)
        if re.search(r"\bin\s+$", line[: end - 1][-6:], _FLAGS):
            return _phrase(match, kind, "sign", sign)  # "In ¤, this court overruled ¤"
    own = re.search(
        rf"\b(?:we|I|this\s+court)\b\s*(?:(?:would|must|do|hereby|shall|will)\s+)?{_ADVERBS}{{0,3}}$",
        line[: match.start()],
        _FLAGS,
    )
    if "base" in match.re.groupindex:
        return _phrase(match, kind, "this") if own else None
    return _phrase(match, kind, "other")


def _subject(line: str, start: int, near: bool = False) -> tuple[str, int] | None:
    """The sign that is the subject of what begins at ``start``: the last one before it in its clause."""
    clause = re.split(r"[;:]", line[:start])[-1]
    for back, char in enumerate(reversed(clause)):
        if back > (60 if near else 160):
            return None
        if FIRST <= char <= LAST:
            between = line[start - back : start]
            if re.search(r"\b(?:but|while|whereas|although|though|however|because)\b", between, _FLAGS):
                return None
            return char, start - back
    return None


def _chain(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "¤, rev'd, ¤" and "¤ (overruled by ¤)"."""
    later = match["agent"]
    if later:
        return _phrase(match, kind, "sign", later)
    return _phrase(match, kind, "other")


def _backwards(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "¤, aff'g ¤" and "¤ (overruling ¤)"."""
    return _phrase(match, kind, "sign", match["agent"])


def _judged(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    """ "¤ is no longer good law"."""
    if _spoken_for_another(line, match.start()):
        return None
    return _passive(line, match, kind) if match["agent"] else _phrase(match, kind, "this")


# -- the rules ---------------------------------------------------------------------------------------------

_GAP = r"(?P<gap>,?\s+(?:which\s+|that\s+)?(?:[\w'’]+,?\s+){0,7}?)"
_BE = (
    r"(?:is|are|was|were|be|been|being|stands?|stood)\s+"
    r"(?:(?:taken|held|treated|regarded|considered|deemed)\s+(?:as|to\s+be|to\s+have\s+been|as\s+having\s+been)\s+)?"
)


def _rules() -> Iterator[_Rule]:
    def rule(
        pattern: str,
        kind: TreatmentKind,
        read: Callable[[str, re.Match[str], TreatmentKind], Phrase | None],
    ) -> _Rule:
        return _Rule(re.compile(pattern, _FLAGS), kind, read)

    for kind, (base, past, gerund) in _VERBS.items():
        passive = r"not\s+followed|dissented\s+from|departed\s+from" if kind == "not followed" else past
        before = r"(?<!not\s)" if kind == "followed" else ""
        yield rule(
            rf"{_OBJECT}(?P<gap>,?\s+(?:which\s+|that\s+)?(?:[\w'’]+,?\s+){{0,7}}?{_BE}{_ADVERBS}{{0,2}})"
            rf"{before}(?:{passive})\b{_EXTENT}{_AGENT}",
            kind,
            _passive,
        )
        if kind == "superseded":
            yield rule(
                rf"(?P<target>{SIGN})[\s,(]+{_ADVERBS}?(?:{past})\b{_EXTENT}[\s,]*(?:by\s+)?(?:statute|rule|regulation|"
                rf"constitutional\s+amendment)?{_EXTENT.replace('extent', 'extent2')}"
                rf"(?:[\s,]+(?:as\s+(?:stated|recognized|recognised)\s+(?:in|by)\s+)?(?P<agent>{SIGN}))?",
                kind,
                _chain,
            )
            continue
        if kind not in ("considered", "applied", "doubted", "approved", "not followed"):
            yield rule(
                rf"(?P<target>{SIGN}(?:\s+and\s+{SIGN})?)\s*(?:,|\()\s*{_ADVERBS}?(?:{past})\b{_EXTENT}"
                rf"(?:[\s,]+(?:(?:by|in|sub\s+nom\.?|per\s+curiam|mem\.?|en\s+banc|and\s+remanded)[\s,]+){{0,3}}"
                rf"(?P<agent>{SIGN}))",
                kind,
                _chain,
            )
        yield rule(
            rf"(?P<agent>{SIGN})\s*(?:,|\()\s*{_ADVERBS}?(?:{gerund})\b(?P<extent>)\s+{_DIRECT}{_OBJECT}",
            kind,
            _backwards,
        )
        whole = r"(?<![\w'’-])"
        noun = r"(?<!the\s)(?<!as\s)(?<!years\s)(?<!in\s)(?<!decisions\s)(?<!cases\s)"
        yield rule(rf"{whole}(?P<base>{base})\b(?P<extent>)\s+{_DIRECT}{_OBJECT}{_AGENT_IN}", kind, _active)
        yield rule(rf"{whole}(?P<past>{past})\b(?P<extent>)\s+{_DIRECT}{_OBJECT}{_AGENT_IN}", kind, _active)
        yield rule(rf"{whole}{noun}(?:{gerund})\b(?P<extent>)\s+{_DIRECT}{_OBJECT}{_AGENT_IN}", kind, _active)
    be = r"(?:is|are|was|were|be|been|as|being)"
    yield rule(
        rf"{_OBJECT}{_GAP}{be}\s+(?:no\s+longer\s+(?:a\s+)?good\s+(?:law|authority))\b{_EXTENT}{_AGENT}",
        "overruled",
        _law_gone,
    )
    yield rule(
        rf"{_OBJECT}{_GAP}(?:{be}\s+)?(?:not\s+(?:a\s+)?(?:good|correct)\s+law|bad\s+law|(?:does|do|did|has|have|had)\s+not\s+"
        rf"(?:lay|laid|lays|state|stated)\s+(?:down\s+)?(?:the\s+|a\s+)?(?:correct|good|true|right)\s+(?:position\s+(?:of|in)\s+)?(?:law|proposition)|"
        rf"cannot\s+(?:any\s+longer\s+)?be\s+(?:regarded|treated|considered|accepted|held)\s+(?:as\s+)?(?:laying\s+down\s+)?"
        rf"(?:to\s+be\s+)?(?:a\s+|the\s+)?(?:good|correct)\s+law)\b{_EXTENT}{_AGENT}",
        "disapproved",
        _judged,
    )
    yield rule(
        rf"{_OBJECT}{_GAP}{be}\s+(?:(?:held|taken|regarded|treated)\s+(?:as|to\s+be|to\s+have\s+been)\s+)?{_ADVERBS}?"
        rf"(?:(?:rendered\s+|decided\s+|given\s+|made\s+)?per\s+incuriam|(?:wrongly|incorrectly|erroneously|not\s+"
        rf"(?:correctly|rightly))\s+decided|wrong\s+in\s+law)\b{_EXTENT}{_AGENT}",
        "disapproved",
        _per_incuriam,
    )
    yield rule(
        rf"\b(?:we|I)\s+{_ADVERBS}?(?P<extent>)(?:doubt|question)\s+(?:whether|if|that|the\s+correctness\s+of)\s+{_OBJECT}"
        rf"(?:{_GAP}(?:correct|right|rightly|correctly|sound)\w*)?{_AGENT}",
        "doubted",
        _own_doubt,
    )
    yield rule(
        rf"{_OBJECT}{_GAP}(?:is|are|was|were|be)\s+(?P<extent>){_ADVERBS}{{0,2}}(?:\w+ly\s+)?distinguishable\b{_AGENT}",
        "distinguished",
        _judged,
    )
    yield rule(
        rf"(?P<target>{SIGN})(?P<gap>[^{FIRST}-{LAST};]{{0,60}}?)\b(?:quoted|cited|referred\s+to|noticed|followed|"
        rf"relied\s+(?:up)?on)\s+with\s+approval\b(?P<extent>){_AGENT}",
        "approved",
        _passive,
    )


_AGENT_IN = rf"(?:\s+in\s+(?P<agent>{SIGN}))?"


def _law_gone(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    if _spoken_for_another(line, match.start()) or re.search(r"\bnot\b", match["gap"]):
        return None
    return _phrase(match, kind, "sign", match["agent"]) if match["agent"] else _phrase(match, kind, "other")


def _per_incuriam(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    if _spoken_for_another(line, match.start()) or _NOT_MODAL.search(match["gap"]):
        return None
    return _phrase(match, kind, "sign", match["agent"]) if match["agent"] else _phrase(match, kind, "this")


def _own_doubt(line: str, match: re.Match[str], kind: TreatmentKind) -> Phrase | None:
    return None if _spoken_for_another(line, match.start()) else _phrase(match, kind, "this")


_RULES: tuple[_Rule, ...] = tuple(_rules())
