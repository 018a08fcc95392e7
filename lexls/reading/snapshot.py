"""Hold everything a feature may ask: a draft, the library, how to search it, the authorities as words."""

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
"""Code points of authorities that stay ready: with their words about six bytes each."""
_KEPT_FOUND = 4000
_KEPT_PARAGRAPHS = 10_000
"""Paragraphs that cite something: more than a draft has, few enough for what is left of each key press."""


@dataclass(frozen=True, slots=True)
class KeptTexts:
    """Cache of authorities prepared for comparison with quotations. Safe from several threads.

    Attributes
    ----------
    texts: what `quotations/authority_texts.py` keeps of each authority, by its id.
    found: what was found in quotations set off as blocks and in authorities, by all that it depends on.
    """

    texts: Memory[int, Any] = field(default_factory=lambda: Memory(_KEPT_LENGTH, lambda one: len(one.source)))
    found: Memory[Hashable, Any] = field(default_factory=lambda: Memory(_KEPT_FOUND))


_KEPT_BLOCKS = 20_000


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """The papers of the record (exhibits, pleadings, transcripts), which are no authorities: an index of
    their own, and what is kept of what drafts cite of it.

    ``pieces`` are the citations of a paragraph as the papers answer them.
    """

    library: Library
    quoted: KeptTexts = field(default_factory=KeptTexts)
    pieces: Memory[Hashable, CitedParagraph] = field(default_factory=lambda: Memory(_KEPT_BLOCKS))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a feature answers from: a draft, the library, and how to search it.

    ``names``, ``tokenizer``, ``quoted``, ``concordance``, ``judged`` (what authorities bear out,
    how others treat and quote them, by all that it depends on) and ``cited`` (what
    `cited_before.py` found in paragraphs) are kept by whoever makes snapshots, so that they are filled
    once. ``record`` are the papers of the record, None without any; ``cases`` is the user's
    catalogue of what exists, None without one. ``parser`` is what read the draft.
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
        """The same with another text of the draft, which is not kept; None where nobody reads drafts."""
        if self.parser is None:
            return None
        return replace(self, draft=self.parser.vary(self.draft, source))

    @property
    def tokens(self) -> Callable[[str], list[str]]:
        """Cuts a text into terms, as the index counts them."""
        return self.tokenizer.tokenize

    def encode(self, text: str) -> NDArray[np.float32] | None:
        """The vector of a text as the search has it; None where words alone decide."""
        return self.searcher.encode_query(self.searcher.query(text)) if self.library.has_vectors else None

    def find_passages_on(self, text: str, k: int, token: CancelToken, within: int | None = None) -> list[Hit]:
        """The passages of at most ``k`` authorities that share most words with a sentence, fast.

        ``within`` is an authority: then they are its ``k`` passages that do.

        Words alone decide, and function words do not count: this is for what is shown unasked, at every
        rest of the mouse.
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
