"""A case's short name in italics, alone in its sentence or at its end, is a mention of the case."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.reading.draft_parser import DraftParser
from lexls.text.formats import FORMATS

KEY = "[2014] UKSC 12"
OTHER = "[2016] UKSC 3"
MARKS = [(name, *marks) for name, each in sorted(FORMATS.items()) for marks in each.italics]
PLACES = {
    "at the end": "So it was held in {}.",
    "in the middle": "In {}, the Court said no more.",
    "before words": "The Court in {} said no more.",
    "first": "{} is good law.",
    "alone": "{}.",
    "behind a signal": "See {}.",
    "behind a name": f"See Elm v Fern {OTHER}; {{}}.",
    "in brackets": "The rule is old ({}).",
    "in a question": "What of {}?",
    "of a case": "We rely on {}’s second limb.",
    "between dashes": "The case – {} – is old.",
    "at a line's end": "So it was held in {}\nonce more.",
    "at a line's beginning": "So it was held in\n{} once more.",
    "without a stop": "So it was held in {}",
}
NAMES = {
    "Greyling": "Greyling v Hart",
    "Hart": "Greyling v Hart",
    "Carrow": "Carrow Shipping Ltd v Dunne",
    "Carrow Shipping": "Carrow Shipping Ltd v Dunne",
    "Orrin Stations, Inc.": "Orrin Stations, Inc. v Dunne",
    "Re Ryle": "Re Ryle",
    "Société Marin": "Société Marin v Dunne",
}


def read(grammar: Grammar, format: str, source: str) -> Iterator[tuple[str, Citation]]:
    for citation in DraftParser(grammar, "UK").parse("file:///draft", source, FORMATS[format]).citations:
        yield citation.core.of(source), citation


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("format", "opening", "closing"), MARKS)
def test_a_short_name_in_italics_is_the_case(
    grammar: Grammar, format: str, opening: str, closing: str, place: str
) -> None:
    begun = r"\begin{document} " if format == "latex" else ""
    full = f"{begun}It began with {opening}Greyling v Hart{closing} {KEY}."
    source = f"{full}\n\n{PLACES[place].format(opening + 'Greyling' + closing)}\n"
    first, *_, (core, last) = read(grammar, format, source)
    assert (core, last.form, last.key) == ("Greyling", "short", KEY)
    assert last.antecedent == 0
    assert first[1].form == "full"


@pytest.mark.parametrize("name", NAMES)
def test_every_short_name_of_a_case_may_stand_alone(grammar: Grammar, name: str) -> None:
    source = f"It began with *{NAMES[name]}* {KEY}. So it was held in *{name}*."
    _, (core, citation) = read(grammar, "markdown", source)
    assert (core, citation.key) == (name, KEY)


def test_a_long_name_is_the_case_with_a_place_and_without(grammar: Grammar) -> None:
    name = "Inquiry into the Loss of the Fair Isobel"
    source = f"It began with *{name}* {KEY} (“*{name}*”). So it is: *{name}* at [3]. So it was in *{name}*."
    *_, (_, placed), (core, alone) = read(grammar, "markdown", source)
    assert (placed.key, alone.key, core) == (KEY, KEY, name)


NO_NAMES = {
    "a word": "It was held *Gladly*.",
    "another name": "So it was held in *Ryle*.",
    "a name with more": "So it is in *Greyling Quarterly*.",
    "a newspaper": "It was reported in *The Greyling*.",
    "words that end in it": "*The fall of Greyling* was long.",
    "bold": "**Greyling** was late.",
    "no italics": "So it was held in Greyling.",
    "a person": "Mr Greyling was late.",
    "two spaces": "He was late.  Greyling was not.",
    "code": "So it is in `Greyling`.",
    "a link": "So it is in [Greyling](greyling.md).",
    "small letters": "So it is in *greyling*.",
    "a word of the list": "- Greyling\n- Hart",
}


@pytest.mark.parametrize("kind", NO_NAMES)
def test_other_words_are_no_case(grammar: Grammar, kind: str) -> None:
    source = f"It began with *Greyling v Hart* {KEY}.\n\n{NO_NAMES[kind]}\n"
    assert [core for core, _ in read(grammar, "markdown", source)] == [KEY]


@pytest.mark.parametrize("text", ["So it was held in Greyling.", "See Greyling.", "Greyling was late."])
def test_plain_text_has_no_italics(grammar: Grammar, text: str) -> None:
    assert len(list(read(grammar, "plain", f"It began with Greyling v Hart {KEY}.\n\n{text}"))) == 1


@pytest.mark.parametrize("word", ["Rule", "Accord", "Council", "See"])
def test_a_word_that_stands_everywhere_is_no_case_alone(grammar: Grammar, word: str) -> None:
    source = f"It began with *{word} v Hart* {KEY}. So it is. *{word}* is what it is."
    assert len(list(read(grammar, "markdown", source))) == 1


def test_a_name_is_no_case_before_the_case_is_cited(grammar: Grammar) -> None:
    source = f"So it was held in *Greyling*. It began with *Greyling v Hart* {KEY}."
    assert [core for core, _ in read(grammar, "markdown", source)] == [KEY]


@pytest.mark.parametrize(
    ("between", "key"),
    [
        ("We differ from *Greyling* there.", OTHER),
        ("So it was held in *Greyling*.", KEY),
        ("It is *Gladly* so.", OTHER),
        ("See *Greyling*; and so it was.", KEY),
    ],
)
def test_ibid_passes_over_a_case_that_is_only_spoken_of(grammar: Grammar, between: str, key: str) -> None:
    source = f"It began with *Greyling v Hart* {KEY}. Then *Elm v Fern* {OTHER}. {between} *Ibid*."
    *_, (_, last) = read(grammar, "markdown", source)
    assert (last.form, last.key) == ("id", key)


def test_an_emphasised_word_divides_no_string_of_citations(grammar: Grammar) -> None:
    source = f"*Greyling v Hart* {KEY}; *Contra* *Elm v Fern* {OTHER}. *Ibid*."
    *_, (_, last) = read(grammar, "markdown", source)
    assert last.ambiguous
