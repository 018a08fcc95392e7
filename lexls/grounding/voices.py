"""Whose words a sentence of a judgment reports: the court's own, or those of a party that it will answer."""

from __future__ import annotations

import re

_SAYS = (
    r"(?:submits?|submitted|contends?|contended|argues?|argued|says?|said|urges?|urged|alleges?|alleged|"
    r"maintains?|maintained|suggests?|suggested|asserts?|asserted|insists?|insisted|complains?|complained|"
    r"pleads?|pleaded|pled|invited?s?|relies|relied)"
)
_PARTY = (
    r"(?i:counsel|solicitors?|advocates?|attorneys?|appellants?|respondents?|plaintiffs?|defendants?|"
    r"petitioners?|claimants?|applicants?|prosecution|defen[cs]e|owners?|insurers?)"
)
_NAMED = r"(?:Mr|Mrs|Ms|Miss|Messrs|Sir|Dame)\.?\s[A-Z][\w’'-]{1,30}(?:\s(?:QC|KC|SC))?"
_APPOSITION = (
    r"(?:,?\s(?:appearing\s|acting\s)?(?:for|on\sbehalf\sof)\s(?:the\s)?[\w.’' -]{1,40}?)?"
    r"(?:,[^,.;:—]{1,60},|,)?"
)
_ADVERB = r"(?:\s(?:also|next|then|further|first|finally|strenuously|therefore|rightly|however|now|only))?"
_POINT = r"(?:submissions?|contentions?|arguments?|points?|case|complaint)"
_REPORTED = re.compile(
    rf"\b(?:{_PARTY}|{_NAMED}){_APPOSITION}{_ADVERB}\s{_SAYS}\b"
    r"|\b[Ii]t\s(?:is|was|has\sbeen|had\sbeen)(?:\s[a-z]{1,15}ly|\salso|\snext|\sthen|\sfurther)?\s"
    r"(?:submitted|contended|argued|urged|said\son\sbehalf)\b"
    rf"|\b(?:{_PARTY}|{_NAMED})(?:s?[’']s?)?\s(?:first|second|third|fourth|last|main|other|next)?\s?{_POINT}\s(?:is|are|was|were)\b"
    rf"|\b[A-Z][\w-]{{1,30}}[’']s?\s(?:answer|reply|{_POINT})\s(?:to\s(?:this|that|it)\s)?(?:is|was)\s(?:that|,)"
    r"|^\W{0,3}(?:\d{1,4}\W{1,3})?(?:His|Her|Their)\s(?:first|second|third|fourth|last|next)\s"
    rf"(?:{_POINT}\s)?(?:is|was)\b"
)
_ANSWERED = re.compile(
    r"\b(?:we|I|the court|this court)\s(?:would\s|cannot\s|do\snot\s|must\s)?"
    r"(?:reject|accept|agree|disagree|uphold|dismiss|hold|find|am\b|are\b)"
    r"|\b(?:rejected|well[\s-]founded|without\smerit|no\smerit|fails?|succeeds?|cannot\sbe\s(?:accepted|right))\b",
    re.IGNORECASE,
)


def reports_a_party(sentence: str) -> bool:
    """Whether a sentence tells what a party or counsel says, and not what the court holds.

    A sentence that answers what it reports ("We reject the submission that …") is the court's own. Told by
    its words alone: what a court reports without saying so is taken for its own.
    """
    line = " ".join(sentence.split())
    return _REPORTED.search(line) is not None and _ANSWERED.search(line) is None
