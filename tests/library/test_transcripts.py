"""Transcripts as text: lines and pages by the numbers that are printed on them."""

from __future__ import annotations

import pytest

from lexls.library.document import Metadata, SourceDocument
from lexls.library.transcripts import read_transcript

SAID = (
    "Q.  Did you look at the moorings?",
    "A.  Once, before supper.",
    "Q.  And then?",
    "A.  I went to bed.",
)


def page(number: int, lines: int = 25, *, head: str = "", foot: str = "") -> str:
    said = [f"{n:>2}   {SAID[(number + n) % 4]}" for n in range(1, lines + 1)]
    return "\n".join([*filter(None, [head]), "", *said, *filter(None, ["", foot]), ""])


def read(text: str) -> SourceDocument | None:
    return read_transcript(SourceDocument(text, Metadata(), ()), text)


def test_each_numbered_line_is_known_by_page_and_line() -> None:
    text = "DEPOSITION OF RUTH OAKES\n" + "\n".join(page(n, head=" " * 50 + str(n)) for n in (44, 45, 46))
    found = read(text)
    assert found is not None
    lines = {
        each.label: found.text[each.start : each.end] for each in found.blocks if each.kind == "paragraph"
    }
    assert len(lines) == 75
    assert lines["45:2"] == SAID[47 % 4]
    assert found.page_numbers == ("44", "45", "46")
    assert "25" not in found.text
    assert found.text.startswith("DEPOSITION OF RUTH OAKES\n")


def test_what_stands_in_the_text_is_found_in_the_file() -> None:
    text = "\n".join(page(n, head=f"Page {n}") for n in (1, 2))
    found = read(text)
    assert found is not None
    for start, source, length in found.source_map:
        assert found.text[start : start + length] == text[source : source + length]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(page(n, foot=" " * 30 + str(n)) for n in (12, 13, 14)),
        "\f".join(page(n, foot=f"- {n} -") for n in (12, 13, 14)),
        "\n".join(page(n, head=f"Smith - Direct{' ' * 30}{n}") for n in (12, 13, 14)),
    ],
    ids=["below", "below, with form feeds", "behind a running head"],
)
def test_the_number_of_a_page_may_stand_above_or_below(text: str) -> None:
    found = read(text)
    assert found is not None
    assert found.page_numbers == ("12", "13", "14")


def test_pages_without_a_number_are_counted() -> None:
    found = read("\n\n".join(page(n) for n in (7, 8)))
    assert found is not None
    assert found.page_numbers == ("1", "2")


def test_a_last_page_may_be_short_and_words_may_run_on_without_a_number() -> None:
    text = page(1, head="1").replace("Once, before supper.", "Once,\n     before supper.", 1)
    found = read("\n".join([text, page(2, 3, head="2")]))
    assert found is not None
    assert "2:3" in {each.label for each in found.blocks}
    assert any("before supper" in found.text[each.start : each.end] for each in found.blocks if each.label)


@pytest.mark.parametrize(
    "text",
    [
        "1. The plaintiff owns a barge.\n\n2. It sank.\n\n3. Nobody looked.\n",
        "\n".join(f"{n}   item {n}" for n in range(1, 9)) + "\nThat is the list of what was sold.\n",
        "A letter without any number at all.\n" * 40,
    ],
    ids=["paragraphs", "a short list", "prose"],
)
def test_what_is_no_transcript_stays_as_it_is(text: str) -> None:
    assert read(text) is None
