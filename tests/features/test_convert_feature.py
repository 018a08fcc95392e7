"""Citations rewritten in a style, in every markup; nothing is invented, nothing that is cited changes."""

from __future__ import annotations

from typing import Any

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.styles import STYLES, Style
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
    """``convert("…", "oscola")``: the whole draft in a style."""

    def run(source: str, style: str, markup: str = "markdown", place: str = "", **more: Any) -> str:
        draft = DraftParser(everything, place).parse("file:///draft", source, FORMATS[markup])
        settings = Settings(jurisdiction=place)
        snapshot = Snapshot(draft, library, Searcher(library, grammar=everything), settings)
        whole = Span(0, len(source))
        return apply_edits(source, convert_in(snapshot, whole, Style.load(style), CancelToken(), **more))

    return run


US = "It was so held in *Bush v. Gore*, 531 U.S. 98, 99-100 (2000)."
UK = "See *Donoghue v Stevenson* [1932] AC 562 (HL)."
INDIA = "See Kesavananda Bharati v. State of Kerala, (1973) 4 SCC 225, para 12."
AUSTRALIA = "So *Mabo v Queensland (No 2)* [1992] HCA 23; (1992) 175 CLR 1 at 42 holds."
ROWS = [
    (US, "oscola", "US", "It was so held in *Bush v Gore* 531 US 98, 99–100 (2000)."),
    (US, "aglc4", "US", "It was so held in *Bush v Gore*, 531 US 98, 99–100 (2000)."),
    (US, "mcgill", "US", "It was so held in *Bush v Gore*, 531 US 98 at 99–100 (2000)."),
    (US, "bluebook", "US", US),
    (UK, "oscola", "UK", UK),
    (UK, "aglc4", "UK", "See *Donoghue v Stevenson* [1932] AC 562."),
    (UK, "mcgill", "UK", "See *Donoghue v Stevenson*, [1932] AC 562 (HL)."),
    # The Bluebook wants the court appealed from and the country, which nobody has told.
    (UK, "bluebook", "UK", UK),
    (
        "See *Donoghue v. Stevenson*, [1932] AC 562.",
        "oscola",
        "UK",
        "See *Donoghue v. Stevenson*, [1932] AC 562.",
    ),
    (INDIA, "silc", "IN", "See _Kesavananda Bharati v. State of Kerala_, (1973) 4 SCC 225, ¶ 12."),
    (INDIA, "oscola", "IN", "See _Kesavananda Bharati v State of Kerala_ (1973) 4 SCC 225 [12]."),
    (AUSTRALIA, "aglc4", "AU", "So *Mabo v Queensland (No 2)* (1992) 175 CLR 1, 42 holds."),
    (AUSTRALIA, "oscola", "AU", "So *Mabo v Queensland (No 2)* [1992] HCA 23, (1992) 175 CLR 1, 42 holds."),
    (
        "Under the Human Rights Act 1998 s 6(1) it is.",
        "oscola",
        "UK",
        "Under the Human Rights Act 1998, s 6(1) it is.",
    ),
    # In a sentence an Act may be spoken of; in a footnote it is cited.
    ("By s 6 of the Human Rights Act 1998.", "oscola", "UK", "By s 6 of the Human Rights Act 1998."),
    (
        "So it is.[^1]\n\n[^1]: s 180(1) of the Corporations Act 2001 (Cth).\n",
        "aglc4",
        "AU",
        "So it is.[^1]\n\n[^1]: _Corporations Act 2001_ (Cth) s 180(1).\n",
    ),
    ("By 42 USC §1983 it is.", "bluebook", "US", "By 42 U.S.C. § 1983 it is."),
    (
        "So it is.[^1]\n\n[^1]: Section 302 of the Indian Penal Code, 1860.\n",
        "silc",
        "IN",
        "So it is.[^1]\n\n[^1]: § 302, Indian Penal Code, 1860.\n",
    ),
    # A name that is no whole title, a judge: more is written than is known.
    ("By s 302 IPC.", "silc", "IN", "By s 302 IPC."),
    # A page in each parallel report.
    (
        "*Roe v. Wade*, 410 U.S. 113, 120, 93 S. Ct. 705, 710 (1973).",
        "oscola",
        "US",
        "*Roe v Wade* 410 US 113, 120, 93 S Ct 705, 710 (1973).",
    ),
    ("18 U.S.C. § 2252(a)(4)(B) and (b)", "oscola", "US", "18 U.S.C. § 2252(a)(4)(B) and (b)"),
    ("15 U.S.C. §§ 717-717z", "oscola", "US", "15 U.S.C. §§ 717-717z"),
    (
        "In *Hale v. Orr*, 819 F.Supp. 880 (M.D.Fla.1993).",
        "bluebook",
        "US",
        "In *Hale v. Orr*, 819 F. Supp. 880 (M.D. Fla. 1993).",
    ),
    # What is no footnote and a part of its sentence stays, so that the sentence stays one.
    (
        "*Hale v. Orr*, 384 U.S. 4 (1966). In *Hale v. Orr*, *supra*, it was so.",
        "bluebook",
        "US",
        "*Hale v. Orr*, 384 U.S. 4 (1966). In *Hale v. Orr*, *supra*, it was so.",
    ),
    (
        "*Virsa Singh v. State of Punjab*, (AIR 1958 SC 465).",
        "oscola",
        "IN",
        "*Virsa Singh v State of Punjab* AIR 1958 SC 465.",
    ),
    ("The Natural Gas Policy Act of 1978.", "oscola", "US", "The Natural Gas Policy Act of 1978."),
    # What a reader knows by other letters than its normal form, and a number that may be a page.
    ("*Fink v. Orr*, 2009-Ohio-4948, ¶ 5.", "oscola", "US", "*Fink v. Orr*, 2009-Ohio-4948, ¶ 5."),
    ("*Hale vs. Orr*, C.A. No. 140 of 1964.", "silc", "IN", "*Hale vs. Orr*, C.A. No. 140 of 1964."),
    ("*Hale vs. Orr*, 1963 Indlaw SC 129 at 40.", "silc", "IN", "*Hale vs. Orr*, 1963 Indlaw SC 129 at 40."),
    (
        "So the United States Constitution has it.",
        "bluebook",
        "US",
        "So the United States Constitution has it.",
    ),
    ("Mo. Const. art. V, sec. 3", "bluebook", "US", "Mo. Const. art. V, sec. 3"),
    # The court of a reporter that has many is not invented.
    ("*A v. B*, 819 F.3d 880 (2016).", "oscola", "US", "*A v. B*, 819 F.3d 880 (2016)."),
    (
        "*Hale v. Orr*, 819 F.3d 880 (6th Cir. 2016).",
        "oscola",
        "US",
        "*Hale v Orr* 819 F 3d 880 (6th Cir 2016).",
    ),
]


@pytest.mark.parametrize(("source", "style", "place", "expected"), ROWS)
def test_a_citation_in_another_style(
    convert: Any, source: str, style: str, place: str, expected: str
) -> None:
    assert convert(source, style, place=place) == expected


@pytest.mark.parametrize(
    ("markup", "source", "expected"),
    [
        ("plain", "See Bush v. Gore, 531 U.S. 98, 99 (2000).", "See Bush v Gore 531 US 98, 99 (2000)."),
        ("markdown", "See _Bush v. Gore_, 531 U.S. 98 (2000).", "See _Bush v Gore_ 531 US 98 (2000)."),
        ("markdown", "See *Bush v. Gore, 531 U.S. 98 (2000)*.", "See *Bush v Gore* 531 US 98 (2000)."),
        (
            "latex",
            r"\textit{A \& B v. Gore}, 531 U.S. 98, 99--100 (2000).",
            r"\textit{A \& B v Gore} 531 US 98, 99--100 (2000).",
        ),
        ("latex", r"\emph{Bush v. Gore}, 531~U.S. 98 (2000).", r"\emph{Bush v Gore} 531~US 98 (2000)."),
        # Line ends and ties stay where the words around them do.
        (
            "latex",
            "\\textit{Hale\nv. Orr}, 384~U.S.\n4, 9 (1966); Human Rights Act 1998, s~7(1).",
            "\\textit{Hale\nv Orr} 384~US\n4, 9 (1966); Human Rights Act 1998, s~7(1).",
        ),
        ("markdown", "_Hale\r\n  v Orr_, [2019] UKSC\r\n  41.", "_Hale\r\n  v Orr_ [2019] UKSC\r\n  41."),
        ("latex", r"By 42 U.S.C. \S~1983 it is.", r"By 42 USC \S~1983 it is."),
        ("typst", "See _Bush v. Gore_, 531 U.S. 98 (2000).", "See _Bush v Gore_ 531 US 98 (2000)."),
        ("typst", "See #emph[Bush v. Gore], 531 U.S. 98 (2000).", "See #emph[Bush v Gore] 531 US 98 (2000)."),
    ],
)  # fmt: skip
def test_markup_is_kept(convert: Any, markup: str, source: str, expected: str) -> None:
    assert convert(source, "oscola", markup, "US") == expected


NOTES = """\
First.[^1] Then.[^2] Again.[^3] Last.[^4]

[^1]: *Bush v. Gore*, 531 U.S. 98 (2000).
[^2]: *Id.* at 101.
[^3]: *Roe v. Wade*, 410 U.S. 113 (1973).
[^4]: *Bush v. Gore*, 531 U.S. 98, 104 (2000).
"""


def test_short_forms_become_those_of_the_style(convert: Any) -> None:
    converted = convert(NOTES, "oscola", place="US", shorten=True).splitlines()
    assert converted[2:] == [
        "[^1]: *Bush v Gore* 531 US 98 (2000).",
        "[^2]: Ibid 101.",
        "[^3]: *Roe v Wade* 410 US 113 (1973).",
        "[^4]: *Bush* (n 1) 104.",
    ]
    converted = convert(NOTES, "mcgill", place="US", shorten=True).splitlines()
    assert converted[3] == "[^2]: *Ibid* at 101."
    assert converted[5] == "[^4]: *Bush*, *supra* note 1 at 104."


OSCOLA = """\
First.[^1] Then.[^2] Again.[^3] Last.[^4] So.[^5] And.[^6]

[^1]: *Donoghue v Stevenson* [1932] AC 562 (HL) 580.
[^2]: *Hale v Ryle* [2019] UKSC 41 [3]; *Pell v Orr* [2018] UKSC 7.
[^3]: *Donoghue* (n 1) 582.
[^4]: *Hale* (n 2) [7]; *Donoghue* (n 1).
[^5]: *Pell v Orr* [2018] UKSC 7 [2].
[^6]: Ibid [3]–[4].
"""


def test_the_notes_that_short_forms_name_are_named_as_the_other_style_does(convert: Any) -> None:
    assert convert(OSCOLA, "mcgill", place="UK", shorten=True).splitlines()[4:] == [
        "[^3]: *Donoghue*, *supra* note 1 at 582.",
        "[^4]: *Hale*, *supra* note 2 at para 7; *Donoghue*, *supra* note 1.",
        "[^5]: *Pell*, *supra* note 2 at para 2.",
        "[^6]: *Ibid* at paras 3–4.",
    ]
    assert convert(OSCOLA, "oscola", place="UK") == OSCOLA


BARKLEY = "*Barkley v. Orr*, 627 F.3d 36, 72–73 (2d Cir. 2010). "


@pytest.mark.parametrize(
    ("source", "style", "place", "expected"),
    [
        # A page behind *supra* is one in the report, in a sentence of its own and in the middle of another.
        (
            BARKLEY + "In *Barkley*, *supra*, at 39, it was so. Then *Barkley*, *supra*, is that case.",
            "bluebook",
            "US",
            BARKLEY + "In *Barkley*, 627 F.3d at 39, it was so. Then *Barkley*, *supra*, is that case.",
        ),
        ("*Coleman v Power [No 2]* (2004) 220 CLR 1.", "aglc4", "AU", ""),
        (
            "*Coleman v Power [No 2]* (2004) 220 CLR 1.",
            "oscola",
            "AU",
            "*Coleman v Power (No 2)* (2004) 220 CLR 1.",
        ),
        # Apostrophes stay, and no year is said twice.
        ("*Weir v. Orr*, 12 F. App’x 345 (9th Cir. 2001).", "bluebook", "US", ""),
        ("*Weir v. Orr*, 94-2588 (La. App. 4 Cir. 3/27/96).", "bluebook", "US", ""),
        ("See T.C. Memo. 1999-12.", "bluebook", "US", ""),
        # The stop that ends the sentence stays, whether the style's abbreviation has one or not.
        ("See 42 USC. It is so.", "oscola", "US", ""),
        (
            "So.[^1] So.[^2]\n\n[^1]: *Coleman v Power* (2004) 220 CLR 1.\n[^2]: *ibid*.\n",
            "bluebook",
            "AU",
            "So.[^1] So.[^2]\n\n[^1]: *Coleman v Power* (2004) 220 CLR 1.\n[^2]: *id.*\n",
        ),
    ],
)
def test_stops_dashes_and_numbers_of_decisions(
    convert: Any, source: str, style: str, place: str, expected: str
) -> None:
    assert convert(source, style, place=place) == (expected or source)


def test_full_citations_stay_full_unless_asked(convert: Any) -> None:
    assert "[^4]: *Bush v Gore* 531 US 98, 104 (2000)." in convert(NOTES, "oscola", place="US")


def test_id_begins_a_sentence_behind_a_quotation_that_ends_one(convert: Any) -> None:
    source = '*Bush v. Gore*, 531 U.S. 98 (2000). It held that "the vote is equal." *Id.* at 101.'
    assert convert(source, "bluebook", place="US") == source


def test_ibid_in_the_text_is_left_where_the_style_has_it_in_footnotes_only(convert: Any) -> None:
    source = "*Bush v. Gore*, 531 U.S. 98 (2000). *Id.* at 101."
    assert convert(source, "oscola", place="US") == "*Bush v Gore* 531 US 98 (2000). *Id.* at 101."


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("source", [*dict.fromkeys(row[0] for row in ROWS), NOTES])
def test_a_second_conversion_changes_nothing_and_cites_the_same(
    convert: Any, everything: Grammar, style: str, source: str
) -> None:
    place = next((row[2] for row in ROWS if row[0] == source), "US")
    once = convert(source, style, place=place)
    assert convert(once, style, place=place) == once
