"""Finding the citations of a text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from lexls.citations import cores, statutes
from lexls.citations.form import Form
from lexls.citations.keys import spaced
from lexls.citations.model import Citation
from lexls.citations.paragraph import Finders
from lexls.citations.reading import CitationReader
from lexls.citations.registry import CoreMatch, Registry

# Blank lines; what white space follows belongs to what stands before.
_BETWEEN = re.compile(r"\n[^\S\n]*\n\s*")


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
    def jurisdictions(self) -> frozenset[str]:
        """The codes of the jurisdictions whose forms are known."""
        return frozenset(form.jurisdiction for form in self.forms) - {""}

    @cached_property
    def _act_names(self) -> statutes.ActNames:
        return statutes.ActNames(self._registry.acts)

    def reader(self, jurisdiction: str = "", also: Sequence[str] = ()) -> CitationReader:
        """What reads one text of a jurisdiction again and again as it changes; arguments as of `find`."""
        return CitationReader(Finders(self._cores, self._act_names, jurisdiction, also))

    def find(self, text: str, jurisdiction: str = "", also: Sequence[str] = ()) -> tuple[Citation, ...]:
        """The citations of a masked text (or an authority's text) in order, short forms resolved.

        ``jurisdiction`` is the draft's code ("IN", "US", …; "" if open): it decides between reporters that
        share an abbreviation, and what is read at all of other places' forms. Where it does not decide, the
        text's other citations do, and where those are even ``also``: the jurisdictions of the library, the
        most frequent first. Spans do not overlap.
        """
        return tuple(self.reader(jurisdiction, also).read_once(cut(text)))

    def core_of(self, key: str, jurisdiction: str = "") -> CoreMatch | None:
        """What a normal key is made of (report, volume, year …); None where no form describes it."""
        opening = "bracket" if key[:1] in "[(" else "digit" if key[:1].isdigit() else "word"
        matches = self._registry.match(key, 0, opening, jurisdiction)
        whole = [match for match in matches if match.span.end == len(key)]
        return whole[0] if whole else None

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


def cut(text: str) -> list[str]:
    """The paragraphs of a text, each with the blank lines behind it."""
    pieces = []
    start = 0
    for match in _BETWEEN.finditer(text):
        pieces.append(text[start : match.end()])
        start = match.end()
    if start < len(text):
        pieces.append(text[start:])
    return pieces
