"""Changes to a sentence that keep it true of its evidence, and ones that make it false."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from quotation_edits import modal_swapped, name_changed, negation_dropped

from lexls.grounding.verification.clauses import read_clauses
from lexls.grounding.verification.particulars import find_numbers, find_provisions
from lexls.grounding.verification.vocabulary import PARTIES
from lexls.text.dates import find_mentioned_dates
from lexls.text.lexicon import split_words

Edit = Callable[[str, random.Random, Sequence[str]], str | None]
"""A sentence, chance, and words of other documents: the changed sentence, None if it cannot be made."""

_AUXILIARY = split_words(
    "is are was were has have had may must shall should will would can could did does do might"
)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_SPELLED = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_REPORTS = (
    "The court held that {}",
    "According to this passage, {}",
    "The judgment states that {}",
    "The evidence says that {}",
)
_TURNS = re.compile(
    r"\b(?:not|no|never|nor|neither|none|nothing|without|unless|except|only|cannot|fail\w*|den\w+|refus\w+|"
    r"subject to|provided|save|solely|merely|n’t|n't|if|when|where|while|until|once|but|or)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?:if|when|where|while|until|unless|once|whether|because)\b", re.IGNORECASE)


# -- true ----------------------------------------------------------------------------------------------------


def itself(sentence: str, chance: random.Random, others: Sequence[str]) -> str:
    return sentence


def reported(sentence: str, chance: random.Random, others: Sequence[str]) -> str:
    first = sentence.split(" ", 1)[0]
    small = first.lower() in (
        "the",
        "a",
        "an",
        "it",
        "this",
        "in",
        "where",
        "if",
        "he",
        "they",
        "we",
        "under",
    )
    return chance.choice(_REPORTS).format(sentence[0].lower() + sentence[1:] if small else sentence)


def clause_dropped(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """Without what stands between two commas or behind the last one, if nothing in it turns or limits the
    rest, and the sentence does not begin with a condition, which would lose what it is one of."""
    if _CONDITION.match(sentence):
        return None
    commas = [match.start() for match in re.finditer(r",(?=\s)", sentence)]
    pieces = [
        (low, high)
        for low, high in pairwise([*commas, len(sentence) - 1])
        if 15 < high - low < len(sentence) * 0.45
    ]
    chance.shuffle(pieces)
    for low, high in pieces:
        if not _TURNS.search(sentence[low:high]):
            rest = sentence[:low] + (sentence[high + 1 :] if high < len(sentence) - 1 else sentence[high:])
            if len(rest.split()) >= 8:
                return rest
    return None


def number_respelled(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """Figures in words, or words in figures; 1,500 as 1500."""

    def other(match: re.Match[str]) -> str:
        written = match.group()
        if written.casefold() in _SPELLED:
            return str(_SPELLED.index(written.casefold()) + 2)
        value = int(written.replace(",", ""))
        return _SPELLED[value - 2] if 2 <= value <= 12 else str(value)

    pattern = (
        rf"(?<![\w.,/$§:()-])(?:\d{{1,3}}(?:,\d{{3}})+|[2-9]|1[0-2]|{'|'.join(_SPELLED)})(?![\w,.:/()-])"
    )
    matches = [
        match
        for match in re.finditer(pattern, sentence)
        if not any(each.span.start <= match.start() < each.span.end for each in find_provisions(sentence))
        and not re.search(r"(?:hundred|thousand|lakhs?|crores?|million)[\s-]$", sentence[: match.start()])
        and not re.match(r"[\s-](?:hundred|thousand|lakh|crore|million)", sentence[match.end() :])
        and not any(
            each.span.start <= match.start() < each.span.end for each in find_mentioned_dates(sentence)
        )
    ]
    if not matches:
        return None
    match = chance.choice(matches)
    return sentence[: match.start()] + other(match) + sentence[match.end() :]


def date_rewritten(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    found = [
        each
        for each in find_mentioned_dates(sentence)
        if each.day and each.month and each.year and not each.swapped
    ]
    if not found:
        return None
    date = chance.choice(found)
    month = _MONTHS[date.month - 1]
    ways = (f"{date.day} {month} {date.year}", f"{month} {date.day}, {date.year}", f"{month} {date.year}")
    other = chance.choice([each for each in ways if each != date.span.of(sentence)])
    return sentence[: date.span.start] + other + sentence[date.span.end :]


# -- false ---------------------------------------------------------------------------------------------------


def negation_added(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    said = sentence.split(" ")
    places = [
        place
        for place, word in enumerate(said[:-1])
        if word in _AUXILIARY
        and said[place + 1][:1].islower()
        and said[place + 1] not in ("not", "no", "never")
    ]
    if not places:
        return None
    place = chance.choice(places)
    return " ".join([*said[: place + 1], chance.choice(("not", "not", "never")), *said[place + 1 :]])


def exception_dropped(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    match = re.search(r",?\s(?:unless|except)\b[^,.;]{10,160}(?=[,.;])", sentence)
    return sentence[: match.start()] + sentence[match.end() :] if match else None


def number_changed(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """A number that is neither of a date nor of a provision, one more or one less."""
    without = [each.span for each in find_mentioned_dates(sentence)] + [
        each.span for each in find_provisions(sentence)
    ]
    found = [
        each
        for each in find_numbers(sentence, without)
        if re.fullmatch(r"\$?\s?[\d,]+", each.span.of(sentence))
    ]
    if not found:
        return None
    number = chance.choice(found)
    value = int(re.sub(r"\D", "", number.span.of(sentence))) + chance.choice((-1, 1))
    sign = "$" if "$" in number.span.of(sentence) else ""
    return f"{sentence[: number.span.start]}{sign}{max(value, 0)}{sentence[number.span.end :]}"


def date_changed(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    found = [each for each in find_mentioned_dates(sentence) if each.month and not each.swapped]
    if not found:
        return None
    date = chance.choice(found)
    day, month, year = date.day, date.month, date.year
    kind = chance.choice([each for each, value in (("day", day), ("month", 1), ("year", year)) if value])
    if kind == "day":
        day = day + 1 if day < 28 else day - 1
    elif kind == "month":
        month = month % 12 + 1
    else:
        year += chance.choice((-1, 1))
    written = f"{day} {_MONTHS[month - 1]} {year}" if day else f"{_MONTHS[month - 1]} {year}"
    written = written.removesuffix(" 0")
    return sentence[: date.span.start] + written + sentence[date.span.end :]


def provision_changed(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    found = [
        each
        for each in find_provisions(sentence)
        if each.span.of(sentence)[-1].isalnum() or len(each.path) > 1
    ]
    if not found:
        return None
    provision = chance.choice(found)
    written = provision.span.of(sentence)
    ways = [f"{written}(7)"]
    if len(provision.path) > 1:
        ways.append(re.sub(r"\s?\([^()]*\)$", "", written))
    if written[0].isdigit():
        ways.append(re.sub(r"^\d+", lambda match: str(int(match.group()) + 1), written))
    other = chance.choice(ways)
    if other == written:
        return None
    return sentence[: provision.span.start] + other + sentence[provision.span.end :]


def parties_swapped(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """Two sides of one kind change places: names, or nouns such as landlord and tenant."""
    said = [
        (match.start(), match.group())
        for match in re.finditer(r"[A-Za-z’'-]+", sentence)
        if match.group().casefold() in PARTIES
        or (match.start() > 0 and re.fullmatch(r"[A-Z][a-z]{3,}", match.group()) and _alone(sentence, match))
    ]
    pairs = [
        (one, other)
        for place, one in enumerate(said)
        for other in said[place + 1 : place + 2]
        if one[1] != other[1] and one[1][0].isupper() == other[1][0].isupper()
        and sum(each[1] == one[1] for each in said) == 1 and sum(each[1] == other[1] for each in said) == 1
        and re.search(r"\s[a-z]{2,}\s", sentence[one[0] + len(one[1]) : other[0]])
        and not re.fullmatch(
            r"[\s,]*(?:and|or|nor|&)(?:\s(?:the|a|an))?\s*", sentence[one[0] + len(one[1]) : other[0]]
        )
    ]  # fmt: skip
    if not pairs:
        return None
    (low, one), (high, other) = chance.choice(pairs)
    return sentence[:low] + other + sentence[low + len(one) : high] + one + sentence[high + len(other) :]


def _alone(sentence: str, match: re.Match[str]) -> bool:
    """Whether a capitalised word is a name by itself: no other capital beside it, nothing ends before it."""
    before, behind = sentence[: match.start()].rstrip(), sentence[match.end() :].lstrip()
    if before[-1:] in '.?!:“"(;' or match.group() in _MONTHS:
        return False
    last = before.rsplit(" ", 1)[-1]
    return not last[:1].isupper() and not behind[:1].isupper() and not behind[:1].isdigit()


def foreign_word(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    said = sentence.split(" ")
    places = [place for place in range(1, len(said)) if re.fullmatch(r"[a-z]{5,}", said[place])]
    if not places:
        return None
    place = chance.choice(places)
    strange = [each for each in others if each.islower() and len(each) > 4 and each[:4] != said[place][:4]]
    said[place] = chance.choice(strange)
    return " ".join(said)


def word_added(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    said = sentence.split(" ")
    place = chance.randrange(1, len(said))
    said.insert(place, chance.choice([each for each in others if each.islower() and len(each) > 4]))
    return " ".join(said)


def _names_of(others: Sequence[str]) -> list[str]:
    return [each for each in others if each[:1].isupper()]


def name_replaced(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    return name_changed(sentence, chance, _names_of(others))


def modal_changed(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """Of the modal verbs only those that oblige, permit or advise."""
    if not any(word in ("may", "must", "shall", "should", "can") for word in sentence.split()):
        return None
    changed = modal_swapped(sentence, chance, others)
    if changed is None or set(read_clauses(changed, _plain).modals) == set(
        read_clauses(sentence, _plain).modals
    ):
        return None
    return changed


def _plain(text: str) -> list[str]:
    return [text.casefold()]


TRUE: dict[str, Edit] = {
    "the sentence itself": itself,
    "with words of reporting": reported,
    "a clause left out": clause_dropped,
    "a number written otherwise": number_respelled,
    "a date written otherwise": date_rewritten,
}
FALSE: dict[str, Edit] = {
    "negation added": negation_added,
    "negation dropped": negation_dropped,
    "exception dropped": exception_dropped,
    "modal verb changed": modal_changed,
    "number one more or less": number_changed,
    "date changed": date_changed,
    "provision changed": provision_changed,
    "name replaced": name_replaced,
    "parties swapped": parties_swapped,
    "word replaced by a strange one": foreign_word,
    "strange word added": word_added,
}


# -- turned holdings ---------------------------------------------------------------------------------------

_OUTCOMES = (
    "affirmed reversed", "affirming reversing", "affirm reverse", "granted denied", "granting denying",
    "grant deny", "allowed dismissed", "allowing dismissing", "upheld overturned",
    "upholding overturning", "liable immune", "valid invalid", "lawful unlawful",
    "sufficient insufficient", "enforceable unenforceable", "reasonable unreasonable",
    "constitutional unconstitutional", "admissible inadmissible", "proper improper", "succeeds fails",
    "succeeded failed", "permits prohibits", "permitted prohibited", "requires forbids",
    "protects excludes", "entitled disentitled", "includes excludes", "applies fails",
    "rejected accepted", "rejecting accepting", "rejects accepts", "guilty innocent", "increase decrease",
    "broad narrow", "broadly narrowly", "supports contradicts", "favors disfavors",
    "protected unprotected", "appropriate inappropriate", "relevant irrelevant",
    "copyrightable uncopyrightable",
)  # fmt: skip
_QUANTIFIERS = (
    "all some", "every no", "any no", "each no", "always sometimes", "always never", "some all",
    "many few", "most few", "only also", "no any", "both neither", "never always", "may must",
    "primarily solely", "part whole",
)  # fmt: skip
_OPPOSITE_SIDES = (
    "plaintiff defendant", "appellant respondent", "appellant appellee", "petitioner respondent",
    "landlord tenant", "lessor lessee", "buyer seller", "purchaser vendor", "lender borrower",
    "licensor licensee", "employer employee", "mortgagor mortgagee", "creditor debtor", "principal agent",
    "insurer insured", "trustee beneficiary", "owner infringer", "prosecution accused", "husband wife",
    "author publisher", "government defendant",
)  # fmt: skip


def _turned(pairs: Sequence[str], sentence: str, chance: random.Random) -> str | None:
    other = {}
    for pair in pairs:
        one, contrary = pair.split()
        other.setdefault(one, contrary)
        other.setdefault(contrary, one)
    found = [
        match
        for match in re.finditer(r"(?<![\w-])[A-Za-z]+(?![\w-])", sentence)
        if match.group().lower() in other
    ]
    if not found:
        return None
    match = chance.choice(found)
    word = other[match.group().lower()]
    word = word.capitalize() if match.group()[0].isupper() else word
    return sentence[: match.start()] + word + sentence[match.end() :]


def outcome_turned(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """What was granted is denied, what is valid is invalid."""
    return _turned(_OUTCOMES, sentence, chance)


def quantifier_turned(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """Some for all, never for always."""
    return _turned(_QUANTIFIERS, sentence, chance)


def sides_turned(sentence: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """One side where the other stood, everywhere."""
    sides = dict(each.split() for each in reversed(_OPPOSITE_SIDES))
    sides |= {other: one for one, other in sides.items() if other not in sides}
    found = [each for each in sides if re.search(rf"\b{each}s?\b", sentence, re.IGNORECASE)]
    if not found:
        return None
    side = chance.choice(found)

    def other(match: re.Match[str]) -> str:
        word = sides[side] + match[1]
        return word.capitalize() if match.group()[0].isupper() else word

    return re.sub(rf"\b{side}((?:[’']s)?s?)\b", other, sentence, flags=re.IGNORECASE)


TURNED: dict[str, Edit] = {
    "negation added": negation_added,
    "negation dropped": negation_dropped,
    "modal verb changed": modal_changed,
    "outcome turned": outcome_turned,
    "quantifier turned": quantifier_turned,
    "sides swapped": parties_swapped,
    "other side": sides_turned,
    "number changed": number_changed,
    "exception dropped": exception_dropped,
}
"""What a lawyer may not do to a holding."""
