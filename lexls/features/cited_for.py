"""What a sentence's authorities were cited for before: how often other documents cite one for the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from lexls.citations.model import Citation
from lexls.features.propositions import asked
from lexls.features.snapshot import Snapshot
from lexls.features.wording import OpenLink, linked
from lexls.grounding.markdown import escape, one_line
from lexls.grounding.relevance import content_terms
from lexls.index.library import Library
from lexls.retrieval.cited_for import CitedFor, cited_for
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_FEWEST_TERMS = 3


def cited_for_it(snapshot: Snapshot, proposition: str, token: CancelToken) -> Mapping[int, CitedFor]:
    """The authorities that documents of the library cite for a proposition, by id; the draft itself, where it
    lies in the library, does not count. Empty where precedents are switched off.
    """
    if not snapshot.settings.precedents_enabled or not proposition:
        return {}
    query = snapshot.searcher.query(proposition)
    vector = snapshot.searcher.vector_of(query)
    token.raise_if_cancelled()
    return cited_for(snapshot.library, query.terms, vector, snapshot.tokens, _without_draft(snapshot), token)


def proposition_of(snapshot: Snapshot, citation: Citation) -> str:
    """What a citation stands for: the words of its sentence, or of the one before a citation sentence."""
    draft = snapshot.draft
    sentence = draft.sentence_at(citation.span.start)
    if sentence is None or draft.heading_at(sentence.start) is not None:
        return ""
    words = asked(draft, sentence)
    if len(content_terms(words, snapshot.tokens)) >= _FEWEST_TERMS:
        return words
    paragraph = draft.paragraph_at(sentence.start)
    before: Sequence[Span] = draft.sentences_of(paragraph) if paragraph is not None else ()
    for each in reversed([each for each in before if each.end <= sentence.start]):
        words = asked(draft, each)
        if len(content_terms(words, snapshot.tokens)) >= _FEWEST_TERMS:
            return words
    return ""


def counted(library: Library, found: CitedFor, *, own: bool = True) -> str:
    """ "cited for this in 4 judgments of your library"; "documents" where not all of them are cases."""
    kinds = {
        authority.kind
        for each in found.precedents
        if (authority := library.authority(each.citing)) is not None
    }
    noun = "judgment" if kinds == {"case"} else "document"
    of = " of your library" if own else ""
    return f"cited for this in {found.count} {noun}{'' if found.count == 1 else 's'}{of}"


def counted_with_links(library: Library, found: CitedFor, most: int, link: OpenLink | None) -> str:
    """``counted`` as a Markdown paragraph that names the ``most`` best, each a link to its sentence."""
    named = []
    for each in found.precedents[:most]:
        citing = library.authority(each.citing)
        if citing is not None:
            address = link(each.citing, each.start, each.end) if link is not None else ""
            named.append(linked(escape(one_line(citing.title or citing.relative)), address))
    said = counted(library, found)
    more = "; …" if found.count > len(named) else "."
    return f"{said[0].upper()}{said[1:]}: {'; '.join(named)}{more}" if named else f"{said}."


def _without_draft(snapshot: Snapshot) -> frozenset[int] | None:
    """All documents but the draft; None: it is none of them."""
    parts = urlsplit(snapshot.draft.uri)
    if parts.scheme != "file":
        return None
    own = snapshot.library.by_path(Path(url2pathname(parts.path)))
    if own is None:
        return None
    return frozenset(each.id for each in snapshot.library.authorities()) - {own.id}
