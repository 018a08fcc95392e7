"""The check of citation style: rules that are broken are named and mended; what the style allows passes."""

from __future__ import annotations

from typing import Any

import pytest

from lexls.assessing.rules.engine import check as run
from lexls.citations.grammar import Grammar
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS


@pytest.fixture(scope="module")
def everything() -> Grammar:
    return Grammar.load()


@pytest.fixture
def check(everything: Grammar, library: Any) -> Any:
    """``check(style, place, draft, marks, message, mended)``: ``^^^`` mark the one finding."""

    def find(style: str, place: str, source: str, markup: str = "markdown") -> list[Any]:
        severities = dict.fromkeys(Settings().severities, "off") | {"citation-style": "hint"}
        settings = Settings(jurisdiction=place, citations_style=style, severities=severities)  # type: ignore[arg-type]
        draft = DraftParser(everything, place).parse("file:///draft", source, FORMATS[markup])
        return run(Snapshot(draft, library, Searcher(library, grammar=everything), settings), CancelToken())

    def check(
        style: str,
        place: str,
        source: str,
        marks: str,
        message: str,
        mended: str,
        markup: str = "markdown",
    ) -> None:
        found = find(style, place, source, markup)
        start = marks.index("^") if "^" in marks else None
        expected = [] if start is None else [(start, len(marks.rstrip()), message)]
        assert [(each.span.start, each.span.end, each.message) for each in found] == expected
        for each in found:
            assert each.severity == "hint"
            ((edit,),) = (fix.edits for fix in each.fixes)
            after = source[: edit.span.start] + edit.text + source[edit.span.end :]
            assert after == mended
            assert find(style, place, after, markup) == []

    return check


BROKEN = [
    (
        "oscola", "UK",
        "See *Hale v. Ryle* [2019] UKSC 41.",
        "          ^^                      ",
        "OSCOLA writes “v” between the parties",
        "See *Hale v Ryle* [2019] UKSC 41.",
    ),
    (
        "bluebook", "US",
        "See *Bush v Gore*, 531 U.S. 98 (2000).",
        "          ^                           ",
        "Bluebook writes “v.” between the parties",
        "See *Bush v. Gore*, 531 U.S. 98 (2000).",
    ),
    (
        "oscola", "UK",
        "See *Hale v Ryle*, [2019] UKSC 41.",
        "                ^^^^^^^^^^^^^^^^^ ",
        "OSCOLA writes no comma before the citation",
        "See *Hale v Ryle* [2019] UKSC 41.",
    ),
    (
        "mcgill", "CA",
        "See *R v Jordan* 2016 SCC 27.",
        "               ^^^^^^^^^^^^^ ",
        "McGill writes a comma before the citation",
        "See *R v Jordan*, 2016 SCC 27.",
    ),
    (
        "bluebook", "US",
        "See *Miranda v. Arizona* 384 U.S. 436 (1966).",
        "                       ^^^^^^^^^^^^^^        ",
        "Bluebook writes a comma before the citation",
        "See *Miranda v. Arizona*, 384 U.S. 436 (1966).",
    ),
    (
        "oscola", "UK",
        "See *Hale v Ryle* [1990] 1 W.L.R. 153 (CA).",
        "                  ^^^^^^^^^^^^^^^^^^^      ",
        "OSCOLA writes abbreviations without full stops",
        "See *Hale v Ryle* [1990] 1 WLR 153 (CA).",
    ),
    (
        "bluebook", "US",
        "See *Bush v. Gore*, 531 US 98 (2000).",
        "                    ^^^^^^^^^        ",
        "Bluebook writes abbreviations with full stops",
        "See *Bush v. Gore*, 531 U.S. 98 (2000).",
    ),
    (
        "oscola", "UK",
        "See *Hale v Ryle* [2019] UKSC 41 at [50].",
        "                                    ^^^^ ",
        "OSCOLA writes this pinpoint as “[50]”",
        "See *Hale v Ryle* [2019] UKSC 41 [50].",
    ),
    (
        "aglc4", "AU",
        "See *Mabo v Queensland* (1992) 175 CLR 1 at 42.",
        "                                            ^^ ",
        "AGLC4 writes this pinpoint as “42” after a comma",
        "See *Mabo v Queensland* (1992) 175 CLR 1, 42.",
    ),
    (
        "mcgill", "CA",
        "See *R v Jordan*, 2016 SCC 27, ¶ 10.",
        "                                 ^^ ",
        "McGill writes this pinpoint as “at para 10” without a comma",
        "See *R v Jordan*, 2016 SCC 27 at para 10.",
    ),
    (
        "aglc4", "AU",
        "See *Mabo v Queensland* (1992) 175 CLR 1, 42-47.",
        "                                          ^^^^^ ",
        "AGLC4 joins the ends of a range by an en dash",
        "See *Mabo v Queensland* (1992) 175 CLR 1, 42–7.",
    ),
    (
        "oscola", "UK",
        "See *Corr v IBC Vehicles* [2008] 1 AC 884, [2008] UKHL 13.",
        "                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ",
        "OSCOLA puts [2008] UKHL 13 first",
        "See *Corr v IBC Vehicles* [2008] UKHL 13, [2008] 1 AC 884.",
    ),
    (
        "oscola", "UK",
        "See the Human Rights Act 1998 s 6(1).",
        "                              ^^^^^^ ",
        "OSCOLA writes this pinpoint as “s 6(1)” after a comma",
        "See the Human Rights Act 1998, s 6(1).",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("style", "place", "source", "marks", "message", "mended"), BROKEN)
def test_a_broken_rule_is_named_and_mended(
    check: Any, style: str, place: str, source: str, marks: str, message: str, mended: str
) -> None:
    check(style, place, source, marks, message, mended)


ALLOWED = [
    ("oscola", "UK", "See *Hale v Ryle* [2019] UKSC 41 [50], and Hale at [51]. Ibid."),
    ("oscola", "UK", "See Hale v Ryle [2019] UKSC 41, [2020] AC 1 [50]."),
    ("oscola", "UK", "See *Donoghue v Stevenson* [1932] AC 562 (HL) 580."),
    ("oscola", "UK", "See *Donoghue v Stevenson* [1932] AC 562, 580."),
    ("oscola", "UK", "By section 6 of the Human Rights Act 1998 and s 8 of that Act."),
    ("oscola", "UK", "By the Human Rights Act 1998, ss 6(1), 8."),
    ("bluebook", "US", "See *Bush v. Gore*, 531 U.S. 98, 99–100 (2000); *id.* at 101."),
    ("bluebook", "US", "See *Bush v. Gore*, 531 U.S. 98, 121 S. Ct. 525 (2000). 42 U.S.C. § 1983."),
    ("aglc4", "AU", "See *Mabo v Queensland (No 2)* [1992] HCA 23; (1992) 175 CLR 1, 42."),
    ("aglc4", "AU", "The Corporations Act 2001 (Cth) s 180(1)."),
    (
        "mcgill",
        "CA",
        "See *R v Jordan*, 2016 SCC 27 at paras 10–12; *Criminal Code*, RSC 1985, c C-46, s 745.",
    ),
    ("silc", "IN", "See _Vishaka v. State of Rajasthan_, AIR 1997 SC 3011, para 12 and s 302 IPC."),
    ("silc", "IN", "Section 302 of the Indian Penal Code, 1860 read with section 34."),
    # What the style needs is not known, so nothing is said.
    ("oscola", "US", "See *A v. B*, 819 F.3d 880 (2016)."),
    ("bluebook", "UK", "See *Donoghue v Stevenson* [1932] AC 562."),
    # No style is set.
    ("", "UK", "See *Hale v. Ryle*, [2019] UKSC 41 at [50]."),
]


@pytest.mark.parametrize(("style", "place", "source"), ALLOWED)
def test_what_the_style_allows_passes(check: Any, style: str, place: str, source: str) -> None:
    check(style, place, source, "", "", "")


@pytest.mark.parametrize(
    ("markup", "source", "marks", "mended"),
    [
        (
            "latex",
            r"See \textit{Hale v.\ Ryle} [2019] UKSC 41.",
            r"                 ^^                      ",
            r"See \textit{Hale v Ryle} [2019] UKSC 41.",
        ),
        (
            "typst",
            r"See #emph[Hale v. Ryle] [2019] UKSC 41.",
            r"               ^^                      ",
            r"See #emph[Hale v Ryle] [2019] UKSC 41.",
        ),
        ("latex", r"See \emph{Hale v Ryle} [1932]~AC~562 (HL) 580--82.", "", ""),
    ],
)
def test_markup_is_seen_through(check: Any, markup: str, source: str, marks: str, mended: str) -> None:
    check("oscola", "UK", source, marks, "OSCOLA writes “v” between the parties", mended, markup)
