"""Masking after an edit gives what masking anew gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.text.formats import FORMATS
from lexls.text.remask import find_edit, remask

_PIECES = st.sampled_from(
    [
        *(
            "word ",
            "Carrow v Luff ",
            "[2014] ASC 12",
            "*",
            "_",
            "**",
            "`",
            "``",
            "\n",
            "\n\n",
            "\r\n\r\n",
            "  ",
        ),
        *(
            "```\n",
            "~~~\n",
            "<!--",
            "-->",
            "[",
            "](x)",
            "[^1]",
            "[^1]: ",
            "> ",
            "- ",
            "# ",
            "---\n",
            "&nbsp;",
        ),
        *(
            "\\emph{",
            "}",
            "{",
            "\\cite{key}",
            "$",
            "%",
            "\\begin{quote}",
            "\\end{quote}",
            "\\verb|x|",
            "\\S~",
        ),
        *("\\begin{document}", "\\begin{verbatim}", "\\end{verbatim}", "\\footnote{", "\\label{", "\\[", "~"),
        *(
            "#footnote[",
            "]",
            "#let x = 1\n",
            "/*",
            "*/",
            "// ",
            "#link(",
            ")",
            "= ",
            "<label>",
            "\\",
            "é",
            "…",
        ),
        *("____\n", "----\n", "|===\n", "footnote:[", "\\]", "<<a>>", "{nbsp}", '"`', ":a: b\n", "    "),
    ]
)
_TEXTS = st.lists(_PIECES, max_size=40).map("".join)


@pytest.mark.parametrize("markup", FORMATS)
@settings(max_examples=400, deadline=None)
@given(source=_TEXTS, where=st.tuples(st.integers(0, 200), st.integers(0, 12)), text=_TEXTS)
def test_a_mask_after_an_edit_is_the_mask(
    markup: str, source: str, where: tuple[int, int], text: str
) -> None:
    start = min(where[0], len(source))
    after = source[:start] + text[:30] + source[start + where[1] :]
    masked, old, new = remask(source, FORMATS[markup].mask(source), after, FORMATS[markup])
    assert masked == FORMATS[markup].mask(after)
    before = FORMATS[markup].mask(source)
    assert before[: old.start] == masked[: new.start]
    assert before[old.end :] == masked[new.end :]


def test_an_edit_in_a_long_draft_masks_its_paragraph_only() -> None:
    paragraphs = [
        f"Paragraph {number} on *Carrow v Luff* [2014] ASC 12 at [{number}].\n\n" for number in range(99)
    ]
    before = "".join(paragraphs)
    at = before.index("Paragraph 50") + 9
    after = before[:at] + " *new*" + before[at:]
    _, old, new = remask(before, FORMATS["markdown"].mask(before), after, FORMATS["markdown"])
    assert old.of(before) == paragraphs[50]
    assert "*new*" in new.of(after)
    assert len(new) < 100


@pytest.mark.parametrize("typed", ["```\n", "<!--"])
def test_what_reaches_further_masks_the_rest(typed: str) -> None:
    before = "One *word*.\n\nTwo.\n\nThree.\n"
    after = before.replace("Two", typed + "Two")
    masked, _, _ = remask(before, FORMATS["markdown"].mask(before), after, FORMATS["markdown"])
    assert "Three" not in masked
    assert masked == FORMATS["markdown"].mask(after)


@given(before=_TEXTS, after=_TEXTS)
def test_outside_of_what_was_edited_texts_are_the_same(before: str, after: str) -> None:
    old, new = find_edit(before, after)
    assert before[: old.start] + new.of(after) + before[old.end :] == after
