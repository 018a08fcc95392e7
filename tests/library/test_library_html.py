"""HTML: what is visible, and where it stands in the source."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.library.document import Extract, SourceDocument, UnreadableFile
from lexls.library.readers.html import extract

Reader = Callable[[str, str | bytes], SourceDocument]


def pieces(source: str) -> list[str]:
    found = extract(source.encode("utf-8"))
    return [found.text[piece.start : piece.end] for piece in found.pieces]


def check_map(source: str, found: Extract) -> None:
    """Every run maps to the same characters, or to an entity that stands for them."""
    end = 0
    for text_start, source_start, length in found.source_map:
        assert text_start >= end
        assert length > 0
        end = text_start + length
        for offset in range(length):
            character = found.text[text_start + offset]
            assert (
                character == source[source_start + offset]
                or "&" in source[source_start : source_start + offset + 1]
            )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>One</p><p>Two</p>", ["One", "Two"]),
        ("One<br>Two<hr>Three", ["One", "Two", "Three"]),
        ("<p>A <em>very</em>\n   long\tline</p>", ["A very long line"]),
        ("<nav>Home</nav><style>p{}</style><script>if (a<b) {}</script><p>Text</p>", ["Text"]),
        ("<p>Tom &amp; Co &#167;&nbsp;12 &lt;b&gt; &copy2019 AT&T</p>", ["Tom & Co § 12 <b> ©2019 AT&T"]),
        ("<p hidden>No</p><p style='display: none'>No</p><p>Yes", ["Yes"]),
        ("<ol><li>a<li>b</ol><ol start=3 type=a><li>c<li value=9>d</ol>", ["1. a", "2. b", "c. c", "i. d"]),
        ("<ul><li>a</li><li>b</li></ul>", ["a", "b"]),
        ("<table><tr><td>1.</td><td>Wheat</td></tr><tr><td><p>x</p></td></tr></table>", ["1.\tWheat", "x"]),
        ("<!-- <p>no</p> --><p>a<!-- b -->c</p>", ["ac"]),
        ("<p>2 < 3 and <b>bold</p>", ["2 < 3 and bold"]),
        ('<p title="a > b">text</p>', ["text"]),
        ("<pre>1. one\n   more\n\n2. two\n</pre>", ["1. one\n   more", "2. two"]),
        ("<h1>Carrow<br>v<br>Meridian</h1>", ["Carrow v Meridian"]),
        ("<svg><text>x</text></svg><button>y</button>z", ["z"]),
    ],
)
def test_the_visible_text_in_pieces(source: str, expected: list[str]) -> None:
    assert pieces(source) == expected
    check_map(source, extract(source.encode()))


def test_a_passage_is_found_at_its_place_in_the_source(read_as: Reader) -> None:
    source = "<html><body><p>[1] First &amp; foremost.</p>\n<p>[2] The <b>carrier</b> lost.</p><p>[3] So.</p>"
    document: SourceDocument = read_as("a.html", source)
    block = document.blocks[1]
    assert (block.label, document.text[block.start : block.end]) == ("2", "[2] The carrier lost.")
    at = document.text.index("carrier lost")
    run = max(run for run in document.source_map if run[0] <= at)
    assert source[run[1] + at - run[0] :].startswith("carrier</b>")


def test_headings_and_quotations_of_the_format_count(read_as: Reader) -> None:
    document = read_as(
        "a.html",
        "<h1>Title</h1><h2>Facts</h2><p>[1] One.</p><blockquote><p>[2] Quoted.</p></blockquote>"
        "<h3>Law</h3><p>[2] Two.</p><p>[3] Three.</p>",
    )
    assert [(block.kind, block.label, block.level) for block in document.blocks] == [
        ("heading", "", 1),
        ("heading", "", 2),
        ("paragraph", "1", 0),
        ("heading", "", 3),
        ("paragraph", "2", 0),
        ("paragraph", "3", 0),
    ]


def test_meta_elements_declare_metadata(read_as: Reader) -> None:
    found = read_as(
        "a.html",
        '<head><meta name="citation" content="[2014] ASC 12"><meta name="DC.date" content="2014-06-19">'
        '<meta name="kind" content="case"><title>Site</title></head>'
        "<body><h1>Carrow v Meridian</h1><p>Words.</p></body>",
    ).metadata
    assert (found.title, found.citation, found.date, found.kind) == (
        "Carrow v Meridian", "[2014] ASC 12", "2014-06-19", "case",
    )  # fmt: skip


def test_a_declared_charset_is_used_where_the_file_is_not_utf_8() -> None:
    source = '<meta charset="windows-1252"><p>§ 12 “café”</p>'
    assert extract(source.encode("cp1252")).text == "§ 12 “café”"


FRAGMENTS = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<div>",
    "</div>",
    "<ol>",
    "<li>",
    "</ol>",
    "<br>",
    "&amp;",
    "&nbsp;",
    "&#x1D11E;",
]
FRAGMENTS += [
    "carrier",
    " ",
    "\n",
    "  \t",
    "é",
    "𝄞",
    "<",
    ">",
    "&",
    "&lt",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    '"',
    "'",
    "<td>",
]
FRAGMENTS += [
    "<script>",
    "</script>",
    "<title>",
    "</title>",
    "<h2>",
    "</h2>",
    "<a href='x>y'>",
    "</",
    "<!",
    "<p hidden>",
    "\r\n",
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
def test_whatever_the_markup_every_run_maps_to_its_own_characters(source: str) -> None:
    found = extract(source.encode("utf-8"))
    check_map(source, found)
    end = 0
    for piece in found.pieces:
        assert end <= piece.start < piece.end <= len(found.text)
        assert found.text[piece.start : piece.end].strip() == found.text[piece.start : piece.end]
        end = piece.end


@pytest.mark.parametrize(
    "broken", ["<a", "<!--", "<a '", '<p title="', "<script", "</", "&amp", "<<", "<td><tr>"]
)
def test_much_broken_markup_ends(broken: str) -> None:
    extract((broken * (300_000 // len(broken))).encode())


@pytest.mark.parametrize("charset", ["utf-8", "no-such-charset"])
def test_bytes_that_are_not_utf_8_are_named_where_no_other_charset_is_declared(charset: str) -> None:
    with pytest.raises(UnreadableFile, match=r"not UTF-8 text \(byte 0xff at offset"):
        extract(f'<meta charset="{charset}"><p>'.encode() + b"\xff</p>")
