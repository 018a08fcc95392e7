"""Count how often other documents cite a sentence's authorities for the same proposition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation
from lexls.index.library import Library
from lexls.reading.propositions import write_query
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.cited_for import CitedFor
from lexls.retrieval.model import EVERYTHING, Filters
from lexls.retrieval.relevance import find_terms
from lexls.text.cancel import CancelToken
from lexls.text.formats.markdown import as_markdown
from lexls.text.paths import find_file
from lexls.text.spans import Span
from lexls.wording.descriptions import OpenLink
from lexls.wording.markdown import fold, write_link

_FEWEST_TERMS = 3


def find_cited_for(snapshot: Snapshot, proposition: str, token: CancelToken) -> Mapping[int, CitedFor]:
    """Return the authorities that library documents and the user's own cases cite for a proposition, by id,
    excluding the draft itself. Empty if precedents are disabled.
    """
    if not snapshot.settings.precedents_enabled or not proposition:
        return {}
    return snapshot.searcher.find_cited_for(proposition, Filters(excluded=find_own_files(snapshot)), token)


def find_proposition(snapshot: Snapshot, citation: Citation) -> str:
    """Return the proposition that a citation supports, or an empty string. It is the text of the citing
    sentence or, if that has too few words, of an earlier one.
    """
    draft = snapshot.draft
    sentence = draft.sentence_at(citation.span.start)
    if sentence is None or draft.heading_at(sentence.start) is not None:
        return ""
    paragraph = draft.paragraph_at(sentence.start)
    before: Sequence[Span] = draft.sentences_of(paragraph) if paragraph is not None else ()
    for each in (sentence, *reversed([each for each in before if each.end <= sentence.start])):
        words = write_query(draft, each)
        if len(find_terms(words, snapshot.tokens)) >= _FEWEST_TERMS:
            return words
    return ""


def count_in_words(library: Library, found: CitedFor, *, briefly: bool = False) -> str:
    """Return "cited for this in 4 judgments of your library and in 1 file of your own cases and drafts".

    The noun is "opinions" in America, and "documents" if not all are cases. If ``briefly``, "of your library"
    is omitted.
    """
    citing = [library.catalogue.get(each.citing) for each in found.precedents]
    nouns = {
        find_jurisdiction(each.jurisdiction).customs.decision if each.kind == "case" else "document"
        for each in citing
        if each is not None
    }
    noun = nouns.pop() if len(nouns) == 1 else "judgment" if "document" not in nouns and nouns else "document"
    parts = []
    if found.count:
        of = "" if briefly else " of your library"
        parts.append(f"in {found.count} {noun}{'' if found.count == 1 else 's'}{of}")
    if found.own:
        count = len(found.own)
        parts.append(f"in {count} file{'' if count == 1 else 's'} of your own cases and drafts")
    return f"cited for this {' and '.join(parts)}"


def count_with_links(library: Library, found: CitedFor, most: int, link: OpenLink) -> str:
    """Return ``count_in_words`` as a Markdown paragraph that lists up to ``most`` documents: the best ones,
    linked to their sentences, then the user's own files.
    """
    named = []
    for each in found.precedents[:most]:
        citing = library.catalogue.get(each.citing)
        if citing is not None:
            address = link(each.citing, each.start, each.end)
            named.append(write_link(as_markdown(fold(citing.name)), address))
    own = found.own[: max(0, most - len(named))]
    named.extend(f"{as_markdown(each.path.name)}, line {each.line}" for each in own)
    said = count_in_words(library, found)
    listed = "; ".join(named)
    more = "; …" if found.count + len(found.own) > len(named) else "" if listed.endswith(".") else "."
    return f"{said[0].upper()}{said[1:]}: {listed}{more}" if named else f"{said}."


def find_own_files(snapshot: Snapshot) -> tuple[Path, ...]:
    """Return the draft's own file, so that its sentences do not count as support for the draft. Returns an
    empty tuple if they could not count anyway.
    """
    path = find_file(snapshot.draft.uri)
    if path is None:
        return ()
    # Only if it may count: excluding a file from a whole library takes time for each new draft.
    known = snapshot.library.catalogue.find_path(path) is not None or snapshot.searcher.past is not None
    return (path,) if known else ()


def filter_support(snapshot: Snapshot, chosen: Filters = EVERYTHING) -> Filters:
    """Return filters for documents that may support a sentence of the draft, combining ``chosen`` with the
    settings and excluding the draft itself.
    """
    settings = snapshot.settings
    kinds, roles = chosen.kinds or frozenset(settings.support_kinds), frozenset(settings.support_roles)
    excluded = (*find_own_files(snapshot), *chosen.excluded)
    return replace(chosen, kinds=kinds, roles=roles, excluded=excluded)
