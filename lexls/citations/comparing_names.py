"""Whether two ways of writing a case name can mean the same case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lexls.text.words import words

# What follows a name in a draft and is none of it: docket numbers, a year in brackets.
_TAIL = re.compile(
    r"[\s,]{0,40}(?:[(\[](?:1[5-9]|20)\d\d[)\]].*|,\s{0,40}(?:Civ(?:il)?|Cr(?:im(?:inal)?|l)?|Case|Nos?|Docket|Appeal|W\.?P|C\.?A|"
    r"S\.?L\.?P)\b.{0,12}\d.*)$",
    re.DOTALL,
)
_ASIDE = re.compile(r"[(\[]([^()\[\]]{0,200})[)\]]")
_MATTER = re.compile(
    r"\b(?:in re|re|ex p(?:arte)?|(?:in the )?(?:matters?|interest|estate|application) of)\b[\s:]{0,40}"
)
_VERSUS = re.compile(r"\s(?:v|vs|versus)\b\.?(?=\s)|\s(?:v|vs)\.(?=\S)")
_INITIALS = re.compile(r"(?<![^\W_])(?:[a-z]\.\s?){2,}(?:[a-z](?![^\W_]))?")
_SINGLE = re.compile(r"(?<![^\W_])([a-z])[.\s]{1,2}(?=[a-z](?![^\W_]))")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_DROPPED = words(
    """
    the of and for to a an ltd limited inc incorporated llc llp lp ltda plc pc co company cos corp corporation
    pty pvt private p ltdo anr another ors others other et al etc ux uxor sa ag gmbh nv bv ab sarl spa ldc no
    nos mr mrs ms miss dr smt shri sri shrimati km kumari justice hon ble honble ex rel on m ms messrs through
    thr th by his her its their lrs lr legal representative representatives heirs dead d deceased since now
    rep alias anor ano appellant respondent petitioner plaintiff defendant in de la le der von van re
    """
)
_PUBLIC = words(
    """
    r rex regina queen king crown majesty people commonwealth state unitedstates union republic government
    govt director dpp cps attorney prosecutor police minister secretary commissioner commr cit inspector
    superintendent collector registrar officer advocate solicitor hmrc revenue court board army navy
    department dept authority
    """
)
"""Parties whose office changes hands or names: two of them may be the same."""
_SHORT_FOR = {
    "rr": "railroad", "ry": "railway", "nw": "northwestern", "ne": "northeastern", "sw": "southwestern",
    "se": "southeastern", "bros": "brothers", "wm": "william", "chas": "charles", "geo": "george",
    "jas": "james", "thos": "thomas", "md": "mohammad", "mohd": "mohammad", "mohammed": "mohammad",
    "muhammad": "mohammad", "mahomed": "mohammad", "us": "unitedstates", "usa": "unitedstates",
}  # fmt: skip
_SOUNDS = (
    ("x", "ks"), ("rn", "m"), ("ph", "f"), ("ck", "k"), ("sh", "s"), ("th", "t"), ("dh", "d"), ("bh", "b"),
    ("kh", "k"), ("gh", "g"), ("jh", "j"), ("ch", "c"), ("ee", "i"), ("oo", "u"), ("ou", "u"), ("ow", "u"),
    ("w", "v"), ("y", "i"), ("z", "s"), ("j", "g"), ("q", "k"), ("c", "k"),
)  # fmt: skip
"""Spellings of one sound in transliterated names, and what scanning confuses."""
# No name was read, but a part of a sentence or of another citation.
_UNCLEAR = re.compile(r"\d{3}|^[^(]*\)|\bid\b|\bsupra\b", re.IGNORECASE)
_AGREEING = 0.6
"""The share of the words of the shorter party that the longer must have, in order."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A name as it can be read: one party or two, each its telling words; ``matter``: "In re …"."""

    parties: tuple[tuple[str, ...], ...]


def same_name(first: str, second: str) -> bool:
    """Whether two ways of writing a case name can mean the same case.

    The words of each party must be found in the other's, in order: whole, abbreviated, as initials, or with
    a letter wrong as scanning and transliteration have them. Companies' suffixes, courtesies and "& Ors" do
    not count. The parties may stand in the other order, as on appeal, and either of them alone, or "In re",
    names the case too. Offices ("the Queen", "State of …", "Commissioner …") count as one another.
    """
    return any(_agree(one.parties, other.parties) for one in _readings(first) for other in _readings(second))


def names_both_parties(name: str) -> bool:
    """Whether a name has two parties that are no offices, so that hardly another case has the same name."""
    return any(
        len(each.parties) == 2 and all(each.parties) and not any(map(_public, each.parties))
        for each in _readings(name)
    )


def other_name(name: str, title: str) -> bool:
    """Whether a draft's ``name`` is certainly not that of the case called ``title``.

    Drafts cut names short and captions change: where the names share a party that is no office, only two
    different opponents of one first party make two cases; and what is called "In re …" may have a caption
    with two parties as well.
    """
    if same_name(name, title) or _UNCLEAR.search(name) or _is_matter(name) != _is_matter(title):
        return False
    pairs = [(one.parties, other.parties) for one in _readings(name) for other in _readings(title)]
    return bool(pairs) and all(_others(left, right) for left, right in pairs)


def _is_matter(name: str) -> bool:
    return _MATTER.match(name.casefold().lstrip()) is not None


def _others(left: Sequence[tuple[str, ...]], right: Sequence[tuple[str, ...]]) -> bool:
    if len(left) != len(right) and any(
        len(a) > 1 and len(b) > 1 and same_party(a, b) for a in left for b in right
    ):
        return False
    if not any(same_party(a, b) for a in left for b in right if not (_public(a) or _public(b))):
        return True
    if len(left) != 2 or len(right) != 2 or not (left[1] and right[1]):
        return False
    return not (_public(left[1]) or _public(right[1])) and same_party(left[0], right[0])


def _agree(left: Sequence[tuple[str, ...]], right: Sequence[tuple[str, ...]]) -> bool:
    if len(left) == len(right) == 2:
        return (_one_side(left[0], right[0]) and _one_side(left[1], right[1])) or (
            _one_side(left[0], right[1]) and _one_side(left[1], right[0])
        )
    alone = len(left) == len(right)
    return any(same_party(a, b) for a in left for b in right if alone or not (_public(a) and _public(b)))


def _one_side(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two sides can be one; of a side that tells nothing ("Ors.") nobody knows."""
    return not (one and other) or (_public(one) and _public(other)) or same_party(one, other)


def _public(party: Sequence[str]) -> bool:
    return any(word in _PUBLIC for word in party)


@lru_cache(maxsize=4096)
def _readings(name: str) -> tuple[_Reading, ...]:
    """The ways a name can be read: without what stands in brackets, and that alone if it is "In re"."""
    plain = unicodedata.normalize("NFKD", _TAIL.sub("", name)).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char)).replace("&", " and ")
    plain = plain.replace("’", "'").replace("\n", " ")
    texts = [_ASIDE.sub(" ", plain)]
    texts += [inner for inner in _ASIDE.findall(plain) if _MATTER.match(inner.strip())]
    found = []
    for text in texts:
        parties = tuple(map(_party, _VERSUS.split(f" {text} ", maxsplit=1)))
        if any(parties):
            found.append(_Reading(parties))
    return tuple(found)


def _party(text: str) -> tuple[str, ...]:
    text = _INITIALS.sub(
        lambda match: re.sub(r"[.\s]", "", match.group()) + " ", _MATTER.sub(" ", f" {text} ")
    )
    text = text.replace("united states of america", "unitedstates").replace("united states", "unitedstates")
    found = [word.replace("'", "") for word in _WORD.findall(_SINGLE.sub(r"\1", text))]
    found = [_SHORT_FOR.get(word, word) for word in found]
    return tuple(word for word in found if word not in _DROPPED)


def same_party(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the telling words of two parties can be those of one."""
    short, long = sorted((first, second), key=len)
    if not short:
        return False
    if _same_word("".join(short), "".join(long)):
        return True
    matched = lone = 0
    position = 0
    for word in short:
        for place in range(position, len(long)):
            length = _matching(word, long, place)
            if length:
                matched += 1
                lone += len(word) == 1 or len(long[place]) == 1
                position = place + length
                break
    if not matched or (lone == matched and matched < len(short)):
        return False
    return matched >= _AGREEING * len(short)


def _matching(word: str, words: Sequence[str], place: int) -> int:
    """How many of ``words`` from ``place`` on are ``word``: one, or those whose initials it is; 0 if none."""
    if _same_word(word, words[place]):
        return 1
    if len(word) >= 7 and place + 1 < len(words) and _same_word(word, words[place] + words[place + 1]):
        return 2
    if 2 <= len(word) <= 7 and place + len(word) <= len(words):
        following = words[place : place + len(word)]
        if all(each.startswith(letter) for each, letter in zip(following, word, strict=True)):
            return len(word)
    # "ABC" for "American Broadcasting Co.", whose last word does not count.
    last = words[place:]
    if len(word) >= 3 and word[-1] == "c" and len(last) == len(word) - 1:
        return len(last) if all(map(str.startswith, last, word[:-1])) else 0
    return 0


@lru_cache(maxsize=16384)
def _same_word(first: str, second: str) -> bool:
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    if short[0] == long[0]:
        if len(short) <= 2 or long.startswith(short):
            return long.startswith(short) or (short[-1] == long[-1] and len(long) > 3)
        if _abbreviates(short, long):
            return True
    if len(short) < 4:
        return False
    one, other = _sound(first), _sound(second)
    return one == other or _apart(one, other, 2 if len(short) >= 7 else 1)


def _abbreviates(short: str, long: str) -> bool:
    """Whether "natl" stands for "national": the letters in order, the last one too."""
    if len(short) * 2 > len(long) + 4 or short[-1] != long[-1]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


@lru_cache(maxsize=16384)
def _sound(word: str) -> str:
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", word)


def _apart(one: str, other: str, most: int) -> bool:
    """Whether at most ``most`` edits make two words equal: a letter wrong, missing, too many, two swapped."""
    if abs(len(one) - len(other)) > most:
        return False
    above: list[int] = []
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, start=1):
        last, above, row = above, row, [number]
        for place, against in enumerate(other, start=1):
            cost = min(above[place] + 1, row[-1] + 1, above[place - 1] + (letter != against))
            if number > 1 and place > 1 and letter == other[place - 2] and one[number - 2] == against:
                cost = min(cost, last[place - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return False
    return row[-1] <= most
