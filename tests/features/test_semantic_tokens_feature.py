"""What the words of a citation are. A token is drawn as ⟨words|kind⟩, with ! if missing, = if it defines."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lexls.features.semantic_tokens import find_tokens
from lexls.text.spans import Span


def drawn(marked, token) -> str:  # type: ignore[no-untyped-def]
    text = marked.draft.source
    for each in reversed(find_tokens(marked.snapshot, Span(0, len(text)), token)):
        sign = "!" if each.missing else "=" if each.defines else ""
        text = f"{text[: each.span.start]}⟨{each.span.of(text)}|{sign}{each.kind}⟩{text[each.span.end :]}"
    return text


def undrawn(expected: str) -> str:
    return "".join(part.partition("⟩")[2] if "⟩" in part else part for part in _kept(expected))


def _kept(expected: str) -> list[str]:
    parts = []
    for part in expected.split("⟨"):
        words, mark, rest = part.partition("|")
        parts.append(f"⟩{words}{rest.partition('⟩')[2]}" if mark else part)
    return parts


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("markdown", "See *⟨Carrow v Luff|caseName⟩* ⟨[2014] ASC 12|citation⟩ at ⟨[3]|pinpoint⟩."),
        (
            "markdown",
            "⟨Carrow v Luff|caseName⟩ ⟨[2014] ASC 12|citation⟩, ⟨(2014) 31 AldLR 5|citation⟩ "
            "at ⟨6|pinpoint⟩.",
        ),
        (
            "markdown",
            "⟨Carrow v Luff|caseName⟩ ⟨[2014] ASC 12|citation⟩. *⟨Ibid|shortForm⟩* at ⟨[4]|pinpoint⟩; "
            "⟨Carrow|shortForm⟩ at ⟨[5]|pinpoint⟩.",
        ),
        (
            "markdown",
            "⟨Nobody v Someone|!caseName⟩ ⟨[2013] ACA 77|!citation⟩. ⟨Ibid|!shortForm⟩ at ⟨[4]|!pinpoint⟩.",
        ),
        (
            "markdown",
            "The ⟨Carriage of Goods Act 1994|statute⟩ (“the ⟨Act|=shortForm⟩”), ⟨s 12(1)|pinpoint⟩.",
        ),
        (
            "latex",
            r"\textit{⟨Carrow v Luff|caseName⟩} ⟨[2014] ASC~12|citation⟩ at~⟨[3]|pinpoint⟩.",
        ),
        (
            "markdown",
            "⟨Carrow v|caseName⟩\n⟨Luff|caseName⟩ ⟨[2014]|citation⟩\n⟨ASC 12|citation⟩ at ⟨[3]|pinpoint⟩.",
        ),
        ("markdown", "Plain words, and a year, 2014."),
        ("markdown", "⟨Ibid|shortForm⟩ at ⟨[3]|pinpoint⟩: nothing before it, and nothing known of it."),
    ],
)
def test_the_words_of_a_citation_are_told_apart(read, token, markup, expected: str) -> None:
    draft = undrawn(expected)
    assert "⟨" not in draft
    assert drawn(read(draft.replace("|", "") + "|", markup), token) == expected


def test_a_bare_section_is_a_pinpoint(read, token) -> None:
    marked = read("Carriage of Goods Act 1994, s 12. Section 13 of the said Act; section 11.|")
    shown = drawn(marked, token)
    assert "⟨Section 13|pinpoint⟩ of ⟨the said Act|shortForm⟩" in shown
    assert "⟨section 11|pinpoint⟩" in shown


def test_only_the_range_is_answered_and_a_token_at_its_edge_is_whole(read, token) -> None:
    marked = read("Carrow v Luff [2014] ASC 12.\n\nPell v Sta|rk [2009] ACA| 31 at [2].\n\nIbid.")
    found = find_tokens(marked.snapshot, Span(marked.start, marked.end), token)
    assert [each.span.of(marked.draft.source) for each in found] == ["Pell v Stark", "[2009] ACA 31"]


def test_tokens_are_in_order_apart_and_on_one_line(read, token) -> None:
    marked = read(
        "The Carriage of Goods Act 1994 (“the Act”), ss 12 and\n13 of the Act. Carrow v Luff [2014] ASC 12, "
        "(2014) 31 AldLR 5 at 6 (“Carrow”), see Carrow at [3]; id. at [4]; s 13 of the\nAct; 12 of it.\r\n|"
    )
    source = marked.draft.source
    found = find_tokens(marked.snapshot, Span(0, len(source)), token)
    assert len(found) > 8
    assert all(one.span.end <= two.span.start for one, two in pairwise(found))
    assert all(len(each.span) and not set(each.span.of(source)) & set("\r\n") for each in found)
