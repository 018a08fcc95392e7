"""Which documents of the library a query names: by title, by file name, by the parties in their opening."""

from __future__ import annotations

import math
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from lexls.index.tokens import Tokenizer
from lexls.retrieval.naming import Naming

if TYPE_CHECKING:
    from lexls.index.records import Authority
    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken

CANDIDATES = 8
"""So many documents by title and as many by their words are looked at more closely."""
OPENING = 4000
"""So many characters at a document's beginning tell its parties,"""
ENDING = 2500
"""and so many at its end, where the parties sign."""
TIE = 0.03
"""Documents whose share of the names differs by no more than this are named alike."""
MOST_NAMED = 4
"""What fits more documents than these names none of them ("the Supreme Court's decision of 2010")."""
KEPT_DOCUMENTS = 512
"""Of so many documents the terms of opening and ending are kept."""
CERTAIN = 0.5
"""A document is named if it bears this share of the names, weighted by how rare they are;"""
UNCERTAIN = 0.8
"""and this, where only the names and not the form of the query speak for it."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_|(?<=[A-Za-z])(?=\d)")
_CONNECTING = frozenset(
    """
    consid regard concern given under about within pursuant accord between among by v and the of date made
    inc ltd llc llp lp plc co corp corpor compani limit gmbh sa ag nv bv
    agreement contract court decis opinion case judgment judg suprem appeal
    """.split()  # noqa: SIM905
)
"""What says that a document is named and not which: words around names, forms of companies, courts."""
FEW = 3
"""A single word is a name if no more titles than this have it."""


@dataclass(frozen=True, slots=True)
class _Names:
    """The terms of titles and file names in a generation of the library, and the documents that have each."""

    generation: int
    holders: Mapping[str, tuple[int, ...]]
    documents: int

    def weight(self, term: str) -> float:
        """How much a term tells: the rarer among titles, the more."""
        return math.log(1 + self.documents / (1 + len(self.holders.get(term, ()))))

    def rare(self, term: str) -> bool:
        """Whether a term alone can tell a document."""
        return len(self.holders.get(term, ())) <= FEW


@dataclass(frozen=True, slots=True)
class _Borne:
    """What a document's title, file name, opening and signatures consist of: terms and pairs of them.

    ``titled`` are the terms of the title alone, ``called`` those of title, file name and citations.
    """

    terms: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    titled: frozenset[str]
    called: frozenset[str]


class NamedDocuments:
    """Finds the documents that a query names. Thread-safe."""

    def __init__(self, library: SearchableIndex, tokenizer: Tokenizer) -> None:
        self._library = library
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._names: _Names | None = None
        self._terms: dict[int, tuple[Authority, frozenset[str]]] = {}
        self._kept: OrderedDict[tuple[int, int], _Borne] = OrderedDict()

    def find(
        self, naming: Naming, answering: frozenset[int] | None, token: CancelToken
    ) -> Mapping[int, float]:
        """The documents that ``naming`` names, best first, each with the share of the names that it bears.

        More than one only where they bear as many of them. A name counts the more, the fewer titles of the
        library have it; it is looked for in the title, the file name, the opening and the signatures.
        ``answering`` are the documents that may answer (None: all). Empty where nothing is named, or no
        document bears enough of it.
        """
        names = self._current()
        said = self._tokenizer.tokenize(naming.naming)
        terms = [term for term in dict.fromkeys(said) if term not in _CONNECTING]
        # Two words make a name sure enough to search nowhere else; one may be any word with a capital.
        if not terms or (len(terms) < 2 and not (naming.certain and names.rare(terms[0]))):
            return {}
        weights = {term: names.weight(term) for term in terms}
        total = sum(weights.values())
        shares: dict[int, tuple[float, float]] = {}
        for document in self._candidates(terms, weights, names, answering, token):
            token.raise_if_cancelled()
            borne = self._borne(document)
            # Names that merely stand in a sentence must be a title's: openings hold courts and places too.
            among = borne.terms if naming.certain else borne.called
            share = sum(weights[term] for term in terms if term in among) / total
            shares[document] = share, self._likeness(said, borne)
        if not shares:
            return {}
        best = max(share for share, _ in shares.values())
        if best < (CERTAIN if naming.certain else UNCERTAIN):
            return {}
        alike = {document: each for document, each in shares.items() if each[0] >= best - TIE}
        closest = max(likeness for _, likeness in alike.values())
        chosen = [(d, share) for d, (share, likeness) in alike.items() if likeness >= closest - TIE]
        if len(chosen) > MOST_NAMED:
            return {}
        chosen.sort(key=lambda entry: -entry[1])
        return dict(chosen)

    @staticmethod
    def _likeness(said: Sequence[str], borne: _Borne) -> float:
        """How well the words as they follow each other fit, and how much of the title they name (0 to 1).

        It parts an agreement from its amendment and from others of the same parties.
        """
        pairs = list(pairwise(said))
        following = sum(pair in borne.pairs for pair in pairs) / len(pairs) if pairs else 0.0
        titled = borne.titled - _CONNECTING
        named = len(titled & set(said)) / len(titled) if titled else 0.0
        return (2 * following + named) / 3

    def _candidates(
        self,
        terms: list[str],
        weights: Mapping[str, float],
        names: _Names,
        answering: frozenset[int] | None,
        token: CancelToken,
    ) -> Iterable[int]:
        sums: dict[int, float] = {}
        for term in terms:
            holders = names.holders.get(term, ())
            for document in holders:
                if answering is None or document in answering:
                    sums[document] = sums.get(document, 0.0) + weights[term]
        titled = sorted(sums, key=lambda document: -sums[document])[:CANDIDATES]
        ids, _ = self._library.lexical_documents(terms, CANDIDATES, answering, token)
        return dict.fromkeys([*titled, *(int(document) for document in ids)])

    def _borne(self, document: int) -> _Borne:
        key = (self._library.generation, document)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            known = self._terms.get(document)
        text = self._library.text(document)
        called = known[1] if known is not None else frozenset[str]()
        terms = set(called)
        pairs: set[tuple[str, str]] = set()
        title = known[0].title if known is not None else ""
        for words in (title, text[:OPENING], text[max(OPENING, len(text) - ENDING) :]):
            tokens = self._tokenizer.tokenize(words)
            terms.update(tokens)
            pairs.update(pairwise(tokens))
        titled = frozenset(self._tokenizer.tokenize(title))
        borne = _Borne(frozenset(terms), frozenset(pairs), titled, called)
        with self._lock:
            self._kept[key] = borne
            while len(self._kept) > KEPT_DOCUMENTS:
                self._kept.popitem(last=False)
        return borne

    def _current(self) -> _Names:
        generation = self._library.generation
        with self._lock:
            if self._names is not None and self._names.generation == generation:
                return self._names
            authorities = self._library.authorities()
            terms: dict[int, tuple[Authority, frozenset[str]]] = {}
            holders: dict[str, list[int]] = {}
            for authority in authorities:
                known = self._terms.get(authority.id)
                if known is None or known[0] is not authority:
                    known = authority, self._terms_of(authority)
                terms[authority.id] = known
                for term in known[1]:
                    holders.setdefault(term, []).append(authority.id)
            self._terms = terms
            self._names = _Names(
                generation, {term: tuple(ids) for term, ids in holders.items()}, len(authorities)
            )
            return self._names

    def _terms_of(self, authority: Authority) -> frozenset[str]:
        stem = authority.relative.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        name = _CAMEL.sub(" ", stem)
        words = f"{authority.title} {authority.short_title} {stem} {name} {' '.join(authority.citations)}"
        return frozenset(self._tokenizer.tokenize(words))
