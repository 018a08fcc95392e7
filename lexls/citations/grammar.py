"""Finding the citations of a text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from lexls.citations import case_names, pinpoints, resolve, statutes
from lexls.citations.keys import spaced
from lexls.citations.mention import Mention
from lexls.citations.model import Citation, Pinpoint
from lexls.citations.registry import CoreMatch, Registry
from lexls.text.spans import Span

_PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n")
# Digits with a letter near behind them, or a bracketed year: what a citation can begin with.
_NUMERAL = re.compile(
    r"(?<![\w*.,/§-])(?:[\[(]\s{0,3}(?=\d{4}\s{0,3}[\])]))?\d{1,4}(?![\d%])(?=[^A-Za-z\n]{0,24}\n?\s{0,20}[^\W\d_])"
)
_COURT_YEAR = re.compile(
    r"\s{0,40}\((?P<court>[^()\d]{0,50}?(?:\b\d(?:d|st|nd|rd|th)[^()\d]{0,20})?(?:\b\w{3,4}\.?\s\d{1,2},\s)?)(?P<year>(?:1[6-9]|20)\d\d)\)"
)
_PARALLEL_GAP = re.compile(
    r"[\s,;:=()\[\]./]*(?:\b(?:equivalent\s+to|also\s+reported\s+(?:in|as)|reported\s+in|and)\b[\s,]*)?"
)


class Grammar:
    """All citation forms; immutable for its users, so one instance serves every thread."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    @classmethod
    def load(cls, extra_forms: Sequence[Mapping[str, Any]] = ()) -> Grammar:
        """The grammar of lexls's own forms and the user's; raises FormError naming a wrong form's field."""
        return cls(Registry.load(extra_forms))

    @property
    def forms(self) -> tuple[Any, ...]:
        """All forms, the user's first."""
        return self._registry.forms

    def find(self, text: str, jurisdiction: str = "") -> tuple[Citation, ...]:
        """The citations of a masked text (or an authority's text) in order, short forms resolved.

        ``jurisdiction`` is the draft's code ("IN", "US", …; "" if open): it decides between reporters that
        share an abbreviation, and what is read at all of other places' forms.
        """
        cases = self._cases(text, jurisdiction)
        acts = statutes.find_acts(text, self._act_names, jurisdiction)
        mentions = statutes.join_sections(text, acts, statutes.find_sections(text))
        return resolve.resolve(text, cases, mentions, jurisdiction)

    def key_of(self, citation_text: str) -> str:
        """The normal key of a citation as given in metadata; its text, spaces made single, if it is none."""
        text = spaced(citation_text)
        for jurisdiction in ("", "US"):
            found = self.find(text, jurisdiction)
            for citation in found:
                if citation.form == "full" and len(citation.core) * 2 >= len(text.strip("() .")):
                    return citation.key
        return text

    @cached_property
    def _act_names(self) -> statutes.ActNames:
        return statutes.ActNames(self._registry.acts)

    @cached_property
    def _word_scan(self) -> re.Pattern[str]:
        starts = sorted(
            {re.escape(word) for word in self._registry.first_words("word")}, key=len, reverse=True
        )
        return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(starts)})(?![a-z])", re.IGNORECASE)

    def _cores(self, text: str, jurisdiction: str) -> list[list[CoreMatch]]:
        anchors = [
            (match.start(), "bracket" if text[match.start()] in "[(" else "digit")
            for match in _NUMERAL.finditer(text)
        ]
        anchors += [(match.start(), "word") for match in self._word_scan.finditer(text)]
        anchors.sort()
        found = []
        position = 0
        for start, opening in anchors:
            if start < position:
                continue
            matches = self._registry.match(text, start, opening, jurisdiction)
            matches = [m for m in matches if not _PARAGRAPH_BREAK.search(text, m.span.start, m.span.end)]
            if not matches:
                # "[2014]" may still begin a form that starts with the digits.
                continue
            longest = max(match.span.end for match in matches)
            found.append([match for match in matches if match.span.end == longest])
            position = longest
        return found

    def _cases(self, text: str, jurisdiction: str) -> list[Mention]:
        cores = self._cores(text, jurisdiction)
        mentions: list[Mention] = []
        previous: CoreMatch | None = None
        floor = 0
        group = 0
        for choices in cores:
            match = choices[0]
            mention = _mention(text, match, tuple(choice.form.jurisdiction for choice in choices[1:]))
            if mention.kind == "case":
                last = mentions[-1] if mentions else None
                parallel = (
                    last is not None
                    and previous is not None
                    and last.kind == "case"
                    and previous.form.id + last.report != match.form.id + mention.report
                    and _PARALLEL_GAP.fullmatch(text, last.end, mention.start) is not None
                    and "\n\n" not in text[last.end : mention.start]
                    and abs((last.year or mention.year or 0) - (mention.year or last.year or 0)) <= 3
                )
                if parallel and last is not None:
                    mention.group = last.group
                    mention.name = last.name
                    mention.year = mention.year or last.year
                    for other in reversed(mentions):
                        if other.group != mention.group:
                            break
                        other.year = other.year or mention.year
                else:
                    group += 1
                    mention.group = group
                    name = case_names.name_before(text, mention.start, floor)
                    if name is not None:
                        mention.start = name.start
                        mention.name = spaced(name.of(text))
                previous = match
            else:
                group += 1
                mention.group = group
                previous = None
            floor = mention.end
            mentions.append(mention)
        return mentions


def _mention(text: str, match: CoreMatch, choices: tuple[str, ...]) -> Mention:
    form = match.form
    core, end = match.span, match.span.end
    pinpoint: Pinpoint | None = None
    for token in ("section", "article", "rule", "regulation", "paragraph"):
        if token in match.value_spans:
            span = match.value_spans[token]
            labels = pinpoints.labels_of(text[span.start : span.end])
            pinpoint = Pinpoint(form.pinpoint, labels, span)
            core = Span(
                core.start, span.start - (len(text[: span.start]) - len(text[: span.start].rstrip(" \n\t§")))
            )
    year = match.year
    if pinpoint is None:
        after = pinpoints.after_case(text, end, form.pinpoint)
        if after is not None:
            pinpoint, end = after
    if form.kind == "case":
        court = _COURT_YEAR.match(text, end)
        if court is not None and year is None:
            year = int(court["year"])
            end = court.end()
    return Mention(
        match.span.start,
        end,
        core,
        form.kind,
        "full",
        form.jurisdiction,
        match.key,
        year=year,
        pinpoint=pinpoint,
        form_id=form.id,
        report=match.values.get("report", ""),
        choices=choices,
    )
