"""Large index files for benchmarks: documents recombined from the sentences of small, real indexes.

Nothing of it is stored in the project: texts, postings and vectors come from the indexes named at run time
(made by ``lexls index``), or are drawn by Zipf's law where there are none.

A passage here is one of a source document in which a third of the pieces (sentences, roughly) stand in for
others of the same or of a second document; its vector is the source passage's with noise of half its length
(cosine to it about 0.89). A document takes its passages from two source documents, gets words that no other
holds (a name of its own, so that the vocabulary goes on growing), and cites other made documents as often as
its sources cite what their library holds. There are no precedents. Everything is written through ``Store``, a
document at a time.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexls.citations.case_names.compare import make_party_key
from lexls.index.contents import pack_structure
from lexls.index.library import Library
from lexls.index.postings import ForwardPostings
from lexls.index.reconcile import FileKey, FileState
from lexls.index.rows import CitationRows, DocumentRows
from lexls.index.store import Store
from lexls.index.tokens import Tokenizer
from lexls.library.document import Block, Metadata, Passage, SourceDocument

REPLACED = 1 / 3
"""The part of a passage's pieces that others stand in for."""
NOISE = 0.5
"""The length of the noise added to a vector of length 1."""
_PIECE = re.compile(r"(?<=[.;:?!])\s+")
_DOCUMENTS = 500
_NONE = ForwardPostings(np.empty(0, np.int32), np.empty(0, np.uint16), np.zeros(1, np.int32))
_ZIPF_DOCUMENTS, _ZIPF_WORDS, _ZIPF_DIMENSION = 400, 60_000, 384


@dataclass(frozen=True, slots=True)
class Edge:
    """A citation: its span, what it cites, the labels of its pinpoint, and the case's name and year."""

    start: int
    end: int
    key: str
    pinpoint: tuple[str, ...]
    name: str = ""
    year: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or so: its text, its terms with their frequencies, the citations in it (offsets here)."""

    text: str
    terms: NDArray[np.int32]
    frequencies: NDArray[np.int32]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Original:
    """A source document: the pieces of each passage, and the passages' vectors (n × dimension)."""

    metadata: Metadata
    has_keys: bool
    passages: tuple[tuple[Piece, ...], ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Originals:
    """All source documents, and the terms by number."""

    documents: tuple[Original, ...]
    terms: tuple[str, ...]


def originals(indexes: Sequence[Path]) -> Originals:
    """The documents of small indexes, cut into pieces; drawn by Zipf's law if there is no index."""
    numbers: dict[str, int] = {}
    found: list[Original] = []
    for path in indexes:
        library = Library(path)
        tokenizer = Tokenizer()
        for authority in library.catalogue.all():
            found.append(_original(library, authority.id, tokenizer, numbers))
        library.close()
    if not found:
        found = list(_zipf(numbers))
    return Originals(tuple(found), tuple(numbers))


def make(path: Path, sources: Originals, passages: int, embedder: str, seed: int = 1) -> None:
    """Write a new index file of at least ``passages`` passages; its vectors are said to be ``embedder``'s."""
    random = np.random.default_rng(seed)
    store = Store(path)
    mean = np.mean([len(each.passages) for each in sources.documents])
    expected = max(1, int(passages / mean))
    store.use_embedder(embedder, sources.documents[0].vectors.shape[1])
    rows: list[NDArray[np.float32]] = []
    written = 0
    while written < passages:
        document, vectors = _document(sources, len(rows), expected, random)
        store.put_document(document)
        rows.append(vectors)
        written += len(vectors)
    first = 1  # passages are numbered from 1 in the order of writing
    for start in range(0, len(rows), _DOCUMENTS):
        part = np.concatenate(rows[start : start + _DOCUMENTS])
        store.put_vectors(range(first, first + len(part)), part)
        first += len(part)
    store.set_meta("reconciled", 1)
    store.close()


# -- pieces ------------------------------------------------------------------------------------------------


def _original(library: Library, document: int, tokenizer: Tokenizer, numbers: dict[str, int]) -> Original:
    authority = library.catalogue.get(document)
    assert authority is not None
    records = library.contents.passages(document)
    edges = [
        Edge(citing.start, citing.end, "held" if cited is not None else "other", citing.pinpoint)
        for citing, cited in library.graph.find_cited(document)
    ]
    passages, vectors = [], []
    for record in records:
        vector = library.vector(record.id)
        if vector is None:
            continue
        inside = [edge for edge in edges if record.start <= edge.start and edge.end <= record.end]
        passages.append(tuple(_pieces(record.text, record.start, inside, tokenizer, numbers)))
        vectors.append(vector)
    metadata = Metadata(
        title=authority.title,
        court=authority.court,
        date=authority.date,
        kind=authority.kind,
        jurisdiction=authority.jurisdiction,
    )
    return Original(metadata, bool(authority.citations), tuple(passages), np.array(vectors, np.float32))


def _pieces(
    text: str, offset: int, edges: Sequence[Edge], tokenizer: Tokenizer, numbers: dict[str, int]
) -> Iterator[Piece]:
    start = 0
    for match in [*_PIECE.finditer(text), None]:
        end = match.start() if match else len(text)
        inside = [e for e in edges if offset + start <= e.start and e.end <= offset + end]
        if match is not None and any(e.start < offset + match.end() and offset + end < e.end for e in edges):
            continue  # "v. " inside a citation
        piece = text[start:end]
        counts = Counter(tokenizer.tokenize(piece))
        yield Piece(
            piece,
            np.array([numbers.setdefault(term, len(numbers)) for term in counts], np.int32),
            np.fromiter(counts.values(), np.int32, len(counts)),
            tuple(replace(e, start=e.start - offset - start, end=e.end - offset - start) for e in inside),
        )
        start = match.end() if match else end


def _zipf(numbers: dict[str, int]) -> Iterator[Original]:
    """Documents of words drawn by Zipf's law and vectors around as many centres as there are documents."""
    random = np.random.default_rng(0)
    weights = 1 / np.arange(1, _ZIPF_WORDS + 1)
    cumulative = np.cumsum(weights / weights.sum())
    numbers.update((f"w{number}", number) for number in range(_ZIPF_WORDS))
    for _ in range(_ZIPF_DOCUMENTS):
        passages = []
        for _ in range(int(random.integers(10, 60))):
            drawn = np.searchsorted(cumulative, random.random(int(random.integers(60, 180))))
            pieces = []
            for words in np.array_split(np.minimum(drawn, _ZIPF_WORDS - 1), 5):
                terms, counts = np.unique(words, return_counts=True)
                text = " ".join(f"w{word}" for word in words.tolist()) + "."
                pieces.append(Piece(text, terms.astype(np.int32), counts.astype(np.int32), ()))
            passages.append(tuple(pieces))
        vectors = random.normal(size=_ZIPF_DIMENSION) + random.normal(size=(len(passages), _ZIPF_DIMENSION))
        yield Original(Metadata(title="Zipf", kind="case"), True, tuple(passages), _unit(vectors))


# -- documents ---------------------------------------------------------------------------------------------


def _document(
    sources: Originals, number: int, documents: int, random: np.random.Generator
) -> tuple[DocumentRows, NDArray[np.float32]]:
    """Document ``number`` of some ``documents``, and the vectors of its passages."""
    first, second = (sources.documents[n] for n in random.integers(0, len(sources.documents), 2))
    while not first.passages:
        first = sources.documents[int(random.integers(0, len(sources.documents)))]
    if not second.passages:
        second = first
    name = f"{_name(number)} v {_name(number + documents)}"
    opening = Piece(f"In {name}.", np.empty(0, np.int32), np.empty(0, np.int32), ())
    text: list[str] = []
    length = 0
    passages: list[Passage] = []
    edges: list[Edge] = []
    counted: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    for place, pieces in enumerate(first.passages):
        chosen = [opening, *pieces] if place == 0 else list(pieces)
        for at in np.flatnonzero(random.random(len(chosen)) < REPLACED).tolist():
            among = (first, second)[int(random.integers(0, 2))].passages
            others = among[int(random.integers(0, len(among)))]
            if chosen[at] is not opening and others:
                chosen[at] = others[int(random.integers(0, len(others)))]
        start = length
        for piece in chosen:
            edges += (_cited(edge, length, number, documents, random) for edge in piece.edges)
            text.append(piece.text)
            length += len(piece.text) + 1
        passages.append(Passage(start, length - 1, str(place + 1), 0, ""))
        counted.append(_added(chosen))
    own = len(sources.terms)
    vocabulary, terms, frequencies, offsets = _postings(counted, own)
    words = tuple(name.lower().split(" v "))
    full = (*(sources.terms[term] for term in vocabulary.tolist()), *words)
    terms = np.concatenate([np.arange(len(vocabulary), len(full), dtype=np.int32), terms])
    frequencies = np.concatenate([np.ones(len(words), np.uint16), frequencies])
    offsets[1:] += len(words)
    joined = " ".join(text)
    blocks = tuple(Block(p.start, p.end, "paragraph", p.paragraph) for p in passages)
    known = first.metadata
    citations = [each for each in (known.citation, *known.parallel_citations) if each]
    keys = [f"made {number}"] if first.has_keys else []
    rows = tuple((e.start, e.end, e.key, "\n".join(e.pinpoint), "", 0, 0, e.name, e.year) for e in edges)
    document = DocumentRows(
        file=FileState(FileKey("/made", f"{number % 100:02}/{number}.txt"), len(joined), number),
        hash=number.to_bytes(32, "big"),
        text=joined,
        structure=pack_structure(SourceDocument(joined, known, blocks)),
        document=(name, _name(number), json.dumps(citations), json.dumps(keys),
                  known.court, known.date, known.kind, known.jurisdiction, "[]", "{}", "[]"),
        passages=tuple((p.start, p.end, p.paragraph, p.page, p.heading, "") for p in passages),
        vocabulary=full,
        postings=ForwardPostings(terms, frequencies, offsets).pack(),
        citations=CitationRows(rows, (), (), (), (), _NONE.pack()),
    )  # fmt: skip
    noise = random.normal(size=first.vectors.shape) * (NOISE / np.sqrt(first.vectors.shape[1]))
    return document, _unit(first.vectors + noise)


def _cited(edge: Edge, offset: int, number: int, documents: int, random: np.random.Generator) -> Edge:
    """The edge at its place in the made text, citing a made document (few much, most little) or none."""
    target = int(documents * random.random() ** 3)
    if edge.key == "held" and target != number:
        name = make_party_key(f"{_name(target)} v {_name(target + documents)}")
        key, year = f"made {target}", 1950 + target % 70
    else:
        key, name, year = f"elsewhere {int(random.pareto(1.0) * 1000)}", "", 0
    return replace(edge, start=edge.start + offset, end=edge.end + offset, key=key, name=name, year=year)


def _added(pieces: Sequence[Piece]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    return (
        np.concatenate([piece.terms for piece in pieces]),
        np.concatenate([piece.frequencies for piece in pieces]),
    )


def _postings(
    counted: Sequence[tuple[NDArray[np.int32], NDArray[np.int32]]], terms: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint16], NDArray[np.int32]]:
    """Of (term, frequency) pairs a passage: the vocabulary, and postings in its numbers."""
    sizes = [len(found) for found, _ in counted]
    passage = np.repeat(np.arange(len(counted), dtype=np.int64), sizes)
    pairs = passage * terms + np.concatenate([found for found, _ in counted])
    distinct, inverse = np.unique(pairs, return_inverse=True)
    weights = np.concatenate([frequencies for _, frequencies in counted])
    frequencies = np.bincount(inverse, weights, len(distinct)).astype(np.uint16)
    vocabulary, numbers = np.unique(distinct % terms, return_inverse=True)
    offsets = np.searchsorted(distinct, np.arange(len(counted) + 1, dtype=np.int64) * terms)
    return vocabulary, numbers.astype(np.int32), frequencies, offsets.astype(np.int32)


def _name(number: int) -> str:
    """A word for a number that no other number has and no text holds."""
    letters = ""
    while number or not letters:
        number, digit = divmod(number, 20)
        letters = "bcdfghjklmnpqrstvwxz"[digit] + "aeiou"[digit % 5] + letters
    return f"Q{letters}q"


def _unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled
