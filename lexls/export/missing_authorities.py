"""Find authorities that a draft's argument calls for but does not cite.

Each argumentative sentence is used as a search, as in *find supporting authority*. An authority found by many
sentences is called for by the argument. It ranks higher if it cites authorities that the draft cites, is
cited by them, or is cited together with them.
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
"""The constant of the reciprocal rank fusion that combines the ``_DEPTH`` best documents of each sentence."""
_FEWEST_TERMS = 4
"""Minimum number of content words in a sentence, apart from the names of an authority's parties."""
_CALLS = 3
"""Maximum number of sentences shown for an authority."""
_READ = 20
"""Maximum number of sentences per authority for which its passages are read."""
_LOOKED_AT = 4
"""Number of candidates examined for each authority to be returned, since some have no passage that fits a
sentence.
"""
_SENTENCE, _PASSAGE, _IN_IT = 0.5, 0.65, 0.4
"""Minimum shares of a sentence's words, weighted by rarity, in a passage that is shown for it. Either the
passage's best sentence contains the first share, or the whole passage contains the second and its best
sentence the third.
"""
_NO_SUPPORT = frozenset({"contract"})
"""Kinds of document that are the subject of an argument, never a missing authority."""
_PHRASES = load_phrases(__package__, "arguing.toml")
_RECITES = compile_pattern(_PHRASES["recites"], {})
"""Matches a court's introduction to the words of a provision. Those words can be cited without the case."""
_ORDERS = compile_pattern(_PHRASES["orders"], {})
"""Matches a court's disposition of a motion or a case, which supports no proposition."""
_SAME_CASE = 0.5
"""Factor for another decision in a case that the draft already cites, since it is usually the
decision below.
"""
_DISPOSED = frozenset({"affirmed", "reversed", "vacated"})


@dataclass(frozen=True, slots=True)
class Ties:
    """Numbers of citation links between an authority and the authorities that a draft cites: how many of them
    it ``cites``, how many it is ``cited_by``, and how many library documents cite it ``together`` with one
    of them.
    """

    cites: int
    cited_by: int
    together: int


@dataclass(frozen=True, slots=True)
class CallingSentence:
    """A sentence that calls for an authority: its ``words`` without its citations, and the passage found for
    the sentence.
    """

    words: str
    option: SupportOption


@dataclass(frozen=True, slots=True)
class MissingAuthority:
    """An authority that a draft's argument calls for. ``calls`` are the sentences (at least one) that call
    for it, each with its matching passage, best match first. ``same_case`` is a decision in the same case
    that the draft cites, or None.
    """

    authority: Authority
    calls: tuple[CallingSentence, ...]
    ties: Ties
    same_case: Authority | None

    @property
    def warning(self) -> str:
        """Return a description of negative treatment in the library, or ""."""
        return self.calls[0].option.warning


def describe_ties(missing: MissingAuthority) -> str:
    """Return a description of the links between an authority and those that the draft cites; "" if there are
    none.
    """
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
    """Return at most ``most`` authorities that the draft's argument calls for but never cites, the most
    needed first.

    ``chosen`` restricts which authorities may be returned. If the draft's own file is in the library, its
    citations do not count as links. Raises ``Cancelled``.
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
    """A sentence whose search found an authority: its span, its query, its search result, and its weight in
    the ranking.
    """

    sentence: Span
    query: str
    found: Ranked
    worth: float


def _read_calls(
    snapshot: Snapshot, calls: Sequence[_Call], names: frozenset[str], token: CancelToken
) -> list[CallingSentence]:
    """Return the sentences that call for an authority and match one of its passages, best match first. Each
    passage is used once, for the sentence that it matches best.
    """
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
    # Show each passage once, for the sentence that it fits best.
    once: dict[int, CallingSentence] = {}
    for _, each in fitting:
        once.setdefault(each.option.hit.passage.id, each)
    return list(once.values())[:_CALLS]


def _measure_fit(snapshot: Snapshot, query: str, option: SupportOption, names: frozenset[str]) -> float:
    """Return the share of a sentence's words, weighted by rarity, that occur in a passage's best sentence; 0
    if the passage does not fit. ``names`` and the names of the authority's own parties are ignored, since
    what happened to those parties is irrelevant here.
    """
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
    """A finder of links between authorities and the ``cited`` ones. ``speaking`` are the ids of the documents
    whose citations count (None: all documents).
    """

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
        """Return the numbers of an authority's links."""
        cites = len(self._graph.cited_by(document) & self._cited)
        citers = self._list_citers(document)
        return Ties(cites, len(citers & self._cited), len((citers & self._among) - self._cited))

    def weigh(self, document: int) -> float:
        """Return the weight of an authority's links: at least 1, halved if it is another decision in a cited
        case. The weight adds the logarithms of the numbers of direct links to the cited authorities, and
        the sum of its co-citation cosines with them divided by the square root of their number.
        """
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
        """Return the cited decision in the same case, or None: its parties are the same, or its court
        affirmed, reversed or vacated this decision.
        """
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
"""Called with the number of finished items and their total."""
_BACKGROUND = compile_pattern(_PHRASES["background"], {})
_TELLS, _ARGUES = (compile_pattern(_PHRASES[each], {}) for each in ("tells", "argues"))
DISPOSES = compile_pattern(_PHRASES["disposes"], {})
"""Matches words for a court's action, for its approach to a case, or for a sum of money."""
_STOPPED = re.compile(r"[.?!:;…][\s\d)\]\"'”’*_]*$")
"""Matches the closing punctuation of a sentence, which the lines of a title page lack."""
_CITES = re.compile(rf"\W*(?:{SIGNALS}|e\.g|cf)(?=\W)", re.IGNORECASE)
"""Matches the start of a citation sentence; its parentheticals are not the draft's argument."""
_PROSE = re.compile(r"(?<![\w.])[a-z]{3,}(?![\w.])")
_FEWEST_PROSE = 3
"""Minimum number of lower-case words in an argumentative sentence; names of books and Acts have fewer."""
_FEWEST_WORDS = 6
_FEWEST_ARGUED = 5
"""Minimum number of content words in a sentence; a shorter one is too vague to search for."""


def find_arguing(snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    """Yield the argumentative sentences in order, each with its text without the cases and writings it cites.

    Headings, sections that do not argue (the facts), block quotations, plain facts and citation sentences are
    skipped.
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
    """Return whether a sentence only reports what happened, without words of argument."""
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
