"""Look up cases that are missing from the library in the user's catalogue of cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lexls.assessing.check import as_cited
from lexls.assessing.decisions import find_stated_decision
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact
from lexls.assessing.names import compare_listed_name, find_name_span, find_named, write_name
from lexls.citations.case_names.compare import list_name_words
from lexls.citations.courts import name_american_court, write_court_and_year
from lexls.citations.grammar import Grammar, find_impossibility
from lexls.citations.model import Citation
from lexls.citations.report_places import ReportPlace, find_place
from lexls.citations.same_court import compare_courts, write_court
from lexls.index.case_catalogue import Beginning, CaseCatalogue, ListedCase
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.phrases import load_phrases

ListingOutcome = Literal["same", "other", "differs", "unclear", "within", "elsewhere", "unlisted"]
"""The result of looking up a citation in the catalogue. ``same``: a case with the draft's name, year and
court begins at the cited page. ``other``: a case with another name begins there. ``differs``: the named
case begins there, but its year or court differs. ``unclear``: the case that begins there may be the one
cited. ``within``: the cited page is inside the named case. ``elsewhere``: the case with this name and year
has another citation. ``unlisted``: none of these.
"""
_ORDER: tuple[ListingOutcome, ...] = (
    *("other", "differs", "same", "unclear", "within", "elsewhere", "unlisted"),
)
_PHRASES: Mapping[str, str] = load_phrases(__package__, "verdicts.toml")["listed"]
_MOST_COMPARED = 20
"""Maximum number of cases whose names are compared: the ones that share most words with the draft's name."""
_MOST_OFFERED = 3
"""Maximum number of citations suggested as a replacement."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The result of looking up a citation in the catalogue. ``said`` is a clause for messages. ``facts`` are
    the differences. ``meant`` are citations of the named case that can replace ``citation``.
    """

    outcome: ListingOutcome
    citation: Citation
    said: str
    facts: tuple[Fact, ...] = ()
    meant: tuple[str, ...] = ()


def find_listing(excerpt: Excerpt, mention: Sequence[Resolution]) -> Listing | None:
    """Look up a full citation of a case by each of its parallel citations and return the best result, or None
    if the catalogue does not cover any.
    """
    catalogue, grammar = excerpt.snapshot.cases, excerpt.snapshot.searcher.grammar
    if catalogue is None or grammar is None:
        return None
    found: list[Listing] = []
    for each in mention:
        citation = each.citation
        if citation.kind == "case" and citation.form == "full" and citation.key:
            place = find_place(citation.key, grammar, citation.jurisdiction)
            if place is not None:
                found += filter(None, [_Lookup(excerpt, mention, catalogue, citation, place).find()])
    return min(found, key=lambda each: _ORDER.index(each.outcome), default=None)


def contradicts(snapshot: Snapshot, citation: Citation, grammar: Grammar) -> bool:
    """Return whether the catalogue's cases in the cited volume show that the citation's year is possible,
    although the citation forms rule it out.
    """
    place = find_place(citation.key, grammar, citation.jurisdiction) if snapshot.cases is not None else None
    years = snapshot.cases.find_years(place) if snapshot.cases is not None and place is not None else None
    if years is None or citation.year is None:
        return False
    own = (replace(citation, year=year) for year in years)
    return years[0] <= citation.year <= years[1] or any(find_impossibility(each, grammar) for each in own)


@dataclass(frozen=True, slots=True)
class _Lookup:
    excerpt: Excerpt
    mention: Sequence[Resolution]
    catalogue: CaseCatalogue
    citation: Citation
    place: ReportPlace

    def find(self) -> Listing | None:
        """Return the catalogue's result for the citation; None if it lists neither the series nor a case of
        that name.
        """
        cases = self.catalogue.find_at(self.place)
        if not cases:
            found = self._find_elsewhere()
            return found if found.outcome != "unlisted" or self.catalogue.has_series(self.place) else None
        compared = [self._compare(each) for each in cases]
        best = min(compared, key=lambda each: ("same", "differs", "unclear", "other").index(each.outcome))
        elsewhere = self._find_elsewhere() if best.outcome == "other" else best
        if not elsewhere.meant:
            return best
        said = f"{best.said}; {elsewhere.said}"
        facts = tuple(replace(each, reason=said) for each in best.facts)
        return Listing("other", self.citation, said, facts, elsewhere.meant)

    def _compare(self, case: ListedCase) -> Listing:
        snapshot = self.excerpt.snapshot
        cited = as_cited(snapshot, self.citation)
        described = self._describe(case, self.place.citation)
        named = find_named(self.mention)
        facts = list(self._compare_decision(case))
        differing = [each for each in facts if each.status == "differs"]
        if named is None or not case.name:
            return Listing("unclear", self.citation, _PHRASES["there"].format(case=described))
        compared = compare_listed_name(self.excerpt, named, case.name, apart=bool(differing))
        if compared == "other":
            reason = _PHRASES["other"].format(cited=cited, case=described, written=write_name(named))
            span = find_name_span(snapshot.draft.masked, named) or named.core
            stated = write_name(named)
            fact = Fact("name", "differs", stated, case.name, span, reason, "listed")
            return Listing("other", self.citation, reason, (fact,))
        if compared == "same" and differing:
            return Listing("differs", self.citation, differing[0].reason, tuple(differing))
        if compared == "unclear" or any(each.status == "not-compared" for each in facts):
            return Listing("unclear", self.citation, _PHRASES["there"].format(case=described))
        return Listing("same", self.citation, _PHRASES["same"].format(case=described))

    def _compare_decision(self, case: ListedCase) -> Iterator[Fact]:
        """Yield a fact for the year and for the court that the draft states, if it differs from the listed
        case's. Years that are one apart are "not-compared": one may be the year of the report, of a term
        or of an amended opinion.
        """
        snapshot = self.excerpt.snapshot
        stated = find_stated_decision(snapshot, self.mention)
        if stated is None:
            return
        cited = f"{as_cited(snapshot, self.citation)}, {case.name},"
        said = stated.year.of(snapshot.draft.masked)
        if case.year is not None and said != str(case.year):
            held = str(case.year)
            reason = _PHRASES["differs"].format(cited=cited, held=f"of {held}", said=said)
            near = abs(int(said) - case.year) <= 1
            status: Literal["differs", "not-compared"] = "not-compared" if near else "differs"
            yield Fact("year", status, said, held, stated.year, reason, "listed")
        court = stated.court.of(snapshot.draft.masked)
        if court and case.court and compare_courts(court, name_american_court(case.court)) == "other":
            full = name_american_court(case.court)
            held = write_court(full) or full
            reason = _PHRASES["differs"].format(cited=cited, held=f"of the {held}", said=court)
            yield Fact("court", "differs", court, held, stated.court, reason, "listed")

    def _find_elsewhere(self) -> Listing:
        before, after = self.catalogue.find_around(self.place) if self.place.paged else (None, None)
        if before is not None and self._is_within(before, after):
            begins = self._at_page(before)
            described = self._describe(before.case, begins)
            said = _PHRASES["within"].format(case=described, begins=begins)
            return Listing("within", self.citation, said, meant=(begins,) if self._names(before.case) else ())
        meant = {each: case.name for case in self._list_named() for each in self._list_citations(case)}
        offered = tuple(meant)[:_MOST_OFFERED]
        if offered:
            said = _PHRASES["elsewhere"].format(name=meant[offered[0]], cited=" or ".join(offered))
            return Listing("elsewhere", self.citation, said, meant=offered)
        return Listing("unlisted", self.citation, self._describe_unlisted(before, after))

    def _is_within(self, before: Beginning, after: Beginning | None) -> bool:
        """Return whether the cited page belongs to the case that begins before it, judging by that case's
        last page or, if unknown, by its name.
        """
        if before.last_page:
            return self.place.page <= before.last_page
        return after is not None and self._names(before.case)

    def _names(self, case: ListedCase) -> bool:
        """Return whether the draft names this case and states no different year or court."""
        named = find_named(self.mention)
        if named is None or compare_listed_name(self.excerpt, named, case.name, apart=False) != "same":
            return False
        return not any(each.status == "differs" for each in self._compare_decision(case))

    def _list_named(self) -> Iterator[ListedCase]:
        """Yield the listed cases that have the draft's name, year and court."""
        named, year = find_named(self.mention), self.citation.year
        if named is not None and year is not None:
            words = set(list_name_words(named.name))
            found = self.catalogue.find_named(named.name, (year, year - 1, year + 1))
            found.sort(key=lambda case: -len(words.intersection(list_name_words(case.name))))
            yield from filter(self._names, found[:_MOST_COMPARED])

    def _list_citations(self, case: ListedCase) -> list[str]:
        """Return the case's citations in the series that the draft cites; if there are none, its first
        citation.
        """
        places = self.catalogue.list_places(case)
        own = [each.citation for each in places if each.series == self.place.series]
        return own or [each.citation for each in places[:1]]

    def _describe_unlisted(self, before: Beginning | None, after: Beginning | None) -> str:
        count = self.catalogue.count_places(self.place)
        volume = self.place.volume_label
        if not count:
            return _PHRASES["no-volume"].format(volume=volume)
        told = _PHRASES["one" if count == 1 else "several"].format(volume=volume, count=f"{count:,}")
        around = [
            _PHRASES[word].format(case=self._describe(each.case, ""), begins=self._at_page(each))
            for word, each in (("before", before), ("after", after))
            if each is not None
        ]
        return f"{told}: {'; '.join(around)}" if around else told

    def _at_page(self, beginning: Beginning) -> str:
        place = self.place
        return ReportPlace(place.series, place.volume, beginning.page, place.paged).citation

    def _describe(self, case: ListedCase, citation: str) -> str:
        """Return a description of a case in the style of a citation: "Carrow v. Luff (3d Cir. 2013)"."""
        name, court = case.name or _PHRASES["unnamed"], name_american_court(case.court)
        return f"{name}{write_court_and_year(citation, court, str(case.year or ''))}"
