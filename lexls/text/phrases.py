"""Read phrases and word lists stored as data in TOML files.

A pattern is a regular expression: a string, or a list of strings to be joined. «name» in it is replaced by
the part with that name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from lexls.text.kept import read_toml
from lexls.text.lexicon import split_words

Pattern = str | Sequence[str]
_PART = re.compile(r"«(\w+)»")


class PhraseError(ValueError):
    """An invalid pattern. The message contains the pattern, or the names of the faulty parts."""


class Patterns(dict[str, re.Pattern[str]]):
    """Patterns by name, each compiled on first use, since most texts need few of them.

    Parts are already filled in. Patterns in ``folded`` ignore case. The dictionary contains only the patterns
    used so far; ``sources`` has all names. Raises ``PhraseError`` for a pattern that cannot be compiled.
    """

    # A dictionary for speed, since the head of one file uses patterns several hundred times.
    def __init__(self, sources: Mapping[str, str], folded: Collection[str] = ()) -> None:
        super().__init__()
        self.sources = sources
        self._folded = frozenset(folded)

    def __missing__(self, name: str) -> re.Pattern[str]:
        flags = re.IGNORECASE if name in self._folded else re.NOFLAG
        compiled = self[name] = compile_pattern(self.sources[name], {}, flags)
        return compiled


def load_phrases(package: str, name: str) -> dict[str, Any]:
    """Return the parsed file ``name`` of a package of lexls."""
    return read_toml(Path(str(resources.files(package).joinpath(name))))


def load_words(package: str, name: str) -> dict[str, frozenset[str]]:
    """Return the word lists in a file of a package of lexls, by name. In the file, each list is one text with
    words separated by whitespace.

    Raises ``PhraseError`` if a value is not text.
    """
    lists = load_phrases(package, name)
    for key, listing in lists.items():
        if not isinstance(listing, str):
            raise PhraseError(f"{key} in {name} is no list of words: {listing!r}")
    return {key: split_words(listing) for key, listing in lists.items()}


def define_parts(parts: Mapping[str, Pattern], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the ``known`` parts and the named parts, each of which may use earlier ones. Raises
    ``PhraseError``.
    """
    defined = dict(known or {})
    for name, pattern in parts.items():
        defined[name] = fill_pattern(pattern, defined)
    return defined


def fill_pattern(pattern: Pattern, parts: Mapping[str, str]) -> str:
    """Return a pattern as one string with its parts filled in. Raises ``PhraseError`` for an unknown part."""
    joined = pattern if isinstance(pattern, str) else "".join(pattern)
    try:
        return _PART.sub(lambda match: parts[match[1]], joined)
    except KeyError as error:
        raise PhraseError(f"there is no part {error} for the pattern {joined!r}") from None


def compile_pattern(
    pattern: Pattern, parts: Mapping[str, str], flags: int = re.IGNORECASE
) -> re.Pattern[str]:
    """Compile a pattern with its parts filled in, by default ignoring case. Raises ``PhraseError``."""
    filled = fill_pattern(pattern, parts)
    try:
        return re.compile(filled, flags)
    except re.error as error:
        raise PhraseError(f"{error} in the pattern {filled!r}") from None


def load_patterns(package: str, name: str, known: Mapping[str, str] | None = None) -> Patterns:
    """Load the patterns in a file of a package of lexls, by name.

    Patterns in the file's table ``patterns`` ignore case; those in ``cased`` do not. They may use the parts
    in the file's table ``parts``, and the ``known`` ones. Raises ``PhraseError``.
    """
    data = load_phrases(package, name)
    parts = define_parts(data.get("parts", {}), known)
    cased, folded = (
        {key: fill_pattern(pattern, parts) for key, pattern in table.items()}
        for table in (data.get("cased", {}), data["patterns"])
    )
    return Patterns(cased | folded, folded)
