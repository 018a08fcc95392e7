"""Rename a term that the draft defines for an authority, in its definition and in every use."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.citations.case_names.shorten import list_openings, list_short_names
from lexls.citations.definitions import find_definitions
from lexls.citations.model import Mention, fold
from lexls.reading.defined_terms import DefinedTerm, find_defined_terms, find_term_at, find_uses
from lexls.reading.edit import Edit
from lexls.reading.resolve import find_authority_cited
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

LONGEST_TERM = 60
"""Maximum length of a term in code points."""
_ARTICLE = re.compile(r"the\s+", re.IGNORECASE)
_QUOTES = "\"“”‘’'"
_UNFIT = re.compile(r"[\"“”‘()\[\]{}\\*_#$%&~^<>`\r\n]|[.,;:]$")


class NotRenamable(Exception):
    """Raised if nothing can be renamed. The message gives the reason, for the user."""


@dataclass(frozen=True, slots=True)
class Renamable:
    """The target of a rename: the words at the cursor, and all definitions of their term for its authority.

    There are several definitions if the term is defined again.
    """

    span: Span
    definitions: tuple[DefinedTerm, ...]

    @property
    def defined(self) -> DefinedTerm:
        """Return the first definition."""
        return self.definitions[0]


def rename(snapshot: Snapshot, offset: int, name: str, token: CancelToken) -> list[Edit]:
    """Return the edits that rename the term at ``offset``, in order; none if it already has that name.

    Each place keeps its article and quotation marks. Raises ``NotRenamable`` if there is no term, or if
    ``name`` would not be recognised as a term or already has another meaning in this draft.
    """
    draft = snapshot.draft
    chosen = find_renamable(snapshot, offset, token)
    term = _as_term(name)
    if term == chosen.defined.term:
        return []
    _refuse_taken(snapshot, chosen, term)
    token.raise_if_cancelled()
    edits = {each.words: _defining(draft, each, term) for each in chosen.definitions}
    for span in find_uses(draft, chosen.defined, token):
        edits.setdefault(span, term)
    return [Edit(span, text) for span, text in sorted(edits.items())]


def find_renamable(snapshot: Snapshot, offset: int, token: CancelToken) -> Renamable:
    """Return what a rename at ``offset`` would change. Raises ``NotRenamable`` if it would change nothing."""
    draft = snapshot.draft
    defined = find_term_at(draft, offset)
    if defined is not None:
        return Renamable(defined.words, _alike(draft, defined.term, defined.citation.key))
    citation = draft.citation_at(offset)
    if citation is None:
        raise NotRenamable("There is no defined term here: only those can be renamed, as in (“the Act”).")
    if citation.form == "full":
        raise NotRenamable(
            "Only a term that this draft defines can be renamed, as in (“the Act”); this is a citation."
        )
    terms = {fold(each.term): each for each in find_defined_terms(draft) if each.citation.key == citation.key}
    for each in terms.values():
        for span in find_uses(draft, each, token):
            # On the article, too, the term is meant.
            if span.overlaps(citation.core):
                return Renamable(span, _alike(draft, each.term, citation.key))
    words = " ".join(citation.core.of(draft.masked).split())
    raise NotRenamable(f"“{words}” is not defined in this draft, so it cannot be renamed.")


def _alike(draft: Draft, term: str, key: str) -> tuple[DefinedTerm, ...]:
    """Return every definition of a term for one authority."""
    return tuple(
        each
        for each in find_defined_terms(draft)
        if each.citation.key == key and fold(each.term) == fold(term)
    )


def _as_term(name: str) -> str:
    """Return the new name without article and quotation marks. Raises ``NotRenamable`` if it would not be
    recognised as a term.
    """
    term = _without_article(" ".join(name.split()).strip(_QUOTES + " ")).strip(_QUOTES + " ")
    if not term:
        raise NotRenamable("A term needs a name.")
    if len(term) > LONGEST_TERM:
        raise NotRenamable(f"A term has at most {LONGEST_TERM} characters.")
    if _UNFIT.search(term) or not term[0].isalnum():
        raise NotRenamable(f"“{term}” cannot be a term: leave out brackets, quotation marks and markup.")
    if not any(letter.isupper() for letter in term):
        raise NotRenamable(f"“{term}” would not be read as a term: it needs a capital letter.")
    return term


def _refuse_taken(snapshot: Snapshot, chosen: Renamable, term: str) -> None:
    """Raise ``NotRenamable`` if the name already has another meaning in the draft."""
    wanted = fold(term)
    own = {each.words for each in chosen.definitions}
    for each in find_defined_terms(snapshot.draft):
        if each.words not in own and fold(each.term) == wanted:
            cited = " ".join(each.citation.core.of(snapshot.draft.masked).split())
            raise NotRenamable(f"“{each.term}” is already defined, for {cited}.")
    key = chosen.defined.citation.key
    asked: set[tuple[str, str]] = set()
    for citation in snapshot.draft.citations:
        if citation.form != "full" or not citation.key or citation.key == key:
            continue
        if (citation.key, citation.name) in asked or citation.group == chosen.defined.citation.group != 0:
            continue
        asked.add((citation.key, citation.name))
        if wanted in _called(citation.name):
            raise NotRenamable(f"“{term}” already means {citation.key} in this draft.")
        other = find_authority_cited(snapshot, citation)
        if other is None or other == find_authority_cited(snapshot, chosen.defined.citation):
            continue
        if wanted in _called(other.title) | _called(other.short_title):
            raise NotRenamable(f"“{term}” is the name of another authority cited, {other.title}.")


def _called(name: str) -> frozenset[str]:
    """Return all names by which a draft may refer to an authority of this name, folded and without
    articles.
    """
    names = (name, *list_short_names(name), *list_openings(name)) if name else ()
    return frozenset(fold(_without_article(each)) for each in names)


def _without_article(name: str) -> str:
    article = _ARTICLE.match(name)
    return name[article.end() :] if article is not None else name


def _defining(draft: Draft, defined: DefinedTerm, term: str) -> str:
    """Return the new words of a definition, in quotation marks if bare brackets would not define them."""
    around = defined.citation
    start = around.span.start
    before = draft.masked[start : defined.words.start]
    behind = draft.masked[defined.words.end : defined.span.end]
    if any(mark in before[defined.span.start - start :] for mark in _QUOTES):
        return term
    mention = Mention(
        0, defined.span.start - start, around.core, around.kind, "full", name=around.name, year=around.year
    )
    if any(fold(each.term) == fold(term) for each in find_definitions(before + term + behind, [mention])):
        return term
    return f"“{term}”"
