"""Shorten names of authorities and persons as drafts do, and write the "v" between the parties."""

from __future__ import annotations

import re
from functools import lru_cache

from lexls.citations.case_names.parse import IN_MATTER
from lexls.citations.tables import load_patterns
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_words

_PATTERNS = load_patterns("case_names/patterns.toml")
_NO_OPENING = load_words(__package__, "words.toml")["no_opening"]


@lru_cache(maxsize=1024)
def list_short_names(title: str) -> tuple[str, ...]:
    """Return the short names that drafts use: the first party, then the second, each also without its company
    suffix.

    For an Act, return its title without the year. Parties that do not identify a case ("State of Kerala",
    "R") are skipped.
    """
    title = " ".join(title.split())
    if not title:
        return ()
    if BETWEEN_PARTIES.search(title) is None and _PATTERNS["act"].search(title):
        bare = _PATTERNS["act_year"].sub("", title).strip()
        return (bare,) if bare and bare != title else ()
    matter = IN_MATTER.match(title)
    parties = [title[matter.end() :]] if matter else BETWEEN_PARTIES.split(title)[::2]
    found: list[str] = []
    for party in parties:
        party = re.sub(r"\s{0,40}\((?:No\.?\s{0,40})?\d+\)$", "", party.strip(" ,.;"))
        named = _shortened(party, _PATTERNS["title_tail"])
        for name in (named, _shortened(named, _PATTERNS["company"])):
            if len(name) > 1 and name not in found and name != title and not _PATTERNS["common"].match(name):
                found.append(name)
    return tuple(found)


@lru_cache(maxsize=1024)
def list_openings(title: str) -> tuple[str, ...]:
    """Return the first words of a case's parties that drafts use as short names.

    "Carrow" is such a name for *Carrow Shipping Ltd v Meridian Grain Traders Ltd*. Common first words
    ("National", "Bank of") are skipped.
    """
    if BETWEEN_PARTIES.search(title) is None:
        return ()
    found: list[str] = []
    for name in list_short_names(title):
        parts = name.split()
        for count in range(1, len(parts)):
            bare = parts[count - 1].strip(",.()&").casefold()
            if len(bare) > 2 and bare not in _NO_OPENING and parts[count - 1][:1].isupper():
                found.append(" ".join(parts[:count]))
    return tuple(dict.fromkeys(found))


def _shortened(name: str, tail: re.Pattern[str]) -> str:
    while True:
        shorter = tail.sub("", name).strip(" ,;&").removesuffix(" and").rstrip(" ,")
        if shorter == name or not shorter:
            return name
        name = shorter


def set_versus(name: str, versus: str) -> str:
    """Return a case name with ``versus`` between its parties."""
    return BETWEEN_PARTIES.sub(f" {versus} ", name)


def match_versus(name: str, other: str) -> str:
    """Return a case name with the "v" as another name writes it, if that name has one."""
    found = BETWEEN_PARTIES.search(other)
    return BETWEEN_PARTIES.sub(f" {found[1]} ", name, count=1) if found is not None else name


def choose_short_name(title: str) -> str:
    """Return the popular short name: a case's first party without its company suffix, or an Act's title
    without its year.
    """
    names = list_short_names(title)
    if not names:
        return " ".join(title.split())
    name = names[0]
    for shorter in names[1:]:
        if name.startswith(shorter):
            name = shorter
    return name


def is_regulator(name: str) -> bool:
    """Return whether a party is a public body with so many cases that its name alone does not
    identify one.
    """
    return _PATTERNS["regulator"].match(name) is not None


_CAPACITY = re.compile(
    r"(?:,?\s{1,3}et\s{1,3}al(?:s)?\b\.?|,\s{1,3}(?:(?:the|an?)\s)?(?:petitioner|respondent|plaintiff|defendant"
    r"|appellant|appellee|claimant|applicant)s?\b[^,]{0,20}?)(?:,?\s{0,3}\Z|(?=,))",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(?:[A-Z][a-z]+|[A-Z]\.)(?:\s(?:[A-Z][a-z]+|[A-Z]\.)){0,2}\s(?P<surname>[A-Z][\w’'-]+)")
_AGAIN = 2
"""Minimum number of times that an opinion must use the last word alone for the party to be a person."""


def shorten_persons(title: str, text: str) -> str:
    """Return a title without given names, "et al." and the parties' roles.

    Given names are removed only if the opinion's ``text`` calls the party by its last word alone. Otherwise
    the party may be a company with a two-word name.
    """
    sign = BETWEEN_PARTIES.search(title)
    if sign is None:
        return title
    parties = (_shorten(each, text) for each in (title[: sign.start()], title[sign.end() :]))
    return f" {sign[1]} ".join(parties)


def _shorten(party: str, text: str) -> str:
    # Imported here because only authorities' titles need these; reading a draft does not.
    from lexls.citations.case_names.exact_party import names_body
    from lexls.citations.case_names.word_relations import split_words

    while (shorter := _CAPACITY.sub("", party).strip(" ,")) != party:
        party = shorter
    person = _PERSON.fullmatch(party)
    if person is None or names_body(split_words(party)):
        return party
    surname = person["surname"]
    words = party[: person.start("surname")].split()[-1]
    full = len(re.findall(rf"{re.escape(words)}\s{re.escape(surname)}\b", text))
    return surname if len(re.findall(rf"\b{re.escape(surname)}\b", text)) - full >= _AGAIN else party
