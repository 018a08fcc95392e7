from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar, guess_jurisdiction
from lexls.citations.jurisdiction import find_jurisdiction

DRAFTS = {
    "UK": "The duty is settled: Carrow v Dunne [2014] UKSC 12 at [3]; Pell v Orrin [1932] AC 562.",
    "AU": "See Hale v Ryle [2010] FCAFC 9 at [41] and the Harbours Act 1988 (NSW) s 12.",
    "IN": "As held in Rao v. State of Bihar, (1973) 4 SCC 225; AIR 1973 SC 1461, and s. 302 IPC.",
    "CA": "R v Ryle, 2023 SCC 2 at para 35; Criminal Code, RSC 1985, c C-46, s 718.2(e).",
    "EU": "Case C-131/12 Ryle v Hale EU:C:2014:317, para 80, on Regulation (EU) 2016/679.",
    "ECHR": "Ryle v. Norway [GC], no. 36022/97, § 100, ECHR 2003-VIII; Hale v. Norway, no. 74025/01, § 5.",
    "NZ": "Hale v Ryle [2012] NZSC 11 at [7]; [1999] 2 NZLR 1 (CA).",
    "SG": "Hale v Ryle [2019] SGCA 12 at [4]; [2008] 2 SLR(R) 239.",
    "HK": "HKSAR v Lam [2020] HKCFA 42; Companies Ordinance (Cap 622) s 3.",
    "IE": "Hale v Ryle [2016] IESC 94 at [12]; Pell v Orrin [2020] IEHC 311.",
    "ZA": "Hale v Ryle [2014] ZASCA 912 para 9; Pell v Orrin [2021] ZAGPJHC 47.",
    "US": "Moore v. Ryle, 819 F.3d 880, 888 (6th Cir. 2016); 42 U.S.C. § 1983.",
}


@pytest.mark.parametrize("jurisdiction", DRAFTS)
def test_a_draft_is_of_the_place_whose_citations_it_uses(grammar: Grammar, jurisdiction: str) -> None:
    assert guess_jurisdiction(DRAFTS[jurisdiction], grammar) == jurisdiction


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The carrier shall keep the goods dry.",
        "So it is in [2019] UKSC 41 and [2020] UKSC 5, but not in [1992] HCA 23 and [2010] FCAFC 9.",
    ],
)
def test_a_draft_without_a_clear_place_has_none(grammar: Grammar, text: str) -> None:
    assert guess_jurisdiction(text, grammar) == ""


def test_a_few_foreign_citations_do_not_change_the_place(grammar: Grammar) -> None:
    text = " ".join(f"Hale v Ryle [20{year}] UKSC {year}." for year in range(10, 24)) + " Cf. 531 U.S. 98."
    assert guess_jurisdiction(text, grammar) == "UK"


def test_citations_far_into_a_long_draft_are_seen(grammar: Grammar) -> None:
    prose = "The carrier kept the goods in the hold while the ship lay at the quay. " * 8_000
    assert guess_jurisdiction(prose + "\n\n" + DRAFTS["IN"], grammar) == "IN"


def test_a_place_of_the_users_forms_is_known() -> None:
    form = {
        "id": "aldmoor",
        "jurisdiction": "Aldmoor",
        "pattern": "[{year}] {court} {number}",
        "court": ["ASC"],
    }
    grammar = Grammar.load([form])
    assert guess_jurisdiction("Hale v Ryle [2019] ASC 12 and [2020] ASC 3.", grammar) == "Aldmoor"


@pytest.mark.parametrize(
    ("jurisdiction", "also", "reads"),
    [
        ("", ["IN", "CA"], "IN"),
        ("", ["CA", "IN"], "CA"),
        ("IN", ["CA"], "IN"),
        ("CA", ["IN"], "CA"),
    ],
)
def test_a_reporter_of_two_places_is_read_by_the_draft_then_by_the_library(
    grammar: Grammar, jurisdiction: str, also: list[str], reads: str
) -> None:
    (citation,) = grammar.find("So [1978] 2 SCR 621.", jurisdiction, also)
    assert citation.jurisdiction == reads


def test_the_other_citations_of_a_text_speak_louder_than_the_library(grammar: Grammar) -> None:
    found = grammar.find("So [1978] 2 SCR 621, and 2023 SCC 2.", "", ["IN"])
    assert [citation.jurisdiction for citation in found] == ["CA", "CA"]


PACKAGE = Path(__file__).parents[2] / "lexls"


def _strings(path: Path) -> set[str]:
    """The strings in a module's code, and those that they hold between bars."""
    found = (
        node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)
    )
    return {part for value in found if isinstance(value, str) for part in (value, *value.split("|"))}


def test_no_code_of_a_jurisdiction_stands_in_python() -> None:
    codes = {folder.name for folder in (PACKAGE / "citations" / "jurisdictions").iterdir() if folder.is_dir()}
    assert set(DRAFTS) == codes
    modules = sorted(PACKAGE.rglob("*.py"))
    assert modules
    # Initials of companies and nations that keep their capitals in a title.
    named = {f"{path}": codes & _strings(path) for path in modules if path.name != "head.py"}
    assert {name: found for name, found in named.items() if found} == {}


@pytest.mark.parametrize("code", DRAFTS)
def test_the_data_of_a_jurisdiction_can_be_used(code: str) -> None:
    place = find_jurisdiction(code)
    assert place.mark_patterns
    assert place.court_pattern.search("Court of the Moon") is None
    assert place.enacting_pattern.search("The moon enacts") is None
    assert all((place.folder / "concordances" / name).is_file() for name in place.concordances)
    assert place.read("forms.toml")["forms"]
