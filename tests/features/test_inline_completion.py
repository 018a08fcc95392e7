"""The citation that is proposed behind a sentence, and where none is."""

import pytest

from lexls.features.inline_completion import propose_citation

SAID = "Necessity is judged at the time of the departure, without hindsight."


def accepted(marked, token) -> str | None:  # type: ignore[no-untyped-def]
    """The draft with the proposal in it; None if there is none."""
    found = propose_citation(marked.snapshot, marked.start, token)
    if found is None:
        return None
    assert found.replace.end == marked.start
    source = marked.draft.source
    # Editors show only what is added to the text.
    assert found.text.startswith(found.replace.of(source))
    return source[: found.replace.start] + found.text + source[found.replace.end :]


def test_a_sentence_that_an_authority_bears_out_gets_its_citation(read, token) -> None:
    habit = "First *Pell v Stark* [2009] ACA 31 at [2].\n\n"
    assert accepted(read(f"{habit}{SAID}|"), token) == (
        f"{habit}{SAID} *Carrow v Luff* [2014] ASC 12 at [4]."
    )


@pytest.mark.parametrize(
    "draft",
    [
        "The parties met for lunch on a Tuesday and parted as friends.|",
        f"{SAID}| And there is more.",
        "Necessity is judged at the time| of the departure, without hindsight.",
        "Necessity is judged at the time of the departure: *Carrow v Luff* [2014] ASC 12 at [4].|",
        "# Necessity is judged at the time of the departure.|",
        "|",
    ],
)
def test_otherwise_nothing_is_proposed(read, token, draft: str) -> None:
    assert accepted(read(draft), token) is None
