"""Shorten the persons in the title of a case to their surnames, as citations do."""

from __future__ import annotations

import re

from lexls.citations.case_names.exact_party import names_body
from lexls.citations.case_names.word_relations import split_words
from lexls.text.lexicon import BETWEEN_PARTIES

_CAPACITY = re.compile(
    r"(?:,?\s{1,3}et\s{1,3}al(?:s)?\b\.?|,\s{1,3}(?:(?:the|an?)\s)?(?:petitioner|respondent|plaintiff|defendant"
    r"|appellant|appellee|claimant|applicant)s?\b[^,]{0,20}?)(?:,?\s{0,3}\Z|(?=,))",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(?:[A-Z][a-z]+|[A-Z]\.)(?:\s(?:[A-Z][a-z]+|[A-Z]\.)){0,2}\s(?P<surname>[A-Z][\w’'-]+)")
_AGAIN = 2
"""Number of times an opinion must use the surname alone; it hardly calls a company by its last word."""


def shorten_persons(title: str, text: str) -> str:
    """Return a title without given names, "et al." and the parties' roles.

    The opinion's ``text`` tells a person from a company that bears two names: it calls one by the last alone.
    """
    sign = BETWEEN_PARTIES.search(title)
    if sign is None:
        return title
    parties = (_shorten(each, text) for each in (title[: sign.start()], title[sign.end() :]))
    return f" {sign[1]} ".join(parties)


def _shorten(party: str, text: str) -> str:
    while (shorter := _CAPACITY.sub("", party).strip(" ,")) != party:
        party = shorter
    person = _PERSON.fullmatch(party)
    if person is None or names_body(split_words(party)):
        return party
    surname = person["surname"]
    words = party[: person.start("surname")].split()[-1]
    full = len(re.findall(rf"{re.escape(words)}\s{re.escape(surname)}\b", text))
    return surname if len(re.findall(rf"\b{re.escape(surname)}\b", text)) - full >= _AGAIN else party
