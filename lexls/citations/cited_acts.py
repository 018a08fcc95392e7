"""Record the Acts that a text cites, and find the Act that a section, a noun or initials refer to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import CitationKind, Pinpoint
from lexls.citations.section_numbers import CitedPlaces, SectionNumbers
from lexls.citations.steps import SectionStep, Source, WorkStep

_INITIALS = re.compile(
    r"(?P<letters>(?:[A-Z]\.?\s?){1,5}[A-Z]\.?|[A-Z])(?:\s(?P<noun>Act|Code|Rules|Ordinance|Regulations))?"
    r"(?:,?\s(?P<year>(?:1[6-9]|20)\d\d))?"
)
_TITLE = re.compile(r"[Tt]itle\s(\d+)")
_DATED = re.compile(r"(\d{4})\s(\w+)")
_BILL = re.compile(r"(?:H\.R\.|S\.)\s\d")
_NEAR_ACTS = 60
_FAR_ACTS = 200
# Number of recent named Acts examined to find the one that the text is about, and their minimum.
_LATELY = 20
_MANY = 5
_RUN = 2  # citations of one Act after which a number too high for any Act is taken as its own
_NOWHERE = 1 << 40
# Kinds of authorities that have such provisions; other provisions are treated like sections.
_HAVING: Mapping[str, tuple[CitationKind, ...]] = {
    "article": ("constitution", "treaty", "regulation"),
    "regulation": ("regulation",),
    "rule": ("regulation", "rule", "statute"),
}
_WITH_SECTIONS: tuple[CitationKind, ...] = ("statute", "regulation")


class CitedActs:
    """The Acts, rules and other legislation cited in one text, by their positions among its citations.

    ``numbers`` are the sections cited so far. ``declared`` is the position of the Act to which the text
    assigns all bare sections, or -1.
    """

    def __init__(self, places: CitedPlaces) -> None:
        self.numbers = SectionNumbers()
        self.declared = -1
        self._source = places.source
        self._cited: list[int] = []
        self._of_initials: dict[str, list[int]] = {}
        self._by_noun_of_title: dict[str, list[int]] = {}
        self._nouns: dict[str, set[str]] = {}

    @property
    def last(self) -> int:
        """The position of the Act cited last, or -1."""
        return self._cited[-1] if self._cited else -1

    def add(self, step: WorkStep, place: int) -> None:
        """Record an Act that is cited in full."""
        self._nouns.setdefault(step.noun, set()).add(self._source(place).key)
        if len(step.initials) > 1:
            self._of_initials.setdefault(step.initials, []).append(place)
        self.declare(step, place)
        self.cite(place, step.mention.pinpoint)

    def part(self) -> None:
        """Forget the Acts to which bare sections may belong, except a declared one. Called where unread text
        is inserted.
        """
        self.numbers = SectionNumbers()
        self._cited = []

    def declare(self, step: WorkStep, place: int) -> None:
        """Record that bare sections belong to an Act, if the words before the Act say so."""
        if step.declares:
            self.declared = place

    def is_only(self, noun: str) -> bool:
        """Return whether exactly one Act whose title ends with this noun has been cited."""
        return len(self._nouns.get(noun, ())) == 1

    def is_quoted(self) -> bool:
        """Return whether the Act cited last was cited only by a page of session laws, as is usual when an Act
        is quoted.
        """
        return self.last >= 0 and _is_session_law(self._source(self.last))

    def cite(self, place: int, pinpoint: Pinpoint | None) -> None:
        """Record a citation of an Act, with or without a pinpoint."""
        had = self.numbers.find(pinpoint) if pinpoint is not None else None
        # "18 U.S.C. § 2339A; 108 Stat. 2022 (§ 2339A)": the code has the section.
        of_code = had is not None and had >= 0 and _is_session_law(self._source(place))
        if pinpoint is not None and not of_code:
            self.numbers.cite(pinpoint, place, self._source(place))
        again = self.last == place
        self._cited.append(place)
        name = self._source(place).name
        if name and not again:
            of_noun = self._by_noun_of_title.setdefault(name.rsplit(" ", 1)[-1], [])
            if of_noun[-1:] != [place]:
                of_noun.append(place)

    def suppose(self, step: SectionStep, pinpoint: Pinpoint, beside: int) -> int:
        """Return the Act to which a section may belong that no Act had before: the one named last, or one
        with similar numbers.

        ``beside`` is the position of the authority cited immediately before the section, or -1. The result is
        -1 if no Act fits.
        """
        numbers = self.numbers
        if self.declared >= 0 and pinpoint.kind == "section":
            return self.declared
        listed = step.around.joined and beside >= 0 and step.sign
        if listed and numbers.is_like(pinpoint, self._source(beside)):
            return beside  # "18 U.S.C. § 3056(d); § 1751(e)"
        supposed = numbers.find_supposed(pinpoint)
        return supposed if supposed is not None and not step.behind_act else self._find_able(step, pinpoint)

    def _find_able(self, step: SectionStep, pinpoint: Pinpoint) -> int:
        """Return the last Act cited near a section that can have it, preferring an Act with similar numbers.
        Return -1 if none can.
        """
        numbers = self.numbers
        first = -1
        for place in dict.fromkeys(reversed(self._cited[-_NEAR_ACTS:])):
            source = self._source(place)
            if not self._has_such(source, pinpoint):
                continue
            can_be = numbers.can_be(pinpoint, source)
            if can_be and self._has_near(place, pinpoint):
                return place
            if first < 0:
                can_be = can_be and self._can_tell(step, pinpoint, place)
                if can_be and step.behind_act:
                    return place
                first = place if can_be else _NOWHERE
        if first == _NOWHERE and pinpoint.kind == "section" and self._is_beyond_the_last(pinpoint):
            return self.last
        return first if first < _NOWHERE else -1

    def _has_such(self, source: Source, pinpoint: Pinpoint) -> bool:
        """Return whether an authority is of a kind that has such provisions: sections, articles, rules …"""
        kind = pinpoint.kind
        if source.kind not in _HAVING.get(kind, _WITH_SECTIONS):
            return False
        if kind == "schedule":  # if Acts are codified, it belongs to a contract
            return not _is_codified(source)
        if kind == "regulation":
            return "Rules" not in source.name
        if kind == "rule":
            return _has_rules(source, pinpoint.labels[0])
        return kind != "section" or source.kind == "statute" or self.numbers.knows(pinpoint, source)

    def _has_near(self, place: int, pinpoint: Pinpoint) -> bool:
        """Return whether the text has cited a similar provision of an Act. For the Act cited last, provisions
        assigned to it by inference also count.
        """
        source, numbers = self._source(place), self.numbers
        if numbers.is_near(pinpoint, source):
            return True
        return place == self.last and numbers.is_near(pinpoint, source, thought=True)

    def _is_beyond_the_last(self, pinpoint: Pinpoint) -> bool:
        """Return whether no Act has a section with this number, and the Act named last was cited repeatedly
        before it.

        The number is then taken as a mistake in a section of that Act. Where Acts are codified, more
        citations are needed, since the section may be from any code.
        """
        last = self._source(self.last)
        long = _MANY if _is_codified(last) else _RUN
        run = [self._source(place).key for place in self._cited[-long:]]
        return last.kind == "statute" and self.numbers.is_of_none(pinpoint) and run == long * [last.key]

    def _can_tell(self, step: SectionStep, pinpoint: Pinpoint, place: int) -> bool:
        """Return whether a provision unlike any cited before may be assigned to this Act, which was named
        earlier.
        """
        source = self._source(place)
        if pinpoint.kind == "article":
            otherwise = _counts_otherwise(source, pinpoint.labels[0]) and not step.behind_act
            return source.kind != "regulation" and not otherwise
        if pinpoint.kind != "section":
            return True
        if self.numbers.counts_otherwise(source):
            return False
        if source.kind != "statute" or _is_session_law(source) or _BILL.match(source.key):
            return False
        # If Acts are codified, a section unlike any other probably belongs to the code.
        if step.behind_act or (not _is_codified(source) and place == self._cited[-1]):
            return True
        lately = [each for each in self._cited[-_FAR_ACTS:] if self._source(each).name][-_LATELY:]
        if not source.name or len(lately) < _MANY:
            return False
        return sum(self._source(each).key == source.key for each in lately) * 4 > 3 * len(lately)

    def find_by_owner(self, owner: str, pinpoint: Pinpoint) -> int:
        """Return the Act named by the words next to a section: its initials, the title of a code. Return -1
        if there is none.
        """
        acts = list(dict.fromkeys(reversed(self._cited[-_FAR_ACTS:])))
        title = _TITLE.fullmatch(owner)
        if title is not None:
            titled = re.compile(rf"{title[1]} [^\d]+")
            return next((place for place in acts if titled.fullmatch(self._source(place).key)), -1)
        if owner in ("title", "subtitle", "chapter", "subchapter"):
            return self._find_by_part(acts, pinpoint)
        if owner.rstrip(".") == "Restatement":
            of_owner = [place for place in acts if self._source(place).key.startswith("Restatement")]
            last = self.numbers.find(pinpoint)
            return last if last in of_owner else next(iter(of_owner), -1)
        if owner == "Federal":
            rules = [place for place in acts if self._source(place).key.startswith("Fed. ")]
            having = (place for place in rules if self.numbers.is_near(pinpoint, self._source(place)))
            return next(having, rules[0] if rules else -1)
        dated = _DATED.fullmatch(owner)
        return (
            self.find_by_noun(dated[2], int(dated[1])) if dated is not None else self.find_by_initials(owner)
        )

    def _find_by_part(self, acts: Sequence[int], pinpoint: Pinpoint) -> int:
        """Return the Act of a section "of this title": the one that last had the section, else a code that
        can have it.
        """
        last, numbers = self.numbers.find(pinpoint), self.numbers
        if last is not None:
            return last
        for place in acts:
            source = self._source(place)
            if source.key[:1].isdigit() and numbers.can_be(pinpoint, source):
                return place
        return next((place for place in acts if numbers.is_near(pinpoint, self._source(place))), -1)

    def find_by_initials(self, written: str) -> int:
        """Return the Act named earlier with these initials and this year ("HA 1980", "L.A. Act
        1894"), or -1.
        """
        match = _INITIALS.fullmatch(written)
        if match is None:
            return -1
        letters = match["letters"].replace(".", "").replace(" ", "") + (match["noun"] or "")[:1]
        for place in reversed(self._of_initials.get(letters, ())):
            if match["year"] in (None, str(self._source(place).year)):
                return place
        return -1

    def find_by_noun(self, noun: str, year: int | None) -> int:
        """Return the Act cited last whose title ends with a noun and, if a year is given, has that year.
        Return -1 if there is none.
        """
        if noun == "Constitution" and year is None:
            # If states have constitutions too, the word alone means the country's.
            for place in reversed(self._cited[-_FAR_ACTS:]):
                source = self._source(place)
                if source.kind == "constitution" and _is_of_country(source):
                    return place
        for place in reversed(self._by_noun_of_title.get(noun.rsplit(" ", 1)[-1], ())):
            source = self._source(place)
            if (year is None or source.year == year) and source.name.endswith(noun):
                return place
        if noun != "Act" or year is not None:
            return -1
        far = reversed(self._cited[-_FAR_ACTS:])
        return next((place for place in far if self._source(place).kind == "statute"), -1)


def _is_of_country(source: Source) -> bool:
    """Return whether a constitution is that of its country, not of a state."""
    return source.key == find_jurisdiction(source.jurisdiction).constitution


def _is_codified(source: Source) -> bool:
    """Return whether the Acts of an authority's jurisdiction are codified."""
    return bool(find_jurisdiction(source.jurisdiction).codified)


def _counts_otherwise(source: Source, label: str) -> bool:
    """Return whether a constitution numbers its articles in Roman numerals, but the label is in digits."""
    roman = find_jurisdiction(source.jurisdiction).constitution_articles
    return source.kind == "constitution" and bool(roman) and label[0].isdigit()


def _has_rules(act: Source, label: str) -> bool:
    """Return whether a bare rule may belong to this authority: to a set of rules, or to a code with orders
    ("XXXIX:1").
    """
    if label[:-1].isdigit() and label[-1].islower():  # "Rule 16a" is not a court's rule
        return False
    return act.kind == "rule" or "Rules" in act.key or (":" in label and "Civil Procedure" in act.key)


def _is_session_law(act: Source) -> bool:
    """Return whether an Act is cited only by a page of session laws."""
    return act.kind == "statute" and not act.name and act.paged
