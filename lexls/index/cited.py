"""Find the files that hold what drafts cite, by their names and by what catalogues say of them."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from lexls.index.reconcile import FileKey, FileState

FILES_A_CITATION = 3
"""So many files are read first for each citation: those whose names fit it best."""
LEAST_SHARE = 0.5
"""So much of a citation's words a file's name must have, of those that any name has; rare ones weigh more."""
_WORD = re.compile(r"[^\W_]+")


def put_cited_first(
    files: Sequence[FileState], cited: Iterable[str], describe: Callable[[FileKey], str]
) -> Sequence[FileState]:
    """``files``, those first that seem to hold what is ``cited`` (as drafts write it), then the others.

    ``describe`` gives what catalogues say of a file, "" where they say nothing.
    """
    wanted = {words: None for each in cited if (words := frozenset(_words(each)))}
    if not wanted or len(files) < 2:
        return files
    asked = frozenset().union(*wanted)
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for place, file in enumerate(files):
        for word in asked.intersection(_words(f"{file.key.relative} {describe(file.key)}")):
            holding[word].append(place)
    weights = {word: math.log((len(files) + 1) / (len(holding[word]) + 0.5)) for word in asked}
    first: dict[int, None] = {}
    for words in wanted:
        scores: defaultdict[int, float] = defaultdict(float)
        for word in words:
            for place in holding[word]:
                scores[place] += weights[word]
        least = LEAST_SHARE * sum(weights[word] for word in words if holding[word])
        fitting = [place for place, score in scores.items() if score >= least > 0]
        fitting.sort(key=lambda place: (-scores[place], place))
        first.update(dict.fromkeys(fitting[:FILES_A_CITATION]))
    return [*(files[place] for place in first), *(f for place, f in enumerate(files) if place not in first)]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
