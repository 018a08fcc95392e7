"""A draft that is written in a style stays as it is in that style, and nothing written is lost in another."""

from __future__ import annotations

from typing import Any

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.styles import Style
from lexls.reading.draft_parser import DraftParser
from lexls.reading.edit import apply_edits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from lexls.writing.convert import convert_in


@pytest.fixture(scope="module")
def everything() -> Grammar:
    return Grammar.load()


@pytest.fixture
def convert(everything: Grammar, library: Any) -> Any:
    """``convert("…", "oscola", "UK")``: the whole draft in a style."""

    def run(source: str, style: str, place: str, markup: str = "markdown") -> str:
        draft = DraftParser(everything, place).parse("file:///draft", source, FORMATS[markup])
        settings = Settings(jurisdiction=place)
        snapshot = Snapshot(draft, library, Searcher(library, grammar=everything), settings)
        edits = convert_in(snapshot, Span(0, len(source)), Style.load(style), CancelToken())
        return apply_edits(source, edits)

    return run


OWN = {
    "bluebook": (
        "US",
        [
            "*Weir v. Orr*, 384 U.S. 4 (1966). *Id.* at 9. *Id.* That was so. (*Id.* ¶ 4.) *id.*",
            "*Weir v. Orr*, 384 U.S. 4, 9 n.3 (1966); *Weir*, 384 U.S. at 9 & n.3.",
            "*Weir v. Orr*, 384 U.S. 4, 86 S. Ct. 12 (1966). *Weir*, 384 U.S. at 9, 86 S. Ct. at 15.",
            "*Weir v. Orr*, 384 U.S. 4 (1966). It held so. 384 U.S. at 9. *Weir*, *supra*, is that case.",
            "*Weir v. Orr*, 384 U.S. 4, 7, 86 S. Ct. 12, 15, 16 L. Ed. 2d 3 (1966) (dissenting op.).",
            "*Weir v. Orr*, 384 U.S. 4 (1966). Again *Weir*, 384 U.S. 4, 7, and *Orr*.",
            "*Weir v. Orr*, 384 U.S. 4, 86 S. Ct. 12 (1966). *Weir v. Orr*, 384 U.S. at 7, 86 S. Ct. 12.",
            "*Quay Assocs. v. Fen*, 21 F.3d 5 (9th Cir. 1994). *Quay Assocs.*, 21 F.3d at 7.",
            "*Weir v. Orr*, 2004 ND 6, ¶¶ 143-44, 704 N.W.2d 847.",
            "*Weir v. Orr*, 2004 WY 6, ¶ 4, 104 P.3d 87, 89 (Wyo. 2004).",
            "*Weir v. Orr*, 2012 WL 123456, at *3 (D.N.J. July 17, 2012).",
            "*Co Pier v. Orr*, 384 U.S. 4 (1966), *aff'd*, 390 U.S. 6 (1968).",
            "17 U.S.C. § 1201(a)(2)(A)-(C) (2012); 18 U.S.C. §§ 841(a)(1) and 846 (West 2010).",
            "29 C.F.R. § 1604.11(a) (2010); U.S. Const. art. I, § 8, cl. 8; 15 U.S.C. §§ 1 et seq.",
            "Wyo. Stat. Ann. § 1-26-510 (LexisNexis 2011). *Id.* § 1-26-511(a), (b).",
            "By section 1201 of title 17; Title 21, United States Code Section 851 has it.",
        ],
    ),
    "oscola": (
        "UK",
        [
            "So.[^1]\n\nAnd.[^2]\n\n[^1]: *Hale v Ryle* [2019] UKSC 41 [3]–[5].\n[^2]: ibid [7].\n",
            "*Donoghue v Stevenson* [1932] AC 562 (HL) 580; Human Rights Act 1998, s 6(1) and (3).",
        ],
    ),
}  # fmt: skip
UNCHANGED = [(style, place, text) for style, (place, texts) in OWN.items() for text in texts]


@pytest.mark.parametrize(("style", "place", "source"), UNCHANGED)
def test_what_is_in_the_style_stays_to_the_byte(convert: Any, style: str, place: str, source: str) -> None:
    assert convert(source, style, place) == source


@pytest.mark.parametrize(
    ("source", "style", "expected"),
    [
        ("*Weir v. Orr*, 384 U.S. 4, 9 n. 3 (1966).", "aglc4", "*Weir v Orr*, 384 US 4, 9 n 3 (1966)."),
        ("*Weir v. Orr*, 4 U.S. 4, 9 & nn. 3-4 (1966).", "oscola", "*Weir v Orr* 4 US 4, 9 & nn 3–4 (1966)."),
        (
            "*Weir v. Orr*, 384 U.S. 4, 7, 86 S.Ct. 12, 15 (1966) (en banc), *aff'd*, 390 U.S. 6 (1968).",
            "mcgill",
            "*Weir v Orr*, 384 US 4 at 7, 86 S Ct 12 at 15 (1966) (en banc), *aff'd*, 390 US 6 (1968).",
        ),
        (
            "*Weir v. Orr*, 21 F.3d 5, 7 (9th Cir. 1994).",
            "mcgill",
            "*Weir v Orr*, 21 F (3d) 5 at 7 (9th Cir 1994).",
        ),
        ("17 U.S.C. § 1201(b) (West 2012)", "oscola", "17 USC § 1201(b) (West 2012)"),
        (
            "*Weir v. Orr*, 2012 WL 123456, at *3 (D.N.J. July 17, 2012).",
            "oscola",
            "*Weir v Orr* 2012 WL 123456, *3 (DNJ 17 July 2012).",
        ),
        # The habits of California and Michigan.
        (
            "*Weir v. Orr* (9th Cir. 1994) 21 F.3d 5, 7-8.",
            "bluebook",
            "*Weir v. Orr*, 21 F.3d 5, 7-8 (9th Cir. 1994).",
        ),
        (
            "*Weir v. Orr* (1966) 384 U.S. 4, 9 [86 S.Ct. 12, 16 L.Ed.2d 3].",
            "bluebook",
            "*Weir v. Orr*, 384 U.S. 4, 9, 86 S. Ct. 12, 16 L. Ed. 2d 3 (1966).",
        ),
        (
            "*Weir v Orr*, 465 Mich 575, 579; 640 NW2d 246 (2002).",
            "bluebook",
            "*Weir v. Orr*, 465 Mich. 575, 579, 640 N.W.2d 246 (2002).",
        ),
        ("*Weir v Orr*, 92 So 2d 6 (Fla, 2005).", "bluebook", "*Weir v. Orr*, 92 So. 2d 6 (Fla. 2005)."),
        # A report by itself, and one without year or court, are written with what there is.
        ("It cited 384 U. S. 4.", "bluebook", "It cited 384 U.S. 4."),
        ("*Weir v. Orr*, 23 F.Supp. 246.", "oscola", "*Weir v Orr* 23 F Supp 246."),
        # No abbreviation keeps its full stops where the style has none.
        (
            "*Quay Mut. Ins. Co. v. St. Orr's Sch. Dist.*, 384 U.S. 4 (1966).",
            "aglc4",
            "*Quay Mut Ins Co v St Orr's Sch Dist*, 384 US 4 (1966).",
        ),
    ],
)  # fmt: skip
def test_nothing_is_lost_in_another_style(convert: Any, source: str, style: str, expected: str) -> None:
    assert convert(source, style, "US") == expected


@pytest.mark.parametrize("style", ["bluebook", "aglc4", "oscola", "mcgill", "silc"])
@pytest.mark.parametrize(
    ("source", "place", "word"),
    [
        ("Appleglen Pty Ltd v Quay Pty Ltd (1988) 79 ALR 634 (‘Appleglen’) was so.", "AU", "(‘Appleglen’)"),
        ("Appleglen Pty Ltd v Quay Pty Ltd (‘Appleglen’) (1988) 79 ALR 634 was so.", "AU", "(‘Appleglen’)"),
        ("Corporations Act 2001 (Cth) (‘the Act’) s 5.", "AU", "(‘the Act’)"),
        ('*Weir v. Orr* ("Weir I"), 384 U.S. 4 (1966).', "US", '("Weir I")'),
        ("*Weir v. Orr*, 384 U.S. 4, 9 n. 3 (1966).", "US", "3"),
        ("*See* *Weir v. Orr*, 384 U.S. 4 (1966) (per curiam).", "US", "*See*"),
        ("*Weir v. Orr*, No. 94-02-011, 2012 WL 123456 (D.N.J. July 17, 2012).", "US", "94-02-011"),
        ("Hale v Ryle [2019] UKSC 41 [3] (Lord Orr), revsd [2021] UKSC 7.", "UK", "(Lord Orr), revsd"),
    ],
)
def test_short_names_and_what_stands_around_stay(
    convert: Any, source: str, place: str, word: str, style: str
) -> None:
    assert word in convert(source, style, place)


@pytest.mark.parametrize(
    ("source", "style", "place", "expected"),
    [
        ("Weir v Orr [2015] UKUT 578 (TCC) at [4].", "oscola", "UK", "Weir v Orr [2015] UKUT 578 (TCC) [4]."),
        ("Weir v Orr [2015] 2 All ER 5 (CA).", "aglc4", "UK", "Weir v Orr [2015] 2 All ER 5 (CA)."),
        ("T.M.A Weir v Orr [2015] UKSC 5 at [4].", "oscola", "UK", "TMA Weir v Orr [2015] UKSC 5 [4]."),
        (
            "Case C–176/03 *Weir v Council* [2005] ECR I–7879.",
            "oscola",
            "UK",
            "Case C–176/03 *Weir v Council* [2005] ECR I–7879.",
        ),
        (
            "*Weir v Orr*, [1984] 2 SCR 145 at 155–56, 11 DLR (4th) 641.",
            "oscola",
            "CA",
            "*Weir v Orr* [1984] 2 SCR 145, 155–56, 11 DLR (4th) 641.",
        ),
        ("*Quay Act 2001* (Cth) ss 180–182.", "oscola", "AU", "Quay Act 2001 (Cth), ss 180–182."),
    ],
)
def test_courts_and_pages_stand_with_their_report(
    convert: Any, source: str, style: str, place: str, expected: str
) -> None:
    assert convert(source, style, place, "markdown" if "*" in source else "plain") == expected
