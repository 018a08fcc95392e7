"""Read a citation style from its file, and write references in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

from lexls.citations.jurisdiction import Jurisdiction, load_jurisdictions
from lexls.citations.model import join_spaces
from lexls.citations.styles import lettering
from lexls.citations.styles.lettering import (
    is_many,
    label_list,
    write_abbreviation,
    write_case_name,
    write_listed,
)
from lexls.citations.styles.shapes import (
    ROUND,
    PinnedPlace,
    Reference,
    Rendered,
    Report,
    TableForm,
    WrittenAs,
    find_pinned,
    find_shape,
    is_database,
    match_act,
    read_report,
    read_series,
)
from lexls.citations.tables import fill
from lexls.text.dates import MONTH_NUMBERS, MONTHS
from lexls.text.format import Format
from lexls.text.spans import Span

STYLES = ("bluebook", "aglc4", "oscola", "mcgill", "silc")
"""The names of the styles, as in the setting ``citations.style``."""
_CHOICES = {"pages": ("all", "two", "one"), "ibid": ("never", "note", "citation")}
_GROUPS = frozenset({"cases", "constitution", "statutes", "regulations", "rules", "other"})
_MAY_BE_EMPTY = frozenset({"pinpoint", "others"})


class StyleError(ValueError):
    """A missing or invalid style; the message names it and the field."""


@dataclass(frozen=True, slots=True)
class Style:
    """A style guide as data; ``lexls/citations/styles/README.md`` explains each field."""

    name: str
    title: str
    edition: str
    versus: str
    ordinal: str
    dash: str
    pages: str
    last: str
    parallel: str
    end: str
    ibid: str
    stops: bool = False
    month_first: bool = False
    square_numbers: bool = False
    most: int = 0
    neutral_first: bool = True
    short_needs_note: bool = True
    short_within: int = 0
    comma_after_bracket: bool = True
    evident: tuple[str, ...] = ()
    states: Mapping[str, str] = field(default_factory=dict)
    full: Mapping[str, str] = field(default_factory=dict)
    short: Mapping[str, str] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    pinpoint: Mapping[str, Sequence[str]] = field(default_factory=dict)
    back_pinpoint: Mapping[str, Sequence[str]] = field(default_factory=dict)
    accepts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    table: TableForm = field(default_factory=TableForm)

    @staticmethod
    def load(name: str) -> Style:
        """Load the style with this name (one of ``STYLES``); raise StyleError if there is none."""
        return _load(name, tuple(load_jurisdictions().values()))

    def render(
        self,
        reference: Reference,
        form: WrittenAs,
        format: Format,
        italic: tuple[str, str] | None = None,
        *,
        begins: bool = False,
    ) -> Rendered | None:
        """Write the citation in this style. Return None if the style has no such form, or if data for the
        form are missing.

        ``italic`` are the marks around italics (None: those usual in ``format``). With ``begins``, the
        citation begins a footnote or sentence, where *ibid.* is capitalised.
        """
        chosen = self._chosen(reference)
        reference = _pin_first(reference, chosen)
        shape = find_shape(reference, chosen)
        table = {"full": self.full, "short": self.short, "ibid": self.same}[form]
        found = _lookup(table, reference.kind, shape, reference.jurisdiction)
        if found is None:
            return None
        if form == "full" and self._lacks_court(reference, chosen):
            return None
        parts = lettering.parse(found)
        if reference.more_pinned and "others" not in lettering.list_tokens(parts):
            return None
        values = self._values(reference, chosen, form)
        if values is None or not _MAY_BE_EMPTY.issuperset(lettering.list_missing(parts, values)):
            return None
        pieces = list(lettering.fill(parts, values))
        if begins and pieces:
            pieces[0] = lettering.Piece(pieces[0].text[:1].upper() + pieces[0].text[1:], pieces[0].italic)
        return self._set(pieces, reference, format, format.italic if italic is None else italic)

    def leads(self, reference: Reference, form: WrittenAs = "full") -> tuple[str, str] | None:
        """Return the text before and after the labels of a reference's pinpoint in this style. Return None if
        the style has no such pinpoint.
        """
        pattern = self._pinpoint(reference, form)
        if pattern is None:
            return None
        before, _, after = pattern.partition("{}")
        return before, after

    def _pinpoint(self, reference: Reference, form: WrittenAs) -> str | None:
        tables = [self.pinpoint] if form == "full" else [self.back_pinpoint, self.pinpoint]
        shape = find_shape(reference, self._chosen(reference))
        for table in tables:
            for kind in (f"{reference.kind}-{shape}.", f"{reference.kind}.", ""):
                entry = table.get(kind + reference.pinpoint)
                if entry is not None:
                    return entry[is_many(reference.labels, reference.pinpoint, reference.written)]
        return None

    def _chosen(self, reference: Reference) -> list[Report]:
        """Return those of a case's citations that the style gives, in the style's order."""
        reports = [read_report(key) for key in reference.citations]
        if reference.kind != "case":
            return reports
        reports.sort(key=lambda each: each.neutral != self.neutral_first)
        if self.most and len(reports) > self.most:
            paged = reference.pinpoint == "page" and bool(reference.labels)
            counted = reference.pinpoint == "paragraph" and bool(reference.labels)
            fitting = [
                each for each in reports if not (each.neutral if paged else counted and not each.neutral)
            ]
            reports = (fitting or reports)[: self.most]
        return reports

    def _lacks_court(self, reference: Reference, chosen: Sequence[Report]) -> bool:
        """Return whether the style requires the case's court but the court is unknown."""
        if reference.kind != "case" or reference.court or reference.dateless or not chosen:
            return False
        if any(each.neutral or is_database(each.key) for each in chosen):
            return False
        names = [read_series(each.key) for each in chosen]
        wanting = [each for place in load_jurisdictions().values() for each in place.needs_court]
        if chosen[0].year is None:
            return all(any(each.startswith(wanted) for wanted in wanting) for each in names)
        return bool(self.evident) and not any(each in self.evident for each in names)

    def _values(
        self, reference: Reference, chosen: Sequence[Report], form: WrittenAs
    ) -> dict[str, str] | None:
        written = [write_abbreviation(each.key, self.stops, self.ordinal) for each in chosen]
        upto = 1 + find_pinned(reference, chosen)
        others = [
            each + self._further_place(reference, report.key)
            for each, report in zip(written[upto:], chosen[upto:], strict=True)
        ]
        values = {
            "cited": self.parallel.join(written),
            "first": self.parallel.join(written[:upto]),
            "others": "".join(self.parallel + each for each in others),
            "court": write_abbreviation(reference.court, self.stops, self.ordinal),
            "year": str(reference.year) if reference.year is not None else "",
            "decided": self._write_date(reference),
            "edition": reference.edition,
            "docket": write_abbreviation(reference.docket, self.stops, self.ordinal),
            "note": str(reference.note) if reference.note is not None else "",
            "author": reference.author,
            "source": reference.source,
            "state": self.states.get(reference.jurisdiction, ""),
        }
        if chosen:
            values["stem"] = write_abbreviation(chosen[0].stem, self.stops, self.ordinal)
            rounded = ROUND.fullmatch(values["first"])
            if rounded is not None:
                values["key_year"], values["rest"] = rounded["year"], rounded["rest"]
        if reference.kind == "case":
            lettered = self.versus, self.stops, self.square_numbers
            values["name"] = write_case_name(reference.name, *lettered)
            values["short"] = write_case_name(reference.short_name or reference.name, *lettered)
        else:
            values["name"] = join_spaces(reference.name)
            values["short"] = join_spaces(reference.short_name)
            values["year"] = reference.edition or values["year"]
        act = match_act(reference)
        if act is not None:
            values["title"], values["year"] = act["title"].rstrip(","), act["year"]
            values["state"] = act["state"] or values["state"]
        if reference.labels:
            pattern = self._pinpoint(reference, form)
            if pattern is None:
                return None
            values["pinpoint"] = pattern
        elif (
            form == "short"
            and reference.kind == "case"
            and "stem" in values
            and chosen
            and not self.short_needs_note
        ):
            values["pinpoint"] = self._first_page(reference, chosen[0])
        return values

    def _further_place(self, reference: Reference, report: str) -> str:
        """Return the pinpoint in a parallel report, as written after that report; "" if there is none."""
        pin = next((each for each in reference.more_pinned if each.report == report), None)
        if pin is None:
            return ""
        there = _pin(reference, pin)
        pattern = self._pinpoint(there, "full") or ", {}"
        lead, _, tail = pattern.partition("{}")
        brackets = lead.endswith("[") and tail.startswith("]")
        listed = self._labels(there, brackets)
        return (
            f"{lead.removesuffix('[')}{listed}{tail.removeprefix(']')}" if brackets else lead + listed + tail
        )

    def _write_date(self, reference: Reference) -> str:
        """Return the date of a decision that is identified by its date, or only its year if no more
        is known.
        """
        if reference.year is None:
            return ""
        month, _, day = reference.date.partition(" ")
        if not day:
            return str(reference.year)
        if self.month_first:
            return f"{reference.date}, {reference.year}"
        return f"{day} {MONTHS[MONTH_NUMBERS[month.rstrip('.').casefold()] - 1]} {reference.year}"

    def _first_page(self, reference: Reference, report: Report) -> str:
        """Return the first page as a pinpoint, for a short form by volume and reporter that has no
        pinpoint.
        """
        entry = self.back_pinpoint.get("case.page") or self.back_pinpoint.get("page")
        return entry[0].replace("{}", report.page) if entry and report.page else ""

    def _labels(self, reference: Reference, brackets: bool) -> str:
        kind = reference.pinpoint
        signed = "§" in (self._pinpoint(reference, "full") or "")
        last = self.last if kind not in ("page", "paragraph") and not signed else ""
        if reference.written and not brackets:
            return write_listed(reference.written, kind, self.dash, self.pages, self.stops, last)
        labels: Sequence[str] = reference.labels
        if kind == "article" and reference.kind == "constitution" and any(" " in each for each in labels):
            labels = [re.sub(r"\s(?=§|cl\.|sec\.)", ", ", each) for each in labels]
        return label_list(labels, kind, self.dash, self.pages, brackets, last)

    def _set(
        self, pieces: Sequence[lettering.Piece], reference: Reference, format: Format, marks: tuple[str, str]
    ) -> Rendered:
        """Return the pieces as text in the draft's format, with italics marked and the pinpoint's labels
        filled in.
        """
        text = ""
        span: Span | None = None
        open_ = False
        for piece in pieces:
            if piece.italic != open_ and (piece.text or open_):
                text, open_ = text + marks[0 if piece.italic else 1], piece.italic
            if piece.token != "pinpoint" or not piece.text or not reference.labels:
                text += format.write_signs(format.escape(piece.text))
                continue
            lead, _, tail = piece.text.partition("{}")
            brackets = lead.endswith("[") and tail.startswith("]")
            if brackets:
                lead, tail = lead[:-1], tail[1:]
            if (
                lead.startswith(",")
                and text.endswith(")")
                and not self.comma_after_bracket
                and reference.kind == "case"
            ):
                lead = lead[1:]
            text += format.write_signs(format.escape(lead))
            labels = format.escape(self._labels(reference, brackets))
            start = len(text)
            text += format.write_signs(labels)
            span = (
                Span(start, len(text))
                if not brackets or len(reference.labels) > 1
                else Span(start + 1, len(text) - 1)
            )
            text += format.write_signs(format.escape(tail))
        if open_:
            text += marks[1]
        return Rendered(text, span)


def _pin(reference: Reference, pin: PinnedPlace) -> Reference:
    """Return the reference with ``pin``, a pinpoint in another of its reports, as its own pinpoint."""
    return replace(
        reference, pinned=pin.report, pinpoint=pin.pinpoint, labels=pin.labels, written=pin.written
    )


def _pin_first(reference: Reference, chosen: Sequence[Report]) -> Reference:
    """Return the reference with the first pinpoint in the chosen reports as its own, and without pinpoints in
    reports not chosen.
    """
    own = PinnedPlace(reference.pinned, reference.pinpoint, reference.labels, reference.written)
    pins = {each.report: each for each in (own, *reference.more_pinned)}
    kept = [pins[each.key] for each in chosen if each.key in pins]
    if not reference.more_pinned or not kept:
        return replace(reference, more_pinned=())
    return replace(_pin(reference, kept[0]), more_pinned=tuple(kept[1:]))


def _lookup(table: Mapping[str, str], kind: str, shape: str, jurisdiction: str) -> str | None:
    """Return the template for a kind, preferring one for its shape and jurisdiction. Return None if there is
    none.
    """
    names = [f"{kind}-{shape}.{jurisdiction}", f"{kind}-{shape}"] if shape else []
    for name in (*names, f"{kind}.{jurisdiction}", kind):
        if name in table:
            return table[name] or None
    return None


@cache
def _load(name: str, places: tuple[Jurisdiction, ...]) -> Style:
    if name not in STYLES:
        raise StyleError(f"there is no citation style {name!r}; there are {', '.join(STYLES)}")
    path = resources.files("lexls.citations.styles") / f"{name}.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    states = table["states"] = {}
    for place in places:
        for key, entries in place.styles.get(name, {}).items():
            if key == "state":
                states[place.code] = entries
            else:
                templates = {f"{kind}.{place.code}": each for kind, each in entries.items()}
                table[key] = table.get(key, {}) | templates
    return read_style(table, name)


def read_style(table: Mapping[str, Any], name: str) -> Style:
    """Return the style defined by a TOML table. Raise StyleError naming the faulty field."""
    table = dict(table)
    for key, choices in _CHOICES.items():
        if table.get(key) not in choices:
            raise StyleError(f"{name}: `{key}` must be {' or '.join(map(repr, choices))}")
    for key in ("full", "short", "same"):
        for entry, value in table.get(key, {}).items():
            try:
                lettering.parse(value)
            except (lettering.TemplateError, TypeError) as error:
                raise StyleError(f"{name}: `{key}.{entry}`: {error}") from None
    for key in ("pinpoint", "back_pinpoint"):
        entries = table.get(key, {})
        table[key] = {kind: [each, each] if isinstance(each, str) else each for kind, each in entries.items()}
        for entry, both in table[key].items():
            if not isinstance(both, list) or len(both) != 2 or any("{}" not in each for each in both):
                raise StyleError(f"{name}: `{key}.{entry}` must be one or two texts with {{}} in them")
    form = table.pop("table", {})
    if order := form.get("order", []):
        if not _GROUPS.issuperset(order) or not all(form.get(each) for each in order):
            raise StyleError(f"{name}: `table.order` must name groups that have a title")
        groups = tuple((each, form[each]) for each in order)
        table["table"] = {
            "title": form["title"],
            "groups": groups,
            "italic": form.get("italic", True),
            "passim": form.get("passim", 0),
        }
    return fill(Style, table, name, StyleError, name=name)
