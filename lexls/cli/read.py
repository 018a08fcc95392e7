"""``lexls read``: show what lexls reads from documents."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from lexls.cli.context import load_grammar, load_settings
from lexls.cli.output import FAILURE, FINE, emit, wrap
from lexls.library.catalogues import CatalogueReader
from lexls.library.document import CONFIDENCE, Passage, SourceDocument, UnreadableFile, find_boxes
from lexls.library.headings import TITLE
from lexls.library.passages import cut_passages
from lexls.library.places import list_labels
from lexls.library.readers import read_each
from lexls.library.readers.record_layouts import RecordMappings

_FACTS = ("title", "citations", "court", "date", "docket", "kind", "jurisdiction")
_SOURCES = {"citations": "citation"}
"""Facts that have another name in ``Metadata``, mapped to that name."""
_HEADINGS = 12
_PASSAGES = 3


def run_read(options: argparse.Namespace) -> int:
    """Read each file; return 3 if one of them cannot be read."""
    settings = load_settings(options.files[0])
    grammar = load_grammar(settings)
    mappings = RecordMappings.load(json.dumps(settings.library_records))
    catalogues = CatalogueReader(settings.library_folders, grammar)
    max_bytes = settings.index_max_file_megabytes * 2**20
    watermarks = str(settings.index_watermarks or "")
    code = FINE
    for path in options.files:
        layout = mappings.find_path(path, settings.library_folders)
        described = catalogues.describe(path)
        for part, document in read_each(path, grammar, max_bytes, layout, described, watermarks):
            named = {"path": str(path)} | ({"part": part} if part else {})
            if isinstance(document, UnreadableFile):
                code = FAILURE
                problem = str(document)
                emit(options, {**named, "problem": problem}, [": ".join([*named.values(), problem])])
            else:
                data = describe(named, document)
                emit(options, data, _lines(data, document))
    return code


def describe(named: Mapping[str, str], document: SourceDocument) -> dict[str, Any]:
    """Describe a document as ``lexls read --json`` prints it. ``named`` gives the document's file and its
    part of that file.
    """
    found = document.metadata
    labels = {
        f"{kind}s": list_labels(document.blocks, document.page_starts, document.page_numbers, kind)
        for kind in ("paragraph", "section", "page")
    }
    sources = {
        fact: document.sources[field]
        for fact in _FACTS
        if (field := _SOURCES.get(fact, fact)) in document.sources
    }
    return {
        **named,
        "format": document.format,
        "title": found.title,
        "citations": [each for each in (found.citation, *found.parallel_citations) if each],
        "court": found.court,
        "date": found.date,
        "kind": found.kind,
        "jurisdiction": found.jurisdiction,
        "docket": found.docket,
        "sources": sources,
        "confidence": {fact: CONFIDENCE[source] for fact, source in sources.items()},
        **labels,
        "passages": [_describe_passage(document, passage) for passage in _choose_passages(document)],
        "scanned": dict(document.scanned),
        "text": document.text,
        "warnings": document.warnings,
        "problem": None,
    }


def _choose_passages(document: SourceDocument) -> list[Passage]:
    """Return the first numbered passages, since they show how the body was read. If none is numbered, return
    the first passages.
    """
    passages = cut_passages(document)
    return [*islice([each for each in passages if each.paragraph] or passages, _PASSAGES)]


def _describe_passage(document: SourceDocument, passage: Passage) -> dict[str, Any]:
    return {
        "start": passage.start,
        "end": passage.end,
        "paragraph": passage.paragraph,
        "boxes": [
            {"page": page, "box": [round(edge, 1) for edge in box]}
            for page, box in find_boxes(document.boxes, passage.start, passage.end)
        ],
    }


def _lines(data: dict[str, Any], document: SourceDocument) -> Iterator[str]:
    part = f", {data['part']}" if "part" in data else ""
    yield f"{data['path']}{part} ({data['format']})"
    for fact in _FACTS:
        value = data[fact] if isinstance(data[fact], str) else "; ".join(data[fact])
        source = f"  ({data['confidence'][fact]}: {data['sources'][fact]})" if fact in data["sources"] else ""
        yield f"  {fact:12} {value or '–'}{source}"
    for kind in ("paragraphs", "sections", "pages"):
        labels = data[kind]
        if labels:
            yield f"  {kind:12} {len(labels)}: {labels[0]} to {labels[-1]}"
    if document.scanned:
        yield f"  {'read by OCR':12} {_describe_scanned(document.scanned)}"
    yield from (f"  warning      {each}" for each in document.warnings)
    headings = (block for block in document.blocks if block.kind == "heading" and block.level > TITLE)
    for block in islice(headings, _HEADINGS):
        yield "  " + "  " * block.level + " ".join(document.text[block.start : block.end].split())
    for passage in _choose_passages(document):
        yield from wrap(document.text[passage.start : passage.end], "    ")
    yield ""


def _describe_scanned(scanned: Mapping[int, float]) -> str:
    """Describe the pages read by OCR ("pages 1–4: 97% sure"): the page ranges, the mean confidence, and the
    worst page.
    """
    runs: list[list[int]] = []
    for page in sorted(scanned):
        if runs and runs[-1][-1] == page - 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    pages = ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    worst = min(scanned, key=lambda page: scanned[page])
    mean = sum(scanned.values()) / len(scanned)
    said = f"page{'s' if len(scanned) > 1 else ''} {pages}: {mean:.0%} sure"
    return said if len(scanned) == 1 else f"{said}, page {worst} least ({scanned[worst]:.0%})"
