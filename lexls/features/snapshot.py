"""Everything a feature may ask: a draft, the library, and how to search it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexls.citations.concordance.concordance import Concordance
from lexls.features.authority_names import NameIndexes
from lexls.features.authority_texts import AuthorityTexts
from lexls.features.cited_authorities import KnownKeys
from lexls.features.draft import Draft
from lexls.features.draft_parser import DraftParser
from lexls.grounding.relevance import content_terms
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters, Hit
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.retrieval.search import Searcher

__all__ = ["Draft", "DraftParser", "Snapshot"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a feature answers from: a draft, the library, and how to search it.

    ``names``, ``tokenizer``, ``quoted``, ``concordance`` and ``known`` are kept by whoever makes snapshots,
    so that they are filled once.
    """

    draft: Draft
    library: Library
    searcher: Searcher
    settings: Settings
    names: NameIndexes = field(default_factory=NameIndexes)
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    quoted: AuthorityTexts = field(default_factory=AuthorityTexts)
    concordance: Concordance = field(default_factory=Concordance.load)
    known: KnownKeys = field(default_factory=KnownKeys)

    def tokens(self, text: str) -> list[str]:
        """The terms of a text, as the index counts them."""
        return self.tokenizer.tokenize(text)

    def passages_on(self, text: str, k: int, token: CancelToken) -> list[Hit]:
        """The passages of at most ``k`` authorities that share most words with a sentence, fast.

        Words alone decide, and function words do not count: this is for what is shown unasked, at every
        rest of the mouse.
        """
        terms = list(content_terms(text, self.tokens))
        if not terms:
            return []
        found, scores = self.library.lexical(terms, 4 * k, None, token)
        best = dict(zip(found.tolist(), scores.tolist(), strict=True))
        hits: list[Hit] = []
        seen: set[int] = set()
        for record in self.library.passage_records(best, token):
            authority = self.library.authority(record.document)
            if authority is not None and record.document not in seen and len(hits) < k:
                seen.add(record.document)
                score = best[record.id]
                hits.append(Hit(len(hits) + 1, authority, record, score, score, None))
        return hits

    def search(self, text: str, k: int, token: CancelToken, filters: Filters | None = None) -> list[Hit]:
        """The best passages of at most ``k`` authorities for a sentence; none for an empty one."""
        if not text.strip():
            return []
        return self.searcher.search(text, k, filters or Filters(), token)
