"""Read an index: search it, and look up its authorities, texts and citations. Safe from any thread."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lexls.index.aliases import Aliases
from lexls.index.arrays import SearchArrays, load_arrays, update_arrays
from lexls.index.beside import find_beside
from lexls.index.catalogue import Catalogue, TitleIndex
from lexls.index.citation_graph import CitationGraph
from lexls.index.connection import ReaderPool, check_readable, find_file, has_vector_extension
from lexls.index.contents import (
    Contents,
    RolePassages,
    find_record_place,
    find_role_passages,
    list_forgotten,
    load_entries,
)
from lexls.index.mirrored import MirrorReader
from lexls.index.page_image import start_drawing
from lexls.index.passage_boxes import find_on_pages
from lexls.index.precedents import Precedents
from lexls.index.records import Authority, OpenLocation
from lexls.index.status import IndexStatus
from lexls.index.vectors import VectorStore, rescore
from lexls.index.wanted import append_wishes
from lexls.library.document import PagePassage, UnreadableFile
from lexls.library.readers.decoding import decode, decode_marked_up
from lexls.text.lines import has_long_lines, wrap_lines
from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.index.config import MilvusAddress
    from lexls.index.mirrored import Arrays
    from lexls.index.searchable import Among, Found, Roles, Token, Vector, Weights
    from lexls.text.cancel import CancelToken

RESCORED = 16
"""Number of nearest passages rescored with full vectors if memory has only their codes."""
KEPT_ROLES = 64
"""Number of sets of rhetorical roles whose passages are cached."""
KEPT_COPIES = 32
"""Maximum number of documents whose readable copies are kept in memory."""
KEPT_ON_PAGES = 256
"""Number of passages whose positions on the pages of their PDFs are cached."""


class Library:
    """An index file opened for reading.

    Its parts answer most queries: ``catalogue`` has the authorities, ``contents`` their texts and passages,
    ``graph`` the citations between them, ``precedents`` the propositions they are cited for, and ``status``
    the indexer's state. Searches are methods of the library itself. Everything is safe from any thread.

    All answers come from one *generation* of the documents; only ``refresh`` moves on to the newest. Raises
    ``apsw.CantOpenError`` if there is no such file, ``SchemaNotReady`` before its indexer has created the
    tables, and ``IndexTooNew``.

    With ``milvus``, that server ranks the passages that a ``Mirror`` has copied there. Postings and vectors
    are then not loaded into memory, and searches may also raise ``MilvusUnavailable``.
    """

    def __init__(self, path: Path, milvus: MilvusAddress | None = None) -> None:
        self.path = path
        # Acquire in this order. _refresh_lock lets one thread refresh at a time, and _titles_lock lets one
        # prepare titles; _lock guards the data used for answers and is held for one search at most.
        self._refresh_lock = threading.Lock()
        self._titles_lock = threading.Lock()
        self._lock = threading.RLock()
        self._readers = ReaderPool(path)
        self._watch = self._readers.open()
        self._file = find_file(path)
        check_readable(self._watch)
        self.status = IndexStatus(path)
        self._mirror = MirrorReader(path, milvus) if milvus is not None else None
        self._versions = (-1, -1)
        self._generation = 0
        self._complete = False
        self.catalogue = Catalogue(self._lock)
        self._aliases = Aliases()
        self._drawn: set[Path] = set()
        self._on_pages = Memory[tuple[int, int, int], tuple[PagePassage, ...]](KEPT_ON_PAGES)
        self._copies = Memory[tuple[int, str], str](KEPT_COPIES)
        self._role_passages = Memory[tuple[int, frozenset[str]], RolePassages](KEPT_ROLES)
        self._titles: tuple[int, TitleIndex] = (-1, TitleIndex())
        with self._watch:  # one read transaction, so that no concurrent change is counted twice
            self._arrays = self._load()
        self.contents = Contents(self._readers.lend)
        self.graph = CitationGraph(self._readers.lend, self._lock, self.contents)
        self.precedents = Precedents(self._readers.lend, self._lock)
        self.refresh()

    def close(self) -> None:
        """Close all connections, after any refresh in progress."""
        with self._refresh_lock:
            self._readers.close()
            self._watch.close()
            if self._mirror is not None:
                self._mirror.close()
        self.status.close()

    def is_current(self) -> bool:
        """Return whether the file at its path is still the one that was opened."""
        return find_file(self.path) == self._file

    # -- refreshing ------------------------------------------------------------------------------------

    @property
    def generation(self) -> int:
        """Number that increases when documents are added, changed or removed, but not for new vectors."""
        return self._generation

    @property
    def complete(self) -> bool:
        """Return whether all folders have been read completely once; until then, an absent document may just
        not have been read yet.
        """
        return self._complete

    def refresh(self) -> bool:
        """Load what was committed since the last refresh. Return whether documents or vectors changed."""
        with self._refresh_lock:
            mirror = self._mirror.version() if self._mirror is not None else 0
            versions = (int(self._watch.execute("PRAGMA data_version").get), mirror)
            if versions == self._versions:
                return False
            with self._watch:  # one read transaction, so that everything below is consistent
                changed = self._move_on() or mirror != self._versions[1]
                self._versions = versions
            return changed

    def _load(self) -> Arrays:
        if self._mirror is not None:
            return self._mirror.arrays(self._watch, self._readers.lend, None)
        return load_arrays(self._watch)

    def _update(self, gone: list[int], changed: list[int]) -> tuple[Arrays, bool]:
        if isinstance(self._arrays, SearchArrays):
            return update_arrays(self._watch, self._arrays, gone, changed, self._lock)
        assert self._mirror is not None
        return self._mirror.arrays(self._watch, self._readers.lend, self._arrays), False

    def _move_on(self) -> bool:
        since = self._generation
        forgotten = list_forgotten(self._watch, since)
        if forgotten is None:  # too far behind to know what was removed: reload everything
            catalogue, self._aliases = Catalogue(self._lock), Aliases()
            since, gone = 0, []
        else:
            catalogue, gone = self.catalogue, forgotten
        newest, entries = load_entries(self._watch, since)
        changed = [entry.authority.id for entry in entries]
        arrays, updated = (self._load(), True) if forgotten is None else self._update(gone, changed)
        with self._lock:
            catalogue.remove(gone)
            for entry in entries:
                catalogue.put(entry)
            touched = catalogue.take_touched()
        # Not under the lock, since it reads citations; nobody else changes the catalogue.
        aliases = self._aliases.learn(self._watch, catalogue, {*gone, *changed}, touched)
        complete = self.status.reconciled() > 0
        with self._lock:
            catalogue.use_aliases(aliases)
            self.contents.forget(gone if forgotten is not None else None)
            self.catalogue = catalogue
            self._arrays = arrays
            moved = bool(gone or entries or forgotten is None)
            if complete != self._complete:
                self._complete, moved = complete, True
            self._generation = max(newest, self._generation)
            self.graph.use(catalogue, self._generation)
            self.precedents.use(catalogue, arrays, {*gone, *changed}, touched | catalogue.take_touched())
        return moved or updated

    # -- in editors --------------------------------------------------------------------------------------

    def find_shown(self, path: Path) -> Authority | None:
        """Return the authority whose own file or readable copy is at ``path`` (absolute); None if there is
        none.
        """
        if path.parent.parent == self._views and path.parent.name.isdigit():
            return self.catalogue.get(int(path.parent.name))
        return self.catalogue.find_path(path)

    def locate(
        self, document: int, start: int, end: int, *, opened: Path | None = None
    ) -> OpenLocation | None:
        """Return where an editor shows ``[start, end)`` of a document's text; None if the document is gone.

        Editors show Markdown, and plain text with short lines, in the document's own file. The same is true
        of transcripts, whose lines are joined by a source map. For every other document they show a readable
        copy: the wrapped text, below the document's name and the address of its file. If the user has
        ``opened`` the file itself, the place in that file is returned.
        """
        if self._shows_file(document, opened):
            return self.locate_in_file(document, start, end)
        copy = self._make_copy(document)
        if copy is None:
            return None
        path, text, head = copy
        return OpenLocation(path, start + head, end + head, text)

    def find_in_text(
        self, document: int, start: int, end: int, *, opened: Path | None = None
    ) -> tuple[int, int] | None:
        """Do the reverse of ``locate``: return the span in a document's text that corresponds to ``[start,
        end)`` of what an editor shows; None if the document is gone.
        """
        content = self.contents.get(document)
        if content is not None and self._shows_file(document, opened):
            runs = content.source_map
            return (_to_text(runs, start), _to_text(runs, end)) if runs else (start, end)
        copy = self._make_copy(document)
        return None if copy is None else (max(0, start - copy[2]), max(0, end - copy[2]))

    def _shows_file(self, document: int, opened: Path | None) -> bool:
        """Return whether an editor shows a document's own file: it is ``opened``, or is easily
        readable text.
        """
        authority, content = self.catalogue.get(document), self.contents.get(document)
        if authority is None or content is None or authority.part or not authority.is_text:
            return False
        plain = authority.path.suffix.lower() in (".txt", ".text")
        if content.source_map:  # to mark-up, or to a transcript whose lines were joined
            return plain or opened == authority.path
        return not plain or opened == authority.path or not has_long_lines(content.text)

    def _make_copy(self, document: int) -> tuple[Path, str, int] | None:
        """Return a document's readable copy, the copy's text, and the offset where the document's text begins
        in it.
        """
        authority, content = self.catalogue.get(document), self.contents.get(document)
        if authority is None or content is None:
            return None
        head = f"{authority.name}\n{authority.path.as_uri()}\n\n"
        shown = self._copies.recall((document, head), lambda: head + wrap_lines(content.text))
        return write_copy(authority, shown, self._views), shown, len(head)

    def locate_in_file(self, document: int, start: int, end: int) -> OpenLocation | None:
        """Return the location of ``[start, end)`` of a document's text in its own file.

        In mark-up or JSON strings, a source map gives the position. Return None if the file is not text, or
        the document is gone.
        """
        authority, content = self.catalogue.get(document), self.contents.get(document)
        if authority is None or content is None or not authority.is_text:
            return None
        runs = content.source_map
        if authority.part:
            return self._locate_record(authority, runs, start, end)
        if not runs:
            return OpenLocation(authority.path, start, end, content.text)
        with contextlib.suppress(OSError, UnreadableFile):
            source = decode_marked_up(authority.path.read_bytes())[0]
            first, last = _find_in_source(runs, start, end)
            return OpenLocation(authority.path, min(first, len(source)), min(last, len(source)), source)
        return None

    def find_on_pages(
        self, document: int, start: int, end: int, token: CancelToken
    ) -> tuple[PagePassage, ...]:
        """Return the positions of ``[start, end)`` of a PDF's text on its pages; empty if they cannot be
        found.

        Cached; the first call searches in a separate process. Raises ``Cancelled``.
        """
        authority, content = self.catalogue.get(document), self.contents.get(document)
        if authority is None or content is None or not authority.is_pdf:
            return ()
        known = self._on_pages.get((document, start, end))
        if known is None:
            scanned = self.contents.scanned_pages(document) if content.scanned else {}
            known = find_on_pages(authority.path, content.text[start:end], start, scanned, token)
            self._on_pages.keep((document, start, end), known)
        return known

    def show_page(self, authority: Authority, page: int) -> Path:
        """Return the path of the image of a PDF page (by position, from 1). The image may not be complete
        yet.
        """
        image = self._views / f"{authority.id}" / f"page {page}.png"
        if not image.exists() and image not in self._drawn:
            self._drawn.add(image)
            start_drawing(authority.path, page, image)
        return image

    @property
    def _views(self) -> Path:
        """The folder of readable copies and page images shown in place of authorities."""
        return find_beside(self.path, "-views")

    def _locate_record(
        self, authority: Authority, runs: Sequence[tuple[int, int, int]], start: int, end: int
    ) -> OpenLocation | None:
        """Return where an editor shows a range of a document in a multi-document file; None if it cannot."""
        with self._readers.lend() as connection:
            place = find_record_place(connection, authority.id)
        if place is None or not runs:
            return None
        line, first_byte, length = place
        with contextlib.suppress(OSError, UnreadableFile):
            with open(authority.path, "rb") as file:
                file.seek(first_byte)
                data = file.read(length)
            if not data.lstrip().startswith(b"{"):
                return None  # the file has changed
            source = "\n" * (line - 1) + decode(data)
            first, last = (each + line - 1 for each in _find_in_source(runs, start, end))
            return OpenLocation(authority.path, min(first, len(source)), min(last, len(source)), source)
        return None

    # -- search ----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _searching(self) -> Iterator[Arrays]:
        """Yield the arrays for a search. The lock is kept during the search if the arrays are updated in
        place, but not if a server does the search.
        """
        with self._lock:
            arrays = self._arrays
            if isinstance(arrays, SearchArrays):
                yield arrays
                return
        yield arrays

    def lexical(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Among = None,
        token: Token = None,
        *,
        weights: Weights = None,
        roles: Roles = frozenset(),
    ) -> Found:
        """Return the ``k`` passages with the highest BM25 scores for ``tokens``, best first: ids and scores.

        ``documents`` and ``roles`` limit the search to passages of these documents and with these rhetorical
        roles (empty: all). ``weights`` has one factor of at least 0 per token, applied to its part of the
        score (0: ignored; None: 1 each). Raises ``ValueError`` if there are not as many weights as tokens.
        """
        _check(token)
        wanted = self.role_passages(roles) if roles else None
        with self._searching() as arrays:
            bm25 = arrays.bm25
            terms, held = bm25.find_weighted_numbers(tokens, weights)
            if wanted is None:
                return bm25.top(terms, k, documents, held)
            return wanted.best(lambda depth: bm25.top(terms, depth, documents, held), k)

    def role_passages(self, roles: Roles) -> RolePassages:
        """Return the passages with these rhetorical roles, cached for the most recently used sets of
        roles.
        """

        def read() -> RolePassages:
            with self._readers.lend() as connection:
                return find_role_passages(connection, roles)

        return self._role_passages.recall((self._generation, roles), read)

    def lexical_documents(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Among = None,
        token: Token = None,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        weights: Weights = None,
    ) -> Found:
        """Search like ``lexical``, but rank whole documents: document ids and scores."""
        _check(token)
        with self._searching() as arrays:
            terms, held = arrays.bm25.find_weighted_numbers(tokens, weights)
            return arrays.bm25.top_documents(terms, k, documents, k1, b, held)

    def rarity(self, tokens: Sequence[str]) -> list[float]:
        """Return the idf over passages of each token, in order; 0 if it does not occur in the library."""
        with self._searching() as arrays:
            return arrays.bm25.rarity(tokens)

    def lexical_titles(
        self, tokens: Sequence[str], k: int, documents: Among, token: Token, weights: Weights = None
    ) -> Found:
        """Return the ``k`` documents whose titles best match ``tokens`` by BM25: ids and scores, best first.

        ``weights`` must include the rarity of tokens, which is not considered here; otherwise as in
        ``lexical``.
        """
        _check(token)
        return self._title_index().top(tokens, k, documents, weights)

    def title_terms(self, documents: Among = None) -> frozenset[str]:
        """Return the index terms of the titles of ``documents`` (None: all)."""
        return self._title_index().terms(documents)

    def _title_index(self) -> TitleIndex:
        """Return the title index of this generation. The first caller builds it, without blocking
        searches.
        """
        with self._titles_lock:
            with self._lock:
                generation, authorities = self._generation, self.catalogue.all()
            if self._titles[0] != generation:
                self._titles = generation, TitleIndex(authorities, self._titles[1])
            return self._titles[1]

    def nearest(
        self,
        vector: Vector,
        k: int,
        documents: Among = None,
        token: Token = None,
        *,
        roles: Roles = frozenset(),
    ) -> Found:
        """Return the ``k`` passages nearest to ``vector`` (unit length), best first: ids and cosines.

        ``documents`` and ``roles`` are as in ``lexical``. In a large library, memory has only codes of the
        vectors. The first results are then ranked by full vectors, and later ones may differ from those of an
        exact search.
        """
        _check(token)
        wanted = self.role_passages(roles) if roles else None
        with self._searching() as arrays:
            vectors = arrays.vectors
            if vectors is None or vector.shape != (vectors.dimension,):
                return np.empty(0, np.int64), np.empty(0, np.float64)
            exact = vectors.exact
            depth = k if exact or k <= 0 else max(k, RESCORED)
            if wanted is None:
                ids, cosines = vectors.nearest(vector, depth, documents)
            else:
                ids, cosines = wanted.best(lambda n: vectors.nearest(vector, n, documents), depth)
        if not exact and len(ids):
            with self._readers.lend(token) as connection, connection:  # one read transaction
                store = VectorStore(connection, has_vector_extension(connection))
                if store.dimension == len(vector):
                    ids, cosines = rescore(ids, cosines, vector, *store.of(ids[:RESCORED].tolist()))
        return ids[: max(k, 0)], cosines[: max(k, 0)]

    @property
    def has_vectors(self) -> bool:
        """Return whether any passage has a vector yet."""
        with self._lock:
            return bool(self._arrays.vectors)

    @property
    def vector_share(self) -> float:
        """The fraction of passages that have a vector, from 0 to 1."""
        with self._lock:
            passages, vectors = self._arrays.bm25.corpus_size, len(self._arrays.vectors or ())
        return min(1.0, vectors / passages) if passages else 0.0

    def has_vector(self, passage: int) -> bool:
        """Return whether this passage has a vector."""
        with self._searching() as arrays:
            return arrays.vectors is not None and passage in arrays.vectors

    def vector(self, passage: int) -> Vector | None:
        """Return a passage's unit vector, or None if it has none yet; approximate in a very large library."""
        with self._searching() as arrays:
            return None if arrays.vectors is None else arrays.vectors.get(passage)

    def documents_of(self, passages: Iterable[int]) -> list[int]:
        """Return the document of each passage id returned by a search."""
        with self._lock:
            found: list[int] = self._arrays.bm25.documents_of([int(each) for each in passages]).tolist()
        return found

    @property
    def passage_count(self) -> int:
        """Number of passages."""
        with self._lock:
            return self._arrays.bm25.corpus_size

    def passage_counts(self, documents: Iterable[int]) -> list[int]:
        """Return the number of passages of each document, 0 if it is gone."""
        with self._lock:
            return [len(self._arrays.bm25.passages_of(int(document))) for document in documents]

    def want(self, passages: Iterable[int]) -> None:
        """Ask the indexer to embed these passages first."""
        with self._searching():
            missing = [int(p) for p in passages if not self.has_vector(int(p))]
        if missing:
            with contextlib.suppress(OSError):
                append_wishes(self.path, missing)


def _check(token: Token) -> None:
    if token is not None:
        token.raise_if_cancelled()


def _find_in_source(runs: Sequence[tuple[int, int, int]], start: int, end: int) -> tuple[int, int]:
    """Return the span in the source that corresponds to ``[start, end)`` of the text."""
    first = _to_source(runs, start)
    last = _to_source(runs, max(start, end - 1)) + (end > start)
    if last < first:
        # In the source, a heading may come before the number that is printed in front of it.
        places = [at for at in runs if at[0] < end and at[0] + at[2] > start]
        first = min((at[1] for at in places), default=last)
        last = max((at[1] + at[2] for at in places), default=last)
    return first, last


def _to_source(source_map: Sequence[tuple[int, int, int]], offset: int) -> int:
    place = bisect_right(source_map, offset, key=lambda run: run[0]) - 1
    if place < 0:
        return source_map[0][1]
    text_start, source_start, length = source_map[place]
    return source_start + min(offset - text_start, length)


def _to_text(source_map: Sequence[tuple[int, int, int]], offset: int) -> int:
    """Return the text offset that corresponds to ``offset`` in the source, or to the next mapped place after
    it.
    """
    behind = (run for run in source_map if run[1] + run[2] >= offset)
    text_start, source_start, length = min(behind, key=lambda run: run[1], default=source_map[-1])
    return text_start + min(length, max(0, offset - source_start))


def write_copy(authority: Authority, text: str, views: Path) -> Path:
    """Return the read-only copy of an authority's extracted text in ``views``, writing it if missing."""
    called = authority.name if authority.part else authority.path.stem
    name = re.sub(r"[^\w.,()\[\]-]+", " ", called).strip()[:80]
    path = views / f"{authority.id}" / f"{name}{authority.path.suffix}.txt"
    data = text.encode()
    if path.exists() and path.stat().st_size == len(data):
        return path
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Several requests or servers may write the same copy at the same time.
    descriptor, draft = tempfile.mkstemp(prefix=".view-", dir=path.parent)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
    os.chmod(draft, 0o400)
    os.replace(draft, path)
    return path
