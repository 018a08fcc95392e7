"""Find the documents that a query names (by title, file name or parties) or describes.

"Consider the Supply Agreement between Tarn Ltd; Quenby Inc; who may assign it?" and "what does the lease with
Vale say about subletting?" name a document and ask about it. The names identify the document, but not the
relevant passage in it, so the query is split into the names and the question.

A name is capitalised and identifies a document in any library. A description ("the content license", "our
lease") identifies a document only among a few: the contracts of the library that have its words in their
titles. It therefore counts only if the rest of the question asks for a clause type; "the license is void" is
about licenses in general.
"""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from lexls.index.tokens import Tokenizer
from lexls.text.memory import Memory
from lexls.text.phrases import load_patterns, load_phrases
from lexls.text.spans import Span, leave_out

if TYPE_CHECKING:
    from lexls.index.records import Authority
    from lexls.index.searchable import SearchableIndex
    from lexls.index.tokens import Tokenizer
    from lexls.text.cancel import CancelToken


_PATTERNS = load_patterns(__package__, "data/naming.toml")
LONGEST = 2000
"""Maximum length in characters of a query that may name a document; longer ones are narratives."""


@dataclass(frozen=True, slots=True)
class Naming:
    """The words of a query that name a document (``naming``, possibly empty), and what it asks (``rest``).

    ``certain`` is true if the form of the words shows that they name one ("under the lease between …");
    otherwise they are merely names in the query.
    """

    naming: str
    rest: str
    certain: bool = False


def split_naming(text: str) -> Naming:
    """Split ``text``, a prose query on one line, into the words that name a document and the question about
    it.

    If nothing would remain for the question, ``rest`` is all of ``text``. It is empty only if ``text`` is
    empty.
    """
    if len(text) > LONGEST:
        return Naming("", text)
    lead = _leading(text)
    spans = [lead] if lead is not None else []
    for pattern in (_PATTERNS["case_name"], _PATTERNS["reference"]):
        for match in pattern.finditer(text, lead.end if lead is not None else 0):
            span = Span(*match.span())
            if pattern is _PATTERNS["reference"]:
                comma = _PATTERNS["comma"].search(text, span.start, span.end)
                span = Span(span.start, comma.start() if comma else span.end)
            if any(span.overlaps(other) for other in spans):
                continue
            if _names_in(span.of(text)):
                spans.append(span)
    spans.sort()
    rest = leave_out(text, spans)
    if spans and len(_PATTERNS["word"].findall(rest)) >= 2:
        return Naming(" ".join(span.of(text) for span in spans), rest, certain=True)
    names = [match[1] for match in _PATTERNS["quoted"].finditer(text)]
    names += [
        match[0]
        for match in _PATTERNS["name"].finditer(text)
        if not _PATTERNS["sentence_start"].search(text[: match.start()])
    ]
    return Naming(" ".join(dict.fromkeys(names)), text)


def _leading(text: str) -> Span | None:
    """Return the span of the introductory clause that names the document, which ends where the question
    starts, or None.
    """
    ends = [match for match in _PATTERNS["boundary"].finditer(text) if match[0][0] in ";:"]
    opens = _PATTERNS["lead"].match(text) is not None
    if not ends and opens:
        ends = list(_PATTERNS["boundary"].finditer(text))[:1]
    # A party's name may begin like a question ("May Mills Ltd"), so the last such place is used.
    for match in ends[::-1]:
        head = text[: match.start()]
        if _names_in(head) and (opens or _PATTERNS["document"].search(head)):
            return Span(0, match.end())
    return None


def _names_in(words: str) -> bool:
    """Return whether ``words`` contain a name: a case name, or a capitalised word that is not merely the
    first one.
    """
    return any(
        match.start() > 0 and match[0][0].isupper() for match in _PATTERNS["name"].finditer(words)
    ) or bool(_PATTERNS["case_name"].match(words))


CANDIDATES = 8
"""Number of documents compared in detail because of their title, and as many because of their text."""
OPENING = 4000
"""Number of characters at a document's beginning that are searched for its parties."""
ENDING = 2500
"""Number of characters at a document's end, where the parties sign, that are searched for their names."""
TIE = 0.03
"""Maximum difference between the shares of the names, or between the similarities, of documents that match
equally well.
"""
MOST_NAMED = 4
"""Maximum number of documents that a name may match; with more, it names none ("the Supreme Court's decision
of 2010").
"""
KEPT_DOCUMENTS = 512
"""Number of documents whose opening and ending terms are cached."""
CERTAIN = 0.5
"""Minimum share of the names, weighted by rarity, that a document has if the query clearly names one."""
UNCERTAIN = 0.8
"""Minimum share if the query only contains names, but no form that shows that they name a document."""
_CONNECTING = frozenset(
    """
    consid regard concern given under about within pursuant accord between among by v and the of date made
    inc ltd llc llp lp plc co corp corpor compani limit gmbh sa ag nv bv
    agreement contract court decis opinion case judgment judg suprem appeal
    """.split()  # noqa: SIM905
)
"""Words that do not identify a document: words around names, company forms, courts."""
PARTIES = 0.6
"""Minimum share of the names that a contract has among its parties and in its text."""
WITHIN = 0.7
"""Weight of a name that occurs in a contract outside the places that name its parties."""
_ROLES = load_phrases(__package__, "data/naming.toml")["roles"]
"""Words for parties and defined terms of contracts, which are capitalised but name no contract."""
FEW = 3
"""Maximum number of titles that contain a single word which is used as a name."""


@dataclass(frozen=True, slots=True)
class _NamesOfDocuments:
    """The terms of titles and file names in one generation of the library. ``holders`` maps each term to the
    documents that have it.
    """

    generation: int
    holders: Mapping[str, tuple[int, ...]]
    documents: int

    def weight(self, term: str) -> float:
        """Return the weight of a term, higher the fewer titles have it."""
        return math.log(1 + self.documents / (1 + len(self.holders.get(term, ()))))

    def rare(self, term: str) -> bool:
        """Return whether a term is rare enough to identify a document on its own."""
        return len(self.holders.get(term, ())) <= FEW


@dataclass(frozen=True, slots=True)
class _DocumentTerms:
    """The terms and pairs of terms of a document's title, file name, opening and signatures.

    ``titled`` are the terms of the title only, ``called`` those of title, file name and citations, and
    ``within`` those of its whole text (empty if it is not a contract).
    """

    terms: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    titled: frozenset[str]
    called: frozenset[str]
    within: frozenset[str]


def _choose(shares: Mapping[int, tuple[float, float]], least: float) -> dict[int, float]:
    """Return the documents with the largest share (at least ``least``) that are also most similar. Returns
    none if too many qualify.

    ``shares`` has each document's share of the names, and its similarity (see
    ``NamedDocuments._measure_similarity``).
    """
    best = max((share for share, _ in shares.values()), default=0.0)
    if best < least:
        return {}
    alike = {document: each for document, each in shares.items() if each[0] >= best - TIE}
    closest = max(similarity for _, similarity in alike.values())
    chosen = [(d, share) for d, (share, similarity) in alike.items() if similarity >= closest - TIE]
    return dict(sorted(chosen, key=lambda entry: -entry[1])) if len(chosen) <= MOST_NAMED else {}


class NamedDocuments:
    """Finds the documents that a query names. Thread-safe."""

    def __init__(self, library: SearchableIndex, tokenizer: Tokenizer) -> None:
        self._library = library
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._names: _NamesOfDocuments | None = None
        self._terms: dict[int, tuple[Authority, frozenset[str]]] = {}
        self._kept = Memory[tuple[int, int], _DocumentTerms](KEPT_DOCUMENTS)

    def find(
        self, naming: Naming, answering: frozenset[int] | None, token: CancelToken
    ) -> Mapping[int, float]:
        """Return the documents that ``naming`` names, best first, each with its share of the names.

        Several are returned only if their shares are about equal. A name counts more the fewer titles in the
        library have it. It is searched for in the title, the file name, the opening and the signatures.
        ``answering`` are the documents allowed (None: all). The result is empty if nothing is named, or if no
        document has enough of the names.
        """
        names = self._current()
        said = _tokenize(naming.naming, self._tokenizer)
        terms = [term for term in dict.fromkeys(said) if term not in _CONNECTING]
        # Two words are enough to limit the search; a single one may be any capitalised word.
        if not terms or (len(terms) < 2 and not (naming.certain and names.rare(terms[0]))):
            return {}
        weights = {term: names.weight(term) for term in terms}
        total = sum(weights.values())
        shares: dict[int, tuple[float, float]] = {}
        for document in self._candidates(terms, weights, names, answering, token):
            token.raise_if_cancelled()
            held = self._kept.recall((self._library.generation, document), partial(self._read, document))
            # Names merely mentioned must be in the title: openings also name courts and places.
            among = held.terms if naming.certain else held.called
            share = sum(weights[term] for term in terms if term in among) / total
            shares[document] = share, self._measure_similarity(said, held)
        return _choose(shares, CERTAIN if naming.certain else UNCERTAIN)

    def find_contracts(
        self, naming: Naming, words: str, answering: frozenset[int] | None, token: CancelToken
    ) -> Mapping[int, float]:
        """Return the contracts whose parties ``naming`` names, best first, in the form that ``find`` returns.

        A party is named in the title, the file name, the opening or the signatures; other names in the text
        are weighted by ``WITHIN``. Of contracts between the same parties, those whose titles have most of
        ``words``, the rest of the question, are returned.
        """
        names = self._current()
        said = _tokenize(naming.naming, self._tokenizer)
        roles = frozenset(self._tokenizer.tokenize(_ROLES))
        terms = [term for term in dict.fromkeys(said) if term not in _CONNECTING and term not in roles]
        if not terms:
            return {}
        weights = {term: names.weight(term) for term in terms}
        total = sum(weights.values())
        asked = frozenset(_tokenize(words, self._tokenizer)) - _CONNECTING
        shares: dict[int, tuple[float, float]] = {}
        for document in self._candidates(terms, weights, names, answering, token):
            token.raise_if_cancelled()
            held = self._kept.recall((self._library.generation, document), partial(self._read, document))
            if not held.within:
                continue
            parties = sum(weights[term] for term in terms if term in held.terms) / total
            others = sum(weights[term] for term in terms if term in held.within - held.terms) / total
            if parties >= CERTAIN:
                titled = len(asked & held.called) / (1 + len(asked))
                shares[document] = parties + WITHIN * others, titled
        return _choose(shares, PARTIES)

    def find_names(self, text: str, documents: Iterable[int]) -> list[Span]:
        """Return the spans of names in ``text`` that occur in the titles, openings or signatures of
        ``documents``.
        """
        self._current()
        held = [
            self._kept.recall((self._library.generation, each), partial(self._read, each))
            for each in documents
        ]
        borne = frozenset[str]().union(*(each.terms for each in held))
        return [
            Span(*match.span())
            for match in _PATTERNS["name"].finditer(text)
            if not _PATTERNS["sentence_start"].search(text[: match.start()])
            and borne.issuperset(_tokenize(match[0], self._tokenizer))
        ]

    @staticmethod
    def _measure_similarity(said: Sequence[str], held: _DocumentTerms) -> float:
        """Return how well a document matches the order of the query's words and how much of its title they
        name, from 0 to 1.

        This distinguishes an agreement from its amendment and from others between the same parties.
        """
        pairs = list(pairwise(said))
        following = sum(pair in held.pairs for pair in pairs) / len(pairs) if pairs else 0.0
        titled = held.titled - _CONNECTING
        named = len(titled & set(said)) / len(titled) if titled else 0.0
        return (2 * following + named) / 3

    def _candidates(
        self,
        terms: list[str],
        weights: Mapping[str, float],
        names: _NamesOfDocuments,
        answering: frozenset[int] | None,
        token: CancelToken,
    ) -> Iterable[int]:
        sums: defaultdict[int, float] = defaultdict(float)
        for term in terms:
            for document in names.holders.get(term, ()):
                if answering is None or document in answering:
                    sums[document] += weights[term]
        titled = sorted(sums, key=lambda document: -sums[document])[:CANDIDATES]
        ids, _ = self._library.lexical_documents(terms, CANDIDATES, answering, token)
        return dict.fromkeys([*titled, *(int(document) for document in ids)])

    def _read(self, document: int) -> _DocumentTerms:
        with self._lock:
            known = self._terms.get(document)
        text = self._library.contents.text(document)
        called = known[1] if known is not None else frozenset[str]()
        title = known[0].title if known is not None else ""
        parts = (title, text[:OPENING], text[max(OPENING, len(text) - ENDING) :])
        tokens = [_tokenize(words, self._tokenizer) for words in parts]
        pairs = frozenset(pair for each in tokens for pair in pairwise(each))
        is_contract = known is not None and known[0].kind in CONTRACTS
        within = frozenset(_tokenize(text, self._tokenizer) if is_contract else ())
        return _DocumentTerms(called.union(*tokens), pairs, frozenset(tokens[0]), called, within)

    def _current(self) -> _NamesOfDocuments:
        generation = self._library.generation
        with self._lock:
            if self._names is not None and self._names.generation == generation:
                return self._names
            authorities = self._library.catalogue.all()
            terms: dict[int, tuple[Authority, frozenset[str]]] = {}
            holders: defaultdict[str, list[int]] = defaultdict(list)
            for authority in authorities:
                known = self._terms.get(authority.id)
                if known is None or known[0] is not authority:
                    known = authority, self._terms_of(authority)
                terms[authority.id] = known
                for term in known[1]:
                    holders[term].append(authority.id)
            self._terms = terms
            self._names = _NamesOfDocuments(
                generation, {term: tuple(ids) for term, ids in holders.items()}, len(authorities)
            )
            return self._names

    def _terms_of(self, authority: Authority) -> frozenset[str]:
        stem = authority.part or authority.relative.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        name = _PATTERNS["camel"].sub(" ", stem)
        words = f"{authority.title} {authority.short_title} {stem} {name} {' '.join(authority.citations)}"
        return frozenset(_tokenize(words, self._tokenizer))


MOST_DESCRIBED = 6
"""Maximum number of contracts that a description may match; with more, it describes none."""
CONTRACTS = frozenset({"contract", "other"})
"""Kinds of documents that may be contracts, whose passages are clauses."""


@dataclass(frozen=True, slots=True)
class DescribedContract:
    """A contract described in a text. ``words`` identify it ("content"), ``noun`` is its type ("license"),
    and ``rest`` is what the text asks about it.
    """

    words: str
    noun: str
    rest: str

    @property
    def general(self) -> bool:
        """Return whether the noun could refer to any contract."""
        return _PATTERNS["any_contract"].fullmatch(self.noun) is not None


def find_description(text: str) -> DescribedContract | None:
    """Return the last contract to which ``text`` (prose on one line) refers as already known ("the lease"),
    or None.
    """
    found = list(_PATTERNS["described"].finditer(text))
    if not found:
        return None
    last = found[-1]
    return DescribedContract(last["words"], last["noun"], leave_out(text, [Span(*last.span())]))


def find_described(
    description: DescribedContract,
    authorities: Iterable[Authority],
    meant: frozenset[int],
    tokenizer: Tokenizer,
) -> tuple[int, ...]:
    """Return the contracts among ``authorities`` that match a description. If any title has it word for word,
    only those are returned.

    ``meant`` are documents already mentioned. If the description matches some of them, only those are
    returned. "The agreement" means the only contract among them. The result is empty if too many contracts
    match, or none.
    """
    words = _tokenize(description.words, tokenizer)
    noun = () if description.general else _tokenize(description.noun, tokenizer)
    asked = (*words, *noun)
    following: list[int] = []
    apart: list[int] = []
    for authority in authorities:
        if authority.kind in CONTRACTS:
            title = _tokenize(f"{authority.title} {authority.short_title}", tokenizer)
            if not set(asked) - set(title):
                as_said = set(pairwise(asked)) <= set(pairwise(title))
                (following if as_said else apart).append(authority.id)
    spoken = [each for each in (*following, *apart) if each in meant]
    if not asked:
        return tuple(spoken) if len(spoken) == 1 else ()
    found = spoken or following or apart
    return tuple(found) if len(found) <= MOST_DESCRIBED else ()


def _tokenize(words: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    # A licence is a license.
    return tuple(tokenizer.tokenize(_PATTERNS["licence"].sub("license", words)))
