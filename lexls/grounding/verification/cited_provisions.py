"""Compare the provisions that a sentence and its quotation name where leaving one out is no matter of words.

Provisions in one list stand together. The Act behind a provision may be left out, and so may the provision
under which somebody comes to court, unless the question asks about another.
"""

from __future__ import annotations

import re

from lexls.grounding.verification.particulars import Provision, find_provisions
from lexls.grounding.verification.vocabulary import PROCEEDINGS

_ACT = re.compile(
    r"\b(?:of|in|under) the (?:(?:[A-Z][\w’']+|and|of) ){1,8}(?:Act|Code|Rules|Regulations|Constitution)"
    r"\b(?: \d{4})?"
)
_APPLICATION = re.compile(
    rf"(?:On|In|For|Upon) (?:an?|any|the|every) ({'|'.join(sorted(PROCEEDINGS))}) (?:brought |made )?under "
    r"(?:section|s\.|rule|article|regulation|clause|paragraph|order) \d+[\w()]*"
    r"(?: of (?:the (?:[A-Z][\w’']+ ){1,6}(?:Act|Code|Rules|Regulations)(?: \d{4})?|this Act))?,? ",
)
"""An opening that says under which provision somebody comes to court; group 1 is with what."""
_LIST = re.compile(r"\s?(?:,|;|\band\b|,\s?and\b)\s?")


def find_missing_provisions(sentence: str, quotation: str) -> tuple[str, ...]:
    """The provisions that ``sentence`` leaves out of a list of ``quotation`` of which it names others:
    "sections 4 and 5" for "sections 4, 5 and 9"."""
    said = find_provisions(sentence)
    lists: list[list[Provision]] = []
    for each in find_provisions(quotation) if said else ():
        if lists and _LIST.fullmatch(quotation, lists[-1][-1].span.end, each.span.start):
            lists[-1].append(each)
        else:
            lists.append([each])
    missed: list[str] = []
    for listed in lists:
        left = [each for each in listed if not any(each.path == other.path for other in said)]
        missed += [each.span.of(quotation) for each in left if len(left) < len(listed)]
    return tuple(missed)


def find_application(quotation: str, sentence: str) -> re.Match[str] | None:
    """The opening of ``quotation`` that only names the provision applied under, if ``sentence`` has none."""
    return None if _APPLICATION.match(sentence) else _APPLICATION.match(quotation)


def is_asked_for(application: re.Match[str], question: str) -> bool:
    """Whether ``question`` asks about no other provision or proceedings than ``application`` names, a match
    of ``find_application``."""
    named = find_provisions(application.group())
    asked = {each.removesuffix("s") for each in question.casefold().rstrip("?.").split()} & PROCEEDINGS
    known = (any(each.is_named_by(other) for other in named) for each in find_provisions(question))
    return asked <= {application[1].casefold()} and all(known)


def remove_acts(text: str, other: str) -> str:
    """``text`` without the Acts behind its provisions that ``other`` does not name."""
    return _ACT.sub(lambda match: match.group() if match.group() in other else "", text)
