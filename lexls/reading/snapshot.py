"""Bundle everything that a feature needs: a draft, the library, the means to search it, and prepared
authorities.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lexls.citations.concordance import Concordance
from lexls.citations.found_mentions import CitedParagraph
from lexls.index.case_catalogue import CaseCatalogue
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.reading.authority_names import NameIndexes
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.retrieval.model import Hit
from lexls.retrieval.relevance import find_terms
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.memory import Memory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.retrieval.search import Searcher


__all__ = ["Draft", "DraftParser", "Snapshot"]


_KEPT_LENGTH = 12_000_000
"""Total length, in code points, of the authorities cached for comparison. With their words, they take about
six bytes per code point.
"""
_KEPT_FOUND = 4000
_KEPT_PARAGRAPHS = 10_000
"""Maximum number of citing paragraphs cached. It is larger than the number in a draft, but small enough for
old versions to be discarded.
"""


@dataclass(frozen=True, slots=True)
class KeptTexts:
    """Cache of authorities prepared for comparison with quotations. Thread-safe.

    Attributes
    ----------
    texts: each authority's prepared text and comparisons, by its id (`quotations/authority_texts.py`).
    found: results for block quotations and authorities, by everything on which they depend.
    """

    texts: Memory[int, Any] = field(default_factory=lambda: Memory(_KEPT_LENGTH, lambda one: len(one.source)))
    found: Memory[Hashable, Any] = field(default_factory=lambda: Memory(_KEPT_FOUND))


_KEPT_BLOCKS = 20_000


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """The papers of the record (exhibits, pleadings, transcripts), which are not authorities. ``library`` is
    their own index, and ``quoted`` and ``pieces`` are caches for drafts that cite them. ``pieces`` are
    paragraphs with their citations resolved in the record.
    """

    library: Library
    quoted: KeptTexts = field(default_factory=KeptTexts)
    pieces: Memory[Hashable, CitedParagraph] = field(default_factory=lambda: Memory(_KEPT_BLOCKS))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that a feature needs: a draft, the library, and the means to search it.

    Snapshots of one server share these caches: ``names``, ``tokenizer``, ``quoted``, ``concordance``,
    ``judged`` (what authorities support, and how others treat and quote them, by everything on which this
    depends) and ``cited`` (what `cited_before.py` found in paragraphs). ``record`` are the papers of the
    record, or None. ``cases`` is the user's catalogue of known cases, or None. ``parser`` is the parser that
    read the draft.
    """

    draft: Draft
    library: Library
    searcher: Searcher
    settings: Settings
    names: NameIndexes = field(default_factory=NameIndexes)
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    quoted: KeptTexts = field(default_factory=KeptTexts)
    concordance: Concordance = field(default_factory=Concordance.load)
    judged: Memory[Hashable, Any] = field(default_factory=lambda: Memory(_KEPT_FOUND))
    cited: Memory[CitedParagraph, Any] = field(default_factory=lambda: Memory(_KEPT_PARAGRAPHS))
    record: CaseRecord | None = None
    cases: CaseCatalogue | None = None
    parser: DraftParser | None = None

    def vary(self, source: str) -> Snapshot | None:
        """Return the snapshot with another text of the draft; the new reading is not cached. None without a
        parser.
        """
        if self.parser is None:
            return None
        return replace(self, draft=self.parser.vary(self.draft, source))

    @property
    def tokens(self) -> Callable[[str], list[str]]:
        """A function that splits a text into terms in the same way as the index."""
        return self.tokenizer.tokenize

    def encode(self, text: str) -> NDArray[np.float32] | None:
        """Return the embedding of a text as a search query; None if the library has no vectors."""
        return self.searcher.encode_query(self.searcher.query(text)) if self.library.has_vectors else None

    def find_passages_on(self, text: str, k: int, token: CancelToken, within: int | None = None) -> list[Hit]:
        """Return the passages that match a sentence best: one passage of each of at most ``k`` authorities.
        If ``within`` is an authority's id, return the ``k`` best passages of that authority instead. Only
        keywords are matched, without function words, since this must be fast: it runs whenever the mouse
        rests.
        """
        terms = list(find_terms(text, self.tokens))
        if not terms:
            return []
        among = None if within is None else [within]
        found, scores = self.library.lexical(terms, 4 * k if within is None else k, among, token)
        best = dict(zip(found.tolist(), scores.tolist(), strict=True))
        hits: list[Hit] = []
        seen: set[int] = set()
        for record in self.library.contents.passage_records(best, token):
            authority = self.library.catalogue.get(record.document)
            if authority is not None and record.document not in seen and len(hits) < k:
                if within is None:
                    seen.add(record.document)
                score = best[record.id]
                hits.append(Hit(len(hits) + 1, authority, record, score, score, None))
        return hits
