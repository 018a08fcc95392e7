"""What folds, as the numbers of its first and last line."""

from __future__ import annotations

import pytest

from lexls.features.structure import find_folds

MARKDOWN = """\
---
title: Skeleton
---

# Skeleton

Words.

## Facts

> A quotation
> of two lines.

```
# no heading
```

## Law

<!--
a comment
-->
More words.[^1]

# End

Last words.

[^1]: A note
    of two lines.
[^2]: Another.

[^3]: A third.
"""
LATEX = r"""\documentclass{article}
\usepackage{a}
\begin{document}
\section{One}
\begin{quote}
Words.\footnote{A note
of two lines.}
\begin{enumerate}
\item a
\end{enumerate}
\end{quote}
\begin{verbatim}
\begin{never}
\end{verbatim}
% one
% two
\section{Two}
Words.

\end{document}
"""
TYPST = """\
#set page(
  width: 10cm,
)
= One

#quote(block: true)[
  Words.
]
/* a
comment */
// one
// two
== Two

Words.#footnote[A note
of two lines, [one] bracket.]
"""


@pytest.mark.parametrize(
    ("markup", "draft", "expected"),
    [
        (
            "markdown",
            MARKDOWN,
            [
                "0-2 block",
                "4-22 section",
                "8-15 section",
                "10-11 block",
                "13-15 block",
                "17-22 section",
                "19-21 comment",
                "24-26 section",
                "28-32 block",
                "28-29 block",
            ],
        ),
        (
            "latex",
            LATEX,
            [
                "0-1 block",
                "3-15 section",
                "4-10 block",
                "5-6 block",
                "7-9 block",
                "11-13 block",
                "14-15 comment",
                "16-17 section",
            ],
        ),
        (
            "typst",
            TYPST,
            [
                "0-2 block",
                "3-15 section",
                "5-7 block",
                "8-9 comment",
                "10-11 comment",
                "12-15 section",
                "14-15 block",
            ],
        ),
        ("plain", "Words.\n\nMore words.\n", []),
        ("markdown", "# One line\n", []),
        ("markdown", "", []),
        ("markdown", "> one quoted line\n\n[^1]: one note\n", []),
        ("latex", r"\end{quote} \begin{quote} \begin{a}" + "\n" + r"\end{b}" + "\n", []),
        ("typst", "]]] [[ (\n", []),
    ],
)
def test_what_spans_lines_folds(read, token, markup, draft: str, expected: list[str]) -> None:
    drawn = []
    for fold in find_folds(read(draft + "|", markup).draft, token):
        first = draft.count("\n", 0, fold.span.start)
        last = draft.count("\n", 0, fold.span.end)
        drawn.append(f"{first}-{last} {fold.kind}")
    assert drawn == expected


@pytest.mark.parametrize(
    ("markup", "draft"),
    [
        (
            "markdown",
            "<!-- lexls:table-of-authorities -->\n\nCases\n\n<!-- /lexls:table-of-authorities -->\n",
        ),
        ("latex", "% lexls:table-of-authorities begin\nCases\n% lexls:table-of-authorities end\n"),
        ("typst", "// lexls:table-of-authorities begin\nCases\n// lexls:table-of-authorities end\n"),
    ],
)
def test_a_part_between_markers_folds(read, token, markup, draft: str) -> None:
    found = find_folds(read("Before.\n\n" + draft + "\nAfter.|", markup).draft, token)
    assert [fold.span.of("Before.\n\n" + draft) for fold in found] == [draft.rstrip()]


def test_lines_may_end_in_any_way(read, token) -> None:
    marked = read(MARKDOWN.replace("\n", "\r\n") + "|")
    found = [
        fold.span.of(marked.draft.source).replace("\r\n", "\n") for fold in find_folds(marked.draft, token)
    ]
    assert found == [fold.span.of(MARKDOWN) for fold in find_folds(read(MARKDOWN + "|").draft, token)]
