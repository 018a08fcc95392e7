"""Signals before citations, and the words of a sentence once its citations are cut out."""

from __future__ import annotations

import re

SIGNALS = r"(?:(?:but )?(?:see|compare|accord|contra)(?:,? (?:also|e\.g\.|eg|generally|further))?,?|cf\.?)"
"""A pattern of the words that introduce a citation ("see also"), to be used without regard to case."""
AGAINST = frozenset({"but see", "but cf", "contra", "but compare"})
"""The signals, as ``signal_before`` gives them, of what is cited against the proposition."""

_BEFORE = re.compile(
    r"(?<![\w.])(?P<signal>(?:but\s+)?(?:see|compare|accord|contra|cf\.?))"
    r"(?:,?\s+(?:also|generally|further|e\.\s?g\.|eg))*[\s,;:]*(?:the\s+case\s+of\s+)?$",
    re.IGNORECASE,
)
_REACH = 40
"""Code points before a citation in which its signal stands."""
_NUMBERING = re.compile(r"^(?:[\[(]?\d{1,4}[\])]?[.)]?|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}[.)])\s+(?=\S)")
_LEFTOVER = re.compile(
    r"\s{0,9}[(\[:;,–—-]{0,9}\s{0,9}(?:" + SIGNALS + r"\s{0,9})?[\s:;,()\[\]]{0,20}(?=[.?!…\"”’]{0,9}$)",
    re.IGNORECASE,
)
_TAIL = 120
"""Code points at the end of a sentence in which signs are left of citations."""
_SPACE_BEFORE_SIGN = re.compile(r"(?<!\s)\s+(?=[,;:.?!)])")


def signal_before(text: str, start: int) -> str:
    """The signal right before the citation at ``start`` of ``text``: "see", "but see", "cf" …, "" if none."""
    match = _BEFORE.search(text[max(0, start - _REACH) : start])
    return " ".join(match["signal"].lower().rstrip(".").split()) if match else ""


def only_signals(words: str) -> bool:
    """Whether nothing but signals is left of a sentence without its citations: a citation sentence."""
    return not re.sub(rf"\b{SIGNALS}|\W|\band\b", "", words, flags=re.IGNORECASE)


def cleaned(text: str) -> str:
    """The words of a sentence out of which citations were cut, without numbering and what is left of them."""
    text = _NUMBERING.sub("", text)
    left = _LEFTOVER.search(text, max(0, len(text) - _TAIL))
    # What closes a bracket of the sentence itself ("s 12(1).") is nothing left of a citation.
    if left is not None and not (")" in left.group() and _opens(text[: left.start()])):
        text = text[: left.start()] + text[left.end() :]
    return _SPACE_BEFORE_SIGN.sub("", text).strip()


def _opens(text: str) -> bool:
    """Whether a bracket is open at the end of ``text``."""
    return text.count("(") > text.count(")")
