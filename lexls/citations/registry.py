"""Look up citation forms by the first letters of a possible citation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, get_args

from lexls.citations import templates, us_reporters
from lexls.citations.form import Form, FormError, read_forms
from lexls.citations.jurisdiction import find_jurisdiction, load_jurisdictions
from lexls.citations.model import DASHES, CitationKind, fold, join_spaces
from lexls.text.kept import read_toml
from lexls.text.spans import Span

# Forms without a jurisdiction: journals, treaties.
_EVERYWHERE = ("works", "international")
_LETTERS = re.compile(r"[^A-Za-z\n]{0,24}(?:\n[ \t]{0,20})?([A-Za-z]+)")
# The court and year after a US citation, with any pages between, or the report that reprints it.
_YEAR_BEHIND = re.compile(
    r"[\d\s,–-]{0,24}(?:\((?:[^()\n]{0,40}[\s.])?(?P<year>(?:1[6-9]|20)\d\d)\)|\sF(?:ed)?\.\s?Cas\.|\sL\.\s?Ed\.)"
)
_GROUP_NAME = re.compile(r"\(\?P<\w+>")
_NO_LETTERS = re.compile(r"[^A-Za-z0-9]+")
_ZEROS = str.maketrans("123456789", "000000000")
# A name's first ``_HEAD`` letters are usually near, and always within ``_HEAD_WITHIN`` code points.
_HEAD = 8
_HEAD_NEAR = 24
_HEAD_WITHIN = 200
_HEADS_KEPT = 10_000
_BEHIND_NAME = frozenset(",;([")


@dataclass(frozen=True, slots=True)
class Act:
    """A well-known Act: its key and the names under which drafts cite it.

    ``own`` are names that mean this Act only in drafts of its jurisdiction ("Constitution").
    ``abbreviations`` name it only if a section is given ("ERISA § 502"). ``provisions`` are provisions with
    names of their own ("Rule 10b-5").
    """

    key: str
    jurisdiction: str
    names: tuple[str, ...]
    kind: CitationKind = "statute"
    own: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    provisions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CoreMatch:
    """A core citation found in a text, with the values of its template's tokens.

    ``needs_name`` is true if the year that the form requires is missing, or a comma follows the report ("88
    Iowa, 257"). The match is then a citation only if a case name precedes it.
    """

    span: Span
    form: Form
    key: str
    values: Mapping[str, str]
    pattern: re.Pattern[str]
    needs_name: bool = False

    def find(self, token: str, text: str) -> Span | None:
        """Return the span of a token's value in the text that was matched, or None if the token has
        no value.
        """
        # Match again rather than store the spans: few are needed, and a long text has hundreds of thousands.
        match = self.pattern.match(text, self.span.start) if token in self.values else None
        return Span(*match.span(token)) if match is not None else None

    @property
    def year(self) -> int | None:
        """The year in the core, if any; a two-digit year is taken as 1950 to 2049."""
        year = self.values.get("year", "")[:4] or self.values.get("shortyear", "")
        if len(year) == 2:
            year = f"{19 + (year < '50')}{year}"
        return int(year) if year.isdigit() else None

    def as_listed(self, text: str) -> bool:
        """Return whether ``text`` writes the report or court exactly as the form lists it: "TC" is not
        written as "T.C.".
        """
        for token, table in self.form.names.items():
            span = self.find(token, text)
            if span is None:
                continue
            written = join_spaces(span.of(text))
            if not any(written == name or written in others for name, others in table.items()):
                return False
        return True


class _TokenNames:
    """The names of a form's tokens, in the data structures that matching needs. Each is built on
    first use.
    """

    def __init__(self, form: Form) -> None:
        self._tables = form.names
        self.variants: dict[str, tuple[str, ...]] = {
            token: tuple(name for canonical, others in table.items() for name in (canonical, *others))
            for token, table in form.names.items()
        }
        self._canonical: dict[str, dict[str, str]] = {}
        self._by_letter: dict[str, dict[str, list[str]]] = {}
        self._by_word: dict[tuple[str, str], dict[str, list[str]]] = {}

    def by_first_letter(self, token: str) -> dict[str, list[str]]:
        """Return the names of a token, grouped by their first character without full stops and spaces."""
        if token not in self._by_letter:
            found: dict[str, list[str]] = {}
            for name in self.variants[token]:
                found.setdefault(name.lstrip(" .")[:1], []).append(name)
            self._by_letter[token] = found
        return self._by_letter[token]

    def by_first_words(self, token: str, letter: str) -> dict[str, list[str]]:
        """Return the names of a token with this first letter, grouped by the first words with which they may
        be written.
        """
        if (token, letter) not in self._by_word:
            names = self.by_first_letter(token).get(letter, ())
            self._by_word[token, letter] = templates.by_first_words(names)
        return self._by_word[token, letter]

    def canonical(self, token: str, written: str) -> str:
        """Return the canonical name of a token's value. If the token has no names, return the value with
        single spaces.
        """
        if token not in self._tables:
            return join_spaces(written.translate(DASHES))
        table = self._canonical.get(token)
        if table is None:
            table = {fold(name): name for name in self._tables[token]}
            for name, variants in self._tables[token].items():
                for variant in (name, *variants):
                    table.setdefault(fold(variant), name)
                    table.setdefault(fold(variant.replace("&", "and")), name)
            self._canonical[token] = table
        return table[fold(written)]


@dataclass(frozen=True, eq=False)
class _FormPattern:
    """One of a form's templates with its key.

    ``leading`` is the token whose names provide the first letters of matches or, if there is none, the
    template's own first word.
    """

    form: Form
    parts: tuple[templates.Part, ...]
    key: tuple[templates.Part, ...]
    names: _TokenNames
    leading: str = ""

    def by_first_words(self, letter: str) -> Mapping[str, list[str] | None]:
        """Map each word with this first letter that can begin a match to the names of the leading token that
        begin with it.

        The value is None if the word is the template's own.
        """
        if self.leading in self.names.variants:
            return dict(self.names.by_first_words(self.leading, letter))
        own = self.leading
        return dict.fromkeys(templates.list_first_words(own) if own.isupper() else [own])

    @cached_property
    def place(self) -> int:
        """The index of the part with the leading name or word, or -1 if some matches lack it."""
        texts = [part.text for part in self.parts]
        place = texts.index(self.leading) if self.leading in texts else -1
        always = texts[:place].count("<") <= texts[:place].count(">") and not self.parts[place].optional
        return place if always else -1

    @cached_property
    def paged(self) -> bool:
        """True if a page number immediately follows the report."""
        texts = [part.text for part in self.parts if part.kind != "space"]
        return ("report", "page") in pairwise(texts)

    @cached_property
    def opening(self) -> re.Pattern[str] | None:
        """Pattern of the text before the leading name, or None if that name is optional."""
        if self.place < 0 or self.leading not in self.names.variants:
            return None
        whole = templates.make_pattern(self.parts, {**self.names.variants, self.leading: ()})
        return re.compile(whole.partition(f"(?P<{self.leading}>")[0] + r"(?=[^\W\d_])")


@dataclass(slots=True)
class _FormEntry:
    """A form's pattern for matches with one first word, compiled on first use.

    ``variants`` are the names of the leading token that begin with the word, or None if the word is the
    template's own.
    """

    of: _FormPattern
    variants: list[str] | None = None
    regex: re.Pattern[str] | None = None

    def heads(self) -> tuple[str, ...]:
        """Return prefixes of the matches' letters and digits, with "0" for any digit. Every match begins with
        one of them.
        """
        if self.of.place < 0:
            return ("",)
        behind = templates.find_letters(self.of.parts[self.of.place + 1 :], self.of.names.variants)
        heads = set()
        for name in [self.of.leading] if self.variants is None else self.variants:
            # An ampersand may be written "and".
            known, ampersand, _ = name.partition("&")
            letters = _letters(known if ampersand else f"{known}{behind}")
            heads.add(letters[: letters.find("0") + 1 or _HEAD][:_HEAD])
        return tuple(heads)

    def pattern(self) -> str:
        """Return the regular expression of the form for matches that begin with this entry's word."""
        names: Mapping[str, Sequence[str]] = self.of.names.variants
        if self.variants is not None:
            names = {**names, self.of.leading: self.variants}
        return templates.make_pattern(self.of.parts, names)

    def match(self, text: str, start: int) -> CoreMatch | None:
        opening, form = self.of.opening, self.of.form
        if opening is not None and opening.match(text, start) is None:
            return None
        if self.regex is None:
            self.regex = re.compile(self.pattern())
        match = self.regex.match(text, start)
        if match is None:
            return None
        year = _YEAR_BEHIND.match(text, match.end()) if form.dated else None
        # Old opinions have a comma after the report: "88 Iowa, 257".
        comma = self.of.paged and "," in text[match.end("report") : match.start("page")]
        needs_name = (form.dated and year is None) or comma
        if needs_name and (form.kind != "case" or not _may_be_named(match)):
            return None
        values = {
            token: self.of.names.canonical(token, value)
            for token, value in match.groupdict().items()
            if value is not None
        }
        if year is not None and year["year"] and not _within(int(year["year"]), form, values):
            return None
        written = values
        if form.padded and values.get("number", "").startswith("0"):
            written = {**values, "number": values["number"].lstrip("0") or "0"}
        key = templates.render(self.of.key, written)
        return CoreMatch(Span(*match.span()), form, key, values, self.regex, needs_name)


class _Bucket:
    """The entries for matches with the same opening and first word."""

    __slots__ = ("_by_head", "_heads", "_which", "entries")

    def __init__(self, entries: Iterable[_FormEntry] = ()) -> None:
        self.entries = list(entries)
        self._heads: list[tuple[_FormEntry, tuple[str, ...]]] = []
        self._by_head: dict[str, tuple[_FormEntry, ...]] = {}
        self._which: re.Pattern[str] | None = None

    def match(self, text: str, start: int) -> list[CoreMatch]:
        """Return the matches at ``start`` if forms in this bucket may begin with any letters."""
        if self._which is None:
            # One group for each entry, all matched at once: few numbers in a text begin a citation.
            patterns = (_GROUP_NAME.sub("(?:", entry.pattern()) for entry in self.entries)
            self._which = re.compile("".join(f"(?:(?=({each}))|)" for each in patterns))
        which = self._which.match(text, start)
        if which is None or which.lastindex is None:
            return []
        read = zip(self.entries, which.groups(), strict=True)
        return _readings((entry for entry, group in read if group is not None), text, start)

    def match_word(self, text: str, start: int, letters: int) -> list[CoreMatch]:
        """Return the matches at ``start``, where ``letters`` is the offset of the first letter.

        Only patterns that can match are compiled, since compiling all those of a large jurisdiction takes a
        second.
        """
        # One letter more: the first may belong to a volume ("3A").
        head = _read_head(text, letters, _HEAD_NEAR)
        if len(head) <= _HEAD:
            head = _read_head(text, letters, _HEAD_WITHIN)
        entries = self._by_head.get(head)
        if entries is None:
            self._heads = self._heads or [(entry, entry.heads()) for entry in self.entries]
            if len(self._by_head) >= _HEADS_KEPT:
                self._by_head.clear()
            entries = self._by_head[head] = tuple(
                e for e, heads in self._heads if head.startswith(heads) or head[1:].startswith(heads)
            )
        return _readings(entries, text, start) if entries else []


def _read_head(text: str, start: int, reach: int) -> str:
    """Return the first letters of ``text`` after ``start``, at most one more than a head has.

    Only ``reach`` code points are read.
    """
    return _letters(text[start : start + reach])[: _HEAD + 1]


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).translate(_ZEROS)


def _readings(entries: Iterable[_FormEntry], text: str, start: int) -> list[CoreMatch]:
    return [reading for entry in entries if (reading := entry.match(text, start)) is not None]


class _Index:
    """The forms that are read in drafts of one jurisdiction, by the first letters of their matches."""

    def __init__(self, forms: Sequence[tuple[Form, _TokenNames]], jurisdiction: str) -> None:
        # By the opening of a citation ("bracket", "digit", "word").
        self.open: dict[str, _Bucket] = {}
        self._by_letter: dict[tuple[str, str], list[_FormPattern]] = {}
        self._known: dict[tuple[str, str], frozenset[str]] = {}
        self._buckets: dict[tuple[str, str], _Bucket] = {}
        # The draft's own first, then those without a jurisdiction (journals), then other jurisdictions'.
        readable = [entry for entry in forms if _readable(entry[0], jurisdiction)]
        readable.sort(key=lambda entry: (entry[0].jurisdiction != jurisdiction) + bool(entry[0].jurisdiction))
        for form, names in readable:
            self._add(form, names)

    def _add(self, form: Form, names: _TokenNames) -> None:
        for parts, key in zip(form.patterns, form.keys, strict=True):
            opening = templates.find_opening(parts)
            token, own = templates.find_leading(parts, names.variants)
            if not token and not own:
                pattern = _FormPattern(form, parts, key, names)
                self.open.setdefault(opening, _Bucket()).entries.append(_FormEntry(pattern))
                continue
            pattern = _FormPattern(form, parts, key, names, token or own)
            for letter in names.by_first_letter(token) if token else (own[0],):
                self._by_letter.setdefault((opening, letter), []).append(pattern)

    def find(self, opening: str, word: str) -> _Bucket | None:
        """Return the entries for this opening and first word ``word``, or None if there are none.

        They are built on first use, since a text contains few of the thousands of words.
        """
        at = opening, word[0]
        patterns = self._by_letter.get(at, ())
        if at not in self._known:
            known = (pattern.by_first_words(word[0]) for pattern in patterns)
            self._known[at] = frozenset(chain.from_iterable(known))
        if word not in self._known[at]:
            return None
        bucket = self._buckets.get((opening, word))
        if bucket is None:
            bucket = self._buckets[opening, word] = _Bucket(
                _FormEntry(pattern, words[word])
                for pattern in patterns
                if word in (words := pattern.by_first_words(word[0]))
            )
        return bucket


class Registry:
    """All citation forms, lexls's own and the user's, prepared for matching."""

    def __init__(self, forms: Sequence[Form], acts: Sequence[Act]) -> None:
        self.forms = tuple(forms)
        self.acts = tuple(acts)
        self._named = [(form, _TokenNames(form)) for form in self.forms]
        self._indexes: dict[str, _Index] = {}

    @classmethod
    def load(cls, extra: Sequence[Mapping[str, Any]] = ()) -> Registry:
        """Load the forms of all jurisdictions, the general forms and the ``extra`` forms, which override
        them.

        If two jurisdictions have forms with the same words, and neither draft nor text decides between them,
        the jurisdiction with the lower rank wins.
        """
        own = [form for table in extra if "acts" not in table for form in _read_forms(table, _source(table))]
        own_ids = {form.id for form in own}
        if len(own_ids) != len(own):
            raise FormError("citations.forms: two citation forms have the same `id`")
        forms = list(own)
        acts: list[Act] = []
        for table in extra:
            if "acts" in table:
                acts.extend(_own_acts(table["acts"], str(table.get("jurisdiction", "")), _source(table)))
        files = [(place.code, place.read("forms.toml")) for place in load_jurisdictions().values()]
        folder = Path(__file__).with_name("jurisdictions")
        files.extend(("", read_toml(folder / f"{name}.toml")) for name in _EVERYWHERE)
        for jurisdiction, data in files:
            for table in data.get("forms", []):
                if table["id"] not in own_ids:
                    source = f"forms of {jurisdiction or 'no place'}"
                    forms.extend(_read_forms({"jurisdiction": jurisdiction, **table}, source))
            acts.extend(_acts(data.get("acts", {}), jurisdiction))
        return cls(forms, acts)

    def starts(self, words: Iterable[str], jurisdiction: str) -> Set[str]:
        """Return those of these words that begin a form of the jurisdiction."""
        index = self._index(jurisdiction)
        return {word for word in words if index.find("word", word) is not None}

    def _index(self, jurisdiction: str) -> _Index:
        index = self._indexes.get(jurisdiction)
        if index is None:
            named = self._named
            for place in load_jurisdictions().values():
                if "reporters-db" in place.databases and jurisdiction in ("", place.code):
                    own = [form for form in self.forms if form.jurisdiction in ("", place.code)]
                    further = us_reporters.make_reporter_forms(own, place)
                    named = [*named, *((form, _TokenNames(form)) for form in further)]
            index = self._indexes[jurisdiction] = _Index(named, jurisdiction)
        return index

    def match(self, text: str, start: int, opening: str, jurisdiction: str) -> list[CoreMatch]:
        """Return all readings of a core citation that begins at ``start``, the most likely first."""
        index = self._index(jurisdiction)
        for letters in _first_letters(text, start, opening):
            bucket = index.find(opening, letters[1])
            matches = bucket.match_word(text, start, letters.start(1)) if bucket is not None else []
            if matches:
                return matches
        bucket = index.open.get(opening)
        return bucket.match(text, start) if bucket is not None else []


def _first_letters(text: str, start: int, opening: str) -> Iterator[re.Match[str]]:
    """Yield the runs of letters by which a core citation at ``start`` may be looked up: one, or at most two.

    If the first run is a single letter after the first number, it may belong to the volume ("17A Am. Jur.
    2d"), and the second run is also tried.
    """
    found = _LETTERS.match(text, start)
    if found is None:
        return
    yield found
    if opening == "digit" and len(found[1]) == 1 and text[start : found.start(1)].isdigit():
        behind = _LETTERS.match(text, found.end())
        if behind is not None:
            yield behind


def _read_forms(table: Mapping[str, Any], source: str) -> Iterator[Form]:
    """Yield the forms in a table, including what may surround all citations of its jurisdiction."""
    return read_forms(table, source, find_jurisdiction(str(table.get("jurisdiction", ""))).around)


def _within(year: int, form: Form, values: Mapping[str, str]) -> bool:
    """Return whether every report in a citation can have a case of this year."""
    spans = [form.years[name] for name in values.values() if name in form.years]
    return all(first <= year and (last is None or year <= last + 1) for first, last in spans)


def _may_be_named(match: re.Match[str]) -> bool:
    """Return whether the text before a citation allows it to follow a case name or a parallel citation."""
    before = match.string[max(0, match.start() - 3) : match.start()].rstrip()[-1:]
    return before in _BEHIND_NAME and sum(map(str.isalpha, match.group())) > 1


def _readable(form: Form, jurisdiction: str) -> bool:
    if not jurisdiction or form.jurisdiction in ("", jurisdiction):
        return True
    if jurisdiction in form.not_in:
        return False
    return form.elsewhere if isinstance(form.elsewhere, bool) else jurisdiction in form.elsewhere


def check_tables(extra: Sequence[Mapping[str, Any]]) -> tuple[tuple[Mapping[str, Any], ...], tuple[str, ...]]:
    """Return the user's valid tables. For each of the others, also return an error naming file and field."""
    sound: list[Mapping[str, Any]] = []
    faults: list[str] = []
    ids: set[str] = set()
    for table in extra:
        try:
            if "acts" in table:
                _own_acts(table["acts"], str(table.get("jurisdiction", "")), _source(table))
            else:
                form, *_ = _read_forms(table, _source(table))
                if form.id in ids:
                    raise FormError(f"{_source(table)}: a second citation form with the `id` {form.id!r}")
                ids.add(form.id)
        except FormError as error:
            faults.append(str(error))
        else:
            sound.append(table)
    return tuple(sound), tuple(faults)


def _source(table: Mapping[str, Any]) -> str:
    """Return the name of the file from which a user's table comes, or of the setting."""
    return str(table.get("source", "citations.forms"))


def _own_acts(tables: Any, jurisdiction: str, source: str) -> list[Act]:
    """Return the Acts in a user's file; raise FormError naming the file and the faulty Act."""
    if not isinstance(tables, Mapping):
        raise FormError(f"{source}: `acts` must be a table of Acts")
    for key, entry in tables.items():
        act = entry if isinstance(entry, Mapping) else {"names": entry}
        for each in ("names", "own", "abbreviations"):
            names = act.get(each, None if each == "names" else [])
            if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
                raise FormError(f"{source}: act {key!r}: `{each}` must be a list of names")
        places = act.get("provisions", {})
        if not isinstance(places, Mapping) or not all(isinstance(place, str) for place in places.values()):
            raise FormError(f"{source}: act {key!r}: `provisions` must be a table of places")
        if act.get("kind", "statute") not in get_args(CitationKind):
            raise FormError(f"{source}: act {key!r}: `kind` is {act.get('kind')!r}")
    return _acts(tables, jurisdiction)


def _acts(tables: Mapping[str, Any], jurisdiction: str) -> list[Act]:
    """Read the Acts in a file. Each key has a list of names, or a table with names and kind."""
    acts: list[Act] = []
    for key, entry in tables.items():
        act: Mapping[str, Any] = {"names": entry} if isinstance(entry, list) else entry
        kind, own = act.get("kind", "statute"), tuple(act.get("own", ()))
        short = tuple(act.get("abbreviations", ()))
        places = dict(act.get("provisions", {}))
        acts.append(Act(key, jurisdiction, tuple(act["names"]), kind, own, short, places))
    return acts
