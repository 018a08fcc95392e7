"""Prepare a file for the index: compute everything before a transaction begins.

``Preparer.prepare`` is a pure function of a file and a configuration, so that it can run in worker processes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from lexls.citations.case_names.compare import make_party_key
from lexls.citations.citing_sentences import find_citing_sentences, find_quotations
from lexls.citations.entities import find_entities
from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation, fold, make_section_key
from lexls.citations.record import make_record_key
from lexls.citations.record_files import name_papers
from lexls.citations.treatment import find_treatments
from lexls.index.config import PrepareOptions
from lexls.index.contents import find_printed_page, pack_structure
from lexls.index.postings import count_terms
from lexls.index.reconcile import FileKey, FileState
from lexls.index.rows import (
    CatalogueRows,
    CitationRows,
    DocumentRows,
    FailedDocument,
    RecordState,
    Rows,
    UncitedText,
)
from lexls.index.tokens import Tokenizer
from lexls.index.workers import describe_need, find_most_memory
from lexls.library.catalogue_names import is_catalogue
from lexls.library.document import NO_AUTHORITY, Metadata, Passage, SourceDocument, UnreadableFile
from lexls.library.passages import cut_passages
from lexls.library.readers import parse, parse_record
from lexls.library.readers.decoding import decode
from lexls.library.readers.opening import read_bytes
from lexls.library.readers.pdf_transcripts import read_transcript_pages
from lexls.library.readers.record_layouts import RecordMappings
from lexls.library.roles.reader import RoleReader
from lexls.library.speakers import Speaker, SpeakerKind, find_speaker_at, label_passage, list_speakers
from lexls.library.transcripts import read_transcript
from lexls.text.formats import format_of
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.library.readers.corpora import CorpusRecord
    from lexls.library.readers.ocr import ScannedPage


_EXAMPLE = """\
[1] Ferries are within section 9 of the Harbours Act 1964: Ostler v Harbour Board [2015] UKSC 1 at [12], where
the court held that "the pilot answers for the ferry". We follow it, and dismiss the appeal.
"""
"""A sample judgment; reading it loads everything needed to read judgments."""


class Preparer:
    """Prepares files with one set of options; loads its grammar, tokenizer and role classifier once."""

    def __init__(self, options: PrepareOptions) -> None:
        self._options = options
        self._grammar = Grammar.load(json.loads(options.forms))
        self._mappings = RecordMappings.load(options.records)
        self._tokenizer = Tokenizer()

    def get_ready(self) -> None:
        """Load everything that would otherwise be loaded when the first text is read."""
        source = parse(Path("example.md"), _EXAMPLE.encode(), self._grammar)
        source = replace(source, metadata=replace(source.metadata, kind="case"))
        self._prepare(FileState(FileKey("", "example.md"), 0, 0), source, b"")

    def prepare(
        self,
        asked: FileState | RecordState,
        pictures: Mapping[bytes, Mapping[int, ScannedPage]] = MappingProxyType({}),
        described: Mapping[FileKey, str] = MappingProxyType({}),
        *,
        citations: bool = True,
    ) -> DocumentRows | CatalogueRows | FailedDocument:
        """Read a file, or a record of one, and compute everything stored in the index except vectors.

        If ``citations`` is false, a file's citations are not read, which saves most of the time. ``pictures``
        are OCR results by the SHA-256 of a file's bytes, and ``described`` are catalogue descriptions of
        files. Faults in the file never raise an error; a ``FailedDocument`` is returned instead.
        """
        file, record = (asked.file, asked.record) if isinstance(asked, RecordState) else (asked, None)
        place = record.place if record else ""
        try:
            if record is not None:
                return self._prepare_record(file, record)
            if is_catalogue(str(file.path)):
                return self._prepare_catalogue(file)
            return self._prepare_file(file, pictures, described.get(file.key, ""), citations)
        except UnreadableFile as error:
            return FailedDocument(file, str(error), isinstance(error.__cause__, OSError), place)
        except MemoryError:
            need = describe_need(find_most_memory(self._options.reader_megabytes))
            return FailedDocument(file, need, True, place)
        except Exception as error:
            # A bug in lexls triggered by one odd file must not keep the other files out of the index.
            reason = f"a fault in lexls while reading it ({type(error).__name__})"
            return FailedDocument(file, reason, True, place)

    def _prepare_catalogue(self, file: FileState, data: bytes | None = None) -> CatalogueRows:
        from lexls.library.catalogues import read_catalogue  # imported here, since few libraries have any

        data = read_bytes(file.path, self._options.max_bytes) if data is None else data
        found = read_catalogue(file.path, file.key.relative, data, self._grammar)
        if found is None:
            raise UnreadableFile(NO_AUTHORITY)
        rows = tuple(
            (each.target, each.rank, each.line, each.written, json.dumps(each.facts, sort_keys=True))
            for each in found.descriptions
        )
        return CatalogueRows(file, rows, tuple(found.problems))

    def _prepare_file(
        self,
        file: FileState,
        pictures: Mapping[bytes, Mapping[int, ScannedPage]],
        described: str,
        citations: bool,
    ) -> DocumentRows | CatalogueRows | FailedDocument:
        # Read only once, since the file might be saved again meanwhile.
        data = read_bytes(file.path, self._options.max_bytes)
        digest = hashlib.sha256(data).digest()
        known = pictures.get(digest, {})
        unread: list[int] = []

        def look_up(data: bytes, pages: Sequence[int]) -> Mapping[int, ScannedPage]:
            unread.extend(page for page in pages if page not in known)
            return known

        try:
            layout = self._mappings.find(file.key.relative)
            facts = json.loads(described) if described else None
            source = parse(file.path, data, self._grammar, look_up, layout, facts)
        except UnreadableFile as error:
            if str(error) == NO_AUTHORITY and file.path.suffix.lower() == ".json":
                return self._prepare_catalogue(file, data)
            if not unread:
                raise
            return FailedDocument(file, str(error), hash=digest, pictures=tuple(unread))
        if self._options.exhibits:
            source = self._read_exhibit(file, source, data)
        rows = self._prepare(file, source, digest, citations)
        return replace(rows, pictures=tuple(unread), described=described) if unread or described else rows

    def _read_exhibit(self, file: FileState, source: SourceDocument, data: bytes) -> SourceDocument:
        """Read a paper of the record, which has no metadata other than its file's name."""
        if source.format == "text":
            source = read_transcript(source, decode(data)) or source
        elif source.format == "pdf":
            source = read_transcript_pages(source, data) or source
        stem = file.path.stem
        papers = name_papers(file.key.relative, source.text)
        named = Metadata(stem, stem, parallel_citations=papers, kind="exhibit")
        return replace(source, metadata=named, sources={"title": "file name"})

    def _prepare_record(self, file: FileState, record: CorpusRecord) -> DocumentRows:
        source = parse_record(record, self._grammar, self._mappings.find(file.key.relative))
        rows = self._prepare(file, source, record.hash)
        place = (record.place, record.line, record.start, len(record.data))
        return replace(rows, part=source.identity or record.place, place=place)

    def _prepare(
        self, file: FileState, source: SourceDocument, digest: bytes, citations: bool = True
    ) -> DocumentRows:
        speakers = list_speakers(source)
        pieces = cut_passages(source, self._options.max_chars, self._options.overlap, speakers)
        if not pieces:
            raise UnreadableFile("no text in it")
        exhibits = self._options.exhibits
        keys = _record_keys(source.metadata) if exhibits else self._keys(source)
        texts = [source.text[each.start : each.end] for each in pieces]
        vocabulary, postings = count_terms(texts, self._tokenizer)
        metadata = source.metadata
        own = [each for each in (metadata.citation, *metadata.parallel_citations) if each]
        # Citations in papers of the record do not count as citations in the library.
        citing = "" if exhibits else source.text
        text = UncitedText(file.path.name, citing, metadata.kind, metadata.jurisdiction, keys)
        return DocumentRows(
            file=file,
            hash=digest,
            text=source.text,
            structure=pack_structure(source),
            document=(metadata.title, metadata.short_title, json.dumps(own), json.dumps(keys),
                      metadata.court, metadata.date, metadata.kind, metadata.jurisdiction,
                      json.dumps(metadata.docket), json.dumps(source.sources),
                      json.dumps(source.warnings)),
            passages=tuple(
                (p.start, p.end, p.paragraph, find_printed_page(source.page_numbers, p.page), p.heading, *who)
                for p, who in zip(pieces, self._label_passages(source, pieces, texts, speakers), strict=True)
            ),
            vocabulary=vocabulary,
            postings=postings.pack(),
            citations=self.find_citations(text) if citations or exhibits else None,
        )  # fmt: skip

    def _label_passages(
        self,
        source: SourceDocument,
        pieces: Sequence[Passage],
        texts: Sequence[str],
        speakers: Sequence[tuple[int, Speaker]],
    ) -> Iterator[tuple[str, SpeakerKind, str]]:
        """Yield the role, speaker and label of each passage; all are empty unless the document was written by
        a court.
        """
        if source.metadata.kind != "case":
            yield from ((("", "", ""),) * len(pieces))
            return
        numbered = [bool(each.paragraph) for each in pieces]
        roles = self._roles.passage_shares(texts, [each.heading for each in pieces], numbered)
        for place, (piece, text, (role, share)) in enumerate(zip(pieces, texts, roles, strict=True)):
            # The headings at the start of a passage may name another speaker than its text has.
            speaker = find_speaker_at(speakers, piece.end - 1)
            yield label_passage(role, share, (place + 1) / len(pieces), piece.heading, speaker, text)

    @cached_property
    def _roles(self) -> RoleReader:
        return RoleReader.load()

    def _keys(self, source: SourceDocument) -> tuple[str, ...]:
        metadata = source.metadata
        names = [metadata.citation, *metadata.parallel_citations]
        if metadata.kind in ("statute", "regulation", "treaty"):
            names += [metadata.title, metadata.short_title]  # an Act is cited by its title
        jurisdiction = metadata.jurisdiction or self._options.jurisdiction
        keys: list[str] = []
        for name in filter(None, names):
            cited = [c for c in self._grammar.find(name, jurisdiction) if c.form == "full" and c.key]
            found = [c.key for c in cited]
            if len(cited) == 1 and cited[0].kind == "statute" and cited[0].pinpoint is not None:
                # A file with one section of a code is not the whole code.
                keys.extend(make_section_key(cited[0].key, label) for label in cited[0].pinpoint.labels)
                continue
            if name == metadata.title and len(cited) == 1 and name.endswith(cited[0].span.of(name)):
                # Of "Ministerial and other Salaries Act 1975" in a draft, only the end is parsed as the
                # title.
                keys += found if found[0][-4:].isdigit() else []
            # Two reports named at once ("2006 WI 67; 715 N.W.2d 620") are two keys.
            keys.extend(found if len(found) > 1 else [self._grammar.key_of(name, jurisdiction)])
        return tuple(dict.fromkeys(folded for key in keys if (folded := fold(key))))

    def find_citations(self, document: UncitedText) -> CitationRows:
        """Return a document's citations, its treatments of authorities, and its precedents.

        A document's citations of itself (in its head, or as "the present appeal") are skipped. Keys of cited
        authorities are folded.
        """
        own = document.keys
        # Masking keeps the text's length, so spans remain valid.
        text = format_of("", document.name).mask(document.text)
        citations = self._grammar.find(text, document.jurisdiction or self._options.jurisdiction)
        # "Section 9" in a contract is a clause of the contract, not a section of the Act cited before.
        ignored = {"section"} if document.kind == "contract" else set()
        found = [
            (fold(c.key), c) for c in citations if c.key and c.form not in ignored and fold(c.key) not in own
        ]
        cut = cut_sentences(text, [each.span for each in citations])
        quoted = find_quotations(text, [c.span for _, c in found])
        edges = tuple(
            (
                *(c.span.start, c.span.end, key),
                *_pinpoint(c),
                *quote,
                make_party_key(c.name) if c.form == "full" and c.kind == "case" and c.name else "",
                c.year or 0,
            )
            for (key, c), quote in zip(found, quoted, strict=True)
        )
        treatments = tuple(
            (t.span.start, t.span.end, key, t.kind, t.extent, "" if fold(t.by) in own else t.by,
             t.sentence.start, t.sentence.end)
            for t in find_treatments(text, citations, cut)
            if (key := fold(t.key)) not in own
        )  # fmt: skip
        precedents, keys = _precedents(text, citations, cut, {*own, ""}, ignored)
        vocabulary, postings = count_terms([each[2] for each in precedents], self._tokenizer)
        return CitationRows(edges, treatments, precedents, keys, vocabulary, postings.pack())


def _record_keys(metadata: Metadata) -> tuple[str, ...]:
    """Return the folded keys of the papers in a file of the record."""
    return tuple(fold(make_record_key(each)) for each in metadata.parallel_citations)


def _pinpoint(citation: Citation) -> tuple[str, str]:
    """Return the labels of a citation's pinpoint, joined by line feeds, and the pinpoint's kind."""
    pinpoint = citation.pinpoint
    return ("\n".join(pinpoint.labels), pinpoint.kind) if pinpoint else ("", "")


def _precedents(
    text: str,
    citations: Sequence[Citation],
    cut: Sequence[Span],
    own: Collection[str],
    ignored: Collection[str],
) -> tuple[Rows, Rows]:
    """Return the citing sentences of a masked text, and what they cite, except keys in ``own`` and citation
    forms in ``ignored``. An authority is listed once per sentence, at its first citation with a pinpoint,
    or else at its first citation.
    """
    found: list[tuple[int, int, str, str]] = []
    cited: list[tuple[int, str, int, int, str, str, str]] = []
    for sentence in find_citing_sentences(text, citations, cut):
        keys: dict[str, tuple[int, int, str, str, str]] = {}
        for each in sentence.cited:
            citation, key = each.citation, fold(each.citation.key)
            if key in own or citation.form in ignored:
                continue
            *_, labels, _ = keys.get(key, ("", ""))
            if key not in keys or (citation.pinpoint and not labels):
                span = citation.span
                keys[key] = (span.start, span.end, each.signal, *_pinpoint(citation))
        if keys:
            words = sentence.proposition
            cited += ((len(found), key, *place) for key, place in keys.items())
            found.append((sentence.span.start, sentence.span.end, words, "\n".join(find_entities(words))))
    return tuple(found), tuple(cited)
