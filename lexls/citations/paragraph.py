"""Find the mentions in one paragraph, from its text and the terms defined before it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter

from lexls.citations import cores, definitions, sections, shorts, statutes
from lexls.citations.definitions import Definition, Term, Terms
from lexls.citations.found_mentions import FoundMentions
from lexls.citations.model import KeyedCitations, Mention
from lexls.citations.registry import CoreMatch, Registry
from lexls.citations.said_names import take_said_names
from lexls.citations.scan import PARAGRAPH_BREAK, Budget, Scan, read_within
from lexls.text.double_spaced import ClosedText, close_gaps
from lexls.text.spans import Coverage, Span


class Finders:
    """Finds the mentions in drafts of one jurisdiction."""

    def __init__(
        self, registry: Registry, acts: statutes.ActNames, jurisdiction: str, also: Sequence[str] = ()
    ) -> None:
        self.jurisdiction = jurisdiction
        self.preferences = weigh_jurisdictions(jurisdiction, also)
        self.registry = registry
        self._acts = acts

    def mentions(
        self,
        scan: Scan,
        matches: Sequence[CoreMatch],
        terms: Sequence[Term],
        keyed: KeyedCitations | None,
        budget: Budget,
    ) -> tuple[list[Mention], list[Definition]]:
        """Return the mentions of a paragraph in order, and the definitions in it.

        ``matches`` are the paragraph's core citations, each with one reading. ``terms`` are the terms defined
        before the paragraph. ``keyed`` are citations by key, which the paragraph's text does not contain.
        Once the ``budget`` is spent, the search stops.
        """
        text = scan.text
        cited = cores.read_mentions(text, matches, budget)
        take_said_names(scan, cited)
        cited = _merge(cited, _Taken(cited).free(cores.find_books(scan)))
        if keyed is not None:
            own = list(keyed.mentions())
            cited = _merge(_Taken(own).free(cited), own)
        if budget.is_spent:
            return cited, []
        acts = statutes.find_acts(scan, self._acts, self.jurisdiction)
        acts = cores.take_titles(text, cited, _Taken(cited).free(acts))
        acts = _Taken(cited).add(acts)
        defined = definitions.find_definitions(
            text, _merge(cited, (act for act in acts if act.form == "full"))
        )
        defining = Coverage([entry.span for entry in defined])
        # "ERISA" alone means the Act only if it has been defined.
        words = {term.text for term in terms}.union(entry.term for entry in defined)
        acts = [
            act for act in acts if not defining.overlaps(act.core) and not (act.acronym and act.name in words)
        ]
        # A citation may have taken the pinpoint after its definition: "[2009] 2 SLR 332 (“Carrow”) at [117]".
        taken = _Taken([*cited, *acts])
        backward = _find_backward(scan, taken, acts, terms, defined)
        mentions = _join_sections(scan, taken, [*cited, *acts, *backward], defined)
        if not budget.step():
            return _merge(mentions), defined
        taken = _Taken(mentions)
        for finder in (shorts.find_named, shorts.find_versus, shorts.find_in_italics):
            mentions.extend(taken.add(finder(scan, taken.covers)))
        if PARAGRAPH_BREAK.search(text, 0, len(text.rstrip())):
            mentions = [mention for mention in mentions if _in_paragraph(text, mention)]
        return _merge(mentions), defined


def _merge(*mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions of several lists as one list, in the order of the text."""
    return sorted(chain(*mentions), key=attrgetter("start"))


def _find_backward(
    scan: Scan, taken: _Taken, acts: Iterable[Mention], terms: Sequence[Term], defined: Sequence[Definition]
) -> list[Mention]:
    """Return mentions that refer back (*id.*, *supra*, reports with a page, defined terms), and mark them as
    taken. ``acts`` are the mentions of Acts.

    If two overlap, the one found first is returned.
    """
    # "Carrow (n 3) 58": with a note, a defined name refers back.
    supras = list(shorts.find_supras(scan, {each.core.end: each for each in acts}))
    noted = taken.add(mention for mention in supras if mention.note and mention.name)
    # A defined name before a page of a report belongs to it: "Carrow, 111 F. Supp. 2d at 304".
    ids = taken.add(shorts.find_ids(scan, [start for start, _ in taken.parts]))
    paged = taken.add(shorts.find_by_report(scan, taken.covers))
    known = [*((0, term) for term in terms), *((entry.span.end, Term.of(entry)) for entry in defined)]
    places = ((entry.span.start, entry.span.end) for entry in defined)
    used = definitions.find_term_uses(scan, known, sorted([*taken.parts, *places]))
    return [*noted, *ids, *paged, *taken.add(used), *taken.add(supras)]


def _join_sections(
    scan: Scan, taken: _Taken, mentions: Sequence[Mention], defined: Sequence[Definition]
) -> list[Mention]:
    """Attach each list of sections to the mention next to it, and add a mention for each list of bare
    sections.

    An abbreviation that names an Act only with a section is dropped if it has none.
    """
    sectioned = [mention for mention in mentions if _has_sections(mention)]
    behind = {entry.span.end: entry.mention for entry in defined if _has_sections(entry.mention)}
    lists = sections.find_sections(scan)
    free = [entry for entry in lists if not taken.covers(entry.span.start, entry.span.end)]
    joined = sections.join_sections(scan.text, sectioned, free, behind)
    others = (mention for mention in mentions if not _has_sections(mention))
    return [each for each in (*joined, *others) if not each.acronym or each.pinpoint is not None]


def weigh_jurisdictions(jurisdiction: str, also: Sequence[str]) -> dict[str, float]:
    """Return the initial weights of jurisdictions, to choose between those that share a report. The citations
    of the text are counted in addition.

    The text's own jurisdiction outweighs any count. Those in ``also``, the likeliest first, only break ties.
    """
    wished = {place: 0.5 / (rank + 1) for rank, place in enumerate(dict.fromkeys(also)) if place}
    if jurisdiction:
        wished[jurisdiction] = float("inf")
    return wished


class ParagraphReader:
    """One paragraph's text with the mentions found in it.

    ``votes`` are the jurisdictions of its unambiguous citations. ``open`` is true if a citation may belong to
    several jurisdictions. ``words`` are its capitalised words. ``keyed`` are its citations by key, which its
    text does not contain.
    """

    __slots__ = (
        *(
            "_closed",
            "_cores",
            "_found",
            "_is_whole",
            "_last",
            "_scan",
            "_terms",
            "finders",
            "keyed",
            "open",
            "text",
            "votes",
        ),
        "words",
    )

    def __init__(self, text: str, finders: Finders, keyed: KeyedCitations | None = None) -> None:
        self.text = text
        self.keyed = keyed
        self.finders = finders
        self._closed = close_gaps(text)
        if self._closed is not None and keyed is not None:
            self.keyed = _move_keyed(keyed, self._closed)
        self._scan = Scan(text if self._closed is None else self._closed.text)
        place = finders.jurisdiction
        self._cores, self._is_whole = read_within(
            len(self._scan.text),
            lambda budget: cores.find_cores(self._scan, finders.registry, place, budget),
        )
        self.votes = tuple(readings[0].form.jurisdiction for readings in self._cores if len(readings) == 1)
        self.open = any(len(readings) > 1 for readings in self._cores)
        self.words = self._scan.words
        self._found: dict[tuple[tuple[int, ...], tuple[Term, ...]], FoundMentions] = {}
        self._terms: Terms | None = None
        self._last: FoundMentions | None = None

    def read(self, votes: Mapping[str, float], terms: Terms, *, again: bool = True) -> FoundMentions:
        """Return the mentions. ``votes`` are the weights of jurisdictions, from the unambiguous citations of
        the text.

        Unless the paragraph will be read ``again``, intermediate results are released to save memory.
        """
        if self._terms is terms and self._last is not None and not self.open:
            return self._last
        choice: tuple[int, ...] = ()
        if self.open:
            choice = tuple(
                max(range(len(readings)), key=lambda at: (votes.get(readings[at].form.jurisdiction, 0), -at))
                for readings in self._cores
            )
        relevant = terms.among(self.words)
        found = self._found.get((choice, relevant))
        if found is None:
            matches = [readings[choice[place] if choice else 0] for place, readings in enumerate(self._cores)]
            if not again:
                self._cores.clear()
            (mentions, defined), whole = read_within(
                len(self._scan.text),
                lambda budget: self.finders.mentions(self._scan, matches, relevant, self.keyed, budget),
            )
            matches.clear()
            place, whole = self.finders.jurisdiction, whole and self._is_whole
            found = FoundMentions(self._scan, mentions, defined, place, self._closed, is_whole=whole)
            if len(self._found) > 4:
                self._found.clear()
            self._found[choice, relevant] = found
        self._terms, self._last = terms, found
        return found


def _move_keyed(keyed: KeyedCitations, closed: ClosedText) -> KeyedCitations:
    """Return citations by key with spans of the text in which a double-spaced paragraph is read."""
    moved = []
    for mention in keyed.mentions():
        span = closed.in_closed(Span(mention.start, mention.end))
        mention.start, mention.end, mention.core = span.start, span.end, closed.in_closed(mention.core)
        if mention.pinpoint is not None:
            mention.pinpoint = replace(mention.pinpoint, span=closed.in_closed(mention.pinpoint.span))
        moved.append(mention)
    return KeyedCitations(tuple(moved))


def _has_sections(mention: Mention) -> bool:
    """Return whether a list of sections next to a mention can be its pinpoint."""
    return mention.kind not in ("case", "journal", "book")


def _in_paragraph(text: str, mention: Mention) -> bool:
    """Trim a mention to the paragraph of its core. Return False if its core extends over several paragraphs.

    False is also returned for a *supra* if only its core is left.
    """
    gap = PARAGRAPH_BREAK.search(text, mention.start, mention.end)
    if gap is None:
        return True
    core, pinpoint = mention.core, mention.pinpoint
    if PARAGRAPH_BREAK.search(text, core.start, core.end):
        return False
    if PARAGRAPH_BREAK.search(text, mention.start, core.start):
        mention.start, mention.name = core.start, ""
    if PARAGRAPH_BREAK.search(text, core.end, mention.end):
        mention.end = core.end
    if pinpoint is not None and not mention.start <= pinpoint.span.start <= pinpoint.span.end <= mention.end:
        mention.pinpoint = None
    return mention.form != "supra" or mention.end > core.end


class _Taken:
    """The ranges of a text already covered by mentions. They do not overlap."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self.parts = sorted((mention.start, mention.end) for mention in mentions)
        self._starts = [start for start, _ in self.parts]

    def covers(self, start: int, end: int) -> bool:
        """Return whether the covered ranges share a code point with ``[start, end)``."""
        index = bisect_left(self._starts, end)
        return index > 0 and self.parts[index - 1][1] > start

    def free(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Return the mentions whose cores are outside the covered ranges."""
        return [mention for mention in mentions if not self.covers(mention.core.start, mention.core.end)]

    def add(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Return the mentions that overlap neither a covered range nor an earlier mention, and mark their
        ranges as covered.
        """
        kept: list[Mention] = []
        end = -1
        for mention in sorted(mentions, key=attrgetter("start")):
            if mention.start >= end and not self.covers(mention.start, mention.end):
                kept.append(mention)
                end = mention.end
        if kept:
            self.parts = sorted([*self.parts, *((mention.start, mention.end) for mention in kept)])
            self._starts = [start for start, _ in self.parts]
        return kept
