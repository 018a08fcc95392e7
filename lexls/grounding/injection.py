"""Find text in a library that addresses a language model instead of a reader (prompt injection).

The author of a document may insert instructions to the model that will read it. Such text is never used as
evidence. The rules in ``injection.toml`` match what real law rarely says: chat template tokens, orders about
"your answer" and "previous instructions", words to an assistant. Jurors and witnesses are also told to
disregard things, so an order alone is not enough. benchmarks/bench_verification.py counts the false alarms on
judgments, Acts and contracts.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from lexls.text.phrases import compile_pattern, define_parts, load_phrases

_HIDDEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_TAGS = re.compile("[\U000e0020-\U000e007e]{2,}")
_OVERRIDES = re.compile("[\u202d\u202e]")
_SPREAD = re.compile(r"(?<![^\W_])(?:[A-Za-z][ .\-_*]{1,3}){5,80}[A-Za-z](?![^\W_])")
_WORD_OF_TWO_SCRIPTS = re.compile(r"[^\W\d_]+")
_ENCODED = re.compile(
    r"(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{4}){6,400}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
)
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏкмтнвгАЕОРСУХІЈЅКМТНВΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαειν",
    "aeopcyxijsdhlkmthbrAEOPCYXIJSKMTHBABEZHIKMNOPTYXoaeiv",
)
"""Cyrillic and Greek letters, with the Latin letters that they resemble."""
_ROLE = re.compile(r"\s{0,8}(?:system|assistant|developer)\s?:", re.IGNORECASE)
_JURY = re.compile(r"\b(?:jur(?:y|ies|ors?)|counsel|witness(?:es)?|magistrates?)\b", re.IGNORECASE)
_SQUEEZED = re.compile(
    r"(?:ignore|disregard|forget)(?:all|any|the|your|of|my){0,3}(?:previous|prior|above|earlier)"
)
_DOTTED = re.compile(r"[iI][.\-_*][gG][.\-_*][nN][.\-_*]|[dD][.\-_*][iI][.\-_*][sS][.\-_*]")
_SPREAD_FROM = 6
"""Minimum number of single letters in a text for it to be searched for spaced-out words."""
_SHORTEST_CODE = 24
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Rule:
    """A phrase that addresses a language model.

    Every text that ``pattern`` matches contains one of the ``needles`` (folded). If ``juries`` is true,
    judges also use the phrase to address juries and witnesses. It then counts only in a text that does not
    mention them.
    """

    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    juries: bool


@lru_cache(maxsize=1)
def load_rules() -> tuple[Rule, ...]:
    """Return the built-in rules."""
    data = load_phrases(__package__, "injection.toml")
    parts = define_parts(data["words"])
    return tuple(
        Rule(tuple(each["needles"]), compile_pattern(each["pattern"], parts), each.get("juries", False))
        for each in data["rules"]
    )


def gives_orders(sentence: str) -> bool:
    """Return whether ``sentence`` addresses a language model, or hides text from a human reader.

    Hidden characters are ignored, lookalike letters of other alphabets are replaced with Latin ones, s p a c
    e d out words are joined, and base64 is decoded. Unicode tags and direction overrides, which real text
    does not need, are enough on their own. Only the first 20,000 characters are read.
    """
    return find_order(sentence) != ""


def find_order(sentence: str) -> str:
    """Return the words of ``sentence`` that address a language model, or an empty string."""
    sentence = sentence[:_LONGEST]
    if not sentence.isascii() and (_TAGS.search(sentence) or _OVERRIDES.search(sentence)):
        return "hidden text"
    found = _order(_normal(sentence))
    if found:
        return found
    pieces = sentence.split()
    if max(map(len, pieces), default=0) >= _SHORTEST_CODE:
        for match in _ENCODED.finditer(sentence):
            found = _order(_normal(_decoded(match.group())))
            if found:
                return found
    if sum(len(piece) == 1 for piece in pieces) >= _SPREAD_FROM or _DOTTED.search(sentence):
        for match in _SPREAD.finditer(sentence):
            if _SQUEEZED.search(re.sub(r"[^A-Za-z]", "", match.group()).casefold()):
                return match.group()
    return ""


def _order(text: str) -> str:
    folded = text.casefold()
    for rule in load_rules():
        if any(each in folded for each in rule.needles):
            match = rule.pattern.search(text)
            if match is not None and not (rule.juries and _JURY.search(text)):
                return match.group()
    return ""


def _normal(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _HIDDEN.sub("", text))
        text = _WORD_OF_TWO_SCRIPTS.sub(_latin, text)
    # A line break stays only where a line begins with a role, such as "System:".
    return "".join(
        ("\n" if _ROLE.match(line) else " ") + " ".join(line.split()) for line in text.splitlines()
    ).strip()


def _latin(match: re.Match[str]) -> str:
    """Return a word in Latin letters if it mixes alphabets or consists only of lookalike characters."""
    word = match.group()
    if word.isascii():
        return word
    folded = word.translate(_LOOKALIKES)
    return folded if folded.isascii() else word


def _decoded(written: str) -> str:
    try:
        text = base64.b64decode(written, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    return text if text.isprintable() else ""
