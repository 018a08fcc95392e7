"""Find authorities that the argument of a whole draft calls for and that it does not cite.

Every sentence that argues is searched for as for *find supporting authority*; what many sentences find is
called for by the argument. What is tied to the authorities that the draft cites (by citing one, being cited
by one, or being cited together with one) is called for the more.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lexls.citations.case_names.compare import same_name
from lexls.citations.citing_sentences import SIGNALS
from lexls.features.cited_for import filter_support
from lexls.features.find_support import SupportOption, offer_hit
from lexls.index.records import Authority
from lexls.reading.propositions import write_query
from lexls.reading.resolve import find_cited_documents, settle_hits
from lexls.reading.snapshot import Draft, Snapshot
from lexls.retrieval.model import EVERYTHING, Filters, Hit, Ranked, select_documents
from lexls.retrieval.relevance import Weights, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.text.spans import Span
from lexls.wording.place_words import cite_authority

_DEPTH = 20
_CONSTANT = 10
"""Of the ranking of each sentence so many are fused, by reciprocal rank with this constant."""
_FEWEST_TERMS = 4
"""Words with a meaning that a sentence needs beside the names of an authority's parties."""
_CALLS = 3
"""Sentences that are named for an authority."""
_READ = 20
"""Sentences of one authority whose passages are looked at."""
_LOOKED_AT = 4
"""So many authorities are looked at for each that is wanted: some have no passage that fits a sentence."""
_SENTENCE, _PASSAGE, _IN_IT = 0.5, 0.65, 0.4
"""Shares of the weight of a sentence's words, by rarity, that a passage needs to be shown for it: its best
sentence has the first, or the whole has the second and that sentence the third."""
_NO_SUPPORT = frozenset({"contract"})
"""Kinds that are matter of an argument, and nothing that it lacks."""
_PHRASES = load_phrases(__package__, "arguing.toml")
_RECITES = compile_pattern(_PHRASES["recites"], {})
"""What a court writes before the words of a provision: whoever cites that does not need the case for it."""
_ORDERS = compile_pattern(_PHRASES["orders"], {})
"""What a court writes where it disposes of a motion or a case, which bears out nothing."""
_SAME_CASE = 0.5
"""What another decision in a case counts that the draft cites already: mostly that of the court below."""
_DISPOSED = frozenset({"affirmed", "reversed", "vacated"})


@dataclass(frozen=True, slots=True)
class Ties:
    """How an authority is tied to those that a draft cites: how many of them it ``cites``, how many of them
    cite it (``cited_by``), and how many documents of the library cite it ``together`` with one of them."""

    cites: int
    cited_by: int
    together: int


@dataclass(frozen=True, slots=True)
class CallingSentence:
    """A sentence that calls for an authority: its ``words`` without what it cites, and the passage found."""

    words: str
    option: SupportOption


@dataclass(frozen=True, slots=True)
class MissingAuthority:
    """An authority that a draft's argument calls for. ``calls`` are the sentences that do, each with the
    passage that fits it, the best first; at least one. ``same_case`` is a decision in the same case that the
    draft cites, None if it cites none."""

    authority: Authority
    calls: tuple[CallingSentence, ...]
    ties: Ties
    same_case: Authority | None

    @property
    def warning(self) -> str:
        """Return how the library treats it badly, or ""."""
        return self.calls[0].option.warning


def describe_ties(missing: MissingAuthority) -> str:
    """Return how an authority is tied to what the draft cites, in words; "" if it is not."""
    ties = missing.ties
    told = []
    if missing.same_case is not None:
        told.append(f"a decision in the same case as {cite_authority(missing.same_case)}")
    if ties.cited_by:
        told.append(f"cited by {ties.cited_by} of the authorities that the draft cites")
    if ties.cites:
        them = "them" if ties.cited_by else "the authorities that the draft cites"
        told.append(f"cites {ties.cites} of {them}")
    if ties.together and (ties.cites or ties.cited_by):
        documents = f"{ties.together} other document{'' if ties.together == 1 else 's'}"
        told.append(f"cited together with them in {documents}")
    return "; ".join(told)


def find_missing(
    snapshot: Snapshot,
    most: int,
    token: CancelToken,
    tell: Progress = lambda done, total: None,
    chosen: Filters = EVERYTHING,
) -> list[MissingAuthority]:
    """At most ``most`` authorities that the draft's argument calls for and that it cites nowhere, best first.

    ``chosen`` lets through some only. The draft itself, and what it cites, tells nothing of what is missing
    where its file lies in the library. Raises ``Cancelled``.
    """
    filters = filter_support(snapshot, chosen)
    cited = find_cited_documents(snapshot)
    known = snapshot.library.catalogue.all()
    left_out = cited | {each.id for each in known if each.kind in _NO_SUPPORT}
    cases = [each.id for each in known if each.id in cited and each.kind == "case"]
    names = snapshot.library.title_terms(cases) if cases else frozenset()
    asked = list(find_arguing(snapshot))
    called: defaultdict[int, list[_Call]] = defaultdict(list)
    for place, (sentence, query) in enumerate(asked):
        token.raise_if_cancelled()
        tell(place, len(asked))
        searched = snapshot.searcher.query(query)
        for rank, found in enumerate(snapshot.searcher.rank(searched, _DEPTH, filters, token), 1):
            if found.document not in left_out:
                called[found.document].append(_Call(sentence, query, found, 1 / (_CONSTANT + rank)))
    tell(len(asked), len(asked))
    speaking = select_documents(known, Filters(excluded=filters.excluded))
    tied = _Tied(snapshot, cited, speaking)
    worth = {each: sum(call.worth for call in calls) * tied.weigh(each) for each, calls in called.items()}
    missing: list[MissingAuthority] = []
    for document in sorted(worth, key=lambda each: (-worth[each], each))[: most * _LOOKED_AT]:
        token.raise_if_cancelled()
        calls = tuple(_read_calls(snapshot, called[document], names, token))
        if calls:
            same = tied.find_same_case(document)
            missing.append(MissingAuthority(calls[0].option.hit.authority, calls, tied.tell(document), same))
        if len(missing) == most:
            break
    return missing


@dataclass(frozen=True, slots=True)
class _Call:
    """A sentence that finds an authority: where it stands, what it was searched by, and what it is worth."""

    sentence: Span
    query: str
    found: Ranked
    worth: float


def _read_calls(
    snapshot: Snapshot, calls: Sequence[_Call], names: frozenset[str], token: CancelToken
) -> list[CallingSentence]:
    """The sentences that call for an authority for which a passage of it fits, the best fitting first."""
    fitting: list[tuple[float, CallingSentence]] = []
    for call in sorted(calls, key=lambda each: -each.worth)[:_READ]:
        query = snapshot.searcher.query(call.query)
        hits: Sequence[Hit] = snapshot.searcher.fetch_hits([call.found], query, token)
        hits = settle_hits(snapshot.library, hits, snapshot.draft.jurisdiction)
        for option in (offer_hit(snapshot, hit, call.sentence, call.query) for hit in hits):
            share = _measure_fit(snapshot, call.query, option, names)
            if share:
                fitting.append((share, CallingSentence(call.query, option)))
    fitting.sort(key=lambda each: -each[0])
    # One passage is shown once, for the sentence that it fits best.
    once: dict[int, CallingSentence] = {}
    for _, each in fitting:
        once.setdefault(each.option.hit.passage.id, each)
    return list(once.values())[:_CALLS]


def _measure_fit(snapshot: Snapshot, query: str, option: SupportOption, names: frozenset[str]) -> float:
    """Return how much of what a sentence says the best sentence of a passage has, by the weight of its
    words; 0 where the passage does not speak of it. ``names``, and those of the authority's own parties,
    do not count: what happened to them in another case says nothing here."""
    own = frozenset(snapshot.tokens(option.hit.authority.title)) | names
    terms = [each for each in find_terms(query, snapshot.tokens) if each not in own]
    if len(terms) < _FEWEST_TERMS:
        return 0.0
    weights = Weights(dict(zip(terms, snapshot.library.rarity(terms), strict=True)))
    passage = option.hit.passage.text
    words = option.sentence.of(passage)
    if option.hit.authority.kind == "case" and (_RECITES.search(words) or _ORDERS.search(words)):
        return 0.0
    sentence = weights.coverage(snapshot.tokens(words))
    fits = sentence >= _SENTENCE or (
        sentence >= _IN_IT and weights.coverage(snapshot.tokens(passage)) >= _PASSAGE
    )
    return sentence if fits else 0.0


class _Tied:
    """Tells how authorities are tied to ``cited`` by what the ``speaking`` documents cite (None: all)."""

    def __init__(self, snapshot: Snapshot, cited: frozenset[int], speaking: frozenset[int] | None) -> None:
        self._catalogue = snapshot.library.catalogue
        self._graph = snapshot.library.graph
        self._speaking = speaking
        self._cited = cited
        known = [self._catalogue.get(each) for each in sorted(cited)]
        self._known = [each for each in known if each is not None]
        self._citers = {each: self._list_citers(each) for each in cited}
        self._among = frozenset().union(*self._citers.values())

    def tell(self, document: int) -> Ties:
        """The ties of an authority."""
        cites = len(self._graph.cited_by(document) & self._cited)
        citers = self._list_citers(document)
        return Ties(cites, len(citers & self._cited), len((citers & self._among) - self._cited))

    def weigh(self, document: int) -> float:
        """Return what its ties count, from 1 up: the logarithm of those to the authorities that the draft
        cites, and the cosines with them by who cites them, over the root of their number."""
        if not self._cited:
            return 1.0
        ties, citers = self.tell(document), self._list_citers(document)
        together = sum(
            len(citers & others) / math.sqrt(len(citers) * len(others))
            for others in self._citers.values()
            if citers and others
        )
        direct = math.log1p(ties.cites) + math.log1p(ties.cited_by)
        weight = 1.0 + direct + together / math.sqrt(len(self._cited))
        return weight * _SAME_CASE if self.find_same_case(document) is not None else weight

    def find_same_case(self, document: int) -> Authority | None:
        """The decision in the same case that is cited: of the same parties, or of a court that affirmed,
        reversed or vacated this one."""
        authority = self._catalogue.get(document)
        if authority is None or authority.kind != "case":
            return None
        for each in self._known:
            if each.kind == "case" and same_name(authority.title, each.title):
                return each
        decided = {
            each.treating for each in self._graph.find_treatments(document) if each.treatment in _DISPOSED
        }
        return next((each for each in self._known if each.id in decided), None)

    def _list_citers(self, document: int) -> frozenset[int]:
        citers = self._graph.citers(document)
        return citers if self._speaking is None else citers & self._speaking


Progress = Callable[[int, int], None]
"""Told how many are done, of how many."""
_BACKGROUND = compile_pattern(_PHRASES["background"], {})
_TELLS, _ARGUES = (compile_pattern(_PHRASES[each], {}) for each in ("tells", "argues"))
DISPOSES = compile_pattern(_PHRASES["disposes"], {})
"""What a court did, or how it looks at a case, or a sum of money, in a sentence."""
_STOPPED = re.compile(r"[.?!:;…][\s\d)\]\"'”’*_]*$")
"""What is no line of a title page."""
_CITES = re.compile(rf"\W*(?:{SIGNALS}|e\.g|cf)(?=\W)", re.IGNORECASE)
"""How a sentence begins that cites: what it says of its authorities in parentheses is no argument."""
_PROSE = re.compile(r"(?<![\w.])[a-z]{3,}(?![\w.])")
_FEWEST_PROSE = 3
"""Words in small letters that a sentence has which is not the name of a book or an Act."""
_FEWEST_WORDS = 6
_FEWEST_ARGUED = 5
"""A sentence of fewer words, or words with a meaning, says nothing that an authority could be found by."""


def find_arguing(snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    """The sentences that argue, in order, each with its words without the cases and writings it cites.

    None are headings, what stands under the heading of a part that argues nothing (the facts), quotations set
    off, plain facts, and sentences that only cite.
    """
    for sentence in _list_sentences(snapshot.draft):
        query = write_query(snapshot.draft, sentence)
        if len(query.split()) < _FEWEST_WORDS or len(_PROSE.findall(query)) < _FEWEST_PROSE:
            continue
        if _CITES.match(query) is not None or len(find_terms(query, snapshot.tokens)) < _FEWEST_ARGUED:
            continue
        if not states_plain_facts(query):
            yield sentence, query


def states_plain_facts(sentence: str) -> bool:
    """Return whether a sentence only tells what happened, in words that argue nothing."""
    line = " ".join(sentence.split())
    return _TELLS.search(line) is not None and _ARGUES.search(line) is None


def _list_sentences(draft: Draft) -> Iterator[Span]:
    headings, place, level = draft.headings, 0, 0
    for paragraph in draft.paragraphs:
        while place < len(headings) and headings[place].line.start <= paragraph.start:
            heading = headings[place]
            if not level or heading.level <= level:
                level = heading.level if _BACKGROUND.search(heading.title) else 0
            place += 1
        if level or draft.heading_at(paragraph.start) is not None:
            continue
        if draft.blocks[draft.block_at(paragraph.start)].quoted:
            continue
        for sentence in draft.sentences_of(paragraph):
            if _STOPPED.search(sentence.of(draft.masked)):
                yield sentence
