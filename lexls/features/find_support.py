"""Find support: the authorities for a sentence, and the edit that cites one of them."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from lexls.citations.insert import detect_style, render
from lexls.citations.model import Pinpoint, PinpointKind
from lexls.features.checks.problem import Edit
from lexls.features.cited_for import cited_for_it
from lexls.features.fitting import best_sentence
from lexls.features.placement import edits, goes_to, habit_of, supporting
from lexls.features.propositions import asked
from lexls.features.resolve import resolve
from lexls.features.snapshot import Snapshot
from lexls.features.styled import written_in_style
from lexls.features.treatment_words import statement
from lexls.features.wording import court_note, place_words
from lexls.grounding.place_words import pinpoint_kind
from lexls.grounding.reading import prose
from lexls.grounding.relevance import content_terms
from lexls.index.library import Library
from lexls.index.records import Authority, PassageRecord
from lexls.library.roles.role import role_words
from lexls.retrieval.cited_for import CitedFor
from lexls.retrieval.model import Filters, Hit
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_FEWEST_TERMS = 3
_LEAST_WORDS = 0.35
_LEAST_LIKENESS = 0.45
"""A hit below the first is shown when its BM25 score is this share of the best one, or its cosine this high.
In a small library the ranking soon runs out of authorities that bear on the sentence at all. On 141 citing
sentences of American opinions these bounds lost none of the authorities that were in fact cited among the
first eight (``benchmarks/results/retrieval.md`` says on which data)."""


@dataclass(frozen=True, slots=True)
class SupportOption:
    """An authority that may support the sentence.

    ``sentence`` is the passage's sentence that bears most on it, as a span of the passage's text;
    ``place`` is where the passage stands ("[23]", "s 12(2)", "page 4", ""). ``cited_for`` are the sentences
    of other documents that cite it for the same, None if there are none. ``warning`` says how the library
    treats it badly ("overruled in Carrow v Luff [2014] ASC 12 at [23]"), "" if it does not.
    """

    hit: Hit
    sentence: Span
    place: str
    cited_for: CitedFor | None = None
    warning: str = ""

    @property
    def role(self) -> str:
        """What the passage is in its judgment ("holding", "facts"), "" if that is not known."""
        return role_words(self.hit.passage.role)

    @property
    def quote(self) -> str:
        """The words of ``sentence`` on one line, without marks of the authority's format."""
        return " ".join(self.sentence.of(prose(self.hit.authority, self.hit.passage.text)).split())


def proposition_at(snapshot: Snapshot, span: Span) -> Span | None:
    """What is to be supported: the selection, or for an empty span its sentence; None without words."""
    if span.of(snapshot.draft.masked).strip():
        return span
    sentence = snapshot.draft.sentence_at(span.start)
    if sentence is None or snapshot.draft.heading_at(span.start) is not None:
        return None
    return sentence


def support(snapshot: Snapshot, span: Span, k: int, token: CancelToken) -> list[SupportOption]:
    """The best ``k`` authorities for the selection or sentence, without those it cites already.

    A sentence of fewer than three words with a meaning ("So it is here.") is read with the one before it.
    Empty where there is no sentence.
    """
    target = proposition_at(snapshot, span)
    if target is None:
        return []
    query = _query(snapshot, target)
    if not query:
        return []
    cited: set[int] = set()
    for citation in supporting(snapshot.draft, target):
        cited.update(resolve(snapshot.library, snapshot.draft, citation).authorities)
    token.raise_if_cancelled()
    settings = snapshot.settings
    filters = Filters(kinds=frozenset(settings.support_kinds), roles=frozenset(settings.support_roles))
    hits = snapshot.search(query, k + len(cited), token, filters)
    token.raise_if_cancelled()
    terms = content_terms(query, snapshot.tokens)
    known = cited_for_it(snapshot, query, token)
    return [
        SupportOption(
            hit,
            best_sentence(terms, hit.authority, hit.passage.text, snapshot.tokens),
            place_words(hit.authority, hit.passage),
            known.get(hit.authority.id),
            warning_of(snapshot.library, hit.authority),
        )
        for hit in _bearing(hits, known)
        if hit.authority.id not in cited
    ][:k]


def warning_of(library: Library, authority: Authority) -> str:
    """The worst that the library says of an authority, in words; "" if nothing in it warns one off."""
    worst = library.worst_treatment(authority.id)
    return statement(library, worst) if worst is not None else ""


def _bearing(hits: Sequence[Hit], known: Container[int]) -> list[Hit]:
    """The hits without those that only fill the list; what was cited for the same (``known``) stays."""
    best = max((hit.lexical or 0.0 for hit in hits), default=0.0)
    return [
        hit
        for hit in hits
        if hit.rank == 1
        or hit.authority.id in known
        or (hit.lexical or 0.0) >= _LEAST_WORDS * best
        or (hit.similarity or 0.0) >= _LEAST_LIKENESS
    ]


def edit_for(
    snapshot: Snapshot, span: Span, authority: Authority, passage: PassageRecord | None
) -> tuple[Edit, ...]:
    """The edits that cite ``authority`` for what ``span`` covers, with the passage's place as pinpoint.

    More than one only where a footnote is made: its mark and its words. Empty where there is no sentence.
    """
    target = proposition_at(snapshot, span)
    if target is None:
        return ()
    draft = snapshot.draft
    habit = draft.once("habit", lambda: habit_of(draft))
    return edits(draft, target, citation_for(snapshot, target, authority, passage), habit)


def citation_for(
    snapshot: Snapshot, target: Span, authority: Authority, passage: PassageRecord | None
) -> str:
    """``authority`` as the draft cites it for ``target``, with the passage's place as pinpoint."""
    draft = snapshot.draft
    kind, label = _pinpoint(snapshot.library, authority, passage)
    habit = draft.once("habit", lambda: habit_of(draft))
    style = draft.once("style", lambda: detect_style(draft.masked, draft.source, draft.citations))
    place, new_note = goes_to(draft, target, habit)
    styled = written_in_style(snapshot, authority, kind, label, place, style.italic, new_note=new_note)
    if styled is not None:
        return styled.text
    written = render(
        authority.citations,
        authority.title,
        authority.kind,
        label,
        kind,
        authority.jurisdiction or draft.jurisdiction,
        draft.markup,
        style,
    )
    return written.text + court_note(authority)


def _query(snapshot: Snapshot, target: Span) -> str:
    draft = snapshot.draft
    query = asked(draft, target)
    if len(content_terms(query, snapshot.tokens)) >= _FEWEST_TERMS:
        return query
    paragraph = draft.paragraph_at(target.start)
    if paragraph is not None:
        before = [each for each in draft.sentences_of(paragraph) if each.end <= target.start]
        if before:
            return f"{asked(draft, before[-1])} {query}".strip()
    return query


def _pinpoint(
    library: Library, authority: Authority, passage: PassageRecord | None
) -> tuple[PinpointKind, str]:
    """The kind and label of the passage's place, ("…", "") if it has none that can be cited.

    Pages count only where they are those of the report cited, not merely those of a PDF; its first page
    is in the citation already.
    """
    kind = pinpoint_kind(authority)
    if passage is None:
        return kind, ""
    if passage.paragraph.startswith("Sch "):
        return "schedule", passage.paragraph.removeprefix("Sch ")
    if passage.paragraph:
        return kind, passage.paragraph if _stands(library, authority, kind, passage.paragraph) else ""
    if passage.page:
        labels: Sequence[str] = library.labels(authority.id, "page")
        first = authority.citation.split()[-1].strip("()") if authority.citation else ""
        page = str(passage.page)
        if first in labels and page in labels and page != first:
            return "page", page
    return kind, ""


def _stands(library: Library, authority: Authority, kind: PinpointKind, label: str) -> bool:
    """Whether a clause begins with its own number.

    A table of contents, an exhibit or a flattened list can mislead the numbering of a contract; a clause
    cited by a wrong number is worse than one cited by none. Other kinds are numbered in sequence.
    """
    if kind != "clause":
        return True
    last = label.rpartition("(")[2].rstrip(")") if "(" in label else label.rpartition(" ")[2]
    begins = re.compile(
        rf"\W*(?:{re.escape(label)}|(?:section|clause|article|paragraph)?\W*{re.escape(last)})(?!\w)"
        r"|\W*article\s+[ivxlc]+\b",
        re.IGNORECASE,
    )
    places = library.places(authority.id, Pinpoint(kind, (label,), Span(0, 0)))
    return bool(places) and begins.match(places[0].text) is not None
