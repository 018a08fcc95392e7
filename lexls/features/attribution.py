"""Which of a draft's citations a quotation belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.features.quotations import Quotation
from lexls.features.resolve import Resolution
from lexls.text.spans import Span

_SIGNALS = (
    r"(?:but\s)?(?:see|compare|accord|contra|cf|cp)\b\.?,?"
    r"(?:\s(?:also|e\.\s?g\.|eg|generally|further|for example))?,?|e\.\s?g\.,?|citing"
)
_BEHIND = re.compile(
    rf"[\s.,;:!?…)\]”’\"'—–-]*(?:\((?:per\s)?[^().;:]{{0,60}}\)[\s,]*)?[\s(\[]*"
    rf"(?P<signal>{_SIGNALS})?(?:\s?\b(?:quoting|per|in|from|the|matter|interest|estate|application|of|re|ex|parte)\b){0, 6}[\s(\[]*",
    re.IGNORECASE,
)
_CHAIN = re.compile(
    rf"[\s.,;:()\[\]—–-]*(?:(?:{_SIGNALS}|quoting|quoted in|citing|and|with|aff’?d|cert\. denied|"
    rf"internal|quotation|marks|citations?|omitted|emphasis|added|same|per curiam|alterations?|original|in|"
    rf"brackets)"
    rf"[\s.,;:()\[\]—–-]*){{0,12}}",
    re.IGNORECASE,
)
_QUOTING = re.compile(r"\b(?:quoting|quoted|citing|cited)\b", re.IGNORECASE)
_VERBS = (
    r"said|says|say|held|holds|hold|stated|states|state|observed|observes|explained|explains|noted|notes|wrote|"
    r"writes|put it|puts it|concluded|concludes|declared|declares|found|ruled|rules|remarked|emphasi[sz]ed|"
    r"stressed|reasoned|recogni[sz]ed|recogni[sz]es|described|defined|defines|cautioned|warned|provides?|"
    r"provided|reads?|that|as follows|in these words|as|added|continued|quoted|reiterated|reaffirmed|"
    r"acknowledged|instructed|announced"
)
_SPEAKS = re.compile(
    rf"(?:\b(?:{_VERBS})\b(?:\sthat|\sas|\sthe|\sa|\san)?[\s,:—–]*|:\s*|[—–]\s*)$", re.IGNORECASE
)
_PARTY = re.compile(
    r"\b(?:argu\w{1,6}|conten\w{1,5}|claim(?:s|ed|ing)?|submit\w{0,5}|alleg\w{1,6}|assert\w{0,5}|testif\w{1,4}|"
    r"maintain(?:s|ed)?|petitioners?|respondents?|plaintiffs?|defendants?|appellants?|appellees?|counsel|"
    r"brief|complaint|indictment|affidavit|contract|agreement|lease|policy|letter|witness|e-?mail|"
    r"clause|deed|will|dictionary|stat(?:ute|utes)|section|act|rule|regulation|ordinance|amendment|constitution)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.?!]['\"”’)\]]{0,3}\s+['\"“‘(\[]{0,3}[A-Z]")
_ABBREVIATED = re.compile(
    r"(?:\b(?:v|vs|Mr|Mrs|Ms|Dr|No|Nos|Art|Arts|Sec|Inc|Co|Corp|Ltd|St|Hon|Rev|Stat|Const|[A-Z])|\b[A-Za-z]\.[A-Za-z])\.$"
)
_CITATION_SENTENCE = re.compile(rf"[\s(\[“]*(?:{_SIGNALS})?[\s(\[]*$", re.IGNORECASE)
_MOST_CHAINED = 6
_FAR = 160
"""Code points between a quotation and a citation, beyond which only a sentence ties them."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The citations that a quotation may come from.

    ``cited`` are those that it is attributed to; ``strong`` says that the draft leaves no doubt about it: the
    citation follows at once, or introduces the words. ``others`` are further citations near by, any of which
    may be where the words come from after all.
    """

    cited: tuple[Resolution, ...]
    strong: bool
    others: tuple[Resolution, ...]


def attribution(
    masked: str,
    paragraph: Span,
    quotation: Quotation,
    quotations: Sequence[Quotation],
    cited: Sequence[Resolution],
    marks: Sequence[Span] = (),
    cited_in_notes: Sequence[Sequence[Resolution]] = (),
) -> Attribution | None:
    """What a quotation between marks in ``paragraph`` belongs to; None if the draft does not say.

    ``masked`` is the whole masked draft; ``quotations`` and ``cited`` are the paragraph's, in order.
    ``marks`` are those of footnotes, with what each note cites.
    """
    outside = [
        each
        for each in cited
        if not any(other.outer.start <= each.citation.core.start < other.outer.end for other in quotations)
    ]
    behind = [each for each in outside if each.citation.core.start >= quotation.outer.end]
    before = [each for each in outside if each.citation.core.start < quotation.outer.start]
    noted = [
        each
        for mark, group in zip(marks, cited_in_notes, strict=True)
        if mark.start >= quotation.outer.start
        for each in group
    ]
    everything = (*outside, *(each for group in cited_in_notes for each in group))
    text = _without(masked, paragraph, quotations)

    def found(chosen: Sequence[Resolution], strong: bool) -> Attribution:
        others = tuple(each for each in everything if each not in chosen)
        return Attribution(tuple(chosen), strong, others)

    def between(start: int, end: int) -> str:
        return text[start - paragraph.start : max(start, end) - paragraph.start]

    next_gap = between(quotation.outer.end, behind[0].citation.span.start) if behind else ""
    if (
        behind
        and (match := _BEHIND.fullmatch(next_gap))
        and not _other_quotation(quotations, quotation, behind[0])
    ):
        return found(_chain(text, paragraph, behind), not match["signal"])
    mark = _mark_behind(text, paragraph, quotation, marks)
    if mark is not None and cited_in_notes[mark]:
        return found(cited_in_notes[mark], True)
    if before:
        gap = between(before[-1].citation.span.end, quotation.outer.start)
        if not _ends_sentence(gap):
            own = [
                each
                for each in before
                if not _ends_sentence(between(each.citation.span.end, quotation.outer.start))
            ]
            strong = len(gap) < _FAR and _SPEAKS.search(gap) is not None and _PARTY.search(gap) is None
            return found(own, strong)
    if noted and not _ends_sentence(between(quotation.outer.end, _first_mark(marks, quotation))):
        return found(noted[:_MOST_CHAINED], False)
    if behind:
        sentences = _sentence_ends(next_gap)
        if not sentences:
            return found(_chain(text, paragraph, behind), False)
        if len(sentences) == 1 and _CITATION_SENTENCE.fullmatch(next_gap[sentences[0] :]):
            return found(_chain(text, paragraph, behind), False)
    return None


def _first_mark(marks: Sequence[Span], quotation: Quotation) -> int:
    return next((mark.start for mark in marks if mark.start >= quotation.outer.start), quotation.outer.end)


def _without(masked: str, paragraph: Span, quotations: Sequence[Quotation]) -> str:
    """The paragraph with every quotation blanked."""
    pieces = []
    position = paragraph.start
    for each in quotations:
        pieces.append(masked[position : each.outer.start])
        pieces.append("_" * len(each.outer))
        position = each.outer.end
    pieces.append(masked[position : paragraph.end])
    return "".join(pieces)


def _other_quotation(quotations: Sequence[Quotation], quotation: Quotation, behind: Resolution) -> bool:
    return any(quotation.outer.end <= each.outer.start < behind.citation.core.start for each in quotations)


def _chain(text: str, paragraph: Span, behind: Sequence[Resolution]) -> list[Resolution]:
    """The first citation and those strung to it: parallel ones, "quoting …", further authorities."""
    chain = [behind[0]]
    for each in behind[1 : _MOST_CHAINED * 2]:
        end = max(known.citation.span.end for known in chain)
        gap = text[end - paragraph.start : max(end, each.citation.span.start) - paragraph.start]
        if len(gap) > _FAR or not (_CHAIN.fullmatch(gap) or _QUOTING.search(gap)):
            break
        chain.append(each)
    return chain


def _mark_behind(text: str, paragraph: Span, quotation: Quotation, marks: Sequence[Span]) -> int | None:
    """The footnote mark that stands right behind a quotation."""
    for place, mark in enumerate(marks):
        if mark.start >= quotation.outer.end:
            gap = text[quotation.outer.end - paragraph.start : mark.start - paragraph.start]
            return place if len(gap) <= 4 and not gap.strip(" .,;:!?)") else None
        if quotation.inner.start < mark.start and mark.end >= quotation.inner.end - 2:
            return place
    return None


def _ends_sentence(text: str) -> bool:
    return bool(_sentence_ends(text))


def _sentence_ends(text: str) -> list[int]:
    """Where sentences begin behind the ends in ``text``; an end at its very end counts too."""
    found = []
    for match in _SENTENCE_END.finditer(text + " A"):
        if not _ABBREVIATED.search(text[max(0, match.start() - 12) : match.start() + 1]):
            found.append(min(len(text), match.start() + 1))
    return found
