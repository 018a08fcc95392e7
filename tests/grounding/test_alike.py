"""Phrases that say the same, and those that only look like it."""

from __future__ import annotations

import pytest
from standing import check

SAME = [
    (
        "In spite of the flood, the ferryman is liable for the horse.",
        "Despite the flood, the ferryman is liable for the horse.",
    ),
    (
        "The ferryman is liable for the horse in spite of the flood.",
        "The ferryman is liable for the horse despite the flood.",
    ),
    ("A ferry is not a mere boat.", "A ferry is not merely a boat."),
    ("A ferry is a mere boat.", "A ferry is merely a boat."),
    ("It is not ownership that matters but control.", "Control matters, not ownership."),
    (
        "As to the first issue, it is not ownership that matters but control.",
        "Control matters, not ownership.",
    ),
    ("Control matters, not ownership.", "It is not ownership that matters but control."),
    ("It is control, not ownership, that matters.", "It is not ownership that matters but control."),
    ("It is control and not ownership that matters.", "Control matters, not ownership."),
    (
        "The charter lasts for three years unless terminated earlier.",
        "The charter lasts for three years unless it is terminated earlier.",
    ),
    (
        "No claim may be brought against a ferryman for a horse after the end of one year beginning with the "
        "day on which it drowned.",
        "A claim may not be brought against a ferryman for a horse after one year beginning with the day on "
        "which it drowned.",
    ),
    ("The ferryman is neither drunk nor rude.", "The ferryman is not drunk or rude."),
    ("The ferryman is not drunk or rude.", "The ferryman is neither drunk nor rude."),
    ("A ferryman may neither refuse nor delay a horse.", "A ferryman may not refuse or delay a horse."),
    (
        "The law therefore places the burden of proof on the owner trying to show that the rope was worn.",
        "The burden of proof is on the owner trying to show that the rope was worn.",
    ),
    (
        "The burden of proof rests on the owner.",
        "The burden of proof is on the owner.",
    ),
]
OTHER = [
    ("The ferryman is liable for the horse in spite of the flood.", "The flood is liable for the horse."),
    ("A ferry is not a mere boat.", "A ferry is not a boat."),
    ("A ferry is not a mere boat.", "A ferry is merely a boat."),
    ("A ferry is not a mere boat.", "A ferry is a boat."),
    ("A ferry is a mere boat.", "A ferry is not merely a boat."),
    ("It is not ownership that matters but control.", "Ownership matters, not control."),
    ("It is not ownership that matters but control.", "Ownership matters."),
    ("It is not ownership that matters but control.", "Ownership and control matter."),
    ("It is not ownership alone that matters but control.", "Control matters, not ownership."),
    ("It is not only ownership that matters but control.", "Control matters, not ownership."),
    ("It is not ownership that matters but control of the rope.", "Control matters, not ownership."),
    (
        "If the river is high, it is not ownership that matters but control.",
        "Control matters, not ownership.",
    ),
    ("The owner says that it is not ownership that matters but control.", "Control matters, not ownership."),
    ("It is control and ownership that matters.", "Control matters, not ownership."),
    (
        "The charter lasts for three years unless terminated earlier.",
        "The charter lasts for three years.",
    ),
    (
        "The charter lasts for three years unless terminated earlier.",
        "The charter lasts for three years if it is terminated earlier.",
    ),
    (
        "No claim may be brought against a ferryman for a horse after one year.",
        "A claim may be brought against a ferryman for a horse after one year.",
    ),
    (
        "No claim may be brought against a ferryman for a horse after one year.",
        "A claim may not be brought against a ferryman for a horse within one year.",
    ),
    (
        "No claim may be brought against a ferryman for a lame horse after one year.",
        "A claim may not be brought against a ferryman after one year.",
    ),
    (
        "The first term of this Charter (the “First Term”) shall commence on the landing and may continue "
        "for a period of ten years thereafter.",
        "The First Term shall commence on the landing and shall continue for ten years thereafter.",
    ),
    (
        "The first term of this Charter (the “First Term”) shall not commence on the landing.",
        "The First Term shall commence on the landing.",
    ),
    ("The ferryman is neither drunk nor rude.", "The ferryman is drunk or rude."),
    ("The ferryman is neither drunk nor rude.", "The ferryman is not drunk but rude."),
    ("The ferryman is neither drunk nor rude.", "The ferryman is not both drunk and rude."),
    ("The ferryman is not drunk and rude.", "The ferryman is neither drunk nor rude."),
    ("A ferryman may neither refuse nor delay a horse.", "A ferryman may refuse or delay a horse."),
    ("A ferryman may neither refuse nor delay a horse.", "A ferryman may not refuse a horse but delay it."),
    (
        "A ferryman may neither refuse nor delay a horse if it is lame.",
        "A ferryman may not refuse or delay a horse.",
    ),
    ("The ferryman is not drunk or rude.", "The ferryman is not drunk but rude."),
    ("The ferryman may not refuse a horse or a mule.", "The ferryman may not refuse a horse but a mule."),
    (
        "The law places the burden of proof on the owner if the rope was worn.",
        "The burden of proof is on the owner.",
    ),
    (
        "The law places the burden of proof on the owner trying to show that the rope was worn.",
        "The burden of proof is on the owner.",
    ),
    (
        "The burden of proof is on the owner trying to show that the rope was worn.",
        "The owner must show that the rope was worn.",
    ),
    (
        "The law does not place the burden of proof on the owner.",
        "The burden of proof is on the owner.",
    ),
]


@pytest.mark.parametrize(("quotation", "sentence"), SAME)
def test_what_says_the_same_in_other_words_stands(quotation: str, sentence: str) -> None:
    check(quotation, sentence, stands=True)


@pytest.mark.parametrize(("quotation", "sentence"), OTHER)
def test_what_says_something_else_does_not(quotation: str, sentence: str) -> None:
    check(quotation, sentence, stands=False)


def test_a_term_that_is_given_a_name_runs_as_it_does_without() -> None:
    check(
        "The first term of this Charter (the “First Term”) shall commence on the landing and shall continue "
        "for a period of ten years thereafter.",
        "The First Term shall commence on the landing and shall continue for ten years thereafter.",
        stands=True,
        question="How long is the first term of the Charter?",
    )
