"""Find the names of papers of a record: "Compl.", "Second Oakes Decl.", "Def.'s Ex. 12", "Tr. vol. 2".

A paper is identified by its key ("ex 4", "dkt 31-2", "decl smith", "bundle b 2"). `record_files` gives the
files of papers the same keys. ``record.toml`` has the forms in which papers are named and cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from lexls.citations.scan import Scan
from lexls.citations.templates import list_first_words, make_flexible
from lexls.text.lexicon import read_roman, split_words
from lexls.text.phrases import Patterns, define_parts, fill_pattern, load_phrases

_BEFORE = 90
"""Number of code points before a paper's name in which its owner is looked for."""
_DASH = re.compile(r"\s?[-‐‑–—]\s?")
_DASH_IN_LABEL = re.compile(r"(?<=[a-z])-(?=\d)|(?<=\d)[-/](?=[a-z])")
_PLURAL = re.compile(r"s\b\.?|Nos\b")


@dataclass(frozen=True, slots=True)
class PaperName:
    """One name of a paper in a text. ``[start, end)`` includes its owner; ``word`` is the start of the name
    without the owner.

    ``label`` is the paper's number, ``page`` a page written with the number ("JS1/4"). ``several`` is true if
    the name introduces more papers after the first ("Exs. C and D").
    """

    start: int
    word: int
    end: int
    paper: Paper
    label: str = ""
    page: str = ""
    owner: str = ""
    qualifiers: tuple[str, ...] = ()
    person: str = ""
    volume: str = ""
    several: bool = False

    @property
    def key(self) -> str:
        """The key of the paper."""
        return self._join(self.person)

    @property
    def keys(self) -> Iterator[str]:
        """The key of the paper, followed by the keys of files whose names may be less specific."""
        names = [self.person]
        if " " in self.person and not self.paper.is_exhibit:
            names.append(f"any {self.person.rpartition(' ')[2]}")
        for name in names:
            yield self._join(name)
            if self.volume:
                yield replace(self, volume="any")._join(name)
            if self.qualifiers[:1] == ("1",):
                yield replace(self, qualifiers=self.qualifiers[1:])._join(name)
        if self.paper.key == "tr" and self.person:
            yield from replace(self, paper=load_record_forms().papers["dep"]).keys

    def _join(self, person: str) -> str:
        owner = "" if self.paper.anyones else self.owner
        said = self.qualifiers[1:] if self.qualifiers[:2] == ("1", "am") else self.qualifiers
        volume = f"vol {self.volume}" if self.volume else ""
        named = (person, self.paper.key) if self.paper.is_exhibit else (self.paper.key, person)
        return " ".join(filter(None, (owner, *said, *named, self.label, volume)))


def find_names(scan: Scan, forms: RecordForms) -> Iterator[PaperName]:
    """Yield the names of papers in a text, in order, whether the papers are cited there or only mentioned."""
    text = scan.text
    last: PaperName | None = None
    low = 0
    for start, word in scan.capitals(forms.by_word.keys()):
        if last is not None and start < last.end:
            continue
        qualifies = last is not None and forms.before.search(f"{text[last.word : last.end]} ") is not None
        if last is not None and not qualifies:
            low = last.end
        matches = (_match(text, start, paper, forms, low) for paper in forms.by_word[word])
        best = max(filter(None, matches), key=lambda each: (each.end, each.word), default=None)
        if best is None:
            continue
        if last is not None and best.start >= last.end:
            yield last
            low = last.end
        last = best
    if last is not None:
        yield last


def _match(text: str, start: int, paper: Paper, forms: RecordForms, low: int) -> PaperName | None:
    """Return the name of ``paper`` at ``start``, with any owner that is written before it but after ``low``.
    Return None if there is no name.
    """
    named = paper.names.match(text, start)
    if named is None or (paper.key.startswith("bundle ") and "." in named.group()):  # "H.B. 887", a bill
        return None
    name = PaperName(start, start, named.end(), paper)
    if paper.numbered:
        numbering = forms.patterns["numbering"].match(text, name.end)
        at = numbering.end() if numbering is not None else name.end
        at += len(text[at : at + 2]) - len(text[at : at + 2].lstrip(" "))
        label = forms.patterns[paper.numbered].match(text, at)
        if label is None or (at == named.end() and text[at - 1] != "."):
            return None
        page = label.groupdict().get("page") or ""
        name = replace(name, end=label.end(), label=write_label(label["label"]), page=page)
        if _PLURAL.search(text, start, at):
            first = _DASH.split(label["label"])[0]  # "Exs. 16-17" are two
            end = label.end() if first == label["label"] else label.start("label") + len(first)
            name = replace(name, label=write_label(first))
            while (more := forms.patterns["more"].match(text, end)) is not None:
                end = more.end()
            several = end > label.start("label") + len(first)
            name = replace(name, end=end, several=several)
    return _owned(text, name, forms, low)


def _owned(text: str, name: PaperName, forms: RecordForms, low: int) -> PaperName | None:
    """Return a name with the paper's owner, its volume and its date added. Return None if the name requires a
    person and there is none.
    """
    name = _qualified(text, name, forms, low)
    if name.paper.key == "bundle" and (bundle := forms.patterns["of_bundle"].match(text, name.end)):
        name = replace(name, end=bundle.end(), label=write_label(bundle["label"]))
    owned = _with_person(text, name, forms, low) if name.paper.person and not name.owner else name
    if owned is None or (owned.paper.person == "must" and not owned.person):
        return None
    name = owned
    if name.paper.counted and (
        before := forms.patterns["volume_before"].search(text, max(low, name.start - 4), name.start)
    ):
        name = replace(name, start=before.start(), volume=read_number(before["volume"]))
    volume = forms.patterns["volume"].match(text, name.end)
    if volume is not None:
        name = replace(name, end=volume.end(), volume=read_number(volume["volume"]))
    dated = forms.patterns["dated"].match(text, name.end)
    return replace(name, end=dated.end()) if dated is not None else name


def _with_person(text: str, name: PaperName, forms: RecordForms, low: int) -> PaperName | None:
    """Return a name with the person before or after it added, if any. Return None if it is not a paper's
    name.
    """
    around = text, max(low, name.start - _BEFORE), name.start
    before = forms.patterns["person_before"].search(*around)
    person = _read_person(before["person"], forms) if before is not None else ""
    if before is not None and person:
        start = before.end("person") - len(person)
        return _qualified(text, replace(name, start=start, person=write_person(person)), forms, low)
    behind = None if name.paper.numbered else forms.patterns["person_behind"].match(text, name.end)
    if behind is not None and (behind["of"] or name.paper.person == "must"):
        person = write_person(_read_person(behind["person"], forms))
        return replace(name, end=behind.end(), person=person) if person else None
    if before is not None and before["person"].split()[-1] in forms.words["no_person"]:
        return None
    anothers = name.paper.is_exhibit and forms.patterns["anothers"].search(*around) is not None
    return replace(name, owner="another") if anothers else name


def _qualified(text: str, name: PaperName, forms: RecordForms, low: int) -> PaperName:
    """Return a name with the owner and qualifiers before it added, if all words there are known."""
    if name.paper.numbered == "docket":
        return name
    before = forms.before.search(text, max(low, name.start - _BEFORE), name.start)
    if before is None:
        return name
    owner, qualifiers = name.owner, []
    rest = before.group().strip()
    while rest:
        for table, key in ((each, key) for each in (forms.owners, forms.qualifiers) for key in each.sources):
            if (match := table[key].match(rest)) is not None:
                rest = rest[match.end() :].strip()
                if table is forms.owners:
                    owner = key
                elif key:
                    qualifiers.append(key)
                break
        else:
            return name
    return replace(name, start=before.start(), owner=owner, qualifiers=(*qualifiers, *name.qualifiers))


def _read_person(written: str, forms: RecordForms) -> str:
    """Return a person's name without unrelated words before it, or "" if nothing is left."""
    words = written.split()
    while words and (words[0].strip(".") in forms.words["no_name"] or forms.before.search(f"{words[0]} ")):
        words.pop(0)
    if not words or forms.words["no_person"].intersection(words):
        return ""
    return written[written.index(words[0]) :]


def write_person(name: str) -> str:
    """Return a person's name as written in keys: "j marlow"."""
    return " ".join(name.replace(".", " ").replace("’", "'").lower().split()).removesuffix("'s")


def read_number(written: str) -> str:
    """Return a number in digits. A Roman numeral is converted: "2" for "II"."""
    return written if written.isdigit() else str(read_roman(written.lower()) or written.lower())


def write_label(label: str) -> str:
    """Return a paper's number as written in keys: "c3" for "C-3", "31-2", "4a"."""
    bare = _DASH.sub("-", label.lower())
    return _DASH_IN_LABEL.sub("", bare)


@dataclass(frozen=True, slots=True)
class Paper:
    """A kind of paper, from a table in ``record.toml``; ``named`` is a pattern of all its names."""

    key: str
    named: str
    numbered: str = ""
    person: str = ""
    bare: bool = False
    weak: str = ""
    anyones: bool = False
    titles: bool = False
    counted: bool = False

    @property
    def names(self) -> re.Pattern[str]:
        """The pattern of all its names, compiled on first use."""
        return _compile(self.named)

    @property
    def is_exhibit(self) -> bool:
        """True if a paper of this kind may be attached to another paper."""
        return self.numbered == "exhibit"


@dataclass(frozen=True, slots=True)
class RecordForms:
    """The contents of ``record.toml``, prepared for matching."""

    papers: Mapping[str, Paper]
    by_word: Mapping[str, tuple[Paper, ...]]
    qualifiers: Patterns
    owners: Patterns
    patterns: Patterns
    files: Patterns
    words: Mapping[str, frozenset[str]]

    @property
    def before(self) -> re.Pattern[str]:
        """Pattern of the words before a paper's name that give its owner or qualify it."""
        return self.patterns["before"]


@cache
def load_record_forms() -> RecordForms:
    """Return the record forms included in lexls."""
    data = load_phrases(__package__, "record.toml")
    words = {name: split_words(listing) for name, listing in data["words"].items()}
    parts = define_parts(data["parts"], {"attached": "|".join(sorted(words["attached"]))})
    papers: dict[str, Paper] = {}
    by_word: dict[str, list[Paper]] = {}
    for key, table in data["papers"].items():
        names = _listed(table.pop("names"))
        paper = papers[key] = Paper(key, _either(names), **table)
        for word in dict.fromkeys(word for name in names for word in list_first_words(name)):
            by_word.setdefault(word, []).append(paper)
    qualifiers, owners = (
        {key: _either(_listed(names)) for key, names in data[table].items()}
        for table in ("qualifiers", "owners")
    )
    both = "|".join((*owners.values(), *qualifiers.values()))
    patterns = {name: fill_pattern(each, parts) for name, each in data["patterns"].items()}
    patterns["before"] = rf"(?<![\w.])(?:(?:{both})\s{{1,3}})+\Z"
    return RecordForms(
        papers,
        {word: tuple(found) for word, found in by_word.items()},
        Patterns(qualifiers),
        Patterns(owners),
        Patterns(patterns),
        Patterns(data["files"]),
        words,
    )


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(";")]


def _either(names: Sequence[str]) -> str:
    ordered = sorted(set(names), key=len, reverse=True)
    return rf"(?:{'|'.join(map(make_flexible, ordered))})(?![\w’'])"


_compile = cache(re.compile)
