"""Bibliographies in every format, the citation behind each entry, and keys and locators in every markup."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from lexls.citations.bibliography import (
    Entry,
    Record,
    UnreadableBibliography,
    read_bibtex,
    read_entry,
    read_hayagriva,
    read_json,
    read_locator,
    read_yaml,
)
from lexls.citations.grammar import Grammar
from lexls.text.formats import FORMATS
from lexls.text.spans import Span

JSON = json.dumps(
    [
        {"id": "kestrel", "type": "legal_case", "title": "Kestrel v Dunlin", "container-title": "WLR",
         "volume": "1", "page": "153-170", "issued": {"date-parts": [[1990, 3]]}},
        {"id": "plover", "type": "legal_case", "title": "Plover v The State", "authority": "HCA",
         "number": "23", "issued": {"date-parts": [["1992"]]}},
        {"id": "act", "type": "legislation", "title": "Human Rights Act", "issued": {"raw": "1998"}},
        {"id": 7, "type": "article-journal", "title": "On Piers", "container-title": "Law Quarterly Review",
         "volume": 121, "page": "12-40", "issued": {"literal": "Spring 2005"}},
    ]
)  # fmt: skip
YAML = """
references:
- id: kestrel
  type: legal_case
  title: Kestrel v Dunlin
  container-title: WLR
  volume: 1
  page: 153
  issued: {year: 1990}
- id: act
  type: legislation
  title: Human Rights Act 1998
"""
BIB = r"""
@string{wlr = "WLR"}
@comment{nothing}
@jurisdiction{kestrel, title = {{Kestrel} v Dunlin}, reporter = wlr, volume = 1, pages = {153--170}, date = {1990-03-01}}
@jurisdiction{neutral, title = {Plover v Tern}, number = {[2031] UKSC 12}, date = {2031}}
@case{wren, title={Wren v. Gore}, reporter="U.S.", volume={531}, pages={98}, year=2000}
@legislation{act, title={Human Rights Act 1998}}
@article{ryle, author={Ryle, \'Etienne}, title={On Ports \& {Piers}}, journal={Law Quarterly Review}, volume={121},
  year=2005, pages={12--40}}
@broken{gone, title={never closed
@book{treatise, title={The Law of Moorings}, year={2015}}
"""  # noqa: E501
HAYAGRIVA = """
kestrel:
  type: case
  title: Kestrel v Dunlin
  date: 1990-03-01
  page-range: 153-170
  parent: {type: periodical, title: WLR, volume: 1}
act: {type: legislation, title: Human Rights Act 1998}
treatise:
  type: book
  title: {value: The Law of Moorings, short: Moorings}
  date: 2015
"""


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load()


def entries(records: Sequence[Record], grammar: Grammar) -> dict[str, Entry]:
    return {record.key: read_entry(record, grammar, "UK") for record in records}


def told(entry: Entry) -> tuple[str, str, str, int | None]:
    return entry.key, entry.name, entry.kind, entry.year


KESTREL = ("[1990] 1 WLR 153", "Kestrel v Dunlin", "case", 1990)
ACT = ("Human Rights Act 1998", "Human Rights Act 1998", "statute", 1998)


def test_csl_json_entries_are_citations(grammar: Grammar) -> None:
    found = entries(read_json(JSON), grammar)
    assert told(found["kestrel"]) == KESTREL
    assert told(found["plover"]) == ("[1992] HCA 23", "Plover v The State", "case", 1992)
    assert found["act"].key == "Human Rights Act 1998"
    assert told(found["7"]) == ("121 Law Quarterly Review 12", "On Piers", "journal", 2005)


def test_csl_yaml_entries_are_citations(grammar: Grammar) -> None:
    found = entries(read_yaml(YAML), grammar)
    assert (told(found["kestrel"]), told(found["act"])) == (KESTREL, ACT)


def test_bibtex_entries_are_citations_and_a_broken_one_is_passed_over(grammar: Grammar) -> None:
    found = entries(read_bibtex(BIB), grammar)
    assert set(found) == {"kestrel", "neutral", "wren", "act", "ryle", "treatise"}
    assert told(found["kestrel"]) == KESTREL
    assert told(found["neutral"]) == ("[2031] UKSC 12", "Plover v Tern", "case", 2031)
    assert found["neutral"].style == "paragraph"
    assert (found["wren"].key, found["wren"].style) == ("531 U.S. 98", "page")
    assert told(found["act"]) == ACT
    assert found["ryle"].name == "On Ports & Piers"
    assert told(found["treatise"]) == ("The Law of Moorings (2015)", "The Law of Moorings", "book", 2015)


def test_hayagriva_entries_are_citations(grammar: Grammar) -> None:
    found = entries(read_hayagriva(HAYAGRIVA), grammar)
    assert (told(found["kestrel"]), told(found["act"])) == (KESTREL, ACT)
    assert found["treatise"].name == "The Law of Moorings"


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_json, "{not json"),
        (read_json, "[" * 100_000),
        (read_yaml, "a: [b"),
        (read_yaml, "a: &x [1, 1]\nb: [*x, *x]"),
        (read_yaml, "- " * 30_000),
        (read_yaml, "references: " + "[" * 30_000),
        (read_hayagriva, "- a\n- b"),
        (read_bibtex, "@article{a, title={never closed"),
    ],
)
def test_what_is_not_in_its_format_is_refused_with_a_reason(read: object, text: str) -> None:
    assert callable(read)
    with pytest.raises(UnreadableBibliography) as error:
        read(text)
    assert str(error.value)


@pytest.mark.parametrize("text", ["[]", "{}", '[1, null, {"type": "book"}]', '{"items": 3}'])
def test_json_without_entries_has_none(text: str) -> None:
    assert read_json(text) == []


@pytest.mark.parametrize(
    ("locator", "kind", "labels"),
    [
        ("para 2", "paragraph", ("2",)),
        ("paras. 2-4, 9", "paragraph", ("2-4", "9")),
        ("¶ 14", "paragraph", ("14",)),
        ("[12]", "paragraph", ("12",)),
        ("at [12]–[14]", "paragraph", ("12-14",)),
        ("p. 3", "page", ("3",)),
        ("pp 33-35", "page", ("33-35",)),
        ("33--35", "page", ("33-35",)),
        ("20", "page", ("20",)),
        ("s 5", "section", ("5",)),
        ("ss 6(1) and 8", "section", ("6(1)", "8")),
        ("§ 1983", "section", ("1983",)),
        ("art. 3(2)(b)", "article", ("3(2)(b)",)),
        ("reg 4", "regulation", ("4",)),
    ],
)
def test_locators_are_pinpoints(locator: str, kind: str, labels: tuple[str, ...]) -> None:
    found = read_locator(f"xx {locator} yy", Span(3, 3 + len(locator)), "page")
    assert found is not None
    assert (found.kind, found.labels) == (kind, labels)
    assert found.span.end <= 3 + len(locator)


@pytest.mark.parametrize("locator", ["passim", "chapter twelve", "see the appendix", "", "emphasis added"])
def test_other_words_are_no_pinpoint(locator: str) -> None:
    assert read_locator(locator, Span(0, len(locator)), "page") is None


def test_a_bare_number_counts_what_the_entry_is_cited_by() -> None:
    found = read_locator("14", Span(0, 2), "paragraph")
    assert found is not None
    assert found.kind == "paragraph"


def uses(source: str, markup: str) -> list[tuple[str, str, str | None]]:
    """The keys of a source with the citation and the locator."""
    return [
        (use.key, use.span.of(source), use.locator.of(source) if use.locator is not None else None)
        for use in FORMATS[markup].find_keys(source, FORMATS[markup].mask(source))
    ]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("So [@carrow, para 2].", [("carrow", "@carrow, para 2", "para 2")]),
        ("So @carrow [p. 3] and", [("carrow", "@carrow [p. 3]", "p. 3")]),
        ("So @carrow.", [("carrow", "@carrow", None)]),
        ("[see @a; @b, 33-35]", [("a", "@a", None), ("b", "@b, 33-35", "33-35")]),
        ("[-@key]", [("key", "-@key", None)]),
        ("[@mabo, [12]-[14]]", [("mabo", "@mabo, [12]-[14]", "[12]-[14]")]),
        ("[@{a b}] [@{https://x.test/a}]", [("https://x.test/a", "@{https://x.test/a}", None)]),
        ("[@smith:2014_a.b, s 4]", [("smith:2014_a.b", "@smith:2014_a.b, s 4", "s 4")]),
        ("mail a@b.example, \\@c, `[@d]`, <!-- [@e] --> and [^n]", []),
    ],
)
def test_pandoc_keys(source: str, found: list[tuple[str, str, str | None]]) -> None:
    assert uses(source, "markdown") == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (r"\cite{a}", [("a", r"\cite{a}", None)]),
        (r"\cite[14]{a}", [("a", r"\cite[14]{a}", "14")]),
        (r"\autocite[see][para 14]{a}", [("a", r"\autocite[see][para 14]{a}", "para 14")]),
        (r"\footcite{a, b}", [("a", r"\footcite{a", None), ("b", "b}", None)]),
        (r"\cites[3]{a}[s 6]{b}", [("a", r"\cites[3]{a}", "3"), ("b", "[s 6]{b}", "s 6")]),
        (r"\citep{a}\parencite{b}\textcite{c}", [("a", r"\citep{a}", None), ("b", r"\parencite{b}", None),
                                                  ("c", r"\textcite{c}", None)]),
        ("% \\cite{a}\n50\\% \\cite{b}", [("b", r"\cite{b}", None)]),
        (r"\nocite{*} \citation \cite{unclosed", []),
    ],
)  # fmt: skip
def test_latex_keys(source: str, found: list[tuple[str, str, str | None]]) -> None:
    assert uses(source, "latex") == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("So @carrow[p. 3].", [("carrow", "@carrow[p. 3]", "p. 3")]),
        ("So @carrow.", [("carrow", "@carrow", None)]),
        ("#cite(<a>, supplement: [para 4])", [("a", "#cite(<a>, supplement: [para 4])", "para 4")]),
        ("// @a\n`@b` a@b.c #cite(<d>)", [("d", "#cite(<d>)", None)]),
    ],
)
def test_typst_keys(source: str, found: list[tuple[str, str, str | None]]) -> None:
    assert uses(source, "typst") == found


@pytest.mark.parametrize("markup", ["markdown", "latex", "typst"])
@pytest.mark.parametrize(
    "piece",
    ["@", "[@a", "[", "[@a, ", "@a [", "\\cite{", "\\cite[", "\\cites{a}", "#cite(<a>, ", "@{", "[[@a]"],
)
def test_long_repetitions_are_read_in_reasonable_steps(markup: str, piece: str) -> None:
    source = piece * (30_000 // len(piece))
    for use in FORMATS[markup].find_keys(source, source):
        assert 0 <= use.span.start <= use.core.start < use.core.end <= use.span.end <= len(source)


def test_the_manual_shows_what_is_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "bibliographies.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ") and "`" in line]
    markups: tuple[str, ...] = ("markdown", "latex", "typst")
    for markup, (_, cites, *_) in zip(markups, rows, strict=True):
        for example in re.findall(r"`([^`]+)`", cites):
            shown = example if "{" in example or markup != "latex" else example + "{carrow}"
            assert uses(shown, markup), example
    entry = read_entry(
        read_bibtex(re.findall(r"^    @.*?^    \}", text, re.M | re.S)[0])[0], Grammar.load(), ""
    )
    assert (entry.name, entry.kind, entry.year) == ("Carrow v Luff", "case", 2014)
