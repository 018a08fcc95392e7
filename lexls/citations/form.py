"""Read a citation form from data, and check it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeGuard, cast, get_args

from lexls.citations import templates
from lexls.citations.model import CitationKind, PinpointKind
from lexls.text.lexicon import split_words

_KINDS = tuple(kind for kind in get_args(CitationKind) if kind != "record")
_PINPOINTS = get_args(PinpointKind)
_FIELDS = split_words("""
    id jurisdiction kind pattern key pinpoint elsewhere not_in examples source years volumes most dated padded
    around at_home
""")
_AROUND = split_words("""
    date bracketed-date court-and-year strasbourg no-court-behind section-signs page-range name-behind
    name-without-versus note needs-name needs-name-or-date key-by-name title long-title makers case-word
    name-said
""")
_YEARS = re.compile(r"(\d{4})-(\d{4})?")
_ANCHOR = re.compile(r"(\d{1,4}) (\d{4})(?:-(\d{4}))?")


class FormError(ValueError):
    """An unusable citation form; the message names its source, id and field."""


@dataclass(frozen=True, slots=True)
class Example:
    """A citation as written, and the expected reading; tests check both."""

    text: str
    key: str = ""
    pinpoint: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A citation form: ``patterns`` are templates (see `lexls.citations.templates`), ``keys`` the templates
    of the normalised form, one for each pattern.

    ``names`` maps, for each token with names, canonical names to their variants. ``pinpoint`` is the unit of
    a bare number after the citation. ``elsewhere`` says whether the form is also read in drafts of other
    jurisdictions, or in which ones; ``not_in`` lists jurisdictions where it is never read. A ``dated`` form
    must be followed by a year in brackets that is possible for its report. Numbers of a ``padded`` form may
    have leading zeros, which the key omits. ``around`` lists what may surround the citation besides names and
    pinpoints; the README of the forms explains each word. An ``at_home`` form is read only in drafts of its
    own jurisdiction, and only if no other form matches.

    The limits of a report or court are given by its canonical name: ``years`` are its first and last year
    (None if it continues), ``volumes`` some of its running volumes with their first and last years, and
    ``most`` the largest number of volumes or judgments in a year.
    """

    id: str
    jurisdiction: str
    kind: CitationKind
    patterns: tuple[tuple[templates.Part, ...], ...]
    keys: tuple[tuple[templates.Part, ...], ...]
    names: Mapping[str, Mapping[str, tuple[str, ...]]]
    pinpoint: PinpointKind
    elsewhere: bool | tuple[str, ...]
    not_in: tuple[str, ...]
    dated: bool = False
    padded: bool = False
    at_home: bool = False
    around: frozenset[str] = frozenset()
    years: Mapping[str, tuple[int, int | None]] = field(default_factory=dict, repr=False)
    volumes: Mapping[str, tuple[tuple[int, int, int], ...]] = field(default_factory=dict, repr=False)
    most: Mapping[str, int] = field(default_factory=dict, repr=False)
    examples: tuple[Example, ...] = field(default=(), repr=False)


def read_forms(table: Mapping[str, Any], source: str, usual: Iterable[str] = ()) -> Iterator[Form]:
    """Yield the form defined by a TOML table and, if it has ``at_home`` patterns, a second form for these;
    see `read_form`.
    """
    yield read_form({name: value for name, value in table.items() if name != "at_home"}, source, usual)
    if "at_home" in table:
        key = table.get("key", table.get("pattern"))
        changed = {
            "id": f"{table['id']}-at-home",
            "pattern": table["at_home"],
            "key": key if isinstance(key, str) or not key else key[0],
            "elsewhere": False,
            "examples": [],
        }
        yield read_form({**table, **changed}, source, usual)


def read_form(table: Mapping[str, Any], source: str, usual: Iterable[str] = ()) -> Form:
    """Return the form defined by a TOML table. Raise FormError naming ``source`` and the faulty field.

    ``usual`` lists what may surround any citation of the form's jurisdiction.
    """
    form_id = table.get("id")
    if not isinstance(form_id, str) or not form_id:
        raise FormError(f"{source}: a citation form has no `id`")
    where = f"{source}: citation form {form_id!r}"
    jurisdiction = _text(table, "jurisdiction", where, "")
    kind = _choice(table, "kind", where, "case", _KINDS)
    names = {name: _names(value, name, where) for name, value in table.items() if name not in _FIELDS}
    patterns, keys, tokens = _templates(table, names, where)
    pinpoint = _choice(table, "pinpoint", where, _default_pinpoint(tokens, kind), _PINPOINTS)
    elsewhere = table.get("elsewhere", True)
    if not isinstance(elsewhere, bool) and not _are_texts(elsewhere):
        raise FormError(f"{where}: `elsewhere` must be true or false, or a list of jurisdictions")
    not_in = table.get("not_in", [])
    if not _are_texts(not_in):
        raise FormError(f"{where}: `not_in` must be a list of jurisdictions")
    dated, padded = (_flag(table, name, where) for name in ("dated", "padded"))
    around = table.get("around", ())
    if not isinstance(around, list | tuple) or not _AROUND.issuperset(around):
        raise FormError(f"{where}: `around` must be a list of {', '.join(sorted(_AROUND))}")
    return Form(
        id=form_id,
        jurisdiction=jurisdiction,
        kind=cast(CitationKind, kind),
        patterns=patterns,
        keys=keys,
        names=names,
        pinpoint=cast(PinpointKind, pinpoint),
        elsewhere=elsewhere if isinstance(elsewhere, bool) else tuple(elsewhere),
        not_in=tuple(not_in),
        dated=dated,
        padded=padded,
        at_home="at_home" in table,
        around=frozenset((*usual, *around)),
        years={name: _span_of_years(text, where) for name, text in _facts(table, "years", names, where)},
        volumes={name: _anchors(text, where) for name, text in _facts(table, "volumes", names, where)},
        most={name: _count(text, where) for name, text in _facts(table, "most", names, where)},
        examples=_examples(table.get("examples", []), where),
    )


def _templates(
    table: Mapping[str, Any], names: Mapping[str, Mapping[str, Any]], where: str
) -> tuple[tuple[tuple[templates.Part, ...], ...], tuple[tuple[templates.Part, ...], ...], set[str]]:
    """Return a form's patterns, the templates of their keys, and the tokens in the patterns."""
    raw = table.get("pattern")
    written = [raw] if isinstance(raw, str) else raw
    if not written or not _are_texts(written):
        raise FormError(f"{where}: `pattern` must be a template or a list of templates")
    try:
        patterns = tuple(templates.parse(entry) for entry in written)
        keys = tuple(templates.parse(entry) for entry in _keys(table, written, where))
        for parts in patterns:
            templates.check(parts, names)
    except templates.FormTemplateError as error:
        raise FormError(f"{where}: `pattern` or `key`: {error}") from None
    tokens, of_keys = (
        {part.text: None for parts in each for part in parts if part.kind == "token"}
        for each in (patterns, keys)
    )
    for token in of_keys:
        if token not in tokens:
            raise FormError(f"{where}: `key` has a token {{{token}}} that no pattern has")
    for name in names:
        if name not in tokens:
            raise FormError(f"{where}: unknown field `{name}` (no token {{{name}}} in its pattern)")
    return patterns, keys, set(tokens)


def _keys(table: Mapping[str, Any], patterns: list[str], where: str) -> list[str]:
    """Return the key template of each pattern. The field has one template for all patterns, or one
    for each.
    """
    raw = table.get("key", patterns[0])
    if isinstance(raw, str):
        return [raw] * len(patterns)
    if not _are_texts(raw) or len(raw) != len(patterns):
        raise FormError(f"{where}: `key` must be a template, or a list of one template for each pattern")
    return raw


def _are_texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _flag(table: Mapping[str, Any], name: str, where: str) -> bool:
    value = table.get(name, False)
    if not isinstance(value, bool):
        raise FormError(f"{where}: `{name}` must be true or false")
    return value


def _choice(table: Mapping[str, Any], name: str, where: str, default: str, choices: Sequence[str]) -> str:
    value = _text(table, name, where, default)
    if value not in choices:
        raise FormError(f"{where}: `{name}` is {value!r}, not one of {', '.join(choices)}")
    return value


def _text(table: Mapping[str, Any], name: str, where: str, default: str) -> str:
    value = table.get(name, default)
    if not isinstance(value, str):
        raise FormError(f"{where}: `{name}` must be text, not {type(value).__name__}")
    return value


def _names(value: Any, name: str, where: str) -> dict[str, tuple[str, ...]]:
    """Return the names of a token, given as a list, a table from canonical names to variants, or text for
    either.

    In text, a line break or semicolon ends a name, " = " introduces its variants, and " | " separates them.
    """
    if isinstance(value, str):
        value = _listed(value)
    if isinstance(value, list):
        value = {entry: [] for entry in value}
    if not isinstance(value, Mapping) or not value:
        raise FormError(f"{where}: `{name}` must be a list of names or a table of names and their variants")
    table: dict[str, tuple[str, ...]] = {}
    for canonical, variants in value.items():
        if isinstance(variants, str):
            variants = [variants]
        if not isinstance(canonical, str) or not isinstance(variants, list):
            raise FormError(f"{where}: `{name}`: the variants of {canonical!r} must be a list")
        if not canonical or not all(isinstance(entry, str) and entry for entry in variants):
            raise FormError(f"{where}: `{name}` holds a name that is empty or no text")
        table[canonical] = tuple(variants)
    return table


def _listed(text: str) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for entry in text.replace(";", "\n").splitlines():
        name, _, variants = entry.partition(" = ")
        if name.strip():
            table[name.strip()] = (
                [variant.strip() for variant in variants.split(" | ")] if variants.strip() else []
            )
    return table


def _facts(
    table: Mapping[str, Any], name: str, names: Mapping[str, Mapping[str, Any]], where: str
) -> list[tuple[str, str]]:
    """Return the values that a field gives for reports or courts, each with the canonical name."""
    if not table.get(name):
        return []
    facts = []
    for canonical, said in _names(table[name], name, where).items():
        if not any(canonical in known for known in names.values()):
            raise FormError(f"{where}: `{name}`: {canonical!r} is no name of this form")
        facts.append((canonical, said[0] if said else ""))
    return facts


def _span_of_years(text: str, where: str) -> tuple[int, int | None]:
    match = _YEARS.fullmatch(text)
    if match is None:
        raise FormError(f'{where}: `years`: {text!r} is no span such as "2009-" or "2001-2009"')
    return int(match[1]), int(match[2]) if match[2] else None


def _anchors(text: str, where: str) -> tuple[tuple[int, int, int], ...]:
    anchors = []
    for pair in text.split(","):
        match = _ANCHOR.fullmatch(pair.strip())
        if match is None:
            raise FormError(f"{where}: `volumes`: {pair.strip()!r} is no volume and year")
        anchors.append((int(match[1]), int(match[2]), int(match[3] or match[2])))
    if any(a[0] >= b[0] or a[2] > b[2] for a, b in pairwise(anchors)):
        raise FormError(f"{where}: `volumes` must rise: {text}")
    return tuple(anchors)


def _count(text: str, where: str) -> int:
    if not text.isdigit():
        raise FormError(f"{where}: `most`: {text!r} is no number")
    return int(text)


def _default_pinpoint(tokens: set[str], kind: str) -> str:
    if kind in ("statute", "regulation", "rule", "constitution", "treaty"):
        return {"regulation": "regulation", "rule": "rule", "statute": "section"}.get(kind, "article")
    return "page" if "page" in tokens else "paragraph"


def _examples(value: Any, where: str) -> tuple[Example, ...]:
    if not isinstance(value, list):
        raise FormError(f"{where}: `examples` must be a list")
    examples = []
    for entry in value:
        if isinstance(entry, str):
            examples.append(Example(entry))
            continue
        if not isinstance(entry, Mapping) or not isinstance(entry.get("text"), str):
            raise FormError(f"{where}: an example must be text or a table with `text`, `key` and `pinpoint`")
        pinpoint = entry.get("pinpoint", [])
        if isinstance(pinpoint, str):
            pinpoint = [pinpoint]
        key = entry.get("key", "")
        unknown = set(entry) - {"text", "key", "pinpoint"}
        if unknown or not isinstance(key, str) or not all(isinstance(label, str) for label in pinpoint):
            raise FormError(f"{where}: the example {entry['text']!r} has a wrong field")
        examples.append(Example(entry["text"], key, tuple(pinpoint)))
    return tuple(examples)
