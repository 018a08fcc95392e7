"""Compare the name that a draft gives a case with the case's title, exactly.

`same_name` finds candidates and tolerates a wrong letter. Here, words count as the same only if
``equivalences.toml`` or the tables of `exact_party` and `word_relations` say so. A draft may omit words of
the title, but all words of the draft must be in the title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, product

from lexls.citations.case_names.compare import cut_tail, is_unclear
from lexls.citations.case_names.exact_party import (
    NameComparison,
    Outcome,
    choose,
    compare_words,
    join_comparisons,
    names_body,
)
from lexls.citations.case_names.word_relations import NameWord, split_words, strip_accents
from lexls.citations.model import fold
from lexls.text.lexicon import VERSUS
from lexls.text.phrases import load_phrases

_DATA = load_phrases(__package__, "equivalences.toml")
_REWRITTEN = [(re.compile(each["pattern"], re.IGNORECASE), each["becomes"]) for each in _DATA["rewritten"]]
_REMOVED = [re.compile(each["pattern"], re.IGNORECASE) for each in _DATA["removed"]]
_ALIASES = re.compile(_DATA["aliases"]["pattern"], re.IGNORECASE)
_OFFICES = [(re.compile(each["pattern"], re.IGNORECASE), each["becomes"]) for each in _DATA["offices"]]
_VERSUS = re.compile(rf"\s{VERSUS}(?=\s)|\s(?:v|vs)\.(?=\S)", re.IGNORECASE)
_INITIAL = re.compile(r"(?<![^\W_])[A-Z]\.?\Z")
_JOINED = re.compile(r"\s{0,4};\s{0,4}(?:and\s)?|,\s{1,4}|\s{1,4}and\s{1,4}")
_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_NUMBER = re.compile(
    r"[(\[]\s{0,4}No\.?\s?(?:\d{1,3}|[IVX]{1,4})\s{0,4}[)\]]|\bNo\.?\s?\d{1,3}\s{0,4}\Z", re.IGNORECASE
)
_ORDINAL = re.compile(r"(?<=\w)\s{1,4}[IVX]{1,4}\s{0,4}\Z")
"""Pattern of the number of a case among several with the same name, as in "(Carrow II)"."""
_NAMED_IN_BRACKETS = re.compile(r"\s{0,4}(?:in\s{1,4}re|re|the)\s{1,4}\S", re.IGNORECASE)
_SURNAME_FIRST = re.compile(r"\A\s{0,4}([^,]+?)(?:,\s{1,4}([^,]+)|\s{1,4}((?:[A-Z]\.?\s?){1,5}))\Z")
"""Pattern of a person's surname followed by a comma and given names, or directly by initials."""


@lru_cache(maxsize=8192)
def compare_name(written: str, title: str) -> NameComparison:
    """Compare a case name as a draft writes it with the title of the case."""
    if written.strip() and fold(written) == fold(title):
        return NameComparison("same")
    if (is_unclear(written) and not is_unclear(title)) or not title.strip():
        return NameComparison("unclear")
    draft = _rewrite(written)
    readings = product(_divide(_BRACKETS.sub(" ", draft)), _read_title(title))
    best = choose([_compare_readings(one, other) for one, other in readings])
    if best.outcome not in ("same", "misspelt"):
        return best
    return join_comparisons(
        [
            best,
            *_compare_numbers(written, title),
            *_compare_brackets(draft, title),
            *_compare_joined_cases(draft, title),
        ]
    )


def _compare_numbers(written: str, title: str) -> Iterator[NameComparison]:
    """Yield a difference if the draft has "(No 2)" and the title has no number, or another one."""
    one, other = ([fold(each[0]) for each in _NUMBER.finditer(cut_tail(name))] for name in (written, title))
    if one and one != other:
        outcome: Outcome = "other" if other else "unclear"
        yield NameComparison(outcome, (" ".join(one),), (" ".join(other),), (" ".join(one),))


def _compare_brackets(draft: str, title: str) -> Iterator[NameComparison]:
    """Yield each name in brackets in the draft that the title has neither in brackets nor as a party."""
    titled = _rewrite(title)
    recorded = [*_BRACKETS.findall(titled), *(side for reading in _read_title(title) for side in reading)]
    for inner in (_ORDINAL.sub("", _rewrite(each)) for each in _BRACKETS.findall(draft)):
        if any(not (each.silent or each.initials) for each in split_words(inner)):
            found = choose([_compare_party(inner, _rewrite(each)) for each in recorded])
            if found.outcome == "misspelt":
                yield found
            elif found.outcome != "same":
                yield NameComparison("unclear", (inner.strip(),), ("",), (inner.strip(),))


def _compare_joined_cases(draft: str, title: str) -> Iterator[NameComparison]:
    """Yield a difference if the draft names more cases heard together than the title does."""
    if len(_find_versus(draft)) > max(1, len(_find_versus(_rewrite(title)))):
        yield NameComparison("unclear", (draft,), ("",), (draft,))


# -- parties ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def _rewrite(name: str) -> str:
    """Return a name on one line without accents, dockets and "(No 2)", with the rules under ``rewritten``
    applied.
    """
    text = _NUMBER.sub("", " ".join(strip_accents(cut_tail(name)).split()))
    for pattern, becomes in _REWRITTEN:
        text = pattern.sub(becomes, text)
    return text


@lru_cache(maxsize=4096)
def _read_title(title: str) -> tuple[tuple[str, ...], ...]:
    """Return the ways in which a title names its case: by its parties, or by a matter or ship in brackets."""
    text = _rewrite(title)
    named = [_rewrite(inner) for inner in _BRACKETS.findall(text) if _NAMED_IN_BRACKETS.match(inner)]
    found = (each for one in (_BRACKETS.sub(" ", text), *named) for each in _divide(one))
    return tuple(dict.fromkeys(each for each in found if any(each)))


def _divide(name: str) -> Iterator[tuple[str, ...]]:
    """Yield a name's one or two parties. For cases heard together, yield the parties of each case, in every
    way of dividing the name.
    """
    marks = _find_versus(name)
    if len(marks) < 2:
        ends = [mark.span() for mark in marks] or [(len(name), len(name))]
        yield tuple(each.strip(" ,;") for each in (name[: ends[0][0]], name[ends[0][1] :]))[: len(marks) + 1]
        return
    starts = [[0], *([found.end() for found in _JOINED.finditer(name, one.end(), other.start())]
                     for one, other in pairwise(marks)), [len(name)]]  # fmt: skip
    for place, mark in enumerate(marks):
        for start, end in product(starts[place], starts[place + 1]):
            yield (
                name[start : mark.start()].strip(" ,;"),
                _JOINED.sub(" ", name[mark.end() : end]).strip(" ,;"),
            )


def _find_versus(name: str) -> list[re.Match[str]]:
    """Return the matches of the "v" between parties: the lower-case ones if any, never the "V." in "K. V.
    Orr".
    """
    found = list(_VERSUS.finditer(name))
    small = [each for each in found if each[0].strip().islower()]
    return small or [each for each in found if not _INITIAL.search(name, 0, each.start())] or found


@lru_cache(maxsize=8192)
def _list_party_readings(party: str, titled: bool) -> tuple[tuple[NameWord, ...], ...]:
    """Return the words of a party in each possible reading: as written, as an office, or with a surname moved
    to its end.

    A party of the title (``titled``) may also be read as each of its aliases.
    """
    office = re.sub(r"\A\s{0,4}the\s{1,4}|[.,]{1,6}(?=\s|\Z)", "", party, flags=re.IGNORECASE).strip()
    texts = [becomes for pattern, becomes in _OFFICES if pattern.fullmatch(office)]
    texts += [_ALIASES.sub(" alias ", party), *(_ALIASES.split(party) if titled else ())]
    surname = _SURNAME_FIRST.match(party)
    if surname is not None:
        texts.append(f"{surname[2] or surname[3]} {surname[1]}")
    return tuple(words for words in map(split_words, dict.fromkeys(texts)) if words)


def _compare_readings(written: Sequence[str], title: Sequence[str]) -> NameComparison:
    if len(written) == len(title) == 2:
        straight, turned = (
            [_compare_party(*pair) for pair in zip(written, order, strict=True)]
            for order in (title, title[::-1])
        )
        if not _agree_more(turned, straight):
            return join_comparisons(straight)
        # On appeal the parties may be reversed, but nothing else may change.
        joined = replace(join_comparisons(turned), arrangement="reversed")
        return replace(joined, outcome="other") if joined.outcome == "misspelt" else joined
    alone = len(written) != len(title)
    pairs = [_compare_party(one, other, alone) for one, other in product(written, title) if one and other]
    best = choose(pairs)
    if len(written) < len(title):
        return replace(best, arrangement="alone")
    if best.outcome != "same":
        return best
    missing = tuple(
        each for each in written if all(_compare_party(each, one).outcome != "same" for one in title)
    )
    return NameComparison("unclear", missing, ("",) * len(missing), missing) if missing else best


def _agree_more(one: Sequence[NameComparison], other: Sequence[NameComparison]) -> bool:
    agreeing = [sum(each.outcome == "same" for each in parties) for parties in (one, other)]
    return agreeing[0] > agreeing[1]


@lru_cache(maxsize=16384)
def _compare_party(written: str, recorded: str, alone: bool = False) -> NameComparison:
    """Compare two parties without the words that do not name a party. If such words in the draft name
    somebody, they must match too.
    """
    bare, removed = _remove(written)
    found = choose(
        [_compare_texts(bare, each, alone) for each in dict.fromkeys((_remove(recorded)[0], recorded))]
    )
    named = [each for each in split_words(removed) if not (each.silent or names_body((each,)))]
    if not named or found.outcome not in ("same", "misspelt"):
        return found
    whole = _compare_texts(written, recorded, alone)
    if whole.outcome in ("same", "misspelt"):
        return whole
    return join_comparisons([found, NameComparison("unclear", (removed,), ("",), (removed,))])


def _remove(party: str) -> tuple[str, str]:
    """Return a party without the words that do not name it, and the removed words."""
    bare = party
    for pattern in _REMOVED:
        bare = pattern.sub("", bare)
    return bare, party[len(bare) :].strip(" ,")


def _compare_texts(written: str, recorded: str, alone: bool) -> NameComparison:
    readings = product(
        _list_party_readings(written, titled=False), _list_party_readings(recorded, titled=True)
    )
    return choose([compare_words(one, other, alone) for one, other in readings])
