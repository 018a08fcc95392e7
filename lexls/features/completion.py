"""Complete authorities of the library, written as the draft writes them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from lexls.citations.insert import InsertStyle
from lexls.features.authority_names import AuthorityNames
from lexls.features.completion_context import (
    CompletionItem,
    Context,
    ItemKind,
    context_at,
    paragraph_fit,
    paragraph_words,
    place_of,
    style_of,
    terms_around,
    write_citation,
)
from lexls.features.completion_places import keys, pinpoints, sections, typed_key
from lexls.features.fitting import best_sentence
from lexls.features.snapshot import Snapshot
from lexls.features.wording import place_words, title_block
from lexls.grounding.markdown import quoted, shortened
from lexls.grounding.place_words import pinpoint_kind, pinpoint_words
from lexls.grounding.reading import prose
from lexls.grounding.relevance import content_terms
from lexls.index.records import Authority
from lexls.text.cancel import CancelToken
from lexls.text.formats.markdown import as_markdown

__all__ = ["CompletionItem", "complete", "documentation"]

_CANDIDATES = 300
_LONGEST_PARAGRAPH = 700
_KINDS: Mapping[str, ItemKind] = {"case": "case", "statute": "statute", "regulation": "statute"}


def complete(snapshot: Snapshot, offset: int, token: CancelToken) -> list[CompletionItem]:
    """The proposals at ``offset``, best first; the list is cut, so ask anew as typing goes on."""
    typed = typed_key(snapshot.draft, offset)
    if typed is not None:
        return keys(snapshot, typed, offset)
    names = snapshot.names.of(snapshot.library)
    context = context_at(snapshot.draft, names, offset)
    if context is None:
        return []
    token.raise_if_cancelled()
    most = snapshot.settings.completion_max_items
    if context.kind == "pinpoint":
        return pinpoints(snapshot, context, offset, token, most)
    if context.kind == "section":
        return sections(snapshot, names, context, offset, token, most)
    ranked = _ranked(snapshot, names, context, offset, token)[:most]
    style = style_of(snapshot, offset)
    token.raise_if_cancelled()
    return [
        _item(snapshot, names.authorities[each], context, style, offset, place)
        for place, each in enumerate(ranked)
    ]


def documentation(snapshot: Snapshot, authority: int, label: str, offset: int, token: CancelToken) -> str:
    """What to show beside a proposal: title block and place, or the paragraph that fits best; Markdown.

    ``offset`` is where completion was asked for; "" if the authority left the library meanwhile.
    """
    known = snapshot.library.catalogue.get(authority)
    if known is None:
        return ""
    parts = [title_block(known)]
    if label:
        place = place_of(snapshot, known, label)
        if place is not None:
            words = as_markdown(pinpoint_words(pinpoint_kind(known), label))
            parts.append(f"{words}\n\n{quoted(shortened(prose(known, place.text), _LONGEST_PARAGRAPH))}")
        return "\n\n".join(parts)
    terms = terms_around(snapshot, offset)
    passages, _ = snapshot.library.lexical(terms, 1, [authority], token)
    for passage in snapshot.library.contents.passage_records(passages.tolist(), token):
        where = place_words(known, passage)
        text = prose(known, passage.text)
        if len(text) > _LONGEST_PARAGRAPH:
            wanted = content_terms(paragraph_words(snapshot, offset), snapshot.tokens)
            text = text[best_sentence(wanted, known, text, snapshot.tokens).start :]
        head = f"{as_markdown(where)}\n\n" if where else ""
        parts.append(head + quoted(shortened(text, _LONGEST_PARAGRAPH)))
    return "\n\n".join(parts)


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
    fits = paragraph_fit(snapshot, offset, list(matched) if matched else None, token)
    if context.kind == "any":
        wanted = [each for each in fits if _begins_like(names.authorities.get(each), snapshot, context)]
        matched = dict.fromkeys(wanted, 0.0)
    token.raise_if_cancelled()
    leading = sorted(matched, key=lambda each: -(2 * matched[each] + fits.get(each, 0.0)))
    leading = leading[: 2 * snapshot.settings.completion_max_items]
    scores = {
        each: 2 * matched[each]
        + fits.get(each, 0.0)
        + 0.1 * math.log1p(snapshot.library.graph.citing_count(each))
        for each in leading
    }
    return sorted(scores, key=lambda each: (-scores[each], names.authorities[each].title.casefold()))


def _begins_like(authority: Authority | None, snapshot: Snapshot, context: Context) -> bool:
    """Whether an authority can follow the opening: a bracket only opens a citation that begins with one."""
    if authority is None:
        return False
    opening = snapshot.draft.source[context.replace.start : context.replace.start + 1]
    return opening != "[" or authority.citation.startswith("[")


def _item(
    snapshot: Snapshot, authority: Authority, context: Context, style: InsertStyle, offset: int, place: int
) -> CompletionItem:
    written = write_citation(snapshot, authority, context, style, "n")
    plain = write_citation(snapshot, authority, context, style, "")
    return CompletionItem(
        label=authority.title or authority.citation or authority.relative,
        description=authority.citation,
        kind=_KINDS.get(authority.kind, "other"),
        replace=context.replace,
        text=written.text,
        stop=written.pinpoint if written.pinpoint is not None and len(written.pinpoint) else None,
        plain=plain.text,
        filter=snapshot.draft.source[context.replace.start : offset] or written.text,
        order=f"{place:04}",
        authority=authority.id,
    )
