"""Short forms find their authority: one pass forward over a text's mentions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace

from lexls.citations.definitions import Definition
from lexls.citations.keys import fold
from lexls.citations.mention import Mention
from lexls.citations.model import Citation
from lexls.citations.names import name_tokens, openings, short_names
from lexls.citations.scan import Scan
from lexls.text.spans import Span

_TITLE_YEAR = re.compile(r"[\s,(]*\d{4}\)?(?:\s*\([A-Za-z]+\))?$")
# Constitutions whose articles a draft cites without naming them.
_CONSTITUTIONS: Mapping[str, str] = {"IN": "Constitution of India"}

# What is cited by pages.
_PAGED = frozenset({"case", "journal", "book", "other"})


class Resolver:
    """One pass over the mentions of one text; `run` gives the citations."""

    def __init__(self, scan: Scan, jurisdiction: str, defined: list[Definition]) -> None:
        self._text = scan.text
        self._jurisdiction = jurisdiction
        self._defined = defined
        self._next_definition = 0
        self._citations: list[Citation] = []
        self._sources: list[Mention] = []
        self._places: dict[int, int] = {}  # id of a full mention → its place among the citations
        self._names: dict[str, int] = {}
        self._openings: dict[str, int | None] = {}  # None: the beginning of more than one case's name
        self._terms: dict[str, int] = {}
        self._titles: dict[str, int] = {}
        self._reports: dict[tuple[str, str], int] = {}
        self._acts: list[int] = []
        self._nouns: dict[str, set[str]] = {}
        self._waiting: list[int] = []  # bare sections before any Act
        self._versus = scan.versus

    def run(self, mentions: list[Mention]) -> tuple[Citation, ...]:
        """The citations in order; ``mentions`` are sorted and do not overlap."""
        for mention in mentions:
            self._define_up_to(mention.start)
            if mention.form == "full":
                self._full(mention)
            else:
                self._short(mention)
        return tuple(self._citations)

    def _define_up_to(self, position: int) -> None:
        while self._next_definition < len(self._defined):
            entry = self._defined[self._next_definition]
            if entry.span.start > position:
                return
            place = self._places.get(id(entry.mention))
            if place is not None:
                citation = self._citations[place]
                self._terms[fold(entry.term)] = place if citation.antecedent is None else citation.antecedent
            self._next_definition += 1

    def _full(self, mention: Mention) -> None:
        if mention.kind == "case":
            place = self._add(mention, mention.key, None)
            first = self._first_of_group(place)
            self._reports[mention.volume, fold(mention.report)] = place
            if mention.name:
                for name in (mention.name, *short_names(mention.name)):
                    self._names[_name_key(name)] = first
                for opening in openings(mention.name):
                    known = self._openings.setdefault(_name_key(opening), first)
                    if known is None or self._citations[known].key != self._citations[first].key:
                        self._openings[_name_key(opening)] = None
            return
        title = fold(_TITLE_YEAR.sub("", mention.name))
        known = self._titles.get(title) if title else None
        term = self._terms.get(fold(mention.name)) if mention.name and mention.year is None else None
        if term is not None:
            mention.form = "defined"
            self._add(mention, self._citations[term].key, term)
            self._acts.append(term)
            return
        if known is not None and mention.year is None and self._citations[known].year is not None:
            mention.form = "short"
            self._add(mention, self._citations[known].key, known)
            self._acts.append(known)
            return
        place = self._add(mention, mention.key, None)
        if title:
            self._titles[title] = place
        noun = mention.name.rsplit(" ", 1)[-1] if mention.name else ""
        self._nouns.setdefault(noun, set()).add(mention.key)
        self._acts.append(place)
        self._give_waiting(place)

    def _short(self, mention: Mention) -> None:
        place = self._antecedent(mention)
        if place is None:
            if mention.form == "section":
                self._bare_section(mention)
            elif mention.form in ("id", "supra") or mention.report:
                self._add(mention, "", None)
            return
        source = self._sources[place]
        pinpoint = mention.pinpoint
        if (
            pinpoint is not None
            and pinpoint.kind == "page"
            and source.style != "page"
            and "p" not in _lead(self._text, pinpoint.span)
        ):
            mention.pinpoint = replace(pinpoint, kind=source.style)
        if mention.form != "section" or mention.kind == "statute":
            mention.kind = source.kind
        self._add(mention, source.key, place)
        if source.kind != "case":
            self._acts.append(place)

    def _antecedent(self, mention: Mention) -> int | None:
        if mention.form == "id":
            return self._before(mention)
        if mention.form == "section":
            return self._nearest(mention)
        if mention.report:
            return self._by_report(mention)
        if mention.kind == "case" or mention.form == "supra":
            return self._by_name(mention)
        return self._by_noun(mention)

    def _before(self, mention: Mention) -> int | None:
        """What *id.* means: the authority cited last, unless a case that was not read stands between."""
        if not self._citations:
            return None
        last = self._citations[-1]
        if mention.pinpoint is not None and mention.pinpoint.kind == "page" and last.kind not in _PAGED:
            # A page of what has none: the case in whose citation the Act stood, if that is near.
            return self._case_before(mention)
        low = last.span.end
        for start in self._versus[bisect_right(self._versus, low) : bisect_left(self._versus, mention.start)]:
            if self._text[start + 1 : start + 6].lstrip(". ")[:1].isupper():
                return None
        if last.form == "full":
            return self._first_of_group(len(self._citations) - 1)
        return last.antecedent

    def _case_before(self, mention: Mention) -> int | None:
        """The last citation of a case in the same paragraph."""
        for place in range(len(self._citations) - 1, max(-1, len(self._citations) - 8), -1):
            entry = self._citations[place]
            if "\n\n" in self._text[entry.span.end : mention.start]:
                return None
            if entry.kind == "case" and entry.key:
                return self._first_of_group(place) if entry.form == "full" else entry.antecedent
        return None

    def _nearest(self, mention: Mention) -> int | None:
        """The Act that a bare section belongs to: the one named last that has such a thing."""
        assert mention.pinpoint is not None
        kinds = {
            "article": ("constitution", "treaty", "regulation"),
            "regulation": ("regulation",),
            "rule": ("regulation", "rule", "statute"),
        }.get(mention.pinpoint.kind, ("statute", "regulation"))
        for place in reversed(self._acts[-60:]):
            act = self._citations[place]
            if mention.pinpoint.kind == "rule" and not _has_rules(act, mention.pinpoint.labels[0]):
                continue
            if act.kind in kinds:
                return place
        return None

    def _by_report(self, mention: Mention) -> int | None:
        place = self._reports.get((mention.volume, fold(mention.report)))
        if place is not None and not mention.name:
            mention.name = ""
        return place

    def _by_name(self, mention: Mention) -> int | None:
        """The case with the longest name that the words before a short form's pinpoint end with."""
        if mention.open_end:
            return self._by_full_name(mention)
        core = mention.core
        tokens = list(re.finditer(r"\S+", core.of(self._text)))
        for token in tokens:
            start = core.start + token.start()
            name = self._text[start : core.end].strip(" ,.\"'”’“‘()\n")
            key = _name_key(name)
            place = self._terms.get(fold(name), self._names.get(key) if key else None)
            if place is None and mention.pinpoint is not None:
                place = self._openings.get(key)
            if place is not None:
                if mention.start == core.start:
                    mention.start = start
                mention.core = Span(start, core.end)
                mention.name = " ".join(name.split())
                return place
        return None

    def _by_full_name(self, mention: Mention) -> int | None:
        """The case cited before under the longest name that begins "X v Y …"."""
        start = mention.core.start
        for token in reversed(list(re.finditer(r"\S+", mention.core.of(self._text)))):
            if token.group().islower():
                continue
            name = self._text[start : start + token.end()].rstrip(" ,.;)\n")
            place = self._names.get(_name_key(name))
            if place is not None:
                mention.end = start + len(name)
                mention.core = Span(start, mention.end)
                mention.name = " ".join(name.split())
                return place
        return None

    def _by_noun(self, mention: Mention) -> int | None:
        """What "the (said) Act" or a defined term means."""
        term = f"{mention.year}{mention.reference}" if mention.year is not None else mention.reference
        by_term = self._terms.get(fold(term))
        if mention.form == "defined":
            if by_term is not None:
                return by_term
            # "the Act" undefined: only where one Act has been cited, or with a section before it.
            if len(self._nouns.get(mention.reference, ())) != 1 and mention.pinpoint is None:
                return None
            mention.form = "section" if mention.pinpoint is not None else "short"
        elif by_term is not None and "said" not in self._text[mention.start : mention.end]:
            mention.form = "defined"
            return by_term
        for place in reversed(self._acts[-200:]):
            source = self._sources[place]
            if mention.year is not None and source.year != mention.year:
                continue
            if source.name.endswith(mention.reference):
                return place
        if mention.reference == "Act" and mention.year is None:
            for place in reversed(self._acts[-200:]):
                if self._sources[place].kind == "statute":
                    return place
        return None

    def _bare_section(self, mention: Mention) -> None:
        assert mention.pinpoint is not None
        key = _CONSTITUTIONS.get(self._jurisdiction, "") if mention.pinpoint.kind == "article" else ""
        if key:
            mention.kind = "constitution"
        elif mention.pinpoint.kind in ("regulation", "rule", "schedule"):
            return
        place = self._add(mention, key, None)
        if not key:
            self._waiting.append(place)

    def _give_waiting(self, place: int) -> None:
        """Bare sections before the first Act of their paragraph belong to it."""
        act = self._citations[place]
        for index in self._waiting:
            entry = self._citations[index]
            between = act.span.start - entry.span.end
            if between < 2000 and "\n\n" not in self._text[entry.span.end : act.span.start]:
                self._citations[index] = replace(
                    entry, key=act.key, jurisdiction=act.jurisdiction, kind=act.kind, antecedent=place
                )
        self._waiting.clear()

    def _first_of_group(self, place: int) -> int:
        group = self._citations[place].group
        while (
            place
            and group
            and self._citations[place - 1].group == group
            and self._citations[place].form == "full"
        ):
            place -= 1
        return place

    def _add(self, mention: Mention, key: str, antecedent: int | None) -> int:
        place = len(self._citations)
        jurisdiction = mention.jurisdiction
        if antecedent is not None:
            jurisdiction = self._citations[antecedent].jurisdiction
        elif not jurisdiction:
            jurisdiction = self._jurisdiction
        self._citations.append(
            Citation(
                span=Span(mention.start, mention.end),
                core=mention.core,
                text=self._text[mention.start : mention.end],
                kind=mention.kind,
                form=mention.form,
                jurisdiction=jurisdiction,
                key=key,
                name=mention.name,
                year=mention.year,
                pinpoint=mention.pinpoint,
                group=mention.group,
                antecedent=antecedent,
            )
        )
        mention.key = key
        self._sources.append(mention)
        self._places[id(mention)] = place
        return place


def _has_rules(act: Citation, label: str) -> bool:
    """Whether a bare rule can be one of an authority's: of rules, or of a code by order ("XXXIX:1")."""
    return act.kind == "rule" or "Rules" in act.key or (":" in label and "Civil Procedure" in act.key)


def _name_key(name: str) -> str:
    return " ".join(name_tokens(name)) or fold(name)


def _lead(text: str, span: Span) -> str:
    """The sign right before a pinpoint's labels ("p", "§", "[" …)."""
    return text[max(0, span.start - 4) : span.start]
