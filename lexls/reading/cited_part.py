"""Find the part of a sentence that a citation is cited for: each of several citations has its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from lexls.citations.citing_sentences import AGAINST, FEWEST_WORDS, clean_sentence, find_signal
from lexls.citations.model import Citation
from lexls.reading.draft import Draft
from lexls.reading.quotations import find_quotations
from lexls.text.phrases import load_patterns
from lexls.text.spans import Span, leave_out
from lexls.wording.prose import reports_a_party

_PATTERNS = load_patterns(__package__, "cited_part.toml")
_WORD = re.compile(r"[^\W\d_]{2,}")
_DIRECT = re.compile(r"(?:see|accord)?(?:,? ?(?:also|e\.? ?g))*\.?", re.IGNORECASE)
"""Signals behind which an authority is cited for the sentence itself."""
_POINTERS = frozenset({"case", "journal", "book", "other"})
"""Kinds that are only support; an Act that a sentence names is its matter too."""
_BEFORE = 3
"""Sentences before a citation sentence that are looked at: those between may be citation sentences too."""
_STRUNG = re.compile(r"\s*[;,]?\s*(?:and\s*)?$")


@dataclass(frozen=True, slots=True)
class CitedPart:
    """What a citation is cited for: ``text`` on one line, without citations.

    ``told`` says that the draft tells what the authority does or says ("(holding that …)", "In Carrow the
    court held …"), and not what the law or the case is. ``against`` that it is cited against this.
    """

    text: str
    told: bool
    against: bool = False


@dataclass(frozen=True, slots=True)
class _Cited:
    """One authority in a sentence: its mention and the explanation behind it (empty if there is none)."""

    span: Span
    aside: Span

    @property
    def end(self) -> int:
        return max(self.span.end, self.aside.end)


def find_cited_part(draft: Draft, citation: Citation) -> CitedPart | None:
    """What a citation is cited for: the explanation in brackets behind it, else its part of the sentence,
    else the sentence before a citation sentence.

    None where it is cited for nothing that its text could bear out: by name alone, as another's argument, for
    a quotation only.
    """
    paragraph = draft.paragraph_at(citation.core.start)
    if paragraph is None or draft.heading_at(paragraph.start) is not None:
        return None
    sentences = draft.sentences_of(paragraph)
    place = next((n for n, each in enumerate(sentences) if citation.core.start < each.end), None)
    if place is None:
        return None
    signal = _signal(draft, citation, sentences[place])
    against = signal in AGAINST
    if not against and not _DIRECT.fullmatch(signal):
        return None
    found = _in_sentence(draft, citation, sentences[place])
    if found is None and _cites_only(draft, sentences[place]):
        before = next(
            (
                each
                for each in reversed(sentences[max(0, place - _BEFORE) : place])
                if not _cites_only(draft, each)
            ),
            None,
        )
        found = (before, False) if before is not None else None
    return _read(draft, *found, against) if found is not None else None


def _read(draft: Draft, span: Span, told: bool, against: bool) -> CitedPart | None:
    """The words of a part without citations, if they say something that an authority can bear out."""
    pointers = [each.span for each in draft.citations_in(span) if each.kind in _POINTERS]
    asides = [each.aside for each in _cited(draft, span) if len(each.aside)]
    cited = pointers if any(each.touches(span.start + 1) for each in asides) else [*pointers, *asides]
    text = leave_out(draft.masked, sorted(cited), span).strip(" ,;:()—–")
    text = clean_sentence(_PATTERNS["saying"].sub("", text) if told else text)
    quoted = _quoted(draft, span)
    if len(_WORD.findall(leave_out(draft.masked, sorted([*cited, *quoted]), span))) < FEWEST_WORDS:
        return None
    if len(_WORD.findall(text)) < FEWEST_WORDS or reports_a_party(text):
        return None
    if _PATTERNS["about"].search(text) or _PATTERNS["named"].search(text):
        return None
    return CitedPart(text, told, against)


def _quoted(draft: Draft, span: Span) -> list[Span]:
    paragraph = draft.paragraph_at(span.start)
    if paragraph is None:
        return []
    found = draft.once(("quotations", paragraph), lambda: find_quotations(draft, paragraph))
    return [each.outer for each in found if each.outer.overlaps(span) and each.words >= FEWEST_WORDS]


def _cited(draft: Draft, span: Span) -> list[_Cited]:
    """The mentions that begin in ``span``, each with the explanation behind it, in order."""
    found: list[_Cited] = []
    for citation in draft.citations_in(span):
        mention = draft.mention_of(citation)
        if found and mention.start < found[-1].end:
            continue
        match = _PATTERNS["aside"].match(draft.masked, mention.end, max(mention.end, span.end))
        aside = Span(match.start("words") - 1, match.end("words") + 1) if match else Span(0, 0)
        found.append(_Cited(mention, aside))
    return found


def _signal(draft: Draft, citation: Citation, sentence: Span) -> str:
    """The signal of a citation: its own, or that of the one it is strung to."""
    start = draft.mention_of(citation).start
    signal = find_signal(draft.masked, start)
    for one, other in reversed(list(pairwise(_cited(draft, sentence)))):
        if signal or other.span.start != start or not _STRUNG.fullmatch(draft.masked[one.end : start]):
            continue
        start = one.span.start
        signal = find_signal(draft.masked, start)
    return signal


def _cites_only(draft: Draft, sentence: Span) -> bool:
    """Whether a sentence is no more than citations, their signals and explanations."""
    cited = [each for one in _cited(draft, sentence) for each in (one.span, one.aside) if len(each)]
    return bool(cited) and bool(_PATTERNS["strings"].match(leave_out(draft.masked, sorted(cited), sentence)))


def _in_sentence(draft: Draft, citation: Citation, sentence: Span) -> tuple[Span, bool] | None:
    """The part of its own sentence that a citation is cited for, and whether it tells what that says."""
    masked = draft.masked
    cited = _cited(draft, sentence)
    mine = next((n for n, each in enumerate(cited) if each.span.touches(citation.core.start)), None)
    if mine is None:
        return None
    aside = cited[mine].aside
    if len(aside):
        explains = not _PATTERNS["no_explanation"].match(masked, aside.start + 1)
        if explains and _read(draft, aside, True, False) is not None:
            return aside, True
    for place in range(mine, -1, -1):
        start = cited[place - 1].end if place else sentence.start
        gap = masked[start : max(start, cited[place].span.start)]
        if place and _PATTERNS["strings"].match(gap):
            continue
        if _PATTERNS["leads"].match(gap):
            break
        if _PATTERNS["attached"].search(gap):
            return Span(start, cited[place].span.start), False
        break
    else:
        return None
    following = cited[mine + 1].span.start if mine + 1 < len(cited) else sentence.end
    behind = Span(cited[mine].end, max(cited[mine].end, following))
    said = _PATTERNS["says"].match(behind.of(masked)) is not None
    led = _PATTERNS["leads"].match(gap) is not None and len(gap.strip()) > 1
    return (behind, True) if said or (led and behind.of(masked).startswith(",")) else None
