"""Cut text into the terms that BM25 counts.

A term is the Porter2 stem of a run of letters and digits, ignoring case and accents:

- an apostrophe inside a word belongs to it, whichever kind was typed: "plaintiff's" and "plaintiffs'" give
  "plaintiff", "O'Brien" gives "obrien";
- lawyers' abbreviations before a number are written out: "s. 12", "ss 12", "sec. 12" and "§ 12" all give
  "section", "art. 5" gives "article", and so on; elsewhere an initial "S." or "prior art" is unchanged;
  "vs" is "v";
- a number with subdivisions gives its parts and also each whole: "12(2)(b)" gives "12", "2", "b", "12(2)" and
  "12(2)(b)", so that a search for a subsection finds it and not every 12 and 2;
- articles, pronouns, most prepositions and auxiliary verbs are skipped. That halves the time of a query and
  saves a quarter of the postings without a loss (benchmarks/results/bm25.md). Words that matter in law are
  kept: "not", "shall", "may", "will", "no".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import Stemmer

_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)*")
# In ASCII text, everything outside words is first replaced by spaces, and then the text is split at spaces.
_SIGNS = re.compile(r"[^\x00-\x7f\w]+")
_LOOSE = re.compile(r"'(?:(?<![a-z0-9]')|(?![a-z]))")
_BEFORE_DIGIT = re.compile(r"'[a-z]+\d")
_BORDER = "\0"
_SPACED = "".join(each if each.isalnum() or each in ("'", _BORDER) else " " for each in map(chr, range(128)))
# A number or its letter before a bracket: written so that ``re`` can skip to the bracket, then to the digit.
_OPENED = re.compile(r"\((?<=[^\W_]\()")
_SUBDIVIDED = re.compile(r"\d(?<!\w.)\d*[a-z]{0,2}(?:\([a-z0-9]{1,5}\))+")
# A digit after the last letter of a possible abbreviation, and the abbreviation before it.
_NUMBERED = re.compile(r"\d(?:(?<=[acglst]\d)|(?<=[acglst][.\s]\d)|(?<=[acglst]\.\s\d))")
_ABBREVIATED = re.compile(r"(?<!\w)(ss?|secs?|arts?|paras?|regs?|cl[sl]?)\.?\s?\Z")
_LONGEST = len("paras. ")
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
    """A cache that maps words to terms ("" for a stop word), filled when a word first occurs."""

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
    """Converts text to terms and caches the stems (at most a million words, about 150 MB).

    Instances can be pickled (without the cache) and used by several threads.
    """

    def __init__(self) -> None:
        self._stems = _Stems()

    def __getstate__(self) -> dict[str, object]:
        return {}

    def __setstate__(self, state: dict[str, object]) -> None:
        self._stems = _Stems()

    def tokenize(self, text: str) -> list[str]:
        """Return the terms of ``text`` in order, followed by its subdivided numbers as wholes ("12(2)")."""
        return list(filter(None, self.stem(*self.cut([text]))))

    def stem(self, words: Iterable[str]) -> list[str]:
        """Return the terms of words that ``cut`` yielded, with "" for each stop word."""
        return list(map(self._stems.__getitem__, words))

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """Yield the folded words of each text in order, followed by its subdivided numbers as wholes
        ("12(2)").
        """
        folded = _write_out(_BORDER.join(_fold(text.replace(_BORDER, "!")) for text in texts))
        pieces = folded.split(_BORDER)[: len(texts)]
        plain = folded if folded.isascii() else _SIGNS.sub(" ", folded)
        simple = plain.isascii() and not _BEFORE_DIGIT.search(plain)
        spaced = _LOOSE.sub(" ", plain).translate(_SPACED).split(_BORDER) if simple else pieces
        for piece, each in zip(pieces, spaced, strict=False):
            words = each.split() if simple else _WORD.findall(each)
            if _OPENED.search(piece):
                for whole in _SUBDIVIDED.findall(piece):
                    words += [whole[: match.end()] for match in re.finditer(r"\)", whole)]
            yield words


def _fold(text: str) -> str:
    text = text.casefold()
    if not text.isascii():
        text = text.replace("\u2019", "'").replace("\u2018", "'").replace("\u02bc", "'").replace("\u00ad", "")
        text = text.replace("§", " section ")
        decomposed = unicodedata.normalize("NFKD", text)
        if decomposed is not text:
            text = _LATIN_MARKS.sub("", decomposed)
    return text


def _write_out(text: str) -> str:
    """Write out the lawyers' abbreviations before numbers ("s. 12", "art. 5") in full."""
    parts: list[str] = []
    done = 0
    for digit in _NUMBERED.finditer(text):
        at = digit.start()
        if found := _ABBREVIATED.search(text, max(at - _LONGEST, 0), at):
            parts += text[done : found.start()], _ABBREVIATIONS[found[1]]
            done = found.end(1)
    return "".join((*parts, text[done:]))
