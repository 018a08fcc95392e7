"""Find the authority of each short form, in one pass forward over a text's paragraphs."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from lexls.citations.case_names.compare import list_name_words
from lexls.citations.case_pages import CasePages
from lexls.citations.cited_acts import CitedActs
from lexls.citations.cited_papers import CitedPapers
from lexls.citations.footnotes import Footnotes
from lexls.citations.found_mentions import FoundMentions
from lexls.citations.model import CitationForm, CitationKind, Pinpoint
from lexls.citations.steps import Resolved, ResolverStep, Source, Tail

_SOON = 80  # code points
_NEAR_CASES = 8
WITHOUT_MENTION = frozenset({"define", "unread", "foot", "on", "head"})
# Places that are cited only of an authority that is named.
_OWNED = frozenset({"regulation", "rule", "schedule"})
_WITH_SECTIONS: frozenset[CitationKind] = frozenset({"statute", "regulation"})


@dataclass(frozen=True, slots=True)
class _CitedLast:
    """What was cited last where a page's text breaks off above its notes."""

    place: int
    kind: CitationKind | None
    named_act: int
    string: list[int]
    unread: bool
    recent: tuple[int, ...]


class Resolver:
    """One pass over the mentions of one text, a paragraph at a time.

    A *place* is that of a citation among all of the text. ``antecedents`` has for each citation the place of
    the full citation that it stands for, -1 if it is a full one or stands for nothing.
    """

    def __init__(self, notes: Footnotes, coming: Source | None = None) -> None:
        """``coming`` is the Act of which the text says somewhere that all bare sections are, if it does."""
        self._coming = coming
        self.antecedents: list[int] = []
        self._sources: list[Source | None] = []
        self._notes = notes
        self._note = -1  # the footnote that is being read
        self._names: dict[str, int] = {}
        self._openings: dict[str, int] = {}  # -1: the beginning of more than one case's name
        self._terms: dict[str, int] = {}
        self._titles: dict[str, int] = {}
        # Not through this object: in a circle it and all that it has read would outlive the reading.
        self._acts = CitedActs(partial(_source_at, self._sources))
        self._numbers = self._acts.numbers
        # What was cited last: the place it stands for (-1: nothing) and its kind.
        self._last = -1
        self._last_kind: CitationKind | None = None
        self._named_act = -1  # the Act that was only named since
        self._firsts: dict[int, int] = {}  # places of cases: what *id.* behind them stands for
        self._pages = CasePages()  # by the same places
        self._by_paragraph: set[int] = set()  # places of cases with numbered paragraphs
        self._string: list[int] = []  # the places that the last string of citations stands for
        self._unread = False
        self._papers = CitedPapers()
        self._recent: deque[int] = deque(maxlen=_NEAR_CASES)  # targets of the cases cited since
        self._beside: tuple[ResolverStep, int] | None = (
            None  # a citation behind *id.* and what both stand for
        )
        self._above: _CitedLast | None = None  # where the text broke off above notes
        self._below: _CitedLast | None = None  # where the last of the notes did
        self._unnamed: set[int] = set()  # places of sections of a constitution that is not named
        self._inner: dict[int, int] = {}  # by their pages: what the last citation cites in brackets
        # Of the paragraph being read: places of its mentions, kinds and targets of its citations, readings.
        self._places: list[int] = []
        self._here: list[tuple[CitationKind, int]] = []
        self._resolved: list[Resolved | None] = []
        self._waiting: list[int] = []  # mentions: bare sections before any Act
        # Citations that stand for what a later footnote cites: their place, its paragraph and mention there.
        self._promised: list[tuple[int, int, int]] = []
        self._noted: dict[int, list[int]] = {}  # paragraphs with footnotes: the places of their mentions

    def read(self, found: FoundMentions, number: int) -> list[Resolved | None]:
        """How the mentions of the paragraph ``number``, the next one with mentions, are to be read."""
        self._places = places = [-1] * len(found.mentions)
        resolved: list[Resolved | None] = [None] * len(found.mentions)
        self._resolved = resolved
        self._here.clear()
        self._waiting.clear()
        notes = self._notes
        with_notes = notes.reach(number)
        if with_notes:
            self._noted[number] = places
        self._note = -1
        for step in found.steps:
            kind = step.kind
            if with_notes and kind not in WITHOUT_MENTION:
                self._note = notes.at(number, step.mention.core.start)
            if kind == "case":
                self._case(step)
            elif kind == "work":
                self._work(step, found)
            elif kind == "define":
                place = places[step.place]
                if place >= 0:
                    target = self.antecedents[place]
                    self._terms[step.term] = place if target < 0 else target
            elif kind == "unread":
                self._unread = True
                self._papers.cite(step.papers, notes.at(number, step.at))
                self._here.clear()
                self._recent.clear()
            elif kind in ("foot", "on"):
                self._above = self._cited_last()
                if kind == "on" and self._below is not None:
                    self._go_on_from(self._below)
            elif kind == "head":
                if self._above is not None:
                    self._below = self._cited_last()
                    self._go_on_from(self._above)
                    self._above = None
            else:
                self._short(step, number)
                if places[step.place] < 0 and not step.inner:
                    self._string = []
                    if step.unread:
                        self._unread = True
                        self._papers.cite(step.papers, notes.at(number, step.at))
        return resolved

    def _cited_last(self) -> _CitedLast:
        return _CitedLast(
            self._last,
            self._last_kind,
            self._named_act,
            list(self._string),
            self._unread,
            tuple(self._recent),
        )

    def _go_on_from(self, before: _CitedLast) -> None:
        """Go on where the text, or a note, broke off at the foot of a page."""
        self._last, self._last_kind, self._named_act = before.place, before.kind, before.named_act
        self._string, self._unread = list(before.string), before.unread
        self._papers.forget()
        self._recent.clear()
        self._recent.extend(before.recent)

    def finish(self) -> None:
        """Give the short forms that point at later footnotes their antecedents."""
        for place, number, mention in self._promised:
            target = self._noted[number][mention]
            self.antecedents[place] = target if self.antecedents[target] < 0 else self.antecedents[target]

    def _case(self, step: ResolverStep) -> None:
        places = self._places
        place = len(self.antecedents)
        first = places[step.head] if step.head != step.place else place
        target = place if step.first == step.place else places[step.first]
        if self._beside is not None and self._beside[0] is step:
            target = self._beside[1]
        if target != place:
            self._firsts[place] = target
        if step.mention.style == "page" and "¶" not in step.mention.key:
            self._pages.begin(target, step.page)
        elif step.mention.style == "paragraph":
            self._by_paragraph.add(target)
        self._emit(step, step.plain, -1, "case", target)
        self._pages.report(step.report, step.page, place)
        if step.written != step.report:
            self._pages.report(step.written, step.page, place)
        for name in step.names:
            self._names[name] = first
        for opening in step.openings:
            other = self._openings.setdefault(opening, first)
            if other not in (first, -1) and self._source(other).key != self._source(first).key:
                self._openings[opening] = -1

    def _work(self, step: ResolverStep, found: FoundMentions) -> None:
        mention, source = step.mention, step.source
        assert source is not None
        known = self._terms.get(step.term, -1) if step.term else -1
        form: CitationForm = "defined"
        if (
            known < 0
            and source.key.startswith(mention.name)
            and (mention.name[:2].isupper() or mention.name[1:2] == ".")
        ):
            written = mention.name if mention.year is None else f"{mention.name} {mention.year}"
            known, form = self._acts.find_by_initials(written), "short"
        if known < 0 and step.title and mention.year is None:
            known, form = self._titles.get(step.title, -1), "short"
            if known >= 0 and self._source(known).year is None:
                known = -1
        if known >= 0:
            if step.declares:
                self._acts.declared = known
            self._emit(step, step.reading(self._source(known), form), known, mention.kind, known)
            self._acts.cite(known, mention.pinpoint)
            return
        place = len(self.antecedents)
        if step.page >= 0:
            self._pages.begin(place, step.page)
        self._emit(step, step.plain, -1, source.kind, place)
        if step.title:
            self._titles[step.title] = place
        self._acts.add(step, place)
        if self._waiting:
            self._give_waiting(place, source, found, mention.start, mention.pinpoint)

    def _short(self, step: ResolverStep, number: int) -> None:
        kind = step.kind
        if kind == "id":
            self._id(step)
        elif kind == "section":
            self._section(step)
        elif kind == "report":
            self._stand(step, self._pages.find(step.report, step.page), "short")
        elif kind == "named":
            self._named(step, number)
        else:
            self._noun(step)

    def _stand(
        self,
        step: ResolverStep,
        place: int,
        form: CitationForm,
        source: Source | None = None,
        tail: Tail | None = None,
        ambiguous: bool = False,
        unread: bool = False,
    ) -> None:
        """A short form that stands for the citation at ``place``, or if that is -1, for ``source``."""
        if place >= 0:
            source = self._source(place)
        kind = step.mention.kind
        if source is not None and (step.mention.form != "section" or kind == "statute"):
            kind = source.kind
        target = self._firsts.get(place, place)
        antecedent = -1 if place in self._unnamed else place
        self._emit(step, step.reading(source, form, tail, ambiguous, unread), antecedent, kind, target)
        if place >= 0 and self._source(place).kind != "case":
            self._acts.cite(place, step.mention.pinpoint if step.kind != "section" else None)

    def _id(self, step: ResolverStep) -> None:
        """*Id.* is the authority cited last, unless a case that was not read stands between.

        The first in a footnote is what the footnote before it cites, if that cites anything.
        """
        place, cited = self._last, self._string
        beside = step.beside
        if beside is not None:
            known = (
                self._pages.find(beside.report, beside.page)
                if beside.kind == "report"
                else self._pages.find_first(beside.report, beside.page)
            )
            if known >= 0 or beside.kind == "report":
                known = self._firsts.get(known, known)
                self._beside = beside, known
                self._stand(step, known, "id", unread=known < 0)
                return
        if self._note >= 0 and not self._notes.cited[self._note]:
            before = self._notes.strings[self._note - 1] if self._note else []
            if before and before[-1] >= 0 and not self._unread:
                self._stand(step, before[-1], "id", ambiguous=self._several(before, step))
                return
        page = step.pinned
        pinpoint = step.mention.pinpoint
        if step.called and (step.only_called or self._by_called(step) >= 0):
            place = self._by_called(step)
            self._stand(step, place, "id", unread=place < 0)
            return
        first = self._note >= 0 and not self._notes.cited[self._note]
        papers = self._papers.find(step, self._note, first=first)
        if papers and self._by_page(step, page) < 0:
            self._emit(step, step.reading(None, "id", unread=True, papers=papers), -1, step.mention.kind, -1)
            self._unread = True
            self._papers.cite(papers, self._note)
            return
        had = self._numbers.find(pinpoint) if pinpoint is not None else None
        if step.of_record:
            place = -1
        elif had is not None and place >= 0 and had != place and self._source(place).kind in _WITH_SECTIONS:
            place = had
        elif self._last_kind is None or (self._named_act >= 0 and self._is_of_named_act(step)):
            place = self._named_act
        elif self._unread or place < 0:
            place = self._by_page(step, page)
        elif (had is None and self._is_section_of_case(step, place)) or (
            step.signed and place in self._pages and place not in self._by_paragraph
        ):
            place = -1
        elif step.paged and not self._source(place).paged:
            # A page of what has none: the case in whose citation the Act stood, if that is near.
            near = reversed(self._here[-_NEAR_CASES:])
            place = next((target for kind, target in near if kind == "case" and target >= 0), -1)
            place = place if place >= 0 and self._pages.can_have(place, page) else self._by_page(step, page)
            place = place if place >= 0 else self._pages.find_only(self._recent, page)
        elif self._inner and self._quoted_by_name(step, page) >= 0:
            place = self._quoted_by_name(step, page)
        elif not self._pages.can_have(place, page):
            named = self._by_page(step, page)
            named = named if named >= 0 else self._inner.get(page, -1)
            named = named if named >= 0 else self._pages.find_only(self._recent, page)
            place = named if named >= 0 or not self._here else place
        elif step.cites and any(self._stands_for(place, each) for each in step.cites):
            place = -1
        unread = place < 0 and (self._last_kind is not None or self._unread or step.of_record)
        ambiguous = place >= 0 and place == self._last and not step.joined and self._several(cited, step)
        self._stand(step, place, "id", ambiguous=ambiguous, unread=unread)

    def _is_section_of_case(self, step: ResolverStep, place: int) -> bool:
        """Whether *id.* would be a section of a case that is cited by pages."""
        pinpoint = step.mention.pinpoint
        return (
            pinpoint is not None
            and pinpoint.kind == "section"
            and self._last_kind == "case"
            and place in self._pages
        )

    def _is_of_named_act(self, step: ResolverStep) -> bool:
        """Whether *id.* has a place in an Act, where what was cited last has pages and an Act was named.

        Or it stands behind what is quoted of the Act, and a case was cited last.
        """
        pinpoint = step.mention.pinpoint
        if step.of_section and self._last_kind == "case" and not self._unread:
            return self._named_act >= 0
        if pinpoint is None or pinpoint.kind in ("page", "paragraph", "note"):
            return False
        return self._last < 0 or self._source(self._last).paged

    def _by_page(self, step: ResolverStep, page: int) -> int:
        """The case that the text names since the last citation, if the page of *id.* can be one of it."""
        said = step.said_cases if self._unread else step.said_names
        for term, key in said if page >= 0 else ():
            place = self._terms.get(term, -1)
            for known in (self._names, self._openings):
                place = place if place >= 0 else known.get(key, -1)
            place = self._firsts.get(place, place)
            if place in self._pages and self._pages.can_have(place, page):
                return place
        return -1

    def _quoted_by_name(self, step: ResolverStep, page: int) -> int:
        """What the last citation quotes in brackets at the very page of *id.*, if the text names it since."""
        place = self._inner.get(page, -1) if page >= 0 else -1
        return place if place >= 0 and self._by_page(step, page) == place else -1

    def _by_called(self, step: ResolverStep) -> int:
        """The case that the words right before *id.* name."""
        for term, key in step.called:
            for known, name in ((self._terms, term), (self._names, key), (self._openings, key)):
                place = known.get(name, -1)
                if place >= 0:
                    return self._firsts.get(place, place)
        return -1

    def _stands_for(self, place: int, cited: ResolverStep) -> bool:
        """Whether what *id.* cites in brackets is the authority that it would stand for."""
        if cited.kind == "case":
            return cited.source is not None and cited.source.key == self._source(place).key
        named = self._pages.find(cited.report, cited.page) if cited.kind == "report" else -1
        return named >= 0 and self._firsts.get(named, named) == place

    def _several(self, cited: Sequence[int], step: ResolverStep) -> bool:
        """Whether *id.* with its pinpoint can be more than one of the authorities cited before it."""
        if len(cited) < 2:
            return False
        pinpoint = step.mention.pinpoint
        sources = [self._source(place) for place in cited if place >= 0]
        keys = {
            source.key
            for source in sources
            if pinpoint is None or source.paged == (pinpoint.kind in ("page", "paragraph"))
        }
        return len(keys) > 1

    def _section(self, step: ResolverStep) -> None:
        """A bare section is of the Act that last had it, or of one named before that can have it."""
        mention, pinpoint = step.mention, step.mention.pinpoint
        assert pinpoint is not None
        place = None if self._is_of_act_just_named(pinpoint) else self._numbers.find_any(pinpoint)
        if mention.loose:  # of a contract
            self._numbers.cite(pinpoint, -1, None)
            return
        owned = self._acts.find_by_owner(mention.owner, pinpoint) if mention.owner else -1
        if mention.owner and (owned >= 0 or mention.owner != "Federal"):
            # A word before it may be none of a title ("the Proper § 16(b) Approach").
            last, place = place, owned
            if mention.owner.endswith(", ") and last is not None:
                place = last
            certain = pinpoint.kind == "section" and any(map(str.isdigit, mention.owner))
            if place < 0 and step.old:
                self._waiting.append(step.place)
            if place >= 0 or last is None or certain:
                self._numbers.cite(pinpoint, place, self._source(place) if place >= 0 else None)
        elif place is None:
            if self._coming is not None and self._acts.declared < 0 and pinpoint.kind == "section":
                self._stand(step, -1, "section", self._coming)
                return
            place = self._acts.suppose(step, pinpoint, self._cited_beside(step))
            known = step.source.key if step.source is not None else ""
            if place < 0 or (known and self._source(place).key != known):
                self._bare_section(step, unread=self._acts.last >= 0)
                return
            self._numbers.cite(pinpoint, place, self._source(place), supposed=True)
        if place < 0 and step.source is not None:
            self._constitution(step, step.source)
        elif place >= 0:
            self._stand(step, place, "section")
        elif pinpoint.kind not in _OWNED:
            self._stand(step, -1, "section", unread=True)

    def _cited_beside(self, step: ResolverStep) -> int:
        """The Act that the mention right before another of its paragraph stands for, -1 if it is none."""
        place = self._places[step.place - 1] if step.place else -1
        place = self.antecedents[place] if place >= 0 and self.antecedents[place] >= 0 else place
        source = self._sources[place] if place >= 0 else None
        return place if source is not None and source.kind in _WITH_SECTIONS else -1

    def _constitution(self, step: ResolverStep, source: Source) -> None:
        """A section of an article or amendment; the number alone is of the same behind it."""
        place = len(self.antecedents)
        self._stand(step, -1, "section", source)
        self._unnamed.add(place)
        assert step.mention.pinpoint is not None
        self._numbers.cite(step.mention.pinpoint, place, source)

    def _is_of_act_just_named(self, pinpoint: Pinpoint) -> bool:
        """Whether a section is cited by its parts for the first time, behind an Act with such numbers."""
        place = self._acts.last
        return (
            place >= 0
            and self._numbers.is_divided_anew(pinpoint)
            and any(target == place for _, target in self._here)
            and self.antecedents[place] < 0
            and self._numbers.is_near(pinpoint, self._source(place))
        )

    def _bare_section(self, step: ResolverStep, unread: bool = False) -> None:
        pinpoint = step.mention.pinpoint
        assert pinpoint is not None
        if step.source is not None or pinpoint.kind not in _OWNED:
            self._stand(step, -1, "section", step.source, unread=unread and step.source is None)
            if step.source is None:
                self._waiting.append(step.place)

    def _named(self, step: ResolverStep, number: int) -> None:
        """The case with the longest name that the words before a short form's pinpoint end with."""
        mention = step.mention
        place, tail = self._by_name(step)
        if mention.note and self._notes:
            promised = self._by_note(step, place, number)
            if isinstance(promised, ResolverStep):
                self._stand(step, -1, "supra", promised.source)
                return
            if promised != place:
                place, tail = promised, None
        if place >= 0:
            self._stand(step, place, mention.form, tail=tail)
        elif mention.form == "supra" and (not mention.loose or (mention.reference and self._note >= 0)):
            self._stand(step, -1, "supra", unread=self._notes.seen(step, number))

    def _by_name(self, step: ResolverStep) -> tuple[int, Tail | None]:
        open_end, pinpoint = step.mention.open_end, step.mention.pinpoint is not None
        for tail in step.tails:
            place = self._terms.get(tail.term, -1) if not open_end else -1
            if place < 0:
                place = self._names.get(tail.key, -1)
            if place < 0 and pinpoint and not open_end:
                place = self._openings.get(tail.key, -1)
            if place >= 0:
                return place, tail
        return -1, None

    def _by_note(self, step: ResolverStep, named: int, number: int) -> int | ResolverStep:
        """What a short form that points at a footnote stands for: the authority there that it names.

        A step, if the footnote comes later in the text. ``named`` is what its name alone stands for.
        """
        mention = step.mention
        note = self._notes.number(mention.note)
        if note < 0:
            return named
        cited = list(dict.fromkeys(place for place in self._notes.cited[note] if place >= 0))
        if named >= 0 and (not cited or named in cited):
            return named
        if cited:
            fitting = [place for place in cited if _fits(mention.reference, self._source(place))]
            return fitting[0] if len(fitting) == 1 else named
        coming = self._notes.later(note, number)
        later = {each[1].source: each for each in coming if _fits(mention.reference, each[1].source)}
        if len(later) != 1:
            return named
        ((paragraph, target),) = later.values()
        self._promised.append((len(self.antecedents), paragraph, target.place))
        return target

    def _noun(self, step: ResolverStep) -> None:
        """What "the (said) Act" or a defined term means."""
        mention = step.mention
        place = self._terms.get(step.term, -1)
        form: CitationForm = mention.form
        if step.own and place < 0 and self._acts.is_quoted():
            return
        if form == "defined":
            if place < 0:
                # "the Act" undefined: only where one Act has been cited, or with a section before it.
                if not self._acts.is_only(step.noun) and mention.pinpoint is None:
                    return
                form = "section" if mention.pinpoint is not None else "short"
        elif place >= 0 and not step.said:
            form = "defined"
        else:
            place = -1
        if place < 0 and mention.pinpoint is not None and mention.year is None and not step.said:
            last = self._numbers.find(mention.pinpoint)
            if last is not None and last >= 0 and self._source(last).name.endswith(step.noun):
                place = last
        if place < 0:
            place = self._acts.find_by_noun(step.noun, mention.year)
        if place >= 0:
            self._stand(step, place, form)
        elif form == "section":
            self._bare_section(step)

    def _give_waiting(
        self, place: int, act: Source, found: FoundMentions, start: int, pinpoint: Pinpoint | None
    ) -> None:
        """Bare sections right before the first Act of their sentence belong to it."""
        for number in self._waiting:
            end = found.mentions[number].end
            if start - end >= _SOON:
                continue
            own = found.mentions[number].pinpoint
            of_code = act.key[:1].isdigit() and not _is_same_place(own, pinpoint)
            parted = set(";\n" if found.mentions[number].owner else ".;\n") & set(found.text[end:start])
            if not of_code and not parted:
                self._resolved[number] = Resolved(act, "section")
                self.antecedents[self._places[number]] = place
                self._sources[self._places[number]] = act
                if own is not None:
                    self._numbers.cite(own, place, act)
        self._waiting.clear()

    def _source(self, place: int) -> Source:
        return _source_at(self._sources, place)

    def _emit(
        self, step: ResolverStep, resolved: Resolved | None, antecedent: int, kind: CitationKind, target: int
    ) -> None:
        """Add a citation; ``target`` is the place that *id.* behind it stands for."""
        assert resolved is not None
        self._places[step.place] = len(self.antecedents)
        self._resolved[step.place] = resolved
        self.antecedents.append(antecedent)
        self._sources.append(resolved.source)
        if self._note >= 0:
            self._notes.cited[self._note].append(target)
        if step.passed:
            if not step.inner:
                self._named_act = target
            elif target >= 0:
                self._inner[step.pinned] = target
            return
        if self._note >= 0:
            self._notes.strings[self._note].append(target)
        self._here.append((kind, target))
        if self._inner:
            self._inner.clear()
        if kind == "case" and target >= 0:
            self._recent.append(target)
        if step.joined:
            self._string.append(target)
        else:
            self._string = [target]
        self._last, self._last_kind, self._named_act = target, kind, -1
        self._unread = False
        self._papers.forget()


def _source_at(sources: Sequence[Source | None], place: int) -> Source:
    source = sources[place]
    assert source is not None
    return source


def _is_same_place(one: Pinpoint | None, other: Pinpoint | None) -> bool:
    """Whether a section is one that a code has: an Act's own number is none ("Section 6, 25 P.S. § 3031")."""
    return (
        one is None or other is None or one.labels[0].partition("(")[0] == other.labels[0].partition("(")[0]
    )


def _fits(reference: str, source: Source | None) -> bool:
    """Whether a short form's name (any, if it has none) can be that of an authority."""
    if source is None:
        return False
    if not reference or not source.name:
        return True
    return not set(list_name_words(reference)).isdisjoint(list_name_words(source.name))
