"""Read a file into the rows that the index has of it, as worker processes do.

What reading takes is loaded where a file is read first: the process that only writes goes without.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from lexls.index.config import PrepareOptions
from lexls.index.documents import find_printed_page, pack_structure
from lexls.index.reconcile import FileState
from lexls.index.rows import DocumentRows, FailedDocument, Postings

if TYPE_CHECKING:
    from lexls.index.forward_postings import ForwardPostings
    from lexls.index.prepare import PreparedDocument, Preparer

LOW_PRIORITY = 10
"""Niceness of the indexer and its workers."""


def prepare_files(options: PrepareOptions, files: Iterable[FileState]) -> list[DocumentRows | FailedDocument]:
    """The rows of each file; the preparer is made once a process."""
    prepared = map(_preparer(options).prepare, files)
    return [each if isinstance(each, FailedDocument) else lay_out(each) for each in prepared]


def lay_out(prepared: PreparedDocument) -> DocumentRows:
    """The rows of a document."""
    file, source, metadata = prepared.file, prepared.source, prepared.source.metadata
    citations = [c for c in (metadata.citation, *metadata.parallel_citations) if c]
    roles = prepared.roles or ("",) * len(prepared.passages)
    return DocumentRows(
        file,
        (file.key.library, file.key.relative, file.size, file.mtime_ns, prepared.hash,
         metadata.title, metadata.short_title, json.dumps(citations), json.dumps(prepared.keys),
         metadata.court, metadata.date, metadata.kind, metadata.jurisdiction, json.dumps(source.warnings)),
        (source.text, pack_structure(source)),
        tuple(
            (p.start, p.end, p.paragraph, find_printed_page(source.page_numbers, p.page), p.heading, role)
            for p, role in zip(prepared.passages, roles, strict=True)
        ),
        prepared.vocabulary,
        _pack(prepared.postings),
        tuple(
            (e.start, e.end, e.key, "\n".join(e.pinpoint), e.pinpoint_kind, *e.quote, e.name, e.year)
            for e in prepared.edges
        ),
        tuple(
            (t.span.start, t.span.end, t.key, t.kind, t.extent, t.by, t.sentence.start, t.sentence.end)
            for t in prepared.treatments
        ),
        tuple((p.start, p.end, p.proposition, "\n".join(p.entities)) for p in prepared.precedents),
        tuple(
            (n, k.key, k.start, k.end, k.signal, "\n".join(k.pinpoint), k.pinpoint_kind)
            for n, each in enumerate(prepared.precedents)
            for k in each.keys
        ),
        _pack(prepared.precedent_postings),
    )  # fmt: skip


def _pack(postings: ForwardPostings) -> Postings:
    return postings.offsets.tobytes(), postings.terms.tobytes(), postings.frequencies.tobytes()


@lru_cache(maxsize=1)
def _preparer(options: PrepareOptions) -> Preparer:
    from lexls.index.prepare import Preparer

    return Preparer(options)


def lower_priority() -> None:
    """Let everything else on the machine go first, where the platform has a way to say so."""
    if hasattr(os, "nice"):
        os.nice(max(0, LOW_PRIORITY - os.nice(0)))
