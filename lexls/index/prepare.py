"""Prepare a file for the index: compute everything before a transaction begins.

``Preparer.prepare`` is a pure function of a file and a configuration, so that it can run in worker processes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lexls.citations.case_names.compare import make_party_key
from lexls.citations.citing_sentences import find_citing_sentences, find_quotations
from lexls.citations.entities import find_entities
from lexls.citations.grammar import Grammar
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.citations.treatment import Treatment, find_treatments
from lexls.index.config import PrepareOptions
from lexls.index.forward_postings import ForwardPostings, count_terms
from lexls.index.rows import FailedDocument
from lexls.index.tokens import Tokenizer
from lexls.library.document import Passage, SourceDocument, UnreadableFile
from lexls.library.passages import cut_passages
from lexls.library.readers import parse, read_bytes
from lexls.library.roles.reader import RoleReader
from lexls.text.formats import format_of
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.index.reconcile import FileState


@dataclass(frozen=True, slots=True)
class Edge:
    """A citation found in a document: its span in the document's text, folded key, pinpoint labels.

    ``pinpoint_kind`` is what the labels count, ``quote`` the range that the sentence quotes right before the
    citation ((0, 0): none). ``name`` and ``year`` are of a case cited in full, as ``aliases`` has them.
    """

    start: int
    end: int
    key: str
    pinpoint: tuple[str, ...]
    pinpoint_kind: str = ""
    quote: tuple[int, int] = (0, 0)
    name: str = ""
    year: int = 0


@dataclass(frozen=True, slots=True)
class CitedKey:
    """An authority cited for a proposition: its folded key, the span of the citation, signal and pinpoint."""

    key: str
    start: int
    end: int
    signal: str
    pinpoint: tuple[str, ...]
    pinpoint_kind: str


@dataclass(frozen=True, slots=True)
class Precedent:
    """A sentence of a document that cites authorities: ``[start, end)`` of the document's text.

    ``proposition`` are its words without citations of cases, ``entities`` the names and figures in it.
    """

    start: int
    end: int
    proposition: str
    entities: tuple[str, ...]
    keys: tuple[CitedKey, ...]


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document ready to be written. ``hash`` is the SHA-256 of the bytes that it was read from.

    ``roles`` has the rhetorical role of each passage; it is empty for a document that is no case.
    """

    file: FileState
    hash: bytes
    source: SourceDocument
    keys: tuple[str, ...]
    passages: tuple[Passage, ...]
    vocabulary: tuple[str, ...]
    postings: ForwardPostings
    edges: tuple[Edge, ...]
    treatments: tuple[Treatment, ...]
    precedents: tuple[Precedent, ...]
    precedent_postings: ForwardPostings
    roles: tuple[str, ...] = ()


class Preparer:
    """Prepares files under one set of options; loads its grammar, tokenizer and reader of roles once."""

    def __init__(self, options: PrepareOptions) -> None:
        self._options = options
        self._grammar = Grammar.load(json.loads(options.forms))
        self._tokenizer = Tokenizer()
        self._max_bytes = options.max_bytes

    def prepare(self, file: FileState) -> PreparedDocument | FailedDocument:
        """Read ``file`` and compute all that the index holds of it but its vectors.

        Never raises for what is wrong with the file: that is a ``FailedDocument``.
        """
        try:
            return self._prepare(file)
        except Exception as error:
            # A fault of ours in one odd file must not keep all others out of the index.
            return FailedDocument(
                file, f"a fault in lexls while reading it ({type(error).__name__})", retry=True
            )

    def _prepare(self, file: FileState) -> PreparedDocument | FailedDocument:
        try:
            # Opened once: a second look might find what was saved meanwhile.
            data = read_bytes(file.path, self._max_bytes)
            source = parse(file.path, data, self._grammar)
        except UnreadableFile as error:
            return FailedDocument(file, str(error), retry=isinstance(error.__cause__, OSError))
        pieces = cut_passages(source, self._options.max_chars, self._options.overlap)
        if not pieces:
            return FailedDocument(file, "no text in it")
        keys = self._keys(source)
        edges, treated, precedents = self._citations(source, keys, file.path.name)
        texts = [source.text[each.start : each.end] for each in pieces]
        units = [*texts, *(each.proposition for each in precedents)]
        vocabulary, postings = count_terms(units, self._tokenizer)
        return PreparedDocument(
            file=file,
            hash=hashlib.sha256(data).digest(),
            source=source,
            keys=keys,
            passages=pieces,
            roles=self._passage_roles(source, pieces, texts),
            vocabulary=vocabulary,
            postings=postings.cut(0, len(texts)),
            edges=edges,
            treatments=treated,
            precedents=precedents,
            precedent_postings=postings.cut(len(texts), len(units)),
        )

    def _passage_roles(
        self, source: SourceDocument, pieces: Sequence[Passage], texts: Sequence[str]
    ) -> tuple[str, ...]:
        if source.metadata.kind != "case":
            return ()
        numbered = [bool(each.paragraph) for each in pieces]
        return self._roles.passage_roles(texts, [each.heading for each in pieces], numbered)

    @cached_property
    def _roles(self) -> RoleReader:
        return RoleReader.load()

    def _keys(self, source: SourceDocument) -> tuple[str, ...]:
        metadata = source.metadata
        names = [metadata.citation, *metadata.parallel_citations]
        if metadata.kind in ("statute", "regulation", "treaty"):
            names.append(metadata.title)  # an Act is cited by its title
        jurisdiction = metadata.jurisdiction or self._options.jurisdiction
        keys: list[str] = []
        for name in filter(None, names):
            found = [c.key for c in self._grammar.find(name, jurisdiction) if c.form == "full" and c.key]
            # Two reports named at once ("2006 WI 67; 715 N.W.2d 620") are two keys.
            keys.extend(found if len(found) > 1 else [self._grammar.key_of(name, jurisdiction)])
        return tuple(dict.fromkeys(folded for key in keys if (folded := fold(key))))

    def _citations(
        self, source: SourceDocument, own: tuple[str, ...], name: str
    ) -> tuple[tuple[Edge, ...], tuple[Treatment, ...], tuple[Precedent, ...]]:
        """The citations in the document, how it treats them and what for it cites them, without those of
        itself (its head, "the present appeal"). Keys of what is cited are folded.
        """
        jurisdiction = source.metadata.jurisdiction or self._options.jurisdiction
        # As long as the text, so that spans hold.
        text = format_of("", name).mask(source.text)
        citations = self._grammar.find(text, jurisdiction)
        # "Section 9" of a contract is a clause of its own, not one of the Act it named last.
        ignored = {"section"} if source.metadata.kind == "contract" else set()
        found = [
            (fold(c.key), c) for c in citations if c.key and c.form not in ignored and fold(c.key) not in own
        ]
        cut = cut_sentences(text, [each.span for each in citations])
        quoted = find_quotations(text, [c.span for _, c in found])
        edges = tuple(
            Edge(
                c.span.start,
                c.span.end,
                key,
                c.pinpoint.labels if c.pinpoint else (),
                c.pinpoint.kind if c.pinpoint else "",
                quote,
                make_party_key(c.name) if c.form == "full" and c.kind == "case" and c.name else "",
                c.year or 0,
            )
            for (key, c), quote in zip(found, quoted, strict=True)
        )
        treated = (
            replace(each, key=fold(each.key), by="" if fold(each.by) in own else each.by)
            for each in find_treatments(text, citations, cut)
        )
        precedents = _precedents(text, citations, cut, {*own, ""}, ignored)
        return edges, tuple(each for each in treated if each.key not in own), precedents


def _precedents(
    text: str,
    citations: Sequence[Citation],
    cut: Sequence[Span],
    own: Collection[str],
    ignored: Collection[str],
) -> tuple[Precedent, ...]:
    """The citing sentences among those of a masked text, without what they cite by a key in ``own`` or in a
    form in ``ignored``. An authority is cited once in each: at its first citation with a pinpoint.
    """
    found = []
    for sentence in find_citing_sentences(text, citations, cut):
        keys: dict[str, CitedKey] = {}
        for each in sentence.cited:
            citation, key = each.citation, fold(each.citation.key)
            if key in own or citation.form in ignored:
                continue
            pinpoint = citation.pinpoint
            if key not in keys or (pinpoint and not keys[key].pinpoint):
                labels, kind = (pinpoint.labels, pinpoint.kind) if pinpoint else ((), "")
                span = citation.span
                keys[key] = CitedKey(key, span.start, span.end, each.signal, labels, kind)
        if keys:
            words = sentence.proposition
            start, end = sentence.span.start, sentence.span.end
            found.append(Precedent(start, end, words, find_entities(words), tuple(keys.values())))
    return tuple(found)
