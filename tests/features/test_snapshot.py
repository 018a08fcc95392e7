import pytest

from lexls.text.spans import Span


@pytest.mark.parametrize(
    ("draft", "sentence"),
    [
        ("One is he|re. Two is there.", "One is here."),
        ("One is here.| Two is there.", "One is here."),
        ("One is here. |Two is there.", "Two is there."),
        ("One is here. T|wo is there.", "Two is there."),
        ("One is here.  |\n\nTwo is there.", "One is here."),
        ("It is so: Pell v. Stark [2009] ACA 31 at [2]. Two is th|ere.", "Two is there."),
        ("# Head\nOne is he|re.", "One is here."),
    ],
)
def test_the_sentence_at_the_cursor(read, draft: str, sentence: str) -> None:
    marked = read(draft)
    found = marked.draft.sentence_at(marked.start)
    assert found is not None
    assert found.of(marked.draft.source) == sentence


@pytest.mark.parametrize("draft", ["|", "\n|\n", "One.\n\n|\n\nTwo."])
def test_between_paragraphs_there_is_no_sentence(read, draft: str) -> None:
    marked = read(draft)
    assert marked.draft.sentence_at(marked.start) is None


def test_prose_is_without_markup_and_citations(read) -> None:
    marked = read("The *carrier* is liable: *Carrow v Luff* [2014] ASC 12 at [3], whatever\nthe weather.|")
    whole = Span(0, len(marked.draft.source))
    assert marked.draft.prose(whole) == "The carrier is liable: , whatever the weather."
    assert marked.draft.prose(whole, without_citations=False) == (
        "The carrier is liable: Carrow v Luff [2014] ASC 12 at [3], whatever the weather."
    )


@pytest.mark.parametrize(
    ("draft", "text"),
    [
        ("See *Ca|rrow v Luff* [2014] ASC 12 at [3].", "Carrow v Luff"),
        ("See *Carrow v Luff* [2014] ASC 12 at [3|].", "Carrow v Luff"),
        ("S|ee *Carrow v Luff* [2014] ASC 12 at [3].", None),
    ],
)
def test_the_citation_at_the_cursor_includes_its_name_and_pinpoint(
    read, draft: str, text: str | None
) -> None:
    marked = read(draft)
    found = marked.draft.citation_at(marked.start)
    assert (found.name if found else None) == text


def test_a_heading_is_no_part_of_the_name_of_a_case_below_it(read) -> None:
    marked = read("## Necessity\nPell v Stark [2009] ACA 31.|")
    assert [each.name for each in marked.draft.citations] == ["Pell v Stark"]
