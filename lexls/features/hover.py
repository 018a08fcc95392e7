"""Hover: the authority that a citation cites, or library passages on a sentence or term without a
citation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from lexls.assessing.assess import Assessment, assess
from lexls.assessing.check import as_named
from lexls.assessing.papers import cites_paper, describe_paper
from lexls.assessing.related_provisions import RelatedProvision, find_related_provisions
from lexls.assessing.verdicts import decide, describe
from lexls.citations.concordance import describe_correspondence
from lexls.citations.model import Citation, Pinpoint, PinpointKind
from lexls.features.cited_for import count_in_words, count_with_links, find_cited_for, find_proposition
from lexls.features.found_by_words import FoundByWords, find_by_words
from lexls.grounding.answer import Answer, Sentence
from lexls.grounding.evidence import Pin, quote_pin
from lexls.grounding.render import list_remarks, write_sentences
from lexls.index.records import Authority, Place
from lexls.library.speakers import label_sentence
from lexls.reading.propositions import write_bare
from lexls.reading.resolve import find_country, find_places, settle
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.cited_for import CitedFor
from lexls.retrieval.relevance import COMMON, Fit, find_containing, find_fitting
from lexls.text.cancel import CancelToken
from lexls.text.formats.markdown import as_markdown
from lexls.text.spans import Span
from lexls.wording.descriptions import (
    OpenLink,
    describe_citing,
    describe_holding,
    describe_ocr,
    describe_sources,
    describe_treatments,
    link_nothing,
    offer_page,
    write_place,
    write_title,
)
from lexls.wording.markdown import fold, quote, shorten, write_link
from lexls.wording.place_words import add_place, write_pinpoint
from lexls.wording.prose import blank_markup, states

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_TERM = re.compile(
    r"\*{1,3}([^*\r\n]{2,60})\*{1,3}|(?<!\w)_{1,3}([^_\r\n]{2,60})_{1,3}(?!\w)|“([^”\r\n]{2,60})”|‘([^’\r\n]{2,60})’"
    r"|\"([^\"\r\n]{2,60})\"|\\(?:emph|textit|textbf|enquote)\{([^{}\r\n]{2,60})\}"
)
_LONGEST_PLACE = 1200
_MOST_PLACES = 3
_LONGEST_SENTENCE = 280
_LONGEST_TERM = 4
"""Maximum number of words in a term."""


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown to show for ``span`` of the draft (CommonMark, no HTML)."""

    span: Span
    markdown: str


Ready = Callable[[Citation], "Answer | None"]
"""Returns the explanation of a citation if it already exists; must not create one."""


def hover(
    snapshot: Snapshot,
    offset: int,
    token: CancelToken,
    link: OpenLink = link_nothing,
    ready: Ready | None = None,
    link_record: OpenLink = link_nothing,
) -> Hover | None:
    """Return what to show at ``offset``, or None.

    ``link`` returns addresses that open an authority at a range, ``link_record`` those of papers of the
    record. ``ready`` returns existing explanations; a hover never creates one. An authority's text never
    becomes a link, an image or HTML.
    """
    citation = snapshot.draft.citation_at(offset)
    cited = cites_paper(snapshot, offset) if citation is None or citation.papers else None
    if cited is not None:
        return Hover(cited[1].citation.span, describe_paper(*cited, link_record))
    if citation is not None:
        shown = _on_citation(snapshot, citation, token, link, ready)
        # The cursor may be before the markup of the citation ("*Carrow*"), which the hover includes.
        return shown and replace(shown, span=Span(min(offset, shown.span.start), shown.span.end))
    if not snapshot.settings.hover_propositions or snapshot.draft.heading_at(offset) is not None:
        return None
    return _on_prose(snapshot, offset, token, link)


# -- citations ---------------------------------------------------------------------------------------------


def _on_citation(
    snapshot: Snapshot, citation: Citation, token: CancelToken, link: OpenLink, ready: Ready | None
) -> Hover | None:
    assessment = assess(snapshot, citation, token)
    told = as_markdown(describe(assessment))
    if assessment.authority is None:
        if assessment.absence not in ("missing", "reading") or decide(assessment) == "wrong":
            named = f"{as_markdown(as_named(snapshot, citation))}. " if citation.key else ""
            told = f"{named}_{told}._"
        return Hover(citation.span, "\n\n".join([told, *_instead(snapshot, citation, link)]))
    token.raise_if_cancelled()
    authority = settle(assessment.authority, find_country(snapshot.library, citation.jurisdiction))
    doubtful = decide(assessment) in ("wrong", "identified")
    parts = [f"_{told}._"] if doubtful else []
    parts.extend(describe_treatments(snapshot.library, authority.id, link))
    if citation.pinpoint is None:
        parts.extend(describe_holding(snapshot.library, authority, link))
    parts.extend(_at_pinpoint(snapshot, assessment, citation, authority, token, link))
    explained = ready(citation) if ready is not None else None
    if explained is not None:
        parts.extend(explain_briefly(explained, "\n".join(parts), link))
    parts.extend(_corresponding(related) for related in _in_other_code(snapshot, citation))
    token.raise_if_cancelled()
    cited = describe_citing(snapshot.library.graph.count_citing(authority.id), snapshot.library.complete)
    parts.append(f"{write_title(authority)} · {cited}")
    same = find_cited_for(snapshot, find_proposition(snapshot, citation), token).get(authority.id)
    if same is not None:
        most = snapshot.settings.precedents_count
        parts.append(count_with_links(snapshot.library, same, most, link))
    if citation.pinpoint is None and (page := offer_page(snapshot.library, authority, 0)):
        parts.append(page)
    last = [] if doubtful else [f"_{told}._"]
    if sources := describe_sources(authority):
        last.append(f"_{sources}_")
    if last:
        parts.append(" ".join(last))
    return Hover(citation.span, "\n\n".join(parts))


def _at_pinpoint(
    snapshot: Snapshot,
    assessment: Assessment,
    citation: Citation,
    authority: Authority,
    token: CancelToken,
    link: OpenLink,
) -> list[str]:
    pinpoint = citation.pinpoint
    if pinpoint is None:
        return []
    own = next(each for each in assessment.cited if each.citation is citation)
    resolution = replace(own, authorities=(authority.id,))
    places = find_places(snapshot.library, resolution)
    if not places:
        lacking = (each.span for each in assessment.facts if each.fault == "no-place")
        if any(pinpoint.span.overlaps(each) for each in lacking):
            return []  # the verdict says so
        found = find_by_words(snapshot, resolution, token)
        return [_found_by_words(authority, pinpoint, found, link)] if found is not None else []
    limit = _LONGEST_PLACE // min(len(places), _MOST_PLACES)
    parts: list[str] = []
    for place in places[:_MOST_PLACES]:
        parts.append(_place(place, authority, pinpoint.kind, limit, link, _role(snapshot, place)))
        parts.extend(filter(None, [offer_page(snapshot.library, authority, place.start)]))
    if len(places) > _MOST_PLACES:
        last = write_pinpoint(pinpoint.kind, places[-1].label, authority.jurisdiction)
        parts.append(f"… and {len(places) - _MOST_PLACES} more, up to {as_markdown(last)}")
    return parts


def _found_by_words(authority: Authority, pinpoint: Pinpoint, found: FoundByWords, link: OpenLink) -> str:
    wanted = write_pinpoint(pinpoint.kind, pinpoint.labels[0], authority.jurisdiction)
    said = write_link("found by its words", link(authority.id, found.span.start, found.span.end))
    before = found.span.start - found.passage.start
    text = shorten(blank_markup(authority, found.passage.text)[before:].lstrip(), _LONGEST_PLACE)
    told = f"Your copy does not mark {as_markdown(wanted)}. Nearest to the sentence, {said}:"
    return f"{told}\n\n{quote(_begin(text))}"


def _place(
    place: Place, authority: Authority, kind: PinpointKind, limit: int, link: OpenLink, role: str = ""
) -> str:
    label = write_pinpoint(kind, place.label, authority.jurisdiction)
    address = link(place.document, place.start, place.end)
    heading = write_link(as_markdown(label), address) + (f" · {role}" if role else "")
    return f"{heading}\n\n{quote(shorten(_begin(blank_markup(authority, place.text), place.label), limit))}"


_DASH = re.compile(r"\s*[-–—]\s+")
_NUMBER = re.compile(r"\s*(?:\[(\d{1,5})\]|(\d{1,5})\.)\s+(?=\S)")


def _begin(text: str, label: str = "") -> str:
    """Return ``text`` without the dash after its section heading. A paragraph number is removed too if it is
    ``label``, since the label is shown above the text.
    """
    number = _NUMBER.match(text)
    if number is not None and label in (number[1], number[2]):
        text = text[number.end() :]
    dash = _DASH.match(text)
    return text[dash.end() :] if dash is not None else text


def _role(snapshot: Snapshot, place: Place) -> str:
    """Return the role of the passage at a place's beginning ("holding"), or an empty string if unknown."""
    passage = snapshot.library.contents.find_passage(place.document, place.start)
    return passage.label if passage is not None else ""


def _in_other_code(snapshot: Snapshot, citation: Citation) -> list[RelatedProvision]:
    """Return the sections of the replacing or replaced code that correspond to those cited."""
    return list(find_related_provisions(snapshot.library, snapshot.concordance, citation)[:_MOST_PLACES])


def _corresponding(related: RelatedProvision) -> str:
    said = describe_correspondence(related.correspondence)
    return f"_{as_markdown(said[0].upper() + said[1:])}._"


def _instead(snapshot: Snapshot, citation: Citation, link: OpenLink) -> list[str]:
    """Return Markdown paragraphs with the text of the corresponding sections in the other code, for a cited
    code that is not in the library.
    """
    parts = []
    for related in _in_other_code(snapshot, citation):
        parts.append(_corresponding(related))
        other = snapshot.library.catalogue.get(related.authority) if related.authority is not None else None
        if other is not None:
            limit = _LONGEST_PLACE // _MOST_PLACES
            parts.extend(_place(place, other, "section", limit, link) for place in related.places)
    return parts


# -- prose -------------------------------------------------------------------------------------------------


def _on_prose(snapshot: Snapshot, offset: int, token: CancelToken, link: OpenLink) -> Hover | None:
    draft = snapshot.draft
    word = _word_at(draft.masked, offset)
    sentence = draft.sentence_at(offset)
    if word is None or sentence is None or word.of(draft.masked).casefold() in COMMON:
        return None
    marked = _marked_term(draft.source, sentence, offset)
    if marked is not None and not draft.citations_in(marked):
        fits = _about_phrase(snapshot, draft.prose(marked), token)
        if fits:
            return _passages(snapshot, marked, fits, link)
    if not draft.citations_in(sentence) and states(sentence.of(draft.masked)):
        query = write_bare(draft, sentence)
        hits = snapshot.find_passages_on(query, snapshot.settings.hover_max_passages * 2, token)
        token.raise_if_cancelled()
        fits = find_fitting(query, hits, snapshot.tokens)
        known = find_cited_for(snapshot, query, token)
        if fits or known:
            return _passages(snapshot, sentence, fits, link, known)
    term = _term_around(draft.masked, sentence, word)
    if term is not None and not draft.citations_in(term):
        fits = _about_phrase(snapshot, term.of(draft.masked), token)
        if fits:
            return _passages(snapshot, term, fits, link)
    return None


def _about_phrase(snapshot: Snapshot, phrase: str, token: CancelToken) -> list[Fit]:
    if all(word.casefold() in COMMON for word in _WORD.findall(phrase)):
        return []
    hits = snapshot.find_passages_on(phrase, snapshot.settings.hover_max_passages * 4, token)
    token.raise_if_cancelled()
    return find_containing(phrase, hits, snapshot.tokens)


def _word_at(masked: str, offset: int) -> Span | None:
    """Return the word at or next to ``offset``."""
    start = max(0, masked.rfind("\n", 0, offset) + 1)
    end = masked.find("\n", offset)
    for match in _WORD.finditer(masked, start, len(masked) if end < 0 else end):
        if match.start() <= offset <= match.end():
            return Span(match.start(), match.end())
        if match.start() > offset:
            break
    return None


def _marked_term(source: str, sentence: Span, offset: int) -> Span | None:
    """Return the emphasised or quoted words around ``offset`` if they are short enough to be a term,
    or None.
    """
    for match in _TERM.finditer(source, max(0, sentence.start - 3), min(len(source), sentence.end + 3)):
        if match.start() <= offset <= match.end():
            group = match.lastindex or 0
            span = Span(*match.span(group))
            if len(_WORD.findall(span.of(source))) <= _LONGEST_TERM + 2:
                return span
    return None


def _term_around(masked: str, sentence: Span, word: Span) -> Span | None:
    """Return the run of two to four content words around ``word`` ("force majeure"), or None."""
    words = [Span(*match.span()) for match in _WORD.finditer(masked, sentence.start, sentence.end)]
    if word not in words:
        return None
    here = words.index(word)
    first = last = here
    while first > 0 and _joined(masked, words[first - 1], words[first]):
        first -= 1
    while last + 1 < len(words) and _joined(masked, words[last], words[last + 1]):
        last += 1
    if not 2 <= last - first + 1 <= _LONGEST_TERM:
        return None
    return Span(words[first].start, words[last].end)


def _joined(masked: str, left: Span, right: Span) -> bool:
    between = masked[left.end : right.start]
    return not between.strip() and all(
        span.of(masked).casefold() not in COMMON and not span.of(masked).isdigit() for span in (left, right)
    )


def _passages(
    snapshot: Snapshot,
    span: Span,
    fits: list[Fit],
    link: OpenLink,
    known: Mapping[int, CitedFor] = MappingProxyType({}),
) -> Hover:
    """Return a hover with the relevant passages, followed by other authorities cited for the same
    proposition. If there are such authorities, at least one of them is shown.
    """
    most = snapshot.settings.hover_max_passages
    others = [each for each in known.values() if all(each.authority != fit.hit.authority.id for fit in fits)]
    others.sort(key=lambda each: -each.count - len(each.own))
    country = find_country(snapshot.library, snapshot.draft.jurisdiction)
    lines = []
    for fit in fits[: max(1, most - 1) if others else most]:
        authority, passage = settle(fit.hit.authority, country), fit.hit.passage
        where = add_place(authority.citation, write_place(authority, passage))
        start, end = passage.start + fit.sentence.start, passage.start + fit.sentence.end
        heading = _heading(authority, where.strip(", "), link(authority.id, start, end))
        text = shorten(fold(fit.sentence.of(blank_markup(authority, passage.text))), _LONGEST_SENTENCE)
        same = known.get(authority.id)
        note = f" · {role}" if (role := label_sentence(passage.speaker, passage.label, text)) else ""
        note += f" · {as_markdown(count_in_words(snapshot.library, same))}" if same is not None else ""
        note += f" · {said}" if (said := describe_ocr(snapshot.library, authority.id, start)) else ""
        lines.append(f"- {heading}{note} — {as_markdown(text)}")
    for each in others[: max(1, most - len(lines))]:
        found = snapshot.library.catalogue.get(each.authority)
        if found is None:
            continue
        address, said = "", each.own[0].question if each.own else ""
        if each.precedents:
            best = each.precedents[0]
            address = link(best.citing, best.start, best.end)
            said = best.proposition
        note = write_link(as_markdown(count_in_words(snapshot.library, each)), address)
        text = shorten(fold(said), _LONGEST_SENTENCE)
        lines.append(f"- {_heading(found, found.citation, '')} · {note} — {as_markdown(text)}")
    return Hover(span, "\n".join(lines))


def _heading(authority: Authority, where: str, address: str) -> str:
    heading = f"**{as_markdown(authority.name)}**"
    return f"{heading} · {write_link(as_markdown(where), address)}" if where else heading


_SENTENCES = 2
_LONGEST = 280


def explain_briefly(answer: Answer, shown: str, link: OpenLink) -> list[str]:
    """Return the first sentences of an explanation as Markdown paragraphs, or a note that there is no
    support.

    ``shown`` is the Markdown above it; an extract already in it is skipped.
    """
    if answer.abstained:
        return [f"_{as_markdown(each)}_" for each in list_remarks(answer)[:1]]
    fresh = tuple(each for each in answer.sentences if not _stands_in(shown, each))
    if not fresh:
        return []

    def to_pin(pin: Pin) -> str:
        return link(pin.authority.id, pin.start, pin.end)

    brief = write_sentences(replace(answer, sentences=fresh), _SENTENCES, _LONGEST, to_pin)
    return [f"Bears on the sentence:\n\n{brief}"]


def _stands_in(shown: str, sentence: Sentence) -> bool:
    return sentence.is_extract and as_markdown(quote_pin(sentence.pins[0])) in shown
