"""All forms together, found by the first letters of what may be a citation."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from lexls.citations import templates
from lexls.citations.form import Form, FormError, read_form
from lexls.citations.keys import fold, spaced
from lexls.citations.model import CitationKind
from lexls.text.spans import Span

# Earlier files win where two jurisdictions claim the same words and the draft's own does not decide.
_FILES = ("uk", "au", "in", "ca", "eu", "echr", "nz", "sg", "hk", "us", "international", "works")
_DASHES = {ord(dash): "-" for dash in "‐‑‒–—−"}
_LETTERS = re.compile(r"[^A-Za-z\n]{0,24}([A-Za-z]+)")


@dataclass(frozen=True, slots=True)
class Act:
    """A well-known Act: its key and the names under which drafts cite it."""

    key: str
    jurisdiction: str
    names: tuple[str, ...]
    kind: CitationKind = "statute"


@dataclass(frozen=True, slots=True)
class CoreMatch:
    """A citation's core found in a text, with the values of its template's tokens."""

    span: Span
    form: Form
    key: str
    values: Mapping[str, str]
    value_spans: Mapping[str, Span]

    @property
    def year(self) -> int | None:
        """The year in the core, if it holds one."""
        year = self.values.get("year", "")
        return int(year) if year.isdigit() else None


@dataclass(slots=True)
class _Entry:
    """A form's pattern as one first word reaches it; compiled when first needed."""

    form: Form
    parts: tuple[templates.Part, ...]
    key: tuple[templates.Part, ...]
    opening: str
    names: Mapping[str, tuple[str, ...]]
    canonical: Mapping[str, Mapping[str, str]]
    regex: re.Pattern[str] | None = None

    def match(self, text: str, start: int) -> CoreMatch | None:
        if self.regex is None:
            self.regex = re.compile(templates.pattern(self.parts, self.names))
        match = self.regex.match(text, start)
        if match is None:
            return None
        values = {}
        spans = {}
        for token, value in match.groupdict().items():
            if value is None:
                continue
            table = self.canonical.get(token)
            values[token] = table[fold(value)] if table is not None else spaced(value.translate(_DASHES))
            spans[token] = Span(*match.span(token))
        key = templates.render(self.key, values)
        return CoreMatch(Span(*match.span()), self.form, key, values, spans)


class Registry:
    """The forms that lexls brings and those of the user, ready for matching."""

    def __init__(self, forms: Sequence[Form], acts: Sequence[Act]) -> None:
        self.forms = tuple(forms)
        self.acts = tuple(acts)
        self._words: dict[str, list[_Entry]] = {}
        self._starts: set[str] = set()
        self._open: list[_Entry] = []
        self._views: dict[tuple[str, str], tuple[_Entry, ...]] = {}
        for form in self.forms:
            self._add(form)

    @classmethod
    def load(cls, extra: Sequence[Mapping[str, Any]] = ()) -> Registry:
        """Reads the forms in ``lexls/citations/forms`` and the ``extra`` ones, which win over them."""
        own = [read_form(table, "citations.forms") for table in extra]
        own_ids = {form.id for form in own}
        if len(own_ids) != len(own):
            raise FormError("citations.forms: two citation forms have the same `id`")
        forms = list(own)
        acts: list[Act] = []
        folder = resources.files("lexls.citations") / "forms"
        for name in _FILES:
            path = folder / f"{name}.toml"
            if not path.is_file():
                continue
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            jurisdiction = data.get("jurisdiction", "")
            for table in data.get("forms", []):
                form = read_form({"jurisdiction": jurisdiction, **table}, path.name)
                if form.id not in own_ids:
                    forms.append(form)
            for key, entry in data.get("acts", {}).items():
                names = entry if isinstance(entry, list) else entry["names"]
                kind: CitationKind = "statute" if isinstance(entry, list) else entry.get("kind", "statute")
                acts.append(Act(key, jurisdiction, tuple(names), kind))
        return cls(forms, acts)

    def _add(self, form: Form) -> None:
        canonical = templates.canonical(form.names)
        every = {
            token: tuple(name for entry, others in table.items() for name in (entry, *others))
            for token, table in form.names.items()
        }
        for parts, key in zip(form.patterns, form.keys, strict=True):
            opening = templates.opening(parts)
            words = templates.leading_words(parts, every)
            leading = next((part.text for part in parts if part.kind == "token" and part.text in every), "")
            if not words:
                self._open.append(_Entry(form, parts, key, opening, every, canonical))
            if opening == "word":
                self._starts.update(words)
            for word, variants in words.items():
                names = every if variants is None else {**every, leading: variants}
                self._words.setdefault(word.casefold(), []).append(
                    _Entry(form, parts, key, opening, names, canonical)
                )

    @property
    def starts(self) -> frozenset[str]:
        """The runs of letters that begin the forms which start with a word."""
        return frozenset(self._starts)

    def match(self, text: str, start: int, opening: str, jurisdiction: str) -> list[CoreMatch]:
        """All readings of a core that begins at ``start``, the likeliest first; of one form the longest."""
        found = _LETTERS.match(text, start)
        matches: list[CoreMatch] = []
        if found is not None:
            for entry in self._view(found[1].casefold(), jurisdiction):
                if entry.opening == opening:
                    match = entry.match(text, start)
                    if match is not None:
                        matches.append(match)
        if not matches:
            for entry in self._open:
                if entry.opening == opening and _readable(entry.form, jurisdiction):
                    match = entry.match(text, start)
                    if match is not None:
                        matches.append(match)
        return matches

    def _view(self, word: str, jurisdiction: str) -> tuple[_Entry, ...]:
        key = (word, jurisdiction)
        view = self._views.get(key)
        if view is None:
            entries = [entry for entry in self._words.get(word, ()) if _readable(entry.form, jurisdiction)]
            entries.sort(key=lambda entry: entry.form.jurisdiction != jurisdiction)
            view = tuple(entries)
            if entries:
                self._views[key] = view
        return view


def _readable(form: Form, jurisdiction: str) -> bool:
    return form.elsewhere or not jurisdiction or form.jurisdiction in ("", jurisdiction)
