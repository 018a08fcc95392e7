"""Finding the citations of a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from lexls.citations import books, cores, definitions, sections, shorts, statutes
from lexls.citations.form import Form
from lexls.citations.keys import spaced
from lexls.citations.mention import Mention
from lexls.citations.model import Citation
from lexls.citations.registry import Registry
from lexls.citations.resolve import Resolver
from lexls.citations.scan import PARAGRAPH_BREAK, Scan
from lexls.text.spans import Span


class Grammar:
    """All citation forms; immutable for its users, so one instance serves every thread."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._cores = cores.CoreFinder(registry)

    @classmethod
    def load(cls, extra_forms: Sequence[Mapping[str, Any]] = ()) -> Grammar:
        """The grammar of lexls's own forms and the user's; raises FormError naming a wrong form's field."""
        return cls(Registry.load(extra_forms))

    @property
    def forms(self) -> tuple[Form, ...]:
        """All forms, the user's first."""
        return self._registry.forms

    @cached_property
    def _act_names(self) -> statutes.ActNames:
        return statutes.ActNames(self._registry.acts)

    def find(self, text: str, jurisdiction: str = "") -> tuple[Citation, ...]:
        """The citations of a masked text (or an authority's text) in order, short forms resolved.

        ``jurisdiction`` is the draft's code ("IN", "US", …; "" if open): it decides between reporters that
        share an abbreviation, and what is read at all of other places' forms. Spans do not overlap.
        """
        scan = Scan(text)
        cited = self._cores.find(scan, jurisdiction)
        cited = sorted([*cited, *_Taken(cited).free(books.find_books(scan))], key=_start)
        acts = statutes.find_acts(scan, self._act_names, jurisdiction)
        taken = _Taken(cited)
        acts = cores.take_titles(text, cited, taken.free(acts))
        taken = _Taken(cited)
        acts = taken.add(acts)
        full = sorted([*cited, *(act for act in acts if act.form == "full")], key=_start)
        defined = definitions.definitions(text, full)
        places = [entry.span for entry in defined]
        acts = [act for act in acts if not any(place.overlaps(act.core) for place in places)]
        terms = [*definitions.occurrences(scan, defined, taken.spans)]
        backward = [
            *taken.add(terms),
            *taken.add(shorts.find_ids(scan)),
            *taken.add(shorts.find_supras(scan)),
        ]
        sectioned = [mention for mention in (*cited, *acts, *backward) if _has_sections(mention)]
        others = [mention for mention in (*cited, *backward) if not _has_sections(mention)]
        behind = {entry.span.end: entry.mention for entry in defined if _has_sections(entry.mention)}
        free = [entry for entry in sections.find_sections(text) if not taken.covers(entry.span)]
        joined = sections.join_sections(text, sectioned, free, behind)
        mentions = [
            mention for mention in (*joined, *others) if not (mention.acronym and mention.pinpoint is None)
        ]
        taken = _Taken(mentions)
        mentions.extend(taken.add(shorts.find_by_report(scan, taken.covers)))
        for finder in (shorts.find_named, shorts.find_versus):
            mentions.extend(taken.add(finder(scan)))
        mentions = [mention for mention in mentions if _in_paragraph(text, mention)]
        mentions.sort(key=_start)
        return Resolver(scan, jurisdiction, defined).run(mentions)

    def key_of(self, citation_text: str, jurisdiction: str = "") -> str:
        """The normal key of a citation as given in metadata; its text, spaces made single, if it is none.

        ``jurisdiction`` is that of the authority: "Evidence Act" alone may be the name of several Acts.
        """
        text = spaced(citation_text)
        for place in dict.fromkeys((jurisdiction, "", "US")):
            full = [citation for citation in self.find(text, place) if citation.form == "full"]
            if full and sum(len(citation.span) for citation in full) * 5 >= len(text.strip("() .")) * 4:
                return full[0].key
        return text


def _start(mention: Mention) -> int:
    return mention.start


def _has_sections(mention: Mention) -> bool:
    """Whether a list of sections next to a mention can be its pinpoint."""
    return mention.kind not in ("case", "journal", "book")


def _in_paragraph(text: str, mention: Mention) -> bool:
    """Cuts a mention to the paragraph of its core; whether the core stands in one paragraph."""
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
    """The spans of a text that mentions already cover."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self.spans = sorted(Span(mention.start, mention.end) for mention in mentions)

    def covers(self, span: Span) -> bool:
        """Whether some taken span shares a code point with ``span``."""
        index = bisect_right(self.spans, Span(span.end - 1, span.end - 1))
        return any(
            self.spans[at].overlaps(span) for at in range(max(0, index - 1), min(index + 1, len(self.spans)))
        )

    def free(self, mentions: Iterable[Mention]) -> list[Mention]:
        """The mentions whose cores lie outside what is taken."""
        return [mention for mention in mentions if not self.covers(mention.core)]

    def add(self, mentions: Iterable[Mention]) -> list[Mention]:
        """The mentions that lie outside what is taken and before one another; they are taken from now on."""
        kept: list[Mention] = []
        end = -1
        for mention in sorted(mentions, key=_start):
            span = Span(mention.start, mention.end)
            if span.start < end or self.covers(span):
                continue
            kept.append(mention)
            end = span.end
        self.spans = sorted([*self.spans, *(Span(mention.start, mention.end) for mention in kept)])
        return kept
