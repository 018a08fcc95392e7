"""Genuine citations in each style; no style writes what it would have to invent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.jurisdiction import load_jurisdictions
from lexls.citations.model import PinpointKind
from lexls.citations.styles import STYLES, Reference, Style, StyleError
from lexls.citations.styles.style import read_style
from lexls.text.formats import FORMATS
from tests.citations.styled_authorities import AUTHORITIES

_SIGNS: dict[str, PinpointKind] = {"p": "page", "¶": "paragraph", "§": "section", "a": "article", "r": "rule"}


def reference(which: str) -> Reference:
    """An authority with a pinpoint: "bush p 99-100", "hra § 6(1), 8"."""
    name = next(each for each in sorted(AUTHORITIES, key=len, reverse=True) if which.startswith(each))
    sign, _, labels = which[len(name) :].strip().partition(" ")
    if not sign:
        return AUTHORITIES[name]
    return replace(AUTHORITIES[name], pinpoint=_SIGNS[sign], labels=tuple(labels.split(", ")))


BLUEBOOK = {
    "bush": "*Bush v. Gore*, 531 U.S. 98 (2000)",
    "bush p 99-100": "*Bush v. Gore*, 531 U.S. 98, 99-100 (2000)",
    "bush p 101-115": "*Bush v. Gore*, 531 U.S. 98, 101-15 (2000)",
    "miranda p 444": "*Miranda v. Arizona*, 384 U.S. 436, 444 (1966)",
    "miranda p 444, 467-468": "*Miranda v. Arizona*, 384 U.S. 436, 444, 467-68 (1966)",
    "roe": "*Roe v. Wade*, 410 U.S. 113, 93 S. Ct. 705 (1973)",
    "roe p 153": "*Roe v. Wade*, 410 U.S. 113, 153, 93 S. Ct. 705 (1973)",
    "napster p 1013": "*A&M Records, Inc. v. Napster, Inc.*, 239 F.3d 1004, 1013 (9th Cir. 2001)",
    "microsoft": None,
    "kesavananda": "*Kesavananda Bharati v. State of Kerala*, (1973) 4 SCC 225 (India)",
    "maneka": "*Maneka Gandhi v. Union of India*, (1978) 1 SCC 248, AIR 1978 SC 597 (India)",
    "civil rights § 1983": "42 U.S.C. § 1983",
    "civil rights § 1981, 1983": "42 U.S.C. §§ 1981, 1983",
    "exchange § 78j(b)": "15 U.S.C. § 78j(b)",
    "constitution a art. I § 8 cl. 3": "U.S. Const. art. I, § 8, cl. 3",
    "constitution a amend. XIV § 1": "U.S. Const. amend. XIV, § 1",
    "frcp r 12(b)(6)": "Fed. R. Civ. P. 12(b)(6)",
    "cfr § 240.10b-5": None,
    "donoghue": None,
    "hra": None,
    "gdpr a 17(1)": None,
    "hart": "HLA Hart, The Concept of Law (1961)",
}
AGLC4 = {
    "mabo": "*Mabo v Queensland (No 2)* (1992) 175 CLR 1",
    "mabo p 42": "*Mabo v Queensland (No 2)* (1992) 175 CLR 1, 42",
    "mabo p 42-47": "*Mabo v Queensland (No 2)* (1992) 175 CLR 1, 42–7",
    "mabo p 112-114": "*Mabo v Queensland (No 2)* (1992) 175 CLR 1, 112–14",
    "coleman ¶ 12": "*Coleman v Power* [2004] HCA 39, [12]",
    "coleman ¶ 12-14, 20": "*Coleman v Power* [2004] HCA 39, [12]–[14], [20]",
    "kirk p 566-567": "*Kirk v Industrial Court (NSW)* (2010) 239 CLR 531, 566–7",
    "donoghue p 580": "*Donoghue v Stevenson* [1932] AC 562, 580",
    "bush p 104": "*Bush v Gore*, 531 US 98, 104 (2000)",
    "napster": "*A&M Records, Inc v Napster, Inc*, 239 F 3d 1004 (9th Cir, 2001)",
    "oakes p 105": "*R v Oakes* [1986] 1 SCR 103, 105",
    "jordan": None,
    "corporations § 180(1)": "*Corporations Act 2001* (Cth) s 180(1)",
    "corporations § 180-184": "*Corporations Act 2001* (Cth) ss 180–184",
    "crimes § 18": "*Crimes Act 1900* (NSW) s 18",
    "stateless § 55": None,
    "hra § 6(1), 8": "*Human Rights Act 1998* (UK) ss 6(1), 8",
    "ipc § 302": "*Indian Penal Code 1860* (India) s 302",
    "criminal § 745": "*Criminal Code*, RSC 1985, c C-46, s 745",
    "civil rights § 1983": None,
    "hart": "HLA Hart, *The Concept of Law* (OUP, 1961)",
}
OSCOLA = {
    "donoghue": "*Donoghue v Stevenson* [1932] AC 562 (HL)",
    "donoghue p 580": "*Donoghue v Stevenson* [1932] AC 562 (HL) 580",
    "carlill": "*Carlill v Carbolic Smoke Ball Co* [1893] 1 QB 256 (CA)",
    "miller": "*R (Miller) v Prime Minister* [2019] UKSC 41, [2020] AC 373",
    "miller ¶ 50": "*R (Miller) v Prime Minister* [2019] UKSC 41, [2020] AC 373 [50]",
    "corr ¶ 12-14": "*Corr v IBC Vehicles Ltd* [2008] UKHL 13, [2008] 1 AC 884 [12]–[14]",
    "corr p 884-886": "*Corr v IBC Vehicles Ltd* [2008] UKHL 13, [2008] 1 AC 884, 884–86",
    "callery ¶ 42, 45": "*Callery v Gray* [2001] EWCA Civ 1117 [42], [45]",
    "mabo p 42": "*Mabo v Queensland (No 2)* [1992] HCA 23, (1992) 175 CLR 1, 42",
    "kirk": "*Kirk v Industrial Court (NSW)* (2010) 239 CLR 531",
    "roe p 163-164": "*Roe v Wade* 410 US 113, 163–64, 93 S Ct 705 (1973)",
    "microsoft": None,
    "oakes": "*R v Oakes* [1986] 1 SCR 103",
    "gopalan": "*AK Gopalan v State of Madras* AIR 1950 SC 27",
    "hra § 6(1)": "Human Rights Act 1998, s 6(1)",
    "hra § 6(1), 8": "Human Rights Act 1998, ss 6(1) and 8",
    "theft § 1-6": "Theft Act 1968, ss 1–6",
    "criminal § 718.2(e)": "Criminal Code, RSC 1985, c C-46, s 718.2(e)",
    "civil rights § 1983": "42 USC § 1983",
    "gdpr a 17(1)": None,
    "hart": "HLA Hart, *The Concept of Law* (OUP 1961)",
}
MCGILL = {
    "jordan": "*R v Jordan*, 2016 SCC 27",
    "jordan ¶ 10": "*R v Jordan*, 2016 SCC 27 at para 10",
    "jordan ¶ 10-12, 15": "*R v Jordan*, 2016 SCC 27 at paras 10–12, 15",
    "vavilov ¶ 23": "*Canada (Minister of Citizenship and Immigration) v Vavilov*, 2019 SCC 65 at para 23",
    "oakes p 136-137": "*R v Oakes*, [1986] 1 SCR 103 at 136–37",
    "macmillan p 147": "*MacMillan Bloedel Ltd v British Columbia* (1996), 22 BCLR (3d) 137 at 147 (BCCA)",
    "donoghue": "*Donoghue v Stevenson*, [1932] AC 562 (HL)",
    "miller ¶ 50": "*R (Miller) v Prime Minister*, [2019] UKSC 41 at para 50, [2020] AC 373",
    "corr p 890": "*Corr v IBC Vehicles Ltd*, [2008] UKHL 13, [2008] 1 AC 884 at 890",
    "kirk": "*Kirk v Industrial Court (NSW)* (2010), 239 CLR 531",
    "miranda": "*Miranda v Arizona*, 384 US 436 (1966)",
    "napster p 1013": "*A&M Records, Inc v Napster, Inc*, 239 F (3d) 1004 at 1013 (9th Cir 2001)",
    "microsoft": None,
    "criminal § 718.2(e)": "*Criminal Code*, RSC 1985, c C-46, s 718.2(e)",
    "evidence § 4, 5": "*Canada Evidence Act*, RSC 1985, c C-5, ss 4, 5",
    "hra § 6(1)": "*Human Rights Act 1998* (UK), s 6(1)",
    "civil rights § 1983": None,
    "hart": "HLA Hart, *The Concept of Law* (OUP, 1961)",
}
SILC = {
    "kesavananda": "*Kesavananda Bharati v. State of Kerala*, (1973) 4 SCC 225",
    "kesavananda ¶ 1462": "*Kesavananda Bharati v. State of Kerala*, (1973) 4 SCC 225, ¶ 1462",
    "kesavananda p 366": "*Kesavananda Bharati v. State of Kerala*, (1973) 4 SCC 225, 366",
    "maneka": "*Maneka Gandhi v. Union of India*, (1978) 1 SCC 248, AIR 1978 SC 597",
    "puttaswamy ¶ 168-170": "*KS Puttaswamy v. Union of India*, (2017) 10 SCC 1, ¶¶ 168-170",
    "vishaka": "*Vishaka v. State of Rajasthan*, AIR 1997 SC 3011",
    "gopalan": "*AK Gopalan v. State of Madras*, AIR 1950 SC 27",
    "donoghue p 580": "*Donoghue v. Stevenson*, [1932] AC 562, 580",
    "mabo p 42": "*Mabo v. Queensland (No 2)*, (1992) 175 CLR 1, 42, [1992] HCA 23",
    "bush p 104": "*Bush v. Gore*, 531 US 98, 104 (2000)",
    "microsoft": None,
    "ipc": "Indian Penal Code, 1860",
    "ipc § 302": "§ 302, Indian Penal Code, 1860",
    "ipc § 302, 34": "§§ 302, 34, Indian Penal Code, 1860",
    "contract § 2(b)": "§ 2(b), Indian Contract Act, 1872",
    "india a 21": "Art. 21, Constitution of India",
    "india a 14, 19": "Arts. 14, 19, Constitution of India",
    "hra § 6": None,
    "civil rights § 1983": "42 USC § 1983",
    "hart": "HLA Hart, *The Concept of Law* (OUP, 1961)",
}
EXPECTED: dict[str, dict[str, Any]] = {
    "bluebook": BLUEBOOK,
    "aglc4": AGLC4,
    "oscola": OSCOLA,
    "mcgill": MCGILL,
    "silc": SILC,
}
ROWS = [(style, which, wanted) for style, rows in EXPECTED.items() for which, wanted in rows.items()]


@pytest.mark.parametrize(("style", "which", "wanted"), ROWS, ids=[f"{row[0]}: {row[1]}" for row in ROWS])
def test_a_citation_as_the_guide_writes_it(style: str, which: str, wanted: str | None) -> None:
    written = Style.load(style).render(reference(which), "full", FORMATS["markdown"], ("*", "*"))
    assert (written.text if written is not None else None) == wanted


def test_each_style_has_fifteen_genuine_citations() -> None:
    assert set(EXPECTED) == set(STYLES)
    for rows in EXPECTED.values():
        assert sum(wanted is not None for wanted in rows.values()) >= 15


@pytest.fixture(scope="module")
def everything() -> Grammar:
    return Grammar.load()


@pytest.mark.parametrize("markup", FORMATS)
@pytest.mark.parametrize("style", STYLES)
def test_what_is_written_is_read_as_the_same_authority(style: str, markup: str, everything: Grammar) -> None:
    loaded = Style.load(style)
    read = 0
    for which, wanted in EXPECTED[style].items():
        known = reference(which)
        written = loaded.render(known, "full", FORMATS[markup])
        # For people only: a page behind the court in brackets, and what Canada makes of foreign reports.
        unread = which == "donoghue p 580" or (style == "mcgill" and which in ("kirk", "napster p 1013"))
        if wanted is None or written is None or known.kind == "book" or unread:
            continue
        masked = FORMATS[markup].mask(written.text)
        found = everything.find(masked, known.jurisdiction)
        assert found, masked
        keys = {each.key.removesuffix(" (UK)").removesuffix(" (India)") for each in found}
        assert keys <= set(known.citations), masked
        pinpoints = [each.pinpoint.labels for each in found if each.pinpoint is not None]
        if known.labels and known.kind != "constitution" and known.pinpoint != "page":
            assert pinpoints == [known.labels], masked
        if written.pinpoint is not None:
            assert FORMATS[markup].mask(written.pinpoint.of(written.text)).strip(), written.text
        read += 1
    assert read >= 12


@pytest.mark.parametrize("place", [*filter(None, load_jurisdictions())])
@pytest.mark.parametrize("style", STYLES)
def test_a_case_is_read_wherever_the_draft_is_written(style: str, place: str, everything: Grammar) -> None:
    unread = []
    for known in AUTHORITIES.values():
        written = Style.load(style).render(known, "full", FORMATS["plain"]) if known.kind == "case" else None
        keys = {each.key for each in everything.find(written.text, place)} if written is not None else set()
        if written is not None and keys.isdisjoint(known.citations):
            unread.append(written.text)
    assert unread == []


BACK = [
    ("bluebook", "short", "bush p 99", "*Gore*, 531 U.S. at 99"),
    ("bluebook", "short", "bush", "*Gore*, 531 U.S. at 98"),
    ("bluebook", "ibid", "bush p 101", "*Id.* at 101"),
    ("bluebook", "ibid", "civil rights § 1985", "*Id.* § 1985"),
    ("bluebook", "short", "civil rights § 1985", "42 U.S.C. § 1985"),
    ("bluebook", "short", "hart p 12", "HLA Hart, *supra* note 3, at 12"),
    ("aglc4", "short", "mabo p 42", "*Gore* (n 3) 42"),
    ("aglc4", "short", "coleman ¶ 12", "*Gore* (n 3) [12]"),
    ("aglc4", "ibid", "mabo p 42", "Ibid 42"),
    ("aglc4", "ibid", "mabo", "Ibid"),
    ("aglc4", "short", "crimes § 58", "*Gore* (n 3) s 58"),
    ("oscola", "short", "donoghue p 580", "*Gore* (n 3) 580"),
    ("oscola", "ibid", "callery ¶ 42, 45", "Ibid [42], [45]"),
    ("oscola", "short", "hart", "HLA Hart (n 3)"),
    ("oscola", "ibid", "hra § 6", None),
    ("mcgill", "short", "jordan ¶ 10", "*Gore*, *supra* note 3 at para 10"),
    ("mcgill", "ibid", "jordan ¶ 10", "*Ibid* at para 10"),
    ("mcgill", "ibid", "criminal § 745", "*Ibid*, s 745"),
    ("silc", "ibid", "kesavananda", None),
    ("silc", "short", "kesavananda", None),
]


@pytest.mark.parametrize(("style", "form", "which", "wanted"), BACK)
def test_later_citations_point_back_as_the_guide_has_it(
    style: str, form: Any, which: str, wanted: str | None
) -> None:
    known = replace(reference(which), short_name="Gore", note=3)
    written = Style.load(style).render(known, form, FORMATS["markdown"], ("*", "*"), begins=True)
    assert (written.text if written is not None else None) == wanted


@pytest.mark.parametrize("style", ["aglc4", "oscola", "mcgill"])
def test_without_a_footnote_to_name_there_is_no_short_form(style: str) -> None:
    known = replace(reference("donoghue p 580"), short_name="Donoghue")
    assert Style.load(style).render(known, "short", FORMATS["markdown"]) is None


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("plain", "A&M Records, Inc. v. Napster, Inc., 239 F.3d 1004, 1013 (9th Cir. 2001)"),
        ("markdown", "_A&M Records, Inc. v. Napster, Inc._, 239 F.3d 1004, 1013 (9th Cir. 2001)"),
        ("typst", "_A&M Records, Inc. v. Napster, Inc._, 239 F.3d 1004, 1013 (9th Cir. 2001)"),
        ("latex", r"\textit{A\&M Records, Inc. v. Napster, Inc.}, 239 F.3d 1004, 1013 (9th Cir. 2001)"),
    ],
)
def test_names_are_escaped_and_italic_in_every_markup(markup: str, wanted: str) -> None:
    written = Style.load("bluebook").render(reference("napster p 1013"), "full", FORMATS[markup])
    assert written is not None
    assert written.text == wanted
    assert written.pinpoint is not None
    assert written.pinpoint.of(written.text) == "1013"


def test_signs_are_commands_in_latex() -> None:
    written = Style.load("bluebook").render(reference("civil rights § 1981, 1983"), "full", FORMATS["latex"])
    assert written is not None
    assert written.text == r"42 U.S.C. \S\S~1981, 1983"


def test_a_style_that_is_not_there_is_named() -> None:
    with pytest.raises(StyleError, match="chicago"):
        Style.load("chicago")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("versus", 3),
        ("pages", "some"),
        ("ibid", "always"),
        ("full", {"case": "*{name"}),
        ("pinpoint", {"page": "x"}),
    ],
)
def test_a_wrong_field_is_named(field: str, value: Any) -> None:
    table: dict[str, Any] = {
        **dict.fromkeys(("title", "edition", "versus", "ordinal", "dash", "last", "parallel", "end"), "x"),
        "stops": True,
        "pages": "all",
        "ibid": "never",
        "full": {"case": "{name}"},
        field: value,
    }
    with pytest.raises(StyleError, match=f"mine: `{field}"):
        read_style(table, "mine")
