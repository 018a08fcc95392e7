"""Changes that people and machines make to quotations: lawful ones, and ones that no reader may miss."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

NEGATIONS = (
    "not",
    "no",
    "never",
    "nor",
    "neither",
    "cannot",
    "without",
    "unless",
    "except",
    "nothing",
    "none",
)
LIMITS = {*NEGATIONS, "only", "hardly", "scarcely", "nobody", "nowhere"}
MODALS = {
    "may": ("must", "shall"), "must": ("may", "should"), "shall": ("may", "should"),
    "should": ("must", "may"), "will": ("may", "must"), "would": ("might", "must"),
    "can": ("must", "should"), "could": ("must", "should"), "might": ("must", "would"),
}  # fmt: skip
NUMBERS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
]
SMALL = {
    "a",
    "an",
    "the",
    "of",
    "in",
    "on",
    "at",
    "by",
    "for",
    "to",
    "and",
    "or",
    "but",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "as",
    "that",
    "this",
    "it",
    "its",
    "with",
    "from",
    "which",
    "who",
    "had",
    "has",
    "have",
    "not",
    "he",
    "she",
    "they",
    "his",
    "her",
    "their",
    "him",
    "them",
    "than",
    "then",
    "so",
    "such",
    "any",
    "all",
}
PRONOUNS = {"it", "he", "she", "they", "him", "her", "them", "we", "us", "this", "that"}
CONFUSIONS = (
    ("rn", "m"),
    ("m", "rn"),
    ("cl", "d"),
    ("d", "cl"),
    ("l", "1"),
    ("1", "l"),
    ("o", "0"),
    ("li", "h"),
)
LOOKALIKES = {
    "e": "c",
    "c": "e",
    "h": "b",
    "b": "h",
    "n": "u",
    "u": "n",
    "t": "f",
    "i": "l",
    "l": "i",
    "a": "o",
}
OTHER_WORDS = (
    "reasonable", "ordinary", "purpose", "contract", "evidence", "general", "certain", "public", "common",
    "written", "harbour", "payment", "notice", "damage", "later", "private", "final", "measure", "weight",
    "receive", "consider", "require", "produce", "declare", "maintain", "protect",
)  # fmt: skip
"""Words that take the place of others, none a form of another."""
INSERTED = ("clearly", "and", "often", "always", "material", "also", "generally", "the", "mere", "usually")
AUXILIARIES = {*MODALS, "is", "are", "was", "were", "be", "does", "did"}
ELLIPSES = (" … ", " . . . ", " ... ", " [...] ", " [. . .] ", " * * * ", " … ")
_WORD = re.compile(r"[A-Za-z]+")

Change = Callable[[str, random.Random, Sequence[str]], str | None]
"""A quotation, chance, and names from other documents: the changed quotation, None if it cannot be made."""


def bare(word: str) -> str:
    return word.strip(".,;:()[]“”\"’'‘—–").casefold()


# -- lawful --------------------------------------------------------------------------------------------------


def verbatim(quotation: str, chance: random.Random, names: Sequence[str]) -> str:
    return quotation


def typographic(quotation: str, chance: random.Random, names: Sequence[str]) -> str:
    changes: list[Callable[[str], str]] = [
        lambda text: text.replace("“", "‘").replace("”", "’"),
        lambda text: text.replace("—", " – ").replace("--", "—"),
        lambda text: text.replace("fi", "ﬁ").replace("fl", "ﬂ"),
        lambda text: text.replace(" ", "\u00a0", 2),
        lambda text: re.sub(r" ", "\n", text, count=1) if len(text) < 200 else text.replace(". ", ".\n", 1),
        lambda text: text[0].swapcase() + text[1:],
        lambda text: text.rstrip(".,;") + chance.choice((",", ".", "")),
        lambda text: text.replace("’", "'"),
        lambda text: re.sub(r"(?<=[a-z]{4})(?=[a-z]{4})", "\u00ad", text, count=2),
        lambda text: text.replace(" ", "  ", 1),
    ]
    for change in chance.sample(changes, 4):
        quotation = change(quotation)
    return quotation


def bracketed(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    kind = chance.randrange(5)
    if kind == 0 and words[0][:1].isalpha():
        words[0] = f"[{words[0][0].swapcase()}]{words[0][1:]}"
    elif kind == 1:
        places = [place for place, word in enumerate(words) if bare(word) in PRONOUNS and word.isalpha()]
        if not places:
            return None
        words[chance.choice(places)] = chance.choice(("[the company]", "[the plaintiff]", "[this rule]"))
    elif kind == 2:
        place = chance.randrange(2, len(words) - 2)
        words.insert(place, chance.choice(("[sic]", "[the Board]", "[of the Act]", "[in other words]")))
    elif kind == 3:
        places = [place for place, word in enumerate(words) if re.fullmatch(r"[a-z]{4,}(?:ed|s|ing)", word)]
        if not places:
            return None
        place = chance.choice(places)
        stem = re.sub(r"(?:ed|s|ing)$", "", words[place])
        words[place] = stem + chance.choice(("[s]", "[ed]", "[ing]", "[]"))
    else:
        return quotation + chance.choice((" [emphasis added]", " (emphasis added)", " (citations omitted)"))
    return " ".join(words)


def shortened(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    for _ in range(20):
        length = chance.randint(2, 12)
        if len(words) < length + 8:
            continue
        place = chance.randrange(4, len(words) - length - 3)
        if not any(
            bare(word) in LIMITS or bare(word).endswith(("n’t", "n't"))
            for word in words[place : place + length]
        ):
            left = " ".join(words[:place])
            return left + chance.choice(ELLIPSES) + " ".join(words[place + length :])
    return None


def scanned(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    made = 0
    wanted = chance.randint(1, 3)
    for _ in range(40):
        kind = chance.randrange(5)
        words = quotation.split(" ")
        place = chance.randrange(1, len(words) - 1)
        word = words[place]
        if kind <= 1:
            fits = [pair for pair in CONFUSIONS if pair[0] in word]
            if not fits or len(word) < 4 or not word.isalpha():
                continue
            old, new = chance.choice(fits)
            words[place] = word.replace(old, new, 1)
        elif kind == 2:
            if len(word) < 7 or not word.isalpha():
                continue
            at = chance.randrange(1, len(word) - 1)
            if word[at] not in LOOKALIKES:
                continue
            words[place] = word[:at] + LOOKALIKES[word[at]] + word[at + 1 :]
        elif kind == 3:
            if not (word.isalpha() and words[place + 1].isalpha()):
                continue
            words[place : place + 2] = [word + words[place + 1]]
        else:
            if len(word) < 7 or not word.isalpha():
                continue
            at = chance.randrange(2, len(word) - 2)
            words[place] = word[:at] + chance.choice((" ", "-", "- ")) + word[at:]
        quotation = " ".join(words)
        made += 1
        if made == wanted:
            return quotation
    return None


# -- harmful -------------------------------------------------------------------------------------------------


def negation_dropped(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = [
        place
        for place, word in enumerate(words)
        if bare(word) in ("not", "no", "never", "cannot", "without", "nor")
    ]
    places = [place for place in places if 0 < place < len(words) - 1]
    if not places:
        return None
    place = chance.choice(places)
    said = bare(words[place])
    put = {"cannot": "can", "without": "with", "nor": "or"}.get(said)
    words[place : place + 1] = [put] if put else []
    return " ".join(words)


def modal_swapped(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = [place for place, word in enumerate(words) if word in MODALS]
    if not places:
        return None
    place = chance.choice(places)
    words[place] = chance.choice(MODALS[words[place]])
    return " ".join(words)


def number_changed(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = [
        place for place, word in enumerate(words)
        if re.fullmatch(r"[($]?\d{1,6}[.,;)]?", word) or bare(word) in NUMBERS
    ]  # fmt: skip
    if not places:
        return None
    place = chance.choice(places)
    words[place] = _next_number(words[place], chance)
    return " ".join(words)


def _next_number(word: str, chance: random.Random) -> str:
    said = bare(word)
    if said in NUMBERS:
        other = chance.choice([each for each in NUMBERS if each != said])
        return re.sub(said, other, word, flags=re.IGNORECASE)
    return re.sub(r"\d+", lambda match: str(int(match.group()) + chance.choice((1, 2, 10))), word, count=1)


def name_changed(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = [
        place for place in range(1, len(words))
        if re.fullmatch(r"[A-Z][a-z]{3,}", words[place]) and words[place - 1][-1:].isalpha()
    ]  # fmt: skip
    if not places:
        return None
    place = chance.choice(places)
    other = [name for name in names if name != words[place]]
    words[place] = chance.choice(other)
    return " ".join(words)


def reordered(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = [
        place for place in range(1, len(words) - 2)
        if words[place].isalpha() and words[place + 1].isalpha() and words[place] != words[place + 1]
        and not {words[place].casefold(), words[place + 1].casefold()} & SMALL
    ]  # fmt: skip
    if not places:
        return None
    place = chance.choice(places)
    words[place : place + 2] = [words[place + 1], words[place]]
    return " ".join(words)


def negation_swallowed(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = [
        place for place, word in enumerate(words)
        if word in ("not", "no", "never", "cannot", "unless", "without", "except")
        and 3 <= place < len(words) - 4
        and not words[place - 1].endswith((".", "?", "!", ".”")) and bare(words[place - 1]) != "or"
        and bare(words[place + 1]) != "only"
    ]  # fmt: skip
    if not places:
        return None
    place = chance.choice(places)
    start = place - chance.randint(0, 2)
    end = place + 1 + chance.randint(0, 3)
    if any(word.endswith((".", "?", "!", ".”", ".’")) for word in words[start:end]):
        start, end = place, place + 1
    if end > len(words) - 3:
        return None
    return " ".join(words[:start]) + chance.choice(ELLIPSES) + " ".join(words[end:])


def bracket_misused(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    modals = [place for place, word in enumerate(words) if word in MODALS]
    numbers = [
        place for place, word in enumerate(words)
        if re.fullmatch(r"\d{1,6}", word) or word in NUMBERS
    ]  # fmt: skip
    places = [place for place in modals + numbers if 1 < place < len(words) - 2]
    if not places:
        return None
    place = chance.choice(places)
    word = words[place]
    words[place] = f"[{chance.choice(MODALS[word])}]" if word in MODALS else f"[{_next_number(word, chance)}]"
    return " ".join(words)


def _plain_places(words: Sequence[str]) -> list[int]:
    """The words of substance inside a quotation, without marks at them."""
    return [
        place
        for place in range(1, len(words) - 1)
        if re.fullmatch("[a-z]{4,}", words[place])
        and words[place] not in SMALL | LIMITS
        and words[place] not in MODALS
    ]


def word_changed(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = _plain_places(words)
    if not places:
        return None
    place = chance.choice(places)
    words[place] = chance.choice([each for each in OTHER_WORDS if each[:3] != words[place][:3]])
    return " ".join(words)


def word_inserted(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = [at for at in range(1, len(words)) if words[at].isalpha() and words[at - 1].isalpha()]
    if not places:
        return None
    words.insert(chance.choice(places), chance.choice(INSERTED))
    return " ".join(words)


def word_omitted(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = _plain_places(words)
    if not places:
        return None
    del words[chance.choice(places)]
    return " ".join(words)


def negation_added(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    words = quotation.split(" ")
    places = [
        place
        for place in range(len(words) - 1)
        if words[place] in AUXILIARIES and words[place + 1].isalpha() and words[place + 1] not in LIMITS
    ]
    if not places:
        return None
    words.insert(chance.choice(places) + 1, chance.choice(("not", "not", "never")))
    return " ".join(words)


def exception_swallowed(quotation: str, chance: random.Random, names: Sequence[str]) -> str | None:
    """An ellipsis in the place of "unless …" up to the end of that clause."""
    words = quotation.split(" ")
    places = [
        place
        for place in range(3, len(words) - 4)
        if words[place] in ("unless", "except") and words[place - 1][-1:] != "."
    ]
    if not places:
        return None
    start = chance.choice(places)
    end = next(
        (at + 1 for at in range(start, len(words)) if words[at][-1:] in ",;"), min(start + 8, len(words))
    )
    if end > len(words) - 3 or any(word[-1:] in ".?!" for word in words[start:end]):
        return None
    return " ".join(words[:start]) + chance.choice(ELLIPSES) + " ".join(words[end:])


LAWFUL: dict[str, Change] = {
    "verbatim": verbatim,
    "typographic": typographic,
    "brackets": bracketed,
    "ellipsis": shortened,
    "scanner's noise": scanned,
}
HARMFUL: dict[str, Change] = {
    "word changed": word_changed,
    "word inserted": word_inserted,
    "word omitted": word_omitted,
    "negation added": negation_added,
    "ellipsis drops an exception": exception_swallowed,
    "negation dropped": negation_dropped,
    "modal swapped": modal_swapped,
    "number changed": number_changed,
    "name changed": name_changed,
    "word order": reordered,
    "ellipsis drops a negation": negation_swallowed,
    "bracket changes modal or number": bracket_misused,
}
