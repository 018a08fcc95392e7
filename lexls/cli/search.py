"""``lexls search`` and ``lexls support``: find authorities in a library."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lexls.cli.context import (
    Workspace,
    find_workspace,
    load_grammar,
    make_searcher,
    open_for_search,
    read_filters,
)
from lexls.cli.drafts import find_offset, read_draft
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, wrap
from lexls.cli.word_copies import check_copy, open_copy, save_copy
from lexls.export.word_review import comment_support, find_unsupported, withdraw_support
from lexls.features.cited_for import count_in_words
from lexls.features.find_support import SupportOption, describe_distance, find_support, search_support
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.reading.draft_parser import DraftParser
from lexls.reading.propositions import write_query
from lexls.reading.resolve import settle_hits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.cited_for import CitedFor
from lexls.retrieval.model import Hit
from lexls.retrieval.relevance import find_best_sentence, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN
from lexls.text.spans import Span
from lexls.text.terminal import note
from lexls.wording.descriptions import name_file, write_place


def describe_hit(hit: Hit) -> dict[str, Any]:
    """Return a hit as JSON data. Offsets count code points in the text of the hit's file."""
    return {
        "rank": hit.rank,
        **name_file(hit.authority),
        "title": hit.authority.title,
        "citation": hit.authority.citation,
        "kind": hit.authority.kind,
        "paragraph": hit.passage.paragraph or None,
        "page": hit.passage.page or None,
        "role": hit.passage.role or None,
        "label": hit.passage.label or None,
        "start": hit.passage.start,
        "end": hit.passage.end,
        "score": round(hit.score, 6),
        "text": hit.passage.text,
    }


def write_hits(hits: Iterable[Hit], query: str, notes: Mapping[int, str] = {}) -> Iterator[str]:
    """Yield hits as text: the authority, the pinpoint, and the passage, beginning at the sentence that best
    matches ``query``. ``notes`` has notes by authority id.
    """
    tokens = Tokenizer().tokenize
    terms = find_terms(query, tokens)
    found = False
    for hit in hits:
        if found:
            yield ""
        found = True
        authority, passage = hit.authority, hit.passage
        name = authority.name
        citation = f" {authority.citation}" if authority.citation and authority.citation != name else ""
        place = write_place(authority, passage)
        joint = " at " if place.startswith("[") else ", " if place else ""
        role = passage.label
        yield f"{hit.rank:2}. {name}{citation}{joint}{place}{f' ({role})' if role else ''}"
        yield f"    {authority.relative}"
        if notes.get(authority.id):
            yield f"    {notes[authority.id]}"
        start = find_best_sentence(terms, authority, passage.text, tokens).start
        yield from wrap(f"{'… ' if start else ''}{passage.text[start:]}", "    ")
    if not found:
        yield "Nothing in the library fits."


DEFAULT_HITS = 10


def run_search(options: argparse.Namespace) -> int:
    """Search for documents, each with its best passage. With ``--passages``, return the best passages, even
    several from one document.
    """
    place = find_workspace(options)
    chosen = read_filters(options, place)
    library = open_for_search(place, lexical=options.lexical)
    found = make_searcher(library, place, lexical=options.lexical)
    search = found.search_passages if options.passages else found.search
    hits = search(options.query, options.k or DEFAULT_HITS, chosen, CancelToken())
    hits = settle_hits(library, hits, place.settings.jurisdiction)
    emit(options, {"hits": [describe_hit(hit) for hit in hits]}, write_hits(hits, options.query))
    return FINE


def run_support(options: argparse.Namespace) -> int:
    """Search for authorities that support a proposition, which is given or read from a draft. The draft
    itself is not searched.
    """
    if options.output is not None:
        return _write_copy(options)
    draft: Path | None = options.file
    place = find_workspace(options, draft)
    proposition = options.text if draft is None else _proposition(draft, options, place)
    settings = place.settings
    chosen = read_filters(
        options,
        place,
        kinds=settings.support_kinds,
        roles=settings.support_roles,
        leave_out=[draft] if draft else [],
    )
    library = open_for_search(place, lexical=options.lexical)
    search = make_searcher(library, place, lexical=options.lexical)
    parsed = DraftParser(load_grammar(settings), settings.jurisdiction).parse("", proposition, PLAIN)
    snapshot = Snapshot(parsed, library, search, settings)
    token = CancelToken()
    most, whole = options.k or settings.support_max_results, Span(0, len(proposition))
    found = search_support(snapshot, proposition, whole, most, chosen, token)
    distance = describe_distance(snapshot, found)
    data = {
        "proposition": proposition,
        "distance": distance or None,
        "hits": [
            {
                **describe_hit(each.hit),
                "quote": each.quote,
                "warning": each.warning or None,
                "cited_for": _counts(each.cited_for),
            }
            for each in found
        ],
    }
    notes = {each.hit.authority.id: _write_notes(library, each) for each in found}
    shown = [f"“{proposition}”"] if draft is not None else []
    emit(
        options,
        data,
        _support_lines([*shown, *filter(None, [distance])], proposition, [each.hit for each in found], notes),
    )
    return FINE


_IN_COMMENT = 3


def _write_copy(options: argparse.Namespace) -> int:
    """Write a copy of a Word document in which comments propose authorities for propositions without a
    citation.
    """
    path: Path = options.file
    check_copy(path, options.output)
    place = find_workspace(options, path)
    settings = place.settings
    kinds, roles = settings.support_kinds, settings.support_roles
    chosen = read_filters(options, place, kinds=kinds, roles=roles, leave_out=[path])
    draft = read_draft(path, settings)
    library = open_for_search(place, lexical=options.lexical)
    snapshot = Snapshot(draft, library, make_searcher(library, place, lexical=options.lexical), settings)
    token = CancelToken()
    if options.line is None:
        sentences = list(find_unsupported(snapshot, token))
    else:
        found = draft.sentence_at(find_offset(draft, path, options.line, options.character))
        sentences = [found] if found is not None else []
    copy = open_copy(path, snapshot)
    told = []
    for sentence in withdraw_support(copy, draft, sentences):
        best = find_support(snapshot, sentence, options.k or _IN_COMMENT, token, chosen)
        if describe_distance(snapshot, best):
            best = []  # do not comment with authorities that are merely the closest
        if best:
            comment_support(copy, draft, sentence, best)
        words = " ".join(sentence.of(draft.masked).split())
        hits = [describe_hit(each.hit) for each in best]
        told.append({"start": sentence.start, "end": sentence.end, "proposition": words, "hits": hits})
    note(save_copy(path, copy, options.output))
    emit(options, {"propositions": told}, ())
    return FINE


def _write_notes(library: Library, option: SupportOption) -> str:
    """Return a warning about an authority, if there is one, and how often it was cited for the
    proposition.
    """
    cited = count_in_words(library, option.cited_for) if option.cited_for else ""
    return " ".join(filter(None, [f"Warning: {option.warning}." if option.warning else "", cited]))


def _counts(found: CitedFor | None) -> dict[str, int]:
    """Return how many documents in the library cite a hit for the same proposition ("documents"), and how
    many of the user's own files do ("own").
    """
    return {"documents": found.count if found else 0, "own": len(found.own) if found else 0}


def _proposition(path: Path, options: argparse.Namespace, place: Workspace) -> str:
    """Return the words of the sentence at the given position, without the cases that it cites. A sentence
    that consists only of a citation is returned whole. Raises ``CommandFailed`` if there is no sentence.
    """
    draft = read_draft(path, place.settings)
    offset = find_offset(draft, path, options.line, options.character)
    sentence = draft.sentence_at(offset)
    words = write_query(draft, sentence) if sentence else ""
    if sentence and not any(each.isalnum() for each in words):
        words = draft.prose(sentence)  # nothing but a citation and its signal
    if not words:
        raise CommandFailed(f"{path}: there is no sentence on line {options.line}", USAGE)
    return words


def _support_lines(
    before: Iterable[str], proposition: str, hits: list[Hit], notes: Mapping[int, str]
) -> Iterator[str]:
    for each in before:
        yield from wrap(each, "")
        yield ""
    yield from write_hits(hits, proposition, notes)
