import pytest

from lexls.features.structure import Symbol, find_document_symbols, find_workspace_symbols

MARKDOWN = """# Memorandum

Opening words, *Carrow v Luff* [2014] ASC 12.

## The route

Again *Carrow v Luff* [2014] ASC 12; then Pell v Stark [2009] ACA 31 at [2].

```
# not a heading
```

# Limitation

See the Carriage of Goods Act 1994, s 13, and Nobody v Someone [2013] ACA 77.
|"""
LATEX = r"""\documentclass{article}
\begin{document}
\section{The route}
See \textit{Carrow v Luff} [2014] ASC 12.
% \section{Hidden}
\subsection{Necessity}
Pell v Stark [2009] ACA 31.
\end{document}
|"""
TYPST = "= The route\n\nSee _Carrow v Luff_ [2014] ASC 12.\n\n== Necessity\n\nPell v Stark [2009] ACA 31.\n|"


def drawn(symbols: list[Symbol] | tuple[Symbol, ...], depth: int = 0) -> list[str]:
    lines = []
    for symbol in symbols:
        lines.append("  " * depth + f"{symbol.kind}: {symbol.name}")
        lines.extend(drawn(symbol.children, depth + 1))
    return lines


@pytest.mark.parametrize(
    ("markup", "draft", "expected"),
    [
        (
            "markdown",
            MARKDOWN,
            [
                "heading: Memorandum",
                "  case: Carrow v Luff",
                "  heading: The route",
                "    case: Pell v Stark",
                "heading: Limitation",
                "  statute: Carriage of Goods Act 1994",
                "  case: Nobody v Someone",
            ],
        ),
        (
            "latex",
            LATEX,
            ["heading: The route", "  case: Carrow v Luff", "  heading: Necessity", "    case: Pell v Stark"],
        ),
        (
            "typst",
            TYPST,
            ["heading: The route", "  case: Carrow v Luff", "  heading: Necessity", "    case: Pell v Stark"],
        ),
        ("plain", "Carrow v Luff [2014] ASC 12 is the case.\n|", ["case: Carrow v Luff"]),
    ],
)
def test_the_outline_shows_headings_with_the_authorities_first_cited_below(
    read, token, markup, draft, expected
) -> None:
    assert drawn(find_document_symbols(read(draft, markup).snapshot, token)) == expected


def test_where_the_editor_outlines_the_draft_itself_the_authorities_stand_alone(read, token) -> None:
    found = find_document_symbols(read(MARKDOWN).snapshot, token, headings=False)
    assert drawn(found) == [
        "case: Carrow v Luff",
        "case: Pell v Stark",
        "statute: Carriage of Goods Act 1994",
        "case: Nobody v Someone",
    ]


def test_symbols_nest_by_their_spans(read, token) -> None:
    def nested(symbols, outer_start, outer_end):  # type: ignore[no-untyped-def]
        for symbol in symbols:
            assert outer_start <= symbol.span.start <= symbol.words.start
            assert symbol.words.end <= symbol.span.end <= outer_end
            nested(symbol.children, symbol.span.start, symbol.span.end)

    marked = read(MARKDOWN)
    nested(find_document_symbols(marked.snapshot, token), 0, len(marked.draft.source))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("carrow", "Carrow v Luff [2014] ASC 12"),
        ("luff", "Carrow v Luff [2014] ASC 12"),
        ("2009 aca", "Pell v Stark [2009] ACA 31"),
        ("estates tides", "Thornby Estates Ltd v Registrar of Tides (1987) 4 AldLR 212"),
        ("Carriage of Goods Act s 13", "Carriage of Goods Act 1994, 13"),
        ("carriage 12(2)", "Carriage of Goods Act 1994, 12(2)"),
    ],
)
def test_workspace_symbols_find_authorities_by_name_citation_and_section(
    read, token, query: str, first: str
) -> None:
    found = find_workspace_symbols(read("|").snapshot, query, token)
    assert found[0].name == first


def test_a_section_symbol_opens_the_section(read, token) -> None:
    snapshot = read("|").snapshot
    found = find_workspace_symbols(snapshot, "Carriage of Goods Act s 13", token)[0]
    location = snapshot.library.locate(found.authority.id, found.start, found.end)
    assert location is not None
    assert "13 Limitation" in location.text[location.start : location.end]


def test_an_empty_query_lists_the_library_and_a_strange_one_nothing(read, token) -> None:
    snapshot = read("|").snapshot
    assert len(find_workspace_symbols(snapshot, "", token)) == 5
    assert find_workspace_symbols(snapshot, "zzz qqq", token) == []
