"""Describe the layouts of publishers' web pages: which parts are the document, and which elements contain
which fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from lexls.citations.jurisdiction import find_court_of_citation, load_jurisdictions
from lexls.library.court_lines import find_full_name
from lexls.library.report_heads import read_caption, read_decision_date, read_dockets
from lexls.library.title_case import in_capitals, write_title_case
from lexls.text.phrases import PhraseError, compile_pattern, load_phrases

Action = Literal["keep", "drop", "page", "mark", "note", "fact"]
_SELECTOR = re.compile(
    r"""(?P<tag>[\w-]*)(?:\.(?P<class>[\w-]+)|\#(?P<id>[\w-]+)
        |\[(?P<attribute>[\w:-]+)(?:(?P<operator>[\^*]?=)"?(?P<value>[^"\]]*)"?)?\])?$""",
    re.VERBOSE,
)
_SIGN_IN_WORD = re.compile(r"[()/\d]")
_PLACE = re.compile(r"\{([\w-]+)\}")
_SIGNS_WITHIN = 40_000
"""Number of code points at the beginning of a page that are searched for the signs of a layout."""
_LONGEST_FACT = 6000
_MARKING: tuple[Action, ...] = ("keep", "drop", "page", "mark", "note")


@dataclass(frozen=True, slots=True)
class Selector:
    """Selects elements of a page by their tag ("": any) and one attribute ("": none)."""

    tag: str
    attribute: str = ""
    operator: str = ""
    value: str = ""

    @classmethod
    def read(cls, written: str) -> Selector:
        """Parse a selector. Raises ``PhraseError`` if it cannot be parsed."""
        found = _SELECTOR.match(written)
        if found is None:
            raise PhraseError(f"no elements are named by {written!r}")
        tag = found["tag"].lower()
        if found["class"]:
            return cls(tag, "class", "~=", found["class"])
        if found["id"]:
            return cls(tag, "id", "=", found["id"])
        return cls(tag, found["attribute"] or "", found["operator"] or "", found["value"] or "")

    def matches(self, attributes: Mapping[str, str]) -> bool:
        """Return whether an element with this tag and these attributes is selected."""
        if not self.attribute:
            return True
        held = attributes.get(self.attribute)
        if held is None:
            return False
        if self.operator == "~=":
            return self.value in held.split()
        if self.operator == "^=":
            return held.startswith(self.value)
        if self.operator == "*=":
            return self.value in held
        return not self.operator or held == self.value


@dataclass(frozen=True, slots=True, eq=False)
class FactRule:
    """A rule for reading a fact from a page. ``of`` is a template of attributes ("": use the element's text).

    Of several rules for the same fact, the one with the lowest ``rank`` that finds a value is used. ``names``
    maps words found by groups to the words to write instead.
    """

    fact: str
    rank: int
    of: str = ""
    pattern: re.Pattern[str] | None = None
    write: str = ""
    split: re.Pattern[str] | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def read(self, text: str, attributes: Mapping[str, str]) -> list[str]:
        """Return the values of the fact in an element; ``text`` is the element's text with its line
        breaks.
        """
        if self.of:
            text = _PLACE.sub(lambda place: attributes.get(place[1], ""), self.of)
        return self.find(text.strip()[:_LONGEST_FACT])

    def find(self, text: str) -> list[str]:
        """Return the values of the fact in a text."""
        written = text
        if self.pattern is not None:
            found = self.pattern.search(text)
            if found is None:
                return []
            if self.write:
                written = _PLACE.sub(
                    lambda place: self.names.get(found[place[1]], found[place[1]]), self.write
                )
            else:
                written = found["value"] if "value" in found.groupdict() else found[0]
        values = self.split.split(written) if self.split is not None else [written]
        return [value.strip() for value in values if value.strip()]


@dataclass(frozen=True, slots=True)
class PageLayout:
    """How a publisher lays out its pages.

    ``rules`` maps a tag ("": any) and an attribute ("": none required) to what is done with such elements.
    ``keeps`` is true if the layout names the elements that contain the document. The other fields are as in
    ``page_layouts.toml``.
    """

    name: str = ""
    rules: Mapping[tuple[str, str], tuple[tuple[Selector, Action, FactRule | None], ...]] = field(
        default_factory=dict
    )
    values: Mapping[str, str] = field(default_factory=dict)
    keeps: bool = False
    needs: Sequence[str] = ()
    begins: Sequence[str] = ()
    ends: Sequence[str] = ()
    no_text: re.Pattern[str] | None = None

    def find_limits(self, source: str) -> tuple[int, int]:
        """Return the start and end of the document in the source of a page, as marked by the publisher's
        comments.
        """
        start = max((at + len(mark) for mark in self.begins if (at := source.find(mark)) >= 0), default=0)
        ends = (source.find(mark, start) for mark in self.ends)
        return start, min((end for end in ends if end >= 0), default=len(source))

    def read_source(self, source: str) -> list[tuple[FactRule, str]]:
        """Return the facts found in the source of a page."""
        opening = source[:_SIGNS_WITHIN]
        return [
            (rule, value)
            for _, _, rule in self.rules.get(("source", ""), ())
            if rule is not None
            for value in rule.find(opening)
        ]

    def read_line(self, line: str) -> list[tuple[FactRule, str]]:
        """Return the facts found in a line of a page."""
        rules = (rule for _, _, rule in self.rules.get(("line", ""), ()) if rule is not None)
        return [(rule, value) for rule in rules for value in rule.find(line)]

    def list_actions(
        self, tag: str, attributes: Mapping[str, str]
    ) -> Iterator[tuple[Action, FactRule | None]]:
        """Yield the actions for an element, each with its rule for a fact, or None."""
        for name in ("", *attributes):
            for key in ((tag, name), ("", name)):
                for selector, action, rule in self.rules.get(key, ()):
                    if selector.matches(attributes):
                        yield action, rule

    def declare(self, said: Sequence[tuple[FactRule, str]], text: str) -> dict[str, object]:
        """Return the metadata of a page. ``said`` are the values found in it, each with its rule, and
        ``text`` is its text.
        """
        by_fact: dict[str, list[tuple[FactRule, str]]] = {}
        for rule, value in said:
            by_fact.setdefault(rule.fact, []).append((rule, value))
        if self.needs and not any(fact in by_fact for fact in self.needs):
            return {}
        declared: dict[str, object] = dict(self.values)
        for fact, found in by_fact.items():
            best = min(rule.rank for rule, _ in found)
            values = [value for rule, value in found if rule.rank == best]
            if fact == "caption":
                declared.setdefault("title", read_caption(values[0], text))
            elif fact == "citation":
                first, *others = dict.fromkeys(" ".join(value.split()) for _, value in found)
                declared |= {"citation": first, "parallel_citations": others}
            elif fact not in ("first_page", "last_page"):
                declared[fact] = _read_fact(fact, values)
        if cited := str(declared.get("citation", "")):
            places = [str(declared["jurisdiction"])] if "jurisdiction" in declared else load_jurisdictions()
            courts = {place: court for place in places if (court := find_court_of_citation(cited, place))}
            if len(courts) == 1:
                [(declared["jurisdiction"], declared["court"])] = courts.items()
        return {key: value for key, value in declared.items() if value}


def _read_fact(fact: str, values: Sequence[str]) -> object:
    """Return the value of a fact from one or more values found in a page."""
    if fact == "title":
        return _join_title(values)
    if fact == "date":
        return read_decision_date("\n".join(values))
    if fact == "docket":
        return list(dict.fromkeys(each for value in values for each in read_dockets(value)))
    said = " ".join(values[0].split()).rstrip(" .,;")
    return (find_full_name(said) or said) if fact == "court" else said


def _join_title(lines: Sequence[str]) -> str:
    """Return the title from several lines, some in capitals, without repetitions."""
    written: dict[str, None] = {}
    for line in (" ".join(line.split()) for each in lines for line in each.splitlines()):
        if in_capitals(line):
            words = zip(line.split(), write_title_case(line).split(), strict=True)
            line = " ".join(one if _SIGN_IN_WORD.search(one) else other for one, other in words)
        written.setdefault(line)
    return " ".join(filter(None, written))


def find_layout(source: str) -> PageLayout:
    """Detect the layout of a page by its signs. Return the default layout, which has no name, if there are
    none.
    """
    layouts, signs = _load()
    opening = source[:_SIGNS_WITHIN].lower()
    for name, alternatives in signs.items():
        if any(all(sign in opening for sign in each) for each in alternatives):
            return layouts[name]
    return layouts[""]


@cache
def _load() -> tuple[Mapping[str, PageLayout], Mapping[str, Sequence[Sequence[str]]]]:
    data = load_phrases(__package__, "page_layouts.toml")
    reporters, common = data.pop("reporters"), data.pop("common")
    layouts: dict[str, PageLayout] = {}
    signs: dict[str, Sequence[Sequence[str]]] = {}
    for name, table in {**data, "": {}}.items():
        rules: dict[tuple[str, str], list[tuple[Selector, Action, FactRule | None]]] = {}
        for action in _MARKING:
            for written in (*common.get(action, ()), *table.get(action, ())):
                selector = Selector.read(written)
                rules.setdefault((selector.tag, selector.attribute), []).append((selector, action, None))
        for fact, listed in table.get("facts", {}).items():
            ranked = [(each, place) for each in listed for place in _list(each["in"])]
            for rank, (each, place) in enumerate(ranked):
                rule = _read_rule(fact, rank, each, reporters)
                for written in _list(place):
                    selector = Selector.read(written)
                    rules.setdefault((selector.tag, selector.attribute), []).append((selector, "fact", rule))
        if name:
            signs[name] = [[sign.lower() for sign in each] for each in table["signs"]]
        layouts[name] = PageLayout(
            table.get("format", name),
            {key: tuple(each) for key, each in rules.items()},
            table.get("values", {}),
            "keep" in table,
            table.get("needs", ()),
            table.get("begins", ()),
            table.get("ends", ()),
            compile_pattern(f"(?:{'|'.join(table['lines'])})$", {}) if "lines" in table else None,
        )
    return layouts, signs


def _list(written: Any) -> Sequence[Any]:
    return [written] if isinstance(written, str) else written


def _read_rule(fact: str, rank: int, table: Mapping[str, Any], reporters: Mapping[str, str]) -> FactRule:
    pattern, split = (re.compile(table[key]) if key in table else None for key in ("pattern", "split"))
    names = table.get("names", reporters)
    return FactRule(fact, rank, table.get("of", ""), pattern, table.get("write", ""), split, names)
