"""Completion: authorities of the library, written as the draft writes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.citations.insert import InsertStyle, Rendered, detect_style, escape, render
from lexls.citations.model import Pinpoint
from lexls.features.authority_names import AuthorityNames
from lexls.features.completion_context import Context, context_at
from lexls.features.fitting import best_sentence
from lexls.features.resolve import authority_of, resolve
from lexls.features.snapshot import Snapshot
from lexls.features.wording import pinpoint_kind, pinpoint_words, place_words, title_block, usual_pinpoint
from lexls.grounding.markdown import escape as markdown
from lexls.grounding.markdown import quoted, shortened
from lexls.grounding.reading import prose
from lexls.grounding.relevance import COMMON, content_terms
from lexls.index.records import Authority, Place
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

ItemKind = Literal["case", "statute", "other", "place"]

_CANDIDATES = 300
_DOCUMENTS = 300
_QUERY_TERMS = 48
_LONGEST_PARAGRAPH = 700


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One proposal.

    ``text`` takes the place of ``replace`` (a span of the source, on one line, around the cursor);
    ``stop`` is the part of ``text`` that the person fills in (None: nothing), for clients with snippets.
    ``plain`` is what to insert where there are none. ``filter`` begins like what is typed, ``order`` sorts.
    ``authority`` and ``label`` are for ``documentation``.
    """

    label: str
    description: str
    kind: ItemKind
    replace: Span
    text: str
    stop: Span | None
    plain: str
    filter: str
    order: str
    authority: int
    label_of_place: str = ""

    def snippet(self) -> str:
        """``text`` as an LSP snippet, its stop a placeholder."""
        if self.stop is None:
            return snippet_escape(self.text)
        before, inner, after = (
            self.text[: self.stop.start],
            self.stop.of(self.text),
            self.text[self.stop.end :],
        )
        return f"{snippet_escape(before)}${{1:{snippet_escape(inner)}}}{snippet_escape(after)}$0"


def snippet_escape(text: str) -> str:
    """``text`` with the characters escaped that snippets give a meaning."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def complete(snapshot: Snapshot, offset: int, token: CancelToken) -> list[CompletionItem]:
    """The proposals at ``offset``, best first; the list is cut, so ask anew as typing goes on."""
    names = snapshot.names.of(snapshot.library)
    context = context_at(snapshot.draft, names, offset)
    if context is None:
        return []
    token.raise_if_cancelled()
    most = snapshot.settings.completion_max_items
    if context.kind == "pinpoint":
        return _pinpoints(snapshot, context, offset, token, most)
    if context.kind == "section":
        return _sections(snapshot, names, context, offset, token, most)
    ranked = _ranked(snapshot, names, context, offset, token)[:most]
    style = detect_style(snapshot.draft.masked, snapshot.draft.source, snapshot.draft.citations)
    token.raise_if_cancelled()
    return [
        _item(snapshot, names.authorities[each], context, style, offset, place)
        for place, each in enumerate(ranked)
    ]


def documentation(snapshot: Snapshot, authority: int, label: str, offset: int, token: CancelToken) -> str:
    """What to show beside a proposal: title block and place, or the paragraph that fits best; Markdown.

    ``offset`` is where completion was asked for; "" if the authority left the library meanwhile.
    """
    known = snapshot.library.authority(authority)
    if known is None:
        return ""
    parts = [title_block(known)]
    if label:
        place = _place(snapshot, known, label)
        if place is not None:
            words = markdown(pinpoint_words(pinpoint_kind(known), label))
            parts.append(f"{words}\n\n{quoted(shortened(prose(known, place.text), _LONGEST_PARAGRAPH))}")
        return "\n\n".join(parts)
    terms = _terms_around(snapshot, offset)
    passages, _ = snapshot.library.lexical(terms, 1, [authority], token)
    for passage in snapshot.library.passage_records(passages.tolist(), token):
        where = place_words(known, passage)
        text = prose(known, passage.text)
        if len(text) > _LONGEST_PARAGRAPH:
            wanted = content_terms(_paragraph(snapshot, offset), snapshot.tokens)
            text = text[best_sentence(wanted, known, text, snapshot.tokens).start :]
        head = f"{markdown(where)}\n\n" if where else ""
        parts.append(head + quoted(shortened(text, _LONGEST_PARAGRAPH)))
    return "\n\n".join(parts)


# -- which authorities -------------------------------------------------------------------------------------


def _ranked(
    snapshot: Snapshot, names: AuthorityNames, context: Context, offset: int, token: CancelToken
) -> list[int]:
    """Candidates by how their name matches, how they fit the paragraph, and how often they are cited."""
    matched: dict[int, float] = {}
    if context.kind == "name":
        matched = {match.authority: match.quality for match in names.by_name(context.typed, _CANDIDATES)}
    elif context.kind == "citation":
        matched = dict.fromkeys(names.by_citation(context.typed, _CANDIDATES), 1.0)
    if context.of_act:
        acts = {each: quality for each, quality in matched.items() if names.authorities[each].kind != "case"}
        matched = acts or matched
    fits = _fits(snapshot, offset, list(matched) if matched else None, token)
    if context.kind == "any":
        wanted = [each for each in fits if _begins_like(names.authorities.get(each), snapshot, context)]
        matched = dict.fromkeys(wanted, 0.0)
    token.raise_if_cancelled()
    leading = sorted(matched, key=lambda each: -(2 * matched[each] + fits.get(each, 0.0)))
    leading = leading[: 2 * snapshot.settings.completion_max_items]
    scores = {
        each: 2 * matched[each] + fits.get(each, 0.0) + 0.1 * math.log1p(snapshot.library.citing_count(each))
        for each in leading
    }
    return sorted(scores, key=lambda each: (-scores[each], names.authorities[each].title.casefold()))


def _begins_like(authority: Authority | None, snapshot: Snapshot, context: Context) -> bool:
    """Whether an authority can follow the opening: a bracket only opens a citation that begins with one."""
    if authority is None:
        return False
    opening = snapshot.draft.source[context.replace.start : context.replace.start + 1]
    return opening != "[" or authority.citation.startswith("[")


def _fits(
    snapshot: Snapshot, offset: int, among: Sequence[int] | None, token: CancelToken
) -> dict[int, float]:
    """How well whole documents fit the paragraph being written: BM25, as a share of the best one's score."""
    terms = _terms_around(snapshot, offset)
    if not terms:
        return {}
    documents, scores = snapshot.library.lexical_documents(terms, _DOCUMENTS, among, token)
    best = float(scores[0]) if len(scores) else 0.0
    if best <= 0:
        return {}
    return {int(each): float(score) / best for each, score in zip(documents, scores, strict=True)}


def _paragraph(snapshot: Snapshot, offset: int) -> str:
    """The words of the paragraph being written, without its citations; while it is short, also the last."""
    draft = snapshot.draft
    here = draft.paragraph_at(offset)
    text = draft.prose(here) if here is not None else ""
    if len(text.split()) < 6:
        earlier = [each for each in draft.paragraphs if each.end <= offset and each != here]
        if earlier:
            text = f"{draft.prose(earlier[-1])} {text}"
    return text


def _terms_around(snapshot: Snapshot, offset: int) -> list[str]:
    words = [
        word for word in _paragraph(snapshot, offset).split() if word.casefold().strip(".,;:()") not in COMMON
    ]
    terms = list(dict.fromkeys(snapshot.tokens(" ".join(words))))
    return terms[-_QUERY_TERMS:]


# -- how they are written ----------------------------------------------------------------------------------


def _item(
    snapshot: Snapshot, authority: Authority, context: Context, style: InsertStyle, offset: int, place: int
) -> CompletionItem:
    written = _written(snapshot, authority, context, style, "n")
    plain = _written(snapshot, authority, context, style, "")
    kind: ItemKind = (
        "case"
        if authority.kind == "case"
        else "statute"
        if authority.kind in ("statute", "regulation")
        else "other"
    )
    return CompletionItem(
        label=authority.title or authority.citation or authority.relative,
        description=authority.citation,
        kind=kind,
        replace=context.replace,
        text=written.text,
        stop=written.pinpoint if written.pinpoint is not None and len(written.pinpoint) else None,
        plain=plain.text,
        filter=snapshot.draft.source[context.replace.start : offset] or written.text,
        order=f"{place:04}",
        authority=authority.id,
    )


def _written(
    snapshot: Snapshot, authority: Authority, context: Context, style: InsertStyle, pinpoint: str
) -> Rendered:
    """The citation in the draft's form; only what is not there yet."""
    draft = snapshot.draft
    title = authority.title
    citations: Sequence[str] = authority.citations
    if context.of_act:
        return Rendered(escape(title, draft.markup), None)
    if context.kind == "citation" and _named_before(authority, context.before):
        title = ""
    return render(
        citations,
        title,
        authority.kind,
        pinpoint,
        pinpoint_kind(authority) if pinpoint.isdigit() else usual_pinpoint(authority),
        authority.jurisdiction or draft.jurisdiction,
        draft.markup,
        style,
    )


def _named_before(authority: Authority, before: str) -> bool:
    text = before.rstrip(" ,:;([").casefold()
    return any(
        name and text.endswith(" ".join(name.split()).casefold())
        for name in (authority.title, authority.short_title)
    )


# -- sections and paragraphs -------------------------------------------------------------------------------


def _sections(
    snapshot: Snapshot, names: AuthorityNames, context: Context, offset: int, token: CancelToken, most: int
) -> list[CompletionItem]:
    """Sections of Acts for "s 12|": Acts that the draft cites first, then those that fit the paragraph."""
    acts = [each.id for each in names.authorities.values() if each.kind in ("statute", "regulation")]
    if not acts:
        return []
    cited = _cited(snapshot)
    fits = _fits(snapshot, offset, acts, token)
    ordered = sorted(acts, key=lambda each: -(fits.get(each, 0.0) + (1.0 if each in cited else 0.0)))
    style = detect_style(snapshot.draft.masked, snapshot.draft.source, snapshot.draft.citations)
    items: list[CompletionItem] = []
    for number in ordered[:most]:
        token.raise_if_cancelled()
        authority = names.authorities[number]
        labels = _labels_like(snapshot.library.labels(number, pinpoint_kind(authority)), context.typed)
        if context.typed and not labels:
            continue
        for label in labels[:3] if context.typed else [""]:
            written = _written(snapshot, authority, context, style, label or "n")
            words = pinpoint_words(pinpoint_kind(authority), label) if label else ""
            items.append(
                CompletionItem(
                    label=f"{authority.title}, {words}" if words else authority.title,
                    description=authority.citation if authority.citation != authority.title else "",
                    kind="statute",
                    replace=context.replace,
                    text=written.text,
                    stop=None if label else written.pinpoint,
                    plain=written.text if label else _written(snapshot, authority, context, style, "").text,
                    filter=snapshot.draft.source[context.replace.start : offset],
                    order=f"{len(items):04}",
                    authority=number,
                    label_of_place=label,
                )
            )
    return items[:most]


def _pinpoints(
    snapshot: Snapshot, context: Context, offset: int, token: CancelToken, most: int
) -> list[CompletionItem]:
    """The places of the authority cited, those first that fit the paragraph being written."""
    assert context.citation is not None
    authority = authority_of(snapshot.library, resolve(snapshot.library, snapshot.draft, context.citation))
    if authority is None:
        return []
    labels = _labels_like(snapshot.library.labels(authority.id, context.pinpoint), context.typed)
    passages, _ = snapshot.library.lexical(_terms_around(snapshot, offset), 50, [authority.id], token)
    fitting = [each.paragraph for each in snapshot.library.passage_records(passages.tolist()[:most], token)]
    ordered = list(dict.fromkeys([*(each for each in fitting if each in set(labels)), *labels]))[:most]
    items = []
    for number, label in enumerate(ordered):
        token.raise_if_cancelled()
        place = _place(snapshot, authority, label)
        text = label + context.closing
        items.append(
            CompletionItem(
                label=pinpoint_words(context.pinpoint, label),
                description=shortened(" ".join(prose(authority, place.text).split()), 60)
                if place is not None
                else "",
                kind="place",
                replace=context.replace,
                text=text,
                stop=None,
                plain=text,
                filter=context.typed or label,
                order=f"{number:04}",
                authority=authority.id,
                label_of_place=label,
            )
        )
    return items


def _labels_like(labels: Iterable[str], typed: str) -> list[str]:
    """The labels that begin like ``typed``: the one that equals it first, sections before their parts."""
    found = [label for label in labels if label.startswith(typed)]
    return sorted(found, key=lambda label: (label != typed, label.count("("), len(label) if typed else 0))


def _place(snapshot: Snapshot, authority: Authority, label: str) -> Place | None:
    kind = pinpoint_kind(authority)
    places = snapshot.library.places(authority.id, Pinpoint(kind, (label,), Span(0, 0)))
    return places[0] if places else None


def _cited(snapshot: Snapshot) -> set[int]:
    found: set[int] = set()
    for citation in snapshot.draft.citations:
        if citation.form == "full":
            found.update(resolve(snapshot.library, snapshot.draft, citation).authorities)
    return found
