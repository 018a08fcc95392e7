"""Complete authorities, sections, paragraphs and keys of a bibliography, as the draft writes them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from lexls.assessing.papers import complete_papers
from lexls.citations.bibliography import Record
from lexls.citations.insert import InsertStyle, Rendered
from lexls.citations.model import Pinpoint, PinpointKind
from lexls.features.completion_context import Context, find_context
from lexls.features.short_completion import Cited, find_cited, wants_short, write_short
from lexls.index.records import Authority, Place
from lexls.reading.authority_names import AuthorityNames
from lexls.reading.draft import Draft
from lexls.reading.edit import Edit
from lexls.reading.resolve import find_authority, find_country, resolve, settle
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.fitting import find_best_sentence
from lexls.retrieval.relevance import COMMON, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.formats.markdown import as_markdown
from lexls.text.spans import Span
from lexls.wording.descriptions import choose_pinpoint, write_place, write_title
from lexls.wording.markdown import quote, shorten
from lexls.wording.place_words import find_pinpoint_kind, write_pinpoint
from lexls.wording.prose import blank_markup
from lexls.writing.citing import render_authority
from lexls.writing.note_repairs import repair_typed_note

_CANDIDATES = 300
_LONGEST_PARAGRAPH = 700
_DOCUMENTS = 300
_PAPERS = 200
_QUERY_TERMS = 48
ItemKind = Literal["case", "statute", "other", "place"]
_KINDS: Mapping[str, ItemKind] = {"case": "case", "statute": "statute", "regulation": "statute"}


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One proposal.

    ``text`` takes the place of ``replace`` (a span of the source, on one line, around the cursor);
    ``stop`` is the part of ``text`` that the person fills in (None: nothing), for clients with snippets.
    ``plain`` is what to insert where there are none, or where nothing is filled in, "" for ``text``.
    ``filter`` begins like what is typed, ``order`` sorts. ``authority`` and ``label`` are for
    ``describe_item``; a paper of the record has -1.
    """

    label: str
    description: str
    kind: ItemKind
    replace: Span
    text: str
    filter: str
    order: str
    authority: int
    label_of_place: str = ""
    stop: Span | None = None
    plain: str = ""

    @property
    def bare(self) -> str:
        """What is inserted where nothing is filled in."""
        return self.plain or self.text

    def snippet(self, *, transforms: bool = False) -> str | None:
        """``text`` as an LSP snippet whose stop is empty, so that nothing is left of it when it is not used.

        With ``transforms`` (an editor that rewrites what was typed in a stop) what stands around a pinpoint
        comes with it; without, it is typed too, but for what is never cited as a whole. None where nothing
        but the end of ``bare`` is left to stop at: editors show the label, not the text, of a snippet that
        is not accepted yet.
        """
        if self.stop is None:
            return None
        bare = self.bare
        first = _count_shared(self.text[: self.stop.start], bare)
        behind = self.text[self.stop.end :]
        last = len(self.text) - _count_shared(behind[::-1], bare[first:][::-1])
        lead, trail = self.text[first : self.stop.start], self.text[self.stop.end : last]
        stop = "$1" if self.text[last:] else ""
        if transforms and (lead or trail):
            stop = f"${{1/(.+)/{_escape_format(lead)}$1{_escape_format(trail)}/}}"
        elif self.kind != "case":
            stop = f"{escape_snippet(lead)}$1{escape_snippet(trail)}"
        if not stop:
            return None
        return f"{escape_snippet(self.text[:first])}{stop}{escape_snippet(self.text[last:])}$0"


def escape_snippet(text: str) -> str:
    """``text`` with the characters escaped that snippets give a meaning."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _count_shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _escape_format(text: str) -> str:
    return escape_snippet(text).replace("/", "\\/")


@dataclass(frozen=True)
class _Request:
    """Authorities asked for at an offset of a version of a draft, and what stands there."""

    snapshot: Snapshot
    names: AuthorityNames
    context: Context
    offset: int
    token: CancelToken

    @cached_property
    def style(self) -> InsertStyle:
        return self.snapshot.draft.habits_near(self.offset)

    @property
    def most(self) -> int:
        return self.snapshot.settings.completion_max_items


def complete(snapshot: Snapshot, offset: int, token: CancelToken) -> list[CompletionItem]:
    """The proposals at ``offset``, best first; the list is cut, so ask anew as typing goes on."""
    typed = _find_typed_key(snapshot.draft, offset)
    if typed is not None:
        return _complete_keys(snapshot, typed, offset)
    if papers := complete_papers(snapshot, offset):
        return [
            CompletionItem(number, file.relative, "other", span, number, number, f"{place:04}", _NO_AUTHORITY)
            for place, (span, number, file) in enumerate(papers[:_PAPERS])
        ]
    names = snapshot.names.of(snapshot.library)
    context = find_context(snapshot.draft, names, offset)
    if context is None:
        return []
    token.raise_if_cancelled()
    asked = _Request(snapshot, names, context, offset, token)
    if context.kind == "pinpoint":
        return _complete_pinpoints(asked)
    if context.kind == "section":
        return _complete_sections(asked)
    cited = find_cited(snapshot, offset)
    ranked = _ranked(asked, cited.first)[: asked.most]
    token.raise_if_cancelled()
    if context.kind == "mention":
        ranked.sort(key=lambda each: each not in cited.first)
    items: list[CompletionItem] = []
    for each in ranked:
        authority = names.authorities[each]
        item = _propose(asked, authority, 0)
        short = _propose_short(asked, authority, cited, item)
        both = [item] if short is None else [short, item] if wants_short(authority) else [item, short]
        for one in both:
            items.append(replace(one, order=f"{len(items):04}"))
    return items[: asked.most]


def repair_shifted(snapshot: Snapshot, item: CompletionItem) -> tuple[Edit, ...]:
    """The edits elsewhere that go with a proposal: what an *ibid.* of the next footnote stands for."""
    known = snapshot.library.catalogue.get(item.authority) if item.authority >= 0 else None
    return repair_typed_note(snapshot, item.replace, known.citations) if known is not None else ()


def describe_item(snapshot: Snapshot, authority: int, label: str, offset: int, token: CancelToken) -> str:
    """What to show beside a proposal: title block and place, or the paragraph that fits best; Markdown.

    ``offset`` is where completion was asked for; "" if the authority left the library meanwhile.
    """
    found = snapshot.library.catalogue.get(authority)
    if found is None:
        return ""
    known = settle(found, find_country(snapshot.library, snapshot.draft.jurisdiction))
    parts = [write_title(known)]
    if label:
        place = _find_place(snapshot, known, label)
        if place is not None:
            words = as_markdown(write_pinpoint(find_pinpoint_kind(known), label, known.jurisdiction))
            parts.append(f"{words}\n\n{quote(shorten(blank_markup(known, place.text), _LONGEST_PARAGRAPH))}")
        return "\n\n".join(parts)
    terms = _terms_around(snapshot, offset)
    passages, _ = snapshot.library.lexical(terms, 1, [authority], token)
    for passage in snapshot.library.contents.passage_records(passages.tolist(), token):
        where = write_place(known, passage)
        text = blank_markup(known, passage.text)
        if len(text) > _LONGEST_PARAGRAPH:
            wanted = find_terms(_words_around(snapshot, offset), snapshot.tokens)
            text = text[find_best_sentence(wanted, known, text, snapshot.tokens).start :]
        head = f"{as_markdown(where)}\n\n" if where else ""
        parts.append(head + quote(shorten(text, _LONGEST_PARAGRAPH)))
    return "\n\n".join(parts)


def _ranked(asked: _Request, cited: Iterable[int]) -> list[int]:
    """Candidates by how their name matches, how they fit the paragraph, and how often they are cited."""
    names, context = asked.names, asked.context
    matched: dict[int, float] = {}
    if context.kind == "name":
        matched = names.by_name(context.typed, _CANDIDATES)
    elif context.kind == "citation":
        matched = dict.fromkeys(names.by_citation(context.typed, _CANDIDATES), 1.0)
    if context.of_act:
        acts = {each: quality for each, quality in matched.items() if names.authorities[each].kind != "case"}
        matched = acts or matched
    fits = _fit_documents(asked, list(matched) if matched else None)
    if context.kind in ("any", "mention"):
        wanted = [each for each in fits if _begins_like(names.authorities.get(each), asked)]
        mentioned = cited if context.kind == "mention" else ()
        matched = dict.fromkeys([*wanted, *(each for each in mentioned if each in names.authorities)], 0.0)
    asked.token.raise_if_cancelled()
    leading = sorted(matched, key=lambda each: -(2 * matched[each] + fits.get(each, 0.0)))
    leading = leading[: 2 * asked.most]
    scores = {
        each: 2 * matched[each]
        + fits.get(each, 0.0)
        + 0.1 * math.log1p(asked.snapshot.library.graph.count_citing(each))
        for each in leading
    }
    return sorted(scores, key=lambda each: (-scores[each], names.authorities[each].title.casefold()))


def _begins_like(authority: Authority | None, asked: _Request) -> bool:
    """Whether an authority can follow the opening: a bracket only opens a citation that begins with one."""
    if authority is None:
        return False
    start = asked.context.replace.start
    opening = asked.snapshot.draft.source[start : start + 1]
    return opening != "[" or authority.citation.startswith("[")


def _propose(asked: _Request, authority: Authority, place: int, label: str = "") -> CompletionItem:
    """An authority, or the place of it with ``label``, as the proposal at ``place`` of the list."""
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
        filter=asked.snapshot.draft.source[span.start : asked.offset] or written.text,
        order=f"{place:04}",
        authority=authority.id,
        label_of_place=label,
        stop=written.pinpoint if written.pinpoint and not label else None,
        plain="" if label else _write(asked, authority, "").text,
    )


def _propose_short(
    asked: _Request, authority: Authority, cited: Cited, item: CompletionItem
) -> CompletionItem | None:
    """The short form beside the proposal of an authority; None where it was not cited yet, has none, or the
    style points back already."""
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


# -- sections, paragraphs and keys ---------------------------------------------------------------------------


def _complete_sections(asked: _Request) -> list[CompletionItem]:
    """Sections of Acts for "s 12|": Acts that the draft cites first, then those that fit the paragraph."""
    snapshot, authorities = asked.snapshot, asked.names.authorities
    acts = [each.id for each in authorities.values() if each.kind in ("statute", "regulation")]
    if not acts:
        return []
    cited = find_cited(snapshot, len(snapshot.draft.source)).first
    fits = _fit_documents(asked, acts)
    ordered = sorted(acts, key=lambda each: -(fits.get(each, 0.0) + (1.0 if each in cited else 0.0)))
    items: list[CompletionItem] = []
    for number in ordered[: asked.most]:
        asked.token.raise_if_cancelled()
        authority = authorities[number]
        known = snapshot.library.contents.list_labels(number, find_pinpoint_kind(authority))
        for label in _labels_like(known, asked.context.typed)[:3] if asked.context.typed else [""]:
            items.append(_propose(asked, authority, len(items), label))
    return items[: asked.most]


def _complete_pinpoints(asked: _Request) -> list[CompletionItem]:
    """The places of the authority cited, those first that fit the paragraph being written."""
    snapshot, context = asked.snapshot, asked.context
    assert context.citation is not None
    authority = find_authority(snapshot.library, resolve(snapshot.library, snapshot.draft, context.citation))
    if authority is None:
        return []
    contents = snapshot.library.contents
    kind = context.pinpoint
    if kind == "paragraph" and choose_pinpoint(authority) == "page":
        kind = "page"
    labels = _labels_like(contents.list_labels(authority.id, kind), context.typed)
    passages, _ = snapshot.library.lexical(
        _terms_around(snapshot, asked.offset), 50, [authority.id], asked.token
    )
    fitting = (
        str(each.page) if kind == "page" else each.paragraph
        for each in contents.passage_records(passages.tolist()[: asked.most], asked.token)
    )
    ordered = list(dict.fromkeys([*(each for each in fitting if each in labels), *labels]))[: asked.most]
    items = []
    for number, label in enumerate(ordered):
        asked.token.raise_if_cancelled()
        place = _find_place(snapshot, authority, label, kind)
        words = " ".join(blank_markup(authority, place.text).split()) if place is not None else ""
        written = write_pinpoint(kind, label, authority.jurisdiction)
        # *Id.* needs "at" before it.
        text = f"at {label if kind == 'page' else written}" if context.leads else label
        items.append(
            CompletionItem(
                label=written,
                description=shorten(words, 60),
                kind="place",
                replace=context.replace,
                text=text + context.closing,
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


_BEHIND = re.compile(r"[\w:.-]{0,200}")
_LOOKED_BACK = 600
_NO_AUTHORITY = -1


def _find_typed_key(draft: Draft, offset: int) -> Span | None:
    """The key that is being typed at ``offset``, as far as it stands there; None where none is.

    Nothing is found in a draft without a bibliography.
    """
    pattern = draft.format.typed_key
    if draft.bibliography is None or pattern is None:
        return None
    start = max(draft.source.rfind("\n", 0, offset) + 1, offset - _LOOKED_BACK)
    match = pattern.search(draft.source[start:offset])
    if match is None:
        return None
    behind = _BEHIND.match(draft.source, offset)
    return Span(start + match.start("key"), behind.end() if behind is not None else offset)


def _complete_keys(snapshot: Snapshot, typed: Span, offset: int) -> list[CompletionItem]:
    """The entries whose key begins like what is typed, or has it, or whose title has a word like it."""
    draft = snapshot.draft
    assert draft.bibliography is not None
    written = draft.source[typed.start : offset]
    ranked = sorted(
        (rank, record.key)
        for record in draft.bibliography.records.values()
        if (rank := _rank(written.casefold(), record)) is not None
    )
    items: list[CompletionItem] = []
    for _, key in ranked[: snapshot.settings.completion_max_items]:
        entry = draft.bibliography.entry(key, draft.jurisdiction)
        assert entry is not None
        held = snapshot.library.catalogue.find_key(entry.key)
        more = "" if entry.key.startswith(entry.name) else entry.key
        items.append(
            CompletionItem(
                label=key,
                description=f"{entry.name} {more}".strip(),
                kind="case" if entry.kind == "case" else "statute" if entry.kind == "statute" else "other",
                replace=typed,
                text=key,
                filter=written or key,
                order=f"{len(items):04}",
                authority=held[0] if held else _NO_AUTHORITY,
            )
        )
    return items


def _rank(typed: str, record: Record) -> int | None:
    key = record.key.casefold()
    if key.startswith(typed):
        return 0
    if any(word.startswith(typed) for word in record.title.casefold().split()):
        return 1
    return 2 if typed in key else None


# -- how a proposal is written, and what the paragraph is about ----------------------------------------------


def _write(asked: _Request, authority: Authority, pinpoint: str) -> Rendered:
    """The citation in the draft's form; only what is not there yet."""
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


def _find_place(
    snapshot: Snapshot, authority: Authority, label: str, kind: PinpointKind | None = None
) -> Place | None:
    """The place of the authority with this label, None if it has none; of its usual ``kind`` without one."""
    pinpoint = Pinpoint(kind or find_pinpoint_kind(authority), (label,), Span(0, 0))
    places = snapshot.library.contents.find_places(authority.id, pinpoint)
    return places[0] if places else None


def _fit_documents(asked: _Request, among: Sequence[int] | None) -> dict[int, float]:
    """How well whole documents fit the paragraph being written: BM25, as a share of the best one's score."""
    terms = _terms_around(asked.snapshot, asked.offset)
    if not terms:
        return {}
    documents, scores = asked.snapshot.library.lexical_documents(terms, _DOCUMENTS, among, asked.token)
    best = float(scores[0]) if len(scores) else 0.0
    if best <= 0:
        return {}
    return {int(each): float(score) / best for each, score in zip(documents, scores, strict=True)}


def _words_around(snapshot: Snapshot, offset: int) -> str:
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
    """The last terms of the paragraph being written that carry meaning, as the index counts them."""
    words = [
        word
        for word in _words_around(snapshot, offset).split()
        if word.casefold().strip(".,;:()") not in COMMON
    ]
    terms = list(dict.fromkeys(snapshot.tokens(" ".join(words))))
    return terms[-_QUERY_TERMS:]
