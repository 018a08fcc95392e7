"""What stands above a paragraph, drawn as [words] before it."""

from __future__ import annotations

import pytest

from lexls.features.inlays import describe_lens, find_lenses


def drawn(marked, token) -> str:  # type: ignore[no-untyped-def]
    text = marked.draft.source
    for span in reversed(find_lenses(marked.snapshot, token)):
        found = describe_lens(marked.snapshot, span.start, token)
        assert found is not None
        text = f"{text[: span.start]}[{found.title}] {text[span.start :]}"
    return text


@pytest.mark.parametrize(
    "expected",
    [
        "[1 authority] It has long been so in this court: Carrow v Luff [2014] ASC 12 at [3].",
        "[2 authorities] It is so and it has long been: Carrow v Luff [2014] ASC 12; Pell v Stark [2009] "
        "ACA 31. Carrow at [3]. Ibid at [4]. (2014) 31 AldLR 5 at 6.",
        "[2 authorities · 1 not in your library] It is so, and it will be: Carrow v Luff [2014] ASC 12; "
        "Nobody v Someone [2013] ACA 77, [2013] ACA 77 at [2].",
        "[1 authority · not in your library] It is so, and it will be: Nobody v Someone [2013] ACA 77.",
        "[1 authority] A note has what supports these quite plain words.[^1]\n\n"
        "[^1]: Carrow v Luff [2014] ASC 12 at [3], which says so in as many words.",
        "[no authority · 1 of your library may support it] A carrier who leaves the agreed route without "
        "necessity must answer for every loss that follows.",
        "[no authority] The zebra must in all events and without exception be striped, as its duty requires.",
    ],
)
def test_a_paragraph_is_told_what_supports_it(read, token, expected: str) -> None:
    draft = "".join(_undrawn(expected))
    assert drawn(read(draft + "|"), token) == expected


def _undrawn(expected: str) -> list[str]:
    lens, _, rest = expected.partition("] ")
    assert lens.startswith("[")
    return [rest]


@pytest.mark.parametrize(
    "draft",
    [
        "# Carrow v Luff [2014] ASC 12 and what the carrier must always do in law\n",
        "The brig Heron sailed on a Monday with forty bales of wool on board.\n",
        "[2014] ASC 12.\n",
        "- liable\n- not liable\n",
        "[^1]: The carrier must always answer for the loss of goods that he was given to carry.\n",
        "",
    ],
)
def test_headings_facts_and_notes_have_none(read, token, draft: str) -> None:
    assert find_lenses(read(draft + "|").snapshot, token) == []


def test_choosing_it_looks_for_support_of_the_sentence_that_wants_it(read, token) -> None:
    marked = read(
        "The brig was lost. A carrier who leaves the agreed route without necessity must answer for every "
        "loss that follows. The weather was fair.|"
    )
    (span,) = find_lenses(marked.snapshot, token)
    found = describe_lens(marked.snapshot, span.start, token)
    assert found is not None
    assert found.wanted.of(marked.draft.source).startswith("A carrier who leaves")


def test_a_paragraph_that_is_gone_has_none(read, token) -> None:
    marked = read("It is so: Carrow v Luff [2014] ASC 12.|")
    assert describe_lens(marked.snapshot, 3, token) is None
    assert describe_lens(marked.snapshot, 1000, token) is None
