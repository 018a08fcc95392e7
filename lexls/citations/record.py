"""Find citations of the papers of a record: "Compl. ¶ 12", "Smith Decl. Ex. A", "Tr. 45:12–18", "[B/2/45]".

A paper is known by its key ("ex 4", "dkt 31-2", "decl smith", "bundle b 2"), and so are the files that hold
papers (`record_files.py`). What is read of a text depends on that text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from lexls.citations.model import Pinpoint
from lexls.citations.pinpoints import find_after_case
from lexls.citations.scan import Scan
from lexls.citations.templates import list_first_words, make_flexible
from lexls.text.lexicon import read_roman, split_words
from lexls.text.phrases import define_parts, fill_pattern, load_phrases
from lexls.text.spans import Span

_BEFORE = 90
"""Code points before the name of a paper in which it is said whose it is."""
_MARKED = re.compile(r"at|p|¶|§|\[|P")
_DASH = re.compile(r"\s?[-‐‑–—]\s?")
_ATTACHMENT = re.compile(r"(?<=\d)[-./](?=\d)")
_DASH_IN_LABEL = re.compile(r"(?<=[a-z])-(?=\d)|(?<=\d)[-/](?=[a-z])")
_PLURAL = re.compile(r"s\b\.?|Nos\b")


@dataclass(frozen=True, slots=True)
class Paper:
    """A kind of paper, as a table of ``record.toml`` describes it; ``names`` is a pattern of them all."""

    key: str
    names: re.Pattern[str]
    numbered: str = ""
    person: str = ""
    bare: bool = False
    weak: str = ""
    anyones: bool = False
    titles: bool = False

    @property
    def is_exhibit(self) -> bool:
        """Whether it may be annexed to another paper."""
        return self.numbered == "exhibit"


@dataclass(frozen=True, slots=True)
class RecordForms:
    """All that ``record.toml`` says, ready to be matched."""

    papers: Mapping[str, Paper]
    by_word: Mapping[str, tuple[Paper, ...]]
    qualifiers: Mapping[str, re.Pattern[str]]
    owners: Mapping[str, re.Pattern[str]]
    before: re.Pattern[str]
    patterns: Mapping[str, re.Pattern[str]]
    files: Mapping[str, re.Pattern[str]]
    words: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class RecordCitation:
    """A citation of a paper of the record. Spans count in the text that was searched.

    ``core`` names the paper, ``span`` its place too. ``keys`` are those by which files are known, the surest
    first; a ``label`` is the number of a numbered paper, which a whole folder of them either has or has not;
    ``owned`` is the label's key without whose exhibit it is, "" if nobody's is said.
    """

    span: Span
    core: Span
    keys: tuple[str, ...]
    pinpoint: Pinpoint | None
    label: str = ""
    owned: str = ""


@dataclass(frozen=True, slots=True)
class PaperName:
    """One name of a paper in a text: ``[start, end)`` with whose it is, ``word`` where its own words begin.

    ``label`` is its number, ``page`` one that is written with it ("JS1/4"); ``several`` says that it names
    further papers behind the first ("Exs. C and D").
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
        """The key of the paper, then those of a file whose name says less."""
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


@cache
def load_record_forms() -> RecordForms:
    """The forms of lexls."""
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
    qualifiers = {key: _either(_listed(names)) for key, names in data["qualifiers"].items()}
    owners = {key: _either(_listed(names)) for key, names in data["owners"].items()}
    both = "|".join(each.pattern for each in (*owners.values(), *qualifiers.values()))
    return RecordForms(
        papers,
        {word: tuple(found) for word, found in by_word.items()},
        qualifiers,
        owners,
        re.compile(rf"(?<![\w.])(?:(?:{both})\s{{1,3}})+\Z"),
        {name: re.compile(fill_pattern(each, parts)) for name, each in data["patterns"].items()},
        {name: re.compile(each) for name, each in data["files"].items()},
        words,
    )


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(";")]


def _either(names: Sequence[str]) -> re.Pattern[str]:
    ordered = sorted(set(names), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(make_flexible, ordered))})(?![\w’'])")


def find_record_citations(text: str) -> list[RecordCitation]:
    """The citations of a record in a masked text, in order; they do not overlap."""
    forms = load_record_forms()
    names = list(find_names(text, forms))
    found = [*_find_bracketed(text, forms), *_find_numbered_witnesses(text, forms)]
    place = 0
    while place < len(names):
        group = [names[place]]
        gaps: list[str] = []
        while place + 1 < len(names) and (gap := _gap(text, group, names[place + 1], forms)) is not None:
            place += 1
            group.append(names[place])
            gaps.append(gap)
        place += 1
        if (citation := _cite(text, group, gaps, forms)) is not None:
            if place < len(names) and (filed := _as_filed(text, citation, names[place], forms)) is not None:
                citation, place = filed, place + 1
            found.append(citation)
    kept: list[RecordCitation] = []
    for each in sorted(found, key=lambda each: each.span):
        if kept and each.span.start < kept[-1].span.end:
            continue
        if kept and text[kept[-1].span.end : each.span.start] == ", ":
            each = replace(each, label="")  # it may be one of the paper cited before it: "Compl. ¶ 10, Ex. A"
        kept.append(each)
    return kept


def make_record_key(key: str) -> str:
    """The key of a paper as an index has it: no citation of an authority has one alike."""
    return f"record {_ATTACHMENT.sub(' att ', key)}"


def write_label(label: str) -> str:
    """A number of a paper as its key has it: "c3" for "C-3", "31-2", "4a"."""
    bare = _DASH.sub("-", label.lower())
    return _DASH_IN_LABEL.sub("", bare)


# -- names -------------------------------------------------------------------------------------------------


def find_names(text: str, forms: RecordForms) -> Iterator[PaperName]:
    """The names of papers in a text, in order, whether or not they are cited there."""
    last: PaperName | None = None
    low = 0
    for start, word in Scan(text).capitals(forms.by_word.keys()):
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
    """A name of ``paper`` whose own words begin at ``start``, all of it behind ``low``."""
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
    """A name with whose paper it is, and which of several."""
    name = _qualified(text, name, forms, low)
    if name.paper.key == "bundle" and (bundle := forms.patterns["of_bundle"].match(text, name.end)):
        name = replace(name, end=bundle.end(), label=write_label(bundle["label"]))
    if name.paper.person and not name.owner:
        before = forms.patterns["person_before"].search(text, max(low, name.start - _BEFORE), name.start)
        person = _read_person(before["person"], forms) if before is not None else ""
        if before is not None and person:
            start = before.end("person") - len(person)
            name = _qualified(text, replace(name, start=start, person=write_person(person)), forms, low)
        elif (
            not name.paper.numbered
            and (behind := forms.patterns["person_behind"].match(text, name.end)) is not None
            and (behind["of"] or name.paper.person == "must")
        ):
            person = _read_person(behind["person"], forms)
            name = replace(name, end=behind.end(), person=write_person(person))
            if not person:
                return None
        elif before is not None and before["person"].split()[-1] in forms.words["no_person"]:
            return None
        elif name.paper.is_exhibit and forms.patterns["anothers"].search(
            text, max(low, name.start - _BEFORE), name.start
        ):
            name = replace(name, owner="another")
    if name.paper.person == "must" and not name.person:
        return None
    volume = forms.patterns["volume"].match(text, name.end)
    if volume is not None:
        name = replace(name, end=volume.end(), volume=read_number(volume["volume"]))
    dated = forms.patterns["dated"].match(text, name.end)
    return replace(name, end=dated.end()) if dated is not None else name


def _qualified(text: str, name: PaperName, forms: RecordForms, low: int) -> PaperName:
    """A name with the owner and the qualifiers that stand before it."""
    if name.paper.numbered == "docket":
        return name
    before = forms.before.search(text, max(low, name.start - _BEFORE), name.start)
    if before is None:
        return name
    owner, qualifiers = name.owner, []
    rest = before.group().strip()
    while rest:
        for key, pattern in (*forms.owners.items(), *forms.qualifiers.items()):
            if (match := pattern.match(rest)) is not None:
                rest = rest[match.end() :].strip()
                if key in forms.owners:
                    owner = key
                elif key:
                    qualifiers.append(key)
                break
        else:
            return name
    return replace(name, start=before.start(), owner=owner, qualifiers=(*qualifiers, *name.qualifiers))


def _read_person(written: str, forms: RecordForms) -> str:
    """A person's name without the words before it that are none of it, "" if nothing is left."""
    words = written.split()
    while words and (words[0].strip(".") in forms.words["no_name"] or forms.before.search(f"{words[0]} ")):
        words.pop(0)
    if not words or forms.words["no_person"].intersection(words):
        return ""
    return written[written.index(words[0]) :]


def write_person(name: str) -> str:
    """A person's name as a key has it: "j marlow"."""
    return " ".join(name.replace(".", " ").replace("’", "'").lower().split()).removesuffix("'s")


def read_number(written: str) -> str:
    """A number in digits, also a roman one: "2" for "II"."""
    return written if written.isdigit() else str(read_roman(written.lower()) or written.lower())


# -- citations ---------------------------------------------------------------------------------------------


def _gap(text: str, group: Sequence[PaperName], name: PaperName, forms: RecordForms) -> str | None:
    """What joins a name to those before it, None if it is of another paper."""
    last = group[-1]
    gap = text[last.end : name.start]
    if len(gap) > 12 or forms.patterns["joined"].fullmatch(gap) is None:
        return None
    annexed = forms.patterns["annexed"].fullmatch(gap) is not None
    if annexed != (annexed and last.paper.is_exhibit) or name.paper in [each.paper for each in group]:
        return None
    return gap


def _cite(
    text: str, group: Sequence[PaperName], gaps: Sequence[str], forms: RecordForms
) -> RecordCitation | None:
    first, last = group[0], group[-1]
    end = last.end
    if any("(" in gap for gap in gaps) and text[end : end + 1] == ")":
        end += 1
    found = _find_place(text, end, last, forms)
    stop = found[1] if found is not None else last.end
    numbered = next((each for each in reversed(group) if each.paper.numbered), None)
    if found is None and numbered is None:
        return None
    for each in group:
        docket = each.paper.numbered == "docket"
        if docket and each is first and _is_series(text, each, forms):
            return None
        exhibit = each.paper.is_exhibit
        if exhibit and found is None and forms.patterns["hereto"].match(text, each.end) is not None:
            return None
    if _is_weak(first, found[0] if found is not None else None, len(group)) and not (
        forms.patterns["begins"].search(text, max(0, first.start - 24), first.start)
        and forms.patterns["ends"].match(text, stop)
    ):
        return None
    pinpoint = found[0] if found is not None else None
    keys, owned = _join_keys(group, gaps, forms)
    core = Span(first.start, last.end)
    alone = numbered is not None and len(group) == 1 and numbered.owner != "another"
    label = text[numbered.word : numbered.end] if numbered is not None and alone else ""
    return RecordCitation(Span(first.start, stop), core, keys, pinpoint, " ".join(label.split()), owned)


def _as_filed(
    text: str, citation: RecordCitation, name: PaperName, forms: RecordForms
) -> RecordCitation | None:
    """A citation with the entry of the docket behind its place: "Compl. ¶ 8, ECF No. 1"."""
    if citation.pinpoint is None or citation.keys[0].startswith("dkt ") or name.paper.numbered != "docket":
        return None
    if text[citation.span.end : name.start] != ", " or _find_place(text, name.end, name, forms) is not None:
        return None
    keys = tuple(dict.fromkeys((*name.keys, *citation.keys)))
    return replace(citation, span=Span(citation.span.start, name.end), keys=keys, label="")


def _is_weak(name: PaperName, pinpoint: Pinpoint | None, names: int) -> bool:
    if names > 1 or name.person or name.owner or not name.paper.weak:
        return False
    return name.paper.weak == "all" or pinpoint is None or pinpoint.kind == "page"


def _is_series(text: str, name: PaperName, forms: RecordForms) -> bool:
    """Whether what looks like an entry of the docket is a document of a series: "S. Doc. No. 99"."""
    return (
        not name.owner
        and forms.patterns["series"].search(text, max(0, name.start - 24), name.start) is not None
    )


def _join_keys(
    group: Sequence[PaperName], gaps: Sequence[str], forms: RecordForms
) -> tuple[tuple[str, ...], str]:
    """The keys of a paper with these names, and that of an exhibit without what it is annexed to."""
    keys, exhibit = list(group[0].keys), group[0].paper.is_exhibit
    first = replace(group[0], owner="", person="")
    owned = first.key if exhibit and first != group[0] else ""
    for gap, name in zip(gaps, group[1:], strict=True):
        if forms.patterns["annexed"].fullmatch(gap) is not None:
            owned = owned or keys[0]
            keys = [f"{other} {key}" for other in name.keys for key in keys]
        elif name.paper.is_exhibit and not exhibit:
            owned, exhibit = replace(name, owner="", person="").key, True
            keys = [f"{key} {other}" for key in keys for other in name.keys]
        elif name.paper.numbered == "docket":
            keys = [*name.keys, *keys]
        else:
            keys = [*keys, *name.keys]
    return tuple(dict.fromkeys(keys)), owned


def _find_place(text: str, end: int, name: PaperName, forms: RecordForms) -> tuple[Pinpoint, int] | None:
    """The place behind a name that ends at ``end``, and where that ends."""
    if name.page:
        return Pinpoint("page", (name.page,), Span(end - len(name.page), end)), end
    lines = forms.patterns["lines"].match(text, end)
    if lines is not None:
        return _as_lines(lines), lines.end()
    found = find_after_case(text, end, "page")
    if found is not None and _MARKED.search(text, end, found[0].span.start):
        if found[0].kind == "page" and forms.patterns["not_behind"].match(text, found[1]):
            return None
        return found
    bare = forms.patterns["bare"].match(text, end) if name.paper.bare else None
    if bare is None or forms.patterns["not_behind"].match(text, bare.end()):
        return None
    return Pinpoint("page", _read_pages(bare["labels"]), Span(*bare.span("labels"))), bare.end()


def _read_pages(written: str) -> tuple[str, ...]:
    return tuple(_DASH.sub("-", each.strip()) for each in written.split(","))


def _as_lines(match: re.Match[str]) -> Pinpoint:
    """Lines of a transcript as the paragraphs that they are: "45:12–18" is "45:12-45:18"."""
    labels = []
    for each in re.split(r"[,;]\s?", match["labels"]):
        first, _, last = _DASH.sub("-", each).partition("-")
        page = first.partition(":")[0]
        labels.append(f"{first}-{last if ':' in last else f'{page}:{last}'}" if last else first)
    return Pinpoint("paragraph", tuple(labels), Span(*match.span("labels")))


# -- bundles -----------------------------------------------------------------------------------------------


def _find_bracketed(text: str, forms: RecordForms) -> Iterator[RecordCitation]:
    if "[" not in text and "{" not in text:
        return
    for name in ("bracketed", "lettered"):
        for match in forms.patterns[name].finditer(text):
            bundle = f"bundle {match['bundle'].lower()}"
            tab = match["tab"] if name == "bracketed" else None
            keys = (f"{bundle} {tab.lower()}", bundle) if tab else (bundle,)
            span = Span(match.start() + 1, match.end())
            pinpoint = Pinpoint("page", _read_pages(match["pages"]), Span(*match.span("pages")))
            yield RecordCitation(Span(span.start, pinpoint.span.end), span, keys, pinpoint)
    for match in forms.patterns["day"].finditer(text):
        span = Span(match.start() + 1, match.end() - 1)
        lines = ":" in match["labels"]
        pages = Pinpoint("page", (match["labels"],), Span(*match.span("labels")))
        yield RecordCitation(span, span, (f"tr day {match['day']}",), _as_lines(match) if lines else pages)


def _find_numbered_witnesses(text: str, forms: RecordForms) -> Iterator[RecordCitation]:
    for match in forms.patterns["numbered_witness"].finditer(text):
        found = find_after_case(text, match.end("number"), "page")
        if found is not None and found[0].kind == "paragraph":
            keys = (f"ws {write_person(match['person'])} {match['number']}",)
            yield RecordCitation(Span(match.start(), found[1]), Span(*match.span()), keys, found[0])
