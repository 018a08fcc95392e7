"""Convert text printed in capitals to title case."""

from __future__ import annotations

import re

from lexls.text.lexicon import SMALL_WORDS
from lexls.text.phrases import load_words

_WORDS = load_words(__package__, "title_case.toml")
_SMALL = SMALL_WORDS | _WORDS["small"]
_OWN = {word.upper(): word for word in _WORDS["own"]}
_SHORT = 5
_INITIALS = re.compile(r"(?:[A-Z]\.){2,}|[A-Z]{1,3}&[A-Z]{1,3}$")
_WITHOUT_VOWEL = re.compile(r"[B-DF-HJ-NP-TV-XZ]{2,6}$")
_PART_OF_WORD = re.compile(r"(?:^|(?<=[-/(\[\"“‘&.]))[^\W\d_]")
"""The first letter of each part of a word, but not a letter after an apostrophe ("Club’s")."""
_RELATION = re.compile(r"(?<=\s)Ex Rel\b")
"""The words "ex rel", before the name of the person in whose interest a State sues."""
_SCOTTISH = re.compile(r"\bMc[a-z](?=[a-z]{2})|\bO['’][a-z](?=[a-z]{2})")


def in_capitals(line: str) -> bool:
    """Return whether a line is printed in capitals, apart from small words such as "v" or "and"."""
    return sum(map(str.isupper, line)) * 5 > 4 * sum(map(str.isalpha, line))


def write_title_case(line: str) -> str:
    """Return ``line``, printed in capitals, in title case: "HAMILTON v. LANNING" becomes "Hamilton v.
    Lanning".
    """
    written: list[str] = []
    for position, word in enumerate(line.split()):
        lower = word.lower()
        core = word.strip("()[],;:.“”\"‘’'")
        if position and lower.strip("(),;") in _SMALL and word != "(A":  # "F (A Child)"
            written.append(lower)
        elif core in _OWN:
            written.append(word.replace(core, _OWN[core]))
        elif (
            core in _WORDS["kept"]
            or (len(core) <= _SHORT and not core.isupper() and core != core.capitalize())
            or _INITIALS.match(word)
            or (_WITHOUT_VOWEL.match(core) and core not in _WORDS["shortened"])
        ):
            written.append(word)
        else:
            parts = _PART_OF_WORD.sub(lambda match: match[0].upper(), lower)
            written.append(_SCOTTISH.sub(lambda match: match[0][:-1] + match[0][-1].upper(), parts))
    return _RELATION.sub("ex rel", " ".join(written))
