"""Complete authorities and their sections in the draft's citation form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lexls.assessing.papers import complete_papers
from lexls.citations.insert import Rendered
from lexls.citations.model import PinpointKind
from lexls.features.completion_context import Context, find_context, is_hidden
from lexls.features.completion_item import NO_AUTHORITY, CompletionItem, ItemKind
from lexls.features.completion_ranking import rank_authorities
from lexls.features.completion_request import CompletionRequest, fit_documents, terms_around, words_around
from lexls.features.key_completion import complete_keys, find_typed_key
from lexls.features.pinpoint_completion import complete_pinpoints, find_place, labels_like
from lexls.features.pinpoint_context import PinpointContext, find_pinpoint_context
from lexls.features.short_completion import write_short
from lexls.index.records import Authority
from lexls.reading.authority_names import AuthorityNames
from lexls.reading.edit import Edit
from lexls.reading.resolve import find_country, settle
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.relevance import find_best_sentence, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.formats.markdown import as_markdown
from lexls.text.spans import Span
from lexls.wording.descriptions import choose_pinpoint, write_place, write_title
from lexls.wording.markdown import quote, shorten
from lexls.wording.place_words import find_pinpoint_kind, write_pinpoint
from lexls.wording.prose import blank_markup
from lexls.writing.cited_before import Cited, find_cited, wants_short
from lexls.writing.citing import render_authority
from lexls.writing.note_repairs import find_shifted_id

_LONGEST_PARAGRAPH = 700
_PAPERS = 200
_KINDS: Mapping[str, ItemKind] = {"case": "case", "statute": "statute", "regulation": "statute"}


def complete(
    snapshot: Snapshot, offset: int, token: CancelToken, *, behind: bool = False
) -> list[CompletionItem]:
    """Return the completion items at ``offset``, best first. The list is truncated, so the client must
    request it again as typing continues.

    If ``behind``, pinpoints are also proposed directly after a citation. Raises ``Cancelled``.
    """
    typed = find_typed_key(snapshot.draft, offset)
    if typed is not None:
        return complete_keys(snapshot, typed, offset)
    if papers := complete_papers(snapshot, offset):
        return [
            CompletionItem(number, file.relative, "other", span, number, number, f"{rank:04}", NO_AUTHORITY)
            for rank, (span, number, file) in enumerate(papers[:_PAPERS])
        ]
    if is_hidden(snapshot.draft, offset):
        return []
    place = find_pinpoint_context(snapshot, offset, behind=behind)
    names = snapshot.names.of(snapshot.library)
    context = find_context(snapshot.draft, names, offset) if place is None or place.sign else None
    if place is not None and (context is None or not _is_title(names, context, place)):
        return complete_pinpoints(snapshot, place, offset, token)
    if context is None:
        return []
    token.raise_if_cancelled()
    asked = CompletionRequest(snapshot, names, context, offset, token)
    if context.kind == "section":
        return _complete_sections(asked)
    cited = find_cited(snapshot, offset)
    ranked = rank_authorities(asked, cited.first)[: asked.most]
    token.raise_if_cancelled()
    items: list[CompletionItem] = []
    for each in ranked:
        authority = names.authorities[each]
        item = _propose(asked, authority, 0)
        short = _propose_short(asked, authority, cited, item)
        both = [item] if short is None else [short, item] if wants_short(authority) else [item, short]
        known = snapshot.library.contents.has_numbers(each, choose_pinpoint(authority))
        for one in both:
            asks_on = one.stop is not None and known
            items.append(replace(one, order=f"{len(items):04}", asks_on=asks_on))
    return items[: asked.most]


def list_repairs(snapshot: Snapshot, items: Sequence[CompletionItem]) -> list[tuple[Edit, ...]]:
    """Return, for each item, the edits elsewhere that it requires: an *ibid.* whose antecedent would change
    is written out.
    """
    citing = {item.replace for item in items if item.kind != "place" and item.authority >= 0}
    shifted = {typed: find_shifted_id(snapshot, typed) for typed in citing}
    repairs: list[tuple[Edit, ...]] = []
    for item in items:
        found = shifted.get(item.replace) if item.kind != "place" else None
        known = snapshot.library.catalogue.get(item.authority) if found is not None else None
        apart = found is not None and known is not None and found.keys.isdisjoint(known.citations)
        repairs.append(found.edits if found is not None and apart else ())
    return repairs


def describe_item(
    snapshot: Snapshot,
    authority: int,
    label: str,
    offset: int,
    token: CancelToken,
    kind: PinpointKind | None = None,
) -> str:
    """Return Markdown to show next to an item: the title block, and the text of the place or the
    best-matching paragraph.

    ``label`` is the label of a place of this ``kind`` (None: the authority's usual kind), or an empty string
    for the whole authority. ``offset`` is where completion was requested. The result is empty if the
    authority is no longer in the library.
    """
    found = snapshot.library.catalogue.get(authority)
    if found is None:
        return ""
    known = settle(found, find_country(snapshot.library, snapshot.draft.jurisdiction))
    parts = [write_title(known)]
    if label:
        kind = kind or find_pinpoint_kind(known)
        place = find_place(snapshot, known, label, kind)
        if place is not None:
            words = as_markdown(write_pinpoint(kind, label, known.jurisdiction))
            parts.append(f"{words}\n\n{quote(shorten(blank_markup(known, place.text), _LONGEST_PARAGRAPH))}")
        return "\n\n".join(parts)
    terms = terms_around(snapshot, offset)
    passages, _ = snapshot.library.lexical(terms, 1, [authority], token)
    for passage in snapshot.library.contents.passage_records(passages.tolist(), token):
        where = write_place(known, passage)
        text = blank_markup(known, passage.text)
        if len(text) > _LONGEST_PARAGRAPH:
            wanted = find_terms(" ".join(words_around(snapshot, offset)), snapshot.tokens)
            text = text[find_best_sentence(wanted, known, text, snapshot.tokens).start :]
        head = f"{as_markdown(where)}\n\n" if where else ""
        parts.append(head + quote(shorten(text, _LONGEST_PARAGRAPH)))
    return "\n\n".join(parts)


def _propose(asked: CompletionRequest, authority: Authority, place: int, label: str = "") -> CompletionItem:
    """Return an item for an authority, or for its place ``label``, at position ``place`` in the list."""
    written = _write(asked, authority, label or "n")
    span = asked.context.replace
    title = authority.name
    said_already = authority.citation in (title, authority.title)
    return CompletionItem(
        label=f"{title}, {write_pinpoint(find_pinpoint_kind(authority), label, authority.jurisdiction)}"
        if label
        else title,
        description="" if said_already else authority.citation,
        kind=_KINDS.get(authority.kind, "other"),
        replace=span,
        text=written.text,
        filter=asked.write_filter(title) or written.text,
        order=f"{place:04}",
        authority=authority.id,
        label_of_place=label,
        stop=written.pinpoint if written.pinpoint and not label else None,
        plain="" if label else _write(asked, authority, "").text,
    )


def _propose_short(
    asked: CompletionRequest, authority: Authority, cited: Cited, item: CompletionItem
) -> CompletionItem | None:
    """Return the short-form item for an authority. Returns None if the authority has not been cited yet or
    has no short form, or if ``item`` already uses one.
    """
    full = cited.first.get(authority.id)
    if full is None or asked.context.kind == "citation" or asked.context.of_act:
        return None
    written = write_short(asked.snapshot, authority, cited, asked.style)
    if written is None:
        return None
    short, plain = written
    draft = asked.snapshot.draft
    if item.text.startswith(plain) and full.core.of(draft.masked) not in item.text:
        return None
    label = draft.format.drop_lone_marks(plain).replace("*", "").replace("_", "").strip()
    filter = item.filter if item.filter != item.text else short.text
    return replace(
        item,
        label=label,
        description="short form",
        text=short.text,
        stop=short.pinpoint,
        plain=plain,
        filter=filter,
    )


def _is_title(names: AuthorityNames, context: Context, place: PinpointContext) -> bool:
    """Return whether an apparent pinpoint is part of a title: "Harbour Dues Regulations 2003"."""
    begun = context.kind == "name" and context.replace.start < place.replace.start
    return begun and place.sign[:1].isalpha() and names.begins(context.typed)


# -- sections ---------------------------------------------------------------------------


def _complete_sections(asked: CompletionRequest) -> list[CompletionItem]:
    """Return sections of Acts for "s 12|": first of Acts that the draft cites, then of those that match the
    paragraph.
    """
    snapshot, authorities = asked.snapshot, asked.names.authorities
    acts = [each.id for each in authorities.values() if each.kind in ("statute", "regulation")]
    if not acts:
        return []
    cited = find_cited(snapshot, len(snapshot.draft.source)).first
    fits = fit_documents(asked, acts)
    ordered = sorted(acts, key=lambda each: -(fits.get(each, 0.0) + (1.0 if each in cited else 0.0)))
    items: list[CompletionItem] = []
    for number in ordered[: asked.most]:
        asked.token.raise_if_cancelled()
        authority = authorities[number]
        known = snapshot.library.contents.list_labels(number, find_pinpoint_kind(authority))
        for label in labels_like(known, asked.context.typed)[:3] if asked.context.typed else [""]:
            items.append(_propose(asked, authority, len(items), label))
    return items[: asked.most]


# -- how a proposal is written -------------------------------------------------------------------------------


def _write(asked: CompletionRequest, authority: Authority, pinpoint: str) -> Rendered:
    """Return the citation in the draft's form, without parts already written."""
    context, draft, at = asked.context, asked.snapshot.draft, asked.context.replace.start
    if context.of_act:
        written = Rendered(draft.format.escape(authority.name), None)
    else:
        kind = find_pinpoint_kind(authority) if pinpoint.isdigit() else choose_pinpoint(authority)
        named = context.kind != "citation" or not _named_before(authority, context.before)
        written = render_authority(asked.snapshot, authority, kind, pinpoint, at, asked.style, named=named)
    text, span = written.text, written.pinpoint
    ends = (len(text), *((span.start, span.end) if span is not None else ()))
    whole, *inner = (draft.format.write_at(draft.source, at, text[:end]) for end in ends)
    return Rendered(whole, Span(len(inner[0]), len(inner[1])) if inner else None)


def _named_before(authority: Authority, before: str) -> bool:
    text = before.rstrip(" ,:;([").casefold()
    return any(
        name and text.endswith(" ".join(name.split()).casefold())
        for name in (authority.title, authority.short_title)
    )
