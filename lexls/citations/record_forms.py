"""Read the forms in which papers of a record are named and cited, of which ``record.toml`` is the data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lexls.citations.templates import list_first_words, make_flexible
from lexls.text.lexicon import split_words
from lexls.text.phrases import Patterns, define_parts, fill_pattern, load_phrases


@dataclass(frozen=True, slots=True)
class Paper:
    """A kind of paper, as a table of ``record.toml`` describes it; ``named`` matches all its names."""

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
        """The pattern of all its names, compiled when it is first asked for."""
        return _compile(self.named)

    @property
    def is_exhibit(self) -> bool:
        """Whether it may be annexed to another paper."""
        return self.numbered == "exhibit"


@dataclass(frozen=True, slots=True)
class RecordForms:
    """All that ``record.toml`` says, ready to be matched."""

    papers: Mapping[str, Paper]
    by_word: Mapping[str, tuple[Paper, ...]]
    qualifiers: Patterns
    owners: Patterns
    patterns: Patterns
    files: Patterns
    words: Mapping[str, frozenset[str]]

    @property
    def before(self) -> re.Pattern[str]:
        """What stands before a paper's name and says whose it is."""
        return self.patterns["before"]


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
