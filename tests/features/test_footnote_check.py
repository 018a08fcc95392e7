"""Footnote marks without footnotes, and footnotes without marks."""

from __future__ import annotations

import pytest


def test_a_mark_without_its_footnote(check_draft, apply_fix) -> None:
    draft = """\
The carrier is liable.[^4] The ferryman is not.[^5]
                      ^^^^ missing-footnote: there is no footnote [^4]

[^5]: Unless he is.
"""
    (finding,) = check_draft(draft)
    source = "\n".join(line for line in draft.split("\n") if "missing" not in line)
    assert apply_fix(source, finding) == source.rstrip() + "\n\n[^4]: \n"


def test_a_footnote_without_its_mark(check_draft) -> None:
    (finding,) = check_draft("""\
The carrier is liable.

[^5]: Unless he is not.
^^^^ missing-footnote: no mark refers to footnote [^5], so it will not be printed
""")
    assert finding.fixes == ()


@pytest.mark.parametrize(
    "draft",
    [
        "The carrier is liable.[^a]\n\n[^a]: Unless he is not.",
        "The carrier is liable.[^A]\n\n[^a]: Unless he is not.",
        "Write `[^4]` for a footnote.",
        "```\nliable.[^4]\n\n[^5]: no\n```",
        "The carrier is liable.^[Unless he is not.]",
    ],
)
def test_complete_footnotes_and_code_are_left_alone(check_draft, draft: str) -> None:
    check_draft(draft)


def test_marks_of_latex(check_draft) -> None:
    check_draft(
        """\
The carrier\\footnotemark{} is liable\\footnotemark.
                                    ^^^^^^^^^^^^^ missing-footnote: \\footnotemark has no \\footnotetext
\\footnotetext{Unless he is not.}
""",
        markup="latex",
    )


@pytest.mark.parametrize(
    "draft",
    [
        "The carrier\\footnotemark{} is.\n\\footnotetext{Not.}",
        "The carrier\\footnotemark[3] is.\n\\footnotetext[3]{Not.}",
        "The carrier is. % \\footnotemark",
        "The carrier\\footnote{Not.} is.",
        "A\\footnotemark{} and B\\footnotemark[1].\n\\footnotetext{Not.}",
    ],
)
def test_complete_footnotes_of_latex(check_draft, draft: str) -> None:
    check_draft(draft, markup="latex")


def test_labels_of_typst(check_draft) -> None:
    check_draft(
        """\
The carrier#footnote[Not.] <one> is#footnote(<one>) liable#footnote(<two>).
                                                          ^^^^^^^^^^^^^^^^ missing-footnote: there is \
no footnote labelled <two>
""",
        markup="typst",
    )
