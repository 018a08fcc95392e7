"""Cut text into the terms that BM25 counts.

A term is the Porter2 stem of a run of letters and digits, without case and without accents:

- an apostrophe inside a word belongs to it, whichever was typed: "plaintiff's" and "plaintiffs'" give
  "plaintiff", "O'Brien" gives "obrien";
- what lawyers abbreviate in front of a number is written out: "s. 12", "ss 12", "sec. 12" and "§ 12" all give
  "section", "art. 5" gives "article", and so on; elsewhere an initial "S." or "prior art" stays itself;
  "vs" is "v";
- a number with subdivisions gives its parts and also each whole: "12(2)(b)" gives "12", "2", "b", "12(2)" and
  "12(2)(b)", so that a search for a subsection finds it and not every 12 and 2;
- articles, pronouns, most prepositions and auxiliary verbs are left out. That halves the time of a query and
  takes a quarter off the postings without a loss (benchmarks/results/bm25.md). Words that carry law stay:
  "not", "shall", "may", "will", "no".
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

import Stemmer

_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)*")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)*")
"""``_WORD`` for folded text without other letters, in half the time."""
# A number or its letter before a bracket: ``re`` skips to the bracket.
_OPENED = re.compile(r"\((?<=[^\W_]\()")
_SUBDIVIDED = re.compile(r"(?<!\w)\d+[a-z]{0,2}(?:\([a-z0-9]{1,5}\))+")
# Each way begins with its letter, which ``re`` skips to.
_ABBREVIATED = re.compile(
    r"[sapcr](?<!\w.)(?:(?<=s)(?:s|ecs?)?|(?<=a)rts?|(?<=p)aras?|(?<=r)egs?|(?<=c)l[sl]?)(?=\.?\s?\d)"
)
_LATIN_MARKS = re.compile("[\u0300-\u036f]+")
_ABBREVIATIONS = {
    "s": "section",
    "ss": "section",
    "sec": "section",
    "secs": "section",
    "art": "article",
    "arts": "article",
    "para": "paragraph",
    "paras": "paragraph",
    "reg": "regulation",
    "regs": "regulation",
    "cl": "clause",
    "cls": "clause",
    "cll": "clause",
}
_LEFT_OUT = """
    a an and are as at be been being but by did do does for from had has have he her his i if in into is it
    its me my of on or our she so such than that the their them then there these they this those to too very
    was we were what when where which who whom whose with would you
"""
_STOP_WORDS = frozenset(_LEFT_OUT.split())
_CACHE_LIMIT = 1_000_000


class _Stems(dict[str, str]):
    """Word → term ("" for one that is left out), filled as words are met."""

    def __init__(self) -> None:
        super().__init__()
        # "english" is Porter2; its own cache would only duplicate this one.
        self._stemmer = Stemmer.Stemmer("english", 0)

    def __missing__(self, word: str) -> str:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        if word in _STOP_WORDS:
            self[word] = ""
            return ""
        stem = self._stemmer.stemWord("v" if word == "vs" else word).replace("'", "")
        self[word] = stem
        return str(stem)


class Tokenizer:
    """Makes terms of text and remembers the stems it has met (at most a million words, about 150 MB).

    Instances can be pickled (the memory is left behind) and used by several threads.
    """

    def __init__(self) -> None:
        self._stems = _Stems()

    def __getstate__(self) -> dict[str, object]:
        return {}

    def __setstate__(self, state: dict[str, object]) -> None:
        self._stems = _Stems()

    def tokenize(self, text: str) -> list[str]:
        """The terms of ``text`` in order; the wholes of subdivided numbers follow at the end."""
        folded = _folded(text)
        words = (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)
        terms = list(filter(None, map(self._stems.__getitem__, words)))
        if _OPENED.search(folded):
            for whole in _SUBDIVIDED.findall(folded):
                terms += _prefixes(whole)
        return terms

    def counts(self, text: str) -> tuple[Sequence[str], Sequence[int]]:
        """The distinct terms of ``text`` and how often each occurs."""
        counted = Counter(self.tokenize(text))
        return tuple(counted), tuple(counted.values())


def _folded(text: str) -> str:
    text = text.casefold()
    if not text.isascii():
        text = text.replace("\u2019", "'").replace("\u2018", "'").replace("\u02bc", "'").replace("\u00ad", "")
        text = text.replace("§", " section ")
        decomposed = unicodedata.normalize("NFKD", text)
        if decomposed is not text:
            text = _LATIN_MARKS.sub("", decomposed)
    return _ABBREVIATED.sub(lambda match: _ABBREVIATIONS[match[0]], text)


def _prefixes(whole: str) -> list[str]:
    """``12(2)(a)`` → ``12(2)``, ``12(2)(a)``."""
    return [whole[: match.end()] for match in re.finditer(r"\)", whole)]
