import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from lexls.text.formats.markdown import as_markdown
from lexls.wording.markdown import fold, quote, shorten

TRICKY = "[](){}<>!#*_`~|\\:;.@&-+=$^\"' /\t\nabcxXhttps:www.1 "


def kinds_and_text(markdown: str) -> tuple[set[str], str]:
    kinds: set[str] = set()
    parts: list[str] = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown):
        kinds.add(token.type)
        for child in token.children or []:
            kinds.add(child.type)
            parts.append(" " if child.type == "softbreak" else child.content)
    return kinds, "".join(parts)


@given(st.text(alphabet=TRICKY, max_size=60))
def test_escaped_text_renders_to_itself_and_nothing_else(text: str) -> None:
    kinds, shown = kinds_and_text(as_markdown(text))
    assert kinds <= {"paragraph_open", "inline", "text", "text_special", "paragraph_close"}
    assert shown == fold(text)


@given(st.text(alphabet=TRICKY, max_size=60))
def test_escaped_text_renders_to_itself_in_the_middle_of_a_line(text: str) -> None:
    kinds, shown = kinds_and_text(f"Held: {as_markdown(text)}.")
    assert kinds <= {"paragraph_open", "inline", "text", "text_special", "paragraph_close"}
    assert shown == f"Held: {fold(text)}."


@pytest.mark.parametrize(
    "text",
    [
        "![steal](https://example.test/x.png)",
        "[click](https://example.test)",
        "<img src=x onerror=alert(1)>",
        "see https://example.test/a and www.example.test",
        "mail someone@example.test",
        "[a]: https://example.test",
        "```\ncode\n```",
    ],
)
def test_no_link_image_or_html_can_be_smuggled_in(text: str) -> None:
    shown = quote(text)
    for forbidden in ("https://", "www.", "someone@"):
        assert forbidden not in shown
    kinds, _ = kinds_and_text(shown)
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "fence", "code_inline"}


def test_ordinary_law_is_left_readable() -> None:
    assert (
        as_markdown("Carrow v Luff [2014] ASC 12 at [23], s 5(1)(a)")
        == "Carrow v Luff [2014] ASC 12 at [23], s 5(1)(a)"
    )


def test_a_quotation_keeps_its_paragraphs() -> None:
    assert quote("First\nline.\n\nSecond.") == "> First line.\n>\n> Second."


def test_shortening_stops_at_the_end_of_a_sentence() -> None:
    assert shorten("One is here. Two is here. Three is here.", 27) == "One is here. Two is here. …"
    assert shorten("Short.", 27) == "Short."


def test_shortening_without_a_sentence_end_stops_at_a_word() -> None:
    assert shorten("one two three four five", 12) == "one two …"
