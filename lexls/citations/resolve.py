"""Find the authority of each short form in one pass over a text's paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lexls.citations.case_names.compare import list_name_words
from lexls.citations.footnotes import Footnotes
from lexls.citations.found_mentions import FoundMentions
from lexls.citations.ids import WITH_SECTIONS, find_meant
from lexls.citations.known import CitedLast, Known, OpenParagraph
from lexls.citations.model import CitationForm, CitationKind, Pinpoint, fold
from lexls.citations.steps import (
    CaseStep,
    FullStep,
    IdStep,
    MentionStep,
    NamedStep,
    NounStep,
    PageTurn,
    ReportStep,
    Resolved,
    SectionStep,
    Source,
    Tail,
    TermDefined,
    TextInserted,
    UnreadCited,
    WorkStep,
)

_SOON = 80  # code points
# Provisions that are cited only with a named authority.
_OWNED = frozenset({"regulation", "rule", "schedule"})


def resolve(
    found: Sequence[FoundMentions], notes: Footnotes
) -> tuple[tuple[tuple[Resolved | None, ...], ...], tuple[int, ...]]:
    """Return the reading of each mention by paragraph, and the antecedent of each citation.

    An antecedent is the index, among all citations, of the full citation to which a short form refers. It is
    -1 for a full citation, or if there is none.
    """
    declared = {source.key: source for each in found for source in each.declared}
    resolver = _Resolver(notes, declared.popitem()[1] if len(declared) == 1 else None)
    begun: dict[int, int] = {}
    for number, last in zip(notes.order, notes.step_ends, strict=True):
        first = begun.get(number, 0)
        if first < last:
            resolver.read(found[number], number, first, last)
            begun[number] = last
    return resolver.finish(found)


class _Resolver:
    """One pass over the steps of one text, in reading order.

    A *place* is the position of a citation among all those of the text, in reading order.
    """

    def __init__(self, notes: Footnotes, coming: Source | None) -> None:
        """``coming`` is the Act to which a sentence somewhere in the text assigns all bare sections,
        or None.
        """
        self._coming = coming
        self._known = Known(notes)
        self._above: CitedLast | None = None  # state where the text stopped above notes
        self._below: CitedLast | None = None  # state where the last of the notes stopped
        self._unnamed: set[int] = set()  # positions of sections of an unnamed constitution
        # Short forms for an authority in a later footnote: their position, its paragraph and mention there.
        self._promised: list[tuple[int, int, int]] = []
        self._opened: dict[int, OpenParagraph] = {}
        self._note = -1  # the footnote that is being read
        self._in_text: CitedLast | None = None  # state in the main text above it

    def read(self, found: FoundMentions, number: int, first: int, last: int) -> None:
        """Read the steps of paragraph ``number`` from index ``first`` up to ``last``."""
        here, notes = self._opened.get(number), self._known.notes
        if here is None:
            here = self._opened[number] = OpenParagraph(found, number)
        with_notes = notes.reach(number)
        for step in found.steps[first:last]:
            if with_notes and isinstance(step, MentionStep | UnreadCited):
                here.note = notes.at(
                    number, step.at if isinstance(step, UnreadCited) else step.mention.core.start
                )
            if here.note != self._note:
                self._enter(here.note)
            _READ[type(step)](self, here, step)
            if isinstance(step, MentionStep) and here.places[step.around.place] < 0 and not step.around.inner:
                self._pass_over(here, step)

    def finish(
        self, found: Sequence[FoundMentions]
    ) -> tuple[tuple[tuple[Resolved | None, ...], ...], tuple[int, ...]]:
        """Return the readings of each paragraph's mentions, and the antecedents in the order of the text.

        Short forms that refer to later footnotes get their antecedents here.
        """
        places, opened = self._known.places, self._opened
        for place, number, mention in self._promised:
            places.antecedents[place] = places.full(opened[number].places[mention])
        read = [opened.get(number) for number in range(len(found))]
        order = [place for here in read if here is not None for place in here.places if place >= 0]
        written = {place: number for number, place in enumerate(order)}
        antecedents = (places.antecedents[place] for place in order)
        resolved = tuple(tuple(here.readings) if here is not None else () for here in read)
        return resolved, tuple(written.get(place, -1) for place in antecedents)

    def _enter(self, note: int) -> None:
        """Continue in another footnote or, if ``note`` is -1, in the main text. In the main text, the
        authority cited last before the footnote counts as the last again.
        """
        known = self._known
        if self._note < 0:
            self._in_text = known.last
        elif note < 0 and self._in_text is not None:
            cited = self._in_text
            if cited.kind is not None or cited.unread or cited.named_act >= 0:
                known.last = cited
        self._note = note

    # -- what happens between mentions ---------------------------------------------------------------------

    def _define(self, here: OpenParagraph, step: TermDefined) -> None:
        place = here.places[step.place]
        if place >= 0:
            self._known.names.define(step.term, self._known.places.full(place))

    def _pass_unread(self, here: OpenParagraph, step: UnreadCited) -> None:
        known = self._known
        last = known.last.cite_unread(step.papers, known.notes.at(here.number, step.at))
        known.last = last._replace(recent=())
        here.here.clear()

    def _insert(self, here: OpenParagraph, step: TextInserted) -> None:
        """Continue after another file was inserted. That file was not read and may have cited anything."""
        self._known.part()
        here.here.clear()
        if self._in_text is not None:
            self._in_text = self._known.last

    def _turn_page(self, here: OpenParagraph, step: PageTurn) -> None:
        """Continue after a page break that interrupts the text or a footnote."""
        known, before = self._known, self._below if step.kind == "on" else None
        if step.kind != "head":
            self._above = known.last
        elif self._above is not None:
            before, self._below, self._above = self._above, known.last, None
        if before is not None:
            known.last = before._replace(papers=(), inner=known.last.inner)

    def _pass_over(self, here: OpenParagraph, step: MentionStep) -> None:
        """Process a mention that is not a citation: end the string of citations, and record any unrecognised
        source that the mention's words cite.
        """
        known, unread = self._known, step.around.unread
        if known.last.string and not step.mention.is_name_alone:
            known.last = known.last._replace(string=())
        if unread is not None:
            known.last = known.last.cite_unread(unread.papers, known.notes.at(here.number, unread.at))

    # -- full citations ------------------------------------------------------------------------------------

    def _case(self, here: OpenParagraph, step: CaseStep) -> None:
        known, around = self._known, step.around
        place = len(known.places.antecedents)
        head = here.places[around.head] if around.head != around.place else place
        target = place if around.first == around.place else here.places[around.first]
        if here.shared[0] == around.place:
            target = here.shared[1]
        if target != place:
            known.places.begin_history(place, target)
        if step.mention.style == "page" and "¶" not in step.mention.key:
            known.pages.begin(target, step.page)
        pinpoint = step.mention.pinpoint
        if step.mention.style == "paragraph" or (pinpoint is not None and pinpoint.kind == "paragraph"):
            known.pages.number_paragraphs(target)
        self._emit(here, step, step.plain, -1, "case", target)
        known.pages.report(step.report, step.page, place)
        if step.written != step.report:
            known.pages.report(step.written, step.page, place)
        known.names.name(step.names, step.openings, head, known.places.are_same)

    def _work(self, here: OpenParagraph, step: WorkStep) -> None:
        known, mention, source = self._known, step.mention, step.source
        place, form = self._find_named_before(step)
        if place >= 0:
            known.acts.declare(step, place)
            self._emit(here, step, Resolved(known.places.source(place), form), place, mention.kind, place)
            known.acts.cite(place, mention.pinpoint)
            return
        place = len(known.places.antecedents)
        if step.page >= 0:
            known.pages.begin(place, step.page)
        self._emit(here, step, step.plain, -1, source.kind, place)
        known.names.entitle(step.title, place)
        known.acts.add(step, place)
        if here.waiting:
            self._give_waiting(here, place, step)

    def _find_named_before(self, step: WorkStep) -> tuple[int, CitationForm]:
        """Return the citation to which a short title refers (-1 if the title is a full citation), and the
        form of the title.

        A short title is a defined term, initials with a year, or the title of an Act that was cited with its
        year.
        """
        known, mention = self._known, step.mention
        place = known.names.find_term(step.term) if step.term else -1
        if place >= 0:
            return place, "defined"
        initials = mention.name[:2].isupper() or mention.name[1:2] == "."
        if initials and step.source.key.startswith(mention.name):
            written = mention.name if mention.year is None else f"{mention.name} {mention.year}"
            place = known.acts.find_by_initials(written)
        if place < 0 and mention.year is None:
            place = known.names.find_title(step.title)
            if place >= 0 and known.places.source(place).year is None:
                place = -1
        return place, "short"

    # -- short forms ---------------------------------------------------------------------------------------

    def _id(self, here: OpenParagraph, step: IdStep) -> None:
        known, meant = self._known, find_meant(self._known, here, step)
        if meant.papers:
            how = Resolved(None, "id", unread=True, papers=meant.papers)
            self._emit(here, step, how, -1, step.mention.kind, -1)
            known.last = known.last.cite_unread(meant.papers, here.note)
            return
        if meant.shared:
            here.shared = step.around.place + 1, meant.place
        self._stand(here, step, meant.place, "id", ambiguous=meant.ambiguous, unread=meant.unread)

    def _report(self, here: OpenParagraph, step: ReportStep) -> None:
        """Resolve a short form by report. If a name precedes the volume, the name decides: "*Carrow*, 531
        U.S. at 140" is *Carrow*, even if page 140 is in another case.
        """
        pages, places = self._known.pages, self._known.places
        place, called, tail = pages.find(step.report, step.pinned), *self._by_name(step)
        if called >= 0:
            first = places.first(called)
            own = (each for each in pages.list_places(step.report) if places.first(each) == first)
            called = next(own, -1)
        doubtful = step.mention.doubtful is not None and called >= 0
        self._stand(here, step, called if called >= 0 else place, "short", tail=tail if doubtful else None)

    def _section(self, here: OpenParagraph, step: SectionStep) -> None:
        """Resolve a bare section to the Act that last had the section, or to an earlier Act that can
        have it.
        """
        known, mention, pinpoint = self._known, step.mention, step.mention.pinpoint
        assert pinpoint is not None
        numbers = known.acts.numbers
        if mention.loose:  # of a contract
            numbers.cite(pinpoint, -1, None)
            return
        just_named = self._is_of_act_just_named(here, pinpoint)
        place: int | None = None if just_named else numbers.find_any(pinpoint)
        owned = known.acts.find_by_owner(mention.owner, pinpoint) if mention.owner else -1
        if mention.owner and (owned >= 0 or mention.owner != "Federal"):
            place = self._of_owner(here, step, pinpoint, place, owned)
        elif place is None:
            place = self._suppose(here, step, pinpoint)
        if place is None:
            return
        if place < 0 and step.source is not None:
            self._constitution(here, step, step.source, pinpoint)
        elif place >= 0:
            self._stand(here, step, place, "section")
        elif pinpoint.kind not in _OWNED:
            self._stand(here, step, -1, "section", unread=True)

    def _of_owner(
        self, here: OpenParagraph, step: SectionStep, pinpoint: Pinpoint, last: int | None, owned: int
    ) -> int:
        """Return the Act of a section with words next to it that may name its owner: ``owned``, or in some
        cases ``last``, the Act that last had the section.

        A word before a section need not be part of a title at all ("the Proper § 16(b) Approach"). Returns -1
        if there is no Act.
        """
        owner = step.mention.owner
        place = last if owner.endswith(", ") and last is not None else owned
        if place < 0 and step.old:
            here.waiting.append(step.around.place)
        certain = pinpoint.kind == "section" and any(map(str.isdigit, owner))
        if place >= 0 or last is None or certain:
            source = self._known.places.source(place) if place >= 0 else None
            self._known.acts.numbers.cite(pinpoint, place, source)
        return place

    def _suppose(self, here: OpenParagraph, step: SectionStep, pinpoint: Pinpoint) -> int | None:
        """Return the Act to which a section may belong that was not cited before. Return None if there is
        none; the section has then been recorded without one.
        """
        known = self._known
        if self._coming is not None and known.acts.declared < 0 and pinpoint.kind == "section":
            self._stand(here, step, -1, "section", self._coming)
            return None
        place = known.acts.suppose(step, pinpoint, self._cited_beside(here, step))
        key = step.source.key if step.source is not None else ""
        if place < 0 or (key and known.places.source(place).key != key):
            self._bare_section(here, step, unread=known.acts.last >= 0)
            return None
        known.acts.numbers.cite(pinpoint, place, known.places.source(place), supposed=True)
        return place

    def _cited_beside(self, here: OpenParagraph, step: SectionStep) -> int:
        """Return the Act cited by the previous mention in the paragraph, or -1."""
        places, before = self._known.places, step.around.place - 1
        place = places.full(here.places[before]) if before >= 0 else -1
        source = places.find(place)
        return place if source is not None and source.kind in WITH_SECTIONS else -1

    def _constitution(
        self, here: OpenParagraph, step: SectionStep, source: Source, pinpoint: Pinpoint
    ) -> None:
        """Record a section of a constitution's article or amendment. Later, the section's number alone refers
        to it.
        """
        place = len(self._known.places.antecedents)
        self._stand(here, step, -1, "section", source)
        self._unnamed.add(place)
        self._known.acts.numbers.cite(pinpoint, place, source)

    def _is_of_act_just_named(self, here: OpenParagraph, pinpoint: Pinpoint) -> bool:
        """Return whether a section belongs to the Act just named: it is cited with subsections for the first
        time, and the Act has similar numbers.
        """
        known, place = self._known, self._known.acts.last
        return (
            place >= 0
            and known.acts.numbers.is_divided_anew(pinpoint)
            and any(target == place for _, target in here.here)
            and known.places.antecedents[place] < 0
            and known.acts.numbers.is_near(pinpoint, known.places.source(place))
        )

    def _bare_section(self, here: OpenParagraph, step: SectionStep | NounStep, unread: bool = False) -> None:
        pinpoint = step.mention.pinpoint
        assert pinpoint is not None
        if step.source is not None or pinpoint.kind not in _OWNED:
            self._stand(here, step, -1, "section", step.source, unread=unread and step.source is None)
            if step.source is None:
                here.waiting.append(step.around.place)

    def _named(self, here: OpenParagraph, step: NamedStep) -> None:
        """Resolve a short form to the case with the longest name that ends immediately before the
        pinpoint. Behind an Act ("Sale of Goods Act (n 4) s 6") it refers to the Act.
        """
        mention, notes, places = step.mention, self._known.notes, self._known.places
        behind_act = mention.form == "supra" and mention.reference and not mention.name
        if behind_act and here.places[step.around.place - 1] >= 0:
            self._stand(here, step, places.full(here.places[step.around.place - 1]), "supra")
            return
        place, tail = self._by_name(step)
        if mention.note and notes and not self._known.parted:
            promised = self._by_note(here, step, place)
            if isinstance(promised, FullStep):
                self._stand(here, step, -1, "supra", promised.source)
                return
            if promised != place:
                again = mention.doubtful is not None and place >= 0 and places.are_same(place, promised)
                place, tail = promised, tail if again else None
        if place >= 0:
            self._stand(here, step, place, mention.form, tail=tail)
        elif mention.form == "supra" and (not mention.loose or (mention.reference and here.note >= 0)):
            self._stand(here, step, -1, "supra", unread=notes.seen(step, here.number))

    def _by_name(self, step: NamedStep) -> tuple[int, Tail | None]:
        names, mention = self._known.names, step.mention
        for tail in step.tails:
            if mention.open_end:
                place = names.find_name(tail.key)
            else:
                opens = mention.pinpoint is not None or bool(mention.report) or mention.is_name_alone
                place = names.find(tail.term, tail.key, opens=opens)
            if place >= 0 and (not mention.is_name_alone or self._is_called(place, tail)):
                return place, tail
        return -1, None

    def _is_called(self, place: int, tail: Tail) -> bool:
        """Return whether the text has called the case by this name before: "The Times" is not a name for
        "Times Ltd v Hart".
        """
        written = tail.term in fold(self._known.places.source(place).name)
        return written or self._known.names.find_term(tail.term) >= 0

    def _by_note(self, here: OpenParagraph, step: NamedStep, named: int) -> int | FullStep:
        """Return the antecedent of a short form that refers to a footnote: the authority in the footnote that
        fits its name.

        If the footnote comes later in the text, the step of the full citation there is returned. ``named`` is
        the antecedent by name alone, which is returned if the footnote has no such authority.
        """
        mention, places, notes = step.mention, self._known.places, self._known.notes
        note = notes.number(mention.note)
        if note < 0:
            return named
        cited = list(dict.fromkeys(place for place in notes.cited(note) if place >= 0))
        if named in cited:
            return named
        if cited:
            fitting = [place for place in cited if _fits(mention.reference, places.source(place))]
            return fitting[0] if len(fitting) == 1 else named
        coming = notes.later(note, here.number, step)
        later = {each[1].source: each for each in coming if _fits(mention.reference, each[1].source)}
        again = named >= 0 and any(source.key in places.source(named).keys for source in later)
        if len(later) != 1 or again:
            return named
        ((paragraph, target),) = later.values()
        self._promised.append((len(places.antecedents), paragraph, target.around.place))
        return target

    def _noun(self, here: OpenParagraph, step: NounStep) -> None:
        """Resolve "the Act", "the said Act" or a defined term."""
        mention, acts = step.mention, self._known.acts
        place, form = self._known.names.find_term(step.term), mention.form
        if step.own and place < 0 and acts.is_quoted():
            return
        if form == "defined" and place < 0:
            # "the Act" undefined: only if one Act has been cited, or with a section before it.
            if not acts.is_only(step.noun) and mention.pinpoint is None:
                return
            form = "section" if mention.pinpoint is not None else "short"
        elif form != "defined" and place >= 0 and not step.said:
            form = "defined"
        elif form != "defined":
            place = -1
        place = place if place >= 0 else self._by_noun(step)
        if place >= 0:
            self._stand(here, step, place, form)
        elif form == "section":
            self._bare_section(here, step)

    def _by_noun(self, step: NounStep) -> int:
        """Return the Act with this noun that last had the section, else the Act with this noun that was cited
        last; -1 if none.
        """
        mention, acts = step.mention, self._known.acts
        if mention.pinpoint is not None and mention.year is None and not step.said:
            last = acts.numbers.find(mention.pinpoint)
            if last is not None and last >= 0 and self._known.places.source(last).name.endswith(step.noun):
                return last
        return acts.find_by_noun(step.noun, mention.year)

    def _give_waiting(self, here: OpenParagraph, place: int, act: WorkStep) -> None:
        """Assign bare sections that have no Act yet to the Act first named immediately after them."""
        found, start, source = here.found, act.mention.start, act.source
        for number in here.waiting:
            mention = found.mentions[number]
            own, end = mention.pinpoint, mention.end
            if start - end >= _SOON:
                continue
            of_code = source.key[:1].isdigit() and not _is_same_place(own, act.mention.pinpoint)
            parted = set(";\n" if mention.owner else ".;\n") & set(found.text[end:start])
            if not of_code and not parted:
                here.readings[number] = Resolved(source, "section")
                self._known.places.give(here.places[number], place, source)
                if own is not None:
                    self._known.acts.numbers.cite(own, place, source)
        here.waiting.clear()

    # -- citations -----------------------------------------------------------------------------------------

    def _stand(
        self,
        here: OpenParagraph,
        step: MentionStep,
        place: int,
        form: CitationForm,
        source: Source | None = None,
        tail: Tail | None = None,
        ambiguous: bool = False,
        unread: bool = False,
    ) -> None:
        """Record that a short form refers to the citation at ``place`` or, if that is -1, to ``source``."""
        known, kind = self._known, step.mention.kind
        if place >= 0:
            source = known.places.source(place)
        if source is not None and (step.mention.form != "section" or kind == "statute"):
            kind = source.kind
        antecedent = -1 if place in self._unnamed else place
        unread = unread or (source is None and known.parted)
        how = Resolved(source, form, tail, ambiguous, unread)
        self._emit(here, step, how, antecedent, kind, known.places.first(place))
        if place >= 0 and source is not None and source.kind != "case":
            known.acts.cite(place, step.mention.pinpoint if not isinstance(step, SectionStep) else None)

    def _emit(
        self,
        here: OpenParagraph,
        step: MentionStep,
        resolved: Resolved,
        antecedent: int,
        kind: CitationKind,
        target: int,
    ) -> None:
        """Record a citation; ``target`` is the position to which an *id.* after it refers."""
        known, around = self._known, step.around
        here.places[around.place] = len(known.places.antecedents)
        here.readings[around.place] = resolved
        known.places.add(antecedent, resolved.source)
        if here.note >= 0:
            names = kind != "case" and not around.inner
            known.notes.cite(here.note, target, passed=around.passed, names=names)
        if not around.passed:
            here.here.append((kind, target))
            known.last = known.last.cite(target, kind, around.joined, here.note)
        elif not around.inner:
            known.last = known.last.name_act(target, here.note) if kind != "case" else known.last
        elif target >= 0:
            known.last = known.last._replace(inner=(*known.last.inner, (step.pinned, target)))


_READ: Mapping[type, Callable[[_Resolver, OpenParagraph, Any], None]] = {
    TermDefined: _Resolver._define,
    UnreadCited: _Resolver._pass_unread,
    TextInserted: _Resolver._insert,
    PageTurn: _Resolver._turn_page,
    CaseStep: _Resolver._case,
    WorkStep: _Resolver._work,
    IdStep: _Resolver._id,
    SectionStep: _Resolver._section,
    ReportStep: _Resolver._report,
    NamedStep: _Resolver._named,
    NounStep: _Resolver._noun,
}


def _is_same_place(one: Pinpoint | None, other: Pinpoint | None) -> bool:
    """Return whether two pinpoints have the same number. True if either is missing.

    If the numbers differ, an Act and the code cited after it are separate: "Section 6, 25 P.S. § 3031".
    """
    return (
        one is None or other is None or one.labels[0].partition("(")[0] == other.labels[0].partition("(")[0]
    )


def _fits(reference: str, source: Source) -> bool:
    """Return whether a short form's name can be that of an authority. True if either has no name."""
    if not reference or not source.name:
        return True
    return not set(list_name_words(reference)).isdisjoint(list_name_words(source.name))
