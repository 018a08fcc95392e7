"""Short forms find their authority: one pass forward over a text's paragraphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lexls.citations.model import CitationForm, CitationKind
from lexls.citations.steps import Found, Resolved, Source, Step

# What is cited by pages.
_PAGED = frozenset({"case", "journal", "book", "other"})
_NEAR_ACTS = 60
_FAR_ACTS = 200
_NEAR_CASES = 8
# Kinds of authorities that have such places; sections if none is named here.
_HAVING: Mapping[str, tuple[CitationKind, ...]] = {
    "article": ("constitution", "treaty", "regulation"),
    "regulation": ("regulation",),
    "rule": ("regulation", "rule", "statute"),
}
_WITH_SECTIONS: tuple[CitationKind, ...] = ("statute", "regulation")
_FORMS: tuple[CitationForm, ...] = ("id", "supra", "short", "section")
_UNKNOWN: Mapping[CitationForm, Resolved] = {form: Resolved(None, form) for form in _FORMS}


class Resolver:
    """One pass over the mentions of one text, a paragraph at a time.

    A *place* is that of a citation among all of the text. ``antecedents`` has for each citation the place of
    the full citation that it stands for, -1 if it is a full one or stands for nothing.
    """

    def __init__(self) -> None:
        self.antecedents: list[int] = []
        self._sources: list[Source | None] = []
        self._names: dict[str, int] = {}
        self._openings: dict[str, int] = {}  # -1: the beginning of more than one case's name
        self._terms: dict[str, int] = {}
        self._titles: dict[str, int] = {}
        self._reports: dict[tuple[str, str], int] = {}
        self._acts: list[int] = []
        self._acts_by_noun: dict[str, list[int]] = {}
        self._nouns: dict[str, set[str]] = {}
        # What was cited last: the place it stands for (-1: nothing) and its kind.
        self._last = -1
        self._last_kind: CitationKind | None = None
        self._unread = False
        # Of the paragraph being read: places of its mentions, kinds and targets of its citations, readings.
        self._places: list[int] = []
        self._here: list[tuple[CitationKind, int]] = []
        self._readings: list[Resolved | None] = []
        self._waiting: list[int] = []  # mentions: bare sections before any Act

    def read(self, found: Found) -> tuple[Resolved | None, ...]:
        """How the mentions of the next paragraph are to be read."""
        self._places = places = [-1] * len(found.mentions)
        readings: list[Resolved | None] = [None] * len(found.mentions)
        self._readings = readings
        self._here.clear()
        self._waiting.clear()
        for step in found.steps:
            kind = step.kind
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
            else:
                self._short(step)
                if step.unread and places[step.place] < 0:
                    self._unread = True
        return tuple(readings)

    def _case(self, step: Step) -> None:
        place = self._add(step, step.plain, -1)
        first = self._places[step.head]
        self._last, self._last_kind = first, "case"
        self._here.append(("case", first))
        self._reports[step.report] = place
        names, known = self._names, self._openings
        for name in step.names:
            names[name] = first
        sources = self._sources
        for opening in step.openings:
            other = known.setdefault(opening, first)
            if other != first and (other < 0 or sources[other].key != sources[first].key):  # type: ignore[union-attr]
                known[opening] = -1

    def _work(self, step: Step, found: Found) -> None:
        mention, source = step.mention, step.source
        assert mention is not None
        assert source is not None
        known = self._terms.get(step.term, -1) if step.term else -1
        form: CitationForm = "defined"
        if known < 0 and step.title and mention.year is None:
            known, form = self._titles.get(step.title, -1), "short"
            if known >= 0 and self._source(known).year is None:
                known = -1
        if known >= 0:
            act = self._source(known)
            self._emit(step, Resolved(act, form), known, mention.kind)
            self._cite_act(known)
            return
        place = self._add(step, step.plain, -1)
        self._last, self._last_kind = place, source.kind
        self._here.append((source.kind, place))
        if step.title:
            self._titles[step.title] = place
        self._nouns.setdefault(step.noun, set()).add(source.key)
        self._cite_act(place)
        if self._waiting:
            self._give_waiting(place, source, found, mention.start)

    def _short(self, step: Step) -> None:
        kind = step.kind
        if kind == "id":
            self._id(step)
        elif kind == "section":
            self._section(step)
        elif kind == "report":
            place = self._reports.get(step.report, -1)
            self._stand(step, place, "short")
        elif kind == "named":
            self._named(step)
        else:
            self._noun(step)

    def _stand(self, step: Step, place: int, form: CitationForm) -> None:
        """A short form that stands for the citation at ``place``, or -1."""
        if place < 0:
            self._emit(step, _UNKNOWN[form], -1, step.mention.kind)  # type: ignore[union-attr]
            return
        source = self._source(place)
        self._emit(step, Resolved(source, form), place, source.kind)
        if source.kind != "case":
            self._cite_act(place)

    def _id(self, step: Step) -> None:
        """*Id.* is the authority cited last, unless a case that was not read stands between."""
        place = -1
        if self._last_kind is not None:
            if step.paged and self._last_kind not in _PAGED:
                # A page of what has none: the case in whose citation the Act stood, if that is near.
                place = next(
                    (
                        target
                        for kind, target in reversed(self._here[-_NEAR_CASES:])
                        if kind == "case" and target >= 0
                    ),
                    -1,
                )
            elif not self._unread:
                place = self._last
        self._stand(step, place, "id")

    def _section(self, step: Step) -> None:
        mention = step.mention
        assert mention is not None
        assert mention.pinpoint is not None
        place = self._nearest(mention.pinpoint.kind, mention.pinpoint.labels[0])
        if place >= 0:
            source = self._source(place)
            kind = source.kind if mention.kind == "statute" else mention.kind
            self._emit(step, Resolved(source, "section"), place, kind)
            if source.kind != "case":
                self._cite_act(place)
        else:
            self._bare_section(step)

    def _bare_section(self, step: Step) -> None:
        mention = step.mention
        assert mention is not None
        assert mention.pinpoint is not None
        if step.source is not None:
            self._emit(step, Resolved(step.source, "section"), -1, step.source.kind)
        elif mention.pinpoint.kind not in ("regulation", "rule", "schedule"):
            self._emit(step, _UNKNOWN["section"], -1, mention.kind)
            self._waiting.append(step.place)

    def _nearest(self, pinpoint: str, label: str) -> int:
        """The Act that a bare section belongs to: the one named last that has such a thing."""
        kinds = _HAVING.get(pinpoint, _WITH_SECTIONS)
        acts = self._acts
        for at in range(len(acts) - 1, max(-1, len(acts) - 1 - _NEAR_ACTS), -1):
            source = self._source(acts[at])
            if source.kind in kinds and (pinpoint != "rule" or _has_rules(source, label)):
                return acts[at]
        return -1

    def _named(self, step: Step) -> None:
        """The case with the longest name that the words before a short form's pinpoint end with."""
        mention = step.mention
        assert mention is not None
        names, terms, open_end = self._names, self._terms, mention.open_end
        for tail in step.tails:
            place = names.get(tail.key, -1) if open_end else terms.get(tail.term, names.get(tail.key, -1))
            if place < 0 and not open_end and mention.pinpoint is not None:
                place = self._openings.get(tail.key, -1)
            if place >= 0:
                source = self._source(place)
                self._emit(step, Resolved(source, mention.form, tail), place, source.kind)
                if source.kind != "case":
                    self._cite_act(place)
                return
        if mention.form == "supra":
            self._stand(step, -1, "supra")

    def _noun(self, step: Step) -> None:
        """What "the (said) Act" or a defined term means."""
        mention = step.mention
        assert mention is not None
        place = self._terms.get(step.term, -1)
        form: CitationForm = mention.form
        if form == "defined":
            if place < 0:
                # "the Act" undefined: only where one Act has been cited, or with a section before it.
                if len(self._nouns.get(step.noun, ())) != 1 and mention.pinpoint is None:
                    return
                form = "section" if mention.pinpoint is not None else "short"
        elif place >= 0 and not step.said:
            form = "defined"
        else:
            place = -1
        if place < 0:
            place = self._act_of_noun(step.noun, mention.year)
        if place >= 0:
            self._stand(step, place, form)
        elif form == "section":
            self._bare_section(step)

    def _act_of_noun(self, noun: str, year: int | None) -> int:
        """The Act cited last whose title ends with a noun, of a year if one is given."""
        for place in reversed(self._acts_by_noun.get(noun.rsplit(" ", 1)[-1], ())):
            source = self._source(place)
            if (year is None or source.year == year) and source.name.endswith(noun):
                return place
        if noun == "Act" and year is None:
            for place in reversed(self._acts[-_FAR_ACTS:]):
                if self._source(place).kind == "statute":
                    return place
        return -1

    def _give_waiting(self, place: int, act: Source, found: Found, start: int) -> None:
        """Bare sections before the first Act of their paragraph belong to it."""
        for number in self._waiting:
            end = found.mentions[number].end
            if start - end < 2000 and "\n\n" not in found.text[end:start]:
                self._readings[number] = Resolved(act, "section")
                self.antecedents[self._places[number]] = place
                self._sources[self._places[number]] = act
        self._waiting.clear()

    def _cite_act(self, place: int) -> None:
        self._acts.append(place)
        name = self._source(place).name
        if name:
            of_noun = self._acts_by_noun.setdefault(name.rsplit(" ", 1)[-1], [])
            if not of_noun or of_noun[-1] != place:
                of_noun.append(place)

    def _source(self, place: int) -> Source:
        source = self._sources[place]
        assert source is not None
        return source

    def _emit(self, step: Step, reading: Resolved, antecedent: int, kind: CitationKind) -> None:
        self._add(step, reading, antecedent)
        self._last, self._last_kind = antecedent, kind
        self._here.append((kind, antecedent))

    def _add(self, step: Step, reading: Resolved | None, antecedent: int) -> int:
        assert reading is not None
        place = len(self.antecedents)
        self.antecedents.append(antecedent)
        self._sources.append(reading.source)
        self._places[step.place] = place
        self._readings[step.place] = reading
        self._unread = False
        return place


def _has_rules(act: Source, label: str) -> bool:
    """Whether a bare rule can be one of an authority's: of rules, or of a code by order ("XXXIX:1")."""
    return act.kind == "rule" or "Rules" in act.key or (":" in label and "Civil Procedure" in act.key)


def resolve(found: Sequence[Found]) -> tuple[list[tuple[Resolved | None, ...]], list[int]]:
    """The readings of the mentions of each paragraph, and the antecedent of each citation (-1: none)."""
    resolver = Resolver()
    return [resolver.read(each) if each.steps else () for each in found], resolver.antecedents
