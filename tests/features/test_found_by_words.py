"""A page that the library's copy does not mark is answered by the passage that the sentence rests on."""

from __future__ import annotations

import pytest

from lexls.features.hover import hover
from lexls.features.navigation import find_definitions

UNMARKED = "Your copy does not mark page 215. Nearest to the sentence, found by its words:"


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (
            "A licence for taking seaweed passes to no person and dies with its licensee. "
            "*Thornby Estates Ltd v Registrar of Tides* (1987) 4 AldL|R 212, 215.",
            "It passes to nobody and dies with the licensee.",
        ),
        (
            'It was held that he "has no power to extend a licence" in *Thornby Estates Ltd v Registrar of '
            "Tides* (1987) 4 AldL|R 212, 215.",
            "has no power to extend a licence after its term has run out.",
        ),
    ],
)
def test_the_passage_is_found_by_the_sentence_or_its_quotation(read, token, draft: str, words: str) -> None:
    marked = read(draft)
    shown = hover(marked.snapshot, marked.start, token)
    assert shown is not None
    assert UNMARKED in shown.markdown
    assert words in shown.markdown
    (target,) = find_definitions(marked.snapshot, marked.start, token)
    text = target.location.file.read_text()
    assert text[target.location.start : target.location.end].startswith(words[:20])


@pytest.mark.parametrize(
    "draft",
    [
        "It was so held in *Thornby Estates Ltd v Registrar of Tides* (1987) 4 AldL|R 212, 215.",
        "The owner of a lighthouse may charge foreign vessels double dues in winter: *Thornby Estates Ltd v "
        "Registrar of Tides* (1987) 4 AldL|R 212, 215.",
    ],
)
def test_nothing_is_shown_that_is_not_near(read, token, draft: str) -> None:
    marked = read(draft)
    shown = hover(marked.snapshot, marked.start, token)
    assert shown is not None
    assert "found by its words" not in shown.markdown
    (target,) = find_definitions(marked.snapshot, marked.start, token)
    assert target.location.start == 0


def test_a_place_that_the_copy_marks_is_shown_itself(read, token) -> None:
    marked = read(
        "A carrier who leaves the agreed route answers for all loss: *Carrow v Luff* [2014] A|SC 12 at [4]."
    )
    shown = hover(marked.snapshot, marked.start, token)
    assert shown is not None
    assert "found by its words" not in shown.markdown
