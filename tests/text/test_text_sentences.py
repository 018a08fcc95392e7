from __future__ import annotations

import pytest

from lexls.text.formats import FORMATS
from lexls.text.sentences import cut_sentences, find_paragraph, find_paragraphs, find_sentence_at
from lexls.text.spans import Span


def cut(text: str, *protected: str) -> list[str]:
    spans = [Span(text.index(piece), text.index(piece) + len(piece)) for piece in protected]
    return [span.of(text) for span in cut_sentences(text, spans)]


def at_cursor(marked: str) -> str | None:
    offset = marked.index("|")
    text = marked.replace("|", "")
    span = find_sentence_at(text, offset)
    return span.of(text) if span else None


def test_sentences_end_at_their_stops() -> None:
    assert cut("The ship sailed. Did it arrive? It did not.") == [
        "The ship sailed.",
        "Did it arrive?",
        "It did not.",
    ]


def test_no_sentence_spans_a_blank_line() -> None:
    assert cut("A heading without a stop\n\nThe text begins") == [
        "A heading without a stop",
        "The text begins",
    ]


def test_a_citation_is_never_cut() -> None:
    citation = "A.I.R.\n1973 S.C. 1461"
    text = f"So it was held in Moore v. Ryle {citation}. The rule stands."
    assert cut(text, citation) == [f"So it was held in Moore v. Ryle {citation}.", "The rule stands."]


def test_a_sentence_may_end_right_behind_a_citation() -> None:
    assert cut("See [2014] ASC 12 at [23]. The carrier lost.", "[2014] ASC 12 at [23]") == [
        "See [2014] ASC 12 at [23].",
        "The carrier lost.",
    ]


def test_a_paragraph_number_belongs_to_its_first_sentence() -> None:
    assert cut("12. The carrier lost. It appealed.") == ["12. The carrier lost.", "It appealed."]


def test_abbreviations_before_a_number_do_not_end_a_sentence() -> None:
    assert cut("It relied on s. 12 and on Art. 5 of the Act. It failed.") == [
        "It relied on s. 12 and on Art. 5 of the Act.",
        "It failed.",
    ]


def test_a_short_answer_ends_a_sentence() -> None:
    assert cut("He said no. The court agreed.") == ["He said no.", "The court agreed."]


@pytest.mark.parametrize(
    ("marked", "sentence"),
    [
        ("One |is here. Two is there.", "One is here."),
        ("One is here.| Two is there.", "One is here."),
        ("One is here. |Two is there.", "Two is there."),
        ("|One is here.", "One is here."),
        ("One is here.|", "One is here."),
        ("One is here.\n|\nTwo.", None),
        ("One is here.\n\nTw|o.", "Two."),
        ("One is here. Two is th|ere", "Two is there"),
    ],
)
def test_the_sentence_at_a_cursor(marked: str, sentence: str | None) -> None:
    assert at_cursor(marked) == sentence


def test_paragraphs_are_split_at_blank_lines_of_any_kind() -> None:
    text = "  one\nstill one\n \t \ntwo\r\n\r\nthree\n\n\n"
    assert [span.of(text) for span in find_paragraphs(text)] == ["one\nstill one", "two", "three"]
    assert find_paragraphs(" \n\n ") == []


@pytest.mark.parametrize(
    ("marked", "paragraph"),
    [
        ("on|e\n\ntwo", "one"),
        ("one|\n\ntwo", "one"),
        ("one\n\n|two", "two"),
        ("one  |\n\ntwo", "one"),
        ("one\n|\n\ntwo", None),
        ("|", None),
    ],
)
def test_the_paragraph_at_a_cursor(marked: str, paragraph: str | None) -> None:
    offset = marked.index("|")
    text = marked.replace("|", "")
    span = find_paragraph(text, offset)
    assert (span.of(text) if span else None) == paragraph


def test_an_offset_outside_the_text_has_no_paragraph() -> None:
    assert find_paragraph("one", 7) is None
    assert find_sentence_at("one", 7) is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_no_line_end_alone_ends_a_sentence(end: str) -> None:
    text = end.join(["The rule is", "    that a carrier pays.", "", "It is old", "and settled."])
    found = [" ".join(span.of(text).split()) for span in cut_sentences(text)]
    assert found == ["The rule is that a carrier pays.", "It is old and settled."]
    assert len(find_paragraphs(text)) == 2


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        ("markdown", "These are they:\n- an agent may\n  deviate\n- a carrier pays\n\n* a master commands"),
        (
            "latex",
            "These are they:\n\\begin{itemize}\n\\item an agent may\n  deviate\n\\item[--] a carrier pays\n"
            "\\item a master commands\n\\end{itemize}",
        ),
        ("typst", "These are they:\n- an agent may\n  deviate\n  - a carrier pays\n+ a master commands"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_item_of_a_list_is_a_paragraph(markup: str, source: str, end: str) -> None:
    source = source.replace("\n", end)
    masked = FORMATS[markup].mask(source)
    found = [
        " ".join(span.of(masked).replace("--", "").strip("[] ").split()) for span in cut_sentences(masked)
    ]
    assert found == ["These are they:", "an agent may deviate", "a carrier pays", "a master commands"]
    for words in ("agent", "carrier", "master"):
        span = find_paragraph(masked, source.index(words))
        assert span is not None
        assert words in span.of(masked)
        assert len(span) < 28
