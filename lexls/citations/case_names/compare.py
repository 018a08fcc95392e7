"""Compare case names: decide whether two ways of writing a name can mean the same case.

A party key is a case name reduced to its distinctive words, in order; indexes use it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product, starmap

from lexls.citations.case_names.parse import IN_MATTER
from lexls.citations.case_names.words import abbreviates, is_abbreviated
from lexls.citations.tables import load_patterns
from lexls.text.lexicon import COMPANY_FORMS, OTHER_PARTIES, PARTICLES, SMALL_WORDS, VERSUS
from lexls.text.phrases import load_phrases, load_words

_PATTERNS = load_patterns("case_names/patterns.toml")
_MATTER = re.compile(
    r"\b(?:in re|re|ex p(?:arte)?|(?:in )?(?:the )?"
    r"(?:matters?|interest|estate|application|appeal|petition|complaint|marriage) of)\b[\s:]{0,40}"
)
_VERSUS = re.compile(rf"\s{VERSUS}(?=\s)|\s(?:v|vs)\.(?=\S)")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WORDS = load_words(__package__, "words.toml")
_UNTELLING = _WORDS["untelling"].union(SMALL_WORDS, PARTICLES, COMPANY_FORMS - {"na"}, OTHER_PARTIES)
_UNTELLING_IN_KEYS = _WORDS["untelling_in_keys"].union(COMPANY_FORMS - {"na"}, OTHER_PARTIES)
_DATA = load_phrases(__package__, "patterns.toml")
_SHORT_FOR: Mapping[str, str] = _DATA["short_for"]
_SOUNDS: Mapping[str, str] = _DATA["sounds"]
_WRITTEN = re.compile(r"[^\W\d_](?:[\w’'-]*\w)?[.’']?")
_DESCENT = re.compile(r"(?<![^\W_])[sdw]/o(?![^\W_])")
_TELLING = 4
"""Minimum length, in letters, of words that may match without being equal."""
_FEWEST_OF_WORD = 3
"""Minimum number of letters of a real word; fewer letters may be initials written together ("PV")."""
Party = tuple[str, ...]
Parties = tuple[Party, Party]
_SHORTEST = 3
"""Minimum number of letters of a word that counts as written out."""
_WRITTEN_OUT = 9
"""Minimum number of letters from which a word with a full stop is treated as written out, not abbreviated."""
_POSSESSIVE = re.compile(r"[’']s$")
_KEPT = 65_536
_AGREEING = 0.6
"""Minimum share of the shorter party's words that must be in the longer, in order."""


def same_name(first: str, second: str) -> bool:
    """Return whether two ways of writing a case name can mean the same case.

    The words of one party must be found in the other, in order: whole, abbreviated, as initials, or with one
    letter wrong, as after scanning or transliteration. Company suffixes, courtesy titles and "& Ors" do not
    count. The parties may be reversed, as on appeal. One party alone, or "In re" and a party, also names the
    case. Offices ("the Queen", "State of …", "Commissioner …") count as equal.
    """
    return any(_agree(one, other) for one in _readings(first) for other in _readings(second))


def names_both_parties(name: str) -> bool:
    """Return whether neither of a name's two parties is an office, so that the name is nearly unique to its
    case.
    """
    return any(
        len(parties) == 2 and all(parties) and not any(map(is_office, parties)) for parties in _readings(name)
    )


def is_plainly_same_name(first: str, second: str) -> bool:
    """Return whether whole words of all parties show that two names mean the same case.

    Initials alone do not count, and "State of A" is not "State of B". At least one party must not be an
    office. If one name is a single party ("In re Pell", "Pell's case"), that party is enough.
    """
    return any(
        any(party and not is_office(party) for party in one) and _plainly_agree(one, other)
        for one, other in product(_readings(first), _readings(second))
    )


def _plainly_agree(one: Sequence[Party], other: Sequence[Party]) -> bool:
    if len(one) == len(other):
        return any(
            all(starmap(_plainly_one, zip(one, turned, strict=True))) for turned in (other, other[::-1])
        )
    alone, parties = sorted((one, other), key=len)
    return not is_office(alone[0]) and any(_plainly_one(alone[0], each) for each in parties)


def _plainly_one(one: Party, other: Party) -> bool:
    if is_office(one) or is_office(other):
        left, right = (
            tuple(word for word in party if word not in _WORDS["offices"]) for party in (one, other)
        )
        return is_office(one) and is_office(other) and (not (left and right) or same_party(left, right))
    return one == other or (
        same_party(one, other)
        and any(len(a) > 2 and len(b) > 2 and _plainly_same_word(a, b) for a, b in product(one, other))
    )


def is_other_name(name: str, title: str) -> bool:
    """Return whether a draft's ``name`` certainly does not name the case called ``title``.

    Drafts shorten names, and captions change. Names that share a party other than an office therefore count
    as different only if the same first party has two different opponents. A case named "In re …" may also
    have a caption with two parties.
    """
    if same_name(name, title) or is_unclear(name) or is_matter(name) != is_matter(title):
        return False
    pairs = list(product(_readings(name), _readings(title)))
    return bool(pairs) and all(starmap(_others, pairs))


def _plainly_same_word(one: str, other: str) -> bool:
    if len(one) < _TELLING or len(other) < _TELLING:
        return one == other
    return one.startswith(other) or other.startswith(one) or are_close(_sound(one), _sound(other))


def is_unclear(name: str) -> bool:
    """Return whether an apparent name is really part of a sentence or of another citation."""
    return _PATTERNS["unclear"].search(cut_tail(name)) is not None


def cut_tail(name: str) -> str:
    """Remove from a case name the text that a draft adds after it: a docket, a year, a report that was not
    recognised.
    """
    return _PATTERNS["tail"].sub("", name)


def is_matter(name: str) -> bool:
    """Return whether a name is that of a matter, such as "In re …"."""
    return _MATTER.match(name.casefold().lstrip()) is not None


def _others(left: Sequence[Party], right: Sequence[Party]) -> bool:
    same = [(a, b) for a, b in product(left, right) if same_party(a, b)]
    if len(left) != len(right) and any(len(a) > 1 and len(b) > 1 for a, b in same):
        return False
    if not any(not (is_office(a) or is_office(b)) for a, b in same):
        return True
    if len(left) != 2 or len(right) != 2 or not (left[1] and right[1]):
        return False
    return not (is_office(left[1]) or is_office(right[1])) and same_party(left[0], right[0])


def _agree(left: Sequence[Party], right: Sequence[Party]) -> bool:
    if len(left) == len(right) == 2:
        return (_one_side(left[0], right[0]) and _one_side(left[1], right[1])) or (
            _one_side(left[0], right[1]) and _one_side(left[1], right[0])
        )
    alone = len(left) == len(right)
    return any(same_party(a, b) for a in left for b in right if alone or not (is_office(a) and is_office(b)))


def _one_side(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two sides may be the same; a side without distinctive words ("Ors.") matches any
    other.
    """
    return not (one and other) or (is_office(one) and is_office(other)) or same_party(one, other)


def is_office(party: Sequence[str]) -> bool:
    """Return whether a party's words name an office ("state", "commissioner"); "R" counts only if it is the
    only word.
    """
    return any(word in _WORDS["offices"] and (len(word) > 1 or len(party) == 1) for word in party)


@lru_cache(maxsize=4096)
def _readings(name: str) -> tuple[tuple[Party, ...], ...]:
    """Return the possible readings of a name, each as the distinctive words of its one or two parties.

    Words in brackets are skipped. If they begin with "In re" or the like, they are also a reading of their
    own.
    """
    plain = _flatten(cut_tail(name))
    texts = [_PATTERNS["aside"].sub(" ", plain)]
    texts += [inner for inner in _PATTERNS["aside"].findall(plain) if _MATTER.match(inner.strip())]
    found = [tuple(map(read_party, _VERSUS.split(f" {text} ", maxsplit=1))) for text in texts]
    return tuple(parties for parties in found if any(parties))


def _flatten(text: str) -> str:
    """Normalise a text for comparison: lower case, no accents or line breaks, "&" as "and"."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char)).replace("&", " and ")
    return _DESCENT.sub(" ", plain.replace("’", "'").replace("\n", " "))


def read_party(text: str) -> Party:
    """Return the distinctive words of a party, case-folded."""
    text = _MATTER.sub(" ", f" {_flatten(text)} ")
    text = _PATTERNS["initials"].sub(lambda match: re.sub(r"[.\s]", "", match.group()) + " ", text)
    text = text.replace("united states of america", "unitedstates").replace("united states", "unitedstates")
    found = [word.replace("'", "") for word in _WORD.findall(_PATTERNS["single"].sub(r"\1", text))]
    found = [_SHORT_FOR.get(word, word) for word in found]
    return tuple(word for word in found if word not in _UNTELLING)


def list_sides(name: str) -> list[str]:
    """Return a name's parties as written, without words in brackets."""
    plain = _PATTERNS["aside"].sub(" ", cut_tail(name))
    return [side for side in _VERSUS.split(f" {plain} ", maxsplit=1) if side.strip()]


def list_written_words(party: str) -> list[str]:
    """Return a party's distinctive words as written, without abbreviations and words of an office."""
    party = re.sub(_MATTER.pattern, " ", party, flags=re.IGNORECASE)
    plain = [word for found in _WRITTEN.findall(party) for word in found.split("-")]
    return [
        word
        for word in plain
        if len(word) >= _SHORTEST
        and word[0].isupper()
        and not _is_shortened(word)
        and not (word.isupper() and not party.isupper())
        and fold_word(word) not in _WORDS["generic"] | _UNTELLING | _WORDS["offices"]
    ]


def _is_shortened(word: str) -> bool:
    """Return whether a word may be an abbreviation: "Bldg." and "Ass'n" may be, "Marlow's" is not."""
    if word[-1] == ".":
        return len(word) < _WRITTEN_OUT or is_abbreviated(word)
    return word[-1] in "’'" or any(mark in _POSSESSIVE.sub("", word)[2:] for mark in "’'")


@lru_cache(maxsize=16384)
def fold_word(word: str) -> str:
    """Normalise a word of a party for comparison."""
    return "".join(read_party(word)) or word.casefold()


def same_party(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether the distinctive words of two parties can mean the same party."""
    short, long = sorted((first, second), key=len)
    if not short:
        return False
    if same_word("".join(short), "".join(long)) or _have_initials_elsewhere(short, long):
        return True
    matched = lone = position = 0
    for word in short:
        for place in range(position, len(long)):
            length = _matching(word, long, place)
            if length:
                matched += 1
                lone += length == 1 and (len(word) == 1 or len(long[place]) == 1)
                position = place + length
                break
    if not matched or (lone == matched and matched < (len(short) if len(short[0]) == 1 else len(long))):
        return False
    return matched >= _AGREEING * len(short)


def _have_initials_elsewhere(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two parties have the same whole words, and the initials of one are all among those of
    the other, in any position: "J. R. Pell" and "Pell J. R.".
    """
    words, others = ([word for word in party if len(word) > 2] for party in (one, other))
    if not words or words != others:
        return False
    letters, more = sorted(
        ({*"".join(word for word in party if len(word) < 3)} for party in (one, other)), key=len
    )
    return letters <= more


def _matching(word: str, words: Sequence[str], place: int) -> int:
    """Return how many of ``words`` from index ``place`` on match ``word``.

    The result is more than 1 if ``word`` consists of their initials or is two of them written together, and 0
    if none match.
    """
    if same_word(word, words[place]):
        return 1
    if len(word) >= 7 and place + 1 < len(words) and same_word(word, words[place] + words[place + 1]):
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
def same_word(first: str, second: str) -> bool:
    """Return whether two case-folded words can be the same word: one abbreviated, or with a letter wrong."""
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    if short[0] == long[0]:
        if long.startswith(short) or (len(short) > 2 and _abbreviates(short, long)):
            return True
        if len(short) <= 2:
            return short[-1] == long[-1] and len(long) > 3
    if len(short) < 4:
        return False
    one, other = _sound(first), _sound(second)
    return are_close(one, other, 2 if len(short) >= 7 else 1) or are_close(first, second)


def _abbreviates(short: str, long: str) -> bool:
    """Return whether one word abbreviates the other as "natl" does "national": with its letters in order,
    including its last.
    """
    return len(short) * 2 <= len(long) + 4 and short[-1] == long[-1] and abbreviates(short, long)


@lru_cache(maxsize=16384)
def _sound(word: str) -> str:
    for written, heard in _SOUNDS.items():
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", word)


def are_close(one: str, other: str, most: int = 1) -> bool:
    """Return whether at most ``most`` edits make two words equal. An edit is a wrong, missing or extra
    letter, or two swapped letters.
    """
    from rapidfuzz.distance import OSA  # tens of milliseconds to import, so only when names are compared

    return OSA.distance(one, other, score_cutoff=most) <= most


# -- keys of the parties ----------------------------------------------------------------------------------


@lru_cache(maxsize=2048)
def list_name_words(name: str) -> tuple[str, ...]:
    """Return the distinctive words of a case name, case-folded, including "v" but no suffixes or courtesy
    titles.
    """
    plain = name.replace("&", " and ").casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(character for character in plain if not unicodedata.combining(character))
    plain = IN_MATTER.sub(" ", re.sub(r"\bvs?\b\.?|\bversus\b", " v ", plain))
    found = _WORD.findall(plain)
    return tuple(word.replace("'", "").replace("’", "") for word in found if word not in _UNTELLING_IN_KEYS)


@lru_cache(maxsize=_KEPT)
def make_party_key(name: str) -> str:
    """Return a case name as its distinctive words, in order, or "" if it does not name two parties."""
    tokens = list_name_words(name)
    if "v" not in tokens[1:-1] or sum(len(token) > 1 for token in tokens) < 2:
        return ""
    return " ".join(tokens)


@lru_cache(maxsize=_KEPT)
def split_party_key(key: str) -> Parties | None:
    """Return the two parties of a party key, or None if the key does not name two."""
    tokens = key.split()
    if "v" not in tokens[1:-1]:
        return None
    middle = tokens.index("v", 1)
    return tuple(tokens[:middle]), tuple(tokens[middle + 1 :])


def is_shortened_party(one: Party, other: Party) -> bool:
    """Return whether the words of the shorter party all occur in the longer, in order.

    For offices and states, initials match words ("State of U." for "State of Uttar Pradesh"), and both
    parties must name the particular state or office. For other names, one whole word must match. If only one
    matches, the initials must agree: "M. P. Gupta" may be "Gupta" or "Mohan Gupta", but not "Ankur Gupta".
    """
    if one == other:
        return True
    if not {one[0], other[0]}.isdisjoint(_WORDS["offices_in_keys"]):
        # Keys have no "P.": a lone initial means two words, "Himachal Pradesh" but never "Haryana".
        alone = sum(len(word) == 1 for word in one + other) == 1 and len(one) == len(other)
        return min(len(one), len(other)) > 1 and not alone and _is_within(one, other, initials=True)
    whole = [tuple(word for word in each if len(word) > 1) for each in (one, other)]
    if not all(whole) or not _is_within(whole[0], whole[1], initials=False):
        return False
    return len(set(whole[0]) & set(whole[1])) > 1 or (_may_agree(one, other) and _may_agree(other, one))


def _is_within(one: Party, other: Party, *, initials: bool) -> bool:
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    rest = iter(long)
    return all(any(_fits(word, each, initials) for each in rest) for word in short)


def _may_agree(one: Party, other: Party) -> bool:
    """Return whether each initial that only ``one`` has fits a word that only ``other`` has. Also true if
    ``other`` has no word of its own.

    Initials may be written together: "PV".
    """
    instead = [word for word in other if word not in one]
    initials = [word for word in one if len(word) == 1 and word not in other]
    return not instead or all(
        any(initial in (word if len(word) < _FEWEST_OF_WORD else word[0]) for word in instead)
        for initial in initials
    )


def _fits(one: str, other: str, initials: bool) -> bool:
    if one == other:
        return True
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return initials and len(short) < 3 and long.startswith(short)


def list_telling_words(party: Party) -> tuple[str, ...]:
    """Return the words by which a party is looked up; none if it is an office that is a party to thousands of
    cases.
    """
    if party and party[0] in _WORDS["offices_in_keys"]:
        return ()
    return tuple(word for word in party if len(word) > 2)
